"""How many things an answer says were dealt with must be how many the calls dealt with."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, islice
from typing import Any, ClassVar

from proxy.amounts import NUMERALS
from proxy.audit import Finding
from proxy.claims import Claim, compared_text
from proxy.dates import MONTHS
from proxy.figures import sentence_around
from proxy.ledger import UNDONE, Call, Turn
from proxy.results import lists, objects, scalars
from proxy.roots import name_roots, name_words, root

_COUNT = rf"\d{{1,4}}|{'|'.join(NUMERALS)}"
SAID = re.compile(
    rf"(?i)(?<![\w.,:/$€£¥#+×–—-])(?<!\b(?-i:[A-Z]{{2}}) )"
    rf"(?:(?<=\ball )(?=(?:{_COUNT}) of your )|(?!(?:{_COUNT}) of ))"
    rf"(?!(?:19|20)\d\d\b)({_COUNT}) (?:of your )?(?!(?:to|or|and|x|am|pm)\b)"
    r"((?:(?!(?:now|has|have|had|is|are|was|were|will|can)\b)[a-z][a-z'-]* ){0,3}?)"
    r"(?!(?:this|thus|plus|was|has|its|yes|always|across|towards|unless|various|previous|besides|perhaps|less|minus|versus)\b)"
    r"([a-z][a-z-]{2,}s|people|children)\b"
)
BOTH = re.compile(
    rf"(?i)\b(?:both|all (?:of )?(?:the |your )?({_COUNT})) (?:of )?(?:the |your |these )?(?:[a-z`'-]+ ){{0,2}}?([a-z-]+s)\b"
)
NUMBER = re.compile(r"(?<![\w.,-])\d{1,4}(?![\w-]|[.,]\d)")
DECIMAL = re.compile(r"(?<![\w.,-])(\d{1,3})[.,]\d{1,2}(?![\w-]|[.,]\d)")
SHORT = re.compile(r"[0-9]{1,9}")
SEVERAL = re.compile(
    r"[;&]|^[^,.!?\n]{1,40}(?:, [^,.!?\n]{1,40})+$|^\d+(?: ?[:–] ?| - )\d+$|^[A-Z][a-z]{2} ?[–-] ?[A-Z][a-z]{2}$"
)
"""What an argument has that stands for several things."""
SEEN = re.compile(r"(?i)matched|matches|found|total|requested|selected|submitted|attempted|received|processed")
LEFT_OUT = re.compile(r"(?i)skipped|failed|failures|errors?|rejected|locked|conflicts?|unmatched|ignored|not_")
"""Names of fields for how many things there were, and for how many of them nothing was done."""
EXCEPT = re.compile(
    r"(?i)\b(?:except|skip\w*|but|fail\w*|already|left|most|duplicat\w*|ignor\w*|lock\w*|conflict\w*|alone|of (?:the|your)"
    r"|with \d+)\b"
)
BEFORE = re.compile(r"(?i)\b(?:was|were|had|before|when|until)\b")
"""Words of an answer that leaves some out, and of a sentence that tells what was."""
ALL = re.compile(
    rf"(?i)\ball ({_COUNT}) (?:\w+ ){{1,3}}(?:are |is )?(?:now )?(?:up|ready|running|available|healthy|online|done|passed)\b"
)
UP = frozenset(map(root, ("running", "ready", "available", "healthy")))
"""Words of fields that count how many of those that are desired are there."""
FOLLOWS = re.compile(r"(?: [a-z]{3,}){0,2}")
COINED = re.compile(r"(?<![\w-])[a-z]{3,}-[a-z\d]{1,12}(?![\w-])")
"""A name that says what it is the name of: "worker-a"."""
NUMBERED = re.compile(r"(?<![\w-])[A-Z]{1,8}-?\d{2,8}(?![\w-])")
BOTH_OF = re.compile(rf"(?i)\b(?:both|all|them|these|{'|'.join(NUMERALS)}|ok(?:ay)?|yes|go ahead)\b")
"""Things by number, and a message that takes up all of those that it was offered."""
OFFER = 2_000
LINES = 400
LONG = 200
"""Code points of an argument that is a text of its own: how many things are in it nobody can tell."""


@dataclass(frozen=True, slots=True)
class Counts:
    """Compare "added three bags" with the numbers and lists of the calls, and "both cards" with those that calls touched.

    Told is a number that stands nowhere in the conversation, that is no length of a list, no number of calls, of lines or of
    alike entries and no sum of alike fields, where the changes themselves tell how many and each of them is known to have
    landed or not; and "both" or "all four" of a list of just so many of which calls name some by id, and not the others.
    `units` are nouns that measure and do not count.
    """

    units: tuple[str, ...] = ()

    reads: ClassVar[frozenset[str]] = frozenset({"action", "text"})
    needs: ClassVar[frozenset[str]] = frozenset({"change"})

    def compare(self, turn: Turn, claims: Sequence[Claim]) -> list[Finding]:
        said = [one for one in claims if one.stance == "asserted" and one.fields.get("part")]
        changes = [call for call in turn.calls if turn.nature(call) != "read"]
        landed = turn.landed_changes()
        if not said or not landed or any(call.effect for call in changes) or any(_writes(call) for call in changes):
            return []
        text = compared_text(claims).replace("*", "")
        if named := list(islice(chain(_named(said, landed, text), _ready(text, turn)), 1)):
            return named
        known = all(call.outcome == "landed" or call.outcome in UNDONE for call in changes)
        return (list(self._numbered(said, landed, turn)) if known else []) + list(_touched(said, changes, turn))

    def _numbered(self, said: Sequence[Claim], landed: Sequence[Call], turn: Turn) -> Iterator[Finding]:
        """Numbers of things that nothing gives."""
        told = [(claim, found) for claim in said for found in SAID.finditer(claim.fields["part"])]
        text = turn.everything()
        told = [(one, found) for one, found in told if not self._measures(found) and not _stands(found[1], text)]
        if not told or not _tells(landed) or any(map(_of_several, landed)):
            return
        known = _known(turn)
        for claim, found in told:
            word = found[1].lower()
            count = NUMERALS.get(word) or int(word)
            if count not in known and turn.legible():
                shown = ", ".join(str(one) for one in sorted(_own(landed))[:4])
                reason = f"the calls give {shown}, and this number stands nowhere in the conversation"
                yield Finding("contradicted", found.group(), reason, claim.quote, landed[-1].id)
                return

    def _measures(self, found: re.Match[str]) -> bool:
        words = f"{found[2]}{found[3]}".lower().split()
        return not MONTHS.keys().isdisjoint(words) or any(
            word in self.units or word.removesuffix("s") in self.units for word in words
        )


def _named(said: Sequence[Claim], landed: Sequence[Call], text: str) -> Iterator[Finding]:
    """A number of things of which the result has another one, in a field that is called by the deed and by the things."""
    for call in landed if len(landed) == 1 else ():
        counted = [(name, told) for name, told in scalars(call.result_value) if SHORT.fullmatch(told)]
        fields = [(name_roots(name), told) for name, told in counted]
        seen = {told for name, told in counted if SEEN.fullmatch(name)}
        left = any(LEFT_OUT.match(name) and int(told) for name, told in counted) and not EXCEPT.search(text)
        for claim in said:
            quote, verb = claim.quote.replace("*", ""), root(claim.fields.get("verb", ""))
            for found in SAID.finditer(quote):
                shown = {told for own, told in fields if own == {root(found[3].lower()), verb}}
                if not shown and left and found[1] in seen:  # "deleted all 41", of which 3 were skipped
                    shown = {told for own, told in fields if own == {verb}}
                yield from _other(found, shown, quote, claim.quote, call)
        for found in SAID.finditer(text) if counted else ():
            about = {root(found[3].lower()), *_after(text, found.end())}
            shown = {told for own, told in fields if len(own) == 2 and own <= about and root(found[3].lower()) in own}
            quote = sentence_around(text, *found.span())
            if shown and not BEFORE.search(quote):
                yield from _other(found, shown, quote, quote, call)


def _after(text: str, place: int) -> Iterator[str]:
    """The roots of the two words that follow right behind a place: "9 rooms remaining"."""
    found = FOLLOWS.match(text, place)
    return map(root, found.group().split()) if found else iter(())


def _ready(text: str, turn: Turn) -> Iterator[Finding]:
    """All of some that are said to be there, of which the turn's last result has fewer: "all 6 pods are ready", and 3/6."""
    last = turn.calls[-1]
    for found in islice(ALL.finditer(text), LINES) if last.outcome == "landed" else ():
        count = NUMERALS.get(found[1].lower()) or int(found[1])
        pairs = re.findall(rf"(?<![\d/.])(\d{{1,4}})/{count}(?![\d/])", last.result_text[: LONG * 100])
        shown = {int(one) for one in pairs}
        for one in islice(objects(last.result_value), LINES):
            there = {
                root(word): number for name, number in one.items() for word in name_words(name) if type(number) is int
            }
            if there.get("desir") == count:
                shown |= {number for word, number in there.items() if word in UP}
        if shown and max(shown) < count:
            quote = sentence_around(text, *found.span())
            yield Finding("contradicted", found.group(), f"the result has {max(shown)} of {count}", quote, last.id)


def _other(found: re.Match[str], shown: set[str], sentence: str, quote: str, call: Call) -> Iterator[Finding]:
    """The finding, where one other number is shown and the sentence does not have it."""
    if len(shown) == 1 and not any(_stands(one, sentence) for one in shown):
        yield Finding("contradicted", found.group(), f"the result has {shown.pop()}", quote, call.id)


def _touched(said: Sequence[Claim], changes: Sequence[Call], turn: Turn) -> Iterator[Finding]:
    """ "Both" or "all four" of a list, of which the calls name some and not the others."""
    told = [(claim, found) for claim in said for found in BOTH.finditer(claim.quote)]
    if not told or not all(turn.nature(call) == "change" for call in changes):
        return
    named = "\n".join(
        f"{call.raw}\n{call.result_text}" for call in (*changes, *turn.earlier()) if turn.nature(call) != "read"
    )
    looks = [call for call in turn.calls if turn.nature(call) == "read" and call.result is not None]
    for claim, found in told:
        count = 2 if found[1] is None else NUMERALS.get(found[1].lower()) or int(found[1])
        noun = found[2].lower().removesuffix("s")[:5]
        told_of = [name for name in dict.fromkeys(COINED.findall(turn.asked[:LONG])) if name.lower().startswith(noun)]
        told_of = told_of or _offered(turn, count)
        touched = [one for one in told_of if one in named]
        looked = any(one in f"{call.raw} {call.result_text}" for call in looks for one in told_of if one not in touched)
        if len(told_of) == count > len(touched) > 0 and not looked:
            reason = f"the calls name {', '.join(touched)}, and not {', '.join(set(told_of) - set(touched))}"
            yield Finding("contradicted", found.group(), reason, claim.quote, changes[-1].id)
            return
        for call in looks:
            for name, ids in _listed(call):
                touched = [one for one in ids if one in named]
                if len(ids) == count > len(touched) > 0 and noun in f"{call.name} {name}".lower():
                    reason = f"the calls name {', '.join(touched)}, and not {', '.join(set(ids) - set(touched))}"
                    yield Finding("contradicted", found.group(), reason, claim.quote, changes[-1].id)
                    return


def _offered(turn: Turn, count: int) -> list[str]:
    """The things by number that the answer before names, where these are as many as are meant and all of one kind."""
    if len(turn.asked) > LONG or not BOTH_OF.search(turn.asked):
        return []
    named = list(dict.fromkeys(NUMBERED.findall(turn.offer()[-OFFER:])))
    kinds = {one.rstrip("0123456789") for one in named}
    return named if len(named) == count and len(kinds) == 1 else []


def _listed(call: Call) -> Iterator[tuple[str, list[str]]]:
    """The lists of objects in a result, as the name of the field that holds each and the objects' ids."""
    for name, entries in lists(call.result_value):
        ids = [str(one.get("id") or next(iter(one.values()), "")) for one in entries if isinstance(one, dict) and one]
        if len(ids) == len(entries) and all(3 <= len(one) <= 60 for one in ids):
            yield name, ids


def _of_several(call: Call) -> bool:
    """Whether an argument may stand for several things: "a, b", "Mon-Tue", "4:5"."""
    given = (one for _, one in scalars(call.arguments) if len(one) <= LONG)
    return any(SEVERAL.search(one) for one in given)


def _tells(landed: Sequence[Call]) -> bool:
    """Whether the changes themselves say how many: by a list, by a number, by being several."""
    return bool(_own(landed)) or len(landed) > 1


def _stands(said: str, text: str) -> bool:
    """Whether a number stands somewhere in a text, in digits or as a word."""
    count = NUMERALS.get(said.lower()) or int(said)
    words = [word for word, number in NUMERALS.items() if number == count]
    digits = any(int(found) == count for found in NUMBER.findall(text))
    return digits or any(word in text.lower() for word in words)


def _own(landed: Sequence[Call]) -> set[int]:
    return {one for call in landed for one in _of(call)} | ({len(landed)} if len(landed) > 1 else set())


def _known(turn: Turn) -> set[int]:
    """Every number that a number of things can be."""
    calls = (*turn.earlier(), *turn.calls)
    known = {one for call in calls for one in _of(call)}
    tools = Counter(call.name for call in calls)
    known |= set(tools.values()) | {len(turn.calls), sum(tools.values())}
    sums: Counter[str] = Counter()
    for call in calls:
        for name, text in (*scalars(call.arguments), *scalars(call.result_value)):
            if text.isdecimal() and len(text) <= 4:  # "²" is a digit, and no number
                sums[name] += int(text)
        known |= _groups(call)
    known |= set(sums.values())
    for text in (turn.asked, *turn.spoken()):
        known |= set(_numbers(text))
    return known


def _groups(call: Call) -> set[int]:
    """How many entries of a list are alike in something, and what the numbers of one object give: 3 cases of 24 are 72."""
    alike: Counter[tuple[str, str]] = Counter()
    found: set[int] = set()
    for one in objects(call.result_value):
        alike.update((name, value[:80]) for name, value in scalars(one, depth=1))
        own = [value for value in one.values() if isinstance(value, int) and 0 <= value < 10_000][:8]
        found |= {sum(own)} | {each for a, b in combinations(own, 2) for each in (a + b, abs(a - b), a * b)}
    return found | set(alike.values())


def _of(call: Call) -> Iterator[int]:
    """The numbers of a call: those that it was given and returned, and how long its lists and its lines are."""
    for value in (call.arguments, call.result_value):
        yield from _lengths(value)
        for _, text in scalars(value):
            yield from _numbers(text[:LONG])
    if call.result_value is None:
        lines = [line for line in call.result_text[: LONG * 100].splitlines() if line.strip()][:LINES]
        yield from _numbers("\n".join(lines))
        yield from {len(lines), len(lines) - 1} - {0, 1} if len(lines) > 1 else ()


def _lengths(value: Any, depth: int = 5) -> Iterator[int]:
    if isinstance(value, list):
        if value and len({type(one) for one in value}) == 1:  # a row of mixed values is one thing
            yield len(value)
        for one in value if depth else ():
            yield from _lengths(one, depth - 1)
    elif isinstance(value, dict) and depth:
        for one in value.values():
            yield from _lengths(one, depth - 1)


def _numbers(text: str) -> Iterator[int]:
    yield from (int(found) for found in NUMBER.findall(text))
    for whole in map(int, DECIMAL.findall(text)):
        yield from (whole, whole + 1)  # rounded: "almost 39 Mbps"
    lowered = text.lower()
    yield from (number for word, number in NUMERALS.items() if word in lowered)
    if "both" in lowered or "pair" in lowered or "couple" in lowered:
        yield 2


def _writes(call: Call) -> bool:
    return any(len(text) > LONG or "\n" in text for _, text in scalars(call.arguments))
