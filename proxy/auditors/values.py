"""Amounts and cards in an answer that reports a deed must be those of the calls: what no result, argument or user gave."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from typing import Any, ClassVar

from proxy.amounts import DIGIT, Amount, Pool, amounts, each_number
from proxy.audit import Finding
from proxy.claims import Claim, compared_text
from proxy.figures import dictates, sentence_around, sentences_around, unfenced
from proxy.ledger import Call, Turn
from proxy.patterns import expression
from proxy.reckoning import MOST, Spelled, fits, is_one, multipliers, pool_of, rates
from proxy.results import line_at, objects, one_line

CARD = re.compile(
    r"(?i)(?=[acelmsvx•●·∙*….])"
    r"(?:\bend(?:ing|s)(?: (?:in|with|on))?|\blast (?:four|4)(?: digits)?(?: are)?:?|(?<!\w)x{1,12}|[•●·∙]|\*{3}|…|\.{3}"
    r"|\b(?:visa|mastercard|amex|maestro|card|account|checking|savings)(?: -| ?#|-| \())[\s*`-]{0,4}(\d{4})\b(?![-/]\d)"
)
"""The end of a card's or an account's number, as people and masks spell it."""
SPOKEN = re.compile(r"(?i)end|last")
HELD = re.compile(r"(?i)card|account|visa|amex|maestro|debit|credit|iban|konto|karte|tarjeta|cuenta|carte|compte")
"""What a number belongs to that is said to end so."""
NEAR = 40
"""Code points before such a number in which that stands."""
GROUPED = re.compile(r"(?<=\d)[ \u00a0.-](?=\d)")
"""What parts the groups of a long number."""
ENDS = re.compile(r"(?i)last|mask|ending|suffix|tail")
"""Names of fields that hold it."""
# Beside a brand a field has to tell more plainly that it is the card's own end.
CARD_END = re.compile(r"(?i)last_?(?:4|four|digits)|ending|ends|number|mask|pan$")
FOUR = re.compile(r"\d{4}")
MASKED = re.compile(r"[\W_xX]{0,16}(\d{4})")
BRANDED = re.compile(
    r"(?i)(?:[^\W\d]{2,12} ){0,2}(?:visa|master ?card|amex|american express|maestro|discover|debit|credit|card)\b"
    r"[^\d\n]{0,12}(\d{4})"
)
"""A card as a field tells it whole: "Visa 6113", "Mastercard ending in 3058"."""
BRAND = r"visa|master ?card|amex|american express|maestro|discover"
CALLED = re.compile(
    rf"(?i)\b({BRAND})\b[^\w\n]{{0,8}}(?:(?:debit|credit|card|account|ending|ends|in|with|number)\b[^\w\n]{{1,4}}){{0,5}}"
    r"x{0,16}(\d{4})\b"
)
BRANDS = re.compile(rf"(?i)({BRAND})\b.{{0,20}}")
"""A card by its brand and its end, and what a field has that tells the brand."""
OWNED = re.compile(r"(?i)(?:card|account|acct|method|payment|source|wallet|instrument)_?id$|token$")
"""Names of fields that identify what is paid with; one of a customer beside them does not."""
TOWARDS = re.compile(r"(?i)\b(?:to|into|onto|from)\s(?:[^\s.,;:!?]+\s){0,5}\W*$")
UNDONE = re.compile(
    r"(?i)\?|\brefund|\bback\b|\breturn|\bnot\b|n['’]t\b|\bnever\b|\binstead\b|\bno longer\b|\bunchanged\b"
)


EACH = re.compile(r"(?i)[*_`]{0,2}(?:/| (?:per|each|apiece|a|an|pro|je|par|por|al|la)\b)")
"""Words behind an amount by which there are several of it."""
WAY = re.compile(r"\b(paypal|gift_card|credit_card|debit_card)_\d+")
WAYS = {
    "paypal": re.compile(r"(?i)\bpaypal\b"),
    "gift_card": re.compile(r"(?i)\bgift card\b"),
    "credit_card": re.compile(r"(?i)\bcredit card\b"),
    "debit_card": re.compile(r"(?i)\bdebit card\b"),
}
"""Ways to pay, as their ids and as people call them."""
PAID = re.compile(
    r"(?i)\b(?:refund(?:ed)?|charged|credited|paid|returned) (?:(?:back )?(?:in full )?(?:to|on|with|by|from|using|onto)) "
)
"""Where a sentence says by which way money goes."""
PARTS = 60
ASKED, LEAST = 2_000, 10
"""Code points of a question in which numbers are looked for, and the least of them that may be an amount: "budget 1100"."""
LINE, SEVERAL = 400, 12
"""Code points of a line, and its numbers, from which one of them may be reckoned."""
LINES, FEW, CENT = 12, 6, 0.005
"""Amounts before a total that may come to it, of which two may be left out, and what two may differ by and be one."""
MANY = 100
"""Amounts of an answer that are reckoned."""
NOWHERE = "no result, argument or message has this number"


@dataclass(frozen=True, slots=True)
class Values:
    """Compare amounts of money and cards with what the conversation holds.

    An amount is fine when a result, an argument, the user or the system text has it, or rounds to it, or when it follows
    from such amounts: a sum, a difference, a multiple, a share, a rate. A card or an account (`ending in 1234`, `••1234`)
    that results know by an id must be one that the change used; one that the change's result has as well only where it is
    said to be charged. `amounts` and `cards` switch the two. `proposals` is an expression for answers that ask for a
    confirmation: what they name may be meant for what is still to come. `charges` is one for what is paid, `keeps` one for
    sentences about a card that stays, or that is for another time, beside the one that a call was about. `reckons` is one for
    sentences that reckon: an amount there may follow from more than the conversation's amounts.
    """

    amounts: bool = True
    cards: bool = True
    proposals: str = ""
    charges: str = ""
    keeps: str = r"(?!)"
    reckons: str = r"(?!)"

    reads: ClassVar[frozenset[str]] = frozenset({"action", "text"})
    needs: ClassVar[frozenset[str]] = frozenset({"figures"})

    def compare(self, turn: Turn, claims: Sequence[Claim]) -> list[Finding]:
        text = unfenced(compared_text(claims))
        changes = turn.landed_changes()
        if not changes or DIGIT.search(text) is None:
            return []
        sure = any(turn.nature(call) == "change" for call in changes)  # "Your order is in: $30.29"
        deeds = sure or any(
            one.kind == "action" and one.stance == "asserted" and "active" in one.fields for one in claims
        )
        if not deeds:
            return []
        findings = list(_cards(text, changes, turn, self.charges, self.keeps)) if self.cards else []
        findings += _misnamed(text, turn) if self.cards and not findings else ()
        findings += _by_kind(text, changes, turn, self.keeps) if self.cards and not findings else ()
        if self.amounts and next(amounts(text), None) is not None:
            findings += _amounts(text, turn, self.reckons)
        return [] if findings and self.proposals and expression(self.proposals).search(text) else findings


def _misnamed(text: str, turn: Turn) -> Iterator[Finding]:
    """A card that the answer calls by another brand than all results do that have its end beside a brand."""
    for told, digits in dict.fromkeys(found.groups() for found in islice(CALLED.finditer(text), PARTS)):
        shown: dict[str, Call] = {}
        for call in [*turn.earlier(), *turn.calls] if digits in turn.everything() else ():
            ended = (one for one in objects(call.result_value) if _ends_so(one, digits))
            brands = (BRANDS.fullmatch(one) for card in ended for one in card.values() if isinstance(one, str))
            shown |= dict.fromkeys((_brand(found[1]) for found in brands if found), call)
        if shown and _brand(told) not in shown and told.lower() not in turn.asked.lower():
            reason = f"the results have {next(iter(shown))} as the card that ends so"
            place = line_at(text, text.find(told))
            yield Finding("contradicted", f"{told} {digits}", reason, place, next(reversed(shown.values())).id)


def _by_kind(text: str, changes: Sequence[Call], turn: Turn, keeps: str) -> Iterator[Finding]:
    """A way to pay of another kind than the one that the last change was given by its id: PayPal for `gift_card_6118904`."""
    given = [(call, found[1]) for call in changes for found in WAY.finditer(call.raw)]
    kinds = {kind for _, kind in given}
    if len(kinds) != 1 or any(WAY.search(call.raw) for call in turn.earlier()):
        return
    call, kind = given[-1]
    for sentence in sentences_around(text, (found.span() for found in PAID.finditer(text))):
        told = {name: found for name, spelled in WAYS.items() if (found := spelled.search(sentence))}
        if len(told) != 1 or kind in told or expression(keeps).search(sentence) or UNDONE.search(sentence):
            continue
        name, other = told.popitem()
        if any(WAYS[name].search(one.result_text) for one in turn.calls):
            continue  # a result says so of something else
        reason = f"the call was given a {kind.replace('_', ' ')}"
        yield Finding("contradicted", other.group(), reason, one_line(sentence, 200), call.id)
        return


def _ends_so(card: Mapping[str, Any], digits: str) -> bool:
    """Whether an object says of a card that it ends so: `last4: "2009"`, `number: "•••• 2009"`."""
    return any(CARD_END.search(name) and str(one).endswith(digits) for name, one in card.items())


def _brand(name: str) -> str:
    """A brand in one spelling."""
    return {"american express": "amex"}.get(name.lower(), name.lower().replace(" ", ""))


def _cards(text: str, changes: Sequence[Call], turn: Turn, charges: str, keeps: str) -> Iterator[Finding]:
    """A card that the answer names and that no change used, where the results say which id each card has."""
    said = {found[1]: found for found in CARD.finditer(text)} if FOUR.search(text) else {}
    results = [call.result_text for call in (*turn.earlier(), *turn.calls)] if said else []
    nowhere = {digits for digits in said if not any(digits in text for text in results)}
    if (invented := _invented(said, nowhere, turn)) is not None:
        yield Finding("unsupported", f"ending in {invented[1]}", NOWHERE, line_at(text, invented.start()))
        return
    if len(nowhere) == len(said) or any(SPOKEN.search(said[digits].group()) for digits in nowhere):
        return
    ids: dict[str, str] = {}
    told = []  # the results that do not tell which cards there are
    for call in (*turn.earlier(), *turn.calls):
        cards = dict(_known_cards(call.result_value)) if any(digits in call.result_text for digits in said) else {}
        ids |= cards
        told += [call] if not cards and call not in changes else []
    said = {digits: one for digits, one in said.items() if digits in ids.values() or SPOKEN.search(one.group())}
    asked = {one for one in ids for call in changes if one in call.raw}
    shown = {one for one in ids for call in changes if one in call.result_text}
    used = {ids[one]: one for one in sorted(asked or {one for one in shown if ids[one]})}
    if not used or any(digits not in ids.values() for digits in said):
        return
    idle = {ids[one] for one in shown - asked if asked and _touched(one, changes, told)}
    wrong = [found for digits, found in said.items() if digits not in used]
    wrong = [one for one in wrong if one[1] not in idle or _charged(text, one, charges)]
    if len(wrong) < len(said) and not _mistaken(text, wrong, said.keys(), used.keys()):
        return
    for found in (one for one in wrong if not expression(keeps).search(sentence_around(text, *one.span()))):
        real = [f"the one ending in {digits}" if digits else one for digits, one in used.items() if digits not in said]
        yield Finding(
            "contradicted",
            f"ending in {found[1]}",
            f"the call used {', '.join(real)}",
            line_at(text, found.start()),
            changes[-1].id,
        )


def _invented(said: Mapping[str, re.Match[str]], nowhere: Collection[str], turn: Turn) -> re.Match[str] | None:
    """A card of which the end stands nowhere in the conversation, and that is said to end so."""
    ends = [said[digits] for digits in said if digits in nowhere and SPOKEN.search(said[digits].group())]
    ends = [one for one in ends if HELD.search(one.string, max(0, one.start() - NEAR), one.start())]
    if not ends or not turn.legible() or dictates(turn.asked):
        return None
    known = GROUPED.sub("", turn.everything())
    return next((one for one in ends if one[1].lstrip("0") not in known), None)


def _touched(identifier: str, changes: Sequence[Call], before: Sequence[Call]) -> bool:
    """Whether the changes' results have an id more often than what was read before: money went there, or came from there."""
    return max(one.result_text.count(identifier) for one in changes) > max(
        (one.result_text.count(identifier) for one in before), default=0
    )


def _charged(text: str, found: re.Match[str], charges: str) -> bool:
    """Whether a card that the result has as well, as the one that was paid with before, is said to be charged."""
    sentence = sentence_around(text, found.start(), found.end())
    return bool(charges) and expression(charges).search(sentence) is not None and UNDONE.search(sentence) is None


def _mistaken(text: str, wrong: Sequence[re.Match[str]], said: Collection[str], used: Collection[str]) -> bool:
    """Whether, beside ends that are right, one stands for the other end of the change: "from ••9052 to ••4471"."""
    if len(wrong) != 1 or len([one for one in used if one and one not in said]) != 1:
        return False
    found = wrong[0]
    before = text[text.rfind("\n", 0, found.start()) + 1 : found.start()]
    return TOWARDS.search(before) is not None and UNDONE.search(line_at(text, found.start())) is None


def _known_cards(value: Any, key: str = "", depth: int = 8) -> Iterator[tuple[str, str]]:
    """Ids of cards and their last four digits: objects that hold the digits, and an `id` or the key that leads to them.

    What stands beside cards in one collection of nothing else, and has no digits, is another way to pay: its id, and no digits.
    """
    if not depth:
        return
    if isinstance(value, dict):
        if (digits := _digits(value)) and (identifier := _identified(value, key)):
            yield identifier, digits
        inner = [(str(name), one) for name, one in value.items()]
    else:
        inner = [("", one) for one in value] if isinstance(value, list) else []
    inner = [(name, one) for name, one in inner if isinstance(one, (dict, list))]
    ways = [(name, one) for name, one in inner if isinstance(one, dict)]
    told = [bool(_digits(one)) for _, one in ways]
    if any(told) and len(inner) == len(value):
        others = (way for way, has in zip(ways, told, strict=True) if not has)
        yield from ((known, "") for name, one in others if (known := _identified(one, name)))
    for name, one in inner:
        yield from _known_cards(one, name, depth - 1)


def _digits(value: Mapping[str, Any]) -> str:
    for name, one in value.items():
        spelled = MASKED if ENDS.search(str(name)) else BRANDED
        if isinstance(one, str) and (found := spelled.fullmatch(one)):
            return found[1]
    return ""


def _identified(value: Mapping[str, Any], key: str) -> str:
    if isinstance(value.get("id"), str):
        return str(value["id"])
    return next((one for name, one in value.items() if OWNED.search(str(name)) and isinstance(one, str)), key)


def _share(one: Amount, stated: Collection[float], text: str) -> bool:
    """Whether an amount for each of something is a part of another one in the answer: "333 €, 111 € por noite"."""
    if EACH.match(text, one.end) is None:
        return False
    return any(
        2 <= round(other / value) <= PARTS
        and abs(value * round(other / value) - other) <= one.step * round(other / value) / 2
        for value in one.values
        if value
        for other in stated
    )


def _reckoned(one: Amount, text: str, everything: Spelled) -> bool:
    """Whether the line of an amount shows what it is reckoned from: "1.4 h at $330 = $462", one of these known."""
    line = line_at(text, one.start, LINE)
    others = {number for found in each_number(line) for number in found if number not in one.values and number > 0}
    telling = {number for number in others if number > SEVERAL or number % 1}  # "2 × $14.50" says nothing of $14.50
    known = {number for number in telling if everything.has(number)} if len(others) <= SEVERAL else set()
    return bool(known) and any(
        abs(a * b - value) <= one.step / 2 + 1e-9 or abs(value * a - b) <= one.step / 2 + 1e-9
        for value in one.values
        for a in others
        for b in others
        if a != 1 and b != 1 and (a in known or b in known)
    )


def _added(one: Amount, text: str) -> bool:
    """Whether the line of an amount shows a sum that comes to it: "€3300 + €280 = €3580"."""
    line = text.rfind("\n", 0, one.start) + 1
    equals = text.rfind("=", line, one.start)
    terms = text[max(line, text.rfind("=", line, equals) + 1, text.rfind(":", line, equals) + 1) : equals]
    if equals < 0 or "+" not in terms or DIGIT.search(text, equals, one.start) is not None:
        return False
    read = [*each_number(terms)]
    if not all(read):  # a number of more digits than are read
        return False
    parts = [found[0] for found in read]
    return any(abs(sum(parts) - value) <= one.step / 2 for value in one.values)


def _column_sums(text: str) -> list[float]:
    """What the columns of an answer's tables come to."""
    columns: dict[int, float] = {}
    for line in text.splitlines()[: LINES * 4] if "|" in text else ():
        cells = line.strip().strip("|").split("|") if line.count("|") > 1 else []
        for place, cell in enumerate(cells):
            read = [*each_number(cell)]
            if len(read) == 1 and read[0]:
                columns[place] = columns.get(place, 0.0) + read[0][0]
    return list(columns.values())


def _is_near(one: Amount, sums: Sequence[float]) -> bool:
    return any(abs(each - value) <= one.step / 2 + 1e-9 for each in sums for value in one.values)


def _is_total(one: Amount, lines: Sequence[Amount]) -> bool:
    """Whether an amount is what the known ones before it come to, but for one, or for two of a few: a part of another."""
    parts = [each.values[0] for each in lines if each.start < one.start]
    if not 1 < len(parts) <= LINES:
        return False
    rest = [one.values[0] - sum(parts)] + [one.values[0] - sum(parts) + part for part in parts]
    rest += [rest[0] + a + b for a, b in combinations(parts, 2)] if len(parts) <= FEW else []
    return any(abs(each) < CENT for each in rest)


def _goes_on(one: Amount, fitting: Sequence[Amount], own: Pool) -> bool:
    """Whether an amount is a known one more, or less, than another that follows from known ones: what is left of a sum."""
    sums = {value for each in fitting for value in each.values}
    return any(
        abs(abs(total - value) - known) < 0.005 for total in sums for value in one.values for known in own.amounts
    )


def _amounts(text: str, turn: Turn, reckons: str) -> Iterator[Finding]:
    """Amounts that stand nowhere in the conversation and do not follow from its amounts, where the answer reckons nothing."""
    said = [one for one in amounts(text) if not one.vague and max(one.values)]
    if not said:
        return
    everything = Spelled(turn.everything())
    open_ = [one for one in said if not all(everything.has(value) for value in one.values)]
    open_ = [one for one in open_ if one.text.strip() not in turn.everything()]  # "$8.7M"
    every = {value for other in said for value in other.values}
    shared = {one.start for one in open_[:MANY] if _share(one, every, text)}
    open_ = [one for one in open_ if one.start not in shared]
    left = {one.start for one in open_}
    stated = {value for one in said if one.start not in left for value in one.values}
    counts, shares = set(multipliers(text)), rates(text)
    own = pool_of(turn.calls, [turn.asked]) if open_ else Pool(set(), set(), set(), set())
    own.amounts.update(number for found in each_number(turn.asked[:ASKED]) for number in found if number >= LEAST)
    if len(own.known) > MOST * 4 or len(own.amounts) > MOST:
        return
    lines = [one for one in said if one.start not in left]
    columns = _column_sums(text) if open_ else []
    reckoned = [
        one
        for one in open_[:MANY]
        if _reckoned(one, text, everything) or _added(one, text) or _is_total(one, lines) or _is_near(one, columns)
    ]
    sums = {value for one in reckoned for value in one.values}
    reckoned += [one for one in open_[:MANY] if one not in reckoned and not sums.isdisjoint(one.values)]
    stated |= sums
    fitting = [one for one in open_[:MANY] if one in reckoned or fits(one, own, stated, counts, shares)]
    stated |= {value for one in fitting for value in one.values if is_one(value, one.step, own.known)}
    all_ = sum(one.values[0] for one in fitting if one.values[0] not in own.known) if len(fitting) > 1 else 0
    open_ = [
        one for one in open_[:MANY] if one not in fitting and not any(abs(each - all_) < 0.005 for each in one.values)
    ]
    open_ = [one for one in open_ if not fits(one, own, stated, counts, shares) and not _goes_on(one, fitting, own)]
    if not open_ or not turn.legible():
        return
    before = pool_of(turn.earlier(), turn.spoken())
    known, all_amounts = own.known | before.known, own.amounts | before.amounts
    if len(known) > MOST * 4 or len(all_amounts) > MOST:
        return
    pool = Pool(known, all_amounts or known, own.rates | before.rates, own.counts | before.counts)
    bare = [one for one in open_ if not fits(one, pool, stated, counts, shares)]
    stated |= {value for one in open_ if one not in bare for value in one.values}
    for one in bare:
        told = len(bare) == len(open_) or not fits(one, pool, stated, counts, shares)
        if told and expression(reckons).search(sentence_around(text, one.start, one.end)) is None:
            reason = "no result, argument or message has this amount, and none adds up to it"
            yield Finding("unsupported", one.text.strip(), reason, line_at(text, one.start))
