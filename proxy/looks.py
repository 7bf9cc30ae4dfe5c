"""Looks at ground truth: one at a time per subject, remembered for a while, and never past the deadline."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

from cachetools import TTLCache

from proxy.audit import NOTHING, Absent, Look, Present, Question, Sight, Source, Unknown
from proxy.ledger import Turn

SLOTS = 8
"""Looks that run at once in one process."""

PRESENT_FOR, ABSENT_FOR = 30.0, 1.0
"""Seconds that an answer is remembered; that a source could not tell is never kept."""

Key = tuple[str, str, str, tuple[tuple[str, str], ...], str]
"""Tenant scope, source, subject, question, and a digest of the last call that may have changed the subject."""


@dataclass(slots=True)
class _Flight:
    task: asyncio.Task[Sight]
    waiting: int = 0


class Looks:
    """The memo, the slots and the flights of one process; every key begins with its tenant's scope."""

    def __init__(self, sources: Mapping[str, Source]) -> None:
        self.sources = sources
        self._present: TTLCache[Key, Present] = TTLCache(10_000, PRESENT_FOR)
        self._absent: TTLCache[Key, Absent] = TTLCache(10_000, ABSENT_FOR)
        self._flights: dict[Key, _Flight] = {}
        self._slots = asyncio.Semaphore(SLOTS)

    def of(self, scope: str, turn: Turn, deadline: float) -> Look:
        """The way to the sources for one audit that ends `deadline` seconds from now."""
        end = asyncio.get_running_loop().time() + deadline

        async def look(source: str, subject: str, question: Question = NOTHING) -> Sight:
            if source not in self.sources:
                return Unknown(f"no source {source!r} is configured")
            key = (scope, source, subject, tuple(sorted(question.items())), _last_change(turn, subject))
            known = self._present.get(key) or self._absent.get(key)
            return known or await self._join(key, end - asyncio.get_running_loop().time())

        return look

    async def _join(self, key: Key, seconds: float) -> Sight:
        """Wait for the flight to one subject; the last waiter to go, by whatever way, cancels it."""
        flight = self._flights.get(key)
        if flight is None:
            flight = self._flights[key] = _Flight(asyncio.create_task(self._fly(key)))
        flight.waiting += 1
        try:
            done, _ = await asyncio.wait([flight.task], timeout=max(0.0, seconds))
            return flight.task.result() if done else Unknown("deadline")
        finally:
            flight.waiting -= 1
            if not flight.waiting and not flight.task.done():
                flight.task.cancel()

    async def _fly(self, key: Key) -> Sight:
        try:
            async with self._slots:
                sight = await self.sources[key[1]].look(key[2], dict(key[3]))
        finally:
            self._flights.pop(key, None)
        if isinstance(sight, Present):
            self._present[key] = sight
        elif isinstance(sight, Absent):
            self._absent[key] = sight
        return sight

    async def aclose(self) -> None:
        for source in self.sources.values():
            await source.aclose()


def _last_change(turn: Turn, subject: str) -> str:
    """A digest of the last call that names a subject and is no read: what was seen before it may not hold now."""
    for call in reversed(turn.calls):
        text = call.raw + (call.result.text if call.result is not None else "")
        if call.effect != "read" and subject in text:
            return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
    return ""
