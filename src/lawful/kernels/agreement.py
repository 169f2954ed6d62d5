"""Agree sets: the columns on which two rows are equal, and of many such sets the maximal ones.

A set of columns is a key when no agree set holds all of it. Only maximal agree sets matter for that. Bit c of a set
speaks of column ``places[c]`` of the ranks; sets are ``uint64[w]``.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from lawful.kernels.masks import ONE, ZERO

_BEFORE = 4
"""Columns that rows are sorted by before the first order that counts."""


@njit(nogil=True, cache=True)
def agreement(ranks, places, left, right, out):
    """Write the agree set of two rows; O(columns)."""
    out[:] = ZERO
    for c in range(places.shape[0]):
        if ranks[places[c], left] == ranks[places[c], right]:
            out[c >> 6] |= ONE << np.uint64(c & 63)


@njit(nogil=True, cache=True)
def all_agreements(ranks, places):
    """The agree sets of all pairs of rows, uint64[n (n - 1) / 2, w]; O(pairs * columns), in vector instructions."""
    rows = ranks.shape[1]
    sets = np.zeros((rows * (rows - 1) // 2, max((places.shape[0] + 63) >> 6, 1)), np.uint64)
    words = sets.shape[1]
    here = np.empty(rows, np.uint64)
    start = 0
    for i in range(rows - 1):
        size = rows - 1 - i
        for k in range(words):
            here[:size] = ZERO
            for c in range(k << 6, min(places.shape[0], (k + 1) << 6)):
                rank = ranks[places[c], i + 1 :]
                value, bit = ranks[places[c], i], ONE << np.uint64(c & 63)
                for j in range(size):
                    here[j] |= bit if rank[j] == value else ZERO
            for j in range(size):
                sets[start + j, k] = here[j]
        start += size
    return sets


@njit(nogil=True, cache=True)
def near_agreements(ranks, places, some, room):
    """The agree sets of neighbours in sorted orders of the rows ``some`` int32[s], at most ``room``; uint64[k, w].

    The orders come of sorting by one column after the other, stably, so that each is led by its column and ties are in
    the order of the columns before it. Only neighbours that agree on the leading column are taken. O(columns *
    (s + ranks)), and O(columns) for each pair.
    """
    width, size = places.shape[0], some.shape[0]
    cells = np.empty((size, width), np.int32)
    most = 0
    for c in range(width):
        rank = ranks[places[c]]
        for i in range(size):
            cells[i, c] = rank[some[i]]
            most = max(most, cells[i, c])
    counts = np.empty(most + 2, np.int32)
    order, spare = np.arange(size).astype(np.int32), np.empty(size, np.int32)
    sets = np.zeros((min(room, width * size), max((width + 63) >> 6, 1)), np.uint64)
    found = 0
    for turn in range(-min(width, _BEFORE), width):
        column = turn % width
        if not _sorted_by(cells, column, order, spare, counts):
            continue  # no two rows agree on it
        order, spare = spare, order
        if turn < 0:
            continue
        step = max(size * (width - turn) // max(sets.shape[0] - found, 1), 1)
        for i in range(0, size - 1, step):
            left, right = cells[order[i]], cells[order[i + 1]]
            if found < sets.shape[0] and left[column] == right[column]:
                for k in range(sets.shape[1]):
                    mask = ZERO
                    for c in range(k << 6, min(width, (k + 1) << 6)):
                        mask |= np.uint64(left[c] == right[c]) << np.uint64(c & 63)
                    sets[found, k] = mask
                found += 1
    return sets[:found]


@njit(nogil=True, cache=True)
def _sorted_by(cells, column, order, out, counts):
    """Write the rows by their ranks in one column into ``out``, ties as they were; whether there are ties."""
    most = 0
    for i in range(cells.shape[0]):
        most = max(most, cells[i, column])
    counts[: most + 2] = 0
    ties = False
    for i in range(cells.shape[0]):
        counts[cells[i, column] + 1] += 1
        ties = ties or counts[cells[i, column] + 1] > 1
    if ties:
        for r in range(most):
            counts[r + 1] += counts[r]
        for i in range(order.shape[0]):
            rank = cells[order[i], column]
            out[counts[rank]] = order[i]
            counts[rank] += 1
    return ties


@njit(nogil=True, cache=True)
def maximal(sets, width):
    """The sets that no other one holds, each once, large ones roughly first; O(sets * those that are kept)."""
    words = sets.shape[1]
    fresh = _distinct(sets)
    starts = np.zeros(width + 2, np.int64)
    sizes = np.empty(fresh.shape[0], np.int64)
    for i in range(fresh.shape[0]):
        sizes[i] = size_of(sets[fresh[i]])
        starts[width - sizes[i] + 1] += 1
    for s in range(width + 1):
        starts[s + 1] += starts[s]
    by_size = np.empty(fresh.shape[0], np.int64)
    for i in range(fresh.shape[0]):
        place = starts[width - sizes[i]]
        by_size[place] = fresh[i]
        starts[width - sizes[i]] = place + 1
    kept = np.empty((fresh.shape[0], words), np.uint64)
    made = 0
    for i in range(fresh.shape[0]):
        if not _held(kept, made, sets[by_size[i]]):
            kept[made] = sets[by_size[i]]
            made += 1
    return kept[:made]


@njit(nogil=True, cache=True)
def _held(kept, made, one):
    """Whether one of the sets kept holds all of ``one``; it is then moved towards the front, to be met sooner."""
    for j in range(made):
        outside = ZERO
        for k in range(one.shape[0]):
            outside |= one[k] & ~kept[j, k]
        if outside == ZERO:
            if j > 0:
                for k in range(one.shape[0]):
                    kept[j, k], kept[j >> 1, k] = kept[j >> 1, k], kept[j, k]
            return True
    return False


@njit(nogil=True, cache=True)
def _distinct(sets):
    """Where each set that is there first stands, by a hash table."""
    room = 16
    while room < 2 * sets.shape[0]:
        room *= 2
    slots = np.zeros(room, np.int64)
    places = np.empty(sets.shape[0], np.int64)
    found = 0
    for i in range(sets.shape[0]):
        state = np.uint64(0x9E3779B97F4A7C15)
        for k in range(sets.shape[1]):
            state = (state ^ sets[i, k]) * np.uint64(0xBF58476D1CE4E5B9)
            state ^= state >> np.uint64(29)
        slot = state & np.uint64(room - 1)
        while slots[slot] > 0 and not _same(sets[slots[slot] - 1], sets[i]):
            slot = (slot + ONE) & np.uint64(room - 1)
        if slots[slot] == 0:
            slots[slot] = i + 1
            places[found] = i
            found += 1
    return places[:found]


@njit(nogil=True, cache=True)
def _same(left, right):
    differ = ZERO
    for k in range(left.shape[0]):
        differ |= left[k] ^ right[k]
    return differ == ZERO


@njit(nogil=True, cache=True)
def size_of(mask):
    """How many columns a set has."""
    total = np.int64(0)
    for k in range(mask.shape[0]):
        x = mask[k]
        x = x - ((x >> ONE) & np.uint64(0x5555555555555555))
        x = (x & np.uint64(0x3333333333333333)) + ((x >> np.uint64(2)) & np.uint64(0x3333333333333333))
        x = (x + (x >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
        total += np.int64((x * np.uint64(0x0101010101010101)) >> np.uint64(56))
    return total
