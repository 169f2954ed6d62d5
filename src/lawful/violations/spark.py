"""A Spark frame in two, by the values of the rows that break rules.

A row's part in violations is decided by its values in the rule's columns, since rows with equal values there have the
same partners. So the values of bad rows, each combination once, are joined to the frame: equal as Spark has it, null
equal to null. This is exact, whatever order the rows come in; the frame is read a second time.
"""

from __future__ import annotations

from functools import reduce
from typing import Any

import numpy as np
import pyarrow as pa

from lawful.errors import ColumnError
from lawful.violations.checked import CheckResult, RuleCheck
from lawful.violations.finding import flags
from lawful.violations.rows import RULES, free_name, row_table

_SMALL = 100_000
"""Combinations of values up to which they are sent to every task."""


def split_spark(frame: Any, result: CheckResult) -> tuple[Any, Any]:
    """The rows that break no rule, and the others with the sorted ids of the rules they break."""
    assert result.table is not None
    groups: dict[tuple[str, ...], list[RuleCheck]] = {}
    for check in result.violated:
        groups.setdefault(tuple(n for n in result.table.names if n in check.rule.columns), []).append(check)
    marked, marks = frame, []
    for number, (columns, checks) in enumerate(groups.items()):
        marks.append(f"`_lawful_rules_{number}`")
        marked = _joined(marked, frame, _marks(result, columns, checks, number), columns, number)
    name = free_name(RULES, tuple(frame.columns))
    listed = f"array_sort(flatten(filter(array({', '.join(marks)}), x -> x is not null)))" if marks else "array('')"
    kept = [_quoted(column) for column in frame.columns]
    whole = marked.selectExpr(*kept, f"{listed} AS {_quoted(name)}")
    if not marks:
        return frame, whole.filter("false")
    size = f"size({_quoted(name)})"
    return whole.filter(f"{size} = 0").drop(name), whole.filter(f"{size} > 0")


def _marks(result: CheckResult, columns: tuple[str, ...], checks: list[RuleCheck], number: int) -> pa.Table:
    """The combinations of values of bad rows, each once, with the ids of the rules they break."""
    table = result.table
    assert table is not None
    for name in columns:
        if table.column(name).type.name == "nested":
            message = f"Rows cannot be told apart by column {name!r}, whose values are nested."
            raise ColumnError(message, hint="Use check and its violations instead of split.")
    broken = np.array([flags(check.bad, result.rows) for check in checks])
    bad = np.flatnonzero(broken.any(axis=0))
    places = np.array([table.place(name) for name in columns], np.intp)
    held = np.asarray(table.ranks)[np.ix_(places, bad)]
    first = np.unique(held, axis=1, return_index=True)[1] if len(places) else np.zeros(1, np.intp)
    rows = bad[first]
    ids = [[check.id for check, hit in zip(checks, hits, strict=True) if hit] for hits in broken[:, rows].T.tolist()]
    values = row_table(table, rows).select(list(columns))
    values = values.rename_columns([f"_lawful_{number}_{i}" for i in range(len(columns))])
    return values.append_column(f"_lawful_rules_{number}", pa.array(ids, pa.list_(pa.string())))


def _joined(marked: Any, frame: Any, marks: pa.Table, columns: tuple[str, ...], number: int) -> Any:
    there = frame.sparkSession.createDataFrame(marks)
    if marks.num_rows <= _SMALL:
        there = there.hint("broadcast")
    if not columns:
        return marked.crossJoin(there)
    names = [f"_lawful_{number}_{i}" for i in range(len(columns))]
    equal = [marked[_quoted(c)].eqNullSafe(there[n]) for c, n in zip(columns, names, strict=True)]
    return marked.join(there, reduce(lambda a, b: a & b, equal), "left").drop(*names)


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"
