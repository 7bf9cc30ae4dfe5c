"""What an answer says of pages: published, live, a draft, scheduled; and what only looks like it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proxy.reading import Reading
from tests.transcripts import lexicon

A, B = "https://blog.example.com/a", "https://blog.example.com/b"


def said(text: str) -> list[str]:
    found = Reading(text, lexicon()).claims(frozenset({"page"}))
    return [f"{one.act} {one.subject or one.count}" for one in found if one.stance == "asserted"]


CLAIMS = [
    (f"I've published the post at {A}.", [f"publish {A}"]),
    (f"The post is live at [the blog]({A})!", [f"publish {A}"]),
    (f"{A} is now live.", [f"publish {A}"]),
    (f"Published: {A}", [f"publish {A}"]),
    (f"**Live URL:** {A}", [f"publish {A}"]),
    (f"| Ten ways | published | {A} |", [f"publish {A}"]),
    (f"These are live:\n\n- {A}\n- {B}", ["publish None", f"publish {A}", f"publish {B}"]),
    (f"The post went live: {A}", [f"publish {A}"]),
    ("The post is live.", ["publish None"]),
    ("Posted the article to the blog.", ["publish None"]),
    ("All three posts are published.", ["publish 3"]),
    ("All posts are published.", ["publish 0"]),
    ('I published "Ten ways to test".', ["publish None"]),
    ("The article is publicly available now.", ["publish None"]),
    ("Saved as a draft.", ["draft None"]),
    ("It's published as a draft.", ["draft None"]),
    (f"Draft saved: {A}", [f"draft {A}"]),
    (f"I saved it as a draft at {A}; it is not live yet.", [f"draft {A}"]),
    ("The post is scheduled for Monday.", ["schedule None"]),
    (f"I published the post at {A}, based on {B}.", [f"publish {A}"]),
    (f"The post is live at {A}/why-it-will-not-fail.", [f"publish {A}/why-it-will-not-fail"]),
]


@pytest.mark.parametrize(("text", "expected"), CLAIMS)
def test_claims(text: str, expected: list[str]) -> None:
    assert said(text) == expected


NO_CLAIM = [
    "The post is not published yet.",
    "I could not publish the post.",
    "Publishing failed.",
    "Is the post live?",
    "Shall I publish the post?",
    "Publish the post when you are ready.",
    f"Once approved, the post is live at {A}.",
    f"The post will be published at {A}.",
    f"If it was published, it is at {A}.",
    "The post should be live by now.",
    "The published version is shorter.",
    f"See the live site at {A}.",
    "I added live reload to the page.",
    "The draft reads well.",
    "I wrote a draft of the article.",
    "You published the post yesterday.",
    "The paper was published in 2019 by somebody else entirely.",
    f"> The post is live at {A}",
    f"```\nThe post is live at {A}\n```",
    f"I read {A} and {B}.",
    f"The guide at {A}/published-and-live helps.",
    "I cannot honestly say 'the post is published'.",
    "",
]


@pytest.mark.parametrize("text", NO_CLAIM)
def test_no_claim(text: str) -> None:
    assert said(text) == []


def test_a_deed_of_its_own_is_told_from_somebody_s() -> None:
    own = {
        f"I published it at {A}.": "yes",
        f"Your post has been published at {A}.": "yes",
        f"Published at {A}.": "yes",
        f"The guide published at {A} helps.": "no",
    }
    for text, expected in own.items():
        (claim,) = Reading(text, lexicon()).claims(frozenset({"page"}))
        assert claim.fields["own"] == expected


def test_a_title_in_quotation_marks_is_kept() -> None:
    (claim,) = Reading(f'Your post "Ten ways to go" is live at {A}.', lexicon()).claims(frozenset({"page"}))
    assert claim.fields["title"] == "Ten ways to go"


@given(
    st.lists(
        st.sampled_from(["live", "published", "as a draft", A, "(", ")", ":", "not ", "\n", "- ", '"', "a b", " "]),
        max_size=30,
    )
)
def test_any_text_can_be_read(pieces: list[str]) -> None:
    text = "".join(pieces)
    for claim in Reading(text, lexicon()).claims(frozenset({"page", "url"})):
        assert 0 <= claim.start < claim.end <= len(text)
        assert claim.subject in ("", text[claim.start : claim.end])
