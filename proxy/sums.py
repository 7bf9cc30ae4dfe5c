"""Whether an amount follows from others: a sum, a difference, a multiple, a share or a rate of them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from itertools import combinations

COUNTS = 24
"""Small numbers that are tried as multipliers beside an addition, the smallest first."""
MOST = 400
"""Amounts of which sums of pairs are tried."""


def follows(
    value: float,
    step: float,
    amounts: Collection[float],
    counts: Collection[int],
    rates: Collection[float],
    parts: int,
    halves: bool = True,
) -> bool:
    """Whether an amount that is told to the nearest `step` follows from others; sums have up to so many parts.

    Sums and multiples are exact; shares and rates are rounded by somebody. `halves` lets one be half of another.
    """
    cents = {round(abs(one) * 100) for one in amounts if 0 < abs(one) < 10**9}
    goal = round(value * 100)
    slack = max(round(step * 50), 1)
    if not cents or len(cents) > MOST:
        return len(cents) > MOST
    if any(goal % times == 0 and goal // times in cents for times in counts):
        return True
    apart = {abs(a - b) for a, b in combinations(cents, 2)} if len(cents) <= COUNTS else set()
    shared = sorted(cents | apart)
    if any(_near(goal * times, slack * times, shared) for times in {2 if halves else 1, *counts} if times > 1):
        return True
    if any(abs(goal - one) <= slack for one in _rated(cents, rates)):
        return True
    return _summed(goal, cents, counts, parts) or (parts > 2 and _taxed(goal, slack, cents, rates))


def _near(goal: int, slack: int, ordered: Sequence[int]) -> bool:
    """Whether one of some ordered numbers is at most so far from another."""
    at = bisect_left(ordered, goal - slack)
    return at < len(ordered) and ordered[at] <= goal + slack


def _summed(goal: int, cents: set[int], counts: Collection[int], parts: int) -> bool:
    """Whether a sum or difference of up to so many amounts, or all of them, give it, or a multiple of two do."""
    pairs = _pairs(frozenset(cents))
    if goal in pairs or goal == sum(cents) or any(goal % times == 0 and goal // times in pairs for times in counts):
        return True
    if parts < 3:
        return False
    if any(goal - one in pairs or goal + one in pairs for one in cents):
        return True
    multiples = {one * times for one in cents for times in sorted(counts)[:COUNTS]}
    if any(goal - one in cents or goal - one in multiples or abs(goal - one) in cents for one in multiples):
        return True
    return parts > 3 and any(goal + pair in pairs for pair in pairs)


@lru_cache(maxsize=4)  # each of a hundred amounts is held to the same ones
def _pairs(cents: frozenset[int]) -> frozenset[int]:
    """The sums and differences of two."""
    return frozenset(one for a, b in combinations(cents, 2) for one in (a + b, abs(a - b)))


def _taxed(goal: int, slack: int, cents: set[int], rates: Collection[float]) -> bool:
    """Whether amounts and a share of one of them give it."""
    near = {one + by for one in cents for by in range(-slack, slack + 1)} if slack <= 2 else cents
    shares = {round(one * rate / 100) for one in cents for rate in rates}
    sums = {a + b for a, b in combinations(cents, 2)} if len(cents) <= COUNTS else set()
    return any(goal - one in near or goal - one in sums for one in shares)


def _rated(cents: set[int], rates: Collection[float]) -> Iterator[float]:
    for one in cents:
        for rate in rates:
            yield one * rate
            yield one / rate
            yield one * rate / 100
            yield one * (100 + rate) / 100
            yield one * (100 - rate) / 100
            yield one * 100 / (100 + rate)
