"""Statements that a source could be held to, and the many sentences that are none."""

from __future__ import annotations

import pytest

from proxy.reading import Reading
from tests.transcripts import lexicon


def statements(text: str) -> list[str]:
    return [claim.subject for claim in Reading(text, lexicon()).claims(frozenset({"statement"}))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The Eiffel Tower is 330 m tall.", ["The Eiffel Tower is 330 m tall."]),
        ("It is tall. The tower was finished in 1889, they say.", ["The tower was finished in 1889, they say."]),
        ("- Paris has 2.1 million inhabitants.\n- Lyon is a city.", ["Paris has 2.1 million inhabitants."]),
        ("**Marie Curie won the Nobel Prize in 1903.** She did.", ["Marie Curie won the Nobel Prize in 1903."]),
        ("Intro. [source](https://e.org/a) The tower was built in 1889.", ["The tower was built in 1889."]),
        (
            "The Louvre opened in 1793. [source](https://e.org/a) [other][2]\nThe tower was built in 1889.",
            ["The tower was built in 1889."],
        ),
        ("The tower\nis 330 metres\ntall.", ["The tower\nis 330 metres\ntall."]),
        ("Python 3.11 does not support that platform.", ["Python 3.11 does not support that platform."]),
        (
            'The report calls it "a failure of the highest order".',
            ['The report calls it "a failure of the highest order".'],
        ),
        (
            "珠穆朗玛峰位于喜马拉雅山脉，海拔8848米，是世界最高峰。",
            ["珠穆朗玛峰位于喜马拉雅山脉，海拔8848米，是世界最高峰。"],
        ),
    ],
)
def test_what_states_something(text: str, expected: list[str]) -> None:
    assert statements(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "It works.",
        "That is a really good idea, in general.",
        "# The Eiffel Tower is 330 m tall",
        "**The Eiffel Tower is 330 m tall**",
        "> The Eiffel Tower is 330 m tall.",
        "```\nThe Eiffel Tower is 330 m tall.\n```",
        "| Eiffel Tower | is 330 m tall |",
        "`The Eiffel Tower is 330 m tall.`",
        "Is the Eiffel Tower 330 m tall?",
        "Perhaps the Eiffel Tower is 330 m tall.",
        "If the Eiffel Tower is 330 m tall, it sways.",
        "I updated 3 files in the Eiffel Tower project.",
        "You can visit the Eiffel Tower for 35 euros.",
        "We measured the Eiffel Tower at 330 m.",
        "All 12 tests of the Tower suite pass now.",
        "The [Eiffel Tower](https://e.org) is 330 m tall.",
        "It is tall. [The Eiffel Tower](https://e.org) is 330 m tall.",
        "[Source](https://e.org) The Eiffel Tower is 330 m tall.",
        "The Eiffel Tower is 330 m tall (https://e.org).",
        "The Eiffel Tower is 330 m tall. [source](https://e.org)",
        "The Eiffel Tower is 330 m tall.[1]",
        "These are the heights of the Eiffel Tower in 1889:",
    ],
)
def test_what_states_nothing_to_look_up(text: str) -> None:
    assert statements(text) == []


def test_the_places_are_those_of_the_text() -> None:
    text = "# Paris\n\nA word. The Eiffel Tower is 330 m tall; it was\nfinished in 1889. Another word."
    for claim in Reading(text, lexicon()).claims(frozenset({"statement"})):
        assert text[claim.start : claim.end] == claim.subject
        assert claim.count == 5


def test_a_flood_is_bounded() -> None:
    assert len(statements("The Eiffel Tower is 330 m tall. " * 1_000)) == 200
