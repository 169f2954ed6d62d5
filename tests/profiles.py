"""How long property tests search: the Hypothesis profiles, chosen once for the whole run.

``default`` looks at new examples each time and keeps the failing ones. ``ci`` looks at the same ones each time, so
that a red run is the fault of the change. ``nightly`` (``LAWFUL_NIGHTLY=1``) searches long, at random.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

NIGHTLY = os.environ.get("LAWFUL_NIGHTLY", "") not in ("", "0")
NIGHTLY_FACTOR = 20


def examples(count: int) -> int:
    """``count`` as it stands, or twenty times as many at night; for tests that name their own number."""
    return count * NIGHTLY_FACTOR if NIGHTLY else count


def register() -> None:
    """Declare the profiles and load the one this run asks for; ``--hypothesis-profile`` still overrides it."""
    slow = [HealthCheck.too_slow]
    settings.register_profile("default", deadline=None, print_blob=True)
    settings.register_profile(
        "ci", deadline=None, print_blob=True, derandomize=True, database=None, suppress_health_check=slow
    )
    settings.register_profile(
        "nightly",
        deadline=None,
        print_blob=True,
        derandomize=False,
        max_examples=100 * NIGHTLY_FACTOR,
        suppress_health_check=slow,
    )
    settings.load_profile("nightly" if NIGHTLY else "ci" if os.environ.get("CI") else "default")


register()
