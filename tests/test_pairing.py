"""Calls and their results: by id, however often an id is used, in whatever order they come."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from proxy.pairing import paired
from proxy.transcript import Message, ToolCall, ToolResult


def asks(*calls: tuple[str, str]) -> Message:
    return Message("assistant", "", tuple(ToolCall(identifier, name, "{}") for identifier, name in calls))


def told(identifier: str, text: str, name: str = "") -> Message:
    return Message("tool", text, results=(ToolResult(identifier, text, None, name),))


ROWS: list[tuple[str, Sequence[Message], list[tuple[str, str | None]], int]] = [
    (
        "scenario 136: out of order",
        [asks(("1", "a"), ("2", "b")), told("2", "B"), told("1", "A")],
        [("a", "A"), ("b", "B")],
        0,
    ),
    (
        "an id that is used again",
        [asks(("1", "a")), told("1", "A"), asks(("1", "b")), told("1", "B")],
        [("a", "A"), ("b", "B")],
        0,
    ),
    ("no id: by the tool's name", [asks(("", "a"), ("", "b")), told("", "B", "b")], [("a", None), ("b", "B")], 0),
    (
        "two of one tool without ids: in order",
        [asks(("", "a"), ("", "a")), told("", "A", "a"), told("", "B", "a")],
        [("a", "A"), ("a", "B")],
        0,
    ),
    (
        "one id for two calls of a message, and the same result",
        [asks(("1", "a"), ("1", "b")), told("1", "ok"), told("1", "ok")],
        [("a", "ok"), ("b", "ok")],
        0,
    ),
    ("no result yet", [asks(("1", "a"))], [("a", None)], 0),
    ("a result without its call", [told("9", "X"), asks(("1", "a"))], [("a", None)], 1),
    ("before its call", [told("1", "A"), asks(("1", "a"))], [("a", None)], 1),
    ("twice the same", [asks(("1", "a")), told("1", "A"), told("1", "A")], [("a", "A")], 0),
]


@pytest.mark.parametrize(("messages", "calls", "orphans"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_calls_are_paired(messages: Sequence[Message], calls: list[tuple[str, str | None]], orphans: int) -> None:
    found, left = paired(messages)
    assert [(one.call.name, one.result.text if one.result else None) for one in found] == calls
    assert (left, any(one.doubled for one in found)) == (orphans, False)


def test_two_different_results_for_one_call_are_said_to_be() -> None:
    found, left = paired([asks(("1", "a")), told("1", "A"), told("1", "B")])
    assert [(one.doubled, left) for one in found] == [(True, 0)]


@pytest.mark.parametrize("texts", [["A", "B"], ["B", "A"], ["A"]])
def test_scenario_136_of_two_calls_of_one_message_with_one_id_nobody_knows_whose_a_result_is(texts: list[str]) -> None:
    found, _ = paired([asks(("1", "a"), ("1", "b")), *(told("1", text) for text in texts)])
    assert [one.doubled for one in found] == [True, True]
    later, _ = paired([asks(("1", "a")), told("1", "A"), asks(("1", "b")), told("1", "B")])
    assert [one.doubled for one in later] == [False, False]
