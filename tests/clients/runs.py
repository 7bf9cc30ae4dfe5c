"""Start what the tests drive: the proxy as a process of its own, and a client's driver with the base URL it shall use."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.clients.upstream import Upstream
from tests.transcripts import ROOT

HERE = ROOT / "tests/clients"
PYTHON = ROOT / ".venv-clients/bin/python"
SECONDS = 120.0
"""What a driver may take for all its scenes."""
KEEPALIVE, DEADLINE = 4.0, 65.0
"""Of the proxy whose source is slow: how often a client hears something, and how long the end is held."""


@dataclass(frozen=True)
class Client:
    """A row of the table: its driver, and what it sends that is random by its own doing."""

    name: str
    wire: str
    driver: str
    scenes: Sequence[str] = ("stream", "plain", "parse", "abort", "hold")
    invents: Sequence[bytes] = ()

    @property
    def conversations(self) -> list[str]:
        """The scenes that are two whole turns."""
        return [scene for scene in self.scenes if scene not in ("parse", "abort", "hold")]


@dataclass(frozen=True)
class Run:
    """What came of one run: by scene, what the client showed, and the bodies that the upstream was sent."""

    shown: dict[str, dict[str, Any]]
    bodies: dict[str, list[tuple[str, bytes]]]
    errors: str


@dataclass
class Started:
    """A driver that runs. Its working folder holds a file `settings`, so that nothing can be written below it."""

    client: Client
    upstream: Upstream
    name: str
    url: str
    folder: Path
    scenes: Sequence[str]
    process: subprocess.Popen[str] = field(init=False)
    began: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        work, home = self.folder / "work", self.folder / "home"
        work.mkdir(parents=True)
        home.mkdir()
        (work / "settings").write_text("debug = True\n")
        self.upstream.folders[self.name] = str(work)
        path = HERE / self.client.driver
        program = {"python": str(PYTHON), "node": shutil.which("node") or "node", "agents": sys.executable}
        env = {"PATH": os.environ["PATH"], "HOME": str(home), "LANG": "C.UTF-8", "WIRE": self.client.wire}
        self.process = subprocess.Popen(
            [program[path.parent.name], str(path), *self.scenes],
            cwd=work,
            env={**env, "BASE_URL": f"{self.url}/v1", "RUN": self.name},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def wait(self) -> Run:
        try:
            out, errors = self.process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)  # an agent's program too
            out, errors = self.process.communicate()
            errors += f"\nThe driver did not end in {SECONDS:.0f} s."
        shown = {line["scene"]: line for line in map(json.loads, re.findall(r"^{.*}$", out, re.M))}
        return Run(shown, {scene: self._sent(scene) for scene in self.scenes}, errors)

    def _sent(self, scene: str) -> list[tuple[str, bytes]]:
        """The bodies of a scene, with the client's own random parts and its folder's name made the same in all runs."""
        sent = []
        for path, body in self.upstream.bodies[f"{scene}.{self.name}"]:
            for spelled in (str(self.folder), str(self.folder).replace("/", "-")):
                body = body.replace(spelled.encode(), b"<folder>")
            for pattern in self.client.invents:
                body = re.sub(pattern, b"<invented>", body)
            sent.append((path, body))
        return sorted(sent) if self.client.driver.startswith("agents") else sent  # agents ask for a title meanwhile


def difference(straight: list[tuple[str, bytes]], proxied: list[tuple[str, bytes]]) -> str:
    """The first place where two runs' bodies differ; empty where they are the same."""
    for number, (one, other) in enumerate(zip(straight, proxied, strict=False)):
        if one != other:
            at = next((at for at, pair in enumerate(zip(one[1], other[1], strict=False)) if pair[0] != pair[1]), 0)
            place = slice(max(0, at - 80), at + 80)
            return f"request {number} to {one[0]}, {other[0]}: {one[1][place]!r} became {other[1][place]!r}"
    return "" if len(straight) == len(proxied) else f"{len(straight)} requests became {len(proxied)}"


@contextmanager
def proxy(folder: Path, upstream: Upstream, slow: bool = False) -> Iterator[str]:
    """`groundwire serve` before the upstream; `slow`: one that must wait for a source which does not answer."""
    policies = folder / "policies" if slow else ROOT / "policies"
    lines = [
        f"policies = {json.dumps(str(policies))}",
        f"[server]\nkeepalive = {KEEPALIVE}",
        f'[upstreams.main]\ntype = "http"\nbase_url = "{upstream.url}/v1"',
    ]
    if slow:
        policies.mkdir()
        shutil.copytree(ROOT / "policies/packs", policies / "packs")
        rule = f'name = "slow"\nauditor = "http_json"\nsource = "slow"\nclaims = \'`(?P<subject>settings/config[.]py)`\'\noptions.url = "{upstream.url}/slow/{{subject}}"'
        (policies / "default.toml").write_text(
            f'extends = ["coding-agents"]\ndeadline = {DEADLINE}\n[[rules]]\n{rule}\n'
        )
        lines.append('[sources.slow]\ntype = "http"\nallow_hosts = ["127.0.0.1"]\nallow_private = true\ntimeout = 65.0')
    (folder / "config.toml").write_text("\n".join(lines))
    process = subprocess.Popen(
        [sys.executable, "-m", "proxy", "serve", "--config", "config.toml", "--port", "0"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        found = None
        while not found:
            line = process.stdout.readline()
            assert line, "groundwire serve has ended"
            found = re.search(r"http://127\.0\.0\.1:\d+", line)
        yield found[0]
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def need(client: Client) -> None:
    """Skip a client that is not installed here, saying so; never where CI or GROUNDWIRE_SERVERS promises it."""
    if os.environ.get("CI") or os.environ.get("GROUNDWIRE_SERVERS"):
        return
    kind = client.driver.partition("/")[0]
    if kind != "python" and shutil.which("node") is None:
        pytest.skip("needs node and npm")
    if not (PYTHON if kind == "python" else HERE / kind / "node_modules").exists():
        pytest.skip("is not installed; `make test-clients` does it")
