"""Claims about how far something came: "all jobs are done", "the pipeline succeeded", "5 of 5 claims grounded"."""

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
ENDS = r"(?=(?: (?:successfully|now|with(?:out)?|and|in|after|so|as|at|too|also|but|cleanly|on|by)\b)?(?:[ \t]*$|[ \t]*[.,;:!|)✅✓✔\n]|(?<=\w) (?:successfully|now|with|and|in|after|so|as|at|too|also|but|cleanly|on|by)\b))"
ID = r"(?:\x01+|[\w-]*\d[\w-]*)"
SHARE = rf"(?:(?P<some>\d{{1,4}}) ?(?:/|of|out of)(?: the)? ?(?P<total>\d{{1,4}}) )?"
ALL_OF = rf"(?P<all>(?:all|every|each|both)\b(?: of)?(?: the| my| these)? ?)?(?P<count>(?<![\w.]){NUMBER} )?"
OF = r"(?: (?:for|of|on|in) (?:the |your )?[\w\x01-]+(?: [\w\x01-]+){0,3}?)?"

JOB = re.compile(
    rf"{SHARE}{ALL_OF}(?:[\w-]+ )?\b(?P<noun>jobs?|renders?|renderings?|exports?|packs?|background tasks?)\b"
    rf"(?: id)?(?: ?[#:(]? ?(?P<id>{ID})\)?)?{OF} ?[:|–—-]? ?{HAS}{DONE}\b{ENDS}",
    re.M,
)
ROW = re.compile(rf"^[\s|*]*(?P<id>{ID})[*\s]*[|:–—-].{{0,60}}?\b(?:finished|completed|succeeded|done)\b", re.S)
PIPELINE = re.compile(
    rf"{SHARE}{ALL_OF}(?:[\w-]+ )?\b(?P<noun>pipelines?|workflows?|(?:pipeline |workflow )?runs?)\b(?: run)?"
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
TIMES = re.compile(
    rf"\b(?:ran|run|executed|started|triggered|launched)\b(?P<what>[^.;:!?\n]{{0,40}}?) ?\b(?:(?P<twice>twice|thrice)|(?P<count>{NUMBER}) times)\b"
)
RUNS = re.compile(rf"\b(?P<count>{NUMBER})(?: of the)?(?: [\w-]+)? runs\b")
PIPED = re.compile(r"\b(?:pipeline|workflow|run|it)\b")

CLAIMS = r"(?:(?:factual|extracted|individual) )?(?:claims?|statements?|assertions?|facts)"
GROUND = r"(?:grounded|cited|sourced|backed by (?:a )?(?:sources?|citations?)|supported by (?:a )?(?:sources?|citations?))"
CHECK = r"(?:checked|fact-checked|verified|considered|reviewed|examined|processed)"
GROUNDED = re.compile(
    rf"(?:(?P<some>\d{{1,4}}) ?(?:/|of|out of)(?: the| all)? ?(?P<total>\d{{1,4}}) |(?P<all>(?:all|every|each)\b(?: of)?(?: the| your)? ?))?"
    rf"(?P<count>(?<![\w.,/]){NUMBER} )?{CLAIMS} ?[:|–—-]? ?{HAS}(?:been )?(?:(?P<grounded>{GROUND})|(?P<checked>{CHECK}))\b"
)
DID = re.compile(
    rf"(?:(?P<grounded>{GROUND})|(?P<checked>{CHECK})) (?:(?P<some>\d{{1,4}}) ?(?:/|of|out of)(?: the| all)? ?(?P<total>\d{{1,4}}) |(?P<all>(?:all|every|each)\b(?: of)?(?: the| your)? ?))?"
    rf"(?P<count>(?<![\w.,/]){NUMBER} )?{CLAIMS}\b"
)
SKIPPED = re.compile(rf"(?<![\w.,/])(?P<count>{NUMBER})(?: {CLAIMS})?(?: (?:was|were))? skipped\b")

Found = re.Match[str]
PATTERNS: tuple[tuple[str, str, re.Pattern[str]], ...] = (
    ("job_state", "finish", JOB),
    ("pipeline_state", "finish", PIPELINE),
    ("pipeline_state", "step", STEP),
    ("grounded", "", GROUNDED),
    ("grounded", "", DID),
    ("grounded", "skipped", SKIPPED),
)
NOUN = {
    "job_state": re.compile(r"\b(?:jobs?|renders?|exports?|packs?|tasks?)\b"),
    "pipeline_state": re.compile(r"\b(?:pipelines?|workflows?|runs?|steps?)\b"),
    "grounded": re.compile(rf"\b{CLAIMS}\b"),
}


def read(prose: Prose, lexicon: Lexicon) -> Iterator[Claim]:
    """Kinds `job_state` (act `finish`), `pipeline_state` (`finish`, `step`, `ran`), `grounded` (`grounded`, `checked`, `skipped`).

    `subject` is the id where the claim names one; `count` is how many it speaks of, `ALL` for all of them; the field `total`
    is out of how many. A clause that says of the same things that something failed is a claim denied.
    """
    prose = prose.every()
    for clause in prose.clauses:
        masked = prose.masked[clause.start : clause.end]
        said: set[str] = set()
        for kind, act, pattern in PATTERNS:
            for found in pattern.finditer(masked):
                said.add(kind)
                yield _claim(prose, clause, kind, act or ("grounded" if found["grounded"] else "checked"), found)
        if clause.kind in ("row", "item") and "job_state" not in said and (row := ROW.match(masked)):
            said.add("job_state")
            yield _claim(prose, clause, "job_state", "finish", row)
        yield from _ran(prose, clause, masked)
        if clause.fails or clause.stance == "denied":
            for kind, noun in NOUN.items():
                if kind not in said and noun.search(masked):
                    yield Claim(kind, "", "denied", "", quote(prose.text, clause), clause.start, clause.end)


def _ran(prose: Prose, clause: Clause, masked: str) -> Iterator[Claim]:
    """ "I ran the pipeline twice", "both runs"."""
    for found in TIMES.finditer(masked):
        if PIPED.search(found["what"]):
            number = {"twice": 2, "thrice": 3}.get(found["twice"] or "") or _number(prose, clause, found, "count")
            yield _made(prose, clause, "pipeline_state", "ran", found, number, {})
    for found in RUNS.finditer(masked):
        yield _made(prose, clause, "pipeline_state", "ran", found, _number(prose, clause, found, "count"), {})


def _claim(prose: Prose, clause: Clause, kind: str, act: str, found: Found) -> Claim:
    groups = found.re.groupindex
    fields: dict[str, str] = {}
    count: int | None = None
    if "some" in groups and found["some"]:
        count, fields["total"] = int(found["some"]), found["total"]
    elif "all" in groups and found["all"]:
        count = ALL
        if (total := _number(prose, clause, found, "count")) is not None:
            fields["total"] = str(total)
    elif "count" in groups:
        count = _number(prose, clause, found, "count")
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
    said = quote(prose.text, clause)
    return Claim(kind, subject, _stance(prose, clause, start), act, said, start, end, count=count, fields=fields)


def _number(prose: Prose, clause: Clause, found: Found, group: str) -> int | None:
    word = (found[group] or "").strip()
    if word.isdecimal():
        return int(word)
    at = clause.start + found.start(group)
    mark = next(iter(prose.marks.within("count", at, at + len(word) + 1)), None) if word else None
    return int(mark.value) if mark is not None else None


def _stance(prose: Prose, clause: Clause, at: int) -> Stance:
    """The clause's; words of failure behind a number ("2 claims grounded, 3 skipped") deny nothing of it."""
    if clause.stance != "denied":
        return clause.stance
    marks, asked = prose.marks, any(mark in prose.text[clause.sentence[1] - 4 : clause.sentence[1]] for mark in "?？")
    if asked or any(marks.any(mood, clause.start, clause.end) for mood in ("negation", "plan", "condition", "hedge")):
        return "denied"
    return "denied" if marks.any("failure", clause.start, at) else "asserted"
