"""The encoded table: what every algorithm works on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol

import numpy as np
import pyarrow as pa

from lawful.errors import ColumnError, did_you_mean
from lawful.ranks.plain import plain
from lawful.ranks.store import Ranks, Store
from lawful.ranks.types import ColumnType


@dataclass(frozen=True)
class Column:
    """What is known of a column besides its ranks.

    ``distinct`` counts values, null not among them; ``null_rank`` is the rank of null, ``None`` when there is none.
    ``listed`` is the order by meaning, where a person gave one.
    """

    name: str
    type: ColumnType
    distinct: int
    nulls: int
    null_rank: int | None
    ordered: bool
    null_looking: Mapping[str, int] = field(default_factory=dict)
    listed: tuple[str, ...] = ()

    @property
    def ranks(self) -> int:
        """How many ranks there are: 0 … ranks - 1."""
        return self.distinct + (self.null_rank is not None)


@dataclass(frozen=True)
class Origin:
    """Rows of one file that stand together: ``rows`` of them, the first being row ``start`` of the table and record
    ``record`` (from 1) of the file."""

    path: str
    start: int
    rows: int
    record: int = 1


class Values(Protocol):
    """The distinct values of the columns, in the order of their ranks."""

    def take(self, column: int, places: np.ndarray[Any, Any]) -> pa.Array:
        """The values at some places (the null rank left out of the count)."""


@dataclass(frozen=True)
class Encoded:
    """A table as ranks: ``ranks[c, r]`` is the dense int32 rank of row ``r`` in column ``c``; equal values have equal
    ranks and a smaller value has a smaller one. Each column is contiguous.

    ``nulls`` says where nulls stand ("first" and "unknown": rank 0; "last": the highest). ``origins`` gives rows of
    files their place; empty for frames.
    """

    name: str
    columns: tuple[Column, ...]
    rows: int
    values: Values = field(repr=False, compare=False)
    nulls: str = "first"
    origins: tuple[Origin, ...] = ()
    warnings: tuple[str, ...] = ()
    engine: str = "local"
    seconds: float = 0.0
    store: Store | None = None
    held: Ranks | None = field(default=None, repr=False, compare=False)

    @cached_property
    def ranks(self) -> Ranks:
        """Shape (columns, rows), int32, read-only."""
        if self.held is not None:
            return self.held
        assert self.store is not None
        return self.store.open()

    @property
    def names(self) -> tuple[str, ...]:
        """The columns' names, in the table's order."""
        return tuple(c.name for c in self.columns)

    def place(self, column: str) -> int:
        """The column's place in the table."""
        try:
            return self.names.index(column)
        except ValueError:
            raise ColumnError(f"There is no column {column!r}.", hint=did_you_mean(column, self.names)) from None

    def column(self, name: str) -> Column:
        """The column of that name."""
        return self.columns[self.place(name)]

    def cells(self, column: str, rows: Sequence[int]) -> list[object]:
        """The values of some rows, as Python objects (see `plain`), null as ``None``."""
        at = self.place(column)
        null = self.columns[at].null_rank
        ranks = np.asarray(self.ranks[at, np.asarray(rows, np.int64)], np.int64)
        if null is None:
            return plain(self.values.take(at, ranks))
        there = ranks != null
        places = ranks[there] - (1 if null == 0 else 0)
        found = iter(plain(self.values.take(at, places)))
        return [next(found) if is_there else None for is_there in there]

    def row_name(self, row: int) -> str:
        """``file:record`` for rows of files, else the position, from 1."""
        for origin in self.origins:
            if origin.start <= row < origin.start + origin.rows:
                return f"{origin.path}:{origin.record + row - origin.start}"
        return str(row + 1)


@dataclass(frozen=True)
class HeldValues:
    """Distinct values in this process, one Arrow array a column."""

    arrays: tuple[pa.Array, ...]

    def take(self, column: int, places: np.ndarray[Any, Any]) -> pa.Array:
        """The values at some places of the order."""
        return self.arrays[column].take(pa.array(places))
