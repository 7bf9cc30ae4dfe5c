"""Tool calls that a model wrote as text."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proxy.written import coded_calls, written_calls
from tests.general import findings, flagged
from tests.transcripts import Ran

JSON = '{"name": "cancel_order", "arguments": {"id": 1}}'

FORMS = [
    ("JSON", JSON),
    ("parameters", '{"name": "cancel_order", "parameters": {}}'),
    ("a tag", f"<tool_call>\n{JSON}\n</tool_call>"),
    ("function=", "<function=cancel_order>{}</function>"),
    ("invoke", '<invoke name="cancel_order"><parameter name="id">1</parameter></invoke>'),
    ("ReAct", 'Action: cancel_order\nAction Input: {"id": 1}'),
    ("in a fence", f"```json\n{JSON}\n```"),
]


@pytest.mark.parametrize("text", [text for _, text in FORMS], ids=[name for name, _ in FORMS])
def test_forms_of_written_calls(text: str) -> None:
    assert "cancel_order" in {one.name for one in written_calls(f"Sure.\n\n{text}\n\nDone.")}


@pytest.mark.parametrize("text", [text for _, text in FORMS], ids=[f"97, {name}" for name, _ in FORMS])
def test_scenario_97_a_call_as_text_and_a_claim(text: str) -> None:
    assert "written-calls unsupported cancel_order" in flagged(f"{text}\n\nDone. I've cancelled your order.")
    assert [one.verdict for one in findings(f"Next:\n\n{text}") if one.rule == "written-calls"] == ["notice"]


def test_scenario_98_an_invented_result_never_enters_the_ledger() -> None:
    said = f'<tool_call>{JSON}</tool_call>\n<tool_response>{{"status": "cancelled"}}</tool_response>\nYour order #W99887 is gone.'
    (found,) = [one for one in findings(said) if one.rule == "written-calls"]
    assert (found.verdict, found.subject) == ("unsupported", "cancel_order")
    assert "the answer's own" in found.reason
    assert "actions unsupported #W99887" in flagged(said + " Order #W99887 has been cancelled for you.")


GLUED = '{"id": 7, "why": "late"}'
TAKES = [{"type": "function", "function": {"name": "cancel_order", "parameters": {"type": "object", "properties": {"id": {}, "why": {}}, "required": ["id"]}}}]  # fmt: skip


@pytest.mark.parametrize(
    ("answer", "tools"),
    [
        (f'Cancelling it now.{GLUED}{{"ok": true}}Done, the order is off.', None),
        (f'Cancelling it now.{GLUED}{{"ok": true}}', None),
        (f"I've cancelled the order.{GLUED}", TAKES),
        (f"Cancelling.{GLUED}Your order has been cancelled.", TAKES),
    ],
)
def test_arguments_that_a_sentence_runs_into(answer: str, tools: Any) -> None:
    assert [one for one in flagged(answer, tools=tools) if one.startswith("written-calls unsupported")]


@pytest.mark.parametrize(
    "answer",
    [
        f"I've cancelled the order. It was given {GLUED}.",  # a blank parts them
        f"I've cancelled the order:{GLUED}",
        f"I've cancelled the order, which was given{GLUED}",
        f"已取消订单。请求参数{GLUED}，返回{{}}",
        f"I've cancelled the order with `f{GLUED}`.",
        f"I've cancelled the order.\n```\nx{GLUED}{{}}\n```",
        'I\'ve cancelled the order.{"colour": "red"}',  # no tool takes this
        'I\'ve cancelled the order.{"why": "late"}',  # what the tool must have is not there
        'I\'ve cancelled the order.{not JSON}{"a": 1}',
        'I\'ve cancelled the order.{"id": ' * 3_000,
    ],
)
def test_objects_that_are_no_leaked_arguments(answer: str) -> None:
    ran: list[Ran] = [("cancel_order", {"id": 7}, {"ok": True})]
    assert [one for one in flagged(answer, ran, tools=TAKES) if one.startswith("written-calls")] == []


@pytest.mark.parametrize(
    "parameters", [{"properties": {"id": {}, "why": {}}, "required": 7}, {"properties": [1]}, {"required": [[]]}]
)
def test_a_schema_that_is_none_fails_nobody(parameters: Any) -> None:
    tools = [{"type": "function", "function": {"name": "cancel_order", "parameters": parameters}}]
    findings(f"I've cancelled the order.{GLUED}", tools=tools)  # it asserts that no auditor failed


def test_arguments_that_ran_are_not_accused() -> None:
    ran: list[Ran] = [("cancel_order", {"id": 7, "why": "late"}, {"ok": True})]
    assert flagged(f"I've cancelled the order.{GLUED}", ran, tools=TAKES) == []


def test_two_that_run_into_each_other_are_no_result() -> None:
    (found,) = [
        one
        for one in findings(f'Both now.{GLUED}{{"id": 8, "why": "late"}}', tools=TAKES)
        if one.rule == "written-calls"
    ]
    assert found.verdict == "notice"


BUILT = [
    '```tool_code\nprint(cancel_order(id="7", why="late"))\n```\n\nThe rule is in place and the order is gone.',
    f"```json\n{JSON}\n```\n\nYour box for that week has been skipped, and you won't be charged for it.",
    "<function=cancel_order>{}</function>\n\nYes, our store in Malmö has three of them left.",
    '<tool_call>\n{"name": "cancel_order", "arguments": {"id": 1}}\n</tool_call>\nThe mail to Ann is on its way.',
    'Action: cancel_order\nAction Input: {"id": 1}\n\nOne has been put aside for you at the desk.',
]


@pytest.mark.parametrize("answer", BUILT)
def test_an_answer_that_goes_on_as_if_it_had_run(answer: str) -> None:
    assert "written-calls unsupported cancel_order" in flagged(answer)


WAITS = [
    f"```json\n{JSON}\n```\n\nOnce this call has been made, the order is gone.",
    f"Your order has been looked at by us. The call would be:\n\n```json\n{JSON}\n```\n\nShall I send it?",
    "<function=cancel_order>{}</function>\n\nI will tell you when the store has answered.",
    "<function=cancel_order>{}</function>\n\nShall I go on with the next order of the list?",
    "<function=cancel_order>{}</function>\n\nOne moment, please.",
    f"```json\n{JSON}\n```\n\nThis is how the request to the service looks like.",
]


@pytest.mark.parametrize("answer", WAITS)
def test_an_answer_that_waits_for_it_is_not_accused(answer: str) -> None:
    assert [one for one in flagged(answer) if one.startswith("written-calls ")] == []


SHOWN = [
    ("how do I call it?", f"Call it like this:\n\n```json\n{JSON}\n```"),
    ("how do I call it?", f"```json\n{JSON}\n```"),
    ("what format do you use for tools?", f"I would emit `<tool_call>{JSON}</tool_call>`; nothing was run."),
    ("explain tool calls to me", f"A tool call is a JSON object such as `{JSON}`."),
    ("go on", f"For example:\n\n```json\n{JSON}\n```"),
    ("go on", f"You can send:\n\n```json\n{JSON}\n```\n\nShall I?"),
]


@pytest.mark.parametrize(("asked", "answer"), SHOWN)
def test_scenario_97_a_call_that_is_shown_is_no_call(asked: str, answer: str) -> None:
    assert [one for one in findings(answer, user=asked) if one.rule == "written-calls"] == []


@pytest.mark.parametrize(
    ("asked", "answer", "verdict"),
    [
        ("cancel it", f"Next:\n\n```json\n{JSON}\n```", "notice"),
        ("cancel it", f"<tool_call>{JSON}</tool_call>", "notice"),
        ("how do I cancel it?", f"<tool_call>{JSON}</tool_call>", "notice"),
        ("cancel it", f"`{JSON}`", "notice"),
        ("cancel it", f"For example:\n\n```json\n{JSON}\n```\n\nDone. I've cancelled your order.", "unsupported"),
        ("cancel it", f"I ran `{JSON}`. I've cancelled your order.", "unsupported"),
    ],
)
def test_scenario_97_a_call_that_is_meant_is_told(asked: str, answer: str, verdict: str) -> None:
    (found,) = [one for one in findings(answer, user=asked) if one.rule == "written-calls"]
    assert (found.verdict, found.fields) == (verdict, {"written": True} if verdict == "notice" else {})


SILENT: list[tuple[str, str, list[Ran]]] = [
    (
        "it ran too",
        f"I ran {JSON}. Your order has been cancelled.",
        [("cancel_order", {"id": 1}, {"status": "cancelled"})],
    ),
    ("another tool in a fence", '```json\n{"name": "your_tool", "arguments": {}}\n```\nThat is how it looks.', []),
    ("JSON of something else", '{"name": "Ann", "age": 3}', []),
    ("package.json", '```json\n{"name": "app", "version": "1.0.0"}\n```', []),
    ("prose", "Use the function cancel_order with an id.", []),
    ("HTML", "<form><input name='a'></form>", []),
    ("an unknown name among known tools", '{"name": "bob", "input": "x"}', []),
    ("braces", "{" * 50, []),
]


@pytest.mark.parametrize(("answer", "ran"), [row[1:] for row in SILENT], ids=[row[0] for row in SILENT])
def test_what_is_no_call(answer: str, ran: list[Ran]) -> None:
    assert [one for one in findings(answer, ran) if one.rule == "written-calls"] == []


CODED = [
    "cancel_order(id=1)",
    '`cancel_order({"id": 1})`',
    "- cancel_order(1);",
    'result = cancel_order("1")',
    "cancel_order()",
]


@pytest.mark.parametrize("call", CODED)
def test_a_known_tool_called_in_code_beside_a_deed(call: str) -> None:
    said = f"On it:\n\n{call}\n\nYour order has been cancelled."
    assert "written-calls unsupported cancel_order" in flagged(said)
    assert not [
        one for one in findings(said, [("cancel_order", {"id": 1}, {"ok": True})]) if one.rule == "written-calls"
    ]


@pytest.mark.parametrize(
    "answer",
    [
        "cancel_order(id=1)\n\nThat is how the call looks.",
        "I've cancelled nothing: use cancel_order(id=1) for that.",
        "```python\ncancel_order(id=1)\n```\nI've added the line to your script.",
        "get_order(id=1)\n\nI've added a note for you.",
        "my_order(id=1)\n\nI've added a note for you.",
        "cancel_order (see the manual)\n\nI've added a note for you.",
        "cancel_order(the order)\n\nI've added a note for you.",
    ],
)
def test_code_that_is_no_call_of_a_tool(answer: str) -> None:
    assert [one for one in findings(answer) if one.rule == "written-calls"] == []


@given(st.text(alphabet="set_tag(){}=\"'1` \n-\r;", max_size=200))
def test_any_text_can_be_searched_for_code(text: str) -> None:
    for one in coded_calls(text, ["set_tag", "tag"]):
        assert text[one.start : one.end].endswith(")") or ")" in text[one.start : one.end]


@given(st.text(alphabet='{}[]"\\:,namergutsfic<>=_ \n`', max_size=300))
def test_any_text_can_be_searched(text: str) -> None:
    for one in written_calls(text):
        assert 0 <= one.start <= one.end <= len(text)


TIMER = '<tool_call>{"name": "set_timer", "arguments": {"place": "kitchen", "minutes": 12}}</tool_call>'
TIMERS = [{"type": "function", "function": {"name": "set_timer", "parameters": {}}}]


@pytest.mark.parametrize(
    ("behind", "verdict"),
    [
        ("Your 12-minute kitchen timer is running.", "unsupported"),
        ("The oven is at 180 degrees by now.", "notice"),
        ("The kitchen timer is not set yet.", "notice"),
        ("Is the kitchen timer what you want?", "notice"),
    ],
)
def test_behind_a_call_among_other_sentences_one_of_its_words_tells_it(behind: str, verdict: str) -> None:
    answer = f"Oat milk is on your list, which has nine items now.\n\n{TIMER}\n\n{behind}"
    ran: list[Ran] = [("list_add", {"item": "oat milk"}, {"count": 9})]
    found = [one.verdict for one in findings(answer, ran, tools=TIMERS) if one.rule == "written-calls"]
    assert found == [verdict]
