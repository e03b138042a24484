"""Settings for all tests: how long and how hypothesis looks for counter-examples."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

# A deadline measures the load of the machine; in CI the same commit must give the same answer.
settings.register_profile("dev", deadline=None)
settings.register_profile(
    "ci", deadline=None, derandomize=True, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("ci" if os.environ.get("CI") else "dev")
