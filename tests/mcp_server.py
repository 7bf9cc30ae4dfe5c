"""A real MCP server whose tools lie, hang, crash and say too much; `python -m tests.mcp_server` serves it over stdio."""

from __future__ import annotations

import asyncio
import os
from typing import Any

from mcp.server.mcpserver import MCPServer

KEPT = {"artifact.put/0a1b-a.md": 10, "artifact.put/0a1b-b.md": 20}


def create() -> MCPServer:
    server = MCPServer("tests")
    count = {"calls": 0}

    @server.tool(name="artifact.verify_manifest")
    def verify(expected: list[str]) -> dict[str, Any]:
        there = [{"artifact_key": key, "size": KEPT[key]} for key in expected if key in KEPT]
        gone = [{"artifact_key": key, "reason": "not found"} for key in expected if key not in KEPT]
        return {"pack": "artifact.verify_manifest", "version": "1", "output": {"verified": there, "missing": gone}}

    @server.tool(name="pack.status")
    def status(job_id: str) -> str:
        return f'{{"job_id": "{job_id}", "state": "completed"}}'

    @server.tool()
    def search(query: str, url: str) -> dict[str, Any]:
        return {"output": {"query": query, "results": [{"link": url, "title": "found", "snippet": "a summary"}]}}

    @server.tool()
    def plain() -> str:
        return "no JSON at all"

    @server.tool()
    def listed() -> str:
        return '["one", "two"]'

    @server.tool()
    def counted() -> dict[str, int]:
        count["calls"] += 1
        return {"calls": count["calls"], "process": os.getpid()}

    @server.tool()
    def told() -> dict[str, Any]:
        return {"variables": sorted(os.environ), "token": os.environ.get("TOKEN", "")}

    @server.tool()
    def fails() -> str:
        raise ValueError("secret-path /etc/passwd")

    @server.tool()
    async def hangs() -> str:
        await asyncio.Event().wait()
        return ""

    @server.tool()
    async def slow(seconds: float) -> dict[str, bool]:
        await asyncio.sleep(seconds)
        return {"done": True}

    @server.tool()
    def crashes() -> str:
        os._exit(3)

    @server.tool()
    def large(size: int) -> str:
        return "x" * size

    @server.tool()
    def drops() -> str:
        return "a tool that changes something, and that nobody allowed"

    return server


if __name__ == "__main__":
    create().run()
