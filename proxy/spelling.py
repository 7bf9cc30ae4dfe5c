"""Where a text has a value of a call or a result, in people's spelling: numbers, days, times of day, words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import Any

from proxy.dates import Mention, mentions
from proxy.fields import alike, words
from proxy.figures import clocks, sentence_around

MOMENT = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?")
TIME = re.compile(r"([01]\d|2[0-3]):([0-5]\d)(?::\d\d)?")
GROUPS = re.compile(r"\+?\d{2,6}(?:[ -]\d{2,6}){1,5}(?!\d)")
"""A number in groups, as of a telephone."""
NO_DIGIT = re.compile(r"\D+")
BETWEEN = re.compile(r"[\W_]+")
WORDS, TRIED = 100, 8
"""Words of a value that an expression is made of, and places where a longer one begins that are looked at."""
CODE = re.compile(r"(?=.*[A-Za-z]{3})[A-Za-z]{2,}(?:[_-]?\d{1,4}|[_-][A-Za-z]{2,}|(?<=\d)[A-Za-z]{1,3}\b){1,5}")
PART = re.compile(r"[a-z]+|\d+")
JOINT = r"[\W_]{1,3}(?:(?:and|or|of|the|und|et|y|e|de)[\W_]{1,3})?"
"""A code that is made of words and numbers, these, and what people put between them."""
ID = re.compile(r"(?=[\w:.#-]{3,40}\Z)(?=\D*\d).*[^\W\d].*")
"""What is called by letters and digits, and by no words; that it is short is asked first, for a value may be a whole file."""
UNITED = re.compile(r"(\d[\d.,]*)([A-Za-z%]{1,5})")
"""A number with its unit, which people part: `2TB`, "2 TB"."""
RANGE = re.compile(r"([01]?\d|2[0-3]):([0-5]\d) ?[-–] ?([01]?\d|2[0-3]):([0-5]\d)")
"""A stretch of the day."""
SMALL = 12
"""A whole number up to this one stands in any text; it is what was asked for where the line has a word of its name."""


def places(value: Any, text: str, name: str = "") -> Iterator[tuple[int, int]]:
    """Where a text has a value, in people's spelling; a small number only in a sentence that has a word of its name."""
    if isinstance(value, str) and MOMENT.fullmatch(value):
        yield from _moments(value, text)
        return
    if isinstance(value, str) and (time := TIME.fullmatch(value)):
        minute = int(time[1]) * 60 + int(time[2])
        yield from ((start, end) for start, end, told in clocks(text) if told == minute)
        return
    if isinstance(value, str) and (stretch := RANGE.fullmatch(value)):
        yield from _stretches(stretch, text)
        return
    small = isinstance(value, (int, float)) and abs(value) <= SMALL
    for found in matches(value, text):
        line = words(sentence_around(text, *found.span())) if small else ()
        if not small or any(alike(word, own) for own in words(name) for word in line):
            yield found.span()


def _stretches(value: re.Match[str], text: str) -> Iterator[tuple[int, int]]:
    """Where a text has a stretch of the day by its ends: "between 8 and 10 AM", "von 8 bis 10 Uhr", "08:00–10:00"."""
    ends = [(int(value[1]), value[2]), (int(value[3]), value[4])]
    hours = [
        rf"(?:{hour:02d}|{hour}|{(hour - 1) % 12 + 1})(?:[:.h]{minute}){'?' * (minute == '00')}"
        for hour, minute in ends
    ]
    half, to = r" ?(?:[ap]\.?m\.?|uhr|h)?", " ?(?:-|–|to|and|until|till|bis|und|a|y|à|et) ?(?:las )?"
    for found in re.finditer(rf"(?i)(?<![\d:.]){hours[0]}{half}{to}{hours[1]}(?!\d|[:.]\d){half}", text):
        late = "pm" in found.group().lower().replace(".", "").replace(" ", "")
        if late == (ends[1][0] >= 12) or not re.search(r"(?i)[ap]\.?m", found.group()):
            yield found.span()


def _moments(value: str, text: str) -> Iterator[tuple[int, int]]:
    """Where a text has a day; with a time of day that its line tells, or else any line, if the text tells any."""
    minute = int(value[11:13]) * 60 + int(value[14:16]) if len(value) > 10 else -1
    by_line: dict[int, set[int]] = {}
    for start, _, told in clocks(text) if minute >= 0 else ():
        by_line.setdefault(text.rfind("\n", 0, start), set()).add(told)
    if by_line and not any(minute in told for told in by_line.values()):
        return
    for one in _mentioned(text):
        day = any((date.month, date.day) == (int(value[5:7]), int(value[8:10])) for date in one.dates)
        beside = by_line.get(text.rfind("\n", 0, one.start)) if day else None
        if day and (not beside or minute in beside):
            yield one.start, one.end


@lru_cache(maxsize=2)  # one answer is asked for the days of many calls
def _mentioned(text: str) -> tuple[Mention, ...]:
    return tuple(mentions(text))


def matches(value: Any, text: str) -> Iterator[re.Match[str]]:
    """Where a text has a number or a text as people spell it; no expression is made for one that cannot be there.

    Of a long text its first words are told: an expression of a page takes as long as the page again at each of its words.
    """
    if isinstance(value, (int, float)):
        spelled = f"{value:,.2f}" if isinstance(value, float) and not value.is_integer() else f"{value:,.0f}"
        swapped = spelled.translate(str.maketrans(",.", ".,"))
        forms = {spelled, spelled.replace(",", ""), f"{value:.2f}", f"{value:g}", swapped}
        if any(form in text for form in forms):
            either = "|".join(map(re.escape, forms))
            yield from re.finditer(
                rf"(?<![\w.,/-])(?:{either})(?:[.,]0+|st\b|nd\b|rd\b|th\b)?(?![\w/]|-(?![a-z])|[.,]\d)", text
            )
        return
    united = UNITED.fullmatch(value) if isinstance(value, str) else None
    pieces = [one.casefold() for one in united.groups()] if united else plain(value).split()
    if pieces and all(piece in _folded(text) for piece in pieces):
        begun = r"[\W_]{0,3}".join(map(re.escape, pieces[:WORDS]))
        there = re.finditer(rf"(?i)(?<!\w){begun}(?!\w)", text)
        if len(pieces) <= WORDS:
            yield from there
        else:
            whole, reach = " ".join(pieces), len(str(value)) * 2
            for found in islice(there, TRIED):
                if plain(text[found.start() : found.start() + reach]).startswith(whole):
                    yield found


def spoken(value: Any, text: str) -> Iterator[tuple[int, int]]:
    """Where a text has the words of a code as people say them, in full or two of them turned round.

    "third party, fire and theft" of `third_party_fire_theft`, "Max Unlimited" of `MAX_UNL`, "full-size SUV" of `SUV_FULL`,
    "Flexi 50" of `FLEXI50`.
    """
    if isinstance(value, str) and len(value) <= WORDS and CODE.fullmatch(value):
        yield from (found.span() for found in _said_so(value.lower()).finditer(text))


@lru_cache(maxsize=256)
def _said_so(code: str) -> re.Pattern[str]:
    parts = PART.findall(code)
    words_ = [one + r"\w*" if len(one) > 2 and one.isalpha() else one for one in parts]
    if any(map(str.isdigit, parts)):
        orders = [r"[\W_]{0,3}".join(one.replace(r"\w*", r"[^\W\d]*") for one in words_)]
    elif len(parts) == 2:
        orders = [JOINT.join(words_), (JOINT + r"(?:\w+[\W_]{1,3})?").join(reversed(words_))]
    else:
        orders = [JOINT.join(words_)]
    return re.compile(rf"(?i)(?<!\w)(?:{'|'.join(orders)})(?!\w)")


@lru_cache(maxsize=4)
def _folded(text: str) -> str:
    return text.casefold()


@lru_cache(maxsize=64)  # one text is asked for many values
def plain_text(text: str) -> str:
    return plain(text)


def digits_of(text: str) -> str:
    """The digits of a text, however they are set apart."""
    return NO_DIGIT.sub("", text)


def standing(number: str, text: str) -> Iterator[re.Match[str]]:
    """Where a text has a number by itself, and as no part of a longer one."""
    return re.finditer(rf"(?<![\d.,]){re.escape(number)}(?![\d]|[.,]\d)", text)


def is_in_a_longer(text: str, start: int, everything: str) -> bool:
    """Whether digits are a group of a longer number that is known in another spelling: 07700 900523, of +44 7700 900523."""
    whole = next((each.group() for each in GROUPS.finditer(text) if each.start() <= start < each.end()), "")
    return bool(whole) and digits_of(whole).lstrip("0") in digits_of(everything)


def plain(value: Any) -> str:
    return BETWEEN.sub(" ", str(value)).strip().casefold()
