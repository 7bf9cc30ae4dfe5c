"""One request from first byte to last, in reading order: read it, send it up, relay the answer, audit it, close it."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple, TypeVar

from proxy import attempts, auditing, history, ledger
from proxy.answers import examine, joined, words
from proxy.attempts import Asking, Settled, Try, leave, pieces_of, settle
from proxy.audit import Report, Unaudited
from proxy.errors import RequestError, UpstreamError
from proxy.inbound import Headers, Inbound
from proxy.inject import attach
from proxy.ledger import Turn
from proxy.looks import Early
from proxy.passage import forward, permit_named, unpacked
from proxy.recall import keep, recall
from proxy.records import Record
from proxy.service import Service
from proxy.tenants import Tenant
from proxy.transcript import Answer, Message
from proxy.turn_id import turn_id
from proxy.upstreams import Outgoing, Reply, peeked, streams
from proxy.wire import Relay, Request, WireFormat, spans
from proxy.wire.body import rename_model
from proxy.wire.buffered import Buffered

log = logging.getLogger("groundwire")

T = TypeVar("T")
U = TypeVar("U")
Ask = Callable[[Sequence[Message]], Awaitable[Reply]]

AUDIT_HEADER, SWITCH = b"x-groundwire-audit", b"x-groundwire"


async def complete(inbound: Inbound, service: Service, wire: WireFormat) -> None:
    """An audited request. Raises RequestError and UpstreamError, for an answer too that has begun and breaks off."""
    tenant = service.tenants.resolve(inbound.headers)
    body = await inbound.body(service.max_body)
    request = wire.read(body)
    body = history.clean(body, request, wire, tenant.seals)
    name, model = tenant.upstream_of(request.model)
    if model != request.model:
        body = rename_model(body, request, wire, model)
    if name in service.keyed:
        await permit_named(tenant, body, request, wire, service.owned)
    off = request.detached or (tenant.policy.allow_off and inbound.header(SWITCH).strip().lower() == b"off")
    headers = unpacked(inbound.headers) if off and request.lasting and name in service.keyed else inbound.headers
    outgoing = Outgoing(
        inbound.method, inbound.path, headers, body, inbound.query, model, request.stream, off, request.document
    )
    async with inbound.watched():
        turn: Turn | str = ""  # not read yet
        if tenant.policy.injects and not off:  # the only wait before the request goes up, at most the deadline
            turn = await _spared(_turn(request, wire, tenant, service), str)
            outgoing = await _injected(outgoing, request, wire, tenant, turn, service)
        tries: tuple[Try, ...] | None = ()
        if tenant.policy.retries and not off:
            turn = turn or await _spared(_turn(request, wire, tenant, service), str)
            outgoing, tries = await _reattached(outgoing, request, wire, tenant, turn, service)
        upstream = service.upstreams[name]
        opening = asyncio.ensure_future(upstream.open(outgoing))
        try:
            await asyncio.sleep(0)  # the request is on its way; the turn is folded while the model begins to think
            turn = turn or ("" if off else await _spared(_turn(request, wire, tenant, service), str))
            with await _spared(_early(turn, tenant, service), lambda _: Early(set())) as early:
                reply = await peeked(await opening, request.stream and not off)
                exchange = Exchange(inbound, service, wire, tenant, request, turn, body, service.new_id(), early)
                try:
                    if off or reply.status != 200 or reply.opaque:
                        if 200 <= reply.status < 300:
                            service.answers.passed("off") if off else exchange.unreadable()
                        made = request.lasting and reply.status == 200
                        await forward(inbound, reply, partial(service.owned.note, tenant.scope) if made else None)
                    elif tenant.policy.buffers and _replaceable(request):
                        await exchange.buffered(reply, tries, lambda more: upstream.open(_with(outgoing, wire, more)))
                    else:
                        await (exchange.stream(reply) if streams(reply) else exchange.whole(reply))
                finally:
                    await reply.aclose()
        except BaseException:
            opening.add_done_callback(_abandon)
            opening.cancel()
            raise


def _replaceable(request: Request) -> bool:
    """Whether another answer, or a report, may take the place of the first."""
    return request.choices == 1 and not request.undecorated


async def _spared(work: Awaitable[T], without: Callable[[str], U]) -> T | U:
    """What a part of the verifier comes to; where it fails, what there is `without` it, made of the failure in words.

    Here alone its bugs are caught: to the proxy the verifier is a plug-in, which must never cost the answer.
    """
    try:
        return await work
    except (RequestError, UpstreamError):
        raise
    except Exception as error:
        log.exception("the verifier failed: %s", type(error).__name__)
        return without(f"the verifier failed: {type(error).__name__}")


async def _turn(request: Request, wire: WireFormat, tenant: Tenant, service: Service) -> Turn:
    """The last turn, with what the request refers to and does not carry."""
    await recall(request, wire, tenant.scope, service.store)
    return ledger.read_turn(request.transcript, tenant.policy.marks, service.clock())


async def _injected(
    outgoing: Outgoing, request: Request, wire: WireFormat, tenant: Tenant, turn: Turn | str, service: Service
) -> Outgoing:
    """The request with audits attached to its producers' results, for the model to read."""
    if isinstance(turn, str):
        return outgoing
    before = outgoing.body
    assert isinstance(before, bytes)
    attached = attach(before, request, wire, tenant.policy, turn, tenant.scope, service.looks, service.store)
    body = await _spared(attached, lambda _: before)
    return outgoing if body is before else replace(outgoing, body=body, document=None)


async def _reattached(
    outgoing: Outgoing, request: Request, wire: WireFormat, tenant: Tenant, turn: Turn | str, service: Service
) -> tuple[Outgoing, tuple[Try, ...] | None]:
    """The request with the drafts that the model was asked to do again, before what it then did.

    Where the turn cannot be read, nobody knows the tries.
    """
    if isinstance(turn, str):
        return outgoing, None
    assert isinstance(outgoing.body, bytes)
    body, tries = await attempts.attach(outgoing.body, request, wire, turn, tenant.scope, service.store)
    return (outgoing if body is outgoing.body else replace(outgoing, body=body, document=None)), tries


def _with(outgoing: Outgoing, wire: WireFormat, messages: Sequence[Message]) -> Outgoing:
    """The same request with more messages at its end. Raises ValueError where they cannot be added."""
    assert isinstance(outgoing.body, bytes)
    return replace(outgoing, body=wire.extend(outgoing.body, messages), document=None)


async def _early(turn: Turn | str, tenant: Tenant, service: Service) -> Early:
    """Looks at what new tool results claim, if any rule has a source for them; they run while the model writes."""
    if isinstance(turn, str) or not tenant.policy.looks:
        return Early(set())
    told = [check for call in turn.fresh for check in tenant.policy.told(call)]
    return service.looks.early(tenant.scope, turn, told)


def _abandon(opening: asyncio.Future[Reply]) -> None:
    """Close a reply that came in just when nobody waited for it any more."""
    if not opening.cancelled() and opening.exception() is None:
        closing = asyncio.ensure_future(opening.result().aclose())
        closing.add_done_callback(lambda _: None)


class Audited(NamedTuple):
    """What an audit came to: what is to be appended, by choice, and `told`, the report that travels with it, if anything is."""

    report: Report | None
    append: Mapping[int, str]
    told: bytes | None = None


@dataclass(slots=True)
class Exchange:
    """An audited answer on its way back; `held` is for how many seconds its end was."""

    inbound: Inbound
    service: Service
    wire: WireFormat
    tenant: Tenant
    request: Request
    turn: Turn | str
    body: bytes
    id: str
    early: Early
    held: float = 0.0

    async def stream(self, reply: Reply) -> None:
        """Text at once; the finish is held until the audit has spoken, if it may; then the rest as it comes."""
        inbound, relay = self.inbound, self.wire.relay(self.request, True)
        await inbound.start(reply.status, self._headers(reply))
        pieces, audited, told = reply.body, Audited(None, {}), False
        try:
            async for data in pieces:
                out = relay.feed(data)
                if relay.ended:
                    await self._keep(relay)  # before the client knows that it may go on from it
                if out:
                    await inbound.write(out)
                if relay.ended:
                    break
            else:
                out = relay.eof()
                await self._keep(relay)
                if out:
                    await inbound.write(out)
            held = any(relay.appendable(answer.index) for answer in relay.answers)
            audited = await self._held(relay) if held and self.tenant.policy.speaks else audited
            if out := relay.close(audited.append, audited.told) if held else b"":
                await inbound.write(out)
            told = True  # clients leave when they have read the end, and do not wait for that of the body
            async for data in pieces:
                if out := relay.feed(data):
                    await inbound.write(out)
            await inbound.finish(relay.eof() + relay.close({}))
        except UpstreamError:  # without an end of the body: an upstream that breaks off must look broken to the client
            if out := relay.eof() + relay.close({}):  # what came before the break; nothing is appended to it
                await inbound.write(out)
            told = audited.report is not None or (told and relay.done and not relay.broken)
            if not told:
                self.service.answers.passed("broken")
            raise
        finally:
            if told:
                self._record(audited.report or (await self._audit(relay)).report)

    async def _held(self, relay: Relay) -> Audited:
        """Audit, while the client that waits for the end hears an empty delta now and then."""
        if self.tenant.policy.deadline + auditing.GRACE < self.service.keepalive:
            return await self._timed(self._audit(relay))
        return await self._timed(self._alive(self._audit(relay), relay.keepalive))

    async def _timed(self, work: Awaitable[T]) -> T:
        """Do what the end of the answer is held for."""
        begun = time.monotonic()
        try:
            return await work
        finally:
            self.held += time.monotonic() - begun

    async def _alive(self, work: Coroutine[Any, Any, T], nothing: Callable[[], bytes]) -> T:
        """Do some work; a client that waits for it gets an event that says nothing, now and then."""
        task = asyncio.ensure_future(work)
        try:
            while not task.done():
                await asyncio.wait([task], timeout=self.service.keepalive)
                if not task.done() and (event := nothing()):
                    await self.inbound.write(event)
            return task.result()
        finally:
            task.cancel()

    async def buffered(self, reply: Reply, tries: tuple[Try, ...] | None, ask: Ask) -> None:
        """An answer that may be asked for again, or withheld: its head at once, the rest when that is decided.

        Where nobody knows how often it was asked for in this turn, it is not asked for again.
        """
        retries, before = (0, ()) if tries is None else (self.tenant.policy.max_retries, tries)
        streamed = streams(reply)
        inner = self.wire.relay(self.request, streamed)
        relay = Buffered(inner) if streamed else inner
        if isinstance(relay, Buffered):
            await self.inbound.start(reply.status, self._headers(reply))
        policy = self.tenant.policy
        asking = Asking(
            *(self.request, self.wire, policy, retries, streamed, self.service.max_body),
            *(self._report, ask, self._words, self._keep),
        )
        pieces, broke = pieces_of(reply, relay), None
        try:
            head = await self._alive(self._fill(relay, pieces), lambda: self._idle(relay))
        except UpstreamError as failure:
            if not isinstance(relay, Buffered):
                raise
            await self.inbound.write(relay.eof())
            head, broke = relay.like, failure
        if head is None:
            await self._unread(relay.close({}), pieces, reply)
            return
        final = broke is not None or relay.broken or not relay.appendable(0) or len(relay.answers) > 1
        work = leave(relay, head, asking) if final else settle(relay, head, before, asking)
        spared = _spared(work, lambda why: Settled(relay.close({}), self._unaudited(why)))
        settled = await self._timed(self._alive(spared, lambda: self._idle(relay)))
        if broke is not None:  # without an end of the body, as in `stream`
            await self.inbound.write(settled.data)
            self.service.answers.passed("broken")
            raise broke
        if settled.calls:
            await attempts.keep(settled, before, self.request, self.tenant.scope, self.service.store)
        if isinstance(relay, Buffered):
            await self.inbound.finish(settled.data)
        else:
            await self.inbound.whole(reply.status, self._headers(reply), settled.data)
        self._record(settled.report, settled.told())

    async def _fill(self, relay: Relay, pieces: AsyncIterator[bytes]) -> bytes | None:
        """Read an answer to its end; what belongs to no answer alone passes. What others are to be like: all of a plain one.

        None where it is more than may be held.
        """
        kept: list[bytes] = []
        held = 0
        async for data in pieces:
            out = relay.feed(data)
            held += len(data) - len(out)
            if not isinstance(relay, Buffered):
                kept.append(data)
            elif out:
                await self.inbound.write(out)
            if held > self.service.max_body:
                return None
        if (out := relay.eof()) and isinstance(relay, Buffered):
            await self.inbound.write(out)
        await self._keep(relay)
        return relay.like if isinstance(relay, Buffered) else b"".join(kept)

    def _idle(self, relay: Relay) -> bytes:
        return self.wire.idle(relay.head) if isinstance(relay, Buffered) and not relay.calling else b""

    async def _report(self, relay: Relay) -> Report | None:
        return (await self._audit(relay)).report

    def _words(self, relay: Relay, report: Report, note: str) -> dict[int, str]:
        """What stands under a final answer that does not hold, with a note of how often it was asked for."""
        (answer,) = relay.answers
        said = words(self.tenant.policy, answer, report)
        said = f"{said}\n\n{note}" if said and note else said
        return {0: self.tenant.seals.seal(self.id, answer.text, said)} if said and relay.appendable(0) else {}

    async def whole(self, reply: Reply) -> None:
        """A plain JSON answer: all of it is the end. What is larger than a request may be is nobody's to hold, or to audit."""
        relay, size, pieces = self.wire.relay(self.request, False), 0, aiter(reply.body)
        async for data in pieces:
            relay.feed(data)
            size += len(data)
            if size > self.service.max_body:
                await self._unread(relay.close({}), pieces, reply)
                return
        relay.eof()
        await self._keep(relay)
        speaks = self.tenant.policy.speaks
        audited = await self._timed(self._audit(relay)) if speaks else Audited(None, {})
        body = relay.close(audited.append, audited.told)
        await self.inbound.whole(reply.status, self._headers(reply), body)
        self._record(audited.report if speaks else (await self._audit(relay)).report)

    async def _unread(self, front: bytes, rest: AsyncIterator[bytes], reply: Reply) -> None:
        """An answer that is too large to be audited, as it comes."""
        report = self._unaudited(f"the answer is over the limit of {self.service.max_body} bytes", "too_large")
        if self.request.lasting:
            await self.service.owned.note(self.tenant.scope, front)
        if not self.inbound.started:
            await self.inbound.start(reply.status, self._headers(reply))
        try:
            await self.inbound.write(front)
            async for data in rest:
                await self.inbound.write(data)
        except UpstreamError:
            self.service.answers.passed("broken")
            raise  # without an end of the body, as in `stream`
        await self.inbound.finish()
        self._record(report)

    async def _keep(self, relay: Relay) -> None:
        """Keep the answer for requests that will name it by its id, where the format has such, or what was made for it."""
        scope, lasting = self.tenant.scope, self.request.lasting
        for answer in relay.answers:
            if named := [one for one in (*answer.made, *((answer.id, *answer.items) if lasting else ())) if one]:
                kept = [keep(self.request, answer, scope, self.service.store)] if lasting else []
                await asyncio.gather(self.service.owned.add(scope, named), *kept)

    def _record(self, report: Report | None, more: Mapping[str, Any] | None = None) -> None:
        """Keep the report, and what more there is to it; after the last byte has left. A tool turn has none."""
        if report is None:
            return
        self.service.answers.count(report, self.held)
        text = spans.dump({**report.to_json(), **(more or {})}).decode()
        scope, at = self.tenant.scope, self.service.clock()
        turn = turn_id(scope, self.body)
        self.service.records.add(Record(self.id, scope, turn, at, self.request.model, report.flagged, text))

    def _headers(self, reply: Reply) -> Headers:
        kept = [(name, value) for name, value in reply.headers if name not in (b"content-length", AUDIT_HEADER)]
        return [*kept, (AUDIT_HEADER, self.id.encode())]

    def unreadable(self, why: str = "it is in no encoding or shape that can be read here") -> None:
        """Count an answer that leaves unread. Raises as `_unaudited`, which counts one that may not leave so."""
        self._unaudited(why, "unread")
        self.service.answers.passed("unread")

    def _unaudited(self, why: str, reason: Unaudited = "failed") -> Report:
        """The report of an answer that nobody audited. Raises RequestError where its policy lets no such answer leave."""
        report = Report(self.id, (), (), why, reason)
        if self.tenant.policy.withholds and _replaceable(self.request):
            self._record(report)
            message = f"The answer was not checked, and its policy lets none leave unchecked: {why}."
            raise RequestError(500, message, kind="server_error", code="unaudited")
        return report

    async def _audit(self, relay: Relay) -> Audited:
        """Audit every final answer of the reply."""
        return await _spared(self._examined(relay), lambda why: Audited(self._unaudited(why), {}))

    async def _examined(self, relay: Relay) -> Audited:
        append: dict[int, str] = {}
        final = [answer for answer in relay.answers if not (answer.calls or answer.paused)]
        if len(final) < len(relay.answers):
            self.early.drop()  # a tool turn: the answer is still to come
        if final and isinstance(self.turn, str):
            return Audited(self._unaudited(self.turn), {})
        work = [self._one(answer, relay.incomplete) for answer in final]  # at once, within the one deadline
        reports = await asyncio.gather(*work) if len(work) > 1 else [await one for one in work]
        for answer, report in zip(final, reports, strict=True):
            if relay.appendable(answer.index) and (said := words(self.tenant.policy, answer, report)):
                append[answer.index] = self.tenant.seals.seal(self.id, answer.text, said)
        if not relay.answers and relay.incomplete:
            self.unreadable(relay.incomplete)
        whole = joined(self.id, reports, relay.incomplete) if reports else None
        return Audited(whole, append, spans.dump(whole.to_json()) if whole and append else None)

    async def _one(self, answer: Answer, incomplete: str) -> Report:
        """One answer, held against the turn and what the provider's own tools did inside the answer."""
        policy, transcript, turn = self.tenant.policy, self.request.transcript, self.turn
        assert isinstance(turn, Turn)
        if answer.hosted is not None:
            turn = ledger.read_turn(transcript.then(answer.hosted), policy.marks, turn.at)
        look = self.service.looks.of(self.tenant.scope, turn, policy.deadline)
        return await examine(policy, transcript, turn, answer, look, audit_id=self.id, incomplete=incomplete)
