"""What a request cannot carry, by tenant: texts kept for a while, and which stored ids (files, responses) are whose."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import re
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, Protocol, TypeVar

from cachetools import TLRUCache

from proxy.errors import StoreError

log = logging.getLogger("groundwire")

T = TypeVar("T")

NAMED = re.compile(rb'"id"\s*:\s*"([^"\\]{1,200})"')


MEMORY = 64 << 20
"""Bytes that one process keeps; the longest unused go first."""

COUNTS = 100_000
"""Things that one process counts."""

CONNECTIONS = 50
"""Connections of one process to a shared store; who finds them all in use waits for one."""

ANSWER_WITHIN = 1.0
"""Seconds that a shared store has for each step: a connection that is free, one that is made, an answer."""

PAUSE = 5.0
"""Seconds for which a shared store that was silent is not asked again: each request would wait for it anew."""

AT_ONCE = 1_000
"""Keys that a shared store is asked for in one command."""

OWNED = "owned"
"""The kind of thing that an id's being somebody's is in the store."""

OWNED_FOR = 30 * 86_400.0
"""Seconds that it is known whose an id is."""


class Store(Protocol):
    """Bytes kept for a while, each under a tenant's scope, a kind of thing and a key. Raises StoreError.

    `errors` is how often it has not answered.
    """

    errors: int

    @property
    def shared(self) -> bool:
        """Whether several workers and replicas see the same."""

    async def get(self, scope: str, kind: str, key: str) -> bytes | None: ...

    async def get_many(self, scope: str, kind: str, keys: Sequence[str]) -> list[bytes | None]:
        """What is kept under each of the keys, in one go."""

    async def put(self, scope: str, kind: str, key: str, value: bytes, seconds: float) -> bytes:
        """Keep a value unless there is one already; returns the one that is kept: the first wins."""

    async def count(self, scope: str, kind: str, key: str, seconds: float) -> int:
        """Count one more of something, and say how many that makes; so long after the first it begins anew."""

    async def aclose(self) -> None: ...


class Memory:
    """A store in this process."""

    shared = False

    def __init__(self) -> None:
        self.errors = 0
        self._kept: TLRUCache[tuple[str, str, str], tuple[bytes, float]] = TLRUCache(
            MEMORY,
            ttu=lambda _, kept, now: now + kept[1],
            timer=time.monotonic,
            getsizeof=lambda kept: len(kept[0]) + 256,
        )
        self._counts: TLRUCache[tuple[str, str, str], tuple[int, float]] = TLRUCache(
            COUNTS, ttu=lambda _, counted, __: counted[1], timer=time.monotonic
        )

    async def get(self, scope: str, kind: str, key: str) -> bytes | None:
        kept = self._kept.get((scope, kind, key))
        return None if kept is None else kept[0]

    async def get_many(self, scope: str, kind: str, keys: Sequence[str]) -> list[bytes | None]:
        return [await self.get(scope, kind, key) for key in keys]

    async def put(self, scope: str, kind: str, key: str, value: bytes, seconds: float) -> bytes:
        kept = self._kept.get((scope, kind, key))
        if kept is None and len(value) + 256 <= MEMORY:
            self._kept[scope, kind, key] = (value, seconds)
        return value if kept is None else kept[0]

    async def count(self, scope: str, kind: str, key: str, seconds: float) -> int:
        number, end = self._counts.get((scope, kind, key)) or (0, time.monotonic() + seconds)
        self._counts[scope, kind, key] = (number + 1, end)
        return number + 1

    async def aclose(self) -> None:
        self._kept.clear()


class Redis:
    """A store that workers and replicas share: Redis or Valkey at a URL, whose password is said to nobody."""

    shared = True

    def __init__(self, url: str) -> None:
        from redis.asyncio import BlockingConnectionPool
        from redis.asyncio import Redis as Client

        pool = BlockingConnectionPool.from_url(
            url,
            max_connections=CONNECTIONS,
            timeout=ANSWER_WITHIN,
            socket_timeout=ANSWER_WITHIN,
            socket_connect_timeout=ANSWER_WITHIN,
        )
        self._client = Client.from_pool(pool)
        self._silent_until = 0.0
        self.errors = 0

    @staticmethod
    def _name(scope: str, kind: str, key: str) -> str:
        named = f"{scope}\0{key}".encode("utf-8", "surrogatepass")  # a client's id may hold half an emoji
        return f"groundwire:{kind}:" + hashlib.sha256(named).hexdigest()

    async def get(self, scope: str, kind: str, key: str) -> bytes | None:
        (found,) = await self.get_many(scope, kind, [key])
        return found

    async def get_many(self, scope: str, kind: str, keys: Sequence[str]) -> list[bytes | None]:
        names = [self._name(scope, kind, key) for key in keys]
        found: list[bytes | None] = []
        for start in range(0, len(names), AT_ONCE):
            answer = await self._answered(partial(self._client.mget, names[start : start + AT_ONCE]))
            found += [one if isinstance(one, bytes) else None for one in answer]
        return found

    async def put(self, scope: str, kind: str, key: str, value: bytes, seconds: float) -> bytes:
        name = self._name(scope, kind, key)
        if await self._answered(partial(self._client.set, name, value, nx=True, px=int(seconds * 1_000))):
            return value
        found = await self._answered(partial(self._client.get, name))
        return found if isinstance(found, bytes) else value

    async def count(self, scope: str, kind: str, key: str, seconds: float) -> int:
        name = self._name(scope, kind, key)
        both = self._client.pipeline()
        both.set(name, 0, nx=True, px=int(seconds * 1_000))
        both.incr(name)
        _, number = await self._answered(both.execute)
        return int(number)

    async def aclose(self) -> None:
        await self._client.aclose()

    async def _answered(self, ask: Callable[[], Awaitable[T]]) -> T:
        from redis.exceptions import RedisError
        from redis.exceptions import TimeoutError as TimedOut

        if time.monotonic() < self._silent_until:
            self.errors += 1
            raise StoreError("the store did not answer: it was silent a moment ago")
        try:
            return await ask()
        except (RedisError, OSError) as error:
            self.errors += 1
            if isinstance(error, (TimedOut, TimeoutError)):
                self._silent_until = time.monotonic() + PAUSE
            raise StoreError(f"the store did not answer: {type(error).__name__}") from None


class Owned:
    """The ids that answers to a tenant's own requests have named. An id that is not here is not known to be anybody's."""

    def __init__(self, store: Store) -> None:
        self._store = store if store.shared else Memory()  # its own: the texts that are kept would crowd ids out

    async def note(self, scope: str, answer: bytes) -> bool:
        """Remember the id of what an answer says was made: the first one that its bytes name. Whether there is one."""
        found = NAMED.search(answer)
        if found is not None:
            await self.add(scope, [found[1].decode("utf-8", "replace")])
        return found is not None

    async def add(self, scope: str, identifiers: Iterable[str]) -> None:
        """Remember ids that a tenant was given. Where the store is down, they are nobody's."""
        try:
            await asyncio.gather(*(self._store.put(scope, OWNED, one, b"", OWNED_FOR) for one in identifiers))
        except StoreError as error:
            log.warning("it is not kept whose an id is: %s", error)

    async def strange(self, scope: str, identifiers: Iterable[str]) -> list[str]:
        """Those of some ids that are not known to be the tenant's. Raises StoreError."""
        asked = list(dict.fromkeys(identifiers))
        known = await self._store.get_many(scope, OWNED, asked)
        return [one for one, kept in zip(asked, known, strict=True) if kept is None]


NOT_STORED = frozenset({"tool_use_id", "tool_call_id", "call_id", "custom_id", "user_id"})
"""Keys whose ids are the client's own, or stand in the same request."""

CALLS = frozenset({"tool_use", "server_tool_use", "mcp_tool_use"})
"""Blocks of a message's `content` under whose `input` a tool's own arguments stand, which are nobody's but the tool's."""

RAN = frozenset(
    {"file_search_call", "code_interpreter_call", "web_search_call", "computer_call", "image_generation_call"}
)
"""Items of an `input` that tell of a call which the provider ran, to be read again."""

FOUND = frozenset({"results", "outputs", "container_id"})
"""Keys of such an item under which stands what the call found, and where it ran: nothing is fetched by these."""

TOLD = frozenset({"annotations", "metadata"})
"""Keys under which ids stand that nothing is fetched by: what an answer cited, what the client notes for itself."""


def ids_in(value: Any, only: frozenset[str] = frozenset()) -> Iterator[str]:
    """The stored ids that a request's JSON refers to: strings under keys such as `input_file_id`, or under those named.

    A call that the provider ran names what it found, where such a call belongs: in a list of items.
    """
    inside = [
        ("", value)
    ]  # what is still to be walked through, however deep it stands, and the key of the list it is in
    while inside:
        among, value = inside.pop()
        if isinstance(value, list):
            inside += ((among, one) for one in value)
        if not isinstance(value, dict):
            continue
        kind = value.get("type")
        told = _told(kind, among) if isinstance(kind, str) else TOLD
        for key, inner in value.items():
            if key in told or (key == "skill_id" and kind == "anthropic"):
                continue  # the provider's own skills are for everybody
            if key in only if only else names_ids(key):
                held = [inner.get("id")] if isinstance(inner, dict) else inner if isinstance(inner, list) else [inner]
                yield from (one for one in held if isinstance(one, str))
            inside.append((key if isinstance(inner, list) else "", inner))


def _told(kind: str, among: str) -> frozenset[str]:
    """The keys of an object of a type, a member of the list under a key, of which nothing is fetched."""
    if among == "content" and kind in CALLS:
        return TOLD | {"input"}
    return TOLD | FOUND if among in ("input", "items") and kind in RAN else TOLD


def names_ids(key: str) -> bool:
    """Whether what stands under a key, or in a form's field of that name, is an id of something stored."""
    return key in ("conversation", "container", "audio") or (key.endswith(("_id", "_ids")) and key not in NOT_STORED)
