"""What of a text is hidden before its verbs and moods are read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proxy.masking import code_spans, mask, spoken

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
    ("the text of a link", "see [Not done](https://a.b), then", "see ##########(###########), then"),
    ("brackets that are no link", "see [not done] (now)", "see [not done] (now)"),
    ("May, the month", "on May 5 you may go", "on ### 5 you may go"),
    ("a number's sign", "at no. 12 and No. **7**, no. And no.", "at ### 12 and ###   7  , no. and no."),
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


SPOKEN = [
    ("no reasoning", "a < b, and b > c", "a < b, and b > c"),
    ("reasoning before it", "<think>it failed</think>Done.", "########################Done."),
    ("of another name", "<function-thoughts>a</function-thoughts> b", "######################################## b"),
    ("only its end is marked", "it failed</thinking>\nDone.", "####################\nDone."),
    (
        "a mark that is spoken of",
        "It failed: all before `</think>` is gone.",
        "It failed: all before `</think>` is gone.",
    ),
    ("a mark in a sentence", "It failed at </think> in a.py.", "It failed at </think> in a.py."),
    ("an opening one in a sentence", "The <think> tag stays.", "The <think> tag stays."),
    ("cut off inside it", "Done.\n<reasoning>but", "Done.\n##############"),
    ("within itself", "<think>a<think>b</think>\nc\n</think>\nd", "###################################\nd"),
    ("twice", "<think>a</think>b\n<think>c</think>d", "################b\n################d"),
    ("another element", "<thing>a</thing>", "<thing>a</thing>"),
    ("a formula", r"So $m \in A$, and $1997 - 166 = 1831$.", "So #########, and ###################."),
    ("a formula in brackets", r"So \(m \leq 4\) holds", "So ############ holds"),
    (
        "money beside a formula",
        r"I paid $40, but not $20: $40 \times 1 = 40$.",
        "I paid $40, but not $20: ##################.",
    ),
    ("money", "It was $54 = 50 + 4, now $60.", "It was $54 = 50 + 4, now $60."),
    ("a path, and money", r"In C:\Users\a it cost $5 or $6.", r"In C:\Users\a it cost $5 or $6."),
]


@pytest.mark.parametrize(("text", "said"), [row[1:] for row in SPOKEN], ids=[row[0] for row in SPOKEN])
def test_what_an_answer_says_to_its_reader(text: str, said: str) -> None:
    assert spoken(text) == said.replace("#", " ")


@given(st.text(st.sampled_from("<>/think$\\\\(in)"), max_size=40))
def test_what_is_blanked_keeps_its_length(text: str) -> None:
    assert len(spoken(text)) == len(text)


def test_code_spans_end_with_as_many_backticks() -> None:
    assert code_spans("`a` ``b ` c`` `d") == [(0, 3), (4, 13)]
