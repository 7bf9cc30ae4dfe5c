"""A script that is said to have run must have been started: "script saved and run", where the shell found no interpreter."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from proxy.audit import Finding
from proxy.auditors.halted import halted
from proxy.auditors.runs import NOT_FOUND, Lines
from proxy.claims import Claim, compared_text
from proxy.ledger import Call, Turn
from proxy.results import one_line
from proxy.runners import exit_code, printed

INTERPRETER = re.compile(
    r"python[23]?|py|node|deno|bun|ruby|perl|php|lua|julia|Rscript|(?:ba|z)?sh|pwsh|powershell|ts-node|tsx|java|dotnet|swift"
    r"|kotlin|scala|osascript"
)
SCRIPT = re.compile(r"[\w./-]*\w\.(?:py|js|mjs|cjs|ts|rb|pl|php|lua|jl|R|r|sh|bash|ps1|jar|java|swift|kts?|scala)")
"""The first word of a segment, and another one, by which it runs a script."""
NAME = (
    r"(?:`[\w./-]{1,80}`|\*{0,2}[\w./-]{1,80}\.\w{1,4}\*{0,2}"
    r"|(?:(?:the|this|that|a|your|my|new|python|node|shell|bash|\w+) ){0,3}(?:script|program|code|file))"
)
RUN = r"(?:ran|run|executed|re-?ran)"
WELL = (
    r"(?:successfully|cleanly|fine|(?:without|with no) (?:any )?(?:errors?|problems?|issues?)|as expected|end to end)"
)
STOPS = (
    rf"(?=[\s*_]*(?:$|[.,;:!)|\n—–]|and\b|with\b|{WELL}|on (?:the|your|it)\b|against\b"
    r"|to (?:get|compute|find|confirm|check)\b))"
)
SAVED = r"(?:(?:saved|created|written|wrote|added|built|made)(?:,| and| then|, then)+ )?"
CLAIMED = re.compile(
    rf"(?<!\w){NAME} (?:(?:has|have|had|was|been|now|also|both|successfully|is(?= (?:now|saved|both)\b)) ){{0,4}}"
    rf"{SAVED}(?:successfully )?{RUN}\b{STOPS}"
    rf"|\b(?:I|I['’]ve|and|then|also|have|successfully)(?:,| then| also| successfully| just){{0,2}} {RUN} (?:it|{NAME}){STOPS}"
    rf"|^[ \t|*_>-]*(?:✅ ?)?{RUN} {NAME}{STOPS}"
    rf"|\b(?:script|program|code) (?:ran|runs|executed|executes|finished|completed) {WELL}"
    # With a value, and of the past: "the script outputs a CSV" tells what it is for, "returned wrong totals" what was amiss.
    r"|\b(?:script|program) (?:printed|output|returned|reported|computed|calculated|gave|produced)\b(?=[^.\n]{0,60}?\d)"
    r"|^[ \t|*_-]*(?:✅ ?)?(?:script |program |code )?"
    r"(?:run|executed|execution|execute|(?:run|execute) (?:the )?script|script (?:run|executed|execution))"
    r"[\s*_]*[|:–—-][\s*_]*(?:✅|✓|✔|done\b|yes\b|ok\b|success\w*|completed?\b)",
    re.I | re.M,
)
TROUBLE = re.compile(
    r"(?i)\b(?:could(?: not|n['’]t)|cannot|can['’]t|unable"
    r"|not (?:be )?(?:run|executed|found|installed|available|possible|started|able)"
    r"|n['’]t (?:run|find|start|execute|work)"
    r"|fail\w*|missing|unavailable|not found|isn['’]t|aren['’]t|wasn['’]t|no (?:python|node|interpreter)|skipped|blocked"
    r"|absent|declined|rejected|refused|denied|traceback|crash\w*|exit(?:s|ed)?(?: with)? (?:code|status|[1-9])|exited with"
    r"|bails?|rais(?:es|ed)|threw|throws|reproduc\w*|bugs?|wrong\w*|incorrect\w*|cause"
    r"|according to|last (?:night|week|month|time|run)|yesterday|ci\b|cron\w*"
    r"|needs?|once\b|would|should|tried|attempt\w*"
    r"|unfortunately|however|but\b|instead|by hand|manually|myself|inline|directly|\w*(?:error(?!-free)|exception)s?\b"
    r"|previous\w*|earlier|you can|please|\?)|❌|⚠|✗"
)
"""By these an answer tells of trouble, or of another way."""
ASIDE = re.compile(
    r"(?i)\s*(?:(?:command|directory|output|error|signal|pgid|background pids|stdout|stderr)\b.*:"
    r"|\W*(?:process exited|exit (?:code|status)|operable program|wall time|chunk id|total output lines))"
)
"""Lines around what a shell printed, of the client's own."""
OWN_LINE = re.compile(rf"{SCRIPT.pattern}: (?:line )?\d+: ")
"""How a script that was started says what it lacks: "setup.sh: line 9: jq: command not found"."""
SOUND = re.compile(rf"(?is)(?:.*\b{WELL}|.*[✅✓✔]|[\s*_]*{WELL})")
CRASH = re.compile(r"\s*(?:[\w.]*(?:Error|Exception|Interrupt)\b|panic:|Segmentation fault)")
FREE = re.compile(r"(?i)\b(?:without|no|with no|0|zero) (?:any )?(?:errors?|problems?|issues?|failures?)\b")


@dataclass(frozen=True, slots=True)
class Executions:
    """Look in an answer without a word of trouble for a script that is said to have run, where all its starts came to nothing.

    A start came to nothing where the shell did not find the program, or where the call was refused; for a script that is said
    to have gone well, also where it crashed. It speaks where no other auditor does, and not where anything else in the turn
    may have run it.
    """

    reads: ClassVar[frozenset[str]] = frozenset({"text"})
    needs: ClassVar[frozenset[str]] = frozenset({"calls"})

    def follow(self, turn: Turn, claims: Sequence[Claim], findings: Sequence[Finding]) -> list[Finding]:
        if any(one.flagged for one in findings) or not any(call.effect == "shell" for call in turn.calls):
            return []
        text = compared_text(claims)
        said = CLAIMED.search(text) if text and not TROUBLE.search(FREE.sub("", text)) else None
        if said is None or not turn.whole():
            return []
        lines = Lines(turn.calls, turn.marks.runners)
        starts = list(_starts(lines))
        calls = [one[1] for one in starts]
        well = SOUND.search(said.group()) is not None or SOUND.match(text, said.end()) is not None
        reasons = [_came_to_nothing(call) or (_crashed(call) if well else "") for call in calls]
        if not starts or not all(reasons) or _otherwise(turn, {one[0] for one in starts}):
            return []
        subject = next((word for word in starts[-1][2] if SCRIPT.fullmatch(word)), "script")
        quoted = text[text.rfind("\n", 0, said.start()) + 1 : said.end()]
        return [Finding("contradicted", subject, reasons[-1], one_line(quoted, 200), calls[-1].id)]


def _starts(lines: Lines) -> Iterator[tuple[int, Call, tuple[str, ...]]]:
    """The calls that run a script, each with its number and the words of the segment."""
    for number, call in enumerate(lines.calls):
        for segment in lines.segments(number) if call.effect == "shell" else ():
            head, rest = segment.words[:1], segment.words[1:]
            own = bool(head) and SCRIPT.fullmatch(head[0]) is not None
            if own or (head and INTERPRETER.fullmatch(head[0]) and any(SCRIPT.fullmatch(word) for word in rest)):
                yield number, call, segment.words


def _came_to_nothing(call: Call) -> str:
    """Why a call started nothing; empty where it may have."""
    if call.outcome in ("refused", "not_attempted"):
        return f"it was not run: {call.reason or 'the call was refused'}"
    if call.result is None:
        return ""
    text, code = call.result.once(printed), call.result.once(exit_code)
    missing = [line for line in text.splitlines() if NOT_FOUND.search(line) and "No module" not in line]
    rest = [line for line in text.splitlines() if line.strip() and not (line in missing or ASIDE.match(line))]
    if any(OWN_LINE.match(line) for line in missing):
        return ""
    if missing and not rest and code in (None, 1, 126, 127, 9009):
        return f"it was not run: {one_line(missing[0].strip(), 160)}"
    why, begun = call.result.once(halted)
    return f"it was not run: {why}" if why and not begun else ""


def _crashed(call: Call) -> str:
    """With what a script ended that an exit code says to have failed; empty where it may have ended well."""
    if call.result is None or not call.result.once(exit_code):
        return ""
    lines = [line for line in call.result.once(printed).splitlines() if line.strip()]
    return f"it ended with an error: {one_line(lines[-1].strip(), 160)}" if lines and CRASH.match(lines[-1]) else ""


def _otherwise(turn: Turn, starts: set[int]) -> bool:
    """Whether something else in the turn may have run it: another program, a tool of unknown effect, an agent."""
    others = [call for number, call in enumerate(turn.calls) if number not in starts]
    return Lines(others, turn.marks.runners).unseen("build")
