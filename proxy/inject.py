"""Attach the audit of a tool result to that result, so that the model reads both, and again in every later request."""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from proxy import auditing
from proxy.audit import Check, Finding, Report
from proxy.errors import StoreError
from proxy.ledger import Call, Turn
from proxy.looks import Looks
from proxy.policy import Policy
from proxy.redaction import redact
from proxy.results import Result
from proxy.store import Store
from proxy.transcript import ToolCall
from proxy.wire import Edit, Request, Told, WireFormat, spans

log = logging.getLogger("groundwire")

KIND = "inject"
KEPT = 7 * 86_400.0
"""Seconds that an attachment is kept: as long as a conversation may rest before it goes on."""
SHOWN = 10
"""Findings that one attachment names."""


class Produced(NamedTuple):
    """A producer's result in the request: its call, where its text stands, and the key of what is attached to it."""

    call: ToolCall
    told: Told
    key: str


async def attach(
    body: bytes, request: Request, wire: WireFormat, policy: Policy, turn: Turn, scope: str, looks: Looks, store: Store
) -> bytes:
    """The body with an audit attached to each producer's result; every other byte as it was.

    The client never sees an attachment, so the same bytes are attached again whenever the result comes back: the
    provider's prompt cache would break otherwise. What once went up without one stays without. New results are audited
    at most as long as the policy's deadline. A store that is down, or a body that cannot be edited, attaches nothing.
    """
    produced = list(_produced(request, wire, policy))
    if not produced:
        return body
    fresh = {call.id: call for call in turn.fresh}
    try:
        known = await store.get_many(scope, KIND, [one.key for one in produced])
        texts = await asyncio.gather(
            *(
                _text(one, kept, fresh.get(one.call.id), policy, turn, scope, looks, store)
                for one, kept in zip(produced, known, strict=True)
            )
        )
        edits = [edit for one, text in zip(produced, texts, strict=True) if (edit := _edit(one.told, text))]
        return wire.edit(body, edits) if edits else body
    except (StoreError, ValueError) as error:
        log.warning("no audit is attached to a tool result: %s", error)
        return body


def _produced(request: Request, wire: WireFormat, policy: Policy) -> Iterator[Produced]:
    """The results in the request whose tool a rule with `inject` names, each paired with the call before it."""
    results = wire.results(request)
    asked: dict[str, ToolCall] = {}
    transcript = request.transcript
    for place, message in enumerate(transcript.messages):
        asked |= {call.id: call for call in message.calls}
        for result in () if place in transcript.kept else message.results:
            told = next(results)
            call = asked.get(result.call_id)
            if call is not None and told.path and policy.injects_into(call.name):
                parts = (call.id, call.name, call.arguments, told.text)
                yield Produced(
                    call, told, hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()
                )


async def _text(
    one: Produced,
    kept: bytes | None,
    call: Call | None,
    policy: Policy,
    turn: Turn,
    scope: str,
    looks: Looks,
    store: Store,
) -> str:
    """What is attached to one result: as it was the first time, or from an audit now if the result is new."""
    if kept is None and call is not None and call.result and call.result.text.endswith(one.told.text):
        findings = await _audited(call, policy, turn, scope, looks)
        text = _worded(findings, Result(one.told.text)) if findings else ""
        kept = await store.put(scope, KIND, one.key, text.encode(), KEPT)
    return (kept or b"").decode()


async def _audited(call: Call, policy: Policy, turn: Turn, scope: str, looks: Looks) -> list[Finding]:
    """The audit of a new result; nothing where an auditor failed or had no time."""
    checks: Sequence[Check] = policy.told(call, inject=True)
    if not checks:
        return []
    look = looks.of(scope, turn, policy.deadline)
    # the request waits for it, so what is not there yet is not waited for
    findings, failures = await auditing.run(checks, turn, look, deadline=policy.deadline, pauses=False)
    if failures:
        log.warning("the audit of a result of %s is not attached: %s", redact(call.name), failures[0].reason)
        return []
    in_time = [finding for finding in findings if finding.reason != "deadline"]
    if len(in_time) < len(findings):
        log.warning("a result of %s goes up without its audit: deadline", redact(call.name))
    return in_time


def _worded(findings: Sequence[Finding], result: Result) -> str:
    """Findings as what is put into a result: a last key of a JSON object, lines below a text, nothing into other JSON."""
    report = Report("", tuple(findings)).to_json()
    shown = [{key: one[key] for key in ("verdict", "subject", "reason")} for one in report["findings"][:SHOWN]]
    document: dict[str, Any] = {"summary": report["summary"], "findings": shown}
    if isinstance(result.whole, dict):
        comma = ", " if result.whole else ""
        return f'{comma}"groundwire": {spans.dump(document).decode()}'
    if result.whole is not None or not result.text.strip() or result.text.strip() == "null":
        return ""
    return f"\n\n[groundwire] {spans.dump(document).decode()}"


def _edit(told: Told, text: str) -> Edit | None:
    """Where an attachment goes: before the brace that ends an object, or behind a text."""
    if not text:
        return None
    at = len(told.text)
    if not text.startswith("\n"):
        at = told.text.rstrip().rfind("}")
    return Edit(told.path, at, at, text) if at >= 0 else None
