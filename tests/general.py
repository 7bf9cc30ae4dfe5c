"""The general pack, asked about a turn: what its rules find beside what they verify."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import cache
from typing import Any

from proxy import ledger
from proxy.answers import examine
from proxy.audit import NOTHING, Finding, Question, Sight
from proxy.ledger import Turn
from proxy.library import Library
from proxy.policy import Policy
from proxy.tables import Source
from proxy.transcript import Answer
from tests.transcripts import ROOT, Ran, messages, transcript

TOOLS = [
    {"type": "function", "function": {"name": name, "parameters": {}}}
    for name in ("get_order", "cancel_order", "send_mail")
]


@cache
def policy() -> Policy:
    """The default policy, with time for a machine that stands still for a while: what is found is asked, not how fast."""
    library = Library(ROOT / "policies")
    default = library.open("default.toml")
    return library.policy(Source(default.file, f"deadline = 60\n{default.text}"), ())


async def _no_source(source: str, subject: str, question: Question = NOTHING) -> Sight:
    raise AssertionError("no source is configured, so nobody may look")


def findings(
    answer: str, ran: Sequence[Ran] = (), *, user: str = "Please do it.", before: Sequence[Any] = (), tools: Any = None
) -> list[Finding]:
    """All findings of the default policy; `before` are earlier messages, `tools` what the request declares."""
    raw = [*before, *messages(ran, user=user, first=50)]
    request = transcript(raw, tools=TOOLS if tools is None else tools)
    turn = ledger.read_turn(request, policy().marks)
    report = asyncio.run(examine(policy(), request, turn, Answer(0, answer, "stop"), _no_source, audit_id="a"))
    assert not report.failures, report.failures
    return list(report.findings)


def turn_of(*ran: Ran) -> Turn:
    """A turn as the default policy reads it."""
    return ledger.read_turn(transcript(messages(ran), tools=TOOLS), policy().marks)


def flagged(answer: str, ran: Sequence[Ran] = (), **more: Any) -> list[str]:
    """What is flagged: `rule verdict subject`."""
    return [f"{one.rule} {one.verdict} {one.subject}" for one in findings(answer, ran, **more) if one.flagged]
