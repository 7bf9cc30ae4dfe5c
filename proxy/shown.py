"""What the results of a conversation have shown of things, found by the texts that these hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any

from proxy.ledger import UNDONE, Turn
from proxy.results import objects, scalars

LINKS = 400
"""Objects of results that are tried for what an id stands for."""


class Shown:
    """The objects in the results of a conversation, as many as are worth a look."""

    def __init__(self, turn: Turn) -> None:
        self._turn = turn

    @cached_property
    def objects(self) -> list[Any]:
        """They themselves, those of this turn first; read when somebody asks, for they cost the history."""
        found: list[Any] = []
        for call in (*self._turn.calls, *self._turn.earlier()):
            if call.result is not None and call.outcome not in UNDONE and len(found) < LINKS:
                found += objects(call.result.value)
        return found[:LINKS]

    def holding(self, given: Iterable[str]) -> Iterator[list[str]]:
        """The texts of each object that holds one of some texts, case aside: of `7` those of `{"id": 7, "name": "Hall"}`."""
        places = {place for text in given for place in self._places.get(text.lower(), ())}
        yield from ([text for _, text in scalars(self.objects[place])] for place in places)

    @cached_property
    def _places(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for place, one in enumerate(self.objects):
            for text in {text.lower() for _, text in scalars(one)}:
                found.setdefault(text, []).append(place)
        return found
