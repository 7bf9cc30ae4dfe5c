"""The audit log: every report appended to an SQLite file after its answer has left, and found again by its tenant."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Literal, NamedTuple
from urllib.parse import quote

log = logging.getLogger("groundwire")

WAITING = 1_000
"""Records that may wait to be written; what comes when that many wait is dropped, and said so."""

MODEL = 200
"""Code points that are kept of a model's name, which is the client's to choose."""

GATHER = 0.05
"""Seconds that the writer waits for more before it writes."""

AGAIN = 1.0
"""Seconds that the writer waits before it tries again what the disk, or another's lock on the file, has refused."""

DAY, HOUR, MINUTE = 86_400.0, 3_600.0, 60.0

RECENT = 300.0
"""Seconds for which the log is said to drop records, after it has dropped one."""

PORTION = 500
"""Records that are deleted in one transaction, so that whoever writes beside it waits for no more."""

SCHEMA = """
CREATE TABLE IF NOT EXISTS audits (
    id TEXT NOT NULL, scope TEXT NOT NULL, turn TEXT NOT NULL, at REAL NOT NULL,
    model TEXT NOT NULL, flagged INTEGER NOT NULL, report TEXT NOT NULL, PRIMARY KEY (scope, id)
) WITHOUT ROWID
"""
INDEX = "CREATE INDEX IF NOT EXISTS audits_at ON audits (at)"
"""For who reads the last days or deletes the first ones, and would go through all rows."""


class Record(NamedTuple):
    """One audit. `scope` is its tenant's, `turn` the same for a request sent again, `at` seconds since 1970, `report` JSON."""

    id: str
    scope: str
    turn: str
    at: float
    model: str
    flagged: bool
    report: str


def between(path: Path, since: float, scope: str = "") -> Iterator[Record]:
    """The records of a file from a time on, oldest first, of one tenant or of all; the file is only read."""
    with closing(sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True, timeout=5.0)) as database:
        rows = database.execute(
            "SELECT id, scope, turn, at, model, flagged, report FROM audits"
            " WHERE at >= ? AND (? = '' OR scope = ?) ORDER BY at, id",
            (since, scope, scope),
        )
        for identifier, whose, turn, at, model, flagged, report in rows:
            yield Record(identifier, whose, turn, at, model, bool(flagged), report)


class Records:
    """One file, one writing thread, a bounded queue in front of it. `add` never waits.

    Records are kept for `days`, 0 for ever; what is older is deleted little by little.
    """

    def __init__(self, path: Path, days: int = 0) -> None:
        self._path, self._days = path, days
        self._waiting: deque[Record] = deque()
        self._wake = threading.Event()
        self._closing = False
        self._thread: threading.Thread | None = None
        self._refused = ""
        self._dropped_at = -RECENT
        self.dropped = 0

    @property
    def waiting(self) -> int:
        """Records that are not written yet."""
        return len(self._waiting)

    @property
    def state(self) -> Literal["ok", "waits", "drops"]:
        """Whether the log can be written: it waits for the file, or has dropped records lately."""
        if time.monotonic() < self._dropped_at + RECENT:
            return "drops"
        return "waits" if self._refused else "ok"

    def start(self) -> None:
        """Open the file, made for its owner alone, and begin to write."""
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._path.touch(mode=0o600)
        with closing(self._connect()) as database:
            database.execute("PRAGMA journal_mode=WAL")  # readers do not wait for the writer
            database.execute(SCHEMA)
            database.commit()
        self._thread = threading.Thread(target=self._write, name="records", daemon=True)
        self._thread.start()

    def add(self, record: Record) -> None:
        """Hand a record over. When the disk cannot keep up it is dropped, counted, and the log says so."""
        if len(self._waiting) >= WAITING:
            self._drop(1)
            log.error("the audit log cannot keep up: %d records dropped so far", self.dropped)
            return
        model = record.model[:MODEL].encode("utf-8", "replace").decode()  # half a surrogate pair would stop the writer
        self._waiting.append(record._replace(model=model))
        if not self._wake.is_set():
            self._wake.set()

    async def find(self, scope: str, audit_id: str) -> str | None:
        """The report of one audit as JSON, for the tenant whose it is; None for anybody else."""
        for record in [*self._waiting]:  # an answer may be asked about before the log is written
            if (record.scope, record.id) == (scope, audit_id):
                return record.report
        return await asyncio.to_thread(self._find, scope, audit_id)

    def _find(self, scope: str, audit_id: str) -> str | None:
        with closing(self._connect()) as database:
            rows = database.execute("SELECT report FROM audits WHERE scope = ? AND id = ?", (scope, audit_id))
            found = rows.fetchone()
        return None if found is None else str(found[0])

    def _connect(self) -> sqlite3.Connection:
        database = sqlite3.connect(self._path, timeout=5.0)
        database.execute("PRAGMA synchronous=NORMAL")  # a power cut may lose the last records, never the file
        return database

    def _write(self) -> None:
        """Write what comes, and delete what is too old: a portion, then what came meanwhile, then the next portion."""
        with closing(self._connect()) as database:
            with suppress(sqlite3.Error):  # another process has a lock on the file: the next start makes it
                database.execute(INDEX)
            due = time.monotonic()
            while not (self._closing and not self._waiting):
                if self._wake.wait(max(0.0, due - time.monotonic()) if self._days else None) and not self._closing:
                    time.sleep(GATHER)  # what comes meanwhile shares a transaction
                self._wake.clear()
                self._write_waiting(database)
                if self._days and time.monotonic() >= due and not self._closing:
                    due = time.monotonic() + self._delete_portion(database)

    def _write_waiting(self, database: sqlite3.Connection) -> None:
        """Write all that waits. What a full disk or a locked file refuses goes on waiting; at the end it is given up."""
        batch = [*self._waiting]
        try:
            with database:
                database.executemany("INSERT OR REPLACE INTO audits VALUES (?, ?, ?, ?, ?, ?, ?)", batch)
            self._refused = ""
        except sqlite3.OperationalError as error:
            if not self._closing:
                if self._refused != str(error):  # once, not once a second
                    log.error("the audit log cannot be written, and waits: %s", error)
                self._refused = str(error)
                time.sleep(AGAIN)
                self._wake.set()
                return
            self._give_up(batch, error)
        except sqlite3.Error as error:
            self._give_up(batch, error)
        for _ in batch:  # only now: until it is written, it is found here
            self._waiting.popleft()

    def _give_up(self, batch: list[Record], error: sqlite3.Error) -> None:
        self._drop(len(batch))
        log.error("%d records could not be written: %s", len(batch), error)

    def _drop(self, number: int) -> None:
        self.dropped += number
        self._dropped_at = time.monotonic()

    def _delete_portion(self, database: sqlite3.Connection) -> float:
        """Delete some of the records that are too old; says in how many seconds there may be more of them."""
        old = "SELECT scope, id FROM audits WHERE at < ? LIMIT ?"
        try:
            with database:
                gone = database.execute(
                    f"DELETE FROM audits WHERE (scope, id) IN ({old})", (time.time() - self._days * DAY, PORTION)
                )
        except sqlite3.Error as error:
            log.warning("old records could not be deleted: %s", error)
            return MINUTE
        return GATHER if gone.rowcount == PORTION else HOUR

    def close(self) -> None:
        """Write what waits, and stop."""
        if self._thread is not None:
            self._closing = True
            self._wake.set()
            self._thread.join(10)
            self._thread = None
