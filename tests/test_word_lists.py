"""What the files of word lists hold, and that each of their entries is found by the lexicon."""

from __future__ import annotations

import tomllib
from typing import Any

import msgspec
import pytest

from proxy.lexicon import parse_words
from proxy.word_lists import WordList, entries
from tests.transcripts import ROOT

FILES = sorted((ROOT / "policies/words").glob("*.toml"))


@pytest.mark.parametrize("file", FILES, ids=[one.stem for one in FILES])
def test_a_shipped_list_is_of_its_language_and_in_lower_case(file: Any) -> None:
    table = tomllib.loads(file.read_text())
    listed = list(entries(msgspec.convert(table, WordList)))
    assert table["language"] == file.stem
    assert [entry for entry, _, _ in listed if entry != entry.lower() or entry != entry.strip()] == []


def test_entries_have_their_category_and_what_they_stand_for() -> None:
    table = {
        "language": "xx",
        "acts": {"edit": {"done": ["uppdaterad"]}},
        "moods": {"negation": ["inte"]},
        "counts": {"tre": 3},
        "states": {"tests": {"subjects": ["testerna"], "holds": ["passerar"]}},
    }
    assert set(entries(msgspec.convert(table, WordList))) == {
        ("uppdaterad", "done", "edit"),
        ("inte", "negation", ""),
        ("tre", "count", "3"),
        ("testerna", "subject", "tests"),
        ("passerar", "holds.tests", "tests"),
    }


@pytest.mark.parametrize(
    ("table", "names"),
    [
        ({"language": "xx", "acts": {"edit": {"dune": ["x"]}}}, "dune"),
        ({"language": "xx", "moods": {"negation": "inte"}}, "negation"),
        ({"language": "xx", "counts": {"tre": "3"}}, "counts"),
        ({"language": "xx", "orders": ["(boka"]}, "unterminated"),
        ({"language": "xx", "letters": "[\u00e5"}, "unterminated"),
    ],
)
def test_a_wrong_list_is_named_with_what_is_wrong(table: dict[str, Any], names: str) -> None:
    with pytest.raises(ValueError, match="word list 'xx'") as raised:
        parse_words([table])
    assert names in str(raised.value)
