"""A list of rules as one page that needs nothing else."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lawful.ranks.profiling import Profile
    from lawful.rules import RuleSet
    from lawful.rules.review import Review
    from lawful.violations.checked import CheckResult


def report(
    rules: RuleSet | Review,
    path: str | os.PathLike[str],
    profile: Profile | None = None,
    found: CheckResult | None = None,
    notes: Sequence[str] = (),
) -> None:
    """Writes the page; an older file is replaced in one step.

    ``profile`` says what the table's columns are like; of the rules that ``found`` holds, the page shows rows that
    break them and groups of rows. ``notes`` are told at its top.
    """
    from lawful.report.page import page
    from lawful.rules.rulefile import replaced

    replaced(path, page(rules, profile, found, notes))
