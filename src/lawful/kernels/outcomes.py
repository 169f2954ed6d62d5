"""Many conjunctions at once, when clusters are small: each pair is compared once, and each new set of outcomes is held
against all conjunctions.

The outcomes of a pair are bits, one for each predicate that some conjunction has. Pairs with known bits are passed
over, so what a conjunction is given are pairs that differ in what is asked.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from lawful.kernels.masks import ZERO

_FIRST = 1 << 10
_MIX = np.uint64(0x9E3779B97F4A7C15)
_FOLD = np.uint64(29)


@njit(nogil=True, cache=True)
def pair_count(t_offs, u_offs):
    """How many pairs the clusters have, int64, a row with itself among them."""
    total = np.int64(0)
    for c in range(len(t_offs) - 1):
        total += np.int64(t_offs[c + 1] - t_offs[c]) * np.int64(u_offs[c + 1] - u_offs[c])
    return total


@njit(nogil=True, cache=True)
def _slot(seen, used, word):
    """Where bits stand in the hash table, or the free place for them."""
    mask = len(used) - 1
    mixed = ZERO
    for w in range(len(word)):
        mixed = (mixed ^ word[w]) * _MIX
        mixed ^= mixed >> _FOLD
    at = np.int64(mixed & np.uint64(mask))
    while used[at]:
        known = True
        for w in range(len(word)):
            if seen[at, w] != word[w]:
                known = False
                break
        if known:
            break
        at = (at + 1) & mask
    return at


@njit(nogil=True, cache=True)
def _doubled(seen, used):
    """The hash table with twice the room."""
    more, taken = np.empty((2 * len(used), seen.shape[1]), np.uint64), np.zeros(2 * len(used), np.bool_)
    for k in range(len(used)):
        if used[k]:
            at = _slot(more, taken, seen[k])
            more[at] = seen[k]
            taken[at] = True
    return more, taken


@njit(nogil=True, cache=True)
def _gathered(ranks, places, nulls, members, cells):
    """The cells of a cluster's rows, row by row; an unknown one is -1."""
    for k in range(len(places)):
        rank, null = ranks[places[k]], nulls[k]
        for i in range(len(members)):
            value = rank[members[i]]
            cells[i, k] = -1 if value == 0 and null else value


@njit(nogil=True, cache=True)
def pairs_by_outcomes(ranks, sides, left, right, left_null, right_null, bits, asked, most, numbers, pairs):
    """All pairs of all clusters against all conjunctions, at most ``most`` pairs for each.

    Comparison k is of ``ranks[left[k], t]`` with ``ranks[right[k], u]``; ``bits[k, o]``, uint64[words], are the
    predicates that outcome o (less, equal, greater) satisfies. Conjunction m asks for the bits ``asked[m]``. Fills
    ``numbers`` int32 (the place of the conjunction) and ``pairs`` int32[., 2]; returns how many. O(pairs * comparisons)
    and O(distinct bits * conjunctions).
    """
    t_rows, t_offs, u_rows, u_offs = sides
    width, words = len(left), asked.shape[1]
    t_size = u_size = 0
    for c in range(len(t_offs) - 1):
        t_size, u_size = max(t_size, t_offs[c + 1] - t_offs[c]), max(u_size, u_offs[c + 1] - u_offs[c])
    ts, us = np.empty((t_size, width), np.int32), np.empty((u_size, width), np.int32)
    seen, used, held = np.empty((_FIRST, words), np.uint64), np.zeros(_FIRST, np.bool_), 0
    counts, word, found = np.zeros(len(asked), np.int64), np.zeros(words, np.uint64), 0
    live, lives = np.arange(len(asked)), len(asked)
    for c in range(len(t_offs) - 1):
        _gathered(ranks, left, left_null, t_rows[t_offs[c] : t_offs[c + 1]], ts)
        _gathered(ranks, right, right_null, u_rows[u_offs[c] : u_offs[c + 1]], us)
        for i in range(t_offs[c + 1] - t_offs[c]):
            for j in range(u_offs[c + 1] - u_offs[c]):
                t, u = t_rows[t_offs[c] + i], u_rows[u_offs[c] + j]
                if t == u:
                    continue
                word[:] = ZERO
                for k in range(width):
                    a, b = ts[i, k], us[j, k]
                    if a >= 0 and b >= 0:
                        outcome = (a >= b) + (a > b)
                        for w in range(words):
                            word[w] |= bits[k, outcome, w]
                at = _slot(seen, used, word)
                if used[at]:
                    continue
                seen[at] = word
                used[at] = True
                held += 1
                if 2 * held > len(used):
                    seen, used = _doubled(seen, used)
                kept = 0
                for x in range(lives):
                    m = live[x]
                    good = True
                    for w in range(words):
                        good = good and asked[m, w] & ~word[w] == ZERO
                    if good:
                        numbers[found] = m
                        pairs[found, 0], pairs[found, 1] = t, u
                        found += 1
                        counts[m] += 1
                    if counts[m] < most:
                        live[kept] = m
                        kept += 1
                lives = kept
                if lives == 0:
                    return found
    return found
