"""What an answer says of tests, builds, linters, commits and pushes must be what the shell printed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from proxy.audit import Finding, Verdict
from proxy.auditors.runs import Change, Lines, Run, compiled
from proxy.auditors.switched_off import switched_off
from proxy.auditors.workspaces import names_part, one_package
from proxy.claims import Claim
from proxy.deeds import reported_by
from proxy.ledger import Turn
from proxy.runners import printed

DOCS = (
    r"(?i)(?:\.(?:md|mdx|rst|txt|adoc)$|^/tmp/"
    r"|(?:^|/)(?:docs?/|changelog\.d/|\.github/|\.git(?:ignore|attributes)$"
    r"|(?:readme|licen[cs]es?|copying|changelog|changes|contributing|contributors|notice|authors)"
    r"(?:-\w+|\.(?:mit|apache|bsd|in|de|fr|es|ja|ko|zh|zh-cn))?$))"
)
TESTS = r"(?i)(?:(?:^|/)(?:tests?|__tests__|specs?|testing)/|(?:^|/)(?:test_[^/]*|conftest)\.py$|[._](?:test|spec|tests)\.\w+$)"
SKIPS = (
    r"(?:@(?:pytest\.mark\.|unittest\.)?(?:skip|xfail)|pytest\.skip\(|\b(?:it|test|describe)\.(?:skip|todo)\b|\bx(?:it|describe)\("
    r"|#\[ignore|@Disabled|@Ignore|\bt\.Skip)"
)

SPOTLESS = re.compile(
    r"(?i)\b(?:no|zero|0|without(?: any)?) (?:errors? (?:or|and) )?"
    r"(?:(?:lint(?:er|ing)?|compiler|build|type|style) )?warnings?\b|\bwarning-free\b"
)
WARNED = re.compile(r"(?i)(?<![\w.-])[1-9]\d* (?:\w+ )?warnings?\b")
"""What says that there is no warning, and how a run counts some."""
NAME = r"([\w./-]*\w\.(?:py|[cm]?[jt]sx?|rb|go|rs|java|kt|php|cs|swift|exs?))\b"
FILE = re.compile(rf"(?i)\b(?:tests?|specs?|cases) (?:in|of|from) [`*\"]{{0,3}}{NAME}|^\W*{NAME}[`*\"]*(?::| [—–-] )")
FAILED = re.compile(r"\s*(?:FAILED|FAIL|ERROR|✗|✖|×|--- FAIL)\b[: ].*\w\.\w")
"""A file of tests in an answer, and a line of a run that names what failed in which."""
WORDS = {
    "tests": "run of the tests",
    "build": "build",
    "lint": "run of the linter",
    "types": "type check",
    "ci": "look at CI",
}


def _codes(turn: Turn) -> bool:
    """Whether the conversation is about code at all: a file or a shell was used, or the request declares such a tool."""
    used = any(call.effect for call in turn.calls) or any(call.effect for call in turn.earlier())
    return used or any(turn.marks.signatures.find(tool.name, "").effect for tool in turn.tools)


TESTED = re.compile(
    r"(?i)\b(?:tests?|specs?|test ?suites?|pytest|jest|vitest|rspec|pruebas?)\b|テスト|테스트|测试|測試"
)
"""By this a message asks for tests."""
STANDS = re.compile(
    r"(?i)(?:\b(?:is|are)|['’](?:s|re)|\bnow) (?:\w+ ){0,2}committed\b|\bcommit(?:ted)?: (?:yes|done|✅)"
)
TAKEN_BACK = re.compile(r"(?i)\b(?:revert|reset|undid|undo|roll|back|drop|remov|discard)")
REVERTS = re.compile(r"git (?:-\S+ (?:\S+ )?)*revert\b")
"""By these a sentence says that a commit stands, or that it was taken back; and how git does that."""

BEFORE = re.compile(r"(?i)\balready\b")
"""By this, what is told as done may have been done before."""

SKIPPED = re.compile(r"(?i)\b(?:skip|xfail|disabl|ignor|switch(?:ed)? off|turned off|commented out)")
UNSKIPPED = re.compile(
    r"(?i)(?:\b(?:no|none|nothing|0|zero|without|never|not)|n[’\']t)\b[^.;]{0,20}\b(?:skip|xfail|disabl|ignor)"
)
"""By these a sentence tells itself that not all tests were run, or that they were."""

CUT_OFF = re.compile(
    r"(?i)\b(?:interrupt|stopp|cancel|abort|time(?:d|s)? ?out|cut off|declin|reject|den(?:y|ied)|(?:by|until|till) then"
    r"|so far|up to)"
)
"""By these a sentence tells itself that a run did not come to its end."""

SINCE = re.compile(
    r"(?i)\bthe (?:only|last|one) (?:other )?(?:edit|change|commit)s? (?:made |I made )?(?:since|after) (?:then|that|it)\b"
)
"""By these a sentence tells itself that something was changed after a run."""


@dataclass(frozen=True, slots=True)
class Commands:
    """Compare claims about commands with the runs that the transcript holds; a result is evidence, words are none.

    `docs` and `tests` are expressions over paths: an edit of the first makes no run stale, of the second no run of the
    tests. `skips` finds marks that switch a test off in what an edit puts in.
    """

    docs: str = DOCS
    tests: str = TESTS
    skips: str = SKIPS

    reads: ClassVar[frozenset[str]] = frozenset({"command"})

    def compare(self, turn: Turn, claims: Sequence[Claim]) -> list[Finding]:
        said = [claim for claim in claims if claim.kind == "command"]
        bare = TESTED.search(turn.asked) is not None
        asserted = [claim for claim in said if claim.stance == "asserted" and (bare or "bare" not in claim.fields)]
        lines = Lines(turn.calls, turn.marks.runners)
        if asserted and not _codes(turn):
            own = any(run.call.effect != "shell" for run in lines.runs("tests"))
            asserted = [claim for claim in asserted if own and claim.subject == "tests"]
        found: dict[tuple[str, ...], Finding] = {}
        for claim in asserted:
            stated = claim.act != "ran" or not any(
                one.subject == claim.subject and one.act != "ran" for one in asserted
            )
            key = (claim.subject, claim.act, claim.fields.get("scope", ""), claim.fields.get("passed", ""))
            if stated and key not in found and (verdict := self._judge(claim, said, turn, lines)):
                found[key] = verdict
        return list(found.values())

    def _judge(self, claim: Claim, said: Sequence[Claim], turn: Turn, lines: Lines) -> Finding | None:
        """The verdict on one claim; None where the answer itself admits what the evidence shows."""
        runs = _relevant(claim, lines)
        run = _deciding(runs)
        if run is None and (turn.before and turn.earlier()):
            lines = Lines((*turn.earlier(), *turn.calls), turn.marks.runners)
            runs = _relevant(claim, lines)
            run = _deciding(runs)
        if "bare" in claim.fields and (run is None or not run.output.failed):
            return None  # "everything passes" may be of anything else
        if claim.act == "ran":
            return _ran(claim, runs, turn, lines)
        if run is None:
            if any(one.state in ("stopped", "unrun") for one in runs[:1]) and CUT_OFF.search(claim.quote):
                return None
            return _without_run(claim, runs, turn, lines)
        if run.state == "bad":
            finding = self._failed(claim, run, runs, lines)
            return None if finding is not None and finding.flagged and _admitted(claim, said) else finding
        if run.state == "good":
            return self._passed(claim, run, runs, lines, turn)
        return _finding("unverifiable", claim, run.why or "nothing that it printed says how it went", run)

    def _failed(self, claim: Claim, run: Run, runs: Sequence[Run], lines: Lines) -> Finding | None:
        """The last run failed: what that means for a claim that all is well."""
        passed, total = _number(claim, "passed"), _number(claim, "total")
        if passed is not None and total is not None and passed < total and passed == run.output.passed:
            return _finding("verified", claim, run.why, run)
        if "partial" in claim.fields:
            return None
        if passed is not None and total is None and passed == run.output.passed and "all" not in claim.fields:
            return _finding("verified", claim, run.why, run)  # "Tests: 10 passed", and the failures in another line
        if passed is not None and passed == total and _of_a_part(passed, run, runs):
            return _finding("unverifiable", claim, f"a part had that number; the run says: {run.why}", run)
        if lines.unseen(claim.subject, lines.stopped(run.place)):
            return _finding("unverifiable", claim, "the last run seen failed; it may have been run again unseen", run)
        scope = claim.fields.get("scope", "")
        other = _of_another_file(claim, run)
        if other or (other is None and scope and not _names_scope(scope, run.why)):
            return _finding("unverifiable", claim, f"the run had failures elsewhere: {run.why}", run)
        if run.subset and not run.runner and "all" not in claim.fields:
            return _finding("unverifiable", claim, f"a part failed: {run.why}", run)
        if claim.subject in WORDS:
            edits = [one for one in lines.changes(run.place, self.docs, self.tests) if one.what != "docs"]
            if edits:
                reason = f"it failed ({run.why}), files were changed, and it was not run again"
                return _finding("stale", claim, reason, run)
        return _finding("contradicted", claim, f"the last {_word(claim)} says: {run.why}", run)

    def _passed(self, claim: Claim, run: Run, runs: Sequence[Run], lines: Lines, turn: Turn) -> Finding:
        """The last run succeeded: whether it still holds, and holds for all that the claim speaks of."""
        if SPOTLESS.search(claim.quote) and run.call.result is not None and WARNED.search(printed(run.call.result)):
            return _finding("contradicted", claim, f"the last {_word(claim)} says: {run.why}", run)
        if claim.subject == "commit" and (undone := _taken_back(claim, run, runs, lines)):
            return undone
        if claim.subject not in WORDS or claim.subject == "ci":
            return _finding("verified", claim, run.why, run)
        changes = list(lines.changes(run.place, self.docs, self.tests))
        spoils = {"source", "tests"} if claim.subject in ("lint", "types") else {"source"}
        spoiled = [one for one in changes if one.what in spoils]
        if spoiled:
            return _spoiled(claim, run, spoiled, lines)
        scope = claim.fields.get("scope", "")
        if scope and run.subset and not _names_scope(scope, f"{run.command} {run.output.line}"):
            return _finding("unverifiable", claim, f"the run was of a part: {run.command}", run)
        if wrong := _numbers_differ(claim, run, runs):
            return _finding("qualified", claim, wrong, run)
        partly = run.subset and "all" in claim.fields and not scope and not names_part(claim.quote, run.command)
        if partly and not any(self._holds(one, lines) for one in runs):
            return _finding("qualified", claim, f"only a part was run: {run.command}", run)
        if not scope and (package := one_package(claim, run, lines, turn)):
            return _finding("qualified", claim, f"only those of {package} were run: {run.command}", run)
        if other := self._left_failing(claim, run, runs, lines):
            return _finding("qualified", claim, f"another run failed and was not repeated: {other.why}", run)
        silent = claim.subject == "tests" and (UNSKIPPED.search(claim.quote) or not SKIPPED.search(claim.quote))
        if silent and (marked := switched_off(run, lines, compiled(self.skips), self.docs)):
            return _finding("qualified", claim, f"tests were switched off: {marked}", run)
        finding = _finding("verified", claim, run.why, run)
        edited = next((one.path for one in changes if one.what == "tests"), "")
        if not edited or claim.subject != "tests":
            return finding
        return replace(finding, fields={**finding.fields, "integrity": f"tests were changed after the run: {edited}"})

    def _holds(self, run: Run, lines: Lines) -> bool:
        """Whether a run of all succeeded, and no source was changed after it."""
        changed = (one.what == "source" for one in lines.changes(run.place, self.docs, self.tests))
        return run.state == "good" and not run.subset and not any(changed)

    def _left_failing(self, claim: Claim, run: Run, runs: Sequence[Run], lines: Lines) -> Run | None:
        """A failed run of another tool of the same kind, on the files as they are now, for a claim about all."""
        settled = {run.runner}
        for one in runs if "all" in claim.fields else ():
            told = (one.output.passed or 0) + (one.output.failed or 0)
            if not run.runner and (run.output.passed or 0) >= told:
                continue  # a script of the project's that ran as many may have run these
            if one.state == "bad" and one.runner not in settled:
                edited = any(change.what != "docs" for change in lines.changes(one.place, self.docs, self.tests))
                return None if edited else one
            settled.add(one.runner)
        return None


def _relevant(claim: Claim, lines: Lines) -> list[Run]:
    """The runs that a claim may speak of, the latest first: of the tool that it names, where that tool ran."""
    runs = lines.runs(claim.subject)
    named = claim.fields.get("named", "").split(" ")[-1 if " " not in claim.fields.get("named", "") else 0]
    own = [run for run in runs if named and (run.runner == named or named in run.command.split())]
    return own or runs


def _deciding(runs: Sequence[Run]) -> Run | None:
    """The latest run that says anything; one that was refused, or found nothing to do, does not undo what came before."""
    return next((run for run in runs if run.state not in ("unrun", "none", "stopped")), None)


def _ran(claim: Claim, runs: Sequence[Run], turn: Turn, lines: Lines) -> Finding:
    """ "I ran the tests": any run will do."""
    took_place = next((run for run in runs if run.state != "unrun"), None)
    if took_place is not None:
        return _finding("verified", claim, f"it was run: {took_place.command}", took_place)
    return _without_run(claim, runs, turn, lines)


def _without_run(claim: Claim, runs: Sequence[Run], turn: Turn, lines: Lines) -> Finding:
    """No run says anything: none took place, or the one that did was refused or found nothing."""
    if lines.unseen(claim.subject):
        unseen = reported_by(lines.calls, claim.subject.rstrip("s"))
        return _finding("unverifiable", claim, unseen or "no call shows it, and it may have been run unseen")
    if not turn.whole():
        return _finding("unverifiable", claim, "no call shows it, and the history is not whole")
    if _in_words(claim, turn):
        return _finding("unverifiable", claim, "no call shows it; the user's own text does")
    natures = turn.marks.natures
    asked = natures.asks(turn.asked) and natures.asked(turn.asked) != "change"
    if claim.act == "done" and (asked or BEFORE.search(claim.quote)):
        return _finding("unverifiable", claim, "no call shows it, and it may have been done before")
    if (stopped := next((run for run in runs if run.state == "stopped"), None)) is not None:
        if claim.act != "pass" or _shown_later(claim, stopped, turn, lines):
            return _finding("unverifiable", claim, stopped.why, stopped)
        return _finding("unsupported", claim, f"it did not come to its end: {stopped.why}", stopped)
    unrun = next((run for run in runs if run.state == "unrun"), None)
    if unrun is not None:
        verdict: Verdict = "unsupported" if claim.act == "pass" else "contradicted"
        return _finding(verdict, claim, f"it did not run: {unrun.why}", unrun)
    if runs:
        verdict = "unsupported" if claim.act == "pass" else "unverifiable"
        if claim.subject == "commit" and "active" in claim.fields:  # "pushed" may tell what is on the remote already
            verdict = "contradicted"
        return _finding(verdict, claim, f"the run found nothing to do: {runs[0].why}", runs[0])
    return _finding("unsupported", claim, f"no call in this conversation is a {_word(claim)}")


def _in_words(claim: Claim, turn: Turn) -> bool:
    """Whether the user pasted what a runner prints: that is no evidence, and no reason to accuse."""
    runners = list(turn.marks.runners.of(claim.subject))
    texts = [turn.asked, *(message.text for message in turn.before if message.role == "user")]
    return any(runner.read(text[-8_000:]).state in ("good", "bad") for text in texts if text for runner in runners)


def _shown_later(claim: Claim, run: Run, turn: Turn, lines: Lines) -> bool:
    """Whether a later result has what a runner prints: of a log, or of what went on behind."""
    runners = list(turn.marks.runners.of(claim.subject))
    later = [call.result for call in lines.calls[run.place[0] + 1 :] if call.result is not None]
    return any(result.once(runner.says).state in ("good", "bad", "pending") for result in later for runner in runners)


def _spoiled(claim: Claim, run: Run, changes: Sequence[Change], lines: Lines) -> Finding:
    """Files were changed after a run that succeeded."""
    path = changes[-1].path
    if SINCE.search(claim.quote):
        return _finding("verified", claim, run.why, run)  # what came after it is told
    if not any(one.sure for one in changes) or lines.unseen(claim.subject, changes[-1].place):
        return _finding("unverifiable", claim, "it succeeded; what was done after it may have changed that", run)
    what = f"`{path}` was changed" if path else "files were changed"
    return _finding("stale", claim, f"it succeeded before {what}, and was not run again", run)


def _taken_back(claim: Claim, run: Run, runs: Sequence[Run], lines: Lines) -> Finding | None:
    """Whether what was committed is no longer: by `git reset`, or a commit that takes back the one before it."""
    if TAKEN_BACK.search(claim.quote):
        return None
    if any(one.state == "good" and one.place < run.place for one in runs) and REVERTS.match(run.command):
        return _finding("unverifiable", claim, f"the last commit takes one back: {run.command}", run)
    command, sure = lines.taken_back(run)
    pushed = any(one.state == "good" and one.place > run.place for one in lines.runs("push"))
    sure = sure and not pushed and not lines.unseen("commit", run.place)
    if command and sure and STANDS.search(claim.quote):
        return _finding("stale", claim, f"it was committed before `{command}`", run)
    return _finding("unverifiable", claim, f"it was committed before `{command}`", run) if command else None


def _admitted(claim: Claim, said: Sequence[Claim]) -> bool:
    """Whether the answer says itself, in the same breath or later, that it does not hold."""
    return any(
        one.stance == "denied"
        and one.subject == claim.subject
        and (one.start > claim.start or one.quote == claim.quote)
        for one in said
    )


def _of_a_part(passed: int, run: Run, runs: Sequence[Run]) -> bool:
    """Whether another run, or another part of a run that failed, had as many tests that passed: "Unit tests: 12/12"."""
    if passed == run.output.passed:
        return False
    if any(one.state == "good" and one.output.passed == passed for one in runs):
        return True
    text = run.call.result.once(printed) if run.call.result is not None else ""
    return re.search(rf"(?<![\d,.]){passed} (?:tests? )?pass|\({passed}\)|\b{passed} tests?\b", text) is not None


def _numbers_differ(claim: Claim, run: Run, runs: Sequence[Run]) -> str:
    """Why a claimed number is not what was printed; empty where it is, or may be."""
    claimed, shown = _number(claim, "passed"), run.output.passed or run.output.total
    if claimed is None or not shown or claimed == shown:
        return ""
    known = {one.output.passed for one in runs if one.state == "good"}
    if claimed in known or claimed == sum(one.output.passed or 0 for one in runs if one.state == "good"):
        return ""
    if claimed < shown and "all" not in claim.fields and "total" not in claim.fields:
        return ""
    return f"the run says {run.why}"


def _of_another_file(claim: Claim, run: Run) -> bool | None:
    """Whether what a run names as failed lies in other files than the claim speaks of; None where either names none."""
    own = [one[0] or one[1] for one in FILE.findall(claim.quote)]
    text = printed(run.call.result) if own and run.call.result is not None else ""
    failed = [line for line in text.splitlines() if FAILED.match(line)]
    return not any(name in line for name in own for line in failed) if failed else None


def _names_scope(scope: str, text: str) -> bool:
    words = [word.strip(".,") for word in scope.replace("/", " ").replace("::", " ").split() if len(word) > 2]
    return any(word.lower() in text.lower() for word in words)


def _number(claim: Claim, key: str) -> int | None:
    digits = claim.fields.get(key, "")
    return int(digits[:12]) if digits.isdecimal() and digits.isascii() else None


def _word(claim: Claim) -> str:
    return WORDS.get(claim.subject, claim.subject)


def _finding(verdict: Verdict, claim: Claim, reason: str, run: Run | None = None) -> Finding:
    facts: dict[str, object] = {"command": run.command[:200]} if run is not None else {}
    if run is not None and run.output.skipped:
        facts["skipped"] = run.output.skipped
    return Finding(verdict, claim.subject, reason, claim.quote, run.call.id if run is not None else "", facts)
