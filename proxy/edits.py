"""The files that a turn's calls set out to change: every spelling of each, and every try at it, in order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from proxy.identity import Paths
from proxy.ledger import MUTATIONS, UNDONE, Call, Target, Turn

BESIDE = re.compile(r"(?i)comment|messag|e-?mail|sms|slack|notif|calendar|(?<![a-z])(?:chat|dm|mail)(?![a-z])")
"""What tools go by that write to somebody, or about a thing, and to no file."""
REMOVES = re.compile(r"(?<![\w./-])(?:git )?(?:rm|checkout --|restore(?! --staged)) [^;&|\n]{1,400}")
"""The part of a command line that removes files, or takes back what was changed in them."""
BETWEEN = re.compile(r"[\s'\"`=:,;|<>()\[\]]")
MOST, LONGEST = 50, 300
"""What stands between paths; paths of one text that end in a name, and code points of one."""
WRITES = re.compile(
    r"(?:>>?|(?<![\w./-])(?:tee|sed -i|perl -p?i|cp|mv|touch|install|patch)\b|\s--?o(?:ut(?:put|file)?)?[ =])[^;&|\n]{1,400}"
)
"""The part of a command line that writes into files, or what stands behind it does."""


@dataclass(slots=True)
class Attempt:
    """One call's try at one file."""

    call: Call
    outcome: str

    @property
    def undone(self) -> bool:
        return self.outcome in UNDONE

    @property
    def empty(self) -> bool:
        """Whether the edit asked for nothing: old and new text are the same."""
        table = self.call.signature.table
        old, new = self.call.text(table.old), self.call.text(table.new)
        return bool(table.old) and bool(old) and old == new


@dataclass(slots=True, eq=False)
class File:
    """A file as the tools saw it."""

    path: str
    spellings: list[str]
    attempts: list[Attempt] = field(default_factory=list)
    other: Call | None = None
    """A later call of another kind (a shell command) that names the file."""
    before: Call | None = None
    """An earlier call of another kind that wrote it: a command, a tool that no pack knows."""
    gone: Call | None = None
    """A later command that removed it, or took its changes back."""
    seen: bool = False
    """Whether a read after that shows what the failed edit wanted."""
    maybe: bool = False
    """Whether a landed spelling may or may not be this file: the working directory is not known."""

    @property
    def landed(self) -> bool:
        return any(attempt.outcome == "landed" for attempt in self.attempts)

    @property
    def unknown(self) -> bool:
        return any(attempt.outcome in ("unknown", "pending") for attempt in self.attempts)

    @property
    def undone(self) -> Attempt | None:
        """The try that tells why: the first one that ran and failed, else the first that never ran."""
        tries = [attempt for attempt in self.attempts if attempt.undone]
        return next((one for one in tries if one.outcome != "not_attempted"), tries[0] if tries else None)

    @property
    def lost(self) -> Attempt | None:
        """A real edit that failed after the last one that landed, so that a part of the work is missing."""
        tail: list[Attempt] = []
        for attempt in self.attempts:
            tail = [] if attempt.outcome == "landed" else [*tail, attempt]
        return next((one for one in tail if one.outcome in ("failed", "refused") and not one.empty), None)


class Edits:
    """All files that some calls set out to change. Files are found by their last name, so a look costs the same
    however many there are.
    """

    def __init__(self, calls: Sequence[Call], paths: Paths) -> None:
        self._calls, self._paths = calls, paths
        self._known: dict[str, File] = {}
        self._by_name: dict[str, list[File]] = {}
        for call in calls:
            if call.effect in MUTATIONS or (call.effect == "shell" and call.targets):
                for target in call.targets:
                    self._file_of(target).attempts.append(Attempt(call, target.outcome))
        self.files = list(dict.fromkeys(self._known.values()))
        for file in self.files:
            if not file.landed and file.undone is not None:
                self._seek_other_ways(file, file.undone)
            elif file.landed:
                file.gone = self._removal(file)

    def matching(self, name: str) -> list[File]:
        """The files that prose can mean by a name: the one so spelled, else all whose path ends in it."""
        near = self._by_name.get(self._paths.last(name), ())
        found = [file for file in near if any(self._paths.tail(spelling, name) for spelling in file.spellings)]
        if len(found) > 1:
            normal = self._paths.normal(name)
            return [file for file in found if self._paths.normal(file.path) == normal] or found
        return found

    def _file_of(self, target: Target) -> File:
        """The file of a target, found by any spelling that it has been seen under."""
        names = [target.path, target.resolved] if target.resolved not in ("", target.path) else [target.path]
        normal = [self._paths.normal(name) for name in names]
        file = next((self._known[name] for name in normal if name in self._known), None) or File(target.path, [])
        for name, spelled in zip(names, normal, strict=True):
            if name not in file.spellings:
                file.spellings.append(name)
                same = self._by_name.setdefault(self._paths.last(name), [])
                if file not in same:
                    same.append(file)
            self._known[spelled] = file
        return file

    @cached_property
    def _blind(self) -> frozenset[Call]:
        """The calls that may have changed files which they do not name."""
        return frozenset(call for call in self._calls if call.outcome not in UNDONE and _is_blind(call))

    @cached_property
    def _removals(self) -> list[tuple[Call, str]]:
        """The commands that removed files, or took changes of theirs back, each with the parts that say so."""
        ran = (call for call in self._calls if call.effect == "shell" and call.outcome not in UNDONE)
        return [(call, "\n".join(parts)) for call in ran if (parts := REMOVES.findall(call.raw))]

    @cached_property
    def _order(self) -> dict[Call, int]:
        """The places of the calls: their own positions begin anew with each turn."""
        return {call: number for number, call in enumerate(self._calls)}

    def _removal(self, file: File) -> Call | None:
        """The first command behind the last edit of a file that removed it, or took its changes back."""
        if not self._removals:
            return None
        last = max(self._order[one.call] for one in file.attempts if one.outcome == "landed")
        behind = (call for call, parts in self._removals if self._order[call] > last and mentions(parts, file))
        return next(behind, None)

    @cached_property
    def _others(self) -> list[Call]:
        """The calls that are no edits and may yet have changed a file, or shown it."""
        return [
            call
            for call in self._calls
            if call.outcome not in UNDONE
            and (
                call in self._blind
                or (call.effect == "shell" and not call.targets)
                or (call.effect == "read" and call.targets)
            )
        ]

    def _seek_other_ways(self, file: File, undone: Attempt) -> None:
        """Whether something else changed a file after the edit of it failed: a twin spelling, a command, and a read."""
        paths = self._paths
        twins = {id(twin): twin for name in file.spellings for twin in self._by_name[paths.last(name)]}
        file.maybe = any(
            twin.landed and any(paths.same(a, b) is None for a in file.spellings for b in twin.spellings)
            for twin in twins.values()
            if twin is not file
        )
        wanted = undone.call.text(undone.call.signature.table.new).strip()
        for call in self._others:
            if self._order[call] <= self._order[undone.call]:
                file.before = call if _wrote(call, file) else file.before
                continue
            if call.effect == "shell" and mentions(call.raw, file) and wanted and wanted in call.result_text:
                file.seen = True  # `cat a.md`
            elif call in self._blind or (call.effect == "shell" and _speaks_of(call, file)):
                file.other = call
            elif call.effect == "read" and self._shows(call, file):
                file.seen = bool(wanted) and wanted in call.result_text

    def _shows(self, call: Call, file: File) -> bool:
        same = self._paths.same
        return any(same(target.path, one) is not False for target in call.targets for one in file.spellings)


def mentions(text: str, file: File) -> bool:
    """Whether a text holds the last name of a file, in any of its spellings, and not only at the end of another whole path."""
    spelled = [spelling.replace("\\", "/") for spelling in file.spellings]
    names = {one.rsplit("/", 1)[-1] for one in spelled}
    there = [name for name in names if name and name in text]
    whole = [one for one in spelled if one.startswith("/")]
    if not there or not whole:
        return bool(there)
    return any(not one.startswith("/") or one in whole for name in there for one in _ending_in(name, text))


def _ending_in(name: str, text: str) -> Iterator[str]:
    """The paths in a text that end in a name, as far as they go back, of the first so many."""
    at = -1
    for _ in range(MOST):
        at = text.find(name, at + 1)
        if at < 0:
            return
        yield BETWEEN.split(text[max(0, at - LONGEST) : at])[-1] + name


def _speaks_of(call: Call, file: File) -> bool:
    """Whether a command names a file, or tells that it changed it: `app config set …`, "Saved to /etc/app.json"."""
    return mentions(call.raw, file) or (call.nature != "read" and mentions(call.result_text, file))


def _wrote(call: Call, file: File) -> bool:
    """Whether a call that is no edit wrote a file by its name: `cat > a.md`, `sed -i`, a tool that no pack knows."""
    if call.effect == "shell":
        return any(mentions(part, file) for part in WRITES.findall(call.raw))
    return not call.effect and call.nature == "change" and call.outcome == "landed" and mentions(call.raw, file)


def _is_blind(call: Call) -> bool:
    """Whether a call may have changed files that it does not name: a sub-agent, a tool of some server, a script."""
    if call.effect == "shell":
        return call.signature.may_rewrite(call.arguments)
    return call.effect == "agent" or (not call.effect and call.nature != "read" and not BESIDE.search(call.name))


def can_edit(turn: Turn) -> bool:
    """Whether a request declares a tool that edits files."""
    return any(turn.marks.signatures.find(name, "").effect in MUTATIONS for name in turn.tool_names())
