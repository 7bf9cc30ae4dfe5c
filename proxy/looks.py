"""Looks at ground truth: one at a time per subject, remembered for a while, and never past the deadline."""

from __future__ import annotations

import asyncio
import hashlib
import json
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, replace
from typing import Any

from cachetools import TTLCache

from proxy import auditing
from proxy.audit import NOTHING, Absent, Check, Lasting, Look, Present, Question, Sight, Source, Unknown
from proxy.errors import StoreError
from proxy.ledger import Turn
from proxy.store import Memory, Store

SLOTS = 8
"""Looks that run at once in one process; as many more run early, while models write, so that no end waits for those."""

EARLY_FOR = 30.0
"""Seconds that early looks may take: longer than most answers are written."""

PRESENT_FOR, ABSENT_FOR = 30.0, 1.0
"""Seconds that an answer is remembered; that a source could not tell is never kept."""

DAY = 86_400
"""Seconds for which a tenant's looks at a dear source are counted."""

STORED, SPENT = "look", "spent"
"""The kinds of things that a kept answer and a count of looks are in the store."""

OUTCOMES = ("present", "absent", "unknown", "deadline", "refused", "remembered")
"""What is counted of a source: its answers, however many waited for one; who had none in time, had no look left for today, or
needed none since it was known.
"""

Key = tuple[str, str, str, tuple[tuple[str, str], ...], str]
"""Tenant scope, source, subject, question, and a digest of the last call that may have changed the subject."""


@dataclass(slots=True)
class _Flight:
    task: asyncio.Task[Sight]
    waiting: int = 0


class Looks:
    """The memo, the slots and the flights of one process; every key begins with its tenant's scope."""

    def __init__(self, sources: Mapping[str, Source], store: Store | None = None) -> None:
        self.sources = sources
        self._store = Memory() if store is None else store
        self._present: TTLCache[Key, Present] = TTLCache(10_000, PRESENT_FOR)
        self._absent: TTLCache[Key, Absent] = TTLCache(10_000, ABSENT_FOR)
        self._flights: dict[Key, _Flight] = {}
        self._slots, self._early_slots = asyncio.Semaphore(SLOTS), asyncio.Semaphore(SLOTS)
        self._left: set[asyncio.Task[object]] = set()
        self.counts: Counter[tuple[str, str]] = Counter()
        """By source and outcome."""

    def of(self, scope: str, turn: Turn, deadline: float, early: Early | None = None) -> Look:
        """The way to the sources for one audit that ends `deadline` seconds from now."""
        end = asyncio.get_running_loop().time() + deadline

        async def look(source: str, subject: str, question: Question = NOTHING) -> Sight:
            if source not in self.sources:
                return Unknown(f"no source {source!r} is configured")
            asked = tuple(sorted(question.items()))
            if isinstance(lasting := self.sources[source], Lasting):
                return await self._kept((scope, source, subject, asked, ""), lasting, end)
            key = (scope, source, subject, asked, _last_change(turn, subject))
            async with self._early_slots if early else nullcontext():
                if early and early.dropped:
                    return Unknown("no longer wanted")
                if known := self._present.get(key) or self._absent.get(key):
                    self.counts[source, "remembered"] += 1
                    return replace(known, remembered=True)
                return await self._join(key, end - asyncio.get_running_loop().time(), early is not None)

        return look

    def early(self, scope: str, turn: Turn, checks: Sequence[Check]) -> Early:
        """Run checks of what new tool results claim while the model writes, so that the memo knows when it has done."""
        early = Early(self._left)
        if checks:
            look = self.of(scope, turn, EARLY_FOR, early)
            early.begin(asyncio.ensure_future(auditing.run(checks, turn, look, deadline=EARLY_FOR)))
        return early

    async def _kept(self, key: Key, source: Lasting, end: float) -> Sight:
        """What a dear source answered before, if it is kept; else what it answers now."""
        scope, name = key[0], _name(key, source)
        try:
            known = await self._store.get(scope, STORED, name)
        except StoreError:
            known = None
        if known is not None:
            self.counts[key[1], "remembered"] += 1
            told = json.loads(known)
            return Absent(told["absent"], True) if "absent" in told else Present(told["present"], True)
        if source.budget and (refused := await self._spend(scope, key[1], source.budget)):
            self.counts[key[1], "refused"] += 1
            return Unknown(refused)
        return await self._join(key, end - asyncio.get_running_loop().time())

    async def _spend(self, scope: str, source: str, budget: int) -> str:
        """Take one look from what a tenant has today; in a word why there is none, and none where nobody has counted."""
        try:
            spent = await self._store.count(scope, SPENT, f"{source} {time.time() // DAY:.0f}", DAY)
        except StoreError as error:
            return f"the looks that a tenant has a day cannot be counted: {error}"
        return f"the {budget} looks that a tenant has a day are used up" if spent > budget else ""

    async def _keep(self, key: Key, source: Lasting, sight: Sight) -> None:
        seconds = source.lifetime(sight)
        if seconds <= 0 or isinstance(sight, Unknown):
            return
        told = {"absent": sight.reason} if isinstance(sight, Absent) else {"present": dict(sight.fields)}
        with suppress(StoreError):
            await self._store.put(key[0], STORED, _name(key, source), json.dumps(told).encode(), seconds)

    async def _join(self, key: Key, seconds: float, early: bool = False) -> Sight:
        """Wait for the flight to one subject; the last waiter to go, by whatever way, cancels it."""
        flight = self._flights.get(key)
        if flight is None:
            flight = self._flights[key] = _Flight(asyncio.create_task(self._fly(key, early)))
        flight.waiting += 1
        try:
            done, _ = await asyncio.wait([flight.task], timeout=max(0.0, seconds))
            if done:
                return flight.task.result()
            self.counts[key[1], "deadline"] += 1
            return Unknown("deadline")
        finally:
            flight.waiting -= 1
            if not flight.waiting and not flight.task.done():
                flight.task.cancel()
                if self._flights.get(key) is flight:  # who comes now begins a flight of its own
                    del self._flights[key]

    async def _fly(self, key: Key, early: bool) -> Sight:
        source = self.sources[key[1]]
        dear = isinstance(source, Lasting)  # it has slots of its own: the quick ones do not wait for it
        try:
            async with nullcontext() if early or dear else self._slots:
                sight = await source.look(key[2], dict(key[3]))
        finally:
            flight = self._flights.get(key)
            if flight is not None and flight.task is asyncio.current_task():
                del self._flights[key]
        self.counts[key[1], type(sight).__name__.lower()] += 1
        if isinstance(source, Lasting):
            await self._keep(key, source, sight)
        elif isinstance(sight, Present):
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


def _name(key: Key, source: Lasting) -> str:
    """The name under which an answer is kept; short, however long the question."""
    asked = json.dumps([key[1], source.digest, key[2], key[3]])
    return hashlib.blake2b(asked.encode(), digest_size=20).hexdigest()


def _last_change(turn: Turn, subject: str) -> str:
    """A digest of the last call that names a subject and is no read: what was seen before it may not hold now."""
    for call in reversed(turn.calls):
        if call.effect != "read" and (subject in call.raw or subject in call.result_text):
            text = call.raw + call.result_text
            return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
    return ""
