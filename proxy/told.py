"""What a conversation's own tool results say, as documents with their addresses: the first of all sources."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

from proxy.ground import Told
from proxy.ledger import MUTATIONS, UNDONE, Call, Turn
from proxy.results import strings
from proxy.support import Document
from proxy.wording import plain

TEXT, RESULT, DOCUMENTS = 400_000, 100_000, 200
"""Code points of all results and of one that are read, newest first, and the documents that are made of them."""

DEPTH = 6
URLS = ("url", "link", "href", "uri", "source_url", "sourceURL", "permalink", "page_url")
TITLES = ("title", "name", "heading")
URL = re.compile(r"(?i)https?://[^\s<>\"'`|\\]{1,2000}")


def told(turn: Turn) -> list[Told]:
    """The documents in the results of a conversation, the newest first.

    Not of what failed, of what changed something (it echoes what the model wrote), or of a sub-agent, whose words are claims
    too.
    """
    return list(islice(_documents(turn), DOCUMENTS))


def _documents(turn: Turn) -> Iterator[Told]:
    left = TEXT
    for call in reversed((*turn.earlier(), *turn.calls)):
        if call.result is None or call.outcome in UNDONE or call.effect in (*MUTATIONS, "agent"):
            continue
        if turn.nature(call) == "change" or left <= 0:
            continue
        text = call.result.text[: min(left, RESULT)]
        left -= len(text)
        yield from _of(call, text)


def _of(call: Call, text: str) -> Iterator[Told]:
    assert call.result is not None
    fetched = _fetched(call)
    value = call.result.value
    if isinstance(value, (dict, list)):
        loose: list[str] = []
        yield from _entries(call, value, loose, DEPTH)
        rest = "\n".join(plain(one) for one in loose)[:RESULT]
        if rest:
            yield Told(Document(rest), fetched, call.id, call.name, call.raw)
    elif text.strip():
        yield Told(Document(plain(text)), fetched, call.id, call.name, call.raw)


def _entries(call: Call, value: Any, loose: list[str], depth: int) -> Iterator[Told]:
    """Each object with an address of its own as a document; the texts that belong to none go into `loose`."""
    if isinstance(value, str):
        loose.append(value)
    elif isinstance(value, list) and depth:
        for one in value:
            yield from _entries(call, one, loose, depth - 1)
    elif isinstance(value, dict) and depth:
        url = next((value[key] for key in URLS if isinstance(value.get(key), str) and URL.match(value[key])), "")
        if not url:
            for one in value.values():
                yield from _entries(call, one, loose, depth - 1)
            return
        title = next((value[key] for key in TITLES if isinstance(value.get(key), str)), "")
        said = "\n".join(plain(one) for one in strings(value) if not URL.fullmatch(one))[:RESULT]
        yield Told(Document(said, title[:300]), url[:2_048], call.id, call.name, call.raw)


def _fetched(call: Call) -> str:
    """The one address that a call asked for; empty where it names none or several."""
    named = {one for one in strings(dict(call.arguments)) if URL.fullmatch(one.strip())}
    return named.pop().strip() if len(named) == 1 else ""
