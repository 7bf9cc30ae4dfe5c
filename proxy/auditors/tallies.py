"""How many came to which end, by the result's own words for it: "deleted 1846", `{"failed": 5}`; another number is told."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, combinations, islice
from typing import Any, ClassVar

from proxy.audit import Finding
from proxy.claims import Claim, compared_text
from proxy.figures import sentence_around, unfenced, unquoted
from proxy.ledger import Call, Turn
from proxy.patterns import expression
from proxy.results import one_line
from proxy.roots import name_tokens, root, roots

_NUMBER = r"(?<![\w.,$€£¥#/:~+-])(?P<number>\d{1,3}(?:,\d{3})+|\d{1,8})(?![\w%-]|[.,:/]\d| ?%)"
NUMBER = re.compile(_NUMBER)
READ, MOST, DEPTH = 40_000, 200, 6
"""Code points of a text in which numbers are looked for, numbers that are compared, and levels of a result."""
LARGEST = 10**8
"""What is larger counts nothing: it is a moment, or a number of something."""

Numbers = Mapping[str, set[int]]


@dataclass(frozen=True, slots=True)
class Tallies:
    """Compare "deleted 6,120 logs" with the numbers that results have for the same word; it speaks where no other does.

    Told is a number of things of one end where the results of the turn have others for that end, none of which the answer
    has, and where this one is the number of another end in the same result, or stands nowhere in the conversation and is no
    sum or difference of those that do. `ends` are words for what became of things, `doubts` is an expression for sentences
    that speak of another time, of a part, or of what may be.
    """

    ends: tuple[str, ...] = ()
    doubts: str = ""

    reads: ClassVar[frozenset[str]] = frozenset({"text"})
    needs: ClassVar[frozenset[str]] = frozenset({"calls", "figures"})

    def follow(self, turn: Turn, claims: Sequence[Claim], findings: Sequence[Finding]) -> list[Finding]:
        text = unquoted(unfenced(compared_text(claims)))[:READ] if self.ends else ""
        told = list(islice(_told(text, self.ends), MOST))
        if not told:
            return []
        stated = {_value(found) for found in NUMBER.finditer(text)}
        results = [(call, _of(call, self.ends)) for call in turn.calls if call.result is not None]
        known = _joined((end, number) for _, own in results for end, numbers in own.items() for number in numbers)
        said = _joined((end, number) for end, number, _ in told)
        others = [finding.quote for finding in findings if finding.flagged]
        for end, number, found in told:
            own = known.get(end, set())
            line = one_line(sentence_around(text, *found.span()), 200)
            if not number or not own or said[end] & own or stated & own or len(said[end]) > 1:
                continue
            if any(line in quote or quote in line for quote in others) or expression(self.doubts).search(line):
                continue
            meant = _meant(end, number, results, turn)
            if meant is not None and not any(number in _of(one, self.ends).get(end, ()) for one in turn.earlier()):
                call, there = meant
                shown = ", ".join(f"{one:,}" for one in sorted(there)[:3])
                reason = f"the result has {shown} as {found['word'].lower()}"
                return [Finding("contradicted", one_line(found.group(), 80), reason, line, call.id)]
        return []


def _meant(
    end: str, number: int, results: Sequence[tuple[Call, Numbers]], turn: Turn
) -> tuple[Call, Collection[int]] | None:
    """The call whose result has other numbers for an end, and these, where this one is another end's, or is nobody's."""
    counted = [(call, own) for call, own in results if end in own]
    for call, own in counted:
        if any(number in numbers for other, numbers in own.items() if other != end):
            return call, own[end]
    if len(counted) != 1 or len(counted[0][1][end]) != 1 or not turn.whole():
        return None
    everything = turn.everything()
    shown = {_value(found) for found in islice(NUMBER.finditer(everything[-READ:]), MOST)}
    sums = {each for a, b in combinations(shown, 2) for each in (a + b, abs(a - b), a * b)}
    stands = re.search(rf"(?<!\d){number}(?!\d)|(?<!\d){number:,}(?!\d)", everything)
    call, own = counted[0]
    return None if stands or number in sums or number <= len(turn.calls) else (call, own[end])


def _joined(told: Iterable[tuple[str, int]]) -> Numbers:
    """The numbers that are told for each end."""
    known: dict[str, set[int]] = defaultdict(set)
    for end, number in told:
        known[end].add(number)
    return known


def _of(call: Call, ends: tuple[str, ...]) -> Numbers:
    """The numbers of a result for each end: in its fields and in its lines."""
    named = islice(_fields(call.result_value), MOST)
    fields = ((end, number) for name, number in named for end in name_tokens(name) & roots(ends))
    lines = islice(_told(call.result_text[:READ], ends), MOST)
    return _joined(chain(fields, ((end, number) for end, number, _ in lines)))


def _fields(value: Any, name: str = "", depth: int = DEPTH) -> Iterator[tuple[str, int]]:
    """The whole numbers of a value with their fields' names, and the lengths of its lists."""
    if isinstance(value, dict) and depth:
        for key, one in value.items():
            yield from _fields(one, str(key), depth - 1)
    elif isinstance(value, list) and depth:
        yield name, len(value)
        for one in value[:MOST]:
            yield from _fields(one, "", depth - 1)
    elif (
        isinstance(value, (int, str)) and not isinstance(value, bool) and str(value).isdecimal() and len(str(value)) < 9
    ):
        yield name, int(value)


def _told(text: str, ends: tuple[str, ...]) -> Iterator[tuple[str, int, re.Match[str]]]:
    """The numbers of a text that stand with the word for an end, before it or behind it."""
    for pattern in _patterns(ends) if any(map(str.isdigit, text)) else ():
        for found in pattern.finditer(text):
            number = _value(found)
            if number < LARGEST:
                yield root(found["word"].lower()), number, found


def _value(found: re.Match[str]) -> int:
    return int(found["number"].replace(",", ""))


@lru_cache(maxsize=16)
def _patterns(ends: tuple[str, ...]) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """An expression for "1846 files deleted" and one for "deleted: 1846" and "deleted 1846 files"."""
    word = rf"(?P<word>{'|'.join(map(re.escape, ends))})"
    before = rf"(?i){_NUMBER}[*_`]* (?:(?!of\b|and\b|or\b)[a-z]+ ){{0,2}}?{word}\b(?![- ]\w*(?:ly)\b)"
    units = r"(?:second|minute|hour|day|week|month|year|time|point|percent)s?\b"
    behind = (
        rf"(?i)\b{word}[*_`]*(?::[*_`]*|[ \t]*[|=])?[ \t]*[*_`]*{_NUMBER}"
        rf"(?=[*_`]*[ \t]*(?:[\n,;.()|]|$|(?!{units})(?:[a-z]+ )?(?!{units})[a-z]+s\b))"
    )
    return re.compile(before), re.compile(behind)
