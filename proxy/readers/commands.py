"""Claims about what commands show: "all tests pass", "ruff is clean", "committed and pushed", "I ran the tests"."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from proxy.claims import Claim
from proxy.lexicon import Lexicon, Mark, Marks
from proxy.prose import MOST, Clause, Prose, Stance, quote
from proxy.readers import unspaced
from proxy.readers.nouns import HEADLINE, STOP, bids, stops

SHARE = re.compile(r"(\d[\d,]*)\s*(?:/|of|out of)\s*(\d[\d,]*)\b")
NUMBER = re.compile(r"\b(\d[\d,]*)\s+(?:\w+\s+){0,2}?(?:tests?\b|pass)")
BARE = re.compile(r"(?:(\d[\d,]*)\s*/\s*(\d[\d,]*)|\b(\d[\d,]*))\s+$")
HIDDEN = re.compile("\x01+")
CLAIMABLE = re.compile(r"[\w./:-]*[/.:_][\w./:-]*")
ASIDE = re.compile(r"\([^()\n]*\)")
ARROW = re.compile(r"\s*(?:->|=>|→)")
SHORT = re.compile(
    r"\b0 ?(?:/|(?:out )?of|tests?\b|specs?\b)|(?<![\d.,])\d{1,2}(?:[.,]\d+)? ?%"
    r"(?: (?:of|the|all|our|der|de|las|los|les))* (?:tests?|pruebas|specs)\b"
)
"""A share that is not all: "97 % of the tests pass"."""
LABELS = re.compile(r"[:|\d]")
OPENING = re.compile(
    r"\W*as (?:(?:i|we)(?:'ve| have)? )?(?:said|mentioned|promised|noted|stated|expected|requested|required|hoped|agreed)"
    r"(?: (?:above|before|earlier))?,"
)
"""How a sentence opens that is said again: "as I said, all tests pass"."""
JOINS = ("between", "auxiliaries", "all", "count", "negation", "subject", "articles", "plan", "hedge")
"""What may stand between a subject and its predicate."""
REACH = 60
"""Code points at most between a subject and its predicate, and between a verb and its object."""


def read(prose: Prose, lexicon: Lexicon) -> Iterator[Claim]:
    """All claims of kind `command`, in the order of the states' table, each state's in the order of the text."""
    marks = prose.marks
    named = {one.value for one in marks.of("subject")}
    spans = (prose.text[one.start() : one.end()] for one in HIDDEN.finditer(prose.masked))
    subjects = named.union(*(_subjects_of(one, lexicon) for one in spans if one[:1] == "`" and len(one) < 120))
    for state in lexicon.states:
        seen, begun, said = set[int](), set[int](), Counter[int]()
        for form in ("holds", "alone", "breaks"):
            known = state in subjects or marks.of(f"objects.{state}")
            if not known and form != "alone" and (state, form) != ("tests", "holds"):
                continue  # of tests alone a number is enough: "12 passed"
            for mark in marks.of(f"{form}.{state}"):
                clause = _clause(prose, mark, said)
                found = None if clause is None else _State(prose, clause, state, lexicon).said(mark, form)
                if found is not None and clause is not None and found.start not in begun:
                    begun.add(found.start)
                    seen.add(clause.start)
                    yield found
        for mark in marks.of(f"does.{state}"):
            clause = _clause(prose, mark, said)
            if clause is not None and (did := _State(prose, clause, state, lexicon).did(mark)):
                yield did
        if state in named:
            yield from _ran_or_not(prose, state, lexicon, seen, said)


def _clause(prose: Prose, mark: Mark, said: Counter[int]) -> Clause | None:
    """The clause around a word; None where it has had so many that nobody said them: each is held to all before it."""
    clause = prose.at(mark.start)
    if clause is not None:
        said[clause.start] += 1
    return None if clause is None or said[clause.start] > MOST else clause


def _ran_or_not(prose: Prose, state: str, lexicon: Lexicon, seen: set[int], said: Counter[int]) -> Iterator[Claim]:
    """ "I ran the tests"; and what a clause admits that says nothing else of the subject: "could not run the tests"."""
    last = -1
    for subject in prose.marks.of("subject"):
        clause = _clause(prose, subject, said) if subject.value == state and subject.start >= last else None
        if clause is None:
            continue
        last = subject.end
        reading = _State(prose, clause, state, lexicon)
        if ran := reading.ran(subject):
            yield ran
        elif clause.start not in seen and (clause.fails or prose.marks.any("negation", clause.start, clause.end)):
            seen.add(clause.start)
            yield reading.claim("denied", "pass", subject.start, subject.end, {})


INCLUDED = re.compile(r"\b(?:including|incl\.|also)(?: the| my| our)?(?: new)? ?$")
"""What stands before one of many: "all tests pass, including `test_rounding`"."""


@lru_cache(maxsize=256)
def _subjects_of(span: str, lexicon: Lexicon) -> frozenset[str]:
    """The states of which a code span is a subject: `npm test` of the tests. Asked of each state and predicate anew."""
    return frozenset(one.value for one in lexicon.marks(span.lower()).of("subject"))


@dataclass(frozen=True, slots=True)
class _State:
    """One clause, read for what it says of one state."""

    prose: Prose
    clause: Clause
    state: str
    lexicon: Lexicon

    @property
    def marks(self) -> Marks:
        return self.prose.marks

    def claim(self, stance: Stance, act: str, start: int, end: int, fields: dict[str, str]) -> Claim:
        said = quote(self.prose.text, self.clause)
        return Claim("command", self.state, stance, act, said, start, end, close=True, fields=fields)

    def said(self, mark: Mark, form: str) -> Claim | None:
        """What a predicate says of its subject; None where it has none, or means something else."""
        around = [
            one
            for at in (f"{form}.{self.state}", f"alone.{self.state}")
            for one in self.marks.within(at, mark.start - 30, mark.end + 30)
        ]
        if any(one.start <= mark.start and mark.end <= one.end and one != mark for one in around):
            return None  # a part of a longer phrase
        if form == "holds" and any(self.marks.ends_at(f"breaks.{self.state}", mark.end) for _ in (0,)):
            return None
        subject = None if form == "alone" else self._before(mark) or (self._after(mark) if form == "holds" else None)
        if subject is None and form != "alone" and not (self.state == "tests" and form == "holds" and self._bare(mark)):
            return self._of_everything(mark) if self.state == "tests" and form == "holds" else None
        behind = max(mark.end, subject.end) if subject is not None else mark.end
        if self.marks.solid(mark.start):
            return self._written_together(mark, subject, form)
        if not self._ends(behind) or (self.marks.ends_at("articles", self._word_end(mark.start)) and subject is None):
            return None
        start = min(mark.start, subject.start) if subject is not None else mark.start
        stance = self._stance(mark.start, mark.end)
        if form == "breaks":
            return self.claim("denied", "pass", start, behind, {}) if stance == "asserted" else None
        return self.claim(stance, "pass", start, behind, self._fields(subject, mark, behind))

    def _written_together(self, mark: Mark, subject: Mark | None, form: str) -> Claim | None:
        """The same in a script without spaces, where the form of a verb at the end says that it was done, and by whom."""
        first = min(mark, subject) if subject is not None else mark
        behind = max(mark.end, subject.end) if subject is not None else mark.end
        if unspaced.taken(self.prose, self.clause, first._replace(end=behind)):
            return None
        if subject is not None and not unspaced.ends(self.prose, self.clause, behind):
            return None
        stance = self._stance(first.start, behind)
        if form == "breaks":
            return self.claim("denied", "pass", first.start, behind, {}) if stance == "asserted" else None
        return self.claim(stance, "pass", first.start, behind, self._fields(subject, mark, behind))

    def did(self, mark: Mark) -> Claim | None:
        """An act that the speaker did: "committed", "pushed to main", "the changes are committed"."""
        active = self.marks.any("selves", self.clause.start, mark.start)  # "I committed it", not "it is committed"
        if not active and self.marks.any("doers", mark.end, stops(self.prose, mark.end, self.clause.end)):
            return None  # "the changes are committed by CI"
        if not (self._own(mark) and self._has_object(mark)):
            return None
        fields = {"active": "yes"} if active else {}
        return self.claim(self._stance(mark.start, mark.end), "done", mark.start, mark.end, fields)

    def ran(self, subject: Mark) -> Claim | None:
        for verb in self.marks.within("runs", max(self.clause.start, subject.start - REACH), subject.start):
            if self.marks.left(verb.end, subject.start, "articles", "all", "scopes", "count", "subject"):
                continue
            if self._own(verb):
                return self.claim(self._stance(verb.start, verb.end), "ran", verb.start, subject.end, {})
        return None

    def _word_end(self, start: int) -> int:
        return self.clause.start + len(self.prose.masked[self.clause.start : start].rstrip())

    def _subjects(self, start: int, end: int) -> list[Mark]:
        """The subjects of this state in a stretch, those in code spans too, in order."""
        listed = self.marks.within("subject", start, end)  # "CI build" is CI, and no build
        inner = {a for one in listed for a in listed if a[:2] != one[:2] and one.start <= a.start and a.end <= one.end}
        found = [one for one in listed if one.value == self.state and one not in inner]
        for span in HIDDEN.finditer(self.prose.masked, start, end):
            spelled = self.prose.text[span.start() : span.end()]
            if spelled[:1] == "`" and len(spelled) < 120 and self.state in _subjects_of(spelled, self.lexicon):
                found.append(Mark(span.start(), span.end(), self.state))
        return sorted(found)

    def _before(self, mark: Mark) -> Mark | None:
        """The subject that a predicate is said of: the nearest before it, with nothing strange between them."""
        if self.marks.solid(mark.start):
            start = max(self.clause.start, mark.start - REACH)
            return unspaced.subject(self.prose, self.clause, self.state, mark, (start, mark.start))
        for subject in reversed(self._subjects(max(self.clause.start, mark.start - REACH), mark.start)):
            stretch = (subject.end, mark.start)
            left = self._beside(self.marks.left(*stretch, *JOINS, f"holds.{self.state}"), *stretch)
            words = [self.prose.masked[a:b] for a, b in left if not self.prose.masked[a:b].isdecimal()]
            if not words and not self._another(subject, mark):
                return subject
            placed = (left and self.marks.ends_at("places", left[0][1])) or (
                words and self.marks.ends_at("parts", left[0][1])
            )
            if words and placed and len(words) <= 6 and not self._speaks(*stretch):
                return subject
        return None

    def _beside(self, words: list[tuple[int, int]], start: int, end: int) -> list[tuple[int, int]]:
        """Words of a stretch that stand in no brackets: "the suite (70 examples) and everything passes"."""
        asides = [one.span() for one in ASIDE.finditer(self.prose.masked, start, end)] if words else []
        return [(a, b) for a, b in words if not any(begun <= a and b <= ended for begun, ended in asides)]

    def _another(self, subject: Mark, mark: Mark) -> bool:
        """Whether a nearer subject takes a predicate in the singular: "I wrote tests and the build is green"."""
        nearer = [one for one in self.marks.within("subject", subject.end, mark.start) if one.value != self.state]
        if not nearer:
            return False
        return self.marks.any("singular", nearer[-1].end, mark.end)

    def _speaks(self, start: int, end: int) -> bool:
        return any(self.marks.any(form, start, end) for form in ("done", "base", "doing", "others"))

    def _after(self, mark: Mark) -> Mark | None:
        """ "passes the lint check", "passed all tests": something must stand between the two."""
        if self.marks.solid(mark.start):
            stretch = (mark.end, min(self.clause.end, mark.end + REACH))
            return unspaced.subject(self.prose, self.clause, self.state, mark, stretch)
        for subject in self._subjects(mark.end, min(self.clause.end, mark.end + REACH)):
            between = self.marks.words(mark.end, subject.start)
            if between and not self.marks.left(mark.end, subject.start, "articles", "all", "count", "scopes"):
                return subject
        return None

    def _bare(self, mark: Mark) -> bool:
        """ "4966/4966 passed", "12 passed, 0 failed": a number alone is said of tests."""
        found = BARE.search(self.prose.masked, max(self.clause.start, mark.start - 30), mark.start)
        if found is None or not self.marks.ends_at("counted", mark.end):
            return False
        return found.group(1) is not None or not self.marks.words(self.clause.start, found.start())

    def _of_everything(self, mark: Mark) -> Claim | None:
        """ "Everything passes": of the tests, it may be, where these were asked for."""
        start = self.clause.start
        alone = not self.marks.left(start, mark.start, "all", "auxiliaries", "between")
        if not (alone and self.marks.any("all", start, mark.start) and self.marks.ends_at("counted", mark.end)):
            return None
        fields = {"all": "yes", "bare": "yes", **self._fields(None, mark, mark.end)}
        told = "partial" not in fields and self._ends(mark.end) and self._stance(mark.start, mark.end) == "asserted"
        return self.claim("asserted", "pass", mark.start, mark.end, fields) if told else None

    def _ends(self, end: int) -> bool:
        """Whether what follows leaves the sentence as it is: an end, a mark, or one of a few words."""
        words = self.marks.words(end, self.clause.end)
        rest = self.prose.masked[end : self.clause.end]
        if not words or not rest[:1].isspace():
            return not rest[:1].isalnum() or not words
        gap = self.prose.masked[end : words[0][0]]
        if ARROW.match(gap):
            return False
        if gap.strip(" \t\n"):
            return "\x01" not in gap or any(char in gap.split("\x01")[0] for char in ".,;:!)(|")
        return any(one.start == words[0][0] for one in self.marks.within("follows", words[0][0], self.clause.end))

    def _stance(self, at: int, end: int) -> Stance:
        """How a predicate is meant, by what stands before it, over it, and at the sentence's end."""
        prose, marks, clause = self.prose, self.marks, self.clause
        opening = OPENING.match(prose.masked, clause.start, at)
        begin = opening.end() if opening else clause.start
        asked = any(mark in prose.masked[clause.sentence[1] - 4 : clause.sentence[1]] for mark in "?？")
        lead = clause.lead
        if (
            asked
            or marks.any("hedge", clause.start, clause.end)
            or "[ ]" in prose.text[max(0, clause.start - 6) : clause.start]
        ):
            return "mentioned"
        if lead is not None and (
            (lead.reports and lead.stance == "mentioned")
            or any(marks.any(one, lead.start, lead.end) for one in ("expects", "plan", "condition"))
        ):
            return "mentioned"
        named = self._subjects(max(clause.start, at - REACH), at)
        bare = LABELS.search(prose.masked, clause.start, at) is None and bool(named)  # "the CI run passed", no label
        plain = marks.within("base", clause.start, at)
        noun = bare and all(named[-1].start <= one.start and one.end <= named[-1].end for one in plain)
        wanted = any(marks.any(one, begin, at) for one in ("condition", "plan", "expects"))
        if wanted or (not noun and bids(prose, clause, self.state, (at, end))):
            return "mentioned"
        start = clause.sentence[0] if clause.sentence[0] <= clause.start else clause.start
        if any(marks.any(one, start, clause.start) for one in ("condition", "expects")):
            return "mentioned"  # "if a.md is fixed, which means that the tests pass"
        past = prose.masked.endswith("ed", at, end)
        if marks.any("condition", end, stops(prose, end, clause.end)) or any(
            past or not any(one.end + 1 == of.start and prose.masked[of.end - 1] == "s" for of in named)
            for one in marks.within("elsewhere", begin, clause.end)  # "previous tests pass" is of now
        ):
            return "mentioned"
        return "denied" if marks.any("negation", clause.start, at) else "asserted"

    def _own(self, verb: Mark) -> bool:
        """Whether the speaker did it: "I committed", "Committed", "updated a.md and pushed", "the changes are pushed"."""
        marks, prose, start = self.marks, self.prose, self.clause.start
        if marks.any("others", start, verb.start) and not marks.any("selves", start, verb.start):
            return False
        words = marks.left(start, verb.start, "between", "auxiliaries", "negation", "plan", "hedge", "condition")
        selves = marks.within("selves", start, verb.start)
        if not words:
            return True
        if any(one.start <= words[-1][0] and words[-1][1] <= one.end for one in selves):  # "I have" is one of them
            meant = (words[-1][1], verb.start)
            return not (marks.any("present", *meant) or marks.any("past", *meant))  # "we are committed to it"
        last = words[-1][1]
        if marks.ends_at(f"objects.{self.state}", last):
            plain = self.clause.kind == "text" and len(words) == 1
            alone = plain and HEADLINE.match(prose.masked, verb.end, self.clause.end)
            if alone or marks.any("auxiliaries", last, verb.start):
                return True
        if marks.ends_at(f"does.{self.state}", last) or any(
            marks.ends_at(f"does.{one}", last) for one in self.lexicon.states
        ):
            return True
        first = words[0]
        if len(words) == 1 and any(one.end == first[1] for one in marks.within("first", *first)):
            return True  # "Done — committed and pushed"
        leads = marks.within("selves", start, first[1] + 6) or [
            one for one in marks.within("done", start, first[1]) if one.start == first[0]
        ]
        leads = leads or [
            one
            for state in self.lexicon.states
            for one in marks.within(f"does.{state}", start, first[1])
            if one.start == first[0] and replace(self, state=state)._has_object(one)
        ]
        joined = prose.masked[start : verb.start].rstrip()
        return bool(leads) and joined.endswith((",", "and", "then", ":", ";"))

    def _has_object(self, verb: Mark) -> bool:
        """Whether a verb has one of its objects before or behind it, or stands alone."""
        marks, prose = self.marks, self.prose
        words = marks.words(verb.end, self.clause.end)
        gap = prose.masked[verb.end : words[0][0]] if words else ""
        if not words or gap.strip():
            return True
        if any(one.start == words[0][0] for one in marks.within("acted", verb.end, self.clause.end)):
            return True
        if marks.ends_at("places", words[0][1]) and prose.masked[words[0][1] : words[0][1] + 2].lstrip() == "\x01":
            return True  # "pushed to `main`"
        stop = min(words[min(4, len(words) - 1)][1], self.clause.end)
        cut = STOP.search(prose.masked, verb.end, stop)
        objects = marks.within(f"objects.{self.state}", verb.end, cut.start() if cut else stop)
        if not objects:
            return False
        placed = marks.within("places", objects[0].end, self.clause.end)[:1]
        if not placed or prose.masked[objects[0].end : placed[0].start].strip():
            return True
        there = placed[0].end  # "pushed the fix to origin", not "pushed the changes to your booking"
        known = marks.any(f"objects.{self.state}", there, min(there + REACH, self.clause.end))
        return known or prose.masked[there : there + 4].lstrip()[:1] == "\x01"

    def _fields(self, subject: Mark | None, mark: Mark, behind: int) -> dict[str, str]:
        """What a claim says beside its subject: how many, of what, and by which tool."""
        marks, prose, clause = self.marks, self.prose, self.clause
        fields: dict[str, str] = {}
        if self.state == "tests":
            fields |= self._numbers()
        failing = marks.any("failure", behind, clause.sentence[1])  # "10 passed, 2 failed"
        if failing or marks.any("partial", *clause.sentence) or self._excepts(behind):
            fields["partial"] = "yes"
        if subject is None:
            return fields
        named = prose.text[subject.start : subject.end].strip("`").lower()
        fields["named"] = named
        scope = self._scope(subject, mark)
        if scope:
            fields["scope"] = scope
        elif any(
            marks.any(one, *stretch)
            for one in ("all", "entire")
            for stretch in ((max(clause.start, subject.start - 24), subject.end), (subject.end, behind))
        ):
            fields["all"] = "yes"
        return fields

    def _excepts(self, behind: int) -> bool:
        """Whether a sentence names how many do not: "97 % pass", "all pass but two", "all pass; the API tests don't"."""
        prose, marks, end = self.prose, self.marks, self.clause.sentence[1]
        words, rest = marks.words(behind, end), [(turn.end, end) for turn in marks.within("turns", behind, end)]
        turned = any(len(marks.words(*one)) < 5 and marks.any("count", *one) for one in rest)
        denied = bool(words) and marks.ends_at("negation", words[-1][1])
        return turned or denied or SHORT.search(prose.masked, self.clause.start, behind) is not None

    def _numbers(self) -> dict[str, str]:
        text = self.prose.masked[self.clause.start : self.clause.end]
        if found := SHARE.search(text):
            return {"passed": found.group(1).replace(",", ""), "total": found.group(2).replace(",", "")}
        if found := NUMBER.search(text):
            return {"passed": found.group(1).replace(",", "")}
        return {}

    def _scope(self, subject: Mark, mark: Mark) -> str:
        """Which part is meant: "the two login tests", "tests in `tests/test_login.py`"; empty for no certain one."""
        prose, marks = self.prose, self.marks
        spans = [
            prose.text[one.start() : one.end()]
            for one in HIDDEN.finditer(prose.masked, self.clause.start, self.clause.end)
            if not INCLUDED.search(prose.masked, max(0, one.start() - REACH), one.start())
        ]
        files = [one.strip("`") for one in spans if one[:1] == "`" and CLAIMABLE.fullmatch(one.strip("`"))]
        if files:
            return " ".join(files)
        if prose.text[subject.start] == "`" or marks.solid(subject.start):
            return ""
        words: list[str] = []
        for start, end in reversed(marks.words(self.clause.start, subject.start)):
            word = prose.masked[start:end]
            stops = any(marks.ends_at(one, end) for one in ("articles", "all", "count", "done")) or word.isdecimal()
            if stops and not words and not marks.ends_at("all", end):
                break  # "the tests in the db module pass"
            if stops or len(words) > 3 or any(char in prose.masked[end : subject.start] for char in ".,;:!|()"):
                return " ".join(reversed(words)) if stops else ""
            if not (marks.ends_at("scopes", end) or marks.ends_at("subject", end)):
                words.append(word)
        placed = marks.left(subject.end, mark.start, "between", "auxiliaries", "all", "articles")
        placed = self._beside(placed, subject.end, mark.start)
        share = SHARE.fullmatch(prose.masked[placed[0][0] : mark.start].strip()) if placed else None
        counted = share is not None and share[1] == share[2]  # "Login tests: 12/12 passed"
        nouns = ("between", "auxiliaries", "articles", "scopes", "places", "entire")
        if mark.start > subject.end and placed and not counted and marks.left(subject.end, mark.start, *nouns):
            return prose.masked[placed[0][0] : mark.start].strip()
        alone = counted or self.clause.kind in ("row", "item") or len(words) == 1
        return " ".join(reversed(words)) if alone else ""
