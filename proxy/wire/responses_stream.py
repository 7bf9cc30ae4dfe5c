"""Relay a streamed response of OpenAI's: text at once, from the end of a text on all is held until it is the last."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import orjson

from proxy.transcript import Answer
from proxy.wire import Path, Request, spans
from proxy.wire.responses_items import DECORABLE, THINKING, answer, client_run, end_of, finish_of, kind, string, text_of
from proxy.wire.sse import BYTES, EVENTS, LIMIT, Decoder, Event, spell

DELTA = "response.output_text.delta"
FINISHES = ("response.completed", "response.incomplete")
FAILURES = ("response.failed", "response.cancelled", "error")
NUMBER: Path = ("sequence_number",)
PING = "keepalive"
"""The event that OpenAI sends while the model is silent for long; its documentation has it not."""


class _Held(NamedTuple):
    """An event that waits, and the texts in it that grow with the answer's."""

    event: Event
    texts: Sequence[Path] = ()


class _Place(NamedTuple):
    """The text part that would be extended: where it stands, and what it says."""

    output: int
    part: int
    text: str

    def holds(self, document: Mapping[str, Any]) -> bool:
        """Whether an event speaks of this part."""
        return (document.get("output_index"), document.get("content_index")) == (self.output, self.part)


class StreamRelay:
    """A sans-IO state machine over the bytes of one stream; see `proxy.wire.Relay`.

    A text's `output_text.done` carries the whole of it, and so do three events behind it: from there every event is
    held, through a little reasoning, until something else comes (a call, another text, a failure: the held bytes leave
    unchanged) or the event that ends the response, and then for `close`. Long reasoning leaves as well, and so does
    what tells a client to wait on: nothing may then be appended, unless another text comes.
    """

    def __init__(self, request: Request) -> None:
        self._decoder = Decoder()
        self._undecorated, self._lasting = bool(request.undecorated), request.lasting
        self._items: dict[Any, Mapping[str, Any]] = {}
        """What is told of each item so far, by its index."""
        self._texts: dict[tuple[Any, Any], list[str]] = {}
        """The pieces of each text, by the indexes of its item and its part."""
        self._output: Sequence[Any] = ()
        self._delta = b""
        self._held: list[_Held] = []
        """What waits; the first of it is the end of the text that would be extended."""
        self._weight = self._beside = self._events = 0
        """Bytes of what is held; bytes and events of that of it which is no end of the text. The rest of a line's end is no
        event, however it was cut."""
        self._place = _Place(0, 0, "")
        self._moved = 0
        """How many events of ours stand before what is still to come."""
        self._begun = self._closed = self._tool_turn = self._refused = False
        self._id = self._finish = ""
        self.ended = False
        self.incomplete = ""
        self.broken = False
        self.usage: Mapping[str, Any] = {}

    @property
    def speaking(self) -> bool:
        return self._begun  # the provider knows an answer by the id in its first event

    @property
    def done(self) -> bool:
        return self.ended

    @property
    def calling(self) -> bool:
        return self._tool_turn

    @property
    def answers(self) -> list[Answer]:
        if not self._begun:
            return []
        items = self._output or self._read()
        found = answer(items, self._finish, "" if self.broken or not self._finish else self._id)
        found.refused = found.refused or self._refused
        return [found]

    def _read(self) -> list[Mapping[str, Any]]:
        """The items as they would stand in a plain answer, as far as they came in."""
        texts: dict[Any, list[dict[str, str]]] = {}
        for (output, _), pieces in self._texts.items():
            texts.setdefault(output, []).append({"type": "output_text", "text": "".join(pieces)})
        return [
            item if item.get("content") or kind(item) != "message" else {**item, "content": texts.get(index, [])}
            for index, item in self._items.items()
        ]

    def feed(self, data: bytes) -> bytes:
        if not self._closed:
            return self._pass(self._decoder.feed(data))
        return b"".join(map(self._shifted, self._decoder.feed(data))) if self._moved else data

    def eof(self) -> bytes:
        """The upstream has ended. Without an end of the response it broke off, and must look so: nothing is appended."""
        rest = self._decoder.close()
        if self._closed:
            return b"".join(map(self._shifted, rest))
        out = self._pass(rest)
        self.ended = True
        self.broken = self.broken or not self._finish
        return out + self._released() if self.broken else out

    def _pass(self, events: list[Event]) -> bytes:
        out: list[bytes] = []
        for event in events:
            hold = self._take(event)
            if hold is not None and self._fits(event, hold):
                self._held.append(_Held(event, hold))
                continue
            if self._held:
                out.append(self._released())
            out.append(event.raw)
        return out[0] if len(out) == 1 else b"".join(out)

    def _fits(self, event: Event, hold: Sequence[Path]) -> bool:
        """Whether there is room for an event among what is held; it is then counted."""
        size = len(event.raw)
        if self._weight + size > LIMIT:
            return False
        if not hold and not self._finish:
            beside, events = self._beside + size, self._events + (event.data is not None)
            if beside > BYTES or events > EVENTS:
                return False
            self._beside, self._events = beside, events
        self._weight += size
        return True

    def _released(self) -> bytes:
        held, self._held = self._held, []
        self._weight = self._beside = self._events = 0
        return b"".join(one.event.raw for one in held)

    def _take(self, event: Event) -> Sequence[Path] | None:
        """Read an event. None: neither it nor what is held waits any longer; else the texts that grow in it."""
        waiting: Sequence[Path] | None = () if self._held else None
        if event.data is None:
            if self._decoder.overflowed:
                return self._unread("an event is too large to be read")
            return None if event.raw.startswith(b":") and not self._finish else waiting  # a comment in a ping's place
        if event.event == b"error":  # by its name alone: what it says may be no JSON
            self.broken = True
            return None
        try:
            document = orjson.loads(event.data)  # as spans.parse begins: a call less for every event
        except orjson.JSONDecodeError:
            try:
                document = None if event.data == b"[DONE]" else spans.parse(event.data)
            except ValueError:
                return self._unread("an event is not JSON")
        if not isinstance(document, dict):
            self.ended = self.ended or event.data == b"[DONE]"
            return waiting
        named = document.get("type") or event.event.decode("latin-1")
        if named == DELTA:
            self._take_delta(document, event)
            return None
        if named in FAILURES or (document.get("error") and "type" not in document):
            self.broken = True
            self.ended = self.ended or named != "error"
            return None
        if self._finish:
            return waiting
        return self._take_other(named, document) if isinstance(named, str) else waiting

    def _unread(self, why: str) -> Sequence[Path] | None:
        """What cannot be read cannot grow or be moved with the rest: nothing is held around it but behind the end."""
        self.incomplete = self.incomplete or why
        return () if self._held and self._finish else None

    def _take_delta(self, document: Mapping[str, Any], event: Event) -> None:
        """More of a text."""
        text = document.get("delta")
        if type(text) is not str:
            return
        output, part = document.get("output_index"), document.get("content_index")
        try:
            self._texts[output, part].append(text)
        except KeyError:
            self._begun = True
            self._delta = event.data or b""
            self._items.setdefault(output, {"type": "message", "role": "assistant"})
            self._texts[output, part] = [text]
        except TypeError:  # an index that is none
            return

    def _take_other(self, named: str, document: Mapping[str, Any]) -> Sequence[Path] | None:
        waiting: Sequence[Path] | None = () if self._held else None
        if named == PING:
            return None
        if named in FINISHES:
            return self._take_finish(named, document)
        if named == "response.output_text.done":
            return self._take_text(document)
        if named in ("response.output_item.added", "response.output_item.done"):
            return self._take_item(document, named.endswith("done"))
        if named in ("response.content_part.added", "response.content_part.done"):
            part = document.get("part")
            if not self._held or (isinstance(part, dict) and part.get("type") == "reasoning_text"):
                return waiting
            grows = self._place.holds(document) and isinstance(part, dict) and text_of(part) == self._place.text
            return (("part", "text"),) if grows and named.endswith("done") else None
        if named.startswith("response.refusal."):
            self._refused = True
            return None
        if isinstance(response := document.get("response"), dict):
            self._begun = True
            self._id = string(response.get("id")) if self._lasting else ""
        return waiting

    def _take_text(self, document: Mapping[str, Any]) -> Sequence[Path] | None:
        """A text has ended: hold it, if it is one that a footer may stand under."""
        output, part, text = (document.get(key) for key in ("output_index", "content_index", "text"))
        self._begun = True
        if not isinstance(text, str) or type(output) is not int or type(part) is not int or part < 0:
            return None
        self._texts[output, part] = [text]
        told = self._items.setdefault(output, {"type": "message", "role": "assistant"})
        if self._held or not text.strip() or kind(told) != "message" or told.get("phase") == "commentary":
            return None
        if self._tool_turn or self._refused or self._undecorated or self.broken:
            return None
        self._place = _Place(output, part, text)
        return (("text",),)

    def _take_item(self, document: Mapping[str, Any], done: bool) -> Sequence[Path] | None:
        item, index = document.get("item"), document.get("output_index")
        if not isinstance(item, dict) or not (index is None or isinstance(index, (int, str))):
            return None
        self._begun = True
        self._items[index] = item
        self._tool_turn = self._tool_turn or client_run(item)
        if not self._held:
            return None
        if kind(item) in THINKING:
            return ()
        place = self._place
        grows = done and index == place.output and self._grows([item])
        return (("item", "content", place.part, "text"),) if grows else None

    def _grows(self, items: Sequence[Any]) -> bool:
        """Whether items end in the very text that is held, and say nothing else that forbids a footer."""
        end = end_of(items)
        if end is None:
            return False
        part = items[end[0]]["content"][end[1]]
        found = answer(items, "")
        same = text_of(part) == self._place.text and end[1] == self._place.part
        return same and not found.calls and not found.refused

    def _take_finish(self, named: str, document: Mapping[str, Any]) -> Sequence[Path] | None:
        response = document.get("response")
        response = response if isinstance(response, dict) else {}
        self._begun = self.ended = True
        self._finish = finish_of(response, named.removeprefix("response."))
        self._id = (string(response.get("id")) or self._id) if self._lasting else ""
        self.usage = spans.tokens(response.get("usage"))
        output = response.get("output")
        self._output = output if isinstance(output, list) else ()
        if not self._held or self._finish not in DECORABLE:
            return None
        if not self._output:  # some servers leave it out of the end
            return ()
        end = end_of(self._output)
        if end is None or not self._grows(self._output):
            return None
        return (("response", "output", end[0], "content", end[1], "text"),)

    def appendable(self, index: int) -> bool:
        return index == 0 and bool(self._held) and self._finish in DECORABLE

    def keepalive(self) -> bytes:
        """An empty delta of the text that is held. It takes a number of its own, and so moves all that follow."""
        if not self.appendable(0):
            return b""
        try:
            out = self._own(b"", None)
        except ValueError:  # it cannot be walked
            return b""
        self._moved += 1
        return out

    def close(self, append: Mapping[int, str], report: bytes | None = None) -> bytes:
        out: list[bytes] = []
        if 0 in append and self._held:
            text = spans.encode_text(append[0])
            try:
                own = self._own(text, report)
                grown = [_changed(one.event, self._moved + 1, one.texts, text) for one in self._held if one.texts]
            except ValueError:  # events that we cannot edit safely leave as they came
                self.incomplete = "the answer could not be edited"
            else:
                self._moved += 1
                out = [own, *(grown.pop(0) if one.texts else self._shifted(one.event) for one in self._held)]
        out = out or [self._shifted(one.event) for one in self._held]
        self._held = []
        self._weight = self._beside = self._events = 0
        if not self._closed and not self._moved:
            out += [event.raw for event in self._decoder.close()]  # its rest comes by `feed`, which passes it on
        self._closed = True
        return b"".join(out)

    def _shifted(self, event: Event) -> bytes:
        """An event with its number moved up by what stands before it; as it came where it has none."""
        try:
            return _changed(event, self._moved) if self._moved and event.data else event.raw
        except ValueError:
            return event.raw

    def _own(self, text: bytes, report: bytes | None) -> bytes:
        """A delta of ours right before the end of the text that is held, with the stream's own values in its bytes."""
        first = self._held[0].event
        data = first.data or b""
        keys = ("sequence_number", "item_id", "output_index", "content_index")
        found = spans.find(data.decode("latin-1"), [(key,) for key in keys])
        fields = [b'"type":"response.output_text.delta"']
        for path, (start, end) in found.items():
            value = data[start:end]
            if path == NUMBER:
                value = b"%d" % (int(value) + self._moved) if _counts(value) else value
            fields.append(b'"%s":%s' % (str(path[0]).encode(), value))
        fields.append(b'"delta":"%s"' % text)
        like = self._delta or data
        if spans.find(like.decode("latin-1"), [("logprobs",)]):
            fields.append(b'"logprobs":[]')
        if report is not None:
            fields.append(b'"groundwire":' + report)
        return spell(first, b"response.output_text.delta", b"{" + b",".join(fields) + b"}")


def _counts(value: bytes) -> bool:
    return value.isdigit() and len(value) < 19


def _changed(event: Event, moved: int, texts: Sequence[Path] = (), more: bytes = b"") -> bytes:
    """The event with its number moved up, and more at the end of texts; every other byte as it was.

    Raises ValueError where it has no such text.
    """
    data = event.data
    if data is None:
        return event.raw
    found = spans.find(data.decode("latin-1"), (NUMBER, *texts))
    patches = []
    if NUMBER in found:
        start, end = found[NUMBER]
        if _counts(data[start:end]):
            patches.append((start, end, b"%d" % (int(data[start:end]) + moved)))
    for path in texts:
        start, end = found.get(path, (0, 0))
        if data[start : start + 1] != b'"':
            raise ValueError(f"there is no text at {path}")
        patches.append((end - 1, end - 1, more))
    return _with_data(event, spans.splice(data, patches))


def _with_data(event: Event, data: bytes) -> bytes:
    """The event with other data, in the lines that it came in; what came in several lines of data is then in one."""
    for prefix in (b"data: ", b"data:"):
        head, found, tail = event.raw.partition(prefix + (event.data or b""))
        if found:
            return head + prefix + data + tail
    lines = []
    written = False
    for line in event.raw.splitlines(keepends=True):  # of bytes: CRLF, LF and CR only
        if not line.startswith(b"data"):
            lines.append(line)
        elif not written:
            written = True
            end = line[len(line.rstrip(b"\r\n")) :]
            lines.append(b"data: " + data.replace(b"\r", b" ").replace(b"\n", b" ") + end)
    return b"".join(lines)
