"""What an answer calls by the name of a result's field must be what that field has, and no other of its family."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, ClassVar, NamedTuple

from proxy.audit import Finding
from proxy.auditors.asked import AIMED, FORMER, MOST, ZONED, one_number, shown_in
from proxy.auditors.effects import NEW, number_of
from proxy.claims import BY_LINE, Claim, compared_text
from proxy.figures import ZONES, Figure, clocks, figures, sentence_around, unquoted
from proxy.ledger import Call, Turn
from proxy.patterns import expression
from proxy.results import objects, one_line, strings
from proxy.roots import name_roots, root, tokens
from proxy.spelling import digits_of, plain, plain_text

LABEL = re.compile(
    r"^[^\w\n]{0,12}(?:\d+[.)]\s)?[^\w\n]{0,6}(?P<label>[^\W\d_][\w /'’-]{1,40}?)[*_`]{0,3}\s?[:：][*_`]{0,3}\s?"
    r"(?P<value>[^\n]{1,80})$",
    re.M,
)
ROW = re.compile(
    r"^\s{0,3}\|\s{0,3}(?P<label>[^|\n]{2,40}?)\s{0,9}\|\s{0,3}(?P<value>[^|\n]{1,80}?)\s{0,9}\|\s{0,3}$", re.M
)
IS = re.compile(
    r"(?i)\b(?:your|the|its|their|with|and) (?P<label>(?:[a-z-]+ ){0,2}[a-z-]+) (?:is|are) (?:now |still |currently )?"
    r"(?P<value>[^,;.\n]{1,40}(?:\.\d[^,;.\n]{0,20})?)"
)
"""How an answer gives a value by a name: a line, a row of two cells, a sentence."""
YES = re.compile(
    r"(?i)\W*(?:yes|on|enabled|active|activated|included|added|allowed|true)\b(?! request)|\s*(?:✅|✓|✔)\s*$"
)
NO = re.compile(
    r"(?i)\W*(?:no|none|off|disabled|inactive|deactivated|not \w+|without|false|declined|excluded)\b|\s*[❌✗✘]\s*$"
)
FLAGS = {"yes": True, "true": True, "y": True, "no": False, "false": False, "n": False}
PLAIN = frozenset(
    {
        "total",
        "amount",
        "price",
        "cost",
        "sum",
        "valu",
        "count",
        "number",
        "quantit",
        "siz",
        "length",
        "tim",
        "dat",
        "statu",
    }
    | {
        "stat",
        "nam",
        "typ",
        "not",
        "detail",
        "id",
        "referenc",
        "cod",
        "sav",
        "balanc",
        "refund",
        "chang",
        "duration",
        "item",
    }
)
"""Roots of names that anything has; what is told under them may be reckoned."""
DIGITS, LAST = 6, 7
"""Digits of a number that people are reached by, and the last ones by which two are one."""
LETTERED = re.compile(r"[A-Za-z]{3}|\d-\d\d-\d|:")
"""What no such number has."""
KIND = frozenset({"visibilit", "access", "typ", "mod", "privac"})
"""Labels under which an answer tells a flag by its own name: "Visibility: private"."""
WAS = re.compile(
    r"(?i)\b(?:was|were|from|before|previous\w*|former\w*|old|instead|than|until|if|once|will|would|up to|about|around)\b|→|->"
)
"""Words of a value by which it is no plain one."""
CLAUSES = re.compile(r"[,;:\n]\s")
LONGEST = 20_000
"""Code points of a result that is read."""


class Named(NamedTuple):
    """A value that an answer gives by a name: by which words, where, and the sentence or line around it."""

    label: frozenset[str]
    last: str
    value: str
    quote: str


class Held(NamedTuple):
    """The one value that the results of a turn have under a name."""

    name: str
    value: Any
    call: Call


@dataclass(frozen=True, slots=True)
class Attributes:
    """Compare the values that an answer gives by name with the fields of the turn's results that are called just so.

    Told is a flag the other way about, a number to reach somebody by, a time of day, or a number, where the results of the
    turn have one value under that name alone, since the last change. `families` are words of one kind, of which a thing has
    one: of a family of which the result of a change has one and no other, the answer must not tell another, which the user
    asked for or was offered. `doubts` is an expression for sentences that do not mean it so. It speaks where no other does.
    """

    families: tuple[tuple[str, ...], ...] = ()
    doubts: str = r"(?!)"

    reads: ClassVar[frozenset[str]] = frozenset({"text"})
    needs: ClassVar[frozenset[str]] = frozenset({"calls"})

    def follow(self, turn: Turn, claims: Sequence[Claim], findings: Sequence[Finding]) -> list[Finding]:
        last = max(
            (one.position for one in turn.possible_changes()), default=-1
        )  # what was read before may be so no more
        shown = [one for one in turn.calls if one.position >= last and one.outcome == "landed" and one.result_value]
        if not shown or any(one.flagged for one in findings) or sum(len(one.result_text) for one in shown) > LONGEST:
            return []
        text = unquoted(compared_text(claims, BY_LINE))
        held = _held(shown) if text else {}
        return list(islice(chain(self._named(text, held, turn), self._of_family(text, turn)), 1)) if held else []

    def _named(self, text: str, held: dict[frozenset[str], Held | None], turn: Turn) -> Iterator[Finding]:
        """Values that stand otherwise under their own name."""
        for one in _given(text):
            own = held.get(one.label) or _flagged(one, held)
            if own is None or WAS.search(one.value) or expression(self.doubts).search(one.quote):
                continue
            if _is_other(one, own, turn) and turn.legible():
                reason = f"the result has {own.name} {one_line(str(own.value), 60)!r}"
                yield Finding("contradicted", one_line(one.value, 60), reason, one_line(one.quote, 200), own.call.id)

    def _of_family(self, text: str, turn: Turn) -> Iterator[Finding]:
        """A word of a family of which a change's result has another."""
        changes = turn.landed_changes()
        if len(changes) != 1 or not self.families or changes[0].effect or changes[0] is not turn.calls[-1]:
            return
        call, part = changes[0], _own_part(changes[0])
        said, wanted = _words(text), _words(f"{turn.asked}\n{turn.offer()}")
        values = [
            one
            for one in shown_in(part)[:MOST]
            if isinstance(one.value, str) and not (FORMER.search(one.name) or FORMER.search(one.parent))
        ]
        there = _words(f"{' '.join(one.value for one in values)} {plain_text(call.raw)}")
        for family in self.families:
            kin = {words_: each for each in family for words_ in [frozenset(each.split())]}
            told = [each for words_, each in kin.items() if words_ <= said and words_ <= wanted and not words_ <= there]
            got = {each for words_, each in kin.items() if words_ <= there and not words_ <= said}
            if len(told) != 1 or len(got) != 1:
                continue
            other = got.pop()
            field = next(
                (one for one in values if plain(one.value) == other or set(other.split()) <= _words(one.value)), None
            )
            found = re.search(rf"(?i)\b{re.escape(told[0]).replace(chr(92) + ' ', '[ -]')}\b", text)
            if field is None or found is None:
                continue
            sentence = sentence_around(text, *found.span())
            clause = next((one for one in CLAUSES.split(sentence) if found.group() in one), sentence)
            if not WAS.search(clause) and not expression(self.doubts).search(clause):
                reason = f"the result has {field.name} {one_line(str(field.value), 60)!r}"
                yield Finding("contradicted", told[0], reason, one_line(sentence, 200), call.id)


def _own_part(call: Call) -> Any:
    """What a result has of the thing that is put in another's place, where the call names it; else all of it."""
    new = {one for key, value in call.arguments.items() if NEW.match(key) for one in strings(value)}
    own = (
        [
            one
            for one in islice(objects(call.result_value), MOST)
            if any(told in new for told in one.values() if isinstance(told, str))
        ]
        if new
        else []
    )
    return own if new else call.result_value


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[^\W\d_]+", text.casefold()))


def _held(calls: Sequence[Call]) -> dict[frozenset[str], Held | None]:
    """What results have under a name, by the roots of its words; None where it is several values."""
    found: dict[frozenset[str], Held | None] = {}
    for call in calls:
        for one in shown_in(call.result_value)[:MOST]:
            if isinstance(one.value, (dict, list)) or one.value is None or one.value == "" or FORMER.search(one.name):
                continue
            for name in {one.name, f"{one.parent}_{one.name}" if one.parent else one.name}:
                words = name_roots(name) - AIMED
                known = found.get(words)
                same = words not in found or (known is not None and plain(known.value) == plain(one.value))
                found[words] = Held(one.name, one.value, call) if same else None
    return found


def _flagged(told: Named, held: Mapping[frozenset[str], Held | None]) -> Held | None:
    """The flag that the last word of a label names ("Travel insurance"), or that a value does: "Visibility: private"."""
    own = held.get(frozenset({told.last}))
    if own is not None and _flag(own.value) is not None and told.last not in PLAIN:
        return own
    named = held.get(frozenset({root(told.value.lower())})) if told.last in KIND else None
    return named if named is not None and named.value is False else None


def _given(text: str) -> Iterator[Named]:
    """The values that an answer gives by name."""
    for pattern in (LABEL, ROW, IS):
        for found in islice(pattern.finditer(text), MOST):
            words = [root(one) for one in found["label"].lower().replace("-", " ").split()]
            label = frozenset(words) - AIMED
            quote = sentence_around(text, *found.span("value")) if pattern is IS else found.group()
            if label and not label <= PLAIN:
                yield Named(label, words[-1], found["value"].strip(" *_`"), quote)


def _is_other(told: Named, held: Held, turn: Turn) -> bool:
    """Whether a value is surely another than the one that stands under its name."""
    if (flag := _flag(held.value)) is not None:
        if root(told.value.lower()) in name_roots(held.name):
            return not flag
        return (NO if flag else YES).match(told.value) is not None
    there = str(held.value)
    times, own = ({minute for _, _, minute in clocks(one)} for one in (told.value, there))
    if times and own:
        zoned = ZONED.search(there) or ZONES.search(turn.everything())
        halves = {minute % 720 for minute in own}
        return not zoned and not any(one % 720 in halves for one in times) and not _shown(times, turn)
    reached, own_digits = digits_of(told.value), digits_of(there)
    if isinstance(held.value, str) and min(len(reached), len(own_digits)) >= DIGITS:
        return reached[-LAST:] != own_digits[-LAST:] and not LETTERED.search(f"{there}{told.value}")
    number = number_of(held.value)
    said = [one for one in figures(told.value) if one.values]
    return number is not None and len(said) == 1 and not own and _is_other_number(said[0], number, told, turn)


def _flag(value: Any) -> bool | None:
    """A field that is yes or no; None for one that is neither."""
    return value if isinstance(value, bool) else FLAGS.get(str(value).lower())


def _shown(times: set[int], turn: Turn) -> bool:
    """Whether a result of the turn has one of some times of day."""
    there = {minute % 720 for call in turn.calls for _, _, minute in clocks(call.result_text[:LONGEST])}
    return not there.isdisjoint(minute % 720 for minute in times)


def _is_other_number(said: Figure, number: float, told: Named, turn: Turn) -> bool:
    """Whether a figure is not the number of its name in any unit, and stands nowhere in the conversation."""
    if said.vague or len(told.value) > len(said.text) + 12 or any(one_number(value, number) for value in said.values):
        return False
    if any(abs(abs(number) - value) < max(said.step, 1e-9) for value in said.values):
        return False
    return said.text not in turn.everything() and tokens(told.value).isdisjoint(("minut", "hour", "day"))
