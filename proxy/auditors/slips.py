"""Figures in an answer that stand nowhere and are a slip of one in a result: a digit, two swapped, a factor of ten."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median
from typing import ClassVar, NamedTuple

from proxy.amounts import NUMERALS, each_number
from proxy.audit import Finding
from proxy.claims import BY_LINE, Claim, compared_text
from proxy.figures import DAY, ZONES, Figure, clocks, figures, sentence_around, slip, slipped, unquoted
from proxy.ledger import Call, Turn
from proxy.patterns import expression
from proxy.reckoning import MOST, is_one, multipliers, pool_of, rates, spelled
from proxy.results import objects, one_line, scalars
from proxy.sums import follows

CHANCE = 0.1
"""How likely a number may be so near to some known one by chance."""
SPAN = re.compile(
    r"(?i)(?<![\w.:])(\d{1,3}(?:\.\d)?|an?|one|two|three|four|five|half an)[\s-]?(hours?|hrs?|h|min(?:ute)?s?|std|stunden?)\b"
)
FIELD = re.compile(
    r"(?i)\"[^\"\n]{0,30}(?:min|hour|duration|length|eta|lead|prep|buffer)[^\"\n]{0,20}\"\s*:\s*\"?(\d{1,3})\b"
)
APART = re.compile(
    r"(?i)\b(?:before|after|earlier|later|ahead|arrive|leave|by|reminder|latest|roughly|around|about)\b|[~≈]"
)
"""By these, a time is one that the answer reckons."""
FROM = re.compile(r"(?i)\b(?:from|between|ab|von|desde|à partir de)[\s*_(]*$")
SUMS = re.compile(
    r"(?i)\b(?:total|sum|combined|altogether|overall|average|mean|median|together|zusammen|insgesamt|summe)"
)
"""By these, a number is one that the answer reckons from several."""
SOME = 40
"""Times of day in a conversation with which is reckoned; where there are more, nobody is accused."""
TRIED = 40
"""Figures of an answer that are compared."""
LONGEST = 100_000
"""Code points of results in which figures are looked for; what is longer is not accused."""


@dataclass(frozen=True, slots=True)
class Slips:
    """Compare numbers, amounts and times of day with those of the turn's results, in answers that only tell as well.

    Told is one that stands nowhere in the conversation and does not follow from it, where a result of the turn has one that
    differs by a digit, by two neighbours swapped or by a factor of ten, and the answer has it nowhere: so alike are two
    numbers hardly by chance, and the fewer the longer they are. `doubts` is an expression for sentences that do not mean it so
    exactly.
    """

    doubts: str = ""

    reads: ClassVar[frozenset[str]] = frozenset({"text"})

    def compare(self, turn: Turn, claims: Sequence[Claim]) -> list[Finding]:
        text = compared_text(claims, BY_LINE)
        if not any(map(str.isdigit, text)):
            return []
        text = unquoted(text)
        shown = [call for call in turn.calls if call.outcome == "landed" and call.result is not None]
        if not shown or sum(len(call.result_text) for call in shown) > LONGEST:
            return []
        findings = {one.subject: one for one in (*self._numbers(text, shown, turn), *self._times(text, shown, turn))}
        return list(findings.values())

    def _numbers(self, text: str, shown: Sequence[Call], turn: Turn) -> Iterator[Finding]:
        said = [one for one in figures(text) if one.values]
        everything = turn.everything()
        open_ = [one for one in said if max(one.values) and one.text not in everything]
        open_ = [one for one in open_ if not one.vague and not FROM.search(text, max(0, one.start - 20), one.start)]
        open_ = [one for one in open_ if not any(spelled(value, everything) for value in one.values)]
        stated = {value for one in said for value in one.values}
        there = list({values: (values, call) for values, call in _shown(shown)}.values()) if open_ else []
        near = [found for one in open_[:TRIED] if (found := _near(one, there, stated)) is not None]
        if not near or len(stated) > MOST or not turn.whole():
            return
        pool = pool_of((*turn.earlier(), *turn.calls), [turn.asked, *turn.spoken()])
        counts, shares = pool.counts | set(multipliers(text)), pool.rates | rates(text)
        for one in near if max(len(pool.known) // 4, len(pool.amounts)) <= MOST else ():
            sentence = sentence_around(text, one.said.start, one.said.end)
            amounts = pool.amounts if one.said.priced else {each for each in pool.known if each >= 1}  # no cents
            amounts |= stated - set(one.said.values)
            if is_one(one.value, one.said.step, pool.known) or (
                self.doubts and expression(self.doubts).search(sentence)
            ):
                continue
            parts = 4 if SUMS.search(sentence) else 2
            if any(abs(one.value - each) < one.said.step for each in _columns(turn.calls)):
                continue
            if not follows(one.value, one.said.step, amounts, counts - {int(one.value)}, shares, parts):
                reason = f"the result has {one.known:.10g}, and nothing in the conversation has or gives this"
                yield Finding("contradicted", one.said.text, reason, one_line(sentence, 200), one.call.id)

    def _times(self, text: str, shown: Sequence[Call], turn: Turn) -> Iterator[Finding]:
        said = list(clocks(text))
        stated = {minute for _, _, minute in said}
        before = turn.everything() if said else ""
        said = [one for one in said if f"{one[2] // 60:02}:{one[2] % 60:02}" not in before]
        if not said:
            return
        everything = f"{before}\n{text}"
        known = {minute for _, _, minute in clocks(before)}
        open_ = [one for one in said if one[2] not in known and (one[2] + 720) % DAY not in known]
        there = {minute: call for call in shown for _, _, minute in clocks(call.result_text)}
        if not open_ or not there or ZONES.search(everything) or not turn.whole():
            return
        spans = set(_minutes(everything)) | {abs(a - b) for a in known for b in known} if len(known) <= SOME else set()
        for start, end, minute in open_[:TRIED] if len(known) <= SOME else ():
            near = [one for one in there if one not in stated and _alike(minute, one)]
            sentence = sentence_around(text, start, end)
            reached = any((one + sign * by) % DAY == minute for one in known for by in spans for sign in (1, -1))
            if (
                len(near) != 1
                or reached
                or (self.doubts and expression(self.doubts).search(sentence))
                or APART.search(sentence)
            ):
                continue
            reason = f"the result has {near[0] // 60:02}:{near[0] % 60:02}, and nothing in the conversation has or gives this"
            yield Finding("contradicted", text[start:end], reason, one_line(sentence, 200), there[near[0]].id)


def _alike(minute: int, other: int) -> bool:
    """Whether a time of day is a slip of another, on a clock of twenty-four hours or of twelve."""
    return slipped(_digits(minute), _digits(other)) < 1 or slipped(_digits(minute % 720), _digits(other % 720)) < 1


def _digits(minute: int) -> str:
    return f"{minute // 60:02}{minute % 60:02}"


def _minutes(text: str) -> Iterator[int]:
    """The lengths of time that a text speaks of, in minutes."""
    for found in SPAN.finditer(text):
        number = float(found[1]) if found[1][0].isdigit() else NUMERALS.get(found[1].lower(), 1)
        yield round(number * (60 if found[2][0] in "hHs" else 1))
    for found in FIELD.finditer(text):
        yield from (int(found[1]), int(found[1]) * 60)


class Near(NamedTuple):
    """A figure, how it is read, and the number of a result of which it is a slip."""

    said: Figure
    value: float
    known: float
    call: Call


def _shown(calls: Sequence[Call]) -> Iterator[tuple[frozenset[float], Call]]:
    """The numbers of results, each with the ways in which it can be read."""
    for call in calls:
        for text in _texts(call):
            for found in each_number(text) if any(map(str.isdigit, text)) else ():
                yield frozenset(map(abs, found)), call


def _near(one: Figure, there: Sequence[tuple[frozenset[float], Call]], stated: set[float]) -> Near | None:
    """The one number of the results of which a figure is a slip, hardly by chance."""
    found: list[tuple[float, Near]] = []
    alike: set[float] = set()
    most = max(one.values)
    for values, call in there:
        if not values & stated:
            alike |= {value for value in values if most / 10 < value < most * 10}
            found += [(slip(told, value), Near(one, told, value, call)) for told in one.values for value in values]
    found = [(chance, near) for chance, near in found if chance < CHANCE]
    if not found or len({max(near.known, near.value) for _, near in found}) > len(one.values):
        return None
    chance, near = min(found, key=lambda each: (each[0], -each[1].value))
    return near if chance * max(len(alike), 1) < CHANCE else None


def _columns(calls: Sequence[Call]) -> set[float]:
    """Sums and means of what the entries of lists have under one name, and of lists of numbers."""
    found: set[float] = set()
    for call in calls:
        columns: dict[str, list[float]] = defaultdict(list)
        for one in objects(call.result_value):
            for name, value in one.items():
                each = value if isinstance(value, list) else [value]
                columns[name] += [one for one in each if isinstance(one, (int, float)) and not isinstance(one, bool)]
        for column in columns.values():
            found |= {sum(column), sum(column) / len(column), median(column)} if len(column) > 1 else set()
    return found


def _texts(call: Call) -> Iterator[str]:
    """The texts of a result in which numbers stand: its plain values, or its lines."""
    if call.result_value is None:
        yield from call.result_text.splitlines()
    else:
        yield from (text for _, text in scalars(call.result_value, depth=8))
