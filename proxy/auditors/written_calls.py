"""A tool call that stands in the answer as text was run by nobody: it is told, and so is what the answer builds on it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from proxy.audit import Finding
from proxy.claims import Claim, answer_text
from proxy.ledger import Turn
from proxy.results import one_line
from proxy.roots import tokens
from proxy.tool_names import fold
from proxy.written import Written, coded_calls, glued_calls, written_calls

RESULT = re.compile(
    r"<tool_(?:response|result)s?>|<function_results?>|^[^\S\n]*(?:Observation|(?:Tool )?(?:Result|Output)):",
    re.M | re.I,
)
RESULT_BLOCK = re.compile(
    r"^[^\S\n]*(?:```(?:json|tool_(?:output|outputs|result|results|response))\s*[\[{]|\{\s*\")", re.M
)
"""A block of JSON, as a tool's result has it."""
WAITS = 160
"""Code points of a message that only waits for a result."""
GIVES = re.compile(r"(?i)[{=:]|\b(?:results?|json|example|show|config\w*|never ?mind|instead)\b")
"""A message with one of these may give the result itself, or ask for something else."""
CODE = re.compile(r"\((?<=\S\()")
"""What must stand in a text that spells a call as code."""
MARKS = re.compile(r"\{[^{}]*\}|<[^<>]*>|`+\w*|^[ \t]*Action(?: Input)?:.*$", re.M)
"""What belongs to a call that is written as text."""
TOLD = re.compile(r"\b[^\W\d_]+(?:[^\w\n.!?]+\w+){3}(?:[^\n.!?]|\.(?=\w)){0,300}[.!](?=\s|$)")
"""A sentence of four words or more that ends as a statement does."""
LEAST = 3
"""Letters of a word by which a sentence speaks of a call."""
READ = 4_000
"""Code points behind a call that are read for what the answer builds on it."""
TO_COME = re.compile(
    r"(?i)n['’]t\b|['’](?:ll|d)\b|\b(?:will|would|could|can|cannot|may|shall|should|let me|going to|once|when|if|not|no|wait"
    r"|please|try|trying|calling|(?<!is )(?<!are )running|checking|call|tool|function|example|above|below)\b"
)
"""Words by which a sentence may speak of a call that is still to come, or of the call itself."""
PIECE = re.compile(r",\s|\s(?:and|but|so)\s")
FLAT = re.compile(r"(?i)\b(?:has|have|had|is|are|was|were)\b|['’]s\b")
"""A word by which a sentence says that something is so."""
DID = re.compile(r"(?i)\b(?:has|have) (?:now |just )?been \w+|\b(?:I|we)(?:['’]ve| have) \w+|\b(?:is|are) now\b")
"""Words by which something has been done."""
SHOWS = re.compile(
    r"(?i)\b(?:such as|for (?:example|instance)|e\.g\.|like (?:this|so)|(?:look|read)s? like|is (?:a|called)|example|format"
    r"|syntax|schema|(?:would|could|can|you) (?:\w+ )?(?:be|call|send|write|emit|use|run))\b"
)
"""Words that lead in a call which is only shown."""
ASKS_HOW = re.compile(
    r"(?i)\b(?:how (?:do|does|can|could|would|should|to|is|are|am)|what (?:format|does|do|is|are)|explain|example|syntax)\b"
)
"""Words by which a user asks how a call is made."""
DONE = re.compile(r"(?:^|[.!]\s+)(?:all |it is |it's )?(?:done|completed|finished)(?:[.!]|\s*$)", re.M | re.I)


@dataclass(frozen=True, slots=True)
class WrittenCalls:
    """Tell of calls written as text: `unsupported` where the answer says that something was done or found, else a notice.

    A call in a code block counts only when the conversation knows a tool of its name: documentation shows calls too. One
    that is spelled as code counts only beside a deed, on a line of its own, for a tool that may change something.
    """

    reads: ClassVar[frozenset[str]] = frozenset({"action", "outcome", "success", "text"})

    def compare(self, turn: Turn, claims: Sequence[Claim]) -> list[Finding]:
        if turn.dialect is not None:
            return []  # its client runs what it writes
        text = answer_text(claims)
        written = [one for one in written_calls(text) if _is_meant(one, turn)] or list(glued_calls(text, turn.tools))
        coded = not written
        if coded:
            named = (name for name in turn.tool_names() if f"{name}(" in text) if CODE.search(text) else ()
            written = list(coded_calls(text, (name for name in named if turn.nature_of(name) != "read")))
        if not written:
            return _invented(turn, text)
        names = list(dict.fromkeys(one.name or "a tool" for one in written))
        ran = {fold(call.name) for call in turn.calls}
        if all(fold(name) in ran for name in names):
            return []
        after = text[written[-1].end :]
        invented = any(one.answered for one in written) or RESULT.search(after) is not None
        acts = [one for one in claims if one.kind in ("action", "outcome", "success") and one.stance == "asserted"]
        rest = text[: written[0].start] + after
        reason = "a tool call written as text, which nothing ran"
        if invented:
            reason += "; the result beside it is the answer's own"
        denied = any(one.stance == "denied" for one in claims)
        opens = not coded and not MARKS.sub("", text[: written[0].start][:READ]).strip()
        said = frozenset[str]() if opens else tokens("\n".join(text[one.start : one.end] for one in written))
        built = not coded and _builds(after, said, denied=denied or any(one.fenced for one in written))
        if acts or invented or built or (not denied and DONE.search(rest)):
            return [Finding("unsupported", names[0], reason, acts[0].quote if acts else "")]
        if coded or all(_explained(one, text, turn) for one in written):
            return []
        return [Finding("notice", names[0], reason, fields={"written": True})]


def _invented(turn: Turn, text: str) -> list[Finding]:
    """A result in an answer of a turn without calls, behind a message that wrote a call as text: nobody gave it."""
    if turn.calls or RESULT_BLOCK.search(text) is None:
        return []
    wrote = [one.name for one in written_calls(turn.offer()) if not one.fenced and _is_meant(one, turn)]
    if not wrote or len(turn.asked) > WAITS or GIVES.search(turn.asked):
        return []  # who calls by text answers by text
    reason = "the call before it was written as text, and nothing ran it: the result is the answer's own"
    return [Finding("unsupported", wrote[0] or "a tool", reason, one_line(text, 200))]


def _builds(after: str, said: frozenset[str], *, denied: bool) -> bool:
    """Whether an answer goes on behind calls as if they had run: it tells that something has been done.

    That something is so will do, too, where nothing is denied and no code block holds a call. An answer that does not begin
    with the calls tells it of them: its sentence has one of the words that they `said`.
    """
    prose = MARKS.sub(" ", MARKS.sub(" ", after[:READ]))
    told = [found.group() for found in TOLD.finditer(prose)]
    told = [one for one in told if not said or any(len(word) > LEAST for word in said & tokens(one))]
    done = (piece for one in told for piece in PIECE.split(one) if DID.search(piece))
    flat = (one for one in told if not denied and FLAT.search(one))
    return any(TO_COME.search(one) is None for one in (*done, *flat))


def _explained(one: Written, text: str, turn: Turn) -> bool:
    """Whether a call is shown and not made: it stands as code in a sentence, or in a block that words of showing lead in.

    So it is where the user has asked how a call is made.
    """
    line = text[text.rfind("\n", 0, one.start) + 1 : one.start]
    inline = line.count("`") % 2 == 1 and not line.lstrip().startswith(("`", "- `", "* `"))
    if not (inline or one.fenced):
        return False
    return inline or ASKS_HOW.search(turn.asked[:READ]) is not None or SHOWS.search(text, 0, one.start) is not None


def _is_meant(one: Written, turn: Turn) -> bool:
    """Whether a call was meant to run: its tool is known here, or it stands outside a code block with a call's own tags."""
    known = {fold(name) for name in turn.tool_names()} | {fold(call.name) for call in (*turn.calls, *turn.earlier())}
    return fold(one.name) in known or (not one.fenced and (one.tagged or not known))
