"""Calls: how each ended, by what its result says."""

from __future__ import annotations

from typing import Any

import pytest

from tests.general import turn_of
from tests.transcripts import messages, turn

OUTCOMES: list[tuple[str, Any, str]] = [
    ("write_file", {"bytes_written": 3}, "landed"),
    ("write_file", {"bytes_written": 0}, "failed"),
    ("write_file", {"bytes_written": 3, "error": "lint"}, "landed"),
    ("write_file", {"applied": True, "error": "lint"}, "landed"),
    ("write_file", {"error": "permission denied"}, "failed"),
    ("write_file", {"error": "missing required argument: path"}, "not_attempted"),
    ("write_file", {"status": "ok"}, "unknown"),
    ("write_file", '{"bytes_written": 3, "resolved_pa', "unknown"),
    ("write_file", {"pack": "p", "version": "1", "output": {"bytes_written": 3}}, "landed"),
    ("mcp__hermes__write_file", {"bytes_written": 3}, "landed"),
    ("Write-File", {"bytes_written": 3}, "landed"),
    ("patch", {"success": True, "error": "diagnostics"}, "landed"),
    ("patch", {"success": False}, "failed"),
    ("Edit", "The file /w/a.md has been updated. Here's the result of running `cat -n`", "landed"),
    ("Edit", "<tool_use_error>String to replace not found in file.</tool_use_error>", "failed"),
    (
        "Edit",
        "<tool_use_error>InputValidationError: Edit failed: old_string is missing</tool_use_error>",
        "not_attempted",
    ),
    ("Edit", "The user doesn't want to proceed with this tool use. The tool use was rejected", "refused"),
    ("Edit", "Permission to use Edit has been denied.", "refused"),
    ("Write", "File created successfully at: /w/a.md", "landed"),
    ("Bash", "total 3", "landed"),
    ("Bash", "bash: foo: command not found", "failed"),
    ("Bash", {"output": "x", "exit_code": 1}, "failed"),
    ("apply_patch", "Success. Updated the following files:\nM a.md", "landed"),
    (
        "apply_patch",
        {"output": "Success. Updated the following files:\nM a.md", "metadata": {"exit_code": 0}},
        "landed",
    ),
    ("apply_patch", "apply_patch verification failed: Failed to find expected lines in a.md", "failed"),
    ("shell", {"output": "boom", "metadata": {"exit_code": 2, "duration_seconds": 0.1}}, "failed"),
    ("exec_command", "Chunk ID: 1\nProcess exited with code 1\nOutput:\nno", "failed"),
    ("exec_command", "Chunk ID: 1\nProcess exited with code 0\nOutput:\nok", "landed"),
    ("str_replace_editor", "The file /w/a.md has been edited. Here's the result of running `cat -n`", "landed"),
    (
        "str_replace_editor",
        "ERROR:\nNo replacement was performed, old_str `x` did not appear verbatim in /w/a.md.",
        "failed",
    ),
    ("str_replace_based_edit_tool", "File created successfully at: /w/a.md", "landed"),
    ("edit_file", "```diff\nIndex: a.md\n```", "landed"),
    ("edit", "Edit applied successfully.", "landed"),
    ("edit", "oldString not found in content", "failed"),
    ("write_to_file", "The content was successfully saved to a.md.", "landed"),
    ("replace_in_file", "The SEARCH block:\nx\n...does not match anything in the file.", "failed"),
    ("filesystem__write_file", "Successfully wrote to /w/a.md", "landed"),
    ("filesystem__move_file", "Successfully moved a.md to b.md", "landed"),
    ("filesystem__edit_file", {"content": [{"type": "text", "text": "Access denied"}], "isError": True}, "failed"),
    ("delete_file", "Successfully deleted a.md", "landed"),
    ("anything", {"error": "no such order"}, "failed"),
    ("anything", {"isError": True}, "failed"),
    (
        "anything",
        [{"type": "text", "text": "zip: not found", "error": True}, {"type": "text", "text": "code 127"}],
        "failed",
    ),
    ("anything", {"type": "text", "text": "Invalid command", "isError": True}, "failed"),
    ("anything", [{"type": "text", "text": "Created 3", "error": False}], "landed"),
    ("anything", {"type": "text", "text": '{"id": 3}'}, "landed"),
    ("anything", {"status": "blocked"}, "refused"),
    ("anything", "Error: not found", "failed"),
    ("anything", "The error rate is 3 %.", "landed"),
    ("anything", "", "landed"),
    ("anything", None, "unknown"),
]


@pytest.mark.parametrize(("name", "result", "outcome"), OUTCOMES)
def test_outcomes_are_in_the_body(name: str, result: Any, outcome: str) -> None:
    (call,) = turn(messages([(name, {"path": "a.md", "file_path": "a.md"}, result)])).calls
    assert call.outcome == outcome


SETTLED = [
    ("cancel_order", {"error": "The order is already cancelled"}, True),
    ("add_member", {"error": "Ann is already in the list"}, True),
    ("invite_user", {"error": "she is already a member"}, True),
    ("create_label", {"error": "label already exists"}, True),
    ("cancel_order", {"error": "The order is already delivered"}, False),
    ("remove_member", {"error": "Ann is already in the list"}, False),
    ("add_member", {"error": "Ann is not in the directory"}, False),
    ("cancel_order", {"error": "no such order"}, False),
]


@pytest.mark.parametrize(("name", "result", "settled"), SETTLED)
def test_a_failure_that_leaves_things_as_they_were_wanted(name: str, result: Any, settled: bool) -> None:
    call = turn_of((name, {"id": "A-1"}, result)).calls[0]
    assert (call.outcome, call.settled) == ("failed", settled)


def test_what_a_failed_call_gives_as_its_reason() -> None:
    call = turn_of(("cancel_order", {"id": "A-1"}, {"error": "not\nallowed"})).calls[0]
    assert (call.reason, call.failure) == ("not allowed", "the call failed: not allowed")
    assert turn_of(("cancel_order", {"id": "A-1"}, {"status": "cancelled"})).calls[0].reason == ""


ACKNOWLEDGED: list[tuple[str, dict[str, Any], Any, str]] = [
    ("invoice_status", {"id": "R-81", "status": "paid"}, {"ok": True}, "unknown"),
    ("invoice_status", {"id": "R-81", "status": "paid"}, "OK", "unknown"),
    ("invoice_status", {"id": "R-81"}, {"id": "R-81", "status": "paid"}, "read"),
    ("invoice_status", {"id": "R-81"}, "paid", "read"),
    ("get_invoice_status", {"id": "R-81"}, {"ok": True}, "read"),
    ("check_status", {"id": "R-81"}, "ok", "read"),
    ("invoice_status", {"id": "R-81"}, {"error": "no such invoice"}, "read"),
]


@pytest.mark.parametrize(("name", "arguments", "result", "nature"), ACKNOWLEDGED)
def test_a_noun_that_only_acknowledges_may_have_changed_something(
    name: str, arguments: dict[str, Any], result: Any, nature: str
) -> None:
    read = turn_of((name, arguments, result))
    assert read.nature(read.calls[0]) == nature


REFUSED = ("move_visit", {"visit": "WV-4", "date": "2025-08-22"}, {"error": "cannot be moved in its current state"})
AFTER: list[tuple[str, Any, bool]] = [
    ("a look shows all of it", ("get_visit", {"visit": "WV-4"}, {"visit": "WV-4", "date": "2025-08-22"}), True),
    ("another day", ("get_visit", {"visit": "WV-4"}, {"visit": "WV-4", "date": "2025-08-20"}), False),
    ("another visit", ("get_visit", {"visit": "WV-5"}, {"visit": "WV-5", "date": "2025-08-22"}), False),
    ("a look that failed", ("get_visit", {"visit": "WV-4"}, {"error": "WV-4 on 2025-08-22 is not found"}), False),
]


@pytest.mark.parametrize(("look", "done"), [row[1:] for row in AFTER], ids=[row[0] for row in AFTER])
def test_a_failed_call_that_a_look_shows_done(look: Any, done: bool) -> None:
    read = turn_of(REFUSED, look)
    assert read.done_after(read.calls[0]) is done


@pytest.mark.parametrize(
    ("name", "error", "settled"),
    [
        ("cancel_order", "order already cancelled", True),
        ("cancel_order", "already_cancelled", True),
        ("cancel_order", "cancelled already", True),
        ("add_member", "Ann is already a member", True),
        ("create_label", "label already exists", True),
        ("redirect_parcel", "window closed: parcel already loaded", False),
        ("cancel_order", "order already shipped", False),
        ("book_room", "room already taken", False),
    ],
)
def test_what_was_so_already(name: str, error: str, settled: bool) -> None:
    assert turn_of((name, {"id": "x-1"}, {"error": error})).calls[0].settled is settled


@pytest.mark.parametrize(
    ("result", "outcome"),
    [
        ({"error": "none", "id": "A-1"}, "landed"),
        ({"error": "n/a"}, "landed"),
        ({"error": "No"}, "failed"),
        ({"error": "❌"}, "failed"),
        ({"error": "-" * 64_000 + "a"}, "failed"),
        ("status: failed\nreason: order shipped\nerror: none", "failed"),
        ("error: none of the seats is free", "failed"),
        ("error: no such order", "failed"),
        ({"error": "no such order"}, "failed"),
        ({"error": {"code": 5}}, "failed"),
        ({"error": True}, "failed"),
    ],
)
def test_an_error_that_is_said_to_be_none(result: Any, outcome: str) -> None:
    assert turn_of(("cancel_order", {"id": "A-1"}, result)).calls[0].outcome == outcome
