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

    def then(self, message: Message) -> Transcript:
        """The transcript with one more message, none of its own converted for it."""
        return Transcript(_Then(self.messages, message), self.tools)


class _Then(Sequence[Message]):
    """Messages, and one more behind them."""

    def __init__(self, messages: Sequence[Message], last: Message) -> None:
        self._messages, self._last = messages, last

    def __len__(self) -> int:
        return len(self._messages) + 1

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[at] for at in range(*index.indices(len(self)))]
        return self._last if index in (-1, len(self._messages)) else self._messages[index + (index < 0)]


@dataclass(slots=True)
class Answer:
    """One choice of a reply, as far as it has come in.

    `finish` is the finish reason as the upstream spelled it (empty while there is none), `calls` what the model asked
    to run; an answer with calls is a tool turn, whatever its finish says. `paused`: the client will send it back for the
    model to go on, so it is none yet. `hosted` is what the provider's own tools did inside the answer.
    """

    index: int = 0
    text: str = ""
    finish: str = ""
    calls: list[ToolCall] = field(default_factory=list)
    refused: bool = False
    paused: bool = False
    hosted: Message | None = None
