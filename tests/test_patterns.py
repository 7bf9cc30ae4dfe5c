"""Expressions of auditors: what RE2 sees first must never hide what `re` finds."""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from proxy.patterns import SHORT, either, expression

PACKS = sorted((Path(__file__).parent.parent / "policies" / "packs").glob("*.toml"))
STRANGE = [
    "été",
    "ünot",
    "not²",
    "déjà",
    "ſt",
    "K",
    "faıl",
    "İf",
    "\ud83d",
    "已取消",
    "—",
    "✅",
    "\xa0",
    "\x0b",
    "\x1c",
    "\n",
    "\n\n",
    "$9.50",
    "3/3",
]


def expressions(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from expressions(inner)


@pytest.mark.parametrize("pack", PACKS, ids=lambda path: path.stem)
def test_the_same_is_found_as_by_re_alone(pack: Path) -> None:
    texts = sorted({text for text in expressions(tomllib.loads(pack.read_text()).get("rules", [])) if len(text) > 20})
    words = re.findall(r"[^\W\d_]{2,}|[^\w\s]", "\n".join(texts)) + ["and", "the", "12", "7"] * 200
    chance = random.Random(pack.stem)
    for text in texts:
        try:
            alone = re.compile(text)
        except re.error:
            continue
        for strange in ([], STRANGE):
            own = [*re.findall(r"[^\W\d_]{2,}|\d+", text) * 3, *words[:40], *strange]
            said = " ".join(chance.choice(chance.choice((own, words))) for _ in range(40))
            said += "".join(chance.choice(own) + chance.choice((" ", "", ". ", "\n")) for _ in range(30))
            found = [one.span() for one in alone.finditer(said)]
            assert [one.span() for one in expression(text).finditer(said)] == found, (text, said)
            assert [one.span() for one in (expression(text).search(said),) if one] == found[:1], (text, said)
            assert expression(text).sub("-", said) == alone.sub("-", said)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (r"(?<!at )\ball$", "at all, and all"),
        (r"\bété\b", "c'était été"),
        (r"[\s]not", "is\x0bnot"),
        (r"x{2,40}y(?!z)", "xxyz xxxy"),
        (r"(?i)if", "İf"),
        (r"(\d+)/\1\b", "3/3"),
        (r"(?=(.)\w)no{,2}\Z", "noo"),
        (r"(?i)[^\w]\.", "é. —."),
        (r"end$", "the end\n"),
        (r"[\u00a0-]x", "\xa0x"),
    ],
)
def test_what_the_two_read_differently(text: str, said: str) -> None:
    for around in ("", "—" * SHORT, "é " * SHORT, "a " * SHORT, "\ud83d" * SHORT):
        found = re.search(text, around + said)
        assert found
        same = expression(text).search(around + said)
        assert same
        assert same.span() == found.span()


def test_one_of_several_whatever_the_case() -> None:
    found = either((r"\bcannot\b", "(?-i:may)")).search("A day in May, of which nothing is known, that CANNOT be told.")
    assert found
    assert found.group() == "CANNOT"
    assert either((r"\bcannot\b",)).search("of this, nothing at all can be told by anybody who was there") is None
