"""An answer that tells an order as carried out, in a turn whose changes failed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import ClassVar

from proxy.audit import Finding
from proxy.auditors.effects import subject_of
from proxy.auditors.openings import LEAD, MANY, READ, Openings
from proxy.claims import Claim, compared_text
from proxy.deeds import called_for, notices
from proxy.figures import sentence_around
from proxy.ledger import UNDONE, Call, Turn
from proxy.patterns import either
from proxy.results import has_word, objects, one_line, scalars, strings
from proxy.roots import COMMON, root

EVERY = re.compile(
    r"(?i)^\W*(?:both|all (?:done|set|(?P<number>two|three|four|five|six|\d))|everything|beides?|alles|todo|tout)\b"
    r"|\bboth (?:are|have|were|done)\b"
)
"""What a sentence speaks of that leaves out nothing that was done."""
ALL = re.compile(
    r"(?i)\b(?:both|beide[nr]?|les deux|ambos|ambas"
    r"|(?:all (?:of (?:the|your|our) )?|the (?=[a-z]+ \w+ (?:are|were|have)\b)|alle )"
    r"(?P<number>two|three|four|five|six|drei|vier|fünf|[2-9]|1\d))\b"
)
"""Words for every one of so many things."""
NUMBERS = {word: number for number, word in enumerate(("two", "three", "four", "five", "six"), 2)}
NUMBERS |= {"drei": 3, "vier": 4, "fünf": 5}
PAIR = re.compile(r"(?i)\W*(?:both|beide|les deux|ambos|ambas)")
"""Those for two of them."""
FEWEST, SEVERAL = 2, 12
"""Calls of one tool, each for another thing."""
LINES, VALUES = 200, 40
"""Lines of an answer, and values that a call was given, that are looked at."""
ROW = re.compile(r"\s*(?:[|*+•-]|\d{1,2}[.)])")
"""How a line of a list or of a table begins."""
LONGEST = 20_000
"""Code points of a look in which things are looked for."""
CALLED = ("name", "title", "label", "summary")
"""Fields by which looks call a thing."""
FAILS = re.compile(r"(?i)[\"'](?:status|state|result|phase)[\"']\s*:\s*[\"'](?:failed|failure|error|errored)[\"']")
"""A look by which it failed shows nothing done."""


@dataclass(frozen=True, slots=True)
class Unfulfilled(Openings):
    """Hold the beginning of an answer against a turn in which nothing came about, since its last changes failed.

    It speaks where no other auditor does. Told is an answer whose first sentences state a deed, or what is so since, or that
    gives an id which stands nowhere; and one that speaks of all that a tool was called for, thing by thing, where it failed for
    one of them. The options are those of `Openings`.
    """

    reads: ClassVar[frozenset[str]] = frozenset({"action", "success", "text"})

    def follow(self, turn: Turn, claims: Sequence[Claim], findings: Sequence[Finding]) -> list[Finding]:
        text = compared_text(claims)
        if not self.states or not text or any(one.flagged for one in findings):
            return []
        changes = [call for call in turn.calls if turn.nature(call) != "read"]
        failed = [one for one in changes if one.outcome in UNDONE and not (one.settled or turn.done_after(one))]
        undone = [one for one in changes if one.outcome in UNDONE and not one.settled]
        if not undone or self.asks_leave(text) or any(one.outcome == "unknown" for one in changes):
            return []
        troubled = self.troubled(text, turn)
        undenied = [one for one in undone if not _denied(one, turn, claims)]
        if not troubled and (everyone := self._everyone(undenied, text, turn)):
            return everyone
        if not failed:
            return []
        if (beside := self._beside(failed[-1], turn, text, claims)) or troubled:
            return beside
        if all(turn.nature(one) != "change" for one in failed) and len(turn.calls) > len(failed):
            return []  # they may have been looks, and what is told may come from the others
        last, made = failed[-1], {(call.name, call.raw) for call in turn.earlier()}
        if any(self._may_be(last, call, turn) for call in turn.after(last)) or (last.name, last.raw) in made:
            return []  # what came after may have shown it, or done it
        landed = [one for one in changes if not (one.outcome in UNDONE or (notices(one) and not notices(last)))]
        told = self._failed(last, landed, turn, text, claims) or self._given(text, turn, flatly=bool(landed))
        return [Finding("contradicted", subject_of(last), last.failure, one_line(told, 200), last.id)] if told else []

    def _everyone(self, failed: Sequence[Call], text: str, turn: Turn) -> list[Finding]:
        """The verdict on "all four", where one tool was called for just so many and failed for some."""
        for call in failed:
            number = 0 if self._otherwise(call, turn) else called_for(call, turn)
            if number == FEWEST and turn.landed_again(call):
                continue  # the second one may have been another try
            for found in ALL.finditer(text) if number > 1 else ():
                line = sentence_around(text, *found.span())
                if _spoken(found) == number and not self._doubted(line):
                    return [Finding("contradicted", subject_of(call), call.failure, one_line(line, 200), call.id)]
            if number > 1 and (line := self._among(call, text, turn)):
                return [Finding("contradicted", subject_of(call), call.failure, one_line(line, 200), call.id)]
        return []

    def _otherwise(self, failed: Call, turn: Turn) -> bool:
        """Whether a later call of another tool was given something that a failed one was: it may have done it in its place."""
        own = {text for _, text in scalars(failed.arguments) if len(text) > 1}
        for later in turn.after(failed):
            if later.name != failed.name and later.outcome not in UNDONE and turn.nature(later) != "read":
                shared = own.intersection(text for _, text in scalars(later.arguments))
                if len(shared) > (0 if turn.nature(later) == "change" else 1):
                    return True
        return False

    def _among(self, failed: Call, text: str, turn: Turn) -> str:
        """The line that names what a call failed for, as it, or its list, names all that its tool was called for."""
        same = [one for one in turn.calls if one.name == failed.name]
        names = list(_names(same, turn)) if len(same) <= SEVERAL else []
        own = names[same.index(failed)] if names else frozenset()
        lines = text.splitlines()[:LINES]
        listed = "\n".join(one for one in lines if ROW.match(one))
        told: dict[str, bool] = {}
        for line in lines:
            if not any(has_word(line, one) for one in own):
                continue
            if self.words(line) & self.words(failed.reason) - self.words(failed.raw):
                continue  # it tells what the tool said
            whole = listed if ROW.match(line) else line
            if whole not in told:
                every = all(any(has_word(whole, one) for one in each) for each in names)
                told[whole] = every and not self._doubted(whole)
            if told[whole]:
                return line
        return ""

    def _doubted(self, line: str) -> bool:
        return bool(either(self.doubts).search(line) or either(self.elsewhere).search(line))

    def _beside(self, failed: Call, turn: Turn, text: str, claims: Sequence[Claim]) -> list[Finding]:
        """The verdict on a sentence that states what a failed call was for, with an id that nobody gave."""
        if not self.fresh(text, turn):
            return []
        own = self.words(f"{failed.name} {failed.raw}")
        for sentence in self.stated(text, claims, self.states, MANY):
            if own & self.words(sentence) and self.fresh(sentence, turn):
                return [Finding("contradicted", subject_of(failed), failed.failure, one_line(sentence, 200), failed.id)]
        return []

    def _may_be(self, failed: Call, later: Call, turn: Turn) -> bool:
        """Whether a call after a failed one may have shown the same, or done it: a change by another tool has not."""
        if later.outcome in UNDONE or (later.outcome == "landed" and FAILS.search(later.result_text[:READ])):
            return False
        if (
            turn.nature(later) == "read"
            and later.outcome == "landed"
            and not failed.effect
            and turn.ordered() == "change"
        ):
            new = _new(failed, turn)
            return not new or any(has_word(later.result_text[:READ], one) for one in new)
        return turn.nature(later) != "change" or not self.words(failed.name).isdisjoint(self.words(later.name))

    def _failed(self, call: Call, landed: Sequence[Call], turn: Turn, text: str, claims: Sequence[Claim]) -> str:
        """The sentence that states what a failed call was for; where others landed, one that has words of this one alone."""
        stated = list(self.stated(text, claims, self.states, MANY if landed else LEAD))
        if not stated:
            return ""
        told = (" ".join([one.name, one.raw, *strings(one.result_value or one.result_text)])[:READ] for one in landed)
        others = self.words("\n".join(told))
        own = self.words(f"{call.name} {call.raw}")
        for sentence in stated:
            said = self.words(sentence)
            if self.words(call.reason) & said - own - others:
                return ""  # it tells what the tool said
            if (
                not landed
                or ((said & own) - others and not said & (others - own))
                or self._names(call, landed, turn, said)
                or _of_all(sentence, len(landed) + 1)
            ):
                return sentence
        return ""

    def _names(self, call: Call, landed: Sequence[Call], turn: Turn, said: frozenset[str]) -> bool:
        """Whether words have what a failed tool does, and nothing of the names of those that landed."""
        verb = root(turn.marks.natures.verb(call.name))
        others = frozenset().union(*(self.words(one.name) for one in landed))
        return verb not in COMMON and verb in said and said.isdisjoint(others - {verb}) and verb not in others

    def _given(self, text: str, turn: Turn, *, flatly: bool) -> str:
        """The line with an id that nobody gave; `flatly`: only where nothing in it is of doubt."""
        line = self.fresh(text, turn)
        return "" if flatly and either(self.doubts).search(line) else line


def _new(failed: Call, turn: Turn) -> list[str]:
    """What a failed call was given and no result before it has: a look behind it that has none of it has not shown it done."""
    known = "\n".join(one.result_text[:READ] for one in islice(turn.calls_before(failed), MANY))
    given = [text for _, text in scalars(failed.arguments) if len(text) > 1]
    return [one for one in given if not has_word(known, one)]


def _denied(failed: Call, turn: Turn, claims: Sequence[Claim]) -> bool:
    """Whether a sentence that denies names what a failed call was given, and no other call of its tool."""
    beside = [one for one in turn.calls if one.name == failed.name and one is not failed]
    own = {text for _, text in islice(scalars(failed.arguments), VALUES) if len(text) > 1}
    own = own.difference(*((text for _, text in scalars(one.arguments)) for one in beside))
    return any(has_word(one.quote, text) for one in claims if one.stance == "denied" for text in own)


def _of_all(sentence: str, changes: int) -> bool:
    """Whether a sentence speaks of all that was to be done, by so many changes: "Both are recorded", "All done"."""
    return (found := EVERY.search(sentence)) is not None and _spoken(found) in (None, changes)


def _names(same: Sequence[Call], turn: Turn) -> Iterator[frozenset[str]]:
    """What sets each call of a tool apart from the others: its own arguments, and how looks call a thing that has one."""
    given = [frozenset(text for _, text in islice(scalars(one.arguments), VALUES)) for one in same]
    looks = (one for one in turn.calls if turn.nature(one) == "read" and len(one.result_text) <= LONGEST)
    things = [thing for one in looks for thing in islice(objects(one.result_value), MANY)]
    for at, values in enumerate(given):
        own = values.difference(*given[:at], *given[at + 1 :])
        about = (
            one for one in things if any(str(text) in own for text in one.values() if isinstance(text, (str, int)))
        )
        yield own | {one[key] for one in about for key in CALLED if isinstance(one.get(key), str)}


def _spoken(found: re.Match[str]) -> int | None:
    """The number in words for all of some things; None where they have none."""
    number = found["number"]
    if number is None:
        return 2 if PAIR.match(found.group()) else None
    return NUMBERS.get(number.lower()) or int(number)
