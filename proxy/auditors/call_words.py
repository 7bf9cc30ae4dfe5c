"""The calls of a conversation and their words, each read when a deed first asks for them, since they cost the history."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from itertools import islice

from proxy.auditors.deed_words import PROPER
from proxy.deeds import VAGUE
from proxy.ledger import MUTATIONS, Call, Turn
from proxy.results import objects
from proxy.roots import name_roots, similar, tokens
from proxy.tool_names import fold

BEFORE = re.compile(r'"(?:last|prev(?:ious)?)_?\w+"\s*:')
"""Names of what was done before a call: "last_sent"."""
BELOW_ZERO = re.compile(r"(?<![\w.])[-−]\s?[$€£]?\d")
READ = 8_000
"""Code points of a call, a result and a message in which words are looked for."""


class CallWords:
    """What was called, what of it changed something, and in which words."""

    def __init__(self, turn: Turn) -> None:
        self._turn = turn
        self._told_by: dict[Call, frozenset[str]] = {}

    def _words_of(self, call: Call) -> frozenset[str]:
        """The words of a call and of its result, read once: each of many deeds asks for them."""
        if call not in self._told_by:
            self._told_by[call] = tokens(f"{call.name} {call.raw[:READ]} {call.result_text[:READ]}")
        return self._told_by[call]

    @cached_property
    def _calls(self) -> list[Call]:
        """The calls of the conversation, read when a deed asks for them."""
        return [*self._turn.calls, *self._turn.earlier()]

    @cached_property
    def _made(self) -> frozenset[str]:
        """The names of all tools that were called, whatever came of it."""
        return frozenset(fold(call.name) for call in self._calls)

    @cached_property
    def _changes(self) -> Sequence[Call]:
        """The calls of the turn and of those before it that changed something, or may have."""
        return self._turn.possible_changes(self._calls)

    @cached_property
    def _changed(self) -> frozenset[Call]:
        """The same as a set: which of many calls is one of them is asked for each."""
        return frozenset(self._changes)

    @cached_property
    def _here_done(self) -> Sequence[Call]:
        """The changes of this turn: what the user asks for now, a call of an earlier one has hardly done."""
        return self._turn.possible_changes()

    def _is_opaque(self, call: Call) -> bool:
        """Whether a call may have done anything, as its name says nothing: `process_request`."""
        vague = name_roots(call.name) <= VAGUE
        return vague or self._turn.nature(call) != "change" or bool(call.effect and call.effect not in MUTATIONS)

    @cached_property
    def _unknown(self) -> bool:
        return any(self._turn.nature(one) == "unknown" for one in self._turn.calls or self._calls)

    @cached_property
    def _change_words(self) -> frozenset[str]:
        """The words of the changes, of what they returned, and of what their tools are described to do."""
        about = {tool.name: tool.description for tool in self._turn.tools}
        parts = ((call.name, call.raw[:READ], _since(call), about.get(call.name, "")) for call in self._changes)
        return tokens(" ".join(map(" ".join, parts)))

    @cached_property
    def _later_words(self) -> frozenset[str]:
        """The words of what was seen after the first change of the turn."""
        first = next((at for at, call in enumerate(self._turn.calls) if call in self._changed), 0)
        return frozenset(one for call in self._turn.calls[first:] for one in tokens(_since(call)))

    @cached_property
    def _call_words(self) -> frozenset[str]:
        return frozenset[str]().union(*map(self._words_of, self._calls))

    @cached_property
    def _all_words(self) -> frozenset[str]:
        return self._told_before | tokens(self._turn.asked[:READ])

    @cached_property
    def _told_before(self) -> frozenset[str]:
        """The words of the calls, and of all that was said before the user's message."""
        return self._call_words.union(*(tokens(text[:READ]) for text in self._turn.spoken()))

    def _goes_by(self, thing: str, part: str) -> bool:
        """Whether a part names somebody whom a look shows as a tool's thing: "alerted Beatriz", {"adjuster": {"name": …}}."""
        names = PROPER.findall(part)
        for call in self._turn.calls if names else ():
            for outer in islice(objects(call.result_value), READ):
                for key, inner in outer.items():
                    if similar(thing, name_roots(key)) and any(one in str(inner)[:READ] for one in names):
                        return True
        return False

    def _goes_for(self, code: str) -> bool:
        """Whether a look has a code beside another id that a change was given: SUB-12 is `s_77`."""
        given = {one for call in self._changes for one in call.given if len(one) > 1}
        looks = (call for call in self._calls if call not in self._changed and code in call.result_text[:READ])
        things = (one for call in looks for one in islice(objects(call.result_value), READ))
        return any(code in str(one) and not given.isdisjoint(map(str, one.values())) for one in things)


def _since(call: Call) -> str:
    """What a call returned, without the names of what was done before it."""
    return BEFORE.sub(" ", call.result_text[:READ])


def pays_back(call: Call) -> bool:
    """Whether the history of payments in a result has an amount below zero."""
    return BELOW_ZERO.search(call.result_text[:READ]) is not None
