"""Which answers hold the text that they say was written."""

from __future__ import annotations

import pytest

from proxy import drafts

TEXTS = [
    ("I've drafted the mail:\n\nDear Ann,\nyour order is on its way.", True, True),
    ("Subject: Your order\n\nDear Ann, it is on its way.", True, True),
    ("Betreff: Ihre Bestellung", True, True),
    ("The new wording stands below.", True, False),
    ("> Dear Ann,", True, False),
    ("He wrote \u201cwe shall not be able to come on Friday\u201d.", True, False),
    ("以下为邮件", True, False),
    ("I've drafted the mail and sent it to Ann.", False, False),
    ("I wrote: done.", False, False),
    ("It is called \u201cHome\u201d.", False, False),
    ("The draft is saved:\n\n- as a file\n", False, False),
    ("", False, False),
]


@pytest.mark.parametrize(("text", "shown", "drafted"), TEXTS)
def test_what_an_answer_holds(text: str, shown: bool, drafted: bool) -> None:
    assert (drafts.shows(text), drafts.drafted(text)) == (shown, drafted)


@pytest.mark.parametrize(("verb", "written"), [("drafted", True), ("translated", True), ("sent", False), ("", False)])
def test_verbs_of_writing(verb: str, written: bool) -> None:
    assert drafts.is_written(verb) is written


@pytest.mark.parametrize(
    ("asked", "text", "anew"),
    [
        ("Fix the SQL: SELECT * FORM users", "Fixed the typo: `SELECT * FROM users`", True),
        ("Add a type to this: const a = 1", "Added: `const a: number = 1`", True),
        ("Shorten: 'This commit adds a retry to the client'", 'Shortened: "Retry added to the client"', True),
        ("Rename: `foo` to `bar`", "Renamed `foo` to `bar`.", False),
        ("Send this to Leo: Happy birthday, Leo!", 'Sent: "Happy birthday, Leo!"', False),
        ("Fix a.py", "Fixed `the parser of a.py`.", False),
        ("Book: the blue room", "I've booked it.", False),
        ("Move this file: src/a.ts", "Moved it to `src/b.ts`.", False),
    ],
)
def test_a_line_that_the_message_gave(asked: str, text: str, anew: bool) -> None:
    assert drafts.rewritten(asked, text) == anew


@pytest.mark.parametrize(
    ("asked", "text", "anew"),
    [
        ("Sort these: plums, figs, dates", "Sorted: dates, figs, plums", True),
        ("count these words", "Three.", True),
        ("Swap them: 1. fractions 2. powers 3. roots", "1. powers\n2. fractions\n3. roots", True),
        ("Add oil, rice and salt, please", "The list now has oil, rice and salt.", False),
        ("Move it to Friday", "It is on Friday now.", False),
        ("Order 40 bags, blue ones", "40 blue bags are ordered.", False),
    ],
)
def test_items_that_the_message_gave(asked: str, text: str, anew: bool) -> None:
    assert drafts.rearranged(asked, text) == anew
