"""What an answer gives as the whole of a bill must be its total, and not the part before tax and surcharges."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from typing import Any, ClassVar, NamedTuple

from proxy.audit import Finding
from proxy.claims import BY_LINE, Claim, compared_text
from proxy.fields import words
from proxy.figures import Figure, figures, sentence_around, unquoted
from proxy.ledger import Call, Turn
from proxy.patterns import Names, expression
from proxy.payments import number_in, units
from proxy.results import objects, one_line

TAXED = r"(?:tax(?:es)?|vat|gst|mwst|iva|tva|fees?)"
OF = r"(?:amount|price|cost|fee|charge|premium)"
WHOLES = Names(
    rf"(?i)^(?:(?:grand|order|invoice|bill|booking|cart)_?)?total(?:_?(?:{OF}|due|charged|payable|to_?pay"
    rf"|incl?(?:u\w*)?(?:_?{TAXED})?|with_?{TAXED}))?$"
    rf"|^(?:amount|price)_?(?:due|total|payable|charged|owed|to_?pay|incl?(?:u\w*)?_?{TAXED}|with_?{TAXED})$"
)
"""Names of fields that hold all of a bill."""
SUBTOTAL = Names(
    rf"(?i)^sub_?total(?:_?(?:{OF}))?$|^(?:(?:total|{OF})_?)?(?:ex|excl(?:u\w*)?|without|before|pre)_?{TAXED}$"
)
NET = Names(rf"(?i)^net(?:_?(?:total|{OF}))?$|^(?:total|{OF})_?net$")
BASE = Names(rf"(?i)^base(?:_?(?:total|fare|rate|{OF}))?$")
"""Names of those that hold a part of it: the first by what they say, the others where the result has what makes up the rest."""
VAT = Names(r"(?i)vat|gst|mwst|iva|tva|sales_?tax")
"""What a net amount is without; a net payment is without a fee, or an employee's tax, and that is what is paid."""
ITEMS = Names(r"(?i)line|item|row|position|breakdown|component|entries|products")
"""Names of lists of what makes up a bill."""
SETTLED = Names(
    r"(?i)paid|credit|gift|voucher|discount|deposit|appl(?:y|ied)|refund|waive|coupon|promo|balance|reward|points|prepay"
)
"""Names of amounts by which less than the total is to pay."""
GENERIC = frozenset({"amount", "price", "cost", "fee", "charge", "total", "tax", "vat"})
"""Words of a part's name by which a sentence does not say that it means the part."""
PLACE = "#"
"""What stands for the amount where a sentence is read."""
MARKS = re.compile(r"[*_`]+")
MOST, FEW, SUMMED = 200, 8, 3
"""Objects of a result, bills of one and other amounts of a bill, and how many of these make up a rest."""
PARTS = 24
"""Amounts of looks of which sums of three are tried."""
TOLD = 40
"""Figures of an answer that are compared."""
READ = 20_000
"""Code points of a result that is read."""
CENT = 0.005


class Bill(NamedTuple):
    """A total and a part of it that one object of a result has, what else it has, each as amounts in whole units."""

    whole: str
    part: str
    total: Sequence[float]
    amount: Sequence[float]
    others: Sequence[float]


@dataclass(frozen=True, slots=True)
class Totals:
    """Compare the amount that an answer gives as all there is to pay with the total of the bill in the turn's last change.

    Told is the bill's part (a subtotal, a base, what is net of VAT) where neither the total nor the rest stands in the answer,
    and no result has that amount for anything else. Where the turn has one call, and that is a look, it is its result.
    `whole` is an expression for sentences that give all of it, a # in the amount's place; `doubts` one for those that do not
    say so flatly; `partial` one for messages and answers that speak of what is not in it.
    """

    whole: str = r"(?!)"
    doubts: str = r"(?!)"
    partial: str = r"(?!)"

    reads: ClassVar[frozenset[str]] = frozenset({"text"})
    needs: ClassVar[frozenset[str]] = frozenset({"calls", "figures"})

    def follow(self, turn: Turn, claims: Sequence[Claim], findings: Sequence[Finding]) -> list[Finding]:
        call = _last(turn)
        if call is None or any(one.flagged for one in findings) or not turn.legible():
            return []
        text = unquoted(compared_text(claims, BY_LINE))
        bills = list(islice(_bills(call), FEW + 1)) if text else []
        if not 0 < len(bills) <= FEW or any(expression(self.partial).search(one) for one in (text, turn.request(READ))):
            return []
        said = list(islice(figures(text), TOLD + 1))
        if len(said) > TOLD:
            return []
        stated = [value for one in said for value in one.values]
        for bill in bills:
            if _has(stated, (*bill.total, *bill.others)):
                continue
            for one in said:
                quote = self._as_whole(one, bill, text) if _has(one.values, bill.amount) else ""
                if quote and not _stands(bill, call, turn):
                    reason = f"the result has {bill.total[-1]:,.2f} for {bill.whole}, and this one for {bill.part}"
                    return [Finding("contradicted", one.text, reason, one_line(quote, 200), call.id)]
        return []

    def _as_whole(self, one: Figure, bill: Bill, text: str) -> str:
        """The sentence that gives an amount as all of a bill; empty where there is none, or it has another amount."""
        sentence = sentence_around(text, one.start, one.end)
        if one.vague or not (one.priced or one.step < 1) or sentence.count(one.text) != 1:
            return ""
        if sum(each.priced or each.step < 1 for each in figures(sentence)) != 1:
            return ""
        plain = MARKS.sub("", sentence.replace(one.text, PLACE))
        named = set(words(bill.part)) - GENERIC
        if not named.isdisjoint(words(plain)) or expression(self.doubts).search(plain):
            return ""
        return sentence if expression(self.whole).search(plain) else ""


def _last(turn: Turn) -> Call | None:
    """The last change of a turn, where everything that may have changed something landed; of one look alone, that."""
    changes = turn.sure_changes()
    if len(turn.possible_changes()) > len(turn.landed_changes()):
        return None
    alone = [one for one in turn.calls if one.outcome == "landed" and not one.effect] if len(turn.calls) == 1 else []
    call = next(iter(changes[-1:] or alone), None)
    return call if call is not None and len(call.result_text) <= READ else None


def _bills(call: Call) -> Iterator[Bill]:
    """The totals with a part beside them, of a result in which nothing is already paid or taken off."""
    held = [_amounts(one) for one in islice(objects(call.result_value), MOST)]
    if any(number < 0 or (number and _settles(name)) for one in held for name, (number, _) in one.items()):
        return
    for own in held:
        wholes = {name: one for name, one in own.items() if WHOLES.search(name)}
        others = {name: one for name, one in own.items() if one[0] > 0 and name not in wholes}
        parts = [name for name in others if _is_named_a_part(name)]
        numbers = {number for number, _ in wholes.values()}
        if len(numbers) != 1 or not parts or len(others) > FEW:
            continue
        whole, (number, total) = next(iter(wholes.items()))
        rest = {name: one for name, (one, _) in others.items() if name not in parts}
        for name in parts:
            if 0 < others[name][0] < number and _is_part(name, number - others[name][0], rest):
                lacks = {round(one - each, 2) for one, each in zip(total, others[name][1], strict=False)}
                yield Bill(
                    whole, name, total, others[name][1], [*lacks, *(one for each in rest for one in others[each][1])]
                )


def _settles(name: str) -> bool:
    return SETTLED.search(name) and not WHOLES.search(name)


def _amounts(held: Mapping[str, Any]) -> dict[str, tuple[float, Sequence[float]]]:
    """The plain numbers of an object by name, each as it stands there and in whole units."""
    found: dict[str, tuple[float, Sequence[float]]] = {}
    for name, value in islice(held.items(), MOST):
        number = None if isinstance(value, (dict, list, bool)) else number_in(value)
        if number is not None:
            found[name] = (number, units(name, value, number))
    return found


def _is_part(name: str, rest: float, others: Mapping[str, float]) -> bool:
    """Whether a field holds a part of a total: by its name, or as others of its object make up what it lacks."""
    if SUBTOTAL.search(name):
        return True
    own = {other: number for other, number in others.items() if VAT.search(other)} if NET.search(name) else others
    sums = (sum(some) for count in range(1, SUMMED + 1) for some in combinations(own.values(), count))
    return any(abs(one - rest) < CENT for one in sums)


def _stands(bill: Bill, call: Call, turn: Turn) -> bool:
    """Whether the part's amount is anything else: a look's total, what was asked for, an amount of the changes or since."""
    if _has([value for _, value in _numbers(dict(call.arguments))], bill.amount):
        return True
    if _has([value for one in figures(turn.request(READ)) for value in one.values], bill.amount):
        return True
    later, looked = turn.after(call), set[float]()
    for other in (*turn.earlier(), *turn.calls):
        if len(other.result_text) > READ:
            return True
        looks = other is not call and other not in later and turn.nature(other) == "read"
        sure = _is_no_whole if looks else _is_named_a_part
        numbers = list(_numbers(other.result_value))
        looked.update(value for _, value in numbers if looks)
        if any(not sure(name) and _has([value], bill.amount) for name, value in numbers):
            return True
    most = SUMMED if len(looked) <= PARTS else 2
    sums = (sum(some) for count in range(2, most + 1) for some in combinations(looked, count))
    return len(looked) > MOST or any(_has([one], bill.amount) for one in sums)


def _is_named_a_part(name: str) -> bool:
    return SUBTOTAL.search(name) or NET.search(name) or BASE.search(name)


def _is_no_whole(name: str) -> bool:
    return not (WHOLES.search(name) or SETTLED.search(name))


def _numbers(value: Any, name: str = "", depth: int = 6) -> Iterator[tuple[str, float]]:
    """The numbers of a value with their names, but for those of the items of a bill, each in whole units."""
    if isinstance(value, dict) and depth:
        for key, inner in islice(value.items(), MOST):
            yield from _numbers(inner, key, depth - 1) if not (isinstance(inner, list) and ITEMS.search(key)) else ()
    elif isinstance(value, list) and depth:
        for inner in value[:MOST]:
            yield from _numbers(inner, name, depth - 1)
    elif not isinstance(value, (dict, list, bool)) and (number := number_in(value)) is not None:
        yield from ((name, one) for one in units(name, value, number))


def _has(values: Sequence[float], amounts: Sequence[float]) -> bool:
    return any(abs(value - amount) < CENT for value in values for amount in amounts)
