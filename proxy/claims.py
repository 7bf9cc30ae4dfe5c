"""What a claim is: one thing that an answer, or a tool result, asserts about the world, and where."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

import msgspec

from proxy.prose import Stance

ALL = 0
"""The count of a claim about all of them, however many they are."""


class Claim(msgspec.Struct, frozen=True):
    """One thing that an answer says of one subject.

    `subject` is as written, empty where the sentence names none ("both files are updated"); `count` then says how
    many it speaks of (0: all; None: one, or it does not say). `stance` is `asserted`, `denied` (it says that it did
    not happen) or `mentioned` (a question, a plan, a condition, a quotation). `act` is the word list's act. `close`
    tells that verb and subject stand together ("updated `a.md`"), not merely in one clause ("fixed a bug in `a.md`").
    Offsets are code points of the answer. `fields` are the other groups of a rule's pattern, or what a reader found
    beside the subject.
    """

    kind: str
    subject: str
    stance: Stance
    act: str = ""
    quote: str = ""
    start: int = 0
    end: int = 0
    count: int | None = None
    close: bool = False
    fields: Mapping[str, str] = msgspec.field(default_factory=dict)


COMPARED = 40_000
"""Code points of an answer whose values are compared. A longer one is a document: what it lists is claimed as a whole."""


BY_LINE = 12_000
"""The same for auditors that hold each line, or each number, against many."""


def compared_text(claims: Iterable[Claim], most: int = COMPARED) -> str:
    """The answer for auditors that look for values anywhere in it; empty where it is too long for that.

    Not cut: what its rest says might be what excuses the beginning. So who excuses by it says nothing where it is empty.
    """
    text = answer_text(claims)
    return text if len(text) <= most else ""


def answer_text(claims: Iterable[Claim]) -> str:
    """The answer as a whole, which the reader gives as a claim of its own; empty where it was not asked for."""
    return next((claim.subject for claim in claims if claim.kind == "text"), "")


def admits(claims: Iterable[Claim], calls: Iterable[str], *, chosen: bool = False, failures: bool = False) -> bool:
    """Whether an answer says that something went wrong.

    What it denies without saying so ("no priority is set yet") counts only where it shares a word with calls, given by their
    names and arguments; with `chosen` so does what "I" did not do ("I haven't issued a refund"), which may be a choice; with
    `failures` all that does not tell of a failure.
    """
    mild = []
    for claim in claims:
        if claim.stance == "denied":
            sure = "fails" in claim.fields if failures else "mild" not in claim.fields
            if sure and not (chosen and "own" in claim.fields):
                return True
            mild.append(claim.quote.lower())
    words = {word[:6] for text in calls if mild for word in WORD.findall(text.lower())} - VAGUE
    return any(word[:6] in words for said in mild for word in WORD.findall(said))


WORD = re.compile(r"[^\W\d_]{4,}|\d{2,}")
VAGUE = frozenset({"change", "update"})
"""Words by which a denial may speak of anything: "18 seats. No change." beside `change_plan`."""
