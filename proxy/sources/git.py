"""Git as ground truth: what a clone under a folder holds, and where a listed remote's ref points."""

from __future__ import annotations

import asyncio
import os
import re
import stat
from collections.abc import Mapping
from contextlib import suppress
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from dulwich.index import Index
from dulwich.object_store import iter_tree_contents
from dulwich.objects import Commit
from dulwich.refs import HEADREF
from dulwich.repo import Repo

from proxy.audit import NOTHING, Absent, Present, Question, Sight, Unknown

KEYS = {"type", "root", "remotes", "timeout"}
SHA = re.compile(r"[0-9a-f]{7,40}")
REF = re.compile(r"(?!-)(?!.*(?:\.\.|//|@\{))[\w./+@-]{1,200}")
SERVER = re.compile(r"(?:(?!-)[\w.-]+@)?(?!-)[\w.-]+(?::\d{1,5})?", re.A)
PATH = re.compile(r"(?!-)[\w./~+-]+", re.A)
README = re.compile(rb"(?i)readme(?:\.\w+)?")
LARGEST = 64 * 1024 * 1024
"""Bytes of one file of a clone's own (its index, its packed refs) that is read."""
FILES = 1_000_000
LIST = ("git", "-c", "http.followRedirects=false", "-c", "credential.helper=", "ls-remote", "--quiet", "--")
ANSWER = 64 * 1024
"""Bytes of a remote's answer that are read."""


class Git:
    """The clones under a root, read by a library that runs nothing; and remotes that the operator lists.

    Paths and URLs are what models wrote: links and `gitdir:` files are followed, and what leads out of the root is not
    read. A remote is asked by `git ls-remote` with fixed arguments, without any configuration, and by https or ssh only;
    a local repository only where `remotes` lists it by its path, letter by letter.
    """

    def __init__(self, root: Path, remotes: tuple[str, ...] = (), *, timeout: float = 5.0) -> None:
        self._root, self._remotes, self._timeout = root, remotes, timeout

    async def look(self, subject: str, question: Question = NOTHING) -> Sight:
        try:
            async with asyncio.timeout(self._timeout):
                if "remote" in question:
                    return await self._ask(question["remote"], question.get("ref") or "HEAD")
                return await asyncio.to_thread(self._look, subject, question.get("commit"))
        except TimeoutError:
            return Unknown("git did not answer in time")

    def _look(self, subject: str, commit: str | None) -> Sight:
        if not subject or "\0" in subject:
            return Unknown("not a path")
        if not self._root.is_dir():
            return Unknown("the folder of clones is not there")
        root = os.path.realpath(self._root)
        try:
            path = os.path.realpath(os.path.join(root, subject))
            if not _inside(path, root):
                return Unknown("outside the folder of clones")
            control = _control(path)
            if control is None:
                return Absent("no such clone")
            if not _sound(control, root):
                return Unknown("the clone leads out of its folder, or is odd")
            with Repo(path) as repo:
                return _has(repo, commit) if commit is not None else _read(repo)
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
                *(
                    "git",
                    "-c",
                    "http.followRedirects=false",
                    "-c",
                    "credential.helper=",
                    "ls-remote",
                    "--quiet",
                    "--",
                    url,
                    *wanted,
                ),
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


def _inside(path: str, root: str) -> bool:
    return path == root or path.startswith(root + os.sep)


def _control(path: str) -> str | None:
    """Where a clone keeps its own files: `.git`, the folder that a `.git` file names, or itself; None: no clone."""
    inner = os.path.join(path, ".git")
    if os.path.isfile(inner):
        if os.path.islink(inner):
            return inner  # it is not read before it is known where it leads, and no clone is made so
        with open(inner, "rb") as file:
            told = os.fsdecode(file.read(4_096))
        return os.path.join(path, told.partition("gitdir:")[2].strip())
    if os.path.isdir(inner):
        return inner
    return path if os.path.isfile(os.path.join(path, "HEAD")) and os.path.isdir(os.path.join(path, "objects")) else None


def _sound(control: str, root: str) -> bool:
    """Whether every file that a reader would open lies under the root, is a file, and is of bearable size."""
    control = os.path.realpath(control)
    for name in ("", "HEAD", "config", "index", "packed-refs", "objects", "objects/pack", "objects/info", "refs"):
        path = os.path.realpath(os.path.join(control, name))
        if not _inside(path, root):
            return False
        try:
            found = os.stat(path)
        except FileNotFoundError:
            continue
        if not stat.S_ISDIR(found.st_mode) and not (stat.S_ISREG(found.st_mode) and found.st_size <= LARGEST):
            return False
    # A clone that borrows from another repository (a worktree, `--shared`) would be read there: it is left alone.
    borrowed = ("commondir", "objects/info/alternates", "config.worktree")
    return not any(os.path.lexists(os.path.join(control, name)) for name in borrowed)


def _read(repo: Repo) -> Sight:
    chain, head = repo.refs.follow(HEADREF)  # the name of each symbolic ref, the last one being what is checked out
    branch = chain[-1].removeprefix(b"refs/heads/").decode("utf-8", "replace") if len(chain) > 1 else ""
    if head is None:
        return Present({"commit": "", "branch": branch, "files": 0, "readme": False})
    names = _names(repo, head)
    if names is None:
        return Unknown("the clone has too many files")
    readme = any(README.fullmatch(name) for name in names)
    return Present({"commit": head.decode(), "branch": branch, "files": len(names), "readme": readme})


def _names(repo: Repo, head: Any) -> list[bytes] | None:
    """The tracked files: those of the index, or, where there is none, of the commit; None where they are too many."""
    index = os.path.join(repo.controldir(), "index")
    if os.path.exists(index):
        names = list(Index(index))
        return names if len(names) <= FILES else None
    commit = repo.object_store[head]
    names = []
    assert isinstance(commit, Commit)
    for entry in iter_tree_contents(repo.object_store, commit.tree):
        names.append(entry.path or b"")
        if len(names) > FILES:
            return None
    return names


def _has(repo: Repo, commit: str) -> Sight:
    """Whether a commit is in the clone, by its whole name or by the first seven digits or more."""
    commit = commit.lower()
    if not SHA.fullmatch(commit):
        return Unknown("not the name of a commit")
    found = [sha for sha in repo.object_store.iter_prefix(commit.encode()) if repo.object_store[sha].type_num == 1]
    if len(set(found)) > 1:
        return Unknown("more than one commit begins so")
    if found:
        return Present({"commit": found[0].decode()})
    shallow = bool(repo.get_shallow())
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
