"""Changes that landed on another thing than the one that they were called for."""

from __future__ import annotations

from typing import Any

import pytest

from tests.general import findings
from tests.transcripts import Ran


def card(number: int, state: str = "active", **more: Any) -> dict[str, Any]:
    name = ["Gold", "Blue", "Green"][number]
    return {"card_id": f"crd_88{number}", "label": name, "last4": f"{number}320", "state": state, **more}


CARDS: Ran = ("list_cards", {"customer": "c_7204"}, [card(0), card(1), card(2)])
SECTIONS: Ran = (
    "course_sections",
    {"course": "STAT 201"},
    [
        {"crn": "41102", "section": "001", "days": "MWF", "time": "09:00-09:50"},
        {"crn": "41109", "section": "005", "days": "TR", "time": "18:00-19:15"},
    ],
)


def told(answer: str, ran: list[Ran]) -> list[str]:
    return [one.subject for one in findings(answer, ran, user="Yes, please.", tools=[]) if one.rule == "misdirected"]


def lock(*cards: Any, name: str = "crd_880", **more: Any) -> Ran:
    return ("lock_card", {"card_id": name, **more}, {"customer": "c_7204", "cards": list(cards)})


OTHER = lock(card(0), card(1, "locked"), card(2))


@pytest.mark.parametrize(
    "answer",
    [
        "I've locked your Gold card.",
        "Your **Gold card ending in 0320 is now locked**. Your Blue card is not affected.",
        "The card crd_880 has been locked.",
    ],
)
def test_an_entry_that_is_as_it_was_beside_one_that_is_not(answer: str) -> None:
    assert told(answer, [CARDS, OTHER]) == ["crd_880"]


@pytest.mark.parametrize(
    ("answer", "ran"),
    [
        ("I've locked your Gold card.", [CARDS, lock(card(0, "locked"), card(1), card(2))]),
        ("I've locked your Gold card.", [CARDS, lock(card(0, "locked"), card(1, "locked"), card(2))]),
        ("I've locked your Gold card.", [CARDS, lock(card(0), card(1), card(2))]),
        ("I've locked your Gold card.", [OTHER]),
        ("I've locked your Gold card.", [CARDS, lock(card(0, locked_at="2025-05-06"), card(1, "locked"), card(2))]),
        ("I've locked your Gold card.", [CARDS, lock(card(0), card(1, "locked"), card(2), also="crd_881")]),
        ("I've locked your Gold card.", [CARDS, OTHER, lock(card(0, "locked"), card(1, "locked"), card(2))]),
        ("I've locked your Gold card.", [CARDS, lock(card(0), card(1, updated_at="2025-05-06"), card(2))]),
        ("I've locked your Blue card.", [CARDS, OTHER]),
        ("Sorry, the Blue card was locked, and the Gold card is still active.", [CARDS, OTHER]),
        ("The system locked your Blue card instead of the Gold one.", [CARDS, OTHER]),
        ("I tried to lock your Gold card, however it is active.", [CARDS, OTHER]),
        ("Shall I lock your Gold card?", [CARDS, OTHER]),
    ],
    ids=range(13),
)
def test_an_entry_that_may_have_been_changed(answer: str, ran: list[Ran]) -> None:
    assert told(answer, ran) == []


def register(result: Any, crn: str = "41109", **more: Any) -> Ran:
    return ("register_section", {"sid": "S0091827", "crn": crn, **more}, result)


MORNING = register({"result": "Registered S0091827 in STAT 201 section 001 (CRN 41102), MWF 09:00-09:50."})
EVENING = "I've registered you for STAT 201, section 005, Tuesdays and Thursdays at 6:00 PM."


@pytest.mark.parametrize(
    "ran", [MORNING, register({"enrolment": {"crn": "41102", "term": "F25"}}), register("Registered: CRN 41102")]
)
def test_a_sibling_in_the_place_of_what_was_asked_for(ran: Ran) -> None:
    assert told(EVENING, [SECTIONS, ran]) == ["register_section"]


@pytest.mark.parametrize(
    ("answer", "ran"),
    [
        (EVENING, [SECTIONS, register({"enrolment": {"crn": "41109"}})]),
        (EVENING, [SECTIONS, register({"ok": True})]),
        (EVENING, [SECTIONS, register({"enrolment": {"dropped": "41102", "term": "F25"}})]),
        (EVENING, [SECTIONS, register({"previous": "41102", "ok": True})]),
        (EVENING, [SECTIONS, register("Registered in 41109, dropped 41102")]),
        (EVENING, [SECTIONS, register({"open_sections": [{"crn": "41102", "open": 6}], "status": "registered"})]),
        (EVENING, [SECTIONS, register({"enrolment": {"crn": "41102"}}, replaces="41102")]),
        (EVENING, [SECTIONS, register({"enrolment": {"crn": "41102"}}), register({"enrolment": {"crn": "41109"}})]),
        (EVENING, [SECTIONS, MORNING, ("get_schedule", {"sid": "S0091827"}, {"sections": ["41109"]})]),
        (EVENING, [MORNING]),
        ("I've registered you for STAT 201, section 001, at 09:00.", [SECTIONS, MORNING]),
        ("You've been put into section 001 instead of section 005.", [SECTIONS, MORNING]),
        ("I've registered you for STAT 201.", [SECTIONS, MORNING]),
    ],
    ids=range(13),
)
def test_a_sibling_that_says_nothing(answer: str, ran: list[Ran]) -> None:
    assert told(answer, ran) == []


LINES: Ran = (
    "account_lines",
    {"account": "AC-802"},
    {
        "lines": [
            {"msisdn": "+447700900720", "label": "Ravi", "plan": "S"},
            {"msisdn": "+447700900702", "label": "Anika", "plan": "S"},
        ]
    },
)


def cap(line: str, **more: Any) -> Ran:
    return ("set_cap", {"msisdn": line, "limit": "5.00"}, {"cap": {"msisdn": line, "limit": "5.00", **more}})


RAVI, ANIKA = "+447700900720", "+447700900702"
CAPPED = "I've put a £5.00 cap on Anika's line."


@pytest.mark.parametrize(
    ("answer", "user", "ran", "flagged"),
    [
        (CAPPED, "Put a £5 cap on Anika's line.", [LINES, cap(RAVI)], True),
        (CAPPED, "Put a £5 cap on Anika's line.", [LINES, cap(ANIKA)], False),
        (CAPPED, "Put a £5 cap on Anika's line.", [LINES, cap(RAVI), cap(ANIKA)], False),
        (CAPPED, "Put a £5 cap on Anika's line.", [LINES, cap(RAVI, holder="Anika")], False),
        (CAPPED, "Put a £5 cap on 07700 900720.", [LINES, cap(RAVI)], False),  # the user may call it so
        (CAPPED, "Put a £5 cap on Ravi's and Anika's line.", [LINES, cap(RAVI)], False),
        (CAPPED, f"Put a £5 cap on {RAVI}, Anika's line.", [LINES, cap(RAVI)], False),
        (CAPPED, "Put a £5 cap on Anika's line.", [cap(RAVI)], False),  # nobody knows whose it is
        ("I've put a £5.00 cap on Ravi's line.", "Put a £5 cap on Anika's line.", [LINES, cap(RAVI)], False),
        ("I've put a £5.00 cap on it, the same as Anika's.", "The cap that Anika has.", [LINES, cap(RAVI)], False),
        ("I've capped +447700900720.", "Put a £5 cap on Anika's line.", [LINES, cap(RAVI)], False),
    ],
)
def test_the_id_of_another_entry_than_is_spoken_of(answer: str, user: str, ran: list[Ran], flagged: bool) -> None:
    found = [one for one in findings(answer, ran, user=user, tools=[]) if one.rule == "misdirected"]
    assert bool(found) is flagged


BILLS: Ran = (
    "search_invoices",
    {"customer": "B"},
    {"invoices": [{"number": "INV-20481", "kind": "subscription"}, {"number": "INV-20418", "kind": "overage"}]},
)


def credit(number: str, **more: Any) -> Ran:
    return (
        "create_credit",
        {"invoice": number, "amount": "240.00"},
        {"credit": {"number": "CN-7", "amount": "240.00", **more}},
    )


@pytest.mark.parametrize(
    ("answer", "ran", "flagged"),
    [
        ("I've issued credit note CN-7 against **INV-20481**.", [BILLS, credit("INV-20418")], True),
        ("I've issued credit note CN-7 against INV-20418.", [BILLS, credit("INV-20418")], False),
        ("I've issued credit note CN-7, not against INV-20481.", [BILLS, credit("INV-20418")], False),
        ("I've issued credit note CN-7. INV-20481 is paid.", [BILLS, credit("INV-20418")], False),
        ("I've issued credit note CN-7 against INV-20481.", [credit("INV-20418")], False),  # nothing shows the two
        ("I've issued credit note CN-7 against INV-20481.", [BILLS, credit("INV-20418", replaces="INV-20481")], False),
        ("I've issued CN-7 against INV-20481.", [BILLS, credit("INV-20418"), credit("INV-20481")], False),
        ("I've issued CN-7 for INV-20418; INV-20481 is settled.", [BILLS, credit("INV-20418")], False),
    ],
)
def test_a_deed_told_of_the_entry_beside(answer: str, ran: list[Ran], flagged: bool) -> None:
    found = [
        one for one in findings(answer, ran, user="Credit 240 on the overage.", tools=[]) if one.rule == "misdirected"
    ]
    assert bool(found) is flagged
