"""Anthropic's own client through the real stream: a false claim gets its footer in the last text block, an honest one nothing."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest
from anthropic import AsyncAnthropic

from proxy.footer import KEY
from tests.servers import Script, ScriptedUpstream, proxy
from tests.test_exchange import conf
from tests.test_wire_messages import MUST_LEAVE, OPEN, call, end, say

LIE = "Both files are updated."
STREAM = OPEN + say("Both files ", "are updated.") + end()


def turn(second: str) -> list[dict[str, Any]]:
    """A turn of two edits, the second of which ended as told."""
    edits = [
        {
            "type": "tool_use",
            "id": f"t{n}",
            "name": "Edit",
            "input": {"file_path": f"{n}.md", "old_string": "x", "new_string": "y"},
        }
        for n in (1, 2)
    ]
    results = [
        {"type": "tool_result", "tool_use_id": "t1", "content": "The file 1.md has been updated."},
        {"type": "tool_result", "tool_use_id": "t2", "content": second},
    ]
    return [
        {"role": "user", "content": "Update both."},
        {"role": "assistant", "content": edits},
        {"role": "user", "content": results},
    ]


FAILED = "<tool_use_error>String to replace not found in file.</tool_use_error>"
TOOLS: Any = [{"name": "Edit", "input_schema": {"type": "object"}}]


@pytest.mark.parametrize(
    ("second", "lied"),
    [
        (FAILED, True),
        ("The file 2.md has been updated.", False),
    ],
)
async def test_the_client_reads_the_footer_in_the_answer(tmp_path: Path, second: str, lied: bool) -> None:
    async with ScriptedUpstream(Script([STREAM])) as upstream, proxy(tmp_path, conf(upstream)) as running:
        client = AsyncAnthropic(api_key="k", base_url=running.url.removesuffix("/v1"), max_retries=0)
        messages: Any = turn(second)
        async with client.messages.stream(model="m", max_tokens=100, messages=messages, tools=TOOLS) as stream:
            final = await stream.get_final_message()
        await client.close()
    (block,) = final.content
    assert block.type == "text"
    assert block.text.startswith(LIE)
    assert (KEY in block.text, "`2.md` — contradicted" in block.text) == (lied, lied)
    assert final.stop_reason == "end_turn"


@pytest.mark.parametrize("more", MUST_LEAVE.values(), ids=MUST_LEAVE)
@pytest.mark.parametrize("rest", [call(2) + end("tool_use"), end()], ids=["a call", "the end"])
async def test_a_client_hears_of_a_model_that_takes_its_time(tmp_path: Path, more: bytes, rest: bytes) -> None:
    heard = asyncio.Event()
    begun = OPEN + say(LIE) + more
    asked = {"model": "m", "max_tokens": 9, "stream": True, "messages": turn(FAILED), "tools": TOOLS}
    got = b""
    async with (
        ScriptedUpstream(Script([begun, heard, rest])) as upstream,
        proxy(tmp_path, conf(upstream)) as running,
        httpx.AsyncClient(timeout=10) as client,
    ):
        async with client.stream("POST", f"{running.url}/messages", json=asked) as reply:
            async for data in reply.aiter_raw():
                got += data
                if got == begun:
                    heard.set()
        assert got == begun + rest
        if rest == end():  # nothing may be appended; what is found is told on the side
            report = await _report(client, f"{running.url}/audits/{reply.headers['x-groundwire-audit']}")
            assert "contradicted" in [one["verdict"] for one in report["findings"]]


async def _report(client: httpx.AsyncClient, url: str) -> Any:
    for _ in range(100):  # a report is kept right after the last byte
        if (reply := await client.get(url)).status_code == 200:
            return reply.json()
        await asyncio.sleep(0.02)
    raise AssertionError(reply.text)
