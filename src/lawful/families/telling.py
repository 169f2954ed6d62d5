"""What a walk found, as rules with their figures in the order of the rule file: sorted as arrays, made one by one."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lawful.options import DiscoverOptions
from lawful.rules.model import Direction, Fd, Figures, Key, Measure, Oc, Rule
from lawful.search.found import Group
from lawful.search.lattice import Words
from lawful.search.walk import Walk

Names: TypeAlias = tuple[str, ...]

_DIRECTIONS: tuple[Direction, Direction] = ("same", "opposite")


def rules_of(this: Walk, options: DiscoverOptions) -> tuple[Rule, ...]:
    """The findings as rules. None of them is garbage, so the collector, which would look at all of them again and
    again while they are made, rests."""
    resting = gc.isenabled()
    gc.disable()
    try:
        return tuple(_rules(this, options))
    finally:
        if resting:
            gc.enable()


def _rules(this: Walk, options: DiscoverOptions) -> Iterator[Rule]:
    """The rules of the kinds asked for, over at most as many columns as asked for. O(r log r) for r rules."""
    wanted, width = options.wanted(), len(this.plan.places)
    columns, figures = this.table.names, Measured(this.table.rows, options)
    most = width + 1 if options.max_size is None else options.max_size
    sets = _Found.of(this.findings.fds, this)
    if "fd" in wanted:
        fds = sets.take((sets.places < width) & (sets.sizes < most))
        right = np.array([*this.plan.places, 0], np.int64)[fds.places]
        fds, (right,) = fds.in_order(right)
        rights = map(columns.__getitem__, right.tolist())
        yield from map(Fd, fds.contexts(columns), rights, fds.figures(figures, 1))
    if "key" in wanted:
        keys, _ = sets.take((sets.places == width) & (sets.sizes <= most)).in_order()
        yield from map(Key, keys.contexts(columns), keys.figures(figures, 0))
    ocs = _Found.of(this.findings.ocs, this)
    pairs = _pairs(this.plan.places)[ocs.places >> 1]
    ocs, (left, right, opposite) = ocs.in_order(pairs[:, 0], pairs[:, 1], ocs.places & 1)
    sides = (map(columns.__getitem__, side.tolist()) for side in (left, right))
    directions = map(_DIRECTIONS.__getitem__, opposite.tolist())
    yield from map(Oc, ocs.contexts(columns), *sides, directions, ocs.figures(figures, 2))


def _pairs(places: Sequence[int]) -> NDArray[np.int64]:
    """The two columns of every pair of the walk, the one that comes first in the table first."""
    left, right = (np.array(places, np.int64)[side] for side in np.triu_indices(len(places), 1))
    return np.stack([np.minimum(left, right), np.maximum(left, right)], axis=1)


@dataclass(frozen=True, eq=False)
class _Found:
    """Rules of one sort: contexts as flags of the table's columns bool[k, m], and a figure of each kind int64[k]."""

    there: NDArray[np.bool_]
    sizes: NDArray[np.int64]
    places: NDArray[np.int64]
    shared: NDArray[np.int64]
    errors: NDArray[np.int64]

    @classmethod
    def of(cls, groups: Sequence[Group], this: Walk) -> _Found:
        there = as_flags([group.sets for group in groups], this.plan.places)
        kept = [[getattr(group, name) for group in groups] for name in ("places", "shared", "errors")]
        places, shared, errors = (np.concatenate([np.zeros(0, np.int64), *parts]) for parts in kept)
        return cls(there, there.sum(axis=1), places, shared, errors)

    def take(self, some: NDArray[Any]) -> _Found:
        return _Found(self.there[some], self.sizes[some], self.places[some], self.shared[some], self.errors[some])

    def in_order(self, *then: NDArray[np.int64]) -> tuple[_Found, list[NDArray[np.int64]]]:
        """By size, then context, then by other columns of figures, which are put in the same order."""
        order = np.lexsort((*reversed(then), *context_keys(self.there), self.sizes))
        return self.take(order), [column[order] for column in then]

    def contexts(self, names: Names) -> Iterator[Names]:
        """The context of each rule by name; rules that follow each other share it."""
        first = np.ones(len(self.there), np.bool_)
        np.any(self.there[1:] != self.there[:-1], axis=1, out=first[1:])
        starts = np.flatnonzero(first)
        repeats = np.diff(starts, append=len(first)).tolist()
        made = named(self.there[starts], names)
        return chain.from_iterable([context] * count for context, count in zip(made, repeats, strict=True))

    def figures(self, figures: Measured, beside: int) -> Iterator[Figures]:
        """The figures of each rule, which has so many columns beside its context."""
        columns = (self.sizes + beside).tolist()
        return map(figures.__getitem__, zip(self.shared.tolist(), self.errors.tolist(), columns, strict=True))


def as_flags(sets: Sequence[Words], places: Sequence[int]) -> NDArray[np.bool_]:
    """Sets of columns of a search as flags of the table's columns."""
    if not sets:
        return np.zeros((0, len(places)), np.bool_)
    together = np.concatenate(sets)
    bits = np.unpackbits(np.ascontiguousarray(together).astype("<u8").view(np.uint8), axis=1, bitorder="little")
    there = np.zeros((len(together), len(places)), np.bool_)
    there[:, list(places)] = bits[:, : len(places)]
    return there


def context_keys(there: NDArray[np.bool_]) -> list[NDArray[Any]]:
    """Keys for ``lexsort``, the last one first, that put sets of one size in the order of their columns."""
    width = there.shape[1]
    spelt = np.zeros((len(there), 64 * max(-(-width // 64), 1)), np.bool_)
    spelt[:, :width] = there
    words = ~np.packbits(spelt, axis=1).view(">u8").astype(np.uint64)  # what has the first column comes first
    return list(words.T[::-1])


def named(there: NDArray[np.bool_], names: Names) -> Iterator[Names]:
    """The names of the columns in each set."""
    columns = list(map(names.__getitem__, np.nonzero(there)[1].tolist()))
    start = 0
    for end in np.cumsum(there.sum(axis=1)).tolist():
        yield tuple(columns[start:end])
        start = end


class Measured(dict[tuple[int, int, int], Figures]):
    """Figures of rules by ordered pairs that share the context, error count and number of columns; each made once."""

    def __init__(self, rows: int, options: DiscoverOptions) -> None:
        super().__init__()
        self._rows = rows
        self._measure: Measure = options.measure or "removal"  # type: ignore[assignment]
        self._whole = rows * (rows - 1) if self._measure == "pairs" else rows

    def __missing__(self, key: tuple[int, int, int]) -> Figures:
        shared, error, columns = key
        coverage = shared / self._rows**2
        interest = coverage * (min(1.0, 2 / columns) if columns else 1.0)
        found = self[key] = Figures(error / self._whole, self._measure, coverage, interest)
        return found
