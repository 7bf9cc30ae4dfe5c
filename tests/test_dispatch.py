"""Tools that call others."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given as any_of
from hypothesis import strategies as st

from proxy.dispatch import dispatched
from proxy.transcript import ToolCall
from tests.general import turn_of

CALLS: list[tuple[str, Any, str, Any]] = [
    ("execute_action", {"action": "give_item", "item": "sword"}, "give_item", {"item": "sword"}),
    ("call_agent_tool", {"agent_tool_name": "close_card_7", "arguments": '{"id": "c1"}'}, "close_card_7", {"id": "c1"}),
    ("mcp__hub__invokeTool", {"toolName": "mail.send", "args": {"to": "a"}}, "mail.send", {"to": "a"}),
    ("COMPOSIO_EXECUTE_TOOL", {"tool_slug": "GMAIL_SEND_EMAIL", "arguments": {}}, "GMAIL_SEND_EMAIL", {}),
    ("run_tool", {"tool": "get_order", "params": {"id": 7}}, "get_order", {"id": 7}),
]


@pytest.mark.parametrize(("name", "given", "inner", "own"), CALLS, ids=[one[0] for one in CALLS])
def test_a_dispatcher_s_call_is_that_of_the_tool_it_names(name: str, given: Any, inner: str, own: Any) -> None:
    call = dispatched(ToolCall("c1", name, json.dumps(given)))
    assert (call.id, call.name, json.loads(call.arguments)) == ("c1", inner, own)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("create_order", '{"action": "give_item"}'),
        ("execute_action", "{}"),
        ("execute_action", '{"action": 3}'),
        ("execute_action", '{"action": "give him the sword"}'),
        ("execute_action", "not JSON"),
        ("execute_action", "[1]"),
        ("execute_action", '{"action": "give_item"} {}'),
        ("execute_action", '{"action": "give_item" "item": 1}'),
        ("execute_action", '{"action": "give_item", }'),
        ("execute_action", '{"action": "give_item", 1: 2}'),
        ("execute_sql", '{"tool": "psql", "statement": "select 1"}'),
        ("run_command", '{"action": "ls_all"}'),
        ("list_tools", '{"tool": "get_order"}'),
        ("execute_action", "[" * 5_000),
        ("call_" + "a" * 5_000 + "_", "{}"),
    ],
)
def test_any_other_call_stays_as_it_is(name: str, arguments: str) -> None:
    call = ToolCall("c1", name, arguments)
    assert dispatched(call) is call


AS_WRITTEN = [
    '"\\ud83d"',
    "123456789012345678901234567890",
    "1" * 400,
    "1.10",
    "1e400",
    "NaN",
    '"é \\u00e9 😀 \\/"',
    '"a\nb"',
    "[" * 400 + "]" * 400,
    '{"a": 1, "a": 2}',
]
VALUES = st.sampled_from(AS_WRITTEN) | st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
).map(json.dumps)


@any_of(VALUES, st.sampled_from(["", "\n", " \t"]))
def test_what_a_tool_was_given_stays_as_it_was_written(value: str, blank: str) -> None:
    given = f'{{{blank}"arguments"{blank}:{blank}{{"id": {value}}}{blank},"tool_name": "send_mail"}}{blank}'
    assert dispatched(ToolCall("c1", "execute_tool", given)) == ToolCall("c1", "send_mail", f'{{"id": {value}}}')
    beside = f'{{"tool": "send_mail", "to": {value}{blank}, "id" : {value}}}'
    own = f'{{"to": {value}, "id" : {value}}}'
    assert dispatched(ToolCall("c1", "execute_tool", beside)) == ToolCall("c1", "send_mail", own)


def test_of_a_name_that_is_there_twice_the_last_one_counts() -> None:
    call = dispatched(ToolCall("c1", "execute_tool", '{"tool": "x_1", "a": 1, "tool": "send_mail", "a": 2}'))
    assert (call.name, call.arguments) == ("send_mail", '{"a": 2}')


@pytest.mark.parametrize(
    ("inner", "name", "nature"),
    [
        ("close_card", "close_card", "change"),
        ("get_history", "get_history", "read"),
        ("frobnicate", "call_agent_tool", "change"),  # whose name says nothing: it stays the dispatcher's
    ],
)
def test_a_turn_has_the_tools_that_dispatchers_were_asked_for(inner: str, name: str, nature: str) -> None:
    turn = turn_of(("call_agent_tool", {"tool_name": inner, "arguments": {"card": "c1"}}, "done"))
    assert [(call.name, turn.nature(call)) for call in turn.calls] == [(name, nature)]
