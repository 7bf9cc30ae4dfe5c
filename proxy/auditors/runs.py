"""The runs of tests, builds, linters and git that the calls of a turn hold, and what changed around them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Literal

from proxy.auditors.halted import halted
from proxy.ledger import MUTATIONS, UNDONE, Call
from proxy.patterns import Pattern
from proxy.results import Result, walk
from proxy.runners import Output, Runner, Runners, counted, exit_code, printed
from proxy.shell import Segment, argv, segments, succeeded
from proxy.underway import WORDS

Place = tuple[int, int]
"""Where something happened: the call's number in the sequence, and the segment's in its command line."""

HELPS = re.compile(r".* (?:--version|--help|-[Vh])|\S+ (?:-?version|help)|(?:node|npm|npx|pnpm|yarn|ruby|php|tsc) -v")
"""By this a program only says what it is."""
HARMLESS: frozenset[str] = frozenset(
    {
        *("cd", "ls", "cat", "grep", "egrep", "rg", "ag", "sed", "awk", "head", "tail", "echo", "printf", "find", "fd"),
        *("wc", "git", "gh", "pwd", "which", "whereis", "type", "test", "[", "[[", "mkdir", "rmdir", "cp", "mv", "rm"),
        *("ln", "touch", "sort", "uniq", "diff", "cmp", "tree", "stat", "chmod", "chown", "export", "unset", "alias"),
        *("source", ".", "set", "true", "false", ":", "sleep", "jq", "yq", "cut", "tr", "date", "whoami", "hostname"),
        *("du", "uname", "df", "file", "less", "more", "read", "tee", "pip", "pip3", "apt", "apt-get", "brew", "curl"),
        *(
            "wget",
            "ps",
            "kill",
            "pgrep",
            "base64",
            "md5sum",
            "sha256sum",
            "for",
            "case",
            "return",
            "exit",
            "wait",
            "basename",
        ),
        *("dirname", "realpath", "readlink", "xxd", "hexdump", "od", "nl", "column", "paste", "perl", "patch", "unzip"),
        *("tar", "gzip", "zip", "black", "isort", "prettier", "gofmt", "rustfmt", "ruff"),
    }
)
"""Programs that run no tests, builds or linters of the project unseen."""

GIT: frozenset[tuple[str, ...]] = frozenset(
    (word,)
    for word in (
        *("add", "apply", "bisect", "blame", "branch", "checkout", "clean", "clone", "config", "diff", "fetch", "grep"),
        *("init", "log", "ls-files", "mv", "pull", "remote", "reset", "restore", "rev-parse", "rm", "show", "stash"),
        *("status", "switch", "tag", "worktree", "commit", "push", "describe", "reflog", "shortlog", "cat-file"),
    )
)
GH_READS: frozenset[tuple[str, ...]] = frozenset(
    {("pr", "view"), ("pr", "list"), ("pr", "diff"), ("issue", "view"), ("issue", "list"), ("repo", "view")}
)

LOOKS: frozenset[str] = frozenset(
    [
        *("list", "read", "grep", "glob", "find", "search", "view", "get", "show", "open", "cat", "ls", "stat", "tree"),
        *("dir", "dirs", "directory", "directories", "folder", "folders", "file", "files", "path", "paths", "text"),
        *("content", "contents", "code", "codebase", "symbol", "symbols", "definition", "definitions", "reference"),
        *("references", "lines", "many", "repo", "repository", "project", "workspace", "in", "by"),
    ]
)
"""Words of tools that only look at files."""
STARTS: frozenset[str] = frozenset({"run", "rerun", "execute", "exec", "start", "runner", "invoke"})
SUITES: frozenset[str] = frozenset(
    {"test", "tests", "testsuite", "suite", "suites", "spec", "specs", "unittest", "unittests"}
)
PROGRAMS: frozenset[str] = frozenset({"pytest", "jest", "vitest", "rspec", "mocha", "phpunit", "unittest"})
"""Words of tools of a project's own that run its tests: `run_tests`, `pytest`."""
ALL_OF_THEM: frozenset[str] = frozenset({"", "all", "*", ".", "./", "full", "everything", "any"})
"""What their arguments say where they select no part."""
MOVES_BACK = re.compile(
    r"git (?:-C \S+ )?reset(?P<how>(?: --?[a-zA-Z]\S*)*) (?P<to>[^-\s]\S*)(?P<then>(?: --?[a-zA-Z]\S*)*)"
)
"""By this a branch may lose its last commits; of files alone, or of none, it takes them out of the index only."""
BEHIND = re.compile(r"(?:HEAD|@)(?:[~^](?!0\b)\d*)+")
RESTORES = re.compile(r"git (?:-C \S+ )?(?:pull|merge|cherry-pick|rebase|reset|am|checkout|switch|branch|stash)\b")
STOPPED = re.compile(
    r"(?i)interrupted by (?:the )?user|^KeyboardInterrupt|request interrupted|aborted by (?:the )?user|!!! KeyboardInterrupt",
    re.M,
)
NOT_FOUND = re.compile(r"(?im)(?:command not found|: not found$|No module named \S+$|is not recognized as an internal)")
CHAIN = 100
"""Segments behind one, tied to it by `&&`, of which is asked whether they ran."""
LOGS: frozenset[str] = frozenset({"log", "out", "txt", "xml", "html", "json", "csv", "err", ""})
REWRITES = re.compile(r"^git (?:apply|am|revert|cherry-pick|stash (?:pop|apply)|reset --hard)\b|^patch\b")
IN_PLACE = re.compile(r"^(?:sed|perl|gsed) (?:-\S+ )*-\w*i|^(?:rm|mv|cp|tee) ")

What = Literal["source", "tests", "docs"]


@lru_cache(maxsize=256)
def compiled(expression: str) -> Pattern:
    return Pattern(expression)


@dataclass(frozen=True, slots=True)
class Run:
    """One run of one tool: where, by which command, and what its own slice of the output says.

    The state `unrun` is a call that was refused, or whose program was never started; `stopped` one that
    did not come to its end.
    """

    call: Call
    place: Place
    command: str
    state: Literal["good", "bad", "none", "pending", "silent", "unrun", "stopped"]
    runner: str = ""
    output: Output = field(default_factory=lambda: Output("silent"))
    subset: bool = False
    why: str = ""


@dataclass(frozen=True, slots=True)
class Change:
    """Something that changed a file; `sure` is false where no receipt says that it landed."""

    place: Place
    what: What
    path: str
    sure: bool


class Lines:
    """The shell calls of a sequence, each command line cut once, and read for one kind at a time."""

    __slots__ = ("_cut", "_named", "_notable", "_runners", "_runs", "calls")

    def __init__(self, calls: Sequence[Call], runners: Runners) -> None:
        self.calls, self._runners = calls, runners
        self._cut: dict[int, list[Segment]] = {}
        self._named: dict[str, tuple[Runner, ...]] = {}
        self._notable: dict[int, list[tuple[int, Segment]]] | None = None
        self._runs: dict[str, list[Run]] = {}

    def segments(self, number: int) -> list[Segment]:
        if number not in self._cut:
            call = self.calls[number]
            found = []
            for key in call.signature.table.command:
                for value in walk(call.arguments, key):
                    found += segments(argv(value))
            self._cut[number] = found
        return self._cut[number]

    def _read(self) -> dict[int, list[tuple[int, Segment]]]:
        """The segments that name a runner or may have run anything, by call; all commands are looked through at once."""
        if self._notable is None:
            shells = [number for number, call in enumerate(self.calls) if call.effect == "shell"]
            cut = [(number, at, one) for number in shells for at, one in enumerate(self.segments(number))]
            self._named = self._runners.naming([one.text for _, _, one in cut])
            self._notable = {}
            for number, at, one in cut:
                head = one.words[0] if one.words else ""
                if head and (head not in HARMLESS or _hides(one) or one.text in self._named):
                    self._notable.setdefault(number, []).append((at, one))
        return self._notable

    def _naming(self, command: str) -> tuple[Runner, ...]:
        """The runners that a segment's words name and run in earnest."""
        return tuple(one for one in self._named.get(command, ()) if not one.idle(command))

    def runs(self, kind: str) -> list[Run]:
        """The runs of one kind, the latest first."""
        if kind not in self._runs:
            self._runs[kind] = [
                run for number in reversed(range(len(self.calls))) for run in reversed(self._of_call(number, kind))
            ]
        return self._runs[kind]

    def _of_call(self, number: int, kind: str) -> list[Run]:
        notable, call = self._read(), self.calls[number]
        if number in notable:
            return self._in(number, notable[number], kind)
        own = kind == "tests" and not call.effect and _runs_tests(call) and self._reported(number)
        return [own] if own else []

    def _reported(self, number: int) -> Run | None:
        """What a tool of the project's own that runs tests says of them: in JSON, or as a runner prints it."""
        call, place = self.calls[number], (number, 0)
        if call.result is None or call.outcome in ("refused", "not_attempted", "unknown"):
            return None
        part = any(isinstance(one, str) and one.lower() not in ALL_OF_THEM for one in _values(call.arguments))
        read = call.result.once(counted)
        run = self._unnamed(call, place, call.name, "tests")
        if read is not None:
            run = Run(call, place, call.name, "bad" if read.failed else "good", "", read, why=read.line)
        return None if run is None or (part and run.state == "good") else replace(run, subset=part)

    def taken_back(self, run: Run) -> tuple[str, bool]:
        """The command that moved a branch back behind a commit, and whether that is sure; empty where none did."""
        found, sure = "", False
        for number in range(run.place[0], len(self.calls)):
            call = self.calls[number]
            failed = call.outcome in UNDONE or (call.result is not None and call.result.once(_objects))
            for at, one in enumerate(self.segments(number)) if call.effect == "shell" and not failed else ():
                if (number, at) <= run.place or one.before == "||":
                    continue
                moved = MOVES_BACK.fullmatch(one.text)
                if moved is not None and BEHIND.fullmatch(moved["to"]):
                    found, sure = one.text, True
                elif moved is not None and (moved["how"] or moved["then"]) and moved["to"] not in ("HEAD", "@"):
                    found, sure = ("", False) if moved["to"][:7] in run.why else (one.text, False)
                elif found and RESTORES.match(one.text):
                    sure = False
        return found, sure

    def _in(self, number: int, notable: list[tuple[int, Segment]], kind: str) -> list[Run]:
        line, call = self.segments(number), self.calls[number]
        runners = [next((one for one in self._naming(each.text) if one.kind == kind), None) for _, each in notable]
        found: list[Run] = []
        for (at, segment), runner in zip(notable, runners, strict=True):
            if runner is not None:
                found.append(_run(call, (number, at), line, runner))
            elif any(runners):
                continue  # what stands there was printed by the runner that the line names
            elif self._opaque(segment, kind) and (read := self._unnamed(call, (number, at), segment.text, kind)):
                found.append(read)
        return [self._implied(run, line) for run in found]

    def _implied(self, run: Run, line: list[Segment]) -> Run:
        """`ruff && mypy`: what a later tool printed shows that the one before it succeeded, whatever else was printed."""
        at = run.place[1]
        counted = run.state == "bad" and (run.output.failed or not run.output.line)
        result = run.call.result
        if run.state not in ("silent", "bad") or counted or result is None or line[at].before == "||":
            return run
        last = min(at + CHAIN, len(line) - 1)
        while at < last and line[at].after == "&&":
            at += 1
            for one in self._naming(line[at].text):
                read = result.once(one.says)
                if read.state == "good" or (read.state == "bad" and run.state == "silent"):
                    return replace(run, state="good", output=Output("silent"), why="what follows it by && did run")
                if read.state == "bad" and read.line != run.output.line and one.kind in ("commit", "push"):
                    return replace(run, state="good", output=Output("silent"), why="what follows it by && did run")
        return run

    def _opaque(self, segment: Segment, kind: str) -> bool:
        """Whether a segment may have run anything: a script, a task of the project's, a program we do not know."""
        head = segment.words[0] if segment.words else ""
        if head in ("gh", "git"):
            return kind in ("push", "ci", "commit") and _hides(segment) and segment.text not in self._named
        if HELPS.fullmatch(segment.text):
            return False
        return bool(head) and head not in HARMLESS and segment.text not in self._named

    def _unnamed(self, call: Call, place: Place, command: str, kind: str) -> Run | None:
        """What a script of the project's printed, where it is a runner's own summary with numbers."""
        if call.result is None or kind != "tests" or call.outcome in ("refused", "not_attempted"):
            return None
        for runner in self._runners.of(kind):
            read = call.result.once(runner.says)
            if read.passed and read.state in ("good", "bad"):
                state: Literal["good", "bad"] = "good" if read.state == "good" else "bad"
                return Run(call, place, command, state, "", read, read.partial, read.line)
        return None

    def stopped(self, place: Place) -> Place:
        """The last segment that did not run because the one at a place failed: what is tied to it by `&&`."""
        line, at = self.segments(place[0]), place[1]
        while at + 1 < len(line) and line[at].after == "&&":
            at += 1
        return place[0], at

    def unseen(self, kind: str, after: Place = (-1, -1)) -> bool:
        """Whether something behind a place may have run it without showing: a sub-agent, an unknown tool, a script."""
        notable = self._read()
        for number in range(max(after[0], 0), len(self.calls)):
            call = self.calls[number]
            if call.outcome in ("refused", "not_attempted"):
                continue
            if (
                number > after[0]
                and call.effect in ("", "agent")
                and call.outcome != "failed"
                and not _only_looks(call)
            ):
                return True
            if call.effect == "shell":
                if number > after[0] and not self.segments(number):
                    return True
                if any(self._opaque(one, kind) for at, one in notable.get(number, ()) if (number, at) > after):
                    return True
        return False

    def changes(self, after: Place, docs: str, tests: str) -> Iterator[Change]:
        """What changed files behind a place, in order."""
        for number in range(max(after[0], 0), len(self.calls)):
            call = self.calls[number]
            if call.effect in MUTATIONS or (call.effect == "shell" and call.targets):
                if number > after[0]:
                    for target in call.targets:
                        if target.outcome not in UNDONE:
                            yield Change(
                                (number, 0), _what(target.path, docs, tests), target.path, target.outcome == "landed"
                            )
            elif call.effect == "shell" and call.outcome not in UNDONE:
                for at, segment in enumerate(self.segments(number)):
                    if (number, at) > after:
                        for path in written_by(segment):
                            yield Change((number, at), _what(path, docs, tests), path, True)

    def text(self, number: int, keys: Sequence[str]) -> str:
        return self.calls[number].text(keys)


def _values(value: object) -> Iterator[object]:
    """The values of arguments, those in lists and objects too."""
    if isinstance(value, (dict, list)):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _values(one)
    else:
        yield value


def _runs_tests(call: Call) -> bool:
    """Whether a tool runs tests, by the words of its name: `run_tests`, `testRunner`, `pytest`."""
    words = {word.lower() for word in WORDS.findall(call.name.rpartition("__")[2])}
    return bool(words & PROGRAMS) or (bool(words & STARTS) and bool(words & SUITES))


def _only_looks(call: Call) -> bool:
    """Whether a tool surely runs nothing, by every word of its name: `list_dir`, `grep`, `get_file`."""
    words = WORDS.findall(call.name.rpartition("__")[2])
    return bool(words) and all(word.lower() in LOOKS for word in words)


def _hides(segment: Segment) -> bool:
    """Whether git or gh may commit or push by it without saying so: an alias, a subcommand of another program's."""
    if segment.words[:1] == ("gh",):
        return segment.words[1:3] not in GH_READS
    return segment.words[:1] == ("git",) and segment.words[1:2] not in GIT


def written_by(segment: Segment) -> Iterator[str]:
    """The files of a project that a segment writes; an empty name where it does not say which."""
    for path in segment.writes:
        if path.rpartition(".")[2].lower() not in LOGS and "." in path:
            yield path
    if REWRITES.search(segment.text):
        yield ""
    elif IN_PLACE.search(segment.text):
        for word in segment.words[1:]:
            named = re.fullmatch(r"[\w./@+-]+\.\w{1,5}", word) and not word.startswith(("-", "/tmp/", "s/", "s|"))
            if named and (segment.words[0] != "tee" or word.rpartition(".")[2].lower() not in LOGS):
                yield word


def _what(path: str, docs: str, tests: str) -> What:
    folded = path.replace("\\", "/")
    if compiled(docs).search(folded) is not None:
        return "docs"
    return "tests" if compiled(tests).search(folded) is not None else "source"


def _run(call: Call, place: Place, line: list[Segment], runner: Runner) -> Run:
    """One named runner's run, judged by what it printed, and by the exit code where that is its own."""
    command, at = line[place[1]].text, place[1]
    run = Run(call, place, command, "silent", runner.name, subset=runner.is_subset(command))
    if call.outcome in ("refused", "not_attempted"):
        return replace(run, state="unrun", why=call.reason or "the call was refused")
    if call.result is None:
        return replace(run, why="no result came")
    if call.outcome == "pending":
        return replace(run, state="pending", why="it has not ended")
    if call.outcome == "unknown":
        return replace(run, why="its result is cut off, or two came")
    if call.result.once(_stopped):
        return replace(run, state="unrun", why="the run was interrupted")
    output = call.result.once(runner.says)
    if output.state != "silent":
        return replace(run, state=output.state, output=output, subset=run.subset or output.partial, why=output.line)
    why, begun = call.result.once(halted)
    if why:
        return replace(run, state="stopped" if begun else "unrun", why=why)
    return _by_status(run, line, at, runner, call.result)


def _objects(result: Result) -> bool:
    return re.search(r"(?m)^(?:fatal|error): ", result.once(printed)) is not None


def _stopped(result: Result) -> bool:
    return STOPPED.search(result.once(printed)) is not None


def _not_found(result: Result) -> str:
    """What a shell says of a program that it has not found; empty where it found all."""
    missing = NOT_FOUND.search(result.once(printed))
    return missing.group().strip() if missing else ""


def _by_status(run: Run, line: list[Segment], at: int, runner: Runner, result: Result) -> Run:
    code, missing, text = result.once(exit_code), result.once(_not_found), result.once(printed)
    if missing and (code in (None, 126, 127) or len(line) == 1):
        return replace(run, state="unrun", why=missing)
    if code in (124, 130, 137, 143):
        return replace(run, state="stopped", why=f"it was stopped (exit code {code})")
    empty = not text.strip() or (len(text) < 80 and "no output" in text.lower())
    if code is None and runner.quiet and empty and run.call.outcome == "landed":
        code = 0
    ended = succeeded(line, at, code) if code is not None else None
    if ended is None:
        if code is None and run.call.outcome == "failed":
            return replace(run, state="unrun", why=run.call.reason)
        return replace(run, why="nothing that it printed says how it went")
    return replace(run, state="good" if ended else "bad", why=f"exit code {code}")
