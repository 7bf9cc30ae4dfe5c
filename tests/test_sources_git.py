"""Git as ground truth: real repositories, a real bare remote, and clones that are traps."""

from __future__ import annotations

import asyncio
import os
import struct
import subprocess
import time
import tracemalloc
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from dulwich.object_format import SHA1
from dulwich.objects import ObjectID

from proxy.audit import Absent, Present, Unknown
from proxy.sources import build as build_any
from proxy.sources.git import Git, _allowed
from proxy.sources.git_pack import Pack

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


SECRET = "TOP-SECRET, which lies outside the root and is no commit at all"
ODD_FILES = [
    ("HEAD", False),
    ("config", False),
    ("index", False),
    ("refs/heads/main", False),
    ("packed-refs", True),
    ("objects/{head}", False),
    ("objects/pack/{pack}.pack", True),
    ("objects/pack/{pack}.idx", True),
]
"""Files of git's own, and whether the clone is packed before one of them becomes a trap."""


def own_files(root: Path, name: str, *, packed: bool) -> Path:
    """A file in `one/.git`: `{head}` is where the checked out commit is, `{pack}` the only pack."""
    if packed:
        git(root / "one", "gc", "-q")
    control, head = root / "one" / ".git", git(root / "one", "rev-parse", "HEAD")
    pack = next((path.stem for path in (control / "objects/pack").glob("*.pack")), "")
    return control / name.format(head=f"{head[:2]}/{head[2:]}", folder=head[:2], pack=pack)


def put_link_out(path: Path) -> None:
    """The file itself, or the secret that is read for one, from outside the root."""
    out = next(folder for folder in path.parents if folder.name == "clones").parent / "out"
    path.rename(out) if "objects" in path.parts else out.write_text(SECRET)
    path.unlink(missing_ok=True)
    path.symlink_to(out)


def put_link_in(path: Path) -> None:
    path.rename(path.with_suffix(".real"))
    path.symlink_to(path.with_suffix(".real"))


def put_folder_out(path: Path, out: Path) -> None:
    path.rename(out)
    path.symlink_to(out)


def put_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


@pytest.mark.parametrize("put", [put_link_out, put_link_in, put_pipe])
@pytest.mark.parametrize(("name", "packed"), ODD_FILES, ids=[name for name, _ in ODD_FILES])
async def test_only_files_of_its_own_are_read(root: Path, name: str, packed: bool, put: Callable[[Path], None]) -> None:
    head = git(root / "one", "rev-parse", "HEAD")
    put(own_files(root, name, packed=packed))
    question = {"commit": head} if name.startswith("objects") else {}
    sight = await Git(root, timeout=2.0).look("one", question)
    assert isinstance(sight, Unknown)
    assert sight != Unknown("git did not answer in time")
    assert "SECRET" not in str(sight)


@pytest.mark.parametrize("name", ["", "refs", "refs/heads", "objects", "objects/pack", "objects/{folder}"])
async def test_no_folder_outside_the_root_is_read(root: Path, tmp_path: Path, name: str) -> None:
    head = git(root / "one", "rev-parse", "HEAD")
    put_folder_out(own_files(root, name, packed=name == "objects/pack"), tmp_path / "out")
    assert isinstance(await Git(root).look("one", {} if "refs" in name else {"commit": head}), Unknown)


async def test_pipes_leave_the_threads_to_others(root: Path) -> None:
    put_pipe(root / "one/.git/refs/heads/main")
    source = Git(root, timeout=0.2)
    for sight in await asyncio.gather(*(source.look("one") for _ in range(40))):
        assert isinstance(sight, Unknown)
    assert isinstance(await Git(root, timeout=2.0).look("bare.git"), Present)


REFS = [
    SECRET,
    "",
    "0" * 39,
    "0" * 41,
    "0" * 64,
    "g" * 40,
    "refs/heads/other",
    "ref: refs/heads/main",
    "ref: refs/../../../secret",
    "ref: ../secret",
    "ref: refs/heads/.invalid",
    "ref: HEAD",
    "ref: config",
]


@pytest.mark.parametrize("held", REFS)
@pytest.mark.parametrize("name", ["HEAD", "refs/heads/main"])
async def test_a_ref_names_a_commit_or_a_ref(root: Path, tmp_path: Path, name: str, held: str) -> None:
    (tmp_path / "secret").write_text("0" * 40)
    (root / "secret").write_text("0" * 40)
    if (name, held) != ("HEAD", "ref: refs/heads/main"):
        (root / "one/.git" / name).write_text(held + "\n")
        assert isinstance(await Git(root).look("one"), Unknown)


async def test_a_config_includes_nothing(root: Path, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with (root / "one/.git/config").open("a") as file:
        file.write(f"[include]\n\tpath = {tmp_path}/pipe\n")
    assert isinstance(await Git(root, timeout=2.0).look("one"), Present)


async def test_a_clone_is_not_changed(root: Path) -> None:
    """A library that is told that refs lie in tables removes those that do not."""
    with (root / "one/.git/config").open("a") as file:
        file.write("\trepositoryformatversion = 1\n[extensions]\n\trefstorage = reftable\n")
    assert isinstance(await Git(root).look("one"), Unknown)
    assert (root / "one/.git/refs/heads/main").is_file()
    assert not (root / "one/.git/reftable").exists()


FORMS = {
    "packed": ["gc -q"],
    "packed twice": ["gc -q", "commit -qm more --allow-empty", "repack -dq", "commit -qm third --allow-empty"],
    "packed refs only": ["pack-refs --all"],
    "a ref of a ref": ["symbolic-ref refs/heads/alias refs/heads/main", "symbolic-ref HEAD refs/heads/alias"],
    "a folder left of a branch": ["checkout -qb a", "pack-refs --all", "config x.y z"],
    "detached": ["checkout -q --detach HEAD~1"],
    "a short index": ["rm -q README.md", "mv b/c.py c.py", "update-index --index-version 4"],
    "a file only announced": ["rm -q --cached a.py", "add -N a.py"],
    "a conflict": ["checkout -qb side", "rm -q a.py", "commit -qm x", "checkout -q main"],
    "another branch": ["checkout -qb feature/x.y"],
}


@pytest.mark.parametrize("form", FORMS)
async def test_what_git_itself_says(root: Path, form: str) -> None:
    one = root / "one"
    for line in FORMS[form]:
        git(one, *line.split())
    if form == "a folder left of a branch":
        (one / ".git/refs/heads/a").mkdir()
    if form == "a conflict":
        (one / "a.py").write_text("other")
        git(one, "commit", "-qam", "other")
        with pytest.raises(subprocess.CalledProcessError):
            git(one, "merge", "-q", "side")
    await same_as_git(root, "one")


async def test_many_packs(root: Path) -> None:
    for number in range(40):
        (root / "one" / f"{number}.md").write_text(str(number))
        git(root / "one", "add", ".")
        git(root / "one", "commit", "-qm", "one more")
        git(root / "one", "repack", "-dq")
    (root / "one/.git/index").unlink()
    await same_as_git(root, "one", tree=True)


@pytest.mark.parametrize("version", ["2", "4"])
async def test_long_names_and_many_files(root: Path, version: str) -> None:
    for number in range(300):
        path = root / "one" / f"{number % 7:0>150}" / f"{'n' * (number % 90)}{number}" / "Readme.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(str(number))
    git(root / "one", "add", ".")
    git(root / "one", "update-index", "--index-version", version)
    git(root / "one", "commit", "-qm", "many")
    await same_as_git(root, "one")
    git(root / "one", "rm", "-qr", "b", "README.md")
    git(root / "one", "commit", "-qm", "fewer")
    git(root / "one", "gc", "-q")
    git(root, "clone", "-q", "--no-checkout", "one", "two")
    await same_as_git(root, "two", tree=True)


async def same_as_git(root: Path, clone: str, *, tree: bool = False) -> None:
    listed = git(root / clone, *(("ls-tree", "-r", "--name-only", "HEAD") if tree else ("ls-files",)))
    names = set(listed.splitlines())
    head, branch = git(root / clone, "rev-parse", "HEAD"), git(root / clone, "rev-parse", "--abbrev-ref", "HEAD")
    known = {"commit": head, "branch": "" if branch == "HEAD" else branch}
    readme = any(name.lower().startswith("readme") and "/" not in name for name in names)
    assert await Git(root).look(clone) == Present({**known, "files": len(names), "readme": readme})
    for spelled in git(root / clone, "rev-list", "--all").split():
        assert await Git(root).look(clone, {"commit": spelled[:11]}) == Present({"commit": spelled})


async def test_clones_whose_own_files_are_elsewhere_in_the_root(root: Path) -> None:
    git(root, "clone", "-q", "--separate-git-dir", str(root / "kept"), "one", "apart")
    await same_as_git(root, "apart")
    git(root / "one", "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(root / "bare.git"), "inner")
    await same_as_git(root, "one/inner")
    (root / "bare.git/objects").rename(root / "shared")
    (root / "bare.git/objects").symlink_to(root / "shared")
    await same_as_git(root, "bare.git", tree=True)
    git(root / "one", "worktree", "add", "-q", str(root / "tree"))  # it borrows: it is left alone
    assert isinstance(await Git(root).look("tree"), Unknown)


async def test_a_clone_with_longer_names_of_objects(root: Path) -> None:
    git(root, "init", "-q", "-b", "main", "--object-format=sha256", "long")
    (root / "long/a.md").write_text("a")
    git(root / "long", "add", ".")
    git(root / "long", "commit", "-qm", "first")
    await same_as_git(root, "long")
    git(root / "long", "gc", "-q")
    (root / "long/.git/index").unlink()
    await same_as_git(root, "long", tree=True)


INDEXES = [
    b"DIRC" + struct.pack(">LL", 4, 1) + b"\0" * 62 + b"\x7f" + b"x" * 40,
    b"DIRC" + struct.pack(">LL", 4, 2) + (b"\0" * 62 + b"\0x\0") + (b"\0" * 62 + b"\x05y\0"),
    b"DIRC" + struct.pack(">LL", 4, 4_000) + b"\0" * 63 + b"n" * 90_000 + b"\0" + (b"\0" * 63 + b"n\0") * 3_999,
    b"DIRC" + struct.pack(">LL", 2, 1 << 31) + b"\0" * 62 + b"a\0",
    b"DIRC" + struct.pack(">LL", 2, 0) + b"link" + struct.pack(">L", 4) + b"some",
    b"DIRC" + struct.pack(">LL", 9, 0),
    b"TREE",
    b"",
]


@pytest.mark.parametrize("held", INDEXES, ids=range(len(INDEXES)))
async def test_an_odd_index_is_not_counted(root: Path, held: bytes) -> None:
    """Cut off, names that go back too far or grow without end, more entries than bytes, names kept in another file."""
    (root / "one/.git/index").write_bytes(held + bytes(20))
    assert isinstance(await Git(root).look("one"), Unknown)
    (root / "one/.git/index").write_bytes(b"DIRC" + struct.pack(">LL", 2, 0) + b"x" * 20)
    assert isinstance(await Git(root).look("one"), Unknown)


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


PACK_HEAD = 8
"""Bytes before the first count of an index."""


def whole_pack(root: Path) -> Path:
    """The only pack of `one`, which can be written, and in which objects are made from others."""
    for number in range(30):
        (root / "one/a.py").write_text("\n".join(map(str, range(number, number + 500))))
        git(root / "one", "commit", "-qam", str(number))
    git(root / "one", "gc", "-q")
    (pack,) = (root / "one/.git/objects/pack").glob("*.pack")
    for path in (pack, pack.with_suffix(".idx")):
        path.chmod(0o644)
    return pack


@pytest.mark.parametrize("offsets", ["true", "false"])
def test_the_objects_of_a_pack_are_those_that_git_shows(root: Path, offsets: str) -> None:
    whole_pack(root)
    git(root / "one", "-c", f"repack.usedeltabaseoffset={offsets}", "repack", "-qadF")
    (path,) = (root / "one/.git/objects/pack").glob("*.pack")
    made = 0
    with path.open("rb") as file:
        pack = Pack(file, path.with_suffix(".idx").read_bytes(), SHA1, time.monotonic() + 60)
        for line in git(root / "one", "verify-pack", "-v", str(path.with_suffix(".idx"))).splitlines():
            name, kind, *more = line.split()
            if kind in ("commit", "tree", "blob"):
                shown = subprocess.run(
                    ["git", "cat-file", kind, name], cwd=root / "one", env=QUIET, capture_output=True
                )
                assert pack.raw(ObjectID(name.encode()))[1] == shown.stdout
                made += len(more) > 3
    assert made


def test_a_pack_that_is_cut_short_while_it_is_read_costs_only_itself(root: Path) -> None:
    """Of a mapped file the next byte would end the process."""
    head, path = git(root / "one", "rev-parse", "HEAD"), whole_pack(root)
    with path.open("rb") as file:
        pack = Pack(file, path.with_suffix(".idx").read_bytes(), SHA1, time.monotonic() + 60)
        os.truncate(path, 100)
        with pytest.raises((ValueError, IndexError)):
            pack.raw(ObjectID(head.encode()))


def one_object(root: Path, head: bytes, size: int) -> str:
    """A pack in `one` with an object of these first bytes and so many more, and the name that its index gives it."""
    name, pack = b"\xab" * 20, b"PACK" + struct.pack(">2I", 2, 1) + head + zlib.compress(bytes(size)) + bytes(20)
    counts = struct.pack(">256I", *(int(first >= name[0]) for first in range(256)))
    index = b"\xfftOc\0\0\0\2" + counts + name + struct.pack(">2I", 0, 12) + bytes(40)
    for ending, text in ((".pack", pack), (".idx", index)):
        (root / "one/.git/objects/pack" / f"pack-trap{ending}").write_bytes(text)
    return name.hex()


ODD_OBJECTS = {
    "larger than it may be": (b"\x90\x80\x80\x80\x80\x01", 200 << 20),
    "larger than is written": (b"\x1f", 200 << 20),
    "smaller than is written": (b"\x9f\x7f", 1),
    "its own base": (b"\x61\x00", 0),
    "a size without an end": (b"\x9f" + b"\xff" * 500, 0),
}


@pytest.mark.parametrize("trap", ODD_OBJECTS)
async def test_an_odd_object_is_not_unpacked(root: Path, trap: str) -> None:
    name = one_object(root, *ODD_OBJECTS[trap])
    tracemalloc.start()
    try:
        sight = await Git(root).look("one", {"commit": name})
        assert tracemalloc.get_traced_memory()[1] < 100 << 20
    finally:
        tracemalloc.stop()
    assert isinstance(sight, Unknown)
    assert "in time" not in sight.reason


async def test_an_index_whose_counts_fall_is_not_searched(root: Path) -> None:
    """From the first count to the next would take hours, and no one can stop a thread."""
    index = whole_pack(root).with_suffix(".idx")
    held = bytearray(index.read_bytes())
    struct.pack_into(">2I", held, PACK_HEAD + 4 * 0xAB, 0xFFFFFFF0, 0xFFFFFFF0)
    index.write_bytes(held)
    assert await Git(root).look("one", {"commit": "ab" * 4}) == Unknown("could not be read: ValueError")
