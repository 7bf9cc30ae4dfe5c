"""Hide what a text does not say in its own words: code, addresses, quotations; every other word stays at its place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

Span = tuple[int, int]

MONTH = re.compile(
    r"\bMay(?=,? \d)|(?<=\d )May\b"
    r"|(?:(?<=\bin )|(?<=\bof )|(?<=\bby )|(?<=\bto )|(?<=\bfor )|(?<=\bfrom )"
    r"|(?<=\bnext )|(?<=\blast )|(?<=\buntil )|(?<=\bsince ))May\b"
)
"""May, where it is no verb."""
THOUGHT = re.compile(r"(?i)<(/?)(?:[a-z]+[-_])?(?:think(?:ing)?|thoughts?|reasoning|reflection|scratchpad)>")
"""The marks of a model's reasoning, which some servers leave in the answer."""
ALONE = re.compile(r"[ \t]*(?:\n|$)")
"""Behind the end of reasoning whose beginning is not marked; one in a sentence is spoken of."""
NEAR = 40
"""Code points before such a mark in which a line may begin."""
TEX = re.compile(
    r"\\(?:d?frac|times|cdots?|[lc]?dots|sqrt|boxed|text|math[a-z]+|leq?|geq?|neq?|approx|equiv|sum|int|infty|alpha|beta|theta"
    r"|pi|in|left|right|quad|pm|p?mod|begin)(?![a-zA-Z])"
)
"""What a text has in which dollars are no money."""
FORMULA = re.compile(
    r"\$\$[^$]+\$\$|\$(?=[^$\n]*[\\^=_{]|[\d.,]+\$)[^$\n]+\$|\\\([^\n]{1,200}?\\\)|\\\[.{1,600}?\\\]", re.S
)
NUMBER = re.compile(r"\b[Nn][Oo]\.(?=\s?[*_`#]*\d)")
"""What stands before a number, and denies nothing: "the neighbour at no. 12"."""
BACKTICKS = re.compile(r"`+")
ADDRESS = re.compile(r"(?i)https?://[^\s<>\"'`\\|]*[\w/=&#%~+-]|(?<=[\w.+-])@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}")
"""A URL, or the domain of a mail address: its words are a name, and say nothing."""
LINK = re.compile(r"\[[^\]\n]{1,200}\](?=\(http)")
"""The text of a link: it names a page."""
BLANK = re.compile(r"\s")
KEYED = re.compile(r"\"\s?:\s?$")
"""What stands between a name and its value in JSON."""
OPENING = re.compile(r"[\"“«「]|'(?<![\w']')")
QUOTED = {
    "“": re.compile(r"(?=[^”\s]*+\s)[^”\n]*+(?:\n[^”\n]*+)?+(”)|[^”\n]*+"),
    "'": re.compile(r"(?=[^'\s]*+\s)[^'\n]*+(?:\n[^'\n]*+)?+(')(?!\w)|[^'\n]*+"),
    **{opens: re.compile(rf"[^{closes}\n]*+({closes}?)") for opens, closes in ('""', "«»", "「」")},
}
"""By what opens a quotation, the rest of it and what closes it; else how far nothing can close another one that opens so."""


def spoken(text: str) -> str:
    """A text with blanks in place of formulas, and of a model's reasoning: where only its end is marked, of all before."""
    if "\\" in text and TEX.search(text) is not None:
        text = _without(text, (found.span() for found in FORMULA.finditer(text)), " ")
    if "<" not in text:
        return text
    spans = list[Span]()
    at, since = 0, -1
    plain = _without(text, code_spans(text))  # what speaks of such a mark names it in code
    for one in THOUGHT.finditer(plain):
        before = plain[max(at, one.start() - NEAR) : one.start()].rpartition("\n")
        if not one[1]:
            since = one.start() if since < 0 and not before[2].strip() else since
        elif since >= 0 or ALONE.match(plain, one.end()) or (before[1] and not before[2]):
            spans.append((at if since < 0 else since, one.end()))
            at, since = one.end(), -1
    if since >= 0:  # cut off while it reasoned
        spans.append((since, len(text)))
    return _without(text, spans, " ")


def mask(text: str) -> str:
    """The text for reading verbs and moods: same length, nothing in it that somebody else said."""
    masked = _without(text, code_spans(text))
    if "](http" in masked:
        masked = LINK.sub(lambda found: "\x01" * len(found.group()), masked)
    if "://" in masked or "@" in masked:
        masked = ADDRESS.sub(lambda found: "\x01" * len(found.group()), masked)
    masked = _without(masked, _quotations(masked))
    if "May" in masked:
        masked = MONTH.sub("\x01\x01\x01", masked)
    if "." in masked:
        masked = NUMBER.sub("\x01\x01\x01", masked)
    return _lower(masked).replace("*", " ")


def code_spans(text: str) -> list[Span]:
    """The code spans of a text, backticks included.

    CommonMark §6.1: "A code span begins with a backtick string and ends with a backtick string of equal length."
    """
    if "`" not in text:
        return []
    runs = [found.span() for found in BACKTICKS.finditer(text)]
    later: dict[int, list[int]] = {}
    for place in range(len(runs) - 1, -1, -1):
        later.setdefault(runs[place][1] - runs[place][0], []).append(place)
    spans: list[Span] = []
    place = 0
    while place < len(runs):
        start, end = runs[place]
        same = later[end - start]
        while same and same[-1] <= place:
            same.pop()
        if same:
            spans.append((start, runs[same[-1]][1]))
            place = same[-1]
        place += 1
    return spans


def _quotations(text: str) -> Iterator[Span]:
    """Where a text quotes: one word is a name and no quotation, and so is a value of JSON, which is said as all else is."""
    at = 0
    idle: dict[str, int] = {}
    while found := OPENING.search(text, at):
        start, at = found.span()
        mark = found.group()
        if start < idle.get(mark, 0):
            continue
        rest = QUOTED[mark].match(text, at)
        if rest is None or not rest[1]:
            idle[mark] = at if rest is None else rest.end()
            continue
        at = rest.end()
        said = mark in "«「" or BLANK.search(text, start, at) is not None
        if said and KEYED.search(text, max(0, start - 4), start) is None:
            yield start, at


def _without(text: str, spans: Iterable[Span], blank: str = "\x01") -> str:
    """A text with as many code points of no meaning in place of some stretches, which are in order."""
    pieces, at = list[str](), 0
    for start, end in spans:
        pieces += [text[at:start], blank * (end - start)]
        at = end
    return "".join((*pieces, text[at:])) if pieces else text


def _lower(text: str) -> str:
    lowered = text.lower()
    if len(lowered) != len(text):  # İ lowers to two code points; offsets must hold
        lowered = "".join(low if len(low := char.lower()) == 1 else char for char in text)
    return lowered.replace("’", "'").replace("‘", "'")
