"""What an answer says of the world must stand in a source's own words: the conversation's results first, then a search's."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar, Literal

from proxy.audit import Finding, Look
from proxy.citations import Skipped
from proxy.claims import Claim, answer_text
from proxy.ground import MOST, TOKENS, Cited, Grounded, Options, Told, ground
from proxy.ledger import Turn
from proxy.redaction import redact
from proxy.results import one_line
from proxy.support import misquoted
from proxy.told import told


@dataclass(frozen=True, slots=True)
class Ground(Options):
    """Look for a source of each statement of an answer, and cite those that hold.

    `source` names a `search` source (empty: the conversation's own results alone); `model` and `judge` name sources of the
    type `model`: one that finds the claims, one that must agree with each source. `strict`: a statement of which no source
    was found is *unsupported*, not merely unverifiable. `rewrite` and `inspect` are for texts that are grounded for their
    own sake (`POST /v1/ground`). `style`: where the sources of an answer stand, below it or behind each statement; for the
    latter all of the answer waits for the audit. Raises ValueError.
    """

    strict: bool = False
    style: Literal["footer", "inline"] = "footer"

    reads: ClassVar[frozenset[str]] = frozenset({"statement", "text"})
    asks: ClassVar[tuple[str, ...]] = ("model", "judge")
    """Options that name sources, beside `source`."""

    def __post_init__(self) -> None:
        if not 0 <= self.max_claims <= MOST:
            raise ValueError(f"max_claims: must be 0 (as length_intent says) to {MOST}, not {self.max_claims}")
        if not TOKENS[0] <= self.max_completion_tokens <= TOKENS[2]:
            raise ValueError(
                f"max_completion_tokens: must be {TOKENS[0]} to {TOKENS[2]}, not {self.max_completion_tokens}"
            )
        if not 1 <= self.concurrency <= 32:
            raise ValueError(f"concurrency: must be 1 to 32, not {self.concurrency}")

    @property
    def options(self) -> Options:
        """What a text is grounded by, without what is an auditor's alone."""
        return Options(**{one.name: getattr(self, one.name) for one in fields(Options)})

    async def audit(self, turn: Turn, claims: Sequence[Claim], look: Look) -> list[Finding]:
        text = answer_text(claims)
        statements = [claim for claim in claims if claim.kind == "statement"]
        if not text.strip() or self.inspect or not (statements or self.model):
            return []
        known = await asyncio.to_thread(told, turn)
        if not known and not self.source:
            return []
        made = await ground(text, statements, replace(self.options, rewrite=False), look, known)
        quotes = {claim.start: claim.quote for claim in statements}
        return [
            *(self._verified(one, made, quotes) for one in made.cited),
            *(found for one in made.skipped if (found := self._open(one, made, quotes, known, turn)) is not None),
        ]

    def _verified(self, one: Cited, made: Grounded, quotes: dict[int, str]) -> Finding:
        named = {"url": one.url, "title": one.title[:200], "passage": one.passage}
        facts = {**{key: redact(value) for key, value in named.items() if value}, **_asked(made)}
        facts |= {"start": one.claim.start, "end": one.claim.end}
        quote = quotes.get(one.claim.start) or one_line(one.claim.text, 200)
        reason = f"a source says: {one.passage}"
        return Finding(
            "verified", one_line(one.claim.text), reason, quote, one.call_id, facts, cites=one.url or one.title
        )

    def _open(
        self, one: Skipped, made: Grounded, quotes: dict[int, str], known: Sequence[Told], turn: Turn
    ) -> Finding | None:
        """The finding on a statement that nothing supports: no accusation, unless a source has other words, or `strict`."""
        if one.start < 0:
            return None  # what a model named and the answer does not say
        subject, quote = one_line(one.text), quotes.get(one.start) or one_line(one.text, 200)
        facts: dict[str, Any] = {**_asked(made), "looked": True}
        if near := misquoted(one.text, [source.document.text for source in known], _all_said(turn)):
            source = known[near[0]]
            facts |= {"url": redact(source.url)} if source.url else {}
            return Finding("contradicted", subject, f"the source's words are: {near[1]}", quote, source.call_id, facts)
        if not self.source:
            return Finding("unverifiable", subject, one.reason, quote, "", _asked(made))
        strict = self.strict and not (one.failed or one.partial)
        return Finding("unsupported" if strict else "unverifiable", subject, one.reason, quote, "", facts)


def _asked(made: Grounded) -> dict[str, int]:
    """What the whole audit cost: looks that went out, and those that were remembered."""
    return {"calls": made.calls, "hits": made.hits}


def _all_said(turn: Turn) -> Iterator[str]:
    """Everything that somebody else than the model has said, failed calls and all."""
    yield turn.asked
    yield from (message.text for message in turn.before if message.role != "assistant")
    yield from (call.result.text for call in (*turn.calls, *turn.earlier()) if call.result is not None)
