"""Which rows of a stripped partition to remove, as few as can be, so that an fd or an oc holds.

Rows to remove are marked in ``gone`` bool[n]. Partitions and ranks are those of `lawful.kernels.partition`.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from lawful.kernels.partition import tally, wipe


@njit(nogil=True, cache=True)
def fd_gone(rows, offs, rank, cnt, touched, gone):
    """Of each class all rows but those of its commonest rank, of several that which comes first. O(rows).

    ``cnt`` int32[highest rank + 1] is zero before and after; ``touched`` int32 has room for the ranks of one class.
    """
    for c in range(len(offs) - 1):
        distinct = tally(rows, offs[c], offs[c + 1], rank, cnt, touched)
        kept = touched[0]
        for j in range(1, distinct):
            if cnt[touched[j]] > cnt[kept]:
                kept = touched[j]
        wipe(cnt, touched, distinct)
        for i in range(offs[c], offs[c + 1]):
            gone[rows[i]] = rank[rows[i]] != kept


@njit(nogil=True, cache=True)
def oc_gone(rows, offs, right, sign, gone):
    """Of each class all rows outside one longest run in which ``sign * right`` does not fall.

    The rows of a class ascend by the left column, then by ``sign * right``. Patience with the way back: O(s log s).
    """
    largest = 0
    for c in range(len(offs) - 1):
        largest = max(largest, offs[c + 1] - offs[c])
    ends, before, values = np.empty(largest, np.int32), np.empty(largest, np.int32), np.empty(largest, np.int32)
    for c in range(len(offs) - 1):
        start, size, kept = offs[c], offs[c + 1] - offs[c], 0
        for i in range(size):
            value = sign * right[rows[start + i]]
            low, high = 0, kept
            while low < high:
                middle = (low + high) // 2
                if values[middle] <= value:
                    low = middle + 1
                else:
                    high = middle
            ends[low], values[low] = i, value
            before[i] = ends[low - 1] if low > 0 else -1
            kept = max(kept, low + 1)
            gone[rows[start + i]] = True
        at = ends[kept - 1]
        while at >= 0:
            gone[rows[start + at]] = False
            at = before[at]


@njit(nogil=True, cache=True)
def by_rank(order, rank, highest, backwards):
    """The rows of ``order`` by ascending rank (or descending), those of one rank as they stood. O(n + highest)."""
    starts = np.zeros(highest + 2, np.int32)
    for i in range(len(order)):
        r = rank[order[i]]
        starts[(highest - r if backwards else r) + 1] += 1
    for k in range(highest):
        starts[k + 1] += starts[k]
    out = np.empty(len(order), np.int32)
    for i in range(len(order)):
        r = rank[order[i]]
        k = highest - r if backwards else r
        out[starts[k]] = order[i]
        starts[k] += 1
    return out
