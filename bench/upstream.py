"""A scripted upstream for the benchmark: canned bytes, as cheaply as a process can send them."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from functools import cache
from typing import Any, cast

import uvloop

from bench.transcripts import HONEST, LIE

TEXTS = {"lie": LIE, "honest": HONEST, "none": ""}
PACE = 0.02
"""Seconds between chunks, as of a real model."""


def chunk(delta: dict[str, str], finish: str | None = None, fingerprint: str = "fp_bench") -> bytes:
    """One event of a stream."""
    choices = [{"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}]
    head = {"id": "chatcmpl-bench", "object": "chat.completion.chunk", "created": 1, "model": "bench"}
    return b"data: " + json.dumps({**head, "system_fingerprint": fingerprint, "choices": choices}).encode() + b"\n\n"


def framed(data: bytes) -> bytes:
    """A chunk of HTTP/1.1's chunked coding."""
    return b"%x\r\n%s\r\n" % (len(data), data)


@cache
def pieces(text: str, count: int) -> tuple[bytes, ...]:
    """The framed events of a stream before its finish: `count` small ones, and one with the whole text, if any."""
    small = [framed(chunk({"content": f"word{number} "})) for number in range(count)]
    return (*small, framed(chunk({"content": f"\n\n{TEXTS[text]}"}))) if TEXTS[text] else tuple(small)


@cache
def whole(text: str) -> bytes:
    """The body of an answer that is not streamed."""
    message = {"role": "assistant", "content": TEXTS[text], "refusal": None}
    choices: list[Any] = [{"index": 0, "message": message, "logprobs": None, "finish_reason": "stop"}]
    head = {"id": "chatcmpl-bench", "object": "chat.completion", "created": 1, "model": "bench"}
    return json.dumps({**head, "choices": choices}).encode()


def end() -> bytes:
    """Finish and end. The finish carries the moment it was sent: the monotonic clock is one for all processes."""
    finish = chunk({}, "stop", f"fp_at_{time.monotonic_ns()}")
    return framed(finish) + framed(b"data: [DONE]\n\n") + b"0\r\n\r\n"


class Connection(asyncio.Protocol):
    """Answers as the model's name says: `TEXT/whole/0`, `TEXT/flood/N` or `TEXT/paced/N`.

    The response header `x-received` says how many bytes of request body came: so it is seen what was cut from it.
    """

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        self.parts: list[bytes] = []
        self.missing = -1
        self.task: asyncio.Task[None] | None = None

    def connection_lost(self, exc: Exception | None) -> None:
        if self.task is not None:
            self.task.cancel()

    def data_received(self, data: bytes) -> None:
        self.parts.append(data)
        if self.missing < 0:
            head, found, body = b"".join(self.parts).partition(b"\r\n\r\n")
            if not found:
                return
            lines = head.lower()
            self.missing = int(lines[lines.index(b"content-length:") + 15 :].split(b"\r\n")[0])
            self.parts, data = [body], body
        self.missing -= len(data)
        if self.missing <= 0:
            body, self.parts, self.missing = b"".join(self.parts), [], -1
            text, shape, count = body[body.index(b'"model"') :].split(b'"', 4)[3].decode().split("/")
            self.answer(text, shape, int(count), len(body))

    def answer(self, text: str, shape: str, count: int, received: int) -> None:
        head = b"HTTP/1.1 200 OK\r\nx-received: %d\r\n" % received
        if shape == "whole":
            body = whole(text)
            lines = b"content-type: application/json\r\ncontent-length: %d\r\n\r\n" % len(body)
            self.transport.write(head + lines + body)
            return
        head += b"content-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"
        if shape == "flood":
            self.transport.write(head + b"".join(pieces(text, count)) + end())
            return
        self.transport.write(head)
        self.task = asyncio.get_running_loop().create_task(self.paced(pieces(text, count)))

    async def paced(self, events: tuple[bytes, ...]) -> None:
        for event in events:
            self.transport.write(event)
            await asyncio.sleep(PACE)
        self.transport.write(end())


async def main(port: int) -> None:
    """Serve until the process is ended."""
    server = await asyncio.get_running_loop().create_server(Connection, "127.0.0.1", port)
    await server.serve_forever()


if __name__ == "__main__":
    uvloop.run(main(int(sys.argv[1])))
