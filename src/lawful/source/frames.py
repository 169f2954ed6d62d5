"""Tables that live in this process: Arrow, pandas, Polars, DuckDB, anything with ``__arrow_c_stream__``."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from lawful.errors import ColumnError, SourceError
from lawful.options import SourceOptions
from lawful.source.location import one_line
from lawful.source.names import check_names, choose


@dataclass(frozen=True)
class FrameSource:
    """A table in memory, its chosen columns in the table's order; row identity is the position."""

    name: str
    table: pa.Table
    warnings: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The columns, in order."""
        return tuple(self.table.schema.names)


def is_frame(thing: object) -> bool:
    """Whether this offers its rows as an Arrow table in some way."""
    return isinstance(thing, pa.Table | pa.RecordBatch | pa.RecordBatchReader) or any(
        hasattr(thing, name) for name in ("__arrow_c_stream__", "to_arrow_table", "fetch_arrow_table")
    )


def open_frame(thing: Any, options: SourceOptions) -> FrameSource:
    """The table behind an in-memory object. Typed columns keep their types; pandas' missing marker is null."""
    name = f"{type(thing).__module__.split('.')[0]}.{type(thing).__name__}"
    pandas = sys.modules.get("pandas")
    notes: list[str] = []
    if pandas is not None and isinstance(thing, pandas.DataFrame):
        table = _from_pandas(name, thing)
        notes = [f"The index {n!r} is not a column; reset_index() makes it one." for n in thing.index.names if n]
    else:
        table = _table(thing)
    names, warnings = check_names(name, table.schema.names)
    table = table.rename_columns(list(names))
    table = table.select(list(choose(names, options.columns, name)))
    if options.limit_rows is not None:
        table = table.slice(0, options.limit_rows)
    return FrameSource(name, table, (*warnings, *notes))


def _table(thing: Any) -> pa.Table:
    if isinstance(thing, pa.Table):
        return thing
    if isinstance(thing, pa.RecordBatch):
        return pa.Table.from_batches([thing])
    try:
        for method in ("to_arrow_table", "fetch_arrow_table"):
            if hasattr(thing, method) and not hasattr(thing, "__arrow_c_stream__"):
                found: pa.Table = getattr(thing, method)()
                return found
        return pa.RecordBatchReader.from_stream(thing).read_all()
    except Exception as problem:  # rows made on demand can fail in any way
        raise SourceError(
            f"A {type(thing).__name__} cannot be read as a table: {one_line(problem)}.",
            hint="Convert it to an Arrow table.",
        ) from problem


def _from_pandas(name: str, frame: Any) -> pa.Table:
    columns = [str(c) for c in frame.columns]
    check_names(name, columns)
    arrays = []
    for place, column in enumerate(columns):
        try:
            array = pa.array(frame.iloc[:, place], from_pandas=True)
        except (pa.ArrowException, ValueError, TypeError, OverflowError) as problem:
            raise ColumnError(
                f"Column {column!r} of {name} is of no one type: {one_line(problem)}.",
                hint=f"Convert it first, as with df[{column!r}].astype('string').",
            ) from problem
        arrays.append(array if isinstance(array, pa.ChunkedArray) else pa.chunked_array([array]))
    return pa.table(arrays, names=columns)
