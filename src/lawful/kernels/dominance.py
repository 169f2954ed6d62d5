"""Pairs of rows of one cluster that compare in up to three orders, by sweeps: O(n), or O(n log n) for three.

Every order comparison becomes ``sign * a[t] <= sign * b[u] - strict``. A pair is also to differ in a key, which is
the row's number or the column of a ``!=``. Of the rows t that a sweep has passed it keeps the least value and the
least one with another key: for any u one of the two is the best partner.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from lawful.kernels.conjunction import another

FAR = np.int64(1 << 40)
_NONE = np.int64(-1)


class Axis(NamedTuple):
    """One order comparison: int32[n] ranks of t and of u, and how they compare. A sign of 0 always holds."""

    a: NDArray[np.int32]
    b: NDArray[np.int32]
    sign: int
    strict: int


class Wanted(NamedTuple):
    """What a sweep is given beside its axes.

    ``t_ok``, ``u_ok`` bool[n] are the rows that may take part; ``t_key``, ``u_key`` int32[n] have to differ. At most
    ``quota`` pairs come from one cluster; ``pairs`` int32[most, 2] is filled from ``found`` on.
    """

    t_ok: NDArray[np.bool_]
    u_ok: NDArray[np.bool_]
    t_key: NDArray[np.int32]
    u_key: NDArray[np.int32]
    quota: int
    pairs: NDArray[np.int32]
    found: int


@njit(nogil=True, cache=True)
def _taken(value, key, row, best, best_key, best_row, next_, next_key, next_row):
    """The least value and the least one with another key, after one more came."""
    if value < best:
        if key != best_key:
            next_, next_key, next_row = best, best_key, best_row
        return value, key, row, next_, next_key, next_row
    if key != best_key and value < next_:
        return best, best_key, best_row, value, key, row
    return best, best_key, best_row, next_, next_key, next_row


@njit(nogil=True, cache=True)
def sweep_line(ranks, about, sides, axis, wanted):
    """Pairs by one axis, without sorting: the extremes of t, then every u. Returns how many stand in ``pairs``."""
    t_rows, t_offs, u_rows, u_offs = sides
    a, b, sign, strict = axis
    t_ok, u_ok, t_key, u_key, quota, pairs, found = wanted
    seed = np.uint64(found + 1)
    for c in range(len(t_offs) - 1):
        best, best_key, best_row, next_, next_key, next_row = FAR, _NONE, _NONE, FAR, _NONE, _NONE
        for i in range(t_offs[c], t_offs[c + 1]):
            t = np.int64(t_rows[i])
            if t_ok[t]:
                best, best_key, best_row, next_, next_key, next_row = _taken(
                    sign * a[t], np.int64(t_key[t]), t, best, best_key, best_row, next_, next_key, next_row
                )
        if best == FAR:
            continue
        left, start, count = quota, t_offs[c], t_offs[c + 1] - t_offs[c]
        at, gap = u_offs[c], (u_offs[c + 1] - u_offs[c]) // quota
        while at < u_offs[c + 1]:
            u = u_rows[at]
            at += 1
            if not u_ok[u]:
                continue
            value, t = (best, best_row) if best_key != u_key[u] else (next_, next_row)
            if value <= sign * b[u] - strict:
                t, seed = another(ranks, about, t_rows, start, count, t, u, seed)
                pairs[found, 0], pairs[found, 1] = t, u
                found += 1
                left -= 1
                at += gap
                if found == len(pairs):
                    return found
                if left == 0:
                    break
    return found


@njit(nogil=True, cache=True)
def sweep_plane(ranks, about, sides, first, second, wanted):
    """Pairs by two axes. The rows of ``sides`` are sorted within clusters by the ranks of the first. O(n)."""
    t_rows, t_offs, u_rows, u_offs = sides
    a, b, sign, strict = first
    a2, b2, sign2, strict2 = second
    t_ok, u_ok, t_key, u_key, quota, pairs, found = wanted
    seed = np.uint64(found + 1)
    for c in range(len(t_offs) - 1):
        best, best_key, best_row, next_, next_key, next_row = FAR, _NONE, _NONE, FAR, _NONE, _NONE
        t_low, ts, u_low, us = t_offs[c], t_offs[c + 1] - t_offs[c], u_offs[c], u_offs[c + 1] - u_offs[c]
        left, gap, i, j = quota, us // quota, 0, 0
        while j < us:
            u = u_rows[u_low + j if sign > 0 else u_low + us - 1 - j]
            j += 1
            if not u_ok[u]:
                continue
            limit = sign * b[u] - strict
            while i < ts:
                t = np.int64(t_rows[t_low + i if sign > 0 else t_low + ts - 1 - i])
                if sign * a[t] > limit:
                    break
                i += 1
                if t_ok[t]:
                    best, best_key, best_row, next_, next_key, next_row = _taken(
                        sign2 * a2[t], np.int64(t_key[t]), t, best, best_key, best_row, next_, next_key, next_row
                    )
            value, t = (best, best_row) if best_key != u_key[u] else (next_, next_row)
            if value <= sign2 * b2[u] - strict2:
                start = t_low if sign > 0 else t_low + ts - i
                t, seed = another(ranks, about, t_rows, start, i, t, u, seed)
                pairs[found, 0], pairs[found, 1] = t, u
                found += 1
                left -= 1
                j += gap
                if found == len(pairs):
                    return found
                if left == 0:
                    break
    return found


@njit(nogil=True, cache=True)
def places_along(t_rows, t_offs, u_rows, u_offs, axis, n):
    """Along an axis by which both sides are sorted: the place of each t in its cluster, from 1, and for each u how
    many t of its cluster compare with it. Two int32[n]. O(n)."""
    a, b, sign, strict = axis
    place, reach = np.zeros(n, np.int32), np.zeros(n, np.int32)
    for c in range(len(t_offs) - 1):
        t_low, ts, u_low, us = t_offs[c], t_offs[c + 1] - t_offs[c], u_offs[c], u_offs[c + 1] - u_offs[c]
        i = 0
        for j in range(us):
            u = u_rows[u_low + j if sign > 0 else u_low + us - 1 - j]
            limit = sign * b[u] - strict
            while i < ts:
                t = t_rows[t_low + i if sign > 0 else t_low + ts - 1 - i]
                if sign * a[t] > limit:
                    break
                i += 1
                place[t] = i
            reach[u] = i
    return place, reach


@njit(nogil=True, cache=True)
def sweep_space(ranks, about, sides, first, place, reach, third, wanted):
    """Pairs by three axes: sorted by the first, a Fenwick tree along the second (`places_along`) keeps the least values
    of the third. O(n log n), whatever the data. A place of 0 is a row that no u reaches."""
    t_rows, t_offs, u_rows, u_offs = sides
    a, b, sign, strict = first
    a3, b3, sign3, strict3 = third
    t_ok, u_ok, t_key, u_key, quota, pairs, found = wanted
    seed = np.uint64(found + 1)
    largest = 0
    for c in range(len(t_offs) - 1):
        largest = max(largest, t_offs[c + 1] - t_offs[c])
    tree = np.empty((largest + 1, 6), np.int64)
    for c in range(len(t_offs) - 1):
        t_low, ts, u_low, us = t_offs[c], t_offs[c + 1] - t_offs[c], u_offs[c], u_offs[c + 1] - u_offs[c]
        for k in range(ts + 1):
            tree[k, 0] = tree[k, 3] = FAR
            tree[k, 1] = tree[k, 2] = tree[k, 4] = tree[k, 5] = _NONE
        left, gap, i, j = quota, us // quota, 0, 0
        while j < us:
            u = u_rows[u_low + j if sign > 0 else u_low + us - 1 - j]
            j += 1
            if not u_ok[u]:
                continue
            limit = sign * b[u] - strict
            while i < ts:
                t = np.int64(t_rows[t_low + i if sign > 0 else t_low + ts - 1 - i])
                if sign * a[t] > limit:
                    break
                i += 1
                if t_ok[t] and place[t] > 0:
                    _insert(tree, place[t], ts, sign3 * a3[t], np.int64(t_key[t]), t)
            t = _reached(tree, reach[u], sign3 * b3[u] - strict3, np.int64(u_key[u]))
            if t >= 0:
                start = t_low if sign > 0 else t_low + ts - i
                t, seed = another(ranks, about, t_rows, start, i, t, u, seed)
                pairs[found, 0], pairs[found, 1] = t, u
                found += 1
                left -= 1
                j += gap
                if found == len(pairs):
                    return found
                if left == 0:
                    break
    return found


@njit(nogil=True, cache=True)
def _insert(tree, at, size, value, key, row):
    """One more t; ends at the first node that it does not change, as no node above would change either."""
    while at <= size:
        best, best_key = tree[at, 0], tree[at, 1]
        if value < best:
            if key != best_key:
                tree[at, 3], tree[at, 4], tree[at, 5] = best, best_key, tree[at, 2]
            tree[at, 0], tree[at, 1], tree[at, 2] = value, key, row
        elif key != best_key and value < tree[at, 3]:
            tree[at, 3], tree[at, 4], tree[at, 5] = value, key, row
        else:
            return
        at += at & -at


@njit(nogil=True, cache=True)
def _reached(tree, at, limit, key):
    """A row among the first ``at`` places with a value of at most ``limit`` and another key; -1 where there is none."""
    while at > 0:
        value = tree[at, 0]
        if value <= limit:
            if tree[at, 1] != key:
                return tree[at, 2]
            if tree[at, 3] <= limit:
                return tree[at, 5]
        at -= at & -at
    return _NONE
