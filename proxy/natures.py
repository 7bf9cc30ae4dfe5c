"""Whether a tool call only looks or changes something: by its tool's name, by the statement, method or action it was given."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any, Literal, NamedTuple

from proxy.amounts import WIDE
from proxy.remembered import remembered

Nature = Literal["read", "change", "unknown"]

UNSPACED = re.compile(f"[{WIDE}]+")
"""Scripts in whose names a verb stands beside its object without a mark between: `宿予約`, `取消订单`."""
WORD = re.compile(rf"[A-Z]?[a-zß-öø-ÿœ]+|[A-Z]+(?![a-z])|\d+|{UNSPACED.pattern}")
JOINED = frozenset({"and", "or"})
STATEMENTS = ("sql", "query", "statement", "q", "command", "code")
LOOKS = re.compile(r"\s*(?:--[^\n]*\n\s*)*(?:select|show|explain|describe|values|table)\b[\s(*]", re.I)
WRITES = re.compile(
    r"(?:^|;|\(|\)|\bas\b)\s*(?:--[^\n]*\n\s*)*(?:update\s+\S+.{0,80}?\sset|insert\s+(?:or\s+\w+\s+)?into|delete\s+from|merge\s+into"
    r"|replace\s+into|truncate|alter\s+\w+|drop\s+\w+|create\s+(?:or\s+replace\s+)?\w+|grant\s|revoke\s|call\s|mutation\b)",
    re.I | re.S,
)
METHODS = ("method", "http_method", "httpMethod", "verb")
ACTIONS = ("action", "operation", "op", "mode", "method", "command", "cmd", "type")
ORDER = re.compile(
    r"(?i)(?:^\W*+|[.!?;:\n,][^\w.!?;:\n,]*+(?=\w)"
    r"|\b(?:and|then|please|just|to|(?:can|could|would|will) (?:you|u)|lets|let's)\b\W*+)"
    r"(?:(?:hi|hello|hey|ok|okay|yes|yep|please|pls|now|so|then|also)\b\W*+){0,4}"
    r"((?!(?:can|could|would|will|and|then|to|like)\b)[a-z]+)(?= [!#]?([a-z]+|\d+))"
)
THIRD = re.compile(r" +([A-Za-z]+)")
QUESTION = re.compile(
    r"(?i)[\s\W]*(?:(?:how|what)(?! about\b)|which|when|where|why|who|did|does|do (?:i|we)|is|are|was|were|has|have"
    r"|remind me(?= (?:wh|how|of|if)))\b"
    r"[^.!\n?]*\?"
)
"""A sentence that asks how things stand: what is done in it ("what did I use and pay?") is no order."""
AHEAD = ("go ahead and ", "Go ahead and ")
"""Before a word of `things` this makes an order of it."""
AIMED = re.compile(r" \w+(?: [A-Z]\w+)? (?:to|about|as|with|from|into)\b")
"""Behind a verb, somebody and where they are to go."""
ASKS = re.compile(
    r"(?i)[\s\W]*(?:(?:hi|hello|hey|ok|okay|thanks|so|and|but|also|please|pls|tell me)\b[\s,!.:]*){0,3}"
    r"(?:what|where|who|which|how|why|when|whether|is|are|was|were|did|does|has)\b"
)
"""How a message begins that asks."""
PLURAL = re.compile(r"[a-z]{4,}[^isu]s")
"""A name of one word, in the plural."""
LONGEST_VERB = 5
"""Letters of a verb in such a script."""
PUTS = frozenset({"add", "append", "insert", "remove", "delete", "clear"})
"""Verbs behind a thing that say what is done to it."""
MANY = frozenset({"bulk", "batch", "mass", "new", "auto", "quick", "multi"})
"""Words before things by which something may be done to them: `bulk_orders`."""
SETTERS = frozenset(
    {"set", "update", "change", "edit", "modify", "mark", "put", "post", "patch", "write", "add", "create"}
)
OBJECTS = frozenset(
    [
        "a",
        "an",
        "the",
        "my",
        "me",
        "us",
        "our",
        "this",
        "that",
        "these",
        "those",
        "it",
        "them",
        "all",
        "both",
        "two",
        "three",
        "another",
        "one",
        "him",
        "her",
        "some",
        "everyone",
        "everybody",
        "everything",
        "each",
        "every",
        "any",
        "only",
        "just",
        "your",
        "his",
        "their",
        *("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"),
    ]
)
"""What stands behind a word that is meant as a verb: "file a claim", not "file system"."""
_ARTICLES = "el la los las un una este esta esto mi tu su le les mon ma mes ce cette der die das den ein eine"
FOREIGN = frozenset(_ARTICLES.split(" "))
"""What stands behind a word of another language that is spelled like an English verb: "Resume este texto"."""
GIVES, MINE = frozenset({"tell", "give", "let"}), frozenset({"me", "us", "it", "a", "an", "some", "him"})
"""Verbs that order a change, unless one of these words stands behind them: "give bay 3 to the BMW", "give me the list"."""
LONGEST = 4_000
"""Code points of a statement that are read, and of a message of which is remembered what it asks for."""


KEYS = frozenset(
    {"id", "no", "nr", "number", "code", "ref", "reference", "key", "slug", "confirmation", "pnr", "email"}
)
FEWEST, HEAD = 3, 60
DONE = re.compile(
    r"(?i)\b(?:ok|success|done|sent|queued|running|started|pending|accepted|created|updated|message|processed|completed)\b"
)
"""Names of arguments that say which thing is meant, fields of which a record has more, the beginning of a text, and
what tells of a deed."""


class Name(NamedTuple):
    """What a tool's name says: whether it changes something, its word for that, all such words, and whether it undoes."""

    nature: Nature
    verb: str
    verbs: tuple[str, ...]
    undoes: bool
    thinks: bool = False


class Verbs(NamedTuple):
    """The words of a policy by which names and messages tell what they do; its file says what each list is for."""

    reading: Collection[str] = ()
    changing: Collection[str] = ()
    things: Collection[str] = ()
    orders: Collection[str] = ()
    nouns: Collection[str] = ()
    ends: Collection[str] = ()
    beside: Collection[str] = ()
    undoing: Collection[str] = ()
    shown: Collection[str] = ()
    thinking: Collection[str] = ()


NO_VERBS = Verbs()


class Natures:
    """The verbs of a policy: those that only look, those that change something, and those of them that name things too.

    The first verb of a name counts (`get_return_options` only looks), with exceptions: of two verbs joined by "and" or "or"
    one may change (`get_or_create`); behind a word that may name a thing the next verb counts (`order_get`), and at
    the end of a name it says nothing (`tax_return`), but for a few (`rooms_book`); entries of two words count before one
    of theirs (`check in`); and a statement or a method counts before a name.
    """

    __slots__ = (
        "_beside",
        "_changing",
        "_ends",
        "_nouns",
        "_of_message",
        "_of_name",
        "_orders",
        "_reading",
        "_shown",
        "_things",
        "_thinking",
        "_undoing",
    )

    def __init__(self, verbs: Verbs = NO_VERBS) -> None:
        self._reading, self._changing, self._things = map(frozenset, (verbs.reading, verbs.changing, verbs.things))
        self._orders, self._nouns, self._ends, self._beside, self._undoing = map(frozenset, verbs[3:8])
        self._shown, self._thinking = map(frozenset, verbs[8:])
        self._of_name = remembered(self._read)
        self._of_message = lru_cache(maxsize=16)(self._told)  # several auditors ask after the same one

    def verbs(self, name: str) -> tuple[str, ...]:
        """The words of a tool's name that are verbs by which something is changed."""
        return self._named(name).verbs

    def of(self, name: str, arguments: Callable[[], Mapping[str, Any]]) -> Nature:
        """The nature of a call; `arguments` is asked only where the name alone does not say it all."""
        named = self.by_name(name)
        if named == "change":
            return named
        given = arguments()
        return self._stated(given) or (self._acted(given) if named == "unknown" else named)

    def shows(self, name: str, arguments: Mapping[str, Any], value: Any, text: str) -> bool:
        """Whether a tool that is called by a noun has only shown it: what it answered is the very thing that it was given.

        `customer(no="40-1")` and `{"no": "40-1", "name": …}`, or "Customer 40-1 | Ann | …"; `catalog_parts(category="C-2")`
        and `{"parts": […]}`.
        """
        words = [word.lower() for word in WORD.findall(name.rpartition("__")[2].rpartition(".")[2])]
        if not words or any(not isinstance(one, (str, int)) or isinstance(one, bool) for one in arguments.values()):
            return False
        if len(words) > 1:
            if isinstance(value, list) and PLURAL.fullmatch(words[-1]) and words[0] not in MANY:
                return all(isinstance(one, dict) for one in value)  # `strava_activities`
            held = value.get(words[-1]) if isinstance(value, dict) and words[-1].endswith("s") else None
            return isinstance(held, (list, dict)) and len(value) == 1
        keys = {one for key, one in arguments.items() if key.lower() in KEYS or key.lower().startswith(words[0])}
        if len(arguments) == len(keys) == 1 and value is None:
            head = text[:HEAD]
            return any(str(one) in head for one in keys) and text.count("|") >= FEWEST and DONE.search(head) is None
        return (
            len(arguments) == len(keys) == 1
            and isinstance(value, dict)
            and len(value) > FEWEST
            and any(isinstance(one, (str, int)) and one in keys for one in value.values())
            and not any(isinstance(one, str) and DONE.fullmatch(one) for one in value.values())
            and not any(DONE.fullmatch(key) for key in value)
        )

    def by_name(self, name: str) -> Nature:
        """What a name says by itself, a server's prefix aside."""
        return self._named(name).nature

    def verb(self, name: str) -> str:
        """The word by which a name tells that it changes something; empty where none does."""
        return self._named(name).verb

    def has_look(self, name: str) -> bool:
        """Whether a tool's name has a verb by which it looks, and not only a noun: `get_order_status`, not `order_status`."""
        words = [word.lower() for word in WORD.findall(name)]
        return any(self.looks(word) and word not in self._nouns for word in words)

    def things(self, name: str) -> list[str]:
        """The words of a tool's name but for those by which it looks or changes something."""
        words = map(str.lower, WORD.findall(name))
        return [word for word in words if word not in self._reading and word not in self._changing]

    def undoes(self, name: str) -> bool:
        """Whether a tool of that name leaves a thing gone, off or refused: what it answers by "false" is as it was wanted."""
        return self._named(name).undoes

    def thinks(self, name: str) -> bool:
        """Whether a tool of that name is a model's notes to itself: what it is given and answers tells nothing of the world."""
        return self._named(name).thinks

    def looks(self, word: str) -> bool:
        """Whether a word of a name says that something is looked at."""
        return word in self._reading

    def _named(self, name: str) -> Name:
        """A name as read, once: what tools are called is the same turn for turn."""
        return self._of_name(name)

    def _read(self, name: str) -> Name:
        space, _, own = name.rpartition("__")[2].rpartition(".")
        words = [word.lower() for word in WORD.findall(own)]
        things = [word.lower() for word in WORD.findall(space)[-1:]]
        if " ".join(words) in self._thinking:
            return Name("read", "", (), undoes=False, thinks=True)
        if words == ["open"]:  # `cases.open`
            words += [word.removesuffix("s") for word in things]
        pair = " ".join((*things, *words[:1]))
        if pair in self._changing or pair in self._reading:  # `repo.fetch`, `fees.schedule`
            words = [*things, *words]
        verbs = list(self._verbs(words))
        changing = [words[at] for at, kind in verbs if kind == "change"]
        verb = next((word for word in changing if word not in self._things), changing[0] if changing else "")
        every = tuple(word.lower() for word in WORD.findall(name) if word.lower() in self._changing)
        undoes = not self._undoing.isdisjoint([*words, *map(" ".join, pairwise(words))])
        if things and not verbs and PLURAL.fullmatch(own) and self._changing.isdisjoint(things):
            return Name("read", verb, every, undoes)  # `bank.accounts` lists them, `message.parents` does not
        return Name(self._nature(words, verbs), verb, every, undoes)

    def _nature(self, words: Sequence[str], verbs: Sequence[tuple[int, Nature]]) -> Nature:
        """What the words of a name say, with the places of the verbs among them."""
        if not verbs:
            shows = len(words) > 1 and words[-1] in self._shown and self._things.isdisjoint(words[:-1])
            shows = shows and words[0] not in MANY
            shows = shows or "by" in words[1:-1] or words[1:] == ["me"]  # `patron_by_card`, `learner_me`
            return "read" if shows or (words and words[-1] in self._nouns) else "unknown"
        first, nature = verbs[0]
        later = verbs[1:]
        changes = [at for at, kind in later if kind == "change"]
        if nature == "read":
            joined = any(not JOINED.isdisjoint(words[first:at]) for at in changes)
            last = words[first] in self._things and any(words[at:] == words[-1:] for at in changes)
            beside = words[first] in self._things and not PUTS.isdisjoint(words[first + 1 : -1][:1])  # `list_add_item`
            return "unknown" if joined or beside or (last and words[-1] not in self._things) else "read"
        # `order_details` shows them, `confirm_details` does something
        named = first > 0 or words[first] in self._things
        if words[-1] in self._nouns and words[first] not in SETTERS and named:
            return "read"
        if words[first] not in self._things:
            return "change"
        behind = [kind for at, kind in later if kind == "read" or words[at] not in self._things]
        last = first == len(words) - 1  # `tax_return` names a thing, `hotel_book_room` books one
        if last and words[first] in self._ends and not self._beside.intersection(words):
            return "change"
        return behind[0] if behind else "unknown" if first and last else "change"

    def asked(self, text: str) -> Nature:
        """What a message tells somebody to do at the beginning of a sentence: "File a claim", "please show me my orders".

        What people say and no tool is called by ("bump", "shut down") are the policy's `orders`.
        """
        return self._of_message(text) if len(text) <= LONGEST else self._told(text)

    def asks(self, text: str) -> bool:
        """Whether a message asks, with a question mark or without, and tells nobody to change anything."""
        return "?" in text or (ASKS.match(text) is not None and self.asked(text) != "change")

    def _told(self, text: str) -> Nature:
        nature: Nature = "unknown"
        asked = (-1, False)  # where a sentence begins, and whether it is a question: it may hold a thousand orders
        for found in ORDER.finditer(text):
            word, after = found[1].lower(), found[2].lower()
            begun = max(text.rfind(end, 0, found.start(1)) for end in ".!?\n") + 1
            if begun != asked[0]:
                asked = (begun, QUESTION.match(text, begun) is not None)
            if after in FOREIGN or asked[1]:
                continue
            # "tag Mia Holm" and "Invite Mia to the team" are orders, "Tag Manager" is none
            called = found[2][:1].isupper() and (found[1].islower() or AIMED.match(text, found.end()) is not None)
            told = text.endswith(AHEAD, 0, found.start(1))
            named = word in self._things and after not in OBJECTS and not after.isdigit() and not (called or told)
            two = f"{word} {after}"
            three = f"{two} {third[1].lower()}" if (third := THIRD.match(text, found.end(2))) else two
            if (word in self._changing and not named) or not self._orders.isdisjoint((word, two, three)):
                return "change"
            if word in GIVES and after not in MINE:
                return "change"
            if (word in self._reading and not named) or word in GIVES:
                nature = "read"
        return nature

    def _verbs(self, words: Sequence[str]) -> Iterator[tuple[int, Nature]]:
        """The places of the verbs in a name's words, and what each says; of two entries at one place the longer."""
        taken = -1
        unspaced = {at: word for at, word in enumerate(words) if UNSPACED.match(word)}
        joined = self._unspaced("".join(unspaced.values())) if unspaced else None
        last = max(unspaced, default=-1)
        for at, word in enumerate(words):
            if at in unspaced:
                if joined is not None and at == last:
                    yield at, joined
                continue
            pair = " ".join(words[at : at + 2])
            for entry in (pair, word) if at > taken else ():
                if entry in self._changing or entry in self._reading:
                    taken = at + entry.count(" ")
                    yield at, "change" if entry in self._changing else "read"
                    break

    def _unspaced(self, word: str) -> Nature | None:
        """What words say that hold a verb and its object: a look by their end (`予約_検索`) or their beginning (`查询订单`).

        Nobody knows which counts where one of change stands in them too: `查询预约` looks, `検索条件_登録` does not.
        """
        lengths = range(min(len(word), LONGEST_VERB), 0, -1)
        looks = any(word[-one:] in self._reading or word[:one] in self._reading for one in lengths)
        changes = any(word[at : at + one] in self._changing for one in lengths for at in range(len(word) - one + 1))
        if looks or not changes:
            return "read" if looks and not changes else None
        shown = any(word[-one:] in self._nouns or word[:one] in self._nouns for one in lengths)
        return None if shown else "change"

    def _stated(self, given: Mapping[str, Any]) -> Nature | None:
        """What a statement of a database, or a method of HTTP, says."""
        for key in STATEMENTS:
            text = given.get(key)
            if isinstance(text, str) and WRITES.search(text[:LONGEST]):
                return "change"
            if isinstance(text, str) and LOOKS.match(text[:LONGEST]):
                return "read"
        method = next((given[key] for key in METHODS if isinstance(given.get(key), str)), "")
        if method.upper() in ("POST", "PUT", "PATCH", "DELETE"):
            return "change"
        return "read" if method.upper() in ("GET", "HEAD", "OPTIONS") else None

    def _acted(self, given: Mapping[str, Any]) -> Nature:
        """What a tool that does several things was told to do."""
        for key in ACTIONS:
            action = given.get(key)
            if isinstance(action, str) and len(action) <= 40 and (nature := self.by_name(action)) != "unknown":
                return nature
        return "unknown"
