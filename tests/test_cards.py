"""The card to which an answer says that money went, and the one of the payment."""

from __future__ import annotations

from typing import Any

import pytest

from tests.general import findings
from tests.transcripts import Ran

ORDER: Ran = (
    "order_get",
    {"id": "O-77120"},
    {"id": "O-77120", "default_card": {"last4": "4242"}, "refs": ["ch_3RaB2"]},
)
KEPT: Ran = ("cards_list", {}, {"cards": [{"id": "card_9A1", "last4": "4242"}, {"id": "card_9A2", "last4": "1881"}]})
TO_THE_OTHER = "Refunded. The money goes back to your Visa ending in 4242."


def charge(last: str | int = "1881", **more: Any) -> Ran:
    return ("charge_get", {"charge": "ch_3RaB2"}, {"id": "ch_3RaB2", "details": {"card": {"last4": last}}, **more})


def refund(given: dict[str, str] | None = None, **more: Any) -> Ran:
    own = {"id": "re_3RaB2q", "charge": "ch_3RaB2", "status": "succeeded", **more}
    return ("refund_create", {"charge": "ch_3RaB2", **(given or {})}, own)


def pay(**more: Any) -> Ran:
    return ("bill_pay", {"bill": "B-20"}, {"payment_id": "pay_100", "status": "ok", **more})


def told(answer: str, *ran: Ran, user: str = "Please do it.") -> list[str]:
    return [one.subject for one in findings(answer, ran, user=user, tools=[]) if one.rule == "cards"]


@pytest.mark.parametrize(
    ("answer", "ran"),
    [
        (TO_THE_OTHER, [ORDER, charge(), refund()]),
        ("The refund was issued to the Visa (•••• 4242).", [ORDER, charge(), refund()]),
        ("I've refunded €42.50 to **Visa 4242**.", [ORDER, charge(), refund()]),
        (TO_THE_OTHER, [ORDER, refund(destination={"card": {"card_number": "**** **** **** 1881"}})]),
        ("The bill is paid; it was charged to your Visa ending in 4242.", [KEPT, pay(card_last4="1881")]),
    ],
)
def test_another_card_than_the_payments(answer: str, ran: list[Ran]) -> None:
    assert told(answer, *ran) == ["4242"]


@pytest.mark.parametrize(
    "answer",
    [
        "Refunded. It goes back to the Mastercard ending in 1881.",
        "Refunded. It goes back to the Mastercard ending in 1881, not the Visa ending in 4242.",
        "Refunded. The Visa ending in 4242 stays the card on file.",
        "Refunded to the card that was used. The card on file is the Visa ending in 4242.",
        "Refunded to the card; future payments are charged to the Visa ending in 4242.",
        "Refunded. If you'd rather have it paid back to the Visa ending in 4242, tell me.",
        "Refunded. Your last refund went back to the Visa ending in 4242.",
        "Refunded to the card used for order 4242.",
        "Refunded as store credit; the fee went back to the card ending in 4242.",
        "Shall I have it refunded to the Visa ending in 4242?",
        "Refunded to the card ending in 9931.",  # stands nowhere: another rule's
    ],
)
def test_what_is_right_or_says_something_else(answer: str) -> None:
    assert told(answer, ORDER, charge(), refund()) == []


@pytest.mark.parametrize(
    "ran",
    [
        [ORDER, charge("4242"), refund()],
        [ORDER, refund()],  # nobody knows the payment's
        [ORDER, charge(), refund({"card_last4": "4242"})],
        [ORDER, charge(), refund(to={"last4": "4242"})],
        [KEPT, charge(), refund({"destination": "card_9A1"})],
        [ORDER, charge(wallet="apple_pay"), refund(via="apple_pay")],
        [ORDER, charge(also={"last4": "4242"}), refund()],  # two of them
        [("customer_get", {}, {"id": "cus_771", "last_charge": "ch_3RaB2", "card_last4": "1881"}), ORDER, refund()],
        [ORDER, charge(), refund(), ("refund_create", {"charge": "ch_77"}, {"id": "re_77", "charge": "ch_77"})],
        [charge(customer={"id": "cus_771", "default_source": {"last4": "4242"}}, details={}), ORDER, refund()],
        [ORDER, charge()],
    ],
)
def test_where_it_may_be_that_card_or_nobody_knows(ran: list[Ran]) -> None:
    assert told(TO_THE_OTHER, *ran) == []


def test_the_card_that_the_user_told() -> None:
    """He may know it by other digits than the shop does, unless the refund itself shows where it went."""
    user = "I paid with the Visa ending in 4242, refund it."
    assert told(TO_THE_OTHER, ORDER, charge(), refund(), user=user) == []
    assert told(TO_THE_OTHER, ORDER, charge(), refund(to={"last4": "1881"}), user=user) == ["4242"]
