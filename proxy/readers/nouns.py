"""Words that may be verbs, where they are nouns: "the fix is committed" and "Full run: 12/12 passed" bid nobody anything."""

from __future__ import annotations

import re

from proxy.lexicon import Mark
from proxy.prose import Clause, Prose

STOP = re.compile(r"[.,;:!|]")
HEADLINE = re.compile(r"(?: successfully)?(?: (?:to|on) [\w./-]*\x01*)?[ *_]*(?:[.:!,(—–]|\n|\Z)")
"""How a line ends that has no other verb: "Changes pushed to git:", not "files committed to git are kept"."""
LABELLED = re.compile(r"[*_]*\s*:[\s*_]*(\d[\d,]*)\s*(?:/|of|out of)\s*\1\b")
"""What stands behind the last word of a label before as many as there are."""


def stops(prose: Prose, at: int, end: int) -> int:
    """Where the stretch ends that goes on behind a predicate without a mark."""
    cut = STOP.search(prose.masked, at, end)
    return cut.start() if cut else end


def bids(prose: Prose, clause: Clause, state: str, predicate: tuple[int, int]) -> bool:
    """Whether a plain verb before a predicate tells what to do; a noun that looks like it is what is spoken of."""
    plain = {mark[:2] for mark in prose.marks.within("base", clause.start, predicate[0])}  # one word may be of two acts
    if len(plain) != 1:
        return bool(plain)
    word = Mark(*plain.pop())
    if state == "tests":
        return not _is_label(prose, clause, word)
    return not _is_subject(prose, clause, state, word, *predicate)


def _is_label(prose: Prose, clause: Clause, word: Mark) -> bool:
    """Whether a word ends the label of the whole before a number: "Full run: 12/12 passed", not "First run: …"."""
    marks = prose.marks
    if LABELLED.match(prose.masked, word.end, clause.end) is None:
        return False
    label = (clause.start, word.end)
    strange = [one for one in marks.left(*label, "subject", "scopes", "entire") if one[0] != word.start]
    return not strange and all(one.value == "tests" for one in marks.within("subject", *label))


def _is_subject(prose: Prose, clause: Clause, state: str, word: Mark, at: int, end: int) -> bool:
    """Whether a word is what a predicate is said of: "the VAT fix is committed", "Change pushed."."""
    marks, masked, start = prose.marks, prose.masked, clause.start
    strange = marks.left(word.end, at, "auxiliaries", "between", "negation")
    if strange or not marks.ends_at(f"objects.{state}", word.end):
        return False
    before = marks.words(start, word.start)
    if not before:
        return HEADLINE.match(masked, end, clause.end) is not None
    if marks.any("past", word.end, at) and marks.words(end, clause.sentence[1]):
        return False  # "the fix was committed in March" tells of another time
    if not marks.any("auxiliaries", word.end, at) or marks.any("waits", start, stops(prose, end, clause.sentence[1])):
        return False  # "the change is committed automatically on release", "only after a review"
    named = marks.within("definite", start, word.start)[-1:]
    if not named or len(marks.words(named[0].end, word.start)) > 2:
        return False
    opening = masked[start : named[0].start].rstrip(" *_\n")  # "I fixed it, and the fix", not "the log shows the fix"
    return not opening or opening[-1] in ",:;(—–" or marks.ends_at("acted", start + len(opening))
