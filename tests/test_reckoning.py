"""What the amounts of a turn can be reckoned from."""

from __future__ import annotations

import pytest

from proxy.amounts import amounts
from proxy.ledger import read_turn
from proxy.reckoning import TIMES, Spelled, fits, multipliers, pool_of, rates, spelled
from tests.general import policy
from tests.transcripts import messages, transcript

ORDER = {"items": [{"price": 12.5, "qty": 2}, {"price": 30.0, "qty": 1}], "fee": 4.99}
WORDS = {"words": 6240, "rate_per_word": 0.14, "reference": 88_120}


@pytest.mark.parametrize(
    ("told", "fit"),
    [("$12.50", True), ("$42.50", True), ("$25.00", True), ("$47.49", True), ("$71.13", False), ("$9.37", False)],
)
def test_fits(told: str, fit: bool) -> None:
    turn = read_turn(transcript(messages([("get_order", {}, ORDER)], user="?")), policy().marks)
    (one,) = amounts(told)
    assert fits(one, pool_of(turn.calls, []), set(), set(multipliers("")), rates("")) is fit


@pytest.mark.parametrize(("told", "fit"), [("€873.60", True), ("€12,336.80", True), ("€880.10", False)])
def test_many_of_something_at_the_price_of_one(told: str, fit: bool) -> None:
    turn = read_turn(transcript(messages([("get_job", {}, WORDS)], user="?")), policy().marks)
    (one,) = amounts(told)
    assert fits(one, pool_of(turn.calls, []), set(), set(), set()) is fit


def test_multipliers_and_rates() -> None:
    assert {2, 3} <= set(multipliers("3 × two"))
    assert 12 in set(multipliers("a month"))
    assert rates("15% and 7.5 percent") == {15.0, 7.5}
    assert rates(f"0% or {'9' * 400}%") == set()


@pytest.mark.parametrize(
    ("value", "text", "there"),
    [
        (54.2, "it was $54.20", True),
        (54.2, "it was 54.2.", True),
        (54.2, "154.2, 54.21, 54.2.1, 3.54.2", False),
        (54.2, "54.20 " * TIMES * 2 + "54.2", True),
        (4.2, "54.20 " * TIMES * 2, False),
        (12.0, "1,12,500", True),
        (12.0, "12,500", False),
        (1234.0, '["a",1234,5]', True),
    ],
)
def test_spelled(value: float, text: str, there: bool) -> None:
    known = Spelled(text)
    asked = [known.has(value) for _ in range(TIMES + 2)]  # at first it looks for each, then it has read them all
    assert (spelled(value, text), set(asked)) == (there, {there})
