"""What the result of a change lists as left out, refused, or still as it was, beside what was done."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from proxy.ledger import Call, Turn
from proxy.results import lists, objects, one_line, scalars
from proxy.roots import name_roots, name_words, root

WHYS = ("error", "reason", "msg", "message", "detail")
"""Fields that say why nothing was made."""
ERRORS = ("error", "error_message", "errorMessage", "failure", "failure_reason")
"""Those that say what went wrong."""
STATES = ("status", "state", "result", "outcome", "code")
AWAY = frozenset(
    {"failed", "failures", "fail", "nok", "skipped", "rejected", "refused", "unmatched", "bounced", "errors"}
)
LISTED = frozenset(
    {
        "list",
        "items",
        "ids",
        "users",
        "entries",
        "records",
        "lines",
        "results",
        "rows",
        "instructions",
        "number",
        "count",
    }
)
"""Words of fields that list what was not done, and those that stand beside them."""
OUT = re.compile(r"(?i)skip|exclu|except|without|ignor|omit|leave")
"""Names of arguments that say what is to be left out."""
SO_BEFORE = re.compile(
    r"(?i)\balready\b|\bin (?:the )?target|\bsame\b|\bidentical|\bduplicate|\bup[_ ]to[_ ]date|\bexist|\bno such\b|\bmerged\b"
    r"|\bbereits\b|\bschon\b|\bya\b|\bdéjà\b|已|既に|이미"
)
"""Words by which nothing had to be done."""
SURELY = frozenset({"applied", "executed", "processed", "ok", "success", "succeeded"})
CARRIED_OUT = SURELY | {"done", "completed", "accepted"}
"""Flags that say of an entry whether it was done; and those that may be a state of the thing's own."""
MOST, FEWEST = 40, 2
"""Things in such lists that are told, and values that entries have in a field where one is unlike all others."""
FAILED = re.compile(
    r"(?i)error|errored|failed|failure|rejected|denied|refused|declined|not_found|conflict|timeout|timed_out"
)
SAME = re.compile(r"(?i)unchanged|no_?chg|no_?change|not_?modified|no_?op")
"""States of what is as it was."""
LEFT = re.compile(rf"(?i)skipped|{SAME.pattern[4:]}|ignored|unable|ineligible|wait[ _-]?list(?:ed)?|drafts?")
"""States that leave an entry behind where those beside it have another one."""


def turned_away(call: Call, turn: Turn) -> Iterator[tuple[str, str]]:
    """What the call was given and its result lists as not done, beside what is: each with the name of its list.

    Not what was given so that it be left out, what was so before, or what the tool itself was to turn away.
    """
    kept_out = {text for name, text in scalars(call.arguments) if OUT.search(name)}
    given, verb = {text for _, text in scalars(call.arguments)} - kept_out, root(turn.marks.natures.verb(call.name))
    for value in islice(objects(call.result_value), MOST):
        away = [name for name, one in value.items() if isinstance(one, list) and one and _is_away(name, verb)]
        kept = any(one and type(one) in (list, int) and name not in away for name, one in value.items())
        for name in away if kept else ():
            for each in value[name][:MOST]:
                told = [*scalars(each, depth=1)] if isinstance(each, dict) else [("", str(each))]
                if not any(SO_BEFORE.search(text) for _, text in told):
                    yield from ((name, text) for _, text in told if text in given)


def _is_away(name: str, verb: str) -> bool:
    """Whether a field lists what was not done: `failed`, `fail_list`, `skipped_items`."""
    words = frozenset(name_words(name))
    return not words.isdisjoint(AWAY) and words <= AWAY | LISTED and verb not in map(root, words)


def left_behind(call: Call, turn: Turn) -> Iterator[tuple[Mapping[str, Any], str]]:
    """The entries of a result that failed, or are unlike those beside them, each with what is said of it."""
    beside = _beside_others(call, turn)
    for entry in (one for one in objects(call.result_value) if one is not call.result_value):
        reason = _failed(entry) or beside.get(id(entry), "")
        if reason and not _shows_asked(entry, call):
            yield entry, reason


def _beside_others(call: Call, turn: Turn) -> dict[int, str]:
    """What entries of a list say by being unlike those beside them: `renewed: false` of a `renew_loans`, "skipped"."""
    found: dict[int, str] = {}
    verb = root(turn.marks.natures.verb(call.name))
    for _, entries in lists(call.result_value):
        rows = [one for one in entries if isinstance(one, dict)]
        made = [row for row in rows if row.get("id")]
        for row in (row for row in rows if made and row.get("id", made) is None):  # what the others have got
            if any(isinstance(one, str) and FAILED.fullmatch(one) for one in row.values()):
                found[id(row)] = next((one_line(str(row[why]), 120) for why in WHYS if row.get(why)), "no id")
        having: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for row in rows:
            for name in row:
                having[name].append(row)
        for name, own in having.items():
            if name == "accepted" and "email" in own[0]:
                continue  # what somebody replies to an invitation
            told = [row[name] for row in own]
            if True in told and False in told and (name_roots(name) == {verb} or name.lower() in CARRIED_OUT):
                found |= {id(row): f"{name} is false" for row in own if row[name] is False}
            elif name in STATES:
                left = [row for row in own if isinstance(row[name], str) and LEFT.fullmatch(row[name])]
                if len(left) < len(rows):
                    found |= {id(row): str(row[name]) for row in left if _was_given(row, call)}
    return found


def _was_given(entry: Mapping[str, Any], call: Call) -> bool:
    """Whether an entry is of a thing that the call was given, and not a step of its own."""
    return any(text in call.given for _, text in scalars(entry, depth=1))


def _failed(entry: Mapping[str, Any]) -> str:
    """What an entry of a result says of its failure; empty where it does not."""
    for name in ERRORS:
        if entry.get(name):
            return one_line(str(entry[name]), 120)
    skipped = next((entry[name] for name in ("skipped", "skip_reason") if isinstance(entry.get(name), str)), "")
    if skipped:
        return one_line(skipped, 120)
    state = next((entry[name] for name in STATES if name in entry), None)
    if isinstance(state, str) and FAILED.fullmatch(state):
        return one_line(str(entry.get("detail") or entry.get("message") or entry.get("reason") or state), 120)
    flag = next((entry[name] for name in ("ok", "success", "succeeded") if name in entry), None)
    return one_line(str(entry.get("message") or entry.get("reason") or "not done"), 120) if flag is False else ""


def unmoved(call: Call, turn: Turn) -> Iterator[tuple[Mapping[str, Any], str]]:
    """The entry of a list that has a field as looks before had it, where all others have one new value in it.

    `renew_loans` of four books, three of which are now due on one day, and the fourth when it was.
    """
    for _, entries in lists(call.result_value):
        rows = [one for one in entries[:MOST] if isinstance(one, dict) and _was_given(one, call)]
        for name in rows[0] if FEWEST < len(rows) == len(entries) else ():
            told = [str(row.get(name)) for row in rows]
            odd = [row for row, value in zip(rows, told, strict=True) if told.count(value) == 1]
            if len(set(told)) != FEWEST or len(odd) != 1 or told[0] in call.given or told[-1] in call.given:
                continue
            if _had(odd[0], name, call, turn):
                yield odd[0], f"{name} {one_line(str(odd[0][name]), 60)!r}, as it was before"


def _had(entry: Mapping[str, Any], name: str, call: Call, turn: Turn) -> bool:
    """Whether a look before a call has an entry's field of the same thing just so."""
    own = {text for _, text in scalars(entry, depth=1) if text in call.given}
    for look in turn.recent(call):
        things = objects(look.result_value) if any(one in look.result_text for one in own) else ()
        for thing in islice(things, MOST):
            if thing.get(name) == entry[name] and not own.isdisjoint(map(str, thing.values())):
                return True
    return False


def fewer(call: Call) -> tuple[str, int, int] | None:
    """A count of what was done that is less than what the call listed, by the same word: `rows` of five, `updatedRows: 3`."""
    listed = [(name, len(one)) for name, one in call.arguments.items() if isinstance(one, list) and len(one) > 1]
    if len(listed) != 1:
        return None
    (name, most), *_ = listed
    counted = [
        item for one in islice(objects(call.result_value, 1), MOST) for item in one.items() if type(item[1]) is int
    ]
    if any(count == most for _, count in counted):
        return None  # all of them were found, and some were so before
    own = (
        (key, count, most)
        for key, count in counted
        if 0 < count < most and len(name_words(key)) > 1 and not name_roots(name).isdisjoint(name_roots(key))
    )
    return next(own, None)


def _shows_asked(entry: Mapping[str, Any], call: Call) -> bool:
    """Whether an entry has what the call asked for, beside its id, and no error: its state is then its own, and no outcome."""
    if any(key.lower() in WHYS or (value is False and key.lower() in SURELY) for key, value in entry.items()):
        return False
    listed = (one for one in entry.values() for one in (one if isinstance(one, list) else [one]))
    return sum(one in call.given for one in {str(one) for one in listed if isinstance(one, (str, int))}) > 1


def known_before(call: Call, turn: Turn) -> bool:
    """Whether a look before a call has some of what it was given, and not all: these had not to be done again."""
    given = [text for one in call.arguments.values() if isinstance(one, list) for text in one if isinstance(text, str)]
    counts = (sum(text in look.result_text for text in given) for look in islice(turn.recent(call), MOST))
    return any(0 < count < len(given) for count in counts)
