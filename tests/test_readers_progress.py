"""What of an answer is read as a claim about how far jobs and pipelines came."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proxy.claims import Claim
from proxy.reading import Reading
from tests.proportions import in_proportion
from tests.transcripts import lexicon

KINDS = frozenset({"job_state", "pipeline_state"})
FIRES: list[tuple[str, list[str]]] = [
    ("The job has finished.", ["job_state finish"]),
    ("Job `pack_1a2b01` is done.", ["job_state finish pack_1a2b01"]),
    ("Job 7f3a9c0d12 completed successfully.", ["job_state finish 7f3a9c0d12"]),
    ("All six jobs are done.", ["job_state finish all of 6"]),
    ("All jobs have completed successfully.", ["job_state finish all"]),
    ("The jobs are done.", ["job_state finish all"]),
    ("Both exports are complete.", ["job_state finish all"]),
    ("1 of 6 jobs completed.", ["job_state finish 1 of 6"]),
    ("The job for slide 3 has completed.", ["job_state finish"]),
    ("| `pack_1a2b` | completed |", ["job_state finish pack_1a2b"]),
    ("- pack_1a2b: ✅ completed", ["job_state finish pack_1a2b"]),
    ("The render job is done and the video is uploaded.", ["job_state finish"]),
    ("Export finished.", ["job_state finish"]),
    ("All done.", ["job_state finish all bare"]),
    ("All six of them have finished!", ["job_state finish all of 6 bare"]),
    ("Everything's complete now.", ["job_state finish all bare"]),
    ("They're all done.", ["job_state finish all bare"]),
    ("The pipeline succeeded.", ["pipeline_state finish"]),
    ("The workflow has completed with no errors.", ["pipeline_state finish"]),
    ("Pipeline run `run_1a2b` completed.", ["pipeline_state finish run_1a2b"]),
    ("Run completed successfully.", ["pipeline_state finish"]),
    ("Step 2 completed.", ["pipeline_state step 2"]),
    ("Step 2 output exists.", ["pipeline_state step 2 output"]),
    ("Step `render` succeeded.", ["pipeline_state step render"]),
    ("All 5 steps succeeded.", ["pipeline_state step all of 5"]),
    ("I ran the pipeline twice.", ["pipeline_state ran 2"]),
    ("I started it three times.", ["pipeline_state ran 3"]),
    ("The pipeline ran twice.", ["pipeline_state ran 2"]),
    ("The pipeline was run two times.", ["pipeline_state ran 2"]),
    ("The deploy workflow has been executed three times in a row.", ["pipeline_state ran 3"]),
    ("Pipeline `pod` was started twice, and I have its id.", ["pipeline_state ran 2"]),
]
SILENT = [
    "Has the job finished?",
    "Did all jobs succeed?",
    "I will tell you when the job is done.",
    "Once all jobs are done, I will continue.",
    "If the pipeline succeeded, the file is there.",
    "The job has not finished yet.",
    "The job isn't done.",
    "The job failed: out of memory.",
    "The pipeline could not be completed.",
    "The pipeline should be done in a minute.",
    "The jobs probably succeeded.",
    "The build runs in CI and the docs are done.",
    "The completed jobs are listed below.",
    "The jobs finished queue is empty.",
    "Your pipeline is set up.",
    "## Jobs completed",
    "Jobs completed: 3 of 6.",
    "> The job has finished.",
    "```\nthe job has finished\n```",
    'It says "the job is done" when it ends.',
    "The step is to run the job after it has completed.",
    "I ran the tests twice.",
    "He runs twice a week.",
    "The step function is done by the server, not by us, once the run completed.",
    "I did a good job.",
    "Good job!",
    "The packaging is done.",
    "Nothing is done.",
    "The pipeline runs twice a week.",
    "The pipeline was run twice a day.",
    "The pipeline ran twice last week.",
    "Last week the pipeline ran twice.",
    "The pipeline had been run twice.",
    "The pipeline has already been run twice.",
    "Earlier, the pipeline was run two times.",
    "The pipeline was not run twice.",
    "The pipeline never ran twice.",
    "The pipeline would have run twice.",
    "The pipeline almost ran twice.",
    "Has the pipeline been run twice?",
    "If the pipeline ran twice, there are two drafts.",
    "Once the pipeline has been run twice, I'll compare the two.",
    "I don't know why the pipeline ran twice.",
    "You said that it ran twice.",
    "The tests were run two times.",
    "> The pipeline ran twice.",
    "All done?",
    "All done with the setup.",
    "All done: the first two.",
    "Almost all done.",
    "Not all are done.",
    "All six will be done soon.",
    "Once all are done, I'll tell you.",
    "If everything is done, you see it there.",
    "I'm all done here.",
    "> All done.",
]


def word(claim: Claim) -> str:
    count = {None: "", 0: " all"}.get(claim.count, f" {claim.count}")
    total = f" of {claim.fields['total']}" if "total" in claim.fields else ""
    output = " output" if "output" in claim.fields else ""
    bare = " bare" if "bare" in claim.fields else ""
    return f"{claim.kind} {claim.act} {claim.subject}".strip() + count + total + output + bare


def claims(answer: str) -> Sequence[Claim]:
    return Reading(answer, lexicon()).claims(KINDS)


@pytest.mark.parametrize(("answer", "expected"), FIRES)
def test_claims_about_progress(answer: str, expected: list[str]) -> None:
    found = [one for one in claims(answer) if one.stance == "asserted"]
    assert [word(one) for one in found] == expected
    assert all(one.quote and answer[one.start : one.end] for one in found)


@pytest.mark.parametrize("answer", SILENT)
def test_what_is_no_claim(answer: str) -> None:
    assert [word(one) for one in claims(answer) if one.stance == "asserted"] == []


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ("The pipeline failed at step 3.", "pipeline_state"),
        ("One of the jobs failed.", "job_state"),
        ("The job is not done yet.", "job_state"),
    ],
)
def test_admissions(answer: str, kind: str) -> None:
    assert kind in {one.kind for one in claims(answer) if one.stance == "denied"}


def test_files_and_deposits_are_read_as_before() -> None:
    for answer, _ in FIRES:
        named = [
            one
            for one in Reading(answer, lexicon()).claims(frozenset({"file", "artifact"}))
            if one.stance == "asserted"
        ]
        assert not [one for one in named if one.subject]


@pytest.mark.parametrize(
    ("start", "unit", "end"),
    [("", "a", " job is done"), ("", "job ", ""), ("", "jobs are ", ""), ("", "1/", " jobs"), ("", "step ", ""),
     ("", "- job `x` is " + "a" * 500 + "\n", ""), ("job `", "x", "` is done"), ("", "pipeline was ", ""),
     ("pipeline ", "`x` ", ""), ("", "all of them ", ""), ("", "*", "all done"), ("", "all are now all has ", "")],
)  # fmt: skip
def test_a_long_text_takes_no_long_time(start: str, unit: str, end: str) -> None:
    assert in_proportion(lambda times: claims(start + unit * times + end), 60_000 // len(unit))


WORDS = st.sampled_from(
    [
        "all",
        "5",
        "of",
        "six",
        "the",
        "job",
        "jobs",
        "pipeline",
        "step",
        "2",
        "`pack_1a`",
        "has",
        "not",
        "is",
        "done",
        "completed",
        "claims",
        "grounded",
        ",",
        ".",
        "|",
        "if",
    ]
)


@settings(deadline=None, max_examples=300)
@given(st.lists(WORDS, max_size=14).map(" ".join))
def test_it_never_raises_and_every_claim_stands_in_the_text(answer: str) -> None:
    for one in claims(answer):
        assert 0 <= one.start <= one.end <= len(answer)
        assert one.subject in answer
