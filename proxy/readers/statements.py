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
        if clause.sentence[0] == done or clause.kind not in ("text", "item"):
            continue
        done = clause.sentence[0]
        text = prose.text[start:end]
        quoted = text.startswith("`") and text.rstrip(".!*_").endswith("`")
        if SHORTEST <= len(text) <= LONGEST and not quoted and _states(prose, clause) and checkable(text):
            want = wanted(text)
            weight = 2 * len(want.numbers) + len(want.names) + 2 * len(want.quotes)
            yield Claim("statement", text, "asserted", "", quote(prose.text, clause), start, end, weight)


def _states(prose: Prose, clause: Clause) -> bool:
    """Whether a sentence, whose first clause is given, says of the world how it is."""
    start, end = clause.sentence
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
