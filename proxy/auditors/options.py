"""What an answer says of a thing that it names by its number, and that the results have of another one: its color."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, ClassVar

from proxy.audit import Finding
from proxy.claims import BY_LINE, Claim, compared_text
from proxy.figures import unfenced
from proxy.ledger import Call, Turn
from proxy.patterns import Names, expression
from proxy.results import Result, has_word, objects, one_line

NUMBER = re.compile(r"(?<![\w$€£.,/-])#?(?=(?:[\w-]*\d){4})([A-Za-z]{0,4}[-_]?\d[\w-]{3,20})(?![\w@/]|[.,]\d)")
"""A number by which a thing is named."""
PRICE = re.compile(r"[$€£] ?(\d{1,3}(?:,\d{3})*\.\d\d)(?!\d)")
CLAUSE = re.compile(r"(?:[^,;.\n]|[,;.](?!\s))+")
ENDS = re.compile(r"\W*$|\s*[,;.)(|–—]|\s+(?:ones?|version|variant|option|model|is|item)\b")
"""What follows on a value that is said of the thing itself."""
SAID = re.compile(r"(?i)[a-z][\w .'/+-]{1,38}|\d[\w .'/+-]{1,20}[a-z\"”]")
"""A value that somebody may say of a thing: words, or a measure with its unit."""
TELLS = Names(r"(?i)status|state|stage|phase|priority|severity|resolution|summary|title|subject|name|descri|note")
"""Names of what is no option: how a thing stands, and what is written about it."""
LINES, LOOKS, THINGS = 80, 20, 200
"""Lines of an answer, calls, and objects of a result that are looked into."""
LONGEST = 40_000
"""Code points of a result that is looked into."""
FEW = 6
"""Different values under one name, up to which they are a choice, and not names of things."""

Thing = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Options:
    """Compare the lines and clauses of an answer that name one thing with what the results have of it.

    A thing is an object of a result with that number, or price, which no other object beside it has, and with an object of
    its own for its options; beside it are those that have the same fields. Told is a value that only others have under
    a name, in a line that has not the thing's own. Silent where a change was about the thing after the look. `doubts` is an
    expression for lines that compare, tell of two things, or of a change from one to another.
    """

    doubts: str = ""

    reads: ClassVar[frozenset[str]] = frozenset({"text"})
    needs: ClassVar[frozenset[str]] = frozenset({"figures"})

    def compare(self, turn: Turn, claims: Sequence[Claim]) -> list[Finding]:
        text = unfenced(compared_text(claims, BY_LINE))
        for line in islice(text.splitlines(), LINES):
            for part in _parts(line):
                finding = None if self._doubted(part) else self._against(part, turn)
                if finding is not None and turn.legible():
                    return [finding]
        return []

    def _doubted(self, part: str) -> bool:
        return bool(self.doubts) and expression(self.doubts).search(part) is not None

    def _against(self, part: str, turn: Turn) -> Finding | None:
        """The verdict on a line or clause about one thing."""
        numbers = {found[1] for found in NUMBER.finditer(part)}
        prices = {found[1].replace(",", "") for found in PRICE.finditer(part) if part[: found.start()].endswith("(")}
        if len(numbers) > 1 or (not numbers and len(prices) != 1):
            return None
        name = (numbers or prices).pop()
        for call in islice((*reversed(turn.calls), *reversed(turn.earlier())), LOOKS):
            if name not in call.result_text or len(call.result_text) > LONGEST:
                if name in call.raw and turn.nature(call) != "read":
                    return None  # it may have been changed since
                continue
            if turn.nature(call) != "read":
                return None
            mine, others = _thing(name, call)
            if mine is None:
                return None
            told = _told(part, mine, others, name)
            return None if told is None else _finding(told, mine, name, part, call)
        return None


def _parts(line: str) -> Iterator[str]:
    """A line that names one thing, or those of its clauses that do."""
    if len({found[1] for found in NUMBER.finditer(line)}) == 1 and len(PRICE.findall(line)) < 2:
        yield line
    yield from (
        found.group() for found in CLAUSE.finditer(line) if NUMBER.search(found.group()) or PRICE.search(found.group())
    )


def _thing(name: str, call: Call) -> tuple[Thing | None, list[Thing]]:
    """The one object of a result that goes by a number or a price, and those that have the same fields."""
    things = call.result.once(_things) if call.result is not None else []
    own = [one for one in things if any(_is(value, name) for value in one.values())]
    if len(own) != 1:
        return None, []
    mine = _options(own[0])
    if not mine:
        return None, []
    alike = (one for one in things if one is not own[0] and one.keys() == own[0].keys())
    return mine, [other for one in alike if (other := _options(one)).keys() == mine.keys()]


def _things(result: Result) -> list[Mapping[str, Any]]:
    return list(islice(objects(result.value, 6), THINGS))


def _options(value: Mapping[str, Any]) -> Thing:
    """What sets a variant apart from others, which it holds in an object of its own; in a flat one, words tell too much."""
    held = (inner for inner in value.values() if isinstance(inner, dict))
    return {
        name: told for inner in held for name, told in inner.items() if isinstance(told, str) and not TELLS.search(name)
    }


def _is(value: Any, name: str) -> bool:
    return isinstance(value, (str, int, float)) and str(value).lstrip("#") == name


def _told(part: str, mine: Thing, others: Sequence[Thing], name: str) -> tuple[str, str] | None:
    """The name of a field and the value of it that a line has, and that only others have."""
    own = {value.casefold() for value in mine.values()}
    for field, value in mine.items():
        choice = {one[field] for one in others if field in one} | {value}
        if not SAID.fullmatch(value) or len(choice) > FEW or not all(map(SAID.fullmatch, choice)) or _has(part, value):
            continue
        for other in choice - {value}:
            related = other.casefold() in value.casefold() or value.casefold() in other.casefold()
            if not related and other.casefold() not in own and other != name and _is_said(other, part, own):
                return field, other
    return None


def _is_said(value: str, part: str, own: Collection[str]) -> bool:
    """Whether a part says a value of the thing itself: "the steel one", "(steel, 750 ml)"; no "steel bowl"."""
    if not _has(part, value):
        return False
    low = part.casefold()
    for found in re.finditer(re.escape(value.casefold()), low):
        rest = low[found.end() :]
        while mine := next((one for one in own if one and rest.lstrip().startswith(one)), ""):
            rest = rest.lstrip()[len(mine) :]  # "stainless steel black"
        if ENDS.match(rest):
            return True
    return False


def _has(part: str, value: str) -> bool:
    return has_word(part.casefold(), value.casefold())


def _finding(told: tuple[str, str], mine: Thing, name: str, part: str, call: Call) -> Finding:
    field, value = told
    reason = f"the result has {one_line(mine[field], 60)} as {field} of {name}"
    return Finding("contradicted", value, reason, one_line(part, 200), call.id)
