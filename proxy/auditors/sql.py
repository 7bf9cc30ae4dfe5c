"""What an answer says of a row in a database must be what the operator's query finds there."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from proxy.audit import Absent, Finding, Look, Present, Unknown, Verdict
from proxy.auditors.endpoints import just_told, same_number, word
from proxy.claims import Claim
from proxy.ledger import UNDONE, Turn

TEXTS = re.compile(r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|--[^\n]*|/\*.*?\*/", re.S)
PLACE = re.compile(r"(?<![:\w\\]):(\w+)(?!:)")
GROUP = re.compile(r"\{(\w*)\}")
READS = re.compile(r"(?is)\s*(?:select|with)\b")
WRITES = re.compile(r"(?i)\b(?:insert\s+into|update\s+[\w.\"]+\s+set|delete\s+from|merge\s+into|into\s+outfile)\b")


@dataclass(frozen=True, slots=True)
class Sql:
    """Ask one read-only query per claim of the rule's pattern, and compare its row.

    `source` names an `sql` source (empty: nothing is said); `query` is one SELECT with placeholders by name, `:subject`
    and the pattern's other `groups` (the rule's). `expect` says, by column, which literal or `{group}` its value must
    equal, as text, case aside; empty: that the row is there is enough. Raises ValueError on a query that could not work.
    """

    source: str = ""
    groups: tuple[str, ...] = ()
    query: str = ""
    expect: dict[str, str] = field(default_factory=dict)

    reads: ClassVar[frozenset[str]] = frozenset()

    def __post_init__(self) -> None:
        bare = TEXTS.sub(" ", self.query)
        if not READS.match(bare) or ";" in bare.strip().removesuffix(";") or WRITES.search(bare):
            raise ValueError("query: must be a single SELECT, or WITH … SELECT, that changes nothing")
        if "query" in self.groups:
            raise ValueError("query: a group of the claims pattern cannot be named 'query'")
        for name in _places(self.query):
            if name != "subject" and name not in self.groups:
                raise ValueError(f"query: holds :{name}, and the claims pattern has no group {name!r} to fill it")
        for column, value in self.expect.items():
            for name in GROUP.findall(value):
                if name != "subject" and name not in self.groups:
                    raise ValueError(f"expect: {column} holds {{{name}}}, and the claims pattern has no such group")

    async def audit(self, turn: Turn, claims: Sequence[Claim], look: Look) -> list[Finding]:
        if not self.source:
            return []
        own = [claim for claim in claims if claim.kind == "pattern" and claim.stance == "asserted"]
        return await asyncio.gather(*(self._row(claim, turn, look) for claim in own))

    async def _row(self, claim: Claim, turn: Turn, look: Look) -> Finding:
        given = {**claim.fields, "subject": claim.subject}
        wanted = [name for name in _places(self.query) if name != "subject"]
        if missing := [name for name in wanted if name not in given]:
            return _finding("unverifiable", claim, f"the answer does not say its {missing[0]}")
        sight = await look(self.source, claim.subject, {"query": self.query, **{name: given[name] for name in wanted}})
        if isinstance(sight, Unknown):
            return _finding("unverifiable", claim, sight.reason)
        if isinstance(sight, Absent):
            made = (call for call in turn.calls if call.effect != "read" and call.outcome not in UNDONE)
            if just_told(made, claim.subject):  # a replica can lag behind
                return _finding(
                    "unverifiable", claim, "a tool named it in this turn, and it is not in the database yet"
                )
            return _finding("contradicted", claim, sight.reason)
        return self._compared(claim, sight, given)

    def _compared(self, claim: Claim, row: Present, given: Mapping[str, str]) -> Finding:
        """The worst of what the columns say.

        NULL is no value: it neither says what the claim says nor anything else, so the row's being there is all that
        is known, and that is *qualified*.
        """
        unrecorded: list[str] = []
        for column, value in self.expect.items():
            wanted = _filled(value, given)
            if wanted is None:
                continue  # the answer says nothing of this column
            if column not in row.fields:
                return _finding("unverifiable", claim, f"the query gives no column {column}")
            found = row.fields[column]
            if found is None:
                unrecorded.append(column)
            elif not _same(found, wanted):
                return _finding("contradicted", claim, f"{column} is {word(found)}", {column: found})
        if unrecorded:
            return _finding("qualified", claim, f"the row is there, and its {unrecorded[0]} is not recorded")
        facts = {name: row.fields[name] for name in self.expect if name in row.fields}
        return _finding("verified", claim, "the row says so", facts)


def _places(query: str) -> Iterator[str]:
    """The placeholders of a query by name; not those in its texts, nor a cast (`::text`)."""
    yield from dict.fromkeys(PLACE.findall(TEXTS.sub(" ", query)))


def _filled(value: str, given: Mapping[str, str]) -> str | None:
    """A literal with its groups filled in; None where the answer did not match one."""
    if any(name not in given for name in GROUP.findall(value)):
        return None
    return GROUP.sub(lambda found: given[found[1]], value)


def _same(found: Any, wanted: str) -> bool:
    """Whether a cell and a text say the same: as text, case and spaces aside, and as numbers where both are."""
    wanted = wanted.strip().rstrip(".,;:!")  # a group may have taken the end of its sentence with it
    told = word(found).casefold().strip().rstrip(".,;:!")
    return told.split() == wanted.casefold().split() or same_number(found, wanted)


def _finding(verdict: Verdict, claim: Claim, reason: str, facts: Mapping[str, Any] | None = None) -> Finding:
    return Finding(verdict, claim.subject, reason[:300], claim.quote, "", facts or {})
