"""Dates in texts and results, in the spellings of people and of interfaces, and what follows from them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from proxy.amounts import DIGIT, NUMERALS

MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan januar enero janvier janv",
            "february feb februar febrero février févr fevrier",
            "march mar märz marzo mars",
            "april apr abril avril avr",
            "may mai mayo",
            "june jun juni junio juin",
            "july jul juli julio juillet juil",
            "august aug agosto août aout",
            "september sept sep septiembre septembre",
            "october oct oktober okt octubre octobre",
            "november nov noviembre novembre",
            "december dec dezember dez diciembre décembre decembre",
        ),
        1,
    )
    for name in names.split()
}
_NAMES = "|".join(sorted(MONTHS, key=len, reverse=True))
_DAY = r"(?:0?[1-9]|[12]\d|3[01])"
_TH = r"(?:st|nd|rd|th|\.|er|º|ª)?"
_GAP = r"(?:\s|\s?\n[ >|]{1,12})"  # a line may be broken there, as YAML does
_TO = r"\s?(?:[-–—/]|to|and|&|bis|au|al|à)\s?"
ISO = re.compile(
    r"([12](?<![\d.-].)(?:(?<=1)9|(?<=2)0)\d\d)([-/.])(0?[1-9]|1[0-2])\2(0?[1-9]|[12]\d|3[01])(?!\d)"
    r"(?:[T ](\d\d):(\d\d)[\d:.]*(Z|[+-]00:?00)?)?"
)
NUMERIC = re.compile(r"(?<![\w./-])(\d{1,2})([./-])(\d{1,2})\2((?:19|20)\d\d|\d\d)(?![\d/]|[.-]\d)")
EAST = re.compile(r"(?:((?:19|20)\d\d)\s?[年년]\s?)?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일]")
DAY_FIRST = re.compile(
    rf"(?i)(?=\d)(?<![\w.,:/$€£-])(?:({_DAY}){_TH}{_TO})?({_DAY}){_TH}(?:{_GAP}(?:of|de|del))?(?:-|{_GAP})(?:de )?"
    rf"({_NAMES})\b\.?(?:,?(?:-|{_GAP})(?:de |del )?((?:19|20)\d\d)(?!\d))?"
)
MONTH_FIRST = re.compile(
    rf"(?i)\b({_NAMES})\b\.?(?!\s?\n\s*\d{{1,2}}[.)]\s){_GAP}({_DAY})(?:st|nd|rd|th)?(?:{_TO}({_DAY})(?:st|nd|rd|th)?)?(?![\d:%]|\.\d)(?:,?{_GAP}((?:19|20)\d\d)(?!\d))?"
)
NAMED = re.compile(
    r"[ADEFJMNOSadefjmnos](?<!\w.)(?i:(?<=j)(?:an|u[nli])|(?<=f)[eé][bv]|(?<=m)(?:[aä]r|a[iy])|(?<=a)(?:[pb]r|vr|[uog][gûuo])"
    r"|(?<=s)ep|(?<=o)[ck]t|(?<=n)ov|(?<=d)(?:e[cz]|ic|éc)|(?<=e)ne)"
)
"""How the name of a month begins."""
SEPARATED = re.compile(r"\d[./-]\d{1,2}[./-]\d\d")
"""What must stand in a text for one of the slower expressions to find anything."""
EPOCH = re.compile(r"(?<![\w.-])(1[0-9]{9})(?:\d{3})?(?![\w.-])")
SPAN = re.compile(
    r"(?i)(?<![\w.])(\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fourteen|thirty|a|an|next|every"
    r"|each|una?|une|eine?|cada|chaque|jede[nrs]?|al|pro|par|por)[\s_-]?(?:\w+ )?"
    r"(day|night|week|month|quarter|year|tag|nacht|woche|monat|jahr|jour|nuit|semaine|mois|an|día|noche|semana|mes|año|日|天|泊|晚|週|周|个月|か月|ヶ月|年)"
)
FIELD = re.compile(
    r"(?i)\"[^\"\n]{0,30}(day|night|week|month|mes(?:es)?|monat|mois|year|duration|term|period|eta|lead)[^\"\n]{0,20}\"\s*:\s*\"?(\d{1,3})\b"
)
COUNTS = {**NUMERALS, "fourteen": 14, "thirty": 30}
UNITS = {
    **dict.fromkeys(("week", "woch", "sema", "週", "周"), (7, 0)),
    **dict.fromkeys(("month", "mona", "mois", "mes", "个月", "か月", "ヶ月"), (0, 1)),
    **dict.fromkeys(("year", "jahr", "an", "año", "年"), (0, 12)),
    "quar": (0, 3),
}
LONGEST = 40_000


class Date(NamedTuple):
    """A day; `year` is 0 where the text does not say it."""

    year: int
    month: int
    day: int


class Mention(NamedTuple):
    """Where a text has a date, and what it can mean: "3/4/2025" is two days.

    `clock` is the time of an interface's own spelling, and `zoned` says that it is universal time, not anybody's.
    """

    start: int
    end: int
    dates: tuple[Date, ...]
    clock: str = ""
    zoned: bool = False


def mentions(text: str) -> Iterator[Mention]:
    """The dates in a text; one of two days ("4–8 August") is two mentions."""
    if DIGIT.search(text) is None:
        return
    for found in ISO.finditer(text):
        day = _date(int(found[1]), int(found[3]), int(found[4]))
        clock = f"{found[5]}:{found[6]}" if found[5] else ""
        yield from _mention(found, day, clock=clock, zoned=bool(found[7]))
    for found in NUMERIC.finditer(text) if SEPARATED.search(text) else ():
        year = int(found[4]) + (2000 if len(found[4]) == 2 else 0)
        one, other = int(found[1]), int(found[3])
        yield from _mention(found, _date(year, other, one), _date(year, one, other) if found[2] != "." else None)
    for found in EAST.finditer(text) if "月" in text or "월" in text else ():
        yield from _mention(found, _date(int(found[1] or 0), int(found[2]), int(found[3])))
    names = [one.start() for one in NAMED.finditer(text)]
    for found in DAY_FIRST.finditer(text) if names else ():
        if found[3] == "may":
            continue  # "arriving at 1 may be possible"
        month, year = MONTHS[found[3].lower()], int(found[4] or 0)
        for told in (found[1], found[2]):
            yield from _mention(found, _date(year, month, int(told))) if told else ()
    for found in filter(None, (MONTH_FIRST.match(text, at) for at in names)):
        if found[1] == "may":
            continue  # "you may 3 times"
        month, year = MONTHS[found[1].lower()], int(found[4] or 0)
        for told in (found[2], found[3]):
            yield from _mention(found, _date(year, month, int(told))) if told else ()


def _mention(found: re.Match[str], *dates: Date | None, clock: str = "", zoned: bool = False) -> Iterator[Mention]:
    real = tuple(dict.fromkeys(one for one in dates if one is not None))
    if real:
        yield Mention(found.start(), found.end(), real, clock, zoned)


def _date(year: int, month: int, day: int) -> Date | None:
    lengths = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
    return Date(year, month, day) if 1 <= month <= 12 and 1 <= day <= lengths[month - 1] else None


def epochs(text: str) -> Iterator[int]:
    """The days of the times in seconds or milliseconds since 1970 that a text holds."""
    return (int(found[1]) // 86_400 for found in EPOCH.finditer(text))


def number(date: Date) -> int:
    """The days from 1970-01-01 to a date."""
    year, month = (date.year, date.month) if date.month > 2 else (date.year - 1, date.month + 12)
    return 365 * year + year // 4 - year // 100 + year // 400 + (153 * (month - 3) + 2) // 5 + date.day - 719_469


def near(day: Date, date: Date, by: int = 0) -> bool:
    """Whether two dates are one day, or no more than so many apart; one without a year is of any."""
    one, other = (day, date) if day.year and date.year else (day._replace(year=2000), date._replace(year=2000))
    return abs(number(one) - number(other)) <= by


def spans(text: str) -> Iterator[tuple[int, int]]:
    """The lengths of time that a text speaks of, in days and in months: "3 nights" is (3, 0), "a year" (0, 12)."""
    for found in SPAN.finditer(text[:LONGEST]):
        word = found[1].lower()
        yield _span(int(word) if word.isdigit() else COUNTS.get(word, 1), found[2])
    for found in FIELD.finditer(text[:LONGEST]):
        yield _span(int(found[2]), found[1])


def _span(count: int, unit: str) -> tuple[int, int]:
    days, months = next((one for start, one in UNITS.items() if unit.lower().startswith(start)), (1, 0))
    return count * days, count * months
