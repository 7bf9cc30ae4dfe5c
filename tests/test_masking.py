"""What of a text is hidden before its verbs and moods are read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proxy.masking import code_spans, mask

MASKED = [
    ("its own words", "I **Updated** It’s file", "i   updated   it's file"),
    ("code", "see `Not This` and ``a`b``", "see ########## and #######"),
    ("a tick that never closes", "see `this", "see `this"),
    ("an address", "at https://a.b/not-done.", "at ####################."),
    ("the domain of a mail address", "to ann@failed.com now", "to ann########### now"),
    ("a quotation", "it says “not done”, so", "it says ##########, so"),
    ("a quotation over two lines", "it says “not\ndone” so", "it says ########## so"),
    ("one word is a name", 'the "Failed" list', 'the "failed" list'),
    ("in corners one word is quoted too", "他说「失败」了", "他说####了"),
    ("a value of JSON", '{"a": "not done"}', '{"a": "not done"}'),
    ("a quotation that never closes", "it says “not done", "it says “not done"),
    ("an apostrophe", "the users' file isn't there", "the users' file isn't there"),
    ("May, the month", "on May 5 you may go", "on ### 5 you may go"),
    ("a letter that lowers to two", "İ am", "İ am"),
]


@pytest.mark.parametrize(("text", "masked"), [row[1:] for row in MASKED], ids=[row[0] for row in MASKED])
def test_mask(text: str, masked: str) -> None:
    assert mask(text).replace("\x01", "#") == masked


@given(st.text(st.sampled_from("aİ`\"“”'«»「」 \n@.:/h*May5"), max_size=60))
def test_every_word_stays_at_its_place(text: str) -> None:
    masked = mask(text)
    assert len(masked) == len(text)
    assert [at for at, char in enumerate(text) if char == "\n" and masked[at] not in "\n\x01"] == []


def test_code_spans_end_with_as_many_backticks() -> None:
    assert code_spans("`a` ``b ` c`` `d") == [(0, 3), (4, 13)]
