"""Distinct values that live in the work folder as keys, and the way back from a key to its value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from lawful.ranks.folder import Folder
from lawful.ranks.keys import Keys
from lawful.ranks.runs import Run, RunFile, join

_MOST = np.int64((1 << 63) - 1)
_SIGN = np.uint64(1 << 63)


@dataclass(frozen=True)
class Part:
    """Some of a column's keys in order: column ``at`` of the run file ``file``, which holds ``counts`` keys each."""

    file: str
    counts: tuple[int, ...]
    at: int


@dataclass(frozen=True)
class StoredValues:
    """Distinct values of every column, read where they are asked for."""

    folder: Folder
    parts: tuple[tuple[Part, ...], ...]
    types: tuple[pa.DataType, ...]
    listed: tuple[pa.Array | None, ...]

    def take(self, column: int, places: np.ndarray[Any, Any]) -> pa.Array:
        """The values at some places of the order; costs the batches that hold them."""
        wanted, back = np.unique(np.asarray(places, np.int64), return_inverse=True)
        batches = []
        start = 0
        for part in self.parts[column]:
            run = Run(self.folder, RunFile(part.file, part.counts))
            stop = start + part.counts[part.at]
            batches += run.take(part.at, wanted[(wanted >= start) & (wanted < stop)] - start)
            start = stop
        values = values_of(join(batches), self.types[column], self.listed[column])
        return values.take(pa.array(back))


def values_of(keys: Keys, type: pa.DataType, listed: pa.Array | None = None) -> pa.Array:
    """The values behind keys, in their type: the inverse of ``keys.keys_of``, or of the places in a list."""
    if len(keys) == 0:
        return pa.array([], type)
    if listed is not None:
        assert keys.number is not None
        return listed.take(pa.array(keys.number))
    if keys.text is not None:
        return _from_text(keys.text, type)
    number = keys.number if keys.number is not None else np.zeros(0, np.int64)
    if pa.types.is_decimal(type):
        return _decimals(number, keys.low, type)
    if pa.types.is_floating(type):
        bits = np.where(number < 0, number ^ _MOST, number)
        return pa.array(bits.view(np.float64)).cast(type)
    if pa.types.is_boolean(type):
        return pa.array(number.astype(np.bool_))
    if pa.types.is_uint64(type):
        return pa.array(number.view(np.uint64) ^ _SIGN)
    if pa.types.is_temporal(type):
        return pa.array(number, pa.int64()).cast(pa.int32() if type.bit_width == 32 else pa.int64()).view(type)
    return pa.array(number).cast(type)


def _from_text(text: pa.LargeBinaryArray, type: pa.DataType) -> pa.Array:
    if pa.types.is_decimal(type):
        cells = np.frombuffer(text.cast(pa.binary(32)).buffers()[1], np.uint8).reshape(-1, 32).copy()
        cells[:, 0] ^= 0x80
        data = pa.py_buffer(cells[:, ::-1].tobytes())
        return pa.Array.from_buffers(type, len(text), [None, data])
    return text.cast(type)


def _decimals(number: Any, low: Any, type: pa.DataType) -> pa.Array:
    words = np.empty((len(number), 2), np.int64)
    words[:, 0] = number if low is None else low.view(np.int64)
    words[:, 1] = number >> 63 if low is None else number
    wide = pa.decimal128(type.precision, type.scale)
    return pa.Array.from_buffers(wide, len(number), [None, pa.py_buffer(words.tobytes())]).cast(type)
