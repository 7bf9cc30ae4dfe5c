"""Play the demo's scenarios through the proxy itself: a client that runs the tools, and the answers as its reader sees them."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import socket
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from typing import Any

import httpx
import uvicorn

from proxy import app, config, demo_world, startup
from proxy.errors import ConfigError
from proxy.upstreams.demo import WEB, Scenario, scenarios

PACE = 0.01
"""Seconds between two words of an answer."""


async def play(names: Sequence[str], say: Callable[[str], None]) -> list[dict[str, Any]]:
    """Play scenarios, all of them where none is named; the report of each. Raises ConfigError for a name that is none."""
    known = scenarios()
    if unknown := set(names) - set(known):
        raise ConfigError("demo", "", min(unknown), f"is no scenario; there are {', '.join(known)}")
    with tempfile.TemporaryDirectory(prefix="groundwire-demo-") as folder:
        async with _served(uvicorn.Config(demo_world.web(), port=0, log_level="error")) as web:
            settings = config.load(demo_world.make(Path(folder), web, sys.executable, PACE), os.environ)
            service = startup.service(settings, os.environ)
            async with (
                _served(uvicorn.Config(app.create(service), **startup.server_options(settings))) as proxy,
                httpx.AsyncClient(base_url=proxy, timeout=30.0, trust_env=False) as client,
            ):
                return [await _play(client, known[name], web, say) for name in (names or known)]


@contextlib.asynccontextmanager
async def _served(options: uvicorn.Config) -> AsyncIterator[str]:
    """A server of this process, on a port of its own; its URL."""
    listener = socket.create_server(("127.0.0.1", 0))
    host, port = listener.getsockname()
    server = uvicorn.Server(options)
    task = asyncio.create_task(server.serve([listener]))
    try:
        yield f"http://{host}:{port}"
    finally:
        server.should_exit = True
        await task


async def _play(client: httpx.AsyncClient, scenario: Scenario, web: str, say: Callable[[str], None]) -> dict[str, Any]:
    """One conversation: ask, run the calls that the model makes, show the answer; the report that came with it."""
    user = scenario.user.replace(WEB, web)
    say(f"\n── {scenario.name} {'─' * (70 - len(scenario.name))}\nuser: {user}\n")
    messages: list[dict[str, Any]] = [{"role": "user", "content": user}]
    tools = [{"type": "function", "function": {"name": name}} for name in scenario.tools]
    results = {call.id: call.result.replace(WEB, web) for call in scenario.calls}
    while True:
        body = {"model": f"demo/{scenario.name}", "stream": True, "messages": messages, "tools": tools}
        said, report = await _answer(client, body, say)
        if not said.get("tool_calls"):
            say("\n")
            return report
        messages.append(said)
        for call in said["tool_calls"]:
            function = call["function"]
            say(f"tool: {function['name']}({function['arguments']})\n   -> {results[call['id']]}\n")
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": results[call["id"]]})


async def _answer(
    client: httpx.AsyncClient, body: dict[str, Any], say: Callable[[str], None]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """One answer, its text said as it comes: the message, and the report that travelled with a footer, if one did."""
    text = ""
    report: dict[str, Any] = {}
    calls: dict[int, dict[str, Any]] = {}
    async with client.stream("POST", "/v1/chat/completions", json=body) as response:
        response.raise_for_status()
        async for line in response.aiter_lines():
            if not line.startswith("data: {"):
                continue
            chunk = json.loads(line.removeprefix("data: "))
            report = chunk.get("groundwire", report)
            for choice in chunk["choices"]:
                delta = choice["delta"]
                if content := delta.get("content"):
                    say(content if text else f"answer: {content}")
                    text += content
                for call in delta.get("tool_calls") or ():
                    known = calls.setdefault(call["index"], call)
                    if known is not call:
                        known["function"]["arguments"] += call["function"]["arguments"]
    message: dict[str, Any] = {"role": "assistant", "content": text or None}
    if calls:
        message["tool_calls"] = [{key: one[key] for key in ("id", "type", "function")} for one in calls.values()]
    return message, report
