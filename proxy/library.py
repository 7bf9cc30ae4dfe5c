"""The folder of policies, packs and word lists, and the shipped one behind it: find, read, compile."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

import proxy
from proxy import policy, policy_file
from proxy.audit import Auditor
from proxy.auditors import EXPRESSIONS, NAMES, Auditors
from proxy.errors import ConfigError
from proxy.lexicon import Lexicon, parse_words
from proxy.policy import Policy
from proxy.tables import Source, toml


def read(path: Path) -> Source:
    """A file's text. Raises ConfigError."""
    try:
        return Source(str(path), path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(str(path), "", "", f"cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ConfigError(str(path), "", "", "is not UTF-8") from None


def shipped() -> Path:
    """The policies that come with the package: in a checkout beside it, in a wheel inside it."""
    inside = Path(proxy.__file__).parent / "shipped_policies"
    return inside if inside.is_dir() else Path(proxy.__file__).parent.parent / "policies"


def toml_files(folder: Path) -> list[Path]:
    """The policies of a folder, in order. A hidden file (an editor's lock, a mount's `..data`) is none of them."""
    try:
        names = os.listdir(folder)
    except FileNotFoundError:
        return []
    except OSError as error:
        raise ConfigError(str(folder), "", "", f"cannot be read: {error.strerror}") from None
    return sorted(folder / name for name in names if name.endswith(".toml") and not name.startswith("."))


class Installed(Mapping[str, Callable[..., Auditor]]):
    """The auditors of the entry-point group, each loaded when a rule names it: a broken one that none names costs nobody."""

    def __init__(self, points: Iterable[EntryPoint]) -> None:
        self._points: dict[str, EntryPoint] = {}
        for point in points:
            other = self._points.setdefault(point.name, point).value
            if point.name in NAMES:
                other = f"proxy.auditors.{point.name}"
            if other != point.value:
                raise ConfigError(
                    point.value, "", point.name, f"is the name of the auditor {other} already; take another"
                )

    def __getitem__(self, name: str) -> Callable[..., Auditor]:
        point = self._points[name]
        try:
            kind: Callable[..., Auditor] = point.load()
        except Exception as error:
            raise ConfigError(point.value, "", name, f"the auditor does not load: {error!r}") from error
        return kind

    def __contains__(self, name: object) -> bool:
        return name in self._points

    def __iter__(self) -> Iterator[str]:
        return iter(self._points)

    def __len__(self) -> int:
        return len(self._points)


def auditors() -> Auditors:
    """The built-in auditors and those of the entry-point group. Raises ConfigError where two have one name."""
    return Auditors(Installed(entry_points(group="groundwire.auditors")))


class Library:
    """Policy files, packs and word lists of one folder, the shipped ones where it has none; notes what it opens."""

    def __init__(self, folder: Path, table: Mapping[str, Callable[..., Auditor]] | None = None) -> None:
        self.folder = folder
        self.auditors = auditors() if table is None else table
        self.opened: list[Path] = []
        self._lexicons: dict[tuple[str, ...], Lexicon] = {}

    def open(self, *parts: str) -> Source:
        """A file's text. Raises OSError where neither folder has it, ConfigError where it cannot be read."""
        path = self.folder.joinpath(*parts)
        if not os.path.lexists(path):  # a link that leads nowhere is there, and broken: the shipped file is no answer
            path = shipped().joinpath(*parts)
            path.stat()
        self.opened.append(path)
        return read(path)

    def pack(self, name: str) -> Source:
        return self.open("packs", f"{Path(name).name}.toml")

    def lexicon(self, languages: Sequence[str]) -> Lexicon:
        """The word lists of some languages, one for all policies that want them. Raises OSError and ValueError."""
        key = tuple(languages)
        if key not in self._lexicons:
            tables = [toml(self.open("words", f"{Path(one).name}.toml")) for one in ("any", *languages)]
            self._lexicons[key] = parse_words(tables)
        return self._lexicons[key]

    def policy(self, source: Source, sources: Collection[str]) -> Policy:
        raw = policy_file.parse(source, self.pack)
        return self._build(source, raw, sources)

    def builder(self, source: Source) -> Callable[[Collection[str]], Policy]:
        """How a policy is built for one of its own tests: with the sources that the test gives, none of them required."""
        raw = policy_file.parse(source, self.pack)
        merged = {**raw, "rules": [{**rule, "require_source": False} for rule in raw["rules"]]}

        def build(sources: Collection[str]) -> Policy:
            return self._build(source, merged, sources)

        return build

    def _build(self, source: Source, raw: Mapping[str, Any], sources: Collection[str]) -> Policy:
        return policy.build(
            *(source, raw),
            auditors=self.auditors,
            lexicon=self.lexicon,
            sources=sources,
            expressions=EXPRESSIONS,
        )
