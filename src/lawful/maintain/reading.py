"""Sources as rows of a state: the columns it knows, in the types it knows, or an error that names what does not fit."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from lawful.errors import ColumnError, did_you_mean
from lawful.maintain.dictionary import kept, unpadded
from lawful.maintain.manifest import Manifest, StoredColumn
from lawful.options import SourceOptions
from lawful.ranks.encode import encode_here
from lawful.ranks.encoded import Encoded
from lawful.ranks.places import record_place
from lawful.ranks.plain import plain
from lawful.ranks.types import DECLARABLE
from lawful.source.files import FileSource
from lawful.source.frames import FrameSource
from lawful.source.opening import Source, open_source
from lawful.source.spark import SparkSource


@dataclass(frozen=True, eq=False)
class Given:
    """Rows as a source gives them: ``places`` int32[columns, rows] into the distinct ``values`` of each column, from 1;
    0 is null. ``source`` is what was opened, and ``table`` its encoding."""

    columns: tuple[StoredColumn, ...]
    values: tuple[pa.Array, ...]
    places: NDArray[np.int32]
    table: Encoded
    source: Any = None

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)

    @property
    def rows(self) -> int:
        return int(self.places.shape[1])

    def where(self, row: int) -> str:
        """Where a row stands, in words."""
        if self.source is None:
            return f"{self.table.name!r}, row {row + 1}"
        return record_place(self.source, self.table.origins, row)

    def shown(self, row: int) -> str:
        """The values of a row, as ``name=value``; texts in quotes."""
        cells = [(name, self.cell(c, row)) for c, name in enumerate(self.names)]
        return ", ".join(f"{name}={value!r}" if isinstance(value, str) else f"{name}={value}" for name, value in cells)

    def cell(self, column: int, row: int) -> object:
        """One value, null as ``None``."""
        place = int(self.places[column, row])
        return plain(unpadded(self.values[column].slice(place - 1, 1)))[0] if place else None

    def only(self, names: Sequence[str]) -> Given:
        """The same rows with those of their columns that are among some."""
        at = [c for c, name in enumerate(self.names) if name in names]
        values, columns = tuple(self.values[c] for c in at), tuple(self.columns[c] for c in at)
        return replace(self, columns=columns, values=values, places=self.places[at])

    def digest(self) -> bytes:
        """A hash of names, types and rows in their order."""
        state = hashlib.sha256()
        for c, column in enumerate(self.columns):
            values = self.values[c]
            state.update(f"{column.name!r} {column.type} {values.type} {len(values)};".encode())
            batch = pa.record_batch([values], names=["v"])
            state.update(batch.serialize())
            state.update(np.ascontiguousarray(self.places[c]).tobytes())
        return state.digest()


def read(source: Any, options: SourceOptions) -> Given:
    """Any source, in the types found or declared."""
    if isinstance(source, Encoded):
        return _given(source, None, None)
    opened = _opened(source, options)
    return _given(encode_here(opened, replace(options, nulls="first")), opened, None)


def read_as(source: Any, options: SourceOptions, manifest: Manifest) -> Given:
    """A source whose columns are of the types that the state has for them. Columns unknown to it keep theirs.

    A text column is held to the type, value by value; a typed one that has another type is refused.
    """
    if isinstance(source, Encoded):
        return _checked(_given(source, None, manifest), manifest)
    opened = _opened(source, options)
    reading = replace(options, nulls="first", null_values=options.null_values or manifest.options.null_values)
    if isinstance(opened, FileSource) and opened.text:
        names = opened.names or encode_here(opened, reading).names
        types = {c.name: c.type for c in manifest.columns if c.name in names and c.type in DECLARABLE}
        reading = replace(reading, types=types | dict(options.types))
    return _checked(_given(encode_here(opened, reading), opened, manifest), manifest)


def _opened(source: Any, options: SourceOptions) -> FileSource | FrameSource:
    opened: Source = open_source(source, options, _no_session)
    if isinstance(opened, SparkSource):
        return FrameSource(opened.name, opened.frame.toArrow(), opened.warnings)
    return opened


def _no_session() -> None:
    return None


def _given(table: Encoded, source: Any, manifest: Manifest | None) -> Given:
    columns, values, places = [], [], np.zeros((len(table.columns), table.rows), np.int32)
    for c, about in enumerate(table.columns):
        columns.append(StoredColumn(about.name, about.type.name, about.type.zoned))
        found = kept(table.values.take(c, np.arange(about.distinct)))
        values.append(found)
        ranks = table.ranks[c]
        if about.null_rank is None:
            places[c] = ranks + 1
        elif about.null_rank == 0:
            places[c] = ranks
        else:
            places[c] = np.where(ranks == about.null_rank, 0, ranks + 1)
    return Given(tuple(columns), tuple(values), places, table, source)


def _checked(given: Given, manifest: Manifest) -> Given:
    """Columns that the state knows must have its type; a column without values has any."""
    known = {column.name: column for column in manifest.columns}
    columns = []
    for c, column in enumerate(given.columns):
        stored = known.get(column.name)
        if stored is not None and (column.type, column.zoned) != (stored.type, stored.zoned):
            if len(given.values[c]):
                raise ColumnError(
                    f"Column {column.name!r} of {given.table.name!r} is {_told(column)}; in the state it is "
                    f"{_told(stored)}.",
                    hint="Convert it before it is applied, or make a new state.",
                )
            column = stored
        columns.append(column)
    return replace(given, columns=tuple(columns))


def _told(column: StoredColumn) -> str:
    return f"{column.type} with a zone" if column.zoned else column.type


def in_order(given: Given, names: Sequence[str], what: str, types: Sequence[pa.DataType], extra: str = "") -> Given:
    """The given rows with exactly these columns, in this order, their values of these types."""
    missing = [name for name in names if name not in given.names]
    if missing:
        raise ColumnError(
            f"{what}: {given.table.name!r} has no column {missing[0]!r}.", hint=did_you_mean(missing[0], given.names)
        )
    unknown = [name for name in given.names if name not in names]
    if unknown:
        raise ColumnError(
            f"{what}: {given.table.name!r} has a column {unknown[0]!r} that the state does not have.",
            hint=extra or f"The state has: {', '.join(names)}.",
        )
    at = [given.names.index(name) for name in names]
    values = tuple(_fitted(given, c, type) for c, type in zip(at, types, strict=True))
    return replace(given, columns=tuple(given.columns[c] for c in at), values=values, places=given.places[at])


def _fitted(given: Given, column: int, type: pa.DataType) -> pa.Array:
    """The values in the state's Arrow type; one that it cannot hold is named with its place."""
    values = given.values[column]
    if values.type == type or not len(values):
        return values.cast(type) if values.type != type and not len(values) else values
    try:
        return kept(values, type)
    except pa.ArrowException:
        for place in range(len(values)):
            try:
                kept(values.slice(place, 1), type)
            except pa.ArrowException:
                row = int(np.flatnonzero(given.places[column] == place + 1)[0])
                raise ColumnError(
                    f"{given.where(row)}, column {given.names[column]!r}: {given.cell(column, row)!r} does not fit "
                    f"into {type}, which the state holds.",
                    hint="Correct the value, or make a new state.",
                ) from None
        raise
