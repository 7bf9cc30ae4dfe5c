"""What an answer says of pipelines, of their steps and of how often they ran must be what their runs' results say."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from proxy.amounts import NUMERALS
from proxy.audit import Finding, Look, Verdict
from proxy.auditors import endpoints
from proxy.claims import ALL, Claim
from proxy.ledger import UNDONE, Call, Turn
from proxy.results import one_line, walk


@dataclass(frozen=True, slots=True)
class Step:
    """One step as a result lists it: its own name, its state in lower case, why it failed, what it made."""

    name: str
    state: str
    reason: str
    made: bool | None
    """Whether there is an output; None where the result does not say."""


@dataclass(slots=True)
class Run:
    """A run as the calls saw it, the last word counting."""

    id: str
    state: str = ""
    reason: str = ""
    steps: list[Step] = field(default_factory=list)
    call: Call | None = None


@dataclass(frozen=True, slots=True)
class Pipelines:
    """Compare what is said of pipelines with the runs and steps that the rule's `tools` returned.

    `starts` are globs of those tools that start a run: two calls may get one run, where equal ones are joined. `id_fields`,
    `state_fields`, `error_fields`, `steps_fields` (lists of steps), `step_fields` (a step's name) and `made_fields` (what a
    step made) are where results have these; `done`, `running` and `failed` are the words of the states. `source` is asked
    about runs last seen running: at `url` with `{subject}` for the id, or by `tool` with `arguments`.
    """

    tools: tuple[str, ...] = ("pipeline-*", "*-pipeline", "workflow-run*")
    starts: tuple[str, ...] = ("pipeline-run", "pipeline-start", "run-pipeline", "start-pipeline", "workflow-run")
    source: str = ""
    url: str = endpoints.SUBJECT
    tool: str = ""
    arguments: dict[str, str] = field(default_factory=lambda: {"run_id": endpoints.SUBJECT})
    id_fields: tuple[str, ...] = ("run_id", "runId", "run.id", "id")
    state_fields: tuple[str, ...] = ("status", "state", "run.status")
    error_fields: tuple[str, ...] = ("error", "failure_reason", "error.message", "error_code")
    steps_fields: tuple[str, ...] = ("steps[]", "run.steps[]")
    step_fields: tuple[str, ...] = ("step_id", "id", "name", "pack")
    made_fields: tuple[str, ...] = ("output", "artifacts")
    done: tuple[str, ...] = ("succeeded", "success", "completed", "complete", "done", "finished", "passed")
    running: tuple[str, ...] = (
        "pending",
        "running",
        "queued",
        "working",
        "started",
        "in_progress",
        "waiting",
        "accepted",
    )
    failed: tuple[str, ...] = ("failed", "error", "cancelled", "canceled", "timed_out", "skipped", "aborted")

    reads: ClassVar[frozenset[str]] = frozenset({"pipeline_state"})

    async def audit(self, turn: Turn, claims: Sequence[Claim], look: Look) -> list[Finding]:
        said = [claim for claim in claims if claim.stance == "asserted"]
        calls = turn.calls_of(self.tools) or (turn.calls_of(self.tools, turn.earlier()) if said else [])
        if not said or not calls:
            return []
        runs = self._runs(calls)
        if self.source:
            waiting = [run for run in runs.values() if run.state in self.running]
            await asyncio.gather(*(self._ask(run, turn, look) for run in waiting))
        admits = any(claim.stance == "denied" and not claim.subject for claim in claims)
        found: dict[tuple[str, str], Finding] = {}
        for claim in said:
            for one in self._judge(claim, runs, turn, admits):
                found.setdefault((one.verdict, one.subject), one)
        return list(found.values())

    def _runs(self, calls: Sequence[Call]) -> dict[str, Run]:
        """Every run by its id, as the calls saw it one after another."""
        runs: dict[str, Run] = {}
        for call in calls:
            if call.result is None or not isinstance(call.result.value, dict):
                continue
            ids = [one for name in self.id_fields for one in call.result.fields(name) if isinstance(one, str) and one]
            ids += [one for name in self.id_fields if isinstance(one := call.arguments.get(name), str) and one]
            states = list(self._states(call.result.fields))
            if ids and states:
                run = runs.setdefault(ids[0].lower(), Run(ids[0]))
                steps = [one for name in self.steps_fields for one in call.result.fields(name) if isinstance(one, dict)]
                run.state, run.call, run.steps = states[0], call, [self._step(one) for one in steps] or run.steps
                run.reason = next(self._texts(call.result.fields, self.error_fields), "")
        return runs

    def _states(self, fields: Any) -> Iterator[str]:
        return (one.lower() for one in self._texts(fields, self.state_fields))

    @staticmethod
    def _texts(fields: Any, names: Sequence[str]) -> Iterator[str]:
        return (one for name in names for one in fields(name) if isinstance(one, str) and one)

    def _step(self, raw: Mapping[str, Any]) -> Step:
        def fields(name: str) -> Iterator[Any]:
            return walk(raw, name)

        shown = [raw[name] for name in self.made_fields if name in raw]
        return Step(
            next(self._texts(fields, self.step_fields), ""),
            next(self._states(fields), ""),
            next(self._texts(fields, self.error_fields), ""),
            any(shown) if shown else None,
        )

    async def _ask(self, run: Run, turn: Turn, look: Look) -> None:
        answer = await endpoints.ask(
            look, self.source, turn, run.id, url=self.url, tool=self.tool, arguments=self.arguments
        )
        states = [one.lower() for one in endpoints.texts(answer, self.state_fields)] if answer is not None else []
        run.state = states[0] if states else ""  # where nobody can tell, it may have ended meanwhile

    def _judge(self, claim: Claim, runs: Mapping[str, Run], turn: Turn, admits: bool) -> Iterator[Finding]:
        if claim.act == "ran":
            yield from self._counted(claim, turn)
        elif claim.act == "step":
            meant = [run for run in runs.values() if run.steps]
            if len(meant) == 1:
                yield from self._steps(claim, meant[0])
        elif claim.subject:
            if (run := runs.get(claim.subject.lower())) is not None:
                yield from self._ended(claim, [run], admits)
        else:
            yield from self._ended(claim, list(runs.values()), admits)

    def _ended(self, claim: Claim, runs: Sequence[Run], admits: bool) -> Iterator[Finding]:
        """The verdict on "the pipeline succeeded": of one run, of any of several, or of all where all are meant."""
        known = (*self.done, *self.running, *self.failed)
        if not runs or any(run.state not in known for run in runs):
            return
        good = [run for run in runs if run.state in self.done]
        bad = [run for run in runs if run.state not in self.done]
        subject = claim.subject or (runs[0].id if len(runs) == 1 else "runs")
        if not bad or (good and claim.count != ALL):
            yield _finding("verified", subject, claim, "its last state is " + good[-1].state, good[-1].call)
        elif not admits:  # "it finished, and step 3 failed" hides nothing
            yield _finding("contradicted", subject, claim, self._why(bad[0], len(good), len(runs)), bad[0].call)

    def _why(self, run: Run, good: int, of: int) -> str:
        failed = next((step for step in run.steps if step.state in self.failed and step.state != "skipped"), None)
        reason = run.reason or (failed.reason if failed else "")
        at = f" at {failed.name}" if failed is not None and failed.name else ""
        told = f"{good} of {of} runs are done; " if of > 1 else ""
        return f"{told}the last state of the run is {run.state}{at}" + (f": {one_line(reason)}" if reason else "")

    def _steps(self, claim: Claim, run: Run) -> Iterator[Finding]:
        """The verdicts on the step that a claim names, by number or by name, or on all of them."""
        known = (*self.done, *self.running, *self.failed)
        if claim.subject:
            said = claim.subject.lower()
            number = int(said) if said.isdecimal() else NUMERALS.get(said, int(said == "one"))
            named = [one for one in run.steps if one.name.lower() == said]
            step = named[0] if named else run.steps[number - 1] if 0 < number <= len(run.steps) else None
            if step is None or step.state not in known:
                return
            subject = f"step {claim.subject}"
            if step.state not in self.done:
                reason = f"its state is {step.state}" + (f": {one_line(step.reason)}" if step.reason else "")
                yield _finding("contradicted", subject, claim, reason, run.call)
            elif "output" in claim.fields and step.made is False:
                yield _finding(
                    "qualified", subject, claim, "the step is done, and the result shows no output", run.call
                )
            else:
                yield _finding("verified", subject, claim, f"its state is {step.state}", run.call)
        elif claim.count == ALL and all(step.state in known for step in run.steps):
            bad = [step for step in run.steps if step.state not in self.done]
            good = len(run.steps) - len(bad)
            verdict: Verdict = "contradicted" if bad else "verified"
            told = f"; the state of {bad[0].name or 'a step'} is {bad[0].state}" if bad else ""
            yield _finding(verdict, "steps", claim, f"{good} of {len(run.steps)} steps are done{told}", run.call)

    def _counted(self, claim: Claim, turn: Turn) -> Iterator[Finding]:
        """The verdict on "ran it twice": equal runs that start together are joined to one, which is a run less."""
        starts = turn.calls_of(self.starts) or turn.calls_of(self.starts, turn.earlier())
        starts = [call for call in starts if call.outcome not in UNDONE and call.result is not None]
        wanted = claim.count
        if not wanted or wanted < 2 or len(starts) < wanted:
            return  # with fewer calls than runs, something else may have started them
        ids = [next(self._texts(call.result.fields, self.id_fields), "") for call in starts if call.result is not None]
        if not all(ids):
            return
        different = len(set(ids))
        if different >= wanted:
            yield _finding("verified", "runs", claim, f"{different} runs were started", starts[-1])
        else:
            reason = f"{len(starts)} calls started {different} run{'' if different == 1 else 's'}: {ids[0]}"
            yield _finding("qualified", "runs", claim, reason, starts[-1])


def _finding(verdict: Verdict, subject: str, claim: Claim, reason: str, call: Call | None) -> Finding:
    return Finding(verdict, subject, reason[:300], claim.quote, call.id if call is not None else "")
