"""The wire formats as litellm takes and gives them: which options pass, and its answers as the bytes of each format."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from proxy.errors import UpstreamError
from proxy.upstreams import compact, error_body

SAMPLING = ("temperature", "top_p", "tools", "tool_choice")
CHAT = frozenset(
    {
        *SAMPLING,
        *("messages", "parallel_tool_calls", "functions", "function_call", "response_format", "top_k", "n", "stop"),
        *("seed", "max_tokens", "max_completion_tokens", "logit_bias", "presence_penalty", "frequency_penalty"),
        *("logprobs", "top_logprobs", "reasoning_effort", "thinking", "verbosity", "modalities", "audio"),
        *("prediction", "service_tier", "user", "safety_identifier", "stream_options"),
    }
)
MESSAGES = frozenset(
    {*SAMPLING, "messages", "system", "max_tokens", "top_k", "stop_sequences", "thinking", "metadata", "output_config"}
)
RESPONSES = frozenset(
    {
        *SAMPLING,
        *("input", "instructions", "parallel_tool_calls", "max_output_tokens", "text", "reasoning", "truncation"),
        *("metadata", "user", "include", "service_tier", "store", "top_logprobs", "safety_identifier"),
    }
)
"""What of a request litellm is given. Its other options choose hosts, keys, files and fall-backs, which no client may."""

TEXTS = frozenset({"text", "input_text", "output_text", "refusal", "thinking", "redacted_thinking", "reasoning"})
CALLS = frozenset({"tool_use", "function_call", "custom_tool_call", "function", "custom"})
RESULTS = frozenset({"tool_result", "function_call_output", "custom_tool_call_output", "message"})
"""Parts that hold the words of tools and people, not the place of a file: of these only the parts inside are looked at."""


@dataclass(frozen=True, slots=True)
class Format:
    """One wire format: the `options` that pass, how litellm is called, and how its answers and errors are spelled.

    `encoder` makes for each stream a function from litellm's chunk to bytes; `end` is what closes a stream.
    """

    options: frozenset[str]
    call: Callable[[Any], Callable[..., Any]]
    whole: Callable[[Any], Mapping[str, Any]]
    encoder: Callable[[], Callable[[Any], bytes]]
    error: Callable[..., bytes]
    end: bytes = b""


def links(value: Any, depth: int = 6) -> bool:
    """Whether a message names a picture or a file elsewhere, which litellm would fetch for some providers."""
    if isinstance(value, list) and depth:
        return any(links(one, depth - 1) for one in value)
    if not isinstance(value, dict) or not depth:
        return False
    kind = value.get("type")
    kind = kind if isinstance(kind, str) else None
    inner = [value[key] for key in ("content", "output") if isinstance(value.get(key), list)]
    if kind is None or kind in RESULTS:
        return any(links(one, depth - 1) for one in inner)
    if kind in TEXTS or kind in CALLS:
        return False
    return any("://" in text.lstrip()[:64] for text in _strings(value)) or any(links(one, depth - 1) for one in inner)


def _strings(part: Mapping[str, Any]) -> Iterator[str]:
    """The texts of a part, and of the object in it that says where its file is."""
    for value in part.values():
        yield from (one for one in (value.values() if isinstance(value, dict) else [value]) if isinstance(one, str))


def _chat(answer: Any) -> dict[str, Any]:
    """A litellm object as OpenAI's servers would send it: unset fields and most nulls left out, usage without a choice."""
    document: dict[str, Any] = answer.model_dump(exclude_none=True, exclude_unset=True)
    choices = document.setdefault("choices", [])
    if document.get("usage") and not any(one.get("delta", one) or one.get("finish_reason") for one in choices):
        document["choices"] = []
    for choice in choices:
        choice.setdefault("finish_reason", None)
        if "message" in choice:
            choice["message"].setdefault("content", None)
    return document


def _chat_encoder() -> Callable[[Any], bytes]:
    return lambda chunk: b"data: " + compact(_chat(chunk)) + b"\n\n"


def _message(answer: Any) -> Mapping[str, Any]:
    document: Mapping[str, Any] = answer if isinstance(answer, Mapping) else answer.model_dump(exclude_unset=True)
    return document


def _message_encoder() -> Callable[[Any], bytes]:
    """litellm's own events are bytes already; some providers' come as text or as objects."""

    def encode(chunk: Any) -> bytes:
        if isinstance(chunk, (bytes, str)):
            event = chunk if isinstance(chunk, bytes) else chunk.encode()
            if event.startswith(b"event: error"):  # with an exception's whole text in it
                raise UpstreamError("the provider broke off")
            return event
        document = _message(chunk)
        return b"event: %s\ndata: %s\n\n" % (str(document.get("type", "")).encode(), compact(document))

    return encode


def _message_error(message: str, kind: str, *, param: str | None = None, code: str | None = None) -> bytes:
    """An error as Anthropic's API shapes it."""
    return compact({"type": "error", "error": {"type": kind, "message": message}})


def _response(answer: Any) -> dict[str, Any]:
    document: dict[str, Any] = answer.model_dump(mode="json", exclude_unset=True)
    return document


def _response_encoder() -> Callable[[Any], bytes]:
    """Events as OpenAI sends them, numbered from zero; litellm leaves out most of the numbers, and `logprobs`."""
    number = -1

    def encode(event: Any) -> bytes:
        nonlocal number
        number += 1
        document = {**_response(event), "sequence_number": number}
        if document.get("type") in ("response.output_text.delta", "response.output_text.done"):
            document.setdefault("logprobs", [])
        return b"event: %s\ndata: %s\n\n" % (str(document.get("type", "")).encode(), compact(document))

    return encode


FORMATS: Mapping[str, Format] = {
    "/chat/completions": Format(
        CHAT, lambda litellm: litellm.acompletion, _chat, _chat_encoder, error_body, b"data: [DONE]\n\n"
    ),
    "/messages": Format(
        MESSAGES,
        lambda litellm: litellm.anthropic.messages.acreate,
        _message,
        _message_encoder,
        _message_error,
    ),
    "/responses": Format(RESPONSES, lambda litellm: litellm.aresponses, _response, _response_encoder, error_body),
}
