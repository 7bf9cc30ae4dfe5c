"""A client's key → its tenant: policy, upstream, limits; files reload without a dropped request."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import logging
import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from proxy import config
from proxy.config import Settings, TenantFile, UpstreamTable
from proxy.errors import ConfigError, RequestError
from proxy.footer import Seals, derive
from proxy.policy import Policy

log = logging.getLogger("groundwire")


@dataclass(frozen=True, slots=True)
class Tenant:
    """Whose request it is. `scope` is what state is kept by: the tenant, or without one, the client's credential."""

    name: str
    policy: Policy
    seals: Seals
    anonymous: bool
    scope: str
    upstream: str
    upstreams: Mapping[str, UpstreamTable]

    def upstream_of(self, model: str) -> tuple[str, str]:
        """The upstream for a model and the name that it goes up under. Raises RequestError where there is none."""
        name = self.policy.upstream or self._by_model(model) or self.upstream
        if not name:
            message = f"The model {model!r} has no upstream; `models` of an [upstreams.NAME] table would give it one."
            raise RequestError(404, message, param="model", code="model_not_found")
        return name, self.upstreams[name].aliases.get(model, model)

    def _by_model(self, model: str) -> str:
        for name, table in self.upstreams.items():
            if model in table.aliases or any(fnmatchcase(model, pattern) for pattern in table.models):
                return name
        return ""


class Tenants:
    """All tenants of a configuration. A request keeps the tenant it began with, whatever is reloaded meanwhile."""

    def __init__(self, settings: Settings, env: Mapping[str, str]) -> None:
        self._env = env
        self.error = ""
        """Why the last reload was not taken; empty when what is on disk is what is served."""
        self._use(settings)

    def _use(self, settings: Settings) -> None:
        self._settings = settings
        self._signature = _signature(settings)
        self._by_key: list[tuple[bytes, TenantFile]] = []
        self._anonymous: TenantFile | None = None
        for tenant in settings.tenants:
            if tenant.anonymous:
                self._anonymous = tenant
            for key in tenant.policy.keys:
                self._by_key.append((bytes.fromhex(key.removeprefix("sha256:")), tenant))
        self._seals = {
            tenant.name: Seals(tuple(derive(secret, tenant.name) for secret in settings.secrets))
            for tenant in settings.tenants
        }

    def resolve(self, headers: list[tuple[bytes, bytes]]) -> Tenant:
        """The tenant of a request. Raises RequestError 401 where keys are needed and none, or a wrong one, came."""
        key = _credential(headers)
        digest = hashlib.sha256(key).digest()
        mine: TenantFile | None = None
        for known, tenant in self._by_key:  # every key is compared, each in constant time
            if hmac.compare_digest(known, digest):
                mine = tenant
        if mine is not None:
            return self._tenant(mine, mine.name)
        if self._anonymous is None:
            message = "The API key is missing or not known here; it goes into `Authorization: Bearer KEY`."
            raise RequestError(401, message, kind="authentication_error", code="invalid_api_key")
        return self._tenant(self._anonymous, f"anonymous:{digest.hex()[:32]}")

    def _tenant(self, file: TenantFile, scope: str) -> Tenant:
        return Tenant(
            file.name,
            file.policy,
            self._seals[file.name],
            file.anonymous,
            scope,
            file.upstream,
            self._settings.upstreams,
        )

    async def watch(self, interval: float = 1.0) -> None:
        """Look every `interval` seconds whether a file has changed; runs until it is cancelled."""
        while True:
            await asyncio.sleep(interval)
            self.reload()

    def reload(self) -> bool:
        """Take the files as they are now, if they changed; keep the last good state, and say so, if they are wrong.

        Server, upstreams and sources stay as they were at the start: only policies reload.
        """
        signature = _signature(self._settings)
        if signature == self._signature:
            return False
        self._signature = signature
        old = self._settings
        try:
            settings = config.load(old.path, self._env, host=old.server.host, port=old.server.port)
            missing = {tenant.upstream for tenant in settings.tenants} - set(old.upstreams) - {""}
            if missing:
                raise ConfigError(str(old.path), "upstreams", min(missing), "is new; restart to use it")
        except ConfigError as error:
            self.error = str(error)
            log.error("the changed configuration is not used, the last good one stays: %s", error)
            return False
        self.error = ""
        self._use(settings)
        log.warning("policies reloaded")
        return True


def _credential(headers: list[tuple[bytes, bytes]]) -> bytes:
    for name, value in headers:
        if name == b"authorization":
            scheme, _, rest = value.partition(b" ")
            return rest.strip() if scheme.lower() == b"bearer" else value
        if name in (b"x-api-key", b"api-key"):
            return value
    return b""


Stat = tuple[str, int, int, int]


def _signature(settings: Settings) -> tuple[Stat, ...]:
    """Where every file read leads to and what it is there: an edit, a rename and a swapped symlink all change it."""
    folder = settings.folder
    paths = {*settings.files, *folder.glob("*.toml"), *folder.glob("packs/*.toml"), *folder.glob("words/*.toml")}
    return tuple(_stat(path) for path in sorted(paths))


def _stat(path: Path) -> Stat:
    try:
        found = os.stat(path)
    except OSError:
        return (str(path), 0, 0, 0)
    return (os.path.realpath(path), found.st_ino, found.st_mtime_ns, found.st_size)


def new_key(tenant: str) -> tuple[str, str]:
    """A key for a client, and what of it goes into the tenant's policy file."""
    key = f"gw-{tenant}-{secrets.token_urlsafe(32)}"
    return key, f"sha256:{hashlib.sha256(key.encode()).hexdigest()}"
