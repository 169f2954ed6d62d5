"""Rules in the forms of other tools. None of these tools is imported; what a tool cannot say is listed."""

from __future__ import annotations

import os
from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

from lawful.errors import OptionError, did_you_mean

if TYPE_CHECKING:
    from lawful.export.exported import Exported
    from lawful.rules import RuleSet

TARGETS = {
    "sql": "sql.to_sql",
    "markdown": "markdown.to_markdown",
    "dbt": "dbt.to_dbt",
    "great-expectations": "greatexpectations.to_great_expectations",
    "odcs": "odcs.to_odcs",
    "pandera": "pandera.to_pandera",
    "dqx": "dqx.to_dqx",
    "deequ": "deequ.to_deequ",
}
"""Where each target's exporter stands."""


def export(
    rules: RuleSet,
    target: str,
    *,
    table: str | None = None,
    dialect: str | None = None,
    severities: Mapping[str, str] | None = None,
    path: str | os.PathLike[str] | None = None,
) -> Exported:
    """The rules for a target; ``path`` also writes them there.

    ``table`` is the name of the table in queries, by default the source's; ``dialect`` that of SQL, for targets that
    hold queries, by default DuckDB's.
    """
    from lawful.export.dialects import check_dialect
    from lawful.export.exported import Asked
    from lawful.rules.reviewfile import table_of

    if target not in TARGETS:
        raise OptionError(f"There is no export to {target!r}.", hint=did_you_mean(target, TARGETS))
    if table is not None and (not table or "\0" in table):
        raise OptionError(f"table is {table!r}, which names no table.", hint="Leave it out for the source's name.")
    check_dialect(dialect)
    asked = Asked(rules, table or table_of(rules.source), dialect, severities or {})
    module, _, name = TARGETS[target].partition(".")
    exporter: Any = getattr(import_module(f"lawful.export.{module}"), name)
    found: Exported = exporter(asked)
    if path is not None:
        found.save(path)
    return found
