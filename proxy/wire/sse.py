"""Cut bytes into server-sent events, keeping each event's own bytes."""

from __future__ import annotations

import re
from typing import NamedTuple

LIMIT = 16 * 1024 * 1024
"""Bytes that an event may have while it is waited for."""

EVENTS, BYTES = 32, 65_536
"""What a relay may hold behind a text before the answer's end is known: a few seconds of thinking. A client that hears nothing
for longer may give up."""

_BOM = b"\xef\xbb\xbf"

# "Lines must be separated by either a U+000D CARRIAGE RETURN U+000A LINE FEED (CRLF) character pair, a single
# U+000A LINE FEED (LF) character, or a single U+000D CARRIAGE RETURN (CR) character" (HTML, 9.2.5). Atomic, or a lone
# CRLF would be read as two ends.
_BLANK_LINE = re.compile(rb"(?>\r\n?|\n)(?>\r\n?|\n)")


class Event(NamedTuple):
    """One event, or bytes between events.

    `raw` is every byte it came in as. `data` is its data lines joined by a newline, None when it has none (a comment,
    a blank line, an event too large to be read); `event` is its type, empty when it names none.
    """

    raw: bytes
    data: bytes | None = None
    event: bytes = b""


class Decoder:
    """Takes bytes cut anywhere and returns whole events; the `raw` of all, joined, are the bytes that came in.

    An event that grows over `limit` bytes leaves in pieces without data, and `overflowed` is set.
    """

    __slots__ = ("_after_cr", "_odd", "_rest", "_seen", "_skipping", "limit", "overflowed")

    def __init__(self, limit: int = LIMIT) -> None:
        self.limit = limit
        self.overflowed = False
        self._rest = bytearray()  # the event that has not ended yet
        self._seen = 0  # how much of it holds no end
        self._after_cr = False  # an event ended on a CR whose LF may still come
        self._odd = True  # the next event is the first one, which may begin with a BOM, or it is `_skipping`
        self._skipping = False  # the front of the next event has left already

    def feed(self, data: bytes) -> list[Event]:
        """Take the next bytes; return the events that they end."""
        events: list[Event] = []
        if self._after_cr and data:
            self._after_cr = False
            if data.startswith(b"\n"):
                events.append(Event(b"\n"))
                data = data[1:]
        if self._rest:
            self._rest += data
            if not _BLANK_LINE.search(self._rest, self._seen):
                return self._wait()
            data = bytes(self._rest)
            self._rest.clear()
        if b"\r" not in data and not self._odd:
            *whole, rest = data.split(b"\n\n")
            events += [_line(raw) for raw in whole]
            if rest:
                self._rest += rest
                events += self._wait()
            return events
        start = 0
        for end in _ends(data):
            events.append(self._event(data[start:end]))
            start = end
        if start < len(data):
            self._rest += data[start:]
            events += self._wait()
        elif start and data.endswith(b"\r"):
            self._after_cr = True
        return events

    def close(self) -> list[Event]:
        """The stream is over: what is left, read as the event that it would be, as most clients do."""
        rest = bytes(self._rest)
        self._rest.clear()
        return [self._event(rest)] if rest else []

    def _wait(self) -> list[Event]:
        """Note what needs no second look (a blank line has at most two bytes before its last), and bound it."""
        if len(self._rest) <= self.limit:
            self._seen = max(0, len(self._rest) - 2)
            return []
        front = bytes(self._rest[:-2])
        del self._rest[:-2]
        self._seen = 0
        self.overflowed = self._skipping = self._odd = True
        return [Event(front)]

    def _event(self, raw: bytes) -> Event:
        if not self._odd:
            return _read(raw)
        self._odd = False
        if self._skipping:
            self._skipping = False
            return Event(raw)
        return _read(raw.removeprefix(_BOM))._replace(raw=raw)


def events(data: bytes) -> list[Event]:
    """The events of bytes that are all there."""
    decoder = Decoder()
    return [*decoder.feed(data), *decoder.close()]


def spell(like: Event, name: bytes, data: bytes) -> bytes:
    """Data as an event with the stream's own line ends, and named where the stream names its own."""
    end = b"\r\n" if b"\r\n" in like.raw else b"\r" if b"\r" in like.raw and b"\n" not in like.raw else b"\n"
    named = b"event: " + name + end if like.event else b""
    return named + b"data: " + data.replace(b"\n", b" ") + end + end


def _ends(data: bytes) -> list[int]:
    """The offset after each blank line."""
    if b"\r" in data:
        return [blank.end() for blank in _BLANK_LINE.finditer(data)]
    ends = []
    end = data.find(b"\n\n")
    while end >= 0:
        ends.append(end + 2)
        end = data.find(b"\n\n", end + 2)
    return ends


def _line(raw: bytes) -> Event:
    """An event without its blank line; what nearly every event is, one line of data, is read the short way."""
    if raw.startswith(b"data: ") and b"\n" not in raw:
        return Event(raw + b"\n\n", raw[6:])
    return _read(raw + b"\n\n")


def _read(raw: bytes) -> Event:
    data: list[bytes] = []
    name = b""
    for line in raw.splitlines():  # of bytes: CRLF, LF and CR only
        field, _, value = line.partition(b":")
        if field == b"data":
            data.append(value.removeprefix(b" "))
        elif field == b"event":
            name = value.removeprefix(b" ")
    return Event(raw, b"\n".join(data) if data else None, name)
