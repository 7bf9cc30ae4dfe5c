"""A day that an answer tells by a label is the day that the field of that name has: "Maturity: April 3", `maturity_date`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import ClassVar

from proxy.audit import Finding
from proxy.claims import BY_LINE, Claim, compared_text
from proxy.dates import Date, Mention, mentions, number, same_day
from proxy.fields import fields, means
from proxy.figures import unquoted
from proxy.labels import Told, labelled, tabled
from proxy.ledger import Call, Turn
from proxy.patterns import expression
from proxy.results import one_line
from proxy.spelling import MOMENT

IDLE = frozenset({"date", "day", "time", "on", "at", "datum", "fecha", "from", "to"})
"""Words of a label or a name that say that it is a day, and not which."""
MOST = 60
"""Labelled values of an answer that are compared."""
LONGEST = 20_000
"""Code points of results in which fields are looked for; what is longer is not accused."""
NEAR = 1
"""Days by which two spellings of one moment may be apart, in other time zones."""


@dataclass(frozen=True, slots=True)
class Days:
    """Compare days behind labels, and in tables of two columns, with the fields of the last results that they mean.

    Told is one where these have one day for what the label means, another one, which the answer has nowhere. `doubts` is an
    expression for lines that do not mean it so exactly.
    """

    doubts: str = ""

    reads: ClassVar[frozenset[str]] = frozenset({"text"})
    needs: ClassVar[frozenset[str]] = frozenset({"calls", "figures"})

    def compare(self, turn: Turn, claims: Sequence[Claim]) -> list[Finding]:
        text = unquoted(compared_text(claims, BY_LINE))
        told = (one for one in islice(chain(labelled(text), tabled(text)), MOST) if not one.name)
        said = [(one, place) for one in told if (place := _day(one)) is not None and not self._doubted(one)]
        shown = [one for one in turn.standing() if len(one.result_text) <= LONGEST] if said else []
        found: dict[str, Finding] = {}
        for one, mention in said:
            there = [(day, name, call) for call in shown for day, name in _meant(one, call)]
            if len({day for day, _, _ in there}) == 1 and _otherwise(mention, there[0][0], text):
                day, name, call = there[0]
                reason = f"the result has {day.year}-{day.month:02}-{day.day:02} for {name}"
                subject = one.line[mention.start : mention.end]
                found[subject] = Finding("contradicted", subject, reason, one_line(one.line, 200), call.id)
        return list(found.values()) if found and turn.legible() else []

    def _doubted(self, one: Told) -> bool:
        return bool(self.doubts) and expression(self.doubts).search(one.line) is not None


def _day(one: Told) -> Mention | None:
    """The one day that a value begins with, or holds; a comma before its year does not end it."""
    at = one.line.find(one.value)
    found = [each for each in mentions(one.line) if each.start >= at]
    return found[0] if len(found) == 1 and at >= 0 and found[0].start < at + len(one.value) else None


def _otherwise(mention: Mention, day: Date, text: str) -> bool:
    """Whether a day is another than a field has, and the answer has the field's nowhere."""
    if any(same_day(day, date) for other in mentions(text) for date in other.dates):
        return False
    return all(abs(number(Date(date.year or day.year, *date[1:])) - number(day)) > NEAR for date in mention.dates)


def _meant(one: Told, call: Call) -> Iterator[tuple[Date, str]]:
    """The days of the fields of a result that a label means by all its words, and by no other."""
    label = tuple(word for word in one.label if word not in IDLE)
    for field in fields(call.result, 0, 0) if label and call.result is not None else ():
        name = tuple(word for word in field.words if word not in IDLE)
        if MOMENT.match(field.value) and len(name) == len(label) and means(label, name):
            yield from (
                (date, field.name) for mention in islice(mentions(field.value), 1) for date in mention.dates[:1]
            )
