"""Lists that tell a column of a result."""

from __future__ import annotations

from typing import Any

import pytest

from tests.general import flagged
from tests.transcripts import Ran

ROWS = [
    ("Reception", 1.1, 18.9),
    ("A. Fontaine", 16.8, 3.2),
    ("B. Oduya", 7.4, 12.6),
    ("Van 1", 3.0, 7.0),
    ("Van 2", 9.6, 0.4),
]
TABLE = "| user | used_gb | left_gb |\n|---|---|---|\n" + "\n".join(f"| {a} | {b} | {c} |" for a, b, c in ROWS)
USAGE: list[Ran] = [("usage_report", {"cycle": "now"}, TABLE)]
STOCK: list[Ran] = [("list_stock", {}, [{"item": name, "used": used, "left": left} for name, used, left in ROWS])]
LEFT = {name: f"{left} GB" for name, _, left in ROWS}


def told(**other: str) -> str:
    """The list, some of its values replaced."""
    return "Left:\n\n" + "\n".join(f"- {name} – {other.get(name.split()[-1], value)}" for name, value in LEFT.items())


COVER: list[Ran] = [
    (
        "run_tests",
        {},
        "Name               Stmts   Miss  Cover\n--------------------------------------\npaper/auth.py        118     31    74%\n"
        "paper/export.py      203    122    40%\npaper/models.py      310     22    93%\npaper/queue.py        96     41    57%",
    )
]
SHARES = "Worst is `paper/export.py` at 40% (122 missed). Next is `queue.py` at 57%, then `auth.py` at {}; `models.py` has 93%."
FIRES = [
    ("a share in a sentence", SHARES.format("84%"), COVER, ["84"]),
    ("a wrong cell", told(Fontaine="13.2 GB"), USAGE, ["13.2"]),
    ("of JSON", told(Oduya="21.6 GB"), STOCK, ["21.6"]),
    ("in bold", told(Fontaine="**13.2 GB** ⚠️"), USAGE, ["13.2"]),
]


@pytest.mark.parametrize(("answer", "ran", "values"), [row[1:] for row in FIRES], ids=[row[0] for row in FIRES])
def test_a_line_with_another_number(answer: str, ran: list[Ran], values: list[str]) -> None:
    assert [one for one in flagged(answer, ran) if one.startswith("columns")] == [
        f"columns contradicted {one}" for one in values
    ]


HONEST: list[tuple[str, str, list[Any]]] = [
    ("as it is", told(), USAGE),
    ("shares as they are", SHARES.format("74%"), COVER),
    ("a share rounded", SHARES.format("about 74.2%"), COVER),
    ("a share of something else", SHARES.format("31 lines, 69% of which are new"), COVER),
    ("rounded", told(Reception="19 GB"), USAGE),
    ("another column's", told(Fontaine="16.8 GB"), USAGE),
    ("a sum", told(Fontaine="20 GB"), USAGE),
    ("two of few differ", told(Fontaine="13.2 GB", Oduya="44 GB"), USAGE),
    ("two numbers in a line", told(Fontaine="13.2 of 44 GB"), USAGE),
    ("about", told(Fontaine="about 13.2 GB"), USAGE),
    ("a change", told(Fontaine="3.2 → 13.2 GB"), USAGE),
    ("told again", told(Fontaine="13.2 GB") + "\n- A. Fontaine – 3.2 GB", USAGE),
    ("another name", told() + "\n- C. Lindqvist – 44 GB", USAGE),
    ("changed after", told(Fontaine="13.2 GB"), [*USAGE, ("add_data", {"gb": 10}, {"ok": True})]),
    ("too few lines", "- Reception – 18.9 GB\n- A. Fontaine – 13.2 GB\n- B. Oduya – 12.6 GB", USAGE),
    ("no list", "A. Fontaine has 13.2 GB.", USAGE),
    ("a failed look", told(Fontaine="13.2 GB"), [("usage_report", {}, {"error": "timeout"})]),
    ("in code", "```\n" + told(Fontaine="13.2 GB") + "\n```", USAGE),
]


@pytest.mark.parametrize(("answer", "ran"), [row[1:] for row in HONEST], ids=[row[0] for row in HONEST])
def test_lists_that_may_be_right_are_not_accused(answer: str, ran: list[Ran]) -> None:
    assert [one for one in flagged(answer, ran) if one.startswith("columns")] == []


def test_many_rows_stay_bounded() -> None:
    rows = [{"item": f"part-{number}x", "left": number + 0.5} for number in range(5_000)]
    answer = "\n".join(f"- part-{number}x: {number + 0.5}" for number in range(60))
    assert [one for one in flagged(answer, [("list_stock", {}, rows)]) if one.startswith("columns")] == []
