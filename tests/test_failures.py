"""Whether results say that nothing came of a change: shapes of many interfaces, and successes that look like failures.

A line of `tests/results/*.jsonl` is one call: `tool`, `args` and `result`; `failed` says whether it did what it was asked to, and
`told` whether the default policy knows. Three files were written by people who knew no rule: `protocols` in the shapes of
products, protocols and programs, `services` half of it in those of services in a house, `everyday` as both come in everyday use.
`reviewed` was written by a reviewer of the rules who set out to have successes taken for failures.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from proxy import ledger
from proxy.failures import tells_failure
from proxy.ledger import UNDONE
from proxy.results import Result
from tests.general import policy
from tests.transcripts import ROOT, messages, spoken, transcript

CALLS = [
    json.loads(line)
    for file in sorted((ROOT / "tests/results").glob("*.jsonl"))
    for line in file.read_text().splitlines()
]


@pytest.mark.parametrize("call", CALLS, ids=[one["id"] for one in CALLS])
def test_failures_are_known_as_far_as_they_are_said_to_be(call: dict[str, Any]) -> None:
    tools = [{"type": "function", "function": {"name": call["tool"], "parameters": {}}}]
    raw = messages([(call["tool"], call["args"], call["result"])], user="Please do it.")
    turn = ledger.read_turn(transcript(raw, tools=tools), policy().marks)
    assert (turn.calls[0].outcome in UNDONE) == call["told"]


def test_hardly_a_success_is_taken_for_a_failure_and_most_failures_are_known() -> None:
    failed, landed = ([one for one in CALLS if one["failed"] is wanted] for wanted in (True, False))
    assert sum(one["told"] for one in landed) / len(landed) < 0.02
    assert sum(one["told"] for one in failed) / len(failed) > 0.7


def fails(tool: str, result: Any, arguments: str = "{}", verb: str = "") -> bool:
    return tells_failure(Result(spoken(result)), tool, arguments, verb or tool.partition("_")[0])


SAYS_SO: list[tuple[str, Any]] = [
    ("book_room", {"errors": [{"code": "RB-21", "text": "not available"}], "rolledBack": True}),
    ("update_variant", {"data": {"variantUpdate": {"variant": None, "userErrors": [{"message": "too low"}]}}}),
    ("send_message", {"code": 50013, "message": "Missing Permissions"}),
    ("move_date", 'status=DENIED reason="the room is taken" booking=HP-3'),
    ("charge_card", {"approved": False, "transaction_id": "T-55", "message": "AVS mismatch"}),
    ("create_shipment", {"shipment_id": None, "reason": "this postal code is not served"}),
    ("create_transfer", {"st": "E", "order": "0", "msgs": [{"typ": "E", "txt": "exceeds what is available"}]}),
    ("move_interview", {"interview": "IV-1", "moved": False, "busy": ["h.ito"]}),
    ("remove_member", {"team": "ops", "removed": [], "guard": "last_owner"}),
    ("set_tier", {"tier_before": 1, "tier_after": 1, "guard": "form is empty"}),
    ("tag_assets", {"Successful": [], "Failed": [{"Id": "a-1", "Code": "ReadOnly"}]}),
    ("start_run", {"offsets": [{"offset": None, "error": "broker not available"}]}),
    ("push_image", "Preparing\ndenied: requested access to the resource is denied"),
    ("merge_branch", "Auto-merging a.ts\nCONFLICT in a.ts\nAutomatic merge failed; fix conflicts and then commit."),
    ("change_order", "Sorry, this order can no longer be changed."),
    ("set_grade", "The grade book was closed on 31 January. Your entry was not saved."),
    ("delete_object", "<Error><Code>AccessDenied</Code><Message>no</Message></Error>"),
    ("set_flag", "false"),
    ("send_email", {"accepted": [], "rejected": ["b@old.test"], "response": "550 unknown"}),
    ("enroll_student", {"enrollment": {"student": "S1", "status": "NOT_ENROLLED", "reason": "a course is missing"}}),
    ("versenden", {"rechnung": "RE-7", "versendet": False, "grund": "Empfänger ist nicht registriert"}),
    ("heizung_stellen", {"raum": "Büro", "uebernommen": False, "grund": "gesperrt"}),
    ("ChangePlan", {"resultCode": "E2041", "resultDesc": "not permitted before 2026", "transactionId": "TX-7"}),
    ("pix_enviar", {"id": "E12", "situacao": "NAO_REALIZADO", "motivo": "limite"}),
    ("send_label", {"rma": "R-6", "delivery": {"state": "bounced", "smtp": "550 5.1.1"}, "label": {"sends": 1}}),
    (
        "redirect_parcel",
        {"accepted": True, "instruction": {"type": "REDIRECT", "state": "NOT_APPLIED"}, "eta": "2026-02-06"},
    ),
    ("recall_email", "Recall report\nRecipients: 3\nSucceeded: 0\nFailed: 3"),
    ("update_prices", "No products found. 0 updated."),
    ("restore_backup", "connecting\nrestore aborted, crm_stage left untouched"),
    ("change_room", {"room": {"code": "DBL"}, "upgradeRequest": {"requestedType": "STE", "decision": "NOT_GRANTED"}}),
    ("예약변경", {"결과코드": "E071", "결과메시지": "재고 없음"}),
    ("ナンバー変更", {"受付結果": "NG", "エラーコード": "E2031"}),
]


@pytest.mark.parametrize(("tool", "result"), SAYS_SO, ids=[str(one) for _, one in SAYS_SO])
def test_what_says_so(tool: str, result: Any) -> None:
    assert fails(tool, result, '{"tier": 2, "symbol": "ZZT"}')


@pytest.mark.parametrize("name", ["_", "$", "#", "", "…"])
def test_a_field_whose_name_has_no_letter_is_borne(name: str) -> None:
    assert not fails("update_order", {name: 1, "id": 3})


def test_logs_within_logs_are_read_to_an_end() -> None:
    nested = '{"typ":"I","log":[' * 450 + '{"typ":"E","txt":"refused"}' + "]}" * 450
    assert Result(nested).value is not None
    assert not fails("update_order", nested)


SAYS_NO_SUCH_THING: list[tuple[str, Any, str]] = [
    ("import_rows", "12 created, 0 updated, 0 deleted.", "{}"),
    ("import_rows", "Done: 3 written, none aborted.", "{}"),
    ("send_email", {"accepted": ["a@b.test"], "rejected": ["b@old.test"]}, "{}"),
    ("send_email", {"accepted": ["a@b.test"], "rejected": []}, "{}"),
    ("send_note", {"note": "N-1", "delivery": {"id": "D-3", "status": "failed"}}, "{}"),  # the parcel's
    ("add_note", {"note": "N-1", "instruction": {"type": "DIRECT_DEBIT", "status": "rejected"}}, "{}"),
    ("create_ticket", {"ticket": "T-5", "job": {"id": "J8", "status": "failed"}}, '{"job_id": "j8"}'),
    ("update_member", {"id": "m1", "email": "a@b.test", "status": "bounced"}, '{"email": "a@b.test"}'),
    ("reschedule_order", {"order": "O-1", "delivery": {"state": "not_accepted"}}, "{}"),  # no sending
    ("set_bounce_rule", {"rule": "R-1", "state": "bounced"}, '{"state": "bounced"}'),
    (
        "update_many",
        {
            "hasErrors": True,
            "results": [{"id": "1", "success": True}, {"id": "2", "success": False, "error": "locked"}],
        },
        "{}",
    ),
    ("reject_bids", {"rejected": ["B-1"], "accepted": []}, "{}"),
    ("set_billable", {"entry": "E-1", "status": "non_billable"}, '{"value": "no"}'),
    ("update_user", {"user": "u1", "notified": False, "note": "the user has opted out"}, "{}"),
    (
        "update_subscription",
        {"sub": "S-9", "status": "on_hold", "message": "Payment method not required."},
        '{"sub": "S-9"}',
    ),
    ("antrag_ablehnen", {"antrag": 4471, "angenommen": False, "grund": "Inventur"}, '{"grund": "Inventur"}'),
    ("예약변경", {"결과코드": "0000", "결과메시지": "정상"}, "{}"),
    ("start_dishwasher", "Dishwasher started: Eco, 3h 25min. The door cannot be opened while it runs.", "{}"),
    ("cancel_intent", {"id": "pi_3", "status": "canceled", "last_payment_error": {"code": "declined"}}, "{}"),
    ("create_order", {"id": "O-1", "errors": [], "error": None, "error_code": 0, "failed": 0}, "{}"),
    ("import_rows", {"imported": 98, "errors": ["row 4: bad email"]}, "{}"),
    ("print_labels", {"printed": ["S1"], "errors": [{"id": "S2", "e": "no house number"}]}, "{}"),
    ("send_appeal", {"claim": {"id": "CL-8", "status": "denied"}, "appeal": "AP-1"}, "{}"),
    ("reject_claim", {"claim": "CL-8", "outcome": "rejected"}, "{}"),
    ("review_invoice", {"id": "AC-7", "approved": False, "status": "REJECTED"}, '{"approved": false}'),
    ("set_status", {"id": "T-1", "status": "failed", "updated": True}, '{"status": "failed"}'),
    ("create_task", {"id": "T-1", "Status": "Not Started", "completed": False}, "{}"),
    ("publish_post", {"id": "p1", "published": False, "scheduled_at": "2026-03-05T09:00"}, "{}"),
    ("lock_control", {"door": "d1", "locked": False}, '{"action": "open"}'),
    ("move_cards", {"changed": 0, "message": "already there"}, "{}"),
    ("update_ticket", {"ticket_id": "TT-3", "survey": {"error": "customer opted out"}}, "{}"),
    ("create_incident", {"incident": "INC-1", "level": "ERROR", "state": "open"}, '{"level": "error"}'),
    ("book_order", "Termin T-6 gebucht. Umbuchung nicht möglich.", "{}"),
    ("save_note", "Saved: 'the lock was not changed' (note 7)", "{}"),
    ("create_ticket", "Ticket 'Login failed, cannot sign in' created.", '{"title": "Login failed, cannot sign in"}'),
    ("deploy_site", "Upload attempt 1 failed, retrying\nUpload attempt 2 ok\nDeployed: build 812", "{}"),
    ("revoke_access", "Access denied for sara from now on.", "{}"),
    ("book_seat", {"seat": "15C", "requested": "15C", "seatStatus": "OCCUPIED"}, "{}"),
    ("assign_route", {"route": "R-2", "status": "ASSIGNED", "acknowledged": False}, "{}"),
]


@pytest.mark.parametrize(
    ("tool", "result", "arguments"), SAYS_NO_SUCH_THING, ids=[str(one) for _, one, _ in SAYS_NO_SUCH_THING]
)
def test_what_says_no_such_thing(tool: str, result: Any, arguments: str) -> None:
    assert not fails(tool, result, arguments)


FIRST_TELLS_THE_DEED: list[tuple[str, str, bool]] = [
    ("parking.extend_session", "Session extended to 15:40. You can't extend again in this zone.", False),
    ("urlaub_ablehnen", "Urlaubsantrag U-221 abgelehnt. Begründung gespeichert: Team unterbesetzt", False),
    ("termin_buchen", "Termin 14:00 gebucht. Eine Umbuchung ist leider nicht möglich.", False),
    ("parking.extend_session", "Session could not be extended. You can't extend again in this zone.", True),
    ("termin_buchen", "Termin nicht gebucht: leider schon vergeben", True),
    ("urlaub_genehmigen", "Urlaubsantrag U-221 abgelehnt: Team unterbesetzt", True),
    ("capture_payment", "<Response><Approved>0</Approved><Captured>0.00</Captured></Response>", True),
    ("push_branch", "Pushed 3 objects\nerror: failed to push some refs", True),
]


@pytest.mark.parametrize(
    ("tool", "result", "failed"), FIRST_TELLS_THE_DEED, ids=[one for _, one, _ in FIRST_TELLS_THE_DEED]
)
def test_a_line_that_tells_the_deed_first_is_no_failure(tool: str, result: str, failed: bool) -> None:
    tools = [{"type": "function", "function": {"name": tool, "parameters": {}}}]
    turn = ledger.read_turn(transcript(messages([(tool, {}, result)]), tools=tools), policy().marks)
    assert (turn.calls[0].outcome in UNDONE) == failed
