"""A folder of documents as a search engine: Markdown, HTML, plain text and PDF in an SQLite FTS5 index in memory."""

from __future__ import annotations

import asyncio
import os
import re
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path
from typing import BinaryIO, NamedTuple
from urllib.parse import quote

from proxy.audit import Unknown
from proxy.sources import page_text
from proxy.sources.below import file_below
from proxy.wording import plain

FILES, FILE, TOTAL, PAGES = 20_000, 5_000_000, 200_000_000, 500
"""Files of a corpus, bytes of one and of all, and pages of a PDF that are read; what is over is counted as left out."""

WORKER = Path(__file__).with_name("pdf_worker.py")
SECONDS, MEMORY = 20, 1024
"""How long one PDF may be read, and in how many megabytes of address space."""

CHUNK = 2_000
"""Code points of a piece; a long paragraph is more."""

FRESH = 30.0
"""Seconds after which it is looked whether a file has changed."""

TERMS = 24
KINDS = {
    ".md": "text",
    ".markdown": "text",
    ".txt": "text",
    ".rst": "text",
    ".html": "html",
    ".htm": "html",
    ".pdf": "pdf",
}
TERM = re.compile(r"[^\W_]+")
SOLID = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]")
"""Scripts without spaces: each sign is a word of the index."""


class Found(NamedTuple):
    """A document that a search found, and its text where the finder has it."""

    url: str
    title: str
    text: str = ""


class Stamp(NamedTuple):
    """A file as it was when it was read."""

    path: str
    size: int
    changed: int


class Corpus:
    """The documents under a root, links resolved, nothing outside it; indexed at the first search, and anew after a change.

    All of it runs in one thread of its own. A document's address is `base_url` and its path under the root.
    """

    def __init__(self, root: Path, *, base_url: str = "", fresh: float = FRESH, largest: int = FILE) -> None:
        self._root, self._base_url = root, base_url
        self._fresh, self._largest = fresh, largest
        self._thread: ThreadPoolExecutor | None = None
        self._index: sqlite3.Connection | None = None
        self._stamps: tuple[Stamp, ...] = ()
        self._looked = 0.0
        self._unread = 0
        self._over = False

    async def find(self, query: str, limit: int) -> list[Found] | Unknown:
        """The documents that fit best, or why it cannot be told."""
        if self._thread is None:
            self._thread = ThreadPoolExecutor(1, "corpus")
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, self._find, query, limit, loop.time())

    def _find(self, query: str, limit: int, now: float) -> list[Found] | Unknown:
        root = os.path.realpath(self._root)
        if not os.path.isdir(root):
            return Unknown("the corpus is not there")
        if self._index is None or now - self._looked > self._fresh:
            self._refresh(root)
            self._looked = now
        found = list(self._matches(query, limit))
        if not found and self._unread:
            return Unknown(f"nothing found, and {self._unread} files of the corpus could not be read")
        return found

    def _refresh(self, root: str) -> None:
        stamps, left_out = _stamps(root, self._largest)
        if self._index is not None and stamps == self._stamps:
            return
        index = sqlite3.connect(":memory:", check_same_thread=False)
        index.execute("CREATE TABLE pieces (id INTEGER PRIMARY KEY, path TEXT, title TEXT, body TEXT)")
        index.execute(
            "CREATE VIRTUAL TABLE found USING fts5(title, body, content='', tokenize='unicode61 remove_diacritics 2')"
        )
        self._unread = left_out
        for stamp in stamps:
            if self._over:
                break
            text = _text(root, stamp.path)
            if text is None:
                self._unread += 1
                continue
            title = text.title or Path(stamp.path).stem
            for piece in _pieces(text.text):
                added = index.execute(
                    "INSERT INTO pieces (path, title, body) VALUES (?, ?, ?)", (stamp.path, title, piece)
                )
                values = (added.lastrowid, _parted(title), _parted(piece))
                index.execute("INSERT INTO found (rowid, title, body) VALUES (?, ?, ?)", values)
        index.commit()
        if self._index is not None:
            self._index.close()
        self._index, self._stamps = index, stamps

    def _matches(self, query: str, limit: int) -> Iterator[Found]:
        """The best pieces, those of one document together."""
        terms = list(
            dict.fromkeys(one.lower() for one in TERM.findall(_parted(query)) if len(one) > 1 or SOLID.match(one))
        )
        if not terms or self._index is None:
            return
        wanted = " OR ".join(f'"{term}"' for term in terms[:TERMS])
        sql = (
            "SELECT path, pieces.title, pieces.body FROM found JOIN pieces ON pieces.id = found.rowid WHERE found MATCH ?"
            " ORDER BY bm25(found, 4.0, 1.0) LIMIT ?"
        )
        texts: dict[str, list[str]] = {}
        titles: dict[str, str] = {}
        for path, title, body in self._index.execute(sql, (wanted, limit * 4)):
            if path in texts or len(texts) < limit:
                texts.setdefault(path, []).append(body)
                titles[path] = title
        for path, bodies in texts.items():
            yield Found(self._base_url + quote(path.replace(os.sep, "/")), titles[path], "\n".join(bodies))

    async def aclose(self) -> None:
        thread, self._thread, self._over = self._thread, None, True
        if thread is not None:
            thread.submit(self._close)  # behind what it is at, which ends soon
            thread.shutdown(wait=False)

    def _close(self) -> None:
        if self._index is not None:
            self._index.close()
            self._index = None


def _stamps(root: str, largest: int) -> tuple[tuple[Stamp, ...], int]:
    """The documents under a root as they are now, and how many were left out."""
    kept: list[Stamp] = []
    left_out = total = 0
    for folder, names, files in os.walk(root):
        names[:] = sorted(name for name in names if not name.startswith("."))
        for name in sorted(files):
            if name.startswith(".") or Path(name).suffix.lower() not in KINDS:
                continue
            path = os.path.join(folder, name)
            real = os.path.realpath(path)
            try:
                told = os.stat(real)
                path.encode()
            except (OSError, UnicodeEncodeError):
                left_out += 1
                continue
            outside = not real.startswith(os.path.join(root, ""))
            if outside or not stat.S_ISREG(told.st_mode):
                continue  # what a link leads out to is no document of this corpus
            if told.st_size > largest or total + told.st_size > TOTAL or len(kept) >= FILES:
                left_out += 1
                continue
            total += told.st_size
            kept.append(Stamp(os.path.relpath(path, root), told.st_size, told.st_mtime_ns))
    return tuple(kept), left_out


def _text(root: str, path: str) -> page_text.Page | None:
    """A file below the root as a page whose paragraphs are lines; None where it cannot be read."""
    kind = KINDS[Path(path).suffix.lower()]
    try:
        with os.fdopen(file_below(root, os.path.realpath(os.path.join(root, path))), "rb") as file:
            if kind == "pdf":
                return page_text.Page(text=_pdf(file))
            body = file.read(FILE + 1)
    except (OSError, ValueError, ModuleNotFoundError):
        return None
    if kind == "html":
        return page_text.read(body, "text/html", whole=True, limit=FILE, lines=True)
    text = body.decode("utf-8", "replace")
    heading = re.search(r"(?m)^#{1,2}\s+(.{1,200})$", text[:5_000])
    return page_text.Page(heading[1].strip() if heading else "", plain(text))


def _pdf(file: BinaryIO) -> str:
    """The text of a PDF. Raises ValueError where it cannot be read, ModuleNotFoundError without the extra `pdf`."""
    if find_spec("pypdf") is None:
        raise ModuleNotFoundError("No module named 'pypdf'", name="pypdf")
    words = (sys.executable, "-I", str(WORKER), *map(str, (SECONDS, MEMORY, PAGES, FILE)))
    try:
        told = subprocess.run(
            words, stdin=file, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env={}, cwd="/", timeout=SECONDS
        )
    except subprocess.TimeoutExpired:
        raise ValueError("a PDF that takes longer than it may") from None
    text = plain(told.stdout.decode("utf-8", "replace"))
    if told.returncode or not text:
        raise ValueError("no PDF that can be read, or one without a text: pictures of pages")
    return text


def _pieces(text: str) -> Iterator[str]:
    """A text in pieces of whole paragraphs; each piece begins with the last paragraph of the one before it."""
    piece: list[str] = []
    size = 0
    for line in text.split("\n"):
        if size + len(line) > CHUNK and piece:
            yield "\n".join(piece)
            piece = piece[-1:] if len(piece[-1]) < CHUNK // 4 else []
            size = sum(map(len, piece))
        piece.append(line)
        size += len(line)
    if piece and size:
        yield "\n".join(piece)


def _parted(text: str) -> str:
    return SOLID.sub(r" \g<0> ", text)
