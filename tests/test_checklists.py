"""Lists that report what was done, an item a call, and one of which nobody called the tool."""

from __future__ import annotations

from typing import Any

import pytest

from tests.general import findings
from tests.transcripts import Ran

TOOLS = ["get_unit", "create_work_order", "assign_bay", "set_intercom_name", "remove_rule", "send_keys"]
ASKED = (
    "In 14C the tap drips, there should be a bay, the intercom should say Baptiste, fw-14 has to go, and the keys out."
)
UNIT: Ran = (
    "get_unit",
    {"unit": "14C"},
    {"unit": "14C", "tenant": "R. Baptiste", "intercom": "HOLLIS", "rules": [{"id": "fw-14", "port": 3389}]},
)
TAP: Ran = (
    "create_work_order",
    {"unit": "14C", "description": "Tap drips"},
    {"work_order": "WO-6612", "status": "open"},
)
BAY: Ran = ("assign_bay", {"unit": "14C", "bay": "B1-19"}, {"bay": "B1-19", "unit": "14C"})
DONE = [UNIT, TAP, BAY]


def accused(answer: str, ran: list[Ran], *, tools: Any = TOOLS) -> set[str]:
    """What is told of an answer by whichever rule comes first."""
    declared = [{"type": "function", "function": {"name": name, "parameters": {}}} for name in tools]
    return {one.subject for one in findings(answer, ran, user=ASKED, tools=declared) if one.flagged}


def told(answer: str, ran: list[Ran], *, user: str = ASKED, tools: Any = TOOLS, before: Any = ()) -> list[str]:
    declared = [{"type": "function", "function": {"name": name, "parameters": {}}} for name in tools]
    found = findings(answer, ran, user=user, tools=declared, before=before)
    return [one.subject for one in found if one.rule == "checklists"]


LISTS = [
    "All done:\n\n- Tap: work order WO-6612 opened\n- Parking: bay B1-19 assigned\n- {}",
    "All done:\n\n1. **Tap** – WO-6612 is open\n2. **Parking** – B1-19 is yours\n3. {}",
    "| Task | Result |\n|---|---|\n| Tap | WO-6612 opened |\n| Parking | B1-19 assigned |\n| Other | {} |",
    "- {}\n\n- Tap: WO-6612\n\n- Parking: B1-19",
]


@pytest.mark.parametrize("form", LISTS)
@pytest.mark.parametrize(
    ("item", "tool"),
    [
        ("**Intercom:** Baptiste, set and shown", "set_intercom_name"),
        ("**Intercom** - the label was corrected", "set_intercom_name"),
        ("Port 3389 is closed to the internet (rule fw-14 removed)", "remove_rule"),
    ],
)
def test_an_item_whose_tool_nobody_called_is_told(form: str, item: str, tool: str) -> None:
    assert accused(form.format(item), DONE) == {tool}


def test_the_order_may_stand_before_a_question() -> None:
    before = [{"role": "user", "content": ASKED}, {"role": "assistant", "content": "Sure. Which bay, B1-07 or B1-19?"}]
    answer = LISTS[0].format("**Intercom:** Baptiste, set and shown")
    assert told(answer, DONE, user="B1-19", before=before) == ["set_intercom_name"]
    assert told(answer, DONE, user="Thanks for B1-19!", before=[]) == []


@pytest.mark.parametrize("form", LISTS)
@pytest.mark.parametrize(
    "item",
    [
        "**Intercom:** still shows HOLLIS",
        "**Intercom:** HOLLIS",
        "**Intercom:** I could not change it",
        "**Intercom:** the label will be changed by the front desk",
        "**Intercom:** not changed yet",
        "**Intercom:** already set",
        "**Intercom:** pending, needs your approval",
        "**Intercom:** shall I have it changed?",
        "**Intercom:** remains as it was",
        "**Tenant:** R. Baptiste, recorded",
        "Anything else? I can have the intercom changed too",
        "❌ Intercom: changed",
    ],
)
def test_items_that_report_nothing_are_left_alone(form: str, item: str) -> None:
    assert told(form.format(item), DONE) == []


INTERCOM = LISTS[0].format("**Intercom:** Baptiste, set and shown")


@pytest.mark.parametrize(
    ("ran", "more"),
    [
        ([*DONE, ("set_intercom_name", {"unit": "14C", "label": "Baptiste"}, {"ok": True})], {}),
        ([*DONE, ("update_unit", {"unit": "14C", "intercom": "Baptiste"}, {"ok": True})], {}),
        ([*DONE, ("trigger_automation", {"id": 7}, {"ok": True})], {}),
        ([*DONE, ("Bash", {"command": "./intercom.sh"}, "done")], {}),
        (
            [*DONE, ("get_unit", {"unit": "14C"}, {"unit": "14C", "intercom": "Baptiste", "set": True, "shown": True})],
            {},
        ),
        ([UNIT], {}),
        (DONE, {"tools": ["get_unit", "create_work_order", "assign_bay"]}),
        (DONE, {"user": "Yes, all of that please, thank you so much for your help with these two things today!"}),
        (
            DONE,
            {
                "before": [
                    {"role": "system", "content": "The intercom name is set automatically when a bay is assigned."},
                ]
            },
        ),
    ],
    ids=range(9),
)
def test_what_a_call_may_have_done_is_left_alone(ran: list[Ran], more: Any) -> None:
    assert told(INTERCOM, ran, **more) == []


def test_what_a_change_may_have_sent_by_the_way_is_left_alone() -> None:
    refund: Ran = ("refund_order", {"id": "771", "notify": True}, {"refund": "RF-1", "amount": 20.0, "notified": True})
    answer = "Done:\n\n1. Order 771 refunded, $20.00\n2. Customer emailed"
    assert (
        told(answer, [refund], tools=["refund_order", "send_email"], user="Refund 771 and the customer should know.")
        == []
    )


def test_an_item_whose_call_failed_is_told() -> None:
    failed: Ran = ("set_intercom_name", {"unit": "14C", "label": "Baptiste"}, {"error": "panel offline"})
    mended: Ran = ("set_intercom_name", {"unit": "14C", "label": "Baptiste"}, {"ok": True})
    assert accused(INTERCOM, [*DONE, failed])
    assert told(INTERCOM, [*DONE, failed, mended]) == []
    assert told(INTERCOM.replace("set and shown", "could not be set"), [*DONE, failed]) == []


def test_of_two_items_without_a_call_none_is_told_here() -> None:
    answer = LISTS[0].format("**Gate:** code reset\n- **Boiler:** inspected")
    assert (
        told(answer, DONE, tools=[*TOOLS, "reset_gate", "inspect_boiler"], user=f"{ASKED} And gate and boiler.") == []
    )
