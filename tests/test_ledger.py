"""Turns: where they begin, which result belongs to which call, and how each call ended."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proxy import ledger
from tests.transcripts import marks, messages, transcript, turn

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


def test_the_turn_is_all_after_the_last_real_user_message() -> None:
    raw = [*messages([("a", {}, "1")], user="first"), *messages([("b", {}, "2")], user="second", first=1)]
    read = turn(raw)
    assert (read.asked, [call.name for call in read.calls]) == ("second", ["b"])
    assert [call.name for call in read.earlier()] == ["a"]


def test_a_prompt_that_a_client_repeats_behind_results_opens_no_turn() -> None:
    step, again = messages([("a", {}, "1")], user="first"), messages([("b", {}, "2")], user="first", first=1)
    read = turn([*step, *again])
    assert (read.asked, [call.name for call in read.calls]) == ("first", ["a", "b"])
    answered = turn([*step, {"role": "assistant", "content": "Done."}, *again])
    assert [call.name for call in answered.calls] == ["b"]


@pytest.mark.parametrize("nudge", ["<system-reminder>Tests exist.</system-reminder>", "[System: continue]"])
def test_scenario_149_a_synthetic_nudge_opens_no_turn(nudge: str) -> None:
    raw = [*messages([("a", {}, "1")], user="first"), {"role": "user", "content": nudge}]
    assert [call.name for call in turn(raw).calls] == ["a"]


def test_scenario_136_two_different_results_for_one_call_are_no_evidence() -> None:
    raw = messages([("write_file", {"path": "a.md"}, {"bytes_written": 3})])
    raw.append({"role": "tool", "tool_call_id": "c0", "content": '{"error": "no"}'})
    assert [call.outcome for call in turn(raw).calls] == ["unknown"]


def test_a_result_without_its_call_means_that_the_history_is_not_whole() -> None:
    raw = [{"role": "user", "content": "go"}, {"role": "tool", "tool_call_id": "x", "content": "1"}]
    assert not turn(raw).whole()
    assert turn(messages([("a", {}, "1")])).whole()


PICTURE = [{"type": "text", "text": "See this."}, {"type": "image_url", "image_url": {"url": "data:,"}}]
SHOWN = {"role": "tool", "tool_call_id": "c0", "content": PICTURE}


@pytest.mark.parametrize(
    "raw",
    [
        [{"role": "user", "content": PICTURE}, *messages([("a", {}, "1")])[1:]],
        [{"role": "user", "content": PICTURE}, {"role": "assistant", "content": "ok"}, *messages([("a", {}, "1")])],
        [*messages([("a", {}, "1")])[:2], SHOWN],
        [*messages([("a", {}, "1")])[:2], SHOWN, *messages([("b", {}, "1")], first=1)],
    ],
    ids=["asked with it", "earlier", "a result", "an earlier result"],
)
def test_a_picture_anywhere_means_that_not_all_is_text(raw: list[Any]) -> None:
    assert (turn(raw).whole(), turn(raw).legible()) == (True, False)
    assert turn(messages([("a", {}, "1")])).legible()


def test_scenario_137_content_as_parts_and_null() -> None:
    parts = [{"type": "text", "text": '{"bytes_'}, {"type": "text", "text": 'written": 3}'}, {"type": "image_url"}]
    raw = messages([("write_file", {"path": "a.md"}, "x"), ("b", {}, "x")])
    raw[2]["content"], raw[4]["content"] = parts, None
    assert [call.result.text if call.result else None for call in turn(raw).calls] == ['{"bytes_\nwritten": 3}', ""]


def test_scenario_147_and_148_turns_share_nothing() -> None:
    one, other = turn(messages([("a", {}, "1")])), turn(messages([("b", {}, "2")]))
    assert ([call.name for call in one.calls], [call.name for call in other.calls]) == (["a"], ["b"])


def test_only_the_turn_is_converted() -> None:
    history = messages([("a", {}, "1")] * 500, user="first")
    history.append({"role": "assistant", "content": "Done."})
    read = transcript([*history, *messages([("b", {}, "2")], user="second", first=900)])
    ledger.read_turn(read, marks())
    made = read.messages._made  # type: ignore[attr-defined]
    assert len(made) == 4  # and the one before, which may be results


ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.floats(allow_nan=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)
GIVEN = st.sampled_from(['"\\ud83d"', "1" * 30, "1" * 400, "1e400", "[" * 5_000, "[" * 300 + "]" * 300]) | ODD.map(
    json.dumps
)
DISPATCHED = GIVEN.map(
    lambda value: messages([("execute_tool", f'{{"tool_name": "send_mail", "arguments": {{"id": {value}}}}}', "ok")])[1]
)
"""A call of a tool that calls others, with values that JSON may hold and not every library can write."""
ROLES = st.sampled_from(["system", "user", "assistant", "tool", "function", "developer", "?"])
MESSAGE = st.fixed_dictionaries(
    {"role": ROLES | ODD},
    optional={
        "content": st.sampled_from(['{"error": "x"}', "ok", None, "Updated a.md."]) | ODD,
        "tool_call_id": st.sampled_from(["1", "2", ""]) | ODD,
        "tool_calls": ODD
        | st.lists(
            st.fixed_dictionaries(
                {"id": st.sampled_from(["1", "2", ""]) | ODD},
                optional={
                    "function": ODD
                    | st.fixed_dictionaries(
                        {
                            "name": st.sampled_from(["patch", "write_file", "Edit", "Bash"]) | ODD,
                            "arguments": st.sampled_from(['{"path": "a.md"}', "{", "null", "[]"]) | ODD,
                        }
                    )
                },
            ),
            max_size=3,
        ),
        "function_call": ODD,
    },
)


@given(st.lists(MESSAGE | DISPATCHED | ODD, max_size=8))
def test_a_transcript_of_any_shape_is_read(raw: list[Any]) -> None:
    read = turn(raw)
    read.earlier()
    read.whole()
    read.cwd()
    assert all(isinstance(call.arguments, dict) and call.outcome and call.targets is not None for call in read.calls)
