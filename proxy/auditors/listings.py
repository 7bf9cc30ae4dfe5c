"""A list that repeats what a result lists, thing by thing, must have of each what the result has of it, and no other's."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, ClassVar

from proxy.audit import Finding
from proxy.auditors.effects import IDENTITY
from proxy.claims import BY_LINE, Claim, compared_text
from proxy.ledger import Call, Turn
from proxy.patterns import Names, expression
from proxy.results import has_word, lists, one_line
from proxy.roots import similar, tokens
from proxy.spelling import places, standing

LEAST, MOST, LINES = 3, 40, 80
"""Things that an answer lists, things of a result, and lines of an answer that are compared."""
TELLS = 10
"""The least number that a line has hardly by chance."""
READ = 20_000
"""Code points of a result that is read."""
BULLET = re.compile(r"^[\s|]*(?:[-*+•]|\d{1,3}[.)])?\s*")
"""What stands before an item, and counts it."""
CALLED = Names(r"(?i)(?:^|_)(?:name|title|subject|summary|label)$|(?-i:[a-z](?:Name|Title)$)")
"""Names of fields that say what people call a thing."""
WHOLE = re.compile(r"(?<![\w.,$€£%-])\d{2,9}(?![\w%:]|[.,-]\d)")
"""A number that counts something, and is no part of a code, an amount or a share."""
NAME = re.compile(r"(?=.*[^\W_]{2}).{3,60}")


@dataclass(frozen=True, slots=True)
class Listings:
    """Compare the lines of an answer with the entries of a result of the turn, each line naming one of them.

    Told is a line that has, of a field that all other lines give as the result has it, another entry's value and not its own;
    or a number that stands nowhere in the conversation.
    `doubts` is an expression for lines that tell of a change, or of a wish.
    """

    doubts: str = r"(?!)"

    reads: ClassVar[frozenset[str]] = frozenset({"text"})
    needs: ClassVar[frozenset[str]] = frozenset({"calls"})

    def compare(self, turn: Turn, claims: Sequence[Claim]) -> list[Finding]:
        lines = [BULLET.sub("", one) for one in compared_text(claims, BY_LINE).splitlines() if one.strip()][:LINES]
        if len(lines) < LEAST:
            return []
        for call in turn.calls:
            if call.outcome != "landed" or call.effect or len(call.result_text) > READ:
                continue
            for _, entries in islice(lists(call.result_value), MOST):
                things = [one for one in entries if isinstance(one, dict)]
                if LEAST <= len(things) == len(entries) <= MOST:
                    found = next(self._exchanged(_by_line(things, lines), call, turn), None)
                    if found is not None:
                        return [found]
        return []

    def _exchanged(self, told: Sequence[Told], call: Call, turn: Turn) -> Iterator[Finding]:
        """A line with another entry's value of a field of which all other lines have their own."""
        if len(told) < LEAST:
            return
        for field in told[0][1]:
            rows = [one for one in told if _is_telling(one[1].get(field))]
            if IDENTITY.search(field) or CALLED.search(field) or len(rows) < LEAST:
                continue
            values = [thing[field] for _, thing, _ in rows]
            own = [_has(value, line, field) for value, (_, _, line) in zip(values, rows, strict=True)]
            if sum(own) != len(rows) - 1 or len(set(map(str, values))) < 2:
                continue
            at = own.index(False)
            name, thing, line = rows[at]
            others = {str(one) for one in values if one != values[at] and _has(one, line, field)}
            other = others.pop() if len(others) == 1 else "" if others else _unknown(rows, field, at, turn)
            if not other or other in map(str, thing.values()) or _is_kin(values[at], line):
                continue
            if self._is_otherwise(name, other, line, call, turn):
                continue
            reason = f"the result has {field} {one_line(str(values[at]), 60)!r} of it, and not {other!r}"
            yield Finding("contradicted", name[:80], reason, one_line(line, 200), call.id)

    def _is_otherwise(self, name: str, value: str, line: str, call: Call, turn: Turn) -> bool:
        """Whether a line may tell what came of another call, or does not tell how it is."""
        texts = (f"{one.raw}\n{one.result_text}" for one in turn.calls if one is not call)
        later = any(value in one and name in one for one in texts)
        return later or expression(self.doubts).search(line) is not None


Told = tuple[str, Mapping[str, Any], str]
"""What an entry goes by, the entry, and the one line that names it."""


def _by_line(things: Sequence[Mapping[str, Any]], lines: Sequence[str]) -> list[Told]:
    """The entries that one line each names, and no other entry."""
    names = [dict.fromkeys(_names(one)) for one in things]
    shared = [one for each in names for one in each]
    own = [[one for one in each if shared.count(one) == 1] for each in names]
    there = [[at for at, line in enumerate(lines) if any(has_word(line, one) for one in each)] for each in own]
    taken = [at for each in there for at in each]
    return [
        (names_[0], thing, lines[at[0]])
        for names_, thing, at in zip(own, things, there, strict=True)
        if len(at) == 1 and taken.count(at[0]) == 1
    ]


def _names(thing: Mapping[str, Any]) -> Iterator[str]:
    """What an entry goes by: its ids and its titles."""
    for key, value in thing.items():
        if (
            isinstance(value, (str, int))
            and (IDENTITY.search(key) or CALLED.search(key))
            and NAME.fullmatch(str(value))
        ):
            yield str(value)


def _is_telling(value: Any) -> bool:
    """Whether a value says something that a line cannot have by chance."""
    if isinstance(value, bool) or value is None:
        return False
    if isinstance(value, str):
        return 1 < len(value) <= 60
    return isinstance(value, (int, float)) and abs(value) >= TELLS


def _is_kin(value: Any, line: str) -> bool:
    """Whether a line has a word of a value in another form: `in_review`, told as "open, being reviewed"."""
    kin = (one for one in tokens(value) if len(one) > LEAST) if isinstance(value, str) else ()
    said = tokens(line)
    return any(similar(one, said) for one in kin)


def _unknown(rows: Sequence[Told], field: str, at: int, turn: Turn) -> str:
    """The number that a line has in the place of its own, which stands nowhere in the conversation; empty for none.

    It stands there between the same words as the numbers of the other lines: "37 failures", "27 failures".
    """
    _, thing, line = rows[at]
    if isinstance(thing[field], str):
        return ""
    around = {_around(found, other) for _, each, other in rows for found in standing(str(each[field]), other)}
    everything = turn.everything()
    found = [
        one.group()
        for one in WHOLE.finditer(line)
        if _around(one, line) in around and not any(standing(one.group(), everything))
    ]
    return found[0] if len(found) == 1 and len(found[0]) == len(str(thing[field])) else ""


def _around(found: re.Match[str], line: str) -> tuple[str, str]:
    """The sign before a number, and the word behind it."""
    behind = re.match(r"\W*(\w*)", line[found.end() : found.end() + 30])
    return line[: found.start()].rstrip()[-1:], behind[1] if behind else ""


def _has(value: Any, line: str, field: str) -> bool:
    return next(places(value, line, field), None) is not None
