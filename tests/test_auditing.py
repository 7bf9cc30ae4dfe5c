"""Running auditors: all at once, under one deadline, each failure its own."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest

from proxy import auditing
from proxy.audit import MAX_FINDINGS, NOTHING, Check, Failure, Finding, Look, Present, Question, Sight
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
    return [Finding("contradicted", "a.md", "no", "quote")]


async def crashes() -> list[Finding]:
    raise ValueError("with the secret sk-abcdef0123456789")


async def hangs() -> list[Finding]:
    await asyncio.Event().wait()
    return []


async def floods() -> list[Finding]:
    return [Finding("notice", str(number), "x") for number in range(10_000)]


def run(*whats: Callable[[], Awaitable[list[Finding]]], deadline: float = 0.05) -> tuple[list[Finding], list[Failure]]:
    checks = [Check(what.__name__, "does", Does(what), CLAIMS) for what in whats]
    return asyncio.run(auditing.run(checks, TURN, look, deadline=deadline))


def test_findings_carry_their_rule() -> None:
    findings, failures = run(finds)
    assert [(found.rule, found.auditor) for found in findings] == [("finds", "does")]
    assert failures == []


@pytest.mark.parametrize(("what", "reason"), [(crashes, "ValueError"), (hangs, "deadline")])
def test_scenarios_135_and_153_a_failure_leaves_its_claims_unverifiable(what: Any, reason: str) -> None:
    findings, failures = run(what, finds)
    assert failures == [Failure(what.__name__, "does", reason)]
    assert [(one.verdict, one.subject) for one in findings] == [("unverifiable", "k1"), ("contradicted", "a.md")]


@pytest.mark.parametrize(
    ("what", "told"), [(crashes, ["the auditor does of the rule crashes failed: ValueError"]), (hangs, []), (finds, [])]
)
def test_scenario_153_an_auditor_that_raises_is_logged_without_its_words(
    what: Any, told: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    run(what, finds)
    assert [one.getMessage() for one in caplog.records if one.name == "groundwire"] == told
    assert all(one.exc_info is None for one in caplog.records)


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
            end = time.perf_counter() + 2 * auditing.SLICE
            while time.perf_counter() < end:
                pass
            seen.append("check")
            return []

    async def together() -> None:
        streaming = asyncio.ensure_future(streams())
        await auditing.run([Check(f"r{n}", "c", Computes(), []) for n in range(4)], TURN, look, deadline=5)
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
    findings, failures = asyncio.run(auditing.run(checks, TURN, look, deadline=0.05))
    assert time.monotonic() - began < 3
    assert failures == [Failure("behind", "computes", "deadline"), Failure("looks", "does", "deadline")]
    assert [(one.rule, one.verdict) for one in findings] == [
        ("before", "contradicted"),
        ("long", "contradicted"),
        ("behind", "unverifiable"),
        ("looks", "unverifiable"),
    ]


class Waits:
    """An auditor that computes for as long as nobody lets it go."""

    reads: ClassVar[frozenset[str]] = frozenset()

    def __init__(self) -> None:
        self.go = threading.Event()
        self.done: list[bool] = []

    def compare(self, turn: Turn, claims: Sequence[Claim]) -> list[Finding]:
        self.done.append(self.go.wait(30))
        return [Finding("contradicted", "a.md", "no")]


def test_what_may_take_long_is_computed_while_others_stream() -> None:
    waits = Waits()

    async def together() -> tuple[list[Finding], list[Failure]]:
        audited = asyncio.ensure_future(auditing.run([check], TURN, look, deadline=30, long=True))
        while not audited.done():
            await asyncio.sleep(0)  # a chunk of another answer passes, and another one
            waits.go.set()
        return await audited

    check = Check("r", "waits", waits, CLAIMS)
    findings, failures = asyncio.run(together())
    assert waits.done == [True]
    assert failures == []
    assert [one.verdict for one in findings] == ["contradicted"]


def test_what_takes_long_is_not_waited_for_past_the_deadline() -> None:
    waits = Waits()
    checks = [
        Check("long", "waits", waits, CLAIMS),
        Check("behind", "computes", Computes(0.0), CLAIMS),
        Check("follows", "follows", Follows(), []),
    ]
    try:
        findings, failures = asyncio.run(auditing.run(checks, TURN, look, deadline=0.05, long=True))
        assert waits.done == []
    finally:
        waits.go.set()
    assert [(one.rule, one.reason) for one in failures] == [
        ("long", "deadline"),
        ("behind", "deadline"),
        ("follows", "deadline"),
    ]
    assert [(one.rule, one.verdict) for one in findings] == [("long", "unverifiable"), ("behind", "unverifiable")]


@pytest.mark.parametrize("long", [False, True])
def test_one_that_fails_costs_only_itself_wherever_it_computes(long: bool) -> None:
    class Fails:
        reads: ClassVar[frozenset[str]] = frozenset()

        def compare(self, turn: Turn, claims: Sequence[Claim]) -> list[Finding]:
            raise KeyError("secret")

    checks = [
        Check("fails", "fails", Fails(), CLAIMS),
        Check("behind", "computes", Computes(0.0), []),
        Check("follows", "follows", Follows(), []),
    ]
    findings, failures = asyncio.run(auditing.run(checks, TURN, look, deadline=5, long=long))
    assert failures == [Failure("fails", "fails", "KeyError")]
    assert [(one.rule, one.reason) for one in findings[1:]] == [("behind", "no"), ("follows", "2")]


@dataclass(frozen=True)
class Follows:
    """An auditor that speaks after the others, and needs no source."""

    reads: ClassVar[frozenset[str]] = frozenset()

    def follow(self, turn: Turn, claims: Sequence[Claim], findings: Sequence[Finding]) -> list[Finding]:
        return [Finding("notice", "heard", str(len(findings)))]


def test_one_that_needs_no_source_speaks_although_another_waited_for_its_own_in_vain() -> None:
    checks = [Check("waits", "does", Does(hangs), CLAIMS), Check("behind", "follows", Follows(), [])]
    findings, failures = asyncio.run(auditing.run(checks, TURN, look, deadline=0.05))
    assert failures == [Failure("waits", "does", "deadline")]
    assert [(one.rule, one.verdict) for one in findings] == [("waits", "unverifiable"), ("behind", "notice")]


def test_one_that_computed_past_the_deadline_costs_those_that_follow_too() -> None:
    checks = [Check("long", "computes", Computes(0.2), CLAIMS), Check("behind", "follows", Follows(), [])]
    _, failures = asyncio.run(auditing.run(checks, TURN, look, deadline=0.05))
    assert failures == [Failure("behind", "follows", "deadline")]


@pytest.mark.parametrize(("seconds", "pauses", "slept"), [(0.0, True, True), (0.0, False, False), (60, True, False)])
def test_no_pause_ends_after_the_deadline(seconds: float, pauses: bool, slept: bool) -> None:
    async def looks_again() -> list[Finding]:
        return [Finding("notice", "slept", str(await auditing.pause(seconds)))]

    checks = [Check("r", "does", Does(looks_again), [])]
    findings, failures = asyncio.run(auditing.run(checks, TURN, look, deadline=5, pauses=pauses))
    assert failures == []
    assert [one.reason for one in findings] == [str(slept)]


def test_a_flood_is_cut_and_counted() -> None:
    findings, failures = run(floods)
    assert len(findings) == MAX_FINDINGS
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
        task = asyncio.ensure_future(auditing.run([Check("r", "a", Does(notes), [])], TURN, look, deadline=5))
        await asyncio.sleep(0.01)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await asyncio.sleep(0)

    asyncio.run(main())
    assert cancelled == [True]
