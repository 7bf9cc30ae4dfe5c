"""How an answer tells the rows of a list as done: one of them named beside others, or all of them at once."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from proxy.amounts import NUMERALS
from proxy.auditors.left_out import MOST
from proxy.auditors.parted_rows import READ, Parted, known_ids, own_ids
from proxy.figures import sentence_around
from proxy.ledger import Turn
from proxy.patterns import Names, expression
from proxy.results import objects
from proxy.roots import Vocabulary, name_roots, name_words, root
from proxy.spelling import SMALL, places

NUMBERS = NUMERALS | {
    word: number
    for number, words in enumerate(("zwei deux dos", "drei trois tres", "vier quatre cuatro", "fünf cinq cinco"), 2)
    for word in words.split()
}
CALLED = Names(r"(?i)(?:^|_)(?:name|title|subject|label|description)$|(?-i:[a-z](?:Name|Title)$)")
"""Names of fields that say what people call a thing."""
WORD = re.compile(r"[^\W_]+")
DONE = re.compile(r"(?i)\w{2,}ed|set|sent|put|made|done|paid|given")
NEAR, LOOKS, LEAST, SHORT, PAIR = 60, 20, 4, 3, 2
"""Code points beside a name in which another one is looked for; looks; letters of a word that names a thing; of an id; both."""


@dataclass(frozen=True, slots=True)
class Telling:
    """Expressions for sentences: `unsure` for those that tell nothing as done, `every` for what speaks of so many,
    `whole` for what speaks of all (a group `two` for both), `joint` for what stands between the names of one enumeration,
    `apart` for what stands behind a name of which something is told by itself;
    `things` are families of nouns that may mean one kind of rows."""

    unsure: str
    every: str
    whole: str
    joint: str
    apart: str
    kin: Vocabulary
    things: Vocabulary

    def of_row(self, one: Parted, turn: Turn, text: str) -> str:
        """The sentence that tells a row as done; empty where none does, or where the answer has what became of it."""
        named = _names(one, turn)
        spans = list(islice(named.places(text), MOST))
        if (
            _tells_own(one, turn, text)
            or _sets_apart(named, len(spans), text)
            or any(expression(self.apart).match(text, end) for _, end in spans)
        ):
            return ""
        for start, end in spans:
            sentence = sentence_around(text, start, end)
            if not named.beside.isdisjoint(self._neighbours(text, start, end)) and self._claims(sentence, one):
                return sentence
        return self._of_so_many(one, text) or self._of_all(one, text)

    def _neighbours(self, text: str, start: int, end: int) -> set[str]:
        """The words that stand beside a name with no more than a joint between, by their roots."""
        before = re.search(rf"([^\W_]+)(?:{self.joint})\Z", text[max(0, start - NEAR) : start])
        after = re.match(rf"(?:{self.joint})([^\W_]+)(?:-([^\W_]+))?", text[end : end + NEAR])
        return {root(part.lower()) for found in (before, after) if found for part in found.groups("")}

    def _of_so_many(self, one: Parted, text: str) -> str:
        """The sentence that speaks of all rows by their number."""
        count, nouns = len(one.rows), self._meaning(one)
        listed = any(isinstance(each, list) and len(each) == count for each in one.deed.arguments.values())
        for found in islice(expression(self.every).finditer(text), MOST):
            last = found.group().split()[-1].strip("*_").lower()
            number = int(last) if last.isdecimal() else NUMBERS.get(last, 0)
            number = number or (PAIR if found.group().lower().startswith("both") else count)
            sentence = sentence_around(text, *found.span())
            meant = listed or not nouns.isdisjoint(_behind(text, found.end())[:3])
            if number == count and meant and self._claims(sentence, one):
                return sentence
        return ""

    def _of_all(self, one: Parted, text: str) -> str:
        """The sentence that speaks of all rows by a noun that means them: "both legs", "both crossings"."""
        nouns = self._meaning(one)
        for found in islice(expression(self.whole).finditer(text), MOST):
            two, behind = found["two"] is not None, _behind(text, found.end())
            if not behind or (two and len(one.rows) != PAIR):
                continue
            sentence = sentence_around(text, *found.span())
            if not nouns.isdisjoint(behind[:3]) and self._claims(sentence, one):
                return sentence
        return ""

    def _meaning(self, one: Parted) -> frozenset[str]:
        """The nouns that mean the rows."""
        nouns = _nouns(one)
        return nouns.union(*(self.things.kin(noun) for noun in nouns))

    def _claims(self, sentence: str, one: Parted) -> bool:
        """Whether a sentence tells the deed as done: by its verb or a kin, a word that it was given, a value of those done."""
        if expression(self.unsure).search(sentence):
            return False
        if any(next(places(value, sentence), None) is not None for value in one.held):
            return True
        words = [root(each.lower()) for each in WORD.findall(sentence)[:READ] if DONE.fullmatch(each)]
        given = {root(each.lower()) for text in one.deed.given if len(text) <= NEAR for each in WORD.findall(text)}
        verbs = name_roots(one.deed.name)
        return any(each in given or any(self.kin.alike(each, verb) for verb in verbs) for each in words)


@dataclass(frozen=True, slots=True)
class _Named:
    """What a row goes by: whole texts, and words (by their roots) that only it has; `own` are all its words, `beside` those of
    the rows that were done."""

    texts: tuple[str, ...]
    heads: frozenset[str]
    own: frozenset[str]
    beside: frozenset[str]

    def places(self, text: str) -> Iterator[tuple[int, int]]:
        """Where a text names the row, words of its name before it taken in."""
        low = text.lower()
        for each in (one for one in self.texts if one.lower() in low):
            yield from (found.span() for found in re.finditer(rf"(?i)(?<!\w){re.escape(each)}(?!\w)", text))
        start, end = 0, -1
        for found in WORD.finditer(text) if self.heads else ():
            each = root(found.group().lower())
            runs_on = each in self.own and not text[end : found.start()].strip() and end >= 0
            start, end = (start if runs_on else found.start()), (found.end() if each in self.own else -1)
            if each in self.heads:
                yield start, found.end()


def _names(one: Parted, turn: Turn) -> _Named:
    """What a row and those beside it go by, in its own result and in looks."""
    about = known_ids(one.deed)
    titles = [[*_titles(row, one, turn, about)] for row in (one.row, *one.done[:LOOKS])]
    mine, others = titles[0], [text for each in titles[1:] for text in each]
    taken = {text for row in one.rows if row is not one.row for text in own_ids(row).values()}
    ids = tuple(text for text in own_ids(one.row).values() if SHORT <= len(text) <= NEAR and text not in taken)
    ids = tuple(text for text in ids if not text.isalpha())
    all_titles = dict.fromkeys((*mine, *others, *_all_titles(one, turn)))
    heads = {words[-1] for text in mine if (words := _title_words(text)) and words[-1].isalpha()}
    shared = [word for text in all_titles if text not in mine for word in set(_title_words(text))]
    own = frozenset(word for text in (*mine, *ids) for word in _title_words(text))
    done_ids = (text for row in one.done for text in own_ids(row).values() if len(text) >= SHORT)
    beside = frozenset(word for text in (*others, *done_ids) for word in _title_words(text)) - own
    whole = tuple(text for text in mine if len(_title_words(text)) > 1)
    return _Named((*ids, *whole), frozenset(heads).difference(shared), own, beside)


def _title_words(text: str) -> list[str]:
    """The words of a name by their roots: those of some length, and numbers."""
    return [root(one.lower()) for one in WORD.findall(text[:NEAR]) if len(one) >= LEAST or not one.islower()]


def _titles(row: Mapping[str, Any], one: Parted, turn: Turn, about: frozenset[str]) -> Iterator[str]:
    """What the row itself, and things of the same id, line or place in looks, are called."""
    yield from _called(row)
    ids = own_ids(row)
    for look in islice((one.shown, one.deed, *turn.recent(one.deed)), LOOKS):
        same = not about.isdisjoint(look.given)
        shows = len(look.result_text) <= READ and any(text in look.result_text for text in ids.values())
        for thing in islice(objects(look.result_value), MOST) if shows else ():
            if any(
                str(thing.get(name)) == text if len(text) < LEAST else text in map(str, thing.values())
                for name, text in ids.items()
                if same or len(text) >= LEAST
            ):
                yield from _called(thing)


def _all_titles(one: Parted, turn: Turn) -> Iterator[str]:
    """What all things of those looks are called."""
    for look in islice(turn.recent(one.deed), LOOKS):
        for thing in islice(objects(look.result_value), MOST) if len(look.result_text) <= READ else ():
            yield from _called(thing)


def _called(thing: Mapping[str, Any]) -> Iterator[str]:
    for name, text in islice(thing.items(), MOST):
        if isinstance(text, str) and CALLED.search(name) and LEAST <= len(text) <= NEAR:
            yield text


def _nouns(one: Parted) -> frozenset[str]:
    """The nouns by which the rows are meant: of their list, of the lists that the call was given, of their ids."""
    count = len(one.rows)
    given = [name for name, each in one.deed.arguments.items() if isinstance(each, list) and len(each) == count]
    plural = [word for word in name_words(one.deed.name) if word.endswith("s")]
    words = [word for name in (one.listed, *given, *plural, *own_ids(one.row)) for word in name_words(name)]
    return frozenset(root(word) for word in words if len(word) >= LEAST)


def _behind(text: str, at: int) -> list[str]:
    """The roots of the words that follow in the same line."""
    return [root(one.lower()) for one in WORD.findall(text[at : at + NEAR].partition("\n")[0])[:6]]


def _sets_apart(named: _Named, times: int, text: str) -> bool:
    """Whether an answer names a row that was done oftener than the one that was not: it then tells of it by itself."""
    said = [root(one.lower()) for one in WORD.findall(text)]
    return bool(times) and any(said.count(one) > times for one in islice(named.beside, MOST))


def _tells_own(one: Parted, turn: Turn, text: str) -> bool:
    """Whether an answer has the word of what became of a row, or a value that only this row has."""
    words = {root(each.lower()) for each in WORD.findall(text)}
    if any(words.issuperset(map(root, name_words(each))) for each in _states(one) if name_words(each)):
        return True
    others = [str(each) for row in one.rows if row is not one.row for _, each in _values(row, 2)]
    given = {each for call in (*turn.calls, *islice(turn.recent(one.deed), LOOKS)) for each in call.given}
    for _, value in islice(_values(one.row, 2), MOST):
        telling = len(value) > SHORT if isinstance(value, str) else abs(value) > SMALL
        if telling and str(value) not in given and str(value) not in others and next(places(value, text), None):
            return True
    return False


def _states(one: Parted) -> Iterator[str]:
    """The words that a row has, and that none of those done has, in the fields that those have words in."""
    ids = own_ids(one.row)
    for name, value in islice(one.row.items(), MOST):
        beside = [row[name] for row in one.done if name in row]
        if isinstance(value, str) and len(value) <= NEAR and beside and value not in beside and name not in ids:
            yield value


def _values(thing: Mapping[str, Any], depth: int) -> Iterator[tuple[str, Any]]:
    """The texts and numbers of an object and of those inside it."""
    for name, value in islice(thing.items(), MOST):
        if isinstance(value, dict) and depth:
            yield from _values(value, depth - 1)
        elif isinstance(value, (str, int, float)) and not isinstance(value, bool):
            yield name, value
