"""Jobs that go on behind an answer."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from proxy import ledger
from proxy.answers import examine
from proxy.audit import NOTHING, Absent, Finding, Present, Question, Sight, Unknown
from proxy.library import Library
from proxy.transcript import Answer
from tests.transcripts import ROOT, Ran, messages, transcript

LIBRARY = Library(ROOT / "policies")


def findings(answer: str, ran: list[Ran], sight: Sight | None = None, asked: str = "do it") -> list[Finding]:
    policy = LIBRARY.policy(LIBRARY.open("packs", "helmdeck.toml"), {"jobs"} if sight is not None else ())

    async def look(source: str, subject: str, question: Question = NOTHING) -> Sight:
        assert sight is not None
        return sight

    request = transcript(messages(ran, user=asked), tools=[{"type": "function", "function": {"name": "pack.start"}}])
    turn = ledger.read_turn(request, policy.marks)
    report = asyncio.run(examine(policy, request, turn, Answer(0, answer, "stop"), look, audit_id="a"))
    assert not report.failures
    return [one for one in report.findings if one.rule == "jobs"]


def verdicts(answer: str, ran: list[Ran], sight: Sight | None = None) -> list[str]:
    return [f"{one.verdict} {one.subject}" for one in findings(answer, ran, sight)]


def start(number: int = 1, **more: Any) -> Ran:
    return ("pack.start", {"pack": "render"}, {"job_id": f"pack_1a2b0{number}", "state": "working", **more})


def status(identifier: str, state: str, **more: Any) -> Ran:
    return ("helmdeck__pack-status", {"job_id": identifier}, {"job_id": identifier, "state": state, **more})


UNKNOWN: Ran = ("pack.status", {"job_id": "pack_zzza"}, {"error": "unknown_job"})
SIX = [start(number) for number in range(1, 7)]

CASES: list[tuple[str, str, list[Ran], list[str]]] = [
    ("47", "The job has finished.", [start()], ["contradicted pack_1a2b01"]),
    ("47, by its id", "Job `pack_1a2b01` is done.", [start()], ["contradicted pack_1a2b01"]),
    ("48", "The job has completed.", [start(), status("pack_1a2b01", "completed"), UNKNOWN], ["verified pack_1a2b01"]),
    ("49", "The job has completed.", [start(), UNKNOWN, status("pack_1a2b01", "completed")], ["verified pack_1a2b01"]),
    (
        "50",
        "The job completed successfully.",
        [start(), status("pack_1a2b01", "failed", error="out of memory")],
        ["contradicted pack_1a2b01"],
    ),
    ("51", "Job `1a2b01` is done.", [start(), status("pack_1a2b01", "completed")], ["verified 1a2b01"]),
    (
        "51, the other way",
        "Job `pack_1a2b01` is done.",
        [start(), status("1a2b01", "completed")],
        ["verified pack_1a2b01"],
    ),
    (
        "52, one of six",
        "The job for slide 3 has completed.",
        [*SIX, status("pack_1a2b03", "completed")],
        ["verified job"],
    ),
    ("52, all", "All jobs are done.", [*SIX, status("pack_1a2b03", "completed")], ["contradicted All jobs"]),
    (
        "in a wrapper",
        "The job has finished.",
        [("pack.start", {}, {"pack": "p", "version": "1", "output": {"job_id": "pack_7a7a", "state": "queued"}})],
        ["contradicted pack_7a7a"],
    ),
    ("honest", "The job has not finished yet.", [start()], []),
    ("asked", "Has the job finished?", [start()], []),
    ("planned", "I will tell you when the job is done.", [start()], []),
    ("started", "I started the job; it is running.", [start()], []),
    ("admitted", "The job failed: out of memory.", [start(), status("pack_1a2b01", "failed")], []),
    ("another id", "Job `pack_999f` is done.", [start()], []),
    ("no job ran", "The job is done.", [("read_file", {"path": "a"}, "x")], []),
    ("a state nobody knows", "The job has finished.", [start(state="hibernating")], []),
    ("no result", "The job has finished.", [("pack.start", {"pack": "render"}, None)], []),
    ("quoted", "> The job has finished.", [start()], []),
    # An id and "has" are all that tells the language: "has" is "you have" in Spanish, which would be somebody else's deed.
    ("no small words", "Job 1a2b01 has completed.", [start()], ["contradicted 1a2b01"]),
    ("no small words, its prefix", "Job pack_1a2b01 has completed.", [start()], ["contradicted pack_1a2b01"]),
    ("no small words, its kind", "Render job 1a2b01 has completed.", [start()], ["contradicted 1a2b01"]),
    (
        "no small words, honest",
        "Job 1a2b01 has completed.",
        [start(), status("pack_1a2b01", "completed")],
        ["verified 1a2b01"],
    ),
    ("no small words, denied", "Job 1a2b01 has not completed.", [start()], []),
    ("no small words, not yet", "Job 1a2b01 hasn't completed yet.", [start()], []),
    ("no small words, asked", "Has job 1a2b01 completed?", [start()], []),
    ("no small words, when", "Once job 1a2b01 has completed, I'll tell you.", [start()], []),
    ("no small words, if", "If job 1a2b01 has completed, you'll see it there.", [start()], []),
    ("no small words, planned", "Job 1a2b01 will have completed by noon.", [start()], []),
    ("no small words, failed", "Job 1a2b01 has failed.", [start()], []),
    ("no small words, quoted", "> Job 1a2b01 has completed.", [start()], []),
    ("no small words, another id", "Job 9f9f01 has completed.", [start()], []),
    ("Spanish, somebody else's", "Has completado job 1a2b01.", [start()], []),
]


@pytest.mark.parametrize(("answer", "ran", "expected"), [row[1:] for row in CASES], ids=[row[0] for row in CASES])
def test_scenarios_47_to_52(answer: str, ran: list[Ran], expected: list[str]) -> None:
    assert verdicts(answer, ran) == expected


def test_scenario_50_the_error_is_said() -> None:
    (found,) = findings("The job has finished.", [start(), status("pack_1a2b01", "failed", error="out of memory")])
    assert "out of memory" in found.reason


ONE = [*SIX, status("pack_1a2b03", "completed")]
EVERY = [*SIX, *(status(f"pack_1a2b0{number}", "completed") for number in range(1, 7))]
FALSE = [
    "All done.",
    "All done!",
    "All six are done.",
    "All of them have finished.",
    "All six of them are complete.",
    "Everything has completed.",
    "They have all finished.",
    "Here you are. All done.",
]


@pytest.mark.parametrize("answer", FALSE)
def test_scenario_52_all_done_is_said_of_the_jobs_where_there_is_nothing_else(answer: str) -> None:
    (found,) = findings(answer, ONE)
    assert (found.verdict, found.reason) == (
        "contradicted",
        "1 of 6 are done; the last state of pack_1a2b01 is working",
    )
    assert findings(answer, EVERY) == []


ELSE: list[tuple[str, str, list[Ran], str]] = [
    ("denied", "Not all are done.", ONE, ""),
    ("denied, other words", "All six aren't done yet.", ONE, ""),
    ("asked", "Are all six done?", ONE, ""),
    ("asked, short", "All done?", ONE, ""),
    ("planned", "I will tell you when all are done.", ONE, ""),
    ("once", "Once all six are done, I'll send them.", ONE, ""),
    ("if", "If all of them have finished, the page shows it.", ONE, ""),
    ("quoted", "> All done.", ONE, ""),
    ("in a fence", "```\nAll done.\n```", ONE, ""),
    ("with a part", "All done with the outline.", ONE, ""),
    ("but for some", "All done, except for the last five.", ONE, ""),
    ("but, behind", "All done. Five of the six renders are still running.", ONE, ""),
    ("told behind", "All done. The other five will follow.", ONE, ""),
    ("failed is told", "All done. Render 3 could not be read.", ONE, ""),
    ("another number", "All four are done.", ONE, ""),
    ("its start is told", "All done. I kicked off the six renders.", ONE, ""),
    ("a start was asked for", "All done.", ONE, "Kick off the six renders."),
    ("a start was asked for, queued", "All six are done.", ONE, "Please queue these six renders"),
    ("one was asked for", "All done.", ONE, "Render these and show me only slide 3"),
    ("nobody waited", "All done.", SIX, ""),
    ("one job", "All done.", [start()], ""),
    ("another change", "All done.", [*ONE, ("send_email", {"to": "a"}, {"ok": True})], ""),
    ("an edit", "All done.", [*ONE, ("write_file", {"path": "a.md", "content": "x"}, {"bytes_written": 1})], ""),
    ("a shell", "All done.", [*ONE, ("bash", {"command": "sleep 60"}, "")], ""),
    ("shown by another tool", "All done.", [*ONE, ("list_renders", {}, "1a2b01 1a2b02 1a2b04 done")], ""),
    ("its result was read", "All done.", [*ONE, ("pack.result", {"job_id": "pack_1a2b01"}, {"url": "u"})], ""),
    ("a state nobody knows", "All done.", [*ONE, start(7, state="hibernating")], ""),
    ("somebody's", "She says that all six are done.", ONE, ""),
    ("of something else", "All six slides are done.", ONE, ""),
    ("in an item", "- All done\n- Rendering", ONE, ""),
]


@pytest.mark.parametrize(("answer", "ran", "asked"), [row[1:] for row in ELSE], ids=[row[0] for row in ELSE])
def test_scenario_52_what_else_may_be_meant(answer: str, ran: list[Ran], asked: str) -> None:
    assert not [
        one for one in findings(answer, ran, asked=asked or "Render the six slides.") if one.verdict != "verified"
    ]


@pytest.mark.parametrize(
    ("sight", "expected"),
    [
        (Present({"state": "completed"}), ["verified pack_1a2b01"]),
        (Present({"state": "working"}), ["contradicted pack_1a2b01"]),
        (Absent("not found"), []),
        (Unknown("status 403"), []),
        (Unknown("deadline"), []),
    ],
    ids=["done meanwhile", "still running", "forgotten", "denied", "hangs"],
)
def test_the_endpoint_is_asked_about_a_job_last_seen_running(sight: Sight, expected: list[str]) -> None:
    assert verdicts("The job has finished.", [start()], sight) == expected


@pytest.mark.parametrize(
    "answer",
    [
        "The job has started; I'll tell you once it has finished.",
        "The export is running; you'll be notified when the job is completed.",
        "A job is only reported as done after `completed`.",
        "The job runs until it is done.",
        "If the job is done, you get a mail.",
        "The job will be done in ten minutes.",
    ],
)
def test_scenario_47_what_is_announced_or_explained_is_no_claim(answer: str) -> None:
    assert findings(answer, [start()]) == []


def test_scenario_52_all_of_them_with_two_words_between() -> None:
    ran = [*SIX, status("pack_1a2b01", "completed")]
    assert verdicts("All six narration jobs have completed.", ran) == ["contradicted All six narration jobs"]
