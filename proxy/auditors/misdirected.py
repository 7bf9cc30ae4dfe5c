"""A change that landed on another thing than it was called for: its result has that one as it was, or names a sibling of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, ClassVar, TypeAlias

from proxy.audit import Finding
from proxy.auditors.asked import FORMER
from proxy.auditors.effects import IDENTITY, WRITTEN, about, subject_of
from proxy.auditors.states import STATE
from proxy.claims import Claim, compared_text
from proxy.figures import sentence_around
from proxy.ledger import Call, Turn
from proxy.patterns import Names, expression
from proxy.results import has_name, lists, objects, one_line, scalars
from proxy.roots import name_words
from proxy.spelling import places

MOST, LOOKS = 40, 20
"""Entries of a list, and looks before a call, that are compared."""
READ = 20_000
"""Code points of a result that is read."""
NAMES = re.compile(r"(?=.*\d)[\w:+./#-]{3,40}")
"""What an entry of a list goes by."""
BESIDE = re.compile(
    r"(?i)releas|freed|drop|replac|remov|cancel|remain|backup|alternat|other|next|swap|also|conflict|instead_?of|given_?up"
)
"""Names of fields that hold what was left for the thing that a call is about, or stands beside it."""
ADDRESS = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
RECIPIENT = Names(r"(?i)recipient|^(?:to|e?mail|address|sent_?to|deliver\w*_?to)$")
"""Addresses, and fields that say to which one something went."""
SENT = re.compile(r"(?i)\b(?:sent|e?mailed|delivered|forwarded|gesendet|geschickt|enviad[oa]|envoyée?)\b")
"""Words by which a sentence says that something went out."""
ALIKE = re.compile(r"(?i)\b(?:same|like|than|match\w*|as with|and|both|also|too|instead|other)\b")
"""Words by which a sentence may speak of a thing beside the one that was changed."""
BESIDES = re.compile(r"(?i)\b(?:same|like|than|both|also|too|instead|other|not|replac\w*|old|previous\w*|from)\b")
"""The same, of an id, which nobody names by the way."""
AGAINST = "(?:against|on|for|to|of|in|with|under)"
"""Words before what something was done to."""
PERSON = re.compile(r"[A-Z][a-z]{2,20}")
"""The name of somebody, alone."""
BY = re.compile(
    r"after|before|than|with|as|like|near|behind|beside|over|not|and|or|until|to|but|except|from|under|past|since"
)
"""Words before what something is only beside."""
TELLS = 2
"""Code points of a value by which an answer may tell an entry from another one."""


Listed: TypeAlias = tuple[Mapping[str, Any], str, list[Mapping[str, Any]]]
"""An entry of a list, the field by which it goes, and the entries beside it."""


@dataclass(frozen=True, slots=True)
class Misdirected:
    """Compare the thing that a change was called for, by its id, with the one that its result shows as changed.

    Told is a result in which the entry of that id is as the last look showed it, and another entry, of which the call knew
    nothing, is not; a result that has, instead of that id, the one of another entry of the list in which looks have shown it; a
    call that was given the id of another entry than the user and the answer speak of; and an address that the user gave and no
    call has, where the result says that it went to another. Silent where the answer speaks of the other one, or has `doubts`,
    an expression.
    """

    doubts: str = r"(?!)"

    reads: ClassVar[frozenset[str]] = frozenset({"action", "success", "text"})
    needs: ClassVar[frozenset[str]] = frozenset({"change"})

    def compare(self, turn: Turn, claims: Sequence[Claim]) -> list[Finding]:
        text = compared_text(claims)
        said = [one for one in claims if one.kind in ("action", "success") and one.stance == "asserted"]
        if not text or expression(self.doubts).search(text):
            return []
        deeds = " ".join(one.quote for one in said if one.kind == "action")
        findings = []
        changes = turn.sure_changes()
        for call in changes:
            if len(call.result_text) > READ or turn.is_far_back(call) or turn.landed_again(call) or call.undoes:
                continue
            told = next(
                chain(
                    _unchanged(call, turn, said),
                    _sibling(call, turn, text),
                    _sent_to(call, turn, text),
                    _mistaken(call, changes, turn, deeds),
                    _told_of_another(call, changes, turn, text, deeds),
                ),
                None,
            )
            if told is not None:
                claim = about(call, said) or next(iter(said), None)
                quote = text if claim is None else claim.quote
                findings.append(Finding("contradicted", subject_of(call), told, one_line(quote, 200), call.id))
        return findings


def _unchanged(call: Call, turn: Turn, said: Sequence[Claim]) -> Iterator[str]:
    """The entry that a call was about, as it was before, where one entry beside it is not."""
    given = {told for _, told in scalars(call.arguments)}
    for _, entries in lists(call.result_value, MOST):
        named = [(one, _own_id(one)) for one in entries[:MOST] if isinstance(one, dict)]
        own = [(one, pair) for one, pair in named if pair[1] in given]
        if len(own) != 1 or len(named) < 2:
            continue
        entry, (key, name) = own[0]
        before = _before(call, turn, key)
        others = [
            one for one, pair in named if pair[0] == key and pair[1] not in given and _is_other(one, pair, before)
        ]
        if name in before and not _apart(entry, before[name]) and len(others) == 1:
            quotes = [one.quote for one in said if one.kind == "action"]
            if any(_speaks_of(entry, others[0], one) and not _speaks_of(others[0], entry, one) for one in quotes):
                yield f"the result has {name} as it was before, and changed {others[0][key]}"


def _is_other(entry: Mapping[str, Any], pair: tuple[str, str], before: Mapping[str, Mapping[str, Any]]) -> bool:
    return pair[1] in before and bool(_apart(entry, before[pair[1]]))


def _apart(entry: Mapping[str, Any], before: Mapping[str, Any]) -> set[str]:
    """The fields in which an entry is not as it was, but for the marks of its being written."""
    return {
        key for key in entry.keys() | before.keys() if not WRITTEN.search(key) and entry.get(key) != before.get(key)
    }


def _own_id(entry: Mapping[str, Any]) -> tuple[str, str]:
    """The first field of an entry that says which one it is, and what it has."""
    own = ((key, str(one)) for key, one in entry.items() if IDENTITY.search(key) and isinstance(one, (str, int)))
    return next(own, ("", ""))


def _before(call: Call, turn: Turn, key: str) -> dict[str, Mapping[str, Any]]:
    """The entries that the last looks before a call have shown, by what they have under a name."""
    found: dict[str, Mapping[str, Any]] = {}
    for other in islice(turn.recent(call), LOOKS):
        for one in islice(objects(other.result_value), MOST) if other.outcome == "landed" else ():
            if isinstance(one.get(key), (str, int)):
                found.setdefault(str(one[key]), one)
    return found


def _sibling(call: Call, turn: Turn, text: str) -> Iterator[str]:
    """The id of another entry in the place of the one that a call was given, where a look has shown the two side by side."""
    later = turn.said_after(call, READ)
    for name, value, (entry, key, siblings) in _given(call, turn, f"{call.result_text}\n{later}"):
        told = _told(call, frozenset((*name_words(name), *name_words(key))))
        there = [one for one in siblings if has_name(told, str(one[key])) and str(one[key]) not in call.raw]
        if len(there) == 1 and _speaks_of(entry, there[0], text) and not _speaks_of(there[0], entry, text):
            yield f"asked for {name} {value!r}, and the result has {str(there[0][key])!r}"


def _mistaken(call: Call, changes: Sequence[Call], turn: Turn, deeds: str) -> Iterator[str]:
    """The entry whose id a call was given, where the user and the answer speak of another one that was listed beside it."""
    for name, value, (entry, key, siblings) in _given(call, turn, turn.asked) if _flatly(deeds, ALIKE) else ():
        called = [each for each, text in entry.items() if isinstance(text, str) and PERSON.fullmatch(text)]
        meant = [one for one in siblings if any(_owns(one.get(each), deeds, turn.asked) for each in called)]
        if len(meant) != 1 or any(_speaks_of(entry, meant[0], one) for one in (deeds, turn.asked)):
            continue
        own = {told for _, told in scalars(meant[0]) if len(told) > TELLS} - {told for _, told in scalars(entry)}
        if not any(one in each.raw or one in each.result_text for one in own for each in changes):
            yield f"the call was given {name} {value!r}, and that of what is told is {str(meant[0][key])!r}"


def _told_of_another(call: Call, changes: Sequence[Call], turn: Turn, text: str, deeds: str) -> Iterator[str]:
    """The entry whose id a deed names, where the call was given that of one listed beside it, which the answer has nowhere."""
    for name, value, (_, key, siblings) in _given(call, turn, turn.asked) if _flatly(deeds, BESIDES) else ():
        if any(places(value, text)):
            continue
        ids = (str(one[key]) for one in siblings)
        told = [one for one in ids if len(one) > TELLS + 2 and one not in turn.asked and _is_behind(one, deeds)]
        if len(told) == 1 and not any(told[0] in one.raw or told[0] in one.result_text for one in changes):
            yield f"the call was given {name} {value!r}, and {told[0]!r} is told"


def _given(call: Call, turn: Turn, known: str) -> Iterator[tuple[str, str, Listed]]:
    """What a call was given that a look lists as one of several entries, and that does not stand in a text."""
    for name, value in islice(scalars(call.arguments), MOST):
        own = NAMES.fullmatch(value) and not FORMER.search(name) and value not in known
        if own and (listed := _listed(call, turn, value)) is not None:
            yield name, value, listed


def _flatly(deeds: str, others: re.Pattern[str]) -> bool:
    """Whether an answer tells deeds, and has none of some words there."""
    return bool(deeds) and others.search(deeds) is None


def _is_behind(name: str, text: str) -> bool:
    """Whether an id stands behind a word by which something was done to what it names."""
    return re.search(rf"\b{AGAINST} \W{{0,4}}{re.escape(name)}\b", text) is not None


def _owns(name: Any, *texts: str) -> bool:
    """Whether all texts tell of something as that of somebody, and not beside it: "on Anika's line", "after Anika's"."""
    if not isinstance(name, str) or PERSON.fullmatch(name) is None:
        return False
    found = [list(islice(re.finditer(rf"(\w+ )?\b{name}['’]s\b", text), MOST)) for text in texts]
    return all(found) and not any(BY.fullmatch((one[1] or "").strip().lower()) for each in found for one in each)


def _sent_to(call: Call, turn: Turn, text: str) -> Iterator[str]:
    """The address to which a result says that something went, where the answer says that it went to the user's other one."""
    there = {
        value.lower()
        for name, value in scalars(call.result_value)
        if RECIPIENT.search(name) and ADDRESS.fullmatch(value)
    }
    changes = turn.possible_changes() if there else ()
    for found in islice(ADDRESS.finditer(text), MOST) if there else ():
        one = found.group().lower().rstrip(".")
        if one in there or one not in turn.asked.lower() or any(each.names(one) for each in changes):
            continue
        if SENT.search(sentence_around(text, *found.span())):
            yield f"the result has it sent to {min(there)!r}"


def _listed(call: Call, turn: Turn, value: str) -> Listed | None:
    """The entry that a look before a call shows by a value, under which name, and those that are listed beside it."""
    for look in islice(turn.recent(call), LOOKS):
        if turn.nature(look) == "change" or value not in look.result_text or len(look.result_text) > READ:
            continue
        for _, entries in lists(look.result_value, MOST):
            things = [one for one in entries[:MOST] if isinstance(one, dict)]
            for one in things:
                key = next((key for key, told in one.items() if str(told) == value), "")
                if key:
                    return (
                        one,
                        key,
                        [each for each in things if each is not one and NAMES.fullmatch(str(each.get(key)))],
                    )
    return None


def _told(call: Call, names: frozenset[str]) -> str:
    """What a result says of the one thing that it is about, in a sentence, or in a field of one of these names."""
    value = call.result_value
    return "\n".join(_single(value, names)) if isinstance(value, dict) else call.result_text if value is None else ""


def _single(value: Mapping[str, Any], names: frozenset[str], depth: int = 3) -> Iterator[str]:
    for key, inner in value.items():
        if FORMER.search(key) or BESIDE.search(key):
            continue
        if isinstance(inner, dict) and depth:
            yield from _single(inner, names, depth - 1)
        elif isinstance(inner, str) and " " in inner:
            yield inner
        elif isinstance(inner, (str, int)) and set(name_words(key)) <= names:
            yield str(inner)


def _speaks_of(entry: Mapping[str, Any], other: Mapping[str, Any], text: str) -> bool:
    """Whether a text has a value of an entry that another one has not, and that is no state of it."""
    shared = {told for _, told in scalars(other)}
    own = (told for key, told in scalars(entry) if not STATE.search(key))
    return any(len(told) > TELLS and told not in shared and any(True for _ in places(told, text)) for told in own)
