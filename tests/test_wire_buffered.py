"""A stream that is held: whatever came and however it was cut, what leaves in the end are the same bytes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proxy.wire import Relay, chat, messages, responses
from proxy.wire.buffered import HEAD, Buffered
from tests import test_wire_chat as openai
from tests import test_wire_messages as anthropic
from tests import test_wire_responses as api
from tests.relays import CUTS, Cut, read
from tests.test_wire_chat import CALL, DONE, HELLO, USAGE, choice, end, event, say

STREAMS: dict[str, tuple[Callable[[], Relay], bytes]] = {
    **{f"chat: {name}": (lambda: chat.relay(openai.request(), True), one) for name, one in openai.PASSED.items()},
    **{
        f"messages: {name}": (lambda: messages.relay(anthropic.request(), True), one)
        for name, one in anthropic.PASSED.items()
    },
    **{
        f"responses: {name}": (lambda: responses.relay(api.request(), True), api.PASSED[name])
        for name in ("plain", "tool turn", "failed", "an error", "cut inside the end")
    },
}
EVENTS = [
    *(
        HELLO,
        say("more"),
        say("last", "stop"),
        end(),
        end("length"),
        end("tool_calls"),
        USAGE,
        DONE,
    ),
    *(event(choice({"tool_calls": [CALL]})), event(choice({"refusal": "No."})), event(choice({"reasoning": "hm"}))),
    *(event(), b": comment\n\n", b"data: {oops\n\n", b'data: {"error":{"message":"x"}}\n\n', b"id: 1\n", b"\n"),
    *(b"event: error\ndata: {}\n\n", b"\xef\xbb\xbf", b"data: half", b"\r", b"\r\n"),
]


def held(inner: Relay, pieces: list[bytes], **more: Any) -> tuple[bytes, bytes]:
    """What leaves before somebody has decided, and after it."""
    relay = Buffered(inner, **more)
    before = b"".join([relay.feed(piece) for piece in pieces]) + relay.eof()
    return before, relay.close({})


@pytest.mark.parametrize("cut", CUTS)
@pytest.mark.parametrize(("inner", "stream"), STREAMS.values(), ids=STREAMS)
def test_not_a_byte_differs(inner: Callable[[], Relay], stream: bytes, cut: Cut) -> None:
    for pieces in cut(stream):
        assert b"".join(held(inner(), pieces)) == stream
        assert held(inner(), pieces, whole=True) == (b"", stream)


@given(st.lists(st.sampled_from(EVENTS), max_size=12), st.sampled_from([b"\n", b"\r\n", b"\r"]), st.data())
def test_not_a_byte_differs_whatever_comes(events: list[bytes], line_end: bytes, data: st.DataObject) -> None:
    stream = b"".join(events).replace(b"\n", line_end)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=6)))
    pieces = [stream[start:stop] for start, stop in zip([0, *cuts], [*cuts, len(stream)], strict=True)]
    before, after = held(chat.relay(openai.request(), True), pieces)
    assert before + after == stream


@pytest.mark.parametrize("cut", CUTS)
@pytest.mark.parametrize("stream", openai.DECORATED.values(), ids=openai.DECORATED)
def test_nothing_that_is_said_leaves_before_it_is_decided(stream: bytes, cut: Cut) -> None:
    for pieces in cut(stream):
        before, _ = held(chat.relay(openai.request(), True), pieces)
        assert openai.text_of(read(before)) == ""


def test_a_head_is_remembered_as_far_as_it_is_of_use() -> None:
    relay = Buffered(chat.relay(openai.request(), True))
    thought = event(choice({"reasoning": "hm" * 2_000}))
    for _ in range(100):
        assert relay.feed(thought) == thought
    assert HEAD <= len(relay.head) < HEAD + len(thought)
    assert relay.feed(HELLO).startswith(event(choice({"role": "assistant", "content": ""})))
