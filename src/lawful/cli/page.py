"""The page of rules that commands write."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lawful.cli.layers import Asked
from lawful.cli.progress import Progress
from lawful.options import EngineOptions

if TYPE_CHECKING:
    from lawful.ranks.encoded import Encoded
    from lawful.rules import RuleSet
    from lawful.rules.review import Review


def write_page(rules: RuleSet | Review, path: str, table: Encoded | None, asked: Asked) -> None:
    """The page; with the table its columns, rows that break rules and groups of rows are shown."""
    from lawful.report import report
    from lawful.rules.review import Review

    if table is None:
        return report(rules, path)
    from lawful.checks import shown_check
    from lawful.ranks.profiling import profile_of

    listed = rules.rules if isinstance(rules, Review) else rules
    with Progress(asked.screen) as progress:
        found, notes = shown_check(table, listed, asked.of(EngineOptions), progress)
    return report(rules, path, profile_of(table), found, notes)
