"""A numbered place that an answer tells must be the one of the change's result, and none of another offer beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any, ClassVar, NamedTuple

from proxy.audit import Finding
from proxy.auditors.asked import AIMS, FORMER, MOST, OUTCOMES, Shown, arguments, shown_in
from proxy.auditors.effects import subject_of
from proxy.claims import BY_LINE, Claim, compared_text
from proxy.fields import words
from proxy.figures import sentence_around, unquoted
from proxy.ledger import Call, Turn
from proxy.patterns import Names, expression
from proxy.results import has_word, lists, one_line, scalars
from proxy.spelling import MOMENT

READ, TOLD = 20_000, 40
"""Code points of a result that is read, and places of an answer that are compared."""
CODE = r"(?:[A-Z]{0,4}\d{1,4}[A-Z]?(?:-[A-Z]?\d{1,4}[A-Z]?){0,3}|[A-Z]{1,4}(?:-[A-Z]?\d{1,4}[A-Z]?){1,3}|(?!I\b)[A-Z]{1,2})"
"""What a place goes by: a number, letters and numbers, or a letter."""
PLACE = re.compile(CODE)
TO = r"[*_`]{0,3}(?: ?[–/&-] ?|, (?:and |und |y |et )?| (?:to|and|und|y|et|bis) )[*_`]{0,3}"
"""What stands between two of several."""
BEHIND = (
    r"(?![\w%€$£]|[.,:]\d|-\w| ?(?:[ap]\.?m\b|people|persons|guests|adults|minutes|hours|nights|days|x\b|×|uhr|€|%))"
)
"""What stands behind no place: a unit, or the rest of a time of day or an amount."""
RANGE = re.compile(r"(\d{1,4})[*_`]{0,3}(?: ?[–-] ?| (?:to|bis) )[*_`]{0,3}(\d{1,4})")
SPREAD = 20
"""Places of a range."""
PIECE = re.compile(r"[A-Za-z]+|\d+")
AMOUNT = re.compile(r"-?\d+[.,]\d+")
NUMBERS = frozenset({"number", "no", "nr", "label", "code", "name", "id"})
"""Names under which an object that is called as a place has what it goes by."""
OWN = AIMS | OUTCOMES
"""Words beside the noun in names of fields that have the place that something came to have."""
WHOSE = Names(
    r"(?i)name|passenger|pax|person|guest|holder|owner|customer|user|member|flight|train|leg|segment|journey|trip|event"
    r"|assign|occup|taken|booked|status|state|date|day|time"
)
"""Names of fields by which the entries of a list are of several people, ways or days, or not all free."""
TELLS = 3
"""Code points of a value by which an answer may tell one entry from another."""


class Told(NamedTuple):
    """Places that an answer gives under one noun, the sentence that does, and whether that is about what was changed.

    So is one that begins the answer, or speaks of the reader, and a label.
    """

    noun: str
    values: tuple[str, ...]
    sentence: str
    own: bool


@dataclass(frozen=True, slots=True)
class Places:
    """Compare the seats, rows, rooms and their like that an answer tells with those of the last change's result.

    Told is one that the result has nowhere, in the place of all that it has, where the call was given it under that very
    name, or a look has shown it in a list of offers beside the one that was taken. `nouns` are the words for such places,
    `deeds` is an expression for sentences that say what something came to have, `doubts` one for those that do not, `before`
    one for what stands before the place that something had, `yours` one for sentences that speak of the reader's own.
    """

    nouns: tuple[str, ...] = ()
    deeds: str = r"(?!)"
    doubts: str = r"(?!)"
    before: str = r"(?!)"
    yours: str = r"(?!)"

    reads: ClassVar[frozenset[str]] = frozenset({"text"})
    needs: ClassVar[frozenset[str]] = frozenset({"change"})

    def follow(self, turn: Turn, claims: Sequence[Claim], findings: Sequence[Finding]) -> list[Finding]:
        if any(one.flagged for one in findings):
            return []
        changes = [one for one in turn.sure_changes() if len(one.result_text) <= READ]
        text = unquoted(compared_text(claims, BY_LINE)) if changes and self.nouns else ""
        said = list(self._told(text)) if text else []
        for noun in dict.fromkeys(one.noun for one in said):
            last = next(((call, own) for call in reversed(changes) if (own := _own(call.result_value, noun))), None)
            told = [one for one in said if one.noun == noun]
            if last is None or any(has_word(text, one) for one in last[1]):
                continue
            call, own = last
            values = tuple(dict.fromkeys(value for one in told for value in one.values))[:TOLD]
            if not all(_is_other(value, own) for value in values) or not turn.whole():
                continue
            if any(has_word(one, value) for one in _elsewhere(call, turn) for value in values):
                continue
            given = set(_texts(call.arguments, call.raw))
            if given.isdisjoint(values):
                other = any(one.own for one in told) and _is_offered(values, own, noun, call, turn, text)
            else:
                other = given.isdisjoint(own) and _is_given(values, noun, call)
            if other:
                reason = f"the result has {noun} {', '.join(sorted(own)[:4])}"
                return [Finding("contradicted", subject_of(call), reason, one_line(told[0].sentence, 200), call.id)]
        return []

    def _told(self, text: str) -> Iterator[Told]:
        """The places that an answer says something came to have."""
        for found in islice(_named(self.nouns).finditer(text), TOLD):
            sentence = sentence_around(text, *found.span())
            labelled = found["label"] is not None or found["row"] is not None
            if expression(self.before).search(text[max(0, found.start() - 40) : found.start()]):
                continue
            if expression(self.doubts).search(sentence) or not (labelled or expression(self.deeds).search(sentence)):
                continue
            own = labelled or text.find(sentence) < TELLS or expression(self.yours).search(sentence) is not None
            yield Told(_singular(found["noun"], self.nouns), tuple(_values(found["values"])), sentence, own)


@lru_cache(maxsize=4)
def _named(nouns: tuple[str, ...]) -> re.Pattern[str]:
    """An expression for a noun and the places behind it: "seats 12 and 13", "Row: K", "| Seat | 14C |"."""
    spelled = "|".join(sorted(map(re.escape, nouns), key=len, reverse=True))
    return re.compile(
        rf"(?<![\w-])(?P<noun>(?i:(?:{spelled})(?:e?s)?))(?: (?i:no\.?|nr\.?|number))?"
        rf"(?:(?P<label>[*_]{{0,3}}:[*_]{{0,3}} ?)|(?P<row>[*_]{{0,3}} ?\| ?)| )[*_`#]{{0,3}}"
        rf"(?P<values>{CODE}(?:{TO}{CODE}){{0,8}}){BEHIND}"
    )


def _singular(noun: str, nouns: Sequence[str]) -> str:
    return next((one for one in nouns if noun.lower() in (one, f"{one}s", f"{one}es")), noun.lower())


def _values(text: str) -> Iterator[str]:
    """The single places of several: "12–15" are four."""
    whole = RANGE.fullmatch(text)
    if whole and int(whole[1]) < int(whole[2]) <= int(whole[1]) + SPREAD and not whole[1].startswith("0"):
        yield from map(str, range(int(whole[1]), int(whole[2]) + 1))
    else:
        yield from PLACE.findall(text)


def _own(value: Any, noun: str) -> frozenset[str]:
    """The places that a result has in fields called by a noun; none where one of these is no such code."""
    found = [one for field in shown_in(value)[:MOST] for one in _places(field, noun) if _is_outcome(field, noun)]
    return frozenset(found) if all(PLACE.fullmatch(one) for one in found) else frozenset()


def _places(field: Shown, noun: str) -> Iterator[str]:
    """What a field has that a noun calls; a number under a name of several is how many they are."""
    names, name = _names(field), field.name or field.parent
    if names and _is(names[-1], noun) and not FORMER.search(name):
        value, counted = field.value, bool(field.name) and _is_plural(field.name, noun)
        if isinstance(value, str) and value and not (counted and value.isdecimal()):
            yield from re.split(r"\s*,\s*", value.strip())
        elif type(value) is int and not counted:
            yield str(value)


def _names(field: Shown) -> tuple[str, ...]:
    """The words by which a field is called, those that only say that it holds a number or a name left out."""
    own = words(field.name) if field.name else words(field.parent)
    if field.name and NUMBERS.issuperset(own):
        own = words(field.parent)
    while own and own[-1] in NUMBERS:
        own = own[:-1]
    return own


def _is_outcome(field: Shown, noun: str) -> bool:
    """Whether a name says no more than that it is the place that something came to have: `seat`, `newSeat`."""
    return all(_is(one, noun) or one in OWN for one in _names(field))


def _is(word: str, noun: str) -> bool:
    return word in (noun, f"{noun}e")  # of "boxes", without its ending


def _is_plural(name: str, noun: str) -> bool:
    return re.search(rf"(?i){re.escape(noun)}e?s(?![a-z])", name) is not None


def _pieces(value: str) -> frozenset[str]:
    return frozenset(one.lstrip("0") or "0" for one in PIECE.findall(value.upper()))


def _shape(value: str) -> str:
    return re.sub(r"[A-Z]+", "A", re.sub(r"\d+", "0", value))


def _is_other(value: str, own: frozenset[str]) -> bool:
    """Whether a place is of the same spelling as all that a result has, and no part, or longer form, of any."""
    told = _pieces(value)
    apart = all(not told <= _pieces(one) and not _pieces(one) <= told for one in own)
    return apart and all(_shape(value) == _shape(one) for one in own)


def _elsewhere(call: Call, turn: Turn) -> Iterator[str]:
    """What may speak of such a place as somebody's: the result, later calls, other changes, and what these were given."""
    yield from _texts(call.result_value, call.result_text)
    others = (one for one in turn.recent(call) if turn.nature(one) != "read")
    for one in (*turn.after(call), *others):
        yield from _texts(one.arguments, one.raw)
        yield from _texts(one.result_value, one.result_text)


def _texts(value: Any, text: str) -> Iterator[str]:
    """What a value has, days and amounts aside; a text that is none is itself."""
    if value is None:
        yield text
    else:
        yield from (
            told for _, told in scalars(value, depth=6) if not MOMENT.match(told) and not AMOUNT.fullmatch(told)
        )


def _is_given(values: Sequence[str], noun: str, call: Call) -> bool:
    """Whether a call was given all these places, under the noun alone."""
    fields = [
        Shown(one.name, one.parent, one.value) for one in islice(arguments(call.arguments), MOST) if not one.former
    ]
    own = {value for one in fields for value in _places(one, noun) if _is_outcome(one, noun)}
    return own.issuperset(values)


def _is_offered(values: Sequence[str], own: frozenset[str], noun: str, call: Call, turn: Turn, text: str) -> bool:
    """Whether looks have shown these places only in lists of offers, one of which is what the result has."""
    offered = False
    if any(has_word(one.text, value) for one in turn.before if one.role == "user" for value in values):
        return False
    for look in turn.recent(call) if not any(has_word(turn.asked, value) for value in values) else ():
        shown = shown_in(look.result_value)[:MOST] if turn.nature(look) == "read" else []
        if {value for field in shown for value in _places(field, noun)}.isdisjoint(values):
            continue
        if len(look.result_text) > READ or look.outcome != "landed":
            return False
        if not any(_beside(values, own, noun, *one, text) for one in lists(look.result_value, MOST)):
            return False
        offered = True
    return offered


def _beside(
    values: Sequence[str], own: frozenset[str], noun: str, name: str, entries: Sequence[Any], text: str
) -> bool:
    """Whether a list has one entry with what came of it and others with what is told, of which the answer has nothing else."""
    held = [(one, _of(one, noun, name)) for one in entries[:MOST]]
    mine = [entry for entry, places in held if not places.isdisjoint(own)]
    others = [(entry, places) for entry, places in held if not places.isdisjoint(values)]
    covered = {value for _, places in others for value in places}
    if not mine or not covered.issuperset(values) or any(not places.isdisjoint(own) for _, places in others):
        return False
    if len({_whose(entry) for entry in (*mine, *(one for one, _ in others))}) > 1:
        return False
    shared = {told for entry in mine for _, told in scalars(entry)}.union(values)
    return not any(_speaks_of(entry, shared, text) for entry, _ in others)


def _whose(entry: Any) -> frozenset[str]:
    """By what an entry is somebody's, or one way's or day's."""
    return frozenset(one.name + str(one.value) for one in shown_in(entry)[:MOST] if WHOSE.search(one.name))


def _of(entry: Any, noun: str, name: str) -> set[str]:
    """The places of one entry of a list, which may be one itself."""
    fields = shown_in(entry)[:MOST] if isinstance(entry, dict) else [Shown("", name, entry)]
    return {value for field in fields for value in _places(field, noun)}


def _speaks_of(entry: Any, shared: set[str], text: str) -> bool:
    """Whether an answer has a value that this entry alone has: then it may tell of it as of another one."""
    own = (told for _, told in scalars(entry) if told not in shared and len(told) >= TELLS)
    return any(has_word(text, told) for told in islice(own, MOST))
