"""The state that results show of a thing must not be one that the claimed deed excludes: paused and still active."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, ClassVar, NamedTuple

from proxy.audit import Finding
from proxy.claims import Claim, admits, compared_text
from proxy.figures import sentence_around
from proxy.ledger import Call, Turn
from proxy.patterns import Names, expression
from proxy.results import WRAPPERS, line_at, objects, one_line, scalars, strings
from proxy.roots import IRREGULAR, name_roots, name_words, root
from proxy.spelling import MOMENT

ID = re.compile(r"(?=[\w-]*[A-Za-z])(?=[\w-]*\d)[A-Za-z][\w-]{3,40}", re.A)
"""What is surely an id, whatever its field is called."""
BARE = (
    "status",
    "state",
    "stage",
    "phase",
    "conclusion",
    "outcome",
    "result",
    "decision",
    "approval",
    "disposition",
    "kind",
    *("statut", "estado", "situacao", "situação", "stato", "zustand", "状态", "状態", "상태"),
)
"""Words for a state."""
STATE = Names(rf"(?i)(?:^|_)(?:{'|'.join(BARE)})$|(?:Status|State)$")
FAILED = re.compile(r"(?i)(?:failed|failure|error|errored|rejected|declined|denied|aborted|crashed|timed_out)")
LABELS = re.compile(r"(?i)^labels?(?:_?ids?)?$")
"""Fields by which mail services say in which folders a mail is."""
LATER = Names(
    r"(?i)pending(?!_?(?:action|step|task))|scheduled|effective|next|future|at_period_end|planned|requested|target_?(?:date|day|time|state)"
    r"|cancel(?:led|lation)?_?(?:at|on|date)$|(?:^|_)ends?(?:_?(?:at|on))?$|(?:access|active|paid)_?until$"
)
"""Fields that say when a state will change."""
ENVELOPE = re.compile(r"(?i)success(?:ful)?|ok|okay|200|201")
"""States of the answer and not of the thing."""
DENIED = re.compile(r"(?i)not (?:yet )?(\w{2,}ed|\w{2,}en|sent|set|made|paid|put)$")
"""A state by which something was not done."""
DRAFT = re.compile(r"(?i)^(?:is_?)?(draft|pending|queued|waitlisted|provisional|tentative)$")
"""Fields that are a state by themselves where they are true: `isDraft`."""
PLACE = Names(r"(?i)wait_?list_?(?:pos|rank|place|number)")
"""Fields by which something waits, where they have a number."""
WAITLISTED = re.compile(
    r"(?i)(?:on (?:the )?)?wait(?:ing|ed)?[_ -]?list(?:ed)?(?:[,;(] ?.{0,40}| (?:position|place|#|no\.? ?)?\d.{0,20})?"
    r"|stand[_ -]?by"
)
"""What is a state by nearly any name: a type of booking, a placement."""
FOLDER, UNSENT = re.compile(r"(?i)(?:mail_?)?(?:folder|box)(?:_?name)?"), re.compile(r"(?i)drafts?|outbox")
"""Where a mail is, by which it has not left."""
RULES = re.compile(r"(?i)polic|(?:^|[_ ])(?:if|when|on)[_ ]|option|allow|overflow|default|mode|rule|fallback|else")
"""Names of fields that say what would be, and not what is."""
WAS = re.compile(r"\b(?:had been|previously|formerly) $")
"""What stands before a state that an answer tells as the former one."""
CANCEL = "cancel"
LIVING = re.compile(r"(?i)pending|open|active|confirmed|booked|processing|scheduled|new|placed|in progress")
"""The verb by which a thing's own state becomes another one, and states that it ends."""
UNSURE = re.compile(
    r"(?i)n[’']t\b|\?\s*$|\b(?:if|once|when|until|before|will|would|should|not|no longer|wenn|sobald|nicht|si|cuando|no"
    r"|pas|quand)\b"
)
"""Words by which a sentence may not say that something runs now."""
NOTE = 40
"""Code points up to which a text of a result is the name of something, and no note."""
MOST = 40
"""Objects of a result, and places of a text, that are read."""


class State(NamedTuple):
    """A state in a result: under which names, as what, in which object, whether that stands in a list, and alone there."""

    path: tuple[str, ...]
    told: str
    thing: Mapping[str, Any]
    listed: bool
    alone: bool = False


@dataclass(frozen=True, slots=True)
class States:
    """Compare a deed with the state that the result of its call shows, and with what later calls show of the same thing.

    `excludes` says by the beginning of a verb which states cannot be after it, as an expression. Told is only what the
    answer does not say itself: it names neither the state nor that it is still to come. A later result that shows a thing, by
    an id that a change returned, as failed contradicts the deed, unless one after that shows it otherwise. `now` is an
    expression, with the groups `subject` and `state`, for what is said to be in a state now: in a turn that has only looked,
    the one that the user asked for is told where the last look shows another. `runs` is one, with the groups `subject` and
    `version`, for what is said to run: the turn's last result has that thing in another version alone.
    """

    excludes: dict[str, str] = field(default_factory=dict)
    now: str = ""
    lasts: str = ""
    runs: str = ""

    reads: ClassVar[frozenset[str]] = frozenset({"action", "text"})

    def compare(self, turn: Turn, claims: Sequence[Claim]) -> list[Finding]:
        said = [one for one in claims if one.kind == "action" and one.stance == "asserted"]
        changes = turn.landed_changes()
        if self.runs and turn.calls and (other := self._runs(turn, compared_text(claims))) is not None:
            return [other]
        if self.now and turn.calls and not changes:
            return list(self._unmoved(turn, compared_text(claims)))
        text = compared_text(claims).lower()
        named = [f"{one.name} {one.raw[:2_000]}" for one in changes]
        if not said or not text or not changes or admits(claims, named, chosen=True):
            return []
        denied = list(self._denied(said, changes, turn, text))
        return [*denied, *self._excluded(said, changes, turn, text), *_failed_later(said, changes, turn, text)]

    def _runs(self, turn: Turn, text: str) -> Finding | None:
        """A thing that is said to run in a version that no result has, and that the last one has in another version."""
        last = turn.calls[-1]
        for found in list(expression(self.runs).finditer(text))[:MOST] if last.outcome == "landed" else ():
            subject, version = found["subject"].lower(), found["version"]
            if UNSURE.search(sentence_around(text, *found.span())):
                continue
            shown = set(
                re.findall(rf"(?i)(?<![\w-]){re.escape(subject)}[:@/ ]v?(\d+(?:\.\d+)+)(?![\w.-])", last.result_text)
            )
            if len(shown) == 1 and version not in shown and not any(version in one.result_text for one in turn.calls):
                reason = f"the last result has {found['subject']} {shown.pop()}"
                return Finding(
                    "contradicted", f"{found['subject']} {version}", reason, line_at(text, found.start()), last.id
                )
        return None

    def _unmoved(self, turn: Turn, text: str) -> Iterator[Finding]:
        """A thing that is said to be in the state that was asked for, in a turn that only looked and saw it in another."""
        for found in list(expression(self.now).finditer(text))[:MOST]:
            subject, said = found["subject"].lower(), words_of(found["state"]).casefold()
            looks = [one for one in turn.calls if one.outcome == "landed" and one.names(subject)]
            last = next((one for one in reversed(looks) if _states_named(one, subject)), None)
            shown = _states_named(last, subject) if last is not None else set()
            asked = said and f" {said} " in f" {words_of(turn.asked).casefold()} "
            if last is None or not asked or said in shown or len(shown) > 1 or turn.possible_changes():
                continue
            if turn.whole() and not any(one.names(subject) for one in turn.possible_changes(turn.earlier())):
                reason = f"no call changed it, and the last look shows {shown.pop()!r}"
                yield Finding("contradicted", found["subject"], reason, line_at(text, found.start()), last.id)

    def _lasting(self, claim: Claim, text: str) -> bool:
        """Whether an answer in another language than the results' tells of something that lasts for a while."""
        return bool(self.lasts) and "foreign" in claim.fields and expression(self.lasts).search(text) is not None

    def _denied(self, said: Sequence[Claim], changes: Sequence[Call], turn: Turn, text: str) -> Iterator[Finding]:
        """A deed that a result says was not done, in its very word: "I've filed the dispute", and `NOT_FILED`."""
        for call in changes:
            for told, deed in _not_done(call):
                beside = (
                    one for one in changes if one is not call
                )  # `assign_ticket`, after one created "not assigned"
                if words_of(told).lower() in words_of(text) or any(deed[:4] in one.name.lower() for one in beside):
                    continue
                claim = next((one for one in said if deed.startswith(one.fields.get("verb", "\0"))), None)
                if claim is not None and not seen_later(call, turn):
                    reason = f"the result says {one_line(told, 60)!r}"
                    yield Finding("contradicted", claim.subject or call.name, reason, claim.quote, call.id)

    def _excluded(self, said: Sequence[Claim], changes: Sequence[Call], turn: Turn, text: str) -> Iterator[Finding]:
        told = [(one, f"{one.name} {one.raw}".lower()) for one in changes] if self.excludes else []
        last: dict[str, list[Call]] = {}
        for claim in said:
            verb = claim.fields.get("verb", "")
            state = next((states for begun, states in self.excludes.items() if verb.startswith(begun)), "")
            key = "" if claim.subject.lower() in ("status", "state") else verb  # "Status: approved"
            if state and key not in last:
                stems = [key[:4], IRREGULAR.get(key, key)[:4]]  # `status="frozen"`, as well as `freeze_card`
                stems += _foreign(claim) if key else ()
                last[key] = [one for one, text in told if any(stem in text for stem in stems)][-1:]
            for call in last[key] if state else ():
                shown = _own_state(call)
                against = shown and (
                    re.fullmatch(state, words_of(shown), re.I) or _is_as_before(call, shown, verb, turn)
                )
                if not against or _told(shown, text, verb) or self._lasting(claim, text):
                    continue
                if not _names_the_deed(call, claim) and not seen_later(call, turn):
                    reason = f"the result says {one_line(shown, 60)!r}"
                    yield Finding("contradicted", claim.subject or call.name, reason, claim.quote, call.id)
                    return


def _foreign(claim: Claim) -> list[str]:
    """How the words of another language for a deed begin; empty of one that is told in the results' own."""
    return [one[:5] for one in claim.fields.get("stems", "").split()] if "foreign" in claim.fields else []


def _names_the_deed(call: Call, claim: Claim) -> bool:
    """Whether a result in another language names the deed itself: "Stornierung: bestätigt"."""
    stems = _foreign(claim)
    names = (name for one in objects(call.result_value) for name in one)
    told = (one.lower() for one in chain(names, strings(call.result_value)) if stems and len(one) <= NOTE)
    return any(stem in text for text in told for stem in stems)


def _is_as_before(call: Call, shown: str, verb: str, turn: Turn) -> bool:
    """Whether a thing that a tool itself cancels is in the state in which the last look before it showed it.

    `cancel_pending_order(order_id=…)` that leaves it "pending", and says nothing of a cancellation.
    """
    named = frozenset(map(root, name_words(call.name)))
    if verb != CANCEL or CANCEL not in named or turn.is_far_back(call):
        return False
    ids = argued(call) & {str(one) for name, one in call.arguments.items() if named & name_roots(name)}
    begun = CANCEL[:4]
    for one in objects(call.result_value):
        if any(begun in name.lower() and told for name, told in one.items()):
            return False  # "cancel_reason": "no longer needed"
        if any(begun in told.lower() for _, told in _plain(one)):
            return False
    looks = (
        one for one in turn.recent(call) if one.outcome == "landed" and all(name in one.result_text for name in ids)
    )
    look = next(looks, None) if len(ids) == 1 and LIVING.fullmatch(words_of(shown)) else None
    if look is None or not isinstance(call.result_value, dict):
        return False
    name, after = next(iter(ids)), call.result_value
    before = next((one for one in objects(look.result_value) if name in map(str, one.values())), {})
    single = {key: told for key, told in before.items() if not isinstance(told, (dict, list))}
    since = [told for key, told in after.items() if key not in before]
    if any(after.get(key, told) != told for key, told in single.items()) or any(map(_tells_of_a_change, since)):
        return False  # "ends": "2025-07-01", "renews": null
    return _states_named(look, name.lower()) == {words_of(shown).casefold()}


def _tells_of_a_change(value: Any) -> bool:
    """Whether a field that is new in a result may say what was done: a flag, or a day."""
    return value is True or (isinstance(value, str) and MOMENT.match(value) is not None)


def _not_done(call: Call) -> Iterator[tuple[str, str]]:
    """The states by which what a call is about was not done, each with the word for the deed: `NOT_FILED`, "filed"."""
    if "not" not in call.result_text.lower():
        return
    named = frozenset(name_words(call.name))
    for state in states_of(call.result_value):
        found = DENIED.match(words_of(state.told))
        if found is None or state.listed:
            continue
        *held, name = state.path
        own = any(not named.isdisjoint(name_words(one)) for one in held)
        if own or (not held and all(one in BARE or one in named for one in name_words(name))):
            yield state.told, found[1].lower()


def _states_named(look: Call, subject: str) -> set[str]:
    """The states, as words, of the one thing that a look has shown by its id."""
    value = look.result_value
    top = isinstance(value, dict) and any(str(one).lower() == subject for one in value.values())
    states = (
        one for one in states_of(value) if top or any(str(told).lower() == subject for told in one.thing.values())
    )
    return {words_of(one.told).casefold() for one in states}


def _failed_later(said: Sequence[Claim], changes: Sequence[Call], turn: Turn, text: str) -> Iterator[Finding]:
    """A thing that a change gave an id, and that the last call about it shows as failed."""
    for call in changes if "fail" not in text else ():
        after = () if turn.is_far_back(call) else turn.after(call)
        ids = {one for _, one in scalars(call.result_value) if ID.fullmatch(one)} if after else ()
        later = [one for one in after if one.result and any(name in one.raw for name in ids)] if ids else []
        shown = _state(later[-1].result.value) if later and later[-1].result else ""
        if shown and FAILED.fullmatch(shown) and shown.lower() not in text:
            claim = next((one for one in said if _fits(one, call)), None)
            if claim is not None:
                reason = f"a later call shows it as {one_line(shown, 60)!r}"
                yield Finding("contradicted", claim.subject or call.name, reason, claim.quote, later[-1].id)


def _fits(claim: Claim, call: Call) -> bool:
    stems = claim.fields.get("stems", claim.fields.get("verb", "")).split()
    return any(stem[:5] in f"{call.name} {call.raw}".lower() for stem in stems)


def seen_later(call: Call, turn: Turn) -> bool:
    """Whether a later look of the turn was about what a call was about."""
    named = [text for _, text in scalars(call.arguments) if len(text) > 2]
    return any(
        turn.nature(other) == "read" and any(text in other.raw or text in other.result_text for text in named)
        for other in turn.after(call)
    )


def _state(value: Any) -> str:
    """The one state that a result tells of, at the top or one object deep; empty where a change of it is still to come."""
    shown: set[str] = set()
    for one in list(objects(value, 1))[:4]:
        if any(LATER.search(key) and told for key, told in one.items()):
            return ""
        shown |= {told for key, told in _plain(one) if STATE.search(key)}
    return shown.pop() if len(shown) == 1 else ""


def states_of(value: Any) -> Iterator[State]:
    """The states in a result, outer ones first, of a bounded number of objects."""
    waiting: list[tuple[tuple[str, ...], dict[str, Any], int]] = [((), value, 0)] if isinstance(value, dict) else []
    for path, one, listed in waiting:
        for name, inner in list(one.items())[:MOST]:
            if told := _state_told(name, inner):
                yield State((*path, name), told, one, listed > 0, listed == 1)
            elif len(path) < 3 and len(waiting) < MOST:
                waiting += [((*path, name), each, 0) for each in (inner,) if isinstance(each, dict)]
                entries = inner[:MOST] if isinstance(inner, list) else ()
                waiting += [((*path, name), each, len(entries)) for each in entries if isinstance(each, dict)]


def _state_told(name: str, value: Any) -> str:
    """The state that a field tells, by its name or by what it holds; empty where it tells none."""
    if isinstance(value, str):
        told = (
            STATE.search(name)
            or (FOLDER.fullmatch(name) and UNSENT.fullmatch(value))
            or (WAITLISTED.fullmatch(value) and not RULES.search(name))
        )
        return value if 0 < len(value) <= 60 and told else ""
    if isinstance(value, dict):
        return value["name"][:60] if STATE.search(name) and isinstance(value.get("name"), str) else ""
    if isinstance(value, list):
        return "draft" if LABELS.search(name) and "DRAFT" in value else ""
    if value is True and (flag := DRAFT.search(name)):
        return flag[1].lower()
    return "waitlisted" if type(value) is int and value > 0 and PLACE.search(name) else ""


def _own_state(call: Call) -> str:
    """The one state of the thing that a call was about: the result's own, or that of an object called as it was, or named so.

    Nothing where another one may be its own as well, or where it is still to come.
    """
    own = argued(call)
    named = frozenset(name_words(call.name))
    found = [one for one in states_of(call.result_value) if not one.listed and not ENVELOPE.fullmatch(one.told)]
    about = [one for one in found if _is_own(one, named, own)]
    if any(LATER.search(key) and told for one in about for key, told in one.thing.items()):
        return ""
    others = {one.told for one in found if len(one.path) <= 2 and one.path[-1].lower() in BARE}
    told = {one.told for one in about}
    return told.pop() if len(told) == 1 and len(others | told) == 1 else ""


def _is_own(state: State, named: frozenset[str], given: frozenset[str]) -> bool:
    """Whether a state is that of what a call was about: `order_status` of `cancel_order`, not `refund_status`."""
    *held, name = state.path
    other = [word for word in name_words(name) if word not in BARE]
    if any(word not in named for word in other):
        return False
    about = not given.isdisjoint(map(str, state.thing.values()))
    return not held or about or all(one in WRAPPERS or not named.isdisjoint(name_words(one)) for one in held)


def argued(call: Call) -> frozenset[str]:
    """The plain arguments of a call that are long enough to name a thing."""
    plain = (str(value) for value in call.arguments.values() if isinstance(value, (str, int)))
    return frozenset(one for one in plain if len(one) >= 4)


def _plain(value: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    return ((key, told) for key, told in value.items() if isinstance(told, str) and 0 < len(told) <= 60)


def words_of(state: str) -> str:
    """A state as words: "ON_HOLD" and "on hold" are one."""
    return re.sub(r"[\W_]+", " ", state).strip()


def _told(state: str, text: str, verb: str) -> bool:
    """Whether an answer names a state itself."""
    words = [word for word in words_of(state).lower().split() if len(word) >= 4 and not word.startswith(verb)]
    places = (one for word in words for one in re.finditer(rf"(?<![a-z]){re.escape(word[:5])}", text))
    return any(WAS.search(text, max(0, one.start() - 12), one.start()) is None for one in places)
