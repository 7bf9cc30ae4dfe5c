"""A list that tells one column of a result, thing by thing, must tell it of each of them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar, NamedTuple

from proxy.amounts import each_number
from proxy.audit import Finding
from proxy.claims import BY_LINE, Claim, compared_text
from proxy.fields import Field, fields
from proxy.figures import QUOTES
from proxy.ledger import Call, Turn
from proxy.patterns import expression
from proxy.results import has_word, one_line

LEAST = 4
"""Lines that make a list; three of four must have what the column has."""
RESULT = 40_000
"""Code points of a result that is compared; what is longer is left alone."""
LINES = 80
SHARE = re.compile(r"[^\d.;!?:|]{1,40}(?P<n>\d{1,3}(?:[.,]\d{1,2})?) ?%")
"""What is said of a thing right behind its name in a sentence that speaks of several: a share of a hundred."""


class Entry(NamedTuple):
    """A line that tells one number of one thing."""

    line: str
    thing: int
    values: frozenset[float]


@dataclass(frozen=True, slots=True)
class Columns:
    """Compare lines such as "Reception – 18.9 GB" with the one column of a result that nearly all of them tell.

    Each line names one thing of the result and has one number behind its name. Where three of four have what the column has
    for their thing, the others are told, when the number is none of the thing's own, no sum or difference of them, and not
    rounded. `doubts` is an expression for lines that do not mean it so exactly.
    """

    doubts: str = ""

    reads: ClassVar[frozenset[str]] = frozenset({"text"})
    needs: ClassVar[frozenset[str]] = frozenset({"calls", "figures"})

    def compare(self, turn: Turn, claims: Sequence[Claim]) -> list[Finding]:
        text = compared_text(claims, BY_LINE)
        lines = text.splitlines()
        if not turn.calls or (sum(any(map(str.isdigit, line)) for line in lines) < LEAST and text.count("%") < LEAST):
            return []
        lines = QUOTES.sub(" ", text).replace("`", " ").splitlines()[:LINES]
        for call in (one for one in turn.standing() if len(one.result_text) <= RESULT):
            all_ = list(fields(call.result, 0, 0)) if call.result is not None else []
            entries = list(_entries(lines, all_))
            odd = list(_odd(entries, all_)) if len({one.thing for one in entries}) >= LEAST else []
            odd = [(one, field) for one, field in odd if not (self.doubts and expression(self.doubts).search(one.line))]
            if odd and turn.whole():
                return [_finding(one, field, call) for one, field in odd]
        return []


def _finding(one: Entry, field: Field, call: Call) -> Finding:
    subject = f"{max(one.values):g}"
    reason = f"the result has {one_line(field.value, 60)} as its {one_line(field.name, 60)}"
    return Finding("contradicted", subject, reason, one_line(one.line, 200), call.id)


def _entries(lines: Sequence[str], all_: Sequence[Field]) -> Iterator[Entry]:
    """The lines that name one thing, and have one number behind its name, or several things, each with a number behind it."""
    names: dict[str, set[int]] = defaultdict(set)
    for one in all_:
        if one.quoted and 3 <= len(one.value) <= 60 and any(map(str.isalpha, one.value)):
            for name in {one.value.casefold(), one.value.casefold().rsplit("/", 1)[-1]}:
                names[name].add(one.thing)
    own = {name: next(iter(things)) for name, things in names.items() if len(things) == 1 and len(name) > 2}
    for line in lines:
        low = line.casefold()
        found = [name for name in own if has_word(low, name)]
        if len({own[name] for name in found}) > 1:
            yield from _several(line, found, own)
            continue
        behind = max((low.rfind(name) + len(name) for name in found), default=len(low))
        numbers = list(each_number(low[behind:]))
        if found and len(numbers) == 1:
            yield Entry(line, own[found[0]], frozenset(map(abs, numbers[0])))


def _several(line: str, found: Sequence[str], own: Mapping[str, int]) -> Iterator[Entry]:
    """The share right behind each of several names in a line; none is another's, which would stand before its name."""
    low, places = line.casefold(), []
    for name in sorted(found, key=len, reverse=True):
        at = low.find(name)
        if at >= 0:
            places.append((at, at + len(name), own[name]))
            low = low[:at] + " " * len(name) + low[at + len(name) :]
    places.sort()
    stops = [start for start, _, _ in places[1:]] + [len(line)]
    for (_, end, thing), stop in zip(places, stops, strict=True):
        if (share := SHARE.match(line[end:stop])) is not None:
            yield Entry(line, thing, frozenset(abs(one) for one in next(each_number(share["n"]))))


def _odd(entries: Sequence[Entry], all_: Sequence[Field]) -> Iterator[tuple[Entry, Field]]:
    """The lines that differ from the one column which the others tell, each with the field that they should have."""
    columns: dict[str, dict[int, Field]] = defaultdict(dict)
    own: dict[int, set[float]] = defaultdict(set)
    twice: set[str] = set()
    for field in all_:
        if values := _numbers(field):
            twice |= {field.name} if field.thing in columns[field.name] else set()
            columns[field.name][field.thing] = field
            own[field.thing] |= values
    told = [
        (name, [one for one in entries if one.thing in column and not one.values & _numbers(column[one.thing])])
        for name, column in columns.items()
        if name not in twice and all(one.thing in column for one in entries)
    ]
    told = [(name, odd) for name, odd in told if 4 * len(odd) <= len(entries)]
    if len(told) != 1:
        return
    name, odd = told[0]
    for one in odd:
        has = _numbers(columns[name][one.thing])
        again = any(other.thing == one.thing and other is not one for other in entries)
        if not again and not _close(one.values, has) and not one.values & _reckoned(own[one.thing]):
            yield one, columns[name][one.thing]


def _numbers(field: Field) -> set[float]:
    """What a field that begins with one number holds, in every way in which it can be read."""
    found = list(each_number(field.value)) if len(field.value) <= 30 else []
    return {abs(one) for one in found[0]} if len(found) == 1 else set()


def _close(told: frozenset[float], has: set[float]) -> bool:
    """Whether a number may be another one, rounded or in another unit."""
    return any(
        abs(a - b) <= max(0.02 * b, 0.05) or (a == round(a) and abs(a - b) < 1) or a == b * times or a * times == b
        for a in told
        for b in has
        for times in (10, 60, 100, 1_000, 1_024)
    )


def _reckoned(own: set[float]) -> set[float]:
    """The numbers of a thing, and their sums and differences."""
    few = sorted(own)[:24]
    return own | {round(abs(a + sign * b), 4) for a, b in combinations(few, 2) for sign in (1, -1)}
