"""Tell whether two spellings of a path are one file."""

from __future__ import annotations

import posixpath


class Paths:
    """How paths compare: against a working directory (empty: not known), case counting or not.

    Made for one audit: it remembers the spellings that it has seen.
    """

    def __init__(self, cwd: str = "", case_sensitive: bool = True) -> None:
        self._case_sensitive = case_sensitive
        self._normal: dict[str, str] = {}
        self._bare: dict[str, str] = {}
        self._cwd = self._slashed(cwd).rstrip("/")

    def _slashed(self, path: str) -> str:
        path = path.strip().replace("\\", "/")
        if self._case_sensitive:
            return path
        path = path.casefold()
        return path[2:] if path[1:3] == ":/" else path

    def normal(self, path: str) -> str:
        """One spelling for all spellings of a path; relative where the working directory is not known."""
        known = self._normal.get(path)
        if known is None:
            spelled = self._slashed(path)
            if self._cwd and not absolute(spelled):
                spelled = f"{self._cwd}/{spelled}"
            plain = "//" not in spelled and "/." not in spelled and not spelled.startswith(".")
            known = spelled if plain else posixpath.normpath(spelled)
            self._normal[path] = known
        return known

    def last(self, path: str) -> str:
        """The last name of a path, as it compares."""
        return self.normal(path).rpartition("/")[2]

    def same(self, one: str, other: str) -> bool | None:
        """True or False where it can be known; None for a relative spelling that may be the absolute one."""
        a, b = self.normal(one), self.normal(other)
        if a == b:
            return True
        if absolute(a) == absolute(b):
            return False
        long, short = (a, b) if absolute(a) else (b, a)
        return None if long.endswith("/" + short) else False

    def tail(self, path: str, name: str) -> bool:
        """Whether prose that says `name` can mean `path`: equal, or the end of it at a separator."""
        a = self.normal(path)
        if a == self.normal(name):
            return True
        bare = self._bare.get(name)
        if bare is None:
            bare = self._bare[name] = posixpath.normpath(self._slashed(name).removeprefix("./"))
        return a.endswith(bare) and (len(a) == len(bare) or a[-len(bare) - 1] == "/")


def absolute(path: str) -> bool:
    """Whether a path with forward slashes begins at a root, a home or a drive."""
    return path.startswith(("/", "~")) or path[1:3] == ":/"
