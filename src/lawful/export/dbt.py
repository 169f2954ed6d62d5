"""Rules as data tests of dbt: a SQL file each, and a YAML file that describes them."""

from __future__ import annotations

import re

from lawful.export.exported import Asked, Exported, left_out, one_line, sorted_out
from lawful.export.templates import failing
from lawful.rules import Rule
from lawful.rules.words import meaning
from lawful.rules.yamltext import scalar

_BRACES = r"\{\{|\{%|\{#"


def to_dbt(asked: Asked) -> Exported:
    """Files for a project's folder ``tests``: a test fails when it gives a row, with the count of violating pairs."""
    model = asked.table.replace("\\", "\\\\").replace("'", "\\'")
    said, left = sorted_out(asked, lambda rule: failing(rule, asked, f"{{{{ ref('{model}') }}}}", _BRACES))
    listed = ["# Written by lawful, for the folder tests of a project.", *left_out(left), "version: 2", "data_tests:"]
    files = {}
    for rule, sql in said:
        name = _name(rule, asked)
        config = f"{{{{ config(severity='{asked.severity(rule)}', tags=['lawful']) }}}}"
        files[f"lawful/{name}.sql"] = f"{config}\n{sql}\n"
        listed += [f"  - name: {name}", f"    description: {scalar(_described(rule))}"]
    if not said:
        listed[-1] += " []"
    files["lawful/lawful.yml"] = "\n".join(listed) + "\n"
    return Exported("dbt", files, tuple(rule for rule, _ in said), tuple(left))


def _name(rule: Rule, asked: Asked) -> str:
    table = re.sub(r"\W+", "_", asked.table, flags=re.ASCII).strip("_").lower()
    return f"lawful_{table or 'table'}_{rule.kind}_{rule.id}"


def _described(rule: Rule) -> str:
    """The sentence and the rule, without what dbt would take for a template."""
    return re.sub(r"([{}%#])(?=[{}%#])", r"\1 ", one_line(f"{meaning(rule)} ({rule})"))
