"""Clusters of two sides, rows in the order of their ranks, and clusters sorted by dealing rows out."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import numpy as np

from lawful.kernels.sides import ascending, both_sides, cluster_numbers, dealt
from tests.profiles import examples


def test_clusters_with_rows_on_both_sides_stay() -> None:
    """Of four rows, items 0..3 are t and 4..7 are u; the second cluster has no u, the third no t."""
    items = np.array([0, 5, 4, 1, 2, 6, 7, 3, 5, -9], np.int32)
    offs = np.array([0, 3, 5, 7, 9, -9], np.int32)
    t_rows, t_offs, u_rows, u_offs = both_sides(items, offs, 4, 4)
    assert [t_rows[a:b].tolist() for a, b in ((0, t_offs[1]), (t_offs[1], t_offs[2]))] == [[0], [3]]
    assert (t_offs.tolist(), u_offs.tolist(), u_rows.tolist()) == ([0, 1, 2], [0, 2, 3], [1, 0, 1])


def test_rows_ascend_by_counting_ties_in_their_order() -> None:
    rng = np.random.default_rng(1)
    for rows in (0, 1, 2, 30):
        for highest in (0, 1, 100):
            rank = rng.integers(0, highest + 1, rows).astype(np.int32)
            assert ascending(rank, highest).tolist() == np.argsort(rank, kind="stable").tolist()


def test_dealing_an_order_sorts_every_cluster() -> None:
    draw = Random(2)
    for _ in range(examples(50)):
        rows = draw.sample(range(20), 12)
        offs = np.array([0, *sorted(draw.sample(range(1, 12), 2)), 12], np.int32)
        numbers = cluster_numbers(np.array(rows, np.int32), offs, 20)
        assert [numbers[row] for row in rows] == np.repeat(np.arange(3), np.diff(offs)).tolist()
        assert {row for row in range(20) if numbers[row] < 0} == set(range(20)) - set(rows)
        order = draw.sample(range(20), 20)
        found = dealt(np.array(order, np.int32), numbers, offs).tolist()
        for low, high in pairwise(offs):
            assert found[low:high] == sorted(rows[low:high], key=order.index)
