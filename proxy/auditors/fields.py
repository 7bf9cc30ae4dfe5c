"""What an answer tells of a thing by a label or a unit must be what the one field of a result has that the label means."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence, Set
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations, permutations
from typing import ClassVar

from proxy.amounts import DIGIT, numbers
from proxy.audit import Finding
from proxy.claims import BY_LINE, Claim, compared_text
from proxy.fields import PIECES, Field, alike, by_words, fields, means, words
from proxy.figures import figures, unquoted
from proxy.labels import MEASURE, Told, labelled, measured, spoken, tabled
from proxy.ledger import Call, Turn
from proxy.patterns import expression
from proxy.results import has_word, one_line, scalars

CODE = re.compile(r"(?=[\w./-]*\d)(?=[\w./-]*[A-Za-z])[\w./-]{2,24}", re.A)
NAMES = frozenset({"name", "title", "id"})
UNITED = re.compile(r"(?<![\w.,])\d{1,12}(?:\.\d{1,6})?(?=[A-Za-z]{1,3}\b)")
FRACTION = re.compile(r"\d[.,](\d{1,2})(?!\d)")
CENTS = re.compile(r"\d[.,]\d\d$")
"""An amount that is told to the cent is not rounded."""
TIMES = (1.0, 100.0, 1000.0, 1024.0, 60.0, 3600.0, 12.0, 1e6)
"""What one unit of something is of another."""
FEW = 60
"""Numbers in a conversation among which one that stands nowhere says something."""
MOST = 120
"""Values of an answer that are compared."""
APART = 10_000
"""From the number of a thing of one call to that of another's."""
LONGEST = 20_000
"""Code points of results in which fields are looked for; what is longer is not accused."""


@dataclass(frozen=True, slots=True)
class Fields:
    """Compare labelled values ("Deductible: $250", a cell of a table, "seat 14A", "50 GB") with the fields of the results.

    Told is one where the results of the turn have just one value for what the label means, of the thing that the line or row
    names or of all, and it is another one that the answer has nowhere. The value told must stand nowhere, be no sum or
    difference; of a named thing it may be what another has in the same field. Where a label is the very name of one field in
    the result of the last change, standing elsewhere excuses no other number. What is told to be on or off must be so since
    the last change. `doubts` is an expression for lines that do not mean it so exactly, `qualified` one for those that tell
    a part or another sum than the field's; `on` and `off` are those for values that say so; `idle` are words of a
    field's name that only say that it is on, `negates` those by which "yes" means that it is off, and `denies` is an
    expression for lines that take back what another has told.
    """

    doubts: str = ""
    qualified: str = ""
    on: str = ""
    off: str = ""
    idle: tuple[str, ...] = ()
    negates: tuple[str, ...] = ()
    denies: str = ""

    reads: ClassVar[frozenset[str]] = frozenset({"text"})
    needs: ClassVar[frozenset[str]] = frozenset({"calls"})

    def compare(self, turn: Turn, claims: Sequence[Claim]) -> list[Finding]:
        text = compared_text(claims, BY_LINE)
        if not turn.calls or not text or any(call.outcome == "unknown" for call in turn.calls):
            return []
        text = unquoted(text)
        said = [*labelled(text), *tabled(text), *measured(text), *spoken(text)]
        lines = {one.line for one in said}
        doubted = {one for one in lines if self.doubts and expression(self.doubts).search(one)}
        said = [one for one in said if one.line not in doubted]
        if not said or not turn.legible():
            return []
        known, findings = _Known(turn, text, self, said[:MOST]), dict[str, Finding]()
        for one in said[:MOST]:
            found = known.against(one)
            if found is not None:
                reason = f"the result has {one_line(found.value, 60)} as its {one_line(found.name, 60)}"
                call = known.calls[found.call]
                subject = one.value if known.truth(one.value) is None else f"{found.name.split(' ')[-1]}: {one.value}"
                findings.setdefault(subject, Finding("contradicted", subject, reason, one_line(one.line, 200), call.id))
        return list(findings.values())


class _Known:
    """The fields of a turn's results, by thing."""

    def __init__(self, turn: Turn, text: str, rule: Fields, told: Sequence[Told]) -> None:
        self._turn, self._said, self._rule, self._told = turn, text, rule, told
        self._text = text.casefold()
        self.calls = _shown(turn)

    @cached_property
    def fields(self) -> list[Field]:
        told = ((at, call.result) for at, call in enumerate(self.calls) if call.result is not None)
        return [one for at, result in told for one in fields(result, at * APART, at)]

    @cached_property
    def _groups(self) -> dict[tuple[str, ...], list[tuple[int, Sequence[Field]]]]:
        """The fields by their names, those of each call as its result has them."""
        found: dict[tuple[str, ...], list[tuple[int, Sequence[Field]]]] = defaultdict(list)
        for at, call in enumerate(self.calls):
            for name, own in by_words(call.result).items() if call.result is not None else ():
                found[name].append((at, own))
        return found

    def _named_so(self, name: tuple[str, ...]) -> list[Field]:
        """The fields of a name."""
        return [one.moved(at * APART, at) for at, own in self._groups[name] for one in own]

    def _meant(self, label: tuple[str, ...]) -> list[tuple[str, ...]]:
        """The names that a label means; alike words begin alike."""
        starts = {word[:4] for word in label}
        return [name for name in self._groups if name and name[-1][:4] in starts and means(label, name)]

    def _called_so(self, label: tuple[str, ...]) -> list[Field]:
        """The fields whose own name, without those of the objects around it, is a label."""
        names = [name for name in self._groups if name[-len(label) :] == label]
        if not names:
            return []
        found = self._named_so(names[0]) if len(names) == 1 else [one for one in self.fields if one.words in names]
        return [one for one in found if words(one.name.split(" ")[-1]) == label]

    @cached_property
    def _given(self) -> str:
        return "\n".join((self._turn.asked, *(call.raw for call in self._turn.calls))).casefold()

    @cached_property
    def _given_numbers(self) -> set[float]:
        return {abs(value) for value in numbers([self._given])}

    @cached_property
    def _numbers(self) -> set[float]:
        """The numbers of the whole conversation, those with a unit right behind them as well: 61.08GB."""
        return {abs(one) for one in numbers([self._turn.everything()])} | set(
            map(float, UNITED.findall(self._turn.everything()))
        )

    @cached_property
    def _stated(self) -> set[float]:
        return {value for one in figures(self._said) for value in one.values}

    @cached_property
    def _small(self) -> set[float]:
        """Small numbers of the conversation and the answer: by two of them a recipe for four becomes one for six."""
        return {one for one in self._numbers | self._stated if 1 < one <= 24 and one.is_integer()}

    @cached_property
    def _words(self) -> str:
        return "\n".join(call.result.text for call in self.calls if call.result is not None).casefold()

    @cached_property
    def _names(self) -> dict[str, set[int]]:
        """Names of things that the answer has: what fields called so have, and those in which all things of a list differ."""
        found: dict[str, set[int]] = defaultdict(set)
        for name, groups in self._groups.items():
            if not any(self._may_name(one) for _, own in groups for one in own):
                continue
            column = [one for one in self._named_so(name) if _is_name(one)]
            values = {one.value for one in column}
            if (name and name[-1] in NAMES) or not name or (len(column) > 1 and len(values) == len(column)):
                for one in column:
                    found[one.value.casefold()].add(one.thing)
        return found

    def _may_name(self, one: Field) -> bool:
        """Whether the answer has the words of a name, which a value may part."""
        return _is_name(one) and all(word in self._text for word in one.value.casefold().split())

    def against(self, one: Told) -> Field | None:
        """The field that says otherwise than an answer does."""
        if one.label and not any(word[:4] in self._words for word in one.label):
            return None
        if (on := self.truth(one.value)) is not None:
            return self._switched(one, on)
        if found := self._exact(one) or self._sibling(one):
            return found
        names = list(self._groups) if one.unit else self._meant(one.label)
        about = [field for name in names for field in self._named_so(name)]
        about = [field for field in about if not one.unit or _measures(one, field)]
        if not about or all(_alike(one, field) for field in about):
            return None
        things = self._things(one)
        if len(things) > 1 or (one.name and not things) or not (things or _speaks(one, about[0])):
            return None
        fitting = [field for field in about if not things or field.thing in things]
        if len({field.value for field in fitting}) != 1:
            return None
        field = fitting[0]
        if _numbers(one.value):
            others = about if things and not self._changed(field) else []
            return field if self._otherwise(one, field, others, bool(things)) else None
        return field if one.label and not self._changed(field) and self._another(one, field) else None

    @cached_property
    def _since(self) -> int:
        """The call since which nothing was changed: the turn's last change, or its first look."""
        changes, own = self._turn.landed_changes(), self._turn.calls
        return next((at for at, call in enumerate(self.calls) if changes and call is changes[-1]), len(own) - 1)

    @cached_property
    def _latest(self) -> list[Field]:
        """What results have since the last change; the newest calls come first."""
        return [field for field in self.fields if field.call <= self._since]

    def truth(self, value: str) -> bool | None:
        """Whether a value says that something is on, or off; None where it says neither."""
        if self._rule.on and re.fullmatch(self._rule.on, value.strip()):
            return True
        return False if self._rule.off and re.fullmatch(self._rule.off, value.strip()) else None

    def _switched(self, one: Told, on: bool) -> Field | None:
        """The field by which what is told to be on is off, or the other way about, by all that was seen since a change."""
        names = [name for name in self._groups if _switches(one.label, name, self._rule.idle)]
        things = self._things(one) if names else set()
        if not names or len(things) > 1 or (one.name and not things) or self._denied(one):
            return None
        named = [field for name in names for field in self._named_so(name) if field.call <= self._since]
        named = [field for field in named if not things or field.thing in things]
        extra = {word for word in one.label if named and not any(alike(word, own) for own in named[0].words)}
        if (
            extra & {word for field in self._latest for word in field.words}
            or len({field.words for field in named}) != 1
        ):
            return None
        before = [field for field in self._named_so(named[0].words) if field.call > self._since]
        if any(self.truth(field.value) is on for field in before):
            return None  # it may be told of another thing
        off = all(self.truth(field.value) is (not on) for field in named)
        return (
            named[-1]
            if off and self._negated(one.line.replace(one.value, " ")) == self._negated(named[0].name)
            else None
        )

    def _negated(self, text: str) -> bool:
        return any(piece.lower() in self._rule.negates for piece in PIECES.findall(text))

    def _denied(self, one: Told) -> bool:
        """Whether another line of the answer speaks of it with a word that denies."""
        lines = (line for line in self._said.splitlines() if one.line not in line)
        denies = self._rule.denies
        return bool(denies) and any(
            one.label[-1][:5] in line.casefold() and expression(denies).search(line) for line in lines
        )

    def _exact(self, one: Told) -> Field | None:
        """The one field of the last change's result whose very name a label is, where it has another number."""
        changes, told = self._turn.landed_changes(), _numbers(one.value)
        if not changes or not one.label or one.name or not told:
            return None
        called = self._called_so(one.label)
        named = [field for field in called if field.call <= self._since]
        if len({field.value for field in named}) != 1 or named[0].call != self._since:
            return None
        labelled = {value for other in self._told if other.label == one.label for value in _numbers(other.value)}
        has, given = _numbers(named[0].value), list(scalars(dict(changes[-1].arguments)))
        others = [field for field in called if field.call != self._since]
        if not has or labelled != told or any(told & _numbers(field.value) for field in others):
            return None  # it may be told of another thing
        cents = CENTS.search(one.value) is not None
        if any(
            (abs(a - b) < 0.01 if cents else _same(a, b)) or a == 100 * b or b == 100 * a for a in told for b in has
        ):
            return None
        if has & (self._stated | _reckoned(self._stated, set())):
            return None
        if self._rule.qualified and re.search(self._rule.qualified, one.line):
            return None
        own = {value for name, text in given if words(name) == one.label for value in _numbers(text)}
        if len(one.label) == 1:  # "amount" may be any of them
            own |= {value for field in self._latest for value in _numbers(field.value)}
            own |= {value for _, text in given for value in _numbers(text)}
        return None if told & own or not self._follows(told, has) else named[0]

    def _sibling(self, one: Told) -> Field | None:
        """The field whose very name a label is, where another has the number told whose name differs in one word: p95, p90."""
        if not one.label or (len(one.label) < 2 and not any(map(str.isdigit, one.label[0]))):
            return None
        named = [field for field in self._called_so(one.label) if field.call <= self._since and _numbers(field.value)]
        found = list(figures(one.value)) if named else []
        told = set(found[0].values) if len(found) == 1 else set()
        if not told or any(_same(a, b) for field in named for a in told for b in _numbers(field.value)):
            return None
        if any(_numbers(field.value) & self._stated for field in named) or told & set(numbers([self._given])):
            return None
        things = {field.thing for field in named}
        holding = [field for field in self._latest if told & _numbers(field.value)]
        for field in holding:
            own = words(field.name.split(" ")[-1])
            if (
                field.thing not in things
                or len(own) != len(one.label)
                or sum(a != b for a, b in zip(own, one.label, strict=True)) != 1
            ):
                return None
        return next((field for field in named if holding and field.thing == holding[0].thing), None)

    def _follows(self, told: Set[float], has: Set[float]) -> bool:
        """Whether a number that is told stands in the conversation, or is a sum of its numbers: in no other currency."""
        own = {value for field in self._latest for value in _numbers(field.value)}
        return bool(told & (self._numbers | _reckoned(own, has)))

    def _changed(self, field: Field) -> bool:
        """Whether something was changed after a field was read."""
        return any(self._turn.nature(call) != "read" for call in self.calls[: field.call])

    def _things(self, one: Told) -> set[int]:
        """The things that a line names beside the value, by the row's first cell or by standing in it."""
        if one.name:
            return self._names.get(one.name.casefold(), set())
        line = one.line.replace(one.value, " ").casefold()
        return {thing for name, things in self._names.items() if has_word(line, name) for thing in things}

    def _otherwise(self, one: Told, field: Field, others: Sequence[Field], named: bool) -> bool:
        """Whether a number is none that the field can be told by."""
        told, has = _numbers(one.value), _numbers(field.value)
        if not has or any(_same(a, b) for a in told for b in has) or has & self._stated:
            return False
        own = {value for other in self.fields if other.thing == field.thing for value in _numbers(other.value)}
        given = self._given_numbers
        if any(_same(a, b) for a in told for b in own | given) or told & _reckoned(own | given, has):
            return False
        if told & self._numbers:  # what another thing has in the same field is told of this one
            return any(told & _numbers(other.value) for other in others)
        if (step := _step(one.value)) < 1 and any(abs(a - b) < step for a in told for b in self._numbers):
            return False  # "61.1 GB" of 61.08GB
        stated = self._stated - told
        if told & _reckoned(own | given | stated, has) or any(_scaled(a, b, stated | given) for a in told for b in has):
            return False
        shares = {round(a / b, 4) for a, b in permutations(self._small - told - has, 2)}
        if any(round(a / b, 4) in shares for a in told for b in has if b):
            return False
        few = len(self._numbers) <= FEW
        return (few or named) and not (few and told & _reckoned(self._numbers, has))

    def _another(self, one: Told, field: Field) -> bool:
        """Whether a text is a code that stands nowhere, or what another thing has in the place of the field's own."""
        told, has = one.value.casefold(), field.value.casefold()
        if told in self._given or told in has or has in told or has in self._text or _numbers(field.value):
            return False
        if CODE.fullmatch(told) and CODE.fullmatch(has):
            return told not in self._turn.everything().casefold()
        columns = ({other.value.casefold() for _, own in groups for other in own} for groups in self._groups.values())
        return any(has in column and told in column for column in columns)


def _shown(turn: Turn) -> list[Call]:
    """The calls whose results are read: those of the turn, and earlier ones as far back as there is room."""
    left, shown = LONGEST, []
    for call in reversed((*turn.earlier(), *turn.calls)):
        left -= len(call.result.text) if call.result is not None else 0
        if left < 0:
            break
        shown += [call] if call.outcome == "landed" else []
    return shown


def _switches(label: Sequence[str], name: Sequence[str], idle: Sequence[str]) -> bool:
    """Whether a label means a field that is on or off: "Roaming" `roaming_enabled`, "Travel insurance" `insurance`."""
    name = [word for word in name if word not in idle] or name
    if not name or not any(alike(word, name[-1]) for word in label):
        return False
    whole = all(any(alike(word, own) for own in label) for word in name) and alike(label[-1], name[-1])
    return whole or all(any(alike(word, own) for own in name) for word in label)


def _measures(one: Told, field: Field) -> bool:
    """Whether a field has a unit, in its value or at the end of its name."""
    measured = MEASURE.fullmatch(field.value)
    return measured[2].lower() == one.unit if measured else bool(field.words) and field.words[-1] == one.unit


def _speaks(one: Told, field: Field) -> bool:
    """Whether a line with a unit speaks of the field, too."""
    own = words(one.line)
    return not one.unit or any(alike(word, other) for word in own for other in field.words if other != one.unit)


def _alike(one: Told, field: Field) -> bool:
    """Whether a field has the value told."""
    told, has = one.value.casefold(), field.value.casefold()
    return told == has or bool(_numbers(one.value) & _numbers(field.value))


def _is_name(one: Field) -> bool:
    return one.quoted and 3 <= len(one.value) <= 60 and not _numbers(one.value)


def _numbers(value: str) -> frozenset[float]:
    """What a value that is one number, one amount or one measure can mean; empty where it is none."""
    return _known_numbers(value) if len(value) <= 30 and DIGIT.search(value) else frozenset()


@lru_cache(maxsize=4_096)
def _known_numbers(value: str) -> frozenset[float]:
    if measured := MEASURE.fullmatch(value):
        return frozenset(abs(one) for one in numbers([measured[1]]))
    plain = value.strip().lstrip("-−+")
    found = list(figures(plain))
    return frozenset(found[0].values if len(found) == 1 and len(found[0].text) == len(plain) else ())


def _step(value: str) -> float:
    """The least that a value as it is told tells apart."""
    return 10.0 ** -len(found[1]) if (found := FRACTION.search(value)) else 1.0


def _reckoned(known: Set[float], has: Set[float]) -> set[float]:
    """Sums and differences of two numbers, and multiples of a field's."""
    pairs = (
        {abs(a + sign * b) for a, b in combinations(known, 2) for sign in (1, -1)} if len(known) <= 2 * FEW else set()
    )
    times = {a * b for a in has for b in known if b <= 400 and b.is_integer()}
    return {round(one, 2) for one in pairs | times}


def _scaled(told: float, has: float, by: Set[float]) -> bool:
    """Whether a number is a share of another, or has one put on or taken off, rounded."""
    near = max(0.003 * told, 0.006)
    return any(abs(told - has * times) <= near for one in by for times in (one / 100, 1 + one / 100, 1 - one / 100))


def _same(told: float, has: float) -> bool:
    """Whether two numbers are one in some unit, or rounded."""
    low, high = sorted((abs(told), abs(has)))
    return any(abs(low * times - high) <= max(0.006 * high, 0.005) for times in TIMES) or told == round(has)
