"""Typed values become another type that a person asked for, and listed texts become values of a column."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import time
from decimal import Decimal
from typing import TYPE_CHECKING, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from lawful.ranks import parse
from lawful.ranks.types import ColumnType

if TYPE_CHECKING:
    from numpy.typing import NDArray

_FAILS: Final = (pa.ArrowInvalid, pa.ArrowNotImplementedError)


def convert(values: pa.Array, type: ColumnType) -> tuple[pa.Array, NDArray[np.bool_]]:
    """Non-null values as the type, and which of them can be; where not all can, the first part means nothing.

    O(n), value by value only after a failure.
    """
    try:
        return _convert(values, type), np.ones(len(values), np.bool_)
    except _FAILS:
        return values, np.array([_converts(values.slice(i, 1), type) for i in range(len(values))], np.bool_)


def _convert(values: pa.Array, type: ColumnType) -> pa.Array:
    if type.name == "decimal" and pa.types.is_floating(values.type):
        return _shortest(values)
    found = pc.cast(values, _ARROW[type.name](type))
    if type.name == "boolean" and not found.cast(values.type).equals(values):
        raise pa.ArrowInvalid("more than two values")
    return found


def _converts(value: pa.Array, type: ColumnType) -> bool:
    try:
        _convert(value, type)
    except _FAILS:
        return False
    return True


def _shortest(values: pa.Array) -> pa.Array:
    """Floating point as the decimal number with the fewest digits that means it, as it is printed."""
    found = [Decimal(text) for text in pc.cast(values, pa.string()).to_pylist()]
    if not all(number.is_finite() for number in found):
        raise pa.ArrowInvalid("not a finite number")
    return pa.array(found, pa.decimal256(76, 38))


_ARROW: Final[dict[str, Callable[[ColumnType], pa.DataType]]] = {
    "string": lambda t: pa.string(),
    "integer": lambda t: pa.int64(),
    "float": lambda t: pa.float64(),
    "decimal": lambda t: pa.decimal128(38, t.scale),
    "boolean": lambda t: pa.bool_(),
    "date": lambda t: pa.date32(),
    "timestamp": lambda t: pa.timestamp("us", "UTC" if t.zoned else None),
}


def listed_values(listed: Sequence[str], type: ColumnType, arrow: pa.DataType) -> pa.Array:
    """The texts of an order by meaning as values of a column; null where a text is no value that it can hold."""
    return pa.concat_arrays([_listed_value(pa.array([text], pa.string()), type, arrow) for text in listed])


def _listed_value(text: pa.StringArray, type: ColumnType, arrow: pa.DataType) -> pa.Array:
    try:
        if parse.reads(type) and parse.fits(text, type).all():
            return parse.parse(text, type).cast(arrow)
        if pa.types.is_time(arrow):
            return pa.array([time.fromisoformat(text[0].as_py())], arrow)
        return text.cast(arrow)
    except (*_FAILS, ValueError):
        return pa.nulls(1, arrow)
