"""What an answer says of videos and sounds, and what only looks like it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proxy.reading import Reading
from tests.transcripts import lexicon


def said(answer: str) -> list[str]:
    """The asserted claims, as act, subject and numbers."""
    found = Reading(answer, lexicon()).claims(frozenset({"media"}))
    return [_words(claim.act, claim.subject, claim.fields) for claim in found if claim.stance == "asserted"]


def _words(act: str, subject: str, fields: object) -> str:
    assert isinstance(fields, dict)
    numbers = [fields[key] for key in ("seconds", "width", "height") if key in fields]
    return " ".join(part for part in (act, subject, *numbers) if part)


CLAIMS = [
    ("The video is rendered.", ["render"]),
    ("The video has been rendered successfully.", ["render"]),
    ("I rendered the video.", ["render"]),
    ("Video rendered.", ["render"]),
    ("✅ Video rendered and validated.", ["render", "verify"]),
    ("I've rendered `out/talk.mp4`.", ["render out/talk.mp4"]),
    ("Rendered `slides.narrate/ab12-talk.mp4` with narration.", ["render slides.narrate/ab12-talk.mp4"]),
    ("The video has been validated.", ["verify"]),
    ("I validated the video.", ["verify"]),
    ("I generated a video with narration.", ["create"]),
    ("The podcast was produced.", ["create"]),
    ("All checks passed.", ["checks"]),
    ("All validation checks pass.", ["checks"]),
    ("The video passed all checks.", ["checks"]),
    ("All checks passed without warnings.", ["checks"]),
    ("The video is 3:20 long.", ["length 200"]),
    ("The video is 3 minutes 20 seconds long.", ["length 200"]),
    ("I rendered a 3:20 video.", ["render", "length 200"]),
    ("It is a 45-second clip.", ["length 45"]),
    ("The video is rendered. Duration: 3:20.", ["render", "length 200"]),
    ("The narration runs for 195 seconds.", ["length 195"]),
    ("The video is 1080p.", ["picture 1080"]),
    ("The video is rendered at 1920x1080.", ["render", "picture 1920 1080"]),
    (
        "The video is rendered:\n\n- Duration: 3m20s\n- Resolution: 1280×720\n",
        ["render", "length 200", "picture 1280 720"],
    ),
    ("`talk.mp4` is 12.5 seconds long.", ["length talk.mp4 12.5"]),
]


@pytest.mark.parametrize(("answer", "expected"), CLAIMS, ids=[row[0][:48] for row in CLAIMS])
def test_what_is_claimed(answer: str, expected: list[str]) -> None:
    assert sorted(said(answer)) == sorted(expected)


NO_CLAIMS = [
    "Is the video rendered?",
    "Shall I render the video?",
    "I will render the video next.",
    "Once the video is rendered, I'll validate it.",
    "If all checks passed, we can ship.",
    "The video could not be rendered.",
    "The video was not validated.",
    "I have not rendered the video yet.",
    "Rendering the video failed.",
    "The video is probably rendered.",
    "Not all checks passed.",
    "All checks should pass.",
    "All checks passed except loudness.",
    "Most checks passed.",
    "I validated the video schema.",
    "I validated the config for the video.",
    "I rendered the video page template.",
    "I updated the video section of the README.",
    "I added a video to the README.",
    "The tool which rendered the video is slow.",
    "You rendered the video yesterday.",
    "> The video is rendered.",
    "```\nAll checks passed.\n```",
    '"The video is rendered" is what the log would say.',
    "The source video is 3:20 long.",
    "You asked for a 3:20 video.",
    "The target duration of the video is 3:20.",
    "Rendering the video took 45 seconds.",
    "The video should be 3:20 long.",
    "The video must be less than 3:20 long.",
    "The video starts at 3:20.",
    "The meeting is at 10:30.",
    "The tests ran for 12 seconds.",
    "The build is 3:20 long.",
    "The video is between 3:10 and 3:20 long.",
    "The video's thumbnail is 1280x720.",
    "The page is 1080 pixels wide.",
    "Is the video 1080p?",
    "All tests pass.",
    "The rendered video will be here.",
    "See 16:9 in the docs of the video.",
]


@pytest.mark.parametrize("answer", NO_CLAIMS)
def test_what_is_none(answer: str) -> None:
    assert said(answer) == []


def test_what_did_not_pass_is_denied() -> None:
    found = Reading("The video is rendered. The faststart check failed.", lexicon()).claims(frozenset({"media"}))
    assert [(claim.act, claim.stance) for claim in found] == [("render", "asserted"), ("checks", "denied")]


def test_a_length_says_how_exact_it_is() -> None:
    found = Reading("The video is about 3 minutes long.", lexicon()).claims(frozenset({"media"}))
    assert [(claim.fields["seconds"], claim.fields["within"]) for claim in found] == [("180", "30")]


@pytest.mark.parametrize("answer", ["The video is rendered.", "I validated the video.", "Rendered and encoded."])
def test_other_readers_make_nothing_of_it(answer: str) -> None:
    found = Reading(answer, lexicon()).claims(frozenset({"file", "artifact"}))
    assert [claim.act for claim in found if claim.stance == "asserted" and claim.act == "render"] == []


WORDS = st.sampled_from(
    [*["The", "video", "is", "rendered", "not", "all", "checks", "passed", "3:20", "long", "1080p", "if", "will", ".", ",", ";", ":", "-", "\n", "`", "|", "validated", "a.mp4", "audio", "12", "s", "x"]]
)  # fmt: skip


@given(st.lists(st.one_of(WORDS, st.text(max_size=4)), max_size=40))
def test_no_text_makes_it_raise(words: list[str]) -> None:
    text = " ".join(words)
    for claim in Reading(text, lexicon()).claims(frozenset({"media"})):
        assert 0 <= claim.start <= claim.end <= len(text)
        assert claim.kind == "media"
