"""Entries of a result that were not done, beside an answer that names them as done."""

from __future__ import annotations

from typing import Any

import pytest

from tests.general import findings, flagged
from tests.transcripts import Ran


def stop(*entries: Any) -> Ran:
    return ("stop_boxes", {"ids": ["b-11", "b-22"]}, {"ok": True, "results": list(entries)})


WELL = {"id": "b-11", "state": "stopping"}
ILL = {"id": "b-22", "error": {"code": "PROTECTED"}}
BOTH = "Boxes b-11 and b-22 are stopping now."
LOOK: Ran = (
    "list_goods",
    {},
    {"goods": [{"sku": "KX-1", "name": "Blue Kettle"}, {"sku": "KX-2", "name": "Red Kettle"}]},
)
PODS = "NAME          STATUS             IMAGE\nweb-7x9       ImagePullBackOff   web:3.1.0\nweb-2b4       Running            web:3.0.2"

FIRES: list[tuple[str, str, list[Ran], str]] = [
    ("an error", BOTH, [stop(WELL, ILL)], "b-22"),
    ("a state", BOTH, [stop(WELL, {"id": "b-22", "status": "REJECTED"})], "b-22"),
    ("a flag of the deed", BOTH, [stop(WELL, {"id": "b-22", "stopped": False})], "b-22"),
    ("a flag of any deed", BOTH, [stop(WELL, {"id": "b-22", "success": False})], "b-22"),
    ("a reason", BOTH, [stop(WELL, {"id": "b-22", "reject_reason": "PROTECTED"})], "b-22"),
    ("in German", "Erledigt: b-11 und b-22 werden angehalten.", [stop(WELL, ILL)], "b-22"),
    ("in Chinese", "已停止 b-11 和 b-22。", [stop(WELL, ILL)], "b-22"),
    ("harmless words beside it", f"{BOTH} You won't be charged.", [stop(WELL, ILL)], "b-22"),
    (
        "by what a look calls it",
        "I've cancelled both: the Blue Kettle and the Red Kettle.",
        [
            LOOK,
            (
                "cancel_order",
                {"order": "O-5"},
                {"lines": [{"sku": "KX-1", "cancelled": True}, {"sku": "KX-2", "cancelled": False}]},
            ),
        ],
        "Red Kettle",
    ),
    (
        "as it was before",
        "Done! Mira and Otto are on train ICE-77 now.",
        [
            (
                "move_seats",
                {"train": "ICE-77", "people": ["Mira", "Otto"]},
                {"seats": [{"p": "Mira", "train": "ICE-77"}, {"p": "Otto", "train": "ICE-75", "state": "UNCHANGED"}]},
            )
        ],
        "Otto",
    ),
    (
        "a row of a table",
        "Version **3.1.0** is deployed now.",
        [("deploy_app", {"app": "web"}, "deployed"), ("list_pods", {"app": "web"}, PODS)],
        "3.1.0",
    ),
    (
        "what was asked for, by its name",
        "The release is deployed ✅",
        [
            ("dispatch_flow", {"flow": "release.yml", "env": "live"}, {"run": 91}),
            (
                "get_run",
                {"run": 91},
                {"conclusion": "success", "jobs": [{"name": "release-live", "conclusion": "skipped"}]},
            ),
        ],
        "release-live",
    ),
]


def lift(*rows: Any) -> Ran:
    return ("lift_holds", {"card_ids": ["LC-41", "LC-52"], "lifted": True}, {"ok": True, "cards": list(rows)})


def renew(*loans: Any) -> Ran:
    return ("renew_loans", {"loans": ["88101", "88144"]}, {"loans": list(loans)})


LIFTED = "Done! I've lifted the holds of both cards."
LOANS: Ran = ("list_loans", {}, {"loans": [{"id": "88101", "due": "2025-03-04"}, {"id": "88144", "due": "2025-03-05"}]})
LONGER, SAME = {"id": "88101", "due": "2025-03-25"}, {"id": "88144", "due": "2025-03-05"}
UNTIL = "Both loans have been renewed and are now due on March 25."
DOORS = "door   room    state\nD-14   attic   OPEN\nD-15   cellar  OPEN"
LOCK: Ran = (
    "lock_doors",
    {"doors": ["D-14", "D-15"]},
    "2 doors handled\ndoor   room    state\nD-14   attic   LOCKED\nD-15   cellar  OPEN",
)
LOCKED = "Don't worry: both doors are locked now."
DAYS: Ran = (
    "join_course",
    {"pupil": "P-8", "days": ["Tue", "Fri"]},
    {"days": [{"day": "Tue", "state": "ENROLLED"}, {"day": "Fri", "state": "WAITLISTED"}]},
)
MEALS: Ran = (
    "set_meal",
    {"trip": "T5", "meal": "VEGAN"},
    "REQUEST DONE T5\n 1 LX1180 02MAY VEGAN CONFIRMED\n 2 LX1181 09MAY VEGAN REJECTED - LATE",
)
EATEN = "The vegan meal is confirmed:\n\n- LX1180 on 2 May\n- LX1181 on 9 May"
MOVERS: Ran = (
    "book_pickup",
    {"day": "2025-05-14", "items": ["OAK_TABLE", "OLD_OVEN"]},
    "BOOKED ref PK-88\n  1 x oak table 20.00\nnot included: old_oven (electrical)",
)
PICKED = "Your pickup is booked: the oak table and the old oven, on May 14."
LINES: Ran = (
    "set_roaming",
    {"numbers": ["+4915550001", "+4915550002"], "on": True},
    {
        "lines": [
            {"number": "+4915550001", "roaming": {"calls": True, "data": True}},
            {"number": "+4915550002", "roaming": {"calls": False, "data": False}},
        ]
    },
)
FIRES += [
    (
        "a flag of the deed, both",
        LIFTED,
        [lift({"id": "LC-41", "lifted": True}, {"id": "LC-52", "lifted": False})],
        "LC-52",
    ),
    (
        "an error, both",
        "Both boxes have been stopped now.",
        [stop(WELL, ILL)],
        "b-22",
    ),
    (
        "flags of what was asked for",
        "Roaming is on now:\n* +49 1555 0001: calls and data\n* +49 1555 0002: calls and data",
        [LINES],
        "+4915550002",
    ),
    ("a state as before", LOCKED, [("list_doors", {}, DOORS), LOCK], "D-15"),
    ("a day as before", UNTIL, [LOANS, renew(LONGER, SAME)], "88144"),
    ("a day of the week that waits", "Mia is enrolled now: Tuesday and Friday.", [DAYS], "Fri"),
    ("a printed line", EATEN, [MEALS], "LX1181"),
    ("a printed list of what was left out", PICKED, [MOVERS], "old oven"),
]


@pytest.mark.parametrize(("answer", "ran", "subject"), [row[1:] for row in FIRES], ids=[row[0] for row in FIRES])
def test_an_entry_that_was_not_done(answer: str, ran: list[Ran], subject: str) -> None:
    assert f"entries contradicted {subject}" in flagged(answer, ran)


TOLD = {"cards": [{"id": "LC-41", "notified": True}, {"id": "LC-52", "notified": False}]}
OFF = {"lines": [{"id": "L-1", "on": True}, {"id": "L-2", "on": False}]}
ROOMS: Ran = (
    "book_rooms",
    {"ids": ["R-Oak", "R-Elm"]},
    [
        {"id": "R-Oak", "room": {"screen": True, "sofa": True}},
        {"id": "R-Elm", "room": {"screen": False, "sofa": False}},
    ],
)
TICKETS = [{"id": "TK-1", "state": "open"}, {"id": "TK-2", "state": "open"}]
MERGED = [{"id": "TK-1", "state": "open"}, {"id": "TK-2", "state": "closed"}]
SEEN = {"loans": [{"id": "88101", "seen": "2025-03-04"}, {"id": "88144", "seen": "2025-03-05"}]}
SILENT: list[tuple[str, str, list[Ran]]] = [
    ("all were done", BOTH, [stop(WELL, {"id": "b-22", "state": "stopping"})]),
    ("told as failed", "b-11 is stopping now; b-22 could not be stopped.", [stop(WELL, ILL)]),
    ("told as left out", "b-11 is stopping now. b-22 stays up: it is protected.", [stop(WELL, ILL)]),
    ("told in Spanish", "Hecho, aunque b-22 sigue protegida: no se detuvo.", [stop(WELL, ILL)]),
    ("told in Japanese", "b-11 を停止しました。b-22 は停止できませんでした。", [stop(WELL, ILL)]),
    ("not named", "Box b-11 is stopping now.", [stop(WELL, ILL)]),
    ("a question", "Shall I stop b-11 and b-22 by force?", [stop(WELL, ILL)]),
    ("no error in its field", BOTH, [stop(WELL, {"id": "b-22", "error": None, "state": "stopping"})]),
    ("once more, and done", BOTH, [stop(WELL, ILL), stop(WELL, {"id": "b-22", "state": "stopping"})]),
    ("seen later", BOTH, [stop(WELL, ILL), ("get_box", {"id": "b-22"}, {"id": "b-22", "state": "stopping"})]),
    (
        "who rejects wants it rejected",
        "I've rejected the requests LV-1 and LV-2.",
        [("reject_leave", {"ids": ["LV-1", "LV-2"]}, {"items": [{"id": "LV-1", "status": "rejected"}]})],
    ),
    (
        "who blocks wants it blocked",
        "Die Karten C-301 und C-302 sind jetzt gesperrt.",
        [("block_cards", {"ids": ["C-301", "C-302"]}, {"cards": [{"id": "C-301", "status": "BLOCKED"}]})],
    ),
    (
        "no longer applied, as wanted",
        "I've removed the codes SPRING and SUMMER.",
        [("remove_codes", {"codes": ["SPRING", "SUMMER"]}, {"codes": [{"code": "SPRING", "applied": False}]})],
    ),
    (
        "unchanged, and as wanted",
        "The tags are set on page-1 and page-2.",
        [
            (
                "set_tags",
                {"tag": "new"},
                {"pages": [{"id": "page-1", "state": "set"}, {"id": "page-2", "state": "unchanged"}]},
            )
        ],
    ),
    (
        "it is still to come",
        BOTH,
        [stop(WELL, {"id": "b-22", "state": "unavailable", "scheduled_at": "2025-05-01T10:00"})],
    ),
    (
        "what a look says could be had",
        "I've booked the room Oak. Elm-2 is free as well.",
        [
            ("book_room", {"room": "Oak"}, {"ok": True}),
            ("list_rooms", {}, [{"room": "Elm-2", "status": "unavailable"}]),
        ],
    ),
    ("both of something else", "Stopped: it's off, both inside and out.", [stop(WELL, ILL)]),
    ("all of something else", "Done, all lamps are off now.", [stop(WELL, ILL)]),
    ("the flag of one alone", LIFTED, [lift({"id": "LC-41", "main": True}, {"id": "LC-52", "main": False})]),
    ("who was not told of it", LIFTED, [("lift_holds", {"card_ids": ["LC-41", "LC-52"], "notified": True}, TOLD)]),
    ("a flag of what is in it", "Both rooms are booked now.", [ROOMS]),
    (
        "flags that were to be false",
        "Both lines are off now.",
        [("set_lines", {"ids": ["L-1", "L-2"], "on": False}, OFF)],
    ),
    ("a state that was so before", LOCKED, [("list_doors", {}, DOORS.replace("cellar  OPEN", "cellar  SHUT")), LOCK]),
    ("no look before", LOCKED, [LOCK]),
    ("a state told", "D-14 is locked now; D-15 is still open.", [("list_doors", {}, DOORS), LOCK]),
    ("seen once more", LOCKED, [("list_doors", {}, DOORS), LOCK, ("get_door", {"id": "D-15"}, {"id": "D-15"})]),
    (
        "a merger leaves one as it was",
        "Both tickets, TK-1 and TK-2, are merged now.",
        [("list_tickets", {}, TICKETS), ("merge_tickets", {"tickets": ["TK-1", "TK-2"]}, MERGED)],
    ),
    ("each day told", "Renewed: 88101 is due on March 25, 88144 on March 5.", [LOANS, renew(LONGER, SAME)]),
    ("both days new", UNTIL, [LOANS, renew(LONGER, {"id": "88144", "due": "2025-03-25"})]),
    (
        "the day of a note of the system's own",
        "Both loans have been renewed today, March 25.",
        [("list_loans", {}, SEEN), renew({"id": "88101", "seen": "2025-03-25"}, {"id": "88144", "seen": "2025-03-05"})],
    ),
    ("a list to wait on, told", "Mia is enrolled on Tuesday; on Friday she is on the waiting list.", [DAYS]),
    ("requested, no more", "I've requested Tuesday and Friday for Mia.", [DAYS]),
    ("a line that was rejected, told", "LX1180 is confirmed. LX1181 was too late: no vegan meal there.", [MEALS]),
    ("a line that is not named", "The vegan meal is confirmed for LX1180.", [MEALS]),
    (
        "a line of an earlier try",
        EATEN,
        [("set_meal", {"trip": "T5"}, f"{MEALS[2]}\n 2 LX1181 09MAY VEGAN CONFIRMED (2nd try)")],
    ),
    ("what a test says", "I've checked LX1180 and LX1181.", [("check_meals", {"trip": "T5"}, MEALS[2])]),
    (
        "what was left out, told",
        "The oak table is booked. The old oven needs its own round, so I left it out.",
        [MOVERS],
    ),
    ("what was left out, not named", "Your pickup is booked: the oak table, on May 14.", [MOVERS]),
    ("nothing was left out", PICKED, [("book_pickup", MOVERS[1], "BOOKED\n old oven\nskipped: none")]),
    ("worry about one", "Don't worry about D-15: D-14 is locked now.", [("list_doors", {}, DOORS), LOCK]),
    (
        "a line about another thing",
        "I've opened TK-101, much as TK-099 was.",
        [("open_ticket", {"text": "leak"}, "opened TK-101\nnote: much as TK-099, rejected in May")],
    ),
    ("only looks", BOTH, [("list_boxes", {}, {"boxes": [WELL, ILL]})]),
    ("hostile", BOTH, [("stop_boxes", {}, {"r": [[[{"id": "b-22", "error": "x"}]]] * 500})]),
]


@pytest.mark.parametrize(("answer", "ran"), [row[1:] for row in SILENT], ids=[row[0] for row in SILENT])
def test_what_was_done_or_is_told_is_left_alone(answer: str, ran: list[Ran]) -> None:
    assert [one for one in flagged(answer, ran) if one.startswith("entries")] == []


def test_the_reason_says_what_the_result_says() -> None:
    (found,) = [one for one in findings(BOTH, [stop(WELL, ILL)]) if one.rule == "entries"]
    assert "PROTECTED" in found.reason
    assert found.quote == BOTH


def posts(state: str) -> Ran:
    entries = [{"channel": "linkedin", "state": "scheduled"}, {"channel": "instagram", "state": state}]
    return ("schedule_posts", {"channels": ["linkedin", "instagram"]}, {"batch": "b-9", "results": entries})


LINED_UP = "I've scheduled your posts:\n- LinkedIn\n- Instagram"
LEFT: list[tuple[str, str, Ran, bool]] = [
    ("both as asked", LINED_UP, posts("scheduled"), False),
    ("another state that waits for nobody", LINED_UP, posts("queued_for_tuesday"), False),
    ("a draft, and told", "I've scheduled LinkedIn. Instagram is still a draft.", posts("draft"), False),
    (
        "both drafts",
        LINED_UP,
        ("schedule_posts", {"channels": ["a1", "a2"]}, [{"channel": "a1", "state": "draft"}]),
        False,
    ),
    ("a draft beside one that is not", LINED_UP, posts("draft"), True),
]


@pytest.mark.parametrize(("answer", "ran", "fires"), [one[1:] for one in LEFT], ids=[one[0] for one in LEFT])
def test_one_that_was_left_beside_others(answer: str, ran: Ran, fires: bool) -> None:
    assert [one.split()[0] for one in flagged(answer, [ran])] == ["entries"] * fires


def test_a_step_that_the_whole_is_in_is_no_entry_of_its_own() -> None:
    steps = [{"step": "RECEIVED", "done": True}, {"step": "PROCESSING", "done": False}, {"step": "SENT", "done": False}]
    order = {"number": "TR-5521", "status": "PROCESSING", "tracking": steps}
    ran: Ran = ("order_transcript", {"student": "5509"}, {"order": order})
    assert flagged("I've placed your order TR-5521.\n- Status: processing", [ran]) == []
