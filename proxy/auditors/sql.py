"""What an answer says of a row in a database must be what the operator's query finds there."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from proxy.audit import Absent, Finding, Look, Present, Unknown
from proxy.auditors import endpoints
from proxy.auditors.endpoints import filled, finding, groups_in, word
from proxy.claims import Claim
from proxy.ledger import Turn

TEXTS = re.compile(r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|--[^\n]*|/\*.*?\*/", re.S)
PLACE = re.compile(r"(?<![:\w\\]):(\w+)(?!:)")
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
        endpoints.check_groups("query:", _places(self.query), self.groups, ":{}")
        for column, value in self.expect.items():
            endpoints.check_groups(f"expect: {column}", groups_in(value), self.groups)

    async def audit(self, turn: Turn, claims: Sequence[Claim], look: Look) -> list[Finding]:
        own = endpoints.asserted(claims) if self.source else []
        return list(await asyncio.gather(*(self._row(claim, turn, look) for claim in own)))

    async def _row(self, claim: Claim, turn: Turn, look: Look) -> Finding:
        given = endpoints.said(claim)
        places = ["subject", *_places(self.query)]
        if lacking := endpoints.unsaid(places, given):
            return finding("unverifiable", claim, lacking)
        more = {name: given[name] for name in places if name != "subject"}
        sight = await look(self.source, given["subject"], {"query": self.query, **more})
        if isinstance(sight, Unknown):
            return finding("unverifiable", claim, sight.reason)
        if isinstance(sight, Absent):
            return endpoints.missing(claim, turn, sight.reason, "it is not in the database")
        return self._compared(claim, sight, given)

    def _compared(self, claim: Claim, row: Present, given: Mapping[str, str]) -> Finding:
        """The worst of what the columns say.

        NULL is no value: it neither says what the claim says nor anything else, so the row's being there is all that
        is known, and that is *qualified*.
        """
        unrecorded: list[str] = []
        for column, value in self.expect.items():
            if endpoints.unsaid(groups_in(value), given):
                continue  # the answer says nothing of this column
            if column not in row.fields:
                return finding("unverifiable", claim, f"the query gives no column {column}")
            found = row.fields[column]
            if found is None:
                unrecorded.append(column)
            elif not endpoints.same(found, filled(value, given)):
                return finding("contradicted", claim, f"{column} is {word(found)}", {column: found})
        if unrecorded:
            return finding("qualified", claim, f"the row is there, and its {unrecorded[0]} is not recorded")
        facts = {name: row.fields[name] for name in self.expect if name in row.fields}
        return finding("verified", claim, "the row says so", facts)


def _places(query: str) -> Iterator[str]:
    """The placeholders of a query by name; not those in its texts, nor a cast (`::text`)."""
    yield from dict.fromkeys(PLACE.findall(TEXTS.sub(" ", query)))
