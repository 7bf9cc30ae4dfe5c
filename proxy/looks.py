"""Looks at ground truth: one at a time per subject, remembered for a while, and never past the deadline."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

from cachetools import TTLCache

from proxy import audit
from proxy.audit import NOTHING, Absent, Check, Look, Present, Question, Sight, Source, Unknown
from proxy.ledger import Turn

SLOTS = 8
"""Looks that run at once in one process; as many more run early, while models write, so that no end waits for those."""

EARLY_FOR = 30.0
"""Seconds that early looks may take: longer than most answers are written."""

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
        self._slots, self._early_slots = asyncio.Semaphore(SLOTS), asyncio.Semaphore(SLOTS)
        self._left: set[asyncio.Task[object]] = set()

    def of(self, scope: str, turn: Turn, deadline: float, early: Early | None = None) -> Look:
        """The way to the sources for one audit that ends `deadline` seconds from now."""
        end = asyncio.get_running_loop().time() + deadline

        async def look(source: str, subject: str, question: Question = NOTHING) -> Sight:
            if source not in self.sources:
                return Unknown(f"no source {source!r} is configured")
            key = (scope, source, subject, tuple(sorted(question.items())), _last_change(turn, subject))
            async with self._early_slots if early else nullcontext():
                if early and early.dropped:
                    return Unknown("no longer wanted")
                known = self._present.get(key) or self._absent.get(key)
                return known or await self._join(key, end - asyncio.get_running_loop().time(), early is not None)

        return look

    def early(self, scope: str, turn: Turn, checks: Sequence[Check]) -> Early:
        """Run checks of what new tool results claim while the model writes, so that the memo knows when it has done."""
        early = Early(self._left)
        if checks:
            look = self.of(scope, turn, EARLY_FOR, early)
            early.begin(asyncio.ensure_future(audit.run(checks, turn, look, deadline=EARLY_FOR)))
        return early

    async def _join(self, key: Key, seconds: float, early: bool = False) -> Sight:
        """Wait for the flight to one subject; the last waiter to go, by whatever way, cancels it."""
        flight = self._flights.get(key)
        if flight is None:
            flight = self._flights[key] = _Flight(asyncio.create_task(self._fly(key, early)))
        flight.waiting += 1
        try:
            done, _ = await asyncio.wait([flight.task], timeout=max(0.0, seconds))
            return flight.task.result() if done else Unknown("deadline")
        finally:
            flight.waiting -= 1
            if not flight.waiting and not flight.task.done():
                flight.task.cancel()

    async def _fly(self, key: Key, early: bool) -> Sight:
        try:
            async with nullcontext() if early else self._slots:
                sight = await self.sources[key[1]].look(key[2], dict(key[3]))
        finally:
            self._flights.pop(key, None)
        if isinstance(sight, Present):
            self._present[key] = sight
        elif isinstance(sight, Absent) and not key[-1]:  # what was just made may be there in a moment
            self._absent[key] = sight
        return sight

    async def aclose(self) -> None:
        for task in [*self._left]:
            task.cancel()
        for source in self.sources.values():
            await source.aclose()


class Early:
    """Early looks under way. They are cancelled at the end of the block, unless the turn went on with tools: then what
    has begun is finished for the memo, and nothing more begins.
    """

    def __init__(self, left: set[asyncio.Task[object]]) -> None:
        self.dropped = False
        self._left, self._task = left, None

    _task: asyncio.Task[object] | None

    def begin(self, task: asyncio.Task[Any]) -> None:
        self._task = task

    def drop(self) -> None:
        """The turn goes on with tools: begin no more looks, and let those finish that have begun."""
        self.dropped = True
        if self._task is not None and not self._task.done():
            self._left.add(self._task)
            self._task.add_done_callback(self._left.discard)

    def __enter__(self) -> Early:
        return self

    def __exit__(self, *_: object) -> None:
        if self._task is not None and not self.dropped:
            self._task.cancel()


def _last_change(turn: Turn, subject: str) -> str:
    """A digest of the last call that names a subject and is no read: what was seen before it may not hold now."""
    for call in reversed(turn.calls):
        result = call.result.text if call.result is not None else ""
        if call.effect != "read" and (subject in call.raw or subject in result):
            text = call.raw + result
            return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
    return ""
