"""What a result says of the wish itself, beside an answer that tells flatly that it is done."""

from __future__ import annotations

from typing import Any

import pytest

from tests.general import flagged
from tests.transcripts import Ran


def seat(**result: Any) -> Ran:
    return ("assign_seat", {"trip": "T-8", "preference": "aisle"}, {"seat": "19E", **result})


def run(result: str) -> Ran:
    return ("db.execute", {"sql": "UPDATE users SET state = 'old' WHERE age > 90"}, result)


def load(**counts: Any) -> Ran:
    return ("import_orders", {"day": "2025-05-19"}, {"state": "success", "tasks": [counts]})


def order(**result: Any) -> Ran:
    return ("create_order", {"sku": "PAN-4", "submit": True}, {"order": {"no": "PO-7", **result}})


def invite(**result: Any) -> Ran:
    return ("add_people", {"emails": [f"p{at}@x.example" for at in range(8)]}, {"ok": True, **result})


SEATED = "Done! You now sit on the aisle, in 19E."
LOADED = "The load has finished successfully: the day is complete."
MERGE: Ran = ("merge_request", {"number": 31}, "! Request 31 will be automatically merged when all checks have passed")
FLAG: Ran = ("update_flag", {"key": "fast-pay", "enabled": True}, {"key": "fast-pay", "effective": {"serving": "off"}})
JOB = {"id": "rj-7", "state": "rendering", "cancel": {"needs_owner_approval": True, "approved": False}}
SHUT = {"tariff": "STD", "events": [{"outcome": "NO_CHANGE", "detail": "the agreement is locked"}]}
FILED = {"state": "sent", "filings": [{"validation": [{"severity": "fatal", "text": "not searchable"}]}]}
STOCK: Ran = ("reserve_stock", {"sku": "A"}, {"lines": [{"requested_qty": 40, "confirmed_qty": 25}]})

MFA = ("mfa.enroll", {"user": "u-4"}, {"user": "u-4", "mfa": {"method": "totp", "enabled": False}})
CREDIT = {"creditId": "CR-7", "requestedCents": 1500, "grantedCents": 1250}
STORED = "accepted; bridge unreachable, command stored and will be delivered when the bridge reconnects"
FIRES: list[tuple[str, str, list[Ran]]] = [
    ("not on yet", "Two-step sign-in is now active on your account.", [MFA]),
    ("less, in cents", "I've credited $15.00 to your account.", [("issue_credit", {"cents": 1500}, CREDIT)]),
    ("a command that is only stored", "Done, the door is locked.", [("lock_door", {"door": "back"}, STORED)]),
    ("a preference that was not met", SEATED, [seat(preference_met=False)]),
    ("in German", "Erledigt, Sie sitzen jetzt am Gang.", [seat(preferenceMet=False)]),
    ("in Korean", "통로 좌석으로 변경했습니다.", [seat(request_fulfilled=False)]),
    ("asked to be so, and not so", "PO-7 is now with Mara for approval ✅", [order(submitted=False)]),
    ("no row", "Les comptes sont désormais archivés.", [run("BEGIN\nINSERT 0 0\nCOMMIT")]),
    (
        "nothing was added",
        "The rule is in place now.",
        [("apply_plan", {"dir": "a"}, "Resources: 0 added, 0 changed, 0 destroyed.")],
    ),
    ("nothing done, and all of it shut out", LOADED, [load(rows_inserted=0, quarantined=1932)]),
    (
        "nobody to reach",
        "Scheduled! It is all set.",
        [("schedule_mail", {"list": "L"}, {"deliverable": 0, "excluded": 70})],
    ),
    ("on, and off in effect", "The flag `fast-pay` is now enabled for everyone.", [FLAG]),
    ("merged, when the checks have passed", "已合并 31 号请求 ✅", [MERGE]),
    ("fewer than were given", "I've added all eight people to the team.", [invite(added=5)]),
    ("less than was requested", "I've reserved 40 pieces.", [STOCK]),
    (
        "less was written than was requested",
        "Done, the oven runs at 195 °C now.",
        [("plc_write", {"param": "setpoint", "value": 195}, {"param": "setpoint", "requested": 195, "written": 185})],
    ),
    (
        "an owner has yet to agree",
        "Cancelled rj-7, its nodes are back.",
        [("cancel_job", {"job": "rj-7"}, {"job": JOB})],
    ),
    ("nothing changed, for a reason", "You're now on EV-NIGHT.", [("change_tariff", {"tariff": "EV-NIGHT"}, SHUT)]),
    ("an error that is fatal", "The motion has been filed.", [("submit", {"doc": "D-77"}, FILED)]),
    (
        "skipped, and why",
        "Done, the recall is at 4 months now.",
        [("set_recall", {"months": 4}, {"matched": 1, "updated": 0, "skipped_reason": "the plan is locked"})],
    ),
]


@pytest.mark.parametrize(("answer", "ran"), [row[1:] for row in FIRES], ids=[row[0] for row in FIRES])
def test_a_wish_that_was_not_met(answer: str, ran: list[Ran]) -> None:
    assert any(one.startswith("verdicts contradicted") for one in flagged(answer, ran))


SILENT: list[tuple[str, str, list[Ran]]] = [
    ("told not to be on yet", "I've started it; two-step sign-in is not active before you scan the code.", [MFA]),
    ("off, as it was to be", "It is now off.", [("mfa.disable", {"user": "u-4"}, {"mfa": {"enabled": False}})]),
    ("another tool", "Your name is now Ann.", [("update_user", {"name": "Ann"}, {"name": "Ann", "enabled": False})]),
    ("what was granted", "I've credited $12.50 to your account.", [("issue_credit", {"cents": 1500}, CREDIT)]),
    ("all, in cents", "I've credited $15.00.", [("issue_credit", {"cents": 1500}, {**CREDIT, "grantedCents": 1500})]),
    (
        "told to be delivered",
        "The command will reach the door when it is back.",
        [("lock_door", {"door": "b"}, STORED)],
    ),
    ("it was met", SEATED, [seat(preference_met=True)]),
    ("told", "You now sit in 19E. No aisle seat was left.", [seat(preference_met=False)]),
    ("told in French", "C'est fait : vous êtes en 19E, mais pas côté couloir.", [seat(preference_met=False)]),
    ("told in Japanese", "19Eを確保しました。通路側は取れませんでした。", [seat(preference_met=False)]),
    ("another thing that is not met", SEATED, [seat(minimum_met=False, upgraded=False)]),
    ("submitted", "PO-7 is now with Mara for approval ✅", [order(submitted=True)]),
    (
        "nobody was to be told",
        "I've created PO-7.",
        [("create_order", {"notify": True}, {"no": "PO-7", "notified": False})],
    ),
    (
        "the one before is no longer so",
        "I've made card c-2 the default.",
        [
            (
                "set_card",
                {"id": "c-2", "default": True},
                {"card": {"id": "c-2", "default": True}, "previous": {"default": False}},
            )
        ],
    ),
    ("rows", "The accounts are now archived.", [run("BEGIN\nUPDATE 12\nCOMMIT")]),
    ("no row, and told", "No account was that old: 0 rows have been changed.", [run("UPDATE 0")]),
    ("another statement did it", "The table is now there.", [run("CREATE TABLE\nUPDATE 0")]),
    (
        "as it is to be",
        "Applied: all is up to date now.",
        [("apply_plan", {"dir": "a"}, "No changes. Your plan is as it was.")],
    ),
    ("some rows", LOADED, [load(rows_inserted=1900, quarantined=32)]),
    ("none was shut out", LOADED, [load(rows_inserted=0, quarantined=0)]),
    ("it was there already", LOADED, [load(rows_inserted=0, skipped=1932, reason="already loaded")]),
    (
        "it has only begun",
        "I've started the import of 500 rows; it is running now.",
        [("import_rows", {"file": "a.csv"}, {"status": "running", "total": 500, "imported": 0, "excluded": 2})],
    ),
    (
        "the next day",
        "Scheduled! It is all set.",
        [("schedule_mail", {"list": "L"}, {"deliverable": 70, "excluded": 0, "status": "scheduled"})],
    ),
    ("in effect", "The flag is now enabled.", [("update_flag", {"enabled": True}, {"effective": {"serving": "on"}})]),
    ("from when it counts", "It is now enabled.", [("update_flag", {"enabled": True}, {"effective": "2025-05-01"})]),
    ("switched off", "The flag is now off.", [("update_flag", {"enabled": False}, {"effective": {"serving": "off"}})]),
    ("when the checks have passed, and told", "I've set it to merge once the checks have passed.", [MERGE]),
    ("as many as were given", "I've added all eight people to the team.", [invite(added=8)]),
    ("in two ways", "I've added all eight people to the team.", [invite(added=5, updated=3)]),
    ("the number is told", "I've added 5 of the eight people to the team.", [invite(added=5)]),
    ("the others were in it", "All eight people are now in the team.", [invite(added=5, already_members=3)]),
    (
        "one record of three fields",
        "I've updated the three values.",
        [("update_person", {"values": ["a", "b", "c"]}, {"updated": 1})],
    ),
    ("what was confirmed is told", "I've reserved 25 of the 40 pieces.", [STOCK]),
    ("once more, and done", SEATED, [seat(preference_met=False), seat(preference_met=True)]),
    ("seen later", SEATED, [seat(preference_met=False), ("get_trip", {"trip": "T-8"}, {"trip": "T-8", "seat": "4C"})]),
    ("a question", "Shall I look for another seat?", [seat(preference_met=False)]),
    (
        "the owner has agreed",
        "Cancelled rj-7.",
        [("cancel_job", {"job": "rj-7"}, {"job": {"id": "rj-7", "needs_owner_approval": True, "approved": True}})],
    ),
    (
        "a property",
        "The form is now there.",
        [("create_form", {"name": "F"}, {"name": "F", "requires_approval": True})],
    ),
    (
        "it was so already",
        "You're now on EV-NIGHT.",
        [("change_tariff", {"tariff": "EV"}, {"outcome": "NO_CHANGE", "detail": "it was on EV already"})],
    ),
    (
        "some were skipped",
        "The folder is now in sync.",
        [
            (
                "sync_folder",
                {"path": "a"},
                {"files": [{"result": "updated"}, {"result": "skipped", "reason": "too new to sync"}]},
            )
        ],
    ),
    ("an alarm", "The incident is now open.", [("open_incident", {"id": 7}, {"incident": {"severity": "critical"}})]),
    (
        "errors of other things",
        "The import is finished.",
        [
            (
                "import_rows",
                {"file": "a.csv"},
                {"imported": 98, "rejected_rows": [{"row": 7, "errors": ["no day given"]}]},
            )
        ],
    ),
    (
        "what was written is told",
        "Set, but only to 185 °C.",
        [("plc_write", {"value": 195}, {"requested": 195, "written": 185})],
    ),
    ("hostile", SEATED, [("assign_seat", {}, {"a": [{"b": {"preference_met": False}}] * 900})]),
]


@pytest.mark.parametrize(("answer", "ran"), [row[1:] for row in SILENT], ids=[row[0] for row in SILENT])
def test_what_was_met_or_is_told_is_left_alone(answer: str, ran: list[Ran]) -> None:
    assert [one for one in flagged(answer, ran) if one.startswith("verdicts")] == []


def course(**result: Any) -> Ran:
    return ("update_course", {"course": 7715, "visible": 1}, {"course": 7715, "name": "Soil", **result})


def bill(**result: Any) -> Ran:
    return ("invoice_from_time", {"project": "Larkspur", "send": True}, {"invoice": "2025-144", **result})


def pump(**feedback: Any) -> Ran:
    return ("scada.cmd", {"tag": "WELL07", "cmd": "START"}, {"status": "EXECUTED", "feedback": feedback})


def quota(**result: Any) -> Ran:
    return ("set_quota", {"bucket": "media", "limit": "2TB"}, {"bucket": "media", **result})


SHOWN, STARTED, BILLED = (
    "The course Soil is published ✅",
    "The pump has been restarted.",
    "Invoice 2025-144 has been sent.",
)
NOT_SO: list[tuple[str, str, Ran, bool]] = [
    ("visible", SHOWN, course(visible=1), False),
    ("not visible, and told", "The course is not visible yet.", course(visible=0), False),
    ("a count that is nought", SHOWN, course(enrolled=0), False),
    ("a count that was asked for as one", "One seat has been taken.", ("take_seat", {"seats": 1}, {"seats": 0}), False),
    ("not visible", SHOWN, course(visible=0), True),
    ("sent", BILLED, bill(sent=True), False),
    ("not sent, and told", "Invoice 2025-144 is made, but was not sent.", bill(sent=False), False),
    ("not sent, by a tool without a verb", BILLED, bill(sent=False), True),
    ("runs", STARTED, pump(RUN=True, RPM=900), False),
    ("does not run, and told", "The command went out, but the pump does not run.", pump(RUN=False), False),
    (
        "another command",
        "The pump has been stopped.",
        ("scada.cmd", {"tag": "W", "cmd": "STOP"}, {"RUN": False}),
        False,
    ),
    ("does not run", STARTED, pump(RUN=False, RPM=0), True),
    ("as requested", "The bucket now has a quota of 2 TB.", quota(requested="2TB", effective="2TB"), False),
    (
        "what is in effect is told",
        "You asked for 2 TB; it has 1 TB now.",
        quota(requested="2TB", effective="1TB"),
        False,
    ),
    ("another one in effect", "The bucket now has a quota of 2 TB.", quota(requested="2TB", effective="1TB"), True),
]


@pytest.mark.parametrize(("answer", "ran", "fires"), [one[1:] for one in NOT_SO], ids=[one[0] for one in NOT_SO])
def test_what_is_off_or_less_in_effect(answer: str, ran: Ran, fires: bool) -> None:
    assert [one.split()[0] for one in flagged(answer, [ran])] == ["verdicts"] * fires
