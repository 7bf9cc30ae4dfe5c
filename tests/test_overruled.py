"""Fields that a result has otherwise than they were asked for, where it says why."""

from __future__ import annotations

from typing import Any

import pytest

from tests.general import flagged
from tests.transcripts import Ran


def updated(result: dict[str, Any], **given: Any) -> Ran:
    return ("update_entry", {"entry": "WL-2", "note": "worse", **given}, {"entry": "WL-2", "note": "worse", **result})


LISTED = updated({"priority": "ROUTINE", "changedFields": ["note"]}, priority="URGENT")
FIRES: list[tuple[str, str, Ran]] = [
    ("by what was changed", "I've moved you to the urgent list.", LISTED),
    ("by a flag", "Done: the group runs 10 instances.", updated({"size": 8, "clamped": True}, size=10)),
    (
        "by a note on the value",
        "Emergency order WL-2 is in, and I've noted that it is worse.",
        updated({"priority": "P3", "warnings": ["priority EMERGENCY not known, default used"]}, priority="EMERGENCY"),
    ),
    (
        "by a note on the argument, in words of their own",
        "The deal is now Closed Won.",
        updated(
            {"stage": "contractsent", "messages": ["stage was ignored: a contract is required"]}, stage="closedwon"
        ),
    ),
    (
        "by what is pending",
        "I've updated it: Ann is the owner now.",
        updated({"role": "writer", "pendingOwner": True}, role="owner"),
    ),
]


@pytest.mark.parametrize(("answer", "ran"), [row[1:] for row in FIRES], ids=[row[0] for row in FIRES])
def test_a_field_that_is_another_and_why(answer: str, ran: Ran) -> None:
    assert flagged(answer, [ran]) != []


SILENT: list[tuple[str, str, list[Ran]]] = [
    ("told", "I've left a note; the priority is still routine.", [LISTED]),
    ("what is there is told", "I've updated WL-2: it is on the ROUTINE list, not on the urgent one.", [LISTED]),
    ("asked", "Should it go to the urgent list?", [LISTED]),
    ("not flat", "I've updated the entry, but the urgent list needs a triage.", [LISTED]),
    ("nothing says why", "I've moved it to lane two.", [updated({"lane": "B"}, lane="two")]),
    (
        "it was changed",
        "I've moved you to the urgent list.",
        [updated({"priority": "P1", "changedFields": ["priority"]}, priority="URGENT")],
    ),
    ("as asked", "Done: ten instances.", [updated({"size": 10, "clamped": False}, size=10)]),
    ("another unit", "Done: it runs 90 seconds.", [updated({"size": 90_000, "capped": True}, size=90)]),
    (
        "a code of it",
        "I've moved you to economy.",
        [updated({"cabin": "Y", "changedFields": ["note"]}, cabin="economy")],
    ),
    (
        "a note on something else",
        "I've moved it to the urgent list.",
        [updated({"priority": "P1", "warnings": ["the fax number is missing"]}, priority="URGENT")],
    ),
    (
        "a later call did it",
        "I've moved you to the urgent list.",
        [LISTED, updated({"priority": "URGENT"}, priority="URGENT")],
    ),
    (
        "a later look has it",
        "I've moved you to the urgent list.",
        [LISTED, ("get_entry", {"entry": "WL-2"}, {"entry": "WL-2", "priority": "urgent"})],
    ),
    ("it failed", "I could not move you to the urgent list.", [(LISTED[0], LISTED[1], {"error": "locked"})]),
    (
        "a look",
        "You are on the urgent list.",
        [("get_entry", {"priority": "URGENT"}, {"priority": "ROUTINE", "capped": True})],
    ),
]


@pytest.mark.parametrize(("answer", "ran"), [row[1:] for row in SILENT], ids=[row[0] for row in SILENT])
def test_nothing_is_said(answer: str, ran: list[Ran]) -> None:
    assert [one for one in flagged(answer, ran) if one.startswith("overruled")] == []
