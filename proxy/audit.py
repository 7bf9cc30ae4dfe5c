"""Say what an auditor and a source are, and what they return: findings, in a `Report`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Literal, Protocol, get_args, runtime_checkable

import msgspec

from proxy.claims import Claim
from proxy.ledger import Turn
from proxy.redaction import redact

Verdict = Literal["verified", "qualified", "stale", "contradicted", "unsupported", "unverifiable", "notice"]
FLAGGED: frozenset[Verdict] = frozenset({"contradicted", "unsupported", "stale"})

MAX_FINDINGS = 200
"""Findings that one auditor may return; what is over is counted in a `Failure`, so a flood costs a line."""


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
