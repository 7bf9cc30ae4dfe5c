"""What an answer tells as a call was asked for it must not stand otherwise in that call's own result."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, ClassVar

from proxy.audit import Finding
from proxy.auditors.asked import (
    AIMS,
    ARGUED,
    FORMER,
    ID,
    MOST,
    QUANTITY,
    ZONED,
    Asked,
    Shown,
    arguments,
    clocked,
    codes_apart,
    comes,
    flags,
    inside,
    is_named_by,
    is_whole_thing,
    moved,
    one_name,
    one_number,
    one_word_apart,
    only_number,
    open_texts,
    own_part,
    referred,
    shape,
    shown_in,
    switched,
    twins,
    unmoved,
)
from proxy.auditors.effects import WRITTEN, about, differ, instant, number_of, subject_of
from proxy.auditors.receipts import NOTE
from proxy.auditors.removed import kept
from proxy.claims import Claim, compared_text
from proxy.fields import fields, words
from proxy.figures import ZONES, sentence_around
from proxy.ledger import Call, Turn
from proxy.patterns import Names, expression
from proxy.results import one_line, scalars
from proxy.roots import name_roots, roots, similar, tokens
from proxy.spelling import MOMENT, SMALL, TIME, matches, places, plain, plain_text, spoken

SETS = frozenset({"set", "update", "change", "modify", "edit", "put", "patch"})
"""Verbs that put a value in place of another, so that a lower one than was asked for is no sum."""
GROWS = Names(r"(?i)quantit|qty|count|amount|units?|points|balance|credit|total|size|page|limit")
"""Fields of which a result may show the whole, where a part was asked for, and the other way about."""
NOTES = Names(
    rf"(?i)^(?:status_?)?(?:{NOTE}|text|remarks?|aviso|nota|motivo|mensaje|hinweis|grund|meldung|raison|remarque|avviso)$"
)
"""Names of fields that speak of a value and do not hold it."""
REACH = 20_000
"""Code points of a result that is read."""
OFF = re.compile(r"(?i)\b(?:off|no|none|not|never|without|disabled|deactivated|inactive|private|closed|false)\b")
ON = re.compile(r"(?i)\b(?:on|yes|enabled|activated|active|public|open|true|still|stays?|remains?)\b")
"""Words by which a clause may tell that something is as it was not to be."""
CLAUSE = re.compile(r"[^\n.!?;,]+(?:[.,](?!\s)[^\n.!?;,]*)*")
PIECES = re.compile(r"[^\W\d_]{3,}|\d+")
NO_DIGIT = re.compile(r"\D")
WORD = re.compile(r"[a-z]{3,}|[A-Z][a-z]{2,}")
APART_FROM = Names(
    r"(?i)priorit|urgen|severit|importan|scope|area|section|zone|side$|colou?r|size|frequen|interval|cadence|cycle|speed|quality"
    r"|orient|flavou?r|bed|smok|position|level|tier|class|cabin|plan|package|edition"
)
"""Names of fields of which two plain words are no spellings of one value, but two: urgent and normal, patio and indoor."""
APART = 3
"""Texts of one object that are all others than was asked for, so that none of them is a spelling."""
HELD = roots(
    ("valid", "effective", "size", "new", "actual", "final", "confirmed", "booked", "granted", "current", "now", "set")
)
"""Words of a field's name by which it holds what is so now."""
FEWEST = 2
KIN = 10
"""How many times another a number may be that still is of its kind: a rate of tax and the tax are not."""


WAS = re.compile(
    r"(?i)(?:\b(?:was|were|from|previously|formerly|before|old|vorher|zuvor|bisher|von|statt|antes|era|desde|avant|contre"
    r"|au lieu)\b|原|旧|从)[\W_]{0,6}(?:at |bei |de |à )?$"
)
"""What stands before a value that a sentence tells as the former one: "(was 10%)"."""


@dataclass(frozen=True, slots=True)
class Unmet:
    """Compare what a change was asked for with what its result has under the same name.

    Asked for are the arguments of a call that landed, and what a look has shown of the thing that an argument names (the
    start of a slot, the price of a plan). Told is one that the answer states, where the result has another value that was
    known before, or nothing, or a list without it; where what was asked for stands nowhere in this and in later results, and
    the answer does not have what is there instead. `doubts` is an expression for sentences that do not mean it so exactly,
    `admits` one for answers that tell of some trouble.
    """

    doubts: str = ""
    admits: str = ""

    reads: ClassVar[frozenset[str]] = frozenset({"action", "success", "text"})
    needs: ClassVar[frozenset[str]] = frozenset({"change"})

    def compare(self, turn: Turn, claims: Sequence[Claim]) -> list[Finding]:
        text = compared_text(claims)
        said = [one for one in claims if one.kind in ("action", "success") and one.stance == "asserted"]
        changes = [one for one in turn.landed_changes() if not one.effect and turn.nature(one) == "change"]
        names = " ".join(one.name for one in changes).lower()  # of `modify_pending_order`, "pending" tells no trouble
        if not text or (
            self.admits and any(one.group().lower() not in names for one in expression(self.admits).finditer(text))
        ):
            return []
        own = [one for one in changes if not any(_again(one, other) for other in changes)]
        found = [
            self._first(call, turn, text) or self._looked(call, turn, text) or self._implied(call, turn, text, said)
            for call in own
        ]
        return list({one.subject: one for one in found if one is not None}.values())

    def _first(self, call: Call, turn: Turn, text: str) -> Finding | None:
        """The first thing that a call was asked for, that is told, and that is not there."""
        if call.result_value is None or len(call.result_text) > REACH:
            return None
        for asked, got in chain(_unmet(call, turn), _all_apart(call)):
            shared = sum(plain(one.value) == plain(got) for one in shown_in(call.result_value)) > 1
            own = shared and any(plain(one.value) == plain(got) for one in arguments(call.arguments))
            if told := self._told(asked, None if own else got, text, shared):  # what it was given too is told for that
                return _finding(asked, got, told, call)
        for asked in _unset(call):
            if told := self._speaks_of(asked, text):
                return _finding(asked, not asked.value, told, call)
        for value in kept(call, turn):
            if told := self._told(Asked("", value.rpartition(":")[2]), None, text):
                reason = f"{one_line(value, 60)!r} was to be taken away, and the result still has it"
                return Finding("contradicted", subject_of(call), reason, one_line(told, 200), call.id)
        for asked, got in chain(moved(call), clocked(call)):
            if told := self._told(asked, got, text):
                return _finding(asked, got, told, call)
        for asked, got in switched(call):
            told = self._told(asked, got, text, shared=True)
            if told and any(places(asked.name, told)):
                return _finding(asked, got, told, call)
        return None

    def _implied(self, call: Call, turn: Turn, text: str, said: Sequence[Claim]) -> Finding | None:
        """What a call was asked for, and its result has otherwise under that very name, where the answer tells it as done.

        It need not say what was asked for; it must not have what is there instead.
        """
        alone = len(turn.landed_changes()) == 1
        deed = about(call, said) or (said[0] if said and alone else None)
        if deed is None or call.result_value is None or len(call.result_text) > REACH:
            return None
        if self.doubts and expression(self.doubts).search(deed.quote):
            return None
        held = {one.name: one.value for one in shown_in(own_part(call))[:MOST]}
        for asked, got in _unmet(call, turn):
            if (
                isinstance(got, str)
                and isinstance(held.get(asked.name), (str, dict))
                and _is_other(asked.value, got, text)
            ):
                return _finding(asked, got, deed.quote, call)
        unset = [one for one in _unset(call) if one.name in held and tokens(text).isdisjoint(name_roots(one.name))]
        if len(unset) == 1 and len(call.arguments) == FEWEST:  # the thing, and how it shall be
            return _finding(unset[0], not unset[0].value, deed.quote, call)
        return None

    def _speaks_of(self, asked: Asked, text: str) -> str:
        """The clause that speaks of what a call switched on or off, without a doubt."""
        own = name_roots(asked.name) - AIMS
        for found in CLAUSE.finditer(text):
            said = tokens(found.group())
            doubted = self.doubts and expression(self.doubts).search(found.group())
            states = OFF if asked.value else ON
            if own and all(similar(one, said) for one in own) and not doubted and not states.search(found.group()):
                return found.group()
        return ""

    def _looked(self, call: Call, turn: Turn, text: str) -> Finding | None:
        """A number that a change was given, that is told, and that the turn's last look shows otherwise of the same thing."""
        look = turn.calls[-1]
        named = [one for one in call.arguments.values() if isinstance(one, str) and len(one) >= 3]
        if (
            look.position <= call.position
            or turn.nature(look) != "read"
            or look.result is None
            or look.outcome != "landed"
        ):
            return None
        if len(look.result_text) > REACH or not any(one in look.raw and one in look.result_text for one in named):
            return None
        for name, value in call.arguments.items():
            whole = isinstance(value, int) and not isinstance(value, bool) and value > 0
            if not whole or GROWS.search(name) or re.search(rf"(?<![\d.]){value}(?![\d.])", look.result_text):
                continue
            wanted = tuple(word for word in words(name) if word not in AIMS)
            got = {
                number
                for one in fields(look.result)
                if one.words[-len(wanted) :] == wanted and (number := number_of(one.value))
            }
            if len(got) == 1 and (told := self._told(Asked(name, value), got.copy().pop(), text)):
                reason = f"asked for {name} {value}, and the last look has {got.pop():g}"
                return Finding("contradicted", subject_of(call), reason, one_line(told, 200), look.id)
        return None

    def _told(self, asked: Asked, got: Any, text: str, shared: bool = False) -> str:
        """The sentence by which an answer states what was asked for; empty where it does not, or has what is there.

        What another field has as well (`shared`) may be meant for that one, but in the same sentence.
        """
        told: Iterable[tuple[int, int]] = ()
        if isinstance(got, (int, float)) and not isinstance(got, bool):
            told = (found.span() for found in matches(got, text))  # a small one too
        elif got is not None and not isinstance(got, bool):
            told = chain(places(got, text), spoken(got, text))
        there = [
            sentence_around(text, *span) for span in told if WAS.search(text[max(0, span[0] - 24) : span[0]]) is None
        ]
        if there and not shared:
            return ""
        for start, end in chain(places(asked.value, text, asked.name), spoken(asked.value, text)):
            sentence = sentence_around(text, start, end)
            if sentence not in there and not (self.doubts and expression(self.doubts).search(sentence)):
                return sentence
        return ""


def _is_other(value: Any, got: str, text: str) -> bool:
    """Whether what a result has in place of a text shares no word with that, and an answer none with it.

    Of a moment the time of day, or the day, is as good as the whole.
    """
    if isinstance(value, str) and MOMENT.match(value) and MOMENT.match(got):
        parts = [one for one, other in ((got[:10], value[:10]), (got[11:16], value[11:16])) if one != other]
        return bool(parts) and not any(any(chain(places(one, text), spoken(one, text))) for one in parts if one)
    if any(map(str.isdigit, got)) and NO_DIGIT.sub("", str(value)) == NO_DIGIT.sub("", got):
        return False  # "+34 611 204 417" and "34611204417"
    own, wanted = set(PIECES.findall(plain(got))), set(PIECES.findall(plain(value)))
    said = any(one in text.casefold() for one in own)
    return bool(own) and not said and own.isdisjoint(wanted) and not OFF.fullmatch(str(value))


def _again(call: Call, later: Call) -> bool:
    """Whether the same tool was called once more of the same thing, for all that its arguments say: "20", then "21.5"."""
    given = {text for _, text in scalars(call.arguments) if not text.isdigit()}
    same = later.name == call.name and later.position > call.position
    return same and (not given or any(text in given for _, text in scalars(later.arguments)))


def _unmet(call: Call, turn: Turn) -> Iterator[tuple[Asked, Any]]:
    """What a call was asked for and its result has otherwise, with what is there; None for nothing."""
    part = own_part(call)
    shown = shown_in(part)[:MOST]
    single = [one for one in shown if not isinstance(one.value, (dict, list)) and not ID.search(one.name)]
    stands = plain(
        " ".join(str(one.value) for one in single if not NOTES.search(one.name) and not WRITTEN.search(one.name))
    )
    later = turn.said_after(call, REACH)
    open_ = set(open_texts(call.result_value))
    for asked in islice(chain(arguments(call.arguments), referred(call, turn)), ARGUED):
        if asked.former or ID.search(asked.name):
            continue
        if _stands(asked.value, stands, shown) and not _stands_for_another(asked, shown):
            continue
        if any(matches(asked.value, later)):
            continue
        named = [one for one in shown if one.name == asked.name]
        named = [one for one in named if asked.parent and one.parent == asked.parent] or named
        got = twins(asked, call) or [inside(one.value, asked.value) for one in named]
        got = got or [
            inside(one.value, asked.value)
            for one in shown
            if not FORMER.search(one.name)
            and (one_name(asked.name, one) or (_alone(one, part, call) and only_number(asked, one, call)))
        ]
        got = got or [
            one.value for one in single if _is_of(asked.name, one.name) and _same_kind(asked.value, one.value)
        ]
        by_tool = [] if got else [one for one in shown if is_named_by(asked, one, call)]
        own = [one.value for one in by_tool if _same_kind(asked.value, one.value)]
        if not own and not comes(asked, call):  # a word is another one, or a spelling of it: that is looked at below
            own = [one.value for one in by_tool if isinstance(one.value, str)]
        got = got or own or [one.value for one in by_tool if unmoved(asked, one.name, one.value, call, turn)]
        if plain(asked.value) in open_ and len(got) == 1:
            told = got[0].get("name", got[0].get("code")) if isinstance(got[0], dict) else got[0]
            if (
                isinstance(told, str)
                and plain(told) not in plain(asked.value)
                and plain(asked.value) not in plain(told)
            ):
                yield asked, told
                continue
        if len(got) == 1 and isinstance(got[0], list):
            if not call.undoes and _lacks(got[0], asked, call, turn):
                yield asked, None
        elif len({plain(one) for one in got}) == 1 and not any(isinstance(one, (list, dict)) for one in got):
            names = {one.name for one in shown if one.value == got[0]}
            yield from [(asked, got[0])] if _otherwise(asked, got[0], call, turn, bool(own), names) else ()


def _unset(call: Call) -> Iterator[Asked]:
    """What a call was to switch on or off, and its result has the other way about, and only so."""
    shown = shown_in(own_part(call))[:MOST]
    for asked in islice(flags(call.arguments), ARGUED):
        own = twins(asked, call) or [one.value for one in shown if one_name(asked.name, one)]
        got = [one for one in own if isinstance(one, bool)]
        if got and asked.value not in got:
            yield asked


def _alone(field: Shown, part: Any, call: Call) -> bool:
    """Whether a field may have the call's only number though it is called otherwise."""
    return part is not call.result_value or is_whole_thing(field, call)


def _all_apart(call: Call) -> Iterator[tuple[Asked, str]]:
    """The texts that a call was given for one object of its result, where this has others under nearly all their names.

    One may be another spelling; an address of which street, town and number are others is another address.
    """
    given = {name: value for name, value in call.arguments.items() if isinstance(value, str) and len(value) >= 2}
    held = (one.value for one in shown_in(call.result_value) if isinstance(one.value, dict))
    for one in islice(chain([call.result_value], held), MOST):
        named = {name: one[name] for name in given if isinstance(one, dict) and isinstance(one.get(name), str)}
        shown = [(given[name], got) for name, got in named.items() if not ID.search(name)]
        apart = {name for name, got in named.items() if not ID.search(name) and _is_apart(given[name], got)}
        if len(apart) >= APART and 2 * len(apart) > len(shown):
            yield from ((Asked(name, given[name]), named[name]) for name in given if name in apart)


def _is_apart(value: str, got: str) -> bool:
    """Whether two texts are surely no spellings of one: they begin otherwise, and neither holds the other."""
    one, other = plain(value), plain(got)
    return one[:3] != other[:3] and one not in other and other not in one


def _is_of(asked: str, name: str) -> bool:
    """Whether a field has an argument's name, and beside it only that it holds: `From` and `ValidFrom`, `gb` and `size_gb`."""
    own, wanted = name_roots(name), name_roots(asked)
    return bool(wanted) and wanted < own and own - wanted <= HELD


def _same_kind(value: Any, other: Any) -> bool:
    """Whether two values are both numbers, both days, or both times of day."""
    if isinstance(value, bool) or isinstance(other, bool):
        return False
    if isinstance(value, (int, float)):
        return isinstance(other, (int, float))
    return isinstance(other, str) and any(one.fullmatch(value) and one.fullmatch(other) for one in (MOMENT, TIME))


def _finding(asked: Asked, got: Any, told: str, call: Call) -> Finding:
    shown = "none" if got is None else f"{one_line(str(got), 60)!r}"
    reason = f"asked for {asked.name} {one_line(str(asked.value), 60)!r}, and the result has {shown}"
    return Finding("contradicted", subject_of(call), reason, one_line(told, 200), call.id)


def _stands(value: Any, text: str, shown: Sequence[Shown]) -> bool:
    """Whether a result has somewhere what was asked for."""
    if isinstance(value, str):
        return plain(value) in text
    return any((own := number_of(one.value)) is not None and one_number(float(value), own) for one in shown)


def _stands_for_another(asked: Asked, shown: Sequence[Shown]) -> bool:
    """Whether a small number stands only in fields of other names, while the one of its own has another: 3 nights, 2 adults."""
    if isinstance(asked.value, str) or abs(asked.value) > SMALL:
        return False
    own = [number_of(one.value) for one in shown if one.name == asked.name and number_of(one.value) is not None]
    return len(own) == 1 and own[0] != asked.value


def _otherwise(asked: Asked, got: Any, call: Call, turn: Turn, deed: bool, names: Collection[str]) -> bool:
    """Whether the value that is there is surely another one, of the same kind; `deed`: it says how much was done.

    A part that was added would have made another one of what the fields of these `names` had before.
    """
    value = asked.value
    if got is None:
        return isinstance(value, str) and len(value) >= 2
    if isinstance(value, str) and value.isdigit() and isinstance(got, int):
        got = str(got)  # a code asked for as a text, that the system writes as a number
    if isinstance(got, bool):
        return False
    if not isinstance(value, str):
        other = number_of(got) or 0.0
        low, high = sorted((abs(value), abs(other)))
        sets = deed or not SETS.isdisjoint(turn.marks.natures.verbs(call.name)) or bool(QUANTITY.fullmatch(asked.name))
        lower = abs(other) < abs(value) and sets
        put = "set" in turn.marks.natures.verbs(call.name)  # what is set is put in the place of what was there
        whole = lower or put or not GROWS.search(asked.name)
        return high < KIN * low and (whole or any(unmoved(asked, name, got, call, turn) for name in names))
    if isinstance(got, str) and len(value) == len(got) == 2 and value.isupper() and got.isupper():
        return value != got  # AM and PM
    if (
        not isinstance(got, str)
        or (len(value) < 3 and shape(value) == value)
        or not differ(value, got)
        or _shortened(plain(value), plain(got))
    ):
        return False
    if len(got) <= 3 and got.isupper() and not value.isupper():
        return False  # "Spain" and ES
    if TIME.fullmatch(value) and TIME.fullmatch(got):
        return value[:5] != got[:5] and ZONES.search(turn.everything()) is None
    if MOMENT.fullmatch(value) and MOMENT.match(got):
        zones = [one for one in (value, got) if ZONED.search(one)]
        if len(zones) == 2:
            moments = {instant(one) for one in zones}
            return len(moments) == 2 and None not in moments
        return value[:10] != got[:10] if zones else value[:16] != got[:16]
    if (
        codes_apart(value, got, asked.name, call.result_text[:REACH])
        or shape(value) == shape(got)
        or one_word_apart(plain(value).split(), plain(got).split())
    ):
        return True
    if asked.name in names and APART_FROM.search(asked.name) and WORD.fullmatch(value) and WORD.fullmatch(got):
        return not any(similar(one, tokens(call.result_text[:REACH])) for one in tokens(value))
    known = chain((turn.asked,), (one.result_text for one in turn.calls_before(call)), turn.spoken())
    return any(plain(got) in plain_text(text[:REACH]) for text in known)


def _shortened(value: str, got: str) -> bool:
    """Whether a result has but a part of a value, or the beginnings of its words: `4_NEGO` for "negotiation"."""
    words = got.lstrip("0123456789 ").split()
    begun = all(len(one) > 2 and one.isalpha() and any(each.startswith(one) for each in value.split()) for one in words)
    return got in value or (bool(words) and begun)


def _lacks(entries: Sequence[Any], asked: Asked, call: Call, turn: Turn) -> bool:
    """Whether a list that holds what was asked for of old, or is empty, has not what was asked for now."""
    told = plain(str(entries))
    if not isinstance(asked.value, str) or len(asked.value) < 2 or "*" in told or len(entries) >= 10:
        return False
    if any(plain(asked.value) == plain(one) for entry in entries if isinstance(entry, dict) for one in entry.values()):
        return False  # "extras": [{"code": "COT", "status": "OK"}]
    others = [one.value for one in arguments(call.arguments) if one.name == asked.name and one.value != asked.value]
    kin = any(isinstance(one, str) and plain(one) in told for one in others)
    if not entries or kin:
        return True
    whole = plain(str(list(entries))[1:-1])[:200]
    return any(whole in plain_text(one.result_text[:REACH]) for one in turn.calls_before(call))
