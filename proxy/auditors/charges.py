"""What a change's result says in money is what the answer says in money: an amount that it has otherwise is told."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, islice
from typing import Any, ClassVar

from proxy.amounts import CENTS, PRICES, Amount, numbers, pool
from proxy.audit import Finding
from proxy.auditors.effects import number_of
from proxy.claims import BY_LINE, Claim, compared_text
from proxy.fields import alike, words
from proxy.figures import Figure, figures, sentence_around, unquoted
from proxy.ledger import Call, Turn
from proxy.patterns import expression
from proxy.reckoning import fits, multipliers, rates, spelled
from proxy.results import has_word, line_at, one_line

MOST, LOOKS, TOLD = 300, 20, 60
"""Amounts of results that are compared, earlier calls that are looked into, and amounts of an answer."""
LONGEST = 40_000
"""Code points of the turn's results; where there are more, nobody is accused."""
LEAST = 5
"""The least amount that says something: smaller ones are often a rate, or a count."""
FEW, MANY = 3, 12
"""Amounts of an answer that has none of a result's, from which on they may be about something else; of a sentence."""
CHANGES = 12
"""Changes of a turn; of more, nobody knows which one an answer with none of their amounts means."""
FORMER = re.compile(r"(?i)prev|old|former|before|original|history_of|was|list_?price|max|limit|min(?:imum)?_")
"""Names of fields that hold what was, or what could be."""
UNITS = re.compile(
    r"(?i)(?:[kmg]i?b|bytes|count|qty|kgs?|km|min(?:ute)?s?|hours?|days?|pct|percent|points|size|seats|items)$"
)
"""Endings of names of what is no money, whatever their beginnings say: `total_kb`."""
WHOLE = ("net", "total", "amount")
"""The last word of a field that has all of what was moved; the first that there is."""
SAME = 4
"""Letters in which words are the same that are alike but for their endings."""
DEPTH = 6
BESIDE = 30
"""Code points before an amount in which a word says that it is a former one."""
CUT = re.compile(r"[,;:.!?]\s|\n|\s(?:and|und|y|et)\s")
"""Where a sentence goes on to something else."""
ID = re.compile(r"(?=[\w#-]*\d)[\w#-]{4,40}")
"""What tells an entry of a result from others."""
REST = re.compile(
    r"(?i)\b(?:balance|left|remain\w*|available|difference|fees?|deposits?|surcharges?|shares?|half|halves|quarter|each|per"
    r"|saldo|restant\w*|solde|guthaben|gebühr|anzahlung|je|pro|frais|cada|par)\b|%|余额|残高|잔액"
)
TOGETHER = re.compile(r"(?i)\b(?:in total|in all|altogether|together|combined|zusammen|insgesamt|en total|au total)\b")
LEFT = re.compile(
    r"(?i)\b(?:left|remain\w*|outstanding|still (?:owe|due|to pay)|übrig|verbleib\w*|restant\w*|quedan?|reste)\b"
)
SHARE = re.compile(r"(?i)%|\b(?:percent|per cent|prozent|half|each|split|share|among|quarter|third)\b")
"""What is left over, a share or a fee is reckoned from the price; and messages that ask for one."""
TOLD_IN = re.compile(
    r"(?i)\b(amount|total|price|refund(?:ed)?|charged?|fee|balance)(?: of| is|:| =)? ?(?:[$€£]|USD |EUR |GBP )?"
    r"(\d{1,9}(?:,\d{3})*(?:\.\d{1,2})?)(?![\w%]|[.,]\d| [A-Z]{3}\b)"
)
"""An amount that a result without JSON tells: "added with amount 100"."""
PARTLY = frozenset({("paid",), ("charged",), ("collected",), ("taken",), ("received",), ("payment",), ("refunded",)})
"""Last words of the names of what was paid of an amount."""
SHOWN = 500
"""Code points of such a result that are read."""
Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Charges:
    """Compare the amounts of money in an answer with those of a change's own result; it speaks where no other auditor does.

    Told is an amount that stands in none of the results since the change, where its own result has another one that the
    answer does not tell, and both are one thing: the call was given the one under the other's name; an earlier result had it
    in the very place; the words beside it are those of the other's field; or the answer has none of the result's amounts, and
    this one does not follow from them. `former` is an expression for what stands before an amount that was, or may be; `doubts`
    one for sentences that offer it; `idle` are words of fields' names that do not tell which amount is meant.
    """

    former: str = ""
    doubts: str = r"(?!)"
    idle: tuple[str, ...] = ()

    reads: ClassVar[frozenset[str]] = frozenset({"text"})
    needs: ClassVar[frozenset[str]] = frozenset({"change", "figures"})

    def follow(self, turn: Turn, claims: Sequence[Claim], findings: Sequence[Finding]) -> list[Finding]:
        changes = [call for call in turn.landed_changes() if not call.effect and turn.nature(call) == "change"]
        text = unquoted(compared_text(claims, BY_LINE)) if changes else ""
        if not any(map(str.isdigit, text)) or sum(len(call.result_text) for call in turn.calls) > LONGEST:
            return []
        answer = _Answer(text, turn)
        told = list(islice((one for one in answer.amounts if not self._is_idle(one)), TOLD))
        others = [finding.quote for finding in findings if finding.flagged]
        found: dict[str, Finding] = {}
        for call in changes if told else ():
            for one, name, value in _otherwise(_Change(call, answer, self.idle), told, len(changes)):
                if not any(one.text in quote for quote in others):
                    reason = f"the result has {value:,.10g} for {name}, and nothing in it gives this amount"
                    line = one_line(one.sentence, 200)
                    found.setdefault(one.text, Finding("contradicted", one.text, reason, line, call.id))
        return list(found.values())

    def _is_idle(self, one: _Told) -> bool:
        """Whether an amount is said to be a former one, or is only offered."""
        former = bool(self.former) and expression(self.former).search(one.before) is not None
        return former or expression(self.doubts).search(one.sentence) is not None


class _Answer:
    """An answer, and what its amounts ask of it and of the conversation: made once, and not for each of them again."""

    def __init__(self, text: str, turn: Turn) -> None:
        self.text, self.turn = text, turn
        self._said = list(figures(text))
        self.stated = {value for one in self._said for value in one.values}
        self._words: dict[str, dict[str, list[str]]] = {}

    @property
    def amounts(self) -> Iterator[_Told]:
        for one in self._said:
            if (one.priced or one.step < 1) and not one.vague and max(one.values) >= LEAST:
                yield _Told(one, self)

    @cached_property
    def cuts(self) -> tuple[list[int], list[int]]:
        """Where it goes on to something else: where what parts it begins, and where that ends."""
        spans = [cut.span() for cut in CUT.finditer(self.text)]
        return [start for start, _ in spans], [end for _, end in spans]

    @cached_property
    def derives(self) -> bool:
        """Whether it, or who asked for it, speaks of what is left over, of shares or of fees."""
        return bool(REST.search(self.text) or SHARE.search(self.turn.asked))

    @cached_property
    def before(self) -> set[float]:
        """The numbers that stand in the conversation before it."""
        return set(numbers([self.turn.everything()[:LONGEST]]))

    @cached_property
    def changed(self) -> frozenset[int]:
        """The places of the changes of the turn."""
        return frozenset(call.position for call in self.turn.landed_changes())

    @cached_property
    def shown(self) -> set[float]:
        """The amounts that the changes of the turn have in their results."""
        changes = [call for call in self.turn.landed_changes() if call.result_value is not None]
        return {amount for call in changes for _, amount in islice(amounts_of(call.result_value), MOST)}

    @cached_property
    def holders(self) -> dict[float, list[int]]:
        """The numbers of the results from the first change on, each with the places of the calls that have it."""
        first = next((call.position for call in self.turn.landed_changes()), 0)
        found: dict[float, list[int]] = defaultdict(list)
        for call in self.turn.calls[first:]:
            for number in _numbers_of(call):
                found[number].append(call.position)
        return found

    def says(self, part: str, name: Sequence[str]) -> bool:
        """Whether a part of it has all of some words, but for their endings."""
        if part not in self._words:
            self._words[part] = _by_beginning(words(part))
        own = self._words[part]
        return all(any(alike(word, one) for one in own.get(word[:SAME], ())) for word in name)


class _Told:
    """An amount of an answer, and what is found out of it once, however many changes it is held against."""

    def __init__(self, figure: Figure, answer: _Answer) -> None:
        self.figure, self.answer = figure, answer
        self.text, self.values = figure.text, figure.values
        self.either = [each for value in figure.values for each in (value, value * 100)]
        """Its values as interfaces may have them: in cents as well."""

    @property
    def before(self) -> str:
        """What stands right before it in its line."""
        text, start = self.answer.text, self.figure.start
        return text[max(text.rfind("\n", 0, start), start - BESIDE, 0) : start]

    @cached_property
    def sentence(self) -> str:
        return sentence_around(self.answer.text, self.figure.start, self.figure.end)

    @cached_property
    def clause(self) -> str:
        """The stretch of a sentence around it: "and a refund of $96.80"."""
        (starts, ends), text = self.answer.cuts, self.answer.text
        before, after = bisect_right(ends, self.figure.start), bisect_left(starts, self.figure.end)
        return text[ends[before - 1] if before else 0 : starts[after] if after < len(starts) else len(text)]

    @cached_property
    def line(self) -> str:
        """Its line, where that has few amounts and this one cannot be reckoned from others; else nothing."""
        if self.answer.derives or not self.answer.before.isdisjoint(self.values):
            return ""
        line = line_at(self.answer.text, self.figure.start, len(self.answer.text))
        return line if len(list(figures(line))) <= FEW else ""

    @cached_property
    def reckoned(self) -> bool:
        """Whether its sentence shows what it is reckoned from: "of your $280, $209 was used; $71 is left"."""
        others = {value for other in figures(self.sentence) for value in other.values} - set(self.values)
        sums = (each for a, b in _pairs(others) for each in (a + b, abs(a - b)))
        return any(abs(value - each) < 0.005 for each in sums for value in self.values)

    @cached_property
    def left(self) -> bool:
        """Whether it is said to be left over, and two amounts of the results differ by it."""
        pairs = _pairs(self.answer.shown) if LEFT.search(self.sentence) else ()
        return any(abs(abs(a - b) - each) < 0.005 for a, b in pairs for each in self.values)

    @property
    def another(self) -> bool:
        """Whether another change has it in its result, or two come to it: €18.50 and €19.00."""
        return not self.answer.shown.isdisjoint(self.either) or self._of_two

    @property
    def summed(self) -> bool:
        return TOGETHER.search(self.sentence) is not None and self._of_two  # said to be what two changes come to

    @cached_property
    def _of_two(self) -> bool:
        return any(abs(a + b - each) < 0.005 for a, b in _pairs(self.answer.shown) for each in self.either)

    @cached_property
    def spelled(self) -> bool:
        """Whether a call has it, or a result."""
        turn = self.answer.turn
        calls = (*turn.calls, *islice(reversed(turn.earlier()), LOOKS))
        return any(spelled(value, f"{call.raw}\n{call.result_text}") for call in calls for value in self.values)


def _pairs(amounts: set[float]) -> Iterable[tuple[float, float]]:
    """Each two of some amounts; of many none, for any number follows from these."""
    return combinations(amounts, 2) if len(amounts) <= MANY else ()


def _by_beginning(said: Collection[str]) -> dict[str, list[str]]:
    """Words by the letters in which all that are alike are the same."""
    found: dict[str, list[str]] = {}
    for word in dict.fromkeys(said):
        found.setdefault(word[:SAME], []).append(word)
    return found


class _Change:
    """A call that changed something, the amounts of its result, and those of them that the answer does not tell."""

    def __init__(self, call: Call, answer: _Answer, idle: Collection[str]) -> None:
        self.call, self.answer, self._idle = call, answer, idle
        amounts = islice(amounts_of(_returned(call)), MOST)
        self.own = {path: value for path, value in amounts if value >= LEAST}
        self.missing = {
            path: value for path, value in self.own.items() if answer.stated.isdisjoint((value, value / 100))
        }

    @cached_property
    def _about(self) -> str:
        return str(next(iter(self.call.arguments.values()), ""))

    def _is_of_another(self, place: int) -> bool:
        """Whether the call at a place is a change before it that is about something else."""
        call = self.answer.turn.calls[place]
        before = place < self.call.position and place in self.answer.changed
        return before and self._about not in f"{call.raw}\n{call.result_text}"

    def is_known(self, one: _Told) -> bool:
        """Whether the results since the call, or those of other changes, have an amount, or give it under one name."""
        for value in one.either:
            places = self.answer.holders.get(value, [])
            if places and (places[-1] >= self.call.position or any(map(self._is_of_another, places))):
                return True
        return False

    @cached_property
    def before(self) -> list[tuple[Path, float]]:
        return [(path, value) for path, value in _before(self.call, self.answer.turn) if path in self.missing]

    @cached_property
    def names(self) -> list[tuple[Path, Sequence[str]]]:
        """What the answer does not tell, with the words of its field that tell which amount it is."""
        every = [(path, words(_name(path))) for path in self.missing]
        return [(path, [word for word in name if word not in self._idle] or name) for path, name in every if name]

    @cached_property
    def _given(self) -> dict[float, set[tuple[str, ...]]]:
        """The amounts that the call was given, each with the last words of its names."""
        found: dict[float, set[tuple[str, ...]]] = defaultdict(set)
        for path, value in amounts_of(dict(self.call.arguments)):
            found[value].add(words(_name(path))[-1:])
        return found

    @cached_property
    def _called(self) -> list[tuple[Path, tuple[str, ...]]]:
        """The amounts of the result, each with the last word of its name."""
        return [(path, words(_name(path))[-1:]) for path in self.own]

    def asked(self, one: _Told) -> dict[Path, float]:
        """The amounts of the result that stand under the name by which the call was given an amount of the answer."""
        names = {name for value in one.values for name in self._given.get(value, ())}
        paths = [path for path, name in self._called if name in names] if names else []
        paid = (self.own[path] for path, name in self._called if name in PARTLY)
        if any(self.own[path] in one.values for path in paths) or any(value in one.values for value in paid):
            return {}  # of a part of a bill, "amount" is the bill's, and "paid" the call's
        return {path: self.missing[path] for path in paths if path in self.missing}


def _otherwise(change: _Change, told: Sequence[_Told], changes: int) -> Iterator[tuple[_Told, str, float]]:
    """The amounts of an answer that a result has otherwise, each with the name and the amount of its field."""
    missing = change.missing
    few = len(told) <= FEW and changes <= CHANGES and len(missing) == len(change.own)
    alone = few and len({one.values for one in told}) == 1
    for one in told if missing else ():
        meant = change.asked(one)
        if not meant and not change.is_known(one) and not one.summed:
            meant = _meant(one, change)
            if not meant and few and not one.another and (alone or one.spelled):
                meant = {} if _follows(one, change) else _whole(missing)
        if len(set(meant.values())) == 1 and not (one.reckoned or one.left):
            path, value = next(iter(meant.items()))
            yield one, _name(path), value


def _meant(one: _Told, change: _Change) -> dict[Path, float]:
    """The amounts of a result for one of which an amount of the answer is meant."""
    missing = change.missing
    if before := {path: missing[path] for path, value in change.before if value in one.values}:
        return before
    if one.line and (own := _of_entry(change.call, missing, one.line)):
        return own
    for part in (one.clause, one.sentence):
        if named := {path: missing[path] for path, name in change.names if one.answer.says(part, name)}:
            return named
    return {}


def _of_entry(call: Call, missing: dict[Path, float], line: str) -> dict[Path, float]:
    """The amount of the one entry of a result that a line names by its id: "HB097 on May 17: $188"."""
    found = {}
    for path, value in missing.items():
        entry: Any = call.result_value
        for step in path[:-1]:
            entry = entry[step]
        within = entry.values() if len(path) > 2 and isinstance(entry, dict) else ()
        if any(isinstance(one, str) and ID.fullmatch(one) and has_word(line, one) for one in within):
            found[path] = value
    return found if len(found) == 1 else {}


def _whole(amounts: dict[Path, float]) -> dict[Path, float]:
    """Of several amounts the one that says what was moved in all; none where no field is called so."""
    if len(set(amounts.values())) == 1:
        return amounts
    for name in WHOLE:
        if named := {path: value for path, value in amounts.items() if words(_name(path))[-1:] == (name,)}:
            return named
    return {}


def _numbers_of(call: Call) -> set[float]:
    """The numbers of a result, and what the amounts of one name in it come to."""
    of_name: dict[str, float] = defaultdict(float)
    for path, amount in islice(amounts_of(call.result_value), MOST):
        of_name[_name(path)] += amount
    known = pool([call.result_value], [call.result_text], []).known
    return known | {round(amount, 2) for amount in of_name.values()}


def _follows(one: _Told, change: _Change) -> bool:
    """Whether an amount follows from those of the results since a change."""
    text, said = one.answer.text, one.figure
    known = pool([other.result_value for other in one.answer.turn.calls[change.call.position :]], [], [])
    amount = Amount(said.text, said.start, said.end, said.values, said.step, said.vague)
    return fits(amount, known, set(), set(multipliers(text)), rates(text))


def _returned(call: Call) -> Any:
    """What a call returned: its JSON, or its text, where that tells an amount that the call was given."""
    if call.result_value is not None:
        return call.result_value
    given = {value for _, value in amounts_of(dict(call.arguments))}
    told = {value for _, value in amounts_of(call.result_text)} if given else set()
    return call.result_text if told and told <= given else None


def amounts_of(value: Any, path: Path = ()) -> Iterator[tuple[Path, float]]:
    """The amounts of money in a value, each with its place."""
    if len(path) > DEPTH:
        return
    if isinstance(value, (dict, list)):
        inner = value.items() if isinstance(value, dict) else enumerate(value[:MOST])
        for key, one in inner:
            if isinstance(key, str) and FORMER.search(key):
                continue
            yield from amounts_of(one, (*path, key))
        return
    if isinstance(value, str) and not path:
        yield from (((one[1],), float(one[2].replace(",", ""))) for one in TOLD_IN.finditer(value[:SHOWN]))
    name = next((key for key in reversed(path) if isinstance(key, str)), "")
    number = _number(value)
    if number is not None and PRICES.search(name) and not UNITS.search(name):
        yield path, number / 100 if CENTS.search(name) else number


def _number(value: Any) -> float | None:
    return number_of(value.replace(",", "").strip("$€£¥ ") if isinstance(value, str) else value)


def _name(path: Path) -> str:
    return " ".join(str(key) for key in path if isinstance(key, str))


def _before(call: Call, turn: Turn) -> Iterator[tuple[Path, float]]:
    """The amounts of the last result before a call that is of the same record: one that its arguments name by an id."""
    ids = [one for one in call.arguments.values() if isinstance(one, str) and len(one) >= 3]
    for other in islice(turn.calls_before(call), LOOKS):
        if other.result_value is not None and any(one in other.result_text for one in ids):
            yield from amounts_of(other.result_value)
