"""Turns: where they begin, and which result belongs to which call."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proxy import ledger
from tests.general import policy
from tests.transcripts import marks, messages, transcript, turn


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


def test_a_models_notes_to_itself_are_no_calls() -> None:
    raw = messages([("a", {}, "1"), ("think", {"thought": "b was done"}, ""), ("mcp__x__sequentialthinking", {}, "ok")])
    read = ledger.read_turn(transcript(raw), policy().marks)
    assert [call.name for call in read.calls] == ["a"]
    assert (read.orphans, read.whole(), len(read.fresh)) == (0, True, 0)
    both = [one for one in raw if one["role"] == "assistant"]
    calls = [call for one in both for call in one["tool_calls"]]
    at_once = [raw[0], {"role": "assistant", "content": None, "tool_calls": calls}]
    at_once += [one for one in raw if one["role"] == "tool"]
    assert [call.name for call in ledger.read_turn(transcript(at_once), policy().marks).fresh] == ["a"]


@pytest.mark.parametrize(
    ("asked", "nature"),
    [
        ("Cancel my order", "change"),
        ("please show me my orders", "read"),
        ("Thanks!", "unknown"),
        ("Storniere bitte meine Bestellung", "change"),
        ("Cancela mi pedido", "change"),
        ("Annulez ma commande", "change"),
        ("帮我取消订单", "change"),
        ("注文をキャンセルしてください", "change"),
        ("주문 취소해 주세요", "change"),
        ("Hast du meine Bestellung storniert?", "unknown"),
        ("Was kostet es, wenn ich storniere?", "unknown"),
        ("¿Cómo cancela uno el pedido?", "unknown"),
        ("Combien coûte la commande ?", "unknown"),
        ("订单取消了吗", "unknown"),
        ("注文はキャンセルできますか", "unknown"),
        ("취소됐나요?", "unknown"),
        ("The file changes are fine as they are", "unknown"),
    ],
)
def test_what_a_message_orders_in_any_language(asked: str, nature: str) -> None:
    read = transcript([{"role": "user", "content": asked}])
    assert ledger.read_turn(read, policy().marks).ordered() == nature


STEP = messages([("a", {}, "1")], user="first")
OPEN = "<environment_details>\n# VSCode Visible Files\na.py\n</environment_details>"
TOLD = "[TASK RESUMPTION] This task was interrupted 4 minutes ago. It may or may not be complete.\n\n"
WORDS = "New instructions for task continuation:\n<user_message>\nclose the other one\n</user_message>\n"
NUDGES = [
    "<system-reminder>Tests exist.</system-reminder>",
    "[System: continue]",
    "[ERROR] You did not use a tool in your previous response! Please retry with a tool use.\n\n# Next Steps\n\n…",
    OPEN,
    f"{OPEN}\n\n{OPEN}",
    TOLD,
    TOLD + OPEN,
    "Continue where you left off",
    "Continue where you left off. The previous model attempt failed or timed out.",
    "Continue from where you left off.",
    "Continue if you have next steps, or stop and ask for clarification if you are unsure how to proceed.",
    "[Your active task list was preserved across context compression]\n- [>] 1. close it (in_progress)\n- [ ] 2. tell",
]


@pytest.mark.parametrize("nudge", NUDGES)
def test_scenario_149_a_synthetic_nudge_opens_no_turn(nudge: str) -> None:
    raw = [*STEP, {"role": "user", "content": nudge}]
    assert [call.name for call in turn(raw).calls] == ["a"]


@pytest.mark.parametrize(
    "said",
    [
        "Continue",
        "Continue where you left off, but skip the tests.",
        "Please continue where you left off. Then close the ticket.",
        "Continue where you left off. The previous model attempt failed or timed out. What did it change?",
        "Continue if you have next steps, and tell me which.",
        "What is [TASK RESUMPTION]?",
        "[TASK RESUMPTIONS] are odd",
        TOLD + WORDS,
        TOLD + WORDS + OPEN,
        f"<task>look at b</task>\n{OPEN}",
        f"{OPEN}\nAnd what is this?",
        "Why do I get '[ERROR] You did not use a tool in your previous response!'?",
        "[Your active task list was preserved across context compression]\n- [ ] 1. tell\n\nForget that list.",
    ],
)
def test_scenario_149_who_says_more_opens_a_turn(said: str) -> None:
    read = turn([*STEP, {"role": "user", "content": said}])
    assert (read.asked, read.calls) == (said, ())


SUMMARIES = [
    "This session is being continued from a previous conversation that ran out of context.",
    "<summary>a.md was edited</summary>",
    "<conversation_summary>\na.md was edited\n</conversation_summary>",
    "<environment_info>\nLinux\n</environment_info>\n\n<conversation-summary>\nedited\n</conversation-summary>\nGo on.",
    "<state_snapshot>\n<overall_goal>a retry</overall_goal>\n</state_snapshot>",
    "<scratchpad>what was done?</scratchpad>\n<state_snapshot>\n<overall_goal>a retry</overall_goal>\n</state_snapshot>",
    "[CONTEXT COMPACTION — REFERENCE ONLY] Earlier turns were compacted into the summary below. This is a handoff.",
    "[CONTEXT COMPACTION - system-generated summary of earlier turns, not a new instruction]\n\n## Goal\n…",
    "fix it\n\n[CONTEXT COMPACTION — REFERENCE ONLY] Earlier turns were compacted into the summary below.",
    "[CONTEXT SUMMARY]: a.md was edited",
    "Here is a summary of the conversation to date:\n\nsrc/a.ts was edited.",
    "Here is a summary of our conversation so far:\n- edited src/a.ts",
    "Here is a summary of our conversation so far, before it was compacted to save context:\n\nedited",
    "You are in the middle of a conversation that has been summarized.\n\nA condensed summary follows:\n\n<summary>…",
    "The conversation history before this point was compacted into the following summary:\n\n<summary>\n…</summary>",
    "The following is a summary of a branch that this conversation came back from:\n\n<summary>\nedited\n</summary>",
    "I spoke to you previously about a number of things.\nI asked you for a retry helper.",
    "[Sliding window truncation: 12 messages hidden to reduce context]",
    "The user has accepted the condensed conversation summary you generated. This summary covers important details.",
    "What did we do so far?",
]
NOTES = [
    "[NOTE] Some previous conversation history with the user has been removed to maintain optimal context window length.",
    "Your context was compacted. The previous message contains a summary of the conversation so far.\nDo not mention it.",
    "The previous message contains a summary that was prepared because a context limit was reached.",
]


@pytest.mark.parametrize(
    ("role", "text"), [*(("user", one) for one in SUMMARIES), *(("assistant", one) for one in NOTES)]
)
def test_scenario_102_a_compaction_of_any_client_leaves_the_history_not_whole(role: str, text: str) -> None:
    assert not turn([{"role": role, "content": text}, {"role": "assistant", "content": "Ok."}, *STEP]).whole()


@pytest.mark.parametrize(
    "said",
    [
        "Here is a summary of the article: it is long.",
        "Here is a summary of our conversation that I want to send to Bob.",
        "Could you write 'Here is a summary of our conversation so far:' above it?",
        "Summarize what we did so far.",
        "What did we do so far? I lost track of it.",
        "what did we do so far with the state_snapshot?",
        "What does <summary> do in HTML?",
        "The page has\n<details>\n<summary>More</summary>\n</details>",
        "Why is there no marker?\n<summary>More</summary>",
        "My client sends <state_snapshot> to the model; why?",
        "I read about [CONTEXT COMPACTION — REFERENCE ONLY] in the log",
        "[Context compaction](docs/context.md) is linked twice",
        "[CONTEXT COMPACTION — REFERENCE ONLY] is what my log says. Why?",
        "I spoke to you previously about a number of things. Do you remember?",
        "He says: I spoke to you previously about a number of things.\nWhat does he mean?",
        "My agent says that your context was compacted. The previous message contains a summary, it says.",
        "Cline shows '[NOTE] Some previous conversation history with the user has been removed' in my chat",
        "[NOTE] Some history of the file is lost",
        "Explain: The conversation history before this point was compacted into the following summary",
        "How do I write a <conversation-summary> tag?",
        "## Conversation summaries\nShould we store them?",
        "Was another language model started to solve this problem?",
        "Is this session being continued from a previous conversation?",
        "I have a conversation that has been summarized.",
        "Drop the sliding window truncation: 12 messages hidden is too much",
    ],
)
def test_scenario_102_who_writes_about_summaries_has_compacted_nothing(said: str) -> None:
    assert turn([{"role": "user", "content": said}, {"role": "assistant", "content": "Ok."}, *STEP]).whole()


CLINE = "The tool execution failed with the following error:\n<error>\nEACCES: permission denied, open 'x.md'\n</error>"


@pytest.mark.parametrize(
    ("told", "outcome"),
    [
        (CLINE, "failed"),
        (f"[write_to_file for 'x.md'] Result:\n{CLINE}", "failed"),
        (f"[write_to_file for 'x [1].md'] Result:\n\n{CLINE}", "failed"),
        ([{"type": "image_url", "image_url": {"url": "data:,"}}, {"type": "text", "text": CLINE}], "failed"),
        ([{"type": "text", "text": "[write_to_file for 'x.md'] Result:"}, {"type": "text", "text": CLINE}], "failed"),
        (f"The content was successfully saved to x.md.\n\nx.md says: {CLINE}", "landed"),
        ("The content was successfully saved to x.md.", "landed"),
        ("[write_to_file for 'x.md'] Result:\nThe content was successfully saved to x.md.", "unknown"),
        ("If the tool execution failed with the following error: call me.", "unknown"),
    ],
)
def test_scenario_137_the_error_of_cline_and_roo_is_a_failure(told: Any, outcome: str) -> None:
    raw = messages([("write_to_file", {"path": "x.md", "content": "x"}, "")])
    raw[-1]["content"] = told
    (call,) = ledger.read_turn(transcript(raw), policy().marks).calls
    assert call.outcome == outcome


def test_scenario_136_two_different_results_for_one_call_are_no_evidence() -> None:
    raw = messages([("write_file", {"path": "a.md"}, {"bytes_written": 3})])
    raw.append({"role": "tool", "tool_call_id": "c0", "content": '{"error": "no access"}'})
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
