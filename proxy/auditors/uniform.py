"""What an answer says that all of a list are, every row of the last result must be: "all six pods are running"."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, ClassVar

from proxy.amounts import NUMERALS
from proxy.audit import Finding
from proxy.claims import BY_LINE, Claim, compared_text
from proxy.figures import sentence_around, unquoted
from proxy.ledger import Call, Turn
from proxy.patterns import expression
from proxy.results import objects, one_line
from proxy.roots import TOKEN, name_roots, root

WORD = re.compile(r"[A-Za-z][A-Za-z _-]{2,24}")
"""What may be a state: a word or two, no number."""
ROWS = 500
LINES = 2_000
KINDS = 5
"""States that a column may have; one with more of them holds names."""
MOST = 20


@dataclass(frozen=True, slots=True)
class Uniform:
    """Compare "all six pods are running" with the rows of the turn's last result: a JSON list, or a table in text.

    Told is one where a column has that very word in a row and another word in another, the rows are as many as the answer
    says or are called what it calls them, and the answer has not the other word. `whole` is an expression with the groups
    `count`, `noun` and `state`; `doubts` is one for sentences that do not mean it so, `settled` one for states that are as
    good as any, `gone` one for those of things of the past, of which "all" need not speak where it gives no number. `tally`
    is one, with the groups `count` and `state`, for "6/6 pods ready": a number of the result is called so and is lower.
    """

    whole: str = r"(?!)"
    doubts: str = r"(?!)"
    settled: str = r"(?!)"
    gone: str = r"(?!)"
    tally: str = r"(?!)"

    reads: ClassVar[frozenset[str]] = frozenset({"action", "text"})
    needs: ClassVar[frozenset[str]] = frozenset({"calls"})

    def compare(self, turn: Turn, claims: Sequence[Claim]) -> list[Finding]:
        text = unquoted(compared_text(claims, BY_LINE)) if turn.calls else ""
        if text and (short := self._short(text, turn.calls[-1])) is not None:
            return [short]
        said = list(islice(expression(self.whole).finditer(text), MOST)) if text else []
        last = turn.calls[-1] if said else None  # what comes behind a table may have changed what it shows
        if last is None or last.outcome != "landed" or any(claim.stance == "denied" for claim in claims):
            return []
        tables = list(_tables(last))
        for found in said:
            line = sentence_around(text, *found.span())
            if expression(self.doubts).search(line):
                continue
            for table in tables:
                other = self._otherwise(found, table, text, turn)
                if other:
                    return [Finding("contradicted", one_line(found.group(), 80), other, one_line(line, 200), last.id)]
        return []

    def _short(self, text: str, last: Call) -> Finding | None:
        """A tally of all of them, where the turn's last result has a lower number that is called by the same state."""
        for found in islice(expression(self.tally).finditer(text), MOST):
            if last.outcome != "landed" or expression(self.doubts).search(sentence_around(text, *found.span())):
                continue
            count, state = int(found["count"]), root(found["state"].lower())
            counted = {
                name: int(told)
                for one in islice(objects(last.result_value), ROWS)
                for name, told in one.items()
                if isinstance(told, int) and not isinstance(told, bool) and state in name_roots(name)
            }
            lower = [name for name, told in counted.items() if 0 <= told < count]
            if len(counted) == 1 and lower and not re.search(rf"(?<![\d.,]){counted[lower[0]]}(?![\d.,]\d)", text):
                reason = f"the result has {lower[0]}: {counted[lower[0]]}"
                return Finding(
                    "contradicted", one_line(found.group(), 80), reason, one_line(found.group(), 200), last.id
                )
        return None

    def _otherwise(self, found: re.Match[str], table: _Table, text: str, turn: Turn) -> str:
        """What the rows have beside the state that all of them are said to have; empty where they have none."""
        if not _meant(found, table, turn.calls[-1], turn):
            return ""
        state, lowered = _plain(found["state"]), text.lower()
        for name, column in table.columns.items():
            kinds = {_plain(one) for one in column}
            if state not in kinds or len(kinds) > KINDS or len(column) != table.rows:
                continue
            others = [one for one in column if _plain(one) != state]
            idle = self.settled if found["count"] else f"{self.settled}|{self.gone}"
            if any(WORD.fullmatch(one) is None or expression(idle).search(_plain(one)) for one in others):
                continue
            if others and not any(_plain(one)[:5] in lowered for one in others):
                return f"the result has {one_line(others[0], 40)!r} as {one_line(name, 40)} of {len(others)} of {table.rows}"
        return ""


@dataclass(frozen=True, slots=True)
class _Table:
    """Rows of a result, by column; `name` is what they are called, where it says."""

    name: str
    rows: int
    columns: Mapping[str, Sequence[str]]


def _meant(found: re.Match[str], table: _Table, call: Call, turn: Turn) -> bool:
    """Whether a claim is about the rows of a table: of as many, and called as the list is, or as the call alone is."""
    count = "two" if found.group().lower().startswith("both") else (found["count"] or "").lower()
    if count and table.rows != (NUMERALS.get(count) or (int(count) if count.isdigit() else 0)):
        return False
    nouns = frozenset(root(one.lower()) for one in TOKEN.findall(found["noun"] or ""))
    if len(nouns) == 1 and nouns <= name_roots(table.name):
        return True
    alone = call.effect or not any(other.name == call.name and other is not call for other in turn.calls)
    called = nouns <= name_roots(f"{call.name} {call.raw[:1_000]}")
    return bool(alone) and (called if len(nouns) == 1 else bool(count) and not nouns)


def _tables(call: Call) -> Iterator[_Table]:
    """The lists of objects in a JSON result, at the top or one object deep; else the table that its text begins with."""
    value = call.result_value
    if value is None:
        yield from _printed(call.result_text)
        return
    held = value.items() if isinstance(value, dict) else [("", value)]
    inner = [pair for _, one in held if isinstance(one, dict) for pair in one.items()]
    for name, rows in islice((*held, *inner), ROWS):
        if isinstance(rows, list) and 2 <= len(rows) <= ROWS and all(isinstance(row, dict) for row in rows):
            yield _Table(name, len(rows), _columns(rows))


def _columns(rows: Sequence[Mapping[str, Any]]) -> Mapping[str, Sequence[str]]:
    columns: dict[str, list[str]] = defaultdict(list)
    for row in rows:
        for name, told in islice(row.items(), 40):
            if isinstance(told, str) and WORD.fullmatch(told.strip()):
                columns[name].append(told.strip())
    return columns


def _printed(text: str) -> Iterator[_Table]:
    """A table as tools print it: a head of names in capitals, and rows of as many cells."""
    lines = [line.strip() for line in text[: 100 * LINES].splitlines()[:LINES] if line.strip()]
    head = re.split(r"\s{2,}|\t", lines[0]) if lines else []
    rows = [re.split(r"\s{2,}|\t", line) for line in lines[1:]]
    named = len(head) >= 2 and all(re.fullmatch(r"[A-Z][A-Z0-9 _()/%-]*", one) for one in head)
    if named and 2 <= len(rows) <= ROWS and all(len(row) == len(head) for row in rows):
        yield _Table("", len(rows), {name: [row[at] for row in rows] for at, name in enumerate(head)})


def _plain(state: str) -> str:
    return re.sub(r"[\s_-]+", " ", state).strip().lower()
