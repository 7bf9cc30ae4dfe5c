"""Claims about a clone: "cloned the repository", "407 files", "on branch `main`", "README found", "pushed to `main`"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from proxy.claims import Claim
from proxy.lexicon import Lexicon
from proxy.prose import Clause, Prose, Stance, quote

NAMED = r"(?:the |this |its |a |your )?(?:\w+ )?(?:repo(?:sitory)?|clone|codebase)"
NUMBER = r"(?<![\w.,/-])(\d{1,3}(?:,\d{3})+|\d+)(?![\w/-]|[.,]\d)"
HOLDS = r"(?:has|contains|holds|includes|comprises|consists of|is made up of)"
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
OF_ALL = r"(?! (?:changed|in|under|of|with|that|which|from|matching)\b)"
COUNT = re.compile(
    rf"\b{NAMED} {ALL_FILES}"
    rf"|(?:^[\s|*_-]*|\b(?:there (?:are|were)|total of|found|counted|with) ){NUMBER} (?:tracked )?files"
    rf" (?:in total )?(?:in|across) {NAMED}"
    r"(?=[\s*_]*(?:$|[.,;:!)(]|and\b))"
    rf"|\b(?:cloned|fetched) [^.;:()]{{0,80}}?[(,:–—-] ?{NUMBER} (?:tracked )?files\b(?! (?:changed|under|of|with))"
    rf"|{MADE}(?:,? (?:and|which|and it)|, it) {ALL_FILES}"
    rf"|\b(?:cloned|fetched|checked out) {NUMBER} (?:tracked )?files\b{OF_ALL}"
    rf"|{NUMBER} (?:tracked )?files (?:were|are|have been) (?:now )?(?:cloned|fetched|checked out)\b{OF_ALL}"
    # A label begins its line: "Python files: 12" counts others.
    r"|^[\s|*_-]*(?:(?:total|tracked) )?(?:files|file count|number of files)(?: count| total|,? in total| \(total\))?"
    rf"[\s*_]*[:|][\s*_]*{NUMBER}(?: (?:in )?total| (?:tracked )?files(?: in total)?)?(?=\W*$)",
    re.M,
)
ALONE = re.compile(rf"[\s*_]*{NUMBER} (?:tracked )?files(?: in total| total)?[\s*_.]*$")
PART = re.compile(
    r"\b(?:folder|director(?:y|ies)|listings?|samples?|shown|listed|first|packages?|modules?"
    r"|chang\w*|edit\w*|fix\w*|modif\w*|touch\w*|issues?|diff|commits?|summary of)\b|/",
    re.I,
)
"""In what a list stands under, these tell that it is of a part, or of what was done."""
OTHER = re.compile(r"\b(?:fork|old|previous(?:ly)?|upstream|earlier|version|before|had)\b")
"""Before a README these tell that it is another clone's."""
ONLY = re.compile(r"[,:;]?(?: yes,?)?(?: but)? (?:only\b|(?:in|under|inside) \x01)")
"""Behind it, that it is elsewhere."""
BRANCH = re.compile(r"\b(?:on|checked out|at)(?: to)? (?:the )?(?:branch ([\w./-]*\w)|([\w./-]*\w) branch\b)")
CODE_BRANCH = re.compile(r"(?i)\b(?:on|checked out|at)(?: to)? (?:the )?(?:branch `([\w./-]+)`|`([\w./-]+)` branch\b)")
FILE = r"readme(?:\.(?:md|rst|txt|adoc|markdown|org))?(?!\.\w)(?: file)?\x02{0,2}"
AT_ROOT = r"(?: (?:at|in) (?:the|its) (?:\w+ )?(?:root|repo(?:sitory)?|clone|project)| there| too| as well)?"
STOPS = r"(?=[\s*_✅✓✔]*(?:$|[.,;:!|()\n]|[–—-] |(?:and|so|but|yet|either|with instructions)\b))"
INSIDE = r"(?! (?:in|under|for|at) (?!(?:the|its) (?:\w+ )?(?:root|repo)))"
README = re.compile(
    rf"\b{FILE} (?:was |is |has been )?(?:found|present|exists|detected|available)\b{INSIDE}"
    rf"|\b(?:has|contains|includes|found|with) (?:a|the) {FILE}(?!\w)(?! (?:that|which|section|saying|without)\b){INSIDE}"
    rf"|\bthere(?:'s| is| was) (?:also )?a {FILE}{AT_ROOT}{STOPS}"
    rf"|^[\s|*_-]*{FILE}[\s*_]*[:|][\s*_]*(?:(?:[✅✓✔]\s*)?(?:found|present|yes|exists|available|included|true)\b|[✅✓✔](?=[|\s*_.]*$))",
    re.M,
)
NO_README = re.compile(
    rf"\bno {FILE}(?: (?:was|is) (?:found|present|there)| found| present| exists)?{AT_ROOT}{STOPS}"
    rf"|\b(?:lacks|(?:does not|doesn['’]t) (?:have|include|contain)|has no) (?:a |any )?{FILE}{AT_ROOT}{STOPS}"
    rf"|^[\s|*_-]*{FILE}[\s*_]*[:|][\s*_]*(?:❌\s*)?(?:none|not found|not present|missing|no|absent|null|❌)(?=[\s|*_.]*$)",
    re.M,
)
CODE_README = re.compile(r"`readme(?:\.\w{1,8})?`", re.I)
CLONED = re.compile(
    r"\b(?:cloned|fetched) (?:the |your |this )?(?:\S+ )?(?:repo(?:sitory)?)\b"
    r"|\b(?:repo(?:sitory)?|clone) (?:was |is |has been )?(?:successfully )?cloned\b"
)
PUSHED = re.compile(r"\b(?:pushed|been pushed)\b(?! (?:back|for|through|notification))")


def read(prose: Prose, lexicon: Lexicon) -> Iterator[Claim]:
    """Claims of kind `clone`; the act is `count`, `branch`, `readme`, `no readme`, `clone` or `push`."""
    prose = prose.every()
    cloned = False  # whether the clause before ends in what was cloned, so that "it" is that
    for clause in prose.clauses:
        masked = prose.masked[clause.start : clause.end]
        plain = prose.text[clause.start : clause.end]
        masked = _unspanned(masked, plain)
        it = IT_HOLDS.match(masked) if cloned else None
        cloned = clause.stance == "asserted" and MADE_LAST.search(masked) is not None
        alone = ALONE.match(masked) if clause.kind == "item" and _under(prose, clause) else None
        part = clause.lead is not None and PART.search(prose.text, clause.lead.start, clause.lead.end) is not None
        for found in (*COUNT.finditer(masked), *(one for one in (it, alone) if one)) if not part else ():
            number = next(group for group in found.groups() if group)
            yield _claim(prose, clause, "count", found, number, int(number.replace(",", "")))
        # A name in a code span is masked, so it is looked for in the text itself; one in plain words, where it is not.
        for found in CODE_BRANCH.finditer(plain):
            yield _claim(prose, clause, "branch", found, found[1] or found[2])
        for found in BRANCH.finditer(masked):
            name = plain[slice(*found.span(1 if found[1] else 2))]
            if name.lower() not in IDLE:
                yield _claim(prose, clause, "branch", found, name)
        for act, pattern in (("readme", README), ("clone", CLONED), ("push", PUSHED)):
            if (first := pattern.search(masked)) and not (act == "readme" and (part or _of_part(masked, first))):
                yield _claim(prose, clause, act, first, "")
        none = NO_README.search(masked) if clause.stance != "mentioned" and not part else None
        if none is not None and not _of_part(masked, none):
            unsure = any(prose.marks.any(mood, clause.start, clause.end) for mood in ("condition", "plan", "hedge"))
            stance: Stance = "mentioned" if unsure else "asserted"
            yield _claim(prose, clause, "no readme", none, "", stance=stance)


def _of_part(masked: str, found: re.Match[str]) -> bool:
    """Whether a README is that of a part of a clone, in words or in a code span, or of another: "the `docs` folder has"."""
    before = masked[: found.start()]
    named = PART.search(before) or OTHER.search(masked, 0, found.end()) or ONLY.match(masked[found.end() :])
    return named is not None or "\x01" in before


def _unspanned(masked: str, plain: str) -> str:
    """What is said, with the code spans that name a README in plain words at the same places."""
    for found in CODE_README.finditer(plain) if "readme" in plain.lower() else ():
        word = f"{found.group()[1:-1].lower()}\x02\x02"
        masked = masked[: found.start()] + word + masked[found.end() :]
    return masked


def _under(prose: Prose, clause: Clause) -> bool:
    """Whether an item stands under words for a clone."""
    lead = clause.lead
    return lead is not None and re.search(r"\b(?:repo|clone|checkout)", prose.masked[lead.start : lead.end]) is not None


IDLE = frozenset({"the", "a", "this", "that", "your", "default", "same", "new", "and", "is", "main's", "which", "each"})


def _claim(
    prose: Prose,
    clause: Clause,
    act: str,
    found: re.Match[str],
    subject: str,
    count: int | None = None,
    stance: Stance | None = None,
) -> Claim:
    start = clause.start + found.start()
    if stance is None:
        stance = "denied" if clause.fails and clause.stance == "asserted" else clause.stance
    said = quote(prose.text, clause)
    return Claim("clone", subject, stance, act, said, start, clause.start + found.end(), count=count)
