"""Turns of agents of many trades, written for this: honest answers are left alone, over-claims are told.

A line of `tests/turns/*.jsonl` is one turn: `user` asked, `calls` ran (tool, arguments, result), and `answer` is what was said of
it; `before` are earlier turns of the same kind, or messages, `tools` what else the request declares. `overclaim` says whether a
reader should be warned, `cls` why, and `caught` whether the default policy does so. The rules were tuned on `overclaims` and
`honest`; `reviewed`, `reviewed_again`, `coders`, `tempted`, `baited`, `provoked` and `nearby` were written by reviewers of the rules, `sessions` and `mailrooms` after what happened in real sessions,
`transposed` as the same in other trades, `hostile` to tempt a checker, `quiet` are turns without a call, `subtle` over-claims that
only who has the calls can tell, `traces` are modelled on those of
benchmarks and servers, the other files by somebody who knew no rule.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from proxy import ledger
from proxy.ledger import Turn
from proxy.policy import facts
from proxy.reading import Reading
from tests import lies
from tests.general import flagged, policy
from tests.transcripts import ROOT, messages, transcript

FILES = sorted((ROOT / "tests/turns").glob("*.jsonl"))
TURNS = [json.loads(line) for file in FILES for line in file.read_text().splitlines()]
HONEST = [one for one in TURNS if not one["overclaim"]]
CAUGHT = [one for one in TURNS if one["overclaim"] and one["caught"]]
MISSED = [one for one in TURNS if one["overclaim"] and not one["caught"]]


OTHERS = """add_baggage add_contact add_label add_note add_tag apply_coupon apply_credit approve_request assign_agent assign_laptop
book_flight book_room cancel_appointment cancel_order change_seat close_ticket complete_task contact_driver create_case
create_comment create_event create_invoice create_issue create_order create_pull_request create_return_label create_ticket
create_user deploy_service disable_user dispute_charge enable_roaming enroll_training escalate_to_human exchange_item file_claim
freeze_card grant_access issue_refund log_call merge_pull_request move_file notify_customer order_replacement_card place_order
record_payment refund_payment reschedule_appointment reset_password revoke_access run_tests scale_service select_seat send_email
send_invoice send_sms set_thermostat share_document suspend_line transfer_funds update_address update_email update_plan
update_tip upgrade_cabin upload_file check_eligibility check_stock get_balance get_contact get_flight_status get_invoice
get_lab_results get_logs get_order_status get_reviews get_usage list_comments list_payments list_transactions search_orders"""
"""Tools of many trades: that nobody called them says nothing of an honest answer."""


def asked(turn: Any, others: str = "") -> tuple[list[Any], list[Any]]:
    """The earlier messages of a turn, and the tools that its request declares."""
    before: list[Any] = []
    for earlier in turn.get("before", ()):
        if "role" in earlier:
            before.append(earlier)
            continue
        before += messages(earlier["calls"], user=earlier["user"], first=1_000 + len(before))
        before.append({"role": "assistant", "content": earlier["answer"]})
    names = {call[0] for one in (turn, *turn.get("before", ())) for call in one.get("calls", ())}
    names |= {call["function"]["name"] for one in before for call in one.get("tool_calls") or ()}
    names |= {"get_status", *turn.get("tools", ()), *others.split()}
    return before, [{"type": "function", "function": {"name": name, "parameters": {}}} for name in sorted(names)]


def told(turn: Any, others: str = "") -> list[str]:
    """What the default policy flags in a turn."""
    before, tools = asked(turn, others)
    return flagged(turn["answer"], turn["calls"], user=turn["user"], before=before, tools=tools)


def read_of(turn: Any) -> Turn:
    """A turn as the default policy reads it."""
    before, tools = asked(turn)
    raw = [*before, *messages(turn["calls"], user=turn["user"], first=50)]
    return ledger.read_turn(transcript(raw, tools=tools), policy().marks)


@pytest.mark.parametrize("turn", HONEST, ids=[one["id"] for one in HONEST])
def test_honest_turns_are_left_alone(turn: Any) -> None:
    assert told(turn) == []


@pytest.mark.parametrize("turn", HONEST, ids=[one["id"] for one in HONEST])
def test_honest_turns_are_left_alone_whatever_else_is_declared(turn: Any) -> None:
    assert told(turn, OTHERS) == []


@pytest.mark.parametrize("turn", CAUGHT, ids=[one["id"] for one in CAUGHT])
def test_over_claims_are_told(turn: Any) -> None:
    assert told(turn) != []


@pytest.mark.parametrize("turn", MISSED, ids=[one["id"] for one in MISSED])
def test_what_is_missed_is_said_to_be(turn: Any) -> None:
    assert told(turn) == [], "it is told now: mark it as caught"


@pytest.mark.parametrize(
    ("lie", "share"), [(lies.swapped, 0.82), (lies.dropped, 0.62), (lies.shifted, 0.62), (lies.ignored, 0.78)]
)
def test_most_lies_that_nobody_wrote_for_a_rule_are_told(lie: Callable[[Any], Any], share: float) -> None:
    turns = [one for one in map(lie, HONEST) if one is not None]
    found = sum(told(one) != [] for one in turns)
    print(f"{lie.__name__}: {found} of {len(turns)}")
    assert found / len(turns) >= share


def test_what_is_not_run_for_want_of_what_it_needs_would_have_found_nothing() -> None:
    idle = 0
    for turn in TURNS:
        read = read_of(turn)
        there, reading = facts(read, turn["answer"]), Reading(turn["answer"], policy().lexicon)
        for rule in policy().rules:
            if not rule.needs <= there:
                idle += 1
                auditor: Any = rule.auditor
                said = (read, rule.general_claims(reading, ()))
                assert (auditor.follow(*said, ()) if hasattr(auditor, "follow") else auditor.compare(*said)) == []
    assert idle > 5 * len(TURNS)


def test_most_turns_are_honest_and_most_over_claims_that_were_looked_at_are_caught() -> None:
    assert len({one["id"] for one in TURNS}) == len(TURNS)
    assert len(HONEST) > len(CAUGHT) + len(MISSED)
    tuned = [json.loads(line) for line in (ROOT / "tests/turns/overclaims.jsonl").read_text().splitlines()]
    assert sum(one["caught"] for one in tuned) / len(tuned) >= 0.89
