"""Asking again and withholding, over real sockets and through the real clients: what the reader gets, and what the model is asked."""

from __future__ import annotations

import asyncio
import json
import re
import socket
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import httpx
import openai
import pytest
from anthropic import AsyncAnthropic

from proxy import attempts
from proxy.footer import KEY
from proxy.ledger import read_turn
from proxy.library import Library
from proxy.tables import Source
from proxy.wire import chat
from tests import test_wire_messages as anthropic
from tests.relays import bytewise, read, whole
from tests.servers import Script, ScriptedUpstream, Seen, proxy
from tests.test_anthropic import TOOLS as ANTHROPIC_TOOLS
from tests.test_anthropic import turn
from tests.test_exchange import JSON, RAN, TOOLS, conf, post
from tests.test_store import Trips
from tests.test_wire_chat import choice, event, text_of
from tests.transcripts import ROOT, messages

RETRY = 'extends = ["coding-agents"]\nmax_retries = 2\n[[rules]]\nname = "file-edits"\nmode = "retry"\n'
WITHHOLD = RETRY.replace('"retry"', '"withhold"')
LIE, OTHER, THIRD = "Both files are updated.", "I updated `b.md`.", "I've edited `b.md` again, and it is written."
HONEST = "`a.md` is updated. The edit of `b.md` failed."
CONFESSED = HONEST + " The edit of `c.md` failed too."
CALL = {"index": 0, "id": "t9", "type": "function", "function": {"name": "patch", "arguments": '{"path": "c.md"}'}}
Says = str | dict[str, Any]


def stream(says: Says, number: int) -> bytes:
    """A streamed answer with an identity of its own: text, or a call."""
    own = {"id": f"c{number}", "created": number, "model": f"m{number}"}
    deltas: list[dict[str, Any]] = [{"tool_calls": [says]}]
    if isinstance(says, str):
        deltas = [{"content": word} for word in re.findall(r"\S+ ?", says)]
    finish = "stop" if isinstance(says, str) else "tool_calls"
    events = [event(choice({"role": "assistant", "content": ""}), **own)]
    events += [event(choice(delta), **own) for delta in deltas]
    usage = {"prompt_tokens": 10, "completion_tokens": number, "total_tokens": 10 + number}
    return b"".join([*events, event(choice({}, finish), **own), event(**own, usage=usage), b"data: [DONE]\n\n"])


def plain(says: Says, number: int) -> bytes:
    message: dict[str, Any] = {"role": "assistant", "content": says if isinstance(says, str) else None}
    if not isinstance(says, str):
        message["tool_calls"] = [says]
    usage = {"prompt_tokens": 10, "completion_tokens": number, "total_tokens": 10 + number}
    finish = "stop" if isinstance(says, str) else "tool_calls"
    own = {"id": f"c{number}", "created": number, "model": f"m{number}", "object": "chat.completion"}
    return json.dumps(
        {**own, "choices": [{"index": 0, "message": message, "finish_reason": finish}], "usage": usage}
    ).encode()


def scripts(says: Sequence[Says | Script], streamed: bool, cut: Callable[..., Any] = whole) -> list[Script]:
    made = []
    for number, one in enumerate(says, 1):
        if isinstance(one, Script):
            made.append(one)
        elif streamed:
            (pieces,) = list(cut(stream(one, number)))
            made.append(Script(pieces))
        else:
            made.append(Script([plain(one, number)], headers=JSON, framing="length"))
    return made


def asked(streamed: bool, **more: Any) -> dict[str, Any]:
    return {"model": "m", "stream": streamed, "messages": messages(RAN), "tools": TOOLS, **more}


class Got:
    """What a client got, and what the upstream saw of it."""

    def __init__(self, reply: httpx.Response, seen: Sequence[Seen], report: Any) -> None:
        self.content, self.seen, self.report = reply.content, [json.loads(one.body) for one in seen], report
        if reply.headers["content-type"].startswith("text/event-stream"):
            self.events = [one for one in read(reply.content) if isinstance(one, dict)]
            self.text = text_of(self.events)
        else:
            self.events = [reply.json()]
            self.text = self.events[0]["choices"][0]["message"]["content"] or ""

    @property
    def identities(self) -> set[tuple[Any, ...]]:
        return {(one["id"], one["created"], one["model"]) for one in self.events}

    @property
    def usage(self) -> Any:
        return next(one["usage"] for one in reversed(self.events) if one.get("usage"))


async def got(
    tmp_path: Path,
    says: Sequence[Says | Script],
    streamed: bool,
    policy: str = RETRY,
    cut: Callable[..., Any] = whole,
    **more: Any,
) -> Got:
    async with (
        ScriptedUpstream(*scripts(says, streamed, cut)) as upstream,
        proxy(tmp_path, conf(upstream), {"default": policy}) as running,
    ):
        reply = await post(running.url, asked(streamed, **more))
        assert reply.status_code == 200
        async with httpx.AsyncClient() as client:
            kept = await client.get(f"{running.url}/audits/{reply.headers['x-groundwire-audit']}")
        return Got(reply, upstream.requests, kept.json() if kept.status_code == 200 else None)


STREAMED = pytest.mark.parametrize("streamed", [True, False], ids=["stream", "plain"])


@STREAMED
async def test_an_answer_that_holds_passes_with_not_a_byte_changed(tmp_path: Path, streamed: bool) -> None:
    found = await got(tmp_path, [HONEST], streamed)
    assert found.content == (stream(HONEST, 1) if streamed else plain(HONEST, 1))
    assert len(found.seen) == 1


@STREAMED
async def test_an_answer_that_does_not_hold_is_asked_for_again(tmp_path: Path, streamed: bool) -> None:
    found = await got(tmp_path, [LIE, HONEST], streamed)
    assert found.text == HONEST
    assert found.identities == {("c1", 1, "m1")}
    assert found.usage == {"prompt_tokens": 20, "completion_tokens": 3, "total_tokens": 23}
    first, second = found.seen
    *before, draft, feedback = second["messages"]
    assert (before, draft) == (first["messages"], {"role": "assistant", "content": LIE})
    assert feedback["role"] == "user"
    assert "`b.md` — contradicted: `the edit call failed: not found`" in feedback["content"]
    assert {**first, "messages": []} == {**second, "messages": []}
    (attempt,) = found.report["attempts"]
    assert attempt["resolved"] == ["`b.md` — contradicted: `the edit call failed: not found`"]
    assert found.report["outcome"] == "the last answer holds"


@pytest.mark.parametrize("cut", [whole, bytewise])
async def test_however_the_network_cuts_it(tmp_path: Path, cut: Callable[..., Any]) -> None:
    found = await got(tmp_path, [LIE, HONEST], True, cut=cut)
    assert (found.text, found.identities) == (HONEST, {("c1", 1, "m1")})
    assert sum("role" in one["choices"][0]["delta"] for one in found.events if one["choices"]) == 1
    finishes = [one["choices"][0]["finish_reason"] for one in found.events if one["choices"]]
    assert finishes == [None] * (len(finishes) - 1) + ["stop"]


@STREAMED
@pytest.mark.parametrize(
    ("says", "retries", "asked_for", "note"),
    [
        ([LIE, LIE, HONEST], 2, 2, "asked again once; the same was found twice in a row"),
        ([LIE, OTHER, THIRD, HONEST], 0, 1, ""),
        ([LIE, Script([b"no"], 500), HONEST], 2, 2, ""),
        ([LIE, Script([b""], reset=True), HONEST], 2, 2, ""),
    ],
)
async def test_the_last_answer_leaves_with_a_footer(
    tmp_path: Path, streamed: bool, says: list[Says | Script], retries: int, asked_for: int, note: str
) -> None:
    found = await got(tmp_path, says, streamed, RETRY.replace("max_retries = 2", f"max_retries = {retries}"))
    assert found.text.startswith(LIE + "\n\n**Groundwire**: 1 claim")
    assert (len(found.seen), note in found.text) == (asked_for, True)
    assert found.text.count(KEY) == 1
    assert found.identities == {("c1", 1, "m1")}
    assert ("asked again" in found.text) == bool(note)


@STREAMED
async def test_two_retries_are_three_answers(tmp_path: Path, streamed: bool) -> None:
    ran = [*RAN, ("patch", {"path": "c.md"}, {"success": False, "error": "gone"})]
    found = await got(
        tmp_path,
        ["I updated `b.md` and `c.md`.", "I updated `b.md`.", "I updated `c.md`.", HONEST],
        streamed,
        messages=messages(ran),
    )
    assert len(found.seen) == 3
    assert found.text.startswith("I updated `c.md`.\n\n**Groundwire**")
    assert "The model was asked again 2 times; no retries are left." in found.text
    assert [len(one["messages"]) - len(found.seen[0]["messages"]) for one in found.seen] == [0, 2, 4]
    assert [one["new"] for one in found.report["attempts"]] == [
        [],
        ["`c.md` — contradicted: `the edit call failed: gone`"],
    ]


@STREAMED
async def test_a_retry_that_goes_on_with_tools_is_a_tool_turn(tmp_path: Path, streamed: bool) -> None:
    async with (
        ScriptedUpstream(*scripts([LIE, CALL, "I updated `c.md`.", CONFESSED], streamed)) as upstream,
        proxy(tmp_path, conf(upstream), {"default": RETRY}) as running,
    ):
        first = Got(await post(running.url, asked(streamed)), [], None)
        if streamed:
            calls = [one["choices"][0]["delta"].get("tool_calls") for one in first.events if one["choices"]]
            (call,) = [call for some in calls if some for call in some]
            finish = [one["choices"][0]["finish_reason"] for one in first.events if one["choices"]][-1]
        else:
            (call,) = first.events[0]["choices"][0]["message"]["tool_calls"]
            finish = first.events[0]["choices"][0]["finish_reason"]
        assert (call["id"], finish, first.text, first.identities) == ("t9", "tool_calls", "", {("c1", 1, "m1")})

        made = {key: CALL[key] for key in ("id", "type", "function")}
        failed = {"role": "tool", "tool_call_id": "t9", "content": '{"success": false, "error": "still gone"}'}
        went = [*messages(RAN), {"role": "assistant", "content": None, "tool_calls": [made]}, failed]
        second = Got(await post(running.url, asked(streamed, messages=went)), [], None)
        assert second.text == CONFESSED
        sent = [json.loads(one.body)["messages"] for one in upstream.requests]
        draft, feedback = sent[1][-2:]
        assert sent[2] == [*messages(RAN), draft, feedback, *went[-2:]]
        assert sent[3][:-2] == sent[2]  # the same bytes again, and the second try behind them
        assert sent[3][-2]["content"] == "I updated `c.md`."

        later = [*went, {"role": "assistant", "content": HONEST}, {"role": "user", "content": "Thanks."}]
        await post(running.url, asked(streamed, messages=later))
        assert json.loads(upstream.requests[4].body)["messages"][: len(sent[2])] == sent[2]


def went(said: str, identifier: str, **call: Any) -> list[dict[str, Any]]:
    """What a client sends on after a call of a retried answer."""
    made = {key: CALL[key] for key in ("type", "function")} | {"id": identifier} | call
    result = {"role": "tool", "tool_call_id": identifier, "content": json.dumps({"success": False, "error": said})}
    return [{"role": "assistant", "content": None, "tool_calls": [made]}, result]


@STREAMED
async def test_each_try_is_attached_once_and_where_it_was_made(tmp_path: Path, streamed: bool) -> None:
    third = RETRY.replace("max_retries = 2", "max_retries = 3")
    says: list[Says | Script] = [LIE, CALL, "I updated `c.md`.", {**CALL, "id": "t10"}, CONFESSED]
    async with (
        ScriptedUpstream(*scripts(says, streamed)) as upstream,
        proxy(tmp_path, conf(upstream), {"default": third}) as running,
    ):
        await post(running.url, asked(streamed))
        first = [*messages(RAN), *went("gone", "t9")]
        await post(running.url, asked(streamed, messages=first))
        await post(running.url, asked(streamed, messages=[*first, *went("still gone", "t10")]))
        sent = [json.loads(one.body)["messages"] for one in upstream.requests]
        assert sent[1][:-2] == sent[0]
        assert sent[2] == [*sent[1], *went("gone", "t9")]
        assert sent[3][:-2] == sent[2]
        assert sent[4] == [*sent[3], *went("still gone", "t10")]


async def test_calls_made_at_once_that_come_back_one_by_one_bring_their_tries_once(tmp_path: Path) -> None:
    other = {**CALL, "index": 1, "id": "t10"}
    both = stream(CALL, 2).replace(b'"delta":{},', b'"delta":{"tool_calls":[%s]},' % json.dumps(other).encode(), 1)
    async with (
        ScriptedUpstream(*scripts([LIE, Script([both]), CONFESSED], True)) as upstream,
        proxy(tmp_path, conf(upstream), {"default": RETRY}) as running,
    ):
        await post(running.url, asked(True))
        (one, first), (two, second) = went("gone", "t9"), went("gone", "t10")
        await post(running.url, asked(True, messages=[*messages(RAN), one, two, first, second]))
        sent = [json.loads(one.body)["messages"] for one in upstream.requests]
        assert sent[2] == [*sent[1], one, two, first, second]


@pytest.mark.parametrize("identifier", ["t9", "c0"])
async def test_tries_are_of_their_own_conversation_whatever_its_calls_are_called(
    tmp_path: Path, identifier: str
) -> None:
    says: list[Says | Script] = [LIE, {**CALL, "id": identifier}, CONFESSED, HONEST]
    async with (
        ScriptedUpstream(*scripts(says, True)) as upstream,
        proxy(tmp_path, conf(upstream), {"default": RETRY}) as running,
    ):
        await post(running.url, asked(True))
        await post(running.url, asked(True, messages=[*messages(RAN), *went("gone", identifier)]))
        elsewhere = [*messages(RAN, user="Please do something else."), *went("gone", identifier)]
        await post(running.url, asked(True, messages=elsewhere))
        sent = [json.loads(one.body)["messages"] for one in upstream.requests]
        assert sent[2] == [*sent[1], *went("gone", identifier)]
        assert sent[3] == elsewhere


async def test_the_retries_of_a_turn_are_counted_over_its_tool_calls(tmp_path: Path) -> None:
    once = RETRY.replace("max_retries = 2", "max_retries = 1")
    async with (
        ScriptedUpstream(*scripts([LIE, CALL, "I updated `c.md`.", HONEST], True)) as upstream,
        proxy(tmp_path, conf(upstream), {"default": once}) as running,
    ):
        await post(running.url, asked(True))
        made = {key: CALL[key] for key in ("id", "type", "function")}
        failed = {"role": "tool", "tool_call_id": "t9", "content": '{"success": false, "error": "still gone"}'}
        went = [*messages(RAN), {"role": "assistant", "content": None, "tool_calls": [made]}, failed]
        second = Got(await post(running.url, asked(True, messages=went)), [], None)
        assert second.text.startswith("I updated `c.md`.\n\n**Groundwire**")
        assert "no retries are left" in second.text
        assert len(upstream.requests) == 3


def shaped(said: str, number: int, *front: bytes, role: bool = False, middle: bytes = b"") -> Script:
    """A streamed answer that begins as some servers begin it; `role`: its first words come with the role."""
    own: dict[str, Any] = {"id": f"c{number}", "created": number, "model": f"m{number}"}
    opens = [] if role else [event(choice({"role": "assistant", "content": ""}), **own)]
    first, rest = said[:5], said[5:]
    words = event(choice({"role": "assistant", "content": first} if role else {"content": first}), **own)
    end = event(choice({}, "stop"), **own) + b"data: [DONE]\n\n"
    return Script([*front, *opens, words, middle, event(choice({"content": rest}), **own), end])


AZURE = event(id="", created=0, model="", prompt_filter_results=[])
NOT_JSON = b"data: {oops\n\n"
BEGINNINGS: dict[str, Callable[[str, int], Script]] = {
    "the role with the first words": lambda said, number: shaped(said, number, role=True),
    "the role with the first words, then alone": lambda said, number: shaped(said, number, role=number == 1),
    "the role alone, then with the first words": lambda said, number: shaped(said, number, role=number == 2),
    "an event without a choice": lambda said, number: shaped(said, number, AZURE),
    "an event that is no JSON": lambda said, number: shaped(said, number, NOT_JSON, middle=NOT_JSON),
    "a sentinel": lambda said, number: shaped(said, number, b"data: ready\n\n"),
    "a comment": lambda said, number: shaped(said, number, b": one moment\n\n", role=True),
}


@pytest.mark.parametrize("policy", [RETRY, WITHHOLD])
@pytest.mark.parametrize("begins", BEGINNINGS.values(), ids=BEGINNINGS)
async def test_however_a_server_begins_its_stream(
    tmp_path: Path, policy: str, begins: Callable[[str, int], Script]
) -> None:
    async with (
        ScriptedUpstream(begins(LIE, 1), begins(HONEST, 2)) as upstream,
        proxy(tmp_path, conf(upstream, server="keepalive = 0.5"), {"default": policy}) as running,
    ):
        reply = await post(running.url, asked(True))
    lines = [line.removeprefix(b"data: ") for line in reply.content.split(b"\n") if line.startswith(b'data: {"')]
    events = [one for one in map(json.loads, lines) if one["choices"]]
    assert events[-1]["choices"][0]["finish_reason"] == "stop"
    assert {one["id"] for one in events} in ({"c1"}, {"c2"}) if policy == RETRY else ({"c1"},)
    assert text_of(events) == HONEST if policy == RETRY else text_of(events).startswith("**Groundwire** withheld")
    roles = [one["choices"][0]["delta"]["role"] for one in events if "role" in one["choices"][0]["delta"]]
    assert roles[0] == "assistant"
    assert "role" in events[0]["choices"][0]["delta"]
    assert LIE[5:].encode() not in reply.content


@STREAMED
@pytest.mark.parametrize("policy", [RETRY, WITHHOLD])
async def test_a_server_that_sends_more_choices_than_were_asked_for(
    tmp_path: Path, streamed: bool, policy: str
) -> None:
    if streamed:
        double = stream(LIE, 1).replace(b"data: [", event(choice({"content": LIE}, "stop", 1)) + b"data: [", 1)
        script = Script([double])
    else:
        whole_answer = json.loads(plain(LIE, 1))
        whole_answer["choices"] += [{**whole_answer["choices"][0], "index": 1}]
        script = Script([json.dumps(whole_answer).encode()], headers=JSON, framing="length")
    async with (
        ScriptedUpstream(script) as upstream,
        proxy(tmp_path, conf(upstream), {"default": policy}) as running,
    ):
        reply = await post(running.url, asked(streamed))
        assert reply.content == b"".join(piece for piece in script.pieces if isinstance(piece, bytes))
    later = await got(tmp_path, [LIE, script], streamed)
    assert later.text.startswith(LIE + "\n\n**Groundwire**")


@STREAMED
async def test_what_a_withheld_answer_cost_is_said(tmp_path: Path, streamed: bool) -> None:
    found = await got(tmp_path, [LIE], streamed, WITHHOLD)
    assert found.usage == {"prompt_tokens": 10, "completion_tokens": 1, "total_tokens": 11}


@STREAMED
async def test_a_withheld_answer_is_replaced_by_its_report(tmp_path: Path, streamed: bool) -> None:
    found = await got(tmp_path, [LIE], streamed, WITHHOLD)
    assert found.text == (
        "**Groundwire** withheld this answer: 1 claim in it does not hold against the evidence.\n\n"
        "- `b.md` — contradicted: `the edit call failed: not found`"
    )
    assert found.identities == {("c1", 1, "m1")}
    assert LIE.encode() not in found.content
    assert found.usage == {"prompt_tokens": 10, "completion_tokens": 1, "total_tokens": 11}  # it was spent
    assert not streamed or found.content.endswith(b"}\n\ndata: [DONE]\n\n")
    assert (await got(tmp_path, [HONEST], streamed, WITHHOLD)).text == HONEST


@STREAMED
@pytest.mark.parametrize("policy", [RETRY, WITHHOLD])
@pytest.mark.parametrize(
    "more",
    [
        {"response_format": {"type": "json_object"}},
        {"tool_choice": "required"},
        {"n": 2},
        {"messages": messages(RAN[:1])},
    ],
)
async def test_what_is_neither_asked_for_again_nor_withheld(
    tmp_path: Path, streamed: bool, policy: str, more: dict[str, Any]
) -> None:
    found = await got(tmp_path, [LIE], streamed, policy, **more)
    assert found.text.startswith(LIE)
    assert len(found.seen) == 1


@STREAMED
async def test_what_is_only_recorded_is_not_told_to_the_model(tmp_path: Path, streamed: bool) -> None:
    ran = [*RAN, ("bash", {"command": "pytest -q"}, {"output": "1 failed, 2 passed", "exit_code": 1})]
    policy = RETRY + '[[rules]]\nname = "commands"\nmode = "observe"\n'
    says: list[Says | Script] = [LIE + " All tests pass.", HONEST + " All tests pass."]
    found = await got(tmp_path, says, streamed, policy, messages=messages(ran))
    assert found.text == HONEST + " All tests pass."
    feedback = found.seen[1]["messages"][-1]["content"]
    assert "`b.md`" in feedback
    assert "tests" not in feedback
    (attempt,) = found.report["attempts"]
    assert [one["verdict"] for one in found.report["findings"] if one["rule"] == "commands"] == ["contradicted"]
    assert (attempt["findings"], attempt["new"]) == (attempt["resolved"], [])


@STREAMED
async def test_without_its_store_no_answer_is_asked_for_again_and_none_is_lost(tmp_path: Path, streamed: bool) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    async with (
        ScriptedUpstream(*scripts([LIE, HONEST], streamed)) as upstream,
        proxy(
            tmp_path, conf(upstream, f'[store]\nurl = "redis://127.0.0.1:{port}/0"\n'), {"default": RETRY}
        ) as running,
    ):
        found = Got(await post(running.url, asked(streamed)), upstream.requests, None)
    assert found.text.startswith(LIE + "\n\n**Groundwire**")
    assert len(found.seen) == 1


async def test_a_long_conversation_asks_its_store_once() -> None:
    body = json.dumps({"model": "m", "messages": messages(RAN * 200)}).encode()
    request, store = chat.read(body), Trips()
    turn = read_turn(request.transcript, Library(ROOT / "policies").policy(Source("p.toml", RETRY), ()).marks)
    assert await attempts.attach(body, request, chat, turn, "acme", store) == (body, ())
    assert store.trips == 1


async def test_the_switch_turns_it_off(tmp_path: Path) -> None:
    async with (
        ScriptedUpstream(*scripts([LIE, HONEST], True)) as upstream,
        proxy(tmp_path, conf(upstream), {"default": RETRY}) as running,
    ):
        reply = await post(running.url, asked(True), x_groundwire="off")
        assert (reply.content, len(upstream.requests)) == (stream(LIE, 1), 1)


@pytest.mark.parametrize("cut", [whole, bytewise])
@pytest.mark.parametrize("line_end", [b"\r\n", b"\r"])
async def test_other_line_ends(tmp_path: Path, cut: Callable[..., Any], line_end: bytes) -> None:
    answers = [stream(one, number).replace(b"\n", line_end) for number, one in enumerate([LIE, HONEST], 1)]
    found = await got(tmp_path, [Script(next(cut(one))) for one in answers], True)
    assert (found.text, found.identities) == (HONEST, {("c1", 1, "m1")})
    assert found.usage["total_tokens"] == 23
    assert line_end == b"\r" or found.content.count(b"\n") == found.content.count(b"\r\n")


@STREAMED
async def test_a_later_answer_of_another_kind_is_none(tmp_path: Path, streamed: bool) -> None:
    (other,) = scripts([HONEST], not streamed)
    found = await got(tmp_path, [LIE, other], streamed)
    assert found.text.startswith(LIE + "\n\n**Groundwire**")
    assert len(found.seen) == 2


@STREAMED
async def test_a_first_answer_of_another_kind_than_was_asked_for(tmp_path: Path, streamed: bool) -> None:
    others = scripts([LIE, HONEST], not streamed)
    async with (
        ScriptedUpstream(*others) as upstream,
        proxy(tmp_path, conf(upstream), {"default": RETRY}) as running,
    ):
        found = Got(await post(running.url, asked(streamed)), upstream.requests, None)
    assert (found.text, found.identities) == (HONEST, {("c1", 1, "m1")})


async def test_a_model_that_hangs_when_it_is_asked_again_costs_no_answer(tmp_path: Path) -> None:
    hangs = Script(hang=True)
    found = await got(tmp_path, [LIE, hangs], True, "retry_timeout = 1.0\n" + RETRY)
    assert found.text.startswith(LIE + "\n\n**Groundwire**")


@pytest.mark.parametrize("says", [[HONEST], [LIE, HONEST]], ids=["first", "asked again"])
async def test_an_upstream_that_stays_open_when_it_is_done_is_not_waited_for(tmp_path: Path, says: list[str]) -> None:
    never = asyncio.Event()
    answers = [Script([stream(one, number)[:-1], b"\n", never]) for number, one in enumerate(says, 1)]
    async with asyncio.timeout(8):
        found = await got(tmp_path, answers, True)
    assert (found.text, found.content.endswith(b"data: [DONE]\n\n")) == (HONEST, True)
    assert found.report.get("retries", 0) == len(says) - 1


async def test_a_first_answer_that_breaks_off_looks_broken(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    cut = stream(LIE, 1)
    cut = cut[: cut.index(b"updated")]
    async with (
        ScriptedUpstream(Script([cut], reset=True)) as upstream,
        proxy(tmp_path, conf(upstream), {"default": RETRY}) as running,
        httpx.AsyncClient(timeout=10) as client,
    ):
        came = b""
        with pytest.raises(httpx.RemoteProtocolError):
            async with client.stream("POST", f"{running.url}/chat/completions", json=asked(True)) as reply:
                async for piece in reply.aiter_raw():
                    came += piece
        assert came == cut
    said = [one.getMessage() for one in caplog.records if one.name == "groundwire"]
    assert said == ["upstream 'main' broke off in the middle of an answer"]


VOID = b'data: {"error":{"message":"overloaded"},"choices":[]}\n\n'
UNDONE = {
    "broken off": (lambda one: one[: one.index(b'"finish_reason":"stop"') - 60], True),
    "no finish": (lambda one: one[: one.index(b'"finish_reason":"stop"')].rpartition(b"data: ")[0], False),
    "an error": (lambda one: one[: one.index(b'"finish_reason":"stop"')].rpartition(b"data: ")[0] + VOID, False),
    "content filter": (lambda one: one.replace(b'"stop"', b'"content_filter"'), False),
}


@pytest.mark.parametrize("cut", [whole, bytewise])
@pytest.mark.parametrize("policy", [RETRY, WITHHOLD])
@pytest.mark.parametrize(("of", "reset"), UNDONE.values(), ids=UNDONE)
async def test_what_was_not_finished_is_withheld_too_and_still_looks_unfinished(
    tmp_path: Path, of: Callable[[bytes], bytes], reset: bool, policy: str, cut: Callable[..., Any]
) -> None:
    for says in (LIE, HONEST):
        data, came = of(stream(says, 1)), b""
        async with (
            ScriptedUpstream(Script([*next(cut(data)), 0.2], reset=reset)) as upstream,
            proxy(tmp_path, conf(upstream), {"default": policy}) as running,
            httpx.AsyncClient(timeout=10) as client,
        ):
            with pytest.raises(httpx.RemoteProtocolError) if reset else nullcontext():
                async with client.stream("POST", f"{running.url}/chat/completions", json=asked(True)) as reply:
                    async for piece in reply.aiter_raw():
                        came += piece
        if (says, policy) != (LIE, WITHHOLD):
            assert came == data
            continue
        finished = b"content_filter" in data
        said = text_of(read(came))
        assert said.startswith("**Groundwire** withheld") if finished else said == ""
        assert came.endswith(VOID) == data.endswith(VOID)
        assert (b"[DONE]" in came) == finished


async def test_who_waits_hears_that_somebody_is_there(tmp_path: Path) -> None:
    answer = stream(LIE, 1)
    head, rest = answer[: answer.index(b"data:", 1)], answer[answer.index(b"data:", 1) :]
    slow = Script([head, 1.3, rest])
    async with (
        ScriptedUpstream(slow, *scripts([HONEST], True)) as upstream,
        proxy(tmp_path, conf(upstream, server="keepalive = 0.5"), {"default": RETRY}) as running,
        httpx.AsyncClient(timeout=10) as client,
    ):
        pieces: list[bytes] = []
        async with client.stream("POST", f"{running.url}/chat/completions", json=asked(True)) as reply:
            pieces += [piece async for piece in reply.aiter_raw()]
        events = [one for one in read(b"".join(pieces)) if isinstance(one, dict)]
        empty = [
            one
            for one in events
            if one["choices"] and one["choices"][0]["delta"] == {} and not one["choices"][0]["finish_reason"]
        ]
        assert len(empty) >= 2
        assert text_of(events) == HONEST
        assert pieces[0].startswith(head)


BEGUN = stream(LIE, 1)[:400]


@pytest.mark.parametrize(
    "ours",
    [
        [Script(hang=True)],
        [Script([BEGUN, 60.0])],
        [Script([plain(LIE, 1)[:40], 60.0], headers=JSON)],
        [*scripts([LIE], True), Script(hang=True)],
        [*scripts([LIE], False), Script(hang=True)],
        [*scripts([LIE], True), Script([BEGUN, 60.0])],
    ],
    ids=["before it", "in it", "in a plain one", "before a later one", "before a later plain one", "in a later one"],
)
async def test_who_leaves_leaves_nothing_open(tmp_path: Path, ours: list[Script]) -> None:
    async with (
        ScriptedUpstream(*ours) as upstream,
        proxy(tmp_path, conf(upstream, server="keepalive = 0.5"), {"default": RETRY}) as running,
        httpx.AsyncClient(timeout=10) as client,
    ):
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(1.0):
                await client.post(f"{running.url}/chat/completions", json=asked(True))
        for _ in range(200):
            if not any(one.active for one in running.service.upstreams.values()):
                break
            await asyncio.sleep(0.01)
        assert not any(one.active for one in running.service.upstreams.values())


@STREAMED
async def test_openai_s_own_client_reads_the_retried_answer(tmp_path: Path, streamed: bool) -> None:
    async with (
        ScriptedUpstream(*scripts([LIE, HONEST], streamed)) as upstream,
        proxy(tmp_path, conf(upstream), {"default": RETRY}) as running,
    ):
        client = openai.AsyncOpenAI(api_key="k", base_url=running.url, max_retries=0)
        body: Any = {"model": "m", "messages": messages(RAN), "tools": TOOLS}
        if streamed:
            chunks = [one async for one in await client.chat.completions.create(**body, stream=True)]
            text = "".join(one.choices[0].delta.content or "" for one in chunks if one.choices)
            usage: Any = chunks[-1].usage
        else:
            final = await client.chat.completions.create(**body)
            text, usage = final.choices[0].message.content, final.usage
        await client.close()
        assert (text, usage.total_tokens) == (HONEST, 23)


OF_TWO = "`1.md` is updated. The edit of `2.md` failed."


def anthropic_answer(text: str, number: int, streamed: bool, thinks: bool = False) -> Script:
    if not streamed:
        blocks = [{"type": "text", "text": text}]
        usage = {"input_tokens": 10, "output_tokens": number}
        body = {"id": f"msg_{number}", "type": "message", "role": "assistant", "model": "m", "content": blocks}
        return Script(
            [json.dumps({**body, "stop_reason": "end_turn", "stop_sequence": None, "usage": usage}).encode()],
            headers=JSON,
            framing="length",
        )
    usage = {"input_tokens": 10, "output_tokens": 1}
    message = {"id": f"msg_{number}", "type": "message", "role": "assistant", "model": "m", "content": []}
    opened = anthropic.event(
        "message_start", message={**message, "stop_reason": None, "stop_sequence": None, "usage": usage}
    )
    thought = anthropic.think(0) if thinks else b""
    ended = anthropic.event(
        "message_delta", delta={"stop_reason": "end_turn", "stop_sequence": None}, usage={"output_tokens": number}
    )
    return Script([opened + thought + anthropic.say(text, index=int(thinks)) + ended + anthropic.event("message_stop")])


@STREAMED
@pytest.mark.parametrize("thinks", [True, False])
@pytest.mark.parametrize(
    ("policy", "says", "expected"),
    [
        (RETRY, [OF_TWO], OF_TWO),
        (RETRY, [LIE, OF_TWO], OF_TWO),
        (RETRY, [LIE, LIE], LIE + "\n\n**Groundwire**: 1 claim"),
        (WITHHOLD, [LIE], "**Groundwire** withheld this answer"),
    ],
)
async def test_anthropic_s_own_client_reads_what_it_came_to(
    tmp_path: Path, streamed: bool, thinks: bool, policy: str, says: list[str], expected: str
) -> None:
    answers = [anthropic_answer(one, number, streamed, thinks) for number, one in enumerate(says, 1)]
    async with (
        ScriptedUpstream(*answers) as upstream,
        proxy(tmp_path, conf(upstream), {"default": policy}) as running,
    ):
        client = AsyncAnthropic(api_key="k", base_url=running.url.removesuffix("/v1"), max_retries=0)
        body: Any = {
            "model": "m",
            "max_tokens": 99,
            "messages": turn("<tool_use_error>String to replace not found in file.</tool_use_error>"),
            "tools": ANTHROPIC_TOOLS,
        }
        if streamed:
            async with client.messages.stream(**body) as events:
                final: Any = await events.get_final_message()
        else:
            final = await client.messages.create(**body)
        await client.close()
        texts = [block.text for block in final.content if block.type == "text"]
        assert len(texts) == 1
        assert texts[0].startswith(expected)
        assert (final.id, final.stop_reason) == ("msg_1", "end_turn")
        assert len(upstream.requests) == len(says)
        if len(says) == 2:
            draft, feedback = json.loads(upstream.requests[1].body)["messages"][-2:]
            assert (draft["role"], feedback["role"]) == ("assistant", "user")
            assert "2.md" in json.dumps(feedback)
            assert final.usage.output_tokens == 3
