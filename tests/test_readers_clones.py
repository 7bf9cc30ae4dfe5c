"""What of an answer is read as a claim about a clone."""

from __future__ import annotations

import pytest

from proxy.reading import Reading
from tests.transcripts import lexicon

FIRES = [
    ("The repository has 407 files.", ["count 407"]),
    ("There are 1,407 files in the repo.", ["count 1,407"]),
    ("Cloned acme/web (407 files).", ["count 407"]),
    ("- Files: 407", ["count 407"]),
    ("It is on branch `main`.", ["branch main"]),
    ("I checked out the `dev` branch.", ["branch dev"]),
    ("The clone is on branch release/1.2.", ["branch release/1.2"]),
    ("README found.", ["readme "]),
    ("The repository has a README.", ["readme "]),
    ("I cloned the repository.", ["clone "]),
    ("I pushed the commit.", ["push "]),
]
SILENT = [
    "I changed 3 files.",
    "3 files changed in the last commit.",
    "The repository has 12 files under `src`.",
    "I read 5 files of the repository.",
    "Does the repository have a README?",
    "No README was found.",
    "I could not clone the repository.",
    "If I cloned the repository, it would have 407 files in the repo.",
    "```\nCloned the repository (407 files)\n```",
    "> The repository has 407 files.",
    "You can run `git clone` to get it.",
    "I will work on branch `main`.",
    "The repo isn't on branch `main`.",
    "Version 4.07 files are listed in the repository.",
]


def asserted(answer: str) -> list[str]:
    claims = Reading(answer, lexicon()).claims(frozenset({"clone"}))
    return [f"{one.act} {one.subject}" for one in claims if one.stance == "asserted"]


@pytest.mark.parametrize(("answer", "expected"), FIRES)
def test_claims_about_clones(answer: str, expected: list[str]) -> None:
    assert asserted(answer) == expected


@pytest.mark.parametrize("answer", SILENT)
def test_what_is_no_claim(answer: str) -> None:
    assert asserted(answer) == []
