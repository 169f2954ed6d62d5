"""Pairs of rows chosen one by one, as distinct codes with or without counts; and rows drawn as partners of others."""

from __future__ import annotations

import numpy as np
from numba import njit

from lawful.kernels.conjunction import below, stepped
from lawful.kernels.fields import NONE
from lawful.kernels.tiles import BITS, COUNTERS, RUN, grown, into_bits, into_counters, into_table

WITHIN, LEFT, RIGHT, OTHER = range(4)
"""Where the partner of a row is drawn: in its cluster, in the one before, the one after, or in any other."""


@njit(nogil=True, cache=True)
def compare_pairs(ranks, fields, firsts, seconds, lanes):
    """Writes into ``lanes`` uint32[lanes, >= m] the codes of the pairs (firsts[k], seconds[k]); see ``fields.compare``.

    O(comparisons * m).
    """
    size = len(firsts)
    for c in range(len(fields.left)):
        lane = lanes[fields.lane[c], :size]
        left, right, weight = ranks[fields.left[c]], ranks[fields.right[c]], fields.weight[c]
        left_null, right_null = fields.left_null[c], fields.right_null[c]
        over = weight if fields.ordered[c] else NONE
        if fields.first[c]:
            lane[:] = NONE
        for k in range(size):
            here, there = left[firsts[k]], right[seconds[k]]
            if (left_null and here == 0) or (right_null and there == 0):
                lane[k] += fields.unknown[c]
            elif here == there:
                lane[k] += weight
            elif here > there:
                lane[k] += over + over


@njit(nogil=True, cache=True)
def gather_pairs(ranks, fields, lanes, firsts, seconds, sink, table):
    """Counts the pairs (firsts[k], seconds[k]); returns the hash table, which may have grown.

    The choice of sink stands in ``tiles.gather_block`` too: one function for both costs that loop a fifth of its rate.
    """
    for start in range(0, len(firsts), RUN):
        stop = min(start + RUN, len(firsts))
        compare_pairs(ranks, fields, firsts[start:stop], seconds[start:stop], lanes)
        if sink.kind == BITS:
            into_bits(sink.bits, lanes[0], stop - start)
        elif sink.kind == COUNTERS:
            into_counters(sink.counters, lanes[0], stop - start)
        else:
            while 2 * (table.used[0] + RUN) > table.counts.shape[0]:
                table = grown(table)
            into_table(table, lanes, stop - start)
    return table


@njit(nogil=True, cache=True)
def partners(order, rank, places, way, seed, firsts, seconds):
    """For rows at some ``places`` int64[m] of ``order`` int32[n] (rows by ``rank`` int32[n]) a partner each.

    ``way`` is one of WITHIN, LEFT, RIGHT, OTHER. Fills ``firsts`` and ``seconds`` int32[m]; returns how many rows have
    a partner there. O(m log n): the borders of clusters are found by bisection.
    """
    n, made, state = len(order), 0, np.uint64(seed)
    for p in places:
        value = rank[order[p]]
        low, high = _first(order, rank, value), _first(order, rank, value + 1)
        start, stop = low, high
        if way == LEFT:
            start, stop = (_first(order, rank, rank[order[low - 1]]) if low > 0 else 0), low
        elif way == RIGHT:
            start, stop = high, (_first(order, rank, rank[order[high]] + 1) if high < n else high)
        elif way == OTHER:
            start, stop = 0, n - (high - low)
        size = stop - start - (way == WITHIN)
        if size <= 0:
            continue
        state = stepped(state)
        at = start + below(state, size)
        if (way == WITHIN and at >= p) or (way == OTHER and at >= low):
            at += 1 if way == WITHIN else high - low
        firsts[made], seconds[made] = order[p], order[at]
        made += 1
    return made


@njit(nogil=True, cache=True)
def _first(order, rank, value):
    """The first place in ``order`` whose rank is at least a value."""
    low, high = 0, len(order)
    while low < high:
        middle = (low + high) >> 1
        if rank[order[middle]] < value:
            low = middle + 1
        else:
            high = middle
    return low
