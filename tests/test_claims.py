"""The reader of claims: what an answer asserts of files, and what only looks like it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proxy.reading import Reading
from tests.transcripts import lexicon

KINDS = frozenset({"file", "artifact"})


def said(text: str) -> list[str]:
    """The asserted claims of a text: `act subject` or `act count`."""
    found = Reading(text, lexicon()).claims(KINDS)
    return [f"{one.act} {one.subject or one.count}" for one in found if one.stance == "asserted"]


def denied(text: str) -> list[str]:
    return [one.subject for one in Reading(text, lexicon()).claims(KINDS) if one.stance == "denied"]


NO_CLAIM = [
    ("79", "The edits to a.md do not apply."),
    ("79", "Is a.md updated?"),
    ("19", "I need the text that you want replaced in a.md."),
    ("19", "I stopped before editing a.md."),
    ("79", "If a.md was updated, we ship."),
    ("79", "a.md should be updated."),
    ("79", "I'll make sure a.md gets updated."),
    ("80", "I cannot honestly say 'a.md is updated'."),
    ("81", "```\na.md was updated\n```"),
    ("81", "> a.md was updated"),
    ("84", "Test of Time → green gradient"),
    ("84", "I pushed the last item over."),
    ("84", "There is a hook which updated a.md on every run."),
    ("87", "Please commit the changes to a.md."),
    ("103", "I've reviewed a.md and suggest a shorter title."),
    ("104", "Done."),
    ("", "The updated `a.md` is shown below."),
    ("", "See `a.md` for what changed."),
    ("", "a.md:12 holds the old name."),
    ("", "I ran `sed -i s/x/y/ a.md`."),
    ("", "You could have updated a.md."),
    ("", "Nothing in a.md was changed."),
    ("", "a.md would be updated by the next run."),
    ("", "The user updated a.md."),
    ("", "1. you unlock it, and I updated a.md, or\n2. I leave it."),
    ("", "Here is a summary of a.md."),
    ("", "    updated a.md"),
    ("", ""),
]


@pytest.mark.parametrize(("number", "text"), NO_CLAIM)
def test_no_claim(number: str, text: str) -> None:
    assert said(text) == []


CLAIMS = [
    ("I updated `a.md`.", ["edit a.md"]),
    ("I've updated a.md and b.md.", ["edit a.md", "edit b.md"]),
    ("`a.md` and `b.md` have both been updated.", ["edit a.md", "edit b.md"]),
    ("Both files are updated.", ["edit 2"]),
    ("All five files have been patched.", ["edit 5"]),
    ("Updated 3 files.", ["edit 3"]),
    ("Updated a.md, but could not edit b.md.", ["edit a.md"]),
    ("Files changed:\n\n- `a.md`\n- src/b.py: new flag", ["edit None", "edit a.md", "edit src/b.py"]),
    ("| a.md | updated |\n| b.md | failed |", ["edit a.md"]),
    ("Deleted `old.md`.", ["delete old.md"]),
    ('The largest file, "old.md" (3,183 bytes), has been deleted.', ["delete old.md"]),
    ("I created a new file named 'plan.md' with both parts.", ["create plan.md"]),
    ("I renamed `a.md` to `b.md`.", ["move a.md", "move b.md"]),
    ("I fixed the bug in `app.py`.", ["edit app.py"]),
    ("Wrote the report to /srv/out/report.md:12.", ["create /srv/out/report.md"]),
    ("Ruff found no errors, and app.py is fixed.", ["edit app.py"]),
    ("I’ve updated a.md.", ["edit a.md"]),
    ("Created `.gitignore` and `Makefile`.", ["create .gitignore", "create Makefile"]),
]


@pytest.mark.parametrize(("text", "expected"), CLAIMS)
def test_claims(text: str, expected: list[str]) -> None:
    assert said(text) == expected


@pytest.mark.parametrize(("files", "claimed"), [(60, 60), (61, 0)])
def test_what_has_more_verbs_than_anybody_says_is_no_prose(files: int, claimed: int) -> None:
    assert len(said("I " + ", ".join(f"updated a{number}.md" for number in range(files)) + ".")) == claimed


def test_admissions_are_told_apart_from_silence() -> None:
    assert denied("a.md was updated; b.md was not.") == ["b.md"]
    assert denied("One of the edits failed.") == [""]


def test_paths_are_no_addresses_versions_or_identifiers() -> None:
    text = "I updated https://example.com/a.md, me@example.com, v1.2.3, os.path and foo.bar()."
    assert said(text) == []


def test_offsets_are_code_points_of_the_answer() -> None:
    text = "😀 I updated `a.md`."
    (claim,) = Reading(text, lexicon()).claims(KINDS)
    assert text[claim.start : claim.end] == "a.md"


@given(st.text(max_size=400))
def test_any_text_can_be_read(text: str) -> None:
    reading = Reading(text, lexicon())
    for claim in reading.claims(KINDS):
        assert 0 <= claim.start <= claim.end <= len(text)
    reading.stance_at(len(text) // 2)
    reading.quote_at(0)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('I\'ve updated "a.md" with the title "Hello" and the line "How are you?".', True),
        ('I\'ve updated a.md with the line "How are you?"', True),
        ('I\'ve updated a.md "as you said", and "b" is next.', True),
        ('She said "I have updated a.md" and "see you".', False),
        ('The line "x" and the line "I have updated a.md" differ.', False),
        ("I've updated a.md with that, right?", False),
    ],
)
def test_quotations_are_read_in_order(text: str, expected: bool) -> None:
    assert any("a.md" in one for one in said(text)) == expected


def test_of_a_sentence_with_very_many_files_the_first_are_read() -> None:
    """More than that is no sentence; those that are read keep their verb, however many stand between them."""
    said = Reading(f"I updated {', '.join(f'`a{number}.md`' for number in range(400))}.", lexicon()).claims(
        frozenset({"file"})
    )
    assert [one.subject for one in said] == [f"a{number}.md" for number in range(200)]
    assert {(one.act, one.stance) for one in said} == {("edit", "asserted")}


@pytest.mark.parametrize(
    ("text", "asserts"),
    [
        ("The lectures don't overlap, and I've moved your lab.", True),
        ("The lectures don't overlap, and I haven't moved your lab.", False),
        ("The lectures don't overlap and move your lab.", False),
        ("If you agree, and I've moved your lab, it will be free.", False),
        ("I've booked or refunded nothing so far.", False),
        ("I've booked nothing.", False),
        ("I've booked the nobody-knows suite.", True),
    ],
)
def test_what_bears_on_a_deed(text: str, asserts: bool) -> None:
    claims = Reading(text, lexicon()).claims(frozenset({"action"}))
    assert any(one.stance == "asserted" for one in claims) is asserts
