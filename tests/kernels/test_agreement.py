"""Agree sets of pairs of rows, and the maximal ones of many sets."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest

from lawful.kernels.agreement import all_agreements, maximal, near_agreements
from tests.kernels.stripped import frozen


def agree(ranks: Any, places: Any, t: int, u: int) -> frozenset[int]:
    return frozenset(c for c, place in enumerate(places) if ranks[place, t] == ranks[place, u])


def members(words: Any) -> list[frozenset[int]]:
    bits = np.unpackbits(words.view(np.uint8), axis=1, bitorder="little")
    return [frozenset(np.flatnonzero(row).tolist()) for row in bits]


def some_ranks(seed: int) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    width, rows, values = rng.integers(1, 140), rng.integers(2, 25), rng.integers(1, 5)
    return frozen(rng.integers(0, values, (width, rows)).astype(np.int32)), rng.permutation(width)


@pytest.mark.parametrize("seed", range(30))
def test_all_pairs(seed: int) -> None:
    ranks, places = some_ranks(seed)
    expected = [agree(ranks, places, t, u) for t, u in combinations(range(ranks.shape[1]), 2)]
    assert members(all_agreements(ranks, places)) == expected


@pytest.mark.parametrize("seed", range(30))
def test_neighbours_are_pairs_of_the_table(seed: int) -> None:
    ranks, places = some_ranks(seed)
    some = frozen(np.arange(0, ranks.shape[1], 1 + seed % 2, dtype=np.int32))
    there = {agree(ranks, places, t, u) for t, u in combinations(some.tolist(), 2)}
    for room in (0, 3, 10_000):
        found = members(near_agreements(ranks, places, some, room))
        assert len(found) <= room
        assert set(found) <= there - {frozenset()}
    pairs = len(some) > 1 and any(there)
    assert bool(members(near_agreements(ranks, places, some, 10_000))) == bool(pairs)


@pytest.mark.parametrize("seed", range(40))
def test_maximal_sets(seed: int) -> None:
    rng = np.random.default_rng(seed)
    width, count = int(rng.integers(1, 140)), int(rng.integers(1, 60))
    bits = rng.random((count, width)) < rng.random()
    words = np.zeros((count, 64 * -(-width // 64)), np.uint8)
    words[:, :width] = bits | bits[rng.integers(0, count, count)]
    sets = np.packbits(words, axis=1, bitorder="little").view(np.uint64).reshape(count, -1)
    before, there = sets.copy(), set(members(sets))
    found = members(maximal(sets, width))
    assert len(set(found)) == len(found)
    assert set(found) == {one for one in there if not any(one < other for other in there)}
    assert np.array_equal(sets, before)
    assert len(maximal(sets[:0], width)) == 0
