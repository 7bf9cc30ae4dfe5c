"""What is remembered of names: those of fields and tools come again and again, and clients choose them, so all is bounded."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Concatenate, ParamSpec, TypeVar, cast

P = ParamSpec("P")
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


def remembered_with(read: Callable[Concatenate[str, P], T]) -> Callable[Concatenate[str, P], T]:
    """The same for a function of a name and more, all of it hashable."""
    kept = cast("Callable[Concatenate[str, P], T]", lru_cache(maxsize=MOST)(read))

    @wraps(read)
    def of(name: str, /, *rest: P.args, **more: P.kwargs) -> T:
        return kept(name, *rest, **more) if len(name) <= LONGEST else read(name, *rest, **more)

    return of
