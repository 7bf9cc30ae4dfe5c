"""An entry of a result that says that it was not done must not be one of those that the answer tells as done."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, ClassVar, NamedTuple

from proxy.audit import Finding
from proxy.auditors.states import LATER, STATE, words_of
from proxy.auditors.unmet import places
from proxy.claims import Claim, compared_text
from proxy.fields import cells_of
from proxy.figures import sentence_around, unquoted
from proxy.ledger import Call, Turn
from proxy.patterns import expression
from proxy.results import objects, one_line, scalars
from proxy.roots import TOKEN, root

UNDOES = re.compile(
    r"(?i)remove|revoke|cancel|declin|reject|deny|disabl|deactiv|delete|undo|withdraw|unsub|opt_?out|skip|dismiss|block"
)
"""Tools after which a thing is not accepted, applied or done."""
FLAGS = frozenset({"ok", "success", "succeeded", "successful", "accepted", "applied", "done"})
"""Fields of an entry that are false where it was not done, whatever was to be done."""
TROUBLE = r"(?i)error|reject|fail|skip|denial|\bfalse\b"
SEAMS = re.compile(r"[_-]+")
REASON = re.compile(
    r"(?i)^(?:error|errors|error_?(?:code|message)|(?:reject|rejection|fail|failure|skip|denial)_?(?:reason|code))$"
)
"""Fields of an entry that have something only where it was not done."""
VERSION = re.compile(r"(?<![\w.])\d+\.\d+(?:\.\d+){1,2}(?![\w.])")
STEM = 5
MOST = 60
"""Entries of a list, lists of a result, and looks, that are read."""
LONGEST = 20_000
"""Code points of a result that is read."""


class Entry(NamedTuple):
    """An entry of a list in a result, and those beside it."""

    value: Mapping[str, Any]
    kin: Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Entries:
    """Compare the things that an answer names with the entries of the results of its changes, and of the looks after them.

    Told is an entry of a list that says that it was not done (an error, a flag of the deed that is false, one of the states
    `undone`; or one of the states `kept`, where it has another value than was asked for, as those beside it have), and that
    the answer names by what sets the entry apart, or by what a look calls it, in a line without `doubts`; or that is called
    as the turn's one change was asked. `offers` is one for states that in a
    look tell only what could be had, `admits` an
    expression for answers that tell of any trouble, or of what waits, but for what is `harmless` in them ("at no cost"); `done`
    for those that tell that something is done.
    """

    undone: str = r"(?!)"
    kept: str = r"(?!)"
    offers: str = r"(?!)"
    done: str = r"(?!)"
    doubts: str = r"(?!)"
    admits: str = r"(?!)"
    harmless: str = r"(?!)"

    reads: ClassVar[frozenset[str]] = frozenset({"action", "text"})

    def compare(self, turn: Turn, claims: Sequence[Claim]) -> list[Finding]:
        changes = [one for one in turn.landed_changes() if not one.effect]
        after = turn.calls[changes[0].position :] if changes else ()
        troubled = [one for one in after if len(one.result_text) <= LONGEST and self._may_tell(one)]
        text = unquoted(compared_text(claims)) if troubled else ""
        if not text or not is_flat(text, claims, self.done, self.admits, self.harmless):
            return []
        for call in troubled:
            found = self._first(call, turn, text)
            if found is not None:
                return [found]
        return []

    def _may_tell(self, call: Call) -> bool:
        """Whether a result has anything by which an entry says that it was not done."""
        if call.outcome != "landed":
            return False
        plain = SEAMS.sub(" ", call.result_text)
        return any(expression(one).search(plain) for one in (TROUBLE, self.undone, self.kept))

    def _first(self, call: Call, turn: Turn, text: str) -> Finding | None:
        """The first entry of a result that was not done, and that the answer names."""
        for entry in _entries(call):
            reason = self._failed(entry, call, turn)
            if reason and turn.nature(call) == "read" and expression(self.offers).search(reason):
                continue
            if reason and _meant(entry, turn):
                found = expression(self.done).search(text)
                quote = one_line(sentence_around(text, *found.span()) if found else text, 200)
                return Finding("contradicted", _meant(entry, turn), f"the result says {reason}", quote, call.id)
            for name in _names(entry, call, turn) if reason else ():
                for start, end in places(name, text):
                    line = one_line(sentence_around(text, start, end), 200)
                    if not expression(self.doubts).search(line) and not _later(name, call, turn):
                        return Finding("contradicted", one_line(name, 80), f"the result says {reason}", line, call.id)
        return None

    def _failed(self, entry: Entry, call: Call, turn: Turn) -> str:
        """What an entry says of its not having been done; empty where it does not."""
        if any(LATER.search(name) and told for name, told in entry.value.items()):
            return ""
        asked = f"{call.name} {call.raw[:2_000]}".lower()  # who rejects a request wants it rejected
        stems = tuple(verb[:STEM] for verb in turn.marks.natures.verbs(call.name) if len(verb) > 3)
        for name, told in entry.value.items():
            if (
                REASON.match(name)
                and told
                and str(told).lower() not in ("0", "none", "ok")
                and not _wanted(name, asked)
            ):
                return f"{name}: {one_line(str(told), 100)!r}"
            flag = name in ("ok", "success") or (name in FLAGS and not UNDOES.search(call.name))
            if told is False and (flag or (stems and name.lower().startswith(stems))):
                return f"{name}: no"
            if isinstance(told, str) and STATE.search(name) and not _wanted(told, asked):
                if expression(self.undone).fullmatch(words_of(told)):
                    return f"{name}: {told!r}"
                if expression(self.kept).fullmatch(words_of(told)) and _other(entry, call):
                    return f"{name}: {told!r}"
        return ""


def _wanted(told: str, asked: str) -> bool:
    """Whether a state, or what a reason is for, is what the call set out to do."""
    return any(len(word) >= 4 and root(word.lower())[:STEM] in asked for word in TOKEN.findall(told))


def is_flat(text: str, claims: Sequence[Claim], done: str, admits: str, harmless: str) -> bool:
    """Whether an answer tells flatly that something is done: it denies nothing, and has no word of trouble."""
    if any(one.stance == "denied" for one in claims) or expression(admits).search(expression(harmless).sub(" ", text)):
        return False
    said = any(one.kind == "action" and one.stance == "asserted" for one in claims)
    return said or expression(done).search(text) is not None


def _entries(call: Call) -> Iterator[Entry]:
    """The entries of the lists in a result, or the rows of the tables that it prints."""
    value = call.result_value
    held = [value] if isinstance(value, list) else [_rows(call.result_text)] if value is None else []
    held += [inner for one in islice(objects(value, 3), MOST) for inner in one.values() if isinstance(inner, list)]
    for rows in held[:MOST]:
        kin = [one for one in rows[:MOST] if isinstance(one, dict)]
        yield from (Entry(one, [other for other in kin if other is not one]) for one in kin)


def _rows(text: str) -> list[dict[str, str]]:
    """The rows of the tables in a text, by the heads of their columns."""
    rows: dict[int, dict[str, str]] = {}
    for row, head, cell in cells_of(text):
        rows.setdefault(row, {})[head.strip()] = cell.strip()
    return list(rows.values())


def _other(entry: Entry, call: Call) -> bool:
    """Whether an entry has another value than was asked for, and one beside it has that one."""
    for name, asked in call.arguments.items():
        own = entry.value.get(name)
        both = isinstance(asked, str) and isinstance(own, str)
        if both and own != asked and any(one.get(name) == asked for one in entry.kin):
            return True
    return False


def _meant(entry: Entry, turn: Turn) -> str:
    """What an entry is called, where all its words stand in what the turn's one change was given: it is what was asked for."""
    name = next((told for key, told in entry.value.items() if key in ("name", "title") and isinstance(told, str)), "")
    words = [word.lower() for word in TOKEN.findall(name)]
    changes = turn.landed_changes()
    if len(words) < 2 or len(changes) != 1:
        return ""
    given = {word.lower() for _, told in scalars(changes[0].arguments) for word in TOKEN.findall(told)}
    return one_line(name, 80) if given.issuperset(words) else ""


def _names(entry: Entry, call: Call, turn: Turn) -> Iterator[str]:
    """The texts that set an entry apart from those beside it, and what looks call the thing that has one of them."""
    beside = {told for one in entry.kin for _, told in scalars(one, depth=3)}
    own = [
        told
        for name, told in scalars(entry.value, depth=1)
        if told not in beside and not STATE.search(name) and not REASON.match(name)
    ]
    ids = [one for one in own if len(one) >= 3 and not one.isdigit()]
    yield from (one for one in ids if len(one) <= 60)
    shared = " ".join(beside)
    yield from (one for told in ids for one in VERSION.findall(told) if one not in shared)
    for look in islice(turn.calls_before(call), MOST):
        held = [one for one in ids if one in look.result_text] if len(look.result_text) <= LONGEST else []
        for thing in islice(objects(look.result_value), MOST) if held else ():
            values = [told for told in thing.values() if isinstance(told, str)]
            if any(one in values for one in held):
                yield from (
                    told
                    for name, told in thing.items()
                    if isinstance(told, str) and name.lower() in ("name", "title", "label") and 4 <= len(told) <= 60
                )


def _later(name: str, call: Call, turn: Turn) -> bool:
    """Whether a later call of the turn was about the same thing, or by the same tool."""
    return any(other.names(name) or other.name == call.name for other in turn.calls[call.position + 1 :])
