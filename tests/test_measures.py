"""Quantities with a unit in the sentence of a deed."""

from __future__ import annotations

from typing import Any

import pytest

from tests.general import flagged
from tests.transcripts import Ran


def added(gb: Any = 1.0, **result: Any) -> list[Ran]:
    return [("refuel_data", {"line": "L2011", "gb_amount": gb}, result or {"new_data_gb": gb, "charge": 2.5})]


VOLUME: list[Ran] = [("resize_volume", {"id": "v-1", "grow_by": "10 GB"}, {"id": "v-1", "status": "ok"})]

FIRES = [
    ("what was asked for", "Done! I've added 2 GB of data to line L2011.", added(), ["2 GB"]),
    ("beside another", "I've added 2 GB to line L2011, so you now have 2.4 GB left.", added(), ["2 GB"]),
    ("a unit in the value", "I've added 20 GB to volume v-1.", VOLUME, ["20 GB"]),
]


@pytest.mark.parametrize(("answer", "ran", "subjects"), [row[1:] for row in FIRES], ids=[row[0] for row in FIRES])
def test_another_quantity(answer: str, ran: list[Ran], subjects: list[str]) -> None:
    found = [one for one in flagged(answer, ran, user="2 GB please.") if one.startswith("measures")]
    assert found == [f"measures contradicted {one}" for one in subjects]


HONEST: list[tuple[str, str, list[Any]]] = [
    ("as it was given", "I've added 1 GB of data to line L2011.", added()),
    ("in another unit", "I've added 1024 MB of data to line L2011.", added()),
    ("of thousands", "I've added 1000 MB of data to line L2011.", added()),
    ("the result's", "I've added 2 GB of data to line L2011.", added(data_gb=2.0)),
    ("the sum", "I've added data, 6 GB in all, to line L2011.", added(data_gb=5.0)),
    ("up to", "I've raised line L2011 to 3 GB.", added()),
    ("both are told", "I've added 1 GB, not 2 GB, to line L2011.", added()),
    ("a plan's name", "I've added data to your 5 GB plan.", added()),
    ("an offer", "Shall I add 2 GB to line L2011?", added()),
    ("a failed call", "I've added 2 GB.", [("refuel_data", {"gb_amount": 1.0}, {"error": "locked"})]),
    ("two calls", "I've added 2 GB of data to line L2011.", [*added(), *added()]),
    ("no unit", "I've added 2 GB.", [("refuel_data", {"amount": 1.0}, {"ok": True})]),
    ("odd arguments", "I've added 2 GB.", [("refuel_data", {"gb": [[[[[1]]]]]}, {"ok": True})]),
]


@pytest.mark.parametrize(("answer", "ran"), [row[1:] for row in HONEST], ids=[row[0] for row in HONEST])
def test_quantities_that_may_be_right_are_not_accused(answer: str, ran: list[Ran]) -> None:
    assert [one for one in flagged(answer, ran, user="2 GB please.") if one.startswith("measures")] == []
