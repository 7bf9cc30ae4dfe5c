"""Where a text holds the words of word lists, by which an answer says that something was done."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from sys import intern
from typing import Any, NamedTuple

import msgspec

from proxy.word_lists import WordList, entries, inflected

TOKEN = re.compile(r"[^\W_]+(?:['-][^\W_]+)*|[❌✗✘⚠✅✓✔☑]")
SPEAKING = re.compile(
    r"done|base|doing|failure|negation|runs|subject|finished|first|(?:holds|breaks|alone|does)\..*|media\.(?:video|audio|checks?|passed)"
    r"|pages\.(?:live|draft|scheduled)"
)
"""Categories whose words can claim or deny something by themselves."""


class Mark(NamedTuple):
    """A word or phrase of the lists where it stands; `value` is its act, its kind of noun or its number."""

    start: int
    end: int
    value: str = ""


class Marks:
    """Every listed word of one text, by category and place, and all its tokens; found in one pass."""

    __slots__ = ("_by", "tokens", "unspaced")

    def __init__(self) -> None:
        self._by: defaultdict[str, list[Mark]] = defaultdict(list)
        self.tokens: list[tuple[int, int]] = []
        self.unspaced: set[int] = set()

    def add(self, category: str, start: int, end: int, value: str = "") -> None:
        self._by[category].append(tuple.__new__(Mark, (start, end, value)))  # a third of what its own constructor takes

    def sort(self, categories: Iterable[str]) -> None:
        """Bring the marks of some categories into the order of the text, without those inside a longer one."""
        for category in categories:
            inside = -1
            kept = []
            for mark in sorted(self._by[category], key=lambda mark: (mark.start, -mark.end)):
                if mark.end > inside:
                    kept.append(mark)
                    inside = mark.end
            self._by[category] = kept

    def drop_inside(self, category: str, others: Sequence[str]) -> None:
        """Take out the marks of `others` that overlap a mark of `category`."""
        outer = self._by.get(category)
        if not outer:
            return
        starts = [mark.start for mark in outer]

        def free(mark: Mark) -> bool:
            at = bisect_left(starts, mark.end) - 1
            return at < 0 or outer[at].end <= mark.start

        for other in others:
            if other in self._by:
                self._by[other] = [mark for mark in self._by[other] if free(mark)]

    def drop_mended(self, text: str) -> None:
        """Take out the failures that are told as mended: "fixed a syntax error", "the error in `a.py` is resolved"."""
        mends, nouns = self._by.get("mends"), set(self._by.get("mended", ()))
        if not mends or not nouns or "failure" not in self._by:
            return
        starts = [mark.start for mark in mends]

        def mended(mark: Mark) -> bool:
            at = bisect_left(starts, mark.start)
            before = text[mends[at - 1].end : mark.start] if at else text
            behind = text[mark.end : mends[at].start] if at < len(mends) else text
            return any(len(one) <= BESIDE and APART.search(one) is None for one in (before, behind))

        self._by["failure"] = [mark for mark in self._by["failure"] if mark not in nouns or not mended(mark)]

    def within(self, category: str, start: int, end: int) -> Sequence[Mark]:
        """The marks of a category that begin and end in a stretch, in order."""
        marks = self._by.get(category)
        if not marks or marks[-1][0] < start:
            return ()
        at = bisect_left(marks, (start,)) if marks[0][0] < start else 0
        return [mark for mark in marks[at : bisect_left(marks, (end,), at)] if mark[1] <= end]

    def of(self, category: str) -> Sequence[Mark]:
        """Every mark of a category."""
        return self._by.get(category, ())

    def any(self, category: str, start: int, end: int) -> bool:
        return category in self._by and bool(self.within(category, start, end))

    def solid(self, at: int) -> bool:
        """Whether a word of a script without spaces begins there."""
        return at in self.unspaced

    def words(self, start: int, end: int) -> Sequence[tuple[int, int]]:
        """The tokens that lie in a stretch."""
        at = bisect_left(self.tokens, (start, 0))
        stop = bisect_left(self.tokens, (end, 0), at)
        return self.tokens[at:stop]

    def left(self, start: int, end: int, *categories: str) -> list[tuple[int, int]]:
        """The tokens of a stretch that no mark of the categories covers."""
        covered = [mark for category in categories for mark in self.within(category, start, end)]
        return [
            (a, b) for a, b in self.words(start, end) if not any(mark.start <= a and b <= mark.end for mark in covered)
        ]

    def ends_at(self, category: str, end: int) -> bool:
        """Whether a mark of a category ends just there."""
        return any(mark.end == end for mark in self.within(category, max(0, end - 40), end))


@dataclass(slots=True)
class _Entry:
    """All that may begin with one word: alone, or with what must follow it (the longest first)."""

    singles: tuple[tuple[str, str], ...] = ()
    phrases: tuple[tuple[tuple[str, ...], str, str], ...] = ()
    seconds: frozenset[str] = frozenset()

    @property
    def speaks(self) -> bool:
        """Whether something can be claimed or denied by what begins here; of denials, by the word alone."""
        begun = {one for _, one, _ in self.phrases} - {"negation"}
        return any(SPEAKING.fullmatch(one) for one in {*begun, *(one for one, _ in self.singles)})

    def add(self, rest: tuple[str, ...], category: str, value: str) -> None:
        if not rest:
            self.singles += ((category, value),)
            return
        self.seconds |= {rest[0]}
        self.phrases = (*sorted((*self.phrases, (rest, category, value)), key=lambda phrase: -len(phrase[0])),)


FAR = re.compile(r"[^。，；！？,;!?\n]{0,40}")
"""How far from a word that takes it a verb may stand: within the same stretch of a sentence."""
BESIDE = 60
"""Code points between a failure and the word by which it is mended."""
APART = re.compile(
    r"[.,;:!?()\n—–。，；：！？、]|\b(?:but|still|while|be|must|will|can|should|once|until|not|aber|werden|muss|pero|sigue|ser|debe|mais|reste|être|doit)\b"
)
"""What stands between two words that belong to different things."""
KNOWN_BY = 2_000
"""Code points of a text by whose common words its language is known."""


class Lexicon:
    """Word lists of one or more languages: one table from the first word of every entry to what may follow it."""

    def __init__(self, lists: Sequence[WordList]) -> None:
        self._lists = lists
        self._common = {word: one.language for one in lists for word in one.common}
        self._unlike: dict[str, list[str]] = {}
        for one in lists:
            for word in one.unlike:
                self._unlike.setdefault(word, []).append(one.language)
        self._letters = {one.language: re.compile(one.letters) for one in lists if one.letters}
        self._spoken = [one.language for one in lists if one.common or one.letters]
        self._of: dict[frozenset[str], Lexicon] = {}
        self._entries: dict[str, _Entry] = {}
        self._solid: dict[str, list[tuple[str, str, str]]] = {}
        for one in lists:
            for entry, category, value in entries(one):
                if not one.spaces:
                    self._solid.setdefault(entry[:2], []).append((entry, category, value))
                elif words := tuple(map(intern, entry.split())):  # most words stand in many entries and tables
                    if words[0] not in self._entries:
                        self._entries[words[0]] = _Entry()
                    self._entries[words[0]].add(words[1:], category, value)
        self._heads = frozenset(word for word, entry in self._entries.items() if entry.speaks)
        self.broad = frozenset(name for one in lists for name, act in one.acts.items() if act.broad)
        self.weak = frozenset(name for one in lists for name, act in one.acts.items() if act.weak)
        self.thinks = frozenset(name for one in lists for name, act in one.acts.items() if act.thinks)
        verbs: dict[str, set[str]] = {}
        for one in lists:
            for name, act in one.acts.items():
                own = (*act.base, *act.done, *inflected(one, act, "base"))
                verbs.setdefault(name, set()).update(stem(one) for one in own if " " not in one)
        self.stems = {name: tuple(sorted(roots)) for name, roots in verbs.items()}
        """By act, the beginnings by which its words are known again in tools' names and results."""
        for begun in self._solid.values():
            begun.sort(key=lambda entry: -len(entry[0]))
        self.native = frozenset(
            entry for one in lists if one.language == "en" for act in one.acts.values() for entry in act.done
        )
        """The reported forms of the language that tools and their results speak."""
        self._means = [
            (begun, english, one.spaces) for one in lists for english, words in one.means.items() for begun in words
        ]
        self._meant: dict[str, str] = {}
        self._letter = frozenset(entry[0] for entry in self._solid)
        self.extensions = frozenset(entry for one in lists for entry in one.files.extensions)
        self.file_names = frozenset(entry for one in lists for entry in one.files.names)
        self.states = tuple(dict.fromkeys(state for one in lists for state in one.states))

    def of(self, text: str) -> Lexicon:
        """The lists that a text is read by: the first language's, and those of the text's own.

        In another language, words mean other things ("he" is Spanish, too); a text of which the language cannot be told
        is read by all.
        """
        if len(self._spoken) < 2:
            return self
        known = self._known(text[:KNOWN_BY])
        first = self._spoken[0]
        own = max(self._spoken, key=known.__getitem__)
        if known[own] > 0:
            return self._reading({first, own if known[own] > known[first] else first})
        near = {one for one, times in known.items() if times < 0}
        return self._reading(set(self._spoken) - near) if near else self

    def is_first(self, text: str) -> bool:
        """Whether the words of a text are surely of the first language, and of no other one more often."""
        known = self._known(text[:KNOWN_BY])
        return any(known[one] > 0 and known[one] >= max(known.values()) for one in self._spoken[:1])

    def orders(self, text: str) -> bool:
        """Whether a message in another language than the first one tells to change something."""
        return self._ordering is not None and self._ordering.search(text) is not None and not self.is_first(text)

    @cached_property
    def _ordering(self) -> re.Pattern[str] | None:
        """All `orders` in one; compiled for the whole lexicon alone, of which messages are asked."""
        orders = "|".join(order for one in self._lists for order in one.orders)
        return re.compile(f"(?i){orders}") if orders else None

    def _known(self, text: str) -> Counter[str]:
        """How much of a text speaks for each language."""
        found = Counter(TOKEN.findall(text.lower()))
        known: Counter[str] = Counter()
        for word in found.keys() & self._common.keys():
            known[self._common[word]] += found[word]
        for word in found.keys() & self._unlike.keys():
            for language in self._unlike[word]:
                known[language] -= found[word]
        if not text.isascii():
            for language, letters in self._letters.items():
                if times := len(letters.findall(text)):
                    known[language] += times
        return known

    def _reading(self, languages: Collection[str]) -> Lexicon:
        """The lists of some languages, and those of none."""
        key = frozenset(languages)
        if key not in self._of:
            lists = [one for one in self._lists if one.language in key or one.language not in self._spoken]
            self._of[key] = Lexicon(lists)
        return self._of[key]

    def meaning(self, form: str) -> str:
        """The English past form of a reported verb in another language; empty where none is listed."""
        if form not in self._meant:
            found = (e for begun, e, spaces in self._means if (form.startswith(begun) if spaces else begun in form))
            self._meant[form] = next(found, "")
        return self._meant[form]

    def speaks(self, text: str, start: int, end: int) -> bool:
        """Whether a stretch holds a word by which something can be claimed or denied; moods alone do neither."""
        part = text[start:end]
        if "n't" in part or (self._solid and not part.isascii() and not self._letter.isdisjoint(part)):
            return True
        return not self._heads.isdisjoint(TOKEN.findall(text, start, end))

    def marks(self, text: str, ranges: Sequence[tuple[int, int]] | None = None) -> Marks:
        """All marks of a text that is lower case with straight apostrophes, or of stretches of it; linear in their length."""
        marks = Marks()
        words: list[str] = []
        for start, end in [(0, len(text))] if ranges is None else ranges:
            for found in TOKEN.finditer(text, start, end):
                words.append(found[0])
                marks.tokens.append(found.span())
        entries = self._entries
        for number, word in enumerate(words):
            entry = entries.get(word)
            if entry is not None:
                if entry.seconds.isdisjoint(
                    words[number + 1 : number + 2]
                ):  # what most words are: no phrase begins here
                    start, end = marks.tokens[number]
                    for category, value in entry.singles:
                        marks.add(category, start, end, value)
                else:
                    self._mark(marks, words, number, entry)
            if "'" in word:
                self._mark_contraction(marks, word, *marks.tokens[number])
        if self._solid and not text.isascii():
            self._mark_solid(marks, text)
        marks.drop_inside("neutral", ("negation", "failure", "before"))
        marks.drop_inside("negation", ("done",))  # "stopped before moving anything"
        marks.drop_mended(text)
        marks.drop_inside("apart", ("negation", "failure", "plan", "condition", "hedge", "others"))
        return marks

    def _mark_solid(self, marks: Marks, text: str) -> None:
        """Mark the words of scripts without spaces; of two that begin at one place in one category, the longer."""
        taken: set[tuple[str, int]] = set()
        for at, char in enumerate(text):
            if char not in self._letter:
                continue
            for begun in (text[at : at + 2], char):
                for solid, category, value in self._solid.get(begun, ()):
                    if (category, at) not in taken and text.startswith(solid, at):
                        taken.add((category, at))
                        marks.add(category, at, at + len(solid), value)
        marks.unspaced = {at for _, at in taken}
        categories = {category for category, _ in taken}
        marks.sort(categories)
        if "takes" in categories:
            self._mark_taken(marks, text)

    def _mark_taken(self, marks: Marks, text: str) -> None:
        """Mark what stands apart from the word that makes it a deed: "已将订单取消"."""
        for take in marks.of("takes"):
            behind = FAR.match(text, take.end)
            own = marks.within("base", take.end, behind.end() if behind else take.end)
            if own:
                marks.add("done", *own[0])
                marks.sort(("done",))

    def _mark(self, marks: Marks, words: Sequence[str], number: int, entry: _Entry) -> None:
        """Mark what begins at one word; the longest phrase takes its category at this place."""
        start, end = marks.tokens[number]
        taken: set[str] = set()
        for rest, category, value in entry.phrases:
            if category not in taken and tuple(words[number + 1 : number + 1 + len(rest)]) == rest:
                taken.add(category)
                marks.add(category, start, marks.tokens[number + len(rest)][1], value)
        for category, value in entry.singles:
            if category not in taken:
                marks.add(category, start, end, value)

    def _mark_contraction(self, marks: Marks, word: str, start: int, end: int) -> None:
        """ "couldn't" holds "n't", "we'll" holds "'ll": they hang on the word before them."""
        for tail in ("n't", word[word.rindex("'") :]):
            if word.endswith(tail) and word != tail:
                for category, value in self._entries.get(tail, _Entry()).singles:
                    marks.add(category, end - len(tail), end, value)


def stem(word: str) -> str:
    """A verb without its ending: "cancelled", "canceled" and "cancel" begin alike."""
    plain = word.split()[0]
    for ending in ("ed", "e", "d"):
        if plain.endswith(ending) and len(plain) - len(ending) >= 4:
            plain = plain.removesuffix(ending)
            break
    return plain[:-1] if len(plain) > 4 and plain[-1] == plain[-2] else plain


def parse_words(tables: Sequence[Mapping[str, Any]]) -> Lexicon:
    """Compile word lists. Raises ValueError that names the list's language and what is wrong with it."""
    lists = []
    for table in tables:
        try:
            lists.append(msgspec.convert(table, WordList))
            for text in (lists[-1].letters, *lists[-1].orders):
                re.compile(text)
        except (msgspec.ValidationError, re.error) as error:
            raise ValueError(f"word list {table.get('language', '?')!r}: {error}") from None
    lexicon = Lexicon(lists)
    lexicon.orders("")  # compiled now, and not while somebody's answer waits
    return lexicon
