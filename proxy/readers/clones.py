"""Claims about a clone: "cloned the repository", "407 files", "on branch `main`", "README found", "pushed to `main`"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from proxy.claims import Claim
from proxy.lexicon import Lexicon
from proxy.prose import Clause, Prose, Stance, quote

NAMED = r"(?:the |this |its |a |your )?(?:\w+ )?(?:repo(?:sitory)?|clone|codebase)"
NUMBER = r"(?<![\w.,/-])(\d{1,3}(?:,\d{3})+|\d+)(?![\w/-]|[.,]\d)"
HOLDS = r"(?:has|contains|holds|includes|comprises|consists of)"
# Said of "it", the number must be that of all files: what follows may not choose some of them.
ALL_FILES = (
    rf"(?:now |also )?{HOLDS} {NUMBER} (?:tracked )?files\b"
    r"(?=[*_]* ?(?:[.!;)\n]|$|and (?:an?|the)\b|on (?:branch )?(?:main\b|master\b|\x01)|in total\b"
    r"|,(?! (?:not|excluding|without|except|but|most|if|plus|in|under|some|half|of)\b)))"
)
MADE = (
    rf"\b(?:(?:cloned|fetched) (?:{NAMED}|it)|cloned \S{{1,200}}|{NAMED} (?:was |is |has been )?(?:now |successfully )?cloned)"
    r"(?: (?:to|into|at|from|under) \S{1,200})?"
)
MADE_LAST = re.compile(rf"{MADE}[\s.;:,!*_–—-]*$")
IT_HOLDS = re.compile(rf"[\s;:,.*_–—-]*(?:(?:and )?it|which) {ALL_FILES}")
COUNT = re.compile(
    rf"\b{NAMED} {HOLDS} {NUMBER} (?:tracked )?files\b"
    r"(?! (?:changed|in|under|of|with))"
    rf"|{NUMBER} (?:tracked )?files (?:in total )?(?:in|across) {NAMED}\b(?!'s)"
    rf"|\b(?:cloned|fetched) [^.;:()]{{0,80}}?[(,:–—-] ?{NUMBER} (?:tracked )?files\b(?! (?:changed|under|of|with))"
    rf"|{MADE}(?:,? (?:and|which|and it)|, it) {ALL_FILES}"
    rf"|\b(?:total files|files|file count|number of files) ?[:|] ?{NUMBER}(?=\W*$)"
)
BRANCH = re.compile(r"\b(?:on|checked out|at)(?: to)? (?:the )?(?:branch ([\w./-]*\w)|([\w./-]*\w) branch\b)")
CODE_BRANCH = re.compile(r"(?i)\b(?:on|checked out|at)(?: to)? (?:the )?(?:branch `([\w./-]+)`|`([\w./-]+)` branch\b)")
README = re.compile(
    r"\breadme(?:\.\w+)? (?:was |is |has been )?(?:found|present|exists|detected)\b"
    r"|\b(?:has|contains|includes|found|with) (?:a|the) readme(?:\.md)?\b(?! (?:that|which|section|saying|without))"
    r"|\breadme(?:\.md)? ?[:|] ?(?:found|present|yes)\b"
)
CLONED = re.compile(
    r"\b(?:cloned|fetched) (?:the |your |this )?(?:\S+ )?(?:repo(?:sitory)?)\b"
    r"|\b(?:repo(?:sitory)?|clone) (?:was |is |has been )?(?:successfully )?cloned\b"
)
PUSHED = re.compile(r"\b(?:pushed|been pushed)\b(?! (?:back|for|through|notification))")


def read(prose: Prose, lexicon: Lexicon) -> Iterator[Claim]:
    """Claims of kind `clone`; the act is `count`, `branch`, `readme`, `clone` or `push`."""
    prose = prose.every()
    cloned = False  # whether the clause before ends in what was cloned, so that "it" is that
    for clause in prose.clauses:
        masked = prose.masked[clause.start : clause.end]
        it = IT_HOLDS.match(masked) if cloned else None
        cloned = clause.stance == "asserted" and MADE_LAST.search(masked) is not None
        for found in (*COUNT.finditer(masked), *((it,) if it else ())):
            number = next(group for group in found.groups() if group)
            yield _claim(prose, clause, "count", found, number, int(number.replace(",", "")))
        # A name in a code span is masked, so it is looked for in the text itself; one in plain words, where it is not.
        plain = prose.text[clause.start : clause.end]
        for found in CODE_BRANCH.finditer(plain):
            yield _claim(prose, clause, "branch", found, found[1] or found[2])
        for found in BRANCH.finditer(masked):
            name = plain[slice(*found.span(1 if found[1] else 2))]
            if name.lower() not in IDLE:
                yield _claim(prose, clause, "branch", found, name)
        for act, pattern in (("readme", README), ("clone", CLONED), ("push", PUSHED)):
            if first := pattern.search(masked):
                yield _claim(prose, clause, act, first, "")


IDLE = frozenset({"the", "a", "this", "that", "your", "default", "same", "new", "and", "is", "main's", "which", "each"})


def _claim(
    prose: Prose, clause: Clause, act: str, found: re.Match[str], subject: str, count: int | None = None
) -> Claim:
    start = clause.start + found.start()
    stance: Stance = "denied" if clause.fails and clause.stance == "asserted" else clause.stance
    said = quote(prose.text, clause)
    return Claim("clone", subject, stance, act, said, start, clause.start + found.end(), count=count)
