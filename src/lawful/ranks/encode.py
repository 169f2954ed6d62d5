"""Encoding in this process: Arrow columns become int32 ranks, one column after the other.

Columnar files are read a column at a time, so that what is held besides the ranks is one column and the distinct
values. Text files are read once and their columns let go one by one.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pyarrow as pa

from lawful.errors import ColumnError, SourceError, did_you_mean
from lawful.limits import Budget
from lawful.options import SourceOptions
from lawful.progress import Listener, Step, silent
from lawful.ranks.coding import Coded, code
from lawful.ranks.columns import Misfit, infers, ordering, refuse, summary_of, type_of, typed
from lawful.ranks.encoded import Column, Encoded, HeldValues, Origin
from lawful.ranks.infer import TextSummary
from lawful.ranks.keys import dense
from lawful.ranks.places import origins_of, record_place
from lawful.ranks.store import Ranks
from lawful.ranks.types import ColumnType, declared
from lawful.source.columnar import read_column
from lawful.source.files import FileSource
from lawful.source.frames import FrameSource
from lawful.source.pieces import BadRows, Piece


def encode_here(
    source: FileSource | FrameSource,
    options: SourceOptions,
    *,
    budget: Budget | None = None,
    listener: Listener = silent,
) -> Encoded:
    """Encode files or a frame in this process. O(cells) hashing and O(d log d) sorting per column of d values."""
    started = time.perf_counter()
    budget = budget or Budget.of(None)
    table = _frame(source) if isinstance(source, FrameSource) else _files(source, options, budget, listener)
    check_named(table.names, options)
    ranks = np.empty((len(table.names), table.rows), np.int32)
    columns, values = [], []
    for place, (name, cells) in enumerate(table.columns()):
        listener(Step("encoding", place, len(table.names), {"column": name}))
        column, distinct = _column(name, cells, table, options, ranks[place])
        columns.append(column)
        values.append(distinct)
        budget.check(f"encoding column {name!r}")
        del cells
    pa.default_memory_pool().release_unused()  # else what was read stays with the process while it searches
    ranks.flags.writeable = False
    return Encoded(
        name=source.name,
        columns=tuple(columns),
        rows=table.rows,
        values=HeldValues(tuple(values)),
        nulls=options.nulls,
        origins=table.origins,
        warnings=(*source.warnings, *table.warnings),
        engine="local",
        seconds=time.perf_counter() - started,
        held=ranks,
    )


def check_named(names: Sequence[str], options: SourceOptions) -> None:
    """Columns that other options speak of must be there, and types that are asked for be types."""
    for option, named in (("--types", options.types), ("--order", options.order)):
        for column in named:
            if column not in names:
                raise ColumnError(
                    f"{option} names column {column!r}, which is not there.", hint=did_you_mean(column, names)
                )
    for column, asked in options.types.items():
        declared(asked, column)


@dataclass
class _Table:
    """Columns to encode, given up one by one."""

    names: tuple[str, ...]
    rows: int
    text: bool
    source: FileSource | FrameSource
    cells: dict[str, pa.ChunkedArray] = field(default_factory=dict)
    origins: tuple[Origin, ...] = ()
    warnings: tuple[str, ...] = ()

    def columns(self) -> Iterator[tuple[str, pa.ChunkedArray]]:
        for name in self.names:
            yield name, self.cells.pop(name) if name in self.cells else self._stored(name)

    def _stored(self, name: str) -> pa.ChunkedArray:
        assert isinstance(self.source, FileSource) and self.source.schema is not None
        type = self.source.schema.field(name).type
        dictionary = pa.types.is_string(type) or pa.types.is_large_string(type)
        parts = [read_column(p, self.source.format, name, dictionary=dictionary) for p in _wholes(self.source)]
        limit, chunks = self.rows, []
        for part in parts:
            if part.type != type and not pa.types.is_dictionary(part.type):
                part = part.cast(type)
            chunks += part.slice(0, limit).chunks
            limit -= min(limit, len(part))
        if len({c.type for c in chunks}) > 1:
            plain = type.value_type if pa.types.is_dictionary(type) else type
            chunks = [(c.dictionary_decode() if pa.types.is_dictionary(c.type) else c).cast(plain) for c in chunks]
        return pa.chunked_array(chunks) if chunks else pa.chunked_array([], type)

    def declared(self, name: str, cells: pa.ChunkedArray) -> pa.DataType | None:
        """The type that the source declares, however the cells were read; ``None`` for text."""
        schema = self.source.schema if isinstance(self.source, FileSource) else None
        return None if self.text else cells.type if schema is None else schema.field(name).type

    def where(self, row: int) -> str:
        return record_place(self.source, self.origins, row)


def _wholes(source: FileSource) -> list[Piece]:
    """One piece a file: in process a column of a file is read in one go."""
    firsts = {p.path: p for p in reversed(source.pieces)}
    return [replace(firsts[path], part=0, groups=None) for path in source.paths]


def _frame(source: FrameSource) -> _Table:
    cells = {name: source.table.column(i) for i, name in enumerate(source.names)}
    return _Table(source.names, source.table.num_rows, False, source, cells)


def _files(source: FileSource, options: SourceOptions, budget: Budget, listener: Listener) -> _Table:
    stored = source.format == "parquet" and source.names is not None
    if stored and not any("=" in p for p in source.paths):
        return _parquet(source, options)
    batches: list[pa.RecordBatch] = []
    read: list[tuple[str, int]] = []
    bad = BadRows()
    rows, limit = 0, options.limit_rows
    for done, piece in enumerate(source.pieces):
        listener(Step("reading", done, len(source.pieces), {"rows": f"{rows:,}"}))
        start, reader = rows, source.read(piece)
        for batch in reader:
            kept = batch if limit is None else batch.slice(0, limit - rows)
            batches.append(kept)
            rows += kept.num_rows
            budget.check(f"reading {piece.path!r}")
            if rows == limit:
                break
        bad = bad.merge(reader.bad)
        read.append((piece.path, rows - start))
        if rows == limit:
            break
    if bad.count and not source.skip_bad:
        raise bad.error()
    cells, names = _united(batches, source)
    warnings = (bad.warning(),) if bad.count else ()
    return _Table(names, rows, source.text, source, cells, origins_of(read), warnings)


def _united(batches: list[pa.RecordBatch], source: FileSource) -> tuple[dict[str, pa.ChunkedArray], tuple[str, ...]]:
    """The batches column by column; JSON lines may name other columns in each."""
    names = source.names
    if names is None:
        names = tuple(dict.fromkeys(n for b in batches for n in b.schema.names if n != ""))
        if not names:
            raise nameless(source.name)
    cells: dict[str, list[pa.Array]] = {n: [] for n in names}
    while batches:
        batch = batches.pop(0)
        there = {n: i for i, n in enumerate(batch.schema.names)}
        for name in names:
            cells[name].append(batch.column(there[name]) if name in there else pa.nulls(batch.num_rows, pa.string()))
    types = {n: pa.string() if source.schema is None else source.schema.field(n).type for n in names}
    return {n: pa.chunked_array(arrays, types[n]) for n, arrays in cells.items()}, names


def _parquet(source: FileSource, options: SourceOptions) -> _Table:
    from lawful.source.columnar import schema_of

    read, rows = [], 0
    for path in source.paths:
        count = sum(schema_of(path, "parquet")[1])
        if options.limit_rows is not None:
            count = min(count, options.limit_rows - rows)
        read.append((path, count))
        rows += count
    assert source.names is not None
    return _Table(source.names, rows, False, source, {}, origins_of(read))


def _column(
    name: str, cells: pa.ChunkedArray, table: _Table, options: SourceOptions, out: Ranks
) -> tuple[Column, pa.Array]:
    """Encode one column into ``out``; its description and its distinct values in order."""
    declared_as = table.declared(name, cells)
    coded = code(cells, options.null_values)
    del cells
    summary = summary_of(coded, infer=infers(name, declared_as, options))
    type = type_of(name, declared_as, summary, options)
    values = typed(coded, type, asked=name in options.types)
    keys = values if isinstance(values, Misfit) else ordering(coded, values, type, options.order.get(name, ()))
    if isinstance(keys, Misfit):
        row = int(np.flatnonzero(coded.codes == keys.place)[0])
        raise refuse(name, keys, table.where(row))
    ranks, firsts = dense(keys)
    null_rank = place_ranks(coded, ranks, options.nulls, out)
    column = describe(name, type, len(firsts), int((coded.codes < 0).sum()), null_rank, options, summary)
    assert isinstance(values, pa.Array)
    return column, values.take(pa.array(firsts))


def place_ranks(coded: Coded, ranks: Ranks, nulls: str, out: Ranks) -> int | None:
    """Write the rank of every row, null first or last; the rank of null."""
    distinct = int(ranks.max()) + 1 if len(ranks) else 0
    if not len(coded.codes) or coded.codes.min() >= 0:
        np.take(ranks, coded.codes, out=out)
        return None
    null_rank = distinct if nulls == "last" else 0
    moved = np.empty(len(ranks) + 1, np.int32)
    moved[:-1] = ranks if nulls == "last" else ranks + 1
    moved[-1] = null_rank  # the code of null is -1
    np.take(moved, coded.codes, out=out, mode="wrap")
    return null_rank


def nameless(source: str) -> SourceError:
    """The error of JSON lines without a single name."""
    return SourceError(f"{source!r} has no columns.", hint="Write one JSON object a line, with names in it.")


def describe(
    name: str,
    type: ColumnType,
    distinct: int,
    nulls: int,
    null_rank: int | None,
    options: SourceOptions,
    summary: TextSummary,
) -> Column:
    """What is told of a column once it is encoded."""
    listed = options.order.get(name, ())
    ordered = bool(listed) or type.ordered
    return Column(name, type, distinct, nulls, null_rank, ordered, dict(summary.null_looking), listed)
