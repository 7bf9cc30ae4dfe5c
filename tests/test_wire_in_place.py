"""Text inserted into answers, at places of their text: each format, streamed and plain, however it is cut into pieces."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proxy.wire import WireFormat, chat, messages
from proxy.wire.in_place import insert
from tests import test_wire_messages as anthropic
from tests.relays import read
from tests.test_wire_chat import DONE, USAGE, choice, end, event, say, text_of

TEXT = "Größe “a”.\n\nB 😀 c. D"
INSERTIONS = [(len(TEXT), "[3]"), (10, "[1]"), (15, "[2]\n"), (0, "")]
EXPECTED = TEXT[:10] + "[1]" + TEXT[10:15] + "[2]\n" + TEXT[15:] + "[3]"


def chat_stream(pieces: Sequence[str]) -> bytes:
    role = event(choice({"role": "assistant", "content": ""}))
    return role + b": note\n\n" + b"".join(say(one) for one in pieces) + end() + USAGE + DONE


def messages_stream(pieces: Sequence[str]) -> bytes:
    return anthropic.OPEN + anthropic.say(*pieces) + anthropic.end()


def said(wire: Any, data: bytes) -> str:
    if wire is chat:
        return text_of(read(data))
    parts = [json.loads(line[6:]) for line in data.decode().splitlines() if line.startswith("data: ")]
    return "".join(one["delta"]["text"] for one in parts if one.get("delta", {}).get("type") == "text_delta")


@pytest.mark.parametrize(("wire", "made"), [(chat, chat_stream), (messages, messages_stream)], ids=["chat", "messages"])
@pytest.mark.parametrize("size", [1, 2, 7, 100])
def test_a_stream_however_it_is_cut(wire: WireFormat, made: Any, size: int) -> None:
    assert wire.pieces is not None
    pieces = [TEXT[at : at + size] for at in range(0, len(TEXT), size)]
    data = made(pieces)
    new = insert(data, True, TEXT, INSERTIONS, wire.pieces)
    assert said(wire, new) == EXPECTED
    changed = [(one, other) for one, other in zip(data.splitlines(), new.splitlines(), strict=True) if one != other]
    assert 1 <= len(changed) <= 3
    assert insert(data, True, TEXT, [], wire.pieces) == data


@given(
    st.text(min_size=1, max_size=60), st.lists(st.integers(0, 60), max_size=4), st.lists(st.integers(1, 59), max_size=5)
)
def test_any_text_at_any_place(text: str, places: list[int], cuts: list[int]) -> None:
    edges = sorted({0, len(text), *(cut for cut in cuts if cut < len(text))})
    pieces = [text[a:b] for a, b in pairwise(edges)]
    insertions = [(at, f"<{at}>") for at in sorted(set(places)) if 0 < at <= len(text)]
    expected = text
    for at, new in reversed(insertions):
        expected = expected[:at] + new + expected[at:]
    assert said(chat, insert(chat_stream(pieces), True, text, insertions, chat.pieces)) == expected


def test_a_plain_answer_changes_in_its_text_alone() -> None:
    raw = '{"id": "x", "n": 1.10, "choices": [{"index": 0, "message": {"reasoning": "Größe", "content": "%s"}}]}'
    body = (raw % "Gr\\u00f6\\u00dfe “a”.\\n\\nB \\ud83d\\ude00 c. D").encode()
    new = insert(body, False, TEXT, INSERTIONS, chat.pieces)
    assert json.loads(new)["choices"][0]["message"] == {"reasoning": "Größe", "content": EXPECTED}
    assert new.startswith(body[: body.index(b"Gr\\u00f6")])
    assert b'"n": 1.10' in new


def test_blocks_that_something_stands_between() -> None:
    text = "One.\n\nTwo."
    blocks = [
        {"type": "thinking", "thinking": "One."},
        {"type": "text", "text": "One."},
        {"type": "x"},
        {"type": "text", "text": "Two."},
    ]
    body = json.dumps({"content": blocks}).encode()
    new = json.loads(insert(body, False, text, [(4, "[1]"), (10, "[2]")], messages.pieces))
    assert [block.get("text") for block in new["content"]] == [None, "One.[1]", None, "Two.[2]"]
    with pytest.raises(ValueError, match="between two pieces"):
        insert(body, False, text, [(5, "[1]")], messages.pieces)


@pytest.mark.parametrize(
    ("data", "streamed", "insertions"),
    [
        (chat_stream(["Another text."]), True, [(3, "x")]),
        (chat_stream([TEXT[:5]]), True, [(8, "x")]),
        (b'{"choices": []}', False, [(1, "x")]),
        (b'{"choices": 7}', False, [(1, "x")]),
        (b"[]", False, [(1, "x")]),
        (b"no", False, [(1, "x")]),
        (b"", True, [(1, "x")]),
        (b"data: {broken\n\n", True, [(1, "x")]),
        (b"data: {\ndata: }\n\n", True, [(1, "x")]),
    ],
)
def test_what_is_not_the_text_is_left_alone(data: bytes, streamed: bool, insertions: list[tuple[int, str]]) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - JSON's own words, or ours
        insert(data, streamed, TEXT, insertions, chat.pieces)
