"""No auditor fails on a text that repeats something, wherever it stands; what that costs is for `python -m bench.growth`."""

from __future__ import annotations

import asyncio

import pytest

from bench.growth import ATOMS, PLACES, Clock, audited, repeated
from tests.proportions import in_proportion


@pytest.mark.parametrize("atom", ATOMS.values(), ids=list(ATOMS))
def test_no_auditor_fails_on_what_repeats(atom: str) -> None:
    with asyncio.Runner() as runner:
        for place in PLACES:
            audited(place, repeated(atom, 600), Clock(), runner.run)


def test_what_grows_faster_than_its_size_is_out_of_proportion() -> None:
    assert in_proportion(lambda size: sum(1 for _ in range(1_000 * size)), 1_000)
    assert not in_proportion(lambda size: sum(1 for _ in range(size**3)), 130, rounds=2)
