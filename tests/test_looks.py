"""Looks: one flight per subject, remembered per tenant, cancelled with the last who waits."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import ClassVar

import pytest

from proxy.audit import NOTHING, Absent, Check, Finding, Look, Present, Question, Sight, Unknown
from proxy.claims import Claim
from proxy.errors import StoreError
from proxy.ledger import Turn
from proxy.looks import OUTCOMES, SLOTS, Looks
from proxy.store import Memory
from tests.transcripts import messages, turn

EMPTY = turn(messages([]))


class Slow:
    """A source that waits for a gate, and counts."""

    def __init__(self, sight: Sight) -> None:
        self.sight, self.gate = sight, asyncio.Event()
        self.looks = self.running = self.most = self.cancelled = 0

    async def look(self, subject: str, question: Question = NOTHING) -> Sight:
        self.looks += 1
        self.running += 1
        self.most = max(self.most, self.running)
        try:
            await self.gate.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        finally:
            self.running -= 1
        return self.sight

    async def aclose(self) -> None:
        return None


async def test_one_flight_for_all_who_ask_and_a_memo_by_tenant() -> None:
    source = Slow(Present({"size": 1}))
    looks = Looks({"s": source})
    look = looks.of("acme", EMPTY, 5)
    asked = [asyncio.ensure_future(look("s", "k")) for _ in range(10)]
    await asyncio.sleep(0.01)
    source.gate.set()
    assert await asyncio.gather(*asked) == [Present({"size": 1})] * 10
    assert await look("s", "k") == Present({"size": 1})
    assert source.looks == 1
    await looks.of("zeta", EMPTY, 5)("s", "k")
    assert source.looks == 2


async def test_what_could_not_be_told_is_not_kept() -> None:
    source = Slow(Unknown("denied"))
    source.gate.set()
    look = Looks({"s": source}).of("acme", EMPTY, 5)
    assert [await look("s", "k"), await look("s", "k")] == [Unknown("denied")] * 2
    assert source.looks == 2


async def test_a_call_that_changes_the_subject_makes_it_new() -> None:
    source = Slow(Absent("no"))
    source.gate.set()
    looks = Looks({"s": source})
    await looks.of("acme", EMPTY, 5)("s", "k")
    await looks.of("acme", turn(messages([("artifact.put", {"key": "k"}, "ok")])), 5)("s", "k")
    assert source.looks == 2


async def test_the_deadline_is_an_answer_and_the_last_to_go_cancels() -> None:
    source = Slow(Present())
    looks = Looks({"s": source})
    patient = asyncio.ensure_future(looks.of("acme", EMPTY, 5)("s", "k"))
    assert await looks.of("acme", EMPTY, 0.02)("s", "k") == Unknown("deadline")
    assert source.cancelled == 0  # somebody still waits
    patient.cancel()
    await asyncio.gather(patient, return_exceptions=True)
    await asyncio.sleep(0)
    assert source.cancelled == 1


class Lingering(Slow):
    """A source that closes what it has opened before it goes."""

    async def look(self, subject: str, question: Question = NOTHING) -> Sight:
        try:
            return await super().look(subject, question)
        finally:
            await asyncio.sleep(0.02)


async def test_who_asks_just_when_the_last_one_goes_is_answered() -> None:
    source = Lingering(Present())
    looks = Looks({"s": source})
    first = asyncio.ensure_future(looks.of("acme", EMPTY, 5)("s", "k"))
    await asyncio.sleep(0.01)

    async def after() -> Sight:
        with pytest.raises(asyncio.CancelledError):
            await first
        source.gate.set()
        return await looks.of("acme", EMPTY, 5)("s", "k")

    second = asyncio.ensure_future(after())
    await asyncio.sleep(0)
    first.cancel()
    assert await second == Present()
    assert (source.looks, source.cancelled, looks._flights) == (2, 1, {})


async def test_at_most_so_many_at_once() -> None:
    source = Slow(Present())
    look = Looks({"s": source}).of("acme", EMPTY, 5)
    asked = [asyncio.ensure_future(look("s", str(number))) for number in range(30)]
    await asyncio.sleep(0.01)
    source.gate.set()
    await asyncio.gather(*asked)
    assert (source.most, source.looks) == (SLOTS, 30)


class Dear(Slow):
    """A dear source: what it answers is kept as long as it says."""

    digest = "a"
    budget = 0

    def __init__(self, sight: Sight, seconds: float) -> None:
        super().__init__(sight)
        self.gate.set()
        self.seconds = seconds

    def lifetime(self, sight: Sight) -> float:
        return self.seconds


class Down(Memory):
    """A store that nobody reaches."""

    async def get(self, scope: str, kind: str, key: str) -> bytes | None:
        raise StoreError("down")

    async def put(self, scope: str, kind: str, key: str, value: bytes, seconds: float) -> bytes:
        raise StoreError("down")

    async def count(self, scope: str, kind: str, key: str, seconds: float) -> int:
        raise StoreError("down")


@pytest.mark.parametrize("sight", [Present({"a": ["\ud83d", 1]}), Absent("no")])
async def test_what_a_dear_source_says_is_kept_in_the_store(sight: Sight) -> None:
    store, source, other = Memory(), Dear(sight, 60), Dear(sight, 60)
    looks, replica = Looks({"s": source}, store), Looks({"s": other}, store)
    asked = {"claim": "half an emoji \ud83d"}
    told = [await one.of("acme", EMPTY, 5)("s", "k\ud83d", asked) for one in (looks, looks, replica)]
    assert told == [sight] * 3
    assert [getattr(one, "remembered", None) for one in told] == [False, True, True]
    assert (source.looks, other.looks) == (1, 0)
    await looks.of("other", EMPTY, 5)("s", "k\ud83d", asked)
    await looks.of("acme", EMPTY, 5)("s", "k\ud83d", {"claim": "another"})
    assert source.looks == 3
    other.digest = "b"  # another configuration: what the first one said is not its answer
    await replica.of("acme", EMPTY, 5)("s", "k\ud83d", asked)
    assert other.looks == 1


@pytest.mark.parametrize(("sight", "seconds"), [(Present(), 0.0), (Unknown("denied"), 60.0)])
async def test_what_is_worth_nothing_is_not_kept(sight: Sight, seconds: float) -> None:
    source = Dear(sight, seconds)
    look = Looks({"s": source}, Memory()).of("acme", EMPTY, 5)
    assert [await look("s", "k"), await look("s", "k")] == [sight, sight]
    assert source.looks == 2


async def test_without_its_store_a_dear_source_is_asked() -> None:
    source = Dear(Present({"a": 1}), 60)
    look = Looks({"s": source}, Down()).of("acme", EMPTY, 5)
    assert [await look("s", "k"), await look("s", "k")] == [Present({"a": 1})] * 2
    assert source.looks == 2


async def test_a_budget_is_one_for_all_workers_that_share_a_store() -> None:
    store = Memory()
    sources = [Dear(Present(), 0.0), Dear(Present(), 0.0)]
    for source in sources:
        source.budget = 2
    workers = [Looks({"s": source}, store) for source in sources]
    told = [await one.of("acme", EMPTY, 5)("s", str(number)) for number in range(2) for one in workers]
    assert told == [Present(), Present(), *[Unknown("the 2 looks that a tenant has a day are used up")] * 2]
    assert [source.looks for source in sources] == [1, 1]
    assert await workers[0].of("zeta", EMPTY, 5)("s", "0") == Present()


async def test_a_budget_that_nobody_counts_is_not_spent() -> None:
    source = Dear(Present(), 60)
    source.budget = 2
    told = await Looks({"s": source}, Down()).of("acme", EMPTY, 5)("s", "k")
    assert told == Unknown("the looks that a tenant has a day cannot be counted: down")
    assert source.looks == 0


async def test_looks_are_counted_by_what_came_of_them() -> None:
    quick = {name: Slow(sight) for name, sight in (("a", Present()), ("b", Absent("no")), ("c", Unknown("denied")))}
    for source in quick.values():
        source.gate.set()
    dear, never = Dear(Present(), 60), Slow(Present())
    dear.budget = 1
    looks = Looks({**quick, "d": dear, "e": never})
    look = looks.of("acme", EMPTY, 0.05)
    for name in ("a", "a", "b", "c", "d", "d", "e", "not there"):
        await look(name, "k")
    await look("d", "another")
    assert looks.counts == {
        ("a", "present"): 1,
        ("a", "remembered"): 1,
        ("b", "absent"): 1,
        ("c", "unknown"): 1,
        ("d", "present"): 1,
        ("d", "remembered"): 1,
        ("d", "refused"): 1,
        ("e", "deadline"): 1,
    }
    assert {outcome for _, outcome in looks.counts} == set(OUTCOMES)


async def test_a_dear_source_takes_no_slot_of_the_quick_ones() -> None:
    dear, quick = Dear(Present(), 60), Slow(Present())
    dear.gate.clear()
    quick.gate.set()
    look = Looks({"d": dear, "q": quick}).of("acme", EMPTY, 5)
    waiting = [asyncio.ensure_future(look("d", str(number))) for number in range(SLOTS * 2)]
    await asyncio.sleep(0.01)
    assert await asyncio.wait_for(look("q", "k"), 1) == Present()
    dear.gate.set()
    await asyncio.gather(*waiting)
    assert dear.most == SLOTS * 2


async def test_a_source_that_is_not_there_is_unknown() -> None:
    assert isinstance(await Looks({}).of("acme", EMPTY, 1)("s", "k"), Unknown)


class Curious:
    """An auditor that looks at every subject of its claims, one after another."""

    reads: ClassVar[frozenset[str]] = frozenset()

    async def audit(self, turn: Turn, claims: Sequence[Claim], look: Look) -> list[Finding]:
        for claim in claims:
            await look("s", claim.subject)
        return []


def check(*subjects: str) -> list[Check]:
    return [Check("r", "curious", Curious(), [Claim("pattern", one, "asserted")]) for one in subjects]


async def test_what_was_looked_at_early_is_known_at_the_end() -> None:
    source = Slow(Present())
    looks = Looks({"s": source})
    with looks.early("acme", EMPTY, check("k")):
        await asyncio.sleep(0.01)
        assert source.looks == 1
        source.gate.set()
        await asyncio.sleep(0.01)
        assert await looks.of("acme", EMPTY, 0.001)("s", "k") == Present()
    assert source.looks == 1


async def test_the_end_joins_an_early_look_under_way() -> None:
    source = Slow(Present())
    looks = Looks({"s": source})
    with looks.early("acme", EMPTY, check("k")):
        await asyncio.sleep(0.01)
        end = asyncio.ensure_future(looks.of("acme", EMPTY, 5)("s", "k"))
        await asyncio.sleep(0.01)
    source.gate.set()  # the early one has gone; the end still waits, so the look goes on
    assert await end == Present()
    assert (source.looks, source.cancelled) == (1, 0)


async def test_early_looks_do_not_take_the_slots_of_the_end() -> None:
    source = Slow(Present())
    looks = Looks({"s": source})
    with looks.early("acme", EMPTY, check(*(str(number) for number in range(30)))):
        await asyncio.sleep(0.01)
        assert source.running == SLOTS
        end = asyncio.ensure_future(looks.of("acme", EMPTY, 5)("s", "29"))  # waits for nothing that is queued
        await asyncio.sleep(0.01)
        assert source.running == SLOTS + 1
        source.gate.set()
        assert await end == Present()


async def test_who_leaves_cancels_early_looks() -> None:
    source = Slow(Present())
    with Looks({"s": source}).early("acme", EMPTY, check("k")):
        await asyncio.sleep(0.01)
    await asyncio.sleep(0.01)
    assert (source.looks, source.cancelled) == (1, 1)


async def test_when_the_turn_goes_on_what_has_begun_is_finished_and_the_rest_dropped() -> None:
    source = Slow(Present())
    looks = Looks({"s": source})
    with looks.early("acme", EMPTY, check(*(str(number) for number in range(30)))) as early:
        await asyncio.sleep(0.01)
        early.drop()
    source.gate.set()
    await asyncio.sleep(0.01)
    assert (source.looks, source.cancelled) == (SLOTS, 0)
    assert await looks.of("acme", EMPTY, 0.001)("s", "0") == Present()
