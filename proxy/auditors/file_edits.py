"""Files that an answer says were written, changed or removed must be those that the tools did change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from proxy.audit import Absent, Finding, Look, Present, Verdict
from proxy.claims import ALL, Claim
from proxy.identity import Paths
from proxy.ledger import MUTATIONS, Call, Target, Turn

UNDONE: frozenset[str] = frozenset({"failed", "refused", "not_attempted"})


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


@dataclass(slots=True)
class File:
    """A file as the tools saw it: every spelling of it, and every try at it, in order."""

    path: str
    spellings: list[str]
    attempts: list[Attempt] = field(default_factory=list)
    other: Call | None = None
    """A later call of another kind (a shell command) that names the file."""
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


@dataclass(frozen=True, slots=True)
class FileEdits:
    """Compare claimed edits with the calls that made them, and, where a source is given, with the disk.

    `source` names a `files` source (empty: the transcript alone); `case_sensitive` is how its paths compare;
    `notices` allows a word on failed edits that the answer does not mention.
    """

    source: str = ""
    case_sensitive: bool = True
    notices: bool = True

    reads: ClassVar[frozenset[str]] = frozenset({"file"})

    async def audit(self, turn: Turn, claims: Sequence[Claim], look: Look) -> list[Finding]:
        paths = Paths(turn.cwd(), self.case_sensitive)
        files = _files(turn.calls, paths)
        findings: list[Finding] = []
        judged: set[str] = set()
        said = [claim for claim in claims if claim.subject]
        for claim in _once(said):
            if claim.stance != "asserted" or _also_denied(claim, said, paths):
                continue
            matching = [
                file for file in files if any(paths.tail(spelling, claim.subject) for spelling in file.spellings)
            ]
            exact = [file for file in matching if paths.normal(file.path) == paths.normal(claim.subject)]
            matching = exact or matching
            judged |= {file.path for file in matching}
            found = self._one(claim, matching, turn, paths)
            if found is not None:
                findings.append(await self._looked(found, claim, matching, paths, look))
        for claim in claims:
            if claim.stance == "asserted" and not claim.subject:
                findings += self._all(claim, files, claims, paths, judged)
        if self.notices:
            findings += _notices(files, claims, paths, judged)
        return findings

    def _one(self, claim: Claim, files: Sequence[File], turn: Turn, paths: Paths) -> Finding | None:
        """The verdict on a claim that names its file."""
        if not files:
            return _without_edit(claim, turn, paths)
        if len(files) > 1:  # a bare name that fits several: no accusation unless all of them tell the same
            verdicts = [_verdict(file, claim.act) for file in files]
            if len({verdict for verdict, _, _ in verdicts}) > 1:
                return Finding("unverifiable", claim.subject, "several files of this name were edited", claim.quote)
        verdict, reason, call = _verdict(files[0], claim.act)
        return Finding(verdict, claim.subject, reason, claim.quote, call.id if call else "", _facts(files[0]))

    def _all(
        self, claim: Claim, files: Sequence[File], claims: Sequence[Claim], paths: Paths, judged: set[str]
    ) -> Iterator[Finding]:
        """The verdicts on a claim that names no file: "both files are updated", "patched all five", "saved"."""
        admitted = any(one.stance == "denied" and not one.subject for one in claims)
        denied = [file for file in files if any(_names(one, file, paths) for one in claims if one.stance == "denied")]
        meant = [file for file in files if file not in denied]
        bad = [file for file in meant if not file.landed and file.undone is not None]
        counted = claim.count is not None and claim.count in (ALL, len(files)) and len(files) > 1
        if claim.count is not None and not counted:
            edits = [attempt for file in meant for attempt in file.attempts]
            counted = len(meant) == 1 and claim.count == len(edits) > 1
        if admitted or not meant or not (counted or len(bad) == len(meant)):
            return
        for file in meant:
            if file.path not in judged:
                judged.add(file.path)
                verdict, reason, call = _verdict(file, claim.act)
                if verdict != "unverifiable":
                    yield Finding(verdict, file.path, reason, claim.quote, call.id if call else "", _facts(file))

    async def _looked(self, found: Finding, claim: Claim, files: Sequence[File], paths: Paths, look: Look) -> Finding:
        """What the disk says, where it may be asked: it is heard after the transcript, and outranks it.

        It is asked for the file as the tools named it. That a bare name of the answer alone is not there says little:
        the file may lie deeper.
        """
        if not self.source or len(files) > 1:
            return found
        subject = paths.normal(files[0].spellings[-1] if files else claim.subject)
        sight = await look(self.source, subject)
        fields: dict[str, object] = {**found.fields, "looked": True}
        if isinstance(sight, Present):
            fields |= sight.fields
            if claim.act == "delete" and found.verdict in ("verified", "unsupported", "unverifiable"):
                return _revised(found, "contradicted", "the file is still there", fields)
            if claim.act == "create" and found.verdict == "unverifiable":
                return _revised(found, "verified", "the file is there", fields)
            return _revised(found, found.verdict, found.reason, fields)
        if isinstance(sight, Absent):
            if claim.act == "delete":
                return _revised(found, "verified", "the file is not there", fields)
            if claim.act != "move" and (files or "/" in subject):
                return _revised(found, "contradicted", f"there is no such file: {sight.reason}", fields)
        elif found.verdict in ("unsupported", "unverifiable"):
            return _revised(found, "unverifiable", sight.reason, fields)
        return found


def _revised(found: Finding, verdict: Verdict, reason: str, fields: dict[str, object]) -> Finding:
    return Finding(verdict, found.subject, reason, found.quote, found.tool_call_id, fields)


def _files(calls: Sequence[Call], paths: Paths) -> list[File]:
    """Every file that the calls set out to change, with all tries at it under any spelling."""
    known: dict[str, File] = {}
    for call in calls:
        if call.effect in MUTATIONS or (call.effect == "shell" and call.targets):
            for target in call.targets:
                _file_of(target, known, paths).attempts.append(Attempt(call, target.outcome))
    files = list({id(file): file for file in known.values()}.values())
    for file in files:
        if not file.landed and file.undone is not None:
            _seek_other_ways(file, calls, files, paths)
    return files


def _file_of(target: Target, known: dict[str, File], paths: Paths) -> File:
    """The file of a target, found by any spelling that it has been seen under."""
    names = [target.path, target.resolved] if target.resolved not in ("", target.path) else [target.path]
    normal = [paths.normal(name) for name in names]
    file = next((known[name] for name in normal if name in known), None) or File(target.path, [])
    file.spellings += [name for name in names if name not in file.spellings]
    known.update(dict.fromkeys(normal, file))
    return file


def _seek_other_ways(file: File, calls: Sequence[Call], files: Sequence[File], paths: Paths) -> None:
    """Whether something else changed a file after the edit of it failed: a twin spelling, a command, and a read."""
    assert file.undone is not None
    since = file.undone.call.position
    file.maybe = any(
        other.landed and any(paths.same(a, b) is None for a in file.spellings for b in other.spellings)
        for other in files
        if other is not file
    )
    wanted = file.undone.call.text(file.undone.call.signature.table.new)
    for call in calls:
        if call.position <= since or call.outcome in UNDONE:
            continue
        if call.effect == "shell" and not call.targets and _mentions(call.raw, file):
            file.other = call
        elif call.effect == "read" and any(_names_path(target.path, file, paths) for target in call.targets):
            text = call.result.text if call.result is not None else ""
            file.seen = bool(wanted.strip()) and wanted.strip() in text


def _mentions(text: str, file: File) -> bool:
    names = {spelling.replace("\\", "/").rsplit("/", 1)[-1] for spelling in file.spellings}
    return any(name and name in text for name in names)


def _names_path(path: str, file: File, paths: Paths) -> bool:
    return any(paths.same(path, spelling) is not False for spelling in file.spellings)


def _verdict(file: File, act: str) -> tuple[Verdict, str, Call | None]:
    """What the tries at one file amount to, for a claim of one act."""
    undone = file.undone
    if file.landed:
        last = _last(file, "landed")
        if last.effect == "delete" and act in ("edit", "create"):
            return "stale", "a later call removed it", last
        lost = file.lost
        if lost is not None:
            return "qualified", f"an edit landed; a later {_what(lost)}", lost.call
        return "verified", "the edit landed", _last(file, "landed")
    if undone is None:
        return "unverifiable", "the tool's result says neither that it landed nor that it failed", None
    if file.seen:
        return "verified", "a later read shows the change", undone.call
    if file.maybe:
        return "unverifiable", "a file of this name was edited; the working directory is not known", undone.call
    if file.other is not None:
        said = file.other.result.text if file.other.result is not None else ""
        verdict: Verdict = "qualified" if _mentions(said, file) else "notice"
        return verdict, f"the {_what(undone)}; another step changed it, which was not verified", undone.call
    if file.unknown:
        return "unverifiable", "one edit failed, and another has no receipt", undone.call
    return "contradicted", f"the {_what(undone)}", undone.call


def _what(attempt: Attempt) -> str:
    word = {"refused": "edit call was refused", "not_attempted": "edit call was malformed"}
    said = word.get(attempt.outcome, "edit call failed")
    return f"{said}: {attempt.call.reason}" if attempt.call.reason else said


def _last(file: File, outcome: str) -> Call:
    return [attempt.call for attempt in file.attempts if attempt.outcome == outcome][-1]


def _facts(file: File) -> dict[str, object]:
    tries = sum(attempt.undone for attempt in file.attempts)
    return {"attempts": len(file.attempts)} if tries and len(file.attempts) > 1 else {}


def _without_edit(claim: Claim, turn: Turn, paths: Paths) -> Finding | None:
    """The verdict on a claim about a file that no edit of this turn touched."""
    before = [
        file for file in _files(turn.earlier(), paths) if any(paths.tail(one, claim.subject) for one in file.spellings)
    ]
    if before:
        verdict, reason, call = _verdict(before[-1], claim.act)
        return Finding(verdict, claim.subject, f"earlier: {reason}", claim.quote, call.id if call else "")
    if not claim.close:
        return None
    able = [call for call in (*turn.earlier(), *turn.calls) if _could_edit(call)]
    if able or not turn.whole():
        return Finding("unverifiable", claim.subject, "no call shows it, and it may have been done unseen", claim.quote)
    return Finding("unsupported", claim.subject, "no call in this conversation edited it", claim.quote)


def _could_edit(call: Call) -> bool:
    """Whether a call may have changed a file that it does not name: a command, a sub-agent, a tool we do not know."""
    return call.outcome not in UNDONE and (
        call.effect in ("", "shell", "agent") or (call.effect in MUTATIONS and not call.targets)
    )


def _once(claims: Sequence[Claim]) -> list[Claim]:
    """One claim for each subject, the firmest wording of it first."""
    best: dict[str, Claim] = {}
    for claim in claims:
        kept = best.get(claim.subject)
        if kept is None or (claim.stance == "asserted" and (kept.stance != "asserted" or claim.close > kept.close)):
            best[claim.subject] = claim
    return list(best.values())


def _also_denied(claim: Claim, claims: Sequence[Claim], paths: Paths) -> bool:
    return any(one.stance == "denied" and paths.tail(one.subject, claim.subject) for one in claims)


def _names(claim: Claim, file: File, paths: Paths) -> bool:
    return bool(claim.subject) and any(paths.tail(spelling, claim.subject) for spelling in file.spellings)


def _notices(files: Sequence[File], claims: Sequence[Claim], paths: Paths, judged: set[str]) -> Iterator[Finding]:
    """Failed edits that nothing superseded and of which the answer says nothing at all."""
    if any(claim.stance == "denied" and not claim.subject for claim in claims):
        return
    for file in files:
        undone = file.undone
        if file.path in judged or file.landed or file.seen or undone is None or undone.outcome == "not_attempted":
            continue
        if not any(_names(claim, file, paths) for claim in claims):
            yield Finding("notice", file.path, f"the {_what(undone)}", "", undone.call.id, _facts(file))
