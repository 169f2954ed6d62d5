"""Rules as an expectation suite of Great Expectations 1.x: queries that find no rows."""

from __future__ import annotations

import json

from lawful.export.exported import Asked, Exported, one_line, sorted_out
from lawful.export.templates import failing
from lawful.rules import Rule
from lawful.rules.words import meaning

_SEVERITIES = {"error": "critical", "warn": "warning"}


def to_great_expectations(asked: Asked) -> Exported:
    """A suite as JSON for SQL and Spark data sources, in whose queries ``{batch}`` is the data."""
    said, left = sorted_out(asked, lambda rule: failing(rule, asked, "{batch}", r"[{}]"))
    expectations = [_expectation(rule, sql, asked) for rule, sql in said]
    meta = {"about": [*asked.about()], "not_expressed": [one_line(str(one)) for one in left]}
    suite = {"name": f"lawful_{asked.table}", "expectations": expectations, "meta": meta}
    text = json.dumps(suite, indent=2, ensure_ascii=False) + "\n"
    return Exported("great-expectations", {f"{asked.table}.json": text}, tuple(rule for rule, _ in said), tuple(left))


def _expectation(rule: Rule, sql: str, asked: Asked) -> dict[str, object]:
    kwargs = {"unexpected_rows_query": sql, "description": one_line(meaning(rule))}
    severity = _SEVERITIES[asked.severity(rule)]
    meta = {"lawful_id": rule.id, "lawful_rule": str(rule)}
    return {"type": "unexpected_rows_expectation", "kwargs": kwargs, "meta": meta, "severity": severity}
