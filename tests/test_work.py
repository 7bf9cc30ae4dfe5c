"""Whether an answer is itself what was ordered."""

from __future__ import annotations

from typing import Any

import pytest

from proxy import ledger
from proxy.ledger import Turn
from proxy.work import Work
from tests.general import flagged, policy
from tests.transcripts import messages, transcript

PLAN = "| Day | Morning |\n|---|---|\n| Mon | Alfama walk |\n| Tue | Tile museum |\n| Wed | Train to Sintra |"
MOVED = "Swapped. The plan now reads:\n\n| Day | Morning |\n|---|---|\n| Mon | Alfama walk |\n| Tue | Train to Sintra |"
LETTER = (
    "Subject: Contract\n\nDear Mr Aldous,\n\nI have sent you the signed contract and paid the deposit.\n\nBest, Niamh"
)
LIST = "Here's your list:\n\n- Chicken thighs\n- Brown rice\n- Greek yoghurt"
TOOLS = [{"type": "function", "function": {"name": name}} for name in ("book_hotel", "send_mail", "add_item")]


def read(raw: list[Any]) -> Turn:
    return ledger.read_turn(transcript(raw, tools=TOOLS), policy().marks)


def said(asked: str, *before: str) -> list[Any]:
    """A conversation without a call: answers that were given before, each to a "Hello.", and the last message."""
    earlier = [one for text in before for one in (("user", "Hello."), ("assistant", text))]
    return [{"role": role, "content": text} for role, text in (*earlier, ("user", asked))]


@pytest.mark.parametrize(
    ("asked", "before", "answer"),
    [
        ("write me a reply: I sent the contract", (), LETTER),
        ("draft a mail to the landlord", (), f"Here's a draft:\n\n{LETTER}"),
        ("make a standup update out of this: merged the PR", (), "**Done**\n- Merged the PR\n\n**Next**\n- Importer"),
        ("swap tuesday and wednesday", (PLAN,), MOVED),
        (
            "put this into French, please turn it into a letter: we closed your file",
            (),
            "« Nous avons clos votre dossier. »",
        ),
        (
            "Make up a call for the trainees",
            (),
            "**Agent:** Hello.\n**Customer:** Twice!\n**Agent:** I've refunded it and sent you an e-mail.\n**Customer:** Oh.",
        ),
        ("add oat milk", (LIST,), "Added oat milk:\n\n- Chicken thighs\n- Brown rice\n- Greek yoghurt\n- Oat milk"),
        ("Post it", (), "Last look before it goes out:\n\n> Closed on Friday.\n\nPosted as you. Post it?"),
        ("Pay the invoice", (), "Debited from the business account, value date today. Please confirm with release."),
    ],
)
def test_what_is_told_in_a_text_or_of_one_that_stands_in_the_answer_is_no_deed(
    asked: str, before: tuple[str, ...], answer: str
) -> None:
    history = said(asked, *before)[:-1]
    assert flagged(answer, user=asked, before=history, tools=TOOLS) == []


@pytest.mark.parametrize(
    ("asked", "before", "answer"),
    [
        ("send the reply to the landlord", (), "I've sent the reply to the landlord."),
        ("draft a mail to the landlord and send it", (), f"I've sent the mail to the landlord:\n\n{LETTER}"),
        ("yes, book it", (PLAN,), f"I've booked the hotel for the trip.\n\n{PLAN}"),
        ("add oat milk", ("Here's a thought.",), "I've added oat milk to your list."),
        (
            "put the milk into my basket",
            (),
            "I've added it:\n\n- Item: oat milk\n- Price: 2.10\n\nI've sent you a mail.",
        ),
        ("send both mails", (), "I've sent both mails.\n\nMail: to Ann\nMail: to Bob"),
    ],
)
def test_a_deed_that_leaves_the_answer_is_one(asked: str, before: tuple[str, ...], answer: str) -> None:
    history = said(asked, *before)[:-1]
    assert flagged(answer, user=asked, before=history, tools=TOOLS) != []


def test_what_a_call_may_have_changed_is_not_only_in_the_answer() -> None:
    called = messages([("add_item", {"name": "rice"}, "ok")], user="add rice")
    later = [{"role": "assistant", "content": LIST}, {"role": "user", "content": "add oat milk"}]
    assert not Work(read([*called, *later]), f"Added it:\n\n{LIST}").again
    assert Work(read(said("add oat milk", LIST)), f"Added it:\n\n{LIST}").again


def test_what_any_two_answers_may_say_is_no_text() -> None:
    courtesy = "Please confirm the details so I can proceed. Let me know if you need anything else."
    assert not Work(read(said("change the address", courtesy)), f"I've changed it. {courtesy}").again
