"""What was left out beside what was done, where an answer tells all of it; and lists that tell what other calls did."""

from __future__ import annotations

from typing import Any

import pytest

from tests.general import flagged
from tests.transcripts import Ran

ROOM: Ran = (
    "modify_stay",
    {"booking": "MV-2", "room_type": "SEA"},
    {"booking": "MV-2", "room_type": "SEA", "rate": 212},
)
MEAL: Ran = ("add_package", {"booking": "MV-2", "package": "BRK"}, {"booking": "MV-2", "package": "BRK", "added": True})
LATE: Ran = ("set_checkout", {"booking": "MV-2", "time": "14:00"}, "HTTP 409 Conflict: the room is taken from 13:00")
LATER: Ran = ("set_checkout", {"booking": "MV-2", "time": "12:00"}, {"booking": "MV-2", "time": "12:00"})
ASKED = "The sea view room for MV-2, a shuttle from the airport, and the invoice to Okonjo Ltd please."
TOLD = "All three are in place:\n\n1. **Room**: upgraded to the sea view, 212 a night\n2. **Shuttle**: reserved for the airport\n"

BOOKS = ["39020", "40117", "38811"]


def renewed(*flags: Any, name: str = "renewed") -> Ran:
    """A bulk call, and what its result says of each book."""
    rows = [{"item": book, name: flag} for book, flag in zip(BOOKS, flags, strict=True)]
    return ("renew_loans", {"card": "L-7", "items": BOOKS}, {"status": "OK", "processed": 3, "loans": rows})


SURF: Ran = ("add_baggage", {"ref": "ZL90RD", "type": "SURF"}, {"ref": "ZL90RD", "charged": 100, "status": "HK"})
MAIL: Ran = ("send_itinerary", {"ref": "ZL90RD"}, {"error": "SMTP_RELAY_DOWN", "message": "could not be queued"})

STARTERS = ["E4401", "E4402", "E4403"]
"""Who is to be enrolled."""


def enrolled(**lists: Any) -> Ran:
    return (
        "bulk_enroll",
        {"course": "GDPR", "users": STARTERS},
        {"job": "b-7", "state": "COMPLETED", "results": lists},
    )


def created(*ids: int | None) -> Ran:
    """A bulk call that made accounts, and what it says of each."""
    rows = [
        {"email": f"{n}@quill.example", "id": one, "r": "created" if one else "conflict"} for n, one in enumerate(ids)
    ]
    return ("bulk_create", {"users": [row["email"] for row in rows]}, {"submitted": len(rows), "results": rows})


FIRES = [
    (
        "one of them got no id",
        "All three accounts are created.",
        [created(11, None, 13)],
        "Create them.",
        "1@quill.example",
    ),
    (
        "one was not ok",
        "All three prices are updated.",
        [("set_price", {"items": ["A", "B", "C"]}, {"ok": ["A", "B"], "nok": [{"item": "C", "why": "in promotion"}]})],
        "Set it for all.",
        "C",
    ),
    (
        "an entry that was not applied",
        "All three of your books have been renewed.",
        [renewed(True, False, True, name="applied")],
        "Renew.",
        "40117",
    ),
    (
        "an entry that says why it was skipped",
        "All three of your books have been renewed.",
        [renewed(None, "approval lock", None, name="skipped")],
        "Renew.",
        "40117",
    ),
    (
        "a list of what was skipped",
        "All three starters are now enrolled.",
        [enrolled(enrolled=["E4401", "E4402"], skipped=[{"user": "E4403", "reason": "no account"}])],
        "Enroll them.",
        "E4403",
    ),
    (
        "an entry whose flag is false",
        "All three of your books have been renewed.",
        [renewed(True, False, True)],
        "Renew.",
        "40117",
    ),
    (
        "a skipped entry",
        "All three books are renewed.",
        [renewed("done", "skipped", "done", name="result")],
        "Renew.",
        "40117",
    ),
    ("another tool failed", "Both requests are taken care of.", [MEAL, LATE], "Both, please.", "MV-2"),
    ("an item of which no call has a word", TOLD, [ROOM], ASKED, "Shuttle: reserved for the airport"),
    (
        "one that the answer does not count",
        "Done, MV-2 is updated:\n- Room: moved to the sea view\n- Invoice: sent to Okonjo Ltd\n",
        [ROOM],
        ASKED,
        "Invoice: sent to Okonjo Ltd",
    ),
]


@pytest.mark.parametrize(
    ("answer", "ran", "user", "subject"), [row[1:] for row in FIRES], ids=[row[0] for row in FIRES]
)
def test_what_was_left_out(answer: str, ran: list[Ran], user: str, subject: str) -> None:
    found = [one for one in flagged(answer, ran, user=user) if one.startswith("omissions")]
    assert [one.split(" ", 2)[2] for one in found] == [subject]


CLAIM: Ran = (
    "claims.submit",
    {"policy": "AU-5", "attachments": ["up_1", "up_2", "up_3"], "rental_requested": True},
    {"claim": "CL-30", "attachments_accepted": 3, "rental": {"provider": "Enterprise", "confirmation": "ENT-77"}},
)
SILENT: list[tuple[str, str, list[Ran], str]] = [
    (
        "in another language than the one call has",
        "Beides ist erledigt:\n- Zimmer MV-2 wurde geändert\n- Der Transfer vom Flughafen wurde reserviert\n",
        [ROOM],
        "Bitte das Zimmer MV-2 ändern und einen Transfer vom Flughafen buchen.",
    ),
    ("all of them got an id", "All three accounts are created.", [created(11, 12, 13)], "Create them."),
    ("none of them has one", "All three accounts are created.", [created(None, None, None)], "Create them."),
    ("two of them told", "Two of the three accounts are created.", [created(11, None, 13)], "Create them."),
    (
        "one call did all, in other forms of the words",
        "Your claim is open:\n\n- **Claim:** CL-30\n- **Photos:** all three attached\n- **Rental:** with Enterprise, ENT-77",
        [CLAIM],
        "File the claim, attach the three photos I uploaded and get me a rental car.",
    ),
    (
        "a list of what was skipped, and so many told",
        "Two of the three starters are now enrolled.",
        [enrolled(enrolled=["E4401", "E4402"], skipped=["E4403"])],
        "Enroll them.",
    ),
    (
        "nothing was skipped",
        "All three starters are now enrolled.",
        [enrolled(enrolled=STARTERS, skipped=[])],
        "Enroll them.",
    ),
    (
        "what was skipped is none of those that were given",
        "All three starters are now enrolled.",
        [enrolled(enrolled=STARTERS, skipped=["E1000"])],
        "Enroll them.",
    ),
    (
        "all of it is one list of errors",
        "Both lists are checked.",
        [enrolled(errors=["E4403"])],
        "Enroll them.",
    ),
    ("it is told", "Breakfast is added. The late checkout could not be set.", [MEAL, LATE], "Both, please."),
    ("a flag of another deed", "All three books are renewed.", [renewed(True, False, True, name="reserved")], "Renew."),
    ("none has it", "All three books are renewed.", [renewed(False, False, False)], "Renew."),
    ("all are alike", "All three books are renewed.", [renewed("draft", "draft", "draft", name="state")], "Renew."),
    ("two of them", "Two of your books have been renewed, 39020 and 38811.", [renewed(True, False, True)], "Renew."),
    (
        "what was skipped is told",
        "All three were tried; 40117 was skipped.",
        [renewed("done", "skipped", "done", name="state")],
        "Renew.",
    ),
    ("both of two that one call did", "Your board is confirmed on both flights.", [SURF, MAIL], "Add the board."),
    ("it was done later", "Both requests are taken care of.", [MEAL, LATE, LATER], "Both, please."),
    ("both of two others", "Both notes are in.", [MEAL, MEAL, LATE], "Add both notes."),
    ("two of three", "Two of the three are taken care of.", [MEAL, ROOM, LATE], "All three."),
    ("as many calls as items", TOLD, [ROOM, MEAL, LATER], ASKED),
    ("a call has a word of it", TOLD.replace("Shuttle", "Room 4"), [ROOM], ASKED),
    (
        "nobody asked for it",
        "It is done:\n- Room: moved to the sea view\n- Towels: folded twice\n",
        [ROOM],
        "The sea view.",
    ),
    (
        "it is as it was",
        "MV-2 is updated:\n- Room: moved to the sea view\n- Shuttle from the airport: still reserved\n",
        [ROOM],
        ASKED,
    ),
    (
        "it is not",
        "MV-2 is updated:\n- Room: moved to the sea view\n- Shuttle from the airport: not reserved, that desk is closed\n",
        [ROOM],
        ASKED,
    ),
    (
        "it is still to come",
        "MV-2 is updated:\n- Room: moved to the sea view\n- Shuttle from the airport: reserved once you confirm\n",
        [ROOM],
        ASKED,
    ),
    ("nothing was changed", TOLD, [("get_stay", {"booking": "MV-2"}, {"room": "SEA"})], "How is MV-2?"),
    ("what it does is not known", TOLD, [ROOM, ("concierge", {"text": "as asked"}, "ok")], ASKED),
    ("items of prose", "All three are in place, the shuttle was reserved for the airport.", [ROOM], ASKED),
]


@pytest.mark.parametrize(("answer", "ran", "user"), [row[1:] for row in SILENT], ids=[row[0] for row in SILENT])
def test_what_was_not_left_out(answer: str, ran: list[Ran], user: str) -> None:
    assert [one for one in flagged(answer, ran, user=user) if one.startswith("omissions")] == []


def test_an_earlier_turn_may_have_done_it() -> None:
    asked: dict[str, Any] = {"name": "book_transfer", "arguments": '{"kind": "shuttle", "from": "airport"}'}
    before = [
        {"role": "user", "content": "A shuttle from the airport, please."},
        {"role": "assistant", "content": None, "tool_calls": [{"id": "p1", "type": "function", "function": asked}]},
        {"role": "tool", "tool_call_id": "p1", "content": '{"kind": "shuttle", "status": "reserved"}'},
        {"role": "assistant", "content": "The shuttle is reserved."},
    ]
    found = flagged(TOLD, [ROOM], user=ASKED, before=before)
    assert [one for one in found if one.startswith("omissions")] == []


def rows(*entries: dict[str, Any], tool: str = "move_visits", **given: Any) -> list[Ran]:
    """A bulk call of the visits that the entries are of, and its result."""
    return [(tool, {"visits": [one["id"] for one in entries], **given}, {"visits": list(entries)})]


DECLINED = rows(
    {"id": "VS-1", "status": "moved"}, {"id": "VS-2", "status": "declined"}, {"id": "VS-3", "status": "moved"}
)
REFUSED = [
    ("all of them", "All three visits have been moved."),
    ("a list of them", "I've moved all three visits:\n- VS-1\n- VS-2\n- VS-3"),
    (
        "with the new day, which all have",
        "All three visits have been moved:\n- VS-1: Thursday\n- VS-2: Thursday\n- VS-3: Thursday",
    ),
]
APART = [
    ("in words of its own", "I moved the visits: VS-1 and VS-3 moved, VS-2 had no nurse."),
    (
        "a line of its own",
        "I've moved the visits:\n- VS-1: Thursday\n- VS-2: family prefers the old day\n- VS-3: Thursday",
    ),
    ("what was asked", "You asked to have VS-1, VS-2 and VS-3 moved. VS-1 and VS-3 are on Thursday now."),
    ("what would be", "With all three visits moved you would have been free; VS-1 and VS-3 are."),
    ("how many were", "All three went through the planner, two visits were moved."),
    ("what the reader has to do", "All three visits were processed. For VS-2 you'll want to ring the family."),
    ("all but one", "All the visits were moved bar VS-2."),
    ("the others", "I've moved all the others; VS-2 is where it was."),
    ("all is another clause's", "Both requests went out; VS-1 and VS-3 are moved."),
]


@pytest.mark.parametrize("answer", [row[1] for row in REFUSED], ids=[row[0] for row in REFUSED])
def test_a_row_that_was_declined_is_told_with_the_others(answer: str) -> None:
    found = [
        one for one in flagged(answer, DECLINED, user="Move all three.") if one.startswith(("omissions", "leftovers"))
    ]
    assert [one.split(" ", 2)[2] for one in found] == ["VS-2"]


@pytest.mark.parametrize("answer", [row[1] for row in APART], ids=[row[0] for row in APART])
def test_a_row_that_is_told_by_itself(answer: str) -> None:
    found = flagged(answer, DECLINED, user="Move all three.")
    assert [one for one in found if one.startswith(("omissions", "leftovers"))] == []


LOOK: Ran = (
    "get_visits",
    {"day": "Tuesday"},
    {"visits": [{"id": "VS-1", "status": "passed"}, {"id": "VS-2", "status": "failed"}]},
)
OWN: list[tuple[str, str, list[Ran]]] = [
    (
        "so before",
        "Both visits have been moved.",
        rows({"id": "VS-1", "status": "moved"}, {"id": "VS-2", "status": "skipped", "reason": "already moved"}),
    ),
    (
        "what was to go is gone",
        "Both visits are deleted.",
        rows(
            {"id": "VS-1", "status": "deleted"},
            {"id": "VS-2", "status": "not_found", "message": "no such visit"},
            tool="delete_visits",
        ),
    ),
    (
        "a decision about the thing",
        "Both visits are exported.",
        rows({"id": "VS-1", "status": "approved"}, {"id": "VS-2", "status": "rejected"}, tool="export_visits"),
    ),
    (
        "a flag says that it was done",
        "Both visits are archived.",
        rows(
            {"id": "VS-1", "status": "succeeded", "archived": True},
            {"id": "VS-2", "status": "failed", "archived": True},
            tool="archive_visits",
        ),
    ),
    (
        "as looks have it",
        "Both visits are tagged.",
        [LOOK, *rows({"id": "VS-1", "status": "passed"}, {"id": "VS-2", "status": "failed"}, tool="tag_visits")],
    ),
    (
        "rows of another sort",
        "All details of the order are updated.",
        [
            (
                "update_order",
                {"order": "OR-70", "note": "ring twice"},
                {
                    "order": "OR-70",
                    "payments": [{"id": "PM-1", "status": "failed"}, {"id": "PM-2", "status": "captured"}],
                },
            )
        ],
    ),
]


@pytest.mark.parametrize(("answer", "ran"), [row[1:] for row in OWN], ids=[row[0] for row in OWN])
def test_a_state_that_is_no_outcome(answer: str, ran: list[Ran]) -> None:
    found = flagged(answer, ran, user="Both, please.")
    assert [one for one in found if one.startswith(("omissions", "leftovers"))] == []


def test_what_is_not_there_was_not_changed() -> None:
    ran = rows({"id": "VS-1", "status": "moved"}, {"id": "VS-2", "status": "not_found", "message": "no such visit"})
    found = flagged("Both visits have been moved.", ran, user="Move both.")
    assert [one.split(" ", 2)[2] for one in found if one.startswith("omissions")] == ["VS-2"]
