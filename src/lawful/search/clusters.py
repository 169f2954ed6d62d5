"""The rows of both sides of conjunctions in clusters, and what is sorted within them: made once, used by many."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lawful.kernels.conjunction import Sides, constant
from lawful.kernels.partition import refine, whole
from lawful.kernels.sides import ascending, both_sides, cluster_numbers, dealt
from lawful.search.conjunctions import Keys
from lawful.search.validators import cache

_KEPT = 16


class Rows:
    """The rank rows of a table, and what is known of each: highest rank, whether constant, order (the last few)."""

    def __init__(self, ranks: NDArray[np.int32]) -> None:
        self.ranks = _read_only(ranks)
        self.count = int(ranks.shape[1])
        self._highest: dict[int, int] = {}
        self._constant: dict[int, bool] = {}
        self._orders: dict[int, NDArray[np.int32]] = {}
        self.all = np.ones(self.count, np.bool_)
        self.numbers = _read_only(np.arange(self.count, dtype=np.int32))

    def highest(self, place: int) -> int:
        if place not in self._highest:
            self._highest[place] = int(self.ranks[place].max(initial=0))
        return self._highest[place]

    def dense(self, place: int) -> bool:
        """Whether counting by rank is cheap."""
        return self.highest(place) <= 4 * self.count + 1024

    def constant(self, place: int) -> bool:
        if place not in self._constant:
            self._constant[place] = bool(constant(self.ranks[place]))
        return self._constant[place]

    def order(self, place: int) -> NDArray[np.int32]:
        """The rows by their ranks in one rank row."""
        if place not in self._orders:
            if len(self._orders) >= _KEPT:
                self._orders.pop(next(iter(self._orders)))
            rank = self.ranks[place]
            counted = self.dense(place)
            self._orders[place] = (
                ascending(rank, self.highest(place)) if counted else np.argsort(rank, kind="stable").astype(np.int32)
            )
        return self._orders[place]


def _read_only(held: NDArray[np.int32]) -> NDArray[np.int32]:
    """A plain view that kernels take as the one kind of array they are compiled for."""
    view = np.asarray(held).view()
    view.flags.writeable = False
    return view


class Clusters:
    """Rows clustered by equalities; of rows t and u in one cluster all equalities hold."""

    def __init__(self, rows: Rows, keys: Keys, token: str) -> None:
        self.rows = rows
        self.alike = all(left == right for left, right in keys)
        self.sides = _same(rows, [left for left, _ in keys], token) if self.alike else _crossed(rows, keys)
        self._whole = not keys
        self._numbers: list[Any] = [None, None]
        self._sorted: dict[tuple[int, int], NDArray[np.int32]] = {}

    @property
    def count(self) -> int:
        return len(self.sides.t_offs) - 1

    def sorted_by(self, left: int, right: int) -> Sides:
        """The sides with each cluster's rows by their ranks in ``left`` (for t) and ``right`` (for u)."""
        return Sides(self._side(0, left), self.sides.t_offs, self._side(1, right), self.sides.u_offs)

    def _side(self, side: int, place: int) -> NDArray[np.int32]:
        order = self.rows.order(place)
        if self._whole:
            return order
        key = (0 if self.alike else side, place)
        if key not in self._sorted:
            if len(self._sorted) >= _KEPT:
                self._sorted.pop(next(iter(self._sorted)))
            members, offs = self.sides[2 * key[0]], self.sides[2 * key[0] + 1]
            if self._numbers[key[0]] is None:
                self._numbers[key[0]] = cluster_numbers(members, offs, self.rows.count)
            self._sorted[key] = dealt(order, self._numbers[key[0]], offs)
        return self._sorted[key]


def _same(rows: Rows, places: Sequence[int], token: str) -> Sides:
    """Every column compared with itself: one partition serves both sides."""
    if all(map(rows.dense, places)):
        held, offs, classes = cache().get(token, rows.ranks, places)
        offs = offs[: int(classes) + 1]
    else:
        held, offs = _partition([rows.ranks[place] for place in places], rows.count)
    return Sides(held, offs, held, offs)


def _crossed(rows: Rows, keys: Keys) -> Sides:
    items = [np.concatenate([rows.ranks[left], rows.ranks[right]]) for left, right in keys]
    return Sides(*both_sides(*_partition_with_count(items, 2 * rows.count), rows.count))


def _partition(columns: Sequence[NDArray[np.int32]], n: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    held, offs, classes = _partition_with_count(columns, n)
    return held[: int(offs[classes])], offs[: classes + 1]


def _partition_with_count(columns: Sequence[NDArray[np.int32]], n: int) -> tuple[Any, Any, int]:
    """The stripped partition by columns whose ranks need not be dense."""
    held, offs, classes = whole(n)
    for column in columns:
        highest = int(column.max(initial=0))
        if highest > 4 * n + 1024:
            column = np.unique(column, return_inverse=True)[1].astype(np.int32)
            highest = int(column.max(initial=0))
        out, out_offs = np.empty(int(offs[classes]), np.int32), np.zeros(int(offs[classes]) // 2 + 1, np.int32)
        tally, touched = np.zeros(highest + 1, np.int32), np.empty(highest + 1, np.int32)
        classes = int(refine(held, offs, classes, column, tally, touched, out, out_offs))
        held, offs = out, out_offs
    return held, offs, int(classes)
