"""A glance at a few remembered pairs of rows, which refutes most of what a context could have.

The bitmaps of ``kernels/witnesses.py`` say of one column what all pairs are like; here a pair says it of all columns,
so that one pair is held against every pair of columns at once, in vector instructions.
"""

from __future__ import annotations

from collections import namedtuple

import numpy as np
from numba import njit

from lawful.kernels.masks import ONE, ZERO

Turned = namedtuple("Turned", "agree less")
"""Remembered pairs, a row each: the columns on which they agree, or are ascending; uint64[pairs, w]."""

Seen = namedtuple("Seen", "differ same opposite")
"""What some pairs show: columns on which one of them differs, uint64[w]; and for each column, uint64[w, columns], those
with which a pair runs against it (``same``) or along with it (``opposite``)."""

MOST = 24
"""Pairs that are looked at."""


@njit(nogil=True, cache=True)
def turn(ranks, places, pairs, turned, start):
    """Write what pairs int32[k, 2] say into the rows of ``turned`` from ``start`` on; O(pairs * columns)."""
    for i in range(pairs.shape[0]):
        turned.agree[start + i] = ZERO
        turned.less[start + i] = ZERO
    for c in range(places.shape[0]):
        rank, bit = ranks[places[c]], np.uint64(c & 63)
        for i in range(pairs.shape[0]):
            x, y = rank[pairs[i, 0]], rank[pairs[i, 1]]
            turned.agree[start + i, c >> 6] |= np.uint64(x == y) << bit
            turned.less[start + i, c >> 6] |= np.uint64(x < y) << bit


@njit(nogil=True, cache=True)
def nothing(width):
    """Room for what is seen of ``width`` columns."""
    words = (width >> 6) + 1
    return Seen(
        np.zeros(words, np.uint64), np.zeros((words, width), np.uint64), np.zeros((words, width), np.uint64)
    )  # fmt: skip


@njit(nogil=True, cache=True)
def glance(turned, applying, live, lives, ordering, seen):
    """Look at pairs of a context, one from each of ``MOST`` of its live words, evenly taken; fills ``seen``.

    ``ordering``: also what pairs of columns do. O(MOST * columns * words).
    """
    seen.differ[:] = ZERO
    seen.same[:] = ZERO
    seen.opposite[:] = ZERO
    step = max(lives // MOST, 1)
    for i in range(0, lives, step):
        word = applying[live[i]]
        pair = (live[i] << 6) + _lowest(word)
        if pair < turned.agree.shape[0]:
            for k in range(turned.agree.shape[1]):
                seen.differ[k] |= ~turned.agree[pair, k]
            if ordering:
                _show(turned.agree[pair], turned.less[pair], seen.same, seen.opposite)


@njit(nogil=True, cache=True)
def _lowest(word):
    """The place of the lowest bit that is set."""
    place = 0
    for half in (32, 16, 8, 4, 2, 1):
        if word & ((ONE << np.uint64(half)) - ONE) == ZERO:
            word >>= np.uint64(half)
            place += half
    return place


@njit(nogil=True, cache=True)
def _show(agree, less, same, opposite):
    """Add what one pair shows: columns that ascend run against those that descend, and along with each other."""
    width = same.shape[1]
    for k in range(agree.shape[0]):
        up, down = less[k], ~(agree[k] | less[k])
        against, along = same[k], opposite[k]
        for j in range(agree.shape[0]):
            rising, falling = less[j], ~(agree[j] | less[j])
            here, there = against[j << 6 :], along[j << 6 :]
            for c in range(min(width - (j << 6), 64)):
                rises = ZERO - (rising >> np.uint64(c) & ONE)
                falls = ZERO - (falling >> np.uint64(c) & ONE)
                here[c] |= (down & rises) | (up & falls)
                there[c] |= (up & rises) | (down & falls)
