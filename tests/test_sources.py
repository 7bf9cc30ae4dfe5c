"""Ground truth: real folders, and a real S3 server."""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from moto.server import ThreadedMotoServer

from proxy.audit import Absent, Present, Unknown
from proxy.sources.files import Files
from proxy.sources.objects import Objects, build


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "root"
    (root / "a").mkdir(parents=True)
    (root / "a" / "one.md").write_bytes(b"12345")
    (tmp_path / "secret.md").write_text("outside")
    (root / "link.md").symlink_to(tmp_path / "secret.md")
    (root / "inner.md").symlink_to(root / "a" / "one.md")
    (root / "out").symlink_to(tmp_path)
    return root


KNOWN = [
    ("a/one.md", 5),
    ("inner.md", 5),
    ("a/two.md", Absent),
    ("none/x.md", Absent),
]
HOSTILE = ["../secret.md", "link.md", "out/secret.md", "/etc/passwd", "a/../../secret.md", "", "a\0b", "..\\secret.md"]


@pytest.mark.parametrize(("subject", "expected"), KNOWN)
async def test_a_folder_of_files(folder: Path, subject: str, expected: object) -> None:
    for source in (Files(folder), Objects(f"file://{folder}")):
        found = await source.look(subject)
        if isinstance(expected, int):
            assert isinstance(found, Present)
            assert found.fields["size"] == expected
        else:
            assert isinstance(found, Absent)


@pytest.mark.parametrize("subject", HOSTILE)
async def test_nothing_outside_the_root_is_looked_at(folder: Path, subject: str) -> None:
    for source in (Files(folder), Objects(f"file://{folder}")):
        assert isinstance(await source.look(subject), Unknown)


async def test_a_store_opens_neither_a_pipe_nor_what_leads_out(folder: Path) -> None:
    """A pipe would be waited for by a thread that nobody can stop; and a key may have become a link since it was found."""
    os.mkfifo(folder / "pipe")
    store = Objects(f"file://{folder}")
    assert await asyncio.wait_for(store.look("pipe"), 2.0) == Unknown("is no file")
    for key in ("pipe", "link.md", "out/secret.md", "a"):
        with pytest.raises((OSError, ValueError)):
            await asyncio.wait_for(store.fetch(key, 100), 2.0)
    assert await store.fetch("inner.md", 5) == b"12345"
    with pytest.raises(OverflowError):
        await store.fetch("inner.md", 4)


@pytest.mark.parametrize("subject", ["\ud800", "a" * 5_000])
async def test_a_name_that_no_disk_can_hold_accuses_nobody(folder: Path, subject: str) -> None:
    for source in (Files(folder), Objects(f"file://{folder}")):
        assert isinstance(await source.look(subject), Unknown)


async def test_a_folder_that_becomes_a_link_while_it_is_looked_at_does_not_lead_out(folder: Path) -> None:
    (folder / "a" / "secret.md").write_bytes(b"1")
    over = threading.Event()

    def swap() -> None:
        while not over.is_set():
            os.rename(folder / "a", folder / "b")
            os.rename(folder / "out", folder / "a")
            os.rename(folder / "a", folder / "out")
            os.rename(folder / "b", folder / "a")

    swapping = threading.Thread(target=swap)
    swapping.start()
    try:
        for source in (Files(folder), Objects(f"file://{folder}")):
            sights = [await source.look("a/secret.md") for _ in range(2_000)]
            assert {one.fields["size"] for one in sights if isinstance(one, Present)} <= {1}
    finally:
        over.set()
        swapping.join()


async def test_an_absolute_path_inside_the_root_is_one_of_its_files(folder: Path) -> None:
    assert await Files(folder).look(str(folder / "a" / "one.md")) == Present({"size": 5})


@pytest.mark.parametrize(
    ("subject", "found"), [("A/ONE.MD", True), ("a\\One.md", True), ("Inner.MD", True), ("A/two.md", False)]
)
async def test_where_case_does_not_count_a_file_is_found_by_any(folder: Path, subject: str, found: bool) -> None:
    sight = await Files(folder, case_sensitive=False).look(subject)
    assert sight == (Present({"size": 5}) if found else Absent("not in the workspace"))
    assert isinstance(await Files(folder).look(subject), Absent)


@pytest.mark.parametrize("subject", [*HOSTILE, "Link.MD", "OUT/secret.md", "Out/Secret.md"])
async def test_nor_does_another_case_lead_out(folder: Path, subject: str) -> None:
    assert isinstance(await Files(folder, case_sensitive=False).look(subject), Unknown)


async def test_a_root_that_is_not_there_accuses_nobody(tmp_path: Path) -> None:
    for source in (Files(tmp_path / "no"), Objects(f"file://{tmp_path}/no")):
        assert isinstance(await source.look("a.md"), Unknown)


async def test_memory_is_empty() -> None:
    assert isinstance(await Objects("memory://").look("a.md"), Absent)


@pytest.mark.parametrize("url", ["ftp://x", "bucket", "http://x/y", ""])
def test_a_url_that_is_no_store_is_said_so(url: str) -> None:
    with pytest.raises(ValueError, match="url: "):
        Objects(url)


@pytest.fixture
def s3(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A real S3 server on loopback, and the variables by which any S3 client would find it."""
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    server.start()
    host, port = server.get_host_and_port()
    endpoint = f"http://{host}:{port}"
    for name, value in {
        "AWS_ENDPOINT_URL": endpoint,
        "AWS_ACCESS_KEY_ID": "k",
        "AWS_SECRET_ACCESS_KEY": "s",
        "AWS_REGION": "us-east-1",
    }.items():
        monkeypatch.setenv(name, value)
    httpx.put(f"{endpoint}/bucket")
    httpx.put(f"{endpoint}/bucket/prefix/artifact.put/1-a.md", content=b"x" * 321)
    yield endpoint
    server.stop()


async def test_an_s3_store(s3: str) -> None:
    source = build("artifacts", {"type": "objects", "url": "s3://bucket/prefix"}, os.environ)
    found = await source.look("artifact.put/1-a.md")
    assert isinstance(found, Present)
    assert found.fields["size"] == 321
    assert time.time() - 600 < found.fields["modified"] < time.time() + 600
    assert isinstance(await source.look("artifact.put/2-b.md"), Absent)
    assert isinstance(await source.look("../other"), Unknown)


async def test_an_s3_store_that_is_down_or_denies_accuses_nobody(s3: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    assert isinstance(await build("a", {"url": "s3://bucket"}, os.environ).look("a.md"), Unknown)

    async def deny(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
        writer.close()

    server = await asyncio.start_server(deny, "127.0.0.1", 0)
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}")
    assert await build("a", {"url": "s3://bucket"}, os.environ).look("a.md") == Unknown("the store denied access")
    server.close()
