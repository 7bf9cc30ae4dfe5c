"""Ids are of one kind by the letters before their digits, or by their shape."""

from __future__ import annotations

import pytest

from proxy.kinds import of_one_kind


@pytest.mark.parametrize(
    ("one", "other"), [("ORD-1", "ORD-22"), ("4XGCCM", "ZFA04Y"), ("1234", "56789"), ("ord-1", "ORD-2")]
)
def test_ids_of_one_kind(one: str, other: str) -> None:
    assert of_one_kind(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("ORD-1", "ord-1"), ("A1", "A2"), ("ORD-1", "INV-1"), ("12", "12345"), ("ORD-1", "ORD"), ("a", "b")],
)
def test_ids_of_two_kinds(one: str, other: str) -> None:
    assert not of_one_kind(one, other)
