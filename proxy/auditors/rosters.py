"""Things that the user named and the answer lists as dealt with: one that none of the calls, one for each, was about."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, ClassVar

from proxy.audit import Finding
from proxy.auditors.states import STATE
from proxy.claims import Claim, compared_text
from proxy.dates import MONTHS
from proxy.deeds import notices
from proxy.fields import cells_of
from proxy.ledger import Call, Turn
from proxy.patterns import expression
from proxy.results import objects, one_line, scalars
from proxy.spelling import MOMENT

BULLET = re.compile(r"[ \t]{0,6}(?:[-*+•・]|\d{1,2}[.)、])[ \t]*(.{1,300})")
ITEM = re.compile(
    r"[*_`\"《「]{0,3}([^*`\"《》「」\n]{2,60}?)[*_`\"》」]{0,3}"
    r"(?:[ \t]+[-–—(→]|[ \t]*(?:[（✓✔✅☑]|——)|[:：,，|]|[.。]?[ \t]*$)"
)
APART = re.compile(r",(?:\s+and\b)?|，|、|;|(?<!\s)\s++(?:and|und|y|et|e|&)\s+")
TOKEN = re.compile(r"[a-z]+|\d+|[^\W\d_a-z]+")
SENTENCE = re.compile(r"[^.!?]+(?:[.!?](?!\s)[^.!?]*)*")
NAMED = r"(?:[A-Z][\w'-]+|`[^`\n]{2,40}`|(?=[\w#.@-]*\d)[\w#@][\w.@#-]{2,40}|[\w.+-]+@[\w.-]+\w)(?!\w)"
ROW = re.compile(rf"(?<![\w-]){NAMED}(?:, {NAMED})*(?:,? (?:and|und|y|et|e|&) |, ){NAMED}")
"""Names in a row, each of one word."""
PROPER = re.compile(r"(?<!^)\b[A-Z][a-z]{2,20}\b")
ID = re.compile(r"#?[^\W\d_]+[-_ ]?\w*\d[\w-]*")
FEWEST, MOST = 2, 12
"""Names of a list."""
SURNAMED = re.compile(r"[/ ]")  # "DEMIR/SELIN MRS"
NUMBER = re.compile(r"#?(?=\w*\d{3})[\w-]{4,20}")
"""What a record goes by, with digits."""
RECORD = re.compile(r"[^\W\d_]{3,20}(?: (?:no\.?|number|nr\.?|id))? #?((?=[\w-]*\d{3})[\w-]{4,20})")
"""One with a word for what it is: "order #W4836353"."""
QUOTED = re.compile(r'"[^"\n]{1,80}"|“[^”\n]{1,80}”|«[^»\n]{1,80}»')
"""What a line repeats, and does not say itself: `with the reason "no longer needed"`."""
PERIODS = re.compile(r"(?i)month|period|count|duration|length|times")
"""Names of arguments by which a call is of several months."""
LINES, LOOKS, FEW_WORDS = 400, 20, 4
"""Lines and things, calls that are looked into, and words of what a call was given that may deny something."""
LONGEST = 20_000
"""Code points of a message, and of results, in which names are looked for."""


@dataclass(frozen=True, slots=True)
class Rosters:
    """Compare a list of things that the user named, or was offered, with the calls, each of which was about one of them.

    Told is one that no change of the turn or of the history names, by its name or by what looks call it, where every other
    is named by a call of its own, in what it was given or else in what it returned, all of them of one tool, and nothing
    else was changed. `done` is an expression for lines that report of a list, `other` for those, and for items, that do not;
    `bulk` for calls that may mean more than they name.
    """

    done: str = r"(?!)"
    other: str = r"(?!)"
    bulk: str = r"(?!)"

    reads: ClassVar[frozenset[str]] = frozenset({"action", "text"})
    needs: ClassVar[frozenset[str]] = frozenset({"change"})

    def compare(self, turn: Turn, claims: Sequence[Claim]) -> list[Finding]:
        every = turn.possible_changes()
        tools = Counter(one.name for one in every)
        most = max(tools.values(), default=0)
        changes = [one for one in every if tools[one.name] == most]
        others = [one for one in every if tools[one.name] < most]
        alike = len({one.name for one in changes}) == 1 and not any(one.effect for one in every)
        # who is told is no thing that is changed, and what the user names besides is another one
        if len(changes) < FEWEST:
            alike = alike and all(turn.marks.natures.undoes(one.name) for one in changes)
        alike = alike and all(
            notices(one) or _named_besides(one, changes, turn) or _of_the_same(one, changes) for one in others
        )
        text = self._without_given(compared_text(claims), changes) if alike and 0 < len(changes) < MOST else ""
        if not text or len(turn.asked) > LONGEST:
            return []
        if any(one.outcome != "landed" or turn.nature(one) != "change" or self._many(one) for one in every):
            return []
        said = [one.quote for one in claims if one.kind == "action" and one.stance == "asserted"]
        offered = turn.before[-1].text if len(turn.before) else ""
        asked = _Words(f"{offered[:LONGEST]}\n{turn.asked}")
        spoken = "\n".join((turn.asked, *turn.spoken())).casefold() if len(changes) < FEWEST else ""
        for line, items in islice(chain(self._lists(text, said), self._rows(text, said)), MOST):
            names = [name for item in items if (name := _name(item))]
            if len(names) < len(items) or len(set(names)) < len(names):
                continue
            if len(changes) < FEWEST and not all(NUMBER.fullmatch(one) and one in spoken for one in names):
                continue  # of one call that took something away, only what was spoken of by its number
            listed = _listed(names, turn)
            if listed or all(map(_is_id, names)) or all(asked.have(one) for one in names):
                missing = self._missing(names, items, changes, turn, None if listed else asked)
                if (
                    missing
                    and not (_denied(missing, claims) or self._aside(missing, line, text, _common(names)))
                    and turn.whole()
                ):
                    reason = "each call was about one of these, and none about this one"
                    return [Finding("unsupported", missing, reason, one_line(line, 200), changes[-1].id)]
        return []

    def _many(self, call: Call) -> bool:
        """Whether a call may mean more than it names: by its tool, the names of its arguments, or a value that says so."""
        values = (value for _, value in islice(scalars(call.arguments), LINES))
        bulk = expression(self.bulk)
        return any(bulk.search(one) for one in (call.name, *call.arguments)) or any(map(bulk.fullmatch, values))

    def _without_given(self, text: str, changes: Sequence[Call]) -> str:
        """A text without what the calls were given in words that would deny something: closed as *not planned*."""
        for value in {told for one in changes for _, told in islice(scalars(one.arguments), LINES)}:
            words = TOKEN.findall(value.casefold())
            if 1 < len(words) <= FEW_WORDS and self._tells_otherwise(" ".join(words)):
                text = re.sub(rf"(?i)[*_`]*\b{'[ _-]'.join(words)}\b[*_`]*", " ", text)
        return text

    def _aside(self, name: str, line: str, text: str, kin: Set[str]) -> bool:
        """Whether an answer says something else of a name elsewhere: "Lia already had hers"."""
        sentences = (one for each in text.splitlines()[:LINES] for one in SENTENCE.findall(each))
        return any(_Words(one).have(name, kin) and self._tells_otherwise(one) for one in sentences if one not in line)

    def _tells_otherwise(self, line: str) -> bool:
        """Whether a line says, in its own words, that it does not report of what was done."""
        return expression(self.other).search(QUOTED.sub("", line)) is not None

    def _lists(self, text: str, said: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
        """The lists of an answer, each with the line that reports of it: bullets, the columns of tables, names on a line."""
        lines = text.splitlines()[:LINES]
        head = ""
        at = 0
        while at < len(lines):
            line = lines[at]
            begun = next((end for end in range(at, len(lines)) if not _same_kind(lines[end], line)), len(lines))
            kind, block = _kind(line), lines[at:begun]
            reports = self._reports(head, said) or (kind == "" and self._reports(line, said))
            if kind == "bullet" and reports:
                yield head, [found[1] for one in block if (found := BULLET.match(one))]
            elif kind == "table" and reports:
                columns: dict[str, list[str]] = {}
                for _, name, cell in cells_of("\n".join(block)):
                    columns.setdefault(name, []).append(cell)
                yield from ((head, cells) for cells in columns.values())
            elif kind == "" and reports and line.strip():
                stretch = line.rpartition(":")[2]
                yield (head if self._reports(head, said) else line), APART.split(stretch.strip(" .。*_"))
            if kind == "":
                head = line if line.strip() else head
                at += 1
            else:
                at = begun

    def _rows(self, text: str, said: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
        """The names in a row within the sentences of an answer that report: "Ann and Ben", "(b-1, b-2, b-3)"."""
        for line in text.splitlines()[:LINES]:
            for sentence in SENTENCE.findall(line):
                if ROW.search(sentence) and self._reports(sentence, said):
                    yield from ((sentence, APART.split(found.group())) for found in ROW.finditer(sentence))

    def _reports(self, line: str, said: Sequence[str]) -> bool:
        """Whether a line says that something is done to all that it speaks of."""
        if not line.strip() or self._tells_otherwise(line):
            return False
        plain = one_line(line, 200)
        claimed = any(one[:40] in plain or plain[:40] in one for one in said)
        return claimed or expression(self.done).search(line) is not None

    def _missing(
        self, names: Sequence[str], items: Sequence[str], changes: Sequence[Call], turn: Turn, asked: _Words | None
    ) -> str:
        """The first of the names that no change is about; empty where not each of the others has one of its own."""
        if not FEWEST <= len(names) <= MOST:
            return ""
        calls = [_Given(one) for one in changes]
        texts = [_Given(one, returned=True) for one in turn.calls if turn.nature(one) != "read"]
        aliases = {name: set(_aliases(name, turn)) for name in names}
        alike = Counter(chain.from_iterable(aliases.values()))  # "2/2" is the state of several
        own = {name: [name, *(one for one in aliases[name] if alike[one] == 1)] for name in names}
        touched = [[at for at, call in enumerate(calls) if call.is_about(*own[name])] for name in names]
        if not all(touched):  # `move_visit` of an id, whose result says whose visit it is
            shown = [_Words(f"{one.result_text[:LONGEST]} {_values(one.result_value)}") for one in changes]
            touched = [
                held or [at for at, words in enumerate(shown) if words.hold(name)]
                for name, held in zip(names, touched, strict=True)
            ]
        rest = [name for name, held in zip(names, touched, strict=True) if not held]
        ones = [held[0] for held in touched if len(held) == 1]
        if not rest or not ones or len(ones) + len(rest) != len(names) or sorted(ones) != list(range(len(changes))):
            return ""
        if any(name in MONTHS for name in rest) and any(map(_spans, changes)):
            return ""
        before = [_Given(one, returned=True) for one in turn.possible_changes(turn.earlier())]
        shared = {one for name in names if name not in rest for one in _ids(name, turn)}  # their owner's
        common = _common(names)
        for name, item in zip(names, items, strict=True):
            if name not in rest or self._tells_otherwise(item):
                continue
            known = [*own[name], *(one for one in _ids(name, turn) if one not in shared)]
            if (
                not any(
                    words.is_about(*known) or (not _is_id(name) and words.have(name, common))
                    for words in (*texts, *before)
                )
                and (asked is None or asked.sets_apart(name) or name in MONTHS or _are_called(names, turn))
                and not _so_before(name, [one for one in names if one not in rest], turn)
                and not _as_wanted(name, changes, turn)
            ):
                return name
        return ""


def _named_besides(other: Call, changes: Sequence[Call], turn: Turn) -> bool:
    """Whether a call is about what the user names ("then remove Sven"), and the alike ones are not."""
    own = _Given(other)
    named = {one for one in PROPER.findall(turn.asked[:LONGEST]) if own.is_about(one.casefold())}
    return bool(named) and not any(_Given(one).is_about(name.casefold()) for one in changes for name in named)


def _of_the_same(other: Call, changes: Sequence[Call]) -> bool:
    """Whether a call was given the id of a thing that one of the alike ones was about: a call was logged for it as well."""
    ids = {one for one in other.given if len(one) > 3 and any(map(str.isdigit, one)) and not MOMENT.match(one)}
    return any(not ids.isdisjoint(one.given) for one in changes)


class _Words:
    """The words of a text, in which a name is looked for."""

    def __init__(self, text: str) -> None:
        self._raw, self._text = text, text.casefold()
        self._words = frozenset(TOKEN.findall(self._text))

    def have(self, name: str, common: Set[str] = frozenset()) -> bool:
        """Whether a text has one of the longer words of a name, but for those that its kin have in common."""
        return any(self._has(one) for one in _long(name) if one not in common)

    def hold(self, name: str) -> bool:
        """Whether a text has all the words of a name."""
        return all(self._has(one) for one in TOKEN.findall(name))

    def sets_apart(self, name: str) -> bool:
        """Whether a text has a name as one of a thing or a person, and not as a word for any: "ann.b", "Ann", "b-11"."""
        if not name.isascii() or any(map(str.isdigit, name)):
            return True
        if re.search(rf"(?<!\w){re.escape(name)}:? (?:#?\d{{4}}|\(?[#€$£]\d)", self._text):
            return True  # "warehouse tablet 8944500102", "linen shirt (€59)"
        return any(
            re.search(rf"[._@/-]{word}|{word}[._@/-]\w", self._text) or re.search(rf"\w,? {word.title()}\b", self._raw)
            for word in _long(name)
        )

    def _has(self, word: str) -> bool:
        return word in self._words if word.isascii() else word in self._text


class _Given(_Words):
    """What a call was given, or returned as well, in which a thing is looked for by its name and by what looks call it."""

    def __init__(self, call: Call, *, returned: bool = False) -> None:
        values = (call.arguments, call.result_value) if returned else (call.arguments,)
        told = f" {call.raw} {call.result_text[:LONGEST]}" if returned else ""
        super().__init__(" ".join(map(_values, values)) + told)
        self._whole = frozenset(told.casefold() for one in values for _, told in islice(scalars(one), LINES))

    def is_about(self, name: str, *aliases: str) -> bool:
        """Whether it has the name, or an alias; a short number only as all of a value: `4OG6T3` has no 3."""
        if self.hold(name):
            return True
        if (month := MONTHS.get(name)) and any(
            re.fullmatch(rf"\d{{4}}-{month:02}(?:-\d\d)?", one) for one in self._whole
        ):
            return True  # January, for "2025-01"
        return any(one in self._whole or (not one.isdigit() and self.hold(one)) for one in aliases)


def _spans(call: Call) -> bool:
    """Whether a call is of several months: {"start": "2025-02-01", "months": 2}."""
    return any(type(one) is int and one > 1 and PERIODS.search(name) for name, one in call.arguments.items())


def _common(names: Sequence[str]) -> frozenset[str]:
    """The words that all of some names have: that of a family."""
    return frozenset.intersection(*(frozenset(TOKEN.findall(name)) for name in names))


def _denied(name: str, claims: Sequence[Claim]) -> bool:
    """Whether an answer denies something of a name."""
    denied = (_Words(one.quote) for one in claims if one.stance == "denied")
    return any(one.have(name) or one.hold(name) for one in denied)


def _is_id(name: str) -> bool:
    """Whether a name is that of a record: letters, then digits."""
    return ID.fullmatch(name) is not None


def _values(value: Any) -> str:
    return " ".join(told for _, told in islice(scalars(value), LINES))


def _long(name: str) -> list[str]:
    """The words of a name that tell it from others; all of it where none is long."""
    words = TOKEN.findall(name)
    return [one for one in words if len(one) >= 3 or not one.isascii()] or [name]


def _aliases(name: str, turn: Turn) -> Iterator[str]:
    """The ids by which the looks of the turn, and the last ones before it, know a thing of that name."""
    earlier = list(islice(reversed(turn.earlier()), LOOKS))
    for call in (*turn.calls, *earlier):
        plain = name.isascii()  # other letters may be escaped in JSON
        if turn.nature(call) != "read" or len(call.result_text) > LONGEST:
            continue
        if plain and name not in call.result_text.casefold():
            continue
        for thing in islice(objects(call.result_value), LINES):
            values = {key: str(one).casefold() for key, one in thing.items() if isinstance(one, (str, int))}
            if any(_goes_by(one, name) for one in values.values()):
                own = ((key, one) for key, one in values.items() if one != name and any(map(str.isdigit, one)))
                yield from (one for key, one in own if call not in earlier or key.lower().endswith("id"))


def _goes_by(value: str, name: str) -> bool:
    """Whether a thing or a person that is called so goes by a name: all of it, its first word, or its second."""
    return value == name or value.partition(" ")[0] == name or name in SURNAMED.split(value)[1:2]


def _listed(names: Sequence[str], turn: Turn) -> bool:
    """Whether one look of the turn, or the last one before it, lists things by just these names, under one key."""
    looks = [one for one in turn.calls if turn.nature(one) == "read"] or list(turn.earlier()[-1:])
    for look in looks:
        called = _called(look)
        for values in called.values():
            if len(values) == len(names) and all(sum(_goes_by(one, name) for one in values) == 1 for name in names):
                return True
    return False


def _are_called(names: Sequence[str], turn: Turn) -> bool:
    """Whether one look of the turn has each of the names as all that things are called by under one key."""
    for look in (one for one in turn.calls if turn.nature(one) == "read" and len(one.result_text) <= LONGEST):
        if any(set(values).issuperset(names) for values in _called(look).values()):
            return True
    return False


def _called(look: Call) -> dict[str, list[str]]:
    """The texts that the things of a look have, by their fields."""
    called: dict[str, list[str]] = {}
    for thing in islice(objects(look.result_value), LINES):
        for key, one in thing.items():
            if isinstance(one, str):
                called.setdefault(key, []).append(one.casefold())
    return called


def _ids(name: str, turn: Turn) -> Iterator[str]:
    """The ids of the things that have a name among others in the looks of the conversation."""
    for thing in _things(name, turn):
        yield from (str(one) for key, one in thing.items() if key.lower().endswith("id") and one)


def _as_wanted(name: str, changes: Sequence[Call], turn: Turn) -> bool:
    """Whether looks show a thing of that name with what all the changes were given: the new day, or the new plan."""
    given = (frozenset(_day(told) for _, told in scalars(one.arguments)) for one in changes)
    wanted = frozenset.intersection(*given)
    return any(_day(told) in wanted for thing in _things(name, turn) for _, told in scalars(thing)) if wanted else False


def _day(told: str) -> str:
    return told[:10] if MOMENT.match(told) else told.casefold()


def _things(name: str, turn: Turn) -> Iterator[Mapping[str, Any]]:
    """The objects in the looks of the conversation of which a value has all the words of a name."""
    for call in (*turn.earlier(), *turn.calls):
        if turn.nature(call) == "read" and len(call.result_text) <= LONGEST:
            for thing in islice(objects(call.result_value), LINES):
                if any(isinstance(one, str) and _Words(one).hold(name) for one in thing.values()):
                    yield thing


def _name(item: str) -> str:
    """What an item of a list begins with, without its marks; empty where that is no name."""
    found = ITEM.match(item.strip())
    name = found[1].strip(" #.-").casefold() if found else ""
    if record := RECORD.fullmatch(name):
        return record[1]
    numbered = found is not None and found[1].lstrip().startswith("#") and name.isdecimal()  # "#97"
    return name if len(name) >= 3 or not name.isascii() or numbered else ""


def _so_before(name: str, touched: Sequence[str], turn: Turn) -> bool:
    """Whether looks may show that it was so before: they have it and not all the others, or in another state than these."""
    shown: dict[str, list[Call]] = {}
    for call in (*turn.earlier(), *turn.calls):
        if turn.nature(call) == "read":
            shown.setdefault(call.name, []).append(call)
    for looks in shown.values():
        words = _Words(" ".join(f"{one.raw} {one.result_text[:LONGEST]} {_values(one.result_value)}" for one in looks))
        if words.hold(name) and not all(words.hold(one) for one in touched):
            return True
        things = [one for look in looks for one in islice(objects(look.result_value), LINES)]
        states = [{told for thing in things for told in _states(thing, one)} for one in (name, *touched)]
        if states[0] and not all(states[0] <= other for other in states[1:]):
            return True
    return False


def _states(thing: Mapping[str, Any], name: str) -> Iterator[str]:
    """The states of a thing that has a name as one of its values."""
    if any(isinstance(one, str) and one.casefold().lstrip("#") == name for one in thing.values()):
        yield from (one for key, one in thing.items() if STATE.search(key) and isinstance(one, str))


def _kind(line: str) -> str:
    return "table" if line.lstrip().startswith("|") else "bullet" if BULLET.match(line) else ""


def _same_kind(line: str, other: str) -> bool:
    return _kind(line) == _kind(other)
