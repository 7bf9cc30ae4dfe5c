"""Who was told something, by the calls of a conversation and by the part of an answer that says so."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property

from proxy.auditors.call_words import READ
from proxy.auditors.deed_words import HYPHENED, PROPER
from proxy.auditors.uncalled_looks import UncalledLooks
from proxy.deeds import VAGUE
from proxy.ledger import Call, Turn
from proxy.roots import SENT, Vocabulary, name_tokens, root, similar, tokens

OFF = re.compile(r"(?i)\bcall(?:ed|ing)? off\b")
ENTERS = frozenset({"login", "log", "auth", "authenticat", "sign", "connect"})  # tools by which others begin
FIELDS = frozenset({"email", "mail", "messag", "text", "contact", "alert", "repl", "let", "reach", "forward"})
"""Roots of words that name fields of anything ("contact_email")."""


class Sendings(UncalledLooks):
    """The calls by which somebody was told something, beside the parts of an answer."""

    def __init__(self, turn: Turn, text: str, words: Vocabulary) -> None:
        super().__init__(turn, text, words)
        self._parts: dict[str, frozenset[str]] = {}
        self._rests: dict[str, frozenset[str]] = {}

    def _tokens(self, part: str) -> frozenset[str]:
        """The words of a deed's part, which is held against many tools."""
        if part not in self._parts:
            joined = " ".join(HYPHENED.findall(part)).replace("-", "")  # the "on-call engineer", `page_oncall`
            self._parts[part] = tokens(f"{OFF.sub('cancelled', part)} {joined}") - {"ther"}  # "there" is no thermostat
        return self._parts[part]

    def _names_apart(self, call: Call, part: str, but: frozenset[str] = VAGUE) -> bool:
        """Whether a word of a call's name stands in the rest of the answer, and not in this part of it."""
        if part not in self._rests:
            self._rests[part] = tokens(self._text.replace(part, " "))
        own = name_tokens(call.name) - self._words.idle - but
        return any(similar(one, self._rests[part]) and not similar(one, self._tokens(part)) for one in own)

    def _sent_to_others(self, part: str, things: Sequence[str]) -> bool:
        """Whether each call that told somebody is told elsewhere, by whom it reached: `family_email` is no `coach_notify`."""
        own = self._change_words | self._later_words
        senders = [one for one in self._changes if one.name in self._senders]
        others = frozenset[str]().union(*(self._words_of(one) for one in self._changes if one not in senders))
        return (
            bool(senders and things)
            and similar(things[-1], self._tokens(part))
            and not (similar(things[-1], own) or self._sent(others) or self._goes_by(things[-1], part))
            and not any(
                root(one.lower()) in own for one in PROPER.findall(part) if not similar(root(one.lower()), things)
            )
            and all(self._names_apart(one, part, self._words.sending | VAGUE) for one in senders)
        )

    def _mails(self, call: Call) -> bool:
        """Whether a call may have mailed something: it names an address, or a word of sending."""
        told = tokens(f"{call.name} {call.raw[:READ]}")
        return "@" in call.raw or not (self._words.sending | FIELDS - {"contact"}).isdisjoint(told)

    @cached_property
    def _senders(self) -> set[str]:
        """The tools that tell somebody something, by their names; who logs in to do so has told nobody yet."""
        names = {call.name: name_tokens(call.name) for call in self._calls}
        sending = self._words.sending - {"contact"}
        return {name for name, own in names.items() if sending & own and not ENTERS & own}

    def _sent(self, words: frozenset[str]) -> bool:
        """Whether words of calls say that something was sent; "email" and "message" alone name fields, and say nothing."""
        return not (self._words.sending - FIELDS).isdisjoint(words) or any(one in words for one in SENT)
