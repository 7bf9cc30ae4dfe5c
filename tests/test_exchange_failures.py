"""The verifier's own failures over real sockets: they cost the audit, and never the answer, but where a policy withholds."""

from __future__ import annotations

import contextlib
import copy
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar

import httpx
import pytest

from proxy.audit import Finding
from proxy.auditors import Auditors
from proxy.claims import Claim
from proxy.footer import KEY
from proxy.ledger import Turn
from proxy.service import Service
from proxy.tenants import Tenant, Tenants
from tests import test_anthropic as anthropic
from tests import test_attempts as attempts
from tests import test_exchange as chat
from tests import test_exchange_responses as responses
from tests import test_inject as inject
from tests.servers import Proxy, Script, ScriptedUpstream, proxy
from tests.test_exchange import JSON, conf
from tests.transcripts import messages

FAILED = "<tool_use_error>String to replace not found in file.</tool_use_error>"
SECRET = "sk-secret0123456789"


class Raises:
    """A part of the verifier that has a bug."""

    def __getattr__(self, name: str) -> Any:
        raise IndexError(SECRET)


class Faulty(Tenants):
    """Tenants one part of whose policies has a bug: the `lexicon` of what reads answers, or the `marks` of what reads turns."""

    def __init__(self, inner: Tenants, part: str) -> None:
        super().__init__(inner._settings, {})
        self._part = part

    def resolve(self, headers: list[tuple[bytes, bytes]]) -> Tenant:
        tenant = super().resolve(headers)
        policy = copy.copy(tenant.policy)
        setattr(policy, self._part, Raises())
        return replace(tenant, policy=policy)


def failing(part: str) -> Callable[[Service], Service]:
    return lambda service: replace(service, tenants=Faulty(service.tenants, part))


@dataclass(frozen=True)
class Format:
    """A request of one wire format, and the answers to it, each a lie."""

    path: str
    body: dict[str, Any]
    streamed: bytes
    plain: bytes

    def script(self, streamed: bool, **more: Any) -> Script:
        if streamed:
            return Script([self.streamed], **more)
        return Script([self.plain], headers=JSON, framing="length", **more)

    def answer(self, streamed: bool) -> bytes:
        return self.streamed if streamed else self.plain


ANTHROPIC = attempts.anthropic_answer(anthropic.LIE, 1, False).pieces[0]
assert isinstance(ANTHROPIC, bytes)
FORMATS = {
    "chat": Format("/chat/completions", chat.asked(), chat.STREAM, chat.PLAIN),
    "messages": Format(
        "/messages",
        {"model": "m", "max_tokens": 9, "messages": anthropic.turn(FAILED), "tools": anthropic.TOOLS},
        anthropic.STREAM,
        ANTHROPIC,
    ),
    "responses": Format(
        "/responses",
        {"model": "m", "input": responses.turn(responses.FAILED), "tools": responses.TOOLS},
        responses.said().data,
        responses.plain(),
    ),
}
JSON_MODE = {
    "response_format": {"type": "json_object"},
    "output_format": {"type": "json_schema"},
    "text": {"format": {"type": "json_object"}},
}
"""Of every format."""
EVERY = pytest.mark.parametrize("form", FORMATS.values(), ids=FORMATS)
STREAMED = pytest.mark.parametrize("streamed", [True, False], ids=["stream", "plain"])
PARTS = pytest.mark.parametrize("part", ["lexicon", "marks"])


@dataclass
class Got:
    """What a client got: the status, the bytes, whether they came to their proper end, and the report that was kept."""

    status: int = 0
    content: bytes = b""
    ended: bool = True
    report: Any = field(default_factory=dict)


async def got(running: Proxy, form: Format, streamed: bool, **more: Any) -> Got:
    found = Got()
    async with httpx.AsyncClient(timeout=20) as client:
        body = {**form.body, "stream": streamed, **more}
        async with client.stream("POST", running.url + form.path, json=body) as reply:
            found.status = reply.status_code
            try:
                async for piece in reply.aiter_raw():
                    found.content += piece
            except httpx.RemoteProtocolError:
                found.ended = False
        if identifier := reply.headers.get("x-groundwire-audit"):
            kept = await client.get(f"{running.url}/audits/{identifier}")
            found.report = kept.json() if kept.status_code == 200 else {}
    return found


UNAUDITED = "the verifier failed: IndexError"


@EVERY
@STREAMED
@PARTS
@pytest.mark.parametrize("policy", ['extends = ["coding-agents"]', attempts.RETRY], ids=["annotate", "retry"])
async def test_a_verifier_that_fails_lets_the_exact_bytes_through_and_the_report_says_why(
    tmp_path: Path, form: Format, streamed: bool, part: str, policy: str
) -> None:
    async with (
        ScriptedUpstream(form.script(streamed)) as upstream,
        proxy(tmp_path, conf(upstream), {"default": policy}, changed=failing(part)) as running,
    ):
        found = await got(running, form, streamed)
        assert (found.status, found.content, found.ended) == (200, form.answer(streamed), True)
        assert (found.report["incomplete"], found.report["findings"]) == (UNAUDITED, [])
        assert len(upstream.requests) == 1
        assert SECRET not in json.dumps(found.report)


@EVERY
@PARTS
async def test_an_upstream_that_breaks_off_looks_broken_however_the_verifier_fails(
    tmp_path: Path, form: Format, part: str
) -> None:
    cut = form.streamed[: form.streamed.index(b"Both")] + b"Both"
    async with (
        ScriptedUpstream(Script([cut, 0.05], reset=True)) as upstream,
        proxy(tmp_path, conf(upstream), changed=failing(part)) as running,
    ):
        found = await got(running, form, True)
        assert (found.content, found.ended) == (cut, False)


@EVERY
@pytest.mark.parametrize("more", [{}, JSON_MODE], ids=["footer", "json mode"])
@pytest.mark.parametrize("reset", [False, True], ids=["the client leaves", "the upstream breaks off"])
async def test_an_answer_has_its_report_whoever_goes_behind_its_end(
    tmp_path: Path, form: Format, more: dict[str, Any], reset: bool
) -> None:
    """Many clients close their connection when they have read the end; some servers do, without that of the body."""
    last = form.streamed.rstrip().rpartition(b"\n\n")[2]
    async with (
        ScriptedUpstream(Script([form.streamed, 0.2 if reset else 5.0], reset=reset)) as upstream,
        proxy(tmp_path, conf(upstream)) as running,
        httpx.AsyncClient(timeout=20) as client,
    ):
        body, seen = {**form.body, "stream": True, **more}, b""
        async with client.stream("POST", running.url + form.path, json=body) as reply:
            with contextlib.suppress(httpx.RemoteProtocolError):
                async for piece in reply.aiter_raw():
                    seen += piece
                    if not reset and last[:40] in seen and seen.endswith(b"\n\n"):
                        break
        assert (KEY.encode() in seen) == (not more)
        await chat.idle(running)
        kept = await client.get(f"{running.url}/audits/{reply.headers['x-groundwire-audit']}")
        assert kept.json()["missing"]
        counts = (await client.get(running.url.replace("/v1", "/metrics"))).text
        assert [line[-2:] for line in counts.splitlines() if '"broken"' in line] == [" 0"]


@EVERY
@STREAMED
@PARTS
async def test_under_withhold_nothing_leaves_that_was_not_audited(
    tmp_path: Path, form: Format, streamed: bool, part: str
) -> None:
    async with (
        ScriptedUpstream(form.script(streamed)) as upstream,
        proxy(tmp_path, conf(upstream), {"default": attempts.WITHHOLD}, changed=failing(part)) as running,
    ):
        found = await got(running, form, streamed)
        assert b"updated" not in found.content
        assert (found.status, found.ended) == ((200, False) if streamed else (500, True))
        if not streamed:
            assert json.loads(found.content)["error"]["message"].endswith(f"leave unchecked: {UNAUDITED}.")


@STREAMED
async def test_what_is_never_withheld_leaves_unaudited_too(tmp_path: Path, streamed: bool) -> None:
    form = FORMATS["chat"]
    async with (
        ScriptedUpstream(form.script(streamed)) as upstream,
        proxy(tmp_path, conf(upstream), {"default": attempts.WITHHOLD}, changed=failing("marks")) as running,
    ):
        found = await got(running, form, streamed, n=2)
        assert (found.content, found.report["incomplete"]) == (form.answer(streamed), UNAUDITED)


@STREAMED
async def test_a_tool_turn_is_no_answer_to_withhold(tmp_path: Path, streamed: bool) -> None:
    (script,) = attempts.scripts([attempts.CALL], streamed)
    async with (
        ScriptedUpstream(script) as upstream,
        proxy(tmp_path, conf(upstream), {"default": attempts.WITHHOLD}, changed=failing("marks")) as running,
    ):
        found = await got(running, FORMATS["chat"], streamed)
        assert (found.content, found.ended) == (script.pieces[0], True)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"finish_reason":"stop"', b'"finish_reason":"tool_calls"'),
        (b'"delta":{"', b'"delta":{"function_call":{},"'),
        (b'"delta":{"', b'"delta":{"tool_calls":["x"],"'),
    ],
)
async def test_a_tool_turn_in_name_alone_is_withheld(tmp_path: Path, old: bytes, new: bytes) -> None:
    async with (
        ScriptedUpstream(Script([FORMATS["chat"].answer(True).replace(old, new)])) as upstream,
        proxy(tmp_path, conf(upstream), {"default": attempts.WITHHOLD}) as running,
    ):
        found = await got(running, FORMATS["chat"], True)
        assert b"updated" not in found.content
        assert (found.content.count(b"[DONE]"), found.content.count(b"withheld this answer")) == (1, 1)


UNREADABLE: dict[str, tuple[int, dict[str, str], Callable[[bytes], bytes]]] = {
    "an encoding": (200, {"content-encoding": "utf-8"}, lambda data: data),
    "two encodings": (200, {"content-encoding": "gzip, br"}, lambda data: data),
    "another status": (203, {}, lambda data: data),
    "another shape": (
        200,
        {"content-type": "application/x-ndjson"},
        lambda data: b'{"text": "Both are updated."}\n{}\n',
    ),
    "no JSON": (200, {}, lambda data: data.replace(b'"choices"', b"'choices'")),
}


@STREAMED
@pytest.mark.parametrize("how", UNREADABLE)
async def test_under_withhold_nothing_leaves_that_cannot_be_read(tmp_path: Path, streamed: bool, how: str) -> None:
    status, headers, change = UNREADABLE[how]
    form = FORMATS["chat"]
    own = {"content-type": "text/event-stream" if streamed else "application/json", **headers}
    script = Script([change(form.answer(streamed))], headers=own, status=status)
    async with (
        ScriptedUpstream(script) as upstream,
        proxy(tmp_path, conf(upstream), {"default": attempts.WITHHOLD}) as running,
    ):
        found = await got(running, form, streamed)
        assert b"updated" not in found.content
        begun = streamed and how == "no JSON"  # its head has left by then
        assert (found.status, found.ended) == ((200, False) if begun else (500, True))


@pytest.mark.parametrize(("status", "headers"), [(200, {"content-encoding": "utf-8"}), (203, {}), (400, {})])
async def test_elsewhere_what_cannot_be_read_passes(tmp_path: Path, status: int, headers: dict[str, str]) -> None:
    form = FORMATS["chat"]
    script = Script([form.answer(False)], headers={"content-type": "application/json", **headers}, status=status)
    for policies in ({}, {"default": attempts.WITHHOLD}) if status == 400 else ({},):
        async with (
            ScriptedUpstream(script) as upstream,
            proxy(tmp_path, conf(upstream), policies) as running,
        ):
            found = await got(running, form, False)
            assert (found.status, found.content) == (status, form.answer(False))


@PARTS
async def test_a_request_goes_up_as_it_came_where_its_results_cannot_be_audited(tmp_path: Path, part: str) -> None:
    for changed, attached in ((failing(part), False), (lambda service: service, True)):
        async with (
            ScriptedUpstream(FORMATS["chat"].script(False)) as upstream,
            proxy(tmp_path, inject.setting(tmp_path, upstream), {"default": inject.POLICY}, changed=changed) as running,
        ):
            reply = await chat.post(running.url, inject.asked(messages([inject.put(inject.DEPOSIT)])))
            assert reply.status_code == 200
            assert ("groundwire" in inject.told(upstream.requests[0].body)[0]) == attached


@dataclass(frozen=True, slots=True)
class Unwritable:
    """An auditor whose findings cannot be written down."""

    reads: ClassVar[frozenset[str]] = frozenset()

    def compare(self, turn: Turn, claims: Sequence[Claim]) -> list[Finding]:
        return [Finding("contradicted", "a.md", "no", fields={"at": object()})]


@STREAMED
@pytest.mark.parametrize("mode", ["annotate", "retry"])
async def test_a_report_that_cannot_be_written_costs_no_answer(tmp_path: Path, streamed: bool, mode: str) -> None:
    policy = f'[[rules]]\nname = "bad"\nauditor = "unwritable"\nmode = "{mode}"\n'
    form = FORMATS["chat"]
    async with (
        ScriptedUpstream(form.script(streamed)) as upstream,
        proxy(tmp_path, conf(upstream), {"default": policy}, Auditors({"unwritable": Unwritable})) as running,
    ):
        found = await got(running, form, streamed)
        assert (found.status, found.content, found.ended) == (200, form.answer(streamed), True)
        assert found.report["incomplete"] == "the verifier failed: TypeError"


LARGE = "max_body = 20_000"
PADDING = "y" * 40_000


def large(form: Format, streamed: bool) -> bytes:
    """The answer with more in it than may be held."""
    if streamed:
        return form.streamed.replace(b"are updated", b"are updated " + PADDING.encode())
    return form.plain[:-1] + b', "x": "' + PADDING.encode() + b'"}'


@EVERY
@STREAMED
async def test_an_answer_that_is_too_large_is_not_held_to_be_asked_for_again(
    tmp_path: Path, form: Format, streamed: bool
) -> None:
    data = large(form, streamed)
    pieces = [data[at : at + 7_001] for at in range(0, len(data), 7_001)]
    script = Script(pieces) if streamed else Script(pieces, headers=JSON)
    async with (
        ScriptedUpstream(script) as upstream,
        proxy(tmp_path, conf(upstream, server=LARGE), {"default": attempts.RETRY}) as running,
    ):
        found = await got(running, form, streamed)
        assert (found.status, found.content, found.ended) == (200, data, True)
        assert found.report["incomplete"] == "the answer is over the limit of 20000 bytes"
        assert len(upstream.requests) == 1


@STREAMED
async def test_under_withhold_an_answer_that_is_too_large_does_not_leave(tmp_path: Path, streamed: bool) -> None:
    form = FORMATS["chat"]
    script = Script([large(form, streamed)]) if streamed else Script([large(form, streamed)], headers=JSON)
    async with (
        ScriptedUpstream(script) as upstream,
        proxy(tmp_path, conf(upstream, server=LARGE), {"default": attempts.WITHHOLD}) as running,
    ):
        found = await got(running, form, streamed)
        assert b"updated" not in found.content
        assert (found.status, found.ended) == ((200, False) if streamed else (500, True))


async def test_a_tool_turn_is_not_held_however_large(tmp_path: Path) -> None:
    call = {**attempts.CALL, "function": {"name": "patch", "arguments": json.dumps({"path": PADDING})}}
    (script,) = attempts.scripts([call], True)
    async with (
        ScriptedUpstream(script) as upstream,
        proxy(tmp_path, conf(upstream, server=LARGE), {"default": attempts.WITHHOLD}) as running,
    ):
        assert (await got(running, FORMATS["chat"], True)).content == script.pieces[0]


@STREAMED
async def test_a_later_answer_that_is_too_large_is_none(tmp_path: Path, streamed: bool) -> None:
    ran = [*chat.RAN, ("patch", {"path": "c.md"}, {"success": False, "error": "gone"})]
    says = ["I updated `b.md` and `c.md`.", "I updated `b.md`.", attempts.HONEST + PADDING]
    async with (
        ScriptedUpstream(*attempts.scripts(says, streamed)) as upstream,
        proxy(tmp_path, conf(upstream, server=LARGE), {"default": attempts.RETRY}) as running,
    ):
        found = await got(running, FORMATS["chat"], streamed, messages=messages(ran))
        assert attempts.HONEST.encode() not in found.content
        assert b"The model was asked again once; asking again brought too much." in found.content
        assert len(upstream.requests) == 3
