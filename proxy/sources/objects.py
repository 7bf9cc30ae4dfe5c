"""An object store as ground truth: whether a key is there, and how large it is, by HEAD requests only."""

from __future__ import annotations

import asyncio
import os
import stat
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from proxy.audit import NOTHING, Absent, Present, Question, Sight, Unknown
from proxy.sources.below import file_below, stat_below

if TYPE_CHECKING:
    from obstore.store import ObjectStore

SCHEMES = ("s3", "gs", "az", "file", "memory")
PATIENCE = timedelta(seconds=5)
"""How long one look may retry; the policy's deadline is usually shorter."""


class Objects:
    """The store at a URL: `s3://bucket/prefix`, `gs://`, `az://`, `file:///folder` or `memory://`; `file:folder` is relative.

    Credentials and endpoints come from the environment by the providers' usual names (`AWS_*`, …). Keys are what models
    wrote: one that would leave the prefix is not looked at. Raises ValueError on a URL that is none of these.
    """

    def __init__(self, url: str, *, allow_http: bool = False) -> None:
        scheme = urlsplit(url).scheme
        if scheme not in SCHEMES:
            raise ValueError(f"url: {url!r} is no store; right would be {', '.join(f'{one}://' for one in SCHEMES)}")
        self._url, self._allow_http = url, allow_http
        self._folder = Path(unquote(urlsplit(url).path)).absolute() if scheme == "file" else None
        self._store: ObjectStore | None = None

    async def look(self, subject: str, question: Question = NOTHING) -> Sight:
        from obstore.exceptions import NotFoundError, PermissionDeniedError, UnauthenticatedError

        parts = subject.split("/")
        if not subject or "\0" in subject or "\\" in subject or any(part in ("", ".", "..") for part in parts):
            return Unknown("not a key that a store could hold")
        if self._folder is not None:
            return await asyncio.to_thread(_in_folder, self._folder, subject)
        try:
            found = await self._open().head_async(subject)
        except (FileNotFoundError, NotFoundError):
            return Absent("not in the store")
        except (PermissionDeniedError, UnauthenticatedError):
            return Unknown("the store denied access")
        except Exception as error:  # noqa: BLE001 - the library raises its transport's errors under one root
            return Unknown(f"the store did not answer: {type(error).__name__}")
        return Present({"size": found["size"], "modified": found["last_modified"].timestamp()})

    async def fetch(self, key: str, limit: int) -> bytes:
        """The bytes of a key that `look` has found, no more than `limit`. Raises what the store's library raises."""
        if self._folder is not None:
            return await asyncio.to_thread(_read, self._folder, key, limit)
        found = await self._open().get_async(key)
        held = bytearray()
        async for piece in found.stream():
            held += piece
            if len(held) > limit:
                raise OverflowError("larger than it was")
        return bytes(held)

    def _open(self) -> ObjectStore:
        if self._store is None:
            from obstore.store import MemoryStore, from_url

            if self._url.startswith("memory:"):
                self._store = MemoryStore()
            else:
                self._store = from_url(
                    self._url,
                    client_options={
                        "allow_http": self._allow_http,
                        "timeout": PATIENCE,
                        "connect_timeout": timedelta(seconds=2),
                    },
                    retry_config={"max_retries": 1, "retry_timeout": PATIENCE},
                )
        return self._store

    async def aclose(self) -> None:
        self._store = None


# A folder is read here, not by the library: that one would open a pipe and wait, or a link that was put there since.


def _in_folder(folder: Path, key: str) -> Sight:
    """What a folder holds under a key."""
    if not folder.is_dir():
        return Unknown("the store's folder is not there")
    root = os.path.realpath(folder)
    try:
        path = os.path.realpath(os.path.join(root, key))
        if not path.startswith(os.path.join(root, "")):
            return Unknown("the key leads out of the store")
        found = stat_below(root, path)
    except (FileNotFoundError, NotADirectoryError):
        return Absent("not in the store")
    except PermissionError:
        return Unknown("the store denied access")
    except (OSError, ValueError) as error:
        return Unknown(f"the store did not answer: {type(error).__name__}")
    if stat.S_ISREG(found.st_mode):
        return Present({"size": found.st_size, "modified": found.st_mtime})
    return Absent("not in the store") if stat.S_ISDIR(found.st_mode) else Unknown("is no file")


def _read(folder: Path, key: str, limit: int) -> bytes:
    root = os.path.realpath(folder)
    with os.fdopen(file_below(root, os.path.realpath(os.path.join(root, key))), "rb") as file:
        held = file.read(limit + 1)
    if len(held) > limit:
        raise OverflowError("larger than it was")
    return held


def build(name: str, table: Mapping[str, Any], env: Mapping[str, str]) -> Objects:
    """From `[sources.NAME] type = "objects"`, `url`. Raises ValueError("key: problem")."""
    if unknown := set(table) - {"type", "url"}:
        raise ValueError(f"{min(unknown)}: is no key of this source; known: url")
    if not isinstance(table.get("url"), str):
        raise ValueError("url: is missing, such as 's3://bucket/prefix'")
    # An endpoint that the operator spells with http:// is meant; the library would want a second variable for it.
    plain = env.get("AWS_ENDPOINT_URL", "").startswith("http://") or env.get("AWS_ALLOW_HTTP", "").lower() in (
        "1",
        "true",
    )
    return Objects(table["url"], allow_http=plain)
