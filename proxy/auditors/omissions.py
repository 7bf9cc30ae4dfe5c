"""Work that failed, or that nobody called, beside work that was done, where an answer tells all of it as done."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import ClassVar

from proxy.audit import Finding
from proxy.auditors.left_out import MOST, left_behind, turned_away
from proxy.auditors.own_states import beside, is_own_state, verbs, was_so
from proxy.auditors.set_apart import Apart
from proxy.claims import ALL, Claim, admits, compared_text
from proxy.deeds import gives, tells
from proxy.ledger import BESIDE, MUTATIONS, UNDONE, Call, Turn
from proxy.patterns import NEVER, expression
from proxy.results import one_line, scalars
from proxy.roots import Vocabulary, roots, similar, tokens, vocabulary

BOTH = re.compile(r"(?i)\bboth\b")
EVERY = re.compile(r"(?i)\W*all (?:two|three|four|five|six|seven|eight|nine|ten|\d{1,3}) ")
BOTH_OF = re.compile(
    r"(?i)\bboth (?:of )?(?:the |your |these |those )?(?!(?:\w+ )?(?:changes?|updates?|requests?|steps?|things|tasks|parts"
    r"|items|actions?|orders?|jobs?)\b)[a-z]+s\b"
)
"""Both of some things: of two that one call may have done."""
TWO = 2
"""Calls that "both" may mean, and words of an item that tell something."""
ITEM = re.compile(r"^[ \t]*(?:[-*•–]|\d{1,2}[.)]|[✅✓✔☑])[ \t]+([^\n]+)", re.M)
"""An item of a list."""
LEAST = 4
"""Letters of a word that another form of it may stand for: "attached", `attachments_accepted`."""
ITEMS, READ, SHORT = 12, 4_000, 200
"""Items that are read, code points of a message or a result, and of a message that answers an offer."""
PARTLY = re.compile(
    r"(?i)(?<!all )\b(?:\d{1,3}|one|two|three|four|five|six|seven|eight|nine|zwei|drei|vier|fünf|sechs|deux|trois|quatre|cinq"
    r"|dos|tres|cuatro|cinco|seis|due|tre|quattro|dois|duas|três|quatro) (?:out of|of|von|der|de|des|sur|su|di|das|dos)\b"
)
"""By these a sentence speaks of some of them: "three of the four are cancelled, with 150 for all"."""
TROUBLE = (
    "error",
    "fail",
    "false",
    "reject",
    "denied",
    "refus",
    "declin",
    "not",
    "conflict",
    "time",
    "skip",
    "unchanged",
    "wait",
    "nok",
    "null",
)


@dataclass(frozen=True, slots=True)
class Omissions:
    """Compare "all of them" with a tool's calls, several of which landed and one of which did not, and with what another tool
    failed to do; what an answer names, or "all" and "both", with the entries of a call's result, some of which may have
    failed; and the items of a list with the changes, where these are fewer and none has a word of an item.

    A failed call that a later one of the same tool may have put right, with the same arguments but for one, is left out;
    so are edits of files, which have an auditor of their own. `least` is how many calls must have landed beside it. `idle`
    are words that any item may have, `kept` is an expression for items that may tell of something else than a deed of now.

    Of entries it is silent where the answer `admits`, an expression, that not all was done, and where it tells of one by
    itself; a sentence that is `unsure` tells nothing as done. `kin` are families of verbs that may tell of one deed.
    """

    least: int = 2
    idle: tuple[str, ...] = ()
    kept: str = NEVER
    admits: str = NEVER
    unsure: str = NEVER
    kin: tuple[tuple[str, ...], ...] = ()

    reads: ClassVar[frozenset[str]] = frozenset({"action", "outcome", "success", "text"})
    needs: ClassVar[frozenset[str]] = frozenset({"change"})

    def compare(self, turn: Turn, claims: Sequence[Claim]) -> list[Finding]:
        said = [one for one in claims if one.stance == "asserted" and one.act not in ("read", "find", "verify")]
        if not said or admits(
            claims, (f"{call.name} {call.raw[:2_000]}" for call in turn.calls if call.outcome in UNDONE)
        ):
            return []
        parts = [one for one in said if one.kind != "text"]
        said = [one for one in parts if one.kind != "outcome"]
        of_all = (one for one in parts if _is_of_all(one) and not PARTLY.search(one.quote))
        whole = next(of_all, None)
        text = compared_text(claims)
        findings = list(self._entries(said, whole, text, turn)) or list(self._left_out(parts, whole, text, turn))
        if findings or whole is None:
            return findings
        by_tool: dict[str, list[Call]] = defaultdict(list)
        for call in turn.calls:
            if turn.nature(call) == "change" and call.effect not in MUTATIONS:
                by_tool[call.name].append(call)
        others = {one.name for one in turn.landed_changes() if tells(one, whole)}
        for calls in by_tool.values():
            landed = [call for call in calls if call.outcome not in UNDONE]
            least = 1 if BOTH.search(whole.quote) else self.least
            findings += [
                Finding("contradicted", _subject(call), call.failure, whole.quote, call.id)
                for call in (calls if len(landed) >= least else ())
                if call.outcome in UNDONE
                and not (call.settled or _mended(call, turn) or turn.done_after(call))
                and others.issubset({call.name})
            ]
        return findings or list(_beside(whole, by_tool, turn))

    def _entries(self, said: Sequence[Claim], whole: Claim | None, text: str, turn: Turn) -> Iterator[Finding]:
        """Entries of a result that failed beside others that did not, where the answer names them or speaks of all."""
        unsure = expression(self.unsure)
        sure = [one for one in said if not unsure.search(one.quote)]
        whole = None if whole is None or unsure.search(whole.quote) else whole
        if (not sure and whole is None) or expression(self.admits).search(text):
            return
        kin = vocabulary(self.kin, (), ())
        told = _Told(sure, whole, Apart(text, said, roots(self.idle), kin), kin)
        for call in turn.possible_changes():
            lowered = call.result_text.lower()
            if any(word in lowered for word in TROUBLE):
                yield from told.failed(call, turn)
                yield from told.away(call, turn)

    def _left_out(self, said: Sequence[Claim], whole: Claim | None, text: str, turn: Turn) -> Iterator[Finding]:
        """An item of a list that tells a deed of which no change has a word, where there are fewer changes than items.

        The user's message, or the offer that it answers, has one, or the answer speaks of all.
        """
        changes = turn.landed_changes()
        items = list(islice(ITEM.finditer(text), ITEMS))
        if not 0 < len(changes) < len(items) or any(one.effect or turn.nature(one) != "change" for one in changes):
            return
        told = []
        for item in items:
            own = [one for one in said if item.start() <= one.start < item.end()]
            if len(changes) == 1 and any("foreign" in one.fields for one in own):
                continue  # the one call has its words in another language
            if own and not expression(self.kept).search(item[1]) and not any(_is_of(one, changes) for one in own):
                told.append(item)
        if not told or not _may_do(turn):
            return
        idle = roots(self.idle)
        words = {item: tokens(item[1]) - idle for item in items}
        asked = tokens(f"{turn.asked[:READ]} {turn.offer()[-READ:] if len(turn.asked) <= SHORT else ''}") - idle
        looks = (one.result_text[:READ] for one in turn.calls if turn.nature(one) == "read")
        done, seen = _words(changes), tokens("\n".join(looks)) - idle
        missing = [one for one in told if not words[one] & (done | seen) and (whole or words[one] & asked)]
        missing = [
            one for one in missing if len(words[one]) >= TWO + (len(changes) == 1) and not gives(changes, one[1])
        ]
        missing = [one for one in missing if not any(similar(word, done) for word in words[one] if len(word) > LEAST)]
        if not missing:
            return  # what earlier turns did costs the history
        done |= _words(turn.possible_changes(turn.earlier()))
        if not any(own & done for own in words.values()):
            return  # told in other words than the calls'
        for item in missing:
            if not words[item] & done and turn.whole() and turn.legible():
                subject = one_line(item[1].replace("*", ""), 80)
                yield Finding("unsupported", subject, "no call has a word of this part", one_line(item.group(), 200))


def _is_of_all(claim: Claim) -> bool:
    """Whether a claim speaks of all that was to be done; what is so since does by the number: "All four are in the run"."""
    if claim.kind == "outcome":
        return EVERY.match(claim.quote) is not None
    return claim.count == ALL or BOTH.search(claim.fields.get("part") or claim.quote) is not None


def _words(calls: Iterable[Call]) -> frozenset[str]:
    """The words of calls and their results."""
    return tokens("\n".join(f"{one.name} {one.raw} {one.result_text[:READ]}" for one in calls))


def _may_do(turn: Turn) -> bool:
    """Whether the request declares a tool that changes something and that the turn has not called."""
    called = {one.name for one in turn.calls}
    return any(name not in called and turn.nature_of(name) == "change" for name in turn.tool_names())


def _is_of(claim: Claim, changes: Sequence[Call]) -> bool:
    """Whether a tool that changed something goes by the deed's verb, or one of its family: it may have been it."""
    stems = claim.fields.get("stems", claim.act).split()
    return any(stem in one.name.lower() for stem in stems for one in changes)


def _beside(whole: Claim, by_tool: Mapping[str, Sequence[Call]], turn: Turn) -> Iterator[Finding]:
    """What one tool failed to do beside what another did, where an answer speaks of both, or of all."""
    landed = {name for name, calls in by_tool.items() if any(one.outcome not in UNDONE for one in calls)}
    failed = [calls for name, calls in by_tool.items() if name not in landed]
    if not landed or (BOTH.search(whole.quote) and sum(map(len, by_tool.values())) > TWO):
        return
    if BOTH_OF.search(whole.quote):
        return  # "confirmed on both flights", which one call did, and a mail that failed
    for call in (calls[-1] for calls in failed):
        later = [one for one in turn.landed_changes() if one.position > call.position]
        other = BOTH.search(whole.quote) and all(call.given.isdisjoint(one.given) for one in later)  # no way around it
        if not (call.settled or turn.done_after(call) or (later and not other)):
            yield Finding("contradicted", _subject(call), call.failure, whole.quote, call.id)


@dataclass(frozen=True, slots=True)
class _Told:
    """What an answer tells as done, and how: claims that name a thing, one of all things, and the text around them."""

    said: Sequence[Claim]
    whole: Claim | None
    apart: Apart
    kin: Vocabulary

    def failed(self, call: Call, turn: Turn) -> Iterator[Finding]:
        """Entries of a result that failed, or are unlike those beside them."""
        for entry, reason in islice(left_behind(call, turn), MOST):
            texts = [text for _, text in scalars(entry, depth=1)]
            claim = next((one for one in self.said if one.subject and one.subject.lstrip("#") in texts), self.whole)
            if not texts or claim is None or was_so(entry, reason, call):
                continue
            if claim is self.whole and BOTH.search(claim.quote) and len(beside(entry, call)) > 1:
                continue  # both of some other things
            if is_own_state(entry, call, turn, verbs(claim), self.kin):
                continue
            if self.apart.has(entry, reason, call, turn, claim.quote):
                continue
            subject = next((text for text in texts if text == claim.subject.lstrip("#")), texts[0])
            yield Finding("contradicted", subject[:80], f"the result says: {reason}", claim.quote, call.id)

    def away(self, call: Call, turn: Turn) -> Iterator[Finding]:
        """What a result lists as skipped or failed of what the call was given."""
        named = {one.subject.lstrip("#"): one for one in self.said if one.subject}
        every = None if self.whole is None or BOTH.search(self.whole.quote) or turn.landed_again(call) else self.whole
        for name, one in islice(turned_away(call, turn), MOST) if named or every else ():
            claim = named.get(one, None if every is None or one in self.apart.text else every)
            if claim is None or any(f'"{one}"' in later.raw for later in turn.after(call)):
                continue
            if not self.apart.has_name(one, call, turn, claim.quote):
                yield Finding("contradicted", one[:80], f"the result has it under {name}", claim.quote, call.id)


def _mended(failed: Call, turn: Turn) -> bool:
    """Whether a later change of the tool may be another try."""
    tries = turn.tries_after(failed)
    return len(tries) > BESIDE or any(_mends(one, failed) for one in tries if turn.nature(one) == "change")


def _mends(later: Call, failed: Call) -> bool:
    """Whether a later call may be another try: of all that it was asked, at most one thing differs."""
    keys = later.arguments.keys() | failed.arguments.keys()
    differ = [key for key in keys if later.arguments.get(key) != failed.arguments.get(key)]
    return len(differ) <= 1 < len(keys) or not differ


def _subject(call: Call) -> str:
    """What the call was about: its first argument that is a plain text."""
    return next((value[:80] for value in call.arguments.values() if isinstance(value, str) and value), call.name)
