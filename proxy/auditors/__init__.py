"""The table of built-in auditors; others register through the entry-point group `groundwire.auditors`."""

from __future__ import annotations

from collections.abc import Callable

from proxy.audit import Auditor
from proxy.auditors.artifacts import Artifacts
from proxy.auditors.clones import Clones
from proxy.auditors.file_edits import FileEdits
from proxy.auditors.sql import Sql

BUILT_IN: dict[str, Callable[..., Auditor]] = {
    "artifacts": Artifacts,
    "clones": Clones,
    "file_edits": FileEdits,
    "sql": Sql,
}
