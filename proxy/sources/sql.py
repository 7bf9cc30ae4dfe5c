"""A database as ground truth: the one row that an operator's query finds for a subject, read and never written."""

from __future__ import annotations

import asyncio
import os
import re
import time
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from sqlalchemy import text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import NullPool

from proxy.audit import NOTHING, Absent, Present, Question, Sight, Unknown

DRIVERS = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg", "postgres": "postgresql+asyncpg"}
CELL = 2_000
"""Code points of one cell that are kept."""
SLACK = 0.25
"""Seconds that the database gets to end an over-long query itself, which leaves its connection in order."""
COLUMNS = 100
READS = re.compile(r"(?is)\s*(?:select|with)\b[^;]*;?\s*")
INTEGER = re.compile(r"-?\d{1,18}")
KEYS = {"type", "url", "url_env", "timeout", "concurrency"}


class Sql:
    """A query's row for a subject. PostgreSQL and SQLite refuse every write of it; all else is rolled back.

    What models wrote is bound as a parameter, never put into the query's text. It arrives as text; where the driver
    refuses text for a column of integers, those that are integers are tried as such, once.
    """

    def __init__(self, url: URL, *, timeout: float = 2.0, concurrency: int = 4) -> None:
        self._url, self._timeout = url, timeout
        self._slots = asyncio.Semaphore(concurrency)
        self._engine: AsyncEngine | None = None

    async def look(self, subject: str, question: Question = NOTHING) -> Sight:
        query = question.get("query", "")
        if not READS.fullmatch(query):
            return Unknown("the question is not one SELECT")
        given = {**question, "subject": subject}
        statement = text(query)
        wanted = set(statement.compile().params)
        if wanted - (given.keys() - {"query"}):
            return Unknown("a parameter of the query is not given")
        values = {name: given[name] for name in wanted}
        if any("\0" in value or len(value) > CELL for value in values.values()):
            return Unknown("not a value that a query could ask for")
        if self._url.get_backend_name() == "sqlite" and not await asyncio.to_thread(os.path.isfile, self._file()):
            return Unknown("the database is not there")  # aiosqlite's thread would outlive a connection that failed
        try:
            async with asyncio.timeout(self._timeout + SLACK), self._slots:
                return await self._ask(query, values)
        except TimeoutError:
            return Unknown("the database did not answer in time")
        except DBAPIError as error:  # before OSError: its text would hold the query
            return Unknown(f"the database refused: {type(error.orig).__name__}")
        except (SQLAlchemyError, OSError, ValueError) as error:
            return Unknown(f"the database did not answer: {type(error).__name__}")
        except Exception as error:  # noqa: BLE001 - drivers raise roots of their own while they connect
            return Unknown(f"the database did not answer: {type(error).__name__}")

    async def _ask(self, query: str, values: Mapping[str, str]) -> Sight:
        numbers = {name: int(value) if INTEGER.fullmatch(value) else value for name, value in values.items()}
        try:
            return await self._row(query, values)
        except DBAPIError as error:
            if numbers == values or type(error.orig).__name__ not in ("Error", "DataError", "ProgrammingError"):
                raise
        return await self._row(query, numbers)

    async def _row(self, query: str, values: Mapping[str, Any]) -> Sight:
        async with self._open().connect() as connection:
            await self._restrict(connection)
            bounded = {"stream_results": True, "max_row_buffer": 2}
            async with connection.stream(text(query), dict(values), execution_options=bounded) as result:
                rows = await result.fetchmany(2)
                names = list(result.keys())
            await connection.rollback()
        if not rows:
            return Absent("no such row")
        if len(rows) > 1:
            return Unknown("more than one row")
        return Present({name: _plain(value) for name, value in zip(names[:COLUMNS], rows[0], strict=False)})

    async def _restrict(self, connection: AsyncConnection) -> None:
        """Let the database itself refuse writes, and stop what runs too long."""
        dialect = connection.dialect.name
        if dialect == "postgresql":
            await connection.execute(text("SET TRANSACTION READ ONLY"))
            await connection.execute(text(f"SET LOCAL statement_timeout = {max(1, int(self._timeout * 1_000))}"))
        elif dialect == "sqlite":
            await connection.execute(text("PRAGMA query_only = ON"))
            raw: Any = (await connection.get_raw_connection()).driver_connection
            end = time.monotonic() + self._timeout
            await raw.set_progress_handler(lambda: time.monotonic() > end, 10_000)

    def _file(self) -> str:
        return unquote((self._url.database or "").removeprefix("file:"))

    def _open(self) -> AsyncEngine:
        if self._engine is None:
            more: dict[str, Any] = {}
            if self._url.get_backend_name() == "sqlite":
                more = {"connect_args": {"timeout": self._timeout}, "poolclass": NullPool}
            self._engine = create_async_engine(self._url, hide_parameters=True, echo=False, **more)
        return self._engine

    async def aclose(self) -> None:
        if self._engine is not None:
            await self._engine.dispose()
            self._engine = None


def _plain(value: Any) -> Any:
    """A cell as a JSON value of bounded length; what JSON has no word for, as text."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, (int, float)):
        return value if abs(value) < 2**53 else str(value)  # also false for what is no number
    if isinstance(value, (bytes, memoryview)):
        return f"{len(value)} bytes"
    spoken = format(value, "f") if isinstance(value, Decimal) and value.is_finite() else str(value)
    return spoken if len(spoken) <= CELL else spoken[: CELL - 1] + "…"


def build(name: str, table: Mapping[str, Any], env: Mapping[str, str]) -> Sql:
    """From `[sources.NAME] type = "sql"`, `url` or `url_env`, `timeout`, `concurrency`.

    Raises ValueError("key: problem"), which never holds the URL.
    """
    if unknown := set(table) - KEYS:
        raise ValueError(f"{min(unknown)}: is no key of this source; known: {', '.join(sorted(KEYS - {'type'}))}")
    key = "url" if "url" in table else "url_env"
    if ("url" in table) == ("url_env" in table) or not isinstance(table[key], str):
        raise ValueError("url_env: is missing; one of url_env (a variable's name) and url (a file's) is needed")
    spelled = env.get(table[key], "") if key == "url_env" else table[key]
    if not spelled:
        raise ValueError(f"{key}: " + (f"the variable {table[key]} is not set" if key == "url_env" else "is empty"))
    timeout, concurrency = table.get("timeout", 2.0), table.get("concurrency", 4)
    if isinstance(timeout, bool) or not isinstance(timeout, (int, float)) or not 0.01 <= timeout <= 60:
        raise ValueError("timeout: must be 0.01 to 60 seconds")
    if isinstance(concurrency, bool) or not isinstance(concurrency, int) or not 1 <= concurrency <= 64:
        raise ValueError("concurrency: must be 1 to 64")
    return Sql(_url(key, spelled), timeout=float(timeout), concurrency=concurrency)


def _url(key: str, spelled: str) -> URL:
    """The URL with an asynchronous driver; a SQLite file by a name that opens it for reading only."""
    try:
        url = make_url(spelled)
        url = url.set(drivername=DRIVERS.get(url.drivername, url.drivername))
        sqlite = url.get_backend_name() == "sqlite"
        if not url.get_dialect().is_async:
            raise ValueError(f"{key}: its driver is not asynchronous; such as postgresql+asyncpg:// or sqlite:///FILE")
    except (ArgumentError, ImportError):
        raise ValueError(f"{key}: is no URL of a database whose driver is installed") from None
    if key == "url" and url.password is not None:
        raise ValueError("url: holds a password; put it into a variable and name that in url_env")
    if not sqlite:
        return url
    if not url.database or url.database == ":memory:" or url.database.startswith("file:"):
        raise ValueError(f"{key}: must name a SQLite file, such as sqlite:///orders.db")
    path = quote(str(Path(url.database).absolute()))
    return url.set(database=f"file:{path}", query={"mode": "ro", "uri": "true"})
