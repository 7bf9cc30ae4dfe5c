"""Real servers on loopback for tests: an upstream that sends exactly the bytes of a script, and the proxy itself."""

from __future__ import annotations

import asyncio
import os
import socket
import struct
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import uvicorn

from proxy import app, config, startup
from proxy.audit import Auditor
from proxy.service import Service

Piece = bytes | float | asyncio.Event
"""Bytes to send, seconds to pause, or something to wait for."""


@dataclass(frozen=True)
class Script:
    """One reply: `framing` is "chunked", "length" or "close"; `reset` ends it with a TCP reset, `hang` sends nothing."""

    pieces: Sequence[Piece] = ()
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=lambda: {"content-type": "text/event-stream"})
    framing: str = "chunked"
    reset: bool = False
    hang: bool = False


@dataclass(frozen=True)
class Seen:
    """A request as the upstream saw it; header names in lower case."""

    method: str
    path: str
    headers: list[tuple[str, str]]
    body: bytes

    def header(self, name: str) -> str | None:
        return next((value for key, value in self.headers if key == name), None)


class ScriptedUpstream:
    """An HTTP/1.1 server that answers each request with the next script, the last one for ever."""

    def __init__(self, *scripts: Script | Callable[[Seen], Script]) -> None:
        self.scripts = list(scripts)
        self.requests: list[Seen] = []
        self.connections = 0
        self.open_connections = 0
        self.sent = 0
        self.closed = asyncio.Event()
        """Set when a client's connection has closed."""
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> ScriptedUpstream:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}/v1"

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        self.connections += 1
        self.open_connections += 1
        begun: bytes | None = b""
        try:
            while begun is not None:
                begun = await self._one(reader, writer, begun)
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass  # the client or the test is done; a task cancelled here would be reported by asyncio's streams
        finally:
            self.open_connections -= 1
            self.closed.set()
            self._tasks.discard(task)
            writer.close()

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, begun: bytes) -> bytes | None:
        """Serve one request, whose first bytes are `begun`; the next one's, or None when the connection is over."""
        head = (begun + await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        method, path, _ = head[0].split(" ", 2)
        headers = [
            (name.lower(), value.strip()) for name, _, value in (line.partition(":") for line in head[1:] if line)
        ]
        seen = Seen(method, path, headers, await _body(reader, dict(headers)))
        self.requests.append(seen)
        script = self.scripts.pop(0) if len(self.scripts) > 1 else self.scripts[0]
        script = script if isinstance(script, Script) else script(seen)
        next_byte = asyncio.ensure_future(reader.read(1))  # none: the client has left
        reply = asyncio.ensure_future(self._reply(writer, script))
        try:
            await asyncio.wait([next_byte, reply], return_when=asyncio.FIRST_COMPLETED)
            if not reply.done() and not next_byte.result():
                return None
            await reply
            over = script.framing == "close" or script.reset
            # A client that has the whole reply may ask again before this task runs: its first byte is not lost.
            return None if over else next_byte.result() if next_byte.done() else b""
        finally:
            reply.cancel()
            next_byte.cancel()
            await asyncio.gather(reply, next_byte, return_exceptions=True)

    async def _reply(self, writer: asyncio.StreamWriter, script: Script) -> None:
        if script.hang:
            await asyncio.Event().wait()
        body = b"".join(piece for piece in script.pieces if isinstance(piece, bytes))
        headers = dict(script.headers)
        if script.framing == "chunked":
            headers["transfer-encoding"] = "chunked"
        elif script.framing == "length":
            headers.setdefault("content-length", str(len(body) + (10 if script.reset else 0)))
        else:
            headers["connection"] = "close"
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        writer.write(f"HTTP/1.1 {script.status} X\r\n{lines}\r\n".encode("latin-1"))
        for piece in script.pieces:
            if isinstance(piece, asyncio.Event):
                await writer.drain()
                await piece.wait()
            elif isinstance(piece, float):
                await writer.drain()
                await asyncio.sleep(piece)
            elif piece:
                chunk = b"%x\r\n%s\r\n" % (len(piece), piece) if script.framing == "chunked" else piece
                writer.write(chunk)
                await writer.drain()
                self.sent += len(piece)
        if script.reset:
            raw = writer.get_extra_info("socket")
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            writer.transport.abort()
            return
        if script.framing == "chunked":
            writer.write(b"0\r\n\r\n")
        await writer.drain()


async def _body(reader: asyncio.StreamReader, headers: Mapping[str, str]) -> bytes:
    if "content-length" in headers:
        return await reader.readexactly(int(headers["content-length"]))
    body = b""
    if headers.get("transfer-encoding") == "chunked":
        while size := int(await reader.readline(), 16):
            body += (await reader.readexactly(size + 2))[:-2]
        await reader.readline()
    return body


REDIS, POSTGRES = ("127.0.0.1", 6379), ("127.0.0.1", 5432)
"""Where real servers are looked for."""


def needs(server: tuple[str, int]) -> None:
    """Skip a test whose server does not run on a newcomer's machine; in CI, where it must run, let it fail."""
    try:
        socket.create_connection(server, 1).close()
    except OSError as error:
        if os.environ.get("CI"):
            raise
        pytest.skip(f"nothing listens on {server[0]}:{server[1]}: {error}")


@dataclass(frozen=True)
class Proxy:
    """A running proxy: its base URL, and what its exchanges share."""

    url: str
    service: Service


@asynccontextmanager
async def proxy(
    tmp_path: Path,
    text: str,
    policies: Mapping[str, str] | None = None,
    auditors: Mapping[str, Callable[..., Auditor]] | None = None,
    changed: Callable[[Service], Service] = lambda service: service,
    **env: str,
) -> AsyncIterator[Proxy]:
    """The proxy on a free port, from a configuration text and policy files (by name without `.toml`).

    `changed` may give it other collaborators.
    """
    folder = tmp_path / "policies"
    folder.mkdir(exist_ok=True)
    for name, policy in (policies or {}).items():
        (folder / f"{name}.toml").write_text(policy)
    path = tmp_path / "config.toml"
    path.write_text(text)
    settings = config.load(path, env, port=0, table_of_auditors=auditors)
    service = changed(startup.service(settings, env))
    options = startup.server_options(settings) | {"loop": "none"}
    server = uvicorn.Server(uvicorn.Config(app.create(service), **options))
    task = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.005)
        if task.done():
            task.result()
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield Proxy(f"http://127.0.0.1:{port}/v1", service)
    finally:
        server.should_exit = server.force_exit = True
        await task
        await server.lifespan.shutdown()  # a forced exit leaves it pending, to be collected by any thread


def need(what: str, port: int, host: str = "127.0.0.1") -> None:
    """Skip a test whose server does not run here, saying so; never where CI or GROUNDWIRE_SERVERS promises it."""
    if os.environ.get("CI") or os.environ.get("GROUNDWIRE_SERVERS"):
        return
    try:
        socket.create_connection((host, port), 0.5).close()
    except OSError:
        pytest.skip(f"needs {what} at {host}:{port}; set GROUNDWIRE_SERVERS where it must be there")
