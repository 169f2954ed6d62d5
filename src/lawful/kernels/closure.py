"""What a conjunction entails once the order is taken into account, and which of many conjunctions entail another.

A conjunction is the set of *literals* it excludes, ``uint64[w]``: bit l says that literal l, one outcome of one
comparison of two cells, does not occur. Its *closure* holds every literal that cannot occur then. So C entails D
exactly when what D excludes is part of the closure of C.

An excluded "less" says that the right cell is at most the left one, an excluded "greater" the opposite, an excluded
"equal" that they differ. Let ``up[a]`` be the cells reached from a through "at most", and ``down[b]`` those from which
b is reached. Then a is at most b in every world exactly when b is in ``up[a]``, and a differs from b in every world
exactly when two cells that were said to differ lie in what becomes one point if a and b are equal: everything between
a and b (P. van Beek, Reasoning about qualitative temporal information, 1992; the order is total, so this is complete).
"""

from __future__ import annotations

from collections import namedtuple

import numpy as np
from numba import njit

from lawful.kernels.masks import ONE, ZERO, has

Compared = namedtuple("Compared", "left right ordered first group starts listed")
"""The comparisons of a space: the cells ``left``, ``right`` int32[groups], ``ordered`` bool[groups], ``first`` literal
int32[groups]; ``group`` int32[literals]; those with left cell a are ``listed[starts[a]:starts[a + 1]]``, int32.

Cells 2c and 2c + 1 are column c in the one row and in the other, so ``cell ^ 1`` is a cell seen from the other row."""

Scratch = namedtuple("Scratch", "local up down inside differ")
"""Work space: ``local`` int32[cells], the place of a cell among those a conjunction mentions, or -1; ``up``, ``down``
uint64[cells, words] and ``inside`` uint64[words] over such places; ``differ`` int32[groups, 2], places that differ."""


@njit(nogil=True, cache=True)
def closures(excluded, compared, scratch, closed, possible):
    """Both closures of each conjunction, its own and that of its mirror image, into ``closed`` uint64[k, 2, w].

    The two stand in ascending order of their words, so that conjunctions mean the same, seen from either row, when
    their entries are equal. ``possible`` bool[k] is False, and the entry void, where no world makes the conjunction
    true. About O(cells^2) words a conjunction, for the cells that it mentions.
    """
    mentioned = np.empty(scratch.local.shape[0], np.int32)
    for i in range(excluded.shape[0]):
        count, apart = _relate(excluded[i], compared, scratch, mentioned)
        _reach(scratch.up, scratch.down, count)
        possible[i] = _consistent(scratch.up, scratch.differ, apart)
        if possible[i]:
            _entailed(compared, scratch, mentioned, count, apart, closed[i])
            _ascending(closed[i])
        for place in range(count):
            scratch.local[mentioned[place]] = -1


@njit(nogil=True, cache=True)
def _place(cell, local, mentioned, count):
    """The count of mentioned cells, this one among them."""
    if local[cell] < 0:
        local[cell] = count
        mentioned[count] = cell
        return count + 1
    return count


@njit(nogil=True, cache=True)
def _relate(mask, compared, scratch, mentioned):
    """Number the cells that a conjunction mentions, write down what it says; how many cells, how many pairs differ."""
    left, right, ordered, first, group, _, _ = compared
    local, up, _, _, differ = scratch
    count, apart = 0, 0
    for literal in range(group.shape[0]):
        if has(mask, literal):
            count = _place(left[group[literal]], local, mentioned, count)
            count = _place(right[group[literal]], local, mentioned, count)
    for place in range(count):
        up[place, : (count + 63) >> 6] = ZERO
        _put_in(up, place, place)
    for literal in range(group.shape[0]):
        if has(mask, literal):
            said = group[literal]
            a, b, outcome = local[left[said]], local[right[said]], literal - first[said]
            if outcome == 1:
                differ[apart, 0], differ[apart, 1] = a, b
                apart += 1
            else:
                if outcome == 2 or not ordered[said]:
                    _put_in(up, a, b)
                if outcome == 0:
                    _put_in(up, b, a)
    return count, apart


@njit(nogil=True, cache=True)
def _has_in(masks, row, bit):
    """Whether a row of masks holds a bit; a view of the row would cost more than the question."""
    return (masks[row, bit >> 6] >> np.uint64(bit & 63)) & ONE != ZERO


@njit(nogil=True, cache=True)
def _put_in(masks, row, bit):
    """Add a bit to a row of masks."""
    masks[row, bit >> 6] |= ONE << np.uint64(bit & 63)


@njit(nogil=True, cache=True)
def _reach(up, down, count):
    """Close "at most" under transitivity and turn it round into ``down``."""
    words = (count + 63) >> 6
    for middle in range(count):
        for low in range(count):
            if _has_in(up, low, middle):
                for word in range(words):
                    up[low, word] |= up[middle, word]
    for high in range(count):
        down[high, :words] = ZERO
        for low in range(count):
            if _has_in(up, low, high):
                _put_in(down, high, low)


@njit(nogil=True, cache=True)
def _consistent(up, differ, apart):
    """Whether no two cells that differ are at most each other."""
    for i in range(apart):
        a, b = differ[i, 0], differ[i, 1]
        if _has_in(up, a, b) and _has_in(up, b, a):
            return False
    return True


@njit(nogil=True, cache=True)
def _entailed(compared, scratch, mentioned, count, apart, closed):
    """Write what cannot occur into ``closed[0]``, and what cannot as seen from the other row into ``closed[1]``."""
    _, right, ordered, first, _, starts, listed = compared
    local, up, down, inside, differ = scratch
    words = (count + 63) >> 6
    closed[:] = ZERO
    for a in range(count):
        for side in range(2):
            cell = mentioned[a] ^ side
            for i in range(starts[cell], starts[cell + 1]):
                b, literal = local[right[listed[i]] ^ side], first[listed[i]]
                if b >= 0:
                    at_most, at_least = _has_in(up, a, b), _has_in(up, b, a)
                    if ordered[listed[i]]:
                        if at_least:
                            _put_in(closed, side, literal)
                        if at_most:
                            _put_in(closed, side, literal + 2)
                    elif at_most and at_least:
                        _put_in(closed, side, literal)
                    if _always_differ(up, down, inside, differ, a, b, words, apart):
                        _put_in(closed, side, literal + 1)


@njit(nogil=True, cache=True)
def _always_differ(up, down, inside, differ, a, b, words, apart):
    """Whether a and b differ in every world: cells that differ would else be one point with both."""
    for word in range(words):
        inside[word] = (up[a, word] | up[b, word]) & (down[a, word] | down[b, word])
    for i in range(apart):  # noqa: SIM110, compiled
        if has(inside, differ[i, 0]) and has(inside, differ[i, 1]):
            return True
    return False


@njit(nogil=True, cache=True)
def _ascending(pair):
    """Exchange two masks, ``uint64[2, w]``, when the second one is the smaller."""
    for word in range(pair.shape[1]):
        if pair[0, word] != pair[1, word]:
            if pair[1, word] < pair[0, word]:
                for each in range(pair.shape[1]):
                    held = pair[0, each]
                    pair[0, each] = pair[1, each]
                    pair[1, each] = held
            return


@njit(nogil=True, cache=True)
def earliest(excluded, closed, order, group, first, codes, kept):
    """Mark in ``kept`` bool[k] the earliest of every run of equal closures; ``order`` int64[n] brings them together.

    Earliest is: fewest predicates, then canonical form, then the place in ``order``. ``codes`` int64[groups, 8, 2] is
    the code of a predicate by group and excluded outcomes, and that of its mirror image; see ``_spell``.
    """
    best, other = np.empty(codes.shape[0], np.int64), np.empty(codes.shape[0], np.int64)
    image = np.empty(codes.shape[0], np.int64)
    start = 0
    while start < order.shape[0]:
        end, chosen, length = start + 1, order[start], -1
        while end < order.shape[0] and np.array_equal(closed[order[end]], closed[chosen]):
            if length < 0:
                length = _spell(excluded[chosen], group, first, codes, best, image)
            count = _spell(excluded[order[end]], group, first, codes, other, image)
            if count < length or (count == length and _before(other, best, count)):
                best, other, length, chosen = other, best, count, order[end]
            end += 1
        kept[chosen] = True
        start = end


@njit(nogil=True, cache=True)
def _spell(mask, group, first, codes, out, image):
    """Write the codes of a conjunction's canonical form, ascending, into ``out``; how many.

    A code below zero is that of a predicate on the second row alone, which the canonical form avoids.
    """
    count, literal = 0, 0
    while literal < group.shape[0]:
        place = group[literal]
        pattern = 0
        while literal < group.shape[0] and group[literal] == place:
            if has(mask, literal):
                pattern |= 1 << (literal - first[place])
            literal += 1
        if pattern:
            out[count] = codes[place, pattern, 0]
            image[count] = codes[place, pattern, 1]
            count += 1
    out[:count].sort()
    image[:count].sort()
    if count and image[0] >= 0 and _before(image, out, count):
        out[:count] = image[:count]
    return count


@njit(nogil=True, cache=True)
def _before(one, other, count):
    """Whether a list of codes comes first: by all that is above the lowest bits, then by these."""
    for i in range(count):
        if one[i] >> 1 != other[i] >> 1:
            return one[i] < other[i]
    for i in range(count):
        if one[i] != other[i]:
            return one[i] < other[i]
    return False
