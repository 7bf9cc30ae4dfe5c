"""An answer that tells an order as carried out, in a turn whose changes all failed, or that called nothing at all."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import ClassVar

from proxy.audit import Finding
from proxy.auditors.effects import subject_of
from proxy.auditors.ids import made_of_known, nowhere
from proxy.claims import Claim, compared_text
from proxy.deeds import called_for, notices, shows_done
from proxy.drafts import Work, drafted, rewritten
from proxy.figures import dictates, sentence_around, unfenced, unquoted
from proxy.ledger import UNDONE, Call, Turn
from proxy.patterns import either, expression
from proxy.results import has_word, one_line, scalars, strings
from proxy.roots import COMMON, name_tokens, root, roots, similar, tokens
from proxy.spelling import plain

LINES = 3  # line breaks of an answer that may be a text of its own
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
WORK = re.compile(r"^[ \t]*>|\"[^\"\n]{60,300}\"|“[^”\n]{60,300}”", re.M)
"""By these an answer gives what was asked for itself: lines of a letter, a long quotation."""
SAMPLE = re.compile(
    r"(?i)\b(?:template|sample (?:data|chats?|invoices?|orders?)|mock|docs|naming scheme|dummy|placeholders?|role-?play)\b"
)
"""By these a message orders a text in which ids stand that nobody was given."""
EVERY = re.compile(
    r"(?i)^\W*(?:both|all (?:done|set|(?P<number>two|three|four|five|six|\d))|everything|beides?|alles|todo|tout)\b"
    r"|\bboth (?:are|have|were|done)\b"
)
"""What a sentence speaks of that leaves out nothing that was done."""
ALL = re.compile(r"(?i)\b(?:both|all (?:of (?:the|your|our) )?(?P<number>two|three|four|five|six|[2-9]|1\d))\b")
"""Words for every one of so many things."""
NUMBERS = {word: number for number, word in enumerate(("two", "three", "four", "five", "six"), 2)}
NOBODY = "no call of this turn did it"
NOW = re.compile(r"(?i)\bnow (?:has|have|is|are|shows?)\b")
FAILS = re.compile(r"(?i)[\"'](?:status|state|result|phase)[\"']\s*:\s*[\"'](?:failed|failure|error|errored)[\"']")
"""A look by which it failed shows nothing done."""
STATED = re.compile(r"(?i)\b(?:is|are|been|was|were) (?:\w+ly |now |already )?(\w{3,}(?:ed|en|ent|id|ade))\b")
"""The state that something is told to be in."""
MARKED = re.compile(r"\W*[✓✔✅]")
"""A sentence that is ticked: an answer in a quiz may be, and what one did oneself."""
DAY_OR_SEAT = re.compile(r"\b(?:\d{1,2}[A-F]|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)\b")
"""What a look may have shown in other words."""
TO_COME = re.compile(r"(?i)\?|['’]ll\b|\b(?:will|would|can|could|shall|should|may)\b")
"""What an answer proposes, and does not tell as done."""
CLOSE = 400
"""Code points of an answer's end."""
READ = 4_000
"""Code points of a message in which words are looked for."""
NEXT, NEAR = 30, 3
"""Code points behind a word in which the next one stands, and with which a sentence ends."""
SHORT = 160
"""Code points of a message that leaves to the one before it what is meant."""
VALUE = re.compile(
    r"\S*\d\S*|(?<![.!?] )(?<!^)(?<!\w)[A-ZÀ-ÖØ-Þ][\w’'-]+"
    r"|(?:(?<=\bto )|(?<=\bas )|(?<=\bauf )|(?<=\ben )|(?<=\bà )|(?<=: )|(?<== ))[\w-]+"
)
"""What of a message may be a value: a number, a name, what stands behind "to"."""
MOST = 20
"""Ids of an answer that are looked for."""
FRESH = re.compile(
    r"(?<![\w/.@$€£=&?%:-])(?:#\d{2,}|[A-Za-z]{1,12}(?:[-_][A-Za-z]{1,12}){0,4}[-_]?\d[\w-]*"
    r"|(?=[0-9]*[a-f])[0-9a-f]{7,40}|\d{2,8}-[A-Z]{2,6}-\d{2,8})(?![\w@]|\.\w)",
    re.A,
)
"""What tells which thing came of a deed: letters and digits, a number behind a `#`, a commit."""


@dataclass(frozen=True, slots=True)
class Unfulfilled:
    """Hold the beginning of an answer against a turn in which nothing came about.

    It speaks where no other auditor does. Told is an answer whose first sentences state a deed, or what is so since, or that
    gives an id which stands nowhere, where the turn's last calls set out to change something and failed; or where the user
    ordered what a declared tool does, or agreed to what was proposed, and no call was made.

    `states` is an expression for what is told as so, `since` for what tells by itself that it is so only now; `trouble` for
    words anywhere in an answer that tell of some, `doubts` for those that do at its beginning, `elsewhere` for sentences that
    speak of another time, ask, or give the work itself. `agrees` is one for users' messages that agree, `proposes` for the
    question that they answer, `tells` for proposals to tell something; `reports` for messages by which users tell what they
    did and see themselves; `leave` for the end of an answer that asks for leave to go on; `terms` for what looks like an id
    and is none; `recent` for what is so only now, `looks` for messages that ask to look, and `vague` are words that say of
    nothing what it is set to; `idle` those of tools' names that tell nothing.
    """

    states: tuple[str, ...] = ()
    since: tuple[str, ...] = ()
    trouble: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    elsewhere: tuple[str, ...] = ()
    agrees: str = ""
    proposes: tuple[str, ...] = ()
    tells: str = ""
    reports: str = ""
    leave: str = ""
    terms: str = ""
    idle: tuple[str, ...] = ()
    recent: str = ""
    looks: str = r"(?!)"
    vague: tuple[str, ...] = ()

    reads: ClassVar[frozenset[str]] = frozenset({"action", "success", "text"})

    def follow(self, turn: Turn, claims: Sequence[Claim], findings: Sequence[Finding]) -> list[Finding]:
        text = compared_text(claims)
        if not self.states or not text or any(one.flagged for one in findings):
            return []
        if self.leave and expression(self.leave).search(text[-CLOSE:]):
            return []  # it is still to be done
        changes = [call for call in turn.calls if turn.nature(call) != "read"]
        failed = [one for one in changes if one.outcome in UNDONE and not (one.settled or turn.done_after(one))]
        if any(one.outcome == "unknown" for one in changes):
            return []
        if not turn.calls and (invented := self._invented(turn, text, claims)):
            return invented
        beside = self._beside(failed[-1], turn, text, claims) if failed else []
        if beside or not (failed or not changes) or self._troubled(text, turn):
            return beside
        if not failed:
            return self._uncalled(turn, text, claims)
        if everyone := self._everyone(failed, text, turn):
            return everyone
        if all(turn.nature(one) != "change" for one in failed) and len(turn.calls) > len(failed):
            return []  # they may have been looks, and what is told may come from the others
        last, made = failed[-1], {(call.name, call.raw) for call in turn.earlier()}
        if any(self._may_be(last, call, turn) for call in turn.after(last)) or (last.name, last.raw) in made:
            return []  # what came after may have shown it, or done it
        landed = [one for one in changes if not (one.outcome in UNDONE or (notices(one) and not notices(last)))]
        told = self._failed(last, landed, turn, text, claims) or self._given(text, turn, flatly=bool(landed))
        return [Finding("contradicted", subject_of(last), last.failure, one_line(told, 200), last.id)] if told else []

    def _everyone(self, failed: Sequence[Call], text: str, turn: Turn) -> list[Finding]:
        """The verdict on "all four", where one tool was called for just so many and failed for some."""
        for call in failed:
            number = called_for(call, turn)
            for found in ALL.finditer(text) if number > 1 else ():
                line = sentence_around(text, *found.span())
                doubted = either(self.doubts).search(line) or either(self.elsewhere).search(line)
                if _spoken(found) == number and not doubted:
                    return [Finding("contradicted", subject_of(call), call.failure, one_line(line, 200), call.id)]
        return []

    def _beside(self, failed: Call, turn: Turn, text: str, claims: Sequence[Claim]) -> list[Finding]:
        """The verdict on a sentence that states what a failed call was for, with an id that nobody gave."""
        if not self._fresh(text, turn):
            return []
        own = self._words(f"{failed.name} {failed.raw}")
        for sentence in self._stated(text, claims, self.states, MANY):
            if own & self._words(sentence) and self._fresh(sentence, turn):
                return [Finding("contradicted", subject_of(failed), failed.failure, one_line(sentence, 200), failed.id)]
        return []

    def _invented(self, turn: Turn, text: str, claims: Sequence[Claim]) -> list[Finding]:
        """The verdict on a sentence that states something as so with an id that nobody gave, in a turn without a call."""
        tools = _changing(turn)
        sample = SAMPLE.search(turn.asked[:READ]) is not None
        fresh = "" if not tools or sample or turn.marks.natures.asks(turn.asked) else self._fresh(text, turn)
        if not fresh or _is_work(text):
            return []
        told = [one for one in self._stated(text, claims, self.states, MANY) if self._fresh(one, turn)]
        if not told and any(self._stated(text, claims, self.since)):
            told = [fresh]  # "Your stay is booked", and a table has its number
        return [Finding("unsupported", tools[0], NOBODY, one_line(one, 200)) for one in told[:1] if turn.whole()]

    def _troubled(self, text: str, turn: Turn) -> bool:
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

    def _may_be(self, failed: Call, later: Call, turn: Turn) -> bool:
        """Whether a call after a failed one may have shown the same, or done it: a change by another tool has not."""
        if later.outcome in UNDONE or (later.outcome == "landed" and FAILS.search(later.result_text[:READ])):
            return False
        if (
            turn.nature(later) == "read"
            and later.outcome == "landed"
            and not failed.effect
            and turn.ordered() == "change"
        ):
            new = _new(failed, turn)
            return not new or any(has_word(later.result_text[:READ], one) for one in new)
        return turn.nature(later) != "change" or not self._words(failed.name).isdisjoint(self._words(later.name))

    def _failed(self, call: Call, landed: Sequence[Call], turn: Turn, text: str, claims: Sequence[Claim]) -> str:
        """The sentence that states what a failed call was for; where others landed, one that has words of this one alone."""
        stated = list(self._stated(text, claims, self.states, MANY if landed else LEAD))
        if not stated:
            return ""
        told = (" ".join([one.name, one.raw, *strings(one.result_value or one.result_text)])[:READ] for one in landed)
        others = self._words("\n".join(told))
        own = self._words(f"{call.name} {call.raw}")
        for sentence in stated:
            said = self._words(sentence)
            if self._words(call.reason) & said - own - others:
                return ""  # it tells what the tool said
            if (
                not landed
                or ((said & own) - others and not said & (others - own))
                or self._names(call, landed, turn, said)
                or _of_all(sentence, len(landed) + 1)
            ):
                return sentence
        return ""

    def _names(self, call: Call, landed: Sequence[Call], turn: Turn, said: frozenset[str]) -> bool:
        """Whether words have what a failed tool does, and nothing of the names of those that landed."""
        verb = root(turn.marks.natures.verb(call.name))
        others = frozenset().union(*(self._words(one.name) for one in landed))
        return verb not in COMMON and verb in said and said.isdisjoint(others - {verb}) and verb not in others

    def _uncalled(self, turn: Turn, text: str, claims: Sequence[Claim]) -> list[Finding]:
        """The verdict where nothing was called: an order, or a proposal agreed to, is told as carried out."""
        asked = turn.asked[:READ]
        if not turn.tools or turn.marks.natures.asks(asked) or _is_work(text) or rewritten(asked, text):
            return []  # a question, or the answer is the work itself
        if turn.calls and expression(self.looks).search(asked):
            return []  # it was to be looked at, and it was
        last = turn.offer()[-READ:]
        agreed = len(asked) <= SHORT and bool(
            expression(self.agrees).search(asked) and either(self.proposes).search(last)
        )
        agreed = agreed and not expression(self.tells).search(last)
        ordered = agreed or turn.ordered() == "change"
        tools = _changing(turn)
        if not tools or (not ordered and self.reports and expression(self.reports).search(asked)):
            return []
        words = self._words(f"{asked} {last}" if ordered and len(asked) <= SHORT else asked)
        meant = next((name for name in tools if self._fits(name, words, turn)), "")
        told = self._told(meant, ordered, words, turn, text, claims)
        own = agreed and any(self._does(name, told, turn) for name in tools) and not self._restates(told, last, turn)
        if not told or (not own and self._before(turn, told)):
            meant, told = self._requested(tools, turn, text)
        work = Work(turn, text)
        silent = not told or not turn.whole() or self._so_already(told, turn)
        silent = silent or work.holds(len(text) - 1) or work.again
        return [] if silent else [Finding("unsupported", meant or tools[0], NOBODY, one_line(told, 200))]

    def _requested(self, tools: Sequence[str], turn: Turn, text: str) -> tuple[str, str]:
        """The tool that was not called, and the sentence that tells as so now what the user's message alone has.

        "The limit is now $5,000": the user wanted 5000, and what the turn looked up, and all before it, has no such number.
        """
        asked, known = self._values(_set_to(turn.asked[:READ])) if self.recent and turn.calls else frozenset[str](), ""
        for part in self._stated(text, (), (self.recent,)) if asked else ():
            found = expression(self.recent).search(part)
            behind = part[found.end() :] if found else ""
            new = asked & self._values(behind if len(behind) > NEAR else part)
            name = next((one for one in tools if self._fits(one, self._words(f"{turn.asked} {part}"), turn)), "")
            if new and name:
                known = known or turn.everything()[len(turn.asked) :].lower()
                if any(not has_word(known, one) if one.isdigit() else one not in known for one in new):
                    return name, part
        return "", ""

    def _values(self, text: str) -> frozenset[str]:
        """The words of a text that may be what something is set to."""
        return frozenset(one for one in self._words(text) if len(one) > 2 - one.isdigit()) - roots(self.vague)

    def _told(
        self, meant: str, ordered: bool, words: frozenset[str], turn: Turn, text: str, claims: Sequence[Claim]
    ) -> str:
        """The sentence that tells as carried out what was asked for in some words, and what a tool that is meant does."""
        short = text.strip().count("\n") < LINES  # what is longer, and no tool was meant, may be what was wanted itself
        if (meant and ordered) or (not turn.calls and (meant or (ordered and short))):
            told = _unshown(next(self._stated(text, claims, self.since), ""), turn) or self._fresh(text, turn)
            told = "" if MARKED.match(told) and not ordered else told  # "✓ *El camarero* is the waiter"
        else:  # a new id tells a deed by itself
            deeds = any(one.kind == "action" and one.stance == "asserted" for one in claims)
            told = self._fresh(text, turn) if deeds or any(self._stated(text, claims, self.states)) else ""
        if told or not meant:
            return told
        told = _unshown(next(self._stated(text, [], self.states), ""), turn)
        shared = words & self._words(told)
        if turn.calls:  # what looks have shown is not told as done
            verb = root(turn.marks.natures.verb(meant))
            shown = any(verb in tokens(one.result_text[:READ]) for one in turn.calls)
            return told if verb in shared and verb not in COMMON and not shown else ""
        return told if shared and (ordered or shared & name_tokens(meant)) else ""

    def _before(self, turn: Turn, told: str) -> bool:
        """Whether a change of an earlier turn may be what a sentence tells: it has words of it."""
        said = self._words(told)
        done = turn.possible_changes(turn.earlier())
        return any(said & self._words(f"{one.name} {one.raw} {one.result_text}") for one in done)

    def _so_already(self, told: str, turn: Turn) -> bool:
        """Whether a look shows as a state what a sentence tells of the thing: "has been cancelled", and it is `cancelled`."""
        said = self._words(told)
        for verb in {root(found[1].lower()) for found in STATED.finditer(told)}:
            for call in (*turn.calls, *turn.earlier()):
                shown = turn.nature(call) == "read" and shows_done(call, verb)
                if shown and self._words(f"{call.name} {call.raw} {call.result_text[:READ]}") & (said - {verb}):
                    return True
        return False

    def _restates(self, told: str, last: str, turn: Turn) -> bool:
        """Whether a sentence says again what the answer before it had told as done."""
        said, sentences = self._words(told), SENTENCE.findall(last)
        before = (self._words(one) for one in sentences if not TO_COME.search(one))
        return bool(said) and any(3 * len(said & one) >= 2 * len(said) for one in before) and self._before(turn, told)

    def _does(self, name: str, told: str, turn: Turn) -> bool:
        """Whether a sentence has a tool's verb and of its things, where its name has any; or all of them, and says "now"."""
        said, verb = self._words(told), root(turn.marks.natures.verb(name))
        own = name_tokens(name) - roots(self.idle) - {verb}
        there = sum(similar(one, said) for one in own)
        now = verb in COMMON and NOW.search(told)
        return there > 1 or 0 < there == len(own) if now else verb in said and (not own or there > 0)

    def _fits(self, name: str, words: frozenset[str], turn: Turn) -> bool:
        """Whether a tool may do what words tell of: they have its things, or a verb of its own that says something."""
        verb = root(turn.marks.natures.verb(name))
        own = name_tokens(name) - roots(self.idle) - {verb}
        return any(similar(one, words) for one in own) or (verb in words and verb not in COMMON)

    def _stated(self, text: str, claims: Sequence[Claim], states: tuple[str, ...], most: int = LEAD) -> Iterator[str]:
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

    def _fresh(self, text: str, turn: Turn) -> str:
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

    def _given(self, text: str, turn: Turn, *, flatly: bool) -> str:
        """The line with an id that nobody gave; `flatly`: only where nothing in it is of doubt."""
        line = self._fresh(text, turn)
        return "" if flatly and either(self.doubts).search(line) else line

    def _words(self, text: str) -> frozenset[str]:
        return tokens(text[:READ]) - roots(self.idle)


def _new(failed: Call, turn: Turn) -> list[str]:
    """What a failed call was given and no result before it has: a look behind it that has none of it has not shown it done."""
    known = "\n".join(one.result_text[:READ] for one in islice(turn.calls_before(failed), MANY))
    given = [text for _, text in scalars(failed.arguments) if len(text) > 1]
    return [one for one in given if not has_word(known, one)]


def _set_to(asked: str) -> str:
    """What of a message may be a value, and no word for the thing: numbers, names, and what stands behind "to"."""
    return " ".join(found.group() for found in VALUE.finditer(asked))


def _unshown(told: str, turn: Turn) -> str:
    """A sentence, unless a look of the turn has the state that it tells: "your order has been delivered"."""
    looks = "\n".join(call.result_text[:READ] for call in turn.calls).lower()
    said = (*(found[1] for found in STATED.finditer(told)), *DAY_OR_SEAT.findall(told))
    return "" if looks and any(has_word(looks, one.lower()) for one in said) else told


def _is_work(text: str) -> bool:
    """Whether an answer gives what was asked for itself: code, a quotation, a draft."""
    return unfenced(text) != text or WORK.search(text) is not None or drafted(text)


def _changing(turn: Turn) -> list[str]:
    """The tools that the request declares and that change something."""
    return [name for name in turn.tool_names() if turn.nature_of(name) == "change"]


def _of_all(sentence: str, changes: int) -> bool:
    """Whether a sentence speaks of all that was to be done, by so many changes: "Both are recorded", "All done"."""
    return (found := EVERY.search(sentence)) is not None and _spoken(found) in (None, changes)


def _spoken(found: re.Match[str]) -> int | None:
    """The number in words for all of some things; None where they have none."""
    if "both" in found.group().lower():
        return 2
    return None if (number := found["number"]) is None else NUMBERS.get(number.lower()) or int(number)
