"""What each agent's tools look like: the calls and results as they are really sent, and what is read of them."""

from __future__ import annotations

from typing import Any

import pytest

from proxy.results import Result, lenient
from proxy.signatures import Sign, Signature, Table
from tests import general
from tests.transcripts import messages, turn

PATCH = (
    "*** Begin Patch\n*** Add File: docs/new.md\n+hello\n*** Update File: src/app.py\n@@ def main():\n-    old()\n"
    "+    new()\n*** Delete File: src/gone.py\n*** End Patch"
)
MOVED = "*** Begin Patch\n*** Update File: src/a.py\n*** Move to: src/b.py\n@@\n-x\n+y\n*** End Patch\n"
DIFF = "--- a/src/app.py\n+++ b/src/app.py\n@@ -1 +1 @@\n-x\n+y\n--- /dev/null\n+++ b/src/new.py\n@@ -0,0 +1 @@\n+z\n"
HEREDOC = f"cd /work && apply_patch <<'EOF'\n{PATCH}\nEOF"
CAT_N = "Here's the result of running `cat -n` on a snippet of the edited file:\n     1\tx"

LANDED, FAILED, REFUSED, NOT_ATTEMPTED, UNKNOWN = "landed", "failed", "refused", "not_attempted", "unknown"
ALL_THREE = ["docs/new.md", "src/app.py", "src/gone.py"]

Row = tuple[str, str, Any, Any, list[str], str]
"""An agent, its tool, the arguments as sent, the result as sent; the targets and the outcome that are read."""

AGENTS: list[Row] = [
    (
        "hermes",
        "write_file",
        {"path": "a.md", "content": "x"},
        {"bytes_written": 1, "dirs_created": True},
        ["a.md"],
        LANDED,
    ),
    (
        "hermes",
        "patch",
        {"mode": "replace", "path": "a.md", "old_string": "x", "new_string": "y"},
        {"success": False, "error": "Could not find a match for old_string in the file", "_hint": "re-read"},
        ["a.md"],
        FAILED,
    ),
    (
        "hermes",
        "patch",
        {"mode": "patch", "patch": PATCH},
        {
            "success": True,
            "diff": "…",
            "files_modified": ["src/app.py"],
            "files_created": ["docs/new.md"],
            "files_deleted": ["src/gone.py"],
        },
        ALL_THREE,
        LANDED,
    ),
    (
        "claude code",
        "Write",
        {"file_path": "/w/a.md", "content": "x"},
        "File created successfully at: /w/a.md",
        ["/w/a.md"],
        LANDED,
    ),
    (
        "claude code",
        "Edit",
        {"file_path": "/w/a.md", "old_string": "x", "new_string": "y", "replace_all": False},
        f"The file /w/a.md has been updated. {CAT_N}",
        ["/w/a.md"],
        LANDED,
    ),
    (
        "claude code",
        "Edit",
        {"file_path": "/w/a.md", "old_string": "x", "new_string": "y"},
        "<tool_use_error>File has not been read yet. Read it first before writing to it.</tool_use_error>",
        ["/w/a.md"],
        FAILED,
    ),
    (
        "claude code",
        "MultiEdit",
        {"file_path": "/w/a.md", "edits": [{"old_string": "x", "new_string": "y"}]},
        'Applied 1 edit to /w/a.md:\n1. Replaced "x" with "y"',
        ["/w/a.md"],
        LANDED,
    ),
    (
        "claude code",
        "NotebookEdit",
        {"notebook_path": "/w/a.ipynb", "cell_id": "c1", "new_source": "x"},
        "Updated cell c1 with x",
        ["/w/a.ipynb"],
        LANDED,
    ),
    (
        "claude code",
        "Write",
        {"file_path": "/w/a.md", "content": "x"},
        "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the "
        "new_string was NOT written to the file). STOP what you are doing and wait for the user to tell you how to proceed.",
        ["/w/a.md"],
        REFUSED,
    ),
    (
        "claude code",
        "Write",
        {"content": "x"},
        "<tool_use_error>InputValidationError: Write failed due to the following issue:\nThe required parameter `file_path` is "
        "missing</tool_use_error>",
        [],
        NOT_ATTEMPTED,
    ),
    (
        "codex",
        "apply_patch",
        PATCH,
        "Success. Updated the following files:\nA docs/new.md\nM src/app.py\nD src/gone.py\n",
        ALL_THREE,
        LANDED,
    ),
    (
        "codex",
        "apply_patch",
        {"input": MOVED},
        "Success. Updated the following files:\nM src/b.py\n",
        ["src/a.py", "src/b.py"],
        LANDED,
    ),
    (
        "codex",
        "apply_patch",
        {"input": PATCH},
        "apply_patch verification failed: Failed to find expected lines in /w/src/app.py:\n    old()",
        ALL_THREE,
        FAILED,
    ),
    (
        "codex, by its shell",
        "shell",
        {"command": ["bash", "-lc", HEREDOC], "workdir": "/work"},
        {
            "output": "Success. Updated the following files:\nM src/app.py\n",
            "metadata": {"exit_code": 0, "duration_seconds": 0.1},
        },
        ALL_THREE,
        LANDED,
    ),
    (
        "codex, by its shell",
        "shell",
        {"command": ["apply_patch", PATCH]},
        {"output": "Invalid Context 0:\n    old()\n", "metadata": {"exit_code": 1, "duration_seconds": 0.1}},
        ALL_THREE,
        FAILED,
    ),
    (
        "codex, by exec_command",
        "exec_command",
        {"cmd": HEREDOC, "workdir": "/work"},
        "Chunk ID: 91c2f0\nWall time: 0.05 seconds\nProcess exited with code 1\nOriginal token count: 12\nOutput:\nInvalid Context 0\n",
        ALL_THREE,
        FAILED,
    ),
    (
        "codex, by exec_command",
        "exec_command",
        {"cmd": HEREDOC},
        "Chunk ID: 91c2f0\nWall time: 0.05 seconds\nProcess exited with code 0\nOutput:\nSuccess. Updated the following files:\nM src/app.py\n",
        ALL_THREE,
        LANDED,
    ),
    ("codex", "exec_command", {"cmd": "ls"}, "Process exited with code 0\nOutput:\na.md", [], LANDED),
    (
        "opencode",
        "edit",
        {"filePath": "/w/a.md", "oldString": "x", "newString": "y"},
        "Edit applied successfully.",
        ["/w/a.md"],
        LANDED,
    ),
    (
        "opencode",
        "edit",
        {"filePath": "/w/a.md", "oldString": "x", "newString": "y"},
        "Error: Could not find oldString in the file. It must match exactly, including whitespace, indentation, and line endings.",
        ["/w/a.md"],
        FAILED,
    ),
    ("opencode", "write", {"filePath": "/w/a.md", "content": "x"}, "Wrote file successfully.", ["/w/a.md"], LANDED),
    (
        "opencode",
        "patch",
        {"patchText": PATCH},
        "Patch applied successfully. 3 files changed:\n  docs/new.md\n  src/app.py\n  src/gone.py",
        ALL_THREE,
        LANDED,
    ),
    (
        "cline",
        "write_to_file",
        {"path": "a.md", "content": "x"},
        "The content was successfully saved to a.md.\n\nHere is the full, updated content of the file that was saved:\n\n<final_file_content…",
        ["a.md"],
        LANDED,
    ),
    (
        "cline",
        "replace_in_file",
        {"path": "a.md", "diff": "------- SEARCH\nx\n=======\ny\n+++++++ REPLACE"},
        "This is likely because the SEARCH block content doesn't match exactly with what's in the file, or if you used multiple "
        "SEARCH/REPLACE blocks they may not have been in the order they appear in the file.",
        ["a.md"],
        UNKNOWN,
    ),
    (
        "cline",
        "replace_in_file",
        {"path": "a.md", "diff": "------- SEARCH\nx\n=======\ny\n+++++++ REPLACE"},
        "The SEARCH block:\nx\n...does not match anything in the file.",
        ["a.md"],
        FAILED,
    ),
    ("cline", "write_to_file", {"path": "a.md", "content": "x"}, "The user denied this operation.", ["a.md"], REFUSED),
    (
        "roo",
        "apply_diff",
        {"path": "a.md", "diff": "<<<<<<< SEARCH"},
        "Unable to apply diff to file: /w/a.md\n\n<error_details>\nNo sufficiently similar match found",
        ["a.md"],
        FAILED,
    ),
    (
        "openhands",
        "str_replace_editor",
        {"command": "str_replace", "path": "/workspace/a.md", "old_str": "x", "new_str": "y"},
        f"The file /workspace/a.md has been edited. {CAT_N}\nReview the changes and make sure they are as expected.",
        ["/workspace/a.md"],
        LANDED,
    ),
    (
        "openhands",
        "str_replace_editor",
        {"command": "create", "path": "/workspace/a.md", "file_text": "x"},
        "File created successfully at: /workspace/a.md",
        ["/workspace/a.md"],
        LANDED,
    ),
    (
        "openhands",
        "str_replace_editor",
        {"command": "create", "path": "/workspace/a.md", "file_text": "x"},
        "ERROR:\nInvalid `path` parameter: /workspace/a.md. File already exists at: /workspace/a.md. Cannot overwrite files using command `create`.",
        ["/workspace/a.md"],
        FAILED,
    ),
    (
        "openhands",
        "str_replace_editor",
        {"command": "view", "path": "/workspace/a.md"},
        "Here's the result of running `cat -n` on /workspace/a.md:\n     1\tx",
        ["/workspace/a.md"],
        LANDED,
    ),
    ("openhands", "execute_bash", {"command": "ls"}, "a.md\n[The command completed with exit code 0.]", [], LANDED),
    (
        "openhands",
        "execute_bash",
        {"command": "ls x"},
        "ls: x: No such file\n[The command completed with exit code 2.]",
        [],
        FAILED,
    ),
    ("swe-agent", "bash", {"command": "ls"}, "a.md", [], LANDED),
    (
        "mcp filesystem",
        "mcp__filesystem__write_file",
        {"path": "/w/a.md", "content": "x"},
        "Successfully wrote to /w/a.md",
        ["/w/a.md"],
        LANDED,
    ),
    (
        "mcp filesystem",
        "filesystem__edit_file",
        {"path": "/w/a.md", "edits": [{"oldText": "x", "newText": "y"}], "dryRun": False},
        {"content": [{"type": "text", "text": "Error: Could not find exact match for edit:\nx"}], "isError": True},
        ["/w/a.md"],
        FAILED,
    ),
    (
        "mcp filesystem",
        "edit_file",
        {"path": "/w/a.md", "edits": [{"oldText": "x", "newText": "y"}]},
        "```diff\nIndex: /w/a.md\n===================================================================\n--- /w/a.md\toriginal\n",
        ["/w/a.md"],
        LANDED,
    ),
    (
        "mcp filesystem",
        "filesystem-move_file",
        {"source": "/w/a.md", "destination": "/w/b.md"},
        "Successfully moved /w/a.md to /w/b.md",
        ["/w/a.md", "/w/b.md"],
        LANDED,
    ),
    (
        "mcp filesystem",
        "write_file",
        {"path": "/etc/a.md", "content": "x"},
        "Error: Access denied - path outside allowed directories: /etc/a.md not in /w",
        ["/etc/a.md"],
        FAILED,
    ),
    ("a unified diff", "patch", {"patch": DIFF}, {"success": True}, ["src/app.py", "src/new.py"], LANDED),
    (
        "qwen code",
        "replace",
        {"file_path": "/w/a.md", "old_string": "x", "new_string": "y"},
        "Successfully modified file: /w/a.md (1 replacements).",
        ["/w/a.md"],
        LANDED,
    ),
    (
        "gemini cli",
        "write_file",
        {"file_path": "/w/a.md", "content": "x"},
        "Successfully created and wrote to new file: /w/a.md.",
        ["/w/a.md"],
        LANDED,
    ),
    (
        "gemini cli",
        "replace",
        {"file_path": "/w/a.md", "old_string": "x", "new_string": "y"},
        "Failed to edit, 0 occurrences found for old_string in /w/a.md. No edits made.",
        ["/w/a.md"],
        FAILED,
    ),
    ("continue", "edit_existing_file", {"filepath": "a.md", "changes": "x"}, "", ["a.md"], UNKNOWN),
    (
        "continue",
        "create_new_file",
        {"filepath": "a.md", "contents": "x"},
        "File created successfully",
        ["a.md"],
        LANDED,
    ),
    (
        "goose, by its text editor",
        "developer__text_editor",
        {"command": "write", "path": "/w/a.md", "file_text": "x"},
        "Successfully wrote to /w/a.md",
        ["/w/a.md"],
        LANDED,
    ),
    (
        "pi",
        "edit",
        {"path": "a.md", "oldText": "x", "newText": "y"},
        "Successfully replaced text in a.md.",
        ["a.md"],
        LANDED,
    ),
    ("pi", "write", {"path": "a.md", "content": "x"}, "Successfully wrote 1 bytes to a.md", ["a.md"], LANDED),
]


@pytest.mark.parametrize(
    ("name", "arguments", "result", "targets", "outcome"),
    [row[1:] for row in AGENTS],
    ids=[f"{row[0]}: {row[1]} {row[5]}" for row in AGENTS],
)
def test_what_agents_really_send(name: str, arguments: Any, result: Any, targets: list[str], outcome: str) -> None:
    (call,) = turn(messages([(name, arguments, result)])).calls
    assert ([target.path for target in call.targets], call.outcome) == (targets, outcome)


VIEWED = {"command": "view", "path": "/workspace/a.md"}


def test_a_view_by_the_editor_is_no_edit() -> None:
    (call,) = turn(messages([("str_replace_editor", VIEWED, "Here's the result of running `cat -n` on it")])).calls
    assert call.effect == "read"


ERRNO = "[Errno 20] Not a directory: 'settings/config.py'"
RAISED = [
    ("langchain, a handled tool error; llamaindex's agent", ERRNO, FAILED),
    ("pydantic-ai, a retry", f"{ERRNO}\n\nFix the errors and try again.", FAILED),
    ("openai-agents", f"An error occurred while running the tool. Please try again. Error: {ERRNO}", FAILED),
    ("llamaindex, a tool called by itself", f"Encountered error: {ERRNO}", FAILED),
    ("langgraph", "Error: NotADirectoryError(20, 'Not a directory')\n Please fix your mistakes.", FAILED),
    ("python, by its repr", f"NotADirectoryError: {ERRNO}", FAILED),
    ("vercel ai sdk, whose node says it by its code", "ENOTDIR: not a directory, open 'settings/config.py'", FAILED),
    ("an author's own words", "Could not think of anything to write.", UNKNOWN),
    ("an errno in passing", f"It went well once {ERRNO} was dealt with.", UNKNOWN),
    ("a code in passing", "Handles ENOENT: now the file is made first.", UNKNOWN),
    ("a word in capitals", "EDITED: settings/config.py", UNKNOWN),
    ("an error class that was added", "Added class ValidationError: it names the field.", UNKNOWN),
    ("an error that occurred in the past", "The note says that an error occurred while parsing.", UNKNOWN),
]


@pytest.mark.parametrize(("result", "outcome"), [row[1:] for row in RAISED], ids=[row[0] for row in RAISED])
def test_how_frameworks_tell_what_a_tool_raised(result: str, outcome: str) -> None:
    (call,) = turn(messages([("write_file", {"path": "settings/config.py", "content": "x"}, result)])).calls
    assert call.outcome == outcome


SAYS_NO: list[tuple[str, str, Any]] = [
    ("toggle_roaming", "{}", {"ok": False, "code": "LIMIT"}),
    ("applyCoupon", "{}", {"applied": False, "reason": "EXPIRED"}),
    ("course.enroll", "{}", {"enrolled": False}),
    ("points.transfer", "{}", {"transfer": {"id": None, "status": "FAILED"}, "balance": 5}),
    ("add_course", "{}", {"added": None, "reason": "waitlist full"}),
    ("notify_restaurant", "{}", {"sent": False}),
    ("hotel_cancel", "{}", {"status": 409, "message": "non-refundable"}),
    ("merge_pull_request", "{}", {"message": "not mergeable", "status": "405"}),
    ("transition_issue", "{}", {"errorMessages": ["not valid"], "errors": {}}),
    ("graphql", '{"query": "mutation { a }"}', {"errors": [{"message": "no"}], "data": None}),
    ("create_payment", "{}", {"status": "failed"}),
    ("modify_rental", "{}", 'HTTP 422 Unprocessable Entity: {"detail": "none"}'),
    ("lock.lock", "{}", "ServiceError: device unavailable"),
    ("delete_users", "{}", "psycopg2.errors.ForeignKeyViolation: update or delete"),
    ("adjust_stock", "{}", "<response><status>FAILED</status></response>"),
    ("start_job", "{}", "status: failed\nid: 7"),
    ("freeze_plan", "{}", "Plan GM-8 cannot be frozen: minimum term not reached"),
    ("delete_user", "{}", "User not found"),
    ("run_sql", '{"query": "UPDATE a SET b = 1"}', "UPDATE 0"),
    ("run_sql", '{"query": "DELETE FROM a"}', {"command": "DELETE", "rowCount": 0, "rows": []}),
    ("execute", '{"sql": "update a set b = 1"}', "Query OK, 0 rows affected"),
    ("mongo_update", '{"filter": {"id": 1}}', {"acknowledged": True, "matchedCount": 0, "modifiedCount": 0}),
    ("post_message", "{}", {"content": [{"type": "text", "text": "not_in_channel"}], "isError": True}),
    ("scale_app", "{}", "Error from server (Forbidden): no"),
    ("cancelOrder", "{}", {"data": {"cancelOrder": None}, "errors": [{"message": "window closed"}]}),
    ("modify_db", "{}", {"Error": {"Code": "InvalidState", "Message": "no"}, "RequestId": "6d"}),
    ("update_record", "{}", [{"message": "no", "errorCode": "FIELD_VALIDATION_EXCEPTION", "fields": ["Stage"]}]),
    ("reschedule", "{}", {"resourceType": "OperationOutcome", "issue": [{"severity": "error", "code": "conflict"}]}),
    ("update_event", "{}", "HttpError 412: Precondition Failed. The event was modified."),
    ("set_status", "{}", "ERR-3107: e-signature required. Transaction rolled back. 0 records written."),
    ("auftrag_freigeben", "{}", "FEHLER 7031: Auftrag 25-04417 ist gesperrt."),
    ("grant_access", "{}", "003001 (42501): SQL access control error:\nInsufficient privileges to operate on schema"),
    ("fleet_lock", "{}", {"cmd": "c-5", "command": "LOCK", "result": "EXPIRED"}),
    (
        "BookSlot",
        "{}",
        '<soap:Envelope xmlns:soap="x"><soap:Body><soap:Fault><faultcode>soap:Client</faultcode></soap:Fault></soap:Body></soap:Envelope>',
    ),
    ("turn_on", '{"name": "Back door"}', {"states": [{"entity_id": "lock.back_door", "state": "jammed"}]}),
    ("set_zone", "{}", "zone=upstairs rc=-4 (no ack from TRV gateway)"),
    ("request_refill", "{}", "Not accepted. Schedule IV drug with 0 refills."),
    ("attach_media", "{}", "<html>\n<head><title>413 Request Entity Too Large</title></head></html>"),
    ("mute_channel", "{}", {"muted": False}),
    ("deploy_release", "{}", {"ok": True, "deployment": {"id": "d1", "state": "rolled_back"}}),
    ("sync_till", "{}", "ERR socket hang up"),
    ("set_pin", "{}", "ERR_TIMEOUT: gateway did not respond within 10000 ms"),
    ("create_snapshot", "{}", "RequestLimitExceeded: Request limit exceeded."),
    ("send_money", "{}", "Blocked by security policy."),
    ("shipment_cancel", '{"id": "S-1"}', "ERR 423 LOCKED: held by dispatcher, no change made"),
    ("expense_withdraw", '{"id": "E-1"}', "Claim E-1 is being edited by another session. No changes saved."),
    ("lease_terminate", '{"unit": "G-7"}', {"jobStatus": "ABORTED", "reason": "timed out", "terminated": []}),
    ("create_task", "{}", {"state": "crashed"}),
    ("drop_course", '{"id": "BIO2"}', "FAILED\ninternal: enrolment threw"),
    ("exchange_plants", "{}", "record locked by stocktake - not changed"),
    ("update_move", '{"job": "MV-1"}', {"ok": 0, "msg": "code 17"}),
    ("update_move", '{"job": "MV-1"}', {"msg": "internal tool failure (code 17)"}),
    ("update_address", '{"id": "E-3"}', {"code": "AUTHZ_DENIED", "detail": "Missing permission"}),
    ("start_return", '{"order": "OP-6"}', {"meta": {"requestId": "7f"}, "problem": {"http": 503}}),
    ("book_berth", "{}", {"faultString": "Upstream 503", "bookingRef": None}),
    ("cartCreate", "{}", {"cart": None, "userErrors": [{"message": "sold out"}]}),
    ("CreateOrder", "{}", {"Success": False, "Message": "locked"}),
    ("CreateOrder", "{}", {"IsSuccess": False}),
    ("CreateOrder", "{}", {"Status": "Failed"}),
    ("CREATE_ORDER", "{}", {"STATUS": "ERROR"}),
    ("CreateOrder", "{}", {"StatusCode": 500, "Message": "x"}),
    ("CreateOrder", "{}", {"Errors": [{"Code": "O-1", "Message": "locked"}]}),
    ("CreateOrder", "{}", {"Fault": {"Code": "O-1", "Message": "Order aborted."}}),
    ("CreateOrder", "{}", {"Result": {"Success": False}}),
    ("CreateOrder", "{}", {"Response": {"Status": "Error"}}),
    ("CreateOrder", "{}", {"d": {"error": {"code": "1"}}}),
    ("unified_order", "{}", {"return_code": "FAIL", "return_msg": "x"}),
    ("save_note", "{}", {"saved": False}),
    ("apply_coupon", "{}", {"applied": False, "reason": "expired"}),
    ("create_order", "{}", {"status": "NOT_PROCESSED"}),
    ("create_order", "{}", "No booking made: slot taken"),
    ("create_order", "{}", "BOOKING NOT CREATED - slot taken"),
    ("create_order", "{}", "Transaction declined (51)"),
    ("create_order", "{}", "The operation did not complete."),
    ("create_order", "{}", "nothing saved (held by another user)"),
    ("create_order", "{}", '<response status="ERROR"><msg>x</msg></response>'),
    ("create_order", "{}", "result=FAIL;code=12"),
    ("create_order", "{}", "ORA-00060: deadlock detected"),
    ("create_order", "{}", "write conflict, please retry"),
    ("set_relay", "{}", "NOK"),
    ("load_redirect", "{}", "NACK 07 drop EXE: no capacity"),
    ("slot_release", "{}", "<response><status>FAULT</status></response>"),
    ("card_block", "{}", {"rc": 409, "txt": "CARD_IN_MAINTENANCE"}),
    ("scene_activate", "{}", {"rc": -3, "actors": {"tv": "noresp"}}),
    ("hold_place", "{}", "ResponseCode: -7\nMsg: Patron blocked"),
    ("HassSetTemperature", "{}", {"response_type": "error", "data": {"code": "failed_to_handle"}}),
    ("acct_merge", "{}", {"merged": None, "validation": ["Loser has an open contract"]}),
    ("run", '{"cmd": "rotate x"}', {"exit": 2, "stdout": "", "stderr": "lease held, refusing"}),
    ("stageBankDetails", "{}", {"accepted": False, "effectiveBank": {"iban": "GB11"}}),
    ("terminVerschieben", "{}", "Verschiebung nicht möglich: OP-Raum belegt."),
    ("reservar_sala", "{}", "No se ha podido reservar: sala ocupada"),
    ("souscrireOption", "{}", {"httpStatus": 422, "erreurs": [{"code": "OPT_INCOMPATIBLE"}]}),
    ("acct.merge", "{}", {"result": "skipped", "why": "A-902 has 1 unpaid invoice"}),
    ("transferencia_crear", "{}", {"codigo": "E-112", "mensaje": "Límite diario superado"}),
    ("stay_modify", "{}", "No rooms of this category on 21 Jun. Booking left as is."),
    ("order_cancel", "{}", "取消失败:仓库已发货"),
    ("set_relay", "{}", {"status": "ko"}),
    ("payment_plan_create", "{}", {"planId": None, "state": "REJECTED"}),
    ("irrigation_start", "{}", {"zone": 3, "state": "FAULT"}),
    ("create_task", "{}", "List not valid. Please choose from: 'Backlog', 'Completed'."),
    ("run_command", "{}", [{"type": "text", "text": "zip: not found", "error": True}, {"type": "text", "text": "127"}]),
]


@pytest.mark.parametrize(("tool", "arguments", "result"), SAYS_NO)
def test_ways_in_which_results_say_no(tool: str, arguments: str, result: Any) -> None:
    call = general.turn_of((tool, arguments, result)).calls[0]
    assert call.outcome in ("failed", "refused", "not_attempted")


SAYS_NO_SUCH_THING: list[tuple[str, str, Any]] = [
    ("block_card", "{}", {"id": "card_1", "status": "blocked"}),
    ("reject_claim", "{}", {"id": "c1", "status": "rejected"}),
    ("reject_claim", "{}", {"claim": {"id": "c1", "status": "rejected"}}),
    ("reject_claim", "{}", {"id": "c1", "state": "rejected"}),
    ("points.transfer", "{}", {"transfer": {"id": 4, "status": "DONE"}, "last_job": {"status": "FAILED"}}),
    ("retry_payment", '{"status": "failed"}', {"payment": {"id": 4, "status": "failed"}}),
    ("update_ticket", '{"status": "failed"}', {"id": 7, "status": "failed"}),
    ("create_task", "{}", {"id": 1, "completed": False, "done": False}),
    ("create_invoice", "{}", {"id": 1, "paid": False, "sent": False}),
    ("import_contacts", "{}", {"imported": 118, "errors": [{"row": 17}]}),
    ("create_note", "{}", {"id": "n1", "success": True, "errors": []}),
    ("get_payment", "{}", {"status": "failed"}),
    ("get_claim", "{}", {"status": "rejected"}),
    (
        "create_page",
        "{}",
        "Page created. It cannot be undone, and is not available offline, as the long text of this says " * 3,
    ),
    ("update_zone", "{}", {"code": 200, "status": "200"}),
    ("create_item", "{}", {"code": 5512, "status": 1}),
    ("send_mail", "{}", {"error": None, "errors": [], "ok": True}),
    ("turn_off", "{}", "ok"),
    ("run_sql", '{"query": "UPDATE a SET b = 1"}', "UPDATE 10"),
    ("run_sql", '{"query": "CREATE TABLE updates (id int)"}', {"command": "CREATE", "rowCount": 0}),
    ("run_sql", '{"query": "ALTER TABLE a ADD b int"}', "Query OK, 0 rows affected"),
    ("run_sql", '{"query": "UPDATE a SET b = 1"}', {"rowCount": 3}),
    ("mongo_update", "{}", {"matchedCount": 0, "modifiedCount": 0, "upsertedId": "65f1"}),
    ("mongo_update", "{}", {"matchedCount": 1, "modifiedCount": 0}),
    ("cancelOrder", "{}", {"data": {"cancelOrder": {"id": 7}}, "errors": [{"message": "a warning"}]}),
    ("reschedule", "{}", {"resourceType": "OperationOutcome", "issue": [{"severity": "information"}]}),
    ("create_bug", "{}", "<bug><title>SOAP fault in the lock</title></bug>"),
    ("set_zone", "{}", "zone=upstairs rc=0 target=18.0"),
    ("mark_order", "{}", {"order": "W7", "state": "not accepted yet by the courier"}),
    ("get_lock", "{}", {"state": "jammed"}),
    ("set_status", "{}", "Done: 3 records written, none rolled back."),
    ("create_items", "{}", [{"id": 1, "errorCode": None}, {"id": 2, "errorCode": None}]),
    ("rollback_release", "{}", {"ok": True, "release": {"id": "d1", "state": "rolled_back"}}),
    ("update_page", "{}", "ERRATA updated"),
    ("move_task", "{}", "Blocked by 3 tickets, moved to review"),
    ("set_address", "{}", "The address is already 12 Elm Street. No changes made."),
    ("update_rows", "{}", "Updated 3 rows in A; no changes made in B, as ordered by Lee"),
    ("abort_job", '{"id": 7}', {"jobStatus": "ABORTED"}),
    ("run_job", "{}", {"jobStatus": "SUCCEEDED"}),
    ("create_ticket", "{}", {"id": 7, "problem": "no internet", "failure_reason": None, "userErrors": []}),
    ("create_ticket", "{}", {"id": 7, "message": "Internal error reported by Lee"}),
    ("create_label", "{}", {"code": "CONFLICT_OF_INTEREST", "ok": 1}),
    ("update_note", "{}", "Saved: 'the lock was not changed' (note 7)"),
    ("add_song", "{}", "KO-117 added"),
    ("create_order", "{}", "ERR-FREE order 4417 created"),
    ("CreateOrder", "{}", {"Success": True, "Errors": [], "HasErrors": False, "Fault": None}),
    ("CreateOrder", "{}", {"Status": "Active", "Result": "OK"}),
    ("create_order", "{}", {"id": "inv-1", "applied": False, "total": 12}),
    ("create_task", "{}", {"id": "t1", "completed": False}),
    ("create_order", "{}", {"return_code": "SUCCESS"}),
    ("create_order", "{}", {"d": {"id": "x"}}),
    ("create_order", "{}", "No charge made"),
    ("create_order", "{}", "Sent 4, not sent 0"),
    ("create_order", "{}", "Charge created. Card not saved"),
    ("create_order", "{}", "Booking created; e-mail not sent - no address"),
    ("create_order", "{}", "ticket T-1 created (status=error in prod)"),
    ("create_order", "{}", '<order status="OPEN"/>'),
    ("create_order", "{}", "Order placed. Not cancelled: 0"),
    ("create_order", "{}", "ORA-00000: normal, successful completion"),
    ("create_order", "{}", {"rc": 0, "order": "CO-1"}),
    ("create_order", "{}", "ResponseCode: 0\nOrder: 7"),
    ("create_order", "{}", "Termin T-6 gebucht. Umbuchung nicht möglich."),
    ("create_order", "{}", "Reserva hecha. No se ha podido enviar el SMS: sin número"),
    ("create_order", "{}", "已下单,优惠券使用失败"),
    ("create_order", "{}", "<response><status>OK</status></response>"),
    ("send_quote", "{}", {"quote": "Q-5", "sent_at": "10:00", "accepted": False}),
    ("run_script", "{}", {"exit": 1, "stdout": "2 files differ", "stderr": ""}),
    ("run_script", "{}", {"exit": 0, "stdout": "done", "stderr": "a warning"}),
    ("acct_merge", "{}", {"merged": None, "job": "J-1"}),
    ("aviso_enviar", "{}", {"codigo": "0", "mensaje": "entregado"}),
    ("create_order", "{}", {"code": "E", "result": "created"}),
    ("update_order", "{}", "Address changed. The delivery day stays as it was, all else too, and so on"),
    ("create_coupon", "{}", "Created C-7, valid until June, and in shops not valid before May."),
]


@pytest.mark.parametrize(("tool", "arguments", "result"), SAYS_NO_SUCH_THING)
def test_results_that_say_no_such_thing(tool: str, arguments: str, result: Any) -> None:
    assert general.turn_of((tool, arguments, result)).calls[0].outcome == "landed"


@pytest.mark.parametrize(
    ("result", "outcome"),
    [
        ('{"rc": 1}', "failed"),
        ('{"meta": {"code": 1}}', "failed"),
        ('{"rc": 0, "meta": {"code": 1}}', "failed"),
        ('{"rc": 2, "done": true}', "landed"),
        ('{"code": 1}', None),
        ('{"rc": 0}', None),
    ],
)
def test_a_line_of_several_fields_holds_where_one_of_them_does(result: str, outcome: str | None) -> None:
    several = Sign("failed", fields=["rc", "meta.code"], equals=1)
    own = Signature(Table(["x"], outcomes=[Sign("landed", field="done"), several]))
    assert own.outcome(Result(result)) == outcome


OFF_AS_WANTED: list[tuple[str, dict[str, Any], Any]] = [
    ("disable_roaming", {"line": 1}, {"line": 1, "roaming": False}),
    ("sub.setAutoRenew", {"on": False}, {"autoRenew": False}),
    ("set_alarm", {"alarm": "off"}, {"alarm": False}),
    ("stop_recording", {"id": 1}, {"recording": False}),
    ("remove_lock", {"door": 1}, {"locked": False}),
    ("turn_off_autopay", {}, {"autopay": False}),
    ("unlock_door", {"id": 1}, {"locked": False}),
    ("cancel_autorenew", {"id": 1}, {"autorenew": False}),
    ("revoke_access", {"user": 1}, {"access": False}),
    ("clear_hold", {"id": 1}, {"hold": None, "reason": "cleared"}),
    ("update_listing", {"published": False}, {"update": {"published": False}}),
    ("opt_out_marketing", {"id": 1}, {"marketing": False}),
]

TO_COME: list[tuple[str, dict[str, Any], Any]] = [
    ("create_shipment", {"order": 55}, {"id": "SH-1", "shipped": False}),
    ("schedule_delivery", {"order": 5}, {"order": 5, "delivered": False}),
    ("send_sms", {"to": "mum"}, {"status": "queued", "delivered": False}),
    ("post_transfer", {"amount": 300}, {"status": "pending", "posted": False}),
    ("create_or_update_record", {"id": "r1"}, {"id": "r1", "created": False}),
    ("publish_post", {"id": "p1"}, {"published": False, "scheduled_at": "2026-03-05T09:00"}),
    ("respond_request", {"accept": False}, {"accepted": False, "status": "rejected"}),
    ("log_error", {"code": "E42"}, {"id": "lg1", "error": "E42"}),
]


@pytest.mark.parametrize(("tool", "given", "result"), TO_COME, ids=[row[0] for row in TO_COME])
def test_what_is_to_come_was_refused_as_told_or_is_what_was_given_is_no_failure(
    tool: str, given: dict[str, Any], result: Any
) -> None:
    assert general.turn_of((tool, given, result)).calls[0].outcome == "landed"


@pytest.mark.parametrize(
    ("tool", "error", "settled"),
    [
        ("cancel_order", "Order is already cancelled", True),
        ("close_ticket", "ticket_already_closed", True),
        ("create_label", "already_exists", True),
        ("cancel_order", "the order has already been shipped", False),
        ("create_label", "the name is already taken", False),
    ],
)
def test_a_call_that_failed_because_it_was_so_already(tool: str, error: str, settled: bool) -> None:
    call = general.turn_of((tool, {"id": 5}, {"error": error})).calls[0]
    assert (call.outcome, call.settled) == ("failed", settled)


@pytest.mark.parametrize(("tool", "given", "result"), OFF_AS_WANTED, ids=[row[0] for row in OFF_AS_WANTED])
def test_what_was_to_be_off_and_is_off_is_no_failure(tool: str, given: dict[str, Any], result: Any) -> None:
    assert general.turn_of((tool, given, result)).calls[0].outcome == "landed"


@pytest.mark.parametrize("number", ["9" * 400, "-" + "9" * 400, "1e999", "-1e999", "Infinity"])
def test_a_number_that_no_float_holds_is_a_text(number: str) -> None:
    assert lenient(f'{{"n": {number}}}') == {"n": number}


def test_the_words_of_a_nested_reason_are_the_complaint() -> None:
    told = '{"result": "REJECTED", "reason": {"code": "NO_INVENTORY", "text": "closed for 16 August"}}'
    assert Result(told).complaint() == "closed for 16 August"


LOOKS = [
    "ls -la src && cat a.md | head -20",
    "cd /work && git status --short; git diff --stat",
    "git -C repo log --oneline -5",
    "grep -rn 'a > b' src 2>/dev/null",
    "find . -name '*.py' -newer a.md",
    "sed -n '1,20p' a.md",
    "tail -n 20 a.log | grep x",
    "Get-Content a.md | Select-String x",
    "bash -lc 'git diff'",
]
MAY_CHANGE = [
    "ls > a.md",
    "cat a.md | tee b.md",
    "sed -i s/x/y/ a.md",
    "sed -n -i s/x/y/ a.md",
    "find . -name '*.py' -delete",
    "find . -exec rm {} +",
    "fd -e rs --exec rustfmt",
    "fd -e rs -x rustfmt",
    "sort -o a.md a.md",
    "tail -f a.log",
    "echo $(rm a.md)",
    "echo `rm a.md`",
    "cat <<EOF > a.md\nx\nEOF",
    "git commit -am x",
    "git checkout -- a.md",
    "git branch new",
    "pytest --force-regen",
    "UPDATE_EXPECT=1 cargo test",
    "ruff check .",
    "go build ./...",
    "tsc",
    "python mend.py",
    "ls; ./mend.sh",
    "make",
    "xargs rm",
    "bash -c 'rm a.md'",
    "",
    "ls " + "x" * 30_000,
]


@pytest.mark.parametrize("line", LOOKS)
def test_command_lines_that_only_look(line: str) -> None:
    assert general.turn_of(("Bash", {"command": line}, "ok")).calls[0].nature == "read"


@pytest.mark.parametrize("line", MAY_CHANGE)
def test_command_lines_that_may_change_something(line: str) -> None:
    assert general.turn_of(("Bash", {"command": line}, "ok")).calls[0].nature == "unknown"


@pytest.mark.parametrize(
    ("line", "may"),
    [
        ("sed -i s/x/y/ src/*.ts", True),
        ("find src -name '*.ts' -exec sed -i s/x/y/ {} +", True),
        ("git stash pop", True),
        ("git apply fix.patch && git diff --stat", True),
        ("python /tmp/fix.py", True),
        ("npm run format", True),
        ("./mend.sh", True),
        ("eslint --fix src", True),
        ("npm test", False),
        ("pytest -q", False),
        ("git commit -am x && git push", False),
        ("cargo build", False),
        ("cat a.md", False),
        ("sed -n 1p a.md", False),
    ],
)
def test_command_lines_that_may_rewrite_files_they_do_not_name(line: str, may: bool) -> None:
    call = general.turn_of(("Bash", {"command": line}, "ok")).calls[0]
    assert call.signature.may_rewrite(call.arguments) == may


@pytest.mark.parametrize(
    ("tool", "nature"),
    [
        ("transfer_to_CustomerAgent", "read"),
        ("transfer_to_billing_agent", "read"),
        ("transfer_back_to_triage", "read"),
        ("handoff_to_InvoiceAgent", "read"),
        ("transfer_to_human_agents", "change"),
        ("transfer_to_human", "change"),
        ("transfer_to_live_agent", "change"),
        ("transfer_to_support_agent", "change"),
        ("transfer_to_savings", "change"),
        ("transfer_to_account", "change"),
    ],
)
def test_a_handoff_among_agents_changes_nothing(tool: str, nature: str) -> None:
    assert general.turn_of((tool, {}, {"assistant": "CustomerAgent"})).calls[0].nature == nature
