"""Statements about the world that a source could be held to: "The tower was finished in 1889 and is 330 m tall."."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from proxy.claims import Claim
from proxy.lexicon import Lexicon
from proxy.prose import Clause, Prose, quote
from proxy.support import checkable, wanted

MOST = 200
"""Statements of one text, so that a flood of them costs little."""
SHORTEST, LONGEST = 20, 600

LINKED = re.compile(r"(?i)\]\(|\bhttps?://|\]\[|\[\^|\[\d{1,3}\]|<[a-z/!]")
CITED = re.compile(r"[ \t]{0,2}\[(?:[^\[\]\n]{1,200}\][(\[]|\^|\d{1,3}\])")
"""What a statement with a source is followed by."""
BEHIND = re.compile(
    r"(?:(?:\[[^\[\]\n]{1,200}\](?:\([^()\s]{0,2000}\)|\[[^\[\]\n]{0,200}\])|\[(?:\^[^\[\]\n]{1,60}|\d{1,3})\])[ \t]*\n?)+"
)
"""Links and footnotes that a sentence seems to begin with: behind another one they are that one's sources."""
ENDED = re.compile(r"[.!?]['\"”’)*_]{0,4}[ \t]{0,2}\n?[ \t]{0,2}$")
EDGE = re.compile(r"[\s*_]+")


def read(prose: Prose, lexicon: Lexicon) -> Iterator[Claim]:
    """Kind `statement`: whole sentences, `count` how much there is in each that a source can be held to.

    Not those that speak of the speaker's or the reader's own doing, that are asked, doubted or planned, that stand in
    headings, tables or quotations, that have a link already, or that tell how tests, builds and the like went.
    """
    yield from islice(_of(prose.every()), MOST)


def _of(prose: Prose) -> Iterator[Claim]:
    done = -1
    for clause in prose.clauses:
        start, end = _trimmed(prose.text, *clause.sentence)
        start = _own(prose.text, start, end)
        if clause.sentence[0] == done or clause.kind not in ("text", "item"):
            continue
        done = clause.sentence[0]
        text = prose.text[start:end]
        quoted = text.startswith("`") and text.rstrip(".!*_").endswith("`")
        if SHORTEST <= len(text) <= LONGEST and not quoted and _states(prose, clause, start) and checkable(text):
            want = wanted(text)
            weight = 2 * len(want.numbers) + len(want.names) + 2 * len(want.quotes)
            yield Claim("statement", text, "asserted", "", quote(prose.text, clause), start, end, weight)


def _own(text: str, start: int, end: int) -> int:
    """Where a sentence begins behind the sources of the one before it: "It opened. [source](…) It is 330 m tall."."""
    found = BEHIND.match(text, start, end)
    if found is None or not text[found.end() : end][:1].isupper() or not ENDED.search(text, max(0, start - 12), start):
        return start
    return found.end()


def _states(prose: Prose, clause: Clause, start: int) -> bool:
    """Whether a sentence, whose first clause and own beginning are given, says of the world how it is."""
    end = clause.sentence[1]
    text, marks = prose.text, prose.marks
    if text[start:end].rstrip().endswith(("?", "？", ":", "：")) or LINKED.search(text, start, end):
        return False
    if CITED.match(text, end):
        return False
    if any(marks.any(one, start, end) for one in ("persons", "hedge", "plan", "condition", "subject")):
        return False
    return clause.lead is None or clause.lead.stance != "mentioned"


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """A sentence without the white space and the opening emphasis around it; its own closing emphasis stays."""
    if found := EDGE.match(text, start, end):
        start = found.end()
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end
