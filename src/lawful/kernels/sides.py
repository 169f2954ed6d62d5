"""The two sides of a comparison in clusters: rows that agree on what must be equal, sorted within their cluster."""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(nogil=True, cache=True)
def both_sides(items, offs, classes, n):
    """The clusters that have rows on both sides, as the arrays of `Sides`.

    ``items`` int32 are a partition of 2n items: item i below n is row i as t, item n + i is row i as u. O(items).
    """
    t_rows, u_rows = np.empty(offs[classes], np.int32), np.empty(offs[classes], np.int32)
    t_offs, u_offs = np.zeros(classes + 1, np.int32), np.zeros(classes + 1, np.int32)
    kept = ts = us = 0
    for c in range(classes):
        t_end, u_end = ts, us
        for i in range(offs[c], offs[c + 1]):
            if items[i] < n:
                t_rows[t_end] = items[i]
                t_end += 1
            else:
                u_rows[u_end] = items[i] - n
                u_end += 1
        if t_end > ts and u_end > us:
            ts, us = t_end, u_end
            kept += 1
            t_offs[kept], u_offs[kept] = ts, us
    return t_rows[:ts].copy(), t_offs[: kept + 1].copy(), u_rows[:us].copy(), u_offs[: kept + 1].copy()


@njit(nogil=True, cache=True)
def ascending(rank, highest):
    """The rows, int32[n], in the order of their ranks, by counting: O(n + highest)."""
    places = np.zeros(highest + 2, np.int32)
    for i in range(len(rank)):
        places[rank[i] + 1] += 1
    for r in range(highest):
        places[r + 1] += places[r]
    order = np.empty(len(rank), np.int32)
    for i in range(len(rank)):
        order[places[rank[i]]] = i
        places[rank[i]] += 1
    return order


@njit(nogil=True, cache=True)
def cluster_numbers(rows, offs, n):
    """For each of n rows the number of its cluster, int32, -1 where it is in none."""
    numbers = np.full(n, -1, np.int32)
    for c in range(len(offs) - 1):
        for i in range(offs[c], offs[c + 1]):
            numbers[rows[i]] = c
    return numbers


@njit(nogil=True, cache=True)
def dealt(order, numbers, offs):
    """The rows of ``order`` in their clusters, each cluster in that order. O(n)."""
    places = offs[:-1].copy()
    rows = np.empty(offs[-1], np.int32)
    for i in range(len(order)):
        c = numbers[order[i]]
        if c >= 0:
            rows[places[c]] = order[i]
            places[c] += 1
    return rows
