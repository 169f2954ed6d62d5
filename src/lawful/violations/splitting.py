"""A table in two: the rows that break no rule, and those that do, with the rules they break."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pyarrow as pa

from lawful.violations.checked import CheckResult, Flags
from lawful.violations.rows import RULES, free_name, reasons, row_table


def split_frame(frame: Any, result: CheckResult) -> tuple[Any, Any]:
    """The rows of a frame in memory, in its own kind (pandas, Polars) or as Arrow tables."""
    found = reasons(result)
    for library, divide in (("pandas", _pandas), ("polars", _polars)):
        module = sys.modules.get(library)
        if module is not None and isinstance(frame, module.DataFrame):
            return divide(module, frame, result.bad, found)
    whole = pa.Table.from_batches([frame]) if isinstance(frame, pa.RecordBatch) else frame
    bad = whole.filter(pa.array(result.bad))
    return whole.filter(pa.array(~result.bad)), bad.append_column(free_name(RULES, tuple(whole.column_names)), found)


def split_encoded(result: CheckResult) -> tuple[pa.Table, pa.Table]:
    """The rows of a source that is no frame, as Arrow tables, the values as they were read."""
    assert result.table is not None
    names = list(result.table.names)
    good, bad = (row_table(result.table, np.flatnonzero(which)).select(names) for which in (~result.bad, result.bad))
    return good, bad.append_column(free_name(RULES, tuple(names)), reasons(result))


def _pandas(module: Any, frame: Any, bad: Flags, found: pa.Array) -> tuple[Any, Any]:
    name = free_name(RULES, tuple(map(str, frame.columns)))
    lists = module.Series(found.to_pylist(), index=frame.index[bad], dtype=object)
    return frame[~bad], frame[bad].assign(**{name: lists.to_numpy()})


def _polars(module: Any, frame: Any, bad: Flags, found: pa.Array) -> tuple[Any, Any]:
    name = free_name(RULES, tuple(frame.columns))
    listed = module.Series(name, found.to_pylist(), dtype=module.List(module.String))
    return frame.filter(module.Series(~bad)), frame.filter(module.Series(bad)).with_columns(listed)
