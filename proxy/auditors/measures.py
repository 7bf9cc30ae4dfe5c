"""A quantity with a unit that an answer says was dealt with must be the one that the change was given."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar

from proxy.amounts import numbers
from proxy.audit import Finding
from proxy.claims import Claim, answer_text
from proxy.fields import words
from proxy.ledger import UNDONE, Call, Turn
from proxy.patterns import expression
from proxy.results import one_line, scalars

PARTS = re.compile(r"\n|[.,;!?](?=\s)|\s(?:and|but|while|so)\s|[()]")
"""Between what one quantity and what another is said of."""
NEAR = 0.006
RESULT = 40_000
"""Code points of a result that is compared; what is longer is left alone."""
MOST = 40


@dataclass(frozen=True, slots=True)
class Measures:
    """Compare "I've added 2 GB" with the one quantity of that unit which the turn's one change was given, and its result.

    Told is another number, whoever has spoken of it before, where the unit stands in the argument's name or value and no
    number of that unit in the change is, or with another gives, the number told, and the answer does not tell the change's
    own. `measure` is an expression with the groups `number` and `unit`; `doubts` is one for stretches that do not mean it so
    exactly.
    """

    measure: str = ""
    doubts: str = ""

    reads: ClassVar[frozenset[str]] = frozenset({"action", "text"})
    needs: ClassVar[frozenset[str]] = frozenset({"figures"})

    def compare(self, turn: Turn, claims: Sequence[Claim]) -> list[Finding]:
        changes = [call for call in turn.calls if turn.nature(call) != "read" and call.outcome not in UNDONE]
        deeds = [one for one in claims if one.kind == "action" and one.stance == "asserted" and "active" in one.fields]
        if len(changes) != 1 or not deeds or not self.measure or changes[0].outcome != "landed":
            return []
        call, text = changes[0], answer_text(claims)
        findings: dict[str, Finding] = {}
        for claim in deeds[:MOST]:
            for part in PARTS.split(claim.quote):
                said = list(expression(self.measure).finditer(part))
                if len(said) != 1 or claim.fields.get("verb", "").lower() not in part.lower():
                    continue
                if self.doubts and expression(self.doubts).search(part):
                    continue
                unit, told = said[0]["unit"].lower(), set(numbers([said[0]["number"]]))
                given = set(_given(dict(call.arguments), unit))
                if self._otherwise(told, unit, given, call, text) and turn.whole() and not _again(call, turn):
                    reason = f"the call was given {', '.join(f'{one:g}' for one in sorted(given))} {said[0]['unit']}"
                    subject = said[0].group().strip()
                    findings.setdefault(
                        subject, Finding("contradicted", subject, reason, one_line(claim.quote, 200), call.id)
                    )
        return list(findings.values())

    def _otherwise(self, told: set[float], unit: str, given: set[float], call: Call, text: str) -> bool:
        """Whether a number is none of a change's in its unit, nor one that two of them give."""
        if len(given) != 1 or not told or len(call.result_text) > RESULT:
            return False
        there = given | set(_given(call.result_value, unit))
        there |= {
            one
            for found in expression(self.measure).finditer(call.result_text[:RESULT])
            for one in numbers([found["number"]])
        }
        if len(there) > MOST or any(float(one) in given for one in self._stated(text, unit)):
            return False
        there |= {abs(a + sign * b) for a, b in combinations(sorted(there), 2) for sign in (1, -1)}
        scales = (1, 10, 60, 100, 1_000, 1_024)
        return not any(_is(a, b * times) or _is(a * times, b) for a in told for b in there for times in scales)

    def _stated(self, text: str, unit: str) -> Iterator[float]:
        for found in expression(self.measure).finditer(text):
            yield from numbers([found["number"]]) if found["unit"].lower() == unit else ()


def _again(call: Call, turn: Turn) -> bool:
    """Whether the tool was called before: what it did in both may be told together."""
    return any(one.name == call.name for one in turn.earlier())


def _given(value: Any, unit: str) -> Iterator[float]:
    """The numbers of a unit in a JSON value: by the words of their names, or beside them."""
    for name, one in scalars(value):
        named = unit in words(name) and re.fullmatch(r"-?[\d.,]+", one)
        beside = re.fullmatch(rf"(?i)([\d.,]+)\s?{re.escape(unit)}", one)
        if named or beside:
            yield from map(abs, numbers([beside[1] if beside else one]))


def _is(one: float, other: float) -> bool:
    return abs(one - other) <= NEAR * max(abs(one), abs(other), 0.01)
