"""Claims about files and deposits: "updated `a.md`", "both files are written", "| a.md | created |"."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from proxy.claims import ALL, Claim
from proxy.lexicon import Lexicon
from proxy.prose import Clause, Prose, Stance, Verb, quote

TOKEN = re.compile(r"[^\s`'\"“”‘’()\[\]<>{},;|*]+")
COMMAND = re.compile(r"`[^`\n]*\s[^`\n]*`")
"""A code span with spaces: a command or an expression."""
LINE_NUMBER = re.compile(r"(?::\d+(?:[-:]\d+){0,8}|#L\d+(?:-L?\d+)?)$")
ACTS: frozenset[str] = frozenset({"edit", "create", "delete", "move", "deposit", "verify"})
"""The acts that may be about files or deposits without naming one; FOLDERS are those that a path may be the object of."""
FOLDERS: frozenset[str] = frozenset({"edit", "create", "delete", "move"})

MOST, FAR = 200, 8_000
"""Files of one clause that are read, and code points between a verb and a file of its own: a sentence with more is none."""


@dataclass(frozen=True, slots=True)
class _Subject:
    start: int
    end: int
    path: str


def paths(text: str, start: int, end: int, lexicon: Lexicon) -> Iterator[_Subject]:
    """What in a stretch of text is a file's path: by its extension or name, in a code span or in plain prose."""
    found = [
        (at.start(), token)
        for at in TOKEN.finditer(text, start, end)
        if "." in (token := at[0].rstrip(".:!?…")) or token.lower() in lexicon.file_names
    ]
    if not found:
        return
    spans = [(start + span.start(), start + span.end()) for span in COMMAND.finditer(text[start:end])]
    for at, token in found:
        token = LINE_NUMBER.sub("", token)
        before = bisect_right(spans, (at, end)) - 1
        if (before < 0 or spans[before][1] <= at) and _is_path(token, lexicon):
            yield _Subject(at, at + len(token), token)


def _is_path(token: str, lexicon: Lexicon) -> bool:
    if (
        "://" in token
        or token.startswith(("www.", "@", "--"))
        or "@" in token.split("/")[0]
        or token.endswith(("()", "/"))
    ):
        return False
    name = re.split(r"[/\\]", token)[-1].lower()
    if name in lexicon.file_names:
        return "." in name or "/" in token or token[:1].isupper()
    stem, dot, extension = name.rpartition(".")
    return bool(dot and stem.strip(".") and extension in lexicon.extensions)


def read(prose: Prose, lexicon: Lexicon) -> Iterator[Claim]:
    for clause in prose.clauses:
        under = clause.lead is not None and any(verb.act in FOLDERS for verb in clause.lead.verbs)
        if clause.stance == "asserted" and not (clause.verbs or under):
            continue
        subjects = list(islice(paths(prose.text, clause.start, clause.end, lexicon), MOST))
        inside = frozenset(word[0] for one in subjects for word in prose.marks.words(one.start, one.end))
        said = quote(prose.text, clause) if subjects else ""
        bound: set[Verb] = set()
        for subject in subjects:
            yield _file_claim(prose, clause, subject, inside, bound, said)
        yield from _unnamed(prose, clause, subjects, bound)


def _file_claim(
    prose: Prose, clause: Clause, subject: _Subject, inside: frozenset[int], bound: set[Verb], said: str
) -> Claim:
    """What is said of one file of a clause; `inside` are where the words of all its files begin, `said` is its sentence."""
    stance: Stance = "denied" if clause.stance == "denied" or clause.fails else "mentioned"
    act, close, placed = "", False, False
    if any(begin < subject.start < stop for begin, stop in clause.apart):
        return Claim("file", subject.path, "denied", act, said, subject.start, subject.end)
    tie = _tie_before(prose, clause, subject, inside) or _tie_after(prose, clause, subject, inside)
    if tie is not None:
        verb, stance, close, placed = tie
        act = verb.act
        bound.add(verb)
    elif not clause.verbs and not clause.reports and clause.lead is not None and clause.lead.verbs:
        verb = clause.lead.verbs[-1]
        act, stance = verb.act, clause.stance
        close = _leads(prose, clause, subject)
    fields = {"placed": "yes"} if placed else {}
    return Claim("file", subject.path, stance, act, said, subject.start, subject.end, close=close, fields=fields)


class Tie(NamedTuple):
    """How a verb holds a path: `close`, as its object; `placed`, as where it was done."""

    verb: Verb
    stance: Stance
    close: bool
    placed: bool = False


def _tie_before(prose: Prose, clause: Clause, subject: _Subject, inside: frozenset[int]) -> Tie | None:
    """The verb before a path and how it holds it: "updated `a.md`", "a fix in `a.md`", not "based on `a.md`"."""
    verb = next((one for one in reversed(clause.verbs) if one.end <= subject.start), None)
    if verb is None or verb.act not in FOLDERS or subject.start - verb.end > FAR:
        return None
    marks, start, end = prose.marks, verb.end, subject.start
    if marks.any("negation", start, end):
        return Tie(verb, "denied", close=True)
    words = [word for word in marks.left(start, end, "articles") if word[0] not in inside]
    if not words:
        return Tie(verb, verb.stance, close=True)
    last = words[-1][1]
    if verb.act != "edit" and prose.masked[slice(*words[-1])] == "of":
        return None  # "the header of `a.md`" is a part of it, "a summary of `a.md`" is none
    if marks.ends_at("sources", last) and not (verb.act == "delete" and prose.masked[words[-1][0] : last] == "from"):
        return None
    if marks.ends_at("places", last) or (verb.act == "delete" and prose.masked[words[-1][0] : last] == "from"):
        return Tie(verb, verb.stance, close=False, placed=_is_own(prose, clause, verb, subject))
    if any(marks.ends_at("sources", word[1]) for word in words):
        return None
    named = prose.masked[slice(*words[-1])] in NAMED and not any(marks.ends_at("places", word[1]) for word in words)
    return Tie(verb, verb.stance, close=named)


def _is_own(prose: Prose, clause: Clause, verb: Verb, subject: _Subject) -> bool:
    """Whether "I" did it, or nobody is said to have: "I fixed a bug in `a.md`", "Report written to `a.md`", not "it was"."""
    marks, begin = prose.marks, clause.start
    if not marks.words(begin, verb.start) or marks.any("speakers", begin, verb.start):
        return True
    if any(marks.any(one, begin, subject.start) for one in ("auxiliaries", "others")):
        return False
    return verb.act == "create" and not marks.words(subject.end, clause.end)


def _tie_after(prose: Prose, clause: Clause, subject: _Subject, inside: frozenset[int]) -> Tie | None:
    """The verb behind a path that holds it: "`a.md` was updated", "`a.md`: added a section", "| a.md | updated |"."""
    verb = next((one for one in clause.verbs if one.start >= subject.end), None)
    if verb is None or verb.act not in FOLDERS or verb.start - subject.end > FAR:
        return None
    words = prose.marks.left(subject.end, verb.start, "auxiliaries", "negation")
    words = [word for word in words if word[0] not in inside and prose.masked[word[0]].isalnum()]
    words = [word for word in words if word[1] <= verb.start]  # without spaces, the verb's own run begins before it
    if aside := ASIDE.match(prose.masked, subject.end):
        words = [word for word in words if word[0] >= aside.end()]
    label = LABEL.match(prose.masked, subject.end) and _leads(prose, clause, subject)
    if (words and not label) or DATED.match(prose.text, verb.end):
        return None
    before = prose.marks.words(clause.start, subject.start)
    placed = len(before) > 1 and prose.marks.ends_at("places", before[-1][1])  # "the loop in `a.md` was added"
    return Tie(verb, verb.stance, close=not placed)


ASIDE = re.compile(r"[\"'`*\x01]*,? \([^()\n]{1,60}\)")
"""What may stand between a path and its verb: "`a.md` (3 KB) was deleted"."""
DATED = re.compile(r"(?: (?:most recently|last))? (?:on|in|at) (?:[A-Z][a-z]+ \d|\d)")
"""Behind a passive, a day: it tells when, not that it was done now."""
NAMED = frozenset({"called", "named", "titled", "namens", "llamado", "nommé", "appelé"})
"""Between a verb and a path, these make it the verb's own: "created a file named `a.md`"."""
LABEL = re.compile(r"[`*\x01]*\s*\)?\s*(?:[:|—–]|-\s|->|→)")


def _leads(prose: Prose, clause: Clause, subject: _Subject) -> bool:
    """Whether a path is the first thing in its clause."""
    return not prose.marks.words(clause.start, subject.start)


def _unnamed(prose: Prose, clause: Clause, subjects: list[_Subject], bound: set[Verb]) -> Iterator[Claim]:
    """Claims and admissions that name no path: "both files are updated", "saved", "one of the edits failed"."""
    verbs = [one for one in clause.verbs if one.act in ACTS and one.stance == "asserted" and one not in bound]
    denied = clause.stance == "denied" and not subjects
    if not verbs and not denied:
        return
    said, nouns = quote(prose.text, clause), prose.marks.within("noun", clause.start, clause.end)
    kind = nouns[0].value if nouns else None
    if denied:
        yield Claim(kind or "file", "", "denied", "", said, clause.start, clause.end)
    count = _counted(prose, clause) if verbs else None
    short = len(prose.marks.words(clause.start, clause.end)) <= 4
    for verb in verbs:
        if (subjects and count is None) or (kind is None and count is None and not short):
            continue
        of = kind or ("artifact" if verb.act == "deposit" else "file")
        yield Claim(of, "", "asserted", verb.act, said, verb.start, verb.end, count=count)


def _counted(prose: Prose, clause: Clause) -> int | None:
    """How many a clause speaks of: a number that stands before a noun we know, or "all"."""
    marks = prose.marks
    for number in marks.within("count", clause.start, clause.end):
        return int(number.value)
    for start, end in marks.words(clause.start, clause.end):
        if (
            end - start <= 3
            and prose.masked[start:end].isdecimal()
            and marks.any("noun", end, min(end + 24, clause.end))
        ):
            return int(prose.masked[start:end])
    return ALL if marks.any("all", clause.start, clause.end) else None
