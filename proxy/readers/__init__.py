"""The table of readers: which kinds of claims each one finds in an answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from proxy.claims import Claim
from proxy.lexicon import Lexicon
from proxy.prose import Prose
from proxy.readers import actions, clones, commands, files, media, pages, progress, quotations, references, statements

Reader = Callable[[Prose, Lexicon], Iterator[Claim]]

READERS: Mapping[frozenset[str], Reader] = {
    frozenset({"file", "artifact"}): files.read,
    frozenset({"command"}): commands.read,
    frozenset({"media"}): media.read,
    frozenset({"url", "commit", "job"}): references.read,
    frozenset({"text"}): actions.whole,
    frozenset({"action", "outcome", "reading", "announced", "success"}): actions.read,
    frozenset({"clone"}): clones.read,
    frozenset({"job_state", "pipeline_state", "grounded"}): progress.read,
    frozenset({"page"}): pages.read,
    frozenset({"quotation"}): quotations.read,
    frozenset({"statement"}): statements.read,
}
"""Each reader runs at most once per answer, and only when a rule's auditor wants one of its kinds."""
