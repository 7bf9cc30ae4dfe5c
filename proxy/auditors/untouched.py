"""A thing that a look showed beside the one that was changed, and that the answer tells as changed, was named by no change."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice
from typing import Any, ClassVar

from proxy.audit import Finding
from proxy.claims import Claim, compared_text
from proxy.figures import sentence_around
from proxy.ledger import Call, Turn
from proxy.patterns import Names, expression
from proxy.results import has_word, objects, one_line, scalars
from proxy.roots import COMMON, name_roots, name_words, root
from proxy.spelling import ID, MOMENT, digits_of

BULLET = re.compile(r"[ \t]{0,6}(?:[-*+•]|\d{1,2}[.)])[ \t]+(\S.{0,300})")
TAIL = r"(?i:(?:^|_|card_|account_)(?:last_?4|last_?four|tail|mask|ending|end))$"
"""Fields that have the last digits of a card, an account or a line."""
LONGER = Names(r"(?i)msisdn|phone|iban|mobile|card_?number|account_?number|^number$")
"""Fields that have all of them."""
NAMED = Names(
    r"(?i)^$|(?:^|_|(?<=[a-z]))(?:names?|title|subject|summary|label|user|holder|owner|customer|member|assignee|e?mail|phone|msisdn"
    r"|class|service|product|item|pet|animal|drug|medication|patient|guest|driver|vehicle|course|book|film|dish|model|device|plant|id|no|nr|number|key|code|ref|reference|sku|slug|path|file|host|url|outlet|store|branch|location|site)$"
    rf"|{TAIL}"
)
"""Fields by which an answer may call a thing, and no color or size of it."""
NAME = re.compile(r"\d{4}|(?=.*[^\W\d_]{3}).{4,60}|\+?[\d ()-]{7,20}|#?(?=.*\d)[\w-]{5,40}")
"""What an answer may call it: words, the number of a line, an id."""
NOW, EVERY = re.compile(r"(?i)\bnow\b"), re.compile(r"(?i)\b(?:both|all|each|every)\b")
"""By these a line without a deed tells one of all things of a list: "All contacts now have the tag:"."""
ACTIVE = re.compile(r"(?i)\b(?:is|are) (?:now )?(?:active|live|enabled|activated|in place|set up) (?:on|at|for|in)\b")
"""How a sentence tells what is so since a change, without a word for it."""
ON = frozenset({"on", "active", "enabled", "true", "yes"})
"""States of what is switched on."""
END = "."
"""A line that ends the last list."""
NOISE = re.compile(r"[\W_]+")
FEWEST, MOST = 2, 40
"""Things of one kind that a look showed side by side."""
APART = re.compile(
    r"(?i)\b(?:from|than|instead of|rather than|not|unlike|vs\.?|after|before|following|next to|beside|alongside|with|like|as"
    r"|near|by|place of|replac\w+|above|below|under|over|behind|ahead of|out of|about|regarding|on behalf of"
    r"|until|since|because of|due to)(?: (?:your|the|an?|his|her|their|my|our))?[\W_]*$"
)
"""Before a name, this says that it was not this one, or only near to it."""
BECOMES = re.compile(r"[\W_]{0,6}(?:→|[-=]>)")
"""Behind a name, this says that it was so before: "Proposal → Negotiation"."""
BULK = re.compile(r"(?i)bulk|batch|filter|query|where|scope|(?<![a-z])all(?![a-z])|[*]|every(?:one|thing)?")
"""Names and values of a change by which it may mean more things than it names."""
ASIDE = re.compile(r"(?i),? (?:who|which|that|whose)\b")
"""Where a clause goes on to tell something of what it has named."""
LINE = 7
"""Digits of the number of a line."""
PLACE, CALLED = (
    re.compile(r"([A-Z][a-z]{4,}) [A-Z]\w+(?: [A-Z]\w+)?"),
    Names(r"(?i)outlet|branch|store|location|site|venue|clinic"),
)
"""What people call by its first word, and the fields that hold it."""
FILE = re.compile(r"(.{4,60})\.[A-Za-z][A-Za-z\d]{1,4}")
WORD = 4
"""Code points of a word that says which thing is meant."""
READ = 20_000
"""Code points of a result that is read."""


@dataclass(frozen=True, slots=True)
class Untouched:
    """Compare what an answer says was changed with the things that looks showed side by side, and with which of them was.

    A thing is known by the values that it alone has among its kind; it was changed where a change was given one, or returned
    one. Told is one that was not: where a deed, or the list under one, names it together with one that was; and where all
    changes were about one thing, of which the answer says nothing, and the deed names this one alone. `other` is an
    expression for lines that tell of it otherwise.
    """

    other: str = r"(?!)"

    reads: ClassVar[frozenset[str]] = frozenset({"action", "outcome", "success", "text"})
    needs: ClassVar[frozenset[str]] = frozenset({"change"})

    def compare(self, turn: Turn, claims: Sequence[Claim]) -> list[Finding]:
        text = compared_text(claims)
        said = [one for one in claims if one.kind != "text" and one.stance == "asserted"]
        changes = turn.possible_changes()
        if not text or not changes or any(one.stance == "denied" and "mild" not in one.fields for one in claims):
            return []
        if any(
            one.outcome != "landed" or turn.nature(one) != "change" or one.effect or _is_bulk(one) for one in changes
        ):
            return []
        told = list(dict.fromkeys(self._told(text, said)))
        done = _Done(changes, [*changes, *turn.possible_changes(turn.earlier())])
        for things in _groups(turn) if told else ():
            found = self._against(_Group(things, done), told, text)
            if found is not None and turn.whole():
                name, line = found
                reason = "no call named this one, but another that was shown beside it"
                return [Finding("unsupported", name, reason, one_line(line, 200), changes[-1].id)]
        return []

    def _told(self, text: str, said: Sequence[Claim]) -> Iterator[str]:
        """The stretches of an answer that tell what was done to which things: parts of clauses, and lists under a deed."""
        for claim in said:
            part = ASIDE.split(claim.fields.get("part") or claim.quote, 1)[0]
            behind = part[max(0, part.find(text[claim.start : claim.end])) :]  # "I kept A, and deleted B and C"
            yield from [one for one in (part, behind) if expression(self.other).search(one) is None][:1]
        sentences = (sentence_around(text, *found.span()) for found in islice(ACTIVE.finditer(text), MOST))
        yield from (one for one in sentences if expression(self.other).search(one) is None)
        head, items = "", list[str]()
        for line in (*text.splitlines(), END):
            if found := BULLET.match(line):
                items += [] if expression(self.other).search(line) else [found[1]]
            elif line.strip() or not head:
                reported = (NOW.search(head) and EVERY.search(head)) or any(
                    one.quote[:40] in one_line(head, 200) or head.strip() in one.quote for one in said
                )
                if len(items) > 1 and head and reported:
                    yield "\n".join(items)
                head, items = ("" if expression(self.other).search(line) else line), []

    def _against(self, group: _Group, told: Sequence[str], text: str) -> tuple[str, str] | None:
        """A thing that was not changed and is told as changed, by its name, and the stretch that says so."""
        names = group.names("\n".join(told))
        for stretch in told if names else ():
            named = group.named(stretch, names)
            missing = [at for at in named if at in group.spared and not group.was_so(at)] if named else []
            beside = any(at in group.changed for at in named)
            alone = len(named) == 1 and len(group.changed) == 1 and group.chosen and not group.speaks_of_changed(text)
            if missing and (beside or alone):
                return named[missing[0]], stretch
        return None


class _Done:
    """What the changes of the conversation were given and returned; `own` is what those of this turn were given."""

    def __init__(self, changes: Sequence[Call], every: Sequence[Call]) -> None:
        self._changes = changes
        self.own = {value for call in changes for _, value in scalars(call.arguments)}
        self.given = self.own.union(value for call in every for _, value in scalars(call.arguments))
        self.states = {value.lower() for value in self.own if len(value) >= 2}
        self.texts = "\n".join(f"{call.raw}\n{call.result_text[:READ]}" for call in every)
        verbs = (root(verb) for call in changes for verb in name_words(call.name)[:1])
        self.stems = tuple(one for one in verbs if len(one) >= 3 and one not in COMMON)

    @cached_property
    def words(self) -> frozenset[str]:
        """The words of the names of this turn's changes, and of what they were given."""
        return frozenset[str]().union(
            *(name_roots(one) for call in self._changes for one in (call.name, *call.arguments))
        )

    def has(self, value: str, least: int) -> bool:
        """Whether a change was given a value, or one of so many code points stands in what it was given or returned."""
        return value in self.given or (len(value) >= least and value in self.texts)


class _Group:
    """Things of one kind: the names that each has alone, and which of them the changes were about."""

    def __init__(self, things: Sequence[Mapping[str, Any]], done: _Done) -> None:
        self._values = [dict(_named(one)) for one in things]
        self._done = done

    @cached_property
    def _alone(self) -> list[dict[str, str]]:
        """The values that a thing has alone, with the fields that hold them."""
        counted = Counter(value for one in self._values for value in one)
        return [{one: key for one, key in each.items() if counted[one] == 1} for each in self._values]

    @cached_property
    def changed(self) -> set[int]:
        """The things of which a change was given, or returned, what names them."""
        return {
            at
            for at, each in enumerate(self._alone)
            if any(
                (NAMED.search(key) and self._done.has(one, WORD)) or (ID.fullmatch(one) and one in self._done.given)
                for one, key in each.items()
            )
        }

    @cached_property
    def spared(self) -> set[int]:
        """Those of which no change was given, or returned, anything."""
        every = enumerate(self._alone)
        return {
            at for at, each in every if not any(len(one) > 1 and self._done.has(one, 2) for one in each)
        } - self.changed

    @cached_property
    def chosen(self) -> bool:
        """Whether a change of this turn was given what says which thing is meant, or returned its id and its name."""
        given = any(one in self._done.own for at in self.changed for one in self._alone[at])
        return given or any(
            sum(NAMED.search(key) is not None and self._done.has(one, WORD) for one, key in self._alone[at].items()) > 1
            for at in self.changed  # both its id and its name
        )

    def names(self, text: str) -> list[tuple[int, str]]:
        """What stands in a text of the values by which an answer may call a thing."""
        low, digits = text.lower(), digits_of(text)
        return [
            (at, name)
            for at, each in enumerate(self._values)
            for name, key in each.items()
            if (name.lower() in low or _is_number(name, digits)) and NAMED.search(key) and _is_name(name)
        ]

    def named(self, stretch: str, names: Sequence[tuple[int, str]]) -> dict[int, str]:
        """The things that a stretch names, and how; a name is words, or digits however they are set apart."""
        low, digits = stretch.lower(), digits_of(stretch)
        found: dict[int, str] = {}
        for at, name in names:
            start = low.find(name.lower())
            there = has_word(low, name.lower()) and not APART.search(low[:start])
            there = there and not BECOMES.match(low, start + len(name))
            if (there or _is_number(name, digits)) and name in self._alone[at]:
                found.setdefault(at, name)
        return found

    def was_so(self, at: int) -> bool:
        """Whether a look showed that a thing was so before: it has what a change was given, or its verb as a state."""
        own = {value.lower() for value in self._values[at]}
        switched = (key for value, key in self._values[at].items() if value.lower() in ON)
        if any(not name_roots(key).isdisjoint(self._done.words) for key in switched):
            return True  # "alerts": "on", of `set_alerts`
        return not self._done.states.isdisjoint(own) or any(one.startswith(self._done.stems) for one in own)

    def speaks_of_changed(self, text: str) -> bool:
        """Whether an answer has anything that one of the changed things has alone, however it is spelled."""
        plain = NOISE.sub("", text.lower())
        return any(
            len(own := NOISE.sub("", word.lower())) >= WORD and own in plain
            for at in self.changed
            for one in self._alone[at]
            for word in (one, *one.split())
        )


def _named(thing: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The values of a thing with their fields; a file goes by its name without the extension, too."""
    for key, value in scalars(thing, depth=2):
        yield value, key
        if LONGER.search(key) and len(digits := digits_of(value)) >= LINE:
            yield digits[-4:], "tail"
        if (found := PLACE.fullmatch(value)) and CALLED.search(key):
            yield found[1], key  # "Portland Alberta", of which an answer says Portland
        if found := FILE.fullmatch(value):
            yield found[1], key


def _is_bulk(call: Call) -> bool:
    """Whether a change may have been about more things than it names."""
    values = (one for one in call.arguments.values() if isinstance(one, str))
    return any(map(BULK.search, (call.name, *call.arguments))) or any(map(BULK.fullmatch, values))


def _is_name(value: str) -> bool:
    return NAME.fullmatch(value) is not None and MOMENT.match(value) is None


def _groups(turn: Turn) -> Iterator[Sequence[Mapping[str, Any]]]:
    """What looks have shown side by side: objects with the same keys, in a list, in an object, or by calls of one tool."""
    calls = (one for one in chain(turn.calls, turn.earlier()) if turn.nature(one) == "read" and one.result is not None)
    looks = [one for one in calls if len(one.result_text) <= READ]
    by_tool: dict[tuple[str, frozenset[str]], list[Mapping[str, Any]]] = {}
    for call in looks:
        if isinstance(call.result_value, dict):
            by_tool.setdefault((call.name, frozenset(call.result_value)), []).append(call.result_value)
    yield from (one for one in by_tool.values() if FEWEST <= len(one) <= MOST)
    for call in looks:
        for outer in islice(chain([{"": call.result_value}], objects(call.result_value)), MOST):
            keyed = [{**one, "": key} for key, one in outer.items() if isinstance(one, dict)]
            for inner in (*outer.values(), keyed):
                things = [one for one in inner if isinstance(one, dict)] if isinstance(inner, list) else []
                if FEWEST <= len(things) <= MOST and len({frozenset(one) for one in things}) == 1:
                    yield things


def _is_number(name: str, digits: str) -> bool:
    """Whether a name is the number of a line, and stands among digits."""
    if len(name) < LINE or len(digits) < LINE or any(map(str.isalpha, name)):
        return False
    own = digits_of(name)
    return len(own) >= LINE and own in digits
