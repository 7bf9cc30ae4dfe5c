"""Claims that something was done, or looked at: "order #W123 has been cancelled", "I've sent it", "I found two seats"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from proxy.claims import ALL, Claim
from proxy.lexicon import Lexicon, Mark
from proxy.prose import Clause, Prose, Verb, quote
from proxy.readers.files import FOLDERS, paths
from proxy.voice import LOOKS, implies, is_joined, is_mine, is_short, is_state, label, reports, words_before

MOST = 200
"""Claims of one answer that are held to the calls; nobody tells more deeds one by one."""
ENTITY = re.compile(
    r"(?<![\w/.@#-])(?:#?[A-Za-z]{0,5}[-_]?\d[\w-]*|(?=[A-Z\d]*\d)[A-Z\d]{5,12}|[\w.+-]+@[\w-]+\.[\w.]+|[A-Za-z]+[_-]\w*\d\w*)(?![\w@])",
    re.A,
)
"""What can name a thing: an order's number, a booking code, an address, an id; never a bare short number."""
MEASURE = re.compile(
    r"\d+(?:-[a-z]+)+|\d+[a-z]{1,3}(?:-\d+[a-z]{1,3})?|\d+[A-Za-z]?(?:-\d+[A-Za-z]?)?-[a-z]+|[A-Z][a-z]{2,}-\d{1,2}"
    r"|\d{1,2}-[A-Z][a-z]{2}(?:-\d{2,4})?",
    re.A,
)
"""What looks like an id and is a measure or a date: "30-minute", "10am-11am", "5-8pm", "Nov-15"."""
TARGET = re.compile(
    r"\b(?:for|from|with|about|at)\b|\b(?:to|into|onto|on) (?:your|his|her|their|our|\w+'s)\b|\bto [a-z]+ (?:an?|the)\b"
)
"""Between a verb and a noun these make it the place, or another verb's object: "added to your list", "to book a table"."""
AT_END = re.compile(r"[ *_)]*(?:[.!,;:—–]|and\b|$)")
AT_ONCE = re.compile(
    r"(?!.* (?:(?:for|until|by) now\b|(?:is|are|will|would|can|could|may|must|has|have|costs?|means?|takes?) ))"
    r" (?:the|all|your|it|them|this|these|that|both|an?)\b[^\n]* now *[.!…]*\s*$"
)
"""What stands behind a gerund that opens a sentence and says what "I" am at: "… all eight now.", not "… it now costs $50"."""
NOTHING = frozenset({"nothing", "none", "nobody", "cannot"})


def read(prose: Prose, lexicon: Lexicon) -> Iterator[Claim]:
    """Kinds `action` and `reading` for deeds asserted, `announced` for those under way; denials keep their stance.

    `success`: words that tell of a deed without naming it. A denial that is `mild` need not be one of what was asked for,
    and one of what "I" did not do (`own`) may tell of a choice.
    Kind `outcome` is for what may tell of a deed of now, of another time, or of one of thought: it takes more to doubt it.
    """
    yield from islice((claim for clause in prose.clauses for claim in _of(prose, clause, lexicon)), MOST)


def _of(prose: Prose, clause: Clause, lexicon: Lexicon) -> Iterator[Claim]:
    if _admits(prose, clause):
        said, fields = quote(prose.text, clause), _denial(prose, clause)
        yield Claim("action", "", "denied", "", said, clause.start, clause.end, fields=fields)
        if not clause.apart:
            return
    if _finished(prose, clause):
        yield Claim("success", "", "asserted", "succeed", quote(prose.text, clause), clause.start, clause.end)
    asserted = [one for one in clause.verbs if one.stance == "asserted"]
    told = [one for one in clause.verbs if reports(prose, clause, one)] if asserted else []
    deeds = [
        one for one in told if one.act not in LOOKS
    ]  # "three checked bags" tells of no look, "marked as solved" of a deed
    for verb in asserted:
        if verb.act not in lexicon.weak and verb in told:
            if verb.act in FOLDERS and next(paths(prose.text, clause.start, clause.end, lexicon), None):
                continue  # a file's edits have a reader of their own
            if not (verb.act in lexicon.thinks and _is_thought(prose, clause, verb)):
                yield from _claims(prose, clause, verb, deeds, _fields(prose, clause, verb, deeds, lexicon))
                continue
            yield Claim("success", "", "asserted", "think", quote(prose.text, clause), verb.start, verb.end)
        if verb.act not in LOOKS and implies(prose, clause, verb):
            start, end = _part(prose, clause, verb, deeds, False)
            part, said = {"part": prose.text[start:end]}, quote(prose.text, clause)
            yield Claim("outcome", "", "asserted", verb.act, said, verb.start, verb.end, fields=part)
    yield from _announced(prose, clause, lexicon)


def _is_thought(prose: Prose, clause: Clause, verb: Verb) -> bool:
    """Whether a deed may be one of thought: "the analysis is done", not "added to your shopping list"."""
    for mark in prose.marks.within("thoughts", clause.start, clause.end):
        if mark.end <= verb.start or TARGET.search(prose.masked, verb.end, mark.start) is None:
            return True
    return False


def whole(prose: Prose, lexicon: Lexicon) -> Iterator[Claim]:
    """Kind `text`: the answer itself, for auditors of what no clause says."""
    yield Claim("text", prose.text, "mentioned", end=len(prose.text))


def _admits(prose: Prose, clause: Clause) -> bool:
    """Whether a clause says that something failed or was not done; a bare "no" ("Insurance: no") says neither."""
    if clause.apart:
        return True
    if clause.stance != "denied" and not clause.fails:
        return False
    denied = any(verb.stance == "denied" for verb in clause.verbs)
    return clause.fails or denied or prose.undone(clause.start, clause.end)


def _denial(prose: Prose, clause: Clause) -> dict[str, str]:
    """What sort of denial a clause is: one that something `fails`, or came to nothing; of what "I" did, `own`; a `mild` one."""
    marks = prose.marks
    words = marks.words(clause.start, clause.end)
    if any(prose.masked[a:b] in NOTHING for a, b in words):
        return {"fails": "yes"} if clause.fails else {}
    if clause.fails:
        kept = marks.within("as_before", clause.start, clause.end)
        named = any(b - a > 4 for a, b in words if not any(one.start <= a < one.end for one in kept))
        only = len(kept) == len(marks.within("failure", clause.start, clause.end))
        return {"mild": "yes"} if kept and named and only else {"fails": "yes"}
    return {"own": "yes"} if marks.any("speakers", clause.start, clause.end) else {"mild": "yes"}


def _finished(prose: Prose, clause: Clause) -> bool:
    """Whether a clause tells that something is done, without a verb that names it: "All set!", "the lamp is now black"."""
    moods = ("condition", "hedge")
    if clause.stance == "mentioned" or any(prose.marks.any(mood, clause.start, clause.end) for mood in moods):
        return False
    for mark in prose.marks.within("finished", clause.start, clause.end):
        bare = prose.masked[mark.start : mark.end].endswith((" in", " on", " off", " up"))
        ends = AT_END.match(prose.masked, mark.end) is not None
        if (ends or not bare) and not prose.marks.any("negation", clause.start, mark.start):
            return True
    words = prose.marks.words(clause.start, clause.end)
    first = prose.marks.within("first", clause.start, clause.end)
    if clause.stance != "asserted" or not first or first[0].start != words[0][0]:
        return False
    return prose.masked[first[0].end : first[0].end + 4].lstrip(" *")[:1] in ("!", ".", ",", "—", "–", ":", "")


def _claims(
    prose: Prose, clause: Clause, verb: Verb, deeds: Sequence[Verb], fields: Mapping[str, str]
) -> Iterator[Claim]:
    """A claim for each thing that the clause names, or one that names none."""
    kind = "reading" if verb.act in LOOKS else "action"
    said = quote(prose.text, clause)
    own = list(_named(prose, clause, *_part(prose, clause, verb, deeds, "active" in fields)))
    begin = verb.end if "active" in fields else clause.start  # "HAT045 was gone, so I booked the other one"
    names = own or list(_named(prose, clause, begin, clause.end)) or label(prose, clause, verb)
    count = ALL if prose.marks.any("all", clause.start, clause.end) else None
    bound = _bound(prose, clause, verb, names)
    for start, end in names or [(verb.start, verb.start)]:
        close = (start, end) in bound
        subject = prose.text[start:end]
        yield Claim(kind, subject, "asserted", verb.act, said, verb.start, verb.end, count, close, fields)


def _named(prose: Prose, clause: Clause, start: int, end: int) -> Iterator[tuple[int, int]]:
    """What a stretch of a clause names, but for what stands in parentheses that deny: "(not #W1002)"."""
    for one in entities(prose.text, start, end):
        if not any(begin < one[0] < stop for begin, stop in clause.apart):
            yield one


def _bound(prose: Prose, clause: Clause, verb: Verb, names: Sequence[tuple[int, int]]) -> set[tuple[int, int]]:
    """The things that the verb itself is about: "cancelled orders A1 and A2", "A1 and A2 have been cancelled"."""
    after = [one for one in names if one[0] >= verb.end]
    before = [one for one in names if one[1] <= verb.start]
    found: set[tuple[int, int]] = set()
    at = verb.end
    for one in after:
        between = [prose.masked[a:b] for a, b in prose.marks.words(at, one[0])]
        listed = not found and prose.masked[at : one[0]].rstrip(" \n*").endswith((":", "："))
        loose = prose.marks.any("sources", at, one[0]) or len(between) > 6
        if (loose and not listed) or (found and set(between) - JOINING):
            break
        found.add(one)
        at = one[1]
    at = verb.start
    for one in reversed(before if not found else []):
        between = [prose.masked[a:b] for a, b in prose.marks.left(one[1], at, "auxiliaries")]
        if (found and set(between) - JOINING) or (not found and between):
            break
        found.add(one)
        at = one[0]
    return found


JOINING = frozenset({"and", "as", "well", "plus", "order", "orders", "also", "both", "then"})


def _fields(prose: Prose, clause: Clause, verb: Verb, deeds: Sequence[Verb], lexicon: Lexicon) -> Mapping[str, str]:
    """What helps to find the deed: how its own verb begins, its part of the clause, and `_stems`.

    `active`: "I have added", and with `bare`, "Added"; `world`: nobody and nothing here is named, so "the bridge has been
    completed" may tell of the world; `state`: "your room is booked"; none of them: "your order has been …". `foreign`: in
    another language than tools speak, and `means` what it is called in theirs.
    """
    solid = prose.marks.solid(verb.start)
    words = [] if solid else words_before(prose, clause, verb)
    near = words[-4][0] if len(words) >= 4 else clause.start
    passive = prose.marks.any("passive", near, verb.start)
    active = (
        _by_me(prose, clause, verb)
        if solid
        else not words or (prose.marks.any("speakers", near, verb.start) and not passive)
    )
    two = words[-2][0] if len(words) >= 2 else clause.start
    if not solid:
        active = (
            active
            or is_mine(prose, clause, verb)
            or prose.marks.any("speakers", two, verb.start)
            or is_joined(prose, clause, verb)
        )
    said_so = prose.masked[verb.start : verb.end]
    means = lexicon.meaning(said_so)
    own = _root(means or said_so)
    said = any(prose.marks.any(category, clause.start, clause.end) for category in ("persons", "success"))
    said = said or bool(label(prose, clause, verb))
    world = not active and not said and next(entities(prose.text, clause.start, clause.end), None) is None
    voice = {"active": "yes"} if active else {"world": "yes"} if world else {}
    voice |= {"bare": "yes"} if active and not words else {}
    voice |= {"perfect": "yes"} if solid or prose.marks.any("perfect", near, verb.start) else {}
    listed = clause.kind == "row" and not (clause.lead is not None and clause.lead.verbs)
    short = not active and not prose.marks.any("perfect", clause.start, verb.start)
    tells = short and (is_state(prose, clause, verb) or is_short(prose, clause, verb))
    state = {"state": "yes"} if listed or tells else {}
    start, end = _part(prose, clause, verb, deeds, active)
    english = {"foreign": "yes"} if said_so not in lexicon.native else {}
    english |= {"means": means} if means else {}
    return {"verb": own, "part": prose.text[start:end], **voice, **state, **english, **_stems(lexicon, verb.act)}


def _by_me(prose: Prose, clause: Clause, verb: Verb) -> bool:
    """Whether a form in a script without spaces says that "I" did it: "为您取消了", "キャンセルいたしました"."""
    marks, stop = prose.marks, min(clause.end, verb.end + 6)
    if any(mark.start < verb.end < mark.end + 6 for mark in marks.within("passive", verb.start, stop)):
        return False
    return marks.any("speakers", clause.start, verb.end)


def _root(form: str) -> str:
    """How a verb begins in all its forms: "added" and "add", "logged" and "log", "paid" and "pay"."""
    word = form.split()[0]
    root = IRREGULAR.get(word) or re.sub(r"(?:ed|d|e)$", "", word)
    return root[:-1] if len(root) > 3 and root[-1] == root[-2] else root if len(root) > 2 else word


IRREGULAR = {
    "sent": "sen",
    "paid": "pay",
    "bought": "buy",
    "made": "mak",
    "wrote": "writ",
    "written": "writ",
    "set": "set",
}


def _part(prose: Prose, clause: Clause, verb: Verb, deeds: Sequence[Verb], active: bool) -> tuple[int, int]:
    """The stretch of a clause that is about one of its verbs, as far as the next deed: behind it, and before a passive."""
    end = next((one.start for one in deeds if one.start > verb.start), clause.end)
    ends = prose.marks.solid(verb.start) or prose.marks.any("frames", clause.start, verb.start)
    if active and not ends:
        return verb.start, end
    return max((one.end for one in deeds if one.end <= verb.start), default=clause.start), end


def _stems(lexicon: Lexicon, act: str) -> Mapping[str, str]:
    """`stems`: how the act's words begin, for an act that a tool must name; nothing for one that any change may be."""
    return {} if act in lexicon.broad else {"stems": " ".join(lexicon.stems[act])}


def entities(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Where a stretch of text names things by id; amounts of money, dates and times are none."""
    for found in ENTITY.finditer(text, start, end):
        name = found.group().strip("#")
        digits = sum(char.isdigit() for char in name)
        before = text[max(start, found.start() - 1) : found.start()]
        if found.group()[0] == "#" and name.isdigit() and digits >= 2:
            yield found.span()
            continue
        if before in ("$", "€", "£", "¥") or len(name) < 5 or (name.isdigit() and digits < 6):
            continue
        if MEASURE.fullmatch(name):
            continue
        if re.fullmatch(
            r"\d{4}-\d\d-\d\d.*|\d+(?:st|nd|rd|th|px|ms|kb|mb|gb|am|pm|h|s)|(?:19|20)\d\d-\d\d(?:\d\d)?|\d{1,3}(?:-\d{1,3})+",
            name,
            re.I,
        ) or (digits < 6 and re.fullmatch(r"[\d-]+", name)):
            continue
        yield found.span()


def _announced(prose: Prose, clause: Clause, lexicon: Lexicon) -> Iterator[Claim]:
    """A deed that the answer says is under way: "I am transferring you now", "now depositing all eight"."""
    if "?" in prose.masked[clause.sentence[1] - 3 : clause.sentence[1]]:
        return
    for mark in prose.marks.within("doing", clause.start, clause.end):
        start = max(clause.start, prose.masked.rfind(":", clause.start, mark.start) + 1)  # "Next step: I am now …"
        moods = ("negation", "condition", "plan", "hedge", "others")
        if any(prose.marks.any(mood, start, mark.start) for mood in moods):
            return
        if _under_way(prose, clause, start, mark):
            said, fields = quote(prose.text, clause), _stems(lexicon, mark.value)
            yield Claim("announced", "", "asserted", mark.value, said, mark.start, mark.end, fields=fields)
            return


def _under_way(prose: Prose, clause: Clause, start: int, mark: Mark) -> bool:
    """Whether it is said that "I" am at it "now": one of the two may be left out in no language that is listed."""
    marks = prose.marks
    if marks.solid(mark.start):
        said = marks.any("announcers", start, mark.end)
        return said and marks.any("moments", start, mark.end)
    words = [prose.masked[a:b] for a, b in marks.words(start, mark.start)]
    if words[-1:] == ["now"] and (len(words) == 1 or words[-2:][0] in ("i'm", "we're", "am", "are")):
        return True
    before = marks.words(start, mark.start)
    after = marks.words(mark.end, clause.end)
    speaks = bool(before) and marks.ends_at("announcers", before[-1][1])
    speaks = speaks or prose.masked[mark.start : mark.end].startswith("j'")
    bare = not before and start == clause.sentence[0] and clause.kind == "text"  # "Depositing all eight now."
    turned = bool(after) and any(one.start == after[0][0] for one in marks.within("announcers", *after[0]))
    if not speaks and not turned:
        return bare and AT_ONCE.match(prose.masked[mark.end : clause.sentence[1]]) is not None
    return marks.any("moments", mark.end, clause.end) or (turned and marks.any("moments", start, mark.start))
