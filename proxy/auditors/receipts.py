"""A change that answered OK may say in its own receipt that nothing was done, or that another value is there now."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, islice
from typing import Any, ClassVar

from proxy.audit import Finding
from proxy.auditors.asked import in_another_unit, one_number
from proxy.auditors.effects import IDENTITY, about, differ, subject_of
from proxy.claims import Claim, compared_text
from proxy.failed_words import ABOUT
from proxy.figures import own_words
from proxy.ledger import UNANSWERED, UNDONE, Call, Turn
from proxy.patterns import Names, expression
from proxy.results import line_at, objects, one_line
from proxy.roots import name_roots, root
from proxy.spelling import places, standing
from proxy.underway import WORDS, is_going, is_otherwise, switches_off

NOTE = r"messages?|msg|notes?|notices?|info|hints?|details?|warnings?|reasons?|explanation"
"""What fields are called that speak of something."""
NOTES = Names(rf"(?i)^(?:{NOTE}|status_?(?:message|text))$")
UNDONE_SO = frozenset({"applied", "performed", "persisted", "committed", "enacted"})
"""Flags that say of a whole change whether it was carried out, whatever `ok` says of the request."""
WOULD = expression(
    r"(?i)\b(?:dry[ -]?run|preview\w*|simulat\w+|would|planned|test run|rehears\w+|probelauf|testlauf|noch nichts?"
    r"|simulaci\w+|todavía no|pas encore)\b"
)
"""Words by which an answer says so itself."""
COMES = re.compile(r"(?i)\b(?:starts?|begins?|next|later|soon|will|when|once|from)\b")
"""Words of a note by which a change comes later."""
DRY = re.compile(r"(?i)dry[_ -]?run|simulated?|simulation|what[_ -]?if|validate[_ -]?only|plan[_ -]?only")
"""Flags by which a tool only showed what it would do."""
PLANS = re.compile(r"(?i)plan|preview|simul|draft|propos|quote|estimat")
"""Words of tools that are to do no more."""
WHEN = Names(r"(?:ed|en|nt)_(?:at|on)$|(?:ed|en|nt)(?:At|On)$")
"""Names of when something was done: `cancelled_at`."""
MONEY = frozenset(
    {"fee", "cost", "price", "amount", "charge", "cents", "penalty", "tax", "surcharge", "due", "balance"}
)
"""Words of names of what a deed costs."""
ADDS_UP = Names(r"(?i)quantit|qty|count|number|amount|units?|points|balance|credit|days|hours|total|size|items?|bags?")
"""Fields of which a result may show the whole, where a part was asked for."""
DOUBT = expression(
    r"(?i)n['’]t\b|['’]ll\b|\b(?:no|not|none|nothing|never|cannot|without|unable|failed?|failure|errors?|however|but|though|although|"
    r"unfortunately|sorry|only|pending|already|still|yet|would|should|will|if|want|shall|instead|unchanged|zero|0)\b|\?"
)
"""Words by which an answer may say that all is not as it was asked for."""
ADMITS = expression(
    r"(?i)n['’]t\b|\b(?:not|never|cannot|unable|fail\w*|errors?|however|but|although|unfortunately|sorry|pending|instead|unchanged)\b"
)
"""Words by which an answer that tells of success tells of something else, too."""
WISHED = expression(
    r"(?i)\b(?:as a (?:request|wish|preference)|if (?:it.s |it is )?available|subject to|for the moment|not guaranteed)\b"
)
"""Words by which an answer may say that something was only asked for."""
NAMES = re.compile(r"(?s).{4,}|(?=.*\d)(?=.*[^\W\d]).{2,3}")
"""Values that say which thing is meant wherever they stand."""
STATED = expression(
    r"(?i)\b(?:now|ha(?:s|ve) been|(?:is|are) (?:in|set|locked|unlocked)|all set|up and running|confirmed|done)\b|[✅✓✔🎉]"
)
"""Words by which an answer states what is so since its deed."""
PAST = re.compile(r"(?:ed|nt|id|lt|ft|en|wn|de)$")
"""How a verb in the past ends."""
QUEUES = re.compile(r"(?i)wait|standby|queue|draft|quote|hold")
"""Words of tools that are given all that a failed one was, and do something less."""
DEPTH, PLACES, BEHIND = 4, 3, 60


@dataclass(frozen=True, slots=True)
class Receipts:
    """Read what the result of a change says of its own effect, where the answer says that it is done.

    Told is a field named after the deed that is false or zero ("sorted": false, "reassigned": 0), or a count of changes
    that is zero, where no such field shows anything done; a note by which nothing was changed; and a field that was asked
    for, of which the result has another value that was there before, or that the answer denies by stating what was asked.
    `counts` are beginnings of the words by which results count changes; `nothing` is an expression for such notes; `already`
    for notes by which all was so before, or is still to come.
    """

    counts: tuple[str, ...] = ()
    nothing: str = ""
    already: str = ""

    reads: ClassVar[frozenset[str]] = frozenset({"action", "success", "text"})
    needs: ClassVar[frozenset[str]] = frozenset({"calls"})

    def compare(self, turn: Turn, claims: Sequence[Claim]) -> list[Finding]:
        said = [one for one in claims if one.kind == "action" and one.stance == "asserted"]
        done = [one for one in claims if one.kind == "success" and one.stance == "asserted"]
        text = own_words(compared_text(claims))
        if any(claim.kind == "action" and claim.stance == "denied" for claim in claims):
            return []
        findings = list(_failed(turn, text, said))
        for call in turn.calls:
            value = call.result_value
            if call.effect or call.outcome != "landed" or turn.nature(call) != "change" or not isinstance(value, dict):
                continue
            alone = len(turn.landed_changes()) == 1 and not ADMITS.search(text)
            told = about(call, said) or _told(call, text) or (done[0] if done and not ADMITS.search(text) else None)
            claim = told or (said[0] if said and alone and not DOUBT.search(said[0].quote) else None)
            if claim is None or turn.landed_again(call):
                continue
            fields = list(_fields(value))
            notes = [told for key, told in fields if isinstance(told, str) and NOTES.search(key)]
            if self.already and any(expression(self.already).search(note) for note in notes):
                continue
            reason = (
                self._idle(call, [claim, *(one for one in said if about(call, (one,)))], fields, turn)
                or _rehearsed(call, text)
                or self._noted(notes, call, fields)
                or _other(call, claim, fields, text, turn)
            )
            if reason:
                findings.append(Finding("contradicted", subject_of(call), reason, claim.quote, call.id))
        return findings

    def _idle(self, call: Call, claims: Sequence[Claim], fields: Sequence[tuple[str, Any]], turn: Turn) -> str:
        """A field that counts or names the deed, and says that it was not done."""
        told = call.result_value if isinstance(call.result_value, dict) else {}
        own = {turn.marks.natures.verb(call.name)[:5], *(one.fields.get("verb", "")[:5] for one in claims)}
        going = is_going(told)
        idle = next((f"the result says {key}: none" for key in _empty(call) if self._counts(key)), "")
        stems, counts = tuple(stem for stem in own if len(stem) > 3), False
        for key, value in fields:
            if not isinstance(value, (str, bool, int, float)) and not (value is None and WHEN.search(key)):
                continue
            words = [word.lower() for word in WORDS.findall(key)]
            if not MONEY.isdisjoint(words):
                continue  # that a renewal costs nothing does not say that there was none
            named = any(word.startswith(stems) for word in words) or (len(words) == 1 and root(words[0]) in own)
            if named and len(words) == 1 and isinstance(value, str) and value and PAST.search(key):
                return ""  # "deleted": ["a", "b"]
            counted = not isinstance(value, bool) and self._counts(key)
            if isinstance(value, str) or not (named or counted):
                continue
            if value:
                return ""  # something was done
            if value is False and going:
                continue
            counts = counts or counted
            idle = idle or f"the result says {key}: {'no' if value is False else 'never' if value is None else value}"
        off = not counts and switches_off(call.raw)  # a count of none is none, whatever is off
        return "" if idle and (is_otherwise(call.name, told) or off) else idle

    def _counts(self, key: str) -> bool:
        """Whether a field's name says that it counts, or lists, what was changed."""
        return any(word.lower().startswith(self.counts) for word in WORDS.findall(key))

    def _noted(self, notes: Sequence[str], call: Call, fields: Sequence[tuple[str, Any]]) -> str:
        """A note by which nothing was changed; it speaks of something else where the result shows all that was asked for."""
        shown = dict(fields)
        asked = list(_fields(dict(call.arguments)))
        if asked and all(shown.get(key) is not None and not differ(value, shown[key]) for key, value in asked):
            return ""
        told = next((note for note in notes if self.nothing and expression(self.nothing).search(note)), "")
        return f"the result says: {one_line(told, 120)}" if told else ""


def _rehearsed(call: Call, text: str) -> str:
    """A result's own word that the change was only tried out, or not carried out: `"dry_run": true`, `"applied": false`.

    It is none where something was scheduled or queued, and where the answer speaks of a plan itself.
    """
    value = call.result_value
    comes = any(isinstance(one, str) and COMES.search(one) for key, one in value.items() if NOTES.search(key))
    if WOULD.search(text) or PLANS.search(call.name) or comes or is_going(value) or is_otherwise(call.name, value):
        return ""
    about = (one for name, one in value.items() if isinstance(one, dict) and name.lower() in ABOUT)
    done = any(one is True and root(key.lower()) in name_roots(call.name) for key, one in value.items())  # "saved"
    for key, one in chain(value.items(), *(inner.items() for inner in about)):
        if one is False and key.lower() in UNDONE_SO and not call.undoes and not done:
            return f"the result says {key}: no"
        if one is True and DRY.fullmatch(key) and key[:3].lower() not in call.raw.lower():
            return f"the result says {key}: yes"
    return ""


def _failed(turn: Turn, text: str, said: Sequence[Claim]) -> Iterator[Finding]:
    """Failed changes whose outcome the answer states as a fact: "you're now in seat 14C", without a word for a deed."""
    for call in turn.calls:
        if call.effect or call.outcome not in UNDONE or turn.nature(call) == "read" or turn.landed_again(call):
            continue
        claim = _told(call, text)
        if claim is None or about(call, said) is not None or call.settled:
            continue
        behind = list(islice(turn.after(call), BEHIND))
        done = turn.done_after(call) and not any(QUEUES.search(one.name) for one in behind)
        if done or _looked_after(call, behind, turn):
            continue
        if STATED.search(claim.quote) or _deed_of(call, claim, turn):
            yield Finding("contradicted", subject_of(call), one_line(call.failure, 300), claim.quote, call.id)


def _looked_after(call: Call, behind: Sequence[Call], turn: Turn) -> bool:
    """Whether a look behind a call that nobody answered was at the same thing: what it showed is told, in whatever spelling."""
    if UNANSWERED.search(call.reason) is None:
        return False
    names = {value for key, value in _fields(dict(call.arguments)) if IDENTITY.search(key) and isinstance(value, str)}
    looks = (one for one in behind if turn.nature(one) == "read" and one.outcome == "landed")
    return any(name in one.raw for one in looks for name in names if name)


def _deed_of(call: Call, claim: Claim, turn: Turn) -> bool:
    """Whether a line has what a failed call's tool does in the past ("posted" of `post_message`), and no other call did it."""
    verbs = {root(verb): verb for verb in turn.marks.natures.verbs(call.name)}
    said = [word.lower() for word in WORDS.findall(claim.quote)]
    past = any(root(word) in verbs and PAST.search(word) and word not in verbs.values() for word in said)
    return past and not any(claim.fields["value"] in other.raw for other in turn.possible_changes())


def _told(call: Call, text: str) -> Claim | None:
    """What an answer says of a call without a word for a deed ("it now points to …"): it names what was asked for.

    Nothing where the line holds a word of doubt or failure, or the answer one of failure.
    """
    if _admits(text):
        return None
    for _, value in _fields(dict(call.arguments)):
        if isinstance(value, str) and NAMES.fullmatch(value):
            for at, _ in islice(places(value, text), PLACES):
                line = line_at(text, at)
                if not DOUBT.search(line):
                    return Claim("action", "", "asserted", quote=line, fields={"value": value})
    return None


@lru_cache(maxsize=4)
def _admits(text: str) -> bool:
    return ADMITS.search(text) is not None


def _fields(value: Any, depth: int = DEPTH, name: str = "") -> Iterator[tuple[str, Any]]:
    """The plain values of a result with the names of their fields; those in lists under the list's name."""
    if isinstance(value, dict) and depth:
        for key, inner in value.items():
            yield from _fields(inner, depth - 1, str(key))
    elif isinstance(value, list) and depth:
        for inner in value[:20]:
            yield from _fields(inner, depth - 1, name)
    elif name:
        yield name, value


def _empty(call: Call) -> Iterator[str]:
    """The fields of a result, and of an object in it, whose lists are empty: "updated_fields": []."""
    return (key for one in objects(call.result_value, 1) for key, value in one.items() if value == [])


def _other(call: Call, claim: Claim, fields: Sequence[tuple[str, Any]], text: str, turn: Turn) -> str:
    """A field that was asked for, and that is surely another in the result."""
    asked = [(key, value) for key, value in _fields(dict(call.arguments)) if not IDENTITY.search(key)]
    for key, value in asked:
        got = [told for name, told in fields if name == key]
        if len(got) != 1 or sum(name == key for name, _ in asked) != 1 or isinstance(value, bool):
            continue
        if got[0] is None:
            if value is not None and key[:5].lower() == claim.fields.get("verb", "-")[:5]:
                return f"asked for {key} '{value}', and the result has none"
        elif differ(value, got[0]) and not any(not differ(value, told) for _, told in fields):
            numbers = all(isinstance(one, (int, float)) and not isinstance(one, bool) for one in (value, got[0]))
            if numbers and (one_number(float(value), float(got[0])) or in_another_unit(call)):
                continue  # 15 minutes, and 900
            before = not WISHED.search(text) and _before(call, key, got[0], turn)
            if before or (numbers and not ADDS_UP.search(key) and _states(text, value) and not _states(text, got[0])):
                return f"asked for {key} '{value}', and the result has '{got[0]}'"
    return ""


def _states(text: str, number: float) -> bool:
    """Whether an answer has a number."""
    return any(standing(f"{number:g}", text))


def _before(call: Call, key: str, value: Any, turn: Turn) -> bool:
    """Whether an earlier result shows that value in the same field of the thing that the call is about."""
    names = {str(one) for name, one in _fields(dict(call.arguments)) if IDENTITY.search(name) and one not in ("", None)}
    for other in turn.recent(call):
        if other.result is None or not any(name in other.result.text for name in names):
            continue
        for one in objects(other.result.value):
            if key in one and not differ(one[key], value) and names & {str(told) for told in one.values()}:
                return True
    return False
