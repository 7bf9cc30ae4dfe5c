"""OpenAI's responses: read a request, edit its bytes, relay its answer, shape its errors."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from proxy.errors import RequestError
from proxy.transcript import Answer, Message, Transcript
from proxy.wire import Lazy, Path, Relay, Request, Text, Told, spans
from proxy.wire.body import add_items, parse_body, put_text
from proxy.wire.chat import error
from proxy.wire.plain import PlainRelay
from proxy.wire.responses_again import continued, idle, spoken
from proxy.wire.responses_items import (
    DECORABLE,
    OUTPUT,
    THINKING,
    UNSEEN,
    answer,
    calls,
    end_of,
    finish_of,
    groups,
    kind,
    message,
    results_of,
    string,
    text_of,
    tools,
)
from proxy.wire.responses_stream import StreamRelay
from proxy.wire.spans import edit

__all__ = [
    "STORED",
    "continued",
    "edit",
    "error",
    "extend",
    "idle",
    "pieces",
    "put",
    "read",
    "relay",
    "resolve",
    "results",
    "spoken",
    "stream_error",
    "texts",
]

pieces: None = None
"""A streamed text stands in five places, and a provider's own annotations count its letters: nothing is written into it."""

STORED = frozenset(
    {"file_id", "file_ids", "vector_store_id", "vector_store_ids", "container", "container_id", "skill_id"}
)


def read(body: bytes) -> Request:
    """Read a request. Whatever is odd inside an item is tolerated: the upstream is the judge of it.

    Raises RequestError when the body is no JSON object, or its `model` is no name; it may have none.
    """
    document = parse_body(body)
    model, follows = document.get("model"), string(document.get("previous_response_id"))
    if model is not None and not isinstance(model, str):
        raise RequestError(400, "`model` must be the name of a model.", param="model", code="missing_model")
    return Request(
        model=string(model),
        stream=document.get("stream") is True,
        transcript=_transcript(document),
        undecorated=_undecorated(document),
        follows=follows,
        refers=tuple(_refers(document)),
        lasting=document.get("store") is not False,
        detached=document.get("background") is True,
        document=document,
    )


def _transcript(document: Mapping[str, Any]) -> Transcript:
    """All that the request carries; what it follows comes before it."""
    unseen = (
        document.get("conversation") or document.get("prompt") or any(kind(item) in UNSEEN for item in _items(document))
    )
    return Transcript(_messages(document), tools(document.get("tools")), whole=not unseen)


def _refers(document: Mapping[str, Any]) -> Iterator[str]:
    for key in ("previous_response_id", "conversation"):
        value = document.get(key)
        if identifier := string(value.get("id") if isinstance(value, dict) else value):
            yield identifier
    for item in _items(document):
        if kind(item) == "item_reference":
            yield string(item.get("id"))


def _items(document: Mapping[str, Any]) -> Sequence[Any]:
    """The items of the input, of which a string is one."""
    given = document.get("input")
    if isinstance(given, str):
        return (given,)
    return given if isinstance(given, list) else ()


def _messages(document: Mapping[str, Any]) -> Lazy[Message]:
    """The messages that the items make; before them the system text, which stands in a field of its own."""

    def convert(found: tuple[int, int]) -> Message:
        if not found[1]:
            return Message("system", string(document.get("instructions")))
        return message(_items(document)[found[0] : found[1]])

    return Lazy(_places(document), convert)


def _places(document: Mapping[str, Any]) -> list[tuple[int, int]]:
    """Where each message stands among the items; the instructions at no place."""
    lead = [(0, 0)] if document.get("instructions") else []
    return [*lead, *groups(_items(document))]


def _undecorated(document: Mapping[str, Any]) -> str:
    """Why no answer to this request may carry a footer: a program will read it, not a person."""
    text, choice, include = document.get("text"), document.get("tool_choice"), document.get("include")
    shape = text.get("format") if isinstance(text, dict) else None
    if isinstance(shape, dict) and shape.get("type") in ("json_object", "json_schema"):
        return "json mode"
    if isinstance(choice, dict) and choice.get("type") == "allowed_tools":
        choice = choice.get("mode")
    if choice == "required" or isinstance(choice, dict):
        return "forced tool"
    logprobs = isinstance(include, list) and "message.output_text.logprobs" in include
    return "logprobs" if logprobs or document.get("top_logprobs") else ""


def texts(request: Request, having: str = "") -> Iterator[Text]:
    """The texts of the instructions, of every message, and of the clients' tool results, in body order.

    Never of a call's arguments, of reasoning, or of what the provider made itself.
    """
    for key, value in request.document.items():
        if key in ("instructions", "input") and isinstance(value, str):
            if having in value:
                yield Text((key,), value)
        elif key == "input":
            for number, item in enumerate(value if isinstance(value, list) else ()):
                named = kind(item)
                if isinstance(item, str):
                    if having in item:
                        yield Text((key, number), item)
                elif named == "message" or named.endswith(OUTPUT):
                    inner = "content" if named == "message" else "output"
                    yield from _texts(item.get(inner), (key, number, inner), having)


def _texts(content: Any, path: Path, having: str) -> Iterator[Text]:
    if isinstance(content, str):
        if having in content:
            yield Text(path, content)
        return
    for at, part in enumerate(content if isinstance(content, list) else ()):
        text = text_of(part)
        if text is not None and having in text:
            yield Text((*path, at, "text") if isinstance(part, dict) else (*path, at), text)


def results(request: Request) -> Iterator[Told]:
    """Every tool result, in body order; of parts the last one that is a text. The provider's own are not to be added to."""
    items = _items(request.document)
    for start, end in groups(items):
        for at in range(start, end):
            named = kind(items[at])
            for found in results_of(items[at : at + 1]):
                path: Path = ("input", at, "output")
                told = list(_texts(items[at].get("output"), path, "")) if named.endswith(OUTPUT) else []
                yield Told(found.call_id, *told[-1]) if told else Told(found.call_id, (), "")


def resolve(request: Request, items: Mapping[str, Any]) -> None:
    """Put items in the place of the references to them; what goes up, body or document, refers to them still."""
    given = _items(request.document)
    found = [items.get(string(item.get("id")), item) if kind(item) == "item_reference" else item for item in given]
    request.document = {**request.document, "input": found}
    request.transcript = _transcript(request.document)


def put(request: Request, path: Path, text: str) -> None:
    """Replace a text in the parsed request, so that the transcript reads the new one."""
    put_text(request.document, path, text)
    messages = request.transcript.messages
    if isinstance(messages, Lazy):
        places = messages.raw  # as `_messages` found them, once: a text in the place of another moves none of them
        lead = 1 if places and not places[0][1] else 0
        item = path[1] if len(path) > 1 and isinstance(path[1], int) else 0
        own = bisect_right(places, (item, len(_items(request.document))), lead) - 1
        messages.forget(0 if path[0] == "instructions" else own)


def extend(body: bytes, messages: Sequence[Message], before: int | None = None) -> bytes:
    """Add messages to the request's own; raises ValueError where there is no input, or no such place.

    An input that is a string becomes the first item.
    """
    text = body.decode("latin-1")
    start, end = spans.locate(text, ("input",))
    added = b",".join(spans.dump(one) for message in messages for one in _raw(message))
    if not added:
        return body
    if body[start : start + 1] == b'"':
        first = b'{"role":"user","content":' + body[start:end] + b"},"
        return spans.splice(body, [(start, end, b"[" + first + added + b"]")])
    if body[start : start + 1] != b"[":
        raise ValueError("`input` is neither a text nor a list")
    if before is None:
        return add_items(body, (start, end), added)
    at, _ = spans.locate(text, ("input", _before(spans.parse(body[start:end]), before)))
    return add_items(body, (start, end), added, at)


def _before(items: Sequence[Any], number: int) -> int:
    """The place of the items that make the calls of that number, and of the reasoning that belongs to them."""
    making = [begin for begin, end in groups(items) if any(True for _ in calls(items[begin:end]))]
    if number >= len(making):
        raise ValueError(f"the input makes calls {len(making)} times, and not {number + 1}")
    place = making[number]
    while place and kind(items[place - 1]) in THINKING:
        place -= 1
    return place


def _raw(message: Message) -> Iterator[dict[str, Any]]:
    """A message as the items of this format."""
    for result in message.results:
        yield {"type": "function_call_output", "call_id": result.call_id, "output": result.text}
    if message.text and message.role != "tool":
        yield {"type": "message", "role": message.role, "content": message.text}
    for call in message.calls:
        yield {"type": "function_call", "call_id": call.id, "name": call.name, "arguments": call.arguments}


def relay(request: Request, streamed: bool) -> Relay:
    """The relay of the answer to this request: of a stream, or of a plain JSON body."""
    return StreamRelay(request) if streamed else BodyRelay(request)


class BodyRelay(PlainRelay):
    """A plain answer: its items are one."""

    KEY = "output"

    def _read(self, found: Sequence[Any], document: Mapping[str, Any]) -> Iterator[tuple[Answer, Path | None]]:
        finish, end = finish_of(document), end_of(found)
        lasting = self._request.lasting and finish not in ("", "failed", "cancelled")
        said = answer(found, finish, string(document.get("id")) if lasting else "")
        yield said, ("output", end[0], "content", end[1], "text") if end and finish in DECORABLE else None


def stream_error(failure: RequestError) -> bytes:
    """An error as the only event of a stream."""
    told = {"type": "error", "code": failure.code or None, "message": failure.message, "param": failure.param or None}
    return b"event: error\ndata: " + spans.dump({**told, "sequence_number": 0}) + b"\n\n"
