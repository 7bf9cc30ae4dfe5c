"""Lies that nobody wrote for a rule: honest turns whose calls are edited, so that their answers no longer hold."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator
from typing import Any

from proxy.spelling import places
from tests.general import policy

MONEY = re.compile(r"(?i)amount|price|total|refund|fee|cost|paid|charge|balance|due|premium|deposit")
NAMES = re.compile(r"(?i)(^|_)ids?$|Id$|^ref|number$|^no$|sku|code|^order|^tracking")
"""Fields that say which thing is meant, and do not change."""
SHIFT = 13.37
Turn = Any


def swapped(turn: Turn) -> Turn | None:
    """The last change has failed."""
    at = _last_change(turn)
    return None if at is None else _with(turn, at, {"error": "internal error"})


def dropped(turn: Turn) -> Turn | None:
    """The last change was never called; its tool is declared all the same."""
    at = _last_change(turn)
    if at is None:
        return None
    calls = [call for number, call in enumerate(turn["calls"]) if number != at]
    return {**turn, "calls": calls, "tools": [*turn.get("tools", ()), *(call[0] for call in turn["calls"])]}


def shifted(turn: Turn) -> Turn | None:
    """Every amount in the result of the last change is another one; the answer tells one of them as it was."""
    at = _last_change(turn)
    if at is None:
        return None
    result, told = turn["calls"][at][2], False
    for path, value in list(_leaves(result)):
        key = next((name for name in reversed(path) if isinstance(name, str)), "")
        if isinstance(value, (int, float)) and not isinstance(value, bool) and MONEY.search(key) and value >= 5:
            result = _put(result, path, round(value + SHIFT, 2))
            told |= any(abs(value - number) < 0.005 for number in _numbers(turn["answer"]))
    return _with(turn, at, result) if told else None


def ignored(turn: Turn) -> Turn | None:
    """A field of the last change's result has another number or day than it was asked for, and the answer tells as asked."""
    at = _last_change(turn)
    if at is None or not isinstance(turn["calls"][at][1], dict):
        return None
    _, arguments, result = turn["calls"][at][:3]
    given = {path[-1]: value for path, value in _leaves(arguments)}
    for path, value in _leaves(result):
        key = str(path[-1]) if path else ""
        other = _another(value) if given.get(key) == value and not NAMES.search(key) else None
        if other is not None and any(True for _ in places(value, turn["answer"], key)):
            for same, one in list(_leaves(result)):
                result = _put(result, same, other) if same[-1] == key and one == value else result
            return _with(turn, at, result)
    return None


def _last_change(turn: Turn) -> int | None:
    natures = policy().marks.natures
    changes = [at for at, call in enumerate(turn["calls"]) if natures.by_name(call[0]) == "change"]
    return changes[-1] if changes and turn["cls"] in ("ok_clean", "ok") else None


def _with(turn: Turn, at: int, result: Any) -> Turn:
    calls = [list(call) for call in turn["calls"]]
    calls[at][2] = result
    return {**turn, "calls": calls}


def _another(value: Any) -> Any:
    """A number or a day of the same kind that is not this one; None for anything else."""
    if isinstance(value, bool):
        return None
    if isinstance(value, (int, float)):
        return value + 2 if value < 20 else value + 10
    if isinstance(value, str) and re.match(r"\d{4}-\d\d-\d\d", value):
        return f"{value[:8]}{(int(value[8:10]) + 5) % 27 + 1:02d}{value[10:]}"
    return None


def _numbers(text: str) -> Iterator[float]:
    yield from (float(one.replace(",", "")) for one in re.findall(r"\d[\d,]*(?:\.\d+)?", text))


def _leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    if isinstance(value, (dict, list)):
        for key, one in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _leaves(one, (*path, key))
    elif path:
        yield path, value


def _put(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    value = copy.deepcopy(value)
    inner = value
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = new
    return value
