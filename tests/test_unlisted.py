"""Things that a change was given, beside the lists of its result."""

from __future__ import annotations

from typing import Any

import pytest

from tests.general import findings
from tests.transcripts import Ran

BOTH = "Both dogs are booked for Saturday."


def told(answer: str, ran: list[Ran]) -> list[str]:
    found = findings(answer, ran, user="Yes, please.", tools=[])
    return [f"{one.verdict} {one.subject}" for one in found if one.flagged and one.rule == "unlisted"]


def visit(*pets: str, **more: Any) -> Ran:
    given = {"slot": "V-20", "pet_ids": ["P-801", "P-802"]}
    return ("book_visit", given, {"visit": "VS-9", "pets": [{"pet_id": one, "name": "Rex"} for one in pets], **more})


def plan(*codes: str, code: str = "ROAM-15", **more: Any) -> Ran:
    return ("add_addon", {"line": "LN-4", "addon_code": code}, {"addons": [{"code": one} for one in codes], **more})


LOOK: Ran = ("get_catalog", {}, {"addons": [{"code": "ROAM-15", "name": "Roaming World 15 days"}]})
EXTRAS: Ran = ("get_rental", {"ra": "55"}, {"ra": "55", "extras": [{"code": "CDW", "name": "Damage waiver"}]})


def removed(*extras: dict[str, Any], name: str = "extras") -> Ran:
    return ("remove_extra", {"ra": "55", "code": "CDW"}, {"ra": "55", name: list(extras)})


FIRES: list[tuple[str, str, list[Ran]]] = [
    ("one of two", BOTH, [visit("P-801")]),
    ("it stands among those that were held", BOTH, [visit("P-801", held=[{"pet_id": "P-802"}])]),
    ("a list of codes", BOTH, [("tag_pets", {"ids": ["P-801", "P-802"]}, {"tagged": ["P-801"]})]),
    (
        "objects with codes",
        "Both services have been added.",
        [
            (
                "add_service",
                {"services": [{"code": "LCO"}, {"code": "TRF"}]},
                {"services": [{"code": "TRF", "price": 60}], "total": 736.8},
            )
        ],
    ),
    ("one, by its name", "The World 15-day roaming is scheduled.", [LOOK, plan("VOICE-1", "ROAM-7")]),
    ("one, by its code", "ROAM-15 is active.", [plan("VOICE-1")]),
    ("removed, and there", "CDW has been removed.", [EXTRAS, removed({"code": "CDW", "per_day": 24})]),
    ("by its name", "The damage waiver is gone.", [EXTRAS, removed({"code": "CDW"})]),
]
PERMIT: Ran = ("get_permit", {"permit": "RP-3"}, {"permit": "RP-3", "plates": ["BD16OUR"]})


def switched(*plates: str) -> Ran:
    return ("change_plate", {"permit": "RP-3", "remove": "BD16OUR", "add": "MW71KDE"}, {"plates": list(plates)})


def invited(*people: str) -> Ran:
    given = ["ann.lee@x.example", "margaux.roy@x.example"]
    return ("calendar.create_event", {"attendees": given}, {"attendees": [{"email": one} for one in people]})


SHOES: Ran = ("get_shoes", {}, {"variants": {"4410": {"item_id": "4410", "options": {"size": "11", "sole": "rubber"}}}})


def resized(item: str) -> Ran:
    given = {"order": "W-2", "item_ids": ["9310", "2509"], "new_item_ids": ["9314", "4410"]}
    return ("modify_items", given, {"order": "W-2", "items": [{"item_id": "9314"}, {"item_id": item}]})


FIRES += [
    ("by what sets it apart", "1. Headphones\n2. Shoes: size 11", [SHOES, resized("2509")]),
    ("an empty list", "The X-IP4 add-on is there.", [("change_plan", {"addons": ["X-IP4"]}, {"addons": []})]),
    ("in place of another", "- Removed: BD16 OUR\n- Added: MW71 KDE", [PERMIT, switched("BD16OUR")]),
    ("by their address", "Invited: Ann Lee and Margaux Roy.", [invited("ann.lee@x.example")]),
]
SILENT: list[tuple[str, str, list[Ran]]] = [
    ("by what sets it apart, and it is there", "1. Headphones\n2. Shoes: size 11", [SHOES, resized("4410")]),
    ("another size", "1. Headphones\n2. Shoes: size 10", [SHOES, resized("2509")]),
    (
        "an empty list of others",
        "The X-IP4 add-on is there.",
        [("change_plan", {"addons": ["X-IP4"]}, {"pending": []})],
    ),
    ("it has taken the other's place", "Added: MW71 KDE", [PERMIT, switched("MW71KDE")]),
    ("nobody saw the list before", "Added: MW71 KDE", [switched("BD16OUR")]),
    ("they are there", "Invited: Ann Lee and Margaux Roy.", [invited("ann.lee@x.example", "margaux.roy@x.example")]),
    ("another one is named", "Invited: Ann Lee.", [invited("ann.lee@x.example")]),
    (
        "the old ones of an exchange",
        "Both are changed.",
        [
            (
                "modify",
                {"item_ids": ["I-1", "I-2"], "new_item_ids": ["I-3", "I-2"]},
                {"items": [{"item_id": "I-2"}, {"item_id": "I-3"}]},
            )
        ],
    ),
    ("all are there", BOTH, [visit("P-801", "P-802")]),
    ("told", "Rex is booked, but not the other one.", [visit("P-801")]),
    ("told as waiting", "Both are asked for, one is on the waitlist.", [visit("P-801")]),
    ("nothing of all", "Rex is booked.", [visit("P-801")]),
    ("none of them is listed", BOTH, [visit("P-900")]),
    ("no list", BOTH, [("book_visit", {"pet_ids": ["P-801", "P-802"]}, {"visit": "VS-9", "status": "booked"})]),
    ("another list has it", BOTH, [visit("P-801", second=[{"pet_id": "P-802"}])]),
    ("a later look has it", BOTH, [visit("P-801"), ("get_visit", {"id": "VS-9"}, {"pets": ["P-801", "P-802"]})]),
    ("in another case", BOTH, [("tag_pets", {"ids": ["P-801", "P-802"]}, {"tagged": ["p-801", "p-802"]})]),
    ("words are no codes", "Both are tagged.", [("tag", {"tags": ["calm", "old"]}, {"tags": ["calm"]})]),
    (
        "closed ones stand in no list",
        "Both are closed.",
        [("close_tickets", {"ids": ["T-1", "T-2"]}, {"open": ["T-1"]})],
    ),
    ("it failed", BOTH, [("book_visit", {"pet_ids": ["P-801", "P-802"]}, {"error": "full", "pets": ["P-801"]})]),
    ("a look", BOTH, [("get_pets", {"ids": ["P-801", "P-802"]}, {"ids": ["P-801"]})]),
    (
        "of another field",
        "ROAM-15 is active.",
        [("add_addon", {"addon_code": "ROAM-15"}, {"lines": [{"msisdn": "4"}]})],
    ),
    ("an empty list says nothing of one", "ROAM-15 is active.", [plan()]),
    ("neither named nor all", "Your order is placed.", [plan("VOICE-1")]),
    ("removed", "CDW has been removed.", [EXTRAS, removed({"code": "GPS"})]),
    ("it ends", "CDW has been removed.", [EXTRAS, removed({"code": "CDW", "ends_at": "2025-08-26"})]),
    ("its state is gone", "CDW has been removed.", [EXTRAS, removed({"code": "CDW", "state": "REMOVED"})]),
    ("a list of what was removed", "CDW has been removed.", [EXTRAS, removed({"code": "CDW"}, name="removed")]),
    ("nobody saw it before", "CDW has been removed.", [removed({"code": "CDW"})]),
    ("still there, told", "CDW is not removed.", [EXTRAS, removed({"code": "CDW"})]),
    (
        "a cancelled thing is still listed",
        "P-801 is cancelled.",
        [("cancel_pet", {"id": "P-801"}, {"pets": ["P-801"]})],
    ),
]


@pytest.mark.parametrize(("answer", "ran"), [row[1:] for row in FIRES], ids=[row[0] for row in FIRES])
def test_what_is_told_and_not_listed(answer: str, ran: list[Ran]) -> None:
    assert [one.split()[0] for one in told(answer, ran)] == ["contradicted"]


@pytest.mark.parametrize(("answer", "ran"), [row[1:] for row in SILENT], ids=[row[0] for row in SILENT])
def test_what_is_listed_or_not_told(answer: str, ran: list[Ran]) -> None:
    assert told(answer, ran) == []


def assigned(*people: str) -> Ran:
    given = {"issue": 642, "assignees": ["mvdberg", "yusra-k"]}
    return ("add_assignees", given, {"number": 642, "assignees": [{"login": one} for one in people]})


@pytest.mark.parametrize(
    ("answer", "ran", "flagged"),
    [
        ("#642 is assigned to you and Yusra.", assigned("mvdberg"), True),
        ("#642 is assigned to you and Yusra.", assigned("mvdberg", "yusra-k"), False),
        ("#642 is assigned to you.", assigned("mvdberg"), False),
        ("#642 is assigned to you, but not to Yusra.", assigned("mvdberg"), False),
        ("#642 is assigned to you and Yusrabella.", assigned("mvdberg"), False),
    ],
)
def test_people_by_the_names_in_their_handles(answer: str, ran: Ran, flagged: bool) -> None:
    assert bool(told(answer, [ran])) is flagged


def enrolled(*left: str) -> Ran:
    given = {"course": "FIRE-1", "users": ["E-501", "E-502", "E-503"]}
    failed = [{"user": one, "why": "contract ended"} for one in left]
    done = [one for one in given["users"] if one not in left]
    return ("enrol_bulk", given, {"results": {"enrolled": done, "failed": failed}})


@pytest.mark.parametrize(
    ("answer", "flagged"),
    [
        ("E-501 and E-503 are enrolled. The contract of E-502 has ended.", False),
        ("Two people are enrolled: E-501 and E-503. The contract of E-502 has ended.", False),
        ("E-501 and E-503 are enrolled.", False),
        ("E-501, E-502 and E-503 are enrolled.", True),
        ("All three are enrolled.", True),
        ("All three are enrolled:\n\n- E-501\n- E-502\n- E-503", True),
        ("| Who |\n|---|\n| E-501 |\n| E-502 |\n| E-503 |\n\nAll three are enrolled.", True),
    ],
)
def test_one_that_is_set_apart_is_not_told_as_done(answer: str, flagged: bool) -> None:
    assert (
        any(one.flagged for one in findings(answer, [enrolled("E-502")], user="Enrol all three.", tools=[])) is flagged
    )
