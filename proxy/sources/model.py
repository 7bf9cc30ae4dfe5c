"""A model as a source: what it answers to one question in strict JSON, by a door of its own to an upstream."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from proxy.audit import NOTHING, Present, Question, Sight, Unknown
from proxy.errors import UpstreamError

if TYPE_CHECKING:
    from collections.abc import Callable

    from proxy.upstreams import Reply, Upstream

DAY = 86_400.0
"""Seconds that an answer is kept: the same question at temperature 0 has the same answer."""

ANSWER = 1_000_000
"""Bytes of a reply that are read."""

REFUSED = frozenset({400, 404, 415, 422})
"""Statuses of a server that knows no JSON schema, or another name for the bound of its tokens: it is asked plainly."""


class Model:
    """One model of one upstream. A look's subject is what it reads; the question holds the rest.

    `system` is its task, `schema` the JSON schema of its answer, `name` the schema's name and `tokens` the most that it may
    write. It is answered by `text`, and by `truncated` where the model had not ended. No client's credential goes up.
    """

    def __init__(
        self, upstream: Upstream, model: str, *, timeout: float = 60.0, concurrency: int = 8, budget: int = 0
    ) -> None:
        self._upstream, self._model, self._timeout = upstream, model, timeout
        self._slots, self._starting = asyncio.Semaphore(concurrency), asyncio.Lock()
        self._started = False
        self.budget = budget
        self.digest = hashlib.sha256(f"{upstream.name}\0{model}".encode()).hexdigest()[:16]

    def lifetime(self, sight: Sight) -> float:
        return DAY if isinstance(sight, Present) and not sight.fields.get("truncated") else 0.0

    async def look(self, subject: str, question: Question = NOTHING) -> Sight:
        try:
            async with self._slots, asyncio.timeout(self._timeout):
                async with self._starting:
                    if not self._started:
                        await self._upstream.start()
                        self._started = True
                status, body = await self._ask(_strict(self._model, subject, question))
                if status in REFUSED:
                    status, body = await self._ask(_plain(self._model, subject, question))
        except TimeoutError:
            return Unknown("the model did not answer in time")
        except UpstreamError as error:
            return Unknown(f"the model did not answer: {error}")
        if status != 200:
            return Unknown(f"the model's server answered with status {status}")
        return _sight(body) if len(body) <= ANSWER else Unknown("the model's answer is too long")

    async def _ask(self, document: dict[str, Any]) -> tuple[int, bytes]:
        from proxy.upstreams import Outgoing

        body = json.dumps(document).encode()
        headers = [(b"content-type", b"application/json")]
        reply = await self._upstream.open(
            Outgoing("POST", "/chat/completions", headers, body, model=self._model, document=document)
        )
        try:
            return reply.status, await _body(reply)
        finally:
            await reply.aclose()

    async def aclose(self) -> None:
        if self._started:
            self._started = False
            await self._upstream.aclose()


async def _body(reply: Reply) -> bytes:
    pieces = bytearray()
    async for piece in reply.body:
        pieces += piece
        if len(pieces) > ANSWER:
            break
    return bytes(pieces)


def _plain(model: str, subject: str, question: Question) -> dict[str, Any]:
    messages = [{"role": "system", "content": question.get("system", "")}, {"role": "user", "content": subject}]
    return {"model": model, "messages": messages, "max_tokens": int(question.get("tokens", "2048"))}


def _strict(model: str, subject: str, question: Question) -> dict[str, Any]:
    document = _plain(model, subject, question)
    document["max_completion_tokens"] = document.pop("max_tokens")
    shape = {"name": question.get("name", "answer"), "strict": True, "schema": json.loads(question.get("schema", "{}"))}
    return {**document, "temperature": 0, "response_format": {"type": "json_schema", "json_schema": shape}}


def _sight(body: bytes) -> Sight:
    """The text of a reply's first choice."""
    try:
        choice = json.loads(body)["choices"][0]
        text, finish = choice["message"]["content"], choice.get("finish_reason")
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return Unknown("the model's reply could not be read")
    if not isinstance(text, str) or not text.strip():
        return Unknown("the model's answer is empty" + (": it was cut off" if finish == "length" else ""))
    return Present({"text": text, "truncated": finish == "length"})


KEYS = {"type", "upstream", "model", "timeout", "concurrency", "budget"}


def build(name: str, table: Mapping[str, Any], door: Callable[[str], Upstream]) -> Model:
    """From `[sources.NAME] type = "model"`, and the other `KEYS`. Raises ValueError("key: …")."""
    if unknown := set(table) - KEYS:
        raise ValueError(f"{min(unknown)}: is no key of this source; known: {', '.join(sorted(KEYS - {'type'}))}")
    for key, such in (("upstream", "the name of an [upstreams.NAME]"), ("model", "the upstream's own name of a model")):
        if not isinstance(table.get(key), str) or not table[key]:
            raise ValueError(f"{key}: is missing: {such}")
    timeout, concurrency = table.get("timeout", 60.0), table.get("concurrency", 8)
    if isinstance(timeout, bool) or not isinstance(timeout, (int, float)) or not 0.01 <= timeout <= 600:
        raise ValueError("timeout: must be 0.01 to 600 seconds")
    if isinstance(concurrency, bool) or not isinstance(concurrency, int) or not 1 <= concurrency <= 64:
        raise ValueError("concurrency: must be 1 to 64")
    budget = table.get("budget", 0)
    if isinstance(budget, bool) or not isinstance(budget, int) or budget < 0:
        raise ValueError("budget: must be a number of questions a day, 0 for any")
    return Model(
        door(table["upstream"]), table["model"], timeout=float(timeout), concurrency=concurrency, budget=budget
    )
