"""Values of two entries in one line; lines that compare, and answers about several things, stay silent."""

from __future__ import annotations

from typing import Any

import pytest

from tests.general import flagged
from tests.transcripts import Ran

CARS = [
    {"model": "Kombi Sport", "plate": "HH-AC 4410", "driver": "Ute Franke", "fuel": "diesel"},
    {"model": "Transit Van", "plate": "HH-AC 9027", "driver": "Mirko Juric", "fuel": "diesel"},
    {"model": "City Mini", "plate": "HH-AC 3115", "driver": "Ann Lee", "fuel": "petrol"},
]
PEOPLE = [
    {"name": "Olga Petrenko", "title": "Analyst", "phone": "+44 20 7946 0311", "email": "olga@b.example"},
    {"name": "Marcus Leigh", "title": "IT Director", "phone": "+44 20 7946 0358", "email": "marcus@b.example"},
]


def looked(entries: list[dict[str, Any]], name: str = "entries") -> list[Ran]:
    return [("get_order", {"order": "AR-7"}, {"order": "AR-7", name: entries})]


FIRES = [
    ("an item", "1. **Kombi Sport**, HH-AC 4410, driver Mirko Juric", looked(CARS), "Mirko Juric"),
    ("a row", "| car | driver |\n|---|---|\n| City Mini, HH-AC 3115 | Ute Franke |", looked(CARS), "Ute Franke"),
    ("a list alone", "- Kombi Sport: Ann Lee", [("list_cars", {}, CARS)], "Ann Lee"),
    (
        "an answer about one",
        "The one to call is **Marcus Leigh**, IT Director.\n\n- Phone: +44 20 7946 0311\n- Mail: marcus@b.example",
        looked(PEOPLE),
        "+44 20 7946 0311",
    ),
]


@pytest.mark.parametrize(("answer", "ran", "value"), [row[1:] for row in FIRES], ids=[row[0] for row in FIRES])
def test_a_value_of_another_entry(answer: str, ran: list[Ran], value: str) -> None:
    assert f"crossed contradicted {value}" in flagged(answer, ran)


SILENT = [
    ("its own", "1. **Kombi Sport**, HH-AC 4410, driver Ute Franke", looked(CARS)),
    ("both in one line", "- Kombi Sport and Transit Van: Ute Franke and Mirko Juric", looked(CARS)),
    ("they changed places", "- Kombi Sport: Mirko Juric instead of Ute Franke", looked(CARS)),
    ("its own stands elsewhere", "- Kombi Sport: Mirko Juric\n\nUte Franke takes the other one.", looked(CARS)),
    ("three of them", "- Kombi Sport, Transit Van, City Mini", looked(CARS)),
    ("a value that several have", "- Kombi Sport runs on diesel", looked(CARS)),
    ("no such field of its own", "- Kombi Sport: Ann Lee", looked([{"model": "Kombi Sport"}, {"driver": "Ann Lee"}])),
    ("a sentence", "I asked Mirko Juric about the Kombi Sport.", looked(CARS)),
    ("a question", "- Kombi Sport for Mirko Juric?", looked(CARS)),
    ("a comparison", "- Kombi Sport is larger than the car of Ann Lee", looked(CARS)),
    ("one entry", "- Kombi Sport: Mirko Juric", looked(CARS[:1])),
    ("a change came after it", "- Kombi Sport: Mirko Juric", [*looked(CARS), ("swap_drivers", {"a": 1, "b": 2}, "ok")]),
    ("two people are named", "Olga Petrenko or Marcus Leigh\n\n- Phone: +44 20 7946 0311", looked(PEOPLE)),
    ("in a code block", "```\n- Kombi Sport: Mirko Juric\n```", looked(CARS)),
]


@pytest.mark.parametrize(("answer", "ran"), [row[1:] for row in SILENT], ids=[row[0] for row in SILENT])
def test_what_it_does_not_accuse(answer: str, ran: list[Ran]) -> None:
    assert [one for one in flagged(answer, ran) if one.startswith("crossed")] == []


def test_a_flood_of_entries_costs_little() -> None:
    entries = [{"name": f"Name {number}", "mail": f"n{number}@b.example"} for number in range(2_000)]
    answer = "\n".join(f"- Name {number}: n{number + 1}@b.example" for number in range(500))
    assert flagged(answer, looked(entries)) == []
