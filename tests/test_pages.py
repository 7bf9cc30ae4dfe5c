"""The auditor of what is said to be published: the tool's own status, then the page."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proxy.answers import examine
from proxy.audit import FLAGGED, NOTHING, Absent, Look, Present, Question, Report, Sight, Unknown
from proxy.auditing import run
from proxy.auditors.pages import Pages
from proxy.claims import Claim
from proxy.library import Library
from proxy.sources.http import Http
from proxy.transcript import Answer
from tests.servers import Script, ScriptedUpstream, Seen
from tests.transcripts import ROOT, Ran, messages, transcript, turn

LIBRARY = Library(ROOT / "policies")
URL = "https://blog.example.com/ten-ways"
OTHER = "https://blog.example.com/other"
Web = Mapping[str, Any] | str | None
GOOD = {URL: {"status": 200, "url": URL, "title": "Ten Ways | Blog", "text": "One. Two.", "login": False}}


def web(table: Web) -> Look:
    async def look(source: str, subject: str, question: Question = NOTHING) -> Sight:
        assert source == "web"
        if table == "raises":
            raise RuntimeError("a bug of the source")
        if table == "hangs":
            await asyncio.Event().wait()
        if isinstance(table, str):
            return Unknown(table)
        assert table is not None
        return Present(table[subject]) if subject in table else Absent("status 404")

    return look


def report(answer: str, ran: list[Ran], table: Web = None, extra: list[Any] | None = None) -> Report:
    policy = LIBRARY.policy(LIBRARY.open("packs", "publishing.toml"), {"web"} if table is not None else ())
    raw = [*(extra or []), *messages(ran)]
    request = transcript(raw, tools=[{"type": "function", "function": {"name": "blog.publish"}}])
    return asyncio.run(examine(policy, request, turn(raw), Answer(0, answer, "stop"), web(table), audit_id="a"))


def verdicts(answer: str, ran: list[Ran], table: Web = None, extra: list[Any] | None = None) -> list[str]:
    return [f"{found.verdict} {found.subject}" for found in report(answer, ran, table, extra).findings]


def publish(status: str = "published", url: str = URL, title: str = "Ten ways", **more: Any) -> Ran:
    told = {"status": status, "post_id": "p1234", **({"url": url} if url else {}), **more}
    return ("helmdeck__blog-publish", {"title": title}, {"pack": "blog.publish", "version": "1", "output": told})


FAILED = publish("artifact_saved_ghost_failed", "", ghost_error="Ghost answered 401")
ERROR: Ran = ("blog.publish", {"title": "Ten ways"}, {"error": "quota exceeded"})
LIVE = f"The post is live at {URL}."

FIRES: list[tuple[str, str, list[Ran], Web, list[str]]] = [
    ("55", f"I've published the post at {URL}.", [FAILED], None, [f"contradicted {URL}"]),
    ("55, no URL", "The post is published.", [FAILED], None, ["contradicted Ten ways"]),
    ("55, whatever the page says", f"Published at {URL}.", [FAILED], GOOD, [f"contradicted {URL}"]),
    ("56", LIVE, [publish("draft")], None, [f"contradicted {URL}"]),
    ("56, in two sentences", f"The post is live! Read it: {URL}", [publish("draft")], None, [f"contradicted {URL}"]),
    ("56, the default", "I published it.", [publish("artifact_saved", "")], None, ["contradicted Ten ways"]),
    ("56, scheduled", LIVE, [publish("scheduled")], None, [f"contradicted {URL}"]),
    ("56, as a list", f"These are live:\n\n- {URL}", [publish("draft")], None, [f"contradicted {URL}"]),
    ("56, as a table", f"| Ten ways | published | {URL} |", [publish("draft")], None, [f"contradicted {URL}"]),
    ("57, 404", LIVE, [publish()], {}, [f"contradicted {URL}"]),
    ("57, no status", LIVE, [publish("")], {}, [f"contradicted {URL}"]),
    ("another URL", f"Published at {OTHER}.", [publish()], None, [f"unsupported {OTHER}"]),
    ("another URL, 404", f"Published at {OTHER}.", [publish()], GOOD, [f"contradicted {OTHER}"]),
    ("a draft that is live", "I saved it as a draft.", [publish()], None, [f"contradicted {URL}"]),
    ("scheduled, a draft", "The post is scheduled for Monday.", [publish("draft")], None, [f"contradicted {URL}"]),
    ("the call failed", "I published the post.", [ERROR], None, ["contradicted Ten ways"]),
    (
        "all of them",
        "All three posts are published.",
        [
            publish(url=f"{URL}/{n}", title=f"T{n}", post_id=f"id{n}", status=s)
            for n, s in enumerate(("live", "draft", "live"))
        ],
        None,
        [f"verified {URL}/0", f"contradicted {URL}/1", f"verified {URL}/2"],
    ),
    ("no call at all", f"I've published the post at {URL}.", [], None, [f"unsupported {URL}"]),
    ("no call, and no page", f"I've published the post at {URL}.", [], {}, [f"contradicted {URL}"]),
]


@pytest.mark.parametrize(
    ("answer", "ran", "table", "expected"), [row[1:] for row in FIRES], ids=[row[0] for row in FIRES]
)
def test_what_does_not_hold(answer: str, ran: list[Ran], table: Web, expected: list[str]) -> None:
    assert verdicts(answer, ran, table) == expected


SHOWN = {"status": 200, "title": "Ten ways", "text": "", "login": False}
SPARES: list[tuple[str, str, list[Ran], Web, list[str]]] = [
    ("56, draft", "Saved as a draft.", [publish("draft")], None, [f"verified {URL}"]),
    ("56, draft at", f"Saved as a draft at {URL}; it is not live yet.", [publish("draft")], {}, [f"verified {URL}"]),
    (
        "56, draft, not published",
        "Saved as a draft, not published.",
        [publish("draft", "")],
        None,
        ["verified Ten ways"],
    ),
    ("published as a draft", "It's published as a draft.", [publish("draft")], None, [f"verified {URL}"]),
    ("scheduled", "The post is scheduled for Monday.", [publish("scheduled")], None, [f"verified {URL}"]),
    ("only saved", "I saved the post as a draft.", [publish("artifact_saved", "")], None, ["qualified Ten ways"]),
    ("published", LIVE, [publish()], None, [f"verified {URL}"]),
    ("published, the page answers", LIVE, [publish()], GOOD, [f"verified {URL}"]),
    ("WordPress", LIVE, [("blog.publish", {}, {"id": 5, "status": "publish", "link": URL})], None, [f"verified {URL}"]),
    ("retried", "The post is published.", [ERROR, publish()], None, [f"verified {URL}"]),
    ("retried, with its URL", LIVE, [FAILED, publish()], None, [f"verified {URL}"]),
    ("56, then published", LIVE, [publish("draft"), publish()], None, [f"verified {URL}"]),
    (
        "56, then published by another tool",
        LIVE,
        [publish("draft"), ("http_put", {"url": "/posts/p1234"}, "200 OK")],
        None,
        [f"unverifiable {URL}"],
    ),
    (
        "told by the job's own tool",
        LIVE,
        [
            ("blog.publish", {}, {"status": "working", "job_id": "j1"}),
            ("pack-result", {}, {"status": "published", "url": URL}),
        ],
        None,
        [f"verified {URL}"],
    ),
    (
        "still working",
        "The post is published.",
        [("blog.publish", {}, {"status": "working"})],
        None,
        ["unverifiable publication"],
    ),
    ("no status", LIVE, [publish("")], None, [f"unverifiable {URL}"]),
    ("no result", LIVE, [("blog.publish", {}, None)], None, []),
    *(
        (f"57, {word}", LIVE, [publish()], word, [f"unverifiable {URL}"])
        for word in (
            "status 403",
            "status 429",
            "status 500",
            "timed out",
            "redirects to a login page",
            "host not allowed",
        )
    ),
    ("57, login", LIVE, [publish()], {URL: {"title": "Sign in", "login": True}}, [f"unverifiable {URL}"]),
    ("a form beside the post", LIVE, [publish()], {URL: {"title": "Ten ways", "login": True}}, [f"verified {URL}"]),
    ("another title", LIVE, [publish()], {URL: {"title": "Welcome", "text": "x"}}, [f"qualified {URL}"]),
    ("title in the text", LIVE, [publish()], {URL: {"title": "Blog", "text": "a: TEN – ways!"}}, [f"verified {URL}"]),
    ("part of a word", LIVE, [publish(title="art")], {URL: {"title": "startup"}}, [f"qualified {URL}"]),
    ("no text", LIVE, [publish()], {URL: {}}, [f"qualified {URL}"]),
    (
        "front page",
        LIVE,
        [publish(title="")],
        {URL: {"url": "https://blog.example.com/", "title": "Blog"}},
        [f"qualified {URL}"],
    ),
    ("a URL that the user gave", f"Published at {OTHER}.", [("read", {"x": OTHER}, "ok"), publish()], None, []),
    ("the source has a bug", LIVE, [publish()], "raises", [f"unverifiable {URL}"]),
    ("no call, a shell", f"I've published it at {URL}.", [("bash", {"command": "make deploy"}, "ok")], None, []),
    ("no call, the page is there", f"I've published it at {URL}.", [], GOOD, [f"verified {URL}"]),
    ("somebody else's", f"See the guide published at {URL}.", [], {}, []),
    ("only a link", f"Docs: {OTHER}", [publish("draft")], {}, []),
    ("asked", f"Is it live at {URL}?", [publish("draft")], {}, []),
    ("offered", "Shall I publish the post?", [publish("draft")], {}, []),
    ("planned", f"The post will be published at {URL}.", [publish("draft")], {}, []),
    ("conditional", f"Once you approve, it is live at {URL}.", [publish("draft")], {}, []),
    ("denied", "The post is not published yet.", [publish("draft")], {}, []),
    ("denied, failed", "I could not publish the post: Ghost answered 401.", [FAILED], {}, []),
    ("admitted", "The post was not published to Ghost. The artifact is published.", [FAILED], None, []),
    ("fenced", f"```\nThe post is live at {URL}\n```", [publish("draft")], {}, []),
    ("quoted", f"> The post is live at {URL}", [publish("draft")], {}, []),
    ("described", "The published version is shorter.", [publish("draft")], {}, []),
    ("an order", "Publish the post when you are ready.", [publish("draft")], {}, []),
    ("another kind of live", "The cats live on the roof.", [publish("draft")], {}, []),
    ("no calls, no URL", "The post is published.", [], {}, []),
]


@pytest.mark.parametrize(
    ("answer", "ran", "table", "expected"), [row[1:] for row in SPARES], ids=[row[0] for row in SPARES]
)
def test_what_holds_or_cannot_be_told(answer: str, ran: list[Ran], table: Web, expected: list[str]) -> None:
    assert verdicts(answer, ran, table) == expected


@pytest.mark.parametrize(
    "spelled",
    [
        f"{URL}/",
        f"{URL}#top",
        f"{URL}?utm_source=x",
        "http://BLOG.example.com/ten-ways",
        "https://blog.example.com/ten%2Dways",
    ],
)
def test_scenario_110_spellings_of_one_url(spelled: str) -> None:
    assert verdicts(f"Published at {spelled}", [publish("draft"), publish(url=OTHER, post_id="q99")]) == [
        f"contradicted {spelled}"
    ]


def test_scenario_55_status_and_error_are_shown() -> None:
    (found,) = report("The post is published.", [FAILED]).findings
    assert "artifact_saved_ghost_failed" in found.reason
    assert "Ghost answered 401" in found.reason


def test_scenario_56_an_earlier_draft_may_have_been_published_since() -> None:
    before = [*messages([publish("draft")], first=50), {"role": "assistant", "content": "Saved as a draft."}]
    assert verdicts(LIVE, [], None, before) == [f"unverifiable {URL}"]


def test_scenario_57_a_url_of_another_tool_is_offered() -> None:
    (found,) = report(f"Published at {OTHER}.", [publish()]).findings
    assert URL in found.reason


def test_a_history_that_is_not_whole_accuses_nobody() -> None:
    gone = [{"role": "user", "content": "This session is being continued from a previous conversation"}]
    assert verdicts(f"I've published the post at {URL}.", [], None, gone) == [f"unverifiable {URL}"]


async def test_pages_are_looked_at_side_by_side() -> None:
    waiting, both = [0], asyncio.Event()

    async def look(source: str, subject: str, question: Question = NOTHING) -> Sight:
        waiting[0] += 1
        if waiting[0] == 2:
            both.set()
        await both.wait()
        return Absent("status 404")

    claims = [Claim("page", url, "asserted", "publish", "q") for url in (URL, OTHER)]
    ran = [publish(), publish(url=OTHER)]
    found = await asyncio.wait_for(Pages("web").audit(turn(messages(ran)), claims, look), 5)
    assert [one.verdict for one in found] == ["contradicted", "contradicted"]


def test_what_a_result_says_is_looked_at_before_the_answer() -> None:
    policy = LIBRARY.policy(LIBRARY.open("packs", "publishing.toml"), {"web"})
    for ran, expected in (([publish()], [("verified", URL)]), ([publish("draft")], [])):
        folded = turn(messages(ran))
        (check,) = policy.told(folded.calls[-1])
        found, _ = asyncio.run(run([check], folded, web(GOOD), deadline=5))
        assert [(one.verdict, one.subject) for one in found] == expected


PAGES = {
    "/ten": Script([b"<title>Ten ways</title>"], 200, {"content-type": "text/html"}, "length"),
    "/login": Script([], 302, {"location": "/users/sign_in"}, "length"),
    "/slow": Script(hang=True),
    **{
        f"/{n}": Script([b"x"], n, {"content-type": "text/html"}, "length") for n in (401, 403, 404, 410, 429, 500, 503)
    },
}
REAL = [("/ten", "verified"), ("/404", "contradicted"), ("/410", "contradicted")]
REAL += [(path, "unverifiable") for path in ("/401", "/403", "/429", "/500", "/503", "/login", "/slow")]


@pytest.mark.parametrize(("path", "verdict"), REAL, ids=[f"57 {path}" for path, _ in REAL])
async def test_scenario_57_against_a_real_server(path: str, verdict: str) -> None:
    def serve(seen: Seen) -> Script:
        return PAGES[seen.path]

    async with ScriptedUpstream(serve) as server:
        url = server.url.removesuffix("/v1") + path
        web = Http(["127.0.0.1"], allow_private=True, timeout=0.5)

        async def look(source: str, subject: str, question: Question = NOTHING) -> Sight:
            return await web.look(subject, question)

        claims = [Claim("page", url, "asserted", "publish", f"Published at {url}")]
        (found,) = await Pages("web").audit(turn(messages([publish(url=url)])), claims, look)
        assert (found.verdict, found.subject) == (verdict, url)


WORDS = st.sampled_from(
    [
        "published",
        "draft",
        "live",
        "scheduled",
        "at",
        "is",
        "the post",
        "not",
        URL,
        OTHER,
        ".",
        "?",
        "I",
        "as a draft",
        "\n- ",
        ":",
    ]
)
RESULTS = st.sampled_from(
    [
        "",
        "{",
        "null",
        "[]",
        '{"status": 3}',
        '{"url": ["x"]}',
        '{"output": {"url": "https://["}}',
        '{"status": "ok"}',
        "HTTP 500",
    ]
)


@settings(max_examples=150, deadline=None)
@given(st.lists(WORDS, max_size=12), st.lists(RESULTS, min_size=1, max_size=3))
def test_never_raises_and_never_accuses_without_evidence(words: list[str], results: list[str]) -> None:
    ran: list[Ran] = [("blog.publish", {"title": "T"}, result) for result in results] + [("deploy", {}, "done")]
    made = report(" ".join(words), ran, "timed out")
    assert made.failures == ()
    told = not any(result.startswith("HTTP 500") for result in results)
    assert not (told and [one for one in made.findings if one.verdict in FLAGGED])
