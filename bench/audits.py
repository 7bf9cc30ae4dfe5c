"""Measure the audit by itself, in this process: what a turn costs by its length, by its history, and by its claims.

With a file of recorded answers, as `groundwire replay` takes it, what these cost as well.
"""

from __future__ import annotations

import argparse
import asyncio
import copy
import json
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench.transcripts import LIE, PROSE, request
from proxy import ledger, library, replay
from proxy.answers import examine, words
from proxy.audit import NOTHING, Look, Present, Question, Report, Sight, Unknown
from proxy.ledger import Turn
from proxy.looks import Looks
from proxy.policy import Policy
from proxy.transcript import Answer, Transcript
from proxy.wire import chat

ROUNDS = 7
CORE = frozenset({"actions", "effects", "omissions", "readings", "values", "written_calls"})
"""The auditors that hold deeds, looks and values to the conversation; the others of the default policy are beside them."""


def shipped(*place: str) -> Policy:
    """A shipped policy or pack, with no source."""
    own = library.Library(library.shipped())
    return own.policy(own.open(*place), ())


def _nowhere() -> Look:
    async def look(source: str, subject: str, question: Question = NOTHING) -> Sight:
        return Unknown("no source")

    return look


def long_turn(calls: int) -> tuple[bytes, str]:
    """A turn of many edits, every fifth of which failed, and an answer of 8 KB that claims all of them."""
    messages: list[dict[str, Any]] = [{"role": "user", "content": "Rename it everywhere."}]
    for number in range(calls):
        arguments = json.dumps({"path": f"src/part{number}.py", "old_string": "old_name", "new_string": "new_name"})
        call = {"id": f"c{number}", "type": "function", "function": {"name": "patch", "arguments": arguments}}
        failed = number % 5 == 4
        result = {"success": not failed, "error": "old_string not found" if failed else None}
        messages.append({"role": "assistant", "content": None, "tool_calls": [call]})
        messages.append({"role": "tool", "tool_call_id": f"c{number}", "content": json.dumps(result)})
    listed = "\n".join(f"- `src/part{number}.py`" for number in range(calls))
    answer = f"I updated all {calls} files:\n\n{listed}\n\n{PROSE * ((8_192 - len(listed)) // len(PROSE))}"
    tools = [{"type": "function", "function": {"name": "patch", "parameters": {}}}]
    return json.dumps({"model": "m", "messages": messages, "tools": tools}).encode(), answer


def cost(policy: Policy, body: bytes, answer: str, times: int) -> dict[str, float]:
    """Median CPU microseconds of reading a request, of folding its turn, of auditing an answer, and of wording it."""
    parts: dict[str, list[float]] = {"parse": [], "turn": [], "audit": [], "words": []}
    loop = asyncio.new_event_loop()
    look = _nowhere()

    def timed(part: str, step: Callable[..., Any], *given: Any) -> Any:
        began = time.process_time_ns()
        value = step(*given)
        parts[part].append((time.process_time_ns() - began) / 1e3)
        return value

    def audited(read: Transcript, turn: Turn) -> Report:
        return loop.run_until_complete(examine(policy, read, turn, said, look, audit_id="a"))

    said = Answer(0, answer, "stop")
    for _ in range(times):
        read = timed("parse", lambda: chat.read(body).transcript)
        turn = timed("turn", ledger.read_turn, read, policy.marks)
        report = timed("audit", audited, read, turn)
        timed("words", words, policy, said, report)
    loop.close()
    return {name: statistics.median(values) for name, values in parts.items()}


def recorded(file: Path) -> None:
    """Print what recorded answers cost, their reading included: under no rule, the core's, and all of the default policy.

    Of each answer the quicker of two rounds counts, behind one that warms up.
    """
    whole = shipped("default.toml")
    core, bare = copy.copy(whole), copy.copy(whole)
    core.rules, bare.rules = tuple(rule for rule in whole.rules if rule.auditor_name in CORE), ()
    records = list(replay.lines(file))
    print(f"\n{f'CPU µs, {len(records)} recorded answers':<34}{'median':>9}{'95 %':>9}")
    with asyncio.Runner() as runner:
        for name, policy in (("read, no rule", bare), ("six auditors", core), ("the default policy", whole)):
            rounds: list[list[float]] = []
            for _ in range(3):  # the first warms up
                spent = []
                for record in records:
                    began = time.process_time_ns()
                    replay.replay(policy, record, {}, runner.run)
                    spent.append((time.process_time_ns() - began) / 1e3)
                rounds.append(spent)
            costs = [min(times) for times in zip(*rounds[1:], strict=True)]
            print(f"{name:<34}{statistics.median(costs):9.0f}{statistics.quantiles(costs, n=20)[18]:9.0f}", flush=True)


class Slow:
    """A source that takes 300 ms for every look."""

    async def look(self, subject: str, question: Question = NOTHING) -> Sight:
        await asyncio.sleep(0.3)
        return Present({"size": 7_421})

    async def aclose(self) -> None:
        return None


async def hold(early: bool) -> float:
    """Milliseconds that the end of an answer, which takes a second, is held by a source that takes 300 ms."""
    own = library.Library(library.shipped())
    policy = own.policy(own.open("default.toml"), {"artifacts"})
    key = "artifact.put/0a1b2c3d-report.md"
    function = {"name": "artifact.put", "arguments": "{}"}
    messages = [
        {"role": "user", "content": "Deposit the report."},
        {"role": "assistant", "content": None, "tool_calls": [{"id": "c", "type": "function", "function": function}]},
        {"role": "tool", "tool_call_id": "c", "content": json.dumps({"output": {"artifact_key": key}})},
    ]
    read = chat.read(json.dumps({"model": "m", "messages": messages}).encode()).transcript
    turn = ledger.read_turn(read, policy.marks)
    looks = Looks({"artifacts": Slow()})
    checks = [check for call in turn.fresh for check in policy.told(call)] if early else []
    with looks.early("t", turn, checks):
        await asyncio.sleep(1.0)  # the model writes
        began = time.perf_counter_ns()
        look = looks.of("t", turn, policy.deadline)
        report = await examine(policy, read, turn, Answer(0, f"Deposited `{key}`.", "stop"), look, audit_id="a")
        held = (time.perf_counter_ns() - began) / 1e6
    if [finding.verdict for finding in report.findings] != ["verified"]:
        raise SystemExit("bench: the slow source was not asked")
    return held


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m bench.audits", description="What an audit costs.")
    parser.add_argument(
        "file", nargs="?", type=Path, help="recorded answers: JSON lines, as `groundwire replay` takes them"
    )
    arguments = parser.parse_args()
    policy, pack = shipped("default.toml"), shipped("packs", "coding-agents.toml")
    turns = {
        "8 KB turn of 6 calls": (request("m"), LIE),
        "the same after 200 KB": (request("m", 200_000), LIE),
        "the same after 2 MB": (request("m", 2_000_000), LIE),
        "30 calls, coding-agents alone": (long_turn(30)[0], "I updated `src/part1.py` and `src/part4.py`."),
        "30 calls, answer of a sentence": (long_turn(30)[0], "I updated `src/part1.py` and `src/part4.py`."),
        "100 calls, answer of a sentence": (long_turn(100)[0], "I updated `src/part1.py` and `src/part4.py`."),
        "30 calls, answer of 8 KB": long_turn(30),
        "100 calls, answer of 8 KB": long_turn(100),
    }
    print(f"{'CPU µs, median':<34}{'parse':>9}{'turn':>9}{'audit':>9}{'words':>9}{'all but parse':>15}")
    for name, (body, answer) in turns.items():
        times = 20 if len(body) > 1_000_000 else 200
        found = cost(pack if "alone" in name else policy, body, answer, times)
        rest = sum(value for part, value in found.items() if part != "parse")
        print(f"{name:<34}" + "".join(f"{value:9.0f}" for value in found.values()) + f"{rest:15.0f}", flush=True)

    # The first answer under a policy warms it up, so the middle one of three is told.
    with_early = statistics.median(asyncio.run(hold(early=True)) for _ in range(3))
    without = asyncio.run(hold(early=False))
    print(f"a source of 300 ms behind an answer of 1 s holds the end {with_early:.1f} ms (target 5)")
    print(f"without early looks it holds it {without:.0f} ms")
    if arguments.file is not None:
        recorded(arguments.file)


if __name__ == "__main__":
    main()
