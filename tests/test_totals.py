"""A part of a bill that an answer gives as all there is to pay."""

from __future__ import annotations

from typing import Any

import pytest

from tests.general import findings
from tests.transcripts import Ran

BILL = {"number": "INV-9", "sub_total": 500.0, "tax": 100.0, "total": 600.0}
FEE = {"base": 68.0, "surcharge": 24.0, "total": 92.0}
CART = {"subtotal": 40.0, "shipping": 5.0, "total": 45.0}


def invoice(**more: Any) -> Ran:
    return ("invoice_create", {"customer": "C-1001", "job": "J-77"}, {**BILL, **more})


def permit(**more: Any) -> Ran:
    return ("permit_renew", {"no": "BP-33"}, {"fee": FEE, **more})


def checkout(**more: Any) -> Ran:
    return ("checkout", {"cart": "K-11"}, {"order": "O-1", **CART, **more})


def told(answer: str, *ran: Ran, user: str = "Please do it.") -> list[str]:
    return [one.subject for one in findings(answer, ran, user=user, tools=[]) if one.rule == "totals"]


@pytest.mark.parametrize(
    ("answer", "ran", "amount"),
    [
        ("They owe £500.00 in total, due on 1 June.", invoice(), "£500.00"),
        ("INV-9 is created.\n\n- **Total:** £500.00\n- **Due:** 1 June", invoice(), "£500.00"),
        ("INV-9 is created. The total is **£500.00**.", invoice(), "£500.00"),
        ("Renewed. The fee of €68.00 will be collected on 2 April.", permit(), "€68.00"),
        (
            "Done, you've been charged $20.00.",
            ("plan_set", {"plan": "pro"}, {"invoice": {"subtotal": 2000, "tax": 400, "total": 2400}}),
            "$20.00",
        ),
        (
            "The amount due is $40.00.",
            ("bill_close", {"bill": "B-11"}, {"net_amount": "40.00", "vat": "5.00", "amount_due": "45.00"}),
            "$40.00",
        ),
        ("The order total is $40.00.", ("order_get", {"id": "O-1"}, CART), "$40.00"),  # of one look alone
    ],
)
def test_a_part_as_the_whole(answer: str, ran: Ran, amount: str) -> None:
    assert told(answer, ran) == [amount]


@pytest.mark.parametrize(
    ("answer", "ran"),
    [
        ("INV-9 is created: £600.00 in total.", invoice()),
        ("They owe £500.00 before tax.", invoice()),
        ("They owe £500.00 in total; VAT comes on top of that.", invoice()),
        ("They owe £500.00 and £100.00 in tax.", invoice()),
        ("They owe £500.00 in total. The £100.00 of tax is on another bill.", invoice()),
        ("The total comes to £500.00 net.", invoice()),
        ("Total (excl. VAT): £500.00", invoice()),
        ("You'll be charged £500.00 once the trial ends.", invoice()),
        ("The labour totals £500.00.", invoice()),
        ("The total for the labour is £500.00.", invoice()),
        ("They owe about £500.00 in total.", invoice()),
        ("They owe £500.00 in total.", invoice(amount_paid=100.0)),
        ("They owe £500.00 in total.", invoice(discount=100.0)),
        ("£500.00 is due.", invoice(amount_due=500.0)),
        ("They owe £500.00 in total.", invoice(charged=500)),
        ("The base fee of €68.00 will be collected on 2 April.", permit()),
        ("The fee of €68.00 and the surcharge of €24.00 will be collected.", permit()),
        ("The fee of €68.00 will be collected.", permit(fee={"base": 68.0, "total": 92.0})),  # what is the rest?
        ("The fee of €68.00 will be collected.", permit(payment={"amount": 68.0})),
        ("€40.00 for the mirror will be charged.", checkout()),
        ("The two books cost $40.00 in total.", checkout()),
        ("€40.00 will be charged.", checkout(voucher={"code": "V5", "value": 5.0})),
        ("€40.00 will be charged.", checkout(gift_card_applied=5.0)),
        ("The payment of €40.00 was collected.", ("payment_capture", {"order": "O-1", "amount": 40.0}, CART)),
        ("You'll be paid €970.00 in total.", ("payout", {"m": "03"}, {"total": 1000.0, "fee": 30.0, "net": 970.0})),
        ("She'll be paid €800.00 in total.", ("payroll", {"m": "03"}, {"total": 1000.0, "tax": 200.0, "net": 800.0})),
    ],
)
def test_what_is_a_part_and_told_so_or_something_else(answer: str, ran: Ran) -> None:
    assert told(answer, ran) == []


@pytest.mark.parametrize(
    ("user", "ran"),
    [
        ("How much is it before tax?", [invoice()]),
        ("Bill them the £500.00.", [invoice()]),
        ("Please do it.", [("order_get", {"id": "O-1"}, {"total": 500.0}), invoice()]),
        ("Please do it.", [("list_open", {}, {"open": [{"left": 200.0}, {"left": 300.0}]}), invoice()]),
        ("Please do it.", [invoice(), ("invoice_get", {"no": "INV-9"}, {"payable": 500.0})]),
        ("Please do it.", [invoice(), ("charge_card", {"amount": 500.0}, {"ok": True})]),
    ],
)
def test_what_was_asked_for_or_stands_elsewhere(user: str, ran: list[Ran]) -> None:
    assert told("They owe £500.00 in total.", *ran, user=user) == []
