"""What requests of all formats share, a body that is one JSON object: read it, put a text into it, change its bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import islice
from typing import Any

from proxy.errors import RequestError
from proxy.wire import Edit, Path, Request, WireFormat, spans


def parse_body(body: bytes) -> dict[str, Any]:
    """The object that a body is; raises RequestError when it is none."""
    try:
        document = spans.parse(body)
    except ValueError as error:
        raise RequestError(400, f"The request body is not JSON: {error}", code="invalid_json") from None
    if not isinstance(document, dict):
        raise RequestError(400, "The request body must be a JSON object.", code="invalid_json")
    return document


def rename_model(body: bytes, request: Request, wire: WireFormat, model: str) -> bytes:
    """The body with the upstream's own name for the model in place of the client's. Raises RequestError."""
    try:
        body = wire.edit(body, [Edit(("model",), 0, len(request.model), model)])
    except ValueError as error:
        message = f"The model's name cannot be replaced in this body: {error}."
        raise RequestError(400, message, param="model", code="invalid_json") from None
    request.document["model"] = model
    return body


def put_text(document: Any, path: Path, text: str) -> None:
    """Replace a text in the parsed body."""
    for step in path[:-1]:
        document = document[step]
    document[path[-1]] = text


def add_messages(
    body: bytes, messages: Iterable[Mapping[str, Any]], calls: Callable[[Any], bool], before: int | None
) -> bytes:
    """Add to the list `messages`, no other byte changed: at its end, or before the message with calls numbered so.

    Raises ValueError where there is no list, or no such place.
    """
    text = body.decode("latin-1")
    span = spans.locate(text, ("messages",))
    if text[span[0]] != "[":
        raise ValueError("`messages` is no list")
    added = b",".join(map(spans.dump, messages))
    if before is None:
        return add_items(body, span, added)
    places = (place for place, raw in enumerate(spans.parse(body[slice(*span)])) if calls(raw))
    place = next(islice(places, before, None), None)
    if place is None:
        raise ValueError(f"the list has no item {before} that fits")
    return add_items(body, span, added, spans.locate(text, ("messages", place))[0])


def add_items(body: bytes, span: spans.Span, added: bytes, before: int | None = None) -> bytes:
    """Add items to the JSON list that stands there: at its end, or before the one that begins at that byte."""
    if not added:
        return body
    if before is not None:
        return spans.splice(body, [(before, before, added + b",")])
    comma = b"," if body[span[0] + 1 : span[1] - 1].strip() else b""
    return spans.splice(body, [(span[1] - 1, span[1] - 1, comma + added)])
