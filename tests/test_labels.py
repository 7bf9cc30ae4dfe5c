"""What an answer tells by labels."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from proxy.labels import Told, labelled, measured, spoken, tabled

TOLD = [
    (labelled, "- **Room:** 14A (sea side)", [("", "14A")]),
    (labelled, "no label here", []),
    (tabled, "| Plan | Price |\n|---|---|\n| Basic | $9 |", [("Basic", "$9"), ("", "$9")]),
    (tabled, "| Plan | Price | Days |\n|---|---|---|\n| Basic | $9 | 30 |", [("Basic", "$9"), ("Basic", "30")]),
    (tabled, "Plan | Price", []),
    (measured, "You have 50 GB left.", [("", "50 GB")]),
    (measured, "You have 50 friends.", []),
    (spoken, "You are in seat 14A.", [("", "14A")]),
    (spoken, "You fly from gates B1.", []),
]


@pytest.mark.parametrize(("read", "text", "values"), TOLD, ids=[row[1] for row in TOLD])
def test_what_is_told(read: Callable[[str], Iterator[Told]], text: str, values: list[tuple[str, str]]) -> None:
    assert [(one.name, one.value) for one in read(text)] == values
