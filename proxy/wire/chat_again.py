"""Chat completions: give a later answer the identity of the one whose head has left."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from proxy.wire import Path, spans
from proxy.wire.chat_stream import ended_as
from proxy.wire.sse import Event, events

WORN = ("id", "created", "model", "system_fingerprint")
"""What makes chunks one stream: a later answer wears that of the first."""
SAID = frozenset({"content", "refusal", "tool_calls", "function_call"})
"""What of a delta is the answer itself, and not its head."""
THOUGHT = frozenset({"reasoning", "reasoning_content"})


def continued(head: bytes, later: bytes, usage: Mapping[str, Any], streamed: bool) -> bytes:
    """A later answer with the first one's id, time and model, and with the tokens of all; see `WireFormat`."""
    if not streamed:
        return spans.worn(later, spans.identity(head, WORN), usage)
    before = events(head)
    like = next((event.data for event in before if event.data and _document(event).get("choices")), b"{}")
    own, begun = spans.identity(like, WORN), any(_begins(event) for event in before)
    return b"".join(_event(event, own, usage) for event in events(later) if not (begun and _begins(event, alone=True)))


def _document(event: Event) -> Mapping[str, Any]:
    """What an event holds; nothing where it cannot be read."""
    return spans.parse_object(event.data or b"")


def _event(event: Event, own: Mapping[Path, bytes], usage: Mapping[str, Any]) -> bytes:
    data = event.data
    if data is None:
        return event.raw
    new = spans.worn(data, own, usage)
    return event.raw if new == data else ended_as(event, new)


def _begins(event: Event, *, alone: bool = False) -> bool:
    """Whether an event gives the answer its role, before anything is said; `alone`: and nothing else."""
    document = _document(event)
    choices = document.get("choices")
    if not isinstance(choices, list) or not choices or (alone and document.get("usage")):
        return False
    deltas = [one.get("delta") for one in choices if isinstance(one, dict) and one.get("finish_reason") is None]
    said = SAID | THOUGHT if alone else SAID
    return len(deltas) == len(choices) and all(
        isinstance(delta, dict) and "role" in delta and not any(delta.get(key) for key in said) for delta in deltas
    )


def spoken(text: str, usage: Mapping[str, Any], streamed: bool) -> bytes:
    """An answer that says only this; its identity is still to be given."""
    head = b'"id":"","object":"%s","created":0,"model":""' % (
        b"chat.completion.chunk" if streamed else b"chat.completion"
    )
    said, tail = spans.encode_text(text), b',"usage":' + spans.dump(usage) if usage else b""
    if not streamed:
        message = b'{"role":"assistant","content":"%s"}' % said
        return b'{%s,"choices":[{"index":0,"message":%s,"finish_reason":"stop"}]%s}' % (head, message, tail)
    chunk = b'data: {%s,"choices":[{"index":0,"delta":%s,"finish_reason":%s}]%s}\n\n'
    deltas = (b'{"role":"assistant","content":""}', b'{"content":"%s"}' % said)
    words = b"".join(chunk % (head, delta, b"null", b"") for delta in deltas)
    return words + chunk % (head, b"{}", b'"stop"', tail) + b"data: [DONE]\n\n"


def idle(head: bytes) -> bytes:
    """An empty delta with the identity of the stream; none as long as nothing of it has come."""
    like = next((event for event in events(head) if event.data and _document(event).get("choices")), None)
    if like is None or like.data is None:
        return b""
    told = spans.identity(like.data, WORN)
    own = b"".join(b'"%s":%s,' % (str(key).encode(), value) for (key,), value in told.items())
    chunk = b'{%s"object":"chat.completion.chunk","choices":[{"index":0,"delta":{},"finish_reason":null}]}' % own
    return ended_as(like, chunk)
