"""Amounts that a change's result has otherwise; what is told beside them, before them or reckoned from them stays silent."""

from __future__ import annotations

from typing import Any

import pytest

from proxy.reading import Reading
from tests.general import flagged, policy, turn_of
from tests.transcripts import Ran

LOOK: Ran = ("get_order", {"order_id": "W-81"}, {"order_id": "W-81", "payments": [{"id": "card_3", "amount": 640.5}]})
CANCELLED: dict[str, Any] = {"order_id": "W-81", "state": "cancelled", "payments": [{"id": "card_3", "amount": 653.87}]}
FEE: list[Ran] = [("cancel_rental", {"ra": "R-5"}, {"ra": "R-5", "cancellation_fee": 61.8, "refund": {"amount": 96.8}})]
SENT: list[Ran] = [("pay_transfer", {"payee": "Marta", "amount": 250}, {"id": "tr_9", "amount": 263.37})]
DRUG: list[Ran] = [
    ("refill_prescription", {"rx": "RX-5"}, {"rx": "RX-5", "qty": 30, "price": 31.4, "status": "QUEUED"})
]
MADE: list[Ran] = [
    ("move_job", {"job": "J-2"}, {"job": "J-2", "estimate": {"labour": 1374, "travel": 95, "total": 1469}})
]
OLD: list[Ran] = [("change_stay", {"ref": "LH-4"}, {"ref": "LH-4", "total": 377, "prev": {"total": 386}})]

FLIGHTS: list[Ran] = [
    (
        "book_trip",
        {"user": "u1"},
        {
            "code": "QX7",
            "flights": [{"no": "HB097", "price": 175}, {"no": "HB251", "price": 200}],
            "paid": [{"id": "card_77", "amount": 41.92}],
        },
    )
]
CARD: Ran = ("get_user", {"user": "u1"}, {"cards": [{"id": "card_77", "balance": 86.0}]})
GIVEN: list[Ran] = [
    ("send_certificate", {"user": "u1", "amount": 100}, "Certificate c_32 added to user u1 with amount 100.")
]

FIRES = [
    ("as the call was given", "I've sent €250.00 to Marta.", SENT, "€250.00"),
    (
        "as the field is called",
        "R-5 is cancelled; the cancellation fee is $48.40, and $96.80 comes back.",
        FEE,
        "$48.40",
    ),
    (
        "as the last look had it",
        "W-81 is cancelled. $640.50 will be back on your card.",
        [LOOK, ("cancel_order", {"order_id": "W-81"}, CANCELLED)],
        "$640.50",
    ),
    ("the only amount of both", "Your refill is queued ($18.00).", DRUG, "$18.00"),
    ("an entry by its id", "Booked!\n- HB097 on May 17: $188\n- HB251 on May 17: $200", FLIGHTS, "$188"),
    ("a result of words", "I've added a $113 certificate to your account.", GIVEN, "$113"),
    ("a part of a path", "J-2 is moved. New estimate: **$1,439**.", MADE, "$1,439"),
]


def charged(answer: str, ran: list[Ran]) -> list[str]:
    """What the auditor itself finds, whatever others do."""
    (auditor,) = [rule.auditor for rule in policy().rules if rule.name == "charges"]
    claims = Reading(answer, policy().lexicon).claims(auditor.reads)
    return [one.subject for one in auditor.follow(turn_of(*ran), claims, ())]  # type: ignore[union-attr]


@pytest.mark.parametrize(("answer", "ran", "amount"), [row[1:] for row in FIRES], ids=[row[0] for row in FIRES])
def test_an_amount_that_the_result_has_otherwise(answer: str, ran: list[Ran], amount: str) -> None:
    assert charged(answer, ran) == [amount]


def test_it_speaks_where_no_other_does() -> None:
    assert flagged(*FIRES[1][1:3]) == ["charges contradicted $48.40"]
    assert flagged(*FIRES[0][1:3]) == ["charges contradicted €250.00"]


SILENT = [
    ("as it is", "I've sent €263.37 to Marta.", SENT),
    ("an entry as it is", "Booked!\n- HB097 on May 17: $175\n- HB251 on May 17: $200", FLIGHTS),
    ("what is left on a card", "Booked for $375.\nThe balance of card_77 is $44.08.", [CARD, *FLIGHTS]),
    ("a line of both", "Booked: HB097 and HB251 for $375 in all.", FLIGHTS),
    ("words as they are", "I've added a $100 certificate to your account.", GIVEN),
    ("both are told", "You asked for €250.00; with the fee €263.37 was sent to Marta.", SENT),
    ("about so much", "I've sent about €250 to Marta.", SENT),
    ("what it was before", "The rental R-5 is cancelled. The fee rose from $48.40.", FEE),
    ("a difference", "R-5 is cancelled, the fee is $61.80. That leaves $35.00 of your $96.80.", FEE),
    ("a part of what is told", "J-2 is moved: $1,374 and $95 for travel, together $1,469.", MADE),
    ("a sum of what is there", "J-2 is moved; labour and travel come to $1,469.", MADE),
    ("a former total has a field of its own", "It's changed: €377 in total, €9 less than before.", OLD),
    ("another amount beside it", "J-2 is moved; the total is $1,469. Parking costs $12.00 a day there.", MADE),
    (
        "nothing was changed",
        "The cancellation fee is $48.40.",
        [("get_rental", {"ra": "R-5"}, {"ra": "R-5", "fee": 61.8})],
    ),
    ("it failed", "The fee is $48.40.", [("cancel_rental", {"ra": "R-5"}, {"error": "locked", "fee": 61.8})]),
    ("cents", "Sent: $25.00.", [("create_transfer", {"amount_minor": 2500}, {"id": "t", "amount": 2500})]),
    (
        "no amount in the result",
        "I've sent €250.00.",
        [("create_transfer", {"amount": 250}, {"id": "tr_9", "state": "done"})],
    ),
    ("in a quotation", "Sent. The text says:\n\n> I owe you €250.00", SENT),
    ("small numbers", "Refilled, 2 capsules a day ($3.00).", DRUG),
]


@pytest.mark.parametrize(("answer", "ran"), [row[1:] for row in SILENT], ids=[row[0] for row in SILENT])
def test_what_it_does_not_accuse(answer: str, ran: list[Ran]) -> None:
    assert charged(answer, ran) == []


def test_a_flood_of_amounts_costs_little() -> None:
    rows = [{"id": f"p{number}", "amount": number + 0.5} for number in range(2_000)]
    answer = " ".join(f"${number + 7:,}.25" for number in range(2_000))
    assert charged(answer, [("pay_all", {"list": "all"}, {"paid": rows})]) == []


@pytest.mark.parametrize(("changes", "amounts"), [(12, ["$99.37"]), (13, [])])
def test_of_many_changes_nobody_knows_which_one_is_meant(changes: int, amounts: list[str]) -> None:
    ran: list[Ran] = [
        ("pay_bill", {"id": f"b{one}"}, {"id": f"p{one}", "amount": one + 50.5}) for one in range(changes)
    ]
    assert charged("I've paid $99.37.", ran) == amounts


SPLIT: list[Ran] = [
    (
        "create_arrangement",
        {"account": "PW-2", "installments": 4},
        {"id": "AR-19", "balance": 312.0, "schedule": [{"amount": 78.0}] * 4, "payments": [{"amount": 96.0}]},
    )
]


@pytest.mark.parametrize(
    ("answer", "amounts"),
    [
        ("The plan AR-19 is set up. After the first payment you'll have $234.00 remaining.", []),
        ("The plan AR-19 is set up. After the first payment $234.00 is left.", []),
        ("The plan AR-19 is set up. After the first payment you'll have $244.00 remaining.", ["$244.00"]),
    ],
)
def test_what_is_left_over_is_reckoned(answer: str, amounts: list[str]) -> None:
    assert charged(answer, SPLIT) == amounts


@pytest.mark.parametrize(
    ("answer", "fires"),
    [
        ("Both fines have been paid, $11.55 in total. You can borrow again.", False),
        ("Both fines are paid: $4.20 and $7.35, $11.55 altogether.", False),
        ("Both fines have been paid, $12.55 in total. You can borrow again.", True),
    ],
)
def test_what_two_changes_come_to(answer: str, fires: bool) -> None:
    ran: list[Ran] = [
        ("pay_fine", {"fine": name}, {"fine": name, "paid": paid}) for name, paid in (("F-1", 4.2), ("F-2", 7.35))
    ]
    assert bool(flagged(answer, ran, user="pay both fines")) is fires
