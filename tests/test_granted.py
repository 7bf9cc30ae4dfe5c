"""What results say was requested beside what came of it, what was ignored, and what stayed off."""

from __future__ import annotations

from typing import Any

import pytest

from tests.general import flagged
from tests.transcripts import Ran


def seat(got: Any, **more: Any) -> Ran:
    return (
        "select_seat",
        {"ref": "EK-2", "seat": "14A"},
        {"ref": "EK-2", "requestedSeat": "14A", "assignedSeat": got, **more},
    )


def quota(applied: int) -> Ran:
    result = {"project": "P-7", "notices": [{"code": "CAPPED", "requested": 40, "applied": applied}]}
    return ("set_quota", {"project": "P-7", "seats": 40}, result)


def contact(*ignored: str, name: str = "ignoredFields") -> Ran:
    return ("update_contact", {"contact": {"e_mail": "lucia@correo.example"}}, {"status": "OK", name: list(ignored)})


def autopay(on: bool) -> Ran:
    return ("autopay_enroll", {"account": "7"}, {"success": True, "autopay": {"enabled": on, "source": "ba_91"}})


FIRES: list[tuple[str, str, list[Ran], str, str]] = [
    ("another seat", "Seat 14A is yours.", [seat("14B")], "14A please.", "EK-2"),
    ("less than was asked for", "The quota of the project is 40 seats now.", [quota(30)], "40 seats.", "set_quota"),
    (
        "a field that was ignored",
        "Your email is lucia@correo.example now.",
        [contact("contact.e_mail")],
        "Change it.",
        "",
    ),
    (
        "by another name of the list",
        "Your email is lucia@correo.example now.",
        [contact("e_mail", name="unknown_params")],
        "Do.",
        "",
    ),
    (
        "of what was confirmed, in objects of their own",
        "De rit is geboekt: 40 pallets.",
        [("boek_transport", {"pallets": 40}, {"aanvraag": {"pallets": 40}, "bevestigd": {"pallets": 24}})],
        "40 pallets.",
        "boek_transport",
    ),
    (
        "fewer than were ordered",
        "I've ordered 40 boxes.",
        [("place_po", {"qty": 40}, {"po": "P-1", "lines": [{"sku": "NG", "ordered": 40, "confirmed": 16}]})],
        "Order 40 boxes.",
        "place_po",
    ),
    ("still off", "You're enrolled in AutoPay.", [autopay(False)], "Enroll me in autopay.", "autopay_enroll"),
]


@pytest.mark.parametrize(
    ("answer", "ran", "user", "subject"), [row[1:] for row in FIRES], ids=[row[0] for row in FIRES]
)
def test_what_was_not_granted(answer: str, ran: list[Ran], user: str, subject: str) -> None:
    found = [one for one in flagged(answer, ran, user=user) if one.startswith("granted")]
    assert len(found) == 1
    assert found[0].endswith(subject)


SILENT: list[tuple[str, str, list[Ran], str]] = [
    ("it was granted", "Seat 14A is yours.", [seat("14A")], "14A please."),
    ("both are told", "14A was taken; you're in 14B.", [seat("14B")], "14A please."),
    ("what is there is told", "You're in seat 14B.", [seat("14B")], "14A please."),
    ("only requested", "I've requested seat 14A.", [seat("14B")], "14A please."),
    ("nothing is granted yet", "The request for seat 14A is in.", [seat(None)], "14A please."),
    ("another call granted it", "Seat 14A is yours.", [seat("14B"), seat("14A")], "14A please."),
    ("the cap is told", "The quota is 30 of the 40 seats you wanted.", [quota(30)], "40 seats."),
    ("nothing was ignored", "Your email is lucia@correo.example now.", [contact()], "Change it."),
    ("another field was ignored", "Your email is lucia@correo.example now.", [contact("fax")], "Change it."),
    ("the ignored one is not told", "Your contact is updated.", [contact("contact.e_mail")], "Change it."),
    (
        "a list of other things",
        "Your email is lucia@correo.example now.",
        [contact("e_mail", name="rejected_rows")],
        "Do.",
    ),
    (
        "an id that cannot be changed",
        "Contact C-88 has the phone 555-0199 now.",
        [("update_contact", {"id": "C-88", "phone": "555-0199"}, {"updated": ["phone"], "ignored": ["id"]})],
        "Change it.",
    ),
    (
        "another sort of value",
        "Your double room is booked.",
        [("book_room", {"category": "double"}, {"requested_room": "double", "assigned_room": "312"})],
        "A double.",
    ),
    (
        "who did it",
        "Kim's leave is filed.",
        [("submit_leave", {"employee": "kim"}, {"requested_by": "kim7", "approved_by": "lee7"})],
        "File it.",
    ),
    (
        "what is and what is to be",
        "The hall is set to 21.",
        [("set_heat", {"target": 21}, {"desired_temp": 21, "actual_temp": 18})],
        "21.",
    ),
    ("it is on", "You're enrolled in AutoPay.", [autopay(True)], "Enroll me in autopay."),
    ("that it is off is told", "AutoPay is not active yet.", [autopay(False)], "Enroll me in autopay."),
    ("nothing of it is told", "Your request was received.", [autopay(False)], "Enroll me in autopay."),
]


@pytest.mark.parametrize(("answer", "ran", "user"), [row[1:] for row in SILENT], ids=[row[0] for row in SILENT])
def test_what_was_granted_or_not_said_to_be(answer: str, ran: list[Ran], user: str) -> None:
    assert [one for one in flagged(answer, ran, user=user) if one.startswith("granted")] == []


def debit(**result: Any) -> Ran:
    return ("update_debit", {"account": "A-4", "amount": 110}, {"result": "OK", "debit": {"mandate": "B-2", **result}})


def late(**result: Any) -> Ran:
    return ("update_stay", {"ref": "MH-7", "late_checkout": "14:00"}, {"ref": "MH-7", "late_checkout": result})


@pytest.mark.parametrize(
    ("answer", "ran", "told"),
    [
        ("Your Direct Debit is now £110.00 a month.", debit(requestedAmount=110.0, amount=118.0), True),
        ("Your Direct Debit is now £110.00 a month.", debit(requestedAmount=110.0, amount=110.0), False),
        ("You asked for £110.00; it is £118.00.", debit(requestedAmount=110.0, amount=118.0), False),
        ("Your Direct Debit is changed.", debit(requestedAmount=110.0, amount=118.0), False),
        ("Your Direct Debit is now £110.00 a month.", debit(requestedAmount=90.0, amount=110.0), False),
        ("Your check-out is extended to 14:00.", late(requested="14:00", granted=None), True),
        ("Your check-out is extended to 14:00.", late(requested="14:00", granted="14:00"), False),
        ("I've requested a check-out at 14:00.", late(requested="14:00", granted=None), False),
        ("A check-out at 14:00 is pending.", late(requested="14:00", granted=None), False),
        ("Your stay is updated.", late(requested="14:00", granted=None), False),
        ("Your check-out is extended to 14:00.", late(requested="14:00", note=None), False),
    ],
)
def test_what_was_requested_beside_what_there_is(answer: str, ran: Ran, told: bool) -> None:
    assert any(one.startswith("granted ") for one in flagged(answer, [ran])) is told
