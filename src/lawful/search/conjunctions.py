"""Many conjunctions of predicates as flat arrays, and which of them are tried together.

Those whose equalities include a selective set of equalities are tried on the clusters of that set, made once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lawful.kernels.conjunction import EQUAL, Conjunction

Keys: TypeAlias = tuple[tuple[int, int], ...]
"""Equalities: of rank row ``left`` of t with rank row ``right`` of u."""

_SAMPLE = 1 << 12
_SHARED = 8.0
_EACH = 0.6
"""Pairs a row that clusters may have to be opened for all; and for each of the conjunctions that are tried on them."""

_BOXED = 1e-6
"""Seconds a row for a conjunction of four order comparisons; each further one takes twice as long."""

_PRIME = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, eq=False)
class Conjunctions:
    """Predicates ``offsets[m]:offsets[m + 1]`` are those of conjunction m; int64, then arrays as in `Conjunction`."""

    offsets: NDArray[np.int64]
    predicates: Conjunction

    @classmethod
    def of(cls, lists: Iterable[Sequence[tuple[int, int, int, bool, bool]]]) -> Self:
        """From lists of (left, right, operator, left_null, right_null)."""
        given = [list(predicates) for predicates in lists]
        offsets = np.cumsum([0, *map(len, given)], dtype=np.int64)
        flat = np.array([p for predicates in given for p in predicates], np.int64).reshape(-1, 5)
        return cls(offsets, _typed(*flat.T))

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def owners(self) -> NDArray[np.int64]:
        """The conjunction of each predicate."""
        return np.repeat(np.arange(len(self)), np.diff(self.offsets))

    def at(self, number: int) -> Conjunction:
        """One of them."""
        cut = slice(int(self.offsets[number]), int(self.offsets[number + 1]))
        return _typed(*(held[cut] for held in self.predicates))

    def take(self, numbers: NDArray[np.integer[Any]]) -> Conjunctions:
        """Some of them, in the order given."""
        sizes = np.diff(self.offsets)[numbers]
        offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)])
        places = np.repeat(self.offsets[numbers] - offsets[:-1], sizes) + np.arange(offsets[-1])
        return Conjunctions(offsets, _typed(*(held[places] for held in self.predicates)))

    def seconds(self, rows: int) -> float:
        """About how long those take to try that have no equality and too many other comparisons for a sweep."""
        rest = np.diff(self.offsets)
        rest = rest[np.bincount(self.owners[self.predicates.op == EQUAL], minlength=len(self)) == 0]
        return float(rows * _BOXED * (2.0 ** (np.minimum(rest[rest >= 4], 7) - 4)).sum())

    def equalities(self) -> tuple[Keys, NDArray[np.bool_]]:
        """The distinct equalities, and which conjunction has which: bool[conjunctions, equalities]."""
        at = np.flatnonzero(self.predicates.op == EQUAL)
        places = np.stack([self.predicates.left[at], self.predicates.right[at]], axis=1)
        keys, which = np.unique(places, axis=0, return_inverse=True)
        has = np.zeros((len(self), len(keys)), np.bool_)
        has[self.owners[at], which.reshape(-1)] = True
        return tuple((int(left), int(right)) for left, right in keys), has


def _typed(left: Any, right: Any, op: Any, left_null: Any, right_null: Any) -> Conjunction:
    """Fresh arrays of the types that kernels are compiled for."""
    return Conjunction(
        np.array(left, np.int32), np.array(right, np.int32), np.array(op, np.int8),
        np.array(left_null, np.bool_), np.array(right_null, np.bool_),
    )  # fmt: skip


def grouped(ranks: NDArray[np.int32], asked: Conjunctions) -> Iterator[tuple[NDArray[np.int64], bool]]:
    """Numbers of conjunctions that are tried together, all of which have the equalities they are clustered by.

    With it whether the clusters look so small that all their pairs can be compared. Sets of equalities fold into
    single equalities or smaller sets that leave few pairs, as a sample of rows has it.
    """
    keys, has = asked.equalities()
    sets, of_set = np.unique(has, axis=0, return_inverse=True)
    estimate = _Estimate(ranks, keys)
    home = _homes(sets, estimate)
    of_set = home[of_set.reshape(-1)]
    order = np.argsort(of_set, kind="stable")
    for numbers in np.split(order, np.flatnonzero(np.diff(of_set[order])) + 1):
        if len(numbers):
            name = int(of_set[numbers[0]])
            yield numbers, name < 0 or estimate.pairs(sets[name - 1]) <= _EACH * len(numbers) * estimate.rows


def _homes(sets: NDArray[np.bool_], estimate: _Estimate) -> NDArray[np.int64]:
    """For each set a name of the set it is tried with; negative where that one leaves few pairs."""
    few: list[tuple[float, int, NDArray[np.bool_]]] = []
    for single in np.eye(sets.shape[1], dtype=np.bool_)[sets.sum(0) > 1]:
        _open(few, single, estimate)
    home = np.zeros(len(sets), np.int64)
    for s in np.argsort(sets.sum(1), kind="stable"):
        within = [(pairs, name) for pairs, name, opened in few if not (opened & ~sets[s]).any()]
        if not within and sets[s].any():
            _open(few, sets[s], estimate)
            within = [(pairs, name) for pairs, name, opened in few if opened is sets[s]]
        home[s] = min(within)[1] if within else s + 1
    return home


def _open(few: list[tuple[float, int, NDArray[np.bool_]]], found: NDArray[np.bool_], estimate: _Estimate) -> None:
    pairs = estimate.pairs(found)
    if pairs <= _SHARED * estimate.rows:
        few.append((pairs, -len(few) - 1, found))


class _Estimate:
    """How many pairs of rows agree on equalities, by a sample."""

    def __init__(self, ranks: NDArray[np.int32], keys: Keys) -> None:
        self.rows = int(ranks.shape[1])
        drawn = np.random.default_rng(1).integers(0, max(self.rows, 1), min(_SAMPLE, self.rows))
        self._drawn = np.unique(drawn)
        self._sides = [[ranks[place][self._drawn].astype(np.uint64) for place in key] for key in keys]

    def pairs(self, found: NDArray[np.bool_]) -> float:
        """Ordered pairs of different rows that agree on the equalities set in ``found``."""
        count = len(self._drawn)
        if count < 2:
            return 0.0
        mixed = [np.zeros(count, np.uint64), np.zeros(count, np.uint64)]
        for e in np.flatnonzero(found):
            mixed = [(m ^ side) * _PRIME for m, side in zip(mixed, self._sides[e], strict=True)]
            mixed = [m ^ (m >> np.uint64(32)) for m in mixed]
        values, which = np.unique(np.concatenate(mixed), return_inverse=True)
        ts, us = (np.bincount(part, minlength=len(values)) for part in np.split(which.reshape(-1), 2))
        agree = float(ts @ us) - float(np.count_nonzero(mixed[0] == mixed[1]))
        return agree * self.rows * (self.rows - 1) / (count * (count - 1))
