"""The command line: serve, check, key, replay."""

from __future__ import annotations

import argparse
import json
import logging
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from proxy.errors import ConfigError

CONFIG_VARIABLE = "GROUNDWIRE_CONFIG"
"""How worker processes are told which file to read."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; its exit code. 2: a file or an argument is wrong, 1: a check failed."""
    arguments = _parser().parse_args(argv)
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    try:
        code: int = arguments.run(arguments)
    except ConfigError as error:
        print(f"groundwire: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="groundwire", description="A proxy that checks what an agent's answer claims."
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    serve = commands.add_parser("serve", help="serve the API")
    serve.add_argument("--config", type=Path, required=True, help="the configuration, as in config.example.toml")
    serve.add_argument("--host", help="instead of [server] host")
    serve.add_argument("--port", type=int, help="instead of [server] port")
    serve.set_defaults(run=_serve)

    check = commands.add_parser("check", help="load a configuration and run the tests of its policies and packs")
    check.add_argument("--config", type=Path, default=Path("config.example.toml"), help="default: %(default)s")
    check.set_defaults(run=_check)

    key = commands.add_parser("key", help="make a key for a tenant")
    key.add_argument("tenant")
    key.set_defaults(run=_key)

    replay = commands.add_parser("replay", help="audit recorded transcripts")
    replay.add_argument("file", type=Path, help='JSON lines: {"id", "messages": […], "tools"?: […]}')
    replay.add_argument("--policy", default="default", help="a policy's name or path (default: %(default)s)")
    replay.add_argument(
        "--config", type=Path, help="where policies and sources are found (default: the shipped policies)"
    )
    replay.add_argument("--json", action="store_true", help="a line out for each line in")
    replay.add_argument("--labels", type=Path, help='JSON lines: {"id", "overclaim": bool, "cls"}')
    replay.add_argument("--markdown", action="store_true", help="with --labels: the table as a document")
    replay.set_defaults(run=_replay)
    return parser


def _serve(arguments: argparse.Namespace) -> int:
    import uvicorn

    from proxy import app, config, startup

    settings = config.load(arguments.config, os.environ, host=arguments.host, port=arguments.port)
    startup.seed_demo(settings)
    options = startup.server_options(settings)
    if settings.server.workers > 1:
        os.environ[CONFIG_VARIABLE] = str(arguments.config)
        print(startup.banner(settings, f"http://{settings.server.host}:{settings.server.port}"), flush=True)
        uvicorn.run("proxy.startup:from_environment", factory=True, workers=settings.server.workers, **options)
        return 0
    server = startup.Server(uvicorn.Config(app.create(startup.service(settings, os.environ)), **options), settings)
    server.run()
    return 0 if server.started else 1


def _check(arguments: argparse.Namespace) -> int:
    from proxy import checks, config

    failed = total = 0
    for file, tests, build in config.policies_under(arguments.config, os.environ):
        for outcome in checks.run(tests, build):
            total += 1
            if not outcome.passed:
                failed += 1
                print(f"{file}: {outcome.name}: FAILED", file=sys.stderr)
                for kind, entries in (("missing", outcome.missing), ("unexpected", outcome.unexpected)):
                    for entry in entries:
                        print(f"    {kind}: {entry}", file=sys.stderr)
    print(f"{total - failed} passed, {failed} failed")
    return 1 if failed else 0


def _key(arguments: argparse.Namespace) -> int:
    from proxy.tenants import new_key

    key, digest = new_key(arguments.tenant)
    print(f"key for {arguments.tenant} (shown once, give it to the client): {key}")
    print(f'policy file:  keys = ["{digest}"]')
    return 0


def _replay(arguments: argparse.Namespace) -> int:
    from tqdm import tqdm

    from proxy import config, replay

    policy, sources = config.policy_for_replay(arguments.policy, arguments.config, os.environ)
    records = list(replay.lines(arguments.file))
    labels = list(replay.lines(arguments.labels)) if arguments.labels else []
    results = []
    seconds = []
    for record in tqdm(records, unit="transcript", disable=not sys.stderr.isatty()):
        began = time.process_time()
        result = replay.replay(policy, record, sources)
        seconds.append(time.process_time() - began)
        results.append(result)
        if arguments.json:
            print(result.to_json().decode())
    out = sys.stderr if arguments.json else sys.stdout
    if labels and arguments.markdown:
        print(replay.markdown(replay.score(results, labels), arguments.policy, seconds), end="")
        return 0
    if labels:
        print(replay.table(replay.score(results, labels)), file=out)
    elif not arguments.json:
        for result in results:
            if result.footer:
                print(json.dumps(result.id), result.footer, sep="\n", end="\n\n")
    flagged = sum(result.report.flagged for result in results)
    print(f"{len(results)} transcripts, {flagged} flagged", file=out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
