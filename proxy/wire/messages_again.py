"""Anthropic's messages: give a later answer the identity of the one whose head has left."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from proxy.wire import spans
from proxy.wire.messages_blocks import string
from proxy.wire.sse import Event, events

WORN = ("id", "model")
"""What a whole answer takes over from the first; of a stream it stands in `message_start`, which has left."""
PING = b'event: ping\ndata: {"type": "ping"}\n\n'


def continued(head: bytes, later: bytes, usage: Mapping[str, Any], streamed: bool) -> bytes:
    """A later answer with the first one's id and model, and with the tokens of all; see `WireFormat`."""
    if not streamed:
        return spans.worn(later, spans.identity(head, WORN), usage)
    return b"".join(_event(event, usage) for event in events(later) if _type(event) not in ("message_start", "ping"))


def _type(event: Event) -> str:
    return string(spans.parse_object(event.data or b"").get("type"))


def _event(event: Event, usage: Mapping[str, Any]) -> bytes:
    """An event, with the tokens of all answers where it counts some."""
    data = event.data or b""
    patches = list(spans.counted(data.decode("latin-1"), ("usage",), usage))
    return event.raw.replace(data, spans.splice(data, patches), 1) if patches else event.raw


def spoken(text: str, usage: Mapping[str, Any], streamed: bool) -> bytes:
    """An answer that says only this; its identity is still to be given."""
    said = spans.encode_text(text)
    if not streamed:
        block = b'{"type":"text","text":"%s"}' % said
        counted = spans.dump(usage or {"input_tokens": 0, "output_tokens": 0})
        end = b'"stop_reason":"end_turn","stop_sequence":null,"usage":%s' % counted
        return b'{"id":"","type":"message","role":"assistant","model":"","content":[%s],%s}' % (block, end)
    events = (
        (b"content_block_start", b'"index":0,"content_block":{"type":"text","text":""}'),
        (b"content_block_delta", b'"index":0,"delta":{"type":"text_delta","text":"%s"}' % said),
        (b"content_block_stop", b'"index":0'),
        (b"message_delta", b'"delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":0}'),
    )
    stream = b"".join(b'event: %s\ndata: {"type":"%s",%s}\n\n' % (name, name, rest) for name, rest in events)
    return stream + b'event: message_stop\ndata: {"type":"message_stop"}\n\n'


def idle(head: bytes) -> bytes:
    """A ping, once the message has begun."""
    return PING if head else b""
