"""Directions: what was moved, sent or booked from where to where."""

from __future__ import annotations

from typing import Any

import pytest

from tests.general import flagged
from tests.transcripts import Ran


def book(*legs: tuple[str, str]) -> Ran:
    return ("book_trip", {"trip": "t1"}, {"id": "t1", "legs": [{"origin": a, "destination": b} for a, b in legs]})


MOVED: Ran = ("transfer_money", {"from_account": "savings", "to_account": "checking", "amount": 50}, {"ok": True})

FIRES: list[tuple[str, str, list[Ran], str]] = [
    (
        "by arrows",
        "Your crossing is booked:\n- **Out:** JFK → SFO\n- **Back:** SFO → JFK\n",
        [book(("JFK", "SFO"), ("JFK", "SFO"))],
        "from SFO to JFK",
    ),
    (
        "the way back",
        "I've booked it: out from JFK to SFO, back from SFO to JFK.",
        [book(("JFK", "SFO"), ("JFK", "SFO"))],
        "from SFO to JFK",
    ),
    ("money", "I've transferred $50 from checking to savings.", [MOVED], "from checking to savings"),
]
LEGS = [book(("CLT", "PHL"), ("PHL", "LGA"))]
WHOLE = [book(("CLT", "LGA"), ("CLT", "PHL"), ("PHL", "LGA"))]
UNKNOWN: list[tuple[str, str, list[Ran], list[str]]] = [
    ("a stop", "I've booked it:\n1. Charlotte (CLT) → Baltimore (BWI), 6:00 AM", LEGS, ["BWI"]),
    ("a start", "I've booked it:\n1. BWI → LGA, 9:45 AM", LEGS, ["BWI"]),
    ("by its legs", "I've booked it:\n1. CLT → BWI, 6:00 AM\n2. BWI → LGA, 9:45 AM", WHOLE, ["BWI"]),
    ("in words", "I've booked it: from CLT to BWI.", LEGS, ["BWI"]),
    ("as it is", "I've booked it:\n1. Charlotte (CLT) → Philadelphia (PHL)\n2. PHL → New York (LGA)", LEGS, []),
    ("over the stop", "I've booked it:\n- Charlotte (CLT) → New York (LGA)", LEGS, []),
    ("a city", "I've booked it:\n- Philadelphia (PHL) → New York (NYC)", LEGS, []),
    ("the user's", "I've booked it:\n- Charlotte (CLT) → Dulles (IAD)", LEGS, []),
    ("both are told", "I've booked it:\n- CLT → BWI, where PHL is near", LEGS, []),
    ("an offer", "I've booked it. You could also fly CLT → BWI.", LEGS, []),
    ("both unknown", "I've booked it. The bus goes EWR → BWI.", LEGS, []),
    ("a time zone", "I've booked it: CLT at 6:00 AM (EST)", LEGS, []),
    ("no deed", "The route is CLT → BWI.", [("search_trips", {}, [{"origin": "CLT", "destination": "PHL"}])], []),
    ("odd", "I've booked it: " + "CLT → " * 500, LEGS, []),
]


@pytest.mark.parametrize(("answer", "ran", "codes"), [row[1:] for row in UNKNOWN], ids=[row[0] for row in UNKNOWN])
def test_codes_that_stand_nowhere(answer: str, ran: list[Ran], codes: list[str]) -> None:
    found = [one for one in flagged(answer, ran, user="To LGA, not by IAD.") if one.startswith("routes")]
    assert found == [f"routes contradicted {one}" for one in codes]


@pytest.mark.parametrize(("answer", "ran", "subject"), [row[1:] for row in FIRES], ids=[row[0] for row in FIRES])
def test_the_opposite_direction(answer: str, ran: list[Ran], subject: str) -> None:
    assert [one for one in flagged(answer, ran) if one.startswith("routes")] == [f"routes contradicted {subject}"]


HONEST: list[tuple[str, str, list[Any]]] = [
    ("both ways", "I've booked it: out from JFK to SFO, back from SFO to JFK.", [book(("JFK", "SFO"), ("SFO", "JFK"))]),
    (
        "over a stop",
        "I've booked it from EWR to ORD and back from ORD to EWR.",
        [book(("EWR", "IAH"), ("IAH", "ORD"), ("ORD", "EWR"))],
    ),
    ("with names", "I've booked it from New York (JFK) to San Francisco (SFO).", [book(("JFK", "SFO"))]),
    ("other places", "I've booked it from Boston to Paris.", [book(("JFK", "SFO"))]),
    ("money", "I've transferred $50 from savings to checking.", [MOVED]),
    (
        "a file",
        "I've moved it from `a.md` to `b.md`.",
        [("move_file", {"source": "a.md", "destination": "b.md"}, "Successfully moved a.md to b.md")],
    ),
    (
        "both ways by arrows",
        "It is booked:\n- **Out:** JFK → SFO\n- **Back:** SFO → JFK\n",
        [book(("JFK", "SFO"), ("SFO", "JFK"))],
    ),
    ("an arrow between other things", "It is booked:\n- **Seat:** 14A → 15B\n", [book(("JFK", "SFO"))]),
    ("no deed", "It flies from SFO to JFK.", [("search_trips", {}, [{"origin": "JFK", "destination": "SFO"}])]),
    ("times", "I've booked it from 10:00 to 12:00.", [book(("JFK", "SFO"))]),
    ("a plan", "Shall I book it from SFO to JFK?", [book(("JFK", "SFO"))]),
]


@pytest.mark.parametrize(("answer", "ran"), [row[1:] for row in HONEST], ids=[row[0] for row in HONEST])
def test_other_directions_are_not_accused(answer: str, ran: list[Ran]) -> None:
    assert [one for one in flagged(answer, ran) if one.startswith("routes")] == []
