"""What an answer calls by a word for it, and which field means that."""

from __future__ import annotations

from typing import Any

import pytest

from tests.general import flagged
from tests.transcripts import Ran

RETURN: list[Ran] = [
    (
        "get_return",
        {"id": "RT-18"},
        {"id": "RT-18", "price": 87.0, "restocking": 8.7, "refund_amount": 78.3, "state": "APPROVED"},
    )
]
CARD: list[Ran] = [
    ("card_statement", {}, {"cycle": {"opened": "2026-01-29", "closes": "2026-02-28"}, "payment_due": "2026-03-20"})
]
STAY: list[Ran] = [
    (
        "get_stay",
        {},
        {
            "ref": "K9",
            "arrival": "2026-07-03",
            "cancellation": {"free_until": "2026-06-26"},
            "rooms": 310.0,
            "tax": 21.7,
            "grand_total": 331.7,
        },
    )
]
NET: list[Ran] = [
    ("refund_issue", {"id": "R1"}, {"id": "R1", "gross": "438.00", "fee": "43.80", "net": "394.20", "state": "SENT"})
]
FIRES: list[tuple[str, str, list[Ran], list[str]]] = [
    ("a refund", "Your refund is **$87.00**.", RETURN, ["$87.00"]),
    ("back", "You'll get back $87.00 within a week.", RETURN, ["$87.00"]),
    ("in Korean", "환불 금액은 총 87원입니다.", RETURN, ["87원"]),
    ("in German", "Sie erhalten 438,00 € auf Ihre Karte zurück.", NET, ["438,00 €"]),
    ("due", "- **Payment due:** 28 February 2026", CARD, ["28 February 2026"]),
    ("due on", "Your payment is due on 28 February 2026.", CARD, ["28 February 2026"]),
    ("due, in Spanish", "Fecha límite de pago: 28 de febrero de 2026", CARD, ["28 de febrero de 2026"]),
    ("free until", "Free cancellation until July 3, 2026.", STAY, ["July 3, 2026"]),
    ("a total", "- **Total price (taxes included):** €310.00", STAY, ["€310.00"]),
]


def told(answer: str, ran: list[Ran], **more: Any) -> list[str]:
    return [one.split(" ", 2)[2] for one in flagged(answer, ran, **more) if one.startswith("meanings")]


@pytest.mark.parametrize(("answer", "ran", "values"), [row[1:] for row in FIRES], ids=[row[0] for row in FIRES])
def test_what_means_something_else(answer: str, ran: list[Ran], values: list[str]) -> None:
    assert told(answer, ran) == values


SILENT: list[tuple[str, str, list[Ran]]] = [
    ("as it is", "Your refund is $78.30.", RETURN),
    ("rounded", "Your refund is $78.", RETURN),
    ("both", "Your refund is $78.30; the shirt was $87.00.", RETURN),
    ("told elsewhere", "You paid $87.\n\nThe refund for it: $87.00 minus the fee.\n\nThat makes $78.30.", RETURN),
    ("of a thing", "The refund for the shirt ($87.00) was approved.", RETURN),
    ("before the word", "Your $87.00 order was refunded.", RETURN),
    ("less something", "The refund is $87.00 less the fee.", RETURN),
    ("if", "If the seal is intact, the refund is $87.00.", RETURN),
    ("a question", "Should the refund be $87.00?", RETURN),
    ("an amount of nobody's", "Your refund is $55.00.", RETURN),
    ("about", "Your refund is about $87.", RETURN),
    (
        "two refunds",
        "Your refund is $87.00.",
        [("r", {}, [{"refund_amount": 78.3, "price": 87.0}, {"refund_amount": 12.0, "price": 15.0}])],
    ),
    ("none in the result", "Your refund is $87.00.", [("get_order", {}, {"price": 87.0, "fee": 8.7})]),
    ("a net of something else", "Your refund is $438.00.", [("get_payslip", {}, {"gross": 438.0, "net": 394.2})]),
    ("due as it is", "Payment is due on March 20.", CARD),
    ("another day", "Your cycle closes on 28 February 2026.", CARD),
    ("both days", "The cycle closes on 28 February; payment is due on 20 March 2026.", CARD),
    ("a day before", "The bill of 28 February 2026 is due.", CARD),
    ("cancelled by somebody", "It was cancelled by the host on July 3, 2026.", STAY),
    (
        "the field of that name",
        "Total: $45.00",
        [("get_order", {}, {"total": 45.0, "shipping": 5.0, "grand_total": 50.0})],
    ),
    (
        "what is still due",
        "Order total: $45.00",
        [("get_order", {}, {"items_total": 45.0, "paid": 25.0, "amount_due": 20.0})],
    ),
    (
        "a refund of something",
        "The refund of the deposit is $100.00.",
        [("r", {}, {"deposit": 100.0, "refund_amount": 178.3})],
    ),
    ("a total of a part", "- **Room total:** €310.00", STAY),
    ("the grand total", "Total: €331.70", STAY),
    ("excluding", "Total price excluding taxes: €310.00", STAY),
    ("a failed call", "Your refund is $87.00.", [("get_return", {}, {"error": "no refund_amount for price 87.0"})]),
    ("no call", "Your refund is $87.00.", []),
]


@pytest.mark.parametrize(("answer", "ran"), [row[1:] for row in SILENT], ids=[row[0] for row in SILENT])
def test_what_may_mean_it(answer: str, ran: list[Ran]) -> None:
    assert told(answer, ran) == []
