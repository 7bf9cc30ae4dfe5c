"""Measure the proxy against a bare pass-through, both under the same load in the same run; print ratios and targets."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

ROUNDS = 7


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Server:
    """A child process under measurement."""

    def __init__(self, name: str, command: list[str], port: int) -> None:
        self.name, self.port = name, port
        self.began = time.perf_counter()
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        while not self._listens():
            if self.process.poll() is not None or time.perf_counter() - self.began > 30:
                raise SystemExit(f"{name} did not start")
            time.sleep(0.01)
        self.cold_start = time.perf_counter() - self.began

    def _listens(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def cpu(self) -> float:
        """Seconds of CPU time of all threads of the process, to the nanosecond."""
        total = 0
        for thread in Path(f"/proc/{self.process.pid}/task").iterdir():
            total += int((thread / "schedstat").read_text().split()[0])
        return total / 1e9

    def rss(self) -> float:
        """Resident memory in MB."""
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(10)


def conversation(model: str, history: int, footers: list[str], stream: bool) -> bytes:
    """A request: `history` bytes of earlier turns, some of which end in footers, then a turn of 8 KB with six calls."""
    messages: list[dict[str, Any]] = [{"role": "system", "content": "You edit files. Working directory: /srv/work"}]
    filler = "The module reads its input line by line and keeps what it needs. " * 15
    turns = max(len(footers), history // 1_100)
    for number in range(turns):
        messages.append({"role": "user", "content": f"Question {number}?"})
        footer = footers[number] if number < len(footers) else ""
        messages.append({"role": "assistant", "content": filler + footer})
    messages.append({"role": "user", "content": "Add the release notes, and log them."})
    for number in range(6):
        last = number == 5
        name, path = (
            ("patch", "CHANGELOG.md") if last else ("write_file", "notes.md" if number == 4 else f"part{number}.md")
        )
        arguments = {"path": path, "old_string": "a", "new_string": "b"} if last else {"path": path, "content": filler}
        function = {"name": name, "arguments": json.dumps(arguments)}
        messages.append(
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [{"id": f"c{number}", "type": "function", "function": function}],
            }
        )
        result = '{"success": false, "error": "old_string not found"}' if last else '{"bytes_written": 960}'
        messages.append({"role": "tool", "tool_call_id": f"c{number}", "content": result})
    tools = [{"type": "function", "function": {"name": name, "parameters": {}}} for name in ("write_file", "patch")]
    return json.dumps({"model": model, "stream": stream, "messages": messages, "tools": tools}).encode()


async def ask(port: int, body: bytes, times: int) -> tuple[bytes, float, float]:
    """Send a request several times over one connection: the last answer, seconds to its first byte, and in all."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 24)
    head = (
        b"POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n"
    )
    answer, first, began = b"", 0.0, 0.0
    for _ in range(times):
        began = time.perf_counter()
        writer.write(head % len(body) + body)
        lines = (await reader.readuntil(b"\r\n\r\n")).lower()
        if b"content-length:" in lines:
            answer = await reader.readexactly(int(lines.split(b"content-length:")[1].split(b"\r\n")[0]))
            first = time.perf_counter() - began
            continue
        answer, first = b"", 0.0
        while size := int(await reader.readline(), 16):
            first = first or time.perf_counter() - began
            answer += (await reader.readexactly(size + 2))[:-2]
        await reader.readline()
    whole = time.perf_counter() - began
    writer.close()
    return answer, first, whole


def cost(servers: list[Server], body: bytes, times: int, per: int = 1) -> dict[str, float]:
    """Median CPU µs by server, the servers taking turns; `per` is how many parts a request has."""
    found: dict[str, list[float]] = {server.name: [] for server in servers}
    for _ in range(ROUNDS):
        for server in servers:
            before = server.cpu()
            asyncio.run(ask(server.port, body, times))
            found[server.name].append((server.cpu() - before) / times / per * 1e6)
    return {name: statistics.median(values) for name, values in found.items()}


@contextmanager
def running(command: Callable[[int], list[str]], name: str) -> Iterator[Server]:
    port = free_port()
    server = Server(name, command(port), port)
    try:
        yield server
    finally:
        server.stop()


def groundwire(upstream: int, folder: Path) -> Callable[[int], list[str]]:
    def command(port: int) -> list[str]:
        config = f'policies = "{Path("policies").absolute()}"\n[server]\nport = {port}\n'
        config += f'[upstreams.main]\ntype = "http"\nbase_url = "http://127.0.0.1:{upstream}/v1"\n'
        (folder / "config.toml").write_text(config)
        return [str(Path(sys.executable).with_name("groundwire")), "serve", "--config", str(folder / "config.toml")]

    return command


def nginx(upstream: int, folder: Path) -> Callable[[int], list[str]]:
    def command(port: int) -> list[str]:
        text = f"""daemon off; pid {folder}/pid; error_log /dev/null; worker_processes 1; events {{}}
http {{ access_log off; client_body_temp_path {folder}; proxy_temp_path {folder}; fastcgi_temp_path {folder};
uwsgi_temp_path {folder}; scgi_temp_path {folder}; client_max_body_size 64m; client_body_buffer_size 1m;
upstream u {{ server 127.0.0.1:{upstream}; keepalive 8; }} server {{ listen 127.0.0.1:{port}; location / {{
proxy_pass http://u; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_buffering off; }} }} }}"""
        (folder / "nginx.conf").write_text(text)
        return ["nginx", "-p", str(folder), "-c", str(folder / "nginx.conf")]

    return command


def row(what: str, found: dict[str, float], unit: str, target: float | None) -> None:
    """One line: each server's figure, the ratio of proxy to bare, and whether it is what was aimed at."""
    ratio = found["proxy"] / found["bare"] if found["bare"] else float("nan")
    others = f"  nginx {found['nginx']:7.1f}" if "nginx" in found else ""
    aim = "" if target is None else f"  target {target:.1f}x  {'met' if ratio <= target else 'SHORT OF TARGET'}"
    print(
        f"{what:<44} bare {found['bare']:8.1f}  proxy {found['proxy']:8.1f} {unit}{others}  ratio {ratio:5.2f}x{aim}",
        flush=True,
    )


def plain_row(what: str, value: float, unit: str, target: float) -> None:
    print(
        f"{what:<44} {value:8.2f} {unit}  target {target:g}  {'met' if value <= target else 'SHORT OF TARGET'}",
        flush=True,
    )


def hold(servers: list[Server], chunks: int) -> tuple[dict[str, float], dict[str, float]]:
    """Median milliseconds to the first byte and of the whole, of a paced stream, by server."""
    body = conversation(f"paced-{chunks}", 0, [], True)
    first: dict[str, list[float]] = {server.name: [] for server in servers}
    whole: dict[str, list[float]] = {server.name: [] for server in servers}
    for _ in range(ROUNDS):
        for server in servers:
            _, began, ended = asyncio.run(ask(server.port, body, 1))
            first[server.name].append(began * 1e3)
            whole[server.name].append(ended * 1e3)
    return {name: statistics.median(v) for name, v in first.items()}, {
        name: statistics.median(v) for name, v in whole.items()
    }


def main() -> None:
    quick = "--quick" in sys.argv
    times = 40 if quick else 200
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        folder = Path(name)
        upstream = stack.enter_context(
            running(lambda port: [sys.executable, "-m", "bench.upstream", str(port)], "upstream")
        )
        bare = stack.enter_context(
            running(lambda port: [sys.executable, "-m", "bench.bare", str(upstream.port), str(port)], "bare")
        )
        proxy = stack.enter_context(running(groundwire(upstream.port, folder), "proxy"))
        servers = [bare, proxy]
        if shutil.which("nginx"):
            servers.append(stack.enter_context(running(nginx(upstream.port, folder), "nginx")))
        plain_row("serving after the command (s)", proxy.cold_start, "s", 1.5)
        plain_row("idle resident memory (MB)", proxy.rss(), "MB", 70)
        for server in servers:  # warm up
            asyncio.run(ask(server.port, conversation("lie", 0, [], False), 20))

        for what, model in (("8 KB turn, a footer", "lie"), ("8 KB turn, honest", "honest")):
            row(f"CPU a request, {what}", cost(servers, conversation(model, 0, [], False), times), "µs", 1.3)
        answers = [asyncio.run(ask(proxy.port, conversation("lie", 0, [], False), 1))[0] for _ in range(20)]
        footers = [json.loads(one)["choices"][0]["message"]["content"] for one in answers]
        for count, target in ((0, 1.3), (1, 1.3), (20, None)):
            body = conversation("honest", 200_000, footers[:count], False)
            row(f"CPU a request, 200 KB history, {count} footers", cost(servers, body, times // 2), "µs", target)
        body = conversation("honest", 2_000_000, [], False)
        row("CPU a request, 2 MB history", cost(servers, body, max(4, times // 20)), "µs", None)
        chunks = 2_000
        flood = cost(servers, conversation(f"stream-{chunks}", 0, [], True), max(2, times // 40), chunks)
        row("CPU a chunk, flood", flood, "µs", 1.5)
        paced = cost(servers, conversation("paced-50", 0, [], True), 1, 50)
        row("CPU a chunk, 20 ms apart", paced, "µs", 1.5)
        first, whole = hold(servers, 10)
        row("time to the first byte", first, "ms", None)
        plain_row("added to the end (ms)", (whole["proxy"] - whole["bare"]), "ms", 2.0)
        plain_row("resident memory after the load (MB)", proxy.rss(), "MB", 200)


if __name__ == "__main__":
    main()
