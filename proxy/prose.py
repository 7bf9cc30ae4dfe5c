"""Cut an answer into clauses, and tell of each whether it asserts, denies or merely mentions."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Literal

import msgspec
from msgspec.structs import replace

from proxy.lexicon import Lexicon, Mark
from proxy.masking import Span, mask
from proxy.results import one_line

Stance = Literal["asserted", "denied", "mentioned"]
Kind = Literal["text", "item", "row", "heading", "quoted"]
Block = tuple[Kind, int, int, list[Span]]
"""A block of the text, where it begins and ends, and its sentences."""

FENCE = re.compile(r"[ \t]*(?:[-*+]\s+|\d+[.)]\s+)?(`{3,}|~{3,})")
ITEM = re.compile(r"\s*(?:[-*+•‣◦]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?")
HEADING = re.compile(r"\s{0,3}#{1,6}\s+|\s*\*\*[^*]+\*\*:?\s*$")
RULE_ROW = re.compile(r"[\s:|-][\s:-]*+\|[\s:|-]*+$")
MONTHS = r"(?:januar|jänner|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember)\b"
"""Behind a number with a dot the name of its month: "zum 31. Oktober"."""
# It begins with what it looks for, so that a search over plain text runs at the speed of C. What repeats in it gives nothing
# back, and it begins at the first of a run: 5,000 dots are read once, not from each of them to each.
SENTENCE_END = re.compile(
    rf"[.!?](?<![.!?].)(?!(?<=\d\.) {MONTHS})[.!?]*+"
    r"(?<!\bdr\.)(?<!\bmr\.)(?<!\bmrs\.)(?<!\bms\.)(?<!\bprof\.)(?<!\bapprox\.)(?<!\binc\.)"
    r"(?<!e\.g\.)(?<!i\.e\.)(?<!etc\.)(?<!vs\.)[\"')\]*_”’]*+(?=\s|$)|[。！？]+"
)
TURN = re.compile(r";|\s[—–]\s|\s-\s")
AND_I = re.compile(r", and (?=(?:i|we)(?:['’]ve| have)? (?!can|could|do|did|will|would|am|was|have|had)[a-z])")
"""Where a sentence goes on to what somebody did: what was denied before is of something else."""
PAUSE = re.compile(r"[，、；]|(?<=[^\x00-\u2fff]),")
"""Where a sentence in a script without spaces may go on to say something else."""
OPENS = ("condition", "plan", "hedge", "others")
"""Moods that hold for what stands behind a comma as well."""
SPOKEN = re.compile(r"[`/\\#@\d\u2705\u274c\u2713\u2714\u2717\u2718\u26a0]|\w\.\w")
"""What may be a path, a number, an id or a mark: a sentence with one is read, whatever its words."""


class Verb(msgspec.Struct, frozen=True):
    """A verb that reports an act: where it stands, which act, and how it is said."""

    start: int
    end: int
    act: str
    stance: Stance


class Clause(msgspec.Struct):
    """A stretch of an answer that says one thing. Offsets are code points of the answer's text."""

    start: int
    end: int
    sentence: Span
    kind: Kind
    stance: Stance
    reports: bool = False
    """Whether its stance comes from words of its own, not from its lead or for want of any."""
    fails: bool = False
    apart: tuple[Span, ...] = ()
    """The parentheses that hold all that denies in it: "INC7 (not detected since May) is resolved"."""
    verbs: list[Verb] = msgspec.field(default_factory=list)
    lead: Clause | None = None
    """The heading, or the text that ended in a colon, under which an item or a row stands."""


def quote(text: str, clause: Clause) -> str:
    """The sentence that a clause stands in, on one line."""
    return one_line(text[clause.sentence[0] : clause.sentence[1]], 200)


class Prose:
    """One text, cut once. `masked` is what of it is said in its own words, in lower case, at the same places."""

    def __init__(self, text: str, lexicon: Lexicon, *, every: bool = False) -> None:
        self.text, self._lexicon = text, lexicon
        self.masked = mask(text)
        self._gone: list[Mark] | None = None
        blocks: list[Block] = [
            (kind, start, end, list(_sentences(self.masked, start, end)))
            for kind, start, end in _blocks(text)
            if kind != "quoted"
        ]
        self._silent = [] if every else [one for block in blocks for one in self._idle(*block)]
        idle = set(self._silent)
        ranges = [one for *_, sentences in blocks for one in sentences if one not in idle]
        self.marks = lexicon.marks(self.masked, ranges)
        self.clauses = list(self._clauses(blocks, idle))

    def every(self) -> Prose:
        """The same with every sentence read, for readers that look for words of their own."""
        return Prose(self.text, self._lexicon, every=True) if self._silent else self

    def at(self, offset: int) -> Clause | None:
        """The clause around an offset; None inside a fenced or quoted block."""
        place = bisect_right(self.clauses, offset, key=lambda clause: clause.start) - 1
        if place >= 0 and offset < self.clauses[place].end:
            return self.clauses[place]
        place = bisect_right(self._silent, offset, key=lambda sentence: sentence[0]) - 1
        if place < 0 or offset >= self._silent[place][1]:
            return None
        start, end = self._silent[place]
        inner = Prose(self.text[start:end], self._lexicon, every=True).at(offset - start)
        return None if inner is None else _shifted(inner, start)

    def _idle(self, kind: Kind, start: int, end: int, sentences: list[Span]) -> Iterator[Span]:
        """The sentences of a block in which nothing can be claimed: they are read when somebody asks for one of them."""
        leads = kind == "heading" or _ends_in_colon(self.masked, start, end)
        for one in sentences[:-1] if leads else sentences:
            if SPOKEN.search(self.text, *one) is None and not self._lexicon.speaks(self.masked, *one):
                yield one

    def _clauses(self, blocks: list[Block], idle: set[Span]) -> Iterator[Clause]:
        lead: Clause | None = None
        for kind, start, end, sentences in blocks:
            last: Clause | None = None
            for sentence in sentences:
                offered = sentence not in idle and OPTION.search(self.masked, *sentence) is not None
                for a, b in self._split(*sentence) if sentence not in idle else ():
                    last = self._read(a, b, sentence, kind, lead if kind in ("item", "row") else None, offered)
                    yield last
            if kind == "heading" or (kind in ("text", "item") and _ends_in_colon(self.masked, start, end)):
                lead = last
            elif kind == "text":
                lead = None

    def _split(self, start: int, end: int) -> Iterator[Span]:
        """A sentence at its turns: a clause on each side, read for itself."""
        cuts, last = {start}, start
        for turn in TURN.finditer(self.masked, start, end):
            if self._speaks(last, turn.start()):
                last = turn.start()
                cuts.add(last)
        turns = self.marks.within("turns", start + 1, end)
        cuts |= {turn.start for turn in turns if not self.masked.endswith(OF_NONE, start, turn.start)}
        for turn in AND_I.finditer(self.masked, start, end):
            if not any(self.marks.any(mood, start, turn.start()) for mood in OPENS):
                cuts.add(turn.start())
        if self.marks.unspaced:
            cuts |= set(self._pauses(start, end))
        return pairwise([*sorted(cuts), end])

    def _pauses(self, start: int, end: int) -> Iterator[int]:
        """The commas of a sentence in a script without spaces behind which it goes on, and on which no mood before bears."""
        for pause in PAUSE.finditer(self.masked, start, end):
            if not self._speaks(start, pause.start()):
                continue
            if any(self.marks.any(mood, start, pause.start()) for mood in OPENS):
                return
            yield pause.end()
            start = pause.end()

    def _speaks(self, start: int, end: int) -> bool:
        return any(self.marks.any(category, start, end) for category in ("done", "base", "failure"))

    def _read(self, start: int, end: int, sentence: Span, kind: Kind, lead: Clause | None, offered: bool) -> Clause:
        marks = self.marks
        clause = Clause(start, end, sentence, kind, "asserted", lead=lead)
        done = marks.within("done", start, end)
        if len(done) > MOST:
            return replace(clause, stance="mentioned")
        asked = any(mark in self.masked[sentence[1] - 4 : sentence[1]] for mark in "?？")
        hedges = marks.within("hedge", start, end)
        asides = [self._aside(mark.start, *sentence) for mark in hedges[:FEW]]
        hedged = len(hedges) > FEW or None in asides
        doubtful = asked or hedged or offered
        last = marks.words(start, end)[-1:]
        denied = bool(last) and marks.ends_at("negation", last[0][1])  # "verschickt ist sie noch nicht"
        excepted = any(not marks.words(start, mark.start) for mark in marks.within("excepts", start, end))
        failures = [mark for mark in marks.within("failure", start, end) if not self._is_attribute(mark)]
        failures = [mark for mark in failures if not (self._crosses_out(mark.start) or self._is_deed(mark, done))]
        clause.fails = bool(failures)
        clause.apart = self._apart([*failures, *marks.within("negation", start, end)], sentence)
        for found in done:
            if self._describes(found.start, clause) or self._taken_back(found.end):
                continue
            nothing = NOTHING.match(self.masked, found.end, end) is not None
            unsure = doubtful or any(one is not None and one[0] < found.start < one[1] for one in asides)
            stance: Stance = "denied" if excepted or nothing or denied else self._stance(clause, found.start, unsure)
            if lead is not None and lead.reports and lead.stance != "asserted":
                stance = lead.stance
            clause.verbs.append(Verb(found.start, found.end, found.value, stance))
        clause.stance, clause.reports = self._whole(clause, asked, doubtful, excepted)
        return clause

    def _crosses_out(self, at: int) -> bool:
        """Whether a mark is a cross before what is gone: "❌ `old.log` – deleted"."""
        if self.masked[at] != "❌":
            return False
        if self._gone is None:
            self._gone = [mark for mark in self.marks.of("done") if mark.value in GOES]
        behind = bisect_left(self._gone, (at,))
        line = self.masked.find("\n", at) % (len(self.masked) + 1)
        return any(mark.end <= line for mark in self._gone[behind : behind + 1])

    def _aside(self, at: int, start: int, end: int) -> Span | None:
        """The parentheses around a place, so that a doubt there is of what they hold: "opened it (source likely B-3)"."""
        opened = self.masked.rfind("(", max(start, at - ASIDE), at)
        closed = self.masked.find(")", at, min(end, at + ASIDE)) if opened >= 0 else -1
        inside = closed >= 0 and ")" not in self.masked[opened:at]
        return (opened, closed) if inside else None

    def _is_attribute(self, mark: Mark) -> bool:
        """Whether a word of failure tells of what sort a thing is: "the expired card", not "due to failed payment"."""
        if (
            not self.masked.endswith(("ed", "missing"), mark.start, mark.end)
            or NAMED.match(self.masked, mark.end) is None
        ):
            return False
        return self.marks.ends_at("describes", mark.start - 1) and self.marks.ends_at("articles", mark.start - 1)

    def _is_deed(self, mark: Mark, done: Sequence[Mark]) -> bool:
        """Whether a word of failure is part of a deed, "put on hold", or is one: "card 4471: blocked as lost"."""
        same = next((one for one in done if one.start <= mark.start and mark.end <= one.end), None)
        if same is None or same.end - same.start > mark.end - mark.start:
            return same is not None
        told = DONE_SO.search(self.masked, max(0, mark.start - 12), mark.start)
        return told is not None and HINDERED.match(self.masked, mark.end) is None

    def _apart(self, denials: Sequence[Mark], sentence: Span) -> tuple[Span, ...]:
        """The parentheses in which words that deny stand; none where one of these stands outside."""
        if not 0 < len(denials) <= FEW or "(" not in self.masked[slice(*sentence)]:
            return ()
        asides = [one for mark in denials if (one := self._aside(mark.start, *sentence)) is not None]
        return tuple(asides) if len(asides) == len(denials) else ()

    def _stance(self, clause: Clause, verb: int, doubtful: bool) -> Stance:
        """How a reported verb is meant, by what stands before it in its clause."""
        marks, start = self.marks, clause.start
        own = next((one for one in clause.apart if one[0] < verb < one[1]), None)
        if (own or not clause.apart) and marks.any("negation", own[0] if own else start, verb):
            return "denied"
        if doubtful or marks.any("condition", start, verb) or marks.any("plan", start, verb):
            return "mentioned"
        return "mentioned" if self._by_another(start, verb) else "asserted"

    def _describes(self, verb: int, clause: Clause) -> bool:
        """Whether a past form only describes a thing: "the updated file", but not as the head of a list."""
        before = self.masked[clause.start : verb].rstrip()
        if clause.kind == "heading" or not before or before[-1] in ".,:;|()":
            return False
        lead = _ends_in_colon(self.masked, clause.start, clause.end)
        return not lead and self.marks.ends_at("describes", clause.start + len(before))

    def _taken_back(self, end: int) -> bool:
        """Whether what follows a form in a script without spaces makes it no report: "已取消的", "完了しましたら"."""
        return any(mark.start == end for mark in self.marks.within("behind", end, end + 6))

    def _whole(self, clause: Clause, asked: bool, doubtful: bool, excepted: bool) -> tuple[Stance, bool]:
        """The stance of the clause as a whole, and whether its own words gave it."""
        marks, start, end = self.marks, clause.start, clause.end
        if excepted or asked:
            return "denied" if excepted else "mentioned", True
        stances = {verb.stance for verb in clause.verbs}
        if "asserted" in stances:
            return "asserted", True
        first = marks.words(start, end)[:1]
        if first and any(one.start == first[0][0] for one in marks.within("condition", *first[0])):
            return "mentioned", True  # "If not, I can order another one"
        if "denied" in stances or clause.fails or self.undone(start, end):
            return "denied", True
        if doubtful or stances or marks.any("plan", start, end) or marks.any("condition", start, end):
            return "mentioned", True
        if marks.any("negation", start, end):
            return "denied", True
        if clause.lead is not None and clause.lead.reports:
            return clause.lead.stance, False
        return "asserted", False

    def undone(self, start: int, end: int) -> bool:
        """Whether the words say that an act did not happen: "could not edit", "was unable to", "did not update"."""
        for negation in self.marks.within("negation", start, end):
            if self.marks.solid(negation.start) and self.marks.any(
                "base", max(start, negation.start - 12), negation.start
            ):
                return True  # "追加できません"
            stop = min(end, negation.end + 40)
            if any(self.marks.any(form, negation.end, stop) for form in ("base", "done", "doing")):
                return True
        return False

    def _by_another(self, start: int, verb: int) -> bool:
        """Whether the doer named right before the verb is somebody else: "you updated", "the script which wrote"."""
        if self.marks.solid(verb):
            own = self.marks.within("others", start, verb + 12)
            return any(mark.start < verb for mark in own)
        words = self.marks.words(start, verb)
        if words and self.marks.ends_at("others", words[-1][1]):
            return True
        while words and self.masked[words[-1][0] : words[-1][1]] in AUXILIARIES:
            words = words[:-1]
        return bool(words) and self.marks.ends_at("others", words[-1][1])


def _shifted(clause: Clause, by: int) -> Clause:
    """A clause of a stretch of text, as one of the whole text."""
    verbs = [replace(verb, start=verb.start + by, end=verb.end + by) for verb in clause.verbs]
    sentence = (clause.sentence[0] + by, clause.sentence[1] + by)
    return replace(clause, start=clause.start + by, end=clause.end + by, sentence=sentence, verbs=verbs)


OF_NONE = ("none of ", "neither of ", "all of ", "both of ")
"""What bears on all behind a "which" that it begins: "three ways, none of which I've set up"."""
OPTION = re.compile(r"[,;]\s(?:or|oder|ou|o|u)[\s*_]*$")
"""How one of several ways that are offered ends: "1. I set up a weekly one, or"."""

DONE_SO = re.compile(r"(?::|\b(?:i|we)(?:'ve| have)?|\bnow|\b(?:has|have) been) $")
HINDERED = re.compile(r" (?:by|from|because|due|since)\b")
"""Before and behind "blocked" these tell that it is a deed, and that it was hindered: "the mail has been blocked by policy"."""
GOES = frozenset({"delete", "cancel"})
"""Acts after which a cross says that a thing is gone, not that something failed."""
ASIDE, FEW, MOST = 80, 4, 60
"""Code points from a word to the parentheses around it, and doubts of a clause of which that is asked; the verbs that a clause
may have: each is asked of all before it, and one with more is no prose."""
NAMED = re.compile(r" [^\W\d]")
"""What stands behind a word that only says of what sort a thing is."""
NOTHING = re.compile(r"\W{0,3}(?:(?:or|and|nor) [a-z]{3,20}(?<=ed|nt|de|ut) )?(?:no|nothing|none|nobody)\b")
"""Behind a verb this denies it: "I've created no ticket", "I've booked or refunded nothing"."""
AUXILIARIES = frozenset({"have", "has", "had", "just", "already", "also", "then", "now"})


def _ends_in_colon(masked: str, start: int, end: int) -> bool:
    return masked[start:end].rstrip(" \n*_").endswith((":", "："))


def _blocks(text: str) -> Iterator[tuple[Kind, int, int]]:
    """The blocks of a Markdown text that speak: fenced, quoted and indented code blocks are left out."""
    fence = ""
    current: tuple[Kind, int, int] | None = None
    blank = True
    at = 0
    for line in text.splitlines(keepends=True):
        start, at = at, at + len(line)
        found = FENCE.match(line)
        if fence:
            if found and found.group(1)[0] == fence[0] and len(found.group(1)) >= len(fence):
                fence = "" if not line[found.end() :].strip() else fence
            continue
        kind = _kind(line, blank)
        blank = not line.strip()
        if kind == "text" and current is not None and current[0] in ("text", "item"):
            current = (current[0], current[1], at)
            continue
        if current is not None:
            yield current
            current = None
        if found:
            fence = found.group(1)
        elif kind in ("text", "item"):
            current = (kind, start + (len(marker.group()) if (marker := ITEM.match(line)) else 0), at)
        elif kind in ("row", "heading"):
            yield kind, start, at
    if current is not None:
        yield current


def _kind(line: str, after_blank: bool) -> Kind | None:
    if not line.strip() or RULE_ROW.match(line):
        return None
    if line.lstrip().startswith(">"):
        return "quoted"
    if line.lstrip().startswith("|"):
        return "row"
    if HEADING.match(line):
        return "heading"
    if ITEM.match(line):
        return "item"
    if after_blank and line.startswith(("    ", "\t")):
        return "quoted"
    return "text"


def _sentences(masked: str, start: int, end: int) -> Iterator[Span]:
    at = start
    for found in SENTENCE_END.finditer(masked, start, end):
        yield at, found.end()
        at = found.end()
    if masked[at:end].strip():
        yield at, end
