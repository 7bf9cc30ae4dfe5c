"""The auditor that asks a tool of an MCP server: audits' shapes and others, outages, and a real server that lies."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proxy.answers import examine
from proxy.audit import NOTHING, Absent, Finding, Look, Present, Question, Sight, Unknown
from proxy.errors import ConfigError
from proxy.library import Library
from proxy.looks import Looks
from proxy.sources import build
from proxy.tables import Source
from proxy.transcript import Answer
from tests.transcripts import ROOT, Ran, messages, transcript, turn

LIBRARY = Library(ROOT / "policies")
RULE = """
[[rules]]
name = "manifest"
auditor = "mcp"
source = "helmdeck"
claims = '(?P<subject>(?:artifact|blog)\\.[a-z]+/[\\pL\\w.-]*[\\pL\\w])(?: \\((?P<size>\\d+) bytes\\))?'
[rules.options]
tool = "artifact.verify_manifest"
"""
TOGETHER = RULE + 'arguments = { expected = "{subjects}" }\n'
EACH = RULE + 'arguments = { expected = ["{subject}"] }\n'
A, B = "artifact.put/0a1b-a.md", "artifact.put/0a1b-b.md"
BOTH = f"Deposited `{A}` and `{B}`."


def found(answer: str, look: Look, rule: str = TOGETHER, ran: list[Ran] | None = None) -> list[Finding]:
    policy = LIBRARY.policy(Source("t.toml", rule), {"helmdeck"})
    raw = messages(ran or [])
    request = transcript(raw, tools=[{"type": "function", "function": {"name": "x"}}])
    report = asyncio.run(examine(policy, request, turn(raw), Answer(0, answer, "stop"), look, audit_id="a"))
    assert not report.failures
    return list(report.findings)


def verdicts(answer: str, look: Look, rule: str = TOGETHER, ran: list[Ran] | None = None) -> list[str]:
    return [f"{one.verdict} {one.subject}" for one in found(answer, look, rule, ran)]


def says(answer: Any) -> Look:
    async def look(source: str, subject: str, question: Question = NOTHING) -> Sight:
        assert source == "helmdeck"
        return answer if isinstance(answer, (Absent, Unknown)) else Present(answer)

    return look


def pack(**output: Any) -> dict[str, Any]:
    return {"pack": "artifact.verify_manifest", "version": "1", "output": output}


def gone(key: str, reason: str = "not found") -> dict[str, str]:
    return {"artifact_key": key, "reason": reason}


SHAPES: list[tuple[str, Any, list[str]]] = [
    ("all there", pack(verified=[{"artifact_key": A}, {"artifact_key": B}], missing=[]), ["verified", "verified"]),
    ("one is missing", pack(verified=[{"artifact_key": A}], missing=[gone(B)]), ["verified", "contradicted"]),
    ("not wrapped", {"verified": [{"artifact_key": A}], "missing": [gone(B)]}, ["verified", "contradicted"]),
    ("in a result", {"result": {"verified": [A], "missing": [B]}}, ["verified", "contradicted"]),
    ("of texts", {"verified": [A], "missing": [B], "summary": "1 of 2"}, ["verified", "contradicted"]),
    ("by subject", {"verified": [{"subject": A}], "missing": [{"subject": B}]}, ["verified", "contradicted"]),
    ("empty", pack(verified=[{"artifact_key": A, "size": 0}], missing=[gone(B)]), ["qualified", "contradicted"]),
    ("in neither list", pack(verified=[{"artifact_key": A}], missing=[]), ["verified", "unverifiable"]),
    ("in both lists", {"verified": [A, B], "missing": [B]}, ["verified", "unverifiable"]),
    ("other keys", {"verified": ["x"], "missing": ["y"]}, ["unverifiable", "unverifiable"]),
    ("nothing", {}, ["unverifiable", "unverifiable"]),
    ("a text", {"text": f"{A} is missing"}, ["unverifiable", "unverifiable"]),
    ("lists of something else", {"verified": A, "missing": {B: True}}, ["unverifiable", "unverifiable"]),
    ("entries of something else", {"verified": [1, None, [A]], "missing": [{"key": B}]}, ["unverifiable"] * 2),
    ("its own error", {"error": "artifact_failed"}, ["unverifiable", "unverifiable"]),
    *(
        (f"37: {reason}", pack(verified=[], missing=[gone(A, reason), gone(B, reason)]), ["unverifiable"] * 2)
        for reason in (
            "context deadline exceeded",
            "request timed out",
            "AccessDenied: access denied",
            "403 Forbidden",
            "dial tcp: connection refused",
            "503 Service Unavailable",
            "i/o timeout",
            "InvalidAccessKeyId: bad credentials",
            "unexpected EOF",
            "lookup minio: no such host",
        )
    ),
    ("down", Unknown("the server could not be reached: OSError"), ["unverifiable"] * 2),
    ("late", Unknown("deadline"), ["unverifiable"] * 2),
    ("no such source", Absent("not in the store"), ["unverifiable"] * 2),
]


@pytest.mark.parametrize(("answer", "expected"), [row[1:] for row in SHAPES], ids=[row[0] for row in SHAPES])
def test_what_an_audit_says(answer: Any, expected: list[str]) -> None:
    assert verdicts(BOTH, says(answer)) == [f"{verdict} {key}" for verdict, key in zip(expected, (A, B), strict=True)]


@pytest.mark.parametrize(
    "answer",
    [
        f"Shall I deposit `{A}`?",
        f"I will deposit it as `{A}`.",
        f"I could not deposit `{A}`.",
        f"`{A}` was not deposited.",
        f"If you like, I deposit `{A}`.",
        f"```\n{A}\n```",
        f"> {A}",
        "Deposited everything.",
        "",
    ],
)
def test_what_is_no_claim_is_not_asked(answer: str) -> None:
    async def never(source: str, subject: str, question: Question = NOTHING) -> Sight:
        raise AssertionError("nothing is claimed")

    assert verdicts(answer, never) == []


def test_without_its_source_nothing_is_said() -> None:
    policy = LIBRARY.policy(
        Source(
            "t.toml",
            TOGETHER.replace('source = "helmdeck"', 'source = "helmdeck"\nrequire_source = false'),
        ),
        (),
    )
    raw = messages([])
    request = transcript(raw, tools=[{"type": "function", "function": {"name": "x"}}])
    report = asyncio.run(examine(policy, request, turn(raw), Answer(0, BOTH, "stop"), says({}), audit_id="a"))
    assert report.findings == ()


def asked(answer: str, rule: str, ran: list[Ran] | None = None) -> list[tuple[str, Any]]:
    seen: list[tuple[str, Any]] = []

    async def look(source: str, subject: str, question: Question = NOTHING) -> Sight:
        assert question["tool"] == "artifact.verify_manifest"
        seen.append((subject, json.loads(question["arguments"])))
        return Present({})

    found(answer, look, rule, ran)
    return seen


def test_arguments_are_filled() -> None:
    assert asked(BOTH, TOGETHER) == [(f"{A}\n{B}", {"expected": [A, B]})]
    assert asked(BOTH, EACH) == [(A, {"expected": [A]}), (B, {"expected": [B]})]
    sized = RULE + 'arguments = { a = { key = "s3://{subject}", size = "{size}" }, strict = true }\n'
    assert (
        asked(f"Deposited `{A}`: {A} (7 bytes).", sized) == []
    )  # the first place has no size, so there is no question
    assert asked(f"Deposited {A} (7 bytes).", sized) == [(A, {"a": {"key": f"s3://{A}", "size": "7"}, "strict": True})]


def test_what_was_said_before_a_call_is_asked_again() -> None:
    """An audit that is a `Present` for the looks may say "missing"; it must not outlive a deposit."""
    seen: list[str] = []

    async def look(source: str, subject: str, question: Question = NOTHING) -> Sight:
        seen.append(question["since"])
        return Present({})

    histories: list[list[Ran]] = [[], [], [("artifact.put", {}, {"ok": True})]]
    for ran in histories:
        found(f"Deposited `{A}`.", look, EACH, ran)
    assert seen[0] == seen[1] != seen[2]


OTHERS: list[tuple[str, str, str, Any, list[str]]] = [
    ("a truth", 'present = "exists"', f"Deposited `{A}`.", {"exists": True}, [f"verified {A}"]),
    ("no truth", 'present = "exists"', f"Deposited `{A}`.", {"exists": False}, [f"unverifiable {A}"]),
    ("nothing there", 'present = "exists"', f"Deposited `{A}`.", {}, [f"unverifiable {A}"]),
    (
        "a truth of absence",
        "absent = \"status == 'gone'\"",
        f"Deposited `{A}`.",
        {"status": "gone"},
        [f"contradicted {A}"],
    ),
    ("none of absence", "absent = \"status == 'gone'\"", f"Deposited `{A}`.", {"status": "ok"}, [f"unverifiable {A}"]),
    ("a count of none", 'absent = "missing"', f"Deposited `{A}`.", {"missing": 0}, [f"unverifiable {A}"]),
    ("both", 'present = "a"\nabsent = "b"', f"Deposited `{A}`.", {"a": 1, "b": 1}, [f"unverifiable {A}"]),
    (
        "lists",
        'present = "items[?ok].key"\nabsent = "items[?!ok].key"',
        BOTH,
        {"items": [{"key": A, "ok": True}, {"key": B, "ok": False}]},
        [f"verified {A}", f"contradicted {B}"],
    ),
    ("a truth of all", 'present = "all_present"', BOTH, {"all_present": True}, [f"verified {A}", f"verified {B}"]),
    (
        "one of two is missing, nobody says which",
        'absent = "!all_present"',
        BOTH,
        {"all_present": False},
        [f"unverifiable {A}", f"unverifiable {B}"],
    ),
    (
        "a function of another type",
        'present = "length(items)"',
        f"Deposited `{A}`.",
        {"items": 3},
        [f"unverifiable {A}"],
    ),
    ("a list of others", 'present = "items"', f"Deposited `{A}`.", {"items": [B]}, [f"unverifiable {A}"]),
]


@pytest.mark.parametrize(
    ("options", "answer", "said", "expected"), [row[1:] for row in OTHERS], ids=[row[0] for row in OTHERS]
)
def test_other_answers_are_read_by_jmespath(options: str, answer: str, said: Any, expected: list[str]) -> None:
    assert verdicts(answer, says(said), f"{TOGETHER}{options}\n") == expected


PUT: Ran = ("artifact.put", {"name": "a.md"}, {"artifact_key": A, "size": 3})
VERIFIED: Ran = ("helmdeck__artifact-verify_manifest", {"expected": [A]}, pack(verified=[], missing=[gone(A)]))


@pytest.mark.parametrize(
    ("ran", "expected"),
    [
        ([PUT], "unverifiable"),
        ([VERIFIED], "contradicted"),
        ([("read_file", {"path": "a"}, f"deposit {A}")], "contradicted"),
        ([("artifact.put", {"name": "a"}, {"error": f"no {A}"})], "contradicted"),
        ([("artifact.put", {"name": "a"}, {"artifact_key": A + "x"})], "contradicted"),
        ([], "contradicted"),
    ],
    ids=["just put", "42: the tool itself said so", "only read", "the put failed", "another key", "no call"],
)
def test_what_was_just_made_may_not_be_there_yet(ran: list[Ran], expected: str) -> None:
    assert verdicts(f"Deposited `{A}`.", says(pack(verified=[], missing=[gone(A)])), ran=ran) == [f"{expected} {A}"]


def test_facts_and_reasons_are_short_and_say_that_somebody_looked() -> None:
    entry = {"artifact_key": A, "size": 7, "content_type": "x" * 9_000, "more": {"a": 1}}
    (one,) = found(f"Deposited `{A}`.", says({"verified": [entry], "missing": []}))
    assert one.fields["looked"] is True
    assert one.fields["size"] == 7
    assert len(one.fields["content_type"]) <= 180
    assert "more" not in one.fields
    (one,) = found(f"Deposited `{A}`.", says({"verified": [], "missing": [gone(A, "y" * 9_000)]}))
    assert len(one.reason) < 200


@pytest.mark.parametrize(
    ("options", "hint"),
    [
        ("", "tool: is missing"),
        ('tool = "x"\narguments = { a = "{key}" }', "no group 'key'"),
        ('tool = "x"\narguments = { a = "all: {subjects}" }', "a value of its own"),
        ('tool = "x"\narguments = { a = "{subjects}", b = "{subject}" }', "nothing of a single one"),
        ('tool = "x"\npresent = "a["', "present: is no JMESPath"),
        ('tool = "x"\nabsent = "f(a"', "absent: is no JMESPath"),
        ('tool = "x"\noutages = "(x"', "outages: RE2 refuses"),
        ('tool = "x"\ntools = ["a"]', "tools"),
    ],
)
def test_options_that_could_not_work_are_refused(options: str, hint: str) -> None:
    rule = RULE.replace('tool = "artifact.verify_manifest"\n', options + "\n")
    with pytest.raises(ConfigError, match=hint.replace("(", r"\(")):
        LIBRARY.policy(Source("t.toml", rule), {"helmdeck"})


async def test_a_source_that_raises_hangs_or_floods_accuses_nobody() -> None:
    policy = LIBRARY.policy(Source("t.toml", "deadline = 0.2\n" + TOGETHER), {"helmdeck"})
    raw = messages([])
    request = transcript(raw, tools=[{"type": "function", "function": {"name": "x"}}])

    async def broken(source: str, subject: str, question: Question = NOTHING) -> Sight:
        raise RuntimeError

    async def hanging(source: str, subject: str, question: Question = NOTHING) -> Sight:
        await asyncio.sleep(60)
        return Unknown("")

    flood = says({"verified": [], "missing": [{"artifact_key": f"k{n}"} for n in range(50_000)]})
    for look in (broken, hanging, flood):
        report = await examine(policy, request, turn(raw), Answer(0, BOTH, "stop"), look, audit_id="a")
        assert {one.verdict for one in report.findings} == {"unverifiable"}


@pytest.mark.parametrize(("rule", "calls"), [(TOGETHER, 1), (EACH, 2)], ids=["one call", "a call each"])
async def test_a_real_server(rule: str, calls: int) -> None:
    table = {
        "command": [sys.executable, "-m", "tests.mcp_server"],
        "tools": ["artifact.verify_manifest"],
        "timeout": 5.0,
    }
    source = build("helmdeck", {"type": "mcp", **table}, {})
    policy = LIBRARY.policy(Source("t.toml", "deadline = 5.0\n" + rule), {"helmdeck"})
    raw = messages([])
    request = transcript(raw, tools=[{"type": "function", "function": {"name": "x"}}])
    try:
        look = Looks({"helmdeck": source}).of("acme", turn(raw), 5.0)
        answer = Answer(0, f"Deposited `{A}` and `blog.publish/0a1b-invented.md`.", "stop")
        report = await examine(policy, request, turn(raw), answer, look, audit_id="a")
    finally:
        await source.aclose()
    told = [f"{one.verdict} {one.subject}" for one in report.findings]
    assert told == [f"verified {A}", "contradicted blog.publish/0a1b-invented.md"]


ANSWERS: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.sampled_from([A, B]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["verified", "missing", "output", "artifact_key", "size"]), inner, max_size=3)
    ),
    max_leaves=12,
)


@settings(deadline=None, max_examples=200)
@given(st.dictionaries(st.sampled_from(["verified", "missing", "output", "result"]), ANSWERS, max_size=3))
def test_it_never_raises_and_accuses_only_by_the_list_of_what_is_missing(answer: Mapping[str, Any]) -> None:
    for one in found(BOTH, says(dict(answer))):
        assert one.verdict != "contradicted" or one.subject in json.dumps(answer.get("missing", answer))
