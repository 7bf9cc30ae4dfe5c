"""Across wire formats by way of litellm: clients of Anthropic's and of the Responses API before a server of chat completions."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from anthropic import AsyncAnthropic
from openai.types.responses import ResponseStreamEvent
from pydantic import TypeAdapter

from proxy.errors import UpstreamError
from proxy.footer import KEY
from proxy.upstreams import Outgoing
from proxy.upstreams.litellm import LitellmUpstream
from proxy.upstreams.litellm_formats import links
from tests.servers import Script, ScriptedUpstream, Seen, proxy
from tests.test_anthropic import TOOLS, turn
from tests.test_upstreams import outgoing, read

HEAD = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "m"}
CALL = {"id": "call_1", "type": "function", "function": {"name": "Edit", "arguments": ""}}


def chunk(delta: dict[str, Any], finish: str | None = None) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return b"data: " + json.dumps({**HEAD, "choices": [choice]}).encode() + b"\n\n"


SAYS = [chunk({"role": "assistant", "content": "Both files "}), chunk({"content": "are updated."}), chunk({}, "stop")]
CALLS = [
    chunk({"role": "assistant", "content": "Let me see."}),
    chunk({"tool_calls": [{"index": 0, **CALL}]}),
    chunk({"tool_calls": [{"index": 0, "function": {"arguments": '{"file_path": "a.md"}'}}]}),
    chunk({}, "tool_calls"),
]
DONE = b"data: [DONE]\n\n"


def chat(pieces: list[bytes]) -> Any:
    """A server that has chat completions only, with one answer, streamed or whole."""

    def script(seen: Seen) -> Script:
        if not seen.path.endswith("/chat/completions"):
            return Script([b'{"error": {"message": "no such route"}}'], 404, {"content-type": "application/json"})
        if json.loads(seen.body).get("stream"):
            return Script([*pieces, DONE], headers={"content-type": "text/event-stream"})
        message = {"role": "assistant", "content": "Both files are updated."}
        usage = {"prompt_tokens": 3, "completion_tokens": 4, "total_tokens": 7}
        whole = {
            **HEAD,
            "object": "chat.completion",
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": usage,
        }
        return Script([json.dumps(whole).encode()], headers={"content-type": "application/json"}, framing="length")

    return script


@asynccontextmanager
async def door(script: Any) -> AsyncIterator[tuple[LitellmUpstream, ScriptedUpstream]]:
    async with ScriptedUpstream(script) as server:
        upstream = LitellmUpstream("others", api_base=server.url, api_key="ours", models=["openai/*", "deepseek/*"])
        await upstream.start()
        yield upstream, server
        assert upstream.active == 0
        await upstream.aclose()


def message(stream: bool, **more: Any) -> Outgoing:
    document = {"model": "openai/m", "max_tokens": 50, "system": "Be brief.", "messages": turn("no"), "tools": TOOLS}
    return outgoing(path="/messages", model="openai/m", stream=stream, document={**document, **more})


def response(stream: bool, **more: Any) -> Outgoing:
    items = [
        {"role": "user", "content": "Edit it."},
        {"type": "function_call", "call_id": "t1", "name": "Edit", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "t1", "output": "no"},
    ]
    document = {"model": "deepseek/m", "input": items, "instructions": "Be brief.", **more}
    return outgoing(path="/responses", model="deepseek/m", stream=stream, document=document)


def events(body: bytes) -> list[dict[str, Any]]:
    found = []
    for event in body.decode().strip().split("\n\n"):
        name, _, data = event.partition("\n")
        document = json.loads(data.removeprefix("data: "))
        assert name == f"event: {document['type']}"
        found.append(document)
    return found


async def test_a_client_of_anthropic_s_before_a_chat_model_streams() -> None:
    async with door(chat(CALLS)) as (upstream, server):
        found = events(await read(await upstream.open(message(True))))
        blocks = [one["content_block"]["type"] for one in found if one["type"] == "content_block_start"]
        assert blocks == ["text", "tool_use"]
        assert found[-2]["delta"]["stop_reason"] == "tool_use"
        sent = json.loads(server.requests[0].body)
        assert [one["role"] for one in sent["messages"]] == ["system", "user", "assistant", "tool", "tool"]
        assert set(sent) <= {"model", "messages", "max_tokens", "stream", "stream_options", "tools"}


async def test_and_gets_a_whole_answer() -> None:
    async with door(chat(SAYS)) as (upstream, _):
        whole = json.loads(await read(await upstream.open(message(False))))
        assert (whole["type"], whole["stop_reason"]) == ("message", "end_turn")
        assert whole["content"] == [{"type": "text", "text": "Both files are updated."}]


async def test_a_client_of_responses_before_a_chat_model_streams() -> None:
    async with door(chat(SAYS)) as (upstream, server):
        found = events(await read(await upstream.open(response(True))))
        for number, one in enumerate(found):
            assert one["sequence_number"] == number
        assert found[-1]["type"] == "response.completed"
        done = [one["text"] for one in found if one["type"] == "response.output_text.done"]
        assert done == ["Both files are updated."]
        assert [one["role"] for one in json.loads(server.requests[0].body)["messages"]] == [
            "system",
            "user",
            "assistant",
            "tool",
        ]
        texts: TypeAdapter[Any] = TypeAdapter(ResponseStreamEvent)
        assert [texts.validate_python(one).type for one in found if "output_text.delta" in one["type"]]


async def test_and_gets_a_whole_response() -> None:
    async with door(chat(SAYS)) as (upstream, _):
        whole = json.loads(await read(await upstream.open(response(False))))
        assert (whole["object"], whole["status"]) == ("response", "completed")
        assert whole["output"][-1]["content"][0]["text"] == "Both files are updated."


IMAGE = {"type": "image", "source": {"type": "url", "url": "http://10.0.0.1/x"}}
TOLD = {"type": "tool_result", "tool_use_id": "t1", "content": [IMAGE]}
REFUSED = [
    (message(False, messages=[{"role": "user", "content": [IMAGE]}]), 400),
    (message(True, messages=[{"role": "user", "content": [TOLD]}]), 400),
    (response(False, input=[{"role": "user", "content": [{"type": "input_image", "image_url": "http://h/x"}]}]), 400),
    (response(True, previous_response_id="resp_1"), 400),
    (outgoing(path="/messages", model="ollama/x", document={"messages": []}), 404),
]


@pytest.mark.parametrize(("request_", "status"), REFUSED)
async def test_nothing_is_fetched_and_no_other_host_is_chosen(request_: Outgoing, status: int) -> None:
    async with door(chat(SAYS)) as (upstream, server):
        reply = await upstream.open(request_)
        document = json.loads(await read(reply))
        assert (reply.status, server.requests) == (status, [])
        assert ("type" in document) == (request_.path == "/messages")


NAMED = [
    message(False, messages=[{"role": "user", "content": [{"type": "text", "text": "see https://example.com"}]}]),
    message(False, messages=[*turn("https://example.com is down")]),
    response(False, input=[{"role": "user", "content": [{"type": "input_text", "text": "https://example.com"}]}]),
]


@pytest.mark.parametrize("request_", NAMED)
async def test_a_url_in_a_text_is_a_text(request_: Outgoing) -> None:
    async with door(chat(SAYS)) as (upstream, _):
        reply = await upstream.open(request_)
        assert (reply.status, b"are updated" in await read(reply)) == (200, True)


async def test_a_refusal_has_the_client_s_own_shape() -> None:
    busy = Script([b'{"error": {"message": "slow down"}}'], 429, {"content-type": "application/json"}, "length")
    async with door(busy) as (upstream, _):
        reply = await upstream.open(message(False))
        document = json.loads(await read(reply))
        assert (reply.status, document["type"]) == (429, "error")
        assert "slow down" in document["error"]["message"]


@pytest.mark.parametrize("request_", [message(True), response(True)], ids=["messages", "responses"])
async def test_a_stream_that_breaks_off_has_no_end(request_: Outgoing) -> None:
    async with door(Script(SAYS[:1], headers={"content-type": "text/event-stream"}, reset=True)) as (upstream, _):
        got = b""
        reply = await upstream.open(request_)
        with pytest.raises(UpstreamError, match="broke off in the middle of an answer"):
            async for piece in reply.body:
                got += piece
        assert b"message_stop" not in got
        assert b"response.completed" not in got


CONF = """
upstream = "main"
[upstreams.main]
type = "litellm"
base_url = "{url}"
api_key_env = "OTHERS"
models = ["openai/*"]
"""


@pytest.mark.parametrize(
    ("second", "lied"), [("<tool_use_error>String not found</tool_use_error>", True), ("ok", False)]
)
async def test_anthropic_s_own_client_reads_the_footer(tmp_path: Path, second: str, lied: bool) -> None:
    told = "The file 2.md has been updated." if second == "ok" else second
    async with (
        ScriptedUpstream(chat(SAYS)) as server,
        proxy(tmp_path, CONF.format(url=server.url), OTHERS="ours") as running,
    ):
        client = AsyncAnthropic(api_key="k", base_url=running.url.removesuffix("/v1"), max_retries=0)
        messages: Any = turn(told)
        async with client.messages.stream(model="openai/m", max_tokens=9, messages=messages, tools=TOOLS) as stream:
            final = await stream.get_final_message()
        await client.close()
    (block,) = final.content
    assert block.type == "text"
    assert block.text.startswith("Both files are updated.")
    assert (KEY in block.text) == lied


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ([{"role": "user", "content": [{"type": ["image_url"], "image_url": {"url": "http://h/x"}}]}], False),
        ([{"role": "user", "content": [{"type": {}}]}], False),
        ([{"role": "user", "content": [{"type": "image_url", "image_url": {"url": " " * 80 + "http://h/x"}}]}], True),
        (
            [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "data:image/png;base64,A"}}]}],
            False,
        ),
    ],
)
def test_messages_of_any_shape_are_looked_at_for_links(value: Any, expected: bool) -> None:
    assert links(value) is expected
