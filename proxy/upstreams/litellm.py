"""The door to every provider that litellm knows: its chunks, turned into the bytes that OpenAI's API would send."""

from __future__ import annotations

import os
from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any

from proxy.errors import UpstreamError
from proxy.redaction import redact
from proxy.upstreams import Headers, LocalReply, Outgoing, compact, error_body, once

QUIET = {
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",  # or the import fetches a price list from the network
    "LITELLM_LOCAL_ANTHROPIC_BETA_HEADERS": "True",  # or a request may fetch a list, and hold up the loop for it
    "LITELLM_MODE": "PRODUCTION",  # or the import reads a `.env` file
}
STREAM = (b"content-type", b"text/event-stream; charset=utf-8")
JSON = (b"content-type", b"application/json")
PARAMETERS = frozenset(
    {
        *("messages", "tools", "tool_choice", "parallel_tool_calls", "functions", "function_call", "response_format"),
        *("temperature", "top_p", "top_k", "n", "stop", "seed", "max_tokens", "max_completion_tokens", "logit_bias"),
        *(
            "presence_penalty",
            "frequency_penalty",
            "logprobs",
            "top_logprobs",
            "reasoning_effort",
            "thinking",
            "verbosity",
        ),
        *("modalities", "audio", "prediction", "service_tier", "user", "safety_identifier", "stream_options"),
    }
)
"""What of a request litellm is given. Its other options choose hosts, keys, files and fall-backs, which no client may."""


class LitellmUpstream:
    """Chat completions by `litellm.acompletion`. litellm is imported by `start`, which takes seconds, and only then.

    Models are named as litellm names them (`anthropic/claude-…`). `api_base` and `api_key` are its own options; without
    a key litellm takes the provider's from the environment. `drop_params` leaves out what a provider does not know, where
    litellm would refuse the request. `models` are globs of the names that pass: a name chooses the
    provider, and so the host.
    """

    def __init__(
        self,
        name: str,
        *,
        api_base: str | None = None,
        api_key: str | None = None,
        drop_params: bool = False,
        models: Sequence[str] = (),
    ) -> None:
        self.name = name
        options = {"api_base": api_base, "api_key": api_key, "drop_params": drop_params}
        self._options = {key: value for key, value in options.items() if value}
        self._models = tuple(models)
        self._open: set[LocalReply] = set()
        self._opening = 0
        self._litellm: Any = None

    @property
    def active(self) -> int:
        return len(self._open) + self._opening

    def models(self) -> Sequence[str]:
        return self._models

    async def start(self) -> None:
        os.environ.update(QUIET)
        import litellm

        litellm.telemetry = False
        litellm.suppress_debug_info = True
        self._litellm = litellm

    async def aclose(self) -> None:
        for reply in list(self._open):
            await reply.aclose()

    async def open(self, outgoing: Outgoing) -> LocalReply:
        if outgoing.path == "/models":
            listed = [{"id": name, "object": "model", "created": 0, "owned_by": self.name} for name in self._models]
            return self._whole(200, compact({"object": "list", "data": listed}))
        if outgoing.path != "/chat/completions":
            message = f"Upstream {self.name!r} has chat completions only."
            return self._whole(404, error_body(message, "invalid_request_error", code="not_found"))
        if not any(fnmatchcase(outgoing.model, pattern) for pattern in self._models):
            message = f"The model {outgoing.model!r} is not one of upstream {self.name!r}."
            return self._whole(404, error_body(message, "invalid_request_error", param="model", code="model_not_found"))
        options = {key: value for key, value in outgoing.parsed().items() if key in PARAMETERS}
        if _links(options.get("messages")):
            message = "Pictures and files must stand in the request as data: URLs; nothing is fetched for a client."
            return self._whole(
                400, error_body(message, "invalid_request_error", param="messages", code="no_remote_files")
            )
        self._opening += 1
        try:
            answer = await self._litellm.acompletion(
                model=outgoing.model, stream=outgoing.stream, _skip_mcp_handler=True, **options, **self._options
            )
        except Exception as error:  # noqa: BLE001 - litellm raises some forty kinds; each has a status and a message
            return self._failed(error)
        finally:
            self._opening -= 1
        if outgoing.stream:
            return LocalReply(200, [STREAM], self._stream(answer), self._open)
        return self._whole(200, compact(_plain(answer)))

    def _whole(self, status: int, body: bytes, headers: Iterable[tuple[bytes, bytes]] = ()) -> LocalReply:
        return LocalReply(status, [JSON, *headers], once(body), self._open)

    def _failed(self, error: Exception) -> LocalReply:
        """The provider's refusal as OpenAI would say it. Raises UpstreamError where there was none to speak of."""
        status = getattr(error, "status_code", None)
        if not isinstance(status, int) or not 400 <= status <= 599:
            raise UpstreamError(f"upstream {self.name!r} failed: {type(error).__name__}") from error
        message = str(getattr(error, "message", "")).partition("\n")[0] or type(error).__name__
        message = redact(message)
        code = getattr(error, "code", None)
        body = error_body(message, type(error).__name__, code=str(code) if code else None)
        return self._whole(status, body, _pacing(getattr(error, "litellm_response_headers", None)))

    async def _stream(self, chunks: Any) -> AsyncGenerator[bytes, None]:
        try:
            async for chunk in chunks:
                yield b"data: " + compact(_plain(chunk)) + b"\n\n"
        except Exception as error:
            raise UpstreamError(f"upstream {self.name!r} broke off inside its reply: {type(error).__name__}") from error
        finally:
            close = getattr(chunks, "aclose", None)
            if close is not None:
                await close()
        yield b"data: [DONE]\n\n"


def _links(messages: Any) -> bool:
    """Whether a message names a picture or a file elsewhere, which litellm would fetch for some providers."""
    for message in messages if isinstance(messages, list) else ():
        content = message.get("content") if isinstance(message, dict) else None
        for part in content if isinstance(content, list) else ():
            for value in part.values() if isinstance(part, dict) else ():
                inner = list(value.values()) if isinstance(value, dict) else [value]
                kind = part.get("type")
                if kind not in ("text", "input_text") and any(
                    isinstance(one, str) and "://" in one[:64] for one in inner
                ):
                    return True
    return False


def _pacing(headers: Any) -> Headers:
    """What a refusal's headers say of when to ask again: `Retry-After`, and the rates."""
    return [
        (str(name).lower().encode("latin-1"), str(value).encode("latin-1", "replace"))
        for name, value in (headers.items() if isinstance(headers, Mapping) else ())
        if str(name).lower() == "retry-after" or "ratelimit" in str(name).lower()
    ]


def _plain(answer: Any) -> dict[str, Any]:
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
