"""Directions in an answer that reports a deed ("from A to B") must be those of the calls that did it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, ClassVar

from proxy.audit import Finding
from proxy.claims import Claim, compared_text
from proxy.ledger import Call, Turn
from proxy.patterns import Names, expression
from proxy.results import objects, one_line, scalars

CODE = re.compile(r"[A-Z]{3,4}")
"""A place by its code, as airports and stations have them."""
DEBITED = ("debit", "from", "source", "from_account", "debit_account", "payer")
CREDITED = ("credit", "to", "destination", "to_account", "credit_account", "payee")
"""Names of what money was taken from, and of what it went to."""
ACCOUNT = Names(r"(?i)account|mask|tail|last_?4|number|iban|(?:^|_)id$|^no$")
NUMBER = re.compile(r"\d{4,34}(?!\d)")
"""Fields by which an account goes, and its digits."""
MOVED = re.compile(r"(?i)\bfrom\b(?P<start>[^.;\n]{2,70}?)\bto\b(?P<end>[^.;\n]{2,70})")
BACK = re.compile(r"(?i)revers|undo|refund|return|void|cancel|rollback")
"""Words of tools that take money back from where it went."""
AGO = re.compile(r"(?i)\b(?:back|you[’']d|had|originally|earlier|revers\w+|returned|undone|mistake)\b")
"""Words by which a line tells how money had gone before."""
LOOKS = 20
"""Calls in which is looked for the number of an account."""
ROUTE = re.compile(r"(?i)(?:route|sector|segment|direction)")
WAY = re.compile(r"([^\W\d_][\w ]{1,30}?)\s*(?:-|–|→|->|>|\bto\b)\s*([^\W\d_][\w ]{1,30})")
"""Fields that tell a way in one text, and how they do: "Holyhead-Dublin"."""
MOST = 40
"""Ways of an answer that are compared."""
LONGEST = 60
"""Code points between "from" and "to", and behind it, in which a place is looked for."""


@dataclass(frozen=True, slots=True)
class Routes:
    """Compare "from A to B" with the pairs of fields that say whence and whither in what the turn's changes were asked for
    and returned.

    Told is only the opposite direction: both ends are known, a way leads from B to A, and none, over any number of legs,
    from A to B. Where an answer tells both ways, the calls must have the one twice, as one told by an arrow always must.
    `pairs` are the names of the two fields; `phrase` is an expression with the groups `start` and `end`, the stretches in
    which the two ends stand. Told is also a way of two codes ("Charlotte (CLT) → Baltimore (BWI)") of which the results
    know one and nothing in the conversation the other, where the answer has none of the ends that they do lead to or come
    from; `codes` is an expression for it with the same groups, `cities` are codes that stand for several airports, and
    `doubts` is an expression for lines that do not mean it so exactly.
    """

    pairs: tuple[tuple[str, str], ...] = (
        ("origin", "destination"),
        ("from", "to"),
        ("source", "target"),
        ("source", "destination"),
        ("from_account", "to_account"),
        ("departure_airport", "arrival_airport"),
    )
    phrase: str = (
        r"(?i)(?:\bfrom |(?<=[:*_|•-] )(?=[^.;:\n→]{2,60}(?:→|->|➔|➝|⟶)))(?P<start>[^.;\n→]{2,60}?) ?(?: to|→|->|➔|➝|⟶) "
        r"(?P<end>[^.;,\n→]{2,60})"
    )
    codes: str = ""
    cities: tuple[str, ...] = ()
    doubts: str = ""

    reads: ClassVar[frozenset[str]] = frozenset({"action", "text"})
    needs: ClassVar[frozenset[str]] = frozenset({"change"})

    def compare(self, turn: Turn, claims: Sequence[Claim]) -> list[Finding]:
        text = compared_text(claims)
        deeds = any(claim.kind == "action" and claim.stance == "asserted" for claim in claims)
        told = list(expression(self.phrase).finditer(text)) if deeds else []
        coded = list(islice(expression(self.codes).finditer(text), MOST)) if self.codes else []
        ways_told = told or coded or MOVED.search(text)
        changes = [one for one in turn.landed_changes() if turn.nature(one) == "change"] if ways_told else []
        if not changes:
            return []
        if (turned := next((one for call in changes for one in _turned(call, text, turn)), None)) is not None:
            return [turned]
        values = [value for call in changes for value in (call.arguments, call.result_value)]
        counted = [Counter(self._ways(value)) for value in values]
        ways = {way for each in counted for way in each}
        places = {place for way in ways for place in way}
        findings = []
        said = [(found, _last(found["start"], places), _first(found["end"], places)) for found in told if ways]
        both = {(start, end) for _, start, end in said}
        twice = {way for each in counted for way, count in each.items() if count > 1}  # out and back
        for found, start, end in said:
            back = (end, start) in both  # the way back of a call that has one way may be meant by its day of return
            arrow = not found.group().lower().startswith("from")  # alone it may tell what was there, and what is
            if (back and (end, start) not in twice) or (arrow and not back):
                continue
            if start and end and start != end and _leads(end, start, ways) and not _leads(start, end, ways):
                reason = f"the calls have it from {end} to {start}"
                findings.append(
                    Finding("contradicted", f"from {start} to {end}", reason, _line(text, found), changes[-1].id)
                )
        return [*findings, *self._unknown(coded, text, ways, turn, changes[-1])]

    def _unknown(
        self, coded: Sequence[re.Match[str]], text: str, ways: set[tuple[str, str]], turn: Turn, call: Call
    ) -> Iterator[Finding]:
        """Codes of places that stand nowhere, at the other end of a way that the calls know."""
        places = {place for way in ways for place in way if CODE.fullmatch(place)}
        legs = {way for way in ways if not _leads(*way, ways - {way})} if len(ways) <= MOST else ways
        told_so: set[str] = set()
        for found in coded if places else ():
            start, end = found["start"], found["end"]
            line = _line(text, found)
            if (start in places) == (end in places) or (self.doubts and expression(self.doubts).search(line)):
                continue
            known, told = (start, end) if start in places else (end, start)
            others = {b if known == start else a for a, b in legs if (a if known == start else b) == known}
            if not others or told in self.cities or any(_place(one).search(text) for one in others):
                continue
            if told not in told_so and turn.legible() and not _place(told).search(turn.everything()):
                told_so.add(told)
                way = f"from {known} to" if known == start else f"to {known} from"
                reason = f"the calls have it {way} {', '.join(sorted(others)[:3])}, and nothing has {told}"
                yield Finding("contradicted", told, reason, line, call.id)

    def _ways(self, value: Any) -> Iterator[tuple[str, str]]:
        """The ways that a call was given, or has returned."""
        for one in objects(value):
            for start, end in self.pairs:
                if start in one and isinstance(one[start], str) and isinstance(one.get(end), str):
                    yield one[start], one[end]
            for name, told in one.items():
                if isinstance(told, str) and ROUTE.fullmatch(name) and (found := WAY.fullmatch(told)) is not None:
                    yield found[1], found[2]


def _turned(call: Call, text: str, turn: Turn) -> Iterator[Finding]:
    """Money that a result has taken from what an answer says it went to, and the other way about."""
    for one in islice(objects(call.result_value), MOST) if not BACK.search(call.name) else ():
        named = {key.lower(): value for key, value in one.items() if isinstance(value, (str, dict))}
        ends = [next((named[key] for key in keys if key in named), None) for keys in (DEBITED, CREDITED)]
        if None in ends:
            continue
        taken, given = (frozenset(_account(end, call, turn)) for end in ends)
        for found in islice(MOVED.finditer(text), MOST):
            if AGO.search(_line(text, found)):
                continue
            stretches = [_tails(found[part]) for part in ("start", "end")]
            there = [(bool(one & (taken - given)), bool(one & (given - taken))) for one in stretches]
            if there == [(False, True), (True, False)]:
                reason = "the result has taken it from what the answer says it went to"
                subject = one_line(found.group(), 80)
                yield Finding("contradicted", subject, reason, _line(text, found), call.id)


def _tails(text: str) -> frozenset[str]:
    """The last digits that stand in a text, by which accounts go."""
    return frozenset(found[-4:] for found in NUMBER.findall(text))


def _account(end: Any, call: Call, turn: Turn) -> Iterator[str]:
    """The last digits by which an account of a result goes, there and in the looks that have it."""
    own = [end] if isinstance(end, str) else [text for key, text in scalars(end, depth=1) if ACCOUNT.search(key)]
    yield from (tail for text in own for tail in _tails(text))
    for look in islice(turn.recent(call), LOOKS):
        for thing in islice(objects(look.result_value), MOST):
            if any(text in own and not text.isdigit() for text in map(str, thing.values())):
                told = (text for key, text in scalars(thing, depth=1) if ACCOUNT.search(key))
                yield from (tail for text in told for tail in _tails(text))


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
