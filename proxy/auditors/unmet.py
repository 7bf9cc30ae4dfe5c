"""What an answer tells as a call was asked for it must not stand otherwise in that call's own result."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from proxy.audit import Finding
from proxy.auditors.effects import IDENTITY, differ, subject_of
from proxy.claims import Claim, answer_text
from proxy.dates import mentions
from proxy.fields import alike, words
from proxy.figures import sentence_around
from proxy.ledger import Call, Turn
from proxy.results import objects, one_line

AIMS = frozenset({"new", "target", "desired", "requested", "updated", "set", "to"})
"""Words by which an argument says that it is what shall be: `new_plan` is the plan."""
FORMER = re.compile(r"(?i)(?:^|_)(?:from|old|source|current|previous|original|return)")
"""Arguments that name what was there before."""
GROWS = re.compile(r"(?i)quantit|qty|count|amount|units?|points|balance|credit|total|size|page|limit")
"""Fields of which a result may show the whole, where a part was asked for, and the other way about."""
MOMENT = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?")
ON = re.compile(r"(?i)\b(?:on|enabled|yes|true|active|activated)\b|[✅✓✔]")
SCALES = (1.0, 60.0, 100.0, 1000.0, 1024.0, 3600.0)
"""What one unit of something is of another: cents, seconds, bytes."""
REACH = 20_000
"""Code points of a result that is read."""
SMALL = 12
"""A whole number up to this one stands in any text; it is what was asked for where the line has a word of its name."""


class Asked(NamedTuple):
    """One thing that a call was asked for: under which name, and by which argument."""

    name: str
    value: Any


@dataclass(frozen=True, slots=True)
class Unmet:
    """Compare what a change was asked for with what its result, or a later look, has under the same name.

    Asked for are the arguments of a call that landed, and what a look has shown of the thing that an argument names (the
    start of a slot, the price of a plan). Told is one that the answer states, where the result has another value that was
    known before, or nothing, or a list without it; where what was asked for stands nowhere in this and in later results, and
    the answer does not have what is there instead. `doubts` is an expression for sentences that do not mean it so exactly,
    `admits` one for answers that tell of some trouble.
    """

    doubts: str = ""
    admits: str = ""

    reads: ClassVar[frozenset[str]] = frozenset({"text"})

    def compare(self, turn: Turn, claims: Sequence[Claim]) -> list[Finding]:
        text = answer_text(claims)
        changes = [
            one for one in turn.landed_changes() if not one.effect and isinstance(one.result_value, (dict, list))
        ]
        if not changes or not text or (self.admits and re.search(self.admits, text)):
            return []
        findings: dict[str, Finding] = {}
        for call in changes:
            if len(call.result_text) <= REACH and not _again(call, turn):
                for asked, got in _unmet(call, turn):
                    told = self._told(asked, got, text)
                    if told:
                        is_there = "no such entry" if got is None else f"{one_line(str(got), 60)!r}"
                        reason = (
                            f"asked for {asked.name} {one_line(str(asked.value), 60)!r}, and the result has {is_there}"
                        )
                        finding = Finding("contradicted", subject_of(call), reason, one_line(told, 200), call.id)
                        findings.setdefault(finding.subject, finding)
                        break
        return list(findings.values())

    def _told(self, asked: Asked, got: Any, text: str) -> str:
        """The sentence by which an answer states what was asked for; empty where it does not, or has what is there."""
        if got is not None and not isinstance(got, bool) and any(_places(got, text)):
            return ""
        for start, end in _places(asked.value, text, asked.name):
            sentence = sentence_around(text, start, end)
            if not (self.doubts and re.search(self.doubts, sentence)):
                return sentence
        return ""


def _unmet(call: Call, turn: Turn) -> Iterator[tuple[Asked, Any]]:
    """What a call was asked for and its result has otherwise, with what is there; None for nothing."""
    shown = list(_fields(call.result_value))
    later = [other.result_text.casefold() for other in turn.calls[call.position + 1 :]]
    before = [other for other in (*turn.earlier(), *turn.calls[: call.position]) if other is not call]
    for asked in (*_arguments(call.arguments), *_referred(call, before)):
        if FORMER.search(asked.name) or _stands(asked.value, call.result_text, shown):
            continue
        if isinstance(asked.value, str) and any(_plain(asked.value) in _plain(one) for one in later):
            continue
        got = [value for name, value in shown if name == asked.name] or [
            value for name, value in shown if _one_name(asked.name, name) and not FORMER.search(name)
        ]
        lists = [value for value in got if isinstance(value, list)]
        plain = [value for value in got if not isinstance(value, (list, dict))]
        if lists and len(lists) == len(got) == 1:
            if _lacks(lists[0], asked, call, before):
                yield asked, None
        elif plain and len(plain) == len(got) and len({_plain(one) for one in plain}) == 1:
            if _otherwise(asked, plain[0], before, turn):
                yield asked, plain[0]


def _arguments(value: Mapping[str, Any], depth: int = 3) -> Iterator[Asked]:
    """The plain arguments of a call, those in lists one by one; those of an object also by the object's name."""
    for name, inner in value.items():
        for one in inner if isinstance(inner, list) else [inner]:
            if isinstance(one, dict) and depth:
                yield from _arguments(one, depth - 1)
                yield from (Asked(name, told) for key, told in one.items() if key == "name" and isinstance(told, str))
            elif isinstance(one, (str, int, float)) and not isinstance(one, bool) and one != "":
                yield Asked(name, one)


def _referred(call: Call, before: Sequence[Call]) -> Iterator[Asked]:
    """What looks have shown of the things that arguments name by their ids, but for the thing that the result is about."""
    for name, value in call.arguments.items():
        if not isinstance(value, str) or len(value) < 3 or FORMER.search(name) or value in call.result_text:
            continue
        for other in reversed(before):
            things = objects(other.result_value) if value in other.result_text else ()
            thing = next((one for one in things if _is(one, value)), None)
            if thing is not None:
                yield from (
                    Asked(key, told)
                    for key, told in thing.items()
                    if isinstance(told, (str, int, float)) and not isinstance(told, bool) and not IDENTITY.search(key)
                )
                break


def _is(thing: Mapping[str, Any], identity: str) -> bool:
    return any(value == identity and IDENTITY.search(key) for key, value in thing.items())


def _fields(value: Any, depth: int = 4) -> Iterator[tuple[str, Any]]:
    """The fields of a result, lists and objects among them, by their own names."""
    for one in objects(value, depth):
        yield from one.items()


def _one_name(asked: str, field: str) -> bool:
    """Whether a field is what an argument asks for: `new_plan` and `plan`, `labels` and `label`."""
    wanted = tuple(word for word in words(asked) if word not in AIMS)
    return bool(wanted) and wanted == words(field)


def _stands(value: Any, text: str, shown: Sequence[tuple[str, Any]]) -> bool:
    """Whether a result has somewhere what was asked for."""
    if isinstance(value, str):
        return _plain(value) in _plain(text)
    return any(_number(one) is not None and _same(float(value), _number(one) or 0.0) for _, one in shown)


def _otherwise(asked: Asked, got: Any, before: Sequence[Call], turn: Turn) -> bool:
    """Whether the value that is there is surely another one, of the same kind."""
    value = asked.value
    if got is None:
        return isinstance(value, str) and len(value) >= 2
    if isinstance(got, bool):
        return False
    if not isinstance(value, str):
        other = _number(got)
        return other is not None and isinstance(got, (int, float)) and not GROWS.search(asked.name)
    if not isinstance(got, str) or len(value) < 3 or not differ(value, got) or _plain(got) in _plain(value):
        return False
    if MOMENT.fullmatch(value) and MOMENT.match(got):
        return value[:10] != got[:10] if got[16:].strip(":0.") else value[:16] != got[:16]
    said = (turn.asked, *turn.spoken())
    return any(_plain(got) in _plain(text) for text in (*said, *(one.result_text for one in before)))


def _lacks(entries: Sequence[Any], asked: Asked, call: Call, before: Sequence[Call]) -> bool:
    """Whether a list that holds what was asked for of old, or is empty, has not what was asked for now."""
    told = _plain(str(entries))
    if not isinstance(asked.value, str) or len(asked.value) < 2 or "*" in told or len(entries) >= 10:
        return False
    others = [one.value for one in _arguments(call.arguments) if one.name == asked.name and one.value != asked.value]
    kin = any(isinstance(one, str) and _plain(one) in told for one in others)
    return (
        not entries or kin or any(_plain(str(list(entries))[1:-1])[:200] in _plain(one.result_text) for one in before)
    )


def _again(call: Call, turn: Turn) -> bool:
    """Whether the same tool landed once more: what the first call left undone, another one may have done."""
    return any(other.name == call.name for other in turn.landed_changes() if other.position > call.position)


def _places(value: Any, text: str, name: str = "") -> Iterator[tuple[int, int]]:
    """Where an answer has a value; a small number only where the line has a word of its name."""
    if isinstance(value, str) and (moment := MOMENT.fullmatch(value)):
        for one in mentions(text):
            if any((date.month, date.day) == (int(value[5:7]), int(value[8:10])) for date in one.dates):
                yield one.start, one.end
        return
    if isinstance(value, (int, float)):
        spelled = f"{value:,.2f}" if isinstance(value, float) and not value.is_integer() else f"{value:g}"
        forms = {spelled, spelled.replace(",", ""), f"{value:.2f}", spelled.translate(str.maketrans(",.", ".,"))}
        pattern = rf"(?<![\w.,/-])(?:{'|'.join(map(re.escape, forms))})(?:[.,]0+)?(?![\w/-]|[.,]\d)"
    else:
        pieces = [re.escape(one) for one in re.split(r"[\W_]+", str(value)) if one]
        spelled = r"[\W_]{0,3}".join(pieces)
        pattern = rf"(?i)(?<!\w){spelled}(?!\w)" if pieces else r"(?!)"
    for found in re.finditer(pattern, text):
        small = isinstance(value, (int, float)) and abs(value) <= SMALL
        line = words(sentence_around(text, *found.span())) if small else ()
        if not small or any(alike(word, own) for own in words(name) for word in line):
            yield found.span()


def _plain(value: Any) -> str:
    return re.sub(r"[\W_]+", " ", str(value)).strip().casefold()


def _number(value: Any) -> float | None:
    if isinstance(value, bool):
        return None
    try:
        return float(value) if isinstance(value, (int, float, str)) else None
    except ValueError:
        return None


def _same(one: float, other: float) -> bool:
    """Whether two numbers are one in some unit."""
    low, high = sorted((abs(one), abs(other)))
    return any(abs(low * scale - high) <= 0.001 * high for scale in SCALES)
