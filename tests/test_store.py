"""What a request cannot carry: kept once, by tenant, for a while; in this process and in a real Redis."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress

import pytest

from proxy.errors import StoreError
from proxy.store import AT_ONCE, CONNECTIONS, MEMORY, Memory, Owned, Redis, Store, ids_in
from tests.servers import REDIS, needs

SHARED = f"redis://{REDIS[0]}:{REDIS[1]}/0"


@pytest.fixture(params=["memory", "redis"])
async def store(request: pytest.FixtureRequest) -> AsyncIterator[Store]:
    if request.param == "redis":
        needs(REDIS)
    kept: Store = Memory() if request.param == "memory" else Redis(SHARED)
    yield kept
    await kept.aclose()


async def test_the_first_wins_and_each_tenant_has_its_own(store: Store) -> None:
    key = secrets.token_hex(8)
    assert await store.get("acme", "inject", key) is None
    assert await store.put("acme", "inject", key, b"one", 60) == b"one"
    assert await store.put("acme", "inject", key, b"two", 60) == b"one"
    assert await store.get("acme", "inject", key) == b"one"
    assert await store.get("zeta", "inject", key) is None
    assert await store.get("acme", "other", key) is None
    assert await store.put("acme", "inject", key + "x", b"", 60) == b""
    assert await store.get("acme", "inject", key + "x") == b""


async def test_it_is_kept_for_a_while(store: Store) -> None:
    key = secrets.token_hex(8)
    await store.put("acme", "inject", key, b"one", 0.05)
    await asyncio.sleep(0.1)
    assert await store.get("acme", "inject", key) is None


async def test_many_are_asked_for_in_one_go(store: Store) -> None:
    key = secrets.token_hex(8)
    for number in (0, AT_ONCE):
        await store.put("acme", "inject", f"{key} {number}", b"%d" % number, 60)
    keys = [f"{key} {number}" for number in range(AT_ONCE + 1)]
    found = await store.get_many("acme", "inject", [*keys, keys[0]])
    assert (found[0], found[1], found[-2], found[-1], len(found)) == (b"0", None, b"1000", b"0", AT_ONCE + 2)
    assert await store.get_many("zeta", "inject", keys[:1]) == [None]
    assert await store.get_many("acme", "inject", []) == []


async def test_half_an_emoji_is_a_key_like_any_other(store: Store) -> None:
    key = secrets.token_hex(8) + "\ud83d"
    await store.put("acme", "inject", key, b"one", 60)
    assert await store.get("acme", "inject", key) == b"one"


async def test_what_is_counted_is_each_tenant_s_and_begins_anew(store: Store) -> None:
    key = secrets.token_hex(8)
    assert [await store.count("acme", "spent", key, 0.2) for _ in range(3)] == [1, 2, 3]
    assert await store.count("zeta", "spent", key, 60) == 1
    await asyncio.sleep(0.25)
    assert await store.count("acme", "spent", key, 60) == 1


class Trips(Memory):
    """A store that counts how often it is asked for something."""

    def __init__(self) -> None:
        super().__init__()
        self.trips = 0

    async def get(self, scope: str, kind: str, key: str) -> bytes | None:
        self.trips += 1
        return await super().get(scope, kind, key)

    async def get_many(self, scope: str, kind: str, keys: Sequence[str]) -> list[bytes | None]:
        self.trips += 1
        return [await super(Trips, self).get(scope, kind, key) for key in keys]


class Counting:
    """A server that speaks as much of Redis' protocol as is asked of it, and counts connections and commands."""

    def __init__(self) -> None:
        self.connections, self.commands = 0, list[bytes]()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        while head := await reader.readline():
            words = [await reader.readline() for _ in range(2 * int(head[1:]))][1::2]  # behind the length of each
            command, nothing = words[0].strip(), b"$-1\r\n"
            self.commands.append(command)
            answers = {b"GET": nothing, b"MGET": b"*%d\r\n" % (len(words) - 1) + nothing * (len(words) - 1)}
            writer.write(answers.get(command, b"+OK\r\n"))
        writer.close()


async def test_a_long_conversation_takes_one_connection_and_many_at_once_wait_for_one() -> None:
    counting = Counting()
    server = await asyncio.start_server(counting.serve, "127.0.0.1", 0, backlog=512)
    kept = Redis(f"redis://127.0.0.1:{server.sockets[0].getsockname()[1]}/0?protocol=2")
    keys = [str(number) for number in range(400)]
    assert await kept.get_many("acme", "retry", keys) == [None] * 400
    assert (counting.connections, counting.commands.count(b"MGET"), b"GET" in counting.commands) == (1, 1, False)
    await asyncio.gather(*(kept.put("acme", "retry", key, b"x", 60) for key in keys))
    assert (counting.connections, counting.commands.count(b"SET")) == (CONNECTIONS, 400)
    await kept.aclose()
    server.close()
    await asyncio.sleep(0.01)  # the connections' own tasks see that they are over


async def test_how_often_it_did_not_answer_is_counted() -> None:
    kept = Redis("redis://127.0.0.1:1/0")
    for asked in (kept.get("acme", "retry", "k"), kept.count("acme", "spent", "k", 60)):
        with pytest.raises(StoreError):
            await asked
    assert kept.errors == 2
    await kept.aclose()


async def test_what_is_too_large_is_not_kept() -> None:
    kept = Memory()
    assert await kept.put("acme", "inject", "k", b"x" * MEMORY, 60) == b"x" * MEMORY
    assert await kept.get("acme", "inject", "k") is None


async def test_a_store_that_is_down_says_so_and_keeps_its_password() -> None:
    kept = Redis("redis://:hunter2hunter2@127.0.0.1:9/0")
    for asked in (
        kept.get("acme", "inject", "k"),
        kept.get_many("acme", "inject", ["k"]),
        kept.put("acme", "inject", "k", b"x", 60),
        kept.count("acme", "spent", "k", 60),
    ):
        with pytest.raises(StoreError) as failure:
            await asked
        assert "hunter2" not in str(failure.value)
    await kept.aclose()


async def test_ids_are_their_makers_alone_on_every_worker_that_shares_a_store(store: Store) -> None:
    made, other = Owned(store), Owned(store)
    file = f"file-{secrets.token_hex(8)}"
    await made.note("acme", b'{"object": "file", "id": "%s"}' % file.encode())
    await made.add("acme", [f"{file}-2", f"{file}-\ud83d"])
    asked = [file, f"{file}-2", f"{file}-3", f"{file}-\ud83d", f"{file}-3"]
    assert await made.strange("acme", asked) == [f"{file}-3"]
    assert await made.strange("zeta", asked[:2]) == asked[:2]
    assert await other.strange("acme", [file]) == ([] if store.shared else [file])
    assert await store.get_many("acme", "owned", [file]) == ([b""] if store.shared else [None])


async def test_of_a_store_that_is_down_nobody_owns_anything() -> None:
    kept = Redis("redis://127.0.0.1:9/0")
    owned = Owned(kept)
    await owned.note("acme", b'{"id": "file-1"}')  # the answer leaves all the same
    with pytest.raises(StoreError):
        await owned.strange("acme", ["file-1"])
    await kept.aclose()


def test_the_ids_that_a_request_refers_to() -> None:
    document = {"previous_response_id": "r1", "input": [{"file_id": "f1"}], "vector_store_ids": ["v1", 3], "id": "no"}
    assert sorted(ids_in(document)) == ["f1", "r1", "v1"]


def test_a_stored_id_is_found_however_deep_it_stands() -> None:
    image = {"type": "image", "source": {"type": "file", "file_id": "deep"}}
    document = {"type": "document", "source": {"type": "content", "content": [image]}}
    result = {"type": "tool_result", "tool_use_id": "t", "content": [document]}
    assert list(ids_in({"messages": [{"role": "user", "content": [result]}]}, frozenset({"file_id"}))) == ["deep"]
    nested: list[object] = [image]
    for _ in range(5_000):
        nested = [nested]
    assert list(ids_in(nested, frozenset({"file_id"}))) == ["deep"]


FILE = {"type": "input_file", "file_id": "theirs"}


@pytest.mark.parametrize(
    ("document", "found"),
    [
        ({"input": [{"type": "file_search_call", "results": [{"file_id": "told"}]}]}, []),
        ({"items": [{"type": "code_interpreter_call", "container_id": "told", "outputs": [{"file_id": "told"}]}]}, []),
        ({"messages": [{"content": [{"type": "tool_use", "input": {"file_id": "the tool's"}}]}]}, []),
        ({"metadata": {"file_id": "a note"}}, []),
        ({"type": "file_search_call", "input": [FILE]}, ["theirs"]),
        ({"type": "a_call", "input_file_id": "theirs"}, ["theirs"]),
        ({"type": "tool_use", "input": [FILE]}, ["theirs"]),
        ({"input": [{"type": "a_call", "content": [FILE]}]}, ["theirs"]),
        ({"input": [{"type": "file_search_call", "content": [FILE]}]}, ["theirs"]),
        ({"input": {"type": "file_search_call", "results": [FILE]}}, ["theirs"]),
        ({"tools": [{"type": "file_search_call", "results": [FILE]}]}, ["theirs"]),
        ({"input": [{"type": "tool_use", "input": [FILE]}]}, ["theirs"]),
    ],
)
def test_only_a_call_in_its_place_tells_what_it_found(document: dict[str, object], found: list[str]) -> None:
    assert list(ids_in(document)) == found


async def test_a_store_that_is_silent_is_not_waited_for_again() -> None:
    async def silent(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(asyncio.CancelledError):
            await asyncio.sleep(60)
        writer.close()

    async with await asyncio.start_server(silent, "127.0.0.1", 0) as server:
        kept = Redis(f"redis://127.0.0.1:{server.sockets[0].getsockname()[1]}/0")
        with pytest.raises(StoreError, match="Timeout"):
            await kept.get("acme", "kind", "key")
        async with asyncio.timeout(0.5):  # and not for another second each
            for _ in range(20):
                with pytest.raises(StoreError, match="silent a moment ago"):
                    await kept.get("acme", "kind", "key")
        assert kept.errors == 21
        await kept.aclose()
        server.close()
