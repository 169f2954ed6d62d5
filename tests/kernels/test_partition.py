"""Refining a partition by counting is grouping the rows by one more column."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lawful.kernels.partition import refine, square_sum, whole
from tests.kernels.stripped import Case, Partition, cases, counters, frozen, grouped, random_cases, stripped
from tests.strategies import rank_matrices


def refined(part: Partition, rank: Any) -> Partition:
    """One refinement with out arrays of exactly the length asked for, and its promises about scratch and inputs."""
    cnt, touched = counters(rank, part)
    held = sum(map(len, part.groups()))
    before = part.rows.copy(), part.offs.copy()
    rows, offs = np.full(held, -7, np.int32), np.full(held // 2 + 1, -7, np.int32)
    classes = refine(*part, rank, cnt, touched, rows, offs)
    assert not cnt.any()
    assert np.array_equal(part.rows, before[0]) and np.array_equal(part.offs, before[1])
    return Partition(rows, offs, classes)


def split(part: Partition, rank: Any) -> list[list[int]]:
    """The classes of two rows and more into which the ranks split those of the partition."""
    found: list[list[int]] = []
    for group in part.groups():
        found += [[row for row in group if rank[row] == r] for r in set(rank[group].tolist())]
    return sorted(group for group in found if len(group) > 1)


def check_refinement(case: Case) -> None:
    for rank in (case.left, case.right):
        assert sorted(refined(case.part, rank).groups()) == split(case.part, rank)


@given(cases())
def test_refining_is_grouping(case: Case) -> None:
    check_refinement(case)


def test_refining_is_grouping_in_bulk() -> None:
    for case in random_cases(seed=1, count=3000):
        check_refinement(case)


@given(rank_matrices(max_rows=20, max_cols=4), st.randoms(use_true_random=False))
def test_columns_one_by_one_make_the_partition_of_all(ranks: Any, rng: random.Random) -> None:
    n = ranks.shape[1]
    part = Partition(*whole(n))
    for c in rng.sample(range(len(ranks)), len(ranks)):
        part = refined(part, frozen(ranks[c]))
    assert sorted(part.groups()) == sorted(stripped(grouped(ranks.tolist(), n)).groups())
    assert square_sum(part.offs, part.classes, n) == sum(len(group) ** 2 for group in grouped(ranks.tolist(), n))


@pytest.mark.parametrize(("n", "classes"), [(0, 0), (1, 0), (2, 1), (3, 1), (9, 1)])
def test_the_whole_table_is_one_class(n: int, classes: int) -> None:
    rows, offs, found = whole(n)
    assert (rows.dtype, offs.dtype, found) == (np.int32, np.int32, classes)
    assert rows.tolist() == list(range(n))
    assert len(offs) == n // 2 + 1
    assert offs[: found + 1].tolist() == [0, n][: found + 1]
    assert square_sum(offs, found, n) == n * n


def test_many_rows() -> None:
    n = 300_000
    part = refined(Partition(*whole(n)), frozen(np.arange(n) * 7 % 1000))
    assert sorted(group[:3] for group in part.groups()) == [[r, r + 1000, r + 2000] for r in range(1000)]
    assert square_sum(part.offs, part.classes, n) == 1000 * 300**2
    everything = Partition(*whole(n))
    assert square_sum(everything.offs, everything.classes, n) == 90_000_000_000
    assert square_sum(everything.offs, 0, n) == n
    assert refined(everything, frozen(np.arange(n))).classes == 0
    assert refined(everything, frozen(np.arange(n) // 2)).groups()[-1] == [n - 2, n - 1]
