"""What passes unaudited: with a key of ours only what is open by method and path, and no stored id but a tenant's own."""

from __future__ import annotations

import gzip
import hashlib
import json
import secrets
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from proxy.errors import RequestError
from proxy.passage import once_each
from tests.servers import REDIS, Script, ScriptedUpstream, Seen, needs, proxy
from tests.test_exchange import JSON, KEYED, conf

OPEN = KEYED.replace('["batches"]', '["files*", "batches*", "models*", "responses*"]')
OTHER = OPEN.replace("acme", "zeta").replace(
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", hashlib.sha256(b"xyz").hexdigest()
)
"""Another tenant, whose key is "xyz"."""


class Worker:
    """One of the processes that serve: what is asked of it, with a tenant's key."""

    def __init__(self, url: str) -> None:
        self.url = url

    async def ask(self, key: str, method: str, path: str, body: Any = None, **headers: str) -> int:
        async with httpx.AsyncClient(timeout=20) as client:
            mine = {"authorization": f"Bearer {key}", **{name.replace("_", "-"): one for name, one in headers.items()}}
            return (await client.request(method, self.url + path, json=body, headers=mine)).status_code


@asynccontextmanager
async def worker(
    tmp_path: Path, upstream: ScriptedUpstream, store: str = "", policies: dict[str, str] | None = None
) -> AsyncIterator[Worker]:
    more = 'api_key_env = "KEY"\n' + (f'[store]\nurl = "{store}"\n' if store else "")
    text = conf(upstream, more, 'secrets_env = "SECRETS"')
    async with proxy(
        tmp_path, text, policies or {"acme": OPEN, "zeta": OTHER}, SECRETS="s" * 32, KEY="ours"
    ) as running:
        yield Worker(running.url)


def packed(identifier: str) -> Callable[[Seen], Script]:
    """An answer with an id, in the encoding that was asked for, as providers answer."""

    def script(seen: Seen) -> Script:
        body = json.dumps({"id": identifier, "object": "x", "output": []}).encode()
        if "gzip" not in (seen.header("accept-encoding") or ""):
            return Script([body], headers=JSON, framing="length")
        return Script([gzip.compress(body)], headers={**JSON, "content-encoding": "gzip"}, framing="length")

    return script


def made(identifier: str) -> Script:
    return Script([json.dumps({"object": "x", "id": identifier}).encode()], headers=JSON, framing="length")


PAIRS = [
    ("GET", "/models", 200),
    ("GET", "/models/gpt-5", 200),
    ("GET", "/models/meta/llama", 200),
    ("POST", "/embeddings", 200),
    ("POST", "/messages/count_tokens", 200),
    ("DELETE", "/models/ft:gpt-4o:org::abc", 404),
    ("POST", "/models/ft:gpt-4o:org::abc", 404),
    ("PATCH", "/models", 404),
    ("PUT", "/models/x", 404),
    ("GET", "/embeddings", 404),
    ("DELETE", "/embeddings", 404),
    ("GET", "/messages/count_tokens", 404),
    ("GET", "/responses", 404),
    ("DELETE", "/responses", 404),
    ("GET", "/messages", 404),
    ("DELETE", "/messages", 404),
    ("GET", "/files", 404),
]


async def test_what_our_key_opens_is_a_method_and_a_path(tmp_path: Path) -> None:
    nothing_more = {"acme": KEYED.replace('["batches"]', "[]")}
    async with (
        ScriptedUpstream(made("x")) as upstream,
        worker(tmp_path, upstream, policies=nothing_more) as one,
    ):
        got = [(method, path, await one.ask("abc", method, path)) for method, path, _ in PAIRS]
        assert got == PAIRS
        assert len(upstream.requests) == sum(status == 200 for *_, status in PAIRS)


async def test_what_a_policy_opens_besides_takes_no_model_from_others(tmp_path: Path) -> None:
    async with ScriptedUpstream(made("x")) as upstream, worker(tmp_path, upstream) as one:  # `models*` is open
        assert await one.ask("abc", "GET", "/models/ft:gpt-4o:org::abc") == 200
        assert await one.ask("abc", "DELETE", "/models/ft:gpt-4o:org::abc") == 404


async def test_a_batch_is_its_maker_s_on_every_worker_and_after_a_restart(tmp_path: Path) -> None:
    needs(REDIS)
    store, batch = f"redis://{REDIS[0]}:{REDIS[1]}/0", f"batch_{secrets.token_hex(8)}"
    async with ScriptedUpstream(made(batch)) as upstream:
        async with worker(tmp_path, upstream, store) as one, worker(tmp_path, upstream, store) as two:
            assert await one.ask("abc", "GET", f"/batches/{batch}") == 404
            assert await one.ask("abc", "POST", "/batches", {}) == 200
            assert await two.ask("abc", "GET", f"/batches/{batch}") == 200
            assert await two.ask("xyz", "GET", f"/batches/{batch}") == 404
        async with worker(tmp_path, upstream, store) as three:
            assert await three.ask("abc", "GET", f"/batches/{batch}") == 200
            assert await three.ask("xyz", "GET", f"/batches/{batch}") == 404


async def test_an_answer_is_gone_on_from_on_another_worker(tmp_path: Path) -> None:
    """Also one whose answer nobody audits: its id is known before the client can name it."""
    needs(REDIS)
    store, answer = f"redis://{REDIS[0]}:{REDIS[1]}/0", f"resp_{secrets.token_hex(8)}"
    async with (
        ScriptedUpstream(packed(answer)) as upstream,
        worker(tmp_path, upstream, store) as one,
        worker(tmp_path, upstream, store) as two,
    ):
        then = {"model": "m", "input": "x", "previous_response_id": answer}
        assert await two.ask("abc", "POST", "/responses", then) == 404
        assert await one.ask("abc", "POST", "/responses", {"model": "m", "input": "x"}, x_groundwire="off") == 200
        assert await two.ask("abc", "POST", "/responses", then) == 200
        assert await two.ask("xyz", "POST", "/responses", then) == 404


async def test_what_is_made_is_known_whatever_encoding_its_maker_takes(tmp_path: Path) -> None:
    async with ScriptedUpstream(packed("file-packed1")) as upstream, worker(tmp_path, upstream) as one:
        assert await one.ask("abc", "POST", "/files", {}, accept_encoding="gzip, br") == 200
        assert await one.ask("abc", "GET", "/files/file-packed1", accept_encoding="gzip, br") == 200
        assert upstream.requests[1].header("accept-encoding") == "gzip, br"


async def test_of_a_store_that_is_down_no_id_opens(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    async with (
        ScriptedUpstream(made("batch_1")) as upstream,
        worker(tmp_path, upstream, f"redis://127.0.0.1:{port}/0") as one,
    ):
        assert await one.ask("abc", "POST", "/batches", {}) == 200
        assert await one.ask("abc", "GET", "/batches/batch_1") == 503
        named = {"model": "m", "messages": [{"role": "user", "content": [{"type": "file", "file": {"file_id": "f"}}]}]}
        assert await one.ask("abc", "POST", "/chat/completions", named) == 503
        assert len(upstream.requests) == 1


BATCH = {"input_file_id": "file-of-acme", "endpoint": "/v1/chat/completions"}
PLAIN = json.dumps(BATCH).encode()
FORM = b'--b\r\nContent-Disposition: form-data; name="input_file_id"\r\n\r\nfile-of-acme\r\n'
LARGE = b'--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n' + b"x" * 3_000_000 + b"\r\n"
JSON_TYPE, FORM_TYPE = "application/json", "multipart/form-data; boundary=b"
UNREADABLE = [
    (PLAIN, JSON_TYPE, "", 404),
    (b"\xef\xbb\xbf" + PLAIN, JSON_TYPE, "", 404),
    (PLAIN.decode().encode("utf-16-le"), JSON_TYPE, "", 415),
    (PLAIN.decode().encode("utf-32"), JSON_TYPE, "", 415),
    (b'{"metadata":' + b"[" * 5_000 + b"]" * 5_000 + b"," + PLAIN[1:], JSON_TYPE, "", 415),
    (b"[" + PLAIN + b"]", JSON_TYPE, "", 415),
    (gzip.compress(PLAIN), JSON_TYPE, "gzip", 415),
    (b"input_file_id=file-of-acme", "application/x-www-form-urlencoded", "", 415),
    (PLAIN, "text/plain", "", 404),
    (FORM + b"--b--\r\n", FORM_TYPE, "", 404),
    (FORM + b"--b--\r\n", "multipart/form-data", "", 400),
    (LARGE + FORM + b"--b--\r\n", FORM_TYPE, "", 404),
    (b'{"container": {"id": "c-of-acme"}}', JSON_TYPE, "", 404),
    (b'{"input_file_id": "file-of-acme", "input_file_id": "x"}', JSON_TYPE, "", 400),
    (b'{"a": [{"file_ids": [], "file_ids": []}]}', JSON_TYPE, "", 400),
    # what names nothing passes
    (b'{"a": 1, "a": 2}', JSON_TYPE, "", 200),
    (b"", JSON_TYPE, "", 200),
    (b"{}", JSON_TYPE, "", 200),
    (b'{"user_id": "me", "skills": [{"type": "anthropic", "skill_id": "xlsx"}]}', JSON_TYPE, "identity", 200),
    (LARGE + b"--b--\r\n", FORM_TYPE, "", 200),
]


@pytest.mark.parametrize(("body", "kind", "encoding", "status"), UNREADABLE)
async def test_a_body_goes_up_with_our_key_only_if_its_ids_can_be_read(
    tmp_path: Path, body: bytes, kind: str, encoding: str, status: int
) -> None:
    headers = {
        "authorization": "Bearer xyz",
        "content-type": kind,
        **({"content-encoding": encoding} if encoding else {}),
    }
    async with (
        ScriptedUpstream(made("x")) as upstream,
        worker(tmp_path, upstream) as one,
        httpx.AsyncClient() as client,
    ):
        reply = await client.post(one.url + "/batches", content=body, headers=headers)
        assert reply.status_code == status, reply.text
        assert [seen.body for seen in upstream.requests] == ([body] if status == 200 else [])


def test_a_key_that_stands_twice_among_very_many_is_named() -> None:
    keys = b",".join(b'"k%d": 1' % number for number in range(1_000))
    with pytest.raises(RequestError, match="'k7' stands twice"):
        once_each(b'{"file_id": "f", %s, "k7": 2}' % keys)


NAMES = [
    ("/chat/completions", {"messages": [{"role": "assistant", "audio": {"id": "audio_of_acme"}}]}, 404),
    ("/chat/completions", {"audio": {"voice": "alloy", "format": "wav"}, "modalities": ["text", "audio"]}, 200),
    ("/messages", {"container": "container_of_acme"}, 404),
    ("/messages", {"container": {"id": "container_of_acme"}}, 404),
    ("/messages", {"container": {"skills": [{"type": "custom", "skill_id": "skill_of_acme"}]}}, 404),
    ("/messages", {"container": {"skills": [{"type": "anthropic", "skill_id": "xlsx"}]}}, 200),
    ("/messages/count_tokens", {"container": "container_of_acme"}, 404),
    ("/responses", {"input": "x", "tools": [{"type": "code_interpreter", "container": "cntr_of_acme"}]}, 404),
    ("/responses", {"input": "x", "tools": [{"type": "code_interpreter", "container": {"type": "auto"}}]}, 200),
]


@pytest.mark.parametrize(("path", "more", "status"), NAMES)
async def test_what_a_request_names_is_its_tenant_s_own(tmp_path: Path, path: str, more: Any, status: int) -> None:
    body = {"model": "m", "messages": [{"role": "user", "content": "x"}], "max_tokens": 9, **more}
    async with ScriptedUpstream(made("x")) as upstream, worker(tmp_path, upstream) as one:
        assert await one.ask("xyz", "POST", path, body) == status
        assert len(upstream.requests) == (status == 200)


SOUND = {
    "index": 0,
    "message": {"role": "assistant", "content": None, "audio": {"id": "audio_1"}},
    "finish_reason": "stop",
}
PIECES = [
    {"index": 0, "delta": {"role": "assistant", "audio": {"id": "audio_1", "transcript": "Hi"}}},
    {"index": 0, "delta": {}, "finish_reason": "stop"},
]
SAID = b"".join(b"data: " + json.dumps({"id": "c", "choices": [one]}).encode() + b"\n\n" for one in PIECES)
BOXED = {
    "id": "m",
    "type": "message",
    "role": "assistant",
    "content": [{"type": "text", "text": "hi"}],
    "container": {"id": "box_1"},
}
EVENTS: list[dict[str, Any]] = [
    {"type": "message_start", "message": {"id": "m", "role": "assistant", "content": []}},
    {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": "hi"}},
    {"type": "content_block_stop", "index": 0},
    {"type": "message_delta", "delta": {"stop_reason": "end_turn", "container": {"id": "box_1"}}},
    {"type": "message_stop"},
]
BOXING = b"".join(f"event: {one['type']}\ndata: {json.dumps(one)}\n\n".encode() for one in EVENTS)


@pytest.mark.parametrize(
    ("path", "answer", "then"),
    [
        ("/chat/completions", {"choices": [SOUND]}, {"messages": [{"role": "assistant", "audio": {"id": "audio_1"}}]}),
        ("/chat/completions", SAID, {"messages": [{"role": "assistant", "audio": {"id": "audio_1"}}]}),
        ("/messages", BOXED, {"container": "box_1"}),
        ("/messages", BOXING, {"container": {"id": "box_1"}}),
    ],
    ids=["sound", "sound, streamed", "container", "container, streamed"],
)  # fmt: skip
async def test_what_was_made_for_an_answer_is_its_tenant_s(tmp_path: Path, path: str, answer: Any, then: Any) -> None:
    streamed = isinstance(answer, bytes)
    headers = {"content-type": "text/event-stream"} if streamed else JSON
    script = Script([answer if streamed else json.dumps(answer).encode()], headers=headers)
    asked = {"model": "m", "messages": [{"role": "user", "content": "x"}], "stream": streamed}
    async with ScriptedUpstream(script) as upstream, worker(tmp_path, upstream) as one:
        assert await one.ask("abc", "POST", path, {**asked, **then}) == 404
        assert await one.ask("abc", "POST", path, asked) == 200
        assert await one.ask("abc", "POST", path, {**asked, **then}) == 200
        assert await one.ask("xyz", "POST", path, {**asked, **then}) == 404


@pytest.mark.parametrize("cut", [1, 10, 24, 25, 30])
async def test_what_is_made_is_known_wherever_its_answer_is_cut(tmp_path: Path, cut: int) -> None:
    answer = b'{"object": "file", "id": "file-cut1", "bytes": 3}'
    script = Script([answer[:cut], 0.05, answer[cut:]], headers=JSON, framing="length")
    async with ScriptedUpstream(script) as upstream, worker(tmp_path, upstream) as one:
        assert await one.ask("abc", "POST", "/files", {}) == 200
        assert await one.ask("abc", "GET", "/files/file-cut1") == 200
