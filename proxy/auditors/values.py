"""Amounts and cards in an answer that reports a deed must be those of the calls: what no result, argument or user gave."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar

from proxy.audit import Finding, Look
from proxy.claims import Claim
from proxy.ledger import Call, Turn
from proxy.results import one_line

MONEY = re.compile(
    r"(?:[$€£]|\b(?:USD|EUR|GBP) ?)(\d[\d,]*(?:\.\d{1,2})?)(?![\d%])"
    r"|(?<![\d.])(\d[\d,]*\.\d\d) ?(?:USD|EUR|GBP|€|dollars|euros)\b"
)
CARD = re.compile(
    r"(?i)(?:ending (?:in|with)|ends in|last four(?: digits)?(?: are)?:?|\*{4}|x{4}|•{4})[\s*`]{0,4}(\d{4})\b"
)
FENCED = re.compile(r"^[ \t]*(`{3,}|~{3,}).*?(?:^[ \t]*\1|\Z)", re.M | re.S)
PARTS = re.compile(r"\n|[.;,!?](?=\s)|\s(?:and|or|but)\s|[()]")
"""Between what one amount and what another is said of."""
NOISE = re.compile(r"[\W_]+")
NUMBER = re.compile(r"(?<![\w.])-?\d[\d,]*(?:\.\d+)?(?![\w])")
MOST = 160
"""Numbers of which sums and differences are tried; a turn with more is not accused."""


@dataclass(frozen=True, slots=True)
class Values:
    """Compare amounts of money, cards and ids with what the conversation holds.

    An amount is fine when a result, an argument, the user or the system text has it, or when it is a sum, a difference or a
    small multiple of such numbers, or rounds one. A card (`ending in 1234`) that results know by an id must be the one that
    the change used. An id in a sentence that reports a deed, a commit and a job must stand somewhere in the conversation.
    `amounts`, `cards` and `ids` switch the three. `proposals` is an expression for answers that ask for a confirmation: what
    they name may be meant for what is still to come. `labels` is one for lines that tell what a change cost: where the
    results show entries that the changes added, their amounts are those.
    """

    amounts: bool = True
    cards: bool = True
    ids: bool = True
    proposals: str = ""
    labels: str = ""

    reads: ClassVar[frozenset[str]] = frozenset({"action", "commit", "job", "text"})

    async def audit(self, turn: Turn, claims: Sequence[Claim], look: Look) -> list[Finding]:
        text = next((claim.subject for claim in claims if claim.kind == "text"), "")
        text = FENCED.sub(" ", text) if "```" in text or "~~~" in text else text
        deeds = any(claim.kind == "action" and claim.stance == "asserted" for claim in claims)
        changes = [call for call in turn.calls if call.outcome == "landed" and turn.nature(call) == "change"]
        if not deeds or not changes or (self.proposals and re.search(self.proposals, text)):
            return []
        findings = list(_ids(claims, turn)) if self.ids else []
        findings += list(_cards(text, changes, turn)) if self.cards else []
        if self.amounts:
            findings += [*_added(text, changes, turn, self.labels), *_amounts(text, turn)]
        return findings


def _ids(claims: Sequence[Claim], turn: Turn) -> Iterator[Finding]:
    """Ids that stand nowhere: not in a result, not in an argument, not in anybody's words before the answer."""
    said = {
        claim.subject: claim
        for claim in claims
        if claim.stance == "asserted"
        and claim.kind in ("action", "commit", "job")
        and any(map(str.isdigit, claim.subject))
    }
    if not said or not turn.whole():
        return
    calls = [*turn.earlier(), *turn.calls]
    if any(call.result is None or call.outcome == "unknown" for call in calls):
        return  # what nobody saw may have named it
    texts = [turn.asked, *(message.text for message in turn.before)]
    texts += [part for call in calls for part in (call.raw, _text(call))]
    everything = "\n".join(texts).lower()
    plain = ""
    for subject, claim in said.items():
        if subject.lower().lstrip("#") in everything:
            continue
        plain = plain or NOISE.sub("", everything)
        if NOISE.sub("", subject.lower()) not in plain:
            yield Finding("unsupported", subject, "no result, argument or message has this id", claim.quote)


def _cards(text: str, changes: Sequence[Call], turn: Turn) -> Iterator[Finding]:
    """A card that the answer names and that no change used, where the results say which id each card has."""
    said = {found[1]: found for found in CARD.finditer(text)}
    if not said:
        return
    ids: dict[str, str] = {}
    for call in (*turn.earlier(), *turn.calls):
        if call.result is not None:
            ids |= dict(_known_cards(call.result.value))
    asked = {digits for identifier, digits in ids.items() for call in changes if identifier in call.raw}
    shown = {ids[one] for call in changes if call.result is not None for one in ids if one in call.result.text}
    used = asked or shown
    if not used or any(digits in used or digits not in ids.values() for digits in said):
        return
    for digits, found in said.items():
        reason = f"the call used the one ending in {', '.join(sorted(used))}"
        yield Finding("contradicted", f"ending in {digits}", reason, _line(text, found.start()), changes[-1].id)


def _known_cards(value: Any, key: str = "", depth: int = 8) -> Iterator[tuple[str, str]]:
    """Ids of cards and their last four digits: objects that hold the digits, and an `id` or the key that leads to them."""
    if isinstance(value, Mapping) and depth:
        digits = next((one for name, one in value.items() if "last" in str(name).lower() and _four(one)), "")
        identifier = value.get("id") if isinstance(value.get("id"), str) else key
        if digits and identifier:
            yield str(identifier), str(digits)
        for name, inner in value.items():
            yield from _known_cards(inner, str(name), depth - 1)
    elif isinstance(value, list) and depth:
        for inner in value:
            yield from _known_cards(inner, "", depth - 1)


def _four(value: Any) -> bool:
    return isinstance(value, str) and len(value) == 4 and value.isdecimal()


def _added(text: str, changes: Sequence[Call], turn: Turn, labels: str) -> Iterator[Finding]:
    """An amount that is said to be charged or refunded, where the changes added other amounts to what was there."""
    lines = [line for line in PARTS.split(text) if labels and re.search(labels, line)]
    said = {_value(found): line for line in lines for found in MONEY.finditer(line)}
    if not said:
        return
    before = Counter(one for call in (*turn.earlier(), *turn.calls) if call not in changes for one in _entries(call))
    all_ = [_entries(call) for call in changes]
    added = [one for entries in all_ for one in Counter(entries) if one not in before]
    if not added or not before or any(not entries for entries in all_):
        return
    shown = {abs(one) for entries in all_ for one in entries} | set(_numbers(call.raw for call in changes))
    shown |= set(_numbers(_text(call) for call in changes))
    for value, line in said.items():
        if value and not _is_one(value, shown) and not _derived(value, {abs(one) for one in added}, 2):
            reason = f"the result shows {', '.join(f'{one:g}' for one in added[:4])}"
            yield Finding("contradicted", f"{value:g}", reason, one_line(line, 200), changes[-1].id)


def _entries(call: Call) -> list[float]:
    """The amounts in lists of a result: what was paid and paid back, one entry each."""
    found: list[float] = []
    value = call.result.value if call.result is not None else None
    for inner in value.values() if isinstance(value, dict) else ():
        for entry in inner if isinstance(inner, list) else ():
            amount = entry.get("amount") if isinstance(entry, dict) else None
            if isinstance(amount, (int, float)) and not isinstance(amount, bool):
                found.append(round(float(amount), 2))
    return found


def _amounts(text: str, turn: Turn) -> Iterator[Finding]:
    """Amounts that stand nowhere in the conversation and that no simple sum of its numbers gives."""
    said = {_value(found): found for found in MONEY.finditer(text)}
    said.pop(0.0, None)
    if not said:
        return
    spoken = [turn.asked, *(message.text for message in turn.before)]
    told = [part for call in (*turn.earlier(), *turn.calls) for part in (call.raw, _text(call))]
    known = set(_numbers((*spoken, *told)))
    open_ = [value for value in said if not _is_one(value, known)]
    numbers = set(_numbers(told)) if open_ else set()
    if not open_ or len(numbers) > MOST:
        return
    stated = set(said) - set(open_)
    near = set(_numbers(part for call in turn.calls for part in (call.raw, _text(call))))
    for value in open_:
        # Whole amounts are the sum or difference of some four numbers nearly always; those with cents nearly never.
        if not _derived(value, numbers | stated, 2 if value.is_integer() else 4) and not _derived(
            value, near | stated, 3
        ):
            reason = "no result, argument or message has this amount, and none adds up to it"
            yield Finding("unsupported", said[value].group(), reason, _line(text, said[value].start()))


def _derived(value: float, numbers: set[float], parts: int) -> bool:
    """Whether a number is a small multiple of others, or a sum and difference of so many of them, by cents."""
    cents = {round(abs(one) * 100) for one in numbers if 0 < abs(one) < 10**9}
    goal = round(value * 100)
    if any(goal == one * times for one in cents for times in range(2, 13)):
        return True
    pairs = {a + b for a, b in combinations(cents, 2)} | {abs(a - b) for a, b in combinations(cents, 2)}
    if goal in pairs or goal == sum(cents) or any(pair and goal % pair == 0 and goal // pair <= 12 for pair in pairs):
        return True
    if parts > 2 and any(goal - one in pairs or goal + one in pairs for one in cents):
        return True
    return parts > 3 and any(goal + pair in pairs for pair in pairs)


def _is_one(value: float, numbers: set[float]) -> bool:
    return value in numbers or any(
        abs(one) == value or (value.is_integer() and round(abs(one)) == value) for one in numbers
    )


def _numbers(texts: Iterable[str]) -> Iterator[float]:
    for text in texts:
        for found in NUMBER.finditer(text):
            plain = found.group().replace(",", "")
            if len(plain) <= 15:
                yield float(plain)


def _value(found: re.Match[str]) -> float:
    return float((found[1] or found[2]).replace(",", ""))


def _text(call: Call) -> str:
    return call.result.text if call.result is not None else ""


def _line(text: str, at: int) -> str:
    start = text.rfind("\n", 0, at) + 1
    end = text.find("\n", at)
    return one_line(text[start : end if end >= 0 else len(text)], 200)
