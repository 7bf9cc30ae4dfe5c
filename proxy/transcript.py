"""The conversation in one neutral form: texts, tool calls, tool results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

Role = Literal["system", "user", "assistant", "tool"]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call as the model wrote it. `id` is empty when the client sent none; `arguments` is the text as sent."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool answered. `error` is the wire format's own flag, None where the format has none."""

    call_id: str
    text: str
    error: bool | None = None
    name: str = ""


@dataclass(frozen=True, slots=True)
class Message:
    """One message: its readable text (text parts joined by a newline), its tool calls, its tool results."""

    role: Role
    text: str
    calls: tuple[ToolCall, ...] = ()
    results: tuple[ToolResult, ...] = ()


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool as the request declares it. `parameters` is its JSON schema, empty when there is none."""

    name: str
    description: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    annotations: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Transcript:
    """The messages of one request, oldest first, and the tools that it declares.

    `messages` may convert lazily: whoever needs only the last turn must index from the end.
    """

    messages: Sequence[Message]
    tools: Sequence[Tool] = ()


@dataclass(slots=True)
class Answer:
    """One choice of a reply, as far as it has come in.

    `finish` is the finish reason as the upstream spelled it (empty while there is none), `calls` what the model asked
    to run; an answer with calls is a tool turn, whatever its finish says.
    """

    index: int = 0
    text: str = ""
    finish: str = ""
    calls: list[ToolCall] = field(default_factory=list)
    refused: bool = False
