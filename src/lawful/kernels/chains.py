"""Row numbers in runs that two columns sort at once: what a probe finds there, by binary search.

A chain is a run along which neither of two rank columns ever turns back. Rows that compare with a probe (va, vb) by
``a op va`` are a stretch of it, so are those with ``b op vb``, and so are those with both: whatever the two operators
are, ties and duplicates included, and whether or not they point the way the run is sorted. One set of chains answers
all mixes of ``= < <= > >=``; the direction it was built for matters to the number of chains alone. After IncPOD,
section IV, with its Fetch and OptIndex repaired for ties: chains are monotone in the non-strict sense.

Runs hold no values. Whoever asks gives the columns as they are now, so ranks may be remapped in between as long as the
order of the rows and what is equal stay as they were. A null is a value with a rank like any other.

Operators are those of `lawful.kernels.conjunction` but for ``!=``, and `ANY`.

The searches are inlined: handing arrays to them costs more than the search itself.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from lawful.kernels.conjunction import AT_LEAST, AT_MOST, EQUAL, LESS, MORE

ANY = 6
"""The operator that always holds."""

MIRRORED = (0, 1, 4, 5, 2, 3, 6)
"""``a op b`` is ``b MIRRORED[op] a``."""

TOGETHER, CLUSTERED, AGAINST = 1, 0, -1


class Runs(NamedTuple):
    """Run j is ``rows[offs[j]:offs[j + 1]]``: int32[n] row numbers, int64[runs + 1].

    Along a run ``a`` does not fall, and ``b`` does not fall (``sign`` TOGETHER) or does not rise (AGAINST). CLUSTERED
    runs are sorted by ``a`` and, where it is equal, by ``b``; they answer ``a = va`` with any operator on ``b``, and
    any operator on ``a`` with ANY on ``b``.
    """

    rows: NDArray[np.int32]
    offs: NDArray[np.int64]
    sign: int


@njit(nogil=True, cache=True, inline="always")
def first_at_least(rows, start, stop, column, sign, least):
    """The first place in ``rows[start:stop]`` with ``sign * column[row] >= least``, or stop; no value falls there."""
    while start < stop:
        middle = (start + stop) >> 1
        if sign * np.int64(column[rows[middle]]) < least:
            start = middle + 1
        else:
            stop = middle
    return start


@njit(nogil=True, cache=True, inline="always")
def near_at_least(rows, start, stop, column, sign, least, near):
    """As `first_at_least`, by steps that double from the place ``near`` on: O(log distance). Halves where that place is
    not from start to stop."""
    if near < start or near > stop:
        return first_at_least(rows, start, stop, column, sign, least)
    step = 1
    if near < stop and sign * np.int64(column[rows[near]]) < least:
        start = near + 1
        while near + step < stop and sign * np.int64(column[rows[near + step]]) < least:
            start = near + step + 1
            step *= 2
        stop = min(near + step, stop)
    else:
        stop = near
        while near - step >= start and sign * np.int64(column[rows[near - step]]) >= least:
            stop = near - step
            step *= 2
        start = max(near - step + 1, start)
    return first_at_least(rows, start, stop, column, sign, least)


@njit(nogil=True, cache=True, inline="always")
def _stretch(rows, start, stop, column, sign, value, op, near):
    """The part of ``rows[start:stop]`` with ``column[row] op value``; along it ``sign * column`` does not fall. With it
    the place where the value would stand."""
    least = sign * np.int64(value)
    if op == ANY:
        return start, stop, near
    if op == EQUAL:
        place = near_at_least(rows, start, stop, column, sign, least, near)
        return place, near_at_least(rows, place, stop, column, sign, least + 1, place), place
    at_most = op == AT_MOST if sign > 0 else op == AT_LEAST
    less = op == LESS if sign > 0 else op == MORE
    if less or at_most:
        place = near_at_least(rows, start, stop, column, sign, least + at_most, near)
        return start, place, place
    more = op == MORE if sign > 0 else op == LESS
    place = near_at_least(rows, start, stop, column, sign, least + more, near)
    return place, stop, place


@njit(nogil=True, cache=True)
def span_near(runs, j, a, b, va, vb, op_a, op_b, near):
    """As `span`, and the place of va in the run, which is a good ``near`` for the next probe if that is like this one.

    What two columns say of a probe's place in a chain is much the same: the second is looked for around the first.
    """
    rows, offs, sign = runs
    start, stop, near = _stretch(rows, offs[j], offs[j + 1], a, 1, va, op_a, near)
    if start >= stop:
        return start, start, near
    start, stop, _ = _stretch(rows, start, stop, b, 1 if sign == CLUSTERED else sign, vb, op_b, near)
    return start, stop, near


@njit(nogil=True, cache=True)
def span(runs, j, a, b, va, vb, op_a, op_b):
    """Start and stop in ``runs.rows`` of the rows of run j with ``a op_a va`` and ``b op_b vb``: at most four searches.

    For the pairs the other way round, ``va op_a a`` and ``vb op_b b``, give mirrored operators.
    """
    start, stop, _ = span_near(runs, j, a, b, va, vb, op_a, op_b, -1)
    return start, stop


@njit(nogil=True, cache=True)
def spans(runs, a, b, va, vb, op_a, op_b, starts, stops):
    """Fills starts and stops, int64[runs], for one probe; returns how many rows these are."""
    total = 0
    for j in range(len(runs.offs) - 1):
        starts[j], stops[j] = span(runs, j, a, b, va, vb, op_a, op_b)
        total += stops[j] - starts[j]
    return total


@njit(nogil=True, cache=True)
def spans_near(runs, a, b, va, vb, op_a, op_b, near, starts, stops):
    """As `spans`, for probes that come in the order of va: ``near`` int64[runs], -1 before the first, is where each run
    was left. Much cheaper for many probes."""
    total = 0
    for j in range(len(runs.offs) - 1):
        starts[j], stops[j], near[j] = span_near(runs, j, a, b, va, vb, op_a, op_b, near[j])
        total += stops[j] - starts[j]
    return total


@njit(nogil=True, cache=True)
def count_spans(runs, a, b, values_a, values_b, order, op_a, op_b, counts):
    """Adds to counts, int64[probes], how many rows each probe finds; ``order`` has the probes by ``values_a``, so that
    along a run each is found close to the one before."""
    for j in range(len(runs.offs) - 1):
        near = -1
        for p in order:
            start, stop, near = span_near(runs, j, a, b, values_a[p], values_b[p], op_a, op_b, near)
            counts[p] += stop - start


@njit(nogil=True, cache=True)
def find_spans(runs, a, b, values_a, values_b, order, op_a, op_b, starts, stops):
    """Fills starts and stops, int32[runs, probes]; ``order`` as in `count_spans`."""
    for j in range(len(runs.offs) - 1):
        near = -1
        for p in order:
            starts[j, p], stops[j, p], near = span_near(runs, j, a, b, values_a[p], values_b[p], op_a, op_b, near)


@njit(nogil=True, cache=True)
def write_spans(rows, starts, stops, at, found):
    """Writes the rows of probe p's spans to found, int32, from at[p] on, and moves at[p], int64, behind them."""
    for p in range(len(at)):
        place = at[p]
        for j in range(len(starts)):
            for i in range(starts[j, p], stops[j, p]):
                found[place] = rows[i]
                place += 1
        at[p] = place


@njit(nogil=True, cache=True)
def dealt(rows, chain, chains):
    """``rows`` by chain, in each in the order given: int32[n], and int64[chains + 1] offsets; chain int32[n]."""
    offs = np.zeros(chains + 1, np.int64)
    for i in range(len(rows)):
        offs[chain[i] + 1] += 1
    for j in range(chains):
        offs[j + 1] += offs[j]
    at = offs[:-1].copy()
    placed = np.empty(len(rows), np.int32)
    for i in range(len(rows)):
        placed[at[chain[i]]] = rows[i]
        at[chain[i]] += 1
    return placed, offs


@njit(nogil=True, cache=True)
def fewest_chains(rows, b, sign, chain):
    """How many chains rows sorted by (a, sign * b) need at least; chain, int32[n], tells a cover by so many.

    Patience: each row goes to the chain whose last value is the greatest that it may follow. The last values fall
    from chain to chain, so that chain is found by binary search: O(n log chains). The values that forced the last chain
    open lie in rows of which no two fit into one chain, so fewer do not suffice.
    """
    lasts = np.empty(max(len(rows), 1), np.int64)
    chains = 0
    for i in range(len(rows)):
        value = sign * np.int64(b[rows[i]])
        low, high = 0, chains
        while low < high:
            middle = (low + high) >> 1
            if lasts[middle] <= value:
                high = middle
            else:
                low = middle + 1
        lasts[low] = value
        chains = max(chains, low + 1)
        chain[i] = low
    return chains
