"""A column as read becomes its distinct values and a code for every row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Coded:
    """A column, or a part of one: its distinct non-null values as read, and for every row the place of its value (-1
    for null). Every value is met at least once; two may still mean the same."""

    values: pa.Array
    codes: NDArray[np.int32]

    @cached_property
    def times(self) -> NDArray[np.int64]:
        """How often each value was met; counted when it is asked for."""
        return _times(self.codes, len(self.values))

    @cached_property
    def met(self) -> int:
        """How many rows have a value."""
        return int(np.count_nonzero(self.codes >= 0))


def code(column: pa.ChunkedArray, null_texts: Sequence[str]) -> Coded:
    """Distinct values of a column as read; O(n) hashing. ``null_texts`` become null in columns of text."""
    column = _plain(column)
    if pa.types.is_null(column.type):
        return Coded(pa.array([], pa.string()), np.full(len(column), -1, np.int32))
    if pa.types.is_nested(column.type):
        return _code_each(column)
    # Encoding gives all chunks one dictionary; those that came with theirs have each their own.
    encoded = column.unify_dictionaries() if pa.types.is_dictionary(column.type) else column.dictionary_encode()
    values = encoded.chunk(encoded.num_chunks - 1).dictionary if encoded.num_chunks else pa.array([], column.type)
    if pa.types.is_dictionary(values.type):
        values = values.dictionary_decode()
    codes = _codes(encoded)
    # A dictionary that came with the column may hold what no row has.
    keep = _times(codes, len(values)) > 0 if pa.types.is_dictionary(column.type) else np.ones(len(values), np.bool_)
    if values.null_count:
        keep &= np.asarray(pc.is_valid(values))
    if null_texts and is_text(values.type):
        keep &= ~np.asarray(pc.is_in(values, pa.array(null_texts, values.type)))
    return _settled(values, codes, keep)


def _plain(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Storage of extension types; runs, views and narrow numbers as what Arrow computes on."""
    type = column.type
    if pa.types.is_dictionary(type):
        return column if _unifies(column) else _plain(_decoded(column))
    if pa.types.is_run_end_encoded(type):
        return _plain(pa.chunked_array([pc.run_end_decode(c) for c in column.chunks], type.value_type))
    if pa.types.is_timestamp(type) and type.tz not in (None, "UTC"):
        return column.cast(pa.timestamp(type.unit, "UTC"))  # an instant; zones differ by session, for Spark's frames
    if pa.types.is_decimal(type) and type.bit_width < 128:
        return column.cast(pa.decimal128(type.precision, type.scale))
    if isinstance(type, pa.BaseExtensionType):
        return _plain(pa.chunked_array([c.storage for c in column.chunks], type.storage_type))
    if type == pa.string_view():
        return column.cast(pa.large_string())
    if type == pa.binary_view():
        return column.cast(pa.large_binary())
    if pa.types.is_float16(type):
        return column.cast(pa.float32())
    if pa.types.is_large_string(type) and column.nbytes < 1 << 31:
        return column.cast(pa.string())
    return column


def _unifies(column: pa.ChunkedArray) -> bool:
    """Whether Arrow can make one dictionary of a column's: texts, null not among them."""
    return is_text(column.type.value_type) and not any(c.dictionary.null_count for c in column.chunks)


def _decoded(column: pa.ChunkedArray) -> pa.ChunkedArray:
    # Arrow cannot pick from views, which is how Polars hands out the values of its categories.
    values = [_plain(pa.chunked_array([c.dictionary])).combine_chunks() for c in column.chunks]
    chunks = [v.take(c.indices) for v, c in zip(values, column.chunks, strict=True)]
    return pa.chunked_array(chunks, None if chunks else column.type.value_type)


def _codes(encoded: pa.ChunkedArray) -> NDArray[np.int32]:
    codes = np.empty(len(encoded), np.int32)
    at = 0
    for chunk in encoded.chunks:
        indices = chunk.indices.cast(pa.int32())  # unsigned ones know no -1
        filled = pc.fill_null(indices, -1) if indices.null_count else indices
        codes[at : at + len(chunk)] = np.asarray(filled)
        at += len(chunk)
    return codes


def _times(codes: NDArray[np.int32], values: int) -> NDArray[np.int64]:
    there = codes[codes >= 0] if (codes < 0).any() else codes
    return np.bincount(there, minlength=values).astype(np.int64, copy=False)


def _settled(values: pa.Array, codes: NDArray[np.int32], keep: NDArray[np.bool_]) -> Coded:
    """Values that mean null or that no row has are dropped."""
    if keep.all():
        return Coded(values, codes)
    moved = np.full(len(values) + 1, -1, np.int32)  # the last place serves the code -1
    moved[:-1][keep] = np.arange(int(keep.sum()), dtype=np.int32)
    return Coded(values.filter(pa.array(keep)), moved[codes])


def _code_each(column: pa.ChunkedArray) -> Coded:
    """Nested values, which Arrow does not hash: each row its own."""
    whole = column.combine_chunks()
    whole = whole if isinstance(whole, pa.Array) else pa.concat_arrays(whole.chunks)
    there = np.asarray(pc.is_valid(whole))
    codes = np.where(there, np.cumsum(there) - 1, -1).astype(np.int32)
    return Coded(whole.filter(pa.array(there)), codes)


def is_text(type: pa.DataType) -> bool:
    """Whether Arrow computes on values of the type as text."""
    return bool(pa.types.is_string(type) or pa.types.is_large_string(type))
