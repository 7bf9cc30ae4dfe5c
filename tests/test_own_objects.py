"""Objects within a change's result: the call's own, and those of things that were there before."""

from __future__ import annotations

from typing import Any

import pytest

from proxy.own_objects import bounced, is_instruction, was_given


@pytest.mark.parametrize(
    ("value", "raw", "given"),
    [
        ({"id": "J8", "status": "failed"}, '{"job_id": "j8"}', True),
        ({"id": "J9", "status": "failed"}, '{"job_id": "j8"}', False),
        ({"id": "J", "status": "failed"}, '{"job": "j"}', False),  # too short to name anything
        ({"id": 8}, '{"job_id": "8"}', False),
        ({"status": "failed"}, '{"job_id": "j8"}', False),
        ("J8", '{"job_id": "j8"}', False),
    ],
)
def test_a_thing_whose_id_was_given(value: Any, raw: str, given: bool) -> None:
    assert was_given(value, raw) is given


@pytest.mark.parametrize(
    ("words", "value", "own"),
    [
        (("instruction",), {"type": "REDIRECT", "state": "NOT_APPLIED"}, True),
        (("instruction",), {"type": "DIRECT_DEBIT", "state": "rejected"}, False),
        (("instruction",), {"state": "rejected"}, False),
        (("instruction",), "redirect", False),
        (("order",), {"type": "REDIRECT"}, False),
    ],
)
def test_the_instruction_that_was_given(words: tuple[str, ...], value: Any, own: bool) -> None:
    assert is_instruction(words, value, frozenset({"redirect", "shipment"})) is own


@pytest.mark.parametrize(
    ("value", "verb", "came_back"),
    [
        ({"delivery": {"state": "bounced", "smtp": "550 5.1.1"}}, "send", True),
        ({"delivery": {"status": "undeliverable", "channel": "sms"}}, "notif", True),
        ({"delivery": {"state": "delivered", "smtp": "250 ok"}}, "send", False),
        ({"delivery": {"state": "failed", "carrier": "GLS"}}, "send", False),  # a parcel's
        ({"delivery": {"state": "bounced", "smtp": "550"}}, "updat", False),
        ({"delivery": "bounced"}, "send", False),
        ({"message": {"state": "bounced", "to": "a@b.test"}}, "send", False),
    ],
)
def test_what_was_sent_and_came_back(value: dict[str, Any], verb: str, came_back: bool) -> None:
    assert bounced(value, verb) is came_back
