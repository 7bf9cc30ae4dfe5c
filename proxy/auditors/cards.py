"""The card to which an answer says that money went must be the one that results show for the payment."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, ClassVar

from proxy.audit import Finding
from proxy.auditors.asked import Shown, shown_in
from proxy.auditors.effects import IDENTITY
from proxy.claims import BY_LINE, Claim, compared_text
from proxy.figures import sentence_around, unquoted
from proxy.ledger import Call, Turn
from proxy.patterns import Names, expression
from proxy.results import objects, one_line
from proxy.roots import name_roots, roots
from proxy.spelling import standing

BACK = roots(("refund", "reimburse", "repay", "reverse", "reversal"))
TAKEN = roots(("charge", "pay", "payment", "capture", "purchase", "checkout"))
"""Roots of words by which a tool's name says that it gives money back, or takes it."""
PAYMENT = roots(("charge", "payment", "transaction", "txn", "capture", "sale", "intent", "refund"))
"""Roots of words by which a field's name, or its object's, says that its id is a payment's."""
IDS = roots(("id", "ref", "reference", "number", "no", "code", "key"))
LAST = Names(
    r"(?i)last_?(?:4|four)|last_?digits|^card_?(?:ending|suffix)$|^(?:masked_?)?(?:card|pan)(?:_?(?:number|no|mask))?$"
)
"""Names of fields that hold the last digits of a card."""
BRANDS = r"visa|master ?card|amex|american express|maestro|discover|diners(?: club)?|jcb"
DIGITS = re.compile(rf"(?i)(?:[^\n]{{0,30}}[*•x.…][ -]?|(?:{BRANDS}|card)[a-z ]{{0,20}}[ -])?(?P<last>\d{{4}})")
SAVED = Names(
    r"(?i)default|file|saved|stored|wallet|backup|primary|preferred|customer|account|profile|subscri|member|user|contact|holder"
    r"|(?:^|_)(?:new|old|other|next)|prev|former|alternat|owner|guest|passenger"
)
"""Names of objects and fields that hold a card with which a payment need not be made."""
TOLD = re.compile(
    rf"(?i)(?:(?:\b(?:card|{BRANDS})(?: card)?[\s:*_`(,-]{{0,4}})?"
    r"(?:\bend(?:ing|s)? (?:in |with )?|\blast (?:four|4)(?: digits)?:? (?:are )?|[*•x…]{2,8}|\.{3})"
    rf"|\b(?:card|{BRANDS})(?: card)?\b)[\s:*_`(#-]{{0,4}}(?P<last>\d{{4}})(?![\d:/]|[.,-]\d)"
)
"""A card in an answer, with its last digits."""
CREDIT = re.compile(
    r"(?i)(?:store|shop|account|travel|site)[ _-]?credit|gift[ _-]?card|voucher|wallet|apple[ _-]?pay|google[ _-]?pay"
)
"""Other ways of paying, and those under which one card has other digits."""
PLACE, MARKS = "#", re.compile(r"[*_`]+")
"""What stands for the card where a sentence is read, and what is left out there."""
MOST, LEAST, LONGEST, LOOKS, DEPTH = 200, 5, 64, 60, 4
"""Objects of a result, letters of an id, earlier calls that are looked into, and how deep a payment holds its card."""
READ = 20_000
"""Code points of a result that is read."""


@dataclass(frozen=True, slots=True)
class Cards:
    """Compare the card to which an answer says that money went back, or from which it came, with that of the payment.

    Told are the last digits of a card that a result shows elsewhere, where the results that show the payment, by its id that
    the change was given or returned, have one other card, of which the answer says nothing. `refunds` and `charges` are
    expressions for sentences that tell where money went back and where it came from, a # in the card's place; `doubts` is one
    for those that do not say it flatly.
    """

    refunds: str = r"(?!)"
    charges: str = r"(?!)"
    doubts: str = r"(?!)"

    reads: ClassVar[frozenset[str]] = frozenset({"text"})
    needs: ClassVar[frozenset[str]] = frozenset({"change", "figures"})

    def follow(self, turn: Turn, claims: Sequence[Claim], findings: Sequence[Finding]) -> list[Finding]:
        changes = [one for one in turn.sure_changes() if not name_roots(one.name).isdisjoint(BACK | TAKEN)]
        text = unquoted(compared_text(claims, BY_LINE)) if changes else ""
        said = list(islice(TOLD.finditer(text), MOST))
        if len({one["last"] for one in said}) != 1 or any(one.flagged for one in findings) or not turn.legible():
            return []
        last, back = said[0]["last"], {not name_roots(one.name).isdisjoint(BACK) for one in changes}
        quote = next(self._told(said, text, back.pop()), "") if len(back) == 1 else ""
        calls = [*turn.earlier()[-LOOKS:], *turn.calls] if quote else []
        if (
            not calls
            or not _is_plain(changes, calls, text)
            or len(turn.possible_changes()) > len(turn.landed_changes())
        ):
            return []
        real = {one for call in changes for one in _used(call, calls) or {""}}
        card = real.pop() if len(real) == 1 else ""
        if card in ("", last) or any(standing(card, text)) or _may_be(last, changes, calls, turn):
            return []
        reason = f"the results have the payment with the card that ends in {card}"
        return [Finding("contradicted", last, reason, one_line(quote, 200), changes[-1].id)]

    def _told(self, said: Sequence[re.Match[str]], text: str, back: bool) -> Iterator[str]:
        """The sentences that say of a card that money went back there, or came from it."""
        deeds = expression(self.refunds if back else self.charges)
        for one in said:
            sentence = sentence_around(text, *one.span())
            plain = MARKS.sub("", sentence.replace(one.group(), PLACE))
            if deeds.search(plain) and not expression(self.doubts).search(plain):
                yield sentence


def _is_plain(changes: Sequence[Call], calls: Sequence[Call], text: str) -> bool:
    """Whether all results can be read, and nothing but cards is spoken of."""
    told = (f"{one.raw}\n{one.result_text}" for one in changes)
    return all(len(one.result_text) <= READ for one in calls) and not any(CREDIT.search(one) for one in (text, *told))


def _used(call: Call, calls: Sequence[Call]) -> set[str]:
    """The last digits of all cards that results show for the payments of a change, by their ids."""
    ids = {str(one.value) for one in _ids(call) if not name_roots(f"{one.parent} {one.name}").isdisjoint(PAYMENT)}
    return {last for one in _about(ids, calls, _is_its_own) for last in _cards(one)}


def _may_be(last: str, changes: Sequence[Call], calls: Sequence[Call], turn: Turn) -> bool:
    """Whether the changes may be about a card after all.

    No result shows it elsewhere, a change has it, or a thing that one names; or the user told it, and no change shows a card.
    """
    others = [one for one in calls if one not in changes]
    if not any(last in _direct(one) for other in others for one in islice(objects(other.result_value), MOST)):
        return True
    if any(any(standing(last, f"{one.raw}\n{one.result_text}")) for one in changes):
        return True
    ids = {str(one.value) for call in changes for one in _ids(call)}
    if any(last in _cards(one) for one in _about(ids, calls, IDENTITY.search)):
        return True
    asked = any(standing(last, turn.request(READ)))
    return asked and not any(any(_cards(one.result_value)) for one in changes)


def _ids(call: Call) -> Iterator[Shown]:
    """The ids that a change was given and returned."""
    for one in (*shown_in(dict(call.arguments))[:MOST], *shown_in(call.result_value)[:MOST]):
        value = str(one.value) if isinstance(one.value, (str, int)) and not isinstance(one.value, bool) else ""
        if LEAST <= len(value) <= LONGEST and any(map(str.isdigit, value)) and " " not in value:
            yield one


def _about(ids: set[str], calls: Sequence[Call], own: Callable[[str], bool]) -> Iterator[Mapping[str, Any]]:
    """The objects of results that have one of some ids in a field whose name says that it is their own."""
    for call in calls if ids else ():
        for one in islice(objects(call.result_value), MOST):
            names = (key for key, value in one.items() if isinstance(value, (str, int)) and str(value) in ids)
            if any(own(key) for key in names):
                yield one


def _is_its_own(name: str) -> bool:
    """Whether a field has the id of the payment that an object is, or belongs to, and not that of its last one."""
    return name_roots(name) <= PAYMENT | IDS


def _cards(value: Any, depth: int = DEPTH) -> Iterator[str]:
    """The last digits of the cards in an object and those in it, but for the ones that are only kept for its owner."""
    if isinstance(value, dict):
        yield from _direct(value)
        for key, inner in value.items():
            if depth and isinstance(inner, dict) and not SAVED.search(key):
                yield from _cards(inner, depth - 1)


def _direct(held: Mapping[str, Any]) -> Iterator[str]:
    """The last digits of a card that stand in an object itself."""
    for key, value in islice(held.items(), MOST):
        plain = str(value) if isinstance(value, (str, int)) and not isinstance(value, bool) and LAST.search(key) else ""
        found = DIGITS.fullmatch(plain.zfill(4) if plain.isdecimal() else plain)
        if found is not None:
            yield found["last"]
