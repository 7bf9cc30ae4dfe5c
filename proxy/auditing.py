"""Run the auditors of a turn under one deadline; one that fails costs only itself."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, TypeVar, TypeVarTuple

from proxy.audit import MAX_FINDINGS, Check, Failure, Finding, Look
from proxy.ledger import Turn

T = TypeVar("T")
Given = TypeVarTuple("Given")

log = logging.getLogger("groundwire")

GRACE = 0.05
"""Seconds that an auditor may run past the deadline, so that it can report what its looks left open."""
SLICE = 0.002
"""Seconds of computing after which an audit lets others of the process have their turn."""

_APART = ThreadPoolExecutor(4, "audit")
"""Threads for what may take long: few, for all share one interpreter; not one, for what is not waited for goes on."""

STAGES = {"compare": 0, "audit": 0, "follow": 1, "review": 2}
"""By the method that an auditor has, when it speaks: first, after the first, or last of all."""

_patience: ContextVar[float] = ContextVar("patience", default=0.0)
"""When, by the loop's clock, the auditors of this audit have paused for long enough."""


async def pause(seconds: float) -> bool:
    """Let an auditor wait before it looks again, and say whether it did: not where that would end after the deadline."""
    if asyncio.get_running_loop().time() + seconds > _patience.get():
        return False
    await asyncio.sleep(seconds)
    return True


@dataclass(slots=True)
class _Time:
    """When an audit ends: its looks at `end`, what only computes later by what others `waited` for sources."""

    end: float
    waited: float = 0.0


async def apart(seconds: float, work: Callable[[*Given], T], *given: *Given) -> T:
    """What work that may take long comes to, while the answers of others go on streaming. Raises TimeoutError."""
    async with asyncio.timeout(seconds):
        return await asyncio.get_running_loop().run_in_executor(_APART, work, *given)


async def run(
    checks: Sequence[Check], turn: Turn, look: Look, *, deadline: float, pauses: bool = True, long: bool = False
) -> tuple[list[Finding], list[Failure]]:
    """Run every check; one that fails costs only itself.

    Looks end with the `deadline` (and a short grace), and no check begins after it, but for those that need no source,
    where it was waiting for sources that took the time. What only computes does so here, or where the turn is `long`,
    apart, and is not waited for past the deadline either. Without `pauses` nothing is looked for twice. The claims that a
    failed auditor left open become `unverifiable`, with the failure's reason.
    """
    findings: list[Finding] = []
    failures: list[Failure] = []
    end = asyncio.get_running_loop().time() + deadline
    _patience.set(end if pauses else 0.0)
    time = _Time(end + GRACE)
    tools = {call.id: call.name for call in reversed(turn.calls)}
    groups: tuple[list[Check], ...] = ([], [], [])
    for check in checks:
        groups[STAGES[_manner(type(check.auditor))]].append(check)
    for group in filter(None, groups):
        outcomes = await _outcomes(group, turn, look, time, findings, long)
        for check, outcome in zip(group, outcomes, strict=True):
            found = _left_open(check, outcome) if isinstance(outcome, str) else outcome
            if isinstance(outcome, str):
                failures.append(Failure(check.rule, check.name, outcome))
            elif len(found) > MAX_FINDINGS:
                many = f"{len(found)} findings; the first {MAX_FINDINGS} kept"
                failures.append(Failure(check.rule, check.name, many))
            findings += [
                replace(one, rule=check.rule, auditor=check.name, tool=tools.get(one.tool_call_id, ""))
                for one in found[:MAX_FINDINGS]
            ]
    return _settled(findings), failures


@cache
def _manner(auditor: type) -> str:
    """The method by which auditors of a kind speak."""
    return next(one for one in ("review", "follow", "compare", "audit") if hasattr(auditor, one))


def _settled(findings: list[Finding]) -> list[Finding]:
    """Without what one rule found no evidence for where another one has looked and seen it: the world goes first."""
    seen = {(one.subject, one.quote) for one in findings if one.verdict == "verified" and one.fields.get("looked")}
    if not seen:
        return findings
    idle = ("unsupported", "unverifiable")
    return [one for one in findings if one.verdict not in idle or (one.subject, one.quote) not in seen]


async def _outcomes(
    checks: Sequence[Check], turn: Turn, look: Look, time: _Time, before: Sequence[Finding], long: bool
) -> list[list[Finding] | str]:
    """For each check its findings, or in a word why there are none. What only compares takes no task.

    One that follows hears those before it as well.
    """
    before, clock = tuple(before), asyncio.get_running_loop().time
    outcomes: list[list[Finding] | str | None] = []
    rest = []
    began = clock()
    for check in checks:
        if clock() - began > SLICE:  # the texts of other answers go on streaming meanwhile
            await asyncio.sleep(0)
            began = clock()
        computes = _manner(type(check.auditor)) in ("compare", "follow")
        left = time.end + (time.waited if computes else 0.0) - clock()
        if left < 0:  # computing costs those behind, not the reader
            outcomes.append("deadline")
        elif computes:
            found = await _in_time(left, check, turn, before) if long else _compared(check, turn, before)
            before = before if isinstance(found, str) else (*before, *found)
            outcomes.append(found)
        else:
            outcomes.append(None)
            rest.append(check)
    began = clock()
    waited = iter(await _waited([_isolated(check, turn, look, before) for check in rest], time.end - began))
    time.waited += max(0.0, min(clock(), time.end) - began)
    return [next(waited) if outcome is None else outcome for outcome in outcomes]


def _compared(check: Check, turn: Turn, before: Sequence[Finding]) -> list[Finding] | str:
    """What an auditor finds that needs only the transcript."""
    auditor: Any = check.auditor
    try:
        if _manner(type(check.auditor)) == "follow":
            found: list[Finding] = auditor.follow(turn, check.claims, before)
        else:
            found = auditor.compare(turn, check.claims)
    except Exception as error:  # noqa: BLE001 - an auditor is a plug-in: its bug must not cost the answer
        return _raised(check, error)
    return found


async def _in_time(seconds: float, check: Check, turn: Turn, before: Sequence[Finding]) -> list[Finding] | str:
    """The same, apart; "deadline" where it is not done by then, and what it comes to is left alone."""
    try:
        return await apart(seconds, _compared, check, turn, before)
    except TimeoutError:
        return "deadline"


async def _waited(
    audits: Sequence[Coroutine[Any, Any, list[Finding] | str]], seconds: float
) -> list[list[Finding] | str]:
    """What each comes to, all side by side; "deadline" for one that is not done by then."""
    if not audits:
        return []
    if len(audits) == 1:  # the usual case needs no task of its own
        try:
            async with asyncio.timeout(seconds):
                return [await audits[0]]
        except TimeoutError:
            return ["deadline"]
    tasks = [asyncio.ensure_future(one) for one in audits]
    try:
        _, late = await asyncio.wait(tasks, timeout=seconds)
    except asyncio.CancelledError:
        for task in tasks:
            task.cancel()
        raise
    for task in late:
        task.cancel()
    return ["deadline" if task in late else task.result() for task in tasks]


async def _isolated(check: Check, turn: Turn, look: Look, before: Sequence[Finding]) -> list[Finding] | str:
    auditor: Any = check.auditor
    try:
        if _manner(type(check.auditor)) == "review":
            found: list[Finding] = await auditor.review(turn, check.claims, look, before)
        else:
            found = await auditor.audit(turn, check.claims, look)
    except Exception as error:  # noqa: BLE001 - as above
        return _raised(check, error)
    return found


def _raised(check: Check, error: Exception) -> str:
    """Why a check has no findings, in a word; the log has it with its rule, and none of the error's words."""
    kind = type(error).__name__
    log.error("the auditor %s of the rule %s failed: %s", check.name, check.rule, kind)
    return kind


def _left_open(check: Check, reason: str) -> list[Finding]:
    open_claims = Counter(claim.subject for claim in check.claims if claim.stance == "asserted" and claim.subject)
    return [Finding("unverifiable", subject, f"the auditor failed: {reason}") for subject in open_claims]
