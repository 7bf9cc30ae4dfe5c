"""Things that an answer says were dealt with, all of them: one that a look knows, and that no change named, is told."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from proxy.audit import Finding
from proxy.claims import ALL, Claim, compared_text
from proxy.ledger import Call, Turn
from proxy.patterns import expression
from proxy.results import has_word, objects, one_line, scalars

OWN = re.compile(
    r"(?i)^(?:(?:\w*[a-z])?_?(?:id|no|nr|number|key|code|email|ref|reference|sku|slug)|(?:\w*_)?name|\w*Name|title)$"
)
"""Names of fields that say which thing an object is."""
MOST = 60
"""Objects of looks that are read."""


@dataclass(frozen=True, slots=True)
class Untouched:
    """Compare "both" and "all" with the things that the user named and the turn's changes.

    A thing is what a look returned; it counts where the user's message and the answer name it, and where a change of the turn
    names another of its kind. `whole` is an expression for lines that speak of all, `other` for those that do not report.
    """

    whole: str = r"(?i)\b(?:both|all|each|every)\b"
    other: str = ""

    reads: ClassVar[frozenset[str]] = frozenset({"action", "text"})
    needs: ClassVar[frozenset[str]] = frozenset({"change"})

    def compare(self, turn: Turn, claims: Sequence[Claim]) -> list[Finding]:
        text = compared_text(claims)
        if expression(self.whole).search(text) is None or any(claim.stance == "denied" for claim in claims):
            return []
        here = turn.possible_changes()
        if not here or any(turn.nature(one) != "change" or one.effect for one in here):
            return []
        line = self._line(text, [one for one in claims if one.kind == "action" and one.stance == "asserted"])
        things = list(_things(turn, text)) if line else []
        if len(things) < 2:
            return []
        before = turn.possible_changes(turn.earlier())
        if any(turn.nature(one) != "change" or one.effect for one in before):
            return []
        changes = [*here, *before]
        given = _given(changes)
        touched = [one for one in things if not given.isdisjoint(one.own)]
        for thing in things if touched else ():
            kin = [one for one in touched if one.keys == thing.keys and one.tool == thing.tool]
            if kin and not _reached(thing, kin, given, changes) and not _already(thing, here) and turn.whole():
                return [Finding("unsupported", thing.name, "no call did it to this one", line, here[-1].id)]
        return []

    def _line(self, text: str, said: Sequence[Claim]) -> str:
        """The line that says of all that it is so; empty where none does."""
        for line in text.splitlines():
            if expression(self.whole).search(line) is None or (self.other and expression(self.other).search(line)):
                continue
            plain = one_line(line, 200)
            if re.search(r"(?i)\bnow\b", line) or any(one.quote[:40] in plain or plain in one.quote for one in said):
                return plain
        return next(
            (
                one.quote
                for one in said
                if one.count == ALL and not (self.other and expression(self.other).search(one.quote))
            ),
            "",
        )


@dataclass(frozen=True, slots=True)
class _Thing:
    """What a look returned: the texts that say which one it is, as the answer names it, and all that is known of it."""

    name: str
    tool: str
    keys: frozenset[str]
    own: frozenset[str]
    all: frozenset[str]


def _things(turn: Turn, text: str) -> Iterator[_Thing]:
    """The things that the user's message names and the answer too."""
    asked, said = turn.asked.lower(), text.lower()
    looks = [one for one in turn.calls if turn.nature(one) == "read" and one.result is not None]
    read = 0
    for call in looks:
        for one in objects(call.result_value):
            if (read := read + 1) > MOST:
                return
            own = list(_own(one))
            name = next((name for name in own if _named(name, asked) and _named(name, said)), "")
            if name:
                every = frozenset(value.lower() for _, value in scalars(one, depth=2))
                yield _Thing(name, call.name, frozenset(one), frozenset(value.lower() for value in own), every)


def _own(one: Mapping[str, Any]) -> Iterator[str]:
    """The texts of an object that say which thing it is."""
    for key, value in one.items():
        if OWN.match(key) and isinstance(value, str | int) and not isinstance(value, bool) and str(value).strip():
            yield str(value)


def _named(name: str, text: str) -> bool:
    if len(name) < 3 or (name.isdigit() and len(name) < 4):
        return False
    return has_word(text, name.lower().lstrip("#"))


def _given(changes: Sequence[Call]) -> frozenset[str]:
    """What the changes were given and returned, value by value."""
    values = (value for one in changes for _, value in scalars(one.arguments))
    shown = (value for one in changes for _, value in scalars(one.result_value))
    return frozenset(value.lower().lstrip("#") for value in (*values, *shown))


def _reached(thing: _Thing, kin: Sequence[_Thing], given: frozenset[str], changes: Sequence[Call]) -> bool:
    """Whether a change may have been about a thing: by what is its own, or by its name in any text of a change."""
    shared = frozenset[str]().union(*(one.all for one in kin))
    if not given.isdisjoint(thing.own) or any(value in given for value in thing.all - shared if len(value) > 1):
        return True
    texts = (f"{one.raw} {one.result_text}".lower() for one in changes)
    names = [name for name in thing.own if len(name) >= 3]
    return any(name.lstrip("#") in text for text in texts for name in names)


def _already(thing: _Thing, changes: Sequence[Call]) -> bool:
    """Whether the look showed that it was so: what a change was given, or its verb as a state."""
    given = {value.lower() for one in changes for _, value in scalars(one.arguments) if len(value) >= 2}
    verbs = [
        re.split(r"[_.\-\s]|(?<=[a-z])(?=[A-Z])", one.name.rpartition("__")[2].rpartition(".")[2])[0] for one in changes
    ]
    stems = {verb.lower()[:6] for verb in verbs if len(verb) >= 3} - {"update", "set", "change", "add", "create"}
    return not given.isdisjoint(thing.all) or any(value.startswith(one) for one in stems for value in thing.all)
