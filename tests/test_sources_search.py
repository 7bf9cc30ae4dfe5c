"""Search as ground truth: real servers on loopback that answer, lie, flood and hang, and folders of real documents."""

from __future__ import annotations

import asyncio
import json
import os
import resource
import subprocess
import sys
import time
import zlib
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from proxy.audit import Absent, Present, Sight, Unknown
from proxy.sources import build
from proxy.sources.corpus import WORKER, Corpus
from proxy.sources.search import Search
from tests.servers import Script, ScriptedUpstream, Seen

CLAIM = "The Eiffel Tower is 330 m tall."
TOWER = "<title>Eiffel Tower</title><p>A tower in Paris.</p><p>The tower is 330 metres tall.</p>"
JSON = {"content-type": "application/json"}


def said(document: Any, status: int = 200) -> Script:
    return Script([json.dumps(document).encode()], status, JSON, "length")


def html(text: str, status: int = 200) -> Script:
    return Script([text.encode()], status, {"content-type": "text/html"}, "length")


def port(server: ScriptedUpstream) -> str:
    return server.url.removesuffix("/v1").rpartition(":")[2]


Answer = Callable[[str, Seen], Script]


@asynccontextmanager
async def web(answer: Answer) -> AsyncIterator[ScriptedUpstream]:
    """A search server and the pages that it finds, on one port; `answer` is told the server's own address."""
    at = ""

    def serve(seen: Seen) -> Script:
        pages = {
            "/tower": html(TOWER),
            "/login": html("<title>Sign in</title><input type=password>"),
            "/missing": html("no", 404),
            "/empty": html(""),
            "/hang": Script(hang=True),
        }
        return pages.get(seen.path.partition("?")[0]) or answer(at, seen)

    async with ScriptedUpstream(serve) as server:
        at = f"http://127.0.0.1:{port(server)}"
        yield server


@asynccontextmanager
async def opened(server: ScriptedUpstream, env: Mapping[str, str] | None = None, **more: Any) -> AsyncIterator[Search]:
    table = {
        "backend": "searxng",
        "url": f"http://127.0.0.1:{port(server)}/",
        "allow_hosts": ["*"],
        "allow_private": True,
    }
    source = build("s", {"type": "search", **table, **more}, env or {})
    assert isinstance(source, Search)
    try:
        yield source
    finally:
        await source.aclose()


async def ask(source: Search, query: str = "eiffel tower height", claim: str = CLAIM) -> Sight:
    return await source.look(query, {"claim": claim})


def listed(*paths: str) -> Answer:
    return lambda at, seen: said(
        {"results": [{"url": at + one, "title": "T", "content": "snippet 330"} for one in paths]}
    )


async def test_searxng_is_asked_for_json_and_the_page_itself_is_read() -> None:
    async with web(listed("/tower", "/tower")) as server, opened(server) as source:
        sight = await ask(source)
        assert isinstance(sight, Present), sight
        assert [one["url"].rpartition("/")[2] for one in sight.fields["results"]] == ["tower"]
        assert "330 metres" in sight.fields["results"][0]["text"]
        assert "snippet" not in json.dumps(sight.fields["results"])
        assert sight.fields["results"][0]["title"] == "Eiffel Tower"
        asked = server.requests[0]
        assert (asked.method, asked.path) == ("GET", "/search?q=eiffel+tower+height&format=json")


@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize("scrape", [True, False])
async def test_firecrawl_in_both_versions(version: int, scrape: bool) -> None:
    def answer(at: str, seen: Seen) -> Script:
        assert (seen.method, seen.path) == ("POST", f"/v{version}/search")
        assert seen.header("authorization") == "Bearer fc-key"
        body = json.loads(seen.body)
        assert (body["query"], body["limit"]) == ("eiffel tower height", 3)
        assert ("scrapeOptions" in body) == scrape
        item = {
            "url": f"{at}/tower",
            "title": "Tower",
            "description": "is 999 metres",
            "markdown": "It is **330** m [tall](x).",
        }
        return said({"success": True, "data": [item] if version == 1 else {"web": [item]}})

    more = {"backend": "firecrawl", "version": version, "scrape": scrape, "key_env": "KEY"}
    async with web(answer) as server, opened(server, {"KEY": "fc-key"}, **more) as source:
        sight = await ask(source)
        assert isinstance(sight, Present), sight
        text = sight.fields["results"][0]["text"]
        assert text == ("It is **330** m tall." if scrape else "A tower in Paris.\nThe tower is 330 metres tall.")
        assert len(server.requests) == (1 if scrape else 2)


UNKNOWN: list[tuple[str, Answer, str]] = [
    ("500", lambda at, seen: said({}, 500), "status 500"),
    ("403", lambda at, seen: said({}, 403), "status 403"),
    ("429", lambda at, seen: said({}, 429), "status 429"),
    ("a redirect", lambda at, seen: Script([], 302, {"location": "/x"}, "length"), "status 302"),
    ("no JSON", lambda at, seen: html("<p>search"), "no JSON"),
    ("other JSON", lambda at, seen: said([1, 2]), "no results"),
    ("null", lambda at, seen: said({"results": None}), "no results"),
    ("engines down", lambda at, seen: said({"results": [], "unresponsive_engines": [["g", "timeout"]]}), "engines"),
    ("broken off", lambda at, seen: Script([b'{"results"'], 200, JSON, "length", reset=True), "did not answer"),
    ("hangs", lambda at, seen: Script(hang=True), "in time"),
    ("floods", lambda at, seen: Script([b" " * 65_536] * 100, 200, JSON), "too long"),
    ("packed", lambda at, seen: Script([b"x"], 200, {**JSON, "content-encoding": "gzip"}, "length"), "packed"),
    ("all pages missing", listed("/missing", "/missing?2"), "none of 2 pages"),
    ("only a login page", listed("/login"), "a login page"),
    ("only an empty page", listed("/empty"), "no text"),
    ("a page that hangs", listed("/hang"), "none of 1 pages"),
]


@pytest.mark.parametrize(("answer", "reason"), [row[1:] for row in UNKNOWN], ids=[row[0] for row in UNKNOWN])
async def test_what_could_not_be_told_is_unknown_and_not_kept(answer: Answer, reason: str) -> None:
    async with web(answer) as server, opened(server, timeout=0.5) as source:
        sight = await ask(source)
        assert isinstance(sight, Unknown), sight
        assert reason in sight.reason
        assert source.lifetime(sight) == 0


async def test_nobody_there() -> None:
    async with ScriptedUpstream(said({})) as server:
        pass
    source = build("s", {"type": "search", "backend": "searxng", "url": "http://127.0.0.1:1", "allow_hosts": ["*"]}, {})
    assert isinstance(await source.look("x"), Unknown)
    assert server.requests == []
    await source.aclose()


async def test_nothing_found_is_said_so_and_kept_briefly() -> None:
    async with web(listed()) as server, opened(server) as source:
        sight = await ask(source)
        assert sight == Absent("nothing found")
        assert 0 < source.lifetime(sight) < 3_600


async def test_a_page_that_could_not_be_read_keeps_the_rest_from_being_remembered() -> None:
    async with web(listed("/missing", "/tower")) as server, opened(server) as source:
        sight = await ask(source)
        assert isinstance(sight, Present)
        assert len(sight.fields["results"]) == 1
        assert sight.fields["unread"][0]["reason"] == "status 404"
        assert source.lifetime(sight) == 0
        whole = Present({"results": sight.fields["results"], "unread": []})
        assert source.lifetime(whole) == 7 * 86_400


async def test_private_pages_are_not_read_though_the_search_server_is_private() -> None:
    async with web(listed("/tower")) as server, opened(server, allow_private=False) as source:
        sight = await ask(source)
        assert isinstance(sight, Unknown)
        assert "private address" in sight.reason
        assert [one.path.partition("?")[0] for one in server.requests] == ["/search"]


HOSTILE: list[Any] = [
    {"url": "javascript:alert(1)"},
    {"url": "file:///etc/passwd"},
    {"url": "http://" + "a" * 3_000},
    {"url": 7},
    {"link": None, "title": "x"},
    "text",
    None,
    [],
]


async def test_odd_results_are_passed_over() -> None:
    def answer(at: str, seen: Seen) -> Script:
        return said({"results": [*HOSTILE, {"url": f"{at}/tower", "title": ["x"]}]})

    async with web(answer) as server, opened(server, results=10) as source:
        sight = await ask(source)
        assert isinstance(sight, Present), sight
        assert [one["title"] for one in sight.fields["results"]] == ["Eiffel Tower"]


async def test_half_an_emoji_and_no_words_in_a_query() -> None:
    async with web(listed("/tower")) as server, opened(server) as source:
        assert isinstance(await ask(source, "tower \ud83d"), Present)
        assert isinstance(await ask(source, " \n "), Unknown)
        assert len(server.requests) == 2


async def test_an_mcp_search_tool() -> None:
    table = {
        "backend": "mcp",
        "command": [sys.executable, "-m", "tests.mcp_server"],
        "tool": "search",
        "allow_hosts": ["*"],
    }
    async with web(listed()) as server:
        at = f"http://127.0.0.1:{port(server)}/tower"
        source = build("s", {"type": "search", **table, "allow_private": True, "arguments": {"url": at}}, {})
        assert isinstance(source, Search)
        sight = await ask(source)
        assert isinstance(sight, Present), sight
        assert sight.fields["results"][0]["text"].endswith("330 metres tall.")
        await source.aclose()
        for tool, reason in (("plain", "no list of results"), ("fails", "reported an error")):
            source = build("s", {"type": "search", **table, "tool": tool}, {})
            sight = await source.look("x")
            assert isinstance(sight, Unknown)
            assert reason in sight.reason
            await source.aclose()


# A folder.

DOCUMENTS = {
    "tower.md": "# The tower\n\nThe Eiffel Tower is a tower\nin Paris. It is 330 m tall.\n\n- an item\n",
    "deep/er/page.html": "<title>Bridges</title><p>The Golden Gate Bridge opened in 1937.</p>",
    "notes.txt": "Nothing much here.",
    "中文.md": "珠穆朗玛峰海拔8848米。它是世界最高峰。",
    "code.py": "height = 330",
    ".hidden.md": "The Eiffel Tower is 999 m tall.",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "docs"
    for name, text in DOCUMENTS.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


@asynccontextmanager
async def corpus(root: Path, **more: Any) -> AsyncIterator[Search]:
    source = build("s", {"type": "search", "backend": "corpus", "root": str(root), **more}, {})
    assert isinstance(source, Search)
    try:
        yield source
    finally:
        await source.aclose()


@asynccontextmanager
async def limited(root: Path, **limits: Any) -> AsyncIterator[Search]:
    source = Search(Corpus(root, **limits), None, limit=3, timeout=10, digest="")
    try:
        yield source
    finally:
        await source.aclose()


def urls(sight: Sight) -> list[str]:
    return [one["url"] for one in sight.fields["results"]] if isinstance(sight, Present) else []


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("eiffel tower height", "tower.md"),
        ("Golden Gate Bridge", "deep/er/page.html"),
        ("珠穆朗玛峰", "%E4%B8%AD%E6%96%87.md"),
        ('" OR * NEAR(eiffel) -tower', "tower.md"),
    ],
)
async def test_a_folder_is_searched(folder: Path, query: str, first: str) -> None:
    async with corpus(folder) as source:
        assert urls(await ask(source, query))[:1] == [first]


async def test_a_folder_has_addresses_titles_and_paragraphs(folder: Path) -> None:
    async with corpus(folder, base_url="https://docs.example.com/") as source:
        sight = await ask(source, "eiffel")
        assert isinstance(sight, Present)
        (one,) = sight.fields["results"]
        assert one["url"] == "https://docs.example.com/tower.md"
        assert one["title"] == "The tower"
        assert "The Eiffel Tower is a tower in Paris. It is 330 m tall.\n- an item" in one["text"]
        assert isinstance(await ask(source, "zebra"), Absent)
        assert isinstance(await ask(source, "height"), Absent)


async def test_what_changes_is_read_again(folder: Path) -> None:
    async with limited(folder, fresh=0.0) as source:
        assert urls(await ask(source, "zebra")) == []
        (folder / "new.md").write_text("A zebra.")
        assert urls(await ask(source, "zebra")) == ["new.md"]
        (folder / "new.md").unlink()
        assert urls(await ask(source, "zebra")) == []


async def test_nothing_outside_the_folder_is_read(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text("A zebra in secret.")
    (tmp_path / "more").mkdir()
    (tmp_path / "more/other.md").write_text("Another zebra.")
    (folder / "link.md").symlink_to(tmp_path / "secret.md")
    (folder / "linked").symlink_to(tmp_path / "more")
    (folder / "round").symlink_to(folder)
    os.mkfifo(folder / "pipe.md")
    (tmp_path / "alias").symlink_to(folder)
    async with corpus(tmp_path / "alias") as source:
        assert isinstance(await ask(source, "zebra"), Absent)
        assert urls(await ask(source, "eiffel")) == ["tower.md"]


async def test_what_is_left_out_is_no_proof_that_there_is_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "large.md").write_text("zebra " * 1_000)
    (folder / "broken.pdf").write_bytes(b"%PDF-1.4 nothing")
    async with limited(folder, largest=1_000) as source:
        sight = await ask(source, "zebra")
        assert sight == Unknown("nothing found, and 2 files of the corpus could not be read")
        assert urls(await ask(source, "eiffel")) == ["tower.md"]


async def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    async with corpus(tmp_path / "none") as source:
        assert await ask(source) == Unknown("the corpus is not there")


def pdf(stream: bytes, cmap: bytes = b"") -> bytes:
    """A page with this content, packed; `cmap` says which signs its font's codes are."""
    font = b"/Type0 /Encoding /Identity-H /ToUnicode 6 0 R" if cmap else b"/Type1"
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream"
        % (len(packed := zlib.compress(stream)), packed),
        b"<< /Type /Font /BaseFont /Helvetica /Subtype %s >>" % font,
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(cmap), cmap),
    ]
    body, places = b"%PDF-1.4\n", []
    for number, one in enumerate(objects, 1):
        places.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, one)
    table = b"xref\n0 7\n0000000000 65535 f \n" + b"".join(b"%010d 00000 n \n" % place for place in places)
    return body + table + b"trailer << /Root 1 0 R /Size 7 >>\nstartxref\n%d\n%%%%EOF\n" % len(body)


SHARD = b"BT /F1 12 Tf 72 700 Td (The Shard is 310 metres tall.) Tj ET "


async def test_a_pdf(folder: Path) -> None:
    pytest.importorskip("pypdf", reason="needs the extra pdf")
    (folder / "shard.pdf").write_bytes(pdf(SHARD))
    async with corpus(folder) as source:
        assert urls(await ask(source, "shard")) == ["shard.pdf"]


async def test_one_odd_document_does_not_cost_the_others(folder: Path) -> None:
    pytest.importorskip("pypdf", reason="needs the extra pdf")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    code = b"1 begincodespacerange <0000> <ffff> endcodespacerange 1 beginbfchar <0041> <%s> endbfchar"
    long = b"BT /F1 12 Tf (" + b"\0A" * 1_000_000 + b") Tj ET"
    (folder / "half.pdf").write_bytes(pdf(b"BT /F1 12 Tf <0041> Tj ET", code % b"D800"))
    (folder / "long.pdf").write_bytes(pdf(long, code % (b"0042" * 250)))
    (folder / "sign.html").write_text(f"<p>A zebra&#{'1' * 5_000};")
    async with corpus(folder, timeout=60.0) as source:
        assert urls(await ask(source, "eiffel")) == ["tower.md"]
        assert urls(await ask(source, "zebra")) == ["sign.html"]
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - peak < 400_000  # other tests may have had more


def test_a_pdf_is_not_read_for_longer_than_it_may(tmp_path: Path) -> None:
    """Some KB of it can be read for minutes."""
    pytest.importorskip("pypdf", reason="needs the extra pdf")
    words = [sys.executable, "-I", str(WORKER), "1", "1024", "500", "5000"]
    began = time.monotonic()
    (tmp_path / "long.pdf").write_bytes(pdf(SHARD * 500_000))
    with (tmp_path / "long.pdf").open("rb") as file:
        done = subprocess.run(words, stdin=file, capture_output=True, env={}, check=False)
    assert done.returncode < 0
    assert time.monotonic() - began < 10


async def test_a_large_folder_is_searched_beside_others(folder: Path) -> None:
    for number in range(600):
        (folder / f"n{number}.md").write_text(f"Page {number}.\n\n" + f"word{number} filler\n\n" * 40)
    async with corpus(folder) as source:
        ticks = 0

        async def tick() -> None:
            nonlocal ticks
            while True:
                await asyncio.sleep(0.001)
                ticks += 1

        ticking = asyncio.create_task(tick())
        found = await asyncio.gather(*(ask(source, f"word{number}") for number in range(0, 300, 30)))
        ticking.cancel()
        assert [urls(one)[0] for one in found] == [f"n{number}.md" for number in range(0, 300, 30)]
        assert ticks > 2


# Configuration.

SEARXNG = {"backend": "searxng", "url": "http://127.0.0.1:8080", "allow_hosts": ["*"]}


@pytest.mark.parametrize(
    ("table", "problem"),
    [
        ({}, "backend: must be one of firecrawl, searxng, corpus, mcp, not None"),
        ({**SEARXNG, "backend": "google"}, "backend: must be one of"),
        ({**SEARXNG, "allow_hosts": []}, "allow_hosts: is missing"),
        ({**SEARXNG, "allow_hosts": ["a b"]}, "allow_hosts: 'a b' is no host"),
        ({**SEARXNG, "allow_private": "no"}, "allow_private: must be true or false"),
        ({**SEARXNG, "url": "ftp://x"}, "url: must be the search server's base"),
        ({**SEARXNG, "url": "http://u:secret@x"}, "url: holds a credential"),
        ({**SEARXNG, "url": "http://x/?q=1"}, "url: must be"),
        ({**SEARXNG, "key_env": "NONE"}, "key_env: the variable 'NONE' is not set"),
        ({**SEARXNG, "root": "x"}, "root: is no key of this source; known: "),
        ({**SEARXNG, "results": 11}, "results: must be 1 to 10"),
        ({**SEARXNG, "results": True}, "results: must be 1 to 10"),
        ({**SEARXNG, "timeout": 0}, "timeout: must be 0.01 to 60"),
        ({**SEARXNG, "max_bytes": 1}, "max_bytes: must be"),
        ({**SEARXNG, "backend": "firecrawl", "version": 3}, "version: must be 1 to 2"),
        ({**SEARXNG, "backend": "firecrawl", "scrape": 1}, "scrape: must be true or false"),
        ({"backend": "corpus"}, "root: is missing"),
        ({"backend": "corpus", "root": "x", "base_url": "docs"}, "base_url: must be"),
        ({"backend": "corpus", "root": "x", "url": "http://x"}, "url: is no key"),
        ({"backend": "mcp", "allow_hosts": ["*"]}, "tool: is missing"),
        ({"backend": "mcp", "allow_hosts": ["*"], "tool": "t"}, "command: is missing"),
        ({"backend": "mcp", "allow_hosts": ["*"], "tool": "t", "command": ["x"], "argument": ""}, "argument: must be"),
        (
            {"backend": "mcp", "allow_hosts": ["*"], "tool": "t", "command": ["x"], "arguments": []},
            "arguments: must be",
        ),
    ],
)
def test_what_is_wrong_is_named(table: dict[str, Any], problem: str) -> None:
    with pytest.raises(ValueError, match=r"^\w+: ") as error:
        build("s", {"type": "search", **table}, {})
    assert str(error.value).startswith(problem)
    assert "secret" not in str(error.value)


def test_with_scrape_no_host_need_be_named() -> None:
    build("s", {"type": "search", "backend": "firecrawl", "url": "http://x", "scrape": True}, {})


async def test_a_slow_search_ends_in_time() -> None:
    async with web(lambda at, seen: Script(hang=True)) as server, opened(server, timeout=0.2) as source:
        began = time.monotonic()
        assert await ask(source) == Unknown("the search did not answer in time")
        assert time.monotonic() - began < 2
