"""What a change's result says in money is what the answer says in money: an amount that it has otherwise is told."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from typing import Any, ClassVar

from proxy.amounts import CENTS, PRICES, Amount, numbers, pool
from proxy.audit import Finding
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
FORMER = re.compile(r"(?i)prev|old|former|before|original|history_of|was|list_?price|max|limit|min(?:imum)?_")
"""Names of fields that hold what was, or what could be."""
UNITS = re.compile(
    r"(?i)(?:[kmg]i?b|bytes|count|qty|kgs?|km|min(?:ute)?s?|hours?|days?|pct|percent|points|size|seats|items)$"
)
"""Endings of names of what is no money, whatever their beginnings say: `total_kb`."""
WHOLE = ("net", "total", "amount")
"""The last word of a field that has all of what was moved; the first that there is."""
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
SHARE = re.compile(r"(?i)%|\b(?:percent|per cent|prozent|half|each|split|share|among|quarter|third)\b")
"""What is left over, a share or a fee is reckoned from the price; and messages that ask for one."""
TOLD_IN = re.compile(
    r"(?i)\b(amount|total|price|refund(?:ed)?|charged?|fee|balance)(?: of| is|:| =)? ?(?:[$€£]|USD |EUR |GBP )?"
    r"(\d{1,9}(?:,\d{3})*(?:\.\d{1,2})?)(?![\w%]|[.,]\d| [A-Z]{3}\b)"
)
"""An amount that a result without JSON tells: "added with amount 100"."""
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
        said = list(figures(text))
        told = [one for one in said if (one.priced or one.step < 1) and not one.vague and max(one.values) >= LEAST]
        told = [one for one in told if not (self._is_former(one, text) or self._is_offered(one, text))]
        stated = {value for one in said for value in one.values}
        others = [finding.quote for finding in findings if finding.flagged]
        found: dict[str, Finding] = {}
        for call in changes if told else ():
            for one, name, value in self._otherwise(call, told[:TOLD], stated, text, turn):
                if not any(one.text in quote for quote in others):
                    reason = f"the result has {value:,.10g} for {name}, and nothing in it gives this amount"
                    line = one_line(sentence_around(text, one.start, one.end), 200)
                    found.setdefault(one.text, Finding("contradicted", one.text, reason, line, call.id))
        return list(found.values())

    def _otherwise(
        self, call: Call, told: Sequence[Figure], stated: set[float], text: str, turn: Turn
    ) -> Iterator[tuple[Figure, str, float]]:
        """The amounts of an answer that a result has otherwise, each with the name and the amount of its field."""
        own = {path: value for path, value in islice(amounts_of(_returned(call)), MOST) if value >= LEAST}
        missing = {path: value for path, value in own.items() if stated.isdisjoint((value, value / 100))}
        known = _since(call, turn) if missing else set()
        for one in told if missing else ():
            meant = _asked(call, own, missing, one)
            if not meant and known.isdisjoint(each for value in one.values for each in (value, value * 100)):
                meant = self._meant(one, text, call, missing, turn)
                if not meant and len(missing) == len(own) and len(told) <= FEW and self._known(one, told, turn):
                    meant = {} if _follows(one, text, call, turn) else _whole(missing)
            if len(set(meant.values())) == 1 and not _reckoned(one, sentence_around(text, one.start, one.end)):
                path, value = next(iter(meant.items()))
                yield one, _name(path), value

    def _is_former(self, one: Figure, text: str) -> bool:
        begin = max(text.rfind("\n", 0, one.start), one.start - BESIDE, 0)
        return bool(self.former) and expression(self.former).search(text[begin : one.start]) is not None

    def _is_offered(self, one: Figure, text: str) -> bool:
        return expression(self.doubts).search(sentence_around(text, one.start, one.end)) is not None

    def _meant(self, one: Figure, text: str, call: Call, missing: dict[Path, float], turn: Turn) -> dict[Path, float]:
        """The amounts of a result for one of which an amount of the answer is meant."""
        before = {path: missing[path] for path, value in _before(call, turn) if path in missing and value in one.values}
        if before:
            return before
        line = line_at(text, one.start, len(text))
        derived = (
            REST.search(text)
            or SHARE.search(turn.asked)
            or not {*one.values}.isdisjoint(numbers([turn.everything()[:LONGEST]]))
        )
        if not derived and len(list(figures(line))) <= FEW and (own := _of_entry(call, missing, line)):
            return own
        for part in (_clause(text, one), sentence_around(text, one.start, one.end)):
            said = words(part)
            if named := {path: value for path, value in missing.items() if self._named(path, said)}:
                return named
        return {}

    def _named(self, path: Path, sentence: Sequence[str]) -> bool:
        """Whether a sentence has the words of a field that tell which amount it is."""
        every = words(_name(path))
        own = [word for word in every if word not in self.idle] or every
        return bool(own) and all(any(alike(word, one) for one in sentence) for word in own)

    def _known(self, one: Figure, told: Sequence[Figure], turn: Turn) -> bool:
        """Whether an amount is no reckoned one: a call or a result has it, or the answer has no other."""
        changes = [call for call in turn.landed_changes() if call.result_value is not None]
        shown = {amount for call in changes for _, amount in islice(amounts_of(call.result_value), MOST)}
        if not shown.isdisjoint(each for value in one.values for each in (value, value * 100)):
            return False  # another change's
        if len({other.values for other in told}) == 1:
            return True
        before = (f"{call.raw}\n{call.result_text}" for call in (*turn.calls, *islice(reversed(turn.earlier()), LOOKS)))
        return any(spelled(value, shown) for shown in before for value in one.values)


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


def _since(call: Call, turn: Turn) -> set[float]:
    """The numbers of the results from a call on and of other changes, and what the amounts of one name in each come to."""
    about = str(next(iter(call.arguments.values()), ""))
    before = (one for one in turn.landed_changes() if one.position < call.position)
    others = [one for one in before if about not in f"{one.raw}\n{one.result_text}"]
    since = [*others, *turn.calls[call.position :]]
    later = [other.result_value for other in since]
    known = pool(later, [other.result_text for other in since], []).known
    for value in later:
        of_name: dict[str, float] = defaultdict(float)
        for path, amount in islice(amounts_of(value), MOST):
            of_name[_name(path)] += amount
        known |= {round(amount, 2) for amount in of_name.values()}
    return known


def _clause(text: str, one: Figure) -> str:
    """The stretch of a sentence around an amount: "and a refund of $96.80"."""
    begin = max((cut.end() for cut in CUT.finditer(text, 0, one.start)), default=0)
    cut = CUT.search(text, one.end)
    return text[begin : cut.start() if cut else len(text)]


def _reckoned(one: Figure, line: str) -> bool:
    """Whether a sentence shows what an amount is reckoned from: "of your $280, $209 was used; $71 is left"."""
    others = {value for other in figures(line) for value in other.values} - set(one.values)
    pairs = combinations(others, 2) if len(others) <= MANY else ()
    return any(abs(value - each) < 0.005 for a, b in pairs for each in (a + b, abs(a - b)) for value in one.values)


def _follows(one: Figure, text: str, call: Call, turn: Turn) -> bool:
    """Whether an amount follows from those of the results since a change."""
    known = pool([other.result_value for other in turn.calls[call.position :]], [], [])
    amount = Amount(one.text, one.start, one.end, one.values, one.step, one.vague)
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
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    try:
        return float(value.replace(",", "").strip("$€£¥ ") if isinstance(value, str) else value)
    except ValueError:
        return None


def _name(path: Path) -> str:
    return " ".join(str(key) for key in path if isinstance(key, str))


def _asked(call: Call, own: dict[Path, float], missing: dict[Path, float], one: Figure) -> dict[Path, float]:
    """The amounts of a result that stand under the name by which the call was given an amount of the answer."""
    names = {words(_name(path))[-1:] for path, value in amounts_of(dict(call.arguments)) if value in one.values}
    named = {path: value for path, value in own.items() if words(_name(path))[-1:] in names}
    return (
        {}
        if any(value in one.values for value in named.values())
        else {path: missing[path] for path in named if path in missing}
    )


def _before(call: Call, turn: Turn) -> Iterator[tuple[Path, float]]:
    """The amounts of the last result before a call that is of the same record: one that its arguments name by an id."""
    ids = [one for one in call.arguments.values() if isinstance(one, str) and len(one) >= 3]
    for other in islice(turn.calls_before(call), LOOKS):
        if other.result_value is not None and any(one in other.result_text for one in ids):
            yield from amounts_of(other.result_value)
