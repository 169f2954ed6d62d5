"""Many sets as a tree of their literals, and which masks hold one of them."""

from __future__ import annotations

import numpy as np
from numba import njit

from lawful.kernels.masks import ONE, has


@njit(nogil=True, cache=True)
def occurrences(masks, counts):
    """Add to ``counts`` int64[literals] in how many of ``masks`` uint64[k, w] each literal is."""
    for i in range(masks.shape[0]):
        for literal in range(counts.shape[0]):
            if has(masks[i], literal):
                counts[literal] += 1


@njit(nogil=True, cache=True)
def renumber(masks, literals, out):
    """The masks as strings of bits, first bit highest, ``out`` uint64[k, w]: bit p for literal ``literals[p]``."""
    for i in range(masks.shape[0]):
        for place in range(literals.shape[0]):
            if has(masks[i], literals[place]):
                out[i, place >> 6] |= ONE << np.uint64(63 - (place & 63))


@njit(nogil=True, cache=True)
def grow(masks, order, literals, node_literal, node_next, node_end):
    """Write the sets ``masks[order]`` as a tree of their literals, in preorder; how many nodes.

    The literals of a set follow each other as in ``literals``, and ``order`` sorts the sets accordingly, so that common
    beginnings are adjacent. Node 0 is the empty beginning, its literal -1; ``node_next`` is the next node that is not
    below; ``node_end`` the set that ends at a node, or -1. All int32[1 + all the sets' literals].
    """
    path = np.zeros(literals.shape[0] + 1, np.int32)
    node_literal[0], node_end[0] = -1, -1
    nodes, depth = 1, 0
    for i in order:
        level, shared = 0, True
        for place in range(literals.shape[0]):
            if has(masks[i], literals[place]):
                if shared and (level == depth or node_literal[path[level + 1]] != literals[place]):
                    depth, shared = _leave(path, level, depth, nodes, node_next), False
                level += 1
                if not shared:
                    node_literal[nodes], node_end[nodes] = literals[place], -1
                    path[level] = nodes
                    nodes += 1
        depth = level if not shared else _leave(path, level, depth, nodes, node_next)
        node_end[path[depth]] = i
    _leave(path, -1, depth, nodes, node_next)
    return nodes


@njit(nogil=True, cache=True)
def _leave(path, level, depth, nodes, node_next):
    """Nothing more comes below the nodes of a path that are deeper than a level; the level."""
    for below in range(level + 1, depth + 1):
        node_next[path[below]] = nodes
    return level


@njit(nogil=True, cache=True)
def contains_another(closed, members, node_literal, node_next, node_end, found):
    """Mark in ``found`` bool[k] the members one of whose ``closed`` uint64[k, 2, w] holds another set of the tree."""
    for i in members:
        found[i] = _holds_another(closed[i, 0], i, node_literal, node_next, node_end) or _holds_another(
            closed[i, 1], i, node_literal, node_next, node_end
        )


@njit(nogil=True, cache=True)
def _holds_another(mask, itself, node_literal, node_next, node_end):
    """Whether a mask holds all literals of a set that is not ``itself``."""
    node = 0
    while node < node_literal.shape[0]:
        if node_literal[node] < 0 or has(mask, node_literal[node]):
            if node_end[node] >= 0 and node_end[node] != itself:
                return True
            node += 1
        else:
            node = node_next[node]
    return False
