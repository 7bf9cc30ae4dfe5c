"""A list that reports what was done, an item a call: one for which a declared tool was not called, and no call is, is told."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from proxy.audit import Finding
from proxy.auditors.call_words import READ, CallWords
from proxy.auditors.effects import IDENTITY
from proxy.claims import BY_LINE, Claim, admits, compared_text
from proxy.declared import by_itself
from proxy.deeds import VAGUE, carries
from proxy.figures import unquoted
from proxy.ledger import UNDONE, Call, Turn
from proxy.patterns import expression
from proxy.results import objects, one_line
from proxy.roots import TOKEN, Named, Vocabulary, name_roots, name_tokens, root, similar, tokens, vocabulary
from proxy.tool_names import fold

ITEM = re.compile(r"[ \t]{0,8}(?:[-*+•✓✔✅☑]|\d{1,2}[.)])[ \t]*(\S.{3,300})")
ROW = re.compile(r"[ \t]*\|(?=[^|\n]*\|[^|\n]*\|)(.*)\|[ \t]*")
RULED = re.compile(r"[\s|:=-]+")
NUMBER = re.compile(r"(?<!\w)#?(?=[\w-]*\d)[\w-]*\w(?:[.,]\d+)?|\b[A-Z]{5,8}\b")
"""What names a thing by digits: a port, a rule's id."""
ASIDE = re.compile(r"[,;]? (?:and|which|that|so you) (?:can|will|may|should|won['’]t|no longer)\b|[.;!] ")
"""Where an item goes on to what comes of it."""
THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}\b)")
LEAST = 3
"""Letters and digits of what names a thing, and letters of a word that tells what an item is about."""
FIELDS = 3
"""Fields by which a result is a record of something, and no receipt."""
FEWEST, MOST = 2, 12
"""Items of a list."""
REASON = "the tool for this item was not called"


@dataclass(frozen=True, slots=True)
class Checklists:
    """Compare the items of a list that reports of done work with the calls, each of which is that of an item.

    Told is the one item that shares no word with a change of the conversation, or names by its digits a thing that none of
    them names, where each change of the turn is another item's: where its own call failed; or where a tool is declared that
    would have done it, nobody called that one, the user asked for it, and no look shows it as it is told. `kin` are families of
    verbs that tell of one deed, `sending` that of those that reach somebody, `idle` words that tell nothing; `done` is an
    expression for items that report, `other` for those that do not, `automatic` for texts by which something happens by itself.
    """

    kin: tuple[tuple[str, ...], ...] = ()
    sending: tuple[str, ...] = ()
    idle: tuple[str, ...] = ()
    done: str = r"(?!)"
    other: str = r"(?!)"
    automatic: str = r"(?!)"

    reads: ClassVar[frozenset[str]] = frozenset({"action", "text"})
    needs: ClassVar[frozenset[str]] = frozenset({"change"})

    def follow(self, turn: Turn, claims: Sequence[Claim], findings: Sequence[Finding]) -> list[Finding]:
        text = compared_text(claims, BY_LINE) if turn.tools else ""
        if not text or any(one.flagged for one in findings):
            return []
        lists = [one for one in _lists(text) if FEWEST <= len(one) <= MOST]
        if not lists or admits(claims, [f"{one.name} {one.raw[:READ]}" for one in turn.calls]):
            return []
        told = _Told(turn, vocabulary(self.kin, self.sending, self.idle), self)
        found = next((one for items in lists for one in told.missing(items)), None)
        return [found] if found is not None and turn.whole() else []


class _Told(CallWords):
    """The items of lists beside the calls of a conversation and the tools that nobody called."""

    def __init__(self, turn: Turn, words: Vocabulary, options: Checklists) -> None:
        super().__init__(turn)
        self._words, self._options = words, options

    def missing(self, items: Sequence[str]) -> Iterator[Finding]:
        """The item that no call is, where each change of the turn is another one's."""
        own = [self._content(one) for one in items]
        done = [one for one in self._here_done if not self._only_names(one)]
        if not done or any(self._is_opaque(one) and not self._is_named(one, own) for one in done):
            return
        held = [{call for call in done if self._is_of(item, own[at], call)} for at, item in enumerate(items)]
        left = [at for at, calls in enumerate(held) if not calls and self._reports(items[at])]
        apart = len(done) - len(set[Call]().union(*held))  # changes of which no item has a word
        if len(left) > 1 and any(held):
            # the one that says in the tool's own words what nobody called; the others may be these changes
            left = [at for at in left if any(self._is_surely(items[at], own[at], one) for one in self._uncalled)]
            apart -= sum(not calls for calls in held) - len(left)
        if len(left) != 1 or apart > 0:
            return
        item, words = items[left[0]], own[left[0]]
        if not words or any(self._is_of(item, words, call) for call in self._changes) or self._is_shown(words):
            return
        for call in self._turn.calls:
            if call.outcome in UNDONE and self._turn.nature(call) == "change" and self._is_of(item, words, call):
                if not (call.settled or self._turn.done_after(call)):
                    yield Finding("contradicted", call.name, one_line(call.failure, 300), one_line(item, 200), call.id)
                return
        for named in self._uncalled if not self._may_have_sent(item) else ():
            own_words = {*words & set(named.things), named.verb}
            if (
                not self._is_shown_done(item, named)
                and self._would_be(item, words, named)
                and not by_itself(self._turn, own_words, self._options.automatic)
            ):
                yield Finding("unsupported", named.name, REASON, one_line(item, 200))
                return

    def _only_names(self, call: Call) -> bool:
        """Whether a call of which nobody knows what it does was given which thing is meant, and gave a record of it.

        `pet_record(pet_id="P-705")`, and its name, species and weight.
        """
        value = call.result_value
        record = isinstance(value, dict) and len(value.keys() - call.arguments.keys()) >= FIELDS
        return self._turn.nature(call) == "unknown" and record and all(map(IDENTITY.search, call.arguments))

    def _is_named(self, call: Call, own: Sequence[Collection[str]]) -> bool:
        """Whether a call of which nobody knows what it does is an item's, by a word of its name: `log_weight`."""
        named = name_tokens(call.name) - VAGUE - self._words.idle
        return not call.effect and any(similar(one, words) for one in named for words in own)

    def _content(self, item: str) -> frozenset[str]:
        """The words of an item that tell what it is about."""
        return frozenset(one for one in tokens(item) if len(one) >= LEAST and one not in self._words.idle)

    def _is_of(self, item: str, words: Collection[str], call: Call) -> bool:
        """Whether an item may be about a call: it names what that was given or returned, or shares a word with it.

        An item that names things by digits, none of which the call has and all of which were known, is about another one.
        """
        named = {_plain(one) for one in NUMBER.findall(THOUSANDS.sub("", item)) if len(one) >= LEAST}
        text = f"{call.raw[:READ]} {call.result_text[:READ]}".lower()
        if any(one in text for one in named):
            return True
        if named and any(one in self._looked_at for one in named):
            return False
        return any(similar(one, self._words_of(call)) for one in words)

    @cached_property
    def _looked_at(self) -> str:
        """What the looks of the conversation have shown."""
        looks = (one for one in self._calls if one not in self._changed)
        return "\n".join(f"{one.name} {one.raw[:READ]} {one.result_text[:READ]}" for one in looks).lower()

    def _reports(self, item: str) -> bool:
        """Whether an item says that something is done, and nothing else of it."""
        plain = ASIDE.split(unquoted(item), maxsplit=1)[0]
        return (
            expression(self._options.done).search(plain) is not None
            and expression(self._options.other).search(plain) is None
        )

    def _is_shown(self, words: Collection[str]) -> bool:
        """Whether looks have all words of an item, so that it may tell how things are."""
        shown = tokens(self._looked_at)
        return all(similar(one, shown) for one in words)

    @cached_property
    def _uncalled(self) -> list[Named]:
        """The declared tools that change something and that nobody called."""
        natures = self._turn.marks.natures
        names = (one for one in self._turn.tool_names() if fold(one) not in self._made)
        return [self._words.read(one, natures.verb(one)) for one in names if self._turn.nature_of(one) == "change"]

    @cached_property
    def _asked(self) -> frozenset[str]:
        """The words of what the user has ordered."""
        return tokens(self._turn.request(READ))

    def _may_have_sent(self, item: str) -> bool:
        """Whether an item says that somebody was told, and a change may have done so by the way: "notified": true."""
        sending = self._words.sending
        if sending.isdisjoint(tokens(item)):
            return False
        own = (
            one for call in self._here_done for value in (call.arguments, call.result_value) for one in objects(value)
        )
        flags = (key for one in own for key, value in one.items() if value is True)
        return any(map(carries, self._here_done)) or any(not sending.isdisjoint(name_roots(key)) for key in flags)

    def _is_surely(self, item: str, words: Collection[str], named: Named) -> bool:
        """Whether an item has a tool's verb and the thing that it is for: "a replacement card has been ordered"."""
        said = any(self._words.alike(one, named.verb) for one in tokens(item))
        return said and bool(named.things) and similar(named.things[-1], words) and not self._is_shown_done(item, named)

    def _is_shown_done(self, item: str, named: Named) -> bool:
        """Whether a look has the very deed of an item, done by somebody before: "refunded 2025-05-07"."""
        told = (one.lower() for one in TOKEN.findall(item) if one.endswith("ed"))
        return any(self._words.alike(root(one), named.verb) and one in self._looked_at for one in told)

    def _would_be(self, item: str, words: Collection[str], named: Named) -> bool:
        """Whether an item is what a tool does, and the user has asked for that: by the tool's thing, or by its verb."""
        said, asked = tokens(item), self._asked
        things = [one for one in named.things if one not in self._words.idle]
        alike = any(self._words.alike(one, named.verb) for one in said)
        known = any(map(self._words.kin, said))
        if not any(similar(one, asked) for one in words) or (known and not alike):
            return False  # "confirmed as booked" tells of no `cancel_flight`
        if things:
            return similar(things[-1], words) or (alike and any(similar(one, words) for one in things))
        called = any(
            self._words.alike(root(self._turn.marks.natures.verb(one.name)), named.verb) for one in self._changes
        )
        return alike and not called and any(self._words.alike(one, named.verb) for one in asked)


def _plain(name: str) -> str:
    """What names a thing, or an amount, as a call has it: `fw-14`, 2210 for "2210.00"."""
    bare = name.lower().lstrip("#")
    return bare.rstrip("0").rstrip(".") if re.fullmatch(r"\d+\.\d+", bare) else bare


def _lists(text: str) -> Iterator[list[str]]:
    """The lists of an answer, bullets and rows of tables, each item as one line."""
    items: list[str] = []
    kind: object = None
    for line in [*text.splitlines(), ""]:
        found = ITEM.fullmatch(line) or ROW.fullmatch(line)
        if found is None and not line.strip() and items and kind is ITEM:
            continue  # a blank line between items
        own = found.re if found is not None else None
        if own is not kind and items:
            yield items
            items = []
        kind = own
        if found is not None and not RULED.fullmatch(line):
            items.append(found[1].strip())
    if items:
        yield items
