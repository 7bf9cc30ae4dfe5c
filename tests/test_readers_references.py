"""References that an answer names: URLs, commits, jobs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proxy.reading import Reading
from tests.transcripts import lexicon

KINDS = frozenset({"url", "commit", "job"})


def read(text: str) -> list[str]:
    return [f"{one.kind} {one.stance} {one.subject}" for one in Reading(text, lexicon()).claims(KINDS)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It is published at https://example.com/a.", ["url asserted https://example.com/a"]),
        ("See (https://example.com/a_(b)).", ["url asserted https://example.com/a_(b)"]),
        ("[here](https://example.com/a?x=1&y=2)!", ["url asserted https://example.com/a?x=1&y=2"]),
        ("**https://example.com/**", ["url asserted https://example.com/"]),
        ("Is it at https://example.com/a?", ["url mentioned https://example.com/a"]),
        ("I committed it as `1a2b3c4`.", ["commit asserted 1a2b3c4"]),
        ("HEAD is now at 1a2b3c4d5e6f.", ["commit asserted 1a2b3c4d5e6f"]),
        ("The commit 1a2b3c4 was not pushed.", ["commit denied 1a2b3c4"]),
        ("Job `pack_1a2b3c4d` has finished.", ["job asserted pack_1a2b3c4d"]),
        ("The run 9f8e7d6c failed.", ["job denied 9f8e7d6c"]),
        (
            "Jobs `9f8e7d6c`, `pack_1a2b` and x_12ab are done.",
            ["job asserted 9f8e7d6c", "job asserted pack_1a2b", "job asserted x_12ab"],
        ),
        ("Pipeline 550e8400-e29b-41d4-a716-446655440000 ran.", ["job asserted 550e8400-e29b-41d4-a716-446655440000"]),
        (
            "See (https://example.com/a),(https://example.com/b).",
            ["url asserted https://example.com/a", "url asserted https://example.com/b"],
        ),
        ("[a](https://example.com/a)text", ["url asserted https://example.com/a"]),
        ("It is at https://example.com/how-not-to-fail.", ["url asserted https://example.com/how-not-to-fail"]),
        ("`https://example.com/a`", ["url asserted https://example.com/a"]),
        ("https:// and http://. are none.", []),
        ("I run python3 and `test_2024` in the build-2024.", []),
        ("I fixed the build and 1234567 tests ran.", []),
        ("The color `deadbee` is no commit, nor is `facade`.", []),
        ("```\ncommit 1a2b3c4\nhttps://example.com\n```", []),
        ("The job is done, and the run took 12 minutes.", []),
        ("ftp://example.com and example.com are no links of the web.", []),
    ],
)
def test_references(text: str, expected: list[str]) -> None:
    assert read(text) == expected


@given(st.text(alphabet="https:/.()?&=#`ab12 \n*", max_size=200))
def test_any_text_can_be_read(text: str) -> None:
    for claim in Reading(text, lexicon()).claims(KINDS):
        assert text[claim.start : claim.end] == claim.subject
