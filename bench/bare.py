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


class Bare:
    def __init__(self, base: str) -> None:
        self.base = base
        self.session: aiohttp.ClientSession | None = None

    @asynccontextmanager
    async def lifespan(self, app: object) -> AsyncIterator[None]:
        connector = aiohttp.TCPConnector(limit=0)
        self.session = aiohttp.ClientSession(
            connector=connector, auto_decompress=False, cookie_jar=aiohttp.DummyCookieJar()
        )
        yield
        await self.session.close()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        assert self.session is not None
        body = b""
        more = True
        while more:
            message = await receive()
            body += message.get("body", b"")
            more = message.get("more_body", False)
        orjson.loads(body)
        headers = {"content-type": "application/json"}
        async with self.session.post(self.base + "/chat/completions", data=body, headers=headers) as reply:
            kind = reply.headers["content-type"].encode()
            await send({"type": "http.response.start", "status": reply.status, "headers": [(b"content-type", kind)]})
            rest = b""
            async for data in reply.content.iter_any():
                if kind.startswith(b"text/"):
                    *events, rest = (rest + data).split(b"\n\n")
                    for event in events:
                        if event != b"data: [DONE]":
                            orjson.loads(event[6:])
                else:
                    orjson.loads(data)
                await send({"type": "http.response.body", "body": data, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


if __name__ == "__main__":
    bare = Bare(f"http://127.0.0.1:{sys.argv[1]}/v1")
    app = Router(routes=[Route("/v1/chat/completions", bare, methods=["POST"])], lifespan=bare.lifespan)
    uvicorn.run(
        app,
        port=int(sys.argv[2]),
        loop="uvloop",
        http="httptools",
        log_level="warning",
        access_log=False,
        server_header=False,
        date_header=False,
        proxy_headers=False,
    )
