"""Open the files and build everything, or fail naming file, table and key."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, Literal

import msgspec

from proxy import audit, policy_file, sources
from proxy.audit import Auditor
from proxy.errors import ConfigError
from proxy.inbound import loopback
from proxy.library import Library, read, shipped, toml_files
from proxy.policy import Policy
from proxy.policy_file import Test
from proxy.store import Memory, Redis, Store
from proxy.tables import Strict, convert, toml
from proxy.upstreams import Upstream


class ServerTable(Strict):
    """`[server]`. Sizes in bytes, times in seconds, `keep_audits` in days; `metrics` says who may read counts."""

    host: str = "127.0.0.1"
    port: int = 8484
    workers: int = 1
    allow_anonymous: bool = False
    secrets_env: str = ""
    state: str = ".groundwire"
    keep_audits: int = 0
    metrics: str = "loopback"
    max_body: int = 32 * 1024 * 1024
    keepalive: float = 5.0
    drain: float = 10.0


class UpstreamTable(Strict):
    """`[upstreams.NAME]`: a door to models."""

    type: Literal["http", "litellm", "demo"]
    base_url: str = ""
    api_key_env: str = ""
    auth: Literal["bearer", "x-api-key"] = "bearer"
    models: list[str] = []
    aliases: dict[str, str] = {}
    connect_timeout: float = 10.0
    read_timeout: float = 600.0
    pace: float = 0.02


class StoreTable(Strict):
    """`[store]`: what workers and replicas share. `url_env` is the variable with the URL, for one with a password."""

    url: str = ""
    url_env: str = ""


class ConfigTable(Strict):
    """The configuration file, as it is spelled."""

    policies: str = "policies"
    upstream: str = ""
    server: ServerTable = msgspec.field(default_factory=ServerTable)
    upstreams: dict[str, dict[str, Any]] = {}
    sources: dict[str, dict[str, Any]] = {}
    store: StoreTable = msgspec.field(default_factory=StoreTable)


@dataclass(frozen=True, slots=True)
class TenantFile:
    """One policy file and whom it is for. An anonymous tenant has no keys."""

    name: str
    file: str
    policy: Policy
    upstream: str

    @property
    def anonymous(self) -> bool:
        return not self.policy.keys


@dataclass(frozen=True, slots=True)
class Settings:
    """All that was read, and from which files, so that a change of any of them can be seen."""

    path: Path
    server: ServerTable
    upstreams: Mapping[str, UpstreamTable]
    default_upstream: str
    sources: Mapping[str, Mapping[str, Any]]
    folder: Path
    tenants: tuple[TenantFile, ...]
    secrets: tuple[bytes, ...]
    store: StoreTable
    files: tuple[Path, ...]


def load(
    path: Path,
    env: Mapping[str, str],
    *,
    host: str | None = None,
    port: int | None = None,
    table_of_auditors: Mapping[str, Callable[..., Auditor]] | None = None,
    signs: bool = True,
) -> Settings:
    """Read a configuration and all its policies. Raises ConfigError; on success everything can be served.

    `host` and `port` go before the file's; `table_of_auditors` stands in for the built-in and installed ones. What only
    reads (`signs` is false) gets no secrets, and none need be there.
    """
    table: ConfigTable = convert(toml(read(path)), ConfigTable, str(path))
    table.server.host = host or table.server.host
    table.server.port = table.server.port if port is None else port
    _check_numbers(path, "server", table.server)
    if "\0" in table.server.state:
        raise ConfigError(str(path), "server", "state", "must be the name of a folder, which has no zero byte")
    if table.server.metrics not in ("loopback", "off") and (wrong := policy_file.key_problem(table.server.metrics)):
        problem = f"must be 'loopback', 'off' or the hash of a key; this {wrong}"
        raise ConfigError(str(path), "server", "metrics", problem)
    folder = policies_folder(path, table.policies)
    upstreams = {
        name: convert(raw, UpstreamTable, str(path), f"upstreams.{name}") for name, raw in table.upstreams.items()
    }
    for name, source in table.sources.items():
        _check_source(path, name, source, env, upstreams)
    library = Library(folder, table_of_auditors)
    default = _default_upstream(path, table.upstream, upstreams)
    tenants = tuple(_tenants(path, table, upstreams, library, default))
    keyed = any(not tenant.anonymous for tenant in tenants)
    if not keyed and not table.server.allow_anonymous and not loopback(table.server.host):
        problem = (
            f"{table.server.host} is open to others and no policy has `keys`; add some, or set allow_anonymous = true"
        )
        raise ConfigError(str(path), "server", "host", problem)
    return Settings(
        path=path,
        server=table.server,
        upstreams=upstreams,
        default_upstream=default,
        sources=table.sources,
        folder=folder,
        tenants=tenants,
        secrets=_secrets(path, table.server, env, keyed) if signs else (),
        store=_checked_store(path, table, env, tenants),
        files=(path, *library.opened),
    )


def policies_folder(path: Path, name: str) -> Path:
    """Where policies are: beside the configuration, else in the working directory. Raises ConfigError."""
    beside, here = path.parent / name, Path(name)
    for folder in (beside, here):
        if os.path.isdir(folder):  # of a name that no folder can have, `Path.is_dir` raises OSError
            return folder
    raise ConfigError(str(path), "", "policies", f"there is no folder {beside} and none {here.absolute()}")


LIMITS = {
    "port": (0, 65_535),
    "workers": (1, 256),
    "keep_audits": (0, 36_500),
    "max_body": (1_024, 1 << 32),
    "keepalive": (0.5, 50),
    "drain": (0, 3_600),
    "connect_timeout": (0.01, 3_600),
    "read_timeout": (0.01, 86_400),
    "pace": (0, 60),
}


def _check_numbers(path: Path, place: str, table: Strict) -> None:
    for key, (low, high) in LIMITS.items():
        if not low <= getattr(table, key, low) <= high:
            raise ConfigError(str(path), place, key, f"must be {low} to {high}, not {getattr(table, key)}")


def _check_source(
    path: Path, name: str, source: Mapping[str, Any], env: Mapping[str, str], upstreams: Mapping[str, UpstreamTable]
) -> None:
    if source.get("type") not in sources.TYPES:
        known = ", ".join(sorted(sources.TYPES))
        problem = f"{source.get('type')!r} is no source type; known: {known}"
        raise ConfigError(str(path), f"sources.{name}", "type", problem)
    _source(path, name, source, env, upstreams)


def _default_upstream(path: Path, wanted: str, upstreams: Mapping[str, UpstreamTable]) -> str:
    if not upstreams:
        raise ConfigError(str(path), "upstreams", "", "is missing; add a table such as [upstreams.main]")
    for name, upstream in upstreams.items():
        _check_numbers(path, f"upstreams.{name}", upstream)
        if upstream.type == "http" and not upstream.base_url:
            raise ConfigError(str(path), f"upstreams.{name}", "base_url", "is missing, such as 'https://host/v1'")
        if upstream.type == "litellm" and not upstream.models:
            problem = "is missing: a model's name chooses the provider; name those that are meant, as ['anthropic/*']"
            raise ConfigError(str(path), f"upstreams.{name}", "models", problem)
    if not wanted:
        return next(iter(upstreams)) if len(upstreams) == 1 else ""
    if wanted not in upstreams:
        known = ", ".join(upstreams)
        raise ConfigError(str(path), "", "upstream", f"there is no [upstreams.{wanted}]; known: {known}")
    return wanted


def _tenants(
    path: Path, table: ConfigTable, upstreams: Mapping[str, UpstreamTable], library: Library, default: str
) -> Iterator[TenantFile]:
    """Every policy file with keys is a tenant; `default.toml` is everybody's, where nobody has a key."""
    owners: dict[str, str] = {}
    anonymous: TenantFile | None = None
    for name in sorted({*(file.stem for file in toml_files(library.folder)), "default"}):
        source = library.open(f"{name}.toml")
        policy = library.policy(source, table.sources)
        tenant = TenantFile(policy.tenant or name, source.file, policy, policy.upstream or default)
        if tenant.upstream and tenant.upstream not in upstreams:
            raise ConfigError(source.file, "", "upstream", f"there is no [upstreams.{tenant.upstream}] in {path}")
        if not policy.keys:
            anonymous = tenant if name == "default" else anonymous
            continue
        _check_keys(source.file, tenant, owners)
        _check_credentials(path, upstreams, tenant)
        yield tenant
    if anonymous is not None and (table.server.allow_anonymous or not owners):
        _check_keys(anonymous.file, anonymous, owners)
        yield anonymous


def _check_keys(file: str, tenant: TenantFile, owners: dict[str, str]) -> None:
    if tenant.name in owners.values():  # footers are signed and state is kept by it
        raise ConfigError(file, "", "tenant", f"{tenant.name!r} is the name of another file's tenant")
    for number, key in enumerate(tenant.policy.keys):
        if key in owners:
            raise ConfigError(file, "", f"keys[{number}]", f"is a key of tenant {owners[key]!r} already")
        owners[key] = tenant.name


def reachable(tenant: TenantFile, upstreams: Mapping[str, UpstreamTable]) -> set[str]:
    """The upstreams to which a tenant's requests can go: the one that its policy names, else any that a model finds."""
    if tenant.policy.upstream:
        return {tenant.policy.upstream}
    return {name for name, table in upstreams.items() if name == tenant.upstream or table.models or table.aliases}


def _check_credentials(path: Path, upstreams: Mapping[str, UpstreamTable], tenant: TenantFile) -> None:
    """A tenant's key is ours: it must not go up, so the upstream needs one of its own."""
    for name in sorted(reachable(tenant, upstreams)):
        if upstreams[name].type != "demo" and not upstreams[name].api_key_env:
            problem = f"is missing: tenant {tenant.name!r} has keys of ours, which may not go up in its place"
            raise ConfigError(str(path), f"upstreams.{name}", "api_key_env", problem)


def _secrets(path: Path, server: ServerTable, env: Mapping[str, str], keyed: bool) -> tuple[bytes, ...]:
    """The secrets that sign footers: a list in the environment, else one of this machine's own."""
    if server.secrets_env:
        found = tuple(word.encode() for word in env.get(server.secrets_env, "").replace(",", " ").split())
        if not found or any(len(secret) < 16 for secret in found):
            problem = f"${server.secrets_env} must hold one or more secrets of 16 characters or more"
            raise ConfigError(str(path), "server", "secrets_env", problem)
        return found
    if server.workers > 1 or keyed:
        problem = (
            "is missing: with several workers or tenant keys, name a variable with a secret of 16 characters or more"
        )
        raise ConfigError(str(path), "server", "secrets_env", problem)
    return (_own_secret(path, server),)


def state_folder(path: Path, server: ServerTable) -> Path:
    """The folder of what is made here, beside the configuration."""
    state = Path(server.state)
    return state if state.is_absolute() else path.parent / state


def _own_secret(path: Path, server: ServerTable) -> bytes:
    """The secret in the state folder, made where there is none; nobody else may read it."""
    file = state_folder(path, server) / "secret"
    try:
        if not file.exists():
            file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with NamedTemporaryFile(dir=file.parent, buffering=0) as fresh, suppress(FileExistsError):  # mode 0600
                fresh.write(secrets.token_hex(32).encode())
                os.link(fresh.name, file)  # never over another's: two that start at once sign with one secret
        found = file.read_bytes().strip()
    except OSError as error:
        raise ConfigError(str(path), "server", "state", f"{file} cannot be used: {error.strerror}") from None
    if len(found) < 16:  # anybody could sign with an empty key
        raise ConfigError(str(path), "server", "state", f"{file} holds no secret; delete it, and one is made")
    return found


def _checked_store(path: Path, table: ConfigTable, env: Mapping[str, str], tenants: Sequence[TenantFile]) -> StoreTable:
    """The store's table. Raises ConfigError where several workers would each remember something else."""
    url = _store_url(path, table.store, env)
    if url and not url.startswith(("redis://", "rediss://", "unix://")):
        key = "url_env" if table.store.url_env else "url"
        raise ConfigError(str(path), "store", key, "must be redis://, rediss:// or unix://")
    keeping = next((tenant for tenant in tenants if tenant.policy.injects or tenant.policy.retries), None)
    if keeping is not None and table.server.workers > 1 and not url:
        does = "injects" if keeping.policy.injects else "retries"
        problem = f"is missing: {keeping.file} {does}, and {table.server.workers} workers must attach the same bytes"
        raise ConfigError(str(path), "store", "url", problem)
    return table.store


def _store_url(path: Path, store: StoreTable, env: Mapping[str, str]) -> str:
    if store.url_env and not env.get(store.url_env):
        raise ConfigError(str(path), "store", "url_env", f"${store.url_env} is not set")
    return env[store.url_env] if store.url_env else store.url


def build_store(settings: Settings, env: Mapping[str, str]) -> Store:
    """The store that is configured, which has opened nothing yet; else one in this process. Raises ConfigError."""
    url = _store_url(settings.path, settings.store, env)
    if not url:
        return Memory()
    try:
        return Redis(url)
    except ModuleNotFoundError:
        raise ConfigError(str(settings.path), "store", "url", "needs redis; install groundwire[redis]") from None


def retried(settings: Settings, tenant: str = "") -> set[str]:
    """The rules that are in mode `retry` for a tenant, or wherever there is one of that name."""
    rules = [rule for one in settings.tenants if tenant in ("", one.name) for rule in one.policy.rules]
    return {rule.name for rule in rules} - {rule.name for rule in rules if rule.mode != "retry"}


def absent_root(table: Mapping[str, Any]) -> str:
    """The folder that a source's table names and that is not there; it may come, so that is no error."""
    root = table.get("root")
    return root if isinstance(root, str) and not os.path.isdir(root) else ""


def build_sources(settings: Settings, env: Mapping[str, str]) -> dict[str, audit.Source]:
    """Every source that is configured; none has opened anything yet. Raises ConfigError."""
    return {
        name: _source(settings.path, name, table, env, settings.upstreams) for name, table in settings.sources.items()
    }


def _source(
    path: Path, name: str, table: Mapping[str, Any], env: Mapping[str, str], upstreams: Mapping[str, UpstreamTable]
) -> audit.Source:
    def door(upstream: str) -> Upstream:
        if upstream not in upstreams:
            raise ValueError(f"upstream: there is no [upstreams.{upstream}]; known: {', '.join(upstreams)}")
        return _upstream(path, upstream, upstreams[upstream], env)

    try:
        return sources.build(name, table, env, door)
    except ValueError as error:
        key, _, problem = str(error).partition(": ")
        raise ConfigError(str(path), f"sources.{name}", key, problem) from None


def build_upstreams(settings: Settings, env: Mapping[str, str]) -> dict[str, Upstream]:
    """The upstreams that some tenant can reach. Raises ConfigError, for a key that is not in the environment too."""
    wanted = set[str]().union(*(reachable(tenant, settings.upstreams) for tenant in settings.tenants))
    return {
        name: _upstream(settings.path, name, table, env) for name, table in settings.upstreams.items() if name in wanted
    }


def _upstream(path: Path, name: str, table: UpstreamTable, env: Mapping[str, str]) -> Upstream:
    place = f"upstreams.{name}"
    key = env.get(table.api_key_env) if table.api_key_env else None
    if table.api_key_env and not key:
        raise ConfigError(str(path), place, "api_key_env", f"${table.api_key_env} is not set")
    if table.type == "demo":
        from proxy.upstreams.demo import DemoUpstream

        return DemoUpstream(name, pace=table.pace)
    if table.type == "litellm":
        from proxy.upstreams.litellm import LitellmUpstream

        return LitellmUpstream(name, api_base=table.base_url or None, api_key=key, models=table.models)
    from proxy.upstreams.http import HttpUpstream

    try:
        return HttpUpstream(
            name,
            table.base_url,
            api_key=key,
            auth=table.auth,
            connect_timeout=table.connect_timeout,
            read_timeout=table.read_timeout,
        )
    except ValueError as error:
        raise ConfigError(str(path), place, "base_url", str(error)) from None


def policies_under(settings: Settings) -> Iterator[tuple[str, list[Test], Callable[[Collection[str]], Policy]]]:
    """Every policy and pack that a configuration has, with its own tests, and how it is built for one of them."""
    library = Library(settings.folder)
    for file in [*toml_files(settings.folder), *toml_files(settings.folder / "packs")]:
        source = read(file)
        tests = policy_file.table(source, toml(source)).tests
        yield str(file), tests, library.builder(source)


def policy_for_replay(name: str, path: Path | None, env: Mapping[str, str]) -> tuple[Policy, dict[str, audit.Source]]:
    """A policy by name or path, with the sources of a configuration where one is given."""
    folder, sources = shipped(), dict[str, audit.Source]()
    tables: Mapping[str, Mapping[str, Any]] = {}
    if path is not None:
        settings = load(path, env, signs=False)
        folder, sources, tables = settings.folder, build_sources(settings, env), settings.sources
    library = Library(folder)
    file = Path(name)
    if file.suffix == ".toml" or file.exists():
        return library.policy(read(file), tables), sources
    for place in ((f"{file.name}.toml",), ("packs", f"{file.name}.toml")):
        try:
            found = library.open(*place)
        except OSError:
            continue
        return library.policy(found, tables), sources
    raise ConfigError(name, "", "", f"is neither a file nor a policy or pack in {folder}")
