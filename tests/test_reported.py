"""What a user said of his own things, said back by an answer."""

from __future__ import annotations

import pytest

from proxy import ledger
from proxy.reported import reported
from tests.general import policy
from tests.transcripts import transcript

STATUS = "I did both.\n- Airplane Mode: OFF\n- Cellular Connection: connected\nWhat next?"

SAID = [
    ("Cellular connection: connected", "connected", STATUS, True),
    (" cellular service is connected", "is connected", STATUS, True),
    ("Airplane Mode is OFF", "", STATUS, True),
    ("Your line is suspended", "is suspended", STATUS, False),
    ("Order 12 is cancelled", "is cancelled", "Please cancel order 12", False),
    ("Order 12 is cancelled", "is cancelled", "I want order 12 cancelled", False),
    ("Order 12 is cancelled", "is cancelled", "Is order 12 cancelled?", False),
    ("Your order is cancelled", "is cancelled", "Your order is cancelled", False),
    ("The flight has been booked", "booked", "The flight has been successfully booked", False),
    ("Airplane Mode is OFF", "", "Set airplane mode off", False),
    ("", "", STATUS, False),
]


@pytest.mark.parametrize(("part", "verb", "asked", "is_so"), SAID)
def test_what_a_user_said_and_did_not_order(part: str, verb: str, asked: str, is_so: bool) -> None:
    turn = ledger.read_turn(transcript([{"role": "user", "content": asked}]), policy().marks)
    assert reported(part, verb, turn) is is_so


def test_an_earlier_message_counts_as_well() -> None:
    raw = [
        {"role": "user", "content": STATUS},
        {"role": "assistant", "content": "Please run a speed test."},
        {"role": "user", "content": "200 Mbps"},
    ]
    turn = ledger.read_turn(transcript(raw), policy().marks)
    assert reported("Cellular connection: connected", "connected", turn)
