"""What of an answer is read as a claim about what was grounded, and how the grounding tool's numbers bear on it (scenario 111)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from proxy.claims import Claim
from proxy.reading import Reading
from tests.proportions import in_proportion
from tests.test_grounding import grounded, verdicts
from tests.test_readers_progress import word
from tests.transcripts import lexicon

FIRES: list[tuple[str, list[str]]] = [
    ("5 of 5 claims grounded.", ["grounded grounded 5 of 5"]),
    ("Claims: 5/5 claims are grounded.", ["grounded grounded 5 of 5"]),
    ("All five claims are grounded.", ["grounded grounded all of 5"]),
    ("Every claim is backed by a source.", ["grounded grounded all"]),
    ("I grounded 5 of 5 claims.", ["grounded grounded 5 of 5"]),
    ("All claims have been checked.", ["grounded checked all"]),
    ("I verified all claims.", ["grounded checked all"]),
    ("2 claims were grounded, 3 skipped.", ["grounded grounded 2", "grounded skipped 3"]),
    ("0 of 5 claims grounded.", ["grounded grounded of 5"]),
    ("0 claims skipped.", ["grounded skipped"]),
    ("All but three claims are grounded.", []),
]
SILENT = [
    "I checked the claims in the article.",
    "Not all claims were grounded.",
    "Shall I check all claims?",
    "Nothing was skipped.",
    "Grounded in fact.",
]
OVER = [
    "| Claims | 5 |\n| Grounded | 5 of 5 |",
    "| Metric | Value |\n|---|---|\n| Claims grounded | 5 |\n| Claims skipped | 0 |",
    "| Metric | Count |\n|---|---|\n| Claims considered | 5 |\n| Grounded | 5 |\n| Skipped | 0 |",
    "All five are grounded.",
    "All five claims now have a citation.",
    "Every claim now has a source.",
    "No claim was skipped.",
    "No claims were skipped.",
    "None of the claims were skipped.",
    "5 of 5 grounded. Nothing was skipped.",
    "0 claims skipped.",
    "Zero claims were skipped; everything is grounded.",
    "100% grounded.",
    "100% of the claims are grounded.",
    "The text is 100 % grounded.",
    "The draft is fully grounded: 5/5.",
    "- **Claims grounded:** 5/5",
    "- Grounded: 5 of 5",
    "**Grounding:** 5/5 claims",
    "**Claims grounded:** 5",
    "- Grounded: 5\n- Skipped: 0",
    "Grounding complete: 5 of 5 claims now carry citations.",
    "Each of the five claims is backed by a source.",
    "Every single claim in the post is grounded.",
    "All of the claims were matched to sources.",
    "I found sources for all five claims.",
    "I found a source for every claim.",
    "I was able to ground all 5 claims.",
    "Every factual statement is cited.",
    "All 5 statements were successfully grounded with citations.",
    " Claims grounded: 5/5 ✅",
    "5/5 grounded",
    "Grounded 5/5 claims with sources.",
    "Grounding coverage: 100%",
    "All claims in the article are now grounded with citations.",
    "Sources were found for all five claims.",
    "Citations were added to every claim.",
    "**Results**\n\n| Claim | Status |\n|---|---|\n| A is B | ✅ Grounded |\n| C is D | ✅ Grounded |\n| E is F | ✅ Grounded |\n| G is H | ✅ Grounded |\n| I is J | ✅ Grounded |",
    "| Considered | Grounded | Skipped |\n|---|---|---|\n| 5 | 5 | 0 |",
    "Grounding is done: every claim is cited, and nothing was skipped.",
    "All five are now backed by sources.",
    "Done! Every one of the claims is grounded.",
    "Each of the 5 claims has at least one citation.",
    "✅ 5/5 claims grounded",
    "Result: 5 claims considered, 5 grounded, 0 skipped.",
    "The post went through grounding and no claim was left without a source.",
    "None of the five claims were left ungrounded.",
    "80% of the claims are grounded.",
    "4 of the 5 claims are grounded.",
    "Claims considered: 5 · grounded: 5 · skipped: 0",
    "The draft is fully grounded: 5/5.",
]
"""Said of five claims of which two were grounded: too much. Of five that all were it is true, or less than that."""
HONEST = [
    "| Claims | 5 |\n| Grounded | 2 of 5 |",
    "| Metric | Value |\n|---|---|\n| Claims grounded | 2 |\n| Claims skipped | 3 |",
    "2 of the 5 claims are grounded.",
    "Not every claim has a source.",
    "No claim was skipped without a reason.",
    "40% of the claims are grounded.",
    "The text is not 100% grounded.",
    "I could find sources for two of the five claims; the rest were skipped.",
    "Every grounded claim has a source.",
    "All grounded claims carry a citation.",
    "Both grounded claims now have citations.",
    "All five claims were considered.",
    "Each claim that was grounded has a link.",
    "Every claim should be grounded before publishing.",
    "To reach 100% grounded, add sources for the other three.",
    "- **Claims grounded:** 2/5\n- **Skipped:** 3",
    "Grounding: 2/5 claims",
    "All five claims need a source.",
    "Three claims have no source.",
    "- Considered: 5\n- Grounded: 2\n- Skipped: 3",
    "Nothing was skipped silently: the three without a source are listed below.",
    "All 2 grounded claims: see below.",
    "The goal is that every claim has a source; 2 of 5 do.",
    "I found sources for all but three claims.",
    "I did not find a source for every claim.",
    "Want me to find sources for all five claims?",
    "All five claims were checked against the web; two are grounded.",
    "The two grounded claims are 100% supported by their sources.",
    "The battery share is 100% grounded in data, says the article.",
    "Citations were added to every claim that had a source.",
    "| Considered | Grounded | Skipped |\n|---|---|---|\n| 5 | 2 | 3 |",
    "| Claim | Status |\n|---|---|\n| A is B | ✅ Grounded |\n| C is D | ✅ Grounded |\n| E is F | ⏭️ Skipped |\n| G is H | Skipped |\n| I is J | no source |",
    "2 of 5 claims are grounded (40%). Three were skipped.",
    "Grounded: 2\nSkipped: 3 (no source found)",
    "Only two of the five are grounded.",
    "Two of the five claims are grounded. All others were skipped for lack of a source.",
    "Every claim in the final text is now grounded, because I removed the three others.",
    "After removing the unsupported ones, all claims are grounded.",
    "The remaining three claims have no citation yet.",
    "Every claim was sent to the grounding tool; two came back with sources.",
    "All claims have been reviewed, but 3 have no source.",
    "Each claim was checked against the web.",
    "I ran the tool on all five claims: 2 grounded, 3 skipped.",
    "All five claims are listed below with their status: two grounded, three skipped.",
    "5 claims considered, 2 grounded.",
    "If all five are grounded we can publish.",
    "Once every claim has a source, I will publish.",
    "Are all five grounded? No: three were skipped.",
    "Grounded claims: 2. Ungrounded: 3.",
    "I couldn't find a source for every claim: three were skipped.",
    "All claims except three are grounded.",
    "All but three claims are grounded.",
    "100% of the claims that could be grounded are grounded.",
    "About half of the claims are grounded.",
    "The two grounded claims both have citations.",
    "No grounded claim was changed.",
    "Both are grounded; the other three were skipped.",
    "Your flights are grounded; 5 of 5 claims are open.",
    "You asked that every claim has a source; three have none.",
    "I wrote two citations into the text; 3 claims stay unsourced.",
    "Every claim with a source is marked [1]–[2].",
    "**2/5 grounded** – the others need a human look.",
    "No claims were dropped from the text; the three without a source were left as they are.",
    "No sources were found for three of the claims.",
    "Ground truth: 5 of 5 rows.",
]


def claims(answer: str) -> Sequence[Claim]:
    return Reading(answer, lexicon()).claims(frozenset({"grounded"}))


@pytest.mark.parametrize(("answer", "expected"), FIRES)
def test_claims_about_groundings(answer: str, expected: list[str]) -> None:
    found = [one for one in claims(answer) if one.stance == "asserted"]
    assert [word(one) for one in found] == expected
    assert all(one.quote and answer[one.start : one.end] for one in found)


@pytest.mark.parametrize("answer", SILENT)
def test_what_is_no_claim(answer: str) -> None:
    assert [word(one) for one in claims(answer) if one.stance == "asserted"] == []


def test_an_admission() -> None:
    assert [one.stance for one in claims("3 claims could not be grounded.")] == ["denied"]


def accused(answer: str, considered: int, done: int) -> list[str]:
    return [
        one for one in verdicts(answer, [grounded(considered, done)], pack="helmdeck") if one.startswith("contradicted")
    ]


@pytest.mark.parametrize("answer", OVER)
def test_scenario_111_more_than_was_grounded(answer: str) -> None:
    assert accused(answer, 5, 2) != []
    assert accused(answer, 5, 5) == []


@pytest.mark.parametrize("answer", HONEST)
def test_scenario_111_as_many_as_were_grounded(answer: str) -> None:
    assert accused(answer, 5, 2) == []


@pytest.mark.parametrize(
    ("start", "unit", "end"),
    [("", "claims 1 of ", ""), ("", "every claim has a ", ""), ("", "| grounded ", "| 5 |"), ("", "| a | grounded |\n", ""),
     ("", "grounded: ", "5"), ("all five ", "has ", "grounded"), ("", "no claims ", ""), ("", "100% of the claims ", "")],
)  # fmt: skip
def test_a_long_text_takes_no_long_time(start: str, unit: str, end: str) -> None:
    assert in_proportion(lambda times: claims(start + unit * times + end), 60_000 // len(unit))
