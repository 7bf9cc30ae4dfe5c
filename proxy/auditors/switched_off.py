"""Tests that were switched off before a run: by a mark that an edit, or a `sed` in place, puts into a file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from proxy.auditors.runs import IN_PLACE, Lines, Place, Run, compiled, written_by
from proxy.ledger import MUTATIONS, UNDONE, Call
from proxy.patterns import Pattern
from proxy.shell import Segment

EDGE = re.compile(r"^(?:(<{5,}|-{5,}) ?SEARCH>?|(={5,})|(>{5,}|\+{5,}) ?REPLACE)\s*$")
"""The lines that part a block of what is looked for from what takes its place."""
SUBSTITUTES = re.compile(r"s([/|#,!@:%~])((?:\\.|(?!\1)[^\\])*+)\1((?:\\.|(?!\1)[^\\])*+)\1", re.S)
INSERTS = re.compile(r"(?s)(?:\d+|\$|/(?:\\.|[^/\\])*+/)\s*[aic](?:\\\s*|\s+)(.+)")
DELETES = re.compile(r"/((?:\\.|[^/\\])*+)/\s*d$")
MOVES: frozenset[str] = frozenset({"rm", "mv", "cp", "tee"})
ESCAPED = re.compile(r"\\(\W)")
TAKES_BACK = re.compile(r"^git (?:checkout|restore|reset|stash|revert|clean)\b")
"""What may put files back as they were: of no mark before it is known that it still stands."""
TOOK = re.compile(
    r"(?i)^\W*(?:ok(?:ay)?|done|success(?:ful(?:ly)?)?|edited|updated|applied|modified|replaced|saved"
    r"|(?:the |your )?(?:file|edit|change|replacement|content)s?(?: \S+)?(?: (?:was|were|has been|have been))?"
    r"(?: successfully)? (?:edited|updated|applied|modified|replaced|saved|changed|made|written))\b"
)
"""How a tool says that an edit went in, whose own signature does not know these words."""
DOUBTS = re.compile(
    r"(?i)\b(?:0|zero|no|not|nothing|none|but|fail\w*|err\w*|warn\w*|already|without|partial\w*)\b|n[’']t\b"
)


@dataclass(frozen=True, slots=True)
class Sides:
    """What a change puts into some files, and what it takes out of them; a `whole` one leaves nothing of what was there."""

    names: frozenset[str]
    new: str = ""
    old: str = ""
    whole: bool = False


def switched_off(run: Run, lines: Lines, skips: Pattern, docs: str) -> str:
    """The mark that still stands when a run begins, by what was changed before it; empty where none does."""
    standing: list[tuple[frozenset[str], str]] = []
    for change in _before(run.place, lines, docs):
        found, gone = skips.search(change.new), skips.search(change.old)
        if found is not None and gone is None:
            standing.append((change.names, str(found.group())))
        elif found is None and (gone is not None or change.whole):
            standing = [one for one in standing if change.names and one[0] and not change.names & one[0]]
    return standing[-1][1] if standing else ""


def _before(place: Place, lines: Lines, docs: str) -> Iterator[Sides]:
    """What changed files before a place, in order; one without names may have put all of them back."""
    for number, call in enumerate(lines.calls[: place[0] + 1]):
        if call.effect in MUTATIONS and number < place[0] and _went_in(call):
            paths = [target.path for target in call.targets]
            if not paths or not all(compiled(docs).search(path) for path in paths):
                yield _of_edit(call, _names(paths))
        elif call.effect == "shell" and call.outcome not in UNDONE:
            for at, segment in enumerate(lines.segments(number)):
                if (number, at) >= place:
                    break
                yield from _of_segment(segment)


def _names(paths: Iterable[str]) -> frozenset[str]:
    """The files' own names: one path may be spelled from the root, and another time from the project's."""
    return frozenset(path.replace("\\", "/").rpartition("/")[2] for path in paths)


def _went_in(call: Call) -> bool:
    """Whether an edit landed: by its signature, or by a result of which every tool would say so."""
    if call.outcome != "unknown" or call.result is None:
        return call.outcome == "landed"
    value: Any = call.result.value
    if isinstance(value, dict):
        told = value.get("success") is True or value.get("ok") is True or TOOK.search(str(value.get("status", "")))
        return bool(told) and all(one and DOUBTS.search(key) is None for key, one in value.items())
    line = call.result_text.strip().partition("\n")[0][:200]
    return TOOK.search(line) is not None and DOUBTS.search(line) is None


def _of_edit(call: Call, names: frozenset[str]) -> Sides:
    """The sides of a call: its arguments of old and new text, its blocks, or the lines of its patch."""
    table = call.signature.table
    new, old = call.text(table.new), call.text(table.old)
    body = call.text(table.blocks)
    if not new and table.patch:
        body = call.text(table.patch) or call.raw
    if body:
        added, removed = _parted(body)
        new, old = "\n".join((new, *added)), "\n".join((old, *removed))
    return Sides(names, new, old, call.effect in ("write", "delete", "move"))


def _parted(body: str) -> tuple[list[str], list[str]]:
    """What a patch, or blocks of search and replace, put in and take out, line by line."""
    added: list[str] = []
    removed: list[str] = []
    side: list[str] | None = None
    for line in body.split("\n"):
        edge = EDGE.match(line) if line[:1] in "<->=+" else None
        if edge is not None and (edge[1] or side is not None):
            side = removed if edge[1] else added if edge[2] else None
        elif side is not None:
            side.append(line)
        elif line.startswith("+"):
            added.append(line)
        elif line.startswith("-"):
            removed.append(line)
    return added, removed


def _of_segment(segment: Segment) -> Iterator[Sides]:
    """What a command changes: by the scripts of a `sed` or `perl` in place, without the backslashes of their expressions."""
    names = _names(written_by(segment))
    if TAKES_BACK.search(segment.text):
        yield Sides(frozenset(), whole=True)
    elif names and (segment.writes or segment.words[0] in MOVES):
        yield Sides(names, whole=True)
    elif IN_PLACE.search(segment.text):
        found = [one for word in segment.words[1:] for one in SUBSTITUTES.finditer(word)]
        put = [one[1] for word in segment.words[1:] if (one := INSERTS.match(word)) is not None]
        new = "\n".join((*(one[3] for one in found), *put))
        old = "\n".join((*(one[2] for one in found), *_taken(segment)))
        yield Sides(names, ESCAPED.sub(r"\1", new), ESCAPED.sub(r"\1", old))


def _taken(segment: Segment) -> Iterator[str]:
    """What lines hold that a `sed` deletes: `/@pytest.mark.skip/d`."""
    for word in segment.words[1:]:
        if (found := DELETES.match(word)) is not None:
            yield found[1]
