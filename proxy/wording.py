"""A text into its sentences, words and numbers, so that two texts can be compared however they are spelled."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import lru_cache

from proxy.support_words import MAGNITUDES, NUMBERS, UNITS

SENTENCE = 600
"""Code points of one sentence that are read; what goes on without a full stop is cut there."""

TOKEN = re.compile(r"[$€£¥₹%]|\d+(?:[.,]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)*")
BREAK = re.compile(r"(?<![.!?…])[.!?…]++[\"'”’»)\]]*+\s++(?=[\"'“‘«(\[]?[\w$€£])|;\s++|[。！？；]+|\n+")
ABBREVIATED = re.compile(
    r"(?i)(?:^|[\s(])(?:[a-z]|dr|mr|mrs|ms|prof|st|no|nos|approx|ca|vs|etc|inc|ltd|co|jr|sr|fig|vol|e\.g|i\.e|u\.s|[ap]\.m)\.$"
)
ITEM = re.compile(r"(?:[-*+•]|\d{1,3}[.)])\s")
IMAGE = re.compile(r"!\[[^\]\[\n]{0,300}\]\([^()\s]{0,2000}\)")
LINK = re.compile(r"\[([^\]\[\n]{1,300})\]\([^()\s]{0,2000}(?:\s\"[^\"\n]{0,200}\")?\)")
NAMED = re.compile(r"[^\W\d_]{2,}|\d[\d.,]*\d")
GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")


@dataclass(frozen=True, slots=True)
class Token:
    """A word, a number or a sign of money; `word` is folded, `stem` without its ending."""

    word: str
    stem: str
    start: int
    end: int
    capital: bool
    number: str = ""
    """The value, where it is a number: `330`, `1.65E+9`."""
    unit: str = ""


def tokens(text: str) -> list[Token]:
    """The words and numbers of a text; a number with the magnitude and the unit that stand beside it."""
    found = list(TOKEN.finditer(text))
    folded = [_folded(one.group()) for one in found]
    made = []
    for at, one in enumerate(found):
        spelled, word = one.group(), folded[at]
        number = _value(spelled) if spelled[0].isdigit() else NUMBERS.get(word, "")
        unit = ""
        if number:
            behind = at + 1
            if behind < len(found) and folded[behind] in MAGNITUDES:
                number = (
                    str(Decimal(number).scaleb(MAGNITUDES[folded[behind]]).normalize()) if _plain(number) else number
                )
                behind += 1
            unit = UNITS.get(folded[behind], "") if behind < len(found) else ""
            before = folded[at - 1] if at else ""
            unit = UNITS[before] if before in ("$", "€", "£") else unit
        made.append(Token(word, stem(word), *one.span(), spelled[0].isupper(), number, unit))
    return made


def _plain(number: str) -> bool:
    try:
        Decimal(number)
    except InvalidOperation:
        return False
    return True


def _value(spelled: str) -> str:
    """A number however it is spelled: `1,234.50` is 1234.5, `3,5` is 3.5; a version such as `2.1.3` is itself."""
    text = spelled
    if GROUPED.fullmatch(text):
        text = text.replace(",", "")
    elif text.count(",") == 1 and "." not in text:
        text = text.replace(",", ".")
    if len(text) > 40 or not _plain(text):
        return spelled
    return str(Decimal(text).normalize())


@lru_cache(maxsize=50_000)
def _folded(word: str) -> str:
    word = word.replace("’", "'").casefold()
    return without_accents(word).removesuffix("'s")


def without_accents(text: str) -> str:
    """A text with the letters that its accents stand on."""
    if text.isascii():
        return text
    return "".join(char for char in unicodedata.normalize("NFKD", text) if not unicodedata.combining(char))


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """A word without the ending of its number or tense, roughly: both sides are cut alike."""
    if word.endswith("n't"):
        return word
    for ending in ("ingly", "edly", "ing", "ies", "ied", "es", "ed", "ly", "s", "e", "y"):
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            word = word.removesuffix(ending)
            return word[:-1] if len(word) > 4 and word[-1] == word[-2] else word
    return word


def sentences(text: str) -> list[tuple[int, int]]:
    """The sentences of a text whose paragraphs are lines."""
    spans: list[tuple[int, int]] = []
    at = 0
    for found in BREAK.finditer(text):
        if found.group()[0] == "." and ABBREVIATED.search(text, max(0, found.start() - 8), found.start() + 1):
            continue
        spans += _pieces(text, at, found.end())
        at = found.end()
    return [*spans, *_pieces(text, at, len(text))]


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while end - start > SENTENCE:
        cut = text.rfind(" ", start, start + SENTENCE)
        cut = cut if cut > start else start + SENTENCE
        yield start, cut
        start = cut
    if text[start:end].strip():
        yield start, end


def plain(text: str) -> str:
    """A plain or Markdown text with each paragraph, item and heading on a line of its own, and links as their words."""
    text = IMAGE.sub(" ", text) if "](" in text else text
    paragraphs: list[list[str]] = []
    fresh = True
    for line in text.splitlines():
        bare = " ".join(line.split())
        if not bare or fresh or ITEM.match(bare) or bare.startswith(("#", "|", ">")):
            paragraphs.append([])
        if bare:
            paragraphs[-1].append(bare)
        fresh = not bare or bare.startswith("#")
    kept = (" ".join(paragraph) for paragraph in paragraphs if paragraph)
    return "\n".join(LINK.sub(r"\1", line) if "](" in line else line for line in kept)


def begun(text: str, idle: Collection[str]) -> set[str]:
    """What a text is about: how its words begin, without those that are `idle`, and its numbers."""
    found: set[str] = set()
    for word in NAMED.findall(text):
        plain = word.lower()
        if plain[0].isdigit():
            found.add(plain.replace(",", "").removesuffix(".00"))
        elif plain[:5] not in idle:
            found.add(plain[:5].removesuffix("s") if len(plain) <= 5 else plain[:5])
    return found
