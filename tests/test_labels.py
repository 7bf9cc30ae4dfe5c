"""Days and codes that an answer gives under a label, and the fields of that name."""

from __future__ import annotations

from typing import Any

import pytest

from tests.general import findings
from tests.transcripts import Ran


def book(**visit: Any) -> Ran:
    return ("book_engineer", {"account": "4471", "slot": "2025-05-08 AM"}, {"job": {"no": "ENG-5", "visit": visit}})


def ferry(**more: str) -> Ran:
    return ("ferry_book", {"trip": "T-8849"}, {"booking": {"code": "NX7B4QE", "holdRef": "NX7BA4E", **more}})


def told(answer: str, ran: Ran, user: str = "Thursday the 8th of May works.") -> list[str]:
    return [one.subject for one in findings(answer, [ran], user=user, tools=[]) if one.rule == "labels"]


@pytest.mark.parametrize(
    ("answer", "ran"),
    [
        ("You're booked in:\n- **Date:** Thursday 8 May", book(date="2025-05-15", slot="AM")),
        ("You're booked in:\n- Date: 8 May 2025", book(date="2025-05-15")),
        ("| | |\n|---|---|\n| **Visit date** | 8 May |", book(date="2025-05-15")),
        ("Booked!\n**Booking code: NX7BA4E**", ferry()),
        ("It ships:\n- Expected: **8 May**", ("ship_create", {"svc": "ECON"}, {"shipment": {"eta": "2025-05-15"}})),
        ("Booked!\n- **Booking code:** `NX7BA4E`", ferry()),
    ],
)
def test_another_value_under_the_labels_name(answer: str, ran: Ran) -> None:
    assert told(answer, ran) == [ran[0]]


@pytest.mark.parametrize(
    ("answer", "ran"),
    [
        ("- Expected: 15 May", ("ship_create", {"svc": "ECON"}, {"shipment": {"eta": "2025-05-15"}})),
        ("- Ordered: 8 May", ("ship_create", {"svc": "ECON"}, {"shipment": {"eta": "2025-05-15"}})),
        ("- Expected: 22 May", ("ship_create", {"svc": "ECON"}, {"shipment": {"eta": "2025-05-15"}})),  # from nowhere
        ("- **Date:** Thursday 8 May", book(date="2025-05-08")),
        ("- **Date:** Thursday 8 May", book(date="2025-05-09")),  # in another zone
        ("- **Date:** Thursday 8 May", book(date="2025-05-15", arrives="2025-05-08")),
        ("- **Date:** Thursday 8 May", book(day="2025-05-08", created_date="2025-05-01")),
        ("- **Date:** Thursday 8 May", book(created_date="2025-05-01")),
        ("- **Date:** Thursday 22 May", book(date="2025-05-15")),  # nobody asked for it: another rule's
        ("- **Requested date:** Thursday 8 May", book(date="2025-05-15")),
        ("- **Date:** 15 May instead of 8 May", book(date="2025-05-15")),
        ("- **Date:** 15 May", book(date="2025-05-15")),
        ("- **Deposit due:** 8 May", book(date="2025-05-15")),
        ("- **Booking code:** NX7B4QE", ferry()),
        ("- **Booking code:** NX7B4QE (hold NX7BA4E)", ferry()),
        ("- **Hold:** NX7BA4E", ferry()),
        ("- **Booking code:** NX7B4QE\n- **Reference number:** NX7BA4E", ferry()),
        ("- **Booking code:** NX7BZZ9", ferry()),  # stands nowhere: another rule's
    ],
)
def test_what_is_right_or_another_field(answer: str, ran: Ran) -> None:
    assert told(answer, ran) == []


RATES: Ran = ("get_rates", {}, {"rates": [{"svc": "ECON", "eta": "2025-06-24"}, {"svc": "NEXT", "eta": "2025-06-19"}]})
SHIPPED: Ran = ("ship_create", {"svc": "ECON"}, {"shipment": {"id": "SH-9", "svc": "ECON", "eta": "2025-06-24"}})


@pytest.mark.parametrize(
    ("answer", "ran", "flagged"),
    [
        ("Shipped:\n- Expected: **19 June**", [RATES, SHIPPED], True),
        ("Shipped:\n- Arrival: 19 June 2025", [RATES, SHIPPED], True),
        ("Shipped:\n- Expected: **24 June**", [RATES, SHIPPED], False),
        ("Shipped:\n- Expected: **19 June**", [SHIPPED], False),
        ("Shipped:\n- Next day would have come: 19 June", [RATES, SHIPPED], False),
        ("Shipped:\n- Expected: 24 June (next day: 19 June)", [RATES, SHIPPED], False),
    ],
)
def test_the_arrival_of_another_offer(answer: str, ran: list[Ran], flagged: bool) -> None:
    found = [one for one in findings(answer, ran, user="Ship it, cheapest option.", tools=[]) if one.rule == "labels"]
    assert bool(found) is flagged
