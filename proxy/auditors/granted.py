"""What a result says was granted, beside what was requested, must be what is told; and nothing that it says was ignored."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, ClassVar

from proxy.audit import Finding
from proxy.auditors.asked import one_number
from proxy.auditors.effects import IDENTITY, number_of, subject_of
from proxy.claims import Claim, compared_text
from proxy.figures import sentences_around, unquoted
from proxy.ledger import Call, Turn
from proxy.patterns import NEVER, expression
from proxy.results import folded, objects, one_line, scalars
from proxy.roots import name_roots, name_words, root
from proxy.spelling import places

IGNORED = frozenset(
    ("ignored", "skipped", "unsupported", "unrecognized", "dropped", "rejected", "unapplied", "unknown")
)
NAMES = frozenset(
    ("fields", "field", "params", "parameters", "properties", "keys", "attributes", "args", "arguments", "options")
)
"""Words by which a field lists what was left alone of what a call was given."""
ON = frozenset(("enabled", "active", "activated", "enrolled", "subscribed"))
"""Flags of a thing that was to be switched on."""
SWITCHES = frozenset(map(root, ("enroll", "enable", "activate", "subscribe")))
"""What a tool does that switches something on."""
GRANTED = frozenset(("granted", "approved", "concedido", "concedida", "accordé", "accordée", "toegekend"))
"""Those by which somebody was to decide; what is assigned, or applied, may be another thing."""
DIGIT, CAPITAL = re.compile(r"\d"), re.compile(r"[A-Za-z]")
CURRENCY = re.compile("[A-Z]{3}")
MOST = 60
"""Objects of a result, and values of a call, that are looked at."""


@dataclass(frozen=True, slots=True)
class Granted:
    """Hold what an answer tells against results that say themselves that something else came of it than was wished for.

    An object has what was requested and what was assigned (`requested: 4`, `applied: 3`), or nothing (`granted: null`); a
    list names fields that were ignored; or the thing of the tool's name is not on (`autopay: {enabled: false}` of
    `autopay_enroll`). Told is an answer that states what was wished for, or speaks of the thing, and that has nothing of what
    is there; no such sentence has one of `doubts`, an expression. `wished` and `given` are the words of fields that say what
    somebody wished for, and what they got.
    """

    doubts: str = NEVER
    wished: tuple[str, ...] = ("requested",)
    given: tuple[str, ...] = ("assigned", "applied", "granted")

    reads: ClassVar[frozenset[str]] = frozenset({"text"})
    needs: ClassVar[frozenset[str]] = frozenset({"change"})

    def compare(self, turn: Turn, claims: Sequence[Claim]) -> list[Finding]:
        text = unquoted(compared_text(claims))
        changes = [one for one in turn.landed_changes() if not turn.landed_again(one)]
        if not text or not changes:
            return []
        return [one for call in changes if (one := self._of(call, text)) is not None]

    def _of(self, call: Call, text: str) -> Finding | None:
        for told, reason in self._otherwise(call, text):
            sentences = [*told]
            if sentences and not any(expression(self.doubts).search(one) for one in sentences):
                return Finding("contradicted", subject_of(call), reason, one_line(sentences[0], 200), call.id)
        return None

    def _otherwise(self, call: Call, text: str) -> Iterator[tuple[Iterable[str], str]]:
        """What a result says came otherwise, in words, each behind the sentences about what was wished for."""
        for wished, got in islice(self._pairs(call), MOST):
            if got is None or not any(places(got, text)):
                has = "none granted" if got is None else one_line(str(got), 60)
                reason = f"requested was {one_line(str(wished), 60)}, and the result has {has}"
                yield sentences_around(text, places(wished, text)), reason
        for name, value in islice(_ignored(call), MOST):
            yield sentences_around(text, places(value, text)), f"the result says that {name} was ignored"
        if thing := _left_off(call):
            lines = text.replace("\n", ". ").split(". ")
            about = (one for one in lines if folded(thing) in folded(one.replace(" ", "")))
            yield about, f"the result says that {thing} is not on"

    def _pairs(self, call: Call) -> Iterator[tuple[Any, Any]]:
        """What was wished for and what was granted in its place, by the fields of one object that say both."""
        for one in islice(objects(call.result_value), MOST):
            wished = dict(_told(one, frozenset(self.wished)))
            for rest, got in _told(one, frozenset(self.given)):
                value = wished.get(rest)
                if value is not None and got and rest.isdisjoint(("by", "at")) and _is_another(value, got):
                    yield value, got
            yield from _beside(one, wished, call) if len(wished) and _is_sole(one, call) else ()
            yield from _not_granted(one, frozenset(self.wished), frozenset(self.given))


def _beside(one: Mapping[str, Any], wished: Mapping[frozenset[str], Any], call: Call) -> Iterator[tuple[Any, Any]]:
    """What a call was given, and what stands beside it under the bare name: `requestedAmount: 110, amount: 118`."""
    several = len({value for value in one.values() if isinstance(value, str) and CURRENCY.fullmatch(value)}) > 1
    for name, got in one.items() if any(wished) and not several else ():
        value = wished.get(frozenset(name_words(name)), "")
        if (
            value != ""
            and _is_another(value, got)
            and not _in_units(value, got)
            and any(_is_it(value, text) for _, text in scalars(call.arguments))
        ):
            yield value, got


def _is_sole(one: Mapping[str, Any], call: Call) -> bool:
    """Whether no other object of a result has all its fields: parts of what was requested are several."""
    return sum(one.keys() <= other.keys() for other in islice(objects(call.result_value), MOST)) == 1


def _in_units(one: Any, other: Any) -> bool:
    """Whether two numbers are one in some unit: dollars and cents."""
    return isinstance(one, (int, float)) and isinstance(other, (int, float)) and one_number(float(one), float(other))


def _is_it(value: Any, text: str) -> bool:
    return str(value) == text or (isinstance(value, (int, float)) and number_of(text) == value)


def _not_granted(one: Mapping[str, Any], wished: frozenset[str], given: frozenset[str]) -> Iterator[tuple[Any, None]]:
    """What an object has as requested alone, where it says that nothing was granted: `requested: "14:00", granted: null`."""
    named = {tuple(name_words(name)): value for name, value in one.items()}
    nothing = any(words[0] in given & GRANTED and value is None for words, value in named.items() if len(words) == 1)
    for words, value in named.items() if nothing else ():
        if (
            len(words) == 1
            and words[0] in wished
            and isinstance(value, (str, int, float))
            and not isinstance(value, bool)
        ):
            yield value, None


def _is_another(wished: Any, got: Any) -> bool:
    """Whether one of two values of a kind is not the other: `14A` and `14B`, 4 and 3; not "double" and room 312."""
    if isinstance(wished, str) and isinstance(got, str):
        kinds = [DIGIT.sub("0", CAPITAL.sub("A", one)) for one in (wished, got)]
        return wished.casefold() != got.casefold() and kinds[0] == kinds[1] and any(map(str.isdigit, wished))
    return isinstance(wished, (int, float)) and isinstance(got, (int, float)) and wished != got


def _told(one: Mapping[str, Any], words: frozenset[str]) -> Iterator[tuple[frozenset[str], Any]]:
    """The plain values of an object's fields that have one of some words, each with the rest of the field's name.

    What stands under such a word alone has it as well: `requested: {pallets: 40}`.
    """
    for name, value in one.items():
        own = frozenset(name_words(name))
        if own <= words and isinstance(value, dict):
            inner = ((frozenset(name_words(each)), got) for each, got in value.items())
            yield from ((each, got) for each, got in inner if type(got) in (str, int, float))
        elif own & words and isinstance(value, (str, int, float)) and not isinstance(value, bool) and value != "":
            yield own - words, value


def _ignored(call: Call) -> Iterator[tuple[str, Any]]:
    """What a call was given under the names that its result lists as ignored."""
    listed: set[str] = set()
    for one in islice(objects(call.result_value), MOST):
        for name, value in one.items():
            own = frozenset(name_words(name))
            if own & IGNORED and (own & NAMES or own <= IGNORED) and isinstance(value, list):
                named = (each.get("field", each.get("name")) if isinstance(each, dict) else each for each in value)
                listed |= {folded(each.rpartition(".")[2]) for each in named if isinstance(each, str)}
    for name, value in scalars(dict(call.arguments)) if listed else ():
        if folded(name) in listed and len(value) > 1 and not IDENTITY.search(name):
            yield name, value


def _left_off(call: Call) -> str:
    """The thing of the tool's own name that is still off, where the tool is to switch it on."""
    own = name_roots(call.name)
    verbs = {one[:5] for one in own & SWITCHES}
    if not verbs or not isinstance(call.result_value, dict):
        return ""
    flags = [flag for flag in ON if flag == "enabled" or root(flag)[:5] in verbs]
    for name, one in call.result_value.items():
        about = name_roots(name)
        if isinstance(one, dict) and about & own and any(one.get(flag) is False for flag in flags):
            return str(name)
    return ""
