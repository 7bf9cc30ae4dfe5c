"""Whether a source's own words support a claim: those that do, and many more that must not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proxy.support import Document, checkable, misquoted, wanted
from proxy.wording import plain, sentences, tokens
from tests.proportions import in_proportion

TOWER = Document(
    "The Eiffel Tower is a wrought-iron lattice tower in Paris, France. It is named after Gustave Eiffel, whose company"
    " designed and built it from 1887 to 1889.\nThe tower is 330 metres tall. It was the first structure in the world to"
    " surpass both the 200-metre and 300-metre mark in height. About 5,889,000 people visited it in 2022. The tower does not close in"
    " winter. Unlike the Eiffel Tower, the Blackpool Tower is 158 metres tall. Entry costs up to 35 euros. The"
    " tower may be repainted in 2027. It is a myth that the Eiffel Tower was built in 1885.",
    "Eiffel Tower - Encyclopedia",
)
MUSIC = Document(
    "Apple acquired Beats Electronics in 2014 for $3 billion. Beats was founded by Jimmy Iovine. Spotify had 602 million users"
    " at the end of 2023, an increase of 23% over the year. “We did not expect this at all,” said Daniel Ek. Profits fell by"
    " 12% in 2020. Dr. Dre was born in Compton. Version 2.1.3 fixes the bug. More than 40 countries took part. The merger"
    " was approved in May 2015."
)

SUPPORTED = [
    (TOWER, "The Eiffel Tower is 330 m tall."),
    (TOWER, "The Eiffel Tower is 330 metres tall."),
    (TOWER, "The **Eiffel Tower** is\n330 metres tall"),
    (TOWER, "The Eiffel Tower was built from 1887 to 1889 by the company of Gustave Eiffel."),
    (TOWER, "The Eiffel Tower was the first structure to surpass the 300-metre mark."),
    (TOWER, "About 5.889 million people visited the Eiffel Tower in 2022."),
    (TOWER, "The Eiffel Tower does not close in winter."),
    (MUSIC, "Apple acquired Beats Electronics in 2014."),
    (MUSIC, "In 2014, Apple acquired Beats Electronics for 3 billion dollars."),
    (MUSIC, "Beats Electronics was acquired by Apple in 2014 for $3,000,000,000."),
    (MUSIC, "Spotify had 602 million users at the end of 2023."),
    (MUSIC, "Spotify's users increased by 23 percent in 2023."),
    (MUSIC, 'Daniel Ek said "we did not expect this at all".'),
    (MUSIC, "Dr. Dre was born in Compton."),
    (MUSIC, "Version 2.1.3 fixes the bug."),
    (MUSIC, "More than 40 countries took part."),
    (MUSIC, "Profits fell by 12% in 2020."),
]

NOT_SUPPORTED = [
    ("another number", TOWER, "The Eiffel Tower is 331 m tall."),
    ("another unit", TOWER, "The Eiffel Tower is 330 feet tall."),
    ("somebody else's number", TOWER, "The Eiffel Tower is 158 metres tall."),
    ("another name", TOWER, "The London Tower is 330 metres tall."),
    ("another name, one word", TOWER, "Blackpool is 330 metres tall and in France."),
    ("denied", TOWER, "The Eiffel Tower is not 330 metres tall."),
    ("the source denies", TOWER, "The Eiffel Tower closes in winter."),
    ("the other end", TOWER, "The Eiffel Tower was the last structure to surpass the 300-metre mark."),
    ("only", TOWER, "The Eiffel Tower is the only lattice tower in Paris, France."),
    ("in a comparison, for which it takes a reader", TOWER, "The Blackpool Tower is 158 metres tall."),
    ("up to", TOWER, "Entry to the Eiffel Tower costs 35 euros."),
    ("maybe", TOWER, "The Eiffel Tower was repainted in 2027."),
    ("a myth", TOWER, "The Eiffel Tower was built in 1885."),
    ("two sentences mixed", TOWER, "The Eiffel Tower is 330 metres tall and opened in 2022."),
    ("another year", MUSIC, "Apple acquired Beats Electronics in 2015."),
    ("another magnitude", MUSIC, "Apple acquired Beats Electronics in 2014 for $3 million."),
    ("the other way round", MUSIC, "Beats Electronics acquired Apple in 2014."),
    ("another deed", MUSIC, "Apple sued Beats Electronics in 2014."),
    ("another person", MUSIC, "Beats was founded by Jimmy Carter."),
    ("the opposite", MUSIC, "Profits rose by 12% in 2020."),
    ("a decrease", MUSIC, "Spotify's users decreased by 23 percent in 2023."),
    ("other words in a quotation", MUSIC, 'Daniel Ek said "we did expect this after all".'),
    ("a quotation of somebody else", MUSIC, 'Jimmy Iovine said "we did not expect this at all".'),
    ("a number without its bound", MUSIC, "40 countries took part."),
    ("another version", MUSIC, "Version 2.1.4 fixes the bug."),
    ("a place", MUSIC, "Dr. Dre was born in Detroit."),
    ("rejected", MUSIC, "The merger was rejected in May 2015."),
    ("nothing of it", MUSIC, "Mount Everest is 8,849 m high."),
    ("nothing to hold it to", MUSIC, "This is nice."),
    ("empty", MUSIC, ""),
]


@pytest.mark.parametrize(("source", "claim"), SUPPORTED, ids=[row[1][:40] for row in SUPPORTED])
def test_what_a_source_says(source: Document, claim: str) -> None:
    passage = source.passage(claim)
    assert passage
    assert passage.rstrip("…") in " ".join(source.text.split())


@pytest.mark.parametrize(("source", "claim"), [row[1:] for row in NOT_SUPPORTED], ids=[row[0] for row in NOT_SUPPORTED])
def test_what_a_source_does_not_say(source: Document, claim: str) -> None:
    assert source.passage(claim) == ""


@pytest.mark.parametrize(
    "sentence",
    [
        "Is the Golden Gate Bridge 2,737 m long?",
        "The Golden Gate Bridge was planned to be 2,737 m long.",
        "If the Golden Gate Bridge were 2,737 m long, it would sink.",
        "Contrary to belief, the Golden Gate Bridge isn't 2,737 m long.",
        "The Golden Gate Bridge is less than 2,737 m long.",
        "The Golden Gate Bridge is reportedly 2,737 m long.",
        "The Bay Bridge is 2,737 m long, and near the Golden Gate Bridge.",
        "The Golden Gate Bridge opened. Another one is 2,737 m long.",
        "The Golden Gate Bridge is long; Tower Bridge is 2,737 m long.",
        "Golden Gate Bridge, 12,737 m long",
    ],
)
def test_words_that_only_look_like_it(sentence: str) -> None:
    assert Document(sentence).passage("The Golden Gate Bridge is 2,737 m long.") == ""


BUILDINGS = [
    ("Burj Khalifa", 828, 2010, "Dubai"),
    ("Shanghai Tower", 632, 2015, "Shanghai"),
    ("Clock Tower", 601, 2012, "Mecca"),
    ("Willis Tower", 442, 1974, "Chicago"),
    ("Empire State Building", 381, 1931, "New York"),
]
LAYOUTS = {
    "{n} in {c} is {h} metres tall and was completed in {y}. ": 20,
    "The {n} stands in {c}. It is {h} metres tall. It was completed in {y}. ": 25,
    "Completed in {y}, the {n} in {c} reaches {h} metres. ": 5,
    "The {n} is {h} m tall; ": 6,
    "the {n} ({h} m, {y}, {c}), ": 0,
    "At {h} m, the {n} of {c} is well known. ": 0,
    "- {n}: {h} metres, completed in {y}, {c}\n": 5,
    "{n} ({h} m) was followed by ": 0,
    "{n} {c} {h} m {y}\n": 0,
}
SAID = [
    *("The {n} is {h} metres tall.", "The {n} was completed in {y}.", "The {n} in {c} is {h} m tall."),
    *("Completed in {y}, the {n} is {h} m tall.", "The {n} stands in {c}.", "{c}'s {n} reaches {h} metres."),
]


@pytest.mark.parametrize("title", ["", "Burj Khalifa", "Shanghai Tower"])
@pytest.mark.parametrize("layout", LAYOUTS, ids=[one[:20] for one in LAYOUTS])
def test_no_fact_of_one_is_given_to_another(layout: str, title: str) -> None:
    """Every fact of every building against every other's; few true ones are missed where sentences say them plainly."""
    facts = [dict(zip("nhyc", building, strict=True)) for building in BUILDINGS]
    source = Document("".join(layout.format(**fact) for fact in facts), title)
    short = Document(("x. " * 2_000) + source.text, title)
    held = 0
    for fact in facts:
        for claim in SAID:
            true = claim.format(**fact)
            held += bool(source.passage(true))
            for other in facts:
                for taken in ({"h"}, {"y"}, {"c"}, {"h", "y", "c"}):
                    false = claim.format(**{**fact, **{key: other[key] for key in taken}})
                    if false != true:
                        assert source.passage(false) == "", false
                        assert Document(short.excerpt(false), title).passage(false) == "", false
    assert held >= LAYOUTS[layout]


def test_an_it_means_what_was_named_last_and_first() -> None:
    source = Document("The Eiffel Tower in Paris faces the Montparnasse Tower. It is 330 m tall.", "Montparnasse Tower")
    assert source.passage("The Eiffel Tower is 330 m tall.")
    assert source.passage("The Montparnasse Tower is 330 m tall.") == ""


def test_scripts_without_spaces_are_compared_sign_for_sign() -> None:
    source = Document("珠穆朗玛峰位于喜马拉雅山脉。珠穆朗玛峰 海拔 8848 米。富士山は本当に3776メートルですか？")
    assert source.passage("珠穆朗玛峰海拔8848米")
    assert source.passage("珠穆朗玛峰海拔8849米") == ""
    assert source.passage("富士山は本当に3776メートルですか") == ""
    assert source.passage("海拔") == ""


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("Paris has 2 million inhabitants.", True),
        ("Marie Curie won the Nobel Prize.", True),
        ('He wrote "to be or not to be".', True),
        ("This is a good idea.", False),
        ("It works now.", False),
        ("12", False),
        ("", False),
    ],
)
def test_what_can_be_held_to_a_source(claim: str, expected: bool) -> None:
    assert checkable(claim) == expected


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("1,234.50 and 3,5 and 1.5", ["1234.5", "3.5", "1.5"]),
        ("2.1.3", ["2.1.3"]),
        ("3 million, 3.2bn, 5 thousand", ["3E+6", "3.2E+9", "5E+3"]),
        ("twelve apostles", ["12"]),
        ("330.0 m", ["3.3E+2"]),
        ("330", ["3.3E+2"]),
    ],
)
def test_numbers_however_spelled(text: str, numbers: list[str]) -> None:
    assert [one.number for one in tokens(text) if one.number] == numbers


def test_units_beside_a_number() -> None:
    assert [one.unit for one in tokens("$5 5% 5 percent 5 km 5 apples €3 million 3 million euros") if one.number] == (
        ["$", "%", "%", "km", "", "€", "€"]
    )


def test_names_are_runs_of_capitals() -> None:
    want = wanted("In 1920, Marie Curie met Albert Einstein in Brussels. Then NASA called.")
    assert set(want.names) == {("marie", "curie"), ("albert", "einstein"), ("brussels",), ("nasa",)}


def test_sentences_end_where_they_do() -> None:
    text = "Dr. Smith met J. K. Rowling at 3.5 p.m. in approx. 10 minutes. It rained! Did it? Yes.\nA line\n\nAnother"
    assert [text[a:b].strip() for a, b in sentences(text)] == [
        "Dr. Smith met J. K. Rowling at 3.5 p.m. in approx. 10 minutes.",
        "It rained!",
        "Did it?",
        "Yes.",
        "A line",
        "Another",
    ]


def test_plain_text_has_a_line_for_each_paragraph() -> None:
    text = "# Head\nOne\ntwo [three](http://x.y/z) ![i](p.png)\n\n- item\n  more\n1. first\n| a | b |\n> said"
    assert plain(text).split("\n") == ["# Head", "One two three", "- item more", "1. first", "| a | b |", "> said"]


def test_an_excerpt_still_supports_what_the_whole_does() -> None:
    filler = " ".join(f"Sentence number {n} speaks of nothing much at all." for n in range(3_000))
    long = Document(f"{filler}\n{TOWER.text}\n{filler}", TOWER.title)
    for source, claim in SUPPORTED:
        if source is TOWER:
            excerpt = long.excerpt(claim)
            assert len(excerpt) < 4_000
            assert Document(excerpt, TOWER.title).passage(claim), claim
    for _, source, claim in NOT_SUPPORTED:
        if source is TOWER:
            assert Document(long.excerpt(claim), TOWER.title).passage(claim) == "", claim


QUOTE = "the committee found that the bridge was unsafe in high winds"


@pytest.mark.parametrize(
    ("claim", "texts", "others", "expected"),
    [
        (f'It says "{QUOTE}".', [f"Then {QUOTE}, it added."], [], None),
        (f'It says "{QUOTE}".', ["Then the committee found that\n the bridge was  unsafe in\thigh winds."], [], None),
        (f'It says "{QUOTE}".', ["The committee found that the bridge was safe in high winds."], [], 0),
        (f'It says "{QUOTE}".', ["x", "The committee found that the bridge was safe in high winds."], [], 1),
        (f'It says "{QUOTE}".', ["The committee found that the bridge was safe in high winds.", QUOTE], [], None),
        (f'It says "{QUOTE}".', ["The committee found that the bridge was safe in high winds."], [QUOTE], None),
        (f'It says "{QUOTE}".', ["Nothing of the kind is said here, whatever the bridge."], [], None),
        (f"It says {QUOTE}.", ["The committee found that the bridge was safe in high winds."], [], None),
        ('It is "unsafe in winds".', ["It is safe in winds."], [], None),
        ('It says "the committee … was unsafe in high winds".', ["the committee was safe in high winds"], [], None),
        (f'It says "{QUOTE}".', [], [], None),
        (f'It says "{QUOTE}".', [""], [], None),
    ],
)
def test_quotations_with_other_words(claim: str, texts: list[str], others: list[str], expected: int | None) -> None:
    found = misquoted(claim, texts, others)
    assert (found[0] if found else None) == expected
    if found:
        assert "safe in high winds" in found[1]


@pytest.mark.parametrize(
    "unit",
    [".", "a. ", "A", "1,", '"', "[", "![", "[a](", "\n", "Eiffel Tower 330 ", " ", "9", "The Eiffel ", "…", "a\n"],
)
def test_hostile_texts_cost_little(unit: str) -> None:
    def look(times: int) -> None:
        text = unit * times
        document = Document(plain(text), text[:300])
        document.passage("The Eiffel Tower is 330 m tall.")
        document.excerpt("The Eiffel Tower is 330 m tall.")
        misquoted(f'It says "{QUOTE}".', [text])
        wanted(text)

    assert in_proportion(look, 60_000 // len(unit))


@given(st.text(max_size=300), st.text(max_size=300))
def test_no_text_breaks_it(claim: str, source: str) -> None:
    document = Document(plain(source), claim)
    passage = document.passage(claim)
    assert isinstance(document.excerpt(claim, 50), str)
    assert passage == "" or checkable(claim)
