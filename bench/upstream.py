"""A scripted upstream for the benchmark: canned bytes, as cheaply as a process can send them."""

from __future__ import annotations

import asyncio
import json
import sys
from typing import cast

import uvloop

LIE = (
    "Both files are updated:\n\n- `notes.md`\n- `CHANGELOG.md`\n\n"
    "The release notes list the change, and the log has its entry."
)
HONEST = (
    "I wrote `notes.md`. The change to `CHANGELOG.md` failed: its text was not found, so the log is as it was before."
)


def chunk(delta: dict[str, str], finish: str | None = None) -> bytes:
    choices = [{"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}]
    head = {"id": "chatcmpl-bench", "object": "chat.completion.chunk", "created": 1, "model": "bench"}
    return b"data: " + json.dumps({**head, "system_fingerprint": "fp_bench", "choices": choices}).encode() + b"\n\n"


def framed(data: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(data), data)


class Connection(asyncio.Protocol):
    """Answers by the model's name: `lie`, `honest` (plain JSON), `stream-N`, `paced-N` (20 ms apart)."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        self.buffer = b""
        self.tasks: set[asyncio.Task[None]] = set()

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        head, found, rest = self.buffer.partition(b"\r\n\r\n")
        if not found:
            return
        at = head.lower().find(b"content-length:")
        length = int(head[at + 15 :].split(b"\r\n")[0]) if at >= 0 else 0
        if len(rest) < length:
            return
        self.buffer = rest[length:]
        model = rest[rest.index(b'"model"') :].split(b'"')[3].decode() if length else "honest"
        self.answer(model)

    def answer(self, model: str) -> None:
        kind, _, count = model.partition("-")
        if kind in ("lie", "honest"):
            text = LIE if kind == "lie" else HONEST
            message = {"role": "assistant", "content": text, "refusal": None}
            choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": "stop"}
            head = {"id": "chatcmpl-bench", "object": "chat.completion", "created": 1, "model": "bench"}
            body = json.dumps({**head, "choices": [choice]}).encode()
            lines = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n" % len(body)
            self.transport.write(lines + body)
            return
        words = [f"word{number} " for number in range(int(count))]
        pieces = [chunk({"content": word}) for word in words]
        self.transport.write(
            b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"
        )
        if kind == "paced":
            self.tasks.add(asyncio.ensure_future(self.paced(pieces)))
            return
        self.transport.write(b"".join(map(framed, pieces)))
        self.end()

    async def paced(self, pieces: list[bytes]) -> None:
        for piece in pieces:
            self.transport.write(framed(piece))
            await asyncio.sleep(0.02)
        self.end()

    def end(self) -> None:
        self.transport.write(framed(chunk({}, "stop")) + framed(b"data: [DONE]\n\n") + b"0\r\n\r\n")


async def main(port: int) -> None:
    server = await asyncio.get_running_loop().create_server(Connection, "127.0.0.1", port)
    await server.serve_forever()


if __name__ == "__main__":
    uvloop.run(main(int(sys.argv[1])))
