"""Pair tool calls with their results."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable
from dataclasses import dataclass

from proxy.transcript import Message, ToolCall, ToolResult


@dataclass(slots=True)
class Paired:
    """A call and its result, None where none came; `doubled` says that nobody knows which of two different ones is its own."""

    call: ToolCall
    result: ToolResult | None = None
    doubled: bool = False


class _Calls:
    """The calls that share an id, or a name: the last one, and those that may wait for a result, by message.

    A call that has its result is passed by once, not by each result that comes after it: a body may hold 200,000 of both.
    """

    def __init__(self) -> None:
        self._last: dict[str, tuple[Message, Paired]] = {}
        self._waiting: dict[str, list[deque[Paired]]] = {}

    def add(self, key: str, call: Paired, message: Message) -> None:
        waiting = self._waiting.setdefault(key, [])
        if waiting and self._last[key][0] is message:
            waiting[-1].append(call)
        else:
            waiting.append(deque([call]))
        self._last[key] = (message, call)

    def nearest(self, key: str) -> Paired | None:
        """The first call that waits, of the last message that has one; where none does, the last of all."""
        waiting = self._waiting.get(key, [])
        while waiting:
            while waiting[-1] and waiting[-1][0].result is not None:
                waiting[-1].popleft()
            if waiting[-1]:
                return waiting[-1][0]
            waiting.pop()
        return self._last[key][1] if key in self._last else None


def paired(messages: Iterable[Message]) -> tuple[list[Paired], int]:
    """The calls of messages, in order, each with its result; and how many results have no call.

    A result goes to the nearest open call before it that has its id, for ids are reused in real traffic; one without an id,
    to the nearest of its tool. Of calls of one message those come in order; where these share an id and have different
    results, nobody knows which is whose.
    """
    calls: list[Paired] = []
    by_id, by_name = _Calls(), _Calls()
    shared: list[list[Paired]] = []
    orphans = 0
    for message in messages:
        own: defaultdict[str, list[Paired]] = defaultdict(list)
        for call in map(Paired, message.calls):
            calls.append(call)
            own[call.call.id].append(call)
            by_id.add(call.call.id, call, message)
            by_name.add(call.call.name, call, message)
        shared += [same for key, same in own.items() if key and len(same) > 1]
        for result in message.results:
            entry = by_id.nearest(result.call_id) if result.call_id else by_name.nearest(result.name)
            if entry is None:
                orphans += 1
            elif entry.result is None:
                entry.result = result
            elif entry.result.text != result.text:
                entry.doubled = True
    for same in shared:
        if len({one.result and one.result.text for one in same}) > 1:
            for one in same:
                one.doubled = True
    return calls, orphans
