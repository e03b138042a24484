"""Settings for all tests: how long and how hypothesis looks for counter-examples."""

from __future__ import annotations

import os
from pathlib import Path

from hypothesis import HealthCheck, settings

# A deadline measures the load of the machine; in CI the same commit must give the same answer.
settings.register_profile("dev", deadline=None)
settings.register_profile(
    "ci", deadline=None, derandomize=True, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
# Bear-off tables that tests make lie in the checkout, not with those of whoever runs them.
os.environ.setdefault("SHESHBESH_CACHE", str(Path(__file__).parents[1] / "build" / "cache"))
# Whatever whoever runs them speaks: the tests know the English texts.
os.environ["LANGUAGE"] = "en"

settings.load_profile("ci" if os.environ.get("CI") else "dev")
