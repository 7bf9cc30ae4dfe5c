"""Amounts of money and numbers, in the forms in which people, models and tools write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proxy.amounts import amounts, numbers, pool

FORMS: list[tuple[str, tuple[float, ...]]] = [
    ("$54.51", (54.51,)),
    ("€45,90", (45.9,)),
    ("€ 45,90", (45.9,)),
    ("1.234,50 €", (1234.5,)),
    ("US$1,234.50", (1234.5,)),
    ("R$ 120,00", (120.0,)),
    ("CHF 45", (45.0,)),
    ("1'250.00 CHF", (1250.0,)),
    ("12 800 kr", (12800.0,)),
    ("¥74,660", (74660.0, 74.66)),
    ("3000円", (3000.0,)),
    ("19 USD", (19.0,)),
    ("87,000원이며", (87000.0, 87.0)),
    ("12.58万元", (125800.0,)),
    ("12万8,700円", (128700.0,)),
    ("3만 5천원", (35000.0,)),
    ("¥2.5億", (250000000.0,)),
    ("100 dollars", (100.0,)),
    ("$1.2M", (1200000.0,)),
    ("$48k", (48000.0,)),
    ("£5,000", (5000.0, 5.0)),
    ("$0.004", (0.004,)),
]


@pytest.mark.parametrize(("text", "values"), FORMS, ids=[row[0] for row in FORMS])
def test_forms(text: str, values: tuple[float, ...]) -> None:
    found = list(amounts(f"It costs ({text}), they say."))
    assert [one.values for one in found] == [values]


@pytest.mark.parametrize("text", ["5%", "12 items", "version 1.2.3", "room 204", "10:30", "A$AP", "$", "cost: 12"])
def test_what_is_no_amount(text: str) -> None:
    assert list(amounts(text)) == []


@pytest.mark.parametrize("text", ["about $55", "roughly **$55**", "~$55", "up to €55", "etwa 55 €", "more than $55"])
def test_what_is_meant_roughly_says_so(text: str) -> None:
    assert [one.vague for one in amounts(text)] == [True]


def test_what_a_multiplication_multiplies_is_a_number() -> None:
    assert list(numbers(["2x29,90 EUR", "3 × 5"])) == [29.9, 3.0, 5.0]
    assert list(numbers(["0x29 and box12"])) == []


def test_dates_and_times_are_no_numbers() -> None:
    assert list(numbers(["2025-03-14T15:45:00Z and 10:30, not 17"])) == [17.0]


def test_cents_are_known_as_whole_units_too() -> None:
    found = pool([{"amount": 2599, "fee_cents": 120, "qty": 3, "rate": 8.25}], ["total 1.234,50 EUR"], [])
    assert {25.99, 1.2, 1234.5} <= found.amounts
    assert (found.rates, 3 in found.counts) == ({8.25}, True)


@given(st.text(alphabet="0123456789.,' €$kKM-", max_size=60) | st.text(max_size=60))
def test_any_text_can_be_read(text: str) -> None:
    for one in amounts(text):
        assert text[one.start : one.end] == one.text
        assert all(value >= 0 for value in one.values)
    assert pool([{"total": text}], [text], [text]).known == set(map(abs, pool([], [text], []).known))


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("合計は税込み **12万8,700円** です。", [128_700.0]),
        ("환불 금액은 76,000원이며, 카드로 결제됩니다.", [76_000.0]),
        ("合计9.5万元,共3笔", [95_000.0]),
        ("합계는 1억 3,800만원입니다.", [138_000_000.0]),
        ("送料は550円、手数料は1,204.5元。", [550.0, 1204.5]),
        ("운임 43,340 원", [43_340.0]),
        ("1月2日、3名様、4件", []),
        ("元旦は休業、円満に解決、원하시면", []),
    ],
)
def test_amounts_in_scripts_without_spaces(text: str, values: list[float]) -> None:
    assert [one.values[0] for one in amounts(text)] == values
    assert all(one.vague is ("3,800만" in one.text) for one in amounts(text))  # that one is rounded


@pytest.mark.parametrize(
    "text", ["5,000円以上で送料無料", "约12万元", "最大3,000円", "약 9만원", "1,000元以内", "3万원 정도", "最低500円"]
)
def test_bounds_in_scripts_without_spaces_are_vague(text: str) -> None:
    assert [one.vague for one in amounts(text)] == [True]


def test_commas_that_part_values_are_none_of_a_number() -> None:
    table = "month,net,orders,left\n2025-07,84100.10,1203,7\n2025-08,75425.50,90,12\n"
    assert list(numbers([table]))[2:6] == [84100.1, 1203.0, 7.0, 2025.0]
    assert list(numbers(["Ann,42", "12,2025", "88120.10,4020"])) == [42.0, 12.0, 2025.0, 88120.1, 4020.0]
    assert list(numbers(["1,234,567", "12,345.60", "0,75", "1.234,50"])) == [1234567.0, 12345.6, 0.75, 1234.5]
