"""A client's request as it comes in, its answer as it goes out, and whether the client is still there."""

from __future__ import annotations

import asyncio
import ipaddress
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.types import Receive, Scope, Send

from proxy.errors import RequestError

Headers = list[tuple[bytes, bytes]]

FORWARDED = frozenset(
    {b"forwarded", b"via", b"x-forwarded-for", b"x-forwarded-host", b"x-forwarded-proto", b"x-real-ip"}
)
"""What proxies say of whom they ask for."""


class ClientGone(Exception):
    """The client left before its request had come in; nobody waits for an answer."""


class Inbound:
    """One ASGI request. `path` is what follows `/v1`, percent-encoded as it came."""

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._receive, self._send = receive, send
        self.method: str = scope["method"]
        raw: bytes = scope.get("raw_path") or scope["path"].encode()
        self.path = raw.decode("latin-1").partition("?")[0].removeprefix("/v1")
        self._address: str = (scope.get("client") or ("", 0))[0]
        self.query: bytes = scope["query_string"]
        self.headers: Headers = scope["headers"]
        self.started = False
        self.finished = False
        self.gone = False
        self._uploaded = asyncio.Event()

    def header(self, name: bytes) -> bytes:
        """The first value of a header, empty when it is not there."""
        return next((value for key, value in self.headers if key == name), b"")

    @property
    def local(self) -> bool:
        """Whether this machine itself asks: by its address and by the name it calls us, and not a proxy for somebody else.

        A page that has its own name lead here, and a proxy on this machine, have the address of this machine too.
        """
        if any(name in FORWARDED for name, _ in self.headers):
            return False
        host = re.sub(r":\d+$", "", self.header(b"host").decode("latin-1").lower()).strip("[]")
        return loopback(self._address) and loopback(host)

    @property
    def length(self) -> int | None:
        """The body's size in bytes, where the client says it."""
        value = self.header(b"content-length")
        return int(value) if value.isdigit() else None

    async def body(self, limit: int) -> bytes:
        """The whole body. Raises RequestError when it is over `limit` bytes, ClientGone when it never came."""
        pieces: list[bytes] = []
        size = 0
        async for piece in self.pieces():
            size += len(piece)
            if size > limit:
                raise RequestError(
                    413, f"The request body is over the limit of {limit} bytes.", code="request_too_large"
                )
            pieces.append(piece)
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)

    async def pieces(self) -> AsyncIterator[bytes]:
        """The body as it comes, never more than one piece of it in memory."""
        while not self._uploaded.is_set():
            message = await self._receive()
            if message["type"] == "http.disconnect":
                self.gone = True
                raise ClientGone
            if not message.get("more_body", False):
                self._uploaded.set()
            if piece := message.get("body", b""):
                yield piece

    @asynccontextmanager
    async def watched(self) -> AsyncIterator[None]:
        """Cancel what runs inside as soon as the client has gone; then leave it quietly."""
        task = asyncio.current_task()
        assert task is not None
        watch = asyncio.create_task(self._until_gone(task))
        try:
            yield
        except asyncio.CancelledError:
            if not self.gone:
                raise
            task.uncancel()
        finally:
            watch.cancel()

    async def _until_gone(self, task: asyncio.Task[None]) -> None:
        await self._uploaded.wait()
        while (await self._receive())["type"] != "http.disconnect":
            pass
        if self.finished:  # servers say so too when the answer is complete: nobody has left anything
            return
        self.gone = True
        task.cancel()

    async def start(self, status: int, headers: Headers) -> None:
        self.started = True
        await self._send({"type": "http.response.start", "status": status, "headers": headers})

    async def write(self, data: bytes) -> None:
        """Send a part of the body; returns when the client's socket has room again."""
        await self._send({"type": "http.response.body", "body": data, "more_body": True})

    async def finish(self, data: bytes = b"") -> None:
        self.finished = True
        await self._send({"type": "http.response.body", "body": data, "more_body": False})

    async def whole(self, status: int, headers: Headers, data: bytes) -> None:
        """Answer with a body that is there as a whole."""
        await self.start(status, [*headers, (b"content-length", b"%d" % len(data))])
        await self.finish(data)


def loopback(host: str) -> bool:
    """Whether a name or an address is this machine's own, which no other reaches."""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
