"""Search as ground truth: the pages that a search finds for a claim, each with what its own text says of it."""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlsplit

import httpx

from proxy.audit import NOTHING, Absent, Present, Question, Sight, Unknown
from proxy.sources import http
from proxy.sources.corpus import Corpus, Found
from proxy.sources.search_servers import Firecrawl, McpSearch, Searxng
from proxy.support import Document

WEEK, MINUTE, BRIEFLY = 7 * 86_400.0, 60.0, 600.0
"""Seconds that what was found for a claim is kept: on the web, in a folder; and that nothing was found on the web."""

QUERY, TEXT = 400, 200_000
"""Code points of a query, and of a page's text that is read."""


class Finder(Protocol):
    """One search engine."""

    async def find(self, query: str, limit: int) -> list[Found] | Unknown: ...

    async def aclose(self) -> None: ...


class Search:
    """Asks a search engine, and reads the pages that it names, as an `http` source reads them.

    A look asks with a query for its subject; the question's `claim` says what the pages are to speak of (else the query).
    It is answered by `results`, each with `url`, `title` and `text`: excerpts of the page's own text that speak of the
    claim. `unread` holds what could not be read, with reasons. What an engine shows of a page is no text of it.
    """

    def __init__(
        self, finder: Finder, pages: http.Http | None, *, limit: int, timeout: float, digest: str, budget: int = 0
    ) -> None:
        self._finder, self._pages, self._limit, self._timeout = finder, pages, limit, timeout
        self._slots = asyncio.Semaphore(32)
        self.digest, self.budget = digest, budget

    def lifetime(self, sight: Sight) -> float:
        """Seconds that an answer may be kept; one that lacks a page is none to keep."""
        if isinstance(sight, Unknown) or (isinstance(sight, Present) and sight.fields.get("unread")):
            return 0.0
        if isinstance(self._finder, Corpus):
            return MINUTE
        return WEEK if isinstance(sight, Present) else BRIEFLY

    async def look(self, subject: str, question: Question = NOTHING) -> Sight:
        query = " ".join(subject.split())[:QUERY].encode("utf-8", "replace").decode()
        if not query:
            return Unknown("an empty query")
        try:
            async with self._slots:
                async with asyncio.timeout(self._timeout):
                    found = await self._finder.find(query, self._limit)
                return found if isinstance(found, Unknown) else await self._read(found, question.get("claim") or query)
        except (TimeoutError, httpx.TimeoutException):
            return Unknown("the search did not answer in time")
        except (httpx.HTTPError, httpx.InvalidURL, OSError) as error:
            return Unknown(f"the search did not answer: {type(error).__name__}")

    async def _read(self, found: Sequence[Found], claim: str) -> Sight:
        if not found:
            return Absent("nothing found")
        read = await asyncio.gather(*(self._page(one) for one in found))
        pages = [one for one in read if isinstance(one, Found)]
        unread = [{"url": one.url, "reason": why} for one, why in zip(found, read, strict=True) if isinstance(why, str)]
        if not pages:
            return Unknown(f"none of {len(found)} pages found could be read: {unread[0]['reason']}")
        results = await asyncio.to_thread(lambda: [_result(one, claim) for one in pages])
        return Present({"results": results, "unread": unread})

    async def _page(self, one: Found) -> Found | str:
        """A page with its text, or why it has none."""
        if one.text:
            return one
        if self._pages is None:
            return "no page may be read"
        sight = await self._pages.look(one.url)
        if not isinstance(sight, Present):
            return sight.reason
        if sight.fields.get("login"):
            return "a login page"
        text = str(sight.fields.get("text", ""))
        return (
            Found(one.url, str(sight.fields.get("title", "")) or one.title, text) if text else "the page shows no text"
        )

    async def aclose(self) -> None:
        await self._finder.aclose()
        if self._pages is not None:
            await self._pages.aclose()


def _result(one: Found, claim: str) -> dict[str, str]:
    return {"url": one.url, "title": one.title[:300], "text": Document(one.text[:TEXT], one.title).excerpt(claim)}


WEB = {"url", "key_env", "allow_hosts", "allow_private", "max_bytes"}
BACKENDS: Mapping[str, frozenset[str]] = {
    "firecrawl": frozenset(WEB | {"version", "scrape"}),
    "searxng": frozenset(WEB),
    "corpus": frozenset({"root", "base_url"}),
    "mcp": frozenset({"command", "url", "token_env", "tool", "argument", "arguments", "scrape", *WEB - {"key_env"}}),
}
"""Each backend and its own keys."""
COMMON = frozenset({"type", "backend", "timeout", "results", "budget"})


def build(name: str, table: Mapping[str, Any], env: Mapping[str, str]) -> Search:
    """From `[sources.NAME] type = "search"`, `backend` and its keys, `timeout`, `results`. Raises ValueError("key: …")."""
    backend = table.get("backend")
    if not isinstance(backend, str) or backend not in BACKENDS:
        raise ValueError(f"backend: must be one of {', '.join(BACKENDS)}, not {backend!r}")
    if unknown := set(table) - COMMON - BACKENDS[backend]:
        known = ", ".join(sorted((COMMON | BACKENDS[backend]) - {"type"}))
        raise ValueError(f"{min(unknown)}: is no key of this source; known: {known}")
    timeout, limit = _number(table, "timeout", 10.0, 0.01, 60), int(_number(table, "results", 3, 1, 10))
    digest = hashlib.sha256(json.dumps(dict(table), default=str, sort_keys=True).encode()).hexdigest()[:16]
    finder = _finder(name, backend, table, env, timeout)
    pages = None if backend == "corpus" else _pages(name, table, env, timeout)
    budget = int(_number(table, "budget", 0, 0, 10**9))
    return Search(finder, pages, limit=limit, timeout=timeout, digest=digest, budget=budget)


def _finder(name: str, backend: str, table: Mapping[str, Any], env: Mapping[str, str], timeout: float) -> Finder:
    if backend == "corpus":
        if not isinstance(table.get("root"), str) or not table["root"]:
            raise ValueError("root: is missing, a folder of documents such as '/srv/docs'")
        base = table.get("base_url", "")
        if not isinstance(base, str) or (base and not re.fullmatch(r"https?://[^\s<>()\[\]\"'|]+/", base)):
            raise ValueError("base_url: must be where the folder is served, such as 'https://docs.example.com/'")
        return Corpus(Path(table["root"]), base_url=base)
    scrape = table.get("scrape", False)
    if not isinstance(scrape, bool):
        raise ValueError("scrape: must be true or false")
    if backend == "mcp":
        return _mcp(name, table, env, timeout, scrape)
    url, key = _url(table), _key(table, env)
    if backend == "searxng":
        return Searxng(url, key, timeout)
    version = int(_number(table, "version", 1, 1, 2))
    return Firecrawl(url, key, timeout, version=version, scrape=scrape)


def _mcp(name: str, table: Mapping[str, Any], env: Mapping[str, str], timeout: float, scrape: bool) -> McpSearch:
    tool, argument, more = table.get("tool"), table.get("argument", "query"), table.get("arguments", {})
    if not isinstance(tool, str) or not tool:
        raise ValueError("tool: is missing, the search tool's name such as 'web_search'")
    if not isinstance(argument, str) or not argument:
        raise ValueError("argument: must be the name under which the tool takes the query, such as 'query'")
    if not isinstance(more, dict):
        raise ValueError("arguments: must be a table of what else the tool is called with")
    try:
        from proxy.sources import mcp
    except ModuleNotFoundError as error:
        raise ValueError(f"backend: 'mcp' needs {error.name}; install groundwire[mcp]") from None
    own = {key: table[key] for key in ("command", "url", "token_env") if key in table}
    source = mcp.build(name, {"type": "mcp", "tools": [tool], "timeout": timeout, **own}, env)
    return McpSearch(source, tool, argument, more, scrape=scrape)


def _pages(name: str, table: Mapping[str, Any], env: Mapping[str, str], timeout: float) -> http.Http | None:
    """Who reads the pages that are found: only hosts that the operator allows, and only public addresses of theirs."""
    hosts = table.get("allow_hosts", [])
    if not hosts:
        if table.get("scrape") is True:
            return None
        raise ValueError("allow_hosts: is missing; name the hosts whose pages may be read; ['*'] is any public one")
    private, size = table.get("allow_private", False), table.get("max_bytes", 2_000_000)
    http.build(name, {"type": "http", "allow_hosts": hosts, "allow_private": private, "max_bytes": size}, env)
    return http.Http(
        hosts, allow_private=private, timeout=timeout, max_bytes=size, concurrency=8, text=TEXT, lines=True
    )


def _url(table: Mapping[str, Any]) -> str:
    url = table.get("url")
    try:
        parts = urlsplit(url if isinstance(url, str) else "")
        valid = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        valid = False
    if not valid or parts.query or parts.fragment:
        raise ValueError("url: must be the search server's base, such as 'http://127.0.0.1:8080'")
    if parts.username is not None or parts.password is not None:
        raise ValueError("url: holds a credential; put it into a variable and name that in key_env")
    return str(url).rstrip("/")


def _key(table: Mapping[str, Any], env: Mapping[str, str]) -> str:
    variable = table.get("key_env", "")
    if variable == "":
        return ""
    key = env.get(variable, "").strip() if isinstance(variable, str) else ""
    if not re.fullmatch(r"[\x21-\x7e]+", key):
        raise ValueError(f"key_env: the variable {variable!r} is not set, or holds no key")
    return key


def _number(table: Mapping[str, Any], key: str, usual: float, least: float, most: float) -> float:
    value = table.get(key, usual)
    whole = int if isinstance(usual, int) else (int, float)
    if isinstance(value, bool) or not isinstance(value, whole) or not least <= value <= most:
        raise ValueError(f"{key}: must be {least} to {most}")
    return value
