"""What a user wished for, and an answer lists as part of what was made, stands in some call or result: "Extras: roof box"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice
from typing import ClassVar

from proxy.audit import Finding
from proxy.claims import BY_LINE, Claim, compared_text
from proxy.figures import unquoted
from proxy.labels import Told, labelled, tabled
from proxy.ledger import Call, Turn
from proxy.patterns import NEVER, expression
from proxy.results import one_line
from proxy.roots import roots, similar, tokens

PART = re.compile(r"[,;|→]|->|\s[–—-]\s|\s(?:with|and)\s")
"""What parts the things of a labelled value."""
COMMENT = re.compile(r"\([^()]*\)")
LONGEST, WORDS = 90, 6
"""Code points of a value that lists things, and words of one of them; more is a sentence."""
READ = 20_000
"""Code points of a call, and of its result, in which words are looked for; beside more, nobody is accused."""
MOST = 60
"""Labelled values of an answer that are compared."""
GROUNDED = 2
"""Labelled values that the changes have, from which on the lines tell what was made."""
REASON = "no call was given this, and no result has it"


@dataclass(frozen=True, slots=True)
class Wishes:
    """Hold the things that an answer lists as part of what was made against all that the calls were given and returned.

    Told is one by labels, or in a table, whose words, or whose label's, a user's message has, where none of these words stands
    in a call, a result, a system text or a tool's description of the conversation; other lines have to tell what the changes
    of the turn have, all of these landed, and the answer is in the language of the tools. `doubts` is an expression for lines
    that do not mean it so, `labels` one for labels under which the user's words are merely told again, `opens` one for what
    begins as no thing does; `idle` are words that tell nothing.
    """

    doubts: str = NEVER
    labels: str = NEVER
    opens: str = NEVER
    idle: tuple[str, ...] = ()

    reads: ClassVar[frozenset[str]] = frozenset({"text"})
    needs: ClassVar[frozenset[str]] = frozenset({"change"})

    def compare(self, turn: Turn, claims: Sequence[Claim]) -> list[Finding]:
        text = unquoted(compared_text(claims, BY_LINE))
        if not (":" in text or "|" in text) or not turn.marks.lexicon.is_first(text):
            return []
        told = list(islice(chain(labelled(text), tabled(text)), MOST))
        listed = list(islice(((one, thing) for one in told for thing in self._things(one)), MOST))
        made = _Made(turn) if listed else None
        if made is None or not made.plain:
            return []
        found = {
            thing: Finding("unsupported", thing, REASON, one_line(one.line, 200), made.changes[-1].id)
            for one, thing in listed
            if self._wished(one, thing, made)
        }
        record = found and sum(not tokens(one.value).isdisjoint(made.own) for one in told) >= GROUNDED
        return list(found.values()) if record and turn.legible() else []

    def _things(self, one: Told) -> Iterator[str]:
        """The things of a labelled value that are told in words alone."""
        if expression(self.doubts).search(one.line) or expression(self.labels).search(" ".join(one.label)):
            return
        at = one.line.find(one.value)
        value = COMMENT.sub(" ", one.line[at:].split("|")[0] if at >= 0 else one.value)
        for thing in PART.split(value) if len(value) <= LONGEST else ():
            plain = thing.strip(" *_`.\t")
            if plain and not any(map(str.isdigit, plain)) and not expression(self.opens).match(plain):
                yield plain

    def _wished(self, one: Told, thing: str, made: _Made) -> bool:
        """Whether a thing has the user's words, and nothing else in the conversation has any word of it."""
        words = {word for word in tokens(thing) if len(word) > 3} - roots(self.idle)
        meant = {word for word in words | roots(one.label) if len(word) > 2 and similar(word, made.asked)}
        if not (words and meant) or len(tokens(thing)) > WORDS or any(similar(word, made.shown) for word in words):
            return False
        return not any(similar(word, made.shown) for word in roots(one.label) if len(word) > 2)


class _Made:
    """What the changes of a turn were given and returned, and the words of all that was said and shown."""

    def __init__(self, turn: Turn) -> None:
        self._turn = turn
        self.changes: list[Call] = [one for one in turn.landed_changes() if not one.effect]
        own = [one for one in self.changes if isinstance(one.result_value, (dict, list))]
        known = all(one.outcome != "unknown" and turn.nature(one) != "unknown" for one in turn.calls)
        self.plain = bool(own) and known and len(own) == len(self.changes)
        """Whether all that the turn may have changed is known, and told in JSON."""

    @cached_property
    def own(self) -> frozenset[str]:
        """The words of what the changes were given and returned."""
        return tokens(" ".join(f"{one.raw[:READ]} {one.result_text[:READ]}" for one in self.changes))

    @cached_property
    def asked(self) -> frozenset[str]:
        """The words of the user's messages."""
        said = (one.text for one in self._turn.before if one.role == "user")
        return tokens(" ".join((self._turn.asked[:READ], *(text[:READ] for text in said))))

    @cached_property
    def shown(self) -> frozenset[str]:
        """The words of all calls and results, of system texts, and of what the tools are described to do."""
        calls = (*self._turn.earlier(), *self._turn.calls)
        texts = [text for one in calls for text in (one.name, one.raw, one.result_text)]
        texts += [one.text for one in self._turn.before if one.role not in ("user", "assistant")]
        texts += [text for tool in self._turn.tools for text in (tool.name, tool.description)]
        return tokens(" ".join(texts))
