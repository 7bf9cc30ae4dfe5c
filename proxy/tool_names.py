"""How clients and servers spell a tool's name, what of that does not count, and globs for it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fnmatch import translate

HUMP = re.compile(r"(?<=[a-z\d])(?=[A-Z][a-z])")


def fold(name: str) -> str:
    """A tool name without what servers and clients vary: case, the separators `.`, `-`, `_` and spaces."""
    return re.sub(r"[.\-_ ]+", "_", name.strip().lower())


FLAT = re.compile(r"(?i)mcp_[a-z\d]+_(?=[a-z])")
"""How clients that know no double underscore prefix a server's tools."""


def spellings(name: str) -> tuple[str, ...]:
    """A folded name, what is left of it without `mcp__server__`, `server__`, `functions.`, `server:` or `server-` before it,
    and that with its humps parted: `replaceInFile`, `replace_in_file`.

    A dash is a prefix's end only before a name that is spelled with underscores: `files-write_file`, not `artifact-put`. Of
    `mcp_files_write_file` a server's name of one word is left out.
    """
    bare = name.strip()
    found = [fold(bare)]
    for separator in ("__", ".", ":", "/", "-"):
        head, ends, tail = bare.rpartition(separator)
        if ends and head and tail and (separator != "-" or ("_" in tail and "_" not in head)):
            found.append(fold(tail))
            bare = tail
            break
    else:
        if one := FLAT.match(bare):
            bare = bare[one.end() :]
            found.append(fold(bare))
    parted = HUMP.sub("_", bare)
    return (*found, fold(parted)) if parted != bare else tuple(found)


def globs(patterns: Sequence[str]) -> re.Pattern[str]:
    """One expression for a list of tool globs, to be matched against a folded name. An empty list matches nothing."""
    return re.compile("|".join(f"(?:{translate(fold(pattern))})" for pattern in patterns) or r"(?!)")
