"""What only a failed call was given must not be told as so: "64 guests", where the change to 64 was rejected."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import ClassVar

from proxy.audit import Finding
from proxy.auditors.asked import ARGUED, ID, Asked, arguments
from proxy.auditors.effects import subject_of
from proxy.claims import Claim, compared_text
from proxy.figures import sentence_around, unquoted
from proxy.ledger import UNDONE, Call, Turn
from proxy.patterns import either, expression
from proxy.results import one_line
from proxy.roots import name_roots, root
from proxy.spelling import MOMENT, SMALL, matches, places

REACH = 20_000
"""Code points of calls and results in which a value is looked for."""
LEAST, LONGEST = 3, 60
"""Code points of a text that is looked for."""
CODE = re.compile(r"(?=.*\d)[\w.#/-]{4,}")
"""A text that names a thing, and tells nothing of it."""


@dataclass(frozen=True, slots=True)
class Attempted:
    """Look in an answer without a word of trouble for values that nothing but failed changes was given.

    A value counts where no look, and no change that landed, has it, in what it was given or returned. It is told in a
    sentence without one of `doubts`, of an answer without one of `trouble`, which are expressions; `leave` is one for
    answers that ask for leave to go on. It speaks where no other auditor does, and not where a later call of the
    same tool landed, or where a failure left things as they were wanted.
    """

    trouble: tuple[str, ...] = ()
    doubts: str = r"(?!)"
    leave: str = r"(?!)"

    reads: ClassVar[frozenset[str]] = frozenset({"text"})
    needs: ClassVar[frozenset[str]] = frozenset({"calls"})

    def follow(self, turn: Turn, claims: Sequence[Claim], findings: Sequence[Finding]) -> list[Finding]:
        failed = [
            one for one in turn.calls if turn.nature(one) == "change" and one.outcome in UNDONE and not one.effect
        ]
        if not failed or not self.trouble or any(one.flagged for one in findings):
            return []
        text = unquoted(compared_text(claims))
        if not text or either(self.trouble).search(text) or expression(self.leave).search(text):
            return []
        known = _known(turn)
        for call in failed:
            if turn.is_far_back(call):
                continue
            if not (call.settled or turn.done_after(call) or turn.landed_again(call) or _seen_after(call, turn)):
                for asked in islice(_telling(call), ARGUED):  # few are told: what all calls had is read for these alone
                    if (told := self._told(asked, text)) and not any(matches(asked.value, known)) and turn.whole():
                        return [Finding("contradicted", subject_of(call), call.failure, one_line(told, 200), call.id)]
        return []

    def _told(self, asked: Asked, text: str) -> str:
        """The sentence that tells a value, without a doubt."""
        for start, end in places(asked.value, text, asked.name):
            sentence = sentence_around(text, start, end)
            if not expression(self.doubts).search(sentence):
                return sentence
        return ""


def _known(turn: Turn) -> str:
    """What the calls that came about were given and returned."""
    others = (one for one in (*turn.calls, *turn.earlier()) if one.outcome not in UNDONE)
    return "\n".join(f"{one.raw}\n{one.result_text}"[:REACH] for one in others)


def _telling(call: Call) -> Iterator[Asked]:
    """What a failed call was given, and that no answer has by chance."""
    for asked in arguments(call.arguments):
        value = asked.value
        short = len(value) < LEAST or len(value) > LONGEST if isinstance(value, str) else abs(value) <= SMALL
        coded = isinstance(value, str) and CODE.fullmatch(value) and not MOMENT.match(value)
        if not (short or coded or asked.former or ID.search(asked.name)):
            yield asked


def _seen_after(call: Call, turn: Turn) -> bool:
    """Whether a later look may have shown that it came about after all: it has a word of the tool, or what it was given."""
    things = name_roots(call.name) - {root(turn.marks.natures.verb(call.name))}
    given = [one.value for one in arguments(call.arguments) if isinstance(one.value, str) and len(one.value) >= LEAST]
    later = [one for one in turn.after(call) if one.outcome not in UNDONE and turn.nature(one) != "change"]
    looks = (one for one in later if turn.nature(one) == "read")
    return any(things & name_roots(one.name) for one in looks) or any(
        each in one.raw for one in later for each in given
    )
