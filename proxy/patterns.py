"""Compile expressions: operators' with RE2, so that no text, however hostile, can stall them; auditors' options once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import re2

HALVES = re.compile("[\ud800-\udfff]")
"""Half surrogates: providers really send them, and RE2 reads UTF-8, which has none."""


@lru_cache(maxsize=4_096)
def expression(text: str) -> re.Pattern[str]:
    """An option of an auditor, compiled once: `re` by itself forgets all but the last 512 expressions that were used."""
    return re.compile(text)


@lru_cache(maxsize=512)
def either(texts: tuple[str, ...]) -> re.Pattern[str]:
    """Expressions of which one must be found, as one, whatever the case; a list of them can be read line by line."""
    return re.compile("|".join(texts), re.IGNORECASE)


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
