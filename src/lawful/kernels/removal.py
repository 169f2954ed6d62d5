"""The least number of rows to remove from a stripped partition so that a rule holds: error by removal, undivided.

Every count is an int64 and exact as long as it is at most ``most``; above that a kernel stops early and returns some
number above ``most``. Partitions and ranks are those of `lawful.kernels.partition`.
"""

from __future__ import annotations

from numba import njit

from lawful.kernels.pairs import HALF, fill_sorted, swapped
from lawful.kernels.partition import Ints, Longs, wipe


@njit(nogil=True, cache=True)
def key_removal(offs: Ints, classes: int) -> int:
    """Rows to remove so that none agree: all but one of each class, O(1)."""
    removed: int = offs[classes] - classes
    return removed


@njit(nogil=True, cache=True)
def fd_removal(rows: Ints, offs: Ints, classes: int, rank: Ints, cnt: Ints, touched: Ints, most: int) -> int:
    """Rows to remove so that each class has one rank: each class less its commonest rank, O(rows).

    ``cnt``: int32[highest rank + 1], zero before and after. ``touched``: int32, with room for the
    ranks that meet in one class.
    """
    total = 0
    for c in range(classes):
        if total > most:
            break
        start, stop = offs[c], offs[c + 1]
        if stop - start == 2:
            total += rank[rows[start]] != rank[rows[start + 1]]
        else:
            total += _beside_commonest(rows, start, stop, rank, cnt, touched, most - total)
    return total


@njit(nogil=True, cache=True)
def _beside_commonest(rows: Ints, start: int, stop: int, rank: Ints, cnt: Ints, touched: Ints, room: int) -> int:
    """Rows of the class without its commonest rank. The figure of a part never exceeds that of the whole, so the
    first part above ``room`` ends it."""
    distinct = commonest = beside = 0
    for i in range(start, stop):
        r = rank[rows[i]]
        if cnt[r] == 0:
            touched[distinct] = r
            distinct += 1
        cnt[r] += 1
        if cnt[r] > commonest:
            commonest += 1
        else:
            beside += 1
            if beside > room:
                break
    wipe(cnt, touched, distinct)
    return beside


@njit(nogil=True, cache=True)
def oc_removal(
    rows: Ints,
    offs: Ints,
    classes: int,
    left: Ints,
    right: Ints,
    opposite: bool,
    keys: Longs,
    spare: Longs,
    most: int,
) -> int:
    """Rows to remove so that in no class the two columns run against each other (with ``opposite``: together).

    Each class less its longest monotone subsequence: O(s log s) for a class of s rows. Pairs of rows that break the
    rule and share no row each cost a row, which refutes most candidates before anything is sorted.
    ``keys`` and ``spare``: int64, as long as the largest class, with any content.
    """
    total = 0
    for c in range(classes):
        certain: int = _disjoint(rows, offs[c], offs[c + 1], left, right, opposite)
        total += certain
        if total > most:
            return total
    for c in range(classes):
        start, stop = offs[c], offs[c + 1]
        if stop - start > 2:
            total -= _disjoint(rows, start, stop, left, right, opposite)
            fill_sorted(rows, start, stop, left, right, opposite, keys, spare)
            total += _beside_longest(keys, stop - start, most - total)
            if total > most:
                break
    return total


@njit(nogil=True, cache=True)
def _disjoint(rows: Ints, start: int, stop: int, left: Ints, right: Ints, opposite: bool) -> int:
    """Swapped pairs among those half a class apart: near ones would tie wherever a file is sorted by ``left``."""
    half, found = (stop - start) // 2, 0
    for i in range(start, start + half):
        found += swapped(rows[i], rows[i + half], left, right, opposite)
    return found


@njit(nogil=True, cache=True)
def _beside_longest(keys: Longs, size: int, room: int) -> int:
    """Entries outside the longest subsequence of ``keys[:size]`` whose right halves do not decrease; ends above room.

    Patience: ``keys[k]`` becomes the least value that ends such a subsequence of ``k + 1`` entries. Those before
    an entry are never fewer than its own place, so the values may overwrite what was read.
    """
    kept = 0
    for i in range(size):
        value = keys[i] & HALF
        if kept == 0 or keys[kept - 1] <= value:
            keys[kept] = value
            kept += 1
            continue
        low, high = 0, kept - 1  # the first end above the value lies in between, both ends included
        while low < high:
            middle = (low + high) // 2
            if keys[middle] <= value:
                low = middle + 1
            else:
                high = middle
        keys[low] = value
        if i + 1 - kept > room:
            return i + 1 - kept
    return size - kept
