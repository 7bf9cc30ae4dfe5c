"""A tool that answered OK may have done something else: what it returns must show what it was asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain, islice
from math import isfinite
from typing import Any, ClassVar

from proxy.audit import Finding
from proxy.auditors.exchanges import CODED, NEW, by_itself, not_exchanged
from proxy.auditors.states import STATE
from proxy.claims import Claim, compared_text
from proxy.figures import clocks, sentence_around
from proxy.ledger import Call, Turn
from proxy.patterns import Names, expression
from proxy.results import objects
from proxy.roots import name_roots
from proxy.spelling import ID, SMALL, TIME

IDENTITY = Names(
    r"(?:^|_)(?:id|ids|key|code|number|no|ref|reference|slug|email|path|uuid|url|name|sku|isbn|iban|vin|pnr)$|Id$|ID$|Key$"
)
"""Names of fields that say which thing is meant."""
TELLS = Names(
    r"(?i)send|notif|mail|message|remind|print|share|comment|note|forward|ping|call|log|sync|refresh|confirm|invite|post"
)
"""Tools that tell somebody of a thing and leave it as it is."""
WRITTEN = Names(
    r"(?i)^(?:ok|success|succeeded|code|message|msg|response|result|rev|revision|version|etag|job|trace_?id|request_?id|ts|timestamp)$"
    r"|(?:updated|modified|changed|processed|saved|edited|written|last)_?(?:at|on|by)?$|(?-i:[a-z](?:At|On|By)$)"
)
"""Names of what a record has of its having been written, not of what was to be."""
LEAST = 4
"""Fields by which two records are known to be one."""
REGRETS = re.compile(r"(?i)\b(?:afraid|sorry|unfortunately|leider|lamento|lamentablemente|malheureusement|désolée?)\b")
"""Words by which a sentence says that something is not as it was wanted."""
NOISE = re.compile(r"[^\w#@.:/-]+|[.:](?=\s|$)")
NUMBERED = re.compile(r"(?i)line(?:_?(?:no|number))?|row|position|index|item_?no")
"""Names of fields that count the entries of a list."""
ZONED = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d[\d:.]*(?:Z|[+-]\d\d:\d\d)", re.A)
BETWEEN, NUMBER = re.compile(r"[\s_-]+"), re.compile(r"-?\d{1,15}(?:\.\d+)?")
SHORT, HALF_DAY = 24, 720
"""Code points of a text that is a time of day, and minutes after which a clock of twelve hours shows the same again."""
RUN_TOGETHER = re.compile(r"([01]\d|2[0-3])h?([0-5]\d)")
CODE = 3
"""Letters of a code at most that stands for a name."""
READ = 4_000
"""Code points of a user's message that is read."""
CURRENCY = ("currency", "ccy", "cur", "currencyCode", "currency_code")
MONEY = re.compile(
    r"(?i)amount|price|total|cost|fee|^value$|debited|charged|credited|paid$|^(?:usd|eur|gbp|chf|cents)$"
)
"""Names of fields that say in which currency an amount is, and of those that hold one; a quantity, which may add up with what
was there before, says nothing."""


@dataclass(frozen=True, slots=True)
class Effects:
    """Compare what a change was asked to set with what its result shows, and with what the thing was before.

    Told is only what the tools themselves show: a field that was asked for, is in the result, and is as it was before; a
    result that is the very record that was read before the call; and a call that put a thing in its own place. Silent
    where the answer admits a failure, where a later look shows the change, where everything was so before, and where the
    answer tells itself in which state it still is; `still` is an expression for sentences that do. Words of success count
    as deeds ("You're all set!") in answers in which `doubts` finds nothing that is still to come, or in trouble.
    """

    still: str = ""
    doubts: str = ""

    reads: ClassVar[frozenset[str]] = frozenset({"action", "success", "text"})
    needs: ClassVar[frozenset[str]] = frozenset({"change"})

    def compare(self, turn: Turn, claims: Sequence[Claim]) -> list[Finding]:
        said = [one for one in claims if one.kind == "action" and one.stance == "asserted" and not _later_on(one)]
        done = [claim for claim in claims if claim.kind == "success" and claim.stance == "asserted"]
        text = compared_text(claims)
        if not (said or done) or not text:
            return []
        findings = []
        for call in turn.landed_changes():
            record = _record(call)
            itself = by_itself(call, f"{text}\n{turn.asked[:READ]}") or not_exchanged(call)
            claim = about(call, said) or self._success(done, text)
            if not (record or itself) or (claim is None and not said):
                continue
            reason = "" if claim is None else itself or ("" if turn.is_far_back(call) else _against(call, record, turn))
            reason = reason or _other_amount(call, record, text) or _other_number(call, text)
            claim = claim or said[0]  # an amount that the answer states is told, in whatever words
            if reason and not self._tells(call, record, text):
                findings.append(Finding("contradicted", subject_of(call), reason, claim.quote, call.id))
        return findings

    def _success(self, done: Sequence[Claim], text: str) -> Claim | None:
        """Words of success, where the answer has none of trouble or of another time."""
        return done[0] if done and not (self.doubts and expression(self.doubts).search(text)) else None

    def _tells(self, call: Call, record: Mapping[str, Any], text: str) -> bool:
        """Whether an answer says that something still is as the result has it: "it still shows as Suspended"."""
        places = list(expression(self.still).finditer(text)) if self.still else []
        told = [(name, _plain(value)) for name, value in _scalars(record) if len(str(value)) >= 3]
        for place in places:
            sentence = f" {_plain(NOISE.sub(' ', sentence_around(text, *place.span())))} "
            sorry = REGRETS.search(sentence) is not None  # else another thing may be meant, which was to stay as it is
            own = (value for name, value in told if STATE.search(name) or (sorry and name in call.arguments))
            if any(f" {value} " in sentence for value in own):
                return True
        return False


def _later_on(claim: Claim) -> bool:
    """Whether a deed is told as one of another day: "your switch is scheduled for March"."""
    return claim.fields.get("verb", "").startswith("schedul") and "state" in claim.fields


def _record(call: Call) -> Mapping[str, Any]:
    """The object that a call returned, out of its wrapper; empty where it returned none."""
    value = call.result_value
    if not isinstance(value, dict):
        return {}
    inner = call.result.inside if call.result is not None else {}
    held = [one for one in value.values() if isinstance(one, dict) and one]
    if not inner and len(held) == 1 and not any(isinstance(one, list) for one in value.values()) and len(value) <= 2:
        inner = held[0]  # {"ticket": {…}}, {"success": true, "issue": {…}}
    return inner or value


def _flat(value: Mapping[str, Any]) -> dict[str, Any]:
    """The plain values of an object and of those in it, by name; without names that stand for several values."""
    found: dict[str, Any] = {}
    twice: set[str] = set()
    for key, one in _scalars(value):
        twice |= {key} if key in found and differ(found[key], one) else set()
        found[key] = one
    return {key: one for key, one in found.items() if key not in twice}


def _against(call: Call, record: Mapping[str, Any], turn: Turn) -> str:
    """What speaks against a call's having done what it was asked for; empty where nothing does."""
    after, given = _flat(record), _flat(call.arguments)
    names = {
        value for key, value in _scalars(call.arguments) if IDENTITY.search(key) or _is_its_thing(key, value, call)
    }
    asked = {key: value for key, value in given.items() if key in after and value not in names}
    asked |= {bare: value for key, value in given.items() if (bare := NEW.sub("", key)) != key and bare in after}
    changes = turn.nature(call) == "change" and not TELLS.search(call.name)
    if asked and all(isinstance(one, str) and ID.fullmatch(one) for one in asked.values()):
        told = _plain(call.result_text)
        if any(key not in after and _plain(value) not in told for key, value in given.items()):
            asked = {key: value for key, value in asked.items() if differ(value, after[key])}  # they say which is meant
    against = any(differ(value, after[key]) for key, value in asked.items()) if asked else changes
    before = _before(call, record, turn) if against else None
    if before is None:
        return ""
    was = _flat(before)
    shown = {_plain(value) for key, value in after.items() if key not in asked}
    for key, value in asked.items():
        got = after[key]
        as_before = key in was and not differ(was[key], got)
        elsewhere = _plain(value) in shown  # "plan": "basic", "next_plan": "pro"
        if differ(value, got) and as_before and not elsewhere and not _later(call, key, value, turn):
            return f"asked for {key} {_shown(value)}, and the result still has {_shown(got)}"
    unchanged = _is_as_before(record, before) and not any(not differ(value, after[key]) for key, value in asked.items())
    if unchanged and changes and not any(True for _ in _same_later(call, record, turn)):
        return "the result is what was there before the call"
    return ""


def _is_its_thing(key: str, value: Any, call: Call) -> bool:
    """Whether an argument says which thing is meant, by the tool's own noun: `order` of `orders__return_all`."""
    own = not isinstance(value, bool) and name_roots(key) <= name_roots(call.name)
    return own and (isinstance(value, int) or ID.fullmatch(str(value)) is not None)


def _is_as_before(record: Mapping[str, Any], before: Mapping[str, Any]) -> bool:
    """Whether a record is the very one that was read before, but for the marks of its being written."""
    if record == before:
        return True
    kept = {key: value for key, value in before.items() if not WRITTEN.search(key)}
    new = [key for key in record if key not in before and not WRITTEN.search(key)]
    return len(kept) >= LEAST and not new and all(key in record and record[key] == value for key, value in kept.items())


def _other_amount(call: Call, record: Mapping[str, Any], text: str) -> str:
    """Whether an amount that was asked for, and that the answer states, is another one in the same entry of the result."""
    for item in objects(call.arguments):
        asked = None if item is call.arguments else _amount(item)
        coded = (one for key, one in item.items() if IDENTITY.search(key) or ID.fullmatch(str(one)))
        names = {one for one in coded if isinstance(one, str)}
        if asked is None or not names or not _stated(asked[1], text):
            continue
        twins = [one for one in objects(record) if not names.isdisjoint(map(str, one.values()))]
        twins = [one for one in twins if all(str(one.get(name, "")) in call.raw for name in CURRENCY)]  # no other one
        got = [amount for one in twins if (amount := _amount(one)) is not None]
        same = (asked[1], asked[1] * 100, asked[1] / 100)  # cents
        if got and not any(value in same or _stated(value, text) for _, value in got):
            return f"asked for {asked[0]} {_shown(f'{asked[1]:g}')}, and the result has {_shown(f'{got[-1][1]:g}')}"
    return ""


def _amount(item: Mapping[str, Any]) -> tuple[str, float] | None:
    """The one amount of money in an entry, by its name; None where there is none, or several."""
    found = [(key, value) for key, one in item.items() if MONEY.search(key) and (value := number_of(one)) is not None]
    return found[0] if len(found) == 1 else None


def number_of(value: Any) -> float | None:
    """A plain value as a number, also one that is written as a text: "12.50"; None for what is none."""
    if isinstance(value, bool):
        return None
    try:
        number = float(value) if isinstance(value, (int, float, str)) else None
    except (ValueError, OverflowError):
        return None
    return number if number is not None and isfinite(number) else None


def _other_number(call: Call, text: str) -> str:
    """Whether an entry of a list was given a number that the answer states, and the result's entry of it has another one."""
    for value in call.arguments.values():
        for item in value if isinstance(value, list) else ():
            known = list(_named(item)) if isinstance(item, dict) else []
            for key, asked in item.items() if len(known) == 1 else ():
                if isinstance(asked, bool) or not isinstance(asked, (int, float)) or key == known[0][0]:
                    continue
                twins = [one for one in objects(call.result_value) if key in one and _is_twin(one, *known[0])]
                got = twins[0][key] if len(twins) == 1 else asked
                if isinstance(got, (int, float)) and differ(asked, got) and _stated(asked, text):
                    return f"asked for {key} {_shown(asked)} of {known[0][1]}, and the result has {_shown(got)}"
    return ""


def _named(item: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The fields by which an entry says which thing it is: a code, or the number of a line."""
    for key, value in item.items():
        coded = isinstance(value, str) and CODED.fullmatch(value) is not None
        if coded or (isinstance(value, int) and NUMBERED.fullmatch(key)):
            yield key, value


def _is_twin(entry: Mapping[str, Any], key: str, value: Any) -> bool:
    """Whether an entry of a result is the one that a code, whatever its field is called, or the number of a line names."""
    if isinstance(value, str):
        return any(value == one or (isinstance(one, list) and value in one) for one in entry.values())
    return bool(entry.get(key) == value)


def _stated(number: float, text: str) -> bool:
    """Whether an answer has a number; a small one only as a count of something: "1 × Pad Thai"."""
    plain = re.escape(f"{number:g}")
    small = r"\s?[×x]\s" if abs(number) <= SMALL else r"(?:\.0+)?(?![\d.,]*\d)"
    return re.search(rf"(?<![\d.]){plain}{small}", text.replace(",", "")) is not None


def _before(call: Call, record: Mapping[str, Any], turn: Turn) -> Mapping[str, Any] | None:
    """The same thing as the last result before the call showed it."""
    identity = dict(_identity(call.arguments, record))
    if not identity:
        return None
    named = [str(value) for value in identity.values()]
    for other in turn.recent(call):
        if other.result is None or not any(value in other.result.text for value in named):
            continue
        for one in chain((_record(other),), objects(other.result.value)):
            same = all(_same(one, *pair) for pair in identity.items())
            if same and len(one.keys() & record.keys()) * 2 > len(record) and other.outcome == "landed":
                return one
    return None


def _identity(arguments: Mapping[str, Any], record: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The fields of a record that say which thing it is: those by which a call asked for it."""
    for key, value in _scalars(arguments):
        if IDENTITY.search(key) and _same(record, key, value):
            yield key, value
        elif IDENTITY.search(key) and _same(record, "id", value):
            yield "id", value  # `ticket_id` of the call is `id` of the ticket
        elif isinstance(value, str) and len(value) <= 80 and _same(record, key, value):
            yield key, value


def _same_later(call: Call, record: Mapping[str, Any], turn: Turn) -> Iterator[Call]:
    """Later calls whose result shows the same thing otherwise."""
    ids = [(key, value) for key, value in record.items() if IDENTITY.search(key) and isinstance(value, str)]
    for other in turn.after(call):
        seen = _record(other)
        if ids and all(_same(seen, *one) for one in ids[:1]) and seen != record:
            yield other


def _later(call: Call, key: str, value: Any, turn: Turn) -> bool:
    """Whether a later result in the turn shows the value that was asked for."""
    return any(key in (seen := _record(other)) and not differ(value, seen[key]) for other in turn.after(call))


def about(call: Call, claims: Sequence[Claim]) -> Claim | None:
    """The first claim that can be about a call: it names what the call names, or nothing, in words that fit."""
    text = f"{call.name} {call.raw}".lower()
    for claim in claims:
        subject = claim.subject.lower().lstrip("#")
        named = not subject or subject in text or call.names(subject)
        stems = claim.fields.get("stems", "").split()
        if named and (not stems or any(stem in text for stem in stems)):
            return claim
    return None


def subject_of(call: Call) -> str:
    """What the call is about: its first identifying argument, else its tool."""
    named = (str(value) for key, value in _scalars(call.arguments) if IDENTITY.search(key))
    return next(named, call.name)


def _scalars(value: Mapping[str, Any], depth: int = 2) -> Iterator[tuple[str, Any]]:
    """The plain values of an object by name, those of objects inside it too."""
    for key, inner in value.items():
        if isinstance(inner, dict) and depth:
            yield from _scalars(inner, depth - 1)
        elif isinstance(inner, (str, int, float)) and inner != "":
            yield key, inner


def _same(record: Mapping[str, Any], key: str, value: Any) -> bool:
    return key in record and not differ(record[key], value)


def differ(one: Any, other: Any) -> bool:
    """Whether two plain values are surely not the same; what one of them does not tell is no difference."""
    if one is None or other is None or isinstance(one, (dict, list)) or isinstance(other, (dict, list)):
        return False
    if isinstance(one, str) and isinstance(other, str):
        if is_code(one, other) or is_code(other, one):
            return False
        if (times := _times(one, other)) is not None:
            return len(times) == 2
    return not (isinstance(one, str) and one == other) and _plain(one) != _plain(other)


def _times(one: str, other: str) -> set[int] | None:
    """The minutes on a clock of twelve hours of two times of day, one of them in people's spelling; empty where one has a zone.

    None where neither is a plain time, or both are.
    """
    if (TIME.fullmatch(one) is None) == (TIME.fullmatch(other) is None):
        return None
    plain, told = (one, other) if TIME.fullmatch(one) else (other, one)
    if len(told) > SHORT or ZONED.fullmatch(told) or told[-6:-5] in ("+", "-"):
        return set()
    run_together = RUN_TOGETHER.fullmatch(told)
    said = f"{run_together[1]}:{run_together[2]}" if run_together else told
    return {minute % HALF_DAY for text in (plain[:5], said) for _, _, minute in islice(clocks(text), 1)}


def is_code(short: str, long: str) -> bool:
    """Whether a text may be a code for another one: `Y` for economy, `CET` for Europe/Berlin."""
    return len(short) <= CODE and short.isupper() and len(long) > CODE and not long.isupper()


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (int, float)):
        return f"{float(value):g}"
    if ZONED.fullmatch(str(value)) and (moment := instant(str(value))) is not None:
        return str(moment.timestamp())
    text = BETWEEN.sub(" ", str(value)).strip().strip("#").casefold()
    text = {"true": "yes", "false": "no"}.get(text, text)
    return f"{float(text):g}" if NUMBER.fullmatch(text) else text


def instant(moment: str) -> datetime | None:
    """A moment in a zone; None where there is no such day, hour or zone."""
    try:
        return datetime.fromisoformat(moment)
    except ValueError:
        return None


def _shown(value: Any) -> str:
    text = str(value)
    return f"'{text[:60]}'"
