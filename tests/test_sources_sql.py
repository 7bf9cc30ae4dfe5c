"""Databases as ground truth: real SQLite files, and a real PostgreSQL."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from proxy.audit import Absent, Present, Sight, Unknown
from proxy.sources import build as build_any
from proxy.sources.sql import Sql, build
from tests.servers import need

BY_ID = "SELECT status, total FROM orders WHERE id = :subject"
POSTGRES = "postgresql://postgres@127.0.0.1:5432/postgres"
SLEEP = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n WHERE :subject = 'a'"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "odd name?.db"
    with sqlite3.connect(path) as made:
        made.execute("CREATE TABLE orders (id INTEGER, status TEXT, total NUMERIC, note TEXT)")
        rows = [(1, "shipped", 12.5, None), (2, None, 3, "x"), (3, "a", 1, None), (3, "b", 1, None)]
        made.executemany("INSERT INTO orders VALUES (?, ?, ?, ?)", rows)
        made.execute("INSERT INTO orders VALUES (4, ?, 1, NULL)", ("y" * 10_000_000,))
    made.close()
    return path


async def ask(source: Sql, subject: str, query: str, **more: str) -> Sight:
    try:
        return await source.look(subject, {"query": query, **more})
    finally:
        await source.aclose()


def of(file: Path, **more: Any) -> Sql:
    return build("orders", {"type": "sql", "url": "sqlite:///" + str(file).replace("?", "%3F"), **more}, {})


CASES: list[tuple[str, str, str, object]] = [
    ("a row", "1", BY_ID, Present({"status": "shipped", "total": 12.5})),
    ("a null", "2", BY_ID, Present({"status": None, "total": 3})),
    ("none", "9", BY_ID, Absent("no such row")),
    ("two", "3", BY_ID, Unknown("more than one row")),
    ("a text that would end the query", "1 OR 1=1; DROP TABLE orders; --", BY_ID, Absent("no such row")),
    ("a subject with quotes", "'\" OR ''='", BY_ID, Absent("no such row")),
    ("a delete", "1", "DELETE FROM orders WHERE id = :subject", Unknown("the question is not one SELECT")),
    ("two statements", "1", "SELECT 1; DELETE FROM orders", Unknown("the question is not one SELECT")),
    ("a write in a WITH", "1", "WITH a AS (SELECT :subject) DELETE FROM orders", Unknown),
    ("no such table", "1", "SELECT secret FROM vault WHERE id = :subject", Unknown),
    ("not SQL", "1", "SELECT FROM WHERE", Unknown),
    ("a parameter too many", "1", "SELECT 1 WHERE 1 = :id", Unknown("a parameter of the query is not given")),
    ("half an emoji", "\ud83d", BY_ID, Unknown),
    ("a NUL", "a\0", BY_ID, Unknown("not a value that a query could ask for")),
]


@pytest.mark.parametrize(("subject", "query", "expected"), [row[1:] for row in CASES], ids=[row[0] for row in CASES])
async def test_a_sqlite_file(file: Path, subject: str, query: str, expected: object) -> None:
    found = await ask(of(file), subject, query)
    assert found == expected or (isinstance(expected, type) and isinstance(found, expected))
    assert len(sqlite3.connect(file).execute("SELECT 1 FROM orders").fetchall()) == 5
    if isinstance(found, Unknown):
        assert not any(word in found.reason for word in ("orders", "vault", "secret", str(file)))


async def test_a_cell_of_ten_megabytes_is_cut(file: Path) -> None:
    found = await ask(of(file), "4", BY_ID)
    assert isinstance(found, Present)
    assert len(found.fields["status"]) == 2_000


async def test_a_query_that_never_ends_is_stopped(file: Path) -> None:
    source = of(file, timeout=0.2)
    assert isinstance(await source.look("a", {"query": SLEEP}), Unknown)
    assert await ask(source, "1", BY_ID) == Present({"status": "shipped", "total": 12.5})


async def test_a_file_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    assert isinstance(await ask(of(tmp_path / "no.db"), "1", BY_ID), Unknown)
    assert not (tmp_path / "no.db").exists()


BAD: list[tuple[dict[str, Any], str]] = [
    ({}, "url_env: "),
    ({"url": "sqlite:///a", "url_env": "X"}, "url_env: "),
    ({"url_env": "UNSET"}, "url_env: the variable UNSET is not set"),
    ({"url": "postgresql://u:geheim@h/d"}, "url: holds a password"),
    ({"url": "sqlite://"}, "url: must name a SQLite file"),
    ({"url": "nonsense geheim"}, "url: is no URL"),
    ({"url": "nodb://geheim"}, "url: is no URL"),
    ({"url": "sqlite:///a", "timeout": 0}, "timeout: "),
    ({"url": "sqlite:///a", "concurrency": True}, "concurrency: "),
    ({"url": "sqlite:///a", "root": "x"}, "root: "),
]


@pytest.mark.parametrize(("table", "problem"), BAD, ids=[problem for _, problem in BAD])
def test_what_is_configured_wrong_is_said_without_the_url(table: dict[str, Any], problem: str) -> None:
    with pytest.raises(ValueError, match=problem) as caught:
        build_any("orders", {"type": "sql", **table}, {})
    assert "geheim" not in str(caught.value)


@pytest.fixture
async def postgres() -> AsyncIterator[Sql]:
    need("PostgreSQL", 5432)
    made = await asyncpg.connect(POSTGRES)
    await made.execute("DROP TABLE IF EXISTS groundwire_orders")
    await made.execute("CREATE TABLE groundwire_orders (id integer, key uuid, name text, status text)")
    await made.execute("INSERT INTO groundwire_orders VALUES (7, '0a1b2c3d-0000-4000-8000-000000000001', '07', 'paid')")
    source = build("orders", {"type": "sql", "url_env": "DB", "timeout": 1.0}, {"DB": POSTGRES})
    try:
        yield source
    finally:
        await source.aclose()
        await made.execute("DROP TABLE groundwire_orders")
        await made.close()


UUID = "0a1b2c3d-0000-4000-8000-000000000001"
FOUND = Present({"status": "paid"})
WRITE = (
    "WITH w AS (DELETE FROM groundwire_orders WHERE id = CAST(:subject AS integer) RETURNING status) SELECT * FROM w"
)
PG: list[tuple[str, str, str, object]] = [
    ("an integer column", "7", "id = :subject", FOUND),
    ("an integer column, cast", "7", "id = CAST(:subject AS integer)", FOUND),
    ("an integer column, as text", "7", "id::text = :subject", FOUND),
    ("a uuid column", UUID, "key = :subject", FOUND),
    ("a uuid column, as text", UUID, "key::text = :subject", FOUND),
    ("a text column of digits", "07", "name = :subject", FOUND),
    ("no row", "8", "id = :subject", Absent("no such row")),
    ("not an integer", "'; DROP TABLE groundwire_orders; --", "id = :subject", Unknown),
    ("no such uuid", "7", "key = :subject", Unknown),
    ("a sleep", "7", "pg_sleep(3) IS NOT NULL AND name = :subject OR pg_sleep(3) IS NULL", Unknown),
]


@pytest.mark.parametrize(("subject", "where", "expected"), [row[1:] for row in PG], ids=[row[0] for row in PG])
async def test_postgresql(postgres: Sql, subject: str, where: str, expected: object) -> None:
    found = await postgres.look(subject, {"query": f"SELECT status FROM groundwire_orders WHERE {where}"})
    assert found == expected or (isinstance(expected, type) and isinstance(found, expected)), found


async def test_postgresql_refuses_to_write(postgres: Sql) -> None:
    assert isinstance(await postgres.look("7", {"query": WRITE}), Unknown)
    everything = await postgres.look("7", {"query": "SELECT count(*) AS n FROM groundwire_orders"})
    assert everything == Present({"n": 1})


async def test_postgresql_reads_one_row_of_very_many(postgres: Sql) -> None:
    assert await postgres.look("x", {"query": "SELECT generate_series(1, 50000000) AS n"}) == Unknown(
        "more than one row"
    )


async def test_a_database_that_is_down_accuses_nobody() -> None:
    source = build("orders", {"url_env": "DB"}, {"DB": "postgresql://u:geheim@127.0.0.1:9/x"})
    found = await ask(source, "7", BY_ID)
    assert isinstance(found, Unknown)
    assert "geheim" not in found.reason
    assert "127" not in found.reason
