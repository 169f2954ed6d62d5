"""How many rows each row compares with, in one, two or three orders, within clusters: exact counts, no pairs listed.

A row t and a row u of one cluster count where every order holds. Along an order both sides are numbered by
`lawful.kernels.dominance.places_along`: t has a place from 1, u a reach, and the order holds where place <= reach
(a place of 0 is a t that no u reaches). ``t_count`` and ``u_count``, int64[n], get ``weight`` times the partners of
every row as t and as u; so counts of several conditions add up and cancel in place.
"""

from __future__ import annotations

import numpy as np
from numba import njit

_BLOCK = 64


@njit(nogil=True, cache=True)
def count_clusters(sides, weight, t_count, u_count):
    """Without an order: all rows of the other side. O(n)."""
    t_rows, t_offs, u_rows, u_offs = sides
    for c in range(len(t_offs) - 1):
        ts, us = np.int64(t_offs[c + 1] - t_offs[c]), np.int64(u_offs[c + 1] - u_offs[c])
        for i in range(t_offs[c], t_offs[c + 1]):
            t_count[t_rows[i]] += weight * us
        for j in range(u_offs[c], u_offs[c + 1]):
            u_count[u_rows[j]] += weight * ts


@njit(nogil=True, cache=True)
def count_line(sides, place, reach, weight, t_count, u_count):
    """With one order. O(n)."""
    t_rows, t_offs, u_rows, u_offs = sides
    largest = 0
    for c in range(len(t_offs) - 1):
        largest = max(largest, t_offs[c + 1] - t_offs[c])
    tally = np.zeros(largest + 2, np.int64)
    for c in range(len(t_offs) - 1):
        ts = t_offs[c + 1] - t_offs[c]
        tally[: ts + 2] = 0
        for j in range(u_offs[c], u_offs[c + 1]):
            u = u_rows[j]
            u_count[u] += weight * reach[u]
            tally[reach[u]] += 1
        for k in range(ts - 1, -1, -1):
            tally[k] += tally[k + 1]
        for i in range(t_offs[c], t_offs[c + 1]):
            t = t_rows[i]
            if place[t] > 0:
                t_count[t] += weight * tally[place[t]]


@njit(nogil=True, cache=True)
def _add(tree, at, size):
    while at <= size:
        tree[at] += 1
        at += at & -at


@njit(nogil=True, cache=True)
def _sum(tree, at):
    total = np.int64(0)
    while at > 0:
        total += tree[at]
        at -= at & -at
    return total


@njit(nogil=True, cache=True)
def count_plane(sides, place, reach, place2, reach2, weight, rough, t_count, u_count):
    """With two orders; the rows of ``sides`` ascend by place and by reach along the first. O(n log n).

    Rows as u first; where none has a partner, those as t are not looked at. ``rough``: rows as t that have a partner
    get ``weight`` however many they have, which takes no tree.
    """
    t_rows, t_offs, u_rows, u_offs = sides
    largest = 0
    for c in range(len(t_offs) - 1):
        largest = max(largest, t_offs[c + 1] - t_offs[c])
    tree = np.zeros(largest + 1, np.int32)
    for c in range(len(t_offs) - 1):
        ts, i, found = t_offs[c + 1] - t_offs[c], t_offs[c], np.int64(0)
        tree[: ts + 1] = 0
        for j in range(u_offs[c], u_offs[c + 1]):
            u = u_rows[j]
            while i < t_offs[c + 1] and place[t_rows[i]] <= reach[u]:
                if place[t_rows[i]] > 0 and place2[t_rows[i]] > 0:
                    _add(tree, place2[t_rows[i]], ts)
                i += 1
            partners = _sum(tree, reach2[u])
            u_count[u] += weight * partners
            found += partners
        if found == 0:
            continue
        tree[: ts + 1] = 0
        j, met, furthest = u_offs[c + 1] - 1, np.int64(0), np.int32(0)
        for i in range(t_offs[c + 1] - 1, t_offs[c] - 1, -1):
            t = t_rows[i]
            if place[t] == 0:
                continue
            while j >= u_offs[c] and reach[u_rows[j]] >= place[t]:
                if rough:
                    furthest = max(furthest, reach2[u_rows[j]])
                elif reach2[u_rows[j]] > 0:
                    _add(tree, reach2[u_rows[j]], ts)
                    met += 1
                j -= 1
            if place2[t] > 0 and rough:
                t_count[t] += weight * (furthest >= place2[t])
            elif place2[t] > 0:
                t_count[t] += weight * (met - _sum(tree, place2[t] - 1))


@njit(nogil=True, cache=True)
def count_space(sides, places, reaches, weight, t_count, u_count):
    """With three orders; ``places`` and ``reaches`` int32[3, n], rows ascend along the first. O(n log² n).

    Divide and conquer along the first order: rows t of an earlier half meet rows u of a later one, both in the second
    order, the third in a tree. Blocks of 64 are compared pair by pair.
    """
    t_rows, t_offs, u_rows, u_offs = sides
    most = largest = 0
    for c in range(len(t_offs) - 1):
        most = max(most, t_offs[c + 1] - t_offs[c] + u_offs[c + 1] - u_offs[c])
        largest = max(largest, t_offs[c + 1] - t_offs[c])
    tree = np.zeros(largest + 1, np.int32)
    line, spare = np.empty(most, np.int32), np.empty(most, np.int32)  # t as its row, u as -1 - its row
    for c in range(len(t_offs) - 1):
        ts, size, i = t_offs[c + 1] - t_offs[c], 0, t_offs[c]
        for j in range(u_offs[c], u_offs[c + 1]):
            u = u_rows[j]
            while i < t_offs[c + 1] and places[0, t_rows[i]] <= reaches[0, u]:
                t = t_rows[i]
                if places[0, t] > 0 and places[1, t] > 0 and places[2, t] > 0:
                    line[size] = t
                    size += 1
                i += 1
            line[size] = -1 - u
            size += 1
        for start in range(0, size, _BLOCK):
            _compare_block(line, start, min(start + _BLOCK, size), places, reaches, weight, t_count, u_count)
        width = _BLOCK
        while width < size:
            for start in range(0, size - width, 2 * width):
                middle, stop = start + width, min(start + 2 * width, size)
                _across(line, start, middle, stop, places, reaches, tree, ts, weight, t_count, u_count)
                _merge(line, spare, start, middle, stop, places, reaches)
            width *= 2


@njit(nogil=True, cache=True)
def _second(item, places, reaches):
    """Where an item stands in the second order, a t before a u that reaches just as far."""
    if item >= 0:
        return 2 * np.int64(places[1, item])
    return 2 * np.int64(reaches[1, -1 - item]) + 1


@njit(nogil=True, cache=True)
def _compare_block(line, start, stop, places, reaches, weight, t_count, u_count):
    """All pairs of a block, then the block by the second order."""
    for j in range(start, stop):
        if line[j] < 0:
            u = -1 - line[j]
            for i in range(start, j):
                t = line[i]
                if t >= 0 and places[1, t] <= reaches[1, u] and places[2, t] <= reaches[2, u]:
                    t_count[t] += weight
                    u_count[u] += weight
    for i in range(start + 1, stop):
        item, j = line[i], i
        value = _second(item, places, reaches)
        while j > start and _second(line[j - 1], places, reaches) > value:
            line[j] = line[j - 1]
            j -= 1
        line[j] = item


@njit(nogil=True, cache=True)
def _across(line, start, middle, stop, places, reaches, tree, size, weight, t_count, u_count):
    """Rows t of the first half against rows u of the second, both sorted by the second order."""
    i, found = start, np.int64(0)
    for j in range(middle, stop):
        if line[j] >= 0:
            continue
        u = -1 - line[j]
        while i < middle and (line[i] < 0 or places[1, line[i]] <= reaches[1, u]):
            if line[i] >= 0:
                _add(tree, places[2, line[i]], size)
            i += 1
        partners = _sum(tree, reaches[2, u])
        u_count[u] += weight * partners
        found += partners
    for k in range(start, i):
        if line[k] >= 0:
            _take(tree, places[2, line[k]], size)
    if found == 0:
        return
    j, met = stop - 1, np.int64(0)
    for i in range(middle - 1, start - 1, -1):
        if line[i] < 0:
            continue
        t = line[i]
        while j >= middle and (line[j] >= 0 or reaches[1, -1 - line[j]] >= places[1, t]):
            if line[j] < 0 and reaches[2, -1 - line[j]] > 0:
                _add(tree, reaches[2, -1 - line[j]], size)
                met += 1
            j -= 1
        t_count[t] += weight * (met - _sum(tree, places[2, t] - 1))
    for k in range(j + 1, stop):
        if line[k] < 0 and reaches[2, -1 - line[k]] > 0:
            _take(tree, reaches[2, -1 - line[k]], size)


@njit(nogil=True, cache=True)
def _take(tree, at, size):
    while at <= size:
        tree[at] -= 1
        at += at & -at


@njit(nogil=True, cache=True)
def _merge(line, spare, start, middle, stop, places, reaches):
    """Both halves as one, by the second order."""
    for k in range(start, middle):
        spare[k] = line[k]
    i, j = start, middle
    for k in range(start, stop):
        if i == middle:
            break
        if j < stop and _second(line[j], places, reaches) < _second(spare[i], places, reaches):
            line[k] = line[j]
            j += 1
        else:
            line[k] = spare[i]
            i += 1


@njit(nogil=True, cache=True)
def count_compared(ranks, about, bits, sides, t_count, u_count):
    """With any comparisons, pair by pair: ``about`` is a `Conjunction` whose predicate p holds for the outcomes
    ``bits[p]`` (1 less, 2 equal, 4 greater). A row is no partner of itself. O(pairs * predicates)."""
    t_rows, t_offs, u_rows, u_offs = sides
    for c in range(len(t_offs) - 1):
        for j in range(u_offs[c], u_offs[c + 1]):
            u = u_rows[j]
            found = np.int64(0)
            for i in range(t_offs[c], t_offs[c + 1]):
                if t_rows[i] != u and pair_holds(ranks, about, bits, t_rows[i], u):
                    t_count[t_rows[i]] += 1
                    found += 1
            u_count[u] += found


@njit(nogil=True, cache=True)
def pair_holds(ranks, about, bits, t, u):
    """Whether an ordered pair satisfies every comparison; those with a null that is unknown satisfy nothing."""
    left, right, left_null, right_null = about
    for p in range(len(left)):
        a, b = ranks[left[p], t], ranks[right[p], u]
        if (a == 0 and left_null[p]) or (b == 0 and right_null[p]):
            return False
        if bits[p] & (1 if a < b else 2 if a == b else 4) == 0:
            return False
    return True


@njit(nogil=True, cache=True)
def find_partners(ranks, about, bits, us, ts, most, pairs):
    """For each of ``us`` its first ``most`` partners among ``ts``, as (t, u) in ``pairs`` int32[us * most, 2].

    Returns how many. O(us * ts * predicates) at worst, less where partners are frequent.
    """
    found = 0
    for j in range(len(us)):
        left = most
        for i in range(len(ts)):
            if ts[i] != us[j] and pair_holds(ranks, about, bits, ts[i], us[j]):
                pairs[found, 0], pairs[found, 1] = ts[i], us[j]
                found += 1
                left -= 1
                if left == 0:
                    break
    return found
