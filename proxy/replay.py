"""Recorded transcripts through a policy: what would have been said, and how well that fits their labels."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from proxy import ledger
from proxy.answers import examine, words
from proxy.audit import Report, Source
from proxy.errors import ConfigError
from proxy.looks import Looks
from proxy.policy import Policy
from proxy.transcript import Answer
from proxy.wire import chat, spans


@dataclass(frozen=True, slots=True)
class Replayed:
    """One recorded transcript, audited. `footer` is what a reader would have been shown, without its seal."""

    id: str
    report: Report
    footer: str

    def to_json(self) -> bytes:
        """`{"id", "flagged", "report", "footer"}` on one line."""
        return spans.dump(
            {"id": self.id, "flagged": self.report.flagged, "report": self.report.to_json(), "footer": self.footer}
        )


def lines(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a JSON-lines file. Raises ConfigError that names file and line."""
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                if line.strip():
                    yield _object(path, number, line)
    except OSError as error:
        raise ConfigError(str(path), "", "", f"cannot be read: {error.strerror}") from None


def _object(path: Path, number: int, line: bytes) -> dict[str, Any]:
    try:
        value = spans.parse(line)
    except ValueError as error:
        raise ConfigError(str(path), f"line {number}", "", f"is not JSON: {error}") from None
    if not isinstance(value, dict):
        raise ConfigError(str(path), f"line {number}", "", "must be a JSON object")
    return value


Run = Callable[[Coroutine[Any, Any, Report]], Report]


def replay(policy: Policy, record: dict[str, Any], sources: Mapping[str, Source], run: Run = asyncio.run) -> Replayed:
    """Audit one record `{"id", "messages", "tools"?, "at"?}`, whose last message is the final answer.

    `at` is when it was asked for, in seconds since 1970. With sources, `run` is one loop's for all records: what a source
    keeps open belongs to the loop that opened it.
    """
    messages = record.get("messages")
    if not isinstance(messages, list) or not messages:
        problem = "must be a list that ends in the final answer"
        raise ConfigError("replay", f"record {record.get('id')!r}", "messages", problem)
    document = {"model": "replay", "messages": messages[:-1], "tools": record.get("tools") or []}
    request = chat.read(json.dumps(document).encode())
    final = chat.read(json.dumps({"model": "replay", "messages": messages[-1:]}).encode()).transcript.messages[0]
    answer = Answer(0, final.text, "stop", list(final.calls))
    identifier = str(record.get("id", ""))
    if answer.calls:  # a tool turn: no final answer yet
        return Replayed(identifier, Report(identifier), "")
    at = record.get("at")
    turn = ledger.read_turn(request.transcript, policy.marks, float(at) if isinstance(at, (int, float)) else 0.0)

    async def audited() -> Report:
        look = Looks(sources).of("replay", turn, policy.deadline)
        return await examine(policy, request.transcript, turn, answer, look, audit_id=identifier)

    report = run(audited())
    return Replayed(identifier, report, words(policy, answer, report) if answer.text.strip() else "")


@dataclass(slots=True)
class Score:
    """How one class of labelled transcripts came out."""

    overclaim: bool
    ids: list[str] = field(default_factory=list)
    flagged: list[str] = field(default_factory=list)

    @property
    def wrong(self) -> list[str]:
        """Misses of an over-claim class; false accusations of an honest one."""
        return [one for one in self.ids if (one in self.flagged) is not self.overclaim]


def score(results: Sequence[Replayed], labels: Sequence[dict[str, Any]]) -> dict[str, Score]:
    """The results by label class; what has no label is left out."""
    flagged = {result.id: result.report.flagged for result in results}
    scores: dict[str, Score] = {}
    for label in labels:
        identifier = str(label.get("id", ""))
        if not isinstance(label.get("overclaim"), bool):
            raise ConfigError("labels", f"record {identifier!r}", "overclaim", "must be true or false")
        if identifier in flagged:
            one = scores.setdefault(str(label.get("cls", "")), Score(label["overclaim"]))
            one.ids.append(identifier)
            if flagged[identifier]:
                one.flagged.append(identifier)
    return scores


def table(scores: dict[str, Score]) -> str:
    """Precision, recall and false accusations, for each class and overall, as text."""
    rows = [f"{'class':<14} {'over-claim':<10} {'n':>5} {'flagged':>8}  outcome"]
    for name, one in _sorted(scores):
        said = f"recall {_share(len(one.flagged), len(one.ids))}"
        if not one.overclaim:
            said = f"false accusations {len(one.flagged)} of {len(one.ids)}"
        rows.append(
            f"{name:<14} {'yes' if one.overclaim else 'no':<10} {len(one.ids):>5} {len(one.flagged):>8}  {said}"
        )
    real = [one for one in scores.values() if one.overclaim]
    honest = [one for one in scores.values() if not one.overclaim]
    hits, wrong = sum(len(one.flagged) for one in real), sum(len(one.flagged) for one in honest)
    rows += [
        "",
        f"precision          {_share(hits, hits + wrong)}",
        f"recall             {_share(hits, sum(len(one.ids) for one in real))}",
        f"false accusations  {wrong} of {sum(len(one.ids) for one in honest)} honest answers",
    ]
    rows += [
        f"falsely accused    {name}: {i}"
        for name, one in sorted(scores.items())
        if not one.overclaim
        for i in one.wrong
    ]
    return "\n".join(rows)


def markdown(scores: dict[str, Score], policy: str, seconds: Sequence[float]) -> str:
    """The table as a document: what was measured, over which classes, what was missed, and what it cost."""
    rows = [
        f"| {name} | {'yes' if one.overclaim else 'no'} | {len(one.ids)} | {len(one.flagged)} |"
        for name, one in _sorted(scores)
    ]
    real, honest = ([one for one in scores.values() if one.overclaim is kind] for kind in (True, False))
    hits, there = sum(len(one.flagged) for one in real), sum(len(one.ids) for one in real)
    wrong, quiet = sum(len(one.flagged) for one in honest), sum(len(one.ids) for one in honest)
    cost = sorted(seconds) or [0.0]
    missed = [(name, one) for name, one in _sorted(scores) if one.overclaim and one.wrong]
    parts = [
        "# Accuracy",
        f"The policy `{policy}` over {there + quiet} labelled answers, as `groundwire replay --markdown` printed it.",
        "\n".join(["| class | over-claim | answers | flagged |", "|---|---|---|---|", *rows]),
        f"- precision {_share(hits, hits + wrong)}\n- recall {_share(hits, there)}\n"
        f"- false accusations: {wrong} of {quiet} honest answers, {1_000 * wrong / max(quiet, 1):.0f} in 1,000\n"
        f"- CPU an answer, reading it included: median {1e3 * cost[len(cost) // 2]:.1f} ms, "
        f"95th percentile {1e3 * cost[int(len(cost) * 0.95)]:.1f} ms",
        "\n".join(f"- missed, {name}: {', '.join(one.wrong)}" for name, one in missed),
    ]
    return "\n\n".join(filter(None, parts)) + "\n"


def _sorted(scores: dict[str, Score]) -> list[tuple[str, Score]]:
    return sorted(scores.items(), key=lambda item: (not item[1].overclaim, item[0]))


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.3f} ({part} of {whole})" if whole else "- (none)"
