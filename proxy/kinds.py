"""Say whether two ids are of one kind."""

from __future__ import annotations

import re

LOCATOR = re.compile(r"(?![A-Z]{1,3}\d+$)(?=.*[A-Z])(?=.*\d)[A-Z\d]{5,8}", re.A)
"""A code of letters and digits in no order, as reservations have: `4XGCCM`; not the number of a flight."""
HEAD, CODE = re.compile(r"\D*", re.A), re.compile(r"[\w-]+")


def of_one_kind(one: str, other: str) -> bool:
    """Whether two different ids have the same letters before their first digit, or the same shape."""
    if one.casefold() == other.casefold() or not any(map(str.isdigit, other)) or len(other) > 40:
        return False
    if all(LOCATOR.fullmatch(text) for text in (one, other)):
        return len(one) == len(other)
    heads = [HEAD.match(text) for text in (one, other)]
    first, second = (head.group().casefold() if head else "" for head in heads)
    if first or second:
        return first == second and len(first) >= 2 and CODE.fullmatch(other) is not None
    return one.isdigit() and other.isdigit() and abs(len(one) - len(other)) <= 1
