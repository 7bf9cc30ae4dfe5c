"""What an answer tells as a call was asked for it must not stand otherwise in that call's own result."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, ClassVar, NamedTuple

from proxy.audit import Finding
from proxy.auditors.effects import IDENTITY, differ, subject_of
from proxy.claims import Claim, compared_text
from proxy.fields import fields, words
from proxy.figures import ZONES, clocks, sentence_around
from proxy.ledger import Call, Turn
from proxy.patterns import Names, expression
from proxy.results import objects, one_line
from proxy.roots import name_roots
from proxy.spelling import MOMENT, TIME, matches, places, plain, plain_text

AIMS = frozenset({"new", "target", "desired", "requested", "updated", "set", "to"})
"""Words by which an argument says that it is what shall be: `new_plan` is the plan."""
OUTCOMES = AIMS | {"applied", "actual", "effective", "final", "assigned"}
"""Words by which a field says that it is what came of it: `updatedRange` is the range."""
SETS = frozenset({"set", "update", "change", "modify", "edit", "put", "patch"})
"""Verbs that put a value in place of another, so that a lower one than was asked for is no sum."""
FORMER = Names(r"(?i)(?:^|_)(?:from|old|source|current|prev|previous|former|original|before)")
"""Names of what was there before; `from` is none where it says from which day on."""
QUANTITY = re.compile(r"(?i)qty|quantity")
"""What is given whole: less of it in the result is no part that was added."""
GROWS = Names(r"(?i)quantit|qty|count|amount|units?|points|balance|credit|total|size|page|limit")
"""Fields of which a result may show the whole, where a part was asked for, and the other way about."""
WISHED = re.compile(r"(?i)request|wait|wish|desired|proposed|pending approval")
ASKED_FOR = Names(WISHED.pattern)
"""Fields and notes that have what was asked for because it was asked for, and is not so."""
ID = Names(r"(?:^|_)ids?$|Ids?$|ID$")
"""Fields that may have what was asked for in an id, and not as it is: `user_id: "ann_lindquist_20"`."""
NAMING = frozenset({"name", "code", "value", "type", "title", "label"})
SCALES = (1.0, 60.0, 100.0, 1000.0, 1024.0, 3600.0)
"""What one unit of something is of another: cents, seconds, bytes."""
REACH = 20_000
"""Code points of a result that is read."""
MOST, ARGUED = 400, 100
"""Fields of a result, and arguments, that are compared."""
NAMED = 40
"""Code points of a text that may name a field."""
KIN = 10
"""How many times another a number may be that still is of its kind: a rate of tax and the tax are not."""


class Asked(NamedTuple):
    """One thing that a call was asked for: under which name, by which argument, and what texts stand beside it."""

    name: str
    value: Any
    beside: frozenset[str] = frozenset()

    @property
    def former(self) -> bool:
        """Whether it is what was there before the call."""
        since = self.name == "from" and isinstance(self.value, str) and MOMENT.fullmatch(self.value)
        return not since and FORMER.search(self.name)


WAS = re.compile(
    r"(?i)(?:\b(?:was|were|from|previously|formerly|before|old|vorher|zuvor|bisher|von|statt|antes|era|desde|avant|contre"
    r"|au lieu)\b|原|旧|从)[\W_]{0,6}(?:at |bei |de |à )?$"
)
"""What stands before a value that a sentence tells as the former one: "(was 10%)"."""


class Shown(NamedTuple):
    """One field of a result, with the name of the field that holds its object."""

    name: str
    parent: str
    value: Any


@dataclass(frozen=True, slots=True)
class Unmet:
    """Compare what a change was asked for with what its result has under the same name.

    Asked for are the arguments of a call that landed, and what a look has shown of the thing that an argument names (the
    start of a slot, the price of a plan). Told is one that the answer states, where the result has another value that was
    known before, or nothing, or a list without it; where what was asked for stands nowhere in this and in later results, and
    the answer does not have what is there instead. `doubts` is an expression for sentences that do not mean it so exactly,
    `admits` one for answers that tell of some trouble.
    """

    doubts: str = ""
    admits: str = ""

    reads: ClassVar[frozenset[str]] = frozenset({"text"})
    needs: ClassVar[frozenset[str]] = frozenset({"change"})

    def compare(self, turn: Turn, claims: Sequence[Claim]) -> list[Finding]:
        text = compared_text(claims)
        changes = [one for one in turn.landed_changes() if not one.effect and turn.nature(one) == "change"]
        if not changes or not text or (self.admits and expression(self.admits).search(text)):
            return []
        own = [one for one in changes if not turn.landed_again(one)]
        found = [self._first(call, turn, text) or self._looked(call, turn, text) for call in own]
        return list({one.subject: one for one in found if one is not None}.values())

    def _first(self, call: Call, turn: Turn, text: str) -> Finding | None:
        """The first thing that a call was asked for, that is told, and that is not there."""
        if call.result_value is None or len(call.result_text) > REACH:
            return None
        for asked, got in _unmet(call, turn):
            shared = sum(plain(one.value) == plain(got) for one in _fields(call.result_value)) > 1
            if told := self._told(asked, got, text, shared):
                return _finding(asked, got, told, call)
        for asked, got in _switched(call):
            told = self._told(asked, got, text, shared=True)
            if told and any(True for _ in places(asked.name, told)):
                return _finding(asked, got, told, call)
        return None

    def _looked(self, call: Call, turn: Turn, text: str) -> Finding | None:
        """A number that a change was given, that is told, and that the turn's last look shows otherwise of the same thing."""
        look = turn.calls[-1]
        named = [one for one in call.arguments.values() if isinstance(one, str) and len(one) >= 3]
        if (
            look.position <= call.position
            or turn.nature(look) != "read"
            or look.result is None
            or look.outcome != "landed"
        ):
            return None
        if len(look.result_text) > REACH or not any(one in look.raw and one in look.result_text for one in named):
            return None
        for name, value in call.arguments.items():
            whole = isinstance(value, int) and not isinstance(value, bool) and value > 0
            if not whole or GROWS.search(name) or re.search(rf"(?<![\d.]){value}(?![\d.])", look.result_text):
                continue
            wanted = tuple(word for word in words(name) if word not in AIMS)
            got = {
                number for one in fields(look.result, 0, 0) if one.words == wanted and (number := _number(one.value))
            }
            if len(got) == 1 and (told := self._told(Asked(name, value), got.copy().pop(), text)):
                reason = f"asked for {name} {value}, and the last look has {got.pop():g}"
                return Finding("contradicted", subject_of(call), reason, one_line(told, 200), look.id)
        return None

    def _told(self, asked: Asked, got: Any, text: str, shared: bool = False) -> str:
        """The sentence by which an answer states what was asked for; empty where it does not, or has what is there.

        What another field has as well (`shared`) may be meant for that one, but in the same sentence.
        """
        told: Iterable[tuple[int, int]] = ()
        if isinstance(got, (int, float)) and not isinstance(got, bool):
            told = (found.span() for found in matches(got, text))  # a small one too
        elif got is not None and not isinstance(got, bool):
            told = places(got, text)
        there = [
            sentence_around(text, *span) for span in told if WAS.search(text[max(0, span[0] - 24) : span[0]]) is None
        ]
        if there and not shared:
            return ""
        for start, end in places(asked.value, text, asked.name):
            sentence = sentence_around(text, start, end)
            if sentence not in there and not (self.doubts and expression(self.doubts).search(sentence)):
                return sentence
        return ""


def _unmet(call: Call, turn: Turn) -> Iterator[tuple[Asked, Any]]:
    """What a call was asked for and its result has otherwise, with what is there; None for nothing."""
    part = _own_part(call)
    shown = _fields(part)[:MOST]
    single = [one for one in shown if not isinstance(one.value, (dict, list)) and not ID.search(one.name)]
    stands = plain(" ".join(str(one.value) for one in single))
    later = "\n".join(other.result_text[:REACH] for other in turn.calls[call.position + 1 :])
    for asked in islice(chain(_arguments(call.arguments), _referred(call, turn)), ARGUED):
        if asked.former or ID.search(asked.name) or _stands(asked.value, stands, shown):
            continue
        if any(True for _ in matches(asked.value, later)):
            continue
        got = _twins(asked, call) or [_inside(one.value, asked.value) for one in shown if one.name == asked.name]
        got = got or [
            _inside(one.value, asked.value)
            for one in shown
            if not FORMER.search(one.name)
            and (_one_name(asked.name, one) or (part is not call.result_value and _only_number(asked, one, call)))
        ]
        own = (
            []
            if got
            else [one.value for one in shown if _same_kind(asked.value, one.value) and _is_named_by(asked, one, call)]
        )
        got = got or own
        if len(got) == 1 and isinstance(got[0], list):
            if _lacks(got[0], asked, call, turn):
                yield asked, None
        elif len({plain(one) for one in got}) == 1 and not any(isinstance(one, (list, dict)) for one in got):
            yield from [(asked, got[0])] if _otherwise(asked, got[0], call, turn, deed=bool(own)) else ()


def _same_kind(value: Any, other: Any) -> bool:
    """Whether two values are both numbers, both days, or both times of day."""
    if isinstance(value, bool) or isinstance(other, bool):
        return False
    if isinstance(value, (int, float)):
        return isinstance(other, (int, float))
    return isinstance(other, str) and any(one.fullmatch(value) and one.fullmatch(other) for one in (MOMENT, TIME))


def _is_named_by(asked: Asked, field: Shown, call: Call) -> bool:
    """Whether a field is called by the words of the tool, of an argument and of what stands beside it, and by no other.

    `data_refueled_gb` of `refuel_data(gb_amount=5)`, `daily_atm_limit` of `set_card_limit(limit_type="daily_atm", …)`.
    """
    own = name_roots(asked.name).union(*(name_roots(one) for one in asked.beside if len(one) <= NAMED))
    named = name_roots(field.name)
    return not named.isdisjoint(own) and named <= own | name_roots(call.name)


def _switched(call: Call) -> Iterator[tuple[Asked, Any]]:
    """What a field has that one argument names, where another says what it shall have: `service="roaming", state="off"`."""
    given = {plain(one): one for one in call.arguments.values() if isinstance(one, str) and 2 <= len(one) <= NAMED}
    ids = {plain(one) for key, one in call.arguments.items() if IDENTITY.search(key)}
    for inner in islice(objects(call.result_value), MOST):
        has = {plain(one) for one in inner.values() if isinstance(one, str)}
        for name, got in inner.items():
            wanted = [one for one in given if one != plain(name) and one not in ids]
            if isinstance(got, str) and plain(name) in given and len(wanted) == 1 and wanted[0] in has - {plain(got)}:
                yield Asked(name, given[wanted[0]]), got


def _finding(asked: Asked, got: Any, told: str, call: Call) -> Finding:
    shown = "none" if got is None else f"{one_line(str(got), 60)!r}"
    reason = f"asked for {asked.name} {one_line(str(asked.value), 60)!r}, and the result has {shown}"
    return Finding("contradicted", subject_of(call), reason, one_line(told, 200), call.id)


def _twins(asked: Asked, call: Call) -> list[Any]:
    """What the one entry of a result has under an argument's name that holds a text which stands beside the argument."""
    entries = [one for one in islice(objects(call.result_value), MOST) if asked.name in one] if asked.beside else []
    own = [one for one in entries if any(isinstance(value, str) and value in asked.beside for value in one.values())]
    return [own[0][asked.name]] if len(own) == 1 and len(entries) > 1 else []


def _own_part(call: Call) -> Any:
    """The part of a result that is called as an argument says (`production`), where others beside it are not; else all."""
    asked = {one for one in call.arguments.values() if isinstance(one, str) and len(one) >= 3}
    held = [
        (outer, name)
        for outer in islice(objects(call.result_value, 4), ARGUED)
        for name, inner in outer.items()
        if name in asked and isinstance(inner, dict)
    ]
    alone = len(held) == 1 and any(isinstance(one, dict) for name, one in held[0][0].items() if name != held[0][1])
    return held[0][0][held[0][1]] if alone else call.result_value


def _only_number(asked: Asked, field: Shown, call: Call) -> bool:
    """Whether a field of the call's own part is what its only number was for: `rollout`, of `update_rollout`."""
    numbers = [one for one in call.arguments.values() if isinstance(one, (int, float)) and not isinstance(one, bool)]
    if len(numbers) != 1 or asked.value != numbers[0] or _number(field.value) is None:
        return False
    own = words(field.name)
    return bool(own) and set(own) <= set(words(call.name.rpartition(".")[2]))


def _inside(value: Any, like: Any) -> Any:
    """What a field has; of an object the one plain value of the kind that is looked for."""
    if not isinstance(value, dict):
        return value
    moments = [one for one in value.values() if isinstance(one, str) and MOMENT.fullmatch(one)]
    named = [one for key, one in value.items() if key in NAMING and isinstance(one, str)]
    kin = moments if isinstance(like, str) and MOMENT.fullmatch(like) else named
    return kin[0] if len(kin) == 1 else value


def _arguments(value: Mapping[str, Any], depth: int = 3) -> Iterator[Asked]:
    """The plain arguments of a call, those in lists one by one; those of an object also by the object's name."""
    beside = frozenset(one for one in value.values() if isinstance(one, str) and len(one) >= 3)
    for name, inner in value.items():
        for one in inner if isinstance(inner, list) else [inner]:
            if isinstance(one, dict) and depth:
                yield from _arguments(one, depth - 1)
                yield from (Asked(name, told) for key, told in one.items() if key == "name" and isinstance(told, str))
            elif isinstance(one, (str, int, float)) and not isinstance(one, bool) and one != "":
                yield Asked(name, one, beside - {one})


def _referred(call: Call, turn: Turn) -> Iterator[Asked]:
    """What looks have shown of the things that arguments name by their ids, but for the thing that the result is about."""
    for name, value in call.arguments.items():
        if not isinstance(value, str) or len(value) < 3 or FORMER.search(name) or value in call.result_text:
            continue
        for other in turn.calls_before(call):
            things = objects(other.result_value) if value in other.result_text else ()
            thing = next((one for one in things if _is(one, value)), None)
            if thing is not None:
                yield from (
                    Asked(key, told)
                    for key, told in thing.items()
                    if isinstance(told, (str, int, float)) and not isinstance(told, bool) and not IDENTITY.search(key)
                )
                break


def _is(thing: Mapping[str, Any], identity: str) -> bool:
    return any(value == identity and IDENTITY.search(key) for key, value in thing.items())


def _fields(value: Any, parent: str = "", depth: int = 4) -> list[Shown]:
    """The fields of a result, lists and objects among them; nothing of what is only requested or waited for."""
    found: list[Shown] = []
    for one in value if isinstance(value, list) else [value]:
        for name, inner in one.items() if isinstance(one, dict) else ():
            former = isinstance(inner, dict) and FORMER.search(name)
            if not former and not ASKED_FOR.search(name) and not _wished(inner):
                found.append(Shown(name, parent, inner))
                found += _fields(inner, name, depth - 1) if depth and isinstance(inner, (dict, list)) else ()
        if not isinstance(one, (dict, list)) and not _wished(one):
            found.append(Shown("", parent, one))
    return found


def _wished(value: Any) -> bool:
    """Whether a text says of something that it is asked for."""
    return isinstance(value, str) and " " in value and WISHED.search(value) is not None


def _one_name(asked: str, field: Shown) -> bool:
    """Whether a field is what an argument asks for: `new_plan` and `plan`, `room_type` and `room.type`."""
    wanted = tuple(word for word in words(asked) if word not in AIMS)
    came = tuple(word for word in words(field.name) if word not in OUTCOMES)
    if len(wanted) > 1 and wanted[-1] in ("time", "date") and wanted[:-1] == words(field.name):
        return True  # `checkout_time` and `checkout`
    return bool(wanted) and wanted in (words(field.name), came, words(f"{field.parent} {field.name}"))


def _stands(value: Any, text: str, shown: Sequence[Shown]) -> bool:
    """Whether a result has somewhere what was asked for."""
    if isinstance(value, str):
        return plain(value) in text
    return any((own := _number(one.value)) is not None and _same(float(value), own) for one in shown)


def _otherwise(asked: Asked, got: Any, call: Call, turn: Turn, *, deed: bool = False) -> bool:
    """Whether the value that is there is surely another one, of the same kind; `deed`: it says how much was done."""
    value = asked.value
    if got is None:
        return isinstance(value, str) and len(value) >= 2
    if isinstance(got, bool):
        return False
    if not isinstance(value, str):
        other = got if isinstance(got, (int, float)) else 0.0
        low, high = sorted((abs(value), abs(other)))
        sets = deed or not SETS.isdisjoint(turn.marks.natures.verbs(call.name)) or bool(QUANTITY.fullmatch(asked.name))
        lower = abs(other) < abs(value) and sets
        return high < KIN * low and (lower or not GROWS.search(asked.name))
    if isinstance(got, str) and len(value) == len(got) == 2 and value.isupper() and got.isupper():
        return value != got  # AM and PM
    if not isinstance(got, str) or len(value) < 3 or not differ(value, got) or plain(got) in plain(value):
        return False
    if TIME.fullmatch(value) and TIME.fullmatch(got):
        return value[:5] != got[:5] and ZONES.search(turn.everything()) is None
    if MOMENT.fullmatch(value) and MOMENT.match(got):
        return value[:10] != got[:10] if got[16:].strip(":0.") else value[:16] != got[:16]
    if _shape(value) == _shape(got) or _one_word_apart(plain(value).split(), plain(got).split()):
        return True
    known = chain((turn.asked,), (one.result_text for one in turn.calls_before(call)), turn.spoken())
    return any(plain(got) in plain_text(text[:REACH]) for text in known)


def _one_word_apart(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether two names differ in one word, which is no shorter form of the other: "Suite Pro" and "Suite Standard"."""
    apart = [(a, b) for a, b in zip(one, other, strict=False) if a != b]
    if len(one) != len(other) or len(one) < 2 or len(apart) != 1:
        return False
    a, b = apart[0]
    return min(len(a), len(b)) >= 3 and a.isalpha() and b.isalpha() and not (a.startswith(b[:3]) or b.startswith(a[:3]))


def _shape(value: str) -> str:
    """A text with noughts for its digits and one letter for those that stand alone, so that `14C` and `19E` are of one kind.

    A time, and what is digits or letters alone, is itself.
    """
    plain = TIME.fullmatch(value) or MOMENT.match(value) or any(True for _ in clocks(value))
    if plain or not re.search(r"\d", value) or not re.search(r"[^\W\d]", value):
        return value
    return re.sub(r"(?<![^\W\d])[A-Z](?![^\W\d])", "A", re.sub(r"\d+", "0", value))


def _lacks(entries: Sequence[Any], asked: Asked, call: Call, turn: Turn) -> bool:
    """Whether a list that holds what was asked for of old, or is empty, has not what was asked for now."""
    told = plain(str(entries))
    if not isinstance(asked.value, str) or len(asked.value) < 2 or "*" in told or len(entries) >= 10:
        return False
    others = [one.value for one in _arguments(call.arguments) if one.name == asked.name and one.value != asked.value]
    kin = any(isinstance(one, str) and plain(one) in told for one in others)
    if not entries or kin:
        return True
    whole = plain(str(list(entries))[1:-1])[:200]
    return any(whole in plain_text(one.result_text[:REACH]) for one in turn.calls_before(call))


def _number(value: Any) -> float | None:
    if isinstance(value, bool):
        return None
    try:
        return float(value) if isinstance(value, (int, float, str)) else None
    except ValueError:
        return None


def _same(one: float, other: float) -> bool:
    """Whether two numbers are one in some unit."""
    low, high = sorted((abs(one), abs(other)))
    rounded = 0.001 * high if not (one.is_integer() and other.is_integer()) else 0.0
    return abs(low - high) <= rounded or any(abs(low * scale - high) <= 0.001 * high for scale in SCALES[1:])
