"""The auditor of artifact keys: scenarios B, with and without a store."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from typing import Any

import pytest

from proxy import ledger
from proxy.answers import examine
from proxy.audit import MAX_FINDINGS, NOTHING, Absent, Look, Present, Question, Report, Sight, Unknown
from proxy.library import Library
from proxy.reading import Reading
from proxy.transcript import Answer
from tests.transcripts import ROOT, Ran, messages, transcript, turn

LIBRARY = Library(ROOT / "policies")
K1, K2 = "artifact.put/0a1b2c3d4e5f6071-one.md", "artifact.put/1b2c3d4e5f607182-two.md"
Store = Mapping[str, Any] | str | None


def store(table: Store) -> Look:
    async def look(source: str, subject: str, question: Question = NOTHING) -> Sight:
        assert source == "artifacts"
        if isinstance(table, str):
            return Unknown(table)
        assert table is not None
        return Present({"size": table[subject]}) if subject in table else Absent("not in the store")

    return look


def report(answer: str, ran: list[Ran], table: Store = None, extra: list[Any] | None = None) -> Report:
    policy = LIBRARY.policy(LIBRARY.open("packs", "deposits.toml"), {"artifacts"} if table is not None else ())
    raw = [*(extra or []), *messages(ran)]
    request = transcript(raw, tools=[{"type": "function", "function": {"name": "artifact.put"}}])
    return asyncio.run(examine(policy, request, turn(raw), Answer(0, answer, "stop"), store(table), audit_id="a"))


def verdicts(answer: str, ran: list[Ran], table: Store = None) -> list[str]:
    return [f"{found.verdict} {found.subject}" for found in report(answer, ran, table).findings]


def put(key: str, **more: Any) -> Ran:
    return (
        "helmdeck__artifact-put",
        {"name": key},
        {"pack": "artifact.put", "version": "1", "output": {"artifact_key": key}} | more,
    )


FAILED: Ran = ("artifact.put", {"name": "one.md", "key": K1}, {"error": "quota exceeded"})
VERIFY: Ran = (
    "artifact.verify_manifest",
    {"expected": [K1]},
    {"verified": [], "missing": [{"artifact_key": K1, "reason": "no"}], "all_present": False},
)
TABLE = "\n".join(["| key | size |", "|---|---|", *(f"| `blog.publish/a{n}-x.md` | {n}.0 KB |" for n in range(1, 7))])

CASES: list[tuple[str, str, list[Ran], Store, list[str]]] = [
    ("31", TABLE, [("rewrite", {}, "text")], {}, [f"contradicted blog.publish/a{n}-x.md" for n in range(1, 7)]),
    (
        "31, no store",
        TABLE,
        [("rewrite", {}, "text")],
        None,
        [f"unsupported blog.publish/a{n}-x.md" for n in range(1, 7)],
    ),
    ("32", f"Deposited `{K1}` and `{K2}`.", [put(K1), put(K2)], {K1: 5, K2: 6}, [f"verified {K1}", f"verified {K2}"]),
    ("32, no store", f"Deposited `{K1}` and `{K2}`.", [put(K1), put(K2)], None, [f"verified {K1}", f"verified {K2}"]),
    ("33", f"`{K1}`, again `{K1}`, and `{K1}`.", [put(K1)], {K1: 5}, [f"verified {K1}"]),
    ("34", f"Deposited `{K1}` (7.4 KB).", [put(K1)], {K1: 120}, [f"qualified {K1}"]),
    ("34, rounded", f"Deposited `{K1}` (7.4 KB).", [put(K1)], {K1: 7_421}, [f"verified {K1}"]),
    ("34, by 1,024", f"Deposited `{K1}` (7.2 KB).", [put(K1)], {K1: 7_421}, [f"verified {K1}"]),
    ("35", f"The report is deposited as `{K1}`.", [put(K1)], {K1: 0}, [f"qualified {K1}"]),
    ("37", f"Deposited `{K1}` and `{K2}`.", [put(K1)], "deadline", [f"unverifiable {K1}", f"unverifiable {K2}"]),
    (
        "38",
        "Deposited `blog.publish/0a1b2c3d4e5f6071-one.md`.",
        [put(K1)],
        {K1: 5},
        ["contradicted blog.publish/0a1b2c3d4e5f6071-one.md"],
    ),
    (
        "39",
        f"The result is `{K1}`.",
        [("pipeline.run", {}, {"steps": [{"artifacts": [{"artifact_key": K1}]}]})],
        {K1: 5},
        [f"verified {K1}"],
    ),
    ("42", f"All deposited: `{K1}`.", [VERIFY], None, [f"contradicted {K1}"]),
    ("43", "Verified: all artifacts are present.", [put(K1)], None, []),
    ("43, done", "I have verified all artifacts.", [], None, ["unsupported verification"]),
    ("44", "Reply with deposit to save and verify.", [], {}, []),
    ("46", "As the skill requires, all six artifacts are deposited.", [], {}, ["unsupported deposits"]),
    ("a failed put", f"Deposited `{K1}`.", [FAILED], None, [f"contradicted {K1}"]),
    ("a failed put, no key", "All artifacts are deposited.", [FAILED], None, ["contradicted deposits"]),
    ("some of them", "All four artifacts are deposited.", [put(K1)], None, ["qualified deposits"]),
    ("just made", f"Deposited `{K1}`.", [put(K1)], {}, [f"unverifiable {K1}"]),
    ("denied", f"`{K1}` could not be deposited.", [FAILED], {}, []),
    ("asked", f"Shall I deposit `{K1}`?", [], {}, []),
    ("planned", f"Next I will deposit it as `{K1}`.", [], {}, []),
    ("in a fence", f"```\n{K1}\n```", [], {}, []),
    ("another tool may have done it", "All artifacts are uploaded.", [("sync", {}, "done")], None, []),
]


@pytest.mark.parametrize(
    ("answer", "ran", "table", "expected"), [row[1:] for row in CASES], ids=[row[0] for row in CASES]
)
def test_scenarios_31_to_46(answer: str, ran: list[Ran], table: Store, expected: list[str]) -> None:
    assert verdicts(answer, ran, table) == expected


def test_scenario_31_the_number_of_deposit_calls_is_said() -> None:
    assert "no deposit call in this turn" in report(TABLE, [("rewrite", {}, "x")], {}).findings[0].reason


def test_a_key_that_is_not_there_yet_is_looked_for_as_long_as_there_is_time() -> None:
    """By the default deadline: the auditor tells what it saw, and is not cut off in the middle of a pause."""
    found = report(f"Deposited `{K1}`.", [put(K1)], {})
    assert [one.reason for one in found.findings] == ["a tool returned this key, and it is not in the store yet"]
    assert found.failures == ()


def test_scenario_38_the_real_key_is_offered() -> None:
    (found,) = report("Deposited `blog.publish/0a1b2c3d4e5f6071-one.md`.", [put(K1)], {K1: 5}).findings
    assert K1 in found.reason


NOW = 1_800_000_000.0
OLD = {"size": 5, "modified": NOW - 86_400}
FRESH = {"size": 5, "modified": NOW - 60}

AGES: list[tuple[str, str, list[Ran], Mapping[str, Any], float, str]] = [
    ("36", f"I have now deposited `{K1}`.", [], OLD, NOW, "qualified"),
    ("36, in a list", f"Deposited just now:\n\n- `{K1}`", [("rewrite", {}, "x")], OLD, NOW, "qualified"),
    ("36, no time is handed in", f"I have now deposited `{K1}`.", [], OLD, 0.0, "verified"),
    ("36, the store does not tell", f"I have now deposited `{K1}`.", [], {"size": 5}, NOW, "verified"),
    ("36, as young as the turn", f"I have now deposited `{K1}`.", [], FRESH, NOW, "verified"),
    ("36, a call names it", f"I have now deposited `{K1}`.", [put(K1)], OLD, NOW, "verified"),
    ("36, nobody says that it is new", f"The report is at `{K1}`.", [], OLD, NOW, "verified"),
]


@pytest.mark.parametrize(
    ("answer", "ran", "fields", "at", "expected"), [row[1:] for row in AGES], ids=[row[0] for row in AGES]
)
def test_scenario_36_what_was_there_before(
    answer: str, ran: list[Ran], fields: Mapping[str, Any], at: float, expected: str
) -> None:
    async def look(source: str, subject: str, question: Question = NOTHING) -> Sight:
        return Present(fields)

    policy = LIBRARY.policy(LIBRARY.open("packs", "deposits.toml"), {"artifacts"})
    request = transcript(messages(ran), tools=[{"type": "function", "function": {"name": "artifact.put"}}])
    read = ledger.read_turn(request, policy.marks, at)
    found = asyncio.run(examine(policy, request, read, Answer(0, answer, "stop"), look, audit_id="a")).findings
    assert [one.verdict for one in found] == [expected]


def test_scenario_45_malformed_entries_are_reported_beside_the_others() -> None:
    answer = f"Deposited:\n\n- `{K1}`\n- `blog.publish/`\n- `artifact.put/../x.md`"
    found = report(answer, [put(K1)], {K1: 5}).findings
    assert [(one.verdict, one.subject) for one in found] == [
        ("verified", K1),
        ("unverifiable", "blog.publish/"),
        ("unverifiable", "artifact.put/../x.md"),
    ]
    assert all("well-formed" in one.reason for one in found[1:])


def test_scenario_41_what_is_there_is_verified_whatever_was_asked_for() -> None:
    ran = [put(K1), put(K2)]
    assert verdicts(f"Complete: `{K1}`, `{K2}`.", ran, {K1: 5, K2: 6}) == [f"verified {K1}", f"verified {K2}"]


def test_a_key_of_an_earlier_turn_is_found_in_the_history() -> None:
    before = [*messages([put(K1)], first=50), {"role": "assistant", "content": "ok"}]
    (found,) = report(f"It is `{K1}`.", [], None, before).findings
    assert found.verdict == "verified"


def test_the_report_carries_the_parts_of_a_key() -> None:
    shape = report(f"Deposited `{K1}`.", [put(K1)], {K1: 5}).to_json()
    (entry,) = shape["verified"]
    assert (entry["artifact_key"], entry["namespace"], entry["filename"], entry["size"]) == (
        K1,
        "artifact.put",
        "one.md",
        5,
    )


def test_the_general_reader_has_kinds() -> None:
    read = Reading(
        "All six artifacts are deposited.", LIBRARY.policy(LIBRARY.open("packs", "deposits.toml"), ()).lexicon
    )
    assert [(one.kind, one.count) for one in read.claims(frozenset({"artifact"}))] == [("artifact", 6)]


def test_no_more_keys_are_looked_for_than_findings_are_kept() -> None:
    ran = [put(f"artifact.put/{number}-one.md") for number in range(800)]
    answer = " ".join(f"Deposited `artifact.put/{number}-two.md`." for number in range(1_600))
    began = time.process_time()
    found = report(answer, ran)
    assert time.process_time() - began < 4  # eight seconds and more
    assert len(found.findings) == MAX_FINDINGS
    assert [one.reason for one in found.failures] == [f"{MAX_FINDINGS + 1} findings; the first {MAX_FINDINGS} kept"]
