"""Times of day in a zone, or in none, and the last of several days, beside the change's result."""

from __future__ import annotations

from typing import Any

import pytest

from tests.general import findings
from tests.transcripts import Ran

SLOTS: Ran = (
    "list_slots",
    {"vet": "lindqvist"},
    {"slots": [{"id": "s-41", "start_utc": "2026-04-14T07:40:00Z", "local": "09:40"}]},
)
VISIT: Ran = ("book_visit", {"slot": "s-41"}, {"id": 55, "start": "2026-04-14T07:40:00Z", "status": "booked"})


def demo(offset: str = "-07:00", **more: Any) -> Ran:
    start, end = f"2025-06-12T15:00:00{offset}", f"2025-06-12T16:00:00{offset}"
    asked = {"summary": "Kestrel demo", "start": "2025-06-12T15:00:00"}
    return ("create_event", asked, {"id": "p0", "summary": "Kestrel demo", "start": start, "end": end, **more})


def leave(end: str = "2025-08-07", **more: Any) -> Ran:
    return ("create_leave", {"start": "2025-08-04", "end": end}, {"no": 7, "start": "2025-08-04", "end": end, **more})


def told(answer: str, *ran: Ran, user: str = "Yes, please.") -> bool:
    return any(one.rule == "zones" for one in findings(answer, ran, user=user, tools=[]))


@pytest.mark.parametrize(
    ("answer", "offset"),
    [
        ("The Kestrel demo is on for 3:00 PM Eastern.", "-07:00"),
        ("The Kestrel demo is on for 3:00–4:00 PM ET.", "-07:00"),
        ("The Kestrel demo is on for **15:00** UTC.", "-07:00"),
        ("The Kestrel demo is on for 15:00 (CET).", "-04:00"),
    ],
)
def test_a_zone_that_never_has_the_offset(answer: str, offset: str) -> None:
    assert told(answer, demo(offset))


@pytest.mark.parametrize(
    ("answer", "offset"),
    [
        ("The Kestrel demo is on for 3:00 PM Pacific.", "-07:00"),
        ("The Kestrel demo is on for 3:00 PM Pacific (6:00 PM Eastern).", "-07:00"),
        ("The Kestrel demo is on for 6:00 PM Eastern.", "-07:00"),
        ("The Kestrel demo is on for 3:00 PM.", "-07:00"),
        ("The Kestrel demo is on for 3:00 PM Eastern, 6:00 PM Eastern for Paula.", "-07:00"),
        ("The Kestrel demo is on for 3:00 PM EST.", "-04:00"),
        ("The Kestrel demo is on for 3:00 PM EST.", "+10:00"),
        ("The Kestrel demo is on for 15:00 UTC.", "Z"),
        ("The Kestrel demo is on for 3:00 PM Eastern.", "Z"),  # some tools write any clock so
        ("The Kestrel demo is on for 15:00 GMT.", "+01:00"),
        ("The Kestrel demo is on for 15:00 (UTC+2).", "+02:00"),
        ("The Kestrel demo is on for 15:00 CET.", "+02:00"),
        ("The Kestrel demo is on for 3:00 PM Central Station.", "-07:00"),
        ("The Kestrel demo is on for 3:00 PM Central European Time.", "+02:00"),
        ("The Kestrel demo is on, but not for 3:00 PM Eastern.", "-07:00"),
        ("You asked for the Kestrel demo at 3:00 PM Eastern.", "-07:00"),
        ("Is the Kestrel demo meant for 3:00 PM Eastern?", "-07:00"),
        ("It is on. Your flight lands at 3:00 PM Eastern.", "-07:00"),
    ],
)
def test_a_zone_that_may_have_it_or_is_another_things(answer: str, offset: str) -> None:
    assert not told(answer, demo(offset))


def test_a_result_that_has_the_zone_as_well() -> None:
    answer = "The Kestrel demo is on for 3:00 PM Eastern."
    assert not told(answer, demo(guest_zone="America/New_York"))
    assert not told(answer, demo(shown="2025-06-12T15:00:00-04:00"))


@pytest.mark.parametrize(
    ("answer", "user", "expected"),
    [
        ("Bosse is booked on 14 April at 07:40.", "As early as you have.", True),
        ("Bosse is booked on 14 April at 7:40 am.", "As early as you have.", True),
        ("Bosse is booked on 14 April at 09:40.", "As early as you have.", False),
        ("Bosse is booked on 14 April at 9:40 am (07:40 elsewhere).", "As early as you have.", False),
        ("Bosse is booked on 14 April at 07:40 UTC.", "As early as you have.", False),
        ("Bosse is booked on 14 April at 07:40.", "I'm in Accra; as early as you have.", False),
        ("Bosse is booked on 14 April at 07:40.", "Is 7:40 free?", False),
        ("Bosse is booked on 14 April at 07:40.", "Tell me it in UTC.", False),
        ("Could it be 07:40?", "As early as you have.", False),
    ],
)
def test_universal_time_as_the_local_one(answer: str, user: str, expected: bool) -> None:
    assert told(answer, SLOTS, VISIT, user=user) is expected


WEEK = "Please put in my leave from 4 August to 8 August."


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Your leave for 4–8 August is in.", True),
        ("Your leave from 4 to 8 August is in.", True),
        ("Your leave (August 4–8) is in.", True),
        ("Your leave from Monday, 4 August to Friday, 8 August is in.", True),
        ("Your leave for 4–7 August is in.", False),
        ("Your leave for 4–6 August is in.", False),
        ("Your leave for 4 and 8 August is in.", False),
        ("Your leave for 5–8 August is in.", False),
        ("You asked for 4–8 August; your leave ends on 7 August.", False),
        ("Your leave for 4–8 August is in, except Friday.", False),
        ("Shall I put in 4–8 August?", False),
        ("Your stay for 4–8 August is in: 4 nights.", False),
    ],
)
def test_a_last_day_that_the_result_does_not_reach(answer: str, expected: bool) -> None:
    assert told(answer, leave(), user=WEEK) is expected


def test_a_last_day_that_stands_somewhere_or_is_no_day_of_work() -> None:
    answer = "Your leave for 4–8 August is in."
    assert not told(answer, leave("2025-08-08"), user=WEEK)
    assert not told(answer, leave("2025-08-09"), user=WEEK)  # an end that is no part of it
    assert not told(answer, leave(paid_until="2025-08-08"), user=WEEK)
    assert not told(answer, leave(check_in="14:00"), user=WEEK)
    assert not told(answer, leave(), user="Please put in my leave.")  # nobody asked for it: another rule's
    assert not told("You're off for 4–10 August.", leave("2025-08-08"), user="I'm off 4–10 August.")
