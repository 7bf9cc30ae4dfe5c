"""What calls and results say of a deed."""

from __future__ import annotations

from typing import Any

import pytest

from proxy import deeds
from proxy.claims import Claim
from proxy.results import Result
from tests.general import turn_of

SENT = Claim("action", "SIC-4", "asserted", "send", fields={"verb": "sen", "stems": "send sent post let"})


@pytest.mark.parametrize(
    ("name", "result", "told"),
    [
        ("send_mail", "ok", True),
        ("relayMail", {"emailSent": True}, True),
        ("create_referral", {"state": "draft"}, False),
        ("create_referral", {"note": "a complete one"}, False),
        ("create_deposit", {"state": "open"}, False),
    ],
)
def test_a_call_can_be_a_deed_by_its_own_words(name: str, result: Any, told: bool) -> None:
    assert deeds.tells(turn_of((name, {}, result)).calls[0], SENT) is told


@pytest.mark.parametrize(
    ("name", "only"),
    [
        ("mail_send", True),
        ("smsSenden", True),
        ("conv_reply", True),
        ("slack.dm", True),
        ("update_email", False),
        ("delete_message", False),
        ("create_note", False),
        ("send_money", False),
        ("refund_create", False),
    ],
)
def test_what_only_tells_somebody_is_a_notice(name: str, only: bool) -> None:
    assert deeds.notices(turn_of((name, {}, "ok")).calls[0]) is only


def test_a_broad_act_is_told_by_any_call() -> None:
    assert deeds.tells(turn_of(("create_order", {}, "ok")).calls[0], Claim("action", "", "asserted", "handle"))


@pytest.mark.parametrize(
    ("text", "done", "found"),
    [
        ("it was adjusted", False, True),
        ("it was adjusted", True, True),
        ("please adjust it", False, True),
        ("please adjust it", True, False),
        ("an adjustment", False, False),
        ("nothing", False, False),
    ],
)
def test_forms_of_a_verb(text: str, done: bool, found: bool) -> None:
    assert deeds.has_form(text, ["adjust"], done=done) is found


def test_states_are_short_texts_and_moments() -> None:
    told = Result('{"status": "Active", "refunded_at": "2025-01-17", "void_at": null, "note": "' + "x" * 100 + '"}')
    assert list(deeds.states(told)) == ["active", "2025-01-17", "refunded_at"]
    assert list(deeds.states(Result("All Done"))) == ["all done"]


def test_a_thing_is_named_with_and_without_its_sign() -> None:
    call = turn_of(("cancel_order", {"order": "W-42"}, {"status": "cancelled"})).calls[0]
    assert [deeds.names(call, one) for one in ("#W-42", "W-42", "W-43")] == [True, True, False]
    assert list(deeds.named_texts(call)) == [("status", "cancelled")]
