"""The table of source types: which `type` of a `[sources.NAME]` table is built by which file here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from proxy.audit import Source
from proxy.sources import model
from proxy.upstreams import Upstream

Door = Callable[[str], Upstream]
"""An upstream's name → a door of one's own to it, not opened yet. Raises ValueError("upstream: problem")."""

Builder = Callable[[str, Mapping[str, Any], Mapping[str, str]], Source]
"""(name, table, environment) → a source that has opened nothing yet. Raises ValueError("key: problem")."""

TYPES: Mapping[str, str] = {
    "files": "",
    "http": "",
    "media": "media",
    "git": "git",
    "mcp": "mcp",
    "model": "",
    "objects": "",
    "search": "",
    "sql": "sql",
}
"""Each type, and the extra of this package that it needs: empty where it needs none."""


def no_door(name: str) -> Upstream:
    raise ValueError(f"upstream: there is no [upstreams.{name}]")


def build(name: str, table: Mapping[str, Any], env: Mapping[str, str], door: Door = no_door) -> Source:
    """The source of a table whose `type` is known. Raises ValueError("key: problem")."""
    kind = table["type"]
    if kind == "model":
        return model.build(name, table, door)
    try:
        builder: Builder = import_module(f"proxy.sources.{kind}").build
    except ModuleNotFoundError as error:
        extra = TYPES[kind]
        problem = f"type: {kind!r} needs {error.name}; install groundwire[{extra}]"
        raise ValueError(problem) from None
    return builder(name, table, env)
