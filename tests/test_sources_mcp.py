"""MCP servers as ground truth: real ones over pipes and over HTTP, which fail, hang, crash, flood and come back."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import signal
import sys
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import pytest
import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send

from proxy.audit import Present, Sight, Unknown
from proxy.looks import Looks
from proxy.sources import build
from proxy.sources.mcp import Mcp
from tests import mcp_server
from tests.servers import Script, ScriptedUpstream
from tests.transcripts import messages, turn

TOOLS = ["artifact.verify_manifest", "pack.status", "plain", "listed", "counted", "told", "fails", "hangs", "slow"]
TABLE: dict[str, Any] = {
    "type": "mcp",
    "command": [sys.executable, "-m", "tests.mcp_server"],
    "tools": [*TOOLS, "crashes", "large", "missing"],
    "timeout": 5.0,
}


@asynccontextmanager
async def opened(**more: Any) -> AsyncIterator[Mcp]:
    env = more.pop("env", {})
    table = {key: value for key, value in (TABLE | more).items() if value is not None}
    source = build("m", table, env)
    assert isinstance(source, Mcp)
    try:
        yield source
    finally:
        await source.aclose()


async def ask(source: Mcp, tool: str, **arguments: Any) -> Sight:
    return await source.look("s", {"tool": tool, "arguments": json.dumps(arguments)})


async def process_of(source: Mcp) -> int:
    sight = await ask(source, "counted")
    assert isinstance(sight, Present), sight
    return int(sight.fields["process"])


def alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


@asynccontextmanager
async def served(port: int = 0, seen: list[dict[str, str]] | None = None, **more: Any) -> AsyncIterator[int]:
    """The same server over streamable HTTP on loopback; `seen` gets the headers of every request."""
    inner = mcp_server.create().streamable_http_app(**more)

    async def noting(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and seen is not None:
            seen.append({name.decode(): value.decode() for name, value in scope["headers"]})
        await inner(scope, receive, send)

    app: ASGIApp = noting
    server = uvicorn.Server(uvicorn.Config(app, port=port, log_config=None, timeout_graceful_shutdown=1))
    task = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.005)
    try:
        yield server.servers[0].sockets[0].getsockname()[1]
    finally:
        server.should_exit = server.force_exit = True
        await task


@asynccontextmanager
async def either(kind: str, **more: Any) -> AsyncIterator[Mcp]:
    if kind == "pipes":
        async with opened(**more) as source:
            yield source
    else:
        stateless, plain = kind == "stateless", kind == "json"
        async with (
            served(stateless_http=stateless, json_response=plain) as port,
            opened(url=f"http://127.0.0.1:{port}/mcp", command=None, **more) as one,
        ):
            yield one


ASKED: list[tuple[str, dict[str, Any], Sight]] = [
    ("pack.status", {"job_id": "a1"}, Present({"job_id": "a1", "state": "completed"})),
    ("plain", {}, Present({"text": "no JSON at all"})),
    ("listed", {}, Present({"result": ["one", "two"]})),
    ("fails", {}, Unknown("the tool reported an error")),
    ("drops", {}, Unknown("the tool is not among those that may be called")),
    ("Plain", {}, Unknown("the tool is not among those that may be called")),
    ("large", {"size": 200_000}, Unknown("the answer is too long")),
]


@pytest.mark.parametrize("kind", ["pipes", "events", "json", "stateless"])
async def test_what_a_tool_answers(kind: str) -> None:
    async with either(kind) as source:
        for tool, arguments, expected in ASKED:
            assert await ask(source, tool, **arguments) == expected
        assert isinstance(await ask(source, "missing"), Unknown)
        sight = await ask(source, "artifact.verify_manifest", expected=["artifact.put/0a1b-a.md", "x"])
        assert isinstance(sight, Present)
        assert [one["artifact_key"] for one in sight.fields["output"]["missing"]] == ["x"]


@pytest.mark.parametrize("arguments", ["", "[]", "{", "null", '"x"', "[" * 100_000, '{"a": "%s"}' % ("x" * 70_000)])
async def test_arguments_that_are_no_object_are_not_sent(arguments: str) -> None:
    async with opened(command=["/nowhere/at/all"]) as source:
        assert await source.look("s", {"tool": "plain", "arguments": arguments}) == Unknown(
            "the arguments are no JSON object"
        )


async def test_nothing_starts_before_the_first_look_and_nothing_is_left_behind() -> None:
    async with opened() as source:
        assert source._session is None
        process = await process_of(source)
        assert process == await process_of(source)
    assert not alive(process)
    await source.aclose()  # twice is once


@pytest.mark.parametrize("kind", ["pipes", "events", "json"])
async def test_calls_run_side_by_side(kind: str) -> None:
    async with either(kind) as source:
        await ask(source, "plain")
        begun = time.monotonic()
        sights = await asyncio.gather(*(ask(source, "slow", seconds=0.3) for _ in range(8)))
        assert sights == [Present({"done": True})] * 8
        assert time.monotonic() - begun < 1.5


@pytest.mark.parametrize("kind", ["pipes", "events", "json", "stateless"])
async def test_a_look_that_is_cancelled_takes_nothing_with_it(kind: str) -> None:
    async with either(kind) as source:
        await ask(source, "plain")
        session = source._session
        others = asyncio.gather(*(ask(source, "slow", seconds=0.4) for _ in range(3)))
        hanging = [asyncio.create_task(ask(source, "hangs")) for _ in range(3)]
        await asyncio.sleep(0.1)
        for task in hanging:
            task.cancel()
        assert await others == [Present({"done": True})] * 3
        assert all(one.cancelled() for one in hanging)
        assert await ask(source, "plain") == Present({"text": "no JSON at all"})
        assert source._session is session
        assert session is not None
        assert not session._open


async def test_a_look_that_is_cancelled_while_the_server_starts() -> None:
    async with opened() as source:
        first = asyncio.create_task(ask(source, "plain"))
        await asyncio.sleep(0.05)
        first.cancel()
        assert await ask(source, "plain") == Present({"text": "no JSON at all"})
        assert first.cancelled()


@pytest.mark.parametrize("kind", ["pipes", "events", "json", "stateless"])
async def test_a_tool_that_hangs_is_left_at_the_timeout(kind: str) -> None:
    async with either(kind, timeout=1.5) as source:
        await ask(source, "plain")
        begun = time.monotonic()
        assert await ask(source, "hangs") == Unknown("the server did not answer in time")
        assert time.monotonic() - begun < 2.2
        assert await ask(source, "plain") == Present({"text": "no JSON at all"})


async def test_a_server_that_hangs_again_and_again_is_started_anew() -> None:
    async with opened(timeout=4.0) as source:
        first = await process_of(source)
        assert {type(one) for one in await asyncio.gather(*(ask(source, "hangs") for _ in range(3)))} == {Unknown}
        second = await process_of(source)
        assert first != second
        assert not alive(first)


async def test_a_crash_is_unknown_and_the_next_look_starts_it_again() -> None:
    async with opened() as source:
        first = await process_of(source)
        beside = asyncio.create_task(ask(source, "slow", seconds=2))
        await asyncio.sleep(0.1)
        assert await ask(source, "crashes") == Unknown("the server ended the session")
        assert isinstance(await beside, (Present, Unknown))
        assert await process_of(source) != first


async def test_a_server_that_ended_unseen_costs_no_look() -> None:
    async with opened() as source:
        first = await process_of(source)
        os.kill(first, signal.SIGKILL)
        await asyncio.sleep(0.1)
        assert await process_of(source) != first


@pytest.mark.parametrize(
    ("command", "hint"),
    [
        (["/nowhere/at/all"], "could not be reached"),
        ([sys.executable, "-c", "pass"], "could not be reached"),
        ([sys.executable, "-c", "print('hello'); raise SystemExit(1)"], "could not be reached"),
        ([sys.executable, "-c", "import time; time.sleep(60)"], "did not answer in time"),
        ([sys.executable, "-c", "while True: print('no message at all')"], "could not be reached"),
        ([sys.executable, "-c", "import sys; sys.stdout.write('x' * 50_000_000); sys.stdin.read()"], "could not be"),
        ([sys.executable, "-c", 'while True: print(\'{"jsonrpc": "2.0", "method": "x"}\')'], "could not be reached"),
    ],
    ids=["no program", "ends", "a banner, and ends", "hangs", "floods with lines", "one line", "with messages"],
)
async def test_a_server_that_is_none(command: list[str], hint: str) -> None:
    async with opened(command=command, timeout=1.0) as source:
        begun = time.monotonic()
        sight = await ask(source, "plain")
        assert isinstance(sight, Unknown)
        assert hint in sight.reason
        assert "nowhere" not in sight.reason
        assert time.monotonic() - begun < 1.6


async def test_a_server_that_does_not_start_is_let_alone_for_a_moment() -> None:
    async with opened(command=["/nowhere/at/all"]) as source:
        await asyncio.gather(*(ask(source, "plain") for _ in range(5)))
        assert await ask(source, "plain") == Unknown("the server could not be reached a moment ago")


async def test_a_process_that_does_not_end_is_ended() -> None:
    stubborn = "import os, signal, sys, time; signal.signal(signal.SIGTERM, signal.SIG_IGN)\n" + (
        "from tests import mcp_server\nimport threading\n"
        "threading.Thread(target=time.sleep, args=(60,)).start()\nmcp_server.create().run()"
    )
    async with opened(command=[sys.executable, "-c", stubborn]) as source:
        process = await process_of(source)
        begun = time.monotonic()
    assert time.monotonic() - begun < 3
    assert not alive(process)


async def test_a_command_gets_the_token_and_no_other_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANOTHER_SECRET", "x")
    async with opened(env={"TOKEN": "t0k3n", "OTHER": "x"}, token_env="TOKEN") as source:
        sight = await ask(source, "told")
        assert isinstance(sight, Present)
        assert sight.fields["token"] == "t0k3n"
        assert not {"ANOTHER_SECRET", "OTHER"} & set(sight.fields["variables"])


async def test_a_url_gets_the_token_with_every_request(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    seen: list[dict[str, str]] = []
    async with (
        served(seen=seen) as port,
        opened(url=f"http://127.0.0.1:{port}/mcp", command=None, env={"T": "t0k3n"}, token_env="T") as source,
    ):
        assert await ask(source, "plain") == Present({"text": "no JSON at all"})
    assert seen
    assert {one.get("authorization") for one in seen} == {"Bearer t0k3n"}
    assert {one.get("accept-encoding") for one in seen} == {"identity"}


async def test_an_http_server_that_is_down_and_comes_back() -> None:
    async with served() as port, opened(url=f"http://127.0.0.1:{port}/mcp", command=None, timeout=2.0) as source:
        assert isinstance(await ask(source, "plain"), Present)
    async with opened(url=f"http://127.0.0.1:{port}/mcp", command=None, timeout=2.0) as source:
        sight = await ask(source, "plain")
        assert isinstance(sight, Unknown)
        assert str(port) not in sight.reason
        await asyncio.sleep(1.0)
        async with served(port):
            assert isinstance(await ask(source, "plain"), Present)
        assert isinstance(await ask(source, "plain"), Unknown)


def reply(status: int = 200, body: bytes = b"", kind: str = "application/json", **more: str) -> Script:
    return Script(status=status, headers={"content-type": kind, **more}, pieces=[body])


@pytest.mark.parametrize(
    "script",
    [
        reply(401),
        reply(403, b"secret"),
        reply(404),
        reply(500),
        reply(503),
        reply(200, b"<html>please log in</html>", "text/html"),
        reply(200, b"{"),
        reply(200, b"[" * 100_000),
        reply(200, b"x" * 20_000_000),
        reply(200, b"data: " + b"x" * 20_000_000, "text/event-stream"),
        reply(200, b"\x1f\x8b\x08\x00", **{"content-encoding": "gzip"}),
        reply(302, location="http://127.0.0.1:9/elsewhere"),
        reply(307, location="http://127.0.0.1:9/elsewhere"),
        reply(202),
        Script(hang=True),
        Script(reset=True, framing="length", pieces=[b"{"]),
    ],
)
async def test_an_http_server_that_is_none(script: Script, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    async with (
        ScriptedUpstream(script) as upstream,
        opened(url=f"{upstream.url}/mcp", command=None, timeout=1.0, env={"T": "t0k3n"}, token_env="T") as source,
    ):
        begun = time.monotonic()
        sight = await ask(source, "plain")
        assert isinstance(sight, Unknown)
        assert time.monotonic() - begun < 2
        assert "t0k3n" not in sight.reason + caplog.text


async def test_one_session_serves_the_looks_of_all() -> None:
    async with opened() as source:
        looks = Looks({"m": source})
        look = looks.of("acme", turn(messages([])), 4.0)
        asked = [{"tool": "pack.status", "arguments": json.dumps({"job_id": f"j{n % 5}"})} for n in range(40)]
        sights = await asyncio.gather(*(look("m", "j", one) for one in asked))
        assert [type(one) for one in sights] == [Present] * 40


@pytest.mark.parametrize(
    ("table", "key"),
    [
        ({"command": ["a"], "url": "http://a/"}, "command"),
        ({}, "command"),
        ({"command": "a b"}, "command"),
        ({"command": []}, "command"),
        ({"command": [1]}, "command"),
        ({"url": "ftp://a/"}, "url"),
        ({"url": "http://"}, "url"),
        ({"url": "http://a:b/"}, "url"),
        ({"url": 1}, "url"),
        ({"url": "https://user:password@a/"}, "url"),
        ({"url": "http://a/", "tools": None}, "tools"),
        ({"url": "http://a/", "tools": []}, "tools"),
        ({"url": "http://a/", "tools": "pack-status"}, "tools"),
        ({"url": "http://a/", "timeout": 0}, "timeout"),
        ({"url": "http://a/", "timeout": True}, "timeout"),
        ({"url": "http://a/", "timeout": "1"}, "timeout"),
        ({"url": "http://a/", "token_env": "NOT_SET"}, "token_env"),
        ({"url": "http://a/", "token_env": 1}, "token_env"),
        ({"url": "http://a/", "tool": []}, "tool"),
    ],
)
def test_a_wrong_table_is_told_by_its_key(table: Mapping[str, Any], key: str) -> None:
    with pytest.raises(ValueError, match=f"^{key}: ") as failure:
        build("m", {"type": "mcp", "tools": ["x"], **table}, {})
    assert "password" not in str(failure.value)
