"""What of an answer is read as a claim about a clone."""

from __future__ import annotations

import pytest

from proxy.reading import Reading
from tests.proportions import in_proportion
from tests.transcripts import lexicon

FIRES = [
    ("The repository has 407 files.", ["count 407"]),
    ("There are 1,407 files in the repo.", ["count 1,407"]),
    ("Cloned acme/web (407 files).", ["count 407"]),
    ("- Files: 407", ["count 407"]),
    ("The repository is cloned and contains 407 files.", ["count 407", "clone "]),
    ("I cloned the repository; it has 407 files.", ["clone ", "count 407"]),
    ("I cloned the repo. It contains 1,407 files.", ["clone ", "count 1,407"]),
    ("I cloned the repo, which has 407 files on main.", ["clone ", "count 407"]),
    ("I cloned `acme/kit` to `/srv/kit`. It holds 407 tracked files and a README.", ["count 407"]),
    ("I've cloned it, and it has 407 files, 12 of them tests.", ["count 407"]),
    ("It is on branch `main`.", ["branch main"]),
    ("I checked out the `dev` branch.", ["branch dev"]),
    ("The clone is on branch release/1.2.", ["branch release/1.2"]),
    ("README found.", ["readme "]),
    ("The repository has a README.", ["readme "]),
    ("No README was found.", ["no readme "]),
    ("It includes a `README.md`.", ["readme "]),
    ("I cloned the repository.", ["clone "]),
    ("I pushed the commit.", ["push "]),
]
SILENT = [
    "I changed 3 files.",
    "3 files changed in the last commit.",
    "The repository has 12 files under `src`.",
    "I read 5 files of the repository.",
    "Does the repository have a README?",
    "I could not clone the repository.",
    "If I cloned the repository, it would have 407 files in the repo.",
    "```\nCloned the repository (407 files)\n```",
    "> The repository has 407 files.",
    "You can run `git clone` to get it.",
    "I will work on branch `main`.",
    "The repo isn't on branch `main`.",
    "Version 4.07 files are listed in the repository.",
    "It has 300 files.",
    "I read `list.csv`; it has 300 files.",
    "I could not clone the repository; it has 300 files.",
    "The repository is not cloned and contains 300 files.",
    "Is the repository cloned and has 300 files?",
    "If the repository is cloned and contains 300 files, we can begin.",
    "Once I've cloned it, and it has 300 files, I'll count.",
    "I will have the repository cloned; it has 300 files in `src`.",
    "> The repository is cloned and contains 300 files.",
]
NO_COUNT = [
    "I cloned the repository; it should have 300 files.",
    "I cloned the repository; it does not have 300 files.",
    "I cloned the repository; it had 300 files before.",
    "I cloned the repository; it has about 300 files.",
    "I cloned the repository; it has 300 files in `src`.",
    "I cloned the repository; it has 300 files under the limit.",
    "I cloned the repository; it has 300 files that import it.",
    "I cloned the repository; it has 300 files, not counting the tests.",
    "I cloned the repository; it has 300 files, most of them tests, in `src`.",
    "I cloned the repository; it has 300 files to review.",
    "I cloned the repository; its docs have 300 files.",
    "I cloned the repository and read the list. It has 300 files.",
    "I cloned the repository; does it have 300 files?",
    "I cloned the repository. If it has 300 files, tell me.",
    "I cloned the repository, and `docs` has 300 files.",
]


def asserted(answer: str) -> list[str]:
    claims = Reading(answer, lexicon()).claims(frozenset({"clone"}))
    return [f"{one.act} {one.subject}" for one in claims if one.stance == "asserted"]


@pytest.mark.parametrize(("answer", "expected"), FIRES)
def test_claims_about_clones(answer: str, expected: list[str]) -> None:
    assert asserted(answer) == expected


@pytest.mark.parametrize("answer", NO_COUNT)
def test_it_that_is_another_thing_or_a_part_of_the_clone(answer: str) -> None:
    assert not [one for one in asserted(answer) if one.startswith("count")]


@pytest.mark.parametrize(
    ("start", "unit"),
    [
        ("", "cloned "),
        ("cloned it to ", "x"),
        ("", "the repo is "),
        ("", "it has 1 "),
        ("", "no readme "),
        ("", "readme: "),
        ("", "`README.md` "),
        ("", "- files: 3 files "),
        ("", "there is a readme "),
    ],
)
def test_a_long_text_takes_no_long_time(start: str, unit: str) -> None:
    assert in_proportion(lambda times: asserted(start + unit * times), 60_000 // len(unit))


@pytest.mark.parametrize("answer", SILENT)
def test_what_is_no_claim(answer: str) -> None:
    assert asserted(answer) == []
