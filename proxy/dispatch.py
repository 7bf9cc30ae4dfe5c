"""A call of a tool that calls others is read as the call of the one that it names."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from proxy.results import LENIENT
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
BLANKS = re.compile(r"[ \t\n\r]*")
NAME, LONGEST = 120, 100_000
"""Code points of a name, and of arguments, that are looked into."""


def dispatched(call: ToolCall) -> ToolCall:
    """The call that a dispatcher was asked for, with the arguments that are its own; any other call as it is."""
    if len(call.name) > NAME or len(call.arguments) > LONGEST or not _calls_others(call.name):
        return call
    try:
        given = _members(call.arguments)
    except (ValueError, RecursionError):
        return call
    key = next((one for one in NAMES if one in given and isinstance(given[one].value, str)), "")
    if not key or not NAMED.fullmatch(given[key].value):
        return call
    return ToolCall(call.id, given[key].value, _own({name: one for name, one in given.items() if name != key}))


def _calls_others(name: str) -> bool:
    words = name_words(name.rpartition("__")[2].rpartition(".")[2])
    return bool(words) and words[-1] in TOOLS and not CALLS.isdisjoint(words[:-1])


class Member(NamedTuple):
    """A member of an object: what it holds, and the text of that and of all of it, as they were written."""

    value: Any
    text: str
    whole: str


def _members(text: str) -> dict[str, Member]:
    """The members of the object that a text is; of a name that is there twice the last one counts.

    Read in place, since a value that is written anew may be another: a float where an integer was, or nothing at all where
    half a surrogate pair stood. Raises ValueError where it is no object, and RecursionError.
    """
    found: dict[str, Member] = {}
    at = _after(text, 0, "{")
    while not text.startswith("}", at):
        at = _after(text, at, ",") if found else at
        name, end = LENIENT.raw_decode(text, at)
        if not isinstance(name, str):
            raise ValueError(f"no name at {at}")
        start = _after(text, end, ":")
        value, end = LENIENT.raw_decode(text, start)
        found[name] = Member(value, text[start:end], text[at:end])
        at = _blanks(text, end)
    if _blanks(text, at + 1) < len(text):
        raise ValueError(f"more than one value, at {at + 1}")
    return found


def _after(text: str, at: int, mark: str) -> int:
    at = _blanks(text, at)
    if not text.startswith(mark, at):
        raise ValueError(f"no {mark!r} at {at}")
    return _blanks(text, at + 1)


def _blanks(text: str, at: int) -> int:
    blanks = BLANKS.match(text, at)
    return blanks.end() if blanks else at


def _own(rest: Mapping[str, Member]) -> str:
    """The arguments of the tool itself: an object, its text, or all that stands beside its name."""
    others = rest.keys() - SERVERS
    inner = next((rest[one] for one in GIVEN if others == {one}), None)  # what stands beside them is its own as well
    if inner is None:
        return f"{{{', '.join(one.whole for one in rest.values())}}}"
    return inner.value if isinstance(inner.value, str) else inner.text
