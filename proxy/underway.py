"""Whether a result says that something is under way, or that it came otherwise than by the first word of a tool's name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

JOINED = frozenset({"or", "upsert"})
"""Words of tools that do one thing or another."""
STANDS = re.compile(r"(?i)^scheduled|^saved(?!$)|^draft|^queued|^updated$")
"""Fields by which something else came of it, where they have anything."""
OFF = re.compile(
    r"(?i)\b(?:false|null|off|disabled?|inactive|open|free|unlock(?:ed)?|release[d]?|stop(?:ped)?|later|hidden)\b"
)
"""Arguments by which something is switched off, or taken away."""
GOING = re.compile(
    r"(?i)sent|queued|enqueued|pending|scheduled|running|submitted|processing|accepted|requested|created|started|in[_ ]progress"
)
"""States of what is under way."""
WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


def is_otherwise(name: str, value: Mapping[str, Any]) -> bool:
    """Whether a tool may do one thing or another, or its result says what else came of it: `create_or_update`, "saved_as"."""
    words = (word.lower() for word in WORDS.findall(name))
    return not JOINED.isdisjoint(words) or any(STANDS.search(key) for key, said in value.items() if said)


def is_going(value: Mapping[str, Any]) -> bool:
    """Whether a result's own state says that it is under way."""
    return any(GOING.fullmatch(told) for key in ("status", "state") if isinstance(told := value.get(key), str))


def switches_off(arguments: str) -> bool:
    """Whether arguments say that something is to be off, open or gone."""
    return OFF.search(arguments) is not None
