"""Find who holds all of some texts, among many: by the rarest of these, not one by one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable


class Holders:
    """Sets of texts, each at its place, in the order of their places."""

    def __init__(self, sets: Iterable[tuple[int, frozenset[str]]]) -> None:
        self._sets = dict(sets)
        self._places: defaultdict[str, list[int]] = defaultdict(list)
        for place, texts in self._sets.items():
            for text in texts:
                self._places[text].append(place)
        self._last: dict[frozenset[str], int] = {}

    def last(self, texts: frozenset[str]) -> int:
        """The last place that holds all of some texts, of which there is one at least; -1 where none does.

        What many ask for, all alike, is looked for once.
        """
        if texts not in self._last:
            rarest = min((self._places.get(one, ()) for one in texts), key=len)
            self._last[texts] = next((one for one in reversed(rarest) if texts <= self._sets[one]), -1)
        return self._last[texts]
