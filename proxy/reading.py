"""An answer as read: its claims by kind, and what any place in it says."""

from __future__ import annotations

from collections.abc import Sequence

from proxy.claims import Claim
from proxy.lexicon import Lexicon
from proxy.masking import spoken
from proxy.prose import Prose, Stance, quote
from proxy.readers import givers, reader


class Reading:
    """An answer, or a tool result, without formulas and a model's reasoning; nothing is cut or matched before somebody asks."""

    __slots__ = ("_claims", "_lexicon", "_prose", "_wanted", "text")

    def __init__(self, text: str, lexicon: Lexicon) -> None:
        self.text, self._lexicon = spoken(text), lexicon.of(text)
        self._prose: Prose | None = None
        self._claims: dict[frozenset[str], tuple[Claim, ...]] = {}
        self._wanted: dict[frozenset[str], tuple[Claim, ...]] = {}

    @property
    def prose(self) -> Prose:
        if self._prose is None:
            self._prose = Prose(self.text, self._lexicon)
        return self._prose

    def claims(self, kinds: frozenset[str]) -> Sequence[Claim]:
        """What the general readers find of some kinds, reader by reader, each in the order of the text."""
        found = self._wanted.get(kinds)
        if found is None:
            found = self._wanted[kinds] = tuple(
                claim for gives in givers(kinds) for claim in self._read(gives) if claim.kind in kinds
            )
        return found

    def _read(self, gives: frozenset[str]) -> Sequence[Claim]:
        """All that one reader finds; each reads a text once."""
        if gives not in self._claims:
            self._claims[gives] = tuple(reader(gives)(self.prose, self._lexicon))
        return self._claims[gives]

    def stance_at(self, offset: int) -> Stance:
        """How the clause around an offset speaks; fenced and quoted blocks only mention."""
        clause = self.prose.at(offset)
        return "mentioned" if clause is None else clause.stance

    def act_at(self, offset: int) -> str:
        """The act that the clause around an offset, or the heading over it, asserts; empty where it asserts none."""
        clause = self.prose.at(offset)
        while clause is not None:
            for verb in clause.verbs:
                if verb.stance == "asserted":
                    return verb.act
            clause = clause.lead
        return ""

    def quote_at(self, offset: int) -> str:
        """The sentence around an offset, on one line."""
        clause = self.prose.at(offset)
        return "" if clause is None else quote(self.text, clause)
