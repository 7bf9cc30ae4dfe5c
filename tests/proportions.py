"""Whether work grows as its text does: processor time of twice as much beside that of once, in one run."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable

ROUNDS = 12
"""How often it is looked at again where a round was out of proportion: the machine has others to serve, and one in proportion is proof."""
SLACK = 0.05
"""Seconds that are no sign of anything."""


def in_proportion(work: Callable[[int], object], size: int, rounds: int = ROUNDS) -> bool:
    """Say whether `work(2 * size)` takes less than three times as long as `work(size)`: four times is what a square takes."""
    return any(_spent(work, 2 * size) < 3 * _spent(work, size) + SLACK for _ in range(rounds))


def _spent(work: Callable[[int], object], size: int) -> float:
    gc.collect()
    gc.disable()  # a collection looks at everything that is kept, and comes when it wants
    try:
        began = time.process_time()
        work(size)
        return time.process_time() - began
    finally:
        gc.enable()
