"""Numbers of things that came to an end, and the numbers that results have for it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.general import findings
from tests.transcripts import Ran

LOGS: Ran = ("delete_logs", {"host": "l2"}, "scanned 6120 files\ndeleted 1846 files\nskipped 37 files (in use)\nexit 0")
MAIL: Ran = ("send_campaign", {"id": "C-4"}, {"sent": 5180, "delivered": 5102, "bounced": 78, "unsubscribed": 11})
LOAD: Ran = (
    "import_rows",
    {"file": "a.csv"},
    {"data": {"rowsImported": 412, "rowsSkipped": 19, "rejected": ["r7", "r9"]}},
)
NOW: Ran = ("create_batch", {"n": 1}, {"created": 1763751600, "imported": 40})


def told(answer: str, ran: list[Ran], user: str = "Please do it.", before: Any = ()) -> list[str]:
    return [
        one.subject for one in findings(answer, ran, user=user, before=before) if one.rule == "tallies" and one.flagged
    ]


FIRES: list[tuple[str, str, list[Ran], str]] = [
    ("another end's", "Cleanup done.\n- Deleted: **6,120** logs\n- Freed: 112 GB", [LOGS], "Deleted: **6,120"),
    ("before the word", "All clean: 6120 files deleted.", [LOGS], "6120 files deleted"),
    ("behind the word", "All clean. Deleted 6,120 files.", [LOGS], "Deleted 6,120"),
    ("in a cell", "| Step | Logs |\n|---|---|\n| Deleted | 6120 |", [LOGS], "Deleted | 6120"),
    ("a field's", "The campaign is out.\n- Delivered: 5,180\n- Unsubscribed: 11", [MAIL], "Delivered: 5,180"),
    ("by no call", "The campaign is out: 96 bounced.", [MAIL], "96 bounced"),
    ("of a name of two words", "Imported: 530 rows.", [LOAD], "Imported: 530"),
    ("the length of a list", "Import finished.\n- Rejected: 19", [LOAD], "Rejected: 19"),
]
SILENT: list[tuple[Any, ...]] = [
    ("its own", "Cleanup done.\n- Scanned: 6,120\n- Deleted: 1,846\n- Skipped: 37", [LOGS]),
    (
        "its own too",
        "I went through 6,120 files and deleted 1,846. That is less than a third of the 6,120 scanned.",
        [LOGS],
    ),
    ("of both", "6,120 files scanned, 1,846 deleted", [LOGS]),
    ("beside each other", "6120 scanned 1846 deleted 37 skipped", [LOGS]),
    ("a sum", "Cleanup done: 1,883 files were deleted or skipped.", [LOGS]),
    ("a difference", "The campaign is out, 5,091 subscribed are left.", [MAIL]),
    ("a share", "Cleanup done: 30 % deleted.", [LOGS]),
    ("about", "About 1,800 files deleted.", [LOGS]),
    ("of a part", "40 of the files deleted were larger than a GB.", [LOGS]),
    ("of another time", "Last week 2,204 files were deleted.", [LOGS]),
    ("by the user's words", "2204 files deleted.", [LOGS], "We had 2204 files deleted last time."),
    ("no end", "There are 6,120 files on the host.", [LOGS]),
    ("none", "0 failed.", [("run_jobs", {}, "12 passed, 2 failed"), ("run_jobs", {}, "14 passed")]),
    ("of two runs", "2 failed.", [("run_jobs", {}, "12 passed, 2 failed"), ("run_jobs", {}, "10 passed, 4 failed")]),
    ("a moment", "3 created.", [NOW]),
    ("a day", "Imported: 14 March", [NOW]),
    ("minutes ago", "Imported 3 minutes ago.", [NOW]),
    ("a version", "Imported 3.2 files.", [NOW]),
    ("a list of numbers", "- 1 imported\n- 2 imported", [NOW]),
    ("an id", "Order #4411 imported", [NOW]),
    ("a price", "$4411 imported", [NOW]),
    ("asked", "Were 6,120 files deleted?", [LOGS]),
    ("quoted", '"Deleted: 6,120" is what the old script printed, as a matter of fact, every time.', [LOGS]),
    ("in code", "```\nDeleted: 6,120\n```", [LOGS]),
    ("no result", "Deleted: 6,120", [("delete_logs", {"host": "l2"}, None)]),
    ("no such word", "Deleted: 6,120", [("delete_logs", {"host": "l2"}, {"ok": True})]),
]


@pytest.mark.parametrize(("answer", "ran", "subject"), [row[1:] for row in FIRES], ids=[row[0] for row in FIRES])
def test_another_number_is_told(answer: str, ran: list[Ran], subject: str) -> None:
    assert told(answer, ran) == [subject]


@pytest.mark.parametrize("row", SILENT, ids=[row[0] for row in SILENT])
def test_what_holds_or_is_something_else_is_left_alone(row: Any) -> None:
    assert told(*row[1:]) == []


def test_an_earlier_calls_number_is_known() -> None:
    earlier = [
        {"role": "user", "content": "Clean up host 1."},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "e1", "type": "function", "function": {"name": "delete_logs", "arguments": "{}"}}],
        },
        {"role": "tool", "tool_call_id": "e1", "content": "scanned 90 files\ndeleted 37 files"},
        {"role": "assistant", "content": "Done."},
    ]
    assert told("On host 1: 37 files deleted.", [LOGS], before=earlier) == []
    assert told("On host 1: 55 files deleted.", [LOGS], before=earlier) == ["55 files deleted"]
