"""An entry of a result that says that it was not done must not be one of those that the answer tells as done."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, ClassVar, NamedTuple

from proxy.amounts import NUMERALS
from proxy.audit import Finding
from proxy.auditors.states import ID, LATER, STATE, states_of, words_of
from proxy.claims import Claim, compared_text
from proxy.fields import cells_of
from proxy.figures import sentence_around, unquoted
from proxy.ledger import Call, Turn
from proxy.patterns import expression
from proxy.results import objects, one_line, scalars
from proxy.roots import TOKEN, name_words, root
from proxy.spelling import MOMENT, places

FLAGS = frozenset({"ok", "success", "succeeded", "successful", "accepted", "applied", "done"})
"""Fields of an entry that are false where it was not done, whatever was to be done."""
TROUBLE = r"(?i)error|reject|fail|skip|denial|\bfalse\b"
SEAMS = re.compile(r"[_-]+")
REASON = re.compile(
    r"(?i)^(?:error|errors|error_?(?:code|message)|(?:reject|rejection|fail|failure|skip|denial)_?(?:reason|code))$"
)
"""Fields of an entry that have something only where it was not done."""
VERSION = re.compile(r"(?<![\w.])\d+\.\d+(?:\.\d+){1,2}(?![\w.])")
STAMP = re.compile(r"(?i)creat|updat|modif|chang|seen|sync|check|record|stamp")
"""Fields of days that tell when a thing was written or looked at, and nothing of the thing."""
DAYS = {day[:3].lower(): day for day in ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")}
NAMES = ("name", "title", "label")
"""Fields by which an answer may call a thing."""
NUMBER = re.compile(r"\+?\d{7,15}")
"""A number that people write in groups."""
LISTED = re.compile(r"[|*+•・-]|\d{1,2}[.)]")
ASIDE = re.compile(r"\([^()]{0,200}\)")
PAIR = re.compile(r"(?i)[* ]*(?:\w+ ){1,3}(?:and|und|y|et|e) ")
"""Behind "both": the two things that it means."""
STEM = 5
CALLS, LOOKS, UNDONE_AT_MOST = 24, 12, 40
"""Calls, looks before one, and entries of one result that were not done, whose names are looked for."""
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
    as the turn's one change was asked; or, given together with those beside it, in a sentence that speaks of all (`whole`). So
    is one of several given together whose flags of the deed (none of `aside`) are false where theirs are true, which is as a
    look had it where theirs are not, or which waits (`waits`) where theirs do not and the answer says more than that it is
    `begun`; and a line of a printed result with one of the words `refused`, or that begins with one of `left_out`. `unlike`
    is an expression for tools that do not do one thing to all that they are given. `offers` is one for states that in a
    look tell only what could be had, `admits` an
    expression for answers that tell of any trouble, or of what waits, but for what is `harmless` in them ("at no cost"); `done`
    for those that tell that something is done.
    """

    undone: str = r"(?!)"
    kept: str = r"(?!)"
    waits: str = r"(?!)"
    refused: str = r"(?!)"
    left_out: str = r"(?!)"
    begun: str = r"(?!)"
    unlike: str = r"(?!)"
    aside: str = r"(?!)"
    whole: str = r"(?!)"
    offers: str = r"(?!)"
    done: str = r"(?!)"
    doubts: str = r"(?!)"
    admits: str = r"(?!)"
    harmless: str = r"(?!)"

    reads: ClassVar[frozenset[str]] = frozenset({"action", "text"})
    needs: ClassVar[frozenset[str]] = frozenset({"change"})

    def compare(self, turn: Turn, claims: Sequence[Claim]) -> list[Finding]:
        if any(one.stance == "denied" for one in claims):
            return []  # it is not flat
        changes = [one for one in turn.landed_changes() if not one.effect]
        after = turn.calls[changes[0].position :] if changes else ()
        troubled = [one for one in after if len(one.result_text) <= LONGEST and self._may_tell(one)]
        text = unquoted(compared_text(claims)) if troubled else ""
        if not text or not is_flat(text, claims, self.done, self.admits, self.harmless):
            return []
        for call in troubled[-CALLS:]:
            found = self._first(call, turn, text)
            if found is None and self._alike(call, turn):
                found = self._behind(call, turn, text) or self._printed(call, turn, text)
            if found is not None:
                return [found]
        return []

    def _alike(self, call: Call, turn: Turn) -> bool:
        """Whether a call was to do one thing to all that it was given: no merger, and no test."""
        return turn.nature(call) != "read" and not call.effect and not expression(self.unlike).search(call.name)

    def _may_tell(self, call: Call) -> bool:
        """Whether a result has anything by which an entry says that it was not done, or may have one that is as it was."""
        if call.outcome != "landed":
            return False
        plain = SEAMS.sub(" ", call.result_text)
        tells = (TROUBLE, self.undone, self.kept, self.waits, self.refused, self.left_out)
        if any(expression(one).search(plain) for one in tells):
            return True
        return sum(one in call.result_text for one in islice(_given(call), MOST)) > 1

    def _first(self, call: Call, turn: Turn, text: str) -> Finding | None:
        """The first entry of a result that was not done, and that the answer names."""
        undone = ((entry, self._failed(entry, call, turn)) for entry in _entries(call))
        for entry, reason in islice((one for one in undone if one[1]), UNDONE_AT_MOST):
            if turn.nature(call) == "read" and expression(self.offers).search(reason):
                continue
            if _meant(entry, turn):
                found = expression(self.done).search(text)
                quote = one_line(sentence_around(text, *found.span()) if found else text, 200)
                return Finding("contradicted", _meant(entry, turn), f"the result says {reason}", quote, call.id)
            states = {words_of(one.told).casefold() for one in states_of(call.result_value)}
            for name in _names(entry, call, turn):
                if words_of(name).casefold() in states:
                    continue  # a step in which the whole is: "status": "PROCESSING"
                for start, end in places(name, text):
                    line = one_line(sentence_around(text, start, end), 200)
                    if not expression(self.doubts).search(line) and not _later(name, call, turn):
                        return Finding("contradicted", one_line(name, 80), f"the result says {reason}", line, call.id)
        return None

    def _behind(self, call: Call, turn: Turn, text: str) -> Finding | None:
        """The first entry that is not as those beside it, with which it was given, and that the answer has among the done."""
        given = _given(call)
        whole = self._of_all(call, len(given), text) if len(given) > 1 else ""
        for entry in _entries(call) if len(given) > 1 else ():
            key = _key(entry.value, given)
            beside = [one for one in entry.kin if _key(one, given) not in ("", key)]
            if not key or not beside or _later(key, call, turn):
                continue
            own = Entry(entry.value, beside)
            called = [key, *DAYS.get(key.lower(), "").split(), *(str(entry.value.get(one) or "") for one in NAMES)]
            line = next((told for name in called if (told := self._line(name, text))), "")
            reason = self._failed(entry, call, turn) or self._off(own, call, line) or _stuck(own, call, turn, text)
            if not reason and not expression(self.begun).search(line or whole):
                reason = self._waiting(own, call)
            if reason and (line or whole):
                told = f"the result says {reason} for {key}"
                return Finding("contradicted", one_line(key, 80), told, line or whole, call.id)
        return None

    def _off(self, entry: Entry, call: Call, line: str) -> str:
        """The flags of what was asked for that are false in an entry, where they are true in those beside it.

        A flag of something in the entry ("roaming": {"data": false}) counts where the answer's line about it has the flag.
        """
        if False in call.arguments.values() or call.undoes:
            return ""
        asked = [call.name, *(name for name, told in call.arguments.items() if told is True)]
        deed = {one for name in asked if not expression(self.aside).search(name) for one in _roots(name)}
        others = [dict(_flags(one)) for one in entry.kin]
        own = {path: told for path, told in _flags(entry.value) if all(one.get(path) is True for one in others)}
        said = _roots(line)
        off = [
            path
            for path in own
            if _roots(path[-1]) <= deed or (any(_roots(one) <= deed for one in path[:-1]) and _roots(path[-1]) <= said)
        ]
        return ", ".join(f"{'.'.join(path)}: no" for path in off) if off and not any(own.values()) else ""

    def _waiting(self, entry: Entry, call: Call) -> str:
        """The state by which an entry waits where none beside it does; empty where it does not."""
        asked = f"{call.name} {call.raw[:2_000]}".lower()
        for name, told in entry.value.items():
            if isinstance(told, str) and STATE.search(name) and expression(self.waits).fullmatch(words_of(told)):
                others = [str(one.get(name) or "") for one in entry.kin]
                if all(one and not expression(self.waits).fullmatch(words_of(one)) for one in others):
                    return "" if _wanted(told, asked) else f"{name}: {told!r}"
        return ""

    def _printed(self, call: Call, turn: Turn, text: str) -> Finding | None:
        """The first line of a printed result by which a thing was not done that the answer has among the done."""
        lines = call.result_text.splitlines()[:MOST] if call.result_value is None else []
        asked = f"{call.name} {call.raw[:2_000]}".lower()
        for line in lines:
            plain = SEAMS.sub(" ", line)
            found = expression(self.left_out).match(plain) or expression(self.refused).search(plain)
            if found is None or _wanted(found[0], asked):
                continue
            rest = "\n".join(one for one in lines if one is not line)
            for name in self._refused(line, rest, call, text):
                told = self._line(name, text)
                if told and not _later(name, call, turn):
                    reason = f"the result says {one_line(line, 120)!r}"
                    return Finding("contradicted", one_line(name, 80), reason, told, call.id)
        return None

    def _refused(self, line: str, rest: str, call: Call, text: str) -> Iterator[str]:
        """What a line says was not done: what of the arguments it lists, or the id in it, where another line has a done one."""
        begun = expression(self.left_out).match(SEAMS.sub(" ", line))
        if begun is not None:
            known = {words_of(one).casefold() for _, one in scalars(call.arguments) if len(one) > 2}
            items = (words_of(one).casefold() for one in ASIDE.sub(" ", line[begun.end() :]).split(","))
            elsewhere = words_of(rest).casefold()
            yield from (one for one in items if one in known and one not in elsewhere)
            return
        well = [one for one in rest.splitlines() if not expression(self.refused).search(SEAMS.sub(" ", one))]
        done = {(at, _shape(one)) for other in well for at, one in _ids(other) if one in text}
        yield from (one for at, one in _ids(line) if one not in rest and (at, _shape(one)) in done)

    def _line(self, name: str, text: str) -> str:
        """The first line of an answer, one of a list or one that tells of what is done, that has a name and no doubt."""
        if len(name) < 3 or (name.isdigit() and len(name) < 4):
            return ""
        digits = re.sub(r"\D", "", name) if NUMBER.fullmatch(name) else ""
        grouped = re.finditer(rf"(?<!\d){'[ .-]?'.join(digits)}(?!\d)", text) if digits else ()
        for start, end in (*places(name, text), *(found.span() for found in grouped)):
            line = one_line(sentence_around(text, start, end), 200)
            listed = LISTED.match(line) or expression(self.done).search(line)
            if listed and not expression(self.doubts).search(line):
                return line
        return ""

    def _of_all(self, call: Call, many: int, text: str) -> str:
        """The sentence by which all that a call was given is done, by its number or its kind; empty where there is none."""
        kinds = _roots(f"{call.name} {' '.join(call.arguments)}")
        for found in expression(self.whole).finditer(text):
            line = one_line(sentence_around(text, *found.span()), 200)
            if not expression(self.done).search(line) or expression(self.doubts).search(line):
                continue
            two = bool(found.groupdict().get("two"))
            if two and PAIR.match(text, found.end(), found.end() + 60):
                continue
            after = [one.lower() for one in TOKEN.findall(text[found.end() : found.end() + 60])[:4]]
            counted = any(NUMERALS.get(one) == many or one == str(many) for one in after[:3])
            if counted or (two and many == 2) or any(root(one) in kinds for one in after if not two and len(one) > 3):
                return line
        return ""

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
            flag = name in ("ok", "success") or (name in FLAGS and not call.undoes)
            if told is False and (flag or (stems and name.lower().startswith(stems))):
                return f"{name}: no"
            if isinstance(told, str) and STATE.search(name) and not _wanted(told, asked):
                if expression(self.undone).fullmatch(words_of(told)):
                    return f"{name}: {told!r}"
                if expression(self.kept).fullmatch(words_of(told)) and _other(entry, call):
                    return f"{name}: {told!r}"
        return ""


def _given(call: Call) -> list[str]:
    """What a call was given several of: the texts in the longest list of its arguments."""
    lists = [one[:MOST] for one in call.arguments.values() if isinstance(one, list)]
    plain = [[str(one) for one in some if isinstance(one, (str, int)) and len(str(one)) > 1] for some in lists]
    longest: list[str] = max(plain, key=len, default=[])
    return list(dict.fromkeys(longest))


def _key(thing: Mapping[str, Any], given: Sequence[str]) -> str:
    """Which of the given things an object or a row is; empty where it is none of them."""
    held = [str(one) for one in thing.values() if isinstance(one, (str, int))]
    return next((one for one in given if one in held), "")


def _roots(name: str) -> frozenset[str]:
    """The words of a name, or of a line, that tell something, without endings."""
    return frozenset(root(one) for one in name_words(name) if len(one) > 2)


def _ids(line: str) -> Iterator[tuple[int, str]]:
    """The ids in a printed line, each with the number of its word."""
    for at, word in enumerate(line.split()):
        yield from ((at, one) for one in ID.findall(word) if len(one) > 3)


def _shape(name: str) -> str:
    return re.sub(r"[A-Za-z]", "a", re.sub(r"\d", "0", name))


def _flags(value: Mapping[str, Any], path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], bool]]:
    """What is true or false in an object, and in the objects in it."""
    for name, told in islice(value.items(), MOST):
        if isinstance(told, bool):
            yield (*path, name), told
        elif isinstance(told, dict) and len(path) < 2:
            yield from _flags(told, (*path, name))


def _stuck(entry: Entry, call: Call, turn: Turn, text: str) -> str:
    """The state, or the day, that an entry has as the last look had it, where the call changed that of all those beside it.

    A state counts where all had it before; a day where the answer has one that another got, and not this one.
    """
    given = _given(call)
    key = _key(entry.value, given)
    for look in islice(turn.calls_before(call), MOST):
        if turn.nature(look) != "read" or len(look.result_text) > LONGEST or key not in look.result_text:
            continue
        things = [
            *islice(objects(look.result_value), 4 * MOST),
            *(_rows(look.result_text) if look.result_value is None else ()),
        ]
        before = {known: one for one in things if (known := _key(one, given))}
        pairs = [(one, before.get(_key(one, given), {})) for one in entry.kin]
        for name, told in before.get(key, {}).items():
            if not isinstance(told, str) or entry.value.get(name) != told:
                continue
            moved = [isinstance(new.get(name), str) and old.get(name) not in (None, new[name]) for new, old in pairs]
            if not moved or not all(moved):
                continue
            if STATE.search(name) and all(old.get(name) == told != new[name] for new, old in pairs):
                return f"{name}: {told!r}, as before,"
            days = MOMENT.fullmatch(told) and not STAMP.search(name) and not any(places(told[:10], text))
            if days and any(MOMENT.fullmatch(new[name]) and any(places(new[name][:10], text)) for new, _ in pairs):
                return f"{name}: {told!r}, as before,"
        return ""
    return ""


def _wanted(told: str, asked: str) -> bool:
    """Whether a state, or what a reason is for, is what the call set out to do."""
    return any(len(word) >= 4 and root(word.lower())[:STEM] in asked for word in TOKEN.findall(told))


def is_flat(text: str, claims: Sequence[Claim], done: str, admits: str, harmless: str) -> bool:
    """Whether an answer tells flatly that something is done: it denies nothing, and has no word of trouble."""
    denied = any(one.stance == "denied" and not expression(harmless).search(one.quote) for one in claims)
    if denied or expression(admits).search(expression(harmless).sub(" ", text)):
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
    looks = (one for one in turn.calls_before(call) if turn.nature(one) == "read")
    for look in islice(looks, LOOKS):
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
    return any(other.names(name) or other.name == call.name for other in turn.after(call))
