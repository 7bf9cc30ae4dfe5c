"""Words by their roots, so that "added" and `add` are one, and what the words of a tool's name say."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from proxy.remembered import remembered, remembered_with

TOKEN = re.compile(r"[^\W\d_]+|\d+")
CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
APART = "".join(one if one.isalnum() else " " for one in map(chr, range(128)))
"""What each letter of ASCII becomes where only words are wanted."""
BEHIND = frozenset({"to", "for", "from", "with", "by", "in", "on", "of", "at"})
"""In a tool's name what stands behind one of these is not what the tool makes: `add_note_to_order`."""
FALSE = re.compile(r'"[\w.-]+"\s*:\s*(?:false|null|""|\[\]|\{\}|0)(?=\s*[,}\]])')
"""Fields of a result that say that something is not so."""
SENT = frozenset({"emailed", "mailed", "messaged", "texted", "contacted", "alerted", "replied"})
"""What a result says was done: past forms, as they are written."""
_FORMS = (
    "sent send left leave told tell made make bought buy paid pay wrote write written write ran run gave give given give "
    "frozen freeze note memo notes memo noted memo"
)
COMMON = frozenset({"set", "add", "updat", "creat", "mak", "chang", "modif", "put", "edit", "writ"})
"""Roots of verbs that do not say by themselves what is done."""
IRREGULAR = dict(zip(_FORMS.split()[::2], _FORMS.split()[1::2], strict=True))


@lru_cache(maxsize=20_000)
def root(word: str) -> str:
    """How a word begins in all its forms: "added" and "add", "notified" and "notify", "tickets" and "ticket"."""
    plain = IRREGULAR.get(word, word)
    for ending in ("ing", "ied", "ies", "ed", "es", "s", "e", "y"):
        if plain.endswith(ending) and len(plain) - len(ending) >= 3 and not plain.endswith("ss"):
            plain = plain.removesuffix(ending)
            break
    return plain[:-1] if len(plain) > 3 and plain[-1] == plain[-2] else plain


@lru_cache(maxsize=256)
def roots(words: tuple[str, ...]) -> frozenset[str]:
    """An option of an auditor that lists words, without their endings."""
    return frozenset(map(root, words))


@remembered
def name_words(name: str) -> tuple[str, ...]:
    """The words of a field's or a tool's name, however it parts them: `updatedRange`, `updated_range`."""
    return tuple(word.lower() for word in TOKEN.findall(CAMEL.sub(" ", name)))


@remembered
def name_roots(name: str) -> frozenset[str]:
    """The same without endings."""
    return frozenset(map(root, name_words(name)))


@remembered
def name_tokens(name: str) -> frozenset[str]:
    """What `tokens` says of a tool's name."""
    return tokens(name)


def tokens(text: str, most: int = 0) -> frozenset[str]:
    """The roots of a text's words, its numbers, and its initialisms; of the first so many, if a number is given."""
    own = FALSE.sub(" ", text)
    plain = set(_words(own)[:most] if most else _each_word(own))
    return frozenset((*map(root, plain), *SENT.intersection(plain)))


def _words(text: str) -> list[str]:
    return [one.lower() for one in TOKEN.findall(CAMEL.sub(" ", text))]


def _each_word(text: str) -> Iterator[str]:
    """The same words, each piece of a text read once: a file that a call was given has many of them many times."""
    for piece in set((text.translate(APART) if text.isascii() else text).split()):
        if piece.isalpha() and piece.islower():
            yield piece
        else:
            yield from _words(piece)


def similar(word: str, words: Collection[str]) -> bool:
    """Whether a word stands among others: itself, or one that begins alike ("bag" and "baggage")."""
    if word in words:
        return True
    head = word[:3]
    if len(head) < 3:
        return False
    return any(one.startswith(head) and (_begins(word, one) or _begins(one, word)) for one in words)


def _begins(word: str, longer: str) -> bool:
    """Whether a word is the beginning of another; a short one only where the other doubles its last letter."""
    if len(word) < 3 or not longer.startswith(word[:5]):
        return False
    return len(word) >= 5 or (longer.startswith(word) and (len(word) == 4 or longer[3:4] == word[-1]))


@dataclass(frozen=True, slots=True)
class Named:
    """A tool by the words of its name: what it does, and to what; the last of `things` is the one that it is about.

    `tells` are the words by which an answer may tell that it was called: its things, its verb and all that are kin.
    """

    name: str
    verb: str
    things: tuple[str, ...]
    tells: frozenset[str]


class Vocabulary:
    """Which verbs are kin, and what the words of a tool's name say."""

    def __init__(self, kin: Sequence[Sequence[str]], sending: Sequence[str], idle: frozenset[str]) -> None:
        families = [frozenset(map(root, one)) for one in (*kin, sending)]
        self.sending = families[-1]
        self.idle = idle
        self._kin = {
            one: frozenset[str]().union(*(own for own in families if one in own)) for own in families for one in own
        }
        self._of_name = remembered_with(self._read)

    def read(self, name: str, verb: str = "") -> Named:
        """A tool's verb, its first word where none is given, and its things: `linear.createComment`, `ci_retry_job`."""
        return self._of_name(name, verb)

    def _read(self, name: str, verb: str) -> Named:
        space, _, inner = name.rpartition("__")[2].rpartition(".")
        own = name_words(inner)
        at = own.index(verb) if verb in own else 0
        things = own[at + 1 :] or own[:at] or name_words(space)[-1:]  # `yard.slots.book`
        stop = next((place for place, one in enumerate(things) if one in BEHIND), len(things))
        does, about = root(own[at]) if own else "", tuple(root(one) for one in things[:stop])
        if (once := does.removeprefix("re")) in self.sending:
            does = once  # `resend_ticket`
        return Named(name, does, about, self.kin(does) | {does, *about})

    def kin(self, verb: str) -> frozenset[str]:
        """The verbs that may tell of one deed with another one, itself among them; none where it stands alone."""
        return self._kin.get(verb, frozenset())

    def alike(self, one: str, other: str) -> bool:
        """Whether two verbs may tell of one deed."""
        return one == other or other in self.kin(one)


@lru_cache(maxsize=64)
def vocabulary(kin: tuple[tuple[str, ...], ...], sending: tuple[str, ...], idle: tuple[str, ...]) -> Vocabulary:
    return Vocabulary(kin, sending, frozenset(map(root, idle)))
