"""What an answer says to be doing at this moment, or right after it, while the turn ends without it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import ClassVar

from proxy.audit import Finding
from proxy.claims import Claim, compared_text
from proxy.deeds import sorted_changes, tells
from proxy.figures import sentence_around, unquoted
from proxy.ledger import Turn
from proxy.patterns import expression
from proxy.results import one_line
from proxy.roots import COMMON, name_tokens, root, roots, similar, tokens
from proxy.written import agentic

REST = re.compile(r"[^,;.!?\n]*")
"""What stands behind a verb before something else begins."""
GOES_ON = re.compile(r"[A-Za-z]{3,}(?:ing|ING)\b(?!\"\s*:)")
"""How a result says that something is under way: `state: resuming`; a field that is called so (`opening`) does not."""
AT_IT = re.compile(r"(?i)\b(?:[’']m|am|[’']re|are|now) ([a-z]{3,}ing)\b")
"""How an answer says that "I" am at something."""
MOST = 20
"""Things said to be under way that are looked for."""
READ = 4_000
"""Code points of a call and its result in which words are looked for."""
CLOSE = 400
"""Code points of an answer's end, in which it says what comes next."""
REASON = "said to be under way, and no call of this turn does it"
WATCHED = "nothing watches once the turn has ended: no call set anything up that would"
ENDS = "said to come right away, and the turn ends without it"


@dataclass(frozen=True, slots=True)
class Promises:
    """Hold what is said to be under way, or to come at once, against the calls of the turn that the answer ends.

    A deed that "I" am at now, in the words of the word lists, is told where no call of the turn may be it.
    `doing`, with the groups `verb` and `passive`, finds what is said to be done at this moment: told where a declared tool
    does it and no call of the turn may, if `now` says that it surely is, or the tool's thing is named. `hold` finds, at the
    end of an answer, that somebody shall wait for it, and `next`, with the group `verb`, what is to come: told where the last
    call of the turn changed nothing, and no change has that verb. `watches` finds that "I" will go on watching something:
    nobody does once the turn has ended, unless a call with one of the words `watchers` has seen to it. `doubts` is an
    expression for what is not said so flatly,
    `leave` for the end of an answer that asks for leave, `idle` are words of tools' names that tell nothing. It speaks
    where no other auditor does.
    """

    doing: str = r"(?!)"
    now: str = r"(?!)"
    hold: str = r"(?!)"
    next: str = r"(?!)"
    watches: str = r"(?!)"
    doubts: str = r"(?!)"
    leave: str = r"(?!)"
    idle: tuple[str, ...] = ()
    watchers: tuple[str, ...] = ()

    reads: ClassVar[frozenset[str]] = frozenset({"announced", "text"})

    def follow(self, turn: Turn, claims: Sequence[Claim], findings: Sequence[Finding]) -> list[Finding]:
        if any(one.flagged for one in findings):
            return []
        announced = [one for one in claims if one.kind == "announced" and one.stance == "asserted"]
        found = _announced(turn, announced) if announced and agentic(turn) else None
        text = unquoted(compared_text(claims)) if agentic(turn) else ""
        if found is None and text and turn.tools:
            found = self._under_way(turn, text) or self._next(turn, text)
        found = found or (self._watched(turn, text) if text else None)
        return [found] if found is not None and turn.whole() else []

    def _under_way(self, turn: Turn, text: str) -> Finding | None:
        """The verdict on what is said to be done at this moment, where a declared tool does it and no call may have."""
        made: frozenset[str] | None = None
        for found in islice(expression(self.doing).finditer(text), MOST):
            verb, sentence = root((found["verb"] or found["passive"]).lower()), sentence_around(text, *found.span())
            part = f"{found.group()}{REST.match(text, found.end())[0]}"  # type: ignore[index]  # it matches nothing, too
            if verb in COMMON or expression(self.doubts).search(part):
                continue
            made = _made(turn) if made is None else made
            if similar(verb, made):
                continue
            said = tokens(sentence[:READ]) - roots(self.idle)
            for name in turn.tool_names():
                own = name_tokens(name) - roots(self.idle)
                meant = similar(verb, own) and turn.nature_of(name) != "read"
                if meant and (expression(self.now).search(sentence) or said & (own - {verb})):
                    return Finding("unsupported", name, REASON, one_line(sentence, 200))
        return None

    def _next(self, turn: Turn, text: str) -> Finding | None:
        """The verdict on what shall come while somebody waits: the last such sentence, where no change ended the turn."""
        end = text[-CLOSE:]
        last = turn.calls[-1:]
        if turn.possible_changes(last) or expression(self.leave).search(end) or "?" in end:
            return None
        waits = any(True for _ in expression(self.hold).finditer(end))
        for found in reversed(list(expression(self.next).finditer(end)) if waits else []):
            sentence = sentence_around(end, *found.span())
            verb = found["verb"].lower()
            done = similar(
                root(verb), tokens(" ".join(f"{one.name} {one.raw[:READ]}" for one in turn.possible_changes()))
            )
            if not (done or expression(self.doubts).search(sentence)):
                return Finding("unsupported", verb, ENDS, one_line(sentence, 200))
        return None

    def _watched(self, turn: Turn, text: str) -> Finding | None:
        """The verdict on what is said to be watched from now on, where no call of the conversation may have seen to it."""
        found = expression(self.watches).search(text)
        if found is None:
            return None
        sentence = sentence_around(text, *found.span())
        before = sentence[: sentence.find(found.group())]
        calls = turn.possible_changes([*turn.calls, *turn.earlier()])
        opaque = any(turn.nature(one) == "unknown" for one in turn.calls)
        if opaque or sentence.rstrip().endswith("?") or expression(self.doubts).search(before):
            return None
        if any(not roots(self.watchers).isdisjoint(tokens(f"{one.name} {one.raw[:READ]}")) for one in calls):
            return None
        return Finding("unsupported", "watch", WATCHED, one_line(sentence, 200))


def _announced(turn: Turn, claims: Sequence[Claim]) -> Finding | None:
    """The verdict on a deed that the answer says to be at, where the turn ends without a call for it."""
    done, opaque, failed = sorted_changes(turn, turn.calls)
    failed = [call for call in failed if all(call.name != one.name for one in done)]
    for claim in claims if not opaque else ():
        if any(tells(call, claim) for call in done) or (done and "stems" not in claim.fields):
            continue
        begun = turn.possible_changes(turn.earlier()) if "?" in turn.asked or "？" in turn.asked else ()
        if any(tells(call, claim) for call in begun):
            continue  # it is asked about, and it was begun in an earlier turn
        if _goes_on(turn, claim):
            continue
        reason = f"announced, and {failed[0].failure}" if failed else "announced, and no call of this turn did it"
        return Finding("unsupported", claim.act, reason, claim.quote, failed[0].id if failed else "")
    return None


def _goes_on(turn: Turn, claim: Claim) -> bool:
    """Whether a look shows that what an answer says to be at is going on by itself: `state: resuming`."""
    shown = (word.lower() for call in turn.calls for word in GOES_ON.findall(call.result_text[:READ]))
    return not {word.lower() for word in AT_IT.findall(claim.quote)}.isdisjoint(shown)


def _made(turn: Turn) -> frozenset[str]:
    """The words of the turn's calls; of what looks showed only what goes on: a `cancel_fee` has cancelled nothing."""
    changes = turn.possible_changes()
    told = [f"{one.name} {one.raw[:READ]}" for one in turn.calls]
    shown = [(one.result_text[:READ], one in changes) for one in turn.calls]
    return tokens(" ".join([*told, *(text if done else " ".join(GOES_ON.findall(text)) for text, done in shown)]))
