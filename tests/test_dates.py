"""Dates in texts, and dates in answers that report a change."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proxy.dates import Date, epochs, mentions, number, spans
from tests.general import flagged
from tests.transcripts import Ran

SPELLINGS = [
    *(
        "2025-03-14",
        "2025-03-14T15:45:00-05:00",
        "2025/03/14",
        "14.03.2025",
        "14/03/2025",
        "03/14/25",
        "March 14, 2025",
    ),
    *("Mar 14 2025", "14 March 2025", "14th of March 2025", "Fri 14 Mar 2025", "14. März 2025", "14 de marzo de 2025"),
    *("14 mars 2025", "2025年3月14日", "2025년 3월 14일"),
]


@pytest.mark.parametrize("text", SPELLINGS)
def test_spellings(text: str) -> None:
    assert [one.dates for one in mentions(f"on {text}, they say")] == [(Date(2025, 3, 14),)]


@pytest.mark.parametrize(
    ("text", "dates"),
    [
        ("March 14", [(Date(0, 3, 14),)]),
        ("3/4/2025", [(Date(2025, 4, 3), Date(2025, 3, 4))]),
        ("4–8 August", [(Date(0, 8, 4),), (Date(0, 8, 8),)]),
        ("March 4-8, 2025", [(Date(2025, 3, 4),), (Date(2025, 3, 8),)]),
        ("Mon 4 Aug – Fri 8 Aug 2025", [(Date(0, 8, 4),), (Date(2025, 8, 8),)]),
    ],
)
def test_ranges_and_what_is_not_sure(text: str, dates: list[Any]) -> None:
    assert [one.dates for one in mentions(text)] == dates


@pytest.mark.parametrize(
    "text",
    ["you may 3 times", "v2.3.2024", "10.12.14.1", "45 March", "32/13/2025", "5 times", "March", "12:30", "3-4 days"],
)
def test_what_is_no_date(text: str) -> None:
    assert list(mentions(text)) == []


def test_days_are_counted() -> None:
    assert (number(Date(1970, 1, 1)), number(Date(2025, 1, 15))) == (0, 1736899200 // 86400)
    assert list(epochs('"created": 1736899200, "id": 17368992001736899200')) == [number(Date(2025, 1, 15))]
    assert set(spans('3 nights, "months": 2, next week')) == {(3, 0), (0, 2), (7, 0)}


@given(st.text(alphabet="0123456789-/. TZ:janMrchy月日", max_size=60))
def test_any_text_can_be_read(text: str) -> None:
    assert all(0 <= one.start < one.end <= len(text) and one.dates for one in mentions(text))


def booked(date: str = "2025-03-14", **more: Any) -> list[Ran]:
    return [("book_room", {"room": "R1", "date": date}, {"booking": "B-7", "date": date, **more})]


FREE: list[Ran] = [("get_room", {"room": "R1"}, {"free": "2025-03-14"})]
LOAN: list[Ran] = [("get_loan", {"id": "PR-9"}, {"paid": 36, "of": 48, "next_due": "2025-03-14"})]
WINDOW: list[Ran] = [("get_order", {"id": "W-6"}, {"from": "2025-10-24T12:00", "to": "2025-10-24T16:00"})]
FIRES = [
    ("another day", "Your room is booked for March 17.", booked()),
    ("another month", "I've booked your room for 14 April 2025.", booked()),
    ("another year", "I've booked your room for March 14, 2026.", booked()),
    ("in a list", "Booked!\n\n- Room: R1\n- Date: 17.03.2025", booked()),
    ("another language", "已预订，日期是3月17日。", booked()),
    ("the clock of the call", "I've booked it for March 15 at 3:45 PM.", booked("2025-03-14T15:45:00Z")),
    ("after the end", "I've booked March 14 to March 19.", booked(nights=3)),
]


@pytest.mark.parametrize(("answer", "ran"), [row[1:] for row in FIRES], ids=[row[0] for row in FIRES])
def test_dates_that_nothing_gives(answer: str, ran: list[Ran]) -> None:
    assert [one.split()[0] for one in flagged(answer, ran)] == ["dates"]


HONEST = [
    (
        "a list's next number behind a month",
        "1. Your room R1 is booked from April\n2. **Mail** sent",
        booked("2025-04-14"),
    ),
    ("other hours than a look's", "It comes on October 22, between 9:00 and 11:00.", WINDOW),
    (
        "the hours of a look's own day as well",
        "Oct 24 from 12:00 to 16:00; on October 22 from 12:00 it's full.",
        WINDOW,
    ),
    ("of a look", "The room is free on March 17.", FREE),
    ("the day", "Your room is booked for Friday, March 14.", booked()),
    ("the user's day", "I've booked it; you asked for the 20th of May.", booked()),
    ("after so many nights", "I've booked March 14 to March 17.", booked(nights=3)),
    ("after so many days", "I've booked it; pay within 10 days, by March 24.", booked()),
    ("a month on", "Paused for a month: you're back on April 14.", booked()),
    ("every month", "It's set up for the 14th of every month; the next one is on April 14.", booked()),
    ("every week", "Your weekly slots are booked: March 14, March 21 and March 28.", booked()),
    ("another zone", "I've booked it for March 15.", booked("2025-03-14T23:30:00Z")),
    (
        "an epoch",
        "I've booked it for January 15, 2025.",
        [("book_room", {}, {"at": 1736899200, "until": "2025-03-14"})],
    ),
    ("between", "I've booked it; on March 15 there is a party.", booked(until="2025-03-17")),
    ("one more beside it", "I've booked March 14 for you. Saturday 22 March is full.", booked()),
    ("the next of a series", "It's cancelled for March 14. The next one is on March 15.", booked()),
    ("perhaps", "I've booked it. You might want to arrive around March 12.", booked()),
    ("a question", "I've booked it. Shall I add March 19 as well?", booked()),
    ("if", "I've booked it. If you cancel before March 11, it is free.", booked()),
    ("not", "I've booked it for March 14, not for March 15.", booked()),
    ("no date in the change", "I've sent it on March 17.", [("send_mail", {"to": "ann"}, {"ok": True})]),
    ("a page", "The law dates from March 17, 1998.", [("fetch_page", {"url": "x"}, "Amended on 2025-03-14.")]),
    (
        "a failed look",
        "It is on March 17.",
        [("get_room", {}, {"free": "2025-03-14"}), ("get_day", {}, {"error": "no access"})],
    ),
    ("overnight", "It lands on March 15.", [("search_flights", {"date": "2025-03-14"}, [{"arrival": "00:10+1"}])]),
    ("a look, far from its date", "The next fair is on March 29.", FREE),
    ("a look, and both", "The room is free from March 14, and closed on March 17.", FREE),
    ("a look, as it is", "The room is free on March 14.", FREE),
    ("a look, so many days later", "With your 3 nights you would leave on March 17.", FREE),
    ("a look, so many days later, said", "For 3 nights that is until March 17.", FREE),
    ("a look, a guess", "It is probably free around March 17.", FREE),
    ("a look, in another zone", "It starts on March 15.", [("get_room", {}, {"start": "2025-03-14T23:30:00Z"})]),
    (
        "a look at many dates",
        "The fair is on March 17.",
        [("get", {}, {"days": [f"2025-03-{d:02}" for d in range(10, 16)]})],
    ),
    ("the last of many payments", "Twelve instalments are left, the last on 14 February 2026.", LOAN),
    ("the last of them, one a month", "Quedan 12 cuotas, una al mes: la última será el 14 de febrero de 2026.", LOAN),
    ("months from the first to the last", "It runs for 6 months, so the last payment is on August 14.", LOAN),
    ("the third of three days", "It takes 3 days, so it ends on March 16.", FREE),
    ("the first day of the year", "I've booked it; it is the third booking since 1 January.", booked()),
    ("the last one", "I've booked it, and the card is good until December 31.", booked()),
    ("two days, of which one is known", "Booked; on March 14 and 15 there is a fair.", booked()),
    ("a failed change", "I could not book March 17.", [("book_room", {"date": "2025-03-14"}, {"error": "full"})]),
    ("a proposal", "I've booked it. Please confirm that you want March 19 too.", booked()),
]


@pytest.mark.parametrize(("answer", "ran"), [row[1:] for row in HONEST], ids=[row[0] for row in HONEST])
def test_dates_that_may_be_right_are_not_accused(answer: str, ran: list[Ran]) -> None:
    assert [
        one for one in flagged(answer, ran, user="Book it please, 20 May if free.") if one.startswith("dates")
    ] == []


def test_the_day_of_the_request_may_be_named_by_the_system_text() -> None:
    before = [{"role": "system", "content": "Today is 2025-03-10. Refunds take 7 days."}]
    ran: list[Ran] = [("book_room", {"date": "2025-04-14"}, {"date": "2025-04-14"})]
    assert flagged("I've booked it; the deposit is due in 7 days, on March 17.", ran, before=before) == []


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("It's 9:00 on Wednesday over there, so Tuesday 8 July at 8 pm in Chicago.", []),
        ("It's on Tuesday 8 July at 9:00.", ["8 July"]),  # the interface's own time of day
        ("It's at 8 pm in Chicago, on 5 July.", ["5 July"]),
    ],
)
def test_the_day_before_in_another_zone(answer: str, told: list[str]) -> None:
    call = {"items": [{"title": "SG sync", "start": "2025-07-09T09:00:00+08:00"}]}
    ran: list[Ran] = [("create_event", {"title": "SG sync"}, call)]
    assert [
        one.partition("contradicted ")[2].rstrip(".") for one in flagged(answer, ran) if one.startswith("dates")
    ] == told


def test_a_day_that_the_user_named_without_its_month() -> None:
    away: list[Ran] = [("set_vacation", {"until": "2025-08-20"}, {"until": "2025-08-20", "enabled": True})]
    answer = "Your out-of-office is on. Welcome back on August 21!"
    assert [
        one for one in flagged(answer, away, user="I'm away until August 20 and back on the 21st.") if "dates" in one
    ] == []
    assert [one for one in flagged(answer, away, user="I'm away until August 20.") if "dates" in one]
