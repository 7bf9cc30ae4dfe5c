"""Lines of an answer that repeat what a result lists, and a line that has another entry's value."""

from __future__ import annotations

from typing import Any

import pytest

from tests.general import findings
from tests.transcripts import Ran


def search(*assignees: Any, **more: Any) -> Ran:
    titles = ["Double charge", "VAT missing", "Wrong currency", "Refund stuck"]
    found = [
        {"key": f"BIL-3{at}0", "title": titles[at], "age_d": 12 + at, "assignee": one, **more}
        for at, one in enumerate(assignees)
    ]
    return ("ticket_search", {"queue": "billing"}, {"total": len(found), "tickets": found})


def told(answer: str, *ran: Ran) -> list[str]:
    user = "Which billing tickets are open?"
    return [one.subject for one in findings(answer, ran, user=user, tools=[]) if one.rule == "listings"]


def lines(*names: str) -> str:
    return "Open:\n\n" + "\n".join(f"{at + 1}. **BIL-3{at}0** {one}" for at, one in enumerate(names))


SEARCH = search("Tess", "Tess", "Milo")


@pytest.mark.parametrize(
    ("answer", "ran", "subject"),
    [
        (lines("Tess", "Milo", "Milo"), SEARCH, "BIL-310"),
        ("| Ticket | Who |\n|---|---|\n| BIL-300 | Tess |\n| BIL-310 | Milo |\n| BIL-320 | Milo |", SEARCH, "BIL-310"),
        ("- Double charge: Tess\n- VAT missing: Milo\n- Wrong currency: Milo", SEARCH, "BIL-310"),
        (lines("Tess", "Milo", "Milo", "unassigned"), search("Tess", "Tess", "Milo", None), "BIL-310"),
    ],
)
def test_another_entrys_value(answer: str, ran: Ran, subject: str) -> None:
    assert told(answer, ran) == [subject]


@pytest.mark.parametrize(
    ("answer", "ran"),
    [
        (lines("Tess", "Tess", "Milo"), [SEARCH]),
        (lines("Tess", "Milo"), [search("Tess", "Tess")]),  # two are no list
        (lines("Tess", "Tess (Milo asked)", "Milo"), [SEARCH]),
        (lines("Tess", "Milo", "Tess"), [SEARCH]),  # two lines: it may be another thing that is told
        (lines("Tess", "Vera", "Milo"), [SEARCH]),  # nobody's
        (lines("Tess", "now with Milo", "Milo"), [SEARCH]),
        (lines("Tess", "I suggest Milo", "Milo"), [SEARCH]),
        (lines("Tess", "Tess → Milo", "Milo"), [SEARCH]),
        (lines("Tess", "", "Milo"), [SEARCH]),
        (
            lines("Tess", "Milo", "Milo"),
            [SEARCH, ("ticket_get", {"key": "BIL-310"}, {"key": "BIL-310", "assignee": "Milo"})],
        ),
        (lines("Tess", "Milo", "Milo"), [search("Tess", "Tess", "Milo", watcher="Milo")]),
        ("BIL-300 is with Tess, BIL-310 with Milo, BIL-320 with Milo.", [SEARCH]),  # one line
    ],
)
def test_what_is_no_exchange(answer: str, ran: list[Ran]) -> None:
    assert told(answer, *ran) == []
