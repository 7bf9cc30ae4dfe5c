"""What an answer gives under a label, a day or a code, must be what the result of the change has in the field of that name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import ClassVar

from proxy.audit import Finding
from proxy.auditors.asked import MOST, Shown, shown_in
from proxy.auditors.effects import subject_of
from proxy.claims import BY_LINE, Claim, compared_text
from proxy.dates import Date, mentions, number
from proxy.ledger import Call, Turn
from proxy.patterns import Names, expression
from proxy.results import has_word, one_line
from proxy.roots import name_roots, similar, tokens
from proxy.spelling import MOMENT

NAMED = r"[A-Za-z][\w /-]{1,30}?"
PAIR = re.compile(
    r"(?m)^[ \t]*(?:(?:[-*+•]|\d{1,2}[.)])[ \t]+)?(?:[^\w\s*_|`]{1,3}[ \t]*)?"
    rf"[*_]{{0,3}}(?P<label>{NAMED})[*_]{{0,3}}[ \t]*:[*_]{{0,3}}[ \t]*(?P<value>\S[^\n]{{0,120}})$"
    rf"|^[ \t]*\|[ *_]*(?P<row>{NAMED})[ *_]*\|[ \t]*(?P<cell>[^|\n]{{1,120}}?)[ \t]*\|[ \t]*$"
)
"""A line, or a row of two cells, that gives a value under a label."""
PAIRS = 40
WHEN = frozenset({"date", "dat", "day", "when"})
"""Words, or their roots, that call any day."""
FROM = frozenset({"start", "begin", "from", "effectiv", "sinc", "valid"})
UNTIL = frozenset({"end", "until", "expir", "through"})
"""Roots of words for the first day and the last."""
OTHER = Names(
    r"(?i)creat|updat|modif|issued|order_?date|placed|paid|payment|charg|invoice|birth|dob|register|request"
    r"|book(?:ed|ing)_?(?:at|on|date)|last|prev|old|former|sign|due"
)
"""Names of fields that hold another day than the one that something is for."""
VISIT = Names(
    r"(?i)visit|appointment|slot|schedul|pick_?up|deliver|session|event|stay|trip|departure|arrival|service|meeting|class|lesson"
)
"""Names of objects of which a day is the one that they are on."""
CODES = frozenset({"key", "cod", "referenc", "number", "numb", "id", "no", "ref", "confirmation", "pnr"})
CODE = re.compile(r"[*_`]{0,3}(?P<code>(?=[A-Z\d-]*\d)(?=[A-Z\d-]*[A-Z])[A-Z\d][A-Z\d-]{4,20})[*_`]{0,3}")
"""Roots of words that call a code, and a code by itself."""
NEAR = 1
"""Days by which one is told in another zone."""
READ = 20_000
"""Code points of a result that is read."""


@dataclass(frozen=True, slots=True)
class Labels:
    """Compare the days and codes that an answer gives under labels with the fields of the last change's result.

    Told is a day that was asked for, where all fields that the label may mean have others, and nothing else in the result has
    it; and a code that another field has, where the field of the label's name has one that the answer does not tell. `doubts`
    is an expression for lines that tell what was before, or is asked for.
    """

    doubts: str = r"(?!)"

    reads: ClassVar[frozenset[str]] = frozenset({"text"})
    needs: ClassVar[frozenset[str]] = frozenset({"change"})

    def follow(self, turn: Turn, claims: Sequence[Claim], findings: Sequence[Finding]) -> list[Finding]:
        changes = [one for one in turn.landed_changes() if not one.effect and turn.nature(one) == "change"]
        if any(one.flagged for one in findings):
            return []
        if len(changes) != 1 or changes[0].position != turn.calls[-1].position or len(changes[0].result_text) > READ:
            return []
        call, text = changes[0], compared_text(claims, BY_LINE)
        if not isinstance(call.result_value, dict):
            return []
        for found in islice(PAIR.finditer(text), PAIRS):
            label, value = found["label"] or found["row"], found["value"] or found["cell"]
            if expression(self.doubts).search(found.group()):
                continue
            shown = shown_in(call.result_value)[:MOST]
            told = next(chain(_days(label, value, shown, call, turn), _codes(label, value, shown, text)), "")
            if told:
                return [Finding("contradicted", subject_of(call), told, one_line(found.group(), 200), call.id)]
        return []


def _days(label: str, value: str, shown: Sequence[Shown], call: Call, turn: Turn) -> Iterator[str]:
    """The day that the label's fields have, where the answer gives another one that was asked for."""
    told = [one for one in mentions(value) if one.dates]
    if len(told) != 1 or len(told[0].dates) != 1 or any(str(one.value) in value for one in shown if _is_day(one)):
        return
    day = told[0].dates[0]
    held = {
        (one.name, one.parent, date)
        for one in shown
        if _is_day(one)
        for each in mentions(str(one.value))
        for date in each.dates
    }
    own = [(name, date) for name, parent, date in held if not OTHER.search(name) and _means(label, name, parent)]
    if not own or any(_near(day, date) for _, _, date in held):
        return
    asked = f"{call.raw}\n{turn.asked}\n{turn.offer()}"
    if (
        any(_near(day, date, 0) for each in mentions(asked) for date in each.dates)
        and len({date for _, date in own}) == 1
    ):
        name, date = own[0]
        yield f"the result has {name} {date.year:04d}-{date.month:02d}-{date.day:02d}"


def _is_day(one: Shown) -> bool:
    return isinstance(one.value, str) and MOMENT.match(one.value) is not None


def _near(day: Date, date: Date, by: int = NEAR) -> bool:
    """Whether two days are one, or so near that a zone lies between them; an answer leaves out the year."""
    years = {one.year for one in (day, date)}
    one, other = (day, date) if 0 not in years else (day._replace(year=2000), date._replace(year=2000))
    return abs(number(one) - number(other)) <= by


def _means(label: str, name: str, parent: str) -> bool:
    """Whether a label may mean a field: it has all its words, or both say from when, or until when.

    One that is called "date" alone is that of a visit, and no day on which something was noted.
    """
    said, own = tokens(label), name_roots(name)
    plain = own - WHEN - {"at", "on", "tim"}
    if not plain:
        return bool(said & WHEN) and VISIT.search(parent)
    both = [sort for sort in (FROM, UNTIL) if plain & sort and said & sort]
    return all(similar(one, said) for one in plain.difference(*both))


def _codes(label: str, value: str, shown: Sequence[Shown], text: str) -> Iterator[str]:
    """The code that the field of a label's name has, where the answer gives that of another field."""
    found = CODE.fullmatch(value.strip())
    words = tokens(label)
    if found is None or words.isdisjoint(CODES):
        return
    code = found["code"]
    own = {
        str(one.value)
        for one in shown
        if name_roots(f"{one.parent} {one.name}") == words or name_roots(one.name) == words
    }
    others = [one for one in shown if one.value == code]
    apart = any(name_roots(one.name) - CODES - words for one in others)  # "holdRef"; `key` beside `id` is one thing's
    noted = any(isinstance(one.value, str) and code in one.value != code for one in shown)
    if len(own) == 1 and apart and not noted and code not in own:
        (right,) = own
        if CODE.fullmatch(right) and not has_word(text, right):
            yield f"the result has {right!r} for it, and {code!r} as {others[0].name}"
