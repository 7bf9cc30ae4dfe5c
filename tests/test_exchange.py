"""Whole requests over real sockets: what a client gets, what the upstream gets, and what happens when either leaves."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import json
import socket
import time
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import brotli
import httpx
import pytest
import zstandard

from proxy.audit import Finding, Look
from proxy.auditors import Auditors
from proxy.claims import Claim
from proxy.footer import KEY
from proxy.ledger import Turn
from tests.relays import bytewise, halves, read, whole
from tests.servers import Proxy, Script, ScriptedUpstream, Seen, proxy
from tests.test_wire_chat import DONE, HELLO, USAGE, choice, end, event, say, text_of
from tests.transcripts import messages

LIE = "Both files are updated."
RAN = [
    ("patch", {"path": "a.md", "old_string": "x", "new_string": "y"}, {"success": True}),
    ("patch", {"path": "b.md", "old_string": "x", "new_string": "y"}, {"success": False, "error": "not found"}),
]
TOOLS = [{"type": "function", "function": {"name": "patch"}}]
STREAM = (
    event(choice({"role": "assistant", "content": ""}))
    + say("Both files ")
    + say("are updated.")
    + end()
    + USAGE
    + DONE
)
PLAIN = json.dumps(
    {"id": "x", "choices": [{"index": 0, "message": {"role": "assistant", "content": LIE}, "finish_reason": "stop"}]}
).encode()
JSON = {"content-type": "application/json"}


def conf(upstream: ScriptedUpstream, more: str = "", server: str = "") -> str:
    return f'[server]\n{server}\n[upstreams.main]\ntype = "http"\nbase_url = "{upstream.url}"\n{more}'


def asked(**more: Any) -> dict[str, Any]:
    return {"model": "m", "stream": True, "messages": messages(RAN), "tools": TOOLS, **more}


async def post(url: str, body: dict[str, Any], **headers: str) -> httpx.Response:
    async with httpx.AsyncClient(timeout=20) as client:
        return await client.post(
            f"{url}/chat/completions", json=body, headers={k.replace("_", "-"): v for k, v in headers.items()}
        )


async def idle(running: Proxy) -> None:
    """Wait until no upstream has anything open; fails by the test's own patience."""
    for _ in range(400):
        if not any(upstream.active for upstream in running.service.upstreams.values()):
            return
        await asyncio.sleep(0.005)
    raise AssertionError("an upstream connection is still open")


@pytest.mark.parametrize("cut", [whole, bytewise])
async def test_a_false_claim_gets_its_footer_in_the_stream(tmp_path: Path, cut: Callable[..., Any]) -> None:
    (pieces,) = list(cut(STREAM))
    async with ScriptedUpstream(Script(pieces)) as upstream, proxy(tmp_path, conf(upstream)) as running:
        reply = await post(running.url, asked())
        events = read(reply.content)
        assert text_of(events).startswith(LIE + "\n\n**Groundwire**: 1 claim in this answer does not hold")
        assert "`b.md` — contradicted" in text_of(events)
        assert [
            one.get("groundwire", {}).get("all_present")
            for one in events
            if isinstance(one, dict) and "groundwire" in one
        ] == [False]
        assert reply.headers["x-groundwire-audit"] in text_of(events)
        assert events[-1] == "[DONE]"
        assert events[-2]["usage"] == {"total_tokens": 3}
        await idle(running)


@pytest.mark.parametrize("cut", [whole, bytewise])
async def test_a_policy_that_observes_changes_no_byte_and_keeps_its_report(
    tmp_path: Path, cut: Callable[..., Any]
) -> None:
    (pieces,) = list(cut(STREAM))
    policies = {"default": 'extends = ["coding-agents", "general"]\nmode = "observe"\n'}
    async with (
        ScriptedUpstream(Script(pieces)) as upstream,
        proxy(tmp_path, conf(upstream), policies) as running,
        httpx.AsyncClient(timeout=10) as client,
    ):
        reply = await post(running.url, asked())
        assert reply.content == STREAM
        kept = await client.get(f"{running.url}/audits/{reply.headers['x-groundwire-audit']}")
        assert [one["subject"] for one in kept.json()["missing"]] == ["b.md"]


@dataclass(frozen=True, slots=True)
class Waits:
    """An auditor that says nothing before it may."""

    go: ClassVar[asyncio.Event]
    reads: ClassVar[frozenset[str]] = frozenset()

    async def audit(self, turn: Turn, claims: Sequence[Claim], look: Look) -> list[Finding]:
        await Waits.go.wait()
        return [Finding("contradicted", "c.md", "waited for")]


@pytest.mark.parametrize("stream", [True, False])
async def test_what_may_say_nothing_holds_nothing(tmp_path: Path, stream: bool) -> None:
    """The whole answer is with the client while the auditor still waits, for longer than the client would."""
    Waits.go = asyncio.Event()
    script = Script([STREAM]) if stream else Script([PLAIN], headers=JSON)
    policy = 'extends = ["coding-agents"]\nmode = "observe"\ndeadline = 60\n[[rules]]\nname = "w"\nauditor = "waits"\n'
    async with (
        ScriptedUpstream(script) as upstream,
        proxy(tmp_path, conf(upstream), {"default": policy}, Auditors({"waits": Waits})) as running,
        httpx.AsyncClient(timeout=10) as client,
    ):
        reply = await post(running.url, asked(stream=stream))
        assert reply.content == (STREAM if stream else PLAIN)
        place = f"{running.url}/audits/{reply.headers['x-groundwire-audit']}"
        assert (await client.get(place)).status_code == 404
        Waits.go.set()
        while (kept := await client.get(place)).status_code == 404:
            await asyncio.sleep(0.01)
        assert {one["subject"] for one in kept.json()["missing"]} == {"b.md", "c.md"}


async def test_the_stream_may_be_cut_anywhere(tmp_path: Path) -> None:
    cuts = list(halves(STREAM))[::7]
    async with (
        ScriptedUpstream(*(Script([one, 0.001, other]) for one, other in cuts)) as upstream,
        proxy(tmp_path, conf(upstream)) as running,
    ):
        seen = set()
        for _ in cuts:
            text = text_of(read((await post(running.url, asked())).content))
            seen.add(text.partition("[//]")[0])
        assert len(seen) == 1
        assert "b.md" in seen.pop()


HONEST_BODIES: list[dict[str, Any]] = [
    asked(messages=messages(RAN[:1])),
    asked(response_format={"type": "json_object"}),
    asked(tool_choice="required"),
    asked(logprobs=True),
    {"model": "m", "stream": True, "messages": [{"role": "user", "content": "hi"}]},
]


@pytest.mark.parametrize("body", HONEST_BODIES)
async def test_without_a_footer_no_byte_differs(tmp_path: Path, body: dict[str, Any]) -> None:
    async with ScriptedUpstream(Script([STREAM])) as upstream, proxy(tmp_path, conf(upstream)) as running:
        assert (await post(running.url, body)).content == STREAM


async def test_a_plain_answer_gets_its_footer_too(tmp_path: Path) -> None:
    async with (
        ScriptedUpstream(Script([PLAIN], headers=JSON, framing="length")) as upstream,
        proxy(tmp_path, conf(upstream)) as running,
    ):
        reply = await post(running.url, asked(stream=False))
        content = reply.json()["choices"][0]["message"]["content"]
        assert content.startswith(LIE + "\n\n**Groundwire**")
        assert reply.json()["groundwire"]["missing"][0]["subject"] == "b.md"
        honest = await post(running.url, asked(stream=False, messages=messages(RAN[:1])))
        assert honest.content == PLAIN


async def test_a_plain_answer_that_is_too_large_passes_as_it_comes_and_is_not_held(tmp_path: Path) -> None:
    large, open_still = PLAIN[:-1] + b', "x": "' + b"y" * 40_000 + b'"}', asyncio.Event()
    script = Script([large[:30_000], open_still, large[30_000:]], headers=JSON)
    async with (
        ScriptedUpstream(script) as upstream,
        proxy(tmp_path, conf(upstream, server="max_body = 20_000")) as running,
        httpx.AsyncClient(timeout=10) as client,
    ):
        came = b""
        url, body = f"{running.url}/chat/completions", asked(stream=False)
        async with client.stream("POST", url, json=body) as reply:
            async for piece in reply.aiter_raw():
                came += piece
                if len(came) == 30_000:  # all that was sent: none of it waits for the rest
                    open_still.set()
        assert came == large
        kept = await client.get(f"{running.url}/audits/{reply.headers['x-groundwire-audit']}")
        assert (kept.json()["incomplete"], kept.json()["findings"]) == (
            "the answer is over the limit of 20000 bytes",
            [],
        )


async def test_scenario_120_the_footer_does_not_go_up_again(tmp_path: Path) -> None:
    async with ScriptedUpstream(Script([STREAM])) as upstream, proxy(tmp_path, conf(upstream)) as running:
        answer = text_of(read((await post(running.url, asked())).content))
        assert KEY in answer
        for content in (answer, LIE):
            body = asked(
                messages=[
                    *messages(RAN),
                    {"role": "assistant", "content": content},
                    {"role": "user", "content": "Sure?"},
                ]
            )
            await post(running.url, body)
        assert upstream.requests[1].body == upstream.requests[2].body


async def test_scenario_125_switched_off_not_a_byte_differs(tmp_path: Path) -> None:
    async with ScriptedUpstream(Script([STREAM])) as upstream, proxy(tmp_path, conf(upstream)) as running:
        reply = await post(running.url, asked(), x_groundwire="off")
        assert reply.content == STREAM
        assert upstream.requests[0].header("x-groundwire") is None


async def test_the_switch_is_the_policy_s_to_allow(tmp_path: Path) -> None:
    policy = 'extends = ["coding-agents"]\nallow_off = false'
    async with (
        ScriptedUpstream(Script([STREAM])) as upstream,
        proxy(tmp_path, conf(upstream), {"default": policy}) as running,
    ):
        assert (await post(running.url, asked(), x_groundwire="off")).content != STREAM


async def raw_body(url: str) -> tuple[bytes, bool]:
    """The body of an answer, and whether it came to its proper end."""
    got = b""
    async with httpx.AsyncClient() as client, client.stream("POST", f"{url}/chat/completions", json=asked()) as reply:
        try:
            async for piece in reply.aiter_raw():
                got += piece
        except httpx.RemoteProtocolError:
            return got, False
    return got, True


@pytest.mark.parametrize("framing", ["chunked", "length"])
async def test_an_upstream_that_breaks_off_looks_broken(
    tmp_path: Path, framing: str, caplog: pytest.LogCaptureFixture
) -> None:
    broken = Script([HELLO, 0.02], framing=framing, reset=True)
    async with ScriptedUpstream(broken) as upstream, proxy(tmp_path, conf(upstream)) as running:
        got, whole_body = await raw_body(running.url)
        assert (got, whole_body) == (HELLO, False)
        await idle(running)
    said = [one.getMessage() for one in caplog.records if one.name == "groundwire"]
    assert said == ["upstream 'main' broke off in the middle of an answer"]


@pytest.mark.parametrize(
    ("method", "path", "status", "said"),
    [
        ("GET", "", 404, "There is nothing at /v1 itself; the API stands under /v1."),
        ("DELETE", "/ground", 405, "There is no DELETE for /v1/ground."),
        ("PROPFIND", "/chat/completions", 405, "There is no PROPFIND for /v1/chat/completions."),
        ("PUT", "/audits/0123", 405, "There is no PUT for /v1/audits/0123."),
    ],
)
async def test_what_is_not_there_is_told_as_an_error_of_the_api(
    tmp_path: Path, method: str, path: str, status: int, said: str
) -> None:
    async with (
        ScriptedUpstream(Script()) as upstream,
        proxy(tmp_path, conf(upstream)) as running,
        httpx.AsyncClient() as client,
    ):
        told = await client.request(method, running.url + path)
        assert (told.status_code, told.json()["error"]["message"]) == (status, said)
        assert upstream.requests == []


async def test_scenario_131_no_finish_no_footer(tmp_path: Path) -> None:
    cut = say(LIE)
    async with ScriptedUpstream(Script([cut])) as upstream, proxy(tmp_path, conf(upstream)) as running:
        assert (await post(running.url, asked())).content == cut


async def test_scenario_138_an_error_in_the_stream_passes_untouched(tmp_path: Path) -> None:
    failed = say(LIE) + b'data: {"error":{"message":"overloaded"}}\n\n'
    async with ScriptedUpstream(Script([failed])) as upstream, proxy(tmp_path, conf(upstream)) as running:
        assert (await post(running.url, asked())).content == failed


@pytest.mark.parametrize("status", [400, 401, 429, 500, 503])
async def test_refusals_pass_with_their_headers(tmp_path: Path, status: int) -> None:
    headers = {**JSON, "retry-after": "7", "x-ratelimit-remaining-requests": "0"}
    refused = Script([b'{"error":{"message":"no"}}'], status, headers, "length")
    async with ScriptedUpstream(refused) as upstream, proxy(tmp_path, conf(upstream)) as running:
        reply = await post(running.url, asked())
        assert (reply.status_code, reply.content) == (status, b'{"error":{"message":"no"}}')
        assert (reply.headers["retry-after"], reply.headers["x-ratelimit-remaining-requests"]) == ("7", "0")


ENCODINGS: list[tuple[str, Callable[[bytes], bytes]]] = [
    ("gzip", gzip.compress),
    ("deflate", zlib.compress),
    ("br", brotli.compress),
    ("zstd", zstandard.ZstdCompressor().compress),
]


@pytest.mark.parametrize(("encoding", "encode"), ENCODINGS)
async def test_compressed_upstreams_are_audited(
    tmp_path: Path, encoding: str, encode: Callable[[bytes], bytes]
) -> None:
    data = encode(STREAM)
    headers = {"content-type": "text/event-stream", "content-encoding": encoding}
    script = Script([data[:9], 0.005, data[9:]], headers=headers)
    async with ScriptedUpstream(script) as upstream, proxy(tmp_path, conf(upstream)) as running:
        assert "`b.md` — contradicted" in text_of(read((await post(running.url, asked())).content))


async def leave(url: str, wait_for: bytes | None, before: asyncio.Event | None = None) -> None:
    """Be a client that closes its socket: at once, or when it has seen some bytes, or when an event is set."""
    host, port = url.removeprefix("http://").removesuffix("/v1").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    body = json.dumps(asked()).encode()
    writer.write(b"POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-length: %d\r\n\r\n" % len(body) + body)
    if wait_for is not None:
        await reader.readuntil(wait_for)
    if before is not None:
        await before.wait()
    writer.close()


async def test_scenario_134_a_client_gone_before_the_first_byte(tmp_path: Path) -> None:
    asked_for = asyncio.Event()

    def hanging(seen: Seen) -> Script:
        asked_for.set()
        return Script(hang=True)

    async with ScriptedUpstream(hanging) as upstream, proxy(tmp_path, conf(upstream)) as running:
        await leave(running.url, None, asked_for)
        await asyncio.wait_for(upstream.closed.wait(), 5)
        await idle(running)


async def test_scenario_134_a_client_gone_in_mid_stream(tmp_path: Path) -> None:
    async with (
        ScriptedUpstream(Script([HELLO, asyncio.Event()])) as upstream,
        proxy(tmp_path, conf(upstream)) as running,
    ):
        await leave(running.url, b"Hel")
        await asyncio.wait_for(upstream.closed.wait(), 5)
        await idle(running)


@dataclass(frozen=True, slots=True)
class Slow:
    """An auditor that never ends, and tells when it began and when it was cancelled."""

    began: ClassVar[asyncio.Event]
    cancelled: ClassVar[asyncio.Event]
    reads: ClassVar[frozenset[str]] = frozenset()

    async def audit(self, turn: Turn, claims: Sequence[Claim], look: Look) -> list[Finding]:
        Slow.began.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            Slow.cancelled.set()
            raise
        return []


@pytest.fixture
def slow() -> Auditors:
    Slow.began, Slow.cancelled = asyncio.Event(), asyncio.Event()
    return Auditors({"slow": Slow})


def slow_policy(deadline: float) -> dict[str, str]:
    return {
        "default": f'extends = ["coding-agents"]\ndeadline = {deadline}\n[[rules]]\nname = "slow"\nauditor = "slow"\n'
    }


async def test_scenario_134_a_client_gone_during_the_hold(tmp_path: Path, slow: Auditors) -> None:
    script = Script([STREAM, asyncio.Event()])
    async with ScriptedUpstream(script) as upstream, proxy(tmp_path, conf(upstream), slow_policy(30), slow) as running:
        await leave(running.url, b"are updated.", Slow.began)
        await asyncio.wait_for(Slow.cancelled.wait(), 5)
        await asyncio.wait_for(upstream.closed.wait(), 5)
        await idle(running)


async def test_scenario_135_an_auditor_slower_than_its_deadline(tmp_path: Path, slow: Auditors) -> None:
    async with (
        ScriptedUpstream(Script([STREAM])) as upstream,
        proxy(tmp_path, conf(upstream), slow_policy(0.1), slow) as running,
    ):
        events = read((await post(running.url, asked())).content)
        assert "`b.md` — contradicted" in text_of(events)  # the other auditor's finding is not lost
        (report,) = [one["groundwire"] for one in events if isinstance(one, dict) and "groundwire" in one]
        assert report["failures"] == [{"rule": "slow", "auditor": "slow", "reason": "deadline"}]


async def test_a_long_hold_is_kept_alive_by_empty_deltas(tmp_path: Path, slow: Auditors) -> None:
    policy, server = slow_policy(1.4), "keepalive = 0.5"
    async with (
        ScriptedUpstream(Script([STREAM])) as upstream,
        proxy(tmp_path, conf(upstream, server=server), policy, slow) as running,
    ):
        started = time.monotonic()
        events = read((await post(running.url, asked())).content)
        took = time.monotonic() - started
        empty = [one for one in events if isinstance(one, dict) and one["choices"] == [choice({})]]
        assert 1 <= len(empty) <= took / 0.5  # two on a quiet machine; how many a busy one has time for is not ours
        assert events[-1] == "[DONE]"


@dataclass(frozen=True, slots=True)
class Raises:
    reads: ClassVar[frozenset[str]] = frozenset()

    async def audit(self, turn: Turn, claims: Sequence[Claim], look: Look) -> list[Finding]:
        raise KeyError("sk-secret0123456789")


async def test_scenario_153_an_auditor_that_raises_costs_a_line_at_most(tmp_path: Path) -> None:
    policy = {"default": 'extends = ["coding-agents"]\n[[rules]]\nname = "bad"\nauditor = "raises"\n'}
    async with (
        ScriptedUpstream(Script([STREAM])) as upstream,
        proxy(tmp_path, conf(upstream), policy, Auditors({"raises": Raises})) as running,
    ):
        text = text_of(read((await post(running.url, asked())).content))
        assert text.count("`b.md` — contradicted") == 1
        assert "1 check of Groundwire's own failed." in text
        assert "secret" not in text
        honest = await post(running.url, asked(messages=messages(RAN[:1])))
        assert honest.content == STREAM


async def test_a_slow_reader_holds_the_upstream_back(tmp_path: Path) -> None:
    flood = [say("x" * 60_000)] * 500
    async with ScriptedUpstream(Script(flood)) as upstream, proxy(tmp_path, conf(upstream)) as running:
        host, port = running.url.removeprefix("http://").removesuffix("/v1").split(":")
        raw = socket.create_connection((host, int(port)))
        raw.setblocking(False)
        body = json.dumps(asked()).encode()
        await asyncio.get_running_loop().sock_sendall(
            raw, b"POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-length: %d\r\n\r\n" % len(body) + body
        )
        sent = -1
        while upstream.sent != sent:  # until nothing moves any more
            sent = upstream.sent
            await asyncio.sleep(0.3)
        assert sent < 20_000_000  # sockets' and both programs' buffers, of 30 MB
        raw.close()
        await idle(running)


async def test_no_cross_talk_between_conversations(tmp_path: Path) -> None:
    """Scenarios 147 and 148: many at once, honest and not, forks of one history."""
    async with ScriptedUpstream(Script([STREAM])) as upstream, proxy(tmp_path, conf(upstream)) as running:
        honest, lying = asked(messages=messages(RAN[:1])), asked()
        replies = await asyncio.gather(*(post(running.url, honest if n % 2 else lying) for n in range(30)))
        assert [("b.md" in reply.text) for reply in replies] == [n % 2 == 0 for n in range(30)]
        await idle(running)


BAD: list[tuple[bytes, int, str]] = [
    (b"{", 400, "invalid_json"),
    (b"[]", 400, "invalid_json"),
    (b'{"model":"m"}', 400, "missing_messages"),
    (b'{"messages":[]}', 400, "missing_model"),
    (b'{"model":"m","messages":[],"x":"' + b"y" * 2_000_000 + b'"}', 413, "request_too_large"),
]


@pytest.mark.parametrize(("body", "status", "code"), BAD)
async def test_bad_requests_get_an_error_in_openai_s_shape(tmp_path: Path, body: bytes, status: int, code: str) -> None:
    async with (
        ScriptedUpstream(Script([STREAM])) as upstream,
        proxy(tmp_path, conf(upstream, server="max_body = 1000000")) as running,
    ):
        async with httpx.AsyncClient() as client:
            reply = await client.post(f"{running.url}/chat/completions", content=body)
        assert (reply.status_code, reply.json()["error"]["code"]) == (status, code)
        assert set(reply.json()["error"]) == {"message", "type", "param", "code"}
        assert upstream.requests == []


async def test_a_client_that_offers_another_protocol_keeps_its_body_and_its_connection(tmp_path: Path) -> None:
    """Java's own client offers HTTP/2 with every request, wherever there is no TLS."""
    body = json.dumps(asked(stream=False, user="\r\nUpgrade: h2c\r\n\r\nupgrade: x")).encode()
    head = b"POST /v1/chat/completions HTTP/1.1\r\nConnection: Upgrade, HTTP2-Settings\r\nhost: x\r\nUpgrade: h2c\r\n"
    head += b"HTTP2-Settings: AAEAAEAA\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n" % len(body)
    script = Script([PLAIN], headers=JSON, framing="length")
    async with ScriptedUpstream(script) as upstream, proxy(tmp_path, conf(upstream)) as running:
        reader, writer = await asyncio.open_connection("127.0.0.1", int(running.url.split(":")[2].removesuffix("/v1")))
        for _ in range(2):
            for piece in (head[:70], head[70:], body[:9], body[9:]):  # the header in a later packet than the first line
                writer.write(piece)
                await asyncio.sleep(0.02)
            answer = await reader.readuntil(b"\r\n\r\n")
            assert answer.startswith(b"HTTP/1.1 200 ")
            await reader.readexactly(int(answer.lower().split(b"content-length: ")[1].split(b"\r\n")[0]))
        writer.close()
        assert [seen.body for seen in upstream.requests] == [body, body]
        assert not any("upgrade" in name or "http2" in name for seen in upstream.requests for name, _ in seen.headers)


async def test_an_unreachable_upstream_is_a_bad_gateway(tmp_path: Path) -> None:
    config = '[upstreams.main]\ntype = "http"\nbase_url = "http://127.0.0.1:9/v1"\n'
    async with proxy(tmp_path, config) as running:
        reply = await post(running.url, asked())
        assert (reply.status_code, reply.json()["error"]["code"]) == (502, "upstream_unavailable")


PASSED: list[tuple[str, str, bytes]] = [
    ("GET", "/models?limit=2", b""),
    ("POST", "/embeddings", b'{"model": "e", "input": 1.10}'),
    ("POST", "/responses/compact", b'{"model": "r", "input": "hi"}'),
    ("POST", "/messages/count_tokens?beta=true", b'{"model": "c"}'),
    ("POST", "/messages/batches", b'{"requests": []}'),
    ("DELETE", "/files/file-1", b""),
    ("POST", "/audio/transcriptions", b"\x00\xff" * 1_500_000),
    ("GET", "/what/ever%2Felse?x=%20y", b""),
]


@pytest.mark.parametrize(("method", "path", "body"), PASSED)
async def test_everything_else_passes_untouched(tmp_path: Path, method: str, path: str, body: bytes) -> None:
    answer = b"\x1f\x8b any bytes"
    script = Script(
        [answer], headers={"content-type": "x/y", "content-encoding": "gzip", "x-own": "1"}, framing="length"
    )
    async with ScriptedUpstream(script) as upstream, proxy(tmp_path, conf(upstream)) as running:
        async with (
            httpx.AsyncClient() as client,
            client.stream(
                method,
                running.url + path,
                content=body,
                headers={"authorization": "Bearer mine", "connection": "x-hop", "x-hop": "1"},
            ) as reply,
        ):
            got = b"".join([piece async for piece in reply.aiter_raw()])
        (seen,) = upstream.requests
        assert (seen.method, seen.path, seen.body) == (method, "/v1" + path, body)
        assert (seen.header("authorization"), seen.header("x-hop")) == ("Bearer mine", None)
        assert (got, reply.headers["x-own"]) == (answer, "1")
        await idle(running)


async def test_what_is_not_under_v1_is_not_there(tmp_path: Path) -> None:
    async with ScriptedUpstream(Script([STREAM])) as upstream, proxy(tmp_path, conf(upstream)) as running:
        async with httpx.AsyncClient() as client:
            reply = await client.get(running.url.removesuffix("/v1") + "/nothing")
            health = await client.get(running.url.removesuffix("/v1") + "/healthz")
        assert (reply.status_code, health.json()) == (404, {"status": "ok"})


KEYED = """
tenant = "acme"
keys = ["sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"]
extends = ["coding-agents"]
passthrough = ["batches"]
"""  # the key is "abc"


async def test_a_tenant_s_key_stays_here_and_ours_goes_up(tmp_path: Path) -> None:
    server, more = 'secrets_env = "SECRETS"', 'api_key_env = "KEY"'
    async with (
        ScriptedUpstream(Script([STREAM])) as upstream,
        proxy(tmp_path, conf(upstream, more, server), {"acme": KEYED}, SECRETS="s" * 32, KEY="ours") as running,
        httpx.AsyncClient() as client,
    ):
        for headers in ({}, {"authorization": "Bearer wrong"}, {"authorization": "Bearer ours"}):
            refused = await client.post(f"{running.url}/chat/completions", json=asked(), headers=headers)
            assert (refused.status_code, refused.json()["error"]["code"]) == (401, "invalid_api_key")
        assert upstream.requests == []
        mine = {"authorization": "Bearer abc"}
        await client.post(f"{running.url}/chat/completions", json=asked(), headers=mine)
        assert upstream.requests[0].header("authorization") == "Bearer ours"
        statuses = {}
        for path in ("/embeddings", "/batches", "/files", "/files/file-1", "/responses/resp_1", "/models/../files"):
            reply = await client.post(f"{running.url}{path}", json={}, headers=mine)
            statuses[path] = reply.status_code
        assert statuses == {
            **dict.fromkeys(["/embeddings", "/batches"], 200),
            **dict.fromkeys(["/files", "/files/file-1", "/responses/resp_1", "/models/../files"], 404),
        }


async def test_a_stored_id_is_its_maker_s_alone(tmp_path: Path) -> None:
    def made(seen: Seen) -> Script:
        kind = "file-mine1" if seen.path.endswith("/files") else "batch_x"
        return Script([json.dumps({"object": "x", "id": kind}).encode()], headers=JSON, framing="length")

    server, more = 'secrets_env = "SECRETS"', 'api_key_env = "KEY"'
    acme = KEYED.replace('["batches"]', '["files*", "batches*", "responses*"]')
    zeta = acme.replace("acme", "zeta").replace(
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", hashlib.sha256(b"xyz").hexdigest()
    )
    async with (
        ScriptedUpstream(made) as upstream,
        proxy(
            tmp_path, conf(upstream, more, server), {"acme": acme, "zeta": zeta}, SECRETS="s" * 32, KEY="ours"
        ) as running,
        httpx.AsyncClient() as client,
    ):

        async def ask(key: str, method: str, path: str, body: Any = None) -> int:
            headers = {"authorization": f"Bearer {key}"}
            return (await client.request(method, running.url + path, json=body, headers=headers)).status_code

        assert await ask("abc", "GET", "/files/file-mine1") == 404
        assert await ask("abc", "POST", "/files", {"purpose": "batch"}) == 200
        assert await ask("abc", "GET", "/files/file-mine1/content") == 200
        assert await ask("abc", "POST", "/batches", {"input_file_id": "file-mine1"}) == 200
        for method, path, body in (
            ("GET", "/files/file-mine1", None),
            ("DELETE", "/files/file-mine1", None),
            ("GET", "/files", None),
            ("POST", "/batches", {"input_file_id": "file-mine1"}),
            ("POST", "/responses", {"previous_response_id": "resp_1"}),
            ("POST", "/responses", {"input": [{"content": [{"type": "input_file", "file_id": "file-mine1"}]}]}),
        ):
            assert await ask("xyz", method, path, body) == 404, path
        large = b'{"x": "' + b"y" * 1_500_000 + b'", "input_file_id": "file-mine1"}'
        for kind, status in (("application/json", 404), ("text/plain", 415)):
            headers = {"authorization": "Bearer xyz", "content-type": kind}
            assert (await client.post(running.url + "/batches", content=large, headers=headers)).status_code == status


async def test_models_find_their_upstream_by_name_and_alias(tmp_path: Path) -> None:
    async with ScriptedUpstream(Script([STREAM])) as one, ScriptedUpstream(Script([STREAM])) as other:
        config = (
            conf(one)
            .replace("[upstreams.main]", '[upstreams.one]\nmodels = ["gpt-*"]')
            .replace("[server]", "upstream = 'one'\n[server]")
        )
        config += f'[upstreams.other]\ntype = "http"\nbase_url = "{other.url}"\nmodels = ["claude-*"]\naliases = {{ fast = "claude-é" }}\n'
        async with proxy(tmp_path, config) as running:
            for model in ("gpt-4", "claude-3", "fast", "unknown"):
                await post(running.url, asked(model=model))
        assert [json.loads(seen.body)["model"] for seen in one.requests] == ["gpt-4", "unknown"]
        assert [json.loads(seen.body)["model"] for seen in other.requests] == ["claude-3", "claude-é"]


CHUNK, DONE = say("Hello"), end() + b"data: [DONE]\n\n"


@pytest.mark.parametrize(
    ("kind", "pieces", "held"),
    [
        ("", [CHUNK, DONE], False),
        ("text/plain", [CHUNK, DONE], False),
        ("application/octet-stream", [b"\xef\xbb\xbf: hello\n\n" + CHUNK, DONE], False),
        ("text/plain", [CHUNK[:3], CHUNK[3:], DONE], False),
        ("application/x-ndjson", [b'{"response": "Hello"}\n', b'{"done": true}\n'], False),
        ("text/html", [b"<html>\n<body>busy</body>", b"</html>"], False),
        ("", [b'{"choices": [', b"]}"], True),  # a plain answer, whatever it is called
    ],
)
async def test_a_stream_of_another_type_is_not_held(tmp_path: Path, kind: str, pieces: list[bytes], held: bool) -> None:
    script = Script([*pieces[:-1], 1.0, pieces[-1]], headers={"content-type": kind} if kind else {})
    clock = asyncio.get_running_loop().time
    body = asked(messages=[{"role": "user", "content": "hi"}], tools=[])
    async with (
        ScriptedUpstream(script) as upstream,
        proxy(tmp_path, conf(upstream)) as running,
        httpx.AsyncClient(timeout=20) as client,
    ):
        begun, first, got = clock(), 0.0, b""
        async with client.stream("POST", f"{running.url}/chat/completions", json=body) as reply:
            async for piece in reply.aiter_raw():
                first = first or clock() - begun
                got += piece
        assert got == b"".join(pieces)
        assert (first > 0.9) is held
