"""Keep what an answer and its request held, for later requests that name it by its id instead of carrying it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from proxy.errors import StoreError
from proxy.store import Store
from proxy.transcript import Answer, Message, ToolCall, ToolResult
from proxy.wire import Lazy, Request, WireFormat, spans

log = logging.getLogger("groundwire")

ANSWER, ITEM = "answer", "item"
KEPT = 7 * 86_400.0
"""Seconds that an answer is kept: as long as a conversation may rest before it goes on."""
LINK = 256 * 1024
"""Code points of one request and its answer that are kept; the oldest messages go first."""
LINKS, CHAIN = 500, 8 << 20
"""How many answers are gone back to, and how many bytes of them; what lies before is then not seen."""
REFERENCES = 1_000
"""How many parts of answers one request may name; of more, none is looked for."""


async def recall(request: Request, wire: WireFormat, scope: str, store: Store) -> None:
    """Complete the transcript with what its request refers to. What is not kept leaves it not whole."""
    if not request.refers:
        return
    try:
        items = await _items(request.refers, scope, store) if len(request.refers) <= REFERENCES else {}
        links = await _links(request.follows, scope, store)
    except StoreError as error:
        log.warning("an earlier answer is not recalled: %s", error)
        items, links = {}, []
    if items:
        wire.resolve(request, items)
    if request.follows:
        rows = [row for link in reversed(links) for row in link["messages"]]
        whole = bool(links) and not links[-1]["follows"] and all(link["whole"] for link in links)
        request.transcript = request.transcript.after(Lazy(rows, _message), request.transcript.whole and whole)


async def _items(identifiers: Sequence[str], scope: str, store: Store) -> dict[str, Any]:
    found = await store.get_many(scope, ITEM, identifiers)
    return {one: spans.parse(kept) for one, kept in zip(identifiers, found, strict=True) if kept is not None}


async def _links(identifier: str, scope: str, store: Store) -> list[Mapping[str, Any]]:
    """The answers that lead to this one, newest first, as far back as they are kept."""
    links: list[Mapping[str, Any]] = []
    size = 0
    while identifier and len(links) < LINKS and (kept := await store.get(scope, ANSWER, identifier)) is not None:
        size += len(kept)
        if size > CHAIN:
            break
        links.append(spans.parse(kept))
        identifier = links[-1]["follows"]
    return links


async def keep(request: Request, answer: Answer, scope: str, store: Store) -> None:
    """Keep a request's own messages and the answer to them under the answer's id, and each part under its own."""
    if not answer.id:
        return
    rows, cut = _rows(request, answer)
    link = {"follows": request.follows, "whole": request.transcript.whole and not cut, "messages": rows}
    try:
        kept = [
            (ANSWER, answer.id, spans.dump(link)),
            *((ITEM, name, spans.dump(item)) for name, item in answer.items.items()),
        ]
    except ValueError:  # nested too deep to be written
        return
    puts = [store.put(scope, kind, key, value, KEPT) for kind, key, value in kept if len(value) <= 8 * LINK]
    try:
        await asyncio.gather(*puts)
    except StoreError as error:
        log.warning("an answer is not kept: %s", error)


def _rows(request: Request, answer: Answer) -> tuple[list[Any], bool]:
    """The request's own messages and the answer, and whether some were too much; instructions are each request's own."""
    rows: list[Any] = []
    size = 0
    for message in _backwards(request, answer):
        size += sum(map(len, _texts(message)))
        if size > LINK:
            return rows[::-1], True
        rows.append(_row(message))
    return rows[::-1], False


def _backwards(request: Request, answer: Answer) -> Iterator[Message]:
    """The answer, and before it what the request itself carried, without the system text that it opens with."""
    hosted = answer.hosted or Message("assistant", "")
    yield Message("assistant", answer.text, (*hosted.calls, *answer.calls), hosted.results, hosted.unread)
    transcript = request.transcript
    for place in range(len(transcript.messages) - 1, -1, -1):
        if place in transcript.kept:
            return
        message = transcript.messages[place]
        if place or message.role != "system":
            yield message


def _texts(message: Message) -> Iterator[str]:
    yield message.text
    yield from (call.arguments for call in message.calls)
    yield from (result.text for result in message.results)


def _row(message: Message) -> list[Any]:
    calls = [[call.id, call.name, call.arguments] for call in message.calls]
    results = [[result.call_id, result.text, result.error, result.name] for result in message.results]
    text = "" if message.role == "tool" else message.text  # it is its result's
    return [message.role, text, calls, results, message.unread]


def _message(row: Sequence[Any]) -> Message:
    role, text, calls, results, *unread = row  # what was kept before attachments were noted has four
    told = tuple(ToolResult(*result) for result in results)
    text = text or (told[0].text if role == "tool" and told else "")
    return Message(role, text, tuple(ToolCall(*call) for call in calls), told, bool(unread and unread[0]))
