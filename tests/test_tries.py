"""Later calls that may be another try of one that failed are found by what both were given."""

from __future__ import annotations

from typing import Any

from proxy.tries import Tries
from tests.general import turn_of


def tries(*given: Any, most: int = 9) -> list[int]:
    """The places of the calls that may be another try of the first one."""
    turn = turn_of(*(("update_order", one, {"ok": True}) for one in given), ("update_address", given[0], {"ok": True}))
    return sorted(call.position for call in Tries(turn.calls).after(turn.calls[0], most))


def test_one_that_differs_in_one_argument_is_another_try() -> None:
    assert tries({"id": "W1", "qty": 2}, {"id": "W2", "qty": 3}, {"id": "W1", "qty": 3}, {"id": "W2", "qty": 2}) == [
        2,
        3,
    ]


def test_of_one_argument_any_call_of_the_tool_may_be() -> None:
    assert tries({"id": "W1"}, {"id": "W2"}, {"id": "W3"}) == [1, 2]


def test_lists_are_not_told_apart_here() -> None:
    assert tries({"ids": ["W1"], "at": {"day": 1}}, {"ids": ["W2"], "at": 1}) == [1]


def test_so_many_are_enough() -> None:
    assert tries({"id": "W1"}, {"id": "W2"}, {"id": "W3"}, {"id": "W4"}, most=2) == [2, 3]
