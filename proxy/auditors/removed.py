"""What a call was to take away, and its own result still has."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from proxy.auditors.asked import MOST, QUANTITY, TO_COME
from proxy.auditors.effects import IDENTITY
from proxy.ledger import Call, Turn
from proxy.patterns import Names
from proxy.results import objects
from proxy.roots import name_roots, name_words

GONE = re.compile(r"(?i)remov|delet|cancel|end|inactive|void|revers|waiv|false|credit|refund")
"""What an entry says of which nothing is left."""
LIVES = re.compile(r"(?i)activ|enabl|valid|current|live|exist|present|member|assign|^on$")
"""Names of flags that are false of what is gone."""
REMOVES = frozenset({"remove", "delete", "revoke", "detach", "unassign", "unshare", "untag", "drop", "erase", "unlink"})
"""Verbs after which a thing is gone from where it was."""
ENDS = Names(r"(?i)end|until|till|through|expir|effective|last|left|leav|remov|delet|cancel|revok|deactiv")
"""Names of fields that say of an entry that it is gone, or when it goes."""
ELSE = Names(r"(?i)before|(?:^|_)(?:prev|old|log)|former|affected|events?$|_log$|histor|audit")
"""Lists that hold what was there, or what was done, and not what is."""
STATE = Names(r"(?i)stat(?:e|us|ut|o)$|^stand$|estado|zustand|action|phase")
UNITS = Names(r"(?i)units?$|pieces|count|amount")
"""Names of fields that say how an entry stands, and how many of it there are."""
OFF_ANOTHER = frozenset({"unassign", "untag", "unlink", "revoke", "detach", "unblock", "unsubscribe"})
"""Those after which the thing itself is still there, and something that was on it is not."""
KEPT = Names(
    r"(?i)member|tag|label|attendee|participant|watcher|follower|assignee|editor|viewer|owner|collaborator|permission|role|group"
)
"""Lists of what belongs to a thing, and not of what a call was about."""
LEAST, FEW = 4, 6
"""Code points of a text that says which thing is meant, and such texts of a call."""


def _still_there(call: Call) -> Iterator[str]:
    """What an argument says is to be taken away (`remove_fees`), and an entry of a list of the result still is."""
    for name, value in call.arguments.items():
        takes = not REMOVES.isdisjoint(name_words(name)[:1])
        wanted = (value if isinstance(value, list) else [value]) if takes else []
        for one in (one for one in wanted if isinstance(one, str) and len(one) >= LEAST):
            entries = (inner for inner in islice(objects(call.result_value), MOST) if one in inner.values())
            if any(GONE.search(" ".join(map(str, inner.values()))) is None for inner in entries):
                yield one


def kept(call: Call, turn: Turn) -> Iterator[str]:
    """What a call was to take away, and a list of its result still has, beside all else that the call named."""
    yield from _still_there(call)
    if REMOVES.isdisjoint(turn.marks.natures.verbs(call.name)) or any(map(QUANTITY.search, call.arguments)):
        return
    given = [one for one in call.arguments.values() if isinstance(one, str) and len(one) >= LEAST]
    if len(given) > FEW:
        return
    things = list(islice(objects(call.result_value), MOST))
    own = [{str(one) for one in thing.values() if isinstance(one, (str, int))} for thing in things]
    for value in given:
        others = [one for one in given if one != value and any(one in each for each in own)]
        for thing, texts in zip(things, own, strict=True):
            lists = [inner for name, inner in thing.items() if isinstance(inner, list) and KEPT.search(name)]
            if all(one in texts for one in others) and any(_holds(inner, value) for inner in lists):
                yield value
                return


def still_listed(call: Call, turn: Turn) -> str:
    """What a call was to take away, by an argument, where its result still lists it; empty for none.

    It does where a look before had that very entry; or, of what is removed, where others are listed beside it that no
    argument names, so that the list is of what is left.
    """
    takes = turn.marks.natures.undoes(call.name) and OFF_ANOTHER.isdisjoint(name_words(call.name))
    if not takes or any(map(QUANTITY.search, call.arguments)) or TO_COME.search(call.result_text):
        return ""
    removes = not REMOVES.isdisjoint(name_words(call.name))
    things = name_roots(call.name.partition("_from_")[0])  # `remove_user_from_group` takes no group away
    named = {
        key: one for key, one in call.arguments.items() if isinstance(one, (str, int)) and one not in ("", True, False)
    }
    for outer in islice(objects(call.result_value), MOST):
        # `vehicles` of `remove_vehicle`, and not `removed_vehicles`
        own_lists = (
            name
            for name in outer
            if not GONE.search(name) and not ELSE.search(name) and not things.isdisjoint(name_roots(name))
        )
        if any(value is True and GONE.search(name) for name, value in outer.items()):
            continue
        for each in (outer[name][:MOST] for name in own_lists if isinstance(outer[name], list)):
            entries = [one for one in each if isinstance(one, dict) and len(one) > 1]
            for entry in entries:
                own = next((str(value) for key, value in named.items() if entry.get(key) == value), "")
                if own and not _is_gone(entry) and _seen_so(entry, own, call, turn):
                    return own
            if removes and (own := _among_others(entries, call)):
                return own
    return ""


def _among_others(entries: Sequence[Mapping[str, Any]], call: Call) -> str:
    """The id that one entry of a list has and a call was given, where the others have none that it was given."""
    given = {one for name, one in call.arguments.items() if isinstance(one, (str, int)) and IDENTITY.search(name)}
    held = [given.intersection(one for one in entry.values() if isinstance(one, (str, int))) for entry in entries]
    own = [at for at, one in enumerate(held) if one]
    if len(entries) < 2 or len(own) != 1 or any(_is_gone(one) or any(map(ENDS.search, one)) for one in entries):
        return ""
    entry, others = entries[own[0]], [*entries[: own[0]], *entries[own[0] + 1 :]]
    return str(held[own[0]].pop()) if all(_is_alike(key, value, others) for key, value in entry.items()) else ""


def _is_alike(key: str, value: Any, others: Sequence[Mapping[str, Any]]) -> bool:
    """Whether an entry's value is of the kind of the others': no end where they have none, no state of its own."""
    told = [one.get(key) for one in others]
    if isinstance(value, bool) or STATE.search(key):
        return value in told
    if isinstance(value, (int, float)) and not IDENTITY.search(key):
        return not QUANTITY.search(key) and not UNITS.search(key) and (value != 0 or 0 in told)
    return (value is None) == all(one is None for one in told)


def _is_gone(entry: Mapping[str, Any]) -> bool:
    """Whether an entry says itself that nothing is left of it; "primary": false does not."""
    return any(GONE.search(str(value)) and (value is not False or LIVES.search(name)) for name, value in entry.items())


def _seen_so(entry: Mapping[str, Any], name: str, call: Call, turn: Turn) -> bool:
    """Whether the last look at a thing, by its name, had that very entry, or less of it."""
    looks = (one for one in turn.recent(call) if one.outcome == "landed" and name in one.result_text)
    last = next(looks, None)
    seen = islice(objects(last.result_value), MOST) if last is not None else ()
    same = (one for one in seen if len(one) > 1 and name in map(str, one.values()) and one.items() <= entry.items())
    return any(
        all(isinstance(entry[key], bool) for key in entry.keys() - one.keys()) for one in same
    )  # "primary": false


def _holds(entries: Sequence[Any], value: str) -> bool:
    """Whether a list has a text, or an object that goes by it."""
    named = (one for one in entries if isinstance(one, dict))
    return value in entries or any(told == value and IDENTITY.search(key) for one in named for key, told in one.items())
