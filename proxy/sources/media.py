"""Media files as ground truth: what a video or a sound really holds, read in a process of its own under limits."""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

from proxy.audit import NOTHING, Present, Question, Sight, Unknown
from proxy.sources.below import file_below
from proxy.sources.files import Files
from proxy.sources.objects import Objects
from proxy.sources.objects import build as objects

WORKER = Path(__file__).with_name("media_worker.py")
MEMORY = 1024
"""Megabytes of address space of one worker: what its libraries map is a third of it."""
MAX_ANSWER = 65_536
CAPTIONS = (".srt", ".vtt")
MAX_CAPTIONS = 4 << 20
MAX_CUES = 50_000
TIME = r"(?:(\d{1,3}):)?(\d\d):(\d\d)[.,](\d{3})"
CUE = re.compile(rf"(?ma)^[ \t]{{0,16}}{TIME}[ \t]{{1,16}}-->[ \t]{{1,16}}{TIME}")
"""No part of it reaches over the end of a line: a text of nothing but line ends would be read from each of them anew."""


@dataclass(frozen=True, slots=True)
class Limits:
    """`timeout` seconds for one file, all told; `max_bytes` of it; `concurrency` files at once."""

    timeout: float = 5.0
    max_bytes: int = 256 << 20
    concurrency: int = 2


class Media:
    """The media files under a root, the objects of a store, or both (the root first).

    Paths are what models wrote: links are resolved, and what leads out is not looked at. A file that is there and is no
    media, does not decode, or takes its reader down with it, is `Unknown`: it may be read elsewhere.
    """

    def __init__(self, root: Path | None, artifacts: Objects | None, limits: Limits) -> None:
        self._root, self._artifacts, self._limits = root, artifacts, limits
        self._files = None if root is None else Files(root)
        self._slots = asyncio.Semaphore(limits.concurrency)

    async def look(self, subject: str, question: Question = NOTHING) -> Sight:
        """`size`, `container`, `duration`, `read` (seconds of it that are there), `errors`, `video`, `audio`, …

        Lengths are seconds, sizes bytes, levels dBFS. `silence` has `peak`, `mean` and the `seconds` they were taken from;
        `subtitles` has `count`, `seconds` covered and the `end` of the last; a file of captions has only these.
        """
        sight: Sight = Unknown("no folder and no store is configured")
        try:
            async with asyncio.timeout(self._limits.timeout), self._slots:
                if self._files is not None:
                    sight = await self._look_at_file(subject)
                if self._artifacts is not None and not isinstance(sight, Present):
                    other = await self._look_at_object(subject)
                    sight = other if self._files is None or isinstance(other, Present) else sight
        except TimeoutError:
            return Unknown("it took longer than it may")
        return sight

    async def _look_at_file(self, subject: str) -> Sight:
        assert self._files is not None
        sight = await self._files.look(subject)
        if not isinstance(sight, Present):
            return sight
        try:
            file = self._open(subject)
        except (IsADirectoryError, ValueError):
            return Unknown("is no file")
        except OSError as error:
            return Unknown(f"could not be read: {type(error).__name__}")
        try:
            return await self._read(file, os.fstat(file).st_size, subject)
        finally:
            os.close(file)

    def _open(self, subject: str) -> int:
        assert self._root is not None
        root = os.path.realpath(self._root)
        return file_below(root, os.path.realpath(os.path.join(root, subject.replace("\\", "/"))))

    async def _look_at_object(self, subject: str) -> Sight:
        assert self._artifacts is not None
        sight = await self._artifacts.look(subject)
        if not isinstance(sight, Present) or not sight.fields["size"]:
            return sight
        if sight.fields["size"] > self._limits.max_bytes:
            return Unknown("is larger than max_bytes")
        try:
            held = await self._artifacts.fetch(subject, self._limits.max_bytes)
        except Exception as error:  # noqa: BLE001 - the library raises its transport's errors under one root
            return Unknown(f"the store did not answer: {type(error).__name__}")
        with TemporaryFile() as file:
            await asyncio.to_thread(file.write, held)
            file.flush()
            return await self._read(file.fileno(), len(held), subject)

    async def _read(self, file: int, size: int, subject: str) -> Sight:
        if not size:
            return Present({"size": 0})
        if size > self._limits.max_bytes:
            return Unknown("is larger than max_bytes")
        if subject.lower().endswith(CAPTIONS):
            if size > MAX_CAPTIONS:
                return Unknown("is larger than captions are")
            return await asyncio.to_thread(captions, os.pread(file, MAX_CAPTIONS, 0), size)
        os.lseek(file, 0, os.SEEK_SET)
        answer = await self._ask(file)
        error = answer.pop("error", None)
        return Unknown(str(error)) if error is not None else Present({"size": size, **answer})

    async def _ask(self, file: int) -> dict[str, Any]:
        """What the worker says of an open file; the environment, and so every secret, stays here."""
        seconds = str(max(1, round(self._limits.timeout)))
        worker = await asyncio.create_subprocess_exec(
            *(sys.executable, "-I", str(WORKER), seconds, str(MEMORY)),
            stdin=file,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env={},
            cwd="/",
            start_new_session=True,
        )
        assert worker.stdout is not None
        try:
            said = await worker.stdout.read(MAX_ANSWER)
            while (more := await worker.stdout.read(MAX_ANSWER)) and len(said) < MAX_ANSWER:
                said += more
            code = await worker.wait()
        finally:
            if worker.returncode is None:
                with suppress(ProcessLookupError):
                    worker.kill()
                await asyncio.shield(worker.wait())
        if code:
            return {"error": "does not decode: its reader died of it"}
        try:
            answer = json.loads(said)
        except ValueError:
            answer = None
        return answer if isinstance(answer, dict) else {"error": "does not decode: its reader said nothing"}

    async def aclose(self) -> None:
        if self._artifacts is not None:
            await self._artifacts.aclose()


def captions(held: bytes, size: int) -> Sight:
    """What a SubRip or WebVTT text covers."""
    found = list(islice(CUE.finditer(held.decode("utf-8", "replace")), MAX_CUES + 1))
    cues = [[int(part or 0) for part in one.groups()] for one in found]
    spans = [(_seconds(*cue[:4]), _seconds(*cue[4:])) for cue in cues]
    if not spans:
        return Unknown("holds no captions")
    if len(spans) > MAX_CUES:
        return Unknown("holds more captions than are counted")
    covered = sum(max(0.0, end - start) for start, end in spans)
    end = max(end for _, end in spans)
    return Present({"size": size, "subtitles": {"count": len(spans), "seconds": round(covered, 3), "end": end}})


def _seconds(hours: int, minutes: int, seconds: int, thousandths: int) -> float:
    return hours * 3600 + minutes * 60 + seconds + thousandths / 1000


KNOWN = ("root", "artifacts", "timeout", "max_bytes", "concurrency")


def build(name: str, table: Mapping[str, Any], env: Mapping[str, str]) -> Media:
    """From `[sources.NAME] type = "media"`, `root` or `artifacts`, and limits. Raises ValueError("key: problem")."""
    if unknown := set(table) - {"type", *KNOWN}:
        raise ValueError(f"{min(unknown)}: is no key of this source; known: {', '.join(KNOWN)}")
    if find_spec("av") is None:
        raise ModuleNotFoundError("No module named 'av'", name="av")
    for key in ("root", "artifacts"):
        if key in table and not isinstance(table[key], str):
            raise ValueError(f"{key}: must be a text")
    if "root" not in table and "artifacts" not in table:
        raise ValueError("root: is missing, such as '/srv/workspace'; or give artifacts, such as 's3://bucket/prefix'")
    artifacts = None
    if "artifacts" in table:
        try:
            artifacts = objects(name, {"url": table["artifacts"]}, env)
        except ValueError as error:
            raise ValueError(f"artifacts: {str(error).removeprefix('url: ')}") from None
    root = Path(table["root"]) if "root" in table else None
    return Media(root, artifacts, _limits(table))


def _limits(table: Mapping[str, Any]) -> Limits:
    defaults = Limits()
    timeout = _number(table, "timeout", defaults.timeout, 0.1, 60)
    max_bytes = int(_number(table, "max_bytes", defaults.max_bytes, 1, 1 << 32))
    return Limits(timeout, max_bytes, int(_number(table, "concurrency", defaults.concurrency, 1, 16)))


def _number(table: Mapping[str, Any], key: str, default: float, least: float, most: float) -> float:
    value = table.get(key, default)
    whole = key != "timeout"
    if isinstance(value, bool) or not isinstance(value, int if whole else (int, float)) or not least <= value <= most:
        raise ValueError(f"{key}: must be {'a whole number' if whole else 'a number'} of {least:g} to {most:g}")
    return value
