"""What a change was to set must not have, in its own result, what a look before it had there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, ClassVar

from proxy.audit import Finding
from proxy.auditors.asked import ARGUED, FORMER, ID, MOST, Asked, arguments, one_number, referred
from proxy.auditors.effects import is_code, subject_of
from proxy.claims import Claim, compared_text
from proxy.figures import sentence_around, unquoted
from proxy.ledger import Call, Turn
from proxy.patterns import Names, expression
from proxy.results import objects, one_line
from proxy.roots import name_roots, roots, similar, tokens
from proxy.spelling import MOMENT, TIME, matches, places, plain

TO_COME = Names(r"(?i)schedul|pending|next|upcoming|future|queue|request|propos|renewal|wait")
"""Names of what is to be, and of what was asked for because it was."""
NEW = re.compile(r"(?i)^(?:new|target|desired|to)_|^(?:new|target)(?=[A-Z])")
"""How arguments begin that say what shall be."""
SPELLS = roots(("code", "id", "name", "value", "key", "number", "no", "ref"))
"""Words of names that only say how a thing is spelled: `plan_code` is the plan."""
MASK = re.compile(r"[*•xX]{2,}|[*•]")
NOISE = re.compile(r"[\W_]+")
WORD = re.compile(r"[^\W\d_]{3,}")
DIGITS = re.compile(r"\d+")
SAME = 3
"""First letters that two spellings of one thing share."""
LEAST = 4
"""Code points of an argument by which an earlier result is known to be of the same thing."""
REACH = 40_000
"""Code points of a result that is read."""
ONE_WORD = 6
"""Letters of a word that may be two to people."""
LOOKS = 20
"""Earlier calls that are looked into."""

Leaf = tuple[tuple[str, ...], Any]


@dataclass(frozen=True, slots=True)
class Lingering:
    """Compare what a change was to set with the fields of its result that are called so.

    A field is called as an argument where its name, or that with its object's, has the same words (`room_type` and
    `room.type_code`); where it has more (`credit_limit` for `limit`), only if the result says that what was asked for is
    to come, or that nothing is. No field is called by `idle` words alone. Told is an argument of a tool with one of the
    verbs `sets`, where what was asked for stands nowhere in the result but among what is to come, every such field has
    another value, and one of them has what an earlier result had under its name. Silent where an answer tells of trouble
    (`trouble`), or, unless the result says that nothing is to come, that it is still to come (`later`); where no sentence
    without one of `doubts` has the value or a word of the argument's or the tool's name; and where it tells nothing as
    done, by claims or by `done`. These are expressions.
    """

    sets: tuple[str, ...] = ()
    idle: tuple[str, ...] = ()
    trouble: str = ""
    doubts: str = ""
    later: str = ""
    done: str = ""

    reads: ClassVar[frozenset[str]] = frozenset({"action", "success", "text"})
    needs: ClassVar[frozenset[str]] = frozenset({"change"})

    def follow(self, turn: Turn, claims: Sequence[Claim], findings: Sequence[Finding]) -> list[Finding]:
        text = unquoted(compared_text(claims))
        told = {one.tool_call_id for one in findings if one.flagged}
        changes = [one for one in turn.landed_changes() if self._sets(one, turn) and one.id not in told]
        if not text or not changes or (self.trouble and expression(self.trouble).search(text)):
            return []
        if not (any(_done(one) for one in claims) or (self.done and expression(self.done).search(text))):
            return []
        found = [self._against(call, turn, text) for call in changes if not turn.landed_again(call)]
        return [one for one in found if one is not None]

    def _sets(self, call: Call, turn: Turn) -> bool:
        verbs = turn.marks.natures.verbs(call.name)
        return (
            not call.effect
            and isinstance(call.result_value, dict)
            and not roots(self.sets).isdisjoint(name_roots(" ".join(verbs)))
        )

    def _against(self, call: Call, turn: Turn, text: str) -> Finding | None:
        """The first argument in whose place the result has what was there before."""
        if len(call.result_text) > REACH:
            return None
        leaves = list(islice(_leaves(call.result_value), MOST))
        later = bool(self.later) and expression(self.later).search(text) is not None
        not_to_come = _nothing_to_come(call.result_value)
        if later and not not_to_come:
            return None
        shown = "\n".join(_there(call.result_value))
        to_come = "\n".join(_there(call.result_value, to_come=True))
        for asked in islice(arguments(call.arguments), ARGUED):
            words = self._words(asked)
            if not words or not _is_setting(asked) or any(matches(asked.value, shown)):
                continue
            loosely = _is_timed(asked) or not_to_come or any(matches(asked.value, to_come))
            own = [
                (path, value)
                for path, value in leaves
                if _is_called(path, words, loosely) and _same_kind(asked.value, value)
            ]
            if not own or any(_alike(asked.value, value) for _, value in own):
                continue
            kept = next((leaf for leaf in own if _was(leaf, call, turn)), None)
            if kept is None or self._stands_for(asked, call, turn, shown) or _seen_later(asked, call, turn):
                continue
            if told := self._told(asked, words | self._things(call), text):
                reason = f"asked for {asked.name} {_shown(asked.value)}, and the result still has {_shown(kept[1])}"
                return Finding("contradicted", subject_of(call), reason, one_line(told, 200), call.id)
        return None

    def _words(self, asked: Asked) -> frozenset[str]:
        """The words of an argument's name that say which field it sets; none where they are all idle."""
        words = name_roots(NEW.sub("", asked.name)) - SPELLS
        return words if words - roots(self.idle) else frozenset()

    def _things(self, call: Call) -> frozenset[str]:
        """The words of a tool's name that say what it changes."""
        return name_roots(call.name) - roots(self.idle) - roots(self.sets)

    def _told(self, asked: Asked, words: frozenset[str], text: str) -> str:
        """The first sentence that has what was asked for, or a word of the argument's or the tool's name, without a doubt."""
        said = ((one.span(), tokens(one.group())) for one in WORD.finditer(text))
        named = (span for span, own in said if any(similar(word, own) for word in words))
        for span in chain(places(asked.value, text), run_together(asked.value, text), named):
            sentence = sentence_around(text, *span)
            if not (self.doubts and expression(self.doubts).search(sentence)):
                return sentence
        return ""

    def _stands_for(self, asked: Asked, call: Call, turn: Turn, shown: str) -> bool:
        """Whether a result shows by name what was asked for by its code."""
        names = (one.value for one in referred(call, turn) if isinstance(one.value, str) and len(one.value) >= LEAST)
        return any(any(matches(name, shown)) for name in names)


def run_together(value: Any, text: str) -> Iterator[tuple[int, int]]:
    """Where a text has in several words what a value has in one: `closedwon`, "Closed Won"."""
    if isinstance(value, str) and value.isalpha() and len(value) >= ONE_WORD:
        parted = r"[ -]?".join(value)
        yield from (found.span() for found in re.finditer(rf"(?i)(?<!\w){parted}(?!\w)", text[:REACH]))


def _done(claim: Claim) -> bool:
    return claim.kind in ("action", "success") and claim.stance == "asserted"


def _leaves(value: Any, path: tuple[str, ...] = (), depth: int = 6) -> Iterator[Leaf]:
    """The plain values of an object with their paths; of lists only those of one entry."""
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    for name, inner in value.items() if isinstance(value, dict) else ():
        if isinstance(inner, (dict, list)):
            yield from _leaves(inner, (*path, name), depth - 1) if depth and not FORMER.search(name) else ()
        elif (
            isinstance(inner, (str, int, float))
            and not isinstance(inner, bool)
            and inner != ""
            and not FORMER.search(name)
        ):
            yield (*path, name), inner


def _there(value: Any, depth: int = 8, *, to_come: bool = False) -> Iterator[str]:
    """All plain values of a result but those of what is to come; or just those."""
    if isinstance(value, dict):
        for name, inner in value.items():
            later = TO_COME.search(name)
            if to_come and later:
                yield from _there({"": inner}, depth - 1) if depth else ()
            elif depth and not later:
                yield from _there(inner, depth - 1, to_come=to_come)
    elif isinstance(value, list):
        for inner in value if depth else ():
            yield from _there(inner, depth - 1, to_come=to_come)
    elif value is not None and not to_come:
        yield str(value)


def _is_called(path: tuple[str, ...], words: frozenset[str], loosely: bool) -> bool:
    """Whether a field, by its name or with that of its object, is called by the words of an argument's name."""
    if any(map(TO_COME.search, path)):
        return False
    own, whole = name_roots(path[-1]) - SPELLS, name_roots("_".join(path[-2:])) - SPELLS
    return words in (own, whole) or (loosely and words <= whole)


def _is_setting(asked: Asked) -> bool:
    """Whether an argument says what shall be, and not which thing is meant: the result does not name the thing by it."""
    if asked.former or (isinstance(asked.value, str) and MOMENT.match(asked.value)):
        return False
    return not (ID.search(asked.name) and not NEW.match(asked.name))


def _is_timed(asked: Asked) -> bool:
    """Whether an argument is a time of day, which may stand in a moment: `startTime` and `start.dateTime`."""
    return isinstance(asked.value, str) and TIME.fullmatch(asked.value) is not None


def _same_kind(one: Any, other: Any) -> bool:
    return isinstance(one, str) == isinstance(other, str)


def _alike(asked: Any, got: Any) -> bool:
    """Whether two values may be spellings of one."""
    if not isinstance(asked, str):
        return one_number(float(asked), float(got))
    if is_code(asked, got) or is_code(got, asked):
        return True
    if TIME.fullmatch(asked) and not MOMENT.fullmatch(got):
        return True  # "10am" may be said of `10:00`
    one, other = NOISE.sub("", asked).casefold(), NOISE.sub("", MASK.sub("", got)).casefold()
    if MASK.search(got):
        tail = NOISE.sub("", MASK.split(got)[-1]).casefold()
        return not tail or one.endswith(tail)
    if not one or not other or one in other or other in one or min(len(one), len(other)) < SAME:
        return True
    numbers = DIGITS.findall(one), DIGITS.findall(other)
    return numbers[0] == numbers[1] if all(numbers) else one[:SAME] == other[:SAME]


def _was(leaf: Leaf, call: Call, turn: Turn) -> bool:
    """Whether an earlier result of the same thing has a field of this name with this value."""
    path, value = leaf
    named = [str(one.value) for one in arguments(call.arguments) if len(str(one.value)) >= LEAST]
    for other in islice(turn.calls_before(call), LOOKS):
        if len(other.result_text) > REACH or not any(one in other.result_text or one in other.raw for one in named):
            continue
        things = islice(objects(other.result_value, 6), MOST) if other.outcome == "landed" else ()
        if any(path[-1] in one and plain(one[path[-1]]) == plain(value) for one in things if not _is_plain(one, path)):
            return True
    return False


def _is_plain(thing: Mapping[str, Any], path: tuple[str, ...]) -> bool:
    return isinstance(thing.get(path[-1]), (dict, list))


def _seen_later(asked: Asked, call: Call, turn: Turn) -> bool:
    """Whether a later result has what was asked for."""
    later = turn.said_after(call, REACH)
    return any(matches(asked.value, later))


def _nothing_to_come(value: Any) -> bool:
    """Whether a result says that nothing is to come: `scheduled_change: null`."""
    named = (
        (name, inner) for one in islice(objects(value), MOST) for name, inner in one.items() if TO_COME.search(name)
    )
    return any(inner is None or inner == [] or inner == {} for _, inner in named)


def _shown(value: Any) -> str:
    return f"{one_line(str(value), 60)!r}"
