"""Swaps: pairs of rows of one context that run against (or along) each other on two columns.

FASTOD's order-compatibility check, for both directions at once and without sorting rows: of a class only the distinct
ranks of one column are sorted, and one pass over its groups keeps the extremes of the other column.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from lawful.kernels.masks import ZERO, pair_bit, two_bits
from lawful.kernels.witnesses import learn

SAME = np.uint64(1)
OPPOSITE = np.uint64(2)
_SMALL = 16


@njit(nogil=True, cache=True)
def known_swaps(agree, less, applying, live, lives, left, right, wanted):
    """Of the wanted directions, those that some pair of the context violates."""
    seen = ZERO
    for i in range(lives):
        word = live[i]
        differ = applying[word] & ~(agree[left, word] | agree[right, word])
        if differ != ZERO:
            against = less[left, word] ^ less[right, word]
            if differ & against != ZERO:
                seen |= SAME
            if differ & ~against != ZERO:
                seen |= OPPOSITE
            if seen & wanted == wanted:
                break
    return seen & wanted


@njit(nogil=True, cache=True)
def scan(
    ranks, places, left, rights, opened, cand, viol, rows, offs, classes, tally, touched, by_left, starts, known,
    applying, depth, live, lives, new_pairs, fresh, counters,
):  # fmt: skip
    """Look for swaps of ``left`` with each of the open columns, class by class.

    A class is sorted by ``left`` once (its distinct ranks are sorted, rows are placed by counting); for each other
    column one pass over the groups, with the extremes so far, answers both directions and yields a witness. Columns
    with a direction left stay in ``rights``; how many is the last value returned.
    """
    width = ranks.shape[0]
    rank_left = ranks[places[left]]
    for c in range(classes):
        if opened == 0:
            break
        groups = 0
        for i in range(offs[c], offs[c + 1]):
            rank = rank_left[rows[i]]
            if tally[rank] == 0:
                touched[groups] = rank
                groups += 1
            tally[rank] += 1
        if groups == 1:
            tally[touched[0]] = 0
            continue
        _sort_ranks(touched, groups)
        at = 0
        for g in range(groups):
            size = tally[touched[g]]
            starts[g] = at
            tally[touched[g]] = at
            at += size
        starts[groups] = at
        for i in range(offs[c], offs[c + 1]):
            rank = rank_left[rows[i]]
            by_left[tally[rank]] = rows[i]
            tally[rank] += 1
        for g in range(groups):
            tally[touched[g]] = 0
        kept = 0
        for k in range(opened):
            right = rights[k]
            place = pair_bit(left, right, width)
            wanted = two_bits(cand, place) & ~two_bits(viol, place)
            counters[2] += 1
            seen, same_a, same_b, opposite_a, opposite_b = _sweep(ranks[places[right]], by_left, starts, groups, wanted)
            if seen & SAME != ZERO:
                fresh, lives = learn(
                    ranks, places, known, same_a, same_b, applying, depth, live, lives, new_pairs, fresh
                )
            if seen & OPPOSITE != ZERO:
                fresh, lives = learn(
                    ranks, places, known, opposite_a, opposite_b, applying, depth, live, lives, new_pairs, fresh
                )
            viol[place >> 6] |= seen << np.uint64(place & 63)
            if seen != wanted:
                rights[kept] = right
                kept += 1
        opened = kept
    return fresh, lives, opened


@njit(nogil=True, cache=True)
def _sort_ranks(values, count):
    """Sort the first ``count`` values: by insertion when they are few, else by a heap. NumPy's sort takes longer to
    compile than everything else here."""
    if count <= _SMALL:
        for i in range(1, count):
            value = values[i]
            j = i - 1
            while j >= 0 and values[j] > value:
                values[j + 1] = values[j]
                j -= 1
            values[j + 1] = value
        return
    for top in range(count // 2 - 1, -1, -1):
        _sink(values, top, count)
    for last in range(count - 1, 0, -1):
        values[0], values[last] = values[last], values[0]
        _sink(values, 0, last)


@njit(nogil=True, cache=True)
def _sink(values, top, count):
    value = values[top]
    while True:
        child = 2 * top + 1
        if child >= count:
            break
        if child + 1 < count and values[child + 1] > values[child]:
            child += 1
        if values[child] <= value:
            break
        values[top] = values[child]
        top = child
    values[top] = value


@njit(nogil=True, cache=True)
def _sweep(rank, rows, starts, groups, wanted):
    """The wanted directions that are violated between the groups in order, with a witness for each."""
    seen = ZERO
    top = bottom = rows[0]
    for i in range(1, starts[1]):
        if rank[rows[i]] > rank[top]:
            top = rows[i]
        elif rank[rows[i]] < rank[bottom]:
            bottom = rows[i]
    same_a = same_b = opposite_a = opposite_b = np.int32(-1)
    for g in range(1, groups):
        high = low = rows[starts[g]]
        for i in range(starts[g] + 1, starts[g + 1]):
            if rank[rows[i]] > rank[high]:
                high = rows[i]
            elif rank[rows[i]] < rank[low]:
                low = rows[i]
        if wanted & SAME & ~seen != ZERO and rank[top] > rank[low]:
            seen |= SAME
            same_a, same_b = top, low
        if wanted & OPPOSITE & ~seen != ZERO and rank[bottom] < rank[high]:
            seen |= OPPOSITE
            opposite_a, opposite_b = bottom, high
        if seen == wanted:
            break
        if rank[high] > rank[top]:
            top = high
        if rank[low] < rank[bottom]:
            bottom = low
    return seen, same_a, same_b, opposite_a, opposite_b
