"""Values as Python objects, the same ones on every machine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

if TYPE_CHECKING:
    from numpy.typing import NDArray

_PER_SECOND: Final = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}
_FIRST: Final = -62_135_596_800
_LAST: Final = 253_402_300_800
"""Seconds of the years 1 to 9999."""
_LONGEST: Final = (1 << 63) // 10**6
"""Seconds that 64 bits of microseconds hold."""


def plain(values: pa.Array) -> list[object]:
    """Python objects of values. What Python has no object for, a nanosecond or a year beyond 9999, comes as text.

    Arrow's own conversion gives another object where pandas is installed, and fails on such years.
    """
    type = values.type
    if not pa.types.is_temporal(type) or pa.types.is_interval(type):
        return list(values.to_pylist())
    fits = _fits(values)
    if pa.types.is_date(type):
        easy, wider = values.filter(pa.array(fits)), type
    else:
        wider = pa.time32("s") if type == pa.time32("s") else _micro(type)
        easy = values.filter(pa.array(fits)).cast(wider)
    found, others = iter(easy.to_pylist()), iter(_texts(values.filter(pa.array(~fits))))
    return [next(found) if fit else next(others) for fit in fits]


def _micro(type: pa.DataType) -> pa.DataType:
    if pa.types.is_timestamp(type):
        return pa.timestamp("us", type.tz)
    return pa.duration("us") if pa.types.is_duration(type) else pa.time64("us") if type.bit_width == 64 else type


def _fits(values: pa.Array) -> NDArray[np.bool_]:
    """Which values are whole microseconds and years that Python knows; null is."""
    type = values.type
    narrow = type.bit_width == 32
    ticks = pc.fill_null(values.view(pa.int32() if narrow else pa.int64()), 0)
    number = np.asarray(ticks).astype(np.int64)
    if pa.types.is_date(type):
        seconds = number * 86_400 if narrow else number // 1_000
        return (seconds >= _FIRST) & (seconds < _LAST)
    whole = number % 1_000 == 0 if type.unit == "ns" else np.ones(len(number), np.bool_)
    seconds = number // _PER_SECOND[type.unit]
    if pa.types.is_timestamp(type):
        margin = 0 if type.tz is None else 86_400  # within which every time zone stays in those years
        return whole & (seconds >= _FIRST + margin) & (seconds < _LAST - margin)
    return whole & (np.abs(seconds) < _LONGEST) if pa.types.is_duration(type) else whole


def _texts(values: pa.Array) -> list[str]:
    from lawful.ranks.nested import spell

    return spell(values)
