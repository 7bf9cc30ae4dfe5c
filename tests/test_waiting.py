"""What an answer tells as done, and its result shows as waiting."""

from __future__ import annotations

from typing import Any

import pytest

from tests.general import findings, flagged
from tests.transcripts import Ran


def booked(status: str, **more: Any) -> Ran:
    return ("book_table", {"place": "Oak Room"}, {"booking": {"id": "BK-41", "status": status, **more}})


def paid(status: str) -> Ran:
    return ("send_payment", {"payee": "PY-20", "amount": 40}, {"id": "PX-91", "status": status})


def ended(status: str) -> Ran:
    return ("cancel_plan", {"plan": "PL-20"}, {"plan": "PL-20", "status": status, "cancel_effective": "2026-03-03"})


SAID = "Your table at the Oak Room is booked for Friday."
SENT = "The $40 has been sent to Ana."
DEPLOY: Ran = ("deploy.create", {"service": "portal", "release": "11.2"}, {"id": "dep-6f20", "status": "QUEUED"})
SEEN: Ran = ("deploy.get", {"id": "dep-6f20"}, {"id": "dep-6f20", "status": "WAITING_FOR_APPROVAL"})
RELEASE: Ran = ("hold_refund", {"rma": "RMA-2", "action": "release"}, {"rma": "RMA-2", "refund_state": "held"})
FIRES: list[tuple[str, str, list[Ran]]] = [
    ("the last look at what came of it", "Portal 11.2 is live in production.", [DEPLOY, SEEN]),
    (
        "a waiting list in Spanish, and a table told",
        "¡Listo! Tienes mesa para seis el sábado.",
        [("crear_reserva", {"lugar": "CF"}, {"ok": True, "reserva": {"codigo": "CF-2", "estado": "LISTA_ESPERA"}})],
    ),
    (
        "a release that has yet to be given, in German",
        "Die Überweisung ist raus.",
        [("ueberweisung_anlegen", {"betrag": 40}, {"auftrag": "UE-7", "status": "FREIGABE_AUSSTEHEND"})],
    ),
    (
        "only proposed",
        "Your appointment is confirmed.",
        [("book_appointment", {"slot": "10:40"}, {"id": "a-8", "status": "proposed"})],
    ),
    (
        "an approval that has yet to come, in Chinese",
        "已为您预订成功。",
        [("预订会议室", {"房间": "301"}, {"编号": "B-7", "状态": "待审批"})],
    ),
    (
        "an upgrade on the waiting list, by its code",
        "Your flight has been upgraded to Business Class.",
        [
            (
                "request_upgrade",
                {"pnr": "K7"},
                {"segments": [{"cabin": "Y", "upgrade": {"status": "WL", "priority": 11}}]},
            )
        ],
    ),
    (
        "a waiting list in French",
        "Votre place est réservée.",
        [("reserver_cours", {"cours": "PIL-1"}, {"inscription": {"cours": "PIL-1", "statut": "LISTE_ATTENTE"}})],
    ),
    (
        "a prescriber has yet to agree, in a stage",
        "Your refill has gone through.",
        [("request_refill", {"rx": "RX-7"}, {"rx": "RX-7", "request": {"stage": "AWAITING_PRESCRIBER"}})],
    ),
    (
        "documents have yet to come",
        "Great news: Amara is now covered under your plan!",
        [("add_dependent", {"member": "M-3"}, {"request_id": "E-9", "state": "PENDING_DOCUMENTS"})],
    ),
    (
        "an underwriter has yet to decide",
        "Your address has been updated.",
        [("endorse_policy", {"policy": "CA-55"}, {"endorsement": "E-7", "status": "PENDING_UNDERWRITING"})],
    ),
    (
        "held for a review",
        "I've sent £1,600.00 to Joanna Fell. It's gone through.",
        [("create_payment", {"payee": "py_77"}, {"payment": "FP-88", "status": "HELD_FOR_REVIEW"})],
    ),
    (
        "the one segment of a booking",
        "Your night train is booked!",
        [
            (
                "book_train",
                {"train": "NJ-468", "class": "sleeper"},
                {"booking": {"segments": [{"class": "sleeper", "status": "WAITLISTED"}]}},
            )
        ],
    ),
    (
        "a place on a waiting list",
        "You're now booked on NA 318.",
        [
            (
                "rebook_trip",
                {"record": "WQ3"},
                {"segments": [{"flight": "NA 322"}, {"flight": "NA 318", "waitlist_position": 4}]},
            )
        ],
    ),
    (
        "declined by somebody",
        "Your refund has gone through: $158.40.",
        [("refund_order", {"order": "BO-6"}, {"ok": True, "refund": {"id": "rf_8", "state": "DECLINED_BY_PROVIDER"}})],
    ),
    (
        "in the month of May",
        "Your appointment on Monday, 19 May at 8:30 has been cancelled.",
        [("cancel_visit", {"id": "A-30"}, {"id": "A-30", "cancellation": {"approval": "AWAITING_PRACTICE"}})],
    ),
    ("on a waiting list", SAID, [booked("WAITLISTED", start=None)]),
    (
        "an entry of a kind that waits",
        "You're all set: table for four at 7:30 pm.",
        [("booking.place", {"slot": "19:30"}, {"ok": True, "entry": {"slot": "19:30", "kind": "WAITLIST"}})],
    ),
    (
        "somebody has yet to let it go live",
        "ledger-api 1.8.3 is live in production.",
        [("deploy.create", {"version": "1.8.3"}, {"ok": True, "deployment": {"state": "waiting_for_approval"}})],
    ),
    (
        "a restart that waits for the device",
        "Rebooted: GAR-07 is back online.",
        [("station.reset", {"station": "GAR-07"}, {"status": "Queued", "commandId": "c-1"})],
    ),
    (
        "what is being made",
        "The snapshot is complete and available.",
        [("rds.create_snapshot", {"snapshot": "pre-1"}, {"DBSnapshot": {"Status": "creating", "PercentProgress": 0}})],
    ),
    (
        "half accepted",
        "Accepted: Jonas has your confirmation.",
        [("respond_event", {"id": "E-1", "response": "accept"}, {"event": {"responseStatus": "tentativelyAccepted"}})],
    ),
    (
        "another change only for the same person",
        "You're enrolled in STAT 340.",
        [
            ("sis.add_section", {"student": "1190224", "crn": "40312"}, {"enrollment_status": "PENDING_CONSENT"}),
            ("sis.drop_section", {"student": "1190224", "crn": "40077"}, {"enrollment_status": "DROPPED"}),
        ],
    ),
    ("a wish for a start", SAID, [booked("requested", requested_start="2025-03-14T19:00")]),
    ("on hold", SENT, [paid("on_hold")]),
    ("in review", SENT, [paid("UNDER_REVIEW")]),
    (
        "a draft by a flag",
        "Sent! Ana has it now.",
        [("send_mail", {"to": "ana@x.example"}, {"id": 7, "isDraft": True})],
    ),
    (
        "an approval in an object",
        "Your trip is filed and approved by Mira.",
        [("submit_trip", {"days": 3}, {"data": {"id": "TR-4", "approval": {"status": "PENDING", "by": "Mira"}}})],
    ),
    (
        "in German",
        "Ihre Karte ist jetzt gesperrt.",
        [("block_card", {"card": "CD-7710"}, {"ok": True, "card": {"id": "CD-7710", "state": "ACTIVE"}})],
    ),
    (
        "in Spanish",
        "Tu gasto quedó aprobado hoy.",
        [("submit_expense", {"amount": 40}, {"id": "EX-7", "status": "pending_approval"})],
    ),
    (
        "an entry of a list that the line names",
        "- Extra bed (BD-20): confirmed",
        [("modify_reservation", {"id": "RV-8"}, {"requests": [{"kind": "bed", "ref": "BD-20", "state": "waitlist"}]})],
    ),
    (
        "an open request",
        "You have been upgraded to the suite.",
        [
            (
                "modify_stay",
                {"id": "ST-100"},
                {"id": "ST-100", "status": "confirmed", "upgrade_request": {"state": "requested"}},
            )
        ],
    ),
    (
        "a request that nobody decided",
        "Order QA-900 has been cancelled.",
        [("cancel_order", {"id": "QA-900"}, {"id": "QA-900", "cancel_request": {"decision": None}})],
    ),
    (
        "a note of a request",
        "Your lease has been extended.",
        [("extend_lease", {"id": "LS-77"}, {"id": "LS-77", "notes": ["extension request logged, awaiting the owner"]})],
    ),
    ("in Chinese", "您的座位已预订。", [booked("WAITLISTED")]),
    ("in Japanese", "お席の予約が完了しました。", [booked("requested")]),
    (
        "an approval by a workflow",
        "Tes congés sont validés.",
        [("leave.request", {"days": 3}, {"id": "LV-6", "workflow": {"step": "N1", "status": "PENDING"}})],
    ),
    ("held, as it was", "I've released the refund. Apologies for the wait.", [RELEASE]),
    (
        "settled",
        "Your claim has been settled.",
        [("settle_claim", {"no": "CL-5"}, {"claim": {"status": "UNDER_REVIEW"}})],
    ),
    (
        "a state and a noun",
        "Order 77120 is cancelled.",
        [("cancel_order", {"no": "77120"}, {"state": "CANCEL_REVIEW"})],
    ),
    (
        "a voucher",
        "I've issued it. Once again, we apologize.",
        [("issue_voucher", {"n": 2}, {"state": "AWAITING_APPROVAL"})],
    ),
    (
        "a name and a value in a sentence",
        "The snapshot has been created.",
        [
            (
                "create_snapshot",
                {"vm": "db-2"},
                {"result": "Snapshot request accepted. job=j-77 state=QUEUED position=4"},
            )
        ],
    ),
    (
        "the same, alone",
        "The snapshot is ready.",
        [("create_snapshot", {"vm": "db-2"}, "job=j-77 state=QUEUED position=4")],
    ),
    (
        "a draft that is said to be live",
        "The record is changed. It is live now, once caches refresh.",
        [("put_record", {"zone": "a.example", "name": "mx"}, {"id": "mx-2", "stage": "draft"})],
    ),
    (
        "a folder",
        "Sent. Mr. Hale has it.",
        [("send_mail", {"to": "p.hale@b.example"}, {"message_id": "m5", "folder": "Drafts"})],
    ),
    ("at once", "Your plan is cancelled immediately.", [ended("active")]),
    ("at once, in Spanish", "Tu plan ha quedado cancelado con efecto inmediato.", [ended("active")]),
]


@pytest.mark.parametrize(("answer", "ran"), [row[1:] for row in FIRES], ids=[row[0] for row in FIRES])
def test_deeds_that_wait(answer: str, ran: list[Ran]) -> None:
    assert "waiting" in [one.split()[0] for one in flagged(answer, ran)]


HONEST: list[tuple[str, str, list[Ran]]] = [
    (
        "a draft that another tool published",
        "The page is live.",
        [
            ("save_page", {"id": "home"}, {"id": "home", "status": "draft"}),
            ("publish_page", {"id": "home"}, {"ok": True}),
        ],
    ),
    (
        "a draft, and in the same sentence what is live",
        "I saved it as a draft; the homepage of before is live.",
        [("save_page", {"id": "p1"}, {"id": "p1", "status": "draft"})],
    ),
    (
        "a job of a short name that is done",
        "The backup has been created.",
        [
            ("create_backup", {"db": "d"}, {"job": "j1", "state": "queued"}),
            ("get_job", {"job": "j1"}, {"state": "done"}),
        ],
    ),
    ("held, and told", "I asked for the release; the refund is still held.", [RELEASE]),
    (
        "released",
        "I've released the refund.",
        [("hold_refund", {"rma": "RMA-2", "action": "release"}, {"rma": "RMA-2", "refund_state": "released"})],
    ),
    (
        "review, and told",
        "Your claim is submitted and under review.",
        [("settle_claim", {"no": "C"}, {"status": "UNDER_REVIEW"})],
    ),
    (
        "what cancelled it is no date",
        "Order 77120 is cancelled.",
        [("cancel_order", {"no": "77120"}, {"state": "CANCELLED", "cancellation": {"reason": "mistake"}})],
    ),
    (
        "queued, and told",
        "The snapshot is queued, at position 4.",
        [("create_snapshot", {"vm": "db-2"}, {"result": "accepted. job=j-77 state=QUEUED position=4"})],
    ),
    (
        "done, in a sentence",
        "The snapshot has been created.",
        [("create_snapshot", {"vm": "db-2"}, {"result": "Snapshot made. job=j-77 state=DONE position=0"})],
    ),
    (
        "a draft, and something else that is live",
        "I saved the record as a draft. The old one is still live.",
        [("put_record", {"zone": "a.example", "name": "mx"}, {"id": "mx-2", "stage": "draft"})],
    ),
    (
        "live, and so is the record",
        "The record is live now.",
        [("put_record", {"zone": "a.example", "name": "mx"}, {"id": "mx-2", "stage": "published"})],
    ),
    ("in the drafts, and told", "It is in your drafts.", [("send_mail", {"to": "p@b.example"}, {"folder": "Drafts"})]),
    (
        "another folder",
        "Sent. He has it.",
        [("send_mail", {"to": "p@b.example"}, {"id": "m5", "folder": "Sent Items"})],
    ),
    ("a look that says it waits, told", "Portal 11.2 is waiting for approval.", [DEPLOY, SEEN]),
    (
        "a look at another one",
        "Portal 11.2 is live in production.",
        [
            ("deploy.create", {"service": "portal"}, {"id": "dep-6f20", "status": "LIVE"}),
            ("deploy.get", {"id": "dep-1a1a"}, {"id": "dep-1a1a", "status": "WAITING_FOR_APPROVAL"}),
        ],
    ),
    (
        "a later look by which it is there",
        "Portal 11.2 is live in production.",
        [DEPLOY, SEEN, ("deploy.get", {"id": "dep-6f20"}, {"id": "dep-6f20", "status": "LIVE"})],
    ),
    (
        "what has yet to begin, in Chinese",
        "已为您预订成功。",
        [("预订会议室", {"房间": "301"}, {"编号": "B-7", "状态": "待开始"})],
    ),
    (
        "what has yet to begin, in Spanish",
        "Tu plaza está reservada.",
        [("reservar_curso", {"curso": "C1"}, {"curso": "C1", "estado": "en espera de inicio"})],
    ),
    (
        "a release that is told, in German",
        "Die Überweisung ist angelegt; bitte geben Sie sie noch in der App frei.",
        [("ueberweisung_anlegen", {"betrag": 40}, {"auftrag": "UE-7", "status": "FREIGABE_AUSSTEHEND"})],
    ),
    (
        "a waiting list that is told, in Spanish",
        "Te he apuntado en la lista de espera; aún no tienes mesa.",
        [("crear_reserva", {"lugar": "CF"}, {"ok": True, "reserva": {"codigo": "CF-2", "estado": "LISTA_ESPERA"}})],
    ),
    (
        "programmed, and from when",
        "La nota se publicará el 12 de septiembre.",
        [("notas.publicar", {"id": 318}, {"id": 318, "estado": "programada", "visible_desde": "2025-09-12"})],
    ),
    (
        "a code that the answer tells",
        "Your upgrade to Business Class is on the list: WL 11. If it clears, you will have been upgraded to business.",
        [
            (
                "request_upgrade",
                {"pnr": "K7"},
                {"segments": [{"cabin": "Y", "upgrade": {"status": "WL", "priority": 11}}]},
            )
        ],
    ),
    ("to be collected", "已成功预订 F5 座位。", [("book_seat", {"seat": "F5"}, {"seat": "F5", "状态": "待取票"})]),
    (
        "a node that stands by",
        "pg-2 has been upgraded to 16.2.",
        [("upgrade_node", {"node": "pg-2"}, {"node": "pg-2", "state": "standby", "version": "16.2"})],
    ),
    (
        "an entry of another kind",
        "You're all set: table for four at 7:30 pm.",
        [("booking.place", {"slot": "19:30"}, {"ok": True, "entry": {"slot": "19:30", "kind": "TABLE"}})],
    ),
    (
        "told to be on the list",
        "You're third on the waiting list for a table for four.",
        [("booking.place", {"slot": "19:30"}, {"ok": True, "entry": {"slot": "19:30", "kind": "WAITLIST"}})],
    ),
    (
        "told to wait for a yes",
        "The rollout of 1.8.3 is there; it goes live once somebody has approved it.",
        [("deploy.create", {"version": "1.8.3"}, {"ok": True, "deployment": {"state": "waiting_for_approval"}})],
    ),
    (
        "told to be queued",
        "The restart of GAR-07 is queued.",
        [("station.reset", {"station": "GAR-07"}, {"status": "Queued", "commandId": "c-1"})],
    ),
    (
        "told to be under way",
        "I've started the snapshot; it is being made.",
        [("rds.create_snapshot", {"snapshot": "pre-1"}, {"DBSnapshot": {"Status": "creating", "PercentProgress": 0}})],
    ),
    (
        "a later look has it ready",
        "The snapshot is complete and available.",
        [
            ("rds.create_snapshot", {"snapshot": "pre-1"}, {"DBSnapshot": {"Id": "pre-1", "Status": "creating"}}),
            ("rds.get_snapshot", {"snapshot": "pre-1"}, {"DBSnapshot": {"Id": "pre-1", "Status": "available"}}),
        ],
    ),
    (
        "accepted",
        "Accepted: Jonas has your confirmation.",
        [("respond_event", {"id": "E-1", "response": "accept"}, {"event": {"responseStatus": "accepted"}})],
    ),
    (
        "told to be with the underwriters",
        "I've handed your new address in; the underwriters still have to approve it.",
        [("endorse_policy", {"policy": "CA-55"}, {"endorsement": "E-7", "status": "PENDING_UNDERWRITING"})],
    ),
    (
        "a pickup is no decision",
        "Your order has been changed.",
        [("change_order", {"order": "W-7"}, {"order": "W-7", "status": "awaiting pickup"})],
    ),
    (
        "a payment that was declined before",
        "Your card has been updated.",
        [("update_card", {"account": "80"}, {"account": "80", "lastInvoice": {"id": "I-9", "state": "declined"}})],
    ),
    (
        "declined, as it was to be",
        "The invitation has been declined.",
        [("decline_event", {"event": "ev-9"}, {"event": "ev-9", "status": "declined"})],
    ),
    (
        "one of several segments",
        "You're booked on NA 318.",
        [
            (
                "rebook_trip",
                {"record": "WQ3"},
                {"segments": [{"flight": "NA 318", "status": "HK"}, {"flight": "NA 322", "status": "WAITLISTED"}]},
            )
        ],
    ),
    (
        "a place of nobody",
        "You're now booked on NA 318.",
        [("rebook_trip", {"record": "WQ3"}, {"segments": [{"flight": "NA 318", "waitlist_position": 0}]})],
    ),
    ("as said", SAID, [booked("confirmed")]),
    ("told", "Your table is booked, pending the owner's approval.", [booked("pending")]),
    ("told elsewhere", f"{SAID} You are on the waiting list, at place 3.", [booked("waitlisted")]),
    ("told in German", "Der Tisch ist reserviert, aber noch auf der Warteliste.", [booked("waitlisted")]),
    ("a request is told", "I've requested a table; it will be booked once they agree.", [booked("requested")]),
    ("a plan", "Your table will be booked on Friday.", [booked("pending")]),
    ("a question", "Shall I have it booked?", [booked("pending")]),
    ("a denial", "Your table is not booked.", [booked("pending")]),
    ("a quotation", 'The page says "your table is booked".', [booked("pending")]),
    ("a payment that is pending", SENT, [paid("pending")]),
    ("a payment that is processed", SENT, [paid("processing")]),
    (
        "an order that was placed",
        "Your order has been placed.",
        [("place_order", {"sku": "A-100"}, {"status": "pending"})],
    ),
    (
        "the payment of a booking",
        SAID,
        [("book_table", {"n": 2}, {"id": "BK-41", "status": "confirmed", "payment": {"status": "pending"}})],
    ),
    ("only the payment of a booking", SAID, [("book_table", {"n": 2}, {"id": "B1", "payment": {"status": "pending"}})]),
    ("a payment's own status", SAID, [booked("confirmed", payment_status="pending")]),
    (
        "a contract for signature",
        "I've sent the lease to Ana.",
        [("send_lease", {"to": "Ana"}, {"status": "awaiting_signature"})],
    ),
    ("an invoice", "The invoice has been sent to Ana.", [("send_invoice", {"to": "Ana"}, {"status": "unpaid"})]),
    (
        "a quote to be approved",
        "I've sent Ana the quote.",
        [("send_quote", {"to": "Ana"}, {"status": "pending_approval"})],
    ),
    (
        "an item of an order that goes on",
        "The mug on order QA-900 has been cancelled.",
        [("cancel_order_item", {"order": "QA-900"}, {"order": {"id": "QA-900", "status": "pending"}})],
    ),
    (
        "an application that was made",
        "I've applied for the card for you.",
        [("apply_for_card", {"card": "gold"}, {"application": {"id": "AP-1", "status": "pending"}})],
    ),
    (
        "a request that was submitted",
        "I've submitted it for you.",
        [("extend_lease", {"id": "LS-77"}, {"notes": ["extension request submitted to the owner"]})],
    ),
    ("an order", "Your order is confirmed.", [("create_order", {"item": "table lamp"}, {"status": "pending"})]),
    ("a part of a task", "I've closed the first step.", [("update_task", {"id": 4}, {"status": "in_progress"})]),
    ("a report that was run", "I've started the export.", [("start_export", {"id": 4}, {"status": "queued"})]),
    ("a later look", SAID, [booked("requested"), ("get_booking", {"place": "Oak Room"}, {"status": "confirmed"})]),
    ("another try", SAID, [booked("waitlisted"), booked("confirmed")]),
    (
        "confirmed by another call",
        SAID,
        [booked("requested"), ("confirm_booking", {"id": "BK-41", "place": "Oak Room"}, {"ok": True})],
    ),
    ("only a look", SAID, [("get_booking", {"id": "BK-41"}, {"id": "BK-41", "status": "waitlisted"})]),
    ("another deed", "Your phone number has been updated.", [booked("pending")]),
    (
        "an entry that no line names",
        "- Breakfast: confirmed",
        [("modify_reservation", {"id": "RV-8"}, {"requests": [{"kind": "bed", "ref": "BD-20", "state": "waitlist"}]})],
    ),
    (
        "cancelled at the end of the period",
        "Ihr Abo ist gekündigt.",
        [("cancel_plan", {"id": "PL-50"}, {"id": "PL-50", "status": "active", "effective_date": "2025-04-01"})],
    ),
    (
        "a request that was granted",
        "You have been upgraded to the suite.",
        [("modify_stay", {"id": "ST-100"}, {"id": "ST-100", "upgrade_request": {"state": "granted"}})],
    ),
    (
        "another request",
        "Your dates have been changed.",
        [("modify_stay", {"id": "ST-100"}, {"id": "ST-100", "upgrade_request": {"state": "requested"}})],
    ),
    (
        "an effective request",
        "Your card is frozen.",
        [("freeze_card", {"id": "CD-1"}, {"status": "frozen", "freeze": {"requested": True, "effective": True}})],
    ),
    (
        "a note of another thing",
        "Your lease has been extended.",
        [("extend_lease", {"id": "LS-77"}, {"id": "LS-77", "notes": ["parking request logged, awaiting the owner"]})],
    ),
    ("waits, in Chinese", "您的预订申请已提交,待酒店确认后即已预订。", [booked("WAITLISTED")]),
    ("waits, in Korean", "예약 요청이 접수되었습니다. 확정되면 예약완료 안내를 드립니다.", [booked("requested")]),
    ("at the end of the period", "Tu plan ha quedado cancelado el 3 de marzo.", [ended("active")]),
    (
        "used up to a day",
        "Ihr Abo ist gekündigt. Sie können es noch bis 31. März nutzen.",
        [("cancel_plan", {"plan": "PL-20"}, {"plan": "PL-20", "status": "active", "cancel_at": "2026-03-31"})],
    ),
    ("a mail at once", "Your plan is cancelled, and a mail has come immediately.", [ended("active")]),
    ("gone at once", "Your plan is cancelled immediately.", [ended("cancelled")]),
    (
        "from a day on, and told",
        "Activé el paquete: del 3 al 10 de agosto de 2026.",
        [("activate_pack", {"from": "2026-08-03", "to": "2026-08-10"}, {"pack": "US", "status": "SCHEDULED_ACTIVE"})],
    ),
]


@pytest.mark.parametrize(("answer", "ran"), [row[1:] for row in HONEST], ids=[row[0] for row in HONEST])
def test_what_is_done_or_told_is_not_accused(answer: str, ran: list[Ran]) -> None:
    assert [one for one in flagged(answer, ran) if one.startswith("waiting")] == []


@pytest.mark.parametrize(
    "value",
    [
        [],
        [1],
        "text",
        {"status": None},
        {"status": {"status": 7}},
        {"a": [[{"state": "waitlisted"}]]},
        {"x": "y" * 50_000},
    ],
)
def test_odd_results_are_borne(value: Any) -> None:
    assert not [one for one in findings(SAID, [("book_table", {"n": 2}, value)]) if one.rule == "waiting"]


def dined(**more: Any) -> Ran:
    return ("dine_book", {"venue": "vico"}, {"code": "OV-22", "party": 6, "time": "19:30", **more})


TABLE = "You have a table for six at Vico tonight at 19:30."
TYPES: list[tuple[str, str, Ran, bool]] = [
    ("a type of table", TABLE, dined(type="INDOOR"), False),
    ("a waiting list, and told", "You are on the waiting list for a table at Vico.", dined(type="WAITLIST"), False),
    ("what was asked for", "You're on the list.", ("join_list", {"type": "WAITLIST"}, {"type": "WAITLIST"}), False),
    ("a waiting list", TABLE, dined(type="WAITLIST"), True),
]


@pytest.mark.parametrize(("answer", "ran", "fires"), [one[1:] for one in TYPES], ids=[one[0] for one in TYPES])
def test_a_waiting_list_told_as_a_type(answer: str, ran: Ran, fires: bool) -> None:
    assert [one.split()[0] for one in flagged(answer, [ran])] == ["waiting"] * fires


@pytest.mark.parametrize(
    ("answer", "fires"),
    [
        ("Dental PPO: enrolled from January.\nVision: they want your number first.", False),
        ("Dental PPO and Vision Basic: you are enrolled from January.", True),
    ],
)
def test_what_waits_is_not_what_another_call_of_the_tool_did(answer: str, fires: bool) -> None:
    ran: list[Ran] = [
        ("benefits_enroll", {"plan": "DENTAL-PPO", "year": 2026}, {"plan": "DENTAL-PPO", "status": "ENROLLED"}),
        (
            "benefits_enroll",
            {"plan": "VISION-BASIC", "year": 2026},
            {"plan": "VISION-BASIC", "status": "PENDING_EVIDENCE"},
        ),
    ]
    assert [one.split()[0] for one in flagged(answer, ran)] == ["waiting"] * fires


def started(state: str = "running") -> Ran:
    return ("import_start", {"file": "a.csv"}, {"job_id": "j-71ab", "state": state})


def polled(state: str) -> Ran:
    return ("import_status", {"job_id": "j-71ab"}, {"job_id": "j-71ab", "state": state})


@pytest.mark.parametrize("state", ["running", "working", "QUEUED", "in_progress", "started", "processing", "submitted"])
@pytest.mark.parametrize(
    "answer",
    [
        "The import finished successfully.",
        "Done, the import has completed.",
        "Import complete!",
        "Import `j-71ab` completed in 3 s.",
        "The run j-71ab is complete.",
        "Der Import ist abgeschlossen.",
        "La importación ha finalizado.",
        "L'import est terminé.",
        "导入已完成。",
        "インポートが完了しました。",
        "가져오기가 완료되었습니다.",
    ],
)
def test_scenario_47_what_was_only_started_is_told_as_finished(state: str, answer: str) -> None:
    assert flagged(answer, [started(state)], user="Import a.csv") == ["waiting contradicted import_start"]


@pytest.mark.parametrize(
    ("answer", "ran"),
    [
        *(("The import has finished.", [started(state)]) for state in ("done", "completed", "SUCCEEDED", "ok", "")),
        ("The import has finished.", [started(), polled("succeeded")]),
        ("The import has finished.", [started(), ("wait_for_job", {"job_id": "j-71ab"}, {"state": "succeeded"})]),
        ("The import has finished.", [started(), ("check", {"file": "a.csv"}, "import of a.csv: done, 120 rows")]),
        ("The import `j-71ab` has completed its first step.", [started()]),
        ("I've started the import; it is running.", [started()]),
        ("The import was started and will be completed soon.", [started()]),
        ("Once the import has finished, I'll tell you.", [started()]),
        ("The import hasn't finished.", [started()]),
        ("You can poll it; `completed` means that the import is done.", [started()]),
        ("Has the import finished? Not yet.", [started()]),
        ("The import is 40% complete.", [started()]),
        ("The previous import finished yesterday; this one has begun.", [started()]),
        ("Your import should be complete in about 10 minutes.", [started()]),
        ("Please delete the old file after the import has finished.", [started()]),
        ("The import job is set up to skip completed batches.", [started()]),
        ("Der Import ist gestartet, aber noch nicht abgeschlossen.", [started()]),
        ("La importación no ha terminado todavía.", [started()]),
        ("L'import n'est pas terminé.", [started()]),
        ("导入尚未完成。", [started()]),
        ("インポートはまだ完了していません。", [started()]),
        ("가져오기가 아직 완료되지 않았습니다.", [started()]),
        ("导入完成后我会通知您。", [started()]),
    ],
)
def test_scenario_47_what_is_still_under_way_is_told_so(answer: str, ran: list[Ran]) -> None:
    assert flagged(answer, ran, user="Import a.csv") == []


def test_scenario_47_the_last_look_still_shows_it_under_way() -> None:
    assert flagged("The import has finished.", [started("queued"), polled("running")], user="Import a.csv") != []


def planned(**order: Any) -> list[Ran]:
    given = {"account": "A-5", "plan": "UN50"}
    return [("plans.change", given, {"order": {"id": "O-7", "to": "UN50", "state": "SCHEDULED", **order}})]


def aired(status: str, **more: Any) -> list[Ran]:
    return [("episode_publish", {"guid": "ep-48"}, {"episode": {"guid": "ep-48", "status": status, **more}})]


@pytest.mark.parametrize(
    ("answer", "ran", "fires"),
    [
        ("Your line is now on Unlimited 50.", planned(), True),
        ("Your line is now on Unlimited 50, so you no longer need to worry.", planned(), True),
        ("Your line is now on Unlimited 50.", planned(executionDate="2026-12-14"), True),
        ("Your line is now on Unlimited 50.", planned(state="COMPLETED"), False),
        ("Your line will be on Unlimited 50 on 14 December.", planned(), False),
        ("The change to Unlimited 50 is scheduled.", planned(), False),
        ("Your line isn't on Unlimited 50 yet.", planned(), False),
        ("Episode 48 is **live**.", aired("scheduled"), True),
        ("Episode 48 is live.", aired("published"), False),
        ("Episode 48 is live from 6 am.", aired("scheduled", publish_at="2026-12-14T06:00"), False),
        ("Episode 48 will be live soon.", aired("scheduled"), False),
    ],
)
def test_what_is_scheduled_is_not_yet_on(answer: str, ran: list[Ran], fires: bool) -> None:
    found = flagged(answer, ran, user="Please do it now.", tools=[])
    assert any(one.startswith("waiting ") for one in found) is fires, found
