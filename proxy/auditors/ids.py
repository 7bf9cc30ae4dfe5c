"""Ids in an answer must stand somewhere in the conversation: orders, bookings, commits and jobs that nobody named are told."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import ClassVar

from proxy.amounts import CODES, DIGIT
from proxy.audit import Finding
from proxy.claims import Claim, compared_text
from proxy.figures import dictates, sentence_around, unfenced
from proxy.ledger import MUTATIONS, Call, Turn
from proxy.patterns import expression
from proxy.reckoning import spelled
from proxy.results import has_word, line_at, one_line, scalars

TOKEN = re.compile(
    r"(?<![\w/.@#$€£¥=&?%:-])#?((?:[A-Za-z]{2,8}[-_])*[A-Za-z]{0,8}[-_]?\d[\w-]*|[A-Z\d]{5,12})(?![\w@]|\.\w)", re.A
)
NOWHERE = "no result, argument or message has this id"
LINK = re.compile(r"(?i)[\s:*_`#(–—-]+|\b(?:is|ist|es|est|lautet)\b")
"""What may stand between a label and its number."""
NOISE = re.compile(r"[\W_]+")

MOST = 20
"""Ids that stand nowhere, up to which an answer is compared with the results: what has more is no slip of the pen."""


RECEIPT = re.compile(
    r"(?<![\w/.@#$€£¥=&?%:-])#?((?=[\w-]*\d[\w-]*\d[\w-]*\d)(?:[A-Z]{1,8}[-_])+[A-Z]{0,4}\d+(?:[-_][A-Z]{0,4}\d+)*)(?![\w@-]|\.\w)",
    re.A,
)
"""The number of a record as systems issue it: letters, a hyphen, three digits or more."""
BRACKET = re.compile(r"\((?:[^\W\d_][\w.]{1,20}[ #:]\s?){0,2}[*`_]*$")
"""What stands before a number that a sentence brings in brackets."""
LONG = 4
"""Digits of a number in brackets, and of one behind its label: shorter ones are as often those of standards and roads."""
FEW = 3
"""Such numbers that stand nowhere, up to which they are told: who writes more explains a scheme, or proposes."""
SEVERAL = 3
"""Ids that stand nowhere, from which on they are a series."""
HEAD = re.compile(r"[A-Z]{2,8}[-_]?(?=\d)")
"""The letters that the ids of a series have in common."""
LAST = re.compile(r"\d{1,9}(?=\D*$)")
NEXT = 10
"""The number at the end of an id, and how far behind the last known one others may be counted on."""
CODE = re.compile(CODES)
MOST_LOOKED_FOR = 100
"""Ids of an answer that are looked for in the whole conversation."""


@dataclass(frozen=True, slots=True)
class Ids:
    """Compare ids with all that stands in the conversation, however they are spelled.

    Told is an id in a sentence that reports a deed, a commit and a job; and, anywhere in an answer whose turn changed
    something, an id of the kind that a result of this turn has: the same letters before its digits, or a code of the same
    length. In an answer that only tells, one of which a result has a slip. Silent where the history is not whole, or a call
    has no result. `proposals` is an expression for answers that ask for a confirmation; `examples` one for lines that show
    what an id looks like; `terms` one for what looks like an id and is a standard, a product or a form; `labels` one for what
    stands before the number of a confirmation: beside a deed, such a number is told of whatever kind it is. Told is, too, a
    number as systems issue them, in brackets or behind one of `records`, unless its sentence has one of `public`: what the
    world numbers, and what is denied. Where nothing was called, only such a one that is given as the reader's: `yours`.
    """

    proposals: str = ""
    examples: str = ""
    terms: str = ""
    labels: str = ""
    records: str = ""
    public: str = ""
    yours: str = r"(?!)"

    reads: ClassVar[frozenset[str]] = frozenset({"action", "commit", "job", "success", "text"})

    def compare(self, turn: Turn, claims: Sequence[Claim]) -> list[Finding]:
        text = unfenced(compared_text(claims))
        changes = [call for call in turn.landed_changes() if call.effect not in MUTATIONS]
        if not (turn.calls or turn.tools) or not ("@" in text or DIGIT.search(text)):
            return []
        if not turn.calls:
            return self._uncalled(text, turn, claims)
        invented = [] if changes else self._invented(text, turn)  # what is proposed has to exist as well
        findings = invented or self._told(text, changes, turn, claims)
        proposed = not invented and findings and self.proposals and expression(self.proposals).search(text)
        return [] if proposed else findings

    def _uncalled(self, text: str, turn: Turn, claims: Sequence[Claim]) -> list[Finding]:
        """Where nothing was called, the number of a deed, or the reader's own: "Your booking number is HB-7281"."""
        if dictates(turn.asked) or (self.examples and expression(self.examples).search(text)):
            return []
        issued = [one for one in self._issued(text, turn, ()) if not made_of_known(one.subject, turn, 1)]
        if _tells_a_deed(claims):
            return issued
        return [one for one in issued if expression(self.yours).search(one.quote.partition(one.subject)[0])]

    def _told(self, text: str, changes: Sequence[Call], turn: Turn, claims: Sequence[Claim]) -> list[Finding]:
        confirmed = self._confirmed(text, turn) if self.labels and _tells_a_deed(claims) else []
        confirmed += self._issued(text, turn, [one.subject for one in confirmed])
        if not changes:
            return [*_commits(claims, turn), *self._slips(text, turn), *confirmed]
        said = {one.subject: one.quote for one in claims if _names_a_thing(one) and not self._is_term(one.subject)}
        tokens = {found[1]: found.start() for found in TOKEN.finditer(text)}
        missing = {one: said.get(one) or line_at(text, tokens[one]) for one in _nowhere([*tokens, *said], turn)}
        kinds = _kinds(changes) if 0 < len(missing.keys() - said) <= MOST else set()
        findings = []
        for subject, quote in missing.items():
            shown = self._is_example(quote)
            if (subject in said and not made_of_known(subject, turn)) or (
                not shown and self._is_one_of(subject, kinds, _made(changes, text, turn))
            ):
                findings.append(Finding("unsupported", subject, NOWHERE, quote))
        told = {one.subject for one in findings}
        return [*findings, *(one for one in confirmed if one.subject not in told)]

    def _is_one_of(self, subject: str, kinds: Iterable[str], made: Iterable[str]) -> bool:
        """Whether an id is of the kind of others; what is spelled like a term, only as a slip of what a change has made."""
        if self._is_term(subject):
            return any(_slipped(subject, known) for known in made)
        return any(_alike(subject, known) for known in kinds)

    def _confirmed(self, text: str, turn: Turn) -> list[Finding]:
        """Numbers by which an answer confirms a deed, and that stand nowhere."""
        numbers: dict[str, str] = {}
        for found in islice(expression(self.labels).finditer(text), MOST):
            token = TOKEN.search(text, found.end(), found.end() + 60)
            between = text[found.end() : token.start()] if token else "-"
            if token and not LINK.sub("", between) and len(token[1]) >= 5 and sum(map(str.isdigit, token[1])) >= 2:
                quote = line_at(text, token.start())
                shown = self._is_example(quote)
                numbers |= {} if shown or self._is_term(token[1]) else {token[1]: quote}
        missing = nowhere(numbers, turn) if numbers else {}
        return [Finding("unsupported", subject, NOWHERE, quote) for subject, quote in missing.items()]

    def _issued(self, text: str, turn: Turn, told: Sequence[str]) -> list[Finding]:
        """Numbers as systems issue them, in brackets or behind what they number, that stand nowhere."""
        found = {one[1]: one.span(1) for one in RECEIPT.finditer(text) if one[1] not in told}
        missing = _nowhere(found, turn) if 0 < len(found) <= MOST else []
        known = sorted(_kinds([*turn.earlier(), *turn.calls])) if 0 < len(missing) <= FEW else []
        findings = []
        for subject in missing if len(missing) <= FEW else ():
            start, end = found[subject]
            before = text[max(0, start - 60) : start]
            digits = sum(map(str.isdigit, subject))
            short = digits < LONG and len(_head(subject)) < 3  # `N-400` is a form
            named = (digits >= LONG and BRACKET.search(before)) or (not short and self._labelled(before))
            quote = sentence_around(text, start, end)
            shown = self._is_example(quote) or (self.public and expression(self.public).search(quote))
            if not named or shown or self._is_term(subject):
                continue
            if not (_counted(subject, known, turn) or made_of_known(subject, turn)):
                findings.append(Finding("unsupported", subject, NOWHERE, one_line(quote, 200)))
        return findings

    def _labelled(self, before: str) -> bool:
        return bool(self.records) and expression(self.records).search(before) is not None

    def _slips(self, text: str, turn: Turn) -> Iterator[Finding]:
        """Ids of an answer that only tells: of one that stands nowhere a result has a slip, which the answer has nowhere."""
        looks = [call for call in turn.calls if call.outcome == "landed"]
        kinds = sorted(_kinds(looks)) if looks else []
        long = {len(one) for one in kinds}
        found = {one[1]: one.start() for one in TOKEN.finditer(text) if len(one[1]) in long} if kinds else {}
        tokens = [one for one in found if len(one) >= 6 and sum(map(str.isdigit, one)) >= 3]
        missing = _nowhere(tokens, turn) if tokens else []
        for subject in missing if len(missing) <= MOST else ():
            quote = line_at(text, found[subject])
            near = [one for one in kinds if _slipped(subject, one) and one not in text]
            shown = self._is_example(quote)
            if len(near) == 1 and not shown and not self._is_term(subject):
                reason = f"the result has {near[0]}, and nothing in the conversation has this id"
                yield Finding("contradicted", subject, reason, quote, looks[-1].id)

    def _invented(self, text: str, turn: Turn) -> list[Finding]:
        """Several ids that stand nowhere, all with the letters that ids of the results begin with."""
        found = {
            one[1]: one.start() for one in TOKEN.finditer(text) if HEAD.match(one[1]) and not self._is_term(one[1])
        }
        missing = _nowhere(found, turn) if len(found) >= SEVERAL else []
        if not SEVERAL <= len(missing) <= MOST:
            return []
        known = [one for one in _kinds([*turn.earlier(), *turn.calls]) if HEAD.match(one)]
        heads = Counter(map(_head, known))
        if any(heads[_head(one)] < 2 or _counted(one, known, turn) for one in missing):
            return []
        quote = line_at(text, found[missing[0]])
        shown = self._is_example(quote)
        return [] if shown else [Finding("unsupported", ", ".join(missing[:SEVERAL]), NOWHERE, quote)]

    def _is_example(self, quote: str) -> bool:
        """Whether a line shows what an id looks like."""
        return bool(self.examples) and expression(self.examples).search(quote) is not None

    def _is_term(self, subject: str) -> bool:
        return bool(self.terms) and expression(self.terms).match(subject) is not None


def _tells_a_deed(claims: Sequence[Claim]) -> bool:
    return any(one.kind in ("action", "success") and one.stance == "asserted" for one in claims)


def _commits(claims: Sequence[Claim], turn: Turn) -> Iterator[Finding]:
    """Commits that an answer names and nothing in the conversation does."""
    named = {one.subject: one.quote for one in claims if one.kind == "commit" and one.stance == "asserted"}
    missing = nowhere(named, turn) if 0 < len(named) <= MOST else {}
    yield from (Finding("unsupported", subject, NOWHERE, quote) for subject, quote in missing.items())


def _head(text: str) -> str:
    found = HEAD.match(text)
    return found[0] if found else ""


def made_of_known(said: str, turn: Turn, least: int = SEVERAL) -> bool:
    """Whether the number in an id, its longest, stands in the conversation by itself: "ORD-4417", of order 4417."""
    number = max(re.findall(r"\d+", said), key=len, default="").lstrip("0")
    return len(number) >= least and not said[0].isdigit() and has_word(turn.everything(), number)


def _counted(said: str, known: Sequence[str], turn: Turn) -> bool:
    """Whether an id may be counted on from others: it is an amount, lies between two of them, or a result has its number."""
    head, number = _head(said), LAST.search(said)
    if number is None or CODE.fullmatch(head.strip("-_")):
        return True
    series = head or said[: number.start()]  # of "S-26-004418", which has a letter alone, all before its number
    own = [int(found[0]) for one in known if one.startswith(series) and (found := LAST.search(one))]
    if own and min(own) < int(number[0]) <= max(own) + NEXT:
        return True
    calls = (*turn.earlier(), *turn.calls)
    return len(number[0].lstrip("0")) > 1 and any(spelled(float(number[0]), call.result_text) for call in calls)


def _made(changes: Sequence[Call], text: str, turn: Turn) -> Iterator[str]:
    """The ids that changes have made: nobody knew them before, and the answer has none of them."""
    for change in changes:
        before = (one for one in turn.calls if one.position < change.position)
        known = f"{turn.asked}\n{change.raw}\n{text}\n" + "\n".join(f"{one.raw}\n{one.result_text}" for one in before)
        yield from (one for one in _kinds([change]) if one not in known)


def _kinds(changes: Sequence[Call]) -> set[str]:
    """What may be ids in the arguments and results of calls."""
    values = [value for call in changes for value in (call.arguments, call.result_value)]
    texts = {text.lstrip("#") for value in values for _, text in scalars(value)}
    return {text for text in texts if 5 <= len(text) <= 40 and any(map(str.isdigit, text))}


def nowhere(said: Mapping[str, str], turn: Turn) -> dict[str, str]:
    """Of ids and their lines those that stand nowhere: not in a result, an argument, or anybody's words before the answer."""
    return {one: said[one] for one in _nowhere(said, turn)}


def _nowhere(said: Iterable[str], turn: Turn) -> list[str]:
    everything = turn.everything()
    missing = [one for one in islice(dict.fromkeys(said), MOST_LOOKED_FOR) if one.lstrip("#") not in everything]
    everything = everything.lower() if missing else ""
    missing = [one for one in missing if one.lower().lstrip("#") not in everything]
    plain = NOISE.sub("", everything) if missing else ""
    missing = [one for one in missing if NOISE.sub("", one.lower()) not in plain]
    if not missing:
        return []
    calls = [*turn.earlier(), *turn.calls]
    if any(call.result is None or call.outcome == "unknown" for call in calls) or not turn.legible():
        return []  # what nobody saw may have named it
    return missing


def _names_a_thing(claim: Claim) -> bool:
    if claim.stance != "asserted" or claim.kind not in ("action", "commit", "job"):
        return False
    digits = sum(map(str.isdigit, claim.subject))
    return "@" in claim.subject or digits >= 3 or (digits > 0 and claim.kind != "action")


def _alike(said: str, known: str) -> bool:
    """Whether two ids are surely of one kind."""
    if len(said) < 5 or sum(map(str.isdigit, said)) < 2 or said.casefold() == known.casefold():
        return said.casefold() == known.casefold()
    heads = [re.match(r"\D*", one, re.A) for one in (said, known)]
    first, second = (head.group().casefold() if head else "" for head in heads)
    if len(first) >= 2 and first == second and re.fullmatch(r"[\w-]+", known, re.A):
        return abs(len(said) - len(known)) <= 2
    codes = [re.fullmatch(r"(?=[A-Z\d]*[A-Z])(?=[A-Z\d]*\d)[A-Z\d]{5,10}", one) for one in (said, known)]
    return all(codes) and len(said) == len(known)


def _slipped(said: str, known: str) -> bool:
    """Whether two ids of one length differ by a character, or by two neighbours swapped."""
    if len(said) != len(known) or re.fullmatch(r"[\d.,:/-]+", known):
        return False
    apart = [at for at, (a, b) in enumerate(zip(said.casefold(), known.casefold(), strict=True)) if a != b]
    swapped = (
        len(apart) == 2 and apart[1] == apart[0] + 1 and sorted(said[apart[0] :][:2]) == sorted(known[apart[0] :][:2])
    )
    return len(apart) == 1 or swapped
