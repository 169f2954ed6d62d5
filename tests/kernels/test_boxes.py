"""Trees of boxes hold every point once and bound them; walks through two trees find what plain loops find."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from lawful.kernels.boxes import DIFFER, grown, pairs_in_boxes
from lawful.kernels.conjunction import Sides
from tests.profiles import examples


def random_points(rng: np.random.Generator, size: int, axes: int) -> Any:
    """Points of few values, many values, or one value; some axes alike."""
    made = [rng.integers(-9, rng.choice([-8, 0, 10**6]), size) for _ in range(axes)]
    made[-1] = made[0] if rng.random() < 0.3 else made[-1]
    return np.ascontiguousarray(np.array(made).T, np.int32)


@pytest.mark.parametrize("size", [1, 2, 32, 33, 64, 65, 100, 1000])
def test_a_tree_holds_every_point_once_within_its_boxes(size: int) -> None:
    rng = np.random.default_rng(size)
    for _ in range(examples(10)):
        points = random_points(rng, size, 3)
        tree = grown(points.copy(), np.arange(size, dtype=np.int32))
        assert sorted(tree.rows.tolist()) == list(range(size))
        assert np.array_equal(tree.points, points[tree.rows])
        boxes = [0]
        while boxes:
            at = boxes.pop()
            inside = tree.points[tree.low[at] : tree.high[at]]
            assert np.array_equal(tree.least[at], inside.min(axis=0))
            assert np.array_equal(tree.most[at], inside.max(axis=0))
            if tree.child[at]:
                left, right = tree.child[at], tree.child[at] + 1
                assert (tree.low[left], tree.high[right]) == (tree.low[at], tree.high[at])
                assert tree.low[left] < tree.high[left] == tree.low[right] < tree.high[right]
                boxes += [left, right]
            else:
                assert len(inside) <= 32 or (inside == inside[0]).all(), "a long leaf is of equal points"


def test_of_many_equal_rows_one_is_another_than_the_partner() -> None:
    """A leaf of any length may hold one point only; its first row may be the only partner there is."""
    ranks = np.full((2, 100), 5, np.int32)
    ranks[1] = np.arange(100)[::-1] // 99 * 4 + 1  # row 0 has 5, all others have 1
    ranks.flags.writeable = False
    rows, offs, ok = np.arange(100, dtype=np.int32), np.array([0, 100], np.int32), np.ones(100, np.bool_)
    pairs, one = np.empty((3, 2), np.int32), np.ones(1, np.int64)
    for left, right, place in ((0, 1, 1), (1, 0, 0)):
        found = pairs_in_boxes(
            ranks, left * one, right * one, one if place else -one, 0 * one, Sides(rows, offs, rows, offs), ok, ok,
            False, 3, pairs, 0,
        )  # fmt: skip
        assert found > 0
        assert all(pair[place] == 0 != pair[1 - place] for pair in pairs[:found].tolist())


@pytest.mark.parametrize("size", [5, 64, 65, 300])
@pytest.mark.parametrize("alike", [False, True])
def test_walks_find_a_pair_where_there_is_one(size: int, alike: bool) -> None:
    rng, seen = np.random.default_rng(size), [0, 0]
    for _ in range(examples(40)):
        ranks = np.ascontiguousarray(rng.integers(0, rng.choice([1, 3, size]), (6, size)), np.int32)
        if rng.random() < 0.5:
            ranks[3:] = ranks[:3].max(initial=0) - ranks[:3]  # what rises here falls there: seldom all hold
        ranks.flags.writeable = False
        left, signs = rng.permutation(6)[:4], rng.choice([-1, 1], 4)
        right = left if alike else rng.permutation(6)[:4]
        strict = rng.choice([0, 1, int(DIFFER)], 4)
        ok = rng.random((2, size)) < 0.8
        t_ok, u_ok = (ok[0], ok[0]) if alike else ok
        rows, offs = np.arange(size, dtype=np.int32), np.array([0, size], np.int32)
        pairs = np.empty((3, 2), np.int32)
        found = pairs_in_boxes(
            ranks, left, right, signs, strict, Sides(rows, offs, rows, offs), t_ok, u_ok, alike, 3, pairs, 0
        )
        good = t_ok[:, None] & u_ok[None, :] & ~np.eye(size, dtype=np.bool_)
        for a, b, sign, kind in zip(left, right, signs, strict, strict=True):
            t, u = sign * ranks[a][:, None], sign * ranks[b][None, :]
            good &= t != u if kind == DIFFER else t <= u - kind
        assert all(good[t, u] for t, u in pairs[:found])
        assert (found > 0) == good.any()
        seen[found > 0] += 1
    assert all(seen)
