"""No auditor fails on a turn of many calls; what that costs is for `python -m bench.many_calls`."""

from __future__ import annotations

import asyncio

import pytest

from bench.growth import Clock
from bench.many_calls import ONE, TURNS, judged, lines, ok, one_tool
from proxy.answers import examine
from proxy.ledger import BESIDE, read_turn
from proxy.transcript import Answer
from tests.general import policy
from tests.transcripts import Ran, messages, transcript


@pytest.mark.parametrize("name", TURNS)
def test_no_auditor_fails_on_many_calls(name: str) -> None:
    ran, line = TURNS[name]
    with asyncio.Runner() as runner:
        judged(ran(450), line if line is ONE else lines(450, line), Clock(), runner.run)


@pytest.mark.parametrize(("number", "told"), [(BESIDE + 1, False), (BESIDE + 2, True)])
def test_a_report_says_that_not_all_calls_were_held_against_each_other(number: int, told: bool) -> None:
    ran: list[Ran] = [(one_tool(at), {"order_id": f"W{at}"}, ok(at)) for at in range(number)]
    request = transcript(messages(ran))
    turn = read_turn(request, policy().marks)
    report = asyncio.run(examine(policy(), request, turn, Answer(0, "Done.", "stop"), None, audit_id="a"))  # type: ignore[arg-type]
    assert ("calls" in report.incomplete) is told
