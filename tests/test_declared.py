"""The tools that a request declares, found by words, and what is said to happen by itself."""

from __future__ import annotations

import pytest

from proxy import ledger
from proxy.declared import by_itself, declared, may_do
from proxy.ledger import Turn
from proxy.roots import root, vocabulary
from tests.general import policy
from tests.transcripts import messages, transcript

WORDS = vocabulary((("open", "create"),), ("send", "notify"), ("the",))
AUTOMATIC = r"(?i)\bautomatic"


def turn(*names: str, system: str = "", description: str = "") -> Turn:
    tools = [
        {"type": "function", "function": {"name": name, "description": description, "parameters": {}}} for name in names
    ]
    raw = [{"role": "system", "content": system}, *messages([], user="Please do it.")]
    return ledger.read_turn(transcript(raw, tools=tools), policy().marks)


def test_words_that_a_tool_may_do() -> None:
    shop = turn("cancel_order", "get_order", description="Stops a parcel before it leaves.")
    assert may_do(shop, ["I've stopped the parcel"])
    assert may_do(shop, ["cancelled", "the order"])
    assert not may_do(shop, ["Swapped the two days of the plan"])
    assert may_do(turn("get_order"), ["Swapped the two days of the plan"])  # no tool may do anything


@pytest.mark.parametrize(
    ("word", "names"),
    [
        ("ticket", ["create_ticket", "close_ticket"]),
        ("tickets", ["create_ticket", "close_ticket"]),
        ("created", ["create_ticket"]),
        ("closing", ["close_ticket"]),
        ("refund", []),
        ("tick", ["create_ticket", "close_ticket"]),
    ],
)
def test_tools_are_found_by_how_their_verbs_and_things_begin(word: str, names: list[str]) -> None:
    tools = declared(turn("create_ticket", "close_ticket", "send_mail"), WORDS)
    assert [one.name for one in tools.like([root(word)])] == names


def test_tools_come_in_the_order_in_which_they_are_declared() -> None:
    tools = declared(turn("send_mail", "create_ticket"), WORDS)
    assert [one.name for one in tools.like(["ticket", "mail"])] == ["send_mail", "create_ticket"]


def test_of_very_many_tools_nothing_is_remembered() -> None:
    many = turn(*(f"create_thing_{number}" for number in range(400)))
    assert declared(many, WORDS) is not declared(many, WORDS)
    assert declared(turn("send_mail"), WORDS) is declared(turn("send_mail"), WORDS)


@pytest.mark.parametrize(
    ("words", "system", "description", "expected"),
    [
        ({"confirm"}, "A confirmation is mailed automatically.", "", True),
        ({"confirm"}, "", "Books a room. A confirmation goes out automatically.", True),
        ({"confirm"}, "Always ask for confirmation. Points are added automatically.", "", False),
        ({"confirm"}, "Points are added automatically\nAsk for confirmation", "", False),
        ({"refund"}, "A confirmation is mailed automatically.", "", False),
        ({"confirm"}, "", "", False),
    ],
)
def test_what_happens_by_itself_is_said_in_one_sentence(
    words: set[str], system: str, description: str, expected: bool
) -> None:
    assert by_itself(turn("book_room", system=system, description=description), words, AUTOMATIC) is expected
    assert not by_itself(turn("book_room", system=system, description=description), words, "")
