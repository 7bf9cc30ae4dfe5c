"""Whether an answer is itself the work that was ordered: a text, a dialogue, or what answers before it held, anew."""

from __future__ import annotations

import re
from collections import Counter
from functools import cached_property

from proxy.claims import Claim
from proxy.declared import may_do
from proxy.edits import can_edit
from proxy.ledger import Turn
from proxy.patterns import NEVER, expression

WORD = re.compile(r"\w{2,}")
SHAPES = frozenset({"delete", "create", "edit", "move", "handle"})
"""Acts that may be done to an answer: a line added, a value converted, an entry dropped."""
RESHAPES = SHAPES | {"exchange"}
"""Those that may be done to what answers before it held: two days of a plan swapped."""
ORDERS = expression(
    r"(?i)\b(?:draft|compose|rewrite|rephrase|reword|paraphrase|translate|summari[sz]e|shorten|proofread|polish|brainstorm"
    r"|outline|sketch|recap)\b|\b(?:standup|status) update\b"
    r"|\b(?:turn|make|put)\b[^.\n]{0,60}\b(?:out of|into(?! (?:the|my|our)\b))\b"
    r"|\b(?:make|create|build) (?:me |us )?(?:an?|the|this) (?:\w+ ){0,2}(?:check)?(?:list|table|plan|overview|outline)\b"
    r"|\b(?:tidy|clean)\b[^.\n]{0,60}\b(?:up|into)\b"
    r"|\bgive (?:me|us) an? (?:\w+ )?(?:script|dialogue|example|sample|template)\b"
    r"|\bwrite (?:me|us|an?|the|some|up)\b|\b(?:entwirf|formuliere?|verfasse?|übersetze?|redact[ae]|escribe(?:me)?|tradu[cz]\w*"
    r"|resume|rédige\w*|écris|traduis\w*|résume\w*)\b|起草|拟一|写一|翻译|下書き|書いて|翻訳|要約|써 ?줘|작성해|번역|요약"
)
"""Messages that order a text."""
AGREES = expression(
    r"(?i)^\W*(?:yes|yep|yeah|ok|okay|sure|go ahead|please do|do it|proceed|confirm|perfect|thanks|thank you|ja|sí|si|oui"
    r"|danke|gracias|merci|はい|好|네)\b"
)
SENTENCE = re.compile(r"[^.!?\n|。！？]+[?？]?")
COURTESY = expression(
    r"(?i)\b(?:please|thank\w*|let me know|anything else|confirm\w*|sorry|proceed\w*|assist\w*|would you|if you)\b"
)
"""A sentence that any two answers may have."""
QUOTED = re.compile(r"\s*[«“„「\"]")
"""How an answer begins that is a quotation."""
SPEAKER = re.compile(r"(?m)^[*_ ]{0,4}([A-Z]\w+(?: \w+)?):[*_]{0,3} [^\n]*[.!?…][\"”*]*$")
"""Who says a sentence in a line; who does so twice speaks in a dialogue."""
READ = 2_000
"""Code points of a message in which such an order is looked for."""
LINES, ALIKE, LONG = 3, 2, 8
"""Lines of an answer that may be a text, and sentences of two words, or words of one, by which two texts are one."""


class Work:
    """What of an answer is the very text that the user wants: one that was ordered, or that answers before it held.

    `leave` is an expression for answers that ask for leave.
    """

    def __init__(self, turn: Turn, text: str, leave: str = NEVER) -> None:
        self._turn, self._text, self._leave = turn, text, leave

    def excuses(self, claim: Claim) -> bool:
        """Whether a deed was done to such a text, is told in it, or is only proposed: "Posted as you. Post it?"."""
        reshaped = claim.act in RESHAPES and self.again
        return reshaped or self.holds(claim.start) or ("bare" in claim.fields and self._proposes)

    def is_talk(self, claim: Claim) -> bool:
        """Whether "I" did it by words alone, in a turn that called nothing and has no tool that may: "I've shortened it"."""
        shapes = (
            claim.act in RESHAPES and "active" in claim.fields and claim.fields.keys().isdisjoint(("world", "foreign"))
        )
        if self._turn.calls or not self._turn.tools or not shapes or can_edit(self._turn):
            return False
        return not may_do(self._turn, (claim.fields.get("part", ""), claim.fields.get("stems", ""), claim.subject))

    @cached_property
    def _proposes(self) -> bool:
        return not self._turn.calls and expression(self._leave).search(self._text) is not None

    def holds(self, at: int) -> bool:
        """Whether a place is in a text that the user's message orders: what it tells is told in its writer's name."""
        return at >= self._start

    @cached_property
    def _start(self) -> int:
        """Where such a text begins; the answer's length where there is none.

        It is all of the answer, or what stands behind its first line where that is a sentence: "Here's a draft:".
        """
        lines = [one for one in self._text.split("\n") if one.strip(" -*_#\t")]
        if not self._turn.calls and max(Counter(SPEAKER.findall(self._text)).values(), default=0) > 1:
            return 0  # a dialogue
        if not ORDERS.search(self._turn.asked[:READ]) or (len(lines) < LINES and not QUOTED.match(self._text)):
            return len(self._text)
        sentence = lines[0].rstrip(" *_").endswith((".", ":", "!", "：", "。"))
        return self._text.find(lines[0]) + (len(lines[0]) if sentence else 0)

    @cached_property
    def again(self) -> bool:
        """Whether an answer holds anew what those before it held: a list, a plan.

        Nothing was ever called that may have changed it elsewhere, and the user had more to say than yes.
        """
        turn = self._turn
        if turn.calls or turn.earlier() or AGREES.match(turn.asked) or turn.ordered() != "change":
            return False
        same = (_sentences(turn.answers()) & _sentences(self._text)) - _sentences(turn.asked[:READ])
        return len(same) >= ALIKE or any(one.count(" ") >= LONG for one in same)


def _sentences(text: str) -> set[str]:
    """The sentences of two words, and the cells of tables, each as its words."""
    told = (one for one in SENTENCE.findall(text.lower()) if one[-1] not in "?？" and not COURTESY.search(one))
    return {" ".join(words) for words in map(WORD.findall, told) if len(words) > 1}
