"""Files that hold typed columns: Parquet, ORC, Arrow IPC (file and stream)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import pyarrow as pa

from lawful.source.location import damaged, open_random, open_stream, start_of
from lawful.source.pieces import Piece

_ROWS: Final = 1 << 17
_ARROW_FILE: Final = b"ARROW1"
_PROBLEMS: Final = (pa.ArrowException, OSError, EOFError, ValueError, TypeError, KeyError)
"""What Arrow's readers raise for bytes that are not what they should be."""


def schema_of(path: str, format: str) -> tuple[pa.Schema, tuple[int, ...]]:
    """The file's schema and the rows of each part that can be read on its own (none where only the whole can)."""
    try:
        if format == "parquet":
            with _parquet(path) as file:
                meta = file.metadata
                return file.schema_arrow, tuple(meta.row_group(i).num_rows for i in range(meta.num_row_groups))
        if format == "orc":
            with _orc(path) as file:
                return file.schema, ()
        with _arrow(path) as (schema, _):
            return schema, ()
    except _PROBLEMS as problem:
        raise damaged(path, problem) from problem


def read_batches(piece: Piece, format: str, columns: list[str]) -> Iterator[pa.RecordBatch]:
    """The piece's rows, the named top-level columns in that order."""
    batches = {"parquet": _parquet_batches, "orc": _orc_batches}.get(format, _arrow_batches)
    try:
        for batch in batches(piece, columns):
            yield batch.select(columns)
    except _PROBLEMS as problem:
        raise damaged(piece.path, problem) from problem


def read_column(piece: Piece, format: str, column: str, *, dictionary: bool) -> pa.ChunkedArray:
    """One column of a piece; text of Parquet as codes and dictionary, as the file has it."""
    if format != "parquet":
        arrays = [b.column(0) for b in read_batches(piece, format, [column])]
        type = arrays[0].type if arrays else schema_of(piece.path, format)[0].field(column).type
        return pa.chunked_array(arrays, type)
    options: dict[str, Any] = {"read_dictionary": [column]} if dictionary else {}
    try:
        with _parquet(piece.path, **options) as file:
            table = file.read(columns=[column], use_threads=False)
            return table.column(table.schema.get_field_index(column))
    except _PROBLEMS as problem:
        raise damaged(piece.path, problem) from problem


@contextmanager
def _parquet(path: str, **options: Any) -> Iterator[Any]:
    import pyarrow.parquet as pq

    with open_random(path) as handle, pq.ParquetFile(handle, pre_buffer=False, **options) as file:
        yield file


def _parquet_batches(piece: Piece, columns: list[str]) -> Iterator[pa.RecordBatch]:
    with _parquet(piece.path) as file:
        groups = piece.groups if piece.groups is not None else range(file.metadata.num_row_groups)
        yield from file.iter_batches(_ROWS, row_groups=list(groups), columns=columns, use_threads=False)


@contextmanager
def _orc(path: str) -> Iterator[Any]:
    import pyarrow.orc as orc

    with open_random(path) as handle:
        yield orc.ORCFile(handle)


def _orc_batches(piece: Piece, columns: list[str]) -> Iterator[pa.RecordBatch]:
    with _orc(piece.path) as file:
        for stripe in range(file.nstripes):
            yield file.read_stripe(stripe, columns=columns)


@contextmanager
def _arrow(path: str) -> Iterator[tuple[pa.Schema, Iterator[pa.RecordBatch]]]:
    """Schema and batches: files of batches start with a mark, streams do not."""
    if start_of(path, len(_ARROW_FILE)) == _ARROW_FILE:
        with open_random(path) as handle, pa.ipc.open_file(handle) as file:
            yield file.schema, (file.get_batch(i) for i in range(file.num_record_batches))
    else:
        with open_stream(path) as handle, pa.ipc.open_stream(handle) as stream:
            yield stream.schema, iter(stream)


def _arrow_batches(piece: Piece, columns: list[str]) -> Iterator[pa.RecordBatch]:
    with _arrow(piece.path) as (_, batches):
        yield from batches
