"""What an answer tells as a call was asked for it must not stand otherwise in that call's own result."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, islice, takewhile
from typing import Any, ClassVar

from proxy.audit import Finding
from proxy.auditors.asked import (
    AIMS,
    MOST,
    Asked,
    arguments,
    by_sort,
    flags,
    moved,
    own_part,
    portioned,
    shown_in,
    switched,
)
from proxy.auditors.effects import about, number_of, subject_of
from proxy.auditors.moments import begun, clocked, dated, days_apart, deferred, told_day
from proxy.auditors.otherwise import GROWS, REACH, all_apart, otherwise, unset
from proxy.auditors.removed import kept, still_listed
from proxy.claims import Claim, compared_text
from proxy.dates import mentions
from proxy.fields import fields, words
from proxy.figures import sentence_around
from proxy.ledger import Call, Turn
from proxy.patterns import expression
from proxy.results import line_at, named_strings, objects, one_line
from proxy.roots import name_roots, similar, tokens
from proxy.spelling import MOMENT, digits_of, matches, places, plain, spoken

OFF = re.compile(r"(?i)\b(?:off|no|none|not|never|without|disabled|deactivated|inactive|private|closed|false)\b")
ON = re.compile(r"(?i)\b(?:on|yes|enabled|activated|active|public|open|true|still|stays?|remains?)\b")
"""Words by which a clause may tell that something is as it was not to be."""
CLAUSE = re.compile(r"[^\n.!?;,]+(?:[.,](?!\s)[^\n.!?;,]*)*")
PIECES = re.compile(r"[^\W\d_]{3,}|\d+")
"""The words and the numbers of a value."""
COMES = re.compile(
    r"(?i)\d{4}-\d\d-\d\d|start|pending|schedul|queued|effective|next_|future|propagat|async|accepted|job|request"
)
"""What a result says of a change that comes later."""
LATER = re.compile(
    r"(?i)\b(?:schedul\w*|effective|upcoming|next (?:bill\w*|cycle|month|period|statement|renewal)|renewal|takes? effect"
    r"|starting|as of(?! (?:today|now)\b)|keeps?|stays? on|remains?|rest of|for now|booked in|lined up|meanwhile"
    r"|from (?:the )?(?:next|first|\d|\w+ \d)|will (?:be|take|start|switch|move|change|apply|kick)"
    r"|kick\w* in|go(?:es)? live|up to (?:that|this|then)|when (?:your|the)|runs? out|on the \d{1,2}(?:st|nd|rd|th)"
    r"|once|until|end of (?:the|your)"
    r"|january|february|march|april|june|july|august|september|october|november|december"
    r"|in (?:about |around )?\w+ (?:days|weeks)|turn of|follows?|straight after|after (?:that|your|the)"
    r"|first of|(?:next|coming|following) \w+|payslip|\d{1,2}/\d{1,2}"
    r"|ab dem|ab \d|wird|werden|nächste\w*|a partir|próxim\w*|à partir|prochaine?)\b|から|起|부터|다음"
)
"""Words by which an answer says that something comes later, or when."""
FORMER_DAY = re.compile(
    r"(?i)\b(?:was|were|from|originally|previously|formerly|before|after|by|left|leav\w+|due|until|till|since|ends?|ended|ending|expire[sd]?"
    r"|back on|old|war|bis"
    r"|vom|era|hasta|desde|était|jusqu\S*)\b|原|旧|从|到期"
)
"""Words by which a sentence may speak of another day than the one that something is moved to."""
NUMBERED = 10_000
"""The least number that names a thing, and counts nothing, where a result has another one under the argument's own name."""
FEWEST = 2
"""Arguments of a call that says which thing is meant, and how it shall be."""
WAS = re.compile(
    r"(?i)(?:\b(?:was|were|from|instead of|rather than|previously|formerly|before|old|vorher|zuvor|bisher|von|statt"
    r"|antes|era|desde|avant|contre|au lieu)\b|原|旧|从)[\W_]{0,6}(?:at |to |the |bei |de |à )?$"
)
"""What stands before a value that a sentence tells as the former one: "(was 10%)"."""


AND = re.compile(r"(?i),? and (?=(?:you|your|we|it|they)\b)")
"""Where a sentence goes on to what comes of it."""
BEFORE = re.compile(
    r"(?i)\b(?:before|old|was|previous\w*|former\w*|from|until now|vorher|bisher|alt|antes|avant|actuel)\b"
)
"""How the head of a column says that it holds what was."""
WANTED = re.compile(r"(?i)\b(?:want\w*|request\w*|ask\w*|wish\w*|target|planned|goal)\b")
"""How the head of a column says that it holds what was asked for."""
TABLE = 2_000
"""Code points above a row in which its table begins."""


@dataclass(frozen=True, slots=True)
class Unmet:
    """Compare what a change was asked for with what its result has under the same name.

    Asked for are the arguments of a call that landed, and what a look has shown of the thing that an argument names (the
    start of a slot, the price of a plan). Told is one that the answer states, where the result has another value that was
    known before, or nothing, or a list without it; where what was asked for stands nowhere in this and in later results, and
    the answer does not have what is there instead. `doubts` is an expression for sentences that do not mean it so exactly,
    `admits` one for answers that tell of some trouble.
    """

    doubts: str = ""
    admits: str = ""

    reads: ClassVar[frozenset[str]] = frozenset({"action", "success", "text"})
    needs: ClassVar[frozenset[str]] = frozenset({"change"})

    def compare(self, turn: Turn, claims: Sequence[Claim]) -> list[Finding]:
        text = compared_text(claims)
        said = [one for one in claims if one.kind in ("action", "success") and one.stance == "asserted"]
        changes = turn.sure_changes()
        names = " ".join(one.name for one in changes).lower()  # of `modify_pending_order`, "pending" tells no trouble
        if not text or (
            self.admits and any(one.group().lower() not in names for one in expression(self.admits).finditer(text))
        ):
            return []
        own = [one for one in _never_again(changes) if not turn.is_far_back(one)]
        found = [self._of(call, turn, text, said) for call in own]
        return list({one.subject: one for one in found if one is not None}.values())

    def _of(self, call: Call, turn: Turn, text: str, said: Sequence[Claim]) -> Finding | None:
        """The verdict on a call, by what its result has otherwise, and by the turn's last look."""
        if call.result_value is None or len(call.result_text) > REACH:
            return self._looked(call, turn, text)
        apart, off = list(otherwise(call, turn)), list(unset(call))
        found = self._first(call, turn, text, apart, off) or self._looked(call, turn, text)
        return found or self._implied(call, turn, text, said, apart, off)

    def _first(
        self, call: Call, turn: Turn, text: str, apart: Sequence[tuple[Asked, Any]], off: Sequence[Asked]
    ) -> Finding | None:
        """The first thing that a call was asked for, that is told, and that is not there."""
        for asked, got in chain(apart, all_apart(call)):
            shared = sum(plain(one.value) == plain(got) for one in shown_in(call.result_value)) > 1
            own = shared and any(plain(one.value) == plain(got) for one in arguments(call.arguments))
            if told := self._told(asked, None if own else got, text, shared):  # what it was given too is told for that
                return _finding(asked, got, told, call)
            if told := self._counted(asked, got, text, call):
                return _finding(asked, got, told, call)
        for asked in off:
            if told := self._speaks_of(asked, text):
                return _finding(asked, not asked.value, told, call)
        for value in kept(call, turn):
            if told := self._told(Asked("", value.rpartition(":")[2]), None, text):
                reason = f"{one_line(value, 60)!r} was to be taken away, and the result still has it"
                return Finding("contradicted", subject_of(call), reason, one_line(told, 200), call.id)
        verb = turn.marks.natures.verb(call.name)
        for asked, got in chain(
            moved(call), clocked(call), dated(call), days_apart(call), begun(call), by_sort(call), portioned(call, verb)
        ):
            if told := self._told(asked, got, text):
                return _finding(asked, got, told, call)
        for asked, got in switched(call):
            told = self._told(asked, got, text, shared=True)
            if told and any(places(asked.name, told)):
                return _finding(asked, got, told, call)
        return None

    def _implied(
        self,
        call: Call,
        turn: Turn,
        text: str,
        said: Sequence[Claim],
        apart: Sequence[tuple[Asked, Any]],
        off: Sequence[Asked],
    ) -> Finding | None:
        """What a call was asked for, and its result has otherwise under that very name, where the answer tells it as done.

        It need not say what was asked for; it must not have what is there instead.
        """
        alone = len(turn.landed_changes()) == 1
        deed = about(call, said) or (said[0] if said and alone else None)
        if (later := next(deferred(call), None)) and not _tells_when(text):
            asked, day, names = later
            quote = next((line_at(text, at) for name in names for at, _ in places(name, text)), "")
            quote = quote if deed is None else deed.quote
            if quote:
                reason = f"asked for {asked.name} {one_line(str(asked.value), 60)!r}, and it comes on {day[:10]}"
                return Finding("contradicted", subject_of(call), reason, one_line(quote, 200), call.id)
        if deed is not None and alone and (other := told_day(call, turn, text)) is not None:
            sentence = sentence_around(text, other[2], other[2])
            former = FORMER_DAY.search(sentence) is not None
            if not former and not (self.doubts and expression(self.doubts).search(sentence)):
                reason = f"the call was given {other[0].name} {other[0].value[:10]}, and {other[1]} is told"
                return Finding("contradicted", subject_of(call), reason, one_line(sentence, 200), call.id)
        if deed is None or (self.doubts and expression(self.doubts).search(deed.quote)):
            return None
        if listed := still_listed(call, turn):
            reason = f"{listed!r} was to be taken away, and the result lists it as it was before"
            return Finding("contradicted", subject_of(call), reason, deed.quote, call.id)
        held = {one.name: one.value for one in shown_in(own_part(call))[:MOST]}
        for asked, got in apart:
            ids = type(asked.value) is type(got) is int and min(asked.value, got) >= NUMBERED
            if ids and held.get(asked.name) == got and not GROWS.search(asked.name):
                return _finding(asked, got, deed.quote, call)  # the number of another thing
            named = isinstance(held.get(asked.name), (str, dict))
            if named and isinstance(got, str) and _is_other(asked.value, got, text):
                return _finding(asked, got, deed.quote, call)
        unsaid = [one for one in off if one.name in held and tokens(text).isdisjoint(name_roots(one.name))]
        own = [one for one in unsaid if not name_roots(one.name).isdisjoint(name_roots(call.name))]
        if own and len(call.arguments) == FEWEST:
            return _finding(own[0], not own[0].value, deed.quote, call)
        only = len(off) == 1 and len(list(flags(call.arguments))) == 1 and not any(named_strings(call.arguments))
        if alone and only and not COMES.search(call.result_text):
            return _finding(off[0], not off[0].value, deed.quote, call)  # all that it was to do
        return None

    def _speaks_of(self, asked: Asked, text: str) -> str:
        """The clause that speaks of what a call switched on or off, without a doubt."""
        own = name_roots(asked.name) - AIMS
        for found in CLAUSE.finditer(text):
            said = tokens(found.group())
            doubted = self.doubts and expression(self.doubts).search(found.group())
            states = OFF if asked.value else ON
            if own and all(similar(one, said) for one in own) and not doubted and not states.search(found.group()):
                return found.group()
        return ""

    def _looked(self, call: Call, turn: Turn, text: str) -> Finding | None:
        """A number that a change was given, that is told, and that the turn's last look shows otherwise of the same thing."""
        look = turn.calls[-1]
        named = [one for one in call.arguments.values() if isinstance(one, str) and len(one) >= 3]
        if (
            look.position <= call.position
            or turn.nature(look) != "read"
            or look.result is None
            or look.outcome != "landed"
        ):
            return None
        if len(look.result_text) > REACH or not any(one in look.raw and one in look.result_text for one in named):
            return None
        for name, value in call.arguments.items():
            whole = isinstance(value, int) and not isinstance(value, bool) and value > 0
            if not whole or GROWS.search(name) or re.search(rf"(?<![\d.]){value}(?![\d.])", look.result_text):
                continue
            wanted = tuple(word for word in words(name) if word not in AIMS)
            got = {
                number
                for one in fields(look.result)
                if one.words[-len(wanted) :] == wanted and (number := number_of(one.value))
            }
            if len(got) == 1 and (told := self._told(Asked(name, value), got.copy().pop(), text)):
                reason = f"asked for {name} {value}, and the last look has {got.pop():g}"
                return Finding("contradicted", subject_of(call), reason, one_line(told, 200), look.id)
        return None

    def _told(self, asked: Asked, got: Any, text: str, shared: bool = False) -> str:
        """The sentence by which an answer states what was asked for; empty where it does not, or has what is there.

        What another field has as well (`shared`) may be meant for that one, but in the same sentence.
        """
        told: Iterable[tuple[int, int]] = ()
        if isinstance(got, (int, float)) and not isinstance(got, bool):
            told = (found.span() for found in matches(got, text))  # a small one too
        elif got is not None and not isinstance(got, bool):
            told = chain(places(got, text), spoken(got, text))
        there = [
            sentence_around(text, *span)
            for span in told
            if WAS.search(text[max(0, span[0] - 24) : span[0]]) is None and not _was_before(text, span[0])
        ]
        if there and not shared:
            return ""
        for start, end in chain(places(asked.value, text, asked.name), spoken(asked.value, text)):
            sentence = sentence_around(text, start, end)
            part = _part_around(sentence, text[start:end])
            if sentence not in there and not (self.doubts and expression(self.doubts).search(part)):
                return sentence if WANTED.search(_head(text, start)) is None else ""
        return ""

    def _counted(self, asked: Asked, got: Any, text: str, call: Call) -> str:
        """The sentence that has a number right before what it is of, by the words of its entry: "12 vegetable lasagnes"."""
        if not isinstance(asked.value, int) or not isinstance(got, int):
            return ""
        entries = [one for one in islice(objects(call.result_value), MOST) if one.get(asked.name) == got]
        named = {one for entry in entries for told in entry.values() if isinstance(told, str) for one in tokens(told)}
        if len(entries) != 1 or any(
            any(similar(one, named) for one in _behind(found, text)) for found in matches(got, text)
        ):
            return ""
        for found in matches(asked.value, text):
            sentence = sentence_around(text, *found.span())
            doubted = self.doubts and expression(self.doubts).search(sentence)
            if not doubted and any(similar(one, named) for one in _behind(found, text)):
                return sentence
        return ""


def _part_around(sentence: str, value: str) -> str:
    """The part of a sentence that has a value: what it goes on to say of somebody is another thing."""
    return next((part for part in AND.split(sentence) if value in part), sentence)


def _was_before(text: str, at: int) -> bool:
    """Whether a place stands in a column of a table whose head says that it was so before."""
    return BEFORE.search(_head(text, at)) is not None


def _head(text: str, at: int) -> str:
    """The head of the column of a table in which a place stands; empty where it stands in none."""
    begin = text.rfind("\n", 0, at) + 1
    column = text.count("|", begin, at)
    lines = text[max(0, begin - TABLE) : begin].split("\n")[:-1] if text.startswith("|", begin) else []
    heads = list(takewhile(lambda line: line.startswith("|"), reversed(lines)))
    cells = heads[-1].split("|") if heads else []
    return cells[column] if column < len(cells) else ""


def _behind(found: re.Match[str], text: str) -> list[str]:
    """The words right behind a number that may say what it counts."""
    return [one for one in tokens(text[found.end() : found.end() + 40], 3) if len(one) > 3]


def _tells_when(text: str) -> bool:
    """Whether an answer has a day, or says that something is to come."""
    return LATER.search(text) is not None or any(one.dates for one in mentions(text))


def _is_other(value: Any, got: str, text: str) -> bool:
    """Whether what a result has in place of a text shares no word with that, and an answer none with it.

    Of a moment the time of day, or the day, is as good as the whole.
    """
    if isinstance(value, str) and MOMENT.match(value) and MOMENT.match(got):
        parts = [one for one, other in ((got[:10], value[:10]), (got[11:16], value[11:16])) if one != other]
        return bool(parts) and not any(any(chain(places(one, text), spoken(one, text))) for one in parts if one)
    if any(map(str.isdigit, got)) and digits_of(str(value)) == digits_of(got):
        return False  # "+34 611 204 417" and "34611204417"
    if " " in got.strip() or " " in str(value).strip():
        return False  # a name, and what stands for it in a list: "travel", "6200 – Transport"
    own, wanted = set(PIECES.findall(plain(got))), set(PIECES.findall(plain(value)))
    said = any(one in text.casefold() for one in own)
    return bool(own) and not said and own.isdisjoint(wanted) and not OFF.fullmatch(str(value))


def _never_again(changes: Sequence[Call]) -> list[Call]:
    """The calls behind which the same tool was not called once more of the same thing, for all that its arguments say: "20",
    then "21.5"."""
    called: set[str] = set()
    given: set[tuple[str, str]] = set()
    left = []
    for call in reversed(changes):
        own = {(call.name, text) for text in call.given if not text.isdigit()}
        if call.name not in called or (own and given.isdisjoint(own)):
            left.append(call)
        called.add(call.name)
        given.update((call.name, text) for text in call.given)
    return left[::-1]


def _finding(asked: Asked, got: Any, told: str, call: Call) -> Finding:
    shown = "none" if got is None else f"{one_line(str(got), 60)!r}"
    reason = f"asked for {asked.name} {one_line(str(asked.value), 60)!r}, and the result has {shown}"
    return Finding("contradicted", subject_of(call), reason, one_line(told, 200), call.id)
