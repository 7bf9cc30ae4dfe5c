"""OpenAI's responses: let a later answer leave in place of the first, of which nothing has left."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from proxy.wire import spans, sse
from proxy.wire.sse import Event

ITEM = "msg_groundwire"
"""The id of the message that stands in a withheld answer's place."""
WAITING = b": waiting\n\n"


def continued(head: bytes, later: bytes, usage: Mapping[str, Any], streamed: bool) -> bytes:
    """A later answer under its own id, which the provider knows it by, with the tokens of all; see `WireFormat`.

    One that `spoken` made has no id: it is the first answer's response with another output.
    """
    if not streamed:
        return _whole(head, later, usage)
    first: Mapping[str, Any] = next((one for event in sse.events(head) if (one := _response(event))), {})
    return b"".join(_event(event, first, usage) for event in sse.events(later))


def _whole(head: bytes, later: bytes, usage: Mapping[str, Any]) -> bytes:
    ours = spans.parse_object(later)
    if ours.get("id") == "":
        return _dumped(_taken(spans.parse_object(head), ours, usage), later)
    return spans.splice(later, spans.counted(later.decode("latin-1"), ("usage",), usage))


def _response(event: Event) -> dict[str, Any]:
    """The response that an event carries; empty where it carries none."""
    found = spans.parse_object(event.data or b"").get("response")
    return found if isinstance(found, dict) else {}


def _event(event: Event, first: Mapping[str, Any], usage: Mapping[str, Any]) -> bytes:
    response = _response(event)
    if not response:
        return event.raw
    data = event.data or b""
    if response.get("id") == "":
        new = _dumped({**spans.parse_object(data), "response": _taken(first, response, usage)}, data)
        return event.raw.replace(data, new, 1)
    patches = list(spans.counted(data.decode("latin-1"), ("response", "usage"), usage))
    return event.raw.replace(data, spans.splice(data, patches), 1) if patches else event.raw


def _dumped(value: Mapping[str, Any], otherwise: bytes) -> bytes:
    """The value as JSON; where the first response nests too deep to be written, ours without what was to be taken of it."""
    try:
        return spans.dump(value)
    except ValueError:
        return otherwise


def _taken(first: Mapping[str, Any], ours: Mapping[str, Any], usage: Mapping[str, Any]) -> dict[str, Any]:
    """The first answer's response with our state and output, and the tokens of all."""
    counted = {"usage": dict(usage)} if usage and ours.get("status") == "completed" else {}
    return {**first, **{key: ours[key] for key in ("status", "output") if key in ours}, **counted}


def spoken(text: str, usage: Mapping[str, Any], streamed: bool) -> bytes:
    """An answer that says only this; its response is still to be given, and with it its count of tokens."""
    part = {"type": "output_text", "text": text, "annotations": [], "logprobs": []}
    item = {"id": ITEM, "type": "message", "status": "completed", "role": "assistant", "content": [part]}
    response = {"id": "", "object": "response", "status": "completed", "output": [item]}
    if not streamed:
        return json.dumps(response).encode()
    begun = {**response, "status": "in_progress", "output": []}
    place = {"item_id": ITEM, "output_index": 0, "content_index": 0}
    opened = {**item, "status": "in_progress", "content": []}
    events: tuple[tuple[str, dict[str, Any]], ...] = (
        ("created", {"response": begun}),
        ("in_progress", {"response": begun}),
        ("output_item.added", {"output_index": 0, "item": opened}),
        ("content_part.added", {**place, "part": {**part, "text": ""}}),
        ("output_text.delta", {**place, "delta": text, "logprobs": []}),
        ("output_text.done", {**place, "text": text, "logprobs": []}),
        ("content_part.done", {**place, "part": part}),
        ("output_item.done", {"output_index": 0, "item": item}),
        ("completed", {"response": response}),
    )
    return b"".join(
        b"event: response.%s\ndata: %s\n\n"
        % (name.encode(), json.dumps({"type": f"response.{name}", "sequence_number": number, **more}).encode())
        for number, (name, more) in enumerate(events)
    )


def idle(head: bytes) -> bytes:
    """A comment: no event of this format says nothing before a message has begun."""
    return WAITING
