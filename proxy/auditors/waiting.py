"""What an answer tells as done must not stand in the call's own result as to be decided, or refused: waitlisted, a draft."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from proxy.audit import Finding
from proxy.auditors.effects import subject_of
from proxy.auditors.states import BARE, LATER, MOST, STATE, State, argued, seen_later, states_of, words_of
from proxy.claims import Claim, admits, compared_text
from proxy.deeds import comments
from proxy.figures import sentence_around, unquoted
from proxy.ledger import Call, Turn
from proxy.patterns import either, expression
from proxy.results import WRAPPERS, one_line, scalars
from proxy.roots import CAMEL, name_roots, root, similar
from proxy.spelling import MOMENT, places

REQUEST = re.compile(r"(?i)request|approval|application|proposal")
"""Names of objects and words of notes that speak of what somebody has yet to decide."""
UNDECIDED = re.compile(
    r"(?i)^(?:decision|decided_?(?:at|by)|approved_?(?:at|by)|effective|fulfilled|granted|accepted)$"
)
"""Fields of a request that say, by null or false, that it is open."""
ITS_OWN = frozenset({"change", "modification", "update", "action", "operation", "task"})
"""Names of objects that are the change itself, and no thing."""
PIECES = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
OF_STATE = re.compile(rf"(?i)_?(?:{'|'.join(BARE)})$")
"""The end of a field's name by which it has a state; what is before it says of which part."""
ISSUED = re.compile(r"(?=.*[^\W\d_])(?=.*\d)[\w-]{2,40}")
"""What may be the number of what came of a call."""
BEGINS = re.compile(r"(?i)scheduled\b")
"""States by which something begins on a day that an answer may tell."""
TELLING = re.compile(r"(?=.*\d)[\w:./@-]{4,}|\w[\w @.-]{5,}")
"""Values that say which entry of a list is meant."""
PERSON = re.compile(r"(?i)user|customer|client|member|patient|student|guest|person|employee|owner|pupil")
"""Names of arguments that say for whom something is done, whatever it is."""
LONGEST = 20_000
"""Code points of a result that is read."""


@dataclass(frozen=True, slots=True)
class Deed:
    """A deed that is not done while it waits, or was refused: `said` are the words that tell it in an answer, `by` those of
    the calls, and of the fields, that can have done it, `states` those that cannot be after it. All are expressions; without
    `by` it is any call's, in a field that is the result's own, an open request's, or called as the tool is. A `sure` one is
    told too where the answer speaks of something else that is to come."""

    said: str
    states: str
    by: str = ""
    sure: bool = False


@dataclass(frozen=True, slots=True)
class Waiting:
    """Compare what an answer tells as done with the states, the open requests and the notes in the results of its changes.

    Told is a sentence with the words of a deed, where the thing that its call was about is in a state by which it waits;
    and a claimed deed where the result holds an open request for it, or a note that says so. `doubts` is an expression for
    sentences that do not say so flatly, `admits` one for answers that tell anywhere that something waits, `immediate` one
    for sentences that tell it as done at once, `waits` one for the states of open requests, `notes` one, with the group
    `what`, for notes of them.
    """

    deeds: tuple[Deed, ...] = ()
    doubts: str = ""
    admits: str = ""
    immediate: str = ""
    waits: str = ""
    notes: str = ""

    reads: ClassVar[frozenset[str]] = frozenset({"action", "text"})
    needs: ClassVar[frozenset[str]] = frozenset({"change"})

    def compare(self, turn: Turn, claims: Sequence[Claim]) -> list[Finding]:
        changes = [one for one in turn.landed_changes() if not one.effect and isinstance(one.said_value, dict)]
        text = unquoted(compared_text(claims)) if changes else ""
        hedged = bool(text and self.admits) and expression(self.admits).search(text) is not None
        if not text or (hedged and not any(one.sure for one in self.deeds)):
            return []
        if admits(claims, [f"{call.name} {call.raw[:2_000]}" for call in changes], chosen=True):
            return []
        findings = []
        flat: dict[str, list[str]] = {}
        for call in changes[-MOST:]:
            if len(call.result_text) <= LONGEST and not _done_later(call, turn):
                told = self._stated(call, turn, text, flat, hedged) or (
                    None if hedged else self._requested(call, claims)
                )
                if told is not None and not seen_later(call, turn):
                    reason, quote = told
                    findings.append(Finding("contradicted", subject_of(call), reason, one_line(quote, 200), call.id))
        return findings

    def _stated(
        self, call: Call, turn: Turn, text: str, flat: dict[str, list[str]], hedged: bool
    ) -> tuple[str, str] | None:
        """The state by which a call's own thing waits, and the sentence that tells it as done; `flat` keeps those found."""
        last = turn.landed_changes()[-1]
        for state in states_of(_shown_last(call, turn)):
            words = words_of(CAMEL.sub(" ", state.told))
            waits = bool(self.waits) and either((self.waits,)).fullmatch(words) is not None
            later = any(LATER.search(name) and told for name, told in state.thing.items())
            later = later and not waits and BEGINS.match(words) is None
            if words in map(words_of, argued(call)):
                continue  # it was to be in that state
            if BEGINS.match(words) and any(any(places(day, text)) for day in _days(call)):
                continue  # scheduled, and the answer says from when
            for deed in self.deeds:
                if (hedged and not deed.sure) or (deed.sure and (call is not last or _speaks_of(words, text))):
                    continue
                if not either((deed.states,)).fullmatch(words) or not _is_about(call, state, deed):
                    continue
                if deed.by or not _was_so(state, call, turn):
                    if deed.said not in flat:
                        flat[deed.said] = list(self._flat(deed.said, text, deed.sure))
                    for sentence in flat[deed.said]:
                        if later and not (self.immediate and expression(self.immediate).search(sentence)):
                            continue  # "active", and cancelled at the end of the period
                        if _is_of_another(sentence, call, turn):
                            continue  # "Dental: enrolled", where the vision plan waits
                        if not state.listed or _is_sole(state, call) or _names(state.thing, sentence):
                            return f"the result says {state.path[-1]}: {one_line(state.told, 60)!r}", sentence
        return None

    def _flat(self, said: str, text: str, sure: bool) -> Iterator[str]:
        """The sentences that say a deed without a doubt; of a sure one it counts only up to where something else begins."""
        for _, found in zip(range(MOST), expression(said).finditer(text), strict=False):
            sentence = sentence_around(text, *found.span())
            flat = sentence.partition(", so ")[0]  # what comes of it is another thing
            flat = flat if found.group() in flat else sentence
            own = f"{sentence.partition(found.group())[0]}{found.group()}" if sure else flat
            if not (self.doubts and expression(self.doubts).search(own)):
                yield sentence

    def _requested(self, call: Call, claims: Sequence[Claim]) -> tuple[str, str] | None:
        """An open request in a result for what an answer says is done, and the sentence that says so."""
        said = [one for one in claims if one.kind == "action" and one.stance == "asserted" and one.fields.get("verb")]
        requests = list(self._open(call.said_value)) if said else []
        for claim in said:
            verb = root(claim.fields["verb"])[:5]
            for name, what in requests:
                words = [root(word.lower()) for word in PIECES.findall(name) if not REQUEST.search(word)]
                flat = not (self.doubts and expression(self.doubts).search(claim.quote))
                if flat and len(verb) >= 4 and any(word[:4] == verb[:4] for word in words):
                    return f"the result says {what}", claim.quote
        return None

    def _open(self, value: Any, depth: int = 3) -> Iterator[tuple[str, str]]:
        """The open requests in a result: their names, or their notes, and what is there."""
        for name, inner in list(value.items())[:MOST] if isinstance(value, dict) else ():
            if isinstance(inner, dict) and inner:
                if REQUEST.search(name) and (state := self._undecided(inner)):
                    yield name, f"{name}: {state}"
                elif depth:
                    yield from self._open(inner, depth - 1)
            for note in inner[:MOST] if isinstance(inner, list) else [inner]:
                short = isinstance(note, str) and bool(self.notes) and len(note) <= 300
                if short and (found := expression(self.notes).search(note)):
                    yield found["what"], one_line(note, 100)

    def _undecided(self, request: Mapping[str, Any]) -> str:
        """How a request says that it is open; empty where it does not."""
        states = [told for name, told in request.items() if STATE.search(name) and isinstance(told, str)]
        if states:
            return states[0] if self.waits and either((self.waits,)).fullmatch(words_of(states[0])) else ""
        opened = [name for name, told in request.items() if UNDECIDED.search(name) and (told is None or told is False)]
        return f"no {opened[0]}" if opened else ""


def _speaks_of(state: str, text: str) -> bool:
    """Whether an answer has a word of a state anywhere: "saved as a draft; the page of before is live"."""
    return any(len(word) > 3 and word[:5].lower() in text.lower() for word in state.split())


def _issued(call: Call) -> set[str]:
    """What may be the numbers of what came of a call: those of its result that it was not given."""
    return {text for _, text in scalars(call.result_value) if ISSUED.fullmatch(text)} - argued(call)


def _shown_last(call: Call, turn: Turn) -> Any:
    """What the last look behind a call has of the thing that came of it, by its number; what the call returned, without one."""
    ids = _issued(call)
    for look in reversed(turn.after(call)):
        if turn.nature(look) == "read" and look.outcome == "landed" and not ids.isdisjoint(look.given):
            if isinstance(look.result_value, dict) and len(look.result_text) <= LONGEST:
                return look.result_value
            break
    return call.said_value


def _days(call: Call) -> Iterator[str]:
    """The days that a call was given."""
    return (told[:10] for _, told in scalars(call.arguments) if MOMENT.match(told))


def _is_about(call: Call, state: State, deed: Deed) -> bool:
    """Whether a state is that of the call's own thing, and the call, or the field, one that can have done the deed."""
    *path, name = state.path
    own = path[-1] if path else ""
    part = OF_STATE.sub("", name)
    if not deed.by:
        return _is_own(call, own, "" if part == name else part)
    if part and part != name and not expression(deed.by).search(part) and root(part.lower()) not in call.name.lower():
        return False  # "payment_status" of a booking
    if own and not state.listed and expression(deed.by).search(own):
        return True  # "approval": {"status": "PENDING"}
    if not expression(deed.by).search(f"{call.name} {' '.join(state.path)} {state.told}"):
        return False
    own_word = not own or own in WRAPPERS or root(own.lower()) in call.name.lower()
    return own_word or state.listed or not argued(call).isdisjoint(map(str, state.thing.values()))


def _is_own(call: Call, own: str, part: str) -> bool:
    """Whether a state, in the object and of the part of these names, is that of what the call set out to do."""
    if part and not _in_name(part, call):
        return False  # "last_payment_status"
    return not own or own in WRAPPERS or own in ITS_OWN or REQUEST.search(own) is not None or _in_name(own, call)


def _was_so(state: State, call: Call, turn: Turn) -> bool:
    """Whether a result before a call has the state already, of a thing that the call names."""
    named = argued(call)
    return any(
        state.told in other.result_text and any(one in other.result_text for one in named)
        for other in turn.calls_before(call)
    )


def _in_name(name: str, call: Call) -> bool:
    """Whether a tool's name has a word of a field's, or how it begins: "deployment", `deploy.create`."""
    return any(similar(root(word.lower()), name_roots(call.name)) for word in PIECES.findall(name) if len(word) > 3)


def _is_sole(state: State, call: Call) -> bool:
    """Whether a state is that of the one entry of a list, which has what the call was given."""
    return state.alone and not argued(call).isdisjoint(map(str, state.thing.values()))


def _names(thing: Mapping[str, Any], sentence: str) -> bool:
    """Whether a sentence has a value of an entry, so that it speaks of it."""
    low = sentence.lower()
    told = (str(value).lower() for name, value in thing.items() if not STATE.search(name))
    return any(TELLING.fullmatch(value) and value in low for value in told)


def _is_of_another(sentence: str, call: Call, turn: Turn) -> bool:
    """Whether a sentence names what another call of the tool was given, and nothing that this one was."""
    named: dict[bool, bool] = {True: False, False: False}
    for one in (one for one in turn.landed_changes() if one.name == call.name):
        texts = (text for _, text in scalars(one.arguments) if len(text) > 3 and not text.isdigit())
        named[one is call] |= any(True for text in texts for _ in places(text, sentence))
    return named[False] and not named[True]


def _done_later(call: Call, turn: Turn) -> bool:
    """Whether a later change of the turn, no note, was of the same tool, or about the same thing and not only the person."""
    persons = {text for name, text in scalars(call.arguments) if PERSON.search(name)}
    named, ids = argued(call) - persons, _issued(call)
    later = [other for other in turn.landed_changes() if other.position > call.position and not comments(other)]
    if any(other.name == call.name or any(one in other.raw for one in named) for other in later):
        return True
    return any(not ids.isdisjoint(other.given) and any(states_of(other.result_value)) for other in later)
