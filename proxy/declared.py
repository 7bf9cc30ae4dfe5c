"""The tools that a request declares: which of them some words may mean, and what is said to happen by itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain

from proxy.ledger import Turn
from proxy.natures import Natures
from proxy.patterns import expression
from proxy.roots import Named, Vocabulary, name_tokens, similar, tokens

SMALL = tokens("the a an to of for in on at with by from and or is be new all it this that your you my")
"""Words that any description has."""
READ = 200
"""Code points of a description in which words are looked for."""
KEPT = 4_000
"""Code points of a description, and of all names that a request declares, of which is remembered what they say."""


class Declared:
    """The tools that a request declares, found by how their verbs and things begin."""

    def __init__(self, names: tuple[str, ...], words: Vocabulary, natures: Natures) -> None:
        self._tools = [words.read(name, natures.verb(name)) for name in names]
        self._by_head: dict[str, list[int]] = {}
        for place, one in enumerate(self._tools):
            for word in (one.verb, *one.things):
                self._by_head.setdefault(word[:3], []).append(place)

    def like(self, words: Iterable[str]) -> list[Named]:
        """The tools that may be meant by one of some words, as they were declared."""
        heads = {one[:3] for one in words}
        return [self._tools[place] for place in sorted({at for head in heads for at in self._by_head.get(head, ())})]


_kept_tools = lru_cache(maxsize=64)(Declared)


def declared(turn: Turn, words: Vocabulary) -> Declared:
    """The tools of a turn; a client declares the same ones turn for turn."""
    names = turn.tool_names()
    return (_kept_tools if sum(map(len, names)) <= KEPT else Declared)(names, words, turn.marks.natures)


def names_change(turn: Turn, text: str, verb: str) -> bool:
    """Whether a text has, beside a verb, a word of the name of a declared tool that changes something."""
    said = [one for one in tokens(text[:KEPT]) if not one.startswith(verb)]
    changing = (name for name in turn.tool_names() if turn.nature_of(name) == "change")
    return any(similar(one, said) for name in changing for one in name_tokens(name))


def may_do(turn: Turn, told: Iterable[str]) -> bool:
    """Whether some words have one of the name or the description of a tool that may change something.

    It is one that the request declares, or that an earlier turn called; where none may, any words do.
    """
    said = tokens(" ".join(told)[:KEPT])
    tools = [tool for tool in turn.tools if turn.nature_of(tool.name) != "read"]
    names = {tool.name for tool in tools} | {call.name for call in turn.possible_changes(turn.earlier())}
    own = chain(map(name_tokens, names), (_described(tool.description[:READ]) for tool in tools))
    return not tools or any(similar(one, said) for words in own for one in words - SMALL)


_described = lru_cache(maxsize=1_024)(tokens)  # the tools of a client are described alike turn for turn


def by_itself(turn: Turn, words: Iterable[str], automatic: str) -> bool:
    """Whether a system text, or a tool's description, says that something of the kind happens by itself."""
    texts = [one.text for one in turn.before if one.role == "system"]
    texts += [tool.description for tool in turn.tools]
    said = [own for text in texts for own in (_kept if len(text) <= KEPT else _automatic)(text, automatic)]
    return any(similar(word, own) for own in said for word in words)


def _automatic(text: str, wanted: str) -> list[frozenset[str]]:
    """The words of the sentences of a text by which something happens by itself."""
    return [tokens(sentence) for sentence in _sentences(text, wanted)]


_kept = lru_cache(maxsize=1_024)(_automatic)  # the tools of a client are described alike turn for turn


def _sentences(text: str, wanted: str) -> Iterator[str]:
    for found in expression(wanted).finditer(text) if wanted else ():
        start = max(text.rfind(".", 0, found.start()), text.rfind("\n", 0, found.start())) + 1
        ends = [at for at in (text.find(".", found.end()), text.find("\n", found.end())) if at >= 0]
        yield text[start : min(ends, default=len(text))]
