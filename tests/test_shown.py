"""Things that results have shown are found by the texts that they hold."""

from __future__ import annotations

from proxy.shown import LINKS, Shown
from tests.general import turn_of


def test_a_thing_is_found_by_any_of_its_texts_case_aside() -> None:
    shown = Shown(turn_of(("list_rooms", {}, {"rooms": [{"id": 7, "name": "Hall"}, {"id": 8, "name": "Attic"}]})))
    assert ["7", "Hall"] in list(shown.holding(["7"]))
    assert ["8", "Attic"] in list(shown.holding(["ATTIC", "8"]))
    assert list(shown.holding(["Cellar"])) == []


def test_what_failed_has_shown_nothing_and_many_are_not_read() -> None:
    rooms = [{"id": one} for one in range(LINKS * 2)]
    assert Shown(turn_of(("get_room", {"id": 7}, {"error": "not found", "id": 7}))).objects == []
    assert len(Shown(turn_of(("list_rooms", {}, rooms))).objects) == LINKS
