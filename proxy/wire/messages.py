"""Anthropic's messages: read a request, edit its bytes, relay its answer, shape its errors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from proxy.errors import RequestError
from proxy.transcript import Answer, Message, Tool, Transcript
from proxy.wire import Lazy, Path, Relay, Request, Text, Told, spans
from proxy.wire.body import add_messages, parse_body, put_text
from proxy.wire.messages_again import continued as continued
from proxy.wire.messages_again import idle as idle
from proxy.wire.messages_again import spoken as spoken
from proxy.wire.messages_blocks import HOSTED_RESULT, RESULT, answer, blocks_of, joined, kind, message, string, text_of
from proxy.wire.messages_stream import DECORABLE, StreamRelay
from proxy.wire.plain import PlainRelay
from proxy.wire.spans import edit as edit

STORED = frozenset({"file_id", "file_ids", "container", "container_id", "skill_id"})

ERRORS: Mapping[int, str] = {
    400: "invalid_request_error",
    401: "authentication_error",
    402: "billing_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    504: "timeout_error",
    529: "overloaded_error",
}
"""The `type` of an error by its HTTP status; `invalid_request_error` for the rest of 4xx, else `api_error`."""


def read(body: bytes) -> Request:
    """Read a request. Whatever is odd inside a message is tolerated: the upstream is the judge of it.

    Raises RequestError when the body is no JSON object, or has no `model` or no `messages`.
    """
    document = parse_body(body)
    model, messages = document.get("model"), document.get("messages")
    if not isinstance(model, str) or not model:
        raise RequestError(400, "model: must be the name of a model", param="model", code="missing_model")
    if not isinstance(messages, list):
        raise RequestError(400, "messages: must be a list of messages", param="messages", code="missing_messages")
    tools = document.get("tools")
    return Request(
        model=model,
        stream=document.get("stream") is True,
        transcript=Transcript(_messages(document), Lazy(tools if isinstance(tools, list) else (), _tool)),
        undecorated=_undecorated(document),
        document=document,
    )


def _messages(document: Mapping[str, Any]) -> Lazy[Message]:
    """The messages; before them the system text, which stands in a field of its own, anywhere in the body."""
    messages = document["messages"]
    if not document.get("system"):
        return Lazy(messages, message)
    return Lazy(
        (document, *messages),
        lambda raw: Message("system", joined(document.get("system"))) if raw is document else message(raw),
    )


def _undecorated(document: Mapping[str, Any]) -> str:
    """Why no answer to this request may carry a footer: a program will read it, not a person."""
    config = document.get("output_config")
    if document.get("output_format") or (isinstance(config, dict) and config.get("format")):
        return "json mode"
    choice = document.get("tool_choice")
    if isinstance(choice, dict) and choice.get("type") in ("any", "tool"):
        return "forced tool"
    last = document["messages"][-1] if document["messages"] else None
    if isinstance(last, dict) and last.get("role") == "assistant":
        blocks = blocks_of(last.get("content"))
        if blocks and text_of(blocks[-1]) is not None:
            return "prefill"  # the client has begun the answer itself, to be read on by a program
    return ""


def _tool(raw: Any) -> Tool:
    """A tool as declared; the provider's own have a type and a name, and no schema."""
    if not isinstance(raw, dict):
        return Tool("")
    schema, annotations = raw.get("input_schema"), raw.get("annotations")
    return Tool(
        string(raw.get("name")) or string(raw.get("type")),
        string(raw.get("description")),
        schema if isinstance(schema, dict) else {},
        annotations if isinstance(annotations, dict) else {},
    )


def texts(request: Request, having: str = "") -> Iterator[Text]:
    """The texts of the system field, of every message and of the client's tool results, in body order.

    Never of a call's arguments, of thinking, or of what the provider made itself and will want back as it was.
    """
    for key, value in request.document.items():
        if key == "system":
            yield from _texts(value, (key,), having)
        elif key == "messages":
            for number, raw in enumerate(value):
                if isinstance(raw, dict):
                    yield from _texts(raw.get("content"), (key, number, "content"), having)


def _texts(content: Any, path: Path, having: str, inside: bool = False) -> Iterator[Text]:
    if isinstance(content, str):
        if having in content:
            yield Text(path, content)
        return
    for at, block in enumerate(blocks_of(content)):
        text = text_of(block)
        if text is None:
            if kind(block) == RESULT and not inside:
                yield from _texts(block.get("content"), (*path, at, "content"), having, inside=True)
        elif having in text:
            yield Text((*path, at, "text") if isinstance(block, dict) else (*path, at), text)


def results(request: Request) -> Iterator[Told]:
    """Every tool result, in body order; of parts the last one that is a text. The provider's own are not to be added to."""
    for number, raw in enumerate(request.document["messages"]):
        content = raw.get("content") if isinstance(raw, dict) else None
        for at, block in enumerate(content if isinstance(content, list) else ()):
            named = kind(block)
            if named == RESULT:
                yield _told(block, ("messages", number, "content", at, "content"))
            elif named.endswith(HOSTED_RESULT):
                yield Told(string(block.get("tool_use_id")), (), "")


def _told(block: Mapping[str, Any], path: Path) -> Told:
    content, call_id = block.get("content"), string(block.get("tool_use_id"))
    if isinstance(content, str):
        return Told(call_id, path, content)
    parts = list(enumerate(blocks_of(content)))
    for at, part in reversed(parts):
        text = text_of(part)
        if text is not None:
            return Told(call_id, (*path, at, "text") if isinstance(part, dict) else (*path, at), text)
    return Told(call_id, (), "")


def resolve(request: Request, items: Mapping[str, Any]) -> None:
    """Nothing to do: no request of this format refers to what it does not carry."""


def put(request: Request, path: Path, text: str) -> None:
    """Replace a text in the parsed request, so that the transcript reads the new one."""
    put_text(request.document, path, text)
    messages = request.transcript.messages
    if isinstance(messages, Lazy):
        first = len(messages) - len(request.document["messages"])
        messages.forget(first + path[1] if path[0] == "messages" and isinstance(path[1], int) else 0)


def extend(body: bytes, messages: Sequence[Message], before: int | None = None) -> bytes:
    """Add messages to the request's own, no other byte changed; raises ValueError where there is no list, or no such place."""
    return add_messages(body, map(_raw, messages), lambda raw: bool(message(raw).calls), before)


def _raw(message: Message) -> dict[str, Any]:
    """A message as this format spells it: results and instructions are the user's to send."""
    blocks: list[dict[str, Any]] = []
    for result in message.results:
        error = {"is_error": True} if result.error else {}
        blocks.append({"type": RESULT, "tool_use_id": result.call_id, "content": result.text, **error})
    if message.text and message.role != "tool":
        blocks.append({"type": "text", "text": message.text})
    for call in message.calls:
        try:
            arguments = spans.parse(call.arguments.encode("utf-8", "surrogatepass"))
        except ValueError:
            arguments = call.arguments
        arguments = arguments if isinstance(arguments, dict) else {"input": arguments}
        blocks.append({"type": "tool_use", "id": call.id, "name": call.name, "input": arguments})
    return {"role": "assistant" if message.role == "assistant" else "user", "content": blocks}


def relay(request: Request, streamed: bool) -> Relay:
    """The relay of the answer to this request: of a stream, or of a plain JSON body."""
    return StreamRelay(request) if streamed else BodyRelay(request)


class BodyRelay(PlainRelay):
    """A plain answer: its blocks are one, and it ends in the last of them that is a text."""

    KEY = "content"

    def _read(self, found: Sequence[Any], document: Mapping[str, Any]) -> Iterator[tuple[Answer, Path | None]]:
        said = answer(found, string(document.get("stop_reason")), document.get("container"))
        last = next((at for at in range(len(found) - 1, -1, -1) if text_of(found[at]) is not None), None)
        blank = last is None or not (text_of(found[last]) or "").strip()
        yield said, None if last is None or blank or said.finish not in DECORABLE else ("content", last, "text")

    def _failed(self, document: Mapping[str, Any]) -> bool:
        return super()._failed(document) or document.get("type") == "error"


def pieces(document: Any) -> Iterator[tuple[Path, str]]:
    """Where the text stands in a plain answer, or in an event of a streamed one."""
    if not isinstance(document, dict):
        return
    content = document.get("content")
    for number, block in enumerate(content if isinstance(content, list) else ()):
        if isinstance(block, dict) and (text := text_of(block)):
            yield ("content", number, "text"), text
    delta = document.get("delta")
    if isinstance(delta, dict) and delta.get("type") == "text_delta" and (text := string(delta.get("text"))):
        yield ("delta", "text"), text
    begun = document.get("content_block")
    if isinstance(begun, dict) and (text := text_of(begun)):
        yield ("content_block", "text"), text


def error(failure: RequestError) -> bytes:
    """`{"type": "error", "error": {"type", "message"}}`, as Anthropic's API shapes it."""
    return spans.dump(_error(failure))


def stream_error(failure: RequestError) -> bytes:
    """The same as an event of a stream."""
    return b"event: error\ndata: " + spans.dump(_error(failure)) + b"\n\n"


def _error(failure: RequestError) -> dict[str, Any]:
    named = ERRORS.get(failure.status, "invalid_request_error" if failure.status < 500 else "api_error")
    return {"type": "error", "error": {"type": named, "message": failure.message}}
