"""What a change's own receipt says of its effect, beside an answer that says that it is done."""

from __future__ import annotations

from typing import Any

import pytest

from tests.general import findings, flagged
from tests.transcripts import Ran

NOT_POSTED: Ran = (
    "chat_post_message",
    {"channel": "#squad-blue", "text": "Hi"},
    {"ok": False, "why": "not_in_channel"},
)
MERGE: Ran = (
    "merge_pull_request",
    {"number": 559},
    {"data": {"enableAutoMerge": {"pullRequest": {"number": 559, "state": "OPEN", "merged": False}}}},
)


def bulk(result: dict[str, Any]) -> Ran:
    return ("bulk_update", {"filter": {"owner": "jonas", "status": "open"}, "set": {"owner": "carmen.ruiz"}}, result)


BULK = bulk({"acknowledged": True, "matched": 37, "modified": 0, "skipped": 37})
TICKET: Ran = (
    "transfer_ticket",
    {"code": "ODN", "to_email": "n@b.example", "notify": True},
    {"transfer": {"to": {"email": "n@b.example"}, "completed": True, "notification": {"email_sent": False}}},
)
FIRES: list[tuple[str, str, list[Ran]]] = [
    (
        "a count of none, in other words than the tool's",
        "All 37 of Jonas's leads now belong to Carmen Ruiz.\n\nTasks may still be his.",
        [BULK],
    ),
    ("a count of none, and the only change", "I've moved all 37 leads to her.", [BULK]),
    ("the flag of the second deed", "I've transferred both tickets and emailed them to her.", [TICKET]),
    ("a merge that was only queued, by GraphQL", "PR 559 is merged.", [MERGE]),
    (
        "the moment never came",
        "Your visit has been cancelled.",
        [("cancel_visit", {"visit": "V-7"}, {"visit": "V-7", "status": "BOOKED", "cancelled_at": None})],
    ),
    (
        "a deed of a failed call, by a line of its own",
        "- Room: Atlas is reserved\n- Chat: link posted in #squad-blue",
        [("reserve_room", {"room": "Atlas"}, {"status": "reserved"}), NOT_POSTED],
    ),
    (
        "a field of the deed is false",
        "I've archived the project.",
        [("archive_project", {"id": 7}, {"id": 7, "archived": False})],
    ),
    (
        "a count of the deed is zero",
        "I've moved all cards.",
        [("move_cards", {"to": "Done"}, {"ok": True, "moved": 0})],
    ),
    (
        "a count of changes is zero",
        "I've replaced the old name everywhere.",
        [("replace_text", {"find": "old"}, {"success": True, "files_scanned": 7, "files_changed": 0})],
    ),
    (
        "a note by which nothing was changed",
        "I've upgraded your line.",
        [("update_line", {"line": "L1", "plan": "fast"}, {"status": "OK", "note": "no capacity, profile unchanged"})],
    ),
    (
        "a number that was asked for is another",
        "I've set the limit to 500 for you.",
        [("update_limit", {"card": "c-1", "limit": 500}, {"ok": True, "card": "c-1", "limit": 200})],
    ),
    (
        "nobody where somebody was asked for",
        "I've assigned ticket 552 to Kira.",
        [("update_ticket", {"id": 552, "assignee": "kira-l"}, {"ticket": {"id": 552, "assignee": None}})],
    ),
    (
        "a state that was there before",
        "I've updated your card: it is frozen.",
        [
            ("list_cards", {}, {"cards": [{"card_id": "c-19", "status": "active"}]}),
            (
                "set_card_status",
                {"card_id": "c-19", "status": "frozen"},
                {"ok": True, "card": {"card_id": "c-19", "status": "active"}},
            ),
        ],
    ),
    (
        "without a word for a deed",
        "All of Marcus' deals now belong to yara-k.",
        [("reassign_deals", {"from": "marcus", "to": "yara-k"}, {"success": True, "reassigned": 0})],
    ),
    (
        "a fact that follows a failed call",
        "You're now in seat 14C, on the aisle.",
        [("assign_seat", {"pnr": "R8TTQ2", "seat": "14C"}, {"error": "14C is held by another passenger"})],
    ),
]


@pytest.mark.parametrize(("answer", "ran"), [row[1:] for row in FIRES], ids=[row[0] for row in FIRES])
def test_what_a_receipt_says_was_not_done(answer: str, ran: list[Ran]) -> None:
    assert any(one.split()[1] == "contradicted" for one in flagged(answer, ran))


def moved(**result: Any) -> list[Ran]:
    return [("move_cards", {"to": "Done"}, result)]


FIRES += [
    (
        "no amount was waived",
        "I've waived the $12.40 charge.",
        [("waive_charge", {"charge": "ch-2207"}, {"result": "OK", "waived": 0.0, "outstanding": 12.4})],
    ),
    (
        "no field was updated",
        "I've updated your delivery to e-mail.",
        [("update_account", {"no": "33", "delivery": "EMAIL"}, {"no": "33", "updated_fields": [], "delivery": "POST"})],
    ),
    (
        "a word that heads the answer",
        "Archived: all 57 are out of your inbox.",
        [("bulk_move", {"from": "deals", "to": "Archive"}, {"ok": True, "matched": 57, "moved": 0})],
    ),
    (
        "words of success",
        "All set, Ann!",
        [("autopay_enroll", {"account": "80"}, {"code": 200, "autopay": {"enrolled": False}})],
    ),
]
SILENT: list[tuple[str, str, list[Ran]]] = [
    ("a count of some", "All of them now belong to Carmen Ruiz.", [bulk({"matched": 37, "modified": 37})]),
    ("none, and told", "None of the 37 leads could be moved to Carmen Ruiz.", [BULK]),
    ("none, for all were so", "They belong to Carmen Ruiz.", [bulk({"modified": 0, "note": "already assigned"})]),
    ("a flag of what nobody claims", "I've transferred both tickets to n@b.example.", [TICKET]),
    ("a flag, and told", "I've transferred both tickets; the email was not sent.", [TICKET]),
    ("minutes and seconds", "It gets 15 minutes.", [("set_timer", {"id": "t-15", "duration": 15}, {"duration": 900})]),
    ("a share and percent", "It is at 40 percent.", [("set_volume", {"id": "k-40", "volume": 40}, {"volume": 0.4})]),
    ("a merge that is to come", "PR 559 will be merged once the checks pass.", [MERGE]),
    (
        "another list is not empty",
        "I've synced the contacts.",
        [("sync_contacts", {}, {"synced": 4, "updated_ids": [], "created_ids": [1, 2, 3, 4]})],
    ),
    (
        "an empty list of something else",
        "I've updated your delivery to e-mail.",
        [("update_account", {"no": "33", "delivery": "EMAIL"}, {"no": "33", "warnings": [], "delivery": "EMAIL"})],
    ),
    (
        "what is left to pay is nothing",
        "I've waived the $12.40 charge.",
        [("waive_charge", {"charge": "ch-2207"}, {"waived": 12.4, "outstanding": 0.0})],
    ),
    (
        "that it costs nothing is no count",
        "Your listing has been renewed.",
        [("listing_renew", {"id": 87}, {"id": 87, "renewal_fee_cents": 0, "bumped": True})],
    ),
    (
        "another moment never came",
        "Your visit has been cancelled.",
        [("cancel_visit", {"visit": "V-7"}, {"visit": "V-7", "status": "CANCELLED", "refunded_at": None})],
    ),
    (
        "success, and not",
        "All set, but autopay is not on.",
        [("autopay_enroll", {"account": "80"}, {"autopay": {"enrolled": False}})],
    ),
    ("success, and it is", "All set, Ann!", [("autopay_enroll", {"account": "80"}, {"autopay": {"enrolled": True}})]),
    (
        "what was done is listed",
        "I've deleted the branches a and b.",
        [("delete_branches", {"names": ["a", "b"]}, {"deleted": ["a", "b"], "failed": [], "updated": 0})],
    ),
    (
        "a failed call that the line does not tell of",
        "- Room: reserved\n- Chat: #squad-blue is your channel",
        [NOT_POSTED],
    ),
    (
        "done by another tool",
        "- Chat: link posted in #squad-blue",
        [NOT_POSTED, ("chat_send", {"to": "#squad-blue", "text": "Hi"}, {"ok": True})],
    ),
    ("a failed call, to be done", "- Chat: the link will be posted in #squad-blue", [NOT_POSTED]),
    ("some were", "I've moved the cards.", moved(moved=3, failed=0)),
    ("another field of the deed says so", "I've moved the cards.", moved(moved=0, moved_total=4)),
    ("all was so before", "The cards are in Done now.", moved(changed=0, message="already there")),
    ("it is still to come", "I've moved the cards.", moved(moved=0, message="queued for 18:00")),
    ("the answer says so", "I tried, but no cards were moved.", moved(moved=0)),
    ("half of it", "I've moved what I could; two cards could not be moved.", moved(moved=0)),
    ("it was tried again", "I've moved the cards.", [*moved(moved=0), *moved(moved=4)]),
    (
        "a note on something else",
        "I've renamed it to Beta.",
        [("rename_list", {"name": "Beta"}, {"name": "Beta", "note": "Archived lists are unchanged."})],
    ),
    (
        "another word for the same",
        "I've set it to high.",
        [("update_ticket", {"id": 4, "priority": "high"}, {"id": 4, "priority": "P1"})],
    ),
    (
        "what adds up",
        "I've added 2 chairs.",
        [("update_cart", {"item": "chair", "quantity": 2}, {"item": "chair", "quantity": 5})],
    ),
    (
        "both numbers told",
        "I've asked for 500, and the limit is 200 now.",
        [("update_limit", {"limit": 500}, {"ok": True, "limit": 200})],
    ),
    (
        "the opposite of its name",
        "jlee has been deactivated.",
        [("deactivateUser", {"login": "jlee"}, {"login": "jlee", "active": False})],
    ),
    (
        "a coupon that is gone",
        "I've removed the coupon SPRING.",
        [("remove_coupon", {"code": "SPRING"}, {"code": "SPRING", "applied": False})],
    ),
    ("a look", "I've checked the cards.", [("get_cards", {}, {"moved": 0})]),
    (
        "a failure that is told",
        "Seat 14C is taken, so you're not in it.",
        [("assign_seat", {"seat": "14C"}, {"error": "held"})],
    ),
    ("a failure, and a question", "Shall I try 14C again now?", [("assign_seat", {"seat": "14C"}, {"error": "held"})]),
    (
        "a failure that was mended",
        "You're now in seat 14C.",
        [("assign_seat", {"seat": "14C"}, {"error": "held"}), ("assign_seat", {"seat": "14C"}, {"ok": True})],
    ),
]


@pytest.mark.parametrize(("answer", "ran"), [row[1:] for row in SILENT], ids=[row[0] for row in SILENT])
def test_what_may_have_been_done(answer: str, ran: list[Ran]) -> None:
    assert [one for one in flagged(answer, ran) if one.startswith("receipts")] == []


MOVE: dict[str, Any] = {"appointment_id": "ap-301", "starts_at": "2026-06-04T09:30"}
MOVED = "Biscuit's appointment ap-301 is now on 4 June at 9:30."


def rescheduled(result: Any, *behind: Ran) -> list[Ran]:
    return [("reschedule_appointment", MOVE, result), *behind]


SHOWN: Ran = ("get_appointment", {"appointment_id": "ap-301"}, {"id": "ap-301", "when": "Thu 4 Jun, 9.30 am"})
OTHER: Ran = ("get_appointment", {"appointment_id": "ap-999"}, {"id": "ap-999", "when": "Fri 5 Jun"})
IN_BULK: Ran = ("appointments_update", {"ids": ["ap-301"], "set": {"starts_at": "2026-06-04T09:30"}}, {"updated": 1})
QUEUED: Ran = ("waitlist_join", MOVE, {"waitlist_id": "WL-1"})


@pytest.mark.parametrize(
    ("ran", "fires"),
    [
        (rescheduled({"error": "GatewayTimeout"}), True),
        (rescheduled({"error": "GatewayTimeout"}, SHOWN), False),  # nobody knows, and a look has it
        (rescheduled({"error": "GatewayTimeout"}, OTHER), True),
        (
            rescheduled({"error": "slot is taken"}, SHOWN),
            True,
        ),  # it was refused: what a look shows may be what was before
        (rescheduled({"error": "405: managed by sync"}, IN_BULK), False),
        (rescheduled({"error": "slot is taken"}, QUEUED), True),
    ],
)
def test_a_failed_change_and_what_came_behind_it(ran: list[Ran], fires: bool) -> None:
    found = [one for one in findings(MOVED, ran, user="Move it to 4 June, 9:30.") if one.rule == "receipts"]
    assert bool(found) is fires


def label(**result: Any) -> list[Ran]:
    return [("create_label", {"to": "Ohio", "weight": 5}, {"label": "LB-7", **result})]


@pytest.mark.parametrize(
    ("ran", "fires"),
    [
        (label(weight=11.02, weight_unit="lb"), False),
        (label(weight=11.02), True),
        (label(weight=3, uom="EA"), True),
        (label(weight=5, weight_unit="kg"), False),
    ],
)
def test_a_number_in_another_unit(ran: list[Ran], fires: bool) -> None:
    found = [one for one in findings("The label is ready: 5 kg to Ohio.", ran, user="A label.") if one.flagged]
    assert bool(found) is fires
