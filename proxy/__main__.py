"""The command line: serve, check, key, replay, report, ground, demo."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import NamedTemporaryFile

from proxy.errors import ConfigError
from proxy.redaction import log_unworded


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; its exit code. 2: a file or an argument is wrong, 1: a check failed."""
    arguments = _parser().parse_args(argv)
    log_unworded()
    try:
        code: int = arguments.run(arguments)
    except ConfigError as error:
        print(f"groundwire: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # `| head` has seen enough; what is still to be written goes nowhere
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
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

    report = commands.add_parser("report", help="what the audit log of a period says, as Markdown")
    report.add_argument("--config", type=Path, default=Path("config.example.toml"), help="default: %(default)s")
    report.add_argument("--days", type=float, default=7.0, help="the period, up to now (default: %(default)g)")
    report.add_argument("--tenant", default="", help="one tenant alone")
    report.add_argument("--model", default="", help="a [sources.NAME] of the type model, to sum the tables up")
    report.set_defaults(run=_report)

    demo = commands.add_parser("demo", help="play what each auditor finds, through a proxy of its own; needs no key")
    demo.add_argument("scenario", nargs="*", help="an auditor's name (default: all of them)")
    demo.set_defaults(run=_demo)

    _add_ground(commands)
    return parser


def _add_ground(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    ground = commands.add_parser("ground", help="write sources behind the claims of a document")
    ground.add_argument("file", type=Path, help="a Markdown or plain text file")
    ground.add_argument("--config", type=Path, required=True, help="where policies and sources are found")
    ground.add_argument("--policy", default="default", help="the policy with the rule (default: %(default)s)")
    ground.add_argument("--rule", default="", help="a rule with the auditor `ground` (default: the policy's first)")
    ground.add_argument("--in-place", action="store_true", help="change the file; else the text is printed")
    ground.add_argument("--json", action="store_true", help="print the whole result instead of the text")
    ground.add_argument("--inspect", action="store_true", default=None, help="only say which claims would be looked up")
    ground.add_argument("--rewrite", action="store_true", default=None, help="let the rule's model reword weak claims")
    ground.add_argument("--max-claims", type=int, help="at most 8")
    ground.add_argument("--length-intent", choices=["summary", "thorough", "exhaustive"], help="3, 5 or 8 claims")
    ground.add_argument("--topic", help="what the document is about, for the searches")
    ground.set_defaults(run=_ground)


def _serve(arguments: argparse.Namespace) -> int:
    import uvicorn

    from proxy import app, config, startup

    settings = config.load(arguments.config, os.environ, host=arguments.host, port=arguments.port)
    if problem := startup.unusable(settings.server):
        print(f"groundwire: {problem}", file=sys.stderr)
        return 2
    startup.seed_demo(settings)
    if settings.server.workers > 1:
        startup.run_workers(settings)
        return 0
    options = startup.server_options(settings)
    served = app.create(startup.service(settings, os.environ), alone=True)
    server = startup.Server(uvicorn.Config(served, **options), settings)
    server.run()
    return 0 if server.started else 1


def _check(arguments: argparse.Namespace) -> int:
    from proxy import checks, config

    failed = total = 0
    settings = config.load(arguments.config, os.environ, signs=False)
    for caution in checks.of_configuration(settings, os.environ):
        print(f"{settings.path}: caution: {caution}", file=sys.stderr)
    for file, tests, build in config.policies_under(settings):
        for caution in checks.cautions(build(())):
            print(f"{file}: caution: {caution}", file=sys.stderr)
        for outcome in checks.run(tests, build):
            total += 1
            if not outcome.passed:
                failed += 1
                print(f"{file}: {outcome.name}: FAILED", file=sys.stderr)
                for kind, entries in (("missing", outcome.missing), ("unexpected", outcome.unexpected)):
                    for entry in entries:
                        print(f"    {kind}: {entry}", file=sys.stderr)
    print(f"{total - failed} passed, {failed} failed" if total else "no policy has a test")
    return 1 if failed else 0


def _key(arguments: argparse.Namespace) -> int:
    from proxy.tenants import new_key

    key, digest = new_key(arguments.tenant)
    print(f"key for {arguments.tenant} (shown once, give it to the client): {key}")
    print(f'policy file:  keys = ["{digest}"]')
    return 0


def _replay(arguments: argparse.Namespace) -> int:
    import asyncio

    from tqdm import tqdm

    from proxy import config, replay

    if arguments.markdown and not arguments.labels:
        raise ConfigError("--markdown", "", "", "needs --labels FILE")
    policy, sources = config.policy_for_replay(arguments.policy, arguments.config, os.environ)
    records = list(replay.lines(arguments.file))
    labels = list(replay.lines(arguments.labels)) if arguments.labels else []
    results = []
    seconds = []
    with asyncio.Runner() as runner:
        for record in tqdm(records, unit="transcript", disable=not sys.stderr.isatty()):
            began = time.process_time()
            result = replay.replay(policy, record, sources, runner.run)
            seconds.append(time.process_time() - began)
            results.append(result)
            if arguments.json:
                print(result.to_json().decode())
        for source in sources.values():
            runner.run(source.aclose())
    out = sys.stderr if arguments.json else sys.stdout
    if arguments.markdown:
        print(replay.markdown(replay.score(results, labels), arguments.policy, seconds), end="")
        return 0
    if arguments.labels:
        print(replay.table(replay.score(results, labels)), file=out)
    elif not arguments.json:
        for result in results:
            if result.footer:
                print(json.dumps(result.id), result.footer, sep="\n", end="\n\n")
    flagged = sum(result.report.flagged for result in results)
    print(f"{len(results)} transcripts, {flagged} flagged", file=out)
    return 0


def _report(arguments: argparse.Namespace) -> int:
    import asyncio
    import sqlite3

    from proxy import config, ledger, records, reporting
    from proxy.looks import Looks
    from proxy.transcript import Transcript

    if not arguments.days > 0:
        raise ConfigError("--days", "", "", f"must be more than 0, not {arguments.days:g}")
    settings = config.load(arguments.config, os.environ, signs=False)
    if arguments.model and settings.sources.get(arguments.model, {}).get("type") != "model":
        raise ConfigError(str(settings.path), "sources", arguments.model, "is no source of the type 'model'")
    file = config.state_folder(settings.path, settings.server) / "audits.sqlite"
    if not file.exists():
        print(f"groundwire: {file}: nothing was audited yet", file=sys.stderr)
        return 1
    try:
        period = reporting.count(records.between(file, time.time() - arguments.days * 86_400, arguments.tenant))
    except sqlite3.Error as error:
        print(f"groundwire: {file}: {error}", file=sys.stderr)
        return 1
    whose = f" of {arguments.tenant}" if arguments.tenant else ""
    retried = config.retried(settings, arguments.tenant)
    tables = reporting.markdown(period, f"Audits{whose}, the last {arguments.days:g} days", retried)
    print(tables, end="")
    if arguments.model:
        sources = config.build_sources(settings, os.environ)

        async def summed() -> str:
            turn = ledger.read_turn(Transcript(()), settings.tenants[0].policy.marks)
            look = Looks(sources).of("report", turn, 120.0)
            try:
                return await reporting.summary(tables, period, look, arguments.model)
            finally:
                await sources[arguments.model].aclose()

        print("\n" + asyncio.run(summed()), end="")
    return 0


def _demo(arguments: argparse.Namespace) -> int:
    import asyncio

    from proxy import demo

    asyncio.run(demo.play(arguments.scenario, lambda text: print(text, end="", flush=True)))
    return 0


def _ground(arguments: argparse.Namespace) -> int:
    from proxy import config, grounded
    from proxy.errors import RequestError
    from proxy.looks import Looks
    from proxy.store import Memory

    policy, sources = config.policy_for_replay(arguments.policy, arguments.config, os.environ)
    names = ("rule", "inspect", "rewrite", "max_claims", "length_intent", "topic")
    request = {name: value for name in names if (value := getattr(arguments, name)) is not None}
    store = Memory()
    try:
        before = arguments.file.read_bytes()
        answer = grounded.of_file(before.decode(), request, policy, Looks(sources, store), store)
        if arguments.in_place and answer["grounded_text"].encode() != before:
            _replace(arguments.file, before, answer["grounded_text"].encode())
    except (OSError, UnicodeDecodeError, RequestError) as error:
        print(f"groundwire: {arguments.file}: {error}", file=sys.stderr)
        return 1
    if arguments.json or arguments.inspect:
        print(json.dumps(answer, indent=2, ensure_ascii=False))
    elif not arguments.in_place:
        sys.stdout.write(answer["grounded_text"])
    print(
        f"{answer['grounded']} of {answer['considered']} claims grounded", *answer["notes"], sep="; ", file=sys.stderr
    )
    for skipped in answer["skipped"]:
        print(f"  not grounded: {skipped['claim']!r}: {skipped['reason']}", file=sys.stderr)
    return 0


def _replace(file: Path, before: bytes, after: bytes) -> None:
    """Put new bytes into a file's place at once, unless somebody else has changed it meanwhile. Raises OSError."""
    if file.read_bytes() != before:
        raise OSError("was changed meanwhile, and stays as it is")
    target = file.resolve()
    with NamedTemporaryFile(dir=target.parent, delete=False) as fresh:
        try:
            fresh.write(after)
            os.chmod(fresh.name, target.stat().st_mode)
            os.replace(fresh.name, target)
        except OSError:
            os.unlink(fresh.name)
            raise


if __name__ == "__main__":
    sys.exit(main())
