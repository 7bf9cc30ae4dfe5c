"""Past forms that report a deed of just now, and those that tell of others, of states, or of kinds of things."""

from __future__ import annotations

import pytest

from proxy.reading import Reading
from tests.general import policy

DEEDS = [
    "I've sent the summary to Alice.",
    "The invoice has been sent to Ann.",
    "Your room is booked.",
    "Cancelled order A-1.",
    "The transfer has completed.",
    "Your request has been submitted by courier.",
    "**Card limit**: raised to £1,500.",
    "Both keys were restored, and I've notified your landlord.",
    "I have also invited the new colleagues.",
    "It is rated 4.2, so I went ahead and booked it.",
    "There was nothing at noon, so I created the event.",
    "All who were not already members have been added.",
    "The invitation I sent is in your inbox, and I've moved the call.",
]
NO_DEEDS = [
    "You have three appointments scheduled for May 15.",
    "You have a meeting scheduled from 11:00 to 11:30.",
    "You have appointments scheduled from 10:00 to 11:00.",
    "They have no table booked on Friday.",
    "Your landlord has notified you that the rent goes up.",
    "The letter says that the bank has cancelled your card.",
    "David has requested the following tasks.",
    "Both sites have posted a notice about it.",
    "This is from the email sent by James.",
    "It is the mail sent from your old address.",
    "She was on the invitation I sent for the 16:00 review.",
    "The number is in the last mail that I've sent.",
    "Billed were £2,092.40 in May.",
    "Signed copies are held for three days.",
    "Cancelled orders can be refunded within a week.",
    "[Reset your password](https://a.example/reset) is the first link.",
    "Ordered by mistake.",
    "Reason: ordered by mistake.",
    "The name is made up.",
    "It looks like the trip is scheduled for Saturday.",
    "There was nothing at noon, so nothing was booked.",
    "The key was sent in May.",
    "<think>I've sent the mail.</think>Which address should I use?",
    "the mail is sent\n</think>\nWhich address should I use?",
]


def acts(text: str) -> list[str]:
    """The deeds that a text asserts."""
    claims = Reading(text, policy().lexicon).claims(frozenset({"action"}))
    return [claim.act for claim in claims if claim.stance == "asserted"]


@pytest.mark.parametrize("text", DEEDS)
def test_deeds(text: str) -> None:
    assert acts(text) != []


@pytest.mark.parametrize("text", NO_DEEDS)
def test_what_tells_of_no_deed(text: str) -> None:
    assert acts(text) == []


THOUGHT = [
    ("I've completed the analysis.", []),
    ("I've created a list of the open points.", []),
    ("The comparison of both plans is finalized.", []),
    ("I've added the milk to your shopping list.", ["create"]),
    ("I've added a reminder to book a table.", ["create"]),
    ("I've added the ingredients for the recipe to Ann's basket.", ["create"]),
]


@pytest.mark.parametrize(("text", "expected"), THOUGHT)
def test_deeds_of_thought(text: str, expected: list[str]) -> None:
    assert acts(text) == expected
