"""The auditor of what a service's JSON says: a claim's own URL, and one value of the answer."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proxy.answers import examine
from proxy.audit import FLAGGED, NOTHING, Absent, Look, Present, Question, Report, Sight, Unknown
from proxy.auditors.http_json import HttpJson
from proxy.claims import Claim
from proxy.errors import ConfigError
from proxy.library import Library
from proxy.sources.http import Http
from proxy.tables import Source
from proxy.transcript import Answer
from tests.servers import Script, ScriptedUpstream, Seen
from tests.transcripts import ROOT, Ran, messages, transcript, turn

LIBRARY = Library(ROOT / "policies")
RULE = """
[[rules]]
name = "tickets"
auditor = "http_json"
source = "desk"
require_source = false
claims = '(?i)ticket (?P<subject>[^\\s,!?]+) is (?P<state>\\w+)'
[rules.options]
url = "https://desk.example.com/api/tickets/{subject}?fields=state"
expect = "ticket.state"
equals = "{state}"
"""
AT = "https://desk.example.com/api/tickets/T-17?fields=state"
Desk = Mapping[str, Any] | str | None


def desk(table: Desk) -> Look:
    async def look(source: str, subject: str, question: Question = NOTHING) -> Sight:
        assert source == "desk"
        if table == "raises":
            raise RuntimeError("a bug of the source")
        if isinstance(table, str):
            return Unknown(table)
        assert table is not None
        return Present(table[subject]) if subject in table else Absent("status 404")

    return look


def report(answer: str, table: Desk, ran: list[Ran] | None = None, rule: str = RULE) -> Report:
    policy = LIBRARY.policy(Source("t.toml", rule), {"desk"} if table is not None else ())
    raw = messages(ran or [])
    request = transcript(raw, tools=[{"type": "function", "function": {"name": "x"}}])
    return asyncio.run(examine(policy, request, turn(raw), Answer(0, answer, "stop"), desk(table), audit_id="a"))


def said(state: Any) -> Desk:
    return {AT: {"status": 200, "json": {"ticket": {"state": state}}}}


CLOSED = "Ticket T-17 is closed."
MADE: Ran = ("close_ticket", {"id": "T-17"}, '{"closed": "T-17"}')
CASES: list[tuple[str, str, Desk, list[Ran], list[str]]] = [
    ("so it is", CLOSED, said("closed"), [], ["verified T-17"]),
    ("case aside", CLOSED, said("Closed"), [], ["verified T-17"]),
    ("another value", CLOSED, said("open"), [], ["contradicted T-17"]),
    ("another type", "Ticket T-17 is true.", said(True), [], ["verified T-17"]),
    ("a number", "Ticket T-17 is 5.", said(5.0), [], ["verified T-17"]),
    ("another number", "Ticket T-17 is 5.", said(6), [], ["contradicted T-17"]),
    ("true is not 1", "Ticket T-17 is 1.", said(True), [], ["contradicted T-17"]),
    ("unknown to the service", "Ticket T-18 is closed.", said("closed"), [], ["contradicted T-18"]),
    ("just made", CLOSED, {}, [MADE], ["unverifiable T-17"]),
    ("making it failed", CLOSED, {}, [("close_ticket", {}, '{"error": "T-17: no"}')], ["contradicted T-17"]),
    ("another was made", CLOSED, {}, [("close_ticket", {}, '{"closed": "T-170"}')], ["contradicted T-17"]),
    ("null", CLOSED, said(None), [], ["unverifiable T-17"]),
    ("a list", CLOSED, said(["closed"]), [], ["unverifiable T-17"]),
    ("another shape", CLOSED, {AT: {"json": []}}, [], ["unverifiable T-17"]),
    ("no JSON", CLOSED, {AT: {"text": "<html>"}}, [], ["unverifiable T-17"]),
    ("a login page", CLOSED, {AT: {"login": True, "text": "x"}}, [], ["unverifiable T-17"]),
    ("denied", CLOSED, "status 403", [], ["unverifiable T-17"]),
    ("too many", CLOSED, "status 429", [], ["unverifiable T-17"]),
    ("down", CLOSED, "status 503", [], ["unverifiable T-17"]),
    ("late", CLOSED, "deadline", [], ["unverifiable T-17"]),
    ("not allowed", CLOSED, "host not allowed", [], ["unverifiable T-17"]),
    ("the source has a bug", CLOSED, "raises", [], ["unverifiable T-17"]),
    ("no source", CLOSED, None, [], []),
    ("asked", "Is it that ticket T-17 is closed?", {}, [], []),
    ("denied by the answer", "I could not see that ticket T-17 is closed.", {}, [], []),
    ("conditional", "If ticket T-17 is closed, tell me.", {}, [], []),
    ("fenced", "```\nticket T-17 is closed\n```", {}, [], []),
    ("quoted", "> ticket T-17 is closed", {}, [], []),
    ("nothing claimed", "I looked at the tickets.", {}, [], []),
    ("up the path", "Ticket ../../admin is closed.", {}, [], ["unverifiable ../../admin"]),
    ("a dot", "Ticket .. is closed.", {}, [], ["unverifiable .."]),
    ("a backslash", "Ticket ..\\x is closed.", {}, [], ["unverifiable ..\\x"]),
    ("much too long", f"Ticket {'T' * 400} is closed.", {}, [], [f"unverifiable {'T' * 400}"]),
]


@pytest.mark.parametrize(
    ("answer", "table", "ran", "expected"), [row[1:] for row in CASES], ids=[row[0] for row in CASES]
)
def test_claims_about_what_a_service_knows(answer: str, table: Desk, ran: list[Ran], expected: list[str]) -> None:
    assert [f"{found.verdict} {found.subject}" for found in report(answer, table, ran).findings] == expected


@pytest.mark.parametrize(
    ("value", "verdict"),
    [
        (True, "verified"),
        ("yes", "verified"),
        ([1], "verified"),
        (3, "verified"),
        (False, "contradicted"),
        (0, "contradicted"),
        ("", "contradicted"),
        ([], "contradicted"),
        (None, "unverifiable"),
    ],
)
def test_without_equals_the_value_must_be_something(value: Any, verdict: str) -> None:
    rule = RULE.replace('equals = "{state}"', "")
    assert [found.verdict for found in report(CLOSED, said(value), rule=rule).findings] == [verdict]


def test_without_expect_an_answer_is_enough() -> None:
    rule = RULE.replace('equals = "{state}"', "").replace('expect = "ticket.state"', "")
    assert [found.verdict for found in report(CLOSED, said("open"), rule=rule).findings] == ["verified"]
    assert [found.verdict for found in report(CLOSED, {}, rule=rule).findings] == ["contradicted"]


def test_a_service_that_hides_things_accuses_nobody_by_a_404() -> None:
    rule = RULE + "hides = true\n"
    assert [found.verdict for found in report(CLOSED, {}, rule=rule).findings] == ["unverifiable"]
    assert [found.verdict for found in report(CLOSED, said("open"), rule=rule).findings] == ["contradicted"]


def test_an_expression_that_meets_another_shape_accuses_nobody() -> None:
    rule = RULE.replace("ticket.state", "length(ticket.state)")
    assert [found.verdict for found in report(CLOSED, said(5), rule=rule).findings] == ["unverifiable"]


def test_what_the_service_says_is_shown() -> None:
    (found,) = report(CLOSED, said("open")).findings
    assert "ticket.state is open" in found.reason
    assert found.fields["value"] == "open"


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ('url = "{subject}"', "url: must be"),
        ('url = "https://{subject}/x"', "url: must be"),
        ('url = "https://a.{subject}.com/x"', "url: must be"),
        ('url = "https://u:p@host/{subject}"', "url: must be"),
        ('url = "ftp://host/{subject}"', "url: must be"),
        ('url = "https://host/{subject}#x"', "url: must be"),
        ('url = "https://host/x"', "url: holds no"),
        ('url = "https://host/{subject}/{other}"', "url: holds {other}"),
        ('url = "https://host/{subject}"\nexpect = "a"\nequals = "{other}"', "equals: holds {other}"),
        ('url = "https://host/{subject}"\nequals = "a"', "equals: has nothing"),
        ('url = "https://host/{subject}"\nexpect = "a["', "expect: is no JMESPath"),
    ],
)
def test_options_that_could_not_work_stop_the_start(options: str, problem: str) -> None:
    with pytest.raises(ConfigError) as raised:
        LIBRARY.policy(Source("t.toml", RULE.partition("[rules.options]")[0] + "[rules.options]\n" + options), {"desk"})
    assert problem in str(raised.value)


HOSTILE = [
    "a/b",
    "a?x=1",
    "a#b",
    "a@evil.com",
    "//evil.com",
    "a&b=c",
    "%2e%2e",
    "a b",
    "ä",
    "a;b",
    "a:80",
    "%00",
    "{x}",
]


@settings(deadline=None)
@given(st.one_of(st.text(min_size=1, max_size=40), st.sampled_from(HOSTILE)))
def test_a_subject_changes_neither_host_nor_depth_nor_query(told: str) -> None:
    asked: list[str] = []

    async def look(source: str, subject: str, question: Question = NOTHING) -> Sight:
        asked.append(subject)
        return Absent("status 404")

    auditor = HttpJson("desk", url="https://desk.example.com/api/{subject}/state?id={subject}&x=1", expect="a")
    claim = Claim("pattern", told, "asserted", quote=told)
    (found,) = asyncio.run(auditor.audit(turn(messages([])), [claim], look))
    assert found.verdict in ("contradicted", "unverifiable")
    for url in asked:
        parts = urlsplit(url)
        assert (parts.scheme, parts.netloc, parts.fragment) == ("https", "desk.example.com", "")
        assert len(parts.path.split("/")) == 4
        assert parts.path.startswith("/api/")
        assert unquote(parts.path.split("/")[2]) == told.strip()
        assert not {".", ".."} & {unquote(part) for part in parts.path.split("/")}
        assert [pair.partition("=")[0] for pair in parts.query.split("&")] == ["id", "x"]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@settings(deadline=None)
@given(JSON, st.sampled_from(["", "a", "a.b[0]", "length(@)", "sort(@)", "sum(@)", "to_string(@)", "a || b"]))
def test_any_json_can_be_compared(value: Any, expect: str) -> None:
    async def look(source: str, subject: str, question: Question = NOTHING) -> Sight:
        return Present({"json": value})

    auditor = HttpJson("desk", url="https://desk.example.com/{subject}", expect=expect)
    claim = Claim("pattern", "x", "asserted", quote="x")
    assert len(asyncio.run(auditor.audit(turn(messages([])), [claim], look))) == 1


@given(st.sampled_from(["deadline", "status 500", "private address", "raises"]), st.text(max_size=30))
def test_nobody_is_accused_without_evidence(reason: str, rest: str) -> None:
    made = report(f"{rest} Ticket T-17 is closed. {rest}", reason)
    assert not [one for one in made.findings if one.verdict in FLAGGED]


async def test_a_real_service() -> None:
    def serve(seen: Seen) -> Script:
        body = json.dumps({"ticket": {"state": "open"}}).encode()
        known = seen.path == "/api/tickets/T%2017?fields=state"
        return Script([body if known else b"{}"], 200 if known else 404, {"content-type": "application/json"}, "length")

    async with ScriptedUpstream(serve) as server:
        web = Http(["127.0.0.1"], allow_private=True)

        async def look(source: str, subject: str, question: Question = NOTHING) -> Sight:
            return await web.look(subject, question)

        url = server.url.removesuffix("/v1") + "/api/tickets/{subject}?fields=state"
        auditor = HttpJson("desk", ("state",), url, "ticket.state", "{state}")
        for subject, state, verdict in (
            ("T 17", "open", "verified"),
            ("T 17", "closed", "contradicted"),
            ("T 18", "open", "contradicted"),
        ):
            claim = Claim("pattern", subject, "asserted", quote="x", fields={"state": state})
            (found,) = await auditor.audit(turn(messages([])), [claim], look)
            assert found.verdict == verdict
