"""The day and the time of a turn's only change, beside those that the answer tells."""

from __future__ import annotations

import pytest

from tests.general import flagged
from tests.transcripts import Ran

STAY: Ran = (
    "create_booking",
    {"hotel": "ALMA", "check_in": "2025-12-13", "check_out": "2025-12-16"},
    {
        "ref": "QT7-88",
        "check_in": "2025-12-13",
        "check_out": "2025-12-16",
        "created": "2025-11-02T10:00:00",
        "free_until": "2025-12-11",
    },
)
VISIT: Ran = (
    "schedule_visit",
    {"patient": "P-4", "start": "2025-12-02T14:45:00-05:00"},
    {"visit": "V-9", "start": "2025-12-02T14:45:00-05:00", "status": "BOOKED"},
)
SLOTS: Ran = ("find_slots", {"day": "2025-12-02"}, {"open": ["2025-12-12T14:15", "2025-12-02T14:45"]})
WISH = "A room from 12 to 15 December please"
TIME = "2:15 PM on December 2 please"

FIRES: list[tuple[str, str, str, list[Ran], str]] = [
    ("days that were wished", WISH, "Booked! You arrive on 12 December and leave on the 15th.", [STAY], "12 December"),
    ("a time that was wished", TIME, "You're booked for December 2 at 2:15 PM.", [VISIT], "2:15 PM"),
    (
        "behind a look",
        TIME,
        "You're booked for 2:15 PM.",
        [("get_patient", {"id": "P-4"}, {"name": "Ann"}), VISIT],
        "2:15 PM",
    ),
]


@pytest.mark.parametrize(
    ("user", "answer", "ran", "subject"), [row[1:] for row in FIRES], ids=[row[0] for row in FIRES]
)
def test_another_day_or_time_than_the_change_was_made_for(user: str, answer: str, ran: list[Ran], subject: str) -> None:
    assert f"appointed contradicted {subject}" in flagged(answer, ran, user=user)


SILENT: list[tuple[str, str, str, list[Ran]]] = [
    ("as it was made", WISH, "Booked! You arrive on 13 December and leave on the 16th.", [STAY]),
    ("one of its days", WISH, "Booked! You arrive on 13 December; the 12 December was full.", [STAY]),
    ("another day of its result", WISH, "Booked! You can cancel free of charge up to 11 December.", [STAY]),
    ("instead of", WISH, "Booked, a day later instead of 12 December.", [STAY]),
    ("until when", "Book it", "Booked. Please tell us your time of arrival by 10 December.", [STAY]),
    ("a condition", "Book it", "Booked. If you come on 20 December it is dearer.", [STAY]),
    ("asked", "Book it", "Booked. Or did you mean 20 December?", [STAY]),
    ("another result has it", "Book it", "Booked. On 12 December at 14:15 there is a tour.", [SLOTS, VISIT]),
    ("two changes", WISH, "Booked from 12 December.", [STAY, ("send_mail", {"to": "a@x.example"}, "ok")]),
    ("it failed", WISH, "Sorry, no room from 12 December.", [(*STAY[:2], "Error: sold out")]),
    ("a look", WISH, "There is a room from 12 December.", [("find_rooms", {"check_in": "2025-12-13"}, {"rooms": 2})]),
    ("of unknown nature", WISH, "Here you are: 12 December.", [("activities", {"from": "2025-12-01"}, {"count": 3})]),
    ("whole hours apart", "7:45 PM please", "You're booked for 7:45 PM.", [VISIT]),
    ("its own time", TIME, "You're booked for 2:45 PM.", [VISIT]),
    ("two times", TIME, "You're booked for 2:45 PM, as 2:15 PM was taken.", [VISIT]),
    ("a time that nobody wished", "Book it", "You're booked. Please be there at 2:15 PM.", [VISIT]),
    ("no day at all", WISH, "Booked!", [STAY]),
]


@pytest.mark.parametrize(("user", "answer", "ran"), [row[1:] for row in SILENT], ids=[row[0] for row in SILENT])
def test_nothing_is_said(user: str, answer: str, ran: list[Ran]) -> None:
    assert [one for one in flagged(answer, ran, user=user) if one.startswith("appointed")] == []
