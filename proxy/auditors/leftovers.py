"""What a change's own result lists as left out must not be told as done with the rest, by its name or as one of all."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, ClassVar

from proxy.audit import Finding
from proxy.auditors.effects import TELLS, subject_of
from proxy.auditors.left_out import MOST, SAME, fewer, known_before, left_behind, turned_away, unmoved
from proxy.auditors.own_states import is_own_state, was_so
from proxy.auditors.parted_rows import Words, own_ids, parted_rows
from proxy.auditors.set_apart import Apart
from proxy.auditors.told_rows import NUMBERS, Telling
from proxy.claims import Claim, compared_text
from proxy.figures import sentence_around, unquoted
from proxy.ledger import Call, Turn
from proxy.patterns import NEVER, Names, expression
from proxy.results import has_word, line_at, objects, one_line, scalars
from proxy.roots import roots, vocabulary

READ, LOOKS, FEW = 20_000, 20, 12
"""Code points of a result, and of an answer, that are read; calls in which is looked for what a thing is called; rows."""
WHY = Names(r"(?i)reason|why|note|message|detail|error|comment|wait")
"""Names of fields that say why something is as it was."""
DONE_BEFORE = re.compile(r"(?i)\balready\b|\bduplicate")
"""Reasons by which nothing had to be done."""
REPLIES = re.compile(r"(?i)declined|wait[ _-]?list(?:ed)?|drafts?")
"""States of a thing that somebody is told of: the reminder of a booking on a waiting list was sent."""
AMOUNT = re.compile(r"\d+[.,]\d+")
LEAST, FEWEST = 3, 3
"""Code points of a name; and objects of a result that has two entries at least."""


@dataclass(frozen=True, slots=True)
class Leftovers:
    """Compare what the result of a change lists as failed, skipped or still as it was with what the answer tells as done.

    Told is a thing that the call was given, by its id or by what looks call it, in a line without a word of doubt; or all of
    them, where the answer says so. Silent where the answer `admits`, an expression, that something was left; `doubts` is one
    for lines that tell a thing otherwise, `every` one for sentences that speak of all things.

    Told too are rows of one list of which some were done, by a state that is `reached`, and one was not, by a state that is
    `missed` or `short` of goods: in a sentence that names it with others, or speaks of all (`every`, `whole`), and is not
    `unsure`. Names of one enumeration have a `joint` between; what stands `apart`
    behind one tells of it by itself. What is said `aside`, of a price, admits nothing; what tells of
    `troubles` does. `kin` are families of verbs that may tell of one deed, `things` of nouns that may mean the rows;
    `idle` are words that tell nothing of a row.
    """

    admits: str = NEVER
    doubts: str = NEVER
    every: str = NEVER
    reached: str = NEVER
    missed: str = NEVER
    short: str = NEVER
    troubles: str = NEVER
    aside: str = NEVER
    unsure: str = NEVER
    whole: str = NEVER
    joint: str = NEVER
    apart: str = NEVER
    kin: tuple[tuple[str, ...], ...] = ()
    things: tuple[tuple[str, ...], ...] = ()
    idle: tuple[str, ...] = ()

    reads: ClassVar[frozenset[str]] = frozenset({"action", "text"})
    needs: ClassVar[frozenset[str]] = frozenset({"change"})

    def follow(self, turn: Turn, claims: Sequence[Claim], findings: Sequence[Finding]) -> list[Finding]:
        changes = turn.sure_changes()
        text = unquoted(compared_text(claims)) if changes and not any(one.flagged for one in findings) else ""
        if not text:
            return []
        apart = Apart(
            text, [one for one in claims if one.kind == "action"], roots(self.idle), vocabulary(self.kin, (), ())
        )
        if expression(self.admits).search(text) is None and (found := self._listed(changes, turn, text, apart)):
            return found
        return self._parted(changes, turn, text, apart)

    def _parted(self, changes: Sequence[Call], turn: Turn, text: str, apart: Apart) -> list[Finding]:
        """The first row that was not done and is told with those that were."""
        own = expression(self.aside).sub(" ", text)
        if len(own) > READ or any(expression(one).search(own) for one in (self.admits, self.troubles)):
            return []
        words, things = Words(self.reached, self.missed, self.short, apart.kin), vocabulary(self.things, (), ())
        telling = Telling(self.unsure, self.every, self.whole, self.joint, self.apart, apart.kin, things)
        for call in changes:
            if len(call.result_text) > READ or turn.is_far_back(call) or turn.landed_again(call):
                continue
            for one in islice(parted_rows(call, turn, words), FEW):
                if is_own_state(one.row, one.shown, turn, apart.verbs(), apart.kin):
                    continue
                if (quote := telling.of_row(one, turn, own)) and not apart.has(
                    one.row, one.why, one.shown, turn, quote
                ):
                    ids = own_ids(one.row).values()
                    name = max(ids, key=lambda each: (each in call.given, len(each)), default=subject_of(call))
                    reason = f"the result has for it: {one.why}"
                    return [Finding("contradicted", name[:80], reason, one_line(quote, 200), one.shown.id)]
        return []

    def _listed(self, changes: Sequence[Call], turn: Turn, text: str, apart: Apart) -> list[Finding]:
        """The first thing that a result lists as left out and that is told as done, or fewer of them than are told."""
        for call in changes:
            if len(call.result_text) > READ or turn.is_far_back(call) or turn.landed_again(call):
                continue
            for name, reason in islice(_left(call, turn, apart), MOST):
                if any(name in one.raw for one in turn.after(call)) or _was_so(name, call, turn):
                    continue
                if quote := self._told(name, call, turn, text):
                    return [Finding("contradicted", name[:80], reason, one_line(quote, 200), call.id)]
            if (count := fewer(call)) and not known_before(call, turn) and (quote := self._all(call, text)):
                key, done, most = count
                if not has_word(text, str(done)):
                    reason = f"the result has {key} {done}, of {most} that the call was given"
                    return [Finding("contradicted", subject_of(call), reason, one_line(quote, 200), call.id)]
        return []

    def _told(self, name: str, call: Call, turn: Turn, text: str) -> str:
        """The line that tells of a thing as done; one that speaks of all where none names it."""
        called = [name, *_called(name, call, turn)]
        low = text.lower()
        named = [low.find(one.lower()) for one in called if has_word(low, one.lower())]
        lines = [line_at(text, at) for at in named]
        if any(expression(self.doubts).search(one) for one in lines):
            return ""
        return lines[0] if lines else self._all(call, text)

    def _all(self, call: Call, text: str) -> str:
        """The sentence that speaks of all things that a call was given, without a doubt."""
        given = max((len(one) for one in call.arguments.values() if isinstance(one, list)), default=0)
        for found in islice(expression(self.every).finditer(text), MOST):
            last = found.group().split()[-1].strip("*_").lower()
            if (int(last) if last.isdecimal() else NUMBERS.get(last, given)) != given:
                continue  # "both books", of three things
            sentence = sentence_around(text, *found.span())
            if expression(self.doubts).search(sentence) is None:
                return sentence
        return ""


def _left(call: Call, turn: Turn, apart: Apart) -> Iterator[tuple[str, str]]:
    """What a call was given and its result has as left out, and no answer by itself, each with what is said of it."""
    for key, name in turned_away(call, turn):
        if not apart.has_name(name, call, turn):
            yield name, f"the result has it under {key}"
    several = len(list(islice(objects(call.result_value), FEWEST))) == FEWEST
    told = islice(left_behind(call, turn), MOST) if several else ()
    for entry, reason in (*told, *unmoved(call, turn)):
        if was_so(entry, reason, call) or is_own_state(entry, call, turn, apart.verbs(), apart.kin):
            continue
        if DONE_BEFORE.search(reason) or (TELLS.search(call.name) and REPLIES.fullmatch(reason)):
            continue
        if SAME.search(reason) and not any(WHY.search(key) for key in entry):
            continue  # what is unchanged without a why was so before
        if apart.has(entry, reason, call, turn):
            continue
        own = [text for _, text in scalars(entry, depth=1) if text in call.given and len(text) >= LEAST]
        yield from ((one, f"the result has for it: {reason}") for one in own[:1] if not AMOUNT.fullmatch(one))


def _was_so(name: str, call: Call, turn: Turn) -> bool:
    """Whether a look has a thing as it was to be: with a value that the call was given, or not at all any more."""
    wanted = {one for one in call.given if one != name and len(one) > 1}
    for thing in _things(name, turn.recent(call)):
        held = {text for _, text in scalars(thing, depth=2)}
        if name in held and not wanted.isdisjoint(held - {name}):
            return True
    looks = [one for one in turn.after(call) if turn.nature(one) == "read" and one.outcome == "landed"]
    return call.undoes and bool(looks) and not any(name in one.result_text for one in looks)


def _called(name: str, call: Call, turn: Turn) -> Iterator[str]:
    """What the results of looks, and of the call, call a thing that goes by an id; of an address, whose it is."""
    if "@" in name:
        yield name.partition("@")[0]
    for thing in _things(name, (call, *turn.recent(call))):
        if name in map(str, thing.values()):
            yield from (text for _, text in scalars(thing, depth=1) if text != name and _is_title(text))


def _things(name: str, calls: Iterable[Call]) -> Iterator[Mapping[str, Any]]:
    """The first objects of the results that have a name anywhere."""
    for call in islice(calls, LOOKS):
        yield from islice(objects(call.result_value), MOST) if name in call.result_text else ()


def _is_title(text: str) -> bool:
    """Whether a text is what people call a thing: words, the first of which is written large."""
    return 4 < len(text) <= 60 and text[0].isupper() and not text.isupper() and not any(map(str.isdigit, text[:4]))
