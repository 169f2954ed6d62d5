"""Pairs of rows of one cluster by any number of comparisons: two trees of boxes, walked together.

Each side's rows are points, one coordinate a comparison: ``sign * rank``. A comparison is ``a[t] <= b[u] - strict``, or
``a[t] != b[u]`` where ``strict`` is `DIFFER`. A pair of boxes is dropped when some comparison fails for all its pairs,
and a pair is taken when all hold for all. Near-linear on rules that hold because columns run together; no bound for
points in general position. Unlike boxes, few rows are compared as tiles.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from lawful.kernels.conjunction import below, stepped

DIFFER = np.int64(2)
_LEAF = 32
_SMALL = 64
_DEPTH = 1024
_FAILS, _OPEN, _HOLDS = range(3)
_PER_BOX = 2


class Tree(NamedTuple):
    """Boxes over points: rows ``low[k]:high[k]`` of ``points`` int32[s, p] and ``rows`` int32[s] are in box k, whose
    halves are boxes ``child[k]`` and the next one, or ``child[k]`` is 0. ``least``, ``most`` int32[boxes, p]."""

    points: NDArray[np.int32]
    rows: NDArray[np.int32]
    low: NDArray[np.int32]
    high: NDArray[np.int32]
    child: NDArray[np.int32]
    least: NDArray[np.int32]
    most: NDArray[np.int32]


@njit(nogil=True, cache=True)
def _points(ranks, places, signs, ok, members):
    """The admitted rows among ``members`` as points, and their numbers."""
    count = 0
    for i in range(len(members)):
        count += ok[members[i]]
    points, rows = np.empty((count, len(places)), np.int32), np.empty(count, np.int32)
    at = 0
    for i in range(len(members)):
        if ok[members[i]]:
            rows[at] = members[i]
            at += 1
    for p in range(len(places)):
        rank, sign = ranks[places[p]], np.int32(signs[p])
        for i in range(count):
            points[i, p] = sign * rank[rows[i]]
    return points, rows


@njit(nogil=True, cache=True)
def _swap(points, rows, i, j):
    rows[i], rows[j] = rows[j], rows[i]
    for p in range(points.shape[1]):
        points[i, p], points[j, p] = points[j, p], points[i, p]


@njit(nogil=True, cache=True)
def _cut(points, rows, low, high, axis):
    """Orders ``low:high`` around a middle along an axis and returns it: between two values where one of the cuts
    beside the median's ties leaves a quarter on each side, else the median. Expected O(high - low)."""
    middle, least = (low + high) >> 1, (high - low) >> 2
    a, b, seed = low, high, np.uint64(high)
    while True:
        seed = stepped(seed)
        pivot = points[a + below(seed, b - a), axis]
        under, at, over = a, a, b
        while at < over:
            value = points[at, axis]
            if value < pivot:
                _swap(points, rows, at, under)
                under += 1
                at += 1
            elif value > pivot:
                over -= 1
                _swap(points, rows, at, over)
            else:
                at += 1
        if middle < under:
            b = under
        elif middle >= over:
            a = over
        else:
            break
    before, after = under - low >= least, high - over >= least
    if before and (not after or middle - under <= over - middle):
        return under
    return over if after else middle


@njit(nogil=True, cache=True)
def grown(points, rows):
    """The tree over points, which are reordered; every leaf has at least 8 points of 33 and more. O(s p log s)."""
    s, p = points.shape
    room = s // 4 + 4
    low, high, child = np.zeros(room, np.int32), np.zeros(room, np.int32), np.zeros(room, np.int32)
    least, most = np.empty((room, p), np.int32), np.empty((room, p), np.int32)
    high[0] = s
    made, at = 1, 0
    while at < made:
        for k in range(p):
            least[at, k] = most[at, k] = points[low[at], k]
        for i in range(low[at] + 1, high[at]):
            for k in range(p):
                least[at, k] = min(least[at, k], points[i, k])
                most[at, k] = max(most[at, k], points[i, k])
        axis, widest = -1, 0.0
        if high[at] - low[at] > _LEAF:
            for k in range(p):
                if most[at, k] > least[at, k]:
                    share = (np.int64(most[at, k]) - least[at, k]) / (np.int64(most[0, k]) - least[0, k])
                    if share > widest:
                        axis, widest = k, share
        if axis >= 0:
            middle = _cut(points, rows, low[at], high[at], axis)
            child[at] = made
            low[made], high[made] = low[at], middle
            low[made + 1], high[made + 1] = middle, high[at]
            made += 2
        at += 1
    return Tree(points, rows, low, high, child, least, most)


@njit(nogil=True, cache=True)
def _judged(left, i, right, j, strict):
    """Whether a pair of boxes fails for all its pairs, holds for all, or is open."""
    verdict = _HOLDS
    for p in range(len(strict)):
        a, a_most, b, b_most = left.least[i, p], left.most[i, p], right.least[j, p], right.most[j, p]
        if strict[p] == DIFFER:
            if a == b_most and a_most == b:  # then both are one value, the same one
                return _FAILS
            if a <= b_most and a_most >= b:
                verdict = _OPEN
        else:
            if a > b_most - strict[p]:
                return _FAILS
            if a_most > b - strict[p]:
                verdict = _OPEN
    return verdict


@njit(nogil=True, cache=True)
def _tile(left, i, right, j, strict, pairs, found, quota):
    """Every pair of two leaves, until ``quota`` more are found. Of a long leaf, all of whose points are one, two do."""
    end = min(found + quota, len(pairs))
    t_high = left.high[i] if left.high[i] - left.low[i] <= _SMALL else left.low[i] + 2
    u_high = right.high[j] if right.high[j] - right.low[j] <= _SMALL else right.low[j] + 2
    for u in range(right.low[j], u_high):
        for t in range(left.low[i], t_high):
            good = left.rows[t] != right.rows[u]
            for p in range(len(strict)):
                a, b = left.points[t, p], right.points[u, p]
                good = good and (a != b if strict[p] == DIFFER else a <= b - strict[p])
                if not good:
                    break
            if good:
                pairs[found, 0], pairs[found, 1] = left.rows[t], right.rows[u]
                found += 1
                if found >= end:
                    return found
                break
    return found


@njit(nogil=True, cache=True)
def _any(left, i, right, j, pairs, found, seed):
    """A pair of two boxes of which all hold, of different rows; none where both are the same single row."""
    t = left.low[i] + below(seed, left.high[i] - left.low[i])
    seed = stepped(seed)
    u = right.low[j] + below(seed, right.high[j] - right.low[j])
    if left.rows[t] == right.rows[u]:
        if left.high[i] - left.low[i] > 1:
            t = t + 1 if t + 1 < left.high[i] else left.low[i]
        elif right.high[j] - right.low[j] > 1:
            u = u + 1 if u + 1 < right.high[j] else right.low[j]
        else:
            return found
    pairs[found, 0], pairs[found, 1] = left.rows[t], right.rows[u]
    return found + 1


@njit(nogil=True, cache=True)
def _walked(left, right, strict, pairs, found, end):
    """Walks two trees together, by a stack of pairs of boxes of which the larger is opened first."""
    stack = np.empty((_DEPTH, 2), np.int32)
    stack[0, 0] = stack[0, 1] = 0
    depth, seed = 1, np.uint64(found + 1)
    while depth > 0 and found < end:
        depth -= 1
        i, j = stack[depth, 0], stack[depth, 1]
        verdict = _judged(left, i, right, j, strict)
        if verdict == _FAILS:
            continue
        if verdict == _HOLDS:
            seed = stepped(seed)
            found = _any(left, i, right, j, pairs, found, seed)
            continue
        ts, us = left.high[i] - left.low[i], right.high[j] - right.low[j]
        if left.child[i] == 0 and right.child[j] == 0:
            found = _tile(left, i, right, j, strict, pairs, found, min(_PER_BOX, end - found))
        elif right.child[j] == 0 or (left.child[i] != 0 and ts >= us):
            stack[depth, 0], stack[depth, 1] = left.child[i], j
            stack[depth + 1, 0], stack[depth + 1, 1] = left.child[i] + 1, j
            depth += 2
        else:
            stack[depth, 0], stack[depth, 1] = i, right.child[j]
            stack[depth + 1, 0], stack[depth + 1, 1] = i, right.child[j] + 1
            depth += 2
    return found


@njit(nogil=True, cache=True)
def pairs_in_boxes(ranks, left, right, signs, strict, sides, t_ok, u_ok, alike, quota, pairs, found):
    """Pairs by the comparisons of ``ranks[left[p], t]`` with ``ranks[right[p], u]``, at most ``quota`` from a cluster.

    ``signs``, ``strict`` int64[p], see above; ``t_ok``, ``u_ok`` bool[n]. ``alike`` says that both sides have the same
    rows and coordinates, so that one tree serves both. Returns how many pairs stand in ``pairs``.
    """
    t_rows, t_offs, u_rows, u_offs = sides
    for c in range(len(t_offs) - 1):
        if found == len(pairs):
            break
        points, rows = _points(ranks, left, signs, t_ok, t_rows[t_offs[c] : t_offs[c + 1]])
        if len(rows) == 0:
            continue
        end = min(found + quota, len(pairs))
        first = _tree(points, rows)
        if alike:
            second = first
        else:
            points, rows = _points(ranks, right, signs, u_ok, u_rows[u_offs[c] : u_offs[c + 1]])
            if len(rows) == 0:
                continue
            second = _tree(points, rows)
        found = _walked(first, second, strict, pairs, found, end)
    return found


@njit(nogil=True, cache=True)
def _tree(points, rows):
    """A tree, or one box around all when the points are so few that a tile is as good."""
    if len(rows) > _SMALL:
        return grown(points, rows)
    p = points.shape[1]
    low, high, child = np.zeros(1, np.int32), np.full(1, len(rows), np.int32), np.zeros(1, np.int32)
    least, most = np.empty((1, p), np.int32), np.empty((1, p), np.int32)
    for k in range(p):
        least[0, k] = points[:, k].min()
        most[0, k] = points[:, k].max()
    return Tree(points, rows, low, high, child, least, most)
