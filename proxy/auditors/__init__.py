"""The table of built-in auditors; others register through the entry-point group `groundwire.auditors`."""

from __future__ import annotations

from collections.abc import Callable

from proxy.audit import Auditor
from proxy.auditors.actions import Actions
from proxy.auditors.artifacts import Artifacts
from proxy.auditors.clones import Clones
from proxy.auditors.commands import Commands
from proxy.auditors.effects import Effects
from proxy.auditors.file_edits import FileEdits
from proxy.auditors.http_json import HttpJson
from proxy.auditors.jobs import Jobs
from proxy.auditors.mcp import Mcp
from proxy.auditors.media import Media
from proxy.auditors.omissions import Omissions
from proxy.auditors.pages import Pages
from proxy.auditors.pipelines import Pipelines
from proxy.auditors.readings import Readings
from proxy.auditors.routes import Routes
from proxy.auditors.sql import Sql
from proxy.auditors.values import Values
from proxy.auditors.written_calls import WrittenCalls

BUILT_IN: dict[str, Callable[..., Auditor]] = {
    "actions": Actions,
    "artifacts": Artifacts,
    "commands": Commands,
    "effects": Effects,
    "file_edits": FileEdits,
    "jobs": Jobs,
    "mcp": Mcp,
    "media": Media,
    "omissions": Omissions,
    "pipelines": Pipelines,
    "readings": Readings,
    "values": Values,
    "written_calls": WrittenCalls,
    "clones": Clones,
    "routes": Routes,
    "sql": Sql,
    "pages": Pages,
    "http_json": HttpJson,
}
