"""One request from first byte to last, in reading order: read it, send it up, relay the answer, audit it, close it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import Any

from proxy import audit, history, ledger
from proxy.answers import examine, words
from proxy.audit import Check, Report
from proxy.errors import RequestError, UpstreamError
from proxy.inbound import Headers, Inbound
from proxy.inject import attach
from proxy.ledger import Turn
from proxy.looks import Early, Looks
from proxy.records import Record, Records
from proxy.store import FILE_IDS, Owned, Store, ids_in
from proxy.tenants import Tenant, Tenants
from proxy.transcript import Answer
from proxy.turn_id import turn_id
from proxy.upstreams import Outgoing, Reply, Upstream
from proxy.wire import Edit, Relay, Request, WireFormat, spans

AUDIT_HEADER = b"x-groundwire-audit"
SWITCH = b"x-groundwire"
SMALL = 1 << 20
"""Bytes of a passed-through body up to which it is read whole, so that a client that leaves is noticed at once."""

WITH_OUR_KEY = ("/models", "/models/*", "/embeddings", "/responses", "/messages", "/messages/count_tokens")
"""What passes where the key that goes up is ours and not the client's: nothing that was stored can be named by it."""


WORDS = frozenset(
    {
        *("cancel", "checkpoints", "compact", "complete", "completions", "content", "count_tokens", "edits", "events"),
        *("batches", "results"),
        *(
            "generations",
            "input_items",
            "jobs",
            "parts",
            "search",
            "speech",
            "transcriptions",
            "translations",
            "variations",
        ),
    }
)
"""Parts of a path that are the API's own; any other part behind the first is an id of something stored."""


@dataclass(frozen=True, slots=True)
class Service:
    """What every exchange shares. `max_body` is in bytes, `keepalive` in seconds; `new_id` makes audit ids.

    `keyed` names the upstreams to which a key of ours goes up.
    """

    tenants: Tenants
    upstreams: Mapping[str, Upstream]
    looks: Looks
    keyed: frozenset[str]
    max_body: int
    keepalive: float
    new_id: Callable[[], str]
    records: Records
    owned: Owned
    store: Store
    clock: Callable[[], float]


async def complete(inbound: Inbound, service: Service, wire: WireFormat) -> None:
    """An audited request. Raises RequestError and UpstreamError as long as no byte of the answer has left."""
    tenant = service.tenants.resolve(inbound.headers)
    body = await inbound.body(service.max_body)
    request = wire.read(body)
    body = history.clean(body, request, wire, tenant.seals)
    name, model = tenant.upstream_of(request.model)
    if model != request.model:
        body = _renamed(body, request, wire, model)
    if name in service.keyed and (b"file_id" in body or b"\\u00" in body):  # that key may be spelled in escapes
        _permit_ids(tenant, ids_in(request.document, FILE_IDS), service.owned)
    off = tenant.policy.allow_off and inbound.header(SWITCH).strip().lower() == b"off"
    outgoing = Outgoing(
        inbound.method, inbound.path, inbound.headers, body, inbound.query, model, request.stream, off, request.document
    )
    async with inbound.watched():
        turn = None
        if tenant.policy.injects and not off:  # the only wait before the request goes up, at most the deadline
            turn = ledger.read_turn(request.transcript, tenant.policy.marks, service.clock())
            outgoing = await _injected(outgoing, request, wire, tenant, turn, service)
        opening = asyncio.ensure_future(service.upstreams[name].open(outgoing))
        try:
            await asyncio.sleep(0)  # the request is on its way; the turn is folded while the model begins to think
            turn = turn or ledger.read_turn(request.transcript, tenant.policy.marks, service.clock())
            with service.looks.early(tenant.scope, turn, [] if off else _told(tenant, turn)) as early:
                reply = await opening
                exchange = Exchange(inbound, service, wire, tenant, request, turn, body, service.new_id(), early)
                try:
                    if off or reply.status != 200 or reply.opaque:
                        await _forward(inbound, reply)
                    else:
                        await (exchange.stream(reply) if _is_stream(reply) else exchange.whole(reply))
                finally:
                    await reply.aclose()
        except BaseException:
            opening.add_done_callback(_abandon)
            opening.cancel()
            raise


async def _injected(
    outgoing: Outgoing, request: Request, wire: WireFormat, tenant: Tenant, turn: Turn, service: Service
) -> Outgoing:
    """The request with audits attached to its producers' results, for the model to read."""
    assert isinstance(outgoing.body, bytes)
    body = await attach(outgoing.body, request, wire, tenant.policy, turn, tenant.scope, service.looks, service.store)
    return outgoing if body is outgoing.body else replace(outgoing, body=body, document=None)


def _told(tenant: Tenant, turn: Turn) -> list[Check]:
    """The checks of what new tool results claim, if any rule has a source to look at while the model writes."""
    return [check for call in turn.fresh for check in tenant.policy.told(call)] if tenant.policy.looks else []


def _renamed(body: bytes, request: Request, wire: WireFormat, model: str) -> bytes:
    """The body with the upstream's own name for the model in place of the client's."""
    try:
        body = wire.edit(body, [Edit(("model",), 0, len(request.model), model)])
    except ValueError as error:
        message = f"The model's name cannot be replaced in this body: {error}."
        raise RequestError(400, message, param="model", code="invalid_json") from None
    request.document["model"] = model
    return body


def _abandon(opening: asyncio.Future[Reply]) -> None:
    """Close a reply that came in just when nobody waited for it any more."""
    if not opening.cancelled() and opening.exception() is None:
        closing = asyncio.ensure_future(opening.result().aclose())
        closing.add_done_callback(lambda _: None)


@dataclass(slots=True)
class Exchange:
    """An audited answer on its way back."""

    inbound: Inbound
    service: Service
    wire: WireFormat
    tenant: Tenant
    request: Request
    turn: Turn
    body: bytes
    id: str
    early: Early
    told: bytes | None = None
    """The report as JSON, made once: it travels with the footer and is kept."""

    async def stream(self, reply: Reply) -> None:
        """Text at once; the finish is held until the audit has spoken; then the rest as it comes."""
        inbound, relay = self.inbound, self.wire.relay(self.request, True)
        await inbound.start(reply.status, self._headers(reply))
        pieces = reply.body
        try:
            async for data in pieces:
                if out := relay.feed(data):
                    await inbound.write(out)
                if relay.ended:
                    break
            else:
                if out := relay.eof():
                    await inbound.write(out)
            held = any(relay.appendable(answer.index) for answer in relay.answers)
            report, append = await self._held(relay) if held else (None, {})
            if out := relay.close(append, self._in_band(report, append)) if held else b"":
                await inbound.write(out)
            await self._rest(pieces, relay)
        except UpstreamError:
            if out := relay.eof() + relay.close({}):  # what came before the break; nothing is appended to it
                await inbound.write(out)
            return  # without an end of the body: an upstream that breaks off must look broken to the client
        await inbound.finish()
        self._record(report or (await self._audit(relay))[0])

    async def _rest(self, pieces: object, relay: Relay) -> None:
        """What the upstream still sends; held bytes that nothing is appended to leave first."""
        async for data in pieces:  # type: ignore[attr-defined]
            if out := relay.feed(data):
                await self.inbound.write(out)
        if out := relay.eof() + relay.close({}):
            await self.inbound.write(out)

    async def _held(self, relay: Relay) -> tuple[Report | None, dict[int, str]]:
        """Audit, while the client that waits for the end hears an empty delta now and then."""
        if self.tenant.policy.deadline + audit.GRACE < self.service.keepalive:
            return await self._audit(relay)
        task = asyncio.ensure_future(self._audit(relay))
        try:
            while not task.done():
                await asyncio.wait([task], timeout=self.service.keepalive)
                if not task.done():
                    await self.inbound.write(relay.keepalive())
            return task.result()
        finally:
            task.cancel()

    async def whole(self, reply: Reply) -> None:
        """A plain JSON answer: all of it is the end."""
        relay = self.wire.relay(self.request, False)
        async for data in reply.body:
            relay.feed(data)
        relay.eof()
        report, append = await self._audit(relay)
        body = relay.close(append, self._in_band(report, append))
        await self.inbound.whole(reply.status, self._headers(reply), body)
        self._record(report)

    def _in_band(self, report: Report | None, append: Mapping[int, str]) -> bytes | None:
        """The report that travels with a footer; without a footer not a byte differs."""
        if report is not None and append:
            self.told = spans.dump(report.to_json())
        return self.told

    def _record(self, report: Report | None) -> None:
        """Keep the report; after the last byte has left. A tool turn has none."""
        if report is None:
            return
        text = (self.told or spans.dump(report.to_json())).decode()
        scope = self.tenant.scope
        turn = turn_id(scope, self.body)
        self.service.records.add(
            Record(self.id, scope, turn, self.service.clock(), self.request.model, report.flagged, text)
        )

    def _headers(self, reply: Reply) -> Headers:
        kept = [(name, value) for name, value in reply.headers if name != b"content-length"]
        return [*kept, (AUDIT_HEADER, self.id.encode())]

    async def _audit(self, relay: Relay) -> tuple[Report | None, dict[int, str]]:
        """Audit every final answer of the reply, None where it has none; what is to be appended, by choice."""
        policy = self.tenant.policy
        reports: list[Report] = []
        append: dict[int, str] = {}
        for answer in relay.answers:
            if answer.calls or answer.paused:
                self.early.drop()
                continue  # a tool turn: the answer is still to come
            turn = self._turn_of(answer)
            look = self.service.looks.of(self.tenant.scope, turn, policy.deadline)
            report = await examine(
                *(policy, self.request.transcript, turn, answer, look),
                audit_id=self.id,
                incomplete=relay.incomplete,
            )
            reports.append(report)
            said = words(policy, answer, report) if relay.appendable(answer.index) else ""
            if said:
                append[answer.index] = self.tenant.seals.seal(self.id, answer.text, said)
        return _joined(self.id, reports, relay.incomplete) if reports else None, append

    def _turn_of(self, answer: Answer) -> Turn:
        """The turn, with what the provider's own tools did inside the answer."""
        if answer.hosted is None:
            return self.turn
        return ledger.read_turn(self.request.transcript.then(answer.hosted), self.tenant.policy.marks, self.turn.at)


def _joined(identifier: str, reports: Sequence[Report], incomplete: str) -> Report:
    """One report over all choices of a reply."""
    if len(reports) == 1:
        return reports[0]
    findings = tuple(finding for report in reports for finding in report.findings)
    failures = tuple(failure for report in reports for failure in report.failures)
    return replace(Report(identifier), findings=findings, failures=failures, incomplete=incomplete)


async def audit_of(inbound: Inbound, service: Service) -> None:
    """`GET /v1/audits/{id}`: one report, for the tenant whose it is."""
    tenant = service.tenants.resolve(inbound.headers)
    found = await service.records.find(tenant.scope, inbound.path.rpartition("/")[2])
    if found is None:
        raise RequestError(404, "There is no such audit of yours.", code="audit_not_found")
    await inbound.whole(200, [(b"content-type", b"application/json")], found.encode())


def _is_stream(reply: Reply) -> bool:
    kind = next((value for name, value in reply.headers if name == b"content-type"), b"")
    return kind.lower().startswith(b"text/event-stream")


async def pass_through(inbound: Inbound, service: Service) -> None:
    """Any other request under `/v1/`: the same bytes up, the same bytes down."""
    tenant = service.tenants.resolve(inbound.headers)
    kind = inbound.header(b"content-type").lower()
    unsized = inbound.length is None and inbound.header(b"transfer-encoding") != b""
    small = b"json" in kind or (not unsized and (inbound.length or 0) <= SMALL)
    body = await inbound.body(service.max_body) if small else b""
    document = _document(body)
    model = document.get("model")
    name, model = tenant.upstream_of(model if isinstance(model, str) else "")
    keyed = name in service.keyed
    if keyed:
        if not small and not kind.startswith(b"multipart/"):
            raise RequestError(415, "A body of this size must be JSON or multipart.", code="unsupported_media_type")
        _permit(tenant, inbound, document, service.owned)
    outgoing = Outgoing(
        inbound.method,
        inbound.path,
        inbound.headers,
        body if small else inbound.pieces(),
        inbound.query,
        model,
        raw=True,
        length=None if small else inbound.length,
    )
    async with inbound.watched():
        reply = await service.upstreams[name].open(outgoing)
        try:
            head = await _forward(inbound, reply)
            if keyed and inbound.method == "POST" and reply.status < 300:
                service.owned.note(tenant.scope, head)
        finally:
            await reply.aclose()


def _document(body: bytes) -> dict[str, Any]:
    """A small JSON body, so that its model finds its upstream; empty where it is none."""
    if not body.lstrip().startswith(b"{"):
        return {}
    try:
        document = spans.parse(body)
    except ValueError:
        return {}
    return document if isinstance(document, dict) else {}


def _permit(tenant: Tenant, inbound: Inbound, document: Mapping[str, Any], owned: Owned) -> None:
    """Raise RequestError unless a request may go up with a key that is not the client's own.

    Behind one key stands everybody's data: no list is given out, and no stored id but those made for this tenant.
    """
    path = inbound.path
    allowed = (*WITH_OUR_KEY, *("/" + glob.strip("/") for glob in tenant.policy.passthrough))
    if ".." in path or "%" in path or not any(fnmatchcase(path, glob) for glob in allowed):
        raise RequestError(404, f"{path} is not open to this tenant.", code="not_found")
    parts = path.strip("/").split("/")
    if parts[0] == "models":
        return
    stored = [part for part in parts[1:] if part not in WORDS]
    if inbound.method == "GET" and not stored:
        raise RequestError(404, f"{path} lists what others stored too.", code="not_found")
    _permit_ids(tenant, (*stored, *ids_in(document)), owned)


def _permit_ids(tenant: Tenant, identifiers: Iterable[str], owned: Owned) -> None:
    """Raise RequestError where one of the ids is not known to be of something that the tenant itself stored."""
    for identifier in identifiers:
        if not owned.has(tenant.scope, identifier):
            raise RequestError(404, f"There is no {identifier!r} of this tenant.", code="not_found")


async def _forward(inbound: Inbound, reply: Reply) -> bytes:
    """A reply as it came: status, headers, and every byte of the body; returns its first bytes, which are kept."""
    head = b""
    await inbound.start(reply.status, reply.headers)
    try:
        async for data in reply.body:
            head = head or data[:SMALL]
            await inbound.write(data)
    except UpstreamError:
        return head  # without an end of the body, as the upstream left it
    await inbound.finish()
    return head
