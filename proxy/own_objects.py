"""Which objects within a change's result are about the call itself, and which about a thing that was there before."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from proxy.roots import name_roots, root

SENDS = frozenset(map(root, ("send", "resend", "email", "mail", "notify", "message", "text", "deliver", "forward")))
"""Roots of verbs of tools whose results may hold a `delivery` of theirs."""
BOUNCED = re.compile(r"(?i)bounced?|undeliver(?:able|ed)|not[_ ]delivered|failed|rejected")
"""States of it by which nothing arrived."""
MAILBOX = frozenset(("smtp", "recipient", "recipients", "to", "email", "channel", "address", "mailbox", "msisdn"))
"""Fields that a delivery of a message has, and none of a parcel."""
LONG = 60
"""Code points of a type that is read."""


def was_given(value: Any, raw: str) -> bool:
    """Whether an object is a thing that was there before: its id was among the arguments (`job` of a ticket)."""
    name = value.get("id") if isinstance(value, dict) else None
    return isinstance(name, str) and len(name) > 1 and f'"{name.lower()}"' in raw


def is_instruction(words: tuple[str, ...], value: Any, roots: frozenset[str]) -> bool:
    """Whether an object is the instruction that a tool with these words in its name has given, by its type."""
    own = isinstance(value, dict) and words == ("instruction",) and "type" in value
    return own and name_roots(str(value["type"])[:LONG]) <= roots


def bounced(value: Mapping[str, Any], verb: str) -> bool:
    """Whether the delivery of what a tool of this verb has sent came back."""
    sent = value.get("delivery") if verb in SENDS else None
    if not isinstance(sent, dict) or MAILBOX.isdisjoint(sent):
        return False
    return any(BOUNCED.fullmatch(str(sent.get(name))) for name in ("state", "status"))
