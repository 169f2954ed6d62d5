"""Nested values in words: one spelling for equal values, whatever chunk or process they come from.

Arrow neither hashes nor sorts lists, structs and maps. A spelling decides their equality by the rules of the types
inside (-0.0 is 0.0, all NaN are one, decimals by value, maps without order) and is what a person gets to see.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

NULL = "null"


def is_spelled(type: pa.DataType) -> bool:
    """Whether values of a type are compared by their spelling, having no key of their own."""
    return bool(pa.types.is_nested(type) or pa.types.is_interval(type))


def spell(values: pa.Array) -> list[str]:
    """The spelling of each value, ``null`` for null. Row by row: O(cells) in Python."""
    values = _bare(values)
    type = values.type
    if pa.types.is_struct(type):
        return _structs(values)
    if pa.types.is_map(type):
        return _maps(values)
    if hasattr(type, "value_type"):
        return _lists(values)
    return _leaves(values)


def _bare(values: pa.Array) -> pa.Array:
    """What stands behind extension types, dictionaries and runs."""
    if isinstance(values, pa.ExtensionArray):
        return _bare(values.storage)
    if isinstance(values, pa.DictionaryArray):
        return _bare(values.dictionary_decode())
    return _bare(pc.run_end_decode(values)) if isinstance(values, pa.RunEndEncodedArray) else values


def _structs(values: pa.StructArray) -> list[str]:
    names = [json.dumps(field.name, ensure_ascii=False) for field in values.type]
    parts = [spell(child) for child in values.flatten()]
    rows = ("{" + ", ".join(map("{}: {}".format, names, row)) + "}" for row in _rows(parts, len(values)))
    return _with_nulls(values, rows)


def _rows(parts: list[list[str]], count: int) -> Iterable[tuple[str, ...]]:
    return zip(*parts, strict=True) if parts else [()] * count


def _maps(values: pa.MapArray) -> list[str]:
    """Entries sorted by their spelling, since a map has no order."""
    at = np.asarray(values.offsets)
    keys, items = spell(values.keys), spell(values.items)
    base = 0 if len(keys) >= (at[-1] if len(at) else 0) else int(at[0])
    entries = [f"{key}: {item}" for key, item in zip(keys, items, strict=True)]
    rows = (sorted(entries[start - base : stop - base]) for start, stop in pairwise(at))
    return _with_nulls(values, ("{" + ", ".join(row) + "}" for row in rows))


def _lists(values: pa.Array) -> list[str]:
    inner = spell(values.flatten())  # of lists that are not null, in order
    lengths = np.asarray(pc.fill_null(pc.list_value_length(values), 0), np.int64)
    ends = np.cumsum(lengths)
    rows = ("[" + ", ".join(inner[end - n : end]) + "]" for end, n in zip(ends, lengths, strict=True))
    return _with_nulls(values, rows)


def _leaves(values: pa.Array) -> list[str]:
    type = values.type
    if pa.types.is_floating(type):
        return [NULL if v is None else repr(v + 0.0) for v in values.to_pylist()]
    if pa.types.is_string(type) or pa.types.is_large_string(type) or type == pa.string_view():
        return [NULL if v is None else json.dumps(v, ensure_ascii=False) for v in values.to_pylist()]
    if pa.types.is_temporal(type) and not pa.types.is_interval(type):
        return [NULL if v is None else v for v in _moments(values)]
    return [NULL if v is None else v.hex() if isinstance(v, bytes) else str(v) for v in values.to_pylist()]


def _moments(values: pa.Array) -> list[str | None]:
    """Calendar values as Arrow writes them; durations, and years it has no words for, by their ticks."""
    if pa.types.is_timestamp(values.type) and values.type.tz is not None:
        values = values.cast(pa.timestamp(values.type.unit, "UTC"))
    ticks = values.view(pa.int32() if values.type.bit_width == 32 else pa.int64()).to_pylist()
    if pa.types.is_duration(values.type):
        return [None if t is None else f"{t} {values.type.unit}" for t in ticks]
    texts: list[str | None] = pc.cast(values, pa.string()).to_pylist()
    return [f"{t} {values.type}" if s and s.startswith("<") else s for s, t in zip(texts, ticks, strict=True)]


def _with_nulls(values: pa.Array, rows: Iterable[str]) -> list[str]:
    there = values.is_valid().to_pylist()
    return [row if is_there else NULL for row, is_there in zip(rows, there, strict=True)]
