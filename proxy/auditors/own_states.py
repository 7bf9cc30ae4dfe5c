"""Entries of a result that a state of their own leaves behind, and no failure of the deed that is told."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import islice
from typing import Any

from proxy.auditors.left_out import (
    CARRIED_OUT,
    ERRORS,
    FAILED,
    LEFT,
    MOST,
    SAME,
    SO_BEFORE,
    STATES,
    SURELY,
    WHYS,
)
from proxy.auditors.parted_rows import had_so
from proxy.auditors.told_rows import DONE
from proxy.claims import Claim
from proxy.ledger import Call, Turn
from proxy.patterns import Names
from proxy.results import lists, scalars
from proxy.roots import Vocabulary, name_roots, name_words, root

Row = Mapping[str, Any]
LOOKS = 20
"""Looks before a call that are read."""
MISSING = re.compile(r"(?i)\bno[_ ]such\b|\bnot?[_ ](?:\w+[_ ])?exist|n[’']t exist")
"""Words by which a thing is not there: what was to go is then gone."""
DECIDED = re.compile(r"(?i)rejected|denied|refused|declined|wait[ _-]?list(?:ed)?|drafts?")
"""States that a thing may have by itself, or that somebody gave it: what was sent, exported or renamed may be declined."""
GENERAL = CARRIED_OUT - {"accepted"} | {"updated", "changed", "successful", "finished"}
"""States that say of any deed that it was done."""
OUTCOMES = frozenset({"result", "outcome", "code"})
WHY = Names(r"(?i)reason|why|notes?$|message|msg|detail|error|comment|skip|explanation|text$")
"""Names of fields that say in words why something is as it is."""


def was_so(entry: Row, reason: str, call: Call) -> bool:
    """Whether nothing had to be done for an entry: it was so before, or what was to go is not there any more.

    What is unchanged without a why was so before.
    """
    if SAME.fullmatch(reason) and not any(WHY.search(name) for name in entry):
        return True
    told = [reason, *(str(entry[name]) for name in WHYS if isinstance(entry.get(name), str))]
    return any(SO_BEFORE.search(one.replace("_", " ")) and (call.undoes or not MISSING.search(one)) for one in told)


def is_own_state(entry: Row, call: Call, turn: Turn, said: frozenset[str], kin: Vocabulary) -> bool:
    """Whether an entry is left behind by nothing but a state of its own, which the deed told is not about.

    A field says that the deed was done; all entries have the states that looks before show; no entry beside has a state by
    which anything was done ("running"); or it is a decision about the thing, or the call was not given the thing, and no
    entry beside has a state by the deed's verb, or a general one.
    `said` are the roots of the verbs by which the deed is told.
    """
    if any(entry.get(name) for name in (*ERRORS, "skipped")) or _is_denied(entry):
        return False
    name = next((one for one in STATES if one in entry), "")
    state = entry.get(name)
    if not isinstance(state, str) or name in OUTCOMES or not (FAILED.fullmatch(state) or LEFT.fullmatch(state)):
        return False
    verbs = {root(turn.marks.natures.verb(call.name)), *said}
    if any(value and value not in (0, "0") and not verbs.isdisjoint(name_roots(one)) for one, value in entry.items()):
        return True  # `exported_at`, `archived: true`
    rows = beside(entry, call)
    if rows and all(had_so(row, name, call, turn, LOOKS) for row in (entry, *rows)):
        return True
    given = any(text in call.given for _, text in scalars(entry, depth=1))
    told = {word for row in rows if isinstance(row.get(name), str) for word in name_words(row[name])}
    if not DECIDED.fullmatch(state) and given:
        return bool(told) and told.isdisjoint(GENERAL) and not any(map(DONE.fullmatch, told))
    if not rows:
        return not any(entry.get(why) for why in WHYS)
    return told.isdisjoint(GENERAL) and not any(kin.alike(root(word), verb) for word in told for verb in verbs)


def verbs(claim: Claim | None) -> frozenset[str]:
    """The roots of the verb that a claim has."""
    told = claim.fields.get("verb", claim.act).split() if claim else []
    return frozenset(root(one) for one in told[:MOST])


def beside(entry: Row, call: Call) -> list[Row]:
    """The entries that stand in one list with another."""
    for _, entries in islice(lists(call.result_value), MOST):
        if any(one is entry for one in entries[:MOST]):
            return [one for one in entries[:MOST] if isinstance(one, dict) and one is not entry]
    return []


def _is_denied(row: Row) -> bool:
    """Whether a flag says of an entry that it was not done."""
    return any(row.get(name) is False for name in (*SURELY, "done", "completed"))


def is_left(row: Row) -> bool:
    """Whether an entry says that it was left behind as well."""
    states = (row[one] for one in STATES if isinstance(row.get(one), str))
    return (
        _is_denied(row) or bool(row.get("error")) or any(FAILED.fullmatch(one) or LEFT.fullmatch(one) for one in states)
    )
