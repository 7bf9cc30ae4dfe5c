"""A folder as ground truth: whether a file is there, and how large it is; nothing outside the folder is looked at."""

from __future__ import annotations

import asyncio
import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from proxy.audit import NOTHING, Absent, Present, Question, Sight, Unknown


class Files:
    """The files under a root. Paths are what models wrote: links are resolved, and what leads out is not looked at."""

    def __init__(self, root: Path) -> None:
        self._root = root

    async def look(self, subject: str, question: Question = NOTHING) -> Sight:
        return await asyncio.to_thread(self._look, subject)

    def _look(self, subject: str) -> Sight:
        if not subject or "\0" in subject:
            return Unknown("not a path")
        if not self._root.is_dir():
            return Unknown("the workspace is not there")
        root = os.path.realpath(self._root)
        try:
            path = os.path.realpath(os.path.join(root, subject.replace("\\", "/")))
            if path != root and not path.startswith(root + os.sep):
                return Unknown("outside the workspace")
            found = os.stat(path)
        except FileNotFoundError:
            return Absent("not in the workspace")
        except NotADirectoryError:
            return Absent("a part of its path is a file")
        except (OSError, ValueError) as error:
            return Unknown(f"could not be read: {type(error).__name__}")
        return Present({"size": found.st_size} if stat.S_ISREG(found.st_mode) else {})

    async def aclose(self) -> None:
        return None


def build(name: str, table: Mapping[str, Any], env: Mapping[str, str]) -> Files:
    """From `[sources.NAME] type = "files"`, `root`. Raises ValueError("key: problem")."""
    if unknown := set(table) - {"type", "root"}:
        raise ValueError(f"{min(unknown)}: is no key of this source; known: root")
    if not isinstance(table.get("root"), str):
        raise ValueError("root: is missing, such as '/srv/workspace'")
    return Files(Path(table["root"]))
