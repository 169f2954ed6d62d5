"""Operators by their numbers, conjunctions on pairs, and rows drawn at random that satisfy them."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from lawful.kernels.conjunction import (
    Conjunction,
    Sides,
    admit,
    another,
    below,
    compare,
    constant,
    holds,
    probe,
    stepped,
)
from lawful.rules.model import OPERATORS, OUTCOMES
from lawful.search.conjunctions import Conjunctions
from tests.profiles import examples
from tests.search.test_violating import random_asked, random_ranks, satisfying


@pytest.mark.parametrize("op", range(6), ids=OPERATORS)
def test_an_operator_admits_its_outcomes(op: int) -> None:
    for a, b, outcome in [(1, 2, "<"), (2, 2, "="), (3, 2, ">"), (0, 0, "="), (-1, 0, "<")]:
        assert bool(compare(a, b, op)) == (outcome in OUTCOMES[OPERATORS[op]])
    rank, ok = np.array([0, 1, 2, 3], np.int32), np.array([True, True, True, False])
    admit(ok, rank, op, 1)
    signs = ["<", "=", ">"]
    assert ok.tolist() == [*(sign in OUTCOMES[OPERATORS[op]] for sign in signs), False]


def asked(draw: Random) -> tuple[list[tuple[int, int, int, bool, bool]], Conjunction]:
    predicates = random_asked(draw, 4)
    return predicates, Conjunctions.of([predicates]).at(0)


def test_a_pair_satisfies_all_predicates_or_not() -> None:
    draw, rng = Random(1), np.random.default_rng(1)
    for _ in range(examples(60)):
        ranks = np.ascontiguousarray(random_ranks(rng, 6, 4), np.int32)
        predicates, about = asked(draw)
        found = {(t, u) for t in range(6) for u in range(6) if t != u and holds(ranks, about, t, u)}
        assert found == satisfying(ranks, predicates)


def test_what_is_probed_satisfies_and_is_in_a_cluster() -> None:
    draw, rng, some = Random(2), np.random.default_rng(2), 0
    rows, offs = np.array([3, 0, 5, 1, 2], np.int32), np.array([0, 2, 5], np.int32)
    for _ in range(examples(100)):
        ranks = np.ascontiguousarray(random_ranks(rng, 6, 4), np.int32)
        predicates, about = asked(draw)
        pairs = np.full((4, 2), -1, np.int32)
        count = probe(ranks, about, Sides(rows, offs, rows, offs), pairs, 60, 4)
        within = {(t, u) for t, u in satisfying(ranks, predicates) if ({t, u} <= {3, 0}) or ({t, u} <= {5, 1, 2})}
        assert {tuple(pair) for pair in pairs[:count].tolist()} <= within
        some += count
    assert some > 0
    none = np.zeros(0, np.int32), np.zeros(1, np.int32)
    assert probe(ranks, about, Sides(*none, *none), pairs, 60, 4) == 0


def test_another_row_satisfies_too() -> None:
    draw, rng = Random(3), np.random.default_rng(3)
    rows, seed = np.arange(6, dtype=np.int32), np.uint64(1)
    for _ in range(examples(100)):
        ranks = np.ascontiguousarray(random_ranks(rng, 6, 4), np.int32)
        predicates, about = asked(draw)
        for t, u in satisfying(ranks, predicates):
            drawn, seed = another(ranks, about, rows, 1, 4, t, u, seed)
            assert (drawn, u) in satisfying(ranks, predicates)
            assert drawn == t or 1 <= drawn < 5


def test_constants_and_chance() -> None:
    assert [constant(np.array(rank, np.int32)) for rank in ([], [4], [4, 4], [4, 4, 5])] == [True, True, True, False]
    seed, seen = np.uint64(7), set()
    for _ in range(200):
        seed = stepped(seed)
        seen.add(int(below(seed, 5)))
    assert seen == set(range(5))
