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
def _met(table, rows, starts, places):
    """Where each row may first stand in the table, and which set stands there: far places of memory that depend on
    nothing, so that many are fetched at a time."""
    mask = np.uint64(table.shape[0] - 1)
    for d in range(rows.shape[0]):
        starts[d] = np.int64(_hashed(rows[d]) & mask)
    for d in range(rows.shape[0]):
        places[d] = table[starts[d]]


@njit(nogil=True, cache=True)
def absorb(sets, counts, bits, table, used, rows, changes, places):
    """Adds ``changes`` int64[d] to the counts of ``rows`` uint64[d, w], all different; writes their places.

    ``sets`` uint64[room, w], ``counts`` int64[room], ``bits`` uint64[columns, room / 64]; ``table`` int32[2^k] has the
    place of a set or -1; ``used`` places are taken. The caller sees to room for d more in all of them. Returns the
    number of places taken.
    """
    mask = table.shape[0] - 1
    starts = np.empty(rows.shape[0], np.int64)
    _met(table, rows, starts, places)
    for d in range(rows.shape[0]):
        at = starts[d]
        place = np.int64(places[d] if places[d] >= 0 else table[at])  # a row before this one may have come there
        while place >= 0:
            differ = ZERO
            for word in range(rows.shape[1]):
                differ |= sets[place, word] ^ rows[d, word]
            if differ == ZERO:
                break
            at = (at + 1) & mask
            place = np.int64(table[at])
        if place < 0:
            place = np.int64(used)
            table[at] = place
            sets[place] = rows[d]
            _indexed(bits, rows[d], place)
            used += 1
        places[d] = place
        counts[place] += changes[d]
    return used


@njit(nogil=True, cache=True)
def _indexed(bits, row, place):
    """Sets the bit of a place for every column of its set."""
    for column in range(bits.shape[0]):
        if (row[column >> 6] >> np.uint64(column & 63)) & ONE != ZERO:
            bits[column, place >> 6] |= ONE << np.uint64(place & 63)


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
