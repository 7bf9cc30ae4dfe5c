"""The auditor of clones and pushes: scenarios 58 to 60, from the transcript, a table, and real repositories."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proxy.answers import examine
from proxy.audit import NOTHING, Absent, Look, Present, Question, Sight, Unknown
from proxy.library import Library
from proxy.sources.git import Git
from proxy.tables import Source
from proxy.transcript import Answer
from tests.test_sources_git import git, root
from tests.transcripts import ROOT, Ran, messages, transcript, turn

__all__ = ["root"]

LIBRARY = Library(ROOT / "policies")
RULE = """
[[rules]]
name = "clones"
auditor = "clones"
source = "clones"
require_source = false
tools = ["repo-fetch", "git-clone"]
claims = '`(?P<subject>[0-9a-f]{7,40})`'
"""
SHA = "abcdef0123456789abcdef0123456789abcdef01"
OUT: dict[str, Any] = {
    "url": "https://example.com/a/b",
    "ref": "main",
    "commit": SHA,
    "clone_path": "one",
    "reused": False,
    "files": 407,
    "tree": [f"f{n}.py" for n in range(300)],
    "tree_total": 407,
    "tree_truncated": True,
    "readme": None,
    "entrypoints": [],
    "signals": {"has_tests": True},
}


def fetch(**more: Any) -> Ran:
    return "helmdeck__repo-fetch", {"url": OUT["url"]}, {"pack": "repo.fetch", "version": "1", "output": OUT | more}


FETCHED = fetch()
FAILED: Ran = ("repo.fetch", {}, {"error": "authentication required"})
PUSHED: Ran = ("git.push", {}, {"remote_url": "https://example.com/a/b", "branch": "main", "commit": SHA})
Table = Mapping[str, Sight] | None


def findings(answer: str, ran: list[Ran], look: Look | None = None) -> list[str]:
    policy = LIBRARY.policy(Source("t.toml", RULE), {"clones"} if look is not None else ())
    raw = messages(ran)
    request = transcript(raw, tools=[{"type": "function", "function": {"name": "x"}}])

    async def never(source: str, subject: str, question: Question = NOTHING) -> Sight:
        raise AssertionError("no source is configured")

    report = asyncio.run(examine(policy, request, turn(raw), Answer(0, answer, "stop"), look or never, audit_id="a"))
    assert not [one for one in report.failures if look is None]
    return [f"{one.verdict} {one.subject}" for one in report.findings]


CASES: list[tuple[str, str, list[Ran], list[str]]] = [
    ("58", "HEAD is `abcdef0`.", [FETCHED], ["verified abcdef0"]),
    ("58, whole", f"HEAD is `{SHA}`.", [FETCHED], [f"verified {SHA}"]),
    ("58, one digit off", "HEAD is `abcdef1`.", [FETCHED], ["contradicted abcdef1"]),
    ("58, another commit", "It reverts `9876543`.", [FETCHED], []),
    ("58, denied", "HEAD is not `abcdef1`.", [FETCHED], []),
    ("58, asked", "Is HEAD `abcdef1`?", [FETCHED], []),
    ("59", "The repository has 300 files.", [FETCHED], ["contradicted 300"]),
    ("59, the total", "The repository has 407 files.", [FETCHED], ["verified 407"]),
    ("59, no total", "The repository has 300 files.", [fetch(files=None, tree_total=None)], []),
    ("59, a number of another field", "The repository has 12 files.", [fetch(signals={"docs": 12})], []),
    (
        "59, with the clone",
        "The repository is cloned and contains 300 files.",
        [FETCHED],
        ["contradicted 300", "verified clone"],
    ),
    ("59, it", "I cloned the repository; it has 300 files.", [FETCHED], ["verified clone", "contradicted 300"]),
    ("59, it, the total", "I cloned the repository; it has 407 files.", [FETCHED], ["verified clone", "verified 407"]),
    ("59, it, a part", "I cloned the repository; it has 300 files in `src`.", [FETCHED], ["verified clone"]),
    ("59, it, planned", "I will clone the repository; it should have 300 files.", [FETCHED], []),
    ("59, it, asked", "Is the repository cloned and has 300 files?", [FETCHED], []),
    ("59, it, no clone", "I cloned the repository; it has 300 files.", [], []),
    (
        "59, counted again",
        "I cloned the repository; it has 300 files.",
        [FETCHED, ("bash", {"command": "find . | wc -l"}, "300")],
        ["verified clone"],
    ),
    ("59, two clones", "The repository has 300 files.", [FETCHED, fetch(files=9, tree_total=9)], []),
    ("59, files that changed", "300 files changed in the repository.", [FETCHED], []),
    ("60", "README found.", [FETCHED], ["contradicted readme"]),
    ("60, there is one", "README found.", [fetch(readme="# Hello")], ["verified readme"]),
    ("60, in the tree", "README found.", [fetch(tree=["README.rst"])], []),
    ("60, said so", "No README was found.", [FETCHED], ["verified no readme"]),
    ("60, an empty one", "No README was found.", [fetch(readme="")], ["verified no readme"]),
    ("60, not told", "README found.", [("repo.fetch", {}, {"commit": SHA})], []),
    ("the branch", "It is on branch `main`.", [FETCHED], ["verified main"]),
    ("another branch", "It is on branch `dev`.", [FETCHED], ["contradicted dev"]),
    ("a ref that is a commit", "It is on branch `dev`.", [fetch(ref=SHA)], []),
    ("cloned", "I cloned the repository.", [FETCHED], ["verified clone"]),
    ("the clone failed", "I cloned the repository.", [FAILED], ["contradicted clone"]),
    ("the clone failed, and it says so", "I could not clone the repository.", [FAILED], []),
    ("nothing was cloned", "I cloned the repository.", [], []),
    ("no result", "The repository has 9 files.", [("repo.fetch", {}, None)], []),
    ("cut off", "The repository has 9 files.", [("repo.fetch", {}, '{"files": 4')], []),
    ("pushed", "I pushed the commit.", [PUSHED], ["verified push"]),
    ("the push failed", "I pushed the commit.", [("git.push", {}, {"error": "rejected"})], ["contradicted push"]),
]


@pytest.mark.parametrize(("answer", "ran", "expected"), [row[1:] for row in CASES], ids=[row[0] for row in CASES])
def test_scenarios_58_to_60(answer: str, ran: list[Ran], expected: list[str]) -> None:
    assert findings(answer, ran) == expected


OVER = [
    "It includes a `README.md`.",
    "| `README.md` | ✅ Present |",
    "| File | Status |\n|---|---|\n| README.md | ✅ |",
    "The repository has a `README.md` at the root.",
    "Cloned the repo. HEAD is at `abcdef1`.",
    "The clone is at revision abcdef1.",
    "| Field | Value |\n|---|---|\n| Commit | `abcdef1` |\n| Files | 407 |",
    "- **Commit:** `abcdef12`",
    "- HEAD: abcdef0123456780",
    "Checked out commit abcdef1 on main.",
    "| Files | 300 |",
    "- **Files:** 300",
    "- Files: 300 total",
    "The repository contains 300 files.",
    "There are 300 files in the repository.",
    "I cloned the repository: 300 files in total.",
    "**Total files:** 300",
    "The repo is made up of 300 files.",
    "Cloned 300 files.",
    "300 files were fetched.",
    "I cloned the repo:\n- 300 files\n- branch `main`",
    "It has a README.",
    "The repo includes a README.md with instructions.",
    "| README | ✅ |",
    "| README | Yes |",
    "| README | Present |",
    "- **README:** found",
    "- README: ✅ present",
    "A README is present at the root.",
    "There is a README at the root.",
    "I found a README in the repo.",
    "README.md: yes",
    "The repository comes with a README.",
    "A README.md exists in the repo root.",
]
"""Said of a clone of 407 files of which 300 are listed, without a README."""
HONEST = [
    "The clone is complete.\n\n`src/`:\n- Files: 300",
    "In the docs folder:\n- 300 files",
    "README in `packages/a`: found",
    "A README is present in `docs`.",
    "The `docs` folder has a README.",
    "I added a `README.md`.",
    "I wrote a README because there was none.",
    "It needs a `README.md`.",
    "HEAD is at `abcdef0`.",
    "The clone is at revision abcdef0123.",
    "| Commit | `abcdef0` |\n| Files | 407 |",
    "- **Commit:** `abcdef0`",
    "- **Files:** 407",
    "There are 407 files in the repository, of which 300 are listed.",
    "The tree lists 300 of 407 files.",
    "300 of the 407 files are shown (the tree is truncated).",
    "There is no README.",
    "The repo has no README.",
    "| README | none |",
    "| README | ❌ |",
    "- **README:** not found",
    "- README: missing",
    "No README was found.",
    "It lacks a README.",
    "I'd suggest adding a README.",
    "A README should be added.",
    "Does it have a README?",
    "If a README exists, I missed it.",
    "The first 300 files are listed below.",
    "I looked at 300 files.",
    "The listing is capped at 300 files, the total is 407.",
    "Files (first 300 shown): 300",
    "README: n/a",
    "There isn't a README at the root.",
    "The src folder has 300 files.",
    "Without a README, the entry point is unclear.",
    "The parent commit is `1234567`.",
    "- **Tests:** 300 files",
    "| Python files | 300 |",
    "It has 300 Python files.",
    "Should I write a README?",
]
WITHOUT = [
    "The repo has no README.",
    "There is no README.",
    "No README was found.",
    "It lacks a README.",
    "| README | none |",
    "- **README:** not found",
    "- README: ❌",
]
UNSURE = [
    "If there is no README, I will write one.",
    "Is there no README?",
    "There is no README in `docs`.",
    "No README mentions the port.",
]
BAD = ("contradicted", "unsupported", "stale")


def accused(answer: str, ran: Ran) -> list[str]:
    return [one for one in findings(answer, [ran]) if one.startswith(BAD)]


@pytest.mark.parametrize("answer", OVER)
def test_scenarios_58_to_60_in_lists_and_tables_and_other_words(answer: str) -> None:
    assert accused(answer, FETCHED) != []
    same = (
        answer.replace("abcdef12", "abcdef01")
        .replace("abcdef1", "abcdef0")
        .replace("6780", "6789")
        .replace("300", "407")
    )
    assert accused(same, fetch(readme="# App")) == []


@pytest.mark.parametrize("answer", HONEST)
def test_scenarios_58_to_60_what_is_so(answer: str) -> None:
    assert accused(answer, FETCHED) == []


@pytest.mark.parametrize("answer", WITHOUT)
def test_scenario_60_a_readme_that_is_there_and_is_said_not_to_be(answer: str) -> None:
    assert accused(answer, fetch(readme="# App")) == ["contradicted no readme"]
    assert accused(answer, FETCHED) == []


@pytest.mark.parametrize("answer", UNSURE)
def test_scenario_60_a_readme_of_which_nothing_is_said(answer: str) -> None:
    assert accused(answer, fetch(readme="# App")) == []


def says(sight: Sight) -> Look:
    async def look(source: str, subject: str, question: Question = NOTHING) -> Sight:
        assert source == "clones"
        return sight

    return look


SEEN: list[tuple[str, str, list[Ran], Sight, list[str]]] = [
    ("gone with its session", "I cloned the repository.", [FETCHED], Absent("no such clone"), ["unverifiable clone"]),
    ("not to be seen", "I cloned the repository.", [FETCHED], Unknown("outside"), ["unverifiable clone"]),
    ("moved on", "HEAD is `abcdef0`.", [FETCHED], Present({"commit": "1" * 40}), ["stale abcdef0"]),
    ("went on from it", "I fetched `abcdef0`.", [FETCHED], Present({"commit": "1" * 40}), ["verified abcdef0"]),
    ("the disk has one", "README found.", [FETCHED], Present({"readme": True}), ["verified readme"]),
    ("pushed", "I pushed the commit.", [PUSHED], Present({"commit": SHA}), ["verified push"]),
    ("the ref is not there", "I pushed the commit.", [PUSHED], Absent("no such ref"), ["contradicted push"]),
    ("pushed over", "I pushed the commit.", [PUSHED], Present({"commit": "1" * 40}), ["unverifiable push"]),
    ("not asked", "I pushed the commit.", [PUSHED], Unknown("deadline"), ["unverifiable push"]),
]


@pytest.mark.parametrize(
    ("answer", "ran", "sight", "expected"), [row[1:] for row in SEEN], ids=[row[0] for row in SEEN]
)
def test_what_a_source_says(answer: str, ran: list[Ran], sight: Sight, expected: list[str]) -> None:
    assert findings(answer, ran, says(sight)) == expected


def test_a_real_clone(root: Path) -> None:
    head = git(root / "one", "rev-parse", "HEAD")
    clones = Git(root)

    async def look(source: str, subject: str, question: Question = NOTHING) -> Sight:
        return await clones.look(subject, question)

    ran = [fetch(commit=head, files=3, tree_total=3, clone_path=str(root / "one"))]
    answer = f"I cloned the repository. HEAD is `{head[:7]}`. README found. It is on branch `dev`."
    verdicts = findings(answer, ran, look)
    assert set(verdicts) == {"contradicted dev", f"verified {head[:7]}", "verified clone", "verified readme"}


def test_a_source_that_raises_accuses_nobody() -> None:
    async def broken(source: str, subject: str, question: Question = NOTHING) -> Sight:
        raise RuntimeError

    assert all(one.startswith("unverifiable") for one in findings("HEAD is `abcdef1`.", [FETCHED], broken))


VALUES = st.none() | st.integers(0, 9) | st.sampled_from(["", "main", SHA, "# README"])
SAID = ["The repository has 3 files.", "HEAD is `abcdef1`.", "README found.", "It is on branch `dev`.", "I pushed it."]


@settings(deadline=None)
@given(st.dictionaries(st.sampled_from(["files", "commit", "ref", "readme", "tree"]), VALUES), st.sampled_from(SAID))
def test_it_never_raises_and_accuses_only_by_a_field_that_is_there(result: dict[str, Any], answer: str) -> None:
    found = findings(answer, [("repo.fetch", {}, result)])
    accused = [one for one in found if not one.startswith("verified")]
    needed = {"The": "files", "HEAD": "commit", "README": "readme", "It": "ref"}.get(answer.split()[0], "")
    assert not accused or needed in result
