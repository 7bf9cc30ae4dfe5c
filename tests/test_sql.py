"""The auditor of rows in a database: what a claim says, and what the row says."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proxy.answers import examine
from proxy.audit import FLAGGED, NOTHING, Absent, Look, Present, Question, Report, Sight, Unknown
from proxy.auditors.sql import Sql
from proxy.claims import Claim
from proxy.errors import ConfigError
from proxy.library import Library
from proxy.tables import Source
from proxy.transcript import Answer
from tests.transcripts import ROOT, Ran, messages, transcript, turn

LIBRARY = Library(ROOT / "policies")
RULE = """
[[rules]]
name = "orders"
auditor = "sql"
source = "orders"
require_source = false
claims = '(?i)order (?P<subject>\\w+) is (?P<status>\\w+)(?: at (?P<total>[\\d.,]+))?'
[rules.options]
query = "SELECT status, total FROM orders WHERE id = :subject"
expect = { status = "{status}", total = "{total}" }
"""
Rows = Mapping[str, Any] | str | None


def rows(table: Rows) -> Look:
    async def look(source: str, subject: str, question: Question = NOTHING) -> Sight:
        assert source == "orders"
        assert question == {"query": "SELECT status, total FROM orders WHERE id = :subject"}
        if table == "raises":
            raise RuntimeError("a bug of the source")
        if isinstance(table, str):
            return Unknown(table)
        assert table is not None
        return Present(table[subject]) if subject in table else Absent("no such row")

    return look


def report(answer: str, table: Rows, ran: list[Ran] | None = None) -> Report:
    policy = LIBRARY.policy(Source("t.toml", RULE), {"orders"} if table is not None else ())
    raw = messages(ran or [])
    request = transcript(raw, tools=[{"type": "function", "function": {"name": "x"}}])
    return asyncio.run(examine(policy, request, turn(raw), Answer(0, answer, "stop"), rows(table), audit_id="a"))


SENT = {"17": {"status": "Shipped", "total": "12.50"}}
CASES: list[tuple[str, str, Rows, list[Ran], list[str]]] = [
    ("so it is", "Order 17 is shipped.", SENT, [], ["verified 17"]),
    ("a number written otherwise", "Order 17 is shipped at 12.5.", SENT, [], ["verified 17"]),
    ("another value", "Order 17 is pending.", SENT, [], ["contradicted 17"]),
    ("another number", "Order 17 is shipped at 13.", SENT, [], ["contradicted 17"]),
    ("no such row", "Order 18 is shipped.", SENT, [], ["contradicted 18"]),
    ("NULL is no value", "Order 17 is shipped.", {"17": {"status": None, "total": 1}}, [], ["qualified 17"]),
    ("no such column", "Order 17 is shipped.", {"17": {"state": "x"}}, [], ["unverifiable 17"]),
    ("down", "Order 17 is shipped.", "the database did not answer", [], ["unverifiable 17"]),
    ("the source has a bug", "Order 17 is shipped.", "raises", [], ["unverifiable 17"]),
    ("no source", "Order 17 is shipped.", None, [], []),
    ("just made", "Order 18 is shipped.", SENT, [("ship_order", {"id": 18}, '{"shipped": 18}')], ["unverifiable 18"]),
    ("made another", "Order 18 is shipped.", SENT, [("ship_order", {}, '{"shipped": 180}')], ["contradicted 18"]),
    ("making it failed", "Order 18 is shipped.", SENT, [("x", {}, '{"error": "18: no"}')], ["contradicted 18"]),
    ("asked", "Is it that order 18 is shipped?", SENT, [], []),
    ("denied", "I could not find that order 18 is shipped.", SENT, [], []),
    ("in a fence", "```\norder 18 is shipped\n```", SENT, [], []),
    ("quoted", "> order 18 is shipped", SENT, [], []),
    ("conditional", "If order 18 is shipped, they will write.", SENT, [], []),
]


@pytest.mark.parametrize(
    ("answer", "table", "ran", "expected"), [row[1:] for row in CASES], ids=[row[0] for row in CASES]
)
def test_rows(answer: str, table: Rows, ran: list[Ran], expected: list[str]) -> None:
    found = [f"{one.verdict} {one.subject}" for one in report(answer, table, ran).findings]
    assert found == expected


def test_rows_are_asked_for_side_by_side() -> None:
    running = most = 0

    async def look(source: str, subject: str, question: Question = NOTHING) -> Sight:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0.01)
        running -= 1
        return Present({})

    claims = [Claim("pattern", str(number), "asserted") for number in range(10)]
    auditor = Sql("s", (), "SELECT * FROM a WHERE b = :subject")
    findings = asyncio.run(auditor.audit(turn(messages([])), claims, look))
    assert ([one.subject for one in findings], most) == ([claim.subject for claim in claims], 10)


def test_the_value_is_shown() -> None:
    assert report("Order 17 is pending.", SENT).findings[0].reason == "status is Shipped"


BAD = [
    ("", "query"),
    ("DELETE FROM orders WHERE id = :subject", "query"),
    ("SELECT 1; DELETE FROM orders", "query"),
    ("WITH a AS (DELETE FROM orders RETURNING 1) SELECT * FROM a", "query"),
    ("UPDATE orders SET a = 1", "query"),
    ("-- SELECT\nDROP TABLE orders", "query"),
    ("SELECT status FROM orders WHERE id = :id", "query: holds :id"),
]
GOOD = [
    "SELECT status FROM orders WHERE id = :subject;",
    "select a from b where note <> 'a; :nothing' and id::text = :subject",
    'with a as (select 1) select "odd :name" from a where x = :status',
]


@pytest.mark.parametrize(("query", "problem"), BAD)
def test_a_query_that_could_not_work_stops_the_start(query: str, problem: str) -> None:
    text = RULE.replace("SELECT status, total FROM orders WHERE id = :subject", query.replace("\n", "\\n"))
    with pytest.raises(ConfigError, match=problem) as caught:
        LIBRARY.policy(Source("t.toml", text), ())
    assert "t.toml" in str(caught.value)
    assert "orders" in str(caught.value)


def test_an_expectation_of_a_group_that_is_not_there_stops_the_start() -> None:
    with pytest.raises(ConfigError, match="expect: status"):
        LIBRARY.policy(Source("t.toml", RULE.replace('"{status}"', '"{state}"')), ())


@pytest.mark.parametrize("query", GOOD)
def test_queries_that_work(query: str) -> None:
    assert Sql("s", ("status",), query).query == query


CELLS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)


@given(st.text(max_size=8), st.text(max_size=8), st.dictionaries(st.sampled_from(["status", "x"]), CELLS))
def test_it_never_raises_and_never_accuses_without_a_row_that_differs(
    subject: str, status: str, row: dict[str, Any]
) -> None:
    async def look(source: str, subject: str, question: Question = NOTHING) -> Sight:
        return Present(row)

    auditor = Sql("s", ("status",), "SELECT * FROM a WHERE b = :subject AND c = :status", {"status": "{status}"})
    claim = Claim("pattern", subject, "asserted", fields={"status": status})
    findings = asyncio.run(auditor.audit(turn(messages([])), [claim], look))
    accused = [one for one in findings if one.verdict in FLAGGED]
    assert not accused or (row.get("status") is not None and str(row["status"]) != status)
