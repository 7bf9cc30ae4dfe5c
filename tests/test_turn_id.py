"""Which requests are one turn."""

from __future__ import annotations

import json
from typing import Any

import pytest

from proxy.turn_id import END, MARGIN, turn_id

BASE: dict[str, Any] = {"model": "m", "messages": [{"role": "user", "content": "hi"}], "max_tokens": 64_000}


def body(more: dict[str, Any], size: int = 0, compact: bool = True) -> bytes:
    whole = {**BASE, "system": "x" * size, **more}
    return json.dumps(whole, separators=(",", ":") if compact else None).encode()


SAME: list[dict[str, Any]] = [
    {"stream": True},
    {"stream": False},
    {"stream": True, "stream_options": {"include_usage": True}},
    {"max_tokens": 8_192},
]


@pytest.mark.parametrize("compact", [True, False])
@pytest.mark.parametrize("size", [0, 2 * END - 140, 2 * END, 2 * END + 40, 2 * (END + MARGIN), 100_000])
@pytest.mark.parametrize("more", SAME)
def test_a_repeat_is_the_same_turn_whatever_its_size(more: dict[str, Any], size: int, compact: bool) -> None:
    assert turn_id("a", body(more, size, compact)) == turn_id("a", body({}, size, compact))


def test_a_switch_at_the_front_is_none_either() -> None:
    first = json.dumps({"stream": True, **BASE}, separators=(",", ":")).encode()
    assert turn_id("a", first) == turn_id("a", body({}).replace(b',"system":""', b""))


OTHER: list[dict[str, Any]] = [
    {"model": "n"},
    {"messages": [{"role": "user", "content": "ho"}]},
    {"messages": [{"role": "user", "content": '"stream":true'}]},
    {"temperature": 1},
    {"stream": "yes"},
]


@pytest.mark.parametrize("more", OTHER)
def test_what_asks_something_else_is_another_turn(more: dict[str, Any]) -> None:
    assert turn_id("a", body(more)) != turn_id("a", body({}))


def test_nobody_else_s_turn_is_this_one() -> None:
    assert turn_id("a", body({})) != turn_id("b", body({}))


def test_many_switches_cost_no_square() -> None:
    assert turn_id("a", b'{"stream":true,' * 100_000)
