"""The ground auditor, through the real proxy: the conversation's own results, real search servers, models that lie."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import openai
import pytest
from anthropic import AsyncAnthropic

from proxy.audit import Finding, Present
from proxy.auditors.ground import Ground
from proxy.errors import ConfigError
from proxy.footer import KEY
from proxy.looks import Looks
from proxy.reading import Reading
from proxy.sources import build
from proxy.store import Memory
from tests.servers import Proxy, Script, ScriptedUpstream, Seen, proxy
from tests.test_sources_search import listed, port, said, web
from tests.test_wire_chat import DONE, choice, end, event, say
from tests.test_wire_messages import OPEN
from tests.test_wire_messages import end as stopped
from tests.test_wire_messages import say as block
from tests.transcripts import Ran, lexicon, messages, turn

TALL, OPENED, WRONG = (
    "The Eiffel Tower is 330 m tall.",
    "The Golden Gate Bridge opened in 1937.",
    "The Eiffel Tower is 999 m tall.",
)
ANSWER = f"{TALL} {OPENED} So it is."
TOWER, BRIDGE = "https://e.org/tower", "https://e.org/bridge"
RESULT = {
    "results": [
        {"url": TOWER, "title": "Eiffel Tower", "snippet": "The Eiffel Tower in Paris is 330 metres tall."},
        {"url": BRIDGE, "title": "Bridge", "content": "The Golden Gate Bridge was opened in 1937."},
    ]
}
SEARCHED: Ran = ("web_search", {"q": "eiffel"}, RESULT)


def findings(answer: str, ran: list[Ran], **options: Any) -> list[Finding]:
    """What the auditor finds from the transcript alone."""
    auditor = Ground(**options)
    claims = Reading(answer, lexicon()).claims(auditor.reads)
    folded = turn(messages(ran))

    async def run() -> list[Finding]:
        return await auditor.audit(folded, claims, Looks({}).of("t", folded, 5))

    return asyncio.run(run())


def verdicts(answer: str, ran: list[Ran], **options: Any) -> list[str]:
    return [f"{one.verdict} {one.cites}".strip() for one in findings(answer, ran, **options)]


# The conversation's own results.


def test_a_result_of_the_conversation_is_the_first_source() -> None:
    found = findings(ANSWER, [SEARCHED])
    assert [(one.verdict, one.subject, one.cites) for one in found] == [
        ("verified", TALL, TOWER),
        ("verified", OPENED, BRIDGE),
    ]
    assert found[0].tool_call_id == "c0"
    assert found[0].fields["passage"].endswith("330 metres tall.")
    assert (found[0].fields["calls"], found[0].fields["hits"]) == (0, 0)


@pytest.mark.parametrize(
    ("ran", "expected"),
    [
        ([("fetch", {"url": TOWER}, "The Eiffel Tower is 330 metres tall.")], [f"verified {TOWER}"]),
        ([("fetch", {"url": TOWER}, {"text": "The Eiffel Tower is 330 metres tall."})], [f"verified {TOWER}"]),
        ([("read_doc", {"id": 7}, "The Eiffel Tower is 330 metres tall.")], ["verified read_doc"]),
        ([("result", {}, {"output": {"content": [{"link": TOWER, "markdown": TALL}]}})], [f"verified {TOWER}"]),
        ([("search", {}, {"a": f"See {TOWER} and {BRIDGE}. {TALL}"})], ["verified search"]),
        ([("read_doc", {}, "The Eiffel Tower is 331 metres tall.")], ["unverifiable"]),
        ([("fetch", {"url": TOWER}, {"success": False, "error": TALL})], []),
        ([("write_file", {"path": "a.md", "content": TALL}, {"bytes_written": 3, "text": TALL})], []),
        ([("terminal", {"command": f"echo '{TALL}'"}, TALL)], ["unverifiable"]),
        ([("delegate_task", {"goal": "look it up"}, f"The sub-agent says: {TALL}")], []),
        ([], []),
    ],
    ids=[
        "fetched",
        "fetched, JSON",
        "no address",
        "wrapped",
        "loose text",
        "another number",
        "failed",
        "written",
        "echo",
        "agent",
        "none",
    ],
)
def test_which_results_are_sources(ran: list[Ran], expected: list[str]) -> None:
    assert verdicts(TALL, ran) == expected


QUOTED = 'The report says "the committee found that the bridge was unsafe in high winds".'


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ("Then the committee found that\n  the bridge was unsafe in high winds.", "verified report"),
        ("The committee found that the bridge was safe in high winds.", "contradicted"),
        ("Nobody has said anything about bridges.", "unverifiable"),
    ],
)
def test_113_a_quotation_may_differ_in_white_space_only(told: str, expected: str) -> None:
    ran: list[Ran] = [("report", {}, f"The report of 2020. The report says: “{told}”")]
    (found,) = verdicts(QUOTED, ran)
    assert found == expected
    asked: list[Ran] = [
        *ran,
        ("other", {}, {"error": "x", "text": "the committee found that the bridge was unsafe in high winds"}),
    ]
    assert not verdicts(QUOTED, asked)[0].startswith("contradicted")


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "Done.",
        "I updated `a.md`.",
        "Is the Eiffel Tower 330 m tall?",
        f"> {TALL}",
        f"# {TALL}",
        f"```\n{TALL}\n```",
    ],
)
def test_what_states_nothing_is_left_alone(answer: str) -> None:
    assert verdicts(answer, [SEARCHED]) == []


def test_a_huge_history_is_bounded() -> None:
    ran: list[Ran] = [("read_doc", {}, "The word. " * 20_000) for _ in range(12)]
    assert verdicts(TALL, [*ran, ("read_doc", {}, TALL)]) == ["verified read_doc"]


# Real servers.


@dataclass
class Extractor:
    """An OpenAI-compatible server whose answers a test writes; each a text, or a whole script."""

    claims: Any = None
    judge: Any = None
    rewrites: Any = None
    seen: list[dict[str, Any]] = field(default_factory=list)

    def __call__(self, seen: Seen) -> Script:
        body = json.loads(seen.body)
        self.seen.append({**body, "authorization": seen.header("authorization")})
        shape = body.get("response_format", {}).get("json_schema", {}).get("name", "")
        answer = {"claims": self.claims, "verdict": self.judge, "rewrites": self.rewrites}.get(shape, self.claims)
        answer = answer(body) if callable(answer) else answer
        return answer if isinstance(answer, Script) else completion(answer)


def completion(answer: Any, finish: str = "stop") -> Script:
    text = answer if isinstance(answer, str) else json.dumps(answer)
    message = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": finish}
    return said({"id": "x", "object": "chat.completion", "choices": [message]})


def found(*claims: str) -> dict[str, Any]:
    return {"claims": [{"text": one, "query": f"about {one}"} for one in claims]}


def worker(text: str) -> Script:
    """The model whose answer is audited, in three pieces."""
    cut = len(text) // 2
    return Script([event(choice({"role": "assistant", "content": ""})), say(text[:cut]), say(text[cut:]), end(), DONE])


BASE = 'upstream = "main"\n[upstreams.main]\ntype = "http"\nbase_url = "{main}"\n[upstreams.second]\ntype = "http"\nbase_url = "{second}"\n'
SEARCH = '[sources.web_search]\ntype = "search"\nbackend = "searxng"\nurl = "{search}"\nallow_hosts = ["*"]\nallow_private = true\ntimeout = {timeout}\n'
MODEL = '[sources.helper]\ntype = "model"\nupstream = "second"\nmodel = "small"\ntimeout = {timeout}\n'
RULE = 'deadline = 10.0\n[[rules]]\nname = "sources"\nauditor = "ground"\nsource = "web_search"\n'


@dataclass
class Running:
    proxy: Proxy
    search: ScriptedUpstream
    extractor: Extractor

    @property
    def searches(self) -> int:
        return sum(one.path.startswith("/search") for one in self.search.requests)

    async def ask(self, **more: Any) -> str:
        """What a reader sees, by the real client, streamed."""
        async with openai.AsyncOpenAI(base_url=self.proxy.url, api_key="k", max_retries=0) as client:
            body: dict[str, Any] = {"model": "m", "messages": [{"role": "user", "content": "How tall?"}], **more}
            stream = await client.chat.completions.create(stream=True, **body)
            return "".join([chunk.choices[0].delta.content or "" async for chunk in stream if chunk.choices])


@asynccontextmanager
async def running(
    tmp_path: Path,
    answer: str = ANSWER,
    search: Callable[[str, Seen], Script] | None = None,
    extractor: Extractor | None = None,
    *,
    policy: str = "",
    seconds: float = 5.0,
) -> AsyncIterator[Running]:
    helper = extractor or Extractor(found())
    async with (
        web(search or listed("/tower")) as server,
        ScriptedUpstream(worker(answer)) as main,
        ScriptedUpstream(helper) as second,
    ):
        config = BASE.format(main=main.url, second=second.url)
        config += SEARCH.format(search=f"http://127.0.0.1:{port(server)}", timeout=seconds) + MODEL.format(
            timeout=seconds
        )
        async with proxy(tmp_path, config, {"default": RULE + policy}) as served:
            yield Running(served, server, helper)


async def test_the_footer_lists_the_sources_that_the_pages_themselves_support(tmp_path: Path) -> None:
    async with running(tmp_path) as one:
        report = await report_of(one)
        text = await one.ask()
        assert text.startswith(ANSWER + "\n\n")
        footer = text.removeprefix(ANSWER)
        assert "1 claim could not be checked: `none of 1 pages found says so`" in footer
        assert "Sources of 1 statement in this answer:" in footer
        assert f"- <http://127.0.0.1:{port(one.search)}/tower> — `{TALL}`" in footer
        assert KEY in footer
        assert report["verified"][0]["url"].endswith("/tower")
        assert report["verified"][0]["passage"] == "The tower is 330 metres tall."
        assert {"calls": 2, "hits": 0}.items() <= report["findings"][0]["fields"].items()
        assert not report["missing"]


async def report_of(one: Running) -> dict[str, Any]:
    async with openai.AsyncOpenAI(base_url=one.proxy.url, api_key="k", max_retries=0) as client:
        raw = await client.chat.completions.with_raw_response.create(
            model="m", messages=[{"role": "user", "content": "?"}], stream=True
        )
        identifier = raw.headers["x-groundwire-audit"]
        async for _ in raw.parse():
            pass
        for _ in range(500):  # under a policy that only observes it is there when the audit is done
            try:
                report: dict[str, Any] = await client.get(f"/audits/{identifier}", cast_to=dict[str, Any])
                return report
            except openai.NotFoundError:
                await asyncio.sleep(0.01)
        raise AssertionError("there is no report")


async def test_what_was_found_for_a_claim_is_remembered_and_nobody_is_asked_again(tmp_path: Path) -> None:
    async with running(tmp_path) as one:
        first, second = await one.ask(), await one.ask(temperature=0.5)
        assert one.searches == 2
        seal = first.index("[//]")
        assert first[:seal] == second[:seal]
        report = await report_of(one)
        assert {"calls": 0, "hits": 2}.items() <= report["findings"][0]["fields"].items()
        assert one.searches == 2


async def test_an_honest_answer_with_every_source_has_no_complaint(tmp_path: Path) -> None:
    async with running(tmp_path, TALL) as one:
        footer = (await one.ask()).removeprefix(TALL)
        assert footer.strip().startswith("**Groundwire**: sources of 1 statement in this answer.")
        assert "could not" not in footer


async def test_in_the_plain_register(tmp_path: Path) -> None:
    async with plainly(tmp_path) as one:
        assert f"\n\nSources: <http://127.0.0.1:{port(one.search)}/tower>\n\n[//]" in await one.ask()


@asynccontextmanager
async def plainly(tmp_path: Path) -> AsyncIterator[Running]:
    async with web(listed("/tower")) as server, ScriptedUpstream(worker(TALL)) as main:
        config = BASE.format(main=main.url, second=main.url)
        config += SEARCH.format(search=f"http://127.0.0.1:{port(server)}", timeout=5.0)
        async with proxy(tmp_path, config, {"default": 'register = "plain"\n' + RULE}) as served:
            yield Running(served, server, Extractor())


async def test_115_a_search_that_is_down_is_said_and_accuses_nobody(tmp_path: Path) -> None:
    async with running(tmp_path, search=lambda at, seen: said({}, 503)) as one:
        text = await one.ask()
        assert "2 claims could not be checked: `the search server answered with status 503`" in text
        assert "does not hold" not in text
        report = await report_of(one)
        assert [found["verdict"] for found in report["findings"]] == ["unverifiable", "unverifiable"]
        assert one.searches == 4  # failures are not remembered


async def test_a_search_that_hangs_costs_the_deadline_and_no_source_of_the_conversation(tmp_path: Path) -> None:
    async with running(tmp_path, search=lambda at, seen: Script(hang=True), seconds=0.3) as one:
        one_result = messages([("web_search", {}, {"results": RESULT["results"][:1]})])
        text = await one.ask(messages=one_result)
        assert f"- <{TOWER}> — `{TALL}`" in text
        assert "1 claim could not be checked: `the search did not answer in time`" in text


async def test_one_failing_search_loses_no_remembered_source(tmp_path: Path) -> None:
    down = False

    def answer(at: str, seen: Seen) -> Script:
        return said({}, 500) if down else listed("/tower")(at, seen)

    async with running(tmp_path, search=answer) as one:
        await one.ask()
        down = True
        text = await one.ask()
        assert "/tower> — " in text
        assert "Sources of 1 statement" in text


async def test_strict_calls_a_statement_without_a_source_unsupported(tmp_path: Path) -> None:
    async with running(tmp_path, WRONG, policy="[rules.options]\nstrict = true\n") as one:
        text = await one.ask()
        assert "1 claim in this answer does not hold against the evidence" in text
        assert "nothing supports it: `none of 1 pages found says so`" in text
    async with running(
        tmp_path, WRONG, lambda at, seen: said({}, 500), policy="[rules.options]\nstrict = true\n"
    ) as one:
        assert "does not hold" not in await one.ask()  # nobody could be asked: no accusation, however strict


async def test_a_page_that_could_not_be_read_keeps_strict_from_accusing(tmp_path: Path) -> None:
    strict = "[rules.options]\nstrict = true\n"
    async with running(tmp_path, WRONG, listed("/tower", "/missing"), policy=strict) as one:
        assert "`none of 1 pages found says so; 1 more could not be read`" in await one.ask()
        assert "does not hold" not in await one.ask()


def test_a_secret_in_a_result_does_not_travel_in_the_report() -> None:
    said = "The Eiffel Tower is 330 m tall, token=sk-live-1234567890abcdef."
    (found,) = findings(TALL, [("fetch", {"url": TOWER + "?password=hunter2hunter2"}, said)])
    assert found.verdict == "verified"
    assert "sk-live" not in json.dumps(dict(found.fields))
    assert "hunter2" not in json.dumps(dict(found.fields))


@pytest.mark.parametrize(
    "result",
    [
        {"url": "https://e.org/`x`)**bold**", "title": "T", "content": TALL},
        {"url": f"https://e.org/{KEY}", "title": "T", "content": TALL},
        {"url": "https://user:sk-live-12345678abcd@e.org/", "title": "T", "content": TALL},
        {"url": "https://e.org/?token=sk-live-12345678abcd", "title": "T", "content": TALL},
        {"url": "https://e.org/\u202egpj.exe", "title": "T", "content": TALL},
        {"url": "https://e.org/a b>\n\n# Heading", "title": "T", "content": TALL},
        {"url": "https://e.org/" + "a" * 1_900, "title": "T", "content": TALL},
    ],
)
async def test_hostile_addresses_are_harmless_in_the_footer(tmp_path: Path, result: dict[str, str]) -> None:
    async with running(tmp_path, TALL) as one:
        text = await one.ask(messages=messages([("web_search", {}, {"results": [result]})]))
        footer = text.removeprefix(TALL)
        assert "ources of 1 statement" in footer
        assert footer.count(KEY) == 1
        assert "sk-live" not in footer
        assert "\n# Heading" not in footer
        assert "**bold**" not in footer.replace("`", "") or "`https://e.org/'x'" in footer
        assert "\u202e" not in footer
        assert len(footer) < 2_000


async def test_a_tool_turn_and_an_answer_without_tools(tmp_path: Path) -> None:
    async with running(tmp_path, TALL) as one:
        assert "ources of" in await one.ask()  # `when` is always: no tool is declared
    async with running(tmp_path, TALL, policy='when = "tools"\n') as one:
        assert await one.ask() == TALL


# A model finds the claims.

WITH_MODEL = '[rules.options]\nmodel = "helper"\n'


async def test_a_model_finds_the_claims(tmp_path: Path) -> None:
    asked = lambda at, seen: listed("/tower")(at, seen)  # noqa: E731
    async with running(tmp_path, ANSWER, asked, Extractor(found(TALL)), policy=WITH_MODEL) as one:
        assert "ources of 1 statement" in await one.ask()
        (body,) = one.extractor.seen
        assert body["model"] == "small"
        assert body["temperature"] == 0
        assert body["max_completion_tokens"] == 2_048
        assert body["response_format"]["json_schema"]["strict"] is True
        assert body["authorization"] is None  # the client's key is not the operator's to spend
        assert ANSWER in body["messages"][1]["content"]
        assert "q=about+The+Eiffel+Tower" in one.search.requests[0].path


LIES: list[tuple[str, Any, str]] = [
    ("claims that are not there", found("The tower is made of cheese."), ""),
    ("a false claim of another text", found(WRONG), ""),
    ("prose", "I see no claims here.", "ources of 1 statement"),
    ("empty", "", "ources of 1 statement"),
    ("an error", said({"error": {}}, 500), "ources of 1 statement"),
    ("no completion", said({"choices": []}), "ources of 1 statement"),
    (
        "crashes",
        Script([b"x"], 200, {"content-type": "application/json"}, "length", reset=True),
        "ources of 1 statement",
    ),
    ("hangs", Script(hang=True), "ources of 1 statement"),
    ("floods", Script([b"x" * 65_536] * 40), "ources of 1 statement"),
    ("cut off", completion(json.dumps(found(TALL))[:-2] + ', {"te', "length"), "ources of 1 statement"),
    ("a fence", f"```json\n{json.dumps(found(TALL))}\n```", "ources of 1 statement"),
    ("reasoning", f"<think>hm</think>{json.dumps(found(TALL))}", "ources of 1 statement"),
    ("too many", found(*[TALL] * 100), "ources of 1 statement"),
    ("none", found(), ""),
]


@pytest.mark.parametrize(("answer", "expected"), [row[1:] for row in LIES], ids=[row[0] for row in LIES])
async def test_a_model_that_lies_truncates_hangs_or_crashes(tmp_path: Path, answer: Any, expected: str) -> None:
    async with running(tmp_path, TALL, None, Extractor(answer), policy=WITH_MODEL, seconds=0.5) as one:
        text = await one.ask()
        assert text.startswith(TALL)
        assert "does not hold" not in text
        assert (expected in text) if expected else (text == TALL)


async def test_a_server_without_json_schema_is_asked_plainly(tmp_path: Path) -> None:
    def answer(body: dict[str, Any]) -> Any:
        return said({"error": {}}, 400) if "response_format" in body else found(TALL)

    async with running(tmp_path, TALL, None, Extractor(answer), policy=WITH_MODEL) as one:
        assert "ources of 1 statement" in await one.ask()
        assert [sorted({"max_tokens", "max_completion_tokens"} & body.keys()) for body in one.extractor.seen] == (
            [["max_completion_tokens"], ["max_tokens"]]
        )


# A judge must agree with the page.

WITH_JUDGE = '[rules.options]\njudge = "helper"\n'
YES = {"supported": True, "quote": "The tower is 330 metres tall."}


@pytest.mark.parametrize(
    ("answer", "upheld", "reason"),
    [
        (YES, True, ""),
        ({"supported": False, "quote": ""}, False, "none of 1 pages"),
        ({"supported": True, "quote": "It is made of cheese."}, False, "none of 1 pages"),
        ("PASS", False, "the judge's answer could not be read"),
        (completion(YES, "length"), False, "the judge's answer could not be read"),
        (said({}, 500), False, "the judge could not be asked"),
        (Script(hang=True), False, "the judge could not be asked"),
    ],
    ids=["yes", "no", "a made-up quote", "no JSON", "cut off", "down", "hangs"],
)
async def test_a_judge_that_fails_leaves_a_claim_without_a_source(
    tmp_path: Path, answer: Any, upheld: bool, reason: str
) -> None:
    async with running(tmp_path, TALL, None, Extractor(judge=answer), policy=WITH_JUDGE, seconds=0.5) as one:
        text = await one.ask()
        assert ("ources of 1 statement" in text) is upheld
        assert reason in text


async def test_a_judge_alone_makes_nothing_true(tmp_path: Path) -> None:
    async with running(tmp_path, WRONG, None, Extractor(judge=YES), policy=WITH_JUDGE) as one:
        assert "ources of" not in await one.ask()
        assert one.extractor.seen == []


# Options.


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"max_claims": 9}, "max_claims: must be 0"),
        ({"max_claims": -1}, "max_claims"),
        ({"max_completion_tokens": 9_000}, "max_completion_tokens: must be 256 to 8192"),
        ({"concurrency": 0}, "concurrency: must be 1 to 32"),
        ({"concurrency": 33}, "concurrency"),
    ],
)
def test_options_that_cannot_be(options: dict[str, Any], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        Ground(**options)


async def test_a_model_that_is_not_configured_stops_the_start(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"rules\.sources\.options\.model: \[sources\.nobody\] is not configured"):
        async with running(tmp_path, policy='[rules.options]\nmodel = "nobody"\n'):
            pass
    with pytest.raises(ConfigError, match="length_intent"):
        async with running(tmp_path, policy='[rules.options]\nlength_intent = "long"\n'):
            pass
    async with running(tmp_path, policy='require_source = false\n[rules.options]\nmodel = "nobody"\n'):
        pass


@pytest.mark.parametrize(
    ("table", "problem"),
    [
        ({}, "upstream: is missing"),
        ({"upstream": "nobody", "model": "m"}, r"upstream: there is no \[upstreams.nobody\]"),
        ({"upstream": "x"}, "model: is missing"),
        ({"upstream": "x", "model": "m", "timeout": 0}, "timeout: must be"),
        ({"upstream": "x", "model": "m", "concurrency": True}, "concurrency: must be"),
        ({"upstream": "x", "model": "m", "key": 1}, "key: is no key of this source"),
    ],
)
def test_a_model_s_table(table: dict[str, Any], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        build("m", {"type": "model", **table}, {})


async def test_tenants_do_not_share_what_was_found() -> None:
    async with web(listed("/tower")) as server:
        table = {
            "backend": "searxng",
            "url": f"http://127.0.0.1:{port(server)}",
            "allow_hosts": ["*"],
            "allow_private": True,
        }
        store, empty = Memory(), turn([])
        looks = Looks({"s": build("s", {"type": "search", **table}, {})}, store)
        for scope, asked, remembered in (("a", 1, False), ("a", 1, True), ("b", 2, False)):
            sight = await looks.of(scope, empty, 5)("s", "tower", {"claim": TALL})
            assert isinstance(sight, Present)
            assert sight.remembered is remembered
            assert sum(one.path.startswith("/search") for one in server.requests) == asked
        await looks.of("a", empty, 5)("s", "tower", {"claim": OPENED})
        assert sum(one.path.startswith("/search") for one in server.requests) == 3
        await looks.aclose()


# Citations in the answer's own text.

INLINE = '[rules.options]\nstyle = "inline"\n'


async def test_inline_citations_in_a_stream(tmp_path: Path) -> None:
    async with running(tmp_path, policy=INLINE) as one:
        text = await one.ask()
        assert text.startswith(f"{TALL} [source](http://127.0.0.1:{port(one.search)}/tower) {OPENED} So it is.")
        footer = text.partition("So it is.")[2]
        assert "1 claim could not be checked: `none of 1 pages found says so`" in footer
        assert "ources of" not in footer
        report = await report_of(one)
        assert report["verified"][0]["end"] == len(TALL)


async def test_inline_with_every_source_adds_nothing_else(tmp_path: Path) -> None:
    async with running(tmp_path, TALL, policy=INLINE) as one:
        cited = f"{TALL} [source](http://127.0.0.1:{port(one.search)}/tower)"
        assert await one.ask() == cited
        again = [
            {"role": "user", "content": "?"},
            {"role": "assistant", "content": cited},
            {"role": "user", "content": "?"},
        ]
        assert await one.ask(messages=again) == cited


async def test_inline_without_a_source_changes_not_a_byte(tmp_path: Path) -> None:
    async with running(tmp_path, "It is so.", policy=INLINE) as one, httpx.AsyncClient() as client:
        body = {"model": "m", "stream": True, "messages": []}
        reply = await client.post(f"{one.proxy.url}/chat/completions", json=body)
        assert reply.content == b"".join(piece for piece in worker("It is so.").pieces if isinstance(piece, bytes))


@pytest.mark.parametrize("more", [{"response_format": {"type": "json_object"}}, {"n": 2}])
async def test_inline_where_nothing_may_be_changed(tmp_path: Path, more: dict[str, Any]) -> None:
    async with running(tmp_path, TALL, policy=INLINE) as one:
        assert (await one.ask(**more)).startswith(TALL)
        assert "[source]" not in await one.ask(**more)


async def test_an_observing_rule_writes_nothing(tmp_path: Path) -> None:
    async with running(tmp_path, TALL, policy='mode = "observe"\n' + INLINE) as one:
        assert await one.ask() == TALL
        assert len((await report_of(one))["verified"]) == 1


async def test_inline_in_plain_answers_and_in_anthropic_s(tmp_path: Path) -> None:
    message = {"id": "x", "type": "message", "role": "assistant", "model": "m", "stop_reason": "end_turn"}
    whole = {**message, "content": [{"type": "text", "text": ANSWER}], "usage": {"input_tokens": 1, "output_tokens": 2}}

    def answer(seen: Seen) -> Script:
        streamed = json.loads(seen.body).get("stream")
        if seen.path.endswith("/messages"):
            return Script([OPEN + block(TALL[:9], TALL[9:] + f" {OPENED}") + stopped()]) if streamed else said(whole)
        return completion(ANSWER)

    async with web(listed("/tower")) as server, ScriptedUpstream(answer) as main:
        config = BASE.format(main=main.url, second=main.url)
        config += SEARCH.format(search=f"http://127.0.0.1:{port(server)}", timeout=5.0)
        link = f"{TALL} [source](http://127.0.0.1:{port(server)}/tower) {OPENED}"
        async with proxy(tmp_path, config, {"default": RULE + INLINE}) as served:
            async with openai.AsyncOpenAI(base_url=served.url, api_key="k", max_retries=0) as client:
                asked: Any = [{"role": "user", "content": "?"}]
                plain = await client.chat.completions.create(model="m", messages=asked)
                assert (plain.choices[0].message.content or "").startswith(f"{link} So it is.\n\n1 claim could not")
            async with AsyncAnthropic(api_key="k", base_url=served.url.removesuffix("/v1"), max_retries=0) as other:
                reply = await other.messages.create(model="m", max_tokens=9, messages=asked)
                assert getattr(reply.content[0], "text", "").startswith(f"{link} So it is.\n\n1 claim could not")
                async with other.messages.stream(model="m", max_tokens=9, messages=asked) as stream:
                    assert (await stream.get_final_text()).startswith(f"{link}\n\n1 claim could not")


async def test_inline_where_a_text_stands_in_five_places_is_a_footer(tmp_path: Path) -> None:
    own = {"type": "output_text", "text": TALL, "annotations": []}
    item = {"type": "message", "id": "m1", "status": "completed", "role": "assistant", "content": [own]}
    whole = {"id": "r1", "object": "response", "status": "completed", "model": "m", "output": [item]}
    async with web(listed("/tower")) as server, ScriptedUpstream(said(whole)) as main:
        config = BASE.format(main=main.url, second=main.url)
        config += SEARCH.format(search=f"http://127.0.0.1:{port(server)}", timeout=5.0)
        async with proxy(tmp_path, config, {"default": RULE + INLINE}) as served, httpx.AsyncClient() as client:
            reply = await client.post(f"{served.url}/responses", json={"model": "m", "input": "?", "store": False})
            text = reply.json()["output"][0]["content"][0]["text"]
            assert text.startswith(f"{TALL}\n\n**Groundwire**: sources of 1 statement")
            assert "[source]" not in text
