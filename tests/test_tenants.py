"""Tenants: whose key it is, and policies that change while requests run."""

from __future__ import annotations

import asyncio
import hashlib
import os
import re
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from proxy import config
from proxy.errors import RequestError
from proxy.tenants import Tenants, new_key
from tests.test_config import LEAST, write

ENV = {"S": "s" * 20, "K": "ours"}
KEYED = LEAST.replace("[server]", '[server]\nsecrets_env = "S"').replace('/v1"', '/v1"\napi_key_env = "K"')


def tenants(path: Path) -> Tenants:
    return Tenants(config.load(path, ENV), ENV)


def test_a_made_key_opens_its_tenant_and_no_other_does(tmp_path: Path) -> None:
    (key, digest), (other, other_digest) = new_key("acme"), new_key("zeta")
    path = write(tmp_path, KEYED, acme=f'keys = ["{digest}"]', zeta=f'keys = ["{other_digest}"]')
    served = tenants(path)
    assert served.resolve([(b"authorization", f"Bearer {key}".encode())]).name == "acme"
    assert served.resolve([(b"x-api-key", other.encode())]).name == "zeta"
    for headers in ([], [(b"authorization", b"Bearer " + digest.encode())], [(b"authorization", key.encode()[:-1])]):
        with pytest.raises(RequestError) as refused:
            served.resolve(headers)
        assert (refused.value.status, refused.value.code) == (401, "invalid_api_key")


def test_each_tenant_signs_with_its_own_key(tmp_path: Path) -> None:
    (key, digest), (other, other_digest) = new_key("acme"), new_key("zeta")
    served = tenants(write(tmp_path, KEYED, acme=f'keys = ["{digest}"]', zeta=f'keys = ["{other_digest}"]'))
    one = served.resolve([(b"x-api-key", key.encode())]).seals
    two = served.resolve([(b"x-api-key", other.encode())]).seals
    footer = one.seal("a", "x", "words")
    assert (one.strip("x" + footer), two.strip("x" + footer)) == ("x", "x" + footer)


def test_anonymous_state_is_kept_apart_by_credential(tmp_path: Path) -> None:
    served = tenants(write(tmp_path, LEAST))
    scopes = {served.resolve([(b"authorization", value)]).scope for value in (b"Bearer a", b"Bearer b", b"Bearer a")}
    assert len(scopes) == 2
    assert all("Bearer" not in scope and hashlib.sha256(b"a").hexdigest() != scope for scope in scopes)


def edit(path: Path, text: str) -> None:
    path.write_text(text)


def rename_over(path: Path, text: str) -> None:
    fresh = path.with_suffix(".new")
    fresh.write_text(text)
    fresh.replace(path)


def swap_symlink(path: Path, text: str) -> None:
    """As a mounted config map changes: the file is a link through a link to a folder, and that one is swapped."""
    data = path.parent / "..data"
    version = path.parent / f"..{len(list(path.parent.iterdir()))}"
    version.mkdir()
    (version / path.name).write_text(text)
    fresh = path.parent / "..fresh"
    fresh.symlink_to(version.name)
    os.replace(fresh, data)
    if not path.is_symlink():
        path.unlink()
        path.symlink_to(f"..data/{path.name}")


@pytest.mark.parametrize("change", [edit, rename_over, swap_symlink])
def test_a_changed_policy_is_taken_and_a_wrong_one_is_not(tmp_path: Path, change: Callable[[Path, str], None]) -> None:
    path = write(tmp_path, LEAST, default="deadline = 1.0")
    policy = tmp_path / "policies" / "default.toml"
    change(policy, "deadline = 1.0")
    served = tenants(path)
    before = served.resolve([])
    assert not served.reload()
    change(policy, "deadline = 4.0  # longer")
    assert served.reload()
    assert served.resolve([]).policy.deadline == 4.0
    assert before.policy.deadline == 1.0  # a request keeps what it began with
    change(policy, "deadline = 'soon'")
    assert not served.reload()
    assert "deadline" in served.error
    assert served.resolve([]).policy.deadline == 4.0
    change(policy, "deadline = 5.0  # at last")
    assert served.reload()
    assert (served.error, served.resolve([]).policy.deadline) == ("", 5.0)


def test_a_new_tenant_file_is_seen(tmp_path: Path) -> None:
    key, digest = new_key("acme")
    path = write(tmp_path, KEYED)
    served = tenants(path)
    assert served.resolve([]).anonymous
    (tmp_path / "policies" / "acme.toml").write_text(f'keys = ["{digest}"]')
    assert served.reload()
    assert served.resolve([(b"x-api-key", key.encode())]).name == "acme"
    with pytest.raises(RequestError):
        served.resolve([])


def served_with(tmp_path: Path, text: str = LEAST, **policies: str) -> tuple[Tenants, Path]:
    path = write(tmp_path, text, **policies)
    return tenants(path), tmp_path / "policies"


def lead_nowhere(path: Path) -> Path:
    path.symlink_to("nowhere")
    return path


Spoil = Callable[[Path], object]
UNREADABLE: list[tuple[str, Spoil]] = [
    ("is not UTF-8", lambda folder: (folder / "default.toml").write_bytes(b'tenant = "\xff"')),
    ("is not UTF-8", lambda folder: (folder / "packs" / "p.toml").write_bytes(b"\xff")),
    ("cannot be read", lambda folder: (folder / "x.toml").mkdir()),
    ("cannot be read", lambda folder: (folder / "x.toml").symlink_to("nowhere")),
    ("cannot be read", lambda folder: os.replace(lead_nowhere(folder / "link"), folder / "default.toml")),
    ("no folder", lambda folder: folder.rename(folder.with_name("elsewhere"))),
]


@pytest.mark.parametrize(("problem", "spoil"), UNREADABLE)
def test_what_cannot_be_read_costs_neither_the_policy_nor_the_watch(
    tmp_path: Path, problem: str, spoil: Spoil, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    served, folder = served_with(tmp_path, default='deadline = 1.0\nextends = ["p"]', packs__p="")
    spoil(folder)
    assert not served.reload()
    assert problem in served.error
    assert served.resolve([]).policy.deadline == 1.0


@pytest.mark.parametrize("name", [".#default.toml", ".default.toml", "..data", "notes.txt", "default.toml~"])
def test_what_editors_and_mounts_leave_in_the_folder_is_no_policy(tmp_path: Path, name: str) -> None:
    served, folder = served_with(tmp_path, default="deadline = 1.0")
    (folder / name).symlink_to("somebody@a-machine.1")
    assert not served.reload()
    assert served.error == ""


DEMO = '[upstreams.other]\ntype = "demo"\n'
OURS = 'upstream = "main"\n' + KEYED
OPEN_TO_ALL = KEYED.replace("[server]", "[server]\nallow_anonymous = true")


@pytest.mark.parametrize(
    ("before", "after", "policy", "changed"),
    [
        (LEAST.replace("[server]", '[server]\nsecrets_env = "S"'), KEYED, "", "upstreams"),
        (LEAST, LEAST.replace("18000", "18001"), "", "upstreams"),
        (LEAST, LEAST + DEMO, "", "upstreams"),
        (LEAST, LEAST.replace("[server]", "[server]\nkeepalive = 9.0"), "", "server"),
        (LEAST, LEAST + '[store]\nurl = "redis://127.0.0.1:1/0"\n', "", "store"),
        (OURS + DEMO, OURS + DEMO, 'upstream = "other"', "was not in use at the start"),
    ],
)
def test_what_a_reload_cannot_change_needs_a_restart(
    tmp_path: Path, before: str, after: str, policy: str, changed: str
) -> None:
    """A door that was opened without a key of ours must never get a tenant: the tenant's own key would go up."""
    served, folder = served_with(tmp_path, before, default="deadline = 1.0")
    (tmp_path / "config.toml").write_text(after)
    (folder / "default.toml").write_text(f"deadline = 4.0\n{policy}")
    assert not served.reload()
    assert changed in served.error
    assert "restart" in served.error
    assert served.resolve([]).policy.deadline == 1.0
    (tmp_path / "config.toml").write_text(before)
    (folder / "default.toml").write_text("deadline = 4.25")
    assert served.reload()
    assert (served.error, served.resolve([]).policy.deadline) == ("", 4.25)


@pytest.mark.parametrize(("text", "taken"), [(KEYED, False), (OPEN_TO_ALL, True)])
def test_a_folder_that_lost_its_tenants_does_not_open_the_door(tmp_path: Path, text: str, taken: bool) -> None:
    key, digest = new_key("acme")
    served, folder = served_with(tmp_path, text, acme=f'keys = ["{digest}"]')
    (folder / "acme.toml").unlink()
    assert served.reload() is taken
    assert served.resolve([(b"x-api-key", key.encode())]).anonymous is taken
    assert ("no policy has `keys` any more" in served.error) is not taken


def test_a_reload_that_reads_fewer_files_is_taken_once(tmp_path: Path) -> None:
    served, folder = served_with(tmp_path, default='deadline = 1.0\nextends = ["coding-agents"]')
    (folder / "default.toml").write_text("deadline = 2.5")
    assert served.reload()
    assert not served.reload()


def test_a_file_that_changes_while_it_is_loaded_is_looked_at_again(tmp_path: Path) -> None:
    served, folder = served_with(tmp_path, default="deadline = 1.0")
    for number in range(40):
        rename_over(folder / "default.toml", "deadline = 2.0")
        writer = threading.Timer(number / 10_000, rename_over, (folder / "default.toml", "deadline = 3.0"))
        writer.start()
        served.reload()
        writer.join()
        served.reload()
        assert served.resolve([]).policy.deadline == 3.0


async def test_the_watch_outlives_a_wrong_file(tmp_path: Path) -> None:
    served, folder = served_with(tmp_path, default="deadline = 1.0")
    watch = asyncio.create_task(served.watch(0.005))
    (folder / "default.toml").write_bytes(b"\xff")
    async with asyncio.timeout(5):
        while not served.error:
            await asyncio.sleep(0.005)
        rename_over(folder / "default.toml", "deadline = 4.0")
        while served.error:
            await asyncio.sleep(0.005)
    assert served.resolve([]).policy.deadline == 4.0
    assert not watch.done()
    watch.cancel()


def test_a_made_key_travels_in_a_header_whatever_the_tenant_is_called() -> None:
    key, _ = new_key("Zoë & Söhne\r\n")
    assert re.fullmatch(r"[A-Za-z0-9._-]+", key)


def test_an_upstream_that_only_an_alias_leads_to_is_opened(tmp_path: Path) -> None:
    text = 'upstream = "main"\n' + LEAST + DEMO + 'aliases = { fast = "demo/edits" }\n'
    settings = config.load(write(tmp_path, text), {})
    assert Tenants(settings, {}).resolve([]).upstream_of("fast") == ("other", "demo/edits")
    assert set(config.build_upstreams(settings, {})) == {"main", "other"}


def test_a_model_without_an_upstream_is_said_so(tmp_path: Path) -> None:
    two = LEAST.replace(
        "[upstreams.main]", '[upstreams.other]\ntype = "demo"\nmodels = ["demo/*"]\n[upstreams.main]\nmodels = ["a*"]'
    )
    tenant = tenants(write(tmp_path, two)).resolve([])
    assert tenant.upstream_of("abc") == ("main", "abc")
    with pytest.raises(RequestError) as refused:
        tenant.upstream_of("xyz")
    assert (refused.value.status, refused.value.code) == (404, "model_not_found")
