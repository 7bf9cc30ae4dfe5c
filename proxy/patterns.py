"""Compile expressions: operators' with RE2, so that no text, however hostile, can stall them; auditors' options once."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

import re2

HALVES = re.compile("[\ud800-\udfff]")
"""Half surrogates: providers really send them, and RE2 reads UTF-8, which has none."""
OTHER = re.compile(r"[^\x00-\x7f]")
TURKISH = re.compile("[ıİ]")
"""Letters that are an "i" for `re` where the case does not count, and for RE2 are none."""
SHORT, LONG = 40, 40_000
"""Code points of a text that `re` has read before RE2 has begun, and of one that is too long to be kept."""
MEMORY = 1 << 20
"""Bytes that RE2 may keep of what it has learnt of one expression; there are hundreds."""
REMEMBERED, NAMED = 4_096, 100
"""Names of which is remembered what was found in them, and the code points that one may have for that."""
PIECE = re.compile(
    r"\(\?P=\w+\)|\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\(\?<?[=!]|\{(?:,\d|\d*,(?:\d\d+)?)\}|[()$]|[^\\\[(){$]+|.", re.S
)
"""A piece of an expression that means the same to all that stands beside it."""
WHOLE = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]", re.S)
"""What stands in an expression for one letter of a text, and may look like more."""
NESTED = re.compile(r"\([^()]*(?<![+*?}])[+*]\??(?:\|[^()]*)?\)[+*](?!\+)")
CLASS = re.compile(r"\\[wWsSdD]")
BLANKS = r"\s\v\x1c-\x1f"
"""The blanks of ASCII, as `re` counts them."""

NEVER = "(?!)"
"""An expression that finds nothing, for options that were left out."""


@lru_cache(maxsize=4_096)
def expression(text: str) -> Expression:
    """An option of an auditor, compiled once: `re` by itself forgets all but the last 512 expressions that were used."""
    return Expression(text)


@lru_cache(maxsize=512)
def either(texts: tuple[str, ...]) -> Expression:
    """Expressions of which one must be found, as one, whatever the case; a list of them can be read line by line."""
    return Expression(f"(?i){'|'.join(texts)}")


def may_stall(text: str) -> bool:
    """Whether an expression repeats a group that ends in a repetition, as `(a+)+` does: some texts take `re` for ever."""
    return NESTED.search(WHOLE.sub("x", text)) is not None


class Expression:
    """An expression of `re`, which looks only from where RE2 sees that it may find something.

    `re` tries each word of a long list at each place of a text; RE2 reads the text once, whatever the list. But it knows no
    looking ahead or back, and other letters than `re` does. So it is given an expression that finds at least as much.
    """

    __slots__ = ("_seen", "_text", "findall", "fullmatch", "match", "re")

    def __init__(self, text: str) -> None:
        self.re = re.compile(text)
        self.match, self.fullmatch, self.findall = self.re.match, self.re.fullmatch, self.re.findall
        self._text = text
        self._seen: dict[bool, Callable[[bytes], Any] | None] = {}

    def search(self, text: str) -> re.Match[str] | None:
        start = self._start(text)
        return None if start < 0 else self.re.search(text, start)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        start = self._start(text)
        return iter(()) if start < 0 else self.re.finditer(text, start)

    def sub(self, by: str, text: str) -> str:
        return text if self._start(text) < 0 else self.re.sub(by, text)

    def _start(self, text: str) -> int:
        """The place before which nothing is found; less than zero where nothing is found at all."""
        if len(text) < SHORT:
            return 0
        data, plain = _kept(text) if len(text) <= LONG else _read(text)
        if plain not in self._seen:
            self._seen[plain] = _compiled(self._text, plain)
        search = self._seen[plain]
        if search is None or data is None:
            return 0
        found = search(data)
        if found is None:
            return -1
        at: int = found.start()
        return at if len(data) == len(text) else len(data[:at].decode())


def _compiled(text: str, plain: bool) -> Callable[[bytes], Any] | None:
    """What finds a place of an expression in the bytes of a text; None where RE2 cannot read it."""
    options = re2.Options()
    options.log_errors, options.never_capture, options.max_mem = False, True, MEMORY
    if TURKISH.search(text):
        return None
    try:
        search: Callable[[bytes], Any] = re2.compile(_relaxed(text, plain), options).search
    except re2.error:
        return None
    return search


def _relaxed(text: str, plain: bool) -> str:
    """An expression for RE2 that finds wherever one of `re` does, in texts that are `plain` or in any.

    Without what it looks ahead or back for or has found before, and without counting far, which RE2 does slowly.
    """
    parts, depth = [], 0
    for piece in PIECE.findall(text):
        if depth:
            depth += piece.count("(") - piece.count(")") if piece[0] in "()" else 0
        elif piece in ("(?=", "(?!", "(?<=", "(?<!"):
            depth = 1
            parts.append("(?:)")
        elif piece.startswith("(?P=") or (piece[0] == "\\" and piece[1].isdigit()):
            parts.append("(?s:.)*")
        elif piece[0] == "{" and len(piece) > 1:
            parts.append("*")
        elif not plain and CLASS.search(piece):
            parts.append("(?s:.)")
        elif not plain and piece in (r"\b", r"\B"):
            parts.append("(?:)")
        elif piece[0] == "[" and piece[1] != "^":
            parts.append(piece.replace(r"\s", BLANKS))
        else:
            parts.append({"$": "(?m:$)", r"\Z": r"\z", r"\s": f"[{BLANKS}]"}.get(piece, piece))
    return "".join(parts)


@lru_cache(maxsize=32)
def _kept(text: str) -> tuple[bytes | None, bool]:
    return _read(text)


def _read(text: str) -> tuple[bytes | None, bool]:
    """A text's bytes, None where RE2 cannot read them, and whether it is `plain`: all its letters and blanks are ASCII's."""
    if text.isascii():
        return text.encode(), True
    if TURKISH.search(text):
        return None, False
    try:
        return text.encode(), not any(one.isalnum() or one.isspace() for one in OTHER.findall(text))
    except UnicodeEncodeError:
        return None, False


class Names:
    """In which names an expression finds something, each looked at once: fields are called the same in every result."""

    __slots__ = ("_found", "_search")

    def __init__(self, text: str) -> None:
        self._search = re.compile(text).search
        self._found: dict[str, bool] = {}

    def search(self, name: str) -> bool:
        found = self._found.get(name)
        if found is None:
            found = self._search(name) is not None
            if len(name) <= NAMED:
                if len(self._found) >= REMEMBERED:  # names come from clients: what is remembered of them is bounded
                    self._found.clear()
                self._found[name] = found
        return found


class Pattern:
    """One RE2 expression over text. Spans are code points. Raises ValueError for what RE2 refuses.

    RE2's `\\w`, `\\d` and `\\b` are ASCII; `\\pL` is a letter of any script.
    """

    __slots__ = ("_search", "expression", "groups")

    def __init__(self, expression: str) -> None:
        options = re2.Options()
        options.log_errors = False
        try:
            compiled = re2.compile(expression, options)
        except (re2.error, UnicodeEncodeError) as error:
            raise ValueError(f"RE2 refuses the expression {expression!r}: {_words(error)}") from None
        self.expression = expression
        self.groups: dict[str, int] = dict(compiled.groupindex)
        """The number of each named group; a match's `span` takes numbers only."""
        self._search = compiled

    def search(self, text: str) -> Any:
        """The first match as `re` would give it, or None."""
        try:
            return self._search.search(text)
        except UnicodeEncodeError:
            return self._search.search(HALVES.sub("\ufffd", text))

    def fullmatch(self, text: str) -> Any:
        try:
            return self._search.fullmatch(text)
        except UnicodeEncodeError:
            return self._search.fullmatch(HALVES.sub("\ufffd", text))

    def finditer(self, text: str) -> Iterator[Any]:
        """Every match, left to right."""
        if HALVES.search(text):
            text = HALVES.sub("\ufffd", text)
        return iter(self._search.finditer(text))


def _words(error: Exception) -> str:
    cause = error.args[0] if error.args else error
    return cause.decode("utf-8", "replace") if isinstance(cause, bytes) else str(cause)
