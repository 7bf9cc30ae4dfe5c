"""The audit log: written behind the answer, bounded, and each report its own tenant's."""

from __future__ import annotations

import asyncio
import sqlite3
import stat
from pathlib import Path

import httpx

from proxy.records import WAITING, Record, Records, between
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
