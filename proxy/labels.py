"""What an answer tells by labels, in tables, with units, or in passing: "Room: 14A", "50 GB", "seat 14A"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from proxy.amounts import DIGIT
from proxy.fields import words

UNITS = "GB|MB|TB|KB|GiB|MiB|kg|mg|mcg|µg|ml|km|cm|mm|kWh|kW|Mbps|Gbps|rpm|bpm|kcal|vCPU|px|dpi|fps"
MEASURE = re.compile(rf"(?<![\w.,$€£¥–—-])(\d+(?:[.,]\d+)?)[ \u00a0]?({UNITS})\b")
LABELLED = re.compile(r"(?:^|[,;(•·]\s|[-*•]\s)[\s*_]*([^\W\d][^:|,;.\n*]{1,40}?)[*_]*:[*_]*[ \t]+([^|;\n]{1,80})")
SAID = re.compile(
    r"\b([^\W\d_][\w-]{0,40}(?: [^\W\d_][\w-]{0,40})?)(?: (?:of|is|was|at|are|=))? [*_`]*([$€£]?(?:[A-Z]{1,3}-?)?\d[\w.,]*)"
    r"[*_`]*(?=\s*$|\s(?:and|on|at|in|for|with|by|until|as|und|et|y)\b)"
)
END = re.compile(r",\s|\.\s|\.$|\s\(|\s[-–—]\s")
PARTS = re.compile(r"\n|[.,;!?](?=\s)|\s(?:and|but|while)\s|[()]")
MARKS = "*_` \t"


class Told(NamedTuple):
    """A value that an answer tells: of which thing (its name, or none), by which label, and in which line."""

    label: tuple[str, ...]
    value: str
    name: str
    line: str
    unit: str = ""


def labelled(text: str) -> Iterator[Told]:
    """ "Room: Superior King", in a line of its own or behind a comma."""
    for line in text.splitlines():
        for found in LABELLED.finditer(line) if ":" in line else ():
            value = END.split(found[2])[0].strip(MARKS)
            yield Told(words(found[1]), value, "", line)


def tabled(text: str) -> Iterator[Told]:
    """The cells of tables: of two columns the second by the first, of more each by its head and the row's first."""
    head: list[str] = []
    for line in text.splitlines():
        cells = (
            [cell.strip(MARKS) for cell in line.strip().strip("|").split("|")] if line.lstrip().startswith("|") else []
        )
        if not cells:
            head = []
        elif not head:
            head = cells
        elif len(cells) == len(head) and not all(set(cell) <= set("-: ") for cell in cells):
            yield from (Told(words(head[at]), cell, cells[0], line) for at, cell in enumerate(cells) if at and cell)
            if len(cells) == 2:
                yield Told(words(cells[0]), cells[1], "", line)


def measured(text: str) -> Iterator[Told]:
    """ "50 GB of data", and "Amlodipine 10 mg"."""
    for part in _parts(text):
        for found in MEASURE.finditer(part):
            yield Told((), found.group(), "", part, found[2].lower())


def spoken(text: str) -> Iterator[Told]:
    """ "Seat 14A", "an eNPS of 77"."""
    for part in _parts(text):
        for found in SAID.finditer(part):
            if found[1].endswith("s") and found[2][:1].isalpha():
                continue  # "gates B1 and B2"
            yield Told(words(found[1].split(" ")[-1]), found[2].rstrip(".,:"), "", part)


@lru_cache(maxsize=2)  # one answer is looked at for both
def _parts(text: str) -> list[str]:
    """The parts of a text that have a digit."""
    return [part for part in PARTS.split(text) if DIGIT.search(part)]
