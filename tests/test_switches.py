"""What is said to be switched on or off, and the field of the result that is called so."""

from __future__ import annotations

from typing import Any

import pytest

from tests.general import flagged
from tests.transcripts import Ran


def record(**result: Any) -> Ran:
    return ("update_record", {"id": "R-5", "host": "h2"}, {"result": {"id": "R-5", "host": "h2", **result}})


OFF = "The record now points at h2, with the proxy switched off."

FIRES: list[tuple[str, str, list[Ran]]] = [
    ("off, and on", OFF, [record(proxied=True)]),
    ("off, and on by a word", OFF, [record(proxy="enabled")]),
    ("beside what could be", OFF, [record(proxied=True, proxiable=True)]),
    ("on, and off", "Your roaming is now enabled.", [("set_line", {"line": "L-5"}, {"roaming_enabled": False})]),
    ("two words", "The auto-renewal has been disabled.", [("set_plan", {"plan": "P-5"}, {"auto_renew": True})]),
    (
        "a word that turns it",
        "The weekly digest is now disabled.",
        [("set_digest", {"id": 7}, {"id": 7, "no_digest": False})],
    ),
]


@pytest.mark.parametrize(("answer", "ran"), [row[1:] for row in FIRES], ids=[row[0] for row in FIRES])
def test_another_state_than_is_told(answer: str, ran: list[Ran]) -> None:
    assert any(one.startswith("switches contradicted") for one in flagged(answer, ran))


SILENT: list[tuple[str, str, list[Ran]]] = [
    ("off", OFF, [record(proxied=False)]),
    ("only what could be", OFF, [record(proxiable=True)]),
    ("no such field", OFF, [record(ttl=1, active=True)]),
    ("two that differ", OFF, [record(proxied=True, old={"proxied": False})]),
    ("a number", OFF, [record(proxy=1)]),
    (
        "still to come",
        "The auto-renewal is now disabled.",
        [("set_plan", {}, {"auto_renew": True, "effective_at": "2025-06-01"})],
    ),
    ("it will be", "The proxy will be switched off.", [record(proxied=True)]),
    ("not yet", "The proxy isn't switched off.", [record(proxied=True)]),
    ("was so", "The record points at h2; previously with the proxy switched off.", [record(proxied=True)]),
    ("a question", "Do you want it with the proxy switched off?", [record(proxied=True)]),
    ("for somebody", "The proxy is disabled for guests.", [record(proxied=True)]),
    (
        "one of several",
        "Your email notifications are now disabled.",
        [("set_prefs", {"email": False}, {"notifications": True, "channels": {"email": False}})],
    ),
    ("a field before", OFF, [record(previous_proxy=True)]),
    ("a wish", OFF, [record(requested_proxy=True)]),
    ("seen later", OFF, [record(proxied=True), ("get_record", {"id": "R-5"}, {"id": "R-5", "proxied": False})]),
    ("a later change", OFF, [record(proxied=True), record(proxied=False)]),
    ("only a look", OFF, [("get_record", {"id": "R-5"}, {"id": "R-5", "proxied": True})]),
    ("quoted", 'The page says: "with the proxy switched off".', [record(proxied=True)]),
    ("hostile", "the a " * 400 + OFF, [record(other=[{"x": True}] * 900)]),
]


@pytest.mark.parametrize(("answer", "ran"), [row[1:] for row in SILENT], ids=[row[0] for row in SILENT])
def test_what_stands_so_is_left_alone(answer: str, ran: list[Ran]) -> None:
    assert [one for one in flagged(answer, ran) if one.startswith("switches")] == []
