"""Rules as a schema of pandera, a Python module for pandas frames."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from lawful.export.exported import Asked, Exported, Left, left_out, one_line, sorted_out
from lawful.rules import Dc, Fd, Key, Oc, Rule
from lawful.rules.model import OPERATORS
from lawful.rules.words import meaning

_HEAD = '''"""{about}

``schema.validate(frame, lazy=True)`` raises pandera's SchemaErrors with the rows that break a rule.
"""

import pandas
import pandera.pandas as pandera


def _group(frame, columns):
    """A number for each group of rows that are equal on the columns, null being a value like any other."""
    if not columns:
        return pandas.Series(0, index=frame.index)
    return frame.groupby(columns, dropna=False, sort=False).ngroup()


def _rank(column, nulls):
    """Ranks; null stands first or last."""
    return column.rank(method="dense").fillna(-1 if nulls == "first" else len(column) + 1)


def _determines(given, column):
    """Rows that are equal on ``given`` are equal on the column."""

    def check(frame):
        both = pandas.DataFrame({{"x": _group(frame, given), "a": _group(frame, [column])}})
        return both.groupby("x")["a"].transform("nunique") <= 1

    return check


def _unique(columns):
    """No two rows are equal on the columns."""

    def check(frame):
        return _group(frame, columns).duplicated(keep=False).map(lambda twice: not twice)

    return check


def _along(context, left, right, opposite, nulls):
    """Within the context the right column never falls (never rises) while the left one rises."""

    def check(frame):
        a, b = _rank(frame[left], nulls), _rank(frame[right], nulls)
        rows = pandas.DataFrame({{"x": _group(frame, context), "a": a, "b": -b if opposite else b}})
        steps = rows.groupby(["x", "a"])["b"].max().groupby("x").cummax().groupby("x").shift()
        before = pandas.MultiIndex.from_frame(rows[["x", "a"]]).map(steps)
        return ~(rows["b"] < pandas.Series(before, index=rows.index))

    return check


def _never(compared):
    """No row satisfies all of the comparisons, of which one with a null is none."""

    def check(frame):
        broken = pandas.Series(True, index=frame.index)
        for left, operator, right in compared:
            known = frame[left].notna() & frame[right].notna()
            broken &= known & getattr(frame[left], operator)(frame[right])
        return ~broken

    return check


'''
_METHODS = dict(zip(OPERATORS, ("eq", "ne", "lt", "le", "gt", "ge"), strict=True))
_ELSEWHERE = "needs the table joined with itself; export it to sql"


def to_pandera(asked: Asked) -> Exported:
    """fd, key, oc and constraints on single rows; what compares two rows otherwise is left out."""
    said, left = sorted_out(asked, lambda rule: _check(rule, asked))
    about = "Rules of a table as a schema of pandera; written by lawful."
    lines = [*(f"# {one_line(line)}" for line in asked.about()), *left_out(left), "schema = pandera.DataFrameSchema("]
    lines += ["    checks=[", *(f"        {text}," for _, text in said), "    ]", ")"]
    text = _HEAD.format(about=about) + "\n".join(lines) + "\n"
    return Exported("pandera", {f"{asked.table}.py": text}, tuple(rule for rule, _ in said), tuple(left))


def _check(rule: Rule, asked: Asked) -> str | Left:
    wording = asked.wording()
    unknown = wording.nulls == "unknown"
    if any(column in wording.orders for column in rule.columns) and not isinstance(rule, Fd | Key):
        return Left(rule, "a column has an order by meaning")
    match rule:
        case Fd() | Key() if unknown:
            return Left(rule, "nulls are unknown, which these checks do not know")
        case Fd():
            made = f"_determines({list(rule.lhs)!r}, {rule.rhs!r})"
        case Key(columns=()):
            return Left(rule, "it says that there is at most one row")
        case Key():
            made = f"_unique({list(rule.columns)!r})"
        case Oc() if not unknown:
            sides = f"{rule.left!r}, {rule.right!r}, {rule.direction == 'opposite'}, {wording.nulls!r}"
            made = f"_along({list(rule.context)!r}, {sides})"
        case Dc() if unknown and _of_one_row(rule):
            made = f"_never([{', '.join(_triples(rule))}])"
        case _:
            return Left(rule, _ELSEWHERE)
    shown = one_line(meaning(rule))
    raised = ", raise_warning=True" if asked.severity(rule) == "warn" else ""
    return f"pandera.Check({made}, name={str(rule)!r}, error={shown!r}{raised})"


def _of_one_row(rule: Dc) -> bool:
    return len({cell.row for predicate in rule.predicates for cell in (predicate.left, predicate.right)}) == 1


def _triples(rule: Dc) -> Iterator[str]:
    for left, op, right in rule.predicates:
        names = (getattr(left, "column", ""), _METHODS[cast("str", op)], getattr(right, "column", ""))  # type: ignore[index]
        yield repr(names)
