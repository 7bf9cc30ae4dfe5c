"""Orders that an answer tells as carried out, in turns that called nothing, or only looked."""

from __future__ import annotations

from typing import Any

import pytest

from tests.general import flagged
from tests.test_unfulfilled import told
from tests.transcripts import Ran, messages


def said(text: str) -> list[dict[str, Any]]:
    return [{"role": "user", "content": "My line is dead."}, {"role": "assistant", "content": text}]


OFFER = said("It is suspended. Shall I resume the line?")
ORDERS: list[tuple[str, str, Any, str, list[Ran], bool | str]] = [
    ("by its first word", "Resume my line", (), "Sorted 👍 See you on Monday.", [], True),
    ("by its first words", "Yes, do it", OFFER, "That's done for you. It took two minutes.", [], True),
    ("by its first words, in French", "Oui, allez-y", OFFER, "C'est fait ! Bonne journée.", [], True),
    ("by its first word, to an answer", "The second one", OFFER, "Resumed! Two lines are free.", [], True),
    ("as so, in the order's own words", "Resume line 4 at 40", (), "Line 4 is at 40 percent.", [], True),
    ("as so now, to an answer", "Line 4 then, thanks", OFFER, "Line 4 is live as of now, for Ann.", [], True),
    ("its first word is no deed", "Resume my line", (), "Noted! It takes two minutes.", [], False),
    ("only a reckoning", "Resume line 4 at 40", (), "So that's line 4, at 40 a month. Reply yes to go on.", [], False),
    ("it refuses", "Resume line 4 at 40", (), "Line 4 is at its limit, so I can't resume it.", [], False),
    ("it is so already", "Resume line 4 at 40", (), "Line 4 is already at 40.", [], False),
    ("what the user did", "I've moved to line 4 and 40 percent", (), "Nice, so line 4 is at 40 now.", [], False),
    ("items arranged", "Sort these: line 4, line 2, line 3", (), "Sorted: line 2, line 3, line 4.", [], False),
    ("a question", "Line 4 or line 5?", OFFER, "Done well: line 4 is cheaper now.", [], False),
    ("what a look shows", "Set line 4 to 40", (), "Line 4 is at 40.", [("get_line", {}, {"line": 4, "at": 40})], False),
    ("reckoned from a look", "Set line 4 to 40", (), "Line 4 comes to 40.", [("get_line", {}, {"at": 10})], False),
    ("a new id tells it", "Line for Ann.", (), "Ann is set (code NR-4471).", [], True),
    ("an id of the user's", "What about NR-4471?", (), "NR-4471 is booked for Sunday.", [], False),
    (
        "that it was so is what the look says",
        "Merge them.",
        (),
        "Both were merged on Monday.",
        [("get_contact", {"id": 4}, {"id": 4, "state": "merged"})],
        False,
    ),
    (
        "it gives the text itself",
        "Merge the two notes.",
        (),
        "Merged:\n\n> Ann calls on Monday, Bob on Friday.",
        [],
        False,
    ),
    ("behind a greeting", "Yes, do it", OFFER, "Perfect, Mr. Tuck. Well. Your line is active again.", [], True),
    (
        "what a look shows",
        "Resume the line",
        (),
        "Your line has been resumed since Monday.",
        [("get_line", {}, {"id": 4, "state": "resumed"})],
        False,
    ),
    (
        "leave is asked for",
        "Yes, do it",
        OFFER,
        "Your line is set. Please confirm that you want me to proceed.",
        [],
        False,
    ),
    ("agreed to", "Yes, do it", OFFER, "Your line is active again.", [], True),
    ("told like a headline", "Resume my line for 9am", (), "I've got that sorted. Line set for 9:00.", [], True),
    ("told like a headline, and where", "Set the line to 9am", (), "Your line set to 9:00.", [], True),
    ("a rule", "Resume my line", (), "Lines set for Sunday can't be resumed.", [], False),
    ("a headline of what will be", "Resume my line", (), "Line set for 9:00, if you agree.", [], False),
    ("a headline that asks", "Resume my line", (), "Line set for 9:00?", [], False),
    (
        "to be reminded",
        "Remind me at 9 about the line",
        (),
        "I've set the line's reminder.",
        [],
        "actions unsupported handle",
    ),
    ("to be told again", "Remind me: which line is it?", (), "It's the line you've set up on Monday.", [], False),
    ("ordered", "Resume my line", (), "Line L4: up and running ✅", [], True),
    ("ordered, and only looked", "Resume the line", (), "Your line is now up.", [("get_line", {}, {"id": 4})], True),
    ("an id that nothing gave", "Yes", OFFER, "Line in service, ticket RT-55120.", [], True),
    (
        "an id that nothing gave, beside what is not done",
        "Wednesday works",
        said("A technician can come on Tuesday or Wednesday."),
        "A visit is on for Wednesday (V-51120). Who comes isn't known yet: if it rains, it couldn't be done.",
        [],
        True,
    ),
    (
        "an id that is only asked for",
        "Wednesday works",
        said("A technician can come on Tuesday or Wednesday."),
        "I couldn't book it. If you see an error like E-51120, please tell us.",
        [],
        False,
    ),
    (
        "agreed to an explanation",
        "Yes",
        said("Shall I explain how lines are resumed?"),
        "A line is now digital.",
        [],
        False,
    ),
    ("nothing was offered", "Yes", said("Good to hear."), "Your line is active again.", [], False),
    ("a question", "Is my line up?", (), "Your line is up again.", [], False),
    ("it asks", "Resume my line", (), "Is it your line again that shall be resumed?", [], False),
    ("it will be", "Resume my line", (), "I'll resume your line once the bill is paid.", [], False),
    ("it can not", "Resume my line", (), "I can't resume your line now.", [], False),
    ("the work itself", "Merge the two contacts' notes", (), "Here's the note now:\n\n> Ann, Ben", [], False),
    ("no such tool", "Bake a cake", (), "The cake is done.", [], False),
    ("a farewell", "Thanks, bye", OFFER, "You're all set. Goodbye!", [], False),
    (
        "done in an earlier turn",
        "Yes, resume the line",
        [
            {"role": "user", "content": "Resume line L4."},
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [
                    {"id": "x1", "type": "function", "function": {"name": "resume_line", "arguments": '{"line": "L4"}'}}
                ],
            },
            {"role": "tool", "tool_call_id": "x1", "content": '{"line": "L4", "status": "active"}'},
            {"role": "assistant", "content": "Line L4 is active."},
        ],
        "Your line is active again.",
        [],
        False,
    ),
]


@pytest.mark.parametrize(
    ("user", "before", "answer", "ran", "fires"), [row[1:] for row in ORDERS], ids=[row[0] for row in ORDERS]
)
def test_what_was_ordered_and_nobody_called(
    user: str, before: Any, answer: str, ran: list[Ran], fires: bool | str
) -> None:
    found = told(answer, ran, user, before)
    if fires is True:  # under the name of the tool that is meant, or else under what is told
        assert [" ".join(one.split()[:2]) for one in found] == ["unattempted unsupported"]
        assert found[0].endswith(" resume_line") or found[0].split(maxsplit=2)[2][:20] in answer
    else:
        assert found == ([fires] if fires else [])


STAYS = [{"type": "function", "function": {"name": name, "parameters": {}}} for name in ("pms.find", "pms.reserve")]
REFUSED: Ran = ("pms.reserve", {"room": "SUP", "payment": "GV-20933"}, {"error": "over the balance"})
TABLE = "Your stay is booked.\n\n| | |\n|---|---|\n| Confirmation | {number} |\n| Room | Superior |"


@pytest.mark.parametrize(
    ("user", "answer", "fires"),
    [
        ("Put the rest on the Amex.", TABLE.format(number="4410-BRG-77"), True),
        ("Put the rest on the Amex.", TABLE.format(number="GV-20933"), False),
        ("What would the table look like? A template, please", TABLE.format(number="4410-BRG-77"), False),
        ("Put the rest on the Amex.", "The number of a stay is like 4410-BRG-77, once it is booked.", False),
    ],
)
def test_a_number_that_nobody_gave_in_a_table_under_a_deed(user: str, answer: str, fires: bool) -> None:
    stay: Ran = ("pms.stay", {"confirmation": "4102-BRG-40"}, {"confirmation": "4102-BRG-40", "rate": "SAVER"})
    before = [
        *messages([stay, REFUSED], user="Book it", first=9),
        {"role": "assistant", "content": "Which card for the rest?"},
    ]
    assert (
        any(one.startswith("unattempted ") for one in flagged(answer, [], user=user, before=before, tools=STAYS))
        == fires
    )


LIGHTS = [
    {"type": "function", "function": {"name": name, "parameters": {}}}
    for name in ("get_lamp", "set_color", "change_plan", "get_plan")
]
LAMP: Ran = ("get_lamp", {"id": "hall-1"}, {"id": "hall-1", "color": "white"})
PLAN: Ran = ("get_plan", {"line": "L4"}, {"line": "L4", "plan": "Mini", "quota": 3000})
WISHES: list[tuple[str, str, str, list[Ran], bool]] = [
    ("a number in another form", "Raise my plan's quota to 5000", "Done: the plan's quota is now 5,000.", [PLAN], True),
    ("a number as it was asked", "Raise my plan's quota to 5000", "Done: the plan's quota is now 5000.", [PLAN], True),
    ("a name", "Max please, for the plan", "You've been moved to Max.", [PLAN], True),
    ("in another language", "Wechsle in den Plan Öko-Plus", "Der Plan ist jetzt Öko-Plus.", [PLAN], True),
    ("at the end of its sentence", "Set the color to blue please", "The lamp is blue now.", [LAMP], True),
    (
        "a look had it",
        "Set the color to blue please",
        "The lamp is blue now.",
        [("get_lamp", {}, {"id": "hall-1", "color": "blue"})],
        False,
    ),
    (
        "it was called",
        "Set the color to blue please",
        "The lamp is blue now.",
        [LAMP, ("set_color", {"color": "blue"}, "ok")],
        False,
    ),
    (
        "something may have done it",
        "Set the color to blue please",
        "The lamp is blue now.",
        [LAMP, ("process", {"c": 3}, "ok")],
        False,
    ),
    ("it was to be looked at", "Check that the color is set to blue", "The lamp is blue now.", [LAMP], False),
    ("asked", "Is the color blue?", "The lamp is blue now.", [LAMP], False),
    ("denied", "Set the color to blue please", "The lamp is not blue now.", [LAMP], False),
    ("to come", "Set the color to blue please", "Once you agree, the lamp is blue. It is white now.", [LAMP], False),
    ("as it is now", "Set the color to blue please", "The lamp is white now.", [LAMP], False),
    ("only its subject", "Max is my plan's name?", "Max, your plan is Mini now.", [PLAN], False),
    ("the user did it", "I've switched the plan to Max", "Your plan is now Max.", [PLAN], False),
    ("no tool for it", "call me Eva", "Done, you're now Eva.", [PLAN], False),
]


@pytest.mark.parametrize(
    ("user", "answer", "ran", "fires"), [row[1:] for row in WISHES], ids=[row[0] for row in WISHES]
)
def test_what_only_the_user_said_is_told_as_so_now(user: str, answer: str, ran: list[Ran], fires: bool) -> None:
    assert bool(found := flagged(answer, ran, user=user, tools=LIGHTS)) == fires, found


SHOWN: Ran = ("get_order", {"id": "W1"}, {"id": "W1", "status": "cancelled"})
OPEN: Ran = ("get_order", {"id": "W1"}, {"id": "W1", "status": "open", "cancelled_at": None})
OTHER: Ran = ("get_ticket", {"id": "T5"}, {"id": "T5", "status": "cancelled"})


@pytest.mark.parametrize(
    ("answer", "earlier", "told"),
    [
        ("Your order has been cancelled.", [SHOWN], False),
        ("Your order has been cancelled.", [OPEN, SHOWN], False),
        ("Your order has been cancelled.", [OPEN], True),
        ("Your order has been cancelled.", [OTHER], True),
        ("Your order has been cancelled.", [], True),
    ],
)
def test_what_a_look_has_shown_as_so_needs_no_call(answer: str, earlier: list[Ran], told: bool) -> None:
    before = [*messages(earlier, user="How is it?", first=9), {"role": "assistant", "content": "So it is."}]
    tools = [
        {"type": "function", "function": {"name": name, "parameters": {}}} for name in ("get_order", "cancel_order")
    ]
    said = flagged(answer, [], user="Please cancel it", before=before, tools=tools)
    assert any(one.startswith(("unattempted ", "actions ")) for one in said) is told
