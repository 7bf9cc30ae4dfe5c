"""The audit of one answer under the shipped policy: whatever the conversation, no accusation without evidence."""

from __future__ import annotations

import asyncio
import copy
import threading
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proxy.answers import examine, words
from proxy.audit import MAX_FINDINGS, NOTHING, Finding, Look, Present, Question, Report, Sight, Source, Unknown
from proxy.claims import COMPARED, Claim
from proxy.ledger import UNDONE, Turn, read_turn
from proxy.library import Library
from proxy.looks import Looks
from proxy.tables import Source as Text
from proxy.transcript import Answer
from tests.general import findings
from tests.test_ledger import MESSAGE, ODD
from tests.transcripts import ROOT, Ran, messages, transcript

LIBRARY = Library(ROOT / "policies")
POLICY = LIBRARY.policy(LIBRARY.open("default.toml"), ())
TOOLS = [{"type": "function", "function": {"name": name, "parameters": {}}} for name in ("patch", "artifact.put")]
SAID = [
    "Updated a.md.",
    "Both files are updated.",
    "All six artifacts are deposited.",
    "Deposited `blog.publish/abc-post.md` (7.4 KB).",
    "I could not update a.md.",
    "- ✅ `a.md` created\n- ❌ `b.md`",
    "Saved.",
    "",
]


def _no_source() -> Look:
    async def look(source: str, subject: str, question: Question = NOTHING) -> Sight:
        raise AssertionError("no source is configured, so nobody may look")

    return look


def audit(answer: str, raw: list[Any]) -> tuple[Turn, Report]:
    request = transcript(raw, tools=TOOLS)
    turn = read_turn(request, POLICY.marks)
    said = Answer(0, answer, "stop")
    return turn, asyncio.run(examine(POLICY, request, turn, said, _no_source(), audit_id="a"))


def grounded(turn: Turn, report: Report) -> bool:
    """Whether every accusation has what it needs: a call that did not do it, or a whole history without one.

    A number is held against the calls that did do it, and then each of them must have come to an end.
    """
    calls = [*turn.calls, *turn.earlier()]
    undone = any(call.outcome in UNDONE for call in calls)
    ended = all(call.outcome in UNDONE | {"landed"} for call in turn.calls if turn.nature(call) != "read")
    outcomes = {target.outcome for call in calls for target in call.targets}
    for finding in report.findings:
        counted = finding.auditor == "counts" and ended and turn.whole()
        if finding.verdict == "contradicted" and not (undone or outcomes & UNDONE or counted):
            return False
        if finding.verdict == "stale" and not calls:
            return False
        if finding.verdict == "unsupported" and not turn.whole():
            return False
    return not report.failures


@given(st.lists(MESSAGE | ODD, max_size=8), st.sampled_from(SAID) | st.text(max_size=200))
def test_no_conversation_leads_to_an_accusation_without_evidence(raw: list[Any], answer: str) -> None:
    assert grounded(*audit(answer, raw))


CALL = st.tuples(
    st.sampled_from(["patch", "write_file", "Edit", "Bash", "artifact.put", "Task", "unheard_of"]),
    st.sampled_from([{"path": "a.md"}, {"path": "b.md"}, {"file_path": "/w/a.md"}, {"command": "sed -i s/x/y/ a.md"}]),
    st.sampled_from(
        [
            '{"error": "no access"}',
            '{"success": true}',
            '{"bytes_written": 5}',
            '{"bytes_wri',
            "ok",
            "",
            None,
            "Error: no",
        ]
    ),
)


@given(st.lists(CALL, max_size=6), st.randoms(use_true_random=False), st.sampled_from(SAID))
def test_results_missing_doubled_and_out_of_order(ran: list[Any], random: Any, answer: str) -> None:
    raw = messages(ran)
    results = [one for one in raw if one["role"] == "tool"]
    rest = [one for one in raw if one["role"] != "tool"]
    mixed = [one for one in results for _ in range(random.choice([0, 1, 1, 2]))]
    random.shuffle(mixed)
    assert grounded(*audit(answer, [*rest, *mixed]))


@pytest.mark.parametrize("answer", SAID)
def test_silence_of_the_tools_accuses_nobody_of_a_contradiction(answer: str) -> None:
    raw = messages([("patch", {"path": "a.md"}, None), ("artifact.put", {"name": "x"}, None)])
    _, report = audit(answer, raw)
    assert not any(finding.verdict == "contradicted" for finding in report.findings)


class Raising:
    async def look(self, subject: str, question: Question = NOTHING) -> Sight:
        raise RuntimeError("a bug, with sk-secret-0123456789abcdef in its text")

    async def aclose(self) -> None:
        return None


class Hanging(Raising):
    async def look(self, subject: str, question: Question = NOTHING) -> Sight:
        await asyncio.sleep(3600)
        raise AssertionError("nobody waits that long")


class Denying(Raising):
    async def look(self, subject: str, question: Question = NOTHING) -> Sight:
        return Unknown("the store denied access")


KEYS = [f"artifact.put/{number:04x}-x.md" for number in range(500)]
AUDITORS = {
    "artifacts": ("artifacts", f"Deposited `{KEYS[0]}` and `{KEYS[1]}`.", KEYS[:2]),
    "file_edits": ("workspace", "I created `out/a.md` and `out/b.md`.", ["out/a.md", "out/b.md"]),
}


def faulty(source: str, fault: Source, answer: str, ran: list[Ran], deadline: float = 0.05) -> Report:
    text = f'extends = ["coding-agents", "deposits"]\ndeadline = {deadline}'
    policy = LIBRARY.policy(Text("test.toml", text), {source})
    request = transcript(messages(ran), tools=TOOLS)
    turn = read_turn(request, policy.marks)

    async def audited() -> Report:
        look = Looks({source: fault}).of("t", turn, policy.deadline)
        return await examine(policy, request, turn, Answer(0, answer, "stop"), look, audit_id="a")

    return asyncio.run(audited())


@pytest.mark.parametrize("fault", [Raising(), Hanging(), Denying()], ids=["raises", "hangs", "answers 403"])
@pytest.mark.parametrize("name", AUDITORS)
def test_a_source_at_fault_accuses_nobody(name: str, fault: Source) -> None:
    source, answer, subjects = AUDITORS[name]
    report = faulty(source, fault, answer, [])
    found = [one for one in report.findings if one.auditor == name]
    assert [(one.verdict, one.subject) for one in found] == [("unverifiable", subject) for subject in subjects]
    assert [one.reason for one in report.failures] == (
        ["RuntimeError"] if isinstance(fault, Raising) and type(fault) is Raising else []
    )
    assert "sk-secret" not in str(report.to_json())


def test_a_flood_of_claims_costs_a_line() -> None:
    for source, answer in (
        ("artifacts", "Deposited:\n\n" + "\n".join(f"- `{key}`" for key in KEYS)),
        ("workspace", "I created:\n\n" + "\n".join(f"- `out/f{number}.md`" for number in range(500))),
    ):
        report = faulty(source, Denying(), answer, [])
        assert len(report.findings) == MAX_FINDINGS
        assert len(words(POLICY, Answer(0, answer, "stop"), report).splitlines()) < 20


class Slow(Raising):
    """Counts how many are looked at once."""

    def __init__(self) -> None:
        self.now = self.most = 0

    async def look(self, subject: str, question: Question = NOTHING) -> Sight:
        self.now += 1
        self.most = max(self.most, self.now)
        await asyncio.sleep(0.002)
        self.now -= 1
        return Present({"size": 5})


@pytest.mark.parametrize(
    ("source", "line"), [("artifacts", "- `artifact.put/{:04x}-x.md`"), ("workspace", "- `out/f{}.md`")]
)
def test_subjects_are_looked_at_side_by_side_and_eight_at_most(source: str, line: str) -> None:
    slow = Slow()
    said = "Created:\n\n" + "\n".join(line.format(number) for number in range(20))
    ran: list[Ran] = [("write_file", {"path": f"out/f{number}.md"}, {"bytes_written": 5}) for number in range(20)]
    report = faulty(source, slow, said, ran, deadline=30.0)
    assert (slow.most, {one.verdict for one in report.findings}) == (8, {"verified"})


def test_a_turn_that_says_what_its_own_calls_did_leaves_the_history_unread() -> None:
    ran: list[Ran] = [("patch", {"path": "a.py", "old_string": "x", "new_string": "y"}, {"success": True})]
    before = [*messages(ran), {"role": "assistant", "content": "I updated `a.py`."}]
    more = messages([("patch", {"path": "b.py", "old_string": "x", "new_string": "y"}, {"success": True})])
    request = transcript([*before, *more])
    turn = read_turn(request, POLICY.marks)
    said = Answer(0, "I've updated `b.py`, and both calls in it are renamed.", "stop")

    async def nobody(source: str, subject: str, question: Question = NOTHING) -> Sight:
        raise AssertionError(source)

    report = asyncio.run(examine(POLICY, request, turn, said, nobody, audit_id="a"))
    assert [one.verdict for one in report.findings] == ["verified"]
    assert turn._earlier is None


LONG: list[tuple[str, str, list[Ran]]] = [
    ("states", "The campaign has been paused.", [("pause_campaign", {"id": "c9"}, {"id": "c9", "status": "active"})]),
    (
        "effects",
        "Your seat has been updated to 4A.",
        [
            ("get_booking", {"booking_id": "AB12CD"}, {"booking_id": "AB12CD", "seat": "9F"}),
            ("update_booking", {"booking_id": "AB12CD", "seat": "4A"}, {"booking_id": "AB12CD", "seat": "9F"}),
        ],
    ),
    (
        "parts",
        "I've refunded A-12 and I've sent the mail to Ann.",
        [
            ("refund_order", {"id": "A-12"}, {"ok": True}),
            ("send_mail", {"to": "ann@example.com"}, "Error: mailbox is full"),
        ],
    ),
]


@pytest.mark.parametrize(("rule", "answer", "ran"), LONG, ids=[row[0] for row in LONG])
def test_what_the_rest_of_a_very_long_answer_may_excuse_is_not_told(rule: str, answer: str, ran: list[Ran]) -> None:
    for padding, found in ((1, True), (COMPARED, False)):
        _, report = audit(answer + " " * padding, messages(ran))
        assert any(one.rule == rule for one in report.findings if one.flagged) is found


def test_an_answer_as_long_as_a_document_is_not_compared_and_says_so() -> None:
    ran: list[Ran] = [("set_climate", {"id": "trv_3", "target_c": 21}, {"ok": True, "id": "trv_3", "target_c": 17})]
    for padding, found, incomplete in ((1, ["unmet"], ""), (COMPARED, [], "the answer has over 40000 code points")):
        _, report = audit("Bedroom: heating to 21 °C." + " " * padding, messages(ran))
        assert [one.auditor for one in report.findings if one.flagged] == found
        assert report.incomplete.partition(": ")[0] == incomplete


class Where:
    """An auditor that notes in which thread it computes."""

    reads: ClassVar[frozenset[str]] = frozenset()

    def __init__(self) -> None:
        self.threads: list[str] = []

    def compare(self, turn: Turn, claims: Sequence[Claim]) -> list[Finding]:
        self.threads.append(threading.current_thread().name)
        return []


@pytest.mark.parametrize(
    ("answer", "ran", "thread"),
    [
        ("Saved.", [("patch", {"path": "a.md"}, "ok")] * 100, "MainThread"),
        ("Saved.", [("patch", {"path": "a.md"}, "ok")] * 101, "audit"),
        ("Saved." + " well" * 3_998, [("patch", {"path": "a.md"}, "ok")], "MainThread"),
        ("Saved." + " well" * 3_999, [("patch", {"path": "a.md"}, "ok")], "audit"),
        ("Saved.", [("patch", {"path": "a.md"}, "x" * 200_000)], "MainThread"),
        ("Saved.", [("patch", {"path": "a.md"}, "x" * 100_001)] * 2, "audit"),
    ],
    ids=["calls", "more calls", "words", "more words", "a result", "longer results"],
)
def test_what_may_take_long_is_computed_apart_from_what_streams(answer: str, ran: list[Ran], thread: str) -> None:
    policy, where = copy.copy(POLICY), Where()
    policy.rules = (replace(POLICY.rules[0], auditor=where, needs=frozenset()),)
    request = transcript(messages(ran), tools=TOOLS)
    turn, said = read_turn(request, policy.marks), Answer(0, answer, "stop")
    asyncio.run(examine(policy, request, turn, said, _no_source(), audit_id="a"))
    assert [name.split("_")[0] for name in where.threads] == [thread]


@pytest.mark.parametrize("answer", ["NO_REPLY", "**NO_REPLY**.", "HEARTBEAT_OK", "[SILENT]"])
def test_scenario_118_a_marker_of_silence_denies_nothing(answer: str) -> None:
    failed: Ran = ("patch", {"path": "a.md", "old_string": "x", "new_string": "y"}, {"error": "not found"})
    assert [(one.verdict, one.subject) for one in findings(answer, [failed])] == [("notice", "a.md")]
