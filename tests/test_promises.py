"""What is said to be under way, or to come at once, while the turn ends without it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.general import findings
from tests.transcripts import Ran

TOOLS = [
    {"type": "function", "function": {"name": name, "parameters": {}}}
    for name in ("get_line", "resume_line", "send_voucher", "merge_contacts", "pickup_cancel", "deployments.rollback")
]


def told(answer: str, ran: list[Ran], user: str = "What now?", tools: Any = None) -> list[str]:
    found = findings(answer, ran, user=user, tools=TOOLS if tools is None else tools)
    return [f"{one.rule} {one.verdict} {one.subject}" for one in found if one.flagged]


DOING: list[tuple[str, str, list[Ran], bool]] = [
    ("right now", "I'm sorry! **I'm resuming it right now**, and I'll be back in a minute.", [], True),
    ("as we speak", "I'm merging them as we speak.", [], True),
    ("by its thing", "I am sending the voucher, it should reach you soon.", [], True),
    ("and another", "I'm opening the file and **resuming the line now**.", [], True),
    ("nobody says who", "Your line is being resumed now.", [], True),
    ("it was called", "I'm resuming it right now.", [("resume_line", {"line": "L4"}, {"status": "queued"})], False),
    ("a result tells of it", "I'm resuming it now.", [("get_line", {}, {"line": "resuming"})], False),
    ("a look", "I'm looking at it right now.", [], False),
    ("no such tool", "I'm painting it right now.", [], False),
    ("it is not", "I'm not resuming it now.", [], False),
    ("it would be", "I would be resuming it now if I could.", [], False),
    ("asked", "Is it being resumed now?", [], False),
    ("without a time or a thing", "I'm sending you my regards.", [], False),
]


@pytest.mark.parametrize(("answer", "ran", "fires"), [row[1:] for row in DOING], ids=[row[0] for row in DOING])
def test_what_is_said_to_be_under_way(answer: str, ran: list[Ran], fires: bool) -> None:
    assert bool(told(answer, ran)) == fires


LOOK: Ran = ("get_pickup", {"ref": "PU-3"}, {"ref": "PU-3", "cancel_fee": 75.0})
NEXT: list[tuple[str, str, list[Ran], bool]] = [
    ("a look", "I will now check the shipping estimate. Please hold on a moment.", [], True),
    ("with what it is for", "I'll look up your orders first.\nPlease wait a moment while I gather them.", [], True),
    ("a deed, and a look had a word of it", "I'm cancelling PU-3 at this moment.", [LOOK], True),
    ("rolling back", "It is the deploy. I'm rolling it back now.", [], True),
    ("nobody shall wait", "I will now check the shipping estimate.", [], False),
    ("wait for something else", "Your parcel is packed. Please wait a moment before you open it.", [], False),
    ("once they agree", "Once you confirm, I will check it. Please wait a moment.", [], False),
    ("it asks", "Shall I check it? Please give me a moment to decide.", [], False),
    ("it was done", "I will now resume it. Please hold on a moment.", [("resume_line", {"l": 1}, "ok")], False),
    ("handed on", "YOU ARE BEING TRANSFERRED. PLEASE HOLD ON.", [("transfer_to_human", {}, "ok")], False),
    ("denied", "I will not check it now. Please wait a moment.", [], False),
    ("in the middle", "One moment. That is your order: two lamps.", [LOOK], False),
]


@pytest.mark.parametrize(("answer", "ran", "fires"), [row[1:] for row in NEXT], ids=[row[0] for row in NEXT])
def test_what_is_said_to_come_at_once(answer: str, ran: list[Ran], fires: bool) -> None:
    found = [one for one in told(answer, ran) if one.startswith("promises")]
    assert bool(found) == fires, found


def test_without_tools_nothing_can_be_called() -> None:
    assert told("I will now check the estimate. Please hold on a moment.", [], tools=[]) == []
