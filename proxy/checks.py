"""A policy's own tests: the answers that it must flag, and those that it must leave alone."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from proxy import config, ledger
from proxy.answers import examine
from proxy.audit import NOTHING, Absent, Look, Present, Question, Sight, Unknown
from proxy.auditors import EXPRESSIONS
from proxy.config import Settings
from proxy.patterns import may_stall
from proxy.policy import Policy, texts_of
from proxy.policy_file import Test
from proxy.transcript import Answer
from proxy.wire import chat


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one `[[tests]]` table came out: what it expected and did not find, and what it found unexpected."""

    name: str
    missing: tuple[str, ...]
    unexpected: tuple[str, ...]

    @property
    def passed(self) -> bool:
        return not self.missing and not self.unexpected


def run(tests: Collection[Test], build: Callable[[Collection[str]], Policy]) -> Iterator[Outcome]:
    """Run tests, each under the policy built with exactly the sources that the test gives."""
    for test in tests:
        policy = build(frozenset(test.source))
        found = asyncio.run(_findings(policy, test))
        expected = set(test.expect)
        yield Outcome(test.name, tuple(sorted(expected - found)), tuple(sorted(found - expected)))


def of_configuration(settings: Settings, env: Mapping[str, str]) -> Iterator[str]:
    """What a start would miss where this environment is its own. Raises ConfigError for what it would refuse anywhere."""
    unset = sorted(
        {one.api_key_env for one in settings.upstreams.values() if one.api_key_env} - {*filter(env.get, env)}
    )
    opened = config.build_upstreams(settings, {**env, **dict.fromkeys(unset, "-")})
    for name, upstream in settings.upstreams.items():
        if name in opened and upstream.api_key_env in unset:
            yield f"upstreams.{name}.api_key_env: ${upstream.api_key_env} is not set, and `serve` starts only with it"
    named, keyed = settings.server.secrets_env, any(not tenant.anonymous for tenant in settings.tenants)
    if named and not env.get(named):
        yield f"server.secrets_env: ${named} is not set, and `serve` starts only with it"
    elif not named and (keyed or settings.server.workers > 1):
        yield "server.secrets_env: is missing, and with tenant keys or several workers `serve` starts only with it"
    for name, source in settings.sources.items():
        if root := config.absent_root(source):
            yield f"sources.{name}.root: there is no folder {root}"


def cautions(policy: Policy) -> Iterator[str]:
    """What of a policy may stall the server, or does nothing, though nothing is wrong with it."""
    for rule in policy.rules:
        if rule.inject and rule.tools is None:
            yield f"rules.{rule.name}.inject: the rule has no `tools`, so nothing is attached to any result"
        elif rule.inject and not rule.reads_results:
            yield f"rules.{rule.name}.inject: it has no `claims`, and {rule.auditor_name!r} reads none in a result alone"
        for option in EXPRESSIONS.get(rule.auditor_name, "").split():
            for at, text in texts_of(getattr(rule.auditor, option, "")):
                if may_stall(text):
                    place = f"rules.{rule.name}.options.{option}{at}"
                    yield f"{place}: repeats a group that ends in a repetition; some texts may stall it: {text}"


async def _findings(policy: Policy, test: Test) -> set[str]:
    document: dict[str, Any] = {"model": "check", "messages": list(_messages(test))}
    document["tools"] = [{"type": "function", "function": {"name": "any"}}] if test.tools is None else test.tools
    request = chat.read(_json(document).encode())
    turn = ledger.read_turn(request.transcript, policy.marks, test.at)
    answer = Answer(0, test.answer, "stop")
    report = await examine(policy, request.transcript, turn, answer, _look(test.source), audit_id="check")
    failed = {f"{failure.rule} failed {failure.reason}" for failure in report.failures}
    return failed | {f"{one.rule} {one.verdict} {one.subject}" for one in report.findings}


def _messages(test: Test) -> Iterator[dict[str, Any]]:
    """The conversation of a test: its own messages, or a user, its calls, and their results."""
    if test.system:
        yield {"role": "system", "content": test.system}
    if test.messages:
        yield from test.messages
        return
    yield {"role": "user", "content": test.user or "Please do it."}
    for number, call in enumerate(test.calls):
        arguments = call.args if isinstance(call.args, str) else _json(call.args)
        function = {"name": call.name, "arguments": arguments}
        yield {"role": "assistant", "tool_calls": [{"id": f"call_{number}", "type": "function", "function": function}]}
        if call.result is not None:
            result = call.result if isinstance(call.result, str) else _json(call.result)
            yield {"role": "tool", "tool_call_id": f"call_{number}", "content": result}


def _json(value: Any) -> str:
    """What a tool would say: TOML's dates and times, which JSON has not, as tools write them."""
    return json.dumps(value, default=lambda moment: moment.isoformat())


ANY = "*"
"""In a test's table of a source: whatever is asked that has no entry of its own."""


def _look(sources: Mapping[str, Any]) -> Look:
    """Sources as a test writes them: a table of subjects, or a word such as "down"."""

    async def look(source: str, subject: str, question: Question = NOTHING) -> Sight:
        table = sources.get(source, "not given by the test")
        if not isinstance(table, Mapping):
            return Unknown(str(table))
        fields = table.get(subject, table.get(ANY))
        if fields is None:
            return Absent("not in the store")
        return Present(fields if isinstance(fields, Mapping) else {})

    return look
