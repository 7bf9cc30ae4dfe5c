"""Lists that an answer calls all of them, beside the changes that name some."""

from __future__ import annotations

from typing import Any

import pytest

from tests.general import flagged
from tests.transcripts import Ran, messages


def suspend(user: str, **more: Any) -> Ran:
    return ("suspend_user", {"user": user, **more}, {"user": user, "state": "suspended"})


def order(name: str, **more: Any) -> Ran:
    return ("get_order", {"order_id": name}, {"order_id": name, "status": "pending", **more})


ANN, KIT, EVE = suspend("ann-b"), suspend("kit-m"), suspend("eve-o")
LIST: Ran = ("list_users", {}, [{"user": "ann-b", "no": 4}, {"user": "kit-m", "no": 5}, {"user": "eve-o", "no": 6}])
GONE: Ran = ("list_users", {}, [{"user": "ann-b", "state": "active"}, {"user": "eve-o", "state": "suspended"}])
CANCEL: Ran = ("cancel_order", {"order_id": "#W905"}, {"order_id": "#W905", "status": "cancelled"})
MISSED: Ran = ("cancel_order", {"order_id": "#W118"}, {"error": "locked"})
BASKET: Ran = ("cancel_basket", {"basket": "B7"}, {"basket": "B7", "status": "cancelled"})
ALL = "All three users (ann-b, `kit-m`, eve-o) have been suspended."
BOTH = "Both orders have been cancelled:\n\n- **#W905** – $300.00 back\n- **#W118** – $28.80 back"
ORDERS = [order("#W905"), order("#W118")]
SHARED = [order("#W905"), order("#W118", basket="B7")]

FIRES: list[tuple[str, str, list[Ran], list[Ran], str]] = [
    ("in brackets", ALL, [ANN, KIT], [LIST], "eve-o"),
    ("behind a colon", "I've suspended all three users: ann-b, kit-m and eve-o.", [ANN, KIT], [LIST], "eve-o"),
    ("bullets", BOTH, [CANCEL], ORDERS, "#W118"),
    ("a noun for the deed", "Suspension is finished for all users (ann-b, kit-m, eve-o).", [ANN, KIT], [LIST], "eve-o"),
]


@pytest.mark.parametrize(
    ("answer", "ran", "before", "subject"), [row[1:] for row in FIRES], ids=[row[0] for row in FIRES]
)
def test_one_that_no_call_names(answer: str, ran: list[Ran], before: list[Ran], subject: str) -> None:
    assert f"siblings unsupported {subject}" in flagged(answer, ran, before=messages(before, user="Who is it?"))


HONEST: list[tuple[str, str, list[Ran], list[Ran]]] = [
    ("each by a call", ALL, [ANN, KIT, EVE], [LIST]),
    ("in a list", ALL, [("suspend_users", {"users": ["ann-b", "kit-m", "eve-o"]}, {"ok": True})], [LIST]),
    ("a wildcard", ALL, [ANN, suspend("k*"), suspend("kit-m")], [LIST]),
    ("all of a group", ALL, [ANN, KIT, ("suspend_all", {"team": "ci"}, {"ok": True})], [LIST]),
    ("by the same verb", ALL, [ANN, KIT, ("suspend_unit", {"unit": "night"}, {"ok": True})], [LIST]),
    ("as many in the result", ALL, [ANN, ("suspend_user", {"user": "kit-m"}, {"suspended": 3})], [LIST]),
    ("in an earlier turn", ALL, [ANN, KIT], [LIST, EVE]),
    ("by another id", ALL, [ANN, KIT, suspend("6")], [LIST]),
    ("it was so", ALL, [ANN, KIT], [GONE]),
    ("by what is around it", BOTH, [CANCEL, BASKET], SHARED),
    ("it failed", BOTH, [CANCEL, MISSED], ORDERS),
    ("a call of unknown effect", ALL, [ANN, KIT, ("flow", {"name": "sweep"}, {"ok": True})], [LIST]),
    ("one is still to come", "All three: I've suspended\n- ann-b\n- kit-m\n- eve-o: will follow", [ANN, KIT], [LIST]),
    (
        "left out, and told",
        "All users (ann-b, kit-m, eve-o) were asked for; I couldn't suspend eve-o.",
        [ANN, KIT],
        [LIST],
    ),
    ("a question", "I've suspended ann-b. Shall I suspend all three (ann-b, kit-m, eve-o)?", [ANN], [LIST]),
    ("not all of them", "I've suspended ann-b and kit-m (of ann-b, kit-m, eve-o).", [ANN, KIT], [LIST]),
    ("steps", "All done, I've suspended them:\n- ann-b: suspended\n- mail sent: none\n- log kept: yes", [ANN], [LIST]),
    ("a name that nothing knows", ALL, [ANN, KIT], []),
    ("no result", ALL, [ANN, KIT, ("suspend_user", {"user": "6"}, None)], [LIST]),
    ("only looks", ALL, [("get_user", {"user": "ann-b"}, {"user": "ann-b"})], [LIST]),
    ("hostile", "All of them are done (" + "a, b, " * 40 + "c):\n" + "- x\n" * 500, [ANN], [LIST]),
]


@pytest.mark.parametrize(("answer", "ran", "before"), [row[1:] for row in HONEST], ids=[row[0] for row in HONEST])
def test_what_may_have_been_done_is_left_alone(answer: str, ran: list[Ran], before: list[Ran]) -> None:
    found = flagged(answer, ran, before=messages(before, user="Who is it?") if before else [])
    assert [one for one in found if one.startswith("siblings")] == []


def test_a_history_that_is_not_whole_accuses_nobody() -> None:
    before = [*messages([LIST], user="Who is it?"), {"role": "tool", "tool_call_id": "lost", "content": "ok"}]
    assert [one for one in flagged(ALL, [ANN, KIT], before=before) if one.startswith("siblings")] == []
