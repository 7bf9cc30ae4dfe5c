"""Calls and results in text: ReAct agents, smolagents and aider, whose conversations are read as what they are."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proxy import ledger
from proxy.answers import examine
from proxy.audit import NOTHING, Question, Sight
from proxy.dialects import parse_dialects
from proxy.transcript import Answer
from tests.general import policy
from tests.servers import Script, ScriptedUpstream, proxy
from tests.test_exchange import conf, post
from tests.test_wire_chat import DONE, end, say
from tests.transcripts import transcript

REACT = (
    "Answer as best you can. Use this format:\nThought: think\nAction: the action, one of [cancel_order]\n"
    "Action Input: its input\nObservation: its result\nThought: I now know\nFinal Answer: the answer"
)
CODE = "You solve any task using code blobs, in a cycle of Thought, Code and Observation sequences."
WRITTEN = "You solve any task using tool calls. The result of an Action comes as an 'Observation:'."
AIDER = "Act as an expert developer.\nAll changes must use this *SEARCH/REPLACE block* format."
STEP = 'Thought: cancel it\nAction: cancel_order\nAction Input: {"order_id": "#W1234567"}'
SAID = "Thought: I now know the final answer\nFinal Answer: I have cancelled order #W1234567."
RAN = "Thought: I cancel it.\n<code>\nprint(cancel_order('#W1234567'))\n</code>"
FINAL = "Thought: done\n<code>\nfinal_answer('I have cancelled order #W1234567.')\n</code>"
CALLED = "Calling tools:\n[{'id': 'c1', 'type': 'function', 'function': {'name': 'cancel_order', 'arguments': {'id': '#W1234567'}}}]"


def block(path: str, old: str, new: str) -> str:
    return f"{path}\n```python\n<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE\n```\n"


EDITS = "I renamed it in both files.\n\n" + block("src/a.py", "x = 1", "y = 1") + "\n" + block("b.py", "x", "y")
UNFIT = (
    "# 1 SEARCH/REPLACE block failed to match!\n\n"
    "## SearchReplaceNoExactMatch: This SEARCH block failed to exactly match lines in src/a.py\n"
    "<<<<<<< SEARCH\nx = 1\n=======\ny = 1\n>>>>>>> REPLACE\n\n# The other 1 SEARCH/REPLACE block were applied successfully.\n"
)


def talk(system: str, user: str, *rest: str) -> list[dict[str, Any]]:
    """A conversation: the rest alternates between the model and its client."""
    roles = ("assistant", "user")
    told = [{"role": roles[place % 2], "content": text} for place, text in enumerate(rest)]
    return [{"role": "system", "content": system}, {"role": "user", "content": user}, *told]


async def nobody(source: str, subject: str, question: Question = NOTHING) -> Sight:
    raise AssertionError("no source is configured")


def verdicts(raw: list[dict[str, Any]], answer: str) -> list[str]:
    request = transcript(raw)
    turn = ledger.read_turn(request, policy().marks)
    report = asyncio.run(examine(policy(), request, turn, Answer(0, answer, "stop"), nobody, audit_id="a"))
    assert not report.failures
    return [f"{one.rule} {one.verdict} {one.subject}" for one in report.findings]


CANCEL = "Cancel order #W1234567."
CASES: list[tuple[str, list[dict[str, Any]], str, list[str]]] = [
    ("react, done", talk(REACT, CANCEL, STEP, 'Observation: {"ok": true}'), SAID, ["actions verified #W1234567"]),
    (
        "react, failed",
        talk(REACT, CANCEL, STEP, 'Observation: {"error": "order is locked"}'),
        SAID,
        ["actions contradicted #W1234567"],
    ),
    ("react, never, and nobody declares a tool", talk(REACT, CANCEL), SAID, []),
    ("react, a step is no answer", talk(REACT, CANCEL), STEP, []),
    ("react, told by the user", talk("You are helpful.", REACT + CANCEL), STEP, []),
    (
        "smolagents, done",
        talk(CODE, CANCEL, RAN, "Observation:\nExecution logs:\nok"),
        FINAL,
        [],  # what code did nobody can tell
    ),
    ("smolagents, a step is no answer", talk(CODE, CANCEL), f"I have cancelled order #W1234567. {RAN}", []),
    (
        "smolagents, tool calls",
        talk(WRITTEN, CANCEL, CALLED, "Call id: c1\nObservation:\ncancelled"),
        "I have cancelled order #W1234567.",
        ["actions verified #W1234567"],
    ),
    ("smolagents, a call is no answer", talk(WRITTEN, CANCEL), CALLED, []),
    ("aider, edits in the answer", talk(AIDER, "Rename x."), EDITS, []),
    (
        "aider, one did not fit",
        talk(AIDER, "Rename x.", EDITS, UNFIT),
        "Both `src/a.py` and `b.py` are updated.",
        ["file-edits contradicted src/a.py", "file-edits verified b.py"],
    ),
    (
        "aider, mended",
        talk(AIDER, "Rename x.", EDITS, UNFIT, block("src/a.py", "x = 2", "y = 2"), "Now add a test."),
        "I've updated `src/a.py`.",
        ["file-edits verified src/a.py"],
    ),
    (
        "aider, all did",
        talk(AIDER, "Rename x.", EDITS, "Thanks. Is it done?"),
        "Yes, I've updated `src/a.py`.",
        ["file-edits verified src/a.py"],
    ),
    (
        "nobody told the model to write calls",
        talk("You are helpful.", CANCEL),
        f"{STEP}\nI have cancelled order #W1234567.",
        ["written-calls unsupported cancel_order"],
    ),
]


@pytest.mark.parametrize(("raw", "answer", "expected"), [row[1:] for row in CASES], ids=[row[0] for row in CASES])
def test_what_clients_write_as_text(raw: list[dict[str, Any]], answer: str, expected: list[str]) -> None:
    assert sorted(verdicts(raw, answer)) == sorted(expected)


def test_an_observation_opens_no_turn() -> None:
    turn = ledger.read_turn(transcript(talk(REACT, CANCEL, STEP, "Observation: ok")), policy().marks)
    assert (turn.asked, [call.name for call in turn.calls]) == (CANCEL, ["cancel_order"])
    assert turn.calls[0].arguments == {"order_id": "#W1234567"}


async def test_a_step_in_the_stream_gets_no_footer(tmp_path: Path) -> None:
    stream = say("Done so far. ") + say(STEP) + end() + DONE
    async with ScriptedUpstream(Script([stream])) as upstream, proxy(tmp_path, conf(upstream)) as running:
        body = {"model": "m", "stream": True, "messages": talk(REACT, CANCEL)}
        assert (await post(running.url, body)).content == stream


@pytest.mark.parametrize(
    ("table", "problem"),
    [
        ({"name": "x", "told": [], "calls": "(?P<name>a)"}, "told"),
        ({"name": "x", "told": [""], "calls": "(?P<name>a)"}, "told"),
        ({"name": "x", "told": ["a"], "calls": "a"}, "name"),
        ({"name": "x", "told": ["a"], "calls": "(a", "tool": "t"}, "RE2"),
        ({"name": "x", "told": ["a"], "calls": "a", "tool": "t", "result": "a"}, "result"),
        ({"name": "x", "told": ["a"], "calls": "a", "tool": "t", "resolt": "a"}, "resolt"),
    ],
)
def test_a_table_that_cannot_work_is_told_so(table: dict[str, Any], problem: str) -> None:
    with pytest.raises(ValueError, match=rf"dialects\[0\].*{problem}"):
        parse_dialects([table])


@given(st.lists(st.text(alphabet="Action: Input\n<code>/`=SEARCH{}'\"", max_size=60), max_size=6))
@settings(max_examples=60, deadline=None)
def test_any_conversation_can_be_read(texts: list[str]) -> None:
    for system in (REACT, CODE, WRITTEN, AIDER):
        raw = talk(system, "Go.", *texts)
        turn = ledger.read_turn(transcript(raw), policy().marks)
        assert len(turn.calls) + len(turn.earlier()) <= 50 * len(raw)
