"""Deeds and looks for which a tool was declared that nobody called."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from proxy.reading import Reading
from tests.general import flagged
from tests.transcripts import Ran, lexicon, messages

RESET: Ran = ("reset_line", {"line": "L-20"}, {"line": "L-20", "reset": True})
CANCEL: Ran = ("cancel_booking", {"booking": "BK-551"}, {"booking": "BK-551", "status": "cancelled"})
MOVE: Ran = (
    "reschedule_event",
    {"id": "ev-3", "start": "15:20"},
    {"id": "ev-3", "start": "15:20", "notify_guests": False},
)
HIRE: Ran = ("create_employee", {"name": "Ines Faro"}, {"employee_id": "E-77", "status": "created"})
STORES: Ran = ("list_stores", {"city": "Porto"}, {"stores": [{"id": "P1", "name": "Porto Centro"}]})
EDIT: Ran = ("edit_file", {"path": "a.py", "old": "x", "new": "y"}, "Applied 1 edit")
INDEX: Ran = ("create_index", {"table": "visits"}, "CREATE INDEX idx_visits")


def tools(*names: str) -> list[dict[str, Any]]:
    return [{"type": "function", "function": {"name": name, "parameters": {}}} for name in names]


def told(answer: str, ran: Sequence[Ran], declared: str, user: str = "Please do it.", **more: Any) -> list[str]:
    said = flagged(answer, ran, user=user, tools=tools(*(one[0] for one in ran), *declared.split()), **more)
    return [one for one in said if one.startswith("uncalled ")]


BILL: Ran = ("get_bill", {"id": "B-7"}, {"id": "B-7", "state": "paid", "due": 0})
FIRES: list[tuple[str, list[Ran], str, str]] = [
    ("I've reset line L-20 and opened a support ticket.", [RESET], "create_ticket", "My line is dead."),
    (
        "I've reset line L-20. I also raised a ticket with our engineers.",
        [RESET],
        "ticketing__create_ticket",
        "It is dead.",
    ),
    ("- **Line:** L-20 is reset\n- **Credit:** I've applied $10 for the outage.", [RESET], "apply_credit", "Do both."),
    ("I've reset line L-20 and opened a PR for the config.", [RESET], "create_pull_request", "Reset it."),
    ("L-20 is reset. I've also left a comment on the outage.", [RESET], "createComment", "Reset L-20."),
    ("Done:\n- Line L-20 reset\n- 1 checked bag added", [RESET], "add_baggage", "Reset L-20 and add a checked bag."),
    ("BK-551 is cancelled, and I've emailed Bea about it.", [CANCEL], "send_email", "Cancel BK-551, tell Bea"),
    ("BK-551 is cancelled, and I've messaged your adjuster.", [CANCEL], "notify_adjuster", "Cancel BK-551"),
    (
        "BK-551 is cancelled, and your driver has been told.",
        [CANCEL],
        "contact_courier",
        "Cancel BK-551 and tell the driver",
    ),
    ("Your event now starts at 15:20, and I've emailed both guests.", [MOVE], "send_email", "Move it"),
    (
        "Ines Faro (E-77) is set up:\n1. Profile created\n2. Laptop: ThinkPad ordered",
        [HIRE],
        "assign_laptop",
        "Order a ThinkPad.",
    ),
    ("I edited `a.py` and ran the test suite.", [EDIT], "Bash", "Fix it and run the tests"),
    (
        "1. Created `idx_visits`\n2. Ran `ANALYZE` on visits",
        [INDEX],
        "analyze_table",
        "add an index, refresh the stats",
    ),
    ("I've checked stock at Porto Centro: yes, it is there.", [STORES], "check_stock", "Is the lamp in Porto?"),
    ("I pulled up your lab results: iron 48, TSH 2.1.", [STORES], "get_lab_results", "my blood results?"),
    ("I've run a full line test: 71.4 Mbps, no faults.", [STORES], "line_test", "It drops every evening."),
    ("I've checked the allergen sheet: the glaze is safe.", [STORES], "menu.allergens", "Is the cod safe?"),
    (
        "I've checked the policy for you: dinners are capped at 75, so 450 for six.",
        [STORES],
        "policy_search",
        "our limit?",
    ),
    ("I read through the lease (38 pages). Section 14.2 has a break clause.", [STORES], "read_file", "a break clause?"),
]


@pytest.mark.parametrize(("answer", "ran", "declared", "user"), FIRES, ids=[row[0][:40] for row in FIRES])
def test_a_tool_for_it_was_not_called(answer: str, ran: list[Ran], declared: str, user: str) -> None:
    assert told(answer, ran, declared, user) == [f"uncalled unsupported {declared}"]


CASE: Ran = ("escalate_case", {"line": "L-20"}, {"ticket": "T-9", "state": "open"})
TOLD: Ran = ("cancel_booking", {"booking": "BK-551", "send_email": True}, {"booking": "BK-551", "status": "cancelled"})
SENT: Ran = ("cancel_booking", {"booking": "BK-551"}, {"booking": "BK-551", "email_sent": True})
FLOW: Ran = ("run_workflow", {"name": "reset"}, {"ok": True})
FAILED: Ran = ("create_ticket", {"title": "L-20"}, {"error": "queue is closed"})
REPLY: Ran = ("add_reply", {"ticket": 8, "body": "It has shipped."}, {"ticket": 8})
STOCK: Ran = ("find_product", {"q": "lamp"}, {"sku": "A1", "stock": 4})
SHELL: Ran = ("Bash", {"command": "pytest -q"}, "3 passed")

SILENT: list[tuple[str, str, list[Ran], str, str]] = [
    (
        "the test was run",
        "I've run a full line test: no faults.",
        [("run_diagnostics", {"kind": "line test"}, {"faults": 0})],
        "line_test",
        "It drops.",
    ),
    (
        "what the user pasted",
        "I've checked the policy: dinners are capped.",
        [STORES],
        "policy_search",
        "the policy says 75",
    ),
    ("another look shows it", "I've checked stock: 4.", [STOCK], "stock_level", "Is the lamp there?"),
    ("a promise", "I'll run a line test now.", [STORES], "line_test", "It drops."),
    ("a look shows it", "Your bill B-7 was paid.", [BILL], "pay_bill", "Did you get my payment?"),
    ("others resumed it", "Line L-20 was resumed this morning.", [BILL], "resume_line", "Is it back?"),
    (
        "the label of another line",
        "- **Credit:** none so far\n- I've applied the reset to L-20.",
        [RESET],
        "apply_credit",
        "Do both.",
    ),
    (
        "a label that a result has",
        "- **Credit:** I've applied it to L-20.",
        [("reset_line", {"line": "L-20"}, {"line": "L-20", "credit": 5})],
        "apply_credit",
        "Do both.",
    ),
    ("a label and no deed", "L-20 is reset.\n- **Credit:** $10 can be applied.", [RESET], "apply_credit", "Do both."),
    ("no such tool", "I've reset line L-20 and opened a ticket.", [RESET], "get_ticket", "It is dead."),
    (
        "by another tool",
        "I've reset line L-20 and opened a ticket, T-9.",
        [RESET, CASE],
        "create_ticket",
        "It is dead.",
    ),
    (
        "it was called",
        "I've opened a ticket for L-20.",
        [("create_ticket", {"line": "L-20"}, {"id": 4})],
        "create_ticket",
        "Dead.",
    ),
    ("it may have been", "I've reset line L-20 and opened a ticket.", [RESET, FLOW], "create_ticket", "It is dead."),
    ("an offer", "I've reset line L-20. Shall I open a ticket?", [RESET], "create_ticket", "It is dead."),
    ("a plan", "I've reset line L-20. I will open a ticket if it stays dead.", [RESET], "create_ticket", "It is dead."),
    ("a denial", "I've reset line L-20, but I haven't opened a ticket.", [RESET], "create_ticket", "It is dead."),
    ("the user's own", "I've reset line L-20. You opened a ticket in May.", [RESET], "create_ticket", "It is dead."),
    ("long ago", "I've reset line L-20. A ticket was already opened in May.", [RESET], "create_ticket", "It is dead."),
    ("another verb", "I've reset line L-20 and closed your ticket.", [RESET], "create_ticket", "It is dead."),
    ("a verb is no thing", "I've reset line L-20 and issued a $5 credit.", [RESET], "create_issue", "It is dead."),
    ("an article is no thing", "The line has been reset.", [RESET], "set_thermostat", "Reset the line."),
    (
        "nobody asked",
        "Line L-20 is reset. A ticket has been opened.",
        [RESET],
        "create_ticket",
        "My phone has no signal.",
    ),
    ("the call sends it", "BK-551 is cancelled, and I've emailed you.", [TOLD], "send_email", "Cancel BK-551"),
    ("the result says so", "BK-551 is cancelled, and I've emailed you.", [SENT], "send_email", "Cancel BK-551"),
    ("told in a reply", "I replied to Dana on ticket 8.", [REPLY], "send_email", "Tell Dana on ticket 8"),
    ("a comment in a review", "I left a comment on 8.", [REPLY], "create_comment", "Thank Dana on 8"),
    ("the only change, otherwise named", "I've opened a ticket for you.", [CASE], "create_ticket", "It is dead."),
    ("the only change, in no words of its own", "I've opened a ticket.", [RESET], "create_ticket", "It is dead."),
    (
        "invited by the event",
        "Your event is at 15:20, and I've invited Bea.",
        [MOVE],
        "send_invite",
        "Move it, invite Bea",
    ),
    ("a result holds it", "I've checked the stock: 4 lamps.", [STOCK], "check_stock", "Any lamps?"),
    (
        "by a tool that shows it of all",
        "I've retrieved your account balances: 1500 in all. I can look 30, 60 or 90 days back.",
        [("get_all_balances", {}, {"accounts": {"main": 1500}})],
        "get_balance",
        "How much is there?",
    ),
    ("by thinking", "I've checked your eligibility: you qualify.", [STOCK], "check_availability", "May I?"),
    ("not spoken of by me", "Stock was checked on Monday.", [STORES], "check_stock", "Any lamps?"),
    ("the tests ran", "I edited `a.py` and ran the test suite.", [EDIT, SHELL], "run_tests", "Fix it"),
    ("the user should", "I edited `a.py`; please run the test suite.", [EDIT], "Bash", "Fix it"),
    ("ran into it", "I edited `a.py` after I ran into the bug.", [EDIT], "Bash", "Fix it"),
    ("only reads", "I ran the numbers: 4 lamps.", [STOCK], "run_report", "How many?"),
    ("labels", "Line L-20 is reset.\n- Ticket opened: 4 May\n- Bags added: 0", [RESET], "create_ticket", "Reset L-20"),
]


@pytest.mark.parametrize(
    ("answer", "ran", "declared", "user"), [row[1:] for row in SILENT], ids=[row[0] for row in SILENT]
)
def test_what_may_have_been_done_is_left_alone(answer: str, ran: list[Ran], declared: str, user: str) -> None:
    assert told(answer, ran, declared, user) == []


ANSWER = "I've reset line L-20 and opened a support ticket."


def test_what_an_earlier_turn_did() -> None:
    opened: Ran = ("create_ticket", {"line": "L-20"}, {"ticket": "T-4"})
    before = [*messages([opened], user="Open a ticket."), {"role": "assistant", "content": "I've opened T-4."}]
    assert told(ANSWER, [RESET], "create_ticket", "Reset L-20.", before=before) == []
    assert told(ANSWER, [RESET], "create_ticket", "Reset L-20.") != []


@pytest.mark.parametrize(
    ("system", "count"),
    [
        ("A ticket is opened automatically when a line is reset.", 0),
        ("Be brief. Tickets are for engineers.", 1),
        ("This session is being continued from a previous conversation that ran out of context.", 0),
    ],
)
def test_what_the_system_text_says(system: str, count: int) -> None:
    before = [{"role": "system", "content": system}]
    assert len(told(ANSWER, [RESET], "create_ticket", "It is dead.", before=before)) == count


@pytest.mark.parametrize(
    ("user", "shown", "expected"),
    [
        ("Please change my password to Moss-8.", "verified", ["uncalled unsupported update_password"]),
        ("When was my password changed?", "verified", []),  # no order: a look may say so
        ("Please change my password to Moss-8.", "password updated by Ann", []),
    ],
)
def test_an_order_told_as_done_behind_looks(user: str, shown: str, expected: list[str]) -> None:
    tools = [
        {"type": "function", "function": {"name": name, "parameters": {}}} for name in ("update_password", "get_log")
    ]
    found = flagged("Your password has been updated.", [("get_log", {}, shown)], user=user, tools=tools)
    assert [one for one in found if one.startswith("uncalled")] == expected


def test_a_call_that_the_answer_before_only_wrote() -> None:
    wrote = 'Give me a second:\n\nwaive_fine({"fine": "f4"})'
    before = [{"role": "user", "content": "Please waive it."}, {"role": "assistant", "content": wrote}]
    tools = [{"type": "function", "function": {"name": "waive_fine", "parameters": {}}}]
    said, thanks = "The fine has been waived.", "Thank you so much."
    told = ["actions unsupported handle", "uncalled unsupported waive_fine"]
    assert flagged(said, [], user=thanks, before=before, tools=tools) == told
    before[1]["content"] = "I'll waive it."
    assert flagged(said, [], user=thanks, before=before, tools=tools) == []


def test_a_turn_of_looks_after_a_change_of_another_turn() -> None:
    asked = {"id": "p1", "type": "function", "function": {"name": "request_payment", "arguments": '{"bill": "B-7"}'}}
    before = [
        {"role": "user", "content": "My line is suspended."},
        {"role": "assistant", "content": None, "tool_calls": [asked]},
        {"role": "tool", "tool_call_id": "p1", "content": '{"sent": true}'},
        {"role": "assistant", "content": "Please pay bill B-7 first."},
    ]
    for answer, count in (
        ("I've resumed line L-20.", 1),
        ("Line L-20 was resumed.", 0),
        ("I can resume line L-20.", 0),
    ):
        said = f"B-7 is paid. {answer}"
        found = told(said, [BILL], "request_payment resume_line", "I paid it, what now?", before=before)
        assert len(found) == count


def test_a_failed_call_of_it_is_for_others_to_tell() -> None:
    assert told(ANSWER, [RESET, FAILED], "create_ticket", "It is dead.") == []


OUTCOMES = [
    ("The keys were revoked.", ["process", "handle"]),
    ("- 1 checked bag added", ["create"]),
    ("A new card is on its way.", ["ship"]),
    ("Ann now has editor access.", ["share"]),
    ("The keys had revoked rights.", []),
    ("The card was already ordered.", []),
    ("I'll have the card on its way soon.", []),
    ("You added a bag.", []),
]


@pytest.mark.parametrize(("text", "acts"), OUTCOMES, ids=[row[0] for row in OUTCOMES])
def test_what_may_tell_of_a_deed(text: str, acts: list[str]) -> None:
    found = [one.act for one in Reading(text, lexicon()).claims(frozenset({"outcome"})) if one.kind == "outcome"]
    assert bool(found) == bool(acts)
    assert set(found) <= set(acts)


HOTEL: Ran = ("book_hotel", {"hotel": 8}, "Hotel 8 successfully booked.")
CARS: Ran = ("search_cars", {"city": "Basel"}, [{"id": 1, "maker": "Autohaus Fink", "booked": 0, "mood": "unbooked"}])
CAR: Ran = ("get_car", {"id": 1}, {"car": 1, "status": "booked"})


@pytest.mark.parametrize(
    ("user", "earlier", "expected"),
    [
        ("yes go ahead and book anything that is free", [HOTEL, CARS], ["uncalled unsupported book_car"]),
        ("Book the car", [HOTEL], ["uncalled unsupported book_car"]),
        ("Book the car", [HOTEL, CAR], []),  # a look shows it so
        ("Book the car", [("book_car", {"id": 1}, "ok")], []),
        ("Thanks!", [HOTEL, CARS], []),
        ("What about the car?", [HOTEL, CARS], []),
    ],
)
def test_what_a_result_says_of_another_thing_is_no_excuse(user: str, earlier: list[Ran], expected: list[str]) -> None:
    before = [*messages(earlier, user="What is there?", first=9), {"role": "assistant", "content": "There is this."}]
    assert told("Your car has been successfully booked.", [], "book_car", user, before=before) == expected


ACCOUNT: Ran = ("get_account", {"account": "E-55"}, {"account": "E-55", "address": "40 Birch Lane", "state": "ACTIVE"})
OUT = "Is there an outage on Birch Lane? Account E-55"
CHECKED = "I've checked the outage map, and there is a known outage in your area."


@pytest.mark.parametrize(
    ("answer", "ran", "user", "declared", "fires"),
    [
        (CHECKED, [("check_outages", {"street": "Birch Lane"}, {"outages": 1})], OUT, "", False),
        (CHECKED, [("get_account", {}, {"account": "E-55", "outage": True})], OUT, "check_outages", False),
        (CHECKED, [ACCOUNT], f"{OUT}\nThe map says: outage, 3 streets", "check_outages", False),
        (CHECKED, [ACCOUNT], OUT, "list_outages", False),
        ("There is a known outage in your area.", [ACCOUNT], OUT, "check_outages", False),
        ("I haven't checked the outage map.", [ACCOUNT], OUT, "check_outages", False),
        (CHECKED, [ACCOUNT], OUT, "check_outages", True),
        (
            "I've checked availability: a queen is $129, a suite $209.",
            [],
            "Anything for Nov 7?",
            "search_availability",
            True,
        ),
    ],
)
def test_a_look_by_the_tools_own_verb(answer: str, ran: list[Ran], user: str, declared: str, fires: bool) -> None:
    assert bool(told(answer, ran, declared, user)) is fires


def test_what_was_looked_up_before_need_not_be_again() -> None:
    before = [
        *messages([ACCOUNT], user="Hi", first=9),
        {"role": "assistant", "content": "There is an outage near you."},
    ]
    assert told(CHECKED, [ACCOUNT], "check_outages", OUT, before=before) == []


PUT: Ran = ("artifact.put", {"key": "a.md"}, {"artifact_key": "a.md", "size": 12})
VERIFY, CHECKS = "artifact.verify_manifest", "run_checks write_file"
RULES = "As the skill requires, I ran the checklist before answering."


@pytest.mark.parametrize(
    ("answer", "ran", "declared", "fires"),
    [
        # 43: "verified" with no call that could have shown it
        ("Verified: all present.", [PUT], VERIFY, True),
        ("I verified that all files are in place.", [PUT], VERIFY, True),
        ("Deposited and verified `a.md`.", [PUT], VERIFY, True),
        ("Verified: all present.", [PUT], "", False),
        ("Verified: all present.", [], VERIFY, False),
        ("Verified: all present.", [PUT, (VERIFY, {}, {"missing": []})], VERIFY, False),
        ("Verified: all present.", [PUT, ("list_artifacts", {}, ["a.md"])], VERIFY, False),
        ("Verified: all present.", [(PUT[0], PUT[1], {"artifact_key": "a.md", "verified": True})], VERIFY, False),
        ("Verified against the size that the put returned.", [PUT], VERIFY, False),
        ("I've double-checked the size: 12 bytes.", [PUT], VERIFY, False),
        ("I have confirmed the deposit of `a.md`.", [PUT], VERIFY, False),
        ("I haven't verified it.", [PUT], VERIFY, False),
        ("Shall I have it verified?", [PUT], VERIFY, False),
        # 46: compliance that is only cited
        (RULES, [], CHECKS, True),
        (RULES, [("run_checks", {}, "2 passed")], CHECKS, False),
        (RULES, [("shell", {"command": "make lint"}, "ok")], CHECKS, False),
        (RULES, [], "write_file", False),
        ("The skill says to run the checklist first. Shall I?", [], CHECKS, False),
        ("I ran through your list once more.", [], CHECKS, False),
    ],
)
def test_what_is_said_to_have_been_verified_or_run(answer: str, ran: list[Ran], declared: str, fires: bool) -> None:
    assert bool(told(answer, ran, declared, "Write the notes, deposit and verify them, following the skill.")) is fires


MERGED: Ran = (
    "merge_pull_request",
    {"iid": 77},
    {"state": "merged", "source_branch": "fix/rounding", "source_branch_deleted": False},
)
SWEPT: Ran = (*MERGED[:2], {"state": "merged", "source_branch": "fix/rounding", "source_branch_deleted": True})


@pytest.mark.parametrize(
    ("answer", "ran", "fires"),
    [
        ("!77 is merged. I also deleted the source branch `fix/rounding`.", [MERGED], True),
        ("!77 is merged. I also deleted the source branch `fix/rounding`.", [SWEPT], False),
        ("!77 is merged. I left the source branch `fix/rounding`.", [MERGED], False),
        ("!77 is merged. Shall I delete the source branch?", [MERGED], False),
        (
            "!77 is merged. I also deleted the source branch `fix/rounding`.",
            [MERGED, ("delete_branch", {"name": "fix/rounding"}, {"deleted": True})],
            False,
        ),
    ],
)
def test_what_a_change_denies_itself(answer: str, ran: list[Ran], fires: bool) -> None:
    assert bool(told(answer, ran, "delete_branch", "merge it please and clean up the branch afterwards")) is fires


CHECKOUT: Ran = ("pms_set_checkout_time", {"stay": "ST-2", "time": "14:00"}, {"stay": "ST-2", "checkout": "14:00"})
FAULT: Ran = ("fault_report", {"bike": 20418, "note": "chain"}, {"ticket": "F-55", "bike": 20418})
HALL: Ran = ("reserve_room", {"room": "Hall", "guests": 80}, {"reservation": "EV-1", "room": "Hall"})
STAY = "Could I get a 2pm checkout and a car to the airport at 2:15?"
RIDE = "Bike 20418 had a slipping chain. Report it and give me my money back for the ride."
LESSON: Ran = ("move_lesson", {"id": 7, "date": "2025-04-11"}, {"id": 7, "date": "2025-04-11", "instructor": "D. Hale"})
FEVER = "I have a fever, could you move tomorrow's lesson to Friday and tell Mr. Hale?"
PARTY = "We'd like the Hall for 80 guests, and buffet B for all of them."


@pytest.mark.parametrize(
    ("answer", "ran", "declared", "user", "fires"),
    [
        ("Checkout is set to 2 PM. Shall a car to the airport be booked?", [CHECKOUT], "book_transfer", STAY, False),
        ("Checkout is set to 2 PM; the taxi rank is at the door.", [CHECKOUT], "book_transfer", STAY, False),
        (
            "Checkout is set to 2 PM, and a car to the airport is booked.",
            [CHECKOUT, ("order_car", {"to": "airport"}, {"ok": True})],
            "book_transfer",
            STAY,
            False,
        ),
        (
            "A car to the airport is booked.",
            [("get_plan", {}, {"car": "to the airport 14:15", "state": "booked"})],
            "book_transfer",
            STAY,
            False,
        ),
        ("Bike 20418 was reported (F-55). I also refunded the ride.", [FAULT], "ride_refund", RIDE, True),
        ("Bike 20418 was reported (F-55). I can refund the ride as well.", [FAULT], "ride_refund", RIDE, False),
        (
            "Your request was processed: bike 20418 is reported. I also refunded the ride.",
            [("process_request", {"text": "chain"}, "ok")],
            "ride_refund",
            RIDE,
            False,
        ),
        ("I also refunded the ride.", [FAULT], "ride_refund", RIDE, False),  # the report may have been it
        ("Your lesson is on Friday, and I've let Mr. Hale know.", [LESSON], "notify_instructor", FEVER, True),
        ("It's on Friday. I haven't let Mr. Hale know.", [LESSON], "notify_instructor", FEVER, False),
        ("It's on Friday. Shall I let Mr. Hale know?", [LESSON], "notify_instructor", FEVER, False),
        ("It's on Friday. I'll let Mr. Hale know.", [LESSON], "notify_instructor", FEVER, False),
        ("It's on Friday; let me know if it suits you.", [LESSON], "notify_instructor", FEVER, False),
        (
            "Your lesson is on Friday, and I've let Mr. Hale know.",
            [LESSON, ("send_sms", {"to": "hale"}, {"ok": True})],
            "notify_instructor",
            FEVER,
            False,
        ),
        ("The Hall is reserved.\n- Catering: Buffet B added for 80", [HALL], "add_catering", PARTY, True),
        ("The Hall is reserved.\n- Catering: Buffet B to be added", [HALL], "add_catering", PARTY, False),
        ("The Hall is reserved.\n- Catering: not added yet", [HALL], "add_catering", PARTY, False),
        ("The Hall is reserved.\n- Catering: Buffet A or B", [HALL], "add_catering", PARTY, False),
    ],
)
def test_what_was_ordered_in_other_words(answer: str, ran: list[Ran], declared: str, user: str, fires: bool) -> None:
    assert bool(told(answer, ran, declared, user)) is fires


CLASS: Ran = ("cancel_class", {"class": "SW-9"}, {"class": "SW-9", "status": "cancelled", "enrolled": 6})
FAMILIES: Ran = ("family_email", {"class": "SW-9", "template": "off"}, {"sent": 6, "bounced": 0})
ALL = "All three, please: cancel the class, email the families and notify Coach Bettina."
THREE = "Done:\n- The class is cancelled\n- All families were emailed\n- Coach Bettina has been notified"


@pytest.mark.parametrize(
    ("answer", "ran", "fires"),
    [
        (THREE, [CLASS, FAMILIES], True),
        (THREE, [CLASS, FAMILIES, ("coach_notify", {"coach": "Bettina"}, {"ok": True})], False),
        (THREE, [CLASS, ("family_email", {"to": "families, coach"}, {"sent": 7})], False),
        (THREE, [CLASS, ("family_email", {"class": "SW-9", "cc": "bettina"}, {"sent": 7})], False),
        (THREE, [CLASS, ("send_email", {"to": "all"}, {"sent": 7})], False),  # its name says not to whom
        (
            THREE,
            [("cancel_class", {"class": "SW-9"}, {"status": "cancelled", "coach_notified": True}), FAMILIES],
            False,
        ),
        (THREE.replace("has been", "has not been"), [CLASS, FAMILIES], False),
        (THREE.replace("has been", "will be"), [CLASS, FAMILIES], False),
    ],
)
def test_who_was_notified_by_a_tool_that_reached_others(answer: str, ran: list[Ran], fires: bool) -> None:
    assert bool(told(answer, ran, "coach_notify", ALL)) is fires


@pytest.mark.parametrize(
    ("answer", "ran", "fires"),
    [
        ("Leave at 10:35. I've set a reminder for 9:35.", [("get_travel", {}, {"leave": "10:35"})], True),
        ("Leave at 10:35. I've set an alert as well.", [("get_travel", {}, {"leave": "10:35"})], False),  # no such tool
        ("Leave at 10:35. I haven't set a reminder.", [("get_travel", {}, {"leave": "10:35"})], False),
        ("Leave at 10:35. Shall I set a reminder?", [("get_travel", {}, {"leave": "10:35"})], False),
        ("I've set a reminder.", [("reminders_create", {"at": "9:35"}, {"id": "r1"})], False),
    ],
)
def test_what_was_set(answer: str, ran: list[Ran], fires: bool) -> None:
    assert bool(told(answer, ran, "reminders_create", "When do I leave? Ping me an hour before.")) is fires


@pytest.mark.parametrize(
    ("state", "fires"), [("DEACTIVATED", False), ("ACTIVE", True)], ids=["a look shows it", "a look does not"]
)
def test_what_a_change_did_by_the_way_and_a_look_shows(state: str, fires: bool) -> None:
    ran: list[Ran] = [
        ("esim_activate", {"msisdn": "0770"}, {"job": "J-66", "state": "IN_PROGRESS"}),
        ("esim_status", {"job": "J-66"}, {"job": "J-66", "state": "COMPLETED", "previous_state": state}),
    ]
    answer = "I've activated the eSIM. Your old card was deactivated."
    assert (
        bool(told(answer, ran, "card_deactivate", "Move my number to the new eSIM, and deactivate the old card."))
        is fires
    )
