"""Labelled values and cells of tables against the fields of results."""

from __future__ import annotations

from typing import Any

import pytest

from proxy.fields import fields, means, words
from proxy.results import Result
from tests.general import flagged
from tests.transcripts import Ran


def got(result: Any, **arguments: Any) -> list[Ran]:
    return [("get_order", arguments, result)]


CLAIM = got({"claim": {"id": "W-93", "assessed": 4120.0, "deductible": 500.0, "payable": 3620.0}})
ROOMS = got({"rooms": [{"code": "STW", "type": "Standard Twin"}, {"code": "SKG", "type": "Superior King"}]})
BOOKED: list[Ran] = [
    *ROOMS,
    ("book_room", {"code": "STW"}, {"confirmation": "AB-55102", "room": "Standard Twin", "nights": 2}),
]
PILLS = got(
    {
        "list": [
            {"name": "Lisinopril", "dose": "10 mg", "when": "morning", "stock": 31},
            {"name": "Atorvastatin", "dose": "20 mg", "when": "evening", "stock": 44},
            {"name": "Amlodipine", "dose": "5 mg", "when": "evening", "stock": 18},
        ]
    }
)
HOSTS = got(
    [
        {"Id": "i-0a91", "Type": "t3.medium", "State": "running"},
        {"Id": "i-0c33", "Type": "r6i.large", "State": "stopped"},
    ]
)
PLAN = got("name: Flex M\nmonthly_fee: 29.90 EUR\ndata_gb: 30\nminutes: unlimited")
RETURN = got('<rma no="R-7"><status>CLOSED</status><weight unit="kg">7</weight><boxes>3</boxes></rma>')
SEAT = got({"flight": "LX 318", "seat": "14C", "gate": "B22", "bags": 2, "fare": 218.4})
CART = got(
    {"items": [{"name": "Pho", "qty": 1, "price": 13.5}, {"name": "Rolls", "qty": 2, "price": 6.25}], "total": 30.29}
)
RECIPE = got({"people": 4, "list": [{"name": "sauce", "amount": "500 ml"}, {"name": "salt", "amount": "12 mg"}]})
STOCK: list[Ran] = [
    ("get_item", {"sku": "SKU-1"}, {"sku": "SKU-1", "stock": 50}),
    ("adjust_stock", {"sku": "SKU-1", "by": -8}, {"ok": True}),
]

FIELDS: list[tuple[str, str, list[Ran], list[str]]] = [
    ("a labelled amount", "- Deductible: $250.00", CLAIM, ["$250.00"]),
    ("a row of two columns", "| | |\n|---|---|\n| Your deductible | $250.00 |", CLAIM, ["$250.00"]),
    ("behind a comma", "It is assessed, deductible: $250.00.", CLAIM, ["$250.00"]),
    ("another thing's", "Booked!\n- Room: Superior King\n- 2 nights", BOOKED, ["Superior King"]),
    ("a cell", "| Host | Type |\n|---|---|\n| i-0a91 | t3.large |", HOSTS, ["t3.large"]),
    ("a cell of another row", "| Host | State |\n|---|---|\n| i-0a91 | stopped |", HOSTS, ["stopped"]),
    ("a measure of another thing", "* **Amlodipine** 10 mg in the evening", PILLS, ["10 mg"]),
    ("a number by its label", "You have Amlodipine with a stock of 77.", PILLS, ["77"]),
    ("a unit", "The plan has 50 GB of data.", PLAN, ["50 GB"]),
    ("an element", "- Boxes: 12", RETURN, ["12"]),
    ("a code", "You are in seat 14A.", SEAT, ["14A"]),
    ("a code behind its label", "Go to gate B27.", SEAT, ["B27"]),
    ("as it is", "- Deductible: $500\n- Assessed: $4,120", CLAIM, []),
    ("in cents", "- Deductible: 50000 cents", CLAIM, []),
    ("a difference", "- Deductible: $3,120", CLAIM, []),
    ("both are said", "- Deductible: $250 instead of $500", CLAIM, []),
    ("no such field", "- Excess: $250", CLAIM, []),
    ("more than the field's name", "- Deductible for glass: $250", CLAIM, []),
    ("in quotation marks", 'You wrote "Deductible: $250".', CLAIM, []),
    ("in code", "```\nDeductible: 250\n```", CLAIM, []),
    ("hypothetical", "- Deductible: $250 if you switch", CLAIM, []),
    ("about", "- Deductible: about $250", CLAIM, []),
    ("the user's", "- Deductible: $275", CLAIM, []),
    ("a question", "Is your deductible: $250?", CLAIM, []),
    ("a translation", "- Room: Zweibettzimmer", BOOKED, []),
    ("a longer name", "- Room: Standard Twin with a view", BOOKED, []),
    ("what is offered", "There are Standard Twin and Superior King.", ROOMS, []),
    ("several of the name", "- Type: Superior King", ROOMS, []),
    ("cells as they are", "| Host | Type | State |\n|---|---|---|\n| i-0a91 | t3.medium | running |", HOSTS, []),
    ("a row of nothing known", "| Host | Type |\n|---|---|\n| i-9999 | t3.large |", HOSTS, []),
    ("another spelling", "| Host | State |\n|---|---|\n| i-0a91 | Running |", HOSTS, []),
    ("another column", "| Host | Cost |\n|---|---|\n| i-0a91 | $77 |", HOSTS, []),
    ("doses as they are", "* **Amlodipine** 5 mg\n* **Lisinopril** 10 mg", PILLS, []),
    ("two things in a line", "Amlodipine and Lisinopril: 10 mg", PILLS, []),
    ("twice a dose", "* Amlodipine 5 mg, 2 tablets of 2.5 mg", PILLS, []),
    ("a dose of nothing known", "* Ibuprofen 400 mg", PILLS, []),
    ("in micrograms", "* Amlodipine 5000 mcg", PILLS, []),
    ("a sum", "Together that is a stock of 93.", PILLS, []),
    ("another unit", "The plan has 30000 MB of data.", PLAN, []),
    ("no word of the field", "The app needs 50 GB on your phone.", PLAN, []),
    ("elements as they are", "- Weight: 7 kg\n- Boxes: 3", RETURN, []),
    ("seat as it is", "You are in seat 14C, gate B22.", SEAT, []),
    ("a code of something else", "Gates B1 to B40 are open, seat row 14 is at the wing.", SEAT, []),
    ("codes of several", "Gates B1 and B2 are open.", SEAT, []),
    ("a code that changes", "It may be gate B27 if that changes.", SEAT, []),
    ("a shorter code", "You are in seat 14.", SEAT, []),
    ("a count with a noun", "There is a fare of 3 parts.", SEAT, []),
    ("a price of two", "| Item | Price |\n|---|---|\n| Rolls | $12.50 |", CART, []),
    ("after a change", "- SKU-1 has a stock of 42", STOCK, []),
    ("after a change, in a table", "| SKU | Stock |\n|---|---|\n| SKU-1 | 42 |", STOCK, []),
    ("a share", "- Deductible: 12%", CLAIM, []),
    ("a date", "- Assessed: 12 May", CLAIM, []),
    ("for more people", "For 6 people:\n- sauce: 750 ml", RECIPE, []),
    ("a share of it", "80 g of it have:\n- kcal: 311", got({"name": "oats", "kcal": 389}), []),
    ("with what the answer adds", "- Tip (18%): $15.21\n- Total: $106.89", got({"subtotal": 84.5, "total": 91.68}), []),
    ("no call", "- Deductible: $250.00", [], []),
    ("a failed call", "- Deductible: $250.00", got({"error": "deductible: 500"}), []),
]


@pytest.mark.parametrize(("answer", "ran", "expected"), [row[1:] for row in FIELDS], ids=[row[0] for row in FIELDS])
def test_fields(answer: str, ran: list[Ran], expected: list[str]) -> None:
    found = [one for one in flagged(answer, ran, user="Is it 275?") if one.startswith("fields")]
    assert found == [f"fields contradicted {one}" for one in expected]


@pytest.mark.parametrize(
    ("text", "read"),
    [
        (
            '{"a": {"total": 3, "on": true}, "rows": [{"id": "x"}, {"id": "y"}]}',
            [("a total", "3", 1), ("id", "x", 2), ("id", "y", 3)],
        ),
        ('{"variants": {"8124": {"price": 3}}}', [("id", "8124", 2), ("price", "3", 2)]),
        ("name: Flex M\ndata_gb: 30\n\n=== 3 failed ===", [("name", "Flex M", 0), ("data_gb", "30", 0)]),
        ('<rma no="7"><boxes>3</boxes></rma>', [("boxes", "3", 0)]),
        ("INSERT 0 1284", []),
    ],
)
def test_fields_of_results(text: str, read: list[tuple[str, str, int]]) -> None:
    assert [(one.name, one.value, one.thing) for one in fields(Result(text), 0, 0)] == read


@pytest.mark.parametrize(
    ("label", "name", "is_"),
    [
        ("Your deductible", "deductible", True),
        ("Type", "InstanceType", True),
        ("Delivery", "deliver_at", True),
        ("Total (incl. tax)", "total", False),
        ("Net", "net_total", False),
        ("", "total", False),
        ("Order", "total", False),
    ],
)
def test_what_a_label_means(label: str, name: str, is_: bool) -> None:
    assert means(words(label), words(name)) is is_
