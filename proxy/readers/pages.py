"""Claims about pages on the web: "published at https://…", "the post is live", "saved as a draft", "scheduled for Monday"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from proxy.claims import ALL, Claim
from proxy.lexicon import Lexicon, Mark
from proxy.links import urls
from proxy.prose import Clause, Prose, Stance, quote

MOST = 200
"""Claims of one answer, so that a flood of links costs little."""

TITLE = re.compile(r"[\"“]([^\"“”\n]{3,100}\s[^\"“”\n]{1,100})[\"”]")

State = tuple[str, Stance, Mark]
"""An act (`publish`, `draft`, `schedule`), how it is said, and the word that says it."""


def read(prose: Prose, lexicon: Lexicon) -> Iterator[Claim]:
    """Kind `page`, with the URL as its subject where the answer gives one, and the act `publish`, `draft` or `schedule`.

    `fields` hold a `title` that stands in quotation marks beside it, and `own`: "yes" where the answer tells of a deed of
    its own, and not of what somebody published.
    """
    prose = prose.every()
    yield from islice((claim for clause in prose.clauses for claim in _of(prose, clause)), MOST)


def _of(prose: Prose, clause: Clause) -> Iterator[Claim]:
    links = list(_links(prose, clause))
    state, of = _state(prose, clause), clause
    if state is None and links and clause.lead is not None and not clause.verbs:
        state, of = _state(prose, clause.lead), clause.lead
    if state is None:
        return
    act, stance, mark = state
    said, fields = quote(prose.text, clause), _fields(prose, of, mark)
    bound = [one for one in links if of is not clause or _bound(prose, mark, *one)]
    for start, end in bound:
        yield Claim("page", prose.text[start:end], stance, act, said, start, end, close=True, fields=fields)
    if not bound and _of_a_page(prose, clause):
        count = _count(prose, clause)
        yield Claim("page", "", stance, act, said, mark.start, mark.end, count, fields=fields)


def _links(prose: Prose, clause: Clause) -> Iterator[tuple[int, int]]:
    if prose.text.find("://", clause.start, clause.end) >= 0:
        yield from urls(prose.text, clause.start, clause.end)


def _state(prose: Prose, clause: Clause) -> State | None:
    """What a clause says of a page; of several such words the one that is said most firmly."""
    marks, start, end = prose.marks, clause.start, clause.end
    if drafted := marks.within("pages.drafted", start, end):
        return "draft", _stance(prose, clause, drafted[0]), drafted[0]
    found: list[State] = [
        ("publish", verb.stance, Mark(verb.start, verb.end)) for verb in clause.verbs if verb.act == "publish"
    ]
    for category, act in (("live", "publish"), ("draft", "draft"), ("scheduled", "schedule")):
        words = [mark for mark in marks.within(f"pages.{category}", start, end) if _tells(prose, clause, mark)]
        found += [(act, _stance(prose, clause, mark), mark) for mark in words]
    firm = {"asserted": 0, "denied": 1, "mentioned": 2}
    return min(found, key=lambda state: (firm[state[1]], state[0] != "publish"), default=None)


def _tells(prose: Prose, clause: Clause, mark: Mark) -> bool:
    """Whether a word tells of a state ("is live", "Draft: …", "saved a draft"), and does not describe ("the live site")."""
    if any(verb.start == mark.start for verb in clause.verbs):
        return True
    before = prose.marks.words(clause.start, mark.start)
    if not before:
        return True
    if prose.marks.ends_at("pages.becomes", before[-1][1]) and "\x01" not in prose.masked[before[-1][1] : mark.start]:
        return True
    after = prose.marks.words(mark.end, clause.end)[:1]
    return bool(after) and prose.marks.any("pages.become", after[0][0], after[0][1])


def _stance(prose: Prose, clause: Clause, mark: Mark) -> Stance:
    for verb in clause.verbs:
        if verb.start <= mark.start < verb.end:
            return verb.stance
    if prose.marks.any("negation", clause.start, mark.start):
        return "denied"
    if any(prose.marks.any(mood, clause.start, mark.start) for mood in ("plan", "condition", "hedge")):
        return "mentioned"
    return clause.stance


def _fields(prose: Prose, clause: Clause, mark: Mark) -> dict[str, str]:
    own = prose.marks.any("persons", clause.start, mark.start) or not prose.marks.words(clause.start, mark.start)
    title = TITLE.search(prose.text, clause.start, clause.end)
    return {"own": "yes" if own else "no", **({"title": title[1]} if title else {})}


def _bound(prose: Prose, mark: Mark, start: int, end: int) -> bool:
    """Whether a URL is the page that a word speaks of: "live at URL", "URL is live", not "published, based on URL"."""
    if mark.end <= start:
        words = prose.marks.words(mark.end, start)
        return not (words and prose.marks.ends_at("sources", words[-1][1]))
    return not prose.marks.left(end, mark.start, "auxiliaries", "negation", "pages.becomes")


def _of_a_page(prose: Prose, clause: Clause) -> bool:
    """Whether a clause without a URL speaks of a page: by a noun of the list, a title, or in few words ("Published.")."""
    few = len(prose.marks.words(clause.start, clause.end)) <= 6
    titled = TITLE.search(prose.text, clause.start, clause.end) is not None
    return few or titled or prose.marks.any("pages.things", clause.start, clause.end)


def _count(prose: Prose, clause: Clause) -> int | None:
    if counts := prose.marks.within("count", clause.start, clause.end):
        return int(counts[0].value)
    return ALL if prose.marks.any("all", clause.start, clause.end) else None
