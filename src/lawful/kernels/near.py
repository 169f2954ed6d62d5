"""How near to being broken rules are: counted signatures that no comparison of a rule excludes, or exactly one."""

from __future__ import annotations

import numpy as np
from numba import njit

from lawful.kernels.masks import ONE, ZERO


@njit(nogil=True, cache=True)
def weigh(word, weights, start):
    """The weight of the edges whose bits are set in a word; the first of them is ``start``."""
    total = np.int64(0)
    at = start
    while word != ZERO:
        if word & np.uint64(0xFF) == ZERO:
            word >>= np.uint64(8)
            at += 8
            continue
        if word & ONE != ZERO:
            total += weights[at]
        word >>= ONE
        at += 1
    return total


@njit(nogil=True, cache=True)
def nearness(edges, valid, weights, literals, starts, groups, none, one):
    """For each rule the weight of edges that it does not hit, and of those that literals of one group alone hit.

    ``edges`` uint64[L, words] has bit e of row l set when edge e holds literal l; ``valid`` uint64[words] are the bits
    that stand for an edge. Rule r has ``literals[starts[r]:starts[r + 1]]``, those of one group side by side;
    ``groups`` int32[L]. ``none`` and ``one``, int64[rules], are filled. O(rules * literals * words).
    """
    words = edges.shape[1]
    for r in range(len(starts) - 1):
        low, high = starts[r], starts[r + 1]
        unhit, single = np.int64(0), np.int64(0)
        for w in range(words):
            once, twice = ZERO, ZERO
            at = low
            while at < high:
                group = groups[literals[at]]
                hit = ZERO
                while at < high and groups[literals[at]] == group:
                    hit |= edges[literals[at], w]
                    at += 1
                twice |= once & hit
                once |= hit
            rest = valid[w] & ~once
            if rest != ZERO:
                unhit += weigh(rest, weights, w << 6)
            rest = once & ~twice
            if rest != ZERO:
                single += weigh(rest, weights, w << 6)
        none[r] = unhit
        one[r] = single
