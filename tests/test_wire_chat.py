"""The chat format on the wire: requests read and edited, answers relayed, each stream cut in every way."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from proxy.errors import RequestError
from proxy.transcript import Message, ToolCall, ToolResult
from proxy.wire import Edit, Request, chat
from tests.relays import CUTS, FOOT, Cut, read, through

DONE = b"data: [DONE]\n\n"


def request(**more: Any) -> Request:
    return chat.read(json.dumps({"model": "m", "stream": True, "messages": [], **more}).encode())


def event(*choices: Mapping[str, Any], **more: Any) -> bytes:
    chunk = {"id": "c1", "object": "chat.completion.chunk", "created": 7, "model": "m", "choices": choices, **more}
    return b"data: " + json.dumps(chunk, separators=(",", ":")).encode() + b"\n\n"


def choice(delta: Mapping[str, Any], finish: str | None = None, index: int = 0) -> dict[str, Any]:
    return {"index": index, "delta": delta, "finish_reason": finish}


def say(text: str, finish: str | None = None, index: int = 0, **more: Any) -> bytes:
    return event(choice({"content": text}, finish, index), **more)


def end(finish: str = "stop", index: int = 0, **more: Any) -> bytes:
    return event(choice({}, finish, index), **more)


USAGE = event(usage={"total_tokens": 3})
CALL = {"index": 0, "id": "t1", "type": "function", "function": {"name": "patch", "arguments": ""}}
HELLO = event(choice({"role": "assistant", "content": ""})) + say("Hel") + say("lo 😀.")

DECORATED: dict[str, bytes] = {
    "plain": HELLO + end() + DONE,
    "usage after": HELLO + end() + USAGE + DONE,
    "usage before": HELLO + USAGE + end() + DONE,
    "finish shares a chunk with text": HELLO + say(" Bye.", "stop") + DONE,
    "whole answer in one chunk": event(choice({"role": "assistant", "content": "Hi."}, "stop"), usage={"n": 1}) + DONE,
    "length": HELLO + end("length") + DONE,
    "no sentinel": HELLO + end(),
    "no last newline": HELLO + end() + b"data: [DONE]",
    "crlf": (HELLO + end() + DONE).replace(b"\n", b"\r\n"),
    "cr": (HELLO + end() + DONE).replace(b"\n", b"\r"),
    "comments": b": PROCESSING\n\n" + HELLO + b": PROCESSING\n\n" + end() + DONE,
    "byte order mark": b"\xef\xbb\xbf" + HELLO + end() + DONE,
    "content filter results": event(prompt_filter_results=[]) + HELLO + end() + event(content_filter_offsets={}) + DONE,
    "ids": b"id: 1\n" + HELLO + b"id: 2\nretry: 5\n" + end() + DONE,
    "sentinel in the text": say("data: [DONE]\n\ndata: x") + end() + DONE,
    "reasoning": event(choice({"reasoning_content": "hm"})) + HELLO + end() + DONE,
    "line separators": say("a\u2028b\u0085c") + end() + DONE,
    "raw line separators": 'data: {"choices":[{"delta":{"content":"a\u2028b\u0085"}}]}\n\n'.encode() + end() + DONE,
    "half an emoji": b'data: {"choices":[{"index":0,"delta":{"content":"\\ud83d"},"finish_reason":null}]}\n\n'
    + end()
    + DONE,
    "numbers that floats lose": HELLO + end(created=10**30) + DONE,
    "no index": event({"delta": {"content": "Hi."}}) + event({"delta": {}, "finish_reason": "stop"}) + DONE,
    "parts": event(choice({"content": [{"type": "text", "text": "Hi."}]})) + end() + DONE,
    "an unknown finish": HELLO + end("eos") + DONE,
    "an event that is no JSON": HELLO + b"data: {oops\n\n" + end() + DONE,
}

UNDECORATED: dict[str, bytes] = {
    "tool calls": event(choice({"tool_calls": [CALL]})) + end("tool_calls") + DONE,
    "tool calls that end in stop": say("Let me see.") + event(choice({"tool_calls": [CALL]})) + end() + DONE,
    "legacy call": event(choice({"function_call": {"name": "f", "arguments": "{}"}})) + end("function_call") + DONE,
    "no text": event(choice({"role": "assistant", "content": ""})) + end() + DONE,
    "only spaces": say(" \n") + end() + DONE,
    "content filter": HELLO + end("content_filter") + DONE,
    "content filter of another name": HELLO + end("sensitive") + DONE,
    "error for a finish": HELLO + end("error") + DONE,
    "refusal": event(choice({"refusal": "No."})) + end() + DONE,
    "no finish": HELLO,
    "no finish but a sentinel": HELLO + DONE,
    "an error inside": HELLO + b'data: {"error":{"message":"overloaded"}}\n\n',
    "cut inside an event": HELLO + end()[:-9],
    "nothing": b"",
}


PASSED = {**DECORATED, **UNDECORATED}


def text_of(events: list[Any], index: int = 0) -> str:
    out = ""
    for one in events:
        for raw in one["choices"] if isinstance(one, dict) else ():
            content = raw["delta"].get("content") if raw.get("index", 0) == index else None
            out += content if isinstance(content, str) else "".join(part["text"] for part in content or ())
    return out


@pytest.mark.parametrize("cut", CUTS)
@pytest.mark.parametrize("stream", DECORATED.values(), ids=DECORATED)
def test_scenarios_126_127_129_130_131_the_footer_stands_before_the_one_finish(stream: bytes, cut: Cut) -> None:
    before = read(stream)
    for pieces in cut(stream):
        events = read(through(chat.relay(request(), True), pieces, {0: FOOT}, b'{"id":"r"}'))
        assert text_of(events) == text_of(before) + FOOT
        finishes = [at for at, one in enumerate(events) if _finish(one)]
        footers = [at for at, one in enumerate(events) if isinstance(one, dict) and "groundwire" in one]
        assert len(finishes) == len(footers) == 1
        assert footers[0] < finishes[0]
        assert all("choices" in one for one in events if one != "[DONE]")
        assert events[finishes[0] + 1 :] == before[[bool(_finish(one)) for one in before].index(True) + 1 :]
        assert [one for one in events if isinstance(one, dict) and one.get("usage")] == [
            one | ({"choices": [choice({}, "stop")]} if one["choices"] else {})
            for one in before
            if isinstance(one, dict) and one.get("usage")
        ]


def _finish(one: Any) -> Any:
    return isinstance(one, dict) and any(raw.get("finish_reason") for raw in one["choices"])


def test_the_footer_wears_the_stream_s_identity_in_its_own_bytes() -> None:
    finish = b'data: {"id":"\\u0063x","object":"o","created":1.10,"model":"m/x","system_fingerprint":null,'
    finish += b'"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n'
    out = through(chat.relay(request(), True), [say("Hi.") + finish], {0: "F"})
    assert (
        b'{"id":"\\u0063x","object":"o","created":1.10,"model":"m/x","system_fingerprint":null,"choices":[{"index":0'
        in out
    )


@pytest.mark.parametrize("line_end", [b"\n", b"\r\n", b"\r"])
def test_the_footer_s_event_is_spelled_as_the_stream_spells_its_own(line_end: bytes) -> None:
    stream = (HELLO + end() + DONE).replace(b"\n", line_end)
    relay = chat.relay(request(), True)
    front = relay.feed(stream)
    ours = event(choice({"content": "F"})).replace(b"\n", line_end)
    assert relay.keepalive() == event(choice({})).replace(b"\n", line_end)
    assert front + relay.close({0: "F"}) == front + ours + stream.removeprefix(front)


def test_a_finish_without_a_line_end_has_the_footer_on_lines_of_its_own() -> None:
    out = through(chat.relay(request(), True), [HELLO, end()[:-2]], {0: "F"})
    assert out == HELLO + event(choice({"content": "F"})) + end()[:-2]


def test_an_error_right_behind_the_finish_voids_the_answer() -> None:
    stream = HELLO + end() + b'event: error\ndata: {"message":"x"}\n\n'
    assert through(chat.relay(request(), True), [stream], {0: FOOT}, b"{}") == stream


def test_text_leaves_at_once_and_only_the_end_is_held() -> None:
    relay = chat.relay(request(), True)
    assert relay.feed(HELLO) == HELLO
    assert relay.feed(end() + USAGE + DONE) == b""
    assert relay.ended
    assert relay.close({}) == end() + USAGE + DONE


def test_scenario_133_every_choice_by_itself() -> None:
    relay = chat.relay(request(n=2), True)
    first = say("A", index=0) + say("B", index=1)
    assert relay.feed(first + end(index=0)) == first
    assert relay.feed(say("BB", index=1)) == say("BB", index=1)  # the other choice is not held
    assert not relay.ended
    assert relay.feed(end(index=1) + DONE) == b""
    assert [answer.text for answer in relay.answers] == ["A", "BBB"]
    events = read(first + relay.close({1: "F"}))
    assert (text_of(events, 0), text_of(events, 1)) == ("A", "BF")


def test_two_choices_in_one_event_keep_the_order_of_their_text() -> None:
    relay = chat.relay(request(n=2), True)
    both = event(choice({"content": "A"}, "stop", 0), choice({"content": "B"}, None, 1))
    assert relay.feed(both) == b""
    assert relay.feed(say("C", index=1)) == b""
    relay.feed(end(index=1))
    events = read(relay.close({0: "F"}))
    assert (text_of(events, 0), text_of(events, 1)) == ("AF", "BC")
    assert sum(bool(_finish(one)) for one in events) == 2


CALLS: list[tuple[str, list[dict[str, Any]], list[ToolCall]]] = [
    (
        "pieces",
        [
            CALL,
            {"index": 0, "function": {"arguments": '{"a"'}},
            {"index": 0, "function": {"name": "", "arguments": ":1}"}},
        ],
        [ToolCall("t1", "patch", '{"a":1}')],
    ),
    ("whole", [{"index": 0, "id": "a", "function": {"name": "f", "arguments": "{}"}}], [ToolCall("a", "f", "{}")]),
    (
        "shifted and interleaved",
        [
            {"index": 1, "id": "a", "function": {"name": "f", "arguments": ""}},
            {"index": 2, "id": "b", "function": {"name": "g", "arguments": "{"}},
            {"index": 1, "function": {"arguments": "{}"}},
            {"index": 2, "function": {"arguments": "}"}},
        ],
        [ToolCall("a", "f", "{}"), ToolCall("b", "g", "{}")],
    ),
    (
        "one index for two",
        [{"index": 0, "id": "a", "function": {"name": "f"}}, {"index": 0, "id": "b", "function": {"name": "g"}}],
        [ToolCall("a", "f", ""), ToolCall("b", "g", "")],
    ),
    (
        "no index",
        [{"id": "a", "function": {"name": "f", "arguments": "{"}}, {"function": {"name": "f", "arguments": "}"}}],
        [ToolCall("a", "f", "{}")],
    ),
    (
        "arguments as an object",
        [{"index": 0, "id": "a", "function": {"name": "f", "arguments": {}}}],
        [ToolCall("a", "f", "{}")],
    ),
    (
        "null arguments",
        [{"index": 0, "id": "a", "function": {"name": "f", "arguments": None}}],
        [ToolCall("a", "f", "")],
    ),
]


@pytest.mark.parametrize(("deltas", "expected"), [row[1:] for row in CALLS], ids=[row[0] for row in CALLS])
def test_scenario_132_calls_are_merged(deltas: list[dict[str, Any]], expected: list[ToolCall]) -> None:
    relay = chat.relay(request(), True)
    for delta in deltas:
        relay.feed(event(choice({"tool_calls": [delta]})))
    (answer,) = relay.answers
    assert answer.calls == expected


PROGRAMS: list[dict[str, Any]] = [
    {"response_format": {"type": "json_object"}},
    {"response_format": {"type": "json_schema", "json_schema": {}}},
    {"tool_choice": "required"},
    {"tool_choice": {"type": "function", "function": {"name": "f"}}},
    {"tool_choice": {"type": "allowed_tools", "allowed_tools": {"mode": "required", "tools": []}}},
    {"function_call": {"name": "f"}},
    {"logprobs": True},
    {"messages": [{"role": "assistant", "content": "{", "prefix": True}]},
    {"messages": [{"role": "user", "content": "x"}, {"role": "assistant", "content": "{", "partial": True}]},
    {"messages": [{"role": "assistant", "content": "{"}], "continue_final_message": True},
]


PEOPLE: list[dict[str, Any]] = [
    {"response_format": {"type": "text"}},
    {"tool_choice": "auto", "function_call": "none"},
    {"tool_choice": {"type": "allowed_tools", "allowed_tools": {"mode": "auto", "tools": []}}},
    {"logprobs": False},
    {"messages": []},
    {"messages": [3]},
    {"messages": [{"role": "assistant", "content": "{"}]},  # OpenAI's own models begin anew
    {"messages": [{"role": "assistant", "content": "{", "prefix": False}], "continue_final_message": "x"},
    {"messages": [{"role": "assistant", "content": "{", "prefix": True}, {"role": "user", "content": "x"}]},
]


def test_a_keepalive_is_an_empty_delta_of_the_held_stream() -> None:
    relay = chat.relay(request(), True)
    assert relay.keepalive() == b""
    relay.feed(HELLO + end())
    (one,) = read(relay.keepalive())
    assert one == {"id": "c1", "object": "chat.completion.chunk", "created": 7, "model": "m", "choices": [choice({})]}


BODY = b'{"id": "x", "n": 1.10, "choices": [{"index": 0, "message": {"role": "assistant", "content": "Hi \\u00e9"},'
BODY += b' "finish_reason": "stop"}], "big": 123456789012345678901234567890}'


CHANGES: list[tuple[bytes, bytes]] = [
    (b'"content": "Hi \\u00e9"', b'"content": null'),
    (b'"content": "Hi \\u00e9"', b'"content": ""'),
    (b'"stop"', b'"content_filter"'),
    (b'"stop"', b'"error"'),
    (b'"stop"', b"null"),
    (
        b'"content": "Hi',
        b'"tool_calls": [{"id": "a", "function": {"name": "f", "arguments": "{}"}}], "content": "Hi',
    ),
    (b'"content": "Hi', b'"refusal": "No.", "content": "Hi'),
    (b'{"id"', b'{"error": {"message": "x"}, "id"'),
    (b'{"id"', b'["id"'),
]


def test_a_plain_body_in_parts_is_extended_in_its_last_text() -> None:
    body = b'{"choices":[{"message":{"content":[{"type":"text","text":"A"},{"type":"text","text":"B"}]},"finish_reason":"stop"}]}'
    assert b'"text":"BF"' in through(chat.relay(request(), False), [body], {0: "F"})


def test_a_plain_body_in_bare_strings_is_extended_in_its_last() -> None:
    body = b'{"choices":[{"message":{"content":["A","B",{"type":"image"}]},"finish_reason":"stop"}]}'
    relay = chat.relay(request(), False)
    assert relay.feed(body) + relay.eof() == b""
    assert (relay.answers[0].text, relay.appendable(0)) == ("A\nB", True)
    assert (relay.close({0: "F"}), relay.incomplete) == (body.replace(b'"B"', b'"BF"'), "")


BAD_REQUESTS: list[tuple[bytes, str]] = [
    (b"", "invalid_json"),
    (b"{", "invalid_json"),
    (b"[]", "invalid_json"),
    (b"[" * 100_000, "invalid_json"),
    (b'{"messages": []}', "missing_model"),
    (b'{"model": 3, "messages": []}', "missing_model"),
    (b'{"model": "m"}', "missing_messages"),
    (b'{"model": "m", "messages": "hi"}', "missing_messages"),
]


@pytest.mark.parametrize(("body", "code"), BAD_REQUESTS)
def test_bad_requests_are_told_why(body: bytes, code: str) -> None:
    with pytest.raises(RequestError) as failure:
        chat.read(body)
    assert (failure.value.status, failure.value.code) == (400, code)
    assert set(json.loads(chat.error(failure.value))["error"]) == {"message", "type", "param", "code"}


@pytest.mark.parametrize(
    "body", [b'{"model":"m","messages":[],"x":NaN}', b'{"model":"m","messages":[{"content":"\\ud83d"}]}']
)
def test_what_only_the_standard_library_reads_is_read(body: bytes) -> None:
    assert chat.read(body).model == "m"


def test_an_edit_changes_its_bytes_alone() -> None:
    body = b'{ "model":"m", "x":1.10, "messages":[{"role":"user","content":"\\u00e9 a\\/b \\ud83d\\ude00 tail"}]}'
    path = ("messages", 0, "content")
    edited = chat.edit(body, [Edit(path, 2, 6, 'X"')])
    assert edited == body.replace(b"a\\/b ", b'X\\"')
    with pytest.raises(ValueError, match="no string"):
        chat.edit(body, [Edit(("messages", 1, "content"), 0, 1, "")])


def test_messages_are_appended_to_the_bytes() -> None:
    body = b'{"messages": [ {"role":"user","content":"a"} ], "model": "m"}'
    more = [
        Message("assistant", "b", (ToolCall("1", "f", "{}"),)),
        Message("tool", "c", results=(ToolResult("1", "c"),)),
    ]
    extended = chat.extend(body, more)
    assert extended.startswith(b'{"messages": [ {"role":"user","content":"a"} ,{')
    assert [one["role"] for one in json.loads(extended)["messages"]] == ["user", "assistant", "tool"]
    assert json.loads(chat.extend(b'{"messages":[]}', more[:1]))["messages"][0]["content"] == "b"
