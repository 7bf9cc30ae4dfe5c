"""What a change's own result lists as left out, and answers that tell it as done with the rest."""

from __future__ import annotations

from typing import Any

import pytest

from tests.general import findings
from tests.transcripts import Ran

LOANS: Ran = (
    "patron_get",
    {"card": "2091"},
    {
        "loans": [
            {"bc": "M881", "title": "The Salt Path Home", "due": "2025-05-14"},
            {"bc": "M417", "title": "Night Trains", "due": "2025-05-14"},
            {"bc": "M566", "title": "A Field Guide to Moss", "due": "2025-05-14"},
        ]
    },
)
ASKED = ["M881", "M417", "M566"]


def renew(*due: str, **more: Any) -> Ran:
    rows = [{"bc": code, "due": day} for code, day in zip(ASKED, due, strict=True)]
    return ("renew_loans", {"card": "2091", "barcodes": ASKED}, {"processed": 3, "loans": rows, **more})


def invite(*skipped: str, key: str = "skipped", why: str = "mailbox not in directory") -> Ran:
    asked = ["hanna@nord.example", "piet@nord.example", "louisa@nord.example"]
    there = [one for one in asked if one not in skipped]
    left = [{"email": one, "reason": why} for one in skipped]
    return (
        "calendar_create",
        {"title": "Budget", "attendees": asked},
        {"id": "ev_9", "invited": len(there), key: left},
    )


def bulk(**result: Any) -> Ran:
    return ("bulk_update", {"ids": ["006A1", "006A2", "006A7"], "owner": "noor"}, {"state": "complete", **result})


def rows(count: int, key: str = "updatedRows") -> Ran:
    return ("sheet_update", {"sheet": "Q2", "rows": [7, 15, 22, 41, 58], "set": {"status": "paid"}}, {key: count})


def told(answer: str, *ran: Ran) -> list[str]:
    return [one.subject for one in findings(answer, ran, user="Yes, please.", tools=[]) if one.rule == "leftovers"]


OLD, NEW = "2025-05-14", "2025-06-04"
LIST = "Your books are now due on 4 June:\n\n- The Salt Path Home\n- Night Trains\n- A Field Guide to Moss"
FAILED = bulk(processed=3, failedResults=[{"id": "006A7", "error": "TERRITORY_MISMATCH"}])


@pytest.mark.parametrize(
    ("answer", "ran", "subject"),
    [
        (LIST, [LOANS, renew(NEW, OLD, NEW)], "M417"),
        ("All three books are yours until 4 June.", [LOANS, renew(NEW, OLD, NEW)], "M417"),
        (
            "It is in the calendar.\n- **With:** Hanna, Piet and Louisa",
            [invite("louisa@nord.example")],
            "louisa@nord.example",
        ),
        ("All 3 of Pavel's deals now belong to Noor.", [FAILED], "006A7"),
        ("Deals 006A1, 006A2 and 006A7 now belong to Noor.", [FAILED], "006A7"),
        ("All five invoices stand at *paid* now.", [rows(3)], "sheet_update"),
        ("Alle drei Deals gehören jetzt Noor.", [FAILED], "006A7"),
    ],
)
def test_what_was_left_out_is_told_as_done(answer: str, ran: list[Ran], subject: str) -> None:
    assert told(answer, *ran) == [subject]


@pytest.mark.parametrize(
    ("answer", "ran"),
    [
        (LIST, [LOANS, renew(NEW, NEW, NEW)]),
        (LIST, [renew(NEW, OLD, NEW)]),  # nothing shows that it was so before
        (LIST, [LOANS, renew(NEW, "2025-06-05", NEW)]),
        ("Two are due on 4 June; *Night Trains* is still due on 14 May.", [LOANS, renew(NEW, OLD, NEW)]),
        ("Both novels are due on 4 June now.", [LOANS, renew(NEW, OLD, NEW)]),
        ("*The Salt Path Home* is due on 4 June now.", [LOANS, renew(NEW, OLD, NEW)]),
        ("Invited: Hanna and Piet.", [invite("louisa@nord.example")]),
        ("Invited: Hanna and Piet. Louisa could not be found.", [invite("louisa@nord.example")]),
        ("Invited: Hanna, Piet and Louisa.", [invite("louisa@nord.example", why="already invited")]),
        ("Invited: Hanna, Piet and Louisa.", [invite("louisa@nord.example", key="notified")]),
        ("Invited: Hanna, Piet and Louisa.", [invite()]),
        ("Invited: Hanna, Piet and Louisa.", [invite("louisa@nord.example"), invite()]),
        ("Two of the three deals now belong to Noor.", [FAILED]),
        ("All 3 of Pavel's deals now belong to Noor.", [bulk(processed=3, failedResults=[])]),
        ("All 3 of Pavel's deals now belong to Noor, except 006A7.", [FAILED]),
        ("All 12 of his deals are listed below.", [FAILED]),
        ("All set!", [FAILED]),
        ("All five invoices stand at *paid* now.", [rows(5)]),
        ("All five labels are on the sheet now.", [rows(1, "updated")]),  # one record, with five labels
        ("3 of the five rows are *paid* now.", [rows(3)]),
    ],
)
def test_what_is_told_as_it_is(answer: str, ran: list[Ran]) -> None:
    assert told(answer, *ran) == []


ORDER: Ran = (
    "order_get",
    {"order": "OR-5512"},
    {"order": "OR-5512", "lines": [{"line": 1, "name": "Oak desk"}, {"line": 2, "name": "Swivel chair"}]},
)
JOB: Ran = (
    "tickets_update_many",
    {"ids": [8101, 8102, 8103], "status": "closed"},
    {"job": {"id": "JB-4410", "status": "queued"}},
)
AGAIN: Ran = ("ticket_update", {"id": 8103, "status": "closed"}, {"id": 8103, "status": "closed"})


def refund(state: str, tool: str = "refund_items") -> Ran:
    made = [{"line": 1, "decision": "approved", "refund": 120.5}, {"line": 2, "decision": state, "refund": 0}]
    return (tool, {"order": "OR-5512", "lines": [1, 2]}, {"order": "OR-5512", "decisions": made})


def amend(state: str) -> Ran:
    legs = [
        {"leg": "OUT", "outcome": "AMENDED", "at": "2026-07-03T14:15"},
        {"leg": "BACK", "outcome": state, "at": "2026-07-17T18:45"},
    ]
    return ("amend_trip", {"ref": "TR-9001"}, {"ref": "TR-9001", "legs": legs})


def look(why: str = "TicketUpdateFailed") -> Ran:
    made = [{"id": one, "success": True} for one in (8101, 8102)]
    return (
        "job_get",
        {"id": "JB-4410"},
        {"id": "JB-4410", "results": [*made, {"id": 8103, "success": False, "error": why}]},
    )


def deliver(state: str) -> Ran:
    lines = [{"line": 1, "state": "BOOKED", "date": "2026-05-21"}, {"line": 2, "state": state, "date": None}]
    return ("delivery_move", {"order": "OR-5512", "date": "2026-05-21"}, {"order": "OR-5512", "lines": lines})


@pytest.mark.parametrize(
    ("answer", "ran", "subject"),
    [
        ("I've had the desk and both chairs refunded.", [ORDER, refund("declined")], "2"),
        ("Both items have been refunded.", [ORDER, refund("rejected")], "2"),
        ("Both legs are moved.", [amend("WAITLISTED")], "BACK"),
        ("Both crossings are moved.", [amend("WAITLISTED")], "BACK"),
        ("All three tickets are closed.", [JOB, look()], "8103"),
        ("Closed: #8101, #8102 and #8103.", [JOB, look()], "8103"),
        ("On Thursday 21 May you get the desk and the two chairs.", [ORDER, deliver("AWAITING_STOCK")], "2"),
        ("On 21 May you get the desk and the chair. The price stays the same.", [ORDER, deliver("BACKORDERED")], "2"),
    ],
)
def test_a_row_that_was_not_done_is_told_with_the_rest(answer: str, ran: list[Ran], subject: str) -> None:
    assert told(answer, *ran) == [subject]


@pytest.mark.parametrize(
    ("answer", "ran"),
    [
        ("I've had the desk and both chairs refunded.", [ORDER, refund("approved")]),
        ("I've had the desk and both chairs refunded.", [ORDER, refund("declined"), refund("approved")]),
        ("The desk is refunded, the chair was declined.", [ORDER, refund("declined")]),
        ("Of the desk and the chair, the desk has been refunded.", [ORDER, refund("declined")]),
        ("The desk has been refunded: €120.50.", [ORDER, refund("declined")]),
        ("I requested a refund of the desk and the chair.", [ORDER, refund("declined")]),
        ("Your order has a desk and a chair.", [ORDER, refund("declined")]),
        ("I've labelled the desk and the chair.", [ORDER, refund("declined", "label_items")]),  # their own state
        ("Both cars are moved.", [amend("WAITLISTED")]),
        ("Both legs: the way out is moved, the way back leaves at 18:45.", [amend("WAITLISTED")]),
        ("Both legs are moved, the way back is on standby.", [amend("WAITLISTED")]),
        ("All three tickets are closed.", [JOB, look(), AGAIN]),
        ("All three tickets are closed.", [JOB, look("already closed")]),
        ("All three tickets are closed.", [look()]),  # nothing was changed
        ("Closed: #8101, #8102, #8103 (no owner).", [JOB, look()]),
        ("On 21 May you get the desk, and the chair in June.", [ORDER, deliver("AWAITING_STOCK")]),
        ("On 21 May you get the desk; the chair follows.", [ORDER, deliver("AWAITING_STOCK")]),
    ],
)
def test_rows_are_told_as_they_are(answer: str, ran: list[Ran]) -> None:
    assert told(answer, *ran) == []
