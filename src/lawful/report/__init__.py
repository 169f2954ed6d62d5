"""A list of rules as one page that needs nothing else."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lawful.ranks.profiling import Profile
    from lawful.rules import RuleSet
    from lawful.rules.review import Review


def report(rules: RuleSet | Review, path: str | os.PathLike[str], profile: Profile | None = None) -> None:
    """Writes the page; an older file is replaced in one step. ``profile`` says what the table's columns are like."""
    from lawful.report.page import page
    from lawful.rules.rulefile import replaced

    replaced(path, page(rules, profile))
