"""What the demo's answers are held against: a store, a database, a web service and an MCP server, small and real."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

STORED = {"artifact.put/5d20c9e18f7ab346-report.md": b"Seventeen bytes.\n"}
ORDERS = [(1042, "pending"), (1043, "shipped")]
TICKETS = {"T-17": "open", "T-18": "closed"}

REVIEW = {
    "passed": False,
    "score": 40,
    "feedback": "A table was booked, and not the one that was asked for.",
    "evidence": [],
    "issues": [
        {
            "criterion": "by the window",
            "issue": "the table is in the garden",
            "evidence": '"place": "garden"',
            "impossible": False,
        }
    ],
    "required_fixes": [],
}
"""What the demo's reviewer says of every answer that it is asked about: it is scripted, as the worker is."""

CONFIG = """
upstream = "demo"
policies = "policies"

[server]
port = 0

[upstreams.demo]
type = "demo"
pace = {pace}

[upstreams.reviewer]
type     = "http"
base_url = "{web}/v1"

[sources.reviewer]
type     = "model"
upstream = "reviewer"
model    = "scripted"

[sources.artifacts]
type = "objects"
url  = "file://{folder}/store"

[sources.orders]
type = "sql"
url  = "sqlite:///{folder}/orders.db"

[sources.web]
type          = "http"
allow_hosts   = ["127.0.0.1"]
allow_private = true

[sources.helmdeck]
type    = "mcp"
command = ["{python}", "-m", "proxy.demo_world"]
tools   = ["artifact.verify_manifest"]
"""
POLICY = """
extends = ["coding-agents", "deposits", "general", "helmdeck", "database"]

[[rules]]
name    = "tickets"
auditor = "http_json"
source  = "web"
claims  = '(?i)\\bticket (?P<subject>[A-Z]-\\d{1,6}) is (?P<state>open|closed|solved)\\b'
[rules.options]
url    = "{web}/tickets/{subject}"
expect = "state"
equals = "{state}"

[[rules]]
name    = "review"
auditor = "judge"
tools   = ["book_table"]
source  = "reviewer"

[[rules]]
name    = "sources"
auditor = "ground"
when    = "tools"
"""


def make(folder: Path, web: str, python: str, pace: float) -> Path:
    """Write the world into a folder, and the configuration that looks at it; its path."""
    for key, content in STORED.items():
        path = folder / "store" / key
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    with sqlite3.connect(folder / "orders.db") as database:
        database.execute("CREATE TABLE orders (id INTEGER PRIMARY KEY, status TEXT)")
        database.executemany("INSERT INTO orders VALUES (?, ?)", ORDERS)
    (folder / "policies").mkdir()
    (folder / "policies" / "default.toml").write_text(POLICY.replace("{web}", web))
    config = folder / "config.toml"
    config.write_text(CONFIG.format(folder=folder, python=python, pace=pace, web=web))
    return config


def web() -> Starlette:
    """The web service: tickets as JSON, no page, and a reviewer behind an API like OpenAI's."""

    async def ticket(request: Request) -> Response:
        name = request.path_params["name"]
        if name not in TICKETS:
            return PlainTextResponse("no such ticket", 404)
        return JSONResponse({"id": name, "state": TICKETS[name]})

    async def review(request: Request) -> Response:
        message = {"role": "assistant", "content": json.dumps(REVIEW)}
        return JSONResponse({"id": "r", "choices": [{"index": 0, "message": message, "finish_reason": "stop"}]})

    reviews = Route("/v1/chat/completions", review, methods=["POST"])
    return Starlette(routes=[Route("/tickets/{name}", ticket), reviews])


def serve_tools() -> None:
    """The MCP server, over the pipes of this process."""
    from mcp.server.mcpserver import MCPServer

    server = MCPServer("groundwire-demo")

    @server.tool(name="artifact.verify_manifest")
    def verify(expected: list[str]) -> dict[str, Any]:
        """Look artifacts up."""
        there = [{"artifact_key": key, "size": len(STORED[key])} for key in expected if key in STORED]
        gone = [{"artifact_key": key, "reason": "not found"} for key in expected if key not in STORED]
        return {"verified": there, "missing": gone, "all_present": not gone}

    server.run()


if __name__ == "__main__":
    serve_tools()
