"""The table of readers: which kinds of claims each one finds in an answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import import_module

from proxy.claims import Claim
from proxy.lexicon import Lexicon
from proxy.prose import Prose

Reader = Callable[[Prose, Lexicon], Iterator[Claim]]

READERS: Mapping[frozenset[str], str] = {
    frozenset({"file", "artifact"}): "files.read",
    frozenset({"command"}): "commands.read",
    frozenset({"media"}): "media.read",
    frozenset({"url", "commit", "job"}): "references.read",
    frozenset({"text"}): "actions.whole",
    frozenset({"action", "outcome", "reading", "announced", "success"}): "actions.read",
    frozenset({"clone"}): "clones.read",
    frozenset({"job_state", "pipeline_state"}): "progress.read",
    frozenset({"grounded"}): "groundings.read",
    frozenset({"page"}): "pages.read",
    frozenset({"quotation"}): "quotations.read",
    frozenset({"statement"}): "statements.read",
}
"""Each reader runs at most once per answer, and only when a rule's auditor wants one of its kinds."""


@cache
def givers(kinds: frozenset[str]) -> tuple[frozenset[str], ...]:
    """The readers, by what they give, that give one of some kinds; of an auditor's, which are few."""
    return tuple(gives for gives in READERS if not gives.isdisjoint(kinds))


@cache
def reader(gives: frozenset[str]) -> Reader:
    """A reader of the table, imported when a policy's rule first wants it."""
    module, _, name = READERS[gives].partition(".")
    found: Reader = getattr(import_module(f"{__name__}.{module}"), name)
    return found
