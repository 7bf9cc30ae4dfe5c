"""What a change's result says of the wish itself: that it was not met, or that nothing came of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, ClassVar

from proxy.audit import Finding
from proxy.auditors.effects import subject_of
from proxy.auditors.entries import is_flat
from proxy.auditors.states import LATER, STATE, seen_later, words_of
from proxy.claims import Claim, compared_text
from proxy.figures import unquoted
from proxy.ledger import Call, Turn
from proxy.patterns import expression
from proxy.results import line_at, objects, one_line
from proxy.roots import CAMEL, TOKEN, root

LATER_ON = "the result says that it is still to come"
MOST = 60
"""Objects of a result, and fields of one, that are read."""
LONGEST = 20_000
"""Code points of a result that is read."""


@dataclass(frozen=True, slots=True)
class Verdicts:
    """Read what the result of a change says of the wish, where the answer tells flatly that it is done.

    Told is a field called as one of the `wishes` that is false ("preference_met": false); one that was asked to be true and
    is false ("submit": true, "submitted": false), but for those that tell somebody (`aside`); a thing that was to be switched
    on and is `idle` in effect; a count of what was done (`counts`) that is zero beside one of what was not (`undone`) that is
    not; a text that has `nothing`, and nowhere `something`; and one by which it comes `later`, unless the answer `tells_later`. `done` is an expression for answers that tell that something
    is done, `admits` for those that tell of any trouble, but for what is `harmless` in them; `to_come` for states by which
    it has only begun.
    """

    wishes: str = r"(?!)"
    idle: str = r"(?!)"
    aside: str = r"(?!)"
    counts: str = r"(?!)"
    undone: str = r"(?!)"
    to_come: str = r"(?!)"
    nothing: str = r"(?!)"
    something: str = r"(?!)"
    later: str = r"(?!)"
    tells_later: str = r"(?!)"
    done: str = r"(?!)"
    admits: str = r"(?!)"
    harmless: str = r"(?!)"

    reads: ClassVar[frozenset[str]] = frozenset({"action", "text"})

    def compare(self, turn: Turn, claims: Sequence[Claim]) -> list[Finding]:
        verbs = turn.marks.natures.verbs  # `gh_pr_merge` may be anything, by its name
        landed = [one for one in turn.landed_changes() if not one.effect]
        changes = [one for one in landed if turn.nature(one) == "change" or verbs(one.name)]
        told = [(call, reason) for call in changes if (reason := self._reason(call)) and not _again(call, turn)]
        text = unquoted(compared_text(claims)) if told else ""
        if not text or not is_flat(text, claims, self.done, self.admits, self.harmless):
            return []
        if any(LATER_ON in reason for _, reason in told) and expression(self.tells_later).search(text):
            return []
        found = expression(self.done).search(text)
        quote = line_at(text, found.start()) if found else one_line(text, 200)
        return [Finding("contradicted", subject_of(call), reason, quote, call.id) for call, reason in told[:1]]

    def _reason(self, call: Call) -> str:
        """What a result says against its wish; empty where nothing does."""
        if len(call.result_text) > LONGEST:
            return ""
        value = call.result_value
        if value is None:
            return self._printed(call.result_text)
        if not isinstance(value, dict):
            return ""
        own = list(islice(_own(value), MOST))
        if any(LATER.search(name) and told and isinstance(told, str) for one in own for name, told in one.items()):
            return ""
        return next(
            (told for one in own if (told := self._denied(one, call) or self._off(one, call))), ""
        ) or self._none(value)

    def _denied(self, thing: Mapping[str, Any], call: Call) -> str:
        """A field that says that the wish was not met, or that what was asked to be so is not."""
        for name, told in islice(thing.items(), MOST):
            if told is not False:
                continue
            if expression(self.wishes).fullmatch(" ".join(_words(name))):
                return f"the result says {name}: no"
            for asked, value in call.arguments.items():
                if value is True and not expression(self.aside).search(asked) and _roots(asked) == _roots(name):
                    return f"asked for {asked}, and the result says {name}: no"
        return ""

    def _off(self, thing: Mapping[str, Any], call: Call) -> str:
        """A field by which what was to be switched on is not so in effect."""
        shown = thing.get("effective")
        if shown is None or True not in call.arguments.values():
            return ""
        for told in islice(shown.values(), MOST) if isinstance(shown, dict) else [shown]:
            if isinstance(told, str) and expression(self.idle).fullmatch(words_of(told)):
                return f"the result says effective: {told!r}"
        return ""

    def _none(self, value: Any) -> str:
        """A count of what was done that is zero, beside one of what was not done that is not."""
        zero = undone = ""
        for one in islice(objects(value), MOST):
            for name, told in islice(one.items(), MOST):
                if isinstance(told, str) and STATE.search(name) and expression(self.to_come).fullmatch(words_of(told)):
                    return ""
                if not isinstance(told, int) or isinstance(told, bool):
                    continue
                plain = " ".join(_words(name))
                if expression(self.counts).fullmatch(plain):
                    if told:
                        return ""
                    zero = zero or name
                elif told > 0 and expression(self.undone).fullmatch(plain):
                    undone = f"{name}: {told}"
        return f"the result says {zero}: 0, and {undone}" if zero and undone else ""

    def _printed(self, text: str) -> str:
        """The line of a text by which nothing was done; empty where another tells of something."""
        waits = expression(self.later).search(text)
        if waits is not None:
            return f"{LATER_ON}: {line_at(text, waits.start(), 100)!r}"
        found = expression(self.nothing).search(text)
        if found is None or expression(self.something).search(text):
            return ""
        return f"the result says {line_at(text, found.start(), 100)!r}"


def _own(value: Mapping[str, Any], depth: int = 3) -> Iterator[Mapping[str, Any]]:
    """The object of a result and those in it, none of a list."""
    yield value
    for inner in value.values() if depth else ():
        if isinstance(inner, dict):
            yield from _own(inner, depth - 1)


def _words(name: str) -> list[str]:
    return [word.lower() for word in TOKEN.findall(CAMEL.sub(" ", name))]


def _roots(name: str) -> frozenset[str]:
    return frozenset(root(word) for word in _words(name))


def _again(call: Call, turn: Turn) -> bool:
    """Whether a later call may have done it, or shows it: of the same tool, or about the same thing."""
    return seen_later(call, turn) or any(
        other.name == call.name and other.position > call.position for other in turn.landed_changes()
    )
