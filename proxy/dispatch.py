"""A call of a tool that calls others is read as the call of the one that it names."""

from __future__ import annotations

import re
from typing import Any

import orjson

from proxy.results import lenient
from proxy.roots import name_words
from proxy.transcript import ToolCall

CALLS = frozenset({"call", "execute", "exec", "run", "invoke", "use", "dispatch", "perform"})
TOOLS = frozenset({"tool", "tools", "function", "functions", "action", "actions"})
"""Words of the names of tools that call others: `execute_action`, `call_discoverable_agent_tool`, `mcp__hub__invokeTool`."""
NAMES = (
    "tool_name",
    "agent_tool_name",
    "toolName",
    "tool_slug",
    "function_name",
    "functionName",
    "tool",
    "function",
    "action",
)
GIVEN = ("arguments", "args", "parameters", "params", "input", "tool_args", "tool_input", "payload")
SERVERS = {"server", "server_name", "serverName", "toolkit", "app", "namespace"}
NAMED = re.compile(r"[A-Za-z][\w.-]{2,80}")
NAME, LONGEST = 120, 100_000
"""Code points of a name, and of arguments, that are looked into."""


def dispatched(call: ToolCall) -> ToolCall:
    """The call that a dispatcher was asked for, with the arguments that are its own; any other call as it is."""
    if len(call.name) > NAME or len(call.arguments) > LONGEST or not _calls_others(call.name):
        return call
    try:
        given = lenient(call.arguments)
    except (ValueError, RecursionError):
        return call
    key = next((one for one in NAMES if isinstance(given.get(one), str)), "") if isinstance(given, dict) else ""
    if not key or not NAMED.fullmatch(given[key]):
        return call
    return ToolCall(call.id, given[key], _own({name: one for name, one in given.items() if name != key}))


def _calls_others(name: str) -> bool:
    words = name_words(name.rpartition("__")[2].rpartition(".")[2])
    return bool(words) and words[-1] in TOOLS and not CALLS.isdisjoint(words[:-1])


def _own(rest: dict[str, Any]) -> str:
    """The arguments of the tool itself: an object, its text, or all that stands beside its name."""
    others = rest.keys() - SERVERS
    inner = next((rest[one] for one in GIVEN if others == {one}), rest)  # what stands beside them is its own as well
    return inner if isinstance(inner, str) else orjson.dumps(inner).decode()
