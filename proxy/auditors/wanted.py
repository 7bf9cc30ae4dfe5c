"""Whether the user of a turn wants a deed: ordered it, agreed to it, or waits for it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property

from proxy.claims import Claim
from proxy.deeds import does, has_form, sorted_changes, told_to
from proxy.ledger import UNDONE, Call, Turn

TELLS = re.compile(r"(?i)\b(?:let (?!me\b|us\b)[^.!?,\n]{1,40}? know|(?:tell|notify|inform) (?!me\b|us\b)\w)")
"""Messages by which somebody shall be told."""


class Wanted:
    """What the user's message asks for, and what was looked at or changed before.

    `asked`: whether it asks for a deed in so many words; `question`: whether it asks how things stand.
    """

    def __init__(self, turn: Turn, asked: bool, question: bool) -> None:
        self._turn, self._asked, self._question = turn, asked, question

    def _ordered(self) -> bool:
        """Whether the user told to change something."""
        return self._turn.ordered() == "change"

    def _asks(self) -> bool:
        """Whether the user's message has a question."""
        return "?" in self._turn.asked or "？" in self._turn.asked

    def _wanted(self, claim: Claim) -> bool:
        """Whether the user asked for the deed, and not only how things stand."""
        asked, told = self._turn.asked[:2_000], self._turn.ordered()
        if claim.act == "send" and TELLS.search(asked):
            return True
        if self._question or told != "unknown":
            return told == "change" and not self._question
        stems = (claim.fields.get("verb", "\0"), *claim.fields.get("stems", "").split())
        return self._asked or has_form(told_to(asked).lower(), stems)

    def _meant(self, claim: Claim) -> bool:
        """Whether the user asked for this very deed, or agreed to it: "Book the room", "Shall I book it?" "Yes"."""
        said = [message.text for message in self._turn.before[-1:] if message.role == "assistant"]
        asked = "\n".join(
            (self._turn.asked[:2_000], *(said if self._asked and len(self._turn.asked) < 200 else ()))
        ).lower()
        stems = (claim.fields.get("verb", "\0"), *claim.fields.get("stems", "").split())
        return self._wanted(claim) and has_form(asked, stems)

    def _agreed(self, claim: Claim) -> bool:
        """Whether the user agreed to this very deed, and no call was made at all."""
        return self._asked and not self._turn.calls and self._meant(claim)

    def _at_hand(self, claim: Claim) -> bool:
        """Whether the user answers a question, a declared tool does just that, and nothing was called, nor ever changed."""
        verb = claim.fields.get("verb", "")
        if self._turn.calls or len(verb) < 3 or self._asks() or "?" not in self._turn.offer()[-2_000:]:
            return False
        return does(self._turn, verb) and not self._changed_before

    def _is_awaited(self) -> bool:
        """Whether the user agreed to an offer, or gave an order on which was looked at something, and asked nothing."""
        due = self._asked or "?" in self._turn.offer()[-2_000:] or (self._ordered() and self._looked())
        return due and not self._asks() and not self._changed_before

    @cached_property
    def _changed_before(self) -> bool:
        """Whether an earlier turn changed something, or may have."""
        return any(sorted_changes(self._turn, self._turn.earlier())[:2])

    def _looks(self, calls: Sequence[Call]) -> Iterator[Call]:
        """The calls that looked at something, and did not fail."""
        return (one for one in calls if self._turn.nature(one) == "read" and one.outcome not in UNDONE)

    def _looked(self) -> bool:
        return any(self._looks(self._turn.calls))
