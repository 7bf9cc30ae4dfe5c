"""The table of built-in auditors; others register through the entry-point group `groundwire.auditors`."""

from __future__ import annotations

from collections.abc import Callable

from proxy.audit import Auditor
from proxy.auditors.actions import Actions
from proxy.auditors.agreements import Agreements
from proxy.auditors.aliases import Aliases
from proxy.auditors.artifacts import Artifacts
from proxy.auditors.choices import Choices
from proxy.auditors.clones import Clones
from proxy.auditors.columns import Columns
from proxy.auditors.commands import Commands
from proxy.auditors.counts import Counts
from proxy.auditors.dates import Dates
from proxy.auditors.denials import Denials
from proxy.auditors.effects import Effects
from proxy.auditors.entries import Entries
from proxy.auditors.fields import Fields
from proxy.auditors.file_edits import FileEdits
from proxy.auditors.ground import Ground
from proxy.auditors.grounding import Grounding
from proxy.auditors.http_json import HttpJson
from proxy.auditors.ids import Ids
from proxy.auditors.jobs import Jobs
from proxy.auditors.judge import Judge
from proxy.auditors.kinds import Kinds
from proxy.auditors.mcp import Mcp
from proxy.auditors.meanings import Meanings
from proxy.auditors.measures import Measures
from proxy.auditors.media import Media
from proxy.auditors.moments import Moments
from proxy.auditors.omissions import Omissions
from proxy.auditors.pages import Pages
from proxy.auditors.parts import Parts
from proxy.auditors.payments import Payments
from proxy.auditors.pipelines import Pipelines
from proxy.auditors.readings import Readings
from proxy.auditors.receipts import Receipts
from proxy.auditors.remainders import Remainders
from proxy.auditors.rosters import Rosters
from proxy.auditors.routes import Routes
from proxy.auditors.rows import Rows
from proxy.auditors.siblings import Siblings
from proxy.auditors.slips import Slips
from proxy.auditors.sql import Sql
from proxy.auditors.states import States
from proxy.auditors.switches import Switches
from proxy.auditors.uncalled import Uncalled
from proxy.auditors.unfulfilled import Unfulfilled
from proxy.auditors.uniform import Uniform
from proxy.auditors.unlisted import Unlisted
from proxy.auditors.unmet import Unmet
from proxy.auditors.untouched import Untouched
from proxy.auditors.values import Values
from proxy.auditors.verdicts import Verdicts
from proxy.auditors.waiting import Waiting
from proxy.auditors.written_calls import WrittenCalls

BUILT_IN: dict[str, Callable[..., Auditor]] = {
    "actions": Actions,
    "agreements": Agreements,
    "aliases": Aliases,
    "artifacts": Artifacts,
    "columns": Columns,
    "commands": Commands,
    "counts": Counts,
    "dates": Dates,
    "denials": Denials,
    "effects": Effects,
    "entries": Entries,
    "fields": Fields,
    "file_edits": FileEdits,
    "grounding": Grounding,
    "ids": Ids,
    "jobs": Jobs,
    "judge": Judge,
    "kinds": Kinds,
    "mcp": Mcp,
    "meanings": Meanings,
    "measures": Measures,
    "media": Media,
    "moments": Moments,
    "omissions": Omissions,
    "parts": Parts,
    "payments": Payments,
    "pipelines": Pipelines,
    "readings": Readings,
    "receipts": Receipts,
    "remainders": Remainders,
    "rosters": Rosters,
    "rows": Rows,
    "siblings": Siblings,
    "slips": Slips,
    "states": States,
    "switches": Switches,
    "uncalled": Uncalled,
    "unfulfilled": Unfulfilled,
    "uniform": Uniform,
    "unlisted": Unlisted,
    "unmet": Unmet,
    "untouched": Untouched,
    "values": Values,
    "verdicts": Verdicts,
    "waiting": Waiting,
    "written_calls": WrittenCalls,
    "choices": Choices,
    "clones": Clones,
    "routes": Routes,
    "sql": Sql,
    "pages": Pages,
    "http_json": HttpJson,
    "ground": Ground,
}
