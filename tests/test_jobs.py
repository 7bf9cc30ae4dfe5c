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


def findings(answer: str, ran: list[Ran], sight: Sight | None = None) -> list[Finding]:
    policy = LIBRARY.policy(LIBRARY.open("packs", "helmdeck.toml"), {"jobs"} if sight is not None else ())

    async def look(source: str, subject: str, question: Question = NOTHING) -> Sight:
        assert sight is not None
        return sight

    request = transcript(messages(ran), tools=[{"type": "function", "function": {"name": "pack.start"}}])
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
