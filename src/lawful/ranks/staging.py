"""Distributed encoding, step 1: a chunk of rows becomes codes and local distinct values, kept in the work folder.

What goes back to the driver is a ``Staged``: names of two files and small summaries.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from lawful.errors import LawfulError
from lawful.limits import Budget
from lawful.options import SourceOptions
from lawful.ranks.coding import code
from lawful.ranks.columns import infers, summary_of
from lawful.ranks.folder import Folder, unique
from lawful.ranks.staged import Fault, Reading, Staged
from lawful.source.files import FileSource
from lawful.source.pieces import Piece

if TYPE_CHECKING:
    pass

CELLS = 4 << 20
"""Cells of a chunk: what a task holds as codes at a time, 16 MiB."""


def chunks_of(batches: Iterable[pa.RecordBatch], most: int | None) -> Iterator[pa.Table]:
    """Batches gathered into tables of about ``CELLS`` cells, ``most`` rows in all. Batches may differ in columns."""
    pending: list[pa.RecordBatch] = []
    rows, left = 0, most
    for batch in batches:
        kept = batch if left is None else batch.slice(0, left)
        left = None if left is None else left - kept.num_rows
        pending.append(kept)
        rows += kept.num_rows
        if left == 0:
            break
        if rows * max(kept.num_columns, 1) >= CELLS:
            yield _table(pending)
            pending, rows = [], 0
    if pending:
        yield _table(pending)


def _table(batches: list[pa.RecordBatch]) -> pa.Table:
    tables = [pa.Table.from_batches([b]) for b in batches]
    table = pa.concat_tables(tables, promote_options="default")
    return table.drop_columns([""]) if "" in table.schema.names and table.num_columns > 1 else table


def stage(
    table: pa.Table, place: tuple[int, int, int], path: str, folder: Folder, options: SourceOptions, *, text: bool
) -> Staged:
    """Code a chunk's columns and put them into the work folder. O(cells)."""
    names = tuple(n for n in table.schema.names if n != "")
    coded = [code(table.column(n), options.null_values) for n in names]
    codes = np.empty((len(names), table.num_rows), np.int32)
    for at, column in enumerate(coded):
        codes[at] = column.codes
    stem = "-".join(map(str, place))
    codes_name, values_name = unique(f"codes-{stem}", ".i32"), unique(f"values-{stem}", ".arrow")
    folder.write(codes_name, codes.tobytes())
    folder.write(values_name, _listed([c.values for c in coded]))
    return Staged(
        *place,
        path=path,
        rows=table.num_rows,
        names=names,
        schema=table.select(list(names)).schema.remove_metadata().serialize().to_pybytes(),
        codes=codes_name,
        values=values_name,
        nulls=tuple(int((c.codes < 0).sum()) for c in coded),
        distinct=tuple(len(c.values) for c in coded),
        summaries=tuple(
            summary_of(c, infer=infers(n, None if text else table.schema.field(n).type, options))
            for n, c in zip(names, coded, strict=True)
        ),
    )


def _listed(columns: list[pa.Array]) -> bytes:
    """Arrays of different lengths as one row of lists."""
    lists = [pa.LargeListArray.from_arrays(pa.array([0, len(c)], pa.int64()), c) for c in columns]
    batch = pa.record_batch(lists, names=[str(i) for i in range(len(lists))])
    sink = pa.BufferOutputStream()
    with pa.ipc.new_file(sink, batch.schema) as writer:
        writer.write_batch(batch)
    data: bytes = sink.getvalue().to_pybytes()
    return data


@dataclass(frozen=True)
class StagePieces:
    """The job of reading files: a unit is a piece. ``most`` rows are read of each."""

    source: FileSource
    options: SourceOptions
    folder: str
    memory: int | None
    most: int | None = None

    def zero(self) -> Reading:
        return Reading()

    def weight(self, unit: Piece) -> float:
        return float(unit.size or 1)

    def run(self, shared: Any, unit: Piece) -> Reading:
        place = (unit.file, unit.part)
        budget = Budget.of(self.memory)
        try:
            reader = self.source.read(unit)
            chunks = []
            for number, table in enumerate(chunks_of(reader, self.most)):
                chunk = stage(
                    table, (*place, number), unit.path, Folder(self.folder), self.options, text=self.source.text
                )
                chunks.append(chunk)
                budget.check(f"reading {unit.path!r} on a worker")
        except LawfulError as problem:
            return Reading(faults=((place, Fault.of(problem)),))
        bad = ((place, reader.bad),) if reader.bad.count else ()
        return Reading(tuple(chunks), bad)

    def merge(self, left: Reading, right: Reading) -> Reading:
        return left.merge(right)
