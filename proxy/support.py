"""Whether a source's own text says what a claim says: its numbers, names and quoted words, near each other and meant so."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from proxy.support_words import (
    BINDING,
    BOUNDS,
    CONTRASTS,
    DOUBTS,
    MAGNITUDES,
    NEGATIONS,
    OPPOSITES,
    PREPOSITIONS,
    PRONOUNS,
    STOP,
    UNITS,
)
from proxy.wording import Token, sentences, stem, tokens

GAP = "[…]"
"""What stands in an excerpt for what was left out of it."""
NEEDED = 0.6
"""The part of a claim's other words that must stand in the passage."""
PASSAGE = 300
EXCERPT, BEST = 3_000, 5
"""Code points of an excerpt, and the sentences around which it is made."""
CLAIM = 1_000
LEADING, BACK = 2, 12
"""Sentences before a passage that an excerpt keeps, and in which the name is looked for that its "it" means."""

TURNED = tuple(frozenset(map(stem, pair)) for pair in OPPOSITES)
LEADERS = CONTRASTS | PREPOSITIONS | NEGATIONS | BOUNDS | DOUBTS
"""Words that are capital only because a sentence begins with them."""
QUOTED = re.compile(r"\"([^\"\n]{2,400})\"|“([^”\n]{2,400})”|«\s?([^»\n]{2,400}?)\s?»|„([^“”\n]{2,400})[“”]")
SOLID = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]")
"""Scripts whose words are not parted by spaces, or whose endings are not cut off here: they are compared word for word."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a claim can be held to."""

    tokens: tuple[Token, ...]
    numbers: tuple[Token, ...]
    names: tuple[tuple[str, ...], ...]
    quotes: tuple[tuple[str, ...], ...]
    others: frozenset[str]
    binding: frozenset[str]
    first: str
    """The stem of the first word that says something: what the claim speaks of."""

    @property
    def words(self) -> frozenset[str]:
        return frozenset(token.word for token in self.tokens)


def wanted(claim: str) -> Wanted:
    """What a claim can be held to. A claim without a number, a name or a quotation can be held to nothing."""
    claim = claim[:CLAIM]
    found = tokens(claim)
    quotes = [
        tuple(one.word for one in tokens(next(filter(None, quoted.groups())))) for quoted in QUOTED.finditer(claim)
    ]
    numbers = [one for one in found if one.number and one.word != "one"]
    names = list(_names(found, claim))
    named = {word for name in names for word in name}
    plain = [one for one in found if not one.number and one.word not in (STOP | UNITS.keys() | MAGNITUDES.keys())]
    binding = frozenset(one.stem for one in found if one.word in BINDING)
    others = frozenset(one.stem for one in plain if one.word not in named) - binding
    first = next((one.stem for one in plain if one.word not in BINDING), "")
    kept = tuple(one for one in quotes if len(one) > 1)
    return Wanted(tuple(found), tuple(numbers), tuple(names), kept, others, binding, first)


def checkable(claim: str) -> bool:
    """Whether there is something in a claim that a source's text can be held to."""
    if SOLID.search(claim):
        return len(_squeezed(claim)) >= 8
    want = wanted(claim)
    said = len(want.others) + len(want.names) + len(want.quotes)
    return bool(want.quotes or (want.numbers and said) or len(want.names) > 1 or (want.names and want.others))


def _names(found: Sequence[Token], text: str) -> Iterator[tuple[str, ...]]:
    """The runs of capitalised words: names. A sentence's own first word is none, unless another one follows it."""
    run: list[Token] = []
    for token in (*found, None):
        joined = token is not None and run and not re.search(r"[.!?:;,()\n\"“”]", text[run[-1].end : token.start])
        if token is not None and token.capital and token.word not in STOP and (joined or not run):
            run.append(token)
            continue
        if run and not (len(run) == 1 and _opens(run[0], found, text)):
            yield tuple(one.word for one in run)
        starts = token is not None and token.capital and token.word not in STOP
        run = [token] if starts and token is not None else []


def _opens(token: Token, found: Sequence[Token], text: str) -> bool:
    """Whether a word is capital merely because a sentence begins with it."""
    spelled = text[token.start : token.end]
    if len(spelled) > 1 and not spelled[1:].islower():
        return False
    before = text[: token.start].rstrip(" *_\"'“‘(#>-")
    return not before or before[-1] in ".!?:\n"


def _squeezed(text: str) -> str:
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", text).casefold())


class Document:
    """A source's text, read once for all claims. Its paragraphs are lines; `title` names what it speaks of."""

    def __init__(self, text: str, title: str = "") -> None:
        self.text, self.title = text, title
        self._spans = sentences(text)
        self._read: dict[int, list[Token]] = {}
        self._titled = [one.word for one in tokens(title[:PASSAGE])]

    def _sentence(self, number: int) -> list[Token]:
        if number not in self._read:
            self._read[number] = tokens(self.text[slice(*self._spans[number])])
        return self._read[number]

    def passage(self, claim: str) -> str:
        """The words of this text that support the whole claim, on one line; empty where none do."""
        if SOLID.search(claim):
            return self._verbatim(claim)
        want = wanted(claim)
        if not checkable(claim):
            return ""
        for number in range(len(self._spans)):
            if self._supports(want, number, 1):
                return self._spoken(number, 1)
        for number in range(len(self._spans) - 1):
            if self._leans(number + 1) and self._supports(want, number, 2):
                return self._spoken(number, 2)
        return ""

    def excerpt(self, claim: str, limit: int = EXCERPT) -> str:
        """The parts of this text that speak of a claim, with what leads to them; each sentence whole."""
        if len(self.text) <= limit:
            return self.text
        if SOLID.search(claim):
            return self._verbatim(claim)
        want = wanted(claim)
        weights = dict.fromkeys(want.others | want.binding, 1) | {stem(word): 2 for name in want.names for word in name}
        numbers = {one.number for one in want.numbers}
        scored = []
        for number in range(len(self._spans)):
            found = self._sentence(number)
            score = sum(weights.get(one, 0) for one in {token.stem for token in found})
            score += sum(3 for one in {token.number for token in found} if one in numbers)
            scored.append((-score, number))
        kept: set[int] = set()
        size = 0
        for score, number in sorted(scored)[:BEST]:
            lead = self._antecedent(number) if self._leans(number) else number
            first = max(0, min(number - LEADING, lead if lead >= 0 else number))
            around = set(range(first, min(number + 2, len(self._spans)))) - kept
            size += sum(self._spans[at][1] - self._spans[at][0] for at in around)
            if not score or size > limit:
                break
            kept |= around
        lines: list[str] = []
        for at in sorted(kept):
            lines += [] if at - 1 in kept else [GAP]
            lines.append(self.text[slice(*self._spans[at])].strip())
        return "\n".join(lines[1:] if 0 in kept else lines)

    def _spoken(self, number: int, count: int) -> str:
        words = self.text[self._spans[number][0] : self._spans[number + count - 1][1]]
        line = " ".join(words.split())
        return line if len(line) <= PASSAGE else line[: PASSAGE - 1].rstrip() + "…"

    def _verbatim(self, claim: str) -> str:
        """For scripts without spaces: the sentence that holds the claim, sign for sign."""
        squeezed = _squeezed(claim)
        if len(squeezed) < 8:
            return ""
        for number, span in enumerate(self._spans):
            said = self.text[slice(*span)]
            if squeezed in _squeezed(said) and not said.rstrip().endswith(("?", "？", "吗。", "か。")):
                return self._spoken(number, 1)
        return ""

    def _leans(self, number: int) -> bool:
        """Whether a sentence speaks of what stands before it: "It is …", "The tower is …", not "The Shard is …"."""
        words = self._sentence(number)
        named = len(words) > 1 and words[0].word == "the" and words[1].capital
        return bool(words) and words[0].word in PRONOUNS and not named

    def _antecedent(self, number: int) -> int:
        """The sentence whose names a leaning one means: the last before it that leans on none. -1: the title; -2: unclear."""
        for at in range(number - 1, max(-1, number - 1 - BACK), -1):
            found = self._sentence(at)
            if not found:
                return -2  # a gap in an excerpt
            if not self._leans(at) and next(_others(None, found), None) is not None:
                return at if not CONTRASTS.intersection(token.word for token in found) else -2
        return -1

    def _meant(self, want: Wanted, number: int) -> list[str]:
        """The words that name what a sentence speaks of without naming it; none where somebody else may be meant."""
        at = self._antecedent(number) if self._leans(number) else -1
        if at < 0:
            return self._titled if at == -1 else []
        found = self._sentence(at)
        words = [token.word for token in found]
        other = next(_others(want, found), len(words))
        return words[:other]

    def _supports(self, want: Wanted, number: int, count: int) -> bool:
        found = [token for at in range(number, number + count) for token in self._sentence(at)]
        stems = {token.stem for token in found}
        if want.numbers and not all(any(_equal(one, other, stems) for other in found) for one in want.numbers):
            return False
        words = [token.word for token in found]
        if not all(_holds(words, quoted) for quoted in want.quotes) or not want.binding <= stems:
            return False
        titled = {stem(word) for word in self._titled}
        covered = want.others & (stems | titled)
        if want.others and len(covered) < NEEDED * len(want.others):
            return False
        if not (covered & stems or want.quotes or not want.others):
            return False
        return self._named(want, number, count, found, words) and not self._vetoed(want, number + count - 1, found)

    def _named(self, want: Wanted, number: int, count: int, found: Sequence[Token], words: Sequence[str]) -> bool:
        """Whether the passage speaks of what the claim names, in that order, and of nothing else in its place."""
        meant = self._meant(want, number)
        absent = [name for name in want.names if not _holds(words, name)]
        if not all(_holds(meant, name) for name in absent):
            return False
        if absent and len(absent) < len(want.names) and not self._leans(number):
            return False  # it names its own; what the title names is another
        around = {stem(word) for word in (*words, *meant)}
        numbers = {one.number for one in found if one.number}
        if want.first and want.first not in around and want.first not in numbers:
            return False
        if count > 1:  # the second sentence is about what the first one names first
            lead = self._sentence(number)
            own = [token.word for token in lead][: next(_others(want, lead), len(lead))]
            own += meant if self._leans(number) else []
            if want.names and not any(_holds(own, name) for name in want.names):
                return False
        foreign = list(_others(want, found))
        if foreign and (absent or any(one.word in CONTRASTS for one in found) or _between(want, words, found, foreign)):
            return False
        return _ordered(want, words)

    def _vetoed(self, want: Wanted, last: int, found: Sequence[Token]) -> bool:
        """Whether the passage denies, doubts, asks or turns round what the claim says."""
        said, words = want.words, {token.word for token in found}
        if self.text[slice(*self._spans[last])].rstrip().endswith("?"):
            return True
        if negated(words) != negated(said) or (words & DOUBTS) - said:
            return True
        mine, theirs = {token.stem for token in want.tokens}, {token.stem for token in found}
        for pair in TURNED:
            if pair & theirs and pair & mine and not pair & mine & theirs:
                return True
        return any(_bounded(want, one, found) for one in want.numbers)


def _others(want: Wanted | None, found: Sequence[Token]) -> Iterator[int]:
    """Where words name somebody, the claim's own aside, and not merely where or of what."""
    for at, token in enumerate(found):
        if not _is_name(token, at) or (want and (token.word in want.words or token.stem in want.others)):
            continue
        before = at - 1
        while before > 0 and (found[before].word == "the" or found[before].capital):
            before -= 1
        if before < 0 or found[before].word not in PREPOSITIONS:
            yield at


def _between(want: Wanted, words: Sequence[str], found: Sequence[Token], foreign: Sequence[int]) -> bool:
    """Whether somebody else's name stands nearer before the claim's number than the claim's own does."""
    if not want.numbers or not want.names:
        return False
    counted = next((at for at, token in enumerate(found) if token.number == want.numbers[0].number), 0)
    own = [at + len(name) for name in want.names for at in range(counted) if tuple(words[at : at + len(name)]) == name]
    return any(max(own, default=0) <= at < counted for at in foreign)


def _bounded(want: Wanted, number: Token, found: Sequence[Token]) -> bool:
    """Whether the passage only says "up to" or "more than" a number, and the claim does not."""
    if _limited(want.tokens, want.tokens.index(number)):
        return False
    places = [place for place, token in enumerate(found) if token.number == number.number]
    return bool(places) and all(_limited(found, place) for place in places)


def _limited(found: Sequence[Token], place: int) -> bool:
    before = [token.word for token in found[max(0, place - 2) : place] if token.word not in ("$", "€", "£")]
    return before[-2:] == ["up", "to"] or bool(before and before[-1] in BOUNDS)


def _is_name(token: Token, place: int) -> bool:
    return token.capital and not token.number and token.word not in STOP and (place > 0 or token.word not in LEADERS)


def negated(words: frozenset[str] | set[str]) -> bool:
    """Whether one of the words of a sentence denies something."""
    return bool(words & NEGATIONS) or any(word.endswith("n't") for word in words)


def _equal(one: Token, other: Token, stems: set[str]) -> bool:
    if not other.number or one.number != other.number:
        return False
    if not one.unit or one.unit == other.unit:
        return True
    return not other.unit and any(UNITS.get(word) == one.unit for word in stems)


def _holds(words: Sequence[str], run: tuple[str, ...]) -> bool:
    """Whether words stand in a text one behind the other."""
    first, size = run[0], len(run)
    return any(words[at] == first and tuple(words[at : at + size]) == run for at in range(len(words) - size + 1))


def _ordered(want: Wanted, words: Sequence[str]) -> bool:
    """Whether the names come in the claim's order, so that it is not told the other way round; a passive turns it."""
    places = [words.index(name[0]) for name in want.names if name[0] in words]
    if len(places) < 2 or ("by" in words) != ("by" in want.words):
        return True
    return places == sorted(places)


LEAST, ALIKE = 6, 0.75
"""Words of a quotation that can be held to a source's wording, and the part of them that its own words must be."""


def misquoted(claim: str, texts: Sequence[str], others: Iterable[str] = ()) -> tuple[int, str] | None:
    """Which text a quotation in a claim is nearly from, and that text's own words; None where it stands in one, or in none.

    `others` are texts in which it may stand as well; they are read only where it comes to that.
    """
    for spelled in (next(filter(None, quoted.groups())) for quoted in QUOTED.finditer(claim[:CLAIM])):
        quoted = tuple(one.word for one in tokens(spelled))
        if len(quoted) < LEAST or "…" in spelled or "..." in spelled or "[" in spelled:
            continue
        near: tuple[int, str] | None = None
        for number, text in enumerate(texts):
            found = tokens(text)
            words = [one.word for one in found]
            if _holds(words, quoted):
                break
            start, alike = _nearest(words, quoted)
            if near is None and alike >= ALIKE:
                span = slice(found[start].start, found[start + len(quoted) - 1].end)
                near = number, " ".join(text[span].split())[:PASSAGE]
        else:
            if near and not any(_holds([one.word for one in tokens(other)], quoted) for other in others):
                return near
    return None


def _nearest(words: Sequence[str], quoted: Sequence[str]) -> tuple[int, float]:
    """Where a text comes nearest to a quotation, word under word, and how near, from 0 to 1."""
    places: dict[int, int] = {}
    at = {word: [place for place, one in enumerate(quoted) if one == word] for word in set(quoted) - STOP}
    for place, word in enumerate(words):
        for offset in at.get(word, ()):
            if 0 <= place - offset <= len(words) - len(quoted):
                places[place - offset] = places.get(place - offset, 0) + 1
    best = max(places, key=places.__getitem__, default=-1)
    if best < 0:
        return 0, 0.0
    same = sum(one == other for one, other in zip(quoted, words[best : best + len(quoted)], strict=True))
    return best, same / len(quoted)
