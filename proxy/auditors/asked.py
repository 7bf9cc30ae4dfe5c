"""What a call was asked for, and which field of its result tells what came of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

from proxy.amounts import DIGIT
from proxy.auditors.effects import IDENTITY, number_of
from proxy.fields import words
from proxy.figures import clocks
from proxy.ledger import Call, Turn
from proxy.patterns import Names
from proxy.results import folded, objects, scalars, strings
from proxy.roots import name_roots, root, similar, tokens
from proxy.spelling import MOMENT, TIME, plain, plain_text

AIMS = frozenset({"new", "target", "desired", "requested", "updated", "set", "to"})
AIMED = frozenset(map(root, AIMS))
"""Words by which an argument says that it is what shall be, and their roots: `new_plan` is the plan."""
OUTCOMES = AIMS | {
    *("applied", "actual", "effective", "final", "assigned", "granted", "approved", "next"),
    *("accepted", "confirmed", "executed", "execution", "scheduled", "concedido"),
}
"""Words by which a field says that it is what came of it: `updatedRange` is the range."""
CODE = re.compile(r"[A-Za-z]{3,}[\w-]*")
GRADES = Names(
    r"(?i)tier|plan|class|cabin|level|zone|grade|package|bundle|edition|membership|fare|coverage|visit|room|vehicle|seat"
)
"""A code as systems have them, and words of names under which a system does not call one thing by two of them."""
FORMER = Names(
    r"(?i)(?:^|_)(?:from|old|source|current|prev|previous|former|original|before|preced|prec(?:$|_)|anterior|bisher|vorher|ancien|vorig)"
)
"""Names of what was there before; `from` is none where it says from which day on."""
WISHED = re.compile(r"(?i)request|wait|wish|desired|proposed|pending approval")
ASKED_FOR, PENDING = Names(f"{WISHED.pattern}|proposal|suggest|^draft$|^asked"), Names("(?i)pending")
"""Fields and notes that have what was asked for because it was asked for, and is not so."""
ID = Names(r"(?:^|_)ids?$|Ids?$|ID$")
"""Fields that may have what was asked for in an id, and not as it is: `user_id: "ann_lindquist_20"`."""
TO_COME = re.compile(r"(?i)\b\w*(?:pending|next|scheduled|upcoming|future|queued|takes?_?effect)")
"""What a result says of a change that comes later."""
JOINS = frozenset({"at", "on", "by", "to", "in", "of"})
"""What two names may share and mean nothing alike by: `occurred_at`, `opened_at`."""
KEPT = Names(r"(?i)(?:creat|updat|modifi|chang|register|open|add)ed_?(?:at|on|by)?$")
"""Names of what a system notes of a thing's record, and asks of no other."""
IDS = frozenset({"id", "ref", "code", "number", "key"})
"""Names of the one field by which an object says which thing it is."""
NAMING = frozenset({"name", "code", "value", "type", "title", "label"})
LEAST, LOOKS = 3, 40
"""Code points of what a call names a thing by, and the calls before it that are looked into."""
MOST, ARGUED = 400, 100
"""Fields of a result, and arguments, that are compared."""
SCALES, STEPS = (60.0, 100.0, 1000.0, 1024.0, 3600.0), 2.55
"""What one unit of something is of another: cents, seconds, bytes; and a hundredth of a lamp's 255 steps."""
UNIT = Names(r"(?i)(?:^|_|[a-z])(?:units?|uom)$")
"""Names of fields that say in what a number counts."""
PIECES = frozenset(("ea", "each", "pc", "pcs", "piece", "pieces", "unit", "units", "stk", "item", "items"))
"""Units of what is only counted."""
NAMED = 40
"""Code points of a text that may name a field."""
MOVES = (("from", "to"), ("old", "new"), ("before", "after"), ("fromstring", "tostring"), ("oldvalue", "newvalue"))
"""Names, folded, by which a result tells what was there and what is."""
DIGITS = re.compile(r"\d")
QUANTITY = re.compile(r"(?i)qty|quantity")
"""What is given whole: less of it in the result is no part that was added."""
ZONED = re.compile(r"T.*(?:Z|[+-]\d\d:?\d\d)$")
"""A moment in a zone that it names."""


class Asked(NamedTuple):
    """One thing that a call was asked for: under which name, what texts stand beside it, and in which object."""

    name: str
    value: Any
    beside: frozenset[str] = frozenset()
    parent: str = ""

    @property
    def former(self) -> bool:
        """Whether it is what was there before the call."""
        since = self.name.lower() == "from" and isinstance(self.value, str) and MOMENT.fullmatch(self.value)
        return not since and FORMER.search(self.name)


class Shown(NamedTuple):
    """One field of a result, with the name of the field that holds its object."""

    name: str
    parent: str
    value: Any


def is_named_by(asked: Asked, field: Shown, call: Call) -> bool:
    """Whether a field is called by the words of the tool, of an argument and of what stands beside it, and by no other.

    `data_refueled_gb` of `refuel_data(gb_amount=5)`, `daily_atm_limit` of `set_card_limit(limit_type="daily_atm", …)`.
    """
    if isinstance(field.value, str) and field.value in asked.beside:
        return False  # what it was given beside is none of it: "card": "card-04"
    own = name_roots(asked.name).union(*(name_roots(one) for one in asked.beside if len(one) <= NAMED))
    named = name_roots(field.name)
    aim = AIMED.issuperset(name_roots(asked.name))  # `target`, of `switch_bundle`
    return (aim or not named.isdisjoint(own - JOINS)) and bool(named) and named <= own | name_roots(call.name)


def comes(asked: Asked, call: Call) -> bool:
    """Whether a result has what was asked for anywhere, or speaks of what is to come."""
    return plain(asked.value) in plain_text(call.result_text) or TO_COME.search(call.result_text) is not None


def unmoved(asked: Asked, name: str, got: Any, call: Call, turn: Turn) -> bool:
    """Whether a look before a call has shown a field of the thing that the call names just as its result has it."""
    if comes(asked, call):
        return False
    given = [one for _, one in scalars(dict(call.arguments)) if len(one) >= LEAST and DIGIT.search(one)]
    for other in islice(turn.calls_before(call), LOOKS):
        if other.outcome == "landed" and any(one in other.raw or one in other.result_text for one in given):
            shown = (one for one in shown_in(other.result_value)[:MOST] if one.name == name)
            if any(plain(one.value).replace(" ", "") == plain(got).replace(" ", "") for one in shown):
                return True
    return False


def switched(call: Call) -> Iterator[tuple[Asked, Any]]:
    """What a field has that one argument names, where another says what it shall have: `service="roaming", state="off"`."""
    given = {plain(one): one for one in call.arguments.values() if isinstance(one, str) and 2 <= len(one) <= NAMED}
    ids = {plain(one) for key, one in call.arguments.items() if IDENTITY.search(key)}
    for inner in islice(objects(call.result_value), MOST):
        has = {plain(one) for one in inner.values() if isinstance(one, str)}
        for name, got in inner.items():
            wanted = [one for one in given if one != plain(name) and one not in ids]
            if isinstance(got, str) and plain(name) in given and len(wanted) == 1 and wanted[0] in has - {plain(got)}:
                yield Asked(name, given[wanted[0]]), got


def twins(asked: Asked, call: Call) -> list[Any]:
    """What the one entry of a result has under an argument's name that holds a text which stands beside the argument."""
    entries = [one for one in islice(objects(call.result_value), MOST) if asked.name in one] if asked.beside else []
    own = [one for one in entries if any(isinstance(value, str) and value in asked.beside for value in one.values())]
    if len(own) > 1:  # of two of one family name
        own = [one for one in own if all(value in one.values() for value in asked.beside)]
    return [own[0][asked.name]] if len(own) == 1 and len(entries) > 1 else []


def moved(call: Call) -> Iterator[tuple[Asked, str]]:
    """What a call was to put in the place of another, where the one change that its result tells (from, to) ends otherwise.

    `toRoom="214"`, and {"from": "117", "to": "241"}.
    """
    ends = []
    for one in islice(objects(call.result_value), MOST):
        named = {folded(name): value for name, value in one.items()}
        ends += [named[to] for was, to in MOVES if was in named and isinstance(named.get(to), str)]
    there = plain_text(call.result_text) if len(ends) == 1 else ""
    for asked in islice(arguments(call.arguments), ARGUED) if ends and there else ():
        value = asked.value
        aimed = isinstance(value, str) and not AIMED.isdisjoint(name_roots(asked.name)) and not ID.search(asked.name)
        if aimed and DIGITS.sub("0", value) == DIGITS.sub("0", ends[0]) and plain(value) not in there:
            yield asked, ends[0]


def by_sort(call: Call) -> Iterator[tuple[Asked, int]]:
    """How many of a sort a call was given, by the sort's name, where the result's one entry of it has fewer.

    `children=2`, and {"type": "child", "qty": 1}.
    """
    entries = list(islice(objects(call.result_value), MOST))
    for name, value in call.arguments.items():
        if type(value) is int and value >= 0:
            own = [number for one in entries if _is_sort(one, name) for number in _quantities(one)]
            if len(own) == 1 and own[0] < value:  # more may be the sum
                yield Asked(name, value), own[0]


def _is_sort(entry: Mapping[str, Any], name: str) -> bool:
    """Whether an entry says that it is of the sort that an argument is called by."""
    told = (one for one in entry.values() if isinstance(one, str) and len(one) > 3)
    return any(similar(root(one.lower()), (root(name.lower()),)) for one in told)


def _quantities(entry: Mapping[str, Any]) -> list[int]:
    return [one for key, one in entry.items() if type(one) is int and QUANTITY.search(key)]


def portioned(call: Call, verb: str) -> Iterator[tuple[Asked, int]]:
    """How much a call was given, where its result has less under the past form of the tool's own verb: `allocated: 28`."""
    given = [one for one in islice(arguments(call.arguments), ARGUED) if QUANTITY.search(one.name)]
    own = (one for one in shown_in(call.result_value)[:MOST] if type(one.value) is int)
    done = {one.value for one in own if one.name.lower().endswith("ed") and root(one.name.lower()) == root(verb)}
    if len(given) == 1 and len(done) == 1 and type(given[0].value) is int and 0 <= max(done) < given[0].value:
        yield given[0], done.pop()


def own_part(call: Call) -> Any:
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


def only_number(asked: Asked, field: Shown, call: Call) -> bool:
    """Whether a field of the call's own part is what its only number was for: `rollout`, of `update_rollout`."""
    numbers = [one for one in call.arguments.values() if isinstance(one, (int, float)) and not isinstance(one, bool)]
    if len(numbers) != 1 or asked.value != numbers[0] or number_of(field.value) is None:
        return False
    own = words(field.name)
    return bool(own) and set(own) <= set(words(call.name.rpartition(".")[2]))


def is_whole_thing(field: Shown, call: Call) -> bool:
    """Whether a field is called by all words of what a tool sets: `advance_payment` of `set_advance_payment`."""
    own = words(field.name)
    return len(own) > 1 and words(call.name.rpartition("__")[2].rpartition(".")[2])[-len(own) :] == own


def inside(value: Any, like: Any, nested: bool = False) -> Any:
    """What a field has; of an object the one plain value of the kind that is looked for; of one in another its id, too."""
    if not isinstance(value, dict):
        return value
    moments = [one for one in value.values() if isinstance(one, str) and MOMENT.fullmatch(one)]
    named = [one for key, one in value.items() if key in NAMING and isinstance(one, str)]
    kin = moments if isinstance(like, str) and MOMENT.fullmatch(like) else named
    if nested and isinstance(like, str) and shape(like) != like:  # "vehicle": "VAN-12", and {"id": "VAN-21", …}
        kin = [
            one for key, one in value.items() if key in IDS and isinstance(one, str) and shape(one) == shape(like)
        ] or kin
    return kin[0] if len(kin) == 1 else value


def arguments(value: Mapping[str, Any], parent: str = "", depth: int = 3) -> Iterator[Asked]:
    """The plain arguments of a call, those in lists one by one; those of an object also by the object's name."""
    beside = frozenset(one for one in value.values() if isinstance(one, str) and len(one) >= 3)
    for name, inner in value.items():
        for one in inner if isinstance(inner, list) else [inner]:
            if isinstance(one, dict) and depth:
                yield from arguments(one, name, depth - 1)
                yield from (Asked(name, told) for key, told in one.items() if key == "name" and isinstance(told, str))
            elif isinstance(one, (str, int, float)) and not isinstance(one, bool) and one != "":
                yield Asked(name, one, beside - {one}, parent)


def flags(value: Mapping[str, Any], depth: int = 3) -> Iterator[Asked]:
    """The arguments of a call that are yes or no."""
    beside = frozenset(one for one in value.values() if isinstance(one, str) and len(one) >= 3)
    for name, inner in value.items():
        if isinstance(inner, bool):
            yield Asked(name, inner, beside)
        elif isinstance(inner, dict) and depth:
            yield from flags(inner, depth - 1)


def referred(call: Call, turn: Turn) -> Iterator[Asked]:
    """What looks have shown of the things that arguments name by their ids, but for the thing that the result is about."""
    for name, value in call.arguments.items():
        short = len(value) < 3 and not ID.search(name) if isinstance(value, str) else True
        if short or FORMER.search(name) or value in call.result_text:
            continue
        for other in turn.recent(call):
            things = objects(other.result_value) if value in other.result_text else ()
            thing = next((one for one in things if _is(one, value)), None)
            if thing is not None:
                yield from (
                    Asked(key, told)
                    for key, told in thing.items()
                    if isinstance(told, (str, int, float))
                    and not isinstance(told, bool)
                    and not IDENTITY.search(key)
                    and not KEPT.search(key)
                )
                break


def _is(thing: Mapping[str, Any], identity: str) -> bool:
    return any(value == identity and IDENTITY.search(key) for key, value in thing.items())


def shown_in(value: Any, parent: str = "", depth: int = 4) -> list[Shown]:
    """The fields of a result, lists and objects among them; nothing of what is only requested or waited for."""
    found: list[Shown] = []
    for one in value if isinstance(value, list) else [value]:
        for name, inner in one.items() if isinstance(one, dict) else ():
            former = isinstance(inner, dict) and FORMER.search(name)
            if not former and not _is_open(name, inner) and not _wished(inner):
                found.append(Shown(name, parent, inner))
                found += shown_in(inner, name, depth - 1) if depth and isinstance(inner, (dict, list)) else ()
        if not isinstance(one, (dict, list)) and not _wished(one):
            found.append(Shown("", parent, one))
    return found


def open_texts(value: Any) -> Iterator[str]:
    """What a result says itself is only requested, or pending: `requested_owner: "ann"`, `pending_approval: {"to": "won"}`."""
    for one in islice(objects(value), MOST):
        for name, inner in one.items():
            if _is_open(name, inner):
                yield from (plain(told) for told in strings(inner) if len(told) >= 3)


def _is_open(name: str, value: Any) -> bool:
    """Whether a field holds what is only asked for; what is pending until a day that it names will come by itself."""
    pending = isinstance(value, dict) and PENDING.search(name)
    return ASKED_FOR.search(name) or (pending and not any(MOMENT.match(one) for one in strings(value)))


def _wished(value: Any) -> bool:
    """Whether a text says of something that it is asked for."""
    return isinstance(value, str) and " " in value and WISHED.search(value) is not None


def one_name(asked: str, field: Shown) -> bool:
    """Whether a field is what an argument asks for: `new_plan` and `plan`, `room_type` and `room.type`."""
    wanted = tuple(word for word in words(asked) if word not in AIMS)
    came = tuple(word for word in words(field.name) if word not in OUTCOMES)
    if len(wanted) > 1 and wanted[-1] in ("time", "date") and wanted[:-1] == words(field.name):
        return True  # `checkout_time` and `checkout`
    return bool(wanted) and wanted in (words(field.name), came, words(f"{field.parent} {field.name}"))


def one_number(one: float, other: float) -> bool:
    """Whether two numbers are one in some unit."""
    low, high = sorted((abs(one), abs(other)))
    rounded = 0.001 * high if not (one.is_integer() and other.is_integer()) else 0.0
    steps = 25 < high < 256 and abs(low * STEPS - high) <= 0.51  # whole steps: 50 % are 128 of 255
    return abs(low - high) <= rounded or steps or any(abs(low * scale - high) <= 0.001 * high for scale in SCALES)


def in_another_unit(call: Call) -> bool:
    """Whether a result names the unit of its numbers, no currency, and the call was not given it: 5 kg are 11.02 lb."""
    named = (text for name, text in scalars(call.result_value) if UNIT.search(name))
    told = {text.casefold() for text in named if len(text) < 3 or not text.isupper()}
    return bool(told - PIECES) and told.isdisjoint(text.casefold() for _, text in scalars(dict(call.arguments)))


def codes_apart(value: str, got: str, name: str, shown: str) -> bool:
    """Whether two values are codes of one spelling, by a name that tells of grades, and a result has nothing like the first."""
    like = (value.isupper(), value.islower()) == (got.isupper(), got.islower()) != (False, False)
    if not (like and CODE.fullmatch(value) and CODE.fullmatch(got) and GRADES.search(name)):
        return False
    there = tokens(shown)
    return not any(similar(one, there) for one in tokens(value) if len(one) > 2)


def one_word_apart(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether two names differ in one word, which is no shorter form of the other: "Suite Pro" and "Suite Standard"."""
    apart = [(a, b) for a, b in zip(one, other, strict=False) if a != b]
    if len(one) != len(other) or len(one) < 2 or len(apart) != 1:
        return False
    short, long = sorted(apart[0], key=len)
    rest = iter(long)
    begun = short[0] == long[0] and all(letter in rest for letter in short)  # "stg" of "stage"
    return len(short) >= 3 and short.isalpha() and long.isalpha() and not (begun or long.startswith(short[:3]))


def shape(value: str) -> str:
    """A text with noughts for its digits and one letter for those that stand alone, so that `14C` and `19E` are of one kind.

    A time, and what is digits or letters alone, is itself.
    """
    plain = TIME.fullmatch(value) or MOMENT.match(value) or any(True for _ in clocks(value))
    if plain or not re.search(r"\d", value) or not re.search(r"[^\W\d]", value):
        return value
    return re.sub(r"(?<![^\W\d])[A-Z](?![^\W\d])", "A", re.sub(r"\d+", "0", value))
