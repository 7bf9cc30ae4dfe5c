"""The auditor of artifact keys: scenarios B, with and without a store."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from proxy import ledger
from proxy.answers import examine
from proxy.audit import MAX_FINDINGS, NOTHING, Absent, Look, Present, Question, Report, Sight, Unknown
from proxy.library import Library
from proxy.reading import Reading
from proxy.transcript import Answer
from tests.proportions import in_proportion
from tests.transcripts import ROOT, Ran, messages, transcript, turn

LIBRARY = Library(ROOT / "policies")
K1, K2 = "artifact.put/0a1b2c3d4e5f6071-one.md", "artifact.put/1b2c3d4e5f607182-two.md"
Store = Mapping[str, Any] | str | None


def store(table: Store) -> Look:
    async def look(source: str, subject: str, question: Question = NOTHING) -> Sight:
        assert source == "artifacts"
        if isinstance(table, str):
            return Unknown(table)
        assert table is not None
        return Present({"size": table[subject]}) if subject in table else Absent("not in the store")

    return look


def report(answer: str, ran: list[Ran], table: Store = None, extra: list[Any] | None = None) -> Report:
    policy = LIBRARY.policy(LIBRARY.open("packs", "deposits.toml"), {"artifacts"} if table is not None else ())
    raw = [*(extra or []), *messages(ran)]
    request = transcript(raw, tools=[{"type": "function", "function": {"name": "artifact.put"}}])
    return asyncio.run(examine(policy, request, turn(raw), Answer(0, answer, "stop"), store(table), audit_id="a"))


def verdicts(answer: str, ran: list[Ran], table: Store = None) -> list[str]:
    return [f"{found.verdict} {found.subject}" for found in report(answer, ran, table).findings]


def put(key: str, **more: Any) -> Ran:
    return (
        "helmdeck__artifact-put",
        {"name": key},
        {"pack": "artifact.put", "version": "1", "output": {"artifact_key": key}} | more,
    )


FAILED: Ran = ("artifact.put", {"name": "one.md", "key": K1}, {"error": "quota exceeded"})
VERIFY: Ran = (
    "artifact.verify_manifest",
    {"expected": [K1]},
    {"verified": [], "missing": [{"artifact_key": K1, "reason": "no"}], "all_present": False},
)
VERIFIES = "artifact.verify_manifest"
KEYS = [K1, K2, *(f"artifact.put/{number}c-page.md" for number in range(4))]
PUTS = [put(key) for key in KEYS]
LISTED: Ran = (
    "artifact.list",
    {},
    {"artifacts": [{"artifact_key": K1, "size": 740}, {"artifact_key": K2, "size": 9_301}]},
)


def checked(there: int, why: str = "not found") -> Ran:
    """A look at the six keys that finds so many."""
    missing = [{"artifact_key": key, "reason": why} for key in KEYS[there:]]
    found = [{"artifact_key": key} for key in KEYS[:there]]
    return VERIFIES, {"expected": KEYS}, {"verified": found, "missing": missing, "all_present": not missing}


def sized(size: int) -> Ran:
    return "artifact.put", {"name": "one.md"}, {"artifact_key": K1, "size": size}


TABLE = "\n".join(["| key | size |", "|---|---|", *(f"| `blog.publish/a{n}-x.md` | {n}.0 KB |" for n in range(1, 7))])

CASES: list[tuple[str, str, list[Ran], Store, list[str]]] = [
    ("31", TABLE, [("rewrite", {}, "text")], {}, [f"contradicted blog.publish/a{n}-x.md" for n in range(1, 7)]),
    (
        "31, no store",
        TABLE,
        [("rewrite", {}, "text")],
        None,
        [f"unsupported blog.publish/a{n}-x.md" for n in range(1, 7)],
    ),
    ("32", f"Deposited `{K1}` and `{K2}`.", [put(K1), put(K2)], {K1: 5, K2: 6}, [f"verified {K1}", f"verified {K2}"]),
    ("32, no store", f"Deposited `{K1}` and `{K2}`.", [put(K1), put(K2)], None, [f"verified {K1}", f"verified {K2}"]),
    ("33", f"`{K1}`, again `{K1}`, and `{K1}`.", [put(K1)], {K1: 5}, [f"verified {K1}"]),
    ("34", f"Deposited `{K1}` (7.4 KB).", [put(K1)], {K1: 120}, [f"qualified {K1}"]),
    ("34, rounded", f"Deposited `{K1}` (7.4 KB).", [put(K1)], {K1: 7_421}, [f"verified {K1}"]),
    ("34, by 1,024", f"Deposited `{K1}` (7.2 KB).", [put(K1)], {K1: 7_421}, [f"verified {K1}"]),
    ("35", f"The report is deposited as `{K1}`.", [put(K1)], {K1: 0}, [f"qualified {K1}"]),
    ("37", f"Deposited `{K1}` and `{K2}`.", [put(K1)], "deadline", [f"unverifiable {K1}", f"unverifiable {K2}"]),
    (
        "38",
        "Deposited `blog.publish/0a1b2c3d4e5f6071-one.md`.",
        [put(K1)],
        {K1: 5},
        ["contradicted blog.publish/0a1b2c3d4e5f6071-one.md"],
    ),
    (
        "39",
        f"The result is `{K1}`.",
        [("pipeline.run", {}, {"steps": [{"artifacts": [{"artifact_key": K1}]}]})],
        {K1: 5},
        [f"verified {K1}"],
    ),
    ("42", f"All deposited: `{K1}`.", [VERIFY], None, [f"contradicted {K1}"]),
    ("43", "Verified: all artifacts are present.", [put(K1)], None, []),
    ("43, done", "I have verified all artifacts.", [], None, ["unsupported verification"]),
    ("44", "Reply with deposit to save and verify.", [], {}, []),
    ("46", "As the skill requires, all six artifacts are deposited.", [], {}, ["unsupported deposits"]),
    ("a failed put", f"Deposited `{K1}`.", [FAILED], None, [f"contradicted {K1}"]),
    ("a failed put, no key", "All artifacts are deposited.", [FAILED], None, ["contradicted deposits"]),
    ("some of them", "All four artifacts are deposited.", [put(K1)], None, ["qualified deposits"]),
    ("just made", f"Deposited `{K1}`.", [put(K1)], {}, [f"unverifiable {K1}"]),
    ("denied", f"`{K1}` could not be deposited.", [FAILED], {}, []),
    ("asked", f"Shall I deposit `{K1}`?", [], {}, []),
    ("planned", f"Next I will deposit it as `{K1}`.", [], {}, []),
    ("in a fence", f"```\n{K1}\n```", [], {}, []),
    ("another tool may have done it", "All artifacts are uploaded.", [("sync", {}, "done")], None, []),
    ("42, no keys", "All six artifacts are deposited.", [*PUTS, checked(1)], None, ["contradicted deposits"]),
    ("42, one put", "All six artifacts are deposited.", [put(K1), checked(1)], None, ["contradicted deposits"]),
    ("42, everything", "Everything has been deposited to the store.", [checked(1)], None, ["contradicted deposits"]),
    ("42, mine", "I deposited everything.", [put(K1), checked(5)], None, ["contradicted deposits"]),
    ("42, with a store", "All artifacts are deposited.", [put(K1), checked(1)], {}, ["contradicted deposits"]),
    ("42, nothing is missing", "All six artifacts are deposited.", [*PUTS, checked(6)], None, []),
    ("42, put since", "All six artifacts are deposited.", [checked(0), *PUTS], None, []),
    ("42, looked again", "All six artifacts are deposited.", [*PUTS, checked(1), checked(6)], None, []),
    ("42, looked for another number", "All four artifacts are deposited.", [*PUTS, checked(4)], None, []),
    ("42, not all", "Six artifacts are deposited.", [*PUTS, checked(5)], None, []),
    ("42, part", "All images are uploaded.", [*PUTS, checked(1)], None, []),
    ("42, part of them", "All artifacts of the first step are deposited.", [*PUTS, checked(1)], None, []),
    ("42, else", "Everything else has been deposited.", [*PUTS, checked(1)], None, []),
    ("42, but", "Everything but the deck has been deposited.", [*PUTS, checked(1)], None, []),
    (
        "42, told",
        "I deposited all six artifacts. Five of them are missing in the store.",
        [*PUTS, checked(1)],
        None,
        [],
    ),
    ("42, told in one", "I deposited all six artifacts, but only one is there.", [*PUTS, checked(1)], None, []),
    ("42, denied", "Not all six artifacts are deposited.", [*PUTS, checked(1)], None, []),
    ("42, asked", "Are all six artifacts deposited?", [*PUTS, checked(1)], None, []),
    ("42, planned", "I will check again once all six artifacts are deposited.", [*PUTS, checked(1)], None, []),
    ("42, if", "If everything is deposited, the page shows it.", [*PUTS, checked(1)], None, []),
    ("42, quoted", "> All six artifacts are deposited.", [*PUTS, checked(1)], None, []),
    ("42, another's words", "The log says everything was deposited.", [*PUTS, checked(1)], None, []),
    ("42, earlier", "All six artifacts were already deposited last week.", [*PUTS, checked(1)], None, []),
    ("42, could not look", "All artifacts are deposited.", [*PUTS, checked(1, "context deadline exceeded")], None, []),
    ("42, failed to look", "All artifacts are deposited.", [*PUTS, (VERIFIES, {}, {"error": "quota"})], None, []),
    ("34, by the result", f"Deposited `{K1}` (9,301 bytes).", [sized(740)], None, [f"qualified {K1}"]),
    ("34, by the result, KB", f"Deposited `{K1}` (9.3 KB).", [sized(740)], None, [f"qualified {K1}"]),
    ("34, by a list", f"Deposited `{K1}` (8.1 KB).", [put(K1), LISTED], None, [f"qualified {K1}"]),
    ("34, right", f"Deposited `{K1}` (740 bytes).", [sized(740)], None, [f"verified {K1}"]),
    ("34, rounded by the result", f"Deposited `{K1}` (7.4 KB).", [sized(7_421)], None, [f"verified {K1}"]),
    ("34, of another key", f"Deposited `{K2}` (9.3 KB).", [put(K2), LISTED], None, [f"verified {K2}"]),
    ("34, no size", f"Deposited `{K1}` (9.3 KB).", [put(K1)], None, [f"verified {K1}"]),
    ("34, in another unit", f"Deposited `{K1}` (740 KB).", [sized(740)], None, [f"verified {K1}"]),
    (
        "34, the file's",
        f"Deposited `{K1}` (9,301 bytes).",
        [("stat", {}, {"n": 9301}), sized(740)],
        None,
        [f"verified {K1}"],
    ),
    (
        "34, put again",
        f"Deposited `{K1}` (9.3 KB).",
        [LISTED, ("artifact.put", {"key": K1}, "ok")],
        None,
        [f"verified {K1}"],
    ),
    ("34, none said", f"Deposited `{K1}`.", [sized(740)], None, [f"verified {K1}"]),
    ("34, denied", f"`{K1}` (9,301 bytes) could not be deposited.", [sized(740)], None, []),
    ("34, asked", f"Shall I deposit `{K1}` (9,301 bytes)?", [sized(740)], None, []),
    ("34, planned", f"Next I will deposit it as `{K1}` (9,301 bytes).", [sized(740)], None, []),
]


@pytest.mark.parametrize(
    ("answer", "ran", "table", "expected"), [row[1:] for row in CASES], ids=[row[0] for row in CASES]
)
def test_scenarios_31_to_46(answer: str, ran: list[Ran], table: Store, expected: list[str]) -> None:
    assert verdicts(answer, ran, table) == expected


def test_scenario_31_the_number_of_deposit_calls_is_said() -> None:
    assert "no deposit call in this turn" in report(TABLE, [("rewrite", {}, "x")], {}).findings[0].reason


def test_scenario_42_the_tool_is_cited_with_what_it_misses() -> None:
    (found,) = report("All six artifacts are deposited.", [*PUTS, checked(5)]).findings
    assert found.reason == f"artifact.verify_manifest says that 1 of 6 are missing: {KEYS[5]}"


@pytest.mark.parametrize(
    ("ran", "reason"),
    [
        ([put(K1)], "1 deposit call landed, not 6"),
        ([put(K1), put(K2), FAILED], "2 deposit calls landed and 1 failed, not 6"),
    ],
)
def test_no_more_calls_are_told_of_than_were_made(ran: list[Ran], reason: str) -> None:
    assert [one.reason for one in report("All six artifacts are deposited.", ran).findings] == [reason]


def test_a_key_that_is_not_there_yet_is_looked_for_as_long_as_there_is_time() -> None:
    """By the default deadline: the auditor tells what it saw, and is not cut off in the middle of a pause."""
    found = report(f"Deposited `{K1}`.", [put(K1)], {})
    assert [one.reason for one in found.findings] == ["a tool returned this key, and it is not in the store yet"]
    assert found.failures == ()


def test_scenario_38_the_real_key_is_offered() -> None:
    (found,) = report("Deposited `blog.publish/0a1b2c3d4e5f6071-one.md`.", [put(K1)], {K1: 5}).findings
    assert K1 in found.reason


NOW = 1_800_000_000.0
OLD = {"size": 5, "modified": NOW - 86_400}
FRESH = {"size": 5, "modified": NOW - 60}

AGES: list[tuple[str, str, list[Ran], Mapping[str, Any], float, str]] = [
    ("36", f"I have now deposited `{K1}`.", [], OLD, NOW, "qualified"),
    ("36, in a list", f"Deposited just now:\n\n- `{K1}`", [("rewrite", {}, "x")], OLD, NOW, "qualified"),
    ("36, no time is handed in", f"I have now deposited `{K1}`.", [], OLD, 0.0, "verified"),
    ("36, the store does not tell", f"I have now deposited `{K1}`.", [], {"size": 5}, NOW, "verified"),
    ("36, as young as the turn", f"I have now deposited `{K1}`.", [], FRESH, NOW, "verified"),
    ("36, a call names it", f"I have now deposited `{K1}`.", [put(K1)], OLD, NOW, "verified"),
    ("36, nobody says that it is new", f"The report is at `{K1}`.", [], OLD, NOW, "verified"),
]


@pytest.mark.parametrize(
    ("answer", "ran", "fields", "at", "expected"), [row[1:] for row in AGES], ids=[row[0] for row in AGES]
)
def test_scenario_36_what_was_there_before(
    answer: str, ran: list[Ran], fields: Mapping[str, Any], at: float, expected: str
) -> None:
    async def look(source: str, subject: str, question: Question = NOTHING) -> Sight:
        return Present(fields)

    policy = LIBRARY.policy(LIBRARY.open("packs", "deposits.toml"), {"artifacts"})
    request = transcript(messages(ran), tools=[{"type": "function", "function": {"name": "artifact.put"}}])
    read = ledger.read_turn(request, policy.marks, at)
    found = asyncio.run(examine(policy, request, read, Answer(0, answer, "stop"), look, audit_id="a")).findings
    assert [one.verdict for one in found] == [expected]


def test_scenario_45_malformed_entries_are_reported_beside_the_others() -> None:
    answer = f"Deposited:\n\n- `{K1}`\n- `blog.publish/`\n- `artifact.put/../x.md`"
    found = report(answer, [put(K1)], {K1: 5}).findings
    assert [(one.verdict, one.subject) for one in found] == [
        ("verified", K1),
        ("unverifiable", "blog.publish/"),
        ("unverifiable", "artifact.put/../x.md"),
    ]
    assert all("well-formed" in one.reason for one in found[1:])


def test_scenario_41_what_is_there_is_verified_whatever_was_asked_for() -> None:
    ran = [put(K1), put(K2)]
    assert verdicts(f"Complete: `{K1}`, `{K2}`.", ran, {K1: 5, K2: 6}) == [f"verified {K1}", f"verified {K2}"]


def test_a_key_of_an_earlier_turn_is_found_in_the_history() -> None:
    before = [*messages([put(K1)], first=50), {"role": "assistant", "content": "ok"}]
    (found,) = report(f"It is `{K1}`.", [], None, before).findings
    assert found.verdict == "verified"


def test_the_report_carries_the_parts_of_a_key() -> None:
    shape = report(f"Deposited `{K1}`.", [put(K1)], {K1: 5}).to_json()
    (entry,) = shape["verified"]
    assert (entry["artifact_key"], entry["namespace"], entry["filename"], entry["size"]) == (
        K1,
        "artifact.put",
        "one.md",
        5,
    )


def test_the_general_reader_has_kinds() -> None:
    read = Reading(
        "All six artifacts are deposited.", LIBRARY.policy(LIBRARY.open("packs", "deposits.toml"), ()).lexicon
    )
    assert [(one.kind, one.count) for one in read.claims(frozenset({"artifact"}))] == [("artifact", 6)]


def test_no_more_keys_are_looked_for_than_findings_are_kept() -> None:
    ran = [put(f"artifact.put/{number}-one.md") for number in range(800)]

    def told(keys: int) -> str:
        return " ".join(f"Deposited `artifact.put/{number}-two.md`." for number in range(keys))

    assert in_proportion(lambda keys: report(told(keys), ran), 800)
    found = report(told(1_600), ran)
    assert len(found.findings) == MAX_FINDINGS
    assert [one.reason for one in found.failures] == [f"{MAX_FINDINGS + 1} findings; the first {MAX_FINDINGS} kept"]


HALF: Ran = (
    "blog.publish",
    {"title": "X"},
    {"status": "artifact_saved_ghost_failed", "artifact_key": "blog.publish/x.md", "error": "401"},
)


@pytest.mark.parametrize(
    ("answer", "ran", "expected"),
    [
        # 44: offers, plans and examples
        ('Reply "deposit" to save it as `blog.publish/x.md`.', [], []),
        ('To save it under `blog.publish/x.md`, reply "deposit".', [], []),
        ("Approve to publish to `blog.publish/x.md`.", [], []),
        ("Sag Bescheid, dann speichere ich ihn als `artifact.put/x.md`.", [], []),
        ('Responde "guardar" y lo deposito en `artifact.put/x.md`.', [], []),
        ("Proposed key: `blog.publish/x.md`", [], []),
        ("Not deposited yet. Planned keys:\n- `blog.publish/a.md`\n- `blog.publish/b.md`", [], []),
        ("Keys look like `artifact.put/1a2b-report.md`.", [], []),
        ("I deposited it as `blog.publish/x.md`; reply ok to verify.", [], ["unsupported blog.publish/x.md"]),
        ("The keys:\n- `blog.publish/a.md`", [], ["unsupported blog.publish/a.md"]),
        ("Saved: `blog.publish/x.md`", [], ["unsupported blog.publish/x.md"]),
        # 55: what was kept of a call of which the rest failed
        ("Not published. The text is saved as `blog.publish/x.md`.", [HALF], ["verified blog.publish/x.md"]),
        (
            "It is saved as `blog.publish/x.md`.",
            [(*HALF[:2], {"status": "not_saved", "artifact_key": "blog.publish/x.md", "error": "disk"})],
            ["contradicted blog.publish/x.md"],
        ),
        (
            "It is saved as `blog.publish/x.md`.",
            [(*HALF[:2], {"status": "failed", "artifact_key": "blog.publish/x.md", "error": "disk"})],
            ["contradicted blog.publish/x.md"],
        ),
    ],
)
def test_keys_that_are_only_offered_and_keys_that_were_kept(answer: str, ran: list[Ran], expected: list[str]) -> None:
    assert verdicts(answer, ran) == expected


@pytest.mark.parametrize(
    ("answer", "fires"),
    [
        ("All deliverables are now stored.", True),
        ("Alle Artefakte sind abgelegt.", True),
        ("All deliverables of the first part are stored.", False),
        ("Alle Artefakte sind noch nicht abgelegt.", False),
        ("All drafts are stored.", False),
    ],
)
def test_scenario_42_all_of_them_in_other_words(answer: str, fires: bool) -> None:
    assert any(one.startswith("contradicted") for one in verdicts(answer, [*PUTS, checked(5)])) is fires


def test_scenario_42_what_is_there_may_be_called_present() -> None:
    listed: Ran = (VERIFIES, {}, {"present": KEYS[:5], "missing": [KEYS[5]]})
    (found,) = report("All six artifacts are deposited.", [*PUTS, listed]).findings
    assert found.reason == f"artifact.verify_manifest says that 1 of 6 are missing: {KEYS[5]}"
    whole: Ran = (VERIFIES, {}, {"present": KEYS, "missing": []})
    assert not any(one.flagged for one in report("All six artifacts are deposited.", [*PUTS, whole]).findings)
