"""Rules as a data contract in the Open Data Contract Standard 3.1: quality checks by SQL."""

from __future__ import annotations

from collections.abc import Iterator

from lawful.export.dialects import query
from lawful.export.exported import Asked, Exported, left_out, one_line, sorted_out
from lawful.rules import Rule
from lawful.rules.words import meaning
from lawful.rules.yamltext import mapping, scalar

_TYPES = {
    "integer": "integer",
    "decimal": "number",
    "float": "number",
    "boolean": "boolean",
    "date": "date",
    "timestamp": "timestamp",
    "string": "string",
}


def to_odcs(asked: Asked) -> Exported:
    """A contract with the table's columns, and a check a rule: its query has to give 0."""
    said, left = sorted_out(asked, lambda rule: query(rule, asked))
    head = [*(f"# {one_line(line)}" for line in asked.about()), *left_out(left)]
    lines = [*head, *_contract(asked), "    quality:" if said else "    quality: []"]
    for rule, sql in said:
        lines += _quality(rule, sql, asked)
    text = "\n".join(lines) + "\n"
    return Exported("odcs", {f"{asked.table}.odcs.yaml": text}, tuple(rule for rule, _ in said), tuple(left))


def _contract(asked: Asked) -> Iterator[str]:
    yield from ("apiVersion: v3.1.0", "kind: DataContract", f"id: {scalar('lawful-' + asked.table)}", "version: 1.0.0")
    yield from ("status: draft", "schema:", f"  - name: {scalar(asked.table)}", "    logicalType: object")
    yield f"    physicalName: {scalar(asked.table)}"
    yield "    properties:" if asked.rules.columns else "    properties: []"
    for column in asked.rules.columns:
        yield f"      - name: {scalar(column.name)}"
        logical = _TYPES.get(column.type or "")
        if logical:
            yield f"        logicalType: {logical}"


def _quality(rule: Rule, sql: str, asked: Asked) -> Iterator[str]:
    severity = {"error": "error", "warn": "warning"}[asked.severity(rule)]
    fields = {"id": rule.id, "name": str(rule), "description": meaning(rule), "type": "sql", "query": sql}
    lines = list(mapping({**fields, "mustBe": 0, "severity": severity}, "        "))
    yield f"      - {lines[0][8:]}"
    yield from lines[1:]
