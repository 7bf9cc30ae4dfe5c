"""Figures in an answer that stand nowhere and are a slip of one in a result: a digit, two swapped, a factor of ten."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product
from statistics import median
from typing import Any, ClassVar, NamedTuple

from proxy.amounts import DIGIT, NUMERALS, each_number, numbers
from proxy.audit import Finding
from proxy.claims import BY_LINE, Claim, compared_text
from proxy.fields import fields
from proxy.figures import DAY, ZONES, Figure, clocks, figures, sentence_around, slip, slipped, unquoted
from proxy.ledger import Call, Turn
from proxy.patterns import expression
from proxy.reckoning import MOST, Spelled, is_one, multipliers, pool_of, rates
from proxy.results import lists, objects, one_line, scalars
from proxy.spelling import is_in_a_longer
from proxy.sums import follows

CHANCE = 0.1
"""How likely a number may be so near to some known one by chance."""
SPAN = re.compile(
    r"(?i)(?<![\w.:])(\d{1,3}(?:\.\d)?|an?|one|two|three|four|five|half an)[\s-]?(hours?|hrs?|h|min(?:ute)?s?|std|stunden?)\b"
)
FIELD = re.compile(
    r"(?i)\"[^\"\n]{0,30}(?:min|hour|duration|length|eta|lead|prep|buffer)[^\"\n]{0,20}\"\s*:\s*\"?(\d{1,3})\b"
)
APART = re.compile(
    r"(?i)\b(?:before|after|earlier|later|ahead|arrive|leave|by|reminder|latest|roughly|around|about)\b|[~≈]"
)
"""By these, a time is one that the answer reckons."""
LENGTH = re.compile(r"(?i)\bhow (?:long|much (?:more )?time|many (?:hours|minutes))\b|\bH+:M+\b|\bduration\b")
"""By these a user asks for a length of time, which may be told as a time of day is."""
FROM = re.compile(r"(?i)\b(?:from|between|ab|von|desde|à partir de)[\s*_(]*$")
SUMS = re.compile(
    r"(?i)\b(?:total|sum|combined|altogether|overall|average|mean|median|together|zusammen|insgesamt|summe|gesamt|en tout|somme"
    r"|en conjunto|suma)|合[计計]|总|總|共|総|전체|합계|총"
)
"""By these, a number is one that the answer reckons from several."""
SOME = 40  # times of day in a conversation with which is reckoned; where there are more, nobody is accused
COMES_TO = re.compile(rf"{SUMS.pattern}|(?i:\b(?:sits?|stands?) (?:now )?at\b|\b(?:comes?|amounts?|adds? up) to\b)")
"""Words of a sentence that tells what all lines come to."""
ELSE = re.compile(
    r"(?i)\b(?:balance|sav(?:e[ds]?|ings?)|left|remain\w*|limit|budget|so far|year\w*|annual\w*|points|earned|paid|owed?"
    r"|deposit|refund\w*)\b"
)
PARTS = re.compile(r"[;:()]|,\s")
CENT = 0.01
"""Words of a part of a sentence by which a total is one of something else; and what it may be off by, several times over."""
AVERAGE = re.compile(r"(?i)\b(?:average|mean|durchschnitt\w*|mittelwert|moyenne|promedio)\b|平均|평균")
WEIGHED = re.compile(r"(?i)\"(?:weights?|credits?|ects|units|qty|quantity|factor|share)\"")
"""Names of fields by which an average may be weighed."""
COUNTED = re.compile(r"(?i)\"(?:qty|quantity|units?|count|pieces|nights|days|hours|persons|passengers|guests)\"")
"""Names of fields by which a line's price may be taken several times."""
FEW = 10
"""Numbers of a column of whose parts the means are taken."""
TRIED = 40
"""Figures of an answer that are compared."""
LONG = 10_000  # from here on a figure is long enough to be a slip of one of two
TOTALS = re.compile(
    r"(?i)(?:grand|order|invoice|quote|net|gross|overall)?_?(?:total|sum|amount_?total|total_?(?:amount|due|price|sum|balance))"
)
"""Names of fields that say what all comes to."""
LABELLED = re.compile(r"(?:[:|\uff1a–—]|\b(?:is|was|are|were)\b)[\s*_]*$")
"""Between a label and its value."""
LEAST, UNLIKELY = 3, 0.25
"""Numbers of a result that an answer tells beside the one of which another is a slip, which then need not be as unlikely."""
LONGEST = 100_000
"""Code points of results in which figures are looked for; what is longer is not accused."""


@dataclass(frozen=True, slots=True)
class Slips:
    """Compare numbers, amounts and times of day with those of the turn's results, in answers that only tell as well.

    Told is one that stands nowhere in the conversation and does not follow from it, where a result of the turn has one that
    differs by a digit, by two neighbours swapped or by a factor of ten, and the answer has it nowhere: so alike are two
    numbers hardly by chance, and the fewer the longer they are. So is a total where a result has another one under that name,
    or where it is a slip of a column's sum; and one that is not what those lines come to which the answer gives as a change's
    result has them. `doubts` is an expression for sentences that do not mean it so exactly,
    `proposals` one for words behind which an answer tells what is not yet.
    """

    doubts: str = ""
    proposals: str = ""

    reads: ClassVar[frozenset[str]] = frozenset({"text"})
    needs: ClassVar[frozenset[str]] = frozenset({"calls", "figures"})

    def compare(self, turn: Turn, claims: Sequence[Claim]) -> list[Finding]:
        text = compared_text(claims, BY_LINE)
        shown = [call for call in turn.calls if call.outcome == "landed" and call.result is not None]
        if not shown or sum(len(call.result_text) for call in shown) > LONGEST:
            return []
        if DIGIT.search(text) is None:
            return []
        text = unquoted(text)
        if self.proposals and (proposed := expression(self.proposals).search(text)) is not None:
            text = text[: proposed.start()]
        found = (*self._numbers(text, shown, turn), *self._times(text, shown, turn), *self._totals(text, shown, turn))
        return list({one.subject: one for one in found}.values())

    def _numbers(self, text: str, shown: Sequence[Call], turn: Turn) -> Iterator[Finding]:
        said = [one for one in figures(text) if one.values]
        everything = turn.everything()
        open_ = [one for one in said if max(one.values) and one.text not in everything]
        open_ = [one for one in open_ if not FROM.search(text, max(0, one.start - 20), one.start)]
        open_ = [one for one in open_ if not one.vague or (one.step > 1 and _exact(one))]
        spelled = Spelled(everything)
        open_ = [one for one in open_ if not any(spelled.has(value) for value in one.values)]
        stated = {value for one in said for value in one.values}
        there = list({values: (values, call) for values, call in _shown(shown)}.values()) if open_ else []
        left: list[Near] = []
        near = [found for one in open_[:TRIED] if (found := _near(one, there, stated)) is not None]
        near = near or _summed(open_[:TRIED], text, stated, shown) or _averaged(open_[:TRIED], text, stated, shown)
        near = near or _listed(open_[:TRIED], text, said, shown)
        near = near or (left := _left(open_, text, there))
        near = [one for one in near if not is_in_a_longer(text, one.said.start, everything)]
        near = [one for one in near if not self._doubted(sentence_around(text, one.said.start, one.said.end))]
        if not near or len(stated) > MOST or not turn.legible():
            return
        pool = pool_of((*turn.earlier(), *turn.calls), [turn.asked, *turn.spoken()])
        counts, shares = pool.counts | set(multipliers(text)), pool.rates | rates(text)
        if max(len(pool.known) // 4, len(pool.amounts)) > MOST:
            return
        plain = any(not one.said.priced for one in near)
        bare = {each for each in pool.known if spelled.has(each)} if plain else set[float]()  # those are no cents
        amounts = {
            True: _with(said, pool.known, pool.amounts),
            False: _with(said, bare, {each for each in bare if each >= 1}),
        }
        columns = _columns(turn.calls)
        for one in near:
            if is_one(one.value, one.said.step, pool.known if one.said.priced else bare):
                continue
            if any(abs(one.value - each) < one.said.step for each in columns):
                continue
            sentence = sentence_around(text, one.said.start, one.said.end)
            others, parts = amounts[one.said.priced] - {*one.said.values}, 4 if _tells(SUMS, sentence) else 2
            step, by = (0.0, set()) if left else (one.said.step, shares)
            if not follows(one.value, step, others, counts - {int(one.value)}, by, parts):
                reason = f"the result {one.has} {one.known:.10g}, and nothing in the conversation has or gives this"
                yield Finding("contradicted", one.said.text, reason, one_line(sentence, 200), one.call.id)

    def _totals(self, text: str, shown: Sequence[Call], turn: Turn) -> Iterator[Finding]:
        """A total that is not what the lines come to which the answer gives with it, just as the last change has them."""
        change = next((one for one in reversed(shown) if turn.nature(one) != "read"), None)
        if change is None or "%" in text or not COMES_TO.search(text) or COUNTED.search(change.result_text):
            return
        columns = [one for one in _lines(change) if LEAST <= len(set(one)) == len(one) <= FEW]
        if not columns:
            return
        said = [one for one in figures(text) if one.values]
        stated = {value for one in said for value in one.values}
        shows = set(numbers(call.result_text for call in shown))
        priced = {one.values[0] for one in said if one.priced}
        for column in (one for one in columns if stated.issuperset(one)):
            whole = round(sum(column), 2)
            tried = set(shows)
            for one in said if whole not in stated | shows else ():
                value, sentence = one.values[0], sentence_around(text, one.start, one.end)
                if value in tried or not _is_total(one, column, whole, sentence):
                    continue
                tried.add(value)
                if not _adds_up(value - whole, priced - {*column, value}):
                    reason = f"the lines of the result come to {whole:,.2f}"
                    yield Finding("contradicted", one.text, reason, one_line(sentence, 200), change.id)
                    return

    def _doubted(self, sentence: str) -> bool:
        return bool(self.doubts) and expression(self.doubts).search(sentence) is not None

    def _times(self, text: str, shown: Sequence[Call], turn: Turn) -> Iterator[Finding]:
        said = list(clocks(text))
        stated = {minute for _, _, minute in said}
        before = turn.everything() if said else ""
        said = [one for one in said if f"{one[2] // 60:02}:{one[2] % 60:02}" not in before]
        if not said:
            return
        everything = f"{before}\n{text}"
        known = {minute for _, _, minute in clocks(before)}
        open_ = [one for one in said if one[2] not in known and (one[2] + 720) % DAY not in known]
        there = {minute: call for call in shown for _, _, minute in clocks(call.result_text)}
        if not open_ or not there or len(known) > SOME or ZONES.search(everything) or not turn.legible():
            return
        apart = {abs(a - b) for a in known for b in known}
        spans = {one % DAY for one in _minutes(everything)} | apart
        reached = {(one + sign * by) % DAY for one in known for by in spans for sign in (1, -1)}
        reached |= {abs(a - b) for a in known | stated for b in known | stated} if LENGTH.search(turn.asked) else set()
        for start, end, minute in open_[:TRIED]:
            near = [one for one in there if one not in stated and _alike(minute, one)]
            sentence = sentence_around(text, start, end)
            if (
                len(near) != 1
                or minute in reached
                or (self.doubts and expression(self.doubts).search(sentence))
                or APART.search(sentence)
            ):
                continue
            reason = f"the result has {near[0] // 60:02}:{near[0] % 60:02}, and nothing in the conversation has or gives this"
            yield Finding("contradicted", text[start:end], reason, one_line(sentence, 200), there[near[0]].id)


def _alike(minute: int, other: int) -> bool:
    """Whether a time of day is a digit, or two neighbours, from another, on a clock of twenty-four hours or of twelve."""
    return any(_slips(_digits(minute % day), _digits(other % day)) for day in (DAY, DAY // 2))


def _slips(one: str, other: str) -> bool:
    apart = [at for at in range(4) if one[at] != other[at]]
    return len(apart) == 1 or (len(apart) == 2 and apart[1] == apart[0] + 1 and slipped(one, other) < 1)


def _digits(minute: int) -> str:
    return f"{minute // 60:02}{minute % 60:02}"


def _minutes(text: str) -> Iterator[int]:
    """The lengths of time that a text speaks of, in minutes."""
    for found in SPAN.finditer(text):
        number = float(found[1]) if found[1][0].isdigit() else NUMERALS.get(found[1].lower(), 1)
        yield round(number * (60 if found[2][0] in "hHs" else 1))
    for found in FIELD.finditer(text):
        yield from (int(found[1]), int(found[1]) * 60)


@lru_cache(maxsize=4)  # forty figures of one run-on sentence ask it
def _tells(words: re.Pattern[str], sentence: str) -> bool:
    return words.search(sentence) is not None


def _with(said: Sequence[Figure], known: set[float], amounts: set[float]) -> set[float]:
    """Amounts and those of an answer, each as it is known, where it is."""
    return amounts | {value for one in said for value in known.intersection(one.values) or one.values}


class Near(NamedTuple):
    """A figure, how it is read, and the number of a result of which it is a slip."""

    said: Figure
    value: float
    known: float
    call: Call
    has: str = "has"


def _shown(calls: Sequence[Call]) -> Iterator[tuple[frozenset[float], Call]]:
    """The numbers of results, each with the ways in which it can be read."""
    for call in calls:
        for text in _texts(call):
            for found in each_number(text) if any(map(str.isdigit, text)) else ():
                yield frozenset(map(abs, found)), call


def _near(one: Figure, there: Sequence[tuple[frozenset[float], Call]], stated: set[float]) -> Near | None:
    """The one number of the results of which a figure is a slip, hardly by chance."""
    found: list[tuple[float, Near]] = []
    alike: set[float] = set()
    most = max(one.values)
    for values, call in there:
        if not values & stated:
            alike |= {value for value in values if most / 10 < value < most * 10}
            found += [(slip(told, value), Near(one, told, value, call)) for told in one.values for value in values]
    found = [(chance, near) for chance, near in found if chance < CHANCE]
    several = len({max(near.known, near.value) for _, near in found})
    if not found or several > len(one.values) + (most >= LONG):
        return None
    chance, near = min(found, key=lambda each: (each[0], -each[1].value))
    return near if chance * max(len(alike), 1) < CHANCE else None


def _lines(call: Call) -> Iterator[list[float]]:
    """The columns of a result's lists that are all amounts: no numbers of lines or of what was given, nothing negative."""
    given = set(numbers([call.raw]))
    for _, entries in lists(call.result_value, TRIED):
        objects_ = [one for one in entries if isinstance(one, dict)]
        for name in objects_[0] if objects_ else ():
            column: list[Any] = [one.get(name) for one in objects_]
            if all(isinstance(one, (int, float)) and one > FEW for one in column) and not given.issuperset(column):
                yield [float(one) for one in column]


def _is_total(one: Figure, column: Sequence[float], whole: float, sentence: str) -> bool:
    """Whether a figure is told as what lines come to, each taken once: no balance, no yearly sum, nothing "for both"."""
    several = abs(one.values[0] / whole - round(one.values[0] / whole)) < CENT / whole
    if several or not one.priced or one.vague or one.values[0] <= max(column):
        return False
    part = next((each for each in PARTS.split(sentence) if one.text in each), sentence)
    return COMES_TO.search(sentence) is not None and ELSE.search(part) is None


def _adds_up(apart: float, beside: set[float]) -> bool:
    """Whether what a total is off by is an amount that is told beside its lines, or some of them: shipping, a discount."""
    some = sorted(one for one in beside if one > 0)
    return len(some) > FEW or any(
        abs(sum(signs) - apart) < 0.01
        for count in (1, 2, 3)
        for parts in combinations(some, count)
        for signs in product(*((-one, one) for one in parts))
    )


def _exact(one: Figure) -> bool:
    """Whether a figure has so many digits that it is no estimate, whatever stands before it."""
    return len(f"{max(one.values):.10g}".replace(".", "").rstrip("0")) > 3


def _summed(open_: Sequence[Figure], text: str, stated: set[float], calls: Sequence[Call]) -> list[Near]:
    """Totals where the one total of the results is another one, or of which that of a column is a slip."""
    open_ = [one for one in open_ if _tells(SUMS, sentence_around(text, one.start, one.end))]
    if not open_:
        return []
    found = []
    for call in calls:
        columns = _fields(call)
        totals = {
            one[0] for name, one in columns.items() if len(one) == 1 and TOTALS.fullmatch(name.rsplit(" ", 1)[-1])
        }
        sums = {round(sum(one), 2) for one in columns.values() if len(one) > 1}
        sums |= {one / 100 for one in sums | totals if one >= 100 and one.is_integer()}
        for one in open_:
            for value in one.values if sums.isdisjoint(one.values) else ():
                slips = [each for each in sums if slip(value, each) < CHANCE / 10 and each not in stated]
                other = [each for each in totals if each not in stated and value / 3 < each < value * 3]
                if len(slips) == 1 or (len(totals) == 1 and other and one.priced):
                    found.append(Near(one, value, (slips or other)[0], call, "comes to" if slips else "has"))
    return found


def _listed(open_: Sequence[Figure], text: str, said: Sequence[Figure], calls: Sequence[Call]) -> list[Near]:
    """A total of which what the amounts before it come to, all of which are known, is a slip."""
    found = []
    for one in open_ if len(open_) == 1 else ():
        before = [each.values[0] for each in said if each.priced and each.start < one.start]
        whole = round(sum(before), 2)
        if LEAST <= len(set(before)) == len(before) <= FEW and _tells(SUMS, sentence_around(text, one.start, one.end)):
            found += [
                Near(one, each, whole, calls[-1], "lines come to")
                for each in one.values
                if slip(each, whole) < CHANCE / 10
            ]
    return found[:1]


def _averaged(open_: Sequence[Figure], text: str, stated: set[float], calls: Sequence[Call]) -> list[Near]:
    """Averages of one column that the answer tells whole, which are the mean of none of its parts; nothing weighs it."""
    open_ = [one for one in open_ if _tells(AVERAGE, sentence_around(text, one.start, one.end))]
    found = []
    for call in calls if open_ else ():
        columns = {name: numbers for name, numbers in _fields(call, plain=True).items() if len(set(numbers)) > 1}
        if len(columns) != 1 or WEIGHED.search(call.result_text):
            continue
        numbers = next(iter(columns.values()))
        if not 2 < len(numbers) <= FEW or not stated.issuperset(numbers):
            continue
        means = {
            value
            for count in range(2, len(numbers) + 1)
            for some in combinations(numbers, count)
            for value in (sum(some) / count, median(some))
        }
        found += [
            Near(one, value, round(sum(numbers) / len(numbers), 2), call, "has a mean of")
            for one in open_
            for value in one.values
            if min(numbers) < value < max(numbers) and not any(abs(value - each) <= one.step for each in means)
        ]
    return found


def _fields(call: Call, *, plain: bool = False) -> dict[str, list[float]]:
    """The numbers of a result by the names of their fields, without those that are texts where they are to be plain."""
    columns: dict[str, list[float]] = defaultdict(list)
    for field in fields(call.result) if call.result is not None else ():
        alone = len(field.value) <= 30 and not any(map(str.isalpha, field.value)) and not (plain and field.quoted)
        numbers = [abs(one[0]) for one in each_number(field.value) if one] if alone else []
        columns[field.name] += numbers if len(numbers) == 1 else []
    return columns


def _left(open_: Sequence[Figure], text: str, there: Sequence[tuple[frozenset[float], Call]]) -> list[Near]:
    """The one figure that is not known, with the one number of the results that the answer does not tell."""
    if len(open_) != 1 or len(there) <= LEAST:
        return []
    one = open_[0]
    told = sorted({value for found in each_number(text) for value in found})
    left = [(values, call) for values, call in there if not any(_rounded(each, told) for each in values)]
    if len(left) != 1 or not LABELLED.search(text, max(0, one.start - 12), one.start):
        return []
    found = [Near(one, a, b, left[0][1]) for a in one.values for b in left[0][0] if slip(a, b) < UNLIKELY]
    return found[:1]


def _rounded(known: float, told: Sequence[float]) -> bool:
    """Whether one of some numbers, in order, may tell another: rounded, in cents, or as a share of a hundred."""
    for by in (1, 100, 0.01):
        slack = max(0.006 * known * by, 1e-9)
        at = bisect_left(told, known * by - slack)
        if at < len(told) and told[at] <= known * by + slack:
            return True
    return False


def _columns(calls: Sequence[Call]) -> set[float]:
    """Sums and means of what the entries of lists have under one name, and of lists of numbers."""
    found: set[float] = set()
    for call in calls:
        columns: dict[str, list[float]] = defaultdict(list)
        for one in objects(call.result_value):
            for name, value in one.items():
                each = value if isinstance(value, list) else [value]
                columns[name] += [one for one in each if isinstance(one, (int, float)) and not isinstance(one, bool)]
        for column in columns.values():
            found |= {sum(column), sum(column) / len(column), median(column)} if len(column) > 1 else set()
    return found


def _texts(call: Call) -> Iterator[str]:
    """The texts of a result in which numbers stand: its plain values, or its lines."""
    if call.result_value is None:
        yield from call.result_text.splitlines()
    else:
        yield from (text for _, text in scalars(call.result_value, depth=8))
