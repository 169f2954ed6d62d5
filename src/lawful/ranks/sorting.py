"""Distributed encoding, step 2: a chunk's distinct values become a sorted run of keys."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from lawful.options import SourceOptions
from lawful.ranks.coding import Coded
from lawful.ranks.columns import Misfit, ordering, typed
from lawful.ranks.folder import Folder, unique
from lawful.ranks.keys import Keys, dense
from lawful.ranks.runs import Key, RunFile, samples, write_run
from lawful.ranks.staged import Cells, Staged
from lawful.ranks.store import Ranks
from lawful.ranks.types import ColumnType

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Sorted:
    """A chunk's run of keys, and the file that tells for each code its place in the run.

    ``drawn`` are samples of each column's keys, ``schema`` the Arrow types of the values (null for a column that the
    chunk does not have), in IPC form.
    """

    number: int
    file: RunFile
    places: str
    drawn: tuple[tuple[Key, ...], ...]
    schema: bytes

    @property
    def counts(self) -> tuple[int, ...]:
        """Keys of each column."""
        return self.file.counts


@dataclass(frozen=True)
class Refused:
    """A value that cannot be what was asked for: the row of the chunk, the column, what is wrong."""

    number: int
    row: int
    column: int
    misfit: Misfit


class Concatenated:
    """Parts are results by number: merging puts them together."""

    def zero(self) -> dict[int, Any]:
        return {}

    def merge(self, left: dict[int, Any], right: dict[int, Any]) -> dict[int, Any]:
        return left | right


@dataclass(frozen=True)
class SortChunk(Concatenated):
    """A unit is (number, chunk); columns by place in ``names``, of these types and declared orders."""

    folder: str
    names: tuple[str, ...]
    types: tuple[ColumnType, ...]
    asked: frozenset[str]
    options: SourceOptions

    def weight(self, unit: tuple[int, Staged]) -> float:
        return float(sum(unit[1].distinct) + 1)

    def run(self, shared: Any, unit: tuple[int, Staged]) -> dict[int, Sorted | Refused]:
        number, chunk = unit
        cells = Cells(chunk, Folder(self.folder))
        runs: list[Keys] = []
        places: list[Ranks] = []
        fields: list[pa.Field] = []
        for at, name in enumerate(self.names):
            if name not in chunk.names:
                runs.append(Keys(number=np.zeros(0, np.int64)))
                fields.append(pa.field(str(at), pa.null()))
                continue
            may_misfit = name in self.asked or name in self.options.order
            coded = cells.coded(chunk.names.index(name), rows=may_misfit)
            values, keys = self._keys(at, coded)
            if isinstance(keys, Misfit):
                row = int(np.flatnonzero(coded.codes == keys.place)[0])
                return {number: Refused(number, row, at, keys)}
            ranks, firsts = dense(keys)
            runs.append(keys.take(firsts))
            places.append(ranks)
            fields.append(pa.field(str(at), values.type))
        return {number: self._written(number, runs, places, fields)}

    def _keys(self, at: int, coded: Coded) -> tuple[pa.Array, Keys | Misfit]:
        name, type = self.names[at], self.types[at]
        values = typed(coded, type, asked=name in self.asked)
        if isinstance(values, Misfit):
            return coded.values, values
        return values, ordering(coded, values, type, self.options.order.get(name, ()))

    def _written(self, number: int, runs: list[Keys], places: list[Ranks], fields: list[pa.Field]) -> Sorted:
        folder = Folder(self.folder)
        run, index = unique(f"run-{number}", ".arrow"), unique(f"places-{number}", ".i32")
        file = write_run(folder, run, runs)
        folder.write(index, joined(places).tobytes())
        schema = pa.schema(fields).serialize().to_pybytes()
        return Sorted(number, file, index, tuple(map(samples, runs)), schema)


def joined(parts: Sequence[NDArray[Any]]) -> Ranks:
    """Parts one after the other, as int32; there may be none."""
    return np.concatenate([*parts, np.zeros(0, np.int32)]).astype(np.int32, copy=False)
