"""Whether a run of tests was of one package of several: `cd packages/a && npm test`, `pnpm --filter api test`."""

from __future__ import annotations

import re

from proxy.auditors.runs import Lines, Run
from proxy.claims import Claim
from proxy.ledger import MUTATIONS, UNDONE, Turn
from proxy.results import has_name

PLACE = r"(?:packages|apps|services|libs|crates|modules|plugins|workspaces|components|projects)"
# What lies under the root of the disk or at home may be anybody's `projects/shop`: a whole repository.
INTO = re.compile(rf"(?:cd|pushd) (?:(?![/~$])(?:\S*/)?{PLACE}|\S*/(?:packages|crates))/([\w@.-]+)/?")
CHOSEN = re.compile(
    r"\s(?:--filter|-F|--workspace|--scope|(?<=\w )-w)[ =](\S+)|^yarn workspace (\S+)|^nx (?:run )?test (\S+)"
    rf"|\s(?:--prefix|--cwd|--dir|-C)[ =](\S*\b{PLACE}/\S+)"
)
"""By these a run is of one package; what they name."""
MANY = re.compile(r"[*!\[\]{},^]|\.\.\.")
"""In what is named, these tell of several: "./packages/**", "[origin/main]", "...api"."""
EVERYTHING = re.compile(
    r"(?i)\b(?:all|every|entire|whole|full|complete|across|each)\b[^.\n]{0,40}\b(?:tests?|suites?|packages?|workspaces?|monorepo|repo(?:sitory)?|project)\b"
)
SEVERAL = re.compile(
    r"(?i)\b(?:full|entire|whole|complete)\b[^.\n]{0,30}\b(?:suite|test|monorepo|repo|workspace|project)"
    r"|\b(?:across|in) (?:all|every|both|the whole)\b"
    r"|\b(?:packages|workspaces|monorepo)\b"
)
"""By these a user asks for more than one package, and an answer speaks of more."""
WITHIN = frozenset({"src", "app", "lib", "test", "tests", "spec"})
"""Folders in which `services/` and `components/` are no packages."""
DOCS = re.compile(r"(?i)\.(?:md|mdx|rst|txt|adoc)$")
WORD = re.compile(r"[A-Za-z][a-z0-9]{2,}")
COMMON = re.compile(
    r"the|all|and|run|tests?|specs?|src|ci|npm|npx|yarn|pnpm|bun|pytest|jest|vitest|mocha|make|pass|passed|passing",
    re.I,
)
PARTLY = re.compile(
    r"(?i)\b(?:relevant|related|affected|impacted|new|added|selected|matching|targeted|corresponding|these|those)\b[^.\n]{0,30}"
    r"\b(?:tests?|specs?|cases)\b|\b(?:tests?|specs?|cases)\b[^.\n]{0,30}\b(?:touched|changed|modified|affected|matching|concerned)\b"
)
"""By these a sentence speaks of some tests only."""


def one_package(claim: Claim, run: Run, lines: Lines, turn: Turn) -> str:
    """The package that alone was tested, where more was asked for, told or changed; empty otherwise.

    In a turn that is about one package "all tests pass" means its own.
    """
    if "all" not in claim.fields or claim.subject != "tests":
        return ""
    name = _package(run, lines)
    if (
        not name
        or has_name(claim.quote.lower(), name.lower())
        or any(_package(other, lines) not in ("", name) for other in lines.runs("tests") if other is not run)
    ):
        return ""
    asked = EVERYTHING.search(turn.asked) and not has_name(turn.asked.lower(), name.lower())
    wide = asked or SEVERAL.search(claim.quote)
    return name if wide or _changed_others(name, turn) else ""


def names_part(quote: str, command: str) -> bool:
    """Whether a sentence names itself the part that was run: "all unit tests pass", of `pytest tests/unit`."""
    words = {word.lower() for word in WORD.findall(command.partition(" ")[2]) if not COMMON.fullmatch(word)}
    return PARTLY.search(quote) is not None or not words.isdisjoint(word.lower() for word in WORD.findall(quote))


def _package(run: Run, lines: Lines) -> str:
    """The package that a run's own words choose, or that its line went into; several are none."""
    chosen = {one for found in CHOSEN.findall(run.command) for one in found if one}
    if chosen:
        name = chosen.pop()
        return "" if chosen or MANY.search(name) else name.rstrip("/").rpartition("/")[2]
    for segment in reversed(lines.segments(run.place[0])[: run.place[1]]):
        if into := INTO.fullmatch(segment.text):
            return into[1]
    return ""


def _changed_others(name: str, turn: Turn) -> bool:
    """Whether a file of another package was changed: its path has a folder of packages, and not this one's name."""
    for call in turn.calls:
        for target in call.targets if call.effect in MUTATIONS else ():
            path = target.path.replace("\\", "/").split("/")
            at = next((number for number, one in enumerate(path[:-1]) if re.fullmatch(PLACE, one)), None)
            if at is None or target.outcome in UNDONE or DOCS.search(target.path):
                continue
            if name not in path and WITHIN.isdisjoint(path[:at]):
                return True
    return False
