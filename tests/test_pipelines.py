"""The auditor of pipelines: scenarios 39, 53 and 54, from the transcript and by asking for the run."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proxy import ledger
from proxy.answers import examine
from proxy.audit import NOTHING, Absent, Finding, Look, Present, Question, Sight, Unknown
from proxy.library import Library
from proxy.tables import Source
from proxy.transcript import Answer
from tests.transcripts import ROOT, Ran, messages, transcript

LIBRARY = Library(ROOT / "policies")
PACK = 'extends = ["helmdeck"]\n'
RUN = "run_1a2b3c"


def findings(
    answer: str, ran: list[Ran], look: Look | None = None, more: str = "", before: list[Ran] | None = None
) -> list[Finding]:
    policy = LIBRARY.policy(Source("t.toml", PACK + more), {"pipelines"} if look is not None else ())

    async def never(source: str, subject: str, question: Question = NOTHING) -> Sight:
        raise AssertionError("no source is configured")

    history = [*messages(before), {"role": "assistant", "content": "Started."}] if before else []
    raw = [*history, *messages(ran, first=len(before or []))]
    request = transcript(raw, tools=[{"type": "function", "function": {"name": "pipeline.run"}}])
    turn = ledger.read_turn(request, policy.marks)
    report = asyncio.run(examine(policy, request, turn, Answer(0, answer, "stop"), look or never, audit_id="a"))
    assert not report.failures or look is not None
    return list(report.findings)


def verdicts(answer: str, ran: list[Ran], look: Look | None = None, more: str = "", **rest: Any) -> list[str]:
    return [
        f"{one.verdict} {one.subject}" for one in findings(answer, ran, look, more, **rest) if one.rule == "pipelines"
    ]


def step(name: str, status: str, **more: Any) -> dict[str, Any]:
    return {"step_id": name, "pack": f"p.{name}", "status": status, **more}


def run(status: str, *steps: dict[str, Any], id: str = RUN, tool: str = "pipeline.run", **more: Any) -> Ran:
    output = {"run_id": id, "pipeline_id": "launch", "status": status, "steps": list(steps), **more}
    return f"helmdeck__{tool}", {"pipeline": "launch"}, {"pack": tool, "version": "1", "output": output}


STEPS = (
    step("write", "succeeded", output={"text": "x"}),
    step("draw", "succeeded", output={"n": 3}, artifacts=[{"artifact_key": "slides.render/0a1b-talk.pdf"}]),
    step("narrate", "failed", error="no voice", error_code="handler_failed"),
    step("publish", "pending"),
)
FAILED = run("failed", *STEPS, error="no voice", failure_class="caller_fixable")
GOOD = run("succeeded", step("write", "succeeded"), step("draw", "succeeded", output=None, artifacts=[]))
POLLED = run("succeeded", tool="pipeline.status")
OTHER = run("running", id="run_9f9f9f")

CASES: list[tuple[str, str, list[Ran], list[str]]] = [
    ("53, the run", "The pipeline succeeded.", [FAILED], [f"contradicted {RUN}"]),
    ("53, the run by its id", f"Pipeline run `{RUN}` completed.", [FAILED], [f"contradicted {RUN}"]),
    ("53, step 2", "Step 2 output exists.", [FAILED], ["verified step 2"]),
    ("53, step 2 by name", "Step `draw` succeeded.", [FAILED], ["verified step draw"]),
    ("53, both", "The pipeline failed at step 3, but step 2 output exists.", [FAILED], ["verified step 2"]),
    ("53, the failed step", "Step 3 completed.", [FAILED], ["contradicted step 3"]),
    ("53, a step that did not run", "Step 4 is done.", [FAILED], ["contradicted step 4"]),
    ("53, all steps", "All steps completed.", [FAILED], ["contradicted steps"]),
    ("53, all steps of a good run", "All steps completed.", [GOOD], ["verified steps"]),
    ("53, no output", "Step 2 output exists.", [GOOD], ["qualified step 2"]),
    ("53, honest", "The pipeline failed at step 3: no voice.", [FAILED], []),
    ("53, admitted in another sentence", "The pipeline finished. Its third step failed.", [FAILED], []),
    ("53, not finished", "The pipeline has not finished yet.", [OTHER], []),
    ("53, asked", "Did the pipeline succeed?", [FAILED], []),
    ("53, planned", "I will tell you when the pipeline has completed.", [OTHER], []),
    ("53, wished", "The pipeline should have completed by then.", [OTHER], []),
    ("53, quoted", "> The pipeline succeeded.", [FAILED], []),
    ("53, a good run", "The pipeline succeeded.", [GOOD], [f"verified {RUN}"]),
    ("53, still running", "The pipeline succeeded.", [OTHER], ["contradicted run_9f9f9f"]),
    ("53, read again", "The pipeline succeeded.", [run("running"), POLLED], [f"verified {RUN}"]),
    ("53, an error in between", "The pipeline succeeded.", [run("running"), ("pipeline.status", {"run_id": "x"}, {"error": "unknown_run"}), POLLED], [f"verified {RUN}"]),
    ("53, one of two runs", "The pipeline succeeded.", [GOOD, OTHER], ["verified runs"]),
    ("53, all of two runs", "Both runs succeeded.", [GOOD, OTHER], ["contradicted runs", "verified runs"]),
    ("53, a run nobody knows", "Pipeline run `run_77aa77` completed.", [FAILED], []),
    ("53, a step nobody knows", "Step 9 completed.", [FAILED], []),
    ("53, a step by another name", "Step `upload` completed.", [FAILED], []),
    ("53, a state nobody knows", "The pipeline succeeded.", [run("hibernating")], []),
    ("53, no result", "The pipeline succeeded.", [("pipeline.run", {}, None)], []),
    ("53, cut off", "The pipeline succeeded.", [("pipeline.run", {}, '{"run_id": "r1", "status": "fai')], []),
    ("53, no pipeline", "The pipeline succeeded.", [("read_file", {"path": "a"}, "x")], []),
    ("53, of another program", "The CI pipeline runs each night.", [FAILED], []),
    ("54", "I ran the pipeline twice.", [run("running"), run("running")], ["qualified runs"]),
    ("54, by the pipeline", "The pipeline ran twice.", [run("running"), run("running")], ["qualified runs"]),
    ("54, passive", "The pipeline was run two times.", [run("running"), run("running")], ["qualified runs"]),
    ("54, passive, two runs", "The pipeline was run two times.", [GOOD, OTHER], ["verified runs"]),
    ("54, passive, one call", "The pipeline was run twice.", [GOOD], []),
    ("54, passive, denied", "The pipeline was not run twice.", [run("running"), run("running")], []),
    ("54, passive, asked", "Was the pipeline run twice?", [run("running"), run("running")], []),
    ("54, passive, planned", "The pipeline will be run twice.", [run("running"), run("running")], []),
    ("54, passive, if", "If the pipeline was run twice, there are two.", [run("running"), run("running")], []),
    ("54, passive, quoted", "> The pipeline was run twice.", [run("running"), run("running")], []),
    ("54, passive, each day", "The pipeline was run twice a day.", [run("running"), run("running")], []),
    ("54, passive, earlier", "The pipeline was already run twice.", [run("running"), run("running")], []),
    ("54, passive, another's", "The tests ran twice.", [run("running"), run("running")], []),
    ("54, two runs", "I ran the pipeline twice.", [GOOD, OTHER], ["verified runs"]),
    ("54, three calls, two runs", "I ran the pipeline three times.", [GOOD, GOOD, OTHER], ["qualified runs"]),
    ("54, once", "I ran the pipeline.", [GOOD], []),
    ("54, one call", "I ran the pipeline twice.", [GOOD], []),
    ("54, one of two calls failed", "I ran the pipeline twice.", [("pipeline.run", {}, {"error": "busy"}), GOOD], []),
    ("54, polled, not started", "I ran the pipeline twice.", [GOOD, POLLED], []),
    ("54, no id", "I ran the pipeline twice.", [("pipeline.run", {}, {"status": "ok"}), ("pipeline.run", {}, {"status": "ok"})], []),
    ("54, something else twice", "I ran the tests twice.", [run("running"), run("running")], []),
    ("54, offered", "Shall I run the pipeline twice?", [run("running"), run("running")], []),
]  # fmt: skip


@pytest.mark.parametrize(("answer", "ran", "expected"), [row[1:] for row in CASES], ids=[row[0] for row in CASES])
def test_scenarios_53_and_54(answer: str, ran: list[Ran], expected: list[str]) -> None:
    assert sorted(verdicts(answer, ran)) == expected


def test_scenario_53_says_where_and_why() -> None:
    (one,) = findings("The pipeline succeeded.", [FAILED])
    assert one.reason == "the last state of the run is failed at narrate: no voice"
    assert one.tool_call_id == "c0"


@pytest.mark.parametrize(
    "answer",
    [
        "The talk is deposited as `slides.render/0a1b-talk.pdf`.",
        "- `slides.render/0a1b-talk.pdf`",
        "All artifacts are deposited.",
    ],
)
def test_scenario_39_what_a_step_made_needs_no_put(answer: str) -> None:
    assert {one.verdict for one in findings(answer, [FAILED])} <= {"verified"}


def test_a_run_of_an_earlier_turn() -> None:
    assert verdicts("The pipeline succeeded.", [], before=[FAILED]) == [f"contradicted {RUN}"]


def says(sight: Sight, wanted: str = RUN) -> Look:
    async def look(source: str, subject: str, question: Question = NOTHING) -> Sight:
        assert (source, subject) == ("pipelines", wanted)
        return sight

    return look


@pytest.mark.parametrize(
    ("sight", "expected"),
    [
        (Present({"status": "succeeded"}), [f"verified {RUN}"]),
        (Present({"output": {"status": "succeeded"}}), [f"verified {RUN}"]),
        (Present({"status": 200, "json": {"status": "failed"}}), [f"contradicted {RUN}"]),
        (Present({"status": "running"}), [f"contradicted {RUN}"]),
        (Present({"status": 200, "text": "please log in"}), []),
        (Present({"status": 200, "json": ["failed"]}), []),
        (Present({}), []),
        (Absent("404"), []),
        (Unknown("status 403"), []),
        (Unknown("deadline"), []),
    ],
)
def test_a_run_last_seen_running_is_asked_for(sight: Sight, expected: list[str]) -> None:
    assert verdicts("The pipeline succeeded.", [run("running")], says(sight)) == expected


def test_a_run_that_ended_is_not_asked_for() -> None:
    assert verdicts("The pipeline succeeded.", [GOOD], says(Present({"status": "failed"}), "nothing")) == [
        f"verified {RUN}"
    ]


OPTIONS = '[[rules]]\nname = "pipelines"\n[rules.options]\n'


def test_an_id_stays_one_part_of_the_url() -> None:
    url = OPTIONS + 'url = "http://localhost/runs/{subject}?full=1"\n'
    look = says(Present({"json": {"status": "failed"}}), "http://localhost/runs/..%2Fadmin%3Fx?full=1")
    assert verdicts("The pipeline succeeded.", [run("running", id="../admin?x")], look, url) == [
        "contradicted ../admin?x"
    ]


def test_a_tool_is_asked_with_its_arguments() -> None:
    seen: list[Question] = []

    async def look(source: str, subject: str, question: Question = NOTHING) -> Sight:
        seen.append(question)
        return Present({"status": "succeeded"})

    tool = OPTIONS + 'tool = "pipeline.status"\narguments = { run_id = "{subject}", full = "yes" }\n'
    assert verdicts("The pipeline succeeded.", [run("running")], look, tool) == [f"verified {RUN}"]
    assert seen[0]["tool"] == "pipeline.status"
    assert seen[0]["arguments"] == '{"run_id": "run_1a2b3c", "full": "yes"}'


@pytest.mark.parametrize("kind", ["raises", "hangs"])
def test_a_source_that_fails_accuses_nobody(kind: str) -> None:
    async def look(source: str, subject: str, question: Question = NOTHING) -> Sight:
        if kind == "raises":
            raise RuntimeError
        await asyncio.sleep(60)
        return Unknown("")

    assert not [one for one in verdicts("The pipeline succeeded.", [run("running")], look, "") if "contradicted" in one]


VALUES = (
    st.none()
    | st.integers(0, 3)
    | st.sampled_from(["succeeded", "failed", "running", "", RUN, [], [{}], [{"status": "failed"}]])
)
SAID = [
    "The pipeline succeeded.",
    "Step 1 completed.",
    "All steps completed.",
    "I ran it twice.",
    f"Run `{RUN}` is done.",
]


@settings(deadline=None, max_examples=150)
@given(
    st.lists(st.dictionaries(st.sampled_from(["run_id", "status", "steps", "output", "error"]), VALUES), max_size=3),
    st.sampled_from(SAID),
)
def test_it_never_raises_and_accuses_only_by_a_state(results: list[dict[str, Any]], answer: str) -> None:
    found = findings(answer, [("pipeline.run", {}, one) for one in results])
    accused = [one for one in found if one.rule == "pipelines" and one.flagged]
    assert not accused or "failed" in str(results) or "running" in str(results)
