"""Say what goes out to a model, what comes back, and what every door to a model can do."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

Headers = list[tuple[bytes, bytes]]
"""Header lines in the order they came, names in lower case, as ASGI writes them; a name may stand twice."""


@dataclass(slots=True)
class Outgoing:
    """One request on its way up.

    `path` is what follows `/v1` (`/chat/completions`), percent-encoded as the client sent it; `query` likewise. `headers`
    are the client's: a door takes off what must not go further. `body` is an iterator only where nothing is read or
    edited (files, audio); `length` is then its size in bytes, where the client said it. `model` is the upstream's own
    name for the model. `raw` asks for a pass-through: the reply's bytes and its content-encoding stay as they are; else
    the reply is decoded. `document` is the body as parsed JSON after every edit; a door that needs it and finds None
    parses `body` itself.
    """

    method: str
    path: str
    headers: Headers = field(default_factory=list)
    body: bytes | AsyncIterator[bytes] = b""
    query: bytes = b""
    model: str = ""
    stream: bool = False
    raw: bool = False
    document: Any = None
    length: int | None = None

    def parsed(self) -> Any:
        """The body as JSON. Raises ValueError when it is none, or is a stream."""
        if self.document is None and isinstance(self.body, bytes):
            return json.loads(self.body, strict=False)  # clients send control characters in strings
        if self.document is None:
            raise ValueError("a streamed body is not parsed")
        return self.document


class Reply(Protocol):
    """What a model's server answered; the body is still coming in.

    Hop-by-hop headers are gone. Unless the request was `raw`, the body is decoded, and content-encoding and
    content-length are gone too; only where the encoding is one that nobody here can undo are both left as they were, and
    `opaque` says so: such a body cannot be audited.
    """

    status: int
    headers: Headers
    opaque: bool

    @property
    def body(self) -> AsyncIterator[bytes]:
        """The bytes as they come, to be read once. Raises UpstreamError when the upstream breaks off."""

    async def aclose(self) -> None:
        """Be done with the reply, as often as wanted: a body not read to its end costs the connection."""


EVENTS = (b"data:", b"event:", b":", b"id:", b"retry:")
"""How a server-sent event may begin."""
BOM = b"\xef\xbb\xbf"


def streams(reply: Reply) -> bool:
    """Whether a reply's body comes as server-sent events."""
    return _kind(reply).startswith(b"text/event-stream") or (isinstance(reply, Peeked) and reply.events)


def _kind(reply: Reply) -> bytes:
    return next((value for name, value in reply.headers if name == b"content-type"), b"").lower()


class Peeked:
    """A reply whose first bytes say what it is; it is `opaque` where they begin nothing that can be read here."""

    def __init__(self, reply: Reply, first: bytes, rest: AsyncIterator[bytes]) -> None:
        self.status, self.headers, self._reply = reply.status, reply.headers, reply
        self._first, self._rest = first, rest
        begun = first.removeprefix(BOM).lstrip()
        self.events = begun.startswith(EVENTS)
        lines = any(one in _kind(reply) for one in (b"ndjson", b"jsonl", b"json-seq"))
        self.opaque = bool(begun) and not self.events and (lines or not begun.startswith(b"{"))

    @property
    async def body(self) -> AsyncIterator[bytes]:
        if self._first:
            yield self._first
        async for piece in self._rest:
            yield piece

    async def aclose(self) -> None:
        await self._reply.aclose()


async def peeked(reply: Reply, streaming: bool) -> Reply:
    """A reply to a request for a stream whose type does not say that it is one, known by its first bytes; any other as it is.

    Some servers stream without a type, or under that of plain JSON, and must not be held for that. Raises UpstreamError.
    """
    told = _kind(reply).partition(b";")[0].strip() == b"text/event-stream"
    if not streaming or told or reply.opaque or reply.status != 200:
        return reply
    rest, first = aiter(reply.body), b""
    while len(first) < 16 and (piece := await anext(rest, None)) is not None:
        first += piece
    return Peeked(reply, first, rest)


class Upstream(Protocol):
    """A door to a model, open for the life of the process.

    `active` counts the requests and replies under way; it is zero again when their readers have gone.
    """

    name: str

    @property
    def active(self) -> int: ...

    def models(self) -> Sequence[str]:
        """The models that the door itself knows; none where its server has to be asked (`GET /models`)."""

    async def start(self) -> None: ...

    async def open(self, outgoing: Outgoing) -> Reply:
        """Send the request and wait for the reply's head. Raises UpstreamError, naming the upstream and why."""

    async def aclose(self) -> None: ...


class LocalReply:
    """A reply that is made in this process; it stands in its upstream's set `open` until it is over."""

    __slots__ = ("_open", "_source", "body", "headers", "opaque", "status")

    def __init__(
        self, status: int, headers: Headers, source: AsyncGenerator[bytes, None], open: set[LocalReply]
    ) -> None:
        self.status, self.headers, self.opaque = status, headers, False
        self._source, self._open = source, open
        self.body = self._pieces()
        open.add(self)

    async def _pieces(self) -> AsyncGenerator[bytes, None]:
        try:
            async for piece in self._source:
                yield piece
        finally:
            await self.aclose()

    async def aclose(self) -> None:
        self._open.discard(self)
        if not getattr(self._source, "ag_running", False):
            await self._source.aclose()


async def once(body: bytes) -> AsyncGenerator[bytes, None]:
    """A body that is there as a whole."""
    yield body


def compact(document: Any) -> bytes:
    """JSON as providers write it on a line of its own; ASCII, so that half an emoji does not break it."""
    return json.dumps(document, separators=(",", ":")).encode()


def error_body(message: str, kind: str, *, param: str | None = None, code: str | None = None) -> bytes:
    """An error as OpenAI's API shapes it."""
    return compact({"error": {"message": message, "type": kind, "param": param, "code": code}})
