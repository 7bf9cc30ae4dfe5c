"""Claims found by a document's own bytes, and citations that are written nowhere but behind them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proxy.citations import Asked, Layout, citation, cite, place, target
from tests.proportions import in_proportion

CLAIM = "The tower is 330 m tall."
URL = "https://e.org/tower"


def patched(text: str, *claims: str, limit: int = 8, url: str = URL) -> str:
    placed, _ = place(text, [Asked(one) for one in claims], limit)
    return cite(text, [(one.end, one.end, citation(url)) for one in placed])


PLACED: list[tuple[str, str, str, str]] = [
    ("sign for sign", f"A. {CLAIM} B.", CLAIM, f"A. {CLAIM} [source]({URL}) B."),
    (
        "its own white space",
        "The tower\r\n  is 330\tm tall. B.",
        CLAIM,
        f"The tower\r\n  is 330\tm tall. [source]({URL}) B.",
    ),
    ("white space around it", f"A. {CLAIM}", f"\n {CLAIM} ", f"A. {CLAIM} [source]({URL})"),
    (
        "sign for sign goes first",
        f"The tower  is 330 m tall. {CLAIM}",
        CLAIM,
        f"The tower  is 330 m tall. {CLAIM} [source]({URL})",
    ),
    ("without its full stop", CLAIM, "The tower is 330 m tall", f"The tower is 330 m tall [source]({URL})."),
    ("after a heading", f"# {CLAIM}\n\n{CLAIM}", CLAIM, f"# {CLAIM}\n\n{CLAIM} [source]({URL})"),
    ("after a bold line", f"**{CLAIM}**\n\n{CLAIM}", CLAIM, f"**{CLAIM}**\n\n{CLAIM} [source]({URL})"),
    ("after underlining", f"{CLAIM}\n====\n\n{CLAIM}", CLAIM, f"{CLAIM}\n====\n\n{CLAIM} [source]({URL})"),
    ("after a fence", f"```\n{CLAIM}\n```\n{CLAIM}", CLAIM, f"```\n{CLAIM}\n```\n{CLAIM} [source]({URL})"),
    ("after a code span", f"`{CLAIM}` {CLAIM}", CLAIM, f"`{CLAIM}` {CLAIM} [source]({URL})"),
    ("after a link", f"[{CLAIM}](http://x.y) {CLAIM}", CLAIM, f"[{CLAIM}](http://x.y) {CLAIM} [source]({URL})"),
    ("with a code span inside", "The `x` is 3. B", "The `x` is 3.", f"The `x` is 3. [source]({URL}) B"),
    ("inside emphasis", f"**{CLAIM}** B", CLAIM, f"**{CLAIM} [source]({URL})** B"),
    ("in an item", f"- {CLAIM}\n- B", CLAIM, f"- {CLAIM} [source]({URL})\n- B"),
    ("in a quotation", f"> {CLAIM}", CLAIM, f"> {CLAIM} [source]({URL})"),
    (
        "other signs are others",
        "The tower is “330 m” tall.",
        'The tower is "330 m" tall.',
        "The tower is “330 m” tall.",
    ),
    ("another case is another", CLAIM.upper(), CLAIM, CLAIM.upper()),
]


@pytest.mark.parametrize(("text", "claim", "expected"), [row[1:] for row in PLACED], ids=[row[0] for row in PLACED])
def test_a_claim_is_cited_where_it_stands(text: str, claim: str, expected: str) -> None:
    assert patched(text, claim) == expected


NEVER: list[tuple[str, str, str, str]] = [
    ("114: empty", "A text.", "", "an empty claim"),
    ("114: white space", "A text.", " \n", "an empty claim"),
    ("114: only signs", "A text...", "...", "an empty claim"),
    ("elsewhere", "A text.", CLAIM, "not in the text"),
    ("fenced", f"```md\n{CLAIM}\n```", CLAIM, "in code"),
    ("fenced and open", f"~~~\n{CLAIM}\n", CLAIM, "in code"),
    ("fenced in an item", f"- ```\n{CLAIM}\n```", CLAIM, "in code"),
    ("indented", f"A:\n\n    {CLAIM}\n    {CLAIM}", CLAIM, "in code"),
    ("a code span", f"So `x {CLAIM}` it.", CLAIM, "in code"),
    ("out of a code span", f"So `{CLAIM} B` it.", f"So `{CLAIM}", "in code"),
    ("a heading", f"## {CLAIM}", CLAIM, "in a heading"),
    ("across a heading", f"## A\n{CLAIM}", f"A\n{CLAIM}", "in a heading"),
    ("underlined", f"{CLAIM}\n---\n", CLAIM, "in a heading"),
    ("a bold line", f"**{CLAIM}**:\n", CLAIM, "in a heading"),
    ("a link's words", f"See [{CLAIM}](http://x.y).", CLAIM, "in a link"),
    ("an image's words", f"![{CLAIM}](x.png)", CLAIM, "in a link"),
    ("a reference", f"[{CLAIM}][1]", CLAIM, "in a link"),
    ("a definition", f"[1]: http://x.y '{CLAIM}'", CLAIM, "in a link"),
    ("an address", "See http://x.y/tower-330", "tower-330", "in a link"),
    ("an autolink", "See <http://x.y/tower-330>.", "tower-330", "in markup"),
    ("an element", f'<a href="x">{CLAIM}</a>', CLAIM, "in markup"),
    ("an attribute", f'<img alt="{CLAIM}">', CLAIM, "in markup"),
    ("a comment", f"<!-- {CLAIM} -->", CLAIM, "in markup"),
    ("a head", f"---\ntitle: {CLAIM}\n---\nText", CLAIM, "in markup"),
    ("a part of a word", "It is 3300 high.", "It is 330", "a part of a word"),
    ("a part of a word before", "Bathe tower is 330 m tall.", "the tower is 330 m tall.", "a part of a word"),
    ("it has a source", f"{CLAIM} [source](http://x.y)", CLAIM, "it has a source already"),
    ("it has a number", f"{CLAIM}[1]", CLAIM, "it has a source already"),
    ("it has a footnote", f"{CLAIM}[^a]", CLAIM, "it has a source already"),
    (
        "it has a source behind its stop",
        "It is 330 m tall. [source](http://x.y)",
        "It is 330 m tall",
        "it has a source already",
    ),
    (
        "it has a link",
        "The [tower](http://x.y) is 330 m tall.",
        "The [tower](http://x.y) is 330 m tall.",
        "it has a link of its own",
    ),
    ("too long", "x " * 600, "x " * 600, "too long for a claim"),
]


@pytest.mark.parametrize(("text", "claim", "reason"), [row[1:] for row in NEVER], ids=[row[0] for row in NEVER])
def test_a_claim_that_has_no_place(text: str, claim: str, reason: str) -> None:
    placed, skipped = place(text, [Asked(claim)], 8)
    assert placed == []
    assert [one.reason for one in skipped] == [reason]
    assert patched(text, claim) == text


def test_twice_named_overlapping_and_too_many() -> None:
    text = "A tower of 330 m stands in Paris. B is 5. C is 6."
    claims = [
        Asked(one)
        for one in ("A tower of 330 m", "A  tower of\n330 m", "stands in Paris.", "330 m stands", "B is 5.", "C is 6.")
    ]
    placed, skipped = place(text, claims, 5)
    assert [one.text for one in placed] == ["A tower of 330 m", "stands in Paris.", "B is 5."]
    assert [one.reason for one in skipped] == ["named twice", "inside another claim"]


def test_a_text_that_was_cited_is_not_cited_again() -> None:
    once = patched(f"A. {CLAIM} B.", CLAIM)
    assert patched(once, CLAIM) == once


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://e.org/a", "https://e.org/a"),
        ("https://e.org/a(b)c", "https://e.org/a%28b%29c"),
        ("https://e.org/a b|c", "https://e.org/a%20b%7Cc"),
        ("https://e.org/%C3%A9?q=1&r=[2]#x", "https://e.org/%C3%A9?q=1&r=%5B2%5D#x"),
        ("https://e.org/\n) evil", "https://e.org/%0A%29%20evil"),
        ("docs/a b.md", "docs/a%20b.md"),
        ("javascript:alert(1)", "javascript%3Aalert%281%29"),
        ("//evil.example", ""),
        ("/etc/passwd", ""),
        ("../x.md", ""),
        ("a/../../x.md", ""),
        ("", ""),
    ],
)
def test_addresses_as_targets(url: str, expected: str) -> None:
    assert target(url) == expected
    assert citation(url) == (f" [source]({expected})" if expected else "")


def test_edits_that_overlap_do_not_break_the_text() -> None:
    assert cite("abcdef", [(1, 3, "X"), (2, 4, "Y"), (6, 6, "!"), (0, 0, ">")]) == ">aXdef!"


@pytest.mark.parametrize(
    "text",
    [
        "`",
        "<a>",
        "[",
        "[a](",
        "```\n",
        "# a\n",
        "<",
        "a ",
    ],
)
def test_hostile_texts_cost_little(text: str) -> None:
    asked = [Asked(one) for one in ("a", "a a", "# a", "`", "a" * 900)]
    assert in_proportion(lambda times: place(text * times, asked, 8), 60_000 // len(text))


@given(st.text("ab `*#[]()<>!\n\r~-=.:/|", max_size=120), st.integers(0, 100), st.integers(1, 30))
def test_a_citation_never_changes_what_was_there(text: str, start: int, size: int) -> None:
    claim = text[start : start + size]
    assert patched(text, claim).replace(f" [source]({URL})", "", 1) == text
    placed, skipped = place(text, [Asked(claim)], 8)
    assert len(placed) + len(skipped) == 1
    for one in placed:
        assert text[one.start : one.end] == one.text
        assert Layout(text).bars(one.start, one.end) == ""
