"""Validation of the open candidates of many contexts by exact error, for approximate discovery.

As ``contexts.validate``, but a candidate is accepted when its error is at most a budget. Remembered pairs cannot
refute it, and a column that is nearly determined does not make a context superfluous: only an error of 0 does.
"""

from __future__ import annotations

from collections import namedtuple

import numpy as np
from numba import njit

from lawful.kernels.masks import ONE, ZERO, drop, has, members, pair_bit, put, two_bits
from lawful.kernels.pairs import fd_pairs, key_pairs, oc_pairs
from lawful.kernels.partition import refine, square_sum
from lawful.kernels.removal import fd_removal, key_removal, oc_removal

Near = namedtuple("Near", "free grow viol valid_fd valid_oc shared")
"""Per context: columns not determined within the budget, columns not determined without error, direction bits over
the budget, minimal rules, shared ordered pairs (-1 where nothing holds)."""


@njit(nogil=True, cache=True)
def validate_near(ranks, places, ordered, sets, cand_fd, cand_oc, by_pairs, most, least, found, counters):
    """Validate the candidates of K contexts; returns the errors, as counts, of the rules that hold.

    Arguments as for ``contexts.validate``; ``by_pairs`` counts violating ordered pairs, else rows to remove; ``most``
    is the budget in that unit. The errors come in the order of the bits of ``valid_fd``, then of ``valid_oc``.
    """
    width, rows = ranks.shape
    columns = np.empty(width + 1, np.int64)
    deepest = 0
    for q in range(sets.shape[0]):
        deepest = max(deepest, members(sets[q], columns))
    part_rows = np.empty((deepest + 1, rows), np.int32)
    part_offs = np.empty((deepest + 1, rows // 2 + 2), np.int32)
    classes = np.zeros(deepest + 1, np.int64)
    refined = np.full(deepest + 1, -1, np.int64)
    built = 0
    most_ranks = 1
    for i in range(rows):
        part_rows[0, i] = i
        for c in range(width):
            most_ranks = max(most_ranks, ranks[c, i] + 1)
    part_offs[0, 0] = 0
    part_offs[0, 1] = rows
    classes[0] = 1 if rows > 1 else 0
    if rows < 2:
        part_offs[0, 1] = 0
    tally = np.zeros(most_ranks + 1, np.int32)
    touched = np.empty(max(most_ranks, rows) + 1, np.int32)
    keys = np.empty(rows, np.int64)
    spare = np.empty(rows, np.int64)
    fd_errors = [np.int64(0)]
    oc_errors = [np.int64(0)]
    for q in range(sets.shape[0]):
        depth = members(sets[q], columns)
        common = 0
        while common < depth and common < built and refined[common] == columns[common]:
            common += 1
        for level in range(common, depth):
            column = columns[level]
            refined[level] = column
            counters[0] += part_offs[level, classes[level]]
            classes[level + 1] = refine(
                part_rows[level], part_offs[level], classes[level], ranks[places[column]], tally, touched,
                part_rows[level + 1], part_offs[level + 1],
            )  # fmt: skip
        built = depth
        counters[5] += 1
        part, offs, count = part_rows[depth], part_offs[depth], classes[depth]
        shared = square_sum(offs, count, rows)
        found.shared[q] = -1
        if shared < least:
            continue
        holds = False
        for column in range(width + 1):
            if column < width and not has(sets[q], column):
                put(found.grow[q], column)
            if column >> 6 >= cand_fd.shape[1] or not has(cand_fd[q], column):
                continue
            counters[1] += 1
            if column == width:
                error = key_pairs(offs, count) if by_pairs else key_removal(offs, count)
            elif by_pairs:
                error = fd_pairs(part, offs, count, ranks[places[column]], tally, touched, most)
            else:
                error = fd_removal(part, offs, count, ranks[places[column]], tally, touched, most)
            if error <= most:
                put(found.valid_fd[q], column)
                fd_errors.append(error)
                holds = True
                if error == 0 and column < width:
                    drop(found.grow[q], column)
            else:
                put(found.free[q], column)
        for left in range(width):
            if cand_oc.shape[1] == 0 or not ordered[left] or not has(found.free[q], left):
                continue
            for right in range(left + 1, width):
                if not ordered[right] or not has(found.free[q], right):
                    continue
                place = pair_bit(left, right, width)
                wanted = two_bits(cand_oc[q], place)
                for direction in range(2):
                    if (wanted >> np.uint64(direction)) & ONE == ZERO:
                        continue
                    counters[2] += 1
                    first, second = ranks[places[left]], ranks[places[right]]
                    if by_pairs:
                        error = oc_pairs(part, offs, count, first, second, direction == 1, keys, spare, most)
                    else:
                        error = oc_removal(part, offs, count, first, second, direction == 1, keys, spare, most)
                    bit = ONE << np.uint64((place & 63) + direction)
                    if error <= most:
                        found.valid_oc[q, place >> 6] |= bit
                        oc_errors.append(error)
                        holds = True
                    else:
                        found.viol[q, place >> 6] |= bit
        if holds:
            found.shared[q] = shared
    return np.array(fd_errors)[1:], np.array(oc_errors)[1:]
