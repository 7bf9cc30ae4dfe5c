"""Routes and lifespan: which exchange a request gets, and how its failure is said."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, nullcontext
from dataclasses import dataclass

from starlette.routing import Route, Router
from starlette.types import Receive, Scope, Send

from proxy import exchange, grounded, passage
from proxy.errors import RequestError, UpstreamError
from proxy.inbound import ClientGone, Inbound
from proxy.looks import OUTCOMES
from proxy.metrics import CONTENT_TYPE, Family, single, written
from proxy.service import Service
from proxy.tenants import sends
from proxy.wire import WireFormat, chat, messages, responses

log = logging.getLogger("groundwire")
JSON = (b"content-type", b"application/json")


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A plain ASGI callable around one exchange: no response object stands between the upstream and the socket."""

    service: Service
    run: Callable[[Inbound, Service], Awaitable[None]]
    wire: WireFormat

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        inbound = Inbound(scope, receive, send)
        try:
            await self.run(inbound, self.service)
        except ClientGone:
            return
        except RequestError as failure:
            if inbound.started:
                log.warning("an answer was broken off: %s", failure)
            await self._fail(inbound, failure)
        except UpstreamError as failure:
            log.warning("%s", failure)
            await self._fail(
                inbound, RequestError(502, f"The {failure}.", kind="upstream_error", code="upstream_unavailable")
            )
        except Exception as error:
            log.exception("unexpected %s in %s %s", type(error).__name__, inbound.method, inbound.path)
            await self._fail(inbound, RequestError(500, "Groundwire failed.", kind="server_error", code="internal"))

    async def _fail(self, inbound: Inbound, failure: RequestError) -> None:
        """Say it in the format's own error shape; once the answer has begun, only by breaking it off."""
        if not inbound.started:
            await inbound.whole(failure.status, [JSON], self.wire.error(failure))


async def _complete_chat(inbound: Inbound, service: Service) -> None:
    await exchange.complete(inbound, service, chat)


async def _complete_messages(inbound: Inbound, service: Service) -> None:
    await exchange.complete(inbound, service, messages)


async def _complete_responses(inbound: Inbound, service: Service) -> None:
    await exchange.complete(inbound, service, responses)


async def _nothing_here(inbound: Inbound, service: Service) -> None:
    message = f"There is nothing at {inbound.path or '/v1 itself'}; the API stands under /v1."
    raise RequestError(404, message, code="not_found")


async def _other_method(inbound: Inbound, service: Service) -> None:
    raise RequestError(405, f"There is no {inbound.method} for /v1{inbound.path}.", code="method_not_allowed")


async def _alive(inbound: Inbound, service: Service) -> None:
    """`HEAD /`: Claude Code asks so whether anybody is there."""
    await inbound.whole(200, [], b"")


async def _health(inbound: Inbound, service: Service) -> None:
    """Always 200 as long as the process serves: who restarts it for its audit log would lose answers, and what waits."""
    state = service.records.state
    told = b'{"status":"ok"}' if state == "ok" else b'{"status":"degraded","audit_log":"%s"}' % state.encode()
    await inbound.whole(200, [JSON], told)


async def _metrics(inbound: Inbound, service: Service) -> None:
    """The counts of this process, for those whom `[server] metrics` names. Raises RequestError for others."""
    readers, looks, records = service.metrics, service.looks, service.records
    if readers == "off":
        await _nothing_here(inbound, service)
    if readers == "loopback" and not inbound.local:
        message = 'Metrics are for this machine alone; with `[server] metrics = "sha256:…"`, for whoever has that key.'
        raise RequestError(403, message, kind="permission_error", code="not_local")
    if readers != "loopback" and not sends(inbound.headers, readers):
        message = "The key of the metrics is missing or wrong; it goes into `Authorization: Bearer KEY`."
        raise RequestError(401, message, kind="authentication_error", code="invalid_api_key")
    seen = {(source, outcome): 0 for source in looks.sources for outcome in OUTCOMES} | looks.counts
    families = [
        *service.answers.families(service.tenants.rules),
        Family(
            "groundwire_looks_total",
            "Answers of sources, and looks that got none or needed none.",
            [({"source": source, "outcome": one}, many) for (source, one), many in seen.items()],
        ),
        single("groundwire_audit_records_dropped_total", "Audit records that were never written.", records.dropped),
        single("groundwire_audit_records_waiting", "Audit records that wait to be written.", records.waiting, "gauge"),
        single("groundwire_store_errors_total", "Times that the store did not answer.", service.store.errors),
    ]
    await inbound.whole(200, [(b"content-type", CONTENT_TYPE)], written(families, os.getpid()))


def new_id() -> str:
    """An audit id: 16 lower-case letters and digits that nobody guesses."""
    return secrets.token_hex(8)


@contextmanager
def _frozen() -> Iterator[None]:
    """Keep the collector from walking, for every request, what the start made: that stays until the stop.

    What a program around us has frozen before stays frozen: unfreezing takes all or nothing.
    """
    thresholds, theirs = gc.get_threshold(), gc.get_freeze_count()
    gc.collect()
    gc.freeze()
    gc.set_threshold(25_000, 20, 50)
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)
        if not theirs:
            gc.unfreeze()


def create(service: Service, *, alone: bool = False) -> Router:
    """The ASGI application around a service; it opens the upstreams when it starts and closes them when it stops.

    `alone`: the process is this server's, and its garbage collector may be tuned for it.
    """

    @asynccontextmanager
    async def lifespan(app: object) -> AsyncIterator[None]:
        for upstream in service.upstreams.values():
            await upstream.start()
        service.records.start()
        reload = asyncio.create_task(service.tenants.watch())
        try:
            with _frozen() if alone else nullcontext():
                yield
        finally:
            reload.cancel()
            for upstream in service.upstreams.values():
                await upstream.aclose()
            await service.looks.aclose()
            await service.store.aclose()
            service.records.close()

    def endpoint(run: Callable[[Inbound, Service], Awaitable[None]], wire: WireFormat = chat) -> Endpoint:
        return Endpoint(service, run, wire)

    def both(path: str, run: Endpoint) -> list[Route]:
        return [Route(one, run, methods=["POST"]) for one in (path, f"{path}/")]  # upstreams take either as the same

    every = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
    return Router(
        routes=[
            *both("/v1/chat/completions", endpoint(_complete_chat)),
            *both("/v1/messages", endpoint(_complete_messages, messages)),
            Route("/v1/messages/{path:path}", endpoint(passage.pass_through, messages), methods=every),
            *both("/v1/responses", endpoint(_complete_responses, responses)),
            Route("/", endpoint(_alive), methods=["HEAD"]),
            Route("/v1/ground", endpoint(grounded.complete), methods=["POST"]),
            Route("/v1/audits/{id}", endpoint(passage.audit_of), methods=["GET"]),
            Route("/v1/ground", endpoint(_other_method)),
            Route("/v1/audits/{id}", endpoint(_other_method)),
            Route("/healthz", endpoint(_health), methods=["GET"]),
            Route("/metrics", endpoint(_metrics), methods=["GET"]),
            Route("/v1/{path:path}", endpoint(passage.pass_through), methods=every),
            Route("/v1/{path:path}", endpoint(_other_method)),
            Route("/{path:path}", endpoint(_nothing_here)),
        ],
        lifespan=lifespan,
    )
