"""Find tool calls that a model wrote as text, where nothing runs them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from proxy.ledger import Turn
from proxy.results import lenient


class Written(NamedTuple):
    """A call written as text: the tool's name, and where in the text it stands.

    `fenced`: inside a code block; `tagged`: between the marks by which models call.
    """

    name: str
    start: int
    end: int
    fenced: bool
    tagged: bool = False


OPENING = re.compile(r'\{\s*"(?:name|tool|tool_name|function|action|recipient_name)"\s*:')
TAGGED = re.compile(r"<(?:tool_call|function_call|invoke|function|tool_use)\b(?:\s*name)?\s*=?\s*\"?([\w.-]*)")
TAG_BEFORE = re.compile(r"<\|?(?:tool_calls?|function_calls?|tool_use|tool▁call▁begin)[^<>]{0,20}>\s*\[?\s*$")
REACT = re.compile(r"^\s*Action:\s*([\w.-]+)\s*\n\s*Action Input:", re.M)
PYTHONIC = re.compile(r"<\|?(?:python_tag|tool_calls?_begin|tool▁call▁begin)\|?>\s*([\w.-]*)")
WORDS = re.compile(r"[a-z0-9][_.-][a-z]|[a-z][A-Z]")
"""A name of several words: one alone may be anybody's function."""
GIVEN = re.compile(r"[={:\"'\d]")
"""What stands in the arguments of a call that is meant."""
MARKED = "```tool_"
TOOL_CODE = re.compile(r"^```tool_code\s+(?:print\()?([\w.-]+)\(", re.M)
TOOL_JSON = re.compile(r"^```tool_(?:code|call|calls|use)\s+\[?\s*(?=\{)", re.M)
"""The fences by which a model marks the code, or the JSON, that shall call its tools."""
FENCES = re.compile(r"^[ \t]*(?:`{3,}|~{3,})", re.M)
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


def _fences(text: str) -> list[int]:
    """Where blocks of code begin and end."""
    return [found.start() for found in FENCES.finditer(text)] if "```" in text or "~~~" in text else []


def _inside(fences: list[int], at: int) -> bool:
    return sum(fence < at for fence in fences) % 2 == 1


def _object(text: str, start: int, beside: Sequence[str] = ARGUMENTS) -> tuple[str, int]:
    """The tool that a JSON object names, beside a key of its arguments, and where it ends; no name where it is no call."""
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
                return _name(text[start : at + 1], beside), at + 1
    return "", start


def _name(text: str, beside: Sequence[str]) -> str:
    try:
        value = lenient(text)
    except (ValueError, RecursionError):
        return ""
    if not isinstance(value, dict) or not (not beside or any(key in value for key in beside)):
        return ""
    names = [value[key] for key in NAMES if isinstance(value.get(key), str)]
    return names[0] if names else ""


def agentic(turn: Turn) -> bool:
    """Whether a conversation is an agent's: it has tools, calls, or calls that were written as text."""
    return bool(turn.tools or turn.calls or turn.orphans or turn.earlier() or any(calls_in_history(turn)))


def calls_in_history(turn: Turn) -> Iterator[Written]:
    """The calls that earlier answers spelled out as text."""
    for message in turn.before:
        if message.role == "assistant":
            yield from written_calls(message.text)
