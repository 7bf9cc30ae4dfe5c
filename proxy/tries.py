"""Find the later calls of a tool that may be another try of one that failed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence
from itertools import islice
from typing import Any

from proxy.calls import Call


class Tries:
    """Calls by what they were given, in the order of the turn."""

    def __init__(self, calls: Sequence[Call]) -> None:
        self._by_item: defaultdict[Hashable, list[Call]] = defaultdict(list)
        self._by_tool: defaultdict[str, list[Call]] = defaultdict(list)
        for call in calls:
            self._by_tool[call.name].append(call)
            for item in _items(call):
                self._by_item[item].append(call)

    def after(self, failed: Call, most: int) -> list[Call]:
        """Those behind a call that can differ from it in one argument: such a one has one of any two that it was given.

        They are `most` at most, the latest first.
        """
        items = sorted((self._by_item.get(one, []) for one in _items(failed)), key=len)
        lists = items[:2] if len(items) > 1 else [self._by_tool.get(failed.name, [])]
        found: dict[int, Call] = {}
        for calls in lists:
            later = (one for one in reversed(calls) if one.position > failed.position)
            found.update((one.position, one) for one in islice(later, most))
        return list(found.values())[:most]


def _items(call: Call) -> Iterator[Hashable]:
    """The arguments of a call, each with its tool and name; of lists and objects only that they are such."""
    for name, value in call.arguments.items():
        if value is not None:
            yield call.name, name, _plain(value)


def _plain(value: Any) -> str | int | float:
    return value if isinstance(value, (str, int, float)) else type(value).__name__
