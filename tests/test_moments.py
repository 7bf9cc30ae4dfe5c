"""Days and times of day of a thing that a line names."""

from __future__ import annotations

from typing import Any

import pytest

from tests.general import flagged
from tests.transcripts import Ran


def changed(*flights: dict[str, Any], **more: Any) -> list[Ran]:
    result = {"trip": "T-71A", "created_at": "2024-05-11T09:12:44", "flights": list(flights), **more}
    return [("update_trip", {"trip": "T-71A"}, result)]


OUT = {"flight": "HAT093", "date": "2024-05-24"}
BACK = {"flight": "HAT215", "date": "2024-05-29"}
TRIP = changed(OUT, BACK)
OFFER: Ran = ("find_flights", {}, [{"flight": "HAT215", "date": "2024-05-30"}])
OTHER: Ran = ("get_trip", {}, {"trip": "T-99Z", "flights": [{"flight": "HAT215", "date": "2024-05-30"}]})
TRAIN: list[Ran] = [
    ("book_train", {"train": "AVE 5150"}, {"locator": "K7QX2P", "train": "AVE 5150", "dep": "14:05", "arr": "16:01"})
]
ZONED = changed({"flight": "HAT215", "departs": "2024-05-29T23:30:00Z"})
LOAN: list[Ran] = [("renew_loan", {"item": "B-120"}, {"item": "B-120", "due_date": "2025-06-01"})]
VISIT: list[Ran] = [("book_visit", {}, {"visit": "V-120", "start": "09:10", "end": "09:50", "minutes": 40})]

FIRES = [
    ("another day", "Your return has been changed.\n- **Return**: HAT215 BOS → DEN, **May 30**", TRIP, ["May 30"]),
    ("another year", "Changed: HAT215 on May 29, 2025", TRIP, ["May 29, 2025"]),
    ("the other's day", "Changed: HAT215 is on May 24", TRIP, ["May 24"]),
    ("by a word of the field", "B-120 is renewed and is now due: June 11", LOAN, ["June 11"]),
    ("another time", "Booked: AVE 5150, Madrid 14:05 → Valencia 15:51.", TRAIN, ["15:51"]),
    ("what was offered", "Changed: HAT215 on May 30", [OFFER, *TRIP], ["May 30"]),
    ("of twelve hours", "Booked: AVE 5150, Madrid 2:05 PM to Valencia 3:51 PM.", TRAIN, ["3:51 PM"]),
]


@pytest.mark.parametrize(("answer", "ran", "subjects"), [row[1:] for row in FIRES], ids=[row[0] for row in FIRES])
def test_other_moments_than_the_things(answer: str, ran: list[Ran], subjects: list[str]) -> None:
    found = [one for one in flagged(answer, ran, user="May 30, June 11, May 24?") if one.startswith("moments")]
    assert found == [f"moments contradicted {one}" for one in subjects]


HONEST = [
    ("as they are", "Changed: HAT093 on May 24\nand HAT215 on May 29", TRIP),
    ("the day is told as well", "Changed: HAT215 on May 29.\nHAT215 lands at home on May 30", TRIP),
    ("two flights in a line", "Changed: HAT093 and HAT215, May 30", TRIP),
    ("two days in a line", "Changed: HAT215, May 28 to May 30", TRIP),
    ("a day it was before", "HAT215 was on May 30 before", TRIP),
    ("a day by which", "HAT215 can be cancelled until May 30", TRIP),
    ("an arrival", "Changed: HAT215, arriving May 30", TRIP),
    ("over night", "Changed: HAT215 (overnight), May 30", TRIP),
    ("a question", "Changed. Should HAT215 be on May 30?", TRIP),
    ("another zone", "Changed: HAT215 on May 30", ZONED),
    ("no such flight", "Changed: HAT999 on May 30", TRIP),
    ("of the trip, which has several", "Changed: T-71A on May 30", TRIP),
    ("when it was noted", "Changed: T-71A on May 30", changed()),
    ("no word of the field", "B-120 is renewed; pick it up on June 11", LOAN),
    ("several days of a flight", "Changed: HAT215 on May 30", changed(BACK, {**BACK, "date": "2024-06-02"})),
    ("another trip has it on that day", "Changed. Your other trip keeps HAT215 on May 30", [OTHER, *TRIP]),
    ("only a look", "HAT215 is on May 30", [("get_trip", {}, {"flights": [BACK]})]),
    ("a failed change", "HAT215 is on May 30", [("update_trip", {}, {"error": "no seats", "flight": "HAT215"})]),
    ("in quotation marks", 'Changed. You wrote "HAT215, May 30".', TRIP),
    ("times as they are", "Booked: AVE 5150, Madrid 14:05 → Valencia 16:01.", TRAIN),
    ("times of twelve hours", "Booked: AVE 5150, 2:05 PM to 4:01 PM.", TRAIN),
    ("another time zone", "Booked: AVE 5150, 14:05 → 15:01.", TRAIN),
    ("the user's time", "Booked: AVE 5150, 14:05; your talk is at 15:38.", TRAIN),
    ("a length of time", "Booked: AVE 5150, 14:05; be there 12 minutes earlier, at 13:53.", TRAIN),
    ("a length that stands there", "Booked: V-120, 09:10, until 08:30.", VISIT),
    ("only another time", "Booked: AVE 5150; lunch is at 15:51.", TRAIN),
    ("both are told", "Booked: AVE 5150, 14:05 → 16:01, or 15:51 by the fast one.", TRAIN),
    ("another train", "Booked: AVE 5190, 14:05 → 15:51.", TRAIN),
]


@pytest.mark.parametrize(("answer", "ran"), [row[1:] for row in HONEST], ids=[row[0] for row in HONEST])
def test_moments_that_may_be_right_are_not_accused(answer: str, ran: list[Ran]) -> None:
    found = flagged(answer, ran, user="May 30 and 15:38, please; June 11?")
    assert [one for one in found if one.startswith("moments")] == []


def test_huge_results_are_left_alone() -> None:
    rows = [{"flight": f"HAT{number}", "date": "2024-05-29"} for number in range(1_000)]
    assert [one for one in flagged("Changed: HAT215, May 30", changed(*rows)) if one.startswith("moments")] == []
    deep: Any = BACK
    for _ in range(200):
        deep = {"in": [deep]}
    assert [one for one in flagged("Changed: HAT215, May 30", changed(deep)) if one.startswith("moments")] == []
