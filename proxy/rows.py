"""The rows of a result: by which names, months or days a stretch of text means one of them alone, and what each has."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from proxy.amounts import DIGIT, WIDE, each_number
from proxy.dates import MONTHS, NAMED, Date, mentions, same_day
from proxy.fields import Field
from proxy.figures import clocks

MONTH = re.compile(r"([12](?:(?<=1)9|(?<=2)0)\d\d)-(0[1-9]|1[0-2])")
"""A month as interfaces spell it."""
_NAMES = "|".join(sorted((name for name in MONTHS if name not in ("may", "mar")), key=len, reverse=True))
MONTH_NAME = re.compile(rf"(?i)(?<!\w)({_NAMES}|may|mar)\b\.?(?:,? (?:de |del )?((?:19|20)\d\d))?")
EAST = re.compile(
    r"(?:((?:19|20)\d\d)\s?[年년]\s?)?(1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])\s?[月월](?!\s?\d{1,2}\s?[日일])"
)
NUMERALS = {name: number for number, name in enumerate("一二三四五六七八九十", 1)} | {"十一": 11, "十二": 12}
EASTERN = re.compile(f"[{WIDE}]")
WORD = re.compile(r"[^\W\d_]{4,}")
NAME, LONG = 60, 30
"""Code points of a name of a thing, and of a cell that is one value."""
LEAST = 5
"""Digits of an id without a letter."""


class Cell(NamedTuple):
    """What one field of a row is: a number in each way in which it can be told, a time of day, or a day."""

    field: Field
    numbers: frozenset[float] = frozenset()
    clock: int = -1
    day: Date | None = None


class Meant(NamedTuple):
    """The row that a stretch means, and the stretch without the names by which it does so."""

    thing: int
    rest: str


def cell(field: Field) -> Cell:
    """What a field holds, where that is one value."""
    value = field.value
    return Cell(field, *_held(value)) if len(value) <= LONG and DIGIT.search(value) else Cell(field)


@lru_cache(maxsize=4_096)
def _held(value: str) -> tuple[frozenset[float], int, Date | None]:
    """The numbers of a value, its time of day and its day."""
    none: frozenset[float] = frozenset()
    if days := list(mentions(value)):
        times = list(clocks(value.partition("T")[2] or value))
        day = days[0].dates[0] if len(days) == 1 and len(days[0].dates) == 1 else None
        return none, times[0][2] if len(times) == 1 else _clock(days[0].clock), day
    if times := list(clocks(value)):
        return none, times[0][2] if len(times) == 1 else -1, None
    numbers = list(each_number(value))
    if len(numbers) != 1 or MONTH.fullmatch(value):
        return none, -1, None
    return frozenset(_spellings(map(abs, numbers[0]))), -1, None


def _clock(text: str) -> int:
    return int(text[:2]) * 60 + int(text[3:]) if text else -1


def _spellings(values: Iterable[float]) -> Iterator[float]:
    """The ways in which a number may be told: cents as whole units, a part of one as a share of a hundred."""
    for one in values:
        yield one
        if one >= 100 and one.is_integer():
            yield one / 100
        elif 0 < one <= 1:
            yield round(one * 100, 6)


class Rows:
    """The rows of one result, found by what stands in a stretch of text."""

    def __init__(self, fields: Sequence[Field]) -> None:
        self._fields = fields
        columns: dict[str, list[Field]] = defaultdict(list)
        for one in fields:
            columns[one.name].append(one)
        self._names: dict[str, int] = {}
        self._words: dict[str, set[int]] = defaultdict(set)
        self._months: dict[Date, set[int]] = defaultdict(set)
        for column in columns.values():
            self._read(column)

    @cached_property
    def cells(self) -> list[Cell]:
        """What all rows have, in the order of the result."""
        return [cell(one) for one in self._fields]

    @cached_property
    def _rows(self) -> dict[int, list[Cell]]:
        rows: dict[int, list[Cell]] = defaultdict(list)
        for each in self.cells:
            rows[each.field.thing].append(each)
        return rows

    def of(self, thing: int) -> Sequence[Cell]:
        """The cells of a row."""
        return self._rows[thing]

    def _read(self, column: Sequence[Field]) -> None:
        """The names in a column in which all rows differ."""
        values = [one.value.casefold() for one in column]
        if len(column) < 2 or len(set(values)) < len(values):
            return
        for one, low in zip(column, values, strict=True):
            if month := _month(one.value):
                self._months[month].add(one.thing)
            elif one.quoted and 2 <= len(low) <= NAME and _is_name(low):
                for name in {low, low.rsplit("/", 1)[-1], low.replace("_", " ")}:
                    self._names[name] = one.thing if self._names.get(name, one.thing) == one.thing else -1
                for word in WORD.findall(low):
                    self._words[word].add(one.thing)

    def meant(self, stretch: str) -> Meant | None:
        """The one row that a stretch speaks of; None where it speaks of none, or of several."""
        named = self._named(stretch)
        things = {thing for thing, _, _ in named} | self._hinted(stretch, named)
        if not things:
            return self._dated(stretch)
        if len(things) > 1 or not named:
            return None
        thing = things.pop()
        return Meant(thing, _blanked(stretch, ((start, end) for _, start, end in named))) if thing >= 0 else None

    def parted(self, stretch: str) -> Iterator[Meant]:
        """The rows that a stretch names one after another, each with what stands behind its name."""
        named = sorted(self._named(stretch), key=lambda one: one[1])
        if (
            len(named) < 2
            or any(map(str.isdigit, stretch[: named[0][1]].rpartition(":")[2]))
            or self._hinted(stretch, named) - {one[0] for one in named}
        ):
            return
        ends = [start for _, start, _ in named[1:]] + [len(stretch)]
        parts = [(thing, stretch[end:stop]) for (thing, _, end), stop in zip(named, ends, strict=True)]
        if len({thing for thing, _ in parts}) == len(parts) and all(any(map(str.isdigit, part)) for _, part in parts):
            yield from (Meant(thing, part) for thing, part in parts if thing >= 0)

    def only(self, text: str) -> int | None:
        """The one row whose month a whole text names."""
        things = {thing for one, _, _ in months(text) for thing in self._of_month(one)} if self._months else set()
        return things.pop() if len(things) == 1 else None

    def _named(self, stretch: str) -> list[tuple[int, int, int]]:
        """The rows that a stretch has the names of, and where; of names within names the longest."""
        low, found = stretch.casefold(), []
        if len(low) != len(stretch):
            return []
        for name in sorted((one for one in self._names if one in low), key=len, reverse=True):
            for start, end in _places(low, name, stretch):
                found.append((self._names[name], start, end))
                low = low[:start] + " " * (end - start) + low[end:]
        return found

    def _hinted(self, stretch: str, named: Sequence[tuple[int, int, int]]) -> set[int]:
        """The rows of which a stretch has a word that no other row's name has."""
        low = _blanked(stretch, ((start, end) for _, start, end in named)).casefold()
        return {next(iter(things)) for word in WORD.findall(low) if len(things := self._words.get(word, set())) == 1}

    def _dated(self, stretch: str) -> Meant | None:
        """The row whose month, or else whose day, a stretch has."""
        said = list(months(stretch)) if self._months else []
        if said:
            things = {thing for one, _, _ in said for thing in self._of_month(one)}
            rest = _blanked(stretch, ((start, end) for _, start, end in said))
            return Meant(things.pop(), rest) if len(things) == 1 else None
        days = list(mentions(stretch))
        if len(days) != 1 or len(days[0].dates) != 1:
            return None
        said_day = days[0].dates[0]
        own = {one.field.thing for one in self.cells if one.day is not None and same_day(said_day, one.day)}
        rest = _blanked(stretch, [(days[0].start, days[0].end)])
        return Meant(own.pop(), rest) if len(own) == 1 else None

    def _of_month(self, said: Date) -> set[int]:
        return {
            thing
            for month, rows in self._months.items()
            if month.month == said.month and (not said.year or not month.year or said.year == month.year)
            for thing in rows
        }


def months(text: str) -> Iterator[tuple[Date, int, int]]:
    """The months that a text names, without a day, and where."""
    named = MONTH_NAME.finditer(text) if NAMED.search(text) else ()
    eastern = EAST.finditer(text) if "月" in text or "월" in text else ()
    all_ = [*MONTH.finditer(text), *named, *eastern]
    taken = [(one.start, one.end) for one in mentions(text)] if all_ else []
    for found in all_:
        if any(start <= found.start() < end for start, end in taken) or found.group() in ("may", "mar"):
            continue
        if found.re is MONTH:
            yield Date(int(found[1]), int(found[2]), 0), *found.span()
        elif found.re is MONTH_NAME:
            yield Date(int(found[2] or 0), MONTHS[found[1].lower()], 0), *found.span()
        else:
            yield Date(int(found[1] or 0), NUMERALS.get(found[2]) or int(found[2]), 0), *found.span()


def _month(value: str) -> Date | None:
    found = MONTH.fullmatch(value)
    if found:
        return Date(int(found[1]), int(found[2]), 0)
    named = next(months(value), None)
    return named[0] if named is not None and named[2] - named[1] == len(value) else None


def _is_name(low: str) -> bool:
    """Whether a text may name a thing: it has letters, or is a long id; it is no day, time or amount."""
    if any(map(str.isalpha, low)):
        return (
            low not in ("true", "false", "null", "none", "yes", "no")
            and not any(mentions(low))
            and not any(clocks(low))
        )
    return low.isdigit() and len(low) >= LEAST


def _blanked(text: str, spans: Iterable[tuple[int, int]]) -> str:
    for start, end in spans:
        text = text[:start] + " " * (end - start) + text[end:]
    return text


def _places(low: str, name: str, stretch: str) -> Iterator[tuple[int, int]]:
    """Where a text has a name as words of their own; a short one only as it would stand in a list, in capitals."""
    at = low.find(name)
    while at >= 0:
        end = at + len(name)
        free = not (low[at - 1 : at].isalnum() and name[0].isalnum()) and not (
            low[end : end + 1].isalnum() and name[-1].isalnum()
        )
        if EASTERN.search(name) or (free and (len(name) > 3 or stretch[at:end].isupper())):
            yield at, end
        at = low.find(name, end)
