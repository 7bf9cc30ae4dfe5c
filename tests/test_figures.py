"""Figures in a text, and slips of them."""

from __future__ import annotations

import re

import pytest

from proxy.figures import clocks, figures, sentence_around, sentences_around, slip


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("€3,241.77 of 4850 in 2025", ["€3,241.77", "4850"]),
        ("481 passed, 61.22 s", ["481", "61.22"]),
        ("about 481", ["481"]),
        ("1,1,1,1,1,1,1,1,1,1,1 of 4850", ["4850"]),
        ("合计:4,318台, 第3名, 9月24日, 3階", ["4,318"]),
        ("1,284명 / 12.5만 명", ["12.5만", "1,284"]),
        ("142 °F, 26 miles, T-481, #481, v4.8.1, 48.1%, 3/4, 40–48, 12:30", []),
    ],
)
def test_figures(text: str, said: list[str]) -> None:
    assert [one.text for one in figures(text)] == said


def test_about_is_vague() -> None:
    assert [one.vague for one in figures("about 481, and 482")] == [True, False]


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("18:15, 6:15 pm, 6pm, 12:05 am", [1095, 1095, 5, 1080]),
        ("18:15:30 25:10 1.18:15", []),
        ("2025-10-03T19:15", [1155]),
    ],
)
def test_clocks(text: str, minutes: list[int]) -> None:
    assert [one for _, _, one in clocks(text)] == minutes


@pytest.mark.parametrize(
    ("said", "known", "chance"),
    [
        (3241.77, 3214.77, 5 / 900_000),
        (94.5, 84.5, 27 / 900),
        (12840, 1284, 0.002),
        (84_000, 48_000, 1 / 90),
        (77, 71, 18 / 90),
        (3214.77, 3214.77, 1),
        (481, 575, 1),
        (418, 41, 1),
    ],
)
def test_slip(said: float, known: float, chance: float) -> None:
    assert slip(said, known) == pytest.approx(chance)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("One. Two is here. Three.", "Two is here."),
        ("Gut. Am 10.11. um 8 Uhr is it nicht. Ende", "Am 10.11. um 8 Uhr is it nicht."),
        ("Gut. Am 19. November is es. Ende", "Am 19. November is es."),
        ("Paid in 2025. This is new. Done", "This is new."),
        ("Yes. Dr. Lee is in. Bye", "Dr. Lee is in."),
        ("Yes. M. Tremblay is in. Bye", "M. Tremblay is in."),
        ("It ends with is.", "It ends with is."),
        ("- a line\nwhat is it\nnext", "what is it"),
    ],
)
def test_the_sentence_around_a_word(text: str, sentence: str) -> None:
    at = text.index("is ") if "is " in text else text.index("is.")
    assert sentence_around(text, at, at + 2) == sentence


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nothing of it",
        "Here it is and is",
        "That is, as it is, so. This is! What is this\nand is that? Is is.",
        "Mr. Lee is in, M. Tremblay is in, and so is Dr. Ott. Nobody else is.",
        "is " + "Dr. is " * 3 + "here. That is it.",
    ],
)
def test_the_sentences_around_words_are_those_around_each_of_them_once(text: str) -> None:
    spans = [found.span() for found in re.finditer(r"\bis\b", text)]
    each = dict.fromkeys(sentence_around(text, *span) for span in spans)
    assert [*sentences_around(text, spans)] == [*each]
    assert sorted(sentences_around(text, reversed(spans))) == sorted(each)
