"""Audits that the model reads: attached to the very result, the same bytes again whenever it comes back."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import httpx
import pytest

from proxy.audit import NOTHING, Absent, Present, Question, Sight
from proxy.inject import attach
from proxy.ledger import read_turn
from proxy.library import Library
from proxy.looks import Looks
from proxy.store import Memory
from proxy.tables import Source as Text
from proxy.wire import chat
from tests.servers import Script, ScriptedUpstream, proxy
from tests.test_exchange import JSON, PLAIN, TOOLS, conf, post
from tests.test_store import Trips
from tests.transcripts import ROOT, Ran, messages

POLICY = """
extends = ["coding-agents", "deposits"]
deadline = 0.5
[[rules]]
name = "deposits"
inject = true
mode = "observe"
require_source = true
"""
HERE, GONE = "artifact.put/0a1b-here.md", "artifact.put/0c1d-gone.md"
DEPOSIT = {"pack": "artifact.put", "version": "1", "output": {"artifact_key": HERE}}


def put(result: Any, name: str = "artifact.put") -> Ran:
    return (name, {"name": "x"}, result)


def setting(tmp_path: Path, upstream: ScriptedUpstream, url: str = "") -> str:
    (tmp_path / "store/artifact.put").mkdir(parents=True, exist_ok=True)
    (tmp_path / "store" / HERE).write_text("hello")
    return conf(upstream, f'[sources.artifacts]\ntype = "objects"\nurl = "{url or f"file://{tmp_path}/store"}"\n')


def asked(raw: Sequence[Any]) -> dict[str, Any]:
    return {"model": "m", "messages": list(raw), "tools": TOOLS}


def told(body: bytes) -> list[Any]:
    return [one["content"] for one in json.loads(body)["messages"] if one["role"] == "tool"]


async def sent(tmp_path: Path, *raws: Sequence[Any], policy: str = POLICY, url: str = "") -> list[bytes]:
    """What the upstream gets of requests made one after another."""
    async with (
        ScriptedUpstream(Script([PLAIN], headers=JSON, framing="length")) as upstream,
        proxy(tmp_path, setting(tmp_path, upstream, url), {"default": policy}) as running,
    ):
        for raw in raws:
            assert (await post(running.url, asked(raw))).status_code == 200
        return [seen.body for seen in upstream.requests]


async def test_a_json_object_gets_a_last_key(tmp_path: Path) -> None:
    (body,) = await sent(tmp_path, messages([put(DEPOSIT)]))
    (text,) = told(body)
    document = json.loads(text)
    assert list(document) == ["pack", "version", "output", "groundwire"]
    assert document["groundwire"]["findings"] == [
        {"verdict": "verified", "subject": HERE, "reason": "it is in the store"}
    ]
    assert text.startswith(json.dumps(DEPOSIT)[:-1])


async def test_a_text_gets_a_line_below(tmp_path: Path) -> None:
    (body,) = await sent(tmp_path, messages([put(f"Stored as {HERE}.")]))
    (text,) = told(body)
    assert text.startswith(f"Stored as {HERE}.\n\n[groundwire] ")


async def test_the_last_text_of_parts_is_meant(tmp_path: Path) -> None:
    raw = messages([put(DEPOSIT)])
    raw[-1]["content"] = [{"type": "text", "text": "Done."}, {"type": "text", "text": json.dumps(DEPOSIT)}]
    (body,) = await sent(tmp_path, raw)
    first, second = told(body)[0]
    assert first["text"] == "Done."
    assert list(json.loads(second["text"])) == ["pack", "version", "output", "groundwire"]


@pytest.mark.parametrize(
    "result", [[HERE], 5, "null", "", {"error": "quota exceeded", "key": HERE}, {"note": "no key at all"}]
)
async def test_what_gets_nothing(tmp_path: Path, result: Any) -> None:
    raw = messages([put(result)])
    (body,) = await sent(tmp_path, raw)
    assert json.loads(body)["messages"] == raw


async def test_another_tool_s_result_gets_nothing(tmp_path: Path) -> None:
    raw = messages([put(DEPOSIT, "read_file")])
    (body,) = await sent(tmp_path, raw)
    assert json.loads(body)["messages"] == raw


async def test_the_same_bytes_come_back_in_every_later_request(tmp_path: Path) -> None:
    first = messages([put(DEPOSIT)])
    second = [*first, {"role": "assistant", "content": "Deposited."}, {"role": "user", "content": "Thanks."}]
    third = [*second, {"role": "assistant", "content": "Welcome."}, *messages([put(DEPOSIT)], first=9)]
    one, two, three = await sent(tmp_path, first, second, third)
    assert told(one) == told(two) == told(three)[:1]
    assert len(told(three)) == 2
    prefix = two[: two.index(b'{"role":"assistant","content":"Deposited."')]
    assert three.startswith(prefix)


async def test_what_once_went_up_without_stays_without(tmp_path: Path) -> None:
    """Nothing is known of a result behind which the assistant has spoken already: the model has read it as it is."""
    first = messages([put(DEPOSIT)])
    second = [*first, {"role": "assistant", "content": "Deposited."}, {"role": "user", "content": "Thanks."}]
    (body,) = await sent(tmp_path, second)
    assert json.loads(body)["messages"] == second


async def test_every_other_byte_stays(tmp_path: Path) -> None:
    raw = messages([put(DEPOSIT)])
    (with_audit,) = await sent(tmp_path, raw)
    (without,) = await sent(tmp_path, raw, policy='extends = ["coding-agents", "deposits"]')
    (text,) = told(with_audit)
    added = json.dumps(text[len(json.dumps(DEPOSIT)) - 1 : -1])[1:-1].encode()
    assert with_audit.replace(added, b"", 1) == without


async def test_a_store_that_is_down_is_said_to_the_model_as_unverifiable(tmp_path: Path) -> None:
    (body,) = await sent(tmp_path, messages([put(DEPOSIT)]), url=f"file://{tmp_path}/none")
    (finding,) = json.loads(told(body)[0])["groundwire"]["findings"]
    assert finding["verdict"] == "unverifiable"


async def test_the_switch_turns_it_off(tmp_path: Path) -> None:
    raw = messages([put(DEPOSIT)])
    async with (
        ScriptedUpstream(Script([PLAIN], headers=JSON, framing="length")) as upstream,
        proxy(tmp_path, setting(tmp_path, upstream), {"default": POLICY}) as running,
    ):
        await post(running.url, asked(raw), x_groundwire="off")
        assert json.loads(upstream.requests[0].body)["messages"] == raw


async def test_an_attachment_is_no_evidence_of_its_own(tmp_path: Path) -> None:
    """The auditors read what the tool said, not what was put beside it."""
    answer = f"Deposited `{GONE}`."
    reply = json.dumps(
        {
            "id": "x",
            "choices": [{"index": 0, "message": {"role": "assistant", "content": answer}, "finish_reason": "stop"}],
        }
    ).encode()
    async with (
        ScriptedUpstream(Script([reply], headers=JSON, framing="length")) as upstream,
        proxy(tmp_path, setting(tmp_path, upstream), {"default": POLICY.replace("observe", "annotate")}) as running,
    ):
        shown = await post(running.url, asked(messages([put(DEPOSIT)])))
        (missing,) = shown.json()["groundwire"]["missing"]
        assert (missing["subject"], missing["verdict"]) == (GONE, "contradicted")


class Late:
    """A source that answers when it is told to."""

    def __init__(self) -> None:
        self.gate = asyncio.Event()

    async def look(self, subject: str, question: Question = NOTHING) -> Sight:
        await self.gate.wait()
        return Present({"size": 5})

    async def aclose(self) -> None:
        return None


async def test_an_audit_that_comes_too_late_is_not_attached_later(tmp_path: Path) -> None:
    library = Library(ROOT / "policies")
    policy = library.policy(Text("p.toml", POLICY.replace("0.5", "0.05")), {"artifacts"})
    source, store = Late(), Memory()
    looks = Looks({"artifacts": source})
    body = json.dumps(asked(messages([put(DEPOSIT)]))).encode()
    for _ in range(2):
        request = chat.read(body)
        turn = read_turn(request.transcript, policy.marks)
        assert await attach(body, request, chat, policy, turn, "acme", looks, store) is body
        source.gate.set()
    assert await attach(body, request, chat, policy, turn, "zeta", looks, store) != body


class Empty:
    """A store that holds nothing, and counts how often it is asked."""

    def __init__(self) -> None:
        self.asked = 0

    async def look(self, subject: str, question: Question = NOTHING) -> Sight:
        self.asked += 1
        return Absent("not in the store")

    async def aclose(self) -> None:
        return None


async def test_a_key_that_is_not_there_yet_is_looked_for_once_as_the_request_waits() -> None:
    policy = Library(ROOT / "policies").policy(Text("p.toml", POLICY), {"artifacts"})
    source, body = Empty(), json.dumps(asked(messages([put(DEPOSIT)]))).encode()
    request = chat.read(body)
    turn = read_turn(request.transcript, policy.marks)
    more = await attach(body, request, chat, policy, turn, "acme", Looks({"artifacts": source}), Memory())
    (finding,) = json.loads(told(more)[0])["groundwire"]["findings"]
    assert finding["reason"] == "a tool returned this key, and it is not in the store yet"
    assert source.asked == 1


async def test_a_long_conversation_asks_its_store_once(tmp_path: Path) -> None:
    policy = Library(ROOT / "policies").policy(Text("p.toml", POLICY), {"artifacts"})
    raw = [*messages([put(DEPOSIT)] * 400), {"role": "assistant", "content": "Done."}, {"role": "user", "content": "?"}]
    request, store = chat.read(json.dumps(asked(raw)).encode()), Trips()
    turn = read_turn(request.transcript, policy.marks)
    body = json.dumps(asked(raw)).encode()
    assert await attach(body, request, chat, policy, turn, "acme", Looks({}), store) is body
    assert store.trips == 1


def anthropic(content: Any, **block: Any) -> dict[str, Any]:
    """A turn in Anthropic's shape whose deposit came back as told."""
    use = {"type": "tool_use", "id": "t1", "name": "artifact.put", "input": {"name": "x"}}
    return {
        "model": "m",
        "max_tokens": 10,
        "messages": [
            {"role": "user", "content": "Deposit it."},
            {"role": "assistant", "content": [use]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": content, **block}]},
        ],
        "tools": [{"name": "artifact.put", "input_schema": {"type": "object"}}],
    }


CACHED = {"cache_control": {"type": "ephemeral"}}
SHAPES: list[tuple[Any, dict[str, Any]]] = [
    (json.dumps(DEPOSIT), {}),
    (json.dumps(DEPOSIT), CACHED),
    ([{"type": "text", "text": json.dumps(DEPOSIT), **CACHED}], {}),
    ([{"type": "image", "source": {}}, {"type": "text", "text": json.dumps(DEPOSIT)}], CACHED),
]


@pytest.mark.parametrize(("content", "block"), SHAPES)
async def test_anthropic_s_results_get_theirs_and_every_other_byte_stays(
    tmp_path: Path, content: Any, block: dict[str, Any]
) -> None:
    body = json.dumps(anthropic(content, **block)).encode()
    later = anthropic(content, **block)
    later["messages"] += [{"role": "assistant", "content": "Deposited."}, {"role": "user", "content": "Thanks."}]
    reply = json.dumps({"type": "message", "content": [{"type": "text", "text": "ok"}], "stop_reason": "end_turn"})
    async with (
        ScriptedUpstream(Script([reply.encode()], headers=JSON, framing="length")) as upstream,
        proxy(tmp_path, setting(tmp_path, upstream), {"default": POLICY}) as running,
        httpx.AsyncClient(timeout=20) as client,
    ):
        for one in (body, json.dumps(later).encode()):
            answer = await client.post(running.url + "/messages", content=one, headers=JSON)
            assert answer.status_code == 200
        first, second = (seen.body for seen in upstream.requests)
    start = first.index(b', \\"groundwire\\"')
    added = first[start : start + len(first) - len(body)]
    assert first[:start] + first[start + len(added) :] == body
    told = json.loads(json.loads(b'"' + added[2:] + b'"').partition(": ")[2])
    assert told["findings"] == [{"verdict": "verified", "subject": HERE, "reason": "it is in the store"}]
    prefix = first[: first.index(b'], "tools"')]
    assert second.startswith(prefix)


@pytest.mark.parametrize("content", ["", [], [{"type": "image", "source": {}}], None])
async def test_an_anthropic_result_without_a_text_gets_nothing(tmp_path: Path, content: Any) -> None:
    body = json.dumps(anthropic(content)).encode()
    async with (
        ScriptedUpstream(Script([b"{}"], headers=JSON, framing="length")) as upstream,
        proxy(tmp_path, setting(tmp_path, upstream), {"default": POLICY}) as running,
        httpx.AsyncClient(timeout=20) as client,
    ):
        await client.post(running.url + "/messages", content=body, headers=JSON)
        assert [seen.body for seen in upstream.requests] == [body]
