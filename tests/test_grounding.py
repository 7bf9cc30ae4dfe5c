"""The auditor of groundings: scenarios 107 to 113, from the transcript and by looking at a cited page."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proxy import ledger
from proxy.answers import examine
from proxy.audit import NOTHING, Absent, Look, Present, Question, Sight, Unknown
from proxy.library import Library
from proxy.tables import Source
from proxy.transcript import Answer
from tests.transcripts import ROOT, Ran, messages, transcript

LIBRARY = Library(ROOT / "policies")
SEARCH: Ran = (
    "mcp__web__web_search",
    {"query": "limits"},
    {
        "results": [
            {"url": "https://www.Docs.example.com/limits/", "snippet": "Every key may send 500 requests in a minute."},
            {"url": "https://en.example.org/wiki/Mercury_(planet)", "snippet": "It’s the planet\nnearest to the Sun"},
            {"url": "https://shop.example.net/caf%C3%A9?id=7&utm_source=x", "snippet": "Opening hours: 9–17"},
        ]
    },
)


def grounded(considered: int, done: int, **more: Any) -> Ran:
    output = {
        "considered": considered,
        "grounded": done,
        "skipped": [{"claim": str(n), "reason": "no source"} for n in range(considered - done)],
        "grounding": [{"claim": str(n), "url": f"https://a.example/{n}"} for n in range(done)],
        **more,
    }
    return "helmdeck__content-ground", {"text": "…"}, {"pack": "content.ground", "version": "1", "output": output}


def verdicts(
    answer: str,
    ran: list[Ran],
    *,
    look: Look | None = None,
    user: str = "What are the limits?",
    system: str = "",
    before: list[dict[str, Any]] | None = None,
    pack: str = "research",
) -> list[str]:
    sources = {"web"} if look is not None else set()
    policy = LIBRARY.policy(Source("t.toml", f'extends = ["{pack}"]\n'), sources)

    async def never(source: str, subject: str, question: Question = NOTHING) -> Sight:
        raise AssertionError("no source is configured")

    head = [{"role": "system", "content": system}] if system else []
    request = transcript([*head, *(before or []), *messages(ran, user=user)])
    turn = ledger.read_turn(request, policy.marks)
    report = asyncio.run(examine(policy, request, turn, Answer(0, answer, "stop"), look or never, audit_id="a"))
    assert not report.failures
    return [
        f"{one.verdict} {one.subject}" for one in report.findings if one.rule in ("citations", "grounding", "published")
    ]


COUNTS = [
    ("5 of 5 claims grounded.", grounded(5, 5), ["verified claims grounded"]),
    ("5 of 5 claims grounded.", grounded(5, 2), ["contradicted claims grounded"]),
    ("All claims are grounded.", grounded(5, 2), ["contradicted claims grounded"]),
    ("All claims in the draft were grounded.", grounded(5, 2), ["contradicted claims grounded"]),
    ("Not all claims in the draft were grounded.", grounded(5, 2), []),
    ("The claims in the draft that were grounded have links.", grounded(5, 2), []),
    ("All claims are grounded.", grounded(3, 3), ["verified claims grounded"]),
    ("All 5 claims are grounded.", grounded(3, 3), ["contradicted claims grounded"]),
    ("2 of 5 claims grounded, 3 skipped.", grounded(5, 2), ["verified claims grounded", "verified claims skipped"]),
    ("2 claims were grounded, 1 skipped.", grounded(5, 2), ["verified claims grounded", "contradicted claims skipped"]),
    ("2 of 9 claims grounded.", grounded(5, 2), ["qualified claims grounded"]),
    ("All claims have been checked.", grounded(5, 5, truncated=True), ["qualified claims checked"]),
    ("All claims have been checked.", grounded(5, 4), ["verified claims checked"]),
    ("All claims are grounded.", grounded(5, 5, grounding=[{}]), ["qualified claims grounded"]),
    ("All claims are grounded, though 3 claims could not be grounded.", grounded(5, 2), []),
    ("3 of 5 claims could not be grounded.", grounded(5, 2), []),
    ("Should all claims be grounded?", grounded(5, 2), []),
    ("Not all claims are grounded.", grounded(5, 2), []),
    (
        "All claims are grounded.",
        ("content.ground", {}, {"error": "the search service did not answer"}),
        ["contradicted claims grounded"],
    ),
    ("All claims are grounded.", ("content.ground", {}, {"grounded_text": "…"}), []),
]


@pytest.mark.parametrize(("answer", "ran", "expected"), COUNTS)
def test_how_many_were_grounded(answer: str, ran: Ran, expected: list[str]) -> None:
    assert verdicts(answer, [ran], pack="helmdeck") == expected


@pytest.mark.parametrize("answer", ["7 claims grounded.", "5 of 5 claims grounded.", "All claims are grounded."])
def test_two_groundings_count_together_and_one_by_one(answer: str) -> None:
    assert verdicts(answer, [grounded(5, 5), grounded(2, 2)], pack="helmdeck") == ["verified claims grounded"]


SAME = [
    "https://docs.example.com/limits",
    "https://docs.example.com/limits/#rate",
    "http://docs.example.com/limits?utm_campaign=a",
    "https://en.example.org/wiki/Mercury_(planet)",
    "https://en.example.org/wiki/Mercury_%28planet%29",
    "https://shop.example.net/café?id=7",
    "https://en.example.org/wiki",
]


@pytest.mark.parametrize("url", SAME)
def test_one_page_has_many_spellings(url: str) -> None:
    assert verdicts(f"So it is ([source]({url})).", [SEARCH]) == [f"verified {url}"]


GUIDE: Ran = ("fetch", {"url": "https://d.dev/l"}, "See [it](https://d.dev/guide?x=1&amp;y=2), limits: 300 a minute.")


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("siehe https://d.dev/l。", ["verified https://d.dev/l"]),
        ("见https://d.dev/l，上限是300。", ["verified https://d.dev/l"]),
        ("（https://d.dev/l）", ["verified https://d.dev/l"]),
        ("「https://d.dev/l」", ["verified https://d.dev/l"]),
        ("„https://d.dev/l“ says 300.", ["verified https://d.dev/l"]),
        ("See <https://d.dev/guide?x=1&y=2>.", ["verified https://d.dev/guide?x=1&y=2"]),
        ("See https://d.dev/guide?x=1&amp;y=2 for it.", ["verified https://d.dev/guide?x=1&amp;y=2"]),
        ("siehe https://d.dev/q。", ["unsupported https://d.dev/q"]),
        ("See <https://d.dev/guide?x=1&y=3>.", ["unsupported https://d.dev/guide?x=1&y=3"]),
    ],
)
def test_scenario_110_what_is_no_part_of_a_url(answer: str, expected: list[str]) -> None:
    assert verdicts(answer, [GUIDE]) == expected


@pytest.mark.parametrize(
    ("url", "template"),
    [
        ("https://your-domain.example/hook", True),
        ("https://yourdomain.com/hook", True),
        ("https://api.your-company.com/v1", True),
        ("https://myserver.example.com:8443/x", True),
        ("https://company.example.com", True),
        ("https://docs.example.com/quotas", False),
        ("https://api.example.org/v1", False),
        ("https://yourstory.com/a", False),
        ("https://yourbasic.org/golang", False),
        ("https://myspace.com/a", False),
        ("https://domain.com/a", False),
        ("https://host.io/a", False),
        ("https://d.dev/your-domain.example/hook", False),
    ],
)
def test_scenario_110_an_address_to_be_filled_in_cites_nothing(url: str, template: bool) -> None:
    assert verdicts(f"The limit is 300 ({url}).", [GUIDE]) == ([] if template else [f"unsupported {url}"])


OTHER = "https://docs.example.com/quotas"


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({}, ["unsupported " + OTHER]),
        ({"user": f"Read {OTHER}, please."}, ["verified " + OTHER]),
        ({"system": "Our pages: docs.example.com/quotas"}, ["verified " + OTHER]),
        (
            {"before": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": OTHER}]},
            ["unsupported " + OTHER],
        ),
        ({"before": [*messages([("pack-result", {}, {"output": {"link": OTHER}})], first=30)]}, ["verified " + OTHER]),
        (
            {"before": [{"role": "tool", "tool_call_id": "gone", "content": "a result without its call"}]},
            ["unverifiable " + OTHER],
        ),
    ],
)
def test_who_may_have_named_a_url(more: dict[str, Any], expected: list[str]) -> None:
    assert verdicts(f"The quota is 500 ({OTHER}).", [SEARCH], **more) == expected


@pytest.mark.parametrize(
    ("answer", "ran"),
    [
        (f"See {OTHER}.", []),  # nothing was looked up
        (f"See {OTHER}.", [("read_file", {"path": "a.md"}, "text")]),
        (f"You can sign up at {OTHER}.", [SEARCH]),
        (f"Is it at {OTHER}?", [SEARCH]),
        (f"I found nothing at {OTHER}, which does not exist.", [SEARCH]),
        (f"I couldn't open {OTHER} at all.", [SEARCH]),
        (f"```\ncurl {OTHER}\n```", [SEARCH]),
        ("Call https://api.example.com/v1/{id}/quotas with your key.", [SEARCH]),
        ("It listens at http://localhost:8080/x, http://127.0.0.1/ and http://nas/x.", [SEARCH]),
        ("The page says 500 requests.", [SEARCH]),
    ],
)
def test_urls_that_nobody_is_asked_for(answer: str, ran: list[Ran]) -> None:
    assert verdicts(answer, ran) == []


def test_a_result_that_was_cut_off_may_have_named_it() -> None:
    ran: Ran = ("web_search", {}, '{"results": [{"url": "https://docs.example.com/li')
    assert verdicts(f"It is 500 ({OTHER}).", [ran]) == ["unverifiable " + OTHER]


@pytest.mark.parametrize(
    ("sight", "verdict"),
    [
        (Present({"status": 200}), "verified"),
        (Absent("404"), "unsupported"),
        (Unknown("deadline"), "unverifiable"),
    ],
)
def test_a_page_that_nobody_named_is_looked_at(sight: Sight, verdict: str) -> None:
    asked: list[str] = []

    async def look(source: str, subject: str, question: Question = NOTHING) -> Sight:
        asked.append(subject)
        return sight

    assert verdicts(f"It is 500 ({OTHER}, {SAME[0]}).", [SEARCH], look=look) == [
        f"verified {SAME[0]}",
        f"{verdict} {OTHER}",
    ]
    assert asked == [OTHER]


QUOTES = [
    ('According to the docs, "every key may send 500\u00a0requests in a minute."', ["verified"]),
    ('The docs say "Every key may send 500 requests ... in a minute".', ["verified"]),
    ("As the page puts it: “it's the planet nearest to the sun”.", ["verified"]),
    ('According to the docs, "every key may send 900 requests in a minute."', ["unsupported"]),
    (f'"No key may send that many requests at all" ([docs]({SAME[0]})).', ["verified", "unsupported"]),
    ('Name it "my very first little test project" if you like.', []),
    ('According to the docs, "rate limits" apply.', []),
    ('I would say "no key may send that many requests at all".', []),
    ('```\nAccording to the docs, "no key may send that many requests"\n```', []),
    ('> According to the docs, "no key may send that many requests"', []),
]


@pytest.mark.parametrize(("answer", "expected"), QUOTES)
def test_quotations(answer: str, expected: list[str]) -> None:
    assert sorted(one.partition(" ")[0] for one in verdicts(answer, [SEARCH])) == sorted(expected)


@given(st.text(alphabet='https:/.()[]{}"“” according to12\n', max_size=300), st.integers(0, 5))
@settings(max_examples=60, deadline=None)
def test_any_answer_can_be_read(answer: str, done: int) -> None:
    for one in verdicts(answer, [SEARCH, grounded(5, done)], pack="research"):
        assert one.partition(" ")[0] in ("verified", "qualified", "contradicted", "unsupported", "unverifiable")
