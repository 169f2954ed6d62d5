"""Rows of an encoded table as tables of an Arrow, pandas or Spark user."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from lawful.errors import MissingError, OptionError
from lawful.violations.finding import flags

if TYPE_CHECKING:
    from lawful.ranks.encoded import Encoded
    from lawful.violations.checked import CheckResult

ROW = "lawful_row"
RULES = "lawful_rules"
FORMS = ("arrow", "pandas", "spark")


def has_places(table: Encoded) -> bool:
    """Whether a row of the table has a place by which a person finds it: rows of Spark frames have none."""
    return bool(table.origins) or table.engine != "spark"


def row_table(table: Encoded, rows: NDArray[np.intp]) -> pa.Table:
    """Some rows with their values, after the place of each, from 1. O(rows * columns)."""
    columns: dict[str, Any] = {}
    if has_places(table):
        columns[free_name(ROW, table.names)] = pa.array(rows + 1, pa.int64())
    for place, name in enumerate(table.names):
        columns[name] = _column(table, place, rows)
    return pa.table(columns)


def free_name(name: str, taken: tuple[str, ...]) -> str:
    """The name, or one with underscores behind it where a column has it already."""
    while name in taken:
        name += "_"
    return name


def _column(table: Encoded, place: int, rows: NDArray[np.intp]) -> pa.Array:
    null = table.columns[place].null_rank
    met, which = np.unique(np.asarray(table.ranks[place])[rows].astype(np.int64), return_inverse=True)
    which = which.reshape(-1)
    known = met[met != null] if null is not None else met
    values = table.values.take(place, known - (1 if null == 0 else 0))
    if null is None or null not in met:
        return values.take(pa.array(which))
    at = int(np.searchsorted(met, null))
    missing = which == at
    return values.take(pa.array(np.where(which > at, which - 1, which), mask=missing))


def reasons(result: CheckResult) -> pa.Array:
    """For every bad row the ids of the rules it breaks, in the order the rules were given; lists of strings."""
    bad = np.flatnonzero(result.bad)
    ids = pa.array([check.id for check in result.violated], pa.string())
    broken = np.array([flags(check.bad, result.rows)[bad] for check in result.violated], np.bool_)
    broken = broken.reshape(len(ids), len(bad)).T
    ends = np.concatenate([np.zeros(1, np.int32), np.cumsum(broken.sum(1), dtype=np.int32)])
    return pa.ListArray.from_arrays(pa.array(ends, pa.int32()), ids.take(pa.array(np.nonzero(broken)[1])))


def shaped(found: pa.Table, to: str) -> Any:
    """An Arrow table as it is, as a pandas frame, or on the active Spark session."""
    if to == "arrow":
        return found
    if to == "pandas":
        try:
            return found.to_pandas()
        except ModuleNotFoundError as error:
            raise MissingError("pandas is not installed.", hint="pip install pandas, or ask for arrow.") from error
    if to == "spark":
        from lawful.engine.spark.session import active

        session = active()
        if session is None:
            raise MissingError("There is no active Spark session.", hint="Start one, or ask for arrow.")
        return session.createDataFrame(found)
    raise OptionError(f"to is {to!r}.", hint=f"Choose one of: {', '.join(FORMS)}.")
