"""The table of source types: which `type` of a `[sources.NAME]` table builds what."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from proxy.audit import Source

Builder = Callable[[str, Mapping[str, Any], Mapping[str, str]], Source]
"""(name, table without `type`, environment) → a source. Raises ConfigError-free ValueError("key: problem")."""

TYPES: dict[str, Builder] = {}
