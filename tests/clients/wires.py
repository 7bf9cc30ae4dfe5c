"""What the scripted upstream says, spelled in each wire format: a text or one tool call, streamed or plain."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

Document = Mapping[str, Any]


@dataclass(frozen=True)
class Saying:
    """One answer of the model: a text, or a call of `tool` with `arguments` (a text for tools that take free text)."""

    text: str = ""
    tool: str = ""
    arguments: Document | str = ""

    @property
    def raw_arguments(self) -> str:
        return self.arguments if isinstance(self.arguments, str) else json.dumps(self.arguments)


@dataclass(frozen=True)
class Asked:
    """What a request holds, whatever its format: its tools by name, tool results, whether it ends with one.

    `remembered`: its history is the provider's own, and was named by an id.
    """

    tools: Mapping[str, Document]
    results: int
    ends_with_result: bool
    forced: str
    remembered: bool = False


def pieces(text: str) -> list[str]:
    """A text in deltas, some with words cut in two."""
    return re.findall(r".{1,7}", text, re.DOTALL)


def _event(data: Document, name: str = "") -> bytes:
    head = f"event: {name}\n" if name else ""
    return f"{head}data: {json.dumps(data)}\n\n".encode()


# Chat completions


def read_chat(document: Document) -> Asked:
    messages = document.get("messages", [])
    choice = document.get("tool_choice")
    return Asked(
        {tool["function"]["name"]: tool["function"] for tool in document.get("tools") or []},
        sum(message["role"] == "tool" for message in messages),
        messages[-1]["role"] == "tool",
        choice["function"]["name"] if isinstance(choice, dict) else "",
    )


CHAT_USAGE = {"prompt_tokens": 31, "completion_tokens": 17, "total_tokens": 48}


def _chat_call(saying: Saying) -> dict[str, Any]:
    function = {"name": saying.tool, "arguments": saying.raw_arguments}
    return {"id": "call_1", "type": "function", "function": function}


def chat(document: Document, saying: Saying) -> bytes:
    message: dict[str, Any] = {"role": "assistant", "content": saying.text or None, "refusal": None}
    if saying.tool:
        message["tool_calls"] = [_chat_call(saying)]
    finish = "tool_calls" if saying.tool else "stop"
    choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": finish}
    head = {"id": "chatcmpl-1", "object": "chat.completion", "created": 1700000000, "model": document["model"]}
    return json.dumps({**head, "choices": [choice], "usage": CHAT_USAGE}).encode()


def chat_stream(document: Document, saying: Saying) -> Iterator[bytes]:
    head = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1700000000, "model": document["model"]}

    def chunk(delta: Document, finish: str | None = None) -> bytes:
        return _event({**head, "choices": [{"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}]})

    yield chunk({"role": "assistant", "content": "" if saying.text else None})
    if saying.tool:
        begun = _chat_call(saying)
        begun["function"]["arguments"] = ""
        yield chunk({"tool_calls": [{"index": 0, **begun}]})
    for piece in pieces(saying.raw_arguments):
        yield chunk({"tool_calls": [{"index": 0, "function": {"arguments": piece}}]})
    for piece in pieces(saying.text):
        yield chunk({"content": piece})
    yield chunk({}, "tool_calls" if saying.tool else "stop")
    if (document.get("stream_options") or {}).get("include_usage"):
        yield _event({**head, "choices": [], "usage": CHAT_USAGE})
    yield b"data: [DONE]\n\n"


# Messages


def read_messages(document: Document) -> Asked:
    results = [
        any(isinstance(block, dict) and block.get("type") == "tool_result" for block in message["content"])
        for message in document["messages"]
        if message["role"] == "user"
    ]
    choice = document.get("tool_choice") or {}
    return Asked(
        {tool["name"]: tool for tool in document.get("tools") or []},
        sum(results),
        results[-1],
        choice.get("name", ""),
    )


MESSAGES_USAGE = {"input_tokens": 31, "output_tokens": 17}


def _block(saying: Saying) -> dict[str, Any]:
    if saying.tool:
        return {"type": "tool_use", "id": "toolu_1", "name": saying.tool, "input": saying.arguments}
    return {"type": "text", "text": saying.text}


def _message(document: Document) -> dict[str, Any]:
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": document["model"],
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": {**MESSAGES_USAGE, "output_tokens": 1},
    }


def messages(document: Document, saying: Saying) -> bytes:
    stop = {"stop_reason": "tool_use" if saying.tool else "end_turn", "usage": MESSAGES_USAGE}
    return json.dumps({**_message(document), "content": [_block(saying)], **stop}).encode()


def messages_stream(document: Document, saying: Saying) -> Iterator[bytes]:
    def event(name: str, **fields: Any) -> bytes:
        return _event({"type": name, **fields}, name)

    yield event("message_start", message=_message(document))
    empty: dict[str, Any] = {"input": {}} if saying.tool else {"text": ""}
    yield event("content_block_start", index=0, content_block={**_block(saying), **empty})
    for piece in pieces(saying.raw_arguments):
        yield event("content_block_delta", index=0, delta={"type": "input_json_delta", "partial_json": piece})
    for piece in pieces(saying.text):
        yield event("content_block_delta", index=0, delta={"type": "text_delta", "text": piece})
    yield event("content_block_stop", index=0)
    stop = {"stop_reason": "tool_use" if saying.tool else "end_turn", "stop_sequence": None}
    yield event("message_delta", delta=stop, usage={"output_tokens": 17})
    yield event("message_stop")


# Responses


def read_responses(document: Document) -> Asked:
    items = document["input"] if isinstance(document["input"], list) else [{"role": "user"}]
    results = [str(item.get("type", "")).endswith("_call_output") for item in items]
    choice = document.get("tool_choice")
    return Asked(
        {tool.get("name", tool["type"]): tool for tool in document.get("tools") or []},
        sum(results),
        results[-1],
        choice.get("name", "") if isinstance(choice, dict) else "",
        bool(document.get("previous_response_id")),
    )


RESPONSES_USAGE = {
    "input_tokens": 31,
    "input_tokens_details": {"cached_tokens": 0},
    "output_tokens": 17,
    "output_tokens_details": {"reasoning_tokens": 0},
    "total_tokens": 48,
}


def _part(text: str) -> dict[str, Any]:
    return {"type": "output_text", "text": text, "annotations": [], "logprobs": []}


def _item(document: Document, saying: Saying, status: str = "completed") -> dict[str, Any]:
    if not saying.tool:
        content = [_part(saying.text)] if status == "completed" else []
        return {"id": "msg_1", "type": "message", "status": status, "role": "assistant", "content": content}
    free = _free_text(document, saying.tool)
    arguments = saying.raw_arguments if status == "completed" else ""
    return {
        "id": "fc_1",
        "type": "custom_tool_call" if free else "function_call",
        "status": status,
        "call_id": "call_1",
        "name": saying.tool,
        "input" if free else "arguments": arguments,
    }


def _free_text(document: Document, name: str) -> bool:
    return read_responses(document).tools.get(name, {}).get("type") == "custom"


def _response(document: Document, saying: Saying | None) -> dict[str, Any]:
    keys = ("instructions", "metadata", "previous_response_id", "temperature", "text", "tools", "tool_choice", "top_p")
    defaults = {"metadata": {}, "tools": [], "tool_choice": "auto"}
    return {
        "id": f"resp_{hashlib.sha256(json.dumps(document).encode()).hexdigest()[:16]}",
        "object": "response",
        "created_at": 1700000000,
        "model": document["model"],
        "error": None,
        "status": "completed" if saying else "in_progress",
        "incomplete_details": None,
        "output": [_item(document, saying)] if saying else [],
        "usage": RESPONSES_USAGE if saying else None,
        "parallel_tool_calls": document.get("parallel_tool_calls", True),
        **{key: document.get(key, defaults.get(key)) for key in keys},
    }


def responses(document: Document, saying: Saying) -> bytes:
    return json.dumps(_response(document, saying)).encode()


def responses_stream(document: Document, saying: Saying) -> Iterator[bytes]:
    for number, (name, fields) in enumerate(_response_events(document, saying)):
        yield _event({"type": name, "sequence_number": number, **fields}, name)


def _response_events(document: Document, saying: Saying) -> Iterator[tuple[str, dict[str, Any]]]:
    yield "response.created", {"response": _response(document, None)}
    yield "response.in_progress", {"response": _response(document, None)}
    yield "response.output_item.added", {"output_index": 0, "item": _item(document, saying, "in_progress")}
    if saying.tool:
        place = {"item_id": "fc_1", "output_index": 0}
        free = _free_text(document, saying.tool)
        kind = "response.custom_tool_call_input" if free else "response.function_call_arguments"
        for piece in pieces(saying.raw_arguments):
            yield f"{kind}.delta", {**place, "delta": piece}
        yield f"{kind}.done", {**place, "input" if free else "arguments": saying.raw_arguments}
    else:
        place = {"item_id": "msg_1", "output_index": 0, "content_index": 0}
        yield "response.content_part.added", {**place, "part": _part("")}
        for piece in pieces(saying.text):
            yield "response.output_text.delta", {**place, "delta": piece, "logprobs": []}
        yield "response.output_text.done", {**place, "text": saying.text, "logprobs": []}
        yield "response.content_part.done", {**place, "part": _part(saying.text)}
    yield "response.output_item.done", {"output_index": 0, "item": _item(document, saying)}
    yield "response.completed", {"response": _response(document, saying)}
