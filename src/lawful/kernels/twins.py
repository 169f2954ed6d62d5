"""Rows that agree on a set of columns: whether there are any, and the agree sets of some of them.

Partitions are those of `lawful.kernels.partition`, and kept from one set to the next as far as both begin alike.
"""

from __future__ import annotations

from collections import namedtuple

import numpy as np
from numba import njit

from lawful.kernels.agreement import agreement
from lawful.kernels.masks import ZERO, members
from lawful.kernels.partition import refine, whole

Known = namedtuple("Known", "agree count")
"""Agree sets, uint64[room, w], of which ``count`` int64[1] are there; more are added as they are met."""

Parts = namedtuple("Parts", "columns rows offs classes tally touched")
"""Stripped partitions by one column more each: ``columns`` int64[D], the others with a row for each depth."""

TWINS = 8
"""Most pairs of rows that are taken from one set that is no key."""

# what is counted: nodes, sets tried on rows, rows refined, edges learnt
NODES, TRIED, REFINED, LEARNT = range(4)


@njit(nogil=True, cache=True)
def no_parts(ranks, deepest, exhaustive):
    """Room for partitions; the pages that are not used cost nothing."""
    rows = ranks.shape[1]
    most = 0
    if exhaustive:
        rows = 0
    else:
        for c in range(ranks.shape[0]):
            for i in range(rows):
                most = max(most, ranks[c, i])
    part_rows = np.empty((deepest + 1, rows), np.int32)
    offs = np.empty((deepest + 1, rows // 2 + 1), np.int32)
    classes = np.zeros(deepest + 1, np.int64)
    if not exhaustive:
        part_rows[0], offs[0], classes[0] = whole(rows)
    tally, touched = np.zeros(most + 1, np.int32), np.empty(most + 1, np.int32)
    return Parts(np.full(deepest + 1, -1, np.int64), part_rows, offs, classes, tally, touched)


@njit(nogil=True, cache=True)
def try_set(ranks, places, parts, mask, known, counters):
    """Look for rows that agree on a set of columns, add their agree sets to those known; how many were added.

    Columns are taken in order, and partitions kept from the set before as far as it starts alike.
    """
    columns = np.empty(len(mask) << 6, np.int64)
    depth = members(mask, columns)
    counters[TRIED] += 1
    if depth == 0:
        return _learn(ranks, places, known, np.array([0, 1], np.int32), 1, counters)
    common = 0
    while common < depth - 1 and parts.columns[common] == columns[common]:
        common += 1
    parts.columns[common : parts.columns.shape[0]] = -1
    for level in range(common, depth - 1):
        parts.columns[level] = columns[level]
        counters[REFINED] += parts.offs[level, parts.classes[level]]
        parts.classes[level + 1] = refine(
            parts.rows[level], parts.offs[level], parts.classes[level], ranks[places[columns[level]]], parts.tally,
            parts.touched, parts.rows[level + 1], parts.offs[level + 1],
        )  # fmt: skip
    counters[REFINED] += parts.offs[depth - 1, parts.classes[depth - 1]]
    pairs = np.empty(2 * TWINS, np.int32)
    count = _twins(
        parts.rows[depth - 1], parts.offs[depth - 1], parts.classes[depth - 1], ranks[places[columns[depth - 1]]],
        parts.tally, parts.touched, pairs,
    )  # fmt: skip
    return _learn(ranks, places, known, pairs, count, counters)


@njit(nogil=True, cache=True)
def _twins(rows, offs, classes, rank, tally, touched, pairs):
    """Pairs of rows of one class and equal rank, one or two of a class, until there are enough; how many."""
    count = 0
    for c in range(classes):
        start, stop = offs[c], offs[c + 1]
        if stop - start == 2:
            if rank[rows[start]] == rank[rows[start + 1]]:
                pairs[2 * count], pairs[2 * count + 1] = rows[start], rows[start + 1]
                count += 1
        else:
            distinct, most = 0, min(count + 2, TWINS)
            for i in range(start, stop):
                r = rank[rows[i]]
                if tally[r] == 0:
                    tally[r] = rows[i] + 1
                    touched[distinct] = r
                    distinct += 1
                else:
                    pairs[2 * count], pairs[2 * count + 1] = tally[r] - 1, rows[i]
                    count += 1
                    if count == most:
                        break
            for i in range(distinct):
                tally[touched[i]] = 0
        if count == TWINS:
            break
    return count


@njit(nogil=True, cache=True)
def _learn(ranks, places, known, pairs, count, counters):
    """Add the agree sets of pairs that agree on what no known set holds, without those that others of them hold."""
    first = known.count[0]
    last = first
    for p in range(count):
        agreement(ranks, places, pairs[2 * p], pairs[2 * p + 1], known.agree[last])
        held = False
        for e in range(first, last):
            outside = ZERO
            for k in range(known.agree.shape[1]):
                outside |= known.agree[last, k] & ~known.agree[e, k]
            held = held or outside == ZERO
        if not held:
            last += 1
    known.count[0] = last
    counters[LEARNT] += last - first
    return last - first
