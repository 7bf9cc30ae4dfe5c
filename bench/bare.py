"""The bare pass-through: the proxy's own server and client, orjson over the body and every event, and nothing else."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import aiohttp
import orjson
import uvicorn
from starlette.routing import Route, Router
from starlette.types import Receive, Scope, Send

KEPT = ("content-type", "x-received")


class Bare:
    """A plain ASGI callable in front of one upstream."""

    def __init__(self, base_url: str) -> None:
        self._url = f"{base_url}/chat/completions"
        self._session: aiohttp.ClientSession | None = None

    @asynccontextmanager
    async def lifespan(self, app: object) -> AsyncIterator[None]:
        async with aiohttp.ClientSession(auto_decompress=False, cookie_jar=aiohttp.DummyCookieJar()) as self._session:
            yield

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        assert self._session is not None
        parts: list[bytes] = []
        more = True
        while more:
            message = await receive()
            parts.append(message.get("body", b""))
            more = message.get("more_body", False)
        body = b"".join(parts)
        orjson.loads(body)
        headers = {"content-type": "application/json"}
        async with self._session.post(self._url, data=body, headers=headers) as reply:
            kept = [(name.encode(), reply.headers[name].encode()) for name in KEPT]
            if reply.content_type == "text/event-stream":
                await send({"type": "http.response.start", "status": reply.status, "headers": kept})
                await _stream(reply, send)
                await send({"type": "http.response.body", "body": b"", "more_body": False})
            else:
                answer = await reply.read()
                orjson.loads(answer)
                kept.append((b"content-length", b"%d" % len(answer)))
                await send({"type": "http.response.start", "status": reply.status, "headers": kept})
                await send({"type": "http.response.body", "body": answer, "more_body": False})


async def _stream(reply: aiohttp.ClientResponse, send: Send) -> None:
    rest = b""
    async for data in reply.content.iter_any():
        *events, rest = (rest + data).split(b"\n\n")
        for event in events:
            if event != b"data: [DONE]":
                orjson.loads(event[6:])
        await send({"type": "http.response.body", "body": data, "more_body": True})


def main(upstream: int, port: int) -> None:
    """Serve with the options that the proxy's server has."""
    bare = Bare(f"http://127.0.0.1:{upstream}/v1")
    uvicorn.run(
        Router(routes=[Route("/v1/chat/completions", bare, methods=["POST"])], lifespan=bare.lifespan),
        port=port,
        loop="uvloop",
        http="httptools",
        ws="none",
        log_level="warning",
        access_log=False,
        server_header=False,
        date_header=False,
        proxy_headers=False,
    )


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
