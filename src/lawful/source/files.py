"""Files as one table: pieces that any task can read, in the order of rows."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import pyarrow as pa

from lawful.source import columnar
from lawful.source.delimited import DelimitedReader
from lawful.source.dialect import Dialect
from lawful.source.lines import LinesReader
from lawful.source.location import is_url
from lawful.source.pieces import BadRows, Piece


@dataclass(frozen=True)
class FileSource:
    """Files of one shape. ``names`` are the chosen columns in the table's order; picklable, so that tasks can read.

    ``schema`` holds the declared types (none for text, whose columns are text); ``names`` is ``None`` for JSON lines
    of which no columns were chosen: there the rows tell.
    """

    name: str
    format: str
    pieces: tuple[Piece, ...]
    names: tuple[str, ...] | None
    schema: pa.Schema | None = None
    dialect: Dialect | None = None
    encoding: str = "utf-8"
    skip_bad: bool = False
    warnings: tuple[str, ...] = ()

    @property
    def text(self) -> bool:
        """Whether the cells are text, whose types are found later."""
        return self.schema is None

    @property
    def paths(self) -> tuple[str, ...]:
        """The files, each once, in the order of rows."""
        return tuple(dict.fromkeys(p.path for p in self.pieces))

    def read(self, piece: Piece) -> PieceReader:
        """The rows of a piece, to be gone through once."""
        return PieceReader(self, piece)

    def absolute(self) -> FileSource:
        """The same files by names that hold on other hosts."""
        pieces = (p if is_url(p.path) else replace(p, path=os.path.abspath(p.path)) for p in self.pieces)
        return replace(self, pieces=tuple(pieces))


class PieceReader:
    """Batches of one piece, columns told by its folders included; ``bad`` once they are read."""

    def __init__(self, source: FileSource, piece: Piece) -> None:
        self._told = dict(piece.partitions)
        self._names = source.names
        self._schema = source.schema
        stored = None if source.names is None else tuple(n for n in source.names if n not in self._told)
        self._text: DelimitedReader | LinesReader | None = None
        if source.dialect is not None:
            self._text = DelimitedReader(piece.path, source.dialect, stored or ())
        elif source.format == "json":
            self._text = LinesReader(piece.path, source.encoding, stored)
        self._batches: Iterable[pa.RecordBatch] = self._text or columnar.read_batches(
            piece, source.format, list(stored or ())
        )

    @property
    def bad(self) -> BadRows:
        """The records that could not be used; files of typed columns have none."""
        return self._text.bad if self._text is not None else BadRows()

    def __iter__(self) -> Iterator[pa.RecordBatch]:
        for batch in self._batches:
            yield self._complete(batch)

    def _complete(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        columns = dict(zip(batch.schema.names, batch.columns, strict=True))
        for name, value in self._told.items():
            columns[name] = pa.repeat(pa.scalar(value, pa.string()), batch.num_rows)
        order = list(columns if self._names is None else self._names)
        if self._schema is not None:
            columns = {n: _as_declared(columns[n], self._schema.field(n).type) for n in order}
        return pa.RecordBatch.from_arrays([columns[n] for n in order], names=order)


def _as_declared(array: pa.Array, type: pa.DataType) -> pa.Array:
    return array if array.type == type else array.cast(type)
