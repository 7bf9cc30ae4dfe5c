"""Money that an answer says was charged or paid back, held to the payments that the results of the changes show."""

from __future__ import annotations

import json
from typing import Any

import pytest

from proxy.payments import payments
from tests.general import findings, flagged, policy
from tests.transcripts import Ran, messages


def trip(*entries: dict[str, Any]) -> Ran:
    """A look at a trip with the payments that were made for it."""
    return ("get_trip", {"trip_id": "t1"}, {"trip_id": "t1", "payments": list(entries)})


def changed(*entries: dict[str, Any], **given: Any) -> Ran:
    """A change of the trip, and the payments that its result shows."""
    return ("update_trip", {"trip_id": "t1", **given}, {"trip_id": "t1", "payments": list(entries)})


def order(tool: str, result: dict[str, Any], **given: Any) -> Ran:
    return (tool, {"order_id": "o1", **given}, {"order_id": "o1", **result})


OLD = {"method_id": "credit_card_77", "amount": 490}
MORE = {"method_id": "credit_card_77", "amount": 162}
BACK = {"method_id": "credit_card_77", "amount": -48.5}
GREW = [trip(OLD), changed(OLD, MORE)]
SHRANK = [trip(OLD), changed(OLD, BACK)]
PAID_BACK = [
    order("update_order", {"old": 236.0, "new": 188.0, "adjustment": {"type": "refund", "amount": 48.0}}),
]
PROFILE: Ran = (
    "get_profile",
    {},
    {"methods": {"pm_1": {"id": "pm_1", "type": "gift card"}, "pm_2": {"id": "pm_2", "type": "paypal"}}},
)

RECEIPT = {"no": "T-881", "amount": 164}


def receipts(*entries: dict[str, Any]) -> list[Ran]:
    """A pass with its receipts, looked at and changed."""
    before: Ran = ("get_pass", {"pass": "BP-20"}, {"pass": "BP-20", "receipts": [RECEIPT]})
    return [before, ("change_route", {"pass": "BP-20"}, {"pass": "BP-20", "receipts": [RECEIPT, *entries]})]


def ended(space: str, back: float) -> Ran:
    events = [{"type": "charge", "amount": back}, {"type": "refund", "amount": back}]
    return ("terminate_workspace", {"workspace": space}, {"workspace": space, "events": events})


FIRES: list[tuple[str, str, list[Ran], str]] = [
    ("a list that does not say which way", "It's updated: an additional $36 has been charged.", receipts({"no": "T-9", "amount": 72}), "$36"),
    ("the refund of another thing is told beside it", "Both are ended:\n1. ws_north: $410.50 has been refunded.\n2. ws_fair: $192.00 has been refunded.", [ended("ws_north", 398.1), ended("ws_fair", 192.0)], "$410.50"),
    ("no charge", "It's updated, and there is no additional cost for you.", GREW, "no charge"),
    ("still to be paid back", "Once we have it, $20 will be credited to your gift card.", [order("return_item", {"ok": True}, payment_method_id="credit_card_55")], "gift card"),
    ("another kind than it was asked for", "Your refund of $163.44 will be issued to your bank account.", [order("request_refund", {"amount": 163.44, "method": "CHECK", "memo": "ACH is off"}, method="ACH")], "bank account"),
    ("refunded, where it was charged", "I've added two bags, and €70 has been refunded.", [order("add_bags", {"charged": {"amount": 70}})], "€70"),
    ("charged, where it was refunded", "You've been charged an additional £20.50.", [order("change_flight", {"refund": 20.5})], "£20.50"),
    ("a refund by its type", "It's updated, and an additional charge of $48.00 has been made.", PAID_BACK, "$48.00"),
    ("a refund by its sign", "It's updated. $48.50 will be charged to your card.", SHRANK, "$48.50"),
    ("a negative difference", "Done: the difference of $31.20 will be charged.", [order("exchange_item", {"price_difference": -31.2})], "$31.20"),
    ("by the name of its id", "It's settled. $12.25 has been charged to you.", [order("settle", {"refund_id": "r1", "amount": 12.25})], "$12.25"),
    ("another charge than the new one", "Your trip has been updated. The charge was $64.", GREW, "$64"),
    ("a fare for one of three", "Updated: the difference of $54 has been charged to your card.", GREW, "$54"),
    ("another refund", "It's updated. A refund of $84.50 will be issued.", SHRANK, "$84.50"),
    (
        "a payment that is called by its currency",
        "It's changed. Refund: €77.00 to your card.",
        [trip(OLD), changed(OLD, {"method_id": "c", "eur": -71.0})],
        "€77.00",
    ),
    ("all of it, where a part comes back", "It's cancelled. The full $490 will be refunded.", [trip(OLD), changed(OLD, {"method_id": "c", "amount": -245.5})], "$490"),
    ("the sum of two", "Both are reversed: a total of $70.00 has been credited.", [order("reverse_fee", {"reversed_cents": 3500}), order("reverse_fee", {"reversed_cents": 2500})], "$70.00"),
    ("the total of the result", "I've sent it.\n\n- Total debited: €1,250.00", [order("send_money", {"amount": 1250.0, "fee": {"amount": 4.5}, "total_debited": 1254.5})], "€1,250.00"),
    ("beside a mail", "It's updated and you'll get a mail. The charge was $64.", [*GREW, ("send_email", {"to": "a"}, {"ok": True})], "$64"),
    ("a kind of the argument", "The return is filed, and $20 will be refunded to your gift card.", [order("return_item", {"ok": True}, payment_method_id="credit_card_55")], "gift card"),
    ("a kind of the result", "I've refunded $8.00 to your PayPal account.", [order("issue_refund", {"amount": 8.0, "method": "visa"})], "PayPal"),
    ("a kind that a look resolves", "I've refunded $8.00 to your Visa card.", [PROFILE, order("issue_refund", {"amount": 8.0}, method="pm_2")], "Visa"),
    ("a kind of what was charged", "Your order is changed, and $5 was charged to your gift card.", [order("update_order", {"charged": 5.0}, payment_id="paypal_4")], "gift card"),
]  # fmt: skip


@pytest.mark.parametrize(("answer", "ran", "subject"), [row[1:] for row in FIRES], ids=[row[0] for row in FIRES])
def test_money_that_moved_otherwise(answer: str, ran: list[Ran], subject: str) -> None:
    assert f"payments contradicted {subject}" in flagged(answer, ran)


HONEST: list[tuple[str, str, list[Ran]]] = [
    ("the new receipt", "It's updated: an additional $72 has been charged.", receipts({"no": "T-9", "amount": 72})),
    ("no new receipt", "It's updated: an additional $36 has been charged.", receipts()),
    ("half of it each", "It's updated: $36 each has been charged for both.", receipts({"no": "T-9", "amount": 72})),
    ("each refund by its line", "Both are ended:\n1. ws_north: $398.10 has been refunded.\n2. ws_fair: $192.00 has been refunded.", [ended("ws_north", 398.1), ended("ws_fair", 192.0)]),
    ("one line for both", "ws_north and ws_fair are ended; $590.10 has been refunded.", [ended("ws_north", 398.1), ended("ws_fair", 192.0)]),
    ("a refund that no line names", "Both are ended, and $590.10 has been refunded for ws_north and the other.", [ended("ws_north", 398.1), ended("ws_fair", 192.0)]),
    (
        "as a check, and told so",
        "Your refund of $163.44 will be mailed as a check.",
        [order("request_refund", {"amount": 163.44, "method": "CHECK", "memo": "ACH is off"}, method="ACH")],
    ),
    (
        "a charge that was reversed",
        "The $18.00 minibar charge has been reversed.",
        [("refund_folio_line", {"folio": "F-614", "line": 8}, {"reversal_line": 12, "amount": "-18.00"})],
    ),
    ("the new charge", "It's updated. The charge was $162.", GREW),
    ("rounded", "It's updated. A refund of $48 will be issued.", SHRANK),
    ("what was paid before", "It's updated. The first charge was $490, the new one $162.", GREW),
    ("the sum of all", "It's updated. You have been charged $652.", GREW),
    ("a refund that is one", "It's updated, and $48.00 will be refunded.", PAID_BACK),
    ("a refund of what was charged", "It's updated. The $48.00 that were charged come back.", PAID_BACK),
    ("for one, and for all", "It's updated. $54 per person was charged, $162 for all three.", GREW),
    ("per person", "It's updated. $54 per person has been charged.", GREW),
    ("including", "It's updated. You have been charged $12.50, including tax.", GREW),
    ("a fee", "It's updated. A fee of $15 was charged.", GREW),
    ("about", "It's updated. About $160 was charged.", GREW),
    ("no charge for something else", "It's updated. There is no charge for shipping.", GREW),
    ("not free of what it names", "It's updated. Free cancellation at no cost until Friday.", GREW),
    ("not charged", "It's updated. You haven't been charged the $64.", GREW),
    ("no charge", "It's updated. There is no extra charge of $64.", GREW),
    ("not said to be so", "It's updated, and the $64 was not charged.", GREW),
    ("if", "It's updated. If you add a bag, $64 will be charged.", GREW),
    ("a question", "It's updated. Was the $64 charged?", GREW),
    ("still to come", "It's updated. $64 will be charged at the desk.", GREW),
    ("an offer", "It's updated. Let me know which one:\n- Refund of $71.59\n- Charge of $384.76", SHRANK),
    ("prices of several things", "It's updated.\n- Window: charge of $64\n- Aisle: charge of $32", GREW),
    ("another part of the result", "It's updated. $12 was charged.", [order("update_order", {"bag": 12, "charged": 40})]),
    ("nothing new", "It's updated. $64 was charged.", [trip(OLD), changed(OLD)]),
    ("a list that nobody read before", "It's updated. $64 was charged.", [changed(OLD)]),
    ("a result without payments", "I've refunded $64.", [order("issue_refund", {"ok": True}, amount=64)]),
    ("a change that shows nothing beside it", "It's updated. $64 was charged.", [*GREW, order("add_bag", {"ok": True})]),
    ("an unknown end", "It's updated. $64 was charged.", [*GREW, ("add_bag", {"trip_id": "t1"}, None)]),
    ("two that add up", "Both are reversed: $60 has been credited.", [order("reverse_fee", {"reversed_cents": 3500}), order("reverse_fee", {"reversed_cents": 2500})]),
    ("the same twice", "Both are reversed: $70 has been credited.", [order("reverse_fee", {"reversed_cents": 3500}), order("reverse_fee", {"reversed_cents": 3500})]),
    ("cents that do not say so", "I've refunded $25.99.", [order("refund_charge", {"amount": 2599, "currency": "usd"})]),
    ("another currency", "I've refunded €64.", [order("issue_refund", {"amount": 70.1, "currency": "USD"})]),
    ("two currencies", "I've refunded $64.", [order("issue_refund", {"amount": 70.1, "currency": "USD", "note": "in EUR"})]),
    ("what is undone", "I've cancelled it; the €70 will be refunded.", [order("cancel_trip", {"charged": 70})]),
    ("a positive difference", "Done: the difference of $31.20 is refunded.", [order("exchange_item", {"price_difference": 31.2})]),
    ("money out of an account", "Done: $31.20 was debited.", [order("pay_out", {"transactions": [{"amount": -31.2}]})]),
    ("credits of a course", "You're in, and 4 credits were credited.", [order("enroll", {"credits": 3})]),
    ("days, not money", "I've refunded $64; it takes 5 days.", [order("issue_refund", {"refund_days": 5})]),
    ("no change", "$64 was charged.", [trip(OLD, MORE)]),
    ("the kind of the call", "I've refunded $8.00 to your PayPal account.", [order("issue_refund", {"amount": 8.0}, method="paypal")]),
    ("a card by its brand", "I've refunded $8.00 to your credit card.", [order("issue_refund", {"amount": 8.0}, method="visa")]),
    ("a bank account behind a card", "I've refunded $8.00 to your bank account.", [order("issue_refund", {"amount": 8.0}, method="debit_card")]),
    ("a voucher is a gift card", "I've refunded $8.00 as a credit to a voucher.", [order("issue_refund", {"amount": 8.0}, method="gift_card_7")]),
    ("both kinds are named", "I've refunded $8.00 to PayPal, not to your gift card.", [order("issue_refund", {"amount": 8.0}, method="paypal")]),
    ("one of two", "I've refunded $8.00 to your gift card.", [order("issue_refund", {"refunds": [{"to": "gift_card_1", "amount": 5}, {"to": "paypal_2", "amount": 3}]})]),
    ("an id that nobody knows", "I've refunded $8.00 to your gift card.", [order("issue_refund", {"amount": 8.0}, method="pm_9")]),
    ("a look resolves it", "I've refunded $8.00 to your gift card.", [PROFILE, order("issue_refund", {"amount": 8.0}, method="pm_1")]),
    ("a plan", "It's filed. Your gift card would be credited if the item is unopened.", [order("return_item", {"ok": True}, method="visa")]),
    ("what is bought", "It's topped up: $25 has been charged for adding funds to your gift card.", [order("top_up", {"charged": 25.0}, payment_id="visa_1")]),
    ("bought with another", "I've ordered it: $25 was charged to your Visa for the gift card.", [order("buy", {"charged": 25.0}, payment_id="visa_1")]),
    ("both sides of a transfer", "I've moved it: $50 has been credited to your savings.", [order("move_money", {"debit": {"amount": 50.0}})]),
    ("paid back by a payment", "I've settled it: Ana has been reimbursed, $80 credited.", [order("send_money", {"payment_id": "p1", "amount": 80.0})]),
    ("a refund that is a payment", "I've settled it, and $80 has been refunded.", [order("send_money", {"payment_id": "p1", "amount": 80.0})]),
    ("a plan's price", "You're on Pro, and $30 is charged.", [order("update_plan", {"price": 30, "proration": {"type": "charge", "amount": 12.5}})]),
    ("a running total", "I've added it: $20 has been charged.", [order("add_item", {"total_charged": 120.0})]),
    ("no payment at all", "I've refunded $8.00 to your gift card.", [order("issue_refund", {"ok": True})]),
]  # fmt: skip


@pytest.mark.parametrize(("answer", "ran"), [row[1:] for row in HONEST], ids=[row[0] for row in HONEST])
def test_money_that_moved_so(answer: str, ran: list[Ran]) -> None:
    assert [one for one in flagged(answer, ran) if one.startswith("payments")] == []


def test_a_history_that_is_not_whole_accuses_nobody() -> None:
    before = [{"role": "tool", "tool_call_id": "lost", "content": json.dumps({"payments": [OLD]})}]
    found = flagged("It's updated. The charge was $64.", GREW, before=before)
    assert [one for one in found if one.startswith("payments")] == []


def test_payments_of_an_earlier_turn_are_known() -> None:
    before = messages([trip(OLD)])
    assert "payments contradicted $64" in flagged(
        "It's updated. The charge was $64.", [changed(OLD, MORE)], before=before
    )


@pytest.mark.parametrize(
    "result",
    [
        {"payments": [{"amount": number + 0.5, "type": "refund"} for number in range(5_000)]},
        {"payments": {"refund": {"refund": {"refund": {"refund": {"refund": {"refund": {"refund": {"amount": 3}}}}}}}}},
        {"refund": "a lot"},
        {"refund": None, "charged": [], "amount": {}},
        {"refund": True},
    ],
)
def test_odd_results_accuse_nobody(result: dict[str, Any]) -> None:
    answer = "I've refunded " + " and refunded ".join(f"${number}.25" for number in range(100)) + "."
    found = findings(answer, [("issue_refund", {"order_id": "o1"}, json.dumps(result))])
    assert [one for one in found if one.rule == "payments"] == []


def test_what_a_result_says_of_money() -> None:
    rule: Any = next(one for one in policy().rules if one.name == "payments").auditor
    value = {
        "refund": {"amount": {"value": "12.50", "currency": "EUR"}},
        "charges": [{"amount": 2000, "description": "Late return"}, {"amount": -300}],
        "balance": 900.0,
    }
    found = [(one.way, one.values, one.listed) for one in payments("pay", value, rule.repaid, rule.taken)]
    assert list(payments("pay", {"refund": 10**400, "charged": "9" * 400}, rule.repaid, rule.taken)) == []
    assert sorted(found) == [
        ("charge", (2000.0, 20.0), True),
        ("refund", (12.5,), False),
        ("refund", (300.0, 3.0), True),
    ]
