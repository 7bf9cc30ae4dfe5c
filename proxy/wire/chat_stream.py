"""Relay a streamed chat completion: text at once, the finish held until the audit has spoken."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson

from proxy.transcript import Answer, ToolCall
from proxy.wire import Path, Request, spans
from proxy.wire.sse import Decoder, Event, spell

TOOL_FINISHES = frozenset({"tool_calls", "function_call"})
CUT_FINISHES = frozenset({"content_filter", "sensitive", "error"})
"""Finishes of a text that its provider has cut off: OpenAI's, Zhipu's for the same, OpenRouter's for an error."""
IDENTITY = ("id", "object", "created", "model", "system_fingerprint")
"""What a chunk of ours copies from the stream's own, so that a client takes it for one of them."""


class _Choice:
    """One choice as it comes in; its text and calls are joined only when somebody asks."""

    __slots__ = ("_calls", "_current", "finish", "index", "made", "refused", "shares", "texts", "tool_turn")

    def __init__(self, index: int) -> None:
        self.index = index
        self.texts: list[str] = []
        self.finish = ""
        self.refused = False
        self.tool_turn = False
        self.shares = False
        """Whether its finish came in one event with text."""
        self.made: tuple[str, ...] = ()
        self._calls: list[list[str]] = []
        self._current: dict[Any, int] = {}

    def answer(self) -> Answer:
        calls = [ToolCall(*call) for call in self._calls if any(call)]
        return Answer(self.index, "".join(self.texts), self.finish, calls, self.refused, made=self.made)

    @property
    def asks(self) -> bool:
        """Whether a call is asked for, and not only said to be by the finish."""
        return any(map(any, self._calls))

    @property
    def decorable(self) -> bool:
        """Whether a footer can stand at the end of this choice."""
        if self.tool_turn or self.refused or self.finish in CUT_FINISHES:
            return False
        return any(text and not text.isspace() for text in self.texts)

    def take(self, raw: Mapping[str, Any]) -> None:
        delta = raw.get("delta")
        text = False
        if isinstance(delta, dict):
            if content := delta.get("content"):
                text = True
                self.texts.append(content if isinstance(content, str) else _joined(content))
            if len(delta) > 1 or not text:
                self._take_rest(delta)
        finish = raw.get("finish_reason")
        if finish is not None and not self.finish:
            self.finish = finish if isinstance(finish, str) else "unknown"
            self.tool_turn = self.tool_turn or self.finish in TOOL_FINISHES
            self.shares = text

    def _take_rest(self, delta: Mapping[str, Any]) -> None:
        if calls := delta.get("tool_calls"):
            self.tool_turn = True
            for number, call in enumerate(calls if isinstance(calls, list) else ()):
                if isinstance(call, dict):
                    self._take_call(call, number)
        if isinstance(delta.get("function_call"), dict):
            self.tool_turn = True
            self._take_call({"index": "legacy", "function": delta["function_call"]}, 0)
        if delta.get("refusal"):
            self.refused = True
        if isinstance(delta.get("audio"), dict) and isinstance(made := delta["audio"].get("id"), str):
            self.made += (made,)

    def _take_call(self, call: Mapping[str, Any], number: int) -> None:
        """Merge a piece of a call: by index; a new id under a used index, or without any, is another call."""
        identifier, function = call.get("id"), call.get("function")
        index = call.get("index")
        key = index if isinstance(index, (int, str)) else f"place {number}"
        at = self._current.get(key)
        fresh = isinstance(identifier, str) and identifier != ""
        if at is None or (fresh and self._calls[at][0] not in ("", identifier)):
            at = self._current[key] = len(self._calls)
            self._calls.append(["", "", ""])
        merged = self._calls[at]
        if fresh:
            merged[0] = str(identifier)
        if isinstance(function, dict):
            name, arguments = function.get("name"), function.get("arguments")
            if isinstance(name, str) and not merged[1]:
                merged[1] = name
            if isinstance(arguments, (dict, list)):
                arguments = spans.written(arguments)
            if isinstance(arguments, str):
                merged[2] += arguments


def _joined(content: Any) -> str:
    """The text of a delta that comes as parts, as Mistral's thinking models send it."""
    parts = content if isinstance(content, list) else ()
    return "".join(part["text"] for part in parts if isinstance(part, dict) and isinstance(part.get("text"), str))


class StreamRelay:
    """A sans-IO state machine over the bytes of one stream; see `proxy.wire.Relay`.

    It passes whole events. From the first finish that a footer may precede it holds what follows, except what belongs
    to other, unfinished choices; `close` lets go.
    """

    def __init__(self, request: Request) -> None:
        self._decoder = Decoder()
        self._undecorated = bool(request.undecorated)
        self._unfinished = request.choices
        self._choices: dict[int, _Choice] = {}
        self._held: list[tuple[Event, list[_Choice]]] = []
        """What waits for `close`, each event with the choices that finish in it."""
        self._hold_all = False
        self._passing = False
        self.ended = self.done = False
        self.incomplete = ""
        self.broken = False
        self.usage: Mapping[str, Any] = {}

    @property
    def answers(self) -> list[Answer]:
        return [self._choices[index].answer() for index in sorted(self._choices)]

    @property
    def speaking(self) -> bool:
        return any(one.texts or one.tool_turn or one.refused or one.finish for one in self._choices.values())

    @property
    def calling(self) -> bool:
        return any(choice.asks for choice in self._choices.values())

    def feed(self, data: bytes) -> bytes:
        return data if self._passing else self._pass(self._decoder.feed(data))

    def eof(self) -> bytes:
        """The upstream has ended. Without any finish it broke off, and must look so: nothing will be appended."""
        out = b"" if self._passing else self._pass(self._decoder.close())
        self.ended = True
        self.broken = self.broken or not any(choice.finish for choice in self._choices.values())
        return out

    def _pass(self, events: list[Event]) -> bytes:
        out: list[bytes] = []
        for event in events:
            if not self._held and self._is_text(event.data):
                out.append(event.raw)
                continue
            finishing = self._take(event)
            if self.broken:  # an error says that the answer is void: nothing is held from here on
                out += [held.raw for held, _ in self._held]
                self._held = []
            if finishing is None or self.broken:
                out.append(event.raw)
            else:
                self._held.append((event, finishing))
        if self._decoder.overflowed:
            self.incomplete = self.incomplete or "an event is too large to be read"
        return out[0] if len(out) == 1 else b"".join(out)

    def _is_text(self, data: bytes | None) -> bool:
        """The short way for what nearly all of a stream is: more text of one choice, and nothing else. Takes it, if so."""
        try:
            document = orjson.loads(data or b"")
            (raw,) = document["choices"]
            delta = raw["delta"]
            content, choice = delta["content"], self._choices[raw["index"]]
        except (KeyError, TypeError, ValueError):
            return False
        plain = raw["finish_reason"] is None if "finish_reason" in raw else True
        if (
            not plain
            or choice.finish
            or len(delta) != 1
            or type(content) is not str
            or "error" in document
            or not content
        ):
            return False
        choice.texts.append(content)
        return True

    def _take(self, event: Event) -> list[_Choice] | None:
        """Read an event. None: it may leave now; else it is to be held, with the choices that finish in it."""
        held: list[_Choice] | None = [] if self._held else None
        if event.data is None:
            return held
        if event.event == b"error":  # by its name alone: what it says may be no JSON
            self.broken = True
            return None
        if event.data == b"[DONE]":
            self.ended = self.done = True
            return held
        try:
            document = spans.parse(event.data)
        except ValueError:
            self.incomplete = self.incomplete or "an event is not JSON"
            return held
        choices = document.get("choices") if isinstance(document, dict) else None
        if isinstance(document, dict) and document.get("error"):
            self.broken = True
            return None
        if isinstance(document, dict) and isinstance(document.get("usage"), dict):
            self.usage = spans.tokens(document["usage"])
        if not choices or not isinstance(choices, list):
            return held
        return self._take_choices(choices)

    def _take_choices(self, raws: list[Any]) -> list[_Choice] | None:
        finishing: list[_Choice] = []
        going_on = False
        for raw in raws:
            if not isinstance(raw, dict):
                continue
            index = raw.get("index")
            choice = self._choice(index if isinstance(index, int) else 0)
            before = choice.finish
            choice.take(raw)
            if choice.finish and not before:
                self._unfinished -= 1
                self.ended = self.ended or self._unfinished <= 0
                if choice.decorable and not self._undecorated:
                    finishing.append(choice)
            going_on = going_on or not choice.finish
        if self._held and not going_on and not finishing:
            return []
        if finishing or self._hold_all:
            self._hold_all = self._hold_all or going_on  # text of an unfinished choice waits here: keep its order
            return finishing
        return None

    def _choice(self, index: int) -> _Choice:
        choice = self._choices.get(index)
        if choice is None:
            choice = self._choices[index] = _Choice(index)
        return choice

    def appendable(self, index: int) -> bool:
        return any(choice.index == index for _, finishing in self._held for choice in finishing)

    def keepalive(self) -> bytes:
        """An empty delta: every client takes it, and a comment would crash openai-python after an `id:` line."""
        for event, finishing in self._held:
            if finishing:
                try:
                    return ended_as(event, _chunk(event, finishing[0].index, b"{}", None))
                except ValueError:  # it cannot be walked
                    break
        return b""

    def close(self, append: Mapping[int, str], report: bytes | None = None) -> bytes:
        try:
            out = self._extended(append, report)
        except ValueError:  # events that we cannot edit safely leave as they came
            self.incomplete = "the answer could not be edited"
            out = [event.raw for event, _ in self._held]
        self._held = []
        self._passing = True
        rest = self._decoder.close()  # the front of an event whose rest comes by `feed`, which passes it on
        return b"".join((*out, *(event.raw for event in rest)))

    def _extended(self, append: Mapping[int, str], report: bytes | None) -> list[bytes]:
        """What is held, with what is to be appended before each finish. Raises ValueError where an event cannot be walked."""
        out: list[bytes] = []
        for event, finishing in self._held:
            wanted = [choice for choice in finishing if choice.index in append]
            split = any(choice.shares for choice in wanted)
            if split:
                out.append(_rewritten(event, finish=b"null"))
            for choice in wanted:
                delta = b'{"content":"' + spans.encode_text(append[choice.index]) + b'"}'
                out.append(ended_as(event, _chunk(event, choice.index, delta, report)))
                report = None
            out.append(_rewritten(event, delta=b"{}") if split else event.raw)
        return out


def _chunk(event: Event, index: int, delta: bytes, report: bytes | None) -> bytes:
    """A chunk of ours with the identity of the stream, its values in the bytes that the stream gave them."""
    data = event.data or b"{}"
    found = spans.find(data.decode("latin-1"), [(key,) for key in IDENTITY])
    own = b"".join(b'"%s":%s,' % (str(path[0]).encode(), data[start:end]) for path, (start, end) in found.items())
    tail = b"" if report is None else b',"groundwire":' + report
    return b'{%s"choices":[{"index":%d,"delta":%s,"finish_reason":null}]%s}' % (own, index, delta, tail)


def _rewritten(event: Event, *, finish: bytes | None = None, delta: bytes | None = None) -> bytes:
    """The event with every finish reason, or every delta, replaced; an early copy leaves usage to the last one."""
    data = event.data or b""
    text = data.decode("latin-1")
    document = spans.parse(data)
    wanted = [("choices", number) for number in range(len(document["choices"]))]
    paths: list[Path] = [(*path, "finish_reason" if finish is not None else "delta") for path in wanted]
    if finish is not None and document.get("usage") is not None:
        paths.append(("usage",))
    new = finish if finish is not None else delta or b"{}"
    patches = [(start, end, new) for start, end in spans.find(text, paths).values()]
    return ended_as(event, spans.splice(data, patches))


def ended_as(event: Event, data: bytes) -> bytes:
    """Data as an event with the stream's own line ends, and without a name: a chunk has none."""
    return spell(event._replace(event=b""), b"", data)
