"""The values of a column and their codes: a value keeps the code it got when it first came.

New values go to the end, whatever their order, and nothing is read again; where an order is asked for, the values are
ranked as they stand. Values are kept
in one Arrow type a column (whole numbers as int64, decimals with 38 digits on both sides of the point, and so on), so
that sources of different widths mean the same.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from lawful.ranks.keys import alike, dense, keys_of
from lawful.ranks.plain import plain

NULL = 0
UNKNOWN = -1


def kept_as(type: pa.DataType) -> pa.DataType:
    """The Arrow type in which values of a type are kept."""
    if pa.types.is_dictionary(type):
        return kept_as(type.value_type)
    if pa.types.is_uint64(type):
        return type
    if pa.types.is_integer(type):
        return pa.int64()
    if pa.types.is_floating(type):
        return pa.float64()
    if pa.types.is_decimal(type):
        return pa.decimal256(76, 38) if max(type.precision - type.scale, type.scale) <= 38 else type
    if pa.types.is_string(type) or type == pa.string_view():
        return pa.large_string()
    if type == pa.binary_view() or pa.types.is_binary(type) or pa.types.is_fixed_size_binary(type):
        return pa.large_binary()
    return pa.date32() if pa.types.is_date64(type) else type


def kept(values: pa.Array, type: pa.DataType | None = None) -> pa.Array:
    """Non-null values, equal ones alike, in the type in which they are kept. Arrow's error where one does not fit."""
    if isinstance(values, pa.ChunkedArray):
        values = pa.concat_arrays(values.chunks) if values.num_chunks else pa.array([], values.type)
    values = alike(values)
    if values.type == pa.string_view():
        values = values.cast(pa.large_string())
    found = values.cast(kept_as(values.type) if type is None else type)
    # Arrow tells NaN of different bits apart.
    return pc.if_else(pc.is_nan(found), np.nan, found) if pa.types.is_float64(found.type) else found


def unpadded(values: pa.Array) -> pa.Array:
    """Decimals with the fewest digits after the point that write all of them; other values as they are. O(values), and
    as often as there are such digits."""
    if not pa.types.is_decimal(values.type):
        return values
    type = values.type
    scale = next((digits for digits in range(type.scale) if _written_with(digits, values)), type.scale)
    try:
        return values.cast(pa.decimal128(38, scale))
    except pa.ArrowInvalid:
        return values.cast(pa.decimal256(76, scale))


def _written_with(digits: int, values: pa.Array) -> bool:
    cut = pc.round(values, digits, round_mode="towards_zero")
    return bool(pc.all(pc.equal(cut, values), min_count=0).as_py())


class Dictionary:
    """Values in the order of their codes, from 1; 0 is null."""

    def __init__(self, type: pa.DataType, parts: tuple[pa.Array, ...] = ()) -> None:
        self.type = type
        self._parts = [part for part in parts if len(part)]

    def __len__(self) -> int:
        return sum(map(len, self._parts))

    def codes(self, values: pa.Array) -> NDArray[np.int32]:
        """The codes of distinct values, `UNKNOWN` for new ones. O(values held), a hash table of those asked for."""
        found = np.full(len(values), UNKNOWN, np.int32)
        start = 1
        for part in self._parts if len(values) else ():
            at = pc.index_in(part, value_set=values)
            there = np.flatnonzero(np.asarray(pc.is_valid(at)))
            found[np.asarray(at.drop_null())] = there + start
            start += len(part)
        return found

    def extended(self, values: pa.Array) -> Dictionary:
        """This dictionary with new values after those it has."""
        return Dictionary(self.type, (*self._parts, values))

    @cached_property
    def ranks(self) -> NDArray[np.int32]:
        """The place of each value, in the order of the codes, among all of them by size. O(values log values), once."""
        return dense(keys_of(self.take(np.arange(1, len(self) + 1, dtype=np.int32))))[0]

    def take(self, codes: NDArray[np.int32]) -> pa.Array:
        """The values of codes; null for 0."""
        places = pa.array(codes.astype(np.int64) - 1, mask=codes == NULL)
        whole = pa.chunked_array(self._parts, self.type).take(places)
        return pa.concat_arrays(whole.chunks) if whole.num_chunks else pa.nulls(0, self.type)

    def shown(self, codes: NDArray[np.int32]) -> list[object]:
        """The values of codes as Python objects."""
        return plain(unpadded(self.take(codes)))
