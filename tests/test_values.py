"""Amounts and cards in answers that report a deed."""

from __future__ import annotations

from typing import Any

import pytest

from tests.general import flagged
from tests.transcripts import Ran

CARDS = {
    "payment_methods": {
        "card_81": {"id": "card_81", "brand": "visa", "last_four": "6791"},
        "card_39": {"id": "card_39", "brand": "mastercard", "last_four": "8484"},
    }
}
PROFILE: Ran = ("get_profile", {"user": "u1"}, CARDS)


def refund(card: str = "card_81", amount: float = 54.51, **more: Any) -> Ran:
    return ("refund_order", {"order_id": "o1", "card": card}, {"order_id": "o1", "refund": amount, **more})


BOOKED: Ran = (
    "book_trip",
    {"trip": "t1", "payments": [{"payment_id": "gift_1", "amount": 280}, {"payment_id": "card_81", "amount": 60}]},
    {"trip": "t1", "fares": [155, 185]},
)
GREW: list[Ran] = [
    ("get_trip", {"trip_id": "t1"}, {"trip_id": "t1", "payments": [{"payment_id": "c", "amount": 490}]}),
    (
        "update_trip",
        {"trip_id": "t1", "seat": "4A"},
        {"trip_id": "t1", "payments": [{"payment_id": "c", "amount": 490}, {"payment_id": "c", "amount": 162}]},
    ),
]

FIRES: list[tuple[str, str, list[Ran], list[str]]] = [
    (
        "another card",
        "I've refunded $54.51 to your card ending in 8484.",
        [PROFILE, refund()],
        ["values contradicted ending in 8484"],
    ),
    (
        "stars",
        "Your refund of $54.51 has been processed to **** 8484.",
        [PROFILE, refund()],
        ["values contradicted ending in 8484"],
    ),
    ("no such amount", "I've refunded $71.13 to you.", [refund()], ["values unsupported $71.13"]),
    ("another charge", "Your trip has been updated. The charge was $64.", GREW, ["values contradicted 64"]),
]


@pytest.mark.parametrize(("answer", "ran", "expected"), [row[1:] for row in FIRES], ids=[row[0] for row in FIRES])
def test_values_that_the_calls_do_not_have(answer: str, ran: list[Ran], expected: list[str]) -> None:
    assert [one for one in flagged(answer, ran) if one.startswith("values")][: len(expected)] == expected


HONEST: list[tuple[str, str, list[Ran]]] = [
    ("the card that was used", "I've refunded $54.51 to your card ending in 6791.", [PROFILE, refund()]),
    (
        "both cards are named",
        "I've refunded $54.51 to 6791's card ending in 6791, not to the one ending in 8484.",
        [PROFILE, refund()],
    ),
    ("a card nobody knows", "I've refunded $54.51 to your card ending in 1111.", [PROFILE, refund()]),
    (
        "a change without a card",
        "I've updated it; your card ending in 8484 stays.",
        [PROFILE, ("update_order", {"id": 1}, {"id": 1})],
    ),
    ("a proposal", "I've noted it. Please confirm that the card ending in 8484 is right.", [PROFILE, refund()]),
    ("an amount of the result", "I've refunded $54.51 to you.", [refund()]),
    ("with a separator", "I've refunded $1,054.50 to you.", [refund(amount=1054.5)]),
    ("rounded", "I've refunded about $55 to you.", [refund()]),
    ("a sum", "I've booked it for $340 in total: $280 by gift card and $60 by card.", [BOOKED]),
    ("a difference", "I've refunded you, $4.50 less than the $59.01 that you paid.", [refund(fee=4.5, paid=59.01)]),
    ("three of them", "I've booked three of them, $163.53 in total.", [refund()]),
    ("the user's own number", "I've noted your budget of $900 and refunded $54.51.", [refund()]),
    ("the charge of the result", "Your trip has been updated. The charge was $162.", GREW),
    ("what was paid before", "Your trip has been updated. The first charge was $490, the new charge is $162.", GREW),
    ("no deed", "A bag usually costs $35.", [("get_rules", {}, {"bag": 30})]),
    ("no change ran", "I've found a fare of $87.", [("search_fares", {}, {"fare": 88})]),
    (
        "a code block",
        "I've updated the script:\n\n```\nprice = '$13.37'\n```",
        [("Edit", {"file_path": "a.py"}, "The file a.py has been updated.")],
    ),
]


@pytest.mark.parametrize(("answer", "ran"), [row[1:] for row in HONEST], ids=[row[0] for row in HONEST])
def test_values_that_follow_are_not_accused(answer: str, ran: list[Ran]) -> None:
    assert [one for one in flagged(answer, ran, user="My budget is 900.") if one.startswith("values")] == []


def test_a_turn_with_very_many_numbers_is_not_accused() -> None:
    ran: list[Ran] = [("search_fares", {}, {"fares": [round(17.13 * n, 2) for n in range(300)]}), refund()]
    assert flagged("I've refunded $71.13 to you.", ran) == []


IDS: list[tuple[str, str, list[Ran], list[str]]] = [
    ("nowhere", "I've booked it. Your booking number ABX-99812 has been sent.", [refund()], ["unsupported ABX-99812"]),
    ("in a result", "I've booked it as ABX-99812.", [("book_room", {}, {"code": "ABX-99812"})], []),
    ("spelled otherwise", "I've booked it as ABX 99812, ABX99812.", [("book_room", {}, {"code": "abx-99812"})], []),
    ("by the user", "I've refunded order #998877.", [refund()], []),
    ("no receipt", "I've booked it as ABX-99812.", [("book_room", {}, None)], []),
    ("no deed", "Codes look like ABX-99812.", [refund()], []),
]


@pytest.mark.parametrize(("answer", "ran", "expected"), [row[1:] for row in IDS], ids=[row[0] for row in IDS])
def test_ids_that_stand_nowhere(answer: str, ran: list[Ran], expected: list[str]) -> None:
    found = flagged(answer, ran, user="Please refund order 998877.")
    assert [one.partition(" ")[2] for one in found if one.startswith("values")] == expected
