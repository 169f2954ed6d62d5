"""Exact validation of the open candidates of many contexts (FASTOD's node checks, indexed by the context).

For a context Y the question is which columns Y determines and which pairs of columns, in which direction, are order
compatible within its groups. A candidate falls to a remembered pair of rows first; what is left is tried on the
partition of Y, and every failure there is remembered. Partitions are refined from the partition
of the context's prefix, so contexts should come in lexicographic order.
"""

from __future__ import annotations

from collections import namedtuple

import numpy as np
from numba import njit

from lawful.kernels.glance import glance, nothing
from lawful.kernels.masks import ONE, ZERO, drop, has, members, pair_bit, put, two_bits
from lawful.kernels.partition import refine, square_sum
from lawful.kernels.swaps import known_swaps, scan
from lawful.kernels.witnesses import everything, learn, population

Base = namedtuple("Base", "columns rows offs classes")
"""A stripped partition by the columns int64[p], in that order."""

Found = namedtuple("Found", "free viol valid_fd valid_oc shared")
"""What holds per context, a row each: columns not determined, direction bits violated, minimal rules that hold, and
the ordered pairs of rows (a row with itself included) that agree on the context (-1 where nothing holds)."""

_MANY = 12
"""Direction bits of a context for which it pays to look at pairs of rows before pairs of columns."""

# what is counted: rows refined, fd checks and oc checks on data, fd and oc candidates refuted by known pairs
REFINED, FD_CHECKS, OC_CHECKS, FD_KNOWN, OC_KNOWN, PARTITIONS = range(6)


@njit(nogil=True, cache=True)
def validate(
    ranks, places, ordered, sets, cand_fd, cand_oc, known, turned, exhaustive, follow, least, base, found, new_pairs,
    counters,
):  # fmt: skip
    """Validate the candidates of K contexts.

    ``ranks`` int32[m, n], column c being its row ``places[c]``; ``ordered`` bool[m]; ``sets`` uint64[K, w] the
    contexts; ``cand_fd`` uint64[K, w] columns to test as right-hand sides (place m, when set, is the row itself: a
    key); ``cand_oc`` uint64[K, P] direction bits, P may be 0; ``turned``: the first of the ``known`` pairs, turned;
    ``exhaustive``: the remembered pairs are all pairs, no partition is needed; ``follow``: a context of which the row
    alone is a candidate is a key, as subsets determine all its other columns; contexts that fewer than ``least``
    ordered pairs of rows share are given up; ``base`` is the
    partition by columns with which every context starts. ``found`` is filled; ``new_pairs`` int32[room, 2] receives
    witnesses, their number is returned. Cost: a few words of bitmaps a candidate; for those that remain, the rows of
    the partitions on the way to the context.
    """

    width, rows = ranks.shape
    agree, less, count = known
    words = agree.shape[1]
    deepest = 0
    columns = np.empty(width + 1, np.int64)
    for q in range(sets.shape[0]):
        deepest = max(deepest, members(sets[q], columns))
    applying = np.zeros((deepest + 1, words), np.uint64)
    applied = np.full(deepest + 1, -1, np.int64)
    everything(count[0], applying[0])
    depth_known = 0
    live = np.empty(words, np.int64)
    part_rows = np.empty((deepest + 1, rows if not exhaustive else 1), np.int32)
    part_offs = np.empty((deepest + 1, rows // 2 + 2 if not exhaustive else 1), np.int32)
    classes = np.zeros(deepest + 1, np.int64)
    refined = np.full(deepest + 1, -1, np.int64)
    depth_built = 0
    most = 1
    if not exhaustive:
        depth_built = base.columns.shape[0]
        for i in range(depth_built):
            refined[i] = base.columns[i]
        classes[depth_built] = base.classes
        for i in range(base.offs[base.classes]):
            part_rows[depth_built, i] = base.rows[i]
        for i in range(base.classes + 1):
            part_offs[depth_built, i] = base.offs[i]
        for c in range(width):
            for i in range(rows):
                most = max(most, ranks[c, i] + 1)  # any order of columns does
    tally = np.zeros(most + 1, np.int32)
    touched = np.empty(most + 1, np.int32)
    by_left = np.empty(rows, np.int32)
    starts = np.empty(most + 2, np.int64)
    open_columns = np.empty(width + 1, np.int64)
    free_columns = np.empty(width, np.int64)
    fresh = 0
    seen = nothing(width)
    same, opposite = seen.same, seen.opposite

    for q in range(sets.shape[0]):
        depth = members(sets[q], columns)
        # the pairs that agree on the context, by way of its prefix
        common = 0
        while common < depth and common < depth_known and applied[common] == columns[common]:
            common += 1
        used = (count[0] + 63) >> 6
        for level in range(common, depth):
            column = columns[level]
            applied[level] = column
            for i in range(used):
                applying[level + 1, i] = applying[level, i] & agree[column, i]
        depth_known = depth
        lives = 0
        for i in range(used):
            if applying[depth, i] != ZERO:
                live[lives] = i
                lives += 1

        if least > 0:
            if exhaustive:
                found.shared[q] = rows + 2 * population(applying[depth], used)
            else:
                depth_built = _build(
                    ranks, places, columns, depth, refined, depth_built, part_rows, part_offs, classes, tally, touched,
                    counters,
                )  # fmt: skip
                found.shared[q] = square_sum(part_offs[depth], classes[depth], rows)
            if found.shared[q] < least:
                found.shared[q] = -1
                continue

        bits = population(cand_oc[q], cand_oc.shape[1])
        glance(turned, applying[depth], live, lives, bits >= _MANY, seen)
        # determined columns
        opened = 0
        others = False
        for column in range(width + 1):
            if column >> 6 >= cand_fd.shape[1] or not has(cand_fd[q], column):
                continue
            put(found.free[q], column)
            if (column < width and lives > 0 and has(seen.differ, column)) or _refuted(
                agree, applying[depth], live, lives, column, width
            ):
                counters[FD_KNOWN] += 1
                others = True
            else:
                open_columns[opened] = column
                opened += 1
        built = False
        lone = follow and depth > 0 and opened == 1 and open_columns[0] == width and not others
        needs = opened > 0 and not exhaustive and not lone
        if needs:
            depth_built = _build(
                ranks, places, columns, depth, refined, depth_built, part_rows, part_offs, classes, tally, touched,
                counters,
            )  # fmt: skip
            built = True
        for i in range(opened):
            column = open_columns[i]
            left = right = np.int32(-1)
            if built:
                counters[FD_CHECKS] += 1
                left, right = _unequal(ranks, places, column, part_rows[depth], part_offs[depth], classes[depth])
            if left < 0:
                put(found.valid_fd[q], column)
                drop(found.free[q], column)
            else:
                fresh, lives = learn(ranks, places, known, left, right, applying, depth, live, lives, new_pairs, fresh)

        holds = False
        for i in range(cand_fd.shape[1]):
            holds |= found.valid_fd[q, i] != ZERO
        # order compatible pairs of columns that the context does not determine
        frees = 0
        cand, viol, here = cand_oc[q], found.viol[q], applying[depth]
        if cand_oc.shape[1] > 0:
            for column in range(width):
                if ordered[column] and has(found.free[q], column):
                    free_columns[frees] = column
                    frees += 1
        for i in range(frees - 1):
            left_column = free_columns[i]
            base = pair_bit(left_column, left_column + 1, width) - 2 * (left_column + 1)
            opened = 0
            for j in range(i + 1, frees):
                right_column = free_columns[j]
                place = base + 2 * right_column
                wanted = two_bits(cand, place)
                if wanted == ZERO:
                    continue
                word, bit = right_column >> 6, np.uint64(right_column & 63)
                broken = same[word, left_column] >> bit & ONE | (opposite[word, left_column] >> bit & ONE) << ONE
                broken &= wanted
                if broken != wanted:
                    broken |= known_swaps(agree, less, here, live, lives, left_column, right_column, wanted & ~broken)
                viol[place >> 6] |= broken << np.uint64(place & 63)
                counters[OC_KNOWN] += (broken & ONE) + (broken >> ONE)
                if broken != wanted:
                    open_columns[opened] = right_column
                    opened += 1
            if opened > 0 and not exhaustive:
                if not built:
                    depth_built = _build(
                        ranks, places, columns, depth, refined, depth_built, part_rows, part_offs, classes, tally,
                        touched, counters,
                    )  # fmt: skip
                    built = True
                fresh, lives, opened = scan(
                    ranks, places, left_column, open_columns, opened, cand_oc[q], found.viol[q], part_rows[depth],
                    part_offs[depth], classes[depth], tally, touched, by_left, starts, known, applying, depth, live,
                    lives, new_pairs, fresh, counters,
                )  # fmt: skip
            for j in range(opened):
                place = base + 2 * open_columns[j]
                good = two_bits(cand_oc[q], place) & ~two_bits(found.viol[q], place)
                found.valid_oc[q, place >> 6] |= good << np.uint64(place & 63)
                holds = True
        found.shared[q] = -1
        if holds:
            if exhaustive:
                found.shared[q] = rows + 2 * population(applying[depth], used)
            elif built:
                found.shared[q] = square_sum(part_offs[depth], classes[depth], rows)
            else:
                found.shared[q] = rows
    return fresh


@njit(nogil=True, cache=True)
def _refuted(agree, applying, live, lives, column, width):
    """Whether a pair of the context differs on the column; every pair differs in the row itself."""
    if column == width:
        return lives > 0
    for i in range(lives):
        word = live[i]
        if applying[word] & ~agree[column, word] != ZERO:
            return True
    return False


@njit(nogil=True, cache=True)
def _build(ranks, places, columns, depth, refined, built, rows, offs, classes, tally, touched, counters):
    """Make the partition of the context at ``depth``, from the longest prefix that is there."""
    common = 0
    while common < depth and common < built and refined[common] == columns[common]:
        common += 1
    for level in range(common, depth):
        column = columns[level]
        refined[level] = column
        counters[REFINED] += offs[level, classes[level]]
        classes[level + 1] = refine(
            rows[level],
            offs[level],
            classes[level],
            ranks[places[column]],
            tally,
            touched,
            rows[level + 1],
            offs[level + 1],
        )
    counters[PARTITIONS] += 1
    return depth


@njit(nogil=True, cache=True)
def _unequal(ranks, places, column, rows, offs, classes):
    """Two rows of one class that differ on a column (the row itself for the last one), or -1, -1."""
    if column == ranks.shape[0]:
        return (rows[0], rows[1]) if classes > 0 else (np.int32(-1), np.int32(-1))
    rank = ranks[places[column]]
    for c in range(classes):
        first = rank[rows[offs[c]]]
        for i in range(offs[c] + 1, offs[c + 1]):
            if rank[rows[i]] != first:
                return rows[offs[c]], rows[i]
    return np.int32(-1), np.int32(-1)
