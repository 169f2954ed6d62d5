"""Stripped partitions to try kernels on, made by grouping, and the scratch that kernels ask for."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from hypothesis import strategies as st

from tests.naive import Nulls, Table, ranks

UNLIMITED = 2**63 - 1


class Partition(NamedTuple):
    """The three arguments a kernel knows a partition by."""

    rows: Any
    offs: Any
    classes: int

    def groups(self) -> list[list[int]]:
        """The rows of each class, in their order."""
        return [self.rows[self.offs[c] : self.offs[c + 1]].tolist() for c in range(self.classes)]


class Case(NamedTuple):
    """A partition of some of ``n`` rows and two columns of ranks."""

    part: Partition
    n: int
    left: Any
    right: Any


def stripped(groups: Iterable[Sequence[int]]) -> Partition:
    """The partition of these classes, in arrays that hold more than they should be read for; single rows go."""
    kept = [group for group in groups if len(group) > 1]
    ends = np.cumsum([0, *map(len, kept)])
    rows = [row for group in kept for row in group]
    return Partition(np.array([*rows, -7, -7], np.int32), np.array([*ends, -7, -7], np.int32), len(kept))


def grouped(columns: Sequence[Sequence[int]], n: int) -> list[list[int]]:
    """The rows equal on all columns, every class, single rows included."""
    groups: dict[tuple[int, ...], list[int]] = {}
    for row in range(n):
        groups.setdefault(tuple(column[row] for column in columns), []).append(row)
    return list(groups.values())


def frozen(values: Any) -> Any:
    """Ranks as a table gives them out: int32, read-only."""
    column = np.array(values, np.int32)
    column.flags.writeable = False
    return column


def counters(rank: Any, part: Partition) -> tuple[Any, Any]:
    """``cnt`` and ``touched``, exactly as long as asked for."""
    largest = max(map(len, part.groups()), default=0)
    return np.zeros(max(rank, default=-1) + 1, np.int32), np.full(min(largest, len(set(rank.tolist()))), -7, np.int32)


def sorters(part: Partition) -> tuple[Any, Any]:
    """``keys`` and ``spare``, exactly as long as asked for."""
    largest = max(map(len, part.groups()), default=0)
    return np.full(largest, -7, np.int64), np.full(largest, -7, np.int64)


def case_of(classes: Sequence[Sequence[tuple[int, int]]], rng: random.Random) -> Case:
    """The rows of each class by their two ranks, spread over the table at random."""
    n = sum(map(len, classes))
    places = rng.sample(range(n), n)
    left, right = np.zeros(n, np.int32), np.zeros(n, np.int32)
    groups: list[list[int]] = []
    for members in classes:
        group, places = places[: len(members)], places[len(members) :]
        groups.append(group)
        for row, (a, b) in zip(group, members, strict=True):
            left[row], right[row] = a, b
    return Case(stripped(groups), n, frozen(left), frozen(right))


def cases() -> st.SearchStrategy[Case]:
    """Small cases that shrink: few classes of few ranks."""
    cell = st.tuples(st.integers(0, 5), st.integers(0, 5))
    classes = st.lists(st.lists(cell, min_size=1, max_size=12), max_size=5)
    return st.builds(case_of, classes, st.randoms(use_true_random=False))


def random_cases(seed: int, count: int, largest: int = 60) -> Iterator[Case]:
    """Cases of up to four classes: ties, trends, trends with noise, constants; the same for the same seed."""
    rng = random.Random(seed)
    for _ in range(count):
        sizes = [rng.randint(1, rng.choice((3, largest))) for _ in range(rng.randint(0, 4))]
        yield case_of([_members(rng, size) for size in sizes], rng)


def _members(rng: random.Random, size: int) -> list[tuple[int, int]]:
    wide, tall = (rng.choice((1, 2, 5, size, 2 * size)) for _ in range(2))
    slope, noise = rng.choice((-1, 0, 1)), rng.choice((0, 1, tall))
    found = []
    for _ in range(size):
        a = rng.randrange(wide)
        b = slope * a + rng.randrange(noise + 1)
        found.append((a, b + wide))
    return found


def table_cases(tables: Iterable[Table], seed: int, nulls: Nulls) -> Iterator[tuple[Table, list[str], list[str], Case]]:
    """Each table with a context of up to two columns and two others (the same one twice, if there is but one)."""
    rng = random.Random(seed)
    for table in tables:
        names = rng.sample(table.names, len(table.names))
        size = min(rng.randint(0, 2), len(names) - 1)
        context, rest = names[:size], (names[size:] * 2)[:2]
        found = dict(zip(table.names, ranks(table, nulls), strict=True))
        part = stripped(grouped([found[name] for name in context], len(table)))
        yield table, context, rest, Case(part, len(table), frozen(found[rest[0]]), frozen(found[rest[1]]))


def check_budgets(measure: Callable[[int], int], exact: int) -> None:
    """Within the budget the figure is exact; beyond it, whatever is returned says so."""
    assert measure(UNLIMITED) == measure(exact) == exact
    for most in {0, exact // 2, exact - 1}:
        if most >= 0:
            assert min(most + 1, exact) <= measure(most) <= exact


def one_class(left: Any, right: Any, seed: int = 1) -> Case:
    """All rows in one class, in random order."""
    rows = np.random.default_rng(seed).permutation(len(left)).astype(np.int32)
    return Case(Partition(rows, np.array([0, len(left)], np.int32), 1), len(left), frozen(left), frozen(right))


def large_blocks() -> Case:
    """300,000 rows of different ranks: three ascending blocks, each below the one before."""
    n, block = 300_000, 100_000
    left = np.arange(n)
    return one_class(left, (2 - left // block) * block + left % block)


def large_ties() -> Case:
    """300,000 rows of 50 by 40 ranks, loosely ascending together."""
    rng = np.random.default_rng(5)
    left = rng.integers(0, 50, 300_000)
    return one_class(left, np.clip(left * 40 // 50 + rng.integers(-6, 7, len(left)), 0, 39))


def cells(case: Case, opposite: bool) -> Any:
    """How many of the case's rows have each pair of ranks, as int64[left, right]; turned around for ``opposite``."""
    right = case.right.max() - case.right if opposite else case.right
    found = np.zeros((case.left.max() + 1, right.max() + 1), np.int64)
    np.add.at(found, (case.left, right), 1)
    return found
