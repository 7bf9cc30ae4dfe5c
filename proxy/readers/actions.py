"""Claims that something was done, or looked at: "order #W123 has been cancelled", "I've sent it", "I found two seats"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from proxy.claims import ALL, Claim
from proxy.lexicon import Lexicon, stem
from proxy.prose import Clause, Prose, Verb, quote
from proxy.readers.files import FOLDERS, paths

ENTITY = re.compile(
    r"(?<![\w/.@#-])(?:#?[A-Za-z]{0,5}[-_]?\d[\w-]*|(?=[A-Z\d]*\d)[A-Z\d]{5,12}|[\w.+-]+@[\w-]+\.[\w.]+|[A-Za-z]+[_-]\w*\d\w*)(?![\w@])",
    re.A,
)
"""What can name a thing: an order's number, a booking code, an address, an id; never a bare short number."""
LABEL = re.compile(r"[\s*_|`]*([^\W\d_](?:[\w'-]| (?! )){2,40}\w)[\s*_`]*[:|–—][\s*_:`]*$")
LOOKS = frozenset({"read", "find", "verify"})
"""Acts that only look."""


def read(prose: Prose, lexicon: Lexicon) -> Iterator[Claim]:
    """Kinds `action` and `reading` for deeds asserted, `announced` for those under way; denials keep their stance."""
    for clause in prose.clauses:
        if _admits(prose, clause):
            yield Claim("action", "", "denied", "", quote(prose.text, clause), clause.start, clause.end)
            continue
        for verb in clause.verbs:
            if verb.stance == "asserted" and _reports(prose, clause, verb):
                broad = verb.act in lexicon.broad
                if verb.act in FOLDERS and next(paths(prose.text, clause.start, clause.end, lexicon), None):
                    continue  # a file's edits have a reader of their own
                if not (broad and prose.marks.any("thoughts", clause.start, clause.end)):
                    yield from _claims(prose, clause, verb, _fields(prose, clause, verb, lexicon))
        yield from _announced(prose, clause, lexicon)


def whole(prose: Prose, lexicon: Lexicon) -> Iterator[Claim]:
    """Kind `text`: the answer itself, for auditors of what no clause says."""
    yield Claim("text", prose.text, "mentioned", end=len(prose.text))


def _admits(prose: Prose, clause: Clause) -> bool:
    """Whether a clause says that something failed or was not done; a bare "no" ("Insurance: no") says neither."""
    if clause.stance != "denied" and not clause.fails:
        return False
    denied = any(verb.stance == "denied" for verb in clause.verbs)
    return clause.fails or denied or prose.undone(clause.start, clause.end)


def _claims(prose: Prose, clause: Clause, verb: Verb, fields: Mapping[str, str]) -> Iterator[Claim]:
    """A claim for each thing that the clause names, or one that names none."""
    kind = "reading" if verb.act in LOOKS else "action"
    said = quote(prose.text, clause)
    names = list(entities(prose.text, clause.start, clause.end)) or _label(prose, clause, verb)
    count = ALL if prose.marks.any("all", clause.start, clause.end) else None
    for start, end in names or [(verb.start, verb.start)]:
        yield Claim(kind, prose.text[start:end], "asserted", verb.act, said, verb.start, verb.end, count, fields=fields)


def _fields(prose: Prose, clause: Clause, verb: Verb, lexicon: Lexicon) -> Mapping[str, str]:
    """What helps to find the deed: how its own verb begins, and `_stems`.

    `active`: "I have added"; `world`: nobody and nothing here is named, so "the bridge has been completed" may tell of the
    world; neither: "your order has been …".
    """
    words = prose.marks.words(clause.start, verb.start)
    near = words[-4][0] if len(words) >= 4 else clause.start
    passive = prose.marks.any("passive", near, verb.start)
    active = not words or (prose.marks.any("speakers", near, verb.start) and not passive)
    own = stem(prose.masked[verb.start : verb.end])
    said = any(prose.marks.any(category, clause.start, clause.end) for category in ("persons", "success"))
    said = said or bool(_label(prose, clause, verb))
    world = not active and not said and next(entities(prose.text, clause.start, clause.end), None) is None
    voice = {"active": "yes"} if active else {"world": "yes"} if world else {}
    return {"verb": own, **voice, **_stems(lexicon, verb.act)}


def _stems(lexicon: Lexicon, act: str) -> Mapping[str, str]:
    """`stems`: how the act's words begin, for an act that a tool must name; nothing for one that any change may be."""
    return {} if act in lexicon.broad else {"stems": " ".join(lexicon.stems[act])}


def _label(prose: Prose, clause: Clause, verb: Verb) -> list[tuple[int, int]]:
    """The words before a colon that a deed follows at once, in an item of a list: "**Desk lamp**: updated to black"."""
    found = LABEL.match(prose.text, clause.start, verb.start) if clause.kind in ("item", "row") else None
    return [found.span(1)] if found else []


def entities(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Where a stretch of text names things by id; amounts of money, dates and times are none."""
    for found in ENTITY.finditer(text, start, end):
        name = found.group().strip("#")
        digits = sum(char.isdigit() for char in name)
        before = text[max(start, found.start() - 1) : found.start()]
        if before in ("$", "€", "£", "¥") or len(name) < 5 or (name.isdigit() and digits < 6):
            continue
        if re.fullmatch(
            r"\d{4}-\d\d-\d\d.*|\d+(?:st|nd|rd|th|px|ms|kb|mb|gb|am|pm|h|s)|\d[\d-]*\d", name, re.I
        ) and not (name.isdigit() and digits >= 6):
            continue
        yield found.span()


def _reports(prose: Prose, clause: Clause, verb: Verb) -> bool:
    """Whether a past form says that it was done just now: "has been sent", "I sent", "Sent:", not "was sent in May"."""
    marks, masked = prose.marks, prose.masked
    if not masked[verb.start].isascii() and marks.solid(verb.start):  # "已取消": the form says it all
        return not marks.any("before", clause.start, verb.start)
    words = marks.words(clause.start, verb.start)
    near = words[-4][0] if len(words) >= 4 else clause.start
    if marks.any("before", clause.start, verb.start):
        return False
    if marks.any("success", near, verb.start):
        return True
    if marks.any("past", near, verb.start):
        return False
    last = words[-1][0] if words else clause.start
    if verb.act in LOOKS and marks.any("present", last, verb.start):
        return True
    if marks.any("perfect", near, verb.start):
        return True
    two = words[-2][0] if len(words) >= 2 else clause.start
    if marks.any("speakers", two, verb.start) or (not words and clause.kind != "heading"):
        return True
    return bool(_label(prose, clause, verb))


def _announced(prose: Prose, clause: Clause, lexicon: Lexicon) -> Iterator[Claim]:
    """A deed that the answer says is under way: "I am transferring you now", "now depositing all eight"."""
    for mark in prose.marks.within("doing", clause.start, clause.end):
        start = max(clause.start, prose.masked.rfind(":", clause.start, mark.start) + 1)  # "Next step: I am now …"
        if any(prose.marks.any(mood, start, mark.start) for mood in ("negation", "condition", "plan", "hedge")):
            return
        words = [prose.masked[a:b] for a, b in prose.marks.words(start, mark.start)]
        after = [prose.masked[a:b] for a, b in prose.marks.words(mark.end, clause.end)]
        speaks = words[-2:] in (["i", "am"], ["we", "are"]) or words[-1:] in (["i'm"], ["we're"])
        now = words[-1:] == ["now"] and (len(words) == 1 or words[-2:][0] in ("i'm", "we're", "am", "are"))
        if now or (speaks and "now" in after):
            said, fields = quote(prose.text, clause), _stems(lexicon, mark.value)
            yield Claim("announced", "", "asserted", mark.value, said, mark.start, mark.end, fields=fields)
            return
