"""Amounts and cards in an answer that reports a deed must be those of the calls: what no result, argument or user gave."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from proxy.amounts import MONEY, Pool, amounts, numbers
from proxy.audit import Finding
from proxy.claims import Claim, compared_text
from proxy.figures import unfenced
from proxy.ledger import Call, Turn
from proxy.reckoning import MOST, fits, is_one, multipliers, pool_of, rates, spelled
from proxy.results import line_at, one_line
from proxy.sums import follows

CARD = re.compile(
    r"(?i)(?:ending (?:in|with)|ends in|last four(?: digits)?(?: are)?:?|\*{4}|x{4}|•{4})[\s*`]{0,4}(\d{4})\b"
)
PARTS = re.compile(r"\n|[.;,!?](?=\s)|\s(?:and|or|but)\s|[()]")
"""Between what one amount and what another is said of."""
UNDOES = re.compile(r"(?i)refund|cancel|return|credit(?!_?-?card)|void|revers|dispute|downgrade|exchange")
KIND = re.compile(r"(?i)(?:^|_)(?:type|kind|direction)$|Type$")
"""A field beside an amount that says what it is: `"transaction_type": "refund"`."""
PAST = re.compile(r"(?i)\b(?:were|was|had|originally|previously|initially|earlier|already|if|would|before)\b")


@dataclass(frozen=True, slots=True)
class Values:
    """Compare amounts of money and cards with what the conversation holds.

    An amount is fine when a result, an argument, the user or the system text has it, or rounds to it, or when it follows
    from such amounts: a sum, a difference, a multiple, a share, a rate. A card (`ending in 1234`) that results know by an id
    must be the one that the change used. `amounts` and `cards` switch the two. `proposals` is an expression for answers that
    ask for a confirmation: what they name may be meant for what is still to come. `labels` is one for lines that tell what a
    change cost: where the results show entries that the changes added, their amounts are those. `refunds` and `charges` are
    two for what was paid back and what was paid, in answers and in the names of fields: one said of what the results call
    the other is told.
    """

    amounts: bool = True
    cards: bool = True
    proposals: str = ""
    labels: str = ""
    refunds: str = ""
    charges: str = ""

    reads: ClassVar[frozenset[str]] = frozenset({"action", "text"})

    def compare(self, turn: Turn, claims: Sequence[Claim]) -> list[Finding]:
        text = unfenced(compared_text(claims))
        changes = turn.landed_changes()
        if not changes or not any(map(str.isdigit, text)):
            return []
        sure = any(turn.nature(call) == "change" for call in changes)  # "Your order is in: $30.29"
        deeds = sure or any(
            one.kind == "action" and one.stance == "asserted" and "active" in one.fields for one in claims
        )
        if not deeds or (self.proposals and re.search(self.proposals, text)):
            return []
        findings = list(_cards(text, changes, turn)) if self.cards else []
        if self.amounts and MONEY.search(text):
            findings += [*_added(text, changes, turn, self.labels), *_amounts(text, turn)]
            findings += (
                _turned(text, changes, turn, self.refunds, self.charges) if self.refunds and self.charges else ()
            )
        return findings


def _cards(text: str, changes: Sequence[Call], turn: Turn) -> Iterator[Finding]:
    """A card that the answer names and that no change used, where the results say which id each card has."""
    said = {found[1]: found for found in CARD.finditer(text)}
    if not said:
        return
    ids: dict[str, str] = {}
    for call in (*turn.earlier(), *turn.calls):
        if "ast" in call.result_text:  # last_four, lastDigits
            ids |= dict(_known_cards(call.result_value))
    asked = {one for one in ids for call in changes if one in call.raw}
    shown = {one for one in ids for call in changes if one in call.result_text}
    used = asked or {one for one in shown if ids[one]}
    if not used or any(digits in {ids[one] for one in used} or digits not in ids.values() for digits in said):
        return
    for digits, found in said.items():
        reason = (
            f"the call used {', '.join(f'the one ending in {ids[one]}' if ids[one] else one for one in sorted(used))}"
        )
        yield Finding("contradicted", f"ending in {digits}", reason, line_at(text, found.start()), changes[-1].id)


def _known_cards(value: Any, key: str = "", depth: int = 8) -> Iterator[tuple[str, str]]:
    """Ids of cards and their last four digits: objects that hold the digits, and an `id` or the key that leads to them.

    What stands beside cards in one collection and has no digits is another way to pay: its id, and no digits.
    """
    if not depth:
        return
    if isinstance(value, Mapping):
        if (digits := _digits(value)) and (identifier := _identified(value, key)):
            yield identifier, digits
        inner = [(str(name), one) for name, one in value.items()]
    else:
        inner = [("", one) for one in value] if isinstance(value, list) else []
    ways = [(name, one) for name, one in inner if isinstance(one, Mapping)]
    if any(_digits(one) for _, one in ways):
        yield from ((_identified(one, name), "") for name, one in ways if not _digits(one) and _identified(one, name))
    for name, one in inner:
        yield from _known_cards(one, name, depth - 1)


def _digits(value: Mapping[str, Any]) -> str:
    return next((str(one) for name, one in value.items() if "last" in str(name).lower() and _four(one)), "")


def _identified(value: Mapping[str, Any], key: str) -> str:
    return str(value["id"]) if isinstance(value.get("id"), str) else key


def _four(value: Any) -> bool:
    return isinstance(value, str) and len(value) == 4 and value.isdecimal()


def _added(text: str, changes: Sequence[Call], turn: Turn, labels: str) -> Iterator[Finding]:
    """An amount that is said to be charged or refunded, where the changes added other amounts to what was there."""
    lines = [line for line in PARTS.split(text) if labels and MONEY.search(line) and re.search(labels, line)]
    said = {one.values[0]: line for line in lines for one in amounts(line)}
    if not said:
        return
    before = Counter(one for call in (*turn.earlier(), *turn.calls) if call not in changes for one in _entries(call))
    all_ = [_entries(call) for call in changes]
    added = [one for entries in all_ for one in Counter(entries) if one not in before]
    if not added or not before or any(not entries for entries in all_):
        return
    shown = {abs(one) for entries in all_ for one in entries}
    shown |= {abs(one) for one in numbers(part for call in changes for part in (call.raw, call.result_text))}
    plus = {abs(one) for one in added}
    for value, line in said.items():
        if value and not is_one(value, 1.0, shown) and not follows(value, 0.01, plus, {2, 3, 4, 5, 6}, (), 2):
            reason = f"the result shows {', '.join(f'{one:g}' for one in added[:4])}"
            yield Finding("contradicted", f"{value:g}", reason, one_line(line, 200), changes[-1].id)


def _turned(text: str, changes: Sequence[Call], turn: Turn, refunds: str, charges: str) -> Iterator[Finding]:
    """An amount that is said to be refunded and that the results call a charge, or the other way round."""
    ways = [way for call in changes for way in _ways(call)]
    undoes = any(UNDOES.search(f"{call.name} {call.raw}") for call in changes)
    for line in PARTS.split(text) if ways else ():
        if MONEY.search(line) is None:
            continue
        back, paid = re.search(refunds, line) is not None, re.search(charges, line) is not None
        if PAST.search(line) or (back and undoes):
            continue  # "the $70 that you were charged"; what is undone was charged, and its record says so
        for one in amounts(line) if back != paid else ():
            names = [name for name, value in ways if any(abs(value) == said for said in one.values)]
            against, with_ = (charges, refunds) if back else (refunds, charges)
            if any(re.search(against, name) for name in names) and not any(re.search(with_, name) for name in names):
                said = "refunded" if back else "charged"
                reason = f"said to be {said}, and the result has it as {' '.join(names[-1].split())}"
                yield Finding("contradicted", one.text.strip(), reason, one_line(line, 200), turn.calls[-1].id)


def _ways(call: Call) -> Iterator[tuple[str, float]]:
    """The amounts of a call, each with the names of its tool and of the fields around it."""
    given = (call.arguments, call.result_value)
    for value in given:
        yield from _pathed(value, "", 5)


def _pathed(value: Any, path: str, depth: int) -> Iterator[tuple[str, float]]:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        yield path, float(value)
    elif isinstance(value, str) and len(value) <= 20:
        yield from ((path, said) for one in amounts(value) for said in one.values)
    elif depth:
        inner = list(value.items()) if isinstance(value, dict) else []
        inner += [("", one) for one in value] if isinstance(value, list) else []
        kind = next((one for name, one in inner if KIND.search(str(name)) and isinstance(one, str)), "")
        for name, one in inner:
            yield from _pathed(one, f"{path} {name}{f' {kind}:' if kind else ''}", depth - 1)


def _entries(call: Call) -> list[float]:
    """The amounts in lists of a result: what was paid and paid back, one entry each."""
    found: list[float] = []
    value = call.result_value
    for inner in value.values() if isinstance(value, dict) else ():
        for entry in inner if isinstance(inner, list) else ():
            amount = entry.get("amount") if isinstance(entry, dict) else None
            if isinstance(amount, (int, float)) and not isinstance(amount, bool):
                found.append(round(float(amount), 2))
    return found


def _amounts(text: str, turn: Turn) -> Iterator[Finding]:
    """Amounts that stand nowhere in the conversation and that do not follow from its amounts."""
    said = [one for one in amounts(text) if not one.vague and max(one.values)]
    if not said:
        return
    open_ = [one for one in said if not all(spelled(value, turn.everything()) for value in one.values)]
    stated = {value for one in said if one not in open_ for value in one.values}
    counts, shares = set(multipliers(text)), rates(text)
    own = pool_of(turn.calls, [turn.asked]) if open_ else Pool(set(), set(), set(), set())
    open_ = [one for one in open_ if not fits(one, own, stated, counts, shares)]
    if not open_ or not turn.whole():
        return
    before = pool_of(turn.earlier(), turn.spoken())
    known, all_amounts = own.known | before.known, own.amounts | before.amounts
    if len(known) > MOST * 4 or len(all_amounts) > MOST:
        return
    everything = Pool(known, all_amounts or known, own.rates | before.rates, own.counts | before.counts)
    for one in open_:
        if not fits(one, everything, stated, counts, shares):
            reason = "no result, argument or message has this amount, and none adds up to it"
            yield Finding("unsupported", one.text.strip(), reason, line_at(text, one.start))
