"""Pairs of rows that satisfy conjunctions of comparisons, or proof that there are none, without comparing all pairs.

What speaks of one row alone filters rows. Equalities make clusters. Within them up to three order comparisons are
answered by sweeps, more by trees of boxes; a ``!=`` is a key that has to differ, or two order comparisons. Where the
clusters that many conjunctions share are small, all their pairs are compared once for all.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import product
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lawful.engine import Engine, Shared, Table
from lawful.kernels.boxes import DIFFER, pairs_in_boxes
from lawful.kernels.conjunction import EQUAL, LESS, MORE, UNEQUAL, Conjunction, admit, probe
from lawful.kernels.dominance import Axis, Wanted, places_along, sweep_line, sweep_plane, sweep_space
from lawful.kernels.outcomes import pair_count, pairs_by_outcomes
from lawful.search.clusters import Clusters, Rows
from lawful.search.conjunctions import Conjunctions, Keys, grouped

Pairs: TypeAlias = NDArray[np.int32]
Flags: TypeAlias = NDArray[np.bool_]
Part: TypeAlias = tuple[NDArray[np.int32], Pairs]
"""Numbers of conjunctions, int32[k], and a pair that satisfies each, int32[k, 2]: (t, u)."""

_MIRRORED = (0, 1, 4, 5, 2, 3)
_OUTCOMES = ((0, 1, 0), (1, 0, 1), (1, 0, 0), (1, 1, 0), (0, 0, 1), (0, 1, 1))
_TRIES = 4096
_ENOUGH = 8
_ROOM = 1 << 22
_NANOSECONDS = (10.0, 10.0, 30.0, 40.0, 40.0)  # a row, by the number of comparisons that are not equalities
_EACH = 200.0  # nanoseconds a row for units of several, most of which cost less
_SWEPT = 3


@dataclass(frozen=True, eq=False)
class Search:
    """A unit of work: some conjunctions, ``numbers`` int32 in the caller's list, that share equalities. ``few`` tells
    that these leave few pairs."""

    numbers: NDArray[np.int32]
    asked: Conjunctions
    few: bool


@dataclass(frozen=True)
class FindPairs:
    """For each conjunction up to ``most`` ordered pairs of different rows that satisfy it; none is a proof.

    ``token`` names the table, so that a process keeps its partitions between units.
    """

    most: int
    token: str

    def zero(self) -> Part:
        return np.zeros(0, np.int32), np.zeros((0, 2), np.int32)

    def merge(self, left: Part, right: Part) -> Part:
        numbers, pairs = (np.concatenate(both) for both in zip(left, right, strict=True))
        order = np.lexsort((pairs[:, 1], pairs[:, 0], numbers))
        return numbers[order], pairs[order]

    def weight(self, unit: Search) -> float:
        sizes = np.diff(unit.asked.offsets)
        return float(len(sizes)) if unit.few else float(np.array(_NANOSECONDS)[np.minimum(sizes, 4)].sum())

    def run(self, shared: Any, unit: Search) -> Part:
        rows = Rows(shared.ranks)
        if rows.count < 2 or self.most < 1:
            return self.zero()
        part = self.zero()
        for chosen, numbers, pairs in _found(rows, unit, self.most, self.token):
            part = self.merge(part, (unit.numbers[chosen][numbers].astype(np.int32), pairs))
        return part


def _found(rows: Rows, unit: Search, most: int, token: str) -> Iterator[tuple[Any, Any, Pairs]]:
    """Parts of the unit's answer: places of conjunctions, places among these, pairs."""
    keys, has = _keyed(rows, unit.asked)
    common: Flags = np.logical_and.reduce(has, axis=0)
    shared = Clusters(rows, _chosen(keys, common), token)
    everything = np.arange(len(unit.asked))
    if _worth_comparing(rows, shared, unit.asked):
        yield everything, *_compared(rows, shared, unit.asked, most)
        return
    sets, of_set = np.unique(has, axis=0, return_inverse=True)
    for s, own in enumerate(sets):
        clusters = shared if np.array_equal(own, common) else Clusters(rows, _chosen(keys, own), token)
        chosen = np.flatnonzero(of_set.reshape(-1) == s)
        found = [_solved(rows, clusters, unit.asked.at(int(m)), most) for m in chosen]
        yield chosen, np.repeat(np.arange(len(chosen)), [len(pairs) for pairs in found]), np.concatenate(found)


def _keyed(rows: Rows, asked: Conjunctions) -> tuple[Keys, Flags]:
    """The equalities that cluster: those between rank rows of which neither is constant."""
    keys, has = asked.equalities()
    kept = [e for e, key in enumerate(keys) if not any(map(rows.constant, key))]
    kept.sort(key=lambda e: -max(map(rows.highest, keys[e])))
    return tuple(keys[e] for e in kept), has[:, kept]


def _chosen(keys: Keys, flags: Flags) -> Keys:
    return tuple(keys[e] for e in np.flatnonzero(flags))


def _worth_comparing(rows: Rows, clusters: Clusters, asked: Conjunctions) -> bool:
    """Whether comparing all pairs of the clusters costs less than trying the conjunctions one by one."""
    width = len(np.unique(np.stack(asked.predicates[:2]), axis=1).T)
    pairs = float(pair_count(clusters.sides.t_offs, clusters.sides.u_offs)) * (8 + 1.5 * width)
    rest = np.bincount(asked.owners[asked.predicates.op != EQUAL], minlength=len(asked))
    return bool(pairs <= rows.count * np.array(_NANOSECONDS)[np.minimum(rest, 4)].sum())


def _compared(rows: Rows, clusters: Clusters, asked: Conjunctions, most: int) -> Part:
    """All pairs of the clusters against all conjunctions: see ``kernels.outcomes``."""
    comparisons, which = _distinct(asked.predicates.left, asked.predicates.right, *asked.predicates[3:])
    (at, op), bit = _distinct(which, asked.predicates.op)
    words = max((len(op) + 63) // 64, 1)
    flags = np.uint64(1) << (np.arange(len(op)) % 64).astype(np.uint64)
    bits = np.zeros((len(comparisons[0]), 3, words), np.uint64)
    places, outcomes = np.nonzero(np.array(_OUTCOMES)[op])
    np.bitwise_or.at(bits, (at[places], outcomes, places // 64), flags[places])
    masks = np.zeros((len(asked), words), np.uint64)
    np.bitwise_or.at(masks, (asked.owners, bit // 64), flags[bit])
    most = max(min(most, _ROOM // max(len(asked), 1)), 1)
    numbers, pairs = np.empty(len(asked) * most, np.int32), np.empty((len(asked) * most, 2), np.int32)
    left, right, left_null, right_null = comparisons
    count = pairs_by_outcomes(
        rows.ranks, clusters.sides, left, right, left_null.astype(np.bool_), right_null.astype(np.bool_), bits, masks,
        most, numbers, pairs,
    )  # fmt: skip
    return numbers[:count].copy(), pairs[:count].copy()


def _distinct(*held: Any) -> tuple[Any, Any]:
    """The distinct combinations of arrays as arrays, int64, and which of them stands where."""
    found, which = np.unique(np.stack([np.asarray(h, np.int64) for h in held], axis=1), axis=0, return_inverse=True)
    return tuple(np.ascontiguousarray(column) for column in found.T), which.reshape(-1)


class _Plan(NamedTuple):
    """A conjunction taken apart: rows that may take part, order comparisons as (left, right, sign, strict), what has
    to differ as (left, right); ``distinct`` tells that no row satisfies it with itself."""

    t_ok: Flags
    u_ok: Flags
    axes: list[tuple[int, int, int, int]]
    differ: list[tuple[int, int]]
    distinct: bool


def _planned(rows: Rows, about: Conjunction) -> _Plan:
    """Takes a conjunction apart. Equalities that cluster are not in the plan."""
    sides = [rows.all, rows.all]
    axes, differ, distinct = [], [], False
    for left, right, op, left_null, right_null in zip(*(held.tolist() for held in about), strict=True):
        for side, (place, null) in enumerate(((left, left_null), (right, right_null))):
            if null:
                _admit(rows, sides, side, place, UNEQUAL, 0)
        if rows.constant(right):
            _admit(rows, sides, 0, left, op, int(rows.ranks[right, 0]))
        elif rows.constant(left):
            _admit(rows, sides, 1, right, _MIRRORED[op], int(rows.ranks[left, 0]))
        elif op == UNEQUAL:
            differ.append((left, right))
        elif op != EQUAL:
            axes.append((left, right, 1 if op < MORE else -1, int(op in (LESS, MORE))))
        distinct = distinct or (left == right and op in (UNEQUAL, LESS, MORE))
    axes.sort(key=lambda axis: (axis[0] != axis[1], axis))
    return _Plan(sides[0], sides[1], axes, differ, distinct)


def _admit(rows: Rows, sides: list[Flags], side: int, place: int, op: int, value: int) -> None:
    """Narrows one side to the rows whose rank compares with a value."""
    if sides[side] is rows.all:
        sides[side] = rows.all.copy()
    admit(sides[side], rows.ranks[place], op, value)


def _solved(rows: Rows, clusters: Clusters, about: Conjunction, most: int) -> Pairs:
    """Up to ``most`` different pairs of the clusters that satisfy a conjunction; at least one if there is any."""
    room = np.empty((most, 2), np.int32)
    plan = _planned(rows, about)
    if not (clusters.count and plan.t_ok.any() and plan.u_ok.any()):
        return room[:0]
    found = 0
    if len(plan.axes) + len(plan.differ) > 1:
        found = probe(rows.ranks, about, clusters.sides, room, min(_TRIES, rows.count // 4), most)
    if found >= min(_ENOUGH, most):
        return _different(room[:found])
    if len(plan.axes) + len(plan.differ) - (plan.distinct and bool(plan.differ)) <= _SWEPT:
        return _different(room[: _swept(rows, clusters, about, plan, room, found)])
    return _different(room[: _boxed(rows, clusters, plan, room, found)])


def _different(pairs: Pairs) -> Pairs:
    return np.unique(pairs, axis=0)


def _swept(rows: Rows, clusters: Clusters, about: Conjunction, plan: _Plan, room: Pairs, found: int) -> int:
    """By sweeps. What has to differ: one column, if that is enough to keep a row from itself, else the row's number."""
    differ = list(plan.differ)
    t_key = u_key = rows.numbers
    if plan.distinct and differ:
        t_key, u_key = (rows.ranks[place] for place in differ.pop())
    quota = max(2, len(room) // clusters.count)
    for signs in product((1, -1), repeat=len(differ)):
        axes = plan.axes + [(*places, sign, 1) for places, sign in zip(differ, signs, strict=True)]
        wanted = Wanted(plan.t_ok, plan.u_ok, t_key, u_key, quota, room, found)
        if found < len(room):
            found = _sweep(rows, clusters, about, axes, wanted)
    return found


def _sweep(
    rows: Rows, clusters: Clusters, about: Conjunction, axes: list[tuple[int, int, int, int]], wanted: Wanted
) -> int:
    """By up to three axes."""
    ready = [Axis(rows.ranks[left], rows.ranks[right], sign, strict) for left, right, sign, strict in axes]
    if len(axes) < 2:
        axis = ready[0] if ready else Axis(rows.numbers, rows.numbers, 0, 0)
        return int(sweep_line(rows.ranks, about, clusters.sides, axis, wanted))
    sides = clusters.sorted_by(*axes[0][:2])
    if len(axes) == 2:
        return int(sweep_plane(rows.ranks, about, sides, *ready, wanted))
    place, reach = places_along(*clusters.sorted_by(*axes[1][:2]), ready[1], rows.count)
    return int(sweep_space(rows.ranks, about, sides, ready[0], place, reach, ready[2], wanted))


def _boxed(rows: Rows, clusters: Clusters, plan: _Plan, room: Pairs, found: int) -> int:
    """By trees of boxes."""
    all_axes = plan.axes + [(left, right, 1, int(DIFFER)) for left, right in plan.differ]
    left, right, signs, strict = (np.array(column, np.int64) for column in zip(*all_axes, strict=True))
    alike = clusters.alike and plan.t_ok is plan.u_ok and bool((left == right).all())
    quota = max(2, len(room) // clusters.count)
    return int(
        pairs_in_boxes(
            rows.ranks, left, right, signs, strict, clusters.sides, plan.t_ok, plan.u_ok, alike, quota, room, found
        )
    )


def satisfies(ranks: NDArray[np.int32], about: Conjunction, pairs: Pairs) -> Flags:
    """Which ordered pairs, int[m, 2], satisfy a conjunction; O(m * predicates)."""
    good = np.ones(len(pairs), np.bool_)
    for left, right, op, left_null, right_null in zip(*(held.tolist() for held in about), strict=True):
        a, b = ranks[left][pairs[:, 0]], ranks[right][pairs[:, 1]]
        good &= np.array(_OUTCOMES, np.bool_)[op][(a >= b).astype(np.int8) + (a > b)]
        good &= ~((a == 0) & left_null) & ~((b == 0) & right_null)
    return good


def searches(shared: Shared, asked: Conjunctions, grain: float, open_: Flags | None = None) -> Iterator[Search]:
    """Units of work of about ``grain`` seconds. Conjunctions that are no longer ``open_`` when their turn comes are
    left out."""
    for numbers, few in grouped(shared.ranks, asked):
        size = len(numbers) if few else max(int(grain * 1e9 / (_EACH * max(shared.rows, 1))), 1)
        for start in range(0, len(numbers), size):
            cut = numbers[start : start + size]
            cut = cut if open_ is None else cut[open_[cut]]
            if len(cut):
                yield Search(cut.astype(np.int32), asked.take(cut), few)


def stream_pairs(
    shared: Shared, engine: Engine, asked: Conjunctions, most: int, token: str, open_: Flags | None = None
) -> Iterator[tuple[NDArray[np.int32], Part]]:
    """As they finish: the numbers of conjunctions that were tried, and the pairs found. A number without a pair is
    proven. Who sees on the way that a conjunction need not be tried takes its flag out of ``open_``. To stop early,
    close the generator."""
    units = searches(shared, asked, engine.grain, open_)
    with closing(engine.stream(FindPairs(most, token), shared, units)) as parts:  # type: ignore[type-var]
        for unit, part in parts:
            yield unit.numbers, part


def find_pairs(table: Table, engine: Engine, asked: Conjunctions, most: int, token: str | None = None) -> Part:
    """For every conjunction up to ``most`` pairs, in the order of the numbers; none is a proof that there are none.

    Who asks several times about one table gives the same ``token``, so that partitions are kept.
    """
    shared, token = engine.share(table), token or uuid.uuid4().hex
    return engine.reduce(FindPairs(most, token), shared, searches(shared, asked, engine.grain))
