"""Things that an answer lists as dealt with, all of them: one that no call names, beside others that changes name, is told."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, ClassVar

from proxy.audit import Finding
from proxy.claims import Claim, compared_text
from proxy.ledger import Call, Turn
from proxy.patterns import expression
from proxy.results import objects, one_line, scalars

INLINE = re.compile(r"\(([^()\n]{5,300})\)|:[ *]*([^:\n]{5,300})$")
BULLET = re.compile(r"[ \t]{0,6}(?:[-*+•]|\d{1,2}[.)])[ \t]+(.{1,300})")
NAME = re.compile(r"[*_`\"]{0,3}([^*`\"]{2,60}?)[*_`\"]{0,3}(?:[ \t]+[-–—(→]|[:,]|[.]?[ \t]*$)")
APART = re.compile(r",(?:\s+(?:and|und|y|et)\b)?|\s+(?:and|und|y|et)\s+|;|\s+&\s+|[、，]")
MOST = 40
LONGEST = 60_000
"""Code points of the history's results in which a thing is looked for."""


@dataclass(frozen=True, slots=True)
class Siblings:
    """Compare a list that a line calls all of them ("all three users (a, b, c)", "Both orders have been cancelled:") with
    the calls: some of its names are values of one argument of the turn's changes, and another stands in no call at all.

    Silent where an earlier turn changed that one, where what looks know of it was given to a change, or shows it as wanted;
    where a change may be about any number of things. `whole` is an expression for lines that speak of all, `done` for those
    that report, `other` for those that do not, `bulk` for arguments that mean more than they name.
    """

    whole: str = r"(?i)\b(?:both|all|each|every)\b"
    done: str = r"(?!)"
    other: str = r"(?!)"
    bulk: str = r"(?!)"

    reads: ClassVar[frozenset[str]] = frozenset({"action", "text"})
    needs: ClassVar[frozenset[str]] = frozenset({"change"})

    def compare(self, turn: Turn, claims: Sequence[Claim]) -> list[Finding]:
        changes = turn.possible_changes()
        text = compared_text(claims) if changes else ""
        if expression(self.whole).search(text) is None or any(claim.stance == "denied" for claim in claims):
            return []
        if any(call.effect or call.outcome != "landed" or turn.nature(call) == "unknown" for call in changes):
            return []
        said = [one.quote for one in claims if one.kind == "action" and one.stance == "asserted"]
        for line, names in islice(self._lists(text, said), MOST):
            missing = _missing(names, changes, turn)
            if missing and not self._many(names, changes, turn) and not _elsewhere(missing, names, changes, turn):
                spelled = re.search(rf"(?i)#?{re.escape(missing)}", text)
                subject = spelled.group() if spelled else missing
                reason = "no call of the turn names this one"
                return [Finding("unsupported", subject, reason, one_line(line, 200), changes[-1].id)]
        return []

    def _lists(self, text: str, said: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
        """The lines that report of all, each with the names that it lists, or that the bullets below it begin with."""
        lines = text.splitlines()
        for at, line in enumerate(lines[:2_000]):
            if expression(self.whole).search(line) is None or expression(self.other).search(line):
                continue
            plain = one_line(line, 200)
            if not expression(self.done).search(line) and not any(
                one[:40] in plain or plain[:40] in one for one in said
            ):
                continue
            for found in INLINE.finditer(line):
                names = [_name(one) for one in APART.split(found[1] or found[2])]
                if len(names) >= 2 and all(names):
                    yield line, names
            below = list(_bullets(lines[at + 1 : at + MOST])) if line.rstrip(" *_").endswith(":") else []
            if len(below) >= 2 and not any(expression(self.other).search(one) for one in below):
                yield line, [name for one in below if (name := _name(one))]

    def _many(self, names: Sequence[str], changes: Sequence[Call], turn: Turn) -> bool:
        """Whether a change may have been about more than it names: by its words, its verb, or a number in its result."""
        if any(expression(self.bulk).search(f"{call.name} {call.raw[:4_000]}") for call in changes):
            return True
        counts = (told for call in changes for _, told in islice(scalars(call.result_value), 400))
        if str(len(names)) in counts:
            return True
        own = [call for call in changes if any(name in call.raw.casefold() for name in names)]
        verbs = {verb for call in own for verb in turn.marks.natures.verbs(call.name)}
        rest = (call for call in changes if call not in own)
        return any(not verbs.isdisjoint(turn.marks.natures.verbs(call.name)) for call in rest)


def _bullets(lines: Sequence[str]) -> Iterator[str]:
    """The items of the list that begins here, after blank lines at most."""
    begun = False
    for line in lines:
        found = BULLET.match(line)
        if found:
            begun = True
            yield found[1]
        elif line.strip() or begun:
            return


def _name(item: str) -> str:
    """What an item begins with, without its marks; empty where that is no name."""
    found = NAME.match(item.strip().rstrip(" ✅✔✓☑"))
    name = found[1].strip().lstrip("#").casefold() if found else ""
    known = not name.isdigit() or (len(name) >= 4 and item.strip(" *_`").startswith("#"))
    return name if len(name) >= 3 and known else ""


def _missing(names: Sequence[str], changes: Sequence[Call], turn: Turn) -> str:
    """The first of the names that stands in no call, where others are values of one argument; empty where there is none."""
    given: dict[str, set[str]] = {}
    for call in changes:
        for key, value in islice(scalars(call.arguments), 400):
            given.setdefault(key, set()).add(value.lstrip("#").casefold())
    touched = max((set(names[:MOST]) & values for values in given.values()), key=len, default=set())
    rest = [name for name in names[:MOST] if name not in touched]
    if not touched or len(rest) > len(touched) + 1:
        return ""
    texts = [f"{call.raw} {call.result_text}".casefold() for call in turn.calls]
    return next((name for name in rest if not any(name in text for text in texts)), "")


def _elsewhere(missing: str, names: Sequence[str], changes: Sequence[Call], turn: Turn) -> bool:
    """Whether the history explains it: a change of an earlier turn names it, or looks know it by what a change was given.

    Nothing is known where neither a look nor the user's message has the thing as it has the others, and where not all is seen.
    """
    if any(missing in f"{call.raw} {call.result_text}".casefold() for call in turn.possible_changes(turn.earlier())):
        return True
    given = {value.casefold() for call in changes for _, value in islice(scalars(call.arguments), 400)}
    stems = tuple(verb[:5] for call in changes for verb in turn.marks.natures.verbs(call.name) if len(verb) >= 4)
    looks = [call for call in turn.earlier() if call.result is not None and missing in call.result.text.casefold()]
    alike = False
    for look in looks:
        shown = [one for one in turn.earlier() if one.name == look.name and one.result is not None]
        alike |= any(name in one.result_text[:LONGEST].casefold() for one in shown for name in names if name != missing)
        for thing in _things(look.result_value, missing):
            known = {value.lstrip("#").casefold() for _, value in islice(scalars(thing), 400)} - {missing}
            if not known.isdisjoint(given) or any(one.startswith(stems) for one in known if stems):
                return True
    asked = turn.asked.casefold()  # or the user named it beside one of the others
    alike |= not looks and missing in asked and any(name in asked for name in names if name != missing)
    return not alike or not turn.whole()


def _things(value: Any, name: str) -> Iterator[dict[str, Any]]:
    """The objects of a result that have a name as one of their values."""
    for one in islice(objects(value), 500):
        if any(isinstance(told, str) and told.lstrip("#").casefold() == name for told in one.values()):
            yield one
