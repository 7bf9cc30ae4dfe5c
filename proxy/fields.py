"""What results say of things, field by field: JSON, `name: value` lines and XML elements, and which field a label means."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from proxy.results import Result

PIECES = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_]+")
LINE = re.compile(
    r"^[ \t]{0,20}[-*]?[ \t]{0,4}([A-Za-z][\w /.-]{0,40}?)[ \t]{0,20}[:=][ \t]{1,20}(\S[^\n]{0,100}?)[ \t]{0,4}$", re.M
)
ELEMENT = re.compile(r"<([A-Za-z][\w:-]{0,40})(?:\s[^<>]{0,200})?>([^<>\n]{1,100})</\1>")
IDLE = frozenset(
    {
        "a",
        "an",
        "the",
        "your",
        "our",
        "my",
        "his",
        "her",
        "their",
        "this",
        "that",
        "is",
        "was",
        "are",
        "of",
        "for",
        "at",
        "on",
        "in",
        "by",
        "to",
        "no",
        "nr",
        "number",
        "id",
        "value",
        "current",
        "currently",
        "new",
        "as",
        "field",
        "info",
        "details",
        "and",
        "ist",
        "der",
        "die",
        "das",
        "dein",
        "deine",
        "ihr",
        "ihre",
        "le",
        "la",
        "les",
        "de",
        "votre",
        "tu",
        "su",
    }
)
"""Words of a label that do not tell which field it means."""
MOST = 400
"""Things of which fields are read."""


class Field(NamedTuple):
    """A plain value with its name, as words too; `thing` is the number of its object, `call` that of its call."""

    name: str
    words: tuple[str, ...]
    value: str
    thing: int
    call: int
    quoted: bool


def fields(result: Result, thing: int, call: int) -> Iterator[Field]:
    """The plain values in a result, those of an object in an object as its own."""
    if result.value is not None:
        known: dict[str, tuple[str, ...]] = {}
        for number, (path, value) in _objects(result.value):
            if path not in known:
                known[path] = words(path)
            yield Field(path, known[path], str(value), thing + number, call, isinstance(value, str))
    elif "<" in result.text[:20]:
        for found in list(ELEMENT.finditer(result.text))[:MOST]:
            yield Field(found[1], words(found[1]), found[2].strip(), thing, call, quoted=True)
    else:
        for found in list(LINE.finditer(result.text))[:MOST]:
            yield Field(found[1], words(found[1]), found[2].strip(), thing, call, quoted=True)


def _objects(value: Any) -> Iterator[tuple[int, tuple[str, Any]]]:
    """The plain values of a JSON value, each with the number of its object and its name."""
    count = 0
    waiting = deque([(value, "")])
    while waiting and count < MOST:
        one, name = waiting.popleft()
        if isinstance(one, list):
            waiting += [(inner, name) for inner in one[:MOST] if isinstance(inner, (dict, list))]
        elif isinstance(one, dict):
            count += 1
            for path, inner in _plain(one, "", 3):
                if isinstance(inner, list):
                    waiting.append((inner, path))
                else:
                    yield count, (path, inner)


def _plain(value: dict[str, Any], path: str, depth: int) -> Iterator[tuple[str, Any]]:
    for name, inner in value.items():
        here = f"{path} {name}".strip()
        if isinstance(inner, dict) and len(name) > 2 and any(map(str.isdigit, name)):
            yield path, [{"id": name, **inner}]  # a thing by its id
        elif isinstance(inner, dict) and depth:
            yield from _plain(inner, here, depth - 1)
        elif isinstance(inner, list) or (isinstance(inner, (str, int, float)) and not isinstance(inner, bool)):
            yield here, inner


def words(name: str) -> tuple[str, ...]:
    """The words of a label or a field's name, those that tell nothing left out, without endings."""
    pieces = (one.lower() for one in PIECES.findall(name))
    return tuple(_stem(one) for one in pieces if one not in IDLE)


def _stem(word: str) -> str:
    return word.removesuffix("s") if len(word) > 3 and not word.endswith("ss") else word


def alike(one: str, other: str) -> bool:
    """Whether two words are one but for an ending: "deliver" and "delivery"."""
    short, long = sorted((one, other), key=len)
    return short == long or (len(short) >= 4 and long.startswith(short) and len(long) - len(short) <= 3)


def means(label: Sequence[str], name: Sequence[str]) -> bool:
    """Whether a label means a field: each of the label's words is one of the field's, the last of the field's among them."""
    if not label or not name or not any(alike(word, name[-1]) for word in label):
        return False
    return all(any(alike(word, one) for one in name) for word in label)
