"""Minimal keys: sets of columns that no agree set holds, found by hitting what agree sets leave out, tried on rows.

The search for hitting sets is that of ``kernels/hitting.py`` (MMCS of Murakami and Uno) without groups and weights. An
edge is what an agree set leaves out. A set that hits all edges known is tried on the rows; two rows that agree on it
are a new edge, which the search goes on with (as HPIValid of Birnick et al. does). What is found is always a minimal
key. Nothing is missed by a search from the root that learns no new edge; one that does has to be repeated, since a
literal may be needed for an edge that was not known yet.
"""

from __future__ import annotations

from collections import namedtuple

import numpy as np
from numba import njit

from lawful.kernels.agreement import size_of
from lawful.kernels.hitting import as_mask, keep, room_for
from lawful.kernels.masks import ONE, ZERO
from lawful.kernels.twins import NODES, REFINED, TWINS, no_parts, try_set

Limits = namedtuple("Limits", "columns work exhaustive")
"""Most columns of a key; about how many words and rows may be looked at; whether all agree sets are known."""

Path = namedtuple("Path", "chosen uncovered critical")
"""The path from the root: literals int64[D]; per depth the edges not hit, uint64[D + 1, W]; and, from row
``d * (d - 1) // 2`` on, the edges that each of the d literals alone hits."""

_LOOK = 12
"""Edges that are looked at to find one with few open literals."""


@njit(nogil=True, cache=True)
def search_keys(ranks, places, known, nodes, limits, proven, found, left, counters):
    """Search below some nodes for keys of the table; how many were found, how many nodes are left, and whether it
    stopped at a set of as many columns as nodes have room for.

    ``ranks`` int32[m, n], column c being its row ``places[c]``; ``proven`` uint64[k, w], ascending, are sets known to
    be keys; ``found`` uint64[room, w] takes minimal keys. The search stops when ``found`` or ``known`` is full or its
    work is done, and what is left goes to ``left``, Nodes with room for ``room_for(m, D)`` more than came.
    """
    width, deepest = places.shape[0], nodes.literals.shape[1]
    words, sets = (known.agree.shape[0] + 63) >> 6, known.agree.shape[1]
    cover = np.zeros((width, words), np.uint64)
    for e in range(known.count[0]):
        _cover(cover, known.agree[e], e)
    path = Path(
        np.zeros(deepest + 1, np.int64),
        np.zeros((deepest + 1, words), np.uint64),
        np.zeros((deepest * (deepest + 1) // 2 + 1, words), np.uint64),
    )
    parts = no_parts(ranks, deepest, limits.exhaustive)
    room = room_for(width, deepest)
    depths, added = np.empty(room, np.int64), np.empty(room, np.int64)
    opens = np.empty((room, sets), np.uint64)
    open_, mask = np.empty(sets, np.uint64), np.empty(sets, np.uint64)
    made, kept, done, deep = 0, 0, 0, False
    for n in range(len(nodes.depth)):
        top = 0
        if _settled(cover, known, path, nodes.literals[n], nodes.depth[n]):
            depths[0], added[0], opens[0], top = nodes.depth[n], -1, nodes.open[n], 1
        while top > 0:
            full = made >= len(found) or known.count[0] + TWINS > len(known.agree)
            if deep or full or done > limits.work:
                kept = _put_by(left, kept, path.chosen, depths, added, opens, top)
                break
            top -= 1
            depth = depths[top]
            open_[:] = opens[top]
            used = (known.count[0] + 63) >> 6
            counters[NODES] += 1
            done += (depth + _LOOK) * used + 8
            if added[top] >= 0 and not _add(cover, path, depth - 1, added[top], used):
                continue
            edge = _narrow(known, path.uncovered[depth], open_, used)
            if edge == -1:
                mask[:] = as_mask(path.chosen, depth, sets)
                if limits.exhaustive or _is_in(proven, mask):
                    fresh = 0
                else:
                    before = counters[REFINED]
                    fresh = try_set(ranks, places, parts, mask, known, counters)
                    done += 4 * (counters[REFINED] - before)
                if fresh == 0:
                    found[made] = mask
                    made += 1
                    continue
                for e in range(known.count[0] - fresh, known.count[0]):
                    _cover(cover, known.agree[e], e)
                    for d in range(depth + 1):
                        path.uncovered[d, e >> 6] |= ONE << np.uint64(e & 63)
                edge = known.count[0] - fresh
            if edge < 0 or depth == limits.columns:
                continue
            if depth == deepest:
                top += 1  # back to where it was: it is left over
                deep = True
                continue
            for k in range(sets):
                mask[k] = open_[k] & ~known.agree[edge, k]
                open_[k] &= known.agree[edge, k]
            for k in range(sets):
                word = mask[k]
                while word != ZERO:
                    bit = word & (~word + ONE)
                    word ^= bit
                    depths[top], added[top], opens[top] = depth + 1, (k << 6) + _place_of(bit), open_
                    top += 1
                    open_[k] |= bit
    return made, kept, deep


@njit(nogil=True, cache=True)
def _place_of(bit):
    """Which bit of a word it is."""
    place = 0
    for half in (32, 16, 8, 4, 2, 1):
        if bit >> np.uint64(half) != ZERO:
            bit >>= np.uint64(half)
            place += half
    return place


@njit(nogil=True, cache=True)
def _cover(cover, agree, edge):
    """Write down which columns hit an edge."""
    bit = ONE << np.uint64(edge & 63)
    for c in range(cover.shape[0]):
        if (agree[c >> 6] >> np.uint64(c & 63)) & ONE == ZERO:
            cover[c, edge >> 6] |= bit


@njit(nogil=True, cache=True)
def _settled(cover, known, path, literals, depth):
    """Build the path of a node from its literals alone; whether a minimal set can still come of it."""
    count, used = known.count[0], (known.count[0] + 63) >> 6
    for w in range(used):
        path.uncovered[0, w] = ~ZERO
    if count & 63:
        path.uncovered[0, count >> 6] = (ONE << np.uint64(count & 63)) - ONE
    for d in range(depth):  # noqa: SIM110, compiled
        if not _add(cover, path, d, literals[d], used):
            return False
    return True


@njit(nogil=True, cache=True)
def _add(cover, path, depth, literal, used):
    """Make node ``depth + 1`` of node ``depth`` by one literal; whether each literal is still needed."""
    uncovered, critical = path.uncovered, path.critical
    before, after = depth * (depth - 1) // 2, depth * (depth + 1) // 2
    for s in range(depth):
        some = ZERO
        for w in range(used):
            alone = critical[before + s, w] & ~cover[literal, w]
            critical[after + s, w] = alone
            some |= alone
        if some == ZERO:
            return False
    some = ZERO
    for w in range(used):
        here = uncovered[depth, w]
        critical[after + depth, w] = here & cover[literal, w]
        some |= critical[after + depth, w]
        uncovered[depth + 1, w] = here & ~cover[literal, w]
    path.chosen[depth] = literal
    return some != ZERO


@njit(nogil=True, cache=True)
def _narrow(known, uncovered, open_, used):
    """The one of the first edges not hit with the fewest open literals; -1: all are hit, -2: one cannot be."""
    best, fewest, looked = np.int64(-1), np.int64(1 << 30), 0
    mask = np.empty(len(open_), np.uint64)
    for w in range(used):
        word = uncovered[w]
        while word != ZERO:
            bit = word & (~word + ONE)
            word ^= bit
            edge = (w << 6) + _place_of(bit)
            for k in range(len(open_)):
                mask[k] = open_[k] & ~known.agree[edge, k]
            count = size_of(mask)
            if count == 0:
                return np.int64(-2)
            if count < fewest:
                best, fewest = edge, count
            looked += 1
            if fewest == 1 or looked >= _LOOK:
                return best
    return best


@njit(nogil=True, cache=True)
def _put_by(left, kept, chosen, depths, added, opens, top):
    """Write down the nodes of a stack that is left."""
    for i in range(top):
        below = depths[i]
        if added[i] >= 0:
            before = chosen[below - 1]
            chosen[below - 1] = added[i]
            keep(left, kept, chosen, below, opens[i])
            chosen[below - 1] = before
        else:
            keep(left, kept, chosen, below, opens[i])
        kept += 1
    return kept


@njit(nogil=True, cache=True)
def _is_in(proven, mask):
    """Whether a set is among those that ascend, the first word before the second."""
    low, high = 0, len(proven)
    while low < high:
        middle = (low + high) >> 1
        order = 0
        for k in range(len(mask)):
            if proven[middle, k] != mask[k]:
                order = 1 if proven[middle, k] < mask[k] else -1
                break
        if order == 0:
            return True
        if order > 0:
            low = middle + 1
        else:
            high = middle
    return False
