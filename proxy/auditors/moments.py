"""Days and times of day that a call was given, and that its result has otherwise, or only for later."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

from proxy.auditors.asked import ARGUED, MOST, ZONED, Asked, arguments, shown_in
from proxy.dates import Date, mentions
from proxy.ledger import Call, Turn
from proxy.patterns import Names
from proxy.results import objects, strings
from proxy.spelling import MOMENT, TIME, plain

FAR = 4
"""Days by which a day is surely another one."""
NAMED = 5
"""Code points of a name by which an answer calls what is to come."""
READ, LOOKS = 2_000, 20
"""Code points of a message in which days are looked for, and looks before a call that may have been about one."""
STARTS = Names(
    r"(?i)^(?:starts?|begins?|at|when|time|date_?time|slot|appointment|scheduled_?(?:at|for))(?:_?(?:at|time|date))?$"
)
"""Names of fields that say when something begins."""
DAYS = re.compile(r"(?i)(?:date|day|when|(?:start|visit|appointment|booking|arrival)_?(?:date|day))")
"""Names of arguments for the day on which something is to begin."""
BEGINS = Names(
    r"(?i)^(?:starts?|begins?|from|valid_?from|effective|since|move_?in|first_?(?:day|due|payment))(?:_?(?:at|on|date|day|from))?$"
)
"""Names of fields that say from which day on something is."""
TO_BE = re.compile(
    r"(?i)scheduled|pending|upcoming_?(?:change|plan|tariff)|future|(?:^|_)next_?(?:plan|change|tariff|tier|package|subscription)"
)
"""Names of objects that say what will be, and is not yet."""


def begun(call: Call) -> Iterator[tuple[Asked, str]]:
    """The day from which something was to be, where the one such day of the result is another one: `valid_from`."""
    given = [one for one in _given(call) if _is_beginning(one.name, one.value)]
    there = {one.value for one in shown_in(call.result_value)[:MOST] if _is_beginning(one.name, one.value)}
    if len(given) == 1 and len(there) == 1 and given[0].value[:10] not in call.result_text:
        yield given[0], there.pop()


def clocked(call: Call) -> Iterator[tuple[Asked, str]]:
    """The time of day that a call was given beside a day, where the one moment of that day in its result is another one."""
    given = [one for one in _given(call) if isinstance(one.value, str)]
    times = [one for one in given if TIME.fullmatch(one.value)]
    days = {one.value for one in given if len(one.value) == 10 and MOMENT.fullmatch(one.value)}
    zoned = any(ZONED.search(one.value) for one in shown_in(call.result_value)[:MOST] if isinstance(one.value, str))
    if len(times) != 1 or len(days) != 1 or zoned:
        return
    begun = {
        one.value[11:16]
        for one in shown_in(call.result_value)[:MOST]
        if isinstance(one.value, str)
        and STARTS.search(one.name)
        and MOMENT.fullmatch(one.value)
        and one.value[:10] in days
    }
    asked = times[0]
    if len(begun) == 1 and not any(clock in call.result_text for clock in (asked.value[:5], f"T{asked.value[:5]}")):
        yield asked, begun.pop()


def dated(call: Call) -> Iterator[tuple[Asked, str]]:
    """The moment that a call was given, where its result begins at another day by the same clock, or at another time of it."""
    given = [one for one in _given(call) if _has_time(one.value)]
    shown = shown_in(call.result_value)[:MOST]
    there = [one.value for one in shown if STARTS.search(one.name) and _has_time(one.value)]
    if len({one.value for one in given}) != 1 or len(set(there)) != 1:
        return
    asked, got = given[0], there[0]
    same = asked.value[:10] == got[:10], asked.value[11:16] == got[11:16]
    zoned = ZONED.search(asked.value) or ZONED.search(got)
    if asked.value[:16] not in call.result_text and (same == (False, True) or (same == (True, False) and not zoned)):
        yield asked, got


def told_day(call: Call, turn: Turn, text: str) -> tuple[Asked, str, int] | None:
    """The one day that a call was given and its result has, where an answer tells another one alone that was asked for.

    With the other day, and where the answer has it. Asked for is what the user has told, or what a look was given.
    """
    given = [one for one in _given(call) if _is_moment(one.value)]
    if len({one.value[:10] for one in given}) != 1 or given[0].value[:10] not in call.result_text:
        return None
    told = [one for one in mentions(text) if one.dates]
    days = {_of_year(date) for one in told for date in one.dates}
    if len(days) != 1 or given[0].value[4:10] in days:
        return None
    day = days.pop()
    if abs(_place(day) - _place(given[0].value[4:10])) < FAR:
        return None  # another zone's day, or a bank's
    looks = (other.raw for other in turn.calls_before(call) if turn.nature(other) == "read")
    asked = any(_of_year(date) == day for one in mentions(turn.request(READ)) for date in one.dates)
    known = asked or any(day in raw for raw in islice(looks, LOOKS))
    shown = any(day in f"{other.raw}{other.result_text}" for other in (call, *turn.after(call)))
    return (given[0], day[1:], told[0].start) if known and not shown else None


def days_apart(call: Call) -> Iterator[tuple[Asked, str]]:
    """The one day on which something was to begin, where the one moment at which its result begins is on a day far from it."""
    given = [one for one in _given(call) if DAYS.fullmatch(one.name) and _is_day(one.value)]
    there = {one.value for one in shown_in(call.said_value)[:MOST] if STARTS.search(one.name) and _has_time(one.value)}
    if len({one.value for one in given}) != 1 or len(there) != 1 or ZONED.search(min(there)):
        return
    asked, got = given[0], there.pop()
    near = abs(_place(asked.value[4:10]) - _place(got[4:10])) < 2
    days = {_of_year(date) for one in mentions(call.result_text[:READ]) for date in one.dates}
    if not near and asked.value[4:10] not in days and asked.value not in call.result_text:
        yield asked, got


def deferred(call: Call) -> Iterator[tuple[Asked, str, list[str]]]:
    """What a call was given that its result has only in what is to come, the day from which it will be so, and its names.

    {"plan": {"id": "S"}, "scheduled_change": {"plan": {"id": "L"}, "effective_from": "2025-07-04"}}
    """
    value = call.said_value
    plans = [
        one[name]
        for one in islice(objects(value, 2), MOST)
        for name in one
        if TO_BE.search(name) and isinstance(one[name], dict)
    ]
    days = {told for plan in plans for told in strings(plan) if MOMENT.match(told)}
    if len(plans) != 1 or len(days) != 1:
        return
    to_come, all_ = [plain(one) for one in strings(plans[0])], [plain(one) for one in strings(value)]
    for asked in _given(call):
        own = plain(asked.value)
        if isinstance(asked.value, str) and own in to_come and all_.count(own) == to_come.count(own):
            yield asked, min(days), [one for one in strings(plans[0]) if len(one) > NAMED and not MOMENT.match(one)]


def _given(call: Call) -> Iterator[Asked]:
    """The first of what a call was given."""
    return islice(arguments(call.arguments), ARGUED)


def _is_moment(value: Any) -> bool:
    return isinstance(value, str) and MOMENT.fullmatch(value) is not None


def _is_day(value: Any) -> bool:
    return _is_moment(value) and len(value) == 10


def _has_time(value: Any) -> bool:
    return _is_moment(value) and len(value) >= 16


def _is_beginning(name: str, value: Any) -> bool:
    return _is_moment(value) and bool(BEGINS.search(name))


def _place(day: str) -> int:
    """About how many days into its year a day lies."""
    return int(day[1:3]) * 31 + int(day[4:6])


def _of_year(date: Date) -> str:
    """A day of any year, as interfaces have it: answers leave out which one."""
    return f"-{date.month:02d}-{date.day:02d}"
