"""Real clients through the proxy: what they show, what they send next, and what they do when an answer breaks off or waits."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import cache

import pytest

from proxy.footer import KEY
from tests.clients.runs import DEADLINE, Client, Run, Started, difference, need, proxy
from tests.clients.upstream import CLAIM, FILE, LATER, PARSED, Upstream

UUID = rb"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
METADATA = rb'"client_metadata":\{(?:"[^"]*":"(?:[^"\\]|\\.)*",?)*\}'
"""Codex writes it in an order of chance."""
HELPERS = ("stream", "plain", "helper", "parse", "abort", "hold")
AGENT = ("stream", "abort", "hold")

CLIENTS = [
    Client("openai-python", "chat", "python/openai_chat.py", HELPERS),
    Client("openai-python", "responses", "python/openai_responses.py", (*HELPERS, "kept")),
    Client("openai-node", "chat", "node/openai_chat.mjs", HELPERS),
    Client("openai-node", "responses", "node/openai_responses.mjs", HELPERS),
    Client("anthropic-python", "messages", "python/anthropic_messages.py"),
    Client("LangChain, ChatOpenAI", "chat", "python/langchain_chatopenai.py"),
    Client("LangChain, ChatOpenAI", "responses", "python/langchain_chatopenai.py"),
    Client("LangChain, ChatAnthropic", "messages", "python/langchain_chatanthropic.py"),
    Client("LlamaIndex, OpenAILike", "chat", "python/llamaindex_chat.py"),
    Client("pydantic-ai", "chat", "python/pydantic_ai_agent.py"),
    Client("pydantic-ai", "responses", "python/pydantic_ai_agent.py"),
    Client("openai-agents", "chat", "python/openai_agents.py"),
    Client("openai-agents", "responses", "python/openai_agents.py"),
    Client("litellm", "chat", "python/litellm_chat.py"),
    Client("Vercel AI SDK, @ai-sdk/openai", "chat", "node/ai_sdk_openai.mjs"),
    Client("Vercel AI SDK, @ai-sdk/openai", "responses", "node/ai_sdk_openai.mjs"),
    Client("Vercel AI SDK, @ai-sdk/openai-compatible", "chat", "node/ai_sdk_compatible_chat.mjs"),
    Client("Vercel AI SDK, @ai-sdk/anthropic", "messages", "node/ai_sdk_anthropic_messages.mjs"),
    Client("Claude Code", "messages", "agents/claude_code.py", AGENT, (UUID, rb"[0-9a-f]{64}")),
    Client("Codex CLI", "responses", "agents/codex.py", AGENT, (UUID, METADATA)),
    Client("opencode", "chat", "agents/opencode.py", AGENT),
]
Play = Callable[[Client], tuple[Run, Run]]


def rows(*scenes: str) -> list[object]:
    """The clients that play one of these scenes, each with its mark."""
    return [
        pytest.param(
            client, id=f"{client.name} {client.wire}", marks=[pytest.mark.agent] * client.driver.startswith("agents")
        )
        for client in CLIENTS
        if set(scenes) & set(client.scenes)
    ]


@pytest.fixture(scope="module")
def upstream() -> Iterator[Upstream]:
    with Upstream() as running:
        yield running


@pytest.fixture(scope="module")
def play(upstream: Upstream, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Play]:
    """All scenes of a client but the long hold, once: straight to the upstream, and through the proxy."""
    with proxy(tmp_path_factory.mktemp("proxy"), upstream) as url:

        @cache
        def played(client: Client) -> tuple[Run, Run]:
            folder = tmp_path_factory.mktemp("client")
            scenes = [scene for scene in client.scenes if scene != "hold"]
            runs = [
                Started(client, upstream, f"{folder.name}-{name}", where, folder / name, scenes)
                for name, where in (("straight", upstream.url), ("proxied", url))
            ]
            straight, proxied = [run.wait() for run in runs]
            return straight, proxied

        def needed(client: Client) -> tuple[Run, Run]:
            need(client)
            return played(client)

        yield needed


@pytest.fixture(scope="module")
def held(
    request: pytest.FixtureRequest, upstream: Upstream, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[[Client], Started]]:
    """The long hold, begun for all clients at once; each is waited for by its own test."""
    wanted = {
        item.callspec.params["client"]
        for item in request.session.items
        if isinstance(item, pytest.Function) and "held" in item.fixturenames
    }
    with proxy(tmp_path_factory.mktemp("slow"), upstream, slow=True) as url:

        @cache
        def begun() -> dict[Client, Started]:
            folder = tmp_path_factory.mktemp("held")
            return {
                client: Started(client, upstream, f"held-{number}", url, folder / str(number), ["hold"])
                for number, client in enumerate(CLIENTS)
                if client in wanted
            }

        yield lambda client: begun()[client]


@pytest.mark.parametrize("client", rows("stream"))
def test_the_footer_is_shown_once_in_the_answer(
    client: Client, play: Play, record_property: Callable[[str, object], None]
) -> None:
    straight, proxied = play(client)
    record_property("version", straight.shown["stream"]["version"])
    for scene in client.conversations:
        assert straight.shown[scene].get("answers") == [CLAIM, LATER], straight.errors
        answer, _ = proxied.shown[scene]["answers"]
        assert (answer.count(KEY), answer.count("**Groundwire**")) == (1, 1), (scene, answer)
        assert f"`{FILE}` — contradicted: `the edit call failed: " in answer


@pytest.mark.parametrize("client", rows("stream"))
def test_no_word_of_the_answers_is_lost(client: Client, play: Play) -> None:
    _, proxied = play(client)
    for scene in client.conversations:
        answer, later = proxied.shown[scene]["answers"]
        assert answer.startswith(f"{CLAIM}\n\n**Groundwire**: ")
        assert later == LATER


@pytest.mark.parametrize("client", rows("stream"))
def test_what_the_client_sends_next_reaches_the_upstream_byte_for_byte(client: Client, play: Play) -> None:
    straight, proxied = play(client)
    for scene in (*client.conversations, *({"parse"} & set(client.scenes))):
        assert difference(straight.bodies[scene], proxied.bodies[scene]) == ""
        assert len(straight.bodies[scene]) >= (2 if scene == "parse" else 3)
        assert {path for path, _ in straight.bodies[scene]} == {PATHS[client.wire]}


@pytest.mark.parametrize("client", rows("parse"))
def test_structured_output_is_unharmed(client: Client, play: Play) -> None:
    straight, proxied = play(client)
    assert straight.shown["parse"].get("parsed") == PARSED, straight.errors
    assert proxied.shown["parse"].get("parsed") == PARSED, proxied.errors


@pytest.mark.parametrize("client", rows("abort"))
def test_an_answer_that_breaks_off_looks_broken_to_the_client(client: Client, play: Play) -> None:
    straight, proxied = play(client)
    assert straight.shown["abort"].get("error")
    assert proxied.shown["abort"].get("error") == straight.shown["abort"]["error"], proxied.errors
    assert KEY not in str(proxied.shown["abort"])
    assert difference(straight.bodies["abort"], proxied.bodies["abort"]) == ""


@pytest.mark.slow
@pytest.mark.parametrize("client", rows("hold"))
def test_an_end_that_is_held_for_a_minute_is_waited_for(client: Client, held: Callable[[Client], Started]) -> None:
    need(client)
    started = held(client)
    run = started.wait()
    assert time.monotonic() - started.began > DEADLINE
    answer, later = run.shown["hold"].get("answers", ["", ""])
    assert answer.startswith(CLAIM), run.errors
    assert answer.count(KEY) == 1
    assert later == LATER


PATHS = {"chat": "/v1/chat/completions", "messages": "/v1/messages", "responses": "/v1/responses"}
