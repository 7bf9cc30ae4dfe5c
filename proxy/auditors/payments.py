"""What an answer says was charged or refunded, and to which way of paying, must be what the results of the changes show."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate, combinations, islice
from typing import Any, ClassVar, NamedTuple

from proxy.amounts import CODES, MONEY, Amount, amounts, numbers
from proxy.audit import Finding
from proxy.auditors.effects import TELLS
from proxy.claims import Claim, compared_text
from proxy.fields import words
from proxy.figures import figures, sentence_around, unfenced
from proxy.ledger import Call, Turn
from proxy.patterns import expression
from proxy.payments import Payment, Way, payments, way_of
from proxy.reckoning import is_one
from proxy.results import has_word, line_at, objects, one_line, scalars
from proxy.sums import follows

PARTS = re.compile(r"\n|[.;,!?](?=\s)|\s(?:and|or|but)\s|[()]")
"""Between what one amount and what another is said of."""
ASIDE = re.compile(r"\([^()\n]*\)")
"""What stands in brackets: a doubt there is of what they hold."""
UNDOES = re.compile(r"(?i)refund|cancel|return|credit(?!_?-?card)|void|revers|dispute|downgrade|exchange")
WHOLE = re.compile(
    r"(?i)\b(?:full|fully|total|totall?ed|totals|entire|whole|in all|altogether|gesamt\w*|vollständig\w*|totale?)\b"
)
"""Words by which an amount is all of what moved, and no part of it."""
TOTAL = re.compile(r"(?i)(?:^|_| )(?:total|sum)|total$")
CODE = re.compile(rf"\b(?:{CODES})\b")
SIGNS = {"€": {"EUR"}, "£": {"GBP"}, "₹": {"INR"}, "¥": {"JPY", "CNY", "RMB"}, "₩": {"KRW"}}
OPAQUE = frozenset({"method", "instrument", "tender", "card", "wallet"})
"""Words of the names of fields whose value is always a way of paying: where it tells nothing, nobody knows which it is."""
METHOD = OPAQUE | {"source", "payment", "destination", "brand", "to"}
"""Those, and words of the names of fields that may hold one."""
TOWARDS = re.compile(r"(?i)\b(?:to|onto|on|from|with|via|by|using|auf|von|sur|a|en)\s+(?P<what>[^\n]{2,60})")
LATER = re.compile(r"(?i)\bwill\b|['’]ll\b|\bgoing to\b|\bdue\b|\bwird\b|\bwerden\b|\bsera\b|\bserá\b")
"""What is still to be charged no result has to show."""
OTHER = re.compile(
    r"(?i)cancel|shipping|deliver|return|postage|versand|liefer|livraison|env[ií]o|refund|later|until|first"
    r"|\bbags?\b|baggage|luggage|gepäck|bagage|equipaje|insurance|breakfast|parking|wi-?fi"
)
"""What is free is often something else than what was charged: "free cancellation", "no charge for shipping"."""
HALF = re.compile(r"(?i)\b(?:half|halves|each|both|split|share[sd]?|apiece|per)\b")
"""Words by which an amount may be somebody's part of it."""
READ = 2_000
"""Code points of a user's message in which one of them is looked for."""
SINCE = re.compile(
    r"(?i)\b(?:has|have|was|were) (?:\w+ly |now |already )?(?:been\b|refunded|charged|credited)|['’]ve\b"
)
"""What was done is no part of what an answer proposes."""
NEAR = 18
"""Code points between an amount, or the word for what was done with it, and where it went."""
FOR = re.compile(r"(?i)\b(?:for|per|als?|für|pour|por|para)\b")
SIDES, MOVES = re.compile(r"(?i)\b(?:credit|debit|reimburs)"), re.compile(r"(?i)refund|charg|\bback\b")
CHARGED = re.compile(r"(?i)charg|debit|bill|purchase")
MOST, FEW, MANY = 80, 6, 24
"""Payments of one result that are read, new ones that are held against a sum, and amounts of an answer."""
LONGEST, NAMED = 600, 4
"""Code points of a sentence that is read, and of a value by which a line names what a call was about."""
PAST: dict[Way, str] = {"refund": "refunded", "charge": "charged", "": "moved"}
DONE: dict[Way, str] = {"refund": "a refund", "charge": "a charge", "": "a payment"}


class Told(NamedTuple):
    """A part of an answer that says which way money went, with the amounts in it and the sentence around it."""

    way: Way
    part: str
    sentence: str
    amounts: tuple[Amount, ...]


class _Seen:
    """What the turn's changes returned, and what was read before: that only where something is suspected."""

    def __init__(self, turn: Turn, changes: Sequence[Call], text: str, read: Callable[[Call], list[Payment]]) -> None:
        self.turn, self.changes, self.text, self._read = turn, changes, text, read
        self.books = [read(call) for call in changes]

    @cached_property
    def reads(self) -> list[list[Payment]]:
        changes = set(self.changes)
        return [self._read(one) for one in (*self.turn.earlier(), *self.turn.calls) if one not in changes]

    @cached_property
    def codes(self) -> set[str]:
        """The currencies of which the changes speak."""
        return {code for call in self.changes for text in (call.raw, call.result_text) for code in CODE.findall(text)}

    @cached_property
    def named(self) -> list[list[str]]:
        """What each of the changes was given, and no other."""
        given = [{one for one in call.given if len(one) >= NAMED} for call in self.changes]
        holders = Counter(one for names in given for one in names)
        return [[one for one in names if holders[one] == 1] for names in given]

    @cached_property
    def before(self) -> list[Payment]:
        """The different payments that were read before."""
        return list({_key(one): one for read in self.reads for one in read}.values())

    @cached_property
    def new(self) -> list[Payment]:
        return _new(self.books, self.reads)

    @cached_property
    def numbers(self) -> set[float]:
        """All numbers in the changes and their results."""
        return {abs(one) for one in numbers(text for call in self.changes for text in (call.raw, call.result_text))}

    @cached_property
    def told(self) -> set[float]:
        """All numbers in the answer."""
        return {value for one in figures(self.text) for value in one.values}


@dataclass(frozen=True, slots=True)
class Payments:
    """Compare the money that an answer says was charged or paid back with the payments in what the turn's changes returned.

    Told is an amount that went the other way; one that is none of the payments of its way and no sum of them, where the
    changes added some and the answer names none of these; and a way of paying that is of another kind than the calls and
    results have. `refunds` and `charges` are expressions for what is paid back and what is paid, in answers; `repaid` and
    `taken` for the words of names, types and descriptions in results. `doubts` is one for sentences that tell it otherwise,
    of another time, or of a part, `unsure` one for those that do not say flatly how it is paid, `free` for what says that
    there is no charge, which is told where the changes added one; `proposals` for answers that ask for a confirmation.
    `methods` are ways of paying, each an expression; what two of them match is either.
    """

    refunds: str = ""
    charges: str = ""
    repaid: str = ""
    taken: str = ""
    doubts: str = ""
    unsure: str = r"(?!)"
    free: str = r"(?!)"
    proposals: str = ""
    methods: Mapping[str, str] = field(default_factory=dict)

    reads: ClassVar[frozenset[str]] = frozenset({"action", "text"})
    needs: ClassVar[frozenset[str]] = frozenset({"change"})

    def compare(self, turn: Turn, claims: Sequence[Claim]) -> list[Finding]:
        changes = [one for one in turn.landed_changes() if not one.effect]
        text = unfenced(compared_text(claims)) if changes and self.refunds and self.charges else ""
        kinds = (self.refunds, self.charges, self.free)
        if not text or not any(expression(one).search(text) for one in kinds):
            return []
        if len(turn.possible_changes()) > len(turn.landed_changes()):
            return []  # nobody knows what moved
        denied = [one.quote for one in claims if one.stance == "denied" and not expression(self.free).search(one.quote)]
        if any(way_of(one, self.refunds, self.charges) for one in denied):
            return []
        told = list(islice(self._told(text, self.doubts), MANY))
        towards = list(islice(self._told(text, self.unsure), MANY))
        free = [sentence_around(text, *one.span()) for one in islice(expression(self.free).finditer(text), FEW)]
        free = [one for one in free if not (OTHER.search(one) or expression(self.unsure).search(one))]
        if not (told or towards or free):
            return []
        seen = _Seen(turn, changes, text, self._payments)
        if any(len(book) > MOST for book in seen.books):
            return []
        said = [(one, amount) for one in told for amount in one.amounts[:FEW]]
        moved = {one.subject: one for part, amount in said if (one := self._moved(part, amount, seen))}
        if len(moved) > 1:
            moved = {}  # prices of several things, or parts of one
        paid_with = {one.subject: one for part in towards if (one := self._paid_with(part, seen))}
        findings = [*moved.values(), *paid_with.values(), *(self._charged(free[0], seen) if free else ())]
        if findings and self.proposals and expression(self.proposals).search(text):
            return [one for one in findings if SINCE.search(one.quote)]
        return findings

    def _charged(self, sentence: str, seen: _Seen) -> Iterator[Finding]:
        """What the changes charged, where a sentence says that there is no charge, and the answer names none of it."""
        taken = [one for one in seen.new if one.way == "charge" and one.values and max(one.values) > 0]
        if not taken or len(taken) < len(seen.new) or any(value in seen.told for one in taken for value in one.values):
            return
        if seen.turn.legible():
            reason = f"the result has a charge of {taken[-1].values[0]:,.2f} that was not there before"
            yield Finding("contradicted", "no charge", reason, one_line(sentence, 200), seen.changes[-1].id)

    def _told(self, text: str, doubts: str) -> Iterator[Told]:
        spans = sorted(found.span() for one in (self.refunds, self.charges) for found in expression(one).finditer(text))
        ends = list(accumulate((end for _, end in spans), max))
        at, last = 0, ""
        for part in PARTS.split(text):
            start, at = at, text.find(part, at) + len(part)
            begun = bisect_left(spans, (at,))  # of those that begin before the part ends, one ends in it or behind it
            spoken = begun > 0 and at - len(part) < ends[begun - 1]
            if text[at - len(part) - 1 : at - len(part)] == "(" and not MONEY.search(part) and MONEY.search(last):
                part = text[text.rfind(last, 0, at) : at]  # "$42 (final charge)"
            last = part
            if spoken and (way := way_of(part, self.refunds, self.charges)):
                begin = at - len(part.lstrip())  # the blank before it is the end of the last sentence
                near = max(0, at - len(part) - 2 * LONGEST)  # a sentence that goes on beyond is too long to be read
                sentence = sentence_around(text[near : at + 2 * LONGEST], max(begin, start) - near, at - near)
                if len(sentence) > LONGEST:
                    continue
                if not (doubts and expression(doubts).search(_apart(sentence, part))):
                    yield Told(way, part, sentence, tuple(amounts(part)) if MONEY.search(part) else ())

    def _payments(self, call: Call) -> list[Payment]:
        value = call.result_value
        if not isinstance(value, (dict, list)):
            return []
        return list(islice(payments(call.name, value, self.repaid, self.taken), MOST + 1))

    def _moved(self, told: Told, said: Amount, seen: _Seen) -> Finding | None:
        """An amount that went the other way, or that is none of those that did go this way."""
        shown = [one for book in seen.books for one in book]
        alike = _summed(told, shown) or [one for one in shown if one.way in (told.way, "")]
        others = [one for one in shown if one.way not in (told.way, "")]
        if said.vague or not max(said.values) or _has(said, alike) or not (alike or _has(said, others)):
            return None
        if _foreign(said, seen.codes) or _is_sum(said, seen.told) or not seen.turn.legible():
            return None
        if len(seen.before) > MOST or _has(said, [one for one in seen.before if one.way == told.way]):
            return None  # what was paid before
        reason = _turned(told, said, seen) or _another(told, said, seen)
        subject, quote = said.text.strip(), one_line(told.sentence, 200)
        return Finding("contradicted", subject, reason, quote, seen.changes[-1].id) if reason else None

    def _paid_with(self, told: Told, seen: _Seen) -> Finding | None:
        """A way of paying of another kind than the one that the changes were given, or that their payments have."""
        named = self._kinds(self._goal(told.part))
        texts = [text for call in seen.changes for text in (call.raw, call.result_text)] if named else []
        there = {kind for kind in named if any(expression(self.methods[kind]).search(text) for text in texts)}
        refused = self._refused(seen) if texts else set()
        if not texts or not there <= refused:
            return None
        real = self._used(seen, refused)
        if not real or real.keys() & named or any(expression(self.methods[kind]).search(seen.text) for kind in real):
            return None
        subject, reason = next(iter(named.values())), f"the call has {', '.join(sorted(real.values()))[:80]}"
        return Finding("contradicted", subject, reason, one_line(told.sentence, 200), seen.changes[-1].id)

    def _goal(self, part: str) -> str:
        """What money is said to go to or to come from: right behind the amount, or behind the word for it."""
        words_ = [found for one in (self.refunds, self.charges) for found in re.finditer(one, part)]
        ends = [found.end() for found in (*words_, *MONEY.finditer(part))]
        for found in TOWARDS.finditer(part):
            between = part[max((end for end in ends if end <= found.start()), default=0) : found.start()]
            if ends and len(between) <= NEAR and FOR.search(between) is None:
                return found["what"]
        return ""

    def _used(self, seen: _Seen, refused: set[str]) -> dict[str, str]:
        """The kinds of ways of paying that the changes used, none of those refused; empty where one of them is not known."""
        used: dict[str, str] = {}
        values = [pair for call, book in zip(seen.changes, seen.books, strict=True) for pair in _methods(call, book)]
        for name, value in list(dict.fromkeys(values))[:MANY]:
            kinds = self._kinds(value)
            if kinds and kinds.keys() <= refused:
                continue
            if not kinds and OPAQUE & set(words(name)):
                kinds = self._resolved(value, seen.turn)
                if not kinds:
                    return {}
            used |= kinds
        return used if seen.turn.legible() else {}

    def _refused(self, seen: _Seen) -> set[str]:
        """The kinds of ways of paying that a call was given, and whose own field its result has as another one."""
        refused: set[str] = set()
        for call in seen.changes:
            got = {name: self._kinds(one) for name, one in _single(call.result_value) if isinstance(one, str)}
            for name, one in scalars(dict(call.arguments)):
                asked = self._kinds(one) if got.get(name) else {}
                refused |= asked.keys() - got[name].keys() if asked else set()
        return refused

    def _kinds(self, text: str) -> dict[str, str]:
        """The kinds of ways of paying that a text names, as it spells them."""
        found = {kind: re.search(expression, text[:80]) for kind, expression in self.methods.items()}
        return {kind: one.group() for kind, one in found.items() if one is not None}

    def _resolved(self, name: str, turn: Turn) -> dict[str, str]:
        """The kinds of what has this id in the conversation's results."""
        for call in (*turn.earlier(), *turn.calls):
            for one in objects(call.result_value) if name in call.result_text else ():
                inner = one.get(name)
                held = inner if isinstance(inner, dict) else one if name in one.values() else {}
                if kinds := self._kinds(" ".join(str(told)[:30] for told in held.values() if isinstance(told, str))):
                    return kinds
        return {}


def _is_sum(said: Amount, told: Collection[float]) -> bool:
    """Whether an amount is what two or three other amounts of the answer come to."""
    own = {round(one * 100) for one in said.values}
    others = sorted({round(one * 100) for one in told} - own)[-FEW:]
    return any(sum(some) in own for count in (2, 3) for some in combinations(others, count))


def _apart(sentence: str, part: str) -> str:
    """A sentence without the brackets that one of its parts does not stand in."""
    for aside in ASIDE.findall(sentence):
        sentence = sentence if part in aside else sentence.replace(aside, " ")
    return sentence


def _summed(told: Told, shown: Sequence[Payment]) -> list[Payment]:
    """The totals of its way that the results give, where a part of an answer speaks of the total."""
    return [one for one in shown if one.way == told.way and TOTAL.search(one.place)] if WHOLE.search(told.part) else []


def _has(said: Amount, entries: Sequence[Payment]) -> bool:
    known = {round(value, 2) for one in entries for value in one.values}
    return any(is_one(round(value, 2), said.step, known) for value in said.values)


def _foreign(said: Amount, codes: set[str]) -> bool:
    """Whether the changes speak of several currencies, by these codes, or of another one than the answer."""
    own = set(CODE.findall(said.text)) or next((own for sign, own in SIGNS.items() if sign in said.text), set())
    if "$" in said.text and not own:
        return len(codes) > 1 or bool(codes & set().union(*SIGNS.values()))
    return len(codes) > 1 or bool(own and codes and not codes & own)


def _new(books: Sequence[list[Payment]], reads: Sequence[list[Payment]]) -> list[Payment]:
    """The payments that the changes added to what was read before, each once where a result shows it at two places.

    A charge in a list of which nothing was read before may be an old one, and is none of them.
    """
    seen: Counter[tuple[Way, float]] = Counter()
    for read in reads:
        seen |= _counts(read)
    new = []
    for book in books:
        known = any(one.listed and seen[_key(one)] for one in book)
        places: dict[str, list[Payment]] = {}
        for one in book:
            places.setdefault(one.place, []).append(one)
        own: Counter[tuple[Way, float]] = Counter()
        for group in places.values():
            own |= _counts(group)
        for one in {_key(one): one for one in book if known or not one.listed or one.way == "refund"}.values():
            new += [one] * (own[_key(one)] - seen[_key(one)])
        seen |= _counts([one for one in book if one.listed])
    return new


def _counts(entries: Sequence[Payment]) -> Counter[tuple[Way, float]]:
    return Counter(_key(one) for one in entries)


def _key(one: Payment) -> tuple[Way, float]:
    return one.way, round(one.values[0], 2)


def _turned(told: Told, said: Amount, seen: _Seen) -> str:
    """Why an amount went the other way; what is undone was charged, and its record may say just that."""
    against = [one for one in seen.new if one.way not in (told.way, "") and _has(said, [one])]
    if SIDES.search(told.part) and MOVES.search(told.part) is None:
        return ""  # what leaves one account comes to another
    if told.way == "refund":  # to pay somebody back is a payment as well; the direction of a difference is said
        undone = any(UNDOES.search(f"{call.name} {call.raw}") for call in seen.changes)
        sure = (one for one in against if not undone and (one.listed or CHARGED.search(one.place)))
        against = [one for one in against if one.place.endswith("difference")] or list(sure)
    return f"said to be {PAST[told.way]}, and the result has it as {DONE[against[0].way]}" if against else ""


def _another(told: Told, said: Amount, seen: _Seen) -> str:
    """Why an amount is none of those that the changes added, and no part, sum or difference of them."""
    new = _of_line(told, seen) or seen.new
    summed = _summed(told, new)
    own = summed or [one for one in new if one.way == told.way and not TOTAL.search(one.place)]
    own = own or [one for one in new if not one.way and one.listed and not TOTAL.search(one.place)]  # `receipts`
    idle = any(not book and not TELLS.search(call.name) for call, book in zip(seen.changes, seen.books, strict=True))
    if not own or len(seen.new) > FEW or idle or (told.way == "charge" and LATER.search(told.sentence)):
        return ""  # what a change does not show it may have moved
    stated = seen.told if new is seen.new else {value for one in told.amounts for value in one.values}
    if any(is_one(value, 1.0, {one.values[0], one.values[-1]}) for one in own for value in stated):
        return ""
    against = [one for book in seen.books for one in book if one.way not in (told.way, "")]
    elsewhere = any(is_one(value, said.step, seen.numbers) for value in said.values)
    if elsewhere and not WHOLE.search(told.part) and not _has(said, against):
        return ""  # another amount of the result: a part of what was paid, a price
    known = summed or [*seen.new, *(one for one in seen.before if one.way == told.way)]
    halves = HALF.search(f"{told.sentence} {seen.turn.asked[:READ]}") is not None or len(told.amounts) > 1
    if any(_adds_up(value, own, known, unit, halves) for value in said.values for unit in (0, -1)):
        return ""
    return f"the result shows {', '.join(f'{one.values[0]:.2f}' for one in own[:3])} {PAST[told.way]}"


def _of_line(told: Told, seen: _Seen) -> list[Payment]:
    """The refunds of the one change that the line of a part names: those of the other changes are told elsewhere."""
    if told.way != "refund" or len(seen.changes) < 2:
        return []
    line = line_at(seen.text, seen.text.find(told.part), LONGEST)
    pairs = zip(seen.named, seen.books, strict=True)
    named = [book for names, book in pairs if any(has_word(line, one) for one in names)]
    return [one for one in named[0] if one.way == "refund"] if len(named) == 1 else []


def _adds_up(value: float, own: Sequence[Payment], known: Sequence[Payment], unit: int, halves: bool) -> bool:
    """Whether some of the new payments come to an amount, or it follows from all that are known."""
    sums = {0}
    for one in own:
        sums |= {total + round(one.values[unit] * 100) for total in sums}
    pool = {round(one.values[unit], 2) for one in known}
    return (
        len(pool) > MANY
        or round(value * 100) in sums
        or follows(value, 0.01, pool, (), (), 3 if len(pool) <= FEW * 2 else 2, halves=halves)
    )


def _methods(call: Call, book: Sequence[Payment]) -> Iterator[tuple[str, str]]:
    """The ways of paying that a call was given, that its result names, and to which it paid back; with their fields."""
    told: list[tuple[str, Any]] = [*scalars(dict(call.arguments)), *_single(call.result_value)]
    told += [pair for one in book if one.way == "refund" for pair in one.held.items()]
    yield from ((name, one) for name, one in told if isinstance(one, str) and one and METHOD & set(words(name)))


def _single(value: Any, depth: int = 4) -> Iterator[tuple[str, Any]]:
    """The plain values of a result that stand in no list."""
    for name, one in value.items() if isinstance(value, dict) and depth else ():
        if isinstance(one, dict):
            yield from _single(one, depth - 1)
        elif not isinstance(one, list):
            yield name, one
