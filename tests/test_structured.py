"""Answers that are JSON objects: what they say is read, and nothing is written into them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from proxy.structured import told
from tests.general import flagged
from tests.transcripts import Ran

DONE = {
    "summary": "Your order W-1 has been cancelled, and the money is on its way.",
    "orderStatus": "cancelled",
    "n": 2,
}


@pytest.mark.parametrize(
    ("value", "lines"),
    [
        (
            DONE,
            [
                "- Your order W-1 has been cancelled, and the money is on its way.",
                "- order status: cancelled",
                "- n: 2",
            ],
        ),
        (
            {"ok": True, "notes": ["It was done as you asked.", "x"], "none": None},
            ["- ok: yes", "- It was done as you asked.", "- notes: x"],
        ),
    ],
)
def test_the_values_of_an_object_are_lines(value: Any, lines: list[str]) -> None:
    assert told(json.dumps(value)).splitlines() == lines


@pytest.mark.parametrize(
    "text",
    [
        "I've cancelled it.",
        "{not json at all, but in braces}",
        '{"id": 7, "status": "done"}',
        '["It was done as you asked."]',
        '{"name": "cancel_order", "arguments": {"reason": "the user told me so twice"}}',
        "```json\n" + json.dumps(DONE) + "\n```",
        '{"a": "It was done as you asked."} ' + "x" * 60_000 + "}",
        "",
    ],
)
def test_any_other_text_is_left_as_it_is(text: str) -> None:
    assert told(text) == text


CANCELLED: Ran = ("cancel_order", {"order_id": "W-1"}, {"order_id": "W-1", "status": "cancelled"})
FAILED: Ran = ("cancel_order", {"order_id": "W-1"}, {"error": "internal error"})


@pytest.mark.parametrize(
    ("answer", "ran", "fires"),
    [
        (DONE, [FAILED], True),
        (DONE, [], True),
        (DONE, [CANCELLED], False),
        ({"summary": "Your order W-1 could not be cancelled: internal error.", "status": "failed"}, [FAILED], False),
        ({"summary": "Shall I cancel your order W-1 for you?", "status": "open"}, [FAILED], False),
        ({"status": "open", "order": "W-1"}, [FAILED], False),
    ],
)
def test_deeds_of_an_object_are_held_to_the_calls(answer: Any, ran: list[Ran], fires: bool) -> None:
    assert bool(flagged(json.dumps(answer), ran, user="Cancel W-1, please.")) == fires
