"""From settings to a running server: the service, uvicorn's options, and what is printed when it is up."""

from __future__ import annotations

import errno
import json
import os
import re
import socket
import time
from collections.abc import Mapping
from math import ceil
from pathlib import Path
from typing import Any

import uvicorn
from starlette.routing import Router
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from proxy import app, config
from proxy.config import ServerTable, Settings
from proxy.looks import Looks
from proxy.records import Records
from proxy.redaction import log_unworded
from proxy.service import Service
from proxy.store import Owned
from proxy.tenants import Tenants

DEMO_STORE = "file:.demo"
"""The example's artifact store, a folder below the working directory."""


def service(settings: Settings, env: Mapping[str, str]) -> Service:
    """All that the exchanges share. Raises ConfigError where an upstream cannot be built."""
    store = config.build_store(settings, env)
    return Service(
        tenants=Tenants(settings, env),
        upstreams=config.build_upstreams(settings, env),
        looks=Looks(config.build_sources(settings, env), store),
        keyed=frozenset(name for name, table in settings.upstreams.items() if table.api_key_env),
        max_body=settings.server.max_body,
        keepalive=settings.server.keepalive,
        new_id=app.new_id,
        records=Records(
            config.state_folder(settings.path, settings.server) / "audits.sqlite", settings.server.keep_audits
        ),
        owned=Owned(store),
        store=store,
        clock=time.time,
        metrics=settings.server.metrics,
    )


def seed_demo(settings: Settings) -> None:
    """Put the one artifact that `demo/manifest` really deposited into the demo's store, `./.demo/`, if it is configured."""
    table = settings.sources.get("artifacts", {})
    if table.get("url") != DEMO_STORE or settings.default_upstream != "demo":
        return
    from proxy.upstreams.demo import DEPOSITED

    key, content = DEPOSITED
    path = Path(".demo") / key
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def unusable(server: ServerTable) -> str:
    """Why nobody can listen at the address; empty where one can. A port of 0 is any that is free."""
    at = f"[{server.host}]:{server.port}" if ":" in server.host else f"{server.host}:{server.port}"
    try:
        for family, kind, protocol, _, address in socket.getaddrinfo(server.host, server.port, type=socket.SOCK_STREAM):
            with socket.socket(family, kind, protocol) as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                if family == socket.AF_INET6:
                    probe.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
                probe.bind(address)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            return f"{at} is taken; --port or [server] port names another"
        return f"{at} cannot be listened on ({error.strerror}); --host and --port, or those of [server], name another"
    return ""


CONFIG_VARIABLE, HOST_VARIABLE = "GROUNDWIRE_CONFIG", "GROUNDWIRE_HOST"
"""How worker processes are told which file to read, and the address that the command line gave."""


def run_workers(settings: Settings) -> None:
    """Serve from several processes. Raises ConfigError before the first is started: they would die of it again and again."""
    config.build_upstreams(settings, os.environ)
    config.build_store(settings, os.environ)
    os.environ[CONFIG_VARIABLE], os.environ[HOST_VARIABLE] = str(settings.path), settings.server.host
    print(banner(settings, f"http://{settings.server.host}:{settings.server.port}"), flush=True)
    options = server_options(settings)
    uvicorn.run("proxy.startup:from_environment", factory=True, workers=settings.server.workers, **options)


def from_environment() -> Router:
    """The application of one worker process, which is told its configuration by environment variables."""
    log_unworded()  # as in one process
    settings = config.load(Path(os.environ[CONFIG_VARIABLE]), os.environ, host=os.environ.get(HOST_VARIABLE))
    return app.create(service(settings, os.environ), alone=True)


UPGRADE = re.compile(rb"(?i)(?<=\n)upgrade(?=[ \t]*:)")
"""The name of the header by which a client offers to go on in another protocol."""

IDLE = 75
"""Seconds for which a client's connection is kept: more than the sixty for which balancers and nginx keep theirs to us, who
would now and then ask on one that has just been closed, and tell their client of a bad gateway."""


class Http(HttpToolsProtocol):
    """uvicorn's HTTP/1.1, which takes no offer of another protocol.

    Its parser takes what follows such a head for the other protocol, so that the body of each request is lost of clients
    that offer HTTP/2 (`Upgrade: h2c`), as Java's own does wherever there is no TLS. RFC 9110 §7.8: "A server MAY ignore
    a received Upgrade header field".
    """

    in_head = True

    def data_received(self, data: bytes) -> None:
        if self.in_head and b"pgrade" in data and not data.startswith((b"\r", b"\n")):  # a head may end there
            head, end, rest = data.partition(b"\r\n\r\n")
            data = UPGRADE.sub(b"x-groundwire-upgrade", head) + end + rest
        super().data_received(data)

    def on_headers_complete(self) -> None:
        self.in_head = False
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self.in_head = True
        super().on_message_complete()


def server_options(settings: Settings) -> dict[str, Any]:
    """uvicorn's options: its fast parts, and no header or log line of its own."""
    return {
        "host": settings.server.host,
        "port": settings.server.port,
        "loop": "uvloop",
        "http": Http,
        "timeout_keep_alive": IDLE,
        "ws": "none",
        "log_level": "warning",
        "access_log": False,
        "server_header": False,
        "date_header": False,
        "proxy_headers": False,
        "timeout_graceful_shutdown": ceil(settings.server.drain),
    }


class Server(uvicorn.Server):
    """uvicorn, which says where it listens once it does."""

    def __init__(self, options: uvicorn.Config, settings: Settings) -> None:
        super().__init__(options)
        self._settings = settings

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started and self.servers:
            host, port = self.servers[0].sockets[0].getsockname()[:2]
            shown = f"[{host}]" if ":" in host else host
            print(banner(self._settings, f"http://{shown}:{port}"), flush=True)


def banner(settings: Settings, url: str) -> str:
    """Where it serves, whom, under which policy, with which sources, and a request to try."""
    lines = [f"Groundwire serves {url}/v1  (base_url of your client)"]
    for tenant in settings.tenants:
        who = "anonymous" if tenant.anonymous else tenant.name
        upstream = tenant.upstream or settings.default_upstream or "by model"
        lines.append(f"  tenant {who}: policy {tenant.file}, upstream {upstream}")
    sources = ", ".join(_source(name, table) for name, table in settings.sources.items())
    lines.append(f"  sources: {sources or 'none (the transcript alone)'}")
    if settings.default_upstream in settings.upstreams and settings.upstreams[settings.default_upstream].type == "demo":
        keyed = not any(tenant.anonymous for tenant in settings.tenants)
        lines += ["", "Try it, two file edits of which one failed:", "", _curl(url, keyed)]
    return "\n".join(lines)


def _source(name: str, table: Mapping[str, Any]) -> str:
    """A source, its type, and its folder where that is not there: until it is, all it says is that it could not tell."""
    root = config.absent_root(table)
    return f"{name} ({table.get('type', '?')}{f', there is no folder {root}' if root else ''})"


def _curl(url: str, keyed: bool) -> str:
    """A request that carries its tools, calls and results, so that the answer shows a footer at once."""

    def call(number: int, name: str, arguments: dict[str, str]) -> dict[str, Any]:
        function = {"name": name, "arguments": json.dumps(arguments)}
        return {"id": f"call_{number}", "type": "function", "function": function}

    patch = {"path": "CHANGELOG.md", "old_string": "## Unreleased", "new_string": "## 1.1"}
    body = {
        "model": "demo/edits",
        "messages": [
            {"role": "user", "content": "Add the release notes."},
            {
                "role": "assistant",
                "tool_calls": [call(1, "write_file", {"path": "notes.md", "content": "1.1"}), call(2, "patch", patch)],
            },
            {"role": "tool", "tool_call_id": "call_1", "content": '{"bytes_written": 3}'},
            {
                "role": "tool",
                "tool_call_id": "call_2",
                "content": '{"success": false, "error": "old_string not found"}',
            },
        ],
        "tools": [{"type": "function", "function": {"name": name}} for name in ("write_file", "patch")],
    }
    headers = "-H 'content-type: application/json'" + (" -H 'authorization: Bearer KEY'" if keyed else "")
    return f"curl -s {url}/v1/chat/completions {headers} -d '{json.dumps(body)}'"
