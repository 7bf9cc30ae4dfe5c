"""A folder as ground truth: whether a file is there, and how large it is; nothing outside the folder is looked at."""

from __future__ import annotations

import asyncio
import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from proxy.audit import NOTHING, Absent, Present, Question, Sight, Unknown
from proxy.sources.below import stat_below


class Files:
    """The files under a root. Paths are what models wrote: links are resolved, and what leads out is not looked at."""

    def __init__(self, root: Path, *, case_sensitive: bool = True) -> None:
        self._root, self._case_sensitive = root, case_sensitive

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
            if not self._case_sensitive and path.startswith(root + os.sep) and not os.path.lexists(path):
                path = os.path.realpath(_spelled(root, path[len(root) + 1 :]))
            if path != root and not path.startswith(root + os.sep):
                return Unknown("outside the workspace")
            found = stat_below(root, path)
        except FileNotFoundError:
            return Absent("not in the workspace")
        except NotADirectoryError:
            return Absent("a part of its path is a file")
        except (OSError, ValueError) as error:
            return Unknown(f"could not be read: {type(error).__name__}")
        return Present({"size": found.st_size} if stat.S_ISREG(found.st_mode) else {})

    async def aclose(self) -> None:
        return None


def _spelled(folder: str, path: str) -> str:
    """A path under a folder as the disk spells it, the case of its names aside; raises FileNotFoundError."""
    root = folder
    for part in path.split(os.sep):
        if not f"{os.path.realpath(folder)}/".startswith(root + os.sep):
            return folder  # a link led out: the caller sees where to
        with os.scandir(folder) as entries:
            found = next((one.name for one in entries if one.name.casefold() == part.casefold()), None)
        if found is None:
            raise FileNotFoundError(part)
        folder = os.path.join(folder, found)
    return folder


def build(name: str, table: Mapping[str, Any], env: Mapping[str, str]) -> Files:
    """From `[sources.NAME] type = "files"`, `root`, `case_sensitive`. Raises ValueError("key: problem")."""
    if unknown := set(table) - {"type", "root", "case_sensitive"}:
        raise ValueError(f"{min(unknown)}: is no key of this source; known: case_sensitive, root")
    if not isinstance(table.get("root"), str):
        raise ValueError("root: is missing, such as '/srv/workspace'")
    case_sensitive = table.get("case_sensitive", True)
    if not isinstance(case_sensitive, bool):
        raise ValueError("case_sensitive: must be true, or false where A.md and a.md are one file")
    return Files(Path(table["root"]), case_sensitive=case_sensitive)
