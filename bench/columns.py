"""Arrow columns out of whole numbers, without a Python object per row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from bench.draws import Whole


def pick(vocabulary: pa.Array | Sequence[Any], codes: Whole, missing: NDArray[np.bool_] | None = None) -> pa.Array:
    """The word at each code; null where ``missing``."""
    words = vocabulary if isinstance(vocabulary, pa.Array) else pa.array(vocabulary)
    return words.take(pa.array(codes, mask=missing))


def padded(numbers: Whole, width: int) -> pa.Array:
    """Numbers as text with leading zeros."""
    return pc.utf8_lpad(pa.array(numbers).cast(pa.string()), width, "0")


def joined(parts: Sequence[pa.Array | str], between: str = "") -> pa.Array:
    """Texts put side by side, row by row."""
    return pc.binary_join_element_wise(*parts, between)


def cents(numbers: Whole) -> pa.Array:
    """Whole cents as decimal128(12, 2); the numbers must be ≥ 0."""
    words = np.zeros((len(numbers), 2), dtype=np.int64)
    words[:, 0] = numbers
    return pa.Array.from_buffers(pa.decimal128(12, 2), len(numbers), [None, pa.py_buffer(words)])


def masked(numbers: NDArray[Any], missing: NDArray[np.bool_], type: pa.DataType | None = None) -> pa.Array:
    """Numbers with nulls where ``missing``."""
    return pa.array(numbers, mask=missing, type=type)
