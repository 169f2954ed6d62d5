"""One row against a run of others: how it compares on every comparison, as numbers in mixed radix."""

from __future__ import annotations

from collections import namedtuple

import numpy as np
from numba import njit

NONE = np.uint32(0)

Fields = namedtuple("Fields", "left right lane weight first ordered unknown left_null right_null")
"""Per comparison: the rank rows compared, int64; its lane, int64, and weight, uint32, in the code; whether it is the
first of its lane; whether it has an order; what the unknown outcome adds to the code, uint32; and whether rank 0 of
the left or the right one is unknown."""


@njit(nogil=True, cache=True)
def compare(ranks, fields, row, start, stop, lanes):
    """Writes into ``lanes`` uint32[lanes, >= stop - start] the codes of the pairs (row, start) … (row, stop - 1).

    ``ranks`` int32[m, n]. A digit is 0 for less or unequal, 1 for equal, 2 for greater, and the one after for unknown.
    O(comparisons * (stop - start)), in vector instructions.
    """
    compare_rows(ranks, ranks, fields, row, start, stop, lanes)


@njit(nogil=True, cache=True)
def compare_rows(ranks, others, fields, row, start, stop, lanes):
    """As ``compare``, with the run of rows from ``others`` int32[m, n]."""
    size = stop - start
    for c in range(len(fields.left)):
        lane = lanes[fields.lane[c], :size]
        here = ranks[fields.left[c], row]
        there = others[fields.right[c], start:stop]
        weight = fields.weight[c]
        if fields.first[c]:
            lane[:] = NONE
        if fields.left_null[c] and here == 0:
            unknown = fields.unknown[c]
            for k in range(size):
                lane[k] += unknown
        elif fields.right_null[c]:
            unknown = fields.unknown[c]
            over = weight if fields.ordered[c] else NONE
            for k in range(size):
                value = there[k]
                known = (weight if here == value else NONE) + ((weight + over) if here > value else NONE)
                known = known if fields.ordered[c] or here == value else NONE
                lane[k] += known if value != 0 else unknown
        elif fields.ordered[c]:
            for k in range(size):
                value = there[k]
                lane[k] += (weight if here >= value else NONE) + (weight if here > value else NONE)
        else:
            for k in range(size):
                lane[k] += weight if here == there[k] else NONE
