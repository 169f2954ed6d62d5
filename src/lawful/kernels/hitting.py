"""Minimal hitting sets of edges whose literals come in groups (MMCS of Murakami and Uno, with weights and groups).

An edge is what one signature asks of a rule: that at least one of its literals be chosen. A literal *covers* edges, and
of those it *owns* some: it is needed only as long as an edge it owns is covered by no other literal. (A literal that
stands for a strict mark covers two outcomes, but must be needed for the one that the weaker mark lets pass.)

The search is a stack of nodes: a chosen set S, and the literals that may still be added. At a node an uncovered edge
with the fewest such literals is taken, and each of them is tried, those tried before staying available: every minimal
set is met once. With a budget, an edge may also be given up: then none of its literals is used below.
"""

from __future__ import annotations

from collections import namedtuple

import numpy as np
from numba import njit

from lawful.kernels.covering import (
    State,
    add_literal,
    close_groups,
    narrowest,
    ones,
    row_of,
    weight_of,
)
from lawful.kernels.masks import LOW, ONE, ZERO

Nodes = namedtuple("Nodes", "depth literals open")
"""Nodes to search: literals chosen, int64[n], which ones, int16[n, D], and what may be added, uint64[n, w]."""


@njit(nogil=True, cache=True)
def settle(edges, groups, bounds, state, literals, depth):
    """Build the state of a node from its literals alone; whether it can still become minimal."""
    state.uncovered[0] = edges.valid
    state.columns[0] = bounds.fixed
    state.weighed[0] = weight_of(edges.valid, edges.weights) if bounds.budget > 0 else 0
    for d in range(depth):  # noqa: SIM110, compiled
        if not add_literal(edges, groups, bounds, state, d, literals[d]):
            return False
    return True


@njit(nogil=True, cache=True)
def room_for(literals, deepest):
    """How many nodes can be open at once below one node."""
    return (literals + 1) * (deepest + 1) + 1


@njit(nogil=True, cache=True)
def hitting_sets(edges, groups, bounds, nodes, most_nodes, found, left):
    """Search below some nodes; how many minimal sets were found, how many nodes are left, how many were seen, and
    whether it stopped at a set of as many literals as the nodes have room for.

    ``found`` uint64[room, w] takes the sets; the search stops after ``most_nodes`` or when there is no room, and what
    is left of it goes to ``left``, Nodes with room for ``room_for(L, D)`` more than came. O(nodes * depth * W).
    """
    literals, words = edges.cover.shape
    width = nodes.open.shape[1]
    deepest = nodes.literals.shape[1]
    state = State(
        np.zeros(deepest + 1, np.int64),
        np.zeros((deepest + 1, words), np.uint64),
        np.zeros((deepest * (deepest + 1) // 2, words), np.uint64),
        np.zeros(deepest + 1, np.int64),
        np.zeros((deepest + 1, groups.columns.shape[1]), np.uint64),
    )
    chosen = state.chosen
    room = room_for(literals, deepest)
    depths, added = np.empty(room, np.int64), np.empty(room, np.int64)
    opens = np.empty((room, width), np.uint64)
    open_, taken = np.empty(width, np.uint64), np.empty(width, np.uint64)
    made, kept, seen, deep = 0, 0, 0, False
    for n in range(len(nodes.depth)):
        depth = nodes.depth[n]
        stopped = seen >= most_nodes or made >= len(found)
        if stopped:
            keep(left, kept, nodes.literals[n], depth, nodes.open[n])
            kept += 1
            continue
        if not settle(edges, groups, bounds, state, nodes.literals[n], depth):
            continue
        top = 1
        depths[0], added[0] = depth, -1
        opens[0] = nodes.open[n]
        while top > 0:
            if seen >= most_nodes or made >= len(found):
                for i in range(top):
                    below = depths[i]
                    if added[i] >= 0:
                        chosen_before = chosen[below - 1]
                        chosen[below - 1] = added[i]
                        keep(left, kept, chosen, below, opens[i])
                        chosen[below - 1] = chosen_before
                    else:
                        keep(left, kept, chosen, below, opens[i])
                    kept += 1
                top = 0
                break
            top -= 1
            depth = depths[top]
            open_[:] = opens[top]
            seen += 1
            if added[top] >= 0 and not add_literal(edges, groups, bounds, state, depth - 1, added[top]):
                continue
            close_groups(groups, bounds, state, depth, open_)
            if bounds.budget > 0:
                unhit = state.weighed[depth]
                if unhit <= bounds.budget:
                    if needed(edges, bounds, row_of(state, depth), unhit, depth):
                        found[made] = as_mask(chosen, depth, width)
                        made += 1
                    continue
            edge = narrowest(edges, bounds.budget, state.uncovered[depth], open_)
            if edge == -1:
                found[made] = as_mask(chosen, depth, width)
                made += 1
                continue
            if edge < 0:
                continue
            if depth == deepest:
                top += 1  # back to where it was: it is left over
                seen, deep = most_nodes, True
                continue
            for k in range(width):
                taken[k] = edges.literals[edge, k] & open_[k]
                open_[k] &= ~taken[k]
            if bounds.budget > 0:
                depths[top], added[top] = depth, -1
                opens[top] = open_
                top += 1
            for k in range(width):
                word = taken[k]
                while word != ZERO:
                    bit = word & (~word + ONE)
                    word ^= bit
                    depths[top], added[top] = depth + 1, (k << 6) + ones(bit - ONE)
                    opens[top] = open_
                    top += 1
                    open_[k] |= bit
    return made, kept, seen, deep


@njit(nogil=True, cache=True)
def needed(edges, bounds, critical, unhit, depth):
    """Whether without any one of its literals the set would leave more than the budget uncovered."""
    for s in range(depth):  # noqa: SIM110, compiled
        if weight_of(critical[s], edges.weights) + unhit <= bounds.budget:
            return False
    return True


@njit(nogil=True, cache=True)
def as_mask(chosen, depth, width):
    """The chosen literals as a set."""
    mask = np.zeros(width, np.uint64)
    for s in range(depth):
        mask[chosen[s] >> 6] |= ONE << (np.uint64(chosen[s]) & LOW)
    return mask


@njit(nogil=True, cache=True)
def keep(left, at, literals, depth, open_):
    """Write a node down."""
    left.depth[at] = depth
    for d in range(depth):
        left.literals[at, d] = literals[d]
    left.open[at] = open_
