"""Servers that search: Firecrawl's `/v1/search` and `/v2/search`, SearXNG's JSON, and a search tool of an MCP server."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import httpx
import orjson

from proxy.audit import Present, Unknown
from proxy.sources.corpus import Found
from proxy.wording import plain

ANSWER = 4_000_000
"""Bytes of an answer that is read."""
LONGEST, TITLE, TEXT = 2_048, 300, 200_000
"""Code points of a URL, a title and a text that are taken from an answer."""

URLS = ("url", "link", "href", "source_url", "sourceURL")
TITLES = ("title", "name", "heading")
TEXTS = ("markdown", "raw_content", "full_text", "text")
"""Fields in which an answer may hold the page's own text, not a summary of it."""


class _Json:
    """One HTTP server that answers in JSON, by one pool of connections that is opened by the first request."""

    def __init__(self, url: str, key: str, timeout: float) -> None:
        self._url, self._key, self._timeout = url, key, timeout
        self._client: httpx.AsyncClient | None = None

    async def ask(self, method: str, path: str, **more: Any) -> Any:
        """The answer's JSON value, or Unknown. Raises httpx.HTTPError."""
        if self._client is None:
            headers = {"accept": "application/json", "accept-encoding": "identity", "user-agent": "groundwire"}
            headers |= {"authorization": f"Bearer {self._key}"} if self._key else {}
            self._client = httpx.AsyncClient(headers=headers, timeout=self._timeout, trust_env=False)
        async with self._client.stream(method, self._url + path, **more) as reply:
            if reply.status_code != 200:
                return Unknown(f"the search server answered with status {reply.status_code}")
            if reply.headers.get("content-encoding", "identity") != "identity":
                return Unknown("the search server's answer is packed")
            body = bytearray()
            async for piece in reply.aiter_raw():
                body += piece
                if len(body) > ANSWER:
                    return Unknown("the search server's answer is too long")
        try:
            return orjson.loads(body)
        except ValueError:
            return Unknown("the search server's answer is no JSON")

    async def aclose(self) -> None:
        if self._client is not None:
            await self._client.aclose()
            self._client = None


class Firecrawl(_Json):
    """`POST /v1/search`, or `/v2/search`. With `scrape` the server reads the pages too, and its Markdown is their text."""

    def __init__(self, url: str, key: str, timeout: float, *, version: int = 1, scrape: bool = False) -> None:
        super().__init__(url, key, timeout)
        self._path, self._scrape = f"/v{version}/search", scrape

    async def find(self, query: str, limit: int) -> list[Found] | Unknown:
        body: dict[str, Any] = {"query": query, "limit": limit}
        if self._scrape:
            body["scrapeOptions"] = {"formats": ["markdown"], "onlyMainContent": True}
        answer = await self.ask("POST", self._path, json=body)
        if isinstance(answer, Unknown):
            return answer
        data = answer.get("data") if isinstance(answer, dict) and answer.get("success") is not False else None
        listed = data.get("web", []) if isinstance(data, dict) else data
        if not isinstance(listed, list):
            return Unknown("the search server's answer holds no results")
        return list(_found(listed, TEXTS[:1] if self._scrape else ()))[:limit]


class Searxng(_Json):
    """`GET /search?format=json`. Its `content` is what an engine shows of a page; it is not the page's text."""

    async def find(self, query: str, limit: int) -> list[Found] | Unknown:
        answer = await self.ask("GET", "/search", params={"q": query, "format": "json"})
        if isinstance(answer, Unknown):
            return answer
        listed = answer.get("results") if isinstance(answer, dict) else None
        if not isinstance(listed, list):
            return Unknown("the search server's answer holds no results")
        found = list(_found(listed, ()))[:limit]
        if not found and answer.get("unresponsive_engines"):
            return Unknown("the search server's engines did not answer")
        return found


class McpSearch:
    """A search tool of an MCP server; a text in its answer is taken for the page's own only with `scrape`."""

    def __init__(self, source: Any, tool: str, argument: str, more: Mapping[str, Any], *, scrape: bool = False) -> None:
        self._source, self._tool, self._argument, self._more = source, tool, argument, dict(more)
        self._texts = TEXTS if scrape else ()

    async def find(self, query: str, limit: int) -> list[Found] | Unknown:
        arguments = json.dumps({**self._more, self._argument: query})
        sight = await self._source.look(query, {"tool": self._tool, "arguments": arguments})
        if not isinstance(sight, Present):
            return sight if isinstance(sight, Unknown) else Unknown("the tool did not answer")
        listed = _listed(sight.fields)
        if listed is None:
            return Unknown("the tool's answer holds no list of results")
        return list(_found(listed, self._texts))[:limit]

    async def aclose(self) -> None:
        await self._source.aclose()


def _listed(value: Any, depth: int = 4) -> list[Any] | None:
    """The first list in an answer whose items have an address, else an empty one that stands where results would."""
    if isinstance(value, list):
        return value if not value or any(_text(item, URLS) for item in value) else None
    if not isinstance(value, dict) or not depth:
        return None
    inner = [_listed(one, depth - 1) for one in value.values()]
    return next((one for one in inner if one), next((one for one in inner if one is not None), None))


def _found(listed: list[Any], texts: tuple[str, ...]) -> Iterator[Found]:
    """The results that have a web address, each address once."""
    seen: set[str] = set()
    for item in listed:
        url = _text(item, URLS)
        if url.startswith(("http://", "https://")) and len(url) <= LONGEST and url not in seen:
            seen.add(url)
            text = plain(_text(item, texts)[:TEXT])
            yield Found(url, " ".join(_text(item, TITLES)[: TITLE * 2].split())[:TITLE], text)


def _text(item: Any, names: tuple[str, ...]) -> str:
    """The first of some fields that holds a text."""
    if not isinstance(item, dict):
        return ""
    return next((item[name] for name in names if isinstance(item.get(name), str) and item[name].strip()), "")
