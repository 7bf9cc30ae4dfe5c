"""What an answer claims must be what a read-only tool of an MCP server says of it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import jmespath
from jmespath.exceptions import JMESPathError

from proxy.audit import Finding, Look, Present
from proxy.auditors import endpoints
from proxy.auditors.endpoints import filled, finding, groups_in
from proxy.auditors.runs import compiled
from proxy.claims import Claim
from proxy.ledger import Turn
from proxy.results import WRAPPERS, one_line

ALL = "{subjects}"
OUTAGES = (
    r"(?i)\btimed? ?-?out\b|\bdeadline\b|\bdenied\b|\bforbidden\b|\bunauthori[sz]ed\b|\bcredential|\bunavailable\b|\brefused\b"
    r"|\breset\b|\bconnection\b|\bnetwork\b|\bdns\b|\bthrottl|\brate.?limit|\btoo many requests\b|\b(?:401|403|429|5\d\d)\b"
    r"|\binternal\b|\bcancell?ed\b|\bno such host\b|\bbroken pipe\b|\beof\b"
)

Said = tuple[dict[str, Mapping[str, Any]], dict[str, Mapping[str, Any]]]
"""The subjects that an answer calls verified, and those it calls missing, each with its entry."""


@dataclass(frozen=True, slots=True)
class Mcp:
    """Ask a tool about the subjects of the rule's own pattern, and read its answer.

    `source` names an `mcp` source (empty: nothing is said). `arguments` is what `tool` is called with; `{subject}` in it, or
    a group of the pattern, makes a call for each claim, and a value that is `{subjects}` one call with the list of all.
    `present` and `absent` are JMESPath over the answer: a list names its subjects; a truth in an answer about one subject
    speaks of that one, and in an answer about several, `present` speaks of all. Without the two, the answer is an audit's:
    `verified` and `missing`, lists of texts or of objects with `artifact_key` or `subject`. `outages` is an expression for
    reasons in `missing` by which the tool could not look: its store's failure is not the subject's absence. Raises ValueError.
    """

    source: str = ""
    groups: tuple[str, ...] = ()
    tool: str = ""
    arguments: dict[str, Any] = field(default_factory=dict)
    present: str = ""
    absent: str = ""
    outages: str = OUTAGES

    reads: ClassVar[frozenset[str]] = frozenset()

    def __post_init__(self) -> None:
        if not self.tool:
            raise ValueError("tool: is missing; name the read-only tool that is asked")
        endpoints.check_groups("arguments:", groups_in(self.arguments), ("subjects", *self.groups))
        if self._together and len(groups_in(self.arguments)) > 1:
            raise ValueError(
                "arguments: {subjects} makes one call for all claims, so nothing of a single one can stand there"
            )
        if any(ALL in text and text != ALL for text in endpoints.templates(self.arguments)):
            raise ValueError("arguments: {subjects} becomes a list, so it must be a value of its own")
        endpoints.check_path("present", self.present)
        endpoints.check_path("absent", self.absent)
        try:
            compiled(self.outages)
        except ValueError as error:
            raise ValueError(f"outages: {error}") from None

    @property
    def _together(self) -> bool:
        return "subjects" in groups_in(self.arguments)

    async def audit(self, turn: Turn, claims: Sequence[Claim], look: Look) -> list[Finding]:
        own = endpoints.asserted(claims) if self.source else []
        calls = [own] if own and self._together else [[claim] for claim in own]
        found = await asyncio.gather(*(self._asked(few, turn, look) for few in calls))
        return [one for few in found for one in few]

    async def _asked(self, claims: Sequence[Claim], turn: Turn, look: Look) -> list[Finding]:
        """One call, and what it says of each of its claims."""
        subjects = [endpoints.said(claim)["subject"] for claim in claims]
        given = {**endpoints.said(claims[0]), "subjects": subjects}
        if lacking := endpoints.unsaid(["subject", *groups_in(self.arguments)], given):
            return [finding("unverifiable", claim, lacking) for claim in claims]
        arguments = json.dumps(filled(self.arguments, given))
        question = {"tool": self.tool, "arguments": arguments, "since": endpoints.since(turn)}
        sight = await look(self.source, "\n".join(subjects), question)
        if not isinstance(sight, Present):
            return [finding("unverifiable", claim, sight.reason) for claim in claims]
        try:
            said = self._said(sight.fields, subjects)
        except JMESPathError:
            reason = "the tool's answer is not of the expected shape"
            return [finding("unverifiable", claim, reason) for claim in claims]
        return [self._judge(claim, subject, said, turn) for claim, subject in zip(claims, subjects, strict=True)]

    def _said(self, answer: Mapping[str, Any], subjects: Sequence[str]) -> Said:
        """What the answer holds for verified and what for missing: each subject with its own entry."""
        if not (self.present or self.absent):
            inside = _inside(answer)
            return _entries(inside.get("verified")), _entries(inside.get("missing"))
        here = jmespath.search(self.present, answer) if self.present else None
        gone = jmespath.search(self.absent, answer) if self.absent else None
        return _listed(here, subjects), _listed(gone, subjects if len(subjects) == 1 else ())

    def _judge(self, claim: Claim, subject: str, said: Said, turn: Turn) -> Finding:
        here, gone = subject in said[0], subject in said[1]
        if here == gone:
            reason = "the tool says that it is there and that it is not" if here else "the tool's answer does not say"
            return finding("unverifiable", claim, reason)
        entry = said[0 if here else 1][subject]
        facts = {key: one_line(value) if isinstance(value, str) else value for key, value in entry.items()}
        facts = {key: value for key, value in facts.items() if isinstance(value, (str, int))}
        if here and facts.get("size") == 0 and not isinstance(facts["size"], bool):
            return finding("qualified", claim, "the tool says that it is there, with 0 bytes", facts)
        if here:
            return finding("verified", claim, "the tool says that it is there", facts)
        reason = one_line(str(facts.pop("reason", "")), 120)
        if reason and compiled(self.outages).search(reason):
            return finding("unverifiable", claim, f"the tool could not look: {reason}")
        told = "the tool says that it is missing" + (f": {reason}" if reason else "")
        return endpoints.missing(claim, turn, told, "it is not there", self.tool)


def _inside(answer: Mapping[str, Any]) -> Mapping[str, Any]:
    """The audit in an answer: the answer itself, or the object in a known wrapper."""
    for one in (answer, *(answer.get(name) for name in WRAPPERS)):
        if isinstance(one, dict) and ("verified" in one or "missing" in one):
            return one
    return {}


def _entries(listed: Any) -> dict[str, Mapping[str, Any]]:
    """The subjects of a list of texts, or of objects with `artifact_key` or `subject`, each with its object."""
    found: dict[str, Mapping[str, Any]] = {}
    for one in listed if isinstance(listed, list) else ():
        if isinstance(one, str):
            found.setdefault(one, {})
        elif isinstance(one, dict):
            name = next((one[key] for key in ("artifact_key", "subject") if isinstance(one.get(key), str)), "")
            found.setdefault(name, one)
    return found


def _listed(value: Any, subjects: Sequence[str]) -> dict[str, Mapping[str, Any]]:
    """The subjects that an expression found: those in its list, or where it is merely true, those asked for."""
    if isinstance(value, list):
        return _entries(value)
    return dict.fromkeys(subjects, value if isinstance(value, dict) else {}) if value else {}
