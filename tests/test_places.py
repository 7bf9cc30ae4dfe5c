"""Seats, rows, rooms and their like that an answer tells, and those of the change's result."""

from __future__ import annotations

from typing import Any

import pytest

from tests.general import findings
from tests.transcripts import Ran

OFFERS: Ran = (
    "search_exchange",
    {"order": "T-55088"},
    [
        {"offer": "of-2", "row": "K", "seats": ["12", "13"], "view": "pillar"},
        {"offer": "of-3", "row": "K", "seats": ["14", "15"]},
        {"offer": "of-4", "row": "N", "seats": ["8", "9"]},
    ],
)
TAKEN: Ran = (
    "commit_exchange",
    {"order": "T-55088", "offer": "of-3"},
    {"id": "T-55088", "tickets": [{"row": "K", "seat": "14"}, {"row": "K", "seat": "15"}]},
)
DESKS: Ran = ("list_desks", {"day": "Tuesday"}, {"desks": [{"desk": "D-12"}, {"desk": "D-14"}]})
MAP: Ran = ("list_seats", {"flight": "KL1"}, {"free_seats": ["12A", "14C", "20F"]})
PEOPLE: Ran = (
    "list_passengers",
    {"pnr": "X9"},
    {"passengers": [{"name": "Sam", "seat": "15A"}, {"name": "Mia", "seat": "14C"}]},
)


def desk(number: Any = "D-14", key: str = "desk") -> Ran:
    return ("book_desk", {"day": "Tuesday", "slot": "am"}, {key: number, "day": "Tuesday"})


def seat(told: str = "14C", **asked: str) -> Ran:
    return ("change_seat", {"pnr": "X9", **asked}, {"pnr": "X9", "seat": told})


def told(answer: str, *ran: Ran, user: str = "Yes, please.") -> list[str]:
    return [one.rule for one in findings(answer, ran, user=user, tools=[]) if one.flagged]


@pytest.mark.parametrize(
    ("answer", "ran"),
    [
        ("You've been moved up to **row K, seats 12 and 13**.", [OFFERS, TAKEN]),
        ("You've been moved up to row K, seats 12–13.", [OFFERS, TAKEN]),
        ("You've been moved up to row N, seats 8 & 9.", [OFFERS, TAKEN]),
        ("You've been moved from row S to row N.", [OFFERS, TAKEN]),
        ("You're booked in for Tuesday.\n\n- **Desk:** D-12", [DESKS, desk()]),
        ("You're booked in for Tuesday.\n\n| | |\n|---|---|\n| **Desk** | D-12 |", [DESKS, desk()]),
        ("Done, you're now in seat 12A.", [MAP, seat()]),
    ],
)
def test_a_place_of_another_offer(answer: str, ran: list[Ran]) -> None:
    assert told(answer, *ran) == ["places"]


@pytest.mark.parametrize(
    ("answer", "ran"),
    [
        ("You've been moved up to row K, seats 14 and 15.", [OFFERS, TAKEN]),
        ("You've been moved up to row K, seats 14–15.", [OFFERS, TAKEN]),
        ("You've been moved up to row K. Seats 12 and 13 have a pillar.", [OFFERS, TAKEN]),
        ("You've been moved from row N, seats 8 and 9.", [OFFERS, TAKEN]),
        ("You've been moved up to two seats together, next to seats 12 and 13.", [OFFERS, TAKEN]),
        ("You've been moved up. Seats 12 and 13 are still available.", [OFFERS, TAKEN]),
        ("You've been moved up. Would you rather be in seats 12 and 13?", [OFFERS, TAKEN]),
        ("You've been moved up to row K, seats 112 and 113.", [OFFERS, TAKEN]),  # no offer: another rule's
        ("You've been moved up. Doors at 12:15, row Z is closed.", [OFFERS, TAKEN]),
        (
            "You've been moved up to row K, seats 12 and 13.",
            [OFFERS, TAKEN, ("get_order", {"id": "1"}, {"seat": "12"})],
        ),
        ("You've been moved up to row K, seats 12 and 13.", [TAKEN]),
        ("You're booked in for Tuesday.\n\n- **Desk:** D14", [DESKS, desk()]),
        ("You're booked in for Tuesday.\n\n- **Desk:** D-12", [DESKS, desk("Window desk")]),
        ("You're booked in for Tuesday.\n\n- **Desk:** D-12", [DESKS, desk(2, "desks")]),
        ("You're booked in for Tuesday.\n\n- **Old desk:** D-12", [DESKS, desk()]),
        ("You're now in row 14, seat C.", [MAP, seat()]),
        ("Seat 12A is reserved for the crew.\n\nYou're in the middle.", [PEOPLE, seat()]),
        ("Mia is checked in. Your husband is confirmed in seat 15A.", [PEOPLE, seat()]),
        ("Mia is checked in. Your seat 15A is confirmed too.", [PEOPLE, seat()]),
        ("You're moved to the aisle, from seat 12A.", [MAP, seat(old_seat="12A", new_seat="14C")]),
    ],
)
def test_what_is_right_or_somebody_elses(answer: str, ran: list[Ran]) -> None:
    assert "places" not in told(answer, *ran)


def test_what_the_user_spoke_of() -> None:
    assert told("You're now in seat 12A.", MAP, seat(), user="My wife is in 12A; put me near her.") == []
