"""With how many other rows each row breaks a rule, counted without listing pairs.

What speaks of one row alone filters rows. Equalities make clusters. ``!=`` is counted as all less the equal ones.
Within clusters no, one, two or three orders are counted by grouping, sorting, a tree, and divide and conquer:
O(n), O(n log n), O(n log n), O(n log² n). Beyond that what three orders leave is compared pair by pair, which is exact
too, and quadratic in the largest cluster.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lawful.kernels.conjunction import Sides
from lawful.kernels.degrees import count_clusters, count_compared, count_line, count_plane, count_space
from lawful.kernels.dominance import Axis, places_along
from lawful.search.clusters import Clusters, Rows
from lawful.violations.denial import Comparison, Denial

Counts: TypeAlias = NDArray[np.int64]
Flags: TypeAlias = NDArray[np.bool_]

_EQUAL, _DIFFER = 2, 5
_MOST_ORDERS = 3
_MOST_DIFFERENT = 5
_AXES = {1: (1, 1), 3: (1, 0), 4: (-1, 1), 6: (-1, 0)}
"""Sign and strictness of an order comparison: ``sign * a <= sign * b - strict``."""


class Degrees(NamedTuple):
    """For each row with how many others it breaks a rule, as t and as u; int64[n]."""

    as_t: Counts
    as_u: Counts

    @property
    def pairs(self) -> int:
        """Ordered pairs that break the rule."""
        return int(self.as_u.sum())

    @property
    def rows(self) -> Flags:
        """The rows that take part in a pair that breaks the rule."""
        return (self.as_t > 0) | (self.as_u > 0)


def degrees(
    ranks: NDArray[np.int32], denial: Denial, token: str, rough: bool = False, sides: tuple[Flags, Flags] | None = None
) -> Degrees:
    """The degrees by one conjunction. ``token`` names the table, so that a process keeps its partitions.

    ``rough``, for the conjunction of an oc, gives 1 as t for any number of partners, which takes half the time.
    ``sides`` are the only rows that may be t, and u.
    """
    rows = Rows(ranks)
    found = Degrees(np.zeros(rows.count, np.int64), np.zeros(rows.count, np.int64))
    if rows.count < 2 or any(c.bits == 0 for c in (*denial.pairs, *denial.t_own, *denial.u_own)):
        return found
    ok = admitted(ranks, denial)
    if sides is not None:
        ok = ok[0] & sides[0], ok[1] & sides[1]
    if not (ok[0].any() and ok[1].any()):
        return found
    equal = [c for c in denial.pairs if c.bits == _EQUAL]
    differ = [c for c in denial.pairs if c.bits == _DIFFER]
    orders = [c for c in denial.pairs if c.bits in _AXES]
    if len(orders) > _MOST_ORDERS or len(differ) > _MOST_DIFFERENT:
        _compare(rows, denial, equal, orders, ok, token, found)
        return found
    for size in range(len(differ) + 1):
        for chosen in combinations(differ, size):
            agree = [*equal, *(replace(c, bits=_EQUAL) for c in chosen)]
            _count(rows, agree, orders, ok, token, (-1) ** size, found, rough)
    return found


def admitted(ranks: NDArray[np.int32], denial: Denial) -> tuple[Flags, Flags]:
    """The rows that may be t, and those that may be u, by what speaks of one row alone."""
    ok = np.ones(ranks.shape[1], np.bool_), np.ones(ranks.shape[1], np.bool_)
    for side, own in zip(ok, (denial.t_own, denial.u_own), strict=True):
        for c in own:
            side &= satisfied(ranks, c)
    for c in denial.pairs:
        for side, place, null in zip(ok, (c.left, c.right), (c.left_null, c.right_null), strict=True):
            if null:
                side &= ranks[place] != 0
    return ok


def satisfied(ranks: NDArray[np.int32], c: Comparison) -> Flags:
    """For every row whether the comparison holds when both of its cells are of that row."""
    a, b = ranks[c.left], ranks[c.right]
    held = np.zeros(len(a), np.bool_)
    for bit, outcome in ((1, np.less), (2, np.equal), (4, np.greater)):
        if c.bits & bit:
            held |= outcome(a, b)
    held &= ~((a == 0) & c.left_null) & ~((b == 0) & c.right_null)
    return held


def _keys(equal: list[Comparison]) -> tuple[tuple[int, int], ...]:
    return tuple(sorted({(c.left, c.right) for c in equal}))


def _count(
    rows: Rows,
    equal: list[Comparison],
    orders: list[Comparison],
    ok: tuple[Flags, Flags],
    token: str,
    weight: int,
    found: Degrees,
    rough: bool = False,
) -> None:
    """Adds ``weight`` times what equalities and at most three orders count."""
    clusters = Clusters(rows, _keys(equal), token)
    everyone = bool(ok[0].all() and ok[1].all())
    whole = _filtered(clusters.sides, ok, everyone)
    if not orders:
        count_clusters(whole, weight, *found)
    else:
        sides = [_filtered(clusters.sorted_by(c.left, c.right), ok, everyone) for c in orders]
        along = [_along(rows, side, c) for side, c in zip(sides, orders, strict=True)]
        _by_orders(_forward(sides[0], orders[0]), along, weight, found, rough)
    itself = ok[0] & ok[1]
    for c in (*equal, *orders):
        if c.left != c.right or not c.bits & _EQUAL:
            itself &= satisfied(rows.ranks, c)
    if clusters.alike and equal:
        itself &= _members(whole, rows.count)
    if itself.any():
        found.as_t[itself] -= weight
        found.as_u[itself] -= weight


def _members(sides: Sides, count: int) -> Flags:
    held = np.zeros(count, np.bool_)
    held[sides.t_rows] = True
    return held


def _filtered(sides: Sides, ok: tuple[Flags, Flags], everyone: bool) -> Sides:
    """The sides without the rows that may not take part."""
    if everyone:
        return sides
    made: list[NDArray[np.int32]] = []
    for rows, offs, side in ((sides.t_rows, sides.t_offs, ok[0]), (sides.u_rows, sides.u_offs, ok[1])):
        kept = side[rows]
        ends = np.concatenate([np.zeros(1, np.int32), np.cumsum(kept, dtype=np.int32)])
        made += [rows[kept], ends[offs]]
    return Sides(*made)


def _along(rows: Rows, sides: Sides, c: Comparison) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Places and reaches of an order."""
    axis = Axis(rows.ranks[c.left], rows.ranks[c.right], *_AXES[c.bits])
    place, reach = places_along(*sides, axis, rows.count)
    return place, reach


def _forward(sides: Sides, c: Comparison) -> Sides:
    """The sides in the direction in which places ascend."""
    if _AXES[c.bits][0] > 0:
        return sides
    t_rows, t_offs, u_rows, u_offs = sides
    return Sides(
        np.ascontiguousarray(t_rows[::-1]), (t_offs[-1] - t_offs[::-1]).astype(np.int32),
        np.ascontiguousarray(u_rows[::-1]), (u_offs[-1] - u_offs[::-1]).astype(np.int32),
    )  # fmt: skip


def _by_orders(
    sides: Sides,
    along: list[tuple[NDArray[np.int32], NDArray[np.int32]]],
    weight: int,
    found: Degrees,
    rough: bool,
) -> None:
    if len(along) == 1:
        count_line(sides, *along[0], weight, *found)
    elif len(along) == 2:
        count_plane(sides, *along[0], *along[1], weight, rough, *found)
    else:
        places, reaches = (np.stack(held) for held in zip(*along, strict=True))
        count_space(sides, places, reaches, weight, *found)


def _compare(
    rows: Rows,
    denial: Denial,
    equal: list[Comparison],
    orders: list[Comparison],
    ok: tuple[Flags, Flags],
    token: str,
    found: Degrees,
) -> None:
    """Pair by pair, of the rows that three of the orders leave at a time."""
    for start in range(0, len(orders), _MOST_ORDERS):
        part = Degrees(np.zeros(rows.count, np.int64), np.zeros(rows.count, np.int64))
        _count(rows, equal, orders[start : start + _MOST_ORDERS], ok, token, 1, part)
        ok = ok[0] & (part.as_t > 0), ok[1] & (part.as_u > 0)
    sides = _filtered(Clusters(rows, _keys(equal), token).sides, ok, False)
    count_compared(rows.ranks, *flat(denial.pairs), sides, *found)


def flat(pairs: tuple[Comparison, ...]) -> tuple[tuple[Any, ...], NDArray[np.int8]]:
    """Comparisons as the arrays that kernels take: places and unknown nulls on both sides; outcomes."""
    left, right = (np.array([getattr(c, side) for c in pairs], np.int32) for side in ("left", "right"))
    nulls = [np.array([getattr(c, side) for c in pairs], np.bool_) for side in ("left_null", "right_null")]
    return (left, right, nulls[0], nulls[1]), np.array([c.bits for c in pairs], np.int8)
