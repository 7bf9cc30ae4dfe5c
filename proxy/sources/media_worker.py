"""Read one media file on standard input in a process of its own, under limits, and print what it is as JSON.

Run by path, isolated and with an empty environment: it imports nothing of ours. The bytes are hostile. They come as an open
file, so no path is opened here; the container is told by its first bytes and by nothing else, so a playlist is none; and no
protocol is allowed to what a container may refer to.
"""

from __future__ import annotations

import json
import math
import os
import resource
import sys
from array import array
from collections.abc import Iterator
from typing import Any, BinaryIO

MAGIC = (
    (4, b"ftyp", "mov"),
    (4, b"moov", "mov"),
    (4, b"mdat", "mov"),
    (4, b"free", "mov"),
    (4, b"wide", "mov"),
    (0, b"\x1a\x45\xdf\xa3", "matroska"),
    (0, b"OggS", "ogg"),
    (0, b"fLaC", "flac"),
    (8, b"WAVE", "wav"),
    (0, b"ID3", "mp3"),
)
MAX_PIXELS = 8192 * 4320
MAX_STREAMS = 32
MAX_BOXES = 1_000
FRAMES = 3
"""Video frames that are decoded, to see that they do."""
WINDOWS, WINDOW = 12, 5.0
"""Where the level of the sound is taken: so many stretches of so many seconds, spread evenly; all of a short one."""
RATE = 8_000
FLOOR = -120.0
"""What digital silence is said to be, in dBFS."""


def limit(seconds: int, megabytes: int) -> None:
    """No more processor time, address space, files or core dumps than this; one second of grace before the kill."""
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def container_of(head: bytes) -> str:
    """The demuxer for a file that begins like this; empty where it is none of the few that are read."""
    for at, mark, name in MAGIC:
        if head[at : at + len(mark)] == mark:
            return name
    if len(head) > 3 and head[0] == 0xFF and head[1] & 0xE6 in (0xE2, 0xE4, 0xE6):  # an MPEG audio frame's sync word
        return "mp3"
    return ""


def faststart(file: BinaryIO) -> bool | None:
    """Whether `moov` comes before `mdat` (ISO/IEC 14496-12, 4.2); None where one of them is not there."""
    seen: list[bytes] = []
    at, end = 0, file.seek(0, os.SEEK_END)
    for _ in range(MAX_BOXES):
        if at + 8 > end:
            break
        file.seek(at)
        head = file.read(16)
        size, kind = int.from_bytes(head[:4], "big"), head[4:8]
        if kind in (b"moov", b"mdat") and kind not in seen:
            seen.append(kind)
        if size == 1:
            size = int.from_bytes(head[8:16], "big")
        if size < 8:  # zero: to the end of the file; less is no box
            break
        at += size
    return seen[0] == b"moov" if len(seen) == 2 else None


class Track:
    """What passes by of one stream: how many packets, and from when to when, in seconds."""

    def __init__(self, stream: Any) -> None:
        self.stream = stream
        self.base = float(stream.time_base or 0)
        self.count = 0
        self.covered = 0.0
        self.start, self.end = math.inf, 0.0

    def add(self, packet: Any) -> None:
        self.count += 1
        at = packet.pts if packet.pts is not None else packet.dts
        if at is not None:
            start, length = at * self.base, max(0, packet.duration or 0) * self.base
            self.start, self.end = min(self.start, start), max(self.end, start + length)
            self.covered += length

    @property
    def seconds(self) -> float:
        return round(max(0.0, self.end - max(0.0, self.start)), 3) if self.count else 0.0


class Level:
    """Peak and mean of the sound, in dBFS, over evenly spread stretches."""

    def __init__(self, resampler: Any, duration: float) -> None:
        self._resampler = resampler
        self._step = max(WINDOW, duration / WINDOWS)
        self.peak, self.squares, self.samples = 0, 0, 0

    def wants(self, second: float) -> bool:
        return second % self._step < WINDOW and self.samples < 2 * WINDOWS * WINDOW * RATE

    def add(self, packet: Any) -> None:
        for frame in packet.decode():
            for small in self._resampler.resample(frame):
                values = array("h", bytes(small.planes[0])[: 2 * small.samples])
                if values:
                    self.peak = max(self.peak, max(values), -min(values))
                    self.squares += sum(value * value for value in values)
                    self.samples += len(values)

    def fields(self) -> dict[str, float]:
        mean = math.sqrt(self.squares / self.samples)
        return {"peak": _dbfs(self.peak), "mean": _dbfs(mean), "seconds": round(self.samples / RATE, 1)}


def _dbfs(amplitude: float) -> float:
    return round(max(FLOOR, 20 * math.log10(amplitude / 32768)), 1) if amplitude > 0 else FLOOR


class Reading:
    """One pass over all packets of a container: lengths from all, a few frames decoded, the sound's level."""

    def __init__(self, av: Any, opened: Any) -> None:
        self._av, self._opened = av, opened
        self.tracks: dict[int, Track] = {}
        self.video = self._first("video")
        self.audio = self._first("audio")
        self.frames = self.errors = 0
        self.length = (opened.duration or 0) / 1_000_000
        self.level: Level | None = None
        if self.audio is not None:
            resampler = av.AudioResampler(format="s16", layout="mono", rate=RATE)
            self.level = Level(resampler, self.length)

    def _first(self, kind: str) -> Any:
        """The first stream of a kind; the picture on a record's sleeve is no video."""
        for stream in self._opened.streams:
            if stream.type == kind and not (kind == "video" and "attached_pic" in str(stream.disposition)):
                stream.codec_context.thread_count = 1
                return stream
        return None

    def run(self) -> None:
        try:
            for packet in self._opened.demux():
                if packet.size:
                    self._packet(packet)
        except (self._av.error.FFmpegError, ValueError):
            self.errors += 1

    def _packet(self, packet: Any) -> None:
        index = packet.stream.index
        track = self.tracks.get(index)
        if track is None:
            track = self.tracks[index] = Track(packet.stream)
        track.add(packet)
        self.errors += bool(packet.is_corrupt)
        try:
            if self.video is not None and index == self.video.index and self.frames < FRAMES:
                self.frames += len(packet.decode())
            elif self.level is not None and index == self.audio.index and self.level.wants(track.end):
                self.level.add(packet)
        except (self._av.error.FFmpegError, ValueError):
            self.errors += 1

    def subtitles(self) -> Iterator[Track]:
        return (track for track in self.tracks.values() if track.stream.type == "subtitle")


def read(file: BinaryIO) -> dict[str, Any]:
    """What a media file is, as fields; `error` alone where it cannot be read."""
    head = file.read(64)
    name = container_of(head)
    if not name:
        return {"error": "is no media container that is read here"}
    start = faststart(file) if name == "mov" else None
    file.seek(0)
    import av

    options = {"protocol_whitelist": "none", "format_whitelist": name, "max_streams": str(MAX_STREAMS)}
    if name == "mov":
        options |= {"enable_drefs": "0", "use_absolute_path": "0"}
    try:
        with av.open(file, format=name, options=options, timeout=None) as opened:
            fields = _fields(av, opened)
            spelled = {"mov": "mp4" if "video" in fields else "m4a", "matroska": "webm" if b"webm" in head else "mkv"}
            fields |= {} if "error" in fields else {"container": spelled.get(name, name)}
            return fields | ({} if start is None else {"faststart": start})
    except (av.error.FFmpegError, ValueError) as error:
        return {"error": f"does not decode: {type(error).__name__}"}


def _fields(av: Any, opened: Any) -> dict[str, Any]:
    for stream in opened.streams:
        if stream.type in ("video", "audio") and stream.codec_context is None:
            return {"error": "is in a codec that is not read here"}
        if stream.type == "video" and stream.width * stream.height > MAX_PIXELS:
            return {"error": "its picture is too large to decode"}
    reading = Reading(av, opened)
    reading.run()
    ends = [track.end for track in reading.tracks.values()]
    length = reading.length or max(ends, default=0.0)
    fields: dict[str, Any] = {
        "duration": round(length, 3),
        "read": round(max(ends, default=0.0), 3),
        "errors": reading.errors,
    }
    if (video := reading.video) is not None:
        track = reading.tracks.get(video.index) or Track(video)
        fields["video"] = {
            "codec": video.codec_context.codec.canonical_name,
            "width": video.width,
            "height": video.height,
        }
        fields["video"] |= {"duration": track.seconds, "frames": track.count, "decoded": reading.frames}
    if (audio := reading.audio) is not None:
        track, level = reading.tracks.get(audio.index) or Track(audio), reading.level
        fields["audio"] = {"codec": audio.codec_context.codec.canonical_name, "duration": track.seconds}
        fields["audio"] |= {"channels": audio.codec_context.channels, "rate": audio.codec_context.sample_rate}
        if level is not None and level.samples:
            fields["silence"] = level.fields()
    captions = list(reading.subtitles())
    if captions:
        best = max(captions, key=lambda one: one.covered)
        fields["subtitles"] = {"count": best.count, "seconds": round(best.covered, 3), "end": round(best.end, 3)}
    if reading.video is None and reading.audio is None:
        return {"error": "does not decode: it holds neither picture nor sound"}
    return fields


def main() -> None:
    limit(int(sys.argv[1]), int(sys.argv[2]))
    with os.fdopen(0, "rb") as file:
        print(json.dumps(read(file)))


if __name__ == "__main__":
    main()
