"""What users say of their own things, so that an answer that says it back claims nothing."""

from __future__ import annotations

import re
from itertools import islice

from proxy.ledger import Turn

WORD = re.compile(r"[^\W_]{2,}")
LINE = re.compile(r"[.!;\n]+")
IDLE = frozenset(["is", "are", "was", "were", "has", "have", "been", "it", "my", "your", "the", "now", "also", "and"])
"""Words of which it does not depend whether two sentences tell the same."""
ORDERS = re.compile(
    r"(?i)\?|\b(?:please|should|must|(?<!no )needs?|want|like|get|make|have it|to be|your?|successful\w*)\b"
)
"""A sentence that wishes or asks, or tells somebody else what became of theirs: it does not say how one's own things are."""
BEFORE, READ = 12, 2_000
"""Messages before the turn in which a user may have said it, and code points of one that are read."""


def reported(part: str, verb: str, turn: Turn) -> bool:
    """Whether a user said what a part of an answer says, and told nobody to do it: "Cellular connection: connected".

    `verb` is the word in it that must be among the user's own; where it is empty, any two of three words will do.
    """
    own = set(WORD.findall(part.lower())) - IDLE
    told = WORD.findall(verb.lower())[-1:]
    users = (one.text for one in islice(reversed(turn.before), BEFORE) if one.role == "user")
    lines = (line for text in (turn.asked, *users) for line in LINE.split(text[:READ]))
    for line in lines if own else ():
        said = set(WORD.findall(line.lower()))
        if said.issuperset(told) and 3 * len(own & said) >= 2 * len(own) and not ORDERS.search(line):
            return turn.marks.natures.asked(line) != "change"
    return False
