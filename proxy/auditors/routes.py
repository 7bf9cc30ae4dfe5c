"""Directions in an answer that reports a deed ("from A to B") must be those of the calls that did it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from proxy.audit import Finding
from proxy.claims import Claim, compared_text
from proxy.ledger import Call, Turn
from proxy.results import objects, one_line

LONGEST = 60
"""Code points between "from" and "to", and behind it, in which a place is looked for."""


@dataclass(frozen=True, slots=True)
class Routes:
    """Compare "from A to B" with the pairs of fields that say whence and whither in what the turn's changes were asked for
    and returned.

    Told is only the opposite direction: both ends are known, a way leads from B to A, and none, over any number of legs,
    from A to B. `pairs` are the names of the two fields; `phrase` is an expression with the groups `start` and `end`, the
    stretches in which the two ends stand.
    """

    pairs: tuple[tuple[str, str], ...] = (
        ("origin", "destination"),
        ("from", "to"),
        ("source", "target"),
        ("source", "destination"),
        ("from_account", "to_account"),
        ("departure_airport", "arrival_airport"),
    )
    phrase: str = r"(?i)\bfrom (?P<start>[^.;\n]{2,60}?) to (?P<end>[^.;,\n]{2,60})"

    reads: ClassVar[frozenset[str]] = frozenset({"action", "text"})

    def compare(self, turn: Turn, claims: Sequence[Claim]) -> list[Finding]:
        text = compared_text(claims)
        deeds = any(claim.kind == "action" and claim.stance == "asserted" for claim in claims)
        changes = [call for call in turn.calls if call.outcome == "landed" and turn.nature(call) == "change"]
        if not deeds or not changes:
            return []
        ways = {way for call in changes for way in self._ways(call)}
        places = {place for way in ways for place in way}
        findings = []
        for found in re.finditer(self.phrase, text) if ways else ():
            start, end = _last(found["start"], places), _first(found["end"], places)
            if start and end and start != end and _leads(end, start, ways) and not _leads(start, end, ways):
                reason = f"the calls have it from {end} to {start}"
                findings.append(
                    Finding("contradicted", f"from {start} to {end}", reason, _line(text, found), changes[-1].id)
                )
        return findings

    def _ways(self, call: Call) -> Iterator[tuple[str, str]]:
        values = (call.arguments, call.result_value)
        for one in (inner for value in values for inner in objects(value)):
            for start, end in self.pairs:
                if isinstance(one.get(start), str) and isinstance(one.get(end), str):
                    yield one[start], one[end]


def _leads(start: str, end: str, ways: set[tuple[str, str]]) -> bool:
    """Whether a way leads from one place to another, over any number of legs."""
    seen, reached = {start}, [start]
    while reached:
        here = reached.pop()
        for there in [b for a, b in ways if a == here and b not in seen]:
            seen.add(there)
            reached.append(there)
    return end in seen


def _first(text: str, places: set[str]) -> str:
    at = {found.start(): place for place in places if (found := _place(place).search(text))}
    return at[min(at)] if at else ""


def _last(text: str, places: set[str]) -> str:
    at = {found.start(): place for place in places for found in _place(place).finditer(text)}
    return at[max(at)] if at else ""


def _place(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(name[:LONGEST])}(?!\w)")


def _line(text: str, found: re.Match[str]) -> str:
    return one_line(text[text.rfind("\n", 0, found.start()) + 1 : found.end()], 200)
