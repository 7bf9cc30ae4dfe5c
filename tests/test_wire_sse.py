"""Server-sent events: every case whole, split at every byte, and byte by byte."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proxy.wire.sse import Decoder, Event
from tests.relays import CUTS, Cut

CASES: list[tuple[str, bytes, list[tuple[bytes | None, bytes]]]] = [
    ("lf", b"data: a\n\ndata: b\n\n", [(b"a", b""), (b"b", b"")]),
    ("crlf", b"data: a\r\n\r\ndata: b\r\n\r\n", [(b"a", b""), (b"b", b"")]),
    ("cr", b"data: a\r\rdata: b\r\r", [(b"a", b""), (b"b", b"")]),
    ("mixed", b"data: a\r\n\ndata: b\n\r\n", [(b"a", b""), (b"b", b"")]),
    ("many lines", b"data: a\ndata: b\ndata:\n\n", [(b"a\nb\n", b"")]),
    ("no space", b"data:a\n\n", [(b"a", b"")]),
    ("two spaces", b"data:  a\n\n", [(b" a", b"")]),
    ("no colon", b"data\n\n", [(b"", b"")]),
    ("comment", b": hi\n\ndata: a\n\n", [(b"a", b"")]),
    ("comment inside", b": hi\ndata: a\n\n", [(b"a", b"")]),
    ("id and retry", b"id: 1\nretry: 3\ndata: a\n\n", [(b"a", b"")]),
    ("event", b"event: error\ndata: a\n\n", [(b"a", b"error")]),
    ("unknown field", b"datax: no\ndata: a\n\n", [(b"a", b"")]),
    ("byte order mark", b"\xef\xbb\xbfdata: a\n\ndata: b\n\n", [(b"a", b""), (b"b", b"")]),
    ("line separators", "data: a\u2028b\u0085c\n\n".encode(), [("a\u2028b\u0085c".encode(), b"")]),
    ("cut characters", "data: 😀é\n\n".encode(), [("😀é".encode(), b"")]),
    ("blank lines", b"\n\n\n\ndata: a\n\n\n", [(b"a", b"")]),
    ("no end", b"data: a\n\ndata: b", [(b"a", b""), (b"b", b"")]),
    ("a sentinel inside", b'data: {"x":"data: [DONE]\\n\\n"}\n\n', [(b'{"x":"data: [DONE]\\n\\n"}', b"")]),
    ("nothing", b"", []),
]


def decode(pieces: list[bytes], limit: int = 1 << 20) -> tuple[Decoder, list[Event]]:
    decoder = Decoder(limit)
    events = [event for piece in pieces for event in decoder.feed(piece)]
    return decoder, events + decoder.close()


@pytest.mark.parametrize("cut", CUTS)
@pytest.mark.parametrize(("stream", "expected"), [row[1:] for row in CASES], ids=[row[0] for row in CASES])
def test_events_are_the_same_however_they_are_cut(
    stream: bytes, expected: list[tuple[bytes | None, bytes]], cut: Cut
) -> None:
    for pieces in cut(stream):
        _, events = decode(pieces)
        assert [(event.data, event.event) for event in events if event.data is not None] == expected
        assert b"".join(event.raw for event in events) == stream


@given(
    st.lists(st.binary(max_size=20) | st.sampled_from([b"\r", b"\n", b"data: x", b"\xef\xbb\xbf", b":"]), max_size=30)
)
def test_no_byte_is_lost_or_moved(pieces: list[bytes]) -> None:
    _, events = decode(pieces)
    assert b"".join(event.raw for event in events) == b"".join(pieces)


@given(
    st.lists(st.sampled_from([b"\r", b"\n", b"\r\n", b"data: x", b"data: y", b": c", b"id: 1"]), max_size=20),
    st.integers(0, 99),
)
def test_what_is_read_does_not_depend_on_the_cut(parts: list[bytes], at: int) -> None:
    stream = b"".join(parts)
    _, one = decode([stream])
    _, other = decode([stream[:at], stream[at:]])
    assert [event.data for event in one if event.data is not None] == [
        event.data for event in other if event.data is not None
    ]


def test_an_event_leaves_as_soon_as_it_is_whole() -> None:
    decoder = Decoder()
    assert decoder.feed(b"data: a\n") == []
    assert [event.data for event in decoder.feed(b"\ndata: b")] == [b"a"]


def test_an_event_over_the_limit_passes_unread() -> None:
    stream = b"data: " + b"x" * 500 + b"\n\ndata: b\n\n"
    for pieces in ([stream[at : at + 7] for at in range(0, len(stream), 7)], [stream[:300], stream[300:]]):
        decoder, events = decode(pieces, limit=100)
        assert decoder.overflowed
        assert b"".join(event.raw for event in events) == stream
        assert [event.data for event in events if event.data is not None] == [b"b"]
