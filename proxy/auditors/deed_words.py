"""The words by which deeds are told and asked for: "left a comment", "I've let Ann know", and who is to be told."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from proxy.claims import Claim
from proxy.figures import sentence_around
from proxy.roots import root, roots

MAILED = frozenset({"email", "mail", "e-mail"})
"""Verbs that say by which way something was sent."""
ENDS = frozenset({"open", "fil", "log", "rais", "not", "attach", "apply", "appl"})
"""Roots of verbs that a tool's name may end with, where they are no part of a thing's name."""
PROPER = re.compile(r"(?<!^)\b[A-Z][a-z]{2,20}\b")
HYPHENED = re.compile(r"\b[a-z]+-[a-z]+\b", re.I)
"""A name within a sentence, and words joined by a hyphen."""
ASKED = frozenset({"writ", "tell", "let", "inform", "ping"})
"""Roots of words by which users ask that somebody be told, beside those of sending."""
PARTIES = roots(
    ("customer", "client", "requester", "reporter", "guest", "tenant", "patient", "him", "her", "them", "everyone")
)
"""Roots of words by which users say whom to tell; an answer has the name."""
LET_KNOW = re.compile(
    r"\b(?:I|[Ww]e)(?:[’']ve| have)?(?: also| just)? (?P<let>let) (?!you\b|me\b|us\b)[^!?\n,;]{2,40}? know\b"
)
MOST = 20
"""Deeds of that kind that are read."""
LIGHT = frozenset({"leav", "add", "post", "mak", "mad", "writ", "put", "plac", "drop", "left"})
"""Roots of verbs by which an answer does what the thing behind them is a verb for: "left a comment"."""
OBJECT = re.compile(r"(?i)^\W*\w+ (?:an?|the|your|another|new|my)(?: new| short| quick| brief)? ([a-z]+)")


def thing_done(part: str, verb: str) -> str:
    """The root of the thing behind a verb that says nothing else: of "left a comment", that of "comment"."""
    found = OBJECT.match(part) if verb in LIGHT else None
    return root(found[1].lower()) if found else ""


def let_know(text: str) -> Iterator[Claim]:
    """Deeds whose verb stands around whom they reached: "I've let Mr. Hale know"."""
    for found in islice(LET_KNOW.finditer(text), MOST) if " know" in text else ():
        fields = {"part": found.group(), "active": "yes", "perfect": "yes", "verb": "let"}
        yield Claim(
            "action", "", "asserted", "send", sentence_around(text, *found.span()), *found.span("let"), fields=fields
        )
