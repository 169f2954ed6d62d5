"""Clusters hold the pairs of rows on which equalities hold, one side or both, sorted where that is asked."""

from __future__ import annotations

import uuid
from itertools import pairwise, product
from random import Random
from typing import Any

import numpy as np

from lawful.kernels.conjunction import Sides
from lawful.search.clusters import Clusters, Rows
from lawful.search.conjunctions import Keys
from tests.profiles import examples
from tests.search.test_violating import random_ranks


def cut(rows: Any, offs: Any) -> list[list[int]]:
    return [rows[a:b].tolist() for a, b in pairwise(offs)]


def pairs(sides: Sides) -> list[tuple[int, int]]:
    """The pairs of rows of one cluster, a row with itself left out."""
    both = zip(cut(sides.t_rows, sides.t_offs), cut(sides.u_rows, sides.u_offs), strict=True)
    return [(t, u) for ts, us in both for t, u in product(ts, us) if t != u]


def random_keys(draw: Random, columns: int, crossed: bool) -> Keys:
    made = [(c, draw.randrange(columns) if crossed else c) for c in draw.sample(range(columns), draw.randint(0, 3))]
    return tuple(dict.fromkeys(made))


def test_clusters_hold_exactly_the_pairs_that_agree() -> None:
    draw, rng = Random(1), np.random.default_rng(1)
    for i in range(examples(200)):
        ranks = np.ascontiguousarray(random_ranks(rng, draw.randint(2, 14), 4), np.int32)
        keys = random_keys(draw, 4, crossed=bool(i % 2))
        clusters = Clusters(Rows(ranks), keys, uuid.uuid4().hex)
        every = product(range(ranks.shape[1]), repeat=2)
        expected = {(t, u) for t, u in every if t != u and all(ranks[a, t] == ranks[b, u] for a, b in keys)}
        found = pairs(clusters.sides)
        assert set(found) == expected
        assert len(found) == len(expected), "a pair is in one cluster"
        assert clusters.count == len(clusters.sides.u_offs) - 1


def test_a_cluster_is_sorted_by_any_column_on_either_side() -> None:
    draw, rng = Random(2), np.random.default_rng(2)
    for i in range(examples(60)):
        ranks = np.ascontiguousarray(random_ranks(rng, draw.randint(2, 14), 20), np.int32)
        clusters = Clusters(Rows(ranks), random_keys(draw, 20, crossed=bool(i % 2)), uuid.uuid4().hex)
        for left, right in [(0, 0), (1, 2), (0, 3), *((c, 19 - c) for c in range(20))]:
            found = clusters.sorted_by(left, right)
            for side, place in ((0, left), (2, right)):
                before, after = (cut(sides[side], sides[side + 1]) for sides in (clusters.sides, found))
                assert [sorted(rows) for rows in before] == [sorted(rows) for rows in after]
                assert all(np.all(np.diff(ranks[place][rows]) >= 0) for rows in after)


def test_what_is_known_of_rank_rows() -> None:
    ranks = np.array([[0, 0, 0], [7, 7, 7], [0, 10**6, 1], [2, 0, 1]], np.int32)
    rows = Rows(ranks)
    assert [rows.highest(c) for c in range(4)] == [0, 7, 10**6, 2]
    assert [rows.constant(c) for c in range(4)] == [True, True, False, False]
    assert [rows.dense(c) for c in range(4)] == [True, True, False, True]
    assert rows.order(2).tolist() == [0, 2, 1]
    assert rows.order(3).tolist() == [1, 2, 0]
    assert (rows.count, not rows.ranks.flags.writeable, ranks.flags.writeable) == (3, True, True)
