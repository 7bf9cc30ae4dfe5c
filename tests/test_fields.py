"""Labelled values and cells of tables against the fields of results."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
TRIP: list[Ran] = [
    ("get_user", {"id": "u1"}, {"id": "u1", "newsletter": True}),
    (
        "book_trip",
        {"user": "u1", "amount": 1250.0, "seats": 3},
        {"trip": "T-71", "amount": 1250.0, "fee": {"amount": 4.5}, "total_debited": 1254.5, "deposit": 90, "seats": 4}
        | {"insurance": "no", "auto_renew": False, "roaming_enabled": True, "non_smoking": True, "balance": 420.0},
    ),
]
FIRST: Ran = ("book_trip", {"user": "u1"}, {"trip": "T-70", "insurance": "yes", "total_debited": 90.0})
LOCK: list[Ran] = [
    ("put_access", {"bucket": "b1", "block_public_policy": True}, ""),
    ("get_access", {"bucket": "b1"}, {"Access": {"BlockPublicAcls": True, "BlockPublicPolicy": False}}),
]
USERS = got("user  mfa  role\nalice  on  admin\nbob  off  editor")
TEXT = got("| line | user | left_gb |\n|---|---|---|\n| 01 | A. Fontaine | 3.2 |\n| 02 | B. Oduya | 12.6 |")
PODS = got("NAME        READY   STATUS\nweb-7d9c1   1/1     Running\njob-77af2   0/1     Pending")
LINES = got('<order id="7"><line id="1" name="Kettle" state="SHIPPED"/><line id="2" name="Pan" state="OPEN"/></order>')
LATENCY = got(
    {"series": [{"route": "/pay", "p50": 212, "p90": 640, "p95": 918, "open_rate": 34.5, "click_rate": 12.5}]}
)
SHEET = got('{"columns": ["city", "stock"], "rows": [["Lyon", 12], ["Nice", 31]]}')

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
    ("told to be on", "Booked!\n- Travel insurance: Yes", TRIP, ["insurance: Yes"]),
    ("told to be off", "Booked!\n- Roaming: disabled", TRIP, ["roaming_enabled: disabled"]),
    ("auto renewal", "Booked!\n- **Auto-renewal:** ✅ On", TRIP, ["auto_renew: ✅ On"]),
    ("by a later look", "| Setting | Value |\n|---|---|\n| BlockPublicPolicy | on |", LOCK, ["BlockPublicPolicy: on"]),
    ("of a row", "| User | MFA |\n|---|---|\n| alice | on |\n| bob | on |", USERS, ["mfa: on"]),
    ("the very name", "Booked!\n- Total debited: €1,250.00", TRIP, ["€1,250.00"]),
    ("on, as it is", "Booked!\n- Insurance: no\n- Roaming: on\n- Newsletter: yes", TRIP, []),
    ("on by the look", "| Setting | Value |\n|---|---|\n| BlockPublicAcls | on |", LOCK, []),
    ("of another trip", "Both are booked!\n- Insurance: no\n- Insurance: yes", [*TRIP, TRIP[1]], []),
    ("of the trip before", "The first trip:\n- Insurance: yes", [FIRST, TRIP[1]], []),
    ("the total of the trip before", "The first trip:\n- Total debited: €90.00", [FIRST, TRIP[1]], []),
    ("the opposite label", "Booked!\n- Smoking: no", TRIP, []),
    ("the opposite word", "Booked!\n- No roaming: no", TRIP, []),
    ("of no field", "Booked!\n- Window seat: yes", TRIP, []),
    ("on, and explained", "Booked!\n- Insurance: yes\nThe insurance is not yet confirmed.", TRIP, []),
    ("on, a question", "Booked!\n- Insurance: yes?", TRIP, []),
    ("on, if", "Booked!\n- Insurance: yes, if you pay today", TRIP, []),
    ("a flag of several", "- MFA: on", USERS, []),
    ("a row as it is", "| User | MFA |\n|---|---|\n| alice | on |\n| bob | off |", USERS, []),
    ("the very name, as it is", "Booked!\n- Total debited: €1,254.50", TRIP, []),
    ("rounded", "Booked!\n- Total debited: €1,255", TRIP, []),
    ("a part", "Booked!\n- Total debited before fees: €1,250.00", TRIP, []),
    ("a part in brackets", "Booked!\n- Total debited: €1,250.00 (excl. fees)", TRIP, []),
    ("the sum's parts", "Booked!\n- Total debited: €1,250.00, Fee: €4.50", TRIP, []),
    ("what was asked for", "Booked!\n- Seats: 3", TRIP, []),
    ("a qualified label", "Booked!\n- Subtotal debited: €1,250.00", TRIP, []),
    ("one word, of the result", "Booked!\n- Deposit: €420.00", TRIP, []),
    ("a cell of a text", "| User | left_gb |\n|---|---|\n| A. Fontaine | 12.6 |", TEXT, ["12.6"]),
    ("a cell of a text, as it is", "| User | left_gb |\n|---|---|\n| A. Fontaine | 3.2 |", TEXT, []),
    ("columns", "| Pod | Status |\n|---|---|\n| job-77af2 | Running |", PODS, ["Running"]),
    ("columns, as they are", "| Pod | Status |\n|---|---|\n| job-77af2 | Pending |", PODS, []),
    ("attributes", "| Item | State |\n|---|---|\n| Kettle | OPEN |", LINES, ["OPEN"]),
    ("attributes, as they are", "| Item | State |\n|---|---|\n| Kettle | shipped |\n| Pan | Open |", LINES, []),
    ("columns apart", "- Lyon, stock: 31", SHEET, ["31"]),
    ("columns apart, as they are", "- Lyon, stock: 12\n- Nice, stock: 31", SHEET, []),
    ("a field beside it", "| Window | p95 |\n|---|---|\n| Last hour | 640 ms |", LATENCY, ["640 ms"]),
    ("a field with a word in common", "- Open rate: 12.5", LATENCY, ["12.5"]),
    ("a field beside it, both told", "- p95: 640 ms against 918", LATENCY, []),
    ("the field itself", "| Window | p95 |\n|---|---|\n| Last hour | 918 ms |", LATENCY, []),
    ("the field in seconds", "- p95: 0.918 s", LATENCY, []),
    ("a number of no field", "- p95: 700 ms", LATENCY, []),
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
            [("a total", "3", 1), ("a on", "true", 1), ("id", "x", 2), ("id", "y", 3)],
        ),
        ('{"variants": {"8124": {"price": 3}}}', [("id", "8124", 2), ("price", "3", 2)]),
        ("name: Flex M\ndata_gb: 30\n\n=== 3 failed ===", [("name", "Flex M", 0), ("data_gb", "30", 0)]),
        ('<rma no="7"><boxes>3</boxes></rma>', [("no", "7", 1), ("boxes", "3", 1)]),
        ("<a><b x=\"1\"/><b x='2'></b><c>d</c></a>", [("x", "1", 2), ("x", "2", 3), ("c", "d", 1)]),
        ('<!DOCTYPE html><div class="x">1</div>', []),
        ("</a><b><b><b", []),
        ("|  id | name |\n|----|-----|\n| 1 | Ann |", [("id", "1", 1), ("name", "Ann", 1)]),
        (" id | paid\n----+-----\n  1 | t\n(1 row)", [("id", "1", 1), ("paid", "t", 1)]),
        ('id,name\n1,"Ann, B"\n2', [("id", "1", 1), ("name", "Ann, B", 1)]),
        ("NAME   AGE\nweb-1  3d\nweb-2", [("NAME", "web-1", 1), ("AGE", "3d", 1)]),
        (
            '{"out": "NAME  AGE\\nweb-1  3d"}',
            [("out", "NAME  AGE\nweb-1  3d", 1), ("NAME", "web-1", 402), ("AGE", "3d", 402)],
        ),
        ("a | b\n1 | 2", []),
        ("Dear Ann,\nthe 2 pans, a pot and a kettle are here.\nBob", []),
        ("INSERT 0 1284", []),
    ],
)
def test_fields_of_results(text: str, read: list[tuple[str, str, int]]) -> None:
    assert [(one.name, one.value, one.thing) for one in fields(Result(text), 0, 0)] == read


@given(st.text(alphabet='<a b="1/>|-,\n\t\x00x', max_size=80))
def test_any_text_has_fields(text: str) -> None:
    assert all(one.name and 0 <= one.thing < 10_000 for one in fields(Result(text), 0, 0))


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
