"""What a turn's amounts can be reckoned from: the numbers of its calls and texts, and whether an amount follows from them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from proxy.amounts import CENTS, LARGEST, NUMERALS, SEPARATORS, Amount, Pool, is_priced, pool
from proxy.ledger import Call
from proxy.results import lists, objects
from proxy.sums import follows

PERIOD = re.compile(r"(?i)month|year|annual|week|/mo\b|/yr\b|monat|jahr|mois|mes\b|año")
"""By these, what is paid a month may be told by the year, and the other way round."""
ALONE = re.compile(
    r"(\d(?<![\d.²³¹⁰⁴-⁹].)(?:(?<=,.)()|)\d*+(?:\.\d++)?+)(?![\d²³¹⁰⁴-⁹]|\.\d)"
    rf"(?:(?!,\d)|(?(2)|(?={SEPARATORS.pattern})))"
)
"""A number as interfaces spell it, no part of another one: before a comma and a digit only where commas part values."""
RATE = re.compile(r"(\d(?<!\d\d)\d*+(?:\.\d++)?+) ?(?:%|percent\b)")
COUNT = re.compile(r"(?<![\d.,$€£¥])(\d{1,3})(?![\d.,%])")
FEW, MANY = 8, 24
"""Amounts of which sums of four and of three are tried."""
LARGE = 400
"""A number that is too large to be tried as a multiplier of every amount."""
TIMES = 24
"""Numbers that are looked for one by one in a text, and places of one of them, before the text is read for all."""
MOST = 160
"""Amounts of which sums and differences are tried; a turn with more is not accused."""


def rates(text: str) -> set[float]:
    """The shares in a text: "15%"."""
    return {rate for one in RATE.findall(text) if 0 < (rate := float(one)) < LARGEST}


def fits(one: Amount, known: Pool, stated: set[float], counts: set[int], rates: set[float]) -> bool:
    """Whether an amount is known, or follows from those that are.

    Of many amounts some three or four add up to nearly everything, and of few ones that are whole, so fewer parts count.
    """
    most = len(known.amounts | stated)
    parts = 2 if most > MANY or (one.step >= 1 and most > FEW) else 3 if most > FEW else 4
    return any(
        is_one(value, one.step, known.known)
        or follows(value, one.step, known.amounts | stated, known.counts | counts, known.rates | rates, parts)
        for value in one.values
    )


def pool_of(calls: Iterable[Call], spoken: Iterable[str]) -> Pool:
    """The numbers of calls, and of what people said."""
    values: list[Any] = []
    texts: list[str] = []
    lengths: set[int] = set()
    for call in calls:
        values.append(call.arguments)
        lengths |= {len(one) for one in _lists(call)}
        if call.result_value is not None:
            values.append(call.result_value)
        else:
            texts.append(call.result_text)
    found = pool(values, texts, spoken)
    found.counts.update(lengths)
    found.amounts.update(_totals(values))
    return found


def _totals(values: Sequence[Any]) -> Iterator[float]:
    """What the amounts in a list come to, field by field, all of them and those of the entries whose ids were given."""
    entries = [one for value in values for one in objects(value)]
    given = [[str(one) for one in inner] for entry in entries for inner in entry.values() if _plain_list(inner)]
    prices: dict[str, float] = {}
    for value in values:
        yield from (one for _, entries in lists(value) if len(entries) > 1 for one in _summed(entries))
    for entry in entries:
        yield from _products(entry)
        priced = [one for key, one in entry.items() if _is_number(one) and is_priced(key)]
        if len(priced) == 1:
            prices |= {one: float(priced[0]) for one in entry.values() if isinstance(one, str)}
    for names in given:
        if len(names) > 1 and all(name in prices for name in names):
            yield sum(prices[name] for name in names)


def _products(entry: Mapping[str, Any]) -> Iterator[float]:
    """What the many of something in an entry come to at the price, with decimals, of one: 6,240 words at 0.14."""
    own = [one for one in entry.values() if _is_number(one)]
    many = [one for one in own if isinstance(one, int) and one > LARGE] if len(own) <= FEW else []
    yield from (round(one * each, 2) for one in many for each in own if isinstance(each, float) and each)


def _summed(entries: Sequence[Any]) -> Iterator[float]:
    sums: dict[str, float] = defaultdict(float)
    for entry in entries:
        for key, one in entry.items() if isinstance(entry, dict) else ():
            if _is_number(one) and is_priced(key):
                sums[key] += one / 100 if CENTS.search(key) else one
    yield from (round(one, 2) for one in sums.values())


def _plain_list(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(one, (str, int)) for one in value)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _lists(call: Call) -> Iterator[list[Any]]:
    """The lists in the arguments and the result of a call: how long they are may multiply an amount."""
    for value in (call.arguments, call.result_value):
        yield from ([value] if isinstance(value, list) and len(value) > 1 else ())
        for one in objects(value):
            yield from (inner for inner in one.values() if isinstance(inner, list) and 1 < len(inner) <= 400)


def multipliers(text: str) -> Iterator[int]:
    """Small numbers that an answer reckons with: "3 × $12"."""
    yield from (int(found) for found in COUNT.findall(text) if int(found) > 1)
    yield from (count for word, count in NUMERALS.items() if word in text.lower())
    yield from (12, 52) if PERIOD.search(text) else ()


def is_one(value: float, step: float, numbers: set[float]) -> bool:
    """Whether an amount is one of some numbers, or one of them to the nearest `step`."""
    if value in numbers:
        return True
    if step < 1:  # cut off or rounded: $96.44 of 96.4420
        return any(abs(one - value) < 0.99 * step for one in numbers)
    near = float(value).is_integer()  # "$3,297" may be read as 3.297, which is told to no nearest dollar
    return near and any(abs(one - value) < max(step / 2, 1.0) for one in numbers)


class Spelled:
    """The numbers that a text has as interfaces spell them: looked for one by one, and all read once where many are asked for.

    To look for one in 2 MB takes a fiftieth of what it takes to read all.
    """

    __slots__ = ("_asked", "_numbers", "_text")

    def __init__(self, text: str) -> None:
        self._text, self._asked = text, 0
        self._numbers: frozenset[str] | None = None

    def has(self, value: float) -> bool:
        self._asked += 1
        if self._asked <= TIMES:
            return spelled(value, self._text)
        if self._numbers is None:
            self._numbers = _numbers(self._text, 0)
        return not self._numbers.isdisjoint(_forms(value))


def spelled(value: float, text: str) -> bool:
    """Whether a text has an amount as interfaces spell it."""
    for one in _forms(value):
        at = text.find(one)
        for _ in range(TIMES):
            if at < 0:
                break
            if (found := ALONE.match(text, at)) is not None and found[1] == one:
                return True
            at = text.find(one, at + 1)
        if at >= 0 and one in _numbers(text, at):  # a part of many others: they are read at the speed of C
            return True
    return False


def _forms(value: float) -> set[str]:
    return {f"{value:.2f}", f"{value:.10g}"}


def _numbers(text: str, at: int) -> frozenset[str]:
    """The numbers of a text from some place on."""
    return frozenset(number for number, _ in ALONE.findall(text, at))
