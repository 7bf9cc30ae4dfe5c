"""Looks: one flight per subject, remembered per tenant, cancelled with the last who waits."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import ClassVar

from proxy.audit import NOTHING, Absent, Check, Finding, Look, Present, Question, Sight, Unknown
from proxy.claims import Claim
from proxy.ledger import Turn
from proxy.looks import SLOTS, Looks
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


async def test_at_most_so_many_at_once() -> None:
    source = Slow(Present())
    look = Looks({"s": source}).of("acme", EMPTY, 5)
    asked = [asyncio.ensure_future(look("s", str(number))) for number in range(30)]
    await asyncio.sleep(0.01)
    source.gate.set()
    await asyncio.gather(*asked)
    assert (source.most, source.looks) == (SLOTS, 30)


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
