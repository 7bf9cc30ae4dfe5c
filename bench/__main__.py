"""Measure the proxy against a bare pass-through, both under the same load in the same run; print ratios and targets."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from bench import children
from bench.children import Server
from bench.load import Client, Load
from bench.transcripts import LIE, request
from proxy.footer import KEY

LIMIT = 300
"""Seconds after which the benchmark gives up."""

OFF = "x-groundwire: off\r\n"

SETTLE = 0.1
"""Seconds after a load until the clock is read: the audit log is written 50 ms after an answer, and is a cost too."""


@dataclass(frozen=True, slots=True)
class Bench:
    """The servers under load, which take turns `rounds` times: bare, proxy, bare, proxy. `scale` shortens the loads."""

    client: Client
    servers: Sequence[Server]
    rounds: int
    scale: float
    off: bool = False
    """Whether a load is put on the last server a second time, with the audit switched off; by the name `off`."""

    def cpu(self, body: bytes, times: int, chunks: int = 1) -> dict[str, list[float]]:
        """CPU µs by server and round, of one request, or of one of its `chunks`."""
        times = max(1, int(times * self.scale))

        def used(server: Server, headers: str) -> float:
            before = server.cpu()
            self.client.run(server.port, body, times, headers)
            time.sleep(SETTLE)
            return (server.cpu() - before) / 1e3 / times / chunks

        return self._rounds(used)

    def wall(self, body: bytes, times: int, seen: Callable[[Load], Sequence[float]]) -> dict[str, list[float]]:
        """Milliseconds by server and round, the median of what a load saw."""
        times = max(1, int(times * self.scale))

        def waited(server: Server, headers: str) -> float:
            return statistics.median(seen(self.client.run(server.port, body, times, headers)))

        return self._rounds(waited)

    def _rounds(self, measure: Callable[[Server, str], float]) -> dict[str, list[float]]:
        loads = {server.name: (server, "") for server in self.servers}
        if self.off:
            loads["off"] = (self.servers[-1], OFF)
        found: dict[str, list[float]] = {name: [] for name in loads}
        for turn in range(self.rounds + 1):
            for name, load in loads.items():
                value = measure(*load)
                if turn:  # the first round warms up
                    found[name].append(value)
        return found


def verdict(value: float, target: float | None, unit: str) -> str:
    """The target beside a result, and whether the result is what was aimed at."""
    if target is None:
        return "no target"
    return f"<= {target:g}{unit}  {'met' if value <= target else 'SHORT OF TARGET'}"


def row(what: str, found: dict[str, list[float]], unit: str, target: float | None = None) -> None:
    """Each server's median, the ratio of proxy to bare, and how far apart the middle half of the rounds' ratios is."""
    middle = {name: statistics.median(values) for name, values in found.items()}
    ratio = middle["proxy"] / middle["bare"]
    low, _, high = statistics.quantiles([p / b for p, b in zip(found["proxy"], found["bare"], strict=True)], n=4)
    limit = f"{middle['nginx']:9.2f}" if "nginx" in middle else f"{'-':>9}"
    figures = f"{middle['bare']:9.2f} {middle['proxy']:9.2f} {limit} {unit:<3}"
    print(f"{what:<42}{figures}{ratio:6.2f}x ({low:.2f}-{high:.2f})  {verdict(ratio, target, 'x')}", flush=True)


def difference(what: str, found: dict[str, list[float]], target: float | None = None) -> None:
    """What the proxy adds to the bare pass-through, in milliseconds."""
    bare, proxy = (statistics.median(found[name]) for name in ("bare", "proxy"))
    limit = f"{statistics.median(found['nginx']):9.2f}" if "nginx" in found else f"{'-':>9}"
    aim = verdict(proxy - bare, target, " ms")
    print(f"{what:<42}{bare:9.2f} {proxy:9.2f} {limit} ms {proxy - bare:+7.2f} ms       {aim}", flush=True)


def beside(what: str, found: dict[str, list[float]], target: float) -> None:
    """What the audit costs beside the proxying: the same load on the same server, with it and without."""
    shares = [whole / off - 1 for whole, off in zip(found["proxy"], found["off"], strict=True)]
    off, whole = (statistics.median(found[name]) for name in ("off", "proxy"))
    low, middle, high = statistics.quantiles(shares, n=4)
    print(
        f"{what:<42}{off:9.2f} {whole:9.2f} {'-':>9} µs {middle:6.2f}x ({low:.2f}-{high:.2f})  {verdict(middle, target, 'x')}",
        flush=True,
    )


def figure(what: str, bare: float, proxy: float, unit: str, target: float | None) -> None:
    """One measurement of each, whose target is absolute."""
    aim = verdict(proxy, target, f" {unit}")
    print(f"{what:<42}{bare:9.2f} {proxy:9.2f} {'-':>9} {unit:<3}{proxy / bare:6.2f}x              {aim}", flush=True)


def footers(client: Client, proxy: Server, count: int) -> list[str]:
    """Real footers, each from an audit of its own. Raises SystemExit unless the proxy appends, keeps silent and cuts."""
    body = request("honest/whole/0")
    seen = client.run(proxy.port, body, 1)
    if KEY in seen.answer or seen.received != len(body):
        raise SystemExit("bench: an honest answer has got a footer, or its request was changed")
    said: list[str] = []
    for _ in range(count):
        content = json.loads(client.run(proxy.port, request("lie/whole/0"), 1).answer)["choices"][0]["message"][
            "content"
        ]
        if KEY not in content:
            raise SystemExit("bench: an answer that claims a failed edit has got no footer")
        said.append(content)
    body, clean = (request("honest/whole/0", 200_000, answers) for answers in (said, [LIE] * count))
    received = client.run(proxy.port, body, 1).received
    if received != len(clean):
        raise SystemExit(f"bench: of {len(body)} bytes {received} went up, not {len(clean)}: footers are not cut")
    return said


def requests(bench: Bench, said: Sequence[str]) -> None:
    """CPU of whole requests."""
    row("CPU/request, 8 KB turn, footer", bench.cpu(request("lie/whole/0"), 200), "µs", 1.3)
    row("CPU/request, 8 KB turn, honest", bench.cpu(request("honest/whole/0"), 200), "µs", 1.3)
    row("CPU/request, 8 KB, footer, streamed x20", bench.cpu(request("lie/flood/20"), 200), "µs", 1.3)
    for count, target in ((0, 1.3), (1, 1.3), (20, None)):
        body = request("honest/whole/0", 200_000, said[:count])
        row(f"CPU/request, 200 KB history, {count} footers", bench.cpu(body, 60), "µs", target)


def streams(bench: Bench, said: Sequence[str]) -> None:
    """CPU of chunks, and what a reader waits for."""
    chunks = 20_000  # so many that the request's own cost does not count
    row("CPU/chunk, flood", bench.cpu(request(f"none/flood/{chunks}"), 1, chunks), "µs", 1.5)
    chunks = 50
    paced, start = (bench.cpu(request(f"none/paced/{count}"), 1) for count in (chunks, 0))
    row("CPU/chunk, 20 ms apart, request included", _shares(paced, None, chunks), "µs", 1.5)
    row("CPU/chunk, 20 ms apart, request subtracted", _shares(paced, start, chunks), "µs", 1.5)
    for text in ("honest", "lie"):  # a whole answer at a real model's pace: what a request costs where it counts
        row(
            f"CPU/request, {chunks} chunks 20 ms apart, {text}",
            bench.cpu(request(f"{text}/paced/{chunks}"), 1),
            "µs",
            2,
        )
    difference("time to first byte, 8 KB turn", bench.wall(request("none/flood/1"), 60, lambda load: load.first))
    body = request("none/flood/1", 200_000, said[:1])
    difference("time to first byte, 200 KB, 1 footer", bench.wall(body, 30, lambda load: load.first))
    for text in ("lie", "honest"):
        found = bench.wall(request(f"{text}/paced/2"), 5, lambda load: load.finish)
        difference(f"hold at the end, {text}", found, 2.0)


def audits(bench: Bench) -> None:
    """CPU of the audit beside that of all else that the proxy does for the same request."""
    for text in ("honest", "lie"):
        beside(f"audit, answer in one piece, {text}", bench.cpu(request(f"{text}/whole/0"), 200), 1)
        beside(f"audit, 50 chunks 20 ms apart, {text}", bench.cpu(request(f"{text}/paced/50"), 1), 1)


def _shares(whole: dict[str, list[float]], start: dict[str, list[float]] | None, parts: int) -> dict[str, list[float]]:
    """What one of the parts of a load cost, by server and round; without the `start` that every load has, if given."""
    found = {}
    for name, values in whole.items():
        less = statistics.median(start[name]) if start else 0.0
        found[name] = [(value - less) / parts for value in values]
    return found


def measure(stack: ExitStack, folder: Path, quick: bool) -> None:
    """Start everything, load it, and print the table."""
    up, front = children.free_port(), children.free_port()
    stack.enter_context(children.running("upstream", children.module("upstream", up), up))
    bare_port = children.free_port()
    bare = stack.enter_context(children.running("bare", children.module("bare", up, bare_port), bare_port))
    command = children.groundwire(up, front, folder)
    with children.running("proxy", command, front, health="/healthz"):
        pass  # the first start compiles the modules, which an installation has done
    proxy = stack.enter_context(children.running("proxy", command, front, health="/healthz"))
    servers = [bare, proxy]
    if shutil.which("nginx"):
        port = children.free_port()
        servers.append(stack.enter_context(children.running("nginx", children.nginx(up, port, folder), port)))
    client = Client()
    stack.callback(client.stop)
    print(f"{'':<42}{'bare':>9} {'proxy':>9} {'nginx':>9}      ratio (middle half)  target")
    figure("cold start, spawn to serving", bare.started, proxy.started, "s", 1.5)
    figure("idle resident memory", bare.resident(), proxy.resident(), "MB", 70)
    said = footers(client, proxy, 20)
    bench = Bench(client, servers, 3 if quick else 7, 0.2 if quick else 1.0)
    requests(bench, said)
    streams(bench, said)
    print(f"{'':<42}{'off':>9} {'proxy':>9} {'':>9}      audit / rest (middle half)")
    audits(replace(bench, servers=[proxy], off=True))
    figure("resident memory after the load", bare.resident(), proxy.resident(), "MB", None)


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m bench", description="What the audit costs.")
    parser.add_argument("--quick", action="store_true", help="three short rounds: a glance, not a measurement")
    quick = parser.parse_args().quick
    began = time.perf_counter()
    signal.signal(signal.SIGALRM, _too_long)
    signal.signal(signal.SIGTERM, _told_to_stop)
    signal.alarm(LIMIT)
    turn = len(request("lie/whole/0"))
    load = ", ".join(f"{part:.2f}" for part in os.getloadavg())
    print(f"turn {turn} bytes, {os.cpu_count()} CPUs, load average {load}; one worker, policies/default.toml")
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        measure(stack, Path(name), quick)
    print(f"took {time.perf_counter() - began:.0f} s")


def _too_long(number: int, frame: object) -> None:
    raise SystemExit(f"bench: not done within {LIMIT} s")


def _told_to_stop(number: int, frame: object) -> None:
    raise SystemExit("bench: told to stop")


if __name__ == "__main__":
    main()
