"""Media files as ground truth: real files of every container, broken ones, and hostile ones."""

from __future__ import annotations

import asyncio
import os
import struct
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from proxy.audit import Absent, Present, Sight, Unknown
from proxy.sources import TYPES
from proxy.sources import build as any_source
from proxy.sources.below import file_below
from proxy.sources.media import build, captions
from proxy.sources.media_worker import container_of
from tests.media_files import make

SRT = "1\n00:00:00,000 --> 00:00:01,500\nHello\n\n2\n00:00:01,500 --> 00:00:02,000\nthere\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("media") / "root"
    root.mkdir()
    make(root / "good.mp4")
    make(root / "late.mp4", faststart=False)
    make(root / "silent.mp4", loud=0.0)
    make(root / "mute.mp4", audio=None)
    make(root / "short.mp4", audio=0.5)
    make(root / "clip.webm", codecs=("libvpx", "libopus"))
    make(root / "clip.mkv")
    for name, codec in {"a.mp3": "libmp3lame", "a.wav": "pcm_s16le", "a.flac": "flac", "a.ogg": "libopus"}.items():
        make(root / name, video=None, codecs=("", codec))
    make(root / "a.m4a", video=None)
    whole = (root / "good.mp4").read_bytes()
    (root / "cut.mp4").write_bytes(whole[: len(whole) * 6 // 10])
    (root / "headless.mp4").write_bytes((root / "late.mp4").read_bytes()[:3_000])
    (root / "empty.mp4").write_bytes(b"")
    (root / "text.mp4").write_text("This is a text and no film at all.")
    (root / "list.mp4").write_text("#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n")
    (root / "concat.mp4").write_text("ffconcat version 1.0\nfile /etc/passwd\n")
    (root / "captions.srt").write_text(SRT)
    (root / "notes.srt").write_text("no cues")
    (root.parent / "secret.mp4").write_bytes(whole)
    (root / "link.mp4").symlink_to(root.parent / "secret.mp4")
    (root / "inner.mp4").symlink_to(root / "good.mp4")
    (root / "folder.mp4").mkdir()
    os.mkfifo(root / "pipe.mp4")
    return root


async def looked(root: Path, subject: str, **more: Any) -> Sight:
    return await build("media", {"type": "media", "root": str(root), **more}, {}).look(subject)


async def fields(root: Path, subject: str) -> Mapping[str, Any]:
    sight = await looked(root, subject)
    assert isinstance(sight, Present), sight
    return sight.fields


CONTAINERS = [
    ("good.mp4", "mp4", "h264", "aac"),
    ("clip.webm", "webm", "vp8", "opus"),
    ("clip.mkv", "mkv", "h264", "aac"),
    ("a.mp3", "mp3", None, "mp3"),
    ("a.wav", "wav", None, "pcm_s16le"),
    ("a.flac", "flac", None, "flac"),
    ("a.ogg", "ogg", None, "opus"),
    ("a.m4a", "m4a", None, "aac"),
]


@pytest.mark.parametrize(("name", "container", "video", "audio"), CONTAINERS, ids=[row[0] for row in CONTAINERS])
async def test_every_container_is_read(folder: Path, name: str, container: str, video: str | None, audio: str) -> None:
    found = await fields(folder, name)
    assert (found["container"], found["errors"]) == (container, 0)
    assert found["size"] == (folder / name).stat().st_size
    assert found["duration"] == pytest.approx(2.0, abs=0.1)
    assert found["read"] == pytest.approx(2.0, abs=0.1)
    assert found.get("video", {}).get("codec") == video
    assert found["audio"]["codec"] == audio
    assert found["audio"]["channels"] == 1
    assert -12 < found["silence"]["peak"] < -8
    if video:
        assert (found["video"]["width"], found["video"]["height"], found["video"]["frames"]) == (64, 48, 20)
        assert found["video"]["decoded"] > 0


async def test_moov_before_mdat_and_behind_it(folder: Path) -> None:
    assert (await fields(folder, "good.mp4"))["faststart"] is True
    assert (await fields(folder, "late.mp4"))["faststart"] is False
    assert "faststart" not in await fields(folder, "clip.webm")


async def test_silence_and_no_sound_and_shorter_sound(folder: Path) -> None:
    assert (await fields(folder, "silent.mp4"))["silence"]["mean"] == -120.0
    mute = await fields(folder, "mute.mp4")
    assert "audio" not in mute
    assert "silence" not in mute
    short = await fields(folder, "short.mp4")
    assert short["video"]["duration"] - short["audio"]["duration"] > 1


def wav_head(length: int) -> bytes:
    shape = (b"RIFF", 36 + length, b"WAVE", b"fmt ", 16, 1, 1, 44_100, 88_200, 2, 16, b"data", length)
    return struct.pack("<4sI4s4sIHHIIHH4sI", *shape)


async def test_sound_that_begins_late_is_no_silence(tmp_path: Path) -> None:
    """The level is taken all over a file: a quiet opening says nothing of the rest."""
    make(tmp_path / "tone.wav", video=None, audio=1.0, codecs=("", "pcm_s16le"))
    tone = (tmp_path / "tone.wav").read_bytes()[-44_100 * 2 :]
    pcm = b"\0" * (44_100 * 2 * 100) + tone * 100
    (tmp_path / "late.wav").write_bytes(wav_head(len(pcm)) + pcm)
    found = await fields(tmp_path, "late.wav")
    assert found["duration"] == pytest.approx(200)
    assert found["silence"]["peak"] > -12
    assert found["silence"]["seconds"] < 121


async def test_a_file_that_was_cut_says_how_much_is_there(folder: Path) -> None:
    cut = await fields(folder, "cut.mp4")
    assert cut["duration"] == pytest.approx(2.0, abs=0.1)
    assert cut["read"] < 1.5
    assert cut["errors"]


async def test_captions(folder: Path) -> None:
    assert (await fields(folder, "captions.srt"))["subtitles"] == {"count": 2, "seconds": 2.0, "end": 2.0}
    assert isinstance(await looked(folder, "notes.srt"), Unknown)
    vtt = captions(b"WEBVTT\n\n00:01.000 --> 00:03.000\nHi\n", 40)
    assert isinstance(vtt, Present)
    assert vtt.fields["subtitles"] == {"count": 1, "seconds": 2.0, "end": 3.0}


CUE = "00:00:01.000 --> 00:00:02.000"
TEXTS = [
    (CUE, 1),
    (f"\r\n  {CUE} align:start\r\nHi\r\n\r\n\t{CUE}\r\n", 2),
    ("01:00.000  -->\t01:02.000", 1),
    ("00:00:01.000\n-->\n00:00:02.000", 0),
    ("\n" * 1_000_000, 0),
    (" " * 1_000_000, 0),
    (" \n" * 500_000 + CUE, 1),
    ("00:00:01.000" + " " * 1_000_000, 0),
    ("00:00:01.000 --> " * 60_000, 1),
    ("0" * 1_000_000, 0),
    ("00:" * 300_000, 0),
    (f"{CUE}\n" * 50_000, 50_000),
    (f"{CUE}\n" * 50_001, 0),
]


@pytest.mark.parametrize(("text", "count"), TEXTS, ids=range(len(TEXTS)))
def test_captions_are_counted_line_by_line(text: str, count: int) -> None:
    sight = captions(text.encode(), len(text))
    assert sight.fields["subtitles"]["count"] == count if isinstance(sight, Present) else not count


async def test_captions_that_are_too_long_are_not_counted_in_part(tmp_path: Path) -> None:
    (tmp_path / "a.srt").write_text(SRT + "\n" * (4 << 20))
    assert await looked(tmp_path, "a.srt") == Unknown("is larger than captions are")


async def test_captions_do_not_hold_others_up(tmp_path: Path) -> None:
    (tmp_path / "a.srt").write_text(f"{CUE}\n" * 50_000)
    look, turns = asyncio.create_task(looked(tmp_path, "a.srt")), 0
    while not look.done():
        await asyncio.sleep(0.001)
        turns += 1
    assert isinstance(await look, Present)
    assert turns > 4


def put_outside(root: Path) -> None:
    (root / "a").rename(root / "was")
    (root / "a").symlink_to(root.parent / "out")


def put_link(root: Path) -> None:
    (root / "a/b/c.srt").unlink()
    (root / "a/b/c.srt").symlink_to(root.parent / "out/b/c.srt")


def put_pipe(root: Path) -> None:
    (root / "a/b/c.srt").unlink()
    os.mkfifo(root / "a/b/c.srt")


def put_folder(root: Path) -> None:
    (root / "a/b/c.srt").unlink()
    (root / "a/b/c.srt").mkdir()


@pytest.mark.parametrize("put", [put_outside, put_link, put_pipe, put_folder])
def test_what_is_put_in_the_place_of_a_file_is_not_read(tmp_path: Path, put: Callable[[Path], None]) -> None:
    """It was a file, by no link, when its path was looked at; then an agent is quicker than we are."""
    root = Path(os.path.realpath(tmp_path)) / "root"
    for folder in (root / "a/b", root.parent / "out/b"):
        folder.mkdir(parents=True)
        (folder / "c.srt").write_text(SRT)
    path = os.path.realpath(root / "a/b/c.srt")
    os.close(file_below(str(root), path))
    put(root)
    with pytest.raises((OSError, ValueError)):
        os.close(file_below(str(root), path))
    before = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0
    for other in (str(root.parent / "out/b/c.srt"), f"{root}s/b/c.srt", str(root), str(root / "none/x")):
        with pytest.raises((OSError, ValueError)):
            os.close(file_below(str(root), other))
    assert not before or len(os.listdir("/proc/self/fd")) == before


async def test_no_race_leads_out_of_the_root(tmp_path: Path) -> None:
    root = tmp_path / "root"
    (root / "d").mkdir(parents=True)
    (root / "d/a.srt").write_text("no captions")
    (tmp_path / "out").mkdir()
    (tmp_path / "out/a.srt").write_text(SRT)
    (root / "link").symlink_to(tmp_path / "out")
    ended = threading.Event()

    def swap() -> None:
        while not ended.is_set():
            for one, other in (("d", "was"), ("link", "d"), ("d", "link"), ("was", "d")):
                (root / one).rename(root / other)

    swapping = threading.Thread(target=swap)
    swapping.start()
    try:
        source = build("media", {"root": str(root)}, {})
        sights = [await source.look("d/a.srt") for _ in range(400)]
    finally:
        ended.set()
        swapping.join()
    assert not [sight for sight in sights if isinstance(sight, Present)]


NOTHING_READ = ["headless.mp4", "text.mp4", "list.mp4", "concat.mp4", "pipe.mp4", "folder.mp4"]


@pytest.mark.parametrize("name", NOTHING_READ)
async def test_what_is_no_media_is_unknown(folder: Path, name: str) -> None:
    sight = await looked(folder, name)
    assert isinstance(sight, Unknown)
    assert "passwd" not in sight.reason
    assert str(folder) not in sight.reason


async def test_nothing_in_it_is_present_with_no_bytes(folder: Path) -> None:
    assert await looked(folder, "empty.mp4") == Present({"size": 0})


@pytest.mark.parametrize("subject", ["none.mp4", "none/x.mp4"])
async def test_what_is_not_there_is_absent(folder: Path, subject: str) -> None:
    assert isinstance(await looked(folder, subject), Absent)


OUTSIDE = [
    "link.mp4",
    "../secret.mp4",
    "/etc/passwd",
    "",
    "a\0b",
    "..\\secret.mp4",
    "http://127.0.0.1:9/a.mp4",
    "\ud83d",
]


@pytest.mark.parametrize("subject", OUTSIDE)
async def test_nothing_outside_the_root_is_looked_at(folder: Path, subject: str) -> None:
    sight = await looked(folder, subject)
    assert isinstance(sight, (Unknown, Absent))
    if subject.endswith("secret.mp4") or subject == "link.mp4":
        assert isinstance(sight, Unknown)


async def test_a_link_inside_the_root_is_one_of_its_files(folder: Path) -> None:
    assert (await fields(folder, "inner.mp4"))["container"] == "mp4"


async def test_a_root_that_is_not_there_accuses_nobody(tmp_path: Path) -> None:
    assert isinstance(await looked(tmp_path / "no", "a.mp4"), Unknown)


async def test_more_bytes_than_allowed_are_not_read(folder: Path) -> None:
    assert await looked(folder, "good.mp4", max_bytes=1_000) == Unknown("is larger than max_bytes")


def huge(path: Path, in_header: bool) -> Path:
    """A film of a tiny file whose picture claims to be 65,500 by 65,500: in its header, or in the picture itself."""
    make(path, audio=None, codecs=("mjpeg", ""))
    held, at = bytearray(path.read_bytes()), 0
    if in_header:
        entry = held.index(b"stsd") + 12
        held[entry + 32 : entry + 36] = struct.pack(">HH", 65_500, 65_500)
    while (at := held.find(b"\xff\xc0\x00\x11", at)) >= 0:
        held[at + 5 : at + 9] = struct.pack(">HH", 65_500, 65_500)
        at += 9
    path.write_bytes(held)
    return path


@pytest.mark.parametrize("in_header", [True, False])
async def test_a_picture_that_claims_to_be_huge_costs_no_memory(tmp_path: Path, in_header: bool) -> None:
    huge(tmp_path / "bomb.mov", in_header)
    begun = time.monotonic()
    sight = await looked(tmp_path, "bomb.mov")
    assert isinstance(sight, Unknown) or sight.fields["errors"]  # type: ignore[union-attr]
    assert time.monotonic() - begun < 4


async def test_the_worker_is_killed_at_the_timeout(tmp_path: Path) -> None:
    with (tmp_path / "long.wav").open("wb") as file:
        file.write(wav_head(200 << 20))
        file.truncate(200 << 20)
    begun = time.monotonic()
    assert await looked(tmp_path, "long.wav", timeout=0.1) == Unknown("it took longer than it may")
    assert time.monotonic() - begun < 1


async def test_a_look_that_is_cancelled_leaves_no_process(folder: Path) -> None:
    source = build("media", {"root": str(folder)}, {})
    task = asyncio.create_task(source.look("good.mp4"))
    await asyncio.sleep(0.03)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert isinstance(await source.look("good.mp4"), Present)


async def test_many_looks_wait_for_one_another(folder: Path) -> None:
    source = build("media", {"root": str(folder), "concurrency": 2, "timeout": 20}, {})
    sights = await asyncio.gather(*(source.look("good.mp4") for _ in range(6)))
    assert all(isinstance(sight, Present) for sight in sights)


async def test_a_store_of_artifacts(folder: Path) -> None:
    source = build("media", {"artifacts": f"file://{folder}"}, {})
    found = await source.look("good.mp4")
    assert isinstance(found, Present)
    assert found.fields["container"] == "mp4"
    empty = await source.look("empty.mp4")
    assert isinstance(empty, Present)
    assert empty.fields["size"] == 0
    assert isinstance(await source.look("none.mp4"), Absent)
    assert isinstance(await source.look("link.mp4"), Unknown)
    assert isinstance(await source.look("text.mp4"), Unknown)
    small = build("media", {"artifacts": f"file://{folder}", "max_bytes": 1_000}, {})
    assert await small.look("good.mp4") == Unknown("is larger than max_bytes")
    await source.aclose()


async def test_a_root_and_a_store(folder: Path, tmp_path: Path) -> None:
    source = build("media", {"root": str(tmp_path), "artifacts": f"file://{folder}"}, {})
    assert isinstance(await source.look("good.mp4"), Present)
    assert isinstance(await source.look("none.mp4"), Absent)


WRONG = [
    ({}, "root: is missing"),
    ({"root": 3}, "root: "),
    ({"artifacts": "ftp://x"}, "artifacts: "),
    ({"root": "x", "timeout": 0}, "timeout: "),
    ({"root": "x", "max_bytes": 1.5}, "max_bytes: "),
    ({"root": "x", "concurrency": True}, "concurrency: "),
    ({"root": "x", "depth": 1}, "depth: is no key"),
]


@pytest.mark.parametrize(("table", "problem"), WRONG)
def test_a_table_that_is_wrong_names_its_key(table: dict[str, Any], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        build("media", {"type": "media", **table}, {})


def test_the_type_is_known_with_its_extra(folder: Path) -> None:
    assert TYPES["media"] == "media"
    any_source("media", {"type": "media", "root": str(folder)}, {})


@pytest.mark.parametrize(
    ("head", "name"),
    [(b"\0\0\0\x20ftypisom", "mov"), (b"RIFF\0\0\0\0WAVEfmt ", "wav"), (b"\xff\xfb\x90\0", "mp3"), (b"\xff\xfe", ""),
     (b"\xff\xd8\xff\xe0", ""), (b"#EXTM3U", ""), (b"RIFF\0\0\0\0AVI ", ""), (b"<?xml", ""), (b"", "")],
)  # fmt: skip
def test_the_first_bytes_tell_the_container(head: bytes, name: str) -> None:
    assert container_of(head) == name


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 1 << 30), count=st.integers(1, 200), cut=st.integers(0, 20_000))
def test_broken_bytes_never_raise(folder: Path, tmp_path: Path, seed: int, count: int, cut: int) -> None:
    held = bytearray((folder / "good.mp4").read_bytes()[: max(8, 20_965 - cut)])
    for number in range(count):
        held[(seed * (number + 1) * 2_654_435_761) % len(held)] = (seed >> (number % 23)) & 0xFF
    (tmp_path / "x.mp4").write_bytes(held)
    assert isinstance(asyncio.run(looked(tmp_path, "x.mp4")), (Present, Unknown))
