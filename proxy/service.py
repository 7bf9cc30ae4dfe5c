"""What every exchange shares: tenants, upstreams, sources, records, and the few numbers of the server."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from proxy.looks import Looks
from proxy.metrics import Answers
from proxy.records import Records
from proxy.store import Owned, Store
from proxy.tenants import Tenants
from proxy.upstreams import Upstream


@dataclass(frozen=True, slots=True)
class Service:
    """What every exchange shares. `max_body` is in bytes, `keepalive` in seconds; `new_id` makes audit ids.

    `keyed` names the upstreams to which a key of ours goes up; `metrics` says who may read the counts, as `[server]` does.
    """

    tenants: Tenants
    upstreams: Mapping[str, Upstream]
    looks: Looks
    keyed: frozenset[str]
    max_body: int
    keepalive: float
    new_id: Callable[[], str]
    records: Records
    owned: Owned
    store: Store
    clock: Callable[[], float]
    metrics: str
    answers: Answers = field(default_factory=Answers)
