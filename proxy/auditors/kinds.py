"""Of what kind a thing was asked for, and told, it must be in the call's own result: an aisle seat, a card, an annual plan."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, ClassVar, NamedTuple

from proxy.audit import Finding
from proxy.auditors.asked import FORMER, WISHED
from proxy.auditors.effects import subject_of
from proxy.auditors.states import seen_later, words_of
from proxy.claims import Claim, compared_text
from proxy.fields import words
from proxy.figures import sentence_around, unquoted
from proxy.ledger import Call, Turn
from proxy.patterns import expression
from proxy.results import one_line, scalars

MOST = 300
"""Values of a result, and arguments, that are read."""
LONGEST = 20_000
"""Code points of a result that is read."""
CODE = 40
"""Code points of a value that may be the code of a kind."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of a family, no two of which a thing can be: `codes` are what calls and results write for it, and nothing else
    in the value, `told` the words by which answers tell it. Both are expressions."""

    family: str
    codes: str
    told: str


class _Value(NamedTuple):
    """A text in a result, the words of the names that it stands under, and whether its object may be the call's own thing."""

    names: frozenset[str]
    told: str
    own: bool


@dataclass(frozen=True, slots=True)
class Kinds:
    """Compare the kind that a change was asked for with the kinds in its result.

    Told is a sentence that tells the kind that was asked for, where the result has it nowhere and has another one of its
    family, under a name with a word of the argument's, and the answer has no word for that one. `doubts` is an
    expression for sentences that do not tell it flatly, `offers` for names of fields that hold what could be had.
    """

    kinds: tuple[Kind, ...] = ()
    doubts: str = r"(?!)"
    offers: str = r"(?!)"

    reads: ClassVar[frozenset[str]] = frozenset({"text"})
    needs: ClassVar[frozenset[str]] = frozenset({"change"})

    def compare(self, turn: Turn, claims: Sequence[Claim]) -> list[Finding]:
        changes = [one for one in turn.landed_changes() if not one.effect and turn.nature(one) == "change"]
        text = unquoted(compared_text(claims)) if changes else ""
        if not text or any(one.stance == "denied" for one in claims):
            return []
        for call in changes:
            again = any(other.name == call.name and other.position > call.position for other in changes)
            if len(call.result_text) <= LONGEST and call.result_value is not None and not again:
                for name, asked in islice(_texts(call.arguments), MOST):
                    if FORMER.search(name):
                        continue
                    found = self._other(name, asked, call, text)
                    if found is not None and not seen_later(call, turn):
                        return [found]
        return []

    def _other(self, name: str, asked: str, call: Call, text: str) -> Finding | None:
        """The finding that a kind which was asked for by an argument is told, and is another one in the result."""
        plain = words_of(asked)
        for kind in self.kinds:
            if not expression(kind.codes).fullmatch(plain):
                continue
            sentence = self._told(kind, text)
            given = frozenset(told for _, told in scalars(call.arguments))
            shown = list(islice(self._shown(call.result_value, given), MOST)) if sentence else []
            if not shown or any(_stands(kind, plain, one) for one in shown):
                continue
            near = frozenset(words(name))
            kin = [one for one in self.kinds if one.family == kind.family and one is not kind]
            others = [
                (other, one.told)
                for one in shown
                if one.own and not near.isdisjoint(one.names)
                for other in kin
                if expression(other.codes).fullmatch(one.told)
            ]
            if others and not any(expression(other.told).search(text) for other, _ in others):
                reason = f"asked for {name} {asked!r}, and the result has {others[0][1]!r}"
                return Finding("contradicted", subject_of(call), reason, one_line(sentence, 200), call.id)
        return None

    def _told(self, kind: Kind, text: str) -> str:
        """The sentence that tells a kind flatly; empty where none does."""
        for found in islice(expression(kind.told).finditer(text), MOST):
            sentence = sentence_around(text, *found.span())
            if not expression(self.doubts).search(sentence):
                return sentence
        return ""

    def _shown(
        self, value: Any, given: frozenset[str], names: frozenset[str] = frozenset(), own: bool = True, depth: int = 4
    ) -> Iterator[_Value]:
        """The texts of a result; none of what was only wished for, was so before, or could be had.

        An entry of a list is the call's own where it has a value that the call was given.
        """
        if isinstance(value, str):
            yield _Value(names, words_of(value), own)
        elif isinstance(value, list) and depth:
            for inner in value[:MOST]:
                mine = own and (not isinstance(inner, dict) or any(str(one) in given for one in inner.values()))
                yield from self._shown(inner, given, names, mine, depth - 1)
        elif isinstance(value, dict) and depth:
            for name, inner in value.items():
                if not (WISHED.search(name) or FORMER.search(name) or expression(self.offers).search(name)):
                    yield from self._shown(inner, given, names | frozenset(words(name)), own, depth - 1)


def _stands(kind: Kind, asked: str, shown: _Value) -> bool:
    """Whether a text of a result is of a kind, or has what was asked for as a word, or is called so: `pdf_url`."""
    told = f" {shown.told.lower()} "
    return (
        expression(kind.codes).fullmatch(shown.told) is not None
        or f" {asked.lower()} " in told
        or frozenset(words(asked)) <= shown.names
    )


def _texts(value: Mapping[str, Any], depth: int = 2) -> Iterator[tuple[str, str]]:
    """The short texts that a call was given, by name."""
    for name, inner in value.items():
        if isinstance(inner, str) and 1 < len(inner) <= CODE:
            yield name, inner
        elif isinstance(inner, dict) and depth:
            yield from _texts(inner, depth - 1)
