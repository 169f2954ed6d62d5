"""Minimal hitting sets with one more edge to hit (Berge's multiplication): those that hit it stay, the others grow."""

from __future__ import annotations

import numpy as np
from numba import njit

from lawful.kernels.masks import ONE, ZERO


@njit(nogil=True, cache=True)
def extended(sets, edge, most, out, checks):
    """Writes into ``out`` uint64[room, w] the minimal sets of at most ``most`` columns that hit ``edge`` uint64[w] and
    whatever ``sets`` uint64[k, w] hit; these are all the minimal ones of that size, in any order.

    A set that misses the edge grows by each of its columns, unless a set that hits the edge in that column alone lies
    within what it became. Returns how many sets there are, and how many comparisons of two sets may still be made; -1
    sets where ``checks``, how many may be, or the room was not enough. O(misses * hits * w).
    """
    words = edge.shape[0]
    misses = np.empty(sets.shape[0], np.int64)
    missed = made = 0
    for i in range(sets.shape[0]):
        met = ZERO
        for word in range(words):
            met |= sets[i, word] & edge[word]
        if met == ZERO:
            misses[missed] = i
            missed += 1
        else:
            out[made] = sets[i]
            made += 1
    starts, by = _hitting_alone(out, made, edge)
    size = starts.shape[0] - 1
    for m in range(missed):
        one = sets[misses[m]]
        if _ones(one) >= most:
            continue
        for column in range(size):
            word, bit = column >> 6, ONE << np.uint64(column & 63)
            if edge[word] & bit == ZERO:
                continue
            checks -= starts[column + 1] - starts[column] + 1
            if checks < 0 or made == out.shape[0]:
                return -1, checks
            if not _holds_one(one, word, bit, out, by[starts[column] : starts[column + 1]]):
                out[made] = one
                out[made, word] |= bit
                made += 1
    return made, checks


@njit(nogil=True, cache=True)
def _hitting_alone(out, made, edge):
    """The sets out[:made] that hit the edge in one column, by this column: where those of each begin, and which."""
    columns = 64 * edge.shape[0]
    alone = np.full(made, -1, np.int64)
    starts = np.zeros(columns + 1, np.int64)
    for i in range(made):
        found, hits = -1, 0
        for word in range(edge.shape[0]):
            met = out[i, word] & edge[word]
            if met != ZERO:
                hits += 1 if met & (met - ONE) == ZERO else 2
                found = word
        if hits == 1:
            met = out[i, found] & edge[found]
            place = 0
            while (met >> np.uint64(place)) & ONE == ZERO:
                place += 1
            alone[i] = 64 * found + place
            starts[alone[i] + 1] += 1
    for column in range(columns):
        starts[column + 1] += starts[column]
    by, free = np.empty(starts[columns], np.int64), starts.copy()
    for i in range(made):
        if alone[i] >= 0:
            by[free[alone[i]]] = i
            free[alone[i]] += 1
    return starts, by


@njit(nogil=True, cache=True)
def _holds_one(one, word, bit, out, others):
    """Whether a set with a column more holds one of the others."""
    for k in range(others.shape[0]):
        outside = ZERO
        for w in range(one.shape[0]):
            held = one[w] | bit if w == word else one[w]
            outside |= out[others[k], w] & ~held
        if outside == ZERO:
            return True
    return False


@njit(nogil=True, cache=True)
def _ones(mask):
    count = 0
    for word in mask:
        while word != ZERO:
            word &= word - ONE
            count += 1
    return count
