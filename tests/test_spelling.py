"""Values as people spell them."""

from __future__ import annotations

from typing import Any

import pytest

from proxy.spelling import ID, places, spoken


@pytest.mark.parametrize(
    ("value", "text", "found"),
    [
        ("2025-03-13T14:00", "on March 13 at 2 PM", ["March 13"]),
        ("2025-03-13T14:00", "on March 13 at 3 PM", []),
        ("2025-03-13T14:00", "on 13.03.2025", ["13.03.2025"]),
        ("09:00:00", "from 9:00 AM to 10:00", ["9:00 AM"]),
        (39.9, "39.90 or 139.90 or 39,90", ["39.90", "39,90"]),
        (1250, "$1,250.00", ["1,250.00"]),
        ("GO_XL", "the Go XL plan, not GoXLs", ["Go XL"]),
        ("in_progress", "now In Progress", ["In Progress"]),
        ("2TB", "2TB, or 2 TB, but not 2 TBs or 12TB", ["2TB", "2 TB"]),
        (25, "on the 25th of each month, not the 125th", ["25th"]),
        (2, "the 2nd line", []),
        ("", "x", []),
        ("-", "x - y", []),
    ],
)
def test_values_in_peoples_spelling(value: Any, text: str, found: list[str]) -> None:
    assert [text[start:end] for start, end in places(value, text)] == found


@pytest.mark.parametrize("value", ["A-1", "#W2378156", "crd_01HX2", "42a", "v1.2:b", "9f" * 20])
def test_letters_and_digits_are_an_id(value: str) -> None:
    assert ID.fullmatch(value)


@pytest.mark.parametrize(
    "value",
    ["", "A1", "refund", "1042", "12.50", "A 1", "mail a1@b.c", "A-1\n", "9f" * 21, "no digit", "x" * 2_000 + "1"],
)
def test_words_numbers_and_whole_texts_are_none(value: str) -> None:
    assert not ID.fullmatch(value)


@pytest.mark.parametrize(
    ("code", "text", "found"),
    [
        ("third_party_fire_theft", "Third party, fire and theft", ["Third party, fire and theft"]),
        ("MAX_UNL", "on Max Unlimited now", ["Max Unlimited"]),
        ("SUV_FULL", "a full-size SUV", ["full-size SUV"]),
        ("FLEXI50", "on Flexi 50, not on Flexi 500", ["Flexi 50"]),
        ("FLEX_5GB", "Flex 5GB", ["Flex 5GB"]),
        ("ROOM_SEA_VIEW", "a room that has a view of the sea", []),
        ("THU-1730", "Thu 17:30", []),
        ("basic", "basic", []),
        ("A1", "A 1", []),
        (50, "50", []),
    ],
)
def test_codes_as_people_say_them(code: Any, text: str, found: list[str]) -> None:
    assert [text[start:end] for start, end in spoken(code, text)] == found


def test_of_a_long_text_the_end_counts_as_well() -> None:
    note = " ".join(f"word{number}" for number in range(150))
    assert [start for start, _ in places(note, f"It says: {note}.")] == [9]
    assert not list(places(note, f"It says: {note[:-3]}, and no more.".replace("word149", "word150")))
    assert not list(places(f"{note} end", f"It says: {note}. This is the end."))


@pytest.mark.parametrize(
    ("text", "stretch"),
    [
        ("between 8 and 10 AM", "08:00-10:00"),
        ("8–10 am", "08:00-10:00"),
        ("from 08:00 to 10:00", "08:00-10:00"),
        ("von 18 bis 20 Uhr", "18:00-20:00"),
        ("6 to 8 pm", "18:00-20:00"),
        ("9:30 to 12", "09:30-12:00"),
        ("8 to 10 PM", ""),
        ("10 to 8", ""),
        ("9 to 12", ""),
        ("8 of 10", ""),
    ],
)
def test_a_stretch_of_the_day(text: str, stretch: str) -> None:
    asked = ["08:00-10:00", "18:00-20:00", "09:30-12:00"]
    assert [one for one in asked if any(places(one, text))] == ([stretch] if stretch else [])
