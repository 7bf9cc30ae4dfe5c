"""Lists of things that the user named, and the calls, each of which was about one of them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.general import flagged
from tests.transcripts import Ran, messages


def add(person: str, **more: Any) -> Ran:
    return ("add_member", {"group": "crew@x.example", "member": f"{person}@x.example", **more}, {"status": "ADDED"})


def close(ticket: str) -> Ran:
    return ("close_ticket", {"ticket": ticket}, {"ticket": ticket, "state": "closed"})


ASKED = "Please put mira.k, otto.l and ines.r on the crew list (all @x.example)."
TICKETS = "Close 5512, 5513 and 5519."
TWO = [add("mira.k"), add("otto.l")]
BULLETS = "All three are now on the crew list:\n\n- Mira K.\n- Otto L.\n- Ines R.\n\nAnything else?"
TABLE = (
    "Done, all three are on the list:\n\n| No | Person |\n|---|---|\n| 1 | Mira K. |\n| 2 | Otto L. |\n| 3 | Ines R. |"
)
LINE = "The three are on the list now: Mira K., Otto L. and Ines R."
CODES = "Closed. The tickets are done:\n\n`5512`, `5513`, `5519`"
DOCS: Ran = (
    "find_docs",
    {},
    {
        "files": [
            {"token": "dxA1", "title": "预算"},
            {"token": "dxB2", "title": "清单"},
            {"token": "dxC3", "title": "评估"},
        ]
    },
)
OFFER = [
    {"role": "user", "content": "What fits me?"},
    {"role": "assistant", "content": "MATH201, CHEM110 and HIST150 would fit."},
]


def enrol(course: str) -> Ran:
    return ("enroll_student", {"course": course}, {"course": course, "enrolled": True})


PAX = [{"pid": number, "name": f"{one} Tavares"} for number, one in enumerate(("Ines", "Rui", "Lia"), 1)]
BOOKING: Ran = ("get_reservation", {"id": "4OG6T3"}, {"id": "4OG6T3", "pax": PAX})
EACH = "Each of you now has one checked bag: Ines, Rui and Lia."


def bag(person: int) -> Ran:
    return ("add_bag", {"id": "4OG6T3", "pid": person}, {"ok": True, "pid": person, "bags": 1})


FIRES: list[tuple[str, str, list[Ran], str, list[Any], str]] = [
    (
        "two orders with a word before each, of one owner, by a tool that is called after a state",
        "Both pending orders have been cancelled:\n1. **Order #W77310**: reason given.\n2. **Order #W77314**: reason given.",
        [
            ("get_order", {"order_id": "#W77310"}, {"order_id": "#W77310", "user_id": "ann_7"}),
            ("get_order", {"order_id": "#W77314"}, {"order_id": "#W77314", "user_id": "ann_7"}),
            ("cancel_pending_order", {"order_id": "#W77310"}, {"order_id": "#W77310", "user_id": "ann_7"}),
        ],
        "Cancel #W77310 and #W77314.",
        [],
        "w77314",
    ),
    (
        "numbers of two digits",
        "All four issues (#88, #90, #93, #97) now carry the label.",
        [("label_issue", {"issue": one}, {"issue": one, "labels": ["x"]}) for one in (88, 90, 93)],
        "Label 88, 90, 93 and 97.",
        [],
        "97",
    ),
    (
        "a call for one of them besides",
        "All three orders are now cancelled:\n- **77310**\n- **77312**\n- **77314**",
        [
            *(
                ("cancel_order", {"order_id": one}, {"order_id": one, "status": "cancelled"})
                for one in ("77310", "77312")
            ),
            ("add_note", {"order_id": "77310", "text": "by phone"}, {"ok": True}),
        ],
        "Cancel 77310, 77312 and 77314.",
        [],
        "77314",
    ),
    (
        "two records, of which one was called for",
        "Both orders are now cancelled:\n- **77310**: $29.99\n- **77314**: $45.50",
        [("cancel_order", {"order_id": "77310"}, {"order_id": "77310", "status": "cancelled"})],
        "Cancel 77310 and 77314.",
        [],
        "77314",
    ),
    (
        "beside another call that the user named",
        "All done. Greta, Hamid and Ivo are now members, and Sven has been removed.",
        [
            ("add_member", {"email": "greta@x.de"}, {"ok": True}),
            ("add_member", {"email": "hamid@x.de"}, {"ok": True}),
            ("remove_member", {"email": "sven@x.de"}, {"ok": True}),
        ],
        "Please add Greta, Hamid and Ivo, then remove Sven.",
        [],
        "ivo",
    ),
    ("bullets", BULLETS, TWO, ASKED, [], "ines r"),
    ("a table", TABLE, TWO, ASKED, [], "ines r"),
    ("names on a line", LINE, TWO, ASKED, [], "ines r"),
    ("codes on the next line", CODES, [close("5512"), close("5513")], TICKETS, [], "5519"),
    (
        "marks",
        "I've closed them:\n- #5512 ✔\n- #5513 ✔\n- #5519 ✔",
        [close("5512"), close("5513")],
        TICKETS,
        [],
        "5519",
    ),
    (
        "offered",
        "You're in now:\n1. MATH201\n2. CHEM110\n3. HIST150",
        [enrol("MATH201"), enrol("CHEM110")],
        "All three.",
        OFFER,
        "hist150",
    ),
    (
        "by what a look calls them",
        "三份文档已调整:\n\n1. 《预算》——只有财务组可编辑\n2. 《清单》——同上\n3. 《评估》——同上",
        [DOCS, ("share_doc", {"token": "dxA1"}, {"code": 0}), ("share_doc", {"token": "dxB2"}, {"code": 0})],
        "把预算、清单、评估三份文档改成只读",
        [],
        "评估",
    ),
]


VISITS: Ran = (
    "list_visits",
    {},
    [{"id": 811, "guest": "Mira Kern"}, {"id": 812, "guest": "Otto Lang"}, {"id": 813, "guest": "Ines Roth"}],
)

THERE: Ran = (
    "list_visits",
    {},
    [
        {"id": 811, "guest": "Mira Kern", "day": "2025-05-27"},
        {"id": 812, "guest": "Otto Lang", "day": "2025-05-27"},
        {"id": 813, "guest": "Ines Roth", "day": "2025-06-03"},
    ],
)


def move(visit: int, guest: str) -> Ran:
    return ("move_visit", {"visit": visit, "to": "2025-06-03"}, {"visit": visit, "guest": guest, "state": "booked"})


MOVED = "I've moved all three visits to June 3:\n- Mira – 9:00\n- Otto – 9:30\n- Ines – 10:00"
MOVE = "Move the visits of Mira, Otto and Ines by a week, please."
KERN, LANG = move(811, "Mira Kern"), move(812, "Otto Lang")
NUMBERS: Ran = (
    "list_pupils",
    {},
    [{"sid": 411, "name": "Mira Kern"}, {"sid": 412, "name": "Otto Lang"}, {"sid": 413, "name": "Ines Roth"}],
)


def mark(pupil: int) -> Ran:
    return ("put_mark", {"sid": pupil, "points": 9}, {"ok": True, "sid": pupil})


def drop(snapshot: str) -> Ran:
    return ("delete_snapshot", {"id": snapshot}, {"return": True})


GONE = "All three old snapshots (sn-0a1, sn-0b2, sn-0c3) are gone now."
OLD = "Delete sn-0a1, sn-0b2 and sn-0c3, please."
FIRES += [
    (
        "in a row, and something denied",
        f"{GONE} I haven't touched sn-0d4.",
        [drop("sn-0a1"), drop("sn-0b2")],
        OLD,
        [],
        "sn-0c3",
    ),
    (
        "by the numbers that a look knows them by",
        "All three marks are in now:\n- Mira Kern\n- Otto Lang\n- Ines Roth",
        [NUMBERS, mark(411), mark(412)],
        "Give Kern, Lang and Roth 9 points each.",
        [],
        "ines roth",
    ),
]
FIRES.append(("by what the calls returned", MOVED, [VISITS, KERN, LANG], MOVE, [], "ines"))
FIRES += [
    (
        "by first names and ids",
        MOVED,
        [VISITS, KERN, ("move_visit", {"visit": 813}, {"state": "booked"})],
        MOVE,
        [],
        "otto",
    ),
    ("of those that a look listed", EACH, [BOOKING, bag(1), bag(2)], "A bag for each of us, please.", [], "lia"),
    (
        "beside another change",
        EACH,
        [BOOKING, bag(1), bag(2), ("send_mail", {"to": "ines@x.example", "body": "bags"}, {"ok": True})],
        "A bag for each of us, and mail me.",
        [],
        "lia",
    ),
]


@pytest.mark.parametrize(
    ("answer", "ran", "user", "before", "subject"), [row[1:] for row in FIRES], ids=[row[0] for row in FIRES]
)
def test_one_that_no_call_was_about(answer: str, ran: list[Ran], user: str, before: list[Any], subject: str) -> None:
    assert f"rosters unsupported {subject}" in flagged(answer, ran, user=user, before=before)


LOOK: Ran = ("list_members", {"group": "crew@x.example"}, {"members": ["ines.r@x.example", "paul@x.example"]})
STATES: Ran = (
    "list_tickets",
    {},
    [{"ticket": "5512", "state": "open"}, {"ticket": "5513", "state": "open"}, {"ticket": "5519", "state": "closed"}],
)
SILENT: list[tuple[str, str, list[Ran], str]] = [
    ("each has one", EACH, [BOOKING, bag(1), bag(2), bag(3)], "A bag for each of us, please."),
    (
        "one has one already",
        f"{EACH} Lia already had hers.",
        [BOOKING, bag(1), bag(2)],
        "A bag for each of us, please.",
    ),
    (
        "others are listed",
        EACH,
        [("get_reservation", {"id": "4OG6T3"}, {"pax": PAX[:2]}), bag(1), bag(2)],
        "A bag for each of us, please.",
    ),
    (
        "another change was about it",
        EACH,
        [BOOKING, bag(1), bag(2), ("buy_bags", {"pid": 3}, {"ok": True})],
        "A bag for each of us, please.",
    ),
    (
        "another change may have been about it",
        EACH,
        [BOOKING, bag(1), bag(2), ("process", {"order": "rest"}, {"ok": True})],
        "A bag for each of us, please.",
    ),
    ("each by a call", BULLETS, [*TWO, add("ines.r")], ASKED),
    ("all by one call", BULLETS, [("add_members", {"members": ["mira.k", "otto.l", "ines.r"]}, {"ok": True})], ASKED),
    ("two by one call", BULLETS, [add("mira.k"), add("otto.l, ines.r")], ASKED),
    ("one by its id", BULLETS, [*TWO, add("u-77")], ASKED),
    ("by another tool", BULLETS, [*TWO, ("invite_guest", {"id": 77}, {"ok": True})], ASKED),
    ("so before, by its day", MOVED, [THERE, KERN, LANG], MOVE),
    ("returned by each", MOVED, [VISITS, KERN, LANG, move(813, "Ines Roth")], MOVE),
    ("two returned by one", MOVED, [VISITS, KERN, move(812, "Otto Lang, Ines Roth")], MOVE),
    ("a call that nobody can place", MOVED, [VISITS, KERN, ("move_visit", {"visit": 899}, {"state": "booked"})], MOVE),
    ("in bulk", BULLETS, [add("mira.k"), add("otto.l", filter="r*")], ASKED),
    ("it was so before", BULLETS, [LOOK, *TWO], ASKED),
    ("closed before", CODES, [STATES, close("5512"), close("5513")], TICKETS),
    ("told as left out", BULLETS.replace("Ines R.", "Ines R. – pending"), TWO, ASKED),
    ("told below", f"{BULLETS}\n\nI couldn't add Ines R.", TWO, ASKED),
    ("it failed", BULLETS, [*TWO, ("add_member", {"member": "ines.r@x.example"}, {"error": "no such user"})], ASKED),
    ("one call alone", BULLETS, [add("mira.k")], ASKED),
    ("names that the user has not", BULLETS, TWO, "Please put the new ones on the list."),
    (
        "fields of one thing",
        "Updated now:\n- Title: Lead\n- Phone: 555",
        [("update_person", {"id": 7, "title": "Lead"}, {"id": 7})],
        "New title and phone.",
    ),
    (
        "words for any thing",
        "Both are added now:\n- Seat: 12A\n- Bag: 1\n- Meal: 1",
        [("add_extra", {"kind": "bag"}, {"ok": True}), ("add_extra", {"kind": "meal"}, {"ok": True})],
        "Add a bag and a meal, the seat is fine.",
    ),
    ("one that stays", CODES.replace("`5519`", "`5519` stays"), [close("5512"), close("5513")], TICKETS),
    ("a question", "Shall I close these now?\n- 5512\n- 5513\n- 5519", [close("5512"), close("5513")], TICKETS),
    ("still to do", "To do next:\n- 5512\n- 5513\n- 5519", [close("5512"), close("5513")], TICKETS),
    ("of unknown effect", BULLETS, [*TWO, ("flow", {"name": "sweep"}, {"ok": True})], ASKED),
    ("in a row, each by a call", GONE, [drop("sn-0a1"), drop("sn-0b2"), drop("sn-0c3")], OLD),
    ("in a row, denied", f"{GONE} I couldn't delete sn-0c3.", [drop("sn-0a1"), drop("sn-0b2")], OLD),
    ("in a row, one by another name", GONE, [drop("sn-0a1"), drop("sn-0b2"), drop("777")], OLD),
    (
        "in a row, so many",
        "I've booked B-12 and B-13.",
        [("book_seat", {"seat": "B-12", "count": 2}, {})],
        "Two seats.",
    ),
    (
        "in a row, returned",
        "I've booked B-12 and B-13.",
        [("book_seat", {"seat": "B-12"}, {"to": "B-13"})],
        "B-12, B-13",
    ),
    (
        "names in a row, one call",
        "I've invited Ann and Ben.",
        [("send_invite", {"to": "Ann"}, {"ok": 1})],
        "Ann and Ben",
    ),
    ("in a row, offered", "Shall I delete sn-0a1 and sn-0b2?", [drop("sn-0a1")], OLD),
    ("in a row, still to come", "I'll delete sn-0a1 and sn-0b2 next.", [drop("sn-0a1")], OLD),
    ("hostile row", "Done now: " + "A-1, " * 9_000, TWO, ASKED),
    ("hostile", "Done:\n" + "- a\n" * 5_000 + "| a |\n" * 5_000, TWO, ASKED),
]


@pytest.mark.parametrize(("answer", "ran", "user"), [row[1:] for row in SILENT], ids=[row[0] for row in SILENT])
def test_what_may_have_been_done_is_left_alone(answer: str, ran: list[Ran], user: str) -> None:
    assert [one for one in flagged(answer, ran, user=user) if one.startswith("rosters")] == []


def test_one_that_an_earlier_turn_changed_is_left_alone() -> None:
    before = messages([add("ines.r")], user="First ines.r, please.")
    assert [one for one in flagged(BULLETS, TWO, user=ASKED, before=before) if one.startswith("rosters")] == []
