"""The thing that an answer names as changed, by a number that looks have given it, must be the one that the call was about."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, ClassVar, NamedTuple

from proxy.audit import Finding
from proxy.auditors.effects import IDENTITY
from proxy.claims import Claim, compared_text
from proxy.fields import words
from proxy.figures import sentence_around, unquoted
from proxy.ledger import UNDONE, Call, Turn
from proxy.patterns import expression
from proxy.results import objects, one_line

NUMBER = re.compile(r"(?<![\w$€£.,:/-])\+?\d[\d ()-]{2,20}\d(?![\w%:/-]|[.,]\d)")
"""What may stand for a thing beside its id: a phone number, the last digits of a card."""
SPACING = re.compile(r"[\s()+-]+")
KIND = re.compile(
    r"(?i)(?:^|[\W_])(?:number|no|nr|ending(?: in| with)?|endend auf|acabada en|terminant par|id|is|in)?[\W_]*$"
)
MOST = 200
"""Things that looks have shown, up to which they are compared."""
TRIED = 40
"""Numbers of an answer, and changes, that are compared."""
LONGEST = 100_000
"""Code points of results that are read for things."""


class Thing(NamedTuple):
    """A thing that a look has shown: the name of the field that holds its id, the id, and its object."""

    key: str
    identity: str
    value: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Aliases:
    """Compare the things that an answer names with those that the turn's changes were given by their ids.

    Looks tell which number belongs to which thing. Told is a sentence that says that something is done to a thing of a kind
    ("roaming is now active on your line 555-0117"), where that number belongs to one thing alone, no change was given its id
    or its number, and the one that was given was of the same kind and is another. `done` is an expression for sentences
    that say that something is done, `doubts` one for those that do not say it flatly.
    """

    done: str = ""
    doubts: str = ""

    reads: ClassVar[frozenset[str]] = frozenset({"text"})
    needs: ClassVar[frozenset[str]] = frozenset({"change", "figures"})

    def compare(self, turn: Turn, claims: Sequence[Claim]) -> list[Finding]:
        changes = [one for one in turn.landed_changes() if not one.effect]
        text = unquoted(compared_text(claims)) if changes else ""
        numbers = {found.group() for found in NUMBER.finditer(text)} if self.done else set()
        if not 0 < len(numbers) <= TRIED or not expression(self.done).search(text):
            return []
        given = "\n".join(f"{one.raw}\n{one.result_text}" for one in turn.calls if turn.nature(one) != "read")
        plain = SPACING.sub("", given)
        open_ = {one for one in numbers if SPACING.sub("", one) not in plain}
        looks = [
            one for one in (*turn.earlier(), *turn.calls) if turn.nature(one) == "read" and one.outcome == "landed"
        ]
        shown = any(one in look.result_text for look in looks for one in open_)
        things = _things(looks) if shown else []
        if not things or any(one.outcome not in UNDONE | {"landed"} for one in turn.calls) or not turn.whole():
            return []
        return list(islice(self._other(turn, text, open_, things, changes, given), 1))

    def _other(
        self, turn: Turn, text: str, numbers: set[str], things: Sequence[Thing], changes: Sequence[Call], given: str
    ) -> Iterator[Finding]:
        """The numbers that belong to another thing than the one that a change was given."""
        pairs = [(call, key, identity) for call in changes[-TRIED:] for key, identity in _given(call, things).items()]
        for number in sorted(numbers):
            meant = [one for one in things if _has(one, number)]
            for call, key, identity in pairs if meant else ():
                kin = {one.identity: one for one in meant if one.key == key}
                if len(kin) != 1 or identity in kin or next(iter(kin)) in given:
                    continue
                (thing,) = kin.values()
                sentence = self._sentence(text, number, thing)
                if sentence and not _changed_before(turn, thing, number):
                    reason = f"{number} is {thing.identity}, and the call was about {identity}"
                    yield Finding("contradicted", number, reason, one_line(sentence, 200), call.id)

    def _sentence(self, text: str, number: str, thing: Thing) -> str:
        """The sentence, or line, that says that something is done to a thing of this kind and number."""
        kinds = {*words(thing.key), *(word for one in _plain(thing.value) for word in words(one))} - {""}
        for found in re.finditer(re.escape(number), text):
            before = KIND.sub("", text[max(0, found.start() - 40) : found.start()])
            sentence = sentence_around(text, *found.span())
            last = words(before)[-1:]
            flat = expression(self.done).search(sentence) and not (
                self.doubts and expression(self.doubts).search(sentence)
            )
            if flat and last and last[0] in kinds:
                return sentence
        return ""


def _things(looks: Sequence[Call]) -> list[Thing]:
    """The things that the conversation's looks have shown, each under every field that holds an id of it."""
    found: list[Thing] = []
    if sum(len(one.result_text) for one in looks) > LONGEST:
        return []
    for call in looks:
        for one in objects(call.result_value):
            for key, value in one.items():
                if IDENTITY.search(key) and isinstance(value, str) and len(value) >= 3 and key.lower().endswith("id"):
                    found.append(Thing(key, value, one))
                    break
        if len(found) > MOST:
            return []
    return found


def _given(call: Call, things: Sequence[Thing]) -> dict[str, str]:
    """The ids that a call was given, by the names of the fields in which looks have such ids."""
    keys = {one.key for one in things}
    named = {key: one for key, one in call.arguments.items() if key in keys and isinstance(one, str)}
    values = {one for one in call.arguments.values() if isinstance(one, str)}
    return {one.key: one.identity for one in things if one.identity in values} | named


def _changed_before(turn: Turn, thing: Thing, number: str) -> bool:
    """Whether a change of an earlier turn may have been about a thing."""
    changes = turn.possible_changes(turn.earlier())
    return any(one.names(thing.identity) or one.names(number) for one in changes)


def _plain(value: Mapping[str, Any]) -> Iterator[str]:
    """The short texts of an object that may say of which kind it is: "savings"."""
    return (one for one in value.values() if isinstance(one, str) and len(one) <= 20 and not any(map(str.isdigit, one)))


def _has(thing: Thing, number: str) -> bool:
    return any(isinstance(one, str) and one.strip() == number for one in thing.value.values())
