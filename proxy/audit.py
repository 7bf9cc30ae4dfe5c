"""Say what an auditor and a source are and what they return; run auditors under one deadline into a `Report`."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Coroutine, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from functools import cache
from types import MappingProxyType
from typing import Any, Literal, Protocol, get_args, runtime_checkable

import msgspec

from proxy.claims import Claim
from proxy.ledger import Turn
from proxy.redaction import redact

Verdict = Literal["verified", "qualified", "stale", "contradicted", "unsupported", "unverifiable", "notice"]
FLAGGED: frozenset[Verdict] = frozenset({"contradicted", "unsupported", "stale"})

GRACE = 0.05
"""Seconds that an auditor may run past the deadline, so that it can report what its looks left open."""
SLICE = 0.002
"""Seconds of computing after which an audit lets others of the process have their turn."""


@dataclass(frozen=True, slots=True)
class Present:
    """A source has the subject; `fields` is what it knows of it (`size`, `content_type`, …).

    `remembered`: it was known from before, and nobody was asked.
    """

    fields: Mapping[str, Any] = field(default_factory=dict)
    remembered: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class Absent:
    """A source says itself that the subject is not there; `reason` in its words."""

    reason: str
    remembered: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class Unknown:
    """A source could not tell: denied, timed out, down, not reached before the deadline."""

    reason: str


Sight = Present | Absent | Unknown


Question = Mapping[str, str]
"""What an auditor asks of a subject, in the source's own terms (a query, a tool's name); mostly nothing: is it there?"""

NOTHING: Question = MappingProxyType({})


class Source(Protocol):
    """A reader of ground truth. `look` answers for one subject and raises only on bugs."""

    async def look(self, subject: str, question: Question = NOTHING) -> Sight: ...

    async def aclose(self) -> None: ...


@runtime_checkable
class Lasting(Source, Protocol):
    """A source that is dear to ask: its answers are kept in the store, each as long as it says, zero for not at all.

    `digest` stands for its configuration: what another one answered is not its answer. It bounds its own looks at once;
    `budget` is how many a tenant may have a day, kept answers aside (0: any number).
    """

    digest: str
    budget: int

    def lifetime(self, sight: Sight) -> float: ...


class Look(Protocol):
    """The auditor's only way to a source; it holds tenant, memo, slots and deadline."""

    async def __call__(self, source: str, subject: str, question: Question = NOTHING) -> Sight: ...


@dataclass(frozen=True, slots=True)
class Finding:
    """One verdict on one subject.

    `subject` is what the verdict is about, as the answer or the tool spelled it; `reason` says in one line what the
    evidence shows; `quote` is the sentence of the answer, empty where no claim was made; `tool_call_id` names the call
    that is the evidence, `tool` its name. `fields` are the facts that belong to the subject and travel in the report.
    """

    verdict: Verdict
    subject: str
    reason: str
    quote: str = ""
    tool_call_id: str = ""
    fields: Mapping[str, Any] = field(default_factory=dict)
    rule: str = ""
    auditor: str = ""
    tool: str = ""
    cites: str = ""

    @property
    def flagged(self) -> bool:
        return self.verdict in FLAGGED


@dataclass(frozen=True, slots=True)
class Failure:
    """An auditor that crashed or did not come back; `reason` names the exception's type, never its text."""

    rule: str
    auditor: str
    reason: str


Unaudited = Literal["broken", "failed", "off", "too_large", "unread"]
UNAUDITED: tuple[Unaudited, ...] = get_args(Unaudited)
"""Why nobody audited an answer: the upstream broke off; the verifier failed; the request was switched off, or runs in the
background; the answer is larger than may be held; it is in no encoding or shape that can be read here.
"""


NEEDS = frozenset({"calls", "change", "figures"})
"""What an auditor may name as its `needs`, so that it is not run in vain: the turn has calls; one of a tool that edits no
files changed something, or may have; the answer has digits."""


class Comparing(Protocol):
    """One check that needs nothing but the transcript. It reports; it never decides, edits text, or catches its own errors.

    `reads` are the claim kinds of the general reader that it wants beside those of its rule's own pattern. It may have
    `needs`, of `NEEDS`: where one of them is not there, it surely finds nothing.
    """

    @property
    def reads(self) -> frozenset[str]: ...

    def compare(self, turn: Turn, claims: Sequence[Claim]) -> list[Finding]: ...


class Looking(Protocol):
    """The same for a check that may ask a source; it runs beside the others that do, until the deadline."""

    @property
    def reads(self) -> frozenset[str]: ...

    async def audit(self, turn: Turn, claims: Sequence[Claim], look: Look) -> list[Finding]: ...


class Following(Protocol):
    """The same as `Comparing` for a check that speaks after those that do not, and is told what they have found."""

    @property
    def reads(self) -> frozenset[str]: ...

    def follow(self, turn: Turn, claims: Sequence[Claim], findings: Sequence[Finding]) -> list[Finding]: ...


class Reviewing(Protocol):
    """The same for a check that may ask a source and speaks after all others."""

    @property
    def reads(self) -> frozenset[str]: ...

    async def review(
        self, turn: Turn, claims: Sequence[Claim], look: Look, findings: Sequence[Finding]
    ) -> list[Finding]: ...


Auditor = Comparing | Looking | Following | Reviewing


class Check(msgspec.Struct, frozen=True):
    """An auditor as one rule runs it on one turn: its own claims, and nobody else's."""

    rule: str
    name: str
    auditor: Auditor
    claims: Sequence[Claim]


@dataclass(frozen=True, slots=True)
class Report:
    """All that one audit found. `incomplete` says why something could not be read, empty when all was.

    `unaudited` is set where nobody has audited at all.
    """

    id: str
    findings: tuple[Finding, ...] = ()
    failures: tuple[Failure, ...] = ()
    incomplete: str = ""
    unaudited: Unaudited | Literal[""] = ""

    @property
    def flagged(self) -> bool:
        return any(finding.flagged for finding in self.findings)

    def to_json(self) -> dict[str, Any]:
        """The audit-pack shape, without secrets: summary, all_present, verified, missing, qualified, unverifiable.

        After these come all findings, and what of the verifier's own failed.
        """
        by: dict[str, list[dict[str, Any]]] = {"verified": [], "missing": [], "qualified": [], "unverifiable": []}
        findings = [_redacted(finding) for finding in self.findings]
        for finding in findings:
            group = "missing" if finding.flagged else finding.verdict
            if group in by:
                by[group].append(_entry(finding))
        claims = sum(len(entries) for entries in by.values())
        summary = f"{len(by['verified'])} of {claims} claims verified; {len(by['missing'])} missing"
        for group in ("qualified", "unverifiable"):
            summary += f"; {len(by[group])} {group}" if by[group] else ""
        document: dict[str, Any] = {
            "id": self.id,
            "summary": summary,
            "all_present": not by["missing"] and not by["unverifiable"],
            **by,
            "findings": [_whole(finding) for finding in findings],
            "failures": [{"rule": f.rule, "auditor": f.auditor, "reason": f.reason} for f in self.failures],
        }
        return document | ({"incomplete": self.incomplete} if self.incomplete else {})


def _redacted(finding: Finding) -> Finding:
    """A finding without secrets, in whatever an answer, a tool or a source has said; `rule` and `auditor` are names of ours."""
    told = ("subject", "reason", "quote", "tool_call_id", "fields", "tool", "cites")
    return replace(finding, **{name: _without_secrets(getattr(finding, name)) for name in told})


def _without_secrets(value: Any) -> Any:
    """A text, or every text in a value, names too, without what looks like a secret."""
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, Mapping):
        return {_without_secrets(name): _without_secrets(inner) for name, inner in value.items()}
    return [_without_secrets(inner) for inner in value] if isinstance(value, (list, tuple)) else value


def _entry(finding: Finding) -> dict[str, Any]:
    entry: dict[str, Any] = {"rule": finding.rule, "subject": finding.subject, **finding.fields}
    if finding.verdict != "verified":
        entry |= {"verdict": finding.verdict, "reason": finding.reason, "quote": finding.quote}
    return entry


def _whole(finding: Finding) -> dict[str, Any]:
    return {
        "rule": finding.rule,
        "auditor": finding.auditor,
        "verdict": finding.verdict,
        "subject": finding.subject,
        "reason": finding.reason,
        "quote": finding.quote,
        "tool_call_id": finding.tool_call_id,
        **({"tool": finding.tool} if finding.tool else {}),
        **({"fields": finding.fields} if finding.fields else {}),
        **({"cites": finding.cites} if finding.cites else {}),
    }


STAGES = {"compare": 0, "audit": 0, "follow": 1, "review": 2}
"""By the method that an auditor has, when it speaks: first, after the first, or last of all."""

MAX_FINDINGS = 200
"""Findings that one auditor may return; what is over is counted in a `Failure`, so a flood costs a line."""


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


async def run(
    checks: Sequence[Check], turn: Turn, look: Look, *, deadline: float, pauses: bool = True
) -> tuple[list[Finding], list[Failure]]:
    """Run every check; one that fails costs only itself.

    Looks end with the `deadline` (and a short grace), and no check begins after it, but for those that need no source,
    where it was waiting for sources that took the time; one that computes is not cut short. Without `pauses` nothing is
    looked for twice. The claims that a failed auditor left open become `unverifiable`, with the failure's reason.
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
        outcomes = await _outcomes(group, turn, look, time, findings)
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
    checks: Sequence[Check], turn: Turn, look: Look, time: _Time, before: Sequence[Finding]
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
        if clock() > time.end + (time.waited if computes else 0.0):  # computing costs those behind, not the reader
            outcomes.append("deadline")
        elif computes:
            found = _compared(check, turn, before)
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
        return type(error).__name__
    return found


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
        return type(error).__name__
    return found


def _left_open(check: Check, reason: str) -> list[Finding]:
    open_claims = Counter(claim.subject for claim in check.claims if claim.stance == "asserted" and claim.subject)
    return [Finding("unverifiable", subject, f"the auditor failed: {reason}") for subject in open_claims]
