"""The doors to models: bytes as they are, connections given back, credentials kept apart."""

from __future__ import annotations

import asyncio
import gzip
import json
import zlib
from collections.abc import AsyncIterator, Callable
from typing import Any

import brotli
import pytest
import zstandard

from proxy.errors import UpstreamError
from proxy.upstreams import Headers, Outgoing, Reply
from proxy.upstreams.demo import DemoUpstream
from proxy.upstreams.http import HttpUpstream, forwardable
from proxy.upstreams.litellm import LitellmUpstream
from tests.servers import Script, ScriptedUpstream, Seen

TEXT = b"data: hello \xf0\x9f\x98\x80\n\n" * 50
ENCODINGS: list[tuple[str, Callable[[bytes], bytes]]] = [
    ("gzip", gzip.compress),
    ("deflate", zlib.compress),
    ("br", brotli.compress),
    ("zstd", zstandard.ZstdCompressor().compress),
]


def outgoing(**more: Any) -> Outgoing:
    values: dict[str, Any] = {"method": "POST", "path": "/chat/completions", "body": b"{}", **more}
    return Outgoing(**values)


async def opened(server: ScriptedUpstream, **options: Any) -> HttpUpstream:
    upstream = HttpUpstream("main", server.url, **options)
    await upstream.start()
    return upstream


async def read(reply: Reply) -> bytes:
    return b"".join([piece async for piece in reply.body])


@pytest.mark.parametrize(("encoding", "encode"), ENCODINGS)
@pytest.mark.parametrize("size", [1, 3, 10_000])
async def test_encodings_are_undone_however_they_are_cut(
    encoding: str, encode: Callable[[bytes], bytes], size: int
) -> None:
    data = encode(TEXT)
    script = Script(
        [data[at : at + size] for at in range(0, len(data), size)], headers={"content-encoding": encoding, "x": "1"}
    )
    async with ScriptedUpstream(script) as server:
        upstream = await opened(server)
        reply = await upstream.open(outgoing())
        assert await read(reply) == TEXT
        assert dict(reply.headers).get(b"content-encoding") is None
        raw = await upstream.open(outgoing(raw=True))
        assert await read(raw) == data
        assert dict(raw.headers)[b"content-encoding"] == encoding.encode()
        await upstream.aclose()


async def test_an_encoding_that_nobody_knows_is_left_and_said_so() -> None:
    async with ScriptedUpstream(Script([b"??"], headers={"content-encoding": "rot13"})) as server:
        upstream = await opened(server)
        reply = await upstream.open(outgoing())
        assert (reply.opaque, await read(reply)) == (True, b"??")
        await upstream.aclose()


FORWARDED: list[tuple[Headers, Headers]] = [
    ([(b"X-Own", b"1"), (b"x-own", b"2")], [(b"x-own", b"1"), (b"x-own", b"2")]),
    ([(b"connection", b"close, x-hop"), (b"x-hop", b"1"), (b"accept", b"*/*")], [(b"accept", b"*/*")]),
    ([(b"host", b"h"), (b"content-length", b"1"), (b"transfer-encoding", b"chunked"), (b"te", b"trailers")], []),
    ([(b"proxy-authorization", b"x"), (b"upgrade", b"h2c"), (b"x-groundwire", b"off")], []),
]


@pytest.mark.parametrize(("before", "after"), FORWARDED)
def test_hop_by_hop_headers_stop_here(before: Headers, after: Headers) -> None:
    assert forwardable(before) == after


async def test_our_key_replaces_every_credential_of_the_client() -> None:
    theirs = [(b"authorization", b"Bearer theirs"), (b"x-api-key", b"theirs"), (b"api-key", b"theirs")]
    async with ScriptedUpstream(Script([b"{}"])) as server:
        upstream = await opened(server, api_key="ours")
        await read(await upstream.open(outgoing(headers=theirs)))
        (seen,) = server.requests
        assert "theirs" not in str(seen.headers)
        assert seen.header("authorization") == "Bearer ours"
        await upstream.aclose()


async def test_nothing_is_invented() -> None:
    async with ScriptedUpstream(Script([b"{}"])) as server:
        upstream = await opened(server)
        await read(await upstream.open(outgoing(raw=True, headers=[(b"x-own", b"1")], query=b"a=%20b")))
        (seen,) = server.requests
        assert {name for name, _ in seen.headers} == {"host", "x-own", "content-length"}
        assert seen.path == "/v1/chat/completions?a=%20b"
        await upstream.aclose()


async def test_redirects_are_answers() -> None:
    async with ScriptedUpstream(Script([b""], 307, {"location": "http://127.0.0.1:9/"}, "length")) as server:
        upstream = await opened(server)
        reply = await upstream.open(outgoing())
        assert (reply.status, dict(reply.headers)[b"location"]) == (307, b"http://127.0.0.1:9/")
        await read(reply)
        await upstream.aclose()


async def test_a_connection_is_used_again() -> None:
    async with ScriptedUpstream(Script([b"{}"], framing="length")) as server:
        upstream = await opened(server)
        for _ in range(5):
            assert await read(await upstream.open(outgoing())) == b"{}"
        assert (server.connections, upstream.active) == (1, 0)
        await upstream.aclose()


async def test_a_reset_gives_what_came_and_then_an_error() -> None:
    async with ScriptedUpstream(Script([b"one", 0.02], reset=True)) as server:
        upstream = await opened(server)
        reply = await upstream.open(outgoing())
        got = b""
        with pytest.raises(UpstreamError, match="'main' broke off"):
            async for piece in reply.body:
                got += piece
        assert (got, upstream.active) == (b"one", 0)
        await upstream.aclose()


async def test_a_cancelled_reader_closes_the_connection() -> None:
    for script in (Script(hang=True), Script([b"one", asyncio.Event()])):
        async with ScriptedUpstream(script) as server:
            upstream = await opened(server)

            async def use(upstream: HttpUpstream = upstream) -> None:
                reply = await upstream.open(outgoing())
                try:
                    await read(reply)
                finally:
                    await reply.aclose()

            task = asyncio.create_task(use())
            while not server.requests:
                await asyncio.sleep(0.005)
            await asyncio.sleep(0.02)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            await asyncio.wait_for(server.closed.wait(), 5)
            assert upstream.active == 0
            await upstream.aclose()


async def test_an_upstream_that_is_not_there_is_named() -> None:
    upstream = HttpUpstream("gone", "http://127.0.0.1:9/v1")
    await upstream.start()
    with pytest.raises(UpstreamError, match="'gone' could not be reached"):
        await upstream.open(outgoing())
    assert upstream.active == 0
    await upstream.aclose()


async def test_silence_is_a_timeout() -> None:
    async with ScriptedUpstream(Script(hang=True)) as server:
        upstream = await opened(server, read_timeout=0.05)
        with pytest.raises(UpstreamError, match="sent nothing for"):
            await upstream.open(outgoing())
        await upstream.aclose()


async def test_a_body_is_streamed_up() -> None:
    async def pieces() -> AsyncIterator[bytes]:
        for _ in range(3):
            yield b"x" * 1_000

    async with ScriptedUpstream(Script([b"{}"])) as server:
        upstream = await opened(server)
        await read(await upstream.open(outgoing(body=pieces(), raw=True)))
        assert server.requests[0].body == b"x" * 3_000
        await upstream.aclose()


WRITE = {
    "name": "write_file",
    "parameters": {"properties": {"path": {}, "content": {}}, "required": ["path", "content"]},
}
EDIT = {
    "name": "str_replace",
    "parameters": {
        "properties": {"file_path": {}, "old_str": {}, "new_str": {}, "all": {"type": "boolean"}},
        "required": ["all"],
    },
}


async def demo(
    model: str, messages: list[Any], tools: list[Any], stream: bool = False, **more: Any
) -> tuple[int, bytes]:
    upstream = DemoUpstream(pace=0)
    document = {
        "model": model,
        "messages": messages,
        "tools": [{"type": "function", "function": one} for one in tools],
        **more,
    }
    reply = await upstream.open(outgoing(model=model, stream=stream, document=document))
    body = await read(reply)
    assert upstream.active == 0
    return reply.status, body


@pytest.mark.parametrize(
    ("tools", "calls"),
    [
        ([WRITE, EDIT], [("write_file", "path", "notes.md"), ("str_replace", "file_path", "CHANGELOG.md")]),
        ([WRITE], [("write_file", "path", "notes.md"), ("write_file", "path", "notes.md/summary.md")]),
        ([EDIT], [("str_replace", "file_path", "CHANGELOG.md")]),
        ([{"name": "weather"}], []),
    ],
)
async def test_the_demo_calls_the_tools_that_the_client_has(
    tools: list[Any], calls: list[tuple[str, str, str]]
) -> None:
    _, body = await demo("demo/edits", [{"role": "user", "content": "go"}], tools)
    message = json.loads(body)["choices"][0]["message"]
    made = [one["function"] for one in message.get("tool_calls", [])]
    assert [(one["name"], json.loads(one["arguments"])[key]) for one, (_, key, _) in zip(made, calls, strict=True)] == [
        (name, path) for name, _, path in calls
    ]


@pytest.mark.parametrize(
    ("model", "said"), [("demo/edits", "Both files are updated"), ("demo/honest", "the edit failed")]
)
async def test_the_demo_answers_when_its_tools_have_run(model: str, said: str) -> None:
    call = [
        {"id": str(n), "function": {"name": "write_file", "arguments": json.dumps({"path": f"{n}.md"})}} for n in (1, 2)
    ]
    ran = [{"role": "user", "content": "go"}, {"role": "assistant", "tool_calls": call}]
    ran += [
        {"role": "tool", "tool_call_id": "1", "content": "{}"},
        {"role": "tool", "tool_call_id": "2", "content": '{"error": "no"}'},
    ]
    _, body = await demo(model, ran, [WRITE])
    content = json.loads(body)["choices"][0]["message"]["content"]
    assert said in content
    assert "`2.md`" in content
    _, stream = await demo(model, ran, [WRITE], stream=True, stream_options={"include_usage": True})
    events = [json.loads(line[6:]) for line in stream.split(b"\n\n") if line and line != b"data: [DONE]"]
    assert "".join(one["choices"][0]["delta"].get("content", "") for one in events if one["choices"]) == content
    assert events[-1]["usage"]["total_tokens"] > 0
    _, later = await demo(
        model, [*ran, {"role": "assistant", "content": content}, {"role": "user", "content": "Thanks"}], [WRITE]
    )
    assert "tool_calls" not in json.loads(later)["choices"][0]["message"]


async def test_the_demo_streams_something_long() -> None:
    _, body = await demo("demo/long", [{"role": "user", "content": "go"}], [], stream=True)
    assert body.count(b"data: ") > 200


async def test_the_demo_refuses_as_a_provider_does() -> None:
    status, body = await demo("demo/none", [], [])
    assert (status, json.loads(body)["error"]["code"]) == (404, "model_not_found")


def anthropic(seen: Seen) -> Script:
    """A server in the shape of Anthropic's Messages API: text, then a tool call; streamed or whole."""
    call = {"type": "tool_use", "id": "toolu_1", "name": "write_file", "input": {"path": "a.md"}}
    head = {"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-x", "stop_sequence": None}
    usage = {"input_tokens": 3, "output_tokens": 5}
    if seen.header("x-api-key") != "ours":
        refusal = {"type": "error", "error": {"type": "authentication_error", "message": "invalid x-api-key"}}
        return Script([json.dumps(refusal).encode()], 401, {"content-type": "application/json"}, "length")
    if not json.loads(seen.body).get("stream"):
        whole = {
            **head,
            "content": [{"type": "text", "text": "Hi 😀"}, call],
            "stop_reason": "tool_use",
            "usage": usage,
        }
        return Script([json.dumps(whole).encode()], headers={"content-type": "application/json"}, framing="length")
    events: list[dict[str, Any]] = [
        {"type": "message_start", "message": {**head, "content": [], "stop_reason": None, "usage": usage}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Hi 😀"}},
        {"type": "content_block_stop", "index": 0},
        {"type": "content_block_start", "index": 1, "content_block": {**call, "input": {}}},
        {
            "type": "content_block_delta",
            "index": 1,
            "delta": {"type": "input_json_delta", "partial_json": '{"path": "a.md"}'},
        },
        {"type": "content_block_stop", "index": 1},
        {"type": "message_delta", "delta": {"stop_reason": "tool_use", "stop_sequence": None}, "usage": usage},
        {"type": "message_stop"},
    ]
    return Script([f"event: {one['type']}\ndata: {json.dumps(one)}\n\n".encode() for one in events])


async def test_litellm_speaks_to_another_provider_in_openai_s_bytes() -> None:
    async with ScriptedUpstream(anthropic) as server:
        upstream = LitellmUpstream(
            "others", api_base=server.url.removesuffix("/v1"), api_key="ours", models=["anthropic/claude-x"]
        )
        await upstream.start()
        document = {
            "messages": [{"role": "user", "content": "hi"}],
            "max_tokens": 50,
            "tools": [
                {
                    "type": "function",
                    "function": {"name": "write_file", "parameters": {"type": "object", "properties": {}}},
                }
            ],
        }
        reply = await upstream.open(outgoing(model="anthropic/claude-x", document=document))
        body = await read(reply)
        assert reply.status == 200, body
        choice = json.loads(body)["choices"][0]
        assert (choice["message"]["content"], choice["finish_reason"]) == ("Hi 😀", "tool_calls")
        reply = await upstream.open(outgoing(model="anthropic/claude-x", document=document, stream=True))
        events = (await read(reply)).split(b"\n\n")
        assert events[-2:] == [b"data: [DONE]", b""]
        deltas = [json.loads(one[6:])["choices"][0] for one in events[:-2]]
        assert "".join(one["delta"].get("content") or "" for one in deltas) == "Hi 😀"
        calls = [call for one in deltas for call in one["delta"].get("tool_calls") or ()]
        assert "".join(call["function"].get("arguments") or "" for call in calls) == '{"path": "a.md"}'
        assert upstream.active == 0
        requests = len(server.requests)
        picture = {"type": "image_url", "image_url": {"url": "http://127.0.0.1/x.png"}}
        hostile = {
            **document,
            "api_base": "http://127.0.0.1:9",
            "fallbacks": ["x"],
            "messages": [{"role": "user", "content": [picture]}],
        }
        reply = await upstream.open(outgoing(model="anthropic/claude-x", document=hostile))
        assert reply.status == 400
        reply = await upstream.open(outgoing(model="ollama/x", document=document))
        assert (reply.status, len(server.requests)) == (404, requests)
        refused = LitellmUpstream(
            "others", api_base=server.url.removesuffix("/v1"), api_key="wrong", models=["anthropic/*"]
        )
        await refused.start()
        reply = await refused.open(outgoing(model="anthropic/claude-x", document=document))
        assert (reply.status, "ours" in str(await read(reply))) == (401, False)
