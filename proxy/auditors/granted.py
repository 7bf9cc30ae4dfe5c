"""What a result says was granted, beside what was requested, must be what is told; and nothing that it says was ignored."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, ClassVar

from proxy.audit import Finding
from proxy.auditors.effects import subject_of
from proxy.claims import Claim, compared_text
from proxy.figures import sentence_around, unquoted
from proxy.ledger import Call, Turn
from proxy.patterns import NEVER, expression
from proxy.results import folded, objects, one_line, scalars
from proxy.roots import name_roots, name_words, root
from proxy.spelling import places

WISHED = frozenset(("requested", "asked", "desired", "wanted", "wished", "submitted"))
GIVEN = frozenset(
    (
        "assigned",
        "applied",
        "granted",
        "actual",
        "effective",
        "approved",
        "confirmed",
        "final",
        "given",
        "allocated",
    )
)
"""Words by which two fields of one object say what somebody wished for, and what they got."""
IGNORED = frozenset(
    ("ignored", "skipped", "unknown", "unsupported", "unrecognized", "dropped", "rejected", "readonly", "unapplied")
)
NAMES = frozenset(
    ("fields", "field", "params", "parameters", "properties", "keys", "attributes", "args", "arguments", "options")
)
"""Words by which a field lists what was left alone of what a call was given."""
ON = frozenset(("enabled", "active", "activated", "enrolled", "subscribed", "registered", "on"))
"""Flags of a thing that was to be switched on."""
SWITCHES = frozenset(
    map(root, ("enroll", "enrol", "enable", "activate", "subscribe", "register", "start", "join", "on"))
)
"""What a tool does that switches something on."""
CODE = re.compile(r"(?<![\w.-])(?=[\w.-]*\d)(?=[\w.-]*[A-Za-z])\w[\w.-]{2,30}\w(?![\w-])")
"""A code that says which of a kind is meant: `e2-standard-8`, `v2.14.0`."""
DIGITS = re.compile(r"\d+")
READ = 4_000
"""Code points of a message, and of arguments, in which codes are looked for."""
MOST = 60
"""Objects of a result, and values of a call, that are looked at."""


@dataclass(frozen=True, slots=True)
class Granted:
    """Hold what an answer tells against results that say themselves that something else came of it than was wished for.

    An object has what was requested and what was assigned (`requested: 4`, `applied: 3`); a list names fields that were
    ignored; or the thing of the tool's name is not on (`autopay: {enabled: false}` of `autopay_enroll`). Told is an answer that
    states what was wished for, or speaks of the thing, and that has nothing of what is there; no such sentence has one of
    `doubts`, an expression.
    """

    doubts: str = NEVER

    reads: ClassVar[frozenset[str]] = frozenset({"text"})
    needs: ClassVar[frozenset[str]] = frozenset({"change"})

    def compare(self, turn: Turn, claims: Sequence[Claim]) -> list[Finding]:
        text = unquoted(compared_text(claims))
        changes = [one for one in turn.landed_changes() if not turn.landed_again(one)]
        if not text or not changes:
            return []
        found = [one for call in changes if (one := self._of(call, text)) is not None]
        return found or list(self._of_a_kind(changes, turn, text))

    def _of_a_kind(self, changes: Sequence[Call], turn: Turn, text: str) -> Iterator[Finding]:
        """The verdicts on codes that the user asked for and no call has, where a change was given another of its kind."""
        wanted = set(CODE.findall(turn.asked[:READ])) & set(CODE.findall(text))
        kinds = {DIGITS.sub("#", code.lower()): code for code in sorted(wanted)}
        given: dict[str, tuple[str, Call]] = {}
        for call in changes if kinds else ():
            for other in CODE.findall(call.raw[:READ]):
                code = kinds.get(DIGITS.sub("#", other.lower()))
                if code is not None and other not in text and other not in turn.asked:
                    given.setdefault(code, (other, call))
        calls = (f"{one.raw}\n{one.result_text}" for one in (*turn.earlier(), *turn.calls)) if given else ()
        known = "\n".join(calls).lower()
        for code, (other, call) in given.items():
            if code.lower() not in known and (told := self._stated(code, text)):
                yield Finding("contradicted", code, f"the call was given {other}", one_line(told, 200), call.id)

    def _of(self, call: Call, text: str) -> Finding | None:
        for wished, got in islice(_pairs(call), MOST):
            if not any(places(got, text)) and (told := self._stated(wished, text)):
                reason = f"requested was {one_line(str(wished), 60)}, and the result has {one_line(str(got), 60)}"
                return Finding("contradicted", subject_of(call), reason, one_line(told, 200), call.id)
        for name, value in islice(_ignored(call), MOST):
            if told := self._stated(value, text):
                reason = f"the result says that {name} was ignored"
                return Finding("contradicted", subject_of(call), reason, one_line(told, 200), call.id)
        if (thing := _left_off(call)) and (told := self._spoken_of(thing, text)):
            reason = f"the result says that {thing} is not on"
            return Finding("contradicted", subject_of(call), reason, one_line(told, 200), call.id)
        return None

    def _stated(self, value: Any, text: str) -> str:
        """The sentence that states a value without a doubt; empty where one doubts it, or none has it."""
        told = [sentence_around(text, *span) for span in places(value, text)]
        return "" if any(expression(self.doubts).search(one) for one in told) else next(iter(told), "")

    def _spoken_of(self, thing: str, text: str) -> str:
        """The sentence that speaks of a thing, where none that does has a doubt."""
        told = [one for one in text.replace("\n", ". ").split(". ") if folded(thing) in folded(one.replace(" ", ""))]
        return "" if any(expression(self.doubts).search(one) for one in told) else next(iter(told), "")


def _pairs(call: Call) -> Iterator[tuple[Any, Any]]:
    """What was wished for and what was granted in its place, by the fields of one object that say both."""
    for one in islice(objects(call.result_value), MOST):
        wished = dict(_told(one, WISHED))
        for rest, got in _told(one, GIVEN):
            value = wished.get(rest)
            if value is not None and got and str(value).casefold() != str(got).casefold():
                yield value, got


def _told(one: Mapping[str, Any], words: frozenset[str]) -> Iterator[tuple[frozenset[str], Any]]:
    """The plain values of an object's fields that have one of some words, each with the rest of the field's name."""
    for name, value in one.items():
        own = frozenset(name_words(name))
        if own & words and isinstance(value, (str, int, float)) and not isinstance(value, bool) and value != "":
            yield own - words, value


def _ignored(call: Call) -> Iterator[tuple[str, Any]]:
    """What a call was given under the names that its result lists as ignored."""
    listed: set[str] = set()
    for one in islice(objects(call.result_value), MOST):
        for name, value in one.items():
            own = frozenset(name_words(name))
            if own & IGNORED and (own & NAMES or own <= IGNORED) and isinstance(value, list):
                listed |= {folded(each.rpartition(".")[2]) for each in value if isinstance(each, str)}
    for name, value in scalars(dict(call.arguments)) if listed else ():
        if folded(name) in listed and len(value) > 1:
            yield name, value


def _left_off(call: Call) -> str:
    """The thing of the tool's own name that is still off, where the tool is to switch it on."""
    own = name_roots(call.name)
    if own.isdisjoint(SWITCHES) or not isinstance(call.result_value, dict):
        return ""
    for name, one in call.result_value.items():
        about = name_roots(name)
        if isinstance(one, dict) and about & own and any(one.get(flag) is False for flag in ON):
            return str(name)
    return ""
