"""Rules as checks of Databricks Labs DQX, as YAML."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from lawful.export.exported import Asked, Exported, Left, left_out, one_line, sorted_out
from lawful.export.templates import broken
from lawful.rules import Key, Rule
from lawful.rules.words import meaning
from lawful.rules.yamltext import scalar

_PLAIN = r"\{\{|\}\}"


def to_dqx(asked: Asked) -> Exported:
    """A key is ``is_unique``, which marks the rows; any other rule a query over the whole input, in Spark's SQL."""
    spoken = replace(asked, dialect=asked.dialect or "spark")
    said, left = sorted_out(spoken, lambda rule: _check(rule, spoken))
    lines = [*(f"# {one_line(line)}" for line in asked.about()), *left_out(left), *(text for _, text in said)]
    text = "\n".join(lines if said else [*lines, "[]"]) + "\n"
    return Exported("dqx", {f"{asked.table}.dqx.yaml": text}, tuple(rule for rule, _ in said), tuple(left))


def _check(rule: Rule, asked: Asked) -> str | Left:
    if isinstance(rule, Key) and rule.columns and not any("." in column or "`" in column for column in rule.columns):
        distinct = asked.wording().nulls == "unknown"
        arguments = {"columns": list(rule.columns), "nulls_distinct": distinct}
        return "\n".join(_lines(rule, asked, "is_unique", arguments))
    sql = broken(rule, asked, "{{ input_view }}", _PLAIN)
    if isinstance(sql, Left):
        return sql
    return "\n".join(_lines(rule, asked, "sql_query", {"query": sql, "msg": one_line(meaning(rule))}))


def _lines(rule: Rule, asked: Asked, function: str, arguments: dict[str, object]) -> Iterator[str]:
    yield f"- name: lawful_{rule.kind}_{rule.id}"
    yield f"  criticality: {asked.severity(rule)}"
    yield "  check:"
    yield f"    function: {function}"
    yield "    arguments:"
    yield from (f"      {name}: {scalar(value)}" for name, value in arguments.items())
    yield f"  user_metadata: {scalar({'rule': str(rule)})}"
