"""The own files of a git clone, opened one by one below a root: nothing is run, followed out of it, or waited for."""

from __future__ import annotations

import os
import re
import stat
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from io import BytesIO
from typing import BinaryIO

from dulwich.config import ConfigFile
from dulwich.object_format import ObjectFormat, get_object_format
from dulwich.objects import Commit, ObjectID, ShaFile, Tree
from dulwich.refs import Ref, check_ref_format

from proxy.sources.below import file_below, folder_below
from proxy.sources.git_pack import LARGEST, Pack, distance

SMALL = 1024 * 1024
"""Bytes of its config. Of any other file of its own, and of an object, `LARGEST` are read."""
FILES = 1_000_000
"""Tracked files that are counted, and folders that wait to be read."""
PACKS = 16
"""How many are open at once."""
EXTENSIONS = {b"worktreeconfig", b"objectformat", b"relativeworktrees"}
"""What a config may say of a clone's format: others keep refs in tables, or fetch objects as they are asked for."""


def inside(path: str, root: str) -> bool:
    return path == root or path.startswith(root + os.sep)


class Disk:
    """What lies below the root, and until when it is read: nobody else can stop a thread."""

    def __init__(self, root: str, until: float) -> None:
        self._root, self.until = root, until

    def file(self, path: str) -> BinaryIO:
        """A regular file. The folder that it is in may be a link to one below the root, it itself may not."""
        if time.monotonic() > self.until:
            raise TimeoutError
        folder, name = os.path.split(path)
        return os.fdopen(file_below(self._root, os.path.join(os.path.realpath(folder), name)), "rb")

    def read(self, path: str, most: int = LARGEST) -> bytes | None:
        """All that a file holds; None where there is none."""
        try:
            with self.file(path) as file:
                held = file.read(most + 1)
        except FileNotFoundError:
            return None
        if len(held) > most:
            raise ValueError("a file is too large")
        return held

    def names(self, path: str) -> list[str]:
        """What is in a folder; nothing where there is none."""
        try:
            folder = folder_below(self._root, os.path.realpath(path), listed=True)
        except FileNotFoundError:
            return []
        try:
            return os.listdir(folder)
        finally:
            os.close(folder)


def control_of(disk: Disk, path: str) -> str | None:
    """Where a clone keeps its own files: `.git`, the folder that a `.git` file names, or itself; None: no clone."""
    inner = os.path.join(path, ".git")
    if os.path.isdir(inner):
        return inner
    if os.path.lexists(inner):
        told = os.fsdecode(disk.read(inner, 4_096) or b"")
        return os.path.join(path, told.partition("gitdir:")[2].strip())
    return path if all(os.path.lexists(os.path.join(path, name)) for name in ("HEAD", "objects")) else None


def is_sound(control: str, root: str) -> bool:
    """Whether a clone is one of its own, below the root: what it is read from is looked at again as it is opened."""
    for name in ("", "objects", "refs"):
        path = os.path.realpath(os.path.join(control, name))
        if not inside(path, root) or not os.path.isdir(path):
            return False
    # A clone that borrows from another repository (a worktree, `--shared`) would be read there: it is left alone.
    borrowed = ("commondir", "objects/info/alternates", "config.worktree")
    return not any(os.path.lexists(os.path.join(control, name)) for name in borrowed)


class Clone:
    """A clone's own files. They are read here, not by a library: it would open whatever lies, or is put, in their place."""

    def __init__(self, disk: Disk, control: str, opened: ExitStack) -> None:
        self._disk, self._control, self._opened = disk, control, opened
        self._open: dict[str, Pack] = {}
        self.format = _format(self.file("config", SMALL) or b"")
        packs = set(disk.names(os.path.join(control, "objects/pack")))
        self._packs = [name[:-5] for name in packs if name.endswith(".pack") and f"{name[:-5]}.idx" in packs]

    def file(self, name: str, most: int = LARGEST) -> bytes | None:
        """All that a file holds; None where there is none, or a folder: the branch `a` is packed and `a/` is left behind."""
        with suppress(IsADirectoryError):
            return self._disk.read(os.path.join(self._control, name), most)
        return None

    def head(self) -> tuple[str, str | None]:
        """The branch that is checked out, empty where none is, and its commit, None where it has none yet."""
        name, seen = b"HEAD", 0
        while seen < 6:
            branch = name.removeprefix(b"refs/heads/").decode("utf-8", "replace") if seen else ""
            held = self.file(os.fsdecode(name), SMALL)
            line = held.split(b"\n")[0].strip() if held is not None else self._packed(name)
            if line is None and seen:
                return branch, None
            if line is not None and re.fullmatch(rb"[0-9a-f]{%d}" % self.format.hex_length, line):
                return branch, line.decode()
            mark, _, name = (line or b"").partition(b":")
            name, seen = name.strip(), seen + 1
            if mark != b"ref" or not name.startswith(b"refs/") or not check_ref_format(Ref(name)):
                break
        raise ValueError("a ref that names no commit")

    def tracked(self, head: str) -> Iterator[bytes]:
        """The names of the tracked files: those of the index, or, where there is none, of a commit."""
        index = self.file("index")
        return _of_tree(self, head) if index is None else _of_index(index, self.format)

    def _packed(self, name: bytes) -> bytes | None:
        line = rb"(?m)^([0-9a-f]{%d}) %b$" % (self.format.hex_length, re.escape(name))
        found = re.search(line, self.file("packed-refs") or b"")
        return found[1] if found else None

    def __getitem__(self, sha: ObjectID) -> ShaFile:
        """An object by its whole name. Raises KeyError."""
        kind, held = self._raw(sha)
        return ShaFile.from_raw_string(kind, held, object_format=self.format, verify_sha=sha)

    def names(self, prefix: str) -> set[ObjectID]:
        """The objects whose names begin so."""
        begun = bytes.fromhex(prefix[: len(prefix) // 2 * 2])
        loose = self._disk.names(os.path.join(self._control, "objects", prefix[:2]))
        found = {(prefix[:2] + rest).encode() for rest in loose if len(rest) == self.format.hex_length - 2}
        for pack in self._each_pack():
            found |= {name.hex().encode() for name in pack.names(begun)}
        return {ObjectID(name) for name in found if name.startswith(prefix.encode())}

    def _raw(self, sha: ObjectID) -> tuple[int, bytes]:
        name = sha.decode()
        loose = self.file(f"objects/{name[:2]}/{name[2:]}")
        if loose is not None:
            read = ShaFile.from_file(BytesIO(loose), sha, object_format=self.format, max_size=LARGEST)
            return read.type_num, read.as_raw_string()
        for pack in self._each_pack():
            if sha in pack:
                return pack.raw(sha)
        raise KeyError(name)

    def _each_pack(self) -> Iterator[Pack]:
        """One pack after another, from files opened here. That in which something was found comes first the next time."""
        for stem in list(self._packs):
            if stem not in self._open:
                if len(self._open) == PACKS:
                    self._opened.close()
                    self._open.clear()
                path = os.path.join(self._control, "objects/pack", stem)
                data = self._opened.enter_context(self._disk.file(path + ".pack"))
                index = self._disk.read(path + ".idx") or b""
                self._open[stem] = Pack(data, index, self.format, self._disk.until)
            self._packs.remove(stem)
            self._packs.insert(0, stem)
            yield self._open[stem]


def _format(held: bytes) -> ObjectFormat:
    """How a clone names its objects, by its config; what that includes is not read: it may lie anywhere."""
    config = ConfigFile.from_file(BytesIO(held), expand_includes=False)
    core, more = ({key.lower(): value for key, value in config.items((part,))} for part in (b"core", b"extensions"))
    version = core.get(b"repositoryformatversion", b"0")
    if version not in (b"0", b"1") or set(more) - EXTENSIONS:
        raise ValueError("a clone of another format")
    return get_object_format(more.get(b"objectformat", b"sha1").decode() if version == b"1" else "sha1")


def _of_index(held: bytes, form: ObjectFormat) -> Iterator[bytes]:
    """The tracked files (gitformat-index(5)); one that is in conflict is there up to three times. Raises ValueError."""
    end = len(held) - form.oid_length
    version, count = int.from_bytes(held[4:8], "big"), int.from_bytes(held[8:12], "big")
    whole = held[end:] in (form.hash_object(held[:end]), bytes(form.oid_length))
    if held[:4] != b"DIRC" or version not in (2, 3, 4) or not whole:
        raise ValueError("no index, or a part of one")
    begun, name, length = 12, b"", 0
    for _ in range(count):
        at = begun + 42 + form.oid_length  # what `stat` said of the file, its object, the flags
        at += 2 if version > 2 and held[at - 2] & 64 else 0
        gone, at = distance(held, at) if version == 4 else (len(name), at)
        close = held.index(b"\0", at)
        last, name = name, name[: len(name) - gone] + held[at:close]
        begun = close + 1 if version == 4 else begun + (close - begun + 8) // 8 * 8
        length += len(name)
        if gone > len(last) or length > 4 * LARGEST:  # a few bytes can stand for a very long name
            raise ValueError("an odd index")
        if name != last:
            yield name
    while begun < end:
        if held[begun : begun + 1].islower():  # git's mark for what must be understood: names are kept elsewhere
            raise ValueError("a part of an index")
        begun += 8 + int.from_bytes(held[begun + 4 : begun + 8], "big")


def _of_tree(clone: Clone, head: str) -> Iterator[bytes]:
    """The files of a commit; those of its folders without their names, which nobody asks for."""
    commit = clone[ObjectID(head.encode())]
    assert isinstance(commit, Commit)
    todo = [(commit.tree, True)]
    while todo:
        if len(todo) > FILES:
            raise ValueError("too many folders")
        sha, top = todo.pop()
        tree = clone[sha]
        assert isinstance(tree, Tree)
        for entry in tree.iteritems():
            if stat.S_ISDIR(entry.mode):
                todo.append((entry.sha, False))
            else:
                yield entry.path if top else b""
