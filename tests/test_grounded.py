"""Texts grounded for their own sake: `POST /v1/ground` over real sockets, and `groundwire ground` on real files."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from proxy.__main__ import main
from proxy.footer import KEY
from tests.servers import Proxy, Script, ScriptedUpstream, Seen, proxy
from tests.test_ground import BASE, MODEL, OPENED, RULE, SEARCH, TALL, WRONG, Extractor, completion, found
from tests.test_sources_search import TOWER, html, port, said

PAGES = {"/tower": TOWER, "/bridge": "<title>Golden Gate Bridge</title><p>The Golden Gate Bridge opened in 1937.</p>"}
TEXT = f"# Towers\n\n{TALL} {OPENED}\n{WRONG}\n\n`{TALL}`\n"
ALL = '[rules.options]\nmodel = "helper"\nrewrite = true\n'


@dataclass
class Site:
    proxy: Proxy
    search: ScriptedUpstream
    at: str

    @property
    def searches(self) -> int:
        return sum(one.path.startswith("/search") for one in self.search.requests)

    async def post(self, text: str = TEXT, key: str = "k", **more: Any) -> httpx.Response:
        async with httpx.AsyncClient(timeout=20) as client:
            body = {"text": text, **more}
            return await client.post(f"{self.proxy.url}/ground", json=body, headers={"authorization": f"Bearer {key}"})

    async def ground(self, text: str = TEXT, **more: Any) -> dict[str, Any]:
        reply = await self.post(text, **more)
        assert reply.status_code == 200, reply.text
        answer: dict[str, Any] = reply.json()
        assert answer["considered"] == answer["grounded"] + len(answer["skipped"])
        assert answer["grounded"] == len(answer["citations"])
        return answer


@asynccontextmanager
async def site(
    tmp_path: Path,
    extractor: Extractor | None = None,
    *,
    search: Callable[[Seen], Script | None] = lambda seen: None,
    policy: str = "",
    rule: str = RULE,
) -> AsyncIterator[Site]:
    """A search server that finds the page of which the query speaks, and the proxy."""
    at = ""

    def serve(seen: Seen) -> Script:
        path = seen.path.partition("?")[0]
        if path in PAGES:
            return html(PAGES[path])
        if (answer := search(seen)) is not None:
            return answer
        page = "/bridge" if "Bridge" in seen.path else "/tower"
        return said({"results": [{"url": at + page, "title": "T"}]})

    async with ScriptedUpstream(serve) as server, ScriptedUpstream(extractor or Extractor(found())) as second:
        at = f"http://127.0.0.1:{port(server)}"
        config = (
            BASE.format(main=second.url, second=second.url)
            + SEARCH.format(search=at, timeout=5.0)
            + MODEL.format(timeout=0.5)
        )
        async with proxy(tmp_path, config, {"default": rule + policy}) as served:
            yield Site(served, server, at)


async def test_a_text_comes_back_with_its_sources(tmp_path: Path) -> None:
    async with site(tmp_path) as one:
        answer = await one.ground()
        assert answer["grounded_text"] == (
            f"# Towers\n\n{TALL} [source]({one.at}/tower) {OPENED} [source]({one.at}/bridge)\n{WRONG}\n\n`{TALL}`\n"
        )
        assert (answer["considered"], answer["grounded"], answer["calls"], answer["hits"]) == (3, 2, 3, 0)
        assert answer["skipped"] == [{"claim": WRONG, "reason": "none of 1 pages found says so", "failed": False}]
        first = answer["citations"][0]
        assert TEXT[first["start"] : first["end"]] == first["claim"] == TALL
        assert first["passage"] == "The tower is 330 metres tall."
        assert (answer["truncated"], answer["cached"], answer["notes"]) == (False, False, [])
        assert KEY not in json.dumps(answer)


async def test_the_whole_is_remembered_by_tenant_and_input_and_each_claim_for_itself(tmp_path: Path) -> None:
    async with site(tmp_path) as one:
        first, again = await one.ground(), await one.ground()
        assert (again["cached"], again["calls"], again["hits"], one.searches) == (True, 0, 1, 3)
        assert again["grounded_text"] == first["grounded_text"]
        other = await one.ground(f"Another text. {TALL}")
        assert (other["cached"], other["calls"], other["hits"], one.searches) == (False, 0, 1, 3)
        fewer = await one.ground(max_claims=1)
        assert (fewer["cached"], fewer["considered"], one.searches) == (False, 1, 3)
        reply = await one.post(key="somebody else's")
        assert (reply.json()["cached"], one.searches) == (False, 6)


async def test_what_failed_is_asked_again_and_takes_nothing_with_it(tmp_path: Path) -> None:
    down = True

    def search(seen: Seen) -> Script | None:
        return said({}, 500) if down and "Bridge" in seen.path else None

    async with site(tmp_path, search=search) as one:
        answer = await one.ground()
        assert (answer["grounded"], answer["failures"], answer["calls"]) == (1, 1, 3)
        assert {"claim": OPENED, "reason": "the search server answered with status 500", "failed": True} in answer[
            "skipped"
        ]
        down = False
        answer = await one.ground()
        assert (answer["grounded"], answer["failures"], answer["calls"], answer["hits"]) == (2, 0, 1, 2)


async def test_115_nobody_could_be_asked(tmp_path: Path) -> None:
    async with site(tmp_path, search=lambda seen: said({}, 503)) as one:
        reply = await one.post()
        assert reply.status_code == 502
        assert reply.json()["error"]["code"] == "search_failed"
        assert "3 claims: the search server answered with status 503" in reply.json()["error"]["message"]
        assert (await one.ground("Nothing to look up here."))["considered"] == 0


async def test_a_page_that_could_not_be_read_is_no_failure_of_all_and_is_tried_again(tmp_path: Path) -> None:
    at = ""

    def search(seen: Seen) -> Script | None:
        if not seen.path.startswith("/search"):
            return html("no", 404)
        return said({"results": [{"url": f"{at}/tower"}, {"url": f"{at}/gone"}]})

    async with site(tmp_path, search=search) as one:
        at = one.at
        for _ in range(2):
            answer = await one.ground(WRONG)
            assert answer["skipped"][0]["reason"] == "none of 1 pages found says so; 1 more could not be read"
            assert (answer["cached"], answer["calls"]) == (False, 1)


@pytest.mark.parametrize(
    ("more", "considered"),
    [
        ({}, 5),
        ({"length_intent": "summary"}, 3),
        ({"length_intent": "thorough"}, 5),
        ({"length_intent": "exhaustive"}, 8),
        ({"length_intent": ""}, 5),
        ({"max_claims": 2, "length_intent": "exhaustive"}, 2),
        ({"max_claims": 100}, 8),
        ({"max_claims": 0, "length_intent": "summary"}, 3),
        ({"max_claims": -4, "length_intent": "summary"}, 3),
    ],
)
async def test_how_many_claims(tmp_path: Path, more: dict[str, Any], considered: int) -> None:
    text = " ".join(f"The tower of Town {n} is {n}00 m tall." for n in range(1, 12))
    async with site(tmp_path) as one:
        answer = await one.ground(text, inspect=True, **more)
        assert len(answer["plan"]) == considered
        assert answer["grounded_text"] == text
        assert (answer["considered"], one.searches) == (0, 0)


async def test_the_topic_goes_into_the_query(tmp_path: Path) -> None:
    async with site(tmp_path) as one:
        await one.ground(TALL, topic="Paris sights")
        assert "tall.+Paris+sights" in one.search.requests[0].path


async def test_the_statements_that_say_most_go_first(tmp_path: Path) -> None:
    async with site(tmp_path) as one:
        answer = await one.ground(f"The Louvre is a museum in Paris. {TALL}", max_claims=1)
        assert [cited["claim"] for cited in answer["citations"]] == [TALL]


REWRITES = {
    "rewrites": [
        {"number": 0, "text": "The Eiffel Tower is 330 metres tall."},
        {"number": 2, "text": "The Eiffel Tower is reportedly 999 m tall."},
        {"number": 1, "text": "The Golden Gate Bridge opened in 1938."},
    ]
}


async def test_weak_claims_are_reworded_and_sourced_ones_made_exact(tmp_path: Path) -> None:
    async with site(tmp_path, Extractor(found(TALL, OPENED, WRONG), rewrites=REWRITES), policy=ALL) as one:
        answer = await one.ground()
        assert answer["grounded_text"] == (
            f"# Towers\n\nThe Eiffel Tower is 330 metres tall. [source]({one.at}/tower) {OPENED} [source]({one.at}/bridge)\n"
            f"The Eiffel Tower is reportedly 999 m tall.\n\n`{TALL}`\n"
        )
        assert (answer["rewritten"], answer["grounded"]) == (2, 2)
        plain = await one.ground(rewrite=False)
        assert (plain["rewritten"], WRONG in plain["grounded_text"]) == (0, True)


@pytest.mark.parametrize(
    ("rewrites", "truncated", "note"),
    [
        (completion(REWRITES, "length"), True, "nothing was rewritten: the model was cut off"),
        (said({}, 500), False, "nothing was rewritten: the model's server answered with status 500"),
        (Script(hang=True), False, "nothing was rewritten: the model did not answer in time"),
        ("I would rather not.", False, "nothing was rewritten: the model's answer holds no list of rewrites"),
        ({"rewrites": []}, False, ""),
    ],
    ids=["cut off", "down", "hangs", "refuses", "none"],
)
async def test_a_rewrite_that_fails_leaves_the_citations(
    tmp_path: Path, rewrites: Any, truncated: bool, note: str
) -> None:
    async with site(tmp_path, Extractor(found(TALL, WRONG), rewrites=rewrites), policy=ALL) as one:
        answer = await one.ground()
        assert answer["grounded_text"] == TEXT.replace(TALL, f"{TALL} [source]({one.at}/tower)", 1)
        assert (answer["truncated"], answer["rewritten"]) == (truncated, 0)
        assert answer["notes"] == ([note] if note else [])
        assert (await one.ground())["cached"] is (not note)


async def test_a_model_s_claims_and_what_has_no_place(tmp_path: Path) -> None:
    claims = found(TALL, TALL, "", "Nowhere 7.", "Towers")
    async with site(tmp_path, Extractor(claims), policy='[rules.options]\nmodel = "helper"\n') as one:
        answer = await one.ground()
        assert (answer["considered"], answer["grounded"]) == (5, 1)
        assert [skipped["reason"] for skipped in answer["skipped"]] == (
            ["named twice", "an empty claim", "not in the text", "in a heading"]
        )
        cut = completion(json.dumps(found(TALL))[:-2] + ', {"te', "length")
    async with site(tmp_path, Extractor(cut), policy='[rules.options]\nmodel = "helper"\n') as one:
        answer = await one.ground()
        assert (answer["grounded"], answer["truncated"]) == (1, True)
    async with site(tmp_path, Extractor(said({}, 500)), policy='[rules.options]\nmodel = "helper"\n') as one:
        answer = await one.ground()
        assert answer["grounded"] == 2
        assert answer["notes"] == [
            "the claims were found without the model: the model's server answered with status 500"
        ]


@pytest.mark.parametrize(
    ("more", "status", "code"),
    [
        ({"text": ""}, 400, "empty_text"),
        ({"text": "x" * 200_001}, 413, "text_too_long"),
        ({"text": 7}, 400, "invalid_request"),
        ({"model": "m"}, 400, "invalid_request"),
        ({"length_intent": "long"}, 400, "invalid_request"),
        ({"max_completion_tokens": 10_000}, 400, "invalid_value"),
        ({"concurrency": 33}, 400, "invalid_value"),
        ({"rule": "other"}, 404, "no_ground_rule"),
    ],
)
async def test_requests_that_cannot_be(tmp_path: Path, more: dict[str, Any], status: int, code: str) -> None:
    async with site(tmp_path) as one:
        reply = await one.post(**more) if "text" not in more else await one.post(more["text"])
        assert (reply.status_code, reply.json()["error"]["code"]) == (status, code)
        assert one.searches == 0


async def test_no_rule_no_key_no_json(tmp_path: Path) -> None:
    async with site(tmp_path, rule="") as one:
        assert (await one.post()).json()["error"]["code"] == "no_ground_rule"
        async with httpx.AsyncClient() as client:
            assert (await client.post(f"{one.proxy.url}/ground", content=b"{")).json()["error"][
                "code"
            ] == "invalid_json"


async def test_a_client_that_leaves_ends_the_search(tmp_path: Path) -> None:
    async with site(tmp_path, search=lambda seen: Script(hang=True)) as one:
        async with httpx.AsyncClient(timeout=0.3) as client:
            with pytest.raises(httpx.ReadTimeout):
                await client.post(f"{one.proxy.url}/ground", json={"text": TEXT})
        one.search.closed.clear()
        for _ in range(200):
            if not one.search.open_connections:
                break
            await one.search.closed.wait()
            one.search.closed.clear()
        assert one.search.open_connections == 0


# The command line, with a folder of documents as its source.


@pytest.fixture
def config(tmp_path: Path) -> Path:
    documents = tmp_path / "docs"
    documents.mkdir()
    (documents / "tower.md").write_text("# Eiffel Tower\n\nThe Eiffel Tower is 330 metres tall.\n")
    (tmp_path / "policies").mkdir()
    (tmp_path / "policies/default.toml").write_text(RULE)
    path = tmp_path / "config.toml"
    source = f'[sources.web_search]\ntype = "search"\nbackend = "corpus"\nroot = "{documents}"\n'
    path.write_text('[upstreams.main]\ntype = "demo"\n' + source)
    return path


def test_a_file_is_printed_with_its_sources(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = config.parent / "a.md"
    file.write_bytes(TEXT.replace("\n", "\r\n").encode())
    assert main(["ground", str(file), "--config", str(config)]) == 0
    out, err = capsys.readouterr()
    assert out.replace("\r\n", "\n") == TEXT.replace(TALL, f"{TALL} [source](tower.md)", 1)
    assert "1 of 3 claims grounded" in err
    assert WRONG in err
    assert file.read_bytes() == TEXT.replace("\n", "\r\n").encode()


def test_a_file_is_changed_in_its_place_and_only_once(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, link = config.parent / "a.md", config.parent / "link.md"
    file.write_bytes(b"\xef\xbb\xbf" + TEXT.encode())
    file.chmod(0o640)
    link.symlink_to(file)
    for _ in range(2):
        assert main(["ground", str(link), "--config", str(config), "--in-place"]) == 0
    assert file.read_bytes() == b"\xef\xbb\xbf" + TEXT.replace(TALL, f"{TALL} [source](tower.md)", 1).encode()
    assert file.stat().st_mode & 0o777 == 0o640
    assert link.is_symlink()
    assert sorted(path.name for path in config.parent.iterdir() if path.is_file()) == ["a.md", "config.toml", "link.md"]
    assert capsys.readouterr().out == ""


def test_the_whole_result_and_the_plan(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = config.parent / "a.md"
    file.write_text(TEXT)
    assert main(["ground", str(file), "--config", str(config), "--json", "--max-claims", "1"]) == 0
    assert json.loads(capsys.readouterr().out)["citations"][0]["url"] == "tower.md"
    assert main(["ground", str(file), "--config", str(config), "--inspect", "--length-intent", "summary"]) == 0
    assert [one["claim"] for one in json.loads(capsys.readouterr().out)["plan"]] == [TALL, OPENED, WRONG]


@pytest.mark.parametrize(
    ("content", "more", "code", "said"),
    [
        (None, [], 1, "No such file"),
        (b"\xff\xfe\x00", [], 1, "utf-8"),
        (b"", [], 1, "`text` is empty"),
        (TEXT.encode(), ["--rule", "none"], 1, "no rule 'none'"),
        (TEXT.encode(), ["--policy", "none"], 2, "neither a file nor a policy"),
    ],
)
def test_files_that_cannot_be(
    config: Path, capsys: pytest.CaptureFixture[str], content: bytes | None, more: list[str], code: int, said: str
) -> None:
    file = config.parent / "a.md"
    if content is not None:
        file.write_bytes(content)
    assert main(["ground", str(file), "--config", str(config), *more]) == code
    assert said in capsys.readouterr().err
