"""What a call was asked for that its result has otherwise: another value, a list without it, a flag the other way about."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import chain, islice
from typing import Any

from proxy.auditors.asked import (
    ARGUED,
    FORMER,
    GRADES,
    ID,
    MOST,
    QUANTITY,
    ZONED,
    Asked,
    Shown,
    arguments,
    codes_apart,
    comes,
    flags,
    in_another_unit,
    inside,
    is_named_by,
    is_whole_thing,
    one_name,
    one_number,
    one_word_apart,
    only_number,
    open_texts,
    own_part,
    referred,
    shape,
    shown_in,
    twins,
    unmoved,
)
from proxy.auditors.effects import WRITTEN, differ, instant, number_of
from proxy.auditors.receipts import NOTE
from proxy.fields import words
from proxy.figures import ZONES
from proxy.ledger import Call, Turn
from proxy.patterns import Names
from proxy.results import folded, objects
from proxy.roots import name_roots, roots, similar, tokens
from proxy.spelling import MOMENT, RANGE, SMALL, TIME, digits_of, matches, plain, plain_text

SETS = frozenset({"set", "update", "change", "modify", "edit", "put", "patch"})
"""Verbs that put a value in place of another, so that a lower one than was asked for is no sum."""
MAKES = frozenset({"create", "open", "book", "schedule", "register", "setup"})
"""Verbs by which a thing is new, so that a number in it is no sum."""
GROWS = Names(r"(?i)quantit|qty|count|amount|units?|points|balance|credit|total|size|page|limit")
"""Fields of which a result may show the whole, where a part was asked for, and the other way about."""
NOTES = Names(
    rf"(?i)^(?:status_?)?(?:{NOTE}|text|remarks?|aviso|nota|motivo|mensaje|hinweis|grund|meldung|raison|remarque|avviso)$"
)
"""Names of fields that speak of a value and do not hold it."""
REACH = 20_000
"""Code points of a result that is read."""
WORD = re.compile(r"[a-z]{3,}(?:_[a-z]{3,})?|[A-Z][a-z]{2,}")
APART_FROM = Names(
    r"(?i)priorit|urgen|severit|importan|scope|area|section|zone|side$|colou?r|size|frequen|interval|cadence|cycle|speed|quality"
    r"|orient|flavou?r|bed|smok|position|level|tier|class|cabin|plan|package|edition|link_?access|transmission|gearbox"
)
"""Names of fields of which two plain words are no spellings of one value, but two: urgent and normal, patio and indoor."""
NUMBERED, LAST = Names(r"(?i)post(?:al)?_?code|^zip|_zip|^plz|^postnr|phone|^mobile|^tel(?:_|$)"), 7
"""Names of numbers that are spelled in many ways, and the last digits by which two are one."""
APART = 3
"""Texts of one object that are all others than was asked for, so that none of them is a spelling."""
HELD = roots(
    ("valid", "effective", "size", "new", "actual", "final", "confirmed", "booked", "granted", "current", "now", "set")
)
"""Words of a field's name by which it holds what is so now."""
CALENDAR = re.compile(r"(?i)(?:day|week_?day|day_?of_?(?:month|week)|month|hour|minute)s?")
"""Names of numbers of which another one is another time, however far it is."""
SWITCH = re.compile(r"(?i)enabled?|on|active|state|value|flag|status")
"""Names of flags that do not say what is on."""
SHORTEST = 3
"""Letters of a field's name that a tool's name may hold by chance."""
ADDRESS = re.compile(r"\d{1,3}(?:\.\d{1,3}){3}")
PERSON = Names(r"(?i)assignee|owner|reviewer|author|approver|technician|agent|manager|lead$|user(?:name)?$|login")
HANDLE = re.compile(r"[a-z]{2,}[._][a-z]{1,20}")
"""Names of fields for people, and what systems call one by."""
PLATE, CUT = re.compile(r"(?=[a-z]*\d)(?=\d*[a-z])[a-z\d]{6,12}"), 5
"""A code of letters and digits, which is another one where its end is cut off, and the least that is left of it."""
ADDS = frozenset({"add", "append", "attach", "plus", "additional", "extra"})
ADDING = frozenset({"add", "renew", "extend", "prolong", "topup", "increase", "grow", "buy"})
"""Verbs by which something is added to what is there."""
KIN = 10
"""How many times another a number may be that still is of its kind: a rate of tax and the tax are not."""


def otherwise(call: Call, turn: Turn) -> Iterator[tuple[Asked, Any]]:
    """What a call was asked for and its result has otherwise, with what is there; None for nothing."""
    part = own_part(call)
    shown = shown_in(part)[:MOST]
    single = [one for one in shown if not isinstance(one.value, (dict, list)) and not ID.search(one.name)]
    stands = plain(
        " ".join(str(one.value) for one in single if not NOTES.search(one.name) and not WRITTEN.search(one.name))
    )
    later = turn.said_after(call, REACH)
    open_ = set(open_texts(call.result_value))
    converted = in_another_unit(call)
    for asked in islice(chain(arguments(call.arguments), referred(call, turn)), ARGUED):
        if asked.former or ID.search(asked.name) or (converted and isinstance(asked.value, (int, float))):
            continue
        if (held := _pending(asked, part)) is not None:
            yield asked, held  # "email" is the old one, and "pending_email" the one that was asked for
            continue
        if _stands(asked.value, stands, shown) and not _stands_for_another(asked, shown):
            continue
        if any(matches(asked.value, later)):
            continue
        named = [one for one in shown if one.name == asked.name]
        named = [one for one in named if asked.parent and one.parent == asked.parent] or named
        got = twins(asked, call) or [
            inside(one.value, asked.value, bool(one.parent) or GRADES.search(one.name)) for one in named
        ]
        got = got or [
            inside(one.value, asked.value)
            for one in shown
            if not FORMER.search(one.name)
            and (one_name(asked.name, one) or (_alone(one, part, call) and only_number(asked, one, call)))
        ]
        got = got or [
            one.value for one in single if _is_of(asked.name, one.name) and _same_kind(asked.value, one.value)
        ]
        got = got or [one.value for one in shown if isinstance(one.value, list) and _adds_to(asked.name, one.name)]
        by_tool = [] if got else [one for one in shown if is_named_by(asked, one, call)]
        own = [one.value for one in by_tool if _same_kind(asked.value, one.value)]
        if not own and not comes(asked, call):  # a word is another one, or a spelling of it: that is looked at below
            own = [one.value for one in by_tool if isinstance(one.value, str)]
        got = got or own or [one.value for one in by_tool if unmoved(asked, one.name, one.value, call, turn)]
        if plain(asked.value) in open_ and (told := _instead(asked, got)):
            yield asked, told
            continue
        if len(got) == 1 and isinstance(got[0], list):
            if not call.undoes and _lacks(got[0], asked, call, turn):
                yield asked, None
        elif len({plain(one) for one in got}) == 1 and not any(isinstance(one, (list, dict)) for one in got):
            names = {one.name for one in shown if one.value == got[0]}
            yield from [(asked, got[0])] if _is_surely_other(asked, got[0], call, turn, bool(own), names) else ()


def _adds_to(asked: str, name: str) -> bool:
    """Whether an argument is what shall be added to a field's list: `add_labels`, and `labels`."""
    verb, *rest = words(asked) or ("",)
    return verb in ADDS and tuple(rest) == words(name)


def _instead(asked: Asked, got: Sequence[Any]) -> str:
    """What is there instead of what is only asked for; empty where that may be a spelling of it."""
    one = got[0] if len(got) == 1 else None
    told = one.get("name", one.get("code")) if isinstance(one, dict) else one
    apart = isinstance(told, str) and plain(told) not in plain(asked.value) and plain(asked.value) not in plain(told)
    return told if isinstance(told, str) and apart else ""


def unset(call: Call) -> Iterator[Asked]:
    """What a call was to switch on or off, and its result has the other way about, and only so."""
    shown = shown_in(own_part(call))[:MOST]
    for asked in islice(flags(call.arguments), ARGUED):
        own = twins(asked, call) or [one.value for one in shown if one_name(asked.name, one)]
        if not any(isinstance(one, bool) for one in own):
            own = [one.value for one in shown if _of_one_root(asked.name, one.name)]
        got = [one for one in own if isinstance(one, bool)]
        if got and asked.value not in got:
            yield asked
        elif not got and SWITCH.fullmatch(asked.name):  # `set_autorenew(enabled=False)`, and "auto_renew": true
            named = [one for one in shown if isinstance(one.value, bool) and _in_name(one.name, call)]
            if named and all(one.value is not asked.value for one in named):
                yield Asked(named[0].name, asked.value)


def _of_one_root(name: str, field: str) -> bool:
    """Whether two names of several words have the same ones in other forms: `auto_renewal` and `auto_renew`."""
    one, other = name_roots(name), name_roots(field)
    return len(one) > 1 and len(one) == len(other) and all(similar(word, other) for word in one)


def _in_name(field: str, call: Call) -> bool:
    """Whether a tool is called by a field: `auto_renew` of `set_autorenew`."""
    return len(field) > SHORTEST and folded(field) in folded(call.name)


def _alone(field: Shown, part: Any, call: Call) -> bool:
    """Whether a field may have the call's only number though it is called otherwise."""
    return part is not call.result_value or is_whole_thing(field, call)


def all_apart(call: Call) -> Iterator[tuple[Asked, str]]:
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


def _stands(value: Any, text: str, shown: Sequence[Shown]) -> bool:
    """Whether a result has somewhere what was asked for."""
    if isinstance(value, str):
        return plain(value) in text
    return any((own := number_of(one.value)) is not None and one_number(float(value), own) for one in shown)


def _pending(asked: Asked, part: Any) -> Any:
    """What a field of an argument's name has, where another one has the argument, and says by its name that it is pending.

    Or what is current, beside what is requested: {"currentTariff": "STANDARD", "requestedTariff": "FIX12"}.
    """
    shown = [(folded(name), value) for one in islice(objects(part), MOST) for name, value in one.items()]
    named = [one for one, value in shown if plain(value) == plain(asked.value)]
    name = folded(asked.name)
    wished = {f"{word}{name}" for word in ("pending", "requested")}
    if len(named) == 1 and named[0].startswith("requested"):
        name = f"current{named[0].removeprefix('requested')}"
        wished.add(named[0])
    own = [value for one, value in shown if one == name]
    return own[0] if len(named) == 1 and named[0] in wished and len(own) == 1 and differ(asked.value, own[0]) else None


def _stands_for_another(asked: Asked, shown: Sequence[Shown]) -> bool:
    """Whether a small number stands only in fields of other names, while the one of its own has another: 3 nights, 2 adults."""
    if isinstance(asked.value, str) or abs(asked.value) > SMALL:
        return False
    own = [number_of(one.value) for one in shown if one.name == asked.name and number_of(one.value) is not None]
    return len(own) == 1 and own[0] != asked.value


def _is_surely_other(asked: Asked, got: Any, call: Call, turn: Turn, deed: bool, names: Collection[str]) -> bool:
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
        return _is_other_number(asked, number_of(got) or 0.0, got, call, turn, deed, names)
    if isinstance(got, str) and len(value) == len(got) == 2 and value.isupper() and got.isupper():
        return value != got  # AM and PM
    if (
        not isinstance(got, str)
        or (len(value) < 3 and shape(value) == value)
        or not differ(value, got)
        or _shortened(plain(value), plain(got))
    ):
        return False
    if (len(got) <= 3 and got.isupper() and not value.isupper()) or (value[0] in "#@" and got[0] not in "#@"):
        return False  # "Spain" and ES, `#team` and the channel's id
    if RANGE.fullmatch(value) and RANGE.fullmatch(got):
        return True
    if TIME.fullmatch(value) and TIME.fullmatch(got):
        return value[:5] != got[:5] and ZONES.search(turn.everything()) is None
    if MOMENT.fullmatch(value) and MOMENT.match(got):
        zones = [one for one in (value, got) if ZONED.search(one)]
        if len(zones) == 2:
            moments = {instant(one) for one in zones}
            return len(moments) == 2 and None not in moments
        return value[:10] != got[:10] if zones else value[:16] != got[:16]
    if ADDRESS.fullmatch(value) and ADDRESS.fullmatch(got):
        return True
    if PERSON.search(asked.name) and HANDLE.fullmatch(value) and HANDLE.fullmatch(got):
        return value[:2] != got[:2]  # `jo.smith` is called `joanna.smith`, too
    if (
        codes_apart(value, got, asked.name, call.result_text[:REACH])
        or shape(value) == shape(got)
        or one_word_apart(plain(value).split(), plain(got).split())
    ):
        return True
    return _is_other_text(asked, got, call, turn, names)


def _is_other_text(asked: Asked, got: str, call: Call, turn: Turn, names: Collection[str]) -> bool:
    """Whether a text that is there is surely another one, by its name, or since it was known before."""
    value = asked.value
    if asked.name in names and NUMBERED.search(asked.name):
        told, there = digits_of(value)[-LAST:], digits_of(got)[-LAST:]
        return bool(told and there) and told != there
    if asked.name in names and APART_FROM.search(asked.name) and WORD.fullmatch(value) and WORD.fullmatch(got):
        held = (str(one.value) for one in shown_in(call.result_value)[:MOST] if not NOTES.search(one.name))
        shown = tokens(" ".join(held))
        return not any(similar(one, shown) for one in tokens(value))
    known = chain((turn.asked,), (one.result_text for one in turn.recent(call)), turn.spoken())
    return any(plain(got) in plain_text(text[:REACH]) for text in known)


def _is_other_number(
    asked: Asked, other: float, got: Any, call: Call, turn: Turn, deed: bool, names: Collection[str]
) -> bool:
    """Whether a number that is there is another one of the same kind than was asked for; see `_is_surely_other`."""
    value = asked.value
    if asked.name in names and CALENDAR.fullmatch(asked.name):
        return bool(value != other)
    low, high = sorted((abs(value), abs(other)))
    sets = deed or not SETS.isdisjoint(turn.marks.natures.verbs(call.name)) or bool(QUANTITY.fullmatch(asked.name))
    lower = abs(other) < abs(value) and sets
    verbs = turn.marks.natures.verbs(call.name)
    put = "set" in verbs or (asked.name in names and not MAKES.isdisjoint(verbs))  # nothing was there to be added to
    adds = abs(other) > abs(value) and not ADDING.isdisjoint(verbs)  # `renew_domain(years=3)`, which has 5 now
    whole = not adds and (lower or put or not GROWS.search(asked.name))
    return high < KIN * low and (whole or any(unmoved(asked, name, got, call, turn) for name in names))


def _shortened(value: str, got: str) -> bool:
    """Whether a result has but a part of a value, or the beginnings of its words: `4_NEGO` for "negotiation"."""
    if digits_of(value) and digits_of(got) not in digits_of(value):
        return False  # "17 Mill Road" is no short form of "71 Mill Road"
    if PLATE.fullmatch(value) and value.startswith(got) and CUT <= len(got) < len(value):
        return False  # "LNK4071" is no plate of "LNK40718"
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
    return any(whole in plain_text(one.result_text[:REACH]) for one in turn.recent(call))
