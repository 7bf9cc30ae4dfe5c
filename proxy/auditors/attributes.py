"""What an answer calls by the name of a result's field must be what that field has, and no other of its family."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import Any, ClassVar, NamedTuple

from proxy.audit import Finding
from proxy.auditors.asked import AIMED, FORMER, MOST, Shown, shown_in
from proxy.auditors.exchanges import EXCHANGES, NEW
from proxy.auditors.otherwise import LAST
from proxy.claims import BY_LINE, Claim, compared_text
from proxy.figures import sentence_around, unquoted
from proxy.ledger import Call, Turn
from proxy.patterns import Names, expression
from proxy.results import lists, objects, one_line, strings
from proxy.roots import name_roots, root, roots
from proxy.spelling import digits_of, plain

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
YES = re.compile(r"(?i)(?:yes|enabled|activated?|included|added|allowed|true|[✅✓✔])[.!]?")
NO = re.compile(r"(?i)(?:no|off|disabled|inactive|deactivated|not included|excluded|false|[❌✗✘])[.!]?")
"""All that an answer says of a flag."""
FLAGS = {"yes": True, "true": True, "y": True, "no": False, "false": False, "n": False}
PLAIN = roots(
    (
        "total",
        "amount",
        "price",
        "value",
        "count",
        "number",
        "type",
        "status",
        "state",
        "name",
        "note",
        "detail",
        "id",
        "code",
    )
)
"""Roots of names that anything has."""
DIGITS = 6
"""Digits of a number that people are reached by."""
REACHED = Names(r"(?i)phone|mobile|(?:^|_)tel(?:$|_)|cell|fax")
"""Names of numbers that people are reached by."""
KIND = frozenset({"visibilit", "access", "typ", "mod", "privac"})
"""Labels under which an answer tells a flag by its own name: "Visibility: private"."""
WAS = re.compile(
    r"(?i)\b(?:was|were|from|before|previous\w*|former\w*|old|instead|than|until|if|once|will|would|up to|about|around|gone"
    r"|back|replac\w*|remov\w*|broken?|return\w*)\b|→|->"
)
"""Words of a value by which it is no plain one."""
COLOURED = re.compile(r"(?i)label|tag|calendar|event|categor|folder|status")
"""Tools for what has a colour of its own, that nobody speaks of."""
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

    Told is a flag the other way about, and a number to reach somebody by, where the results of the turn have one value under
    that name alone, since the last change. `families` are, by an expression for names of fields, words of one kind of which a
    thing has one: where such a field of a change's result has one that nobody spoke of, the answer must not tell another that
    the user asked for, or was offered. `doubts` is an expression for sentences that do not mean it so. It speaks where no
    other auditor does.
    """

    families: dict[str, tuple[str, ...]] = field(default_factory=dict)
    doubts: str = r"(?!)"

    reads: ClassVar[frozenset[str]] = frozenset({"text"})
    needs: ClassVar[frozenset[str]] = frozenset({"calls"})

    def follow(self, turn: Turn, claims: Sequence[Claim], findings: Sequence[Finding]) -> list[Finding]:
        # what was read before the last change may be so no more
        last = max((one.position for one in turn.possible_changes()), default=-1)
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
            if _is_other(one, own) and turn.legible():
                reason = f"the result has {own.name} {one_line(str(own.value), 60)!r}"
                yield Finding("contradicted", one_line(one.value, 60), reason, one_line(one.quote, 200), own.call.id)

    def _of_family(self, text: str, turn: Turn) -> Iterator[Finding]:
        """A word of a family of which the field of a change's result has another, which nobody has spoken of."""
        changes = turn.landed_changes()
        call = changes[0] if len(changes) == 1 else None
        if call is None or call.effect or call is not turn.calls[-1] or COLOURED.search(call.name) or call.undoes:
            return
        wanted, said = _words(f"{turn.asked}\n{turn.offer()}"), _words(text)
        values = [one for one in shown_in(_own_part(call))[:MOST] if isinstance(one.value, str) and not _is_former(one)]
        there = _words(" ".join(one.value for one in values))
        for name, family in self.families.items():
            fields = [one for one in values if expression(name).search(one.name)]
            got = {each for each in family for one in fields if each in _words(one.value)}
            told = [each for each in family if each in wanted and each not in there and re.search(rf"\b{each}\b", text)]
            if len(got) != 1 or len(told) != 1 or not got.isdisjoint(wanted) or not got.isdisjoint(said):
                continue
            places = re.finditer(rf"(?<![.!?]\s)(?<!\A)\b{told[0]}\b(?! of\b)", text)  # a name is written large
            sentence = next((sentence_around(text, *one.span()) for one in places), "")
            clause = next((one for one in CLAUSES.split(sentence) if told[0] in one), "")
            if clause and not WAS.search(clause) and not expression(self.doubts).search(clause):
                reason = f"the result has {fields[0].name} {one_line(str(fields[0].value), 60)!r}"
                yield Finding("contradicted", told[0], reason, one_line(sentence, 200), call.id)


def _is_former(field: Shown) -> bool:
    """Whether a field, or the object that holds it, is what was there before."""
    return bool(FORMER.search(field.name) or FORMER.search(field.parent))


def _own_part(call: Call) -> Any:
    """What a result has of the thing that is put in another's place, where the call names it; else all of it.

    Nothing of a call that takes a thing in another's place without naming it, and where several are listed: whose colour that
    is, nobody can tell.
    """
    new = {one for key, value in call.arguments.items() if NEW.match(key) for one in strings(value)}
    if new:
        return [one for one in islice(objects(call.result_value), MOST) if not new.isdisjoint(_texts(one))]
    several = any(len(entries) > 1 for _, entries in lists(call.result_value))
    return [] if several or EXCHANGES.search(call.name) else call.result_value


def _texts(thing: Mapping[str, Any]) -> list[str]:
    return [one for one in thing.values() if isinstance(one, str)]


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
    """The flag that a value names, and that is not so: "Visibility: private", of `"private": false`."""
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


def _is_other(told: Named, held: Held) -> bool:
    """Whether a value is surely another than the one that stands under its name."""
    if (flag := _flag(held.value)) is not None:
        if root(told.value.lower()) in name_roots(held.name):
            return not flag
        return (NO if flag else YES).fullmatch(told.value) is not None
    said, there = digits_of(told.value), digits_of(str(held.value))
    long = min(len(said), len(there)) >= DIGITS
    return bool(REACHED.search(held.name)) and long and said[-LAST:] != there[-LAST:]


def _flag(value: Any) -> bool | None:
    """A field that is yes or no; None for one that is neither."""
    return value if isinstance(value, bool) else FLAGS.get(str(value).lower())
