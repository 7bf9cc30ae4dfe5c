"""OpenAI's responses on the wire: requests read and edited, answers relayed, each stream cut in every way."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proxy import ledger
from proxy.errors import RequestError
from proxy.transcript import Message, ToolCall, ToolResult
from proxy.turn_id import turn_id
from proxy.wire import Edit, Request, responses
from tests import relays
from tests.relays import CUTS, FOOT, REPORT, through
from tests.transcripts import marks


def request(**more: Any) -> Request:
    return responses.read(json.dumps({"model": "m", "stream": True, "input": "Hi.", **more}).encode())


class Stream:
    """A stream as the API sends it, written event by event; every event gets the next number."""

    def __init__(self) -> None:
        self.data = b""
        self.number = 0
        self.output: list[dict[str, Any]] = []

    def event(self, named: str, **more: Any) -> Stream:
        document = {"type": named, "sequence_number": self.number, **more}
        self.data += f"event: {named}\ndata: {json.dumps(document)}\n\n".encode()
        self.number += 1
        return self

    def response(self, status: str, **more: Any) -> dict[str, Any]:
        return {"id": "resp_1", "status": status, "output": [], **more}

    def begin(self) -> Stream:
        return self.event("response.created", response=self.response("in_progress"))

    def open(self, item: dict[str, Any]) -> Stream:
        return self.event("response.output_item.added", output_index=len(self.output), item=item)

    def close(self, item: dict[str, Any]) -> Stream:
        self.event("response.output_item.done", output_index=len(self.output), item=item)
        self.output.append(item)
        return self

    def item(self, named: str, **more: Any) -> Stream:
        """A call, as a whole."""
        item = {"type": named, "id": f"it_{len(self.output)}", "status": "completed", **more}
        return self.open({**item, "status": "in_progress"}).close(item)

    def think(self) -> Stream:
        item = {"type": "reasoning", "id": f"rs_{len(self.output)}", "summary": []}
        own = {"item_id": item["id"], "output_index": len(self.output), "summary_index": 0}
        self.open(item)
        self.event("response.reasoning_summary_part.added", part={"type": "summary_text", "text": ""}, **own)
        self.event("response.reasoning_summary_text.delta", delta="Hm, “so”.", **own)
        return self.close({**item, "summary": [{"type": "summary_text", "text": "Hm, “so”."}]})

    def later(self, count: int) -> Stream:
        """Events that nobody knows yet."""
        for _ in range(count):
            self.event("x")
        return self

    def comment(self) -> Stream:
        self.data += b": hi\n\n"
        return self

    def say(self, *pieces: str, kind: str = "output_text", **more: Any) -> Stream:
        """A message of one part."""
        return self.parts([(kind, pieces)], **more)

    def parts(self, parts: list[tuple[str, tuple[str, ...]]], **more: Any) -> Stream:
        item = {"type": "message", "id": f"msg_{len(self.output)}", "role": "assistant", **more}
        self.open({**item, "status": "in_progress", "content": []})
        content = []
        for number, (kind, pieces) in enumerate(parts):
            own = {"item_id": item["id"], "output_index": len(self.output), "content_index": number}
            field = "refusal" if kind == "refusal" else "text"
            rest: dict[str, Any] = {} if kind == "refusal" else {"annotations": [], "logprobs": []}
            whole = "".join(pieces)
            self.event("response.content_part.added", part={"type": kind, field: "", **rest}, **own)
            logprobs: dict[str, Any] = {} if kind == "refusal" else {"logprobs": []}
            for piece in pieces:
                self.event(f"response.{kind}.delta", delta=piece, obfuscation="x7", **logprobs, **own)
            self.event(f"response.{kind}.done", **{field: whole}, **logprobs, **own)
            content.append({"type": kind, field: whole, **rest})
            self.event("response.content_part.done", part=content[-1], **own)
        return self.close({**item, "status": "completed", "content": content})

    def end(self, status: str = "completed", **more: Any) -> Stream:
        tools = [{"type": "function", "name": "f", "parameters": {"sequence_number": 7, "text": "x"}}]
        response = self.response(status, **{"tools": tools, "output": self.output, "usage": {"n": 3}, **more})
        return self.event(f"response.{status}", response=response)


def hello() -> Stream:
    return Stream().begin().say("Hel", "lo 😀.")


def lines(stream: Stream, old: str, new: str) -> bytes:
    assert old.encode() in stream.data
    return stream.data.replace(old.encode(), new.encode())


def without(stream: Stream, named: str) -> bytes:
    """A stream of a server that leaves out one event; its numbers are then not contiguous."""
    return b"".join(
        block + b"\n\n" for block in stream.data.split(b"\n\n") if block and f"event: {named}\n".encode() not in block
    )


CALL = {"call_id": "c1", "name": "patch", "arguments": '{"path": "a.md"}'}
CALLS: dict[str, dict[str, Any]] = {
    "custom_tool_call": {"name": "apply_patch", "input": "*** Begin Patch"},
    "local_shell_call": {"action": {"type": "exec", "command": ["ls"]}},
    "shell_call": {"action": {"commands": ["ls"]}},
    "apply_patch_call": {"operation": {"type": "delete_file", "path": "a"}},
    "computer_call": {"action": {"type": "click"}},
    "tool_search_call": {"arguments": {}, "execution": "client"},
    "mcp_approval_request": {"name": "put", "server_label": "s", "arguments": "{}"},
}
SEARCH = {"action": {"type": "search", "query": "q", "sources": [{"type": "url", "url": "https://x.example"}]}}
PLAIN = hello().end()
MUST_LEAVE: dict[str, Callable[[Stream], Stream]] = {
    "long reasoning": lambda stream: stream.think().later(29),
    "a keepalive": lambda stream: stream.event("keepalive"),
    "a keepalive while the model reasons": lambda stream: stream.think().event("keepalive"),
    "a comment": lambda stream: stream.comment(),
}
"""What comes behind a text and says that the end is not near: a client that would hear nothing of it might give up."""

DECORATED: dict[str, bytes] = {
    "plain": PLAIN.data,
    "reasoning first": Stream().begin().think().say("Hi.").end().data,
    "reasoning after the text": hello().think().end().data,
    "reasoning twice after the text": hello().think().think().end().data,
    "as much reasoning as may be held": hello().think().later(28).end().data,
    "as much reasoning as may be held, in crlf": hello().think().later(28).end().data.replace(b"\n", b"\r\n"),
    "long reasoning, then text": hello().think().later(29).say("Bye.").think().end().data,
    "a keepalive, then text": hello().event("keepalive").say("Bye.").end().data,
    "a comment, then text": hello().comment().say("Bye.").end().data,
    "a keepalive and a comment behind the end": hello().end().event("keepalive").comment().data,
    "two messages": hello().say("Bye.").end().data,
    "two parts": Stream().begin().parts([("output_text", ("One.",)), ("output_text", ("Two.",))]).end().data,
    "a commentary, then the answer": Stream()
    .begin()
    .say("I look.", phase="commentary")
    .say("Done.", phase="final_answer")
    .end()
    .data,
    "a hosted call, then text": hello().item("web_search_call", **SEARCH).say("Found.").end().data,
    "a call over MCP, then text": Stream()
    .begin()
    .item("mcp_call", name="put", server_label="store", arguments="{}", output="ok", error=None)
    .say("Put.")
    .end()
    .data,
    "a shell in the provider's container": Stream()
    .begin()
    .item("shell_call", call_id="s", action={"commands": ["ls"]}, environment={"type": "container_reference"})
    .item("shell_call_output", call_id="s", output=[])
    .say("Listed.")
    .end()
    .data,
    "incomplete": hello().end("incomplete", incomplete_details={"reason": "max_output_tokens"}).data,
    "crlf": PLAIN.data.replace(b"\n", b"\r\n"),
    "cr": PLAIN.data.replace(b"\n", b"\r"),
    "no last newline": PLAIN.data[:-2],
    "comments": b": hi\n\n"
    + PLAIN.data.replace(b"event: response.content_part.done", b": x\nevent: response.content_part.done"),
    "ids of events": PLAIN.data.replace(b"event: ", b"id: 7\nevent: "),
    "events without a name": b"".join(line + b"\n\n" for line in PLAIN.data.split(b"\n") if line.startswith(b"data")),
    "no space behind the colon": PLAIN.data.replace(b"data: ", b"data:"),
    "data in several lines": PLAIN.data.replace(b', "output_index"', b',\ndata:  "output_index"'),
    "a sentinel behind": PLAIN.data + b"data: [DONE]\n\n",
    "an unknown event": hello().event("response.later", x=1).end().data,
    "an annotation behind the text": hello().event("response.output_text.annotation.added", annotation={}).end().data,
    "escapes": lines(PLAIN, "Hel", "H\\u00e9\\/l\\ud83d\\ude00"),
    "half an emoji": lines(PLAIN, "Hel", "\\ud83d"),
    "numbers that floats lose": lines(PLAIN, '"n": 3', '"n": 1' + "0" * 30),
    "a number with a tail": lines(PLAIN, '"n": 3', '"n": 1.10'),
    "a sentinel in the text": Stream().begin().say('event: error\ndata: {"type": "error"}\n\n').end().data,
    "no deltas": Stream()
    .begin()
    .parts([("output_text", ("Hi.",))])
    .end()
    .data.replace(b"output_text.delta", b"x.delta"),
    "an end without output": hello().end(output=[]).data,
    "an end without a response": hello().event("response.completed").data,
    "no end of the part": without(PLAIN, "response.content_part.done"),
    "no end of the item": without(PLAIN, "response.output_item.done"),
    "no beginning of the item": without(PLAIN, "response.output_item.added"),
    "a big number of the event": lines(PLAIN, '"sequence_number": 6', '"sequence_number": 600000'),
    "an event that is no JSON, before": b"event: x\ndata: {oops\n\n" + PLAIN.data,
    "an event that is no JSON, behind": PLAIN.data + b"event: x\ndata: {oops\n\n",
    "no numbers": re.sub(rb'"sequence_number": \d+, ', b"", PLAIN.data),
}

UNDECORATED: dict[str, bytes] = {
    "tool turn": hello().item("function_call", **CALL).end().data,
    "tool turn with text behind": Stream().begin().item("function_call", **CALL).say("More.").end().data,
    "reasoning, then a call": hello().think().item("function_call", **CALL).end().data,
    "only a call": Stream().begin().item("function_call", **CALL).end().data,
    **{f"a {kind}": hello().item(kind, call_id="c", **more).end().data for kind, more in CALLS.items()},
    **{f"{name} behind the text": add(hello()).end().data for name, add in MUST_LEAVE.items()},
    "a search behind the text": hello().item("web_search_call", **SEARCH).end().data,
    "an item of an unknown kind behind": hello().item("hologram").end().data,
    "only a commentary": Stream().begin().say("I look.", phase="commentary").end().data,
    "a commentary behind the text": hello().say("I look.", phase="commentary").end().data,
    "a refusal": Stream().begin().say("I can't.", kind="refusal").end().data,
    "a refusal behind the text": Stream()
    .begin()
    .parts([("output_text", ("Well.",)), ("refusal", ("No.",))])
    .end()
    .data,
    "a refusal before the text": Stream().begin().say("No.", kind="refusal").say("Well.").end().data,
    "filtered": hello().end("incomplete", incomplete_details={"reason": "content_filter"}).data,
    "incomplete for no reason": hello().end("incomplete").data,
    "failed": hello().end("failed", error={"code": "server_error", "message": "x"}).data,
    "failed behind reasoning": hello().think().end("failed").data,
    "cancelled": hello().end("cancelled").data,
    "an error": hello().event("error", code=None, message="x", param=None).data,
    "an error without a type": hello().data + b'data: {"error": {"message": "no"}}\n\n',
    "no text": Stream().begin().think().end().data,
    "an empty text": Stream().begin().say("").end().data,
    "a blank text": Stream().begin().say(" \n").end().data,
    "a blank text last": hello().say(" \n").end().data,
    "an event that is no JSON, in between": hello().data + b"event: x\ndata: {oops\n\n" + Stream().end().data,
    "broken off": hello().data,
    "broken off in the text": Stream().begin().say("Hel", "lo").data.partition(b"event: response.output_text.done")[0],
    "cut inside the end": PLAIN.data[:-40],
    "texts that differ: part": lines(
        PLAIN, '"part": {"type": "output_text", "text": "Hello', '"part": {"type": "output_text", "text": "Hallo'
    ),
    "texts that differ: end": Stream()
    .begin()
    .say("Hi.")
    .end(
        output=[
            {"type": "message", "id": "msg_0", "role": "assistant", "content": [{"type": "output_text", "text": "Ho."}]}
        ]
    )
    .data,
    "a call that only the end tells of": hello().end(output=[*hello().output, {"type": "function_call", **CALL}]).data,
    "a message that only the end tells of": hello().end(output=[*hello().output, *Stream().say("More.").output]).data,
    "an item without a content": lines(
        PLAIN,
        '"item": {"type": "message", "id": "msg_0", "role": "assistant", "status": "completed", "content"',
        '"item": {"type": "message", "id": "msg_0", "role": "assistant", "status": "completed", "x"',
    ),
    "an index that is none": PLAIN.data.replace(b'"content_index": 0', b'"content_index": "a"'),
    "a negative index": PLAIN.data.replace(b'"content_index": 0', b'"content_index": -1'),
    "an error body as a stream": b'data: {"error": {"message": "no"}}\n\n',
    "nothing": b"",
}

PASSED = {**DECORATED, **UNDECORATED}

OWN = b'"type":"response.output_text.delta"'
TEXT = json.dumps(FOOT)[1:-1].encode()


def read(stream: bytes) -> list[dict[str, Any]]:
    """The events of a stream; the sentinel that some servers send behind them is none."""
    return [one for one in relays.read(stream) if one != "[DONE]"]


def places(events: list[dict[str, Any]]) -> list[tuple[str, str]]:
    """Every text of a message, with where a client finds it: pieces joined, in the ends of text, part and item, at the end."""
    out: list[tuple[str, str]] = []
    pieces: dict[tuple[str, int], str] = {}
    for one in events:
        key = (one.get("item_id", ""), one.get("content_index", 0))
        if one["type"] == "response.output_text.delta":
            pieces[key] = pieces.get(key, "") + one["delta"]
        elif one["type"] == "response.output_text.done":
            out.append(("text", one["text"]))
            if key in pieces:
                out.append(("pieces", pieces[key]))
        elif one["type"] == "response.content_part.done" and "text" in one["part"]:
            out.append(("part", one["part"]["text"]))
        elif one["type"] == "response.output_item.done" and one["item"]["type"] == "message":
            out += [("item", part["text"]) for part in one["item"]["content"]]
        elif one["type"] in ("response.completed", "response.incomplete"):
            output = one.get("response", {}).get("output", [])
            messages = [item for item in output if item["type"] == "message"]
            out += [("end", part["text"]) for item in messages for part in item["content"]]
    return out


def undone(stream: bytes) -> bytes:
    """A stream with a footer as it was before: without our event, without its text, each number after it one less."""
    blocks = re.split(rb"(?<=\n\n)|(?<=\r\n\r\n)|(?<=\r\r)", stream)
    at = next(number for number, block in enumerate(blocks) if OWN in block)
    del blocks[at]
    for number in range(at, len(blocks)):
        less = lambda found: b"%s%d" % (found[1], int(found[2]) - 1)  # noqa: E731
        blocks[number] = re.sub(rb'("sequence_number": )(\d+)', less, blocks[number], count=1).replace(TEXT, b"")
    return b"".join(blocks)


def test_the_same_text_stands_everywhere() -> None:
    before, after = (
        places(read(PLAIN.data)),
        places(read(through(responses.relay(request(), True), [PLAIN.data], {0: FOOT}))),
    )
    assert [where for where, _ in before] == ["text", "pieces", "part", "item", "end"]
    assert after == [(where, text + FOOT) for where, text in before]


@pytest.mark.parametrize("stream", DECORATED.values(), ids=DECORATED)
def test_scenarios_126_127_129_130_131_the_last_text_is_extended_everywhere(stream: bytes) -> None:
    before = read(stream)
    last = [text for where, text in places(before) if where == "text"][-1]
    out = through(responses.relay(request(), True), [stream], {0: FOOT}, REPORT)
    events = read(out)
    (own,) = [at for at, one in enumerate(events) if "groundwire" in one]
    told = {key: events[own][key] for key in ("type", "delta", "groundwire")}
    assert told == {"type": "response.output_text.delta", "delta": FOOT, "groundwire": {"id": "r"}}
    assert events[own + 1]["type"] == "response.output_text.done"
    for key in ("item_id", "output_index", "content_index"):
        assert events[own].get(key) == events[own + 1].get(key)
    numbers = [one["sequence_number"] for one in before if "sequence_number" in one]
    at = len([one for one in before[:own] if "sequence_number" in one])
    moved = [*numbers[:at], *numbers[at : at + 1], *(number + 1 for number in numbers[at:])]
    assert [one["sequence_number"] for one in events if "sequence_number" in one] == moved
    expected = [(where, text + FOOT if text == last else text) for where, text in places(before)]
    assert [one for one in places(events) if one != ("pieces", FOOT)] == expected
    if stream is not DECORATED["data in several lines"]:
        assert undone(out) == stream
    for cut in CUTS:
        for pieces in list(cut(stream))[:: 1 if stream == PLAIN.data else 5]:
            assert through(responses.relay(request(), True), pieces, {0: FOOT}, REPORT) == out


def test_an_error_right_behind_the_end_voids_the_answer() -> None:
    stream = PLAIN.data + Stream().event("error", code=None, message="x").data
    assert through(responses.relay(request(), True), [stream], {0: FOOT}, b"{}") == stream


def test_the_footer_s_event_is_spelled_as_the_stream_spells_its_own() -> None:
    for end_of_line in (b"\n", b"\r\n", b"\r"):
        stream = PLAIN.data.replace(b"\n", end_of_line)
        out = through(responses.relay(request(), True), [stream], {0: "F"})
        ours = b'event: response.output_text.delta\ndata: {"type":"response.output_text.delta","sequence_number":5,'
        ours += b'"item_id":"msg_0","output_index":0,"content_index":0,"delta":"F","logprobs":[]}\n\n'
        front, found, _ = out.partition(ours.replace(b"\n", end_of_line))
        assert found
        assert stream.startswith(front)


def test_a_stream_without_logprobs_gets_none() -> None:
    stream = PLAIN.data.replace(b', "logprobs": []', b"")
    out = through(responses.relay(request(), True), [stream], {0: "F"})
    assert b'"delta":"F"}' in out
    assert b"logprobs" not in out


def test_text_leaves_at_once_and_only_the_end_is_held() -> None:
    stream = hello()
    begun, ended = stream.data.split(b"event: response.output_text.done", 1)
    ended = b"event: response.output_text.done" + ended
    relay = responses.relay(request(), True)
    assert relay.feed(begun) == begun
    assert relay.feed(ended) == b""
    assert relay.keepalive() == b""
    rest = stream.think().end().data.removeprefix(begun + ended)
    thought, last = rest.split(b"event: response.completed", 1)
    assert relay.feed(thought) == b""
    assert (relay.ended, relay.appendable(0)) == (False, False)
    assert relay.feed(b"event: response.completed" + last) == b""
    assert relay.ended
    assert (relay.appendable(0), relay.appendable(1)) == (True, False)
    assert relay.close({}) == ended + rest


@pytest.mark.parametrize("behind", ["say", "call", "search", "refuse", "fail"])
def test_what_else_comes_lets_go_of_what_was_held(behind: str) -> None:
    stream = hello().think()
    before = stream.data
    {
        "say": lambda: stream.say("More."),
        "call": lambda: stream.item("function_call", **CALL),
        "search": lambda: stream.item("web_search_call", **SEARCH),
        "refuse": lambda: stream.say("No.", kind="refusal"),
        "fail": lambda: stream.end("failed"),
    }[behind]()
    relay = responses.relay(request(), True)
    out = relay.feed(before)
    assert len(out) < len(before)
    more = stream.data.removeprefix(before)
    first = more.partition(b"\n\n")[0] + b"\n\n"
    assert out + relay.feed(first) == before + first


@pytest.mark.parametrize("append", [{}, {0: FOOT}], ids=["honest", "footer"])
@pytest.mark.parametrize("behind", [b"", b"data: [DONE]\n\n", b'data: {"type": "x", "sequence_number": 9}\n\n'])
@pytest.mark.parametrize("step", [1, 7, 10_000])
def test_keepalives_move_the_numbers_of_all_that_follows(append: dict[int, str], behind: bytes, step: int) -> None:
    relay = responses.relay(request(), True)
    out = relay.feed(PLAIN.data)
    assert relay.appendable(0)
    alive = [relay.keepalive() for _ in range(3)]
    out += b"".join(alive) + relay.close(append, REPORT if append else None)
    assert relay.keepalive() == b""
    out += (
        b"".join(relay.feed(behind[at : at + step]) for at in range(0, len(behind), step))
        + relay.eof()
        + relay.close({})
    )
    events = read(out)
    assert [one["sequence_number"] for one in events] == list(range(len(events)))
    assert len(events) == len(read(PLAIN.data + behind)) + 3 + len(append)
    assert {read(one)[0]["delta"] for one in alive} == {""}
    assert {text for _, text in places(events)} == {"Hello 😀." + append.get(0, "")}
    assert (b"[DONE]" in out) == (b"[DONE]" in behind)


def test_a_tool_turn_is_read_and_nothing_of_it_is_held() -> None:
    stream = Stream().begin().think().say("I edit.", phase="commentary").item("function_call", **CALL)
    stream.item("custom_tool_call", call_id="c2", name="apply_patch", input="*** Begin Patch")
    relay = responses.relay(request(), True)
    assert relay.feed(stream.data) == stream.data
    (answer,) = relay.answers
    assert answer.calls == [
        ToolCall("c1", "patch", '{"path": "a.md"}'),
        ToolCall("c2", "apply_patch", "*** Begin Patch"),
    ]
    assert (answer.text, answer.hosted, answer.id, relay.ended) == ("", None, "", False)
    begun = stream.data
    rest = stream.end().data.removeprefix(begun)
    assert relay.feed(rest) == rest
    assert relay.ended
    (answer,) = relay.answers
    assert (answer.id, set(answer.items)) == ("resp_1", {"rs_0", "msg_1", "it_2", "it_3"})


def test_an_answer_that_is_not_stored_has_no_id() -> None:
    relay = responses.relay(request(store=False), True)
    relay.feed(PLAIN.data)
    assert (relay.answers[0].id, relay.answers[0].items) == ("", {})


def test_an_id_without_end_is_none() -> None:
    for old, identifier in (("resp_1", ""), ("msg_0", "resp_1")):
        relay = responses.relay(request(), True)
        relay.feed(PLAIN.data.replace(old.encode(), b"x" * 201))
        assert (relay.answers[0].id, relay.answers[0].items) == (identifier, {})


HOSTED: list[tuple[dict[str, Any], ToolCall, ToolResult | None]] = [
    (
        {
            "type": "mcp_call",
            "name": "put",
            "server_label": "s",
            "arguments": '{"a": 1}',
            "output": "ok",
            "error": None,
        },
        ToolCall("h", "mcp__s__put", '{"a": 1}'),
        ToolResult("h", "ok", False),
    ),
    (
        {"type": "mcp_call", "name": "put", "server_label": "s", "arguments": "{}", "output": None, "error": "no"},
        ToolCall("h", "mcp__s__put", "{}"),
        ToolResult("h", "no", True),
    ),
    (
        {"type": "mcp_call", "name": "put", "arguments": "{}", "error": {"code": 5}, "status": "failed"},
        ToolCall("h", "put", "{}"),
        ToolResult("h", '{"code":5}', True),
    ),
    ({"type": "mcp_call", "name": "put", "arguments": "{}"}, ToolCall("h", "put", "{}"), None),
    (
        {"type": "code_interpreter_call", "code": "1", "outputs": [{"type": "logs", "logs": "1\n"}, {"url": "u"}]},
        ToolCall("h", "code_interpreter", '{"code":"1"}'),
        ToolResult("h", "1\n\nu", False),
    ),
    (
        {"type": "code_interpreter_call", "code": "1", "outputs": None, "status": "completed"},
        ToolCall("h", "code_interpreter", '{"code":"1"}'),
        None,
    ),
    (
        {"type": "code_interpreter_call", "code": "1", "outputs": None, "status": "failed"},
        ToolCall("h", "code_interpreter", '{"code":"1"}'),
        ToolResult("h", '{"status":"failed"}', True),
    ),
    (
        {"type": "web_search_call", **SEARCH},
        ToolCall("h", "web_search", '{"type":"search","query":"q"}'),
        ToolResult("h", "https://x.example", False),
    ),
    (
        {"type": "web_search_call", "action": {"type": "open_page", "url": "u"}},
        ToolCall("h", "web_search", '{"type":"open_page","url":"u"}'),
        None,
    ),
    (
        {"type": "file_search_call", "queries": ["q"], "results": [{"filename": "a.md", "text": "words"}]},
        ToolCall("h", "file_search", '{"queries":["q"]}'),
        ToolResult("h", "a.md\nwords", False),
    ),
    ({"type": "file_search_call", "queries": ["q"]}, ToolCall("h", "file_search", '{"queries":["q"]}'), None),
    (
        {"type": "image_generation_call", "result": "iVBO", "status": "completed", "revised_prompt": "a cat"},
        ToolCall("h", "image_generation", '{"revised_prompt":"a cat"}'),
        ToolResult("h", '{"status":"completed","revised_prompt":"a cat"}', False),
    ),
    ({"type": "later_call", "arguments": {"x": 1}}, ToolCall("h", "later", '{"x":1}'), None),
]


@pytest.mark.parametrize(("item", "call", "result"), HOSTED)
def test_what_the_provider_s_own_tools_did_is_told_apart(
    item: dict[str, Any], call: ToolCall, result: ToolResult | None
) -> None:
    searched = item["type"] in ("web_search_call", "file_search_call")  # the model got more than the item says
    ran = Message("assistant", "", (call,), () if result is None else (result,), searched)
    item = {"id": "h", **item}
    stream = Stream().begin().say("I look.").open(item).close(item).say("Found.")
    for data in (stream.data, stream.end().data):
        relay = responses.relay(request(), True)
        relay.feed(data)
        (answer,) = relay.answers
        assert (answer.text, answer.calls, answer.hosted) == ("I look.\n\nFound.", [], ran)
    asked = request(input=[{"role": "user", "content": "x"}, item, *Stream().say("Found.").output])
    assert list(asked.transcript.messages)[1:] == [Message("assistant", "Found.", ran.calls, ran.results, searched)]
    assert [told.path for told in responses.results(asked)] == [()] * len(ran.results)


def test_a_refusal_is_told() -> None:
    relay = responses.relay(request(), True)
    relay.feed(Stream().begin().say("I can't.", kind="refusal").data)
    assert relay.answers[0].refused


def test_a_broken_stream_looks_broken_and_is_read_as_far_as_it_came() -> None:
    relay = responses.relay(request(), True)
    begun = hello().data.partition(b"event: response.output_text.done")[0]
    assert relay.feed(begun + b"event: resp") == begun
    assert relay.eof() == b"event: resp"
    assert relay.broken
    assert [answer.text for answer in relay.answers] == ["Hello 😀."]
    assert not relay.appendable(0)


def test_what_cannot_be_read_is_said() -> None:
    relay = responses.relay(request(), True)
    through(relay, [b"data: {oops\n\n" + PLAIN.data], {})
    assert relay.incomplete == "an event is not JSON"


def test_an_event_too_large_is_not_waited_for_and_lets_go() -> None:
    relay = responses.relay(request(), True)
    held = hello().data
    out = relay.feed(held)
    large = b'event: response.completed\ndata: {"type": "' + b"x" * (17 << 20)
    out += relay.feed(large)
    assert len(out) > len(held) + (16 << 20)
    assert relay.incomplete == "an event is too large to be read"
    assert out + relay.eof() == held + large


@pytest.mark.parametrize("add", MUST_LEAVE.values(), ids=MUST_LEAVE)
def test_a_client_hears_of_what_takes_its_time(add: Callable[[Stream], Stream]) -> None:
    relay, stream = responses.relay(request(), True), add(hello())
    begun = stream.data
    assert relay.feed(begun) == begun
    behind = stream.event("keepalive").think().item("function_call", **CALL).end().data.removeprefix(begun)
    assert relay.feed(behind) == behind
    assert not relay.appendable(0)
    assert relay.close({}) == b""


@pytest.mark.parametrize(
    "stream",
    [
        hello().event("response.reasoning_text.delta", delta="x" * 65_536),
        Stream().begin().say("x" * (6 << 20)),
    ],
    ids=["reasoning", "the ends of a text"],
)
def test_what_is_held_has_a_bound(stream: Stream) -> None:
    relay, begun = responses.relay(request(), True), stream.data
    assert relay.feed(begun) == begun
    assert relay.feed(end := stream.end().data.removeprefix(begun)) == end
    assert (relay.ended, relay.appendable(0)) == (True, False)


def test_texts_without_number_are_read() -> None:
    stream, many = Stream(), 16_000
    own = [{"type": "response.output_text.delta", "output_index": at, "delta": "x"} for at in range(many)]
    data = b"".join(b"data: " + json.dumps(one).encode() + b"\n\n" for one in own)
    relay = responses.relay(request(), True)
    relay.feed(data + stream.event("response.completed").data)
    assert relay.answers[0].text == "\n\n".join("x" * many)


PROGRAMS: list[dict[str, Any]] = [
    {"text": {"format": {"type": "json_schema", "name": "x", "schema": {}}}},
    {"text": {"format": {"type": "json_object"}}},
    {"tool_choice": "required"},
    {"tool_choice": {"type": "function", "name": "f"}},
    {"tool_choice": {"type": "allowed_tools", "mode": "required", "tools": []}},
    {"top_logprobs": 3},
    {"include": ["message.output_text.logprobs"]},
]


PEOPLE: list[dict[str, Any]] = [
    {"text": {"format": {"type": "text"}, "verbosity": "low"}},
    {"tool_choice": "auto"},
    {"tool_choice": {"type": "allowed_tools", "mode": "auto", "tools": []}},
    {"top_logprobs": 0},
    {"include": ["web_search_call.action.sources"]},
    {"text": "x", "include": "y"},
]


KINDS = [
    *(hello().data, PLAIN.data, Stream().begin().data, Stream().end().data, Stream().end("failed").data),
    *(Stream().think().data, Stream().say("a").data, Stream().item("function_call", **CALL).data, b": c\n\n"),
    *(Stream().item("web_search_call").data, Stream().say("n", kind="refusal").data, b"data: {x\n\n", b"data: 3\n\n"),
    *(Stream().event(f"response.{one}").data for one in ("output_text.done", "output_item.done", "content_part.done")),
    *(Stream().event("response.output_text.delta", delta=one).data for one in ("b", None, 3)),
    *(Stream().event("error").data, b"data: [DONE]\n\n", Stream().say("a", phase="commentary").data),
    *(block + b"\n\n" for block in PLAIN.data.split(b"\n\n")[2:-1]),
]


@given(st.lists(st.sampled_from(KINDS), max_size=12), st.integers(1, 700), st.booleans())
def test_any_order_of_events_passes_and_is_extended_in_one_place_at_most(
    events: list[bytes], step: int, append: bool
) -> None:
    stream = b"".join(events)
    pieces = [stream[at : at + step] for at in range(0, len(stream), step)]
    relay = responses.relay(request(), True)
    out = through(relay, pieces, {0: FOOT} if append else {}, b"{}")
    if OWN in out:
        assert append
        assert undone(out) == stream
    else:
        assert out == stream
    assert len(relay.answers) <= 1


BODY = b'{"id": "resp_1", "n": 1.10, "status": "completed", "error": null, "output": [{"type": "reasoning", "id": "r"},'
BODY += b' {"type": "message", "id": "m", "role": "assistant", "content": [{"type": "output_text", "text": "A"},'
BODY += b' {"type": "output_text", "text": "Hi \\u00e9", "annotations": []}]}], "incomplete_details": null,'
BODY += b' "usage": {"output_tokens": 3}, "big": 123456789012345678901234567890}'


def test_a_plain_body_is_read() -> None:
    relay = responses.relay(request(), False)
    through(relay, [BODY], {})
    (answer,) = relay.answers
    assert (answer.text, answer.finish, answer.id, set(answer.items)) == (
        "A\n\nHi é",
        "completed",
        "resp_1",
        {"r", "m"},
    )


LIMITED = [
    (b'"completed"', b'"incomplete"'),
    (b'"incomplete_details": null', b'"incomplete_details": {"reason": "max_output_tokens"}'),
]


def test_a_plain_body_that_met_its_limit_is_decorated() -> None:
    body = BODY
    for change in LIMITED:
        body = body.replace(*change)
    assert b'\\u00e9F"' in through(responses.relay(request(), False), [body], {0: "F"}, b"{}")


CHANGES: list[tuple[bytes, bytes]] = [
    (b"Hi \\u00e9", b""),
    (b"Hi \\u00e9", b" \\n"),
    (b'"completed"', b'"failed"'),
    (b'"completed"', b'"cancelled"'),
    (b'"completed"', b'"in_progress"'),
    (b'"completed"', b'"incomplete"'),
    (b'"completed"', b"null"),
    (b'"error": null', b'"error": {"code": "x"}'),
    (b'"role": "assistant"', b'"role": "assistant", "phase": "commentary"'),
    (b'{"type": "output_text", "text": "A"}', b'{"type": "refusal", "refusal": "A"}'),
    (b'{"type": "reasoning", "id": "r"}', b'{"type": "function_call", "call_id": "a", "name": "f", "arguments": ""}'),
    (b'"annotations": []}]}]', b'"annotations": []}]}, {"type": "web_search_call"}]'),
    (b'"output": [', b'"output": {}, "x": ['),
    (b'{"id"', b'["id"'),
]


BAD_REQUESTS: list[tuple[bytes, str]] = [
    (b"", "invalid_json"),
    (b"[]", "invalid_json"),
    (b"[" * 100_000, "invalid_json"),
    (b'{"input": "x", "model": 3}', "missing_model"),
]


@pytest.mark.parametrize(("body", "code"), BAD_REQUESTS)
def test_bad_requests_are_told_why_in_openai_s_shape(body: bytes, code: str) -> None:
    with pytest.raises(RequestError) as failure:
        responses.read(body)
    assert failure.value.code == code
    told = json.loads(responses.error(failure.value))["error"]
    assert (told["code"], told["type"]) == (code, "invalid_request_error")
    (streamed,) = read(responses.stream_error(failure.value))
    expected = {"type": "error", "code": code, "message": failure.value.message, "sequence_number": 0}
    assert {key: streamed[key] for key in expected} == expected


def called(identifier: str, name: str = "patch", **arguments: Any) -> dict[str, Any]:
    return {"type": "function_call", "call_id": identifier, "name": name, "arguments": json.dumps(arguments)}


def told(identifier: str, output: Any, **more: Any) -> dict[str, Any]:
    return {"type": "function_call_output", "call_id": identifier, "output": output, **more}


def ran(stdout: str, outcome: dict[str, Any], stderr: str = "") -> dict[str, Any]:
    return {"stdout": stdout, "stderr": stderr, "outcome": outcome}


EXIT = {"type": "exit", "exit_code": 0}
RESULTS: list[tuple[str, dict[str, Any], ToolResult]] = [
    ("string", told("a", "ok"), ToolResult("a", "ok")),
    ("null", told("a", None), ToolResult("a", "")),
    ("an object", told("a", {"ok": True}), ToolResult("a", '{"ok":true}')),
    (
        "scenario 137: parts",
        told("a", [{"type": "input_text", "text": "1"}, {"type": "input_image"}, {"type": "input_text", "text": "2"}]),
        ToolResult("a", "1\n2"),
    ),
    ("a picture alone", told("a", [{"type": "input_image"}]), ToolResult("a", "")),
    ("of a custom tool", told("a", "ok", type="custom_tool_call_output", name="f"), ToolResult("a", "ok", None, "f")),
    (
        "of a local shell, which has but an id",
        {"type": "local_shell_call_output", "id": "a", "output": "x"},
        ToolResult("a", "x"),
    ),
    (
        "of a shell",
        told("a", [ran("1", EXIT)], type="shell_call_output"),
        ToolResult("a", '{"stdout":"1","stderr":"","exit_code":0}'),
    ),
    (
        "of several commands",
        told("a", [ran("1", EXIT), ran("2", {"type": "exit", "exit_code": 3}, "e")], type="shell_call_output"),
        ToolResult("a", '{"stdout":"1\\n2","stderr":"e","exit_code":3}'),
    ),
    (
        "of one that took too long",
        told("a", [ran("1", EXIT), ran("", {"type": "timeout"})], type="shell_call_output"),
        ToolResult("a", '{"stdout":"1","stderr":"","error":"timeout"}'),
    ),
    (
        "of a patch that failed",
        told("a", "no such line", type="apply_patch_call_output", status="failed"),
        ToolResult("a", "no such line", True),
    ),
    (
        "of a patch",
        {"type": "apply_patch_call_output", "call_id": "a", "status": "completed"},
        ToolResult("a", "", False),
    ),
    (
        "of a screen",
        told("a", {"type": "computer_screenshot", "image_url": "data:x"}, type="computer_call_output"),
        ToolResult("a", ""),
    ),
    ("of a program", {"type": "program_output", "call_id": "a", "result": "7"}, ToolResult("a", "7")),
]


@pytest.mark.parametrize(("item", "expected"), [row[1:] for row in RESULTS], ids=[row[0] for row in RESULTS])
def test_results_are_read(item: dict[str, Any], expected: ToolResult) -> None:
    asked = request(input=[item])
    message = asked.transcript.messages[0]
    assert (message.role, message.text, message.results) == ("tool", expected.text, (expected,))
    (found,) = responses.results(asked)
    assert found.call_id == expected.call_id
    assert expected.text.endswith(found.text)


ASKED: list[tuple[dict[str, Any], ToolCall]] = [
    (called("c", path="a"), ToolCall("c", "patch", '{"path": "a"}')),
    ({**called("c"), "namespace": "mcp__store"}, ToolCall("c", "mcp__store__patch", "{}")),
    ({"type": "function_call", "id": "fc_1", "name": "f", "arguments": None}, ToolCall("fc_1", "f", "{}")),
    (
        {"type": "local_shell_call", "id": "i", "call_id": "c", "action": {"type": "exec", "command": ["ls", "-l"]}},
        ToolCall("c", "local_shell", '{"type":"exec","command":["ls","-l"]}'),
    ),
    (
        {"type": "shell_call", "call_id": "c", "action": {"commands": ["ls", "pwd"]}},
        ToolCall("c", "shell", '{"command":"ls\\npwd"}'),
    ),
    (
        {"type": "apply_patch_call", "call_id": "c", "operation": {"type": "update_file", "path": "a", "diff": "+x"}},
        ToolCall("c", "apply_patch", '{"type":"update_file","path":"a","diff":"+x"}'),
    ),
    (
        {"type": "computer_call", "call_id": "c", "actions": [{"type": "click"}]},
        ToolCall("c", "computer", '{"actions":[{"type":"click"}]}'),
    ),
    ({"type": "program", "call_id": "c", "code": "1"}, ToolCall("c", "program", '{"code":"1"}')),
]


@pytest.mark.parametrize(("item", "expected"), ASKED)
def test_calls_are_read(item: dict[str, Any], expected: ToolCall) -> None:
    assert list(request(input=[item]).transcript.messages) == [Message("assistant", "", (expected,))]


def test_a_request_is_read() -> None:
    asked = request(
        instructions="You are. cwd: /w",
        tools=[
            {"type": "function", "name": "patch", "description": "d", "parameters": {"type": "object"}},
            {"type": "web_search"},
            {"type": "namespace", "name": "mail", "tools": [{"type": "function", "name": "send"}, 3]},
            "odd",
        ],
        input=[
            {"role": "developer", "content": "Be brief."},
            {
                "type": "message",
                "role": "user",
                "content": [{"type": "input_text", "text": "a"}, {"type": "input_image"}],
            },
            {"type": "reasoning", "id": "rs", "summary": [{"type": "summary_text", "text": "no"}]},
            {"role": "assistant", "phase": "commentary", "content": [{"type": "output_text", "text": "I do."}]},
            called("1"),
            {"type": "mcp_list_tools", "tools": []},
            called("2"),
            told("1", "x"),
            {"type": "reasoning", "id": "rs"},
            told("2", "y"),
            {"role": "assistant", "content": "Plain."},
            {"type": "mcp_approval_request", "id": "a", "name": "put", "arguments": "{}"},
            {"type": "mcp_approval_response", "approval_request_id": "a", "approve": False},
            {"role": "martian", "content": 3},
            "bare",
            3,
        ],
    )
    said = [
        Message("system", "You are. cwd: /w"),
        Message("system", "Be brief."),
        Message("user", "a", unread=True),
        Message("assistant", "I do.", (ToolCall("1", "patch", "{}"), ToolCall("2", "patch", "{}"))),
        Message("tool", "x", (), (ToolResult("1", "x"),)),
        Message("tool", "y", (), (ToolResult("2", "y"),)),
        Message("assistant", "Plain."),
        Message("user", ""),
        Message("user", "bare"),
    ]
    assert asked.transcript.messages[-2] == said[-2]
    assert list(asked.transcript.messages) == said
    assert [tool.name for tool in asked.transcript.tools] == ["patch", "web_search", "mail__send"]
    assert asked.transcript.tools[0].parameters == {"type": "object"}
    assert asked.transcript.whole


@pytest.mark.parametrize("given", ["Do it.", [{"role": "user", "content": "Do it."}], ["Do it."]])
def test_an_input_may_be_a_text(given: Any) -> None:
    assert [message.text for message in request(input=given, instructions="s").transcript.messages] == ["s", "Do it."]


def test_no_input_is_no_message() -> None:
    asked = responses.read(b'{"prompt": {"id": "p"}}')
    assert (len(asked.transcript.messages), asked.model, asked.transcript.whole) == (0, "", False)


REFERS: list[tuple[dict[str, Any], tuple[str, ...], bool]] = [
    ({}, (), True),
    ({"previous_response_id": "r"}, ("r",), True),  # what it follows comes before it
    ({"conversation": "c"}, ("c",), False),
    ({"conversation": {"id": "c"}}, ("c",), False),
    ({"input": [{"type": "item_reference", "id": "i"}, {"id": "j"}]}, ("i", "j"), False),
    ({"input": [{"type": "compaction", "id": "x", "encrypted_content": ""}]}, (), False),
    ({"previous_response_id": None, "conversation": None}, (), True),
]


@pytest.mark.parametrize(("more", "refers", "whole"), REFERS, ids=str)
def test_what_a_request_does_not_carry_is_known(more: dict[str, Any], refers: tuple[str, ...], whole: bool) -> None:
    asked = request(**more)
    assert (asked.refers, asked.transcript.whole) == (refers, whole)
    turn = ledger.read_turn(asked.transcript, marks())
    assert turn.whole() == whole


def test_references_are_read_as_what_they_stand_for() -> None:
    asked = request(
        input=[{"role": "user", "content": "x"}, {"type": "item_reference", "id": "i"}, {"id": "j"}, told("c", "y")]
    )
    responses.resolve(asked, {"i": {"type": "reasoning", "id": "i"}})
    assert not asked.transcript.whole
    responses.resolve(asked, {"j": called("c")})
    assert asked.transcript.whole
    assert [message.calls for message in asked.transcript.messages] == [(), (ToolCall("c", "patch", "{}"),), ()]


def test_calls_made_at_once_are_fresh_together() -> None:
    raw = [{"role": "user", "content": "Do it."}, called("1", path="/a"), {"type": "reasoning"}, called("2", path="/b")]
    raw += [told("2", json.dumps({"success": False, "error": "no"})), told("1", json.dumps({"success": True}))]
    turn = ledger.read_turn(request(input=raw, instructions="x").transcript, marks())
    assert [(call.id, call.outcome) for call in turn.calls] == [("1", "landed"), ("2", "failed")]
    assert len(turn.fresh) == 2
    assert turn.whole()


OWN_TOOLS: list[tuple[str, dict[str, Any], dict[str, Any], str, str]] = [
    (
        "a patch that went in",
        {
            "type": "apply_patch_call",
            "call_id": "c",
            "operation": {"type": "update_file", "path": "a.md", "diff": "+x"},
        },
        {"type": "apply_patch_call_output", "call_id": "c", "status": "completed", "output": ""},
        "edit",
        "landed",
    ),
    (
        "a patch that did not",
        {"type": "apply_patch_call", "call_id": "c", "operation": {"type": "delete_file", "path": "a.md"}},
        {"type": "apply_patch_call_output", "call_id": "c", "status": "failed", "output": "x"},
        "delete",
        "failed",
    ),
    (
        "a shell",
        {"type": "shell_call", "call_id": "c", "action": {"commands": ["ls", "rm a.md"]}},
        {"type": "shell_call_output", "call_id": "c", "output": [ran("1", EXIT), ran("", {**EXIT, "exit_code": 1})]},
        "shell",
        "failed",
    ),
    (
        "a local shell",
        {"type": "local_shell_call", "call_id": "c", "action": {"type": "exec", "command": ["bash", "-lc", "ls"]}},
        {"type": "local_shell_call_output", "id": "c", "output": '{"exit_code": 0}'},
        "shell",
        "landed",
    ),
]


@pytest.mark.parametrize(
    ("call", "output", "effect", "outcome"), [row[1:] for row in OWN_TOOLS], ids=[row[0] for row in OWN_TOOLS]
)
def test_the_tools_of_the_api_itself_are_known(
    call: dict[str, Any], output: dict[str, Any], effect: str, outcome: str
) -> None:
    turn = ledger.read_turn(request(input=[{"role": "user", "content": "x"}, call, output]).transcript, marks())
    assert [(one.effect, one.outcome) for one in turn.calls] == [(effect, outcome)]
    if effect != "shell":
        assert [target.path for target in turn.calls[0].targets] == ["a.md"]


def test_only_what_is_read_is_converted() -> None:
    asked = request(input=[{"role": "user", "content": "x"}] * 5, instructions="s")
    assert asked.transcript.messages[-1].text == "x"
    assert len(asked.transcript.messages._made) == 1  # type: ignore[attr-defined]


PLACES: dict[str, Any] = {
    "an assistant's text": {"input": [{"role": "assistant", "content": [{"type": "output_text", "text": "Done.@"}]}]},
    "an assistant's string": {"input": [{"role": "assistant", "content": "Done.@"}]},
    "a user's text": {"input": [{"role": "user", "content": [{"type": "input_text", "text": "So: Done.@ Sure?"}]}]},
    "the input itself": {"input": "You said: Done.@ Sure?"},
    "a bare string": {"input": ["Done.@"]},
    "an output": {"input": [told("a", "Done.@")]},
    "parts of an output": {"input": [told("a", [{"type": "input_text", "text": "D.@"}])]},
    "instructions": {"instructions": "Done.@", "input": []},
    "instructions behind the input": {"input": "A@ b", "instructions": "Done.@"},
    "between calls": {
        "input": [called("a"), {"role": "assistant", "content": "Done.@"}, called("b")],
        "instructions": "x",
    },
}


KEPT: dict[str, Any] = {
    "a call's arguments": {"input": [called("a", "Write", content="Done.@")]},
    "a custom call's input": {"input": [{"type": "custom_tool_call", "call_id": "a", "name": "f", "input": "Done.@"}]},
    "a patch": {"input": [{"type": "apply_patch_call", "call_id": "a", "operation": {"diff": "Done.@"}}]},
    "reasoning": {"input": [{"type": "reasoning", "summary": [{"type": "summary_text", "text": "Done.@"}]}]},
    "what the provider's tool said": {
        "input": [{"type": "mcp_call", "name": "f", "arguments": "{}", "output": "Done.@"}]
    },
    "a text that would be empty": {"input": [{"role": "user", "content": "@"}]},
}


def test_an_edit_changes_its_bytes_alone() -> None:
    body = b'{ "model":"m", "x":1.10, "input":[{"role":"user","content":[{"type":"input_text","text":"\\u00e9 a\\/b tail"}]}]}'
    path = ("input", 0, "content", 0, "text")
    assert responses.edit(body, [Edit(path, 2, 6, 'X"')]) == body.replace(b"a\\/b ", b'X\\"')


MORE = [
    Message("assistant", "b", (ToolCall("1", "f", '{"x": 1}'), ToolCall("2", "g", "free text"))),
    Message("tool", "c", results=(ToolResult("1", "c", True), ToolResult("2", "d"))),
    Message("system", "Look again."),
]


@pytest.mark.parametrize(
    ("given", "begins"),
    [
        (b'[ {"role":"user","content":"\\u00e9"} ]', b'[ {"role":"user","content":"\\u00e9"} ,{'),
        (b"[ ]", b'[ {"type"'),
        (b'"\\u00e9"', b'[{"role":"user","content":"\\u00e9"},{'),
    ],
)
def test_messages_are_appended_to_the_bytes(given: bytes, begins: bytes) -> None:
    body = b'{"input": %s, "model": "m"}' % given
    assert responses.extend(body, []) == body
    extended = responses.extend(body, MORE)
    assert extended.startswith(b'{"input": ' + begins)
    own = list(responses.read(body).transcript.messages)
    assert list(responses.read(extended).transcript.messages) == [
        *own,
        MORE[0],
        Message("tool", "c", results=(ToolResult("1", "c"),)),
        Message("tool", "d", results=(ToolResult("2", "d"),)),
        MORE[2],
    ]


def test_messages_are_put_before_a_call() -> None:
    thought = {"type": "reasoning", "id": "rs_1", "summary": []}
    items = [{"role": "user", "content": "é"}, called("a"), told("a", "x"), thought, called("b"), told("b", "x")]
    body = json.dumps({"input": items}).encode()
    extended = responses.extend(body, MORE[2:], 1)
    added = b'{"type":"message","role":"system","content":"Look again."},'
    assert extended.replace(added, b"") == body
    kinds = [item.get("type", "message") for item in json.loads(extended)["input"]]
    assert kinds.index("reasoning") - 1 == [item.get("role") for item in json.loads(extended)["input"]].index("system")
    with pytest.raises(ValueError, match="2 times"):
        responses.extend(body, MORE, 2)


def test_what_has_no_list_is_not_extended() -> None:
    for body in (b'{"input": {}}', b'{"model": "m"}'):
        with pytest.raises(ValueError, match="input"):
            responses.extend(body, MORE)


def test_a_repeat_without_a_stream_is_the_same_turn() -> None:
    first = {"model": "m", "previous_response_id": "r", "input": "hi", "stream": True}
    again = {"model": "m", "previous_response_id": "r", "input": "hi"}
    other = {"model": "m", "previous_response_id": "s", "input": "hi"}
    obfuscated = {**first, "stream_options": {"include_obfuscation": False}}
    ids = [turn_id("a", json.dumps(one).encode()) for one in (first, again, obfuscated, other)]
    assert ids[0] == ids[1] == ids[2] != ids[3]
