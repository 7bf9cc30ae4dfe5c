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
        "attempted",
        "cards",
        "charges",
        "checklists",
        "choices",
        "clones",
        "commands",
        "counts",
        "dates",
        "deliveries",
        "denials",
        "effects",
        "executions",
        "file_edits",
        "ground",
        "granted",
        "grounding",
        "http_json",
        "ids",
        "jobs",
        "judge",
        "labels",
        "leftovers",
        "listings",
        "mcp",
        "media",
        "misdirected",
        "omissions",
        "pages",
        "parts",
        "payments",
        "pipelines",
        "places",
        "promises",
        "readings",
        "receipts",
        "reversals",
        "rosters",
        "routes",
        "slips",
        "sql",
        "states",
        "totals",
        "unattempted",
        "uncalled",
        "unfulfilled",
        "unlisted",
        "unmet",
        "untouched",
        "values",
        "waiting",
        "written_calls",
        "zones",
    }
)
"""Each is a module of this package with a class of the same name: `file_edits` has `FileEdits`."""

EXPRESSIONS: Mapping[str, str] = {
    "actions": "requests questions recap leave settled",
    "agreements": "agrees parts doubts automatic",
    "attempted": "trouble doubts leave",
    "cards": "refunds charges doubts",
    "charges": "former doubts",
    "checklists": "done other automatic",
    "choices": "doubts",
    "artifacts": "offers",
    "dates": "doubts proposals recurs",
    "deliveries": "spared",
    "denials": "denied asked kept told further unsettled undone",
    "effects": "still doubts",
    "granted": "doubts",
    "grounding": "asides",
    "file_edits": "texts proposals others",
    "ids": "proposals examples terms labels records public yours",
    "labels": "doubts",
    "leftovers": "admits doubts every reached missed short troubles aside unsure whole joint apart",
    "listings": "doubts",
    "misdirected": "doubts",
    "omissions": "kept admits unsure",
    "parts": "settled unsent",
    "payments": "refunds charges doubts unsure free proposals methods repaid taken",
    "places": "deeds doubts before yours",
    "promises": "doing now hold next watches doubts leave",
    "readings": "complete more_text looked unaided pictured fails admits web own missed",
    "receipts": "nothing already",
    "rosters": "done other bulk",
    "routes": "phrase codes doubts",
    "slips": "doubts proposals",
    "states": "now lasts runs excludes",
    "totals": "whole doubts partial",
    "uncalled": "automatic leave",
    "unattempted": (
        "states since trouble doubts elsewhere agrees proposes tells reports looks recent opens holds unsure closes refuses"
        " reckons leave terms"
    ),
    "unfulfilled": "states trouble doubts elsewhere leave terms",
    "unlisted": "whole admits undone takes removes gone",
    "unmet": "doubts admits",
    "untouched": "other",
    "values": "proposals charges keeps reckons",
    "waiting": "deeds doubts admits immediate waits notes",
    "zones": "doubts limits greenwich",
}
"""Which options of a built-in auditor are expressions of `re`, or hold some: they are compiled when a policy is built."""


class Auditors(Mapping[str, Callable[..., Auditor]]):
    """The built-in auditors and `others`, which come first.

    A built-in one is imported when a policy first names it: half of them nobody's policy does, and their expressions cost
    a start tens of milliseconds and megabytes.
    """

    def __init__(self, others: Mapping[str, Callable[..., Auditor]] | None = None) -> None:
        self._others = {} if others is None else others

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
