"""Tell whether two spellings of a path are one file."""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass

DRIVE = re.compile(r"^[a-z]:(?=/)")


@dataclass(frozen=True, slots=True)
class Paths:
    """How paths compare: against a working directory (empty: not known), case counting or not."""

    cwd: str = ""
    case_sensitive: bool = True

    def normal(self, path: str) -> str:
        """One spelling for all spellings of a path; relative where the working directory is not known."""
        spelled = path.strip().replace("\\", "/")
        if not self.case_sensitive:
            spelled = DRIVE.sub("", spelled.casefold())
        if not self.absolute(spelled) and self.cwd:
            spelled = self.normal_cwd() + "/" + spelled
        return posixpath.normpath(spelled) if spelled else ""

    def normal_cwd(self) -> str:
        cwd = self.cwd.replace("\\", "/").rstrip("/")
        return cwd if self.case_sensitive else DRIVE.sub("", cwd.casefold())

    @staticmethod
    def absolute(path: str) -> bool:
        return path.startswith(("/", "~")) or bool(re.match(r"^[A-Za-z]:/", path))

    def same(self, one: str, other: str) -> bool | None:
        """True or False where it can be known; None for a relative spelling that may be the absolute one."""
        a, b = self.normal(one), self.normal(other)
        if a == b:
            return True
        if self.absolute(a) == self.absolute(b):
            return False
        long, short = (a, b) if self.absolute(a) else (b, a)
        return None if long.endswith("/" + short) else False

    def tail(self, path: str, name: str) -> bool:
        """Whether prose that says `name` can mean `path`: equal, or the end of it at a separator."""
        a, b = self.normal(path), self._bare(name)
        return a == self.normal(name) or a == b or a.endswith("/" + b)

    def _bare(self, name: str) -> str:
        spelled = posixpath.normpath(name.strip().replace("\\", "/").removeprefix("./"))
        return spelled if self.case_sensitive else spelled.casefold()
