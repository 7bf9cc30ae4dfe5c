"""No auditor fails on a text that repeats something, wherever it stands; what that costs is for `python -m bench.growth`."""

from __future__ import annotations

import asyncio

import pytest

from bench.growth import ATOMS, PLACES, Clock, audited, repeated


@pytest.mark.parametrize("atom", ATOMS.values(), ids=list(ATOMS))
def test_no_auditor_fails_on_what_repeats(atom: str) -> None:
    with asyncio.Runner() as runner:
        for place in PLACES:
            audited(place, repeated(atom, 600), Clock(), runner.run)
