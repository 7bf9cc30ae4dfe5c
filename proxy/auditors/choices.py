"""The one of several things that an answer describes must be the one that the change was given."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, ClassVar, NamedTuple

from proxy.audit import Finding
from proxy.auditors.effects import IDENTITY, subject_of
from proxy.auditors.unmet import FORMER, MOMENT, places
from proxy.claims import Claim, compared_text
from proxy.figures import clocks, sentence_around
from proxy.ledger import Call, Turn
from proxy.patterns import expression
from proxy.results import named_strings, one_line

MOST = 60
"""Things of one list, and lists of one result, that are compared."""
OFFERS = 200
"""Things of all calls whose lists are compared."""


class Thing(NamedTuple):
    """An entry of a list that a look has shown: what it is called by, and what is told of it."""

    names: frozenset[str]
    facts: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Choices:
    """Compare what an answer tells of a choice with the things that a look has offered: slots, variants, rooms, accounts.

    A landed change names one of them by its id. Told is an answer that has nothing of what sets this one apart, and at least
    half of what sets another one apart that no call of the turn names. `doubts` is an expression for sentences that may
    speak of what was not taken.
    """

    doubts: str = ""

    reads: ClassVar[frozenset[str]] = frozenset({"text"})

    def compare(self, turn: Turn, claims: Sequence[Claim]) -> list[Finding]:
        text = compared_text(claims)
        changes = [one for one in turn.landed_changes() if not one.effect and turn.nature(one) == "change"]
        if not text or not changes or len(turn.calls) != len({one.id for one in turn.calls}):
            return []
        named = "\n".join(f"{one.raw}\n{one.result_text}" for one in changes)
        findings: dict[str, Finding] = {}
        offers = ((call, *offer) for call in changes for offer in _offers(call, turn))
        for call, chosen, offered in islice(offers, OFFERS):
            told = self._mistaken(chosen, [one for one in offered if not _named(one, named)], offered, named, text)
            if told:
                shown = ", ".join(one_line(str(one), 40) for one in list(chosen.facts.values())[:3])
                reason = f"the call was given {min(chosen.names)}: {shown}"
                findings.setdefault(
                    call.id, Finding("contradicted", subject_of(call), reason, one_line(told, 200), call.id)
                )
        return list(findings.values())

    def _mistaken(self, chosen: Thing, others: Sequence[Thing], offered: Sequence[Thing], named: str, text: str) -> str:
        """The sentence that tells of another thing than the one that was chosen; empty where none surely does."""
        if any(name in text for name in chosen.names):
            return ""
        former = {value for one in offered if one is not chosen and _named(one, named) for value in one.facts.values()}
        for other in others:
            apart = [key for key, value in other.facts.items() if key in chosen.facts and chosen.facts[key] != value]
            if any(_hinted(chosen.facts[key], other.facts[key], text) for key in apart):
                continue
            told = [_sentence(other.facts[key], text) for key in apart if other.facts[key] not in former]
            told = [one for one in told if one and not (self.doubts and expression(self.doubts).search(one))]
            if told and len(told) * 2 >= len(apart):
                return told[0]
        return ""


def _offers(call: Call, turn: Turn) -> Iterator[tuple[Thing, list[Thing]]]:
    """The things that a call was given by their ids, each with the list in which the last look before it has shown it."""
    given = [
        text
        for name, value in call.arguments.items()
        if not FORMER.search(name)
        for _, text in named_strings(value)
        if 3 <= len(text) <= 60
    ]
    for name in dict.fromkeys(given[:MOST]):
        seen = next(
            (one for one in turn.calls_before(call) if name in one.result_text and one.result_value is not None), None
        )
        for entries in _lists_with(name, seen.result_value) if seen is not None else ():
            things = [_thing(one, key) for key, one in entries]
            yield next(one for one in things if name in one.names), things


def _lists_with(name: str, value: Any, depth: int = 5) -> Iterator[list[tuple[str, dict[str, Any]]]]:
    """The lists of alike things that have one of a name: lists of objects, and objects of objects by their ids."""
    if isinstance(value, list):
        entries = [("", one) for one in value[:MOST]]
    elif isinstance(value, dict):
        entries = list(islice(value.items(), MOST))
    else:
        return
    if len(entries) > 1 and all(isinstance(one, dict) for _, one in entries):
        named = [
            key == name or any(one == name and IDENTITY.search(at) for at, one in own.items()) for key, own in entries
        ]
        yield from [entries] if sum(named) == 1 else ()
    for _, one in entries if depth else ():
        yield from _lists_with(name, one, depth - 1)


def _thing(value: Mapping[str, Any], name: str = "") -> Thing:
    names = {one for key, one in value.items() if isinstance(one, str) and one and IDENTITY.search(key)}
    return Thing(frozenset({*names, name} - {""}), dict(_facts(value)))


def _facts(value: Mapping[str, Any], depth: int = 1) -> Iterator[tuple[str, Any]]:
    """What tells a thing from others: words, times and prices; no ids, counts and switches."""
    for key, one in value.items():
        if isinstance(one, dict) and depth:
            yield from _facts(one, depth - 1)
        worded = isinstance(one, str) and 3 <= len(one) <= 60 and (not IDENTITY.search(key) or key == "name")
        if worded or (isinstance(one, float) and not one.is_integer()):
            yield key, one


def _named(thing: Thing, text: str) -> bool:
    """Whether a call of the turn, or its result, names a thing."""
    return any(name in text for name in thing.names)


def _hinted(value: Any, other: Any, text: str) -> bool:
    """Whether an answer has anything of a value that another one has not: a surname, a time of day."""
    if isinstance(value, str) and MOMENT.fullmatch(value) and len(value) > 10:
        hour, minute = int(value[11:13]), int(value[14:16])
        if str(other)[11:16] != value[11:16] and any(told == hour * 60 + minute for _, _, told in clocks(text)):
            return True
    pieces = set(re.findall(r"\w{2,}", str(value).casefold())) - set(re.findall(r"\w{2,}", str(other).casefold()))
    said = set(re.findall(r"\w{2,}", text.casefold()))
    return next(places(value, text), None) is not None or not pieces.isdisjoint(said)


def _sentence(value: Any, text: str) -> str:
    """The sentence of an answer that has a value; empty where none has."""
    place = next(places(value, text), None)
    return "" if place is None else sentence_around(text, *place)
