"""Git as ground truth: what a clone under a folder holds, and where a listed remote's ref points."""

from __future__ import annotations

import asyncio
import os
import re
import time
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from dulwich.objects import Commit

from proxy.audit import NOTHING, Absent, Present, Question, Sight, Unknown
from proxy.sources.git_clone import FILES, Clone, Disk, control_of, inside, is_sound

KEYS = {"type", "root", "remotes", "timeout"}
SHA = re.compile(r"[0-9a-f]{7,40}")
REF = re.compile(r"(?!-)(?!.*(?:\.\.|//|@\{))[\w./+@-]{1,200}")
SERVER = re.compile(r"(?:(?!-)[\w.-]+@)?(?!-)[\w.-]+(?::\d{1,5})?", re.A)
PATH = re.compile(r"(?!-)[\w./~+-]+", re.A)
README = re.compile(rb"(?i)readme(?:\.\w+)?")
LIST = ("git", "-c", "http.followRedirects=false", "-c", "credential.helper=", "ls-remote", "--quiet", "--")
ANSWER = 64 * 1024
"""Bytes of a remote's answer that are read."""


class Git:
    """The clones under a root, of which nothing is run; and remotes that the operator lists.

    Paths and URLs are what models wrote, and agents write into clones: links to folders and `gitdir:` files are followed,
    what leads out of the root is not read, nor a file of git's own that is a link, a pipe or a device. A remote is asked
    by `git ls-remote` with fixed arguments, without any configuration, and by https or ssh only; a local repository only
    where `remotes` lists it by its path, letter by letter.
    """

    def __init__(self, root: Path, remotes: tuple[str, ...] = (), *, timeout: float = 5.0) -> None:
        self._root, self._remotes, self._timeout = root, remotes, timeout

    async def look(self, subject: str, question: Question = NOTHING) -> Sight:
        try:
            async with asyncio.timeout(self._timeout):
                if "remote" in question:
                    return await self._ask(question["remote"], question.get("ref") or "HEAD")
                until = time.monotonic() + self._timeout
                return await asyncio.to_thread(self._look, subject, question.get("commit"), until)
        except TimeoutError:
            return Unknown("git did not answer in time")

    def _look(self, subject: str, commit: str | None, until: float) -> Sight:
        if not subject or "\0" in subject:
            return Unknown("not a path")
        if not self._root.is_dir():
            return Unknown("the folder of clones is not there")
        root = os.path.realpath(self._root)
        try:
            path = os.path.realpath(os.path.join(root, subject))
            if not inside(path, root):
                return Unknown("outside the folder of clones")
            disk = Disk(root, until)
            control = control_of(disk, path)
            if control is None:
                return Absent("no such clone")
            if not is_sound(control, root):
                return Unknown("the clone leads out of its folder, or is odd")
            with ExitStack() as opened:
                clone = Clone(disk, control, opened)
                return _has(clone, commit) if commit is not None else _read(clone)
        except Exception as error:  # noqa: BLE001 - a broken clone raises whatever its parts happen to be read as
            return Unknown(f"could not be read: {type(error).__name__}")

    async def _ask(self, url: str, ref: str) -> Sight:
        local = _allowed(url, self._remotes)
        if local is None:
            return Unknown("not a remote that may be asked")
        if not REF.fullmatch(ref):
            return Unknown("not a ref")
        wanted = [ref] if ref == "HEAD" or ref.startswith("refs/") else [f"refs/heads/{ref}", f"refs/tags/{ref}"]
        try:
            git = await asyncio.create_subprocess_exec(
                *(*LIST, url, *wanted),
                cwd="/",
                env=_environment(local),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                start_new_session=True,
            )
        except (OSError, ValueError):
            return Unknown("git could not be run")
        try:
            assert git.stdout is not None
            told = await _bounded(git.stdout)
            if told is None or await git.wait() != 0:
                return Unknown("the remote did not answer")
        finally:
            if git.returncode is None:
                with suppress(ProcessLookupError):  # it may have ended in between
                    os.killpg(git.pid, 9)  # its own session: the transport that it started goes with it
                await git.wait()
        refs = dict(line.split("\t")[::-1] for line in told.decode("utf-8", "replace").splitlines() if "\t" in line)
        found = next((refs[name] for name in wanted if name in refs), None)
        return Absent("the remote has no such ref") if found is None else Present({"commit": found})

    async def aclose(self) -> None:
        return None


async def _bounded(stream: asyncio.StreamReader) -> bytes | None:
    """All that a process writes; None where it is more than anyone should read."""
    told = b""
    while piece := await stream.read(8_192):
        told += piece
        if len(told) > ANSWER:
            return None
    return told


def _read(clone: Clone) -> Sight:
    branch, head = clone.head()
    if head is None:
        return Present({"commit": "", "branch": branch, "files": 0, "readme": False})
    count, readme = 0, False
    for name in clone.tracked(head):
        count, readme = count + 1, readme or bool(README.fullmatch(name))
        if count > FILES:
            return Unknown("the clone has too many files")
    return Present({"commit": head, "branch": branch, "files": count, "readme": readme})


def _has(clone: Clone, commit: str) -> Sight:
    """Whether a commit is in the clone, by its whole name or by the first seven digits or more."""
    commit = commit.lower()
    if not SHA.fullmatch(commit):
        return Unknown("not the name of a commit")
    found = [name for name in clone.names(commit) if clone[name].type_num == Commit.type_num]
    if len(found) > 1:
        return Unknown("more than one commit begins so")
    if found:
        return Present({"commit": found[0].decode()})
    shallow = bool((clone.file("shallow") or b"").strip())
    return Unknown("the clone holds only a part of the history") if shallow else Absent("no such commit in the clone")


def _allowed(url: str, remotes: tuple[str, ...]) -> bool | None:
    """None: not to be asked; else whether it is a repository on this machine.

    Server and path are held against their own parts of a glob: a `*` of the server's never reaches into the path.
    """
    if url.startswith("/"):
        return True if url in remotes else None
    parts = _parts(url)
    listed = any(
        all(fnmatchcase(part, glob) for part, glob in zip(parts, globs, strict=True))
        for globs in map(_parts, remotes)
        if parts is not None and globs is not None
    )
    if parts is None or not listed:
        return None
    scheme, server, path = parts
    good = SERVER.fullmatch(server) and PATH.fullmatch(path) and ".." not in path
    return False if good and (scheme == "ssh" or (scheme == "https" and "@" not in server)) else None


def _parts(url: str) -> tuple[str, str, str] | None:
    """Scheme, server and path of a URL or a glob; of `git@host:path` too, which is ssh; None where it is neither."""
    scheme, mark, rest = url.partition("://")
    if mark:
        server, _, path = rest.partition("/")
        return scheme, server, path
    server, mark, path = url.partition(":")
    return ("ssh", server, path) if mark and "@" in server and "/" not in server else None


def _environment(local: bool) -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "SSH_AUTH_SOCK") if name in os.environ}
    return {
        **kept,
        "GIT_ALLOW_PROTOCOL": "file" if local else "https:ssh",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_SYSTEM": os.devnull,
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CEILING_DIRECTORIES": "/",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ASKPASS": "true",
        "SSH_ASKPASS": "true",
        "GIT_SSH_COMMAND": "ssh -oBatchMode=yes -oProxyCommand=none -oPermitLocalCommand=no",
        "LC_ALL": "C",
    }


def build(name: str, table: Mapping[str, Any], env: Mapping[str, str]) -> Git:
    """From `[sources.NAME] type = "git"`, `root`, `remotes`, `timeout`. Raises ValueError("key: problem")."""
    if unknown := set(table) - KEYS:
        raise ValueError(f"{min(unknown)}: is no key of this source; known: {', '.join(sorted(KEYS - {'type'}))}")
    if not isinstance(table.get("root"), str):
        raise ValueError("root: is missing, such as '/srv/clones'")
    remotes, timeout = table.get("remotes", []), table.get("timeout", 5.0)
    if not isinstance(remotes, list) or not all(isinstance(one, str) and one for one in remotes):
        raise ValueError("remotes: must be a list of globs such as 'https://github.com/acme/*'")
    if isinstance(timeout, bool) or not isinstance(timeout, (int, float)) or not 0.01 <= timeout <= 60:
        raise ValueError("timeout: must be 0.01 to 60 seconds")
    return Git(Path(table["root"]), tuple(remotes), timeout=float(timeout))
