"""The doors to models: bytes as they are, connections given back, credentials kept apart."""

from __future__ import annotations

import asyncio
import gc
import gzip
import json
import os
import socket
import subprocess
import sys
import zlib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import brotli
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st
from openai.types import Model
from openai.types.chat import ChatCompletion, ChatCompletionChunk

from proxy.errors import UpstreamError
from proxy.upstreams import Headers, Outgoing, Reply, Upstream, decoding
from proxy.upstreams.demo import DemoUpstream
from proxy.upstreams.http import HttpUpstream, forwardable
from proxy.upstreams.litellm import LitellmUpstream
from tests.servers import Script, ScriptedUpstream, Seen

TEXT = b"data: hello \xf0\x9f\x98\x80\n\n" * 50
ENCODINGS: list[tuple[str, Callable[[bytes], bytes]]] = [
    ("gzip", gzip.compress),
    ("x-gzip", lambda text: gzip.compress(text[:99]) + gzip.compress(text[99:])),
    ("deflate", zlib.compress),
    ("deflate", lambda text: zlib.compress(text, wbits=-15)),
    ("br", brotli.compress),
    ("zstd", zstandard.ZstdCompressor().compress),
    ("zstd", lambda text: zstandard.compress(text[:99]) + zstandard.compress(text[99:])),
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


@pytest.mark.parametrize(("encoding", "encode"), ENCODINGS)
@pytest.mark.parametrize(
    ("broken", "why"),
    [(lambda data: data[: len(data) * 2 // 3], "inside its content-encoding"), (lambda data: b"{}" * 99, "not in its")],
)
async def test_an_encoding_that_breaks_is_the_upstream_s_fault(
    encoding: str, encode: Callable[[bytes], bytes], broken: Callable[[bytes], bytes], why: str
) -> None:
    async with ScriptedUpstream(Script([broken(encode(TEXT))], headers={"content-encoding": encoding})) as server:
        upstream = await opened(server)
        reply = await upstream.open(outgoing())
        got = b""
        with pytest.raises(UpstreamError, match=r"'main' (sent a body|ended its reply)"):
            async for piece in reply.body:
                got += piece
        assert TEXT.startswith(got) or why == "not in its"
        assert upstream.active == 0
        await upstream.aclose()


def test_members_without_number_are_undone() -> None:
    data = gzip.compress(b"") * 200_000 + gzip.compress(TEXT) + b"padding"
    undoing = decoding.decoder(b"gzip")
    assert undoing is not None
    assert b"".join(undoing.feed(data)) == TEXT
    assert undoing.complete()


@pytest.mark.parametrize(("encoding", "encode"), ENCODINGS[:4])
def test_what_a_body_blows_up_to_comes_in_bounded_pieces(encoding: str, encode: Callable[[bytes], bytes]) -> None:
    undoing = decoding.decoder(encoding.encode())
    assert undoing is not None
    size, longest = 0, 0
    for piece in undoing.feed(encode(bytes(64 << 20))):
        size, longest = size + len(piece), max(longest, len(piece))
    assert (size, longest) == (64 << 20, decoding.STEP)


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
    theirs += [(b"openai-organization", b"org-theirs"), (b"openai-project", b"proj_theirs")]
    async with ScriptedUpstream(Script([b"{}"])) as server:
        upstream = await opened(server, api_key="ours")
        await read(await upstream.open(outgoing(headers=theirs)))
        (seen,) = server.requests
        assert "theirs" not in str(seen.headers)
        assert seen.header("authorization") == "Bearer ours"
        await upstream.aclose()


async def test_without_our_key_the_client_s_own_goes_up() -> None:
    theirs = [(b"authorization", b"Bearer theirs"), (b"host", b"elsewhere"), (b"cookie", b"a=1")]
    async with ScriptedUpstream(Script([b"{}"], headers={"set-cookie": "b=2"})) as server:
        upstream = await opened(server)
        for _ in range(2):
            await read(await upstream.open(outgoing(headers=theirs)))
        for seen in server.requests:
            assert (seen.header("authorization"), seen.header("cookie")) == ("Bearer theirs", "a=1")
            assert [value for name, value in seen.headers if name == "host"] == [server.url[7:-3]]
        await upstream.aclose()


async def test_a_refusal_comes_as_it_was() -> None:
    headers = {"retry-after": "7", "x-ratelimit-remaining-tokens": "0", "connection": "x-hop", "x-hop": "1"}
    async with ScriptedUpstream(Script([b"slow down"], 429, headers, "length")) as server:
        upstream = await opened(server)
        reply = await upstream.open(outgoing())
        assert (reply.status, await read(reply)) == (429, b"slow down")
        assert reply.headers == [(b"retry-after", b"7"), (b"x-ratelimit-remaining-tokens", b"0")]
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


async def test_a_reset_is_no_error_of_ours_to_log() -> None:
    logged: list[Any] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, told: logged.append(told))
    async with ScriptedUpstream(Script([b"x" * 9, 0.02], framing="length", reset=True)) as server:
        upstream = await opened(server)
        reply = await upstream.open(outgoing())
        with pytest.raises(UpstreamError):
            await read(reply)
        await upstream.aclose()
    del upstream, reply
    gc.collect()
    assert logged == []


@pytest.mark.parametrize("framing", ["chunked", "length"])
async def test_a_reset_gives_what_came_and_then_an_error(framing: str) -> None:
    async with ScriptedUpstream(Script([b"one", 0.02, b"two", 0.02], framing=framing, reset=True)) as server:
        upstream = await opened(server)
        reply = await upstream.open(outgoing())
        await asyncio.sleep(0.2)  # all has come, and the break behind it, before anything is read
        got = b""
        with pytest.raises(UpstreamError, match="'main' broke off"):
            async for piece in reply.body:
                got += piece
        assert (got, upstream.active) == (b"onetwo", 0)
        await upstream.aclose()


@pytest.mark.parametrize("rest", [[], [asyncio.Event()]], ids=["closed", "open"])
@pytest.mark.parametrize("pause", [[], [0.05]], ids=["at once", "later"])
@pytest.mark.parametrize("raw", [False, True])
async def test_chunks_that_cannot_be_read_break_off(rest: list[Any], pause: list[float], raw: bool) -> None:
    pieces = [b"3\r\none\r\n", *pause, b"ZZ\r\nno length", *rest]
    async with ScriptedUpstream(Script(pieces, headers={"transfer-encoding": "chunked"}, framing="close")) as server:
        upstream = await opened(server)
        with pytest.raises(UpstreamError, match=r"'main' (?:broke off|did not answer in HTTP)"):
            async with asyncio.timeout(5):
                await read(await upstream.open(outgoing(raw=raw)))
        assert upstream.active == 0
        await upstream.aclose()


async def test_a_body_that_is_shorter_than_it_said_is_broken() -> None:
    async with ScriptedUpstream(Script([b"one"], headers={"content-length": "9"}, framing="close")) as server:
        upstream = await opened(server)
        with pytest.raises(UpstreamError, match="broke off in the middle"):
            await read(await upstream.open(outgoing()))
        assert upstream.active == 0
        await upstream.aclose()


@pytest.mark.parametrize("script", [Script(hang=True), Script([b"one", asyncio.Event()])], ids=["before", "inside"])
async def test_a_cancelled_reader_closes_the_connection(script: Script) -> None:
    async with ScriptedUpstream(script) as server:
        upstream = await opened(server)
        await _leave(upstream, server, outgoing(), bool(script.pieces))
        assert (upstream.active, server.open_connections) == (0, 0)
        await upstream.aclose()


async def _leave(upstream: Upstream, server: ScriptedUpstream, request: Outgoing, inside: bool) -> None:
    """Be cancelled once the server has the request, or once a piece of its reply is here; wait for the close."""
    read_one = asyncio.Event()

    async def use() -> None:
        reply = await upstream.open(request)
        try:
            async for _ in reply.body:
                read_one.set()
        finally:
            await reply.aclose()

    task = asyncio.create_task(use())
    while not (read_one.is_set() if inside else server.requests):
        await asyncio.sleep(0.005)
    assert upstream.active == 1
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.wait_for(server.closed.wait(), 5)


async def test_a_reader_who_stalls_stalls_the_server() -> None:
    piece = bytes(65_536)
    async with ScriptedUpstream(Script([piece] * 800)) as server:  # 50 MB
        upstream = await opened(server)
        reply = await upstream.open(outgoing())
        pieces = aiter(reply.body)
        got = len(await anext(pieces))
        before = -1
        while before < server.sent:
            before = server.sent
            await asyncio.sleep(0.2)
        # What both kernels hold for a socket is a few MB on loopback; ours is BUFFER, twice.
        assert server.sent < 16 << 20
        async for more in pieces:
            got += len(more)
        assert got == 800 * len(piece)
        await upstream.aclose()


def _drop(seen: Seen) -> Script:
    raise ConnectionAbortedError


DROPPED: list[tuple[str, list[Any], bool, int]] = [
    ("a pooled connection that was closed meanwhile: once more", [_drop, Script([b"{}"])], False, 3),
    ("what may create things is not repeated", [_drop, Script([b"{}"])], True, 2),
    ("not twice", [_drop, _drop, Script([b"{}"])], False, 3),
]


@pytest.mark.parametrize(("name", "scripts", "raw", "requests"), DROPPED, ids=[one[0] for one in DROPPED])
async def test_a_request_is_repeated_once_at_most(name: str, scripts: list[Any], raw: bool, requests: int) -> None:
    async with ScriptedUpstream(Script([b"{}"]), *scripts) as server:
        upstream = await opened(server)
        await read(await upstream.open(outgoing()))
        if requests == 3 and len(scripts) == 2:
            assert await read(await upstream.open(outgoing(raw=raw))) == b"{}"
        else:
            with pytest.raises(UpstreamError, match="closed the connection without an answer"):
                await upstream.open(outgoing(raw=raw))
        assert (len(server.requests), upstream.active) == (requests, 0)
        await upstream.aclose()


async def test_a_new_connection_that_is_dropped_is_an_error() -> None:
    async with ScriptedUpstream(_drop, Script([b"{}"])) as server:
        upstream = await opened(server)
        with pytest.raises(UpstreamError, match="closed the connection without an answer"):
            await upstream.open(outgoing())
        assert (len(server.requests), upstream.active) == (1, 0)
        await upstream.aclose()


async def test_an_upstream_that_is_not_there_is_named() -> None:
    with socket.socket() as taken:  # bound, and nobody listens
        taken.bind(("127.0.0.1", 0))
        upstream = HttpUpstream("gone", f"http://127.0.0.1:{taken.getsockname()[1]}/v1", api_key="secret-key")
        await upstream.start()
        with pytest.raises(UpstreamError, match="'gone' could not be reached") as caught:
            await upstream.open(outgoing())
    assert "secret-key" not in str(caught.value)
    assert upstream.active == 0
    await upstream.aclose()


@pytest.mark.parametrize("script", [Script(hang=True), Script([b"one", asyncio.Event()])], ids=["before", "inside"])
async def test_silence_is_a_timeout(script: Script) -> None:
    async with ScriptedUpstream(script) as server:
        upstream = await opened(server, read_timeout=0.05)
        with pytest.raises(UpstreamError, match=r"sent nothing for 0\.05 s"):
            await read(await upstream.open(outgoing()))
        assert upstream.active == 0
        await upstream.aclose()


async def test_a_full_pool_is_a_timeout_too() -> None:
    async with ScriptedUpstream(Script([b"one", asyncio.Event()])) as server:
        upstream = await opened(server, connections=1, connect_timeout=0.05)
        reply = await upstream.open(outgoing())
        with pytest.raises(UpstreamError, match=r"no connection within 0\.05 s"):
            await upstream.open(outgoing())
        await reply.aclose()
        assert upstream.active == 0
        await upstream.aclose()


@pytest.mark.parametrize("url", ["", "host/v1", "ftp://host/v1", "http://user:pass@host/v1", "http://host/v1#x"])
def test_what_is_no_base_url_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match="is no base URL"):
        HttpUpstream("main", url)


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
        {"role": "tool", "tool_call_id": "2", "content": '{"error": "no access"}'},
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


def ran(result: Any, arguments: Any = '{"path": "a.md"}') -> list[Any]:
    """A turn in which one call has run."""
    call = {"id": "1", "function": {"name": "write_file", "arguments": arguments}}
    return [
        {"role": "user", "content": "go"},
        {"role": "assistant", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "1", "content": result},
    ]


RESULTS: list[tuple[Any, bool]] = [
    ('{"success": true, "text": "you cannot lose"}', False),
    ('{"error": null}', False),
    ('{"error": ""}', False),
    ('{"exit_code": 0}', False),
    ('{"bytes_written": 12, "lint": {"error": "E501"}}', False),
    ("ok", False),
    ("Wrote 12 bytes.\nError handling is described there.", False),
    ("", False),
    ('{"error": {"message": "no"}}', True),
    ('{"success": false}', True),
    ('{"exit_code": 1}', True),
    ('{"bytes_written": 0}', True),
    ('{"isError": true, "content": []}', True),
    ("Error: no", True),
    ("<tool_use_error>String to replace not found in file.</tool_use_error>", True),
    ("[Errno 20] Not a directory: 'notes.md/summary.md'", True),
    ([{"type": "text", "text": "Error: no"}], True),
]


@pytest.mark.parametrize(("result", "failed"), RESULTS)
async def test_the_honest_demo_reads_its_results(result: Any, failed: bool) -> None:
    _, body = await demo("demo/honest", ran(result), [WRITE])
    said = json.loads(body)["choices"][0]["message"]["content"]
    assert said == ("- `a.md`: the edit failed, so it was not updated." if failed else "- `a.md`: updated.")


BOTH = {
    "name": "editor",
    "parameters": {
        "properties": {
            "command": {"type": "string", "enum": ["view", "str_replace", "create"]},
            **{name: {} for name in ("path", "file_text", "old_str", "new_str")},
            "line": {"type": ["integer", "null"]},
        },
        "required": ["command", "path", "line"],
    },
}


async def test_the_demo_fills_in_what_a_tool_requires() -> None:
    _, body = await demo("demo/edits", [{"role": "user", "content": "go"}], [BOTH])
    calls = json.loads(body)["choices"][0]["message"]["tool_calls"]
    made = [json.loads(call["function"]["arguments"]) for call in calls]
    assert [(one["command"], one["path"], one["line"]) for one in made] == [
        ("create", "notes.md", 0),
        ("str_replace", "CHANGELOG.md", 0),
    ]


@pytest.mark.parametrize(
    ("messages", "calls"),
    [
        ([{"role": "system"}, {"role": "user"}], True),
        ([{"role": "assistant", "content": "Hello."}, {"role": "user"}], True),
        ([{"role": "user"}, {"role": "user"}], True),
        ([*ran("ok"), {"role": "assistant", "content": "Done."}, {"role": "user"}], False),
        (ran("ok"), False),
    ],
)
async def test_the_demo_calls_tools_in_the_first_turn_only(messages: list[Any], calls: bool) -> None:
    _, body = await demo("demo/edits", messages, [WRITE])
    assert ("tool_calls" in json.loads(body)["choices"][0]["message"]) == calls


ASKED = {"role": "user", "content": "go"}


@pytest.mark.parametrize("model", DemoUpstream().models())
@pytest.mark.parametrize("messages", [[ASKED], ran("Error: no")], ids=["calls", "answers"])
async def test_the_demo_speaks_as_openai_does(model: str, messages: list[Any]) -> None:
    _, body = await demo(model, messages, [WRITE, EDIT], n=2)
    whole = ChatCompletion.model_validate_json(body)
    _, stream = await demo(model, messages, [WRITE, EDIT], stream=True, n=2, stream_options={"include_usage": True})
    events = stream.removesuffix(b"data: [DONE]\n\n").split(b"\n\n")[:-1]
    assert len(stream) > sum(len(event) + 2 for event in events)  # there was an end
    chunks = [ChatCompletionChunk.model_validate_json(event.removeprefix(b"data: ")) for event in events]
    *deltas, last = chunks
    assert (last.choices, last.usage) == ([], whole.usage)
    assert all(chunk.usage is None and len(chunk.choices) == 1 for chunk in deltas)
    assert len({(chunk.id, chunk.created, chunk.model) for chunk in chunks}) == 1
    for choice in whole.choices:
        own = [chunk.choices[0] for chunk in deltas if chunk.choices[0].index == choice.index]
        assert [one.delta.role for one in own] == ["assistant"] + [None] * (len(own) - 1)
        assert [one.finish_reason for one in own] == [None] * (len(own) - 1) + [choice.finish_reason]
        assert "".join(one.delta.content or "" for one in own) == (choice.message.content or "")
        calls: dict[int, list[str]] = {}
        for call in (call for one in own for call in one.delta.tool_calls or ()):
            assert call.function is not None
            said = calls.setdefault(call.index, ["", "", ""])
            for place, text in enumerate((call.id, call.function.name, call.function.arguments)):
                said[place] += text or ""
        told = [one.model_dump() for one in choice.message.tool_calls or ()]
        expected = [[one["id"], one["function"]["name"], one["function"]["arguments"]] for one in told]
        assert [calls[index] for index in sorted(calls)] == expected
    assert [choice.message for choice in whole.choices] == [whole.choices[0].message] * 2


async def test_the_demo_streams_something_long_at_its_pace() -> None:
    upstream = DemoUpstream(pace=0.001)
    began = asyncio.get_running_loop().time()
    request = outgoing(model="demo/long", stream=True, document={"messages": [ASKED]})
    pieces = [piece async for piece in (await upstream.open(request)).body]
    assert 190 < len(pieces) < 230
    assert asyncio.get_running_loop().time() - began > 190 * 0.001


async def test_a_reader_may_leave_the_demo() -> None:
    upstream = DemoUpstream(pace=60)
    for model in upstream.models():
        reply = await upstream.open(outgoing(model=model, stream=True, document={"messages": [ASKED]}))
        await anext(aiter(reply.body))
        assert upstream.active == 1
        await reply.aclose()
        assert upstream.active == 0


REFUSED: list[tuple[dict[str, Any], int, str | None]] = [
    ({"model": "demo/none", "body": b'{"messages": []}'}, 404, "model_not_found"),
    ({"model": "demo/edits", "path": "/embeddings"}, 404, "not_found"),
    ({"model": "demo/edits", "body": b"no"}, 400, None),
    ({"model": "demo/edits", "body": b"[]"}, 400, None),
    ({"model": "demo/edits", "body": b'{"messages": 3}'}, 400, None),
]


@pytest.mark.parametrize(("request_", "status", "code"), REFUSED)
async def test_the_demo_refuses_as_a_provider_does(request_: dict[str, Any], status: int, code: str | None) -> None:
    reply = await DemoUpstream().open(outgoing(**request_))
    error = json.loads(await read(reply))["error"]
    assert (reply.status, reply.headers) == (status, [(b"content-type", b"application/json")])
    assert set(error) == {"message", "type", "param", "code"}
    assert error["code"] == code


async def test_the_demo_s_refusals_say_what_would_be_right() -> None:
    async def refused(**request: Any) -> str:
        message = json.loads(await read(await DemoUpstream().open(outgoing(**request))))["error"]["message"]
        assert isinstance(message, str)
        return message

    assert await refused(model="demo/none") == (
        "The demo has no model 'demo/none'; it has demo/edits, demo/honest, demo/long, demo/manifest and more: "
        "/v1/models lists all."
    )
    assert await refused(model="demo/edits", path="/messages") == (
        "The demo has no /messages; it speaks /chat/completions only."
    )


async def test_the_demo_lists_its_models() -> None:
    upstream = DemoUpstream()
    listed = json.loads(await read(await upstream.open(outgoing(method="GET", path="/models", body=b""))))
    assert listed["object"] == "list"
    assert tuple(Model.model_validate(one).id for one in listed["data"]) == upstream.models()


NAMES = st.sampled_from(
    [
        *("role", "content", "tool_calls", "tool_call_id", "id", "function", "name", "arguments", "parameters"),
        *("properties", "required", "path", "old", "new", "type", "enum", "user", "assistant", "tool", "{}", "[]"),
    ]
)
ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | NAMES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=6),
    max_leaves=20,
)


@given(messages=st.lists(ANY), tools=ANY, model=st.sampled_from(DemoUpstream().models()), stream=st.booleans())
def test_the_demo_never_raises(messages: list[Any], tools: Any, model: str, stream: bool) -> None:
    async def ask() -> bytes:
        document = {"messages": messages, "tools": tools, "n": tools, "stream_options": tools}
        return await read(await DemoUpstream(pace=0).open(outgoing(model=model, stream=stream, document=document)))

    assert asyncio.run(ask())


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


DOCUMENT: dict[str, Any] = {
    "messages": [ASKED],
    "max_tokens": 50,
    "tools": [
        {"type": "function", "function": {"name": "write_file", "parameters": {"type": "object", "properties": {}}}}
    ],
}


def asking(stream: bool = False, model: str = "anthropic/claude-x", **more: Any) -> Outgoing:
    return outgoing(model=model, stream=stream, document={**DOCUMENT, **more})


@asynccontextmanager
async def litellm(
    *scripts: Script | Callable[[Seen], Script], key: str = "ours", **options: Any
) -> AsyncIterator[tuple[LitellmUpstream, ScriptedUpstream]]:
    async with ScriptedUpstream(*scripts) as server:
        root = server.url.removesuffix("/v1")
        upstream = LitellmUpstream("others", api_base=root, api_key=key, models=["anthropic/claude-*"], **options)
        await upstream.start()
        yield upstream, server
        await upstream.aclose()


async def test_litellm_answers_in_openai_s_shape() -> None:
    async with litellm(anthropic) as (upstream, _):
        reply = await upstream.open(asking())
        body = await read(reply)
        assert (reply.status, reply.headers) == (200, [(b"content-type", b"application/json")])
        (choice,) = ChatCompletion.model_validate_json(body).choices
        assert (choice.message.content, choice.finish_reason) == ("Hi 😀", "tool_calls")
        assert len(choice.message.tool_calls or ()) == 1
        assert upstream.active == 0


@pytest.mark.parametrize("counted", [True, False])
async def test_litellm_streams_in_openai_s_shape(counted: bool) -> None:
    async with litellm(anthropic) as (upstream, _):
        reply = await upstream.open(asking(True, stream_options={"include_usage": counted}))
        assert reply.headers[0][1].startswith(b"text/event-stream")
        *events, end, rest = (await read(reply)).split(b"\n\n")
        assert (end, rest) == (b"data: [DONE]", b"")
        assert all(b'"finish_reason":' in event for event in events[: len(events) - counted])
        chunks = [ChatCompletionChunk.model_validate_json(event.removeprefix(b"data: ")) for event in events]
        if counted:
            last = chunks.pop()
            assert (last.choices, last.usage and last.usage.total_tokens) == ([], 8)
        deltas = [chunk.choices[0].delta for chunk in chunks]
        assert "".join(delta.content or "" for delta in deltas) == "Hi 😀"
        calls = [call.function for delta in deltas for call in delta.tool_calls or () if call.function]
        assert "".join(call.arguments or "" for call in calls) == '{"path": "a.md"}'
        finishes = [chunk.choices[0].finish_reason for chunk in chunks]
        assert finishes == [None] * (len(chunks) - 1) + ["tool_calls"]
        assert upstream.active == 0


def test_a_body_with_control_characters_in_its_strings_is_parsed() -> None:
    assert outgoing(body=b'{"model": "a\tb"}', document=None).parsed() == {"model": "a\tb"}


async def test_litellm_is_asked_by_post_alone_and_with_a_slash_too() -> None:
    async with litellm(anthropic) as (upstream, server):
        for method, path, status in (
            ("GET", "/chat/completions", 404),
            ("PUT", "/chat/completions", 404),
            ("POST", "/chat/completions/", 200),
        ):
            document = None if method == "GET" else DOCUMENT
            request = outgoing(
                method=method, path=path, model="anthropic/claude-x", raw=True, body=b"", document=document
            )
            reply = await upstream.open(request)
            assert (method, reply.status) == (method, status)
            await reply.aclose()
        assert len(server.requests) == 1


HOSTILE: list[tuple[Outgoing, int]] = [
    (asking(messages=[{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "http://h/x"}}]}]), 400),
    (asking(model="ollama/x"), 404),
    (asking(model="anthropic/other"), 404),
    (outgoing(path="/embeddings", model="anthropic/claude-x"), 404),
]


@pytest.mark.parametrize(("request_", "status"), HOSTILE)
async def test_litellm_is_not_steered_by_a_client(request_: Outgoing, status: int) -> None:
    async with litellm(anthropic) as (upstream, server):
        reply = await upstream.open(request_)
        assert (reply.status, list(json.loads(await read(reply)))) == (status, ["error"])
        assert (server.requests, upstream.active) == ([], 0)


async def test_what_would_choose_another_host_is_dropped() -> None:
    async with litellm(anthropic) as (upstream, server):
        steering: dict[str, Any] = {"api_base": "http://127.0.0.1:9", "base_url": "http://127.0.0.1:9", "api_key": "x"}
        reply = await upstream.open(asking(**steering, fallbacks=["x"], drop_params=False))
        assert (reply.status, len(server.requests)) == (200, 1)


@pytest.mark.parametrize(("drop", "status"), [(True, 200), (False, 400)])
async def test_what_a_provider_does_not_know_is_dropped_where_asked(drop: bool, status: int) -> None:
    async with litellm(anthropic, drop_params=drop) as (upstream, _):
        reply = await upstream.open(asking(frequency_penalty=1))
        assert reply.status == status, await read(reply)


async def test_a_wrong_key_is_refused_without_being_told() -> None:
    async with litellm(anthropic, key="sk-wrong-0123456789abcdef") as (upstream, _):
        reply = await upstream.open(asking())
        body = await read(reply)
        assert (reply.status, b"0123456789abcdef" in body) == (401, False)
        assert set(json.loads(body)["error"]) == {"message", "type", "param", "code"}


BUSY = b'{"type": "error", "error": {"type": "rate_limit_error", "message": "slow down"}}'


@pytest.mark.parametrize("stream", [True, False])
async def test_a_refusal_says_when_to_ask_again(stream: bool) -> None:
    headers = {"content-type": "application/json", "retry-after": "7", "x-own": "1"}
    async with litellm(Script([BUSY], 429, headers, "length")) as (upstream, server):
        reply = await upstream.open(asking(stream))
        assert (reply.status, reply.headers[1:]) == (429, [(b"retry-after", b"7")])
        assert "slow down" in json.loads(await read(reply))["error"]["message"]
        assert (len(server.requests), upstream.active) == (1, 0)


def begun(*more: bytes | asyncio.Event, reset: bool = False) -> Script:
    """The stream of `anthropic`, up to its first delta, and then something else."""
    whole = anthropic(Seen("POST", "/v1/messages", [("x-api-key", "ours")], b'{"stream": true}'))
    return Script([*whole.pieces[:3], *more], reset=reset)


OVERLOADED = b'event: error\ndata: {"type": "error", "error": {"type": "overloaded_error", "message": "no"}}\n\n'


@pytest.mark.parametrize("script", [begun(reset=True), begun(OVERLOADED)], ids=["reset", "error"])
async def test_a_stream_that_breaks_off_looks_broken(script: Script) -> None:
    async with litellm(script) as (upstream, _):
        got = b""
        with pytest.raises(UpstreamError, match="'others' broke off in the middle of an answer"):
            async for piece in (await upstream.open(asking(True))).body:
                got += piece
        assert b"[DONE]" not in got
        assert upstream.active == 0


@pytest.mark.parametrize("inside", [True, False])
async def test_who_leaves_litellm_closes_its_connection(inside: bool) -> None:
    script = begun(asyncio.Event()) if inside else Script(hang=True)
    async with litellm(script) as (upstream, server):
        await _leave(upstream, server, asking(True), inside)
        assert (upstream.active, server.open_connections) == (0, 0)


async def test_litellm_that_cannot_be_reached_is_an_error() -> None:
    async with litellm(_drop) as (upstream, _):
        reply = await upstream.open(asking())
        assert (reply.status, list(json.loads(await read(reply)))) == (500, ["error"])


STARTS = """
import asyncio, os, sys
from proxy.upstreams.litellm import LitellmUpstream
assert "litellm" not in sys.modules
asyncio.run(LitellmUpstream("others").start())
assert "litellm" in sys.modules
print(os.environ.get("FROM_DOTENV"))
"""


async def test_the_start_reads_no_dotenv_and_asks_no_network(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("FROM_DOTENV=1\n")
    async with ScriptedUpstream(Script([b""], 502)) as trap:
        routes = {name: trap.url.removesuffix("/v1") for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY")}
        plain = {key: value for key, value in os.environ.items() if "proxy" not in key.lower() and "LITELLM" not in key}
        environment = {**plain, **routes, "PYTHONPATH": str(Path(__file__).parents[1])}
        told = await asyncio.to_thread(
            subprocess.run,
            [sys.executable, "-c", STARTS],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
        )
        assert (told.stdout, told.returncode) == ("None\n", 0), told.stderr
        assert trap.connections == 0
