"""Anthropic's messages on the wire: requests read and edited, answers relayed, each stream cut in every way."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proxy import ledger
from proxy.errors import RequestError
from proxy.transcript import Message, ToolCall, ToolResult
from proxy.wire import Edit, Request, messages
from tests.relays import CUTS, FOOT, REPORT, Cut, read, through
from tests.transcripts import marks


def request(**more: Any) -> Request:
    return messages.read(json.dumps({"model": "m", "stream": True, "max_tokens": 9, "messages": [], **more}).encode())


def event(name: str, **more: Any) -> bytes:
    return f"event: {name}\ndata: {json.dumps({'type': name, **more})}\n\n".encode()


def start(kind: str, index: int = 0, **more: Any) -> bytes:
    return event("content_block_start", index=index, content_block={"type": kind, **more})


def delta(kind: str, index: int = 0, **more: Any) -> bytes:
    return event("content_block_delta", index=index, delta={"type": kind, **more})


def stop(index: int = 0) -> bytes:
    return event("content_block_stop", index=index)


def say(*pieces: str, index: int = 0) -> bytes:
    """A text block."""
    return (
        start("text", index, text="") + b"".join(delta("text_delta", index, text=one) for one in pieces) + stop(index)
    )


def think(index: int = 0, more: bytes = b"") -> bytes:
    return (
        start("thinking", index, thinking="", signature="")
        + delta("thinking_delta", index, thinking="Hm, “so”.")
        + more
        + delta("signature_delta", index, signature="c2ln")
        + stop(index)
    )


def call(index: int = 1, name: str = "Edit", kind: str = "tool_use") -> bytes:
    return (
        start(kind, index, id="toolu_1", name=name, input={})
        + delta("input_json_delta", index, partial_json="")
        + delta("input_json_delta", index, partial_json='{"file_path": "/a')
        + delta("input_json_delta", index, partial_json='.md"}')
        + stop(index)
    )


def searched(index: int = 1) -> bytes:
    """A search by the provider's own tool, whose result stands in the same answer."""
    found = [{"type": "web_search_result", "title": "T", "url": "https://x.example", "encrypted_content": "AAA="}]
    return call(index, "web_search", "server_tool_use") + (
        start("web_search_tool_result", index + 1, tool_use_id="toolu_1", content=found) + stop(index + 1)
    )


def end(reason: str | None = "end_turn") -> bytes:
    more = {"stop_reason": reason, "stop_sequence": None}
    return event("message_delta", delta=more, usage={"output_tokens": 12}) + event("message_stop")


USAGE = event("message_delta", delta={"stop_reason": None}, usage={"output_tokens": 3})
PING = b'event: ping\ndata: {"type": "ping"}\n\n'
COMMENT = b": hi\n\n"
LATER = b'data: {"type":"x"}\n\n'
OPEN = (
    event(
        "message_start",
        message={
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": "m",
            "content": [],
            "stop_reason": None,
            "stop_sequence": None,
            "usage": {"input_tokens": 5, "output_tokens": 1},
        },
    )
    + PING
)
HELLO = say("Hel", "lo 😀.")
ERROR = event("error", error={"type": "overloaded_error", "message": "Overloaded"})
THINKING = start("thinking", 1, thinking="")
MUST_LEAVE = {
    "long thinking": think(1, LATER * 28),
    "a ping while the model thinks": THINKING + PING,
    "a comment while the model thinks": THINKING + COMMENT,
    "two pings in a row": PING + PING,
    "a ping and a comment": PING + COMMENT,
    "comments": COMMENT + COMMENT,
}
"""What comes behind a text and says that the end is not near: a client that would hear nothing of it might give up."""

CITED = (
    start("text", 1, text="", citations=[])
    + delta("citations_delta", 1, citation={"type": "web_search_result_location", "url": "https://x.example"})
    + delta("text_delta", 1, text="born in 1916")
    + stop(1)
)

DECORATED: dict[str, tuple[bytes, int]] = {
    "plain": (OPEN + HELLO + end(), 0),
    "max_tokens": (OPEN + HELLO + end("max_tokens"), 0),
    "stop_sequence": (OPEN + HELLO + end("stop_sequence"), 0),
    "thinking first": (OPEN + think() + say("Hi.", index=1) + end(), 1),
    "thinking after the text": (OPEN + HELLO + think(1) + end(), 0),
    "as much thinking as may be held": (OPEN + HELLO + think(1, LATER * 27) + end(), 0),
    "as much thinking as may be held, in crlf": (
        (HELLO + think(1, LATER * 27) + end()).replace(b"\n", b"\r\n"),
        0,
    ),
    "text, long thinking, text": (OPEN + HELLO + think(1, LATER * 28) + say("Bye.", index=2) + end(), 2),
    "text, a ping while it thinks, text": (
        OPEN + HELLO + THINKING + PING + stop(1) + say("Bye.", index=2) + think(3) + end(),
        2,
    ),
    "pings, then text with a ping": (OPEN + HELLO + PING + PING + say("Bye.", index=1) + PING + end(), 1),
    "pings behind the reason": (
        OPEN + HELLO + end().replace(b"event: message_stop", PING * 2 + b"event: message_stop"),
        0,
    ),
    "redacted thinking after the text": (OPEN + HELLO + start("redacted_thinking", 1, data="x") + stop(1) + end(), 0),
    "two text blocks": (OPEN + HELLO + say("Bye.", index=1) + end(), 1),
    "text, thinking, text": (OPEN + HELLO + think(1) + say("Bye.", index=2) + end(), 2),
    "a search, then text": (OPEN + HELLO + searched() + say("Found.", index=3) + end(), 3),
    "citations": (OPEN + say("He was ") + CITED + end(), 1),
    "text in the start": (OPEN + start("text", 0, text="Hi.") + stop() + end(), 0),
    "pings in between": (OPEN + HELLO + PING + USAGE + PING + end(), 0),
    "crlf": ((OPEN + HELLO + end()).replace(b"\n", b"\r\n"), 0),
    "cr": ((OPEN + HELLO + end()).replace(b"\n", b"\r"), 0),
    "no message_stop": (OPEN + HELLO + end().partition(b"event: message_stop")[0], 0),
    "no last newline": ((OPEN + HELLO + end())[:-2], 0),
    "events without a name": (
        b"".join(line + b"\n\n" for line in (OPEN + HELLO + end()).split(b"\n") if line.startswith(b"data")),
        0,
    ),
    "comments": (b": hi\n\n" + OPEN + HELLO + b": hi\n\n" + end(), 0),
    "half an emoji": (OPEN + HELLO.replace(b"Hel", b"\\ud83d") + end(), 0),
    "a sentinel in the text": (OPEN + say('event: message_stop\ndata: {"type": "error"}\n\n') + end(), 0),
    "an event that is no JSON": (OPEN + HELLO + b"event: x\ndata: {oops\n\n" + end(), 0),
    "an unknown event": (OPEN + HELLO + event("later", x=1) + end(), 0),
    "numbers that floats lose": (OPEN + HELLO + end().replace(b"12", b"1" + b"0" * 30), 0),
}

UNDECORATED: dict[str, bytes] = {
    "tool turn": OPEN + HELLO + call() + end("tool_use"),
    "tool turn that ends otherwise": OPEN + HELLO + call() + end(),
    "tool turn with text behind": OPEN + HELLO + call() + say("More.", index=2) + end(),
    "thinking, then a call": OPEN + HELLO + think(1) + call(2) + end("tool_use"),
    "only calls": OPEN + call(0) + call(1, "Read") + end("tool_use"),
    "a reason without a call": OPEN + HELLO + end("tool_use"),
    "pause": OPEN + HELLO + searched() + say("So far.", index=3) + end("pause_turn"),
    "refusal": OPEN + HELLO + end("refusal"),
    "window exceeded": OPEN + HELLO + end("model_context_window_exceeded"),
    "an unknown reason": OPEN + HELLO + end("eos"),
    "error instead of an end": OPEN + HELLO + ERROR,
    "error behind thinking": OPEN + HELLO + think(1) + ERROR,
    **{f"{name} behind the text": OPEN + HELLO + more + end() for name, more in MUST_LEAVE.items()},
    "a search behind the text": OPEN + HELLO + searched() + end(),
    "a block of an unknown kind behind": OPEN + HELLO + start("hologram", 1) + stop(1) + end(),
    "no text": OPEN + think() + end(),
    "an empty text": OPEN + say("") + end(),
    "a blank text last": OPEN + HELLO + say(" \n", index=1) + end(),
    "no stop of the block": OPEN + HELLO.replace(stop(), b"") + end(),
    "no reason": OPEN + HELLO + end(None),
    "no end": OPEN + HELLO,
    "cut inside the end": OPEN + HELLO + end()[:40],
    "cut inside the text": OPEN + HELLO[:-60],
    "a negative index": OPEN + HELLO.replace(b'"index": 0', b'"index": -1') + end(),
    "a text index": OPEN + HELLO.replace(b'"index": 0', b'"index": "a"') + end(),
    "an index beyond all": OPEN + HELLO.replace(b'"index": 0', b'"index": 1' + b"0" * 30) + end(),
    "an error body as a stream": b'data: {"error": {"message": "no"}}\n\n',
    "nothing": b"",
}

PASSED = {**{name: stream for name, (stream, _) in DECORATED.items()}, **UNDECORATED}


def texts_of(events: list[dict[str, Any]]) -> dict[int, str]:
    """The text of each text block, as a client puts it together."""
    out: dict[int, str] = {}
    closed: set[int] = set()
    for one in events:
        index = one.get("index", -1)
        if one["type"] == "content_block_start" and one["content_block"]["type"] == "text":
            out[index] = one["content_block"]["text"]
        elif one["type"] == "content_block_delta" and one["delta"]["type"] == "text_delta":
            assert index not in closed
            out[index] += one["delta"]["text"]
        elif one["type"] == "content_block_stop":
            closed.add(index)
    return out


@pytest.mark.parametrize("cut", CUTS)
@pytest.mark.parametrize(("stream", "index"), DECORATED.values(), ids=DECORATED)
def test_scenarios_126_127_129_130_131_the_last_text_block_is_extended(stream: bytes, index: int, cut: Cut) -> None:
    before = read(stream)
    for pieces in cut(stream):
        out = through(messages.relay(request(), True), pieces, {0: FOOT}, REPORT)
        events = read(out)
        own = [at for at, one in enumerate(events) if "groundwire" in one]
        assert len(own) == 1
        assert events[: own[0]] + events[own[0] + 1 :] == before
        assert events[own[0] + 1] == {"type": "content_block_stop", "index": index}
        expected = texts_of(before)
        assert index == max(expected)
        assert texts_of(events) == {**expected, index: expected[index] + FOOT}
        assert events[own[0]]["groundwire"] == {"id": "r"}


def test_the_footer_s_event_is_spelled_as_the_stream_spells_its_own() -> None:
    for end_of_line in (b"\n", b"\r\n", b"\r"):
        stream = (OPEN + HELLO + end()).replace(b"\n", end_of_line)
        out = through(messages.relay(request(), True), [stream], {0: "F"})
        ours = b'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,'
        ours += b'"delta":{"type":"text_delta","text":"F"}}\n\n'
        at = stream.index(b"event: content_block_stop")
        assert out == stream[:at] + ours.replace(b"\n", end_of_line) + stream[at:]


def test_an_error_right_behind_the_end_voids_the_answer() -> None:
    stream = OPEN + HELLO + end() + ERROR
    assert through(messages.relay(request(), True), [stream], {0: FOOT}, b"{}") == stream


def test_text_leaves_at_once_and_only_the_end_is_held() -> None:
    relay = messages.relay(request(), True)
    begun = OPEN + HELLO.removesuffix(stop())
    assert relay.feed(begun) == begun
    assert relay.feed(stop() + think(1)) == b""
    assert not relay.ended
    assert relay.keepalive() == PING  # though nobody asks for one before the end
    assert relay.feed(end()) == b""
    assert relay.ended
    assert relay.appendable(0)
    assert not relay.appendable(1)
    assert relay.close({}) == stop() + think(1) + end()


@pytest.mark.parametrize("behind", [start("text", 2, text=""), call(2), ERROR, searched(2)], ids=str)
def test_what_else_comes_lets_go_of_what_was_held(behind: bytes) -> None:
    relay = messages.relay(request(), True)
    relay.feed(OPEN + HELLO + think(1))
    out = relay.feed(behind)
    assert out.startswith(stop() + think(1))
    assert not relay.ended


@pytest.mark.parametrize("more", MUST_LEAVE.values(), ids=MUST_LEAVE)
def test_a_client_hears_of_what_takes_its_time(more: bytes) -> None:
    relay = messages.relay(request(), True)
    begun = OPEN + HELLO + more
    assert relay.feed(begun) == begun
    assert relay.keepalive() == b""
    for behind in (PING, delta("thinking_delta", 1, thinking="x"), call(2), end("tool_use")):
        assert relay.feed(behind) == behind
    assert not relay.appendable(0)
    assert relay.close({}) == b""


@pytest.mark.parametrize(("size", "count"), [(65_536, 1), (3_000, 22), (3, 31)])
def test_what_is_held_before_the_end_has_a_bound(size: int, count: int) -> None:
    relay = messages.relay(request(), True)
    begun = OPEN + HELLO + THINKING + delta("thinking_delta", 1, thinking="x" * size) * count
    assert relay.feed(begun) == begun
    assert relay.feed(end()) == end()
    assert (relay.ended, relay.appendable(0), relay.answers[0].text) == (True, False, "Hello 😀.")


def test_blocks_without_number_are_read() -> None:
    many = 30_000
    stream = b"".join(start("text", at, text="a") for at in range(many))
    stream += b"".join(start("thinking", many + at) for at in range(many))
    relay = messages.relay(request(), True)
    assert relay.feed(stream + b"".join(map(stop, range(many)))).startswith(stream)


def test_a_tool_turn_is_read_and_nothing_of_it_is_held() -> None:
    relay = messages.relay(request(), True)
    stream = OPEN + think() + say("I edit.", index=1) + call(2) + call(3, "mcp__fs__write_file")
    assert relay.feed(stream) == stream
    (answer,) = relay.answers
    assert answer.text == "I edit."
    assert answer.calls == [
        ToolCall("toolu_1", "Edit", '{"file_path": "/a.md"}'),
        ToolCall("toolu_1", "mcp__fs__write_file", '{"file_path": "/a.md"}'),
    ]
    assert answer.hosted is None
    assert relay.feed(end("tool_use")) == end("tool_use")
    assert relay.ended


def test_what_the_provider_s_own_tools_did_is_told_apart() -> None:
    relay = messages.relay(request(), True)
    relay.feed(
        OPEN + HELLO + searched() + say("He was ", index=3) + CITED.replace(b'"index": 1', b'"index": 4') + end()
    )
    (answer,) = relay.answers
    assert answer.calls == []
    assert answer.text == "Hello 😀.\n\nHe was born in 1916"
    assert answer.hosted == Message(
        "assistant",
        "",
        (ToolCall("toolu_1", "web_search", '{"file_path": "/a.md"}'),),
        (ToolResult("toolu_1", "T https://x.example", False),),
        unread=True,
    )
    assert not answer.paused


@pytest.mark.parametrize("reason", ["pause_turn", "compaction"])
def test_a_paused_answer_is_none_yet(reason: str) -> None:
    relay = messages.relay(request(), True)
    relay.feed(OPEN + HELLO + end(reason))
    assert relay.answers[0].paused


def test_a_refusal_is_told() -> None:
    relay = messages.relay(request(), True)
    relay.feed(OPEN + HELLO + end("refusal"))
    assert relay.answers[0].refused


def test_a_broken_stream_looks_broken() -> None:
    relay = messages.relay(request(), True)
    assert relay.feed(OPEN + HELLO).endswith(delta("text_delta", 0, text="lo 😀."))
    assert relay.eof() == stop()
    assert relay.broken
    assert not relay.appendable(0)


PROGRAMS: list[dict[str, Any]] = [
    {"output_config": {"format": {"type": "json_schema", "schema": {}}}},
    {"output_format": {"type": "json_schema", "schema": {}}},
    {"tool_choice": {"type": "any"}},
    {"tool_choice": {"type": "tool", "name": "f"}},
    {"messages": [{"role": "user", "content": "x"}, {"role": "assistant", "content": "{"}]},
    {"messages": [{"role": "assistant", "content": [{"type": "text", "text": "{"}]}]},
]


PEOPLE: list[dict[str, Any]] = [
    {"tool_choice": {"type": "auto"}},
    {"tool_choice": {"type": "none"}},
    {"output_config": {"effort": "high"}},
    {
        "messages": [
            {"role": "assistant", "content": [{"type": "server_tool_use", "id": "s", "name": "x", "input": {}}]}
        ]
    },
    {"messages": [{"role": "assistant", "content": []}]},
    {"tool_choice": "any", "output_config": "x"},
]


KINDS = [
    *(OPEN, PING, ERROR, event("message_stop"), event("x"), b": c\n\n", b"data: [DONE]\n\n", b"data: {x\n\n"),
    *(b"data: 3\n\n", event("content_block_delta"), event("content_block_start"), event("message_delta", delta=3)),
    *(event("content_block_delta", index=0, delta={"type": "text_delta", "text": None}), end(), end("tool_use")),
    *(one for at in (0, 1) for one in (stop(at), start("text", at, text=""), start("text", at, text="a"))),
    *(
        one
        for at in (0, 1)
        for one in (delta("text_delta", at, text="b"), start("thinking", at), call(at), searched(at))
    ),
    *(delta("input_json_delta", 1, partial_json="{"), event("content_block_start", index=None, content_block="x")),
]


@given(st.lists(st.sampled_from(KINDS), max_size=20), st.integers(1, 400), st.booleans())
def test_any_order_of_events_passes_and_is_extended_in_one_place_at_most(
    events: list[bytes], step: int, append: bool
) -> None:
    stream = b"".join(events)
    pieces = [stream[at : at + step] for at in range(0, len(stream), step)]
    relay = messages.relay(request(), True)
    out = through(relay, pieces, {0: "FOOTER"} if append else {}, b"{}")
    ours = b'"delta":{"type":"text_delta","text":"FOOTER"},"groundwire":{}}\n\n'
    if ours in out:
        front, _, rest = out.partition(ours)
        assert front[: front.rindex(b"event: ")] + rest == stream
        assert append
    else:
        assert out == stream
    assert len(relay.answers) <= 1


BODY = b'{"id": "msg_1", "type": "message", "n": 1.10, "content": [{"type": "thinking", "thinking": "x", "signature": "s"},'
BODY += b' {"type": "text", "text": "A"}, {"type": "text", "text": "Hi \\u00e9", "citations": [{"cited_text": "Hi"}]}],'
BODY += b' "stop_reason": "end_turn", "usage": {"output_tokens": 3}, "big": 123456789012345678901234567890}'


def test_a_plain_body_is_read() -> None:
    relay = messages.relay(request(), False)
    through(relay, [BODY], {})
    assert relay.answers[0].text == "AHi é"


CHANGES: list[tuple[bytes, bytes]] = [
    (b"Hi \\u00e9", b""),
    (b"Hi \\u00e9", b" \\n"),
    (b'"end_turn"', b'"refusal"'),
    (b'"end_turn"', b'"pause_turn"'),
    (b'"end_turn"', b'"tool_use"'),
    (b'"end_turn"', b"null"),
    (b'{"type": "text", "text": "A"}', b'{"type": "tool_use", "id": "a", "name": "f", "input": {}}'),
    (b'"type": "message"', b'"type": "error"'),
    (b'"content": [', b'"content": {}, "x": ['),
    (b'{"id"', b'["id"'),
]


BAD_REQUESTS: list[tuple[bytes, str]] = [
    (b"", "invalid_json"),
    (b"[]", "invalid_json"),
    (b"[" * 100_000, "invalid_json"),
    (b'{"messages": []}', "missing_model"),
    (b'{"model": "m"}', "missing_messages"),
    (b'{"model": "m", "messages": "hi"}', "missing_messages"),
]


@pytest.mark.parametrize(("body", "code"), BAD_REQUESTS)
def test_bad_requests_are_told_why_in_anthropic_s_shape(body: bytes, code: str) -> None:
    with pytest.raises(RequestError) as failure:
        messages.read(body)
    assert failure.value.code == code
    told = json.loads(messages.error(failure.value))
    assert (told["type"], told["error"]["type"]) == ("error", "invalid_request_error")
    (streamed,) = read(messages.stream_error(failure.value))
    assert streamed == told


STATUSES: list[tuple[int, str]] = [
    *((400, "invalid_request_error"), (401, "authentication_error"), (403, "permission_error")),
    *((404, "not_found_error"), (413, "request_too_large"), (415, "invalid_request_error")),
    *((429, "rate_limit_error"), (500, "api_error"), (502, "api_error"), (529, "overloaded_error")),
]


@pytest.mark.parametrize(("status", "named"), STATUSES)
def test_errors_are_named_by_their_status(status: int, named: str) -> None:
    assert json.loads(messages.error(RequestError(status, "x")))["error"] == {"type": named, "message": "x"}


def called(identifier: str, name: str = "Edit", **arguments: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": identifier, "name": name, "input": arguments}


def result(identifier: str, content: Any, **more: Any) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": identifier, "content": content, **more}


def server(kind: str, content: Any) -> dict[str, Any]:
    return {"type": kind, "tool_use_id": "s", "content": content}


RESULTS: list[tuple[str, dict[str, Any], ToolResult]] = [
    ("string", result("a", "ok"), ToolResult("a", "ok", False)),
    ("error", result("a", "no", is_error=True), ToolResult("a", "no", True)),
    ("no content", {"type": "tool_result", "tool_use_id": "a"}, ToolResult("a", "", False)),
    ("null", result("a", None, is_error=None), ToolResult("a", "", False)),
    (
        "scenario 137: parts",
        result("a", [{"type": "text", "text": "1"}, {"type": "image", "source": {}}, {"type": "text", "text": "2"}]),
        ToolResult("a", "1\n2", False),
    ),
    (
        "search results of the client",
        result("a", [{"type": "search_result", "source": "u", "content": [{"type": "text", "text": "t"}]}]),
        ToolResult("a", "t", False),
    ),
    ("an image alone", result("a", [{"type": "image"}]), ToolResult("a", "", False)),
    (
        "mcp",
        {**server("mcp_tool_result", [{"type": "text", "text": "t"}]), "is_error": True},
        ToolResult("s", "t", True),
    ),
    (
        "web search",
        server("web_search_tool_result", [{"type": "web_search_result", "title": "T", "url": "u"}]),
        ToolResult("s", "T u", False),
    ),
    (
        "web search that failed",
        server("web_search_tool_result", {"type": "web_search_tool_result_error", "error_code": "unavailable"}),
        ToolResult(
            "s",
            '{"error":"unavailable","type":"web_search_tool_result_error","error_code":"unavailable"}',
            True,
        ),
    ),
    (
        "code",
        server(
            "code_execution_tool_result", {"stdout": "1\n", "stderr": "", "return_code": 0, "encrypted_stdout": "A"}
        ),
        ToolResult("s", '{"stdout":"1\\n","stderr":"","return_code":0}', False),
    ),
    (
        "bash that failed",
        server("bash_code_execution_tool_result", {"stdout": "", "stderr": "x", "return_code": 2}),
        ToolResult("s", '{"stdout":"","stderr":"x","return_code":2}', True),
    ),
    (
        "an edit",
        server("text_editor_code_execution_tool_result", {"is_file_update": True}),
        ToolResult("s", '{"is_file_update":true}', False),
    ),
    (
        "a page",
        server("web_fetch_tool_result", {"url": "u", "content": {"source": {"type": "text", "data": "words"}}}),
        ToolResult("s", "u\nwords", False),
    ),
    (
        "a document",
        server("web_fetch_tool_result", {"url": "u", "content": {"source": {"type": "base64", "data": "AAAA"}}}),
        ToolResult("s", "u", False),
    ),
    ("nothing", server("later_tool_result", None), ToolResult("s", "", False)),
]


@pytest.mark.parametrize(("block", "expected"), [row[1:] for row in RESULTS], ids=[row[0] for row in RESULTS])
def test_results_are_read(block: dict[str, Any], expected: ToolResult) -> None:
    asked = request(messages=[{"role": "user", "content": [block]}])
    message = asked.transcript.messages[0]
    assert (message.role, message.text, message.results) == ("user", "", (expected,))
    (told,) = messages.results(asked)
    assert told.call_id == expected.call_id
    assert expected.text.endswith(told.text)


def test_a_request_is_read() -> None:
    asked = request(
        system=[{"type": "text", "text": "You are"}, {"type": "text", "text": "cwd: /w", "cache_control": {}}],
        tools=[
            {"name": "Edit", "description": "d", "input_schema": {"type": "object"}},
            {"type": "web_search_20250305", "name": "web_search", "max_uses": 5},
            {"type": "mcp_toolset", "mcp_server_name": "x"},
            "odd",
        ],
        messages=[
            {
                "role": "user",
                "content": [{"type": "text", "text": "a"}, {"type": "image"}, {"type": "text", "text": "b"}],
            },
            {
                "role": "assistant",
                "content": [
                    {"type": "thinking", "thinking": "no", "signature": "s"},
                    {"type": "redacted_thinking", "data": "x"},
                    {"type": "text", "text": "I do."},
                    called("t", file_path="/ü"),
                    {"type": "server_tool_use", "id": "s", "name": "bash_code_execution", "input": {"command": "ls"}},
                    {"type": "mcp_tool_use", "id": "m", "name": "put", "server_name": "store", "input": {}},
                ],
            },
            {"role": "system", "content": "A reminder."},
            {"role": "assistant", "content": "Plain."},
            {"content": 3},
            3,
        ],
    )
    said = list(asked.transcript.messages)
    assert said[0] == Message("system", "You are\ncwd: /w")
    assert said[1] == Message("user", "a\nb", unread=True)
    assert said[2] == Message(
        "assistant",
        "I do.",
        (
            ToolCall("t", "Edit", '{"file_path":"/ü"}'),
            ToolCall("s", "bash_code_execution", '{"command":"ls"}'),
            ToolCall("m", "mcp__store__put", "{}"),
        ),
    )
    assert said[3:] == [
        Message("system", "A reminder."),
        Message("assistant", "Plain."),
        Message("user", ""),
        Message("user", ""),
    ]
    assert asked.transcript.messages[-3] == said[-3]
    assert [tool.name for tool in asked.transcript.tools] == ["Edit", "web_search", "mcp_toolset", ""]
    assert asked.transcript.tools[0].parameters == {"type": "object"}


REMINDER = "<system-reminder>\nYour todo list is empty.\n</system-reminder>"

TURNS: list[tuple[str, list[Any], str, list[str]]] = [
    (
        "results, then a reminder",
        [
            result("1", "The file /a.md has been updated."),
            result("2", "<tool_use_error>no</tool_use_error>"),
            {"type": "text", "text": REMINDER},
        ],
        "Do it.",
        ["landed", "failed"],
    ),
    (
        "results, then the user's own words",
        [result("1", "The file /a.md has been updated."), result("2", "x", is_error=True), "and hurry"],
        "Do it.",
        ["landed", "failed"],
    ),
    ("results out of order", [result("2", "x", is_error=True), result("1", "x")], "Do it.", ["unknown", "failed"]),
]


@pytest.mark.parametrize(("content", "asked", "outcomes"), [row[1:] for row in TURNS], ids=[row[0] for row in TURNS])
def test_results_with_text_beside_them_open_no_turn(content: list[Any], asked: str, outcomes: list[str]) -> None:
    raw = [
        {"role": "user", "content": "Before."},
        {"role": "assistant", "content": [called("0", file_path="/z.md")]},
        {"role": "user", "content": [result("0", "The file /z.md has been updated.")]},
        {"role": "assistant", "content": "Done."},
        {"role": "user", "content": [{"type": "text", "text": REMINDER}, {"type": "text", "text": "Do it."}]},
        {"role": "assistant", "content": [called("1", file_path="/a.md"), called("2", file_path="/b.md")]},
        {"role": "user", "content": content},
    ]
    turn = ledger.read_turn(request(messages=raw, system="x").transcript, marks())
    assert turn.asked.endswith(asked)
    assert [call.outcome for call in turn.calls] == outcomes
    assert [call.id for call in turn.earlier()] == ["0"]
    assert turn.whole()


def test_a_reminder_alone_opens_no_turn() -> None:
    raw = [
        {"role": "user", "content": "Do it."},
        {"role": "assistant", "content": [called("1", file_path="/a.md")]},
        {"role": "user", "content": [result("1", "x")]},
        {"role": "user", "content": [{"type": "text", "text": REMINDER}]},
    ]
    turn = ledger.read_turn(request(messages=raw).transcript, marks())
    assert (turn.asked, len(turn.calls)) == ("Do it.", 1)


def test_what_the_provider_s_tools_did_belongs_to_the_turn() -> None:
    raw = [
        {"role": "user", "content": "Do it."},
        {
            "role": "assistant",
            "content": [
                {"type": "server_tool_use", "id": "s", "name": "bash_code_execution", "input": {"command": "ls"}},
                server("bash_code_execution_tool_result", {"stdout": "", "stderr": "", "return_code": 0}),
                {"type": "text", "text": "Done."},
            ],
        },
    ]
    asked = request(messages=raw)
    turn = ledger.read_turn(asked.transcript, marks())
    assert [(call.name, call.result is not None) for call in turn.calls] == [("bash_code_execution", True)]
    then = asked.transcript.then(
        Message("assistant", "", (ToolCall("t", "web_search", "{}"),), (ToolResult("t", "x"),))
    )
    assert [call.name for call in ledger.read_turn(then, marks()).calls] == ["bash_code_execution", "web_search"]
    assert list(then.messages)[:-1] == list(asked.transcript.messages)
    assert then.messages[-2] == asked.transcript.messages[-1]
    assert then.messages[1:2] == [asked.transcript.messages[1]]


def test_only_what_is_read_is_converted() -> None:
    asked = request(messages=[{"role": "user", "content": "x"}] * 5, system="s")
    assert asked.transcript.messages[-1].text == "x"
    assert len(asked.transcript.messages._made) == 1  # type: ignore[attr-defined]


def test_a_compaction_by_the_provider_leaves_the_history_not_whole() -> None:
    raw = [
        {"role": "assistant", "content": [{"type": "compaction", "content": "We edited a.md."}]},
        {"role": "user", "content": "And now?"},
    ]
    assert not ledger.read_turn(request(messages=raw).transcript, marks()).whole()


PLACES: dict[str, Any] = {
    "assistant text": {"messages": [{"role": "assistant", "content": [{"type": "text", "text": "Done." + "@"}]}]},
    "assistant string": {"messages": [{"role": "assistant", "content": "Done.@"}]},
    "beside thinking and a cache mark": {
        "messages": [
            {
                "role": "assistant",
                "content": [
                    {"type": "thinking", "thinking": "t", "signature": "s"},
                    {"type": "text", "text": "Done.@", "cache_control": {"type": "ephemeral"}},
                ],
            }
        ]
    },
    "user": {"messages": [{"role": "user", "content": [{"type": "text", "text": "You said: Done.@ Sure?"}]}]},
    "tool result": {"messages": [{"role": "user", "content": [result("a", "Done.@")]}]},
    "parts of a result": {"messages": [{"role": "user", "content": [result("a", [{"type": "text", "text": "D.@"}])]}]},
    "system string": {"system": "Done.@", "messages": []},
    "system blocks": {"system": [{"type": "text", "text": "Done.@"}], "messages": []},
    "system behind the messages": {"messages": [{"role": "user", "content": "A@ b"}], "system": "Done.@"},
}


KEPT: dict[str, Any] = {
    "a call's arguments": {"messages": [{"role": "assistant", "content": [called("a", "Write", content="Done.@")]}]},
    "thinking": {
        "messages": [{"role": "assistant", "content": [{"type": "thinking", "thinking": "Done.@", "signature": "s"}]}]
    },
    "a result of the provider's own": {
        "messages": [
            {"role": "assistant", "content": [server("mcp_tool_result", [{"type": "text", "text": "Done.@"}])]}
        ]
    },
    "a text that would be empty": {"messages": [{"role": "assistant", "content": [{"type": "text", "text": "@"}]}]},
    "a document": {
        "messages": [
            {"role": "assistant", "content": [{"type": "document", "source": {"type": "text", "data": "Done.@"}}]}
        ]
    },
}


def test_an_edit_changes_its_bytes_alone() -> None:
    body = b'{ "model":"m", "x":1.10, "messages":[{"role":"user","content":[{"type":"text","text":"\\u00e9 a\\/b tail"}]}]}'
    path = ("messages", 0, "content", 0, "text")
    assert messages.edit(body, [Edit(path, 2, 6, 'X"')]) == body.replace(b"a\\/b ", b'X\\"')


def test_messages_are_appended_to_the_bytes() -> None:
    body = b'{"messages": [ {"role":"user","content":"a"} ], "model": "m"}'
    more = [
        Message("assistant", "b", (ToolCall("1", "f", '{"x": 1}'), ToolCall("2", "g", "free text"))),
        Message("tool", "c", results=(ToolResult("1", "c", True), ToolResult("2", "d"))),
        Message("system", "Look again."),
    ]
    extended = messages.extend(body, more)
    assert extended.startswith(b'{"messages": [ {"role":"user","content":"a"} ,{')
    added = json.loads(extended)["messages"][1:]
    assert [one["role"] for one in added] == ["assistant", "user", "user"]
    assert added[0]["content"] == [
        {"type": "text", "text": "b"},
        called("1", "f", x=1),
        called("2", "g", input="free text"),
    ]
    assert added[1]["content"] == [result("1", "c", is_error=True), result("2", "d")]
    assert list(messages.read(extended).transcript.messages)[1].calls[0] == ToolCall("1", "f", '{"x":1}')
    with pytest.raises(ValueError, match="no list"):
        messages.extend(b'{"messages": {}}', more)
