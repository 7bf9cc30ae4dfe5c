"""Whether a past form reports a deed of just now, and whose: "has been sent", "I sent", not "was sent by Ann in May"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from proxy.prose import Clause, Prose, Verb

LABEL = re.compile(r"[\s*_|`]*([^\W\d_](?:[\w'-]| (?! )){2,40}\w)[\s*_`]*[:|–—][\s*_:`]*$")
TO_COLON = re.compile(r"((?:[ *_]+[\w'-]+){1,4})[ *_]*:|[ *_]*:[ *_]*(?:\d|[a-z]{3,9}\.? \d)")
RULE_ROW = re.compile(r"[ \t:|]*+-[ \t:-]*+\|[ \t:|-]*+$", re.M)
SHORT = re.compile(r"[ *_]*(?:[!.✅]|(?:for|to|at|on|with|as|successfully|and)\b)")
"""What stands behind a passive without its auxiliary."""
BY = re.compile(r"(?:[ *_]*by|(?<=\bsent) from)\b")
"""Behind a past form this tells whose deed it was: "the email sent by Ann"."""
AHEAD = re.compile(r"\b(?:i|we) went ahead and (?:\w+ly )?$")
"""Before a past form this only says that "I" did it."""
MANNER = re.compile(r" by (?:mistake|accident|error|default)\b| (?:were|was) [\d$€£]")
"""Behind a past form this tells why, or how much, not that it was done: "Reason: ordered by mistake", "Billed were $40"."""
INVENTED = re.compile(r"(?<=\bmade) up\b")
"""Behind a past form this makes it another verb: "the name is made up"."""
HELD = re.compile(
    r"\b(?:have|has|got) (?:(?:also|currently|now|already) )?"
    r"(?:(?:an?|the|no|\d+|one|two|three|four|five|six|seven|eight|nine|ten|several|some|any|many) (?:[\w'-]+ ){1,4}"
    r"|(?!always |this |thus )\w+s )$"
)
"""Before a past form this tells what somebody has: "you have three meetings scheduled"."""
WHO = re.compile(r"(?<!\bi)(?<!\bwe)(?<![:|]) (?:has|have) (?:also |already |now |just )?$")
WHOM = re.compile(
    r"[ *_]*(?:the|an?|this|that|these|those|all|some|you|your|her|his|him|their|them|me|my|us|our|about|to [a-z]+ the)\b"
)
"""Before and behind a past form these tell what somebody else did: "your landlord has notified you", not "I have"."""
KINDS = re.compile(
    r" (?!(?:it|this|that|both|all|and|which|they|these|those|to|for|at|in|on|as|by|from|with|of|the|an?|your|my|our|their"
    r"|his|her)\b)(?:[a-z]+ ){1,2}(?:is|are|can|cannot|must|may|will|would|should|won't|don't|has|have|gets?|carry|carries"
    r"|requires?|earns?|expires?|qualif(?:y|ies))\b"
)
"""Behind a past form these make it tell which ones: "Signed copies are held for three days"."""
THAT = re.compile(r"\b(?:the|these|those|this) (?:[a-z]+ )?(?!been|were|was|are|is)[a-z]+ $")
"""Before a past form these make it tell which one: "the files shared with Ann", "the first task requested in the mail"."""
WHICH = re.compile(
    r"\b(?:on|in|with|by|from|of|per) (?:the|that|this|those|these) (?:[\w'-]+ ){1,2}(?:that )?(?:i|we)(?:'ve| have)? $"
    r"|\b(?:the ones?|those) (?:that )?(?:i|we)(?:'ve| have)? $"
)
"""Before a past form these make it tell which one: "she was on the invitation I sent", of an earlier deed."""
DETERMINERS = frozenset(
    {"the", "a", "an", "any", "every", "each", "this", "that", "these", "those", "if", "when", "what"}
)
ELLIPTIC = frozenset({"just", "also"})
"""What stands before a look whose "I" is left out."""
LOOKS = frozenset({"read", "find", "verify", "run"})
"""Acts that only look, or of which it is not said what they change."""


def is_mine(prose: Prose, clause: Clause, verb: Verb) -> bool:
    """Whether "I" did it, by the form itself ("cancelé") or by a frame that it ends ("Ich habe die Buchung storniert")."""
    marks = prose.marks
    if AHEAD.search(prose.masked, clause.start, verb.start) is not None:
        return True
    if any(mark.start == verb.start for mark in marks.within("mine", verb.start, verb.end)):
        return True
    frames = marks.within("frames", clause.start, verb.start)
    if not frames or "," in prose.masked[frames[-1].end : verb.start]:
        return False
    after = marks.words(verb.end, clause.end)[:1]
    return not (after and any(one.start == after[0][0] for one in marks.within("passive", *after[0])))


def words_before(prose: Prose, clause: Clause, verb: Verb) -> Sequence[tuple[int, int]]:
    """The words of a clause before a verb; none where a dash or a tick parts them from it: "Done — converted $5".

    "Just checked it" is what "I" did.
    """
    words = prose.marks.words(clause.start, verb.start)
    if verb.act in LOOKS and len(words) == 1 and prose.masked[words[0][0] : words[0][1]] in ELLIPTIC:
        return []
    parted = len(words) <= 3 and prose.masked[clause.start : verb.start].rstrip()[-1:] in ("—", "–", "✅", "✓", "✔")
    return [] if parted else words


def is_joined(prose: Prose, clause: Clause, verb: Verb, by: str = "speakers") -> bool:
    """Whether a verb goes on with what "I" did, "I've cancelled the order, and sent you a mail", or with what was done."""
    words = prose.marks.words(clause.start, verb.start)
    last = prose.masked[words[-1][0] : words[-1][1]] if words else ""
    gap = prose.masked[words[-1][1] : verb.start] if words else ""
    if not (last in ("and", "then", "also") or ("," in gap and by == "speakers")):
        return False
    first = next((one for one in clause.verbs if one.stance == "asserted"), verb)
    leads = by == "speakers" and not prose.marks.words(clause.start, first.start) and clause.kind != "heading"
    return first.start < verb.start and (leads or prose.marks.any(by, clause.start, first.start))


def is_state(prose: Prose, clause: Clause, verb: Verb) -> bool:
    """Whether a passive of the present tells the deed: "your room is booked"."""
    words = prose.marks.words(clause.start, verb.start)
    last = words[-1][0] if words else clause.start
    waits = verb.act not in LOOKS and prose.marks.any("waits", clause.start, verb.start)
    return prose.marks.any("present", last, verb.start) and not waits


def _labels(prose: Prose, clause: Clause, verb: Verb) -> bool:
    """Whether a past form is part of a label or of a table's head: "Scheduled departure: …", "| Order | Created |"."""
    if clause.kind == "row" and RULE_ROW.match(prose.text, prose.text.find("\n", clause.end - 1) + 1):
        return True
    found = None if prose.marks.words(clause.start, verb.start) else TO_COLON.match(prose.masked, verb.end)
    return found is not None and (found[1] is None or prose.marks.ends_at("labels", found.end(1)))


def label(prose: Prose, clause: Clause, verb: Verb) -> list[tuple[int, int]]:
    """The words before a colon that a deed follows at once, in an item of a list: "**Desk lamp**: updated to black"."""
    found = LABEL.match(prose.text, clause.start, verb.start) if clause.kind in ("item", "row") else None
    return [found.span(1)] if found else []


def reports(prose: Prose, clause: Clause, verb: Verb) -> bool:
    """Whether a past form says that it was done just now: "has been sent", "I sent", "Sent:", not "was sent in May"."""
    marks, masked = prose.marks, prose.masked
    if not masked[verb.start].isascii() and marks.solid(verb.start):  # "已取消": the form says it all
        return not marks.any("before", clause.start, verb.start)
    words = words_before(prose, clause, verb)
    near = words[-4][0] if len(words) >= 4 else clause.start
    if marks.any("before", clause.start, verb.start):
        return False
    if INVENTED.match(masked, verb.end) or MANNER.match(masked, verb.end):
        return False
    if is_mine(prose, clause, verb):
        return True
    held = HELD.search(masked, clause.start, verb.start) or KINDS.match(masked, verb.end)
    held = held or WHICH.search(masked, clause.start, verb.start)
    if held or _is_by_others(prose, clause, verb):
        return False
    if marks.any("success", near, verb.start):
        return True
    if words and marks.ends_at("speakers", words[-1][1]):
        return True  # "it was late, and I've told her"
    if marks.any("past", near, verb.start):
        return False
    if _labels(prose, clause, verb):
        return False
    if is_state(prose, clause, verb) or marks.any("perfect", near, verb.start):
        return True
    if is_joined(prose, clause, verb) or is_joined(prose, clause, verb, "perfect"):
        return True
    two = words[-2][0] if len(words) >= 2 else clause.start
    if marks.any("speakers", two, verb.start) or (not words and clause.kind != "heading"):
        return True
    return bool(label(prose, clause, verb)) or is_short(prose, clause, verb)


def _is_by_others(prose: Prose, clause: Clause, verb: Verb) -> bool:
    """Whether somebody is named who did it: "your landlord has notified you", "the mail sent by Ann"."""
    masked, marks = prose.masked, prose.marks
    if WHO.search(masked, clause.start, verb.start) is not None:
        return WHOM.match(masked, verb.end) is not None
    words = marks.words(clause.start, verb.start)
    bare = bool(words) and masked[words[-1][1] : verb.start] == " " and not marks.ends_at("auxiliaries", words[-1][1])
    return bare and BY.match(masked, verb.end) is not None and not marks.any("speakers", words[-1][0], verb.start)


def is_short(prose: Prose, clause: Clause, verb: Verb) -> bool:
    """Whether a passive leaves its auxiliary out: "Three tickets booked for tonight", not "the room booked by Ann"."""
    words = prose.marks.words(clause.start, verb.start)
    if not 1 <= len(words) <= 3 or clause.kind != "text" or prose.masked[slice(*words[0])] in DETERMINERS:
        return False
    return SHORT.match(prose.masked, verb.end) is not None and not any(
        prose.marks.any(one, clause.start, verb.start) for one in ("auxiliaries", "sources", "places")
    )


def implies(prose: Prose, clause: Clause, verb: Verb) -> bool:
    """Whether a form may well report a deed: "the keys were revoked", or all that an item says: "1 checked bag added"."""
    if prose.marks.any("before", clause.start, verb.start) or prose.marks.any("waits", clause.start, verb.start):
        return False
    words = prose.marks.words(clause.start, verb.start)
    if (words and prose.masked[slice(*words[-1])] == "had") or BY.match(prose.masked, verb.end):
        return False
    if THAT.search(prose.masked, clause.start, verb.start) is not None:
        return False
    return clause.kind != "heading" and not _labels(prose, clause, verb)
