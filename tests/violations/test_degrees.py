"""Counts of partners on tables of some hundred rows, against all pairs."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

from lawful.violations.degrees import admitted, degrees
from lawful.violations.denial import Comparison, Denial, merged
from lawful.violations.mending import greedily
from lawful.violations.showing import shown_pairs
from tests.profiles import examples


def brute(ranks: Any, denial: Denial) -> Any:
    """Whether t and u break it, bool[t, u]."""
    t_ok, u_ok = admitted(ranks, denial)
    found = t_ok[:, None] & u_ok[None, :]
    for c in denial.pairs:
        a, b = ranks[c.left][:, None], ranks[c.right][None, :]
        found &= ((a < b) & bool(c.bits & 1)) | ((a == b) & bool(c.bits & 2)) | ((a > b) & bool(c.bits & 4))
        found &= ~(((a == 0) & c.left_null) | ((b == 0) & c.right_null))
    np.fill_diagonal(found, False)
    return found


def drawn(rng: Random, columns: int) -> Denial:
    def comparison() -> Comparison:
        left = rng.randrange(columns)
        right = left if rng.random() < 0.7 else rng.randrange(columns)
        return Comparison(left, right, rng.choice((1, 1, 2, 2, 3, 4, 4, 5, 6)), rng.random() < 0.1, rng.random() < 0.1)

    own = [tuple(comparison() for _ in range(rng.choice((0, 0, 0, 1)))) for _ in range(2)]
    return Denial(merged(comparison() for _ in range(rng.randint(1, 6))), *own)


@pytest.mark.parametrize("seed", range(examples(40)))
def test_against_all_pairs(seed: int) -> None:
    rng, numbers = Random(seed), np.random.default_rng(seed)
    for turn in range(5):
        spread = [rng.choice((2, 5, 40, 300)) for _ in range(6)]
        ranks = np.stack([numbers.integers(0, most, 200 + 10 * turn, dtype=np.int32) for most in spread])
        denial = drawn(rng, len(spread))
        wanted, found = brute(ranks, denial), degrees(ranks, denial, f"t{seed}-{turn}")
        assert found.as_t.tolist() == wanted.sum(1).tolist(), denial
        assert found.as_u.tolist() == wanted.sum(0).tolist(), denial
        shown = shown_pairs(ranks, [(denial, found)], False, 5)
        assert len(shown) == min(5, wanted.sum()) and all(wanted[t, u] for t, u in shown)
        gone = greedily(ranks, [(denial, found)]) if wanted.any() else None
        if gone is not None:
            assert not wanted[~gone.gone][:, ~gone.gone].any()
            back = np.flatnonzero(gone.gone)
            assert all((wanted[row, ~gone.gone] | wanted[~gone.gone, row]).any() for row in back), "one is not needed"


@pytest.mark.parametrize("orders", [1, 2, 3, 4, 5])
def test_orders_over_many_rows(orders: int) -> None:
    """More rows than a block of the divide and conquer has, with and without a key."""
    ranks = np.random.default_rng(orders).integers(0, 900, (7, 1500), dtype=np.int32)
    ranks[6] %= 3
    for key in ((), (Comparison(6, 6, 2),)):
        pairs = tuple(Comparison(i, (i + 1) % 5, (1, 3, 4, 6, 1)[i]) for i in range(orders))
        denial = Denial((*key, *pairs))
        wanted, found = brute(ranks, denial), degrees(ranks, denial, f"many{orders}{len(key)}")
        assert found.as_t.tolist() == wanted.sum(1).tolist()
        assert found.as_u.tolist() == wanted.sum(0).tolist()


def test_many_that_have_to_differ() -> None:
    ranks = np.random.default_rng(1).integers(0, 3, (8, 150), dtype=np.int32)
    for count in (1, 3, 5, 6, 8):
        denial = Denial(tuple(Comparison(i, i, 5) for i in range(count)))
        assert degrees(ranks, denial, f"differ{count}").as_u.tolist() == brute(ranks, denial).sum(0).tolist()
