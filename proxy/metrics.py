"""Count what became of answers, and write the counts of a process in Prometheus' text format."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from proxy.audit import UNAUDITED, Report, Unaudited

CONTENT_TYPE = b"text/plain; version=0.0.4; charset=utf-8"

OUTCOMES = ("clean", "flagged", "incomplete")
"""What an audit may come to; the last where nothing was flagged, and something could not be read."""

ESCAPED = str.maketrans({"\\": r"\\", '"': r"\"", "\n": r"\n"})
"""What stands for itself nowhere in a label's value."""


class Family(NamedTuple):
    """The samples of one name, each with its labels; `told` says in one line what they are."""

    name: str
    told: str
    samples: Iterable[tuple[Mapping[str, str], float]]
    kind: Literal["counter", "gauge"] = "counter"


@dataclass(slots=True)
class Answers:
    """What became of the final answers of one process: plain numbers, which its event loop alone changes, so no locks.

    Their labels are names of rules and words of ours, never what a tenant, a model or a tool has said.
    """

    audited: Counter[str] = field(default_factory=Counter)
    unaudited: Counter[str] = field(default_factory=Counter)
    findings: Counter[tuple[str, str]] = field(default_factory=Counter)
    failures: Counter[tuple[str, str]] = field(default_factory=Counter)
    held: int = 0
    seconds: float = 0.0

    def count(self, report: Report, seconds: float) -> None:
        """Count an answer by its report; `seconds` is for how long its end was held, 0 where it was not."""
        if seconds:
            self.held += 1
            self.seconds += seconds
        if report.unaudited:
            self.passed(report.unaudited)
            return
        self.audited["flagged" if report.flagged else "incomplete" if report.incomplete else "clean"] += 1
        self.findings.update((one.rule, one.verdict) for one in report.findings)
        self.failures.update((one.rule, _cause(one.reason)) for one in report.failures)

    def passed(self, why: Unaudited) -> None:
        """Count an answer that nobody audited."""
        self.unaudited[why] += 1

    def families(self, rules: Collection[str]) -> Iterable[Family]:
        """All that was counted. What is to be told of when it first rises stands there as 0, the failures of `rules` too."""
        outcomes = [({"outcome": one}, self.audited[one]) for one in OUTCOMES]
        yield Family("groundwire_answers_total", "Answers that were audited, by what came of it.", outcomes)
        reasons = [({"reason": one}, self.unaudited[one]) for one in UNAUDITED]
        yield Family("groundwire_unaudited_answers_total", "Answers that nobody audited, by the reason.", reasons)
        found = [({"rule": rule, "verdict": one}, many) for (rule, one), many in sorted(self.findings.items())]
        yield Family("groundwire_findings_total", "Findings in audited answers, those of `observe` too.", found)
        failures = {(rule, cause): 0 for rule in rules for cause in ("deadline", "error")} | self.failures
        failed = [({"rule": rule, "cause": one}, many) for (rule, one), many in sorted(failures.items())]
        yield Family("groundwire_auditor_failures_total", "Auditors that failed, by their rule and why.", failed)
        yield single("groundwire_held_answers_total", "Answers whose end was held to be audited.", self.held)
        yield single("groundwire_held_seconds_total", "Seconds that these ends were held, all told.", self.seconds)


def _cause(reason: str) -> str:
    """Why an auditor failed: it had no time; or it crashed, or found more than is kept."""
    return "deadline" if reason == "deadline" else "error"


def single(name: str, told: str, value: float, kind: Literal["counter", "gauge"] = "counter") -> Family:
    """A family of one sample, which needs no label."""
    return Family(name, told, [({}, value)], kind)


def written(families: Iterable[Family], process: int) -> bytes:
    """Families as Prometheus reads them. Each sample says of which process it is: others have counts of their own."""
    lines: list[str] = []
    for family in families:
        lines += [f"# HELP {family.name} {family.told}", f"# TYPE {family.name} {family.kind}"]
        for labels, value in family.samples:
            pairs = (f'{name}="{one.translate(ESCAPED)}"' for name, one in {**labels, "pid": str(process)}.items())
            lines.append(f"{family.name}{{{','.join(pairs)}}} {value}")
    return "".join(f"{line}\n" for line in lines).encode()
