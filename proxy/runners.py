"""What test runners, linters, compilers and git look like on a command line, and how their output says how it went."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import Any, Literal

import msgspec

from proxy.patterns import Pattern
from proxy.results import Result, one_line
from proxy.tables import compiled

Kind = Literal["tests", "build", "lint", "types", "commit", "push", "ci"]
State = Literal["good", "bad", "none", "pending", "silent"]

REMEMBERED = 1_024
"""Commands whose runners are remembered."""
LONGEST = 200
"""Code points of a command that is."""
HEAD, TAIL = 16_000, 48_000
"""Code points at either end of an output that are read."""
STYLE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
EXIT = re.compile(
    r"^(?:Process exited with code|Exit code:?|\[?exit status:?|Command failed with exit code) (\d+)", re.M
)
WELL = re.compile(r"(?i)\W*(?:ok|pass(?:ed)?|congratulations|build success\w*)\W*")
"""What says that all went well, and of nothing that it was run."""
TAKEN = re.compile(
    r"\s(?:--?(?:config|require|import|loader|reporters?|coverage[\w-]+|coverprofile|max-?workers|workers|pool|timeout"
    r"|testTimeout|test-timeout|browsers?|env|environment|format|out|output|seed|retries|maxfail|durations|rootdir"
    r"|junit-?xml|cov-report|cov-config|cov|html|basetemp|tb|order|log-?level|log-?file)|-[cnrWo])\s+[^-\s]\S*"
)
"""Options with a value that selects no tests: "--config jest.config.js" is no path."""
TEXTS = ("output", "stdout", "stderr", "aggregated_output", "result", "content", "text")
CODES = ("exit_code", "metadata.exit_code", "exitCode", "returncode", "return_code")


class RunnerTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One `[[runners]]` table, as a pack spells it. Every list holds RE2 expressions.

    `runs`, `not`, `subset` and `whole` are searched in the words of a shell segment, joined by spaces; the others in
    its output. The first group of `passed`, `failed`, `total` and `skipped` is a number.
    """

    name: str
    kind: Kind
    runs: list[str]
    never: list[str] = msgspec.field(name="not", default=[])
    subset: list[str] = []
    whole: list[str] = []
    partial: list[str] = []
    passed: list[str] = []
    failed: list[str] = []
    total: list[str] = []
    skipped: list[str] = []
    none: list[str] = []
    pending: list[str] = []
    clean: list[str] = []
    broken: list[str] = []
    quiet: bool = False


@dataclass(frozen=True, slots=True)
class Output:
    """What a runner's output says. Numbers are None where it does not say; `line` is the line that tells."""

    state: State
    line: str = ""
    passed: int | None = None
    failed: int | None = None
    total: int | None = None
    partial: bool = False
    skipped: int | None = None


class Runner:
    """A compiled `[[runners]]` table."""

    __slots__ = ("_by", "_named", "kind", "name", "quiet", "runs")

    def __init__(self, table: RunnerTable) -> None:
        self.name, self.kind, self.quiet, self.runs = table.name, table.kind, table.quiet, table.runs
        keys = (
            "runs",
            "never",
            "subset",
            "whole",
            "partial",
            "passed",
            "failed",
            "total",
            "skipped",
            "none",
            "pending",
            "clean",
            "broken",
        )
        self._by = {key: tuple(Pattern(one) for one in getattr(table, key)) for key in keys}
        self._named = Pattern("|".join(f"(?:{one})" for one in table.runs) or "\\z.")
        for key in ("passed", "failed", "total", "skipped"):
            for one in self._by[key]:
                if not re.search(r"(?<!\\)\((?!\?[^P])", one.expression):
                    raise ValueError(f"{key}: {one.expression!r} has no group for the number")

    def _any(self, key: str, text: str) -> Any:
        for pattern in self._by[key]:
            if found := pattern.search(text):
                return found
        return None

    def named(self, command: str) -> bool:
        """Whether a segment's words name this tool, be it only for its help."""
        return self._named.search(command) is not None

    def idle(self, command: str) -> bool:
        """Whether a segment that names this tool only lists, counts or helps."""
        return self._any("never", command) is not None

    def is_subset(self, command: str) -> bool:
        """Whether a segment runs a part: by an option that selects, or by paths of which none is the whole."""
        options = [one for one in self._selected(command) if re.match(r"-(?!- )", one)]
        found = options or self._selected(TAKEN.sub("", command))
        return bool(options) or (bool(found) and self._any("whole", command) is None)

    def _selected(self, command: str) -> list[str]:
        return [one.group().strip() for pattern in self._by["subset"] for one in pattern.finditer(command)]

    def says(self, result: Result) -> Output:
        """What a result says of this tool's run: asked for each segment of a command line, it is to be made `once`."""
        return self.read(result.once(printed))

    def read(self, text: str) -> Output:
        """What an output says of this tool's run; `silent` where it says nothing that is known."""
        failed, bad_line = self._sum("failed", text)
        passed, good_line = self._sum("passed", text)
        total, all_line = self._sum("total", text)
        partial = self._any("partial", text) is not None
        if failed:
            return Output("bad", bad_line, passed, failed, total, partial)
        if passed:
            return Output("good", good_line, passed, 0, total, partial, self._sum("skipped", text)[0])
        if self.kind in ("commit", "push") and (found := self._any("clean", text)):
            return Output("good", _line(text, found))  # a receipt: the errors around it are another command's
        if found := self._any("broken", text):
            return Output("bad", _line(text, found), passed, failed, total, partial)
        if found := self._any("pending", text):
            return Output("pending", _line(text, found))
        clean = self._any("clean", text)
        told = clean is not None and WELL.fullmatch(clean.group()) is None
        if (found := self._any("none", text)) and not told:  # of one module of several, where others ran some
            return Output("none", _line(text, found))
        if self.kind == "tests" and not told and (passed == 0 or total == 0):
            return Output("none", good_line or all_line)
        if found := clean:
            return Output("good", _line(text, found), passed, 0, total, partial)
        return Output("silent")

    def _sum(self, key: str, text: str) -> tuple[int | None, str]:
        """The number of a summary, added up over all summaries that one pattern finds (a workspace prints several)."""
        for pattern in self._by[key]:
            line = ""
            numbers: list[int] = []
            for found in pattern.finditer(text):
                if (number := found.group(1)) and len(numbers) < 1_000:
                    numbers.append(int(number.replace(",", "")[:9]))
                    if not line or numbers[-1]:
                        line = _line(text, found)
            if numbers:
                return sum(numbers), line
        return None, ""


def _line(text: str, found: Any) -> str:
    """The whole line in which a match ends."""
    end = found.end()
    while end > found.start() + 1 and text[end - 1] == "\n":
        end -= 1
    start = text.rfind("\n", 0, end - 1) + 1
    stop = text.find("\n", end)
    return one_line(text[start : stop if stop >= 0 else len(text)].strip(" =-\t"), 160)


def printed(result: Result) -> str:
    """What a command printed: the texts of a JSON result, or the text itself; without colours, its two ends only."""
    text = result.text
    if isinstance(result.value, dict):
        pieces = [value for key in TEXTS for value in result.fields(key) if isinstance(value, str)]
        text = "\n".join(pieces) if pieces or any(result.fields(key) for key in CODES) else text
    if len(text) > HEAD + TAIL:
        text = text[:HEAD] + "\n" + text[-TAIL:]
    if "\x1b" in text:
        text = STYLE.sub("", text)
    return text.replace("\r\n", "\n")


def exit_code(result: Result) -> int | None:
    """The exit code that a result names, in a field or in a line of its own."""
    for key in CODES:
        for value in result.fields(key):
            if isinstance(value, int) and not isinstance(value, bool):
                return value
    found = EXIT.search(result.edges)
    return int(found.group(1)[:4]) if found else None


PASSED = ("passed", "passes", "numPassedTests", "passed_tests", "passing")
FAILED = ("failed", "failures", "numFailedTests", "failed_tests", "failing")
INSIDE = ("", "summary.", "stats.", "totals.", "counts.", "results.")


def counted(result: Result) -> Output | None:
    """What a tool of a project's own says of the tests that it ran: a JSON object with their numbers, or with lists."""
    passed, failed, errors = (_most(result, keys) for keys in (PASSED, FAILED, ("errors", "errored")))
    if passed is None or failed is None or (errors and not failed) or not (failed or passed):
        return None
    return Output("bad" if failed else "good", f"{passed} passed, {failed} failed", passed, failed)


def _most(result: Result, keys: Sequence[str]) -> int | None:
    values = [value for inside in INSIDE for key in keys for value in result.fields(inside + key)]
    numbers = [one if isinstance(one, int) else len(one) for one in values if isinstance(one, (int, list))]
    return None if any(isinstance(one, bool) for one in values) else max(numbers, default=None)


class Runners:
    """All runners of a policy; the first of a kind whose `runs` fits a segment reads it."""

    __slots__ = ("_all", "_any", "_remembered")

    def __init__(self, runners: Sequence[Runner] = ()) -> None:
        self._all = tuple(runners)
        # Commands come from clients: what is remembered of them is bounded.
        self._remembered = lru_cache(maxsize=REMEMBERED)(self._named)
        runs = [f"(?:{one})" for runner in runners for one in runner.runs]
        self._any = Pattern(f"(?m){'|'.join(runs)}") if runs else None
        """All of `runs` in one expression: most commands of a turn name no runner, and are asked once, together."""

    def of(self, kind: str) -> Iterator[Runner]:
        return (one for one in self._all if one.kind == kind)

    def naming(self, commands: Sequence[str]) -> dict[str, tuple[Runner, ...]]:
        """For each command that names any, the runners of every kind that it names; in one search over all of them."""
        if self._any is None:
            return {}
        starts = list(accumulate((len(one) + 2 for one in commands), initial=0))
        near = {bisect_right(starts, found.start()) - 1 for found in self._any.finditer("\n\n".join(commands))}
        named = ((commands[at], self._of(commands[at])) for at in sorted(near))
        return {command: runners for command, runners in named if runners}

    def _of(self, command: str) -> tuple[Runner, ...]:
        return self._remembered(command) if len(command) <= LONGEST else self._named(command)

    def _named(self, command: str) -> tuple[Runner, ...]:
        return tuple(one for one in self._all if one.named(command))

    def __bool__(self) -> bool:
        return bool(self._all)


def parse_runners(tables: Sequence[Mapping[str, Any]]) -> Runners:
    """Compile `[[runners]]` tables. Raises ValueError that names the table's number and what is wrong."""
    return Runners(compiled("runners", tables, RunnerTable, Runner))
