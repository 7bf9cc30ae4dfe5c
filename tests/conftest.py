"""Have Hypothesis try the same examples on every run, so that a change is judged by itself; `make fuzz` looks for new ones."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

settings.register_profile("same", derandomize=True, deadline=None)
settings.register_profile(
    "search", max_examples=5000, deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile("same")
