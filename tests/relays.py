"""Drive a relay of any wire format as a client sees it, its bytes cut in every way, and read what came out."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from proxy.wire import Relay

FOOT = "\n\nA footer, with “quotes” and 😀."
REPORT = b'{"id":"r"}'


def whole(data: bytes) -> Iterator[list[bytes]]:
    yield [data]


def halves(data: bytes) -> Iterator[list[bytes]]:
    for cut in range(1, len(data)):
        yield [data[:cut], data[cut:]]


def bytewise(data: bytes) -> Iterator[list[bytes]]:
    yield [data[at : at + 1] for at in range(len(data))]


CUTS = [whole, halves, bytewise]
Cut = Callable[[bytes], Iterator[list[bytes]]]


def through(relay: Relay, pieces: list[bytes], append: Mapping[int, str], report: bytes | None = None) -> bytes:
    """What a client gets: fed until the relay says that it has ended, then closed, then the rest."""
    out = b""
    left = list(pieces)
    while left and not relay.ended:
        out += relay.feed(left.pop(0))
    if not relay.ended:
        out += relay.eof()
    wanted = {index: text for index, text in append.items() if relay.appendable(index)}
    out += relay.close(wanted, report if wanted else None)
    for piece in left:
        out += relay.feed(piece)
    return out + relay.eof()


def read(stream: bytes) -> list[Any]:
    """The events of a stream as a client reads them: JSON of the type that they are named, or chat's sentinel."""
    found: list[Any] = []
    for block in stream.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n").split("\n\n"):
        data = "\n".join(line[5:].strip() for line in block.split("\n") if line.startswith("data:"))
        if data and data != "{oops":
            found.append(data if data == "[DONE]" else json.loads(data))
            named = [line[6:].strip() for line in block.split("\n") if line.startswith("event:")]
            assert not named or named == [found[-1]["type"]]
    return found
