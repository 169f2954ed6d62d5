"""What staged chunks say together: names, types, nulls, places in files, and where a limit of rows cuts them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pyarrow as pa

from lawful.options import SourceOptions
from lawful.ranks.columns import type_of
from lawful.ranks.encode import nameless
from lawful.ranks.infer import TextSummary
from lawful.ranks.staged import Reading, Staged
from lawful.ranks.types import ColumnType
from lawful.source.files import FileSource
from lawful.source.pieces import Piece
from lawful.source.spark import SparkSource


def names_of(source: FileSource | SparkSource, chunks: Sequence[Staged]) -> tuple[str, ...]:
    """The table's columns: as the source says, else as they appear in the rows."""
    if source.names is not None:
        return source.names
    names = tuple(dict.fromkeys(n for c in chunks for n in c.names))
    if not names:
        raise nameless(source.name)
    return names


def summaries_of(names: Sequence[str], chunks: Sequence[Staged]) -> list[TextSummary]:
    """Each column's summary over all chunks."""
    found = [TextSummary() for _ in names]
    at = {name: i for i, name in enumerate(names)}
    for chunk in chunks:
        for name, summary in zip(chunk.names, chunk.summaries, strict=True):
            found[at[name]] = found[at[name]].merge(summary)
    return found


def types_of(
    source: FileSource | SparkSource,
    options: SourceOptions,
    names: Sequence[str],
    chunks: Sequence[Staged],
    summaries: Sequence[TextSummary],
) -> tuple[ColumnType, ...]:
    """Each column's type, decided by all its values."""
    if isinstance(source, FileSource) and source.text:
        return tuple(type_of(n, None, s, options) for n, s in zip(names, summaries, strict=True))
    schema = _schema(source, chunks)
    return tuple(type_of(n, schema.field(n).type, s, options) for n, s in zip(names, summaries, strict=True))


def _schema(source: FileSource | SparkSource, chunks: Sequence[Staged]) -> pa.Schema:
    if isinstance(source, FileSource):
        assert source.schema is not None
        return source.schema
    return chunks[0].types() if chunks else source.frame.limit(0).toArrow().schema


def nulls_of(name: str, chunks: Sequence[Staged]) -> int:
    """Rows without a value; a chunk that lacks the column has nothing else."""
    return sum(c.nulls[c.names.index(name)] if name in c.names else c.rows for c in chunks)


def limited(source: FileSource, reading: Reading, limit: int, again: Callable[[Piece, int], Reading]) -> Reading:
    """The pieces up to a limit of rows; the one in which it falls is read ``again``, so many rows of it.

    As in one process: what is wrong with a file beyond the limit is nobody's concern.
    """
    rows = 0
    kept = Reading()
    for piece in source.pieces:
        mine = _of_piece(reading, piece)
        count = sum(c.rows for c in mine.chunks)
        if rows + count > limit or mine.faults or (mine.bad and rows + count == limit):
            mine = again(piece, limit - rows)
            count = sum(c.rows for c in mine.chunks)
        kept, rows = kept.merge(mine), rows + count
        if rows == limit:
            break
    return kept


def _of_piece(reading: Reading, piece: Piece) -> Reading:
    place = (piece.file, piece.part)

    def mine(items: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(item for item in items if item[0] == place)

    return Reading(tuple(c for c in reading.chunks if c.place[:2] == place), mine(reading.bad), mine(reading.faults))
