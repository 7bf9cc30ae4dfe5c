"""TOML text as typed tables; what does not fit is told by file, table and key, with what would be right."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, get_args

import msgspec

from proxy.errors import ConfigError

Typed = TypeVar("Typed")
Made = TypeVar("Made")


class Strict(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A table in which an unknown key is an error."""


@dataclass(frozen=True, slots=True)
class Source:
    """One TOML text and the file it came from, as errors name it."""

    file: str
    text: str


def toml(source: Source) -> dict[str, Any]:
    """A TOML text as tables. Raises ConfigError that names the line."""
    try:
        return tomllib.loads(source.text)
    except ValueError as error:  # a number of too many digits too
        raise ConfigError(source.file, "", "", f"is not TOML: {error}") from None
    except RecursionError:
        raise ConfigError(source.file, "", "", "nests too deep to be read") from None


def convert(raw: Any, kind: Any, file: str, above: str = "") -> Any:
    """Type raw tables, turning msgspec's words into ours: file, table, key, what is wrong, what would be right."""
    try:
        return msgspec.convert(raw, kind)
    except msgspec.ValidationError as error:
        problem, _, path = str(error).replace("`object`", "`table`").replace("[...]", "[*]").partition(" - at `$")
        names = [name for name in (above, path.rstrip("`").lstrip(".")) if name]
        place = ".".join(names).replace(".[", "[")
        unknown = re.search(r"unknown field `(.+?)`", problem)
        if unknown:
            known = sorted(_keys(_type_at(kind, path)))
            raise ConfigError(file, place, unknown[1], no_key(unknown[1], known)) from None
        missing = re.search(r"missing required field `(.+?)`", problem)
        if missing:
            right = _choices(_keys(_type_at(kind, path)).get(missing[1]))
            raise ConfigError(file, place, missing[1], "is missing" + right) from None
        head, _, key = place.rpartition(".")
        right = _choices(_type_at(kind, path))
        raise ConfigError(file, head, key, problem[:1].lower() + problem[1:] + right) from None


def compiled(
    name: str, tables: Sequence[Mapping[str, Any]], kind: type[Typed], make: Callable[[Typed], Made]
) -> list[Made]:
    """What each table of a list is compiled into. Raises ValueError that names the table's number and what is wrong."""
    made: list[Made] = []
    for number, table in enumerate(tables):
        try:
            made.append(make(msgspec.convert(table, kind)))
        except (msgspec.ValidationError, ValueError) as error:
            raise ValueError(f"{name}[{number}]: {error}") from None
    return made


def _choices(kind: Any) -> str:
    choices = [repr(choice) for choice in get_args(kind) if choice and isinstance(choice, str)]
    return f"; right would be one of {', '.join(choices)}" if choices else ""


def no_key(key: str, known: Sequence[str]) -> str:
    near = difflib.get_close_matches(key, known, 1)
    right = f"did you mean {near[0]!r}?" if near else f"known keys: {', '.join(known) or 'none'}"
    return f"is no key of this table; {right}"


def _keys(kind: Any) -> dict[str, Any]:
    """The keys of a table of ours and their types; none where it is none."""
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return {field.encode_name: field.type for field in msgspec.structs.fields(kind)}
    return {}


def _type_at(kind: Any, path: str) -> Any:
    """The type at a path of msgspec's (`.rules[0].mode`): a key leads into a table, an index into a list's items."""
    for name in re.findall(r"\.(\w+)|\[[^\]]*\]", path):
        items = [one for one in get_args(kind) if one is not ...]
        kind = _keys(kind).get(name) if name else (items[-1] if items else None)
    return kind
