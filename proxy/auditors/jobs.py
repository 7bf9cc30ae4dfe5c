"""A job that was accepted is not a finished one: what an answer says of jobs must be the last state that was read of them."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from proxy.audit import Finding, Look, Present
from proxy.claims import Claim, answer_text
from proxy.ledger import UNDONE, Call, Turn

STARTS = re.compile(
    r"(?i)\b(?:start|kick|launch|submit|queue|enqueue|trigger|schedule|dispatch|fire|begin|initiate|background|async"
    r"|only|just|first|one\b|leave|other|rest\b)"
)
"""Where a user asks for no more than that the jobs begin, or for a part of them, all is done before all have finished."""
OPEN = re.compile(
    r"(?i)\b(?:start|kick|launch|submi|queue|enqueue|trigger|schedul|dispatch|initiat|background|async|runn|working|work on"
    r"|process|render|pending|progress|still|yet|wait|remain|rest\b|soon|shortly|later|until|once|check|minutes?\b|except"
    r"|only|apart|other|first|one\b|but\b|however|so far|on my|on our)"
)
"""Beside "all done", these may tell which jobs still run, or that it is the start that is meant."""


@dataclass(slots=True)
class Job:
    """A job as the calls saw it: its id as first spelled, its last state in lower case, and who told it."""

    id: str
    state: str = ""
    reason: str = ""
    call: Call | None = None
    calls: list[Call] = field(default_factory=list)


FINISHED = re.compile(r"(?i)\b(?:finished|completed?|succeeded|done)\b")
TURNED = re.compile(
    r"(?i);|\b(?:once|when|until|till|after|before|as soon as|if|will|would|only|means?|notif\w+|tell|let you know"
    r"|sobald|wenn|bis|cuando|hasta|quand|dès que)\b"
)
"""Between a job and the word that it is done these begin another clause: "the job runs; I'll tell you once it has finished"."""


@dataclass(frozen=True, slots=True)
class Jobs:
    """Compare "the job has finished" with the last state that the conversation shows, then with the job's own endpoint.

    `tools` are the rule's: those that start jobs, ask for their state and fetch their results. `id_fields` and
    `state_fields` are where their results, and arguments, have the two; `error_fields` where a failed one says why. `done`,
    `running` and `failed` are the words of the states. A job that was read as done stays done: servers forget. A question
    that failed (a mistyped id) tells nothing. "All done" is about jobs where the turn changed nothing else. `source` and
    `url` (with `{subject}` for the id) name an endpoint that is asked about jobs last seen running.
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

    reads: ClassVar[frozenset[str]] = frozenset({"job", "job_state", "text"})

    async def audit(self, turn: Turn, claims: Sequence[Claim], look: Look) -> list[Finding]:
        text = answer_text(claims)
        said = [claim for claim in claims if claim.kind == "pattern" and claim.stance == "asserted"]
        said = [claim for claim in said if not _is_turned(claim, text)]
        bare = [claim for claim in claims if "bare" in claim.fields and claim.stance == "asserted"]
        if not said and not bare:
            return []
        jobs = self._jobs(turn.calls_of(self.tools)) or self._jobs(turn.calls_of(self.tools, turn.earlier()))
        if self.source:
            await asyncio.gather(*(self._ask(job, look) for job in jobs.values() if job.state in self.running))
        named = {claim.quote: claim.subject for claim in claims if claim.kind == "job"}
        found = [self._judge(claim, named.get(claim.quote, ""), jobs) for claim in said]
        if bare and self._alone(jobs, turn, claims):
            found += [self._judge(claim, "", jobs) for claim in bare if self._meant(claim, jobs)]
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

    def _alone(self, jobs: dict[str, Job], turn: Turn, claims: Sequence[Claim]) -> bool:
        """Whether an answer that says no more than "all done" can only mean that the turn's jobs have finished.

        All that the turn may have changed is jobs, some were waited for and are done, some are seen to run, nothing else
        speaks of these, and the answer does not tell of any.
        """
        states = {job.state for job in jobs.values()}
        if len(jobs) < 2 or states.isdisjoint(self.done) or states.isdisjoint(self.running):
            return False
        own = {id(call) for job in jobs.values() for call in job.calls} & {id(call) for call in turn.calls}
        others = [call for call in turn.calls if id(call) not in own and call.outcome not in UNDONE]
        if not own or any(turn.nature(call) != "read" for call in others):
            return False
        told = "\n".join(f"{call.raw}\n{call.result_text}".lower() for call in others)
        if any(name in told for name, job in jobs.items() if job.state in self.running):
            return False
        denied = any(claim.stance == "denied" for claim in claims)
        return not denied and not STARTS.search(turn.asked) and not OPEN.search(answer_text(claims))

    def _meant(self, claim: Claim, jobs: dict[str, Job]) -> bool:
        """Whether "all six" is as many as there are jobs."""
        return claim.fields.get("total", str(len(jobs))) == str(len(jobs))

    def _judge(self, claim: Claim, identifier: str, jobs: dict[str, Job]) -> Finding | None:
        """The verdict on one claim: about the job it names, about all of them, or about the only one."""
        meant = list(jobs.values())
        if identifier:
            meant = [jobs[_bare(identifier)]] if _bare(identifier) in jobs else []
        if not meant or any(job.state not in (*self.done, *self.running, *self.failed) for job in meant):
            return None
        done = [job for job in meant if job.state in self.done]
        open_ = [job for job in meant if job.state not in self.done]
        subject = identifier or (meant[0].id if len(meant) == 1 else claim.subject or "jobs")
        every = "bare" in claim.fields or re.match(r"(?i)all\b|every\b|both\b", claim.subject)
        if not open_ or (done and not every):
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


def _is_turned(claim: Claim, text: str) -> bool:
    """Whether the word that a job is done belongs to another clause than the job."""
    rest = text[claim.end : claim.end + 80]
    found = FINISHED.search(rest)
    return found is not None and TURNED.search(rest, 0, found.start()) is not None
