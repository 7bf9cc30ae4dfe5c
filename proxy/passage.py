"""Requests that nobody audits: the same bytes up and down, and with a key of ours only what is a tenant's own."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from fnmatch import fnmatchcase
from functools import partial
from typing import Any

from proxy.errors import RequestError, StoreError, UpstreamError
from proxy.form import Fields, boundary_of
from proxy.inbound import Headers, Inbound
from proxy.service import Service
from proxy.store import Owned, ids_in, names_ids
from proxy.tenants import Tenant
from proxy.upstreams import Outgoing, Reply
from proxy.wire import Request, WireFormat, spans

SMALL = 1 << 20
"""Bytes of a passed-through body up to which it is read whole, so that a client that leaves is noticed at once."""

LONGEST = 512
"""Bytes that an id may have with its key, in two pieces of an answer."""

NAMING = (b"_id", b"conversation", b"container", b"audio", b"\\u00")
"""What a body has that may name an id: part of a key for them (`store.names_ids`), or a key spelled in escapes."""

FOLLOWING = (b"\\u00", b'"previous_response_id"', b'"conversation"', b'"item_reference"')
"""What a body of an audited request has that goes on from what is stored, or spells a key in escapes."""

WITH_OUR_KEY = (("GET", "/models"), ("GET", "/models/*"), ("POST", "/embeddings"), ("POST", "/messages/count_tokens"))
"""What passes where the key that goes up is ours and not the client's, by method and path: nothing that others stored can
be read or changed by it. `DELETE /models/{model}` takes a model from everybody.
"""

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


async def pass_through(inbound: Inbound, service: Service) -> None:
    """Any other request under `/v1/`: the same bytes up, the same bytes down."""
    tenant = service.tenants.resolve(inbound.headers)
    kind = inbound.header(b"content-type").lower()
    unsized = inbound.length is None and inbound.header(b"transfer-encoding") != b""
    small = b"json" in kind or (not unsized and (inbound.length or 0) <= SMALL)
    body = await inbound.body(service.max_body) if small else b""
    document = _document(body)
    model = (document or {}).get("model")
    name, model = tenant.upstream_of(model if isinstance(model, str) else "")
    keyed = name in service.keyed
    pieces = inbound.pieces()
    refused: list[RequestError] = []
    if keyed:
        if inbound.header(b"content-encoding").strip().lower() not in (b"", b"identity"):
            raise RequestError(415, "A body must not be compressed here.", code="unsupported_media_type")
        form = _form(inbound, kind) if document is None or not small else None
        if document and any(part in body for part in NAMING):
            once_each(body)
        await _permit(tenant, inbound, document or {}, service.owned)
        if form is not None and small:
            await permit_ids(tenant, _fields(form, body), service.owned)
        elif form is not None:
            pieces = _permitted(pieces, form, tenant, service.owned, refused)
    making = keyed and inbound.method == "POST"
    outgoing = Outgoing(
        inbound.method,
        inbound.path,
        unpacked(inbound.headers) if making else inbound.headers,
        body if small else pieces,
        inbound.query,
        model,
        raw=True,
        length=None if small else inbound.length,
    )
    async with inbound.watched():
        try:
            reply = await service.upstreams[name].open(outgoing)
        except UpstreamError:
            if refused:
                raise refused[0] from None
            raise
        try:
            note = partial(service.owned.note, tenant.scope) if making and reply.status < 300 else None
            await forward(inbound, reply, note)
        finally:
            await reply.aclose()


def _form(inbound: Inbound, kind: bytes) -> Fields:
    """What reads the fields of a body that is no JSON. Raises RequestError where it is no form either.

    Behind our key, what cannot be read here may name there what is somebody else's.
    """
    if not kind.startswith(b"multipart/"):
        raise RequestError(415, "A body must be a JSON object or multipart here.", code="unsupported_media_type")
    try:
        return Fields(boundary_of(inbound.header(b"content-type")), names_ids)
    except ValueError as error:
        raise _unread(error) from None


def _fields(form: Fields, body: bytes) -> list[str]:
    """The ids that a part of a multipart body names. Raises RequestError where it cannot be read."""
    try:
        return form.feed(body)
    except ValueError as error:
        raise _unread(error) from None


def _unread(error: ValueError) -> RequestError:
    return RequestError(400, f"The body cannot be read: {error}.", code="invalid_body")


async def _permitted(
    pieces: AsyncIterator[bytes], form: Fields, tenant: Tenant, owned: Owned, refused: list[RequestError]
) -> AsyncIterator[bytes]:
    """A large body as it comes, up to a field that names what is not the tenant's: there it ends, and `refused` says why."""
    async for data in pieces:
        try:
            await permit_ids(tenant, _fields(form, data), owned)
        except RequestError as error:
            refused.append(error)
            raise
        yield data


def unpacked(headers: Headers) -> Headers:
    """A request's headers, asking for an answer whose bytes can be read: it may name what it has made."""
    return [*(one for one in headers if one[0].lower() != b"accept-encoding"), (b"accept-encoding", b"identity")]


def _document(body: bytes) -> dict[str, Any] | None:
    """A JSON body, so that its model finds its upstream, and its ids their maker; None where it is no object."""
    if not body.strip():
        return {}
    try:
        document = spans.parse(body)
    except ValueError:
        return None
    return document if isinstance(document, dict) else None


async def _permit(tenant: Tenant, inbound: Inbound, document: Mapping[str, Any], owned: Owned) -> None:
    """Raise RequestError unless a request may go up with a key that is not the client's own.

    Behind one key stands everybody's data: no list is given out, and no stored id but those made for this tenant.
    """
    method, path = inbound.method, inbound.path
    plain = ".." not in path and "%" not in path
    if plain and any(method == allowed and fnmatchcase(path, glob) for allowed, glob in WITH_OUR_KEY):
        await permit_ids(tenant, ids_in(document), owned)
        return
    if not plain or not any(fnmatchcase(path, "/" + glob.strip("/")) for glob in tenant.policy.passthrough):
        raise RequestError(404, f"{method} {path} is not open to this tenant.", code="not_found")
    stored = [part for part in path.strip("/").split("/")[1:] if part not in WORDS]
    if method == "GET" and not stored:
        raise RequestError(404, f"{path} lists what others stored too.", code="not_found")
    await permit_ids(tenant, (*stored, *ids_in(document)), owned)


def once_each(body: bytes) -> None:
    """Raise RequestError where a key stands twice in an object of a JSON body: readers differ in which one counts."""

    def pairs(own: list[tuple[str, Any]]) -> None:
        seen: set[str] = set()
        for key, _ in own:
            if key in seen:
                raise RequestError(400, f"{key!r} stands twice in one object.", code="invalid_body")
            seen.add(key)

    text = body.decode("utf-8-sig", "surrogatepass")
    try:  # of a number its length is enough: Python refuses an int of over 4300 digits
        json.loads(text, object_pairs_hook=pairs, strict=False, parse_int=len)
    except RecursionError:
        raise RequestError(400, "The body nests too deep for its ids to be read.", code="invalid_body") from None


async def permit_ids(tenant: Tenant, identifiers: Iterable[str], owned: Owned) -> None:
    """Raise RequestError where one of the ids is not known to be of something that the tenant itself stored."""
    try:
        strange = await owned.strange(tenant.scope, identifiers)
    except StoreError as error:
        message = f"It cannot be told whose the ids of this request are: {error}."
        raise RequestError(503, message, kind="server_error", code="store_unavailable") from None
    if strange:
        raise RequestError(404, f"There is no {strange[0]!r} of this tenant.", code="not_found")


async def permit_named(tenant: Tenant, body: bytes, request: Request, wire: WireFormat, owned: Owned) -> None:
    """Raise RequestError where an audited request names what is not known to be the tenant's own."""
    named = list(request.refers)
    if any(part in body for part in (*FOLLOWING, *map(str.encode, wire.STORED))):
        once_each(body)
        named += ids_in(request.document, wire.STORED)
    await permit_ids(tenant, named, owned)


async def forward(inbound: Inbound, reply: Reply, note: Callable[[bytes], Awaitable[bool]] | None = None) -> None:
    """A reply as it came: status, headers, and every byte of the body.

    `note` hears its first bytes before the client has them, who may name at once what they say was made. It hears the next
    piece too, behind the end of those before, until it has found an id. Raises UpstreamError where the upstream breaks off;
    then the body has no end here either.
    """
    await inbound.start(reply.status, reply.headers)
    heard, last = 0, b""
    async for data in reply.body:
        if note is not None and data:
            last = last[-LONGEST:] + data
            heard += len(data)
            note = None if await note(last[:SMALL]) or heard >= SMALL else note
        await inbound.write(data)
    await inbound.finish()


async def audit_of(inbound: Inbound, service: Service) -> None:
    """`GET /v1/audits/{id}`: one report, for the tenant whose it is."""
    tenant = service.tenants.resolve(inbound.headers)
    found = await service.records.find(tenant.scope, inbound.path.rpartition("/")[2])
    if found is None:
        raise RequestError(404, "There is no such audit of yours.", code="audit_not_found")
    await inbound.whole(200, [(b"content-type", b"application/json")], found.encode())
