"""The contexts to come: a hash table in which the finished subsets of a context meet.

A context can be validated once all its subsets of one column less have been, and is worth it only if each of them
leaves the missing column undetermined. So every finished context counts itself into each of its successors, and ANDs
in what is still open; a successor whose count is complete is ready. No level has to be finished for that.
"""

from __future__ import annotations

from collections import namedtuple

import numpy as np
from numba import njit

from lawful.kernels.masks import ZERO, drop, has, members, put

Pending = namedtuple("Pending", "slots sets counts cand_fd cand_oc used")
"""Successors of one size: ``slots`` int64[2^k] (entry + 1, or 0), per entry ``sets``, ``cand_fd`` uint64[w],
``cand_oc`` uint64[P] and ``counts`` int32, ``used`` int64[1] entries."""


SORTED = 52
"""Columns by which contexts are put in order, as many as a float64 tells apart."""


@njit(nogil=True, cache=True)
def _hash(mask):
    state = np.uint64(0x9E3779B97F4A7C15)
    for i in range(mask.shape[0]):
        state ^= mask[i]
        state *= np.uint64(0xBF58476D1CE4E5B9)
        state ^= state >> np.uint64(29)
    return state


@njit(nogil=True, cache=True)
def _same(left, right):
    differ = ZERO
    for i in range(left.shape[0]):
        differ |= left[i] ^ right[i]
    return differ == ZERO


@njit(nogil=True, cache=True)
def absorb(pending, sets, grow, free, viol, size, start, ready):
    """Count finished contexts from place ``start`` on into their successors of ``size`` columns.

    ``grow`` are the columns a successor may add, ``free`` those not determined, ``viol`` the direction bits violated,
    a row a context. Entries that are complete are written to ``ready``. Returns the next place (short of the end when
    the table or ``ready`` may be too small) and how many are ready. O(contexts * columns * words).
    """
    slots, keys, counts, cand_fd, cand_oc, used = pending
    width = keys.shape[1] << 6
    child = np.empty(keys.shape[1], np.uint64)
    columns = np.empty(width, np.int64)
    last = np.uint64(slots.shape[0] - 1)
    done = 0
    for q in range(start, sets.shape[0]):
        count = members(grow[q], columns)
        if used[0] + count > keys.shape[0] or done + count > ready.shape[0]:
            return q, done
        for i in range(count):
            column = columns[i]
            for j in range(child.shape[0]):
                child[j] = sets[q, j]
            put(child, column)
            slot = _hash(child) & last
            entry = slots[slot] - 1
            while entry >= 0 and not _same(keys[entry], child):
                slot = (slot + np.uint64(1)) & last
                entry = slots[slot] - 1
            if entry < 0:
                entry = used[0]
                used[0] += 1
                slots[slot] = entry + 1
                counts[entry] = 0
                for j in range(child.shape[0]):
                    keys[entry, j] = child[j]
                    cand_fd[entry, j] = free[q, j]
                for j in range(cand_oc.shape[1]):
                    cand_oc[entry, j] = viol[q, j]
            else:
                for j in range(cand_fd.shape[1]):
                    cand_fd[entry, j] &= free[q, j]
                for j in range(cand_oc.shape[1]):
                    cand_oc[entry, j] &= viol[q, j]
            drop(cand_fd[entry], column)
            counts[entry] += 1
            if counts[entry] == size:
                ready[done] = entry
                done += 1
    return sets.shape[0], done


@njit(nogil=True, cache=True)
def rehash(slots, sets, used):
    """Fill empty slots with the entries there are."""
    last = np.uint64(slots.shape[0] - 1)
    for entry in range(used):
        slot = _hash(sets[entry]) & last
        while slots[slot] != 0:
            slot = (slot + np.uint64(1)) & last
        slots[slot] = entry + 1


@njit(nogil=True, cache=True)
def open_entries(cand_fd, cand_oc, entries, out):
    """Write those entries that have a candidate left into ``out``; how many."""
    kept = 0
    for i in range(len(entries)):
        entry = entries[i]
        some = False
        for j in range(cand_fd.shape[1]):
            some |= cand_fd[entry, j] != ZERO
        if some:
            out[kept] = entry
            kept += 1
    return kept


@njit(nogil=True, cache=True)
def in_order(sets, width):
    """Sort keys that put contexts with a common prefix next to each other: float64, for ``SORTED`` columns."""
    keys = np.zeros(sets.shape[0], np.float64)
    most = SORTED if width > SORTED else width
    for q in range(sets.shape[0]):
        step = 1.0
        for column in range(most):
            step *= 0.5
            if not has(sets[q], column):
                keys[q] += step
    return keys
