"""What the beginning of an answer states: deeds, what is so since, and ids that nobody gave; for auditors of whole orders."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice

from proxy.auditors.ids import made_of_known, nowhere
from proxy.claims import Claim
from proxy.figures import dictates, sentence_around, unfenced, unquoted
from proxy.ledger import UNDONE, Turn
from proxy.patterns import NEVER, either, expression
from proxy.roots import roots, tokens
from proxy.spelling import plain

LEAD, MANY = 2, 20
"""Sentences in which an answer says what came of an order, and of several."""
GREETING, GREETINGS = 3, 2
"""Words of a sentence that only greets or thanks, and how many of these an answer may begin with."""
SENTENCE = re.compile(
    r"[^\n.!?。！？]+(?:(?:[.!?](?!\s|$)|(?<=\b[MD][rs])\.|(?<=\bMrs)\.)[^\n.!?。！？]*)*[.!?。！？]*"
)
CUT = re.compile(r";|,? (?:so|and) (?=I\b|you\b|your\b|it\b|they\b|no one\b|nobody\b|should\b|will\b|can\b|may\b)")
"""Where a sentence goes on to what follows from it."""
AND = re.compile(r",? (?:and|und|y|et|e) |, ")
"""Where one deed of a sentence ends and another begins."""
CLOSE = 400
"""Code points of an answer's end."""
READ = 4_000
"""Code points of a message in which words are looked for."""
NEXT = 30
"""Code points behind a word in which the next one stands."""
MOST = 20
"""Ids of an answer that are looked for."""
FRESH = re.compile(
    r"(?<![\w/.@$€£=&?%:-])(?:#\d{2,}|[A-Za-z]{1,12}(?:[-_][A-Za-z]{1,12}){0,4}[-_]?\d[\w-]*"
    r"|(?=[0-9]*[a-f])[0-9a-f]{7,40}|\d{2,8}-[A-Z]{2,6}-\d{2,8})(?![\w@]|\.\w)",
    re.A,
)
"""What tells which thing came of a deed: letters and digits, a number behind a `#`, a commit."""


@dataclass(frozen=True, slots=True)
class Openings:
    """The options and the eyes that `unfulfilled` and `unattempted` share.

    `states` is an expression for what is told as so; `trouble` one for words anywhere in an answer that tell of some, `doubts`
    for those that do at its beginning, `elsewhere` for sentences that speak of another time, ask, or give the work itself;
    `leave` for the end of an answer that asks for leave to go on, `terms` for what looks like an id and is none; `idle` are
    words of tools' names that tell nothing.
    """

    states: tuple[str, ...] = ()
    trouble: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    elsewhere: tuple[str, ...] = ()
    leave: str = NEVER
    terms: str = NEVER
    idle: tuple[str, ...] = ()

    def asks_leave(self, text: str) -> bool:
        """Whether an answer ends by asking for leave: what it tells of is still to be done."""
        return expression(self.leave).search(text[-CLOSE:]) is not None

    def words(self, text: str) -> frozenset[str]:
        """The roots of a text's words, but for those that tell nothing."""
        return tokens(text[:READ]) - roots(self.idle)

    def stated(self, text: str, claims: Sequence[Claim], states: tuple[str, ...], most: int = LEAD) -> Iterator[str]:
        """The sentences at the beginning of an answer that tell a deed, or what is so since, up to the first doubt."""
        read = 0
        for found in islice(SENTENCE.finditer(text), most + GREETINGS):
            if read == most:
                return
            read += len(found.group().split()) > GREETING
            pieces = CUT.split(found.group())
            told = pieces[0]
            own = [
                one for one in pieces[1:] if one.startswith("I ") and found.group().count(one) == 1
            ]  # "so I merged it"
            for part in (told, *chain(*map(AND.split, pieces))) if most > LEAD else (told, *own):
                if either(self.doubts).search(unquoted(part)):
                    if most == LEAD:
                        return
                    continue
                if either(self.elsewhere).search(part):
                    continue
                start = found.start() + found.group().find(part)
                deeds = (one.start for one in claims if one.kind != "text" and one.stance == "asserted")
                if any(start <= one < start + len(part) for one in deeds) or either(states).search(part):
                    yield part

    def fresh(self, text: str, turn: Turn) -> str:
        """The line of an answer that gives an id which stands nowhere in the conversation."""
        plain = unfenced(text)
        found = {one.group(): sentence_around(plain, *one.span()) for one in islice(FRESH.finditer(plain), MOST)}
        ids = {
            one: line
            for one, line in found.items()
            if (one[0] == "#" or sum(map(str.isdigit, one)) >= 3)
            and not expression(self.terms).match(one)
            and not either(self.elsewhere).search(line)
        }
        missing = nowhere(ids, turn) if ids and not dictates(turn.asked) else {}
        return next((line for one, line in missing.items() if not made_of_known(one, turn, 1)), "")

    def troubled(self, text: str, turn: Turn) -> bool:
        """Whether an answer tells of trouble, by other words than the user's and the calls' own: "rerun the failed job".

        What a result that is no failure calls so ("failed_logins") is none either: "the failed login count is back to 0".
        """
        given, shown = "", ""
        for found in either(self.trouble).finditer(text):
            given = given or " ".join((turn.asked[:READ], *(call.name for call in turn.calls))).lower()
            if found.group().lower()[:5] in given:
                continue
            landed = (one.result_text[:READ] for one in (*turn.calls, *turn.earlier()) if one.outcome not in UNDONE)
            shown = shown or f" {plain(' '.join(landed))}"
            behind = plain(text[found.start() : found.end() + NEXT].split("\n")[0]).split()
            own = plain(found.group()).split()
            if not own or len(behind) <= len(own) or f" {' '.join(behind[: len(own) + 1])}" not in shown:
                return True
        return False
