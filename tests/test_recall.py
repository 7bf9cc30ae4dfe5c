"""Requests that name earlier answers by their ids: audited with what those held, and where nobody knows it, not accused."""

from __future__ import annotations

import asyncio
import hashlib
import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from proxy import recall
from proxy.errors import StoreError
from proxy.footer import KEY
from proxy.store import Memory
from proxy.transcript import Answer, Message, ToolCall, ToolResult
from proxy.wire import Request, responses
from tests.servers import Proxy, Script, ScriptedUpstream, Seen, proxy
from tests.test_exchange import JSON, KEYED, conf
from tests.test_exchange_responses import FAILED, LANDED, LIE, TOOLS, edits, outputs
from tests.test_store import Trips
from tests.test_wire_responses import Stream


def answered(identifier: str, output: list[dict[str, Any]]) -> Script:
    body = Stream().response("completed", output=output) | {"id": identifier}
    return Script([json.dumps(body).encode()], headers=JSON, framing="length")


def streamed(identifier: str, stream: Stream) -> Script:
    return Script([stream.end().data.replace(b"resp_1", identifier.encode())])


def called(n: int) -> dict[str, Any]:
    return {"id": f"fc_{n}", "status": "completed", **edits()[n - 1]}


CALLS = [{"type": "reasoning", "id": "rs_1", "summary": []}, called(1), called(2)]
SAID = Stream().say(LIE).output


async def ask(running: Proxy, key: str = "", **more: Any) -> str:
    """The text of an answer."""
    headers = {"authorization": f"Bearer {key}"} if key else {}
    async with httpx.AsyncClient(headers=headers, timeout=20) as client:
        reply = await client.post(f"{running.url}/responses", json={"model": "m", "tools": TOOLS, **more})
    if reply.status_code != 200:
        return str(reply.status_code)
    document = reply.json()
    return "\n".join(part["text"] for item in document["output"] for part in item.get("content", ()))


@pytest.mark.parametrize(("second", "lied"), [(FAILED, True), (LANDED, False)])
@pytest.mark.parametrize("stream", [True, False])
async def test_a_turn_in_three_requests_is_one_turn(tmp_path: Path, stream: bool, second: str, lied: bool) -> None:
    begun = Stream().begin()
    for item in CALLS:
        begun.open(item).close(item)
    first = streamed("resp_a", begun) if stream else answered("resp_a", CALLS)
    async with (
        ScriptedUpstream(first, answered("resp_b", [*SAID])) as upstream,
        proxy(tmp_path, conf(upstream)) as running,
        httpx.AsyncClient() as client,
    ):
        body = {"model": "m", "tools": TOOLS, "input": "Update both.", "stream": stream}
        await client.post(f"{running.url}/responses", json=body)
        said = await ask(running, input=outputs(second), previous_response_id="resp_a")
        assert (KEY in said, "`2.md` — contradicted" in said) == (lied, lied)
        assert "footer" not in json.loads(upstream.requests[1].body)


async def test_the_chain_is_followed_to_its_beginning(tmp_path: Path) -> None:
    scripts = [
        answered("resp_a", [CALLS[1]]),
        answered("resp_b", [CALLS[2]]),
        answered("resp_c", Stream().say("I'll sum up.").output),
        answered("resp_d", Stream().say("I've updated `1.md` and `2.md`.").output),
    ]
    async with ScriptedUpstream(*scripts) as upstream, proxy(tmp_path, conf(upstream)) as running:
        await ask(running, input="Update both.", instructions="Be brief.")
        await ask(running, input=outputs(FAILED)[:1], previous_response_id="resp_a", instructions="Be brief.")
        await ask(running, input=outputs(FAILED)[1:], previous_response_id="resp_b", instructions="Be brief.")
        assert "`2.md` — contradicted" in await ask(running, input="And?", previous_response_id="resp_c")


UNKNOWN: list[dict[str, Any]] = [
    {"previous_response_id": "resp_x", "input": outputs(LANDED)},
    {"previous_response_id": "resp_x", "input": "Well?"},
    {"conversation": "conv_1", "input": "Well?"},
    {"conversation": {"id": "conv_1"}, "input": "Well?"},
    {"input": [{"type": "item_reference", "id": "msg_x"}, {"role": "user", "content": "Well?"}]},
    {"input": [{"id": "msg_x"}, {"role": "user", "content": "Well?"}]},
    {"input": [{"type": "compaction", "encrypted_content": "AAAA"}, {"role": "user", "content": "Well?"}]},
    {"prompt": {"id": "pmpt_1"}, "input": "Well?"},
]
WORDS = [
    "I've updated `a.md`.",
    "I've cancelled order 4711 and refunded $312.40.",
    "All 14 tests pass.",
    "I've deleted it.",
]


@pytest.mark.parametrize("more", UNKNOWN, ids=str)
async def test_nothing_is_accused_for_what_is_not_seen(tmp_path: Path, more: dict[str, Any]) -> None:
    scripts = [answered("resp_y", Stream().say(text).output) for text in WORDS]
    policy = {"default": 'extends = ["coding-agents", "general"]'}
    async with ScriptedUpstream(*scripts) as upstream, proxy(tmp_path, conf(upstream), policy) as running:
        for text in WORDS:
            said = await ask(running, **more)
            assert said.startswith(text)
            assert "**Groundwire**" not in said


async def test_the_same_words_are_accused_where_all_is_seen(tmp_path: Path) -> None:
    scripts = [answered("resp_y", Stream().say(text).output) for text in WORDS[:2]]
    policy = {"default": 'extends = ["coding-agents", "general"]'}
    async with ScriptedUpstream(*scripts) as upstream, proxy(tmp_path, conf(upstream), policy) as running:
        for _ in WORDS[:2]:
            assert "**Groundwire**" in await ask(running, input="Well?")


async def test_parts_of_answers_are_found_by_their_own_ids(tmp_path: Path) -> None:
    scripts = [answered("resp_a", CALLS), answered("resp_b", SAID)]
    names = [{"type": "item_reference", "id": item["id"]} for item in CALLS]
    async with ScriptedUpstream(*scripts) as upstream, proxy(tmp_path, conf(upstream)) as running:
        asked = {"role": "user", "content": "Update both."}
        await ask(running, input=[asked])
        given = [asked, *names, *outputs(FAILED)]
        assert "`2.md` — contradicted" in await ask(running, input=given)
        assert json.loads(upstream.requests[1].body)["input"] == given


async def test_what_the_client_does_not_store_is_not_kept(tmp_path: Path) -> None:
    scripts = [answered("resp_a", CALLS), answered("resp_b", SAID)] * 2
    async with ScriptedUpstream(*scripts) as upstream, proxy(tmp_path, conf(upstream)) as running:
        for store in (False, True):
            await ask(running, input="Update both.", store=store)
            said = await ask(running, input=outputs(FAILED), previous_response_id="resp_a")
            assert (KEY in said) == store


async def test_another_tenant_s_answer_is_not_there(tmp_path: Path) -> None:
    server, more = 'secrets_env = "SECRETS"', 'api_key_env = "KEY"'
    other = KEYED.replace("acme", "zeta").replace(
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", hashlib.sha256(b"xyz").hexdigest()
    )
    policies = {"acme": KEYED, "zeta": other}

    def made(seen: Seen) -> Script:
        return answered("resp_a", CALLS) if b"Update both" in seen.body else answered("resp_b", SAID)

    names = [{"type": "item_reference", "id": "fc_1"}, {"id": "fc_1"}]
    async with (
        ScriptedUpstream(made) as upstream,
        proxy(tmp_path, conf(upstream, more, server), policies, SECRETS="s" * 32, KEY="ours") as running,
    ):
        await ask(running, "abc", input="Update both.")
        theirs: list[dict[str, Any]] = [
            {"previous_response_id": "resp_a", "input": outputs(FAILED)},
            {"previous_response_id": "resp_b", "input": "x"},
            *({"input": [name]} for name in names),
            {"input": [{"role": "user", "content": [{"type": "input_file", "file_id": "file-1"}]}]},
            {"input": "x", "conversation": {"id": "conv_1"}},
            {"input": "x", "tools": [{"type": "file_search", "vector_store_ids": ["vs_1"]}]},
            {"input": "x", "tools": [{"type": "code_interpreter", "container": "cntr_1"}]},
        ]
        for body in theirs:
            assert await ask(running, "xyz", **body) == "404", body
        assert len(upstream.requests) == 1
        cited = {"type": "file_search_call", "id": "fs_1", "queries": ["q"], "results": [{"file_id": "file-2"}]}
        noted = {"type": "output_text", "text": "x", "annotations": [{"type": "file_citation", "file_id": "file-2"}]}
        own: list[dict[str, Any]] = [
            {"previous_response_id": "resp_a", "input": outputs(FAILED)},
            {"input": [{"role": "user", "content": "x"}, {"id": "fc_1"}]},
            {"input": [cited, {"role": "assistant", "content": [noted]}, {"role": "user", "content": "x"}]},
        ]
        for body in own:
            assert (await ask(running, "abc", **body)).startswith(LIE), body


def request(**more: Any) -> Request:
    return responses.read(json.dumps({"model": "m", "input": "Do it.", **more}).encode())


HOSTED = Message("assistant", "", (ToolCall("h", "mcp__s__put", "{}"),), (ToolResult("h", "ok \ud83d", False, ""),))


async def kept(store: Memory, asked: Request, identifier: str, text: str = "Done.", **more: Any) -> None:
    await recall.keep(asked, Answer(text=text, id=identifier, **more), "acme", store)


async def recalled(store: Memory, scope: str = "acme", **more: Any) -> Request:
    asked = request(**more)
    await recall.recall(asked, responses, scope, store)
    return asked


async def test_what_is_kept_comes_back_as_it_was() -> None:
    store = Memory()
    call = ToolCall("c1", "patch", '{"path": "a"}')
    await kept(store, request(instructions="Old."), "r1", calls=[call], hosted=HOSTED)
    then = [{"type": "function_call_output", "call_id": "c1", "output": "ok"}]
    second = await recalled(store, input=then, previous_response_id="r1", instructions="New.")
    expected = [
        Message("system", "New."),
        Message("user", "Do it."),
        Message("assistant", "Done.", (*HOSTED.calls, call), HOSTED.results),
        Message("tool", "ok", (), (ToolResult("c1", "ok"),)),
    ]
    assert list(second.transcript.messages) == expected
    assert (second.transcript.whole, second.transcript.kept) == (True, range(1, 3))
    await kept(store, second, "r2", "Bye.")
    third = await recalled(store, previous_response_id="r2")
    assert list(third.transcript.messages) == [*expected[1:], Message("assistant", "Bye."), Message("user", "Do it.")]
    assert third.transcript.messages[-1].text == "Do it."
    with pytest.raises(IndexError):
        third.transcript.messages[5]
    stranger = await recalled(store, "zeta", previous_response_id="r2")
    assert (len(stranger.transcript.messages), stranger.transcript.whole) == (1, False)


async def test_a_chain_that_is_broken_is_not_whole() -> None:
    store = Memory()
    await kept(store, request(previous_response_id="r0"), "r1")
    assert not (await recalled(store, previous_response_id="r1")).transcript.whole
    await kept(store, request(previous_response_id="r2"), "r2")  # one that leads to itself
    assert not (await recalled(store, previous_response_id="r2")).transcript.whole


async def test_what_is_too_much_is_left_out_and_said() -> None:
    store = Memory()
    await kept(
        store, request(input=[{"role": "user", "content": "x" * recall.LINK}, {"role": "user", "content": "y"}]), "r1"
    )
    found = (await recalled(store, previous_response_id="r1")).transcript
    assert [message.text for message in found.messages] == ["y", "Done.", "Do it."]
    assert not found.whole
    await kept(store, request(), "r2", "x" * (recall.LINK + 1))
    assert not (await recalled(store, previous_response_id="r2")).transcript.whole
    many = [{"type": "item_reference", "id": f"i{n}"} for n in range(recall.REFERENCES + 1)]
    assert not (await recalled(store, input=many)).transcript.whole


async def test_the_parts_that_a_request_names_are_asked_for_at_once() -> None:
    store = Trips()
    await kept(store, request(), "r1", items={f"i{n}": {"id": f"i{n}", "type": "message"} for n in range(400)})
    await recalled(store, input=[{"type": "item_reference", "id": f"i{n}"} for n in range(400)])
    assert store.trips == 1


async def test_an_answer_without_an_id_is_not_kept() -> None:
    store = Memory()
    await kept(store, request(), "")
    assert await store.get("acme", recall.ANSWER, "") is None


class Down(Memory):
    """A store that does not answer."""

    async def get(self, scope: str, kind: str, key: str) -> bytes | None:
        await asyncio.sleep(0)
        raise StoreError("down")

    async def put(self, scope: str, kind: str, key: str, value: bytes, seconds: float) -> bytes:
        await asyncio.sleep(0)
        raise StoreError("down")


async def test_a_store_that_is_down_costs_no_answer() -> None:
    await kept(Down(), request(), "r1")
    found = await recalled(Down(), previous_response_id="r1")
    assert (len(found.transcript.messages), found.transcript.whole) == (1, False)
