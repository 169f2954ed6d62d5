"""Sorted runs of keys in the work folder, and reading back the part that somebody asks for.

A run file holds, column after column, the distinct keys of a chunk in order, in batches of ``BATCH`` keys. A reader
fetches batches one by one, so that a range of a long column costs the batches it touches.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np
import pyarrow as pa

from lawful.ranks.folder import Folder
from lawful.ranks.keys import Keys
from lawful.source.location import open_random

if TYPE_CHECKING:
    from numpy.typing import NDArray

BATCH: Final = 1 << 16
_SCHEMA: Final = pa.schema([("number", pa.int64()), ("low", pa.uint64()), ("text", pa.large_binary())])
# Two of the three parts are mostly unused, yet their nulls take as many bytes as values would.
_COMPRESSED: Final = pa.ipc.IpcWriteOptions(compression="lz4" if pa.Codec.is_available("lz4") else None)
_PREFIX: Final = 64
SAMPLE_EVERY: Final = 1 << 12
"""Keys from one sample to the next: a column of few values is never cut, and draws few or none."""

Key: TypeAlias = tuple[int, int, bytes]
"""A key as Python compares it; parts that a type does not use are 0 or empty."""


@dataclass(frozen=True)
class RunFile:
    """A run in the work folder: its name, and how many keys each column has."""

    name: str
    counts: tuple[int, ...]


def write_run(folder: Folder, name: str, columns: Sequence[Keys]) -> RunFile:
    """Write the sorted keys of each column. O(keys)."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_file(sink, _SCHEMA, options=_COMPRESSED) as writer:
        for keys in columns:
            batch = _batch(keys)
            for start in range(0, len(batch), BATCH):
                writer.write_batch(batch.slice(start, BATCH))
    folder.write(name, sink.getvalue().to_pybytes())
    return RunFile(name, tuple(map(len, columns)))


def _batch(keys: Keys) -> pa.RecordBatch:
    count = len(keys)
    return pa.record_batch(
        [
            pa.array(keys.number) if keys.number is not None else pa.nulls(count, pa.int64()),
            pa.array(keys.low) if keys.low is not None else pa.nulls(count, pa.uint64()),
            keys.text if keys.text is not None else pa.nulls(count, pa.large_binary()),
        ],
        schema=_SCHEMA,
    )


def join(parts: Sequence[pa.RecordBatch]) -> Keys:
    """The keys of some batches, one after the other."""
    table = pa.Table.from_batches(parts, _SCHEMA)
    used = [table.num_rows and table.column(i).null_count < table.num_rows for i in range(3)]
    number = np.asarray(table.column(0)).astype(np.int64, copy=False) if used[0] or not table.num_rows else None
    low = np.asarray(table.column(1)).astype(np.uint64, copy=False) if used[1] else None
    text = pa.concat_arrays(table.column(2).chunks) if used[2] else None
    return Keys(number, low, text)


def key_at(batch: pa.RecordBatch, row: int) -> Key:
    """One key of a batch, as Python compares it."""
    number, low, text = (batch.column(i)[row].as_py() for i in range(3))
    return (number or 0, low or 0, text or b"")


def samples(keys: Keys) -> tuple[Key, ...]:
    """Keys at even distances of a sorted column, long texts cut: where it may be split."""
    at = np.arange(SAMPLE_EVERY // 2, len(keys), SAMPLE_EVERY)
    batch = _batch(keys.take(at))
    found = (key_at(batch, row) for row in range(len(at)))
    return tuple((number, low, text[:_PREFIX]) for number, low, text in found)


@dataclass(frozen=True)
class Run:
    """A run file, opened when it is first read."""

    folder: Folder
    file: RunFile

    @cached_property
    def _reader(self) -> pa.ipc.RecordBatchFileReader:
        return pa.ipc.open_file(open_random(self.folder.path(self.file.name)))

    def _first_batch(self, column: int) -> int:
        return sum(-(-count // BATCH) for count in self.file.counts[:column])

    def bounds(self, column: int, low: Key | None, high: Key | None) -> tuple[int, int]:
        """The places of the keys from ``low`` on (``None``: all) up to below ``high`` (``None``: to the end)."""
        count = self.file.counts[column]
        return (
            0 if low is None else self.lower_bound(column, low),
            count if high is None else self.lower_bound(column, high),
        )

    def lower_bound(self, column: int, key: Key) -> int:
        """How many keys of a column are below ``key``. O(log n) batches looked into."""
        count = self.file.counts[column]
        if count == 0:
            return 0
        first, batches = self._first_batch(column), -(-count // BATCH)
        # The last batch that starts below the key holds the bound.
        heads = bisect_left(range(batches), key, key=lambda b: key_at(self._reader.get_batch(first + b), 0))
        if heads == 0:
            return 0
        batch = self._reader.get_batch(first + heads - 1)
        return (heads - 1) * BATCH + bisect_left(range(len(batch)), key, key=lambda r: key_at(batch, r))

    def slice(self, column: int, start: int, stop: int) -> list[pa.RecordBatch]:
        """The keys of a column from place ``start`` up to ``stop``."""
        first = self._first_batch(column)
        found = []
        for number in range(start // BATCH, -(-stop // BATCH)):
            begin = number * BATCH
            batch = self._reader.get_batch(first + number)
            low, high = max(start - begin, 0), min(stop - begin, len(batch))
            found.append(batch.slice(low, high - low))
        return found

    def take(self, column: int, places: NDArray[np.int64]) -> list[pa.RecordBatch]:
        """The keys of a column at some places, ascending; each batch is read once."""
        first = self._first_batch(column)
        batches = places // BATCH
        return [
            self._reader.get_batch(first + int(b)).take(pa.array(places[batches == b] - b * BATCH))
            for b in np.unique(batches)
        ]
