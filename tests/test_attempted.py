"""Values that only a failed call was given, told as so; what is admitted, asked, known otherwise or mended stays silent."""

from __future__ import annotations

from typing import Any

import pytest

from tests.general import flagged
from tests.transcripts import Ran


def failed(**more: Any) -> Ran:
    return ("schedule_visit", {"account": "BB-7", "date": "2025-07-09", **more}, {"error": "did not respond"})


SEATED: Ran = ("update_menu", {"event": "EV-3", "vegan": 8}, {"event": "EV-3", "vegan": 8})
GREW: Ran = ("update_headcount", {"event": "EV-3", "guests": 64}, "Request rejected: changes close 72 hours before.")
DRIVER: Ran = (
    "add_driver",
    {"reservation": "KX-8", "name": "Luc Prado Mena"},
    "Error 502: licence service did not respond",
)
GROUP: Ran = ("update_reservation", {"reservation": "KX-8", "group": "CA"}, {"reservation": "KX-8", "group": "CA"})

FIRES: list[tuple[str, str, list[Ran]]] = [
    (
        "a day to come",
        "An engineer will be with you on Wednesday 9 July. Somebody over 18 needs to be home.",
        [failed()],
    ),
    ("a number beside what landed", "You are good to go: 64 guests, 8 of them vegan.", [SEATED, GREW]),
    (
        "a name behind a label",
        "KX-8, updated:\n- Group: CA\n- Second driver: Luc Prado Mena, at no charge",
        [DRIVER, GROUP],
    ),
    ("a look at something else", "See you on 9 July.", [failed(), ("get_weather", {"days": 3}, {"wind": 14})]),
    (
        "beside another tool of the same thing",
        "Erledigt! Das Bad heizt jetzt auf 23 °C.",
        [
            ("heizung_setzen", {"raum": "bad", "soll": 23}, {"error": "DEVICE_UNREACHABLE"}),
            ("heizung_modus", {"raum": "schlafzimmer", "modus": "absenk"}, {"result": "OK"}),
        ],
    ),
    ("in another language", "Der Techniker kommt am 9. Juli zu Ihnen.", [failed()]),
]


@pytest.mark.parametrize(("answer", "ran"), [row[1:] for row in FIRES], ids=[row[0] for row in FIRES])
def test_a_value_of_a_failed_call_alone(answer: str, ran: list[Ran]) -> None:
    found = flagged(answer, ran)
    assert len(found) == 1
    assert found[0].split()[:2] in (["attempted", "contradicted"], ["unfulfilled", "contradicted"])


SHOWN: Ran = ("get_visit", {"account": "BB-7"}, {"visit": "2025-07-09"})
SILENT: list[tuple[str, str, list[Ran]]] = [
    ("some of them", "He anotado dos de los tres cambios: el de las 9 de julio es aparte.", [failed()]),
    ("said by a label", "Visita del 9 de julio: sin registrar.", [failed()]),
    ("admitted", "I could not get an engineer for 9 July.", [failed()]),
    ("admitted elsewhere", "About 9 July. The planning tool is unavailable today.", [failed()]),
    ("asked", "The 9 July, did you say? Would you prefer a Friday?", [failed()]),
    ("what was asked for", "You asked for 9 July; I pass it on to the planners.", [failed()]),
    ("a wish", "Once there is a slot, 9 July can be yours.", [failed()]),
    ("leave is asked for", "For 9 July, please confirm that you want me to proceed.", [failed()]),
    ("a look has it", "An engineer comes on 9 July.", [failed(), SHOWN]),
    ("a look before had it", "An engineer comes on 9 July.", [SHOWN, failed()]),
    (
        "another try",
        "An engineer comes on 9 July.",
        [failed(), ("schedule_visit", {"date": "2025-07-09"}, {"ok": True})],
    ),
    ("a later look at the thing", "You're in for 9 July.", [failed(), ("get_visit", {}, {"owner": "you"})]),
    ("a promise", "I'll have 9 July noted for you.", [failed()]),
    ("nothing of it", "Thanks for your patience, Lucia.", [failed()]),
    ("a small number", "Table 3 is the one by the window.", [("book_table", {"table": 3}, {"error": "closed"})]),
    ("an id", "Your account is BB-7.", [failed()]),
    ("in a quotation", 'The note reads "on 9 July at noon".', [failed()]),
    (
        "a look that failed",
        "It is about 9 July.",
        [("get_visit", {"date": "2025-07-09"}, {"error": "did not respond"})],
    ),
    (
        "it was so already",
        "9 July is set.",
        [("schedule_visit", {"date": "2025-07-09"}, {"error": "already scheduled"})],
    ),
]


@pytest.mark.parametrize(("answer", "ran"), [row[1:] for row in SILENT], ids=[row[0] for row in SILENT])
def test_nothing_is_said(answer: str, ran: list[Ran]) -> None:
    assert [one for one in flagged(answer, ran) if one.startswith("attempted")] == []


@pytest.mark.parametrize(
    ("answer", "fires"),
    [
        ("- nb-alina is off\n- nb-rafi is off\n\nNo GPU or notebook cost until Monday.", True),
        ("- nb-alina is off\n- nb-rafi is off\n\nYour other machines aren't affected.", True),
        ("- nb-alina is off\n- nb-rafi could not be stopped", False),
        ("- nb-alina is off\n\nNo luck with nb-rafi.", False),
    ],
)
def test_what_costs_nothing_or_is_not_affected_is_no_trouble(answer: str, fires: bool) -> None:
    ran: list[Ran] = [
        ("stop_instance", {"name": "nb-alina"}, {"status": "DONE"}),
        ("stop_instance", {"name": "nb-rafi"}, {"error": {"code": "RATE", "message": "it was not stopped"}}),
    ]
    assert bool(flagged(answer, ran)) == fires
