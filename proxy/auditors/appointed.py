"""The day, or the time of day, for which the one change of a turn was made must be what the answer tells of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from proxy.amounts import DIGIT
from proxy.audit import Finding
from proxy.auditors.effects import subject_of
from proxy.auditors.moments import CLOCKED
from proxy.claims import Claim, compared_text
from proxy.dates import Date, mentions, same_day
from proxy.figures import clocks, sentence_around, unquoted
from proxy.ledger import Call, Turn
from proxy.patterns import expression
from proxy.results import one_line, scalars
from proxy.spelling import MOMENT, TIME

HALF_DAY = 720
"""Minutes after which a clock of twelve hours shows the same again."""
ZONE = 60
"""Minutes by multiples of which a time may be told in another zone."""
LONGEST = 20_000
"""Code points of a call and its result in which days and times are looked for; what is longer is left alone."""


@dataclass(frozen=True, slots=True)
class Appointed:
    """Compare the days and the one time of day of an answer with those that the turn's only change was given.

    Told is a day, or a time, where the answer has none of those that the change was given, and what it has stands nowhere in
    the change's arguments and result: the user's message has it, or no other result does. A time that is whole hours from the
    change's may be of another zone. `doubts` is an expression for sentences that speak of another day or time. What
    another auditor has told is not told again.
    """

    doubts: str = r"(?!)"

    reads: ClassVar[frozenset[str]] = frozenset({"text"})
    needs: ClassVar[frozenset[str]] = frozenset({"change", "figures"})

    def follow(self, turn: Turn, claims: Sequence[Claim], findings: Sequence[Finding]) -> list[Finding]:
        text = compared_text(claims)
        changes = [one for one in turn.calls if turn.nature(one) != "read"]
        if len(changes) != 1 or DIGIT.search(text) is None:
            return []
        (change,) = changes
        if turn.nature(change) != "change" or change.outcome != "landed" or change.effect:
            return []
        if len(change.raw) + len(change.result_text) > LONGEST:
            return []
        text = unquoted(text)
        told = [one.quote for one in findings if one.flagged]
        found = [*self._days(change, text, turn), *self._time(change, text, turn)]
        found = [one for one in found if not any(one.subject in quote for quote in told)]
        return found if found and turn.legible() else []

    def _days(self, change: Call, text: str, turn: Turn) -> Iterator[Finding]:
        """The first day of an answer that has none of those that the change was given, if it is of none of its others."""
        given = [day for value in _given(change) if MOMENT.fullmatch(value) for day in _dates(value)]
        said = [one for one in mentions(text) if one.dates] if given else []
        if not said or any(same_day(day, own) for one in said for day in one.dates for own in given):
            return
        known = [*_dates(change.raw), *_dates(change.result_text)]
        for one in said:
            if any(same_day(day, own) for day in one.dates for own in known):
                continue
            sentence = sentence_around(text, one.start, one.end)
            wished = any(same_day(day, own) for day in one.dates for own in _dates(turn.asked[:LONGEST]))
            shown = not wished and any(same_day(day, own) for day in one.dates for own in _elsewhere(change, turn))
            if not shown and not expression(self.doubts).search(sentence):
                yield _finding(
                    text[one.start : one.end], f"the change was made for {_spelled(given)}", sentence, change
                )
                return

    def _time(self, change: Call, text: str, turn: Turn) -> Iterator[Finding]:
        """The only time of day of an answer, where it is another than the only one that the change was given."""
        given = {minute for value in _given(change) if (minute := _clocked(value)) is not None}
        said = list(clocks(text)) if len(given) == 1 else []
        if len(said) != 1:
            return
        ((start, end, minute),) = said
        both = f"{change.raw}\n{change.result_text}"
        known = {int(one[1]) * 60 + int(one[2]) for one in CLOCKED.finditer(both)} | {one[2] for one in clocks(both)}
        sentence = sentence_around(text, start, end)
        apart = {abs(minute - one) % ZONE for one in known} | {abs(minute % HALF_DAY - one % HALF_DAY) for one in known}
        if 0 in apart or expression(self.doubts).search(sentence):
            return
        if any(one[2] % HALF_DAY == minute % HALF_DAY for one in clocks(turn.asked[:LONGEST])):
            (own,) = given
            yield _finding(text[start:end], f"the change was made for {own // 60:02}:{own % 60:02}", sentence, change)


def _given(change: Call) -> list[str]:
    return [value for _, value in scalars(change.arguments)]


def _dates(text: str) -> list[Date]:
    return [day for one in mentions(text) for day in one.dates]


def _clocked(value: str) -> int | None:
    """The minute of the day of a time, or of a moment that has one."""
    found = CLOCKED.match(value) if MOMENT.fullmatch(value) or TIME.fullmatch(value) else None
    return int(found[1]) * 60 + int(found[2]) if found else None


def _elsewhere(change: Call, turn: Turn) -> Iterator[Date]:
    """The days that other results, and system texts, have."""
    others = (one.result_text for one in (*turn.calls, *turn.earlier()) if one is not change)
    for text in (*others, *(one.text for one in turn.before if one.role == "system")):
        yield from _dates(text[:LONGEST])


def _spelled(days: Sequence[Date]) -> str:
    return ", ".join(dict.fromkeys(f"{day.year or '----'}-{day.month:02}-{day.day:02}" for day in days))


def _finding(told: str, reason: str, sentence: str, change: Call) -> Finding:
    return Finding("contradicted", told.strip() or subject_of(change), reason, one_line(sentence, 200), change.id)
