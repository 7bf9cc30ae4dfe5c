"""The table of source types: which `type` of a `[sources.NAME]` table builds what."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from proxy.audit import Source
from proxy.sources import files, objects

Builder = Callable[[str, Mapping[str, Any], Mapping[str, str]], Source]
"""(name, table, environment) → a source that has opened nothing yet. Raises ValueError("key: problem")."""

TYPES: dict[str, Builder] = {
    "files": files.build,
    "objects": objects.build,
}
