"""What results say of things, field by field: JSON, tables, XML and `name: value` lines."""

from __future__ import annotations

import csv
import re
from collections import deque
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

from proxy.remembered import remembered
from proxy.results import Result

PIECES = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_]+")
LINE = re.compile(
    r"^[ \t]{0,20}[-*]?[ \t]{0,4}([A-Za-z][\w /.-]{0,40}?)[ \t]{0,20}[:=][ \t]{1,20}(\S[^\n]{0,100}?)[ \t]{0,4}$", re.M
)
TAG = re.compile(r"<(?P<close>/?)(?P<name>[A-Za-z][\w:.-]{0,40})(?P<attributes>(?:\s[^<>]{0,2000}?)?)(?P<empty>/?)>")
ATTRIBUTE = re.compile(r"(?P<name>[A-Za-z][\w:.-]{0,40})\s?=\s?(?P<value>\"[^\"]{1,100}\"|'[^']{1,100}')")
PAGE = re.compile(r"(?i)\s*<(?:!doctype html|html|body|div|p|h\d)\b")
"""How a page begins, whose elements say how it looks."""
RULE = re.compile(r"(?=.{0,400}[-=]{2})[-=+|: \t]{3,400}")
GAP = re.compile(r"\t| {2,}")
COMMAS = re.compile(r"^[^\s,][^,]*,\S|^\"")
HEAD = re.compile(r"[^\W\d][\w .%#/()-]{0,40}")
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
TEXTS = 4
"""Texts in a JSON value in which tables are looked for."""


class Field(NamedTuple):
    """A plain value with its name, as words too; `quoted` where it was a text."""

    name: str
    words: tuple[str, ...]
    value: str
    quoted: bool


def fields(result: Result) -> Sequence[Field]:
    """The plain values in a result, those of an object in an object as its own."""
    return result.once(_read)


def _read(result: Result) -> list[Field]:
    if result.value is None:
        return list(_of_text(result.text))
    found: list[Field] = []
    known: dict[str, tuple[str, ...]] = {}
    texts: list[str] = []
    for path, value in _objects(result.value):
        if path not in known:
            known[path] = words(path)
        quoted = isinstance(value, str)
        if quoted and "\n" in value:
            texts.append(value)
        shown = value if quoted else str(value).lower() if isinstance(value, bool) else str(value)
        found.append(Field(path, known[path], shown, quoted))
    for text in texts[:TEXTS]:
        found += _of_text(text)
    return found


def _of_text(text: str) -> Iterator[Field]:
    """The fields of a text: the attributes and elements of XML, else the cells of tables and `name: value` lines."""
    if text.lstrip()[:1] == "<" and not PAGE.match(text):
        found = _elements(text)
    else:
        cells = [(name, cell) for _, name, cell in islice(cells_of(text), MOST * 4)]
        found = iter(cells) if cells else ((one[1], one[2].strip()) for one in islice(LINE.finditer(text), MOST))
    known: dict[str, tuple[str, ...]] = {}
    for name, value in found:
        if name not in known:
            known[name] = words(name)
        yield Field(name, known[name], value, quoted=True)


def _elements(text: str) -> Iterator[tuple[str, str]]:
    """The attributes and plain elements of XML, by name."""
    open_: list[tuple[str, int]] = []
    for tag in islice(TAG.finditer(text), MOST):
        if tag["close"]:
            name, start = open_.pop() if open_ else ("", 0)
            value = text[start : min(tag.start(), start + 200)].strip()
            if name == tag["name"] and value and "<" not in value and len(value) <= 100:
                yield name, value
            continue
        yield from ((one["name"], one["value"][1:-1]) for one in ATTRIBUTE.finditer(tag["attributes"]))
        if not tag["empty"]:
            open_.append((tag["name"], tag.end()))


def _objects(value: Any) -> Iterator[tuple[str, Any]]:
    """The plain values of a JSON value, each with its name."""
    count = 0
    waiting = deque([(value, "")])
    while waiting and count < MOST:
        one, name = waiting.popleft()
        if isinstance(one, list):
            waiting += [(inner, name) for inner in one[:MOST] if isinstance(inner, (dict, list))]
        elif isinstance(one, dict):
            waiting += [(table, name)] if (table := _columns(one)) else []
            count += 1
            for path, inner in _plain(one, "", 3):
                if isinstance(inner, list):
                    waiting.append((inner, path))
                else:
                    yield path, inner


def _plain(value: dict[str, Any], path: str, depth: int) -> list[tuple[str, Any]]:
    found: list[tuple[str, Any]] = []
    for name, inner in value.items():
        here = f"{path} {name}".strip()
        if isinstance(inner, (str, int, float, list)):
            found.append((here, inner))
        elif not isinstance(inner, dict):
            continue
        elif len(name) > 2 and any(map(str.isdigit, name)):
            found.append((path, [{"id": name, **inner}]))  # a thing by its id
        elif depth:
            found += _plain(inner, here, depth - 1)
    return found


def _columns(value: dict[str, Any]) -> list[dict[str, Any]]:
    """The rows of a table that names its columns apart: one list of names, and one of lists that are just as long."""
    lists = [one for one in value.values() if isinstance(one, list) and one]
    names = [one for one in lists if len(one) > 1 and all(isinstance(name, str) for name in one)]
    if len(names) != 1 or len(set(names[0])) < len(names[0]):
        return []
    rows = [one for one in lists if all(isinstance(row, list) and len(row) == len(names[0]) for row in one[:MOST])]
    return [dict(zip(names[0], row, strict=True)) for row in rows[0][:MOST]] if len(rows) == 1 else []


def cells_of(text: str) -> Iterator[tuple[int, str, str]]:
    """The cells of the tables in a text: the number of their row, the head of their column, and what they hold.

    Read are tables of pipes, of columns that blanks or tabs part, and of commas, each under a line of heads.
    """
    head: list[str] = []
    ruled, row = False, 0
    for line in islice(text.splitlines(), MOST):
        if RULE.fullmatch(line):
            ruled = ruled or bool(head)
            continue
        cells = _cells(line)
        if not head or len(cells) < 2:
            head, ruled = (cells if _is_head(cells) else []), False
            continue
        row += 1
        if len(cells) == len(head) and (ruled or "|" not in line or len(head) > 2):
            yield from ((row, name, cell) for name, cell in zip(head, cells, strict=True) if cell and len(cell) <= 100)


def _cells(line: str) -> list[str]:
    """The cells of a line, as its first mark parts them: pipes, tabs, two blanks, or else commas without a blank."""
    line = line.strip()
    if "|" in line:
        return [cell.strip(" *`") for cell in line.strip("|").split("|")]
    if GAP.search(line):
        return GAP.split(line)
    return next(csv.reader([line]), []) if COMMAS.search(line) else []


def _is_head(cells: Sequence[str]) -> bool:
    """Whether the cells of a line are the names of columns: all different, short, and no numbers."""
    return 1 < len(cells) <= 40 and len(set(cells)) == len(cells) and all(HEAD.fullmatch(cell) for cell in cells)


@remembered
def words(name: str) -> tuple[str, ...]:
    """The words of a label or a field's name, those that tell nothing left out, without endings."""
    pieces = (one.lower() for one in PIECES.findall(name))
    return tuple(_stem(one) for one in pieces if one not in IDLE)


def _stem(word: str) -> str:
    return word.removesuffix("s") if len(word) > 3 and not word.endswith("ss") else word


def alike(one: str, other: str) -> bool:
    """Whether two words are one but for an ending: "deliver" and "delivery"."""
    if one == other:
        return True
    short, long = (one, other) if len(one) <= len(other) else (other, one)
    return len(short) >= 4 and len(long) - len(short) <= 3 and long.startswith(short)
