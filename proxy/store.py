"""What a request cannot carry, by tenant: so far, which stored ids (files, responses, batches) are whose."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from cachetools import LRUCache

IDS = 100_000
"""Ids remembered in one process; the longest unused go first, and are then nobody's."""

NAMED = re.compile(rb'"id"\s*:\s*"([^"\\]{1,200})"')


class Owned:
    """The ids that answers to a tenant's own requests have named. An id that is not here is not known to be anybody's."""

    def __init__(self) -> None:
        self._ids: LRUCache[tuple[str, str], bool] = LRUCache(IDS)

    def note(self, scope: str, answer: bytes) -> None:
        """Remember the id of what an answer says was made: the first one that its bytes name."""
        if found := NAMED.search(answer):
            self._ids[scope, found[1].decode("utf-8", "replace")] = True

    def has(self, scope: str, identifier: str) -> bool:
        return self._ids.get((scope, identifier), False)


def ids_in(value: Any, depth: int = 8) -> Iterator[str]:
    """The stored ids that a request's JSON refers to: strings under keys such as `input_file_id` and `file_ids`."""
    if isinstance(value, dict) and depth:
        for key, inner in value.items():
            if key in ("conversation", "vector_store_ids") or key.endswith(("_id", "_ids")):
                yield from (one for one in (inner if isinstance(inner, list) else [inner]) if isinstance(one, str))
            yield from ids_in(inner, depth - 1)
    elif isinstance(value, list) and depth:
        for inner in value:
            yield from ids_in(inner, depth - 1)
