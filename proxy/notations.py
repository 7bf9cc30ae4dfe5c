"""The values of results that are no JSON: XML, and lines of names and values, read as the JSON that would say the same."""

from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree as ET

LONGEST = 50_000
"""Code points of a text that is read; what is longer is no answer of a few fields."""
DEEPEST = 8
"""Elements inside each other that are read."""
DECLARED = re.compile(r"<!(?!\[CDATA\[|--)")
"""A document type: only by one can a document define entities, which may grow without end."""
NUMBER = re.compile(r"-?(?:0|[1-9]\d{0,14})(?:\.\d{1,6})?", re.A)
FLAGS = {"true": True, "false": False, "null": None}
LINE = re.compile(r"\s*[-*•]?\s*(?P<name>[^\W\d_][\w ()/%.-]{0,38}?[\w)%]?)\s*(?::|=|\.{3,})\s+(?P<value>\S.*?)\s*")
"""A name and its value on a line: `Status: booked`, `rows read ........ 40`, `SETPOINT : -18.0 C`."""
PAIRS = re.compile(
    r"(?:[A-Za-z][\w.-]{0,40}=(?:\"[^\"\n]{0,200}\"|[^\s=\"]{1,200})[,;]?(?:\s+\([^()\n]{1,120}\))?\s*)+"
)
PAIR = re.compile(r"([A-Za-z][\w.-]{0,40})=(?:\"([^\"\n]{0,200})\"|([^\s=\"]{1,200}))")
LEAST = 2
"""Lines, or pairs of a line, by which a text is known to be no sentence."""


def read(text: str) -> Any:
    """The value that a text is in one of these notations; None where it is in none, too long, or not well formed."""
    plain = text.strip()
    if not plain or len(plain) > LONGEST:
        return None
    if plain[0] == "<":
        return _xml(plain)
    return _pairs(plain) if "=" in plain[:60] and PAIRS.fullmatch(plain) else _lines(plain)


def _xml(text: str) -> Any:
    if text[-1] != ">" or DECLARED.search(text):
        return None
    try:
        root = ET.fromstring(text)
    except (ET.ParseError, ValueError):
        return None
    value = _element(root, DEEPEST)
    return value if isinstance(value, dict) and root.tag.lower() != "html" else None


def _element(one: ET.Element, depth: int) -> Any:
    """An element as an object of its attributes and children, those of one name as a list; its text where it has none."""
    text = (one.text or "").strip()
    if not (len(one) or one.attrib) or not depth:
        return _plain(text)
    value: dict[str, Any] = {_name(name): _plain(told) for name, told in one.attrib.items()}
    for child in one:
        name, inner = _name(child.tag), _element(child, depth - 1)
        if name not in value:
            value[name] = inner
        elif isinstance(value[name], list):
            value[name].append(inner)
        else:
            value[name] = [value[name], inner]
    return {**value, "value": _plain(text)} if text and not len(one) else value


def _name(tag: str) -> str:
    """A name without its namespace."""
    return tag.rpartition("}")[2]


def _plain(text: str) -> Any:
    """A number or a flag where a text is one; `0042` is none."""
    if NUMBER.fullmatch(text):
        return float(text) if "." in text else int(text)
    return FLAGS.get(text.lower(), text)


def _pairs(text: str) -> dict[str, Any] | list[dict[str, Any]]:
    """Pairs of names and values, `zone=hall target=21.0`; of several lines a list."""
    lines = [{one[1]: _plain(one[2] or one[3] or "") for one in PAIR.finditer(line)} for line in text.splitlines()]
    return lines[0] if len(lines) == 1 else [one for one in lines if one]


def _lines(text: str) -> dict[str, Any] | None:
    """Lines of a name and its value each, below a heading at most; None where a line is anything else."""
    lines = [one for one in text.splitlines() if one.strip(" \t-=_*")]
    found = [LINE.fullmatch(one) for one in lines]
    own = [one for one in (found if found and found[0] else found[1:]) if one is not None]
    if len(own) < LEAST or len(own) < len(lines) - (found[0] is None):
        return None
    return {one["name"].strip(): _plain(one["value"]) for one in own}
