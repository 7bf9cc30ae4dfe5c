"""A thing that a call was to put in another's place: its own, or one that the result does not have."""

from __future__ import annotations

import re
from typing import Any

from proxy.ledger import Call
from proxy.patterns import Names
from proxy.results import objects

NEW = re.compile(r"^(?:new|target)_")
"""How arguments begin that say what shall be: `new_plan_id` is the `plan_id` of the result."""
SWAPPED = Names(r"(?i)(?:item|variant|sku|seat|slot|room|flight)s?(?:_?(?:id|number|code)s?)?$")
"""Names of what is exchanged for another of its kind."""
CODED = re.compile(r"(?=[\w:.-]{2,40}\Z).*[A-Z\d].*")
AGAIN = re.compile(
    r"(?i)\b(?:same|identical|again|replacement|defective|broken|damaged|faulty|dieselbe\w*|gleiche\w*|mism[oa]|même)\b"
)
"""Words by which a thing may be meant to come in its own place."""
AWAY = re.compile(r"(?i)exchang|return|old|former|previous|replac|remov|cancel|swap|pending|request|propos")
"""Names of lists of what is yet to be, or is no more."""
EXCHANGES = re.compile(r"(?i)exchang|return|replac|swap")
"""Tools whose results have the old thing beside the new one."""
SHORT = 60
"""Code points of a value that is shown."""


def exchanged(call: Call) -> tuple[str, str] | None:
    """The arguments of a call that say what takes whose place, by their names: `new_item_ids` that of `item_ids`."""
    new = [key for key in call.arguments if NEW.match(key)]
    return (new[0], NEW.sub("", new[0])) if len(new) == 1 and SWAPPED.search(new[0]) else None


def by_itself(call: Call, said: str) -> str:
    """That a call put a thing in its own place; empty where it did not, or where a new one of the same was spoken of."""
    if (pair := exchanged(call)) is None:
        return ""
    key, bare = pair
    value = call.arguments[key]
    if not value or call.arguments.get(bare) != value or AGAIN.search(said):
        return ""
    told = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    return f"{key} was the same as {bare}: '{told[:SHORT]}'"


def not_exchanged(call: Call) -> str:
    """That the result of a call still has the thing that was to go, and nothing of the new one; empty where it may not."""
    if (pair := exchanged(call)) is None or EXCHANGES.search(call.name):
        return ""
    key, bare = pair
    wanted, there = _codes(call.arguments[key]), _codes(call.arguments.get(bare))
    listed = [one for thing in objects(call.result_value) for one in thing.items() if isinstance(one[1], list)]
    if not (wanted and there) or any(AWAY.search(name) for name, _ in listed):
        return ""
    entries = (one for name, inner in listed if SWAPPED.search(name) for one in inner if isinstance(one, dict))
    held = {value for one in entries for value in one.values() if isinstance(value, str)}
    if there <= held and not any(one in call.result_text for one in wanted):
        return f"asked for {key} '{', '.join(sorted(wanted))[:SHORT]}', and the result still has {bare}"
    return ""


def _codes(value: Any) -> set[str]:
    """The codes that an argument gives, one or a list of them; empty where something else is among them."""
    given = value if isinstance(value, list) else [value]
    coded = {one for one in given if isinstance(one, str) and CODED.fullmatch(one)}
    return coded if len(coded) == len(given) else set()
