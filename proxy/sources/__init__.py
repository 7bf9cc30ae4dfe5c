"""The table of source types: which `type` of a `[sources.NAME]` table is built by which file here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from proxy.audit import Source

Builder = Callable[[str, Mapping[str, Any], Mapping[str, str]], Source]
"""(name, table, environment) → a source that has opened nothing yet. Raises ValueError("key: problem")."""

TYPES: Mapping[str, str] = {
    "files": "",
    "http": "",
    "media": "media",
    "git": "git",
    "mcp": "mcp",
    "objects": "",
    "sql": "sql",
}
"""Each type, and the extra of this package that it needs: empty where it needs none."""


def build(name: str, table: Mapping[str, Any], env: Mapping[str, str]) -> Source:
    """The source of a table whose `type` is known. Raises ValueError("key: problem")."""
    kind = table["type"]
    try:
        builder: Builder = import_module(f"proxy.sources.{kind}").build
    except ModuleNotFoundError as error:
        extra = TYPES[kind]
        problem = f"type: {kind!r} needs {error.name}; install groundwire[{extra}]"
        raise ValueError(problem) from None
    return builder(name, table, env)
