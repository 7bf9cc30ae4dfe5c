"""Values found and changed in JSON bytes: all other bytes stay."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proxy.wire import Edit, spans

VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=12,
)


def strings(value: Any, path: tuple[str | int, ...] = ()) -> list[tuple[tuple[str | int, ...], str]]:
    if isinstance(value, str):
        return [(path, value)]
    steps = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [found for key, inner in steps for found in strings(inner, (*path, key))]


@given(VALUES, st.booleans(), st.sampled_from([None, 1]), st.data())
def test_an_edit_changes_one_string_and_nothing_else(
    value: Any, ascii_only: bool, indent: int | None, data: st.DataObject
) -> None:
    document = {"top": value, "text": 'a\u00e9😀\n"b'}
    body = json.dumps(document, ensure_ascii=ascii_only, indent=indent).encode("utf-8", "surrogatepass")
    path, text = data.draw(st.sampled_from(strings(document)))
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    edited = spans.edit(body, [Edit(path, start, end, '<é😀">')])
    left, right = spans.locate(body.decode("latin-1"), path)
    assert (edited[: left + 1], edited[len(edited) - (len(body) - right) - 1 :]) == (
        body[: left + 1],
        body[right - 1 :],
    )
    changed = json.loads(edited)
    inner: Any = changed
    for step in path:
        inner = inner[step]
    assert inner == text[:start] + '<é😀">' + text[end:]


@given(VALUES)
def test_every_value_is_found(value: Any) -> None:
    body = json.dumps({"a": [value]}).encode()
    start, end = spans.locate(body.decode("latin-1"), ("a", 0))
    assert json.loads(body[start:end]) == value


def test_of_a_key_that_is_there_twice_the_last_one_counts() -> None:
    text = '{"a": 1, "a": {"b": "x"}, "c": {"a": 3}}'
    start, end = spans.locate(text, ("a", "b"))
    assert text[start:end] == '"x"'


@pytest.mark.parametrize(
    ("body", "path"),
    [
        (b'{"a": 1}', ("b",)),
        (b'{"a": 1}', ("a", "b")),
        (b'{"a": [1]}', ("a", 1)),
        (b"{", ("a",)),
        (b'{"a" 1}', ("a",)),
        (b'{"a": [' + b"[" * 100_000, ("a", 0, 0)),
    ],
)
def test_what_is_not_there_is_a_value_error(body: bytes, path: tuple[str | int, ...]) -> None:
    with pytest.raises(ValueError, match=r"."):
        spans.locate(body.decode("latin-1"), path)


def test_numbers_too_long_for_python_are_stepped_over() -> None:
    text = '{"n": ' + "9" * 5_000 + ', "a": "x"}'
    start, end = spans.locate(text, ("a",))
    assert text[start:end] == '"x"'
    assert spans.parse(text.encode())["a"] == "x"


@pytest.mark.parametrize("data", [b"[NaN]", b'["\\ud83d"]', b'["a\tb"]', b"\xef\xbb\xbf[1]"])
def test_what_orjson_refuses_is_read_by_the_standard_library(data: bytes) -> None:
    assert isinstance(spans.parse(data), list)


def test_overlapping_edits_are_refused() -> None:
    with pytest.raises(ValueError, match="overlap"):
        spans.edit(b'{"a": "abcdef"}', [Edit(("a",), 0, 3, ""), Edit(("a",), 2, 4, "")])
