"""Dates in an answer that reports a deed must be those of the conversation, or follow from them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from proxy.audit import Finding
from proxy.claims import Claim, compared_text
from proxy.dates import Date, Mention, epochs, mentions, number, spans
from proxy.figures import ZONES, sentence_around
from proxy.ledger import Call, Turn
from proxy.patterns import expression
from proxy.results import one_line
from proxy.roots import CAMEL

CLOCK = re.compile(r"(?i)(?<![\d:.])(\d{1,2})(?::(\d\d))?\s?([ap])\.?m\b|(?<![\d:.])(\d{1,2}):(\d\d)(?![\d:])")
OVERNIGHT = re.compile(r"(?i)\d ?\(?\+ ?1\b|next.day|overnight|red-?eye")
"""By these an arrival may be a day after its departure."""
TRIED = 60
"""Dates of an answer that are compared."""
LAST = re.compile(r"(?i)\b(?:last|final|ends?|through|letzte\w*|endet|derni\w+|[úu]ltim\w+)\b|最後|最终|最終")
"""By these, a date may be that of the last of several."""
UNTIL = re.compile(
    r"(?i)\b(?:until|till|through|up to(?: and including)?|bis(?: zum)?|hasta(?: el)?|jusqu.au|até|fino al|tot)\W*$"
)
ENDS = re.compile(r"(?:\b(?:to|until|till|through|bis|hasta|au|al)|[–—-])\s{0,2}$")
"""Before the last day of several."""
FROM = re.compile(
    r"(?i)\b(?:from|as of|starting(?: on)?|ab(?: dem)?|desde(?: el)?|à partir du|a partir d[eo]|dal|vanaf)\W*$"
)
"""By these a day is the last before something, or the first after it."""
ORDINAL, ASKED = re.compile(r"(?i)\b(?:the|on|am) (\d{1,2})(?:st|nd|rd|th|\.)(?!\w| ?\d)(?! (?:of )?[A-Z])"), 2_000
"""A day without its month, and code points of a message in which one is looked for."""
BESIDE = 24
"""Code points before a date in which they stand."""
TELLING = re.compile(r"[^\W\d_]{4,}|\d{3,}(?:\.\d+)?")
"""The words and numbers by which a sentence says what it is about."""
LONGEST = 200_000
"""Code points of a conversation in which dates are looked for; what is longer is not accused."""


@dataclass(frozen=True, slots=True)
class Dates:
    """Compare dates with those of the results, the arguments and what people said, in any spelling.

    Told is only a date of an answer whose change was given or gave one itself, that stands nowhere, and that is neither a
    known one in another time zone, nor lies so many days, weeks or months from one as the conversation speaks of, nor
    between two. `doubts` is an expression for sentences that do not mean it so exactly; `proposals` one for answers that
    ask for a confirmation; `recurs` one for conversations about what comes again every week or month.
    """

    doubts: str = ""
    proposals: str = ""
    recurs: str = ""

    reads: ClassVar[frozenset[str]] = frozenset({"text"})
    needs: ClassVar[frozenset[str]] = frozenset({"change", "figures"})

    def compare(self, turn: Turn, claims: Sequence[Claim]) -> list[Finding]:
        text = compared_text(claims)
        said = list(mentions(text)) if any(map(str.isdigit, text)) else []
        changes = turn.landed_changes()
        if not said or not any(turn.nature(call) == "change" for call in changes):
            return []  # of what was only looked at, more may be known
        known = _Known(turn, changes, text, self.recurs)
        told = {day for one in said for day in _days(one)}
        listed = {
            (one.start, one.end) for one in said if known.spelled(one)
        }  # "September 2 and 3", of which one is known
        said = [one for one in said if (one.start, one.end) not in listed and not _bounds(one)]
        if not said or not known.own or not turn.legible() or len(known.text) > LONGEST:
            return []
        if known.days <= told:  # what is told beside all of them is one more, and in the place of none
            said = [
                one
                for one in said
                if known.days & _days(one) or ENDS.search(text[max(0, one.start - BESIDE) : one.start])
            ]
        findings: dict[str, Finding] = {}
        for one in said[:TRIED]:
            sentence = sentence_around(text, one.start, one.end)
            subject = text[one.start : one.end]
            if self.doubts and expression(self.doubts).search(sentence):
                continue
            if known.has(one, sentence) or known.elsewhere(sentence, subject) or _is_ordinal(one, turn):
                continue
            reason = f"the calls have {', '.join(known.own[:3])}, and nothing in the conversation has this date"
            quote = one_line(sentence, 200)
            findings.setdefault(subject, Finding("contradicted", subject, reason, quote, changes[-1].id))
        if findings and self.proposals and expression(self.proposals).search(text):
            return []
        return list(findings.values())


def _is_ordinal(said: Mention, turn: Turn) -> bool:
    """Whether the user named the day without its month: "I'm back on the 21st"."""
    days = set(map(int, ORDINAL.findall(turn.asked[:ASKED])))
    return any(date.day in days for date in said.dates)


class _Known:
    """The dates of a conversation, read when one is asked for that does not stand in it as it is."""

    def __init__(self, turn: Turn, changes: Sequence[Call], answer: str, recurs: str) -> None:
        self.text, self._answer = turn.everything(), answer
        self._turn, self._at, self._recurs = turn, turn.at, recurs
        self._changes = changes
        told = "\n".join(f"{call.raw}\n{call.result_text}" for call in turn.calls)
        self._asked = turn.asked
        self._near = f"{turn.asked}\n{told}"[:LONGEST]
        self._system = "\n".join(one.text for one in turn.before[:1] if one.role == "system")[:LONGEST]

    @cached_property
    def _told(self) -> list[Date]:
        calls = (f"{call.raw}\n{call.result_text}"[:LONGEST] for call in self._changes)
        return [date for call in calls for one in mentions(call) for date in one.dates]

    @cached_property
    def own(self) -> list[str]:
        """The dates that the changes were given or gave."""
        return list(dict.fromkeys(map(_shown, self._told)))

    @cached_property
    def days(self) -> set[tuple[int, int]]:
        """The same as months and days."""
        return {(date.month, date.day) for date in self._told}

    def spelled(self, said: Mention) -> bool:
        """Whether a date stands in the conversation as interfaces spell it."""
        return any(
            (f"{one.year}-" if one.year else "-") + f"{one.month:02}-{one.day:02}" in self.text for one in said.dates
        )

    @cached_property
    def _subjects(self) -> tuple[frozenset[str], frozenset[str]]:
        """The words and numbers of the changes, and those of the looks of the turn."""
        own = set(self._changes)
        changes = " ".join(f"{call.name} {call.raw} {call.result_text[:LONGEST]}" for call in self._changes)
        looks = " ".join(call.result_text[:LONGEST] for call in self._turn.calls if call not in own)
        return frozenset(_telling(changes)), frozenset(_telling(looks))

    def elsewhere(self, sentence: str, date: str) -> bool:
        """Whether a sentence is about what a look has shown, and about nothing that was changed."""
        own = _telling(sentence.replace(date, " "))
        changed, shown = self._subjects
        return not own.isdisjoint(shown) and own.isdisjoint(changed)

    def has(self, said: Mention, sentence: str) -> bool:
        """Whether a date can be right."""
        if any(not years.isdisjoint((0, date.year)) or (years and not date.year) for date, years in self._alike(said)):
            return True
        if self._zoned(said, sentence) or self._day_beside(said):
            return True
        lengths = self._lengths
        if self._again or LAST.search(sentence):
            # The last of twelve monthly payments is due eleven months after the first, the last of three days two days later.
            lengths = lengths | {(days - by, months) for days, months in lengths for by in (1, 7) if days > by}
            lengths |= {(days, months - 1) for days, months in lengths if months > 1}
        lengths = lengths | self._overnight
        apart, months = {days for days, _ in lengths} - {0}, {months for _, months in lengths} - {0}
        known = self._known
        if any(self._follows(_dated(day, other), other, apart, months) for day in said.dates for other in known):
            return True
        return self._between(said, known)

    @cached_property
    def _talk(self) -> str:
        """What is said around the dates: by the user, the calls of the turn and the answer."""
        return f"{self._near}\n{self._answer}"

    @cached_property
    def _lengths(self) -> set[tuple[int, int]]:
        """The days and months of the lengths of time that are spoken of."""
        return {(days, months) for days, months in spans(self._talk) if days <= 400 and months <= 36}

    @cached_property
    def _overnight(self) -> set[tuple[int, int]]:
        return {(1, 0)} if OVERNIGHT.search(self._talk) else set()

    @cached_property
    def _again(self) -> bool:
        """Whether it is about what comes again."""
        return bool(self._recurs) and expression(self._recurs).search(f"{self._asked}\n{self._answer}") is not None

    def _alike(self, said: Mention) -> Iterator[tuple[Date, set[int]]]:
        """What a date can mean, with the years in which the conversation has that day."""
        return ((date, self._years.get((date.month, date.day), set())) for date in said.dates)

    @cached_property
    def _years(self) -> dict[tuple[int, int], set[int]]:
        """The days of the conversation, each with its years; 0 for none."""
        found: dict[tuple[int, int], set[int]] = {}
        for date in (date for one in self._all for date in one.dates):
            found.setdefault((date.month, date.day), set()).add(date.year)
        return found

    def _zoned(self, said: Mention, sentence: str) -> bool:
        """Whether it is the day of a known moment in another time zone, or of the request itself."""
        clocks = set(_clocks(sentence))
        # Where all times of day are told as the interface told them, the days are the interface's too.
        same = bool(clocks) and clocks <= self._own_clocks
        halves = {*map(_half, clocks)} <= {*map(_half, self._own_clocks)}  # "8 pm" of 09:00+08:00
        groups = [self._moments]
        if not same:
            groups += [self._universal, *([self._local] if self._zones and not halves else ())]
        return any(
            number(date) in days
            if date.year
            else any(number(_dated(date, Date(1970 + day * 400 // 146_097, 7, 1))) == day for day in days)
            for date in said.dates
            for days in groups
        )

    @cached_property
    def _zones(self) -> bool:
        return ZONES.search(self.text) is not None

    @cached_property
    def _own_clocks(self) -> set[str]:
        """The times of day of the interfaces."""
        return {one.clock for one in self._all if one.clock}

    @cached_property
    def _moments(self) -> set[int]:
        """The days of the moments that are counted in seconds, and that of the request, with those beside them."""
        days = {day + by for day in epochs(self.text) for by in (-1, 0, 1)}
        return days | ({int(self._at // 86_400) + by for by in (-1, 0, 1)} if self._at else set())

    @cached_property
    def _universal(self) -> set[int]:
        """The days beside those of universal times that are other days elsewhere."""
        zoned = ((date, 1 if int(one.clock[:2]) >= 12 else -1) for one in self._all if one.zoned for date in one.dates)
        return {number(date) + by for date, by in zoned}

    @cached_property
    def _local(self) -> set[int]:
        """The days beside those of times in no zone that is told."""
        timed = (date for one in self._all if one.clock and not one.zoned for date in one.dates)
        return {number(date) + by for date in timed for by in (-1, 1)}

    def _day_beside(self, said: Mention) -> bool:
        """Whether it is the last day before one of a change, or the first after it: "until June 30" of what begins July 1."""
        before = self._answer[max(0, said.start - BESIDE) : said.start]
        by = 1 if UNTIL.search(before) else -1 if FROM.search(before) else 0
        days = {number(_dated(date, other)) + by for other in self._dates for date in said.dates} if by else set()
        return not days.isdisjoint(map(number, self._dates))

    @cached_property
    def _known(self) -> list[Date]:
        """The dates from which others may follow, each once."""
        return list(dict.fromkeys(date for one in self._based for date in one.dates))

    @cached_property
    def _dates(self) -> list[Date]:
        return [date for date in self._known if date.year]

    def _follows(self, day: Date, other: Date, lengths: set[int], counts: set[int]) -> bool:
        """Whether a date lies so many days or months from another as is spoken of, or comes again as it does."""
        apart = abs(number(day) - number(other))
        months = abs((day.year - other.year) * 12 + day.month - other.month)
        near = abs(day.day - other.day) <= 1 or (day.day >= 28 and other.day >= 28)
        if apart in lengths or (near and months in counts):
            return True
        return self._again and (apart % 7 == 0 or day.day in (1, other.day) or day.day >= 28)

    def _between(self, said: Mention, dates: Sequence[Date]) -> bool:
        """Whether it lies between two known dates, as the days of a journey do."""
        if not dates or len(self.own) < 2:
            return False
        days = sorted(number(date) for date in dates if date.year)
        return bool(days) and any(
            days[0] < number(_dated(date, other)) < days[-1] and days[-1] - days[0] <= 31
            for date in said.dates
            for other in dates[:1]
        )

    @cached_property
    def _based(self) -> list[Mention]:
        """The dates from which others may follow: those of this turn, and of the system text, which may say what day it is."""
        return list(mentions(f"{self._system}\n{self._near}"))

    @cached_property
    def _all(self) -> list[Mention]:
        return list(mentions(self.text[:LONGEST]))


def _telling(text: str) -> set[str]:
    """The words and numbers by which a text says what it is about: `1000.00` and `1000` are one."""
    return {one.removesuffix(".00").removesuffix(".0") for one in TELLING.findall(CAMEL.sub(" ", text).lower())}


def _days(said: Mention) -> set[tuple[int, int]]:
    return {(date.month, date.day) for date in said.dates}


def _bounds(said: Mention) -> bool:
    """Whether it is the first or the last day of a year: "since 1 January" needs no source."""
    return any((date.month, date.day) in ((1, 1), (12, 31)) for date in said.dates)


def _dated(date: Date, other: Date) -> Date:
    """A date in a year: its own, else the one that brings it near another date."""
    if date.year or not other.year:
        return date if date.year else Date(other.year or 2000, date.month, date.day)
    years = [Date(other.year + by, date.month, date.day) for by in (-1, 0, 1)]
    return min(years, key=lambda one: abs(number(one) - number(other)))


def _half(clock: str) -> str:
    """A time of day on a clock of twelve hours."""
    return f"{int(clock[:2]) % 12}{clock[2:]}"


def _clocks(text: str) -> list[str]:
    """The times of day in a text, as `HH:MM`."""
    found = []
    for hour, minute, half, plain, minutes in CLOCK.findall(text):
        if half:
            found.append(f"{int(hour) % 12 + (12 if half.lower() == 'p' else 0):02}:{minute or '00'}")
        else:
            found.append(f"{int(plain):02}:{minutes}")
    return found


def _shown(date: Date) -> str:
    return f"{date.year or '----'}-{date.month:02}-{date.day:02}"
