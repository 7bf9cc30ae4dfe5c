"""Days behind labels, and the fields of that name; what may be meant otherwise stays silent."""

from __future__ import annotations

from typing import Any

import pytest

from tests.general import flagged
from tests.transcripts import Ran


def opened(**more: Any) -> list[Ran]:
    return [
        (
            "open_deposit",
            {"months": 12},
            {"id": "TD-2", "value_date": "2025-04-03", "maturity_date": "2026-04-07", **more},
        )
    ]


FIRES = [
    ("an item", "It is open.\n\n- **Maturity:** April 3, 2026", opened(), "April 3, 2026"),
    ("a row", "| | |\n|---|---|\n| Maturity | 3 April 2026 |", opened(), "3 April 2026"),
    ("another year", "- Maturity: April 7, 2027", opened(), "April 7, 2027"),
    (
        "two words",
        "- Contract end: 31 December 2025",
        [("upgrade", {"id": "M"}, {"contractEnd": "2025-10-31"})],
        "31 December 2025",
    ),
    ("with a time", "- Start: May 4, 2026", [("book", {"id": "M"}, {"start": "2026-05-14T10:00"})], "May 4, 2026"),
]


@pytest.mark.parametrize(("answer", "ran", "day"), [row[1:] for row in FIRES], ids=[row[0] for row in FIRES])
def test_another_day_than_the_field_s(answer: str, ran: list[Ran], day: str) -> None:
    assert f"days contradicted {day}" in flagged(answer, ran)


SILENT = [
    ("the day itself", "- Maturity: April 7, 2026", opened()),
    ("without its year", "- Maturity: April 7", opened()),
    ("another label", "- Start of interest: April 3, 2025", opened()),
    ("part of the name", "- Date: April 3, 2026", opened()),
    ("the field's day is told too", "- Maturity: April 3, 2026 in your offer, now April 7, 2026", opened()),
    ("it was", "- Maturity: was April 3, 2026", opened()),
    ("an estimate", "- Maturity: around April 3, 2026", opened()),
    ("a question", "- Maturity: April 3, 2026?", opened()),
    ("a zone away", "- Start: May 4, 2026", [("book", {}, {"start": "2026-05-05T01:00:00Z"})]),
    ("two things have one", "- Maturity: April 3, 2026", opened(others=[{"maturity_date": "2027-04-07"}])),
    ("two days", "- Maturity: April 3 to 5, 2026", opened()),
    ("a change came after it", "- Maturity: April 3, 2026", [*opened(), ("extend", {"id": "TD-2"}, "ok")]),
    ("in a code block", "```\nMaturity: April 3, 2026\n```", opened()),
    ("no day", "- Maturity: in a year", opened()),
    ("no call", "- Maturity: April 3, 2026", []),
]


@pytest.mark.parametrize(("answer", "ran"), [row[1:] for row in SILENT], ids=[row[0] for row in SILENT])
def test_what_it_does_not_accuse(answer: str, ran: list[Ran]) -> None:
    assert [one for one in flagged(answer, ran) if one.startswith("days")] == []
