"""Of what kind a thing was asked for and told, and of what kind it is in the result."""

from __future__ import annotations

from typing import Any

import pytest

from tests.general import flagged
from tests.transcripts import Ran


def share(role: str = "editor", **result: Any) -> Ran:
    return ("share_file", {"file": "F-3", "to": "dana", "role": role}, {"file": "F-3", **result})


def refund(**result: Any) -> Ran:
    return ("cancel_ticket", {"ticket": "TK-20", "refund_to": "CARD"}, {"ticket": "TK-20", "refund": result})


EDITS = "Dana can now edit the plan."
CARD: Ran = ("set_plan", {"plan": "annual"}, {"plan": {"name": "Pro", "interval": "monthly"}})

FIRES: list[tuple[str, str, list[Ran]]] = [
    ("a role", EDITS, [("share_file", {"file": "F-3", "role": "editor"}, {"file": "F-3", "role": "viewer"})]),
    ("a role in an object", EDITS, [share(grant={"to": "dana", "role": "READER"})]),
    ("an own entry", EDITS, [share(grants=[{"to": "dana", "role": "viewer"}])]),
    ("in German", "Dana darf den Plan jetzt bearbeiten.", [share(grant={"role": "reader"})]),
    ("a way of paying", "The $86 will go back to your card.", [refund(requested="CARD", applied="VOUCHER")]),
    ("in French", "Les 86 € sont remboursés sur votre carte bancaire.", [refund(applied="VOUCHER")]),
    ("board", "夕食付きのプランに変更いたしました。", [("change_plan", {"plan": "HB"}, {"plan": {"code": "BB"}})]),
    (
        "a seat",
        "You have an aisle seat now.",
        [("assign_seat", {"kind": "aisle"}, {"seat": {"no": "19E", "kind": "MIDDLE"}})],
    ),
    ("billing", "You're on the annual plan now.", [CARD]),
]


@pytest.mark.parametrize(("answer", "ran"), [row[1:] for row in FIRES], ids=[row[0] for row in FIRES])
def test_another_kind_than_was_asked_for(answer: str, ran: list[Ran]) -> None:
    assert any(one.startswith("kinds contradicted") for one in flagged(answer, ran))


SILENT: list[tuple[str, str, list[Ran]]] = [
    ("as it was asked for", EDITS, [share(grant={"role": "editor"})]),
    ("by another word of the kind", EDITS, [share(grant={"role": "writer"})]),
    ("told as it is", "Dana can view the plan now, and not edit it.", [share(grant={"role": "viewer"})]),
    ("told as it is, in German", "Dana kann den Plan jetzt nur lesen.", [share(grant={"role": "viewer"})]),
    ("neither is told", "I've shared the plan with Dana.", [share(grant={"role": "viewer"})]),
    ("another's role", EDITS, [share(owner={"name": "Mara", "role": "owner"}, organizer={"role": "viewer"})]),
    ("who invites", EDITS, [share(inviter={"role": "viewer"})]),
    ("another member's role", EDITS, [share(members=[{"user": "mo", "role": "viewer"}], added={"user": "dana"})]),
    ("a role before", EDITS, [share(previous_role="viewer")]),
    ("what could be had", EDITS, [share(available_roles=["viewer", "commenter"])]),
    ("another field that is not called so", EDITS, [share(mode="view")]),
    ("both are there", EDITS, [share(grants=[{"to": "dana", "role": "editor"}, {"to": "eve", "role": "viewer"}])]),
    ("told with the other word", "$86 come back as a voucher, not to your card.", [refund(applied="VOUCHER")]),
    ("a doubt", "The $86 would go back to your card.", [refund(applied="VOUCHER")]),
    ("called so", "The $86 will go back to your card.", [refund(card_last4="4417", kind="voucher")]),
    ("each month, and paid by the year", "You're on the annual plan at $10 per month.", [CARD]),
    (
        "a file of the other kind before",
        "Here is your PDF.",
        [
            (
                "convert_file",
                {"file": "a.xlsx", "to": "pdf"},
                {"file": {"type": "xlsx"}, "pdf_url": "https://x.example/a.pdf"},
            )
        ],
    ),
    ("no code of a kind", EDITS, [share("lead-writer", grant={"role": "viewer"})]),
    ("once more", EDITS, [share(grant={"role": "viewer"}), share(grant={"role": "editor"})]),
    ("seen later", EDITS, [share(grant={"role": "viewer"}), ("get_file", {"file": "F-3"}, {"dana": "edit"})]),
    ("only a look", EDITS, [("get_share", {"role": "editor"}, {"role": "viewer"})]),
    ("hostile", EDITS, [("share_file", {"role": "editor"}, {"a": [[["viewer"]] * 400] * 400})]),
]


@pytest.mark.parametrize(("answer", "ran"), [row[1:] for row in SILENT], ids=[row[0] for row in SILENT])
def test_the_kind_that_is_there_or_told_is_left_alone(answer: str, ran: list[Ran]) -> None:
    assert [one for one in flagged(answer, ran) if one.startswith("kinds")] == []
