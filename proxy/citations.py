"""Find claims in a text by its own bytes, keep away from code, headings and links, and write citations behind them."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from urllib.parse import quote

from proxy.masking import code_spans
from proxy.prose import FENCE, HEADING

LONGEST = 1_000
"""Code points of a claim."""
TRIES = 1_000
"""Places of one claim that are tried."""

SETEXT = re.compile(r" {0,3}(?:=+|-{2,})\s*$")
ATX = re.compile(r"\s{0,3}#{1,6}(?:\s|$)")
DEFINITION = re.compile(r" {0,3}\[[^\]\n]{1,200}\]:")
ELEMENT = re.compile(r"(?i)<(a|code|pre|script|style|h[1-6]|textarea|svg)\b")
TAG = re.compile(r"<(?:!--|/?[a-zA-Z][^<>\n]{0,1000}>|[a-zA-Z][\w+.-]{1,30}:[^<>\s]{0,2000}>)")
LINK = re.compile(
    r"!?\[[^\[\]\n]{0,500}\](?:\([^()\s]{0,2000}(?:\([^()\s]{0,500}\)[^()\s]{0,1000})?(?:\s+[\"'][^\"'\n]{0,200}[\"'])?\)|\[[^\[\]\n]{0,200}\])"
)
ADDRESS = re.compile(r"(?i)\bhttps?://[^\s<>\"'`|]{1,2000}")
CITED = re.compile(
    r"[*_\"”)\].,;:!?]{0,4}[ \t]{0,2}(?:\[[^\[\]\n]{1,200}\](?:\(|\[)|\[\^[^\[\]\n]{1,60}\]|\[\d{1,3}\](?!\())"
)
"""A link or a footnote right behind a claim: it has a source already."""
MENTION = re.compile(r"(?i)\]\(|\bhttps?://|\]\[|\[\^")

INSIDE = {"code": "in code", "heading": "in a heading", "link": "in a link", "markup": "in markup"}


@dataclass(frozen=True, slots=True)
class Asked:
    """A claim as somebody spelled it, and what to search for; its query may be empty."""

    text: str
    query: str = ""


@dataclass(frozen=True, slots=True)
class Placed:
    """A claim where it stands: `text` is the document's own."""

    text: str
    start: int
    end: int
    query: str = ""


@dataclass(frozen=True, slots=True)
class Skipped:
    """A claim that got no source, and why. `failed`: nobody who was asked answered; `partial`: not everybody did."""

    text: str
    reason: str
    failed: bool = False
    partial: bool = False
    start: int = -1
    end: int = -1


class Layout:
    """Where a Markdown text holds code, headings, links and markup: no citation is written there."""

    def __init__(self, text: str) -> None:
        self.text = text
        spans = sorted(_spans(text))
        self._spans: list[tuple[int, int, str]] = []
        for start, end, kind in spans:  # the outermost counts
            if not self._spans or start >= self._spans[-1][1]:
                self._spans.append((start, end, kind))
            elif end > self._spans[-1][1]:
                last = self._spans[-1]
                self._spans[-1] = (last[0], end, last[2])
        self._starts = [start for start, _, _ in self._spans]

    def bars(self, start: int, end: int) -> str:
        """What a stretch begins in or ends in, that no citation may stand in; empty where it is free."""
        for at in (start, end):
            if kind := self._around(at):
                return INSIDE[kind]
        place = bisect_right(self._starts, start) - 1
        if place >= 0 and self._spans[place][0] <= start and end <= self._spans[place][1]:
            return INSIDE[self._spans[place][2]]
        for later in range(place + 1, bisect_left(self._starts, end)):
            inner, stop, kind = self._spans[later]
            if kind == "heading" or "\n" in self.text[inner:stop]:
                return INSIDE[kind]
        return ""

    def _around(self, at: int) -> str:
        place = bisect_right(self._starts, at) - 1
        inside = place >= 0 and self._spans[place][0] < at < self._spans[place][1]
        return self._spans[place][2] if inside else ""


def _spans(text: str) -> Iterator[tuple[int, int, str]]:
    yield from _blocks(text)
    yield from ((start, end, "code") for start, end in code_spans(text))
    if "<" in text:
        yield from _markup(text)
    if "](" in text or "][" in text:
        yield from ((*found.span(), "link") for found in LINK.finditer(text))
    if "://" in text:
        yield from ((*found.span(), "link") for found in ADDRESS.finditer(text))


def _blocks(text: str) -> Iterator[tuple[int, int, str]]:
    """Fenced and indented code, headings, front matter and definitions of links, line by line."""
    fence, opened, blank = "", 0, True
    before = (0, 0, False)
    at = _front_matter(text)
    if at:
        yield 0, at, "markup"
    for line in text[at:].splitlines(keepends=True):
        start, at = at, at + len(line)
        found = FENCE.match(line)
        if fence:
            mark = found.group(1) if found else ""
            if found and mark[0] == fence[0] and len(mark) >= len(fence) and not line[found.end() :].strip():
                yield opened, at, "code"
                fence = ""
            continue
        if found:
            fence, opened = found.group(1), start
        elif ATX.match(line) or HEADING.match(line):
            yield start, at, "heading"
        elif SETEXT.match(line) and before[2]:
            yield before[0], at, "heading"
        elif blank and line.strip() and line.startswith(("    ", "\t")):
            yield start, at, "code"
        elif DEFINITION.match(line):
            yield start, at, "link"
        indented = line.startswith(("    ", "\t"))
        blank = not line.strip() or (blank and indented)
        before = (start, at, bool(line.strip()) and not line.lstrip().startswith(("|", ">", "-", "*", "+")))
    if fence:
        yield opened, len(text), "code"


def _front_matter(text: str) -> int:
    """Where the text begins behind a YAML head; 0 where there is none."""
    if not text.startswith(("---\n", "---\r\n")):
        return 0
    found = re.compile(r"^(?:---|\.\.\.)[ \t]*$", re.M).search(text, 4)
    return found.end() if found else 0


def _markup(text: str) -> Iterator[tuple[int, int, str]]:
    at = 0
    lower = text.lower() if len(text.lower()) == len(text) else text
    unclosed: set[str] = set()
    while found := TAG.search(text, at):
        start, at = found.span()
        if found.group() == "<!--":
            end = text.find("-->", at)
            at = len(text) if end < 0 else end + 3
        elif (element := ELEMENT.match(text, start)) and element[1].lower() not in unclosed:
            end = lower.find(f"</{element[1].lower()}>", at)
            unclosed |= {element[1].lower()} if end < 0 else set()
            at = at if end < 0 else end + len(element[1]) + 3
        yield start, at, "markup"


def place(text: str, claims: Sequence[Asked], limit: int) -> tuple[list[Placed], list[Skipped]]:
    """The first claims, at most `limit`, where they stand in the text; and those that have no place, with the reason."""
    layout = Layout(text)
    placed: list[Placed] = []
    skipped: list[Skipped] = []
    seen: set[str] = set()
    for claim in claims[:limit]:
        bare = " ".join(claim.text.split())
        found: Placed | str
        if not re.search(r"\w", bare):
            found = "an empty claim"
        elif bare in seen:
            found = "named twice"
        elif len(bare) > LONGEST:
            found = "too long for a claim"
        else:
            found = _placed(text, layout, claim, placed)
        seen.add(bare)
        if isinstance(found, str):
            skipped.append(Skipped(claim.text[:LONGEST], found))
        else:
            placed.append(found)
    return sorted(placed, key=lambda one: one.start), skipped


def _placed(text: str, layout: Layout, claim: Asked, others: Sequence[Placed]) -> Placed | str:
    """A claim at the first of its places where a citation may stand, or why there is none."""
    why = "not in the text"
    for start, end in islice(_places(text, claim.text.strip()), TRIES):
        why = layout.bars(start, end) or _unfit(text, start, end)
        if not why and any(start < one.end and one.start < end for one in others):
            why = "inside another claim"
        if not why:
            return Placed(text[start:end], start, end, claim.query)
    return why


def _places(text: str, claim: str) -> Iterator[tuple[int, int]]:
    """Where a claim stands: sign for sign, else with any white space for any other."""
    exact = False
    at = text.find(claim)
    while at >= 0:
        exact = True
        yield at, at + len(claim)
        at = text.find(claim, at + 1)
    if not exact:
        loose = re.compile(r"[ \t\r\n]+".join(re.escape(word) for word in claim.split()))
        yield from (found.span() for found in loose.finditer(text))


def _unfit(text: str, start: int, end: int) -> str:
    if (start and _cuts(text, start)) or (end < len(text) and _cuts(text, end)):
        return "a part of a word"
    if MENTION.search(text, start, end):
        return "it has a link of its own"
    return "it has a source already" if CITED.match(text, end) else ""


def _cuts(text: str, at: int) -> bool:
    return text[at - 1].isalnum() and text[at].isalnum() and text[at - 1].isascii() and text[at].isascii()


def target(url: str) -> str:
    """An address as the target of a Markdown link; empty for one that is neither of the web nor a plain path."""
    if re.match(r"(?i)https?://", url):
        return quote(url, safe="!#$%&*+,-./:;=?@_~")
    path = quote(url, safe="%-./_~")
    return "" if not path or path.startswith(("/", "..")) or "/../" in path else path


def cite(text: str, edits: Sequence[tuple[int, int, str]]) -> str:
    """The text with stretches replaced; an insertion replaces nothing. What overlaps an edit before it is left out."""
    pieces: list[str] = []
    at = 0
    for start, end, new in sorted(edits):
        if start >= at:
            pieces += [text[at:start], new]
            at = end
    return "".join((*pieces, text[at:]))


def citation(url: str) -> str:
    """What stands behind a claim; empty where its source has no address that a link can lead to."""
    link = target(url)
    return f" [source]({link})" if link else ""
