"""Relay a streamed answer of Anthropic's: text at once, from the end of a text block on all is held until it is the last."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson

from proxy.transcript import Answer
from proxy.wire import Request, spans
from proxy.wire.messages_blocks import CLIENT_CALL, THINKING, answer, kind, string, text_of
from proxy.wire.sse import BYTES, EVENTS, LIMIT, Decoder, Event, spell

DECORABLE = frozenset({"end_turn", "stop_sequence", "max_tokens"})
"""Stop reasons of an answer that a reader gets as it is."""


class _Block:
    """One content block as it comes in; its pieces are joined only when somebody asks."""

    __slots__ = ("inputs", "kind", "raw", "texts")

    def __init__(self, raw: Any) -> None:
        self.raw: dict[str, Any] = raw if isinstance(raw, dict) else {"type": "text"}
        self.kind = kind(self.raw)
        self.texts = [text] if (text := text_of(self.raw)) else []
        self.inputs: list[str] = []

    @property
    def blank(self) -> bool:
        return all(not text or text.isspace() for text in self.texts)

    def read(self) -> dict[str, Any]:
        """The block as it would stand in a plain answer."""
        if self.kind == "text":
            return {"type": "text", "text": "".join(self.texts)}
        return {**self.raw, "input": "".join(self.inputs)} if self.inputs else self.raw


class StreamRelay:
    """A sans-IO state machine over the bytes of one stream; see `proxy.wire.Relay`.

    A text block's `content_block_stop` may be the place where the answer ends, and only before it can text be added to
    the block. So from there every event is held, through a little thinking, until something else comes (a call, another
    text block, an error: the held bytes leave unchanged) or the `message_delta` with the stop reason, and then for
    `close`. Long thinking leaves as well, and so do pings that tell a client to wait on: nothing may then be appended,
    unless another text block comes. A ping never overtakes what is held, or an honest answer would not be the same bytes.
    """

    def __init__(self, request: Request) -> None:
        self._decoder = Decoder()
        self._undecorated = bool(request.undecorated)
        self._blocks: list[_Block] = []
        self._open: dict[int | str | None, _Block] = {}
        self._held: list[Event] = []
        """What waits; the first of it is the stop of the text block that would be extended."""
        self._index = 0
        """That block's own index."""
        self._weight = self._events = 0
        """Bytes of what is held, and how many events are in it: the rest of a line's end is none, however it was cut."""
        self._last_text: _Block | None = None
        self._pinged = False
        """Whether a ping was the last that was held."""
        self._begun = self._passing = self._tool_turn = False
        self._stop = ""
        self._container: Any = None
        self.ended = self.done = False
        self.incomplete = ""
        self.broken = False
        self.usage: Mapping[str, Any] = {}

    @property
    def answers(self) -> list[Answer]:
        return [answer([block.read() for block in self._blocks], self._stop, self._container)] if self._begun else []

    @property
    def speaking(self) -> bool:
        return bool(self._stop or self._blocks)  # thinking belongs to the answer that it is signed for

    @property
    def calling(self) -> bool:
        return self._tool_turn

    def feed(self, data: bytes) -> bytes:
        return data if self._passing else self._pass(self._decoder.feed(data))

    def eof(self) -> bytes:
        """The upstream has ended. Without a stop reason it broke off, and must look so: nothing will be appended."""
        if self._passing:
            return b""
        out = self._pass(self._decoder.close())
        self.ended = True
        self.broken = self.broken or not self._stop
        return out + self._released() if self.broken else out

    def _pass(self, events: list[Event]) -> bytes:
        out: list[bytes] = []
        for event in events:
            if self._take(event) and self._fits(event):
                self._held.append(event)
                continue
            if self._held:
                out.append(self._released())
            out.append(event.raw)
        if self._decoder.overflowed:
            self.incomplete = self.incomplete or "an event is too large to be read"
        return out[0] if len(out) == 1 else b"".join(out)

    def _fits(self, event: Event) -> bool:
        """Whether there is room for an event among what is held; it is then counted."""
        weight, events = self._weight + len(event.raw), self._events + (event.data is not None)
        fits = weight <= LIMIT if self._stop else weight <= BYTES and events <= EVENTS
        if fits:
            self._weight, self._events = weight, events
        return fits

    def _released(self) -> bytes:
        held, self._held = self._held, []
        self._weight = self._events = 0
        return b"".join(event.raw for event in held)

    def _take(self, event: Event) -> bool:
        """Read an event. Whether it is to be held; if not, neither is what was held before it."""
        holding = bool(self._held)
        if event.data is None:
            return self._take_ping(holding) if event.raw.startswith(b":") else holding
        if event.event == b"error":  # by its name alone: what it says may be no JSON
            self.broken = True
            return False
        try:
            document = orjson.loads(event.data)  # as spans.parse begins: a call less for every event
        except orjson.JSONDecodeError:
            try:
                document = spans.parse(event.data)
            except ValueError:
                self.incomplete = self.incomplete or "an event is not JSON"
                return holding
        if not isinstance(document, dict):
            return holding
        named = document.get("type") or event.event.decode("latin-1")
        if named == "content_block_delta":
            return self._take_delta(document, holding)
        if named == "content_block_start":
            return self._take_start(document, holding)
        if named == "content_block_stop":
            return self._take_stop(document, holding)
        return self._take_other(named, document, holding)

    def _take_delta(self, document: Mapping[str, Any], holding: bool) -> bool:
        """More of a block. Text that no start announced is a block of its own."""
        delta, index = document.get("delta"), _index(document)
        if not isinstance(delta, dict):
            return holding
        block = self._open.get(index)
        if isinstance(text := delta.get("text"), str) and delta.get("type") == "text_delta":
            if block is None or block.kind != "text":
                block = self._start({"type": "text"}, index)
            block.texts.append(text)
            return False
        if block is not None and isinstance(piece := delta.get("partial_json"), str):
            block.inputs.append(piece)
        return holding

    def _take_start(self, document: Mapping[str, Any], holding: bool) -> bool:
        block = self._start(document.get("content_block"), _index(document))
        self._tool_turn = self._tool_turn or block.kind == CLIENT_CALL
        return holding and block.kind in THINKING

    def _start(self, raw: Any, index: int | str | None) -> _Block:
        self._begun = True
        block = self._open[index] = _Block(raw)
        self._blocks.append(block)
        if block.kind == "text":
            self._last_text = block
        return block

    def _take_stop(self, document: Mapping[str, Any], holding: bool) -> bool:
        index = _index(document)
        block = self._open.pop(index, None)
        if holding or block is None or block.kind != "text" or block is not self._last_text:
            return holding
        if block.blank or self._tool_turn or self._undecorated or self.broken or self._stop:
            return False
        if not isinstance(index, int) or index < 0:
            return False
        self._index = index
        self._pinged = False
        return True

    def _take_ping(self, holding: bool) -> bool:
        """A ping, or a comment in its place. The first may come at any time; the next, and one that comes while the
        model thinks, say that the end is not near."""
        again, self._pinged = self._pinged, True
        return holding and bool(self._stop or not (again or self._blocks[-1].kind in THINKING))

    def _take_other(self, named: str, document: Mapping[str, Any], holding: bool) -> bool:
        if named == "error" or isinstance(document.get("error"), dict):
            self.broken = True
            return False
        if named == "ping":
            return self._take_ping(holding)
        self._pinged = False
        if named == "message_start":
            self._begun = True
            message = document.get("message")
            self._count(message.get("usage") if isinstance(message, dict) else None)
        elif named == "message_delta":
            self._count(document.get("usage"))
            delta = document.get("delta")
            reason = delta.get("stop_reason") if isinstance(delta, dict) else None
            self._container = (delta.get("container") if isinstance(delta, dict) else None) or self._container
            if reason is not None and not self._stop:
                self._stop = string(reason) or "unknown"
                self.ended = True
                return holding and self._stop in DECORABLE
        elif named == "message_stop":
            self.ended = self.done = True
            return holding and bool(self._stop)
        return holding

    def _count(self, usage: Any) -> None:
        """Take over a count; a later one counts for all that came before it."""
        self.usage = {**self.usage, **spans.tokens(usage)}

    def appendable(self, index: int) -> bool:
        return index == 0 and bool(self._held) and self._stop in DECORABLE

    def keepalive(self) -> bytes:
        """A ping, which every client of this API takes."""
        if not self._held:
            return b""
        return spell(self._held[0], b"ping", b'{"type": "ping"}')

    def close(self, append: Mapping[int, str], report: bytes | None = None) -> bytes:
        out: list[bytes] = []
        if 0 in append and self._held:
            text = spans.encode_text(append[0])
            data = b'{"type":"content_block_delta","index":%d,"delta":{"type":"text_delta","text":"%s"}%s}' % (
                self._index,
                text,
                b"" if report is None else b',"groundwire":' + report,
            )
            out.append(spell(self._held[0], b"content_block_delta", data))
        out.append(self._released())
        self._passing = True
        rest = self._decoder.close()  # the front of an event whose rest comes by `feed`, which passes it on
        return b"".join((*out, *(event.raw for event in rest)))


def _index(document: Mapping[str, Any]) -> int | str | None:
    index = document.get("index")
    return index if isinstance(index, (int, str)) else None
