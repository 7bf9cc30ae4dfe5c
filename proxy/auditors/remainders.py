"""A change that answered OK may say in its result that a part was not done: "all" in the answer must not pass over it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from typing import Any, ClassVar

from proxy.amounts import NUMERALS
from proxy.audit import Finding
from proxy.auditors.effects import about, subject_of
from proxy.claims import Claim, compared_text
from proxy.dates import mentions
from proxy.figures import figures, sentence_around
from proxy.ledger import Call, Turn
from proxy.patterns import expression
from proxy.results import objects, one_line, scalars
from proxy.roots import TOKEN, name_roots, name_words, root, roots, similar
from proxy.spelling import places

PASSIVE = re.compile(r"(?i)\b(?:have|has|are|is|were|was)\b")
COUNTS = 12
"""Numbers of one object of which sums are made."""
FEW = 9
"""A count up to which another number may be it by chance."""
MOST = 60
"""Objects of a result, and entries of a list, that are read."""


@dataclass(frozen=True, slots=True)
class Remainders:
    """Compare "all", "both" and "200 of 200" with the fields by which a change's result counts or lists what was left undone.

    Such a field's name has one of the words `undone`, and beside it none but `idle` ones: `failed_rows`, not
    `failed_logins`; one of `alike` (unchanged) counts only as a list. `whole` is an expression for sentences that speak of all,
    `admits` for answers that speak of trouble, but for what is `harmless` in them, `left` one for names, as words, of what may
    also be left of something else (`remaining`): told is one that adds up, with another count, to the number of all that
    the answer has for what it tells as `done`, which has neither of the two. `settled` is one for notes by which the rest
    was as wanted, or is taken care of.
    """

    undone: tuple[str, ...] = ()
    alike: tuple[str, ...] = ()
    idle: tuple[str, ...] = ()
    left: str = r"(?!)"
    done: str = r"(?!)"
    harmless: str = r"(?!)"
    whole: str = r"(?i)\b(?:all|both|every|each)\b"
    admits: str = r"(?!)"
    settled: str = r"(?!)"

    reads: ClassVar[frozenset[str]] = frozenset({"action", "text"})
    needs: ClassVar[frozenset[str]] = frozenset({"change"})

    def compare(self, turn: Turn, claims: Sequence[Claim]) -> list[Finding]:
        landed = [call for call in turn.landed_changes() if not call.effect]
        if not landed:
            return []
        call = landed[-1]  # what the first call left undone, a later one may have done
        verbs = roots(turn.marks.natures.verbs(call.name))
        fields = list(_fields(call.result_value, lambda name, value: self._undone(name, value, verbs)))
        left = expression(self.left).search(call.result_text) is not None
        text = compared_text(claims) if fields or left else ""
        denied = any(one.kind == "action" and one.stance == "denied" for one in claims)
        if not text or denied or expression(self.admits).search(expression(self.harmless).sub(" ", text)):
            return []
        said = [one for one in claims if one.kind == "action" and one.stance == "asserted"]
        fitting = [one for one in said if about(call, [one]) is not None or (one.subject and call.names(one.subject))]
        for field in fields:
            claim = next((one for one in fitting if self._whole(one, field)), None)
            if claim is not None and not expression(self.settled).search(field.said) and not _told(field, text):
                reason = f"the result has {field.name}: {one_line(str(field.shown), 100)}"
                return [Finding("contradicted", subject_of(call), reason, claim.quote, call.id)]
        return list(islice(self._left(call, text), 1)) if left else []

    def _left(self, call: Call, text: str) -> Iterator[Finding]:
        """What a result says is left, where it makes with another count the number of all that an answer has alone."""
        for one in islice(objects(call.result_value, 3), MOST):
            counts = {key: told for key, told in islice(one.items(), MOST) if type(told) is int and told > FEW}
            notes = " ".join(f"{name} {told}" for name, told in scalars(one) if len(told) <= 300)
            names = [key for key in counts if expression(self.left).fullmatch(" ".join(name_words(key)))]
            if not names or expression(self.settled).search(notes):
                continue
            for found in expression(self.whole).finditer(text):
                quote = one_line(sentence_around(text, *found.span()), 200)
                if not expression(self.done).search(quote):
                    continue
                stated = {value for figure in figures(quote) if not figure.priced for value in figure.values}
                for name in names:
                    made = [told for key, told in counts.items() if key != name and counts[name] + told in stated]
                    if made and not any(any(places(told, text)) for told in (counts[name], *made)):
                        reason = f"the result has {name}: {counts[name]}, beside {made[0]}"
                        yield Finding("contradicted", subject_of(call), reason, quote, call.id)

    def _whole(self, claim: Claim, field: _Field) -> bool:
        """Whether a claim speaks of all, as what was done or behind its verb; or of the number of all that there were."""
        quote = claim.quote
        for found in expression(self.whole).finditer(quote):
            before = TOKEN.findall(quote[: found.start()])
            passive = not before and PASSIVE.search(quote, found.end(), found.end() + 80)
            verb = claim.fields.get("verb", "")
            if passive or (before and verb and before[-1].lower().startswith(verb[:5])):
                return True
        spelled = {float(NUMERALS.get(word.lower(), 0)) for word in TOKEN.findall(quote)}
        stated = {value for one in figures(quote) if not one.priced for value in one.values}
        return not field.totals.isdisjoint(spelled | stated)

    def _undone(self, name: str, value: Any, verbs: frozenset[str]) -> bool:
        """Whether a field's name tells what was left undone, of a tool that goes by some verbs."""
        words, undone, idle = name_roots(name), roots(self.undone), roots(self.idle)
        own = verbs | {root("found")}
        if "not" in words and words <= idle | own and not own.isdisjoint(words):
            return True  # `not_renewed`, of `renew_items`
        named = words & (undone | roots(self.alike) if isinstance(value, list) else undone)
        if not named or not words <= named | idle:
            return False
        return not any(similar(word, verbs) for word in named)  # `reject_requests` was to reject


@dataclass(frozen=True, slots=True)
class _Field:
    """A number or a list in a result, with what stands beside and in it; `totals` are what numbers of all it may be part of."""

    name: str
    value: int | list[Any]
    notes: Sequence[tuple[str, str]]
    totals: frozenset[float]

    @property
    def said(self) -> str:
        """The notes that stand beside it and in it, by which the rest may be well as it is."""
        return " ".join(f"{name} {told}" for name, told in self.notes if len(told) <= 300)

    @property
    def count(self) -> int:
        return len(self.value) if isinstance(self.value, list) else self.value

    @property
    def shown(self) -> Any:
        """The number, or what the entries of the list are called."""
        if not isinstance(self.value, list):
            return self.value
        first = (next((told for _, told in scalars(one)), "") for one in self.value[:MOST])
        return ", ".join(one for one in first if one) or len(self.value)


def _fields(value: Any, wanted: Callable[[str, Any], bool]) -> Iterator[_Field]:
    """The numbers above zero and the lists that are not empty, of the objects of a result, whose names are `wanted`."""
    if not isinstance(value, dict):
        return
    for one in islice(objects(value, 3), MOST):
        sizes = [_size(inner) for inner in islice(one.values(), MOST)]
        counts = [size for size in sizes if isinstance(size, int) and not isinstance(size, bool) and size > 0][:COUNTS]
        for name, inner in islice(one.items(), MOST):
            size = _size(inner)
            if not isinstance(size, int) or isinstance(size, bool) or size <= 0 or size not in counts:
                continue
            if not wanted(name, inner):
                continue
            notes = [(key, told) for key, told in islice(scalars(one), 4 * MOST) if key != name]
            inside = list(islice(scalars(inner), 4 * MOST)) if isinstance(inner, list) else []
            yield _Field(name, inner, [*notes, *inside], _totals(size, counts))


def _size(value: Any) -> Any:
    """How many a list holds, or an object says: "skipped": {"count": 32}."""
    return len(value) if isinstance(value, list) else value.get("count") if isinstance(value, dict) else value


def _totals(size: int, counts: Sequence[int]) -> frozenset[float]:
    """The numbers that all can be, those left undone among them: a count that the others add up to, or the sum of two."""
    others = list(counts)
    others.remove(size)
    if len(others) == 1:
        return frozenset({float(others[0] + size)})
    sums = {size + sum(some) for many in (1, 2, 3) for some in combinations(others, many)}
    return frozenset(float(count) for count in others if count in sums)


def _told(field: _Field, text: str) -> bool:
    """Whether an answer has the number of what was left undone, or names it."""
    count = float(field.count)
    words = {word.lower() for word in TOKEN.findall(text)}
    days = [(one.start, one.end) for one in mentions(text)]  # the 1 of "Dec 1" counts nothing
    stated = (one for one in figures(text) if not any(start <= one.start < end for start, end in days))
    stands = any(count in one.values for one in stated) or any(NUMERALS.get(word) == count for word in words)
    if stands or (count == 1 and not words.isdisjoint(("one", "single"))):
        return True
    entries = field.value[:MOST] if isinstance(field.value, list) else []
    lowered = text.lower()
    return any(len(told) >= 3 and told.lower().lstrip("#") in lowered for _, told in islice(scalars(entries), 4 * MOST))
