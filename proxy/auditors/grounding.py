"""What an answer says was grounded must be what the grounding tool counted; what it cites or quotes must stand somewhere."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from html import unescape
from typing import ClassVar
from unicodedata import normalize
from urllib.parse import unquote

from proxy.audit import Absent, Finding, Look, Unknown, Verdict
from proxy.claims import ALL, Claim
from proxy.ledger import UNDONE, Call, Turn
from proxy.links import TEMPLATE, plain, urls
from proxy.patterns import expression
from proxy.results import strings

LOCAL = re.compile(r"(?i)^[a-z]+://(?:localhost|127\.|10\.|192\.168\.|0\.0\.0\.0|\[|[^./]+(?:[:/]|$))")
"""Hosts that no search finds: the reader's own machine and network."""
CUT = re.compile(r"\[[^\]\n]{0,40}\]|\(\.\.\.\)|\.{3,}|…")
"""What somebody who quotes puts in or leaves out."""
NOISE = re.compile(r"[\W_]+")
LINK = re.compile(r"!?\[([^\]\n]{0,300})\]\([^()\s]{1,2000}\)")
LETTER = re.compile(r"\[([^\W\d_])\](?=[^\W\d_])")
DIVIDED = re.compile(r"(?<=[^\W\d_])(?:-\n[ \t]*|\u00ad)(?=[^\W\d_])")
TAG = re.compile(r"</?[a-zA-Z][^<>\n]{0,300}>")
MOST = 100
"""Links and quotations that are judged in one answer."""


@dataclass(frozen=True, slots=True)
class Count:
    """What one result of a grounding tool counts; None where it does not say."""

    call: Call
    grounded: int | None
    skipped: int | None
    considered: int | None
    listed: int | None
    truncated: bool

    def __add__(self, other: Count) -> Count:
        def both(one: int | None, two: int | None) -> int | None:
            return None if one is None or two is None else one + two

        return Count(
            other.call,
            both(self.grounded, other.grounded),
            both(self.skipped, other.skipped),
            both(self.considered, other.considered),
            both(self.listed, other.listed),
            self.truncated or other.truncated,
        )


@dataclass(frozen=True, slots=True)
class Grounding:
    """Compare "5 of 5 claims grounded" with the results of the rule's `tools`, and look for cited URLs and quotations.

    The `…_fields` name where a result counts (a number, or a list whose length it is): `considered_fields`,
    `grounded_fields`, `skipped_fields`, `citations_fields` (the list of what was grounded) and `truncated_fields`. In a turn
    in which one of the `tools` was called, a URL that the answer gives must stand in a result, an argument, the user's or
    the system's words, or be found at `source` (of the type `http`); and words that it quotes from a source must stand in
    a result or in those words, whatever the spacing. `urls` and `quotes` switch the two; `asides` is an expression for
    sentences whose URLs cite nothing: they send the reader to a place, or say that it is not there.
    """

    tools: tuple[str, ...] = ("content-ground", "ground-*", "*-ground")
    source: str = ""
    urls: bool = True
    quotes: bool = True
    asides: str = ""
    considered_fields: tuple[str, ...] = ("considered", "claims_considered", "total_claims")
    grounded_fields: tuple[str, ...] = ("grounded", "claims_grounded", "grounded_count")
    skipped_fields: tuple[str, ...] = ("skipped", "claims_skipped", "skipped_count")
    citations_fields: tuple[str, ...] = ("grounding", "citations", "groundings")
    truncated_fields: tuple[str, ...] = ("truncated",)

    reads: ClassVar[frozenset[str]] = frozenset({"grounded", "url", "quotation"})

    async def audit(self, turn: Turn, claims: Sequence[Claim], look: Look) -> list[Finding]:
        calls = turn.calls_of(self.tools)
        found = list(self._counted([claim for claim in claims if claim.kind == "grounded"], calls))
        words = [claim for claim in claims if claim.kind == "quotation" and self.quotes][:MOST]
        cited = {claim.subject: claim for claim in claims if claim.kind == "url" and claim.stance == "asserted"}
        judged = [one for one in cited.values() if self.urls and not LOCAL.match(one.subject) and not self._aside(one)]
        if calls and (words or judged):
            known = _Known(turn)
            found += [*_quoted(words, turn, known), *await self._cited(judged[:MOST], turn, known, look)]
        return found

    def _counted(self, claims: Sequence[Claim], calls: Sequence[Call]) -> Iterator[Finding]:
        """The verdicts on how many claims were grounded, checked and skipped."""
        said = [claim for claim in claims if claim.stance == "asserted"]
        counts = [one for call in calls if (one := self._count(call)) is not None]
        failed = [call for call in calls if call.outcome in UNDONE]
        admits = any(claim.stance == "denied" for claim in claims) or _tells_of_fewer(said, counts)
        for claim in said:
            if not counts:
                if failed and len(failed) == len(calls) and not admits:
                    yield Finding("contradicted", _subject(claim), failed[-1].failure, claim.quote, failed[-1].id)
                continue
            whole = reduce(Count.__add__, counts)
            verdicts = [(_judged(claim, one), one) for one in (whole, *reversed(counts))]
            fits = [(told, one) for told, one in verdicts if told is not None]
            best = next((one for one in fits if one[0][0] == "verified"), fits[0] if fits else None)
            loose = claim.count == ALL or "none" in claim.fields
            if best is not None and not (admits and best[0][0] == "contradicted" and loose):
                (verdict, reason), one = best
                yield Finding(verdict, _subject(claim), reason, claim.quote, one.call.id)

    def _count(self, call: Call) -> Count | None:
        """What a result counts; None where it counts nothing, as that of a plain search."""
        if call.result is None or call.outcome in UNDONE:
            return None
        numbers = [
            next(
                (size for name in names for value in call.result.fields(name) if (size := _size(value)) is not None),
                None,
            )
            for names in (self.grounded_fields, self.skipped_fields, self.considered_fields, self.citations_fields)
        ]
        truncated = any(value is True for name in self.truncated_fields for value in call.result.fields(name))
        grounded, skipped, considered, listed = numbers
        grounded = listed if grounded is None else grounded
        if grounded is None:
            return None
        considered = grounded + skipped if considered is None and skipped is not None else considered
        return Count(call, grounded, skipped, considered, listed, truncated)

    async def _cited(self, claims: Sequence[Claim], turn: Turn, known: _Known, look: Look) -> list[Finding]:
        """The verdicts on the URLs that an answer gives."""
        new = [claim for claim in claims if not known.has(claim.subject)]
        found = [
            Finding("verified", claim.subject, "it stands in the conversation", claim.quote)
            for claim in claims
            if claim not in new
        ]
        return found + list(await asyncio.gather(*(self._new(claim, turn, look) for claim in new)))

    def _aside(self, claim: Claim) -> bool:
        """Whether a URL is a template, or stands in a sentence whose URLs cite nothing."""
        behind = claim.quote.partition(claim.subject)[2][:1]
        if behind in ("{", "<", "[") or TEMPLATE.match(claim.subject):
            return True
        return bool(self.asides and expression(self.asides).search(claim.quote))

    async def _new(self, claim: Claim, turn: Turn, look: Look) -> Finding:
        """The verdict on a URL that nothing but the answer has named."""
        nowhere = "no result, argument or message has this URL"
        if self.source:
            sight = await look(self.source, claim.subject)
            if isinstance(sight, Unknown):
                return Finding("unverifiable", claim.subject, sight.reason, claim.quote, fields={"looked": True})
            if not isinstance(sight, Absent):
                return Finding("verified", claim.subject, "the page answers", claim.quote)
            return Finding("unsupported", claim.subject, f"{nowhere}, and the page is not there", claim.quote)
        if not _seen_whole(turn):
            return Finding("unverifiable", claim.subject, "not every result was seen whole", claim.quote)
        return Finding("unsupported", claim.subject, nowhere, claim.quote)


def _judged(claim: Claim, count: Count) -> tuple[Verdict, str] | None:
    """What a count says of a claim; None where it says nothing."""
    told = ", ".join(
        f"{name} {number}"
        for name, number in (("grounded", count.grounded), ("skipped", count.skipped), ("considered", count.considered))
        if number is not None
    )
    reason = f"the result says {told}"
    have = {"grounded": count.grounded, "checked": count.considered, "skipped": count.skipped}.get(claim.act)
    if have is None:
        return None
    total = int(claim.fields["total"]) if "total" in claim.fields else None
    wanted = (total or count.considered) if claim.count == ALL else claim.count
    if "none" in claim.fields:
        wanted = 0
    elif "percent" in claim.fields and count.considered:
        exact = int(claim.fields["percent"]) * count.considered / 100
        wanted = have if abs(exact - have) < 1 else round(exact)
    if claim.count == ALL and claim.act == "grounded" and count.skipped:
        return "contradicted", reason
    if wanted is None:
        return None
    if wanted > have or (claim.act == "skipped" and wanted != have):
        return "contradicted", reason
    if count.truncated and (claim.count == ALL or wanted == total):
        return "qualified", f"{reason}, and that it was truncated"
    if wanted < have or (total is not None and count.considered is not None and total != count.considered):
        return "qualified", reason
    if claim.act == "grounded" and count.listed is not None and count.listed < wanted:
        return "qualified", f"{reason}, and lists {count.listed}"
    return "verified", reason


def _tells_of_fewer(said: Sequence[Claim], counts: Sequence[Count]) -> bool:
    """Whether an answer says itself that not all were grounded: "2 of 5 claims are grounded; none was skipped"."""
    told = {claim.count for claim in said if claim.act == "grounded" and claim.count}
    return any(one.considered and number < one.considered for one in counts for number in told if number)


def _size(value: object) -> int | None:
    if isinstance(value, list):
        return len(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _subject(claim: Claim) -> str:
    return "claims skipped" if claim.act == "skipped" else f"claims {claim.act}"


def _quoted(claims: Sequence[Claim], turn: Turn, known: _Known) -> Iterator[Finding]:
    """The verdicts on words that an answer quotes from a source, spacing, case, punctuation and markup aside.

    A quotation that may be meant loosely is judged where at least half of its weighty words stand in what was seen.
    """
    own = [text for call in turn.calls for text in strings(call.arguments)]  # what it wrote itself may be quoted too
    seen = [*known.texts, *own]
    everything = f" {_folded(' '.join(seen))} "
    plain, words = "", frozenset(everything.split())
    for claim in claims:
        pieces = [one for piece in CUT.split(_joined(claim.subject)) if len((one := _folded(piece)).split()) >= 3]
        if sum(len(piece.split()) for piece in pieces) < 5:
            continue
        shown = f"“{claim.subject[:60]}{'…' if len(claim.subject) > 60 else ''}”"
        plain = plain or f" {_folded(_joined(unescape(TAG.sub(' ', ' '.join(seen)))))} "
        if all(f" {piece} " in everything or f" {piece} " in plain for piece in pieces):
            yield Finding("verified", shown, "a result has these words", claim.quote)
            continue
        weighty = [word for piece in pieces for word in piece.split() if len(word) > 3 or word.isdecimal()]
        shared = sum(word in words for word in weighty)
        if "near" in claim.fields and (len(weighty) < 4 or 2 * shared < len(weighty)):
            continue
        if _seen_whole(turn):
            yield Finding("unsupported", shown, "no result, argument or message has these words", claim.quote)


def _seen_whole(turn: Turn) -> bool:
    return turn.legible() and not any(call.result is None or call.result.truncated for call in turn.calls)


def _folded(text: str) -> str:
    return NOISE.sub(" ", normalize("NFKC", text).casefold()).strip()


def _joined(text: str) -> str:
    """A text with the words of its links alone, a letter that was put in brackets, and words that a line's end divided."""
    return DIVIDED.sub("", LETTER.sub(r"\1", LINK.sub(r"\1", text)))


class _Known:
    """What the conversation holds beside the answer, joined when somebody first asks."""

    def __init__(self, turn: Turn) -> None:
        self._turn = turn
        self.texts: list[str] = list(self._read())
        whole = "\n".join(self.texts).replace("\\/", "/").lower()
        self._lower = whole.replace("&amp;", "&").replace("\\u0026", "&")
        self._pages: set[str] | None = None

    def _read(self) -> Iterator[str]:
        turn = self._turn
        yield turn.asked
        for message in turn.before:
            if message.role != "assistant":  # what it said before is no evidence
                yield message.text
        for call in (*turn.earlier(), *turn.calls):
            if call.result is not None:
                yield from strings(call.result.value) if call.result.value is not None else (call.result.text,)
            if turn.nature(call) != "change":
                yield call.raw  # it was looked at

    def has(self, url: str) -> bool:
        """Whether a URL stands there, or one that tells the same page, or one below it."""
        bare = url.partition("://")[2].partition("#")[0].rstrip("/").removeprefix("www.").lower()
        bare = bare.replace("&amp;", "&")
        if bare in self._lower or unquote(bare) in self._lower:
            return True
        if self._pages is None:
            self._pages = {plain(text[start:end]) for text in self.texts for start, end in urls(text)}
        return plain(url) in self._pages
