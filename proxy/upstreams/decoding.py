"""Undo a reply's content-encoding as it comes in, a bounded piece at a time."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import Protocol

import brotli
import zstandard

STEP = 65_536
"""Bytes, or a little more, that gzip, deflate and br give out at once. What a bomb would blow up stays compressed until the
reader asks for the next piece, so memory is bounded by the reader's pace, whatever the ratio."""

SLICE = 4_096
"""Bytes that zlib is fed at once. It copies what it leaves of them, once for each member and for each piece that it gives
out; of a whole body of tiny members, that would be the body over and over."""

ZSTD_SLICE = 128
"""Bytes that zstd is fed at once, for the library cannot bound what it gives out. RFC 8878 §3.1.1.2: a block has a header
of three bytes and is at most 128 KB, and the shortest that is full (RLE) takes four; so one slice is at most 4 MB."""

ZSTD_WINDOW = 8 << 20
"""RFC 9659 §3: a content-encoding `zstd` must not need a window over 8 MB."""

BROKEN = (zlib.error, brotli.error, zstandard.ZstdError)
"""What `feed` raises on bytes that are not in the encoding."""


class Decoder(Protocol):
    """One body's decoder. `feed` gives all that the bytes so far allow, so text still streams; raises `BROKEN`."""

    def feed(self, data: bytes) -> Iterator[bytes]: ...

    def complete(self) -> bool:
        """Whether the encoded stream has come to its own end (or never began)."""


def decoder(encoding: bytes) -> Decoder | None:
    """The decoder for a content-encoding, or None when nobody here can undo it."""
    match encoding.strip().lower():
        case b"gzip" | b"x-gzip":
            return Inflate(gzip=True)
        case b"deflate":
            return Inflate(gzip=False)
        case b"br":
            return Brotli()
        case b"zstd":
            return Zstd()
    return None


class Inflate:
    """gzip, member after member, and deflate, with the zlib header that RFC 9110 asks for or, as some send it, without."""

    def __init__(self, *, gzip: bool) -> None:
        self._gzip = gzip
        self._stream: zlib._Decompress | None = None
        self._ended = False

    def feed(self, data: bytes) -> Iterator[bytes]:
        at = 0
        while at < len(data) and not self._padding(data[at]):
            stream = self._stream = self._stream or zlib.decompressobj(self._wbits(data[at]))
            fed, full = data[at : at + SLICE], True
            at += len(fed)
            while full or fed:
                piece = stream.decompress(fed, STEP)
                fed, full = stream.unconsumed_tail, len(piece) == STEP
                if piece:
                    yield piece
            if stream.eof:
                at -= len(stream.unused_data)
                self._stream, self._ended = None, True

    def _wbits(self, first: int) -> int:
        if self._gzip:
            return 31
        # RFC 1950 §2.2: the low half of a zlib stream's first byte is 8. No raw deflate stream begins so: its first
        # block would be a stored one (RFC 1951 §3.2.4) with padding that is not zero.
        return 15 if first & 0x0F == 8 else -15

    def _padding(self, first: int) -> bool:
        """After the end: gzip(1) ignores what does not begin like another member, and so do browsers."""
        return self._ended and self._stream is None and not (self._gzip and first == 0x1F)

    def complete(self) -> bool:
        return self._stream is None


class Brotli:
    """br."""

    def __init__(self) -> None:
        self._stream = brotli.Decompressor()
        self._begun = False

    def feed(self, data: bytes) -> Iterator[bytes]:
        self._begun = True
        stream = self._stream
        piece = stream.process(data, output_buffer_limit=STEP)
        # The library says that it can take more input when it has only read all: output may still be pending.
        while piece or not stream.can_accept_more_data():
            if piece:
                yield piece
            piece = stream.process(b"", output_buffer_limit=STEP)

    def complete(self) -> bool:
        return not self._begun or self._stream.is_finished()


class Zstd:
    """zstd, frame after frame."""

    def __init__(self) -> None:
        self._library = zstandard.ZstdDecompressor(max_window_size=ZSTD_WINDOW)
        self._frame: zstandard.ZstdDecompressionObj | None = None

    def feed(self, data: bytes) -> Iterator[bytes]:
        at = 0
        while at < len(data):
            if self._frame is None:
                self._frame = self._library.decompressobj()
            fed = data[at : at + ZSTD_SLICE]
            at += len(fed)
            piece = self._frame.decompress(fed)
            if self._frame.eof:
                at -= len(self._frame.unused_data)
                self._frame = None
            if piece:
                yield piece

    def complete(self) -> bool:
        return self._frame is None
