"""Whether the result of a change says, in whatever shape, that nothing came of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

from proxy.done_words import LONG, PAST, tells_own
from proxy.failed_words import (
    ABOUT,
    AGAIN,
    AGAINST,
    ASIDE,
    ATTRIBUTE,
    BAD,
    BESIDE,
    BREAK,
    CODE,
    CODED,
    CODES,
    COUNT,
    COUNTED,
    DECIDED,
    DECIDES,
    DONE,
    DONE_SO,
    ENDS,
    ERRED,
    ERRORS,
    FAILED_SO,
    FINE,
    FLAGS,
    GOOD,
    GRADES,
    GRANTS,
    IN_ALL,
    KEYS,
    KV,
    LAST,
    LATE,
    LET_IN,
    LEVELS,
    LISTS,
    MAKES,
    NO_LONGER,
    NONE,
    NONE_OF,
    NOT,
    OF_CODE,
    OF_ERRORS,
    PAYS,
    PROGRAM,
    REFUSAL,
    REFUSES,
    SAYS,
    SO_BEFORE,
    STATE,
    STATED,
    STATES,
    TAKEN,
    TROUBLE,
    TURNED_AWAY,
    WELL,
    WELL_SAID,
    WHY,
    WHY_NOT,
    WRONG,
    XML,
    XML_ERROR,
)
from proxy.own_objects import bounced, is_instruction, was_given
from proxy.results import MISSING, Result, strings
from proxy.roots import name_roots, name_words, root
from proxy.underway import is_going, is_otherwise, switches_off

MOST, DEEP, SAID = 60, 3, 20
"""Fields of a result that are read, objects within objects, and states of a text."""
READ, ENTRIES, FEW = 20_000, 200, 20
"""Code points of arguments that are known, entries of a list that are looked at, fields of what only complains."""
SAVED = (("saved",), ("persisted",), ("committed",))
"""Flags of what was to last."""
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

    def names(self, word: str) -> bool:
        """Whether a word is one of the tool's name, or a noun of its verb: "enrollment" of `enroll_student`."""
        own = root(word)
        return own in self.roots or (
            len(self.verb) > 4 and word.startswith(self.verb) and word.endswith(("ment", "ation"))
        )

    def fails(self, told: str) -> bool:
        """Whether a state says that nothing came of it, and that is not what was wanted."""
        if any(GRADES.match(word) for word in self.words) or told.startswith(NONE_OF):
            return False
        if denied := NOT.fullmatch(told):
            own = told.startswith("not ") and root(denied[1])[:4] in {one[:4] for one in self.roots}
            return root(denied[1]) in DONE or (own and not self.against)
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
    asked = Asked(name_words(name), name_roots(name), root(verb), raw[:READ].lower())
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
    if any(_is_well(one) or _partly(one.value) for one in fields):
        return False
    return (
        any(_errs(one, asked) or _stands(one, asked) or _denies(one, asked) for one in fields)
        or (
            any(_undone(Field(name_words(name), one), asked) for name, one in islice(value.items(), MOST))
            and not (is_otherwise(" ".join(asked.words), value) or is_going(value) or switches_off(asked.raw))
        )
        or _refused(value, asked)
        or _made_nothing(fields, asked)
        or _unchanged(fields, asked)
        or _only_complains(value, asked)
        or bounced(value, asked.verb)
        or any(_all_failed(one, asked) for one in (value, *(field.value for field in fields)))
    )


def _fields(value: Mapping[str, Any], asked: Asked, depth: int = DEEP) -> Iterator[Field]:
    """The fields of an object and of those within it that are about the call: not what was before, and no other thing's."""
    for name, one in value.items():
        words = name_words(name)
        if words and (ASIDE.isdisjoint(words) or words == ("level",)):
            yield Field(words, one)
            about = any(map(asked.names, words)) or is_instruction(words, one, asked.roots)
            about = about or (not ABOUT.isdisjoint(words) and not was_given(one, asked.raw))
            if isinstance(one, dict) and depth and about:
                yield from _fields(one, asked, depth - 1)


def _is_well(field: Field) -> bool:
    """Whether a field says that it went well: `success: true`, `status: "queued"`."""
    words, value = field
    if value is True:
        return words[-1] in FLAGS
    if not isinstance(value, str) or not (words[-1] in STATES or words == ("code",)):
        return False
    return WELL.fullmatch(value.strip()) is not None and (len(words) == 1 or not ABOUT.isdisjoint(words))


def _partly(value: Any) -> bool:
    """Whether one of a list's entries says that it went well: what went wrong beside it is a part."""
    rows = [one for one in islice(value, MOST) if isinstance(one, dict)] if isinstance(value, list) else []
    return len(rows) > 1 and any(_is_well(Field(name_words(key), one)) for row in rows for key, one in row.items())


def _errs(field: Field, asked: Asked) -> bool:
    """Whether a field names one error that there is, and that the call was not given; a list of some may be a part."""
    words, value = field
    if words == ("return", "code") and type(value) is int:
        return value != 0 and "return" not in asked.words  # nor is it that of what is brought back
    named = (
        words[-1] in ERRORS
        or words[-1].endswith(ERRED)
        or words[-2:] == ("fault", "string")
        or (len(words) > 1 and words[-2] in OF_ERRORS and words[-1] in SAYS)
    )
    if not named or any(word.startswith(one[:6]) for one in words[-2:] for word in asked.words if one not in SAYS):
        return False
    if isinstance(value, bool):
        return value
    if isinstance(value, str):
        coded = (words[-1] in CODES or words[-1].endswith(ERRED)) and FINE.fullmatch(value)
        return NONE.fullmatch(value) is None and not coded and value[:LONG].lower() not in asked.raw
    if isinstance(value, (int, float)):
        return value != 0 and words[-1] in ("code", "no", "number")
    return isinstance(value, dict) and bool(value) and words[-1] != "errors"


def _stands(field: Field, asked: Asked) -> bool:
    """Whether a field says of the call, or of what it was to make, that it was refused, or failed."""
    words, value = field
    if not isinstance(value, str) or len(value) > LONG:
        return False
    if (
        len(words) == 1
        and root(words[0])[:6] == asked.verb[:6]
        and value.lower().startswith(("not_", "not ", "denied", "rejected", "refused", "failed"))
    ):
        return True  # `dispatch: "NOT_STARTED"`
    if not (words[-1] in STATES or words[-1] in STATED or (words[-1] == "code" and len(words) > 1)):
        return False
    if len(words) > 1 and ABOUT.isdisjoint(words[:-1]) and words[0] not in STATES:
        own = asked.roots if MAKES.match(asked.verb) else frozenset()  # a thing that was there has a state of its own
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
    staged = words == ("committed",) and not asked.roots.isdisjoint(("add", "stag"))  # `git_add`
    kept = words in SAVED and not staged and not BACK.search(" ".join(asked.words))
    return paid or kept or words == ("result",) or (len(words) == 1 and words[0] in FLAGS)


def _refused(value: Mapping[str, Any], asked: Asked, depth: int = DEEP) -> bool:
    """Whether a flag says that it was not agreed to, and another field why; or a code that it went wrong, beside its text."""
    fields = {name_words(name): one for name, one in islice(value.items(), MOST)}
    whys = [str(one)[:LONG].lower() for words, one in fields.items() if one and WHY_NOT.intersection(words)]
    if any(why not in asked.raw for why in whys) and any(fields.get((flag,)) is False for flag in GRANTS):
        return True
    said = (one for words, one in fields.items() if isinstance(one, str) and one and WHY.intersection(words))
    if any(TROUBLE.search(one[:LONG]) and one[:LONG].lower() not in asked.raw for one in said) and not asked.against:
        taken = (words[0] for words, one in fields.items() if one is False and len(words) == 1)
        if any(one in TAKEN or tells_own(one, (asked.verb,)) for one in taken):
            return True
    if any(one == "E" and words[-1] in LEVELS for words, one in fields.items()) and any(
        one and SAYS.intersection(words) for words, one in fields.items()
    ):
        return True
    for words, one in fields.items():
        if words[-1:] and words[-1].endswith(CODED) and WRONG.fullmatch(str(one)):
            return True
        if len(words) == 2 and words[1] == "code" and words[0] in OF_CODE and type(one) in (str, int):
            texts = [said for other, said in fields.items() if other != words and other[:1] == words[:1] and said]
            plain = re.fullmatch(r"-?\d+", str(one)) and FINE.fullmatch(str(one)) is None
            wrong = plain or WRONG.fullmatch(str(one))
            if wrong and str(one)[0] == "-":
                return True
            if wrong and any(isinstance(said, str) and TROUBLE.search(said[:LONG]) for said in texts):
                return True
    logs = (one[0] for one in fields.values() if depth and isinstance(one, list) and one and _is_message(one[0]))
    return any(_refused(each, asked, depth - 1) for each in logs)


def _is_message(value: Any) -> bool:
    """Whether an entry of a list is one of a log of messages: `{"typ": "E", "txt": "exceeds what is there"}`."""
    return isinstance(value, dict) and len(value) <= FEW and any(name.lower() in LEVELS for name in value)


def _undone(field: Field, asked: Asked) -> bool:
    """Whether a past form of the tool's own verb says that nothing came of it: `moved: false`, `removed: []`."""
    words, value = field
    past = len(words) == 1 and root(words[0]) == asked.verb and words[0].endswith(PAST)
    return past and (value is False or value == []) and words[0] != asked.verb


def _unchanged(fields: Sequence[Field], asked: Asked) -> bool:
    """Whether what was so before is so after: `tier_before: 1, tier_after: 1`."""
    told = {one.words: one.value for one in fields if one.words[-1] in ("before", "after") and one.value is not None}
    same = (
        words
        for words, value in told.items()
        if told.get((*words[:-1], "before"), MISSING) == value and str(value).lower() not in asked.raw
    )
    return any(words[-1] == "after" and any(word in asked.raw for word in words[:-1]) for words in same)


def _made_nothing(fields: Sequence[Field], asked: Asked) -> bool:
    """Whether what was to be made, or counted, is not there, where the result says why."""
    texts = [one.value for one in fields if isinstance(one.value, str)]
    why = any(isinstance(one.value, (str, list)) and one.value and not WHY.isdisjoint(one.words) for one in fields)
    if not why or any(SO_BEFORE.search(one[:LONG]) for one in texts):
        return False
    made = any(one.words[-1] in KEYS and one.value and str(one.value).lower() not in asked.raw for one in fields)
    counts = any(type(one.value) is int and one.value > 0 for one in fields)
    makes = MAKES.match(asked.verb) is not None and not asked.against
    for words, value in fields:
        if value is None or value == "":
            own = len(words) == 1 or not asked.roots.isdisjoint(map(root, words[:-1])) or words[-1] == "confirmation"
            if words[-1] in KEYS and own and makes and not made:
                return True
        elif value == [] or (value == 0 and value is not False):
            own = words[0] in COUNTED or (len(words) == 1 and root(words[0]) == asked.verb and not asked.against)
            if own and not counts:
                return True
    return False


def _only_complains(value: Mapping[str, Any], asked: Asked) -> bool:
    """Whether an object has nothing but a code and words of trouble: `{"code": 40012, "msg": "…", "data": null}`."""
    if len(value) > FEW:
        return False
    told = {name_words(name): one for name, one in value.items() if one not in (None, "", [], {})}
    if not all(told):
        return False
    if not told or not all(
        WHY.intersection(one) or BESIDE.intersection(one) or CODES.intersection(one) for one in told
    ):
        return False
    if any(isinstance(one, dict) for words, one in told.items() if WHY.isdisjoint(words)):
        return False
    said = [one for words, one in told.items() if WHY.intersection(words) or words[-1] in ("name", "type")]
    text = _without(" ".join(one[:LONG] for one in islice(strings(said), MOST)), asked.raw)
    if not text or WELL_SAID.search(text) or GOOD.search(text):
        return False
    found = TROUBLE.search(text)
    if found is None or any(word.startswith(found.group().lower()[:4]) for word in asked.words):
        return False
    codes = [str(one) for words, one in told.items() if words[-1] in CODES and type(one) in (str, int)]
    if codes:
        return any(FINE.fullmatch(one) is None for one in codes)
    return len(told) > 1 or REFUSAL.search(text) is not None or BAD.search(text) is not None


def _all_failed(value: Any, asked: Asked) -> bool:
    """Whether the only list that has any entries is that of what failed, or each of its entries tells of an error."""
    if not isinstance(value, dict):
        return False
    lists = [(name_words(name), one) for name, one in islice(value.items(), MOST) if isinstance(one, list)]
    held = [(words, one) for words, one in lists if one]
    away = [not TURNED_AWAY.isdisjoint(words[-1:]) for words, _ in held]
    if any(away) and any(not one and not LET_IN.isdisjoint(words[-1:]) for words, one in lists):
        decides = DECIDED.search(asked.raw) or any(DECIDES.match(word) for word in asked.words)
        if not (asked.against or decides):
            return all(away)
    if len(held) != 1 or not held[0][0] or any(type(one) is int and one > 0 for one in value.values()):
        return False
    words, entries = held[0]
    if words[-1] in LISTS:
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
    text = _without(text, asked.raw)
    if (none := _counts_none(text)) is not None:
        return none
    first, last = text.strip().partition("\n")[0], text.strip().rpartition("\n")[2]
    if (found := CODE.search(text)) is not None and not GOOD.search(text):
        return not re.fullmatch("2..", found["said"] or found["short"])
    aborted = re.match(rf"\W*{re.escape(asked.verb)}\w* aborted\b", last) if asked.verb else None
    graded = any(GRADES.match(word) for word in asked.words)
    if not asked.against and (aborted or (LAST.search(last[:LONG]) and not graded)):
        return True
    if PROGRAM.search(text):
        return PROGRAM.search(last) is not None or not (GOOD.search(last) or re.match(r"2\d\d\b", last))
    plain = first if len(first) <= LONG else ""
    late = NO_LONGER.search(text[-LONG:])
    if late is not None and asked.names(late[1].lower()):
        return True
    refusal = ENDS if asked.against else REFUSAL
    if LATE.search(text[:LONG]) and not asked.against and not GOOD.search(text[:LONG]):
        return True
    refused = refusal.search(plain) if first == last or not GOOD.search(last) else None
    if AGAIN.search(plain) and not GOOD.search(plain):
        return True
    if refused is None:
        return False
    return not BREAK.search(plain, 0, refused.start()) and not GOOD.search(
        plain[: refused.start()] + plain[refused.end() :]
    )


def _counts_none(text: str) -> bool | None:
    """Whether lines that count what was done count nothing, and failures; None where they count something, or none counts."""
    counts = [(found[1].lower(), int(found[2])) for found in islice(COUNT.finditer(text), SAID)]
    counted = {name for name, count in counts if count} - IN_ALL
    if counted <= FAILED_SO and any(name in DONE_SO and not count for name, count in counts):
        return bool(counted)
    return None


def _without(text: str, raw: str) -> str:
    """A text without what was given to the call: "Ticket 'Login failed' created"."""
    lowered = text.lower()
    for one in GIVEN.findall(raw):
        at = lowered.find(one)
        if at >= 0:
            text, lowered = text[:at] + text[at + len(one) :], lowered[:at] + lowered[at + len(one) :]
    return text
