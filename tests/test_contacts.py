"""Contacts that an answer gives as one's own and that stand nowhere."""

from __future__ import annotations

from typing import Any

import pytest

from tests.general import flagged
from tests.transcripts import Ran

FAILED = ("book_room", {"room": "Blue"}, {"error": "try later"})
HOTEL: Ran = ("get_hotel", {}, {"phone": "+51 (1) 234 5678", "mail": "Desk@Hotel.example"})

INVENTED = [
    ("It failed. Our reception can be reached at +51 1 234-5678.", "+51 1 234-5678"),
    ("Our hotline: 0800 5551234, call us.", "0800 5551234"),
    ("Call our desk at +49301234567.", "+49301234567"),
    ("Please call us: (030) 901 820 44", "(030) 901 820 44"),
    ("Schreib an unser Team: hilfe@hotel.example", "hilfe@hotel.example"),
    ("Puedes llamar a nuestra línea: 900 123 456 78", "900 123 456 78"),
]


@pytest.mark.parametrize(("answer", "subject"), INVENTED, ids=[one[1] for one in INVENTED])
def test_a_contact_that_nobody_gave(answer: str, subject: str) -> None:
    assert flagged(answer, [FAILED]) == [f"contacts unsupported {subject}"]


SILENT: list[tuple[str, str, list[Ran], list[Any]]] = [
    ("looked up, spelled otherwise", "Our reception: +51 1 234-5678.", [HOTEL, FAILED], []),
    ("an address in another case", "Write to us at desk@hotel.example.", [HOTEL, FAILED], []),
    (
        "in the system's text",
        "Call us: 030 90182044.",
        [FAILED],
        [{"role": "system", "content": "Phone: 030/90182044"}],
    ),
    ("what anybody may know", "Delta can be reached at 800-221-1212.", [FAILED], []),
    ("a number of an order", "Your order with us has the number 4411-2233-9.", [FAILED], []),
    ("a day", "Our desk opens on 2025-01-17 09:00.", [FAILED], []),
    ("an amount", "Our price is 1 234 567.00 PEN.", [FAILED], []),
    ("a card", "Tell us the last digits, like 4242.", [FAILED], []),
    ("no agent", "Call us at 030 901 820 44.", [], []),
]


@pytest.mark.parametrize(("answer", "ran", "before"), [one[1:] for one in SILENT], ids=[one[0] for one in SILENT])
def test_other_numbers_and_those_that_are_known(answer: str, ran: list[Ran], before: list[Any]) -> None:
    found = flagged(answer, ran, before=before, tools=None if ran else [])
    assert not [one for one in found if one.startswith("contacts ")]
