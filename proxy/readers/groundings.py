"""Claims about what was grounded: "5 of 5 claims grounded", "every claim has a source", a table of how many were skipped."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from proxy.claims import ALL, Claim
from proxy.lexicon import Lexicon
from proxy.prose import Clause, Prose, Stance, quote
from proxy.readers.progress import HAS, LONG, NUMBER, SHARE, number_of, stance_of

SINGLE = r"(?:(?:factual|extracted|individual) )?(?:claim|statement|assertion|fact)"
CLAIMS = rf"(?:{SINGLE}s?\b)"
SORT = (
    r"(?:(?:at least one|a|an|the|its|their|own|one|verified|real|live|web|solid|credible|reliable|matching|supporting|inline"
    r"|proper) ){0,3}"
)
SOURCE = rf"{SORT}(?:source|citation|reference)s?\b"
GROUND = rf"(?:grounded|cited|sourced|(?:backed|supported) by {SOURCE}|(?:matched|linked|tied|mapped) to {SOURCE})"
CHECK = r"(?:checked|fact-checked|verified|considered|reviewed|examined|processed)"
WHICH = (
    rf"{SHARE}(?P<all>(?:all|every(?: single| one)?|each)\b(?: of)?(?: the| your)? ?)?(?P<count>(?<![\w.,/]){NUMBER} )?"
)
SEEN = rf"(?:(?P<grounded>{GROUND})|(?P<checked>{CHECK}))"
OF_THE = re.compile(rf"(?<![\w.,/])(?P<part>{NUMBER}) (?:out )?of (?:(?:the|these|those|your|all) )?$")
"""Before a number: of which it is the total."""
PLACE = r"(?: (?:in|of|from) (?:the|your|this|our) [\w-]{1,30}(?: text| draft)?)?"
ENDS = (
    r"(?=[*_ \t✅✓✔]*(?:$|[.,;:!|()\n]|(?:and|now|attached|linked|so|because|from|in|inline|successfully"
    r"|with (?:links?|citations?|sources?)|without (?:exception|any))\b))"
)
# What follows a claim may choose some of them: "every claim that had a source".
WHOLE = r"(?! (?:that|which|with|where|whose|for which|i|we|except|but|needing|worth)\b)"
OWNS = (
    r"(?:(?:now|each|all|already|also|then) )*"
    r"(?:has|have|had|carr(?:y|ies)|got|gets?|includes?|received|shows?|comes? with)(?: now)?"
)
DID = rf"{SEEN} {WHICH}{CLAIMS}"
PATTERNS = tuple(
    re.compile(one, re.M)
    for one in (
        rf"{WHICH}{CLAIMS}{PLACE} ?[:|–—-]? ?{HAS}{SEEN}\b",
        DID,
        rf"{WHICH}{CLAIMS}{PLACE} {OWNS} (?P<grounded>{SOURCE}){ENDS}",
        rf"\b(?:found|located|identified|added|attached|provided|inserted) (?P<grounded>{SOURCE}) (?:for|to|behind|on)"
        rf" {WHICH}{CLAIMS}{PLACE}{WHOLE}",
        rf"\b(?P<grounded>(?:source|citation|reference)s?) (?:(?:was|were|have|has|been) ){{0,3}}"
        rf"(?:found|located|identified|added|attached|inserted) (?:for|to|behind) {WHICH}{CLAIMS}{PLACE}{WHOLE}",
        rf"\b(?:able|managed) to (?P<grounded>(?P<managed>ground|source|cite)) {WHICH}{CLAIMS}{PLACE}{WHOLE}",
    )
)
# Without a word for what, only where it begins its sentence: "all five are grounded", "5/5 grounded", "100% grounded".
BARE = re.compile(
    rf"[\s|*_✅✓✔]*(?:so |now |and )?(?:everything |they(?:'re| are) (?P<each>all) |{WHICH}(?:of (?:them|these|those) )?"
    r"|(?:(?:the|your|this) (?:text|draft|article|post|document|piece|copy|report) (?:is|was) (?:now )?)?"
    rf"(?:(?P<percent>\d{{1,3}}) ?%|(?P<fully>fully|completely|entirely)) )"
    rf"{HAS}(?P<grounded>{GROUND}){ENDS}",
)
PERCENT = re.compile(
    rf"(?<![\w.,])(?P<percent>\d{{1,3}}) ?% of (?:all )?(?:the |your )?{CLAIMS}{PLACE} {HAS}"
    rf"(?:(?P<grounded>{GROUND})|{OWNS} {SOURCE}){ENDS}"
)
SKIPPED = re.compile(rf"(?<![\w.,/])(?P<count>{NUMBER})(?: {CLAIMS})?(?: (?:was|were))? skipped\b")
WAS = r"(?:was|were|has been|have been|had to be)"
OF_THEM = rf"(?: of (?:the|them|these|those|your)(?: {NUMBER})?(?: {CLAIMS})?)?"
NONE = re.compile(
    rf"\b(?:(?:no|zero|0|not a single) {CLAIMS}(?: {WAS})? skipped|(?:none|not one){OF_THEM} {WAS} skipped"
    rf"|nothing {WAS} skipped|without skipping (?:any|a single)(?: one)?(?: {CLAIMS})?"
    rf"|skipped (?:none|nothing|(?:no|zero|0) {CLAIMS}))"
    r"(?=[*_ \t✅✓✔]*(?:$|[.,;:!|)\n]|(?:and|so|because|as)\b))",
    re.M,
)
WITHOUT = rf"(?:ungrounded|unsourced|uncited|without {SOURCE})"
STAYS = rf"(?:{WAS} |is |are )?(?:left |remains? |remained |went )?"
LEFT = re.compile(
    rf"\b(?:(?:no|zero|0|not a single) (?:{CLAIMS} {STAYS}{WITHOUT}|(?:ungrounded|unsourced|uncited) {CLAIMS})"
    rf"|(?:none|not one){OF_THEM} {STAYS}{WITHOUT})"
    r"(?=[*_ \t✅✓✔]*(?:$|[.,;:!|)\n]|(?:and|so|because|as|remains?|left)\b))",
    re.M,
)
NAME = (
    rf"(?:(?:number|total|count) of )?(?:{CLAIMS} )?"
    r"(?:(?P<grounded>grounded|sourced|cited|grounding)|(?P<skipped>skipped|ungrounded))"
    rf"(?: {CLAIMS}| coverage| rate| result)?"
)
VALUE = rf"(?:(?P<percent>\d{{1,3}}) ?%|(?P<some>\d{{1,4}})(?: ?(?:/|of|out of)(?: the)? ?(?P<total>\d{{1,4}}))?)(?: {CLAIMS})?"
LABEL = re.compile(
    rf"(?:^|[|,;(·•])[\s*_`✅✓✔❌⏭️-]*{NAME}(?: \([^()\n]{{0,30}}\))?"
    rf"[\s*_`]*[|:=–—-][\s*_`|]*{VALUE}(?=[\s*_`✅✓✔!.]*(?:$|[|,;()\n·•]))",
    re.M,
)
CELL = re.compile(rf"[\s*_`✅✓✔❌⏭️]*(?:{NAME}|{CLAIMS}|considered|checked)[\s*_`]*")
HELD = re.compile(rf"[\s*_`✅✓✔]*{VALUE}[\s*_`✅✓✔]*")
STATE = re.compile(r"[\s*_`✅✓✔]*(?:yes, )?(?:grounded|sourced|cited)(?: (?:✅|✓|✔))?[\s*_`]*")
"""A cell of a table with a row for each claim."""
SPEAKS = re.compile(rf"\b(?:grounded|grounding|ungrounded|sourced?|sources|citations?|{CLAIMS})")
"""What an answer has that may speak of groundings: "nothing was skipped" alone is of anything."""
NOUN = re.compile(rf"\b{CLAIMS}")
EXCEPT = re.compile(
    r"\b(?:except|excluding|apart from|other than|aside from|save for|all but|but (?:not )?(?:for )?(?:the )?\d)"
)
REMOVED = re.compile(r"\b(?:remov|delet|dropp?|cut|struck|left out|took out|rewrote|rewritten|reword|soften|replac)")
"""By these "all" is what was left of them."""
WANTED = re.compile(
    r"\b(?:all but|asks?|asked|goal|aim|target|idea|want(?:s|ed)?|wish|make sure|ensures?|checks? (?:that|whether|if)|requires?"
    r"|required|must|should|so that|until|whether|would|policy|rule|say|says|claims? that|means)\b"
)
"""Before a claim these tell what is wanted, or what somebody says."""
MOODS = ("condition", "hedge")


def read(prose: Prose, lexicon: Lexicon) -> Iterator[Claim]:
    """Kind `grounded`; acts `grounded`, `checked` and `skipped`.

    `count` is how many it speaks of, `ALL` for all of them; the field `total` is out of how many, `percent` which share of
    them, and `none` tells that it is not one. A clause that says of claims that something failed is a claim denied.
    """
    prose = prose.every()
    if SPEAKS.search(prose.masked) is None:
        return
    for clause in prose.clauses:
        masked = prose.masked[clause.start : clause.end]
        if len(masked) > LONG:
            continue
        found = list(_said(prose, clause, masked))
        yield from found
        if not found and (clause.fails or clause.stance == "denied") and NOUN.search(masked):
            yield Claim("grounded", "", "denied", "", quote(prose.text, clause), clause.start, clause.end)
    yield from _tables(prose)


def _said(prose: Prose, clause: Clause, masked: str) -> Iterator[Claim]:
    """What one clause says."""
    labels = list(LABEL.finditer(masked))
    for label in labels:
        act = "skipped" if label["skipped"] else "grounded"
        yield _claim(prose, clause, act, label, "mentioned" if _asked(prose, clause) else "asserted")
    if labels:
        return
    nothing = list(NONE.finditer(masked))
    for none in nothing:
        stance: Stance = "mentioned" if _asked(prose, clause) else "asserted"
        yield _made(prose, clause, "skipped", none, None, {"none": "yes"}, stance)
    for left in LEFT.finditer(masked):
        nothing.append(left)
        stance = "mentioned" if _asked(prose, clause) else "asserted"
        yield _made(prose, clause, "grounded", left, ALL, {}, stance)
    bare = None if NOUN.search(masked) else BARE.match(masked)
    every = [bare] if bare is not None and bare.end("grounded") - bare.start() > len(bare["grounded"]) + 3 else []
    for one in (*every, *PERCENT.finditer(masked), *(one for pattern in PATTERNS for one in pattern.finditer(masked))):
        act = "checked" if "checked" in one.re.groupindex and one["checked"] else "grounded"
        yield _claim(prose, clause, act, one)
    for skipped in SKIPPED.finditer(masked) if not nothing else ():
        yield _claim(prose, clause, "skipped", skipped)


def _tables(prose: Prose) -> Iterator[Claim]:
    """What stands under the heads of a table with one row, and how many rows of one say that their claim is grounded."""
    lines = ((clause, clause.start, clause.end) for clause in prose.clauses)
    for row, group in groupby(lines, lambda one: one[0].kind == "row"):
        table = [one[0] for one in group] if row else []
        cells = [_cells(prose, one) for one in table]
        if len(table) == 2 and len(cells[0]) == len(cells[1]):
            for (start, name), (_, held) in zip(*cells, strict=True):
                head, value = CELL.fullmatch(name), HELD.fullmatch(held)
                if head is not None and value is not None and (head["grounded"] or head["skipped"]):
                    act = "skipped" if head["skipped"] else "grounded"
                    counted = _counted(value)
                    yield _made(prose, table[1], act, value, *counted, "asserted", at=start)
        stated = [
            clause
            for clause, row_cells in zip(table, cells, strict=True)
            if any(STATE.fullmatch(text) for _, text in row_cells[1:])
        ]
        stated = [one for one in stated if one.stance == "asserted" and one is not table[0]]
        if len(stated) > 1:
            said = quote(prose.text, stated[0])
            yield Claim(
                "grounded", "", "asserted", "grounded", said, stated[0].start, stated[-1].end, count=len(stated)
            )


def _cells(prose: Prose, clause: Clause) -> list[tuple[int, str]]:
    """The cells of a row, and where each begins."""
    at, cells = clause.start, []
    for text in prose.masked[clause.start : clause.end].split("|"):
        cells.append((at, text))
        at += len(text) + 1
    return cells


def _counted(found: re.Match[str]) -> tuple[int | None, dict[str, str]]:
    """How many a value says; none of them is not `ALL`, which is spelled by the same number."""
    groups = found.groupdict()
    if groups.get("percent"):
        whole = groups["percent"] == "100"
        return (ALL, {}) if whole else (None, {"percent": groups["percent"]})
    fields = {"total": groups["total"]} if groups.get("total") else {}
    some = int(groups["some"])
    return (some, fields) if some else (None, {**fields, "none": "yes"})


def _claim(prose: Prose, clause: Clause, act: str, found: re.Match[str], stance: Stance | None = None) -> Claim:
    groups = found.groupdict()
    if groups.get("some") or groups.get("percent"):
        count, fields = _counted(found)
    else:
        told = number_of(prose, clause, found, "count") if "count" in groups else None
        if "all" in groups and (groups["all"] or (found.re is BARE and not groups["count"])):
            count, fields = ALL, {} if told is None else {"total": str(told)}
        else:
            count, fields = (told, {}) if told != 0 else (None, {"none": "yes"})
            share = OF_THE.search(prose.masked[clause.start : clause.start + found.start()])
            if share is not None and told:
                count, fields = number_of(prose, clause, share, "part"), {"total": str(told)}
    return _made(prose, clause, act, found, count, fields, stance)


def _made(
    prose: Prose,
    clause: Clause,
    act: str,
    found: re.Match[str],
    count: int | None,
    fields: dict[str, str],
    stance: Stance | None = None,
    at: int | None = None,
) -> Claim:
    start, end = clause.start + found.start(), clause.start + found.end()
    if at is not None:
        start, end = at, at + found.end()
    whole = "fully" in found.re.groupindex and found["fully"]
    label = not whole and (clause.kind == "heading" or prose.masked[end : clause.end].lstrip()[:1] == ":")
    if stance is None and "managed" in found.re.groupindex:
        stance = (
            "mentioned" if _asked(prose, clause) or prose.marks.any("negation", clause.start, start) else "asserted"
        )
    if stance is None:
        stance = "mentioned" if label else stance_of(prose, clause, start)
    if WANTED.search(prose.masked, clause.sentence[0], start):
        stance = "mentioned"
    if count == ALL and EXCEPT.search(prose.masked, start, clause.sentence[1]):
        stance = "denied"
    elif count == ALL and REMOVED.search(prose.masked, *clause.sentence):
        stance = "mentioned"
    return Claim("grounded", "", stance, act, quote(prose.text, clause), start, end, count=count, fields=fields)


def _asked(prose: Prose, clause: Clause) -> bool:
    """Whether a clause asks, plans or doubts what it says."""
    asked = any(mark in prose.text[clause.sentence[1] - 4 : clause.sentence[1]] for mark in "?？")
    lead: Sequence[Clause] = (clause.lead,) if clause.lead is not None else ()
    spans = ((one.start, one.end) for one in (clause, *lead))
    return asked or any(prose.marks.any(mood, *span) for span in spans for mood in MOODS)
