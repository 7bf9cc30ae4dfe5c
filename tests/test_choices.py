"""The one of several that an answer describes, beside the one that the change was given."""

from __future__ import annotations

from typing import Any

import pytest

from tests.general import flagged
from tests.transcripts import Ran

SLOTS: Ran = (
    "find_slots",
    {},
    {
        "slots": [
            {"slot_id": "SL-1", "provider": "Dr. Lena Fischer", "start": "2025-09-19T09:00"},
            {"slot_id": "SL-2", "provider": "Dr. Anton Weiss", "start": "2025-09-19T15:30"},
        ]
    },
)
VARIANTS: Ran = (
    "get_product",
    {"id": "p-9"},
    {
        "variants": {
            "v-101": {"item_id": "v-101", "options": {"color": "silver", "storage": "64GB"}, "price": 903.95},
            "v-102": {"item_id": "v-102", "options": {"color": "black", "storage": "128GB"}, "price": 941.03},
            "v-103": {"item_id": "v-103", "options": {"color": "gold", "storage": "32GB"}, "price": 872.75},
        }
    },
)
CARDS: Ran = (
    "get_profile",
    {},
    {
        "cards": [
            {"id": "card_a1", "brand": "Visa", "last4": "5093"},
            {"id": "card_b2", "brand": "Mastercard", "last4": "8841"},
        ]
    },
)


def book(slot: str, **result: Any) -> list[Ran]:
    return [SLOTS, ("book_visit", {"slot_id": slot}, {"success": True, "visit_id": "V-7", **result})]


def exchange(new: str, **result: Any) -> list[Ran]:
    return [VARIANTS, ("exchange_item", {"item_id": "v-101", "new_item_id": new}, {"status": "requested", **result})]


def pay(card: str) -> list[Ran]:
    return [CARDS, ("create_payment", {"card_id": card}, {"status": "succeeded"})]


HOUSE: Ran = (
    "get_states",
    {"area": "ground floor"},
    [{"entity_id": "media_player.tv", "state": "off"}, {"entity_id": "lock.front_door", "state": "unlocked"}],
)
BRANCHES: Ran = ("list_branches", {}, {"BR-07": "Market Street", "BR-12": "Hospital"})
USERS: Ran = ("list_users", {}, "usr_102 | Priya Nair | Sales\nusr_118 | Tom Becker | Sales")


def bring(branch: str, **result: Any) -> list[Ran]:
    return [BRANCHES, ("transfer_pickup", {"rx": "RX-9", "to_branch": branch}, {"rx": "RX-9", "to": branch, **result})]


def hand(user: str) -> list[Ran]:
    return [USERS, ("update_deal", {"deal": "D-8", "owner": user}, {"deal": "D-8", "owner": user})]


FIRES: list[tuple[str, str, list[Ran]]] = [
    ("another of names by their ids", "It will be ready at our Market Street branch.", bring("BR-12")),
    ("another row of a text", "The new owner is Priya Nair.", hand("usr_118")),
    ("another slot", "You are booked with Dr. Lena Fischer at 9:00 AM.", book("SL-2")),
    ("another variant", "Your exchange is set up. You get the black one with 128GB.", exchange("v-103")),
    ("another slot, told with the one before", "Moved from Monday to Dr. Lena Fischer at 9:00 AM.", book("SL-2")),
    ("another card", "Paid with your Visa 5093.", pay("card_b2")),
]


@pytest.mark.parametrize(("answer", "ran"), [row[1:] for row in FIRES], ids=[row[0] for row in FIRES])
def test_another_one_is_told(answer: str, ran: list[Ran]) -> None:
    assert [one.split()[:2] for one in flagged(answer, ran) if one.startswith("choices")] == [
        ["choices", "contradicted"]
    ]


HONEST: list[tuple[str, str, list[Ran]]] = [
    (
        "a state that the change has changed",
        "TV's off and the front door is locked.",
        [HOUSE, ("lock", {"entity_id": "lock.front_door"}, [{"entity_id": "lock.front_door", "state": "locking"}])],
    ),
    ("the name of its id", "It will be ready at our Hospital branch.", bring("BR-12")),
    ("the name that is there as well", "It goes to Market Street.", bring("BR-12", via="Market Street")),
    ("the row of its id", "The new owner is Tom Becker.", hand("usr_118")),
    ("both rows", "The owner is Tom Becker, not Priya Nair.", hand("usr_118")),
    ("no row of it", "The new owner is Priya Nair.", hand("usr_140")),
    ("the one that was taken", "You are booked with Dr. Anton Weiss at 3:30 PM.", book("SL-2")),
    ("what was there before", "Moved from Dr. Lena Fischer at 9:00 AM to the afternoon.", book("SL-2")),
    ("nothing of either", "You are booked for September 19.", book("SL-2")),
    ("both", "Dr. Weiss at 3:30 PM is yours; Dr. Lena Fischer has 9:00 AM free, too.", book("SL-2")),
    ("by its id", "SL-2 is yours, in the practice of Dr. Lena Fischer.", book("SL-2")),
    ("what was not taken", "I could not take 9:00 AM with Dr. Lena Fischer, it was sold out.", book("SL-2")),
    ("an offer", "Would you rather see Dr. Lena Fischer at 9:00 AM?", book("SL-2")),
    ("what goes back", "Exchange requested. Please send us the silver one with 64GB.", exchange("v-103")),
    ("from and to", "Your silver 64GB tablet is exchanged for the gold 32GB one.", exchange("v-103")),
    (
        "both were booked",
        "Dr. Lena Fischer, 9:00 AM.",
        [*book("SL-2"), ("book_visit", {"slot_id": "SL-1"}, {"ok": True})],
    ),
    ("the result names the other", "With Dr. Lena Fischer, 9:00 AM.", book("SL-2", moved_to="SL-1")),
    ("a refund to an earlier card", "The refund goes back to your Visa 5093.", pay("card_b2")),
    ("less than half of it", "It costs 903.95.", exchange("v-103")),
    ("only a look", "Dr. Lena Fischer, 9:00 AM.", [SLOTS, ("get_slot", {"slot_id": "SL-2"}, {"free": True})]),
    ("a list of one", "With Dr. Fischer.", [("find_slots", {}, {"slots": [{"slot_id": "SL-2"}]}), *book("SL-2")[1:]]),
    (
        "the call failed",
        "With Dr. Lena Fischer, 9:00 AM.",
        [SLOTS, ("book_visit", {"slot_id": "SL-2"}, {"error": "taken"})],
    ),
]


@pytest.mark.parametrize(("answer", "ran"), [row[1:] for row in HONEST], ids=[row[0] for row in HONEST])
def test_what_may_be_the_chosen_one_is_not_accused(answer: str, ran: list[Ran]) -> None:
    assert [one for one in flagged(answer, ran) if one.startswith("choices")] == []


@pytest.mark.parametrize(
    "offered", [None, [], {}, [[]], [{"slot_id": "SL-2"}, 7], {"slots": {"a": {}, "b": {}}}, "SL-2"]
)
def test_odd_lists_offer_nothing(offered: Any) -> None:
    ran: list[Ran] = [("find_slots", {}, offered), ("book_visit", {"slot_id": "SL-2"}, {"ok": True})]
    assert flagged("You are booked with Dr. Lena Fischer.", ran) == []


SEATS = [
    (
        "pnr_get",
        {"locator": "3BN8QZ"},
        {"pax": [{"name": "HOLM/ASTRID", "seat": "14C"}, {"name": "HOLM/NILS", "seat": "22D"}]},
    ),
    ("seat_map", {"flight": "CC318"}, {"free": ["14D", "15B"]}),
    ("change_seat", {"locator": "3BN8QZ", "pax": 2, "seat": "14D"}, {"pax": 2, "assigned": "14D", "previous": "22D"}),
]


@pytest.mark.parametrize(
    ("answer", "fires"),
    [
        ("Nils has been moved. Astrid: 14C, Nils: **14B**, right beside you.", True),
        ("Nils now sits in 14B.", True),
        ("Nils has been moved. Astrid: 14C, Nils: **14D**, across the aisle.", False),
        ("Nils has been moved to 14D, as 14B was taken.", False),
        ("Nils has been moved from 22D, to the other side of the aisle from 14C.", False),
        ("Nils has been moved; 15B is still free.", False),
        ("Nils has been moved, within row 14.", False),
        ("Nils is on CC318, seat moved, gates 11A and 11B.", False),
        ("14B could not be had for Nils.", False),
        ("Nils has moved from 14B to the seat that you asked for.", False),
        ("Nils has moved, not to 14B but across the aisle.", False),
    ],
)
def test_a_code_that_no_call_was_given(answer: str, fires: bool) -> None:
    assert any(one.startswith("choices") for one in flagged(answer, SEATS)) is fires
