"""Conjunctions of comparisons between the cells of two rows: does a pair satisfy one, which rows can take part.

An operator is its place in `lawful.rules.model.OPERATORS`: 0 ``=``, 1 ``!=``, 2 ``<``, 3 ``<=``, 4 ``>``, 5 ``>=``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

EQUAL, UNEQUAL, LESS, AT_MOST, MORE, AT_LEAST = range(6)
_FACTOR, _STEP = np.uint64(6364136223846793005), np.uint64(1442695040888963407)
_HIGH = np.uint64(33)
_TRIES = 8


class Conjunction(NamedTuple):
    """Predicate p compares cell ``ranks[left[p], t]`` with ``ranks[right[p], u]``; int32, int32, int8, bool, bool.

    Where ``left_null[p]`` is set, a left cell of rank 0 is unknown and satisfies nothing; likewise on the right.
    """

    left: NDArray[np.int32]
    right: NDArray[np.int32]
    op: NDArray[np.int8]
    left_null: NDArray[np.bool_]
    right_null: NDArray[np.bool_]


class Sides(NamedTuple):
    """Rows that may be t and rows that may be u, int32, cluster by cluster; ``*_offs`` int32[clusters + 1].

    Only rows of one cluster are compared. Where both sides are alike they are the same arrays.
    """

    t_rows: NDArray[np.int32]
    t_offs: NDArray[np.int32]
    u_rows: NDArray[np.int32]
    u_offs: NDArray[np.int32]


@njit(nogil=True, cache=True)
def compare(a, b, op):
    """Whether ``a op b``."""
    if op == EQUAL:
        return a == b
    if op == UNEQUAL:
        return a != b
    if op == LESS:
        return a < b
    if op == AT_MOST:
        return a <= b
    if op == MORE:
        return a > b
    return a >= b


@njit(nogil=True, cache=True)
def holds(ranks, about, t, u):
    """Whether the pair (t, u) satisfies every predicate of a `Conjunction`."""
    for p in range(len(about.left)):
        a = ranks[about.left[p], t]
        b = ranks[about.right[p], u]
        if (a == 0 and about.left_null[p]) or (b == 0 and about.right_null[p]) or not compare(a, b, about.op[p]):
            return False
    return True


@njit(nogil=True, cache=True)
def constant(rank):
    """Whether all ranks of a row are one; ends at the first that differs."""
    for i in range(1, len(rank)):
        if rank[i] != rank[0]:
            break
    else:
        return True
    return False


@njit(nogil=True, cache=True)
def admit(ok, rank, op, value):
    """Takes from ``ok``, bool[n], the rows whose rank does not compare with ``value`` by ``op``."""
    for i in range(len(ok)):
        ok[i] &= compare(rank[i], value, op)


@njit(nogil=True, cache=True)
def stepped(seed):
    """The next state, uint64, of a linear congruential generator; its high bits are good enough to sample by."""
    return seed * _FACTOR + _STEP


@njit(nogil=True, cache=True)
def below(seed, count):
    """A number from 0 to ``count - 1`` made of a generator's state."""
    return np.int64((seed >> _HIGH) % np.uint64(count))


@njit(nogil=True, cache=True)
def another(ranks, about, rows, start, count, t, u, seed):
    """A row to pair with ``u`` instead of ``t``, drawn from ``rows[start:start + count]``, so that what is found is not
    always the extreme row; ``t`` itself when a few draws fail. With the generator's new state."""
    for _ in range(_TRIES):
        seed = stepped(seed)
        drawn = rows[start + below(seed, count)]
        if drawn != u and holds(ranks, about, drawn, u):
            return drawn, seed
    return t, seed


@njit(nogil=True, cache=True)
def probe(ranks, about, sides, pairs, tries, enough):
    """Random pairs within clusters: those that satisfy the conjunction go to ``pairs``, at most ``enough`` of them.

    O(tries * log clusters). Finds what is frequent; not to find anything says nothing.
    """
    t_rows, t_offs, u_rows, u_offs = sides
    seed, found = np.uint64(len(t_rows)), 0
    if len(t_rows) == 0 or enough == 0:
        return 0
    for _ in range(tries):
        seed = stepped(seed)
        i = below(seed, len(t_rows))
        low, high = 0, len(t_offs) - 1
        while high - low > 1:
            middle = (low + high) >> 1
            if t_offs[middle] <= i:
                low = middle
            else:
                high = middle
        seed = stepped(seed)
        u = u_rows[u_offs[low] + below(seed, u_offs[low + 1] - u_offs[low])]
        if t_rows[i] != u and holds(ranks, about, t_rows[i], u):
            pairs[found, 0], pairs[found, 1] = t_rows[i], u
            found += 1
            if found == enough:
                break
    return found
