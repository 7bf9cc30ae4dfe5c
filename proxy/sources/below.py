"""Open what lies below a root, and nothing else, whatever is put in its place meanwhile."""

from __future__ import annotations

import os
import stat

LISTED = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
FOLDER = LISTED | getattr(os, "O_PATH", 0)
"""A folder that is only passed through need not be readable, where the system has a word for that."""
FILE = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC


def folder_below(root: str, path: str, *, listed: bool = False) -> int:
    """A folder at or below a root, both without links, opened name by name: a link put there since does not lead out.

    Raises OSError. It can be read only where it is to be `listed`.
    """
    if path != root and not path.startswith(root.rstrip(os.sep) + os.sep):
        raise PermissionError("outside the root")
    folder = os.open(root, FOLDER)
    for name in (*filter(None, path[len(root) :].split(os.sep)), *["."] * listed):
        try:
            inner = os.open(name, LISTED if name == "." else FOLDER, dir_fd=folder)
        finally:
            os.close(folder)
        folder = inner
    return folder


def file_below(root: str, path: str) -> int:
    """A regular file below a root; a link is not followed, and a pipe or a device not opened: it may be waited for for ever.

    Raises OSError, and ValueError where it is no file.
    """
    above, name = os.path.split(path)
    folder = folder_below(root, above)
    try:
        found = os.lstat(name, dir_fd=folder)
        if stat.S_ISDIR(found.st_mode):
            raise IsADirectoryError("is a folder")
        if not stat.S_ISREG(found.st_mode):
            raise ValueError("is no file")
        file = os.open(name, FILE, dir_fd=folder)
    finally:
        os.close(folder)
    if not stat.S_ISREG(os.fstat(file).st_mode):  # something else was put there in between
        os.close(file)
        raise ValueError("is no file")
    return file


def stat_below(root: str, path: str) -> os.stat_result:
    """What is at or below a root at a path without links. Raises OSError, of a link that was put there since as well."""
    above, name = (root, ".") if path == root else os.path.split(path)
    folder = folder_below(root, above)
    try:
        found = os.lstat(name, dir_fd=folder)
    finally:
        os.close(folder)
    if stat.S_ISLNK(found.st_mode):
        raise PermissionError("a link")
    return found
