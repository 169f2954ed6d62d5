"""``lawful export``: the rules of a file for another tool."""

from __future__ import annotations

import sys

from cyclopts import Parameter

from lawful.cli.destination import STANDARD
from lawful.cli.layers import Asked
from lawful.cli.rulebook import RulesFile, reviewed
from lawful.cli.shared_options import OutputOptions, with_options
from lawful.errors import OptionError

_TARGETS = "sql, markdown, dbt, great-expectations, odcs, pandera, dqx, deequ"


def export(rules: RulesFile, /, asked: Asked) -> int:
    """Write the rules of a file, of a review those to check, in the form of another tool; list what it cannot say."""
    from lawful.export import export as exported

    if asked["to"] is None:
        raise OptionError("The target is missing.", hint=f"Say --to with one of: {_TARGETS}.")
    review = reviewed(rules)
    severities = {name: verdict.severity for name, verdict in review.verdicts.items()}
    named = {"table": asked["as_table"], "dialect": asked["dialect"], "severities": severities}
    found = exported(review.to_check(), asked["to"], **named)
    output = asked["output"]
    if asked.of(OutputOptions).json:
        left = [{"rule": str(one.rule), "id": one.rule.id, "reason": one.reason} for one in found.left]
        asked.screen.data({"target": found.target, "files": dict(found.files), "kept": len(found.kept), "left": left})
    elif output in (None, STANDARD):
        sys.stdout.flush()
        sys.stdout.buffer.write(str(found).encode())
        sys.stdout.buffer.flush()
    if output not in (None, STANDARD):
        found.save(output)
        asked.screen.note(f"{len(found.kept):,} rules are in {output}")
    asked.screen.warn(f"not expressed: {one}" for one in found.left[:20])
    if len(found.left) > 20:
        asked.screen.warn([f"not expressed: {len(found.left) - 20:,} more, listed in the export"])
    return 0


_TO = Parameter(name="--to", help=f"The target: {_TARGETS}.")
_DIALECT = Parameter(name="--dialect", help="Dialect of SQL, such as postgres, duckdb or spark. [default: duckdb]")
_TABLE = Parameter(name="--table", help="Name of the table in queries; the source's name when not given.")
_OUTPUT = Parameter(name=["--output", "-o"], help="File, or folder for dbt; - or nothing for standard output.")
command = with_options(export, to=(str, _TO), dialect=(str, _DIALECT), as_table=(str, _TABLE), output=(str, _OUTPUT))
