"""The table of built-in auditors; others register through the entry-point group `groundwire.auditors`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module

from proxy.audit import Auditor

NAMES = frozenset(
    {
        "actions",
        "agreements",
        "artifacts",
        "appointed",
        "attempted",
        "charges",
        "choices",
        "clones",
        "commands",
        "consulted",
        "contacts",
        "counts",
        "crossed",
        "dates",
        "days",
        "denials",
        "effects",
        "entries",
        "fields",
        "file_edits",
        "ground",
        "grounding",
        "http_json",
        "ids",
        "jobs",
        "judge",
        "kinds",
        "lingering",
        "mcp",
        "meanings",
        "media",
        "moments",
        "numbered",
        "omissions",
        "options",
        "pages",
        "overruled",
        "parts",
        "payments",
        "pipelines",
        "placeholders",
        "readings",
        "receipts",
        "remainders",
        "rosters",
        "routes",
        "rows",
        "slips",
        "sql",
        "states",
        "uncalled",
        "unfulfilled",
        "unlisted",
        "unmet",
        "untouched",
        "values",
        "verdicts",
        "waiting",
        "written_calls",
    }
)
"""Each is a module of this package with a class of the same name: `file_edits` has `FileEdits`."""


class Auditors(Mapping[str, Callable[..., Auditor]]):
    """The built-in auditors and `others`, which come first.

    A built-in one is imported when a policy first names it: half of them nobody's policy does, and their expressions cost
    a start tens of milliseconds and megabytes.
    """

    def __init__(self, others: Mapping[str, Callable[..., Auditor]] | None = None) -> None:
        self._others = dict(others or {})

    def __getitem__(self, name: str) -> Callable[..., Auditor]:
        if name in self._others:
            return self._others[name]
        if name not in NAMES:
            raise KeyError(name)
        kind: Callable[..., Auditor] = getattr(import_module(f"{__name__}.{name}"), name.title().replace("_", ""))
        return kind

    def __contains__(self, name: object) -> bool:
        return name in NAMES or name in self._others

    def __iter__(self) -> Iterator[str]:
        return iter(NAMES | self._others.keys())

    def __len__(self) -> int:
        return len(NAMES | self._others.keys())
