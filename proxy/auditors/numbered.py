"""A number beside the word that it goes with, "27 Orchard Close", "row 11", must be the one that the change has beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import ClassVar

from proxy.audit import Finding
from proxy.claims import Claim, compared_text
from proxy.figures import sentence_around, unquoted
from proxy.ledger import Call, Turn
from proxy.patterns import expression
from proxy.results import one_line, scalars

WORD = r"[^\W\d_][\w'’.-]+"
BEFORE = re.compile(rf"(?<![\w#-])(\d{{1,5}}[A-Za-z]?) ((?:{WORD} ){{1,3}}{WORD})")
"""The number of a house, before two words or more."""
NUMBER = re.compile(r"\d{1,4}[A-Z]?")
MOST, SHORT = 100, 80
"""Values of a change that are compared, and the code points of one."""


@dataclass(frozen=True, slots=True)
class Numbered:
    """Compare numbers with those that a landed change was given, or returned, beside the same words.

    Told is one that an answer has beside the words of an address, where no call, result or message has the two together; and
    one beside a word of `places`, where the change has others in all its fields of that name, of which the answer has none.
    `doubts` is an expression for sentences that tell what was, or may be.
    """

    places: tuple[str, ...] = ()
    doubts: str = r"(?!)"

    reads: ClassVar[frozenset[str]] = frozenset({"text"})
    needs: ClassVar[frozenset[str]] = frozenset({"change", "figures"})

    def compare(self, turn: Turn, claims: Sequence[Claim]) -> list[Finding]:
        text = unquoted(compared_text(claims))
        changes = [one for one in turn.landed_changes() if not one.effect and turn.nature(one) == "change"]
        for call in changes if text else ():
            addresses = (one for one in _addresses(call, text) if one[0] not in turn.everything())
            for said, shown, start in (*addresses, *self._placed(call, text)):
                sentence = sentence_around(text, start, start + len(said))
                if not expression(self.doubts).search(sentence) and turn.whole():
                    reason = f"the call has {one_line(shown, 60)!r}"
                    return [Finding("contradicted", one_line(said, 60), reason, one_line(sentence, 200), call.id)]
        return []

    def _placed(self, call: Call, text: str) -> Iterator[tuple[str, str, int]]:
        """Numbers of rows, gates and rooms that an answer has, with what the change has, and where they stand."""
        shown: dict[str, set[str]] = {}
        for value in (call.result_value, call.arguments):
            for name, told in islice(scalars(value), MOST):
                if name.lower() in self.places and NUMBER.fullmatch(told):
                    shown.setdefault(name.lower(), set()).add(told)
        for place, numbers in shown.items():
            found = list(re.finditer(rf"(?i)\b{re.escape(place)}[ #:*]{{1,4}}(\d{{1,4}}[A-Z]?)\b", text))
            if found and numbers and all(one[1] not in numbers for one in found):
                yield found[0].group(), f"{place} {', '.join(sorted(numbers))}", found[0].start()


def _addresses(call: Call, text: str) -> Iterator[tuple[str, str, int]]:
    """Numbers that an answer has before the words of an address, with what the change has, and where they stand."""
    values = (one for value in (call.result_value, call.arguments) for _, one in islice(scalars(value), MOST))
    for value in {one for one in values if len(one) <= SHORT}:
        shown = BEFORE.search(value)
        if shown is None or shown.group() in text or shown[2] not in text:
            continue
        for found in re.finditer(rf"(?<![\w-])(\d{{1,5}}[A-Za-z]?) {re.escape(shown[2])}\b", text):
            yield found.group(), shown.group(), found.start()
