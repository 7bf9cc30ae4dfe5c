"""Whether the result of a change says, in whatever shape, that nothing came of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

from proxy.failed_words import (
    ABOUT,
    AGAIN,
    AGAINST,
    ASIDE,
    ATTRIBUTE,
    BESIDE,
    BREAK,
    CODE,
    CODES,
    COUNTED,
    DONE,
    ERRORS,
    FINE,
    FLAGS,
    GOOD,
    GRADES,
    GRANTS,
    GRAVE,
    KEYS,
    KV,
    LATE,
    LEVELS,
    MAKES,
    NONE,
    NOT,
    OF_CODE,
    PAYS,
    PROGRAM,
    REFUSAL,
    REFUSES,
    SHOUTED,
    SO_BEFORE,
    STATE,
    STATES,
    TROUBLE,
    WELL,
    WELL_SAID,
    WHY,
    WHY_NOT,
    XML,
    XML_ERROR,
)
from proxy.results import MISSING, Result, strings
from proxy.roots import name_roots, name_words, root
from proxy.underway import is_going, is_otherwise, switches_off

MOST, DEEP, LONG, SAID = 60, 3, 600, 20
"""Fields of a result that are read, objects within objects, code points of a line that may refuse, and states of a text."""
READ, ENTRIES, FEW = 20_000, 200, 20
"""Code points of arguments whose texts are known, entries of a list that are looked at, fields of what only complains."""
WHEN = frozenset(("at", "on", "for", "by", "date"))
"""Words behind a past form by which a field says when it was done."""
BACK = re.compile(r"roll ?back|revert|undo|restore")
"""Words of tools that are to take something back."""
GIVEN = re.compile(r'"([^"\\]{6,200})"')


class Asked(NamedTuple):
    """What a call was for: the words of its tool's name and their roots, their verb, and its arguments in lower case."""

    words: tuple[str, ...]
    roots: frozenset[str]
    verb: str
    raw: str

    @property
    def against(self) -> bool:
        """Whether it was to end something, or to refuse it."""
        return any(AGAINST.match(word) for word in self.words) or REFUSES.search(self.raw) is not None

    def fails(self, told: str) -> bool:
        """Whether a state says that nothing came of it, and that is not what was wanted."""
        if any(GRADES.match(word) for word in self.words):
            return False
        if denied := NOT.fullmatch(told):
            return root(denied[1]) in DONE or (
                root(denied[1])[:4] in {one[:4] for one in self.roots} and not self.against
            )
        found = STATE.fullmatch(told)
        if found is None:
            return False
        last = (found["hard"] or found["soft"]).split()[-1][:5]
        if last in self.raw or any(word.startswith(last) for word in self.words):
            return False
        return found["hard"] is not None or not self.against


class Field(NamedTuple):
    """A field of a result: the words of its name, and what it has."""

    words: tuple[str, ...]
    value: Any


def tells_failure(result: Result, name: str, raw: str, verb: str) -> bool:
    """Whether a result says of a change by this tool, with these arguments, that it did not come about."""
    asked = Asked(name_words(name), name_roots(name), root(verb), raw.lower())
    if result.value is None:
        return result.text.strip() == "false" or _in_text(result.edges, asked)
    return _in_value(result.value, asked)


def _in_value(value: Any, asked: Asked) -> bool:
    if isinstance(value, list):
        inner = [one for one in value if isinstance(one, dict)]
        return len(inner) == 1 and _in_value(inner[0], asked)
    if not isinstance(value, dict) or not value:
        return False
    fields = list(islice(_fields(value, asked), MOST))
    if any(_is_well(one) for one in fields):
        return False
    other = is_otherwise(" ".join(asked.words), value) or is_going(value) or switches_off(asked.raw)
    return (
        any(_errs(one, asked) or _stands(one, asked) or _denies(one, asked) for one in fields)
        or (
            not other and any(_undone(Field(name_words(name), one), asked) for name, one in islice(value.items(), MOST))
        )
        or _refused(value, asked)
        or _made_nothing(fields, asked)
        or _unchanged(fields, asked)
        or _only_complains(value)
        or any(_all_failed(one, asked) for one in (value, *(field.value for field in fields)))
    )


def _fields(value: Mapping[str, Any], asked: Asked, depth: int = DEEP) -> Iterator[Field]:
    """The fields of an object and of those within it that are about the call: not what was before, and no other thing's."""
    for name, one in value.items():
        words = name_words(name)
        if words and (ASIDE.isdisjoint(words) or words == ("level",)):
            yield Field(words, one)
            if (
                isinstance(one, dict)
                and depth
                and (not ABOUT.isdisjoint(words) or not asked.roots.isdisjoint(map(root, words)))
            ):
                yield from _fields(one, asked, depth - 1)


def _is_well(field: Field) -> bool:
    """Whether a field says that it went well: `success: true`, `status: "queued"`."""
    words, value = field
    if value is True:
        return root(words[-1]) in FLAGS
    if not isinstance(value, str) or not (words[-1] in STATES or words == ("code",)):
        return False
    return WELL.fullmatch(value.strip()) is not None and (len(words) == 1 or not ABOUT.isdisjoint(words))


def _errs(field: Field, asked: Asked) -> bool:
    """Whether a field names one error that there is; what a list of some tells may be a part."""
    words, value = field
    own = ERRORS.intersection(words)
    if (
        not own
        or (words[0] == "failed" and len(words) > 1)
        or any(word.startswith(one[:6]) for one in own for word in asked.words)
    ):
        return False
    if isinstance(value, bool):
        return value and words[-1] in ERRORS
    if isinstance(value, str):
        return NONE.fullmatch(value) is None and not (words[-1] in CODES and FINE.fullmatch(value))
    if isinstance(value, (int, float)):
        return value != 0 and words[-1] in ("code", "no", "number", "errno")
    return isinstance(value, dict) and bool(value) and words[-1] != "errors"


def _stands(field: Field, asked: Asked) -> bool:
    """Whether a field says of the call, or of what it was to make, that it was refused, or failed."""
    words, value = field
    if not isinstance(value, str) or len(value) > LONG:
        return False
    if words[-1] in LEVELS and len(words) == 1:
        return value.lower() in GRAVE and f'"{value.lower()}"' not in asked.raw
    if (
        len(words) == 1
        and root(words[0])[:6] == asked.verb[:6]
        and value.lower().startswith(("not_", "not ", "denied", "rejected", "refused", "failed"))
    ):
        return True  # `dispatch: "NOT_STARTED"`
    if not (words[-1] in STATES or (words[-1] == "code" and len(words) > 1)):
        return False
    if len(words) > 1 and ABOUT.isdisjoint(words[:-1]) and words[0] not in STATES:
        own = asked.roots | {asked.verb}
        if not any(root(one) in own or root(one)[:5] == asked.verb[:5] for one in words[:-1]):
            return False
    return asked.fails(" ".join(name_words(value)))


def _denies(field: Field, asked: Asked) -> bool:
    """Whether a flag says that it did not come about: `recorded: false`, `released: "N"` of `release_unit`."""
    words, value = field
    if words in (("rolled", "back"), ("reverted",)):
        return value is True and not asked.against
    if not (value is False or value in ("N", "n", "no", "false")) or len(words) > 2:
        return False
    flag = root(words[-1])
    if flag[:5] in asked.raw:
        return False  # `accept: false`
    if value is not False:
        return flag == asked.verb and words[-1] != asked.words[-1]
    paid = words[-1] in ("approved", "authorized") and not asked.roots.isdisjoint(PAYS)
    plainly = words[-1] in ("success", "ok") or words == ("result",)
    plainly = plainly or (words[-1] in ("saved", "persisted", "committed") and not BACK.search(" ".join(asked.words)))
    return plainly or (flag in FLAGS and not asked.against) or paid


def _refused(value: Mapping[str, Any], asked: Asked) -> bool:
    """Whether a flag says that it was not agreed to, and another field why; or a code that it went wrong, beside its text."""
    fields = {name_words(name): one for name, one in islice(value.items(), MOST)}
    why = any(one and WHY_NOT.intersection(words) for words, one in fields.items())
    flags = (words[-1] for words, one in fields.items() if words and one is False and words[-1][:5] not in asked.raw)
    if why and any(flag in GRANTS for flag in flags):
        return True
    for words, one in fields.items():
        if len(words) == 2 and words[1] == "code" and words[0] in OF_CODE and type(one) in (str, int):
            texts = [said for other, said in fields.items() if other != words and other[:1] == words[:1] and said]
            wrong = re.fullmatch(r"-?\d+", str(one)) and FINE.fullmatch(str(one)) is None
            if wrong and any(isinstance(said, str) and not WELL_SAID.search(said) for said in texts):
                return True
    return False


def _undone(field: Field, asked: Asked) -> bool:
    """Whether a past form of the tool's own verb says that nothing came of it: `moved: false`, `archived_at: null`."""
    words, value = field
    if not (value is False or value is None or value == []) or not (words and asked.verb) or words[0] == asked.verb:
        return False
    past = root(words[0]) == asked.verb and words[0].endswith(("ed", "nt", "en", "ada", "ado"))
    when = len(words) == 2 and words[1] in WHEN
    return past and (when if value is None else len(words) == 1)


def _unchanged(fields: Sequence[Field], asked: Asked) -> bool:
    """Whether what was so before is so after: `tier_before: 1, tier_after: 1`."""
    told = {one.words: one.value for one in fields if one.words[-1] in ("before", "after") and one.value is not None}
    same = (words for words, value in told.items() if told.get((*words[:-1], "before"), MISSING) == value)
    return any(words[-1] == "after" and any(word in asked.raw for word in words[:-1]) for words in same)


def _made_nothing(fields: Sequence[Field], asked: Asked) -> bool:
    """Whether what was to be made, or counted, is not there, where the result says why."""
    why = any(isinstance(one.value, (str, list)) and one.value and not WHY.isdisjoint(one.words) for one in fields)
    other = any(
        one.value and not isinstance(one.value, (int, float)) and str(one.value).lower() not in asked.raw
        for one in fields
    )
    makes = MAKES.match(asked.verb) is not None
    if (not why and not (other and makes)) or any(
        isinstance(one.value, str) and SO_BEFORE.search(one.value[:LONG]) for one in fields
    ):
        return False
    made = [one for one in fields if one.words[-1] in KEYS and one.value and str(one.value).lower() not in asked.raw]
    for words, value in fields:
        if value is None or value == "":
            if words[-1] in KEYS and not made and not asked.against:
                return True
        elif (
            why
            and (value == [] or (value == 0 and value is not False))
            and (words[0] in COUNTED or (len(words) == 1 and root(words[0]) == asked.verb and not asked.against))
        ):
            return True
    return False


def _only_complains(value: Mapping[str, Any]) -> bool:
    """Whether an object has nothing but a code and words of trouble: `{"code": 40012, "msg": "…", "data": null}`."""
    if len(value) > FEW:
        return False
    told = {name_words(name): one for name, one in value.items() if one not in (None, "", [], {})}
    if not told or not all(
        WHY.intersection(one) or BESIDE.intersection(one) or CODES.intersection(one) for one in told
    ):
        return False
    if any(isinstance(one, dict) for words, one in told.items() if WHY.isdisjoint(words)):
        return False
    said = [one for words, one in told.items() if WHY.intersection(words) or words[-1] in ("name", "type")]
    text = " ".join(one[:LONG] for one in islice(strings(said), MOST))
    if not text or WELL_SAID.search(text):
        return False
    codes = [str(one) for words, one in told.items() if words[-1] in CODES and type(one) in (str, int)]
    if any(FINE.fullmatch(one) is None for one in codes):
        return True
    return not codes and TROUBLE.search(text) is not None


def _all_failed(value: Any, asked: Asked) -> bool:
    """Whether the only list that has any entries is that of what failed, or each of its entries tells of an error."""
    if not isinstance(value, dict):
        return False
    held = [(name_words(name), one) for name, one in islice(value.items(), MOST) if isinstance(one, list) and one]
    if len(held) != 1 or not held[0][0] or any(type(one) is int and one > 0 for one in value.values()):
        return False
    words, entries = held[0]
    if ERRORS.intersection(words):
        done = any(one for one in value.values() if one is not entries and isinstance(one, (dict, str)))
        return asked.roots.isdisjoint(map(root, words)) and not done
    rows = entries[:ENTRIES]
    return all(isinstance(one, dict) and any(_errs(each, asked) for each in _fields(one, asked, 1)) for one in rows)


def _in_text(text: str, asked: Asked) -> bool:
    """Whether a text says so: by a state, a code, the line of a program that failed, or a first line that refuses."""
    said = [found["said"] for pattern in (KV, XML, ATTRIBUTE) for found in islice(pattern.finditer(text), SAID)]
    if any(asked.fails(" ".join(name_words(one))) for one in said):
        return not any(WELL.fullmatch(one.strip()) for one in said)
    if text.lstrip()[:1] == "<":
        return XML_ERROR.search(text) is not None
    first, last = text.strip().partition("\n")[0], text.strip().rpartition("\n")[2]
    if (found := CODE.search(text)) is not None and not GOOD.search(text) and not re.fullmatch("2..", found["said"]):
        return True
    if PROGRAM.search(text):
        return PROGRAM.search(last) is not None or not (GOOD.search(last) or re.match(r"2\d\d\b", last))
    plain = _without(first, asked.raw) if len(first) <= LONG else ""
    if SHOUTED.search(plain) and not asked.against:
        return not GOOD.search(plain)
    if LATE.search(_without(text[:LONG], asked.raw)) and not asked.against and not GOOD.search(text[:LONG]):
        return True
    refused = REFUSAL.search(plain) if first == last or not GOOD.search(last) else None
    if refused is None or AGAIN.search(plain):
        return refused is not None
    return not BREAK.search(plain, 0, refused.start()) and not GOOD.search(
        plain[: refused.start()] + plain[refused.end() :]
    )


def _without(text: str, raw: str) -> str:
    """A text without what was given to the call: "Ticket 'Login failed' created"."""
    lowered = text.lower()
    for one in GIVEN.findall(raw[:READ]):
        at = lowered.find(one)
        if at >= 0:
            text, lowered = text[:at] + text[at + len(one) :], lowered[:at] + lowered[at + len(one) :]
    return text
