"""What a user wished for, and an answer lists as made, must stand in some call or result: most lines that look so are honest."""

from __future__ import annotations

from typing import Any

import pytest

from tests.general import flagged
from tests.transcripts import Ran

ASKED = "The Skoda please, with a roof box and winter tyres. We are five, and come by train."
MADE = {"reservation": "RC-7190", "model": "Skoda Octavia", "station": "Chur", "total": 412}
BOOKED: Ran = ("reserve_vehicle", {"offer": "of-1", "station": "Chur"}, MADE)
HEAD = "Your car is reserved.\n\n- **Reservation:** RC-7190\n- **Car:** Skoda Octavia\n"


def told(line: str, ran: list[Ran], user: str = ASKED, before: Any = ()) -> list[str]:
    return [one for one in flagged(HEAD + line, ran, user=user, before=before) if one.startswith("wishes")]


@pytest.mark.parametrize(
    ("line", "ran"),
    [
        ("- **Extras:** roof box", [("reserve_vehicle", {"extras": ["ROOF_BOX"]}, MADE)]),
        ("- **Extras:** roof box", [("reserve_vehicle", {"offer": "of-1"}, {**MADE, "note": "with roof box"})]),
        ("- **Extras:** roof box", [("list_extras", {}, ["roofbox", "roof box"]), BOOKED]),
        ("- **Extras:** roof box", [("reserve_vehicle", {"offer": "of-1"}, "RC-7190 booked, Skoda Octavia")]),
        ("- **Extras:** roof box", [BOOKED, ("desk", {"do": "x"}, "ok")]),
        ("- **Extras:** roof box not included", [BOOKED]),
        ("- **Extras:** roof box (on request)", [BOOKED]),
        ("- **Extras:** could I add the roof box?", [BOOKED]),
        ("- **Extras:** bring your own roof box", [BOOKED]),
        ("- **Note:** you come by train", [BOOKED]),
        ("- **Reason:** roof box", [BOOKED]),
        ("- **Insurance:** third party", [BOOKED]),
        ("- **Pick-up:** on Friday, by train", [BOOKED]),
        ("- **Extras:** 1 roof box", [BOOKED]),
        ("- **Model:** the one with the roof box", [BOOKED]),
        ("- **Station:** by the train", [BOOKED]),
        ("- **Extras:** tyres as you know them (winter tyres)", [BOOKED]),
        ("- **Wagen:** Skoda Octavia, Dachbox wie gewünscht und bestätigt", [BOOKED]),
        ("I took the one with the roof box.", [BOOKED]),
        ("- **Extras:** roof box", [("reserve_vehicle", {"offer": "of-1"}, {"error": "sold out"})]),
        ("- **Extras:** roof box", []),
    ],
)
def test_what_is_borne_out_or_not_told_as_made_is_left_alone(line: str, ran: list[Ran]) -> None:
    assert told(line, ran) == []


@pytest.mark.parametrize(
    ("line", "things"),
    [
        ("- **Extras:** roof box", ["roof box"]),
        ("- **Extras:** winter tyres, roof box", ["winter tyres", "roof box"]),
        ("\n| | |\n|---|---|\n| Station | Chur |\n| Extras | winter tyres |", ["winter tyres"]),
        ("- **Car:** Skoda Octavia with roof box", ["roof box"]),
    ],
)
def test_a_wish_that_no_call_was_given(line: str, things: list[str]) -> None:
    assert told(line, [BOOKED]) == [f"wishes unsupported {one}" for one in things]


def test_what_a_system_text_or_a_tool_s_description_promises_is_no_wish() -> None:
    line, before = "- **Extras:** winter tyres", [{"role": "system", "content": "All cars have winter tyres."}]
    assert told(line, [BOOKED], before=before) == []
    tool = {"name": "reserve_vehicle", "description": "Books a car. Winter tyres are included.", "parameters": {}}
    found = flagged(HEAD + line, [BOOKED], user=ASKED, tools=[{"type": "function", "function": tool}])
    assert [one for one in found if one.startswith("wishes")] == []


def test_lines_that_tell_nothing_of_what_was_made_are_no_record() -> None:
    found = flagged("Reserved.\n- **Extras:** roof box", [BOOKED], user=ASKED)
    assert [one for one in found if one.startswith("wishes")] == []
