"""Claims about how far something came: "all jobs are done", "the pipeline succeeded", "I ran it twice"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from proxy.claims import ALL, Claim
from proxy.lexicon import Lexicon
from proxy.prose import Clause, Prose, Stance, quote

NUMBER = r"(?:\d{1,4}|both|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
HAS = r"(?:(?:has|have|had|is|are|was|were|been|now|all|both|each|also|already|just|successfully|fully|✅|✓|✔) ?)*"
DONE = r"(?:finished|completed?|succeeded|done|successful|passed)"
# What may follow a state: anything else makes it another sentence ("the jobs finished queue", "a completed run of").
ENDS = (
    r"(?=[ \t]*(?:$|[.,;:!|)✅✓✔\n]"
    r"|(?<= )(?:successfully|now|with|without|and|in|after|so|as|at|too|also|but|cleanly|on|by)\b))"
)
ID = r"(?:\x01{1,200}|(?<![\w-])(?=[\w-]{0,60}\d)[\w-]{1,64})"
SHARE = r"(?:(?P<some>\d{1,4}) ?(?:/|of|out of)(?: the| all)? ?(?P<total>\d{1,4}) )?"
ALL_OF = rf"(?P<all>(?:all|every|each|both)\b(?: of)?(?: the| my| these)? ?)?(?P<count>(?<![\w.]){NUMBER} )?"
OF = r"(?: (?:for|of|on|in) (?:the |your )?[\w\x01-]{1,200}(?: [\w\x01-]{1,60}){0,3}?)?"

JOB = re.compile(
    rf"{SHARE}{ALL_OF}(?:(?<![\w-])[\w-]{1, 30} )?\b(?P<noun>jobs?|renders?|renderings?|exports?|packs?|background tasks?)\b"
    rf"(?: id)?(?: ?[#:(]? ?(?P<id>{ID})\)?)?{OF} ?[:|–—-]? ?{HAS}{DONE}\b{ENDS}",
    re.M,
)
# Of all, without a word for what: only where it ends its sentence, as "all done with the setup" is about that.
BARE = re.compile(
    rf"[\s*_✅✓✔]*(?:everything(?:'s)?|(?:all|every one|each one)(?: of (?:them|these|those))?(?: (?P<count>{NUMBER}))?"
    rf"(?: of (?:them|these|those))?|they(?:'re|'ve| are| have) all) {HAS}(?P<state>finished|completed?|succeeded|done)"
    r"(?: (?:now|successfully))?[*_]*(?=[ \t]*(?:[.;!✅✓✔\n]|$))"
)
ROW = re.compile(rf"^[\s|*]*(?P<id>{ID})[*\s]*[|:–—-].{{0,60}}?\b(?:finished|completed|succeeded|done)\b", re.S)
PIPELINE = re.compile(
    rf"{SHARE}{ALL_OF}(?:(?<![\w-])[\w-]{1, 30} )?\b(?P<noun>pipelines?|workflows?|(?:pipeline |workflow )?runs?)\b(?: run)?"
    rf"(?: ?[#:(]? ?(?P<id>{ID})\)?)? ?[:|–—-]? ?{HAS}{DONE}\b{ENDS}",
    re.M,
)
STEP = re.compile(
    rf"(?P<all>(?:all|every|each|both)\b(?: of)?(?: the)? ?)?(?P<count>{NUMBER} )?(?:pipeline )?\bsteps?\b"
    rf"(?: ?#? ?(?P<id>\x01+|\d{{1,3}}|one|two|three|four|five|six)(?!\w))?(?:['’]s)?(?: ?\([^)\n]{{1,40}}\))?"
    rf"(?P<output> (?:output|artifact|result)s?)? ?[:|–—-]? ?{HAS}"
    rf"(?:{DONE}|exists?|available|there|produced|stored|saved|generated|created)\b{ENDS}",
    re.M,
)
MADE = r"(?:ran|run|executed|started|triggered|launched)"
OFTEN = rf"(?:(?P<twice>twice|thrice)|(?P<count>{NUMBER}) times)"
TIMES = re.compile(rf"\b{MADE}\b(?P<what>[^.;:!?\n]{{0,40}}?) ?\b{OFTEN}\b")
# The same with the pipeline before its verb. Behind it anything may tell of each day, or of another one.
RAN = re.compile(
    rf"\b(?:pipeline|workflow)(?: ?\x01{{1,200}})? (?:(?:was|were|has|been|now) ){{0,3}}{MADE} {OFTEN}"
    r"(?: (?:now|in total|in a row))?(?=[*_]*(?:[ \t]*(?:[.,;:!)\n]|$)| and\b))"
)
BEFORE = re.compile(r"\b(?:already|earlier|previous(?:ly)?|before|originally|yesterday|last|ago|why|how|time)\b")
RUNS = re.compile(rf"\b(?P<count>{NUMBER})(?: of the)?(?: [\w-]+)? runs\b")
PIPED = re.compile(r"\b(?:pipeline|workflow|run|it)\b")

LONG = 600
"""Code points of a clause that is read; in a longer one nobody says how a job went."""

Found = re.Match[str]
PATTERNS: tuple[tuple[str, str, re.Pattern[str]], ...] = (
    ("job_state", "finish", JOB),
    ("pipeline_state", "finish", PIPELINE),
    ("pipeline_state", "step", STEP),
)
NOUN = {
    "job_state": re.compile(r"\b(?:jobs?|renders?|exports?|packs?|tasks?)\b"),
    "pipeline_state": re.compile(r"\b(?:pipelines?|workflows?|runs?|steps?)\b"),
}


def read(prose: Prose, lexicon: Lexicon) -> Iterator[Claim]:
    """Kinds `job_state` and `pipeline_state`.

    Acts: `finish`; for pipelines `step` and `ran` too.
    `subject` is the id where the claim names one; `count` is how many it speaks of, `ALL` for all of them; the field `total`
    is out of how many, and `bare` tells that it does not say of what ("all done"). A clause that says of the same things
    that something failed is a claim denied.
    """
    prose = prose.every()
    for clause in prose.clauses:
        masked = prose.masked[clause.start : clause.end]
        nouns = [kind for kind, noun in NOUN.items() if noun.search(masked)] if len(masked) <= LONG else []
        said: set[str] = set()
        for kind, act, pattern in PATTERNS:
            for found in pattern.finditer(masked) if kind in nouns else ():
                said.add(kind)
                yield _claim(prose, clause, kind, act, found)
        if clause.kind == "text" and not nouns and (bare := BARE.match(masked)):
            total = number_of(prose, clause, bare, "count")
            fields = {"bare": bare["state"]} | ({} if total is None else {"total": str(total)})
            yield _made(prose, clause, "job_state", "finish", bare, ALL, fields)
        if clause.kind in ("row", "item") and "job_state" not in said and (row := ROW.match(masked)):
            said.add("job_state")
            yield _claim(prose, clause, "job_state", "finish", row)
        if "pipeline_state" in nouns or PIPED.search(masked[:LONG]):
            yield from _ran(prose, clause, masked[:LONG])
        if clause.fails or clause.stance == "denied":
            for kind in nouns:
                if kind not in said:
                    yield Claim(kind, "", "denied", "", quote(prose.text, clause), clause.start, clause.end)


def _ran(prose: Prose, clause: Clause, masked: str) -> Iterator[Claim]:
    """ "I ran the pipeline twice", "it was run twice" with its name, "both runs"."""
    for found in TIMES.finditer(masked):
        if PIPED.search(found["what"]):
            number = {"twice": 2, "thrice": 3}.get(found["twice"] or "") or number_of(prose, clause, found, "count")
            yield _made(prose, clause, "pipeline_state", "ran", found, number, {})
    for found in RAN.finditer(masked) if not BEFORE.search(masked) else ():
        number = {"twice": 2, "thrice": 3}.get(found["twice"] or "") or number_of(prose, clause, found, "count")
        yield _made(prose, clause, "pipeline_state", "ran", found, number, {})
    for found in RUNS.finditer(masked):
        yield _made(prose, clause, "pipeline_state", "ran", found, number_of(prose, clause, found, "count"), {})


def _claim(prose: Prose, clause: Clause, kind: str, act: str, found: Found) -> Claim:
    groups = found.re.groupindex
    fields: dict[str, str] = {}
    count: int | None = None
    if "some" in groups and found["some"]:
        count, fields["total"] = int(found["some"]), found["total"]
    elif "all" in groups and found["all"]:
        count = ALL
        if (total := number_of(prose, clause, found, "count")) is not None:
            fields["total"] = str(total)
    elif "count" in groups:
        count = number_of(prose, clause, found, "count")
    if "output" in groups and found["output"]:
        fields["output"] = "yes"
    if count is None and "noun" in groups and found["noun"].endswith("s"):
        count = ALL
    return _made(prose, clause, kind, act, found, count, fields)


def _made(
    prose: Prose, clause: Clause, kind: str, act: str, found: Found, count: int | None, fields: dict[str, str]
) -> Claim:
    subject = ""
    if "id" in found.re.groupindex and found["id"]:
        subject = prose.text[clause.start + found.start("id") : clause.start + found.end("id")].strip("`*")
    start, end = clause.start + found.start(), clause.start + found.end()
    label = not subject and (clause.kind == "heading" or prose.masked[end : clause.end].lstrip()[:1] == ":")
    stance: Stance = "mentioned" if label else stance_of(prose, clause, start)  # "Jobs completed: 3 of 6"
    return Claim(kind, subject, stance, act, quote(prose.text, clause), start, end, count=count, fields=fields)


def number_of(prose: Prose, clause: Clause, found: Found, group: str) -> int | None:
    word = (found[group] or "").strip()
    if word.isdecimal():
        return int(word)
    at = clause.start + found.start(group)
    mark = next(iter(prose.marks.within("count", at, at + len(word) + 1)), None) if word else None
    return int(mark.value) if mark is not None else None


def stance_of(prose: Prose, clause: Clause, at: int) -> Stance:
    """The clause's; words of failure behind a number ("2 claims grounded, 3 skipped") deny nothing of it."""
    if clause.stance != "denied":
        return clause.stance
    marks, asked = prose.marks, any(mark in prose.text[clause.sentence[1] - 4 : clause.sentence[1]] for mark in "?？")
    if asked or any(marks.any(mood, clause.start, clause.end) for mood in ("negation", "plan", "condition", "hedge")):
        return "denied"
    return "denied" if marks.any("failure", clause.start, at) else "asserted"
