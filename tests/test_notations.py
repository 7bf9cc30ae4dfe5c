"""Results in XML and in lines of names and values are read as JSON would be; sentences, code and hostile documents are not."""

from __future__ import annotations

from typing import Any

import pytest

from proxy.notations import LONGEST, read
from proxy.results import Result

READ: list[tuple[str, str, Any]] = [
    ("elements", "<order><id>W-7</id><total>64.50</total></order>", {"id": "W-7", "total": 64.5}),
    ("attributes", '<meal date="2025-11-21" state="booked"/>', {"date": "2025-11-21", "state": "booked"}),
    (
        "several of one name",
        "<o><line sku='A'>2</line><line sku='B'/></o>",
        {"line": [{"sku": "A", "value": 2}, {"sku": "B"}]},
    ),
    ("namespaces", '<p:o xmlns:p="urn:x"><p:ok>true</p:ok></p:o>', {"ok": True}),
    ("an id keeps its noughts", "<o><sku>0042</sku><n>42</n></o>", {"sku": "0042", "n": 42}),
    ("pairs", "zone=hall target=21.0 mode=hold", {"zone": "hall", "target": 21.0, "mode": "hold"}),
    ("pairs with a word on one", "zone=hall rc=-4 (no answer)", {"zone": "hall", "rc": -4}),
    ("pairs by the line", "a=1 b=2\na=3 b=4", [{"a": 1, "b": 2}, {"a": 3, "b": 4}]),
    ("names and values", "Status: booked\nSeat: 14C", {"Status": "booked", "Seat": "14C"}),
    (
        "leaders, below a heading",
        "Import finished.\n rows read ..... 40\n created ....... 27",
        {"rows read": 40, "created": 27},
    ),
]


@pytest.mark.parametrize(("text", "value"), [row[1:] for row in READ], ids=[row[0] for row in READ])
def test_a_result_is_read_as_json_would_be(text: str, value: Any) -> None:
    assert read(text) == value
    assert Result(text).record == value
    assert Result(text).value is None  # what tools' signatures ask of JSON they ask of JSON alone


UNREAD: list[tuple[str, str]] = [
    ("nothing", "  "),
    ("a sentence", "Reminder saved: call Ann at 9:00."),
    ("one line with a colon", "Note: closed on Mondays"),
    ("a line among them that is none", "Status: booked\nSee you there!\nSeat: 14C"),
    ("a page", "<html><body><p>hello</p></body></html>"),
    ("not well formed", "<order><id>7</order>"),
    ("what defines entities", '<!DOCTYPE o [<!ENTITY a "aaaa">]><o><b>&a;</b></o>'),
    ("a sum", "x = 3"),
    ("code", "def f(a=1):\n    return a"),
    ("too long", f"<o><a>{'x' * LONGEST}</a></o>"),
]


@pytest.mark.parametrize("text", [row[1] for row in UNREAD], ids=[row[0] for row in UNREAD])
def test_what_is_in_no_notation_is_left_alone(text: str) -> None:
    assert read(text) is None


def test_elements_inside_each_other_are_read_to_a_depth() -> None:
    value = read("<a>" * 5_000 + "</a>" * 5_000)
    for _ in range(8):
        value = value["a"]
    assert value == ""


def test_json_is_read_as_json() -> None:
    assert Result('{"a": "x=1 y=2"}').record == {"a": "x=1 y=2"}
