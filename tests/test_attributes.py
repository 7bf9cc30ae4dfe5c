"""Flags, numbers and words of a kind under their own names; what is meant of another thing, or was, stays silent."""

from __future__ import annotations

from typing import Any

import pytest

from tests.general import flagged
from tests.transcripts import Ran


def repository(**more: Any) -> Ran:
    return ("create_repository", {"name": "ledger"}, {"id": 882, "full_name": "tide/ledger", **more})


def rental(**car: Any) -> Ran:
    return ("create_rental", {"category": "CDAR"}, {"rental": "RC-902", "car": car})


AUTOMATIC = "Rent me a compact with an automatic gearbox."
MANUAL = rental(example="VW Golf", transmission="Manual")
EXTRA: Ran = ("update_customer", {"id": "K-66", "city": "Ulm"}, {"id": "K-66", "phone": "0170 5550 1180", "sms": False})
MUG: Ran = ("place_order", {"sku": "MG-B"}, {"order": "O-11", "item": "Mug", "color": "blue"})

FIRES: list[tuple[str, str, str, list[Ran]]] = [
    ("a flag by its own name", "", "The repository is ready.\n- Private: yes", [repository(private=False)]),
    ("a flag that a value names", "", "The repository is ready.\n- Visibility: private", [repository(private=False)]),
    ("a flag in words", "", "The repository is ready.\n\n| Wiki | disabled |\n", [repository(wiki="yes")]),
    ("a number to reach somebody by", "", "All up to date.\n- ✅ Phone: 0151 5550 2217", [EXTRA]),
    ("a gearbox", AUTOMATIC, "Your compact automatic is booked, RC-902.", [MANUAL]),
    ("a colour", "A red mug, please.", "Your red mug is ordered, O-11.", [MUG]),
]
SILENT: list[tuple[str, str, str, list[Ran]]] = [
    ("as the result has it", "", "The repository is ready.\n- Private: no", [repository(private=False)]),
    ("a longer value", "", "Ready.\n- Private: yes, once you upgrade", [repository(private=False)]),
    ("a name that says the opposite", "", "Ready.\n- Non-private: yes", [repository(private=False)]),
    ("a name in several places", "", "Ready.\n- Private: yes", [repository(private=False, fork={"private": True})]),
    ("another name", "", "Ready.\n- SMS reminders for the team: yes", [EXTRA]),
    ("what was before", "", "Ready.\n- Private: yes → no", [repository(private=False)]),
    ("one number in another form", "", "Up to date.\n- Phone: +49 170 55501180", [EXTRA]),
    ("a look after a change", "", "Done.\n- Private: yes", [repository(private=False), repository(private=True)]),
    ("both were spoken of", AUTOMATIC + " Manual would do.", "Your compact automatic or manual is booked.", [MANUAL]),
    ("as the result has it, too", AUTOMATIC, "Only a manual was left, no automatic: RC-902.", [MANUAL]),
    ("nobody asked for it", "Rent me a compact.", "Booked, RC-902. Payment is automatic.", [MANUAL]),
    ("a field of another name", AUTOMATIC, "Your automatic is booked.", [rental(example="Manual de Falla")]),
    ("a name", "A mug for Mr. Brown.", "The mug for Mr. Brown is ordered, O-11.", [MUG]),
    ("the old one", "My green mug broke.", "A new mug to replace your green one is ordered, O-11.", [MUG]),
    (
        "of one of several things that were cancelled",
        "Exchange the bicycle for a red one, and cancel my order.",
        "Your order W-8 is cancelled. Shall I exchange the bicycle for the red one?",
        [
            (
                "cancel_order",
                {"order": "W-8"},
                {"order": "W-8", "items": [{"name": "Mat", "color": "pink"}, {"name": "Purifier"}]},
            )
        ],
    ),
    ("a label has a colour", "Set the red label.", "The red label is set.", [("set_label", {}, {"color": "blue"})]),
]


@pytest.mark.parametrize(("user", "answer", "ran"), [row[1:] for row in FIRES], ids=[row[0] for row in FIRES])
def test_what_stands_otherwise_under_its_own_name_is_told(user: str, answer: str, ran: list[Ran]) -> None:
    (found,) = flagged(answer, ran, user=user or "Go ahead.")
    assert found.startswith("attributes contradicted ")


@pytest.mark.parametrize(("user", "answer", "ran"), [row[1:] for row in SILENT], ids=[row[0] for row in SILENT])
def test_what_may_be_meant_otherwise_is_left_alone(user: str, answer: str, ran: list[Ran]) -> None:
    assert flagged(answer, ran, user=user or "Go ahead.") == []
