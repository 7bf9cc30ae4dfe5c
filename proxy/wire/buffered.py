"""Hold a whole streamed answer until somebody has decided on it; its head, and a turn of tool calls, pass at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from proxy.transcript import Answer
from proxy.wire import Relay
from proxy.wire.sse import Decoder

HEAD = 64 * 1024
"""Bytes of a head that are remembered: reasoning passes with it, and may be long."""


class Buffered:
    """A relay around a relay: what that one lets go of is kept, from the first event in which something is said.

    What passes before it is the `head`: roles, ids, reasoning; its front is remembered, and as `like` with it the event that
    is said first. A call that the client is to run, or `close`, let go of everything. With `whole`, nothing passes before
    `close`. Of an answer that an error voids, the `fault` may leave alone.
    """

    def __init__(self, relay: Relay, *, whole: bool = False) -> None:
        self._relay, self._whole = relay, whole
        self._decoder = Decoder()
        self._kept: list[bytes] = []
        self._passing = False
        self.head = self.fault = self._first = b""

    @property
    def like(self) -> bytes:
        return self.head + self._first

    @property
    def ended(self) -> bool:
        return self._relay.ended

    @property
    def done(self) -> bool:
        return self._relay.done or self._relay.broken

    @property
    def answers(self) -> list[Answer]:
        return self._relay.answers

    @property
    def incomplete(self) -> str:
        return self._relay.incomplete

    @property
    def broken(self) -> bool:
        return self._relay.broken

    @property
    def speaking(self) -> bool:
        return self._relay.speaking

    @property
    def calling(self) -> bool:
        return self._relay.calling

    @property
    def usage(self) -> Mapping[str, Any]:
        return self._relay.usage

    def feed(self, data: bytes) -> bytes:
        if self._passing:
            return self._relay.feed(data)
        out = b"".join([self._take(event.raw) for event in self._decoder.feed(data)])
        if self._passing:  # the front of an event whose rest comes by `feed`
            out += b"".join([self._relay.feed(event.raw) for event in self._decoder.close()])
        return out

    def _take(self, raw: bytes) -> bytes:
        """Feed one event; what may leave of it, and of what was kept."""
        sound = not self._relay.broken
        passed = self._relay.feed(raw)
        if sound and self._relay.broken:
            self.fault = raw
        if self._passing:
            return passed
        if self._whole:
            return self._keep(passed)
        if self._relay.calling:
            self._passing = True
            return self._released() + passed
        if self._kept or self._relay.speaking or self._relay.broken or self._relay.incomplete:
            self._first = self._first or raw
            return self._keep(passed)
        if len(self.head) < HEAD:
            self.head += passed
        return passed

    def eof(self) -> bytes:
        out = b"" if self._passing else b"".join([self._take(event.raw) for event in self._decoder.close()])
        return out + (self._relay.eof() if self._passing else self._keep(self._relay.eof()))

    def _keep(self, data: bytes) -> bytes:
        self._kept.append(data)
        return b""

    def _released(self) -> bytes:
        kept, self._kept = self._kept, []
        return b"".join(kept)

    def appendable(self, index: int) -> bool:
        return self._relay.appendable(index)

    def keepalive(self) -> bytes:
        return self._relay.keepalive()

    def close(self, append: Mapping[int, str], report: bytes | None = None) -> bytes:
        self._passing = True
        rest = self._decoder.close()  # the front of an event whose rest comes by `feed`, which passes it on
        return b"".join((self._released(), self._relay.close(append, report), *(event.raw for event in rest)))
