"""Pairs of rows that are remembered, one bit each, by what every column says of them.

``agree[c]`` and ``less[c]``, ``uint64[words]``, have bit p set when the two rows of pair p are equal, or ascending,
on column c. A context refutes a rule when the AND of its columns' ``agree`` meets a pair that violates it.
"""

from __future__ import annotations

from collections import namedtuple

import numpy as np
from numba import njit

from lawful.kernels.masks import ONE, ZERO

Known = namedtuple("Known", "agree less count")
"""Remembered pairs: ``agree``, ``less`` uint64[columns, words], ``count`` int64[1]."""


@njit(nogil=True, cache=True)
def remember(ranks, places, agree, less, count, left, right):
    """Store a pair at place ``count[0]``; False when there is no room. Column c is the row ``places[c]`` of ranks."""
    place = count[0]
    if place >= agree.shape[1] << 6:
        return False
    word, bit = place >> 6, ONE << np.uint64(place & 63)
    for column in range(ranks.shape[0]):
        x = ranks[places[column], left]
        y = ranks[places[column], right]
        if x == y:
            agree[column, word] |= bit
        elif x < y:
            less[column, word] |= bit
    count[0] = place + 1
    return True


@njit(nogil=True, cache=True)
def remember_all(ranks, places, agree, less, count, pairs):
    """Store many pairs, int32[pairs, 2], while there is room; column by column. O(pairs * columns)."""
    first = count[0]
    some = min(pairs.shape[0], (agree.shape[1] << 6) - first)
    for column in range(ranks.shape[0]):
        rank, here, there = ranks[places[column]], agree[column], less[column]
        for i in range(some):
            word, bit = (first + i) >> 6, np.uint64((first + i) & 63)
            x, y = rank[pairs[i, 0]], rank[pairs[i, 1]]
            here[word] |= np.uint64(x == y) << bit
            there[word] |= np.uint64(x < y) << bit
    count[0] = first + some


@njit(nogil=True, cache=True)
def everything(count, out):
    """All ones for ``count`` pairs: the pairs that apply to the empty context."""
    for word in range(out.shape[0]):
        out[word] = ~ZERO if word < count >> 6 else ZERO
    if count & 63:
        out[count >> 6] = (ONE << np.uint64(count & 63)) - ONE


@njit(nogil=True, cache=True)
def population(words, count):
    """How many bits are set in the first ``count`` words."""
    total = np.int64(0)
    for i in range(count):
        x = words[i]
        x = x - ((x >> ONE) & np.uint64(0x5555555555555555))
        x = (x & np.uint64(0x3333333333333333)) + ((x >> np.uint64(2)) & np.uint64(0x3333333333333333))
        x = (x + (x >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
        total += np.int64((x * np.uint64(0x0101010101010101)) >> np.uint64(56))
    return total


@njit(nogil=True, cache=True)
def learn(ranks, places, known, left, right, applying, depth, live, lives, new_pairs, fresh):
    """Remember a pair that agrees on the context, and so on all its prefixes."""
    agree, less, count = known
    if fresh < new_pairs.shape[0] and remember(ranks, places, agree, less, count, left, right):
        place = count[0] - 1
        word = place >> 6
        bit = ONE << np.uint64(place & 63)
        for level in range(depth + 1):
            applying[level, word] |= bit
        if lives == 0 or live[lives - 1] != word:
            live[lives] = word
            lives += 1
        new_pairs[fresh, 0] = left
        new_pairs[fresh, 1] = right
        fresh += 1
    return fresh, lives
