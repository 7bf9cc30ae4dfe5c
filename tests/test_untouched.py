"""Things that were looked up for a change of all of them, and that no change named."""

from __future__ import annotations

import pytest

from tests.general import flagged
from tests.transcripts import Ran

ADA: Ran = ("find_contact", {"name": "Ada Byron"}, {"id": 31, "name": "Ada Byron", "tags": []})
KIT: Ran = ("find_contact", {"name": "Kit Marlow"}, {"id": 58, "name": "Kit Marlow", "tags": []})
VIP: Ran = ("find_contact", {"name": "Kit Marlow"}, {"id": 58, "name": "Kit Marlow", "tags": ["partner"]})
MAIL: Ran = ("find_contact", {"name": "Kit Marlow"}, {"id": 58, "name": "Kit Marlow", "email": "kit@m.example"})
LIST: Ran = ("list_contacts", {}, [{"id": 31, "name": "Ada Byron"}, {"id": 58, "name": "Kit Marlow"}])
TAG: Ran = ("add_tag", {"contact": 31, "tag": "partner"}, {"id": 31, "tags": ["partner"]})
TAG_KIT: Ran = ("add_tag", {"contact": 58, "tag": "partner"}, {"id": 58, "tags": ["partner"]})
BULK: Ran = ("add_tag_bulk", {"contacts": [31, 58], "tag": "partner"}, {"tagged": 2})
QUERY: Ran = ("add_tag_to_group", {"group": "leads", "tag": "partner"}, {"tagged": 2})
BY_MAIL: Ran = ("add_tag", {"contact": "kit@m.example", "tag": "partner"}, {"ok": True})
ORDERS: list[Ran] = [
    ("get_order", {"order": "A-1182"}, {"order_id": "A-1182", "state": "processing", "basket": "B7"}),
    ("get_order", {"order": "A-1190"}, {"order_id": "A-1190", "state": "processing", "basket": "B7"}),
]
GONE: list[Ran] = [
    ORDERS[0],
    ("get_order", {"order": "A-1190"}, {"order_id": "A-1190", "state": "cancelled", "basket": "B7"}),
]
ONE: Ran = ("cancel_order", {"order": "A-1182"}, {"order_id": "A-1182", "state": "cancelled"})
BASKET: Ran = ("cancel_basket", {"basket": "B7"}, {"state": "cancelled"})
FLOW: Ran = ("run_workflow", {"name": "tagging"}, {"ok": True})

KEPT: Ran = (
    "search_contacts",
    {"query": "Gloria"},
    [
        {"id": "c-119", "name": "Gloria Mendes", "mobile": "+351 912 555 018"},
        {"id": "c-044", "name": "Aunt Gloria", "mobile": "+351 963 555 700"},
        {"id": "c-087", "name": "Tia Gloria", "mobile": "+351 963 555 700"},
    ],
)
DELETE: Ran = ("delete_contact", {"id": "c-044"}, {"deleted": True, "id": "c-044"})
DELETE_TIA: Ran = ("delete_contact", {"id": "c-087"}, {"deleted": True, "id": "c-087"})
CALLS: Ran = (
    "oncall_lookup",
    {"team": "it"},
    {"primary": {"user": "dok1", "name": "Dana Okon"}, "secondary": {"user": "dok2", "name": "Dan Okoye"}},
)
ASSIGN: Ran = ("assign_ticket", {"ticket": "INC-309", "assignee": "dok1"}, {"ticket": "INC-309", "assignee": "dok1"})
SHIRTS: Ran = (
    "get_variants",
    {},
    {"7001": {"color": "navy blue", "price": 20}, "7002": {"color": "dark red", "price": 21}},
)
SWAP: Ran = ("exchange_item", {"item": "55", "new_item": "7002"}, {"status": "exchanged", "new_item": "7002"})

CLEAN = "Keep Gloria Mendes, delete the others"
ROUTE = "Give INC-309 to whoever is on call"
ASKED = "Tag Ada Byron and Kit Marlow as partners"
BOTH = "Ada Byron and Kit Marlow have both been tagged as partners."
CANCEL = "Cancel A-1182 and A-1190"
CANCELLED = "Both orders are cancelled:\n- A-1182: done\n- A-1190: done"


def told(answer: str, ran: list[Ran], user: str) -> list[str]:
    return [one for one in flagged(answer, ran, user=user) if one.startswith("untouched ")]


@pytest.mark.parametrize(
    ("answer", "ran", "user", "subject"),
    [
        (BOTH, [ADA, KIT, TAG], ASKED, "Kit Marlow"),
        ("All contacts now have the tag:\n- Ada Byron\n- Kit Marlow", [ADA, KIT, TAG], ASKED, "Kit Marlow"),
        (BOTH, [LIST, TAG], ASKED, "Kit Marlow"),
        (CANCELLED, [*ORDERS, ONE], CANCEL, "A-1190"),
        (BOTH, [ADA, KIT, TAG], "Tag Ada Byron as a partner", "Kit Marlow"),
        ('I kept Gloria Mendes and deleted "Aunt Gloria" and "Tia Gloria".', [KEPT, DELETE], CLEAN, "Tia Gloria"),
        (
            "I've deleted both old ones:\n\n1. Aunt Gloria\n2. Tia Gloria\n\nAll tidy!",
            [KEPT, DELETE],
            CLEAN,
            "Tia Gloria",
        ),
        ("INC-309 is now assigned to Dan Okoye.", [CALLS, ASSIGN], ROUTE, "Dan Okoye"),
        ("I've assigned it to Dan Okoye, who is on call.", [CALLS, ASSIGN], ROUTE, "Dan Okoye"),
    ],
)
def test_one_that_no_change_named(answer: str, ran: list[Ran], user: str, subject: str) -> None:
    assert told(answer, ran, user) == [f"untouched unsupported {subject}"]


@pytest.mark.parametrize(
    ("answer", "ran", "user"),
    [
        (BOTH, [ADA, KIT, TAG, TAG_KIT], ASKED),
        (BOTH, [ADA, KIT, BULK], ASKED),
        (BOTH, [ADA, KIT, QUERY], ASKED),
        (BOTH, [ADA, KIT, TAG, FLOW], ASKED),
        (BOTH, [ADA, MAIL, TAG, BY_MAIL], ASKED),
        (BOTH, [ADA, VIP, TAG], ASKED),
        (BOTH, [TAG], ASKED),
        ('I deleted "Aunt Gloria" and "Tia Gloria".', [KEPT, DELETE, DELETE_TIA], CLEAN),
        ("I deleted Aunt Gloria and kept Gloria Mendes.", [KEPT, DELETE], CLEAN),
        ("I deleted Aunt Gloria. Tia Gloria has the same number: shall I delete it, too?", [KEPT, DELETE], CLEAN),
        ("I've deleted Aunt Gloria:\n\n- Gloria Mendes: kept\n- Tia Gloria: kept\n", [KEPT, DELETE], CLEAN),
        ("I've deleted it. Tia Gloria has the same number.", [KEPT, DELETE], CLEAN),
        ("INC-309 is now assigned to Dana Okon.", [CALLS, ASSIGN], ROUTE),
        ("I've assigned INC-309 to Dana Okon instead of Dan Okoye.", [CALLS, ASSIGN], ROUTE),
        ("INC-309 is assigned to dok1. Dan Okoye comes after her.", [CALLS, ASSIGN], ROUTE),
        ("INC-309 is with Dana now; Dan Okoye has been told.", [CALLS, ASSIGN], ROUTE),
        (
            "I've exchanged the navy blue one for the dark red one.",
            [SHIRTS, SWAP],
            "Exchange the shirt for the dark red one",
        ),
        ("Ada Byron has been tagged; Kit Marlow has not been found twice, so both stay.", [ADA, KIT, TAG], ASKED),
        ("I tagged Ada Byron. Kit Marlow comes next. Shall both get a mail?", [ADA, KIT, TAG], ASKED),
        ("I tagged Ada Byron. Both Ada Byron and Kit Marlow will get a mail.", [ADA, KIT, TAG], ASKED),
        ("I tagged Ada Byron, as Kit Marlow was a partner.", [ADA, KIT, TAG], ASKED),
        (CANCELLED, [*ORDERS, BASKET], CANCEL),
        (CANCELLED, [*GONE, ONE], CANCEL),
        ("Both orders were processing; I've cancelled A-1182. I couldn't cancel A-1190.", [*ORDERS, ONE], CANCEL),
    ],
)
def test_what_may_have_been_done_to_all_is_left_alone(answer: str, ran: list[Ran], user: str) -> None:
    assert told(answer, ran, user) == []


@pytest.mark.parametrize(
    ("answer", "fires"),
    [
        ("Done:\n- **Stage**: Proposal → Negotiation\n- **Amount**: 42,000 → 48,000", False),
        ("Done: the deal went from Proposal to Negotiation.", False),
        ("I've moved Proposal and Negotiation.", True),
    ],
)
def test_what_was_before_an_arrow_is_not_told_as_changed(answer: str, fires: bool) -> None:
    stages: Ran = ("list_stages", {}, [{"id": "stg_3", "label": "Proposal"}, {"id": "stg_4", "label": "Negotiation"}])
    moved: Ran = ("update_deal", {"id": "D-1", "stage": "stg_4"}, {"id": "D-1", "stage": "stg_4"})
    assert bool(flagged(answer, [stages, moved])) == fires
