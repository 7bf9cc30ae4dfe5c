"""Have Hypothesis try the same examples on every run, so that a change is judged by itself; spare the collector the tables."""

from __future__ import annotations

import gc

from hypothesis import HealthCheck, settings

settings.register_profile("same", derandomize=True, deadline=None)
settings.register_profile(
    "search", max_examples=5000, deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile("same")


def pytest_collection_finish() -> None:
    """Tens of thousands of cases stay until the end: looking through them again and again takes a second each time,
    which is a quarter of the run, and an audit that it falls into misses its deadline.
    """
    gc.collect()
    gc.freeze()
