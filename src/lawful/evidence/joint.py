"""Values of several columns in one order, so that a cell of one column can be compared with a cell of another."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from lawful.ranks.encoded import Encoded
from lawful.ranks.keys import dense, keys_of
from lawful.ranks.plain import plain

NUMERIC = ("integer", "decimal", "float")
_LEAST = 1074
"""The least double is 2 to the power of minus this."""


def distinct_values(table: Encoded, column: int) -> pa.Array:
    """The distinct values of a column in the order of their ranks, null not among them."""
    return table.values.take(column, np.arange(table.columns[column].distinct, dtype=np.int64))


def joint_places(columns: Sequence[pa.Array]) -> list[NDArray[np.int32]]:
    """For each column the place of each of its values in the common order of all; equal values have one place.

    Arrays of one type are compared by their keys, numbers of different types as exact numbers. O(n log n).
    """
    cuts = np.cumsum([len(values) for values in columns])[:-1]
    types = {values.type for values in columns}
    if len(types) == 1:
        ranks, _ = dense(keys_of(pa.chunked_array(list(columns)).combine_chunks()))
    elif all(pa.types.is_integer(type) and not pa.types.is_uint64(type) for type in types):
        ranks, _ = dense(keys_of(pa.chunked_array([v.cast(pa.int64()) for v in columns]).combine_chunks()))
    else:
        ranks = _exact([value for values in columns for value in plain(values)])
    return np.split(ranks, cuts)


def _exact(values: list[Any]) -> NDArray[np.int32]:
    """Dense ranks of numbers of any type: Python compares them without rounding; NaN is equal to itself, and last."""
    numbers = {value for value in values if value == value}
    place = {value: rank for rank, value in enumerate(sorted(numbers))}
    return np.array([place[value] if value == value else len(place) for value in values], np.int32)


def mean(table: Encoded, column: int, values: pa.Array) -> Fraction | None:
    """The exact mean of a numeric column's values that are not null; ``None`` where there are none, or one is not
    finite."""
    if not len(values):
        return None
    counts = np.bincount(table.ranks[column], minlength=table.columns[column].ranks).tolist()
    if table.columns[column].null_rank is not None:
        del counts[table.columns[column].null_rank]
    numbers: list[Any] = plain(values)
    if not pa.types.is_floating(values.type):
        return Fraction(sum(Fraction(v) * c for v, c in zip(numbers, counts, strict=True)), sum(counts))
    if not all(map(math.isfinite, numbers)):
        return None
    return Fraction(sum(_scaled(v) * c for v, c in zip(numbers, counts, strict=True)), sum(counts) << _LEAST)


def _scaled(value: float) -> int:
    """How many times the least double there is; every double is a whole number of them."""
    top, bottom = value.as_integer_ratio()
    return top << _LEAST + 1 - bottom.bit_length()
