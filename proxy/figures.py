"""Figures in a text (amounts, numbers, times of day), and whether one is a slip of another."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import lru_cache
from math import comb, prod
from typing import NamedTuple

from proxy.amounts import DIGIT, MORE, TAIL, WIDE, amounts, is_about, myriads, readings

DATED = "年年月월日일時时시点點分분秒초号號호歳岁세階层楼층級级급回次번条條第期限代以の万萬億亿만억千百十천백割折"
"""Letters behind a number by which it counts nothing that results have as a number, or is a part of another one."""
PLAIN = re.compile(
    rf"(?P<n>\d(?:(?<![\w.,/#@^~=+$€£¥–—-].)|(?<=[{WIDE}].)(?<![第제].))(?<![-–—] .)(?<![0-9A-Za-z_]:.){MORE})"
    rf"(?!(?![{WIDE}])[\w%/:@°]|[{DATED}]|[.,]\d|[-–—][\w]"
    r"| ?(?:%|percent\b|[kKmM]\b|[bm]n\b|thousand|million|[-–—] ?\d|°|℉|mi\b|miles|lbs?\b|pounds"
    r"|ft\b|feet|inch|oz\b|mph|gal|[GMKT]iB))"
)
"""A number that stands alone: no part of an id, a date, a version, a share or a range, and not converted to a unit."""
FENCED = re.compile(r"^[ \t]*(`{3,}|~{3,}).*?(?:^[ \t]*\1|\Z)", re.M | re.S)
QUOTED = re.compile(FENCED.pattern + r"|`[^`\n]*`|^[ \t]*>.*?$|\"[^\"\n]{1,300}\"|“[^”\n]{1,300}”", re.M | re.S)
CITED = re.compile(FENCED.pattern + r"|^[ \t]*>.*?$|[\"“„](?=[^\"”“\n]*\s)[^\"”“\n]{6,300}[\"”“]", re.M | re.S)
SPOKEN = re.compile(r"(?i)\b(?:zero|oh|one|two|three|four|five|six|seven|eight|nine)\b")
"""How digits are spoken."""
THOUSANDS = re.compile(r"\d{1,3}(?:\.\d{3})+")
YEAR = re.compile(r"(?:19|20)\d\d")
CLOCK = re.compile(r"(?<![\d:.,+-])([01]?\d|2[0-3])[:h]([0-5]\d)(?![\d:])(?:\s?([aApP])\.?[mM]\b)?")
HOUR = re.compile(r"(?<![\d:.,/-])(1[0-2]|[1-9])\s?([aApP])\.?[mM]\b")
MINUTES, HALF = re.compile(r"\d[:h]\d\d"), re.compile(r"\d\s?[aApP]\.?[mM]")
"""What must stand in a text for the two above, which are slower, to find anything."""
ZONES = re.compile(
    r"\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z\b|[+-]\d\d)"
    r"|\b(?:UTC|GMT|[CEMPBW]E?[SD]?T|time ?zones?|local time)\b(?![-_]?\d)|(?i:timezone|zoneinfo)"
    r"|\b(?:Europe|America|Asia|Africa|Australia|Pacific|Atlantic)/\w"
)
"""By these, a time may be told in another zone than the interface told it."""
DAY = 24 * 60


class Figure(NamedTuple):
    """A figure as a text has it: `values` are what it can mean, `step` the least that it tells apart."""

    text: str
    start: int
    end: int
    values: tuple[float, ...]
    step: float
    priced: bool
    vague: bool


def figures(text: str) -> Iterator[Figure]:
    """The amounts of money in a text, then the numbers that stand alone; not years."""
    return iter(_figures(text))


@lru_cache(maxsize=4)  # a sentence of sixty amounts is asked for by each of them
def _figures(text: str) -> tuple[Figure, ...]:
    return tuple(_each(text))


def _each(text: str) -> Iterator[Figure]:
    if DIGIT.search(text) is None:
        return
    taken: list[tuple[int, int]] = []
    for one in amounts(text):
        taken.append((one.start, one.end))
        yield Figure(one.text.strip(), one.start, one.end, one.values, one.step, True, one.vague)
    for one, priced in myriads(text):
        if not priced:
            taken.append((one.start, one.end))
            yield Figure(one.text.strip(), one.start, one.end, one.values, one.step, False, one.vague)
    taken.sort()
    for found in PLAIN.finditer(text):
        plain = found["n"]
        at = bisect_right(taken, (found.start(), len(text) + 1))
        if (at and found.start() < taken[at - 1][1]) or YEAR.fullmatch(plain):
            continue
        if plain.count(".") > 1 and plain.count(",") == 0 and not THOUSANDS.fullmatch(plain):
            continue  # a version, an address
        tail = TAIL.search(plain)
        vague = is_about(text, found.start())
        step = 10.0 ** -len(tail[1]) if tail else 1.0
        if values := readings(plain):  # forty digits are no figure
            yield Figure(plain, found.start(), found.end(), values, step, False, vague)


def dictates(text: str) -> bool:
    """Whether a text may spell a number digit by digit: "it ends in four two one seven"."""
    return len(SPOKEN.findall(text)) > 2


def clocks(text: str) -> Iterator[tuple[int, int, int]]:
    """The times of day in a text: where each begins and ends, and its minute of the day."""
    for found in CLOCK.finditer(text) if MINUTES.search(text) else ():
        hour, minute = int(found[1]), int(found[2])
        if found[3] and 1 <= hour <= 12:
            hour = hour % 12 + (12 if found[3].lower() == "p" else 0)
        yield found.start(), found.end(), hour * 60 + minute
    for found in HOUR.finditer(text) if HALF.search(text) else ():
        yield found.start(), found.end(), (int(found[1]) % 12 + (12 if found[2].lower() == "p" else 0)) * 60


def slip(said: float, known: float) -> float:
    """How likely a number is by chance such a slip of another as it is; 1 where it is none.

    Slips are a digit, one left out of seven or more, two of five or more, digits in another order, and a factor of ten. Of
    the numbers of three digits one in thirty-three differs from a given one by a digit, of those of four one in 250.
    """
    if said <= 0 or known <= 0 or said == known:
        return 1.0
    if round(max(said, known) / min(said, known), 9) == 10:
        digits = len(f"{known:.10g}".replace(".", "").strip("0"))
        return 20 / float(f"1e{digits}")
    one, other = f"{said:.4f}", f"{known:.4f}"
    if (
        one.endswith("0.0000")
        and other.endswith("0.0000")
        and len(one) == len(other) == 10
        and one[3] != "0" != other[3]
    ):
        return slipped(one[:5], other[:5])  # 24,120 is not round
    while one[-1] == other[-1] and one[-1] in "0.":
        one, other = one[:-1], other[:-1]
    return slipped(one.replace(".", ""), other.replace(".", ""))


def slipped(one: str, other: str) -> float:
    """The same of two texts of digits, where they are equally long, or long and one has a digit more."""
    if len(one) != len(other):
        short, long_ = sorted((one, other), key=len)
        more = len(long_) - len(short) == 1 and len(short) > 5
        dropped = more and any(long_[:at] + long_[at + 1 :] == short for at in range(len(long_)))
        return 10 * len(long_) / (0.9 * float(f"1e{len(short)}")) if dropped else 1.0
    apart = [at for at, (a, b) in enumerate(zip(one, other, strict=True)) if a != b]
    long, space = len(one), 0.9 * float(f"1e{len(one)}")
    if len(apart) == 1:
        return 9 * long / space
    if sorted(one) == sorted(other):
        neighbours = len(apart) == 2 and apart[1] == apart[0] + 1
        return (long - 1 if neighbours else prod(range(2, long + 1))) / space
    return 81 * comb(long, 2) / space if len(apart) == 2 and long > 4 else 1.0


MARKS = ("\n", ". ", "! ", "? ")
"""What may end a sentence."""
SKIPPED = 4
"""Marks that end none, at most, on either side of a place."""
SHORTENED = re.compile(
    r"(?:^|[\s(*])(?:[A-Z]|Dr|Mrs?|Ms|Prof|Sra?|St|No|Nr|ca|approx|vs|bzw|inkl|incl|[ei]\.[eg]|z\.B|u\.a|d\.h)$"
)
DAY_OF = re.compile(r"(?:Jan|Feb|März|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez)")


def unfenced(text: str) -> str:
    """A text without its blocks of code."""
    return FENCED.sub(" ", text) if "```" in text or "~~~" in text else text


@lru_cache(maxsize=2)  # one answer is looked at by many
def unquoted(text: str) -> str:
    """A text with blanks in place of code and quotations: what stands there nobody claims."""
    return QUOTED.sub(lambda found: " " * len(found.group()), text)


@lru_cache(maxsize=2)  # one answer is looked at by many
def own_words(text: str) -> str:
    """A text with blanks in place of blocks of code, quoted lines and sentences in quotation marks; code spans may be names."""
    return CITED.sub(lambda found: " " * len(found.group()), text)


def sentence_around(text: str, start: int, end: int) -> str:
    """The sentence or line around a part of a text."""
    begin, stop = _around(text, start, end)
    return text[begin:stop].strip()


def sentences_around(text: str, spans: Iterable[tuple[int, int]]) -> Iterator[str]:
    """The sentences around parts of a text, in their order; one that has several of them once, for it may be the whole text."""
    seen = range(0)
    for start, end in spans:
        if start not in seen or end not in seen:
            begin, stop = _around(text, start, end)
            whole = stop > len(text) or (text.startswith(MARKS, stop - 1) and _ends(text, stop - 1))
            seen = range(begin, stop) if whole else range(0)
            yield text[begin:stop].strip()


def _around(text: str, start: int, end: int) -> tuple[int, int]:
    """Where the sentence around a part of a text begins and stops."""
    begin, stop = start, end
    for _ in range(SKIPPED):
        begin = max(text.rfind(mark, 0, begin) for mark in MARKS)
        if begin < 0 or _ends(text, begin):
            break
    for _ in range(SKIPPED):
        stop = min((at for mark in MARKS if (at := text.find(mark, stop)) >= 0), default=len(text))
        if stop == len(text) or _ends(text, stop):
            break
        stop += 1
    return begin + 1, stop + 1


def _ends(text: str, at: int) -> bool:
    """Whether a mark ends a sentence: not that of an abbreviation, of an initial, or of a day ("am 10.11. um 8 Uhr")."""
    if text[at] != ".":
        return True
    before, after = text[max(0, at - 6) : at], text[at + 2 : at + 14]
    if before[-1:].isdigit():
        return not (after[:1].islower() or DAY_OF.match(after))
    return SHORTENED.search(before) is None
