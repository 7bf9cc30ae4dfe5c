"""How clients and shells say of a command that it was not run, or was stopped before it ended."""

from __future__ import annotations

import re

from proxy.results import Result, one_line
from proxy.runners import exit_code

LONGEST = 700
"""Code points of a result that may be such a word and nothing else."""
WHO = r"(?:the )?(?:user|policy|guard|hook|sandbox|security|admin\w*|permission)"
HOW = r"(?:rejected|denied|declined|refused|blocked|cancell?ed|skipped|disallowed)"
WHAT = r"(?:tool use|tool call|command|action|operation|execution|tool)"
UNRUN = re.compile(
    rf"\b{WHAT}\b[^.\n]{{0,60}}?\b(?:was|were|has been|is) (?:\w+ )?"
    rf"(?:{HOW}|not (?:been )?(?:executed|permitted|allowed|approved|run))\b"
    rf"|\b(?:command|execution|tool execution|action|permission) {HOW}\b|\baccess to this command is\b"
    r"|\bhas not been (?:executed|run)\b"
    rf"|\buser (?:has )?(?:\w+ )?(?:{HOW}|aborted"
    r"|(?:chose|decided) (?:to skip|not to)|(?:did not|didn['’]t) (?:approve|allow|grant|confirm)"
    r"|(?:does not|doesn['’]t) want|(?:has )?specified a rule)\b"
    rf"|\b{HOW} by {WHO}\b|\A(?:rejected|denied|blocked|cancell?ed)\b"
    r"|\brequires? (?:\w+ )?(?:approval|confirmation|permission)\b|\bapproval[ _](?:is )?required\b|\bawaiting approval\b"
    r"|\bhaven['’]t granted\b|\bhook\b[^\n]{0,40}\b(?:denied|blocked)\b|\bnot in the allow|\breject command\b"
    r"|\bapproval_required\b|\bfailed in sandbox\b|\bshell integration error\b",
    re.I | re.M,
)
WELL = re.compile(r"(?i)\b(?:ok|pass(?:ed|es|ing)?|success\w*|succeeded|all good|0 errors)\b|[✓✔✅]")
"""What a program prints that did run, and speaks of such things: "a command that is rejected … ok"."""
LINES = 4
STOPPED = re.compile(
    r"^\W*\^C\W*$|\b(?:interrupted|aborted|stopped|cancell?ed) by (?:the )?user\b|\bwas interrupted\b"
    r"|\binterrupted\W*$|\bSIG(?:INT|TERM|KILL)\b"
    r"|^\W*(?:terminated|killed)\W*$|\btimed out after\b|\bcommand timed out\b|\baborted before completion\b"
    r"|\bexecution (?:was )?aborted\b"
    r"|\buser aborted\b|\bKeyboardInterrupt\b",
    re.I | re.M,
)


def halted(result: Result) -> tuple[str, bool]:
    """The words by which a result says that a command did not run, or not to its end, and whether it was begun.

    Asked only where no runner's own words stand in it. One that ended well says nothing of the kind.
    """
    text = result.text
    if len(text) > LONGEST or exit_code(result) == 0 or WELL.search(text):
        return "", False
    stopped = STOPPED.search(text)
    unrun = UNRUN.search(text)
    found = unrun or stopped
    several = len(list(filter(str.strip, text.splitlines()))) > LINES
    if found is None or (several and "user" not in found.group().lower() and found is not stopped):
        return "", False
    start, end = text.rfind("\n", 0, found.start()) + 1, text.find("\n", found.end())
    return one_line(text[start : end if end >= 0 else len(text)].strip(), 160), unrun is None
