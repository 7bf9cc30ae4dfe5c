"""Git as ground truth: real repositories, a real bare remote, and clones that are traps."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from proxy.audit import Absent, Present, Unknown
from proxy.sources import build as build_any
from proxy.sources.git import Git, _allowed

QUIET = {
    "PATH": os.environ["PATH"],
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    **{f"GIT_{who}_{what}": "a@b.c" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
}


def git(where: Path, *words: str) -> str:
    done = subprocess.run(["git", *words], cwd=where, env=QUIET, check=True, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """`clones/one` with two commits and a README, cloned from `clones/../origin.git`."""
    root = tmp_path / "clones"
    one = root / "one"
    one.mkdir(parents=True)
    git(one, "init", "-q", "-b", "main")
    for name in ("README.md", "a.py", "b/c.py"):
        (one / name).parent.mkdir(exist_ok=True)
        (one / name).write_text(name)
    git(one, "add", ".")
    git(one, "commit", "-qm", "first")
    git(one, "commit", "-qm", "second", "--allow-empty")
    git(tmp_path, "clone", "-q", "--bare", str(one), "origin.git")
    git(tmp_path, "clone", "-q", "--bare", str(one), "clones/bare.git")
    return root


async def test_what_a_clone_holds(root: Path) -> None:
    head = git(root / "one", "rev-parse", "HEAD")
    known = Present({"commit": head, "branch": "main", "files": 3, "readme": True})
    for subject in ("one", str(root / "one"), "./one/../one", "bare.git"):
        assert await Git(root).look(subject) == known
    git(root / "one", "checkout", "-q", "--detach", "HEAD~1")
    found = await Git(root).look("one")
    assert isinstance(found, Present)
    assert (found.fields["branch"], found.fields["commit"]) == ("", git(root / "one", "rev-parse", "HEAD"))


async def test_packed_refs_and_objects(root: Path) -> None:
    git(root / "one", "gc", "-q")
    head = git(root / "one", "rev-parse", "HEAD")
    assert await Git(root).look("one", {"commit": head[:7]}) == Present({"commit": head})
    assert isinstance(await Git(root).look("one"), Present)


async def test_commits(root: Path) -> None:
    old = git(root / "one", "rev-parse", "HEAD~1")
    tree = git(root / "one", "rev-parse", "HEAD^{tree}")
    for spelled in (old, old[:7], old[:12].upper()):
        assert await Git(root).look("one", {"commit": spelled}) == Present({"commit": old})
    for wrong in (old[:-1] + ("0" if old[-1] != "0" else "1"), tree):
        assert await Git(root).look("one", {"commit": wrong}) == Absent("no such commit in the clone")
    for odd in (old[:6], "HEAD", "", "--all", old + "0"):
        assert isinstance(await Git(root).look("one", {"commit": odd}), Unknown)


async def test_a_clone_of_a_part_accuses_nobody(root: Path) -> None:
    git(root, "clone", "-q", "--depth", "1", f"file://{root}/one", "shallow")
    old = git(root / "one", "rev-parse", "HEAD~1")
    assert isinstance(await Git(root).look("shallow", {"commit": old}), Unknown)


async def test_what_is_no_clone(root: Path) -> None:
    (root / "folder").mkdir()
    for subject in ("none", "folder", "one/b"):
        assert await Git(root).look(subject) == Absent("no such clone")
    assert isinstance(await Git(root / "nowhere").look("one"), Unknown)
    git(root / "folder", "init", "-q")
    found = await Git(root).look("folder")
    assert isinstance(found, Present)
    assert found.fields["commit"] == ""


async def test_nothing_outside_the_root_is_read(root: Path, tmp_path: Path) -> None:
    outside = tmp_path / "origin.git"
    (root / "link").symlink_to(outside)
    (root / "pointer").mkdir()
    (root / "pointer" / ".git").write_text(f"gitdir: {outside}\n")
    (root / "etc").mkdir()
    (root / "etc" / ".git").write_text("gitdir: /etc\n")
    (root / "linked").mkdir()
    (root / "linked" / ".git").symlink_to(outside)
    (root / "words").mkdir()
    (root / "words" / ".git").symlink_to("/etc/passwd")
    git(root, "clone", "-q", "--shared", str(outside), "borrows")
    git(root, "clone", "-q", "--bare", str(root / "one"), "refs.git")
    (root / "refs.git" / "packed-refs").unlink()
    (root / "refs.git" / "packed-refs").symlink_to("/etc/passwd")
    for subject in (
        "../origin.git",
        "link",
        "pointer",
        "etc",
        "linked",
        "words",
        "borrows",
        "refs.git",
        "/etc",
        "",
        "a\0b",
    ):
        assert isinstance(await Git(root).look(subject), Unknown), subject


async def test_a_fifo_is_not_waited_for(root: Path) -> None:
    (root / "bare.git" / "HEAD").unlink()
    os.mkfifo(root / "bare.git" / "HEAD")
    assert not isinstance(await Git(root, timeout=2.0).look("bare.git"), Present)


async def test_a_clone_runs_nothing(root: Path, tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    script = tmp_path / "run.sh"
    script.write_text(f"#!/bin/sh\ntouch {mark}\n")
    script.chmod(0o755)
    for key in ("core.fsmonitor", "core.sshCommand", "filter.x.clean", "filter.x.process", "core.pager"):
        git(root / "one", "config", key, str(script))
    git(root / "one", "config", "core.hooksPath", str(tmp_path))
    (root / "one" / ".gitattributes").write_text("* filter=x\n")
    assert isinstance(await Git(root).look("one"), Present)
    assert isinstance(await Git(root).look("one", {"commit": git(root / "one", "rev-parse", "HEAD")}), Present)
    assert not mark.exists()


async def test_a_remote_s_ref(root: Path, tmp_path: Path) -> None:
    bare = str(tmp_path / "origin.git")
    head = git(root / "one", "rev-parse", "HEAD")
    source = Git(root, (bare,))
    for ref in ("main", "refs/heads/main", "HEAD", ""):
        assert await source.look("one", {"remote": bare, "ref": ref}) == Present({"commit": head})
    assert await source.look("one", {"remote": bare, "ref": "other"}) == Absent("the remote has no such ref")
    for ref in ("--upload-pack=x", "a..b", "a b", "*"):
        assert await source.look("one", {"remote": bare, "ref": ref}) == Unknown("not a ref")
    gone = str(tmp_path / "gone.git")
    assert isinstance(await Git(root, (gone,)).look("one", {"remote": gone}), Unknown)


REFUSED = [
    "ext::sh -c touch% ran",
    "file:///etc",
    "/etc/x.git",
    "../origin.git",
    "--upload-pack=touch ran",
    "-oProxyCommand=x@h:p",
    "ssh://-oProxyCommand=touch/x",
    "git://example.com/x",
    "http://example.com/x",
    "https://user:word@example.com/x",
    "https://example.com/../x",
    "fd::17/x",
    "",
]


@pytest.mark.parametrize("url", REFUSED)
async def test_remotes_that_are_never_asked(root: Path, url: str) -> None:
    for remotes in (("*",), (), (url,)):
        if remotes == (url,) and url.startswith("/"):  # the operator lists it, letter by letter: it is asked
            continue
        assert await Git(root, remotes).look("one", {"remote": url}) == Unknown("not a remote that may be asked")


async def test_a_remote_that_is_not_listed_is_not_asked(root: Path, tmp_path: Path) -> None:
    refused = Unknown("not a remote that may be asked")
    for url in ("https://github.com/other/x", "git@github.com:acme/x.git", str(tmp_path / "origin.git")):
        assert await Git(root, ("https://github.com/acme/*",)).look("one", {"remote": url}) == refused


@pytest.mark.parametrize(
    ("url", "allowed"),
    [
        ("https://git.acme.com/a/x.git", True),
        ("git@git.acme.com:a/x.git", True),
        ("ssh://git@git.acme.com:22/a/x", True),
        ("https://evil.com/.acme.com/x", False),
        ("https://evil.com\\.acme.com/x", False),
        ("https://evil.com#.acme.com/x", False),
        ("https://evil.com@git.acme.com/x", False),
        ("git@evil.com:.acme.com:x", False),
        ("https://git.acme.com/x\n", False),
    ],
)
def test_a_glob_of_servers_does_not_reach_into_the_path(url: str, allowed: bool) -> None:
    globs = ("https://*.acme.com/*", "ssh://*.acme.com*/*", "git@*.acme.com:*")
    assert (_allowed(url, globs) is False) is allowed


async def test_a_remote_that_does_not_answer_accuses_nobody(root: Path) -> None:
    url = "https://127.0.0.1:9/acme/x.git"
    assert isinstance(await Git(root, ("https://127.0.0.1:9/*",)).look("one", {"remote": url}), Unknown)


BAD: list[tuple[dict[str, Any], str]] = [
    ({}, "root: "),
    ({"root": "/x", "remotes": "https://*"}, "remotes: "),
    ({"root": "/x", "timeout": 0}, "timeout: "),
    ({"root": "/x", "url": "x"}, "url: "),
]


@pytest.mark.parametrize(("table", "problem"), BAD)
def test_what_is_configured_wrong_is_said(table: dict[str, Any], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        build_any("clones", {"type": "git", **table}, {})
