"""Audit a final answer under a policy, and say what its reader is to be shown."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from proxy import auditing, footer
from proxy.audit import Check, Look, Report
from proxy.citations import citation
from proxy.claims import COMPARED
from proxy.ledger import BESIDE, Turn
from proxy.policy import Policy
from proxy.reading import Reading
from proxy.structured import told
from proxy.transcript import Answer, Transcript

LONG, MANY, WIDE = 20_000, 100, 200_000
"""Code points of an answer, calls of a turn, and code points of their results over which an audit may take long."""


async def examine(
    policy: Policy,
    transcript: Transcript,
    turn: Turn,
    answer: Answer,
    look: Look,
    *,
    audit_id: str,
    incomplete: str = "",
) -> Report:
    """Read the answer's claims, run the rules that apply, and report.

    The policy's deadline is for the rules; where reading may take long, for both. Raises TimeoutError where that ends it.

    An answer that asks for calls to be run, by a dialect of its client's, is none yet; an empty one says nothing.
    """
    if not answer.text.strip() or turn.asks(answer.text):
        return Report(audit_id, (), (), incomplete)
    long = _long(answer.text, turn)
    declares = bool(transcript.tools or turn.calls or turn.orphans or turn.earlier())
    silent = footer.silent(answer.text, policy.silence)  # "NO_REPLY" claims nothing, and denies nothing
    read = (policy, turn, "" if silent else answer.text, declares)
    clock = asyncio.get_running_loop().time
    began = clock()
    checks = await auditing.apart(policy.deadline, _read, *read) if long else _read(*read)
    left = policy.deadline - (clock() - began) if long else policy.deadline
    findings, failures = await auditing.run(checks, turn, look, deadline=left, long=long)
    if len(answer.text) > COMPARED:
        incomplete = incomplete or f"the answer has over {COMPARED} code points: its values were not compared"
    elif len(turn.calls) > BESIDE + 1:
        incomplete = incomplete or f"the turn has over {BESIDE} calls: each was only held against those next to it"
    return Report(audit_id, tuple(findings), tuple(failures), incomplete)


def _long(text: str, turn: Turn) -> bool:
    """Whether an audit may take so long that it is computed apart from what streams."""
    many = len(text) > LONG or len(turn.calls) > MANY
    return many or sum(len(call.result_text) for call in turn.calls) > WIDE


def _read(policy: Policy, turn: Turn, text: str, declares_tools: bool) -> list[Check]:
    """The rules that apply to an answer, each with its claims."""
    return policy.select(turn, Reading(told(text), policy.lexicon), declares_tools=declares_tools)


def joined(identifier: str, reports: Sequence[Report], incomplete: str) -> Report:
    """One report over all choices of a reply."""
    if len(reports) == 1:
        return reports[0]
    findings = tuple(finding for report in reports for finding in report.findings)
    failures = tuple(failure for report in reports for failure in report.failures)
    return replace(Report(identifier), findings=findings, failures=failures, incomplete=incomplete)


def words(policy: Policy, answer: Answer, report: Report) -> str:
    """What the reader is shown under this answer; empty where nothing is to be said, or where no text may be added."""
    if not report.findings or footer.silent(answer.text, policy.silence) or footer.bare(answer.text):
        return ""
    return footer.render(policy.decide(report).shown, register=policy.register)


def in_place(policy: Policy, answer: Answer, report: Report) -> tuple[list[tuple[int, str]], Report]:
    """The citations that rules of the style `inline` write into this answer, and the report without what they say."""
    if not policy.inline or footer.silent(answer.text, policy.silence) or footer.bare(answer.text):
        return [], report
    written: dict[int, str] = {}
    left = []
    for one in report.findings:
        place, link = one.fields.get("end"), citation(one.cites) if one.rule in policy.inline else ""
        if one.verdict == "verified" and link and isinstance(place, int) and 0 < place <= len(answer.text):
            written.setdefault(place, link)
            left.append(replace(one, cites=""))
        else:
            left.append(one)
    return list(written.items()), replace(report, findings=tuple(left))
