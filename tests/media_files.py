"""Make real media files for tests: pictures, sound, captions, of a length and with faults as asked."""

from __future__ import annotations

import math
from array import array
from fractions import Fraction
from pathlib import Path
from typing import Any

import av

RATE = 44_100


def make(
    path: Path,
    *,
    video: float | None = 2.0,
    audio: float | None = 2.0,
    loud: float = 0.3,
    size: tuple[int, int] = (64, 48),
    faststart: bool = True,
    codecs: tuple[str, str] = ("libx264", "aac"),
) -> Path:
    """A file of so many seconds of picture and of sound (None: none); `loud` 0 is silence."""
    options = {"movflags": "+faststart"} if faststart and path.suffix in (".mp4", ".m4a", ".mov") else {}
    with av.open(str(path), "w", options=options) as out:
        picture: Any = out.add_stream(codecs[0], rate=10) if video is not None else None
        sound: Any = out.add_stream(codecs[1], rate=RATE if codecs[1] != "libopus" else 48_000) if audio else None
        if picture is not None:
            picture.width, picture.height = size
            picture.pix_fmt = "yuvj420p" if codecs[0] == "mjpeg" else "yuv420p"
        if sound is not None:
            sound.layout = "mono"
        if picture is not None and video is not None:
            _pictures(out, picture, round(video * 10), size)
        if sound is not None and audio:
            _sounds(out, sound, audio, loud)
    return path


def _pictures(out: Any, stream: Any, count: int, size: tuple[int, int]) -> None:
    for number in range(count):
        frame = av.VideoFrame(*size, stream.pix_fmt)
        for plane in frame.planes:
            plane.update(bytes([(number * 7) % 256]) * plane.buffer_size)
        frame.pts, frame.time_base = number, Fraction(1, 10)
        out.mux(stream.encode(frame))
    out.mux(stream.encode(None))


def _sounds(out: Any, stream: Any, seconds: float, loud: float) -> None:
    rate = stream.rate
    total, step = round(seconds * rate), 1024
    resampler = av.AudioResampler(
        format=stream.format.name, layout="mono", rate=rate, frame_size=stream.frame_size or 0
    )
    for at in range(0, total, step):
        count = min(step, total - at)
        values = array("h", (round(32767 * loud * math.sin(2 * math.pi * 440 * (at + i) / rate)) for i in range(count)))
        frame = av.AudioFrame(format="s16", layout="mono", samples=count)
        frame.planes[0].update(values.tobytes().ljust(frame.planes[0].buffer_size, b"\0"))
        frame.sample_rate, frame.pts, frame.time_base = rate, at, Fraction(1, rate)
        for part in resampler.resample(frame):
            out.mux(stream.encode(part))
    out.mux(stream.encode(None))
