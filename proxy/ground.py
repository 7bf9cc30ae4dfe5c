"""Ground a text: its claims, what sources' own words say of each, and the text with citations behind those that hold."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from proxy import extraction
from proxy.audit import NOTHING, Absent, Look, Present, Question, Sight, Unknown
from proxy.citations import Asked, Placed, Skipped, citation, cite, place
from proxy.claims import Claim
from proxy.support import Document, checkable

Intent = Literal["", "summary", "thorough", "exhaustive"]
CLAIMS: Mapping[str, int] = {"summary": 3, "thorough": 5, "exhaustive": 8}
MOST = 8
"""Claims of one text that are looked up, whatever is asked for."""

TOKENS = (256, 2_048, 8_192)
"""The fewest, the usual and the most tokens that a model may write."""


@dataclass(frozen=True, slots=True)
class Options:
    """What of a text is grounded, and by whom: the names of sources; see `auditors/ground.py`."""

    source: str = ""
    model: str = ""
    judge: str = ""
    max_claims: int = 0
    length_intent: Intent = ""
    topic: str = ""
    max_completion_tokens: int = TOKENS[1]
    rewrite: bool = False
    inspect: bool = False
    concurrency: int = 4

    @property
    def limit(self) -> int:
        """How many claims: as many as are asked for, else as the intent says, never more than `MOST`."""
        return min(self.max_claims, MOST) if self.max_claims > 0 else CLAIMS.get(self.length_intent, CLAIMS["thorough"])


@dataclass(frozen=True, slots=True)
class Told:
    """A result of the conversation's own tools: the first of all sources. `url` is empty where it names none."""

    document: Document
    url: str = ""
    call_id: str = ""
    tool: str = ""
    raw: str = ""
    """The arguments of its call: what stands there the model wrote itself, and no echo of it is a source."""


@dataclass(frozen=True, slots=True)
class Cited:
    """A claim that a source supports, and the source's own words that do."""

    claim: Placed
    url: str
    title: str
    passage: str
    call_id: str = ""


@dataclass(slots=True)
class Grounded:
    """What became of a text. `considered` is always `cited` and `skipped` together; `plan` is all that `inspect` gives.

    `truncated`: a model was cut off, or did not read all of the text; `notes` say what else went otherwise than asked.
    """

    text: str
    grounded_text: str = ""
    plan: list[Placed] = field(default_factory=list)
    cited: list[Cited] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    rewritten: int = 0
    truncated: bool = False
    notes: list[str] = field(default_factory=list)
    calls: int = 0
    hits: int = 0
    failures: int = 0

    @property
    def considered(self) -> int:
        return len(self.cited) + len(self.skipped)


class _Counted:
    """A look that counts: who was asked, what was remembered, and who could not tell."""

    def __init__(self, look: Look, into: Grounded) -> None:
        self._look, self._into = look, into

    async def __call__(self, source: str, subject: str, question: Question = NOTHING) -> Sight:
        sight = await self._look(source, subject, question)
        if not isinstance(sight, Unknown) and sight.remembered:
            self._into.hits += 1
        else:
            self._into.calls += 1
        self._into.failures += isinstance(sight, Unknown)
        return sight


async def ground(
    text: str, statements: Sequence[Claim], options: Options, look: Look, told: Sequence[Told] = ()
) -> Grounded:
    """Ground a text. `statements` are what a reader found in it, for want of a model; `told` is asked before anybody."""
    made = Grounded(text, text)
    look = _Counted(look, made)
    asked = await _claims(text, statements, options, look, made)
    placed, made.skipped = await asyncio.to_thread(place, text, asked, options.limit)
    made.plan = placed
    if options.inspect:
        return made
    slots = asyncio.Semaphore(options.concurrency)
    found = await asyncio.gather(*(_within(slots, claim, options, look, told) for claim in placed))
    made.cited = [one for one in found if isinstance(one, Cited)]
    made.skipped += [one for one in found if isinstance(one, Skipped)]
    edits = {one.claim: one.claim.text + citation(one.url) for one in made.cited}
    if options.rewrite and not options.model:
        made.notes.append("nothing was rewritten: no model is configured")
    elif options.rewrite and placed:
        for claim, new in (await _rewrites(placed, options, look, made)).items():
            edits[claim] = new + edits.get(claim, claim.text).removeprefix(claim.text)
            made.rewritten += 1
    made.grounded_text = cite(text, [(one.start, one.end, new) for one, new in edits.items()])
    return made


async def _claims(
    text: str, statements: Sequence[Claim], options: Options, look: Look, made: Grounded
) -> Sequence[Asked]:
    """The claims that a model finds; where there is none, or it fails, the sentences that say most."""
    if options.model:
        subject, question = extraction.ask_claims(text, options.limit, options.topic, options.max_completion_tokens)
        sight = await look(options.model, subject, question)
        if isinstance(sight, Present):
            made.truncated = bool(sight.fields.get("truncated")) or len(text) > extraction.READ
            claims = extraction.read_claims(str(sight.fields.get("text", "")), options.limit)
            if claims is not None:
                return claims
            why = "the model's answer holds no list of claims"
        else:
            why = sight.reason
        made.notes.append(f"the claims were found without the model: {why}")
    best = sorted(statements, key=lambda claim: -(claim.count or 0))[: options.limit]
    return [Asked(text[one.start : one.end]) for one in sorted(best, key=lambda claim: claim.start)]


async def _within(
    slots: asyncio.Semaphore, claim: Placed, options: Options, look: Look, told: Sequence[Told]
) -> Cited | Skipped:
    if not checkable(claim.text):
        return _skipped(claim, "no number, name or quotation that a source could be held to")
    async with slots:
        if told and (found := await asyncio.to_thread(_told, claim, told)):
            return found
        if not options.source:
            return _skipped(claim, "nothing in this conversation says so" if told else "no source is configured")
        query = claim.query or " ".join(claim.text.replace("*", " ").split())
        query = f"{query} {options.topic}".strip() if options.topic and not claim.query else query
        return await _searched(claim, query, options, look)


def _told(claim: Placed, told: Sequence[Told]) -> Cited | None:
    """The conversation's own result that supports a claim; one that has an address goes before one that has none."""
    best: Cited | None = None
    for one in told:
        passage = one.document.passage(claim.text)
        if passage and passage.rstrip("…") not in " ".join(one.raw.replace("\\n", " ").split()):
            best = Cited(claim, one.url, one.document.title or one.tool, passage, one.call_id)
            if one.url:
                break
    return best


async def _searched(claim: Placed, query: str, options: Options, look: Look) -> Cited | Skipped:
    sight = await look(options.source, query, {"claim": claim.text})
    if isinstance(sight, Unknown):
        return _skipped(claim, sight.reason, failed=True)
    if isinstance(sight, Absent):
        return _skipped(claim, sight.reason)
    results = [one for one in sight.fields.get("results", ()) if isinstance(one, dict)]
    unjudged = ""
    for one in results:
        url, title, text = (str(one.get(key, "")) for key in ("url", "title", "text"))
        passage = await asyncio.to_thread(_passage, claim.text, text, title)
        if not passage or not citation(url):
            continue
        verdict = await _judged(claim, text, title, options, look)
        if verdict is True:
            return Cited(claim, url, title, passage)
        unjudged = verdict if isinstance(verdict, str) else unjudged
    if unjudged:
        return _skipped(claim, f"not grounded: {unjudged}", failed=True)
    unread = len(sight.fields.get("unread", ()))
    rest = f"; {unread} more could not be read" if unread else ""
    return _skipped(claim, f"none of {len(results)} pages found says so{rest}", partial=bool(unread))


def _passage(claim: str, text: str, title: str) -> str:
    return Document(text, title).passage(claim)


async def _judged(claim: Placed, text: str, title: str, options: Options, look: Look) -> bool | str:
    """Whether the judge, where one is set, upholds what the words say; why it could not be asked."""
    if not options.judge:
        return True
    subject, question = extraction.ask_verdict(claim.text, text, title)
    sight = await look(options.judge, subject, question)
    if not isinstance(sight, Present):
        return f"the judge could not be asked: {sight.reason}"
    verdict = (
        None if sight.fields.get("truncated") else extraction.read_verdict(str(sight.fields.get("text", "")), text)
    )
    return "the judge's answer could not be read" if verdict is None else verdict


async def _rewrites(placed: Sequence[Placed], options: Options, look: Look, made: Grounded) -> dict[Placed, str]:
    """New words for claims, by the model; none where it fails or is cut off: then the citations stand alone."""
    passages = {placed.index(one.claim): one.passage for one in made.cited}
    size = sum(len(one.text) for one in placed) + sum(map(len, passages.values()))
    tokens = max(TOKENS[1], min(TOKENS[2], size // 3))
    subject, question = extraction.ask_rewrites(placed, passages, tokens)
    sight = await look(options.model, subject, question)
    if not isinstance(sight, Present):
        made.notes.append(f"nothing was rewritten: {sight.reason}")
        return {}
    if sight.fields.get("truncated"):
        made.truncated = True
        made.notes.append("nothing was rewritten: the model was cut off")
        return {}
    new = extraction.read_rewrites(str(sight.fields.get("text", "")), placed, passages)
    if new is None:
        made.notes.append("nothing was rewritten: the model's answer holds no list of rewrites")
        return {}
    return {placed[number]: words for number, words in new.items()}


def _skipped(claim: Placed, reason: str, *, failed: bool = False, partial: bool = False) -> Skipped:
    return Skipped(claim.text, reason, failed, partial, claim.start, claim.end)
