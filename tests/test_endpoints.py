"""What the auditors that ask an operator's endpoint about each claim share: `http_json`, `sql` and `mcp` answer alike."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest

from proxy.audit import NOTHING, Absent, Finding, Present, Question, Sight, Unknown
from proxy.auditors.endpoints import filled, groups_in, in_url, same
from proxy.auditors.http_json import HttpJson
from proxy.auditors.mcp import Mcp
from proxy.auditors.sql import Sql
from proxy.claims import Claim
from tests.general import turn_of
from tests.transcripts import Ran

GONE: dict[str, Sight] = {
    "http_json": Absent("status 404"),
    "sql": Absent("no such row"),
    "mcp": Present({"verified": [], "missing": ["T-17"]}),
}
MAKERS: dict[str, Callable[..., Any]] = {
    "http_json": lambda *groups: HttpJson(
        "s", groups, "https://a.b/{subject}/" + "".join(f"{{{one}}}" for one in groups)
    ),
    "sql": lambda *groups: Sql(
        "s", groups, "SELECT a WHERE b = :subject" + "".join(f" AND c = :{one}" for one in groups)
    ),
    "mcp": lambda *groups: Mcp("s", groups, "verify", {"a": ["{subject}", *(f"{{{one}}}" for one in groups)]}),
}
every_auditor = pytest.mark.parametrize("name", MAKERS)


def found(auditor: Any, sight: Sight, *ran: Ran, **fields: str) -> tuple[Finding, list[str]]:
    """What an auditor says of one claim, and what it asked."""
    asked: list[str] = []

    async def look(source: str, subject: str, question: Question = NOTHING) -> Sight:
        asked.append(json.dumps([subject, {**question, "since": ""}]))
        return sight

    claim = Claim("pattern", fields.pop("subject", "T-17"), "asserted", quote="It is so.", fields=fields)
    (one,) = asyncio.run(auditor.audit(turn_of(*ran), [claim], look))
    return one, asked


JUST_TOLD: list[tuple[str, list[Ran], str]] = [
    ("made", [("make_ticket", {}, '{"made": "T-17"}')], "unverifiable"),
    ("made another", [("make_ticket", {}, '{"made": "T-170"}')], "contradicted"),
    ("making it failed", [("make_ticket", {}, '{"error": "T-17 is locked"}')], "contradicted"),
    ("only looked at", [("get_ticket", {}, '{"id": "T-17"}')], "contradicted"),
    ("nothing ran", [], "contradicted"),
]


@every_auditor
@pytest.mark.parametrize(("ran", "verdict"), [row[1:] for row in JUST_TOLD], ids=[row[0] for row in JUST_TOLD])
def test_what_a_change_of_the_turn_named_may_not_be_there_yet(name: str, ran: list[Ran], verdict: str) -> None:
    one, _ = found(MAKERS[name](), GONE[name], *ran)
    assert one.verdict == verdict


@every_auditor
@pytest.mark.parametrize("fields", [{}, {"state": ""}, {"state": " "}], ids=["not matched", "empty", "blank"])
def test_what_the_answer_does_not_say_is_not_asked_for(name: str, fields: dict[str, str]) -> None:
    one, asked = found(MAKERS[name]("state"), GONE[name], **fields)
    assert (one.verdict, one.reason, asked) == ("unverifiable", "the answer does not say its state", [])


@every_auditor
def test_the_first_that_is_not_said_is_told(name: str) -> None:
    one, _ = found(MAKERS[name]("zone", "area"), GONE[name])
    assert one.reason == "the answer does not say its zone"


@every_auditor
def test_blanks_around_what_the_answer_says_are_not_asked_for(name: str) -> None:
    one, asked = found(MAKERS[name]("state"), GONE[name], subject=" T-17 ", state=" open")
    assert (one.verdict, one.subject) == ("contradicted", " T-17 ")
    assert asked == found(MAKERS[name]("state"), GONE[name], state="open")[1]


@every_auditor
def test_somebody_looked_and_says_why_in_one_short_line(name: str) -> None:
    one, _ = found(MAKERS[name](), Unknown("no\n" * 400))
    assert (one.verdict, one.fields["looked"]) == ("unverifiable", True)
    assert "\n" not in one.reason
    assert len(one.reason) <= 180


@every_auditor
def test_a_group_that_the_pattern_does_not_have_is_named(name: str) -> None:
    auditor: Any = type(MAKERS[name]())
    options: dict[str, dict[str, Any]] = {
        "http_json": {"url": "https://a.b/{subject}/{state}"},
        "sql": {"query": "SELECT a WHERE b = :subject", "expect": {"a": "{state}"}},
        "mcp": {"tool": "verify", "arguments": {"a": [{"b": "{state}"}]}},
    }
    key = {"http_json": "url:", "sql": "expect: a", "mcp": "arguments:"}[name]
    with pytest.raises(ValueError, match="holds") as raised:
        auditor(groups=("other",), **options[name])
    assert str(raised.value) == f"{key} holds {{state}}, and the claims pattern has no group 'state' to fill it"


@pytest.mark.parametrize(
    ("value", "wanted", "is_same"),
    [
        ("Open", "open.", True),
        ("in  progress", "in progress", True),
        (True, "true", True),
        (True, "1", False),
        (1200, "1,200.00", True),
        ("a", "b", False),
        ("-5", "5", False),
        (".5", "5", False),
    ],
)
def test_same(value: Any, wanted: str, is_same: bool) -> None:
    assert same(value, wanted) is is_same


def test_filled() -> None:
    given = {"subject": "a/b", "subjects": ["x", "y"]}
    template = {"a": "{subject}", "b": ["{subjects}", "{other}"], "c": {"d": "is {subject}"}, "e": 1}
    assert list(groups_in(template)) == ["subject", "subjects", "other"]
    assert filled(template, given) == {"a": "a/b", "b": [["x", "y"], "{other}"], "c": {"d": "is a/b"}, "e": 1}
    assert filled("https://h/{subject}", given, in_url) == "https://h/a%2Fb"
