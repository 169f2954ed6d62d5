"""A multiset of sets of columns that takes additions and removals: a hash table over rows of words, and its index.

Sets keep their place once they have one; one whose count fell to zero stays, with count zero, until all is rebuilt.
The index holds for every column a bit per place: which sets have the column. What holds several columns and lacks
another is an AND of a few rows of bits.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from lawful.kernels.masks import ONE, ZERO


@njit(nogil=True, cache=True)
def _hashed(row):
    mixed = ZERO
    for word in row:
        mixed = (mixed ^ word) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(32)
    return mixed


@njit(nogil=True, cache=True)
def place_of_set(sets, table, row):
    """Where in ``table`` int32[2^k] (place of a set, or -1) the set ``row`` uint64[w] is, or would be."""
    mask = np.uint64(table.shape[0] - 1)
    at = np.int64(_hashed(row) & mask)
    while table[at] >= 0:
        same = True
        for word in range(row.shape[0]):
            if sets[table[at], word] != row[word]:
                same = False
                break
        if same:
            break
        at = (at + 1) & np.int64(mask)
    return at


@njit(nogil=True, cache=True)
def absorb(sets, counts, bits, table, used, rows, changes, places):
    """Adds ``changes`` int64[d] to the counts of ``rows`` uint64[d, w], all different; writes their places.

    ``sets`` uint64[room, w], ``counts`` int64[room], ``bits`` uint64[columns, room / 64]; ``used`` places are taken.
    The caller sees to room for d more in all of them. Returns the number of places taken.
    """
    for d in range(rows.shape[0]):
        at = place_of_set(sets, table, rows[d])
        if table[at] < 0:
            table[at] = used
            sets[used] = rows[d]
            for column in range(bits.shape[0]):
                if (rows[d, column >> 6] >> np.uint64(column & 63)) & ONE != ZERO:
                    bits[column, used >> 6] |= ONE << np.uint64(used & 63)
            used += 1
        places[d] = table[at]
        counts[table[at]] += changes[d]
    return used


@njit(nogil=True, cache=True)
def masses(bits, counts, sets, rights, within, breaking):
    """For each rule, X = ``sets`` uint64[r, w] and A = ``rights`` int64[r] (-1: none): the counts of the sets that
    hold all of X, ``within`` int64[r], and of those among them that lack A, ``breaking`` int64[r].

    One pass over the index for each rule: O(|X| * places / 64), and the places that hold X.
    """
    words = (counts.shape[0] + 63) >> 6
    chosen = np.empty(bits.shape[0], np.int64)
    for r in range(sets.shape[0]):
        size = 0
        for column in range(bits.shape[0]):
            if (sets[r, column >> 6] >> np.uint64(column & 63)) & ONE != ZERO:
                chosen[size] = column
                size += 1
        right = rights[r]
        within[r] = 0
        breaking[r] = 0
        for word in range(words):
            found = ~ZERO
            for k in range(size):
                found &= bits[chosen[k], word]
                if found == ZERO:
                    break
            base = word << 6
            while found != ZERO:
                low = found & (~found + ONE)
                place = base + _place(low)
                if place >= counts.shape[0]:
                    break
                count = counts[place]
                within[r] += count
                if right < 0 or bits[right, word] & low == ZERO:
                    breaking[r] += count
                found ^= low


@njit(nogil=True, cache=True)
def _place(low):
    """Which bit is set, of a word with one."""
    place = 0
    for step in (32, 16, 8, 4, 2, 1):
        if low >> np.uint64(step) != ZERO:
            low = low >> np.uint64(step)
            place += step
    return place


@njit(nogil=True, cache=True)
def maximal(sets, tops, found, start, stop):
    """Writes into ``tops`` int64[k] the places of those sets uint64[k, w], start <= place < stop, that none of the
    ``found`` ones before them contains; how many there are then. With the largest sets first and all different these
    are the maximal ones. O((stop - start) * found)."""
    for k in range(start, stop):
        inside = False
        for t in range(found):
            inside = True
            for word in range(sets.shape[1]):
                if sets[k, word] & ~sets[tops[t], word] != ZERO:
                    inside = False
                    break
            if inside:
                break
        if not inside:
            tops[found] = k
            found += 1
    return found
