"""Rows of results, and what lines tell of them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from proxy.fields import fields
from proxy.results import Result
from proxy.rows import Rows
from tests.general import flagged
from tests.transcripts import Ran

SHEET: list[Ran] = [
    (
        "read_sheet",
        {"sheet": "PL"},
        "month,net,orders\n2025-03,41210.50,611\n2025-04,38995.25,587\n2025-05,52740.00,702\n",
    )
]
VISITS: list[Ran] = [
    (
        "list_visits",
        {},
        [
            {"guest": "Noor Haddad", "room": "B-12", "start": "2026-03-04T09:15", "leaves": "2026-03-06", "fee": 118.4},
            {"guest": "Piet Vos", "room": "C-07", "start": "2026-03-04T11:40", "leaves": "2026-03-09", "fee": 264.9},
            {"guest": "Lia Conti", "room": "A-31", "start": "2026-03-04T16:05", "leaves": "2026-03-11", "fee": 91.7},
        ],
    )
]
REGIONS: list[Ran] = [
    ("bi_query", {}, "月份    | 北区 | 南区\n2025-05 | 3107 | 2244\n2025-06 | 2891 | 2530\n2025-07 | 3350 | 2716")
]
FIRES: list[tuple[str, str, list[Ran], list[str]]] = [
    ("a month's", "- **April 2025:** €41,210.50", SHEET, ["€41,210.50"]),
    ("a table", "| Month | Net |\n|---|---|\n| April | 41,210.50 |\n| May | 52,740.00 |", SHEET, ["41,210.50"]),
    ("two lines swapped", "- Noor Haddad: 264.90\n- Piet Vos: 118.40", VISITS, ["264.90", "118.40"]),
    ("a time before the name", "1. **11:40** Noor Haddad\n2. **09:15** Piet Vos", VISITS, ["11:40", "09:15"]),
    ("a day", "Piet Vos (C-07) leaves on March 11, 2026.", VISITS, ["March 11, 2026"]),
    ("one after another", "Fees: Noor Haddad 91.70, Piet Vos 264.90, Lia Conti 91.70", VISITS, ["91.70"]),
    ("a name in ticks", "`B-12` costs 91.70 a night", VISITS, ["91.70"]),
    ("a month that only the lead names", "六月销量:\n- 北区:3,107 台\n- 南区:2,244 台", REGIONS, ["3,107", "2,244"]),
]


def told(answer: str, ran: list[Ran], **more: Any) -> list[str]:
    found = (one.split(" ", 2) for one in flagged(answer, ran, **more))
    return [subject for rule, _, subject in found if rule == "rows"]


@pytest.mark.parametrize(("answer", "ran", "values"), [row[1:] for row in FIRES], ids=[row[0] for row in FIRES])
def test_what_is_another_rows(answer: str, ran: list[Ran], values: list[str]) -> None:
    assert told(answer, ran) == values


SILENT: list[tuple[str, str, list[Ran]]] = [
    ("as it is", "- **April 2025:** €38,995.25 (587 orders)", SHEET),
    ("all as it is", "- Noor Haddad: 09:15, 118.40\n- Piet Vos: 11:40, 264.90", VISITS),
    ("both are named", "April was down from 41,210.50 in March.", SHEET),
    ("a comparison", "April 2025: 41,210.50 the month before", SHEET),
    ("beside its own", "- April 2025: 38,995.25 (41,210.50)", SHEET),
    ("rounded", "- April 2025: €39k, i.e. 38,995", SHEET),
    ("a difference", "April 2025 came in 2,215.25 lower.", SHEET),
    ("a number of nobody's", "- April 2025: 44,444.00", SHEET),
    ("a question", "Did you mean April 2025 at 41,210.50?", SHEET),
    ("two names in one line", "Noor Haddad and Piet Vos come at 11:40.", VISITS),
    ("a first name of another", "Noor Haddad brings Conti, who comes at 16:05.", VISITS),
    ("told by the user", "Noor Haddad: 264.90", [VISITS[0]]),
    ("no name", "The fee is 264.90.", VISITS),
    ("small numbers", "- Pan: 4\n- Pot: 3", [("list_stock", {}, [{"item": "Pan", "n": 3}, {"item": "Pot", "n": 4}])]),
    ("in a quotation", "> Noor Haddad: 264.90", VISITS),
    ("changed after", "- Noor Haddad: 264.90", [*VISITS, ("update_visit", {"guest": "Noor Haddad"}, {"ok": True})]),
    ("a failed look", "- Noor Haddad: 264.90", [("list_visits", {}, {"error": "timeout"})]),
    (
        "another zone",
        "- Noor Haddad: 10:15\n- Piet Vos: 11:15",
        [
            (
                "list_visits",
                {},
                [
                    {"g": "Noor Haddad", "at": "09:15"},
                    {"g": "Piet Vos", "at": "10:15"},
                    {"g": "Eli Roth", "at": "11:15"},
                ],
            )
        ],
    ),
    (
        "an end that the length gives",
        "Standup goes to 09:45.",
        [
            (
                "day",
                {},
                [{"name": "Standup", "start": "09:15", "min": 30}, {"name": "Review", "start": "09:45", "min": 60}],
            )
        ],
    ),
    (
        "a night that the nights give",
        "Hotel Sol: checkout 4 May 2026.",
        [
            (
                "trip",
                {},
                [
                    {"hotel": "Hotel Sol", "in": "2026-05-01", "nights": 3},
                    {"hotel": "Hotel Mar", "in": "2026-05-04", "nights": 2},
                ],
            )
        ],
    ),
    (
        "a part of the row",
        "A-101 has one line of 24.50.",
        [
            (
                "orders",
                {},
                [
                    {
                        "id": "A-101",
                        "total": 60.5,
                        "lines": [{"sku": "X1-red", "total": 24.5}, {"sku": "Y2-blue", "total": 36.0}],
                    },
                    {"id": "A-102", "total": 81.25, "lines": [{"sku": "Z3-pink", "total": 81.25}]},
                ],
            )
        ],
    ),
    (
        "one name for two rows",
        "Kabel: 31.90",
        [("list", {}, [{"name": "Kabel", "n": 12.5}, {"name": "Kabel", "n": 31.9}, {"name": "Stecker", "n": 44.0}])],
    ),
    ("a month of two rows", "May: 210", [("q", {}, "month,area,n\n2025-05,N,180\n2025-05,S,210\n2025-06,N,240")]),
    ("its own in a comparison", "六月北区 2,891 台,比上月低。\n- 北区:3,107 台\n- 南区:2,244 台", REGIONS),
    ("its own in the lead", "六月北区是 2,891 台。\n- 上月:3,107 台\n- 南区上月:2,244 台", REGIONS),
]


@pytest.mark.parametrize(("answer", "ran"), [row[1:] for row in SILENT], ids=[row[0] for row in SILENT])
def test_what_may_be_the_rows_own(answer: str, ran: list[Ran]) -> None:
    user = "I think it is 264.90?" if answer == "Noor Haddad: 264.90" else "Tell me."
    assert told(answer, ran, user=user) == []


MEANT = [
    ("Ann Lee: 12", 0),
    ("ann lee: 12", 0),
    ("Bo Fry and Ann Lee", None),
    ("Annlee", None),
    ("AnnLee: 12", None),
    ("IT: 12", 1),
    ("it: 12", None),
    ("the file rows.py: 12", 1),
    ("nobody", None),
]


@pytest.mark.parametrize(("stretch", "row"), MEANT, ids=[one for one, _ in MEANT])
def test_which_row_a_stretch_means(stretch: str, row: int | None) -> None:
    value = [{"who": "Ann Lee", "code": "AT", "at": "src/a.py"}, {"who": "Bo Fry", "code": "IT", "at": "src/rows.py"}]
    read = list(fields(Result(json.dumps(value)), 0, 0))
    meant = Rows(read).meant(stretch)
    things = sorted({one.thing for one in read})
    assert (None if meant is None else things.index(meant.thing)) == row
