"""Running auditors: all at once, under one deadline, each failure its own; and the shape of a report."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar

import pytest

from proxy import audit
from proxy.audit import NOTHING, Check, Failure, Finding, Look, Present, Question, Report, Sight
from proxy.claims import Claim
from proxy.ledger import Turn
from tests.transcripts import messages, turn

TURN = turn(messages([]))
CLAIMS = [Claim("pattern", "k1", "asserted"), Claim("pattern", "k2", "denied"), Claim("pattern", "k1", "asserted")]


async def look(source: str, subject: str, question: Question = NOTHING) -> Sight:
    return Present()


@dataclass(frozen=True)
class Does:
    """An auditor that does what it is given."""

    what: Callable[[], Awaitable[list[Finding]]]
    reads: ClassVar[frozenset[str]] = frozenset()

    async def audit(self, turn: Turn, claims: Sequence[Claim], look: Look) -> list[Finding]:
        return await self.what()


async def finds() -> list[Finding]:
    return [Finding("contradicted", "a.md", "password=hunter2", "quote")]


async def crashes() -> list[Finding]:
    raise ValueError("with the secret sk-abcdef0123456789")


async def hangs() -> list[Finding]:
    await asyncio.Event().wait()
    return []


async def floods() -> list[Finding]:
    return [Finding("notice", str(number), "x") for number in range(10_000)]


def run(*whats: Callable[[], Awaitable[list[Finding]]], deadline: float = 0.05) -> tuple[list[Finding], list[Failure]]:
    checks = [Check(what.__name__, "does", Does(what), CLAIMS) for what in whats]
    return asyncio.run(audit.run(checks, TURN, look, deadline=deadline))


def test_findings_carry_their_rule_and_reports_no_secret() -> None:
    findings, failures = run(finds)
    assert [(found.rule, found.auditor) for found in findings] == [("finds", "does")]
    assert failures == []
    shape = Report("i", tuple(findings)).to_json()
    assert [entry["reason"] for entry in (*shape["missing"], *shape["findings"])] == ["password=***"] * 2


SECRET = "https://bob:hunter2hunter2@h/x?token=sk-abcdefgh12345678"
TOLD = [one.name for one in fields(Finding) if one.name not in ("verdict", "rule", "auditor", "fields")]
"""What of a finding comes from an answer, a tool or a source, as text."""
DEEP = {"url": SECRET, "rows": [{"seen": (SECRET, 1)}], SECRET: True}


@pytest.mark.parametrize("verdict", ["contradicted", "verified", "unverifiable"])
@pytest.mark.parametrize("more", [*({name: SECRET} for name in TOLD), {"fields": DEEP}], ids=str)
def test_whatever_holds_a_secret_a_report_says_none(verdict: Any, more: dict[str, Any]) -> None:
    told: dict[str, Any] = {"subject": "a.md", "reason": "no", **more}
    shape = str(Report("i", (Finding(verdict, **told),)).to_json())
    assert "hunter2" not in shape
    assert "abcdefgh" not in shape
    assert "***@h/x" in shape


def test_what_is_no_secret_stays_as_it_is() -> None:
    facts = {"size": 3, "there": True, "rows": [{"a": None}, 1.5]}
    (found,) = Report("i", (Finding("contradicted", "a.md", "no", fields=facts),)).to_json()["findings"]
    assert found["fields"] == facts


@pytest.mark.parametrize(("what", "reason"), [(crashes, "ValueError"), (hangs, "deadline")])
def test_scenarios_135_and_153_a_failure_leaves_its_claims_unverifiable(what: Any, reason: str) -> None:
    findings, failures = run(what, finds)
    assert failures == [Failure(what.__name__, "does", reason)]
    assert [(one.verdict, one.subject) for one in findings] == [("unverifiable", "k1"), ("contradicted", "a.md")]


@dataclass(frozen=True)
class Computes:
    """An auditor that needs some seconds of the processor."""

    seconds: float
    reads: ClassVar[frozenset[str]] = frozenset()

    def compare(self, turn: Turn, claims: Sequence[Claim]) -> list[Finding]:
        time.sleep(self.seconds)
        return [Finding("contradicted", "a.md", "no")]


def test_while_auditors_compute_others_of_the_process_have_their_turn() -> None:
    seen: list[str] = []

    @dataclass(frozen=True)
    class Computes:
        reads: ClassVar[frozenset[str]] = frozenset()

        def compare(self, turn: Turn, claims: Sequence[Claim]) -> list[Finding]:
            end = time.perf_counter() + 2 * audit.SLICE
            while time.perf_counter() < end:
                pass
            seen.append("check")
            return []

    async def together() -> None:
        streaming = asyncio.ensure_future(streams())
        await audit.run([Check(f"r{n}", "c", Computes(), []) for n in range(4)], TURN, look, deadline=5)
        streaming.cancel()

    async def streams() -> None:
        while True:
            seen.append("chunk")
            await asyncio.sleep(0)

    asyncio.run(together())
    assert seen.count("check") == 4
    assert "chunk" in seen[: len(seen) - seen[::-1].index("check")], "no chunk passed before the last check was done"


def test_one_that_computes_past_the_deadline_costs_those_behind_it_and_no_more_time() -> None:
    checks = [
        Check("before", "computes", Computes(0.0), CLAIMS),
        Check("long", "computes", Computes(0.2), CLAIMS),
        Check("behind", "computes", Computes(5.0), CLAIMS),
        Check("looks", "does", Does(finds), CLAIMS),
    ]
    began = time.monotonic()
    findings, failures = asyncio.run(audit.run(checks, TURN, look, deadline=0.05))
    assert time.monotonic() - began < 3
    assert failures == [Failure("behind", "computes", "deadline"), Failure("looks", "does", "deadline")]
    assert [(one.rule, one.verdict) for one in findings] == [
        ("before", "contradicted"),
        ("long", "contradicted"),
        ("behind", "unverifiable"),
        ("looks", "unverifiable"),
    ]


@dataclass(frozen=True)
class Follows:
    """An auditor that speaks after the others, and needs no source."""

    reads: ClassVar[frozenset[str]] = frozenset()

    def follow(self, turn: Turn, claims: Sequence[Claim], findings: Sequence[Finding]) -> list[Finding]:
        return [Finding("notice", "heard", str(len(findings)))]


def test_one_that_needs_no_source_speaks_although_another_waited_for_its_own_in_vain() -> None:
    checks = [Check("waits", "does", Does(hangs), CLAIMS), Check("behind", "follows", Follows(), [])]
    findings, failures = asyncio.run(audit.run(checks, TURN, look, deadline=0.05))
    assert failures == [Failure("waits", "does", "deadline")]
    assert [(one.rule, one.verdict) for one in findings] == [("waits", "unverifiable"), ("behind", "notice")]


def test_one_that_computed_past_the_deadline_costs_those_that_follow_too() -> None:
    checks = [Check("long", "computes", Computes(0.2), CLAIMS), Check("behind", "follows", Follows(), [])]
    _, failures = asyncio.run(audit.run(checks, TURN, look, deadline=0.05))
    assert failures == [Failure("behind", "follows", "deadline")]


@pytest.mark.parametrize(("seconds", "pauses", "slept"), [(0.0, True, True), (0.0, False, False), (60, True, False)])
def test_no_pause_ends_after_the_deadline(seconds: float, pauses: bool, slept: bool) -> None:
    async def looks_again() -> list[Finding]:
        return [Finding("notice", "slept", str(await audit.pause(seconds)))]

    checks = [Check("r", "does", Does(looks_again), [])]
    findings, failures = asyncio.run(audit.run(checks, TURN, look, deadline=5, pauses=pauses))
    assert failures == []
    assert [one.reason for one in findings] == [str(slept)]


def test_a_flood_is_cut_and_counted() -> None:
    findings, failures = run(floods)
    assert len(findings) == audit.MAX_FINDINGS
    assert "10000 findings" in failures[0].reason


def test_a_cancelled_audit_cancels_its_auditors() -> None:
    cancelled = []

    async def notes() -> list[Finding]:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled.append(True)
            raise
        return []

    async def main() -> None:
        task = asyncio.ensure_future(audit.run([Check("r", "a", Does(notes), [])], TURN, look, deadline=5))
        await asyncio.sleep(0.01)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await asyncio.sleep(0)

    asyncio.run(main())
    assert cancelled == [True]


def test_the_report_has_the_audit_pack_s_shape() -> None:
    facts = {"artifact_key": "a/1-x.md", "size": 3}
    report = Report(
        "id1",
        (
            Finding("verified", "a/1-x.md", "there", "q", "c1", facts, "deposits", "artifacts"),
            Finding("contradicted", "k", "not in the store", "q", "", {}, "deposits", "artifacts"),
            Finding("notice", "n", "x"),
        ),
        (Failure("r", "a", "KeyError"),),
    )
    shape = report.to_json()
    assert shape["summary"] == "1 of 2 claims verified; 1 missing"
    assert shape["all_present"] is False
    assert shape["verified"] == [{"rule": "deposits", "subject": "a/1-x.md", **facts}]
    assert shape["missing"] == [
        {"rule": "deposits", "subject": "k", "verdict": "contradicted", "reason": "not in the store", "quote": "q"}
    ]
    assert [len(shape[key]) for key in ("qualified", "unverifiable", "findings", "failures")] == [0, 0, 3, 1]
    assert report.flagged


def test_unverifiable_is_neither_missing_nor_all_present() -> None:
    shape = Report("i", (Finding("unverifiable", "k", "deadline"),)).to_json()
    assert (shape["missing"], shape["all_present"]) == ([], False)
    assert Report("i").to_json()["all_present"] is True
