"""Requests that nobody audits: the same bytes up and down, and with a key of ours only what is a tenant's own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase
from typing import Any

from proxy.errors import RequestError, UpstreamError
from proxy.inbound import Inbound
from proxy.recall import known
from proxy.service import Service
from proxy.store import Owned, ids_in
from proxy.tenants import Tenant
from proxy.upstreams import Outgoing, Reply
from proxy.wire import Request, WireFormat, spans

SMALL = 1 << 20
"""Bytes of a passed-through body up to which it is read whole, so that a client that leaves is noticed at once."""

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
            head = await forward(inbound, reply)
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
    method, path = inbound.method, inbound.path
    plain = ".." not in path and "%" not in path
    if plain and any(method == allowed and fnmatchcase(path, glob) for allowed, glob in WITH_OUR_KEY):
        permit_ids(tenant, ids_in(document), owned)
        return
    if not plain or not any(fnmatchcase(path, "/" + glob.strip("/")) for glob in tenant.policy.passthrough):
        raise RequestError(404, f"{method} {path} is not open to this tenant.", code="not_found")
    stored = [part for part in path.strip("/").split("/")[1:] if part not in WORDS]
    if method == "GET" and not stored:
        raise RequestError(404, f"{path} lists what others stored too.", code="not_found")
    permit_ids(tenant, (*stored, *ids_in(document)), owned)


def permit_ids(tenant: Tenant, identifiers: Iterable[str], owned: Owned) -> None:
    """Raise RequestError where one of the ids is not known to be of something that the tenant itself stored."""
    for identifier in identifiers:
        if not owned.has(tenant.scope, identifier):
            raise RequestError(404, f"There is no {identifier!r} of this tenant.", code="not_found")


async def permit_named(tenant: Tenant, body: bytes, request: Request, wire: WireFormat, service: Service) -> None:
    """Raise RequestError where an audited request names what is not known to be the tenant's own."""
    for identifier in request.refers:
        if not await known(service.store, tenant.scope, identifier):
            permit_ids(tenant, [identifier], service.owned)
    if b"\\u00" in body or any(key.encode() in body for key in wire.STORED):  # a key may be spelled in escapes
        permit_ids(tenant, ids_in(request.document, wire.STORED), service.owned)


async def forward(inbound: Inbound, reply: Reply) -> bytes:
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
