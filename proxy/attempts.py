"""Ask the model again when its answer does not hold, hold back what a policy withholds, cite in the answer's own text."""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from proxy import footer
from proxy.answers import in_place
from proxy.audit import Report
from proxy.errors import StoreError, UpstreamError
from proxy.ledger import Turn
from proxy.policy import Policy
from proxy.store import Store
from proxy.transcript import Message
from proxy.upstreams import Reply
from proxy.wire import Relay, Request, WireFormat, spans
from proxy.wire.buffered import Buffered
from proxy.wire.in_place import insert

log = logging.getLogger("groundwire")

KIND = "retry"
KEPT = 7 * 86_400.0
"""Seconds that drafts are kept for a turn that went on with tools."""
LINGER = 1.0
"""Seconds that an upstream gets to close after it has said that it is done: some bytes may still be on their way."""
ASKED = (
    "Your answer above was checked against the results of the tools in this conversation. This does not hold:\n\n{found}\n\n"
    "Answer again, for the same reader. Do with your tools what is still to be done, or say plainly that it was not done; "
    "claim nothing that no result shows. Do not mention this check."
)


@dataclass(frozen=True, slots=True)
class Try:
    """An answer that did not hold: its text, the findings as lines, and what the model was told of them."""

    text: str
    found: tuple[str, ...]
    feedback: str

    @property
    def messages(self) -> tuple[Message, Message]:
        return Message("assistant", self.text), Message("user", self.feedback)


@dataclass(slots=True)
class Settled:
    """What leaves in the end, and how it came to it: `found` is what of it does not hold.

    `calls` are the ids of a tool turn that an answer became.
    """

    data: bytes
    report: Report | None
    found: tuple[str, ...] = ()
    tries: tuple[Try, ...] = ()
    note: str = ""
    usage: Mapping[str, Any] = field(default_factory=dict)
    calls: tuple[str, ...] = ()

    def told(self) -> dict[str, Any]:
        """What the report says of the attempts: each with its findings, the feedback, and what was no longer found."""
        if not self.tries:
            return {}
        after = [*(one.found for one in self.tries[1:]), self.found]
        attempts = [
            {
                "findings": list(one.found),
                "feedback": one.feedback,
                "resolved": [line for line in one.found if line not in then],
                "new": [line for line in then if line not in one.found],
            }
            for one, then in zip(self.tries, after, strict=True)
        ]
        return {"attempts": attempts, "retries": len(self.tries), "outcome": self.note, "usage": dict(self.usage)}


@dataclass(frozen=True, slots=True)
class Asking:
    """What asking again needs of an exchange, and how often in this turn it may be done.

    `limit` is how many bytes of one answer may be held; `audit` gives an answer's report; `ask` sends the request with more
    messages; `words` are what stands under an answer, a note of ours the last of it; `keep` keeps what a later request may
    go on from.
    """

    request: Request
    wire: WireFormat
    policy: Policy
    retries: int
    streamed: bool
    limit: int
    audit: Callable[[Relay], Awaitable[Report | None]]
    ask: Callable[[Sequence[Message]], Awaitable[Reply]]
    words: Callable[[Relay, Report, str], dict[int, str]]
    keep: Callable[[Relay], Awaitable[None]]


async def settle(first: Relay, head: bytes, tries: Sequence[Try], asking: Asking) -> Settled:
    """Audit a whole answer, ask again as long as the policy says so, and say what is to leave.

    A retried answer that holds goes out as it is; one that never does gets the footer, and a word on how often it was
    asked for. An answer that cannot be asked for again leaves as the last one that came.
    """
    policy, done = asking.policy, list(tries)
    current: Relay = first
    usage: Mapping[str, Any] = first.usage
    note = ""
    while True:
        report = await asking.audit(current)
        mode = policy.decide(report).mode if report is not None else "observe"
        found = _lines(report, policy)
        if mode == "withhold" and report is not None:
            return _withheld(head, report, done, usage, asking)
        if mode != "retry" or report is None:
            unsure = report.incomplete if report is not None else ""
            note = (unsure or "the last answer holds") if done else ""
            break
        if done and done[-1].found == found:
            note = "the same was found twice in a row"
            break
        if len(done) >= asking.retries:
            note = "no retries are left"
            break
        answer = current.answers[0].text
        one = Try(answer, found, ASKED.format(found="\n".join(f"- {line}" for line in found)))
        later = await _again([*done[len(tries) :], one], asking)
        if isinstance(later, str):
            note = later
            break
        done.append(one)
        usage = _sum(usage, later.usage)
        if later.calling:
            return _calls(head, later, done, usage, asking)
        current = later
    data = _closed(current, report, _told(done, note), asking)
    if current is not first:
        data = asking.wire.continued(head, data, usage, asking.streamed)
    return Settled(data, report, found, tuple(done), note, usage)


async def leave(only: Relay, head: bytes, asking: Asking) -> Settled:
    """What is to leave of an answer that nobody can ask for again: it broke off, or nothing may be added to it.

    It leaves as it came, unless the policy withholds it. What broke off still looks so: then an error alone is left of it.
    """
    report = await asking.audit(only)
    if report is None or len(only.answers) > 1 or asking.policy.decide(report).mode != "withhold":
        return Settled(only.close({}), report)
    if not only.broken:
        return _withheld(head, report, [], only.usage, asking)
    if not isinstance(only, Buffered):
        raise UpstreamError("upstream sent an error with its answer")
    return Settled(only.fault, report, _lines(report, asking.policy), note="withheld")


def _closed(current: Relay, report: Report | None, note: str, asking: Asking) -> bytes:
    """The answer with what stands under it, and with the citations that are written into it."""
    if report is None:
        return current.close({})
    answer, pieces = current.answers[0], asking.wire.pieces
    insertions, shown = ([], report) if pieces is None else in_place(asking.policy, answer, report)
    said = asking.words(current, shown, note)
    data = current.close(said, _in_band(report, said))
    if pieces is None or not insertions:
        return data
    try:
        return insert(data, asking.streamed, answer.text, insertions, pieces)
    except ValueError as error:
        log.warning("an answer goes without its citations: %s", error)
        return data


async def pieces_of(reply: Reply, relay: Relay) -> AsyncIterator[bytes]:
    """The bytes of an answer that this relay is fed; an upstream that stays open when it is done is not waited for."""
    pieces = aiter(reply.body)
    async for data in pieces:
        yield data
        if relay.done:
            break
    until = asyncio.get_running_loop().time() + LINGER
    with suppress(TimeoutError, StopAsyncIteration):
        while True:
            async with asyncio.timeout_at(until):
                data = await anext(pieces)
            yield data


async def _again(tries: Sequence[Try], asking: Asking) -> Relay | str:
    """The next answer, read to its end; or in a word why there is none."""
    messages = [message for one in tries for message in one.messages]
    inner = asking.wire.relay(asking.request, asking.streamed)
    relay: Relay = Buffered(inner, whole=True) if asking.streamed else inner
    try:
        async with asyncio.timeout(asking.policy.retry_timeout):
            reply = await asking.ask(messages)
            try:
                if reply.status != 200 or reply.opaque:
                    return f"asking again was answered by status {reply.status}"
                size = 0
                async for data in pieces_of(reply, relay):
                    relay.feed(data)
                    size += len(data)
                    if size > asking.limit:
                        return "asking again brought too much"
                relay.eof()
                await asking.keep(relay)
            finally:
                await reply.aclose()
    except TimeoutError:
        return "asking again took too long"
    except (UpstreamError, ValueError) as error:
        log.warning("an answer could not be asked for again: %s", error)
        return "asking again failed"
    if relay.broken or not (relay.calling or (relay.appendable(0) and len(relay.answers) == 1)):
        return "asking again brought no answer"
    return relay


def _calls(head: bytes, later: Relay, tries: list[Try], usage: Mapping[str, Any], asking: Asking) -> Settled:
    """The model went on with tools: a turn like any other, in the stream that has begun."""
    ids = tuple(call.id for answer in later.answers for call in answer.calls if call.id)
    data = asking.wire.continued(head, later.close({}), usage, asking.streamed)
    return Settled(data, None, (), tuple(tries), "the model went on with tools", usage, ids)


def _withheld(head: bytes, report: Report, tries: list[Try], usage: Mapping[str, Any], asking: Asking) -> Settled:
    policy = asking.policy
    text = footer.withheld(policy.decide(report).shown, register=policy.register)
    data = asking.wire.continued(head, asking.wire.spoken(text, usage, asking.streamed), usage, asking.streamed)
    return Settled(data, report, _lines(report, policy), tuple(tries), "withheld", usage)


def _lines(report: Report | None, policy: Policy) -> tuple[str, ...]:
    """The flagged findings, a line each, as the model may read them; not what is only recorded."""
    return tuple(footer.line(one) for one in policy.decide(report).flagged[: footer.ENTRIES]) if report else ()


def _told(tries: Sequence[Try], note: str) -> str:
    """What a reader is told of the attempts under an answer that does not hold."""
    if not tries:
        return ""
    times = "once" if len(tries) == 1 else f"{len(tries)} times"
    return f"The model was asked again {times}; {note}." if note else ""


def _sum(one: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """Two counts of tokens as one, their inner counts too."""
    total = dict(one)
    for key, value in other.items():
        before = total.get(key)
        if isinstance(value, Mapping):
            total[key] = _sum(before if isinstance(before, Mapping) else {}, value)
        elif isinstance(value, int) and not isinstance(value, bool) and isinstance(before, int):
            total[key] = before + value
        elif before is None:
            total[key] = value
    return total


async def keep(settled: Settled, before: Sequence[Try], request: Request, scope: str, store: Store) -> None:
    """Keep what was tried since `before` for the tool turn that an answer became, by its calls and what led to them."""
    value = json.dumps([[one.text, one.found, one.feedback] for one in settled.tries[len(before) :]]).encode()
    *_, (_, said) = _said(request.transcript.messages)
    try:
        await asyncio.gather(*(store.put(scope, KIND, f"{said} {call}", value, KEPT) for call in settled.calls))
    except StoreError as error:
        log.warning("the drafts of a retried answer are not kept: %s", error)


async def attach(
    body: bytes, request: Request, wire: WireFormat, turn: Turn, scope: str, store: Store
) -> tuple[bytes, tuple[Try, ...] | None]:
    """The body with drafts and feedback before the calls that they led to, and the tries of the turn that goes on.

    The client never saw them, so they are attached in every later request. What is not kept, or cannot be read, leaves the
    body as it is; of a store that does not answer, nobody knows the tries.
    """
    made = [
        (place, f"{said} {message.calls[0].id}")
        for place, (message, said) in enumerate(_said(request.transcript.messages))
        if message is not None and message.calls and place not in request.transcript.kept
    ]
    tries: tuple[Try, ...] = ()
    last = b""
    try:
        values = await store.get_many(scope, KIND, [key for _, key in made])
        for number, ((place, _), value) in enumerate(zip(made, values, strict=True)):
            if value is not None and value != last:  # calls made at once may come back one by one
                last = value
                kept = tuple(Try(text, tuple(found), feedback) for text, found, feedback in json.loads(value))
                body = wire.extend(body, [message for one in kept for message in one.messages], number)
                tries = (*tries, *kept) if place >= len(turn.before) else tries
    except (StoreError, ValueError) as error:
        log.warning("the drafts of a retried answer are not attached: %s", error)
        return body, None
    return body, tries


def _said(messages: Sequence[Message]) -> Iterator[tuple[Message | None, str]]:
    """Each message with a digest of what user and tools have said before it, from the last request on; at the end, of all.

    An id alone names no call: many servers begin to count anew in every conversation.
    """
    said = hashlib.sha256()
    for message in messages:
        yield message, said.hexdigest()
        if message.role in ("user", "tool"):
            if not message.results:
                said = hashlib.sha256()
            for text in [result.text for result in message.results] or [message.text]:
                said.update(f"{len(text)} {text}".encode("utf-8", "surrogatepass"))
    yield None, said.hexdigest()


def _in_band(report: Report | None, said: Mapping[int, str]) -> bytes | None:
    return spans.dump(report.to_json()) if report is not None and said else None
