"""What an answer gives under a label, a day or a code, must be what the result of the change has in the field of that name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import ClassVar

from proxy.audit import Finding
from proxy.auditors.asked import LOOKS, MOST, Shown, shown_in
from proxy.auditors.effects import subject_of
from proxy.claims import BY_LINE, Claim, compared_text
from proxy.dates import Date, mentions, near
from proxy.ledger import Call, Turn
from proxy.patterns import Names, expression
from proxy.results import has_word, one_line
from proxy.roots import name_roots, roots, similar, tokens
from proxy.spelling import MOMENT

NAMED = r"[A-Za-z][\w /-]{1,30}?"
PAIR = re.compile(
    r"(?m)^[ \t]*(?:(?:[-*+•]|\d{1,2}[.)])[ \t]+)?(?:[^\w\s*_|`]{1,3}[ \t]*)?"
    rf"[*_]{{0,3}}(?P<label>{NAMED})[*_]{{0,3}}[ \t]*:[*_]{{0,3}}[ \t]*(?P<value>\S[^\n]{{0,120}})$"
    rf"|^[ \t]*\|[ *_]*(?P<row>{NAMED})[ *_]*\|[ \t]*(?P<cell>[^|\n]{{1,120}}?)[ \t]*\|[ \t]*$"
)
"""A line, or a row of two cells, that gives a value under a label."""
PAIRS = 40
WHEN = roots(("date", "day", "when"))
"""Roots of words that call any day."""
FROM = roots(("start", "begin", "from", "effective", "since", "valid"))
UNTIL = roots(("end", "until", "expire", "through"))
"""Those for the first day and the last."""
ARRIVAL = roots(("eta", "expected", "estimated", "arrival", "arrive", "delivery", "deliver"))
"""Those for the day on which something comes."""
OTHER = Names(
    r"(?i)creat|updat|modif|issued|order_?date|placed|paid|payment|charg|invoice|birth|dob|register|request"
    r"|book(?:ed|ing)_?(?:at|on|date)|last|prev|old|former|sign|due"
)
"""Names of fields that hold another day than the one that something is for."""
VISIT = Names(
    r"(?i)visit|appointment|slot|schedul|pick_?up|deliver|session|event|stay|trip|departure|arrival|service|meeting|class|lesson"
)
"""Names of objects of which a day is the one that they are on."""
CODES = roots(("key", "code", "reference", "number", "id", "no", "ref", "confirmation", "pnr"))
CODE = re.compile(r"[*_`]{0,3}(?P<code>(?=[A-Z\d-]*\d)(?=[A-Z\d-]*[A-Z])[A-Z\d][A-Z\d-]{4,20})[*_`]{0,3}")
"""Roots of words that call a code, and a code by itself."""
NEAR = 1
"""Days by which one is told in another zone."""
READ = 20_000
"""Code points of a result that is read."""


@dataclass(frozen=True, slots=True)
class Labels:
    """Compare the days and codes that an answer gives under labels with the fields of the last change's result.

    Told is a day that was asked for, or that a look showed for another one, where all fields that the label may mean have
    others, and nothing else in the result has it; and a code that another field has, where the field of the label's name has
    one that the answer does not tell. `doubts` is an expression for lines that tell what was before, or is asked for.
    """

    doubts: str = r"(?!)"

    reads: ClassVar[frozenset[str]] = frozenset({"text"})
    needs: ClassVar[frozenset[str]] = frozenset({"change"})

    def follow(self, turn: Turn, claims: Sequence[Claim], findings: Sequence[Finding]) -> list[Finding]:
        changes = turn.sure_changes()
        if any(one.flagged for one in findings):
            return []
        if len(changes) != 1 or changes[0].position != turn.calls[-1].position or len(changes[0].result_text) > READ:
            return []
        call, text = changes[0], compared_text(claims, BY_LINE)
        if not isinstance(call.result_value, dict):
            return []
        pairs = list(islice(PAIR.finditer(text), PAIRS))
        shown = shown_in(call.result_value)[:MOST] if pairs else []
        days = [(one, date) for one in shown if _is_day(one) for each in mentions(one.value) for date in each.dates]
        for found in pairs:
            label, value = found["label"] or found["row"], found["value"] or found["cell"]
            if expression(self.doubts).search(found.group()):
                continue
            told = next(chain(_days(label, value, days, call, turn), _codes(label, value, shown, text)), "")
            if told:
                return [Finding("contradicted", subject_of(call), told, one_line(found.group(), 200), call.id)]
        return []


def _days(label: str, value: str, days: Sequence[tuple[Shown, Date]], call: Call, turn: Turn) -> Iterator[str]:
    """The day that the label's fields have, of all that a result shows, where the answer gives another that was asked for."""
    told = [one for one in mentions(value) if one.dates]
    if len(told) != 1 or len(told[0].dates) != 1:
        return
    day = told[0].dates[0]
    own = {date: one.name for one, date in days if not OTHER.search(one.name) and _means(label, one)}
    if len(own) != 1 or any(near(day, date, NEAR) for _, date in days):
        return
    ((date, name),) = own.items()
    asked = f"{call.raw}\n{turn.asked}\n{turn.offer()}"
    known = [date for each in mentions(asked) for date in each.dates]
    arrives = name_roots(name) <= ARRIVAL
    if any(near(day, one) for one in chain(known, _beside(name, call, turn) if arrives else ())):
        yield f"the result has {name} {date.year:04d}-{date.month:02d}-{date.day:02d}"


def _beside(name: str, call: Call, turn: Turn) -> Iterator[Date]:
    """The days that looks before a call have shown in fields of one name: those of other offers."""
    for look in islice(turn.calls_before(call), LOOKS):
        shown = shown_in(look.result_value)[:MOST] if len(look.result_text) <= READ else []
        days = (mentions(one.value) for one in shown if one.name == name and _is_day(one))
        yield from (date for each in chain.from_iterable(days) for date in each.dates)


def _is_day(one: Shown) -> bool:
    return isinstance(one.value, str) and MOMENT.match(one.value) is not None


def _means(label: str, field: Shown) -> bool:
    """Whether a label may mean a field: it has all its words, or both say from when, or until when.

    One that is called "date" alone is that of a visit, and no day on which something was noted.
    """
    said, own = tokens(label), name_roots(field.name)
    plain = own - WHEN - {"at", "on", "tim"}
    if not plain:
        return bool(said & WHEN) and VISIT.search(field.parent)
    if plain <= ARRIVAL and said & ARRIVAL:
        return True  # "Expected", of `eta`
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
