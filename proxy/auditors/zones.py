"""The zone of a time of day, and the last of several days, must be told as the change's result has them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, islice, pairwise
from typing import ClassVar, NamedTuple

from proxy.audit import Finding
from proxy.auditors.asked import MOST
from proxy.auditors.effects import subject_of
from proxy.claims import BY_LINE, Claim, compared_text
from proxy.dates import Date, Mention, mentions, near, number
from proxy.figures import DAY, clocks, sentence_around, unquoted
from proxy.ledger import Call, Turn
from proxy.patterns import expression
from proxy.results import objects, one_line
from proxy.roots import name_words, tokens
from proxy.spelling import MOMENT

READ, LONGEST, TOLD = 20_000, 100_000, 40
"""Code points of a result, and of a conversation, that are read; times of an answer that are compared."""
AT = re.compile(r"(?<!\d)\d{4}-\d\d-\d\d[T ](\d\d):(\d\d)(?::\d\d(?:\.\d{1,9})?)?(?:(Z)|([+-])(\d\d):?(\d\d))")
"""A moment with its offset."""
UTC = re.compile(r"(?i)\b(?:utc|gmt|zulu|greenwich|universal)\b|\d ?Z\b")
"""By these an answer says that it tells universal time."""
WHERE = re.compile(
    r"(?i)\b(?:i[’']?m in|we[’']?re in|i am in|live in|based in|calling from|here in|my (?:local )?time|time ?zone|location)\b"
)
"""By these a conversation says where somebody is."""
REGION = re.compile(r"\b(?:Europe|America|Asia|Africa|Australia|Pacific|Atlantic|Indian|Antarctica)/[A-Z]\w{2,30}")
HALF = DAY // 2
"""The minutes of a clock of twelve hours."""
TO = re.compile(
    r"\W{0,4}(?:[-–—]|to|until|till|through|bis|hasta|al?|au)\W{0,4}(?:(?!and\b|or\b)[A-Za-zÀ-ÿ]{2,10},?\W{0,4})?"
)
"""What stands between the first day and the last."""
JOINED = re.compile(r"\d(?:st|nd|rd|th|\.)?\s?(?:[-–—]|to|bis|al|au)\s?(?:\w{2,10} )?\d")
"""The same within one date of two days."""
BEGINS = frozenset({"start", "starts", "from", "begin", "begins", "first"})
ENDS = frozenset({"end", "ends", "to", "until", "till", "through", "last"})
WHEN = frozenset({"date", "day", "on"})
"""Words of names of fields for the first day and the last."""
STAY = re.compile(
    r"(?i)night|check_?-?(?:in|out)|depart|arriv|return|pick_?up|drop_?off|exclusive|(?<![a-z])(?:rent|hire|lease|stay|hotel|room|flat|apartment|pitch|camp|lodg|guest|bed|berth)"
)
"""By these, a last day may be one that is no part of it, or the one before that."""
PLAIN = re.compile(r"\d{4}-\d\d-\d\d")
CLOCK = re.compile(r"(?<!\d)([01]?\d|2[0-3]):([0-5]\d)")
QUARTER, TELLS = 15, 4
"""Minutes by which zones are apart, and code points of a word by which a sentence says what it is about."""
WEEKEND = (2, 3)
"""The days of the week from 1970-01-01 on, which was a Thursday, as such."""


class Zone(NamedTuple):
    """How a zone is told behind a clock, and called anywhere, and the minutes that it may be ahead of universal time."""

    said: re.Pattern[str]
    named: re.Pattern[str]
    offsets: frozenset[int]


@dataclass(frozen=True, slots=True)
class Zones:
    """Compare the zone that stands beside a time of day, a clock in no zone, and a stretch of days with a change's result.

    Told is a zone that never has the offset by which the result has that very clock; the universal clock of a moment of which
    a look shows the local one; and a last day that was asked for and lies after the one of the result. `zones` has one zone a
    text, its offsets in hours and, behind a colon, an expression for its names; `doubts` is one for sentences that do not say
    how something is, `limits` one for answers that may say of what the last day is no part, `greenwich` one for where clocks
    may show universal time.
    """

    zones: tuple[str, ...] = ()
    doubts: str = r"(?!)"
    limits: str = r"(?!)"
    greenwich: str = r"(?!)"

    reads: ClassVar[frozenset[str]] = frozenset({"text"})
    needs: ClassVar[frozenset[str]] = frozenset({"change", "figures"})

    def follow(self, turn: Turn, claims: Sequence[Claim], findings: Sequence[Finding]) -> list[Finding]:
        if any(one.flagged for one in findings):
            return []
        changes = turn.sure_changes()
        text = unquoted(compared_text(claims, BY_LINE)) if changes else ""
        if not text or len(changes[-1].result_text) > READ:
            return []
        call = changes[-1]
        found = chain(self._zoned(text, call, turn), self._universal(text, call, turn), self._ending(text, call, turn))
        for reason, start, end in found:
            sentence = sentence_around(text, start, end)
            if not expression(self.doubts).search(sentence):
                return [Finding("contradicted", subject_of(call), reason, one_line(sentence, 200), call.id)]
        return []

    def _zoned(self, text: str, call: Call, turn: Turn) -> Iterator[Told]:
        """Clocks told in a zone that never has the offset with which the result has them."""
        there = list(_moments(call.result_text))
        said = list(islice(clocks(text), TOLD)) if there else []
        for start, end, minute in said:
            found, zone = self._zone(text, end)
            own = {ahead for clock, ahead in there if clock == minute}
            if found is None or zone is None or not own or 0 in own or own & zone.offsets:
                continue
            if any(clock == minute and self._zone(text, at)[1] != zone for _, at, clock in said) or not turn.whole():
                continue
            real = {(minute - ahead + other) % HALF for ahead in own for other in zone.offsets}
            right = any(told % HALF in real for _, _, told in said) or self._is_right(text, said, own)
            sentence = sentence_around(text, start, found.end())
            if not right and _is_about(text, start, sentence, call) and not _is_known(minute, zone, call, turn):
                yield f"the result has {_clock(minute)} with the offset {_offset(min(own))}", start, found.end()

    def _zone(self, text: str, end: int) -> tuple[re.Match[str] | None, Zone | None]:
        """The zone that stands behind a clock."""
        told = ((one.said.match(text, end), one) for one in _zones(self.zones))
        return next(((found, one) for found, one in told if found), (None, None))

    def _is_right(self, text: str, said: Sequence[tuple[int, int, int]], own: set[int]) -> bool:
        """Whether an answer has a clock beside a zone that has the result's offset."""
        zones = [one for one in _zones(self.zones) if own & one.offsets]
        return any(one.said.match(text, end) for _, end, _ in said for one in zones)

    def _universal(self, text: str, call: Call, turn: Turn) -> Iterator[Told]:
        """Clocks of universal moments told as they are, where a look shows the local clock of that very moment."""
        found = islice(AT.finditer(call.result_text), MOST)
        there = {one.group(): int(one[1]) * 60 + int(one[2]) for one in found if one[3]}
        if not there or UTC.search(text) or UTC.search(turn.asked[:READ]):
            return
        said = {minute: (start, end) for start, end, minute in islice(clocks(text), TOLD)}
        for moment, minute in there.items():
            if minute not in said:
                continue
            local = {one for each in (call, *turn.recent(call)) for one in _local(moment, each)}
            told = any((one - other) % HALF == 0 for one in local for other in said)
            if len(local) != 1 or told or (min(local) - minute) % QUARTER:
                continue
            if min(local) != minute and turn.whole() and not _is_told(minute, turn) and not self._is_there(turn):
                yield f"{_clock(minute)} is universal time, and the local one {_clock(min(local))}", *said[minute]

    def _is_there(self, turn: Turn) -> bool:
        """Whether somebody may be where the clocks show universal time."""
        everything = turn.everything()[:LONGEST]
        said = (turn.asked, *(one.text for one in turn.before if one.role != "assistant"))
        if any(WHERE.search(one[:READ]) for one in said) or expression(self.greenwich).search(everything):
            return True
        several = len(set(islice(REGION.findall(everything), MOST))) > 1
        return several or any(one.named.search(everything) for one in _zones(self.zones) if 0 in one.offsets)

    def _ending(self, text: str, call: Call, turn: Turn) -> Iterator[Told]:
        """Stretches of days that begin as the result's does and end after it, as it was asked for."""
        ends = _stretch(call)
        if ends is None or expression(self.limits).search(text) or len(turn.everything()) > LONGEST:
            return
        first, last = ends
        dates = [one for one in islice(mentions(text), TOLD) if len(one.dates) == 1]
        if any(near(one.dates[0], last) for one in dates) or re.search(rf"(?<!\d){last.day}(?:st|nd|rd|th)\b", text):
            return
        for one, other in _ranges(dates, text):
            end = other.dates[0]._replace(year=last.year)
            if not near(one.dates[0], first) or number(end) <= number(last):
                continue
            if _is_weekend(last, end) or not any(near(end, date) for date in _dates(turn.asked)):
                continue
            calls = (*turn.earlier(), *turn.calls)
            known = any(near(end, date) for each in calls for date in _dates(f"{each.raw}\n{each.result_text}"))
            if not known and turn.whole():
                yield f"the result ends on {last.year}-{last.month:02d}-{last.day:02d}", one.start, other.end


Told = tuple[str, int, int]
"""What a result has, and where an answer has it otherwise."""


@lru_cache(maxsize=4)
def _zones(texts: tuple[str, ...]) -> tuple[Zone, ...]:
    """The zones of the data: "-5 -4: Eastern|E[SD]?T"."""
    parts = [one.partition(":") for one in texts]
    return tuple(
        Zone(
            re.compile(rf"[*_]{{0,3}} ?\(?(?:in )?(?P<zone>{names.strip()})(?!\w|[/-]\w| ?[+−-] ?\d)"),
            re.compile(rf"(?<!\w)(?:{names.strip()})(?!\w)"),
            frozenset(round(float(one) * 60) for one in offsets.split()),
        )
        for offsets, _, names in parts
    )


def _moments(text: str) -> Iterator[tuple[int, int]]:
    """The clocks of the moments in a text, each with the minutes by which it is ahead of universal time."""
    for found in islice(AT.finditer(text), MOST):
        ahead = 0 if found[3] else (int(found[5]) * 60 + int(found[6])) * (-1 if found[4] == "-" else 1)
        yield int(found[1]) * 60 + int(found[2]), ahead


def _is_known(minute: int, zone: Zone, call: Call, turn: Turn) -> bool:
    """Whether a call names a zone, or any has that clock in it."""
    if zone.named.search(call.result_text):
        return True
    for one in (*turn.recent(call), *turn.calls):
        for text in (one.raw[:READ], one.result_text[:READ]):
            if any(clock == minute and ahead in zone.offsets for clock, ahead in _moments(text)):
                return True
            if any(clock == minute and zone.said.match(text, end) for _, end, clock in islice(clocks(text), MOST)):
                return True
    return False


def _is_about(text: str, start: int, sentence: str, call: Call) -> bool:
    """Whether a sentence is about what a call was given: it is the first one, or has a word of it."""
    given = tokens(" ".join(one for one in call.given if not MOMENT.match(one))[:READ])
    own = {one for one in tokens(sentence) if len(one) >= TELLS and one.isalpha()}
    return sentence in text[: len(sentence) + TELLS] or not own.isdisjoint(given)


def _local(moment: str, call: Call) -> Iterator[int]:
    """The local clocks that a result has beside a moment of universal time."""
    if moment[:16] not in call.result_text or len(call.result_text) > READ:
        return
    for one in islice(objects(call.result_value), MOST):
        if not any(isinstance(value, str) and value[:16] == moment[:16] and AT.match(value) for value in one.values()):
            continue
        for name, value in one.items():
            if isinstance(value, str) and "local" in name_words(name) and (clock := CLOCK.search(value[:40])):
                yield int(clock[1]) * 60 + int(clock[2])


def _is_told(minute: int, turn: Turn) -> bool:
    """Whether a clock stands anywhere but in a moment of universal time, on a clock of twelve hours as well."""
    everything = turn.everything()
    rest = AT.sub(lambda found: "" if found[3] else found.group(), everything[:LONGEST])
    hours = {minute // 60, minute // 60 % 12 or 12}
    return len(everything) > LONGEST or any(f"{hour}:{minute % 60:02d}" in rest for hour in hours)


def _stretch(call: Call) -> tuple[Date, Date] | None:
    """The first day and the last that a result has in one object, and in no other one otherwise; none of a stay by nights."""
    if STAY.search(f"{call.name} {call.raw} {call.result_text}"):
        return None
    pairs = set()
    for one in islice(objects(call.result_value), MOST):
        days = {name: value for name, value in one.items() if isinstance(value, str) and PLAIN.fullmatch(value)}
        first = [value for name, value in days.items() if _is_called(name, BEGINS)]
        last = [value for name, value in days.items() if _is_called(name, ENDS)]
        if first and last:
            pairs.add((min(first), max(last)))
    if len(pairs) != 1:
        return None
    dates = [date for text in pairs.pop() for date in _dates(text)]
    return (dates[0], dates[1]) if len(dates) == 2 and dates[0] < dates[1] else None


def _is_called(name: str, words: frozenset[str]) -> bool:
    own = set(name_words(name))
    return not own.isdisjoint(words) and own <= words | WHEN


def _dates(text: str) -> Iterator[Date]:
    return (date for one in islice(mentions(text[:LONGEST]), MOST) for date in one.dates)


def _ranges(dates: Sequence[Mention], text: str) -> Iterator[tuple[Mention, Mention]]:
    """The dates that a text joins as the first and the last of a stretch."""
    ordered = sorted(dates, key=lambda one: (one.start, one.dates[0].month, one.dates[0].day))
    for one, other in pairwise(ordered):
        if (one.start, one.end) == (other.start, other.end):
            joined = JOINED.search(text, one.start, one.end)
        else:
            joined = TO.fullmatch(text, one.end, other.start)
        if joined:
            yield one, other


def _is_weekend(last: Date, end: Date) -> bool:
    """Whether what lies between two days, the second with it, is no more than a weekend."""
    between = range(number(last) + 1, number(end) + 1)
    return len(between) <= 2 and all(day % 7 in WEEKEND for day in between)


def _clock(minute: int) -> str:
    return f"{minute // 60:02d}:{minute % 60:02d}"


def _offset(minutes: int) -> str:
    return f"{'-' if minutes < 0 else '+'}{abs(minutes) // 60:02d}:{abs(minutes) % 60:02d}"
