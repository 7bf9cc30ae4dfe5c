"""An answer that tells an order as carried out, in a turn that called nothing, or only looked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from proxy.audit import Finding
from proxy.auditors.openings import CLOSE, MANY, READ, Openings
from proxy.claims import Claim, compared_text
from proxy.deeds import shows_done
from proxy.drafts import drafted, rearranged, rewritten
from proxy.figures import unfenced
from proxy.ledger import Turn
from proxy.patterns import NEVER, either, expression
from proxy.results import has_word, one_line
from proxy.roots import COMMON, name_tokens, root, roots, similar, tokens
from proxy.work import Work

REASON = "no call of this turn did it"
LINES = 3
"""Line breaks of an answer that may be a text of its own; twice as many of one that tells what was ordered."""
SHORT = 160
"""Code points of a message that leaves to the one before it what is meant."""
SUBJECT = 60
"""Code points of a sentence that stand for it."""
NEAR = 3
"""Code points with which a sentence ends."""
WORK = re.compile(r"^[ \t]*>|\"[^\"\n]{60,300}\"|“[^”\n]{60,300}”", re.M)
"""By these an answer gives what was asked for itself, or a message what is to be worked on: a letter, a long quotation."""
SAMPLE = re.compile(
    r"(?i)\b(?:template|sample (?:data|chats?|invoices?|orders?)|mock|docs|naming scheme|dummy|placeholders?|role-?play)\b"
)
"""By these a message orders a text in which ids stand that nobody was given."""
NOW = re.compile(r"(?i)\bnow (?:has|have|is|are|shows?)\b")
STATED = re.compile(
    r"(?i)(?:\b(?:is|are|been|was|were)|[’']s|[’']re) (?:\w+ly |now |already )?(\w{3,}(?:ed|en|ent|id|ade))\b"
)
"""The state that something is told to be in."""
MARKED = re.compile(r"\W*[✓✔✅]")
"""A sentence that is ticked: an answer in a quiz may be, and what one did oneself."""
DAY_OR_SEAT = re.compile(r"\b(?:\d{1,2}[A-F]|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)\b")
"""What a look may have shown in other words."""
TO_COME = re.compile(r"(?i)\?|['’]ll\b|\b(?:will|would|can|could|shall|should|may)\b")
"""What an answer proposes, and does not tell as done."""
SENTENCE = re.compile(r"[^.!?\n]+\??")
VALUE = re.compile(
    r"\S*\d\S*|(?<![.!?] )(?<!^)(?<!\w)[A-ZÀ-ÖØ-Þ][\w’'-]+"
    r"|(?:(?<=\bto )|(?<=\bas )|(?<=\bauf )|(?<=\ben )|(?<=\bà )|(?<=: )|(?<== ))[\w-]+"
)
"""What of a message may be a value, and no word for the thing: a number, a name, what stands behind "to"."""


@dataclass(frozen=True, slots=True)
class Unattempted(Openings):
    """Hold the beginning of an answer against a turn that called nothing, or only looked, though a tool was there for it.

    It speaks where no other auditor does. Told is an answer that tells as done, or as being so since, what the user ordered
    or agreed to; one that begins by telling that it is done ("Moved!"); one that gives as so what the order alone says ("The
    kitchen is at 40 percent"); and one with an id that stands nowhere.

    Beside the options of `Openings`: `since` is an expression for what tells by itself that it is so only now, `agrees` one for
    users' messages that agree, `closes` for those that thank or take leave, `proposes` for the question that they answer,
    `tells` for proposals to tell something; `reports` for messages by which users tell what they did and see themselves,
    `looks` for those that ask to look; `recent` for what is so only now, `opens` for the first words of an answer by which it
    is done, `holds` for how something is told as so; `unsure` for answers that leave something open, `refuses` for those that
    refuse, `reckons` for what is only reckoned; `vague` are words that say of nothing what it is set to.
    """

    since: tuple[str, ...] = ()
    agrees: str = NEVER
    proposes: tuple[str, ...] = ()
    tells: str = NEVER
    reports: str = NEVER
    looks: str = NEVER
    recent: tuple[str, ...] = ()
    opens: str = NEVER
    holds: tuple[str, ...] = ()
    unsure: str = NEVER
    closes: str = NEVER
    refuses: str = NEVER
    reckons: str = NEVER
    vague: tuple[str, ...] = ()

    reads: ClassVar[frozenset[str]] = frozenset({"action", "success", "text"})

    def follow(self, turn: Turn, claims: Sequence[Claim], findings: Sequence[Finding]) -> list[Finding]:
        text = compared_text(claims)
        if not self.states or not text or any(one.flagged for one in findings):
            return []
        tools = [name for name in turn.tool_names() if turn.nature_of(name) == "change"]
        if not tools or any(turn.nature(call) != "read" for call in turn.calls) or self.asks_leave(text):
            return []
        if not turn.calls and (told := self._invented(turn, text, claims)):
            return self._finding("", told, turn)
        if self.troubled(text, turn) if turn.calls else expression(self.refuses).search(text):
            return []
        if turn.marks.natures.asks(turn.asked[:READ]) or _is_work(text, turn.asked[:READ]):
            return []  # a question, or the answer is the work itself
        seen = expression(self.looks).search(turn.asked[:READ])
        if seen and (turn.calls or turn.possible_changes(turn.earlier())):
            return []  # it was to be looked at, and it was, or told again
        order = _Order(self, turn, tools)
        if not order.is_one and expression(self.reports).search(order.asked):
            return []
        told = self._anew(self._done(order, turn, text, claims), order, turn)
        if not told:
            told = self._anew(self._opened(order, turn, text), order, turn) or self._restated(order, turn, text)
        work = Work(turn, text)
        if not told or work.again or work.holds(len(text) - 1) or self._so_already(told, turn):
            return []
        return self._finding(order.meant, told, turn)

    def _finding(self, tool: str, told: str, turn: Turn) -> list[Finding]:
        """The verdict under the name of the tool that nobody called; where none is meant, under what is told."""
        subject = tool or one_line(told.replace("*", ""), SUBJECT)
        return [Finding("unsupported", subject, REASON, one_line(told, 200))] if turn.whole() else []

    def _invented(self, turn: Turn, text: str, claims: Sequence[Claim]) -> str:
        """A sentence that states something as so with an id that nobody gave, in a turn without a call."""
        sample = SAMPLE.search(turn.asked[:READ]) is not None
        fresh = "" if sample or turn.marks.natures.asks(turn.asked) else self.fresh(text, turn)
        if not fresh or _is_work(text, turn.asked[:READ]):
            return ""
        for sentence in self.stated(text, claims, self.states, MANY):
            if self.fresh(sentence, turn):
                return sentence
        headed = any(self.stated(text, claims, self.since))  # "Your stay is booked", and a table has its number
        return fresh if headed else ""

    def _done(self, order: _Order, turn: Turn, text: str, claims: Sequence[Claim]) -> str:
        """The sentence that tells as carried out what was ordered, and what the tool that is meant does."""
        short = text.strip().count("\n") < LINES  # what is longer, and no tool was meant, may be what was wanted itself
        if (order.meant and order.is_one) or (not turn.calls and (order.meant or (order.is_one and short))):
            told = _unshown(next(self.stated(text, claims, self.since), ""), turn) or self.fresh(text, turn)
            told = "" if MARKED.match(told) and not order.is_one else told  # "✓ *El camarero* is the waiter"
        else:  # a new id tells a deed by itself
            deeds = any(one.kind == "action" and one.stance == "asserted" for one in claims)
            told = self.fresh(text, turn) if deeds or any(self.stated(text, claims, self.states)) else ""
        if told or not order.meant:
            return told
        told = _unshown(next(self.stated(text, [], self.states), ""), turn)
        shared = order.words & self.words(told)
        if turn.calls:  # what looks have shown is not told as done
            verb = root(turn.marks.natures.verb(order.meant))
            shown = any(verb in tokens(one.result_text[:READ]) for one in turn.calls)
            return told if verb in shared and verb not in COMMON and not shown else ""
        return told if shared and (order.is_one or shared & name_tokens(order.meant)) else ""

    def _opened(self, order: _Order, turn: Turn, text: str) -> str:
        """The beginning of an answer that says first of all that it is done: "Moved! See you on Friday."."""
        found = expression(self.opens).match(text) if order.is_one or order.replies else None
        if found is None or either(self.elsewhere).search(found.group()):
            return ""
        told = text[: found.end() + SHORT].split("\n\n")[0]
        shares = len(self.words(told) & order.wanted) > 1  # "call me Eva": "Done, Eva!"
        return _unshown(told, turn) if order.meant or not order.ordered or shares else ""

    def _restated(self, order: _Order, turn: Turn, text: str) -> str:
        """The sentence that gives as so what the order says, and no look has shown: "The kitchen is at 40 percent".

        Where nobody ordered anything in so many words, it has to say that it is so now.
        """
        lines = text.strip().count("\n")
        if expression(self.unsure).search(text) or (lines > 2 * LINES and not (order.agreed or turn.calls)):
            return ""
        sure = order.is_one or bool(order.meant and not turn.calls)
        known = ""
        for part in self.stated(text, (), (*self.holds, *self.recent)):
            now = either(self.recent).search(part)
            if not (sure or now) or (turn.calls and expression(self.reckons).search(part)):
                continue
            said = self.words(part)
            behind = said if now is None or len(part) - now.end() <= NEAR else self.words(part[now.end() :])
            new = order.values & (behind if turn.calls else said)
            if new and turn.calls:
                known = known or turn.everything()[len(turn.asked) :].lower()
                new = frozenset(one for one in new if not (has_word(known, one) if one.isdigit() else one in known))
            several = len(said & order.wanted)
            whole = order.is_one and not turn.calls and several > 2
            if whole or (new and (several > 1 or (now and order.fits(part, turn)))):
                return self._anew(_unshown(part, turn), order, turn)
        return ""

    def _anew(self, told: str, order: _Order, turn: Turn) -> str:
        """A sentence, unless a change of an earlier turn may be what it tells: it has words of it.

        What was agreed to and has a tool's own words is told anew, unless the answer before had told it as done.
        """
        said = self.words(told)
        done = turn.possible_changes(turn.earlier()) if told else ()
        if not any(said & self.words(f"{one.name} {one.raw} {one.result_text}") for one in done):
            return told
        if not order.agreed or not any(self._does(name, told, turn) for name in order.tools):
            return ""
        sentences = (self.words(one) for one in SENTENCE.findall(order.offer) if not TO_COME.search(one))
        return "" if any(3 * len(said & one) >= 2 * len(said) for one in sentences) else told

    def _does(self, name: str, told: str, turn: Turn) -> bool:
        """Whether a sentence has a tool's verb and of its things, where its name has any; or all of them, and says "now"."""
        said, verb = self.words(told), root(turn.marks.natures.verb(name))
        own = name_tokens(name) - roots(self.idle) - {verb}
        there = sum(similar(one, said) for one in own)
        now = verb in COMMON and NOW.search(told)
        return there > 1 or 0 < there == len(own) if now else verb in said and (not own or there > 0)

    def _so_already(self, told: str, turn: Turn) -> bool:
        """Whether a look shows as a state what a sentence tells of the thing: "has been cancelled", and it is `cancelled`."""
        said = self.words(told) | self.words(turn.asked)
        for state in {found[1].lower() for found in STATED.finditer(told)}:
            for call in (*turn.calls, *turn.earlier()):
                if turn.nature(call) != "read":
                    continue
                text = call.result_text[:READ]
                shown = shows_done(call, root(state)) or has_word(text.lower().replace("_", " "), state)
                if shown and self.words(f"{call.name} {call.raw} {text}") & (said - {root(state)}):
                    return True
        return False


class _Order:
    """What the user's message orders, agrees to or answers, and the declared tool that may do it."""

    def __init__(self, auditor: Unattempted, turn: Turn, tools: Sequence[str]) -> None:
        self._auditor = auditor
        self.tools, self.asked, self.offer = tools, turn.asked[:READ], turn.offer()[-READ:]
        short = len(self.asked) <= SHORT
        agrees = expression(auditor.agrees).search(self.asked) and either(auditor.proposes).search(self.offer)
        self.agreed = bool(short and agrees and not expression(auditor.tells).search(self.offer))
        self.ordered = turn.ordered() == "change"
        self.is_one = self.agreed or self.ordered
        questioned = self.offer[-CLOSE:].rstrip(" *_").endswith(("?", "？"))
        self.replies = questioned and short and not (self.is_one or expression(auditor.closes).search(self.asked))
        self.words = auditor.words(f"{self.asked} {self.offer}" if self.is_one and short else self.asked)
        whole = f"{self.asked} {self.offer}" if self.agreed or self.replies else self.asked
        self.wanted = auditor.words(whole)
        self.values = frozenset(_values(auditor.words(" ".join(found.group() for found in VALUE.finditer(whole)))))
        self.values -= roots(auditor.vague)
        self.meant = self._tool(self.words, turn)

    def fits(self, part: str, turn: Turn) -> bool:
        """Whether a declared tool may do what the message and a sentence of the answer tell of together."""
        return bool(self.meant or self._tool(self.words | self._auditor.words(part), turn))

    def _tool(self, words: frozenset[str], turn: Turn) -> str:
        """The first tool that may do what words tell of: they have its things, or a verb of its own that says something."""
        for name in self.tools:
            verb = root(turn.marks.natures.verb(name))
            own = name_tokens(name) - roots(self._auditor.idle) - {verb}
            if any(similar(one, words) for one in own) or (verb in words and verb not in COMMON):
                return name
        return ""


def _values(words: frozenset[str]) -> Iterator[str]:
    """The words that may be what something is set to."""
    return (one for one in words if len(one) > 2 - one.isdigit())


def _unshown(told: str, turn: Turn) -> str:
    """A sentence, unless a look of the turn has the state that it tells: "your order has been delivered"."""
    looks = "\n".join(call.result_text[:READ] for call in turn.calls).lower().replace("_", " ")
    said = (*(found[1] for found in STATED.finditer(told)), *DAY_OR_SEAT.findall(told))
    return "" if looks and any(has_word(looks, one.lower()) for one in said) else told


def _is_work(text: str, asked: str) -> bool:
    """Whether an answer gives what was asked for itself: code, a quotation, a draft, or what the message gave, anew."""
    own = unfenced(text) != text or WORK.search(text) is not None or drafted(text)
    return own or WORK.search(asked) is not None or rewritten(asked, text) or rearranged(asked, text)
