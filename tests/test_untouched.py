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
        (BOTH, [ADA, KIT, TAG], "Tag Ada Byron as a partner"),
        (BOTH, [TAG], ASKED),
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
