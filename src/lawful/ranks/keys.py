"""Values become keys: numbers and bytes that are equal and sort exactly as the values mean.

A ``Keys`` has up to three parts, compared one after the other: ``number`` (int64), ``low`` (uint64) and ``text``
(bytes, unsigned). Most types need the first alone. Keys are the one place where order and equality are decided:
both encodings, in process and distributed, sort nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from lawful.ranks.nested import is_spelled, spell

if TYPE_CHECKING:
    from numpy.typing import NDArray

_SIGN: Final = np.uint64(1 << 63)
_MOST: Final = np.int64((1 << 63) - 1)


@dataclass(frozen=True)
class Keys:
    """Parts of equal length; ``None`` where a type does not use the part."""

    number: NDArray[np.int64] | None = None
    low: NDArray[np.uint64] | None = None
    text: pa.LargeBinaryArray | None = None

    def __len__(self) -> int:
        return next(len(part) for part in (self.number, self.low, self.text) if part is not None)

    def take(self, at: NDArray[np.int64]) -> Keys:
        return Keys(
            None if self.number is None else self.number[at],
            None if self.low is None else self.low[at],
            None if self.text is None else self.text.take(pa.array(at)),
        )

    def order(self) -> NDArray[np.int64]:
        """The permutation that sorts. O(n log n)."""
        if self.text is not None and self.number is None and self.low is None:
            return _text_order(self.text)
        if self.number is not None and self.low is None and self.text is None:
            return np.argsort(self.number)
        names = [n for n in ("number", "low", "text") if getattr(self, n) is not None]
        table = pa.table({n: getattr(self, n) for n in names})
        return np.asarray(pc.sort_indices(table, sort_keys=[(n, "ascending") for n in names]), np.int64)

    def starts(self) -> NDArray[np.bool_]:
        """For sorted keys: which differ from the one before (the first does)."""
        new = np.zeros(len(self), np.bool_)
        new[:1] = True
        for part in (self.number, self.low):
            if part is not None:
                new[1:] |= part[1:] != part[:-1]
        if self.text is not None and len(self) > 1:
            differs = pc.not_equal(self.text.slice(1), self.text.slice(0, len(self) - 1))
            new[1:] |= differs.to_numpy(zero_copy_only=False)
        return new


def _text_order(text: pa.LargeBinaryArray) -> NDArray[np.int64]:
    """Sorts by the first eight bytes as numbers, which is several times as fast, and by the bytes where they tie."""
    if len(text) < 1 << 12:
        return np.asarray(pc.array_sort_indices(text), np.int64)
    heads = _heads(text)
    order = np.argsort(heads)
    sorted_heads = heads[order]
    same = sorted_heads[1:] == sorted_heads[:-1]
    tied = np.zeros(len(text), np.bool_)
    tied[1:] |= same
    tied[:-1] |= same
    places = np.flatnonzero(tied)
    if len(places) > len(text) // 4:
        return np.asarray(pc.array_sort_indices(text), np.int64)
    if len(places):
        # Tied rows are sorted among themselves: their heads are their first bytes, so groups stay where they are.
        rows = order[places]
        order[places] = rows[np.asarray(pc.array_sort_indices(text.take(pa.array(rows))), np.int64)]
    return order


def _heads(text: pa.LargeBinaryArray) -> NDArray[np.uint64]:
    """The first eight bytes of each value as a big-endian number, shorter ones filled with zeros."""
    offsets = np.frombuffer(text.buffers()[1], np.int64)[text.offset : text.offset + len(text) + 1]
    data = np.frombuffer(text.buffers()[2] or b"", np.uint8)
    lengths = np.diff(offsets)
    heads = np.zeros(len(text), np.uint64)
    last = max(len(data) - 1, 0)
    data = data if len(data) else np.zeros(1, np.uint8)
    for place in range(8):
        byte = np.where(lengths > place, data[np.minimum(offsets[:-1] + place, last)], 0)
        heads = (heads << np.uint64(8)) | byte.astype(np.uint64)
    return heads


def dense(keys: Keys) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Dense rank of each key, from 0, and for each rank the place of one key that has it. O(n log n)."""
    if len(keys) == 0:
        return np.zeros(0, np.int32), np.zeros(0, np.int64)
    order = keys.order()
    new = keys.take(order).starts()
    ranks = np.empty(len(order), np.int32)
    ranks[order] = np.cumsum(new, dtype=np.int32) - np.int32(1)
    return ranks, order[new]


def keys_of(values: pa.Array) -> Keys:
    """Keys of non-null typed values. O(n)."""
    type = values.type
    if pa.types.is_dictionary(type):
        return keys_of(values.cast(type.value_type))
    if isinstance(values, pa.ExtensionArray):
        return keys_of(values.storage)
    if pa.types.is_boolean(type):
        return Keys(number=np.asarray(pc.cast(values, pa.int8()), np.int64))
    if pa.types.is_uint64(type):
        return Keys(number=(np.asarray(values, np.uint64) ^ _SIGN).view(np.int64))
    if pa.types.is_integer(type):
        return Keys(number=np.asarray(values).astype(np.int64, copy=False))
    if pa.types.is_floating(type):
        return Keys(number=_float_keys(np.asarray(values)))
    if pa.types.is_decimal(type):
        return _decimal_keys(values)
    if pa.types.is_temporal(type) and not pa.types.is_interval(type):
        return Keys(number=_ticks(values))
    if type.id in _BYTES:
        return Keys(text=_text(values))
    return Keys(text=_text(alike(values)))


def alike(values: pa.Array) -> pa.Array:
    """The values with equal ones made the same: -0.0 becomes 0.0, nested values become their spelling."""
    if pa.types.is_floating(values.type):
        return pc.add(values, pa.scalar(0.0, values.type))
    return pa.array(spell(values), pa.large_string()) if is_spelled(values.type) else values


def _ticks(values: pa.Array) -> NDArray[np.int64]:
    narrow = values.type.bit_width == 32
    ticks = values.view(pa.int32() if narrow else pa.int64())
    return np.asarray(ticks).astype(np.int64, copy=False)


def _float_keys(values: NDArray[np.floating[Any]]) -> NDArray[np.int64]:
    """-0.0 is 0.0, all NaN are one and above infinity."""
    with np.errstate(invalid="ignore"):  # a signalling NaN is a NaN
        plain = np.ascontiguousarray(values.astype(np.float64) + 0.0)
    bits = np.where(np.isnan(plain), np.float64(np.nan).view(np.int64) & _MOST, plain.view(np.int64))
    return np.where(bits < 0, bits ^ _MOST, bits)


def _decimal_keys(values: pa.Array) -> Keys:
    """The unscaled number: 64 bits, two halves or 32 bytes, by the precision alone, so that pieces agree."""
    type = values.type
    if type.bit_width > 128:
        return Keys(text=_wide_decimal(values))
    if type.bit_width < 128:
        values = values.cast(pa.decimal128(type.precision, type.scale))
    words = np.frombuffer(values.buffers()[1], np.int64).reshape(-1, 2)
    words = words[values.offset : values.offset + len(values)]
    low, high = words[:, 0], words[:, 1]
    if type.precision <= 18:
        return Keys(number=low.copy())
    return Keys(number=high.copy(), low=low.view(np.uint64).copy())


def _wide_decimal(values: pa.Array) -> pa.LargeBinaryArray:
    cells = np.frombuffer(values.buffers()[1], np.uint8).reshape(-1, 32)
    cells = cells[values.offset : values.offset + len(values), ::-1].copy()
    cells[:, 0] ^= 0x80
    fixed = pa.FixedSizeBinaryArray.from_buffers(pa.binary(32), len(values), [None, pa.py_buffer(cells.tobytes())])
    return fixed.cast(pa.large_binary())


_BYTES: Final = frozenset(
    t.id
    for t in (
        pa.string(), pa.large_string(), pa.string_view(), pa.binary(), pa.large_binary(), pa.binary_view(), pa.binary(1)
    )
)  # fmt: skip


def _text(values: pa.Array) -> pa.LargeBinaryArray:
    # A view type reaches large_binary only by way of its own large form.
    if values.type == pa.string_view():
        values = values.cast(pa.large_string())
    return values.cast(pa.large_binary())


def listed_keys(values: pa.Array, order: pa.Array) -> tuple[Keys, NDArray[np.bool_]]:
    """Keys of values whose order a person listed, and which values stand in the list."""
    place = pc.index_in(values, order)
    known = np.asarray(pc.is_valid(place))
    return Keys(number=np.asarray(pc.fill_null(place, -1), np.int64)), known
