"""Payments in results: the amounts that were charged or paid back, told apart by names, types and signs."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from proxy.amounts import CENTS, DIGIT, amounts
from proxy.fields import words
from proxy.patterns import expression
from proxy.remembered import remembered_with

Way = Literal["refund", "charge", ""]

NEUTRAL = frozenset(
    {
        "amount",
        "amt",
        "total",
        "sum",
        "value",
        "cent",
        "minor",
        "unit",
        "usd",
        "eur",
        "gbp",
        "issued",
        "net",
        "gross",
        "final",
    }
)
"""Words beside which the name of a field still means an amount of money."""
AMOUNT = frozenset({"amount", "amt"})
CURRENCIES = frozenset(
    {"usd", "eur", "gbp", "chf", "aud", "cad", "sek", "nok", "dkk", "pln", "inr", "jpy", "brl", "mxn"}
)
PAID = re.compile(r"(?i)payment|transaction|ledger|posting|billing|invoice|charge|refund")
"""Fields that are called by a currency, and lists in which these are payments."""
DIFFERENCE = re.compile(r"(?i)(?:price|fare|rate|cost|amount|payment)_?(?:difference|diff|adjustment)$")
"""What is new less what was: where it is negative, money comes back. A positive one may be a bare distance."""
ACCOUNTS = re.compile(r"(?i)transaction|ledger|statement|entries|activity|movement|posting")
"""Lists in which a minus may stand for money that leaves an account."""
TYPES = re.compile(r"(?i)(?:^|_)(?:type|kind|direction)$|(?-i:Type|Direction)$")
STATES = re.compile(r"(?i)^(?:status|state)$")
NOTES = re.compile(r"(?i)^(?:description|name|label|title|memo|category|note)$")
PLAIN = re.compile(r"-?\d{1,9}\.\d{1,2}")
NODES, DEPTH = 3_000, 6
"""Objects and lists of one result that are read, and how deep."""


class Payment(NamedTuple):
    """An amount that moved, as a result has it: `values` are what it can be in whole units, the likeliest first.

    `place` are the names that lead to it, `listed` tells that it is one of a list, `held` is the object around it.
    """

    way: Way
    values: tuple[float, ...]
    place: str
    listed: bool
    held: Mapping[str, Any]


class _Node(NamedTuple):
    value: Any
    names: tuple[str, ...]
    listed: bool


def payments(tool: str, value: Any, repaid: str, taken: str) -> Iterator[Payment]:
    """The payments in a result of a tool; `repaid` and `taken` are expressions for words of the two ways."""
    waiting = deque([_Node(value, (), False)])
    for _ in range(NODES):
        if not waiting:
            return
        node = waiting.popleft()
        if isinstance(node.value, dict):
            yield from _own(node, tool, repaid, taken)
        if len(node.names) < DEPTH and len(waiting) < NODES:
            waiting += _inner(node)


def _inner(node: _Node) -> Iterator[_Node]:
    if isinstance(node.value, dict):
        for name, one in node.value.items():
            if isinstance(one, (dict, list)):
                yield _Node(one, (*node.names, str(name)), node.listed)
    elif isinstance(node.value, list):
        yield from (_Node(one, node.names, True) for one in node.value[:NODES] if isinstance(one, dict))


def _own(node: _Node, tool: str, repaid: str, taken: str) -> Iterator[Payment]:
    """The payments that the plain fields of one object are."""
    for name, one in node.value.items():
        number = None if isinstance(one, (dict, list, bool)) else number_in(one)
        if not number:
            continue
        said = words(str(name))
        rest = [word for word in said if word not in NEUTRAL]
        way: Way = ""
        if DIFFERENCE.search(str(name)) and number < 0:
            way = "refund"
        elif said == ("difference",) and any(TYPES.search(str(one)) for one in node.value):
            # "difference": 45.0, "differenceDirection": "customer_pays"
            way = _around(node, number, tool, repaid, taken)
        elif rest:
            if not all(way_of(word, repaid, taken) for word in rest):
                continue  # `refund_days`, `room_charge_limit`
            way = way_of(" ".join(rest), repaid, taken)
        elif AMOUNT & set(said) or _is_paid(name, said, node):
            way = _around(node, number, tool, repaid, taken)
        else:
            continue  # a total is what all comes to, not what moved
        yield Payment(way, units(str(name), one, number), " ".join((*node.names, str(name))), node.listed, node.value)


@remembered_with
def way_of(text: str, repaid: str, taken: str) -> Way:
    """Which way money went by some words; nothing where they speak of both, or of none."""
    back, paid = expression(repaid).search(text) is not None, expression(taken).search(text) is not None
    return "" if back == paid else "refund" if back else "charge"


def _is_paid(name: str, said: Sequence[str], node: _Node) -> bool:
    """Whether a field that is not called an amount is one: `amount.value`, `payments[].eur`."""
    over = node.names[-1] if node.names else ""
    if name == "value":
        return not AMOUNT.isdisjoint(words(over))
    return bool(said) and CURRENCIES.issuperset(said) and PAID.search(over) is not None


def _around(node: _Node, number: float, tool: str, repaid: str, taken: str) -> Way:
    """Which way an amount went by what stands around it: its type, its state, its ids, its list, the tool."""
    held = node.value
    for names in (TYPES, STATES, NOTES):
        told = " ".join(str(one)[:80] for name, one in held.items() if names.search(str(name)))
        spoken = " ".join(words(told))
        if expression(repaid).search(spoken) or expression(taken).search(spoken):
            way = way_of(spoken, repaid, taken)
            return "" if way == "charge" and number < 0 else way
    ids = " ".join(" ".join(words(str(name))) for name in held if str(name).lower().endswith("id"))
    for text in (*(" ".join(words(name)) for name in reversed(node.names)), ids, "" if node.names else tool):
        if way := way_of(" ".join(words(text)), repaid, taken):
            if number > 0 or way == "refund":
                return way
            return "" if any(ACCOUNTS.search(name) for name in node.names) else "refund"
    return ""


def number_in(value: Any) -> float | None:
    """A plain value as a number; None for what is no amount."""
    if isinstance(value, (int, float)):
        return float(value) if abs(value) < 1e9 else None
    if not isinstance(value, str) or len(value) > 20 or DIGIT.search(value) is None:
        return None
    if PLAIN.fullmatch(value):
        return float(value)
    told = next(amounts(value.lstrip("-")), None)
    return None if told is None else -told.values[0] if value.startswith("-") else told.values[0]


def units(name: str, value: Any, number: float) -> tuple[float, ...]:
    """An amount in whole units: many interfaces count in cents, and some do not say so."""
    size = abs(number)
    if CENTS.search(name):
        return (size / 100,)
    return (size, size / 100) if isinstance(value, int) and size >= 100 else (size,)
