"""Files that an answer says were written, changed or removed must be those that the tools did change."""

from __future__ import annotations

import asyncio
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import ClassVar

from proxy.audit import Absent, Finding, Look, Present, Verdict
from proxy.claims import ALL, Claim, answer_text
from proxy.deeds import reported_by
from proxy.drafts import shows
from proxy.edits import Attempt, Edits, File, can_edit, mentions
from proxy.identity import Paths
from proxy.ledger import MUTATIONS, UNDONE, Call, Turn
from proxy.patterns import expression

HISTORY = re.compile(r"\b(?:git|gh|hg|svn)\b")
"""What tells what others did."""
ALREADY = re.compile(r"(?i)\b(?:already|bereits|schon|ya|déjà)\b|已经|既に|すでに|이미")
ACTS = frozenset({"edit", "create", "delete", "move", "handle"})
"""The acts that may be edits, and that an answer may tell without naming a file."""

GONE = re.compile(
    r"(?i)\b(?:remov\w+|delet\w+|revert\w*|undid|undone|discard\w*|rolled? back|restored?|took (?:it|that|them) back"
    r"|no longer there|gelöscht|entfernt|zurückgenommen|elimin\w+|borr\w+|supprim\w+)|删除|削除|삭제"
)
"""What says that a file is no more, or is as it was."""


@dataclass(frozen=True, slots=True)
class FileEdits:
    """Compare claimed edits with the calls that made them, and, where a source is given, with the disk.

    `source` names a `files` source (empty: the transcript alone); `case_sensitive` is how its paths compare; `root` is the
    working directory where the system text names none (both are the source's own, if not given); `notices` allows a word
    on failed edits that the answer does not mention. `texts` is an expression for messages that order a text, `proposals` one
    for answers that only propose: in these, what no call did is told by nobody as done. `others` is one for sentences that say
    who else did it.
    """

    source: str = ""
    case_sensitive: bool = True
    root: str = ""
    notices: bool = True
    texts: str = r"(?!)"
    proposals: str = r"(?!)"
    others: str = r"(?!)"

    reads: ClassVar[frozenset[str]] = frozenset({"action", "file", "success", "text"})

    async def audit(self, turn: Turn, claims: Sequence[Claim], look: Look) -> list[Finding]:
        paths = Paths(turn.cwd() or self.root, self.case_sensitive)
        edits = Edits(turn.calls, paths)
        found: list[tuple[Finding, Claim, list[File]]] = []
        judged: set[str] = set()
        said, done = _Said(turn, paths, answer_text(claims), self.texts, self.proposals), _done(claims)
        claims = [one for one in claims if one.kind not in ("action", "success", "text")]
        denials = _Denials(claims, edits, paths)
        for claim in _once([claim for claim in claims if claim.subject]):
            if claim.stance != "asserted" or denials.deny(claim) or expression(self.others).search(claim.quote):
                continue
            matching = edits.matching(claim.subject)
            judged |= {file.path for file in matching}
            one = _one(claim, matching, said)
            if one is not None and not (
                one.verdict == "stale" and said.tells_gone(paths.last(claim.subject), claim.quote)
            ):
                found.append((one, claim, matching))
        findings = [one for one, _, _ in found]
        if self.source:
            findings = list(await asyncio.gather(*(self._looked(*one, paths, look) for one in found)))
        for claim in claims:
            if claim.stance == "asserted" and not claim.subject:
                findings += self._all(claim, edits.files, denials, judged, turn)
        if self.notices and not denials.general:
            lost = None if judged else _lost(done, edits, turn)
            findings += [lost] if lost else _notices(edits, claims, judged, said)
        return findings

    def _all(
        self, claim: Claim, files: Sequence[File], denials: _Denials, judged: set[str], turn: Turn
    ) -> Iterator[Finding]:
        """The verdicts on a claim that names no file: "both files are updated", "patched all five", "saved"."""
        meant = [file for file in files if file not in denials.files]
        bad = [file for file in meant if not file.landed and file.undone is not None]
        counted = claim.count is not None and claim.count in (ALL, len(files)) and len(files) > 1
        if claim.count is not None and not counted:
            edits = [attempt for file in meant for attempt in file.attempts]
            counted = len(meant) == 1 and claim.count == len(edits) > 1
        if denials.general or not meant or not (counted or len(bad) == len(meant)):
            return
        if not counted and (ALREADY.search(claim.quote) or any(_could_edit(call, turn) for call in turn.calls)):
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
        if len(files) > 1:
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
                return _revised(found, "contradicted", f"there is no such file ({sight.reason})", fields)
        elif found.verdict in ("unsupported", "unverifiable"):
            return _revised(found, "unverifiable", sight.reason, fields)
        return found


class _Said:
    """What the claims of one answer are held against where no edit of the turn touched their file, each looked at once."""

    def __init__(self, turn: Turn, paths: Paths, text: str, texts: str, proposals: str) -> None:
        self.turn, self.paths, self._text, self._texts, self._proposals = turn, paths, text, texts, proposals

    def mentions(self, file: File) -> bool:
        """Whether the answer has a file's name, whatever it says of it."""
        return mentions(self._text, file)

    def tells_gone(self, name: str, quote: str) -> bool:
        """Whether the answer says itself that a file is no more: "created `x.md`, and then removed it"."""
        lines = (quote, *(one for one in self._text.splitlines() if name in one))
        return any(GONE.search(one) for one in lines)

    @cached_property
    def unclaimed(self) -> bool:
        """Whether a text was ordered, or the answer only proposes."""
        ordered = expression(self._texts).search(self.turn.asked)
        return ordered is not None or expression(self._proposals).search(self._text) is not None

    @cached_property
    def before(self) -> Edits:
        """The edits of earlier turns."""
        return Edits((*self.turn.earlier(), *self.turn.calls), self.paths)  # what this turn removed is gone

    @cached_property
    def calls(self) -> Sequence[Call]:
        return (*self.turn.earlier(), *self.turn.calls)

    def naming(self, name: str) -> list[Call]:
        """The calls that were given or have returned a name: what each would be asked for is looked for in all at once."""
        text, begins = self._everything
        found: list[Call] = []
        at = text.find(name) if self.calls else -1
        while at >= 0:
            place = bisect_right(begins, at)
            found.append(self.calls[place - 1])
            at = text.find(name, begins[place]) if place < len(begins) else -1
        return found

    @cached_property
    def _everything(self) -> tuple[str, list[int]]:
        """What all calls were given and returned, and where each of them begins."""
        texts = [f"{call.raw} {call.result_text}" for call in self.calls]
        return "\0".join(texts), list(accumulate((len(text) + 1 for text in texts[:-1]), initial=0))

    @cached_property
    def able(self) -> bool:
        """Whether some call may have changed a file that it does not name."""
        return any(_could_edit(call, self.turn) for call in self.calls)

    @cached_property
    def only(self) -> bool:
        """Whether no call can have changed any file, tools that edit are at hand, and the answer holds nothing written."""
        if shows(self._text) or self.able or any(call.effect in MUTATIONS for call in self.calls):
            return False
        return can_edit(self.turn)


def _one(claim: Claim, files: Sequence[File], said: _Said) -> Finding | None:
    """The verdict on a claim that names its file."""
    if not files:
        return None if said.unclaimed else _without_edit(claim, said)
    if len(files) > 1:  # a bare name that fits several: no accusation unless all of them tell the same
        verdicts = [_verdict(file, claim.act) for file in files]
        if len({verdict for verdict, _, _ in verdicts}) > 1:
            return Finding("unverifiable", claim.subject, "several files of this name were edited", claim.quote)
    verdict, reason, call = _verdict(files[0], claim.act)
    return Finding(verdict, claim.subject, reason, claim.quote, call.id if call else "", _facts(files[0]))


def _revised(found: Finding, verdict: Verdict, reason: str, fields: dict[str, object]) -> Finding:
    return Finding(verdict, found.subject, reason, found.quote, found.tool_call_id, fields)


def _verdict(file: File, act: str) -> tuple[Verdict, str, Call | None]:
    """What the tries at one file amount to, for a claim of one act."""
    undone = file.undone
    if file.landed:
        last = _last(file, "landed")
        if last.effect == "delete" and act in ("edit", "create"):
            return "stale", "a later call removed it", last
        if file.gone is not None and act in ("edit", "create"):
            return "stale", "a later command removed it, or took it back", file.gone
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
        verdict: Verdict = "qualified" if mentions(file.other.result_text, file) else "notice"
        return verdict, f"the {_what(undone)}; another step changed it, which was not verified", undone.call
    if file.before is not None:
        wrote = "another step wrote it before, which was not verified"
        return ("unverifiable" if undone.empty else "notice"), f"the {_what(undone)}; {wrote}", undone.call
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


def _without_edit(claim: Claim, said: _Said) -> Finding | None:
    """The verdict on a claim about a file that no edit of this turn touched."""
    before = said.before.matching(claim.subject)
    if before:
        verdict, reason, call = _verdict(before[-1], claim.act)
        return Finding(verdict, claim.subject, f"earlier: {reason}", claim.quote, call.id if call else "")
    if not claim.close and not ("placed" in claim.fields and said.only):  # "fixed a bug in `a.md`"
        return None
    turn, last = said.turn, said.paths.last(claim.subject)
    naming = said.naming(last)
    able = said.able or any(call.effect == "shell" and last in call.result_text for call in naming)
    # a list of changes, a log, another's pull request
    told = not (able and claim.close) and any(_tells(call, last, said.paths, turn) for call in naming)
    if told and not claim.close:
        return None
    if told or able or not turn.whole():
        unseen = reported_by(turn.calls, last) or "no call shows it, and it may have been done unseen"
        return Finding("unverifiable", claim.subject, unseen, claim.quote)
    return Finding("unsupported", claim.subject, "no call in this conversation edited it", claim.quote)


def _tells(call: Call, name: str, paths: Paths, turn: Turn) -> bool:
    """Whether a call's result speaks of a file that it does not list or hold itself, or may hold the history of."""
    if call.effect != "shell" and name not in call.result_text:
        return False
    if turn.nature(call) == "read" and call.effect != "shell":
        named = re.search(rf"name[\"']?\s?:\s?[\"']?{re.escape(name)}", call.result_text)
        if name in call.raw or named is not None:
            return False  # it was looked for, or is what was opened
    if call.effect == "read":
        return any(paths.last(one.path) != name for one in call.targets)
    if call.effect == "shell":
        return name in f"{call.raw} {call.result_text}" and HISTORY.search(call.raw) is not None
    return True


def _could_edit(call: Call, turn: Turn) -> bool:
    """Whether a call may have changed a file that it does not name: a command, a sub-agent, a tool we do not know."""
    if turn.nature(call) == "read":
        return False
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


class _Denials:
    """What an answer says did not happen: to which files, and whether it says so without naming one."""

    def __init__(self, claims: Sequence[Claim], edits: Edits, paths: Paths) -> None:
        self._paths = paths
        self.general = any(claim.stance == "denied" and not claim.subject for claim in claims)
        self._names: dict[str, list[str]] = {}
        self.files: set[File] = set()
        for claim in claims:
            if claim.stance == "denied" and claim.subject:
                self._names.setdefault(paths.last(claim.subject), []).append(claim.subject)
                self.files |= set(edits.matching(claim.subject))

    def deny(self, claim: Claim) -> bool:
        """Whether a claim is taken back elsewhere in the answer."""
        near = self._names.get(self._paths.last(claim.subject), ())
        return any(self._paths.tail(name, claim.subject) for name in near)


def _done(claims: Sequence[Claim]) -> Claim | None:
    """What an answer tells as done without naming a file: "Fixed!", "Added a hint to the prompt"; None where it denies any."""
    said = [one for one in claims if one.kind in ("action", "success")]
    if any(one.stance == "denied" for one in said):
        return None
    done = (one for one in said if one.stance == "asserted" and (one.act == "succeed" or one.act in ACTS))
    own = (one for one in done if one.kind == "success" or "active" in one.fields)
    return next((one for one in own if not ALREADY.search(one.quote)), None)


def _lost(done: Claim | None, edits: Edits, turn: Turn) -> Finding | None:
    """The verdict on that where each edit of the turn failed, and nothing else can have changed a file."""
    if done is None or not edits.files or any(_could_edit(call, turn) for call in turn.calls):
        return None
    if any(one.landed or one.seen or one.maybe or one.other or one.before or one.unknown for one in edits.files):
        return None
    file = edits.files[0]
    undone = file.undone
    if undone is None or undone.outcome == "not_attempted":
        return None
    return Finding("contradicted", file.path, f"the {_what(undone)}", done.quote, undone.call.id, _facts(file))


def _notices(edits: Edits, claims: Sequence[Claim], judged: set[str], said: _Said) -> Iterator[Finding]:
    """Failed edits that nothing superseded and of which the answer claims nothing; `mentioned` where it has their names."""
    named: set[File] | None = None
    for file in edits.files:
        undone = file.undone
        if file.path in judged or file.landed or file.seen or undone is None or undone.outcome == "not_attempted":
            continue
        if named is None:
            named = {file for claim in claims if claim.subject for file in edits.matching(claim.subject)}
        if file not in named:
            facts = {**_facts(file), **({"mentioned": True} if said.mentions(file) else {})}
            yield Finding("notice", file.path, f"the {_what(undone)}", "", undone.call.id, facts)
