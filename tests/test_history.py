"""Our footers come back with the history: they are cut out, and every other byte stays."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from proxy import history
from proxy.footer import KEY, Seals
from proxy.wire import chat, responses
from tests.proportions import in_proportion

SEALS = Seals((b"k" * 32,))
WORDS = '**Groundwire**: 1 claim in this answer does not hold.\n\n- `a\\b/ü.md` — contradicted: `"x" <b> 😀`'


def _go(document: Any) -> bytes:
    text = json.dumps(document, ensure_ascii=False)
    for char in "<>&\u2028\u2029":
        text = text.replace(char, f"\\u{ord(char):04x}")
    return text.encode("utf-8", "surrogatepass")


ENCODERS: dict[str, Callable[[Any], bytes]] = {
    "orjson": orjson.dumps,
    "ascii": lambda document: json.dumps(document).encode(),
    "unicode": lambda document: json.dumps(document, ensure_ascii=False).encode("utf-8", "surrogatepass"),
    "indented": lambda document: json.dumps(document, indent=2).encode(),
    "slashes escaped": lambda document: json.dumps(document).replace("/", "\\/").encode(),
    "angles escaped": _go,
    "everything escaped": lambda document: (
        b'{"model":"m","messages":['
        + b",".join(
            b'{"role":"user","content":"%s"}' % "".join(f"\\u{unit:04x}" for unit in _units(one["content"])).encode()
            for one in document["messages"]
        )
        + b"]}"
    ),
}


def _units(text: str) -> list[int]:
    data = text.encode("utf-16-le", "surrogatepass")
    return [int.from_bytes(data[at : at + 2], "little") for at in range(0, len(data), 2)]


def body(*messages: dict[str, Any]) -> dict[str, Any]:
    return {"model": "m", "messages": list(messages)}


def cleaned(data: bytes) -> tuple[bytes, list[str]]:
    request = chat.read(data)
    out = history.clean(data, request, chat, SEALS)
    return out, [message.text for message in request.transcript.messages]


def sealed(text: str, audit_id: str = "a1") -> str:
    return text + SEALS.seal(audit_id, text, WORDS)


TEXTS = st.lists(
    st.tuples(st.text(min_size=1, max_size=60).filter(str.strip), st.integers(0, 2)), min_size=1, max_size=5
)


@pytest.mark.parametrize(
    "encode",
    [one for name, one in ENCODERS.items() if name != "everything escaped"],
    ids=[n for n in ENCODERS if n != "everything escaped"],
)
@given(texts=TEXTS)
def test_scenario_120_the_body_is_as_it_was_before(
    encode: Callable[[Any], bytes], texts: list[tuple[str, int]]
) -> None:
    plain = body(*({"role": "assistant", "content": text} for text, _ in texts))
    signed = body(
        *(
            {"role": "assistant", "content": text if not count else _times(text, count, f"b{at}")}
            for at, (text, count) in enumerate(texts)
        )
    )
    out, read = cleaned(encode(signed))
    assert out == encode(plain)
    assert read == [text for text, _ in texts]


def _times(text: str, count: int, audit_id: str) -> str:
    for _ in range(count):
        text = sealed(text, audit_id)
    return text


def test_a_body_without_our_key_is_not_looked_at() -> None:
    data = b'{"model":"m","messages":[{"role":"user","content":"hi"}]}'
    assert history.clean(data, chat.read(data), chat, SEALS) is data


PLACES: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    (
        "a user pastes it",
        {"role": "user", "content": "See: " + sealed("x") + " ok?"},
        {"role": "user", "content": "See: x ok?"},
    ),
    (
        "text parts",
        {"role": "assistant", "content": [{"type": "text", "text": sealed("x")}, {"type": "text", "text": "y"}]},
        {"role": "assistant", "content": [{"type": "text", "text": "x"}, {"type": "text", "text": "y"}]},
    ),
    ("a tool's result", {"role": "tool", "content": sealed("x")}, {"role": "tool", "content": "x"}),
    (
        "a system summary",
        {"role": "system", "content": "Earlier: " + sealed("x", "q1") + "\n" + sealed("y", "q2")},
        {"role": "system", "content": "Earlier: x\ny"},
    ),
]


@pytest.mark.parametrize(("before", "after"), [row[1:] for row in PLACES], ids=[row[0] for row in PLACES])
@pytest.mark.parametrize("name", [one for one in ENCODERS if one != "everything escaped"])
def test_every_role_and_every_place(name: str, before: dict[str, Any], after: dict[str, Any]) -> None:
    out, _ = cleaned(ENCODERS[name](body(before)))
    assert out == ENCODERS[name](body(after))


FORGED = sealed("x").replace("contradicted", "confirmed")
STAYS: list[tuple[str, dict[str, Any]]] = [
    ("scenario 121, an imitation", {"role": "assistant", "content": FORGED}),
    ("a cut would leave nothing", {"role": "assistant", "content": sealed("")}),
    ("a cut would leave spaces", {"role": "assistant", "content": sealed(" \n")}),
    ("the bare key", {"role": "user", "content": f"what is {KEY}?"}),
    ("another tenant's", {"role": "assistant", "content": "x" + Seals((b"o" * 32,)).seal("a", "x", WORDS)}),
    (
        "a file that a call writes",
        {
            "role": "assistant",
            "tool_calls": [{"id": "1", "function": {"name": "w", "arguments": json.dumps({"c": sealed("x")})}}],
        },
    ),
    ("re-wrapped", {"role": "assistant", "content": sealed("x").replace(" — ", "\n— ")}),
]


@pytest.mark.parametrize("message", [row[1] for row in STAYS], ids=[row[0] for row in STAYS])
@pytest.mark.parametrize("name", [one for one in ENCODERS if one != "everything escaped"])
def test_what_is_not_ours_stays(name: str, message: dict[str, Any]) -> None:
    data = ENCODERS[name](body(message))
    assert cleaned(data)[0] == data


def test_a_written_file_does_not_hide_a_message_s_footer() -> None:
    name = "w"
    call = {"id": "1", "function": {"name": name, "arguments": sealed("x", "f1")}}
    signed = body({"role": "assistant", "content": sealed("x", "m1"), "tool_calls": [call]})
    plain = body({"role": "assistant", "content": "x", "tool_calls": [call]})
    assert cleaned(json.dumps(signed).encode())[0] == json.dumps(plain).encode()


def test_a_body_in_which_even_letters_are_escaped_is_left_alone() -> None:
    data = ENCODERS["everything escaped"](body({"role": "user", "content": sealed("x")}))
    assert cleaned(data)[0] == data


def test_forged_seals_cost_a_look_each() -> None:
    forged = f"\n\n[//]: # ({KEY} a1 2 16000 {'0' * 20})"

    def clean(times: int) -> None:
        data = json.dumps(body({"role": "user", "content": sealed("x") + forged * times})).encode()
        assert cleaned(data)[0] == json.dumps(body({"role": "user", "content": "x" + forged * times})).encode()

    assert in_proportion(clean, 2_000)


def test_many_footers_are_cut_in_one_pass() -> None:
    """Also by their paths: beside a text that is nothing but a footer, and stays."""
    footer = SEALS.seal("a" * 16, "x", "words")
    asked = {"model": "m", "messages": [{"role": "user", "content": text} for text in (footer, f"é\\n{footer}" * 300)]}
    for ascii_only in (True, False):
        body = json.dumps(asked, ensure_ascii=ascii_only).encode()
        request = chat.read(body)
        cleaned = json.loads(history.clean(body, request, chat, SEALS))
        assert [one["content"] for one in cleaned["messages"]] == [footer, "é\\n" * 300]
        assert [one.text for one in request.transcript.messages] == [footer, "é\\n" * 300]


def test_footers_in_many_items_are_cut_from_each() -> None:
    items = [{"role": "assistant", "content": sealed("x")}, {"role": "user", "content": "go on"}] * 300
    data = json.dumps({"model": "m", "input": items}).encode()
    request = responses.read(data)
    assert KEY.encode() not in history.clean(data, request, responses, SEALS)
    assert [message.text for message in request.transcript.messages] == ["x", "go on"] * 300
