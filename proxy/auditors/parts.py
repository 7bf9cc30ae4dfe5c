"""Of a claim with several parts each part must have been done: one whose call failed, or that no call was about, is told."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice
from typing import ClassVar

from proxy.audit import Finding
from proxy.claims import Claim, admits, compared_text
from proxy.kinds import LOCATOR, of_one_kind
from proxy.ledger import BESIDE, MUTATIONS, UNDONE, Call, Turn
from proxy.patterns import expression
from proxy.results import has_word, scalars
from proxy.roots import CAMEL, COMMON, Vocabulary, name_roots, root, similar, tokens, vocabulary
from proxy.shown import Shown
from proxy.wording import NAMED, begun, without_accents

OUTWARD = frozenset({"send", "book", "cancel", "transfer", "exchange"})
"""Acts that are about no file."""
LOOKS = frozenset({"read", "find", "verify"})
EMPTY = re.compile(r'"[^"\n]{1,40}"\s*:\s*(?:null|""|\[\]|\{\}|false)')
"""A field that holds nothing tells of no deed, whatever its name."""
WITH = re.compile(r"(?i)linked|related|cascade|^include|_all$|^all_")
"""Names of arguments by which a call may be about more than it names."""
NUMBER = re.compile(r"(?<![\w.,:$€£¥-])(?!(?:19|20)\d\d\b)#?(\d{3,8})(?![\w%:-]|[.,]\d)")
LIST = re.compile(r"\s*+(?:[ \t]*(?:[-*+•✓✔✅]|\d{1,2}[.)])[^\n]*(?:\n+|$))+")
NAME = re.compile(r"[A-Z][a-zà-ÿ]+")
PEOPLE = re.compile(rf"(?<![\w-]){NAME.pattern}(?:, {NAME.pattern})*,? (?:and|und|y|et) {NAME.pattern}(?![\w-]| [A-Z])")
"""Names of one word in a row, as people go by them."""
STILL = re.compile(
    r"(?i)\b(?:not|but|stays?|remains?|requires?|locked|fail\w*|could|unable|pending|unchanged|still|error)\b|n['’]t\b|[❌⚠✗🚫]"
)
"""A line of a list by which something was not done."""
SUMMED = re.compile(
    r"(?i)\b(?:all|both|every\w*) (?:the |your |of |these )*(?:tasks?|steps|requests|actions|things|items|to-?dos)\b"
)
"""What a deed is of that only says that all others are done."""
MALFORMED = re.compile(
    r"(?i)\bvalidation|\binput should be|\bmust be one of|\bnot a valid (?:value|choice|enum)|\benum\b"
)
"""A failure by which a value was spelled as no tool takes it, so that another spelling may mean the same."""
LIGHT = frozenset({"mak", "complet", "perform", "execut", "implement"})
"""Verbs that leave it to a noun what was done: "I made the swap", where a tool replaced something."""
NONE = "no call in this conversation did this part"
READ = 6_000
"""Code points of a call and of its result in which words are looked for."""
LEFT = 40
"""Deeds about things that no change of the turn names, each of which is held against all that they name."""


@dataclass(frozen=True, slots=True)
class Parts:
    """Compare each deed of an answer with the calls of the turn by the words that they share.

    Told is a deed that shares words with a call that failed and was not mended, and with no call that landed, in an answer
    that admits no failure; a deed about a thing ("closed A-12 and A-13") that no call names, where calls name others of its
    kind; and, where "I" did more than calls landed, a deed that no call of the conversation shares a word with. `idle` are
    words that tell nothing of what a deed is about; `settled` is an expression for failures that leave things as they were
    wanted ("already exists"); `unsent` for tools' names that prepare what others send. `kin` are families of verbs that tell
    of one deed: "paid", and `send_money`.
    """

    idle: tuple[str, ...] = ()
    settled: str = ""
    unsent: str = ""
    kin: tuple[tuple[str, ...], ...] = ()

    reads: ClassVar[frozenset[str]] = frozenset({"action", "outcome", "text"})
    needs: ClassVar[frozenset[str]] = frozenset({"calls"})

    def compare(self, turn: Turn, claims: Sequence[Claim]) -> list[Finding]:
        said = [one for one in claims if one.kind == "action" and one.stance == "asserted"]
        outcomes = [one for one in claims if one.kind == "outcome" and one.stance == "asserted"]
        if not (said or outcomes) or not any(
            turn.nature(call) != "read" and call.effect not in MUTATIONS for call in turn.calls
        ):
            return []  # of files that were edited, others tell
        text = compared_text(claims)
        if not text:
            return []
        deeds = _Deeds(turn, said, text, _beginnings(self.idle), vocabulary(self.kin, (), ()))
        admitted = admits(claims, (f"{call.name} {call.raw[:READ]}" for call in deeds.undone))
        found: dict[str, Finding] = {}
        for finding in (
            *(() if admitted else deeds.failed(self.settled, outcomes)),
            *deeds.others(),
            *deeds.numbers(),
            *deeds.people(),
            *deeds.extra(),
            *deeds.prepared(self.unsent),
        ):
            found.setdefault(finding.subject, finding)
        return list(found.values())


class _Deeds:
    """The deeds of an answer beside the calls of its turn."""

    def __init__(self, turn: Turn, said: Sequence[Claim], text: str, idle: frozenset[str], kin: Vocabulary) -> None:
        self._turn, self._said, self._text, self._idle, self._kin = turn, said, text, idle, kin
        calls = [call for call in turn.calls if turn.nature(call) != "read"]
        self.undone = [call for call in calls if call.outcome in UNDONE]
        self.done = turn.possible_changes()
        self.known = all(turn.nature(call) == "change" for call in self.done)
        self._files, self._by = any(call.effect for call in calls), dict[str, set[str]]()
        self._shown, self._by_name, self._lists = Shown(turn), dict[str, bool](), dict[str, set[str]]()

    @cached_property
    def _earlier(self) -> Sequence[Call]:
        """What earlier turns may have changed; read when a deed asks for it, for it costs the history."""
        return self._turn.possible_changes(self._turn.earlier())

    @cached_property
    def _changes(self) -> list[Call]:
        """The changes of the conversation, those of the turn that failed among them."""
        return [*self.done, *self.undone, *self._earlier]

    def failed(self, settled: str, outcomes: Sequence[Claim]) -> Iterator[Finding]:
        """Deeds that are those of a failed call, by words that no call that landed has; `outcomes` by the tool's own verb."""
        if not self.done or not self.undone:
            return  # where nothing landed, `actions` tells it
        for call in self.undone:
            if (settled and expression(settled).search(call.reason)) or self._mended(call):
                continue
            asked = self._words(f"{call.name} {call.raw[:READ]}")
            own = asked | self._words(self._meaning(call)) | self._stood_for(call)
            if any(not own.isdisjoint(self._with_list(claim)) for claim in self._said):
                own -= self._landed
                own = {word for word in own if self._last.get(word, -1) <= call.position}
            why = self._words(call.reason) - asked  # who tells that, tells the failure
            text = f"{call.name} {self._meaning(call)} {call.raw}".lower()
            for claim in self._said:
                stems = claim.fields.get("stems", "").split()
                fits = not stems or any(stem in text for stem in stems)
                subject = claim.subject
                named = subject and call.names(subject) and not self._is_done(subject)
                told = self._by_part(claim) & why
                if fits and not named and len(told) < 2 and own & self._with_list(claim):
                    yield Finding("contradicted", call.name, call.failure, claim.quote, call.id)
                    break
            else:
                yield from self._outcome(call, outcomes)

    def _is_done(self, subject: str) -> bool:
        """Whether a change that did something names a thing."""
        if subject not in self._by_name:
            self._by_name[subject] = any(one.names(subject) for one in self.done)
        return self._by_name[subject]

    def _outcome(self, failed: Call, outcomes: Sequence[Claim]) -> Iterator[Finding]:
        """What is told in a failed tool's own verb, which no tool that landed has: "€95.88 refunded", `refund_invoice`."""
        verbs = self._turn.marks.natures.verb
        verb = root(verbs(failed.name))
        if verb in COMMON or verb in self._roots or self.done[-1].position > failed.position:
            return  # what came later may have done it under another name
        for claim in outcomes:
            if any(root(word) == verb for word in self._text[claim.start : claim.end].lower().split()):
                yield Finding("contradicted", failed.name, failed.failure, claim.quote, failed.id)
                return

    @cached_property
    def _roots(self) -> set[str]:
        """The roots of the names of the tools that did something."""
        return {one for name in {call.name for call in self.done} for one in name_roots(name)}

    @cached_property
    def _landed(self) -> set[str]:
        """The words of the changes that did something, and of what they returned; what looks have shown tells no deed."""
        own = self._words_of(self.done) | self._words(" ".join(map(self._meaning, self.done)))
        return own | self._linked(self.done) | self._words_of(self._earlier)

    @cached_property
    def _last(self) -> dict[str, int]:
        """The words of the turn's calls and results, each with the place of the last call that has it."""
        return {word: call.position for call in self._turn.calls for word in self._words_of([call])}

    @cached_property
    def _tied(self) -> set[str]:
        """The words of what the ids stand for that any change was given."""
        return self._linked(self._changes)

    def _meaning(self, call: Call) -> str:
        """The English word for the verb of a tool that is named in another language: "sent" of `enviar_solicitud`."""
        return self._turn.marks.lexicon.meaning(self._turn.marks.natures.verb(call.name))

    def _stood_for(self, failed: Call) -> set[str]:
        """The words of what the ids stand for that a failed call alone was given."""
        return self._linked([failed], self._given)

    @cached_property
    def _given(self) -> set[str]:
        """What the changes that did something were given."""
        return {text for call in self.done for text in call.given}

    def _mended(self, failed: Call) -> bool:
        """Whether a later call may be another try: of the tool, at most one thing of all that it was asked differs; of
        another tool, it was given just the same."""
        tries = () if self._turn.done_after(failed) else self._turn.tries_after(failed)
        if self._turn.done_after(failed) or len(tries) > BESIDE:
            return True
        for later in tries:
            keys = later.arguments.keys() | failed.arguments.keys()
            differ = [key for key in keys if later.arguments.get(key) != failed.arguments.get(key)]
            told = [str(failed.arguments.get(key)) for key in differ if key in later.arguments]
            told = [] if MALFORMED.search(failed.reason) else told
            if len(differ) <= 1 and not any(one in claim.quote for one in told for claim in self._said):
                return True
        return False

    def others(self) -> Iterator[Finding]:
        """Deeds about things that no call names, where the calls name others of their kind."""
        if not self.known or not self.done or any(WITH.search(key) for call in self.done for key in call.arguments):
            return
        named = ((one, one.subject.lstrip("#").lower()) for one in self._said if one.close)
        left = (one for one, subject in named if subject and subject not in self._here)
        for claim in islice(left, LEFT):
            subject = claim.subject.lstrip("#")
            kin = sorted(one for one in self._given if of_one_kind(subject, one.lstrip("#")))
            if LOCATOR.fullmatch(subject):
                kin = kin if self._looked_up(subject, kin) else []  # `C7M2P8` may be what came in its place
            if not kin or any(call.names(subject) for call in self._earlier):
                continue
            if not self._together(subject, kin) and not self._seen(claim, subject) and self._turn.whole():
                reason = f"the calls were about {', '.join(kin[:3])}"
                yield Finding("unsupported", claim.subject, reason, claim.quote, self.done[-1].id)

    @cached_property
    def _here(self) -> str:
        """What the changes of the turn were given and returned, in lower case; of those that failed too."""
        return "\0".join(f"{one.raw}\0{one.result_text}" for one in (*self.done, *self.undone)).lower()

    def numbers(self) -> Iterator[Finding]:
        """Deeds about things that go by bare numbers: of those that user and answer name, some were left out."""
        if not self.known or not self.done:
            return
        asked = set(NUMBER.findall(self._turn.asked[:READ]))
        for claim in self._said if asked else ():
            said = [one for one in NUMBER.findall(claim.quote) if one in asked]
            there = [one for one in said if any(call.names(one) for call in self._changes)]
            missing = [one for one in said if one not in there and not self._seen(claim, one)]
            if there and missing and all(len(one) == len(there[0]) for one in missing) and self._turn.whole():
                reason = f"the calls were about {', '.join(there[:3])}"
                yield Finding("unsupported", missing[0], reason, claim.quote, self.done[-1].id)
                return

    def people(self) -> Iterator[Finding]:
        """Deeds about several people whom the user named, of whom calls were given one by one some and never another."""
        if not self.known or not self.done:
            return
        given = {value for call in self.done for value in call.arguments.values() if isinstance(value, str)}
        for claim in (one for one in self._said if one.act == "send"):  # one booking may be for several
            part = claim.fields.get("part", "")
            said = [name for found in PEOPLE.finditer(part) for name in NAME.findall(found.group())]
            there = [one for one in said if one in given]
            asked = (one for one in said if there and has_word(self._turn.asked[:READ], one))
            left = [one for one in asked if not self._told_of(one)]
            if left and self._turn.whole():
                reason = f"the calls were about {', '.join(there[:3])}"
                yield Finding("unsupported", left[0], reason, claim.quote, self.done[-1].id)
                return

    def _told_of(self, name: str) -> bool:
        """Whether a change has somebody's name, or how it begins, his mail address, or an id that stands for him."""
        return any(word.startswith(without_accents(name.lower())[:3]) for word in self._mentioned)

    @cached_property
    def _mentioned(self) -> frozenset[str]:
        """The words of all changes, and of what the ids stand for that they were given."""
        texts = (*(f"{call.raw} {call.result_text[:READ]}" for call in self._changes), *self._linked(self.done))
        return frozenset(NAMED.findall(without_accents(" ".join(texts).lower())))

    def _together(self, subject: str, kin: Sequence[str]) -> bool:
        """Whether something that a result shows ties the thing to one that the calls were about, or lists both as its own.

        What only stands in one list with them, and was looked up alone, is another thing: a user's reservations.
        """
        alone = self._looked_up(subject, kin)
        for one in self._shown.objects:
            tied = {text.lower().lstrip("#") for _, text in scalars(one, depth=1)}
            listed = {str(item).lower() for value in one.values() if isinstance(value, list) for item in value}
            texts = tied if alone else tied | listed
            if subject.lower() in texts and any(other.lower().lstrip("#") in texts for other in kin):
                return True
        return False

    def _looked_up(self, subject: str, kin: Sequence[str]) -> bool:
        """Whether looks were given the thing by the name by which the changes were given others of its kind."""
        given = {name for call in self.done for name, text in scalars(call.arguments) if text in kin}
        looks = (one for one in (*self._turn.calls, *self._turn.earlier()) if self._turn.nature(one) == "read")
        return any(
            name in given and text.lstrip("#") == subject for one in looks for name, text in scalars(one.arguments)
        )

    def _seen(self, claim: Claim, subject: str) -> bool:
        """Whether a look showed of the thing that it is so."""
        stems = claim.fields.get("stems", claim.fields.get("verb", "")).split()
        looks = [call for call in (*self._turn.calls, *self._turn.earlier()) if self._turn.nature(call) == "read"]
        texts = [call.result_text.lower() for call in looks if call.names(subject)]
        return any(stem in text for text in texts for stem in stems)

    def extra(self) -> Iterator[Finding]:
        """What "I" did beside what the calls did, and that no call shares a word with.

        The rest of the answer tells of every call. Narrow acts count where there are more deeds than tools, and every act that
        the user asked for.
        """
        more = len({claim.start for claim in self._said}) > len({call.name for call in self.done})
        if not self.known or not self.done:
            return
        left = [one for one in self._said if "foreign" not in one.fields]  # such a one shares no word with any call
        left = [one for one in left if one.fields.get("verb") not in LIGHT and not self._is_seen(one)]
        left = [one for one in left if not self._is_by(one, (*self.done, *self.undone))]
        left = [one for one in left if self._is_wanted(one, self._by_part(one), more)]
        left = [one for one in left if not self._is_by(one, self._earlier)]
        texts = "\n".join(f"{one.name} {one.raw} {one.result_text[:READ]}" for one in self._changes) if left else ""
        texts = EMPTY.sub(" ", texts).lower()
        shown = tokens(texts)
        for claim in left:
            own, stems = self._by_part(claim), claim.fields.get("stems", "").split()
            if any(_stands(word, texts) for word in (*own, *stems)) or own & self._tied:
                continue
            if any(similar(root(word), shown) for word in own if len(word) > 2):
                continue
            if self._told(claim) and self._turn.whole():
                subject = claim.subject if claim.subject in claim.fields.get("part", "") else claim.act
                yield Finding("unsupported", subject or claim.act, NONE, claim.quote)

    def _is_seen(self, claim: Claim) -> bool:
        """Whether a passive of the present, "is scheduled from 5 to 7 pm", may tell what a look of the turn has shown."""
        told = "state" in claim.fields and claim.act == "book"
        return told and any(self._turn.nature(call) == "read" for call in self._turn.calls)

    def _with_list(self, claim: Claim) -> set[str]:
        """The words of a deed's part, and of the list that it announces: "Both changes are made:\n- Address: 9 Elm St"."""
        part = claim.fields.get("part", "")
        if part in self._lists:
            return self._lists[part]
        at = self._text.find(part) + len(part) if part.rstrip("*_ \n").endswith(":") else -1
        listed = LIST.match(self._text, at) if at >= 0 else None
        lines = (one for one in (listed.group()[:READ] if listed else "").split("\n") if not STILL.search(one))
        self._lists[part] = self._by_part(claim) | self._words("\n".join(lines))
        return self._lists[part]

    def _by_part(self, claim: Claim) -> set[str]:
        """The words of a deed's part; many deeds of a long sentence have one part, and each is asked of more than once."""
        part = claim.fields.get("part", "")
        return self._by.get(part) or self._by.setdefault(part, self._words(part))

    def _is_by(self, claim: Claim, calls: Iterable[Call]) -> bool:
        """Whether one of some tools goes by a deed's verb, or one akin: "added five songs", and the tool adds."""
        verb = claim.fields.get("verb", "")
        others = map(self._turn.marks.natures.verb, {call.name for call in calls})
        kin = self._kin.kin(root(self._text[claim.start : claim.end].lower()))
        return any(one and (one.startswith(verb) or verb.startswith(one) or root(one) in kin) for one in others)

    def _is_wanted(self, claim: Claim, own: set[str], more: bool) -> bool:
        """Whether a deed is worth a look. What was done to files is told by their own auditor."""
        verb = claim.fields.get("verb", "")
        own = {word for word in own if not word.startswith(verb[:4])}
        outward = not self._files or claim.act in OUTWARD
        summed = claim.act == "process" and SUMMED.search(claim.fields.get("part", ""))
        return bool(own) and outward and not summed and self._wanted(claim, own, more)

    def _wanted(self, claim: Claim, own: set[str], more: bool) -> bool:
        """Whether a deed is one that "I" did beside others, or that the user asked for."""
        asked = self._turn.asked[:READ]
        stems = claim.fields.get("stems", "").split()
        verb = claim.fields.get("verb", "")
        shared = own & self._asked
        if shared and len(verb) >= 3 and re.search(rf"(?i)\b{re.escape(verb)}", asked):
            return True
        active = "active" in claim.fields
        if len(shared) >= 3:
            return True
        return active and bool((stems and more) or len(shared) >= 2 or (len(own) >= 2 and _any(stems, asked)))

    @cached_property
    def _asked(self) -> set[str]:
        return self._words(self._turn.asked[:READ])

    def _told(self, claim: Claim) -> bool:
        """Whether the answer without one of its parts tells of every call."""
        rest = self._words(self._text.replace(claim.fields.get("part", "\0"), " "))
        return all(rest & self._words_of([call]) for call in self.done)

    def prepared(self, unsent: str) -> Iterator[Finding]:
        """Deeds by the word of an act whose only calls prepared it: a draft is not sent."""
        drafts = unsent and self.known and self.done and all(expression(unsent).search(one.name) for one in self.done)
        if not drafts or self._earlier:
            return
        for claim in self._said:
            stems = claim.fields.get("stems", "").split()
            if claim.act == "send" and not any(stem in f"{one.name}".lower() for one in self.done for stem in stems):
                yield Finding("contradicted", claim.subject or claim.act, "the call made a draft", claim.quote)

    def _linked(self, calls: Sequence[Call], others: Collection[str] = ()) -> set[str]:
        """The words of what the ids stand for that calls were given, and others were not."""
        given = {text for call in calls for text in call.given if text not in others}
        return {word for texts in self._shown.holding(given) for word in self._words(" ".join(texts)[:READ])}

    def _words_of(self, calls: Iterable[Call]) -> set[str]:
        words: set[str] = set()
        for call in calls:
            words |= self._words(f"{call.name} {call.raw[:READ]} {call.result_text[:READ]}")
        return words

    def _words(self, text: str) -> set[str]:
        """What a text is about: the beginnings of its words, and its numbers."""
        return begun(CAMEL.sub(" ", text), self._idle)


@lru_cache(maxsize=64)
def _beginnings(words: tuple[str, ...]) -> frozenset[str]:
    return frozenset(word[:5] for word in words)


def _stands(word: str, text: str) -> bool:
    """Whether a text has a word or its beginning, or a number as it is."""
    if word[0].isdigit():
        return re.search(rf"(?<![\d.]){re.escape(word)}(?![\d]|\.\d)", text) is not None
    return word in text and (len(word) > 3 or re.search(rf"(?<![^\W_]){word}(?![^\W_])", text) is not None)


def _any(stems: Sequence[str], text: str) -> bool:
    return any(stem in text.lower() for stem in stems)
