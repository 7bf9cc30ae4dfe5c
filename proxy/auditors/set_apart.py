"""Entries of a result of which an answer tells by themselves, and not with those that were done."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice

from proxy.auditors.left_out import MOST, turned_away
from proxy.auditors.own_states import WHY, Row, beside, is_left, verbs
from proxy.auditors.parted_rows import own_ids
from proxy.auditors.told_rows import CALLED, NUMBERS
from proxy.claims import Claim
from proxy.dates import MONTHS
from proxy.ledger import Call, Turn
from proxy.results import objects, scalars
from proxy.roots import Vocabulary, name_roots, root, tokens
from proxy.spelling import MOMENT, places

READ, LEAST, SHORT, LONG, LOOKS, TIMES = 20_000, 4, 2, 80, 20, 12
"""Code points of a result that is read; letters of a word; code points of an id, and of a piece; looks; times of a name."""
ANY = frozenset(
    map(root, ("succeed", "process", "complete", "do", "update", "change", "apply", "handle", "execute", "run"))
)
"""Roots of verbs that may tell any deed."""
_TIMES = (
    "monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun morning afternoon evening night noon"
    " midday midnight today tonight tomorrow week weekend month year day next hour minute early late"
)
WHEN = frozenset(map(root, (*_TIMES.split(), *MONTHS)))
"""Roots of words for times, which are values and tell nothing of what became of a thing."""
SENTENCE = re.compile(r"[.!?]\s|\n")
BEFORE = re.compile(
    r"(?i)[,;:()|–—]|\s-\s|\b(?:and|but|while|whereas|und|aber|während|y|pero|mientras|et|mais|tandis que)\b"
)
"""What may end that which is said before a name."""
JOINT = re.compile(
    r"(?i)[\s*_`\"'“”,;&+/#]*(?:\b(?:and|as well as|plus|und|sowie|y|e|et)\b)?[\s*_`\"'“”,#]*(?:the |die |la |le )?"
)
"""What stands between the names of one enumeration."""
COUNT = re.compile(r"(?<![\w.,:/-])([A-Za-z]{3,6}|\d{1,3}) (?=[a-z])")
"""A count of things: a number and a word of what they are."""
WORD_BEFORE = re.compile(r"([^\W\d_]{3,10})\.? \Z")
INTO = re.compile(r"(?i)\b(?:into|onto)[\s*_`\"'“]*\Z")
"""Behind this stands what others went into, and that is none of them."""
CHANGED_TO = re.compile(r"(?:→|->|=>)[^,;\n]*")


@dataclass(frozen=True, slots=True)
class Apart:
    """An answer that may tell an entry by itself: its text, the claims in it, and the roots of words that tell nothing.

    `kin` are families of verbs that may tell of one deed; `seen` and `names` keep what was read once.
    """

    text: str
    said: Sequence[Claim]
    idle: frozenset[str]
    kin: Vocabulary
    seen: dict[str, frozenset[str]] = field(default_factory=dict)
    names: dict[int, tuple[Row, list[str]]] = field(default_factory=dict)

    def verbs(self) -> frozenset[str]:
        """The roots of all verbs that tell deeds."""
        return frozenset[str]().union(*map(verbs, self.said[:MOST]))

    def has_name(self, name: str, call: Call, turn: Turn, quote: str = "") -> bool:
        """What `has` says of what a call was given and its result lists as left out."""
        entry = next((one for one in islice(objects(call.result_value), MOST) if name in one.values()), {"id": name})
        given = (one for one in call.arguments.values() if isinstance(one, list) and name in one)
        away = {text for _, text in islice(turned_away(call, turn), MOST)} | {name}
        rows = [{"id": one} for one in next(given, ())[:MOST] if isinstance(one, str) and one not in away]
        return self.has(entry, "", call, turn, quote, rows)

    def has(
        self, entry: Row, reason: str, call: Call, turn: Turn, quote: str = "", rows: Sequence[Row] | None = None
    ) -> bool:
        """Whether an answer says of an entry what its result says, or something that it says of no other one.

        `quote` is the sentence that tells it as done with others, `rows` are those.
        """
        rows = beside(entry, call) if rows is None else rows
        own = self._names(entry, call, turn)
        others = [name for row in rows for name in self._names(row, call, turn)]
        own, others = [one for one in own if one not in others], [one for one in others if one not in own]
        if self._counts(rows) or self._has_why(entry, reason, rows, call, turn):
            return True
        return self._by_itself(own, others, call, turn, quote)

    def _counts(self, rows: Sequence[Row]) -> bool:
        """Whether an answer has how many entries were done, where some were not: "three licences are assigned", of four."""
        done = len(rows) - sum(map(is_left, rows))
        if done < 2:  # "one" may be any one
            return False
        found = (one[1].lower() for one in COUNT.finditer(self.text) if not self._is_day(one.start()))
        return any((int(one) if one.isdecimal() else NUMBERS.get(one, 0)) == done for one in islice(found, MOST))

    def _is_day(self, at: int) -> bool:
        """Whether a number stands behind the name of a month."""
        word = WORD_BEFORE.search(self.text[max(0, at - TIMES) : at])
        return word is not None and word[1].lower() in MONTHS

    def _has_why(self, entry: Row, reason: str, rows: Sequence[Row], call: Call, turn: Turn) -> bool:
        """Whether the answer has a word of why an entry is as it is, or a date that only it has."""
        whys = [reason, *(text for name, text in scalars(entry, depth=2) if WHY.search(name))]
        known = {text[:LONG] for row in rows for _, text in scalars(row, depth=2)} | call.given
        shared = tokens(" ".join(one[:LONG] for one in known)[:READ]) | self._known(call, turn)
        words = {one for one in tokens(" ".join(whys)[:READ]) if len(one) >= LEAST} - shared
        if words & tokens(self.text):
            return True
        dates = (text for _, text in scalars(entry, depth=2) if MOMENT.fullmatch(text) and text not in known)
        return any(next(places(one, self.text), None) is not None for one in islice(dates, LOOKS))

    def _by_itself(self, own: Iterable[str], others: Iterable[str], call: Call, turn: Turn, quote: str) -> bool:
        """Whether a name of an entry stands beside words that are of no call, and of no entry that was done."""
        mine = self._spans(own)
        spans = sorted({*mine, *self._spans(others)})
        groups: list[list[tuple[int, int]]] = []
        for one in spans:
            if groups and self._joined(groups[-1][-1], one):
                groups[-1].append(one)
            else:
                groups.append([one])
        alone = [group[-1] for group in groups if mine.isdisjoint(group)]
        known = self._known(call, turn).union(*(tokens(self.text[slice(*self._piece(one, spans))]) for one in alone))
        begin = self.text.find(quote) if quote else -1
        for group in (group for group in groups if mine.issuperset(group)):
            one = group[0][0], group[-1][1]
            start, end = self._piece(group[0], spans)[0], self._piece(group[-1], spans)[1]
            if INTO.search(self.text[max(0, one[0] - LONG) : one[0]]):
                return True
            if any(start <= each.start < end and self._is_deed(each, call, turn) for each in self.said):
                continue
            if not alone and 0 <= begin <= one[0] < begin + len(quote):
                continue  # the claim itself, which names no other one
            words = tokens(CHANGED_TO.sub(" ", self.text[start : one[0]] + " " + self.text[one[1] : end]))
            if any(word.isalpha() and word not in known for word in words):
                return True
        return False

    def _is_deed(self, claim: Claim, call: Call, turn: Turn) -> bool:
        """Whether a claim tells a call's deed: by its verb or a kin, or by one that may be any deed."""
        does = root(turn.marks.natures.verb(call.name))
        own = name_roots(call.name)
        return any(
            one in own or one in ANY or self.kin.alike(one, does) or any(word.startswith(one) for word in own)
            for one in verbs(claim)
        )

    def _known(self, call: Call, turn: Turn) -> frozenset[str]:
        """The words that describe things: of what was asked, and of calls and their results, whys aside."""
        if call.id not in self.seen:
            texts = [turn.asked[:READ], turn.offer()[:READ]]
            for one in (call, *islice(turn.recent(call), LOOKS)):
                texts += [one.name, one.raw[: READ // LOOKS]]
                shown = islice(scalars(one.result_value), READ // LOOKS)
                texts += (f"{name} {text[:LONG]}" for name, text in shown if not WHY.search(name))
            self.seen[call.id] = tokens(" ".join(texts)[: READ * LEAST]) | self.idle | WHEN
        return self.seen[call.id]

    def _names(self, entry: Row, call: Call, turn: Turn) -> list[str]:
        """What an entry goes by."""
        if id(entry) not in self.names:
            self.names[id(entry)] = (entry, _names(entry, call, turn))  # kept, so that no other one gets its id
        return self.names[id(entry)][1]

    def _spans(self, names: Iterable[str]) -> set[tuple[int, int]]:
        """Where the text has one of the names, the longest where one is part of another."""
        found: list[tuple[int, int]] = []
        low = self.text.lower()
        for name in sorted({one for one in names if one.lower() in low}, key=len, reverse=True)[:MOST]:
            said = re.finditer(rf"(?i)(?<![\w-]){re.escape(name)}(?![\w-])", self.text)
            for start, end in (one.span() for one in islice(said, TIMES)):
                if not any(begin <= start and end <= stop for begin, stop in found):
                    found.append((start, end))
        return set(found)

    def _joined(self, one: tuple[int, int], after: tuple[int, int]) -> bool:
        between = self.text[one[1] : max(one[1], after[0])]
        return len(between) <= LONG and "\n" not in between and JOINT.fullmatch(between) is not None

    def _piece(self, span: tuple[int, int], spans: Sequence[tuple[int, int]]) -> tuple[int, int]:
        """What is said around a name: back to a comma, another name or the sentence's begin, on to the next name or its end."""
        start = max(0, span[0] - LONG, *(end for _, end in spans if end <= span[0]))
        cuts = [*SENTENCE.finditer(self.text, start, span[0]), *BEFORE.finditer(self.text, start, span[0])]
        start = max((one.end() for one in cuts), default=start)
        end = min((begin for begin, _ in spans if begin >= span[1]), default=len(self.text))
        stop = SENTENCE.search(self.text, span[1], min(end, span[1] + 2 * LONG))
        return start, stop.start() if stop else min(end, span[1] + 2 * LONG)


def _names(entry: Row, call: Call, turn: Turn) -> list[str]:
    """What an entry goes by: ids that it has, and what it and things of the same id in looks are called."""
    ids = [text for text in own_ids(entry).values() if len(text) > SHORT or text in call.given]
    ids += [text for _, text in scalars(entry, depth=1) if text in call.given and len(text) > SHORT]
    ids = [one for one in dict.fromkeys(ids) if len(one) <= LONG][:TIMES]
    known = set(ids)
    called = [text for name, text in entry.items() if isinstance(text, str) and CALLED.search(name)]
    for look in islice(turn.recent(call), LOOKS):
        if len(look.result_text) > READ or not any(one in look.result_text for one in ids):
            continue
        for thing in islice(objects(look.result_value), MOST):
            if not known.isdisjoint(map(str, thing.values())):
                called += (text for name, text in thing.items() if isinstance(text, str) and CALLED.search(name))
    heads = [one for text in called if len(words := text.split()) > 1 for one in (words[-1], words[0])]
    heads += [one.partition("@")[0].partition(".")[0].capitalize() for one in ids if "@" in one]
    return [*ids, *(one for one in dict.fromkeys((*called, *heads)) if LEAST <= len(one) <= LONG)][: 2 * TIMES]
