"""What an answer says is switched on or off now must stand so in the result of the turn's last change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, ClassVar

from proxy.audit import Finding
from proxy.auditors.asked import FORMER, WISHED
from proxy.auditors.states import LATER, seen_later
from proxy.claims import Claim, compared_text
from proxy.fields import alike, words
from proxy.figures import sentence_around, unquoted
from proxy.ledger import Call, Turn
from proxy.patterns import expression
from proxy.results import objects, one_line
from proxy.roots import name_words

MOST = 60
"""Objects of a result, fields of one, and places of an answer, that are read."""
LONGEST = 20_000
"""Code points of a result that is read."""


@dataclass(frozen=True, slots=True)
class Switches:
    """Compare "with the proxy switched off" with the one field of the last change's result that is called so: `proxied`.

    `said` is an expression with the group `thing` and one of `on` and `off`; `idle` are words of a field's name that say only
    that it is on, `on` and `off` expressions for what a field has, `negates` the words by which "yes" means off. Silent where
    several fields are called so and differ, where the change is still to come, where a later look was about the same thing,
    and in sentences with `doubts`.
    """

    said: str = r"(?!)"
    on: str = r"(?i)on|enabled|active|yes|true"
    off: str = r"(?i)off|disabled|inactive|no|false"
    idle: tuple[str, ...] = ()
    negates: tuple[str, ...] = ()
    doubts: str = r"(?!)"

    reads: ClassVar[frozenset[str]] = frozenset({"text"})
    needs: ClassVar[frozenset[str]] = frozenset({"change"})

    def compare(self, turn: Turn, claims: Sequence[Claim]) -> list[Finding]:
        changes = [one for one in turn.landed_changes() if not one.effect and turn.nature(one) == "change"]
        last = changes[-1] if changes else None
        if last is None or not isinstance(last.result_value, dict) or len(last.result_text) > LONGEST:
            return []
        text = unquoted(compared_text(claims))
        for found in islice(expression(self.said).finditer(text), MOST):
            sentence = sentence_around(text, *found.span())
            told = text[max(text.rfind("\n", 0, found.start()), text.rfind(". ", 0, found.start())) + 1 : found.end()]
            if sentence.endswith("?") or expression(self.doubts).search(told):
                continue
            wanted = found["on"] is not None
            shown = self._shown(words(found["thing"])[-3:], last)
            if shown and wanted not in shown.values() and not seen_later(last, turn):
                reason = f"the result has {next(iter(shown))} {'off' if wanted else 'on'}"
                return [Finding("contradicted", one_line(found["thing"], 60), reason, one_line(sentence, 200), last.id)]
        return []

    def _shown(self, thing: Sequence[str], call: Call) -> dict[str, bool]:
        """The fields of a result that are called as a thing is, each with whether it is on."""
        shown: dict[str, bool] = {}
        everything = f"{call.raw} {call.result_text}".lower()
        for one in islice(objects(call.result_value, 4), MOST):
            if any(LATER.search(name) and told for name, told in one.items()):
                return {}
            for name, told in islice(one.items(), MOST):
                state = self._state(told)
                if state is not None and self._is_called(name, thing, everything):
                    shown[name] = state != any(word in self.negates for word in name_words(name))
        return shown

    def _state(self, told: Any) -> bool | None:
        if isinstance(told, bool):
            return told
        if not isinstance(told, str):
            return None
        return True if expression(self.on).fullmatch(told) else False if expression(self.off).fullmatch(told) else None

    def _is_called(self, name: str, thing: Sequence[str], everything: str) -> bool:
        """Whether all that a field's name tells stands among the words of a thing, its last one at least.

        What else these tell ("email notifications") must stand nowhere, so that it tells no other field apart.
        """
        own = [word for word in words(name) if word not in self.idle and word not in self.negates]
        if not own or name.lower().endswith(("able", "ible")) or FORMER.search(name) or WISHED.search(name):
            return False
        if any(
            len(other) >= 3 and other[:5] in everything for other in thing if not any(_one(word, other) for word in own)
        ):
            return False
        return all(any(_one(word, other) for other in thing) for word in own) and any(
            _one(word, thing[-1]) for word in own
        )


def _one(word: str, other: str) -> bool:
    """Whether two words are forms of one: "proxy" and "proxied", "renewal" and "renew"."""
    return alike(word, other) or (min(len(word), len(other)) >= 4 and word[:4] == other[:4])
