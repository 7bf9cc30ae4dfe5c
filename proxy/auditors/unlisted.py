"""A thing that a change was given must stand among those that its result lists, where the answer tells of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, islice
from typing import Any, ClassVar, NamedTuple

from proxy.audit import Finding
from proxy.auditors.effects import subject_of
from proxy.claims import Claim, compared_text
from proxy.figures import sentence_around
from proxy.ledger import Call, Turn
from proxy.patterns import expression
from proxy.results import line_at, objects, one_line, scalars
from proxy.roots import tokens

CODE = re.compile(r"(?=.*[\dA-Z_@-])[\w.:#@+-]{2,60}")
"""What names a thing: an id, a code, an address; never a word of plain text."""
HANDLE = re.compile(r"[\w.:#@+-]{2,60}")
"""The same, of several of which one is surely none: `mvdberg` beside `yusra-k`."""
PERSON = re.compile(r"[a-z]{4,}(?=[-_.@])")
"""How the handle of somebody begins with the name that people have for them."""
KEY = re.compile(
    r"(?i)(?:^|_)(?:id|ids|code|codes|key|no|number|sku|ref|item|line|name|email|login|handle|user|day|seat|type)s?$|(?:Id|Ids|Code|No|Number)$"
)
"""Fields that say which thing an entry is."""
NAMES = re.compile(r"(?i)^(?:name|title|label|description|display_?name|first_?name|full_?name)$")
"""Fields by which people call a thing."""
OLDER = re.compile(r"(?i)(?:remove|old|from|current|previous)(?:_|$)")
NEWER = re.compile(r"(?i)(?:add|new|to|replacement)(?:_|$)")
"""Arguments by which one thing takes the place of another."""
ROW = re.compile(r"\s*(?:[|*+•-]|\d{1,2}[.)])\s")
"""How a line of a list or of a table begins."""
LINE = re.compile(r"[^\n.!?]+(?:[.](?!\s)[^\n.!?]*)*")
LONGEST = 20_000
"""Code points of a result that is read."""
LOOKS = 8
"""Looks before a call in which a thing is looked for."""
MOST = 40
"""Things of one call."""


class Listed(NamedTuple):
    """A list of a result: under which name it stands, and what its entries are called."""

    name: str
    entries: frozenset[str]


@dataclass(frozen=True, slots=True)
class Unlisted:
    """Look for what a change was given among the things that its result lists.

    A call is given some things by their codes, in a list, or one by its code; its result has a list of things of the kind.
    Told is one that stands in none of them, where the others do, or where the list holds codes of the same field, and the
    answer speaks of all of them, of as many as were given, or names it as looks know it. `whole` is an expression for words
    that speak of all, `admits` for answers that tell of some trouble, `undone` for names of lists of what was not done, and
    `takes` for tools after which a thing may stand in no list. After those that `removes` finds, what was in a list before and
    is there still is told, but where `gone` finds in its entry that it ends.
    """

    whole: str = ""
    admits: str = ""
    undone: str = ""
    takes: str = ""
    removes: str = ""
    gone: str = ""

    reads: ClassVar[frozenset[str]] = frozenset({"text"})
    needs: ClassVar[frozenset[str]] = frozenset({"change"})

    def compare(self, turn: Turn, claims: Sequence[Claim]) -> list[Finding]:
        text = compared_text(claims)
        if not text:
            return []
        found = []
        for call in turn.landed_changes():
            if turn.nature(call) != "change" or call.result_value is None or len(call.result_text) > LONGEST:
                continue
            if call.effect or turn.is_far_back(call):
                continue
            if self.removes and expression(self.removes).search(call.name):
                found += list(islice(self._kept(call, turn, text), 1))
            elif not (self.takes and expression(self.takes).search(call.name)):
                found += list(islice(chain(self._missing(call, turn, text), self._absent(call, turn, text)), 1))
        return [] if found and self.admits and expression(self.admits).search(text) else found

    def _kept(self, call: Call, turn: Turn, text: str) -> Iterator[Finding]:
        """A thing that was to be taken away, and that the result lists as it did before, with nothing said of an end."""
        held = call.name.partition("_from_")[2]  # `remove_item_from_order` takes no order away
        for things in islice(_given(call.arguments), MOST):
            for thing in things.entries:
                entries = [
                    one
                    for name, one in _objects(call.result_value)
                    if self._stands(name, one, thing, things) and not (held and _field(name) in held)
                ]
                before = any(thing in one.result_text for one in turn.recent(call))
                if not entries or not before or any(thing in one.result_text for one in turn.after(call)):
                    continue
                if told := self._told(thing, things, call, turn, text):
                    reason = f"asked to take {one_line(thing, 60)!r} away, and the result still lists it"
                    yield Finding("contradicted", subject_of(call), reason, one_line(told, 200), call.id)

    def _stands(self, name: str, entry: Mapping[str, Any], thing: str, things: Listed) -> bool:
        """Whether an entry of a list is the thing, and is not said to be ended or gone."""
        if self.gone and (
            expression(self.gone).search(name) or any(map(expression(self.gone).search, map(str, entry)))
        ):
            return False
        return any(value == thing and _field(key) == _field(things.name) for key, value in entry.items()) and not any(
            self.gone and isinstance(value, str) and expression(self.gone).search(value) for value in entry.values()
        )

    def _missing(self, call: Call, turn: Turn, text: str) -> Iterator[Finding]:
        given = [*_given(call.arguments), *_exchanged(call, turn)]
        if not given:
            return
        done = [
            one for one in _lists(call.result_value) if not (self.undone and expression(self.undone).search(one.name))
        ]
        later = turn.said_after(call, LONGEST)
        for things in given[:MOST]:
            kin = [one for one in done if _of_a_kind(things, one)]
            if not kin:
                continue
            for thing in things.entries:
                if any(thing.casefold() in one.entries for one in done) or thing in later:
                    continue
                told = self._told(thing, things, call, turn, text)
                if told and not (thing in call.result_text and _is_apart(thing, kin, told, text)):
                    listed = ", ".join(sorted(kin[0].entries))
                    reason = f"asked for {one_line(thing, 60)!r}, and the result lists {one_line(listed, 80) or 'none'}"
                    yield Finding("contradicted", subject_of(call), reason, one_line(told, 200), call.id)

    def _absent(self, call: Call, turn: Turn, text: str) -> Iterator[Finding]:
        """Somebody by their handle who is in no result, where this one's list of the argument's name has others."""
        for name, values in islice(call.arguments.items(), MOST):
            people = values if isinstance(values, list) and len(values) > 1 else []
            if not people or not all(isinstance(one, str) and HANDLE.fullmatch(one) for one in people):
                continue
            listed = [one for one in _lists(call.result_value) if one.name.partition(".")[0] == name]
            there = {one.casefold() for one in people} & {each for one in listed for each in one.entries}
            heads = {one: found[0] for one in people if there and (found := PERSON.match(one))}
            results = [one.result_text.casefold() for one in (*turn.calls, *turn.earlier())] if heads else []
            missing = [(one, head) for one, head in heads.items() if not any(head in each for each in results)]
            for one, head in missing if len(missing) == 1 else ():
                for found in re.finditer(rf"\b{head.capitalize()}\b", text):
                    told = sentence_around(text, *found.span())
                    reason = f"asked for {one!r}, and the result lists {one_line(', '.join(sorted(there)), 80)}"
                    yield Finding("contradicted", subject_of(call), reason, one_line(told, 200), call.id)

    def _told(self, thing: str, things: Listed, call: Call, turn: Turn, text: str) -> str:
        """The sentence by which an answer tells of a thing; of several, also one that speaks of all."""
        if len(things.entries) > 1 and self.whole:
            for found in expression(self.whole).finditer(text):
                return sentence_around(text, *found.span())
        if len(thing) > 2 and (spelled := _spelled(thing).search(text)):
            return sentence_around(text, *spelled.span())
        for words in filter(None, map(tokens, _labels(thing, call, turn))):
            for found in LINE.finditer(text):
                if words <= tokens(found.group()):
                    return found.group()
        return next((line_at(text, at) for at in _described(thing, call, turn, text)), "")


def _is_apart(thing: str, kin: Sequence[Listed], told: str, text: str) -> bool:
    """Whether an answer names what was done without a thing that the result has elsewhere, and no list has the two."""
    done = {entry for one in kin for entry in one.entries}
    name, said = thing.casefold(), told.casefold()
    lines = [found.group().casefold() for found in LINE.finditer(text)]
    alone = any(name not in line and any(one in line for one in done) for line in lines)
    both = name in said and any(one in said for one in done)
    return alone and not both and not any(ROW.match(line) and name in line for line in text.casefold().splitlines())


def _given(arguments: Mapping[str, Any], depth: int = 3) -> Iterator[Listed]:
    """The things that arguments name by their codes: lists of them, of objects that have one, and single ones."""
    for name, value in arguments.items():
        if OLDER.match(name) or any(f"{aim}{name}" in arguments for aim in ("new_", "new", "target_", "to_")):
            continue  # what another takes the place of
        if isinstance(value, dict) and depth:
            yield from _given(value, depth - 1)
        elif isinstance(value, list):
            yield from _entries(name, value)
        elif isinstance(value, str) and KEY.search(name) and CODE.fullmatch(value):
            yield Listed(name, frozenset({value}))


def _exchanged(call: Call, turn: Turn) -> Iterator[Listed]:
    """What a call was given in place of something, where the result has the list that was there before."""
    old, new = (
        [value for name, value in call.arguments.items() if sign.match(name) and isinstance(value, str)]
        for sign in (OLDER, NEWER)
    )
    if len(old) == len(new) == 1 and CODE.fullmatch(old[0]) and CODE.fullmatch(new[0]):
        lists = [one for one in _lists(call.result_value) if old[0].casefold() in one.entries]
        before = (
            one for other in turn.recent(call) if old[0] in other.result_text for one in _lists(other.result_value)
        )
        if lists and any(one in lists for one in before):
            yield Listed("", frozenset((old[0], new[0])))


@lru_cache(maxsize=256)
def _spelled(thing: str) -> re.Pattern[str]:
    """A code as people write it: "MW71 KDE" for `MW71KDE`."""
    letters = re.findall(r"[^\W_]", thing)
    between = r"[\W_]?" if len(letters) >= 5 else ""
    return re.compile(between.join(map(re.escape, letters if between else thing)), re.IGNORECASE)


def _entries(name: str, values: Sequence[Any]) -> Iterator[Listed]:
    plain = [one for one in values if isinstance(one, str) and CODE.fullmatch(one)]
    if plain and len(plain) == len(values):
        yield Listed(name, frozenset(plain))
    keys = {key for one in values if isinstance(one, dict) for key in one if KEY.search(key)}
    for key in sorted(keys):
        codes = [one.get(key) for one in values if isinstance(one, dict)]
        if all(isinstance(one, str) and CODE.fullmatch(one) for one in codes):
            yield Listed(key, frozenset(str(one) for one in codes))


def _lists(value: Any, name: str = "", depth: int = 5) -> Iterator[Listed]:
    """The lists of a result, by the names that their entries go by; entries are case folded."""
    if isinstance(value, dict) and depth:
        for key, inner in value.items():
            yield from _lists(inner, str(key), depth - 1)
    elif isinstance(value, list):
        if all(isinstance(one, str) for one in value):
            yield Listed(name, frozenset(str(one).casefold() for one in value))
        keys = {key for one in value if isinstance(one, dict) for key in one if KEY.search(key)}
        for key in sorted(keys):
            own = frozenset(str(one[key]).casefold() for one in value if isinstance(one, dict) and key in one)
            yield Listed(f"{name}.{key}", own)
        for one in value:
            yield from _lists(one, name, depth - 1) if isinstance(one, dict) and depth else ()


def _objects(value: Any, name: str = "", depth: int = 5) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The objects in the lists of a result, with the lists' names."""
    if isinstance(value, dict) and depth:
        for key, inner in value.items():
            yield from _objects(inner, str(key), depth - 1)
    elif isinstance(value, list):
        for one in value:
            if isinstance(one, dict):
                yield name, one
                yield from _objects(one, name, depth - 1)


def _of_a_kind(things: Listed, listed: Listed) -> bool:
    """Whether a list may hold what was given: it has another of the given things, or codes of the field's very name."""
    folded = {one.casefold() for one in things.entries}
    if len(folded) > 1:
        return bool(folded & listed.entries)
    if not listed.entries:
        return things.name == listed.name  # "addons": ["IP4"] was given, and there are none
    own, field = _field(things.name), _field(listed.name.rpartition(".")[2])
    return bool(listed.entries) and own == field and own not in ("id", "name", "")


def _field(name: str) -> str:
    """A field's name without what varies: `addon_code` and `code`, `petIds` and `pet_id`."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower().strip("_").split("_")
    return words[-1].rstrip("s")


def _described(thing: str, call: Call, turn: Turn, text: str) -> Iterator[int]:
    """Where an answer has what a look says of a thing alone ("size 11"), and the call's result has not."""
    for look in islice((one for one in turn.recent(call) if thing in one.result_text), LOOKS):
        for one in objects(look.result_value):
            inner = one[thing] if isinstance(one.get(thing), dict) else one
            if inner is one and not any(value == thing and KEY.search(key) for key, value in one.items()):
                continue
            for key, value in scalars(inner, depth=2):
                if KEY.search(key) or not value or f'"{value}"' in call.result_text:
                    continue
                spelled = (
                    rf"\b{re.escape(key)}\W{{0,4}}{re.escape(value)}\b"
                    if len(value) < 4
                    else rf"\b{re.escape(value)}\b"
                )
                yield from (found.start() for found in islice(re.finditer(spelled, text, re.IGNORECASE), 1))


def _labels(thing: str, call: Call, turn: Turn) -> Iterator[str]:
    """What looks and results call a thing, and whose address it is."""
    if "@" in thing:
        yield thing.partition("@")[0]
    for other in (*turn.recent(call), *turn.calls[call.position :]):
        for one in objects(other.result_value) if thing in other.result_text else ():
            if any(value == thing and KEY.search(key) for key, value in one.items() if isinstance(value, str)):
                yield from (value for key, value in one.items() if NAMES.match(key) and isinstance(value, str))
