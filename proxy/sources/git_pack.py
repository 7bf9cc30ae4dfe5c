"""The objects of one pack of a git clone, read piece by piece: none larger than it may be, and none after the time is up."""

from __future__ import annotations

import struct
import time
import zlib
from collections.abc import Iterator
from io import BytesIO
from typing import BinaryIO

from cachetools import LRUCache
from dulwich.object_format import ObjectFormat
from dulwich.objects import ObjectID, RawObjectID
from dulwich.pack import OFS_DELTA, REF_DELTA, apply_delta, load_pack_index_file

LARGEST = 64 * 1024 * 1024
"""Bytes of one object, and of the deltas that it is made by."""
KEPT = 16 * 1024 * 1024
"""Bytes of objects that are kept: others are made from them."""
CHAIN = 4_096
"""Deltas that one object is made by, at most: git makes no more than 4,095."""
PIECE, HEAD = 65_536, 64


class Pack:
    """A pack, gitformat-pack(5), as an open file, and the bytes of its index. Whoever wrote them may write on meanwhile.

    A library would map the file, and one that is cut short then ends the process; and it would unpack whatever size is
    written there. Raises ValueError and others where something is odd, TimeoutError after `until`.
    """

    def __init__(self, file: BinaryIO, index: bytes, form: ObjectFormat, until: float) -> None:
        self._file, self._form, self._until = file, form, until
        counts = struct.unpack_from(">256I", index, 8 if index[:4] == b"\xfftOc" else 0)
        if index[:8] == b"\xfftOc\0\0\0\3" or list(counts) != sorted(counts):
            raise ValueError("an odd index")  # it would be searched from one count to the next, whatever they are
        self._index = load_pack_index_file("", BytesIO(index), form)
        self._kept: LRUCache[int, tuple[int, bytes]] = LRUCache(KEPT, getsizeof=lambda kept: len(kept[1]) + 256)

    def __contains__(self, sha: ObjectID) -> bool:
        try:
            self._index.object_offset(sha)
        except KeyError:
            return False
        return True

    def names(self, begun: bytes) -> Iterator[RawObjectID]:
        """The objects whose names begin so."""
        return self._index.iter_prefix(begun)

    def raw(self, sha: ObjectID) -> tuple[int, bytes]:
        """What kind of object it is, and its bytes."""
        at, size = self._index.object_offset(sha), 0
        deltas: list[tuple[int, bytes]] = []
        while (found := self._kept.get(at)) is None:
            kind, base, held = self._read(at)
            if base is None:
                found = self._keep(at, kind, held)
                break
            deltas.append((at, held))
            at, size = base, size + len(held)
            if size > LARGEST or len(deltas) > CHAIN:
                raise ValueError("an object of too many deltas")
        for place, delta in reversed(deltas):
            found = self._keep(place, found[0], self._applied(found[1], delta))
        return found

    def _keep(self, at: int, kind: int, held: bytes) -> tuple[int, bytes]:
        if len(held) + 256 <= KEPT:
            self._kept[at] = (kind, held)
        return kind, held

    def _read(self, at: int) -> tuple[int, int | None, bytes]:
        """What stands at a place: its kind, where the object is that it is a delta to, and its bytes."""
        self._file.seek(at)
        head = self._file.read(HEAD)
        kind = head[0] >> 4 & 7
        size, end = _size(head, 1, head[0] & 15, 4) if head[0] & 128 else (head[0] & 15, 1)
        base = None
        if kind == OFS_DELTA:
            back, end = distance(head, end)
            base = at - back
        elif kind == REF_DELTA:
            name, end = head[end : end + self._form.oid_length], end + self._form.oid_length
            base = self._index.object_offset(RawObjectID(name))
        self._file.seek(at + end)
        return kind, base, self._unpacked(size)

    def _unpacked(self, size: int) -> bytes:
        self._in_time(size)
        unpack, held = zlib.decompressobj(), bytearray()
        while not unpack.eof and len(held) <= size and (piece := self._file.read(PIECE)):
            held += unpack.decompress(piece, size + 1 - len(held))
        if not unpack.eof or len(held) != size:
            raise ValueError("an object of another size than is written")
        return bytes(held)

    def _applied(self, base: bytes, delta: bytes) -> bytes:
        size, _ = _size(delta[:HEAD], _size(delta[:HEAD], 0)[1])
        self._in_time(size)
        return b"".join(apply_delta(base, delta))

    def _in_time(self, size: int) -> None:
        if time.monotonic() > self._until:
            raise TimeoutError
        if size > LARGEST:
            raise ValueError("an object is too large")


def _size(held: bytes, at: int, value: int = 0, shift: int = 0) -> tuple[int, int]:
    """A number whose bytes each have seven more bits of it, the lowest first, and where it ends."""
    while True:
        value |= (held[at] & 127) << shift
        at, shift = at + 1, shift + 7
        if held[at - 1] < 128:
            return value, at


def distance(held: bytes, at: int) -> tuple[int, int]:
    """How far back something begins, the highest bits first, and where that number ends."""
    value = held[at] & 127
    while held[at] & 128:
        at += 1
        value = (value + 1 << 7) + (held[at] & 127)
    return value, at + 1
