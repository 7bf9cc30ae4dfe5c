"""Ids in answers that stand nowhere."""

from __future__ import annotations

from typing import Any

import pytest

from tests.general import flagged
from tests.transcripts import Ran, messages


def refund(**more: Any) -> Ran:
    return ("refund_order", {"order_id": "o1"}, {"order_id": "o1", "refund": 54.51, **more})


BOOKED: list[Ran] = [("book_room", {"room": "Blue"}, {"confirmation": "HV7Q2L", "invoice": "INV-2025-0117"})]

LOOKED: list[Ran] = [("get_room", {"room": "Blue"}, {"confirmation": "HV7Q2LL", "invoice": "INV-2025-0117"})]

LISTED: list[Ran] = [("list_invoices", {}, [{"no": "INV-2113"}, {"no": "INV-2117"}])]

IDS: list[tuple[str, str, list[Ran], list[str]]] = [
    ("nowhere", "I've booked it. Your booking number ABX-99812 has been sent.", [refund()], ["unsupported ABX-99812"]),
    (
        "a mail address",
        "I've sent it to ann@x.example.",
        [("send_mail", {"to": "ben@x.example"}, {})],
        ["ann@x.example"],
    ),
    ("in brackets, of four digits", "I've booked it (ABX-9981).", [refund()], ["unsupported ABX-9981"]),
    ("a bill in brackets", "I've booked it; rents may rise so far (AB-1482).", [refund()], []),
    ("behind its label, in Chinese", "已预订会议室。订单号 ABX-9981。", [refund()], ["unsupported ABX-9981"]),
    ("imagined", "I've booked it. Imagine that ticket INC-44110 is raised next.", [refund()], []),
    ("of a result's kind", "Booked! Confirmation: **HV9K3M**", BOOKED, ["unsupported HV9K3M"]),
    ("of its letters", "Your room is booked.\n- Invoice: INV-2025-0171", BOOKED, ["unsupported INV-2025-0171"]),
    (
        "a slip of one that looks like a term",
        "Booked! Booking: KB-2280",
        [("book_kiln", {"room": "B"}, {"booking": "KB-2208"})],
        ["unsupported KB-2280"],
    ),
    (
        "a term beside one",
        "Booked as KB-2208, see KB-5001.",
        [("book_kiln", {"room": "B"}, {"booking": "KB-2208"})],
        [],
    ),
    ("in a result", "I've booked it as ABX-99812.", [("book_room", {}, {"code": "ABX-99812"})], []),
    ("spelled otherwise", "I've booked it as ABX 99812, ABX99812.", [("book_room", {}, {"code": "abx-99812"})], []),
    ("by the user", "I've refunded order #998877.", [refund()], []),
    ("no receipt", "I've booked it as ABX-99812.", [("book_room", {}, None)], []),
    ("no deed", "Codes look like ABX-99812.", [refund()], []),
    (
        "a record's, in brackets",
        "Your request is with Ann for approval (LR-20933).",
        [refund()],
        ["unsupported LR-20933"],
    ),
    ("with a word before it", "You are third in line (hold P-8122).", [refund()], ["unsupported P-8122"]),
    ("behind what it numbers", "Der Zähler läuft. Auftragsnummer: LH-20418", [refund()], ["unsupported LH-20418"]),
    ("in another language", "Ya está. El expediente PH-2026-08831 sigue en trámite.", [refund()], ["PH-2026-08831"]),
    ("one that the user named", "Your request is with Ann for approval (LR-998877).", [refund()], []),
    ("one of a standard", "It is rated for heat (EN-12831 applies).", [refund()], []),
    ("an error's", "The refund is slow because of a known error (ORA-01017).", [refund()], []),
    ("a form's", "You need a form (DS-160) for that.", [refund()], []),
    ("in brackets, and denied", "There is no request of yours (LR-20933).", [refund()], []),
    ("in brackets, and asked", "Shall I take the second one (LR-20933)?", [refund()], []),
    ("a product's", "The headphones (WH-1000XM5 and others) are back in stock.", [refund()], []),
    ("an amount", "The fee stays as it was (USD-120).", [refund()], []),
    ("more than a few", "Shelves: case A-101, case A-102, case A-103, case A-104.", [refund()], []),
    ("next to a known one", "The next case is case INV-2118.", LISTED, []),
    ("an example", "Booked as HV7Q2L. A code looks like AB12CD, for example.", BOOKED, []),
    ("of no kind that is known", "Booked as HV7Q2L on COVID-19 terms, USB-C2 included.", BOOKED, []),
    ("a measure", "I've booked a 30-minute slot from 10am-11am.", BOOKED, []),
    ("a word in capitals", "BOOKED: your code is HV7Q2L.", BOOKED, []),
    ("in a code block", "Booked as HV7Q2L.\n```\nHV9K3M\n```", BOOKED, []),
    ("in an address", "Booked as HV7Q2L: https://x.example/HV9K3M", BOOKED, []),
    ("a proposal", "Booked as HV7Q2L. Please confirm that HV9K3M may go.", BOOKED, []),
    ("a series of a look's kind", "Choose INV-7001, INV-7002 or INV-7003. Please confirm which.", LISTED, ["INV-7001"]),
    ("a series that goes on", "Choose INV-2118, INV-2119 or INV-2120. Please confirm which.", LISTED, []),
    ("a series between two", "Choose INV-2116, INV-2115 or INV-2114. Please confirm which.", LISTED, []),
    ("two of them", "Choose INV-7001 or INV-7002. Please confirm which.", LOOKED, []),
    ("a series of no known kind", "Choose QRX-7001, QRX-7002 or QRX-7003.", LOOKED, []),
    ("a series with one of another kind", "Choose INV-7001, INV-7002, INV-7003 or QRX-7003.", LOOKED, []),
    ("a series of examples", "They look like INV-7001, INV-7002 or INV-7003, for example.", LOOKED, []),
    ("a slip of a look's", "The paper has INV-2025-0171.", LOOKED, ["contradicted INV-2025-0171"]),
    ("another character", "Your confirmation is HV7Q21L.", LOOKED, ["contradicted HV7Q21L"]),
    ("as it was looked up", "Your invoice is `INV-2025-0117`.", LOOKED, []),
    ("beside the right one", "INV-2025-0117 follows INV-2025-0116.", LOOKED, []),
    ("too far from any", "The paper has INV-2024-0932.", LOOKED, []),
    ("a look, and an example", "They look like INV-2025-0118.", LOOKED, []),
    ("a date near a date", "It is due on 2025-01-18.", [("get_room", {}, {"due": "2025-01-17"})], []),
    (
        "a confirmation of nothing",
        "You're booked!\n- **Confirmation number:** BX-88213",
        LOOKED,
        ["unsupported BX-88213"],
    ),
    ("of another kind", "I've booked it. Booking code: QRT-4471", BOOKED, ["unsupported QRT-4471"]),
    ("a confirmation that was looked up", "You're booked! Confirmation number: HV7Q2LL", LOOKED, []),
    ("a confirmation without a deed", "It shows confirmation number BX-88213.", LOOKED, ["unsupported BX-88213"]),
    (
        "a confirmation to come",
        "You're booked! You will get a confirmation number (e.g. BX-88213) by mail.",
        LOOKED,
        [],
    ),
    ("a number of another kind", "You're booked! Your confirmation comes by mail within 24-48h.", LOOKED, []),
    ("the user's number", "You're booked! Booking number: 998877", LOOKED, []),
    ("only looks", "Your code is HV9K3M.", [("get_room", {}, {"code": "HV7Q2L"})], []),
]


@pytest.mark.parametrize(("answer", "ran", "expected"), [row[1:] for row in IDS], ids=[row[0] for row in IDS])
def test_ids_that_stand_nowhere(answer: str, ran: list[Ran], expected: list[str]) -> None:
    found = [one for one in flagged(answer, ran, user="Please refund order 998877.") if one.startswith("ids")]
    assert len(found) == len(expected)
    assert all(name in one for one, name in zip(found, expected, strict=True))


def test_an_earlier_answer_may_have_named_it() -> None:
    before = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Your code was HV9K3M."}]
    assert flagged("I've replaced HV9K3M by HV7Q2L.", BOOKED, before=before) == []


def test_a_picture_may_have_it() -> None:
    parts = [{"type": "text", "text": "Look."}, {"type": "image_url", "image_url": {"url": "data:,"}}]
    seen = [{"role": "user", "content": parts}, {"role": "assistant", "content": "Ok."}]
    assert flagged("It shows confirmation number BX-88213.", LOOKED, before=seen) == []


CONFIRMED = "You're all set. Your booking confirmation number is: HB-7281. Have a great day!"
BEFORE = messages(BOOKED, user="The blue room, please.", first=900)
TOOLS: list[Any] = [{"type": "function", "function": {"name": "book_room", "parameters": {}}}]


@pytest.mark.parametrize(("before", "tools"), [(BEFORE, TOOLS), ([], TOOLS)])
def test_a_turn_without_calls_confirms_no_number(before: list[Any], tools: list[Any]) -> None:
    assert "ids unsupported HB-7281" in flagged(CONFIRMED, user="Thanks.", before=before, tools=tools)


@pytest.mark.parametrize(
    ("answer", "user", "tools"),
    [
        (CONFIRMED, "Thanks.", []),  # who has no tools has it from elsewhere
        (CONFIRMED, "I booked HB-7281 by telephone.", TOOLS),
        ("Your booking confirmation number is: HV7Q2L.", "Thanks.", TOOLS),
        ("Is your booking confirmation number HB-7281?", "I lost it.", TOOLS),
        ("A booking confirmation number looks like HB-7281.", "I lost it.", TOOLS),
        ("The number is: ISO-27001.", "Which standard?", TOOLS),
        ("There is no booking with the number HB-7281.", "Is there one?", TOOLS),
        ("Your number is: 2025.", "Which year?", TOOLS),
        ("You start with the application SF-424, plus the pages your agency asks for.", "What do I fill in?", TOOLS),
        ("USS Nautilus, hull number SSN-571.", "Which was the first?", TOOLS),
        ("Your ticket (number TCK-0042) is open.", "How is ticket 42?", TOOLS),
        ("Your return number is RMA-77120-2.", "Order 77120, second return.", TOOLS),
        ("I have noted your booking number HB-7281.", "It's hotel bravo seven two eight one", TOOLS),
        ("A template, with sample data such as your invoice number INV-2025-001.", "Draft an invoice", TOOLS),
    ],
)
def test_numbers_that_a_turn_without_calls_may_name(answer: str, user: str, tools: list[Any]) -> None:
    before = BEFORE if tools else []
    found = flagged(answer, user=user, before=before, tools=tools)
    assert [one for one in found if one.startswith("ids")] == []


LOG: Ran = ("Bash", {"command": "git log --oneline -1"}, "27826ef feat: more")


@pytest.mark.parametrize(
    ("answer", "count"),
    [
        ("Committed as `e16efa8`.", 1),
        ("- **Commit:** `e16efa8`", 1),
        ("- **Commit:** `27826ef`", 0),
        ("Was it commit `e16efa8`?", 0),
        ("There is no commit `e16efa8`.", 0),
        ("The colour is `#e16efa`.", 0),
        ("I'll revert commit `e16efa8` if you like.", 0),
    ],
)
def test_a_commit_must_stand_somewhere(answer: str, count: int) -> None:
    found = flagged(answer, [LOG, ("Bash", {"command": "git add -A"}, "")], user="Commit it.")
    assert sum(one.startswith("ids") for one in found) == count


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("Done: a table for four is held, code NN-4KD2.", ["NN-4KD2"]),
        ("Done: a table for four is held, code N-7.", []),
        ("Shall I hold a table? You would get a code, such as NN-4KD2.", []),
        ("Done, the table is held (code base A1-B22 aside).", []),
        ("Done: a table for four is held, code OV-2217.", []),
    ],
)
def test_a_code_that_confirms_a_deed_in_a_turn_that_only_looked(answer: str, told: list[str]) -> None:
    look: Ran = ("get_venue", {"name": "Nonna"}, {"venue": "v-7", "last_code": "OV-2217"})
    found = flagged(answer, [look], user="Book a table for four.")
    assert [one.split()[-1] for one in found if one.startswith("ids")] == told
