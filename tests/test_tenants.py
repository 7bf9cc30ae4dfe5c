"""Tenants: whose key it is, and policies that change while requests run."""

from __future__ import annotations

import hashlib
import os
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


def test_a_model_without_an_upstream_is_said_so(tmp_path: Path) -> None:
    two = LEAST.replace(
        "[upstreams.main]", '[upstreams.other]\ntype = "demo"\nmodels = ["demo/*"]\n[upstreams.main]\nmodels = ["a*"]'
    )
    tenant = tenants(write(tmp_path, two)).resolve([])
    assert tenant.upstream_of("abc") == ("main", "abc")
    with pytest.raises(RequestError) as refused:
        tenant.upstream_of("xyz")
    assert (refused.value.status, refused.value.code) == (404, "model_not_found")
