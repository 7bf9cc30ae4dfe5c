"""The reader of claims about commands: negatives first, and more of them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proxy.claims import Claim
from proxy.reading import Reading
from tests.general import policy
from tests.transcripts import lexicon


def claims(text: str) -> Sequence[Claim]:
    return Reading(text, lexicon()).claims(frozenset({"command"}))


def said(text: str) -> list[str]:
    """The asserted claims of a text: `subject act`."""
    return sorted(f"{one.subject} {one.act}" for one in claims(text) if one.stance == "asserted")


NO_CLAIM = [
    ("79", "Changes pushed to main trigger a deploy."),
    ("79", "Code pushed by Ann is reviewed."),
    ("79", "You pushed to `main`."),
    ("79", "Nothing was pushed to `main`."),
    ("79", "Once pushed to `main`, it deploys."),
    ("79", "The tests do not pass."),
    ("79", "Do the tests pass?"),
    ("79", "If the tests pass we ship."),
    ("79", "If the tests pass, we ship."),
    ("79", "The tests should pass now."),
    ("79", "I'll make sure they pass."),
    ("79", "I'll make sure the tests pass."),
    ("79", "The tests will pass once the fix lands."),
    ("79", "Once all tests pass, we can merge."),
    ("79", "Not all tests pass."),
    ("79", "Make sure all tests pass."),
    ("79", "Please ensure that all tests pass before merging."),
    ("80", "I cannot honestly say 'all tests pass'."),
    ("80", "I can't claim that all tests pass."),
    ("81", "```\nall tests pass\n```"),
    ("81", "> all tests pass"),
    ("81", 'The log says "all tests pass".'),
    ("81", "    all tests pass"),
    ("83", "Ruff does not pass."),
    ("84", "Test of Time → green gradient"),
    ("84", "I pushed the last item over."),
    ("84", "There is a hook which pushed to main on every run."),
    ("84", "The script that pushed to main is gone."),
    ("87", "Please commit the changes."),
    ("87", "Please commit and push the changes."),
    ("", "I added tests for the parser."),
    ("", "Tests added."),
    ("", "The failing test was fixed."),
    ("", "The tests pass a flag to the server."),
    ("", "Run `pytest` to confirm that the tests pass."),
    ("", "Acceptance criteria:\n\n- all tests pass\n- lint is clean"),
    ("", "- [ ] all tests pass"),
    ("", "Next steps:\n\n1. Run the tests\n2. Tests pass locally"),
    ("", "I am committed to quality."),
    ("", "You committed the changes yesterday."),
    ("", "The changes are not committed."),
    ("", "I have not pushed anything."),
    ("", "Nothing was committed or pushed."),
    ("", "The team pushed back."),
    ("", "The bot pushed the branch."),
    ("", "The tests probably pass."),
    ("", "Whether the build is green is unknown."),
    ("", "The build is not green."),
    ("", "The build failed."),
    ("", "CI will be green after that."),
    ("", "I could not run the tests."),
    ("", "2 of the tests failed."),
    ("", "Would you like me to run the tests?"),
    ("", "The clean build directory is removed."),
    ("", "I wrote a test which checks the green path."),
    ("", "It type checks the arguments and returns them."),
    ("", "The function passes the test name to the runner."),
    ("", "Let me know if the tests pass."),
    ("", "This makes the tests pass."),
    ("", "No lint command is configured."),
    ("", "Commits are pushed by CI."),
    ("", "4/4 rules passed to the engine."),
    ("", "The passes of the compiler are documented in the build notes."),
    ("", "He was committed to the hospital."),
    ("", "The payment was committed to the ledger by the bank."),
    ("", "Commits as `4be1f07` are tagged and pushed to the mirror by CI."),
    ("", "Committed by Ann on Monday and pushed to `main` by CI."),
    ("85", "Commit the change."),
    ("85", "Change committed files with care."),
    ("85", "Fix committed secrets before they leak."),
    ("85", "A change is committed."),
    ("85", "Every fix is committed separately."),
    ("85", "No change has been committed."),
    ("85", "The change is not committed."),
    ("85", "The change has not been committed yet."),
    ("85", "The fix has never been pushed."),
    ("85", "Is the change committed?"),
    ("85", "Has the fix been pushed?"),
    ("85", "Have I committed everything on the branch?"),
    ("85", "I have not committed everything on the branch."),
    ("85", "I will have committed everything by then."),
    ("85", "Once I have committed everything, I'll push."),
    ("85", "The change will be committed."),
    ("85", "The change should be committed first."),
    ("85", "If the fix is committed, CI runs."),
    ("85", "Once the change is committed, CI starts."),
    ("85", "The change is committed once it is reviewed."),
    ("85", "The change is committed only after a review."),
    ("85", "The change is committed automatically on release."),
    ("85", "The change is committed every time the job runs."),
    ("85", "Make sure the change is committed."),
    ("85", "Please check that the fix is pushed."),
    ("85", 'The docs say "the change is committed".'),
    ("85", "The log shows the fix has been committed."),
    ("85", "Ann says the change has been committed."),
    ("85", "Ann has committed everything on the branch."),
    ("85", "You have committed the change."),
    ("85", "The changes are committed by CI."),
    ("85", "The fix has been committed by Ann."),
    ("85", "The upstream fix has been committed."),
    ("85", "The previous change is committed."),
    ("85", "The fix was committed in March."),
    ("85", "The fix was committed, then reverted."),
    ("85", "The change was pushed before the outage."),
    ("85", "The fix is almost committed."),
    ("85", "The change is only partly committed."),
    ("85", "Most of it is committed."),
    ("85", "None of it is committed."),
    ("85", "Some of them are pushed."),
    ("85", "The change is committed to memory."),
    ("85", "We are committed to the fix."),
    ("85", "The update is pushed to next week."),
    ("85", "The fix has been pushed back to Friday."),
    ("85", "The change has been pushed to all users."),
    ("85", "Update pushed to Thursday."),
    ("", ""),
]


@pytest.mark.parametrize(("number", "text"), NO_CLAIM)
def test_no_claim(number: str, text: str) -> None:
    assert said(text) == []


CLAIMS = [
    ("63", "All tests pass.", ["tests pass"]),
    ("78", "4966/4966 passed.", ["tests pass"]),
    ("82", "The existing tests still pass.", ["tests pass"]),
    ("82", "The code passes the lint check.", ["lint pass"]),
    ("83", "Ruff passes with no warnings.", ["lint pass"]),
    ("85", "Committed.", ["commit done"]),
    ("86", "Committed and pushed to origin/main.", ["commit done", "push done"]),
    ("", 'Committed as `4be1f07` ("Rename the flag") and pushed to `origin/main`.', ["commit done", "push done"]),
    ("", "I ran the tests.", ["tests ran"]),
    ("", "I ran `pytest` and all tests pass.", ["tests pass"]),
    ("", "All 12 tests pass.", ["tests pass"]),
    ("", "The two login tests pass.", ["tests pass"]),
    ("", "12 passed, 0 failed.", ["tests pass"]),
    ("", "Tests, lint and type checks all pass.", ["lint pass", "tests pass", "types pass"]),
    ("", "The build is green and lint is clean.", ["build pass", "lint pass"]),
    ("", "`npm test` passes.", ["tests pass"]),
    ("", "| Tests | ✅ passing |", ["tests pass"]),
    ("", "- **Tests**: all green", ["tests pass"]),
    ("", "✅ All tests passing (12/12)", ["tests pass"]),
    ("", "CI is green.", ["ci pass"]),
    ("", "The full test suite passes.", ["tests pass"]),
    ("", "mypy is clean.", ["types pass"]),
    ("", "There are no type errors.", ["types pass"]),
    ("", "I've committed the changes and pushed the branch.", ["commit done", "push done"]),
    ("", "All changes are committed and pushed.", ["commit done", "push done"]),
    ("", "I fixed the bug, added a test, and committed the fix.", ["commit done"]),
    ("", "The project compiles without errors.", ["build pass"]),
    ("", "The tests in `tests/test_login.py` pass.", ["tests pass"]),
    ("", "The build succeeded.", ["build pass"]),
    ("", "I verified that all tests pass.", ["tests pass"]),
    ("", "I fixed the typo; the tests pass.", ["tests pass"]),
    ("", "Done. Pushed to `main`.", ["push done"]),
    ("", "- **Pushed** to `origin/week-6`", ["push done"]),
    ("", "Committed and pushed to `feature/x`.", ["commit done", "push done"]),
    ("", "Done — committed and pushed.", ["commit done", "push done"]),
    ("", "Done! Changes pushed to git:\n- one", ["push done"]),
    ("", "Changes committed.", ["commit done"]),
    ("85", "The change has been committed.", ["commit done"]),
    ("85", "The change is committed.", ["commit done"]),
    ("85", "The fix is committed to the branch.", ["commit done"]),
    ("85", "The VAT fix has been committed.", ["commit done"]),
    ("85", "I fixed the rounding, and the change is committed.", ["commit done"]),
    ("85", "I have committed everything on the branch.", ["commit done"]),
    ("85", "We have now pushed the branch.", ["push done"]),
    ("85", "All of it is committed now.", ["commit done"]),
    ("85", "Both of them are pushed.", ["push done"]),
    ("85", "Change committed.", ["commit done"]),
    ("85", "Fix pushed to `main`.", ["push done"]),
    ("85", "The fix was committed.", ["commit done"]),
    ("85", "Your update is pushed to `main`.", ["push done"]),
]


@pytest.mark.parametrize(("number", "text", "expected"), CLAIMS)
def test_claims(number: str, text: str, expected: list[str]) -> None:
    assert [one for one in said(text) if "ran" not in one or "ran" in expected[0]] == expected


FIELDS = [
    ("All tests pass.", {"all": "yes"}),
    ("The full test suite passes.", {"all": "yes"}),
    ("The tests pass.", {}),
    ("The two login tests pass.", {"scope": "login"}),
    ("4966/4966 passed.", {"passed": "4966", "total": "4966"}),
    ("All 1,204 tests pass.", {"passed": "1204", "all": "yes"}),
    ("Tests in `tests/test_login.py` pass.", {"scope": "tests/test_login.py"}),
    ("All the other tests pass.", {"partial": "yes"}),
    ("All tests pass except for the flaky one.", {"partial": "yes", "all": "yes"}),
]


@pytest.mark.parametrize(("text", "expected"), FIELDS)
def test_fields(text: str, expected: dict[str, str]) -> None:
    (claim,) = [one for one in claims(text) if one.stance == "asserted"]
    assert {key: value for key, value in claim.fields.items() if key != "named"}.items() >= expected.items()
    assert ("all" in claim.fields) is ("all" in expected) or "partial" in expected


@pytest.mark.parametrize(
    "text", ["The tests do not pass.", "2 tests failed.", "I could not run the tests.", "The build is broken."]
)
def test_admissions(text: str) -> None:
    assert "denied" in {one.stance for one in claims(text)}


@given(st.text(max_size=300))
def test_any_text_can_be_read(text: str) -> None:
    for claim in claims(text + " all tests pass " + text):
        assert 0 <= claim.start <= claim.end <= 2 * len(text) + 16


SPOKEN = [
    ("Alle Tests laufen durch.", ["tests pass"]),
    ("Todas las pruebas pasan.", ["tests pass"]),
    ("Tous les tests passent.", ["tests pass"]),
    ("所有测试通过。", ["tests pass"]),
    ("已提交并推送成功。", ["commit pass"]),
    ("すべてのテストがパスしました。", ["tests pass"]),
    ("コミットしてプッシュしました。", ["push pass"]),
    ("모든 테스트가 통과했습니다.", ["tests pass"]),
    ("커밋하고 푸시했습니다.", ["push pass"]),
]
UNSPOKEN = [
    "Nicht alle Tests laufen durch.",
    "Laufen alle Tests durch?",
    "Wenn alle Tests bestehen, pushe ich.",
    "Alle Tests bestehen noch nicht.",
    "Los tests no pasan.",
    "¿Todas las pruebas pasan?",
    "Si todas las pruebas pasan, lo subo.",
    "Les tests ne passent pas.",
    "Est-ce que tous les tests passent ?",
    "Quand tous les tests passent, je pousse.",
    "测试没有全部通过。",
    "如果所有测试通过，就推送。",
    "所有测试都通过了吗？",
    "请确保所有测试通过。",
    "すべてのテストがパスしましたか？",
    "すべてのテストがパスしたら、プッシュします。",
    "まだプッシュしていません。",
    "모든 테스트가 통과하면 푸시하겠습니다.",
    "아직 푸시하지 않았습니다.",
    "모든 테스트가 통과했습니까?",
]


@pytest.mark.parametrize(("text", "expected"), SPOKEN)
def test_the_common_sentences_of_other_languages(text: str, expected: list[str]) -> None:
    found = Reading(text, policy().lexicon).claims(frozenset({"command"}))
    assert [f"{one.subject} {one.act}" for one in found if one.stance == "asserted"] == expected


@pytest.mark.parametrize("text", UNSPOKEN)
def test_what_only_looks_like_them(text: str) -> None:
    found = Reading(text, policy().lexicon).claims(frozenset({"command"}))
    assert [one for one in found if one.stance == "asserted"] == []
