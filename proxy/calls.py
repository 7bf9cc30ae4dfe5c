"""One tool call and its end: what it was given, whether it changes something, and how its result says it went."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Generic, TypeVar

import msgspec

from proxy.done_words import tells_own
from proxy.natures import Nature, Natures
from proxy.results import Result, one_line, scalars
from proxy.roots import CAMEL, FALSE, name_roots, name_words, root
from proxy.signatures import MUTATIONS, Outcome, Signatures
from proxy.transcript import ToolCall

ALREADY = re.compile(r"(?i)(?:([a-z]+)[_ ])?already(?:[_ ](?:(?:been|is|was)[_ ])?([a-z]+))?")
"""How a tool says that it was so before."""
THERE = frozenset({"exist", "in", "on", "a", "member"})
"""Roots of words by which something is there already: "already in the list", "already a member"."""
CREATES = frozenset({"creat", "add", "mak", "register", "invit"})
"""Roots of verbs by which something comes to exist."""
OKAY = ("ok", "okay", "done", "success", "successful", "erledigt", "gespeichert", "listo", "fait")
SAYING, SAID = ("message", "msg", "result"), 60
"""Fields that say what a call came to, and code points of them that are read."""
FEW = 2
"""What says that something went well, and no more; and fields of a result that say no more."""
UNDONE: frozenset[str] = frozenset({"failed", "refused", "not_attempted"})
"""Outcomes of a call that did nothing."""


class Target(msgspec.Struct, frozen=True):
    """One thing that a call set out to change or to read, and how that ended for this thing alone.

    `path` is as the call spelled it, `resolved` as the result did, empty where it does not say.
    """

    path: str
    outcome: Outcome
    resolved: str = ""


T = TypeVar("T")


class _Once(Generic[T]):
    """A value that is made when somebody first asks. Until Python 3.12, `cached_property` takes a lock for that."""

    def __init__(self, make: Callable[[Any], T]) -> None:
        self._make, self._name, self.__doc__ = make, make.__name__, make.__doc__

    def __get__(self, owner: Any, kind: type | None = None) -> T:
        value = self._make(owner)
        owner.__dict__[self._name] = value  # found before this from now on: this sets nothing itself
        return value


class Call:
    """A tool call and its end, each part of it read when somebody first asks.

    `raw` is the arguments' text as the model wrote it; `result` is None when none came; `doubled` says that two
    different ones did, which is no evidence. `position` counts the calls from zero, so it orders them.
    """

    def __init__(
        self,
        asked: ToolCall,
        result: Result | None,
        doubled: bool,
        position: int,
        signatures: Signatures,
        natures: Natures,
    ) -> None:
        self.id, self.name, self.raw = asked.id, asked.name, asked.arguments
        self.result, self.position = result, position
        self.signature = signatures.find(asked.name, asked.arguments)
        self._doubled, self._signatures, self._natures = doubled, signatures, natures

    @property
    def effect(self) -> str:
        return self.signature.effect

    @_Once
    def arguments(self) -> Mapping[str, Any]:
        """The arguments as an object; empty where they are none."""
        return self.signature.arguments(self.raw)

    @_Once
    def given(self) -> frozenset[str]:
        """The plain arguments as texts, those in lists and objects too."""
        return frozenset(text for _, text in scalars(self.arguments))

    @_Once
    def nature(self) -> Nature:
        """Whether it only looks or changes something: by its signature, its name and arguments, then by what it returned."""
        if self.effect == "shell" and self.signature.only_looks(self.arguments):
            return "read"
        if self.effect:
            return "read" if self.effect == "read" else "change" if self.effect in MUTATIONS else "unknown"
        nature = self._natures.of(self.name, lambda: self.arguments)
        shows = nature == "unknown" and self._natures.shows(
            self.name, self.arguments, self.result_value, self.result_text
        )
        if (
            nature == "read"
            and self.result is not None
            and not self._natures.has_look(self.name)
            and _acknowledges(self.result)
        ):
            return "unknown"  # `order_status(id, status="paid")`, and {"ok": true}
        if nature == "unknown" and not shows and _reports(self.result, self._natures.verb(self.name)):
            return "change"
        return "read" if shows else nature

    @_Once
    def outcome(self) -> Outcome:
        if self.result is None or self._doubled:
            return "unknown"
        changes = not self.effect and self.nature != "read"
        asked, verb = (f"{self.name} {self.raw}", self._natures.verb(self.name)) if changes else ("", "")
        return self._signatures.outcome(self.signature, self.result, asked, verb)

    @_Once
    def targets(self) -> tuple[Target, ...]:
        """What the call meant to touch, each with its own end: a failed call may still list what did land."""
        return tuple(_targets(self))

    @_Once
    def reason(self) -> str:
        """What the tool said of its failure, on one line; empty where it did not fail."""
        if self.result is None or self.outcome not in UNDONE:
            return ""
        return one_line(self.result.complaint())

    @_Once
    def settled(self) -> bool:
        """Whether it failed because it was so already: "already cancelled" of `cancel_order`, "already exists"."""
        verb = root(self._natures.verb(self.name))
        told = [(root(one.lower()) for one in found.groups("")) for found in ALREADY.finditer(self.reason)]
        own = name_roots(self.name)
        return bool(verb) and any(
            before == verb or word in own or (verb in CREATES and not THERE.isdisjoint((before, word)))
            for before, word in told
        )

    @property
    def undoes(self) -> bool:
        """Whether it was to leave a thing gone, off or refused."""
        return self._natures.undoes(self.name)

    @property
    def failure(self) -> str:
        """That the call failed, and the tool's reason where it gave one."""
        return f"the call failed: {self.reason}" if self.reason else "the call failed"

    @_Once
    def told(self) -> str:
        """Its name, arguments and result in lower case, with words apart that are run together: `emailSent`.

        What a flag denies is none of it: `"source_branch_deleted": false`.
        """
        return CAMEL.sub(" ", f"{self.name} {self.raw} {FALSE.sub(' ', self.result_text)}").lower()

    @property
    def result_text(self) -> str:
        """What the tool answered; empty where no result came."""
        return "" if self.result is None else self.result.text

    @property
    def result_value(self) -> Any:
        """The JSON value of the result, or the object that its lines of names and values are; None where it is none.

        What files hold and shells print is no object of the tool's own.
        """
        if self.result is None:
            return None
        return self.result.value if self.effect or self.result.value is not None else self.result.lines

    @property
    def said_value(self) -> Any:
        """The same, with what a sentence of the result has as names and values: "accepted. job=7 state=QUEUED"."""
        return None if self.result is None else self.result.value if self.effect else self.result.said

    def names(self, subject: str) -> bool:
        """Whether the arguments or the result hold a text, case aside."""
        bare = subject.lower()
        return any(bare in one for one in self._lowered)

    @_Once
    def _lowered(self) -> tuple[str, str]:
        """The arguments and the result in lower case: each claim of an answer may ask for them."""
        return self.raw.lower(), self.result_text.lower()

    @property
    def complains(self) -> bool:
        """Whether the result holds an error beside whatever it says of success."""
        return self.result is not None and any(self.result.fields("error"))

    def text(self, keys: Sequence[str]) -> str:
        """The call's own words under some argument names, joined."""
        return self.signature.text_of(self.arguments, keys)


def _acknowledges(result: Result) -> bool:
    """Whether a result says no more than that it went well: what only looks would show something."""
    value = result.value
    flags = (
        isinstance(value, dict)
        and 0 < len(value) <= FEW
        and all(one is True or str(one).casefold() in OKAY for one in value.values())
    )
    return flags or result.text.strip().strip('."!').casefold() in OKAY


def _reports(result: Result | None, verb: str) -> bool:
    """Whether a result says that it did what a tool is called by, that may be a noun: "scheduled" of `pickup_schedule`."""
    value = None if result is None else result.value
    said = (value.get(key) for key in SAYING) if verb and isinstance(value, dict) else ()
    return any(
        tells_own(word, (root(verb),)) for one in said if isinstance(one, str) for word in name_words(one[:SAID])
    )


def _targets(call: Call) -> Iterator[Target]:
    declared = call.signature.targets_of(call.arguments, call.raw)
    landed = call.signature.landed_of(call.result) if call.result is not None and call.signature.effect else ()
    matched: set[str] = set()
    for path in declared:
        twins = [other for other in landed if _ends_alike(path, other)]
        exact = [other for other in twins if other == path] or twins
        if len(exact) == 1:
            matched.add(exact[0])
            yield Target(path, "landed", exact[0])
        elif landed and call.outcome == "landed" and not call.complains:
            yield Target(path, "landed")
        else:  # not listed, or a bare name that fits two of the list: it clears nothing
            yield Target(path, "failed" if landed and call.outcome == "landed" else call.outcome)
    yield from (Target(other, "landed", other) for other in landed if other not in matched)


def _ends_alike(path: str, other: str) -> bool:
    """Whether two spellings can be one file: equal, or one the tail of the other at a separator."""
    one, two = path.replace("\\", "/").removeprefix("./"), other.replace("\\", "/").removeprefix("./")
    return one == two or two.endswith("/" + one) or one.endswith("/" + two)
