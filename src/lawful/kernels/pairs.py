"""The ordered pairs of rows of a stripped partition that break a rule: how many, and one of them.

Every count is an int64 and exact as long as it is at most ``most``; above that a kernel may stop early and return
some number above ``most``. A witness is an ordered pair of row numbers that breaks the rule, (-1, -1) where it holds.
Partitions and ranks are those of `lawful.kernels.partition`.
"""

from __future__ import annotations

from numba import njit

from lawful.kernels.partition import Ints, Longs, wipe

HALF = 0x7FFFFFFF
"""The right half of a sort key; also turns a rank around: ``rank ^ HALF`` is ``HALF - rank``."""

RUN = 16
"""Runs of this length are sorted by insertion before they are merged."""


@njit(nogil=True, cache=True)
def key_pairs(offs: Ints, classes: int) -> int:
    """Ordered pairs of rows that agree, O(classes)."""
    total = 0
    for c in range(classes):
        size = offs[c + 1] - offs[c]
        total += size * (size - 1)
    return total


@njit(nogil=True, cache=True)
def fd_pairs(rows: Ints, offs: Ints, classes: int, rank: Ints, cnt: Ints, touched: Ints, most: int) -> int:
    """Ordered pairs of rows of one class and different rank, O(rows).

    ``cnt``: int32[highest rank + 1], zero before and after. ``touched``: int32, with room for the
    ranks that meet in one class.
    """
    total = 0
    for c in range(classes):
        if total > most:
            break
        start, stop = offs[c], offs[c + 1]
        if stop - start == 2:
            total += 2 * (rank[rows[start]] != rank[rows[start + 1]])
            continue
        distinct = 0
        for i in range(start, stop):
            r = rank[rows[i]]
            if cnt[r] == 0:
                touched[distinct] = r
                distinct += 1
            total += 2 * (i - start - cnt[r])  # this row against those before it, both ways
            cnt[r] += 1
            if total > most:
                break
        wipe(cnt, touched, distinct)
    return total


@njit(nogil=True, cache=True)
def oc_pairs(
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
    """Ordered pairs of rows of one class, the first lower on ``left`` and higher on ``right`` (``opposite``: lower).

    Two rows make one such pair at most, since only one order of them has the first lower on ``left``. O(s log s) for
    a class of s rows. ``keys`` and ``spare``: int64, as long as the largest class, with any content.
    """
    total = 0
    for c in range(classes):
        if total > most:
            break
        start, stop = offs[c], offs[c + 1]
        if stop - start == 2:
            total += swapped(rows[start], rows[start + 1], left, right, opposite)
            continue
        fill_sorted(rows, start, stop, left, right, opposite, keys, spare)
        for i in range(stop - start):
            keys[i] &= HALF
        total += sort_counting(keys, spare, stop - start)
    return total


@njit(nogil=True, cache=True)
def key_witness(rows: Ints, classes: int) -> tuple[int, int]:
    """Two rows that agree, O(1)."""
    if classes > 0:
        return rows[0], rows[1]
    return -1, -1


@njit(nogil=True, cache=True)
def fd_witness(rows: Ints, offs: Ints, classes: int, rank: Ints) -> tuple[int, int]:
    """Two rows of one class and different rank, O(rows)."""
    for c in range(classes):
        first = rows[offs[c]]
        for i in range(offs[c] + 1, offs[c + 1]):
            if rank[rows[i]] != rank[first]:
                return first, rows[i]
    return -1, -1


@njit(nogil=True, cache=True)
def oc_witness(
    rows: Ints,
    offs: Ints,
    classes: int,
    left: Ints,
    right: Ints,
    opposite: bool,
    keys: Longs,
    spare: Longs,
) -> tuple[int, int]:
    """Two rows of one class, the first lower on ``left`` and higher on ``right`` (``opposite``: lower).

    Cost and scratch as for `oc_pairs`; rows half a class apart are tried before anything is sorted.
    """
    for c in range(classes):
        start, stop = offs[c], offs[c + 1]
        half = (stop - start) // 2
        for i in range(start, start + half):
            t, u = rows[i], rows[i + half]
            if swapped(t, u, left, right, opposite):
                return (t, u) if left[t] < left[u] else (u, t)
        if stop - start > 2:
            fill_sorted(rows, start, stop, left, right, opposite, keys, spare)
            for k in range(1, stop - start):
                if keys[k] & HALF < keys[k - 1] & HALF:
                    t = _row_with(keys[k - 1], rows, start, left, right, opposite)
                    return t, _row_with(keys[k], rows, start, left, right, opposite)
    return -1, -1


@njit(nogil=True, cache=True)
def _row_with(key: int, rows: Ints, start: int, left: Ints, right: Ints, opposite: bool) -> int:
    """The first row from ``rows[start]`` on with this key, which one there has."""
    i = start
    while sort_key(rows[i], left, right, opposite) != key:
        i += 1
    row: int = rows[i]
    return row


@njit(nogil=True, cache=True)
def swapped(t: int, u: int, left: Ints, right: Ints, opposite: bool) -> bool:
    """Whether two rows run against each other on the two columns (with ``opposite``: together)."""
    if left[t] == left[u] or right[t] == right[u]:
        return False
    alike: bool = (left[t] < left[u]) == (right[t] < right[u])
    return alike == opposite


@njit(nogil=True, cache=True)
def sort_key(row: int, left: Ints, right: Ints, opposite: bool) -> int:
    """Left rank, then right rank, the latter turned around with ``opposite``: both directions read as the same one."""
    low = right[row] ^ HALF if opposite else right[row]
    key: int = left[row] << 32 | low
    return key


@njit(nogil=True, cache=True)
def fill_sorted(
    rows: Ints, start: int, stop: int, left: Ints, right: Ints, opposite: bool, keys: Longs, spare: Longs
) -> None:
    """The sort keys of ``rows[start:stop]``, ascending, in ``keys``.

    In that order the right half of a key decreases from one entry to a later one exactly where two rows are swapped:
    rows that tie on the left have ascending right halves.
    """
    for i in range(start, stop):
        keys[i - start] = sort_key(rows[i], left, right, opposite)
    sort_counting(keys, spare, stop - start)


@njit(nogil=True, cache=True)
def sort_counting(values: Longs, spare: Longs, size: int) -> int:
    """Sorts ``values[:size]`` in place; returns how many pairs of entries stood in descending order.

    Merge sort, O(size log size) on any data; ``spare`` is as long as ``size``.
    """
    turned = 0
    for start in range(0, size, RUN):
        for i in range(start + 1, min(start + RUN, size)):
            value, j = values[i], i
            while j > start and values[j - 1] > value:
                values[j] = values[j - 1]
                j -= 1
            values[j] = value
            turned += i - j
    width = RUN
    while width < size:
        for start in range(0, size - width, 2 * width):
            turned += _merge(values, spare, start, start + width, min(start + 2 * width, size))
        width *= 2
    return turned


@njit(nogil=True, cache=True)
def _merge(values: Longs, spare: Longs, start: int, middle: int, stop: int) -> int:
    """Merges two sorted neighbours; returns the pairs in which the entry of the second is the lesser."""
    if values[middle - 1] <= values[middle]:
        return 0
    for i in range(start, middle):
        spare[i - start] = values[i]
    turned, size = 0, middle - start
    i, j, place = 0, middle, start
    while i < size and j < stop:
        if values[j] < spare[i]:
            values[place] = values[j]
            turned += size - i
            j += 1
        else:
            values[place] = spare[i]
            i += 1
        place += 1
    while i < size:
        values[place] = spare[i]
        i, place = i + 1, place + 1
    return turned
