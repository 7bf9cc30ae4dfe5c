"""What an answer says was not done, or asks leave to do, must not have been done by a call of this very turn."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import ClassVar

from proxy.amounts import numbers
from proxy.audit import Finding
from proxy.auditors.effects import IDENTITY, TELLS, subject_of
from proxy.auditors.states import STATE
from proxy.claims import BY_LINE, Claim, compared_text
from proxy.dates import mentions
from proxy.figures import sentence_around, unquoted
from proxy.ledger import Call, Turn
from proxy.natures import LONGEST, STATEMENTS
from proxy.patterns import expression
from proxy.results import objects, one_line, scalars
from proxy.roots import CAMEL, TOKEN, name_roots, name_words, root, roots, similar

DONE = re.compile(r"(?i)^(?:ok|success|succeeded|committed|done|completed)$")
"""Fields and states that say that a call did what it was for."""
COUNT = re.compile(
    r"(?i)^(?:row_?count|(?:rows_?)?(?:affected|changed|deleted|updated|inserted)(?:_?(?:rows|count))?)$"
)
STATEMENT = re.compile(r"(?i)\b(update|insert|delete|merge|replace|truncate|drop|alter)\b")
WHOLE = re.compile(r"[0-9]+")
"""A count, as results have them; it may be of more digits than `int` takes."""
TAG = re.compile(r"(?i)^\W*(?:update|delete|insert 0|merge) [1-9]\d*\b", re.M)
"""What a database prints of a statement that changed something."""
ID = re.compile(r"(?=[\w#-]*\d)#?[\w-]*[A-Za-z#][\w-]*")
ANY = re.compile(r"(?i)\b(?:any|anything|nothing|no)\b")
NAMED = re.compile(r"#?\b[\w-]*\d[\w-]*|(?<=[a-z,:] )[A-Z][\w-]+")
"""What says in a sentence which thing is meant: an id, a number, a name."""
TITLE = re.compile(r"\. (?:(?<=\bDr\. )|(?<=\bMrs\. )|(?<=\bM[rs]\. )|(?<=\bProf\. )|(?<=\bSt\. ))")
"""Full stops that end no sentence."""
CLOSE = 400
"""Code points before a question or a denial in which it must be told what "it" is."""
MOST = 20


@dataclass(frozen=True, slots=True)
class Denials:
    """Hold "I haven't removed anything yet", "Shall I cancel it?" and "remains in place" to what landed in this turn.

    `denied`, `asked` and `kept` are expressions for these, the first two with the groups `verb` and `object`. `any` lists
    verbs that mean whatever was done, `kin` verbs that tell of one deed, `ends` those after which a thing is no more, `makes`
    those by which one comes to be; `idle` are words of an object that do not say which thing it is. Silent where the answer
    tells of the deed anywhere, by its verb or by `told`; where it is about a further deed or another thing (`further`); where
    the call may only have prepared it (`unsettled`), or another one may have taken it back (`undone`). Told is only a deed
    that the result itself shows: by its state, its count, a new id, or a success without a state.
    """

    denied: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    any: tuple[str, ...] = ()
    kin: tuple[tuple[str, ...], ...] = ()
    ends: tuple[str, ...] = ()
    makes: tuple[str, ...] = ()
    idle: tuple[str, ...] = ()
    told: str = r"(?!)"
    further: str = r"(?!)"
    unsettled: str = r"(?!)"
    undone: str = r"(?!)"

    reads: ClassVar[frozenset[str]] = frozenset({"action", "text"})
    needs: ClassVar[frozenset[str]] = frozenset({"change"})

    def compare(self, turn: Turn, claims: Sequence[Claim]) -> list[Finding]:
        landed = [call for call in turn.landed_changes() if not call.effect and turn.nature(call) == "change"]
        text = TITLE.sub(".\u00a0", unquoted(compared_text(claims, BY_LINE))) if landed else ""
        if not text or expression(self.told).search(text):
            return []
        said = list(islice(self._said(text), MOST))
        if not said:
            return []
        makes = roots(self.makes)
        done = [_Deed(call, self._verbs(call, turn), makes) for call in landed[-MOST:] if not self._open(call, turn)]
        asserted = " ".join(one.quote for one in claims if one.kind == "action" and one.stance == "asserted")
        for one in said:
            for deed in done:
                alone = (
                    one.kind != "kept" or len(landed) == 1
                )  # another change may have made the thing that is there now
                if alone and self._hides(one, deed, text) and not _reported(deed, one, text, asserted):
                    reason = f"{deed.call.name} has landed in this turn: {deed.shown}"
                    return [Finding("contradicted", subject_of(deed.call), reason, one.quote, deed.call.id)]
        return []

    def _said(self, text: str) -> Iterator[_Said]:
        """The places that deny a deed, ask leave for one, or say that a thing is as it was."""
        kinds = (("denied", self.denied), ("asked", self.asked), ("kept", self.kept))
        for kind, pattern in ((kind, pattern) for kind, patterns in kinds for pattern in patterns):
            for found in expression(pattern).finditer(text):
                near = text[max(0, found.start() - CLOSE) : found.end() + CLOSE]
                sentence = sentence_around(near, *(at - max(0, found.start() - CLOSE) for at in found.span()))
                groups = found.groupdict()
                if not expression(self.further).search(sentence):
                    verb, told = root((groups.get("verb") or "").lower()), groups.get("object") or ""
                    told = sentence.partition(found.group())[0] if kind == "kept" else told
                    anything = kind == "denied" and ANY.search(found.group()) is not None
                    yield _Said(kind, verb, told, found.start(), sentence, anything)

    def _verbs(self, call: Call, turn: Turn) -> frozenset[str]:
        """The roots of the verbs that tell of what a call does: its tool's, its statement's, and their kin."""
        own = {root(turn.marks.natures.verb(call.name))}
        texts = [call.arguments[key] for key in STATEMENTS if isinstance(call.arguments.get(key), str)]
        own |= {root(found[1].lower()) for text in texts for found in STATEMENT.finditer(text[:LONGEST])}
        families = map(roots, self.kin)
        return frozenset((own | {one for family in families if family & own for one in family}) - {""})

    def _open(self, call: Call, turn: Turn) -> bool:
        """Whether a call may not have done it for good: it prepares, it waits, it is one of several tries, it was undone."""
        shown = " ".join(told for _, told in scalars(call.result_value) if len(told) <= 200) or call.result_text[:2_000]
        flags = " ".join(key for key, value in call.arguments.items() if value is True)
        if expression(self.unsettled).search(f"{CAMEL.sub(' ', call.name)} {flags} {shown}".replace("_", " ")):
            return True
        tries = any(other.name == call.name and other.outcome != "landed" for other in turn.calls)
        later = (f"{other.name} {other.raw[:LONGEST]}" for other in turn.calls[call.position :])
        return tries or any(expression(self.undone).search(text) for text in later)

    def _hides(self, one: _Said, deed: _Deed, text: str) -> bool:
        """Whether a place is about what a call did."""
        if one.kind == "kept":
            ended = not deed.verbs.isdisjoint(roots(self.ends)) and deed.shows_state
            return ended and deed.is_thing_of(one.object) and deed.marked(one.sentence, all_of_it=True)
        anything = one.kind == "denied" and one.verb in roots(self.any) and deed.alters
        if not anything and not similar(one.verb, deed.verbs):
            return False
        things = name_roots(one.object) - roots(self.idle)
        if not deed.proven:
            return False
        near = text[max(0, one.start - CLOSE) : one.start] + one.sentence
        if one.anything:  # "anything on your order" is what it was for
            return things <= deed.named | deed.about
        if one.kind == "denied" and not things <= deed.named:
            return False  # "the payment method" may be a part of it that was left alone
        return things <= deed.words and deed.is_thing_of(near) and deed.marked(near)


@dataclass(frozen=True, slots=True)
class _Said:
    """A place of an answer, and the sentence around it."""

    kind: str
    verb: str
    object: str
    start: int
    sentence: str
    anything: bool

    @property
    def quote(self) -> str:
        return one_line(self.sentence, 200)


class _Deed:
    """What a call did, by its own words and those of its result."""

    def __init__(self, call: Call, verbs: frozenset[str], makes: frozenset[str]) -> None:
        self.call, self.verbs = call, verbs
        self._made = not verbs.isdisjoint(makes)
        self._values = list(scalars(call.result_value))[:400]

    @cached_property
    def words(self) -> frozenset[str]:
        """The words of what it was given and returned; a field's name alone may tell what is not there."""
        returned = " ".join(told for _, told in self._values) or self.call.result_text[:LONGEST]
        return name_roots(f"{self.call.name} {self.call.raw[:LONGEST]} {returned}")

    @cached_property
    def named(self) -> frozenset[str]:
        """The words of its tool's name, and of its statement."""
        stated = (self.call.arguments[key] for key in STATEMENTS if isinstance(self.call.arguments.get(key), str))
        return name_roots(" ".join((self.call.name, *(text[:LONGEST] for text in stated))))

    @cached_property
    def about(self) -> frozenset[str]:
        """The words of its arguments' names: `order_id`, "on your order"."""
        return name_roots(" ".join(self.call.arguments))

    @property
    def alters(self) -> bool:
        """Whether it changes what was there: a mail that is sent, or a ticket that is opened, leaves things as they are."""
        return not self._made and not TELLS.search(self.call.name)

    @cached_property
    def shown(self) -> str:
        """What the result says of the deed."""
        told = (f"{name}: {value}" for name, value in self._values if len(value) <= 60 and self._tells(name, value))
        return one_line(next(told, self.call.result_text), 80)

    @cached_property
    def shows_state(self) -> bool:
        """Whether a value of the result is the deed in its past form."""
        return any(len(value) <= 60 and self._past(value) for _, value in self._values)

    @cached_property
    def proven(self) -> bool:
        """Whether the result shows the deed: as a state, by a count or a new id, in words, or as a success and no more."""
        value = self.call.result_value
        if value is None:
            text = self.call.result_text[:1_000]
            return TAG.search(text) is not None or (self._past(text) and not re.search(r"(?i)\bnot\b|n't|\b0\b", text))
        if any(COUNT.match(name) and WHOLE.fullmatch(told) and not told.strip("0") for name, told in self._values):
            return False
        return any(self._tells(name, told) for name, told in self._values) or self._succeeded

    @property
    def _succeeded(self) -> bool:
        """Whether the result is a success without a state that could say more."""
        told = [pair for one in islice(objects(self.call.result_value, 2), MOST) for pair in one.items()]
        flags = [value for name, value in told if DONE.match(name) or self._past(name)]
        return True in flags and False not in flags and not any(STATE.search(name) for name, _ in self._values)

    def _tells(self, name: str, value: str) -> bool:
        if COUNT.match(name):
            return WHOLE.fullmatch(value) is not None and value.strip("0") != ""
        if self._made and IDENTITY.search(name) and ID.fullmatch(value) and value not in self.call.raw:
            return True
        return len(value) <= 60 and (self._past(value) or (self._past(name) and value not in ("", "0")))

    def _past(self, text: str) -> bool:
        """Whether a text has the deed in its past form."""
        words = name_words(text)
        return any(root(word) in self.verbs and word.endswith(("ed", "t", "en", "id")) for word in words)

    def is_thing_of(self, text: str) -> bool:
        """Whether a text speaks of what the tool is for, by its name: `cancel_appointment`, "your appointment"."""
        name = self.call.name.rpartition("__")[2].rpartition(".")[2]
        things = name_roots(name) - self.verbs
        return not things or not things.isdisjoint(name_roots(text))

    def marked(self, text: str, *, all_of_it: bool = False) -> bool:
        """Whether a text names what the call was given or returned: by date, id, amount or name; and nothing else."""
        told = f"{self.call.raw[:LONGEST]} {self.call.result_text[:LONGEST]}"
        known = {(date.month, date.day) for one in mentions(told) for date in one.dates}
        dates = [{(date.month, date.day) for date in one.dates} for one in mentions(text)]
        ids = [one.lstrip("#") for one in ID.findall(text) if len(one) >= 4]
        if all_of_it:
            strange = any(one.isdisjoint(known) for one in dates) or any(one not in told for one in ids)
            return not strange and bool(dates or ids)
        amounts = {one for one in numbers([text]) if one > 12} & set(numbers([told]))
        names = {one for one in NAMED.findall(text) if len(one) >= 4 and one in told}
        return bool(amounts or names) or any(not one.isdisjoint(known) for one in dates)


def _reported(deed: _Deed, one: _Said, text: str, asserted: str) -> bool:
    """Whether the answer tells of the deed elsewhere: by its verb in the past, or by what only its result has."""
    rest = text.replace(one.sentence, " ")
    words = [
        found for found in TOKEN.finditer(rest) if not rest[: found.start()].endswith(" be ")
    ]  # "would be removed"
    past = (one.group().lower() for one in words if one.group().lower().endswith(("ed", "t", "en", "id")))
    if any(root(word) in deed.verbs for word in past) or not deed.verbs.isdisjoint(name_roots(asserted)):
        return True
    return any(
        len(found) >= 4 and found.lstrip("#") in deed.call.result_text and found.lstrip("#") not in deed.call.raw
        for found in ID.findall(rest)
        if any(map(str.isalpha, found)) and not re.fullmatch(r"\d+(?:st|nd|rd|th|am|pm)", found, re.I)
    )
