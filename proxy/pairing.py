"""Pair tool calls with their results."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from proxy.transcript import Message, ToolCall, ToolResult


@dataclass(slots=True)
class Paired:
    """A call and its result, None where none came; `doubled` says that two different ones did."""

    call: ToolCall
    result: ToolResult | None = None
    doubled: bool = False


class _Calls(defaultdict[str, list[Paired]]):
    """The calls that share an id, or a name: the last one, then those that may wait for a result, oldest first.

    A call that has its result is passed by once, not by each result that comes after it: a body may hold 200,000 of both.
    """

    def add(self, key: str, call: Paired) -> None:
        same = self[key]
        same[:1] = [call]
        same.append(call)

    def nearest(self, key: str) -> Paired | None:
        """The last call that waits; where none does, the last of all."""
        same = self.get(key)
        if same is None:
            return None
        while len(same) > 1 and same[-1].result is not None:
            same.pop()
        return same[-1]


def paired(messages: Iterable[Message]) -> tuple[list[Paired], int]:
    """The calls of messages, in order, each with its result; and how many results have no call.

    A result goes to the nearest open call before it that has its id, for ids are reused in real traffic; one without an id,
    to the nearest of its tool.
    """
    calls: list[Paired] = []
    by_id, by_name = _Calls(list), _Calls(list)
    orphans = 0
    for message in messages:
        for call in map(Paired, message.calls):
            calls.append(call)
            by_id.add(call.call.id, call)
            by_name.add(call.call.name, call)
        for result in message.results:
            entry = by_id.nearest(result.call_id) if result.call_id else by_name.nearest(result.name)
            if entry is None:
                orphans += 1
            elif entry.result is None:
                entry.result = result
            elif entry.result.text != result.text:
                entry.doubled = True
    return calls, orphans
