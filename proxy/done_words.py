"""Whether a word, a state or a line tells the deed of a tool's own verb."""

from __future__ import annotations

import re
from collections.abc import Sequence

from proxy.failed_words import TROUBLE
from proxy.results import Result
from proxy.roots import name_words, root

LONG = 600
"""Code points of a line that are read."""
CLAUSE = re.compile(r"[.!;:。！；：(（](?!\d)| [-–—] |,(?!\d)")
"""What ends the first clause of a line."""
PAST = ("ed", "t", "en", "ada", "ado")
"""How past forms end."""


def tells_the_deed(result: Result, name: str, verb: str) -> bool:
    """Whether a line begins with the deed of the tool's own verb: "Extended to 15:40. You can't extend it again here."."""
    if result.value is not None:
        return False  # its text may be long, and is not copied
    line = result.text.strip()
    if "\n" in line or line[:1] == "<":
        return False
    clause = CLAUSE.split(line[:LONG], maxsplit=1)[0]
    own = (*name_words(name), root(verb))
    return TROUBLE.search(clause) is None and any(tells_own(word, own) for word in name_words(clause))


def is_deed(state: str, name: str) -> bool:
    """Whether a state says that the deed of a tool's name is done: "abgelehnt" of `urlaub_ablehnen`."""
    return tells_own(state.lower(), name_words(name))


def tells_own(word: str, own: Sequence[str]) -> bool:
    """Whether a word is a past form of one of a tool's own: "extended" of `extend_session`, "abgelehnt" of `ablehnen`."""
    if not word.endswith(PAST) or word in own:
        return False
    bare = word.replace("ge", "", 1)[:5] if "ge" in word else ""
    return any(root(word) == root(one) or (len(one) > 5 and one[:5] in (bare, word[:5])) for one in own)
