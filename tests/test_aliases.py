"""Deeds on a thing that goes by a number, and the thing that the call was given."""

from __future__ import annotations

from typing import Any

import pytest

from tests.general import flagged
from tests.transcripts import Ran, messages

LINES: Ran = ("get_line", {"id": "L20"}, {"line_id": "L20", "phone": "555-0117", "roaming": False})
CARDS: Ran = (
    "list_cards",
    {},
    [{"card_id": "c-81", "last4": "4417", "type": "debit"}, {"card_id": "c-82", "last4": "2208", "type": "credit"}],
)


def roam(line: str, result: Any = "ok") -> Ran:
    return ("enable_roaming", {"customer_id": "C1", "line_id": line}, result)


def freeze(card: str, key: str = "card_id") -> Ran:
    return ("freeze_card", {key: card}, {"ok": True})


SAID = "Roaming is now active on your line 555-0117."
FROZEN = "Your debit card ending in 4417 has been frozen."
FIRES: list[tuple[str, str, list[Ran]]] = [
    ("another line", SAID, [LINES, roam("L21")]),
    ("another line, by its own number", SAID, [LINES, roam("L21", {"line_id": "L21", "phone": "555-0118"})]),
    ("another card", FROZEN, [CARDS, freeze("c-82")]),
    ("by another argument", FROZEN, [CARDS, freeze("c-82", "target")]),
    ("dots before the number", "I've frozen your debit ••4417.", [CARDS, freeze("c-82")]),
]


@pytest.mark.parametrize(("answer", "ran"), [row[1:] for row in FIRES], ids=[row[0] for row in FIRES])
def test_another_thing_than_the_one_that_is_named(answer: str, ran: list[Ran]) -> None:
    assert [one.split()[1] for one in flagged(answer, ran) if one.startswith("aliases")] == ["contradicted"]


HONEST: list[tuple[str, str, list[Ran]]] = [
    ("the line itself", SAID, [LINES, roam("L20")]),
    ("its number in the result", SAID, [LINES, roam("L21", "enabled for 555-0117")]),
    ("its number, spelled otherwise", SAID, [LINES, roam("L21", {"enabled_for": "+5550117"})]),
    ("both lines", SAID, [LINES, roam("L21"), roam("L20")]),
    ("the card itself", FROZEN, [CARDS, freeze("c-81")]),
    ("another kind of thing", "Roaming is now on; your account 555-0117 has it.", [LINES, roam("L21")]),
    ("no deed in the sentence", "Your line 555-0117 is on the Basic plan. Roaming is now on.", [LINES, roam("L21")]),
    ("the other one stays", "Your card ending in 4417 stays open; the other has been frozen.", [CARDS, freeze("c-82")]),
    ("denied", "Your card ending in 4417 has not been frozen.", [CARDS, freeze("c-82")]),
    ("asked", "Has your card ending in 4417 been frozen now?", [CARDS, freeze("c-82")]),
    (
        "a number of two things",
        FROZEN,
        [
            ("list_cards", {}, [{"card_id": "c-81", "last4": "4417"}, {"card_id": "c-83", "last4": "4417"}]),
            freeze("c-82"),
        ],
    ),
    ("a number that no look has", "Your card ending in 9911 has been frozen.", [CARDS, freeze("c-82")]),
    ("an amount", "Your card was charged and 4417.00 has been paid.", [CARDS, freeze("c-82")]),
    ("the change failed", FROZEN, [CARDS, ("freeze_card", {"card_id": "c-82"}, {"error": "no"})]),
    ("the outcome is not known", FROZEN, [CARDS, freeze("c-82"), ("freeze_card", {"card_id": "c-99"}, None)]),
    ("an argument of another kind", FROZEN, [CARDS, ("add_note", {"note_id": "N-7"}, {"ok": True})]),
]


@pytest.mark.parametrize(("answer", "ran"), [row[1:] for row in HONEST], ids=[row[0] for row in HONEST])
def test_the_thing_that_is_named(answer: str, ran: list[Ran]) -> None:
    assert [one for one in flagged(answer, ran) if one.startswith("aliases")] == []


def test_a_change_of_an_earlier_turn_may_have_done_it() -> None:
    before = [*messages([CARDS, freeze("c-81")]), {"role": "assistant", "content": "Done."}]
    assert [one for one in flagged(FROZEN, [freeze("c-82")], before=before) if one.startswith("aliases")] == []


@pytest.mark.parametrize(
    "value", [None, "text", [1, [2]], {"card_id": 7, "last4": None}, [{"card_id": f"c-{n}"} for n in range(900)]]
)
def test_odd_looks_are_borne(value: Any) -> None:
    ran: list[Ran] = [("list_cards", {}, value), freeze("c-82")]
    assert [one for one in flagged(FROZEN, ran) if one.startswith("aliases")] == []
