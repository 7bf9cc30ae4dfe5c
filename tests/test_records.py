"""The audit log: written behind the answer, bounded, and each report its own tenant's."""

from __future__ import annotations

import asyncio
import sqlite3
import stat
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from proxy.records import PORTION, SCHEMA, WAITING, Record, Records, between
from tests.servers import Script, ScriptedUpstream, proxy
from tests.test_exchange import STREAM, asked, conf, post


def record(audit_id: str, scope: str = "acme") -> Record:
    return Record(audit_id, scope, "t", 1.0, "m", True, '{"id": "x"}')


async def test_a_report_is_found_by_its_own_tenant(tmp_path: Path) -> None:
    records = Records(tmp_path / "state" / "audits.sqlite")
    records.start()
    for number in range(300):
        records.add(record(f"a{number}"))
    records.close()
    assert await records.find("acme", "a299") == '{"id": "x"}'
    assert await records.find("zeta", "a299") is None
    assert await records.find("acme", "' OR 1=1 --") is None
    assert stat.S_IMODE((tmp_path / "state" / "audits.sqlite").stat().st_mode) == 0o600


async def test_no_name_of_a_model_stops_the_log(tmp_path: Path) -> None:
    records = Records(tmp_path / "audits.sqlite")
    records.start()
    records.add(record("a1")._replace(model="half a \ud83d"))
    records.add(record("a2")._replace(model="m" * 1_000_000))
    records.close()
    assert [await records.find("acme", one) for one in ("a1", "a2")] == ['{"id": "x"}'] * 2
    assert [len(one.model) < 1_000 for one in between(tmp_path / "audits.sqlite", 0.0)] == [True, True]


def test_a_full_queue_drops_loudly_and_never_waits(tmp_path: Path) -> None:
    records = Records(tmp_path / "audits.sqlite")  # not started: nothing takes from the queue
    for number in range(WAITING + 5):
        records.add(record(str(number)))
    assert records.dropped == 5


def kept(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as database:
        return [found for (found,) in database.execute("SELECT id FROM audits ORDER BY id")]


def within(seconds: float, condition: Callable[[], bool]) -> bool:
    """Whether something becomes true in time."""
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.02)
    return condition()


def test_what_the_file_refuses_waits_and_is_written_later(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "audits.sqlite"
    records = Records(path)
    records.start()
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("ALTER TABLE audits RENAME TO aside")  # refused at once, as another's lock is after seconds
        records.add(record("a1"))
        assert within(5, lambda: "waits" in caplog.text)
        other.execute("ALTER TABLE aside RENAME TO audits")
    records.add(record("a2"))
    assert within(5, lambda: kept(path) == ["a1", "a2"])
    records.close()
    assert records.dropped == 0
    assert caplog.text.count("waits") == 1


def test_what_is_refused_to_the_end_is_given_up_and_counted(tmp_path: Path) -> None:
    records = Records(tmp_path / "audits.sqlite")
    records.start()
    with closing(sqlite3.connect(tmp_path / "audits.sqlite")) as other:
        other.execute("DROP TABLE audits")
    records.add(record("a1"))
    records.close()
    assert records.dropped == 1


def test_what_is_older_than_the_days_it_is_kept_is_deleted(tmp_path: Path) -> None:
    path = tmp_path / "audits.sqlite"
    old, new = time.time() - 3 * 86_400, time.time() - 86_400
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(SCHEMA)
        made = [record(f"o{number:04}")._replace(at=old) for number in range(2 * PORTION + 1)]
        database.executemany("INSERT INTO audits VALUES (?, ?, ?, ?, ?, ?, ?)", [*made, record("n1")._replace(at=new)])
    for days, left in ((0, 2 * PORTION + 3), (2, 2)):
        records = Records(path, days)
        records.start()
        records.add(record("n2")._replace(at=new))
        within(5 if days else 0.5, lambda: len(kept(path)) == 2)
        records.close()
        assert len(kept(path)) == left
    assert kept(path) == ["n1", "n2"]


def test_the_last_days_are_found_without_reading_the_whole_file(tmp_path: Path) -> None:
    path = tmp_path / "audits.sqlite"
    with closing(sqlite3.connect(path)) as database:
        database.execute(SCHEMA)  # as it was made before there was an index
    records = Records(path)
    records.start()
    records.close()
    with closing(sqlite3.connect(path)) as database:
        for query in ("SELECT report FROM audits WHERE at >= 1", "DELETE FROM audits WHERE at < 1"):
            plan = str(database.execute(f"EXPLAIN QUERY PLAN {query}").fetchall())
            assert "USING INDEX audits_at" in plan or "USING COVERING INDEX audits_at" in plan


async def test_the_report_of_an_answer_is_served_to_its_client_alone(tmp_path: Path) -> None:
    async with ScriptedUpstream(Script([STREAM])) as upstream, proxy(tmp_path, conf(upstream)) as running:
        reply = await post(running.url, asked(), authorization="Bearer mine")
        url = f"{running.url}/audits/{reply.headers['x-groundwire-audit']}"
        async with httpx.AsyncClient() as client:
            for _ in range(100):
                found = await client.get(url, headers={"authorization": "Bearer mine"})
                if found.status_code == 200:
                    break
                await asyncio.sleep(0.01)
            assert found.json()["missing"][0]["subject"] == "b.md"
            other = await client.get(url, headers={"authorization": "Bearer other"})
            assert (other.status_code, other.json()["error"]["code"]) == (404, "audit_not_found")
            side = await post(running.url, asked(response_format={"type": "json_object"}), authorization="Bearer mine")
            assert side.content == STREAM  # nothing in band, and the report all the same
            for _ in range(100):
                found = await client.get(
                    f"{running.url}/audits/{side.headers['x-groundwire-audit']}",
                    headers={"authorization": "Bearer mine"},
                )
                if found.status_code == 200:
                    break
                await asyncio.sleep(0.01)
            assert found.json()["missing"][0]["subject"] == "b.md"
        honest = {"model": "m", "stream": True, "messages": asked()["messages"], "tools": asked()["tools"]}
        again = await post(running.url, honest, authorization="Bearer mine")
        plain = await post(running.url, honest | {"stream": False}, authorization="Bearer mine")
        assert again.headers["x-groundwire-audit"] != plain.headers["x-groundwire-audit"]
    rows = sqlite3.connect(tmp_path / ".groundwire" / "audits.sqlite").execute("SELECT turn, id FROM audits").fetchall()
    assert (len({turn for turn, _ in rows}), len(rows)) == (2, 4)  # a turn is one however often it is sent
