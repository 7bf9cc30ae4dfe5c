"""Looks: one flight per subject, remembered per tenant, cancelled with the last who waits."""

from __future__ import annotations

import asyncio

from proxy.audit import NOTHING, Absent, Present, Question, Sight, Unknown
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
