"""What is counted of answers, looks and the audit log, how Prometheus reads it, and who may."""

from __future__ import annotations

import asyncio
import hashlib
import os
import re
import socket
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import httpx
import pytest

from proxy.audit import UNAUDITED, Failure, Finding, Report
from proxy.auditors import Auditors
from proxy.claims import Claim
from proxy.inbound import Inbound
from proxy.ledger import Turn
from proxy.looks import OUTCOMES
from proxy.metrics import Answers, Family, single, written
from proxy.records import WAITING, Record
from tests import test_attempts as attempts
from tests.servers import Proxy, Script, ScriptedUpstream, proxy
from tests.test_exchange import JSON, LIE, PLAIN, RAN, STREAM, asked, conf, idle, post, slow_policy
from tests.test_exchange import Slow as Endless
from tests.test_exchange_failures import LARGE, PADDING, failing
from tests.test_inject import DEPOSIT, HERE, setting
from tests.transcripts import messages

LINE = re.compile(r'(\w+)\{((?:\w+="(?:[^"\\\n]|\\[\\"n])*",?)+)\} ([0-9.e+-]+)')


def samples(text: str) -> dict[str, float]:
    """The samples of an exposition, each by its name and its labels' values; all of one process."""
    found: dict[str, float] = {}
    for line in text.splitlines():
        if line.startswith("#"):
            continue
        one = LINE.fullmatch(line)
        assert one, line
        *labels, (last, process) = re.findall(r'(\w+)="((?:[^"\\]|\\.)*)"', one[2])
        assert (last, process) == ("pid", str(os.getpid()))
        name = " ".join([one[1].removeprefix("groundwire_"), *(value for _, value in labels)])
        assert name not in found
        found[name] = float(one[3])
    return found


async def read(running: Proxy, path: str = "/metrics", **headers: str) -> httpx.Response:
    async with httpx.AsyncClient(timeout=20) as client:
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        return await client.get(running.url.removesuffix("/v1") + path, headers=sent)


async def counted(running: Proxy, **least: float) -> dict[str, float]:
    """What is counted, once some of it has risen so far: an answer is counted behind its last byte."""
    for _ in range(200):
        found = samples((await read(running)).text)
        if all(found[name] >= value for name, value in least.items()):
            return found
        await asyncio.sleep(0.01)
    raise AssertionError(found)


def risen(found: dict[str, float], family: str) -> dict[str, float]:
    """What is over 0 in a family, by the values of its labels."""
    return {name.partition(" ")[2]: value for name, value in found.items() if name.split()[0] == family and value}


def test_a_text_is_as_prometheus_reads_it() -> None:
    families = [
        Family("a_total", "Of a.", [({"x": 'quo"te\\\n'}, 3), ({"x": "y"}, 0.25)]),
        single("b", "Of b.", 1, "gauge"),
    ]
    assert written(families, 7).decode().splitlines() == [
        "# HELP a_total Of a.",
        "# TYPE a_total counter",
        r'a_total{x="quo\"te\\\n",pid="7"} 3',
        'a_total{x="y",pid="7"} 0.25',
        "# HELP b Of b.",
        "# TYPE b gauge",
        'b{pid="7"} 1',
    ]
    assert written(families, 7).endswith(b"\n")


VERIFIED, FLAGGED = Finding("verified", "a.md", "r", rule="edits"), Finding("stale", "b.md", "r", rule="edits")
FAILED = (Failure("slow", "a", "deadline"), Failure("bad", "a", "KeyError"), Failure("bad", "a", "201 findings; …"))
REPORTS: list[tuple[Report, dict[str, float]]] = [
    (Report("i"), {"answers_total clean": 1}),
    (Report("i", (VERIFIED,)), {"answers_total clean": 1, "findings_total edits verified": 1}),
    (
        Report("i", (VERIFIED, FLAGGED, FLAGGED)),
        {"answers_total flagged": 1, "findings_total edits verified": 1, "findings_total edits stale": 2},
    ),
    (Report("i", incomplete="an event is not JSON"), {"answers_total incomplete": 1}),
    (Report("i", (FLAGGED,), (), "cut"), {"answers_total flagged": 1, "findings_total edits stale": 1}),
    (
        Report("i", (), FAILED),
        {
            "answers_total clean": 1,
            "auditor_failures_total slow deadline": 1,
            "auditor_failures_total bad error": 2,
        },
    ),
    (Report("i", (), (), "the verifier failed: X", "failed"), {"unaudited_answers_total failed": 1}),
    (Report("i", (), (), "large", "too_large"), {"unaudited_answers_total too_large": 1}),
]


@pytest.mark.parametrize(("report", "expected"), REPORTS)
def test_an_answer_is_counted_by_its_report(report: Report, expected: dict[str, float]) -> None:
    answers = Answers()
    answers.count(report, 0.0)
    found = samples(written(answers.families(()), os.getpid()).decode())
    assert {name: value for name, value in found.items() if value} == expected
    answers.count(report, 0.25)
    answers.count(report, 0.5)
    found = samples(written(answers.families(()), os.getpid()).decode())
    assert {name: value for name, value in found.items() if value} == {
        **{name: 3 * value for name, value in expected.items()},
        "held_answers_total": 2,
        "held_seconds_total": 0.75,
    }


async def test_before_anything_has_happened_what_may_rise_is_0(tmp_path: Path) -> None:
    policy = {"default": 'extends = ["coding-agents"]'}
    async with ScriptedUpstream(Script([STREAM])) as upstream:
        text = setting(tmp_path, upstream)
        async with proxy(tmp_path, text, policy) as running:
            reply = await read(running)
            assert reply.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
            found = samples(reply.text)
            rules = [rule.name for rule in running.service.tenants.resolve([]).policy.rules]
    assert "file-edits" in rules
    assert set(found) == {
        *(f"answers_total {one}" for one in ("clean", "flagged", "incomplete")),
        *(f"unaudited_answers_total {one}" for one in UNAUDITED),
        *(f"auditor_failures_total {rule} {cause}" for rule in rules for cause in ("deadline", "error")),
        *(f"looks_total artifacts {one}" for one in OUTCOMES),
        *("held_answers_total", "held_seconds_total", "store_errors_total"),
        *("audit_records_dropped_total", "audit_records_waiting"),
    }
    assert not any(found.values())


TOOL_TURN = attempts.scripts([attempts.CALL], True)[0]
HONEST = messages(RAN[:1])
CUT = STREAM[: STREAM.index(b'"finish_reason":"stop"') - 200]
STRANGE = Script([STREAM], headers={"content-type": "text/event-stream", "content-encoding": "x-own"})
OUTCOME: list[tuple[Script, dict[str, Any], dict[str, float], dict[str, float]]] = [
    (Script([STREAM]), asked(), {"flagged": 1}, {}),
    (Script([STREAM]), asked(messages=HONEST), {"clean": 1}, {}),
    (Script([PLAIN], headers=JSON), asked(stream=False), {"flagged": 1}, {}),
    (Script([STREAM]), asked(response_format={"type": "json_object"}), {"flagged": 1}, {}),
    (TOOL_TURN, asked(), {}, {}),
    (Script([b'{"error": {}}'], status=500, headers=JSON), asked(), {}, {}),
    (Script([CUT], reset=True), asked(), {}, {"broken": 1}),
    (
        Script([PLAIN[:-1] + b', "x": "' + PADDING.encode() + b'"}'], headers=JSON),
        asked(stream=False),
        {},
        {"too_large": 1},
    ),
    (Script([PLAIN + b" " * len(PADDING), 0.1], headers=JSON, reset=True), asked(stream=False), {}, {"broken": 1}),
    (Script([b"nothing"], headers=JSON), asked(stream=False), {}, {"unread": 1}),
    (STRANGE, asked(), {}, {"unread": 1}),
]


@pytest.mark.parametrize("mode", ["annotate", "retry"])
@pytest.mark.parametrize(("script", "body", "audited", "unaudited"), OUTCOME)
async def test_each_answer_is_counted_once(
    tmp_path: Path,
    script: Script,
    body: dict[str, Any],
    audited: dict[str, float],
    unaudited: dict[str, float],
    mode: str,
) -> None:
    policy = {"default": 'extends = ["coding-agents"]' if mode == "annotate" else attempts.RETRY}
    async with (
        ScriptedUpstream(script) as upstream,
        proxy(tmp_path, conf(upstream, server=LARGE), policy) as running,
    ):
        try:
            await post(running.url, body)
        except httpx.RemoteProtocolError:
            assert script.reset
        await idle(running)
        await asyncio.sleep(0.05)
        found = await counted(running)
        assert (risen(found, "answers_total"), risen(found, "unaudited_answers_total")) == (audited, unaudited)


async def test_switched_off_and_failed_answers_are_nobody_s(tmp_path: Path) -> None:
    async with (
        ScriptedUpstream(Script([STREAM])) as upstream,
        proxy(tmp_path, conf(upstream), changed=failing("marks")) as running,
    ):
        await post(running.url, asked(), x_groundwire="off")
        await post(running.url, asked())
        found = await counted(running, **{"unaudited_answers_total failed": 1})
        assert risen(found, "unaudited_answers_total") == {"off": 1, "failed": 1}
        assert risen(found, "answers_total") == {}


@pytest.mark.parametrize("script", [Script([b"nothing"], headers=JSON), Script([PLAIN], headers=JSON, status=203)])
async def test_an_answer_that_cannot_be_read_and_may_not_leave_is_counted_once(tmp_path: Path, script: Script) -> None:
    async with (
        ScriptedUpstream(script) as upstream,
        proxy(tmp_path, conf(upstream), {"default": attempts.WITHHOLD}) as running,
    ):
        assert (await post(running.url, asked(stream=False))).status_code == 500
        found = await counted(running, **{"unaudited_answers_total unread": 1})
        assert risen(found, "unaudited_answers_total") == {"unread": 1}


async def test_an_answer_that_is_withheld_unaudited_is_counted_once(tmp_path: Path) -> None:
    async with (
        ScriptedUpstream(Script([PLAIN], headers=JSON)) as upstream,
        proxy(tmp_path, conf(upstream), {"default": attempts.WITHHOLD}, changed=failing("lexicon")) as running,
    ):
        assert (await post(running.url, asked(stream=False))).status_code == 500
        assert risen(await counted(running), "unaudited_answers_total") == {"failed": 1}


async def test_findings_are_counted_by_rule_and_verdict_and_nothing_is_said_of_them(tmp_path: Path) -> None:
    async with (
        ScriptedUpstream(Script([STREAM])) as upstream,
        proxy(tmp_path, conf(upstream), {"default": 'extends = ["coding-agents"]'}) as running,
    ):
        for _ in range(2):
            await post(running.url, asked())
        found = await counted(running, **{"answers_total flagged": 2})
        assert risen(found, "findings_total") == {"file-edits verified": 2, "file-edits contradicted": 2}
        text = (await read(running)).text
        assert not [said for said in ("b.md", LIE, "not found", "patch") if said in text]


async def test_an_answer_asked_for_again_counts_as_the_one_that_left(tmp_path: Path) -> None:
    async with (
        ScriptedUpstream(*attempts.scripts([LIE, attempts.HONEST], True)) as upstream,
        proxy(tmp_path, conf(upstream), {"default": attempts.RETRY}) as running,
    ):
        await post(running.url, asked())
        found = await counted(running, **{"answers_total clean": 1})
        assert (len(upstream.requests), risen(found, "answers_total")) == (2, {"clean": 1})


@dataclass(frozen=True, slots=True)
class Raises:
    reads: ClassVar[frozenset[str]] = frozenset()

    def compare(self, turn: Turn, claims: Sequence[Claim]) -> list[Finding]:
        raise KeyError("sk-secret0123456789")


@pytest.mark.parametrize("streamed", [True, False])
@pytest.mark.parametrize("mode", ["annotate", "retry"])
async def test_failures_and_held_seconds(tmp_path: Path, streamed: bool, mode: str) -> None:
    Endless.began, Endless.cancelled = asyncio.Event(), asyncio.Event()
    more = f'[[rules]]\nname = "bad"\nauditor = "raises"\n[[rules]]\nname = "file-edits"\nmode = "{mode}"\n'
    policy = {"default": slow_policy(0.2)["default"] + more}
    script = Script([STREAM]) if streamed else Script([PLAIN], headers=JSON)
    async with (
        ScriptedUpstream(script) as upstream,
        proxy(tmp_path, conf(upstream), policy, Auditors({"slow": Endless, "raises": Raises})) as running,
    ):
        await post(running.url, asked(stream=streamed, messages=HONEST))
        found = await counted(running, held_answers_total=1)
        assert risen(found, "auditor_failures_total") == {"slow deadline": 1, "bad error": 1}
        assert 0.2 <= found["held_seconds_total"] < 2
        assert found["held_answers_total"] == 1


async def test_looks_are_counted_by_their_source(tmp_path: Path) -> None:
    ran = [("artifact.put", {"name": "x"}, DEPOSIT)]
    async with ScriptedUpstream(*attempts.scripts([f"Deposited `{HERE}`."], True)) as upstream:
        text = setting(tmp_path, upstream)
        async with proxy(tmp_path, text, {"default": 'extends = ["deposits"]'}) as running:
            for _ in range(2):
                await post(running.url, asked(messages=messages(ran)))
            found = risen(await counted(running, **{"answers_total clean": 2}), "looks_total")
            assert set(found) == {"artifacts present", "artifacts remembered"}
            assert found["artifacts present"] == 1


async def test_a_store_that_does_not_answer_is_counted(tmp_path: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        store = f'[store]\nurl = "redis://127.0.0.1:{probe.getsockname()[1]}/0"\n'
        async with (
            ScriptedUpstream(*attempts.scripts([LIE], True)) as upstream,
            proxy(tmp_path, conf(upstream, store), {"default": attempts.RETRY}) as running,
        ):
            ran = [*RAN, *RAN]
            await post(running.url, asked(messages=messages(ran)))
            assert (await counted(running, **{"answers_total flagged": 1}))["store_errors_total"] == 1


def record(identifier: str) -> Record:
    return Record(identifier, "acme", "t", 1.0, "m", False, "{}")


async def test_an_audit_log_that_waits_or_drops_is_told(tmp_path: Path) -> None:
    async with ScriptedUpstream(Script([STREAM])) as upstream, proxy(tmp_path, conf(upstream)) as running:
        assert (await read(running, "/healthz")).json() == {"status": "ok"}
        with closing(sqlite3.connect(tmp_path / ".groundwire/audits.sqlite", isolation_level=None)) as other:
            other.execute("ALTER TABLE audits RENAME TO aside")  # refused at once, as another's lock is after seconds
            await post(running.url, asked())
            assert (await counted(running, audit_records_waiting=1))["audit_records_dropped_total"] == 0
            for _ in range(200):
                health = await read(running, "/healthz")
                if health.json() != {"status": "ok"}:
                    break
                await asyncio.sleep(0.02)
            assert (health.status_code, health.json()) == (200, {"status": "degraded", "audit_log": "waits"})
            for number in range(WAITING + 4):
                running.service.records.add(record(str(number)))
            found = await counted(running)
            assert (found["audit_records_waiting"], found["audit_records_dropped_total"]) == (WAITING, 5)
            assert (await read(running, "/healthz")).json() == {"status": "degraded", "audit_log": "drops"}
            other.execute("ALTER TABLE aside RENAME TO audits")
        for _ in range(200):
            found = await counted(running)
            if not found["audit_records_waiting"]:
                break
            await asyncio.sleep(0.02)
        assert (found["audit_records_waiting"], found["audit_records_dropped_total"]) == (0, 5)
        assert (await read(running, "/healthz")).json()["audit_log"] == "drops"  # a moment ago


CLIENTS: list[tuple[str | None, dict[str, str], bool]] = [
    ("127.0.0.1", {"host": "127.0.0.1:8484"}, True),
    ("127.0.0.1", {"host": "localhost:8484"}, True),
    ("127.0.0.1", {"host": "LocalHost"}, True),
    ("127.9.9.9", {"host": "127.0.0.1"}, True),
    ("::1", {"host": "[::1]:8484"}, True),
    ("192.0.2.9", {"host": "127.0.0.1:8484"}, False),
    ("2001:db8::1", {"host": "[::1]:8484"}, False),
    ("", {"host": "127.0.0.1"}, False),
    (None, {"host": "127.0.0.1"}, False),
    ("127.0.0.1", {}, False),
    ("127.0.0.1", {"host": "llm.example.com"}, False),
    ("127.0.0.1", {"host": "127.0.0.1.example.com:8484"}, False),
    ("127.0.0.1", {"host": "127.0.0.1:8484", "x-forwarded-for": "192.0.2.9"}, False),
    ("127.0.0.1", {"host": "127.0.0.1:8484", "forwarded": "for=192.0.2.9"}, False),
    ("127.0.0.1", {"host": "127.0.0.1:8484", "via": "1.1 proxy"}, False),
]


@pytest.mark.parametrize(("address", "headers", "local"), CLIENTS)
def test_who_is_this_machine_itself(address: str | None, headers: dict[str, str], local: bool) -> None:
    async def nothing(*_: Any) -> Any:
        raise AssertionError

    raw = [(name.encode(), value.encode()) for name, value in headers.items()]
    client = None if address is None else (address, 1)
    scope = {"method": "GET", "path": "/metrics", "query_string": b"", "headers": raw, "client": client}
    assert Inbound(scope, nothing, nothing).local == local


async def test_by_default_this_machine_alone_reads_them(tmp_path: Path) -> None:
    everywhere = 'host = "0.0.0.0"\nallow_anonymous = true'
    async with (
        ScriptedUpstream(Script([STREAM])) as upstream,
        proxy(tmp_path, conf(upstream, server=everywhere)) as running,
    ):
        assert (await read(running)).status_code == 200
        for headers in ({"x_forwarded_for": "192.0.2.9"}, {"host": "llm.example.com"}):
            reply = await read(running, **headers)
            assert (reply.status_code, reply.json()["error"]["code"]) == (403, "not_local")
            assert "answers_total" not in reply.text
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            try:
                probe.connect(("192.0.2.1", 9))  # nothing is sent: it is asked for the address that would be ours
            except OSError:
                return  # no network: nobody has another address here
            own = probe.getsockname()[0]
        outside = running.url.replace("127.0.0.1", own).removesuffix("/v1")
        async with httpx.AsyncClient() as client:
            reply = await client.get(outside + "/metrics", headers={"host": "127.0.0.1"})
            assert reply.status_code == 403
            assert (await client.get(outside + "/healthz")).status_code == 200


async def test_with_a_key_whoever_has_it_reads_them_and_nobody_else(tmp_path: Path) -> None:
    digest = f"sha256:{hashlib.sha256(b'a key').hexdigest()}"
    server = f'metrics = "{digest}"'
    async with (
        ScriptedUpstream(Script([STREAM])) as upstream,
        proxy(tmp_path, conf(upstream, server=server)) as running,
    ):
        allowed = await read(running, authorization="Bearer a key", x_forwarded_for="192.0.2.9")
        assert (allowed.status_code, "answers_total" in allowed.text) == (200, True)
        for headers in ({}, {"authorization": "Bearer other"}, {"authorization": f"Bearer {digest}"}):
            refused = await read(running, **headers)
            assert (refused.status_code, refused.json()["error"]["code"]) == (401, "invalid_api_key")
            assert "answers_total" not in refused.text


async def test_switched_off_there_are_none(tmp_path: Path) -> None:
    async with (
        ScriptedUpstream(Script([STREAM])) as upstream,
        proxy(tmp_path, conf(upstream, server='metrics = "off"')) as running,
    ):
        assert (await read(running)).status_code == 404
