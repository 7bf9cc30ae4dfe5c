"""Claims about videos and sounds: "the video is rendered", "validated", "all checks passed", "3:20 long", "1080p"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from proxy.claims import Claim
from proxy.lexicon import Lexicon, Mark
from proxy.prose import Clause, Prose, Stance, Verb, quote

SUBJECT = re.compile(r"(?i)(?<![\w./-])[\w./-]*\w\.(?:mp4|m4v|mov|webm|mkv|mp3|wav|ogg|flac|m4a)(?!\.*\w)")
SOUNDS = ("mp3", "wav", "ogg", "flac", "m4a")
CLOCK = re.compile(r"(?<![\d:.,/-])(?:(\d{1,2}):)?(\d{1,3}):([0-5]\d)(?![\d:]|\.\d)")
COMPACT = re.compile(r"(?<![\w.])(?:(\d{1,2})h ?)?(?:(\d{1,3})m(?:in)? ?)?(\d{1,5}(?:\.\d+)?)s(?:ec)?(?!\w)")
NUMBER = re.compile(r"(?<![\w.:,])(\d{1,5}(?:\.\d+)?)[ \-\u00a0]?$")
HYPHENED = re.compile(r"(?<![\w.-])(\d{1,5}(?:\.\d+)?)-([^\W\d_]{1,12})(?![\w-])")
LINES = re.compile(r"(?<![\w.])(\d{3,4})p(?!\w)")
PICTURE = re.compile(r"(?<![\w.])(\d{3,5}) ?[x×] ?(\d{3,5})(?!\w)")
UNITS = {"hours": 3600, "minutes": 60, "seconds": 1}

Quantity = tuple[int, int, float, float]
"""Where it stands, how many seconds it says, and how far from that it may be as it is written."""


def read(prose: Prose, lexicon: Lexicon) -> Iterator[Claim]:
    """Claims of the kind `media`, by act: `render`, `create`, `verify`, `checks`, `length`, `picture`.

    `fields` has `noun` (`video` or `audio`); for a length `seconds` and `within`, both in seconds; for a picture `height` and
    perhaps `width`; for an act told as what is so ("is rendered") a `state`; and an `of` where the clause itself says that
    media are meant.
    """
    last = ""
    for clause in prose.clauses:
        subject, noun = _subject(prose, clause)
        said = noun or (_subject(prose, clause.lead)[1] if clause.lead is not None else "")
        about = said or (last if _goes_on(prose, clause) else "")
        last = said or last
        yield from _acts(prose, clause, subject, noun)
        yield from _checks(prose, clause, noun)
        if about and clause.kind != "heading":
            yield from _quantities(prose, lexicon, clause, subject, about)


def _subject(prose: Prose, clause: Clause) -> tuple[str, str]:
    """The media file that a clause names, and whether it speaks of a video or of a sound; empty where of neither."""
    found = SUBJECT.search(
        prose.text[clause.start : clause.end]
    )  # a name may begin where the clause does, letters before it
    name = found.group() if found else ""
    if name:
        return name, "audio" if name.rpartition(".")[2].lower() in SOUNDS else "video"
    marks = prose.marks
    if marks.any("media.video", clause.start, clause.end):
        return "", "video"
    return "", "audio" if marks.any("media.audio", clause.start, clause.end) else ""


def _goes_on(prose: Prose, clause: Clause) -> bool:
    """Whether a clause speaks of what was named before: "it is …", "duration: …"."""
    first = prose.marks.words(clause.start, clause.end)[:1]
    if not first:
        return False
    start, end = first[0]
    word = prose.masked[start:end]
    return word in ("it", "it's", "its", "duration", "length", "runtime", "resolution")


def _claim(prose: Prose, clause: Clause, subject: str, stance: Stance, act: str, **fields: str) -> Claim:
    said = quote(prose.text, clause)
    return Claim("media", subject, stance, act, said, clause.start, clause.end, fields=fields)


def _acts(prose: Prose, clause: Clause, subject: str, noun: str) -> Iterator[Claim]:
    """What is said to have been done to a video or a sound that the clause names."""
    if not noun:
        return
    for verb in clause.verbs:
        act = verb.act
        if act == "create" and prose.masked[verb.start : verb.end] not in _made(prose, verb):
            continue
        if act in ("render", "create", "verify") and _bound(prose, clause, verb):
            state = {"state": "yes"} if prose.marks.any("media.states", clause.start, verb.start) else {}
            yield _claim(prose, clause, subject, verb.stance, act, noun=noun, of="media", **state)


def _made(prose: Prose, verb: Verb) -> list[str]:
    return [prose.masked[mark.start : mark.end] for mark in prose.marks.within("media.made", verb.start, verb.end)]


def _bound(prose: Prose, clause: Clause, verb: Verb) -> bool:
    """Whether a verb and a media noun, or a media file's name, belong together: nothing of weight between them."""
    marks = prose.marks
    nouns = [
        (mark.start, mark.end)
        for kind in ("media.video", "media.audio")
        for mark in marks.within(kind, clause.start, clause.end)
    ]
    names = [found.span() for found in SUBJECT.finditer(prose.text, clause.start, clause.end)]
    for start, end in (*names, *nouns):
        if start >= verb.end and _light(prose, verb.end, start, "articles", *LOOSE):
            if (start, end) in names or _ends_there(prose, clause, end):
                return True
        elif end <= verb.start and _light(prose, end, verb.start, "auxiliaries", "done"):
            return True
    return False


def _light(prose: Prose, start: int, end: int, *kinds: str) -> bool:
    """Whether nothing stands in a stretch but words of some kinds, media nouns and numbers ("a 3:20 video")."""
    left = prose.marks.left(start, end, "media.video", "media.audio", *kinds)
    return all(any(char.isdigit() for char in prose.masked[a:b]) for a, b in left)


LOOSE = ("media.of", "places")


def _ends_there(prose: Prose, clause: Clause, at: int) -> bool:
    """Whether a noun is the last of its kind: "the video", not "the video schema"."""
    rest = prose.marks.words(at, clause.end)
    if not rest:
        return True
    start, _ = rest[0]
    between = prose.masked[at:start]
    kinds = ("auxiliaries", "places", "sources", "turns", "neutral", "articles", "count", "done", "others", "plan")
    return bool(between.strip(" ")) or any(_at(prose, kind, start) for kind in kinds)


def _at(prose: Prose, category: str, start: int) -> list[Mark]:
    return [mark for mark in prose.marks.within(category, start, start + 40) if mark.start == start]


def _checks(prose: Prose, clause: Clause, noun: str) -> Iterator[Claim]:
    """ "All checks passed"; and, denied, that one did not, so that whoever says so is not held to the rest."""
    marks, start, end = prose.marks, clause.start, clause.end
    of = {"of": "media"} if noun or marks.any("media.of", start, end) else {}
    if clause.stance == "denied" and marks.any("media.check", start, end):
        yield _claim(prose, clause, "", "denied", "checks", noun=noun or "video", **of)
        return
    if not (marks.any("media.checks", start, end) or _all_checks(prose, clause)) or not marks.any(
        "media.passed", start, end
    ):
        return
    excepts = [prose.masked[mark.start : mark.end] for mark in marks.within("excepts", *clause.sentence)]
    partly = any(word != "without" for word in excepts) or marks.any("others", start, end)
    stance = "mentioned" if partly else clause.stance
    yield _claim(prose, clause, "", stance, "checks", noun=noun or "video", **of)


def _all_checks(prose: Prose, clause: Clause) -> bool:
    """ "All 13 checks": a number between the two words."""
    marks = prose.marks
    for mark in marks.within("all", clause.start, clause.end):
        after = marks.words(mark.end, clause.end)[:2]
        if len(after) == 2 and prose.masked[slice(*after[0])].isdecimal() and _at(prose, "media.check", after[1][0]):
            return True
    return False


def _quantities(prose: Prose, lexicon: Lexicon, clause: Clause, subject: str, noun: str) -> Iterator[Claim]:
    marks, start, end = prose.marks, clause.start, clause.end
    other = marks.any("media.other", start, end) or marks.any("others", start, end)
    stance: Stance = "mentioned" if other else clause.stance
    lengths = list(_lengths(prose, lexicon, clause))
    if lengths and len({seconds for _, _, seconds, _ in lengths}) == 1 and _is_length(prose, clause, lengths[0]):
        _, _, seconds, within = lengths[0]
        if marks.any("media.about", start, end) or prose.masked[lengths[0][0] - 1 : lengths[0][0]] in ("~", "≈"):
            within = max(within, seconds * 0.1)
        fields = {"seconds": f"{seconds:g}", "within": f"{within:g}"}
        yield _claim(prose, clause, subject, stance, "length", noun=noun, **fields)
    if noun == "video" and not marks.any("media.pictures", start, end):
        pictures = {found.groups() for found in PICTURE.finditer(prose.masked, start, end)}
        lines = {found[1] for found in LINES.finditer(prose.masked, start, end)}
        if len(pictures) == 1:
            ((width, height),) = pictures
            yield _claim(prose, clause, subject, stance, "picture", noun=noun, width=width, height=height)
        elif len(lines) == 1 and not pictures:
            yield _claim(prose, clause, subject, stance, "picture", noun=noun, height=lines.pop())


def _lengths(prose: Prose, lexicon: Lexicon, clause: Clause) -> Iterator[Quantity]:
    """Every stretch of time in a clause: "3:20", "3m20s", "200 seconds", "3 minutes 20 seconds"."""
    masked, start, end = prose.masked, clause.start, clause.end
    for found in CLOCK.finditer(masked, start, end):
        clock = int(found[1] or 0) * 3600 + int(found[2]) * 60 + int(found[3])
        yield found.start(), found.end(), float(clock), 1.0
    for found in COMPACT.finditer(masked, start, end):
        compact = int(found[1] or 0) * 3600 + int(found[2] or 0) * 60 + float(found[3])
        yield found.start(), found.end(), compact, 1.0
    for found in HYPHENED.finditer(masked, start, end):
        unit = lexicon.marks(found[2])
        for name, length in UNITS.items():
            if unit.any(f"media.{name}", 0, len(found[2])):
                yield found.start(), found.end(), float(found[1]) * length, max(1.0, length / 2)
    parts: list[Quantity] = []
    marks = sorted(
        (mark.start, mark.end, name) for name in UNITS for mark in prose.marks.within(f"media.{name}", start, end)
    )
    for at, stop, name in marks:
        number = NUMBER.search(masked, max(start, at - 12), at)
        if not number:
            continue
        seconds, precise = float(number[1]) * UNITS[name], "." in number[1]
        within = UNITS[name] * (0.1 if precise else 0.5) if UNITS[name] > 1 else 1.0
        if parts and not masked[parts[-1][1] : number.start()].strip(" ,-and"):
            parts[-1] = (parts[-1][0], stop, parts[-1][2] + seconds, within)
        else:
            parts.append((number.start(), stop, seconds, within))
    yield from parts


def _is_length(prose: Prose, clause: Clause, found: Quantity) -> bool:
    """Whether a stretch of time is how long something is: a word says so, or it stands right before the noun."""
    marks, (start, end, _, _) = prose.marks, found
    before = marks.left(clause.start, start, "media.about", "media.length")[-1:]
    if before and any(marks.ends_at(kind, before[0][1]) for kind in ("places", "sources")):
        return False
    if marks.any("media.length", clause.start, clause.end):
        return True
    after = marks.words(end, clause.end)[:1]
    return bool(after) and any(_at(prose, kind, after[0][0]) for kind in ("media.video", "media.audio"))
