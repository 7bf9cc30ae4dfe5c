"""A job that was accepted is not a finished one: what an answer says of jobs must be the last state that was read of them."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from proxy.audit import Finding, Look, Present
from proxy.claims import Claim
from proxy.ledger import Call, Turn


@dataclass(slots=True)
class Job:
    """A job as the calls saw it: its id as first spelled, its last state in lower case, and who told it."""

    id: str
    state: str = ""
    reason: str = ""
    call: Call | None = None
    calls: list[Call] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Jobs:
    """Compare "the job has finished" with the last state that the conversation shows, then with the job's own endpoint.

    `tools` are the rule's: those that start jobs, ask for their state and fetch their results. `id_fields` and
    `state_fields` are where their results, and arguments, have the two; `error_fields` where a failed one says why. `done`,
    `running` and `failed` are the words of the states. A job that was read as done stays done: servers forget. A question
    that failed (a mistyped id) tells nothing. `source` and `url` (with `{subject}` for the id) name an endpoint that is asked
    about jobs last seen running.
    """

    tools: tuple[str, ...] = ("pack-start", "pack-status", "pack-result", "*job*")
    source: str = ""
    url: str = "{subject}"
    id_fields: tuple[str, ...] = ("job_id", "jobId", "task_id", "run_id", "id")
    state_fields: tuple[str, ...] = ("state", "status")
    error_fields: tuple[str, ...] = ("error", "error.message", "message")
    done: tuple[str, ...] = ("completed", "complete", "succeeded", "success", "done", "finished")
    running: tuple[str, ...] = ("working", "running", "queued", "pending", "accepted", "started", "in_progress")
    failed: tuple[str, ...] = ("failed", "error", "cancelled", "canceled", "timed_out", "expired")

    reads: ClassVar[frozenset[str]] = frozenset({"job"})

    async def audit(self, turn: Turn, claims: Sequence[Claim], look: Look) -> list[Finding]:
        said = [claim for claim in claims if claim.kind == "pattern" and claim.stance == "asserted"]
        if not said:
            return []
        jobs = self._jobs(turn.calls_of(self.tools)) or self._jobs(turn.calls_of(self.tools, turn.earlier()))
        if self.source:
            await asyncio.gather(*(self._ask(job, look) for job in jobs.values() if job.state in self.running))
        named = {claim.quote: claim.subject for claim in claims if claim.kind == "job"}
        found = [self._judge(claim, named.get(claim.quote, ""), jobs) for claim in said]
        return list({(one.verdict, one.subject): one for one in found if one is not None}.values())

    def _jobs(self, calls: Sequence[Call]) -> dict[str, Job]:
        """Every job by its bare id, as the calls saw it one after another."""
        jobs: dict[str, Job] = {}
        for call in calls:
            if call.result is None:
                continue
            ids = [one for name in self.id_fields for one in call.result.fields(name) if isinstance(one, str)]
            ids += [one for name in self.id_fields if isinstance(one := call.arguments.get(name), str)]
            states = [
                one.lower() for name in self.state_fields for one in call.result.fields(name) if isinstance(one, str)
            ]
            if not ids or not states:
                continue
            job = jobs.setdefault(_bare(ids[0]), Job(ids[0]))
            job.calls.append(call)
            if job.state not in self.done:
                job.state, job.call = states[0], call
                job.reason = next(self._reasons(call), "")
        return jobs

    def _reasons(self, call: Call) -> Iterator[str]:
        for name in self.error_fields:
            yield from (
                one for one in (call.result.fields(name) if call.result else ()) if isinstance(one, str) and one
            )

    async def _ask(self, job: Job, look: Look) -> None:
        sight = await look(self.source, self.url.replace("{subject}", job.id))
        if isinstance(sight, Present):
            states = [str(sight.fields[name]).lower() for name in self.state_fields if sight.fields.get(name)]
            job.state = states[0] if states else job.state
        else:
            job.state = ""  # it may have finished, or have been forgotten: nobody can tell

    def _judge(self, claim: Claim, identifier: str, jobs: dict[str, Job]) -> Finding | None:
        """The verdict on one claim: about the job it names, about all of them, or about the only one."""
        meant = list(jobs.values())
        if identifier:
            meant = [jobs[_bare(identifier)]] if _bare(identifier) in jobs else []
        if not meant or any(job.state not in (*self.done, *self.running, *self.failed) for job in meant):
            return None
        done = [job for job in meant if job.state in self.done]
        open_ = [job for job in meant if job.state not in self.done]
        subject = identifier or (meant[0].id if len(meant) == 1 else claim.subject)
        if not open_ or (done and not re.match(r"(?i)all\b|every\b|both\b", claim.subject)):
            return Finding("verified", subject, "its last state is done", claim.quote, _last(done))
        first = open_[0]
        reason = f"its last state is {first.state}" + (f": {first.reason}" if first.reason else "")
        if len(meant) > 1:
            reason = f"{len(done)} of {len(meant)} are done; the last state of {first.id} is {first.state}"
        return Finding("contradicted", subject, reason, claim.quote, _last([first]))


def _last(jobs: Sequence[Job]) -> str:
    return jobs[-1].call.id if jobs and jobs[-1].call is not None else ""


def _bare(identifier: str) -> str:
    """An id without a prefix: `pack_1a2b` and `1a2b` are one job."""
    head, found, tail = identifier.rpartition("_")
    return tail.lower() if found and head.isalpha() and len(tail) >= 4 else identifier.lower()
