"""A text grounded for its own sake: `POST /v1/ground`, and `groundwire ground FILE`."""

from __future__ import annotations

import asyncio
import hashlib
import json
from contextlib import suppress
from dataclasses import replace
from typing import Any

import msgspec

from proxy import ledger
from proxy.auditors.ground import Ground
from proxy.errors import RequestError, StoreError
from proxy.ground import MOST, TOKENS, Grounded, Intent, Options, ground
from proxy.inbound import Inbound
from proxy.looks import Looks
from proxy.policy import Policy
from proxy.reading import Reading
from proxy.service import Service
from proxy.store import Store
from proxy.transcript import Transcript
from proxy.wire import spans

LONGEST = 200_000
"""Code points of a text."""

TIMEOUT = 120.0
"""Seconds that one text may take; what is not known by then is skipped with the reason."""

DAY, BRIEFLY = 86_400.0, 600.0
"""Seconds that a result is kept, and one without any citation. One in which somebody did not answer is not kept."""

STORED = "ground"


class GroundRequest(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """The body of `POST /v1/ground`. What is left out is as the policy's rule says; `rule` names one of several."""

    text: str
    rule: str = ""
    max_claims: int | None = None
    length_intent: Intent | None = None
    topic: str | None = None
    max_completion_tokens: int | None = None
    concurrency: int | None = None
    rewrite: bool | None = None
    inspect: bool | None = None


async def complete(inbound: Inbound, service: Service) -> None:
    """Answer `POST /v1/ground`. Raises RequestError."""
    tenant = service.tenants.resolve(inbound.headers)
    request = read(await inbound.body(service.max_body))
    async with inbound.watched():
        answer = await run(request, tenant.policy, tenant.scope, service.looks, service.store)
        await inbound.whole(200, [(b"content-type", b"application/json")], spans.dump(answer))


def read(body: bytes) -> GroundRequest:
    """A request's body. Raises RequestError that says what is wrong."""
    try:
        request = msgspec.convert(spans.parse(body), GroundRequest)
    except msgspec.ValidationError as error:
        raise RequestError(400, f"The body is no request to ground a text: {error}.", code="invalid_request") from None
    except ValueError as error:
        raise RequestError(400, f"The request body is not JSON: {error}", code="invalid_json") from None
    if not request.text.strip():
        raise RequestError(400, "`text` is empty.", param="text", code="empty_text")
    if len(request.text) > LONGEST:
        message = f"`text` has {len(request.text)} characters; at most {LONGEST} are grounded at once."
        raise RequestError(413, message, param="text", code="text_too_long")
    return request


async def run(request: GroundRequest, policy: Policy, scope: str, looks: Looks, store: Store) -> dict[str, Any]:
    """Ground a text under a policy's rule, or remember how it was. Raises RequestError, where nobody could be asked too."""
    rule, auditor = _rule(policy, request.rule)
    options = _options(request, auditor.options)
    asked = (options.source, options.model, options.judge)
    digests = [getattr(looks.sources.get(one), "digest", "") for one in asked]
    name = hashlib.sha256(json.dumps([rule, repr(options), digests, request.text]).encode()).hexdigest()
    known = None
    with suppress(StoreError):
        known = await store.get(scope, STORED, name)
    if known is not None:
        return {**json.loads(known), "calls": 0, "hits": 1, "cached": True}
    turn = ledger.read_turn(Transcript([]), policy.marks)
    statements = await asyncio.to_thread(Reading(request.text, policy.lexicon).claims, frozenset({"statement"}))
    made = await ground(request.text, statements, options, looks.of(scope, turn, TIMEOUT))
    _check(made)
    answer = to_json(made, inspect=options.inspect)
    if not (made.failures or made.notes or made.truncated or any(one.partial for one in made.skipped)):
        with suppress(StoreError):
            await store.put(scope, STORED, name, json.dumps(answer).encode(), DAY if made.cited else BRIEFLY)
    return answer


def _rule(policy: Policy, wanted: str) -> tuple[str, Ground]:
    """The rule by which texts are grounded: the one that is named, else the first with that auditor."""
    for rule in policy.rules:
        if isinstance(rule.auditor, Ground) and wanted in ("", rule.name):
            return rule.name, rule.auditor
    named = f"no rule {wanted!r}" if wanted else "no rule"
    message = f"The policy has {named} with the auditor `ground`; see docs/ground.md."
    raise RequestError(404, message, param="rule", code="no_ground_rule")


def _options(request: GroundRequest, options: Options) -> Options:
    """The rule's options with those of the request over them. Raises RequestError."""
    given = {name: value for name in request.__struct_fields__ if (value := getattr(request, name)) is not None}
    del given["text"], given["rule"]
    for key, least, most in (("max_completion_tokens", TOKENS[0], TOKENS[2]), ("concurrency", 1, 32)):
        if not least <= given.get(key, least) <= most:
            message = f"`{key}` must be {least} to {most}, not {given[key]}."
            raise RequestError(400, message, param=key, code="invalid_value")
    given["max_claims"] = max(0, min(given.get("max_claims", options.max_claims), MOST))
    return replace(options, **given)


def _check(made: Grounded) -> None:
    """Raise RequestError where every search failed and nothing was grounded: that is no result to be taken for one."""
    looked = [one for one in made.skipped if one.start >= 0]
    failed = [one for one in looked if one.failed]
    if failed and not made.cited and len(failed) == len(looked):
        message = f"No source could be asked for any of {len(failed)} claims: {failed[0].reason}."
        raise RequestError(502, message, kind="upstream_error", code="search_failed")


def to_json(made: Grounded, *, inspect: bool) -> dict[str, Any]:
    """What became of a text, as it is answered."""
    answer: dict[str, Any] = {
        "object": "grounding",
        "grounded_text": made.grounded_text,
        "considered": made.considered,
        "grounded": len(made.cited),
        "skipped": [{"claim": one.text, "reason": one.reason, "failed": one.failed} for one in made.skipped],
        "citations": [
            {
                "claim": one.claim.text,
                "start": one.claim.start,
                "end": one.claim.end,
                "url": one.url,
                "title": one.title,
                "passage": one.passage,
            }
            for one in made.cited
        ],
        "rewritten": made.rewritten,
        "truncated": made.truncated,
        "notes": made.notes,
        "calls": made.calls,
        "hits": made.hits,
        "failures": made.failures,
        "cached": False,
    }
    if inspect:
        answer["plan"] = [
            {"claim": one.text, "query": one.query, "start": one.start, "end": one.end} for one in made.plan
        ]
    return answer


def of_file(text: str, request: dict[str, Any], policy: Policy, looks: Looks, store: Store) -> dict[str, Any]:
    """The same for a command line. Raises RequestError."""

    async def once() -> dict[str, Any]:
        try:
            return await run(read(json.dumps({**request, "text": text}).encode()), policy, "command line", looks, store)
        finally:
            await looks.aclose()

    return asyncio.run(once())
