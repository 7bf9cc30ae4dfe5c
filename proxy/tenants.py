"""A client's key → its tenant: policy, upstream, limits; files reload without a dropped request."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import logging
import os
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path

from proxy import config
from proxy.config import Settings, TenantFile, UpstreamTable
from proxy.errors import ConfigError, RequestError
from proxy.footer import Seals, derive
from proxy.library import toml_files
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
        self._doors = _doors(settings)
        """The upstreams that were opened at the start; a reload can lead to no other."""
        self.error = ""
        """Why the last reload was not taken; empty when what is on disk is what is served."""
        self._signature = _signature(settings)
        self._use(settings)

    def _use(self, settings: Settings) -> None:
        self._settings = settings
        self._by_key: list[tuple[bytes, TenantFile]] = []
        self._anonymous: TenantFile | None = None
        for tenant in settings.tenants:
            if tenant.anonymous:
                self._anonymous = tenant
            for key in tenant.policy.keys:
                self._by_key.append((_digest(key), tenant))
        self._seals = {
            tenant.name: Seals(tuple(derive(secret, tenant.name) for secret in settings.secrets))
            for tenant in settings.tenants
        }

    @property
    def rules(self) -> set[str]:
        """The names of all rules that are served."""
        return {rule.name for tenant in self._settings.tenants for rule in tenant.policy.rules}

    def resolve(self, headers: list[tuple[bytes, bytes]]) -> Tenant:
        """The tenant of a request. Raises RequestError 401 where keys are needed and none, or a wrong one, came."""
        digests = [hashlib.sha256(key).digest() for key in _credentials(headers)]
        mine: TenantFile | None = None
        for digest in digests:  # a client may send two, of which one is ours
            for known, tenant in self._by_key:  # every key is compared, each in constant time
                if hmac.compare_digest(known, digest):
                    mine = mine or tenant
        if mine is not None:
            return self._tenant(mine, mine.name)
        if self._anonymous is None:
            message = (
                "The API key is missing or not known here; it goes into `Authorization: Bearer KEY` or `x-api-key`."
            )
            raise RequestError(401, message, kind="authentication_error", code="invalid_api_key")
        return self._tenant(self._anonymous, f"anonymous:{digests[0].hex()[:32]}")

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
            try:
                changed = await asyncio.to_thread(self._look)  # with many policies this takes seconds: streams go on
                if changed is not None:
                    self._take(changed)
            except Exception as error:  # the next change is looked at all the same
                self.error = f"the changed configuration could not be looked at: {type(error).__name__}"
                log.exception("%s", self.error)

    def reload(self) -> bool:
        """Take the policies as they are now, if a file changed; keep the last good ones, and say so, if they are wrong.

        Whatever else the configuration says stays as it was at the start: see `_check_reloadable`.
        """
        changed = self._look()
        if changed is not None:
            self._take(changed)
        return changed is not None

    def _look(self) -> Settings | None:
        """The settings on disk, if they changed and can be served. Nothing that a request reads is touched."""
        old, before = self._settings, _signature(self._settings)
        if before == self._signature:
            return None
        self._signature = before
        try:
            settings = config.load(old.path, self._env, host=old.server.host, port=old.server.port)
            self._check_reloadable(settings)
        except (ConfigError, OSError) as error:  # OSError: a file went away while it was being read
            self.error = str(error)
            log.error("the changed configuration is not used, the last good one stays: %s", error)
            return None
        # A change since `before` was maybe not read: what stood then is what the next look is compared with.
        self._signature = {path: before.get(path, now) for path, now in _signature(settings).items()}
        return replace(settings, secrets=old.secrets)

    def _take(self, settings: Settings) -> None:
        self._use(settings)
        self.error = ""
        log.warning("policies reloaded")

    def _check_reloadable(self, new: Settings) -> None:
        """Raise ConfigError where a change needs a restart.

        The doors to models are open, each with the key that it had or had not: with other `[upstreams]`, or tenants that
        lead to a door that is shut, a tenant's own key could go up.
        """
        old, file = self._settings, str(new.path)
        for table, changed in (
            ("server", new.server != old.server),
            ("upstreams", (new.upstreams, new.default_upstream) != (old.upstreams, old.default_upstream)),
            ("sources", new.sources != old.sources),
            ("store", new.store != old.store),
            ("policies", new.folder != old.folder),
        ):
            if changed:
                raise ConfigError(file, "", table, "has changed; restart to use it")
        if shut := _doors(new) - self._doors:
            raise ConfigError(file, "upstreams", min(shut), "was not in use at the start; restart to use it")
        if _anonymous_alone(new) and not (_anonymous_alone(old) or new.server.allow_anonymous):
            raise ConfigError(file, "", "policies", "no policy has `keys` any more; restart to serve everybody")


def _doors(settings: Settings) -> set[str]:
    return set[str]().union(*(config.reachable(tenant, settings.upstreams) for tenant in settings.tenants))


def _anonymous_alone(settings: Settings) -> bool:
    return all(tenant.anonymous for tenant in settings.tenants)


def _credentials(headers: list[tuple[bytes, bytes]]) -> list[bytes]:
    """The first two keys that a client sends, in whatever header its API takes one; an empty one where it sends none."""
    found = []
    for name, value in headers:
        if name == b"authorization":
            scheme, _, rest = value.partition(b" ")
            found.append(rest.strip() if scheme.lower() == b"bearer" else value)
        elif name in (b"x-api-key", b"api-key"):
            found.append(value)
    return found[:2] or [b""]


def _digest(key: str) -> bytes:
    return bytes.fromhex(key.removeprefix("sha256:"))


def sends(headers: list[tuple[bytes, bytes]], key: str) -> bool:
    """Whether a client sends the key of which this is the hash."""
    return any(hmac.compare_digest(hashlib.sha256(sent).digest(), _digest(key)) for sent in _credentials(headers))


Stat = tuple[str, int, int, int]


def _signature(settings: Settings) -> dict[Path, Stat]:
    """Where every file read leads to and what it is there: an edit, a rename and a swapped symlink all change it."""
    paths = set(settings.files)
    for folder in (settings.folder, settings.folder / "packs", settings.folder / "words"):
        try:
            paths.update(toml_files(folder))
        except ConfigError:
            paths.add(folder)  # unreadable for now: to be told, by `load`, when it is
    return {path: _stat(path) for path in paths}


def _stat(path: Path) -> Stat:
    try:
        found = os.stat(path)
    except OSError:
        return (str(path), 0, 0, 0)
    return (os.path.realpath(path), found.st_ino, found.st_mtime_ns, found.st_size)


def new_key(tenant: str) -> tuple[str, str]:
    """A key for a client, and what of it goes into the tenant's policy file."""
    readable = re.sub(r"[^A-Za-z0-9._-]+", "-", tenant)  # a key travels in a header
    key = f"gw-{readable}-{secrets.token_urlsafe(32)}"
    return key, f"sha256:{hashlib.sha256(key.encode()).hexdigest()}"
