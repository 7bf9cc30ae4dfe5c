"""Know a request that is sent again: clients repeat a stream that broke, some of them without a stream."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator

END = 16_384
"""Bytes at either end of a body that tell its turn."""

MARGIN = 512
"""Bytes beside them in which a switch may stand: one more or less must not move what is hashed."""

VALUE = rb'"\s*:\s*(?:true|false|null|\d{1,10}(?![\d.eE])|\{[^{}]{0,200}\})'
SWITCHES = {
    b'"' + key + b'"': re.compile(b'"' + key + VALUE + rb"(\s*,)?\s*")
    for key in (b"stream", b"stream_options", b"max_tokens", b"budget_tokens")
}
"""What differs where the same turn is asked for again: Claude Code asks for fewer tokens too when it does not stream."""


def turn_id(scope: str, body: bytes) -> str:
    """The same for a request that is sent again, streamed or not.

    A turn shows at the ends of its body; what lies between is its history, and hashing that would grow with it.
    """
    if len(body) > 2 * (END + MARGIN):
        body = body[: END + MARGIN] + body[-END - MARGIN :]
    for name, switch in SWITCHES.items():
        if name in body:
            body = b"".join(_without(body, switch))
    if len(body) > 2 * END:
        body = body[:END] + body[-END:]
    return hashlib.sha256(scope.encode() + b"\0" + body).hexdigest()[:32]


def _without(body: bytes, switch: re.Pattern[bytes]) -> Iterator[bytes]:
    """The pieces of a body between those that a switch stands in, each of which takes one comma along."""
    done = 0
    for found in switch.finditer(body):
        before = body[done : found.start()].rstrip()
        alone = before.endswith(b",")
        yield before[:-1] if alone else before
        done = found.end() if found[1] is None or not alone else found.start(1)
    yield body[done:]
