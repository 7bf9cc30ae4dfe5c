"""What holds in every wire format: bytes pass as they came, what a program reads is not held, footers are cut."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proxy import history
from proxy.footer import Seals
from proxy.wire import Relay, WireFormat, chat, messages, responses
from tests import test_wire_chat, test_wire_messages, test_wire_responses
from tests.relays import CUTS, FOOT, REPORT, Cut, through


class Format(NamedTuple):
    """A format, and the module that has its cases."""

    wire: WireFormat
    cases: Any

    def relay(self, streamed: bool = True, **more: Any) -> Relay:
        return self.wire.relay(self.cases.request(**more), streamed)


FORMATS = {
    "chat": Format(chat, test_wire_chat),
    "messages": Format(messages, test_wire_messages),
    "responses": Format(responses, test_wire_responses),
}
SEALS = Seals((b"k" * 32,))
FOOTER = SEALS.seal("abc123", "Done.", "Words “of” ours.")


def each(name: str) -> pytest.MarkDecorator:
    """A test for every case that the formats have under a name: a list of them, or a table by what they are."""
    rows = []
    for kind, form in FORMATS.items():
        found = getattr(form.cases, name, ())
        named = found.items() if isinstance(found, dict) else [(str(one), one) for one in found]
        rows += [pytest.param(form, case, id=f"{kind}: {told}") for told, case in named]
    return pytest.mark.parametrize(("form", "case"), rows)


every = pytest.mark.parametrize("form", FORMATS.values(), ids=FORMATS)


@pytest.mark.parametrize("cut", CUTS)
@each("PASSED")
def test_without_anything_to_append_no_byte_differs(form: Format, case: bytes, cut: Cut) -> None:
    for pieces in cut(case):
        assert through(form.relay(), pieces, {}) == case


@pytest.mark.parametrize("cut", CUTS)
@each("UNDECORATED")
def test_scenarios_128_and_138_what_may_not_be_decorated_is_not(form: Format, case: bytes, cut: Cut) -> None:
    for pieces in cut(case):
        assert through(form.relay(), pieces, {0: FOOT}, b"{}") == case


@every
@given(st.binary(max_size=300), st.integers(0, 300))
def test_arbitrary_bytes_pass_as_they_are(form: Format, data: bytes, at: int) -> None:
    assert through(form.relay(), [data[:at], data[at:]], {}) == data
    assert through(form.relay(False), [data[:at], data[at:]], {}) == data


@each("PROGRAMS")
def test_what_a_program_reads_is_never_held(form: Format, case: dict[str, Any]) -> None:
    relay, plain = form.relay(**case), form.cases.PASSED["plain"]
    assert relay.feed(plain) == plain
    assert not relay.appendable(0)
    assert [answer.text for answer in relay.answers] == ["Hello 😀."]
    assert through(form.relay(False, **case), [form.cases.BODY], {0: "F"}, b"{}") == form.cases.BODY


@each("PEOPLE")
def test_what_people_read_is_held(form: Format, case: dict[str, Any]) -> None:
    relay = form.relay(**case)
    relay.feed(form.cases.PASSED["plain"])
    assert relay.appendable(0)


@every
def test_a_plain_body_is_edited_at_two_places(form: Format) -> None:
    body = form.cases.BODY
    out = through(form.relay(False), [body], {0: "\n\nF"}, REPORT)
    assert out == body.replace(b'\\u00e9"', b'\\u00e9\\n\\nF"')[:-1] + b',"groundwire":{"id":"r"}}'
    assert through(form.relay(False), [body], {}) == body


@each("CHANGES")
def test_plain_bodies_that_are_not_decorated(form: Format, case: tuple[bytes, bytes]) -> None:
    body = form.cases.BODY.replace(*case)
    assert body != form.cases.BODY
    assert through(form.relay(False), [body], {0: "F"}, b"{}") == body


@each("PLACES")
@pytest.mark.parametrize("ascii_only", [True, False])
def test_scenario_120_our_footers_are_cut_to_the_byte(form: Format, case: Any, ascii_only: bool) -> None:
    plain = json.dumps({"model": "m", **case}, ensure_ascii=ascii_only).replace("@", "").encode()
    marked = json.dumps(FOOTER, ensure_ascii=ascii_only)[1:-1]
    body = json.dumps({"model": "m", **case}, ensure_ascii=ascii_only).replace("@", marked).encode()
    asked = form.wire.read(body)
    list(asked.transcript.messages)
    assert history.clean(body, asked, form.wire, SEALS) == plain
    assert list(asked.transcript.messages) == list(form.wire.read(plain).transcript.messages)


@each("KEPT")
def test_what_is_no_message_s_text_is_left_alone(form: Format, case: Any) -> None:
    body = json.dumps({"model": "m", **case}).replace("@", json.dumps(FOOTER)[1:-1]).encode()
    assert history.clean(body, form.wire.read(body), form.wire, SEALS) == body
