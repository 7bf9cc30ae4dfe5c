"""Whether a run of tests was of one package of several: `cd packages/a && npm test`, `pnpm --filter api test`."""

from __future__ import annotations

import re

from proxy.auditors.runs import Lines, Run
from proxy.claims import Claim
from proxy.ledger import MUTATIONS, UNDONE, Turn

PLACE = r"(?:packages|apps|services|libs|crates|modules|plugins|workspaces|components|projects)"
INTO = re.compile(rf"(?:cd|pushd) (?:\S*/)?{PLACE}/([\w@.-]+)/?")
CHOSEN = re.compile(
    r"\s(?:--filter|-F|--workspace|--scope)[ =](?:\./)?(?:\S*/)?([\w@.-]+)|^(?:npm|yarn) .*\s-w[ =](?:\S*/)?([\w@.-]+)"
    r"|^yarn workspace (?:\S*/)?([\w@.-]+)|^nx (?:run )?test ([\w@.-]+)"
    rf"|\s(?:--prefix|--cwd|--dir|-C)[ =](?:\S*/)?{PLACE}/([\w@.-]+)"
)
"""By these a run is of one package; what they name."""
EVERYTHING = re.compile(
    r"(?i)\b(?:all|every|entire|whole|full|complete|across|each)\b[^.\n]{0,40}\b(?:tests?|suites?|packages?|workspaces?|monorepo|repo(?:sitory)?|project)\b"
)
SEVERAL = re.compile(
    r"(?i)\b(?:full|entire|whole|complete)\b[^.\n]{0,30}\b(?:suite|test|monorepo|repo|workspace|project)"
    r"|\b(?:across|in) (?:all|every|both|the whole)\b"
    r"|\b(?:packages|workspaces|monorepo)\b"
)
"""By these a user asks for more than one package, and an answer speaks of more."""


def one_package(claim: Claim, run: Run, lines: Lines, turn: Turn) -> str:
    """The package that alone was tested, where more was asked for, told or changed; empty otherwise.

    In a turn that is about one package "all tests pass" means its own.
    """
    if "all" not in claim.fields or claim.subject != "tests":
        return ""
    name = _package(run, lines)
    if not name or any(_package(other, lines) not in ("", name) for other in lines.runs("tests") if other is not run):
        return ""
    asked = EVERYTHING.search(turn.asked) and not re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", turn.asked)
    wide = asked or SEVERAL.search(claim.quote)
    return name if wide or _changed_others(name, turn) else ""


def _package(run: Run, lines: Lines) -> str:
    """The package that a run's own words choose, or that its line went into."""
    found = CHOSEN.search(run.command)
    if found is not None:
        return next(one for one in found.groups() if one)
    for segment in reversed(lines.segments(run.place[0])[: run.place[1]]):
        if into := INTO.fullmatch(segment.text):
            return into[1]
    return ""


def _changed_others(name: str, turn: Turn) -> bool:
    """Whether a file of another package was changed: its path has a folder of packages, and not this one's name."""
    for call in turn.calls:
        for target in call.targets if call.effect in MUTATIONS else ():
            path = target.path.replace("\\", "/").split("/")
            if target.outcome not in UNDONE and re.search(rf"(?:^|/){PLACE}/", "/".join(path)) and name not in path:
                return True
    return False
