"""Sets of columns as rows of ``uint64`` words: column c is bit ``c & 63`` of word ``c >> 6``."""

from __future__ import annotations

import numpy as np
from numba import njit

ONE = np.uint64(1)
ZERO = np.uint64(0)
LOW = np.uint64(63)


@njit(nogil=True, cache=True)
def has(mask, column):
    """Whether a set, ``uint64[w]``, holds a column."""
    return (mask[column >> 6] >> np.uint64(column & 63)) & ONE != ZERO


@njit(nogil=True, cache=True)
def put(mask, column):
    """Add a column to a set."""
    mask[column >> 6] |= ONE << np.uint64(column & 63)


@njit(nogil=True, cache=True)
def drop(mask, column):
    """Take a column out of a set."""
    mask[column >> 6] &= ~(ONE << np.uint64(column & 63))


@njit(nogil=True, cache=True)
def pair_bit(left, right, width):
    """The first of the two bits (same, opposite) of a pair of columns, left < right, of ``width`` columns."""
    return 2 * (left * (2 * width - left - 1) // 2 + right - left - 1)


@njit(nogil=True, cache=True)
def two_bits(bits, place):
    """The two direction bits that start at an even place."""
    return (bits[place >> 6] >> np.uint64(place & 63)) & np.uint64(3)


@njit(nogil=True, cache=True)
def members(mask, out):
    """Write the columns of a set, ascending, into ``out``; how many."""
    count = 0
    for word in range(mask.shape[0]):
        left = mask[word]
        column = word << 6
        while left != ZERO:
            if left & ONE != ZERO:
                out[count] = column
                count += 1
            left = left >> ONE
            column += 1
    return count
