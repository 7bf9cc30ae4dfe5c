"""What a request cannot carry: kept once, by tenant, for a while; in this process and in a real Redis."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator

import pytest

from proxy.errors import StoreError
from proxy.store import MEMORY, Memory, Owned, Redis, Store, ids_in
from tests.servers import REDIS, needs


@pytest.fixture(params=["memory", "redis"])
async def store(request: pytest.FixtureRequest) -> AsyncIterator[Store]:
    if request.param == "redis":
        needs(REDIS)
    kept: Store = Memory() if request.param == "memory" else Redis(f"redis://{REDIS[0]}:{REDIS[1]}/0")
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


async def test_what_is_too_large_is_not_kept() -> None:
    kept = Memory()
    assert await kept.put("acme", "inject", "k", b"x" * MEMORY, 60) == b"x" * MEMORY
    assert await kept.get("acme", "inject", "k") is None


async def test_a_store_that_is_down_says_so_and_keeps_its_password() -> None:
    kept = Redis("redis://:hunter2hunter2@127.0.0.1:9/0")
    for asked in (kept.get("acme", "inject", "k"), kept.put("acme", "inject", "k", b"x", 60)):
        with pytest.raises(StoreError) as failure:
            await asked
        assert "hunter2" not in str(failure.value)
    await kept.aclose()


def test_ids_are_their_makers_alone() -> None:
    owned = Owned()
    owned.note("acme", b'{"id": "file-1", "object": "file"}')
    assert (owned.has("acme", "file-1"), owned.has("zeta", "file-1"), owned.has("acme", "file-2")) == (
        True,
        False,
        False,
    )


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
