"""Work that failed beside work that was done, where the answer speaks of all of it: what it leaves out is told."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from proxy.audit import Finding, Look
from proxy.claims import ALL, Claim
from proxy.ledger import MUTATIONS, UNDONE, Call, Turn


@dataclass(frozen=True, slots=True)
class Omissions:
    """Compare "all of them" with a tool's calls, several of which landed and one of which did not.

    A failed call that a later one of the same tool may have put right, with the same arguments but for one, is left out;
    so are edits of files, which have an auditor of their own. `least` is how many calls must have landed beside it.
    """

    least: int = 2

    reads: ClassVar[frozenset[str]] = frozenset({"action"})

    async def audit(self, turn: Turn, claims: Sequence[Claim], look: Look) -> list[Finding]:
        whole = next((one for one in claims if one.stance == "asserted" and one.count == ALL), None)
        if whole is None or any(claim.stance == "denied" for claim in claims):
            return []
        by_tool: dict[str, list[Call]] = defaultdict(list)
        for call in turn.calls:
            if turn.nature(call) == "change" and call.effect not in MUTATIONS:
                by_tool[call.name].append(call)
        findings = []
        for calls in by_tool.values():
            landed = [call for call in calls if call.outcome == "landed"]
            for call in calls if len(landed) >= self.least else ():
                if call.outcome in UNDONE and not any(_mends(later, call) for later in landed):
                    reason = f"the call failed: {call.reason}" if call.reason else "the call failed"
                    findings.append(Finding("contradicted", _subject(call), reason, whole.quote, call.id))
        return findings


def _mends(later: Call, failed: Call) -> bool:
    """Whether a later call may be another try: of all that it was asked, at most one thing differs."""
    if later.position < failed.position:
        return False
    keys = later.arguments.keys() | failed.arguments.keys()
    differ = [key for key in keys if later.arguments.get(key) != failed.arguments.get(key)]
    return len(differ) <= 1 < len(keys) or not differ


def _subject(call: Call) -> str:
    """What the call was about: its first argument that is a plain text."""
    return next((value[:80] for value in call.arguments.values() if isinstance(value, str) and value), call.name)
