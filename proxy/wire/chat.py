"""OpenAI's chat completions: read a request, edit its bytes, relay its answer, shape its errors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from proxy.errors import RequestError
from proxy.transcript import Answer, Message, Role, Tool, ToolCall, ToolResult, Transcript, attached
from proxy.wire import Lazy, Path, Relay, Request, Text, Told, spans
from proxy.wire.body import add_messages, parse_body, put_text
from proxy.wire.chat_again import continued as continued
from proxy.wire.chat_again import idle as idle
from proxy.wire.chat_again import spoken as spoken
from proxy.wire.chat_stream import CUT_FINISHES, TOOL_FINISHES, StreamRelay
from proxy.wire.plain import PlainRelay
from proxy.wire.spans import edit as edit

STORED = frozenset({"file_id", "file_ids", "audio"})

BEGUN = ("prefix", "partial")
"""By which a last message says that the answer goes on from it: DeepSeek's and Mistral's word, Moonshot's and Qwen's; vLLM
and SGLang say it beside the messages, `continue_final_message`."""

ROLES: Mapping[Any, Role] = {
    "system": "system",
    "developer": "system",
    "user": "user",
    "assistant": "assistant",
    "tool": "tool",
    "function": "tool",
}


def read(body: bytes) -> Request:
    """Read a request. Whatever is odd inside a message is tolerated: the upstream is the judge of it.

    Raises RequestError when the body is no JSON object, or has no `model` or no `messages`.
    """
    document = parse_body(body)
    model, messages = document.get("model"), document.get("messages")
    if not isinstance(model, str) or not model:
        raise RequestError(400, "`model` must be the name of a model.", param="model", code="missing_model")
    if not isinstance(messages, list):
        raise RequestError(400, "`messages` must be a list of messages.", param="messages", code="missing_messages")
    choices = document.get("n")
    return Request(
        model=model,
        stream=document.get("stream") is True,
        transcript=Transcript(Lazy(messages, _message), Lazy(_tools(document), _tool)),
        choices=choices if isinstance(choices, int) and not isinstance(choices, bool) and 0 < choices <= 128 else 1,
        undecorated=_undecorated(document),
        document=document,
    )


def _undecorated(document: Mapping[str, Any]) -> str:
    """Why no answer to this request may carry a footer: a program will read it, not a person."""
    shape = document.get("response_format")
    if isinstance(shape, dict) and shape.get("type") in ("json_object", "json_schema"):
        return "json mode"
    for choice in (document.get("tool_choice"), document.get("function_call")):
        if isinstance(choice, dict) and isinstance(allowed := choice.get("allowed_tools"), dict):
            choice = allowed.get("mode")
        if choice == "required" or isinstance(choice, dict):
            return "forced tool"
    last = document["messages"][-1] if document["messages"] else None
    marks = [last.get(key) for key in BEGUN] if isinstance(last, dict) and last.get("role") == "assistant" else []
    if any(mark is True for mark in marks) or document.get("continue_final_message") is True:
        return "prefill"  # the client has begun the answer itself, to be read on by a program
    return "logprobs" if document.get("logprobs") is True else ""


def _message(raw: Any) -> Message:
    """One message, however odd. What has no role that we know is read as the user's words."""
    if not isinstance(raw, dict):
        return Message("user", "")
    role = raw.get("role")
    known = ROLES.get(role, "user") if isinstance(role, str) else "user"
    text = _content(raw.get("content"))
    if known == "tool":
        result = ToolResult(_string(raw.get("tool_call_id")), text, None, _string(raw.get("name")))
        return Message("tool", text, results=(result,), unread=attached(raw.get("content")))
    unread = attached(raw.get("content")) or isinstance(raw.get("audio"), dict)
    return Message(known, text, tuple(_calls(raw)) if known == "assistant" else (), unread=unread)


def _string(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _content(content: Any) -> str:
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    return "\n".join(text for part in content if (text := _part(part)) is not None)


def _part(part: Any) -> str | None:
    if isinstance(part, dict):
        part = part.get("text")
    return part if isinstance(part, str) else None


def _calls(raw: Mapping[str, Any]) -> Iterator[ToolCall]:
    calls = raw.get("tool_calls")
    for call in calls if isinstance(calls, list) else ():
        if isinstance(call, dict):
            yield _call(_string(call.get("id")), call.get("function") or call.get("custom"))
    if isinstance(raw.get("function_call"), dict):
        yield _call("", raw["function_call"])


def _call(identifier: str, function: Any) -> ToolCall:
    if not isinstance(function, dict):
        return ToolCall(identifier, "", "")
    arguments = function.get("arguments", function.get("input"))
    if isinstance(arguments, (dict, list)):  # some servers hand the object itself over
        arguments = spans.written(arguments)
    return ToolCall(identifier, _string(function.get("name")), _string(arguments))


def _tools(document: Mapping[str, Any]) -> list[Any]:
    found = []
    for key in ("tools", "functions"):
        if isinstance(document.get(key), list):
            found += document[key]
    return found


def _tool(raw: Any) -> Tool:
    if not isinstance(raw, dict):
        return Tool("")
    inner = next((raw[key] for key in ("function", "custom") if isinstance(raw.get(key), dict)), raw)
    parameters, annotations = inner.get("parameters"), raw.get("annotations") or inner.get("annotations")
    return Tool(
        _string(inner.get("name")),
        _string(inner.get("description")),
        parameters if isinstance(parameters, dict) else {},
        annotations if isinstance(annotations, dict) else {},
    )


def texts(request: Request, having: str = "") -> Iterator[Text]:
    """The text of every message's `content`, of every role, in body order; never of a call's arguments."""
    for number, raw in enumerate(request.document["messages"]):
        content = raw.get("content") if isinstance(raw, dict) else None
        if isinstance(content, str):
            if having in content:
                yield Text(("messages", number, "content"), content)
        elif isinstance(content, list):
            for at, part in enumerate(content):
                text = _part(part)
                if text is not None and having in text:
                    path: Path = ("messages", number, "content", at)
                    yield Text((*path, "text") if isinstance(part, dict) else path, text)


def results(request: Request) -> Iterator[Told]:
    """Every tool result, in body order; of parts the last one that is a text."""
    for number, raw in enumerate(request.document["messages"]):
        if not isinstance(raw, dict) or ROLES.get(_string(raw.get("role"))) != "tool":
            continue
        content, call_id = raw.get("content"), _string(raw.get("tool_call_id"))
        path: Path = ("messages", number, "content")
        if isinstance(content, str):
            yield Told(call_id, path, content)
            continue
        parts = list(enumerate(content)) if isinstance(content, list) else []
        last = next(((at, part) for at, part in reversed(parts) if _part(part) is not None), None)
        if last is None:
            yield Told(call_id, (), "")
        else:
            at, part = last
            yield Told(call_id, (*path, at, "text") if isinstance(part, dict) else (*path, at), _part(part) or "")


def resolve(request: Request, items: Mapping[str, Any]) -> None:
    """Nothing to do: no request of this format refers to what it does not carry."""


def put(request: Request, path: Path, text: str) -> None:
    """Replace a text in the parsed request, so that the transcript reads the new one."""
    put_text(request.document, path, text)
    if isinstance(request.transcript.messages, Lazy) and isinstance(path[1], int):
        request.transcript.messages.forget(path[1])


def extend(body: bytes, messages: Sequence[Message], before: int | None = None) -> bytes:
    """Add messages to the request's own, no other byte changed; raises ValueError where there is no list, or no such place."""
    raws = (one for message in messages for one in _raw(message))
    return add_messages(body, raws, lambda raw: bool(_message(raw).calls), before)


def _raw(message: Message) -> Iterator[dict[str, Any]]:
    for result in message.results:
        yield {"role": "tool", "tool_call_id": result.call_id, "content": result.text}
    if message.role == "tool":
        return
    raw: dict[str, Any] = {"role": message.role, "content": message.text}
    if message.calls:
        raw["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in message.calls
        ]
    yield raw


def relay(request: Request, streamed: bool) -> Relay:
    """The relay of the answer to this request: of a stream, or of a plain JSON body."""
    return StreamRelay(request) if streamed else BodyRelay(request)


class BodyRelay(PlainRelay):
    """A plain answer: every choice is one."""

    KEY = "choices"

    def _read(self, found: Sequence[Any], document: Mapping[str, Any]) -> Iterator[tuple[Answer, Path | None]]:
        for number, choice in enumerate(found):
            if isinstance(choice, dict) and isinstance(choice.get("message"), dict):
                index = choice.get("index")
                said = _answer(index if isinstance(index, int) else number, choice)
                unfinished = not said.finish or said.finish in CUT_FINISHES | TOOL_FINISHES
                end = _end(choice["message"].get("content"), ("choices", number, "message", "content"))
                yield said, None if unfinished or not said.text.strip() else end


def _answer(index: int, choice: Mapping[str, Any]) -> Answer:
    message = choice["message"]
    audio = message.get("audio")
    return Answer(
        index=index,
        text=_content(message.get("content")),
        finish=_string(choice.get("finish_reason")),
        calls=list(_calls(message)),
        refused=bool(message.get("refusal")),
        made=(made,) if isinstance(audio, dict) and isinstance(made := audio.get("id"), str) else (),
    )


def _end(content: Any, path: Path) -> Path:
    """The string that a content with text ends in: in its last part that has one, or the content itself."""
    for at in range(len(content) - 1, -1, -1) if isinstance(content, list) else ():
        if _part(content[at]) is not None:
            return (*path, at, "text") if isinstance(content[at], dict) else (*path, at)
    return path


def pieces(document: Any) -> Iterator[tuple[Path, str]]:
    """Where the first choice's text stands in a plain answer, or in an event of a streamed one."""
    choices = document.get("choices") if isinstance(document, dict) else None
    for number, choice in enumerate(choices if isinstance(choices, list) else ()):
        if not isinstance(choice, dict) or choice.get("index", 0) != 0:
            continue
        for key in ("message", "delta"):
            holder = choice.get(key)
            content = holder.get("content") if isinstance(holder, dict) else None
            if isinstance(content, str) and content:
                yield ("choices", number, key, "content"), content


def error(failure: RequestError) -> bytes:
    """`{"error": {"message", "type", "param", "code"}}`, as OpenAI's API shapes it."""
    return spans.dump({"error": _error(failure)})


def stream_error(failure: RequestError) -> bytes:
    """The same as an event; it has `choices`, for the clients that die of an event without."""
    return b"data: " + spans.dump({"error": _error(failure), "choices": []}) + b"\n\n"


def _error(failure: RequestError) -> dict[str, Any]:
    return {
        "message": failure.message,
        "type": failure.kind,
        "param": failure.param or None,
        "code": failure.code or None,
    }
