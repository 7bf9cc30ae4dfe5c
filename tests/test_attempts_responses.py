"""Asking again and withholding for the responses API, through OpenAI's own client: which answer, under which id."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from proxy.footer import KEY
from tests.servers import Script, ScriptedUpstream, proxy
from tests.test_attempts import RETRY, WITHHOLD
from tests.test_exchange import JSON, conf
from tests.test_exchange_responses import FAILED, LIE, TOOLS, client_of, turn
from tests.test_wire_responses import CALL, Stream

HONEST = "`1.md` is updated. The edit of `2.md` failed."
USAGE = {"input_tokens": 10, "output_tokens": 5, "total_tokens": 15}


class Answer(Stream):
    """A stream whose response has an id of its own."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.id = f"resp_{number}"

    def response(self, status: str, **more: Any) -> dict[str, Any]:
        own = {"id": self.id, "object": "response", "created_at": 1, "model": "m", "parallel_tool_calls": True}
        return {**own, "tool_choice": "auto", "tools": [], "status": status, "output": [], **more}


def script(says: str, number: int, streamed: bool) -> Script:
    answer = Answer(number).begin()
    answer = answer.item("function_call", **CALL) if says == "CALL" else answer.think().say(says[:8], says[8:])
    if streamed:
        return Script([answer.end(usage=USAGE).data])
    body = json.dumps(answer.response("completed", output=answer.output, usage=USAGE)).encode()
    return Script([body], headers=JSON, framing="length")


async def came_to(tmp_path: Path, says: list[str], streamed: bool, policy: str) -> tuple[Any, list[Any], list[Any]]:
    """The response that the client has in the end, its events, and what the upstream was asked."""
    made = [script(one, number, streamed) for number, one in enumerate(says, 1)]
    events: list[Any] = []
    async with (
        ScriptedUpstream(*made) as upstream,
        proxy(tmp_path, conf(upstream), {"default": policy}) as running,
        client_of(running) as client,
    ):
        body: Any = {"model": "m", "input": turn(FAILED), "tools": TOOLS}
        if streamed:
            async for one in await client.responses.create(stream=True, **body):
                events.append(one)  # noqa: PERF401 - a comprehension would hide which event came last
            final: Any = events[-1].response
        else:
            final = await client.responses.create(**body)
        return final, events, [json.loads(one.body) for one in upstream.requests]


STREAMED = pytest.mark.parametrize("streamed", [True, False], ids=["stream", "plain"])


@STREAMED
async def test_a_later_answer_leaves_under_its_own_id(tmp_path: Path, streamed: bool) -> None:
    final, events, asked = await came_to(tmp_path, [LIE, HONEST], streamed, RETRY)
    assert (final.id, final.output_text, final.status) == ("resp_2", HONEST, "completed")
    assert final.usage.total_tokens == 30
    *before, draft, feedback = asked[1]["input"]
    assert (before, draft["content"], feedback["role"]) == (asked[0]["input"], LIE, "user")
    assert "`2.md` — contradicted" in feedback["content"]
    assert [one.sequence_number for one in events] == list(range(len(events)))
    assert {one.response.id for one in events if hasattr(one, "response")} <= {"resp_2"}


@STREAMED
async def test_an_answer_that_holds_passes_untouched(tmp_path: Path, streamed: bool) -> None:
    whole = script(HONEST, 1, streamed)
    async with (
        ScriptedUpstream(whole) as upstream,
        proxy(tmp_path, conf(upstream), {"default": RETRY}) as running,
        httpx.AsyncClient() as client,
    ):
        body = {"model": "m", "input": turn(FAILED), "tools": TOOLS, "stream": streamed}
        reply = await client.post(f"{running.url}/responses", json=body)
        assert reply.content == whole.pieces[0]


@STREAMED
async def test_the_same_twice_leaves_with_a_footer_in_all_its_places(tmp_path: Path, streamed: bool) -> None:
    final, events, asked = await came_to(tmp_path, [LIE, LIE], streamed, RETRY)
    assert final.output_text.startswith(LIE + "\n\n**Groundwire**")
    assert "asked again once; the same was found twice in a row" in final.output_text
    assert len(asked) == 2
    told = "".join(one.delta for one in events if one.type == "response.output_text.delta")
    assert not streamed or told == final.output_text
    assert final.output_text.count(KEY) == 1


@STREAMED
async def test_a_withheld_answer_is_the_first_response_with_another_text(tmp_path: Path, streamed: bool) -> None:
    final, events, _ = await came_to(tmp_path, [LIE], streamed, WITHHOLD)
    assert final.id == "resp_1"
    assert final.output_text.startswith("**Groundwire** withheld this answer: 1 claim")
    assert LIE not in final.model_dump_json()
    assert [one.sequence_number for one in events] == list(range(len(events)))
    assert LIE not in "".join(one.model_dump_json() for one in events)
    assert final.usage.total_tokens == 15


@STREAMED
async def test_a_retry_that_goes_on_with_tools_is_a_tool_turn(tmp_path: Path, streamed: bool) -> None:
    final, _, asked = await came_to(tmp_path, [LIE, "CALL"], streamed, RETRY)
    assert (final.id, [one.type for one in final.output]) == ("resp_2", ["function_call"])
    assert len(asked) == 2


async def test_its_drafts_come_back_before_its_calls(tmp_path: Path) -> None:
    made = [script(one, number, True) for number, one in enumerate([LIE, "CALL", HONEST], 1)]
    async with (
        ScriptedUpstream(*made) as upstream,
        proxy(tmp_path, conf(upstream), {"default": RETRY}) as running,
        httpx.AsyncClient() as client,
    ):
        body: dict[str, Any] = {"model": "m", "input": turn(FAILED), "tools": TOOLS, "stream": True}
        await client.post(f"{running.url}/responses", json=body)
        call = {"type": "function_call", **CALL}
        result = {"type": "function_call_output", "call_id": CALL["call_id"], "output": FAILED}
        await client.post(f"{running.url}/responses", json={**body, "input": [*body["input"], call, result]})
        sent = [json.loads(one.body)["input"] for one in upstream.requests]
        draft, feedback = sent[1][-2:]
        assert sent[2] == [*body["input"], draft, feedback, call, result]
