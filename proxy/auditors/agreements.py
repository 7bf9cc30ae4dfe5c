"""What was ordered or agreed to item by item, and is told as done, while the tool for one of the items was not called."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import ClassVar

from proxy.audit import Finding
from proxy.claims import Claim, compared_text
from proxy.declared import by_itself, declared
from proxy.deeds import VAGUE, gives
from proxy.ledger import UNDONE, Call, Turn
from proxy.natures import OBJECTS
from proxy.patterns import expression
from proxy.results import one_line
from proxy.roots import COMMON, TOKEN, Vocabulary, name_tokens, root, similar, tokens, vocabulary
from proxy.spelling import digits_of
from proxy.tool_names import fold

READ = 4_000
"""Code points of a message, and of a call and its result, in which words are looked for."""
SHORT = 160
"""Code points of a message that agrees to the one before it."""
MOST = 12
"""Items of one order."""
ITEM = re.compile(r"(?m)(?:^\s*(?:\d{1,2}[.)]|[-*•])\s+|\(\d\)\s*)(?P<item>[^\n(]*(?:\((?!\d\))[^\n(]*)*)")
"""An item of a list, in lines or within one."""
TAIL = re.compile(r"(?i)\W*\w{3,}ed (?:to|by|on|in|for|at|with|as|from|under)\b")
"""How a part begins that says more of the one before it: "…, coded to materials"."""
PART = re.compile(r"[,;.!?]\s+(?:and\s+|then\s+)*|\s+(?:and|then|plus)\s+(?:then\s+|also\s+)?")
"""Where one order ends and another begins."""
QUOTED = re.compile(r"(?<!\w)['\"“‘]([^'\"“”‘’\n]{1,60})['\"”’](?!\w)")
NUMBER = re.compile(r"(?<!\d)(?!\d{4}-\d\d-\d\d)\d(?:[ ().-]{0,2}\d){6,18}")
"""The number of a line, a card or an account, by which a call is known to be for it as well."""
LEAST = 4
"""Code points of a quoted name by which a call is known to be for it."""
SENTENCE = re.compile(r"[^\n.!?;]+(?:[.](?!\s)[^\n.!?;]*)*")


LOOSE = COMMON | {"mov"}
"""Roots of verbs that do not say which tool is meant: "move it to Friday" may be a change of its day."""

METHODS = frozenset({"put", "patch"})
"""A tool that goes by one of these may change several things in one call: `preferences.patch`."""


@dataclass(frozen=True, slots=True)
class Agreements:
    """Hold the items of an order, or of a proposal that the user agreed to, against the calls of the turn.

    An item is tied to a declared tool by its words: its verb or one of its kin, and its thing. Told is one whose tool nobody
    called, where calls were made for others, none has its words, and the answer tells of it. `agrees` is an expression for
    users' messages that agree to all, `parts` for those that agree to a part; `doubts` for sentences of an answer that do
    not tell it as done. `kin`, `sending`, `idle` and `automatic` are as those of `uncalled`.
    """

    agrees: str = ""
    parts: str = ""
    doubts: str = ""
    kin: tuple[tuple[str, ...], ...] = ()
    sending: tuple[str, ...] = ()
    idle: tuple[str, ...] = ()
    automatic: str = r"(?i)\bautomatic"

    reads: ClassVar[frozenset[str]] = frozenset({"text"})
    needs: ClassVar[frozenset[str]] = frozenset({"change"})

    def follow(self, turn: Turn, claims: Sequence[Claim], findings: Sequence[Finding]) -> list[Finding]:
        changes = turn.possible_changes()
        if not turn.tools or not changes or any(one.effect or _is_opaque(one, turn) for one in changes):
            return []
        text = compared_text(claims)
        wanted = (one for one in self._items(turn) if turn.marks.natures.asked(one.strip()) != "read")
        items = [_Item(one) for one in islice(wanted, MOST)] if text else []
        if len(items) <= len({one.name for one in changes}):
            return []  # each of them may have been one: a tool that was called for two books did one thing
        words = vocabulary(self.kin, self.sending, self.idle)
        made = {fold(call.name) for call in turn.calls}
        for item in items:
            name = self._tool(item, made, turn, words)
            if (
                not name
                or any(one.flagged and one.subject == name for one in findings)
                or any(self._fits(item, one.name, turn, words) or self._did(item, one, turn, words) for one in changes)
            ):
                continue
            own = self._own(name, words)
            done = tokens(" ".join(f"{one.name} {one.raw[:READ]} {one.result_text[:READ]}" for one in changes))
            given = tokens(" ".join(one.raw[:READ] for one in changes))
            things = own - {root(turn.marks.natures.verb(name))}
            if (things and all(similar(one, given) for one in things)) or all(similar(one, done) for one in own):
                continue
            if by_itself(turn, own, self.automatic):
                continue
            told = self._told(own, text)
            if not told or gives(changes, told) or any(_shows(one, things, turn) for one in turn.after(changes[0])):
                continue
            if turn.whole():
                return [Finding("unsupported", name, "the tool for this was not called", one_line(told, 200))]
        return []

    def _items(self, turn: Turn) -> Iterator[str]:
        """The items of the user's order, or of the proposal that they agreed to as a whole."""
        asked = turn.asked[:READ]
        last = turn.offer()[-READ:]
        if len(asked) <= SHORT and self.agrees and expression(self.agrees).search(asked):
            if self.parts and expression(self.parts).search(asked):
                return
            listed = [found["item"] for found in ITEM.finditer(last)]
            asks = [one for one in SENTENCE.findall(last) if f"{one}?" in last]
            yield from listed if len(listed) > 1 else (part for one in asks[-1:] for part in PART.split(one))
        elif turn.ordered() == "change" and "?" not in asked:
            listed = [found["item"] for found in ITEM.finditer(asked)]
            yield from listed if len(listed) > 1 else (one for one in PART.split(asked) if not TAIL.match(one))

    def _own(self, name: str, words: Vocabulary) -> frozenset[str]:
        """The words of a tool's name that say what it does, and to what."""
        return name_tokens(name.rpartition("__")[2]) - words.idle - COMMON - {"get", "do"}

    def _tool(self, item: _Item, made: Container[str], turn: Turn, words: Vocabulary) -> str:
        """The one tool that nobody called and that an item asks for."""
        fitting = {
            name
            for name in {one.name for one in declared(turn, words).like((*item.said, item.verb))}
            if self._fits(item, name, turn, words) and self._may_miss(name, made, turn, words)
        }
        return fitting.pop() if len(fitting) == 1 else ""

    def _may_miss(self, name: str, made: Container[str], turn: Turn, words: Vocabulary) -> bool:
        """Whether a tool may do something that was left undone: it changes things, its name says what, and nobody called it."""
        return turn.nature_of(name) != "read" and bool(self._own(name, words)) and fold(name) not in made

    def _fits(self, item: _Item, name: str, turn: Turn, words: Vocabulary) -> bool:
        """Whether an item has a tool's verb, or one of its kin, and its thing; the very things of one suffice."""
        named = words.read(name, turn.marks.natures.verb(name))
        things = [one for one in named.things if one not in words.idle]
        about = [one for one in things if item.has(one)]
        if not about and item.verb != named.verb:
            return False
        verbs = {one for one in item.said if not similar(one, things)}
        if item.verb == named.verb and named.verb in verbs - LOOSE and self._alone(name, named.verb, turn):
            return bool(about) or not things
        verb = any(words.alike(one, named.verb) for one in verbs)
        return bool(about) and ((verb and (things[-1] in about or len(about) > 1)) or 1 < len(about) == len(things))

    def _alone(self, name: str, verb: str, turn: Turn) -> bool:
        """Whether no other tool that the request declares has a tool's verb in its name."""
        return not any(other != name and verb in name_tokens(other) for other in turn.tool_names())

    def _did(self, item: _Item, call: Call, turn: Turn, words: Vocabulary) -> bool:
        """Whether a call may have done what an item asks for: it has its verb, or its thing and a kin, or was given it."""
        called = words.read(call.name, turn.marks.natures.verb(call.name))
        given = item.verb and item.verb not in COMMON and item.verb in tokens(call.raw[:READ])
        given = given or any(one in call.raw for one in item.quoted)
        given = given or any(one in digits_of(call.raw[:READ]) for one in item.numbers)
        about = not called.things or any(item.has(one) for one in called.things if one not in words.idle)
        kin = called.verb not in COMMON and any(words.alike(one, called.verb) for one in item.said)
        changed = called.verb in COMMON and not (item.said - words.idle).isdisjoint(tokens(call.raw[:READ]))
        return bool(given) or changed or (kin and (about or called.verb in item.said))

    def _told(self, own: frozenset[str], text: str) -> str:
        """The sentence by which an answer tells of an item; empty where one of them does not tell it as done."""
        said = {one: tokens(one) for one in SENTENCE.findall(text)}
        shared = {one: sum(similar(word, said[one]) for word in own) for one in said}
        about = [one for one, count in shared.items() if count and count == max(shared.values())]
        if not about or any(self.doubts and expression(self.doubts).search(one.partition(", so ")[0]) for one in about):
            return ""
        return str(about[0]).strip()


class _Item:
    """One item of an order: its words, and the verb that it begins with, where it tells what to do with something."""

    def __init__(self, text: str) -> None:
        self.said = tokens(text)
        first = [
            one.lower() for one in TOKEN.findall(text)[:2]
        ]  # "refund the deposit", not "for my run", "scale 90/80"
        begins = len(first) > 1 and (first[1] in OBJECTS or first[1] == "your")
        self.verb = root(first[0]) if begins else ""
        self.quoted = [one for one in QUOTED.findall(text) if len(one) >= LEAST]
        self.numbers = [digits_of(one) for one in NUMBER.findall(text)]
        self._has: dict[str, bool] = {}

    def has(self, thing: str) -> bool:
        """Whether a word of a tool's name stands among its own; many tools are about one thing."""
        if thing not in self._has:
            self._has[thing] = similar(thing, self.said)
        return self._has[thing]


def _shows(call: Call, things: frozenset[str], turn: Turn) -> bool:
    """Whether a call is a look at a thing: what it shows may have come of another call."""
    return turn.nature(call) == "read" and call.outcome not in UNDONE and not things.isdisjoint(name_tokens(call.name))


def _is_opaque(call: Call, turn: Turn) -> bool:
    """Whether a call may have done anything: its effect is not known, and its name has one word only; or it changes things in
    a way that its name does not tell, and was given a list of them: `batch_modify`, "removeLabelIds": ["INBOX", "UNREAD"]."""
    if turn.nature(call) != "change" and len(name_tokens(call.name)) < 2:
        return True
    several = any(isinstance(one, list) and len(one) > 1 for one in call.arguments.values())
    verb = turn.marks.natures.verb(call.name)
    return not METHODS.isdisjoint(name_tokens(call.name)) or (several and (not verb or root(verb) in COMMON | VAGUE))
