"""Look for steps that many calls make grow faster than their number: `python -m bench.many_calls`."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from functools import partial
from itertools import chain
from typing import Any

from bench.growth import Clock, grown, looked_through, nowhere, selected
from proxy import auditing
from proxy.audit import Check, Finding
from tests import general
from tests.transcripts import Ran, messages, transcript

MANY = 2_000
"""Calls of the longer turn; the shorter one has half of them."""
NAMED = 10
"""One in so many calls is named in a line of the answer, so that both grow."""
ROUNDS = 3
"""How often a turn is looked at in which a step seems to grow too fast."""
USER = "Please update my orders, cancel W7 and refund $54.20, and send an email to Anna."
ONE = (
    "I've updated the order and refunded $54.20 on May 5, 2024. All tests pass, and I've cancelled W7 and emailed Anna."
)


def given(at: int) -> dict[str, Any]:
    return {"order_id": f"W{at}", "amount": at + 0.5, "date": day(at, 2024), "to": f"a{at}@b.de"}


def day(at: int, year: int) -> str:
    return f"{year}-{at % 12 + 1:02}-{at % 28 + 1:02}"


def ok(at: int) -> dict[str, Any]:
    return {"status": "ok", "id": f"W{at}", "ref": f"ref{at}x", "amount": at + 0.75, "date": day(at, 2024)}


def landed(at: int) -> Any:
    return ok(at)


def failed(at: int) -> Any:
    return {"error": f"order W{at} not found"}


def late(at: int) -> Any:
    return {"error": "504 gateway timeout"}


def alternating(at: int) -> Any:
    return failed(at) if at % 2 else ok(at)


def in_turns(at: int) -> Any:
    return failed(at) if at % 4 < 2 else ok(at)


def told(at: int) -> Any:
    return f"Order W{at} updated to {at}.50 on 2024-05-06, status: pending"


def calls(number: int, tools: Callable[[int], str], result: Callable[[int], Any], same: bool = False) -> list[Ran]:
    """So many calls, by tools, each with other arguments or all with the same."""
    return [(tools(at), given(1 if same else at), result(at)) for at in range(number)]


def one_tool(at: int) -> str:
    return "update_order"


def some_tools(at: int) -> str:
    return ("cancel_order", "refund_order", "update_address", "send_email")[at % 4]


def other_tools(at: int) -> str:
    return f"update_thing{at}"


def looks_between(at: int) -> str:
    return ("get_order", "update_order")[at % 2]


def opaque(at: int) -> str:
    return "frobnicate"


def edits(number: int) -> list[Ran]:
    return [
        ("patch", {"path": f"src/a{at}.py", "old_string": "a", "new_string": "b"}, alternating(at))
        for at in range(number)
    ]


def commands(number: int) -> list[Ran]:
    lines = (
        "pytest tests/a{}.py",
        "git commit -m x{}",
        "git push origin b{}",
        "rm a{}.md",
        "cat a{}.md",
        "ruff check a{}",
    )
    return [("terminal", {"command": lines[at % 6].format(at)}, failed(at)) for at in range(number)]


def rows(number: int) -> list[Ran]:
    """Few calls, two of which return a list of so many things."""
    listed = [
        {"order_id": f"W{at}", "amount": at + 0.5, "status": "open", "date": day(at, 2024)} for at in range(number)
    ]
    first: Ran = ("update_order", given(1), {"orders": listed})
    return [("list_orders", {"page": 1}, listed), first, *calls(20, one_tool, ok)]


def lines(number: int, line: str, begin: str = "I've updated all of them:") -> str:
    """An answer that names one in so many of the calls, a line each."""
    own = (line.format(at=at, day=day(at, 2023)) for at in range(1, number // NAMED))
    return "\n".join((f"{begin}\n", *own))


REFUNDS, DATES = "- Order W{at}: cancelled, ${at}.50 refunded", "- W{at} on {day} for ${at}.37"
SENTENCES, DENIALS = "I've updated W{at} and sent it to Anna Smith{at}.", "- I could not cancel W{at}."
NUMBERS, FILES = "| W{at} | 1{at}7 | ${at}.20 |", "- I updated `src/a{at}.py`"

TURNS: dict[str, tuple[Callable[[int], list[Ran]], str]] = {
    "one tool": (partial(calls, tools=one_tool, result=landed), DATES),
    "one tool, one thing": (partial(calls, tools=one_tool, result=landed, same=True), NUMBERS),
    "one tool, failed": (partial(calls, tools=one_tool, result=failed), REFUNDS),
    "one tool, failed by turns": (partial(calls, tools=one_tool, result=alternating, same=True), ONE),
    "one tool, in text": (partial(calls, tools=one_tool, result=told), REFUNDS),
    "some tools": (partial(calls, tools=some_tools, result=landed), REFUNDS),
    "some tools, failed by turns": (partial(calls, tools=some_tools, result=in_turns), REFUNDS),
    "some tools, failed by turns, with numbers": (partial(calls, tools=some_tools, result=alternating), NUMBERS),
    "some tools, failed by turns, with denials": (partial(calls, tools=some_tools, result=alternating), DENIALS),
    "other tools": (partial(calls, tools=other_tools, result=landed), REFUNDS),
    "other tools, failed by turns": (partial(calls, tools=other_tools, result=in_turns), NUMBERS),
    "too late": (partial(calls, tools=one_tool, result=late), FILES),
    "looks between, failed by turns": (partial(calls, tools=looks_between, result=in_turns), SENTENCES),
    "nobody knows what it does": (partial(calls, tools=opaque, result=told), SENTENCES),
    "edits": (edits, FILES),
    "commands": (commands, FILES),
    "rows": (rows, DATES),
}
"""What is called so many times, and the line of the answer, or the answer."""


def judged(ran: list[Ran], answer: str, clock: Clock, run: Callable[[Any], Any]) -> None:
    """Each step of reading and auditing, each auditor after those before it, as an audit runs them."""
    own = general.policy()
    names = dict.fromkeys([*(name for name, *_ in ran), "get_order", "cancel_order", "send_mail"])
    tools = [{"type": "function", "function": {"name": name, "parameters": {}}} for name in names]
    turn, checks = selected(own, transcript(messages(ran, user=USER), tools=tools), answer, clock)
    stages: tuple[list[Check], ...] = ([], [], [])
    for check in checks:
        stages[auditing.STAGES[next(one for one in auditing.STAGES if hasattr(check.auditor, one))]].append(check)
    before: list[Finding] = []
    for check in chain(*stages):
        auditor: Any = check.auditor
        if hasattr(auditor, "follow"):
            before += clock.time(f"rule {check.rule}", auditor.follow, turn, check.claims, tuple(before))
        elif hasattr(auditor, "compare"):
            before += clock.time(f"rule {check.rule}", auditor.compare, turn, check.claims)
        else:
            clock.time(f"rule {check.rule}", run, auditing.run([check], turn, nowhere, deadline=60))
    clock.time("all of them", run, auditing.run(checks, turn, nowhere, deadline=60))


def of_turn(ran: Callable[[int], list[Ran]], line: str, run: Callable[[Any], Any]) -> list[str]:
    """The steps that twice the calls make grow too fast."""

    def timed(clock: Clock, number: int) -> None:
        judged(ran(number), line if line is ONE else lines(number, line), clock, run)
        gc.collect()

    return grown(partial(timed, number=MANY // 2), partial(timed, number=MANY), ROUNDS)


def main() -> int:
    return looked_through(TURNS, "turn", lambda name, runner: of_turn(*TURNS[name], runner.run))


if __name__ == "__main__":
    sys.exit(main())
