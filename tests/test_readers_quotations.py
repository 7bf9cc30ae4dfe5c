"""Quotations of sources in the forms in which models give them, and what only looks like one (scenario 113)."""

from __future__ import annotations

import pytest

from proxy.reading import Reading
from tests.proportions import in_proportion
from tests.test_grounding import verdicts
from tests.transcripts import Ran, lexicon

PAGE: Ran = (
    "fetch_url",
    {"url": "https://docs.example.com/limits"},
    "# Limits\n\nEvery key may send 500\nrequests in a minute. Keys that exceed the [limit](https://docs.example.com/limit) are paused"
    " for ten minutes, and the owner is told by mail. The team&#39;s dashboard shows <b>current</b> usage for every key. They are not"
    " deleted auto-\nmatically.\n\nDer Schlüssel wird für zehn Minuten gesperrt, und der Besitzer erfährt es per Mail.",
)
FORMS = [
    "According to the docs, '%s'",
    "The docs say:\n\n> %s\n",
    "> %s\n> — the limits page",
    "> %s\n\n— [Limits](https://docs.example.com/limits)",
    "As the limits page puts it, ‘%s’",
    "The page warns: “%s”",
    "„%s“ heißt es auf der Seite.",
    "Laut der Dokumentation: „%s“",
    "Selon la page, « %s »",
    '"%s" according to the docs.',
    "“%s,” says the limits page.",
    'In the docs\' own words: "%s"',
    'The documentation is clear: "%s"',
    '**From the page:** "%s"',
    'The limits page puts it like this:\n> "%s"',
    '‹x› the page adds that "%s"',
    'According to the docs, "%s"',
]
SAME = [
    "Every key may send  500 requests in a minute.",
    "every key may send 500 requests in a minute",
    "Every key may send\u00a0500 requests in a minute.",
    "[E]very key may send **500** requests in a minute.",
    "Every key may send 500 requests in a minute. … Keys that exceed the limit are paused",
    "The team’s dashboard shows current usage for every key.",
    "They are not deleted automatically",
]
OTHER = ["Every key may send 900 requests in a minute.", "Every key may send 500 requests in an hour."]
ALONE = [
    'The page describes a "limit that pauses every key for some minutes" approach, in my words.',
    'The page says (paraphrasing) "keys over the limit get paused for ten minutes".',
    'The article "Why every key should have a limit of requests in a minute" explains the reason.',
    'Some people claim "keys that exceed the limit are deleted for good"; the docs say otherwise.',
    'The docs should read: "Every key may send 500 requests in a minute and is then paused".',
    "Here is the sentence for your FAQ:\n\n> Every key may send 500 requests in a minute; keys that exceed it are paused.\n",
    "Post:\n\n> Did you know? Every key may send 500 requests in a minute, and keys that exceed it are paused!\n",
    "Blog post:\n\n> Every key may send 500 requests in a minute, and the rest is paused!\n>\n> — The Platform Team",
    'Here is the article: "Every key may send 500 requests in a minute, and keys that exceed it are paused."',
    'The report: "Keys may send 500 requests each minute and are paused for ten minutes when they exceed it."',
    "> **Tip:** every key may send 500 requests, so keys that exceed the limit wait.\n\nSource: https://docs.example.com/limits",
    'FAQ: "How many requests may every key send in a minute?" Answer: 500.',
    'The page does not say "every key may send 900 requests in a minute".',
    'Does the page say "every key may send 900 requests in a minute"?',
    'If the docs say "every key may send 900 requests in a minute", they are outdated.',
    "Here is a draft reply:\n\n> Every key may send 500 requests per minute, and keys beyond the limit are paused.\n",
    'You could write: "Every key may send up to 500 requests each minute."',
    "In short, the docs say 'keys that exceed the limit get paused for ten minutes'? Roughly.",
    "The docs say:\n\n> [K]eys that exceed the limit are paused for ten minutes … and the owner is told by mail.\n",
    'The docs say "[k]eys that exceed the limit are paused for ten minutes".',
    'The docs say "The team\'s dashboard shows current usage for every key".',
    'The page says: "The team’s dashboard shows current usage for every key."',
    "Translated, the page says: „Jeder Schlüssel darf 500 Anfragen in einer Minute senden.“",
    "The so-called 'pause for ten minutes rule' applies, the docs say.",
    "> **Note:** keys that exceed the limit are paused for ten minutes.\n",
    'I searched for "every key may send requests per minute limit" and the docs say 500.',
    "The headline says 'Limits of every key and what happens when requests exceed them'.",
    "My summary of the page:\n\n> Each key may send 500 requests a minute; exceeding keys are paused ten minutes and owners mailed.\n",
    "The page says, and I paraphrase, 'every key gets five hundred requests in each minute'.",
    "> Every key may send 500 requests in a minute.\n> Keys that exceed the limit are paused for ten minutes, and the owner is told by mail.\n\nSource: docs",
    "The docs' advice, in other words: 'do not exceed 500 requests in a minute per key or be paused'.",
    "The error says 'it isn't allowed to exceed the limit'.",
    'Set the banner to say "Every key may send 700 requests in a minute".',
    'The docs no longer say "every key may send 900 requests in a minute".',
    'Nothing on the page states that "every key may send 900 requests in a minute".',
    'The user\'s question was "may every key send 900 requests in a minute?"',
    "The docs say 'no account will ever be billed for traffic between regions'.",
    "The page puts it so:\n\n> Accounts are never billed for traffic between two regions.\n",
]


def told(answer: str, *more: Ran) -> list[str]:
    return [one.split()[0] for one in verdicts(answer, [PAGE, *more]) if "http" not in one]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("words", SAME)
def test_the_same_words_otherwise_spaced(form: str, words: str) -> None:
    assert set(told(form % words)) <= {"verified"}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("words", OTHER)
def test_other_words(form: str, words: str) -> None:
    assert told(form % words) == ["unsupported"]


@pytest.mark.parametrize("answer", ALONE)
def test_what_is_no_quotation_or_is_none_of_what_was_seen(answer: str) -> None:
    assert set(told(answer)) <= {"verified"}


def test_what_it_wrote_itself_may_be_quoted() -> None:
    wrote: Ran = (
        "write_file",
        {"path": "a.md", "content": "No key may\never send more than 900 requests."},
        {"success": True},
    )
    assert told('The guide now says "no key may ever send more than 900 requests".', wrote) == ["verified"]


@pytest.mark.parametrize(
    ("start", "unit", "end"),
    [("", "> docs say\n", ""), ("", "„", ""), ("", "'a", ""), ("", "’", ""), ("docs say \"", "a ", "\""), ("", "as a ", "puts it"),
     ("", "in a words ", ""), ("", "no a ", "\"" + "a" * 30 + "\""), ("", "says ", "\"" + "a" * 30 + "\""), ("", "\"" + "a " * 15 + "\"", "")],
)  # fmt: skip
def test_a_long_text_takes_no_long_time(start: str, unit: str, end: str) -> None:
    def read(times: int) -> object:
        return Reading(start + unit * times + end, lexicon()).claims(frozenset({"quotation"}))

    assert in_proportion(read, 30_000 // len(unit))
