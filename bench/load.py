"""The load client, a process of its own: it sends requests over one connection and says when the answers came."""

from __future__ import annotations

import json
import re
import socket
import subprocess
import sys
import time
from dataclasses import dataclass
from typing import Any

from bench.children import ROOT, module

FINISH = re.compile(rb"fp_at_([0-9]+)")
SILENCE = 20.0
"""Seconds without a byte after which a server is taken for hung."""


@dataclass(frozen=True, slots=True)
class Load:
    """What one load saw. `first` and `finish` are milliseconds, by request: from the request's first byte sent to the
    answer's first body byte, and from the upstream's finish to the client's (streams only). `answer` is the last body;
    `received` how many bytes of the last request came to the upstream."""

    first: list[float]
    finish: list[float]
    answer: str
    received: int


class Client:
    """The load process; bodies and results go over its pipes."""

    def __init__(self) -> None:
        command = module("load")
        self._process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def run(self, port: int, body: bytes, times: int, headers: str = "") -> Load:
        """Send a body `times` times, each once the answer before has ended; `headers` are more lines for its head."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        job = {"port": port, "body": body.decode(), "times": times, "headers": headers}
        self._process.stdin.write(json.dumps(job).encode() + b"\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise SystemExit("bench: the load client ended; its reason stands above")
        return Load(**json.loads(line))

    def stop(self) -> None:
        self._process.kill()
        self._process.wait()


def send(port: int, body: bytes, times: int, headers: str = "") -> dict[str, Any]:
    """One load: the fields of `Load`."""
    first: list[float] = []
    finish: list[float] = []
    head = b"POST /v1/chat/completions HTTP/1.1\r\nhost: bench\r\ncontent-type: application/json\r\n"
    message = head + headers.encode() + b"content-length: %d\r\n\r\n" % len(body) + body
    answer, received = b"", 0
    with socket.create_connection(("127.0.0.1", port), timeout=SILENCE) as link:
        link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for _ in range(times):
            began = time.monotonic_ns()
            link.sendall(message)
            lines, answer, at_first, at_finish = _answer(link)
            if not lines.startswith(b"http/1.1 200"):
                raise SystemExit(f"bench: port {port} answered {lines[:60]!r} {answer[:300]!r}")
            received = int(_field(lines, b"x-received"))
            first.append((at_first - began) / 1e6)
            if stamp := FINISH.search(answer, max(0, len(answer) - 4_000)):
                finish.append((at_finish - int(stamp[1])) / 1e6)
    return {"first": first, "finish": finish, "answer": answer.decode(), "received": received}


def _answer(link: socket.socket) -> tuple[bytes, bytes, int, int]:
    """Head in lower case, raw body, and when its first byte and its finish had come.

    A body is read to its end without being looked into, so that the client is never what a server waits for.
    """
    data = b""
    while (end := data.find(b"\r\n\r\n")) < 0:
        data += _more(link)
    lines, body = data[:end].lower(), bytearray(data[end + 4 :])
    length = int(_field(lines, b"content-length") or -1)
    if not body:
        body += _more(link)
    at_first = time.monotonic_ns()
    at_finish = at_first if FINISH.search(body) else 0
    while len(body) < length if length >= 0 else not body.endswith(b"\r\n0\r\n\r\n"):
        seen = len(body)
        body += _more(link)
        if not at_finish and FINISH.search(body, max(0, seen - 100)):
            at_finish = time.monotonic_ns()
    return lines, bytes(body), at_first, at_finish


def _more(link: socket.socket) -> bytes:
    data = link.recv(1 << 20)
    if not data:
        raise SystemExit("bench: a server closed the connection inside its answer")
    return data


def _field(lines: bytes, name: bytes) -> bytes:
    """A header's value, empty when it is not there."""
    _, found, rest = lines.partition(b"\r\n" + name + b":")
    return rest.split(b"\r\n", 1)[0].strip() if found else b""


if __name__ == "__main__":
    for line in sys.stdin.buffer:
        wanted = json.loads(line)
        print(json.dumps(send(**{**wanted, "body": wanted["body"].encode()})), flush=True)
