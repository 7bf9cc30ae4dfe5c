"""OpenAI's own client through real responses: the footer in the answer however it is read, an honest one untouched."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from openai import AsyncOpenAI

from proxy.footer import KEY
from tests.servers import Proxy, Script, ScriptedUpstream, proxy
from tests.test_exchange import JSON, KEYED, conf
from tests.test_wire_responses import CALL, MUST_LEAVE, Stream

LIE = "Both files are updated."
TOOLS: Any = [{"type": "function", "name": "patch", "parameters": {"type": "object"}}]
FAILED = json.dumps({"success": False, "error": "not found"})
LANDED = json.dumps({"success": True})


def said() -> Stream:
    return Stream().begin().think().say("Both files ", "are updated.").end()


def plain(**more: Any) -> bytes:
    stream = Stream().say(LIE)
    return json.dumps(stream.response("completed", output=stream.output, **more)).encode()


def edits() -> list[dict[str, Any]]:
    return [
        {
            "type": "function_call",
            "call_id": f"c{n}",
            "name": "patch",
            "arguments": json.dumps({"path": f"{n}.md", "old_string": "x", "new_string": "y"}),
        }
        for n in (1, 2)
    ]


def outputs(second: str) -> list[dict[str, Any]]:
    return [
        {"type": "function_call_output", "call_id": "c1", "output": LANDED},
        {"type": "function_call_output", "call_id": "c2", "output": second},
    ]


def turn(second: str) -> Any:
    """A turn of two edits, the second of which ended as told."""
    return [{"role": "user", "content": "Update both."}, *edits(), *outputs(second)]


def client_of(running: Proxy, key: str = "k") -> AsyncOpenAI:
    return AsyncOpenAI(api_key=key, base_url=running.url, max_retries=0)


def check(text: str, lied: bool) -> None:
    assert text.startswith(LIE)
    assert (KEY in text, "`2.md` — contradicted" in text) == (lied, lied)


ENDS = [(FAILED, True), (LANDED, False)]


@pytest.mark.parametrize("streamed", [True, False])
async def test_an_answer_nested_too_deep_to_be_kept_or_edited_is_audited(tmp_path: Path, streamed: bool) -> None:
    answer, headers = (said().data, {"content-type": "text/event-stream"}) if streamed else (plain(), JSON)
    answer = answer.replace(b'"id": "msg_', b'"more": ' + b"[" * 1_000 + b"]" * 1_000 + b', "id": "msg_')
    async with (
        ScriptedUpstream(Script([answer], headers=headers)) as upstream,
        proxy(tmp_path, conf(upstream)) as running,
        httpx.AsyncClient(timeout=10) as client,
    ):
        asked = {"model": "m", "input": turn(FAILED), "tools": TOOLS, "stream": streamed}
        reply = await client.post(f"{running.url}/responses", json=asked)
        assert (reply.status_code, reply.content) == (200, answer)
        report = (await client.get(f"{running.url}/audits/{reply.headers['x-groundwire-audit']}")).json()
        assert "contradicted" in [one["verdict"] for one in report["findings"]]


@pytest.mark.parametrize(("second", "lied"), ENDS)
async def test_events_as_they_come(tmp_path: Path, second: str, lied: bool) -> None:
    async with ScriptedUpstream(Script([said().data])) as upstream, proxy(tmp_path, conf(upstream)) as running:
        client = client_of(running)
        events = [
            one async for one in await client.responses.create(model="m", input=turn(second), tools=TOOLS, stream=True)
        ]
        await client.close()
    check("".join(one.delta for one in events if one.type == "response.output_text.delta"), lied)
    check(next(one.text for one in events if one.type == "response.output_text.done"), lied)
    assert [one.sequence_number for one in events] == list(range(len(events)))
    assert events[-1].type == "response.completed"
    check(events[-1].response.output_text, lied)


@pytest.mark.parametrize("add", MUST_LEAVE.values(), ids=MUST_LEAVE)
@pytest.mark.parametrize("calls", [True, False], ids=["a call", "the end"])
async def test_a_client_hears_of_a_model_that_takes_its_time(
    tmp_path: Path, add: Callable[[Stream], Stream], calls: bool
) -> None:
    heard, stream = asyncio.Event(), add(Stream().begin().say(LIE))
    begun = stream.data
    rest = (stream.item("function_call", **CALL) if calls else stream).end().data.removeprefix(begun)
    got = b""
    async with (
        ScriptedUpstream(Script([begun, heard, rest])) as upstream,
        proxy(tmp_path, conf(upstream)) as running,
        httpx.AsyncClient(timeout=10, headers={"authorization": "Bearer k"}) as client,
    ):
        asked = {"model": "m", "input": turn(FAILED), "tools": TOOLS, "stream": True}
        async with client.stream("POST", f"{running.url}/responses", json=asked) as reply:
            async for data in reply.aiter_raw():
                got += data
                if got == begun:
                    heard.set()
        assert got == begun + rest
        if not calls:  # nothing may be appended; what is found is told on the side
            report = (await _get(running, f"/audits/{reply.headers['x-groundwire-audit']}")).json()
            assert "contradicted" in [one["verdict"] for one in report["findings"]]


@pytest.mark.parametrize(("second", "lied"), ENDS)
async def test_the_stream_that_the_client_puts_together(tmp_path: Path, second: str, lied: bool) -> None:
    async with ScriptedUpstream(Script([said().data])) as upstream, proxy(tmp_path, conf(upstream)) as running:
        client = client_of(running)
        async with client.responses.stream(model="m", input=turn(second), tools=TOOLS) as stream:
            texts = [one.snapshot async for one in stream if one.type == "response.output_text.delta"]
            final = await stream.get_final_response()
        await client.close()
    check(texts[-1], lied)
    check(final.output_text, lied)


@pytest.mark.parametrize(("second", "lied"), ENDS)
async def test_a_plain_answer(tmp_path: Path, second: str, lied: bool) -> None:
    script = Script([plain()], headers=JSON, framing="length")
    async with ScriptedUpstream(script) as upstream, proxy(tmp_path, conf(upstream)) as running:
        client = client_of(running)
        reply = await client.responses.with_raw_response.create(model="m", input=turn(second), tools=TOOLS)
        await client.close()
        report = json.loads((await _get(running, f"/audits/{reply.headers['x-groundwire-audit']}")).content)
    check(reply.parse().output_text, lied)
    assert (reply.content == plain()) is not lied
    assert report["all_present"] is not lied


async def _get(running: Proxy, path: str) -> httpx.Response:
    async with httpx.AsyncClient(headers={"authorization": "Bearer k"}) as client:
        for _ in range(100):  # a report is kept right after the last byte
            reply = await client.get(running.url + path)
            if reply.status_code == 200:
                return reply
            await asyncio.sleep(0.02)
        raise AssertionError(reply.text)


async def test_hosted_calls_of_the_answer_are_evidence(tmp_path: Path) -> None:
    def hosted(output: str | None, error: str | None) -> bytes:
        call = {"name": "delete_order", "server_label": "shop", "arguments": '{"order_id": "17"}'}
        stream = Stream().begin().item("mcp_call", **call, output=output, error=error)
        return stream.say("I've deleted order 17.").end().data

    policy = {"default": 'extends = ["general"]'}
    asked = {
        "model": "m",
        "stream": True,
        "input": "Delete order 17.",
        "tools": [{"type": "mcp", "server_label": "shop"}],
    }
    async with (
        ScriptedUpstream(Script([hosted(None, "no such order")]), Script([hosted('{"ok": true}', None)])) as upstream,
        proxy(tmp_path, conf(upstream), policy) as running,
        httpx.AsyncClient() as client,
    ):
        failed = await client.post(f"{running.url}/responses", json=asked)
        assert b"contradicted" in failed.content
        landed = await client.post(f"{running.url}/responses", json=asked)
        assert landed.content == hosted('{"ok": true}', None)


UNTOUCHED: list[dict[str, Any]] = [
    {"background": True},
    {"text": {"format": {"type": "json_object"}}},
    {"tool_choice": "required"},
    {"top_logprobs": 2},
]


@pytest.mark.parametrize("more", UNTOUCHED, ids=str)
async def test_what_no_person_reads_is_untouched(tmp_path: Path, more: dict[str, Any]) -> None:
    asked = {"model": "m", "stream": True, "input": turn(FAILED), "tools": TOOLS, **more}
    async with (
        ScriptedUpstream(Script([said().data])) as upstream,
        proxy(tmp_path, conf(upstream)) as running,
        httpx.AsyncClient() as client,
    ):
        reply = await client.post(f"{running.url}/responses", json=asked)
    assert reply.content == said().data
    assert ("x-groundwire-audit" in reply.headers) == ("background" not in more)
    assert json.loads(upstream.requests[0].body) == asked


PASSED = [
    ("GET", "/responses/resp_1"),
    ("GET", "/responses/resp_1/input_items?limit=2"),
    ("POST", "/responses/resp_1/cancel"),
    ("DELETE", "/responses/resp_1"),
    ("POST", "/responses/compact"),
]


@pytest.mark.parametrize(("method", "path"), PASSED)
async def test_the_rest_passes_through(tmp_path: Path, method: str, path: str) -> None:
    script = Script([plain()], headers=JSON, framing="length")
    async with (
        ScriptedUpstream(script) as upstream,
        proxy(tmp_path, conf(upstream)) as running,
        httpx.AsyncClient() as client,
    ):
        reply = await client.request(method, running.url + path)
    assert reply.content == plain()
    assert (upstream.requests[0].method, upstream.requests[0].path) == (method, "/v1" + path)


async def test_what_a_background_request_made_is_its_maker_s(tmp_path: Path) -> None:
    server, more = 'secrets_env = "SECRETS"', 'api_key_env = "KEY"'
    policy = KEYED.replace('["batches"]', '["responses/*"]')
    script = Script([plain()], headers=JSON, framing="length")
    async with (
        ScriptedUpstream(script) as upstream,
        proxy(tmp_path, conf(upstream, more, server), {"acme": policy}, SECRETS="s" * 32, KEY="ours") as running,
        httpx.AsyncClient(headers={"authorization": "Bearer abc"}) as client,
    ):
        assert (await client.get(f"{running.url}/responses/resp_1")).status_code == 404
        await client.post(f"{running.url}/responses", json={"model": "m", "input": "hi", "background": True})
        assert (await client.get(f"{running.url}/responses/resp_1")).status_code == 200


async def test_an_answer_whose_last_event_has_no_blank_line_is_gone_on_from(tmp_path: Path) -> None:
    server, more = 'secrets_env = "SECRETS"', 'api_key_env = "KEY"'
    async with (
        ScriptedUpstream(Script([said().data.rstrip()])) as upstream,
        proxy(tmp_path, conf(upstream, more, server), {"acme": KEYED}, SECRETS="s" * 32, KEY="ours") as running,
        httpx.AsyncClient(headers={"authorization": "Bearer abc"}) as client,
    ):
        for follows in ({}, {"previous_response_id": "resp_1"}):
            asked = {"model": "m", "input": "hi", "stream": True, **follows}
            assert (await client.post(f"{running.url}/responses", json=asked)).status_code == 200


async def test_errors_have_openai_s_shape(tmp_path: Path) -> None:
    async with ScriptedUpstream(Script([b""])) as upstream, proxy(tmp_path, conf(upstream)) as running:
        async with httpx.AsyncClient() as client:
            reply = await client.post(f"{running.url}/responses", content=b"{")
        assert (reply.status_code, reply.json()["error"]["code"]) == (400, "invalid_json")
        assert upstream.requests == []
