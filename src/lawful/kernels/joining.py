"""New rows in runs that two columns sort: which run can take them, and runs merged with runs.

Runs, columns and signs are those of `lawful.kernels.chains`.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from lawful.kernels.chains import first_at_least


@njit(nogil=True, cache=True)
def fits(runs, j, a, b, row):
    """Whether run j stays a chain with ``row`` in it, at some place: rows before it are at most it, those behind it at
    least, in both columns. A run that is not there takes anything. At most three searches."""
    rows, offs, sign = runs
    if j >= len(offs) - 1:
        return True
    value, start, stop = sign * np.int64(b[row]), offs[j], offs[j + 1]
    low = first_at_least(rows, start, stop, a, 1, np.int64(a[row]))
    high = first_at_least(rows, low, stop, a, 1, np.int64(a[row]) + 1)
    place = first_at_least(rows, low, high, b, sign, value)
    before = place == start or sign * np.int64(b[rows[place - 1]]) <= value
    return before and (place == stop or sign * np.int64(b[rows[place]]) >= value)


@njit(nogil=True, cache=True)
def choose_chains(settled, recent, a, b, new, largest, chain):
    """The chain of each new row, int32, in ``chain``; returns how many chains there are then.

    Chain j is run j of ``settled`` and of ``recent`` together. ``new`` rows are sorted by (a, sign * b), so in one
    chain they follow each other; ``largest`` int32 names the chains in the order in which they are tried. A row that
    none takes opens one. O(new * chains * log) at worst.
    """
    sign = settled.sign
    known = len(largest)
    chains = known
    lasts = np.full(known + len(new), np.iinfo(np.int64).min)
    for i in range(len(new)):
        value = sign * np.int64(b[new[i]])
        taken = -1
        for k in range(chains):
            j = largest[k] if k < known else k
            if lasts[j] <= value and fits(recent, j, a, b, new[i]) and fits(settled, j, a, b, new[i]):
                taken = j
                break
        if taken < 0:
            taken = chains
            chains += 1
        chain[i] = taken
        lasts[taken] = value
    return chains


@njit(nogil=True, cache=True)
def merged(left, right, a, b, runs):
    """Run j of left with run j of right, for ``runs`` of them; a missing one is empty. O(rows of both)."""
    sign = np.int64(left.sign if left.sign != 0 else 1)
    rows = np.empty(len(left.rows) + len(right.rows), np.int32)
    offs = np.zeros(runs + 1, np.int64)
    at = 0
    for j in range(runs):
        i, i_stop = (left.offs[j], left.offs[j + 1]) if j < len(left.offs) - 1 else (np.int64(0), np.int64(0))
        k, k_stop = (right.offs[j], right.offs[j + 1]) if j < len(right.offs) - 1 else (np.int64(0), np.int64(0))
        while i < i_stop and k < k_stop:
            t, u = left.rows[i], right.rows[k]
            if a[t] < a[u] or (a[t] == a[u] and sign * b[t] <= sign * b[u]):
                rows[at] = t
                i += 1
            else:
                rows[at] = u
                k += 1
            at += 1
        while i < i_stop:
            rows[at] = left.rows[i]
            i += 1
            at += 1
        while k < k_stop:
            rows[at] = right.rows[k]
            k += 1
            at += 1
        offs[j + 1] = at
    return rows, offs
