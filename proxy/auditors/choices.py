"""The one of several things that an answer describes must be the one that the change was given."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice
from typing import Any, ClassVar, NamedTuple, TypeAlias

from proxy.audit import Finding
from proxy.auditors.asked import FORMER, shape
from proxy.auditors.effects import IDENTITY, subject_of
from proxy.auditors.states import STATE
from proxy.claims import Claim, compared_text
from proxy.figures import clocks, sentence_around
from proxy.ledger import Call, Turn
from proxy.patterns import expression
from proxy.results import Result, has_word, named_strings, one_line
from proxy.spelling import ID, MOMENT, places

WORD = re.compile(r"\w{2,}")
TRANSFERS = re.compile(r"(?i)transfer|send_(?:money|payment|domestic)|\bpay|payment|wire|remit")
"""Tools that move something from one place to another."""
FORMERLY = re.compile(r"(?i)\b(?:mov|chang|switch|swapp|updat)ed from\b[^.;!?\n]{1,80}?\bto\b")
"""What was there before: "changed from Utrecht to Delft"."""
WAS = re.compile(
    r"(?i)\b(?:from|was|were|not|no longer|instead of|rather than|than|old|former|previous|out of|von|statt|de|antes|avant)\b"
    r"[\W_]*(?:(?:the|your|seat|room|gate|row|sitz|asiento|siège)[\W_]+)*$"
)
"""What stands before a code that was left for another one."""
CODE, SHORT = re.compile(r"(?<![\w-])[A-Za-z0-9]{2,6}(?![\w-])"), 6
"""A seat, a room or a gate, and how long one is at most."""
RUN = re.compile(r"\w+")
MOST = 60
"""Things of one list, and lists of one result, that are compared."""
OFFERS = 200
"""Things of all calls whose lists are compared."""
REACH = 20_000
"""Code points of a result in which values are looked for."""


class Thing(NamedTuple):
    """An entry of a list that a look has shown: what it is called by, and what is told of it."""

    names: frozenset[str]
    facts: Mapping[str, Any]


Offered: TypeAlias = Sequence[tuple[str, Mapping[str, Any]]]
"""The things of one list, each with the key that it stands under, if any."""


@dataclass(frozen=True, slots=True)
class Choices:
    """Compare what an answer tells of a choice with the things that a look has offered: slots, variants, rooms, accounts.

    A landed change names one of them by its id. Told is an answer that has nothing of what sets this one apart, and at least
    half of what sets another one apart that no call of the turn names. `doubts` is an expression for sentences that may
    speak of what was not taken.
    """

    doubts: str = ""

    reads: ClassVar[frozenset[str]] = frozenset({"text"})
    needs: ClassVar[frozenset[str]] = frozenset({"change"})

    def compare(self, turn: Turn, claims: Sequence[Claim]) -> list[Finding]:
        text = compared_text(claims)
        changes = turn.sure_changes()
        if not text or not changes or len(turn.calls) != len({one.id for one in turn.calls}):
            return []
        named = "\n".join(f"{one.raw}\n{one.result_text}" for one in changes)
        findings: dict[str, Finding] = {}
        offers = ((call, *offer) for call in changes for offer in _offers(call, turn))
        for call, chosen, offered in islice(offers, OFFERS):
            if _named(chosen, text):
                continue
            if told := self._mistaken(call, chosen, [_thing(*one) for one in offered], named, text):
                shown = ", ".join(one_line(str(one), 40) for one in list(chosen.facts.values())[:3])
                reason = f"the call was given {min(chosen.names)}: {shown}"
                findings.setdefault(
                    call.id, Finding("contradicted", subject_of(call), reason, one_line(told, 200), call.id)
                )
        unknown = _Codes(turn, text)
        for call in changes:
            if call.id not in findings and (found := self._coded(call, turn, text, unknown)) is not None:
                findings[call.id] = found
        return list(findings.values())

    def _coded(self, call: Call, turn: Turn, text: str, unknown: _Codes) -> Finding | None:
        """A code that the answer tells in the place of the one that a call was given: seat 14B, where it was 14D."""
        for name, value in call.arguments.items():
            short = isinstance(value, str) and 1 < len(value) <= SHORT and value in call.result_text
            if not short or FORMER.search(name) or has_word(text, value) or shape(value) == value:
                continue
            left = unknown.like(value)
            sentence = _sentence(left[0], text) if len(left) == 1 else ""
            if sentence and not (self._doubted(sentence, call) or _is_former(left[0], text)) and turn.whole():
                reason = f"the call was given {name} {value}"
                return Finding("contradicted", left[0], reason, one_line(sentence, 200), call.id)
        return None

    def _mistaken(self, call: Call, chosen: Thing, offered: Sequence[Thing], named: str, text: str) -> str:
        """The sentence that tells of another thing than the one that was chosen; empty where none surely does."""
        taken = [one for one in offered if _named(one, named)]
        former = {value for one in taken if one != chosen for value in one.facts.values()}
        shown = call.result_text[:REACH]  # what it has is of another thing that it is about
        for other in (one for one in offered if not _named(one, named)):
            apart = [key for key, value in other.facts.items() if key in chosen.facts and chosen.facts[key] != value]
            if any(_hinted(chosen.facts[key], other.facts[key], text) for key in apart):
                continue
            left = [other.facts[key] for key in apart if other.facts[key] not in former]
            told = [_sentence(one, text) for one in left if not (isinstance(one, str) and any(places(one, shown)))]
            told = [one for one in told if one and not self._doubted(one, call)]
            if told and len(told) * 2 >= len(apart):
                return told[0]
        return ""

    def _doubted(self, sentence: str, call: Call) -> bool:
        """Whether a sentence may speak of what was not taken; where money comes from is no former thing."""
        said = sentence.replace(" from ", " ") if TRANSFERS.search(call.name) else sentence
        return bool(self.doubts) and expression(self.doubts).search(said) is not None


class _Codes:
    """The codes of an answer that stand in no call; they are looked for once, when one is first asked for."""

    def __init__(self, turn: Turn, text: str) -> None:
        self._turn, self._text = turn, text

    def like(self, value: str) -> Sequence[str]:
        """Those of one shape."""
        return self._by_shape.get(shape(value), ())

    @cached_property
    def _by_shape(self) -> dict[str, list[str]]:
        shapes = {one: shape(one) for one in set(CODE.findall(self._text))}
        coded = [one for one, like in shapes.items() if like != one]
        calls = (*self._turn.calls, *self._turn.earlier()) if coded else ()
        known = {word for one in calls for told in (one.raw, one.result_text) for word in RUN.findall(told)}
        found: dict[str, list[str]] = {}
        for one in coded:
            if one not in known:
                found.setdefault(shapes[one], []).append(one)
        return found


def _is_former(code: str, text: str) -> bool:
    """Whether an answer has a code as what was there before: "moved from 14B"."""
    return any(WAS.search(text[max(0, start - 24) : start]) for start, _ in places(code, text))


def _offers(call: Call, turn: Turn) -> Iterator[tuple[Thing, Offered]]:
    """The things that a call was given by their ids, each with the list in which the last look before it has shown it."""
    replaced = {name.removeprefix("new_") for name in call.arguments if name.startswith("new_")}
    given = [
        text
        for name, value in call.arguments.items()
        if name not in replaced and (not FORMER.search(name) or TRANSFERS.search(call.name))
        for _, text in named_strings(value)
        if 3 <= len(text) <= 60
    ]
    for name in dict.fromkeys(given[:MOST]):
        seen = next((one for one in turn.recent(call) if name in one.result_text and _tells(one)), None)
        for offered in seen.result.once(_lists) if seen is not None and seen.result is not None else ():
            own = [one for one in offered if _is_called(name, *one)]
            if len(own) == 1:
                yield _thing(*own[0]), offered
    yield from _by_values(call, turn)


def _tells(call: Call) -> bool:
    """Whether a result may hold a list: JSON, or rows."""
    return call.result_value is not None or call.result_text.count("|") > 1


def _by_values(call: Call, turn: Turn) -> Iterator[tuple[Thing, Offered]]:
    """The thing that has two values or more of a call under the same names, in the list of the last look before it."""
    given = {name: one for name, one in call.arguments.items() if isinstance(one, (str, int)) and one != ""}
    seen = next((one for one in turn.recent(call) if one.result_value is not None), None)
    for offered in seen.result.once(_lists) if len(given) > 1 and seen is not None and seen.result is not None else ():
        alike = [
            (key, one)
            for key, one in offered
            if sum(name in one and str(one[name]) == str(value) for name, value in given.items()) > 1
        ]
        others = [one for _, one in offered if one is not alike[0][1]] if len(alike) == 1 else []
        own = {str(one) for one in alike[0][1].values()} if others else set()
        names = own.intersection(map(str, given.values())) - {str(one) for other in others for one in other.values()}
        if names:
            yield Thing(frozenset(names), _thing(*alike[0]).facts), offered


def _lists(result: Result) -> list[Offered]:
    """The lists of alike things in a result: lists of objects, objects of objects or of names by their ids, rows of a text."""
    return list(_lists_in(result.value, 5)) if result.value is not None else list(_rows(result.text[:REACH]))


def _rows(text: str) -> Iterator[Offered]:
    """The rows of a text that begin with an id: "usr_118 | Tom Becker | Sales"."""
    rows = [[cell.strip() for cell in line.split("|")] for line in text.splitlines() if "|" in line][:MOST]
    named = [
        (cells[0], dict(zip(map(str, range(len(cells))), cells[1:], strict=False)))
        for cells in rows
        if ID.fullmatch(cells[0])
    ]
    if len(named) > 1 and len({len(one) for _, one in named}) == 1:
        yield named


def _lists_in(value: Any, depth: int) -> Iterator[Offered]:
    if isinstance(value, list):
        entries = [("", one) for one in value[:MOST]]
    else:
        entries = list(islice(value.items(), MOST)) if isinstance(value, dict) else []
    if len(entries) > 1 and all(isinstance(one, dict) for _, one in entries):
        yield entries
    elif len(entries) > 1 and all(ID.fullmatch(key) and isinstance(one, str) for key, one in entries):
        yield [(key, {"name": one}) for key, one in entries]  # {"BR-07": "Market Street", "BR-12": "Hospital"}
    for _, one in entries if depth else ():
        if isinstance(one, (dict, list)):
            yield from _lists_in(one, depth - 1)


def _is_called(name: str, key: str, value: Mapping[str, Any]) -> bool:
    """Whether a thing of a list has a name as its key or as one of its ids."""
    return key == name or any(one == name and IDENTITY.search(at) for at, one in value.items())


def _thing(name: str, value: Mapping[str, Any]) -> Thing:
    names = {one for key, one in value.items() if isinstance(one, str) and one and IDENTITY.search(key)}
    return Thing(frozenset({*names, name} - {""}), dict(_facts(value)))


def _facts(value: Mapping[str, Any], depth: int = 1) -> Iterator[tuple[str, Any]]:
    """What tells a thing from others: words, times and prices; no ids, counts and switches, and no state: it changes."""
    for key, one in value.items():
        if isinstance(one, dict) and depth:
            yield from _facts(one, depth - 1)
        if STATE.search(key):
            continue
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
    pieces = _words(str(value)) - _words(str(other))
    return not pieces.isdisjoint(_words(text)) or any(places(value, text))


@lru_cache(maxsize=64)  # one answer is held against many values
def _words(text: str) -> frozenset[str]:
    return frozenset(WORD.findall(text.casefold()))


def _sentence(value: Any, text: str) -> str:
    """The sentence of an answer that has a value; empty where none has."""
    place = next(places(value, text), None)
    if place is None:
        return ""
    sentence = sentence_around(text, *place)
    after = FORMERLY.sub("to", sentence)
    return after if any(places(value, after)) else sentence
