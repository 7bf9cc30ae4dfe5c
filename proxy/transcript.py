"""The conversation in one neutral form: texts, tool calls, tool results."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import msgspec

Role = Literal["system", "user", "assistant", "tool"]


class ToolCall(msgspec.Struct, frozen=True):
    """A call as the model wrote it. `id` is empty when the client sent none; `arguments` is the text as sent."""

    id: str
    name: str
    arguments: str


class ToolResult(msgspec.Struct, frozen=True):
    """What a tool answered. `error` is the wire format's own flag, None where the format has none."""

    call_id: str
    text: str
    error: bool | None = None
    name: str = ""


class Message(msgspec.Struct, frozen=True):
    """One message: its readable text (text parts joined by a newline), its tool calls, its tool results.

    `unread`: it has, beside its text, what nobody here reads: a picture, a file, a sound, pages that only the model got.
    """

    role: Role
    text: str
    calls: tuple[ToolCall, ...] = ()
    results: tuple[ToolResult, ...] = ()
    unread: bool = False


ATTACHMENT = re.compile(r"image|audio|video|media|file|document|upload|screenshot")
"""What the types of parts have in common that are no text, in the three formats."""


def attached(content: Any) -> bool:
    """Whether a content, as a list of parts or one part, has a part that is no text."""
    parts = content if isinstance(content, list) else (content,)
    kinds = (part.get("type") for part in parts if isinstance(part, dict))
    return any(isinstance(kind, str) and ATTACHMENT.search(kind) is not None for kind in kinds)


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

    `messages` may convert lazily: whoever needs only the last turn must index from the end. `whole` is false where it
    refers to messages that are not here; `kept` are the places of those that it does not carry itself.
    """

    messages: Sequence[Message]
    tools: Sequence[Tool] = ()
    whole: bool = True
    kept: range = range(0)

    def then(self, message: Message) -> Transcript:
        """The transcript with one more message, none of its own converted for it."""
        return replace(self, messages=_Inserted(self.messages, len(self.messages), (message,)))

    def after(self, earlier: Sequence[Message], whole: bool) -> Transcript:
        """The transcript with kept messages before its own; the system text that it opens with stays the first."""
        lead = 1 if self.messages and self.messages[0].role == "system" else 0
        kept = range(lead, lead + len(earlier))
        return replace(self, messages=_Inserted(self.messages, lead, earlier), whole=whole, kept=kept)


class _Inserted(Sequence[Message]):
    """Messages with others among them, from the place `at` on."""

    def __init__(self, own: Sequence[Message], at: int, others: Sequence[Message]) -> None:
        self._own, self._at, self._others = own, at, others

    def __len__(self) -> int:
        return len(self._own) + len(self._others)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[at] for at in range(*index.indices(len(self)))]
        at = index + len(self) if index < 0 else index
        if not 0 <= at < len(self):
            raise IndexError(index)
        inside = at - self._at
        if inside < 0:
            return self._own[at]
        return self._others[inside] if inside < len(self._others) else self._own[at - len(self._others)]


@dataclass(slots=True)
class Answer:
    """One choice of a reply, as far as it has come in.

    `finish` is the finish reason as the upstream spelled it (empty while there is none), `calls` what the model asked
    to run; an answer with calls is a tool turn, whatever its finish says. `paused`: the client will send it back for the
    model to go on, so it is none yet. `hosted` is what the provider's own tools did inside the answer. `id` is what a
    later request may call it by, empty where none can; `items` are its parts by their own ids, as the format has them;
    `made` are the ids of what the provider made for it: a container, a sound.
    """

    index: int = 0
    text: str = ""
    finish: str = ""
    calls: list[ToolCall] = field(default_factory=list)
    refused: bool = False
    paused: bool = False
    hosted: Message | None = None
    id: str = ""
    items: Mapping[str, Any] = field(default_factory=dict)
    made: tuple[str, ...] = ()


class Before(Sequence[Message]):
    """The messages before a place in others, without converting one of them."""

    def __init__(self, messages: Sequence[Message], stop: int) -> None:
        self._messages, self._stop = messages, stop

    def __len__(self) -> int:
        return self._stop

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self._messages[i] for i in range(*index.indices(self._stop))]
        if not -self._stop <= index < self._stop:
            raise IndexError(index)
        return self._messages[index % self._stop]

    def __iter__(self) -> Iterator[Message]:
        return (self._messages[i] for i in range(self._stop))
