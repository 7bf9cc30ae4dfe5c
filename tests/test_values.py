"""Amounts and cards in answers that report a deed."""

from __future__ import annotations

from typing import Any

import pytest

from tests.general import flagged
from tests.transcripts import Ran

CARDS = {
    "payment_methods": {
        "card_81": {"id": "card_81", "brand": "visa", "last_four": "6791"},
        "card_39": {"id": "card_39", "brand": "mastercard", "last_four": "8484"},
    }
}
PROFILE: Ran = ("get_profile", {"user": "u1"}, CARDS)


TOKENS: Ran = (
    "get_driver",
    {},
    {"cards": [{"token": "tok_a1", "brand": "visa", "last4": "4418"}, {"token": "tok_c9", "last4": "2009"}]},
)
WHOLE: Ran = (
    "get_owner",
    {},
    {"payers": [{"token": "pay_18", "card": "Visa 6113"}, {"token": "pay_22", "card": "Mastercard ending in 9027"}]},
)


def charged(token: str) -> Ran:
    return ("charge_card", {"token": token, "usd": 343}, {"ok": True})


def refund(card: str = "card_81", amount: float = 54.51, **more: Any) -> Ran:
    return ("refund_order", {"order_id": "o1", "card": card}, {"order_id": "o1", "refund": amount, **more})


BOOKED: Ran = (
    "book_trip",
    {"trip": "t1", "payments": [{"payment_id": "gift_1", "amount": 280}, {"payment_id": "card_81", "amount": 60}]},
    {"trip": "t1", "fares": [155, 185]},
)
ACCOUNTS: Ran = (
    "list_accounts",
    {},
    [
        {"account_id": "A-1", "owner_id": "P-7", "mask": "1111"},
        {"account_id": "A-2", "owner_id": "P-7", "mask": "2222"},
        {"account_id": "A-3", "owner_id": "P-7", "mask": "3333"},
    ],
)


def moved(source: str, target: str) -> Ran:
    return ("create_transfer", {"from": source, "to": target, "amount": 20}, {"ok": True, "amount": 20})


def paid(card: str) -> Ran:
    return ("get_trip", {"trip_id": "t1"}, {"trip_id": "t1", "payments": [{"card": card, "amount": 490}]})


def rebooked(card: str) -> Ran:
    entries = [{"card": "card_39", "amount": 490}, {"card": card, "amount": 60}]
    return ("update_trip", {"trip_id": "t1", "card": card}, {"trip_id": "t1", "payments": entries})


REPAID: Ran = (
    "update_payment",
    {"order_id": "o1", "card": "card_39"},
    {
        "order_id": "o1",
        "payments": [
            {"card": "card_81", "amount": 54.51},
            {"card": "card_39", "amount": 54.51},
            {"card": "card_81", "amount": -54.51},
        ],
    },
)
ORDERED: Ran = ("get_order", {"order_id": "o1"}, {"order_id": "o1", "payments": [{"card": "card_81", "amount": 54.51}]})

FIRES: list[tuple[str, str, list[Ran], list[str]]] = [
    ("a line that shows no sum", "I've refunded $71.30 for 2 nights.", [refund()], ["values unsupported $71.30"]),
    (
        "another card",
        "I've refunded $54.51 to your card ending in 8484.",
        [PROFILE, refund()],
        ["values contradicted ending in 8484"],
    ),
    (
        "stars",
        "Your refund of $54.51 has been processed to **** 8484.",
        [PROFILE, refund()],
        ["values contradicted ending in 8484"],
    ),
    (
        "a card that nobody named",
        "I've refunded $54.51 to your card ending in **7713**.",
        [PROFILE, refund()],
        ["values unsupported ending in 7713"],
    ),
    ("no such amount", "I've refunded $71.13 to you.", [refund()], ["values unsupported $71.13"]),
    ("digits swapped", "Your refund is €637.88.", [refund(amount=673.88)], ["values unsupported €637.88"]),
    ("with a comma", "I've refunded 673,88 € to you.", [refund(amount=637.88)], ["values unsupported 673,88 €"]),
    (
        "in thousands",
        "I've set the budget to $84k.",
        [("set_budget", {"amount": 48000}, {"amount": 48000})],
        ["values unsupported $84k"],
    ),
    (
        "the mark of a mask",
        "I've refunded $54.51 to your Mastercard ••8484.",
        [PROFILE, refund()],
        ["values contradicted ending in 8484"],
    ),
    (
        "without in",
        "I've refunded $54.51 to your card ending 8484.",
        [PROFILE, refund()],
        ["values contradicted ending in 8484"],
    ),
    (
        "an ellipsis",
        "I've refunded $54.51 to the card (…8484).",
        [PROFILE, refund()],
        ["values contradicted ending in 8484"],
    ),
    (
        "a dash behind the brand",
        "I've refunded $54.51 to your Visa -8484.",
        [PROFILE, refund()],
        ["values contradicted ending in 8484"],
    ),
    (
        "a card that goes by a token",
        "I've charged $343 to your Amex ending in 2009.",
        [TOKENS, charged("tok_a1")],
        ["values contradicted ending in 2009"],
    ),
    (
        "a card that one field tells whole",
        "I've charged $343 to your Mastercard ending in 9027.",
        [WHOLE, charged("pay_18")],
        ["values contradicted ending in 9027"],
    ),
    (
        "one end of two",
        "I've moved €20 from Checking x1111 to Savings x3333.",
        [ACCOUNTS, moved("A-1", "A-2")],
        ["values contradicted ending in 3333"],
    ),
    (
        "another card, and the one of the old payment",
        "I've moved the booking; the charge of $60 went to your card ending in 8484.",
        [PROFILE, paid("card_39"), rebooked("card_81")],
        ["values contradicted ending in 8484"],
    ),
]


@pytest.mark.parametrize(("answer", "ran", "expected"), [row[1:] for row in FIRES], ids=[row[0] for row in FIRES])
def test_values_that_the_calls_do_not_have(answer: str, ran: list[Ran], expected: list[str]) -> None:
    assert [one for one in flagged(answer, ran) if one.startswith("values")][: len(expected)] == expected


HONEST: list[tuple[str, str, list[Ran]]] = [
    (
        "what is left of a sum",
        "All three have the lunch: 3 × £68 makes £204. As £60 is paid, £144 is left.",
        [("set_menu", {"id": "LU-2"}, {"price_pp": 68.0, "guests": 3, "deposit_paid": 60.0, "service_pct": 12.5})],
    ),
    (
        "so much for each of several",
        "I've booked it for 333 €, 111 € por noite.",
        [("book_hotel", {"in": "2026-10-02", "out": "2026-10-05"}, {"conf": "BX-2", "total": "333.00 EUR"})],
    ),
    (
        "a card that only an id ends in",
        "I've refunded $54.51 to your card ending in 8526.",
        [("refund_order", {"order_id": "o1", "payment_id": "credit_card_2198526"}, {"refund": 54.51})],
    ),
    (
        "the card of the token",
        "I've charged $343 to your Visa ending in 4418.",
        [TOKENS, charged("tok_a1")],
    ),
    (
        "the card that a field tells whole",
        "I've charged $343 to your Mastercard ending in 9027.",
        [WHOLE, charged("pay_22")],
    ),
    (
        "a token made for this once",
        "I've charged $343 to your Visa ending in 4418.",
        [TOKENS, charged("tok_once")],
    ),
    *(
        (
            "a card beside the one that was removed",
            f"I've removed your Visa. {rest}",
            [TOKENS, ("remove_card", {"token": "tok_a1"}, {"ok": True})],
        )
        for rest in (
            "Your Amex ending in 2009 is now the default.",
            "From now on we charge the card ending in 2009.",
            "Payments still come from the card ending in 2009.",
            "You can use the card ending in 2009 for it.",
            "Until the new one comes, there is the card ending in 2009.",
            "Only the card ending in 2009 is left.",
            "You can go on paying with the card ending in 2009.",
        )
    ),
    ("no end of a card", "I've refunded $54.51 for order 7713.", [PROFILE, refund()]),
    ("the card that was used", "I've refunded $54.51 to your card ending in 6791.", [PROFILE, refund()]),
    (
        "both cards are named",
        "I've refunded $54.51 to 6791's card ending in 6791, not to the one ending in 8484.",
        [PROFILE, refund()],
    ),
    (
        "money goes back to the card of before",
        "I've switched your order to another card: the $54.51 come back to the Visa ending in 6791.",
        [PROFILE, ORDERED, REPAID],
    ),
    (
        "both ends of a transfer",
        "I've moved €20 from Checking x1111 to Savings x2222.",
        [ACCOUNTS, moved("A-1", "A-2")],
    ),
    (
        "a third account that stays",
        "I've moved €20 from x1111 to x2222. Your account ••3333 is unchanged.",
        [ACCOUNTS, moved("A-1", "A-2")],
    ),
    (
        "a third account, and one end unsaid",
        "I've moved €20 from x1111. Nothing went to x3333, which is not linked.",
        [ACCOUNTS, moved("A-1", "A-2")],
    ),
    ("a year in bold", "I've refunded $54.51 to the card ending in 6791 for **2024**.", [PROFILE, refund()]),
    ("a part number", "I've refunded the adapter x8485 ($54.51) to your card.", [PROFILE, refund()]),
    (
        "a change without a card",
        "I've updated it; your card ending in 8484 stays.",
        [PROFILE, ("update_order", {"id": 1}, {"id": 1})],
    ),
    ("a proposal", "I've noted it. Please confirm that the card ending in 8484 is right.", [PROFILE, refund()]),
    ("an amount of the result", "I've refunded $54.51 to you.", [refund()]),
    ("with a separator", "I've refunded $1,054.50 to you.", [refund(amount=1054.5)]),
    ("rounded", "I've refunded about $55 to you.", [refund()]),
    ("a sum", "I've booked it for $340 in total: $280 by gift card and $60 by card.", [BOOKED]),
    ("a difference", "I've refunded you, $4.50 less than the $59.01 that you paid.", [refund(fee=4.5, paid=59.01)]),
    ("three of them", "I've booked three of them, $163.53 in total.", [refund()]),
    ("the user's own number", "I've noted your budget of $900 and refunded $54.51.", [refund()]),
    ("a look's rest", "You have $40.25 left of $100.00.", [("get_budget", {}, {"limit": 100.0, "spent": 59.75})]),
    (
        "an average",
        "On average you pay $13.37.",
        [("get_bills", {}, [{"amount": 10.0}, {"amount": 16.73}, {"amount": 13.4}])],
    ),
    ("a page's price", "A ticket costs $13.37.", [("fetch_page", {}, "Tickets from $12.00")]),
    ("if", "If you upgrade, you pay $13.37 more.", [("get_plan", {}, {"price": 12.0})]),
    ("cents", "I've refunded $25.99.", [("refund_charge", {}, {"amount": 2599, "currency": "usd"})]),
    ("a comma", "I've refunded 54,51 € to you.", [refund()]),
    ("in thousands", "I've set the budget to $48k.", [("set_budget", {"amount": 48000}, {"amount": 48000})]),
    (
        "a share",
        "I've put you on the annual plan: $119.88 a year, $9.99 a month.",
        [("set_plan", {}, {"price": 119.88})],
    ),
    (
        "a tax",
        "I've made the invoice: €1,250 + 19% = €1,487.50.",
        [("create_invoice", {"net": 1250, "vat_rate": 19}, {"id": 1})],
    ),
    ("roughly", "I've refunded you, which is about $60 less than before.", [refund()]),
    (
        "items of a list",
        "I've returned two of them: $30.50 back.",
        [
            (
                "get_order",
                {},
                {"items": [{"id": "i1", "price": 10.25}, {"id": "i2", "price": 20.25}, {"id": "i3", "price": 7.0}]},
            ),
            ("return_items", {"ids": ["i1", "i2"]}, {"ok": True}),
        ],
    ),
    (
        "a rate that its line shows",
        "Logged: 1.4 h at $330 = $462.",
        [("log_time", {"h": 1.4}, {"h": 1.4, "amount": 462})],
    ),
    (
        "a product that its line shows",
        "Booked: 3 nights × $85.10 = $255.30.",
        [("book", {"nights": 3}, {"rate": 85.1})],
    ),
    ("under the budget", "I've refunded $54.51, so $845.49 of your budget is left.", [refund()]),
    ("no deed", "A bag usually costs $35.", [("get_rules", {}, {"bag": 30})]),
    ("no change ran", "I've found a fare of $87.", [("search_fares", {}, {"fare": 88})]),
    (
        "a code block",
        "I've updated the script:\n\n```\nprice = '$13.37'\n```",
        [("Edit", {"file_path": "a.py"}, "The file a.py has been updated.")],
    ),
]


@pytest.mark.parametrize(("answer", "ran"), [row[1:] for row in HONEST], ids=[row[0] for row in HONEST])
def test_values_that_follow_are_not_accused(answer: str, ran: list[Ran]) -> None:
    assert [one for one in flagged(answer, ran, user="My budget is 900.") if one.startswith("values")] == []


def test_a_turn_with_very_many_numbers_is_not_accused() -> None:
    ran: list[Ran] = [("search_fares", {}, {"fares": [round(17.13 * n, 2) for n in range(300)]}), refund()]
    found = flagged("I've refunded $71.13 to you.", ran)
    assert [one for one in found if one.startswith("values")] == []


def test_a_number_too_long_to_be_read_does_not_stop_the_auditor() -> None:
    answer = f"I've refunded $99.10 to your card ending in 6791.\n\nThe rest: $54.51 + ${'9' * 20} = $54.51."
    assert "values unsupported $99.10" in flagged(answer, [PROFILE, refund()])


RECKONED = [
    "I've refunded it. Altogether that's $71.30 less than you feared.",
    "I've refunded it. Your balance is now $71.30.",
    "Erstattet. Insgesamt sind es 71,30 €.",
    "C'est remboursé. Le dossier vaut toujours 71,30 €.",
    "Reembolsado. En total son 71,30 €.",
    "已退款。合计 71.30 元。",
    "I've refunded it.\n\n| | |\n|---|---|\n| Total | $71.30 |",
    "I've refunded it. You'd pay $71.30 with the other plan.",
]


@pytest.mark.parametrize("answer", RECKONED)
def test_what_an_answer_reckons_may_follow_from_more_than_the_amounts_of_the_calls(answer: str) -> None:
    assert [one for one in flagged(answer, [refund()]) if one.startswith("values")] == []


REFUND: Ran = ("refund_order", {"id": "o1"}, {"id": "o1", "refund": 4500, "currency": "JPY"})


@pytest.mark.parametrize(
    "answer",
    ["返金いたしました。返金額は5,113円です。", "已为您退款5,113元,3天内到账。", "5,113원을 환불해 드렸습니다."],
)
def test_amounts_in_scripts_without_spaces_are_held_to_the_calls(answer: str) -> None:
    assert [one.split()[:2] for one in flagged(answer, [REFUND])][:1] == [["values", "unsupported"]]


@pytest.mark.parametrize(
    "answer",
    [
        "返金いたしました。返金額は4,500円です。",
        "已为您退款4500元。",
        "4,500원을 환불해 드렸습니다.",
        "4,500円を返金いたしました(約5,000円以上のご注文は送料無料です)。",
        "已退款4,500元,满5,000元以上免运费。",
        "4,500원을 환불했습니다. 3만원 정도의 주문부터 무료 배송입니다.",
        "4,500円を返金いたしました。5,113円の返金も進めてよろしいでしょうか。",
    ],
)
def test_amounts_that_hold_or_are_bounds_are_left_alone(answer: str) -> None:
    assert flagged(answer, [REFUND]) == []


def test_a_table_of_commas_has_its_amounts() -> None:
    table = "month,gross,net,n\n2025-07,88120.10,84100.10,12\n2025-08,79344.75,75425.50,611\n"
    ran: list[Ran] = [("read_sheet", {}, table), ("send_mail", {"to": "ann@x.example"}, {"ok": True, "id": "m1"})]
    answer = "I've mailed it: August came to €75,425.50 net and €79,344.75 gross, for $611."
    assert flagged(answer, ran, user="Mail the sheet to ann@x.example.") == []


def bought(**card: Any) -> Ran:
    return ("buy_tickets", {"event": "E-3"}, {"order": {"id": "O-7", "total": 138.0, "payment": card}})


@pytest.mark.parametrize(
    ("card", "told", "fires"),
    [
        ({"brand": "amex", "last4": "2009"}, "American Express ending in 2009", False),
        ({"network": "Master Card", "last4": "2009"}, "Mastercard ending in 2009", False),
        ({"brand": "amex", "last4": "2009"}, "card ending in 2009", False),
        ({"type": "credit", "last4": "2009"}, "Visa ending in 2009", False),
        ({"last4": "2009"}, "Visa ending in 2009", False),
        ({"brand": "amex", "last4": "2009"}, "Visa ending in 2009", True),
    ],
)
def test_a_card_goes_by_its_own_brand(card: dict[str, Any], told: str, fires: bool) -> None:
    answer = f"Your tickets are booked: $138.00, charged to your {told}."
    assert [one.split()[0] for one in flagged(answer, [bought(**card)])] == ["values"] * fires


def test_of_two_cards_that_end_alike_each_goes_by_its_brand() -> None:
    cards: Ran = ("list_cards", {}, {"cards": [{"brand": "visa", "last4": "2009"}, {"brand": "amex", "last4": "2009"}]})
    ran = [cards, bought(id="pm_8")]
    assert flagged("Your tickets are booked: $138.00, charged to your Visa ending in 2009.", ran) == []
