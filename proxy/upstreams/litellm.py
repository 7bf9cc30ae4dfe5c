"""The door to every provider that litellm knows, whatever wire format the client speaks."""

from __future__ import annotations

import logging
import os
from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any

from proxy.errors import UpstreamError
from proxy.redaction import redact
from proxy.upstreams import Headers, LocalReply, Outgoing, compact, error_body, once
from proxy.upstreams.litellm_formats import FORMATS, Format, links

QUIET = {
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",  # or the import fetches a price list from the network
    "LITELLM_LOCAL_ANTHROPIC_BETA_HEADERS": "True",  # or a request may fetch a list, and hold up the loop for it
    "LITELLM_MODE": "PRODUCTION",  # or the import reads a `.env` file
}
STREAM = (b"content-type", b"text/event-stream; charset=utf-8")
JSON = (b"content-type", b"application/json")


class LitellmUpstream:
    """Chat completions, Messages and Responses by way of litellm, which turns each into what the model's provider speaks.

    litellm is imported by `start`, which takes seconds, and only then. Models are named as litellm names them
    (`anthropic/claude-…`). `api_base` and `api_key` are its own options; without a key litellm takes the provider's from the
    environment. `drop_params` leaves out what a provider does not know, where litellm would refuse the request. `models` are
    globs of the names that pass: a name chooses the provider, and so the host.
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
        litellm.use_chat_completions_url_for_anthropic_messages = True  # what most servers of OpenAI's kind have
        logging.getLogger("LiteLLM").setLevel(logging.CRITICAL)  # it logs what providers said, unredacted
        self._litellm = litellm

    async def aclose(self) -> None:
        for reply in list(self._open):
            await reply.aclose()

    async def open(self, outgoing: Outgoing) -> LocalReply:
        if outgoing.path == "/models":
            listed = [{"id": name, "object": "model", "created": 0, "owned_by": self.name} for name in self._models]
            return self._whole(200, compact({"object": "list", "data": listed}))
        # What is no POST comes unaudited: it must ask nothing of a model.
        wanted = FORMATS.get(outgoing.path.rstrip("/")) if outgoing.method == "POST" else None
        if wanted is None:
            message = f"Upstream {self.name!r} has chat completions, messages and responses only."
            return self._whole(404, error_body(message, "invalid_request_error", code="not_found"))
        options = {key: value for key, value in outgoing.parsed().items() if key in wanted.options}
        if refusal := self._refusal(outgoing, wanted, options):
            return refusal
        self._opening += 1
        try:
            answer = await wanted.call(self._litellm)(
                model=outgoing.model, stream=outgoing.stream, _skip_mcp_handler=True, **options, **self._options
            )
        except Exception as error:  # noqa: BLE001 - litellm raises some forty kinds; each has a status and a message
            return self._failed(error, wanted)
        finally:
            self._opening -= 1
        if outgoing.stream:
            return LocalReply(200, [STREAM], self._stream(answer, wanted), self._open)
        return self._whole(200, compact(wanted.whole(answer)))

    def _refusal(self, outgoing: Outgoing, wanted: Format, options: Mapping[str, Any]) -> LocalReply | None:
        """Why a request cannot be sent, in its own format; None where it can."""
        kind = "invalid_request_error"
        if not any(fnmatchcase(outgoing.model, pattern) for pattern in self._models):
            message = f"The model {outgoing.model!r} is not one of upstream {self.name!r}."
            return self._whole(404, wanted.error(message, kind, param="model", code="model_not_found"))
        if outgoing.parsed().get("previous_response_id"):
            message = "This upstream keeps no responses; send the whole conversation as `input`."
            return self._whole(400, wanted.error(message, kind, param="previous_response_id", code="not_stored"))
        if links(options.get("messages")) or links(options.get("input")):
            message = "Pictures and files must stand in the request as data: URLs; nothing is fetched for a client."
            return self._whole(400, wanted.error(message, kind, param="messages", code="no_remote_files"))
        return None

    def _whole(self, status: int, body: bytes, headers: Iterable[tuple[bytes, bytes]] = ()) -> LocalReply:
        return LocalReply(status, [JSON, *headers], once(body), self._open)

    def _failed(self, error: Exception, wanted: Format) -> LocalReply:
        """The provider's refusal as the client's API would say it. Raises UpstreamError where there was none to speak of."""
        status = getattr(error, "status_code", None)
        if not isinstance(status, int) or not 400 <= status <= 599:
            raise UpstreamError(f"upstream {self.name!r} failed: {type(error).__name__}") from error
        message = str(getattr(error, "message", "")).partition("\n")[0] or type(error).__name__
        message = redact(message)
        code = getattr(error, "code", None)
        body = wanted.error(message, type(error).__name__, code=str(code) if code else None)
        return self._whole(status, body, _pacing(getattr(error, "litellm_response_headers", None)))

    async def _stream(self, chunks: Any, wanted: Format) -> AsyncGenerator[bytes, None]:
        encode = wanted.encoder()
        try:
            async for chunk in chunks:
                yield encode(chunk)
        except Exception as error:
            raise UpstreamError(
                f"upstream {self.name!r} broke off in the middle of an answer: {type(error).__name__}"
            ) from error
        finally:
            close = getattr(chunks, "aclose", None)
            if close is not None:
                await close()
        if wanted.end:
            yield wanted.end


def _pacing(headers: Any) -> Headers:
    """What a refusal's headers say of when to ask again: `Retry-After`, and the rates."""
    return [
        (str(name).lower().encode("latin-1"), str(value).encode("latin-1", "replace"))
        for name, value in (headers.items() if isinstance(headers, Mapping) else ())
        if str(name).lower() == "retry-after" or "ratelimit" in str(name).lower()
    ]
