"""Distinct texts of a column become values of its type."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from lawful.ranks import infer, numerals
from lawful.ranks.calendar import DATE_FORMATS, NANOSECOND_YEARS, Moments, days
from lawful.ranks.types import ColumnType

if TYPE_CHECKING:
    from numpy.typing import NDArray


def parse(text: pa.StringArray, type: ColumnType) -> pa.Array:
    """Typed values of non-null texts that all fit the type. O(n)."""
    reader = _READERS.get(type.name)
    return text if reader is None else reader(pc.ascii_trim_whitespace(text), type)


def reads(type: ColumnType) -> bool:
    """Whether text can be read as the type at all."""
    return type.name == "string" or type.name in _READERS


def fits(text: pa.StringArray, type: ColumnType) -> NDArray[np.bool_]:
    """Which texts can be read as the type: what a type named by a person is held to."""
    if type.name == "string":
        return np.ones(len(text), np.bool_)
    trimmed = pc.ascii_trim_whitespace(text)
    if type.name == "timestamp":
        moments = Moments(trimmed)
        inside = (moments.year >= NANOSECOND_YEARS[0]) & (moments.year <= NANOSECOND_YEARS[1])
        found: NDArray[np.bool_] = moments.real & (moments.zoned == type.zoned) & (inside | (type.scale <= 6))
        return found
    if type.name == "date":
        return days(trimmed, type.format or "yyyy-MM-dd")[1]
    return numerals.reads_as(trimmed, type.name)


def resolve(name: str, summary: infer.TextSummary) -> ColumnType:
    """The type a person named, with the details that the values ask for: scale, date format, zone."""
    if name == "decimal":
        whole, scale = min(summary.digits, 38), min(summary.fraction, 38)
        return ColumnType("decimal", precision=max(whole + scale, 1), scale=scale, why="asked for")
    if name == "date":
        best = max(DATE_FORMATS, key=lambda f: summary.fits.get(f, 0))
        return ColumnType("date", format=best, why="asked for")
    if name == "timestamp":
        zoned = summary.fits.get("zoned timestamp", 0) > summary.fits.get("zone-less timestamp", 0)
        scale = 9 if summary.second_digits > 6 else 6
        return ColumnType("timestamp", scale=scale, zoned=zoned, why="asked for")
    return ColumnType(name, why="asked for")  # type: ignore[arg-type]


def _unsigned(text: pa.StringArray) -> pa.StringArray:
    """Arrow reads no leading plus."""
    return pc.utf8_ltrim(text, "+") if pc.any(pc.starts_with(text, "+")).as_py() else text


def _integer(text: pa.StringArray, type: ColumnType) -> pa.Array:
    return pc.cast(_unsigned(text), pa.int64())


def _decimal(text: pa.StringArray, type: ColumnType) -> pa.Array:
    # Trailing zeros and a bare point say nothing about the value, but may exceed the scale.
    pointed = pc.find_substring(text, ".")
    bare = pc.utf8_rtrim(pc.utf8_rtrim(text, "0"), ".")
    shown = pc.if_else(pc.less(pointed, 0), text, pc.if_else(_empty(bare), "0", bare))
    wide = pa.decimal128 if type.precision <= 38 else pa.decimal256
    return pc.cast(_unsigned(shown), wide(type.precision, type.scale))


def _empty(text: pa.StringArray) -> pa.BooleanArray:
    return pc.match_substring_regex(text, r"^[+-]?$")


def _float(text: pa.StringArray, type: ColumnType) -> pa.Array:
    return pc.add(pc.cast(_unsigned(text), pa.float64()), 0.0)  # -0.0 is 0.0


def _boolean(text: pa.StringArray, type: ColumnType) -> pa.Array:
    return pc.equal(pc.ascii_lower(text), "true")


def _date(text: pa.StringArray, type: ColumnType) -> pa.Array:
    return pa.array(days(text, type.format or "yyyy-MM-dd")[0].astype(np.int32), pa.date32())


def _timestamp(text: pa.StringArray, type: ColumnType) -> pa.Array:
    moments = Moments(text)
    unit, per_second, per_tick = ("ns", 10**9, 1) if type.scale > 6 else ("us", 10**6, 1_000)
    ticks = moments.seconds * per_second + moments.nanos // per_tick
    return pa.array(ticks, pa.timestamp(unit, "UTC" if type.zoned else None))


_READERS: dict[str, Callable[[pa.StringArray, ColumnType], pa.Array]] = {
    "integer": _integer,
    "decimal": _decimal,
    "float": _float,
    "boolean": _boolean,
    "date": _date,
    "timestamp": _timestamp,
}
