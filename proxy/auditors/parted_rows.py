"""Rows of one list of which a change has done some and not others, each by a word or a flag of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, NamedTuple

from proxy.auditors.effects import TELLS
from proxy.auditors.left_out import CARRIED_OUT, MOST, SO_BEFORE, WHYS
from proxy.ledger import Call, Turn
from proxy.patterns import Names, expression
from proxy.results import lists, objects, one_line, scalars
from proxy.roots import COMMON, Vocabulary, name_roots, root
from proxy.spelling import MOMENT, TIME

Row = Mapping[str, Any]
READ = 20_000
"""Code points of a result that is read."""
LEAST, LOOKS = 4, 40
"""Code points of an id by which two calls are about one thing; looks before a change that are read."""
MISSED, SHORT = "missed", "short"
"""How a row was not done: by a decision, or for want of goods."""
OUTCOME = Names(r"(?i)(?:outcome|decision|result)$|^(?:ok|success|succeeded)$")
"""Fields that say what came of what was asked for, and are no state that a thing has by itself."""
STATE = Names(r"(?i)(?:status|state)$")
OWN = Names(
    r"(?i)(?:^|_)(?:id|key|code|no|number|ref|sku|line|pos|position|index|item|name|title|email|leg|segment|direction|bc)$"
    r"|(?-i:[a-z](?:Id|ID|No|Number|Ref|Code))$"
)
"""Fields that say which thing a row is."""


@dataclass(frozen=True, slots=True)
class Words:
    """Expressions for whole states: by which a thing was done, was not, or is `short` of goods; and verbs that are kin."""

    reached: str
    missed: str
    short: str
    kin: Vocabulary


class Parted(NamedTuple):
    """A row that was not done, with all rows of its list, those that were done, the list's name, and what is said of it.

    `deed` is the change, `shown` the call whose result has the list; `held` are values that the change was given and that only
    the rows have that were done.
    """

    deed: Call
    shown: Call
    listed: str
    rows: Sequence[Row]
    row: Row
    done: Sequence[Row]
    why: str
    held: frozenset[str]


def parted_rows(call: Call, turn: Turn, words: Words) -> Iterator[Parted]:
    """The rows that a change did not do, of its own result, or of the last look of the turn at the same thing or job."""
    known = known_ids(call)
    later = list(islice(turn.after(call), MOST))
    if any(_does_too(one, call, known, turn, words) for one in later):
        return  # it may have done it after all
    about = (one for one in later if not known.isdisjoint(one.given))
    looks = [one for one in about if turn.nature(one) == "read" and one.outcome == "landed"]
    shown = looks[-1] if looks else call
    for name, entries in islice(lists(shown.result_value, MOST), MOST) if len(shown.result_text) <= READ else ():
        rows = [one for one in entries[:MOST] if isinstance(one, dict)]
        if 1 < len(rows) == len(entries):
            yield from _of_list(_List(name, rows, call, shown, turn, words))


def _does_too(later: Call, call: Call, known: frozenset[str], turn: Turn, words: Words) -> bool:
    """Whether a later call may have changed the same thing, or done the same with another one; to tell somebody is neither."""
    if turn.nature(later) == "read" or TELLS.search(later.name):
        return False
    verbs = [root(turn.marks.natures.verb(one.name)) for one in (call, later)]
    return not known.isdisjoint(later.given) or words.kin.alike(verbs[0], verbs[1])


def known_ids(call: Call) -> frozenset[str]:
    """The ids that a call was given and got: by one of them a later call is about the same thing."""
    shown = scalars(call.result_value) if len(call.result_text) <= READ else ()
    ids = (text for text in (*call.given, *(text for _, text in islice(shown, READ))))
    return frozenset(
        one
        for one in ids
        if LEAST <= len(one) <= 80 and any(map(str.isdigit, one)) and " " not in one and not _is_time(one)
    )


def _is_time(text: str) -> bool:
    return bool(MOMENT.fullmatch(text) or TIME.fullmatch(text))


def own_ids(row: Row) -> dict[str, str]:
    """What a row goes by, by the names of its fields."""
    return {
        name: str(one)
        for name, one in islice(row.items(), MOST)
        if OWN.search(name) and isinstance(one, (str, int)) and not isinstance(one, bool)
    }


@dataclass(frozen=True, slots=True)
class _List:
    name: str
    rows: Sequence[dict[str, Any]]
    call: Call
    shown: Call
    turn: Turn
    words: Words


def _of_list(one: _List) -> Iterator[Parted]:
    """The rows of one list that a field has as not done, where another row has it as done."""
    given = [_was_given(row, one.call) for row in one.rows]
    for field in islice(one.rows[0], MOST):
        strict = OUTCOME.search(field)
        if not strict and not STATE.search(field):
            continue
        done = [row for row in one.rows if _is_done(row.get(field), one, strict)]
        left = len(done) < len(one.rows) and any(_not_done(row, field, one) for row in one.rows)
        done = [row for row in done if not had_so(row, field, one.call, one.turn)] if left else []
        for row, own in zip(one.rows, given, strict=True) if done else ():
            if row in done or not (how := _not_done(row, field, one)) or _is_settled(row, one):
                continue
            held = _held(row, done, one)
            told = strict or (own and not _echoes(row, one))
            sure = held or (how == MISSED and told and _is_deed(done[0].get(field), one))
            if sure and (
                own or (not any(given) and isinstance(row[field], str) and not had_so(row, field, one.call, one.turn))
            ):
                why = next((str(row[name]) for name in WHYS if row.get(name)), f"{field} {str(row[field]).lower()}")
                yield Parted(one.call, one.shown, one.name, one.rows, row, done, one_line(why, 80), held)


def _was_given(row: Row, call: Call) -> bool:
    """Whether a call was given what a row goes by; a short one, as a line's number, under a name of its kind."""
    ids = own_ids(row)
    return any(
        any(
            text == own and (len(own) >= LEAST or not name_roots(name).isdisjoint(name_roots(field)))
            for field, own in ids.items()
        )
        for name, text in islice(scalars(call.arguments), READ)
    )


def _is_settled(row: Row, one: _List) -> bool:
    """Whether nothing had to be done for a row, or a later change was given it."""
    if any(SO_BEFORE.search(text) for _, text in scalars(row, depth=1)):
        return True
    ids = set(own_ids(row).values())
    later = (each for each in one.turn.after(one.call) if one.turn.nature(each) != "read")
    return any(not ids.isdisjoint(each.given) for each in later)


def _plain(value: Any) -> str:
    return " ".join(value[:60].replace("_", " ").replace("-", " ").lower().split()) if isinstance(value, str) else ""


def _is_done(value: Any, one: _List, strict: bool) -> bool:
    if isinstance(value, bool):
        return strict and value
    return expression(one.words.reached).fullmatch(_plain(value)) is not None


def _not_done(row: Row, field: str, one: _List) -> str:
    """How a row was not done, by a field; empty where it was, or where that is what was asked for."""
    value = row.get(field)
    if value is False:
        return MISSED if any(row.get(name) for name in WHYS) else ""
    told = _plain(value)
    asked = {_plain(text) for text in one.call.given if len(text) <= 60}
    own = name_roots(one.call.name) | {root(word) for text in asked for word in text.split()}
    if not told or any(root(word) in own for word in told.split()):
        return ""
    if expression(one.words.missed).fullmatch(told):
        return MISSED
    return SHORT if expression(one.words.short).fullmatch(told) else ""


def _is_deed(value: Any, one: _List) -> bool:
    """Whether a word of what was done is of the tool's own verb, or of no thing's own state: "processed"."""
    if value is True or _plain(value) in CARRIED_OUT:
        return True
    verb, words = root(one.turn.marks.natures.verb(one.call.name)), [root(word) for word in _plain(value).split()]
    return any(word == verb or (verb not in COMMON and one.words.kin.alike(word, verb)) for word in words)


def _held(row: Row, done: Sequence[Row], one: _List) -> frozenset[str]:
    """What the call was given, and only rows have that were done: the day of a visit, of which this row has none."""
    lacks = {text for _, text in scalars(row, depth=3)}
    had = [{text for name, text in scalars(each, depth=3) if not OWN.search(name)} for each in done]
    shared = frozenset(text for text in set[str]().union(*had) & one.call.given - lacks if len(text) >= LEAST)
    return frozenset(text for text in shared if _is_time(text) and all(text in each for each in had))


def _echoes(row: Row, one: _List) -> bool:
    """Whether a row has what the call asked for beside its id, and no why: its state is then its own, and no outcome."""
    if any(row.get(name) for name in WHYS):
        return False
    ids = set(own_ids(row).values())
    return any(text in one.call.given and text not in ids for _, text in scalars(row, depth=2))


def had_so(row: Row, field: str, call: Call, turn: Turn, most: int = LOOKS) -> bool:
    """Whether one of so many looks before a call has a row in the same state."""
    ids = {name: text for name, text in own_ids(row).items() if name != field}
    for look in islice(turn.recent(call), most):
        if len(look.result_text) > READ or not any(text in look.result_text for text in ids.values()):
            continue
        for thing in islice(objects(look.result_value), MOST):
            if thing.get(field) == row.get(field) and any(str(thing.get(name)) == text for name, text in ids.items()):
                return True
    return False
