"""What an answer claims must be what a read-only tool of an MCP server says of it."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import jmespath
from jmespath.exceptions import JMESPathError

from proxy.audit import Finding, Look, Present, Verdict
from proxy.auditors.endpoints import just_told, since
from proxy.auditors.runs import compiled
from proxy.claims import Claim
from proxy.ledger import UNDONE, Turn
from proxy.results import WRAPPERS, one_line
from proxy.signatures import fold, spellings

PLACE = re.compile(r"\{(\w*)\}")
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
        for name in _places(self.arguments):
            if name not in ("subject", "subjects", *self.groups):
                raise ValueError(f"arguments: hold {{{name}}}, and the claims pattern has no group {name!r} to fill it")
        if self._together and set(_places(self.arguments)) != {"subjects"}:
            raise ValueError(
                "arguments: {subjects} makes one call for all claims, so nothing of a single one can stand there"
            )
        if any(ALL in text and text != ALL for text in _texts(self.arguments)):
            raise ValueError("arguments: {subjects} becomes a list, so it must be a value of its own")
        for key in ("present", "absent"):
            try:
                jmespath.compile(getattr(self, key) or "@")
            except JMESPathError as error:
                raise ValueError(f"{key}: is no JMESPath: {one_line(str(error))}") from None
        try:
            compiled(self.outages)
        except ValueError as error:
            raise ValueError(f"outages: {error}") from None

    @property
    def _together(self) -> bool:
        return "subjects" in _places(self.arguments)

    async def audit(self, turn: Turn, claims: Sequence[Claim], look: Look) -> list[Finding]:
        own = [claim for claim in claims if claim.kind == "pattern" and claim.stance == "asserted"]
        if not self.source or not own:
            return []
        groups = [own] if self._together else [[claim] for claim in own]
        return [
            one for found in await asyncio.gather(*(self._asked(few, turn, look) for few in groups)) for one in found
        ]

    async def _asked(self, claims: Sequence[Claim], turn: Turn, look: Look) -> list[Finding]:
        """One call, and what it says of each of its claims."""
        subjects = [claim.subject for claim in claims]
        given = {**claims[0].fields, "subject": subjects[0]}
        if not self._together and (left := set(_places(self.arguments)) - given.keys()):
            return [_finding("unverifiable", claims[0], f"the answer does not say its {min(left)}")]
        arguments = _filled(self.arguments, given, subjects)
        question = {"tool": self.tool, "arguments": json.dumps(arguments), "since": since(turn)}
        sight = await look(self.source, "\n".join(subjects), question)
        if not isinstance(sight, Present):
            return [_finding("unverifiable", claim, sight.reason) for claim in claims]
        try:
            said = self._said(sight.fields, subjects)
        except JMESPathError:
            return [
                _finding("unverifiable", claim, "the tool's answer is not of the expected shape") for claim in claims
            ]
        return [self._judge(claim, said, turn) for claim in claims]

    def _said(self, answer: Mapping[str, Any], subjects: Sequence[str]) -> Said:
        """What the answer holds for verified and what for missing: each subject with its own entry."""
        if not (self.present or self.absent):
            inside = _inside(answer)
            return _entries(inside.get("verified")), _entries(inside.get("missing"))
        here = jmespath.search(self.present, answer) if self.present else None
        gone = jmespath.search(self.absent, answer) if self.absent else None
        return _listed(here, subjects), _listed(gone, subjects if len(subjects) == 1 else ())

    def _judge(self, claim: Claim, said: Said, turn: Turn) -> Finding:
        here, gone = claim.subject in said[0], claim.subject in said[1]
        if here == gone:
            reason = "the tool says that it is there and that it is not" if here else "the tool's answer does not say"
            return _finding("unverifiable", claim, reason)
        entry = said[0 if here else 1][claim.subject]
        facts = {key: one_line(value) if isinstance(value, str) else value for key, value in entry.items()}
        facts = {key: value for key, value in facts.items() if isinstance(value, (str, int))}
        if here and facts.get("size") == 0 and not isinstance(facts["size"], bool):
            return _finding("qualified", claim, "the tool says that it is there, with 0 bytes", facts)
        if here:
            return _finding("verified", claim, "the tool says that it is there", facts)
        reason = one_line(str(facts.pop("reason", "")), 120)
        if reason and compiled(self.outages).search(reason):
            return _finding("unverifiable", claim, f"the tool could not look: {reason}")
        if self._just_made(claim.subject, turn):
            return _finding("unverifiable", claim, "a tool named it in this turn, and it is not there yet")
        return _finding("contradicted", claim, "the tool says that it is missing" + (f": {reason}" if reason else ""))

    def _just_made(self, subject: str, turn: Turn) -> bool:
        """Whether another tool of this turn, which may have made it, names it in what it answered."""
        asked = fold(self.tool)
        others = (call for call in turn.calls if call.effect != "read" and asked not in spellings(call.name))
        return just_told((call for call in others if call.outcome not in UNDONE), subject)


def _places(value: Any) -> set[str]:
    return {name for text in _texts(value) for name in PLACE.findall(text)}


def _texts(value: Any) -> Iterator[str]:
    """Every text in a template, however deep."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list)):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _texts(inner)


def _filled(value: Any, given: Mapping[str, str], subjects: Sequence[str]) -> Any:
    if value == ALL:
        return list(subjects)
    if isinstance(value, str):
        return PLACE.sub(lambda found: given[found[1]], value)
    if isinstance(value, dict):
        return {name: _filled(inner, given, subjects) for name, inner in value.items()}
    return [_filled(inner, given, subjects) for inner in value] if isinstance(value, list) else value


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


def _finding(verdict: Verdict, claim: Claim, reason: str, facts: Mapping[str, Any] | None = None) -> Finding:
    return Finding(verdict, claim.subject, reason[:300], claim.quote, "", {**(facts or {}), "looked": True})
