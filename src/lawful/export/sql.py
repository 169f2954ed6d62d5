"""Rules as SQL: a query each that counts the pairs of rows that break it, and constraints where a database has them."""

from __future__ import annotations

from collections.abc import Iterator

from lawful.export.dialects import query, translated
from lawful.export.exported import Asked, Exported, Left, left_out, one_line, sorted_out
from lawful.rules import Dc, Key, Rule
from lawful.rules.sqltext import name, row_condition

_CONSTRAINED = frozenset({"mysql", "oracle", "postgres", "snowflake", "tsql"})


def to_sql(asked: Asked) -> Exported:
    """A file of statements, each below a comment with its rule and id."""
    said, left = sorted_out(asked, lambda rule: query(rule, asked), exceptions=True)
    text = "\n".join([*_head(asked, left), "", *(line for rule, sql in said for line in _statement(rule, sql, asked))])
    return Exported("sql", {f"{asked.table}.sql": text}, tuple(rule for rule, _ in said), tuple(left))


def _head(asked: Asked, left: list[Left]) -> Iterator[str]:
    yield from (f"-- {one_line(line)}" for line in asked.about())
    yield f"-- Each query counts the ordered pairs of rows of {one_line(name(asked.table))} that break a rule."
    yield from left_out(left, "--")


def _statement(rule: Rule, sql: str, asked: Asked) -> Iterator[str]:
    yield f"-- {rule.id}  {one_line(str(rule))}{_exceptions(rule)}"
    yield f"{sql};"
    constraint = _constraint(rule, asked)
    if constraint is not None:
        yield f"-- As a constraint: {one_line(constraint)};"
    yield ""


def _exceptions(rule: Rule) -> str:
    error = rule.figures.error
    return f"  (with exceptions: error {error:.3g})" if error else ""


def _constraint(rule: Rule, asked: Asked) -> str | None:
    """A key or a constraint on single rows as DDL, for databases that enforce it; it is printed as a comment."""
    if asked.dialect not in _CONSTRAINED or rule.figures.error:
        return None
    wording = asked.wording()
    if isinstance(rule, Key) and rule.columns:
        nulls = " NULLS NOT DISTINCT" if asked.dialect == "postgres" and wording.nulls != "unknown" else ""
        what = f"UNIQUE ({', '.join(map(name, rule.columns))})"
    elif isinstance(rule, Dc) and (condition := row_condition(rule, wording)) is not None:
        nulls, what = "", f"CHECK (NOT ({condition}))"
    else:
        return None
    added = f"ADD CONSTRAINT {name('lawful_' + rule.id)} {what}"
    ddl = translated(f"ALTER TABLE {name(wording.table)} {added}", asked.dialect)
    return ddl.replace("UNIQUE (", f"UNIQUE{nulls} (", 1) if nulls else ddl
