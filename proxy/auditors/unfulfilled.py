"""An answer that tells an order as carried out, in a turn whose changes failed."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, ClassVar, TypeAlias

from proxy.audit import Finding
from proxy.auditors.effects import subject_of
from proxy.auditors.openings import LEAD, MANY, READ, Openings
from proxy.claims import Claim, compared_text
from proxy.deeds import called_for, notices
from proxy.figures import own_words, sentence_around
from proxy.ledger import UNDONE, Call, Turn
from proxy.patterns import either
from proxy.results import has_word, objects, one_line, scalars, strings
from proxy.roots import COMMON, name_tokens, root

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
MOST_CALLED = 2
"""Tools that a word which tells what they are about stands in the names of."""
FEWEST, SEVERAL, SPOKEN = 2, 12, 19
"""Calls of one tool, each for another thing, and the highest number that is told in words for all of them."""
WORD = re.compile(r"\w+")
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
Things: TypeAlias = Mapping[str, Sequence[Mapping[str, Any]]]


@dataclass(frozen=True, slots=True)
class Unfulfilled(Openings):
    """Hold the beginning of an answer against a turn in which nothing came about, since its last changes failed.

    It speaks where no other auditor does. Told is an answer whose first sentences state a deed, or what is so since, or that
    gives an id which stands nowhere; and one that speaks of all that a tool was called for, thing by thing, where it failed for
    one of them. The options are those of `Openings`.
    """

    reads: ClassVar[frozenset[str]] = frozenset({"action", "success", "text"})

    def follow(self, turn: Turn, claims: Sequence[Claim], findings: Sequence[Finding]) -> list[Finding]:
        text = own_words(compared_text(claims))
        if not self.states or not text or any(one.flagged for one in findings):
            return []
        held = {one.tool_call_id for one in findings if one.verdict in ("verified", "qualified")}  # a part of it landed
        changes = [call for call in turn.calls if turn.nature(call) != "read"]
        changes = [one for one in changes if one.outcome not in UNDONE or one.id not in held]
        failed = [one for one in changes if one.outcome in UNDONE and not (one.settled or turn.done_after(one))]
        undone = [one for one in changes if one.outcome in UNDONE and not one.settled]
        if not undone or self.asks_leave(text) or any(one.outcome == "unknown" for one in changes):
            return []
        troubled = self.troubled(text, turn)
        if not troubled and (everyone := self._everyone(_undenied(undone, turn, claims), text, turn)):
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
        counted = [call for call in failed if 1 < len(turn.of_tool(call.name)) <= SPOKEN]
        things = _things(turn) if any(len(turn.of_tool(call.name)) <= SEVERAL for call in counted) else {}
        every: dict[int, str] = {}
        for call in counted:
            number = called_for(call, turn)
            if number < FEWEST or (number == FEWEST and turn.landed_again(call)):
                continue  # the second one may have been another try
            if number not in every:
                every[number] = self._of_number(number, text)
            line = every[number] or self._among(call, text, turn, things)
            if line and not self._otherwise(call, turn):
                return [Finding("contradicted", subject_of(call), call.failure, one_line(line, 200), call.id)]
        return []

    def _of_number(self, number: int, text: str) -> str:
        """The sentence that speaks of all of so many."""
        lines = (sentence_around(text, *one.span()) for one in ALL.finditer(text) if _spoken(one) == number)
        return next((line for line in lines if not self._doubted(line)), "")

    def _otherwise(self, failed: Call, turn: Turn) -> bool:
        """Whether a later call of another tool was given something that a failed one was: it may have done it in its place."""
        own = {text for text in failed.given if len(text) > 1}
        for later in turn.after(failed):
            if later.name != failed.name and later.outcome not in UNDONE and turn.nature(later) != "read":
                shared = own & later.given
                if len(shared) > (0 if turn.nature(later) == "change" else 1):
                    return True
        return False

    def _among(self, failed: Call, text: str, turn: Turn, things: Things) -> str:
        """The line that names what a call failed for, as it, or its list, names all that its tool was called for."""
        same = turn.of_tool(failed.name)
        names = list(_names(same, things)) if len(same) <= SEVERAL else []
        own = {one for one in names[same.index(failed)] if one in text} if names else set()
        if not own:
            return ""
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
        shared = self.words(failed.name) & self.words(later.name)
        return turn.nature(later) != "change" or any(not _is_common(one, turn) for one in shared)

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


def _is_common(word: str, turn: Turn) -> bool:
    """Whether a word of a tool's name tells it from no other: `aws`, `s3`, `bucket`."""
    return word in COMMON or sum(word in name_tokens(one) for one in turn.tool_names()) > MOST_CALLED


def _new(failed: Call, turn: Turn) -> list[str]:
    """What a failed call was given and no result before it has: a look behind it that has none of it has not shown it done."""
    known = "\n".join(one.result_text[:READ] for one in islice(turn.calls_before(failed), MANY))
    given = [text for _, text in scalars(failed.arguments) if len(text) > 1]
    return [one for one in given if not has_word(known, one)]


def _undenied(undone: Sequence[Call], turn: Turn, claims: Sequence[Claim]) -> list[Call]:
    """The failed calls of which no sentence that denies names what they, and no other call of their tool, were given."""
    denied = [one.quote for one in claims if one.stance == "denied"]
    if not denied:
        return list(undone)
    there = set(WORD.findall("\n".join(denied)))  # what has a word that is not there is not looked for
    given: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for call in turn.calls:
        given[call.name].update(call.given)
    left = []
    for call in undone:
        values = (text for _, text in islice(scalars(call.arguments), VALUES) if len(text) > 1)
        own = [one for one in values if given[call.name][one] == 1 and there.issuperset(WORD.findall(one))]
        if not any(has_word(quote, one) for quote in denied for one in own):
            left.append(call)
    return left


def _of_all(sentence: str, changes: int) -> bool:
    """Whether a sentence speaks of all that was to be done, by so many changes: "Both are recorded", "All done"."""
    return (found := EVERY.search(sentence)) is not None and _spoken(found) in (None, changes)


def _things(turn: Turn) -> Things:
    """The things that the looks of a turn have shown, by each of their texts and numbers."""
    looks = (one for one in turn.calls if turn.nature(one) == "read" and len(one.result_text) <= LONGEST)
    things: defaultdict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for thing in (thing for one in looks for thing in islice(objects(one.result_value), MANY)):
        for text in {str(text) for text in thing.values() if isinstance(text, (str, int))}:
            things[text].append(thing)
    return things


def _names(same: Sequence[Call], things: Things) -> Iterator[frozenset[str]]:
    """What sets each call of a tool apart from the others: its own arguments, and how looks call a thing that has one."""
    given = [frozenset(text for _, text in islice(scalars(one.arguments), VALUES)) for one in same]
    for at, values in enumerate(given):
        own = values.difference(*given[:at], *given[at + 1 :])
        about = (one for text in own for one in things.get(text, ()))
        yield own | {one[key] for one in about for key in CALLED if isinstance(one.get(key), str)}


def _spoken(found: re.Match[str]) -> int | None:
    """The number in words for all of some things; None where they have none."""
    number = found["number"]
    if number is None:
        return 2 if PAIR.match(found.group()) else None
    return NUMBERS.get(number.lower()) or int(number)
