"""What a change was given, and its result has otherwise and says why: by what it changed, by a flag, or in a note."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, ClassVar

from proxy.audit import Finding
from proxy.auditors.asked import ARGUED, ID, MOST, Asked, arguments, number_of, one_number, shown_in
from proxy.auditors.effects import about, is_code, subject_of
from proxy.auditors.lingering import run_together
from proxy.claims import Claim, compared_text
from proxy.figures import sentence_around, unquoted
from proxy.ledger import Call, Turn
from proxy.patterns import Names, expression
from proxy.results import has_word, objects, one_line
from proxy.roots import name_roots, tokens
from proxy.spelling import MOMENT, matches, places, plain

CHANGED = Names(r"(?i)^(?:changed|updated|modified)_?(?:fields|properties|attributes|columns|keys)$")
BOUNDED = Names(
    r"(?i)^(?:was_?|is_?)?(?:clamped|capped|limited|truncated|defaulted|overridden|overruled|fallback|ignored)$"
)
"""Names of lists of what was changed, and of flags by which something else than what was asked for was set."""
OPEN = Names(r"(?i)^(?:pending|awaiting|requested|requires|needs)")
"""Names of flags by which something is yet to come: `pendingOwner`."""
NOTE = 400
"""Code points of a text that is read as a note."""
REACH = 20_000
"""Code points of a result that is read."""


@dataclass(frozen=True, slots=True)
class Overruled:
    """Compare what a change was given with the field of the same name in its result, where the result says that it is another.

    It says so by a list of what was changed that has not the argument; by a flag that something was clamped or defaulted, or
    that what was asked for is pending; or in a note that names the value or the argument and `refuses` it. Told is the first
    sentence with the value, or the claim of the deed, without one of `doubts`; silent where the answer has the value that
    is there instead, and where a later call of the tool landed. These are expressions.
    """

    refuses: str = r"(?!)"
    doubts: str = r"(?!)"

    reads: ClassVar[frozenset[str]] = frozenset({"action", "success", "text"})
    needs: ClassVar[frozenset[str]] = frozenset({"change"})

    def follow(self, turn: Turn, claims: Sequence[Claim], findings: Sequence[Finding]) -> list[Finding]:
        text = unquoted(compared_text(claims))
        told = {one.tool_call_id for one in findings if one.flagged}
        changes = [one for one in turn.landed_changes() if not one.effect and turn.nature(one) == "change"]
        own = [one for one in changes if one.id not in told and not turn.landed_again(one)]
        found = (self._against(call, turn, text, claims) for call in own if text and len(call.result_text) <= REACH)
        return [one for one in found if one is not None]

    def _against(self, call: Call, turn: Turn, text: str, claims: Sequence[Claim]) -> Finding | None:
        later = "\n".join(other.result_text[:REACH] for other in turn.calls[call.position + 1 :])
        for asked in islice(arguments(call.arguments), ARGUED):
            got = _instead(asked, call)
            if got is None or any(matches(asked.value, later)) or any(places(got, text)):
                continue
            if (why := self._why(asked, call)) and (told := self._told(asked, call, text, claims)):
                reason = f"asked for {asked.name} {_shown(asked.value)}, and the result has {_shown(got)}: {why}"
                return Finding("contradicted", subject_of(call), reason, one_line(told, 200), call.id)
        return None

    def _why(self, asked: Asked, call: Call) -> str:
        """How a result says that it has not what an argument was given; empty where it does not."""
        for thing in islice(objects(call.result_value), MOST):
            for name, inner in thing.items():
                if CHANGED.search(name) and _lacks(inner, asked):
                    return f"{name} {_shown(inner)}"
                if inner is True and (BOUNDED.search(name) or (OPEN.search(name) and _has_value(name, asked))):
                    return name
                for note in inner if isinstance(inner, list) else [inner]:
                    if isinstance(note, str) and " " in note[:NOTE] and self._refuses(note[:NOTE], asked):
                        return one_line(note, 80)
        return ""

    def _refuses(self, note: str, asked: Asked) -> bool:
        named = has_word(note, asked.name) or any(matches(asked.value, note))
        return named and expression(self.refuses).search(note) is not None

    def _told(self, asked: Asked, call: Call, text: str, claims: Sequence[Claim]) -> str:
        """The first sentence that has what was asked for, else the claim that can be about the call, without a doubt."""
        for span in chain(places(asked.value, text, asked.name), run_together(asked.value, text)):
            sentence = sentence_around(text, *span)
            return "" if expression(self.doubts).search(sentence) else sentence
        said = [one for one in claims if one.kind in ("action", "success") and one.stance == "asserted"]
        claim = about(call, said)
        return claim.quote if claim is not None and not expression(self.doubts).search(claim.quote) else ""


def _instead(asked: Asked, call: Call) -> Any:
    """The one value that all fields called as an argument have, where it is surely another one; None where there is none."""
    value = asked.value
    if asked.former or ID.search(asked.name) or (isinstance(value, str) and (len(value) < 2 or MOMENT.match(value))):
        return None
    own = name_roots(asked.name)
    fields = [one for one in shown_in(call.result_value)[:MOST] if name_roots(one.name) == own]
    got = [one.value for one in fields if isinstance(one.value, (str, int, float)) and not isinstance(one.value, bool)]
    if not got or len({plain(one) for one in got}) > 1 or any(_alike(value, one) for one in got):
        return None
    return got[0]


def _alike(value: Any, got: Any) -> bool:
    """Whether two values may be one in other words: numbers in another unit, a code, a part of the other."""
    if not isinstance(value, str):
        number = number_of(got)
        return number is None or one_number(float(value), number)
    if not isinstance(got, str) or is_code(value, got) or is_code(got, value):
        return True
    one, other = plain(value), plain(got)
    return not one or not other or one in other or other in one


def _lacks(changed: Any, asked: Asked) -> bool:
    """Whether a list of the names of what was changed has others, and not an argument's."""
    names = [name_roots(one) for one in changed if isinstance(one, str)] if isinstance(changed, list) else []
    return bool(names) and len(names) == len(changed) and name_roots(asked.name) not in names


def _has_value(name: str, asked: Asked) -> bool:
    return isinstance(asked.value, str) and not name_roots(name).isdisjoint(tokens(asked.value))


def _shown(value: Any) -> str:
    return f"{one_line(str(value), 60)!r}"
