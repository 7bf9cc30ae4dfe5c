"""What is remembered of names: those of fields and tools come again and again, and clients choose them, so all is bounded."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import lru_cache, wraps
from typing import TypeVar

T = TypeVar("T")

MOST = 4_096
"""Names that are remembered."""
LONGEST = 100
"""Code points of a name that is: a longer one is no name, and is read each time."""


def remembered(read: Callable[[str], T]) -> Callable[[str], T]:
    """A function of a name, whose results are kept; only for one that always says the same of a name."""
    kept = lru_cache(maxsize=MOST)(read)

    @wraps(read)
    def of(name: str) -> T:
        return kept(name) if len(name) <= LONGEST else read(name)

    return of


def remembered_with(read: Callable[[str, str], T]) -> Callable[[str, str], T]:
    """The same for a function of a name and a word of it."""
    kept: Callable[[Hashable, Hashable], T] = lru_cache(maxsize=MOST)(read)
    return lambda name, word: kept(name, word) if len(name) <= LONGEST else read(name, word)
