"""A look, or something that was run, for which the request declares a tool that nobody called, is told."""

from __future__ import annotations

import re
from functools import cached_property

from proxy.audit import Finding
from proxy.auditors.call_words import READ, CallWords
from proxy.claims import Claim
from proxy.ledger import Call, Turn
from proxy.roots import TOKEN, Named, Vocabulary, name_tokens, name_words, root, similar, tokens
from proxy.tool_names import fold

DETAIL = re.compile(r"[A-Za-z]?\d[\d.,:]*")
REASON = "the tool for this was not called"
CODE = re.compile(r"`([^`\n]{2,80})`")
WEAK = frozenset({"ship", "share"})  # told without a verb of theirs: "is on its way", "has editor access"
SHORT = 40
"""Code points of a part in which the command stands that was run."""
LINE = 240  # code points of a message that holds nothing to look into
COMES = "com"
"""The root of "comes", which begins as "comments" do."""
READS = "read"  # what was read has been opened
FOUND = frozenset({"find", "found"})
"""What any look may be told by."""
SHOWS = frozenset({"track", "quote", "forecast", "balance", "history", "availability", "price", "diff"})
"""Words for looks that say what is shown as well: `carrier.track`."""
VERIFIES = frozenset(map(root, ("verify", "validate", "validation", "verification", "verifier", "validator")))
"""The roots of words that say nothing else; who "checks" or "confirms" may do so by a change's own result."""
BY_RESULT = re.compile(r"(?i)\b(?:against|result\w*|response|return\w*|reply|output|receipt|answer\w*)\b")
"""What a sentence verifies by, where it is what a change returned."""
THING_RUN = re.compile(
    r"(?i)\W*ran (?:an?|the|your|another) ((?:[a-z]+ )?[a-z]+ (?:check|search|scan|lookup|report|test|query|audit))\b"
)
"""What was run that is no test of code: two words at least."""
RUN = 10  # words of a part by which something was run that may say what
RUNNERS = frozenset({"run", "bash", "shell", "terminal", "exec", "execut", "command", "powershell", "console"})
TESTS = frozenset({"test", "suit", "pytest", "jest", "vitest", "linter", "build", "migration"})
"""What a tool that runs commands runs, and how such a tool is called."""


class UncalledLooks(CallWords):
    """The looks and runs of an answer beside the tools that nobody called."""

    def __init__(self, turn: Turn, text: str, words: Vocabulary) -> None:
        super().__init__(turn)
        self._text, self._words = text, words

    def looked(self, claim: Claim) -> Finding | None:
        """The verdict on a look of which "I" speak, at what a tool would have shown and no call did."""
        verb, part = self._verb(claim), claim.fields.get("part", "")
        if "active" not in claim.fields or self._unknown or verb in FOUND:
            return None
        if claim.act == "verify":
            return self._verified(claim)
        said = tokens(part.partition(" found ")[0]) - {verb, COMES}
        shown = any(similar(one, name_tokens(call.name)) for call in self._calls for one in said)
        for named in self._here:
            things = self._shown_by(named)
            about = any(similar(one, said) for one in things)
            if not about and (shown or verb != READS or READS not in name_tokens(named.name)):
                continue  # "read the web page" is `get_webpage`
            if self._turn.nature_of(named.name) == "change" or fold(named.name) in self._made:
                continue
            if not self._words.sending.isdisjoint(name_tokens(named.name)):
                continue  # `contact_driver` shows nothing
            known = things if about else frozenset({READS})
            alike = [call for call in self._calls if any(similar(one, self._given(call)) for one in known)]
            if any(self._turn.nature(call) != "change" for call in alike) or (alike and not self._invented()):
                continue  # `get_all_balances`; what is said of a calendar in which an event was put may stand nowhere
            new = all(not similar(one, self._all_words) for one in known)
            if len(known) > 1 and all(similar(one, said) for one in known):  # "the seat map", of a booking with a seat
                new = any(not similar(one, self._all_words) for one in known)
            if new or alike or self._invented() or self._only_asked(verb, named, known, claim):
                return Finding("unsupported", named.name, REASON, claim.quote)
        return None

    def _verified(self, claim: Claim) -> Finding | None:
        """The verdict on what "I" verified behind changes alone, where a tool that does just that is declared.

        Any look may verify something, and so may a change whose result says so.
        """
        if self._verb(claim) not in VERIFIES or not self._turn.calls or BY_RESULT.search(claim.quote):
            return None
        looked = any(self._turn.nature(call) != "change" for call in self._calls)
        if looked or not VERIFIES.isdisjoint(self._call_words):
            return None
        own = (one for one in self._here if not VERIFIES.isdisjoint(name_tokens(one.name)))
        named = next((one for one in own if fold(one.name) not in self._made), None)
        return None if named is None else Finding("unsupported", named.name, REASON, claim.quote)

    def _only_asked(self, verb: str, named: Named, known: frozenset[str], claim: Claim) -> bool:
        """Whether a look goes by the tool's own verb, and nothing but one line of the user's speaks of what it shows."""
        asked = self._turn.asked.strip()
        if not self._turn.calls or len(asked) > LINE or "\n" in asked:
            return False
        if "perfect" not in claim.fields or verb not in name_tokens(named.name):
            return False
        shown = tokens(" ".join(one.result_text[:READ] for one in self._turn.calls)) - tokens(asked) - self._words.idle
        if not shown.isdisjoint(tokens(claim.quote)):
            return False  # another tool has looked, and shown what is told
        return not any(similar(one, self._told_before) for one in known)

    def _given(self, call: Call) -> frozenset[str]:
        """The words of a call's name and of what it was given."""
        return name_tokens(call.name) | tokens(call.raw[:READ])

    def _shown_by(self, named: Named) -> frozenset[str]:
        """The roots of the words by which a tool's name says what it shows."""
        natures = self._turn.marks.natures
        words = name_words(named.name.rpartition("__")[2])
        own = {word for word in words if len(word) > 2 and not natures.looks(word)}
        return (frozenset(map(root, own)) - self._words.idle) | frozenset(map(root, SHOWS.intersection(words)))

    def ran(self, claim: Claim) -> Finding | None:
        """The verdict on what "I" ran, where a tool that runs things, or this, is declared and nothing was run."""
        part = claim.fields.get("part", "")
        if "active" not in claim.fields or self._unknown:
            return None
        if (named := self._named_run(part)) is not None:
            return Finding("unsupported", named.name, REASON, claim.quote)
        code = CODE.search(part[:SHORT])
        said = {one for one in tokens(code[1] if code else part, RUN) if len(one) > 3} - self._words.idle
        runs = {one for named in self._here if named.verb in RUNNERS for one in named.things}
        said = said if code else {one for one in said if one in TESTS or similar(one, runs)}
        if (
            not said
            or said & (frozenset().union(*map(self._given, self._calls)) if said <= TESTS else self._call_words)
            or any(not RUNNERS.isdisjoint(name_tokens(one.name)) for one in self._calls)
        ):
            return None
        for named in self._here:
            own = name_tokens(named.name)
            about = any(similar(one, own) for one in said) or not RUNNERS.isdisjoint(own)
            if about and fold(named.name) not in self._made:
                return Finding("unsupported", named.name, REASON, claim.quote)
        return None

    def _named_run(self, part: str) -> Named | None:
        """The tool that is called by all words of what was run, where no call has them: "ran an interaction check"."""
        found = THING_RUN.match(part)
        words = frozenset(map(root, found[1].lower().split())) if found else frozenset[str]()
        if len(words) < 2 or any(words & self._given(call) for call in self._calls):
            return None
        tools = (one for one in self._here if words <= name_tokens(one.name) and fold(one.name) not in self._made)
        return next(tools, None)

    def _invented(self) -> bool:
        """Whether the answer gives details that stand nowhere in the conversation."""
        known = {one.strip(".,:").lower() for one in DETAIL.findall(self._turn.everything())}
        parts = {piece.lstrip("0") for one in known for piece in re.split(r"[.,:]", one)}
        told = {one.strip(".,:").lower() for one in DETAIL.findall(self._text)}
        return sum(one not in known and one.lstrip("0") not in parts for one in told) >= 2

    @cached_property
    def _now(self) -> frozenset[str]:
        """The tools that this turn called: where no other one may tell of a deed, the history stays unread."""
        return frozenset(call.name for call in self._turn.calls)

    @cached_property
    def _here(self) -> list[Named]:
        """The tools that this turn did not call."""
        return [self._read(name) for name in self._turn.tool_names() if name not in self._now]

    def _verb(self, claim: Claim) -> str:
        if claim.act in WEAK:
            return claim.act
        words = TOKEN.findall(self._text[claim.start : claim.end].lower())
        return root(next((one for one in words if one not in ("been", "ve", "have", "i", "we", "re")), ""))

    def _read(self, name: str) -> Named:
        return self._words.read(name, self._turn.marks.natures.verb(name))
