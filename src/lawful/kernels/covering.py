"""One step of a search for hitting sets: what a literal covers, whether it is needed, what may still be added."""

from __future__ import annotations

from collections import namedtuple

import numpy as np
from numba import njit

from lawful.kernels.masks import LOW, ONE, ZERO
from lawful.kernels.near import weigh

Edges = namedtuple("Edges", "cover own literals weights valid")
"""``cover`` and ``own`` uint64[L, W]: bit e of row l says that literal l covers, or owns, edge e; ``literals``
uint64[E, w]: the literals that cover an edge; ``weights`` int64[E]; ``valid`` uint64[W]: the bits that are edges."""

Groups = namedtuple("Groups", "of place first last open kind columns")
"""``of`` int64[L] the group of a literal and ``place`` int64[L] which of its literals it is; literals ``first[g]`` …
``last[g] - 1`` are group g's; ``open`` uint8[kinds, 16]: the places that may be added to a set of places of a group of
that ``kind`` int64[G]; ``columns`` uint64[G, c] the columns a group speaks of."""

Bounds = namedtuple("Bounds", "budget most_columns least_interest fixed pairs")
"""``budget``: weight of edges that may stay uncovered; ``most_columns`` of a set, the ``fixed`` uint64[c] ones counted;
``least_interest``: sets that cannot reach this interest are left out (0: none), for that many ``pairs`` in all."""

State = namedtuple("State", "chosen uncovered critical weighed columns")
"""The path from the root: literals int64[D]; per depth what is uncovered uint64[D + 1, W], its weight where that
matters, the columns named; and, from row ``d * (d - 1) // 2`` on, what each of the d literals alone covers."""


@njit(nogil=True, cache=True)
def ones(word):
    """How many bits of a word are set."""
    word = word - ((word >> ONE) & np.uint64(0x5555555555555555))
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((word * np.uint64(0x0101010101010101)) >> np.uint64(56))


@njit(nogil=True, cache=True)
def weight_of(bits, weights):
    """The weight of a set of edges."""
    total = np.int64(0)
    for w in range(len(bits)):
        if bits[w] != ZERO:
            total += weigh(bits[w], weights, w << 6)
    return total


@njit(nogil=True, cache=True)
def row_of(state, depth):
    """What each of ``depth`` literals alone covers, uint64[depth, W]."""
    first = depth * (depth - 1) // 2
    return state.critical[first : first + depth]


@njit(nogil=True, cache=True)
def add_literal(edges, groups, bounds, state, depth, literal):
    """Make node ``depth + 1`` of node ``depth`` by one literal; whether a minimal set can still come of it."""
    uncovered, columns = state.uncovered, state.columns
    words = uncovered.shape[1]
    cover = edges.cover[literal]
    here, there = uncovered[depth], uncovered[depth + 1]
    before, after = row_of(state, depth), row_of(state, depth + 1)
    some = False
    for w in range(words):
        if here[w] & edges.own[literal, w] != ZERO:
            some = True
            break
    if not some:
        return False
    for s in range(depth):
        some = False
        for w in range(words):
            if before[s, w] & ~cover[w] != ZERO:
                some = True
                break
        if not some:
            return False
    group = groups.of[literal]
    count = 0
    for c in range(columns.shape[1]):
        columns[depth + 1, c] = columns[depth, c] | groups.columns[group, c]
        count += ones(columns[depth + 1, c])
    if count > bounds.most_columns:
        return False
    state.chosen[depth] = literal
    for w in range(words):
        there[w] = here[w] & ~cover[w]
        after[depth, w] = here[w] & edges.own[literal, w]
    for s in range(depth):
        for w in range(words):
            after[s, w] = before[s, w] & ~cover[w]
    if bounds.budget > 0 or bounds.least_interest > 0:
        return still_wanted(edges, groups, bounds, state, depth + 1, count)
    return True


@njit(nogil=True, cache=True)
def still_wanted(edges, groups, bounds, state, depth, count):
    """Whether every literal is needed by more than the budget, and enough interest can still be reached."""
    chosen, critical = state.chosen, row_of(state, depth)
    left = weight_of(state.uncovered[depth], edges.weights)
    state.weighed[depth] = left
    alone = np.int64(0)
    for s in range(depth):
        weight = weight_of(critical[s], edges.weights)
        alone += weight
        if weight + min(left, bounds.budget) <= bounds.budget:
            return False
    if bounds.least_interest > 0:
        named = 0
        for s in range(depth):
            first = True
            for r in range(s):
                first = first and groups.of[chosen[r]] != groups.of[chosen[s]]
            named += first
        reach = (alone + left) / (max(named, 1) * bounds.pairs) + min(left, bounds.budget) / bounds.pairs
        return reach * min(1.0, 2.0 / max(count, 1)) >= bounds.least_interest * (1 - 1e-9)
    return True


@njit(nogil=True, cache=True)
def close_groups(groups, bounds, state, depth, open_):
    """Take out of ``open_`` uint64[w] what may not be added to the set at ``depth``: by its groups, by its size."""
    chosen, columns = state.chosen, state.columns
    for s in range(depth):
        group = groups.of[chosen[s]]
        there = 0
        for r in range(depth):
            if groups.of[chosen[r]] == group:
                there |= 1 << groups.place[chosen[r]]
        allowed = groups.open[groups.kind[group], there]
        for literal in range(groups.first[group], groups.last[group]):
            if (allowed >> groups.place[literal]) & 1 == 0:
                open_[literal >> 6] &= ~(ONE << (np.uint64(literal) & LOW))
    count = 0
    for c in range(columns.shape[1]):
        count += ones(columns[depth, c])
    if count == bounds.most_columns:
        for group in range(len(groups.kind)):
            outside = False
            for c in range(columns.shape[1]):
                outside = outside or groups.columns[group, c] & ~columns[depth, c] != ZERO
            if outside:
                for literal in range(groups.first[group], groups.last[group]):
                    open_[literal >> 6] &= ~(ONE << (np.uint64(literal) & LOW))


@njit(nogil=True, cache=True)
def narrowest(edges, budget, uncovered, open_):
    """The uncovered edge with the fewest open literals: -1 when there is none uncovered, -2 when no set below counts.

    With a budget, edges without open literals are passed over as long as their weight does not exceed it.
    """
    words, width = len(uncovered), len(open_)
    best, fewest = np.int64(-1), np.int64(1 << 30)
    lost = np.int64(0)
    for w in range(words):
        word = uncovered[w]
        edge = np.int64(w << 6)
        while word != ZERO:
            if word & np.uint64(0xFF) == ZERO:
                word >>= np.uint64(8)
                edge += 8
                continue
            if word & ONE != ZERO:
                count = np.int64(0)
                for k in range(width):
                    count += ones(edges.literals[edge, k] & open_[k])
                if count == 0:
                    if budget == 0:
                        return np.int64(-2)
                    lost += edges.weights[edge]
                    if lost > budget:
                        return np.int64(-2)
                elif count < fewest:
                    best, fewest = edge, count
                    if count == 1 and budget == 0:
                        return best
            word >>= ONE
            edge += 1
    return best if best >= 0 else (np.int64(-1) if lost == 0 else np.int64(-3))
