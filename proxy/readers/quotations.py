"""Claims that a source has these words: according to the page, "…"; "…" ([source](https://…))."""

from __future__ import annotations

import re
from collections.abc import Iterator

from proxy.claims import Claim
from proxy.lexicon import Lexicon
from proxy.prose import Prose, quote

QUOTED = re.compile(r"[\"“«]([^\"“”«»\n]{20,600})[\"”»]")
SAYS = (
    r"(?:says?|said|states?|stated|writes?|wrote|notes?|noted|reports?|reported|explains?|explained|describes?|reads)"
)
BEFORE = re.compile(
    rf"(?i)https?://|\baccording to\b|\bas .{{1,60}}\bputs? it\b|\b{SAYS}\b[^.!?\n]{{0,40}}$|\b(?:quotes?|quoted|source)\b"
)
BEHIND = re.compile(r"(?i)[.,]?\s{0,2}(?:\(|\[|[—–-] ?)[^.!?\n]{0,60}https?://|[.,]?\s?\(source\b")
OWN = re.compile(
    rf"(?i)\b(?:I|we|you|let['’]s|would|could|should|might|can|to|please)\s+(?:\w+\s+)?{SAYS}\b[^.!?\n]{{0,40}}$"
)
"""Words that the answer proposes, or reports of itself."""
NEAR = 120
"""Code points before and behind a quotation in which somebody is named for it."""


def read(prose: Prose, lexicon: Lexicon) -> Iterator[Claim]:
    """Kind `quotation`: words of a source, which stands in the same line. `subject` is the words as quoted."""
    for found in QUOTED.finditer(prose.text):
        before = prose.text[max(0, found.start() - NEAR) : found.start()].rpartition("\n")[2]
        behind = prose.text[found.end() : found.end() + NEAR]
        if OWN.search(before) or not (BEFORE.search(before) or BEHIND.match(behind)):
            continue
        clause = prose.at(found.start())
        if clause is not None:
            said = quote(prose.text, clause)
            yield Claim("quotation", found[1], "asserted", "", said, found.start(1), found.end(1))
