"""Find tool calls that a model wrote as text, where nothing runs them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

from proxy.ledger import Turn
from proxy.results import lenient
from proxy.transcript import Tool


class Written(NamedTuple):
    """A call written as text: the tool's name, and where in the text it stands.

    `fenced`: inside a code block; `tagged`: between the marks by which models call; `answered`: with a result behind it.
    """

    name: str
    start: int
    end: int
    fenced: bool
    tagged: bool = False
    answered: bool = False


OPENING = re.compile(r'\{\s*"(?:name|tool|tool_name|function|action|recipient_name)"\s*:')
TAGGED = re.compile(r"<(?:tool_call|function_call|invoke|function|tool_use)\b(?:\s*name)?\s*=?\s*\"?([\w.-]*)")
TAG_BEFORE = re.compile(r"<\|?(?:tool_calls?|function_calls?|tool_use|tool▁call▁begin)[^<>]{0,20}>\s*\[?\s*$")
REACT = re.compile(r"^[^\S\n]*Action:\s*([\w.-]+)(?=[^\S\n]*\n)\s*+Action Input:", re.M)
PYTHONIC = re.compile(r"<\|?(?:python_tag|tool_calls?_begin|tool▁call▁begin)\|?>\s*([\w.-]*)")
WORDS = re.compile(r"[a-z0-9][_.-][a-z]|[a-z][A-Z]")
"""A name of several words: one alone may be anybody's function."""
GIVEN = re.compile(r"[={:\"'\d]")
"""What stands in the arguments of a call that is meant."""
MARKED = "```tool_"
TOOL_CODE = re.compile(r"^```tool_code\s+(?:print\()?([\w.-]+)\(", re.M)
TOOL_JSON = re.compile(r"^```tool_(?:code|call|calls|use)\s++(?:\[\s*+)?(?=\{)", re.M)
"""The fences by which a model marks the code, or the JSON, that shall call its tools."""
FENCES = re.compile(r"^[ \t]*(?:`{3,}|~{3,})", re.M)
GLUED = re.compile(r'(?<=[.!?…。！？])(?=\{\s*")')
"""A place where a sentence that has ended runs into an object."""
NAMES = ("name", "tool", "tool_name", "function", "action", "recipient_name")
ARGUMENTS = ("arguments", "parameters", "input", "args", "action_input", "tool_input")
LONGEST, TRIED = 20_000, 200
"""Code points of one JSON object, and objects of a text, that are tried."""


def written_calls(text: str) -> Iterator[Written]:
    """The calls that a text spells out: JSON with a name and arguments, `<tool_call>` and kin, ReAct's `Action:`."""
    if "{" not in text and "<" not in text and "Action:" not in text and MARKED not in text:
        return
    fences = _fences(text)
    seen_until = -1
    for found in TOOL_JSON.finditer(text) if MARKED in text else ():
        name, end = _object(text, found.end(), ())
        if name:
            seen_until = end
            yield Written(name, found.start(), end, fenced=False, tagged=True)
    for found in islice(OPENING.finditer(text), TRIED):
        if found.start() < seen_until:
            continue
        name, end = _object(text, found.start())
        if name:
            seen_until = end
            tagged = TAG_BEFORE.search(text, max(0, found.start() - 40), found.start()) is not None
            yield Written(name, found.start(), end, _inside(fences, found.start()), tagged)
    for found in TOOL_CODE.finditer(text):
        yield Written(found[1], found.start(), found.end(), fenced=False, tagged=True)
    for pattern in (TAGGED, REACT, PYTHONIC) if "Action:" in text else (TAGGED, PYTHONIC):
        for found in pattern.finditer(text):
            if found[1] or pattern is TAGGED:
                yield Written(found[1], found.start(), found.end(), _inside(fences, found.start()))


def coded_calls(text: str, names: Iterable[str]) -> Iterator[Written]:
    """The calls of known tools that a text spells as code, each alone on its line and outside code blocks: `set_tag(id=7)`."""
    known = sorted({name for name in names if f"{name}(" in text and WORDS.search(name)})
    if not known:
        return
    fences = _fences(text)
    head = "|".join(map(re.escape, known))
    for found in re.finditer(rf"^[ \t]*(?:[-*>][ \t]+)?(`*)(?:\w+[ \t]*=[ \t]*)?({head})\(", text, re.M):
        stop = text.find("\n", found.end())
        line = text[found.end() : stop if stop >= 0 else len(text)].rstrip("; \t\r")
        closed = line.endswith(")" + found[1])
        if closed and (GIVEN.search(line) or line == ")" + found[1]) and not _inside(fences, found.start()):
            yield Written(found[2], found.start(), found.end() + len(line), fenced=False, tagged=True)


def glued_calls(text: str, tools: Sequence[Tool]) -> Iterator[Written]:
    """The arguments that sentences run into, where a model's call has leaked into its text: `It's off.{"id": 7}{"ok": true}`.

    No name stands beside them: they are those of the tool that takes just these, or have what looks like their result behind.
    """
    fences, seen_until = _fences(text), 0
    for found in islice(GLUED.finditer(text) if "{" in text else (), TRIED):
        at = found.start()
        line = text[text.rfind("\n", 0, at) + 1 : at]
        if at < seen_until or line.count("`") % 2 or _inside(fences, at):
            continue
        given, end = _mapping(text, at)
        if end == at:
            return  # it is never closed
        seen_until = end
        result, stop = _mapping(text, end) if text[end : end + 1] == "{" else ({}, end)
        names = [one.name for one in tools if given and _takes(one, given)]
        if given and (result or names):
            seen_until = stop
            answered = bool(result) and result.keys() != given.keys()
            yield Written(names[0] if len(names) == 1 else "", at, end, fenced=False, tagged=True, answered=answered)


def _takes(tool: Tool, given: Mapping[str, Any]) -> bool:
    """Whether a tool takes arguments of these names, and wants no others."""
    known, wanted = tool.parameters.get("properties"), tool.parameters.get("required")
    if not isinstance(known, dict) or not given.keys() <= known.keys():
        return False
    return not isinstance(wanted, list) or all(one in given for one in wanted if isinstance(one, str))


def _fences(text: str) -> list[int]:
    """Where blocks of code begin and end."""
    return [found.start() for found in FENCES.finditer(text)] if "```" in text or "~~~" in text else []


def _inside(fences: list[int], at: int) -> bool:
    return sum(fence < at for fence in fences) % 2 == 1


def _object(text: str, start: int, beside: Sequence[str] = ARGUMENTS) -> tuple[str, int]:
    """The tool that a JSON object names, beside a key of its arguments, and where it ends; no name where it is no call."""
    value, end = _mapping(text, start)
    if not value or (beside and not any(key in value for key in beside)):
        return "", end
    return next((value[key] for key in NAMES if isinstance(value.get(key), str)), ""), end


def _mapping(text: str, start: int) -> tuple[Mapping[str, Any], int]:
    """The JSON object that begins at a place, and where it ends; an empty one where there is none."""
    end = _end(text, start)
    try:
        value = lenient(text[start:end]) if end > start else None
    except (ValueError, RecursionError):
        value = None
    return (value if isinstance(value, dict) else {}), end


def _end(text: str, start: int) -> int:
    """Where what is opened at a place is closed; the place itself where it never is."""
    depth, quoted, escaped = 0, False, False
    for at in range(start, min(len(text), start + LONGEST)):
        char = text[at]
        if quoted:
            escaped, quoted = char == "\\" and not escaped, char != '"' or escaped
        elif char == '"':
            quoted = True
        elif char in "{[":
            depth += 1
        elif char in "}]":
            depth -= 1
            if not depth:
                return at + 1
    return start


def agentic(turn: Turn) -> bool:
    """Whether a conversation is an agent's: it has tools, calls, or calls that were written as text."""
    return bool(turn.tools or turn.calls or turn.orphans or turn.earlier() or any(calls_in_history(turn)))


def calls_in_history(turn: Turn) -> Iterator[Written]:
    """The calls that earlier answers spelled out as text: as code, where the next message does not speak of the tool."""
    coded: list[Written] = []
    for message in turn.before:
        yield from (one for one in coded if one.name not in message.text)
        coded = []
        if message.role == "assistant":
            yield from written_calls(message.text)
            coded = list(coded_calls(message.text, turn.tool_names()))
    yield from (one for one in coded if one.name not in turn.asked)
