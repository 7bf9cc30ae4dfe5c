"""The two ways to an MCP server, a process's pipes and HTTP, neither of which takes more bytes than it may."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING

import anyio
import httpx2
from anyio.abc import Process
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.client.stdio import get_default_environment
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.message import SessionMessage
from mcp_types import jsonrpc_message_adapter

if TYPE_CHECKING:
    from mcp.client._transport import TransportStreams

MESSAGE = 1_048_576
"""Bytes of one message."""
BETWEEN = 4 * MESSAGE
"""Bytes that a process may write without having been asked anything, and that one HTTP response may hold."""
EACH = 2_048
"""Bytes that a message counts beside its own, so that a flood of small ones ends as soon."""
PATIENCE = 0.5
"""Seconds that a process gets to end after its input was closed, and again after SIGTERM."""
CONNECT = 10.0

# The SDK and its HTTP client log what servers send, and URLs with what stands in them.
for loud in ("mcp", "client", "httpx2"):
    logging.getLogger(loud).setLevel(logging.CRITICAL)

Incoming = MemoryObjectSendStream[SessionMessage | Exception]
Outgoing = MemoryObjectReceiveStream[SessionMessage]


class _Pipes:
    """A process that reads and writes a message a line. What it writes to stderr is not read."""

    def __init__(self, child: Process) -> None:
        self._child = child
        self._unasked = 0

    async def read(self, incoming: Incoming) -> None:
        """Hand on every line that is a message, until one of them, or all of them together, are too long."""
        assert self._child.stdout is not None
        line = b""
        async with incoming:
            with suppress(anyio.EndOfStream, anyio.ClosedResourceError, anyio.BrokenResourceError, ConnectionError):
                while True:
                    *whole, rest = (await self._child.stdout.receive()).split(b"\n")
                    for end in whole:
                        line += end
                        if self._over(len(line)):
                            return
                        with suppress(ValueError):  # a banner, a log line: no message
                            await incoming.send(
                                SessionMessage(jsonrpc_message_adapter.validate_json(line, by_name=False))
                            )
                        line = b""
                    line += rest
                    if len(line) > MESSAGE:
                        return

    def _over(self, size: int) -> bool:
        self._unasked += size + EACH
        return size > MESSAGE or self._unasked > BETWEEN

    async def write(self, outgoing: Outgoing) -> None:
        assert self._child.stdin is not None
        with suppress(anyio.ClosedResourceError, anyio.BrokenResourceError, OSError):
            async for message in outgoing:
                self._unasked = 0
                text = message.message.model_dump_json(by_alias=True, exclude_unset=True)
                await self._child.stdin.send(text.encode() + b"\n")

    async def stop(self) -> None:
        """Close its input; end the process, and those it has started, where it does not end by itself."""
        try:
            if self._child.stdin is not None:
                with suppress(OSError, anyio.BrokenResourceError, anyio.ClosedResourceError):
                    await self._child.stdin.aclose()
            if not await self._ended():
                self._signal(signal.SIGTERM)
                await self._ended()
        finally:
            if self._child.returncode is None:
                self._signal(signal.SIGKILL)
        await self._ended()
        await self._child.aclose()

    async def _ended(self) -> bool:
        """Not by waiting for it, which on asyncio also waits for pipes that a child of it may hold."""
        for _ in range(int(PATIENCE / 0.01)):
            if self._child.returncode is not None:
                return True
            await anyio.sleep(0.01)
        return False

    def _signal(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._child.pid, number)


@asynccontextmanager
async def process(command: Sequence[str], env: Mapping[str, str]) -> AsyncGenerator[TransportStreams]:
    """A server as a child in a process group of its own, with the usual variables and `env`. Raises OSError."""
    child = await anyio.open_process(
        list(command), env=get_default_environment() | dict(env), stderr=subprocess.DEVNULL, start_new_session=True
    )
    pipes = _Pipes(child)
    incoming, read = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    write, outgoing = anyio.create_memory_object_stream[SessionMessage](0)
    try:
        async with read, write, outgoing, anyio.create_task_group() as group:
            group.start_soon(pipes.read, incoming)
            group.start_soon(pipes.write, outgoing)
            try:
                yield read, write
            finally:
                group.cancel_scope.cancel()
    finally:
        with anyio.CancelScope(shield=True):
            await pipes.stop()


class _Bounded(httpx2.AsyncByteStream):
    def __init__(self, inner: httpx2.AsyncByteStream) -> None:
        self._inner = inner

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        async for chunk in self._inner:
            size += len(chunk) + EACH * chunk.count(b"data:")
            if size > BETWEEN:
                raise httpx2.StreamError("the response is too long")
            yield chunk

    async def aclose(self) -> None:
        await self._inner.aclose()


class _Transport(httpx2.AsyncBaseTransport):
    """HTTP whose responses are bounded, and come as they are: nothing in them is unpacked."""

    def __init__(self) -> None:
        self._inner = httpx2.AsyncHTTPTransport()

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        request.headers["accept-encoding"] = "identity"
        response = await self._inner.handle_async_request(request)
        assert isinstance(response.stream, httpx2.AsyncByteStream)
        response.headers.pop("content-encoding", None)
        response.stream = _Bounded(response.stream)
        return response

    async def aclose(self) -> None:
        await self._inner.aclose()


@asynccontextmanager
async def http(url: str, token: str) -> AsyncGenerator[TransportStreams]:
    """A server by streamable HTTP; `token` goes as a bearer's to this URL's origin alone, and through no proxy."""
    headers = {"authorization": f"Bearer {token}"} if token else {}
    timeout = httpx2.Timeout(CONNECT, read=300.0)
    async with (
        httpx2.AsyncClient(headers=headers, timeout=timeout, transport=_Transport(), trust_env=False) as client,
        streamable_http_client(url, http_client=client, max_sse_event_size=MESSAGE) as streams,
    ):
        yield streams
