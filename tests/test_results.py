"""Results that are lines of names and values are read as objects; any other text is none."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proxy.results import Result

READ = [
    (
        "student: Noor H. (5B)\nplacement: waiting list, position 3",
        {"student": "Noor H. (5B)", "placement": "waiting list, position 3"},
    ),
    ("status: 422\ntitle: Unprocessable\n", {"status": 422, "title": "Unprocessable"}),
    (
        'on: true\noff: false\nnone: null\nid: "007"\nrate: -1.5',
        {"on": True, "off": False, "none": None, "id": "007", "rate": -1.5},
    ),
    (
        "name: workers\nscaling:\n  enabled: false\n  max: 3\nstatus: OK",
        {"name": "workers", "scaling": {"enabled": False, "max": 3}, "status": "OK"},
    ),
    ("at: 10:30\nurl: http://h/x", {"at": "10:30", "url": "http://h/x"}),
    ("empty:\nnext: 1", {"empty": "", "next": 1}),
]


@pytest.mark.parametrize(("text", "value"), READ)
def test_lines_of_names_and_values(text: str, value: Any) -> None:
    assert Result(text).lines == value
    assert Result(text).value is None


@pytest.mark.parametrize(
    "text",
    [
        "Error: not found",
        "Dear Ann,\nthe order: it is here.\nBob",
        "a: 1\na: 2",
        "a: 1\n  b: 2",
        "- a: 1\n- b: 2",
        "this is no name of a field: 1\nb: 2",
        "a:1\nb:2",
        "",
        "\n\n",
        "a: " + "x" * 200 + "\nb: 1",
        "a: 1\nb: 2\n" * 1_000,
        "key = 1\nother = 2",
    ],
)
def test_any_other_text_has_none(text: str) -> None:
    assert Result(text).lines is None


@given(st.text(alphabet='ab: \n\t"1{}[]-.', max_size=120))
def test_any_text_is_read(text: str) -> None:
    assert Result(text).lines is None or Result(text).lines
